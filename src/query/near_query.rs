//! Near lists and safe distances as planned queries, of two meshes or of one.

use super::exact::{ExactQuery, MeshesAt, StandingMesh};
use super::near::{self, NearMesh, NearRequest, OfOneMesh};
use crate::error::{Result, invalid};
use crate::geometry::near::FeaturePair;
use crate::geometry::positions::SharedPositions;
use crate::geometry::topology::edges::VertexNeighbours;
use crate::memory;
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, check_distance};
use std::sync::Arc;

/// What a near list is asked about.
pub struct NearMeshes {
    a: StandingMesh,
    /// None for a mesh and itself.
    b: Option<StandingMesh>,
    rest: Option<Arc<Mesh>>,
    request: NearRequest,
}

impl NearMeshes {
    /// Two meshes.
    pub fn two(a: StandingMesh, b: StandingMesh, request: NearRequest) -> Result<Self> {
        request.check([&a, &b].map(|body| body.mesh.vertices), false)?;
        Ok(Self {
            a,
            b: Some(b),
            rest: None,
            request,
        })
    }

    /// A mesh and itself; pairs closer than the thickness in `rest` are left out.
    pub fn one(mesh: Arc<Mesh>, rest: Option<Arc<Mesh>>, request: NearRequest) -> Result<Self> {
        request.check([mesh.vertices; 2], true)?;
        if let Some(rest) = &rest
            && (mesh.vertices, &mesh.triangles) != (rest.vertices, &rest.triangles)
        {
            return Err(invalid(format!(
                "the rest shape \"{}\" must have the triangles of \"{}\"",
                rest.label, mesh.label
            )));
        }
        Ok(Self {
            a: StandingMesh::new(mesh, Pose::default())?,
            b: None,
            rest,
            request,
        })
    }

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        let bodies = [Some(&self.a), self.b.as_ref()].into_iter().flatten();
        bodies
            .map(|body| &body.mesh)
            .chain(self.rest.as_ref())
            .collect()
    }

    fn prepare(&self, source: &MeshesAt) -> Result<PreparedNear> {
        let near = |body: &StandingMesh| -> Result<NearMesh> {
            Ok(NearMesh {
                placed: source.placed(body)?,
                representatives: source.representatives(&body.mesh)?,
            })
        };
        let a = near(&self.a)?;
        let mut neighbours = None;
        if self.request.rings > 0 {
            let run = |make: &(dyn Fn() -> VertexNeighbours + Sync)| source.workers().run(make);
            neighbours = Some((self.a.mesh).vertex_neighbours(&a.representatives, run)?);
        }
        let rest = self.rest.as_ref().map(|rest| source.moment(rest));
        Ok(PreparedNear {
            a,
            b: self.b.as_ref().map(near).transpose()?,
            neighbours,
            rest: rest.transpose()?.map(|moment| moment.positions),
        })
    }
}

/// The meshes of a near list at one moment.
pub struct PreparedNear {
    a: NearMesh,
    b: Option<NearMesh>,
    neighbours: Option<Arc<VertexNeighbours>>,
    rest: Option<SharedPositions>,
}

impl PreparedNear {
    fn of_one(&self) -> OfOneMesh<'_> {
        OfOneMesh {
            neighbours: self.neighbours.as_deref(),
            rest: self.rest.as_ref().map(SharedPositions::all),
        }
    }
}

/// A planned near list.
pub struct NearQuery {
    bodies: NearMeshes,
    capacity: u64,
}

impl NearQuery {
    /// At most `capacity` pairs.
    pub fn plan(bodies: NearMeshes, capacity: u64) -> Self {
        Self { bodies, capacity }
    }
}

impl ExactQuery for NearQuery {
    type Answer = Vec<FeaturePair>;
    type Prepared = PreparedNear;
    const NAME: &'static str = "near";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.bodies.meshes()
    }

    fn prepare(&self, source: &MeshesAt) -> Result<PreparedNear> {
        self.bodies.prepare(source)
    }

    fn run(&self, prepared: PreparedNear) -> Result<Vec<FeaturePair>> {
        let (PreparedNear { a, b, .. }, request) = (&prepared, &self.bodies.request);
        match b {
            Some(b) => near::run(a, b, request, self.capacity),
            None => near::of_itself(a, request, &prepared.of_one(), self.capacity),
        }
    }
}

/// Planned safe distances: those of the first mesh's vertices, then those of the second's.
pub struct SafeDistancesQuery {
    bodies: NearMeshes,
    separation: f64,
}

impl SafeDistancesQuery {
    /// How far each vertex may move while all near pairs stay more than `separation` apart.
    pub fn plan(bodies: NearMeshes, separation: f64) -> Result<Self> {
        check_distance("separation", separation)?;
        if bodies.request.per_vertex.iter().any(Option::is_some) {
            return Err(invalid(
                "safe distances need one thickness for all vertices: leave thickness_a and thickness_b null",
            ));
        }
        Ok(Self { bodies, separation })
    }
}

impl ExactQuery for SafeDistancesQuery {
    type Answer = Vec<f64>;
    type Prepared = PreparedNear;
    const NAME: &'static str = "safe distances";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.bodies.meshes()
    }

    fn prepare(&self, source: &MeshesAt) -> Result<PreparedNear> {
        self.bodies.prepare(source)
    }

    fn run(&self, prepared: PreparedNear) -> Result<Vec<f64>> {
        let (PreparedNear { a, b, .. }, request) = (&prepared, &self.bodies.request);
        match b {
            Some(b) => {
                let [mut all, of_b] = near::safe_distances(a, b, request, self.separation)?;
                memory::add_all(&mut all, &of_b);
                Ok(all)
            }
            None => {
                let of_one = prepared.of_one();
                near::safe_distances_of_itself(a, request, &of_one, self.separation)
            }
        }
    }
}
