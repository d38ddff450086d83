//! A limit on damping: within a step it stops a motion and does not reverse it.
//!
//! Damping alone acts on both bodies with a generalised force Q: a force, its opposite, and a torque on each. Over a step h it changes their
//! velocities u by s h M^-1 Q, where M has masses and inertias and s is the part of it that is applied. The velocity along Q is
//! Q.u = -P before the step, where P, the power that damping takes out, is never negative; after it, it is -P + s h Q.M^-1 Q. So it keeps
//! its sign, and the kinetic energy falls, for s <= P / (h Q.M^-1 Q).

use super::{PenaltyOptions, Wrench};
use crate::error::{Result, invalid};
use crate::query::meeting::Meeting;
use crate::scene::pose::Pose;
use glam::{DMat3, DVec3, Vec3};

/// How easily a body is moved: all zero for one that stays where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InverseMass {
    /// One over its mass.
    pub mass: f64,
    /// The inverse of its inertia about the centre that torques are about, in its own frame.
    pub inertia: DMat3,
}

/// What damping is limited for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DampingLimit {
    /// The time step.
    pub step: f64,
    /// Of the field's body.
    pub field: InverseMass,
    /// Of the mesh's body.
    pub mesh: InverseMass,
}

impl Default for InverseMass {
    /// A body that stays where it is: the default of a matrix would be the identity.
    fn default() -> Self {
        Self {
            mass: 0.0,
            inertia: DMat3::ZERO,
        }
    }
}

impl InverseMass {
    fn validate(&self, name: &str) -> Result<()> {
        if !(self.mass.is_finite() && self.mass >= 0.0) {
            return Err(invalid(format!(
                "{name}.mass is {}; it is one over a mass, finite and at least 0",
                self.mass
            )));
        }
        let inertia = self.inertia;
        let turns = [inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z];
        if !inertia.is_finite() || turns.iter().any(|i| *i < 0.0) {
            return Err(invalid(format!(
                "{name}.inertia is {inertia}; it is the inverse of an inertia tensor, finite and not negative"
            )));
        }
        Ok(())
    }

    /// How much the power of a force and a torque grows per time that they act.
    fn yields_to(&self, pose: &Pose, force: DVec3, torque: DVec3) -> f64 {
        let turn = pose.matrix().transpose() * torque;
        self.mass * force.length_squared() + turn.dot(self.inertia * turn)
    }
}

impl DampingLimit {
    pub(super) fn validate(&self) -> Result<()> {
        if !(self.step.is_finite() && self.step > 0.0) {
            return Err(invalid(format!(
                "damping_limit_step is {}; it must be finite and above 0, or 0 for no limit",
                self.step
            )));
        }
        self.field.validate("field_inverse")?;
        self.mesh.validate("mesh_inverse")
    }

    /// The part of the damping that may be applied, from what all of it would do.
    pub(super) fn scale(
        &self,
        damping: &Wrench,
        meeting: &Meeting,
        options: &PenaltyOptions,
    ) -> f64 {
        let power = |pose: &Pose, centre: Vec3, force: DVec3, torque: DVec3| {
            let [linear, angular] =
                [pose.linear_velocity, pose.angular_velocity].map(Vec3::as_dvec3);
            let arm = pose.matrix() * centre.as_dvec3();
            force.dot(linear + angular.cross(arm)) + torque.dot(angular)
        };
        let (field, mesh) = (&meeting.field_pose, &meeting.mesh_pose);
        let (force, torque, mesh_torque) = (damping.force, damping.torque, damping.mesh_torque);
        let taken = -power(field, options.field_centre, force, torque)
            - power(mesh, options.mesh_centre, -force, mesh_torque);
        let gained = self.field.yields_to(field, force, torque)
            + self.mesh.yields_to(mesh, -force, mesh_torque);
        let limit = taken.max(0.0) / (self.step * gained);
        // Where nothing can move, nothing is reversed: a quotient without a value is no limit.
        if limit.is_nan() { 1.0 } else { limit.min(1.0) }
    }
}
