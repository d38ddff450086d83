//! Samples of a field

use super::asking::{self, List};
use super::batch::PrxTicket;
use super::boundary::read_points;
use super::field::PrxField;
use super::handles::{PrxBatch, PrxContext};
use super::mesh::{PrxPose, read_pose};
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::{Result, invalid};
use crate::query::sample::{SampleQuery, SampleResult};
use std::ffi::c_void;

/// A field at a point: lower <= exact distance <= upper.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxSample {
    /// The interpolated signed distance, negative inside. Outside the domain it is `lower`: the surface is no nearer.
    pub distance: f32,
    /// The exact distance is no less.
    pub lower: f32,
    /// The exact distance is no more.
    pub upper: f32,
    /// 1 inside the field's domain, 0 outside.
    pub in_domain: u32,
    /// Unit vector towards the closest point of the surface, in world axes, or zero where the field does not tell. It flips at
    /// the surface.
    pub direction: [f32; 3],
    /// Unit outward normal, in world axes: the gradient of the signed distance, which does not flip at the surface. Zero where
    /// `direction` is. Of an unsigned field it points away from the surface on both sides.
    pub normal: [f32; 3],
}

/// Samples a field at `count` points of the world, now: a batch of one. `field_pose` places the field; it may be null for the
/// identity: then the points are in the field's own frame. Points are three floats, `stride` bytes apart, at most
/// PRX_MAX_COUNT of them.
///
/// # Safety
/// `field_pose` is null or valid; `points` has `count` points, `stride` bytes apart; `out_samples` has room for `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_sample(
    context: *mut PrxContext,
    field: PrxField,
    field_pose: *const PrxPose,
    points: *const c_void,
    count: u32,
    stride: u64,
    out_samples: *mut PrxSample,
) -> PrxStatus {
    let samples = List::of(out_samples, count, "samples");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_list_now(context, samples, |context| {
            if count == 0 {
                return Err(invalid("there is no point to sample"));
            }
            plan(context, (field, field_pose), (points, count, stride))
        })
    }
}

/// Records samples of a field at `count` points of the world; read them by prx_batch_sample_result. `field_pose` may be null
/// for the identity. The points are copied at the call.
///
/// # Safety
/// `field_pose` is null or valid; `points` has `count` points, `stride` bytes apart; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_sample(
    batch: *mut PrxBatch,
    field: PrxField,
    field_pose: *const PrxPose,
    points: *const c_void,
    count: u32,
    stride: u64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            plan(context, (field, field_pose), (points, count, stride))
        })
    }
}

/// The answer of prx_batch_sample. `*out_count` gets the number of samples, also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` samples; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_sample_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxSample,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let samples = List::new(out, capacity, out_count, "samples");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_list::<SampleQuery, _, _>(batch, ticket, samples) }
}

/// # Safety
/// The pose is null or valid; there are as many points as their count says, a stride apart.
unsafe fn plan(
    context: &Context,
    (field, pose): (PrxField, *const PrxPose),
    (points, count, stride): (*const c_void, u32, u64),
) -> Result<SampleQuery> {
    // SAFETY: by the caller's promise.
    let (pose, points) = unsafe { (read_pose(pose), read_points(points, stride, count)?) };
    SampleQuery::plan(
        context.resources(),
        (context.field(field.id)?, pose),
        &points,
    )
}

impl From<SampleResult> for PrxSample {
    fn from(s: SampleResult) -> Self {
        Self {
            distance: s.distance,
            lower: s.lower,
            upper: s.upper,
            in_domain: s.in_domain,
            direction: s.direction,
            normal: s.normal(),
        }
    }
}
