//! The volume that two closed bodies share, from their own triangles, without building the intersection.
//!
//! The boundary of what they share is the part of each surface that the other body encloses. Within a face that part is bounded by segments
//! where faces of the other body cross it and by stretches of the face's own edges (after W. R. Franklin, who computes such properties
//! from local pieces). Every integral over it is a sum over triangles from the face's first corner to these segments and
//! stretches, counted with signs, so nothing has to be sorted or joined up. What crosses what is decided exactly and without
//! ties (`triangle::perturbed`); only the places of crossings are rounded.
//!
//! Bodies that overlap themselves count as often as they enclose a place: the volume is the integral of the product of both winding numbers.

mod body;
mod boundary;
mod chain;
mod crossings;
mod curves;
mod gradients;
mod levels;
mod outline;
mod polygon;
mod regions;
#[cfg(test)]
mod tests;

pub use body::BodyTopology;
pub use boundary::{BooleanOperation, BoundaryMesh, BoundaryTriangle};
pub use chain::ChainSums;
pub use curves::{CurvePoint, IntersectionCurve};
pub use regions::{ConnectedParts, IntersectionRegion};

use crate::geometry::bounded::TooMany;
use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::pairs::intersecting_pairs;
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::perturbed::Owner;
use crate::geometry::triangle::predicates::normal_of;
use crate::memory::{Gather, ParallelGather};
use body::WeldedBody;
use chain::BoundaryCorner;
use crossings::{CrossedPair, EdgeCrossing, edge_crossings};
use glam::DVec3;
use levels::Levels;
use rayon::prelude::*;

/// What two bodies share. Positions are from `origin`.
#[derive(Clone, Debug)]
pub struct SharedVolume {
    /// What positions are relative to, in the frame of the first body.
    pub origin: DVec3,
    /// Over the parts of the first and of the second surface inside the other body; together they are the boundary.
    pub sums: [ChainSums; 2],
    /// Areas of those parts.
    pub areas: [f64; 2],
    /// The length of the curve where the surfaces cross.
    pub curve_length: f64,
    /// Pairs of triangles that cross.
    pub crossings: u64,
    /// Edges of the first and of the second body along which inside and outside do not agree: the other body is not closed.
    pub disagreeing: [u64; 2],
    /// Additions in a row, at most.
    additions: f64,
}

impl SharedVolume {
    /// The volume, and how far the exact one can be from it.
    pub fn volume(&self) -> (f64, f64) {
        let [a, b] = &self.sums;
        let size = a.volume_size + b.volume_size;
        let adding = self.additions * f64::EPSILON * size;
        (
            a.volume + b.volume,
            a.volume_error + b.volume_error + adding,
        )
    }
}

/// What is added up by one thread, so that the order of additions does not depend on their number.
const PORTION: usize = 512;

/// How the surfaces of two bodies cross, and which vertices of each the other encloses: all integrals follow from it.
pub struct Intersection {
    /// What positions are relative to, in the frame of the first body: the middle of where both boxes are.
    origin: DVec3,
    sides: [WeldedBody; 2],
    crossed: Vec<CrossedPair>,
    /// Where the edges of each body cross the other.
    crossings: [Vec<EdgeCrossing>; 2],
    levels: [Levels; 2],
}

impl Intersection {
    /// Of two bodies that should be closed; `placement` puts the second in the frame of the first. `closed` is known of bodies that their indices close.
    pub fn of(
        a: FittedSurface,
        b: FittedSurface,
        placement: &Placement,
        closed: [Option<BodyTopology>; 2],
    ) -> Result<Self, TooMany> {
        let pairs = intersecting_pairs(a, b, placement, usize::MAX)?;
        let [closed_a, closed_b] = closed;
        let (first, second) = rayon::join(
            || WeldedBody::new(Owner::First, a.surface, &Placement::default(), closed_a),
            || WeldedBody::new(Owner::Second, b.surface, placement, closed_b),
        );
        let sides = [first, second];
        let low = sides[0].bounds.0.max(sides[1].bounds.0);
        let high = sides[0].bounds.1.min(sides[1].bounds.1);
        let middle = 0.5 * (low + high);
        let crossed_of = |pair: &[u32; 2]| CrossedPair::of(&sides, *pair);
        let crossed: Vec<CrossedPair> = (pairs.par_chunks(PORTION))
            .map(|part| part.iter().filter_map(crossed_of).gather())
            .par_gather()
            .into_iter()
            .flatten()
            .gather();
        let crossed_by = |own: usize| {
            let crossings = edge_crossings(&sides[own], &crossed, own);
            let levels = Levels::new(&sides[own], &sides[1 - own], &crossings);
            (crossings, levels)
        };
        let (first, second) = rayon::join(|| crossed_by(0), || crossed_by(1));
        let (crossings, levels) = ([first.0, second.0], [first.1, second.1]);
        Ok(Self {
            origin: if middle.is_finite() {
                middle
            } else {
                DVec3::ZERO
            },
            sides,
            crossed,
            crossings,
            levels,
        })
    }

    /// What positions of its sums are relative to, in the frame of the first body.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Edges of the first and of the second body along which inside and outside of the other do not agree.
    pub fn disagreeing(&self) -> [u64; 2] {
        [0, 1].map(|own| self.levels[own].disagreeing)
    }

    /// What is added up.
    fn items(&self) -> usize {
        let [a, b] = [0, 1].map(|own| self.sides[own].triangles.len());
        self.crossed.len() + a + b
    }

    /// What the bodies share.
    pub fn shared_volume(&self) -> SharedVolume {
        let mut shared = SharedVolume {
            origin: self.origin,
            sums: Default::default(),
            areas: [0.0; 2],
            curve_length: 0.0,
            crossings: self.crossed.len() as u64,
            disagreeing: self.disagreeing(),
            additions: (2 * PORTION + 8 + self.items() / PORTION) as f64,
        };
        for part in in_order(&self.crossed, |part: &mut CrossedSums, crossed| {
            crossed.add_to(part, &self.sides, self.origin)
        }) {
            for own in 0..2 {
                shared.sums[own] += part.sums[own];
                shared.areas[own] += part.areas[own];
            }
            shared.curve_length += part.curve_length;
        }
        for own in 0..2 {
            for (sums, area) in self.uncut_sums(own) {
                shared.sums[own] += sums;
                shared.areas[own] += area;
            }
        }
        shared
    }

    /// Over whole faces, as often as their second corner is enclosed. What is too much or too little of faces that are crossed, their
    /// crossings mend.
    fn uncut_sums(&self, own: usize) -> Vec<(ChainSums, f64)> {
        let (side, levels) = (&self.sides[own], &self.levels[own].of_vertices);
        in_order(&side.triangles, |part: &mut (ChainSums, f64), corners| {
            let level = f64::from(levels[corners[1] as usize]);
            if level != 0.0 {
                let corners = corners.map(|v| side.points[v as usize]);
                part.0.add(
                    level,
                    corners.map(|p| BoundaryCorner::vertex(p, self.origin)),
                );
                part.1 += level * area(&corners);
            }
        })
    }
}

/// Adds up items in portions on all threads; the sums of the portions in their order.
fn in_order<T: Sync, S: Default + Send>(
    items: &[T],
    add: impl Fn(&mut S, &T) + Sync + Send,
) -> Vec<S> {
    (items.par_chunks(PORTION))
        .map(|portion| {
            let mut sum = S::default();
            portion.iter().for_each(|item| add(&mut sum, item));
            sum
        })
        .par_gather()
}

fn area([a, b, c]: &Triangle) -> f64 {
    0.5 * normal_of(b - a, c - a).length()
}

/// A triangle in the plane of a face, and how often it counts.
type FacePiece = (f64, [BoundaryCorner; 3]);

#[derive(Default)]
struct CrossedSums {
    sums: [ChainSums; 2],
    areas: [f64; 2],
    curve_length: f64,
}

impl CrossedPair {
    /// What the triangles' segment, and the edges that it ends at, add to the inner part of a face: triangles from its first corner, in the face's plane,
    /// and how often each counts.
    fn pieces(&self, own: usize, corners: &Triangle, origin: DVec3) -> Vec<FacePiece> {
        let vertex = |k: usize| BoundaryCorner::vertex(corners[k], origin);
        let mut pieces = Vec::with_capacity(3);
        if let Some(segment) = self.segment() {
            let [start, end] = segment.map(|corner| corner.seen_from(origin));
            let [from, to] = if own == 0 { [start, end] } else { [end, start] };
            pieces.push((1.0, [vertex(0), from, to]));
        }
        for piercing in self.piercings[own].iter().flatten() {
            // Only the side opposite to the first corner makes a triangle with it.
            if piercing.side == 1 {
                let at = piercing.at.seen_from(origin);
                pieces.push((f64::from(piercing.change), [vertex(0), at, vertex(2)]));
            }
        }
        pieces
    }

    fn add_to(&self, part: &mut CrossedSums, sides: &[WeldedBody; 2], origin: DVec3) {
        if let Some([start, end]) = self.segment() {
            part.curve_length += start.at.distance(end.at);
        }
        for (own, side) in sides.iter().enumerate() {
            let corners = side.corners(self.triangles[own]);
            let unit =
                normal_of(corners[1] - corners[0], corners[2] - corners[0]).normalize_or_zero();
            let before = part.sums[own].area_vector;
            for (times, piece) in self.pieces(own, &corners, origin) {
                part.sums[own].add(times, piece);
            }
            part.areas[own] += unit.dot(part.sums[own].area_vector - before);
        }
    }
}
