//! What meets while surfaces move: vertices with faces and edges with edges, all of them or the first.
//!
//! Boxes around the ways of triangles, vertices and edges leave few pairs; those are decided by [`super::pair`]. Time is cut
//! into slices, so that boxes stay small. Each vertex and edge is tested from one of its triangles only (representative
//! triangles, Curtis et al. 2008).

use super::moving::{Moving, Slice, slices};
use super::pair::{FeatureKind, FeatureMeeting, MovingPair};
use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::bvh::{Bvh, Child, Node};
use crate::geometry::hierarchy::dual::{Visitor, split, walk};
use crate::geometry::hierarchy::leaf::LeafBoxes;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::rounding::round_up;
use crate::geometry::self_collision::{NODES, sibling_pairs};
use crate::geometry::simd::WIDTH;
use crate::geometry::triangle::intersection::triangles_intersect;
use crate::interrupt;
use crate::memory::{self, ParallelGather};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

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
    fn of_itself(self) -> Self {
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
        true
    });
    sorted(all)
}

/// All impacts of a surface with itself, between features that have no vertex in common, as [`impacts`] gives them.
pub fn impacts_of_itself(a: Moving, rule: MeetingRule) -> Vec<Impact> {
    let mut all = Vec::new();
    over_slices([&a], rule, |search, [slice]| {
        let found = search.inside(slice, || AllImpacts::until(search.to));
        found
            .into_iter()
            .flat_map(|part| part.impacts)
            .for_each(|impact| memory::add(&mut all, impact));
        true
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
    let mut first = None;
    over_slices([&a, &b], rule, |search, slices| {
        let soonest = AtomicU64::new(search.to.to_bits());
        let found = search.between(slices, || FirstImpact::new(&soonest, search.to));
        first = found
            .into_iter()
            .filter_map(|part| part.first)
            .reduce(Impact::sooner);
        first.is_none()
    });
    first
}

/// The first impact of a surface with itself, as [`first_impact`] gives it.
pub fn first_impact_of_itself(a: Moving, rule: MeetingRule) -> Option<Impact> {
    let mut first = None;
    over_slices([&a], rule, |search, [slice]| {
        let soonest = AtomicU64::new(search.to.to_bits());
        let found = search.inside(slice, || FirstImpact::new(&soonest, search.to));
        first = found
            .into_iter()
            .filter_map(|part| part.first)
            .reduce(Impact::sooner);
        first.is_none()
    });
    first.map(Impact::of_itself)
}

/// Goes through the slices of time while `search` asks for more.
fn over_slices<const N: usize>(
    surfaces: [&Moving; N],
    rule: MeetingRule,
    mut search: impl FnMut(&ImpactSearch, [&Slice; N]) -> bool,
) {
    let drift = surfaces.iter().map(|s| s.drift()).sum::<DVec3>() / N as f64;
    let drift = drift.as_vec3();
    let count = slices(&surfaces.map(|s| *s), drift);
    let mut parts = surfaces.map(|s| Slice::new(s, drift));
    for k in 0..count {
        interrupt::check();
        let [from, to] = [k, k + 1].map(|k| k as f64 / count as f64);
        for (part, surface) in parts.iter_mut().zip(surfaces) {
            part.advance(surface, to, drift);
        }
        let parts = parts.each_ref();
        let this = ImpactSearch::new(
            [surfaces[0], surfaces[N - 1]],
            [parts[0], parts[N - 1]],
            N == 1,
            rule,
            drift,
            [from, to],
        );
        if !search(&this, parts) {
            return;
        }
    }
}

/// Where impacts go.
trait ImpactCollector: Send {
    /// Later impacts are of no interest.
    fn limit(&self) -> f64;
    fn offer(&mut self, impact: Impact);
}

/// Keeps all.
struct AllImpacts {
    limit: f64,
    impacts: Vec<Impact>,
}

impl AllImpacts {
    fn until(limit: f64) -> Self {
        Self {
            limit,
            impacts: Vec::new(),
        }
    }
}

impl ImpactCollector for AllImpacts {
    fn limit(&self) -> f64 {
        self.limit
    }

    fn offer(&mut self, impact: Impact) {
        memory::add(&mut self.impacts, impact);
    }
}

/// Keeps the first.
struct FirstImpact<'a> {
    /// Bits of the earliest time found by any thread: contacts that are surely later are not pursued, so the answer stays the same.
    soonest: &'a AtomicU64,
    /// The end of the slice.
    to: f64,
    first: Option<Impact>,
}

impl<'a> FirstImpact<'a> {
    fn new(soonest: &'a AtomicU64, to: f64) -> Self {
        Self {
            soonest,
            to,
            first: None,
        }
    }
}

impl ImpactCollector for FirstImpact<'_> {
    fn limit(&self) -> f64 {
        let soonest = f64::from_bits(self.soonest.load(Ordering::Relaxed));
        // Times are early by a thousandth of themselves or a millionth of the step at most.
        (soonest * 1.002 + 4e-6).min(self.to)
    }

    fn offer(&mut self, impact: Impact) {
        self.soonest
            .fetch_min(impact.time.to_bits(), Ordering::Relaxed);
        self.first = Some(self.first.map_or(impact, |first| first.sooner(impact)));
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
    to: f64,
}

impl<'a> ImpactSearch<'a> {
    fn new(
        surfaces: [&'a Moving<'a>; 2],
        slices: [&'a Slice; 2],
        itself: bool,
        rule: MeetingRule,
        drift: Vec3,
        [from, to]: [f64; 2],
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
            to,
        }
    }

    /// Whether one of a few directions separates two triangles at both ends of the slice, and so in between.
    #[inline(always)]
    fn always_apart(&self, a: &Swept, b: &Swept) -> bool {
        let at = |p: &[DVec3; 3], q: &[DVec3; 3], time: f64| {
            [
                p[0].lerp(q[0], time),
                p[1].lerp(q[1], time),
                p[2].lerp(q[2], time),
            ]
        };
        let [a, b] = [a, b].map(|t| [self.from, self.to].map(|time| at(&t.start, &t.end, time)));
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
                    collector: collector(),
                };
                walk(&a.bvh, &b.bvh, &still, parts, &mut part);
                part.collector
            })
            .par_gather()
    }

    /// Searches inside of one surface.
    fn inside<C: ImpactCollector>(
        &self,
        slice: &Slice,
        collector: impl Fn() -> C + Sync,
    ) -> Vec<C> {
        let nodes = slice.bvh.nodes();
        nodes
            .par_chunks(NODES)
            .enumerate()
            .map(|(chunk, run)| {
                let mut part = SearchPart {
                    search: self,
                    collector: collector(),
                };
                let mut starts = Vec::new();
                interrupt::check();
                for (k, node) in run.iter().enumerate() {
                    let index = (chunk * NODES + k) as u32;
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
    collector: C,
}

/// A triangle on its way through a slice.
struct Swept {
    corners: [u32; 3],
    /// The boxes of the corners' ways.
    boxes: [Aabb; 3],
    start: [DVec3; 3],
    end: [DVec3; 3],
}

impl Swept {
    #[inline(always)]
    fn new(surface: &Moving, slice: &Slice, triangle: u32) -> Self {
        let corners = surface.from.triangles[triangle as usize];
        let start = |k: usize| surface.from.positions[corners[k] as usize].as_dvec3();
        let end = |k: usize| surface.to[corners[k] as usize].as_dvec3();
        let box_of = |k: usize| slice.corner_box(corners[k]);
        Self {
            corners,
            boxes: [box_of(0), box_of(1), box_of(2)],
            start: [start(0), start(1), start(2)],
            end: [end(0), end(1), end(2)],
        }
    }

    /// The corners of a side, the lower vertex first.
    #[inline(always)]
    fn side(&self, k: usize) -> [usize; 2] {
        let next = (k + 1) % 3;
        if self.corners[k] < self.corners[next] {
            [k, next]
        } else {
            [next, k]
        }
    }

    #[inline(always)]
    fn side_box(&self, k: usize) -> Aabb {
        self.boxes[k].union(self.boxes[(k + 1) % 3])
    }
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

    fn test(&mut self, i: u32, j: u32) {
        let ImpactSearch {
            surfaces: [a, b],
            slices: [slice_a, slice_b],
            itself,
            margin,
            ..
        } = *self.search;
        let (one, other) = (Swept::new(a, slice_a, i), Swept::new(b, slice_b, j));
        let shared = |v: u32, corners: &[u32; 3]| itself && corners.contains(&v);
        let neighbours = one.corners.iter().any(|&v| shared(v, &other.corners));
        if !neighbours && self.search.always_apart(&one, &other) {
            return;
        }
        if self.search.rule.start
            && self.search.from == 0.0
            && !neighbours
            && triangles_intersect(&one.start, &other.start)
        {
            self.collector.offer(Impact {
                time: 0.0,
                features: Features::Start([i, j]),
                points: [one.start[0], other.start[0]],
                weights: [0.0; 4],
                normal: DVec3::ZERO,
            });
        }
        let (box_i, box_j) = (
            slice_a.boxes[i as usize].expanded(margin),
            slice_b.boxes[j as usize].expanded(margin),
        );
        for k in a.representatives.corners(i) {
            if one.boxes[k].overlaps(box_j) && !shared(one.corners[k], &other.corners) {
                let pair = vertex_face(&one, k, &other);
                self.decide(&pair, Features::VertexFace(one.corners[k], j));
            }
        }
        for k in b.representatives.corners(j) {
            if other.boxes[k].overlaps(box_i) && !shared(other.corners[k], &one.corners) {
                let pair = vertex_face(&other, k, &one);
                self.decide(&pair, Features::FaceVertex(i, other.corners[k]));
            }
        }
        for k in a.representatives.sides(i) {
            let near = one.side_box(k).expanded(margin);
            if !near.overlaps(box_j) {
                continue;
            }
            let side = one.side(k);
            let edge = side.map(|m| one.corners[m]);
            for m in b.representatives.sides(j) {
                let across = other.side(m);
                let edges = [edge, across.map(|m| other.corners[m])];
                if near.overlaps(other.side_box(m))
                    && !(itself && edge.iter().any(|v| edges[1].contains(v)))
                {
                    let pair = edge_edge(&one, side, &other, across);
                    self.decide(&pair, Features::EdgeEdge(edges[0], edges[1]));
                }
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

#[inline(always)]
fn vertex_face(of: &Swept, k: usize, face: &Swept) -> MovingPair {
    let with = |p: &[DVec3; 3], q: &[DVec3; 3]| [p[k], q[0], q[1], q[2]];
    MovingPair {
        kind: FeatureKind::VertexFace,
        start: with(&of.start, &face.start),
        end: with(&of.end, &face.end),
    }
}

#[inline(always)]
fn edge_edge(a: &Swept, [i, j]: [usize; 2], b: &Swept, [k, m]: [usize; 2]) -> MovingPair {
    let with = |p: &[DVec3; 3], q: &[DVec3; 3]| [p[i], p[j], q[k], q[m]];
    MovingPair {
        kind: FeatureKind::EdgeEdge,
        start: with(&a.start, &b.start),
        end: with(&a.end, &b.end),
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
        self.search.limit_squared
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
