//! Sample: certified distances and directions of a field at many points.

use super::output::{OutputArray, OutputFrame, OutputPlace, placement};
use super::workspace::{Memory, Place};
use super::{Query, Resources};
use crate::error::{Error, Result};
use crate::field::Field;
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::{SamplePush, SampleRecord, SamplesOutputPush};
use crate::gpu::shader::kernels::{Sample, SamplesOutput};
use crate::memory;
use crate::scene::pose::{Pose, check_vectors};
use glam::{DAffine3, DMat3, Vec3};
use std::sync::Arc;

pub use crate::gpu::shader::blocks::SampleResult;
use crate::gpu::share::{GridShare, groups_of};

impl SampleResult {
    /// Unit vector out of the body: unlike the direction it does not flip at the surface.
    pub fn normal(&self) -> [f32; 3] {
        match self.interior {
            0 => self.direction.map(|d| 0.0 - d),
            _ => self.direction,
        }
    }

    /// The sample in the world, of a point that was moved by `rounding` when it was rounded in the field's frame.
    fn in_world(self, rotation: DMat3, rounding: f32) -> Self {
        // No distance changes by more than a point moves.
        let lower = (self.lower - rounding).next_down();
        Self {
            distance: if self.in_domain == 1 {
                self.distance
            } else {
                lower
            },
            lower,
            upper: (self.upper + rounding).next_up(),
            direction: (rotation * Vec3::from(self.direction).as_dvec3())
                .as_vec3()
                .to_array(),
            ..self
        }
    }
}

/// The one part of the working memory.
const POINTS: usize = 0;

/// Points that an invocation takes before more workgroups pay.
const POINTS_PER_LANE: GridShare = GridShare {
    software: 8,
    hardware: 1,
};
/// More workgroups than this only take turns.
const MAX_GROUPS: u32 = 4096;

/// A planned sample query.
pub struct SampleQuery {
    field: Arc<Field>,
    points: Vec<Vec3>,
    count: u32,
    /// None where the field's frame is the world.
    placement: Option<PointsMoved>,
    on_host: bool,
}

/// How points came into the field's frame.
struct PointsMoved {
    rotation: DMat3,
    /// How far each point moved when it was rounded.
    roundings: Vec<f32>,
}

impl SampleQuery {
    /// Samples of a posed field at points of the world.
    pub fn plan(
        resources: &Resources,
        (field, pose): (Arc<Field>, Pose),
        points: &[Vec3],
    ) -> Result<Self> {
        check_vectors(points, |at| format!("point {at}"))?;
        pose.validate()?;
        let count = points.len() as u32;
        let resources = resources.fastest(&[], &[&field])?;
        let on_host = resources.device.is_host();
        let mut points = resources.input(points, "points", "sample them in parts")?;
        if pose.is_identity() {
            return Ok(Self {
                field,
                points,
                count,
                placement: None,
                on_host,
            });
        }
        let mut roundings = memory::with_room(points.len(), "points")?;
        for point in &mut points {
            let (local, moved) = local(&pose, *point);
            *point = local;
            roundings.push(moved);
        }
        Ok(Self {
            field,
            points,
            count,
            placement: Some(PointsMoved {
                rotation: pose.matrix(),
                roundings,
            }),
            on_host,
        })
    }
}

/// A point of the world in the field's frame, and how far it is from there at most.
fn local(pose: &Pose, world: Vec3) -> (Vec3, f32) {
    let world = world.as_dvec3();
    let exact = pose.unapply(world);
    let rounded = exact.as_vec3();
    // Rotating in double precision errs by a few of its roundings.
    let slack = 16.0 * f64::EPSILON * (world.length() + pose.position.as_dvec3().length());
    let moved = exact.distance(rounded.as_dvec3()) + slack;
    (rounded, (moved as f32).next_up())
}

impl Query for SampleQuery {
    type Answer = Vec<SampleResult>;
    type Step = ();
    const NAME: &'static str = "sample";

    fn is_on_host(&self) -> bool {
        self.on_host
    }

    fn memory(&self) -> Memory {
        let points = size_of_val(&self.points[..]) as u64;
        Memory::structs::<SampleResult>(self.count.into()).with([points])
    }

    fn inputs(&self) -> Vec<(usize, &[u8])> {
        vec![(POINTS, bytemuck::cast_slice(&self.points))]
    }

    fn check_foreign_input(&self, _input: usize) -> Result<()> {
        match &self.placement {
            None => Ok(()),
            Some(_) => Err(Error::Unsupported(
                "points from a buffer are in the field's own frame: sample under the identity"
                    .into(),
            )),
        }
    }

    fn steps(&self) -> &[()] {
        &[()]
    }

    fn record(&self, (): (), place: &Place, recorder: &mut Recorder) -> Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        let kernel = Sample {
            points: place.part(POINTS),
            results: place.answer(),
            field: self.field.bindings(recorder.device()),
        };
        let push = SamplePush { count: self.count };
        let groups = self
            .count
            .div_ceil(Sample::WORKGROUP[0] * POINTS_PER_LANE.on(recorder.device()))
            .min(MAX_GROUPS);
        recorder.dispatch(&kernel, &push, [groups, 1, 1])
    }

    fn recording(&self) -> Option<u32> {
        (!self.field.is_live()).then_some(0)
    }

    const OUTPUTS: &'static [OutputArray] = &[OutputArray::of::<SampleRecord>("samples")];

    fn leave_host(&mut self, device: &Resources) -> Result<()> {
        let bytes = size_of_val(&self.points[..]) as u64;
        (device.device).check_storage(bytes, "points", "sample them in parts")?;
        self.on_host = false;
        Ok(())
    }

    fn placement(&self) -> OutputFrame {
        let turn = (self.placement.as_ref()).map_or(DMat3::IDENTITY, |moved| moved.rotation);
        let turn = DAffine3::from_mat3(turn);
        placement(&turn, &turn)
    }

    fn record_output(
        &self,
        _array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let kernel = SamplesOutput {
            output: output.output,
            results: place.answer(),
            records: output.records,
        };
        let roundings = (self.placement.iter()).flat_map(|moved| &moved.roundings);
        let push = SamplesOutputPush {
            room: output.room,
            count: self.count,
            rounding: roundings.copied().fold(0.0, f32::max),
        };
        let groups = groups_of(self.count, SamplesOutput::WORKGROUP[0]);
        recorder.dispatch(&kernel, &push, groups)
    }

    fn answer(&self, bytes: &[u8]) -> Result<Vec<SampleResult>> {
        let mut samples: Vec<SampleResult> = memory::from_bytes(bytes, "samples")?;
        if let Some(placement) = &self.placement {
            for (sample, &rounding) in samples.iter_mut().zip(&placement.roundings) {
                *sample = sample.in_world(placement.rotation, rounding);
            }
        }
        Ok(samples)
    }
}
