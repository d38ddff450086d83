//! Vertices inside tetrahedra of bodies that the caller hands over with the query, and how deep.

use super::exact::{ExactQuery, MeshesAt, room, too_many};
use crate::error::{Result, invalid};
use crate::geometry::bounded::TooMany;
use crate::geometry::tetrahedra::{
    TetrahedralBody, VertexDepth, VertexInside, penetration_depths, vertices_inside,
};
use crate::memory;
use crate::scene::mesh::{Mesh, check_positions};
use glam::Vec3;
use std::sync::Arc;

/// A body of tetrahedra, copied from the caller's arrays.
#[derive(Clone)]
pub struct TetrahedraCopy {
    /// Vertex positions.
    pub positions: Vec<Vec3>,
    /// Four vertex indices per tetrahedron, in either orientation.
    pub tetrahedra: Vec<[u32; 4]>,
}

/// Bodies whose arrays fit together, and how many answers are taken.
struct CheckedBodies {
    bodies: Vec<TetrahedraCopy>,
    capacity: u64,
}

impl CheckedBodies {
    fn of(bodies: Vec<TetrahedraCopy>, capacity: u64) -> Result<Self> {
        for (at, body) in bodies.iter().enumerate() {
            check_positions(&body.positions, 0)
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
        Ok(Self { bodies, capacity })
    }

    fn ask<T>(
        &self,
        find: impl FnOnce(&[TetrahedralBody], usize) -> std::result::Result<Vec<T>, TooMany>,
    ) -> Result<Vec<T>> {
        let seen = self.bodies.iter().map(|body| TetrahedralBody {
            positions: &body.positions,
            tetrahedra: &body.tetrahedra,
        });
        let bodies = memory::collect(seen, "bodies")?;
        find(&bodies, room(self.capacity)).map_err(|found| too_many(found, self.capacity))
    }
}

/// Planned vertices inside tetrahedra.
pub struct TetrahedraQuery(CheckedBodies);

impl TetrahedraQuery {
    /// Of all bodies, at most `capacity`.
    pub fn plan(bodies: Vec<TetrahedraCopy>, capacity: u64) -> Result<Self> {
        CheckedBodies::of(bodies, capacity).map(Self)
    }
}

impl ExactQuery for TetrahedraQuery {
    type Answer = Vec<VertexInside>;
    type Prepared = ();
    const NAME: &'static str = "tetrahedra";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        Vec::new()
    }

    fn prepare(&self, _source: &MeshesAt) -> Result<()> {
        Ok(())
    }

    fn run(&self, (): ()) -> Result<Vec<VertexInside>> {
        self.0.ask(vertices_inside)
    }
}

/// Planned depths of vertices inside tetrahedra.
pub struct TetrahedraDepthsQuery(CheckedBodies);

impl TetrahedraDepthsQuery {
    /// Of all bodies, at most `capacity`.
    pub fn plan(bodies: Vec<TetrahedraCopy>, capacity: u64) -> Result<Self> {
        CheckedBodies::of(bodies, capacity).map(Self)
    }
}

impl ExactQuery for TetrahedraDepthsQuery {
    type Answer = Vec<VertexDepth>;
    type Prepared = ();
    const NAME: &'static str = "tetrahedra depths";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        Vec::new()
    }

    fn prepare(&self, _source: &MeshesAt) -> Result<()> {
        Ok(())
    }

    fn run(&self, (): ()) -> Result<Vec<VertexDepth>> {
        self.0.ask(penetration_depths)
    }
}
