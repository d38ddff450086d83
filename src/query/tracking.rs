//! Time-critical queries: what can be said of two placed meshes within a budget.

use super::distance::{DistanceAnswer, answer};
use super::placed::Placed;
use crate::geometry::time_critical::budget::Budget;
use crate::geometry::time_critical::chance::{Chance, chance};
use crate::geometry::time_critical::tracker::Tracker;
use crate::geometry::topology::incidence::Incidence;

/// What a step of a tracker found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackedAnswer {
    /// The best pair, and the interval that holds the distance.
    pub distance: DistanceAnswer,
    /// Whether more time would change nothing.
    pub exact: bool,
    /// Steps that it took.
    pub steps: u64,
}

/// Follows two meshes to where they are now.
pub fn step(
    tracker: &mut Tracker,
    a: &Placed,
    b: &Placed,
    incidence: [&Incidence; 2],
    budget: Budget,
) -> TrackedAnswer {
    let (placement, motion) = a.relative(b);
    let found = tracker.step(
        a.fitted_surface(),
        b.fitted_surface(),
        incidence,
        &placement,
        budget,
    );
    TrackedAnswer {
        distance: answer(a, b, &found.distance, &motion),
        exact: found.exact,
        steps: found.steps,
    }
}

/// How likely two meshes collide.
pub fn likelihood(a: &Placed, b: &Placed, enough: f64, budget: Budget) -> Chance {
    let (placement, _) = a.relative(b);
    chance(
        (a.fitted_surface(), a.fitted.filling(&a.mesh)),
        (b.fitted_surface(), b.fitted.filling(&b.mesh)),
        &placement,
        enough,
        budget,
    )
}
