//! Penalty: the force and torque that push a field's body and a mesh apart, summed over the part of the mesh that is inside
//! (Morvan et al. 2008, section 3.4).
//!
//! A path is a module that plans the memory and the steps, records them, and leaves the same struct in the answers.

pub mod compute;
pub mod raster;

use super::clusters::Refits;
use super::meeting::Meeting;
use super::proximity::{SamplingPath, check_resolution};
use super::workspace::{Memory, Place};
use super::{Query, Resources};
use crate::error::{Result, invalid};
use crate::gpu::buffer::Buffer;
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::PenaltyAnswer;
use crate::scene::mesh::Mesh;
use crate::scene::pose::{check_vector, check_vectors};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// What a penalty query is asked for.
#[derive(Debug, Clone)]
pub struct PenaltyOptions {
    /// How the surface is sampled.
    pub path: SamplingPath,
    /// Samples along the longest side of the field's domain.
    pub resolution: u32,
    /// Force per depth and area: k of equation 4.
    pub stiffness: f32,
    /// Force per normal velocity and area: b of equation 4.
    pub damping: f32,
    /// The dynamic friction coefficient of equation 5.
    pub friction: f32,
    /// What the field's body turns about, in its own frame.
    pub field_centre: Vec3,
    /// What the mesh's body turns about, in its own frame.
    pub mesh_centre: Vec3,
    /// For each vertex of the mesh its velocity in the mesh's own frame, beyond that of the pose.
    pub velocities: Option<Vec<Vec3>>,
    /// Whether paths that draw view by view drop fragments outside of the body's depths before they cost anything.
    pub early_z: bool,
}

/// Samples along the longest side of the domain by default: a few for each cell of a usual field.
pub const USUAL_SAMPLES: u32 = 256;

impl Default for PenaltyOptions {
    fn default() -> Self {
        Self {
            path: SamplingPath::Auto,
            resolution: USUAL_SAMPLES,
            stiffness: 1.0,
            damping: 0.0,
            friction: 0.0,
            field_centre: Vec3::ZERO,
            mesh_centre: Vec3::ZERO,
            velocities: None,
            early_z: false,
        }
    }
}

impl PenaltyOptions {
    fn validate(&self, mesh: &Mesh) -> Result<()> {
        check_resolution(self.resolution)?;
        let positive =
            |name: &str, value: f32, least: &str, fits: bool| match fits && value.is_finite() {
                true => Ok(()),
                false => Err(invalid(format!(
                    "{name} is {value}; it must be finite and {least}"
                ))),
            };
        positive("stiffness", self.stiffness, "above 0", self.stiffness > 0.0)?;
        positive("damping", self.damping, "at least 0", self.damping >= 0.0)?;
        positive(
            "friction",
            self.friction,
            "at least 0",
            self.friction >= 0.0,
        )?;
        check_vector("field_center", self.field_centre)?;
        check_vector("mesh_center", self.mesh_centre)?;
        let velocities = self.velocities.as_deref().unwrap_or_default();
        if self.velocities.is_some() && velocities.len() != mesh.vertices as usize {
            return Err(invalid(format!(
                "there are {} velocities, but mesh \"{}\" has {} vertices",
                velocities.len(),
                mesh.label,
                mesh.vertices
            )));
        }
        check_vectors(velocities, |at| format!("the velocity of vertex {at}"))
    }
}

/// The answer of a penalty query, in the world. Sums are integrals over the part of the mesh inside the field's body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penalty {
    /// On the field's body, at its centre.
    pub force_sum: DVec3,
    /// On the field's body, about its centre.
    pub torque_sum: DVec3,
    /// On the mesh's body, about its centre; its force is the opposite of `force_sum`.
    pub mesh_torque_sum: DVec3,
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

/// What a penalty query does.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// By kernels.
    Kernel(compute::Step),
    /// By drawing.
    Drawn(raster::Step),
}

/// A planned penalty query.
pub struct PenaltyQuery {
    meeting: Meeting,
    options: PenaltyOptions,
    velocities: Option<Arc<Buffer>>,
    /// What a path that draws needs.
    drawn: Option<raster::PenaltyTargets>,
}

impl PenaltyQuery {
    /// The force and torque that push a field's body and a mesh apart.
    pub fn plan(
        resources: &Resources,
        meeting: Meeting,
        mut options: PenaltyOptions,
    ) -> Result<Self> {
        meeting.validate()?;
        options.validate(&meeting.mesh)?;
        let drawn = match options.path {
            SamplingPath::Auto | SamplingPath::Compute => None,
            _ => Some(raster::plan(resources, &meeting, &options)?),
        };
        let velocities = match options.velocities.take() {
            None => None,
            Some(velocities) => {
                Some(resources.upload(&velocities, "velocities", "split the mesh")?)
            }
        };
        Ok(Self {
            meeting,
            options,
            velocities,
            drawn,
        })
    }
}

impl Query for PenaltyQuery {
    type Answer = Penalty;
    type Step = Step;
    const NAME: &'static str = "penalty";

    fn memory(&self) -> Memory {
        let memory = Memory::structs::<PenaltyAnswer>(1).with(compute::parts(&self.meeting));
        match self.drawn {
            None => memory,
            Some(_) => memory.with(raster::parts(&self.meeting, &self.options)),
        }
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
        let velocities = self.velocities.as_deref();
        match (step, &self.drawn) {
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

    fn answer(&self, bytes: &[u8]) -> Result<Penalty> {
        let answer: PenaltyAnswer = bytemuck::pod_read_unaligned(bytes);
        let vector = |v: [f32; 3]| Vec3::from_array(v).as_dvec3();
        let meeting = &self.meeting;
        let force_sum = meeting.world_direction(vector(answer.force));
        let torque_sum = meeting.world_direction(vector(answer.torque));
        let area = f64::from(answer.area);
        let centre = meeting.world(self.options.field_centre.as_dvec3());
        let mesh_centre = meeting.mesh_pose.apply(self.options.mesh_centre.as_dvec3());
        let somewhere = |p: DVec3| match answer.samples {
            0 => DVec3::ZERO,
            _ => meeting.world(p),
        };
        Ok(Penalty {
            force_sum,
            torque_sum,
            // The reaction acts at the same points: the moment of -f about another centre.
            mesh_torque_sum: -(torque_sum + (centre - mesh_centre).cross(force_sum)),
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
