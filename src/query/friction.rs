//! Static friction, which the paper leaves open (Morvan et al. 2008, section 6): a spring between two points, one of each body, that
//! were in contact when it began. The caller keeps the points; they slip when the spring would pull harder than friction can.

pub mod patch;

use super::penalty::Penalty;
use crate::error::{Result, invalid};
use crate::scene::pose::{Pose, check_vector};
use glam::{DVec3, Vec3};

/// Where two bodies hold on to each other, each in its own frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Anchor {
    /// Of the field's body.
    pub field_point: Vec3,
    /// Of the mesh.
    pub mesh_point: Vec3,
    /// Whether there is a contact at all.
    pub held: bool,
}

/// What static friction does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grip {
    /// On the field's body, at the contact's middle; the opposite on the mesh.
    pub force: DVec3,
    /// Whether the bodies slip.
    pub slipping: bool,
}

/// The friction force for a contact, and what becomes of its anchor.
pub fn hold(
    contact: &Penalty,
    [field, mesh]: [&Pose; 2],
    [coefficient, stiffness]: [f64; 2],
    anchor: &mut Anchor,
) -> Result<Grip> {
    for (name, value) in [("coefficient", coefficient), ("stiffness", stiffness)] {
        if !(value.is_finite() && value > 0.0) {
            return Err(invalid(format!(
                "{name} is {value}; it must be finite and above 0"
            )));
        }
    }
    field.validate()?;
    mesh.validate()?;
    check_vector("contact.centroid", contact.centroid.as_vec3())?;
    if !contact.force_sum.is_finite() {
        return Err(invalid(format!(
            "contact.force_sum is {}; it must be finite",
            contact.force_sum
        )));
    }
    if anchor.held {
        check_vector("anchor.field_point", anchor.field_point)?;
        check_vector("anchor.mesh_point", anchor.mesh_point)?;
    }
    let local = |pose: &Pose, p: DVec3| pose.unapply(p).as_vec3();
    let mut grip = Grip {
        force: DVec3::ZERO,
        slipping: false,
    };
    let Some(normal) = contact.force_sum.try_normalize() else {
        anchor.held = false;
        return Ok(grip);
    };
    if !anchor.held {
        *anchor = Anchor {
            field_point: local(field, contact.centroid),
            mesh_point: local(mesh, contact.centroid),
            held: true,
        };
        return Ok(grip);
    }
    let on_mesh = mesh.apply(anchor.mesh_point.as_dvec3());
    let apart = on_mesh - field.apply(anchor.field_point.as_dvec3());
    let stretch = apart - normal * normal.dot(apart);
    grip.force = stiffness * stretch;
    let most = coefficient * contact.force_sum.length();
    if most > f64::from(f32::MAX) {
        return Err(invalid(format!(
            "friction of up to {most} is no force: the contact's force is {}, the coefficient {coefficient}",
            contact.force_sum
        )));
    }
    if grip.force.length() > most {
        grip.slipping = true;
        grip.force *= most / grip.force.length();
        // The anchor follows until the spring pulls as hard as friction can.
        let slip = stretch - grip.force / stiffness;
        anchor.mesh_point = local(mesh, on_mesh - slip);
    }
    Ok(grip)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(force: DVec3) -> Penalty {
        Penalty {
            force_sum: force,
            torque_sum: DVec3::ZERO,
            mesh_torque_sum: DVec3::ZERO,
            force_error: f64::INFINITY,
            torque_error: f64::INFINITY,
            mesh_torque_error: f64::INFINITY,
            damping_scale: 1.0,
            area: 1.0,
            samples: 1,
            area_bounds: [1.0; 2],
            depth_sum: 0.1,
            depth_sum_error: 0.0,
            depth: 0.1,
            depth_bounds: [0.1; 2],
            deepest: DVec3::ZERO,
            centroid: DVec3::new(0.5, 0.0, 0.0),
            coarsened: false,
        }
    }

    #[test]
    fn it_pulls_like_a_spring_until_it_slips_and_never_harder_than_friction() {
        let pressed = contact(DVec3::new(0.0, -10.0, 0.0));
        let field = Pose::default();
        let mut anchor = Anchor::default();
        let pull = |x: f32, anchor: &mut Anchor| {
            let mesh = Pose {
                position: Vec3::new(x, 0.3, 0.0),
                ..Pose::default()
            };
            hold(&pressed, [&field, &mesh], [0.5, 100.0], anchor).unwrap()
        };
        assert_eq!(pull(0.0, &mut anchor).force, DVec3::ZERO);
        let held = pull(0.02, &mut anchor);
        assert!(
            (held.force - DVec3::new(2.0, 0.0, 0.0)).length() < 1e-5,
            "{held:?}"
        );
        assert!(!held.slipping);
        // 0.5 times 10 is all that friction has; the spring would pull with 20.
        let slipping = pull(0.2, &mut anchor);
        assert!((slipping.force - DVec3::new(5.0, 0.0, 0.0)).length() < 1e-5);
        assert!(slipping.slipping);
        // Going back by a little, it still pulls the same way, less.
        let back = pull(0.19, &mut anchor);
        assert!(
            (back.force - DVec3::new(4.0, 0.0, 0.0)).length() < 1e-4,
            "{back:?}"
        );
        let apart = contact(DVec3::ZERO);
        hold(&apart, [&field, &field], [0.5, 100.0], &mut anchor).unwrap();
        assert!(!anchor.held);
        assert!(hold(&apart, [&field, &field], [f64::NAN, 1.0], &mut anchor).is_err());
    }

    #[test]
    fn nan_is_refused_and_leaves_the_anchor_as_it_was() {
        let pose = Pose::default();
        let pressed = contact(DVec3::new(0.0, -10.0, 0.0));
        for bad in [f64::NAN, f64::INFINITY, 1e30] {
            let off = DVec3::new(0.0, bad, 0.0);
            let held = Anchor {
                held: true,
                ..Anchor::default()
            };
            let (mut on_field, mut on_mesh) = (held, held);
            on_field.field_point = off.as_vec3();
            on_mesh.mesh_point = off.as_vec3();
            let mut away = pressed;
            away.centroid = off;
            for (contact, anchor) in [(pressed, on_field), (pressed, on_mesh), (away, held)] {
                let mut kept = anchor;
                assert!(hold(&contact, [&pose; 2], [0.5, 100.0], &mut kept).is_err());
                let bits = |a: &Anchor| {
                    let all = [a.field_point, a.mesh_point];
                    (all.map(|p| p.to_array().map(f32::to_bits)), a.held)
                };
                assert_eq!(bits(&kept), bits(&anchor));
            }
        }
        let mut anchor = Anchor::default();
        let endless = contact(DVec3::INFINITY);
        assert!(hold(&endless, [&pose; 2], [0.5, 100.0], &mut anchor).is_err());
    }
}
