//! Distances, pairs and intersections in batches
//!
//! Exact queries are recorded in a batch beside those of the device, run on the context's CPU threads from prx_batch_submit on, and are read
//! by ticket. The answer is that of the function that answers at the call, bit for bit.
//!
//! Poses, defs, arrays, and the objects of a scene are those of when the query is recorded. Positions are those of the submission, as for queries
//! of the device: an update while the batch is in flight does not touch them, and a mesh that is destroyed is kept for the batch. Positions in an
//! engine's buffer come with the submission, after the semaphores that it waits for, once per mesh.
//!
//! prx_batch_poll and prx_batch_wait are about all of the batch. The semaphores that a submission signals are about the device alone, which has
//! read an engine's positions by then. What goes wrong in a query is the status of reading it, and concerns no other: prx_context_cancel, and the
//! time limit counted from the submission, end what is not done with PRX_STATUS_CANCELLED.

use super::asking::{self, List, ask_batch};
use super::batch::PrxTicket;
use super::exact::{
    PrxDistance, PrxDistanceDef, PrxPair, PrxTrianglePair, plan_distance, plan_pairs,
};
use super::exact_intersection::{PrxExactIntersection, PrxIntersection, plan_intersection};
use super::handles::PrxBatch;
use super::mesh::{PrxMesh, PrxPose};
use super::scene::{PrxScene, PrxScenePair};
use super::status::PrxStatus;
use super::tetrahedra::{PrxTetrahedralBody, PrxVertexDepth, PrxVertexInside, read_bodies};
use crate::query::distance::DistanceQuery;
use crate::query::intersection_query::{ExactVolumeQuery, IntersectionQuery};
use crate::query::objects::ScenePairsQuery;
use crate::query::pairs::{PairsQuery, SelfPairsQuery};
use crate::query::tetrahedra::{TetrahedraDepthsQuery, TetrahedraQuery};

/// Records the distance of two meshes, as prx_mesh_distance finds it; read it by prx_batch_distance_result. Poses and `def` may be null.
///
/// # Safety
/// Each pose is null or valid; `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_distance(
    batch: *mut PrxBatch,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    def: *const PrxDistanceDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_distance(context, [a, b], [pose_a, pose_b], def)
        })
    }
}

/// The answer of prx_batch_distance.
///
/// # Safety
/// `out_distance` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_distance_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_distance: *mut PrxDistance,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact::<DistanceQuery, _>(
            batch,
            ticket,
            out_distance,
            "out_distance",
            |found| (*found).into(),
        )
    }
}

/// Records pairs of triangles at most `distance` apart, as prx_mesh_pairs finds them; read them by prx_batch_pairs_result. Poses may be null.
/// At most `room` pairs are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// # Safety
/// Each pose is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_pairs(
    batch: *mut PrxBatch,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    distance: f64,
    room: u64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_pairs(context, [a, b], [pose_a, pose_b], distance, room)
        })
    }
}

/// The answer of prx_batch_pairs. `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is
/// written then.
///
/// # Safety
/// `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_pairs_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxPair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_exact_list::<PairsQuery, _, _>(batch, ticket, pairs) }
}

/// Records pairs of triangles of one mesh, as prx_mesh_self_pairs finds them; read them by prx_batch_self_pairs_result.
/// At most `room` pairs are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// # Safety
/// `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_self_pairs(
    batch: *mut PrxBatch,
    mesh: PrxMesh,
    room: u64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            context.plan_self_pairs(mesh.id, room)
        })
    }
}

/// The answer of prx_batch_self_pairs. `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is
/// written then.
///
/// # Safety
/// `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_self_pairs_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxTrianglePair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_exact_list::<SelfPairsQuery, _, _>(batch, ticket, pairs) }
}

/// Records the exact volume that two closed meshes have in common, as prx_mesh_exact_intersection finds it; read it by
/// prx_batch_exact_intersection_result. Poses may be null.
///
/// # Safety
/// Each pose is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_exact_intersection(
    batch: *mut PrxBatch,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_intersection(context, [a, b], [pose_a, pose_b]).map(ExactVolumeQuery)
        })
    }
}

/// The answer of prx_batch_exact_intersection.
///
/// # Safety
/// `out_intersection` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_exact_intersection_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_intersection: *mut PrxExactIntersection,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact::<ExactVolumeQuery, _>(
            batch,
            ticket,
            out_intersection,
            "out_intersection",
            |found| (*found).into(),
        )
    }
}

/// Records what two closed meshes have in common, as prx_intersection_create finds it; prx_batch_intersection_result names it. Poses may be null.
///
/// # Safety
/// Each pose is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_intersection(
    batch: *mut PrxBatch,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_intersection(context, [a, b], [pose_a, pose_b])
        })
    }
}

/// Names what prx_batch_intersection found, to be asked about: each call gives a name, to be destroyed by prx_intersection_destroy, which may
/// outlive the batch.
///
/// # Safety
/// `out_intersection` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_intersection_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_intersection: *mut PrxIntersection,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_batch(
            batch,
            out_intersection,
            "out_intersection",
            |context, batch| {
                let found = batch.exact_answer(ticket.of::<IntersectionQuery>())?;
                let id = context.keep_intersection(found)?;
                Ok(PrxIntersection { id })
            },
        )
    }
}

/// Records all vertices inside tetrahedra, as prx_tetrahedra_inside finds them; read them by prx_batch_tetrahedra_inside_result. The arrays
/// are copied. `count` is at most PRX_MAX_COUNT.
/// At most `room` answers are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// # Safety
/// `bodies` has `count` bodies whose arrays are as long as their counts say; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_tetrahedra_inside(
    batch: *mut PrxBatch,
    bodies: *const PrxTetrahedralBody,
    count: u32,
    room: u64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |_| {
            TetrahedraQuery::plan(read_bodies(bodies, count)?, room)
        })
    }
}

/// The answer of prx_batch_tetrahedra_inside. `*out_count` gets the number of answers, also when `capacity` is too small; nothing else is
/// written then.
///
/// # Safety
/// `out` has room for `capacity` answers; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_tetrahedra_inside_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxVertexInside,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let answers = List::new(out, capacity, out_count, "answers");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_exact_list::<TetrahedraQuery, _, _>(batch, ticket, answers) }
}

/// Records how deep vertices are inside of bodies, as prx_tetrahedra_depths finds them; read them by prx_batch_tetrahedra_depths_result. The
/// arrays are copied. `count` is at most PRX_MAX_COUNT.
/// At most `room` answers are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// # Safety
/// `bodies` has `count` bodies whose arrays are as long as their counts say; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_tetrahedra_depths(
    batch: *mut PrxBatch,
    bodies: *const PrxTetrahedralBody,
    count: u32,
    room: u64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |_| {
            TetrahedraDepthsQuery::plan(read_bodies(bodies, count)?, room)
        })
    }
}

/// The answer of prx_batch_tetrahedra_depths. `*out_count` gets the number of answers, also when `capacity` is too small; nothing else is
/// written then.
///
/// # Safety
/// `out` has room for `capacity` answers; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_tetrahedra_depths_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxVertexDepth,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let answers = List::new(out, capacity, out_count, "answers");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_exact_list::<TetrahedraDepthsQuery, _, _>(batch, ticket, answers) }
}

/// Records pairs of triangles of different objects at most `distance` apart, as prx_scene_pairs finds them, with the objects where they are
/// now; read them by prx_batch_scene_pairs_result.
/// At most `room` pairs are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// # Safety
/// `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_scene_pairs(
    batch: *mut PrxBatch,
    scene: PrxScene,
    distance: f64,
    room: u64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            context.plan_scene_pairs(scene.id, distance, room)
        })
    }
}

/// The answer of prx_batch_scene_pairs. `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is
/// written then.
///
/// # Safety
/// `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_scene_pairs_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxScenePair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_exact_list::<ScenePairsQuery, _, _>(batch, ticket, pairs) }
}
