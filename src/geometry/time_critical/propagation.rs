//! All collisions around those that were found: from each the search goes to the neighbours of its triangles, one body at a time, as far as they
//! collide too (Teschner et al., section 3.2.2, after Raghupathi et al.).

use super::bodies::{ActivePair, TrackedBodies};
use super::budget::Budget;
use crate::memory::{self, Gather};
use std::collections::HashMap;

/// Regions of collisions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collisions {
    /// Every pair that was reached, by its triangles.
    pub pairs: Vec<ActivePair>,
    /// Whether the search came to the end of every region: the budget sufficed.
    pub complete: bool,
}

/// The pairs at most `within` apart that hang together with `seeds`.
pub fn propagate(
    bodies: &TrackedBodies,
    seeds: &[ActivePair],
    within: f64,
    budget: &mut Budget,
) -> Collisions {
    let mut seen: HashMap<[u32; 2], f64> = HashMap::new();
    let mut ahead = Vec::new();
    let mut complete = true;
    for seed in seeds.iter().filter(|seed| seed.distance <= within) {
        memory::ensure_map(&mut seen, 1);
        if seen.insert(seed.triangles, seed.distance).is_none() {
            memory::add(&mut ahead, seed.triangles);
        }
    }
    while let Some(pair) = ahead.pop() {
        for side in [0, 1] {
            bodies.around(side, 0, pair[side], &mut |t| {
                let mut beside = pair;
                beside[side] = t;
                let beside = bodies.ordered(beside);
                if !complete || seen.contains_key(&beside) || bodies.are_neighbours(beside) {
                    return;
                }
                if !budget.spend(1) {
                    complete = false;
                    return;
                }
                let distance = bodies.distance(beside);
                memory::ensure_map(&mut seen, 1);
                // What is too far is kept as well, so that nobody looks at it again.
                seen.insert(beside, distance);
                if distance <= within {
                    memory::add(&mut ahead, beside);
                }
            });
        }
        if !complete {
            break;
        }
    }
    let mut pairs = seen
        .into_iter()
        .filter(|(_, distance)| *distance <= within)
        .map(|(triangles, distance)| ActivePair {
            triangles,
            distance,
        })
        .gather();
    pairs.sort_unstable_by_key(|pair| pair.triangles);
    Collisions { pairs, complete }
}
