//! The boundary of what two bodies share, of what only one has, or of both together: pieces of both surfaces.
//!
//! Faces that nothing crosses stay as they are; the others are cut along the segments that they share with faces of the other body. Pieces on both sides of
//! an edge or of the curve have the same corners there, so the boundary is as closed as the bodies are.

use super::outline::{FacePlane, Outline, RimPart, SurfacePart};
use super::{ConnectedParts, Intersection, polygon};
use crate::memory;
use glam::DVec3;

/// What is made of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BooleanOperation {
    /// What both have.
    Intersection,
    /// What one or both have.
    Union,
    /// What the first has and the second has not.
    Difference,
}

impl BooleanOperation {
    /// The part of each surface that bounds it, and whether it is turned inside out.
    fn parts(self) -> [(SurfacePart, bool); 2] {
        match self {
            Self::Intersection => [(SurfacePart::Inner, false); 2],
            Self::Union => [(SurfacePart::Outer, false); 2],
            Self::Difference => [(SurfacePart::Outer, false), (SurfacePart::Inner, true)],
        }
    }
}

/// A triangle of a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundaryTriangle {
    /// Its corners, counter-clockwise from outside.
    pub corners: [u32; 3],
    /// The body that it is a piece of: 0 or 1.
    pub body: u32,
    /// The triangle of that body.
    pub face: u32,
    /// The region that it bounds; `ConnectedParts::NONE` where that was not asked for.
    pub region: u32,
}

/// Why there is no boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotClosed {
    /// Edges of the first and of the second body along which inside and outside of the other do not agree.
    pub disagreeing: [u64; 2],
}

/// A closed surface made of pieces of two.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundaryMesh {
    /// Its corners, in the first body's frame.
    pub positions: Vec<DVec3>,
    /// Its triangles.
    pub triangles: Vec<BoundaryTriangle>,
}

impl Intersection {
    /// The boundary of a Boolean operation, unless a body is not closed where the other crosses it. With the regions of the intersection, triangles of
    /// its boundary are told which one they bound.
    pub fn boundary(
        &self,
        operation: BooleanOperation,
        regions: Option<&ConnectedParts>,
    ) -> Result<BoundaryMesh, NotClosed> {
        let not_closed = || NotClosed {
            disagreeing: self.disagreeing(),
        };
        if self.disagreeing() != [0, 0] {
            return Err(not_closed());
        }
        let outline = self.outline();
        let mut triangles = Vec::new();
        for (own, (part, is_turned)) in operation.parts().into_iter().enumerate() {
            let mut add = |face: u32, [a, b, c]: [u32; 3]| {
                let triangle = BoundaryTriangle {
                    corners: if is_turned { [a, c, b] } else { [a, b, c] },
                    body: own as u32,
                    face,
                    region: regions
                        .map_or(ConnectedParts::NONE, |known| known.of_corners[a as usize]),
                };
                memory::add(&mut triangles, triangle);
            };
            for (face, pairs) in outline.faces(own) {
                let lines = lines(&outline.rims(own, face, pairs, part));
                let loops = polygon::loops(&lines).ok_or_else(not_closed)?;
                let flat = FacePlane::of(&self.sides[own].corners(face));
                let at = |corner: u32| flat.point(outline.seen_from_origin(corner).at);
                for piece in polygon::triangles(loops, at) {
                    add(face, piece);
                }
            }
            for face in outline.uncrossed_faces(own) {
                let vertices = self.sides[own].triangles[face as usize];
                let level = self.levels[own].of_vertices[vertices[0] as usize];
                let times = match part {
                    SurfacePart::Inner => level,
                    SurfacePart::Outer => 1 - level,
                };
                let [a, b, c] = vertices.map(|vertex| outline.vertex(own, vertex));
                for _ in 0..times.unsigned_abs() {
                    add(face, if times > 0 { [a, b, c] } else { [a, c, b] });
                }
            }
        }
        Ok(compacted(&outline, triangles))
    }
}

/// Each line as often as it counts.
fn lines(rims: &[RimPart]) -> Vec<[u32; 2]> {
    let mut lines = Vec::new();
    for rim in rims {
        let [from, to] = rim.corners;
        for _ in 0..rim.level.unsigned_abs() {
            memory::add(
                &mut lines,
                if rim.level > 0 {
                    [from, to]
                } else {
                    [to, from]
                },
            );
        }
    }
    lines
}

/// Only the corners that are used.
fn compacted(outline: &Outline, mut triangles: Vec<BoundaryTriangle>) -> BoundaryMesh {
    const UNUSED: u32 = u32::MAX;
    let mut numbers = memory::filled(UNUSED, outline.corners());
    for triangle in &triangles {
        for corner in triangle.corners {
            numbers[corner as usize] = 0;
        }
    }
    let mut positions = Vec::new();
    for (corner, number) in (0..).zip(&mut numbers) {
        if *number != UNUSED {
            *number = positions.len() as u32;
            memory::add(&mut positions, outline.at(corner).at);
        }
    }
    for triangle in &mut triangles {
        triangle.corners = triangle.corners.map(|corner| numbers[corner as usize]);
    }
    BoundaryMesh {
        positions,
        triangles,
    }
}
