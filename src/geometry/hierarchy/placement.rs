//! Where one body stands relative to another, for points and for boxes.
//!
//! Points move in double precision. Boxes move in single precision and grow by all that rounding can do, so that what
//! was inside stays inside.

use super::bvh::Node;
use crate::geometry::aabb::Aabb;
use crate::geometry::simd::{LaneKernel, Lanes, dispatch, load_rows};
use crate::geometry::surface::Surface;
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// Where the second body stands in the frame of the first. The default is: where it is.
#[derive(Clone, Copy, Default)]
pub struct Placement(pub(in crate::geometry) Option<PlacementPose>);

#[derive(Clone, Copy)]
pub(in crate::geometry) struct PlacementPose {
    there: DAffine3,
    pub(in crate::geometry) boxes_there: BoxMotion,
    pub(in crate::geometry) boxes_back: BoxMotion,
}

/// A motion for boxes: what it gives is rounded outwards.
#[derive(Clone, Copy)]
pub(in crate::geometry) struct BoxMotion {
    rows: [[f32; 3]; 3],
    shift: [f32; 3],
    /// Bounds the error of the motion itself, which matters for an inverse.
    error: f32,
}

impl Placement {
    /// The second body moved by `pose`. Its corners move in double precision, and answers hold for the moved corners.
    pub fn new(pose: DAffine3) -> Self {
        if pose == DAffine3::IDENTITY {
            return Self(None);
        }
        let back = pose.inverse();
        // How far a point at distance 1 comes back from where it was: tells a usable inverse from a singular pose.
        let round_trip = (pose.matrix3 * back.matrix3 - DMat3::IDENTITY).to_cols_array();
        let sound = back.is_finite() && round_trip.iter().all(|e| e.abs() < 1e-9);
        let boxes_there = BoxMotion::new(&pose);
        let boxes_back = if sound {
            BoxMotion::new(&back)
        } else {
            BoxMotion::ANYWHERE
        };
        Self(Some(PlacementPose {
            there: pose,
            boxes_there,
            boxes_back,
        }))
    }

    /// A point of the second body, in the frame of the first.
    #[inline]
    pub fn point(&self, p: DVec3) -> DVec3 {
        self.0
            .as_ref()
            .map_or(p, |pose| pose.there.transform_point3(p))
    }

    /// The corners of a triangle of the second body, in the frame of the first.
    #[inline]
    pub fn corners(&self, surface: &Surface, triangle: u32) -> [DVec3; 3] {
        let [a, b, c] = surface.corners_f64(triangle);
        [self.point(a), self.point(b), self.point(c)]
    }

    /// The motion of points; None when the second body stays where it is.
    pub(in crate::geometry) fn motion(&self) -> Option<&DAffine3> {
        self.0.as_ref().map(|pose| &pose.there)
    }

    /// Whether the second body stays where it is.
    pub fn is_identity(&self) -> bool {
        self.0.is_none()
    }
}

impl BoxMotion {
    /// A motion that is not known: every box may go anywhere.
    const ANYWHERE: Self = Self {
        rows: [[0.0; 3]; 3],
        shift: [0.0; 3],
        error: f32::MAX,
    };

    fn new(motion: &DAffine3) -> Self {
        let rows = motion.matrix3.transpose();
        Self {
            rows: [rows.x_axis, rows.y_axis, rows.z_axis].map(|r| r.as_vec3().to_array()),
            shift: motion.translation.as_vec3().to_array(),
            error: f32::MIN_POSITIVE,
        }
    }

    /// Boxes around the moved boxes (Arvo 1990).
    #[inline(always)]
    pub(in crate::geometry) fn boxes<V: Lanes>(
        &self,
        min: [V; 3],
        max: [V; 3],
    ) -> ([V; 3], [V; 3]) {
        let half = V::splat(0.5);
        let (mut centre, mut extent) = (min, max);
        for k in 0..3 {
            centre[k] = half * min[k] + half * max[k];
            extent[k] = half * max[k] - half * min[k];
        }
        let (mut low, mut high) = (min, max);
        for (r, row) in self.rows.iter().enumerate() {
            let mut c = V::splat(self.shift[r]);
            let mut e = V::splat(0.0);
            let mut size = V::splat(self.shift[r].abs());
            for k in 0..3 {
                let (m, magnitude) = (V::splat(row[k]), V::splat(row[k].abs()));
                c = c + m * centre[k];
                e = e + magnitude * extent[k];
                size = size + magnitude * centre[k].max(-centre[k]);
            }
            // At most eight roundings stand between a corner and its image, each of at most `size + e`.
            e = e + (size + e) * V::splat(8.0 * f32::EPSILON) + V::splat(self.error);
            low[r] = c - e;
            high[r] = c + e;
        }
        (low, high)
    }
}

/// A box around the moved boxes of a node, rounded outwards: tighter than the moved box around them all.
pub fn moved_bounds(node: &Node, motion: &DAffine3) -> Aabb {
    if *motion == DAffine3::IDENTITY {
        return node.bounds();
    }
    dispatch(MovedBounds {
        node,
        motion: BoxMotion::new(motion),
    })
}

/// A box around the shifted box, rounded outwards.
#[inline]
pub fn shifted_bounds(bounds: Aabb, by: Vec3) -> Aabb {
    let (min, max) = (bounds.min + by, bounds.max + by);
    // The box of nothing stays what it is, and one that stays need not grow.
    if by == Vec3::ZERO || bounds.is_empty() {
        return bounds;
    }
    // The next number is at most this far from one that was rounded.
    let off = |p: Vec3| p.abs() * f32::EPSILON + f32::MIN_POSITIVE;
    Aabb {
        min: min - off(min),
        max: max + off(max),
    }
}

/// The box around eight boxes, some of which may be no numbers: those are passed over.
#[inline(always)]
fn around<V: Lanes>(low: [V; 3], high: [V; 3]) -> Aabb {
    let none = V::splat(f32::INFINITY);
    let least = |v: V| v.min(none).least();
    Aabb {
        min: Vec3::new(least(low[0]), least(low[1]), least(low[2])),
        max: -Vec3::new(least(-high[0]), least(-high[1]), least(-high[2])),
    }
}

struct MovedBounds<'a> {
    node: &'a Node,
    motion: BoxMotion,
}

impl LaneKernel for MovedBounds<'_> {
    type Output = Aabb;
    #[inline(always)]
    fn run<V: Lanes>(self) -> Aabb {
        let (min, max) = (&self.node.min, &self.node.max);
        let (low, high) = self.motion.boxes(load_rows::<V>(min), load_rows(max));
        // Unused slots are infinite, and their images are not numbers.
        around(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hierarchy::bvh::Bvh;
    use crate::geometry::random::Random;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes;
    use glam::DQuat;

    #[test]
    fn moved_bounds_hold_every_moved_corner_and_are_not_much_larger() {
        let mut random = Random::new(70);
        for round in 0..60 {
            let scale = [1.0f32, 1e-5, 1e5][round % 3];
            let shape = shapes::torus(1.0, 0.3, 24, 10).map(|p| p * scale);
            let bvh = Bvh::build(&shape.surface().triangle_boxes());
            let turn = DQuat::from_scaled_axis(random.in_cube() * 3.0);
            let pose = DAffine3::from_rotation_translation(turn, random.in_cube() * 1e3);
            let bounds = moved_bounds(&bvh.nodes()[0], &pose);
            let moved = shape
                .positions
                .iter()
                .map(|p| pose.transform_point3(p.as_dvec3()));
            let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            for p in moved {
                (low, high) = (low.min(p), high.max(p));
            }
            assert!(bounds.min.as_dvec3().cmple(low).all());
            assert!(bounds.max.as_dvec3().cmpge(high).all());
            let excess = (bounds.size().as_dvec3() - (high - low)).max_element();
            assert!(excess < 1.2 * f64::from(scale) + 1e-2, "{excess}");
        }
    }

    #[test]
    fn shifted_bounds_hold_every_shifted_corner_and_little_else() {
        let mut random = Random::new(71);
        for round in 0..10_000 {
            let scale = [1.0f32, 1e-38, 1e-5, 1e15][round % 4];
            let points = [(); 2].map(|()| random.in_cube_f32() * scale);
            let by = random.in_cube_f32() * [1.0f32, 1e-3, 1e-38, 1e3][round % 5 % 4];
            let bounds = shifted_bounds(Aabb::of(points), by);
            for p in points {
                let there = p.as_dvec3() + by.as_dvec3();
                assert!(bounds.min.as_dvec3().cmple(there).all());
                assert!(bounds.max.as_dvec3().cmpge(there).all());
            }
            let size = (points[1] - points[0]).abs();
            let room = 4e-7 * (scale + by.length()) + 1e-37;
            assert!((bounds.size() - size).max_element() <= room);
        }
        assert!(shifted_bounds(Aabb::EMPTY, Vec3::ONE).is_empty());
    }
}
