//! Contains: which of many points are inside a closed mesh (Heidelberger et al. 2003, section 2.3: vertex-in-volume).

use super::ldi::{Ldi, LdiOptions, Rays, Summary};
use crate::error::{Result, invalid};
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::Device;
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::gpu::staging::Staging;
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, check_vectors};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::sync::Arc;

/// What is known of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Containment {
    /// Whether the nearest ray is inside the mesh at the point's depth.
    pub inside: bool,
    /// Whether the surface comes so near that the point itself may be on its other side. Points farther from the surface than a
    /// pixel's diagonal are never on the other side, and most of them are not near.
    pub near: bool,
}

/// What `contains.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ContainsPush {
    count: u32,
    at: u32,
    capacity: u32,
}

/// Points that an invocation takes before more workgroups pay.
const POINTS_PER_LANE: u32 = 8;
/// More workgroups than this only take turns.
const MAX_GROUPS: u32 = 4096;
/// Where the points' answers start, after the summary.
const HEADER: u64 = (size_of::<Summary>() as u64).next_multiple_of(32);

/// A planned containment query.
pub(crate) struct ContainsQuery {
    ldi: Ldi,
    points: Arc<Buffer>,
    count: u32,
}

impl ContainsQuery {
    pub(crate) fn plan(
        device: &Arc<Device>,
        staging: &mut Staging,
        mesh: (Arc<Mesh>, Pose),
        points: &[Vec3],
        options: LdiOptions,
    ) -> Result<Self> {
        check_vectors(points, |at| format!("point {at}"))?;
        if options.rays == Rays::All {
            return Err(invalid(
                "containment takes rays along one axis; choose it, or the best",
            ));
        }
        let bytes = size_of_val(points) as u64;
        device.check_storage(bytes, "points", "ask for them in parts")?;
        let ldi = Ldi::plan(device, vec![mesh], options, true)?;
        let buffer = Arc::new(Buffer::new(device, Role::Device, bytes, "points")?);
        if !points.is_empty() {
            staging.upload(device, &buffer, 0, bytes, |out| {
                out.copy_from_slice(bytemuck::cast_slice(points))
            })?;
        }
        Ok(Self {
            ldi,
            points: buffer,
            count: points.len() as u32,
        })
    }

    pub(crate) fn result_bytes(&self) -> u64 {
        HEADER + 4 * u64::from(self.count)
    }

    pub(crate) fn record(
        &self,
        recorder: &mut Recorder,
        results: &Buffer,
        offset: u64,
    ) -> Result<()> {
        let ldi = &self.ldi;
        ldi.record(recorder, ldi.axis(), false)?;
        let ([spans, marks], texel) = ldi.spans_and_marks();
        let bound = [
            Bound::Buffer(&ldi.summary),
            Bound::Buffer(&ldi.heads),
            Bound::Buffer(&ldi.nodes),
            marks,
            Bound::Buffer(&self.points),
            Bound::Buffer(results),
            spans,
        ];
        let push = ContainsPush {
            count: self.count,
            at: ((offset + HEADER) / 4) as u32,
            capacity: ldi.capacity(),
        };
        let kernel = contains(texel);
        let groups = self
            .count
            .div_ceil(kernel.workgroup[0] * POINTS_PER_LANE)
            .clamp(1, MAX_GROUPS);
        recorder.dispatch(kernel, &bound, &push, [groups, 1, 1])?;
        recorder.barrier(Access::Compute, Access::Transfer);
        recorder.copy(
            &ldi.summary,
            0,
            results,
            offset,
            size_of::<Summary>() as u64,
        );
        Ok(())
    }

    pub(crate) fn answer(&self, bytes: &[u8]) -> Result<Vec<Containment>> {
        let summary: Summary = bytemuck::pod_read_unaligned(&bytes[..size_of::<Summary>()]);
        self.ldi.check_room(&summary)?;
        let words: Vec<u32> =
            bytemuck::pod_collect_to_vec(&bytes[HEADER as usize..self.result_bytes() as usize]);
        Ok(words
            .into_iter()
            .map(|word| Containment {
                inside: word & 1 != 0,
                near: word & 2 != 0,
            })
            .collect())
    }
}

fn contains(texel: bool) -> &'static Shader {
    if texel {
        &shader::CONTAINS_TEXEL
    } else {
        &shader::CONTAINS_STORAGE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree_on_the_push_constants() {
        for kernel in [contains(true), contains(false)] {
            assert_layout!(
                kernel,
                "ContainsPush",
                ContainsPush {
                    count,
                    at,
                    capacity
                }
            );
        }
    }
}
