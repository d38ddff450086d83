//! Sweeps, impacts and near lists in batches
//!
//! What prx_batch_distance and others promise holds for these too.

use super::asking::{self, List};
use super::batch::PrxTicket;
use super::handles::PrxBatch;
use super::impacts::{PrxFeatureImpact, PrxImpactsDef, plan_step};
use super::mesh::{PrxMesh, PrxPose};
use super::near::{PrxNearDef, PrxNearPair, plan_one, plan_two};
use super::scene::PrxScene;
use super::scene_impacts::{PrxObjectMove, PrxSceneImpact, plan_scene_step};
use super::status::PrxStatus;
use super::sweep::{PrxImpact, PrxSweepDef, describe, plan_sweep, plan_sweep_poses};
use crate::query::near_query::{NearQuery, SafeDistancesQuery};
use crate::query::scene_impacts::{SceneFirstImpactQuery, SceneImpactsQuery};
use crate::query::sweep::{FreeStepQuery, ImpactsQuery, SweepQuery};

/// Records the first contact of two meshes, as prx_mesh_sweep finds it; read it by prx_batch_sweep_result. `def` may be null.
///
/// # Safety
/// `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_sweep(
    batch: *mut PrxBatch,
    a0: PrxMesh,
    a1: PrxMesh,
    b0: PrxMesh,
    b1: PrxMesh,
    def: *const PrxSweepDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_sweep(context, [a0, a1], Some([b0, b1]), def)
        })
    }
}

/// Records the first contact of a mesh with itself, as prx_mesh_sweep_self finds it; read it by prx_batch_sweep_result. `def` may be null.
///
/// # Safety
/// `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_sweep_self(
    batch: *mut PrxBatch,
    mesh0: PrxMesh,
    mesh1: PrxMesh,
    def: *const PrxSweepDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_sweep(context, [mesh0, mesh1], None, def)
        })
    }
}

/// Records the first contact of two rigid meshes, as prx_mesh_sweep_poses finds it; read it by prx_batch_sweep_result. Poses and `def`
/// may be null.
///
/// # Safety
/// Poses are null or valid; `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_sweep_poses(
    batch: *mut PrxBatch,
    a: PrxMesh,
    from_a: *const PrxPose,
    to_a: *const PrxPose,
    b: PrxMesh,
    from_b: *const PrxPose,
    to_b: *const PrxPose,
    def: *const PrxSweepDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_sweep_poses(context, [a, b], [[from_a, to_a], [from_b, to_b]], def)
        })
    }
}

/// The answer of prx_batch_sweep, prx_batch_sweep_self or prx_batch_sweep_poses.
///
/// # Safety
/// `out_impact` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_sweep_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_impact: *mut PrxImpact,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact::<SweepQuery, _>(batch, ticket, out_impact, "out_impact", describe)
    }
}

/// Records all impacts of two meshes, as prx_mesh_impacts finds them; read them by prx_batch_impacts_result. `def` may be null.
///
/// # Safety
/// `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_impacts(
    batch: *mut PrxBatch,
    a0: PrxMesh,
    a1: PrxMesh,
    b0: PrxMesh,
    b1: PrxMesh,
    def: *const PrxImpactsDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_step(context, [a0, a1], Some([b0, b1]), def).map(ImpactsQuery)
        })
    }
}

/// Records all impacts of a mesh with itself, as prx_mesh_impacts_self finds them; read them by prx_batch_impacts_result. `def` may be
/// null.
///
/// # Safety
/// `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_impacts_self(
    batch: *mut PrxBatch,
    mesh0: PrxMesh,
    mesh1: PrxMesh,
    def: *const PrxImpactsDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_step(context, [mesh0, mesh1], None, def).map(ImpactsQuery)
        })
    }
}

/// The answer of prx_batch_impacts or prx_batch_impacts_self. `*out_count` gets the number of impacts, also when `capacity` is too small; nothing else is
/// written then.
///
/// # Safety
/// `out` has room for `capacity` impacts; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_impacts_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxFeatureImpact,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let impacts = List::new(out, capacity, out_count, "impacts");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_exact_list::<ImpactsQuery, _, _>(batch, ticket, impacts) }
}

/// Records the part of a step that is free of impacts between two meshes, as prx_mesh_free_step finds it; read it by
/// prx_batch_free_step_result. `def` may be null.
///
/// # Safety
/// `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_free_step(
    batch: *mut PrxBatch,
    a0: PrxMesh,
    a1: PrxMesh,
    b0: PrxMesh,
    b1: PrxMesh,
    def: *const PrxImpactsDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_step(context, [a0, a1], Some([b0, b1]), def).map(FreeStepQuery)
        })
    }
}

/// Records the part of a step that is free of impacts of a mesh with itself, as prx_mesh_free_step_self finds it; read it by
/// prx_batch_free_step_result. `def` may be null.
///
/// # Safety
/// `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_free_step_self(
    batch: *mut PrxBatch,
    mesh0: PrxMesh,
    mesh1: PrxMesh,
    def: *const PrxImpactsDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_step(context, [mesh0, mesh1], None, def).map(FreeStepQuery)
        })
    }
}

/// The answer of prx_batch_free_step or prx_batch_free_step_self.
///
/// # Safety
/// `out_step` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_free_step_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_step: *mut f64,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact::<FreeStepQuery, _>(batch, ticket, out_step, "out_step", |found| {
            *found
        })
    }
}

/// Records all near pairs of two meshes, as prx_mesh_near finds them; read them by prx_batch_near_result. Poses may be null; the arrays of
/// `def` are copied.
/// At most `room` pairs are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// # Safety
/// Each pose is null or valid; `def` is valid, and its arrays have as many values as their counts say;
/// `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_near(
    batch: *mut PrxBatch,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    def: *const PrxNearDef,
    room: u64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            let bodies = plan_two(context, [a, b], [pose_a, pose_b], def)?;
            Ok(NearQuery::plan(bodies, room))
        })
    }
}

/// Records all near pairs of a mesh with itself, as prx_mesh_near_self finds them; read them by prx_batch_near_result. The arrays of `def`
/// are copied.
/// At most `room` pairs are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// # Safety
/// `def` is valid, and its arrays have as many values as their counts say;
/// `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_near_self(
    batch: *mut PrxBatch,
    mesh: PrxMesh,
    def: *const PrxNearDef,
    room: u64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            Ok(NearQuery::plan(plan_one(context, mesh, def)?, room))
        })
    }
}

/// The answer of prx_batch_near or prx_batch_near_self. `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is
/// written then.
///
/// # Safety
/// `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_near_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxNearPair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_exact_list::<NearQuery, _, _>(batch, ticket, pairs) }
}

/// Records how far each vertex of two meshes may move, as prx_mesh_safe_distances finds it; read it by prx_batch_safe_distances_result.
/// Poses may be null; the arrays of `def` are copied.
///
/// # Safety
/// Each pose is null or valid; `def` is valid, and its arrays have as many values as their counts say;
/// `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_safe_distances(
    batch: *mut PrxBatch,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    def: *const PrxNearDef,
    separation: f64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            let bodies = plan_two(context, [a, b], [pose_a, pose_b], def)?;
            SafeDistancesQuery::plan(bodies, separation)
        })
    }
}

/// Records how far each vertex of a mesh may move, as prx_mesh_safe_distances_self finds it; read it by prx_batch_safe_distances_result. The
/// arrays of `def` are copied.
///
/// # Safety
/// `def` is valid, and its arrays have as many values as their counts say;
/// `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_safe_distances_self(
    batch: *mut PrxBatch,
    mesh: PrxMesh,
    def: *const PrxNearDef,
    separation: f64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            SafeDistancesQuery::plan(plan_one(context, mesh, def)?, separation)
        })
    }
}

/// The answer of prx_batch_safe_distances or prx_batch_safe_distances_self. `*out_count` gets the number of numbers, also when `capacity` is too small; nothing else is
/// written then.
///
/// # Safety
/// `out` has room for `capacity` numbers; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_safe_distances_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut f64,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let numbers = List::new(out, capacity, out_count, "numbers");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_exact_list::<SafeDistancesQuery, _, _>(batch, ticket, numbers) }
}

/// Records all impacts of the objects of a scene, as prx_scene_impacts finds them, with the objects where they are now; read them by
/// prx_batch_scene_impacts_result. `moves` points to `count` moves, at most PRX_MAX_COUNT. `def` may be null.
///
/// # Safety
/// `moves` points to `count` moves; `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_scene_impacts(
    batch: *mut PrxBatch,
    scene: PrxScene,
    moves: *const PrxObjectMove,
    count: u64,
    def: *const PrxImpactsDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_scene_step(context, scene, moves, count, def).map(SceneImpactsQuery)
        })
    }
}

/// The answer of prx_batch_scene_impacts. `*out_count` gets the number of impacts, also when `capacity` is too small; nothing else is
/// written then.
///
/// # Safety
/// `out` has room for `capacity` impacts; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_scene_impacts_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxSceneImpact,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let impacts = List::new(out, capacity, out_count, "impacts");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_exact_list::<SceneImpactsQuery, _, _>(batch, ticket, impacts) }
}

/// Records the earliest impact of a scene, as prx_scene_first_impact finds it; read it by prx_batch_scene_first_impact_result. `moves` points
/// to `count` moves, at most PRX_MAX_COUNT. `def` may be null.
///
/// # Safety
/// `moves` points to `count` moves; `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_scene_first_impact(
    batch: *mut PrxBatch,
    scene: PrxScene,
    moves: *const PrxObjectMove,
    count: u64,
    def: *const PrxImpactsDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_scene_step(context, scene, moves, count, def).map(SceneFirstImpactQuery)
        })
    }
}

/// The answer of prx_batch_scene_first_impact.
///
/// # Safety
/// `out_impact` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_scene_first_impact_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_impact: *mut PrxSceneImpact,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact::<SceneFirstImpactQuery, _>(
            batch,
            ticket,
            out_impact,
            "out_impact",
            PrxSceneImpact::of,
        )
    }
}
