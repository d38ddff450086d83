//! The nearest triangles of two deforming bodies within a budget, with a certificate.
//!
//! Stochastic active pairs (Teschner et al., section 3.2): pairs of triangles that slide to a local minimum of their
//! distance from frame to frame, joined by new random pairs each step, which find what the old ones cannot see. They
//! alone would only ever give an upper bound. What is left of the budget fits the hierarchies and opens them best-first, which gives
//! a lower bound at any time and, with time enough, the exact answer. A body and itself have active pairs, and no lower bound.

use super::bodies::{ActivePair, TrackedBodies};
use super::budget::Budget;
use super::propagation::{Collisions, propagate};
use crate::geometry::distance::{Best, Distance, DistanceOptions};
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::hierarchy::dual::{BranchPair, Visitor, open};
use crate::geometry::random::Random;
use crate::memory::{self, Gather};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How a tracker works.
#[derive(Clone, Copy, Debug)]
pub struct Tracking {
    /// The most pairs that stay active.
    pub pairs: usize,
    /// Random pairs that join each step (the survey's n).
    pub fresh: usize,
    /// Pairs farther apart than this are dropped.
    pub within: f64,
    /// Pairs at most this far apart collide, and all collisions around them are looked for; none does where this is negative.
    pub colliding: f64,
}

/// What a step found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tracked {
    /// The bounds and the best pair; infinite above when nothing is within the limit.
    pub distance: Distance,
    /// Whether the bounds are as good as they get: the answer is the exact one.
    pub exact: bool,
    /// Triangle distances and box pairs that it took.
    pub steps: u64,
}

/// Keeps active pairs of two bodies from step to step. The same seed and the same steps give the same pairs.
#[derive(Debug)]
pub struct Tracker {
    tracking: Tracking,
    random: Random,
    active: Vec<ActivePair>,
    collisions: Collisions,
}

/// Steps that opening a pair of nodes counts as.
const OPENING: u64 = 4;

impl Tracker {
    /// A tracker without pairs.
    pub fn new(tracking: Tracking, seed: u64) -> Self {
        Self {
            tracking,
            random: Random::new(seed),
            active: Vec::new(),
            collisions: Collisions::default(),
        }
    }

    /// The active pairs, nearest first.
    pub fn active(&self) -> &[ActivePair] {
        &self.active
    }

    /// What collides around the active pairs.
    pub fn collisions(&self) -> &Collisions {
        &self.collisions
    }

    /// Follows both bodies to where they are now: the first part of a step, for which no hierarchy is needed. The topologies must be those of every other step.
    pub fn follow(&mut self, bodies: &TrackedBodies, budget: &mut Budget) {
        if bodies.are_empty() {
            self.active.clear();
        } else {
            self.slide(bodies, budget);
        }
        self.collisions = propagate(bodies, &self.active, self.tracking.colliding, budget);
    }

    /// What is known of the distance after [`Self::follow`]; with hierarchies that fit, which the rest of the budget opens, from below too.
    pub fn answer(
        &mut self,
        bodies: &TrackedBodies,
        fitted: Option<[&Bvh; 2]>,
        budget: &mut Budget,
    ) -> Tracked {
        let options = DistanceOptions {
            within: self.tracking.within,
            ..DistanceOptions::default()
        };
        let [a, b] = bodies.surfaces;
        let mut best = Best::new(a, b, *bodies.placement, &options);
        for pair in &self.active {
            best.offer(pair.triangles[0], pair.triangles[1]);
        }
        let lower = match fitted.filter(|_| !bodies.itself) {
            Some(fitted) => certify(bodies, fitted, &mut best, budget),
            None => Some(0.0),
        };
        let found = best.answer(self.tracking.within);
        if let Some(witness) = found.witness {
            self.keep(ActivePair {
                triangles: witness.triangles,
                distance: found.upper,
            });
        }
        let distance = Distance {
            lower: lower.map_or(found.lower, |lower| lower.min(found.lower)),
            ..found
        };
        Tracked {
            distance,
            exact: lower.is_none() || found.upper == 0.0,
            steps: budget.spent(),
        }
    }

    /// Moves the active pairs and some random ones to their local minima, and keeps the best.
    fn slide(&mut self, bodies: &TrackedBodies, budget: &mut Budget) {
        let mut pairs: Vec<[u32; 2]> = self.active.iter().map(|p| p.triangles).gather();
        for _ in 0..self.tracking.fresh {
            memory::add(&mut pairs, bodies.random_pair(&mut self.random));
        }
        self.active.clear();
        for pair in pairs {
            if !budget.spend(1) && !self.active.is_empty() {
                break;
            }
            if let Some(settled) = bodies.descend(pair, budget) {
                self.keep(settled);
            }
        }
        // The nearest of all is worth the finest level, however far it is.
        let nearest = self.active.first().filter(|_| bodies.have_levels());
        if let Some(finest) = nearest.and_then(|&nearest| bodies.refine(nearest, budget)) {
            self.keep(finest);
        }
    }

    /// Adds a pair in its place. Two that came to the same minimum are one; those too far away are none.
    fn keep(&mut self, pair: ActivePair) {
        if pair.distance > self.tracking.within {
            return;
        }
        let key = |p: &ActivePair| (p.distance.to_bits(), p.triangles);
        let Err(at) = self.active.binary_search_by_key(&key(&pair), key) else {
            return;
        };
        memory::ensure_more(&mut self.active, 1);
        self.active.insert(at, pair);
        self.active.truncate(self.tracking.pairs.max(1));
    }
}

/// Opens the hierarchies, the nearest boxes first, while the budget lasts. None when nothing is left to open: then the best
/// pair is the nearest of all. Otherwise a distance that no pair of triangles goes below.
fn certify(
    bodies: &TrackedBodies,
    [a, b]: [&Bvh; 2],
    best: &mut Best,
    budget: &mut Budget,
) -> Option<f64> {
    let mut ahead = BinaryHeap::from([Reverse(Ahead(BranchPair::ROOTS))]);
    while let Some(Reverse(Ahead(pair))) = ahead.pop() {
        let limit_squared = best.limit_squared();
        if pair.squared > limit_squared {
            return None;
        }
        if !budget.spend(OPENING) {
            // Covers the rounding of the box distances.
            return Some(f64::from(pair.squared).sqrt() * (1.0 - 1e-6));
        }
        if pair.is_leaves() {
            best.leaves(pair.a.items(a), pair.b.items(b));
            continue;
        }
        let children = open(a, b, bodies.placement, pair, limit_squared);
        for &child in children.as_slice() {
            memory::add_to_heap(&mut ahead, Reverse(Ahead(child)));
        }
    }
    None
}

/// A pair that waits to be opened, ordered by distance and then by place.
struct Ahead(BranchPair);

impl Ahead {
    fn key(
        &self,
    ) -> (
        u32,
        crate::geometry::hierarchy::dual::Branch,
        crate::geometry::hierarchy::dual::Branch,
    ) {
        // Squared distances are not negative, so their bits ascend with them.
        (self.0.squared.to_bits(), self.0.a, self.0.b)
    }
}

impl PartialEq for Ahead {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Ahead {}

impl PartialOrd for Ahead {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ahead {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

#[cfg(test)]
mod tests;
