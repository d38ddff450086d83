//! A meeting: a mesh N, somewhere in the world, seen from the frame of a field M.

use crate::error::Result;
use crate::field::Field;
use crate::gpu::device::Device;
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks;
use crate::gpu::shader::kernels::MeetingBindings;
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use glam::{DAffine3, DVec3};
use std::sync::Arc;

/// A field and a mesh, each with its pose.
#[derive(Clone)]
pub struct Meeting {
    /// The field, M.
    pub field: Arc<Field>,
    /// Where its frame stands.
    pub field_pose: Pose,
    /// The mesh, N.
    pub mesh: Arc<Mesh>,
    /// Where it stands.
    pub mesh_pose: Pose,
}

impl Meeting {
    /// Refuses poses that are not rigid.
    pub fn validate(&self) -> Result<()> {
        self.field_pose.validate()?;
        self.mesh_pose.validate()
    }

    /// Takes the mesh's frame to the field's, in double precision. Nothing moves between equal poses.
    pub fn motion(&self) -> DAffine3 {
        self.mesh_pose.relative_to(&self.field_pose)
    }

    /// The world place of a point of the field's frame.
    pub fn world(&self, point: DVec3) -> DVec3 {
        self.field_pose.apply(point)
    }

    /// A direction of the field's frame along the world's axes.
    pub fn world_direction(&self, direction: DVec3) -> DVec3 {
        self.field_pose.matrix() * direction
    }

    /// A direction of the world along the field's axes.
    pub fn field_direction(&self, direction: DVec3) -> DVec3 {
        self.field_pose.matrix().transpose() * direction
    }

    /// The meeting as kernels read it.
    pub(crate) fn params(&self, device: &Device) -> blocks::Meeting {
        let motion = self.motion();
        placed_mesh(&self.mesh, &motion, (1.0, motion.translation), device)
    }

    /// What the kernels bind of the mesh.
    pub(crate) fn bindings(&self, device: &Device) -> MeetingBindings<'_> {
        mesh_bindings(&self.mesh, device)
    }
}

/// A mesh in the frame of a field, as kernels read it: turned by a motion, scaled and shifted.
pub(crate) fn placed_mesh(
    mesh: &Mesh,
    motion: &DAffine3,
    (scale, shift): (f64, DVec3),
    device: &Device,
) -> blocks::Meeting {
    let positions = mesh.positions(device);
    blocks::Meeting {
        rows: rows(motion, scale, shift),
        shift: shift.length() as f32 * 1.000_001,
        clusters: mesh.clusters.len() as u32,
        first: positions.first,
        stride: positions.stride,
    }
}

/// A motion with its rotation scaled, as rows of a matrix with the shift at the end.
pub(crate) fn rows(motion: &DAffine3, scale: f64, shift: DVec3) -> [[f32; 4]; 3] {
    let turn = motion.matrix3.transpose();
    let row = |axis: DVec3, at: f64| (axis * scale).extend(at).as_vec4().to_array();
    [
        row(turn.x_axis, shift.x),
        row(turn.y_axis, shift.y),
        row(turn.z_axis, shift.z),
    ]
}

/// What the kernels of a meeting bind of its mesh.
pub(crate) fn mesh_bindings<'a>(mesh: &'a Mesh, device: &Device) -> MeetingBindings<'a> {
    MeetingBindings {
        positions: mesh.positions(device).bound,
        indices: Bound::whole(&mesh.on(device).cluster_indices),
        clusters: Bound::whole(&mesh.on(device).cluster_bounds),
        ranges: Bound::whole(&mesh.on(device).cluster_ranges),
    }
}
