//! Contacts: what a solver takes
//!
//! Where two bodies touch: points on both, a normal from A to B, a signed separation with its interval, and a key that names the contact
//! from step to step. A body is a mesh, a field or both; the surface of one is looked at in the field of the other, both ways where both
//! have both. Contacts are all local minima of the signed distance over a surface, on a vertex, an edge or in a face, up to a distance.
//! Those that are connected and whose normals agree form a patch, and of each patch a few are kept:
//! the deepest, and those that span it. Pass the contacts of the last step and each new one says which it continues.
//!
//! Guarantees: the deepest contact of a patch is kept, up to a thirtieth of a cell of the finer field. Contacts left
//! out lie within `hull_distance` of the hull of those kept in their patch, seen along its normal. `residual_force` and `residual_torque` say by how much a
//! unit pressure over the contacts kept differs from one over all. A contact on a surface that rises from it by less than 0.005 of the
//! length counts as a minimum, so that a body at rest on a plane touches with all its corners. Equal input gives equal bits on one device.
//!
//! Coverage, before reduction: each connected part of a surface that is below the distance has a contact as deep as its deepest vertex, but
//! for what the field is off by. No point of a level surface is farther from all contacts than the longest edge of its triangle, nor on a face with an edge
//! longer than six 64ths of the field's domain than four samples, which are a 64th of that or a cell. A surface that falls towards a contact has none on
//! its way there, so that a point of it can be as far from all contacts as its part of the surface reaches: contacts are minima, not samples.
//! prx_batch_soft_contacts lists every vertex.

mod records;

use super::asking::{self, List, Out, answer_part};
use super::batch::PrxTicket;
use super::boundary::{Sized32, on_context, read_array, read_def, read_def_or};
use super::enumeration::{EnumOf, enumeration};
use super::field::PrxField;
use super::handles::{PrxBatch, PrxContext};
use super::mesh::PrxMesh;
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::Result;
use crate::memory::Gather;
use crate::query::body::ContactBody;
use crate::query::contacts::{
    ContactOptions, ContactsQuery, PreviousContact, USUAL_PATCHES, USUAL_POINTS,
};
use glam::{DVec3, Quat};

/// A mesh, a field or both, somewhere in a world of any size. Fill it by prx_body_default. World = position + rotation * (scale * local).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxBody {
    /// Bytes of this struct.
    pub size: u32,
    /// World units per unit of the mesh and of the field, from 1e-6 to 1e6: bodies of many sizes share a mesh and a field.
    pub scale: f32,
    /// The surface whose points can touch other bodies, or null.
    pub mesh: PrxMesh,
    /// The field that points of other bodies are looked up in, or null.
    pub field: PrxField,
    /// The local origin in the world. Only differences of positions matter: pairs far from the world's origin touch as they would there.
    pub position: [f64; 3],
    /// A unit quaternion: x, y, z, w.
    pub rotation: [f32; 4],
    /// Added to the distance up to which contacts are reported, in world units.
    pub contact_offset: f32,
    /// Thickness around the surface, in world units: taken from every separation, and added to the distance up to which contacts are
    /// reported.
    pub rest_offset: f32,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxBody {
    const NAME: &'static str = "PrxBody";
    const FILLED_BY: &'static str = "body_default";
}

/// What of the surfaces is tried.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxContactSampling {
    /// Vertices, and the minima on edges and in faces: a box of twelve triangles is as good as one of thousands.
    All = 0,
    /// Vertices only.
    Vertices = 1,
    /// Vertices and the centres of edges.
    EdgeCenters = 2,
}
enumeration!(PrxContactSampling: All, Vertices, EdgeCenters);

/// What to ask of contacts. Fill it by prx_contacts_def_default.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxContactsDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Separations up to this are reported, in world units, at least 0. Above 0, contacts are there before they are needed.
    pub distance: f32,
    /// Contacts that are kept per patch, from 1 to 32; 0 for all.
    pub points: u32,
    /// Patches that are kept, from 1 to 64, the deepest first.
    pub patches: u32,
    /// What of the surfaces is tried.
    pub sampling: EnumOf<PrxContactSampling>,
    /// Room on the device for contacts before reduction, up to 65536; 0 to choose by the meshes. With too little the answer is
    /// PRX_STATUS_UNSUPPORTED, and the error message has the number needed.
    pub budget: u32,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxContactsDef {
    const NAME: &'static str = "PrxContactsDef";
    const FILLED_BY: &'static str = "contacts_def_default";
}

/// What a contact lies on.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxContactFeature {
    /// A vertex.
    Vertex = 0,
    /// An edge.
    Edge = 1,
    /// The inside of a face.
    Face = 2,
}
enumeration!(PrxContactFeature: Vertex, Edge, Face);

/// Two points, one on each body, and what is between them.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxContact {
    /// The point on body A, in the world.
    pub world_a: [f64; 3],
    /// The point on body B, in the world.
    pub world_b: [f64; 3],
    /// Names the contact by the feature it lies on: equal in the next step if it is the same contact.
    pub key: u64,
    /// The caller's own: of the contact in `previous` that it continues, else 0. Keep impulses or an index here.
    pub user: u64,
    /// The point on body A along A's axes from A's position, in world units.
    pub point_a: [f32; 3],
    /// The point on body B along B's axes from B's position, in world units.
    pub point_b: [f32; 3],
    /// Unit vector from A to B, world axes. It comes from the field, so that edges inside a flat surface do not tilt it.
    pub normal: [f32; 3],
    /// The signed distance less the rest offsets, in world units; negative where the bodies penetrate. Where an edge of each cross, along
    /// the normal, as far as `lower` and `upper` allow.
    pub separation: f32,
    /// The exact signed distance at the point, less the rest offsets, is no smaller.
    pub lower: f32,
    /// The exact signed distance at the point, less the rest offsets, is no larger.
    pub upper: f32,
    /// The weights of the triangle's corners.
    pub barycentric: [f32; 3],
    /// The triangle of the surface that it was found on.
    pub triangle: u32,
    /// 0 when that surface is body A's, 1 when it is body B's.
    pub on: u32,
    /// What it lies on.
    pub feature: EnumOf<PrxContactFeature>,
    /// The area that it stands for, in square world units: of its own feature and of the contacts that were left out for it.
    pub area: f32,
    /// The number of its patch; UINT32_MAX where all contacts were asked for and there are more patches than allowed.
    pub patch: u32,
    /// The place in `previous` of the contact that it continues, or -1.
    pub previous: i32,
    /// Reserved.
    pub reserved: u32,
}

/// Contacts that are connected and whose normals are within 25 degrees of the deepest one's.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxPatch {
    /// The centre of its area, in the world.
    pub center: [f64; 3],
    /// The mean normal from A to B, world axes.
    pub normal: [f32; 3],
    /// Unit vector along the patch, world axes. The other is normal x tangent.
    pub tangent: [f32; 3],
    /// The area of its contacts, in square world units.
    pub area: f32,
    /// Second moments of the area about the centre: along the tangent, along the other tangent, mixed. For spinning friction: torsion holds up
    /// to friction times pressure times the square root of the sum of the first two times the area.
    pub moments: [f32; 3],
    /// Contacts before reduction.
    pub raw: u32,
    /// Contacts kept.
    pub kept: u32,
    /// Contacts left out lie no farther than this from the hull of those kept, seen along the normal, in world units.
    pub hull_distance: f32,
    /// The patch of the last step that it continues, or -1: the one that more than half of its contacts continue contacts of.
    pub previous: i32,
}

/// What is known of the contacts of a pair together.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxManifold {
    /// Contacts kept.
    pub contacts: u32,
    /// Patches.
    pub patches: u32,
    /// Contacts before reduction.
    pub raw: u32,
    /// Of these, contacts of patches beyond the limit.
    pub left_out: u32,
    /// Contacts in `previous` that ended.
    pub ended: u32,
    /// The force on body A of a unit pressure over all contacts, world axes.
    pub force: [f32; 3],
    /// Its torque about A's position.
    pub torque: [f32; 3],
    /// By how much the force of the contacts kept differs.
    pub residual_force: f32,
    /// By how much their torque differs.
    pub residual_torque: f32,
    /// Reserved.
    pub reserved: u32,
}

/// A body without mesh or field at the origin, of scale 1.
#[unsafe(no_mangle)]
pub extern "C" fn prx_body_default() -> PrxBody {
    PrxBody {
        size: size_of::<PrxBody>() as u32,
        scale: 1.0,
        mesh: PrxMesh { id: 0 },
        field: PrxField { id: 0 },
        position: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        contact_offset: 0.0,
        rest_offset: 0.0,
    }
}

/// A def for touching and penetrating bodies, four contacts per patch, and eight patches.
#[unsafe(no_mangle)]
pub extern "C" fn prx_contacts_def_default() -> PrxContactsDef {
    PrxContactsDef {
        size: size_of::<PrxContactsDef>() as u32,
        distance: 0.0,
        points: USUAL_POINTS,
        patches: USUAL_PATCHES,
        sampling: PrxContactSampling::All.into(),
        budget: 0,
    }
}

/// Records the contacts of two bodies; read them by prx_batch_contacts_result. One body must have a field where the other has a mesh.
/// `def` may be null for the default. `previous` has the contacts of the last step as they were returned, with `user` filled as the
/// caller likes; null for none. Many pairs in one batch share one submission and one readback.
///
/// # Safety
/// `body_a` and `body_b` are valid; `def` is null or valid; `previous` has `previous_count` contacts; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_contacts(
    batch: *mut PrxBatch,
    body_a: *const PrxBody,
    body_b: *const PrxBody,
    def: *const PrxContactsDef,
    previous: *const PrxContact,
    previous_count: u32,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            plan(context, [body_a, body_b], def, (previous, previous_count))
        })
    }
}

/// The contacts of prx_batch_contacts, patch by patch. `*out_count` gets their number, also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` contacts; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_contacts_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxContact,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let list = List::new(out, capacity, out_count, "contacts");
    // SAFETY: by the caller's promise.
    unsafe { answer_part::<ContactsQuery, _, _>(batch, ticket, list, |m| Ok(m.contacts)) }
}

/// The patches of prx_batch_contacts, the deepest first. `*out_count` gets their number, also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` patches; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_contacts_patches(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxPatch,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let list = List::new(out, capacity, out_count, "patches");
    // SAFETY: by the caller's promise.
    unsafe { answer_part::<ContactsQuery, _, _>(batch, ticket, list, |m| Ok(m.patches)) }
}

/// Places in `previous` of the contacts that ended. `*out_count` gets their number, also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` numbers; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_contacts_ended(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut u32,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let list = List::new(out, capacity, out_count, "ended contacts");
    // SAFETY: by the caller's promise.
    unsafe { answer_part::<ContactsQuery, _, _>(batch, ticket, list, |m| Ok(m.ended)) }
}

/// What is known of the contacts of prx_batch_contacts together.
///
/// # Safety
/// `out_manifold` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_contacts_manifold(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_manifold: *mut PrxManifold,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { asking::answer::<ContactsQuery, _>(batch, ticket, out_manifold, "out_manifold") }
}

/// The contacts of two bodies: a batch of one. Arguments as of prx_batch_contacts. `out_manifold` may be null. `*out_count` gets
/// the number of contacts, also when `capacity` is too small; points times patches of the def is always enough unless all are asked for.
///
/// # Safety
/// `body_a` and `body_b` are valid; `def` is null or valid; `previous` has `previous_count` contacts; `out_manifold` is null or writable;
/// `out` has room for `capacity` contacts; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_body_contacts(
    context: *mut PrxContext,
    body_a: *const PrxBody,
    body_b: *const PrxBody,
    def: *const PrxContactsDef,
    previous: *const PrxContact,
    previous_count: u32,
    out_manifold: *mut PrxManifold,
    out: *mut PrxContact,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    on_context(context, |context| {
        let list = List::new(out, capacity, out_count, "contacts");
        list.check()?;
        // SAFETY: by the caller's promise.
        let planned = unsafe { plan(context, [body_a, body_b], def, (previous, previous_count)) }?;
        let found = context.ask(planned)?;
        let manifold = PrxManifold::from(&found);
        // SAFETY: by the caller's promise.
        unsafe {
            list.write(Ok(found.contacts))?;
            if let Some(out) = Out::optional(out_manifold) {
                out.write(manifold);
            }
        }
        Ok(())
    })
}

/// # Safety
/// The bodies are null or valid, the def is null or valid, there are as many previous contacts as their count says.
unsafe fn plan(
    context: &Context,
    bodies: [*const PrxBody; 2],
    def: *const PrxContactsDef,
    (previous, count): (*const PrxContact, u32),
) -> Result<ContactsQuery> {
    // SAFETY: by the caller's promise.
    let (a, b, options) = unsafe {
        let previous = read_array(previous, count.into(), "previous contacts")?;
        (
            read_body(context, bodies[0])?,
            read_body(context, bodies[1])?,
            read_options(def, &previous)?,
        )
    };
    ContactsQuery::plan(context.resources(), [a, b], options)
}

/// # Safety
/// `def` is null or valid.
pub(super) unsafe fn read_options(
    def: *const PrxContactsDef,
    previous: &[PrxContact],
) -> Result<ContactOptions> {
    // SAFETY: by the caller's promise.
    let def = unsafe { read_def_or(def, prx_contacts_def_default) }?;
    Ok(ContactOptions {
        distance: def.distance,
        points: def.points,
        patches: def.patches,
        sampling: def.sampling.read("sampling")?.into(),
        budget: def.budget,
        previous: previous.iter().map(PreviousContact::from).gather(),
    })
}

/// # Safety
/// `body` is null or valid.
pub(super) unsafe fn read_body(context: &Context, body: *const PrxBody) -> Result<ContactBody> {
    // SAFETY: by the caller's promise.
    let body = unsafe { read_def(body) }?;
    let mesh = match body.mesh.id {
        0 => None,
        id => Some(context.mesh(id)?),
    };
    let field = match body.field.id {
        0 => None,
        id => Some(context.field(id)?),
    };
    Ok(ContactBody {
        position: DVec3::from_array(body.position),
        rotation: Quat::from_array(body.rotation),
        scale: body.scale,
        contact_offset: body.contact_offset,
        rest_offset: body.rest_offset,
        ..ContactBody::new(mesh, field)
    })
}
