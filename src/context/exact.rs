//! Exact queries of a context: answered at once, on the CPU pool.

use super::Context;
use crate::error::Result;
use crate::geometry::continuous::impacts::{Impact, MeetingRule};
use crate::geometry::tetrahedra::VertexInside;
use crate::memory;
pub use crate::query::distance::DistanceRequest;
use crate::query::distance::{DistanceAnswer, DistanceQuery, PreparedDistance};
pub(super) use crate::query::exact::too_many;
use crate::query::exact::{self, ExactQuery, MeshesAt, StandingMesh};
use crate::query::exits::{ExitsQuery, PointExit};
use crate::query::pairs::{PairsQuery, SelfPairsQuery, WorldPair};
use crate::query::placed::Placed;
use crate::query::sweep::{
    ImpactsQuery, MeshStep, MeshWay, RigidMove, SweepQuery, check_tolerance,
};
use crate::query::tetrahedra::{TetrahedraCopy, TetrahedraQuery};
use crate::scene::hierarchy::FittedMesh;
use crate::scene::mesh::{Mesh, MeshMoment};
use crate::scene::pose::Pose;
use glam::Vec3;
use rayon::prelude::*;
use std::sync::Arc;

impl Context {
    /// The answer of an exact query, at once.
    pub fn ask_exact<Q: ExactQuery>(&self, query: &Q) -> Result<Q::Answer> {
        exact::ask(query, &self.now())
    }

    /// Meshes as they are now, each read and fitted once.
    pub(super) fn now(&self) -> MeshesAt<'_> {
        MeshesAt::new(&self.workers, |mesh| self.moment(mesh))
    }

    pub(super) fn moment(&self, mesh: &Arc<Mesh>) -> Result<MeshMoment> {
        match mesh.moment() {
            Some(moment) => Ok(moment),
            None => mesh.moment_of(self.current_positions(mesh)?),
        }
    }

    pub(super) fn fitted(&self, mesh: &Arc<Mesh>) -> Result<Arc<FittedMesh>> {
        self.now().fitted(mesh)
    }

    /// A mesh where it stands.
    pub(super) fn standing(&self, (id, pose): (u64, Pose)) -> Result<StandingMesh> {
        StandingMesh::new(self.mesh(id)?, pose)
    }

    /// Plans how far two meshes are apart.
    pub fn plan_distance(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        request: &DistanceRequest,
    ) -> Result<DistanceQuery> {
        DistanceQuery::plan([self.standing(a)?, self.standing(b)?], *request)
    }

    /// How far two meshes are apart.
    pub fn distance(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        request: &DistanceRequest,
    ) -> Result<DistanceAnswer> {
        self.ask_exact(&self.plan_distance(a, b, request)?)
    }

    /// How far the meshes of each pair are apart, all on the pool at once.
    pub fn distances(
        &self,
        pairs: &[([(u64, Pose); 2], DistanceRequest)],
    ) -> Result<Vec<DistanceAnswer>> {
        let (now, mut placed) = (self.now(), memory::with_room(pairs.len(), "pairs")?);
        for ([a, b], request) in pairs {
            request.check()?;
            let bodies = [self.standing(*a)?, self.standing(*b)?];
            placed.push(request.prepare(&bodies, &now)?);
        }
        let mut answers = memory::with_room(pairs.len(), "distances")?;
        self.workers.run(|| {
            placed
                .par_iter()
                .with_max_len(1)
                .map(PreparedDistance::run)
                .collect_into_vec(&mut answers);
        })?;
        Ok(answers)
    }

    /// Plans how deep points are inside a mesh, and their ways out.
    pub fn plan_exits(&self, body: (u64, Pose), points: &[Vec3]) -> Result<ExitsQuery> {
        ExitsQuery::plan(self.standing(body)?, points)
    }

    /// Those ways.
    pub fn exits(&self, body: (u64, Pose), points: &[Vec3]) -> Result<Vec<PointExit>> {
        self.ask_exact(&self.plan_exits(body, points)?)
    }

    /// Plans all pairs of triangles at most `within` apart, at most `capacity`; 0 for those that intersect.
    pub fn plan_pairs(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        within: f64,
        capacity: u64,
    ) -> Result<PairsQuery> {
        PairsQuery::plan([self.standing(a)?, self.standing(b)?], within, capacity)
    }

    /// Those pairs.
    pub fn pairs(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        within: f64,
        capacity: u64,
    ) -> Result<Vec<WorldPair>> {
        self.ask_exact(&self.plan_pairs(a, b, within, capacity)?)
    }

    /// Plans all pairs of triangles of a mesh that intersect where they should not, at most `capacity`.
    pub fn plan_self_pairs(&self, id: u64, capacity: u64) -> Result<SelfPairsQuery> {
        Ok(SelfPairsQuery::plan(self.mesh(id)?, capacity))
    }

    /// Those pairs.
    pub fn self_pairs(&self, id: u64, capacity: u64) -> Result<Vec<[u32; 2]>> {
        self.ask_exact(&self.plan_self_pairs(id, capacity)?)
    }

    /// Plans a step of two meshes, or of one with itself, in which each vertex goes straight from its place in the first of a pair to its
    /// place in the second.
    pub fn plan_step(
        &self,
        a: [u64; 2],
        b: Option<[u64; 2]>,
        rule: MeetingRule,
    ) -> Result<MeshStep> {
        let way = |[from, to]: [u64; 2], name| MeshWay::new(self.mesh(from)?, self.mesh(to)?, name);
        match b {
            Some(b) => MeshStep::new(way(a, "a")?, Some(way(b, "b")?), rule),
            None => MeshStep::new(way(a, "mesh")?, None, rule),
        }
    }

    /// All impacts of two meshes in a step, as for [`Context::plan_step`].
    pub fn impacts(&self, a: [u64; 2], b: [u64; 2], rule: MeetingRule) -> Result<Vec<Impact>> {
        self.ask_exact(&ImpactsQuery(self.plan_step(a, Some(b), rule)?))
    }

    /// All impacts of a mesh with itself.
    pub fn impacts_of_itself(&self, mesh: [u64; 2], rule: MeetingRule) -> Result<Vec<Impact>> {
        self.ask_exact(&ImpactsQuery(self.plan_step(mesh, None, rule)?))
    }

    /// Plans the first impact in a step, triangles that intersect at the start among them.
    pub fn plan_sweep(
        &self,
        a: [u64; 2],
        b: Option<[u64; 2]>,
        tolerance: Option<f64>,
    ) -> Result<SweepQuery> {
        check_tolerance(tolerance)?;
        let rule = MeetingRule {
            separation: tolerance.unwrap_or(0.0),
            start: true,
        };
        Ok(SweepQuery::Straight(self.plan_step(a, b, rule)?))
    }

    /// The first impact of two meshes. None is a proof that nothing meets.
    pub fn sweep(
        &self,
        a: [u64; 2],
        b: [u64; 2],
        tolerance: Option<f64>,
    ) -> Result<Option<Impact>> {
        self.ask_exact(&self.plan_sweep(a, Some(b), tolerance)?)
    }

    /// The first impact of a mesh with itself.
    pub fn sweep_self(&self, mesh: [u64; 2], tolerance: Option<f64>) -> Result<Option<Impact>> {
        self.ask_exact(&self.plan_sweep(mesh, None, tolerance)?)
    }

    /// Plans the first impact of two rigid meshes that go from one pose to another by screws.
    pub fn plan_sweep_poses(
        &self,
        (a, way_a): (u64, [Pose; 2]),
        (b, way_b): (u64, [Pose; 2]),
        tolerance: Option<f64>,
    ) -> Result<SweepQuery> {
        let bodies = [self.standing((a, way_a[0]))?, self.standing((b, way_b[0]))?];
        let rigid = RigidMove::new(bodies, [way_a[1], way_b[1]], tolerance)?;
        Ok(SweepQuery::Screws(Box::new(rigid)))
    }

    /// That impact.
    pub fn sweep_poses(
        &self,
        a: (u64, [Pose; 2]),
        b: (u64, [Pose; 2]),
        tolerance: Option<f64>,
    ) -> Result<Option<Impact>> {
        self.ask_exact(&self.plan_sweep_poses(a, b, tolerance)?)
    }

    /// All vertices inside tetrahedra of any body, at most `capacity`.
    pub fn vertices_inside(
        &self,
        bodies: Vec<TetrahedraCopy>,
        capacity: u64,
    ) -> Result<Vec<VertexInside>> {
        self.ask_exact(&TetrahedraQuery::plan(bodies, capacity)?)
    }

    pub(super) fn placed(&self, place: (u64, Pose)) -> Result<Placed> {
        self.now().placed(&self.standing(place)?)
    }

    pub(super) fn placed_mesh(&self, mesh: &Arc<Mesh>, pose: Pose) -> Result<Placed> {
        self.now().placed(&StandingMesh::new(mesh.clone(), pose)?)
    }
}
