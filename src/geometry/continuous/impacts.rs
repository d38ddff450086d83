//! What meets while surfaces move: vertices with faces and edges with edges, all of them or the first.
//!
//! Boxes around the ways of triangles, vertices and edges leave few pairs; those are decided by [`super::pair`]. Time is cut
//! into slices, so that boxes stay small. Each vertex and edge is tested from one of its triangles only (representative
//! triangles, Curtis et al. 2008).

mod collectors;
mod search;
mod search_part;
mod swept;

use super::moving::{Moving, Slice, sizes_moved, slices};
use crate::geometry::self_collision::Neighbourhoods;
use crate::interrupt;
use crate::memory;
pub use collectors::SoonestImpact;
use collectors::{AllImpacts, FirstImpact};
use glam::DVec3;
use rayon::prelude::*;
use search::{ImpactSearch, SAMPLED};

/// What meets. Vertices by index, edges by their vertices, faces by triangle; the first surface's always first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Features {
    /// Two triangles that intersect already at time 0.
    Start([u32; 2]),
    /// A vertex of the first and a face of the second.
    VertexFace(u32, u32),
    /// A face of the first and a vertex of the second.
    FaceVertex(u32, u32),
    /// An edge of each, the lower vertex first.
    EdgeEdge([u32; 2], [u32; 2]),
}

impl Features {
    /// The one name of a pair of one surface: the vertex first, the lower triangle or edge first.
    pub fn of_itself(self) -> Self {
        match self {
            Self::Start([i, j]) => Self::Start([i.min(j), i.max(j)]),
            Self::FaceVertex(face, vertex) => Self::VertexFace(vertex, face),
            Self::EdgeEdge(e, f) => Self::EdgeEdge(e.min(f), e.max(f)),
            other => other,
        }
    }
}

/// A pair that meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Between 0 and 1; not after the features first meet.
    pub time: f64,
    /// What meets.
    pub features: Features,
    /// The closest point on each feature at that time.
    pub points: [DVec3; 2],
    /// How much of each corner these points are: of the vertex and then of the face's three, or of both edges' two.
    /// All zero for two triangles.
    pub weights: [f64; 4],
    /// Unit direction from the first feature to the second just before they meet; zero for two triangles.
    pub normal: DVec3,
}

impl Impact {
    /// The earlier one; the lower features when both are at the same time.
    pub(super) fn sooner(self, other: Self) -> Self {
        let key = |i: &Self| (i.time.to_bits(), i.features);
        if key(&other) < key(&self) {
            other
        } else {
            self
        }
    }

    /// The same impact under the one name of a pair of one surface.
    fn of_itself(mut self) -> Self {
        let features = self.features.of_itself();
        let turned = match self.features {
            Features::FaceVertex(..) => true,
            Features::EdgeEdge(e, f) => f < e,
            Features::Start([i, j]) => j < i,
            Features::VertexFace(..) => false,
        };
        if turned {
            self.points.reverse();
            self.normal = -self.normal;
            if let Features::EdgeEdge(..) = features {
                self.weights.rotate_left(2);
            }
        }
        self.features = features;
        self
    }
}

/// What counts as meeting.
#[derive(Clone, Copy, Debug)]
pub struct MeetingRule {
    /// Features this far apart or nearer meet.
    pub separation: f64,
    /// Whether triangles that intersect at time 0 meet then, although none of their features do.
    pub start: bool,
}

/// All impacts of two surfaces, each pair of features with its first time, ascending by features.
pub fn impacts(a: Moving, b: Moving, rule: MeetingRule) -> Vec<Impact> {
    let mut all = Vec::new();
    over_slices([&a, &b], rule, |search, slices| {
        let found = search.between(slices, || AllImpacts::until(search.to));
        found
            .into_iter()
            .flat_map(|part| part.impacts)
            .for_each(|impact| memory::add(&mut all, impact));
        NextSearch::LaterSlice
    });
    sorted(all)
}

/// All impacts of a surface with itself, between features that have no vertex in common, as [`impacts`] gives them.
/// `known` are the neighbourhoods of its triangles: what of them is proved not to meet itself is not searched.
pub fn impacts_of_itself(
    a: Moving,
    known: Option<&Neighbourhoods>,
    rule: MeetingRule,
) -> Vec<Impact> {
    let mut all = Vec::new();
    over_slices([&a], rule, |search, [slice]| {
        let found = search.inside(slice, known, None, || AllImpacts::until(search.to));
        found
            .into_iter()
            .flat_map(|part| part.impacts)
            .for_each(|impact| memory::add(&mut all, impact));
        NextSearch::LaterSlice
    });
    all.iter_mut()
        .for_each(|impact| *impact = impact.of_itself());
    sorted(all)
}

/// Ascending by features, each pair once, with its earliest time.
fn sorted(mut all: Vec<Impact>) -> Vec<Impact> {
    all.par_sort_unstable_by_key(|impact| (impact.features, impact.time.to_bits()));
    all.dedup_by_key(|impact| impact.features);
    all
}

/// The first impact of two surfaces; None is a proof that they do not meet between time 0 and 1.
pub fn first_impact(a: Moving, b: Moving, rule: MeetingRule) -> Option<Impact> {
    sooner_impact(a, b, rule, &SoonestImpact::default())
}

/// The first impact of a surface with itself, as [`first_impact`] gives it.
pub fn first_impact_of_itself(
    a: Moving,
    known: Option<&Neighbourhoods>,
    rule: MeetingRule,
) -> Option<Impact> {
    sooner_impact_of_itself(a, known, rule, &SoonestImpact::default())
}

/// The first impact of two surfaces. None is a proof that they do not meet between time 0 and 1, or not before what others that share
/// `soonest` have found.
pub fn sooner_impact(
    a: Moving,
    b: Moving,
    rule: MeetingRule,
    soonest: &SoonestImpact,
) -> Option<Impact> {
    let mut first = None;
    over_slices([&a, &b], rule, |search, slices| {
        let found = search.between(slices, || FirstImpact::new(soonest, search));
        soonest.after(search, found, &mut first)
    });
    first
}

/// The first impact of a surface with itself, as [`sooner_impact`] gives it.
pub fn sooner_impact_of_itself(
    a: Moving,
    known: Option<&Neighbourhoods>,
    rule: MeetingRule,
    soonest: &SoonestImpact,
) -> Option<Impact> {
    let mut first = None;
    over_slices([&a], rule, |search, [slice]| {
        let collector = || FirstImpact::new(soonest, search);
        // A look at a part finds an early impact where there are many: the whole is then searched with the boxes of the ways until it.
        if search.until == search.to {
            search.inside(slice, None, Some(SAMPLED), collector);
            if let Some(sooner) = soonest.worth_a_restart(search) {
                return NextSearch::SameSlice(sooner);
            }
        }
        let found = search.inside(slice, known, None, collector);
        soonest.after(search, found, &mut first)
    });
    first
}

/// What to do when a slice was searched.
enum NextSearch {
    /// Search what comes after it.
    LaterSlice,
    /// Search it again, but only until this time: smaller boxes hold less.
    SameSlice(f64),
    /// Nothing more.
    Done,
}

/// Goes through the slices of time while `search` asks for more.
fn over_slices<const N: usize>(
    surfaces: [&Moving; N],
    rule: MeetingRule,
    mut search: impl FnMut(&ImpactSearch, [&Slice; N]) -> NextSearch,
) {
    let drift = surfaces.iter().map(|s| s.drift()).sum::<DVec3>() / N as f64;
    let drift = drift.as_vec3();
    let sizes_moved = sizes_moved(&surfaces.map(|s| *s), drift);
    let count = slices(sizes_moved);
    let mut parts = surfaces.map(|s| Slice::new(s, drift));
    for k in 0..count {
        interrupt::check();
        let [from, to] = [k, k + 1].map(|k| k as f64 / count as f64);
        parts.iter_mut().for_each(Slice::begin);
        let mut until = to;
        loop {
            for (part, surface) in parts.iter_mut().zip(surfaces) {
                part.reach(surface, until, drift);
            }
            let parts = parts.each_ref();
            let this = ImpactSearch::new(
                [surfaces[0], surfaces[N - 1]],
                [parts[0], parts[N - 1]],
                N == 1,
                rule,
                drift,
                [from, until, to],
                sizes_moved,
            );
            match search(&this, parts) {
                NextSearch::LaterSlice => break,
                NextSearch::SameSlice(sooner) => until = sooner,
                NextSearch::Done => return,
            }
        }
    }
}

#[cfg(test)]
mod tests;
