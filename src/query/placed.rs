//! A mesh as an exact query takes it: at one moment, somewhere in the world.

use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::hierarchy::placement::Placement;
use crate::scene::hierarchy::FittedMesh;
use crate::scene::mesh::Mesh;
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

impl Placed {
    /// The mesh as geometry takes it.
    pub fn fitted_surface(&self) -> FittedSurface<'_> {
        self.fitted.fitted_surface(&self.mesh)
    }

    /// The world place of a point of the mesh.
    pub fn world(&self, local: DVec3) -> DVec3 {
        if self.pose.is_identity() {
            local
        } else {
            self.pose.apply(local)
        }
    }

    /// Where `other` stands in this mesh's frame, in double precision. Nothing moves between equal poses.
    pub fn relative(&self, other: &Self) -> (Placement, DAffine3) {
        let motion = other.pose.relative_to(&self.pose);
        (Placement::new(motion), motion)
    }

    /// Whether the device has, or will have with what is staged, the positions of this moment.
    pub fn is_current(&self) -> bool {
        self.fitted.is_latest(&self.mesh)
    }

    /// No point of the mesh is farther from the origin of its frame.
    pub fn radius(&self) -> f64 {
        let bounds = self.fitted.bvh().bounds();
        bounds.min.abs().max(bounds.max.abs()).as_dvec3().length()
    }
}
