//! A mesh as a view takes it: at one moment, somewhere in the world, and nothing built for it beforehand.
//!
//! FAR, section 4.2: no hierarchy, so that bodies whose triangles are others in every frame cost no more than those that stay.

use super::view::Region;
use crate::geometry::aabb::Aabb;
use crate::geometry::surface::Surface;
use crate::memory::Gather;
use crate::query::placed::PlacedTriangles;
use crate::scene::mesh::{Mesh, MeshMoment};
use crate::scene::pose::Pose;
use std::sync::Arc;

/// Positions at one moment, and boxes around clusters.
pub struct ClusterBoxes {
    moment: MeshMoment,
    boxes: Vec<Aabb>,
    bounds: Aabb,
}

impl ClusterBoxes {
    /// Those of a mesh; `moment` is one of its.
    pub fn new(mesh: &Mesh, moment: MeshMoment) -> Self {
        let surface = Surface {
            positions: moment.positions.all(),
            triangles: &mesh.triangles,
        };
        let around = |triangles: &[u32]| {
            let boxes = triangles.iter().map(|&t| surface.triangle_box(t));
            boxes.fold(Aabb::EMPTY, |all, one| all.union(one))
        };
        let boxes: Vec<Aabb> = mesh.clusters.iter().map(around).gather();
        let bounds = boxes.iter().fold(Aabb::EMPTY, |all, &one| all.union(one));
        Self {
            moment,
            boxes,
            bounds,
        }
    }
}

/// A mesh at a moment and where it stands.
#[derive(Clone)]
pub struct Drawn {
    /// The mesh.
    pub mesh: Arc<Mesh>,
    /// Its place in the world.
    pub pose: Pose,
    now: Arc<ClusterBoxes>,
}

impl Drawn {
    /// `now` is of the mesh.
    pub fn new(mesh: Arc<Mesh>, pose: Pose, now: Arc<ClusterBoxes>) -> Self {
        Self { mesh, pose, now }
    }

    /// Its triangles.
    pub fn triangles(&self) -> PlacedTriangles<'_> {
        PlacedTriangles {
            surface: Surface {
                positions: self.now.moment.positions.all(),
                triangles: &self.mesh.triangles,
            },
            pose: &self.pose,
        }
    }

    /// The boxes of its clusters, in its own frame.
    pub(super) fn boxes(&self) -> &[Aabb] {
        &self.now.boxes
    }

    /// The box around it, in its own frame.
    pub(super) fn bounds(&self) -> Aabb {
        self.now.bounds
    }

    /// A box in the world that holds it, tighter than its moved box.
    pub fn region(&self) -> Region {
        let one = |b: &Aabb| Region::around(*b, &self.pose, 0.0);
        let all = self.boxes().iter().map(one);
        all.fold(Region::NOWHERE, |all, one| all.union(&one))
    }

    /// Whether the device has, or will have with what is staged, the positions of this moment.
    pub(super) fn is_current(&self) -> bool {
        self.now.moment.is_latest(&self.mesh)
    }

    /// No point of the mesh is farther from the origin of its frame.
    pub(super) fn radius(&self) -> f64 {
        let Aabb { min, max } = self.bounds();
        min.abs().max(max.abs()).as_dvec3().length()
    }
}
