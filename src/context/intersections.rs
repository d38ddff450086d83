//! Exact intersections of a context.

use super::Context;
use crate::error::Result;
use crate::geometry::volume::{BooleanOperation, BoundaryTriangle};
use crate::lock::lock;
use crate::query::contacts::Manifold;
use crate::query::exact_volume::{
    ExactCurve, ExactCurvePoint, ExactIntersection, ExactRegion, ExactVolume, VertexGradient,
};
use crate::query::intersection_query::{ExactVolumeQuery, IntersectionQuery};
use crate::query::region_contacts::RegionContactOptions;
use crate::scene::pose::Pose;
use crate::scene::slots::Slots;
use glam::DVec3;
use std::sync::{Arc, MutexGuard};

impl Context {
    fn intersections(&self) -> MutexGuard<'_, Slots<Arc<ExactIntersection>>> {
        lock(&self.intersections)
    }

    /// Plans what two closed meshes have in common.
    pub fn plan_intersection(&self, a: (u64, Pose), b: (u64, Pose)) -> Result<IntersectionQuery> {
        Ok(IntersectionQuery::plan([
            self.standing(a)?,
            self.standing(b)?,
        ]))
    }

    /// What two closed meshes have in common, exactly.
    pub fn exact_volume(&self, a: (u64, Pose), b: (u64, Pose)) -> Result<ExactVolume> {
        self.ask_exact(&ExactVolumeQuery(self.plan_intersection(a, b)?))
    }

    /// Finds what two closed meshes have in common, to be asked about.
    pub fn create_intersection(&self, a: (u64, Pose), b: (u64, Pose)) -> Result<u64> {
        let found = self.ask_exact(&self.plan_intersection(a, b)?)?;
        self.keep_intersection(Arc::new(found))
    }

    /// Names an intersection that was found.
    pub fn keep_intersection(&self, found: Arc<ExactIntersection>) -> Result<u64> {
        self.intersections().insert(found)
    }

    /// Destroys an intersection.
    pub fn destroy_intersection(&self, id: u64) -> Result<()> {
        self.intersections().remove(id).map(drop)
    }

    fn of_intersection<T: Send>(
        &self,
        id: u64,
        ask: impl FnOnce(&ExactIntersection) -> Result<T> + Send,
    ) -> Result<T> {
        let intersection = self.intersections().get(id)?.clone();
        self.workers.run(|| ask(&intersection))?
    }

    /// The volume of an intersection, its moments and derivatives.
    pub fn intersection_volume(&self, id: u64) -> Result<ExactVolume> {
        self.of_intersection(id, |found| Ok(found.volume()))
    }

    /// Its connected parts, the largest first.
    pub fn intersection_regions(&self, id: u64) -> Result<Vec<ExactRegion>> {
        self.of_intersection(id, ExactIntersection::regions)
    }

    /// Its parts as contacts that a solver takes.
    pub fn intersection_contacts(
        &self,
        id: u64,
        options: &RegionContactOptions,
    ) -> Result<Manifold> {
        self.of_intersection(id, |found| found.contacts(options))
    }

    /// The curves where the surfaces cross.
    pub fn intersection_curves(&self, id: u64) -> Result<Vec<ExactCurve>> {
        self.of_intersection(id, ExactIntersection::curves)
    }

    /// The corners of those curves.
    pub fn intersection_curve_points(&self, id: u64) -> Result<Vec<ExactCurvePoint>> {
        self.of_intersection(id, ExactIntersection::curve_points)
    }

    /// How the volume changes as vertices move.
    pub fn intersection_gradients(&self, id: u64) -> Result<Vec<VertexGradient>> {
        self.of_intersection(id, |found| Ok(found.gradients()))
    }

    /// The corners of the boundary of a Boolean operation.
    pub fn boundary_vertices(&self, id: u64, operation: BooleanOperation) -> Result<Vec<DVec3>> {
        self.of_intersection(id, |found| found.boundary_vertices(operation))
    }

    /// The triangles of the boundary of a Boolean operation.
    pub fn boundary_triangles(
        &self,
        id: u64,
        operation: BooleanOperation,
    ) -> Result<Vec<BoundaryTriangle>> {
        self.of_intersection(id, |found| found.boundary_triangles(operation))
    }
}
