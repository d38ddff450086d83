//! One thread's share of a search: the features of two near triangles, and when they meet.

use super::super::pair::{FeatureKind, FeatureMeeting, MovingPair};
use super::super::velocity_bounds::VelocityBounds;
use super::collectors::ImpactCollector;
use super::search::ImpactSearch;
use super::swept::{FeatureMasks, Swept, SweptBoxes, bits, edge_edge, vertex_face};
use super::{Features, Impact};
use crate::geometry::hierarchy::bvh::{Bvh, Child, Node};
use crate::geometry::hierarchy::dual::{Branch, Visitor};
use crate::geometry::hierarchy::leaf::LeafBoxes;
use crate::geometry::self_collision::Cleared;
use crate::geometry::simd::WIDTH;
use crate::geometry::triangle::intersection::triangles_intersect;
use glam::DVec3;

/// What one thread does of a search.
pub(super) struct SearchPart<'a, C> {
    pub(super) search: &'a ImpactSearch<'a>,
    /// Of one surface: what cannot meet itself.
    pub(super) cleared: Option<&'a Cleared>,
    /// Of one surface: how its parts move.
    pub(super) velocities: Option<&'a VelocityBounds>,
    pub(super) collector: C,
}

impl<C: ImpactCollector> SearchPart<'_, C> {
    pub(super) fn inside_leaves(&mut self, bvh: &Bvh, node: &Node) {
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
    pub(super) fn gives_up(&self) -> bool {
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
