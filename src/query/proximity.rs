//! Proximity: the point of a mesh with the smallest signed distance to a field (Morvan et al. 2008, section 3.3): the closest
//! when they are apart, the deepest when they penetrate.
//!
//! A path is a module that plans the memory and the steps, records them, and leaves the same struct in the answers.

pub mod compute;
pub mod raster;

use super::clusters::Refits;
use super::drawing::DrawStep;
use super::meeting::Meeting;
use super::output::{OutputArray, OutputFrame, OutputPlace, placement};
use super::workspace::{Memory, Place};
use super::{Query, Resources};
use crate::error::{Result, invalid};
use crate::geometry::rounding::widened;
use crate::gpu::buffer::Buffer;
use crate::gpu::canvas::Canvas;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::blocks::{ProximityAnswer, ProximityOutputPush, ProximityRecord};
use crate::gpu::shader::kernels::ProximityOutput;
use crate::scene::pose::world;
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// How the surface of the mesh is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SamplingPath {
    /// The fastest on this device.
    #[default]
    Auto,
    /// Kernels that cull clusters and triangles and split what is left.
    Compute,
    /// Drawing in three views, one after the other.
    ThreePass,
    /// Drawing once; a geometry shader chooses each triangle's view.
    GeometryShader,
    /// Drawing what kernels have culled and listed for each view.
    Binned,
}

/// What a proximity query is asked for.
#[derive(Debug, Clone, Copy)]
pub struct ProximityOptions {
    /// How the surface is sampled.
    pub path: SamplingPath,
    /// Pieces with a radius below this are not split; `None` for the field's error bound.
    pub tolerance: Option<f32>,
    /// Pieces that are kept to be split.
    pub budget: u32,
    /// Pixels along the longest side of what is rasterised.
    pub resolution: u32,
}

/// Pieces that a query keeps by default: 128 KB.
pub const USUAL_BUDGET: u32 = 8192;
/// The most pieces that may be kept.
pub const MOST_BUDGET: u32 = 1 << 20;
/// The most samples along a side.
pub const MOST_RESOLUTION: u32 = 16_384;
/// Samples along the longest side by default.
pub const USUAL_RESOLUTION: u32 = 512;

impl Default for ProximityOptions {
    fn default() -> Self {
        Self {
            path: SamplingPath::Auto,
            tolerance: None,
            budget: USUAL_BUDGET,
            resolution: USUAL_RESOLUTION,
        }
    }
}

/// The answer of a proximity query. Points and directions are in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proximity {
    /// The field's value at `point_mesh`.
    pub distance: f32,
    /// No point of the mesh has a smaller signed distance.
    pub lower: f32,
    /// Some point of the mesh has no larger one.
    pub upper: f32,
    /// The triangle that `point_mesh` lies on.
    pub triangle: u32,
    /// Where on it: the weights of its corners.
    pub barycentric: Vec3,
    /// The point of the mesh.
    pub point_mesh: DVec3,
    /// The point of the field's surface that is closest to it.
    pub point_field: DVec3,
    /// Unit vector from `point_mesh` to `point_field`, or zero where the field does not tell.
    pub direction: DVec3,
    /// Whether `point_mesh` lies in the field's domain.
    pub in_domain: bool,
}

/// A planned proximity query.
pub struct ProximityQuery {
    meeting: Meeting,
    options: ProximityOptions,
    /// What a path that draws draws into.
    canvas: Option<Arc<Canvas>>,
    steps: &'static [Step],
    on_host: bool,
    /// For each triangle in cluster order its number, where an output needs it.
    order: Option<Arc<Buffer>>,
}

impl ProximityQuery {
    /// The point of a mesh with the smallest signed distance to a field.
    pub fn plan(
        resources: &Resources,
        meeting: Meeting,
        options: ProximityOptions,
    ) -> Result<Self> {
        meeting.validate()?;
        if let Some(tolerance) = options.tolerance
            && !(tolerance.is_finite() && tolerance > 0.0)
        {
            return Err(invalid(format!(
                "tolerance is {tolerance}; it is a length above 0, or negative for the field's own"
            )));
        }
        if !(1..=MOST_BUDGET).contains(&options.budget) {
            return Err(invalid(format!(
                "budget is {}; it is a number of pieces from 1 to {MOST_BUDGET}",
                options.budget
            )));
        }
        check_resolution(options.resolution)?;
        let resources = match options.path {
            SamplingPath::Auto => resources.fastest(&[&meeting.mesh], &[&meeting.field])?,
            _ => resources,
        };
        let canvas = match options.path {
            SamplingPath::Auto | SamplingPath::Compute => None,
            _ => Some(raster::plan(resources, &meeting, &options)?),
        };
        let steps = match canvas {
            None => compute::steps(compute::form(&resources.device)),
            Some(_) => &raster::STEPS,
        };
        Ok(Self {
            meeting,
            options,
            canvas,
            steps,
            on_host: resources.device.is_host(),
            order: None,
        })
    }
}

/// What a proximity query does.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// By kernels.
    Kernel(compute::Step),
    /// By drawing.
    Drawn(DrawStep),
}

impl Query for ProximityQuery {
    type Answer = Proximity;
    type Step = Step;
    const NAME: &'static str = "proximity";

    fn is_on_host(&self) -> bool {
        self.on_host
    }

    fn memory(&self) -> Memory {
        let (meeting, options) = (&self.meeting, &self.options);
        let memory = Memory::structs::<ProximityAnswer>(1).with(compute::parts(meeting, options));
        match self.canvas {
            None => memory,
            Some(_) => memory.with(raster::parts(meeting, options)),
        }
    }

    fn prepare(&mut self, refits: &mut Refits) {
        refits.ask(&self.meeting.mesh);
    }

    fn steps(&self) -> &[Step] {
        self.steps
    }

    fn record(&self, step: Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let (meeting, options) = (&self.meeting, &self.options);
        match (step, &self.canvas) {
            (Step::Kernel(step), _) => compute::record(meeting, options, step, place, recorder),
            (Step::Drawn(step), Some(canvas)) => {
                raster::record(meeting, options, canvas, step, place, recorder)
            }
            (Step::Drawn(_), None) => Ok(()),
        }
    }

    fn recording(&self) -> Option<u32> {
        (self.canvas.is_none() && !self.meeting.field.is_live()).then_some(0)
    }

    const OUTPUTS: &'static [OutputArray] = &[OutputArray::of::<ProximityRecord>("proximities")];

    fn leave_host(&mut self, device: &Resources) -> Result<()> {
        self.steps = compute::steps(compute::form(&device.device));
        self.on_host = false;
        Ok(())
    }

    fn plan_output(&mut self, _array: usize, device: &Resources) -> Result<()> {
        let mesh = &self.meeting.mesh;
        mesh.check_single_precision("an output of proximity")?;
        self.order = Some(mesh.cluster_order(&device.device, || device.staging())?);
        Ok(())
    }

    fn placement(&self) -> OutputFrame {
        let field = world(&self.meeting.field_pose);
        placement(&field, &field)
    }

    fn record_output(
        &self,
        _array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let kernel = ProximityOutput {
            output: output.output,
            answers: place.answer(),
            order: Bound::whole(self.order.as_ref().expect("`plan_output` came first")),
            records: output.records,
        };
        let push = ProximityOutputPush {
            room: output.room,
            triangles: self.meeting.mesh.triangles.len() as u32,
        };
        recorder.dispatch(&kernel, &push, [1, 1, 1])
    }

    fn answer(&self, bytes: &[u8]) -> Result<Proximity> {
        let answer: ProximityAnswer = bytemuck::pod_read_unaligned(bytes);
        let vector = |v: [f32; 3]| Vec3::from_array(v).as_dvec3();
        let meeting = &self.meeting;
        let [lower, upper] = widened([answer.lower, answer.upper], meeting.mesh.rounding());
        Ok(Proximity {
            distance: answer.distance,
            lower,
            upper,
            triangle: (meeting.mesh.clusters.order)
                .get(answer.triangle as usize)
                .map_or(u32::MAX, |t| *t),
            barycentric: Vec3::from_array(answer.barycentric),
            point_mesh: meeting.world(vector(answer.point)),
            point_field: meeting.world(vector(answer.closest)),
            direction: meeting.world_direction(vector(answer.direction)),
            in_domain: answer.in_domain == 1,
        })
    }
}

/// Refuses resolutions that nothing could sample.
pub(crate) fn check_resolution(resolution: u32) -> Result<()> {
    if (1..=MOST_RESOLUTION).contains(&resolution) {
        return Ok(());
    }
    Err(invalid(format!(
        "resolution is {resolution}; it is a number of samples along a side, from 1 to {MOST_RESOLUTION}"
    )))
}
