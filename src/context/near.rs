//! Near lists of a context's meshes, on the CPU pool.

use super::Context;
use crate::error::{Result, invalid};
use crate::geometry::continuous::impacts::Features;
use crate::geometry::near::FeaturePair;
use crate::geometry::near::per_vertex::PairsPerVertex;
use crate::query::near::{self, NearMesh, NearRequest, NearSide, OfOneMesh};
use crate::scene::pose::{Pose, check_distance};
use glam::Vec3;

impl Context {
    /// All vertex-face and edge-edge pairs of two meshes that are closer than a thickness.
    pub fn near_pairs(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        request: &NearRequest,
        capacity: u64,
    ) -> Result<Vec<FeaturePair>> {
        let (a, b) = (self.near_mesh(a)?, self.near_mesh(b)?);
        request.check([&a, &b].map(|m| m.placed.mesh.vertices), false)?;
        self.workers.run(|| near::run(&a, &b, request, capacity))?
    }

    /// The same for a mesh and itself; pairs closer than the thickness in the mesh `rest` are left out.
    pub fn near_pairs_self(
        &self,
        mesh: u64,
        request: &NearRequest,
        rest: Option<u64>,
        capacity: u64,
    ) -> Result<Vec<FeaturePair>> {
        self.with_itself(mesh, request, rest, |mesh, of_one| {
            near::of_itself(mesh, request, of_one, capacity)
        })
    }

    /// How far each vertex of two meshes may move while all near pairs stay more than `separation` apart.
    pub fn safe_distances(
        &self,
        [a, b]: [(u64, Pose); 2],
        request: &NearRequest,
        separation: f64,
    ) -> Result<[Vec<f64>; 2]> {
        check_safe(request, separation)?;
        let (a, b) = (self.near_mesh(a)?, self.near_mesh(b)?);
        request.check([&a, &b].map(|m| m.placed.mesh.vertices), false)?;
        self.workers
            .run(|| near::safe_distances(&a, &b, request, separation))?
    }

    /// The same for a mesh and itself.
    pub fn safe_distances_self(
        &self,
        mesh: u64,
        request: &NearRequest,
        rest: Option<u64>,
        separation: f64,
    ) -> Result<Vec<f64>> {
        check_safe(request, separation)?;
        self.with_itself(mesh, request, rest, |mesh, of_one| {
            near::safe_distances_of_itself(mesh, request, of_one, separation)
        })
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

    fn near_mesh(&self, (id, pose): (u64, Pose)) -> Result<NearMesh> {
        let placed = self.placed((id, pose))?;
        let representatives = placed.mesh.representatives(|make| self.workers.run(make))?;
        Ok(NearMesh {
            placed,
            representatives,
        })
    }

    fn with_itself<T: Send>(
        &self,
        id: u64,
        request: &NearRequest,
        rest: Option<u64>,
        work: impl FnOnce(&NearMesh, &OfOneMesh) -> Result<T> + Send,
    ) -> Result<T> {
        let mesh = self.near_mesh((id, Pose::default()))?;
        request.check([mesh.placed.mesh.vertices; 2], true)?;
        let rest: Option<Vec<Vec3>> = rest.map(|rest| self.rest_of(&mesh, rest)).transpose()?;
        let neighbours = (request.rings > 0)
            .then(|| {
                let of = &mesh.placed.mesh;
                of.vertex_neighbours(&mesh.representatives, |make| self.workers.run(make))
            })
            .transpose()?;
        let of_one = OfOneMesh {
            neighbours: neighbours.as_deref(),
            rest: rest.as_deref(),
        };
        self.workers.run(|| work(&mesh, &of_one))?
    }

    fn rest_of(&self, mesh: &NearMesh, rest: u64) -> Result<Vec<Vec3>> {
        let (mesh, rest) = (&mesh.placed.mesh, self.mesh(rest)?);
        if (mesh.vertices, &mesh.triangles) != (rest.vertices, &rest.triangles) {
            return Err(invalid(format!(
                "the rest shape \"{}\" must have the triangles of \"{}\"",
                rest.label, mesh.label
            )));
        }
        self.current_positions(&rest)
    }
}

fn check_safe(request: &NearRequest, separation: f64) -> Result<()> {
    check_distance("separation", separation)?;
    if request.per_vertex.iter().any(Option::is_some) {
        return Err(invalid(
            "safe distances need one thickness for all vertices: leave thickness_a and thickness_b null",
        ));
    }
    Ok(())
}
