//! Trackers and collision chances
//!
//! The best answer within a budget of time or of steps, and what is certain about it.

use super::asking::{List, ask_context, list_context};
use super::boundary::{Sized32, on_context, read_def_or};
use super::exact::PrxDistance;
use super::handles::PrxContext;
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::status::PrxStatus;
use crate::context::tracking::{Allowance, TrackerPlan};
use crate::error::{Result, invalid};
use crate::geometry::time_critical::bodies::ActivePair;
use crate::geometry::time_critical::tracker::Tracking;

/// Names a tracker. Zero is null; the id of a destroyed tracker is refused.
///
/// Threads: calls may come from any thread, but only one at a time may step a tracker; another gets a status.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxTracker {
    /// The id; zero is null.
    pub id: u64,
}

/// How to track the nearest triangles of two meshes. Fill it by prx_tracker_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxTrackerDef {
    /// Bytes of this struct.
    pub size: u32,
    /// The most pairs of triangles that stay active from step to step; 1 to 65536.
    pub max_pairs: u32,
    /// Random pairs that join each step; 1 to 65536.
    pub fresh_pairs: u32,
    /// The most resolutions that pairs are followed at, 1 to 32. With 1 all pairs are of the finest features; with more, far pairs are of
    /// coarser ones, which takes them farther for the same steps, and the nearest pair is of the finest always.
    pub levels: u32,
    /// What the random pairs follow from: the same seed, meshes and steps give the same bits.
    pub seed: u64,
    /// Pairs farther apart than this, in mesh units, are of no interest. Infinity for any.
    pub within: f64,
    /// Pairs at most this far apart, in mesh units, collide, and each step looks for all collisions around those that are active;
    /// 0 for what intersects. Negative for none.
    pub colliding: f64,
    /// 1 to follow a mesh against itself, between its folds: both meshes are the same one, under the same pose, and triangles that share a
    /// vertex do not count. 0 for two meshes.
    pub itself: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxTrackerDef {
    const NAME: &'static str = "PrxTrackerDef";
    const FILLED_BY: &'static str = "tracker_def_default";
}

/// How long a time-critical query may take. It answers in any case; with nothing to spend, from the outermost boxes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxBudget {
    /// Microseconds from the call on, the refit of a changed mesh included: where they are over before it is done, what needs no hierarchy is
    /// answered. Only a mesh's first hierarchy is built whatever it takes. Infinity for any.
    pub microseconds: f64,
    /// About as many distances of two triangles; the answer then does not depend on how fast the machine is.
    /// UINT64_MAX for any.
    pub steps: u64,
}

/// What a step of a tracker found.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxTracked {
    /// The nearest pair so far. Its `lower` and `upper` hold the true distance whatever was left undone.
    pub distance: PrxDistance,
    /// 1 when more time would change nothing: the distance is the exact one.
    pub exact: u32,
    /// Pairs that are active now.
    pub pairs: u32,
    /// Steps that were taken, as PrxBudget counts them.
    pub steps: u64,
    /// Pairs that collide, as prx_tracker_collisions lists them.
    pub collisions: u64,
    /// 1 when the search for collisions came to the end of every region, 0 when the budget ended before.
    pub propagated: u32,
    /// Reserved.
    pub reserved: u32,
}

/// A pair of triangles at a local minimum of their distance.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxActivePair {
    /// The triangle of the first mesh.
    pub triangle_a: u32,
    /// The triangle of the second mesh.
    pub triangle_b: u32,
    /// Their distance in the last step, in mesh units.
    pub distance: f64,
}

/// How likely two meshes collide.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxChance {
    /// From 0 to 1. An estimate from the amount of surface in boxes; no triangle was looked at.
    pub probability: f64,
    /// 1 when the boxes alone prove that the surfaces do not meet.
    pub apart: u32,
    /// Reserved.
    pub reserved: u32,
    /// Steps that were taken.
    pub steps: u64,
}

/// A def with 64 active pairs, 16 fresh ones per step, at any distance, of the finest features of two meshes, without collisions.
#[unsafe(no_mangle)]
pub extern "C" fn prx_tracker_def_default() -> PrxTrackerDef {
    PrxTrackerDef {
        size: size_of::<PrxTrackerDef>() as u32,
        max_pairs: 64,
        fresh_pairs: 16,
        levels: 1,
        seed: 0,
        within: f64::INFINITY,
        colliding: -1.0,
        itself: 0,
        reserved: 0,
    }
}

/// Creates a tracker of two meshes, or of one and itself. `def` may be null for the default. The meshes are kept until the tracker is destroyed.
///
/// # Safety
/// `def` is null or valid; `out_tracker` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_tracker_create(
    context: *mut PrxContext,
    a: PrxMesh,
    b: PrxMesh,
    def: *const PrxTrackerDef,
    out_tracker: *mut PrxTracker,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_tracker, "out_tracker", |context| {
            let def = read_def_or(def, prx_tracker_def_default)?;
            let plan = read_plan(&def)?;
            let id = context.create_tracker([a.id, b.id], plan)?;
            Ok(PrxTracker { id })
        })
    }
}

fn read_plan(def: &PrxTrackerDef) -> Result<TrackerPlan> {
    if def.itself > 1 {
        return Err(invalid(format!("itself is {}; it is 0 or 1", def.itself)));
    }
    Ok(TrackerPlan {
        tracking: Tracking {
            pairs: def.max_pairs as usize,
            fresh: def.fresh_pairs as usize,
            within: def.within,
            colliding: def.colliding,
        },
        levels: def.levels as usize,
        itself: def.itself == 1,
        seed: def.seed,
    })
}

/// Destroys a tracker.
#[unsafe(no_mangle)]
pub extern "C" fn prx_tracker_destroy(context: *mut PrxContext, tracker: PrxTracker) -> PrxStatus {
    on_context(context, |context| context.destroy_tracker(tracker.id))
}

/// Follows both meshes to where they are now, looks for collisions, and spends what is left of the budget on certainty. Poses may be null.
///
/// Of a mesh and itself `lower` is 0: only the pairs that were found are known.
///
/// # Safety
/// Each pose is null or valid; `out_tracked` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_tracker_step(
    context: *mut PrxContext,
    tracker: PrxTracker,
    pose_a: *const PrxPose,
    pose_b: *const PrxPose,
    budget: PrxBudget,
    out_tracked: *mut PrxTracked,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_tracked, "out_tracked", |context| {
            let poses = [read_pose(pose_a), read_pose(pose_b)];
            let found = context.track(tracker.id, poses, budget.into())?;
            let pairs = context.active_pairs(tracker.id)?.len() as u32;
            Ok(PrxTracked {
                distance: found.distance.into(),
                exact: found.exact.into(),
                pairs,
                steps: found.steps,
                collisions: found.collisions,
                propagated: found.propagated.into(),
                reserved: 0,
            })
        })
    }
}

/// The active pairs of a tracker after its last step, nearest first: each is a region where the meshes are close.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_tracker_pairs(
    context: *mut PrxContext,
    tracker: PrxTracker,
    out: *mut PrxActivePair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "active pairs");
    // SAFETY: by the caller's promise.
    unsafe { list_context(context, pairs, |context| context.active_pairs(tracker.id)) }
}

/// The pairs of triangles that collide after the last step of a tracker, by their numbers: those at most `colliding` apart that hang together
/// with an active one, from neighbour to neighbour. Of a mesh and itself each pair comes once.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_tracker_collisions(
    context: *mut PrxContext,
    tracker: PrxTracker,
    out: *mut PrxActivePair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "colliding pairs");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, pairs, |context| {
            context.tracked_collisions(tracker.id)
        })
    }
}

/// How likely two meshes collide. It ends as soon as some part of both does with at least `enough` probability; above 1 it
/// looks at everything that the budget allows. Poses may be null.
///
/// # Safety
/// Each pose is null or valid; `out_chance` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_collision_chance(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    enough: f64,
    budget: PrxBudget,
    out_chance: *mut PrxChance,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_chance, "out_chance", |context| {
            let (pose_a, pose_b) = (read_pose(pose_a), read_pose(pose_b));
            let found =
                context.collision_chance((a.id, pose_a), (b.id, pose_b), enough, budget.into())?;
            Ok(PrxChance {
                probability: found.probability,
                apart: found.apart.into(),
                reserved: 0,
                steps: found.steps,
            })
        })
    }
}

impl From<ActivePair> for PrxActivePair {
    fn from(pair: ActivePair) -> Self {
        Self {
            triangle_a: pair.triangles[0],
            triangle_b: pair.triangles[1],
            distance: pair.distance,
        }
    }
}

impl From<PrxBudget> for Allowance {
    fn from(budget: PrxBudget) -> Self {
        Self {
            microseconds: budget.microseconds,
            steps: budget.steps,
        }
    }
}
