//! Pairs: which triangles of two placed meshes, or of one mesh, meet or are near each other.

use super::exact::{ExactQuery, MeshesAt, StandingMesh, room, too_many};
use super::placed::{Placed, PlacedTriangles};
use crate::error::Result as Outcome;
use crate::geometry::bounded::TooMany;
use crate::geometry::pairs::crossing::Crossing;
use crate::geometry::pairs::{
    Among, Found, NearPair, Wanted, intersecting_among, intersection_segments, within_among,
};
use crate::geometry::self_collision::{Neighbourhoods, self_intersections};
use crate::memory::Gather;
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, check_distance};
use glam::DVec3;
use std::sync::Arc;

/// Two triangles that meet or are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldPair {
    /// Triangle of the first and of the second mesh.
    pub triangles: [u32; 2],
    /// Their distance; 0 when they intersect.
    pub distance: f64,
    /// In the world: the ends of the intersection, or else the nearest points, the first mesh's first.
    pub segment: [DVec3; 2],
}

/// Planned pairs of triangles of two meshes.
pub struct PairsQuery {
    bodies: [StandingMesh; 2],
    within: f64,
    capacity: u64,
}

impl PairsQuery {
    /// Those at most `within` apart, at most `capacity` of them; 0 for those that intersect.
    pub fn plan(bodies: [StandingMesh; 2], within: f64, capacity: u64) -> Outcome<Self> {
        check_distance("distance", within)?;
        Ok(Self {
            bodies,
            within,
            capacity,
        })
    }
}

impl ExactQuery for PairsQuery {
    type Answer = Vec<WorldPair>;
    type Prepared = [Placed; 2];
    const NAME: &'static str = "pairs";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.bodies.iter().map(|body| &body.mesh).collect()
    }

    fn prepare(&self, source: &MeshesAt) -> Outcome<[Placed; 2]> {
        let [a, b] = &self.bodies;
        Ok([source.placed(a)?, source.placed(b)?])
    }

    fn run(&self, [a, b]: [Placed; 2]) -> Outcome<Vec<WorldPair>> {
        run(&a, &b, self.within, room(self.capacity))
            .map_err(|found| too_many(found, self.capacity))
    }
}

/// Planned pairs of triangles of one mesh that intersect where they should not.
pub struct SelfPairsQuery {
    mesh: Arc<Mesh>,
    capacity: u64,
}

impl SelfPairsQuery {
    /// At most `capacity` of them.
    pub fn plan(mesh: Arc<Mesh>, capacity: u64) -> Self {
        Self { mesh, capacity }
    }
}

impl ExactQuery for SelfPairsQuery {
    type Answer = Vec<[u32; 2]>;
    type Prepared = (Placed, Arc<Neighbourhoods>);
    const NAME: &'static str = "self pairs";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        vec![&self.mesh]
    }

    fn prepare(&self, source: &MeshesAt) -> Outcome<Self::Prepared> {
        let placed = source.placed(&StandingMesh::new(self.mesh.clone(), Pose::default())?)?;
        let known = source.neighbourhoods(&self.mesh, &placed.fitted)?;
        Ok((placed, known))
    }

    fn run(&self, (mesh, known): Self::Prepared) -> Outcome<Vec<[u32; 2]>> {
        of_itself(&mesh, &known, room(self.capacity))
            .map_err(|found| too_many(found, self.capacity))
    }
}

/// All pairs of triangles at most `within` apart, ascending; 0 for those that intersect.
pub fn run(
    a: &Placed,
    b: &Placed,
    within: f64,
    capacity: usize,
) -> Result<Vec<WorldPair>, TooMany> {
    let among = Among::Hierarchies([a.fitted.bvh(), b.fitted.bvh()]);
    let bodies = (a.triangles(), b.triangles());
    let wanted = Wanted::All(capacity);
    pairs_among(&bodies.0, &bodies.1, within, among, wanted).map(|found| found.pairs)
}

/// Those among some.
pub fn pairs_among(
    a: &PlacedTriangles,
    b: &PlacedTriangles,
    within: f64,
    among: Among,
    wanted: Wanted,
) -> Result<Found<WorldPair>, TooMany> {
    let (placement, _) = a.relative(b);
    let bodies = [a.surface, b.surface];
    if within == 0.0 {
        let Found { pairs, candidates } = intersecting_among(bodies, &placement, among, wanted)?;
        let whole = |crossing: Crossing| WorldPair {
            triangles: crossing.triangles,
            distance: 0.0,
            segment: crossing.segment.map(|p| a.world(p)),
        };
        let pairs = pairs.into_iter().map(whole).gather();
        return Ok(Found { pairs, candidates });
    }
    let found = within_among(bodies, &placement, within, among, wanted)?;
    let near = &found.pairs;
    let meeting: Vec<[u32; 2]> = near
        .iter()
        .filter(|p| p.distance == 0.0)
        .map(|p| p.triangles)
        .gather();
    let mut segments = intersection_segments(bodies, &placement, &meeting).into_iter();
    let apart = |pair: &NearPair| WorldPair {
        triangles: pair.triangles,
        distance: pair.distance,
        segment: pair.closest.map(|p| a.world(p)),
    };
    let mut pairs: Vec<WorldPair> = near.iter().map(apart).gather();
    for pair in pairs.iter_mut().filter(|p| p.distance == 0.0) {
        if let Some(Some(segment)) = segments.next() {
            pair.segment = segment.map(|p| a.world(p));
        }
    }
    Ok(Found {
        pairs,
        candidates: found.candidates,
    })
}

/// Whether any pair is at most `within` apart among some, and how many came to the exact test. The search ends soon after the first.
pub fn any_among(
    a: &PlacedTriangles,
    b: &PlacedTriangles,
    within: f64,
    among: Among,
) -> (bool, u64) {
    let (placement, _) = a.relative(b);
    let bodies = [a.surface, b.surface];
    if within == 0.0 {
        let found = intersecting_among::<[u32; 2]>(bodies, &placement, among, Wanted::Some);
        return found.map_or((true, 0), |f| (!f.pairs.is_empty(), f.candidates));
    }
    let found = within_among(bodies, &placement, within, among, Wanted::Some);
    found.map_or((true, 0), |f| (!f.pairs.is_empty(), f.candidates))
}

/// All pairs of triangles of one mesh that intersect where they should not, ascending.
pub fn of_itself(
    mesh: &Placed,
    known: &Neighbourhoods,
    capacity: usize,
) -> Result<Vec<[u32; 2]>, TooMany> {
    self_intersections(mesh.fitted_surface(), known, capacity)
}
