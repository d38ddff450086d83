//! Friction of a patch
//!
//! Static friction where two bodies touch: a spring along the patch and one about its normal, from where the bodies were when the contact began.
//! The caller keeps a PrxGrip per patch. When a patch continues one of the last step (PrxPatch.previous), hand the grip of that one on; start
//! a new one with zeros.

use super::asking::Out;
use super::boundary::{Sized32, guarded, read_def};
use super::contacts::{PrxBody, PrxPatch};
use super::status::PrxStatus;
use crate::error::{Result, invalid};
use crate::query::body::BodyPlace;
use crate::query::friction::patch::{
    FrictionLaw, PatchFriction, PatchGrip, PatchShape, hold_patch,
};
use glam::{DVec3, Quat, Vec3};

/// Where two bodies hold on to each other at a patch. Zeros for a new patch; the caller keeps it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxGrip {
    /// The point of body A that touched, along A's axes from its position, in world units.
    pub point_a: [f32; 3],
    /// The point of body B that touched, along B's axes from its position, in world units.
    pub point_b: [f32; 3],
    /// A direction along the patch, along A's axes.
    pub tangent_a: [f32; 3],
    /// The one that was parallel to it, along B's axes.
    pub tangent_b: [f32; 3],
    /// 1 when there was a contact.
    pub held: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
}

/// How hard friction can hold. Fill it by prx_friction_def_default.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxFrictionDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Of friction, above 0.
    pub coefficient: f32,
    /// Force per length of the spring along the patch, above 0. About the normal it is this times the square of the radius, in torque per radian.
    pub stiffness: f32,
    /// The force that presses the bodies together at this patch, at least 0; at 0 the grip is given up.
    pub normal_force: f32,
    /// The radius at which torsion acts; 0 for the radius of gyration of the patch, the square root of the sum of its first two moments over its
    /// area.
    pub radius: f32,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxFrictionDef {
    const NAME: &'static str = "PrxFrictionDef";
    const FILLED_BY: &'static str = "friction_def_default";
}

/// What static friction does at a patch.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxPatchFriction {
    /// On body A at the patch's centre, world axes; the opposite acts on B.
    pub force: [f32; 3],
    /// On body A, world axes, along the normal; the opposite acts on B.
    pub torque: [f32; 3],
    /// The largest force without torsion: coefficient times normal force.
    pub force_limit: f32,
    /// The largest torque without a force along the patch: that times the radius.
    pub torque_limit: f32,
    /// 1 while the bodies slip.
    pub slipping: u32,
    /// Reserved.
    pub reserved: u32,
}

/// A def for a coefficient of 0.5 and unit stiffness, with no force.
#[unsafe(no_mangle)]
pub extern "C" fn prx_friction_def_default() -> PrxFrictionDef {
    PrxFrictionDef {
        size: size_of::<PrxFrictionDef>() as u32,
        coefficient: 0.5,
        stiffness: 1.0,
        normal_force: 0.0,
        radius: 0.0,
    }
}

/// Static friction at a patch of two bodies. It pulls like a spring along the patch and one about its normal, until
/// (force / force_limit)^2 + (torque / torque_limit)^2 reaches 1; then both slip, and `grip` follows. Of the bodies only position and
/// rotation count.
///
/// # Safety
/// `body_a`, `body_b`, `patch`, `def` and `grip` are valid; `grip` and `out_friction` are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_patch_friction(
    body_a: *const PrxBody,
    body_b: *const PrxBody,
    patch: *const PrxPatch,
    def: *const PrxFrictionDef,
    grip: *mut PrxGrip,
    out_friction: *mut PrxPatchFriction,
) -> PrxStatus {
    guarded(0, || {
        let out = Out::new(out_friction, "out_friction")?;
        if patch.is_null() || grip.is_null() {
            return Err(invalid("patch or grip is null"));
        }
        // SAFETY: by the caller's promise.
        let (bodies, law, shape, kept) = unsafe {
            (
                [read_place(body_a)?, read_place(body_b)?],
                FrictionLaw::from(&read_def(def)?),
                PatchShape::from(&patch.read_unaligned()),
                grip.read_unaligned(),
            )
        };
        let mut held = PatchGrip::from(&kept);
        let found = hold_patch(&bodies, &shape, &law, &mut held)?;
        // SAFETY: by the caller's promise.
        unsafe {
            grip.write_unaligned(held.into());
            out.write(found.into());
        }
        Ok(())
    })
}

/// # Safety
/// `body` is null or valid.
unsafe fn read_place(body: *const PrxBody) -> Result<BodyPlace> {
    // SAFETY: by the caller's promise.
    let body = unsafe { read_def(body) }?;
    Ok(BodyPlace {
        position: DVec3::from_array(body.position),
        rotation: Quat::from_array(body.rotation),
    })
}

fn vector(v: [f32; 3]) -> DVec3 {
    Vec3::from_array(v).as_dvec3()
}

impl From<&PrxPatch> for PatchShape {
    fn from(patch: &PrxPatch) -> Self {
        Self {
            centre: DVec3::from_array(patch.center),
            normal: vector(patch.normal),
            tangent: vector(patch.tangent),
            area: patch.area.into(),
            moments: [patch.moments[0].into(), patch.moments[1].into()],
        }
    }
}

impl From<&PrxFrictionDef> for FrictionLaw {
    fn from(def: &PrxFrictionDef) -> Self {
        Self {
            coefficient: def.coefficient.into(),
            stiffness: def.stiffness.into(),
            normal_force: def.normal_force.into(),
            radius: def.radius.into(),
        }
    }
}

impl From<&PrxGrip> for PatchGrip {
    fn from(grip: &PrxGrip) -> Self {
        Self {
            points: [grip.point_a, grip.point_b].map(Vec3::from_array),
            tangents: [grip.tangent_a, grip.tangent_b].map(Vec3::from_array),
            held: grip.held != 0,
        }
    }
}

impl From<PatchGrip> for PrxGrip {
    fn from(grip: PatchGrip) -> Self {
        let [point_a, point_b] = grip.points.map(|p| p.to_array());
        let [tangent_a, tangent_b] = grip.tangents.map(|t| t.to_array());
        Self {
            point_a,
            point_b,
            tangent_a,
            tangent_b,
            held: grip.held.into(),
            reserved: 0,
        }
    }
}

impl From<PatchFriction> for PrxPatchFriction {
    fn from(friction: PatchFriction) -> Self {
        Self {
            force: friction.force.as_vec3().to_array(),
            torque: friction.torque.as_vec3().to_array(),
            force_limit: friction.force_limit as f32,
            torque_limit: friction.torque_limit as f32,
            slipping: friction.slipping.into(),
            reserved: 0,
        }
    }
}
