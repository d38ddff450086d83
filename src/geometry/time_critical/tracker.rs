//! The nearest triangles of two deforming bodies within a budget, with a certificate.
//!
//! Stochastic active pairs (Teschner et al., section 3.2): pairs of triangles that slide to a local minimum of their
//! distance from frame to frame, joined by new random pairs each step, which find what the old ones cannot see. They
//! alone would only ever give an upper bound. What is left of the budget opens the hierarchies best-first, which gives
//! a lower bound at any time and, with time enough, the exact answer.

use super::budget::Budget;
use crate::geometry::distance::{Best, Distance, DistanceOptions};
use crate::geometry::hierarchy::dual::{BranchPair, FittedSurface, Visitor, open};
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::random::Random;
use crate::geometry::topology::incidence::Incidence;
use crate::geometry::triangle::distance::triangle_distance;
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
}

/// A pair of triangles at a local minimum of their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActivePair {
    /// Triangle of the first and of the second body.
    pub triangles: [u32; 2],
    /// How far apart they are.
    pub distance: f64,
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
}

/// Tries for a random pair, of which the nearest is taken: pairs that begin close have less far to go.
const TRIES: usize = 4;

/// Steps that opening a pair of nodes counts as.
const OPENING: u64 = 4;

impl Tracker {
    /// A tracker without pairs.
    pub fn new(tracking: Tracking, seed: u64) -> Self {
        Self {
            tracking,
            random: Random::new(seed),
            active: Vec::new(),
        }
    }

    /// The active pairs, nearest first.
    pub fn active(&self) -> &[ActivePair] {
        &self.active
    }

    /// Follows both bodies to where they are now. The topologies must be those of every other step.
    pub fn step(
        &mut self,
        a: FittedSurface,
        b: FittedSurface,
        incidence: [&Incidence; 2],
        placement: &Placement,
        mut budget: Budget,
    ) -> Tracked {
        let options = DistanceOptions {
            within: self.tracking.within,
            ..DistanceOptions::default()
        };
        let mut best = Best::new(a.surface, b.surface, *placement, &options);
        let scene = TwoBodies {
            a,
            b,
            incidence,
            placement,
        };
        if !a.surface.triangles.is_empty() && !b.surface.triangles.is_empty() {
            self.slide(&scene, &mut budget);
        }
        for pair in &self.active {
            best.offer(pair.triangles[0], pair.triangles[1]);
        }
        let lower = certify(&scene, &mut best, &mut budget);
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
            exact: lower.is_none(),
            steps: budget.spent(),
        }
    }

    /// Moves the active pairs and some random ones to their local minima, and keeps the best.
    fn slide(&mut self, scene: &TwoBodies, budget: &mut Budget) {
        let mut pairs: Vec<[u32; 2]> = self.active.iter().map(|p| p.triangles).gather();
        for _ in 0..self.tracking.fresh {
            memory::add(&mut pairs, self.random_pair(scene));
        }
        self.active.clear();
        for pair in pairs {
            if !budget.spend(1) && !self.active.is_empty() {
                break;
            }
            let settled = scene.descend(pair, budget);
            self.keep(settled);
        }
    }

    fn random_pair(&mut self, scene: &TwoBodies) -> [u32; 2] {
        let (a, b) = (scene.a.surface, scene.b.surface);
        let mut nearest = ([0, 0], f64::INFINITY);
        for _ in 0..TRIES {
            let pair = [
                self.random.below(a.triangles.len()) as u32,
                self.random.below(b.triangles.len()) as u32,
            ];
            let squared =
                a.corners_f64(pair[0])[0].distance_squared(scene.placement.corners(&b, pair[1])[0]);
            if squared < nearest.1 {
                nearest = (pair, squared);
            }
        }
        nearest.0
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
        self.active.insert(at, pair);
        self.active.truncate(self.tracking.pairs.max(1));
    }
}

/// Two bodies at one moment.
struct TwoBodies<'a> {
    a: FittedSurface<'a>,
    b: FittedSurface<'a>,
    incidence: [&'a Incidence; 2],
    placement: &'a Placement,
}

impl TwoBodies<'_> {
    fn distance(&self, [i, j]: [u32; 2]) -> f64 {
        let (a, b) = (self.a.surface, self.b.surface);
        triangle_distance(&a.corners_f64(i), &self.placement.corners(&b, j)).distance
    }

    /// Slides a pair to a local minimum: first one triangle moves among its neighbours, then the other, which looks at
    /// n + m pairs and not at n m (section 3.2.2).
    fn descend(&self, mut pair: [u32; 2], budget: &mut Budget) -> ActivePair {
        let mut distance = self.distance(pair);
        let mut side = 0;
        let mut stuck = 0;
        while stuck < 2 && distance > 0.0 {
            let from = pair;
            let surface = [self.a.surface, self.b.surface][side];
            let corners = surface.triangles[from[side] as usize];
            for t in self.incidence[side].around(corners) {
                if !budget.spend(1) {
                    return ActivePair {
                        triangles: pair,
                        distance,
                    };
                }
                let mut moved = from;
                moved[side] = t;
                let there = self.distance(moved);
                if there < distance {
                    (pair, distance) = (moved, there);
                }
            }
            stuck = if pair == from { stuck + 1 } else { 0 };
            side = 1 - side;
        }
        ActivePair {
            triangles: pair,
            distance,
        }
    }
}

/// Opens the hierarchies, the nearest boxes first, while the budget lasts. None when nothing is left to open: then the best
/// pair is the nearest of all. Otherwise a distance that no pair of triangles goes below.
fn certify(scene: &TwoBodies, best: &mut Best, budget: &mut Budget) -> Option<f64> {
    let (a, b) = (scene.a.bvh, scene.b.bvh);
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
        let children = open(a, b, scene.placement, pair, limit_squared);
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
