//! A body on its way through the views: which of its triangles are drawn, and which are asked about together.

use super::drawn::Drawn;
use super::view::Region;
use crate::geometry::aabb::Aabb;
use crate::memory::{self, Gather};
use std::ops::Range;

/// A body and which groups of its triangles may still touch another body.
pub struct Suspect<'a> {
    /// The body.
    pub drawn: &'a Drawn,
    /// Ranges in the order of the mesh's clusters, ascending.
    pub groups: Vec<Range<u32>>,
    /// Whether a group may touch another body.
    pub alive: Vec<bool>,
    /// Whether all groups are culled as one.
    as_one: bool,
    /// Where in the world it may touch another body.
    pub(super) place: Region,
}

impl<'a> Suspect<'a> {
    /// A body that may touch others in some regions and is culled as a whole.
    pub fn whole(drawn: &'a Drawn, regions: &[Region], margin: f64) -> Self {
        Self {
            as_one: true,
            ..Self::by_clusters(drawn, regions, margin)
        }
    }

    /// A body that is culled cluster by cluster; those further than `margin` from all regions are out from the start.
    pub fn by_clusters(drawn: &'a Drawn, regions: &[Region], margin: f64) -> Self {
        let starts = &drawn.mesh.clusters.starts;
        let alive = |bounds: &Aabb| {
            let there = Region::around(*bounds, &drawn.pose, margin);
            regions.iter().any(|region| region.overlaps(&there))
        };
        Self {
            drawn,
            alive: drawn.boxes().iter().map(alive).gather(),
            groups: starts.windows(2).map(|s| s[0]..s[1]).gather(),
            as_one: false,
            place: regions.iter().fold(Region::NOWHERE, |all, r| all.union(r)),
        }
    }

    /// The numbers of what is asked about: all groups at once, or each that is left.
    pub(super) fn questions(&self) -> Vec<usize> {
        if self.as_one {
            vec![0]
        } else {
            self.survivors().gather()
        }
    }

    /// The triangles that a question is about.
    pub(super) fn asked(&self, question: usize) -> Vec<Range<u32>> {
        if self.as_one {
            self.runs()
        } else {
            vec![self.groups[question].clone()]
        }
    }

    /// Takes out what a question is about.
    pub(super) fn clear(&mut self, question: usize) {
        if self.as_one {
            self.alive.fill(false);
        } else {
            self.alive[question] = false;
        }
    }

    /// Whether anything is left.
    pub fn is_alive(&self) -> bool {
        self.alive.iter().any(|&a| a)
    }

    /// The numbers of the groups that are left.
    pub fn survivors(&self) -> impl Iterator<Item = usize> {
        (0..self.alive.len()).filter(|&g| self.alive[g])
    }

    /// The triangles that are left, as few ranges as will do.
    pub(super) fn runs(&self) -> Vec<Range<u32>> {
        let mut runs: Vec<Range<u32>> = Vec::new();
        for g in self.survivors() {
            match runs.last_mut() {
                Some(last) if last.end == self.groups[g].start => last.end = self.groups[g].end,
                _ => memory::add(&mut runs, self.groups[g].clone()),
            }
        }
        runs
    }
}
