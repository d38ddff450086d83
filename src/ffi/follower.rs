//! Followers: the newest contact, without waiting
//!
//! A follower asks proximity and penalty of a pair again and again and returns the newest finished answer at once. It suits loops
//! that cannot wait for the device.

use super::asking::{Out, ask_context};
use super::batch::{PrxSubmitDef, read_submission};
use super::boundary::{Sized32, guarded, on_context, read_def_or};
use super::field::{PrxField, read_meeting};
use super::handles::PrxContext;
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::penalty::{self, PrxPenalty, PrxPenaltyDef};
use super::proximity::{self, PrxProximity, PrxProximityDef};
use super::status::PrxStatus;
use crate::error::{Result, invalid};
use crate::query::follower::FollowInput;
use crate::query::friction::{self, Anchor};
use crate::query::meeting::Meeting;
use crate::query::penalty::Penalty;
use glam::{DVec3, Vec3};
use std::ffi::c_void;

/// Names a follower: it asks a pair again and again without waiting, for callers that cannot wait for the device, as a haptic loop
/// of a kilohertz cannot. Zero is null.
///
/// Threads: calls on one follower take turns.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxFollower {
    /// The id; zero is null.
    pub id: u64,
}

/// What goes with one call of prx_follower_ask. Fill it by prx_follow_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxFollowDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
    /// The semaphores that what is asked waits for and signals, or null. Its flags are 0. A pair that is answered on the host beside
    /// the device is answered before the call returns where there are signals.
    pub submit: *const PrxSubmitDef,
    /// For each vertex of the mesh its velocity, three floats in the mesh's own frame, beyond that of the pose; or null. Copied at the call.
    pub velocities: *const c_void,
    /// Bytes from one velocity to the next.
    pub velocity_stride: u64,
}

// SAFETY: repr(C), size first, integers and pointers only.
unsafe impl Sized32 for PrxFollowDef {
    const NAME: &'static str = "PrxFollowDef";
    const FILLED_BY: &'static str = "follow_def_default";
}

/// The newest finished answer of a follower.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxFollowed {
    /// The number of this call of prx_follower_ask, from 1; 0 when it asked nothing, because three were under way: then its semaphores
    /// are neither waited for nor signalled.
    pub asked: u64,
    /// Which call asked for the answer; 0 when none is there yet, and then all that follows is zero.
    pub number: u64,
    /// Seconds since that call.
    pub age: f64,
    /// The proximity then.
    pub proximity: PrxProximity,
    /// The penalty forces then.
    pub penalty: PrxPenalty,
}

/// Where two bodies hold on to each other by static friction. Start with zeros; the caller keeps it between steps.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxAnchor {
    /// In the frame of the field's body.
    pub field_point: [f32; 3],
    /// In the mesh's frame.
    pub mesh_point: [f32; 3],
    /// 1 while there is a contact.
    pub held: u32,
    /// 1 when the bodies slipped in the last step.
    pub slipping: u32,
}

/// Velocities of no vertex, and no semaphores.
#[unsafe(no_mangle)]
pub extern "C" fn prx_follow_def_default() -> PrxFollowDef {
    PrxFollowDef {
        size: size_of::<PrxFollowDef>() as u32,
        reserved: 0,
        submit: std::ptr::null(),
        velocities: std::ptr::null(),
        velocity_stride: 12,
    }
}

/// Creates a follower. The defs may be null for the default; velocities of vertices are given with each call, by PrxFollowDef.
///
/// # Safety
/// Each def is null or valid; `out_follower` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_follower_create(
    context: *mut PrxContext,
    proximity_def: *const PrxProximityDef,
    penalty_def: *const PrxPenaltyDef,
    out_follower: *mut PrxFollower,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_follower, "out_follower", |context| {
            let proximity = proximity::read_options(proximity_def)?;
            let penalty = penalty::read_options(penalty_def, None)?;
            let id = context.create_follower(proximity, penalty)?;
            Ok(PrxFollower { id })
        })
    }
}

/// Asks for the contact of a pair as it is now, without waiting, and returns the newest answer that is finished. At most three
/// are under way: a call that comes while all three are asks nothing, and returns the newest all the same. `def` may be null for the
/// default.
///
/// # Safety
/// Each pose is null or valid; `def` is null or valid, with as many velocities as the mesh has vertices, and its semaphores are of this device and
/// stay alive until what is asked is done; `out_followed` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_follower_ask(
    context: *mut PrxContext,
    follower: PrxFollower,
    field: PrxField,
    field_pose: *const PrxPose,
    mesh: PrxMesh,
    mesh_pose: *const PrxPose,
    def: *const PrxFollowDef,
    out_followed: *mut PrxFollowed,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_followed, "out_followed", |context| {
            let meeting = read_meeting(context, (field, field_pose), (mesh, mesh_pose))?;
            let input = read_input(def, &meeting)?;
            let following = context.follow(follower.id, meeting, input)?;
            let asked = following.asked.unwrap_or(0);
            Ok(match following.newest {
                Some(f) => PrxFollowed {
                    asked,
                    number: f.number,
                    age: f.age.as_secs_f64(),
                    proximity: f.proximity.into(),
                    penalty: f.penalty.into(),
                },
                // SAFETY: numbers only, for which zero is a value.
                None => PrxFollowed {
                    asked,
                    ..std::mem::zeroed()
                },
            })
        })
    }
}

/// # Safety
/// `def` is null or valid, with as many velocities as the mesh has vertices.
unsafe fn read_input(def: *const PrxFollowDef, meeting: &Meeting) -> Result<FollowInput> {
    // SAFETY: by the caller's promise.
    unsafe {
        let def = read_def_or(def, prx_follow_def_default)?;
        if def.reserved != 0 {
            return Err(invalid(format!(
                "reserved is {}; it must be zero",
                def.reserved
            )));
        }
        let submission = read_submission(def.submit)?;
        if submission.timed {
            return Err(invalid(
                "a follower takes no times: flags of its submission must be 0",
            ));
        }
        Ok(FollowInput {
            velocities: penalty::read_velocities(def.velocities, def.velocity_stride, meeting)?,
            waits: submission.waits,
            signals: submission.signals,
        })
    }
}

/// Destroys a follower; what is under way is waited for.
#[unsafe(no_mangle)]
pub extern "C" fn prx_follower_destroy(
    context: *mut PrxContext,
    follower: PrxFollower,
) -> PrxStatus {
    on_context(context, |context| context.destroy_follower(follower.id))
}

/// Static friction for a contact: the force on the field's body, at `contact->centroid`; the opposite acts on the mesh. It pulls like
/// a spring of `stiffness`, in force per length, between the points that touched when the contact began, and never harder than
/// `coefficient` times the contact's force; then `anchor` slips. Dynamic friction (PrxPenaltyDef.friction) should be 0 beside it.
///
/// # Safety
/// `contact` and `anchor` are valid, `anchor` is writable; each pose is null or valid; `out_force` has room for three floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_static_friction(
    contact: *const PrxPenalty,
    field_pose: *const PrxPose,
    mesh_pose: *const PrxPose,
    coefficient: f32,
    stiffness: f32,
    anchor: *mut PrxAnchor,
    out_force: *mut f32,
) -> PrxStatus {
    guarded(0, || {
        let out = Out::new(out_force.cast::<[f32; 3]>(), "out_force")?;
        if contact.is_null() || anchor.is_null() {
            return Err(invalid("contact or anchor is null"));
        }
        // SAFETY: by the caller's promise.
        let (contact, kept, poses) = unsafe {
            (
                contact.read_unaligned(),
                anchor.read_unaligned(),
                [read_pose(field_pose), read_pose(mesh_pose)],
            )
        };
        let mut held = Anchor {
            field_point: Vec3::from_array(kept.field_point),
            mesh_point: Vec3::from_array(kept.mesh_point),
            held: kept.held != 0,
        };
        let given = [coefficient, stiffness].map(f64::from);
        let grip = friction::hold(&read_contact(&contact), poses.each_ref(), given, &mut held)?;
        let kept = PrxAnchor {
            field_point: held.field_point.to_array(),
            mesh_point: held.mesh_point.to_array(),
            held: held.held.into(),
            slipping: grip.slipping.into(),
        };
        // SAFETY: by the caller's promise.
        unsafe {
            anchor.write_unaligned(kept);
            out.write(grip.force.as_vec3().to_array());
        }
        Ok(())
    })
}

fn read_contact(contact: &PrxPenalty) -> Penalty {
    let vector = |v: [f32; 3]| -> DVec3 { Vec3::from_array(v).as_dvec3() };
    Penalty {
        force_sum: vector(contact.force_sum),
        torque_sum: vector(contact.torque_sum),
        mesh_torque_sum: vector(contact.mesh_torque_sum),
        force_error: contact.force_sum_error.into(),
        torque_error: contact.torque_sum_error.into(),
        mesh_torque_error: contact.mesh_torque_sum_error.into(),
        damping_scale: contact.damping_scale.into(),
        area: contact.area.into(),
        samples: contact.sample_count,
        area_bounds: [contact.area_lower.into(), contact.area_upper.into()],
        depth_sum: contact.depth_sum.into(),
        depth_sum_error: contact.depth_sum_error.into(),
        depth: contact.depth,
        depth_bounds: [contact.depth_lower, contact.depth_upper],
        deepest: vector(contact.deepest),
        centroid: vector(contact.centroid),
        coarsened: contact.coarsened != 0,
    }
}
