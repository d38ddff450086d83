//! What a contact query is asked for, and the contacts of the last step that it continues.

use super::manifold::Contact;
use crate::error::{Result, invalid};
use glam::DVec3;

/// What of a surface is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum Sampling {
    /// Vertices, and the minima of edges and faces.
    #[default]
    All = 0,
    /// Vertices only.
    Vertices = 1,
    /// Vertices and the middles of edges.
    EdgeCentres = 2,
}

/// A contact of an earlier answer that the new one may continue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PreviousContact {
    /// Its key.
    pub key: u64,
    /// What the caller keeps with it.
    pub user: u64,
    /// Its point in the frame of the body whose surface it lies on.
    pub point: DVec3,
    /// Its patch.
    pub patch: u32,
}

impl From<&Contact> for PreviousContact {
    fn from(contact: &Contact) -> Self {
        Self {
            key: contact.key,
            user: contact.user,
            point: contact.own_point(),
            patch: contact.patch,
        }
    }
}

/// What a contact query is asked for.
#[derive(Debug, Clone)]
pub struct ContactOptions {
    /// Separations up to this are reported, in world units.
    pub distance: f32,
    /// Contacts that are kept per patch; 0 for all.
    pub points: u32,
    /// Patches that are kept per pair.
    pub patches: u32,
    /// What of the surfaces is tried.
    pub sampling: Sampling,
    /// Room for contacts before reduction; 0 to choose by the meshes.
    pub budget: u32,
    /// The contacts of the last step.
    pub previous: Vec<PreviousContact>,
}

/// Contacts that are kept per patch unless asked otherwise: what box solvers take.
pub const USUAL_POINTS: u32 = 4;
/// The most that may be kept per patch.
pub const MOST_POINTS: u32 = 32;
/// Patches that are kept unless asked otherwise.
pub const USUAL_PATCHES: u32 = 8;
/// The most patches.
pub const MOST_PATCHES: u32 = 64;
/// The most contacts before reduction.
pub const MOST_RAW: u32 = 1 << 16;
/// The most contacts of the last step that are looked through.
pub const MOST_PREVIOUS: usize = 4096;

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            distance: 0.0,
            points: USUAL_POINTS,
            patches: USUAL_PATCHES,
            sampling: Sampling::All,
            budget: 0,
            previous: Vec::new(),
        }
    }
}

impl ContactOptions {
    /// Refuses what is out of range.
    pub(crate) fn validate(&self) -> Result<()> {
        if !(self.distance >= 0.0 && self.distance <= 1e15) {
            return Err(invalid(format!(
                "distance is {}; it must be from 0 to 1e15",
                self.distance
            )));
        }
        let limits = [
            ("points", self.points, 0, MOST_POINTS),
            ("patches", self.patches, 1, MOST_PATCHES),
            ("budget", self.budget, 0, MOST_RAW),
        ];
        for (name, value, least, most) in limits {
            if value < least || value > most {
                return Err(invalid(format!(
                    "{name} is {value}; it must be from {least} to {most}"
                )));
            }
        }
        if self.previous.len() > MOST_PREVIOUS {
            return Err(invalid(format!(
                "there are {} previous contacts; at most {MOST_PREVIOUS} are looked through",
                self.previous.len()
            )));
        }
        Ok(())
    }
}
