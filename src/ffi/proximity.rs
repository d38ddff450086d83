//! Proximity: the closest or deepest point
//!
//! The point of a mesh with the smallest signed distance to a field: where and how far two bodies are apart, or how deep they
//! penetrate. The exact smallest distance lies in the interval from `lower` to `upper`.

use super::asking::{self, ask_context};
use super::batch::PrxTicket;
use super::boundary::{Sized32, read_def_or};
use super::enumeration::EnumOf;
use super::field::{PrxField, read_meeting};
use super::handles::{PrxBatch, PrxContext};
use super::info::PrxSamplingPath;
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::Result;
use crate::query::proximity::{
    Proximity, ProximityOptions, ProximityQuery, SamplingPath, USUAL_BUDGET, USUAL_RESOLUTION,
};

/// What to ask of proximity. Fill it by prx_proximity_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxProximityDef {
    /// Bytes of this struct.
    pub size: u32,
    /// How the surface is sampled.
    pub path: EnumOf<PrxSamplingPath>,
    /// Pieces of triangles that reach less far than this from their middle are not split further, in mesh units; negative for
    /// the field's error bound. A smaller one gives a narrower certificate, at more cost.
    pub tolerance: f32,
    /// Pieces that are kept to be split, from 1 to 1048576; what does not fit widens the certificate, and is never lost.
    pub budget: u32,
    /// Pixels along the longest side, from 1 to 16384, for paths that rasterise.
    pub resolution: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxProximityDef {
    const NAME: &'static str = "PrxProximityDef";
    const FILLED_BY: &'static str = "proximity_def_default";
}

/// The point of a mesh with the smallest signed distance to a field: the closest when they are apart, the deepest when they
/// penetrate. Points and directions are in the world. The exact smallest signed distance, over all points of the mesh, lies between
/// `lower` and `upper`.
///
/// Only points of the mesh's surface are looked at: when the field's body is wholly inside the mesh, no such point is inside the
/// body, and the answer is a positive distance. The deepest point is not how far the bodies must be moved to part them, which can
/// be more or less. Which of two bodies has the field and which is the mesh changes the answer: one asks how deep the mesh is in
/// the body, the other the reverse. Where it matters, ask both ways.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxProximity {
    /// The field's value at `point_mesh`, in mesh units; negative inside the field's body.
    pub distance: f32,
    /// No point of the mesh has a smaller signed distance than this.
    pub lower: f32,
    /// Some point of the mesh has a signed distance of this or less.
    pub upper: f32,
    /// The triangle that `point_mesh` lies on.
    pub triangle: u32,
    /// The weights of that triangle's corners at `point_mesh`.
    pub barycentric: [f32; 3],
    /// 1 when `point_mesh` lies in the field's domain; with 0 `distance` and `point_field` are estimates, and only `lower` and
    /// `upper` hold.
    pub in_domain: u32,
    /// The point of the mesh.
    pub point_mesh: [f32; 3],
    /// 1 when the exact distance is certainly negative: some point of the mesh is inside the field's body.
    pub penetrating: u32,
    /// The point of the field's surface that is closest to `point_mesh`.
    pub point_field: [f32; 3],
    /// Reserved.
    pub reserved: u32,
    /// Unit vector from `point_mesh` towards `point_field`, or zero where the field does not tell.
    pub direction: [f32; 3],
    /// Reserved.
    pub reserved2: u32,
}

/// A def for the fastest path and the field's own tolerance.
#[unsafe(no_mangle)]
pub extern "C" fn prx_proximity_def_default() -> PrxProximityDef {
    PrxProximityDef {
        size: size_of::<PrxProximityDef>() as u32,
        path: PrxSamplingPath::Auto.into(),
        tolerance: -1.0,
        budget: USUAL_BUDGET,
        resolution: USUAL_RESOLUTION,
        reserved: 0,
    }
}

/// Records the proximity of `mesh` to `field`; read it by prx_batch_proximity_result. The poses may be null for the identity,
/// `def` for the default. Many in one batch cost little more than their work.
///
/// # Safety
/// Each pose and `def` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_proximity(
    batch: *mut PrxBatch,
    field: PrxField,
    field_pose: *const PrxPose,
    mesh: PrxMesh,
    mesh_pose: *const PrxPose,
    def: *const PrxProximityDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            plan(context, (field, field_pose), (mesh, mesh_pose), def)
        })
    }
}

/// The answer of prx_batch_proximity.
///
/// # Safety
/// `out_proximity` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_proximity_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_proximity: *mut PrxProximity,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { asking::answer::<ProximityQuery, _>(batch, ticket, out_proximity, "out_proximity") }
}

/// The proximity of `mesh` to `field`: a batch of one.
///
/// # Safety
/// Each pose and `def` is null or valid; `out_proximity` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_proximity(
    context: *mut PrxContext,
    field: PrxField,
    field_pose: *const PrxPose,
    mesh: PrxMesh,
    mesh_pose: *const PrxPose,
    def: *const PrxProximityDef,
    out_proximity: *mut PrxProximity,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_now(context, out_proximity, "out_proximity", |context| {
            plan(context, (field, field_pose), (mesh, mesh_pose), def)
        })
    }
}

/// Proximity against the triangles of `solid`, a closed mesh in the frame that `solid_pose` places, instead of a field: exact at
/// the point that is returned, on the context's CPU threads. The bounds are a ten-thousandth of the solid's box apart, or farther where so
/// much of the mesh is equally near that the search gave up; they hold all the same. It takes
/// milliseconds to seconds; both meshes are taken as they are now. Use it to check or refine an answer of prx_field_proximity.
///
/// # Safety
/// Each pose is null or valid; `out_proximity` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_proximity(
    context: *mut PrxContext,
    solid: PrxMesh,
    solid_pose: *const PrxPose,
    mesh: PrxMesh,
    mesh_pose: *const PrxPose,
    out_proximity: *mut PrxProximity,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_proximity, "out_proximity", |context| {
            let (solid_pose, mesh_pose) = (read_pose(solid_pose), read_pose(mesh_pose));
            context.exact_proximity((solid.id, solid_pose), (mesh.id, mesh_pose))
        })
    }
}

/// # Safety
/// Each pose and `def` is null or valid.
unsafe fn plan(
    context: &Context,
    field: (PrxField, *const PrxPose),
    mesh: (PrxMesh, *const PrxPose),
    def: *const PrxProximityDef,
) -> Result<ProximityQuery> {
    // SAFETY: by the caller's promise.
    let (meeting, options) = unsafe { (read_meeting(context, field, mesh)?, read_options(def)?) };
    ProximityQuery::plan(context.resources(), meeting, options)
}

/// # Safety
/// `def` is null or valid.
pub(super) unsafe fn read_options(def: *const PrxProximityDef) -> Result<ProximityOptions> {
    // SAFETY: by the caller's promise.
    let def = unsafe { read_def_or(def, prx_proximity_def_default) }?;
    Ok(ProximityOptions {
        path: read_path(def.path)?,
        tolerance: (def.tolerance >= 0.0 || def.tolerance.is_nan()).then_some(def.tolerance),
        budget: def.budget,
        resolution: def.resolution,
    })
}

pub(super) fn read_path(path: EnumOf<PrxSamplingPath>) -> Result<SamplingPath> {
    Ok(match path.read("path")? {
        PrxSamplingPath::Auto => SamplingPath::Auto,
        PrxSamplingPath::Compute => SamplingPath::Compute,
        PrxSamplingPath::ThreePass => SamplingPath::ThreePass,
        PrxSamplingPath::GeometryShader => SamplingPath::GeometryShader,
        PrxSamplingPath::Binned => SamplingPath::Binned,
    })
}

impl From<Proximity> for PrxProximity {
    fn from(p: Proximity) -> Self {
        Self {
            distance: p.distance,
            lower: p.lower,
            upper: p.upper,
            triangle: p.triangle,
            barycentric: p.barycentric.to_array(),
            in_domain: p.in_domain.into(),
            point_mesh: p.point_mesh.as_vec3().to_array(),
            penetrating: (p.upper < 0.0).into(),
            point_field: p.point_field.as_vec3().to_array(),
            reserved: 0,
            direction: p.direction.as_vec3().to_array(),
            reserved2: 0,
        }
    }
}
