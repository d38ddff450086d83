//! Pairs that do not count, however close they are.

use super::rings::RingCache;
use super::search::Near;
use super::{NearRule, measured};
use crate::geometry::continuous::impacts::Features;
use crate::geometry::continuous::pair::FeatureKind;
use crate::geometry::positions::Positions;
use crate::geometry::topology::edges::VertexNeighbours;

/// The most rings that can be asked for: what they hold is found for each vertex that is a corner of a pair.
pub const MOST_RINGS: u32 = 16;

/// Pairs that do not count. Features of one surface with a common vertex never do.
#[derive(Clone, Copy, Default)]
pub struct Exclusions<'a> {
    /// Of one surface: features with vertices that are joined by at most so many edges, and what the edges join.
    pub rings: Option<(u32, &'a VertexNeighbours)>,
    /// Of one surface: positions in which those closer than the thickness do not count.
    pub rest: Option<Positions<'a>>,
    /// Bits per vertex of the first and of the second surface: features whose corners all have a common bit do not count.
    pub groups: [Option<&'a [u32]>; 2],
    /// Pairs by name, ascending.
    pub listed: &'a [Features],
}

impl Exclusions<'_> {
    /// Whether a pair does not count, wherever its corners are. Its first feature has the first `split` of them.
    #[inline]
    pub(super) fn excludes_corners(
        &self,
        corners: &[u32; 4],
        sides: &[usize; 4],
        split: usize,
        rings: &mut Option<RingCache>,
    ) -> bool {
        if self.groups != [None; 2] && self.same_group(corners, sides) {
            return true;
        }
        let (first, second) = corners.split_at(split);
        rings
            .as_mut()
            .is_some_and(|rings| rings.joins(first, second))
    }

    /// Whether a near pair does not count, by its name or by its distance at rest.
    #[inline]
    pub(super) fn excludes_near(&self, near: &Near, kind: FeatureKind, rule: &NearRule) -> bool {
        if !self.listed.is_empty() && self.listed.binary_search(&near.features()).is_ok() {
            return true;
        }
        if let Some(rest) = self.rest {
            let at = |k: usize| rest.at(near.corners[k]);
            let there = measured(kind, &[at(0), at(1), at(2), at(3)]);
            let thickness = rule
                .thickness
                .of_pair(&near.corners, &near.sides, &there.weights);
            if there.squared < thickness * thickness {
                return true;
            }
        }
        false
    }

    fn same_group(&self, corners: &[u32; 4], sides: &[usize; 4]) -> bool {
        let bits = |k: usize| {
            let own = self.groups[sides[k]];
            own.map_or(0, |all| all[corners[k] as usize])
        };
        bits(0) & bits(1) & bits(2) & bits(3) != 0
    }
}
