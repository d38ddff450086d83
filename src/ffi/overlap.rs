//! Overlap: do they touch?

use super::asking;
use super::batch::PrxTicket;
use super::boundary::{Sized32, read_def_or};
use super::field::{PrxField, read_meeting};
use super::handles::{PrxBatch, PrxContext};
use super::mesh::{PrxMesh, PrxPose};
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::Result;
use crate::query::overlap::{Overlap, OverlapOptions, OverlapQuery};

/// What to ask of overlap. Fill it by prx_overlap_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxOverlapDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Pixels along a side of the views that the mesh is drawn in, from 1 to 4096. More of them leave less in doubt, and cost four times as
    /// much for twice as many.
    pub resolution: u32,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxOverlapDef {
    const NAME: &'static str = "PrxOverlapDef";
    const FILLED_BY: &'static str = "overlap_def_default";
}

/// Whether the surface of a mesh touches or enters a field's body. A body that is wholly within the mesh, without touching its
/// surface, does not count.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxOverlap {
    /// 0 is a proof that they do not touch; 1 that they do, unless `certain` is 0.
    pub overlap: u32,
    /// 1 when the answer is proven. 0 when they touch or are nearly touching: within the field's error and a pixel.
    pub certain: u32,
    /// Fragments of the mesh that may touch, or of one triangle that proves it alone. Without precise occlusion queries (PrxFeatures.precise_occlusion) only zero or not.
    pub samples: u32,
    /// Reserved.
    pub reserved: u32,
}

/// A def of the usual resolution.
#[unsafe(no_mangle)]
pub extern "C" fn prx_overlap_def_default() -> PrxOverlapDef {
    PrxOverlapDef {
        size: size_of::<PrxOverlapDef>() as u32,
        resolution: OverlapOptions::default().resolution,
    }
}

/// Records whether `mesh` overlaps the body of `field`; read it by prx_batch_overlap_result. The poses may be null for the
/// identity, `def` for the default.
///
/// # Safety
/// Each pose and `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_overlap(
    batch: *mut PrxBatch,
    field: PrxField,
    field_pose: *const PrxPose,
    mesh: PrxMesh,
    mesh_pose: *const PrxPose,
    def: *const PrxOverlapDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            plan(context, (field, field_pose), (mesh, mesh_pose), def)
        })
    }
}

/// The answer of prx_batch_overlap.
///
/// # Safety
/// `out_overlap` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_overlap_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_overlap: *mut PrxOverlap,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { asking::answer::<OverlapQuery, _>(batch, ticket, out_overlap, "out_overlap") }
}

/// Whether `mesh` overlaps the body of `field`: a batch of one.
///
/// # Safety
/// Each pose and `def` is null or valid; `out_overlap` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_overlap(
    context: *mut PrxContext,
    field: PrxField,
    field_pose: *const PrxPose,
    mesh: PrxMesh,
    mesh_pose: *const PrxPose,
    def: *const PrxOverlapDef,
    out_overlap: *mut PrxOverlap,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_now(context, out_overlap, "out_overlap", |context| {
            plan(context, (field, field_pose), (mesh, mesh_pose), def)
        })
    }
}

/// # Safety
/// Each pose and `def` is null or valid.
unsafe fn plan(
    context: &Context,
    field: (PrxField, *const PrxPose),
    mesh: (PrxMesh, *const PrxPose),
    def: *const PrxOverlapDef,
) -> Result<OverlapQuery> {
    // SAFETY: by the caller's promise.
    let (meeting, def) = unsafe {
        (
            read_meeting(context, field, mesh)?,
            read_def_or(def, prx_overlap_def_default)?,
        )
    };
    let options = OverlapOptions {
        resolution: def.resolution,
    };
    OverlapQuery::plan(context.resources(), meeting, options)
}

impl From<Overlap> for PrxOverlap {
    fn from(o: Overlap) -> Self {
        Self {
            overlap: o.overlap.into(),
            certain: o.certain.into(),
            samples: o.samples,
            reserved: 0,
        }
    }
}
