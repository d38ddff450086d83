//! Snapshot: the positions of a mesh whose vertices only the engine has, brought to the host once.

use crate::error::Result;
use crate::gpu::buffer::Buffer;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader;
use crate::scene::mesh::Mesh;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::sync::Arc;

/// What `gather.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct GatherPush {
    vertices: u32,
    first: u32,
    stride: u32,
    at: u32,
}

/// More workgroups than this only take turns.
const MAX_GROUPS: u32 = 4096;

/// A planned snapshot of an engine-owned mesh.
pub(crate) struct SnapshotQuery {
    mesh: Arc<Mesh>,
}

impl SnapshotQuery {
    pub(crate) fn plan(mesh: Arc<Mesh>) -> Self {
        Self { mesh }
    }

    pub(crate) fn result_bytes(&self) -> u64 {
        u64::from(self.mesh.vertices) * size_of::<Vec3>() as u64
    }

    pub(crate) fn record(
        &self,
        recorder: &mut Recorder,
        results: &Buffer,
        offset: u64,
    ) -> Result<()> {
        let positions = self.mesh.positions(recorder.device());
        let push = GatherPush {
            vertices: self.mesh.vertices,
            first: positions.first,
            stride: positions.stride,
            at: (offset / 4) as u32,
        };
        let groups = self
            .mesh
            .vertices
            .div_ceil(shader::GATHER.workgroup[0])
            .min(MAX_GROUPS);
        recorder.dispatch(
            &shader::GATHER,
            &[positions.bound, Bound::Buffer(results)],
            &push,
            [groups, 1, 1],
        )
    }

    pub(crate) fn answer(&self, bytes: &[u8]) -> Vec<Vec3> {
        bytemuck::pod_collect_to_vec(&bytes[..self.result_bytes() as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree_on_the_push_constants() {
        assert_layout!(
            shader::GATHER,
            "GatherPush",
            GatherPush {
                vertices,
                first,
                stride,
                at
            }
        );
    }
}
