//! Contacts of a scene
//!
//! A scene that is given bodies finds all their contacts in one call: which pairs are near, the contacts of each, which pairs began to touch, go
//! on or ended, and which contact continues which. The scene remembers the last answer, so nothing has to be handed back. A step is:
//! prx_scene_move_bodies, prx_scene_contacts (or prx_batch_scene_contacts with its result), then the lists, whose lengths the answer has.
//!
//! Bodies take part in contacts only, objects of prx_scene_add in the exact queries only. The contacts of a pair have the bits that
//! prx_batch_contacts gives for it, and everything comes in a fixed order.

use super::asking::{self, List, ask_context, list_context};
use super::batch::PrxTicket;
use super::boundary::{on_context, read_array};
use super::contacts::{
    PrxBody, PrxContact, PrxContactsDef, PrxManifold, PrxPatch, read_body, read_options,
};
use super::enumeration::{EnumOf, enumeration};
use super::handles::{PrxBatch, PrxContext};
use super::scene::{PrxObject, PrxObjectPair, PrxScene};
use super::status::PrxStatus;
use crate::lock::lock;
use crate::memory;
use crate::query::body::BodyPlace;
use crate::query::scene_contacts::bodies::BodyFilter;
use crate::query::scene_contacts::history::{PairEvent, SceneContacts, TouchingPair};
use crate::query::scene_contacts::{SceneContactsQuery, SceneSummary};
use glam::{DVec3, Quat};

/// Which bodies a body meets: two meet if each one's mask has a bit of the other's group.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxBodyFilter {
    /// Bits of the groups that the body is in.
    pub group: u32,
    /// Bits of the groups that it meets.
    pub mask: u32,
}

/// Where a body is.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxBodyPose {
    /// The local origin in the world.
    pub position: [f64; 3],
    /// A unit quaternion: x, y, z, w.
    pub rotation: [f32; 4],
}

/// What became of a pair since the answer before.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxPairEvent {
    /// It has contacts and had none.
    Began = 0,
    /// It has contacts and had some.
    Persists = 1,
    /// It had contacts and has none, or one of its bodies was removed. It is reported once.
    Ended = 2,
}
enumeration!(PrxPairEvent: Began, Persists, Ended);

/// A pair of bodies that touch, or that have just ended to.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxContactPair {
    /// Body A: the one in the earlier place.
    pub object_a: PrxObject,
    /// Body B.
    pub object_b: PrxObject,
    /// The place of its first contact in the list of prx_scene_contact_points; `manifold.contacts` follow one another.
    pub first_contact: u64,
    /// The place of its first patch in the list of prx_scene_contact_patches. PrxContact.patch counts from here.
    pub first_patch: u64,
    /// What is known of its contacts together.
    pub manifold: PrxManifold,
    /// What became of it.
    pub event: EnumOf<PrxPairEvent>,
    /// Reserved.
    pub reserved: u32,
}

/// How long the lists of an answer are.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxSceneContacts {
    /// Pairs that touch or have just ended.
    pub pairs: u64,
    /// Contacts kept, of all pairs.
    pub contacts: u64,
    /// Patches of all pairs.
    pub patches: u64,
    /// Contacts of the answer before that ended.
    pub ended: u64,
    /// Pairs that were near each other and were looked at.
    pub tested: u32,
    /// Pairs that were near each other and cannot touch, because neither body has a field where the other has a mesh.
    pub without_field: u32,
}

/// Places a body in a scene; the object keeps its mesh and its field. `filter` may be null for a body in group 1 that meets all.
///
/// # Safety
/// `body` is valid; `filter` is null or valid; `out_object` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_add_body(
    context: *mut PrxContext,
    scene: PrxScene,
    body: *const PrxBody,
    filter: *const PrxBodyFilter,
    out_object: *mut PrxObject,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_object, "out_object", |context| {
            let (body, filter) = (read_body(context, body)?, read_filter(filter));
            let id = context.add_body(scene.id, body, filter)?;
            Ok(PrxObject { id })
        })
    }
}

/// Replaces what prx_scene_add_body was given; the pairs of the object go on. `filter` may be null as there.
///
/// # Safety
/// `body` is valid; `filter` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_set_body(
    context: *mut PrxContext,
    scene: PrxScene,
    object: PrxObject,
    body: *const PrxBody,
    filter: *const PrxBodyFilter,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let (body, filter) = unsafe { (read_body(context, body)?, read_filter(filter)) };
        context.replace_body(scene.id, object.id, body, filter)
    })
}

/// Moves `count` bodies, at most PRX_MAX_COUNT, to the poses of the same numbers. All move, or, when an object or a pose is refused, none.
///
/// # Safety
/// `objects` points to `count` objects, `poses` to as many poses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_move_bodies(
    context: *mut PrxContext,
    scene: PrxScene,
    objects: *const PrxObject,
    poses: *const PrxBodyPose,
    count: u64,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let (ids, poses) = unsafe {
            (
                // An object is its id and nothing else.
                read_array(objects.cast::<u64>(), count, "objects")?,
                read_array(poses, count, "poses")?,
            )
        };
        let places = memory::collect(poses.iter().map(BodyPlace::from), "poses")?;
        context.move_bodies(scene.id, &ids, &places)
    })
}

/// Pairs of bodies that are not to touch, whatever their filters say. The list takes the place of the one before; 0 for none. A removed
/// object leaves the list.
///
/// # Safety
/// `pairs` has `count` pairs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_exclude(
    context: *mut PrxContext,
    scene: PrxScene,
    pairs: *const PrxObjectPair,
    count: u64,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let pairs = unsafe { read_array(pairs, count, "pairs") }?;
        let ids = pairs.iter().map(|pair| [pair.first.id, pair.second.id]);
        let ids = memory::collect(ids, "pairs")?;
        context.exclude_pairs(scene.id, &ids)
    })
}

/// Finds the contacts of all bodies of a scene. `def` may be null for the default; its budget, points and patches are those of each
/// pair. Pairs are near if their boxes, grown by the distance and by the bodies' offsets, overlap; those that filters and exclusions admit
/// are looked at, in one submission. Read the lists by the functions below; they stay until the next answer.
///
/// # Safety
/// `def` is null or valid; `out_found` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_contacts(
    context: *mut PrxContext,
    scene: PrxScene,
    def: *const PrxContactsDef,
    out_found: *mut PrxSceneContacts,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_found, "out_found", |context| {
            context.scene_contacts(scene.id, &read_options(def, &[])?)
        })
    }
}

/// Records prx_scene_contacts of the bodies as they are now. prx_batch_scene_contacts_result hands the answer to the scene.
///
/// # Safety
/// `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_scene_contacts(
    batch: *mut PrxBatch,
    scene: PrxScene,
    def: *const PrxContactsDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            context.plan_scene_contacts(scene.id, &read_options(def, &[])?)
        })
    }
}

/// The answer of prx_batch_scene_contacts. The first call makes it the scene's last answer, whose lists the functions below read. Events and
/// `previous` refer to the answer that was the last one until then. Read answers of a scene in the order of their submissions: one that
/// comes after a later one is PRX_STATUS_WRONG_STATE.
///
/// # Safety
/// `out_found` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_scene_contacts_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_found: *mut PrxSceneContacts,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { asking::answer::<SceneContactsQuery, _>(batch, ticket, out_found, "out_found") }
}

/// The pairs of the scene's last answer, by the places of their bodies. `*out_count` gets their number, also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_contact_pairs(
    context: *mut PrxContext,
    scene: PrxScene,
    out: *mut PrxContactPair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let list = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe { list_of(context, scene, list, |last| last.pairs.clone()) }
}

/// The contacts of the scene's last answer, pair by pair, patch by patch. `previous` is a place in this list of the answer before.
/// `*out_count` gets their number, also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` contacts; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_contact_points(
    context: *mut PrxContext,
    scene: PrxScene,
    out: *mut PrxContact,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let list = List::new(out, capacity, out_count, "contacts");
    // SAFETY: by the caller's promise.
    unsafe { list_of(context, scene, list, |last| last.contacts.clone()) }
}

/// The patches of the scene's last answer, pair by pair, the deepest first. `previous` is a place in this list of the answer before.
/// `*out_count` gets their number, also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` patches; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_contact_patches(
    context: *mut PrxContext,
    scene: PrxScene,
    out: *mut PrxPatch,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let list = List::new(out, capacity, out_count, "patches");
    // SAFETY: by the caller's promise.
    unsafe { list_of(context, scene, list, |last| last.patches.clone()) }
}

/// Places in the contacts of the answer before that ended, those of ended pairs included. `*out_count` gets their number, also when
/// `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` numbers; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_contacts_ended(
    context: *mut PrxContext,
    scene: PrxScene,
    out: *mut u32,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let list = List::new(out, capacity, out_count, "ended contacts");
    // SAFETY: by the caller's promise.
    unsafe { list_of(context, scene, list, |last| last.ended.clone()) }
}

/// Sets `user` of every contact of the scene's last answer, in the order of prx_scene_contact_points; contacts of the next answer that continue
/// them carry it on. Keep impulses there. `count` must be the number of contacts.
///
/// # Safety
/// `users` has `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_set_users(
    context: *mut PrxContext,
    scene: PrxScene,
    users: *const u64,
    count: u64,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let users = unsafe { read_array(users, count, "users") }?;
        let bodies = context.scene_bodies(scene.id)?;
        lock(&bodies).set_users(&users)
    })
}

/// # Safety
/// As [`List::write`].
unsafe fn list_of<T, P: From<T> + Copy>(
    context: *const PrxContext,
    scene: PrxScene,
    list: List<P>,
    choose: impl FnOnce(&SceneContacts) -> Vec<T>,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, list, |context| {
            let bodies = context.scene_bodies(scene.id)?;
            let found = choose(lock(&bodies).last());
            Ok(found)
        })
    }
}

/// # Safety
/// `filter` is null or valid.
unsafe fn read_filter(filter: *const PrxBodyFilter) -> BodyFilter {
    if filter.is_null() {
        return BodyFilter::default();
    }
    // SAFETY: by the caller's promise.
    let PrxBodyFilter { group, mask } = unsafe { filter.read_unaligned() };
    BodyFilter { group, mask }
}

impl From<&PrxBodyPose> for BodyPlace {
    fn from(pose: &PrxBodyPose) -> Self {
        Self {
            position: DVec3::from_array(pose.position),
            rotation: Quat::from_array(pose.rotation),
        }
    }
}

impl From<TouchingPair> for PrxContactPair {
    fn from(pair: TouchingPair) -> Self {
        let [object_a, object_b] = pair.objects.map(|id| PrxObject { id });
        Self {
            object_a,
            object_b,
            first_contact: pair.contacts.start as u64,
            first_patch: pair.patches.start as u64,
            manifold: PrxManifold {
                contacts: pair.contacts.len() as u32,
                patches: pair.patches.len() as u32,
                ended: pair.ended,
                ..PrxManifold::from(&pair.manifold)
            },
            event: match pair.event {
                PairEvent::Began => PrxPairEvent::Began,
                PairEvent::Persists => PrxPairEvent::Persists,
                PairEvent::Ended => PrxPairEvent::Ended,
            }
            .into(),
            reserved: 0,
        }
    }
}

impl From<SceneSummary> for PrxSceneContacts {
    fn from(found: SceneSummary) -> Self {
        Self {
            pairs: found.pairs,
            contacts: found.contacts,
            patches: found.patches,
            ended: found.ended,
            tested: found.tested,
            without_field: found.without_field,
        }
    }
}
