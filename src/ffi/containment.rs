//! Containment: which points are inside
//!
//! Points are compared with the rays of a layered depth image; near the surface they are decided exactly on request.

use super::asking::{self, List, list_context};
use super::batch::PrxTicket;
use super::boundary::read_points;
use super::handles::{PrxBatch, PrxContext};
use super::mesh::{PrxMesh, PrxPose, read_placed, read_pose};
use super::status::PrxStatus;
use super::volume::{PrxLdiDef, read_ldi_def};
use crate::error::invalid;
use crate::query::contains::{Containment, ContainsQuery};
use std::ffi::c_void;

/// A point is inside.
pub const PRX_CONTAINMENT_INSIDE: u32 = 1;
/// The surface comes so near to a point that it may be on the other side; never set for points farther away than two pixels
/// across the rays and as much along them as the surface rises over that.
pub const PRX_CONTAINMENT_NEAR: u32 = 2;

/// Records which of `count` points, at most PRX_MAX_COUNT, in the world are inside a closed mesh; read them by prx_batch_contains_result. The points are
/// copied at the call. `pose` and `def` may be null.
///
/// # Safety
/// `pose` and `def` are null or valid; `points` has `count` points, `stride` bytes apart; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_contains(
    batch: *mut PrxBatch,
    mesh: PrxMesh,
    pose: *const PrxPose,
    points: *const c_void,
    count: u32,
    stride: u64,
    def: *const PrxLdiDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            let asked = read_ldi_def(def)?;
            if asked.exact {
                return Err(invalid(
                    "PRX_LDI_EXACT is for prx_mesh_contains: a batch runs on the device alone",
                ));
            }
            let points = read_points(points, stride, count)?;
            let mesh = read_placed(context, mesh, pose)?;
            ContainsQuery::plan(context.resources(), mesh, &points, asked.options)
        })
    }
}

/// The answer of prx_batch_contains: PRX_CONTAINMENT_* bits for each point. `*out_count` gets the number of points, also when
/// `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` numbers; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_contains_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut u32,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let bits = List::new(out, capacity, out_count, "numbers");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_list::<ContainsQuery, _, _>(batch, ticket, bits) }
}

/// Which of `count` points, at most PRX_MAX_COUNT, in the world are inside a closed mesh: a batch of one. With PRX_LDI_EXACT the points near the surface are
/// then decided by exact winding numbers on the CPU. `pose` and `def` may be null.
///
/// # Safety
/// `pose` and `def` are null or valid; `points` has `count` points, `stride` bytes apart; `out` has room for `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_contains(
    context: *mut PrxContext,
    mesh: PrxMesh,
    pose: *const PrxPose,
    points: *const c_void,
    count: u32,
    stride: u64,
    def: *const PrxLdiDef,
    out: *mut u32,
) -> PrxStatus {
    let bits = List::of(out, count, "numbers");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, bits, |context| {
            let asked = read_ldi_def(def)?;
            let points = read_points(points, stride, count)?;
            let mesh = (mesh.id, read_pose(pose));
            context.contains(mesh, &points, asked.options, asked.exact)
        })
    }
}

impl From<Containment> for u32 {
    fn from(answer: Containment) -> Self {
        Self::from(answer.inside) * PRX_CONTAINMENT_INSIDE
            + Self::from(answer.near) * PRX_CONTAINMENT_NEAR
    }
}
