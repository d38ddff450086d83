//! Sweep: the first contact of two meshes while each vertex moves on a straight line.

use crate::geometry::representatives::Representatives;
use crate::geometry::surface::Surface;
use crate::geometry::sweep::{Impact, Moving, sweep};
use crate::scene::hierarchy::Moment;
use crate::scene::mesh::Mesh;
use glam::Vec3;
use std::sync::Arc;

/// A mesh on its way from one moment to other positions.
pub struct Way {
    /// The mesh at the beginning.
    pub mesh: Arc<Mesh>,
    /// Where it begins.
    pub from: Arc<Moment>,
    /// Where its vertices end.
    pub to: Vec<Vec3>,
    /// Of its triangles.
    pub representatives: Arc<Representatives>,
}

impl Way {
    fn moving(&self) -> Moving<'_> {
        Moving {
            from: Surface {
                positions: &self.from.positions,
                triangles: &self.mesh.triangles,
            },
            to: &self.to,
            bvh: self.from.bvh(),
            representatives: &self.representatives,
        }
    }

    /// The longest side of the box around its beginning.
    fn size(&self) -> f64 {
        f64::from(self.from.bvh().bounds().size().max_element())
    }
}

/// The tolerance of a sweep that names none, in sizes of the larger mesh.
const TOLERANCE: f64 = 1e-6;

/// The first impact; None is a proof that nothing touches. Without a tolerance it is a millionth of the larger mesh.
pub fn run(a: &Way, b: &Way, tolerance: Option<f64>) -> Option<Impact> {
    let tolerance = tolerance.unwrap_or_else(|| TOLERANCE * a.size().max(b.size()));
    sweep(a.moving(), b.moving(), tolerance)
}
