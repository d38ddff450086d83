//! Pairs: which triangles of two placed meshes, or of one mesh, meet or are near each other.

pub mod costs;
pub mod search;

use super::exact::{ExactQuery, MeshesAt, StandingMesh, room, too_many};
use super::exact_records::{ExactRecords, PairRecord};
use super::output::OutputArray;
use super::placed::{Placed, PlacedTriangles};
use crate::error::{Error, Result as Outcome};
use crate::geometry::bounded::TooMany;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::pairs::crossing::Crossing;
use crate::geometry::pairs::{
    Among, Found, NearPair, Wanted, intersecting_among, intersection_segments, within_among,
};
use crate::geometry::self_collision::{Neighbourhoods, self_intersections};
use crate::geometry::surface::Surface;
use crate::memory::{self, Gather};
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, check_distance};
use glam::{DVec3, Vec3};
use search::{SoughtPairs, TriangleCandidate};
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
    const OUTPUTS: &'static [OutputArray] = &[OutputArray::of::<PairRecord>("pairs")];

    fn records(answer: &Self::Answer, _: usize, most: usize) -> Outcome<ExactRecords> {
        ExactRecords::of::<WorldPair, PairRecord>(answer, most)
    }

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.bodies.iter().map(|body| &body.mesh).collect()
    }

    fn sought(&self) -> Option<SoughtPairs<'_>> {
        Some(SoughtPairs {
            bodies: self.bodies.each_ref(),
            within: self.within,
        })
    }

    fn decide(&self, candidates: &[TriangleCandidate]) -> Outcome<Vec<WorldPair>> {
        let mut pairs = among_candidates(&self.bodies, self.within, candidates, self.capacity)?;
        let meshes = self.bodies.each_ref().map(|body| &*body.mesh);
        for pair in &mut pairs {
            pair.triangles = ordered_triangles(meshes, pair.triangles)?;
        }
        pairs.sort_unstable_by_key(|pair| pair.triangles);
        Ok(pairs)
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

/// Triangles by their numbers, from their places in the order of the clusters.
fn ordered_triangles(meshes: [&Mesh; 2], places: [u32; 2]) -> Outcome<[u32; 2]> {
    let mut triangles = places;
    for (triangle, mesh) in triangles.iter_mut().zip(meshes) {
        let known = mesh.clusters.order.get(*triangle as usize);
        *triangle = *known.ok_or_else(|| Error::Internal("an unknown triangle".into()))?;
    }
    Ok(triangles)
}

/// Planned pairs of triangles of one mesh that intersect where they should not.
pub struct SelfPairsQuery {
    body: StandingMesh,
    capacity: u64,
}

impl SelfPairsQuery {
    /// At most `capacity` of them.
    pub fn plan(mesh: Arc<Mesh>, capacity: u64) -> Self {
        let pose = Pose::default();
        Self {
            body: StandingMesh { mesh, pose },
            capacity,
        }
    }
}

impl ExactQuery for SelfPairsQuery {
    type Answer = Vec<[u32; 2]>;
    type Prepared = (Placed, Arc<Neighbourhoods>);
    const NAME: &'static str = "self pairs";
    const OUTPUTS: &'static [OutputArray] = &[OutputArray::of::<[u32; 2]>("pairs")];

    fn records(answer: &Self::Answer, _: usize, most: usize) -> Outcome<ExactRecords> {
        ExactRecords::of::<[u32; 2], [u32; 2]>(answer, most)
    }

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        vec![&self.body.mesh]
    }

    fn prepare(&self, source: &MeshesAt) -> Outcome<Self::Prepared> {
        let placed = source.placed(&self.body)?;
        let known = source.neighbourhoods(&self.body.mesh, &placed.fitted)?;
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
    of_surfaces(
        [a.surface, b.surface],
        &placement,
        a.pose,
        within,
        among,
        wanted,
    )
}

/// Those among candidates, whose corners are all that is known of the meshes, by the candidates' places of the triangles.
fn among_candidates(
    bodies: &[StandingMesh; 2],
    within: f64,
    candidates: &[TriangleCandidate],
    capacity: u64,
) -> Outcome<Vec<WorldPair>> {
    let numbers: Vec<u32> = (0..candidates.len() as u32).gather();
    let triangles: Vec<[u32; 3]> = numbers
        .iter()
        .map(|&t| [3 * t, 3 * t + 1, 3 * t + 2])
        .gather();
    let corners = [0, 1].map(|which| -> Vec<Vec3> {
        let mut corners = memory::room(3 * candidates.len());
        for candidate in candidates {
            corners.extend(candidate.corners[which]);
        }
        corners
    });
    let surfaces = corners.each_ref().map(|positions| Surface {
        positions: positions.into(),
        triangles: &triangles,
    });
    let groups: Vec<[&[u32]; 2]> = numbers.chunks(1).map(|number| [number; 2]).gather();
    let [a, b] = bodies;
    let placement = Placement::new(b.pose.relative_to(&a.pose));
    let among = Among::Groups(&groups);
    let wanted = Wanted::All(room(capacity));
    let found = of_surfaces(surfaces, &placement, &a.pose, within, among, wanted)
        .map_err(|found| too_many(found, capacity))?;
    let mut pairs = found.pairs;
    for pair in &mut pairs {
        pair.triangles = candidates[pair.triangles[0] as usize].triangles;
    }
    Ok(pairs)
}

/// Those of two surfaces, the first of which stands in the world.
fn of_surfaces(
    bodies: [Surface; 2],
    placement: &Placement,
    stands: &Pose,
    within: f64,
    among: Among,
    wanted: Wanted,
) -> Result<Found<WorldPair>, TooMany> {
    let world = |local: DVec3| match stands.is_identity() {
        true => local,
        false => stands.apply(local),
    };
    if within == 0.0 {
        let Found { pairs, candidates } = intersecting_among(bodies, placement, among, wanted)?;
        let whole = |crossing: Crossing| WorldPair {
            triangles: crossing.triangles,
            distance: 0.0,
            segment: crossing.segment.map(world),
        };
        let pairs = pairs.into_iter().map(whole).gather();
        return Ok(Found { pairs, candidates });
    }
    let found = within_among(bodies, placement, within, among, wanted)?;
    let near = &found.pairs;
    let meeting: Vec<[u32; 2]> = near
        .iter()
        .filter(|p| p.distance == 0.0)
        .map(|p| p.triangles)
        .gather();
    let mut segments = intersection_segments(bodies, placement, &meeting).into_iter();
    let apart = |pair: &NearPair| WorldPair {
        triangles: pair.triangles,
        distance: pair.distance,
        segment: pair.closest.map(world),
    };
    let mut pairs: Vec<WorldPair> = near.iter().map(apart).gather();
    for pair in pairs.iter_mut().filter(|p| p.distance == 0.0) {
        if let Some(Some(segment)) = segments.next() {
            pair.segment = segment.map(world);
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
