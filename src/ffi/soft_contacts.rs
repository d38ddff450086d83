//! Soft contacts: every point near a field
//!
//! For cloth and soft bodies, whose solvers take lists: every vertex of a deforming mesh that is within a distance of one body or of many
//! (a character made of several), and on request every edge and face that has a nearer point inside than its ends or its rim. Nothing is
//! reduced and nothing that may be within the distance is missed at vertices; minima inside edges and faces are found on samples. With a law,
//! the forces on the vertices come along.

use super::asking::{self, List, answer_part, list_context};
use super::batch::PrxTicket;
use super::boundary::{Sized32, read_array, read_def_or};
use super::contacts::{PrxBody, PrxContactFeature, PrxContactSampling, read_body};
use super::enumeration::EnumOf;
use super::handles::{PrxBatch, PrxContext};
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::{Result, invalid};
use crate::memory;
use crate::query::contacts::soft::{
    PenaltyLaw, SoftContact, SoftContactOptions, SoftContactsQuery,
};
use glam::Vec3;

/// What to ask of soft contacts. Fill it by prx_soft_contacts_def_default.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxSoftContactsDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Separations up to this are reported, in world units, at least 0: the thickness of a cloth. The offsets of the bodies are added.
    pub distance: f32,
    /// What of the surface is tried.
    pub sampling: EnumOf<PrxContactSampling>,
    /// Room on the device for contacts, up to 1048576; 0 for one per vertex, or four with edges. With too little the answer is
    /// PRX_STATUS_UNSUPPORTED, and the error message has the number needed.
    pub budget: u32,
    /// Force per world unit that a point is nearer than `distance`, along the normal; 0 for no forces.
    pub stiffness: f32,
    /// Force per velocity towards the body; contacts never pull.
    pub damping: f32,
    /// The friction coefficient: sliding is opposed by this part of the normal force.
    pub friction: f32,
    /// Reserved, must be zero.
    pub reserved: u32,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxSoftContactsDef {
    const NAME: &'static str = "PrxSoftContactsDef";
    const FILLED_BY: &'static str = "soft_contacts_def_default";
}

/// A point of a deforming mesh near a body.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxSoftContact {
    /// The point in the world.
    pub point: [f64; 3],
    /// Unit vector out of the body, world axes: the gradient of its signed distance. Zero where the field does not tell.
    pub normal: [f32; 3],
    /// The signed distance less the rest offsets, in world units; negative where the point is inside.
    pub separation: f32,
    /// The exact signed distance at the point, less the rest offsets, is no smaller.
    pub lower: f32,
    /// The exact signed distance at the point, less the rest offsets, is no larger.
    pub upper: f32,
    /// The place of the body in `bodies`.
    pub body: u32,
    /// What it lies on.
    pub feature: EnumOf<PrxContactFeature>,
    /// The vertices of the feature: one; two, the smaller first; or three in the order of the triangle. The last one fills what is left.
    pub vertices: [u32; 3],
    /// Their weights.
    pub weights: [f32; 3],
    /// The triangle; UINT32_MAX for a vertex.
    pub triangle: u32,
    /// Reserved.
    pub reserved: u32,
}

/// A def for all vertices that touch or penetrate, without forces.
#[unsafe(no_mangle)]
pub extern "C" fn prx_soft_contacts_def_default() -> PrxSoftContactsDef {
    PrxSoftContactsDef {
        size: size_of::<PrxSoftContactsDef>() as u32,
        distance: 0.0,
        sampling: PrxContactSampling::Vertices.into(),
        budget: 0,
        stiffness: 0.0,
        damping: 0.0,
        friction: 0.0,
        reserved: 0,
    }
}

/// Records the soft contacts of the mesh of `soft` with the fields of `bodies`; read them by prx_batch_soft_contacts_result, and the forces by
/// prx_batch_soft_contacts_forces. At most 256 bodies. `def` may be null for the default. `velocities` is null, or has three numbers per vertex in
/// world axes, which damping and friction need; `velocity_count` counts numbers.
///
/// # Safety
/// `soft` is valid; `bodies` has `body_count` bodies; `def` is null or valid; `velocities` has `velocity_count` numbers;
/// `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_soft_contacts(
    batch: *mut PrxBatch,
    soft: *const PrxBody,
    bodies: *const PrxBody,
    body_count: u32,
    def: *const PrxSoftContactsDef,
    velocities: *const f32,
    velocity_count: u32,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            let bodies = (bodies, body_count);
            plan(context, soft, bodies, def, (velocities, velocity_count))
        })
    }
}

/// The contacts of prx_batch_soft_contacts, by body, then vertices, edges and faces, each by its vertices. `*out_count` gets their
/// number, also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` contacts; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_soft_contacts_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxSoftContact,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let list = List::new(out, capacity, out_count, "soft contacts");
    // SAFETY: by the caller's promise.
    unsafe {
        answer_part::<SoftContactsQuery, _, _>(batch, ticket, list, |found| Ok(found.contacts))
    }
}

/// The force on each vertex by the law of prx_batch_soft_contacts, world axes: three numbers per vertex of the mesh, or none where
/// `stiffness` was 0. `capacity` is in numbers; `*out_count` gets how many there are, also when that is too small.
///
/// # Safety
/// `out` has room for `capacity` numbers; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_soft_contacts_forces(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut f32,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let list = List::new(out, capacity, out_count, "numbers");
    // SAFETY: by the caller's promise.
    unsafe {
        answer_part::<SoftContactsQuery, f32, f32>(batch, ticket, list, |found| {
            Ok(memory::copied(bytemuck::cast_slice(&found.forces)))
        })
    }
}

/// The soft contacts of a mesh now: a batch of one. Arguments as of prx_batch_soft_contacts. `*out_count` gets the number of contacts, also
/// when `capacity` is too small.
///
/// # Safety
/// `soft` is valid; `bodies` has `body_count` bodies; `def` is null or valid; `out` has room for `capacity` contacts; `out_count` is
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_body_soft_contacts(
    context: *mut PrxContext,
    soft: *const PrxBody,
    bodies: *const PrxBody,
    body_count: u32,
    def: *const PrxSoftContactsDef,
    out: *mut PrxSoftContact,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let list = List::new(out, capacity, out_count, "soft contacts");
    let none = (std::ptr::null(), 0);
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, list, |context| {
            let planned = plan(context, soft, (bodies, body_count), def, none)?;
            Ok(context.ask(planned)?.contacts)
        })
    }
}

/// # Safety
/// The body is null or valid, the def is null or valid, the arrays have as many elements as their counts say.
unsafe fn plan(
    context: &Context,
    soft: *const PrxBody,
    (bodies, body_count): (*const PrxBody, u32),
    def: *const PrxSoftContactsDef,
    (velocities, velocity_count): (*const f32, u32),
) -> Result<SoftContactsQuery> {
    // SAFETY: by the caller's promise.
    let (soft, bodies, def, velocities) = unsafe {
        (
            read_body(context, soft)?,
            read_array(bodies, body_count.into(), "bodies")?,
            read_def_or(def, prx_soft_contacts_def_default)?,
            read_array(velocities, velocity_count.into(), "velocities")?,
        )
    };
    let mut fields = memory::with_room(bodies.len(), "bodies")?;
    for body in &bodies {
        // SAFETY: a copy of what the caller passed.
        fields.push(unsafe { read_body(context, body) }?);
    }
    if velocities.len() % 3 != 0 {
        return Err(invalid(format!(
            "velocity_count is {velocity_count}; it must be three per vertex"
        )));
    }
    let law = PenaltyLaw {
        stiffness: def.stiffness,
        damping: def.damping,
        friction: def.friction,
        velocities: memory::copy(bytemuck::cast_slice::<f32, Vec3>(&velocities), "velocities")?,
    };
    let options = SoftContactOptions {
        distance: def.distance,
        sampling: def.sampling.read("sampling")?.into(),
        budget: def.budget,
        law,
    };
    SoftContactsQuery::plan(context.resources(), soft, fields, options)
}

impl From<SoftContact> for PrxSoftContact {
    fn from(c: SoftContact) -> Self {
        Self {
            point: c.point.to_array(),
            normal: c.normal.as_vec3().to_array(),
            separation: c.separation,
            lower: c.bounds[0],
            upper: c.bounds[1],
            body: c.body,
            feature: PrxContactFeature::from(c.feature).into(),
            vertices: c.vertices,
            weights: c.weights,
            triangle: c.triangle,
            reserved: 0,
        }
    }
}
