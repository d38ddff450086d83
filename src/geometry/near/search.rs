//! Which features are near: the walk over leaves, and the measurement of what the filter leaves.

use super::leaf_features::{LeafCache, LeafTriangles, NO_TRIANGLE};
use super::leaf_filter::LeafFilter;
use super::rings::RingCache;
use super::{FeaturePair, NearBody, NearRegion, NearRule, measured};
use crate::geometry::continuous::impacts::Features;
use crate::geometry::continuous::pair::FeatureKind;
use crate::geometry::hierarchy::bvh::{Bvh, Child};
use crate::geometry::hierarchy::dual::{Visitor, split, walk};
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::rounding::round_up;
use crate::geometry::self_collision::sibling_pairs;
use crate::geometry::simd::{WIDTH, dispatch};
use crate::interrupt;
use crate::memory;
use glam::DVec3;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Which features a pair is of. The order is that of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NearKind {
    /// A vertex of the first body and a face of the second.
    VertexFace,
    /// A face of the first and a vertex of the second.
    FaceVertex,
    /// An edge of each.
    EdgeEdge,
}

/// A pair by numbers: a vertex and a triangle, or two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NearCandidate {
    pub(super) kind: NearKind,
    /// Of the first and of the second body.
    pub(super) ids: [u32; 2],
}

/// A pair that counts. Its first feature is the vertex or the lower edge.
pub(super) struct Near {
    pub(super) candidate: NearCandidate,
    /// Its vertices in the order of the weights, and which body each is of.
    pub(super) corners: [u32; 4],
    pub(super) sides: [usize; 4],
    pub(super) squared: f64,
    pub(super) weights: [f64; 4],
    /// From the point of the second feature to that of the first.
    pub(super) apart: DVec3,
}

impl Near {
    /// The names of its features.
    pub(super) fn features(&self) -> Features {
        let [first, second] = self.candidate.ids;
        let [p, q, r, s] = self.corners;
        match self.candidate.kind {
            NearKind::VertexFace => Features::VertexFace(first, second),
            NearKind::FaceVertex => Features::FaceVertex(first, second),
            NearKind::EdgeEdge => Features::EdgeEdge([p, q], [r, s]),
        }
    }

    /// As it goes into a list.
    pub(super) fn pair(&self) -> FeaturePair {
        let distance = self.squared.sqrt();
        let mut direction = (-self.apart).normalize_or_zero().as_vec3();
        let mut regions = self.regions();
        if self.candidate.kind == NearKind::FaceVertex {
            direction = -direction;
            regions.reverse();
        }
        FeaturePair {
            features: self.features(),
            distance,
            weights: self.weights,
            direction,
            regions,
            repeats: false,
        }
    }

    /// Where the nearest points are, of the first and of the second feature. A share that rounding alone can leave is none: of edges whose
    /// ends are at one place the ends are nearest, and not points beside them.
    fn regions(&self) -> [NearRegion; 2] {
        let is_none = |share: f64| share <= 4.0 * f64::EPSILON;
        let on_edge = |weights: &[f64]| match (is_none(weights[0]), is_none(weights[1])) {
            (false, false) => NearRegion::Edge(0),
            (true, _) => NearRegion::Vertex(1),
            (_, true) => NearRegion::Vertex(0),
        };
        let w = &self.weights;
        if self.candidate.kind == NearKind::EdgeEdge {
            return [on_edge(&w[..2]), on_edge(&w[2..])];
        }
        let face = match [w[1], w[2], w[3]].map(is_none) {
            [false, false, false] => NearRegion::Face,
            [false, false, true] => NearRegion::Edge(0),
            [true, false, false] => NearRegion::Edge(1),
            [false, true, false] => NearRegion::Edge(2),
            [false, true, true] => NearRegion::Vertex(0),
            [true, false, true] => NearRegion::Vertex(1),
            [true, true, _] => NearRegion::Vertex(2),
        };
        [NearRegion::Vertex(0), face]
    }
}

/// Where pairs go.
pub(super) trait Collector: Send {
    fn offer(&mut self, near: &Near);
}

/// What all threads of a search share.
pub(super) struct NearSearch<'a> {
    pub(super) bodies: [NearBody<'a>; 2],
    pub(super) itself: bool,
    pub(super) placement: &'a Placement,
    rule: &'a NearRule<'a>,
    /// No near features are farther apart.
    pub(super) limit: f32,
    limit_squared: f32,
    /// The largest coordinate.
    pub(super) magnitude: f32,
}

impl<'a> NearSearch<'a> {
    pub(super) fn between(
        bodies: [NearBody<'a>; 2],
        placement: &'a Placement,
        rule: &'a NearRule<'a>,
    ) -> Self {
        Self::new(bodies, false, placement, rule)
    }

    pub(super) fn inside(body: NearBody<'a>, still: &'a Placement, rule: &'a NearRule<'a>) -> Self {
        Self::new([body; 2], true, still, rule)
    }

    fn new(
        bodies: [NearBody<'a>; 2],
        itself: bool,
        placement: &'a Placement,
        rule: &'a NearRule<'a>,
    ) -> Self {
        let most = rule.thickness.most();
        let largest = |bvh: &Bvh| {
            let bounds = bvh.bounds();
            bounds.min.abs().max(bounds.max.abs()).max_element()
        };
        let shift = placement
            .motion()
            .map_or(0.0, |motion| motion.translation.abs().max_element() as f32);
        // Turned coordinates grow by the square root of three at most.
        let magnitude =
            largest(bodies[0].body.bvh) + 2.0 * largest(bodies[1].body.bvh) + 2.0 * shift;
        Self {
            bodies,
            itself,
            placement,
            rule,
            limit: round_up(most),
            // Covers the rounding of the box distances.
            limit_squared: round_up(most * most * (1.0 + 2e-6) + f64::from(f32::MIN_POSITIVE)),
            magnitude,
        }
    }

    /// Hands all near pairs to collectors, on all cores.
    pub(super) fn run<C: Collector>(&self, collector: impl Fn() -> C + Sync + Send) -> Vec<C> {
        if self.limit == 0.0 {
            return Vec::new();
        }
        let [a, b] = self.bodies.map(|of| of.body.bvh);
        // A thread that begins takes on a part that rests, with the leaves that it has: making room for them takes longer than a small task.
        let resting = Mutex::new(Vec::new());
        let locked = || resting.lock().unwrap_or_else(PoisonError::into_inner);
        let take = || locked().pop();
        let with_part = |work: &dyn Fn(&mut NearPart<C>)| {
            let mut part = take().unwrap_or_else(|| NearPart::new(self, collector()));
            work(&mut part);
            part.examine();
            memory::add(&mut locked(), part);
        };
        if self.itself {
            subtrees(a)
                .par_iter()
                .for_each(|subtree| with_part(&|part| part.inside(a, subtree)));
        } else {
            split(a, b, self.placement, self.limit_squared, 256)
                .par_chunks(8)
                .for_each(|starts| {
                    with_part(&|part| walk(a, b, self.placement, starts, part));
                });
        }
        let parts = std::mem::take(&mut *locked());
        parts.into_iter().map(|part| part.collector).collect()
    }

    #[inline(always)]
    fn position(&self, side: usize, vertex: u32) -> DVec3 {
        let p = self.bodies[side].body.surface.positions.at(vertex);
        if side == 0 {
            p
        } else {
            self.placement.point(p)
        }
    }

    /// The corners of a pair, the vertex or those of the lower edge first, and which body each is of.
    #[inline(always)]
    fn corners(&self, candidate: NearCandidate) -> ([u32; 4], [usize; 4]) {
        let [a, b] = &self.bodies;
        let [first, second] = candidate.ids;
        let face = |of: &NearBody, t: u32| of.body.surface.triangles[t as usize];
        let edge = |of: &NearBody, e: u32| of.representatives.edges.ends[e as usize];
        let (corners, mut sides) = match candidate.kind {
            NearKind::VertexFace => {
                let [x, y, z] = face(b, second);
                ([first, x, y, z], [0, 1, 1, 1])
            }
            NearKind::FaceVertex => {
                let [x, y, z] = face(a, first);
                ([second, x, y, z], [1, 0, 0, 0])
            }
            NearKind::EdgeEdge => {
                let ([p, q], [r, s]) = (edge(a, first), edge(b, second));
                ([p, q, r, s], [0, 0, 1, 1])
            }
        };
        if self.itself {
            sides = [0; 4];
        }
        (corners, sides)
    }

    /// Measures a pair, and decides whether it counts.
    #[inline]
    fn decide(&self, candidate: NearCandidate, rings: &mut Option<RingCache>) -> Option<Near> {
        let (corners, sides) = self.corners(candidate);
        let kind = match candidate.kind {
            NearKind::EdgeEdge => FeatureKind::EdgeEdge,
            _ => FeatureKind::VertexFace,
        };
        let split = if kind == FeatureKind::EdgeEdge { 2 } else { 1 };
        let exclusions = &self.rule.exclusions;
        if exclusions.excludes_corners(&corners, &sides, split, rings) {
            return None;
        }
        let at = |k: usize| self.position(sides[k], corners[k]);
        let closest = measured(kind, &[at(0), at(1), at(2), at(3)]);
        let thickness = self
            .rule
            .thickness
            .of_pair(&corners, &sides, &closest.weights);
        let is_near = closest.squared < thickness * thickness;
        if !is_near {
            return None;
        }
        let near = Near {
            candidate,
            corners,
            sides,
            squared: closest.squared,
            weights: closest.weights,
            apart: closest.apart.into(),
        };
        let excluded = exclusions.excludes_near(&near, kind, self.rule);
        (!excluded).then_some(near)
    }
}

/// A node of a hierarchy, with all below it or without.
struct Subtree {
    root: u32,
    whole: bool,
}

/// Subtrees that are searched at one time, if the hierarchy is deep enough for so many.
const SUBTREES: usize = 64;

/// Cuts a hierarchy into subtrees and the nodes above them.
fn subtrees(bvh: &Bvh) -> Vec<Subtree> {
    let mut parts = memory::room(2 * SUBTREES * WIDTH);
    for level in bvh.levels() {
        let whole = level.len() >= SUBTREES;
        level
            .clone()
            .for_each(|root| memory::add(&mut parts, Subtree { root, whole }));
        if whole {
            break;
        }
    }
    parts
}

/// Two leaves whose boxes are near.
pub(super) struct LeafPair(pub(super) [LeafTriangles; 2]);

/// Leaf pairs that are gathered before they are examined.
const GATHERED: usize = 256;

/// What one thread does of a search.
struct NearPart<'a, C> {
    search: &'a NearSearch<'a>,
    gathered: Vec<LeafPair>,
    caches: [LeafCache; 2],
    candidates: Vec<NearCandidate>,
    rings: Option<RingCache<'a>>,
    collector: C,
}

impl<'a, C: Collector> NearPart<'a, C> {
    fn new(search: &'a NearSearch<'a>, collector: C) -> Self {
        Self {
            search,
            gathered: Vec::with_capacity(GATHERED),
            caches: [0, 1].map(|side| {
                let triangles = search.bodies[side].body.surface.triangles.len();
                match (search.itself, side) {
                    (false, _) => LeafCache::new(triangles, 512),
                    (true, 0) => LeafCache::new(triangles, 1024),
                    (true, _) => LeafCache::new(0, 8),
                }
            }),
            candidates: Vec::new(),
            rings: (search.rule.exclusions.rings)
                .map(|(rings, neighbours)| RingCache::new(rings, neighbours)),
            collector,
        }
    }

    /// The pairs that a part of one hierarchy answers for. What lies together is compared at one time, so that its leaves are kept.
    fn inside(&mut self, bvh: &Bvh, part: &Subtree) {
        let mut stack = vec![part.root];
        let mut starts = Vec::new();
        while let Some(index) = stack.pop() {
            interrupt::check();
            let node = &bvh.nodes()[index as usize];
            for slot in 0..WIDTH {
                match node.child(slot) {
                    Child::Leaf(start, count) => {
                        let leaf = bvh.leaf(start, count);
                        self.leaves(leaf, leaf);
                    }
                    Child::Node(below) if part.whole => memory::add(&mut stack, below),
                    _ => {}
                }
            }
            starts.clear();
            sibling_pairs(node, index, self.search.limit_squared, &mut starts);
            walk(bvh, bvh, self.search.placement, &starts, self);
        }
    }

    /// Examines what was gathered.
    fn examine(&mut self) {
        dispatch(LeafFilter {
            search: self.search,
            pairs: &self.gathered,
            caches: &mut self.caches,
            candidates: &mut self.candidates,
        });
        self.gathered.clear();
        for candidate in self.candidates.drain(..) {
            if let Some(near) = self.search.decide(candidate, &mut self.rings) {
                self.collector.offer(&near);
            }
        }
    }
}

impl<C: Collector> Visitor for NearPart<'_, C> {
    const NEAREST_FIRST: bool = false;

    fn limit_squared(&self) -> f32 {
        self.search.limit_squared
    }

    fn leaves(&mut self, a: &[u32], b: &[u32]) {
        // Place by place, because a copy of any length would be a call.
        let place = |items: &[u32], k: usize| items.get(k).copied().unwrap_or(NO_TRIANGLE);
        let copy = |items: &[u32]| std::array::from_fn(|k| place(items, k));
        self.gathered.push(LeafPair([copy(a), copy(b)]));
        if self.gathered.len() >= GATHERED {
            self.examine();
        }
    }
}
