//! Sample: certified distances and directions of a field at many points.

use crate::error::Result;
use crate::field::Field;
use crate::field::texture::Sampling;
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader;
use crate::gpu::staging::Staging;
use crate::scene::pose::check_vectors;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::sync::Arc;

/// A field at a point: `lower <= exact distance <= upper`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct SampleResult {
    /// The interpolated signed distance; outside the domain `lower`.
    pub distance: f32,
    /// The exact distance is no less.
    pub lower: f32,
    /// The exact distance is no more.
    pub upper: f32,
    /// 1 inside the field's domain, 0 outside.
    pub in_domain: u32,
    /// Unit vector towards the closest point of the surface, or zero where the field does not tell.
    pub direction: [f32; 3],
    /// Unused.
    pub pad: u32,
}

/// What `sample.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct SamplePush {
    count: u32,
    at: u32,
}

/// Points that an invocation takes before more workgroups pay.
const POINTS_PER_LANE: u32 = 8;
/// More workgroups than this only take turns.
const MAX_GROUPS: u32 = 4096;

/// A planned sample query.
pub(crate) struct SampleQuery {
    field: Arc<Field>,
    points: Arc<Buffer>,
    count: u32,
}

impl SampleQuery {
    pub(crate) fn plan(
        device: &Arc<Device>,
        staging: &mut Staging,
        field: Arc<Field>,
        points: &[Vec3],
    ) -> Result<Self> {
        check_vectors(points, |at| format!("point {at}"))?;
        let bytes = size_of_val(points) as u64;
        device.check_storage(bytes, "points", "sample them in parts")?;
        let buffer = Arc::new(Buffer::new(device, Role::Device, bytes, "sample points")?);
        if !points.is_empty() {
            staging.upload(device, &buffer, 0, bytes, |out| {
                out.copy_from_slice(bytemuck::cast_slice(points))
            })?;
        }
        Ok(Self {
            field,
            points: buffer,
            count: points.len() as u32,
        })
    }

    pub(crate) fn result_bytes(&self) -> u64 {
        u64::from(self.count) * size_of::<SampleResult>() as u64
    }

    /// The answer is written at `offset`, a multiple of a result's size.
    pub(crate) fn record(
        &self,
        recorder: &mut Recorder,
        results: &Buffer,
        offset: u64,
    ) -> Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        let kernel = match self.field.texture.sampling() {
            Sampling::Direction => &shader::SAMPLE_DIRECTION,
            Sampling::Distance => &shader::SAMPLE_DISTANCE,
            Sampling::Sparse => &shader::SAMPLE_SPARSE,
        };
        let mut bound = vec![Bound::Buffer(&self.points), Bound::Buffer(results)];
        bound.extend(self.field.texture.bound());
        let push = SamplePush {
            count: self.count,
            at: (offset / size_of::<SampleResult>() as u64) as u32,
        };
        let groups = self
            .count
            .div_ceil(kernel.workgroup[0] * POINTS_PER_LANE)
            .min(MAX_GROUPS);
        recorder.dispatch(kernel, &bound, &push, [groups, 1, 1])
    }

    pub(crate) fn answer(&self, bytes: &[u8]) -> Vec<SampleResult> {
        bytemuck::pod_collect_to_vec(&bytes[..self.result_bytes() as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree() {
        for kernel in [
            &shader::SAMPLE_DIRECTION,
            &shader::SAMPLE_DISTANCE,
            &shader::SAMPLE_SPARSE,
        ] {
            assert_layout!(kernel, "SamplePush", SamplePush { count, at });
            assert_layout!(
                kernel,
                "SampleResult",
                SampleResult {
                    distance,
                    lower,
                    upper,
                    in_domain,
                    direction,
                    pad
                }
            );
        }
    }
}
