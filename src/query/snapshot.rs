//! Snapshot: the positions of a mesh whose vertices only the engine has, brought to the host. Those of a mesh that does not deform come once.

use super::Query;
use super::clusters::Refits;
use super::workspace::{Memory, Place};
use crate::error::Result;
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::GatherPush;
use crate::gpu::shader::kernels::Gather;
use crate::memory;
use crate::scene::mesh::Mesh;
use glam::Vec3;
use std::sync::Arc;

/// More workgroups than this only take turns.
const MAX_GROUPS: u32 = 4096;

/// A planned snapshot of an engine-owned mesh.
pub struct SnapshotQuery {
    mesh: Arc<Mesh>,
    /// Whether the host knows the positions, and keeps them.
    is_known: bool,
}

impl SnapshotQuery {
    pub(crate) fn plan(mesh: Arc<Mesh>) -> Self {
        Self {
            mesh,
            is_known: false,
        }
    }
}

impl Query for SnapshotQuery {
    type Answer = Vec<Vec3>;
    type Step = ();
    const NAME: &'static str = "snapshot";

    fn memory(&self) -> Memory {
        Memory::answer(u64::from(self.mesh.vertices) * size_of::<Vec3>() as u64)
    }

    fn prepare(&mut self, _: &mut Refits) {
        self.is_known = self.mesh.known_moment().is_some();
    }

    fn steps(&self) -> &[()] {
        &[()]
    }

    fn recording(&self) -> Option<u32> {
        Some(self.is_known.into())
    }

    fn record(&self, (): (), place: &Place, recorder: &mut Recorder) -> Result<()> {
        if self.is_known {
            return Ok(());
        }
        let positions = self.mesh.positions(recorder.device());
        let push = GatherPush {
            vertices: self.mesh.vertices,
            first: positions.first,
            stride: positions.stride,
        };
        let kernel = Gather {
            positions: positions.bound,
            packed: place.answer(),
        };
        let groups = self
            .mesh
            .vertices
            .div_ceil(Gather::WORKGROUP[0])
            .min(MAX_GROUPS);
        recorder.dispatch(&kernel, &push, [groups, 1, 1])
    }

    fn answer(&self, bytes: &[u8]) -> Result<Vec<Vec3>> {
        memory::from_bytes(bytes, "positions")
    }
}
