//! The corners of what two bodies share, and the rims of the inner parts of faces.
//!
//! Its corners are vertices that the other body encloses and places where edges cross faces. Within a face, its inner part has rims of segments, where
//! faces of the other body cross it, and of stretches of its own edges.

use super::Intersection;
use super::chain::{BoundaryCorner, FaceNormal};
use super::crossings::{CrossedPair, on_edge};
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::predicates::normal_of;
use crate::interrupt;
use crate::memory::{self, Gather};
use glam::{DVec2, DVec3};

/// Which part of a surface.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SurfacePart {
    /// What the other body encloses.
    Inner,
    /// All the rest of it.
    Outer,
}

/// A line from corner to corner.
#[derive(Clone, Copy)]
pub(super) struct RimPart {
    pub(super) corners: [u32; 2],
    /// How often it counts; below zero, in the other direction.
    pub(super) level: i32,
}

/// Numbers for all corners, and the crossed faces in order.
pub(super) struct OutlineIndex {
    /// What the corners of each kind are counted from: vertices of both bodies, then crossings of the edges of both; and where they end.
    starts: [u32; 5],
    /// The corners at the ends of the segment that each crossed pair shares, in its direction.
    segments: Vec<Option<[u32; 2]>>,
    /// The pairs that cross, by the face of each body.
    by_face: [Vec<u32>; 2],
}

/// All corners by their numbers.
#[derive(Clone, Copy)]
pub(super) struct Outline<'a> {
    pub(super) of: &'a Intersection,
    index: &'a OutlineIndex,
}

impl OutlineIndex {
    fn new(of: &Intersection) -> Self {
        let counts = [
            of.sides[0].points.len(),
            of.sides[1].points.len(),
            of.crossings[0].len(),
            of.crossings[1].len(),
        ];
        let mut starts = [0; 5];
        for kind in 0..4 {
            starts[kind + 1] = starts[kind] + counts[kind] as u32;
        }
        let by_face = [0, 1].map(|own| {
            let mut order = (0..of.crossed.len() as u32).gather();
            order.sort_unstable_by_key(|pair| (of.crossed[*pair as usize].triangles[own], *pair));
            order
        });
        let segments = (of.crossed.iter())
            .map(|pair| segment(of, &starts, pair))
            .gather();
        Self {
            starts,
            segments,
            by_face,
        }
    }
}

fn segment(of: &Intersection, starts: &[u32; 5], pair: &CrossedPair) -> Option<[u32; 2]> {
    let [start, end] = pair.ends()?.map(|(own, piercing)| {
        let edge = of.sides[own].side_of(pair.triangles[own], piercing.side.into());
        let all = &of.crossings[own];
        let mut among = on_edge(all, edge);
        let at = among.find(|at| all[*at].face == pair.triangles[1 - own])?;
        Some(starts[2 + own] + at as u32)
    });
    Some([start?, end?])
}

impl Intersection {
    /// Its corners and rims.
    pub(super) fn outline(&self) -> Outline<'_> {
        Outline {
            of: self,
            index: self.outline.get_or_init(|| OutlineIndex::new(self)),
        }
    }
}

/// A corner by what it is.
#[derive(Clone, Copy)]
pub(super) enum CornerKind {
    /// A vertex of a body.
    Vertex(usize, u32),
    /// A crossing among those of the edges of a body.
    Crossing(usize, usize),
}

impl<'a> Outline<'a> {
    /// How many numbers there are. Vertices that nothing encloses have one too.
    pub(super) fn corners(&self) -> usize {
        self.index.starts[4] as usize
    }

    pub(super) fn vertex(&self, own: usize, vertex: u32) -> u32 {
        self.index.starts[own] + vertex
    }

    pub(super) fn kind(&self, corner: u32) -> CornerKind {
        let starts = &self.index.starts;
        let kind = starts[1..4].partition_point(|start| *start <= corner);
        let at = corner - starts[kind];
        match kind {
            0 | 1 => CornerKind::Vertex(kind, at),
            _ => CornerKind::Crossing(kind - 2, at as usize),
        }
    }

    /// Where a corner is, in the first body's frame.
    pub(super) fn at(&self, corner: u32) -> BoundaryCorner {
        match self.kind(corner) {
            CornerKind::Vertex(own, vertex) => BoundaryCorner {
                at: self.of.sides[own].points[vertex as usize],
                error: 0.0,
            },
            CornerKind::Crossing(own, at) => self.of.crossings[own][at].at,
        }
    }

    /// [`Self::at`], from the intersection's origin.
    pub(super) fn seen_from_origin(&self, corner: u32) -> BoundaryCorner {
        self.at(corner).seen_from(self.of.origin)
    }

    /// The corners that the intersection has: vertices that are enclosed, and all crossings.
    pub(super) fn shared_corners(self) -> impl Iterator<Item = u32> + 'a {
        let enclosed = (0..2).flat_map(move |own| {
            let levels = (0..).zip(&self.of.levels[own].of_vertices);
            levels
                .filter(|(_, level)| **level != 0)
                .map(move |(vertex, _)| self.vertex(own, vertex))
        });
        enclosed.chain(self.index.starts[2]..self.index.starts[4])
    }

    /// The corners at the ends of the segments that pairs share, in their direction.
    pub(super) fn segments(&self) -> &'a [Option<[u32; 2]>] {
        &self.index.segments
    }

    /// The stretches of an edge in a part of the surface, on the way up.
    pub(super) fn stretches(&self, own: usize, edge: [u32; 2], part: SurfacePart) -> Vec<RimPart> {
        let mut level = self.of.levels[own].of_vertices[edge[0] as usize];
        let mut last = self.vertex(own, edge[0]);
        let mut found = Vec::new();
        let crossings = on_edge(&self.of.crossings[own], edge).map(|at| {
            let corner = self.index.starts[2 + own] + at as u32;
            (corner, self.of.crossings[own][at].up)
        });
        for (next, up) in crossings.chain([(self.vertex(own, edge[1]), 0)]) {
            let level_there = match part {
                SurfacePart::Inner => level,
                SurfacePart::Outer => 1 - level,
            };
            if level_there != 0 {
                let stretch = RimPart {
                    corners: [last, next],
                    level: level_there,
                };
                memory::add(&mut found, stretch);
            }
            level += up;
            last = next;
        }
        found
    }

    /// All of the rims of a part of a face that these pairs cross, in the face's own direction.
    pub(super) fn rims(
        &self,
        own: usize,
        face: u32,
        pairs: &[u32],
        part: SurfacePart,
    ) -> Vec<RimPart> {
        let mut rims = Vec::new();
        // The inner part of a face of the first body is on the left of the segments.
        let is_turned = (own == 1) != (part == SurfacePart::Outer);
        let segments = (pairs.iter()).filter_map(|p| self.index.segments[*p as usize]);
        for [start, end] in segments {
            let corners = if is_turned {
                [end, start]
            } else {
                [start, end]
            };
            memory::add(&mut rims, RimPart { corners, level: 1 });
        }
        let corners = self.of.sides[own].triangles[face as usize];
        for (k, from) in corners.into_iter().enumerate() {
            let edge = self.of.sides[own].side_of(face, k);
            for stretch in self.stretches(own, edge, part) {
                let [low, high] = stretch.corners;
                let is_upwards = edge[0] == from;
                let corners = if is_upwards { [low, high] } else { [high, low] };
                memory::add(&mut rims, RimPart { corners, ..stretch });
            }
        }
        rims
    }

    /// The faces of a body that are crossed, and the pairs of each.
    pub(super) fn faces(&self, own: usize) -> impl Iterator<Item = (u32, &[u32])> {
        let face = move |pair: &u32| self.of.crossed[*pair as usize].triangles[own];
        (self.index.by_face[own].chunk_by(move |a, b| face(a) == face(b)))
            .map(move |pairs| (face(&pairs[0]), pairs))
    }

    /// The pairs of a face of a body.
    pub(super) fn pairs_of(&self, own: usize, face: u32) -> &'a [u32] {
        let all = &self.index.by_face[own];
        let face_of = |pair: &u32| self.of.crossed[*pair as usize].triangles[own];
        let first = all.partition_point(|pair| face_of(pair) < face);
        let count = all[first..].partition_point(|pair| face_of(pair) == face);
        &all[first..first + count]
    }

    /// The faces of a body that nothing crosses.
    pub(super) fn uncrossed_faces(&self, own: usize) -> Vec<u32> {
        let count = self.of.sides[own].triangles.len();
        let mut is_crossed = memory::filled(false, count);
        for (face, _) in self.faces(own) {
            is_crossed[face as usize] = true;
        }
        let all = (0..count as u32).zip(is_crossed);
        all.filter(|(_, crossed)| !crossed)
            .map(|(face, _)| face)
            .gather()
    }
}

/// A triangle in the plane of a face, of those that add up to the inner part of the face.
pub(super) struct InnerPiece {
    /// A corner of the rim that it is of.
    pub(super) corner: u32,
    /// How often it counts.
    pub(super) times: f64,
    /// Its corners, from the intersection's origin.
    pub(super) corners: [BoundaryCorner; 3],
    /// Of a face that is crossed, its normal; of others the triangle is all of the face.
    pub(super) normal: Option<FaceNormal>,
}

impl Outline<'_> {
    /// All triangles that the inner part of a surface is the sum of: of faces that are crossed, from their first corner to each part of the rims.
    pub(super) fn each_inner_piece(&self, own: usize, mut visit: impl FnMut(InnerPiece)) {
        let side = &self.of.sides[own];
        for (face, pairs) in self.faces(own) {
            interrupt::check();
            let normal = FaceNormal::of(&side.corners(face));
            let apex = self.seen_from_origin(self.vertex(own, side.triangles[face as usize][0]));
            for rim in self.rims(own, face, pairs, SurfacePart::Inner) {
                let [from, to] = rim.corners.map(|corner| self.seen_from_origin(corner));
                visit(InnerPiece {
                    corner: rim.corners[0],
                    times: rim.level.into(),
                    corners: [apex, from, to],
                    normal: Some(normal),
                });
            }
        }
        for face in self.uncrossed_faces(own) {
            let vertices = side.triangles[face as usize];
            let level = self.of.levels[own].of_vertices[vertices[0] as usize];
            if level != 0 {
                let corners = vertices.map(|v| self.vertex(own, v));
                visit(InnerPiece {
                    corner: corners[0],
                    times: level.into(),
                    corners: corners.map(|corner| self.seen_from_origin(corner)),
                    normal: None,
                });
            }
        }
    }
}

/// The plane of a face.
pub(super) struct FacePlane {
    along: [DVec3; 2],
}

impl FacePlane {
    pub(super) fn of([a, b, c]: &Triangle) -> Self {
        let normal = normal_of(b - a, c - a).normalize_or_zero();
        let first = normal.any_orthogonal_vector().normalize_or_zero();
        Self {
            along: [first, normal.cross(first)],
        }
    }

    pub(super) fn point(&self, p: DVec3) -> DVec2 {
        DVec2::new(self.along[0].dot(p), self.along[1].dot(p))
    }
}

/// Whether rims go round a point.
pub(super) fn encloses(rims: impl Iterator<Item = ([DVec2; 2], f64)>, point: DVec2) -> bool {
    let mut turns = 0.0;
    for ([from, to], level) in rims {
        let (from, to) = (from - point, to - point);
        turns += level * from.perp_dot(to).atan2(from.dot(to));
    }
    turns > std::f64::consts::PI
}
