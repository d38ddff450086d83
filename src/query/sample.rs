//! Sample: certified distances and directions of a field at many points.

use super::memory::{Memory, Place};
use super::{Query, Resources};
use crate::error::Result;
use crate::field::Field;
use crate::gpu::buffer::Buffer;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::blocks::SamplePush;
use crate::gpu::shader::kernels::Sample;
use crate::scene::pose::check_vectors;
use glam::Vec3;
use std::sync::Arc;

pub use crate::gpu::shader::blocks::SampleResult;

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
        Memory::structs::<SampleResult>(self.count.into())
    }

    fn steps(&self) -> &[Look] {
        &[Look]
    }

    fn record(&self, Look: Look, place: &Place, recorder: &mut Recorder) -> Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        let kernel = Sample {
            points: Bound::whole(&self.points),
            results: place.answers(),
            field: self.field.texture.bindings(),
        };
        let push = SamplePush {
            count: self.count,
            at: place.index::<SampleResult>(),
        };
        let groups = self
            .count
            .div_ceil(Sample::WORKGROUP[0] * POINTS_PER_LANE)
            .min(MAX_GROUPS);
        recorder.dispatch(&kernel, &push, [groups, 1, 1])
    }

    fn answer(&self, bytes: &[u8]) -> Result<Vec<SampleResult>> {
        Ok(bytemuck::pod_collect_to_vec(bytes))
    }
}
