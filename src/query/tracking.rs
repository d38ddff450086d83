//! Time-critical queries: what can be said of two placed meshes within a budget.

use super::distance::{DistanceAnswer, in_world, slack};
use super::placed::{Placed, PlacedMoment};
use crate::error::Result;
use crate::geometry::distance::Distance;
use crate::geometry::time_critical::bodies::TrackedBodies;
use crate::geometry::time_critical::budget::Budget;
use crate::geometry::time_critical::chance::{Chance, chance};
use crate::geometry::time_critical::levels::Resolutions;
use crate::geometry::time_critical::tracker::Tracker;
use crate::geometry::topology::incidence::Incidence;
use crate::scene::hierarchy::FittedMesh;
use std::sync::Arc;

/// What a step of a tracker found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackedAnswer {
    /// The best pair, and the interval that holds the distance.
    pub distance: DistanceAnswer,
    /// Whether more time would change nothing.
    pub exact: bool,
    /// Steps that it took.
    pub steps: u64,
    /// Pairs that collide, as far as they were looked for.
    pub collisions: u64,
    /// Whether all around the active pairs were found.
    pub propagated: bool,
}

/// What depends on the triangles of a tracker's meshes alone.
pub struct TrackedTopology {
    /// The triangles at the vertices of each mesh.
    pub incidence: [Incidence; 2],
    /// The resolutions of each mesh.
    pub levels: [Resolutions; 2],
    /// Whether both are one mesh, which is followed against itself.
    pub itself: bool,
}

/// Hierarchies of both meshes of a tracker.
pub type FittedPair = [Arc<FittedMesh>; 2];

/// Follows two meshes to where they are now. `fit` gives their hierarchies where the budget lasts so long, and is asked last.
pub fn step(
    tracker: &mut Tracker,
    [a, b]: [&PlacedMoment; 2],
    topology: &TrackedTopology,
    mut budget: Budget,
    fit: impl FnOnce(&mut Budget) -> Result<Option<FittedPair>>,
) -> Result<TrackedAnswer> {
    let (of_a, of_b) = (a.triangles(), b.triangles());
    let (placement, motion) = of_a.relative(&of_b);
    let bodies = TrackedBodies {
        surfaces: [of_a.surface, of_b.surface],
        incidence: topology.incidence.each_ref(),
        levels: topology.levels.each_ref(),
        placement: &placement,
        itself: topology.itself,
    };
    tracker.follow(&bodies, &mut budget);
    let fitted = if topology.itself {
        None
    } else {
        fit(&mut budget)?
    };
    let trees = fitted.as_ref().map(|pair| pair.each_ref().map(|f| f.bvh()));
    let found = tracker.answer(&bodies, trees, &mut budget);
    let radii = match &fitted {
        Some(pair) => pair.each_ref().map(|f| f.radius()),
        None => of_witness(&bodies, &found.distance),
    };
    Ok(TrackedAnswer {
        distance: in_world(&of_a, &found.distance, &motion, slack(radii, &motion)),
        exact: found.exact,
        steps: found.steps,
        collisions: tracker.collisions().pairs.len() as u64,
        propagated: tracker.collisions().complete,
    })
}

/// How far the corners of the nearest triangles are from the origins of their frames: nothing else was computed with.
fn of_witness(bodies: &TrackedBodies, found: &Distance) -> [f64; 2] {
    let of = |side: usize, triangle| {
        let corners = bodies.surfaces[side].corners_f64(triangle);
        corners.iter().map(|p| p.length()).fold(0.0, f64::max)
    };
    let triangles = found.witness.map(|w| w.triangles);
    triangles.map_or([0.0; 2], |[i, j]| [of(0, i), of(1, j)])
}

/// How likely two meshes collide.
pub fn likelihood(a: &Placed, b: &Placed, enough: f64, budget: Budget) -> Chance {
    let (placement, _) = a.relative(b);
    chance(
        (a.fitted_surface(), a.fitted.filling()),
        (b.fitted_surface(), b.fitted.filling()),
        &placement,
        enough,
        budget,
    )
}
