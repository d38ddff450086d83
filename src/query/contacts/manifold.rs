//! The contacts of a pair: what a solver takes.

use glam::{DVec3, Vec3};

/// What a contact lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum ContactFeature {
    /// A vertex.
    Vertex = 0,
    /// An edge.
    Edge = 1,
    /// The inside of a face.
    Face = 2,
}

/// Two points, one on each body, and what is between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// On body A, along its axes from its origin, in world units.
    pub point_a: DVec3,
    /// On body B, along its axes from its origin, in world units.
    pub point_b: DVec3,
    /// The point on body A in the world.
    pub world_a: DVec3,
    /// The point on body B in the world.
    pub world_b: DVec3,
    /// Unit vector from A to B, along the world's axes.
    pub normal: DVec3,
    /// The signed distance less the rest offsets; negative where the bodies penetrate.
    pub separation: f32,
    /// The exact signed distance less the rest offsets lies between these.
    pub bounds: [f32; 2],
    /// Whether the surface it was found on is body B's; otherwise it is body A's.
    pub on_b: bool,
    /// The triangle of that surface.
    pub triangle: u32,
    /// The weights of its corners.
    pub barycentric: Vec3,
    /// What it lies on.
    pub feature: ContactFeature,
    /// The area that it stands for.
    pub area: f32,
    /// Its patch, or `u32::MAX` where there were too many.
    pub patch: u32,
    /// Names it from step to step.
    pub key: u64,
    /// Which of the previous contacts it continues.
    pub previous: Option<u32>,
    /// What the caller kept with that one; 0 for a new contact.
    pub user: u64,
}

impl Contact {
    /// Its point on the surface that it was found on, in the frame of that surface's body.
    pub fn own_point(&self) -> DVec3 {
        if self.on_b {
            self.point_b
        } else {
            self.point_a
        }
    }
}

/// Contacts that are connected and whose normals agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifoldPatch {
    /// The mean normal, from A to B, along the world's axes.
    pub normal: DVec3,
    /// The centre of its area, in the world.
    pub centre: DVec3,
    /// The area of its contacts.
    pub area: f64,
    /// Unit vector along the patch that the moments refer to, along the world's axes.
    pub tangent: DVec3,
    /// Second moments of the area about the centroid: along the tangent, along normal x tangent, mixed.
    pub moments: [f64; 3],
    /// Contacts before reduction.
    pub raw: u32,
    /// Contacts kept.
    pub kept: u32,
    /// Contacts that were left out lie no farther than this from the hull of those kept, seen along the normal.
    pub hull_distance: f32,
    /// Which of the previous patches it continues.
    pub previous: Option<u32>,
}

/// The contacts of a pair.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Manifold {
    /// Those kept, patch by patch.
    pub contacts: Vec<Contact>,
    /// The patches, the deepest first.
    pub patches: Vec<ManifoldPatch>,
    /// Contacts before reduction.
    pub raw: u32,
    /// Of these, contacts of patches beyond the limit.
    pub left_out: u32,
    /// The force of a unit pressure of B on A's contacts, all of them, and its torque about A's origin, along the world's axes.
    pub wrench: [DVec3; 2],
    /// By how much the force and the torque of those kept differ from it.
    pub residual: [f64; 2],
    /// Which of the previous contacts ended.
    pub ended: Vec<u32>,
}
