//! Boxes of the few triangles of a leaf, side by side, so that one box is compared with all of them at once.

use super::bvh::LEAF;
use super::placement::Placement;
use crate::geometry::aabb::Aabb;
use crate::geometry::rounding::below;
use crate::geometry::surface::Surface;
use glam::{DVec3, Vec3};

/// Boxes of up to [`LEAF`] triangles; unused lanes are NaN and overlap nothing, not even an infinite box.
#[derive(Clone, Copy)]
pub struct LeafBoxes {
    min: [[f32; LEAF]; 3],
    max: [[f32; LEAF]; 3],
}

impl LeafBoxes {
    /// The boxes as they come, at most [`LEAF`] of them.
    #[inline]
    pub fn of(boxes: impl Iterator<Item = Aabb>) -> Self {
        let mut all = Self {
            min: [[f32::NAN; LEAF]; 3],
            max: [[f32::NAN; LEAF]; 3],
        };
        for (lane, b) in boxes.take(LEAF).enumerate() {
            for axis in 0..3 {
                all.min[axis][lane] = b.min[axis];
                all.max[axis][lane] = b.max[axis];
            }
        }
        all
    }

    /// Bit `k` is set when box `k` touches or overlaps the given one.
    #[inline]
    pub fn overlapping(&self, b: Aabb) -> u8 {
        let mut inside = [true; LEAF];
        for axis in 0..3 {
            for (lane, inside) in inside.iter_mut().enumerate() {
                *inside &=
                    self.min[axis][lane] <= b.max[axis] && b.min[axis] <= self.max[axis][lane];
            }
        }
        inside
            .iter()
            .enumerate()
            .fold(0, |bits, (lane, &i)| bits | u8::from(i) << lane)
    }
}

/// The box of a triangle of the second body in the frame of the first, rounded outwards.
#[inline]
pub fn placed_box(surface: &Surface, placement: &Placement, triangle: u32) -> Aabb {
    outer_box(placement, &placement.corners(surface, triangle))
}

/// The box of placed corners, rounded outwards; corners that stayed where they were need no rounding.
#[inline]
pub fn outer_box(placement: &Placement, &[a, b, c]: &[DVec3; 3]) -> Aabb {
    let (min, max) = (a.min(b).min(c), a.max(b).max(c));
    if placement.is_identity() {
        return Aabb {
            min: min.as_vec3(),
            max: max.as_vec3(),
        };
    }
    Aabb {
        min: Vec3::from(min.to_array().map(below)),
        max: -Vec3::from((-max).to_array().map(below)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes;
    use glam::{DAffine3, DQuat};

    #[test]
    fn lanes_agree_with_single_boxes() {
        let mut random = Random::new(50);
        let mut any = || {
            let (p, q) = (random.in_cube_f32(), random.in_cube_f32());
            Aabb {
                min: p.min(q),
                max: p.max(q),
            }
        };
        for count in [0, 1, 3, 4] {
            for _ in 0..200 {
                let boxes: Vec<Aabb> = (0..count).map(|_| any()).collect();
                let probe = any();
                let bits = LeafBoxes::of(boxes.iter().copied()).overlapping(probe);
                let expected = boxes
                    .iter()
                    .enumerate()
                    .fold(0, |bits, (k, b)| bits | u8::from(b.overlaps(probe)) << k);
                assert_eq!(bits, expected);
            }
        }
    }

    #[test]
    fn an_infinite_box_overlaps_no_unused_lane() {
        let everything = Aabb {
            min: Vec3::NEG_INFINITY,
            max: Vec3::INFINITY,
        };
        for count in 0..=LEAF {
            let boxes = vec![Aabb::of([Vec3::ZERO, Vec3::ONE, Vec3::X]); count];
            let bits = LeafBoxes::of(boxes.into_iter()).overlapping(everything);
            assert_eq!(bits.count_ones() as usize, count);
        }
    }

    #[test]
    fn placed_boxes_hold_their_corners() {
        let ball = shapes::sphere(1.0, 12, 8);
        let pose =
            DAffine3::from_rotation_translation(DQuat::from_rotation_x(0.4), DVec3::splat(1e4));
        let placement = Placement::new(pose);
        for t in 0..ball.triangles.len() as u32 {
            let b = placed_box(&ball.surface(), &placement, t);
            for p in placement.corners(&ball.surface(), t) {
                assert!(b.min.as_dvec3().cmple(p).all() && p.cmple(b.max.as_dvec3()).all());
            }
        }
    }
}
