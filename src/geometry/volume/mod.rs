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
mod cavities;
mod chain;
mod crossings;
mod curves;
mod gradients;
mod levels;
mod outline;
mod patches;
mod polygon;
mod regions;
mod shared;
#[cfg(test)]
mod tests;

pub use body::BodyTopology;
pub use boundary::{BooleanOperation, BoundaryMesh, BoundaryTriangle, NotClosed};
pub use chain::{ChainErrors, ChainSums};
pub use curves::{CurvePoint, IntersectionCurve};
pub use gradients::SurfaceGradient;
pub use patches::{PatchCorner, PatchFeature, RegionPatch};
pub use regions::{ConnectedParts, IntersectionRegion};
pub use shared::SharedVolume;

use crate::geometry::PORTION;
use crate::geometry::bounded::TooMany;
use crate::geometry::hierarchy::dual::{FittedSurface, PlacedSurface};
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::pairs::intersecting_pairs;
use crate::geometry::triangle::perturbed::Owner;
use crate::interrupt;
use crate::memory::{Gather, ParallelGather};
use body::WeldedBody;
use crossings::{CrossedPair, EdgeCrossing, edge_crossings};
use glam::DVec3;
use levels::Levels;
use outline::OutlineIndex;
use rayon::prelude::*;
use std::sync::OnceLock;

/// Two bodies in the frame of the first.
#[derive(Clone, Copy)]
pub struct PlacedPair<'a>([PlacedSurface<'a>; 2]);

impl<'a> PlacedPair<'a> {
    /// `placement` puts the second in the frame of the first.
    pub fn new(first: FittedSurface<'a>, second: FittedSurface<'a>, placement: Placement) -> Self {
        let still = Placement::default();
        Self(
            [(first, still), (second, placement)]
                .map(|(body, placement)| PlacedSurface { body, placement }),
        )
    }
}

/// How the surfaces of two bodies cross, and which vertices of each the other encloses: all integrals follow from it.
pub struct Intersection {
    /// What positions are relative to, in the frame of the first body: the middle of where both boxes are.
    origin: DVec3,
    /// No coordinate of a vertex is larger.
    size: f64,
    sides: [WeldedBody; 2],
    crossed: Vec<CrossedPair>,
    /// Where the edges of each body cross the other.
    crossings: [Vec<EdgeCrossing>; 2],
    levels: [Levels; 2],
    /// Made when it is first needed: volumes do without.
    outline: OnceLock<OutlineIndex>,
}

impl Intersection {
    /// Of two bodies that should be closed. `closed` is known of bodies that their indices close.
    pub fn of(pair: &PlacedPair, closed: [Option<BodyTopology>; 2]) -> Result<Self, TooMany> {
        let PlacedPair([a, b]) = pair;
        let pairs = intersecting_pairs(a.body, b.body, &b.placement, usize::MAX)?;
        let [closed_a, closed_b] = closed;
        let (first, second) = rayon::join(
            || WeldedBody::new(Owner::First, a, closed_a),
            || WeldedBody::new(Owner::Second, b, closed_b),
        );
        let sides = [first, second];
        let crossed_of = |pair: &[u32; 2]| CrossedPair::of(&sides, *pair);
        let crossed: Vec<CrossedPair> = (pairs.par_chunks(PORTION))
            .map(|part| {
                interrupt::check();
                part.iter().filter_map(crossed_of).gather()
            })
            .par_gather()
            .into_iter()
            .flatten()
            .gather();
        let crossed_by = |own: usize| {
            let crossings = edge_crossings(&sides[own], &crossed, own);
            let levels = Levels::new(&sides[own], &pair.0[1 - own], &crossings);
            (crossings, levels)
        };
        let (first, second) = rayon::join(|| crossed_by(0), || crossed_by(1));
        let [box_a, box_b] = [a.bounds(), b.bounds()];
        let (low, high) = (box_a.min.max(box_b.min), box_a.max.min(box_b.max));
        let middle = 0.5 * (low.as_dvec3() + high.as_dvec3());
        let farthest = [box_a.min, box_a.max, box_b.min, box_b.max].map(|p| p.abs().max_element());
        Ok(Self {
            origin: if middle.is_finite() {
                middle
            } else {
                DVec3::ZERO
            },
            size: farthest.into_iter().fold(0.0, f32::max).into(),
            crossings: [first.0, second.0],
            levels: [first.1, second.1],
            sides,
            crossed,
            outline: OnceLock::new(),
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

    /// Edges of each body that its own triangles do not pass as often one way as the other.
    pub fn unbalanced_edges(&self) -> [u64; 2] {
        [0, 1].map(|own| self.sides[own].unbalanced_edges)
    }
}
