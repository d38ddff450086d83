//! Sample: certified distances and directions of a field at many points.

use super::memory::{Memory, Place};
use super::{Query, Resources};
use crate::error::Result;
use crate::field::Field;
use crate::field::texture::Sampling;
use crate::gpu::buffer::Buffer;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader;
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
pub struct SampleQuery {
    field: Arc<Field>,
    points: Arc<Buffer>,
    count: u32,
}

impl SampleQuery {
    /// Samples of a field at points in its own frame.
    pub fn plan(resources: &Resources, field: Arc<Field>, points: &[Vec3]) -> Result<Self> {
        check_vectors(points, |at| format!("point {at}"))?;
        Ok(Self {
            field,
            points: resources.upload(points, "points", "sample them in parts")?,
            count: points.len() as u32,
        })
    }
}

/// The only step: a point per invocation.
#[derive(Clone, Copy)]
pub struct Look;

impl Query for SampleQuery {
    type Answer = Vec<SampleResult>;
    type Step = Look;
    const NAME: &'static str = "sample";

    fn memory(&self) -> Memory {
        Memory::answer(u64::from(self.count) * size_of::<SampleResult>() as u64)
    }

    fn steps(&self) -> &[Look] {
        &[Look]
    }

    fn record(&self, Look: Look, place: &Place, recorder: &mut Recorder) -> Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        let kernel = match self.field.texture.sampling() {
            Sampling::Direction => &shader::SAMPLE_DIRECTION,
            Sampling::Distance => &shader::SAMPLE_DISTANCE,
            Sampling::Sparse => &shader::SAMPLE_SPARSE,
        };
        let mut bound = vec![Bound::Buffer(&self.points), place.answers()];
        bound.extend(self.field.texture.bound());
        let push = SamplePush {
            count: self.count,
            at: (place.offset / size_of::<SampleResult>() as u64) as u32,
        };
        let groups = self
            .count
            .div_ceil(kernel.workgroup[0] * POINTS_PER_LANE)
            .min(MAX_GROUPS);
        recorder.dispatch(kernel, &bound, &push, [groups, 1, 1])
    }

    fn answer(&self, bytes: &[u8]) -> Result<Vec<SampleResult>> {
        Ok(bytemuck::pod_collect_to_vec(bytes))
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
