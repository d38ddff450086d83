//! Exact queries of a context: answered at once, on the CPU pool.

use super::Context;
use crate::error::{Error, Result, invalid};
use crate::geometry::bounded::TooMany;
use crate::geometry::continuous::impacts::{Impact, MeetingRule};
use crate::geometry::distance::DistanceOptions;
use crate::geometry::self_collision::Neighbourhoods;
use crate::geometry::tetrahedra::{TetrahedralBody, VertexInside, vertices_inside};
use crate::memory;
use crate::query::distance::{self, DistanceAnswer};
use crate::query::pairs::{self, WorldPair};
use crate::query::placed::Placed;
use crate::query::sweep::{self, Way};
use crate::scene::hierarchy::FittedMesh;
use crate::scene::mesh::{Mesh, check_positions};
use crate::scene::pose::{Pose, check_distance};
use rayon::prelude::*;
use std::sync::Arc;

/// What a distance query is asked for.
#[derive(Clone, Copy, Debug)]
pub enum DistanceRequest {
    /// The distance itself.
    Distance(DistanceOptions),
    /// The distance itself, by the comparator of [`crate::geometry::comparators::margin_hash`].
    ByMarginHash(DistanceOptions),
    /// Bounds from the convex hulls alone.
    Bounds,
}

impl DistanceRequest {
    fn check(&self) -> Result<()> {
        match self {
            Self::Distance(options) | Self::ByMarginHash(options)
                if options.within.is_nan() || options.within < 0.0 =>
            {
                Err(invalid(format!(
                    "within is {}; it is a distance, infinite for any",
                    options.within
                )))
            }
            _ => Ok(()),
        }
    }
}

impl Context {
    /// How far two meshes are apart.
    pub fn distance(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        request: &DistanceRequest,
    ) -> Result<DistanceAnswer> {
        request.check()?;
        let (a, b) = (self.placed(a)?, self.placed(b)?);
        match request {
            // One thread walks the hierarchies, and this one need not be woken.
            DistanceRequest::Distance(options) => {
                self.workers.run_here(|| distance::run(&a, &b, options))
            }
            DistanceRequest::ByMarginHash(options) => self
                .workers
                .run(|| distance::run_by_margin_hash(&a, &b, options)),
            DistanceRequest::Bounds => self.workers.run(|| distance::bounds(&a, &b)),
        }
    }

    /// How far the meshes of each pair are apart, all on the pool at once.
    pub fn distances(
        &self,
        pairs: &[([(u64, Pose); 2], DistanceRequest)],
    ) -> Result<Vec<DistanceAnswer>> {
        let mut placed = memory::with_room(pairs.len(), "pairs")?;
        for ([a, b], request) in pairs {
            request.check()?;
            placed.push((self.placed(*a)?, self.placed(*b)?, request));
        }
        let answer = |(a, b, request): &(Placed, Placed, &DistanceRequest)| match request {
            DistanceRequest::Distance(options) => distance::run(a, b, options),
            DistanceRequest::ByMarginHash(options) => distance::run_by_margin_hash(a, b, options),
            DistanceRequest::Bounds => distance::bounds(a, b),
        };
        let mut answers = memory::with_room(pairs.len(), "distances")?;
        self.workers.run(|| {
            placed
                .par_iter()
                .with_max_len(1)
                .map(answer)
                .collect_into_vec(&mut answers);
        })?;
        Ok(answers)
    }

    /// All pairs of triangles at most `within` apart, at most `capacity`; 0 for those that intersect.
    pub fn pairs(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        within: f64,
        capacity: u64,
    ) -> Result<Vec<WorldPair>> {
        check_distance("distance", within)?;
        let (a, b) = (self.placed(a)?, self.placed(b)?);
        let room = usize::try_from(capacity).unwrap_or(usize::MAX);
        self.workers
            .run(|| pairs::run(&a, &b, within, room))?
            .map_err(|found| too_many(found, capacity))
    }

    /// All pairs of triangles of a mesh that intersect where they should not, at most `capacity`.
    pub fn self_pairs(&self, id: u64, capacity: u64) -> Result<Vec<[u32; 2]>> {
        let mesh = self.placed((id, Pose::default()))?;
        let known = mesh
            .mesh
            .neighbourhoods(&mesh.fitted, |make| self.workers.run(make))?;
        let room = usize::try_from(capacity).unwrap_or(usize::MAX);
        self.workers
            .run(|| pairs::of_itself(&mesh, &known, room))?
            .map_err(|found| too_many(found, capacity))
    }

    /// The first impact of two meshes while each vertex goes straight from its place in the first of a pair to its place
    /// in the second. None is a proof that nothing meets.
    pub fn first_impact(
        &self,
        a: [u64; 2],
        b: [u64; 2],
        rule: MeetingRule,
    ) -> Result<Option<Impact>> {
        check_distance("separation", rule.separation)?;
        let (a, b) = (self.way(a, "a")?, self.way(b, "b")?);
        self.workers.run(|| sweep::first(&a, &b, rule))
    }

    /// The first impact of a mesh with itself, as for [`Context::first_impact`].
    pub fn first_impact_of_itself(
        &self,
        mesh: [u64; 2],
        rule: MeetingRule,
    ) -> Result<Option<Impact>> {
        check_distance("separation", rule.separation)?;
        let way = self.way_with_itself(mesh, rule)?;
        self.workers.run(|| sweep::first_of_itself(&way, rule))
    }

    /// All impacts of two meshes, as for [`Context::first_impact`].
    pub fn impacts(&self, a: [u64; 2], b: [u64; 2], rule: MeetingRule) -> Result<Vec<Impact>> {
        check_distance("separation", rule.separation)?;
        let (a, b) = (self.way(a, "a")?, self.way(b, "b")?);
        self.workers.run(|| sweep::all(&a, &b, rule))
    }

    /// All impacts of a mesh with itself, as for [`Context::first_impact`].
    pub fn impacts_of_itself(&self, mesh: [u64; 2], rule: MeetingRule) -> Result<Vec<Impact>> {
        check_distance("separation", rule.separation)?;
        let way = self.way_with_itself(mesh, rule)?;
        self.workers.run(|| sweep::all_of_itself(&way, rule))
    }

    /// The first impact of two meshes, triangles that intersect at the start among them.
    pub fn sweep(
        &self,
        a: [u64; 2],
        b: [u64; 2],
        tolerance: Option<f64>,
    ) -> Result<Option<Impact>> {
        check_tolerance(tolerance)?;
        self.first_impact(a, b, sweep_rule(tolerance))
    }

    /// The first impact of a mesh with itself, as for [`Context::sweep`].
    pub fn sweep_self(&self, mesh: [u64; 2], tolerance: Option<f64>) -> Result<Option<Impact>> {
        check_tolerance(tolerance)?;
        self.first_impact_of_itself(mesh, sweep_rule(tolerance))
    }

    /// The first impact of two rigid meshes that go from one pose to another by screws.
    pub fn sweep_poses(
        &self,
        (a, way_a): (u64, [Pose; 2]),
        (b, way_b): (u64, [Pose; 2]),
        tolerance: Option<f64>,
    ) -> Result<Option<Impact>> {
        check_tolerance(tolerance)?;
        let to = [way_a[1], way_b[1]];
        to.iter().try_for_each(Pose::validate)?;
        let (a, b) = (self.placed((a, way_a[0]))?, self.placed((b, way_b[0]))?);
        self.workers
            .run(|| sweep::between_poses(&a, &b, to, tolerance))
    }

    /// All vertices inside tetrahedra of any body, at most `capacity`.
    pub fn vertices_inside(
        &self,
        bodies: &[TetrahedralBody],
        capacity: u64,
    ) -> Result<Vec<VertexInside>> {
        for (at, body) in bodies.iter().enumerate() {
            check_positions(body.positions, 0)
                .map_err(|error| invalid(format!("body {at}: {error}")))?;
            let vertices = body.positions.len();
            let wrong = |corners: &[u32; 4]| corners.iter().any(|&v| v as usize >= vertices);
            if let Some(t) = body.tetrahedra.iter().position(wrong) {
                return Err(invalid(format!(
                    "body {at}: tetrahedron {t} is {:?}, but there are {vertices} vertices",
                    body.tetrahedra[t]
                )));
            }
        }
        let room = usize::try_from(capacity).unwrap_or(usize::MAX);
        self.workers
            .run(|| vertices_inside(bodies, room))?
            .map_err(|found| too_many(found, capacity))
    }

    pub(super) fn placed(&self, (id, pose): (u64, Pose)) -> Result<Placed> {
        self.placed_mesh(&self.mesh(id)?, pose)
    }

    pub(super) fn placed_mesh(&self, mesh: &Arc<Mesh>, pose: Pose) -> Result<Placed> {
        pose.validate()?;
        Ok(Placed {
            mesh: mesh.clone(),
            fitted: self.fitted(mesh)?,
            pose,
        })
    }

    pub(super) fn fitted(&self, mesh: &Arc<Mesh>) -> Result<Arc<FittedMesh>> {
        mesh.fitted(|| self.current_positions(mesh), |fit| self.workers.run(fit))
    }

    fn way(&self, [from, to]: [u64; 2], name: &str) -> Result<Way> {
        let (mesh, end) = (self.mesh(from)?, self.mesh(to)?);
        mesh.check_same_triangles(&end, &format!("{name}0"), &format!("{name}1"))?;
        Ok(Way {
            fitted: self.fitted(&mesh)?,
            from: None,
            to: self.current_positions(&end)?,
            representatives: mesh.representatives(|make| self.workers.run(make))?,
            known: None,
            mesh,
        })
    }

    fn way_with_itself(&self, mesh: [u64; 2], rule: MeetingRule) -> Result<Way> {
        let mut way = self.way(mesh, "mesh")?;
        if rule.separation == 0.0 {
            let run = |make: &(dyn Fn() -> Neighbourhoods + Sync)| self.workers.run(make);
            way.known = Some(way.mesh.neighbourhoods(&way.fitted, run)?);
        }
        Ok(way)
    }
}

pub(super) fn too_many(found: TooMany, capacity: u64) -> Error {
    Error::BufferTooSmall {
        what: "pairs",
        given: capacity,
        needed: found.needed,
    }
}

fn check_tolerance(tolerance: Option<f64>) -> Result<()> {
    tolerance.map_or(Ok(()), |given| check_distance("tolerance", given))
}

fn sweep_rule(tolerance: Option<f64>) -> MeetingRule {
    MeetingRule {
        separation: tolerance.unwrap_or(0.0),
        start: true,
    }
}
