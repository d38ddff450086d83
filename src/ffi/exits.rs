//! Exits: how deep points are inside, and the shortest way out
//!
//! What a particle, or the end of a ray's stretch, needs for a response: the nearest place of the surface, exact but for rounding, on the CPU
//! threads.

use super::asking::{self, List};
use super::batch::PrxTicket;
use super::boundary::read_points;
use super::handles::{PrxBatch, PrxContext};
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::Result;
use crate::query::exits::{ExitsQuery, PointExit};
use std::ffi::c_void;

/// How a point gets out of a closed mesh.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxExit {
    /// How far the point is from the surface, in mesh units; 0 outside.
    pub depth: f64,
    /// The exact distance differs from depth by no more than this.
    pub error: f64,
    /// The nearest place of the surface, in the world; the point itself outside.
    pub place: [f64; 3],
    /// Unit vector from the point to place; for a point on the surface the triangle's normal. Zero outside.
    pub direction: [f64; 3],
    /// The triangle that place is on; PRX_NO_INDEX outside.
    pub triangle: u32,
    /// 1 where the point is inside, 0 where it is outside.
    pub inside: u32,
}

/// How deep each of `count` points, at most PRX_MAX_COUNT, in the world is inside a closed mesh, and where it is nearest to the surface. Whether a
/// point is inside is decided without rounding but that of its pose; in meshes that are not closed by the winding number. `pose` may be null.
///
/// # Safety
/// `pose` is null or valid; `points` has `count` points, `stride` bytes apart; `out` has room for `count` exits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_exits(
    context: *mut PrxContext,
    mesh: PrxMesh,
    pose: *const PrxPose,
    points: *const c_void,
    count: u32,
    stride: u64,
    out: *mut PrxExit,
) -> PrxStatus {
    let exits = List::of(out, count, "exits");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, exits, |context| {
            plan_exits(context, mesh, pose, points, count, stride)
        })
    }
}

/// Records how deep each of `count` points, at most PRX_MAX_COUNT, is inside a closed mesh, as prx_mesh_exits finds it; read it by
/// prx_batch_exits_result. The points are copied at the call. `pose` may be null.
///
/// # Safety
/// `pose` is null or valid; `points` has `count` points, `stride` bytes apart; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_exits(
    batch: *mut PrxBatch,
    mesh: PrxMesh,
    pose: *const PrxPose,
    points: *const c_void,
    count: u32,
    stride: u64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record_exact(batch, out_ticket, |context| {
            plan_exits(context, mesh, pose, points, count, stride)
        })
    }
}

/// The answer of prx_batch_exits: an exit for each point. `*out_count` gets the number of points, also when `capacity` is too small; nothing else
/// is written then.
///
/// # Safety
/// `out` has room for `capacity` exits; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_exits_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxExit,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let exits = List::new(out, capacity, out_count, "exits");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_exact_list::<ExitsQuery, _, _>(batch, ticket, exits) }
}

/// # Safety
/// As [`prx_mesh_exits`].
unsafe fn plan_exits(
    context: &Context,
    mesh: PrxMesh,
    pose: *const PrxPose,
    points: *const c_void,
    count: u32,
    stride: u64,
) -> Result<ExitsQuery> {
    // SAFETY: by the caller's promise.
    unsafe {
        let points = read_points(points, stride, count)?;
        context.plan_exits((mesh.id, read_pose(pose)), &points)
    }
}

impl From<PointExit> for PrxExit {
    fn from(exit: PointExit) -> Self {
        Self {
            depth: exit.depth,
            error: exit.error,
            place: exit.place.to_array(),
            direction: exit.direction.to_array(),
            triangle: exit.triangle.unwrap_or(u32::MAX),
            inside: exit.inside.into(),
        }
    }
}
