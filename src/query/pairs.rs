//! Pairs: which triangles of two placed meshes, or of one mesh, meet or are near each other.

pub mod search;

use super::exact::{ExactQuery, MeshesAt, StandingMesh, room, too_many};
use super::placed::Placed;
use crate::error::{Error, Result as Outcome};
use crate::geometry::aabb::Aabb;
use crate::geometry::bounded::TooMany;
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::pairs::crossing::Crossing;
use crate::geometry::pairs::{
    Among, Found, NearPair, intersecting_among, intersection_segments, within_among,
};
use crate::geometry::self_collision::{Neighbourhoods, self_intersections};
use crate::geometry::surface::Surface;
use crate::memory::{self, Gather};
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, check_distance};
use glam::{DVec3, Vec3};
use search::Candidate;
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

    fn searched(&self) -> Option<([&StandingMesh; 2], f64)> {
        Some((self.bodies.each_ref(), self.within))
    }

    fn decide(&self, candidates: &[Candidate]) -> Outcome<Vec<WorldPair>> {
        let mut pairs = among_candidates(&self.bodies, self.within, candidates, self.capacity)?;
        // From triangles by their places in the clusters' order to the caller's.
        let orders = self.bodies.each_ref().map(|body| &body.mesh.clusters.order);
        for pair in &mut pairs {
            for (triangle, order) in pair.triangles.iter_mut().zip(orders) {
                let known = order.get(*triangle as usize);
                *triangle = *known.ok_or_else(|| Error::Internal("an unknown triangle".into()))?;
            }
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
    run_among(a, b, within, Among::Hierarchies, capacity).map(|found| found.pairs)
}

/// Those among some.
pub fn run_among(
    a: &Placed,
    b: &Placed,
    within: f64,
    among: Among,
    capacity: usize,
) -> Result<Found<WorldPair>, TooMany> {
    let (placement, _) = a.relative(b);
    let bodies = [a.fitted_surface(), b.fitted_surface()];
    of_surfaces(bodies, &placement, &a.pose, within, among, capacity)
}

/// Those among candidates, whose corners are all that is known of the meshes, by the candidates' places of the triangles.
fn among_candidates(
    bodies: &[StandingMesh; 2],
    within: f64,
    candidates: &[Candidate],
    capacity: u64,
) -> Outcome<Vec<WorldPair>> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
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
    // Nobody walks them: all pairs are given.
    let unused = Bvh::build(&[Aabb::of(corners[0][..3].iter().copied())]);
    let surface = |positions| FittedSurface {
        surface: Surface {
            positions,
            triangles: &triangles,
        },
        bvh: &unused,
    };
    let groups: Vec<[&[u32]; 2]> = numbers.chunks(1).map(|number| [number; 2]).gather();
    let [a, b] = bodies;
    let placement = Placement::new(b.pose.relative_to(&a.pose));
    let surfaces = [surface(&corners[0][..]), surface(&corners[1][..])];
    let among = Among::Groups(&groups);
    let found = of_surfaces(surfaces, &placement, &a.pose, within, among, room(capacity))
        .map_err(|found| too_many(found, capacity))?;
    let mut pairs = found.pairs;
    for pair in &mut pairs {
        pair.triangles = candidates[pair.triangles[0] as usize].triangles;
    }
    Ok(pairs)
}

/// Those of two surfaces, the first of which stands in the world.
fn of_surfaces(
    [body_a, body_b]: [FittedSurface; 2],
    placement: &Placement,
    stands: &Pose,
    within: f64,
    among: Among,
    capacity: usize,
) -> Result<Found<WorldPair>, TooMany> {
    let world = |local: DVec3| match stands.is_identity() {
        true => local,
        false => stands.apply(local),
    };
    if within == 0.0 {
        let Found { pairs, candidates } =
            intersecting_among(body_a, body_b, placement, among, capacity)?;
        let whole = |crossing: Crossing| WorldPair {
            triangles: crossing.triangles,
            distance: 0.0,
            segment: crossing.segment.map(world),
        };
        let pairs = pairs.into_iter().map(whole).gather();
        return Ok(Found { pairs, candidates });
    }
    let found = within_among(body_a, body_b, placement, within, among, capacity)?;
    let near = &found.pairs;
    let meeting: Vec<[u32; 2]> = near
        .iter()
        .filter(|p| p.distance == 0.0)
        .map(|p| p.triangles)
        .gather();
    let mut segments = intersection_segments(body_a, body_b, placement, &meeting).into_iter();
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

/// Whether any pair is at most `within` apart among some, and how many came to the exact test.
pub fn any_among(a: &Placed, b: &Placed, within: f64, among: Among) -> (bool, u64) {
    let (placement, _) = a.relative(b);
    let (a, b) = (a.fitted_surface(), b.fitted_surface());
    if within == 0.0 {
        let found = intersecting_among::<[u32; 2]>(a, b, &placement, among, usize::MAX);
        return found.map_or((true, 0), |f| (!f.pairs.is_empty(), f.candidates));
    }
    let found = within_among(a, b, &placement, within, among, usize::MAX);
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
