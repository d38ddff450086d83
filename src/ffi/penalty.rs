//! Penalty: forces that push two bodies apart
//!
//! Force and torque, integrated over the part of a mesh that is inside a field's body: a spring per area with damping and friction.

use super::asking;
use super::batch::PrxTicket;
use super::boundary::{Sized32, read_def_or, read_positions};
use super::enumeration::EnumOf;
use super::field::{PrxField, read_meeting};
use super::handles::{PrxBatch, PrxContext};
use super::info::PrxSamplingPath;
use super::mesh::{PrxMesh, PrxPose};
use super::proximity::read_path;
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::{Result, invalid};
use crate::geometry::rounding::round_up;
use crate::query::meeting::Meeting;
use crate::query::penalty::damping::{DampingLimit, InverseMass};
use crate::query::penalty::{Penalty, PenaltyOptions, PenaltyQuery, USUAL_SAMPLES};
use glam::{DMat3, DVec3, Vec3};
use std::ffi::c_void;

/// How easily a body is moved: all zero for one that stays where it is.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxInverseMass {
    /// One over its mass.
    pub mass: f64,
    /// The inverse of its inertia tensor about the centre that torques are about, in its own frame.
    pub inertia: [[f64; 3]; 3],
}

/// What to ask of penalty. Fill it by prx_penalty_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxPenaltyDef {
    /// Bytes of this struct.
    pub size: u32,
    /// How the surface is sampled.
    pub path: EnumOf<PrxSamplingPath>,
    /// Samples along the longest side of the field's domain, from 1 to 16384: their spacing on the mesh follows from it. Triangles that
    /// do not cross the field's surface are sampled by kernels no closer than at half a cell of the field, which holds nothing finer.
    pub resolution: u32,
    /// Force per depth and area: above 0.
    pub stiffness: f32,
    /// Force per normal velocity and area: at least 0.
    pub damping: f32,
    /// The dynamic friction coefficient: at least 0.
    pub friction: f32,
    /// The point that torques on the field's body are about, in the field's own frame.
    pub field_center: [f32; 3],
    /// The point that torques on the mesh's body are about, in the mesh's own frame.
    pub mesh_center: [f32; 3],
    /// For each vertex of the mesh its velocity, three floats in the mesh's own frame, beyond that of the pose; or null.
    pub velocities: *const c_void,
    /// Bytes from one velocity to the next.
    pub velocity_stride: u64,
    /// 1 lets the paths that draw view by view drop what lies before or behind the body by depth tests, and by depth bounds where
    /// the device has them. The answer is the same. It pays where fragments are dear and pictures are cheap; on software devices
    /// they are not.
    pub early_z: u32,
    /// 1 bounds what force and torque can be off by (PrxPenalty.force_sum_error and the following), for some ten times the work. For springs alone: `damping` and
    /// `friction` must be 0. By kernels, which then sample all that is inside as closely as `resolution` asks for: the errors fall with it.
    pub force_errors: u32,
    /// The time step that damping is limited for, in seconds: within it, damping stops a motion and does not reverse it, however large
    /// `damping` is. 0 for no limit. With a limit friction follows from the springs alone, `velocities` must be null, and the surface
    /// is sampled twice, by kernels.
    pub damping_limit_step: f64,
    /// Of the field's body; read with a limit on damping.
    pub field_inverse: PrxInverseMass,
    /// Of the mesh's body; read with a limit on damping.
    pub mesh_inverse: PrxInverseMass,
}

// SAFETY: repr(C), size first, numbers and pointers only.
unsafe impl Sized32 for PrxPenaltyDef {
    const NAME: &'static str = "PrxPenaltyDef";
    const FILLED_BY: &'static str = "penalty_def_default";
}

/// The forces between a field's body and a mesh that penetrates it, in the world. The force on the mesh is the opposite of
/// that on the field's body, at the same points. Sums are integrals over the part of the mesh that is inside; without `sum`,
/// that is divided by its area. All is zero when nothing is inside.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxPenalty {
    /// On the field's body, per area.
    pub force: [f32; 3],
    /// On the field's body about its centre, per area.
    pub torque: [f32; 3],
    /// On the field's body.
    pub force_sum: [f32; 3],
    /// On the field's body, about its centre.
    pub torque_sum: [f32; 3],
    /// On the mesh, per area.
    pub mesh_force: [f32; 3],
    /// On the mesh about its centre, per area.
    pub mesh_torque: [f32; 3],
    /// On the mesh.
    pub mesh_force_sum: [f32; 3],
    /// On the mesh, about its centre.
    pub mesh_torque_sum: [f32; 3],
    /// The mesh's area inside.
    pub area: f32,
    /// At least this much of the mesh's area is inside.
    pub area_lower: f32,
    /// At most this much of the mesh's area is inside.
    pub area_upper: f32,
    /// Samples inside.
    pub sample_count: u32,
    /// The integral of the depth over the area inside; times the stiffness, the sum of the springs' strengths.
    pub depth_sum: f32,
    /// The exact integral is no farther from `depth_sum` than this.
    pub depth_sum_error: f32,
    /// The depth of the deepest sample.
    pub depth: f32,
    /// The mesh is at least this deep inside, or touches it not at all for 0.
    pub depth_lower: f32,
    /// The mesh is at most this deep inside.
    pub depth_upper: f32,
    /// The deepest sample.
    pub deepest: [f32; 3],
    /// The middle of the contact on the surface of the field's body, weighted by area.
    pub centroid: [f32; 3],
    /// 1 where large triangles were sampled farther apart than `resolution` asks for, because drivers bound how long a kernel may
    /// loop: the bounds of area and depth are then wider than usual. Otherwise 0.
    pub coarsened: u32,
    /// The part of the damping that is in the forces, from 0 to 1: below 1 where PrxPenaltyDef.damping_limit_step made it less.
    pub damping_scale: f32,
    /// The exact force of the springs is no farther from `force_sum`, and from `mesh_force_sum`, than this: a length. Infinite without PrxPenaltyDef.force_errors, and where the
    /// field's distances saturate. Damping and friction have no bound.
    pub force_sum_error: f32,
    /// The same of `torque_sum`.
    pub torque_sum_error: f32,
    /// The same of `mesh_torque_sum`.
    pub mesh_torque_sum_error: f32,
}

const IMMOVABLE: PrxInverseMass = PrxInverseMass {
    mass: 0.0,
    inertia: [[0.0; 3]; 3],
};

/// A def for unit stiffness without damping and friction, and torques about the frames' origins.
#[unsafe(no_mangle)]
pub extern "C" fn prx_penalty_def_default() -> PrxPenaltyDef {
    PrxPenaltyDef {
        size: size_of::<PrxPenaltyDef>() as u32,
        path: PrxSamplingPath::Auto.into(),
        resolution: USUAL_SAMPLES,
        stiffness: 1.0,
        damping: 0.0,
        friction: 0.0,
        field_center: [0.0; 3],
        mesh_center: [0.0; 3],
        velocities: std::ptr::null(),
        velocity_stride: 12,
        early_z: 0,
        force_errors: 0,
        damping_limit_step: 0.0,
        field_inverse: IMMOVABLE,
        mesh_inverse: IMMOVABLE,
    }
}

/// Records the penalty forces between `field` and `mesh`; read them by prx_batch_penalty_result. The poses may be null for the
/// identity, `def` for the default; their velocities count. Velocities of vertices are copied at the call.
///
/// # Safety
/// Each pose and `def` is null or valid, with as many velocities as the mesh has vertices; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_penalty(
    batch: *mut PrxBatch,
    field: PrxField,
    field_pose: *const PrxPose,
    mesh: PrxMesh,
    mesh_pose: *const PrxPose,
    def: *const PrxPenaltyDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            plan(context, (field, field_pose), (mesh, mesh_pose), def)
        })
    }
}

/// The answer of prx_batch_penalty.
///
/// # Safety
/// `out_penalty` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_penalty_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_penalty: *mut PrxPenalty,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { asking::answer::<PenaltyQuery, _>(batch, ticket, out_penalty, "out_penalty") }
}

/// The penalty forces between `field` and `mesh`: a batch of one.
///
/// # Safety
/// As prx_batch_penalty; `out_penalty` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_penalty(
    context: *mut PrxContext,
    field: PrxField,
    field_pose: *const PrxPose,
    mesh: PrxMesh,
    mesh_pose: *const PrxPose,
    def: *const PrxPenaltyDef,
    out_penalty: *mut PrxPenalty,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_now(context, out_penalty, "out_penalty", |context| {
            plan(context, (field, field_pose), (mesh, mesh_pose), def)
        })
    }
}

/// # Safety
/// Each pose and `def` is null or valid, with as many velocities as the mesh has vertices.
unsafe fn plan(
    context: &Context,
    field: (PrxField, *const PrxPose),
    mesh: (PrxMesh, *const PrxPose),
    def: *const PrxPenaltyDef,
) -> Result<PenaltyQuery> {
    // SAFETY: by the caller's promise.
    unsafe {
        let meeting = read_meeting(context, field, mesh)?;
        let options = read_options(def, Some(&meeting))?;
        PenaltyQuery::plan(context.resources(), meeting, options)
    }
}

/// # Safety
/// `def` is null or valid, with as many velocities as the mesh has vertices.
pub(super) unsafe fn read_options(
    def: *const PrxPenaltyDef,
    meeting: Option<&Meeting>,
) -> Result<PenaltyOptions> {
    // SAFETY: by the caller's promise.
    let def = unsafe { read_def_or(def, prx_penalty_def_default) }?;
    let velocities = match meeting {
        _ if def.velocities.is_null() => None,
        None => {
            return Err(invalid(
                "velocities of vertices belong to a call of prx_follower_ask, not to the follower",
            ));
        }
        // SAFETY: by the caller's promise.
        Some(meeting) => unsafe { read_velocities(def.velocities, def.velocity_stride, meeting) }?,
    };
    Ok(PenaltyOptions {
        path: read_path(def.path)?,
        resolution: def.resolution,
        stiffness: def.stiffness,
        damping: def.damping,
        friction: def.friction,
        field_centre: Vec3::from_array(def.field_center),
        mesh_centre: Vec3::from_array(def.mesh_center),
        velocities,
        limit: (def.damping_limit_step != 0.0).then(|| DampingLimit {
            step: def.damping_limit_step,
            field: def.field_inverse.into(),
            mesh: def.mesh_inverse.into(),
        }),
        bounded: def.force_errors != 0,
        early_z: def.early_z != 0,
    })
}

/// The velocities of a meeting's vertices, if there are any.
///
/// # Safety
/// `velocities` is null or has as many as the mesh has vertices, `stride` bytes apart.
pub(super) unsafe fn read_velocities(
    velocities: *const c_void,
    stride: u64,
    meeting: &Meeting,
) -> Result<Option<Vec<Vec3>>> {
    if velocities.is_null() {
        return Ok(None);
    }
    if stride < 12 {
        return Err(invalid(format!(
            "velocity_stride is {stride}, less than a velocity's 12 bytes"
        )));
    }
    let count = meeting.mesh.vertices;
    // SAFETY: by the caller's promise.
    unsafe { read_positions(velocities, stride, count, "velocities") }.map(Some)
}

impl From<PrxInverseMass> for InverseMass {
    fn from(inverse: PrxInverseMass) -> Self {
        Self {
            mass: inverse.mass,
            inertia: DMat3::from_cols_array_2d(&inverse.inertia),
        }
    }
}

impl From<Penalty> for PrxPenalty {
    fn from(p: Penalty) -> Self {
        let floats = |v: DVec3| v.as_vec3().to_array();
        let average = |v: DVec3| floats(if p.area > 0.0 { v / p.area } else { v });
        Self {
            force: average(p.force_sum),
            torque: average(p.torque_sum),
            force_sum: floats(p.force_sum),
            torque_sum: floats(p.torque_sum),
            mesh_force: average(-p.force_sum),
            mesh_torque: average(p.mesh_torque_sum),
            mesh_force_sum: floats(-p.force_sum),
            mesh_torque_sum: floats(p.mesh_torque_sum),
            area: p.area as f32,
            area_lower: p.area_bounds[0] as f32,
            area_upper: p.area_bounds[1] as f32,
            sample_count: p.samples,
            depth_sum: p.depth_sum as f32,
            depth_sum_error: p.depth_sum_error as f32,
            depth: p.depth,
            depth_lower: p.depth_bounds[0],
            depth_upper: p.depth_bounds[1],
            deepest: floats(p.deepest),
            centroid: floats(p.centroid),
            coarsened: p.coarsened.into(),
            damping_scale: p.damping_scale as f32,
            force_sum_error: round_up(p.force_error),
            torque_sum_error: round_up(p.torque_error),
            mesh_torque_sum_error: round_up(p.mesh_torque_error),
        }
    }
}
