//! Penalty: the force and torque that push a field's body and a mesh apart, summed over the part of the mesh that is inside
//! (Morvan et al. 2008, section 3.4).
//!
//! A path is a module that plans the memory and the steps, records them, and leaves the same struct in the answers.

pub mod compute;
pub mod damping;
mod errors;
pub mod options;
pub mod raster;

use super::clusters::Refits;
use super::drawing::DrawStep;
use super::meeting::Meeting;
use super::output::{OutputArray, OutputFrame, OutputPlace, placement};
use super::proximity::SamplingPath;
use super::workspace::{ALIGNMENT, Memory, Place};
use super::{Query, Resources};
use crate::error::{Error, Result};
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::{PenaltyAnswer, PenaltyOutputPush, PenaltyRecord};
use crate::gpu::shader::kernels::PenaltyOutput;
use crate::scene::pose::world;
use glam::{DVec3, Vec3};
pub use options::{PenaltyOptions, USUAL_SAMPLES};

/// The answer of a penalty query, in the world. Sums are integrals over the part of the mesh inside the field's body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penalty {
    /// On the field's body, at its centre.
    pub force_sum: DVec3,
    /// On the field's body, about its centre.
    pub torque_sum: DVec3,
    /// On the mesh's body, about its centre; its force is the opposite of `force_sum`.
    pub mesh_torque_sum: DVec3,
    /// The exact force is no farther from `force_sum` than this; infinite where that was not asked for.
    pub force_error: f64,
    /// The same of `torque_sum`.
    pub torque_error: f64,
    /// The same of `mesh_torque_sum`.
    pub mesh_torque_error: f64,
    /// The part of the damping in these: 1 unless it was limited.
    pub damping_scale: f64,
    /// Of the samples inside.
    pub area: f64,
    /// Samples inside.
    pub samples: u32,
    /// The surely and the possibly penetrating area.
    pub area_bounds: [f64; 2],
    /// The integral of the depth over the area inside.
    pub depth_sum: f64,
    /// The exact integral is no farther from `depth_sum` than this.
    pub depth_sum_error: f64,
    /// The depth of the deepest sample; 0 if there is none.
    pub depth: f32,
    /// The mesh's largest depth lies between these; 0 if there is none.
    pub depth_bounds: [f32; 2],
    /// The deepest sample.
    pub deepest: DVec3,
    /// The middle of the contact on the field's surface, weighted by area.
    pub centroid: DVec3,
    /// Whether large triangles were sampled farther apart than asked for, because drivers bound the turns of loops.
    pub coarsened: bool,
}

/// Forces and torques of a contact, in the world.
pub(crate) struct Wrench {
    /// On the field's body; the opposite acts on the mesh's.
    force: DVec3,
    /// On the field's body, about its centre.
    torque: DVec3,
    /// On the mesh's body, about its centre.
    mesh_torque: DVec3,
}

/// Where the answer of damping alone is, beside that of springs and friction.
const DAMPING_ANSWER: u64 = (size_of::<PenaltyAnswer>() as u64).next_multiple_of(ALIGNMENT);

/// What a penalty query does.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// By kernels.
    Kernel(compute::Step),
    /// By drawing.
    Drawn(DrawStep),
}

/// A planned penalty query.
pub struct PenaltyQuery {
    meeting: Meeting,
    options: PenaltyOptions,
    velocities: Option<Vec<Vec3>>,
    /// What a path that draws needs.
    drawn: Option<raster::PenaltyTargets>,
    on_host: bool,
}

impl PenaltyQuery {
    /// The force and torque that push a field's body and a mesh apart.
    pub fn plan(
        resources: &Resources,
        meeting: Meeting,
        mut options: PenaltyOptions,
    ) -> Result<Self> {
        meeting.validate()?;
        meeting.mesh.check_single_precision(Self::NAME)?;
        options.validate(&meeting.mesh)?;
        let resources = match options.path {
            SamplingPath::Auto => resources.fastest(&[&meeting.mesh], &[&meeting.field])?,
            _ => resources,
        };
        let drawn = match options.path {
            SamplingPath::Auto | SamplingPath::Compute => None,
            _ => Some(raster::plan(resources, &meeting, &options)?),
        };
        let velocities = options.velocities.take();
        if let Some(velocities) = &velocities {
            let bytes = size_of_val(&velocities[..]) as u64;
            (resources.device).check_storage(bytes, "velocities", "split the mesh")?;
        }
        Ok(Self {
            meeting,
            options,
            velocities,
            drawn,
            on_host: resources.device.is_host(),
        })
    }
}

/// Springs with their friction, and damping alone. Friction by what damping adds would be that of a force that is not applied.
fn apart(options: &PenaltyOptions) -> (PenaltyOptions, PenaltyOptions) {
    let springs = PenaltyOptions {
        damping: 0.0,
        ..options.clone()
    };
    let damping = PenaltyOptions {
        stiffness: 0.0,
        friction: 0.0,
        ..options.clone()
    };
    (springs, damping)
}

fn vector(v: [f32; 3]) -> DVec3 {
    Vec3::from_array(v).as_dvec3()
}

impl PenaltyQuery {
    /// The number of the part with the velocities, after those of the path. They go with no limit on damping.
    fn velocities_part(&self) -> usize {
        let drawn = match self.drawn {
            None => 0,
            Some(_) => raster::PARTS,
        };
        compute::PARTS + drawn
    }

    fn wrench(&self, answer: &PenaltyAnswer) -> Wrench {
        let meeting = &self.meeting;
        let force = meeting.world_direction(vector(answer.force));
        let torque = meeting.world_direction(vector(answer.torque));
        let centre = meeting.world(self.options.field_centre.as_dvec3());
        let mesh_centre = meeting.mesh_pose.apply(self.options.mesh_centre.as_dvec3());
        Wrench {
            force,
            torque,
            // The reaction acts at the same points: the moment of -f about another centre.
            mesh_torque: -(torque + (centre - mesh_centre).cross(force)),
        }
    }
}

impl Query for PenaltyQuery {
    type Answer = Penalty;
    type Step = Step;
    const NAME: &'static str = "penalty";

    fn is_on_host(&self) -> bool {
        self.on_host
    }

    fn memory(&self) -> Memory {
        let parts = || compute::parts(&self.meeting);
        let answer = size_of::<PenaltyAnswer>() as u64;
        let memory = match (&self.drawn, &self.options.limit) {
            (None, None) => Memory::answer(answer).with(parts()),
            (None, Some(_)) => Memory::answer(DAMPING_ANSWER + answer)
                .with(parts())
                .with(parts()),
            (Some(_), _) => Memory::answer(answer)
                .with(parts())
                .with(raster::parts(&self.meeting, &self.options)),
        };
        match &self.velocities {
            None => memory,
            Some(velocities) => memory.with([size_of_val(&velocities[..]) as u64]),
        }
    }

    fn inputs(&self) -> Vec<(usize, &[u8])> {
        let velocities = self.velocities.iter();
        velocities
            .map(|velocities| (self.velocities_part(), bytemuck::cast_slice(velocities)))
            .collect()
    }

    fn prepare(&mut self, refits: &mut Refits) {
        refits.ask(&self.meeting.mesh);
    }

    fn steps(&self) -> &[Step] {
        match self.drawn {
            None => &compute::STEPS,
            Some(_) => &raster::STEPS,
        }
    }

    fn record(&self, step: Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let (meeting, options) = (&self.meeting, &self.options);
        let velocities = self.velocities.as_ref();
        let velocities = velocities.map(|_| place.part(self.velocities_part()));
        match (step, &self.drawn) {
            (Step::Kernel(step), _) if options.limit.is_some() => {
                let (springs, damping) = apart(options);
                compute::record(meeting, &springs, None, step, place, recorder)?;
                let place = place.after(compute::PARTS, DAMPING_ANSWER);
                compute::record(meeting, &damping, None, step, &place, recorder)
            }
            (Step::Kernel(step), _) => {
                compute::record(meeting, options, velocities, step, place, recorder)
            }
            (Step::Drawn(step), Some((canvas, columns))) => raster::PenaltyDrawing {
                meeting,
                options,
                velocities,
                canvas,
                columns: columns.as_deref(),
            }
            .record(step, place, recorder),
            (Step::Drawn(_), None) => Ok(()),
        }
    }

    fn recording(&self) -> Option<u32> {
        (self.drawn.is_none() && !self.meeting.field.is_live()).then_some(0)
    }

    const OUTPUTS: &'static [OutputArray] = &[OutputArray::of::<PenaltyRecord>("penalties")];

    fn leave_host(&mut self, device: &Resources) -> Result<()> {
        let bytes = size_of_val(self.velocities.as_deref().unwrap_or_default()) as u64;
        (device.device).check_storage(bytes, "velocities", "split the mesh")?;
        self.on_host = false;
        Ok(())
    }

    fn plan_output(&mut self, _array: usize, _device: &Resources) -> Result<()> {
        if self.options.limit.is_some() {
            return Err(Error::Unsupported(
                "damping is limited by the host, which solves for it: without damping_limit_step a penalty can go to a buffer".into(),
            ));
        }
        Ok(())
    }

    fn placement(&self) -> OutputFrame {
        placement(
            &world(&self.meeting.field_pose),
            &world(&self.meeting.mesh_pose),
        )
    }

    fn record_output(
        &self,
        _array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let kernel = PenaltyOutput {
            output: output.output,
            answers: place.answer(),
            records: output.records,
        };
        let push = PenaltyOutputPush {
            room: output.room,
            field_centre: self.options.field_centre.to_array(),
            mesh_centre: self.options.mesh_centre.to_array(),
        };
        recorder.dispatch(&kernel, &push, [1, 1, 1])
    }

    fn answer(&self, bytes: &[u8]) -> Result<Penalty> {
        let read = |at: u64| -> PenaltyAnswer {
            let bytes = &bytes[at as usize..][..size_of::<PenaltyAnswer>()];
            bytemuck::pod_read_unaligned(bytes)
        };
        let answer = read(0);
        let meeting = &self.meeting;
        let area = f64::from(answer.area);
        let mut wrench = self.wrench(&answer);
        let mut damping_scale = 1.0;
        if let Some(limit) = &self.options.limit {
            let damping = self.wrench(&read(DAMPING_ANSWER));
            damping_scale = limit.scale(&damping, meeting, &self.options);
            wrench.force += damping_scale * damping.force;
            wrench.torque += damping_scale * damping.torque;
            wrench.mesh_torque += damping_scale * damping.mesh_torque;
        }
        let somewhere = |p: DVec3| match answer.samples {
            0 => DVec3::ZERO,
            _ => meeting.world(p),
        };
        Ok(Penalty {
            force_sum: wrench.force,
            torque_sum: wrench.torque,
            mesh_torque_sum: wrench.mesh_torque,
            force_error: answer.force_error.into(),
            torque_error: answer.torque_error.into(),
            mesh_torque_error: answer.mesh_torque_error.into(),
            damping_scale,
            area,
            samples: answer.samples,
            area_bounds: [answer.inner_area.into(), answer.outer_area.into()],
            depth_sum: answer.depth_sum.into(),
            depth_sum_error: answer.depth_sum_error.into(),
            depth: answer.depth,
            depth_bounds: [answer.depth_lower, answer.depth_upper],
            deepest: somewhere(vector(answer.deepest)),
            centroid: somewhere(vector(answer.centroid_sum) / area.max(f64::MIN_POSITIVE)),
            coarsened: answer.coarsened != 0,
        })
    }
}
