//! Near lists of a context's meshes, on the CPU pool.

use super::Context;
use crate::error::Result;
use crate::geometry::continuous::impacts::Features;
use crate::geometry::near::FeaturePair;
use crate::geometry::near::per_vertex::PairsPerVertex;
use crate::query::near::{self, NearRequest, NearSide};
use crate::query::near_query::{NearMeshes, NearQuery, SafeDistancesQuery};
use crate::scene::pose::Pose;

impl Context {
    /// What a near list of two meshes is asked about.
    pub fn near_bodies(
        &self,
        [a, b]: [(u64, Pose); 2],
        request: NearRequest,
    ) -> Result<NearMeshes> {
        NearMeshes::two(self.standing(a)?, self.standing(b)?, request)
    }

    /// The same for a mesh and itself; pairs closer than the thickness in the mesh `rest` are left out.
    pub fn near_body(
        &self,
        mesh: u64,
        rest: Option<u64>,
        request: NearRequest,
    ) -> Result<NearMeshes> {
        let mesh = self.mesh(mesh)?;
        let rest = rest.map(|rest| self.mesh(rest)).transpose()?;
        NearMeshes::one(mesh, rest, request)
    }

    /// All vertex-face and edge-edge pairs that are closer than a thickness.
    pub fn near_pairs(&self, bodies: NearMeshes, capacity: u64) -> Result<Vec<FeaturePair>> {
        self.ask_exact(&NearQuery::plan(bodies, capacity))
    }

    /// How far each vertex of the first mesh, then of the second, may move while all near pairs stay more than `separation` apart.
    pub fn safe_distances(&self, bodies: NearMeshes, separation: f64) -> Result<Vec<f64>> {
        self.ask_exact(&SafeDistancesQuery::plan(bodies, separation)?)
    }

    /// A near list by the vertices of one of its meshes.
    pub fn near_per_vertex(
        &self,
        mesh: u64,
        side: NearSide,
        pairs: &[(Features, f64)],
    ) -> Result<PairsPerVertex> {
        let mesh = self.mesh(mesh)?;
        near::per_vertex(pairs, side, &mesh.triangles, mesh.vertices)
    }
}
