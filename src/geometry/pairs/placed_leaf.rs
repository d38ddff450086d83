//! A few triangles of a body in the frame of another: their boxes and edges side by side.

use crate::geometry::hierarchy::bvh::LEAF;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::hierarchy::touching::touching_lanes;
use crate::geometry::simd::{Lanes, WIDTH, load_rows};
use crate::geometry::surface::Surface;
use crate::memory;

/// Up to [`LEAF`] triangles. Where there are fewer, boxes are empty and overlap nothing.
pub(super) struct PlacedLeaf {
    /// The first of them, which no other leaf has.
    first: u32,
    /// Corners of their boxes, rounded outwards.
    min: [[f32; WIDTH]; 3],
    max: [[f32; WIDTH]; 3],
    /// x, y, z of their first corners.
    pub(super) corner: [[f64; LEAF]; 3],
    /// x, y, z of the ways from there to the second and to the third, rounded once.
    pub(super) edges: [[[f32; LEAF]; 3]; 2],
}

impl PlacedLeaf {
    fn empty() -> Self {
        Self {
            first: u32::MAX,
            min: [[f32::INFINITY; WIDTH]; 3],
            max: [[f32::NEG_INFINITY; WIDTH]; 3],
            corner: [[0.0; LEAF]; 3],
            edges: [[[0.0; LEAF]; 3]; 2],
        }
    }

    /// Bit `k` is set when the box of triangle `k` touches or overlaps that of triangle `row` of the other.
    #[inline(always)]
    pub(super) fn near<V: Lanes>(&self, other: &Self, row: usize) -> u8 {
        let boxes = (load_rows::<V>(&self.min), load_rows(&self.max));
        touching_lanes(&other.min, &other.max, row, boxes).bits()
    }

    /// Takes the place of what was here. The corners are those that [`Placement::corners`] gives, to the bit.
    #[allow(
        clippy::needless_range_loop,
        reason = "lanes of several arrays, side by side"
    )]
    #[inline(always)]
    fn fill(&mut self, surface: &Surface, placement: &Placement, triangles: &[u32]) {
        let count = triangles.len().min(LEAF);
        self.first = triangles[0];
        let mut corners = [[[0.0f64; LEAF]; 3]; 3];
        for (lane, &t) in triangles[..count].iter().enumerate() {
            let [p, q, r] = surface.corners_f64(t);
            for axis in 0..3 {
                corners[0][axis][lane] = p[axis];
                corners[1][axis][lane] = q[axis];
                corners[2][axis][lane] = r[axis];
            }
        }
        if let Some(motion) = placement.motion() {
            let (x, y, z) = (
                motion.matrix3.x_axis,
                motion.matrix3.y_axis,
                motion.matrix3.z_axis,
            );
            for corner in &mut corners {
                let [px, py, pz] = *corner;
                for axis in 0..3 {
                    for lane in 0..LEAF {
                        let turned = x[axis] * px[lane] + y[axis] * py[lane] + z[axis] * pz[lane];
                        corner[axis][lane] = turned + motion.translation[axis];
                    }
                }
            }
        }
        // What is a float already and was not moved is exact; else rounding to nearest is undone by a step outwards.
        let (step, least) = if placement.is_identity() && !surface.positions.are_doubles() {
            (0.0, 0.0)
        } else {
            (f32::EPSILON, f32::MIN_POSITIVE)
        };
        for axis in 0..3 {
            for lane in 0..LEAF {
                let (p, q, r) = (
                    corners[0][axis][lane],
                    corners[1][axis][lane],
                    corners[2][axis][lane],
                );
                let (low, high) = (p.min(q).min(r) as f32, p.max(q).max(r) as f32);
                self.min[axis][lane] = low - (low.abs() * step + least);
                self.max[axis][lane] = high + (high.abs() * step + least);
                self.corner[axis][lane] = p;
                self.edges[0][axis][lane] = (q - p) as f32;
                self.edges[1][axis][lane] = (r - p) as f32;
            }
            for lane in count..LEAF {
                self.min[axis][lane] = f32::INFINITY;
                self.max[axis][lane] = f32::NEG_INFINITY;
            }
        }
    }
}

/// Leaves that came up recently: a leaf comes up once for each leaf near it.
pub(super) struct RecentLeaves {
    /// Where in `leaves` the one is that belongs to a slot.
    places: [u16; Self::SLOTS],
    leaves: Vec<PlacedLeaf>,
}

impl RecentLeaves {
    const SLOTS: usize = 256;

    pub(super) fn new() -> Self {
        Self {
            places: [u16::MAX; Self::SLOTS],
            leaves: memory::room(Self::SLOTS),
        }
    }

    /// The leaf of these triangles, of which there must be one at least.
    #[inline(always)]
    pub(super) fn get(
        &mut self,
        surface: &Surface,
        placement: &Placement,
        triangles: &[u32],
    ) -> &PlacedLeaf {
        let slot = triangles[0] as usize % Self::SLOTS;
        if self.places[slot] == u16::MAX {
            self.places[slot] = self.leaves.len() as u16;
            self.leaves.push(PlacedLeaf::empty());
        }
        let leaf = &mut self.leaves[self.places[slot] as usize];
        if leaf.first != triangles[0] {
            leaf.fill(surface, placement, triangles);
        }
        leaf
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hierarchy::bvh::Bvh;
    use crate::geometry::random::Random;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes;
    use glam::{DAffine3, DQuat};

    #[test]
    fn leaves_hold_their_triangles_where_the_pose_puts_them() {
        let mut random = Random::new(91);
        for round in 0..30 {
            let scale = [1.0f32, 1e-30, 1e12][round % 3];
            let shape = shapes::torus(1.0, 0.4, 12, 7).map(|p| p * scale);
            let bvh = Bvh::build(&shape.surface().triangle_boxes());
            let surface = shape.surface();
            let turn = DQuat::from_scaled_axis(random.in_cube() * 3.0);
            let shift = random.in_cube() * f64::from(scale);
            let placement = if round % 2 == 0 {
                Placement::default()
            } else {
                Placement::new(DAffine3::from_rotation_translation(turn, shift))
            };
            let mut recent = RecentLeaves::new();
            // Twice: what is kept is what was made.
            for triangles in bvh.order().chunks(3).chain(bvh.order().chunks(3)) {
                let leaf = recent.get(&surface, &placement, triangles);
                for (lane, &t) in triangles.iter().enumerate() {
                    let [p, q, r] = placement.corners(&surface, t);
                    for axis in 0..3 {
                        let (min, max) = (leaf.min[axis][lane], leaf.max[axis][lane]);
                        let low = p[axis].min(q[axis]).min(r[axis]);
                        let high = p[axis].max(q[axis]).max(r[axis]);
                        assert!(f64::from(min) <= low && high <= f64::from(max));
                        assert!(
                            f64::from(max - min) <= 1.001 * (high - low) + 1e-5 * f64::from(scale)
                        );
                        assert_eq!(leaf.corner[axis][lane], p[axis]);
                        assert_eq!(leaf.edges[0][axis][lane], (q[axis] - p[axis]) as f32);
                        assert_eq!(leaf.edges[1][axis][lane], (r[axis] - p[axis]) as f32);
                    }
                }
                for lane in triangles.len()..LEAF {
                    assert!(leaf.min[0][lane] > leaf.max[0][lane]);
                }
            }
        }
    }
}
