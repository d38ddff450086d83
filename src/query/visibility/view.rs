//! A view along an axis: where things are on the screen, and how much fatter they must be drawn (FAR, sections 3.3 and 4.1).

use super::Screen;
use super::drawn::Drawn;
use crate::geometry::aabb::Aabb;
use crate::gpu::attachment::Format;
use crate::gpu::shader::blocks::ViewPush;
use crate::scene::mesh::PositionBinding;
use crate::scene::pose::Pose;
use glam::{DMat3, DVec3};

/// A box in the world, in double precision: collisions outside it are of no interest.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// Lower corner.
    pub min: DVec3,
    /// Upper corner.
    pub max: DVec3,
}

impl Region {
    /// Holds no point: the neutral element of [`Region::union`].
    pub(crate) const NOWHERE: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    /// The smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Around a box of a body that stands somewhere, and `margin` beyond.
    pub(super) fn around(bounds: Aabb, pose: &Pose, margin: f64) -> Self {
        let (turn, shift) = (pose.matrix(), pose.position.as_dvec3());
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let (centre, half) = (0.5 * (min + max), 0.5 * (max - min));
        let middle = turn * centre + shift;
        let half =
            turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
        // Far more than the rounding of doubles.
        let slack = 1e-9 * (centre.length() + half.length() + shift.length());
        let half = half + margin + slack;
        Self {
            min: middle - half,
            max: middle + half,
        }
    }

    /// Whether they share a point.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

/// An orthographic view of a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The world's axes along the screen's x and y and along depth; a rotation of them, so that nothing is mirrored.
    axes: [usize; 3],
    centre: DVec3,
    /// World lengths to view space.
    scale: f64,
    /// Half sides of the region in view space, along `axes`.
    half: [f64; 3],
    size: [u32; 2],
    /// FAR's p in view space: the largest side of a pixel, or of a step in depth.
    fattening: f64,
}

/// A region is never flatter than this part of its longest side: depth needs some room.
const FLATTEST: f64 = 1e-3;

impl View {
    /// Looks at the region along world axis `along`; a region smaller than `finest` is seen as if it were that large.
    pub(super) fn new(region: &Region, along: usize, finest: f64, screen: &Screen) -> Self {
        let size = screen.size;
        let axes = [(along + 1) % 3, (along + 2) % 3, along];
        let centre = 0.5 * (region.min + region.max);
        let sides = (0.5 * (region.max - region.min)).max(DVec3::ZERO);
        // Two pixels more than needed, so that what is on the border is on the screen.
        let border = 1.0 + 4.0 / f64::from(size[0].min(size[1]));
        let longest = sides.max_element().max(finest);
        let longest = longest.max(f64::from(f32::MIN_POSITIVE));
        let half = axes.map(|axis| (sides[axis] / longest).max(FLATTEST) * border);
        let pixel = |k: usize| 2.0 * half[k] / f64::from(size[k]);
        // FAR, section 3.3: p = max(2 dX, 2 dY, 2 dZ), halved because devices sample the centre of a pixel.
        let step = 2.0 * half[2] * depth_step(screen.depth);
        Self {
            axes,
            centre,
            scale: 1.0 / longest,
            half,
            size,
            fattening: pixel(0).max(pixel(1)).max(step),
        }
    }

    /// The pixels that hold what is seen of a part of the region: their first corner, and how many across and down.
    pub(super) fn rectangle(&self, part: &Region) -> ([u32; 2], [u32; 2]) {
        let (mut corner, mut size) = ([0; 2], [0; 2]);
        for k in 0..2 {
            let axis = self.axes[k];
            let sides = f64::from(self.size[k]);
            let pixel = |x: f64| {
                let at = (x - self.centre[axis]) * self.scale / self.half[k];
                (0.5 + 0.5 * at) * sides
            };
            // A pixel more on each side than rounding could take away.
            let low = (pixel(part.min[axis]).floor() - 1.0).clamp(0.0, sides - 1.0);
            let high = (pixel(part.max[axis]).ceil() + 1.0).clamp(low + 1.0, sides);
            corner[k] = low as u32;
            size[k] = (high - low) as u32;
        }
        (corner, size)
    }

    /// FAR's p, in the world's unit of length.
    pub(super) fn fattening(&self) -> f64 {
        self.fattening / self.scale
    }

    /// How a mesh is drawn so that everything at most `within` apart overlaps. `overestimated` says that the device covers
    /// every pixel which a primitive touches.
    pub(super) fn push(
        &self,
        drawn: &Drawn,
        within: f64,
        overestimated: bool,
        positions: &PositionBinding,
    ) -> ViewPush {
        let turn = if drawn.pose.is_identity() {
            DMat3::IDENTITY
        } else {
            drawn.pose.matrix()
        };
        let shift = drawn.pose.position.as_dvec3() - self.centre;
        let bounds = drawn.bounds();
        let farthest = bounds.min.abs().max(bounds.max.abs()).as_dvec3();
        let mut rows = [0.0; 12];
        let mut size = 0.0f64;
        for (k, &axis) in self.axes.iter().enumerate() {
            let row = self.scale * turn.row(axis);
            let offset = self.scale * shift[axis];
            size = size.max(row.abs().dot(farthest) + offset.abs());
            for (slot, value) in rows[4 * k..].iter_mut().zip(row.to_array()) {
                *slot = value as f32;
            }
            rows[4 * k + 3] = offset as f32;
        }
        // Rows and offset are rounded to floats, then three products are added up: at most five roundings of `size` an axis.
        // Devices may take numbers below the least normal one for zero.
        let rounding =
            16.0 * f64::from(f32::EPSILON) * size + 4.0 * f64::from(f32::MIN_POSITIVE) * self.scale;
        // FAR, section 4.3: half the distance and half the diagonal of a cube of side p.
        let apart = 0.5 * within * self.scale * (1.0 + 1e-6) + rounding;
        let pixel = [0, 1].map(|k| 2.0 * self.half[k] / f64::from(self.size[k]));
        let radius = apart + 0.5 * 3f64.sqrt() * self.fattening;
        let grow = if overestimated {
            // A vertex may be snapped by a sixteenth of a pixel.
            apart + 0.125 * pixel[0].max(pixel[1])
        } else {
            radius
        };
        ViewPush {
            rows,
            scale_and_pixel: [
                (1.0 / self.half[0]) as f32,
                (1.0 / self.half[1]) as f32,
                pixel[0] as f32,
                pixel[1] as f32,
            ],
            depth: (1.0 / self.half[2]) as f32,
            radius: radius as f32,
            grow: grow as f32,
            first: positions.first,
            stride: positions.stride,
        }
    }
}

/// The step between depths, as a part of the whole range; of floats the largest.
fn depth_step(format: Format) -> f64 {
    match format {
        Format::Depth16 => 1.0 / 65_535.0,
        _ => 1.0 / 16_777_215.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::visibility::CullPath;
    use glam::{Quat, Vec3};

    #[test]
    fn a_region_around_a_moved_box_holds_it_and_the_margin() {
        let bounds = Aabb {
            min: Vec3::new(-1.0, 2.0, 3.0),
            max: Vec3::new(1.0, 2.5, 7.0),
        };
        let pose = Pose {
            position: Vec3::new(100.0, -3.0, 0.5),
            rotation: Quat::from_xyzw(0.2, -0.4, 0.6, 0.8).normalize(),
            ..Pose::default()
        };
        let region = Region::around(bounds, &pose, 0.25);
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for corner in 0..8 {
            let pick = |k: usize| {
                if corner >> k & 1 == 1 {
                    bounds.max[k]
                } else {
                    bounds.min[k]
                }
            };
            let p = pose.apply(Vec3::new(pick(0), pick(1), pick(2)).as_dvec3());
            (low, high) = (low.min(p), high.max(p));
        }
        let off = (region.min - (low - 0.25))
            .abs()
            .max((region.max - (high + 0.25)).abs());
        assert!(off.max_element() < 1e-6);
        assert!(region.min.cmple(low - 0.25).all() && region.max.cmpge(high + 0.25).all());
        let beside = |gap: f64| Region {
            min: DVec3::new(region.max.x + gap, low.y, low.z),
            max: DVec3::new(region.max.x + 1.0, high.y, high.z),
        };
        assert!(region.overlaps(&beside(0.0)) && !region.overlaps(&beside(1e-9)));
    }

    #[test]
    fn the_pixels_of_a_part_are_where_it_is_and_of_the_whole_all() {
        let region = Region {
            min: DVec3::new(-1.0, 10.0, 0.0),
            max: DVec3::new(3.0, 14.0, 4.0),
        };
        let screen = Screen {
            size: [400, 400],
            depth: Format::Depth32,
            views: [true; 3],
            path: CullPath::Boxes,
        };
        let view = View::new(&region, 2, 0.0, &screen);
        // The region is 396 pixels wide, between two of border.
        assert_eq!(view.rectangle(&region), ([0, 0], [400, 400]));
        let part = Region {
            min: DVec3::new(0.0, 10.0, 0.0),
            max: DVec3::new(1.0, 11.0, 1.0),
        };
        let ([x, y], [width, height]) = view.rectangle(&part);
        assert_eq!(y, 0);
        assert!((99..=101).contains(&x), "{x}");
        assert!((100..=104).contains(&width) && (100..=104).contains(&height));
        let beyond = Region {
            min: DVec3::splat(100.0),
            max: DVec3::splat(101.0),
        };
        assert_eq!(view.rectangle(&beyond), ([399, 399], [1, 1]));
    }

    #[test]
    fn fattening_follows_the_pixels_and_the_depth_format() {
        let region = Region {
            min: DVec3::ZERO,
            max: DVec3::new(8.0, 4.0, 2.0),
        };
        let screen = |size, depth| Screen {
            size: [size; 2],
            depth,
            views: [true; 3],
            path: CullPath::Boxes,
        };
        let at =
            |along, size, format| View::new(&region, along, 0.0, &screen(size, format)).fattening();
        // Along z the longest side on the screen is 8: a pixel is 8 / 1024 with the border, p the same.
        let expected = 8.0 / 1024.0 * (1.0 + 4.0 / 1024.0);
        assert!((at(2, 1024, Format::Depth32) / expected - 1.0).abs() < 1e-12);
        // Along x it is 4.
        let ratio = at(2, 1024, Format::Depth32) / at(0, 1024, Format::Depth32);
        assert!((ratio - 2.0).abs() < 1e-12);
        assert!(at(1, 16, Format::Depth16) > 60.0 * at(1, 1024, Format::Depth16));
        // A region flat in all but depth: then the steps of a short depth buffer are what counts.
        let needle = Region {
            min: DVec3::ZERO,
            max: DVec3::new(1.0, 1.0, 5e4),
        };
        let coarse = View::new(&needle, 2, 0.0, &screen(4096, Format::Depth16)).fattening();
        assert!(coarse >= 5e4 / 65_535.0);
    }
}
