//! What meets while surfaces move: vertices with faces and edges with edges, all of them or the first.
//!
//! Boxes around the ways of triangles, vertices and edges leave few pairs; those are decided by [`super::pair`]. Time is cut
//! into slices, so that boxes stay small. Each vertex and edge is tested from one of its triangles only (representative
//! triangles, Curtis et al. 2008).

mod collectors;
mod swept;

use super::moving::{Moving, Slice, sizes_moved, slices};
use super::pair::{FeatureKind, FeatureMeeting, MovingPair};
use super::velocity_bounds::VelocityBounds;
use crate::geometry::hierarchy::bvh::{Bvh, Child, Node};
use crate::geometry::hierarchy::dual::{Branch, Visitor, split, walk};
use crate::geometry::hierarchy::leaf::LeafBoxes;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::rounding::round_up;
use crate::geometry::self_collision::{Cleared, NODES, Neighbourhoods, sibling_pairs};
use crate::geometry::simd::WIDTH;
use crate::geometry::triangle::intersection::triangles_intersect;
use crate::interrupt;
use crate::memory::{self, ParallelGather};
pub use collectors::SoonestImpact;
use collectors::{AllImpacts, FirstImpact, ImpactCollector};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use swept::{FeatureMasks, Swept, SweptBoxes, bits, edge_edge, vertex_face};

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

/// What the threads that search one slice share.
struct ImpactSearch<'a> {
    surfaces: [&'a Moving<'a>; 2],
    slices: [&'a Slice; 2],
    /// Both are the same surface.
    itself: bool,
    rule: MeetingRule,
    /// How far apart boxes may be that hold features that meet, and its square.
    margin: f32,
    limit_squared: f32,
    from: f64,
    /// Boxes hold the ways until here; times are found as if they held all until `to`, so that they do not depend on it.
    until: f64,
    to: f64,
    /// An impact before this makes it worth to search again with smaller boxes.
    give_up: f64,
    /// How far vertices move until then at most, in sizes of triangles.
    sizes_moved: f64,
}

/// Boxes around shorter ways are hardly larger than those of their parts at one time.
const FAR: f64 = 1.0;

/// Of so many parts of a surface one is looked at first.
const SAMPLED: usize = 16;

/// The part of the boxes' time that a search begins again with.
const SHORTER: f64 = 1.0 / 8.0;

impl<'a> ImpactSearch<'a> {
    fn new(
        surfaces: [&'a Moving<'a>; 2],
        slices: [&'a Slice; 2],
        itself: bool,
        rule: MeetingRule,
        drift: Vec3,
        [from, until, to]: [f64; 3],
        sizes_moved: f64,
    ) -> Self {
        let farthest =
            surfaces[0].magnitude().max(surfaces[1].magnitude()) + drift.abs().max_element();
        let margin = round_up(rule.separation * 1.001) + 32.0 * f32::EPSILON * farthest;
        let squared = f64::from(margin) * f64::from(margin);
        Self {
            surfaces,
            slices,
            itself,
            rule,
            margin,
            limit_squared: round_up(squared * (1.0 + 2e-6) + f64::from(f32::MIN_POSITIVE)),
            from,
            until,
            to,
            give_up: from + SHORTER * (until - from),
            sizes_moved: sizes_moved * (until - from),
        }
    }

    /// Whether one of a few directions separates two triangles at both ends of what is searched, and so in between.
    #[inline(always)]
    fn always_apart(&self, a: &Swept, b: &Swept) -> bool {
        let at = |p: &[DVec3; 3], q: &[DVec3; 3], time: f64| {
            [
                p[0].lerp(q[0], time),
                p[1].lerp(q[1], time),
                p[2].lerp(q[2], time),
            ]
        };
        let [a, b] = [a, b].map(|t| [self.from, self.until].map(|time| at(&t.start, &t.end, time)));
        let middle = |t: &[DVec3; 3]| t[0] + t[1] + t[2];
        let normal = |t: &[DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]);
        // The margin covers a thousand times what doubles lose of any coordinate.
        let needed = f64::from(self.margin);
        let separates = |d: DVec3| {
            let range = |t: &[DVec3; 3]| {
                let [x, y, z] = [d.dot(t[0]), d.dot(t[1]), d.dot(t[2])];
                (x.min(y).min(z), x.max(y).max(z))
            };
            let (a, b) = (a.each_ref().map(range), b.each_ref().map(range));
            let gap = (a[0].0 - b[0].1)
                .min(a[1].0 - b[1].1)
                .max((b[0].0 - a[0].1).min(b[1].0 - a[1].1));
            gap > 0.0 && gap * gap > needed * needed * d.length_squared()
        };
        separates(middle(&a[0]) - middle(&b[0]))
            || separates(normal(&a[0]))
            || separates(normal(&b[0]))
            || separates(middle(&a[1]) - middle(&b[1]))
    }

    /// Searches between two surfaces, in parts that do not depend on the number of threads.
    fn between<C: ImpactCollector>(
        &self,
        [a, b]: [&Slice; 2],
        collector: impl Fn() -> C + Sync,
    ) -> Vec<C> {
        let still = Placement::default();
        split(&a.bvh, &b.bvh, &still, self.limit_squared, 256)
            .par_chunks(8)
            .map(|parts| {
                let mut part = SearchPart {
                    search: self,
                    cleared: None,
                    velocities: None,
                    collector: collector(),
                };
                walk(&a.bvh, &b.bvh, &still, parts, &mut part);
                part.collector
            })
            .par_gather()
    }

    /// Searches inside of one surface; with `sampled` only every so many parts.
    fn inside<C: ImpactCollector>(
        &self,
        slice: &Slice,
        known: Option<&Neighbourhoods>,
        sampled: Option<usize>,
        collector: impl Fn() -> C + Sync,
    ) -> Vec<C> {
        let nodes = slice.bvh.nodes();
        // The first part has the root, which is work of another size.
        let is_sampled = |chunk: usize| sampled.is_none_or(|every| chunk % every == every / 2);
        // What does not touch itself may still come closer than a separation.
        let cleared = known.filter(|_| self.rule.separation == 0.0).map(|known| {
            let [moving, _] = self.surfaces;
            known.cleared(&moving.from, moving.to, [self.from, self.until], &slice.bvh)
        });
        let triangles = self.surfaces[0].from.triangles;
        let velocities = (sampled.is_none() && self.sizes_moved > FAR)
            .then(|| VelocityBounds::new(triangles, slice, self.margin));
        nodes
            .par_chunks(NODES)
            .enumerate()
            .map(|(chunk, run)| {
                let mut part = SearchPart {
                    search: self,
                    cleared: cleared.as_ref(),
                    velocities: velocities.as_ref(),
                    collector: collector(),
                };
                let mut starts = Vec::new();
                interrupt::check();
                for (k, node) in run.iter().enumerate() {
                    if part.gives_up() || !is_sampled(chunk) {
                        return part.collector;
                    }
                    let index = (chunk * NODES + k) as u32;
                    if cleared.as_ref().is_some_and(|c| c.node(index as usize)) {
                        continue;
                    }
                    sibling_pairs(node, index, self.limit_squared, &mut starts);
                    part.inside_leaves(&slice.bvh, node);
                }
                let still = Placement::default();
                walk(&slice.bvh, &slice.bvh, &still, &starts, &mut part);
                part.collector
            })
            .par_gather()
    }
}

/// What one thread does of a search.
struct SearchPart<'a, C> {
    search: &'a ImpactSearch<'a>,
    /// Of one surface: what cannot meet itself.
    cleared: Option<&'a Cleared>,
    /// Of one surface: how its parts move.
    velocities: Option<&'a VelocityBounds>,
    collector: C,
}

impl<C: ImpactCollector> SearchPart<'_, C> {
    fn inside_leaves(&mut self, bvh: &Bvh, node: &Node) {
        for slot in 0..WIDTH {
            if let Child::Leaf(start, count) = node.child(slot) {
                let items = bvh.leaf(start, count);
                for (k, &i) in items.iter().enumerate() {
                    items[k + 1..].iter().for_each(|&j| self.test(i, j));
                }
            }
        }
    }

    /// Whether something was found that makes it worth to begin again with smaller boxes.
    fn gives_up(&self) -> bool {
        self.collector.limit() < self.search.give_up
    }

    /// The features of two triangles that may meet.
    #[inline(always)]
    fn masks(&self, [i, j]: [u32; 2], one: &SweptBoxes, other: &SweptBoxes) -> FeatureMasks {
        let ImpactSearch {
            surfaces: [a, b],
            slices: [slice_a, slice_b],
            itself,
            margin,
            ..
        } = *self.search;
        let box_i = slice_a.boxes[i as usize].expanded(margin);
        let box_j = slice_b.boxes[j as usize].expanded(margin);
        let shared = |v: u32, corners: &[u32]| itself && corners.contains(&v);
        let mut masks = FeatureMasks::default();
        for k in a.representatives.corners(i) {
            let may = one.of_corners[k].overlaps(box_j) && !shared(one.corners[k], &other.corners);
            masks.vertex_face |= u8::from(may) << k;
        }
        for k in b.representatives.corners(j) {
            let may =
                other.of_corners[k].overlaps(box_i) && !shared(other.corners[k], &one.corners);
            masks.face_vertex |= u8::from(may) << k;
        }
        for k in a.representatives.sides(i) {
            let near = one.of_side(k).expanded(margin);
            if !near.overlaps(box_j) {
                continue;
            }
            let edge = [one.corners[k], one.corners[(k + 1) % 3]];
            for m in b.representatives.sides(j) {
                let across = [other.corners[m], other.corners[(m + 1) % 3]];
                let joined = edge.iter().any(|&v| shared(v, &across));
                let may = !joined && near.overlaps(other.of_side(m));
                masks.edges[k] |= u8::from(may) << m;
            }
        }
        masks
    }

    fn test(&mut self, i: u32, j: u32) {
        if self.cleared.is_some_and(|cleared| cleared.triangles(i, j)) {
            return;
        }
        let ImpactSearch {
            surfaces: [a, b],
            slices: [slice_a, slice_b],
            itself,
            rule,
            from,
            ..
        } = *self.search;
        let (one, other) = (
            SweptBoxes::new(a, slice_a, i),
            SweptBoxes::new(b, slice_b, j),
        );
        let neighbours = itself && one.corners.iter().any(|v| other.corners.contains(v));
        let may_start = rule.start && from == 0.0 && !neighbours;
        let masks = self.masks([i, j], &one, &other);
        if masks.is_empty() && !may_start {
            return;
        }
        let (one, other) = (Swept::new(a, one.corners), Swept::new(b, other.corners));
        if !neighbours && self.search.always_apart(&one, &other) {
            return;
        }
        if may_start && triangles_intersect(&one.start, &other.start) {
            self.collector.offer(Impact {
                time: 0.0,
                features: Features::Start([i, j]),
                points: [one.start[0], other.start[0]],
                weights: [0.0; 4],
                normal: DVec3::ZERO,
            });
        }
        for k in bits(masks.vertex_face) {
            let pair = vertex_face(&one, k, &other);
            self.decide(&pair, Features::VertexFace(one.corners[k], j));
        }
        for k in bits(masks.face_vertex) {
            let pair = vertex_face(&other, k, &one);
            self.decide(&pair, Features::FaceVertex(i, other.corners[k]));
        }
        for k in 0..3 {
            for m in bits(masks.edges[k]) {
                let (side, across) = (one.side(k), other.side(m));
                let edges = [
                    side.map(|m| one.corners[m]),
                    across.map(|m| other.corners[m]),
                ];
                let pair = edge_edge(&one, side, &other, across);
                self.decide(&pair, Features::EdgeEdge(edges[0], edges[1]));
            }
        }
    }

    #[inline]
    fn decide(&mut self, pair: &MovingPair, features: Features) {
        let ImpactSearch { rule, from, to, .. } = *self.search;
        let limit = self.collector.limit();
        let mut met = pair.first_meeting(rule.separation, [from, to], limit);
        // A limit may cut the search elsewhere, which moves the time by what it is early: the time that counts is found without one, so
        // that it does not depend on what other threads have found.
        if met.is_some() && limit < to {
            met = pair.first_meeting(rule.separation, [from, to], to);
        }
        if let Some(meeting) = met.filter(|m| m.time <= to) {
            self.collector.offer(impact(pair, &meeting, features));
        }
    }
}

/// The impact of a meeting, whose first feature may be of the second surface.
fn impact(pair: &MovingPair, meeting: &FeatureMeeting, features: Features) -> Impact {
    let at = |k: usize| meeting.weights[k] * pair.start[k].lerp(pair.end[k], meeting.time);
    let mut points = match pair.kind {
        FeatureKind::VertexFace => [at(0), at(1) + at(2) + at(3)],
        FeatureKind::EdgeEdge => [at(0) + at(1), at(2) + at(3)],
    };
    let mut normal = meeting.normal;
    if let Features::FaceVertex(..) = features {
        points.reverse();
        normal = -normal;
    }
    Impact {
        time: meeting.time,
        features,
        points,
        weights: meeting.weights,
        normal,
    }
}

impl<C: ImpactCollector> Visitor for SearchPart<'_, C> {
    const NEAREST_FIRST: bool = false;

    fn limit_squared(&self) -> f32 {
        if self.gives_up() {
            return -1.0; // ends the walk
        }
        self.search.limit_squared
    }

    #[inline]
    fn skips(&self, a: Branch, b: Branch) -> bool {
        self.cleared.is_some_and(|cleared| cleared.branches(a, b))
            || (self.velocities).is_some_and(|velocities| velocities.are_apart(a, b))
    }

    fn leaves(&mut self, a: &[u32], b: &[u32]) {
        let ImpactSearch { slices, margin, .. } = *self.search;
        let lanes = LeafBoxes::of(b.iter().map(|&j| slices[1].boxes[j as usize]));
        for &i in a {
            let mut near = lanes.overlapping(slices[0].boxes[i as usize].expanded(margin));
            while near != 0 {
                self.test(i, b[near.trailing_zeros() as usize]);
                near &= near - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
