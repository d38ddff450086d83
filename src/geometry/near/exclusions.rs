//! Pairs that do not count, however close they are.

use super::search::Near;
use super::{NearRule, measured};
use crate::geometry::continuous::impacts::Features;
use crate::geometry::continuous::pair::FeatureKind;
use crate::geometry::topology::edges::VertexNeighbours;
use glam::Vec3;

/// The most rings that can be asked for: what they hold is looked through for each pair.
pub const MOST_RINGS: u32 = 16;

/// Pairs that do not count. Features of one surface with a common vertex never do.
#[derive(Clone, Copy, Default)]
pub struct Exclusions<'a> {
    /// Of one surface: features with vertices that are joined by at most so many edges, and what the edges join.
    pub rings: Option<(u32, &'a VertexNeighbours)>,
    /// Of one surface: positions in which those closer than the thickness do not count.
    pub rest: Option<&'a [Vec3]>,
    /// Bits per vertex of the first and of the second surface: features whose corners all have a common bit do not count.
    pub groups: [Option<&'a [u32]>; 2],
    /// Pairs by name, ascending.
    pub listed: &'a [Features],
}

impl Exclusions<'_> {
    /// Whether a pair does not count. Its first feature has the first `split` corners.
    #[inline]
    pub(super) fn excludes(
        &self,
        near: &Near,
        kind: FeatureKind,
        split: usize,
        rule: &NearRule,
        scratch: &mut Vec<u32>,
    ) -> bool {
        if self.groups != [None; 2] && self.same_group(near) {
            return true;
        }
        if !self.listed.is_empty() && self.listed.binary_search(&near.features()).is_ok() {
            return true;
        }
        if let Some(rest) = self.rest {
            let at = |k: usize| rest[near.corners[k] as usize].as_dvec3();
            let there = measured(kind, &[at(0), at(1), at(2), at(3)]);
            let thickness = rule
                .thickness
                .of_pair(&near.corners, &near.sides, &there.weights);
            if there.squared < thickness * thickness {
                return true;
            }
        }
        match self.rings {
            None => false,
            Some((rings, neighbours)) => {
                let (first, second) = near.corners.split_at(split);
                are_joined(first, second, rings, neighbours, scratch)
            }
        }
    }

    fn same_group(&self, near: &Near) -> bool {
        let bits = |k: usize| {
            let own = self.groups[near.sides[k]];
            own.map_or(0, |all| all[near.corners[k] as usize])
        };
        bits(0) & bits(1) & bits(2) & bits(3) != 0
    }
}

/// Whether at most so many edges lead from one set of vertices to another.
fn are_joined(
    from: &[u32],
    to: &[u32],
    rings: u32,
    neighbours: &VertexNeighbours,
    reached: &mut Vec<u32>,
) -> bool {
    reached.clear();
    reached.extend_from_slice(from);
    let mut ring = 0;
    for _ in 0..rings {
        let end = reached.len();
        for at in ring..end {
            for &v in neighbours.of(reached[at]) {
                if to.contains(&v) {
                    return true;
                }
                reached.push(v);
            }
        }
        // Each vertex of the new ring once.
        reached[end..].sort_unstable();
        let mut kept = end;
        for at in end..reached.len() {
            let v = reached[at];
            let known = (kept > end && reached[kept - 1] == v) || reached[..end].contains(&v);
            if !known {
                reached[kept] = v;
                kept += 1;
            }
        }
        reached.truncate(kept);
        ring = end;
    }
    false
}
