//! A meeting: a mesh N, somewhere in the world, seen from the frame of a field M.

use crate::error::Result;
use crate::field::Field;
use crate::field::texture::Sampling;
use crate::gpu::device::Device;
use crate::gpu::recorder::Bound;
use crate::scene::mesh::{Mesh, PositionBinding};
use crate::scene::pose::Pose;
use bytemuck::{Pod, Zeroable};
use glam::{DAffine3, DVec3};
use std::sync::Arc;

/// How a mesh lies in the frame of a field: see `meeting.glsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct MeetingParams {
    pub rows: [[f32; 4]; 3],
    pub shift: f32,
    pub clusters: u32,
    pub first: u32,
    pub stride: u32,
}

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

    /// Whether kernels read everything of the mesh through texel views.
    pub(crate) fn is_texel(&self, device: &Device) -> bool {
        self.mesh.positions(device).is_texel()
            && self.mesh.cluster_indices.has_texels()
            && self.mesh.cluster_bounds.has_texels()
    }

    fn positions(&self, device: &Device) -> PositionBinding<'_> {
        let positions = self.mesh.positions(device);
        if self.is_texel(device) {
            positions
        } else {
            positions.as_storage()
        }
    }

    /// What the kernels are told of the meeting.
    pub(crate) fn params(&self, device: &Device) -> MeetingParams {
        let motion = self.motion();
        let (turn, shift) = (motion.matrix3.transpose(), motion.translation);
        let row = |axis: DVec3, at: f64| axis.extend(at).as_vec4().to_array();
        let positions = self.positions(device);
        MeetingParams {
            rows: [
                row(turn.x_axis, shift.x),
                row(turn.y_axis, shift.y),
                row(turn.z_axis, shift.z),
            ],
            shift: shift.length() as f32 * 1.000_001,
            clusters: self.mesh.clusters.len() as u32,
            first: positions.first,
            stride: positions.stride,
        }
    }

    /// The first four bindings of `meeting.glsl`.
    pub(crate) fn bound(&self, device: &Device) -> [Bound<'_>; 4] {
        let texel = self.is_texel(device);
        [
            self.positions(device).bound,
            Bound::viewed(&self.mesh.cluster_indices, texel),
            Bound::viewed(&self.mesh.cluster_bounds, texel),
            Bound::Buffer(&self.mesh.cluster_ranges),
        ]
    }

    /// Which of a kernel's variants to take, in the order `[texel, storage] x [direction, distance, sparse]`.
    pub(crate) fn variant(&self, device: &Device) -> usize {
        let sampling = match self.field.texture.sampling() {
            Sampling::Direction => 0,
            Sampling::Distance => 1,
            Sampling::Sparse => 2,
        };
        if self.is_texel(device) {
            sampling
        } else {
            sampling + 3
        }
    }
}
