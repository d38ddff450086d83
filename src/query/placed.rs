//! A mesh as an exact query takes it: at one moment, somewhere in the world.

use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::surface::Surface;
use crate::scene::hierarchy::FittedMesh;
use crate::scene::mesh::{Mesh, MeshMoment};
use crate::scene::pose::Pose;
use glam::{DAffine3, DVec3};
use std::sync::Arc;

/// A mesh at a moment and where it stands.
#[derive(Clone)]
pub struct Placed {
    /// The mesh.
    pub mesh: Arc<Mesh>,
    /// Its positions and their hierarchy.
    pub fitted: Arc<FittedMesh>,
    /// Its place in the world.
    pub pose: Pose,
}

/// A mesh at a moment and where it stands, and nothing built for it.
pub struct PlacedMoment {
    /// The mesh.
    pub mesh: Arc<Mesh>,
    /// Its positions.
    pub moment: MeshMoment,
    /// Its place in the world.
    pub pose: Pose,
}

impl PlacedMoment {
    /// Its triangles.
    pub fn triangles(&self) -> PlacedTriangles<'_> {
        PlacedTriangles {
            surface: Surface {
                positions: self.moment.positions.all(),
                triangles: &self.mesh.triangles,
            },
            pose: &self.pose,
        }
    }

    /// No vertex is farther from the origin of the mesh's frame.
    pub fn radius(&self) -> f64 {
        let all = self.moment.positions.all();
        let farthest = (0..all.len() as u32).fold(DVec3::ZERO, |most, v| most.max(all.at(v).abs()));
        farthest.length()
    }
}

/// Triangles at a moment and where they stand; no hierarchy is needed for it.
#[derive(Clone, Copy)]
pub struct PlacedTriangles<'a> {
    /// The triangles in their own frame.
    pub surface: Surface<'a>,
    /// Their place in the world.
    pub pose: &'a Pose,
}

impl PlacedTriangles<'_> {
    /// The world place of a point of the mesh.
    pub fn world(&self, local: DVec3) -> DVec3 {
        if self.pose.is_identity() {
            local
        } else {
            self.pose.apply(local)
        }
    }

    /// Where `other` stands in this one's frame, in double precision. Nothing moves between equal poses.
    pub fn relative(&self, other: &Self) -> (Placement, DAffine3) {
        let motion = other.pose.relative_to(self.pose);
        (Placement::new(motion), motion)
    }
}

impl Placed {
    /// The mesh as geometry takes it.
    pub fn fitted_surface(&self) -> FittedSurface<'_> {
        self.fitted.fitted_surface(&self.mesh)
    }

    /// Its triangles alone.
    pub fn triangles(&self) -> PlacedTriangles<'_> {
        PlacedTriangles {
            surface: self.fitted_surface().surface,
            pose: &self.pose,
        }
    }

    /// The world place of a point of the mesh.
    pub fn world(&self, local: DVec3) -> DVec3 {
        self.triangles().world(local)
    }

    /// Where `other` stands in this mesh's frame, in double precision. Nothing moves between equal poses.
    pub fn relative(&self, other: &Self) -> (Placement, DAffine3) {
        self.triangles().relative(&other.triangles())
    }

    /// No point of the mesh is farther from the origin of its frame.
    pub fn radius(&self) -> f64 {
        self.fitted.radius()
    }
}
