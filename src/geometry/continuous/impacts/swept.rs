//! Two triangles on their way through a slice of time, and which of their features may meet.

use super::super::moving::{Moving, Slice};
use super::super::pair::{FeatureKind, MovingPair};
use crate::geometry::aabb::Aabb;
use glam::DVec3;

/// The boxes of a triangle's features on their way through a slice.
pub(super) struct SweptBoxes {
    pub(super) corners: [u32; 3],
    pub(super) of_corners: [Aabb; 3],
}

impl SweptBoxes {
    #[inline(always)]
    pub(super) fn new(surface: &Moving, slice: &Slice, triangle: u32) -> Self {
        let corners = surface.from.triangles[triangle as usize];
        let [a, b, c] = corners;
        Self {
            corners,
            of_corners: [
                slice.corner_box(a),
                slice.corner_box(b),
                slice.corner_box(c),
            ],
        }
    }

    #[inline(always)]
    pub(super) fn of_side(&self, k: usize) -> Aabb {
        self.of_corners[k].union(self.of_corners[(k + 1) % 3])
    }
}

/// Features of two triangles that may meet: their boxes do, they have no vertex in common, and these triangles answer for them.
#[derive(Default)]
pub(super) struct FeatureMasks {
    /// Bit `k`: corner `k` of the first triangle and the second triangle.
    pub(super) vertex_face: u8,
    /// Bit `k`: the first triangle and corner `k` of the second.
    pub(super) face_vertex: u8,
    /// Bit `m` of row `k`: side `k` of the first and side `m` of the second.
    pub(super) edges: [u8; 3],
}

impl FeatureMasks {
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        (self.vertex_face | self.face_vertex | self.edges[0] | self.edges[1] | self.edges[2]) == 0
    }
}

/// The bits that are set, from 0 to 2.
pub(super) fn bits(mask: u8) -> impl Iterator<Item = usize> {
    (0..3).filter(move |k| mask >> k & 1 == 1)
}

/// A triangle on its way through a slice.
pub(super) struct Swept {
    pub(super) corners: [u32; 3],
    pub(super) start: [DVec3; 3],
    pub(super) end: [DVec3; 3],
}

impl Swept {
    #[inline(always)]
    pub(super) fn new(surface: &Moving, corners: [u32; 3]) -> Self {
        let start = |k: usize| surface.from.positions.at(corners[k]);
        let end = |k: usize| surface.to.at(corners[k]);
        Self {
            corners,
            start: [start(0), start(1), start(2)],
            end: [end(0), end(1), end(2)],
        }
    }

    /// The corners of a side, the lower vertex first.
    #[inline(always)]
    pub(super) fn side(&self, k: usize) -> [usize; 2] {
        let next = (k + 1) % 3;
        if self.corners[k] < self.corners[next] {
            [k, next]
        } else {
            [next, k]
        }
    }
}

#[inline(always)]
pub(super) fn vertex_face(of: &Swept, k: usize, face: &Swept) -> MovingPair {
    let with = |p: &[DVec3; 3], q: &[DVec3; 3]| [p[k], q[0], q[1], q[2]];
    MovingPair {
        kind: FeatureKind::VertexFace,
        start: with(&of.start, &face.start),
        end: with(&of.end, &face.end),
    }
}

#[inline(always)]
pub(super) fn edge_edge(
    a: &Swept,
    [i, j]: [usize; 2],
    b: &Swept,
    [k, m]: [usize; 2],
) -> MovingPair {
    let with = |p: &[DVec3; 3], q: &[DVec3; 3]| [p[i], p[j], q[k], q[m]];
    MovingPair {
        kind: FeatureKind::EdgeEdge,
        start: with(&a.start, &b.start),
        end: with(&a.end, &b.end),
    }
}
