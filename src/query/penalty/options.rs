//! What a penalty query is asked for, and what is refused.

use super::damping::DampingLimit;
use super::errors;
use crate::error::{Error, Result, invalid};
use crate::query::proximity::{SamplingPath, check_resolution};
use crate::scene::mesh::Mesh;
use crate::scene::pose::{check_vector, check_vectors};
use glam::Vec3;

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
    /// What damping is limited for, so that it reverses no motion within a step.
    pub limit: Option<DampingLimit>,
    /// Whether the errors of force and torque are bounded.
    pub bounded: bool,
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
            limit: None,
            bounded: false,
            early_z: false,
        }
    }
}

impl PenaltyOptions {
    pub(super) fn validate(&self, mesh: &Mesh) -> Result<()> {
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
        check_vectors(velocities, |at| format!("the velocity of vertex {at}"))?;
        errors::validate(self)?;
        let Some(limit) = &self.limit else {
            return Ok(());
        };
        limit.validate()?;
        if self.velocities.is_some() {
            return Err(invalid(
                "a limit on damping is for rigid bodies: velocities of vertices have no inverse mass",
            ));
        }
        match self.path {
            SamplingPath::Auto | SamplingPath::Compute => Ok(()),
            _ => Err(Error::Unsupported(
                "damping is limited by kernels only; choose PRX_SAMPLING_PATH_AUTO or _COMPUTE"
                    .into(),
            )),
        }
    }
}
