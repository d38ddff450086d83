//! Parts of a surface that cannot meet because of how they move.
//!
//! Mezger et al. bound the velocities of all that is below a node by a cone (Teschner et al. 2005, section 2.5). Here a box bounds the displacements, and
//! with them how fast and not only whither: then two subtrees are at each time within boxes that move and grow along straight lines, and
//! meet only where these do on all axes at one time. Boxes around whole ways also overlap where one part arrives after the other has left.

use super::moving::Slice;
use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::bvh::{Bvh, Child};
use crate::geometry::hierarchy::dual::Branch;
use crate::geometry::simd::WIDTH;
use crate::memory;
use rayon::prelude::*;

/// Where vertices begin, and how far they go in a slice of time.
#[derive(Clone, Copy, Debug)]
struct MotionBounds {
    start: Aabb,
    displacement: Aabb,
}

impl MotionBounds {
    const NONE: Self = Self {
        start: Aabb::EMPTY,
        displacement: Aabb::EMPTY,
    };

    fn union(self, other: Self) -> Self {
        Self {
            start: self.start.union(other.start),
            displacement: self.displacement.union(other.displacement),
        }
    }

    /// Whether at some time from 0 to 1 the boxes come as close as `margin` on all axes.
    fn meets(&self, other: &Self, margin: f64) -> bool {
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for axis in 0..3 {
            // At each time the difference of two coordinates is between these lines.
            let range = |a: &Aabb, b: &Aabb| {
                let at = |p: glam::Vec3| f64::from(p[axis]);
                [at(a.min) - at(b.max), at(a.max) - at(b.min)]
            };
            let [low, high] = range(&self.start, &other.start);
            let [slowest, fastest] = range(&self.displacement, &other.displacement);
            if low <= margin && high >= -margin && slowest <= 0.0 && fastest >= 0.0 {
                continue; // all the time
            }
            for (above, speed) in [(low - margin, slowest), (-margin - high, -fastest)] {
                // `above + speed t` must not be positive.
                if speed > 0.0 {
                    to = to.min(-above / speed);
                } else if speed < 0.0 {
                    from = from.max(-above / speed);
                } else if above > 0.0 {
                    return false;
                }
            }
        }
        from <= to
    }
}

/// How all parts of a surface move.
pub(super) struct VelocityBounds {
    /// Of the leaves in a node's slots.
    leaves: Vec<[MotionBounds; WIDTH]>,
    /// Of all below a node.
    whole: Vec<MotionBounds>,
    margin: f64,
}

impl VelocityBounds {
    /// Of triangles in a slice of time. Features meet that are as close as `margin`, which covers the rounding of places.
    pub(super) fn new(triangles: &[[u32; 3]], slice: &Slice, margin: f32) -> Self {
        let bvh: &Bvh = &slice.bvh;
        let of_vertex = |v: u32| {
            let (p, q) = (slice.start[v as usize], slice.end[v as usize]);
            [p, q - p]
        };
        let of_leaf = |items: &[u32]| {
            let corners = items.iter().flat_map(|&t| triangles[t as usize]);
            corners
                .map(of_vertex)
                .fold(MotionBounds::NONE, |b, [p, d]| MotionBounds {
                    start: b.start.with(p),
                    displacement: b.displacement.with(d),
                })
        };
        let mut leaves = memory::filled([MotionBounds::NONE; WIDTH], bvh.nodes().len());
        leaves
            .par_iter_mut()
            .zip(bvh.nodes())
            .with_min_len(256)
            .for_each(|(slots, node)| {
                for (slot, bounds) in slots.iter_mut().enumerate() {
                    if let Child::Leaf(start, count) = node.child(slot) {
                        *bounds = of_leaf(bvh.leaf(start, count));
                    }
                }
            });
        let mut whole = memory::filled(MotionBounds::NONE, bvh.nodes().len());
        // Children come after their parents.
        for (index, node) in bvh.nodes().iter().enumerate().rev() {
            let of_slot = |slot: usize| match node.child(slot) {
                Child::Node(child) => whole[child as usize],
                _ => leaves[index][slot],
            };
            let all = (0..WIDTH).map(of_slot);
            whole[index] = all.fold(MotionBounds::NONE, MotionBounds::union);
        }
        Self {
            leaves,
            whole,
            // Displacements are rounded once more than places.
            margin: 1.25 * f64::from(margin),
        }
    }

    /// Whether no triangle of one subtree can meet one of the other.
    #[inline]
    pub(super) fn are_apart(&self, a: Branch, b: Branch) -> bool {
        !self.of(a).meets(self.of(b), self.margin)
    }

    #[inline]
    fn of(&self, branch: Branch) -> &MotionBounds {
        match branch.place() {
            (node, None) => &self.whole[node],
            (node, Some(slot)) => &self.leaves[node][slot],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::{Random, cases};
    use glam::Vec3;

    fn moving(points: &[[Vec3; 2]]) -> MotionBounds {
        let with = |b: MotionBounds, &[p, q]: &[Vec3; 2]| MotionBounds {
            start: b.start.with(p),
            displacement: b.displacement.with(q - p),
        };
        points.iter().fold(MotionBounds::NONE, with)
    }

    /// A column follows another at the same speed: the ways overlap, the columns never do.
    #[test]
    fn what_moves_on_in_time_is_not_met() {
        let way = |x: f32, by: f32| [Vec3::X * x, Vec3::X * (x + by)];
        let first = moving(&[way(2.0, 5.0), way(3.0, 5.0)]);
        let behind = moving(&[way(0.0, 5.0), way(1.0, 5.0)]);
        assert!(!first.meets(&behind, 0.5));
        assert!(first.meets(&behind, 1.0));
        // One that is faster by 1 has come up at the end, one that is faster by less has not.
        assert!(moving(&[way(1.0, 6.0)]).meets(&first, 0.0));
        assert!(!moving(&[way(1.0, 5.9)]).meets(&first, 0.0));
        // On two axes at different times: at x = 0 before time 0.4, at y = 0 after 0.6.
        let [still, cross] = [
            [Vec3::ZERO, Vec3::ZERO],
            [Vec3::new(-4.0, 6.0, 0.0), Vec3::new(6.0, -4.0, 0.0)],
        ];
        assert!(!moving(&[still]).meets(&moving(&[cross]), 0.9));
        assert!(moving(&[still]).meets(&moving(&[cross]), 1.01));
    }

    /// Whatever two points do, at no time are they closer than two parts are said to stay apart.
    #[test]
    fn points_of_parts_that_stay_apart_stay_apart() {
        let mut random = Random::new(25);
        let (mut apart, mut together) = (0, 0);
        for round in 0..cases(2000) {
            let shift = random.in_cube_f32() * 3.0;
            let common = random.in_cube_f32() * [0.0, 4.0][round % 2];
            let mut part = |at: Vec3| -> Vec<[Vec3; 2]> {
                (0..4)
                    .map(|_| {
                        let p = at + 0.5 * random.in_cube_f32();
                        [p, p + common + random.in_cube_f32()]
                    })
                    .collect()
            };
            let (a, b) = (part(Vec3::ZERO), part(shift));
            let margin = 0.1;
            if moving(&a).meets(&moving(&b), margin) {
                together += 1;
                continue;
            }
            apart += 1;
            for step in 0..=64 {
                let time = step as f64 / 64.0;
                let at = |way: &[Vec3; 2]| way[0].as_dvec3().lerp(way[1].as_dvec3(), time);
                for (p, q) in a.iter().flat_map(|p| b.iter().map(move |q| (p, q))) {
                    let gap = (at(p) - at(q)).abs().max_element();
                    assert!(gap > margin - 1e-6, "{gap} at {time}");
                }
            }
        }
        assert!(apart > 200 && together > 200, "{apart} {together}");
    }
}
