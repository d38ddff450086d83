//! Gradients: how the volume that two meshes share changes with every vertex of theirs, for the response of deformable bodies.
//!
//! The volume changes by the integral, over the part of a mesh's surface inside the other, of the surface's motion along its outward
//! normal; a vertex moves a place of its triangles by its barycentric weight there. Rays along all three axes sample the surface
//! (`gradients.comp`); the certificate of a volume says nothing of it.

use super::ldi::{Ldi, LdiOptions, Summary, lane_groups};
use crate::error::Result;
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::Device;
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader;
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use std::sync::Arc;

/// For each of two meshes, for each vertex: how the shared volume changes as the vertex moves, in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradients(pub [Vec<DVec3>; 2]);

/// What `gradients.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct GradientsPush {
    mesh: u32,
    first: u32,
    capacity: u32,
}

/// Terms are counted in this part of a pixel's area: UNITS of `gradients.comp`.
const UNITS: f64 = 1_048_576.0;
/// Bytes of a vertex's sums: three of 64 bits.
const SUM_BYTES: u64 = 24;
/// Where an axis's sums start, after its summary.
const HEADER: u64 = (size_of::<Summary>() as u64).next_multiple_of(32);

/// A planned query for gradients.
pub(crate) struct GradientsQuery {
    ldi: Ldi,
    vertices: [u32; 2],
    sums: Buffer,
}

impl GradientsQuery {
    pub(crate) fn plan(
        device: &Arc<Device>,
        a: (Arc<Mesh>, Pose),
        b: (Arc<Mesh>, Pose),
        options: LdiOptions,
    ) -> Result<Self> {
        let vertices = [a.0.vertices, b.0.vertices];
        let bytes = SUM_BYTES * vertices.iter().map(|n| u64::from(*n)).sum::<u64>();
        device.check_storage(bytes, "gradients of a volume", "ask for coarser meshes")?;
        Ok(Self {
            ldi: Ldi::plan(device, vec![a, b], options, false)?,
            vertices,
            sums: Buffer::new(device, Role::Device, bytes, "sums of a volume's gradients")?,
        })
    }

    /// From the summary and the sums of one axis to those of the next.
    fn stride(&self) -> u64 {
        HEADER + self.sums.size.next_multiple_of(32)
    }

    pub(crate) fn result_bytes(&self) -> u64 {
        3 * self.stride()
    }

    pub(crate) fn record(
        &self,
        recorder: &mut Recorder,
        results: &Buffer,
        offset: u64,
    ) -> Result<()> {
        let ldi = &self.ldi;
        for axis in 0..3 {
            recorder.barrier(Access::Any, Access::Transfer);
            recorder.fill(&self.sums, 0, self.sums.size, 0);
            ldi.record(recorder, axis, true)?;
            for mesh in 0..2 {
                let (placed, indices) = ldi.placed_mesh(mesh);
                let push = GradientsPush {
                    mesh: mesh as u32,
                    first: mesh as u32 * self.vertices[0],
                    capacity: ldi.capacity(),
                };
                let [counts, depths, tags] = ldi.stored_slots();
                let bound = [
                    placed,
                    indices,
                    &ldi.summary,
                    &ldi.heads,
                    &ldi.nodes,
                    &self.sums,
                    counts,
                    depths,
                    tags,
                ]
                .map(Bound::Buffer);
                let kernel = &shader::GRADIENTS;
                recorder.dispatch(kernel, &bound, &push, lane_groups(kernel, ldi.pixels()))?;
            }
            recorder.barrier(Access::Compute, Access::Transfer);
            let at = offset + u64::from(axis) * self.stride();
            recorder.copy(&ldi.summary, 0, results, at, size_of::<Summary>() as u64);
            recorder.copy(&self.sums, 0, results, at + HEADER, self.sums.size);
        }
        Ok(())
    }

    pub(crate) fn answer(&self, bytes: &[u8]) -> Result<Gradients> {
        let mut gradients = self.vertices.map(|count| vec![DVec3::ZERO; count as usize]);
        for axis in bytes.chunks_exact(self.stride() as usize).take(3) {
            let summary: Summary = bytemuck::pod_read_unaligned(&axis[..size_of::<Summary>()]);
            self.ldi.check_room(&summary)?;
            if summary.frame.width == 0 {
                continue;
            }
            let cell = summary.frame.cell();
            let unit = cell.x * cell.y / UNITS;
            let sums = &axis[HEADER as usize..][..self.sums.size as usize];
            let sums = sums.chunks_exact(SUM_BYTES as usize);
            for (gradient, sum) in gradients.iter_mut().flatten().zip(sums) {
                let sum: [i64; 3] = bytemuck::pod_read_unaligned(sum);
                let turned = DVec3::from(sum.map(|n| n as f64 * unit));
                *gradient += summary.frame.to_axes(turned);
            }
        }
        Ok(Gradients(gradients))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree_on_the_push_constants() {
        assert_layout!(
            shader::GRADIENTS,
            "GradientsPush",
            GradientsPush {
                mesh,
                first,
                capacity
            }
        );
    }
}
