//! Exact intersections of two meshes as planned queries: the whole, to be asked about, or its volume alone.

use super::exact::{ExactQuery, MeshesAt, StandingMesh, too_many};
use super::exact_volume::{ExactIntersection, ExactVolume};
use super::placed::Placed;
use crate::error::Result;
use crate::geometry::topology::forest::SpanningForest;
use crate::geometry::volume::BodyTopology;
use crate::scene::mesh::Mesh;
use std::sync::Arc;

/// What two closed meshes have in common, planned.
pub struct IntersectionQuery {
    bodies: [StandingMesh; 2],
}

/// Meshes at one moment, and what is known of those that their indices close.
type Bodies = [(Placed, Option<BodyTopology>); 2];

impl IntersectionQuery {
    /// Of two meshes.
    pub fn plan(bodies: [StandingMesh; 2]) -> Self {
        Self { bodies }
    }
}

impl ExactQuery for IntersectionQuery {
    type Answer = ExactIntersection;
    type Prepared = Bodies;
    const NAME: &'static str = "intersection";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.bodies.iter().map(|body| &body.mesh).collect()
    }

    fn prepare(&self, source: &MeshesAt) -> Result<Bodies> {
        let body = |body: &StandingMesh| -> Result<_> {
            let placed = source.placed(body)?;
            Ok((placed, closed_topology(source, &body.mesh)?))
        };
        let [a, b] = &self.bodies;
        Ok([body(a)?, body(b)?])
    }

    fn run(&self, [(a, closed_a), (b, closed_b)]: Bodies) -> Result<ExactIntersection> {
        ExactIntersection::of(a, b, [closed_a, closed_b]).map_err(|found| too_many(found, u64::MAX))
    }
}

/// What depends on the triangles alone of a mesh that its indices close: equal vertices of such a mesh need not be found.
fn closed_topology(source: &MeshesAt, mesh: &Mesh) -> Result<Option<BodyTopology>> {
    if !mesh.is_closed_by_index(|work| source.workers().run(work))? {
        return Ok(None);
    }
    let representatives = source.representatives(mesh)?;
    let run = |make: &(dyn Fn() -> SpanningForest + Sync)| source.workers().run(make);
    let forest = mesh.spanning_forest(&representatives, run)?;
    Ok(Some(BodyTopology {
        representatives,
        forest,
    }))
}

/// The volume of what two closed meshes have in common, with moments and derivatives, planned.
pub struct ExactVolumeQuery(pub IntersectionQuery);

impl ExactQuery for ExactVolumeQuery {
    type Answer = ExactVolume;
    type Prepared = Bodies;
    const NAME: &'static str = "exact intersection";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.0.meshes()
    }

    fn prepare(&self, source: &MeshesAt) -> Result<Bodies> {
        self.0.prepare(source)
    }

    fn run(&self, bodies: Bodies) -> Result<ExactVolume> {
        self.0.run(bodies).map(|found| found.volume())
    }
}
