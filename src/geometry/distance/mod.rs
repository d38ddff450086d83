//! The exact minimum distance of two triangle meshes, of any shape and in any position.
//!
//! Branch and bound over two hierarchies: it needs no margin between the surfaces, and it was the fastest. The first stage
//! of Gissler et al., bounds from the convex hulls, is here too; their second stage is
//! `geometry::comparators::margin_hash`.

pub mod gjk;

use crate::geometry::hierarchy::bvh::LEAF;
use crate::geometry::hierarchy::dual::{
    BranchPair, FittedSurface, Visitor, box_gap_squared, box_of, probe, walk,
};
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::rounding::round_up;
use crate::geometry::surface::Surface;
use crate::geometry::triangle::distance::{ClosestPair, triangle_distance};
use crate::memory::{self, Gather};
use gjk::{HullBounds, VertexSet, hull_bounds};
use glam::{DVec3, Vec3};

/// What to stop at and where to begin.
#[derive(Clone, Copy, Debug)]
pub struct DistanceOptions {
    /// Distances above this are of no interest: the search ends as soon as it is known to be exceeded.
    pub within: f64,
    /// A triangle of each body to begin with, best the last answer's witnesses.
    pub start: Option<[u32; 2]>,
}

impl Default for DistanceOptions {
    fn default() -> Self {
        Self {
            within: f64::INFINITY,
            start: None,
        }
    }
}

/// Two points of the surfaces, and the triangles they are on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Witness {
    /// Triangle of the first and of the second body.
    pub triangles: [u32; 2],
    /// Point on each triangle, both in the frame of the first body.
    pub points: [DVec3; 2],
}

/// A distance between `lower` and `upper`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The surfaces are at least this far apart.
    pub lower: f64,
    /// The surfaces are at most this far apart; infinite without a witness.
    pub upper: f64,
    /// Points that are `upper` apart. None if a surface is empty, or farther away than was asked for.
    pub witness: Option<Witness>,
}

impl Distance {
    /// What is known when nothing was found within `within`.
    pub(crate) fn beyond(within: f64) -> Self {
        Self {
            lower: within,
            upper: f64::INFINITY,
            witness: None,
        }
    }
}

/// Pairs kept on each level of the first descent.
const PROBE: usize = 4;

/// Minimum distance of two bodies, the second placed in the frame of the first; 0 with one common point when they intersect.
/// `lower` equals `upper` unless nothing is within `options.within`.
pub fn distance(
    a: FittedSurface,
    b: FittedSurface,
    placement: &Placement,
    options: &DistanceOptions,
) -> Distance {
    let mut best = Best::new(a.surface, b.surface, *placement, options);
    if best.pair.is_none() {
        probe(a.bvh, b.bvh, placement, PROBE, &mut best);
    }
    walk(a.bvh, b.bvh, placement, &[BranchPair::ROOTS], &mut best);
    best.answer(options.within)
}

/// The first stage alone: bounds from the convex hulls, without any preparation. None if a surface has no triangle.
pub fn surface_bounds(a: Surface, b: Surface) -> Option<HullBounds> {
    let (used_a, used_b) = (used_positions(a), used_positions(b));
    let (positions_a, positions_b) = (
        used_a.as_deref().unwrap_or(a.positions.rounded()),
        used_b.as_deref().unwrap_or(b.positions.rounded()),
    );
    if a.triangles.is_empty() || b.triangles.is_empty() {
        return None;
    }
    hull_bounds(&VertexSet::new(positions_a), &VertexSet::new(positions_b))
}

/// Positions where those that no triangle uses are replaced by one that is used; None if all are used.
fn used_positions(surface: Surface) -> Option<Vec<Vec3>> {
    let mut used = memory::filled(false, surface.positions.len());
    for t in surface.triangles {
        t.iter().for_each(|&v| used[v as usize] = true);
    }
    if used.iter().all(|&u| u) {
        return None;
    }
    let stand_in = surface
        .triangles
        .first()
        .map(|t| surface.positions.rounded()[t[0] as usize])?;
    Some(
        surface
            .positions
            .rounded()
            .iter()
            .zip(used)
            .map(|(&p, used)| if used { p } else { stand_in })
            .gather(),
    )
}

/// The nearest triangle pair so far.
pub(crate) struct Best<'a> {
    a: Surface<'a>,
    b: Surface<'a>,
    placement: Placement,
    /// The distance to beat, and its square.
    limit: f64,
    squared: f64,
    pair: Option<([u32; 2], ClosestPair)>,
}

impl<'a> Best<'a> {
    pub(crate) fn new(
        a: Surface<'a>,
        b: Surface<'a>,
        placement: Placement,
        options: &DistanceOptions,
    ) -> Self {
        // A little more, so that rounding does not lose a distance just within.
        let limit = options.within.max(0.0) * (1.0 + 1e-12) + f64::MIN_POSITIVE;
        let mut best = Self {
            a,
            b,
            placement,
            limit,
            squared: limit * limit,
            pair: None,
        };
        if let Some([i, j]) = options.start
            && (i as usize) < a.triangles.len()
            && (j as usize) < b.triangles.len()
        {
            best.offer(i, j);
        }
        best
    }

    /// The distance to beat.
    pub(crate) fn limit(&self) -> f64 {
        self.limit
    }

    /// Measures a triangle pair; true when it is nearer than all before.
    pub(crate) fn offer(&mut self, i: u32, j: u32) -> bool {
        self.offer_corners(
            [i, j],
            &self.a.corners_f64(i),
            &self.placement.corners(&self.b, j),
        )
    }

    fn offer_corners(&mut self, triangles: [u32; 2], a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
        let found = triangle_distance(a, b);
        let nearer = found.distance < self.limit;
        if nearer {
            self.limit = found.distance;
            self.squared = found.distance * found.distance;
            self.pair = Some((triangles, found));
        }
        nearer
    }

    /// The pair, if it is no farther than `within`.
    pub(crate) fn answer(&self, within: f64) -> Distance {
        match self.pair {
            Some((triangles, found)) if found.distance <= within => Distance {
                lower: found.distance,
                upper: found.distance,
                witness: Some(Witness {
                    triangles,
                    points: [found.a, found.b],
                }),
            },
            _ => Distance::beyond(within),
        }
    }
}

/// Triangles of a leaf, relative to a nearby origin.
#[derive(Default)]
struct Few {
    corners: [[DVec3; 3]; LEAF],
    count: usize,
}

impl Few {
    fn gather(items: &[u32], corners: impl Fn(u32) -> [DVec3; 3]) -> Self {
        let mut few = Self {
            count: items.len().min(LEAF),
            ..Self::default()
        };
        for (slot, &t) in few.corners.iter_mut().zip(items) {
            *slot = corners(t);
        }
        few
    }

    /// The least projection of each triangle on `direction`.
    fn lowest(&self, direction: DVec3, origin: DVec3) -> [f64; LEAF] {
        self.corners.each_ref().map(|t| {
            let [x, y, z] = t.map(|p| direction.dot(p - origin));
            x.min(y).min(z)
        })
    }
}

impl Visitor for Best<'_> {
    const NEAREST_FIRST: bool = true;

    fn limit_squared(&self) -> f32 {
        if self.limit == 0.0 {
            return -1.0;
        }
        // Covers the rounding of the box distances.
        round_up(self.squared * (1.0 + 2e-6))
    }

    fn leaves(&mut self, a: &[u32], b: &[u32]) {
        let few_a = Few::gather(a, |i| self.a.corners_f64(i));
        let few_b = Few::gather(b, |j| self.placement.corners(&self.b, j));
        let origin = few_b.corners[0][0];
        // A gap along any direction is a lower bound. The best pair's own direction is nearly tight close to it.
        let directions = [
            few_a.corners[0][0] - origin,
            self.pair.map_or(DVec3::ZERO, |(_, p)| p.a - p.b),
        ];
        let gaps = directions.map(|d| {
            (
                d.length_squared(),
                few_a.lowest(d, origin),
                few_b.lowest(-d, origin),
            )
        });
        for (m, &i) in a.iter().enumerate().take(few_a.count) {
            for (n, &j) in b.iter().enumerate().take(few_b.count) {
                let apart = gaps.iter().any(|(length, low_a, low_b)| {
                    let gap = low_a[m] + low_b[n];
                    gap > 0.0 && gap * gap >= self.squared * length
                });
                let (ta, tb) = (&few_a.corners[m], &few_b.corners[n]);
                if !apart && box_gap_squared(box_of(ta), box_of(tb)) <= self.squared {
                    self.offer_corners([i, j], ta, tb);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
