//! Static friction of a patch: a spring between two points that touched when the contact began, and a torsional spring between two directions
//! along the patch that were parallel then. Both slip together on the ellipsoid that stands for the limit surface of a patch (Goyal,
//! Ruina and Papadopoulos 1991, "Planar sliding with dry friction", part 1; the ellipsoid: Howe and Cutkosky 1996, "Practical
//! force-motion models for sliding manipulation"): (force / (mu N))^2 + (torsion / (mu N r))^2 <= 1.

use crate::error::{Result, invalid};
use crate::query::body::BodyPlace;
use crate::scene::pose::check_vector;
use glam::{DMat3, DVec3, Vec3};

/// Where two bodies hold on to each other at a patch, each along its own axes from its position.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PatchGrip {
    /// The points that touched, of A and of B.
    pub points: [Vec3; 2],
    /// Directions along the patch that were parallel, of A and of B.
    pub tangents: [Vec3; 2],
    /// Whether there is a contact at all.
    pub held: bool,
}

/// What friction needs of a patch, in the world.
#[derive(Debug, Clone, Copy)]
pub struct PatchShape {
    /// The centre of its area.
    pub centre: DVec3,
    /// From A to B.
    pub normal: DVec3,
    /// Along the patch.
    pub tangent: DVec3,
    /// Its area.
    pub area: f64,
    /// Second moments of its area, along the tangent and across.
    pub moments: [f64; 2],
}

/// How hard friction can hold.
#[derive(Debug, Clone, Copy)]
pub struct FrictionLaw {
    /// Of friction, mu.
    pub coefficient: f64,
    /// Force per length of the spring.
    pub stiffness: f64,
    /// What presses the bodies together at this patch, N.
    pub normal_force: f64,
    /// The radius that torsion acts at; 0 to take the patch's.
    pub radius: f64,
}

/// What static friction does at a patch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchFriction {
    /// On body A at the patch's centre; the opposite on B.
    pub force: DVec3,
    /// Torque on body A; the opposite on B.
    pub torque: DVec3,
    /// The largest force without torsion.
    pub force_limit: f64,
    /// The largest torque without force.
    pub torque_limit: f64,
    /// Whether the bodies slip.
    pub slipping: bool,
}

impl PatchShape {
    /// The radius of gyration. With the pressure even over the patch, a spring of the patch's stiffness turns as one at this radius, exactly; and
    /// torsion holds at the mean radius, which is no larger (a disc's and a square's are 6 % smaller).
    fn radius(&self) -> f64 {
        let square = (self.moments[0] + self.moments[1]) / self.area;
        if square > 0.0 { square.sqrt() } else { 0.0 }
    }

    fn validate(&self) -> Result<()> {
        let length = self.normal.length();
        if !(0.999..=1.001).contains(&length) {
            return Err(invalid(format!(
                "patch.normal has length {length}; it must be a unit vector"
            )));
        }
        let numbers = [self.area, self.moments[0], self.moments[1]];
        if !(self.centre.is_finite() && self.tangent.is_finite())
            || numbers.iter().any(|n| !(n.is_finite() && *n >= 0.0))
        {
            return Err(invalid(
                "the patch's centre, tangent, area or moments are not finite, or negative",
            ));
        }
        Ok(())
    }
}

impl FrictionLaw {
    fn validate(&self) -> Result<()> {
        let positive = [
            ("coefficient", self.coefficient, f64::MIN_POSITIVE),
            ("stiffness", self.stiffness, f64::MIN_POSITIVE),
            ("normal_force", self.normal_force, 0.0),
            ("radius", self.radius, 0.0),
        ];
        for (name, value, least) in positive {
            if !(value.is_finite() && value >= least) {
                let range = if least > 0.0 { "above 0" } else { "at least 0" };
                return Err(invalid(format!(
                    "{name} is {value}; it must be finite and {range}"
                )));
            }
        }
        Ok(())
    }
}

/// The friction of a patch of two bodies, A and B, and what becomes of its grip.
pub fn hold_patch(
    bodies: &[BodyPlace; 2],
    patch: &PatchShape,
    law: &FrictionLaw,
    grip: &mut PatchGrip,
) -> Result<PatchFriction> {
    law.validate()?;
    patch.validate()?;
    bodies[0].validate("body_a")?;
    bodies[1].validate("body_b")?;
    let turns = bodies.map(|body| body.matrix());
    let radius = if law.radius > 0.0 {
        law.radius
    } else {
        patch.radius()
    };
    let force_limit = law.coefficient * law.normal_force;
    let mut friction = PatchFriction {
        force: DVec3::ZERO,
        torque: DVec3::ZERO,
        force_limit,
        torque_limit: force_limit * radius,
        slipping: false,
    };
    if friction.force_limit.max(friction.torque_limit) > f64::from(f32::MAX) {
        return Err(invalid(
            "friction of this coefficient, normal force and radius is no force",
        ));
    }
    if force_limit == 0.0 {
        grip.held = false;
        return Ok(friction);
    }
    if !grip.held {
        *grip = PatchGrip::at(bodies, &turns, patch);
        return Ok(friction);
    }
    for (name, vector) in [
        ("grip.point_a", grip.points[0]),
        ("grip.point_b", grip.points[1]),
        ("grip.tangent_a", grip.tangents[0]),
        ("grip.tangent_b", grip.tangents[1]),
    ] {
        check_vector(name, vector)?;
    }
    // Only differences of positions enter, so that nothing is lost far from the world's origin.
    let arms = [0, 1].map(|i| turns[i] * grip.points[i].as_dvec3());
    let apart = (bodies[1].position - bodies[0].position) + (arms[1] - arms[0]);
    let stretch = apart - patch.normal * patch.normal.dot(apart);
    let angle = grip.angle(&turns, patch.normal);
    let (force, torsion) = (
        law.stiffness * stretch,
        law.stiffness * radius * radius * angle,
    );
    let part = |of: f64, limit: f64| if limit > 0.0 { of / limit } else { 0.0 };
    let load = part(force.length(), force_limit).hypot(part(torsion, friction.torque_limit));
    let kept = 1.0 / load.max(1.0);
    friction.slipping = load > 1.0;
    friction.force = kept * force;
    friction.torque = kept * torsion * patch.normal;
    // The grip follows until the springs pull as hard as friction can; without a radius, nothing holds a turn.
    let turned_on = if radius > 0.0 {
        (1.0 - kept) * angle
    } else {
        angle
    };
    if friction.slipping {
        let slipped = arms[1] - (1.0 - kept) * stretch;
        grip.points[1] = (turns[1].transpose() * slipped).as_vec3();
    }
    if turned_on != 0.0 {
        let back = DMat3::from_axis_angle(patch.normal, -turned_on);
        let tangent = back * (turns[1] * grip.tangents[1].as_dvec3());
        grip.tangents[1] = (turns[1].transpose() * tangent).as_vec3();
    }
    Ok(friction)
}

impl PatchGrip {
    fn at(bodies: &[BodyPlace; 2], turns: &[DMat3; 2], patch: &PatchShape) -> Self {
        let local = |i: usize, v: DVec3| (turns[i].transpose() * v).as_vec3();
        Self {
            points: [0, 1].map(|i| local(i, patch.centre - bodies[i].position)),
            tangents: [0, 1].map(|i| local(i, patch.tangent)),
            held: true,
        }
    }

    /// How far B has turned about the normal since, seen from A.
    fn angle(&self, turns: &[DMat3; 2], normal: DVec3) -> f64 {
        let flat = |i: usize| {
            let tangent = turns[i] * self.tangents[i].as_dvec3();
            tangent - normal * normal.dot(tangent)
        };
        let [a, b] = [flat(0), flat(1)];
        normal.dot(a.cross(b)).atan2(a.dot(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    const LAW: FrictionLaw = FrictionLaw {
        coefficient: 0.5,
        stiffness: 1000.0,
        normal_force: 10.0,
        radius: 0.0,
    };

    /// A square of side 2 at a height of 1, the pressure even: moments are side^4 / 12.
    fn square() -> PatchShape {
        PatchShape {
            centre: DVec3::new(0.0, 0.0, 1.0),
            normal: DVec3::Z,
            tangent: DVec3::X,
            area: 4.0,
            moments: [16.0 / 12.0; 2],
        }
    }

    fn place(x: f64, angle: f32) -> BodyPlace {
        BodyPlace {
            position: DVec3::new(x, 0.0, 2.0),
            rotation: Quat::from_rotation_z(angle),
        }
    }

    fn ask(moved: BodyPlace, grip: &mut PatchGrip) -> PatchFriction {
        let still = BodyPlace {
            position: DVec3::ZERO,
            rotation: Quat::from_rotation_y(0.3),
        };
        hold_patch(&[still, moved], &square(), &LAW, grip).unwrap()
    }

    #[test]
    fn a_spun_patch_holds_up_to_mu_n_r_and_then_turns_with_that_torque() {
        let mut grip = PatchGrip::default();
        assert_eq!(ask(place(0.0, 0.0), &mut grip).torque, DVec3::ZERO);
        // r = sqrt(2 * 16 / 12 / 4), the torsional stiffness k r^2.
        let radius = (2.0_f64 / 3.0).sqrt();
        let held = ask(place(0.0, 0.005), &mut grip);
        assert!((held.torque.z - 1000.0 * radius * radius * 0.005).abs() < 1e-3);
        assert!(!held.slipping && held.force.length() < 1e-3);
        assert!((held.torque_limit - 5.0 * radius).abs() < 1e-9);
        for step in 1..20_i16 {
            let slipping = ask(place(0.0, 0.01 * f32::from(step)), &mut grip);
            assert!(
                (slipping.torque.z - 5.0 * radius).abs() < 1e-3,
                "{slipping:?}"
            );
            assert!(slipping.slipping);
        }
        // Turned back by a little it still pulls the same way, less.
        let back = ask(place(0.0, 0.188), &mut grip);
        let expected = 5.0 * radius - 1000.0 * radius * radius * 0.002;
        assert!(
            (back.torque.z - expected).abs() < 2e-3,
            "{back:?} {expected}"
        );
    }

    #[test]
    fn force_and_torsion_share_what_friction_has() {
        let mut grip = PatchGrip::default();
        ask(place(0.0, 0.0), &mut grip);
        // Both springs would pull with their whole limit: each keeps a part of 1 / sqrt(2).
        let radius = (2.0_f64 / 3.0).sqrt();
        let angle = 5.0 / (1000.0 * radius);
        let found = ask(place(0.005, angle as f32), &mut grip);
        let part = std::f64::consts::FRAC_1_SQRT_2;
        assert!((found.force.x - 5.0 * part).abs() < 1e-3, "{found:?}");
        assert!(
            (found.torque.z - 5.0 * radius * part).abs() < 1e-3,
            "{found:?}"
        );
        // A patch without an area holds no turn.
        let point = PatchShape {
            area: 0.0,
            moments: [0.0; 2],
            ..square()
        };
        let bodies = [place(0.0, 0.0), place(0.0, 0.0)];
        let mut grip = PatchGrip::default();
        hold_patch(&bodies, &point, &LAW, &mut grip).unwrap();
        let bodies = [place(0.0, 0.0), place(0.001, 1.0)];
        let found = hold_patch(&bodies, &point, &LAW, &mut grip).unwrap();
        assert_eq!((found.torque, found.slipping), (DVec3::ZERO, false));
        assert!((found.force.x - 1.0).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn bad_numbers_are_refused_and_leave_the_grip_as_it_was() {
        let bodies = [place(0.0, 0.0); 2];
        let held = PatchGrip {
            held: true,
            ..PatchGrip::default()
        };
        let mut laws = [LAW; 4];
        laws[0].coefficient = f64::NAN;
        laws[1].stiffness = 0.0;
        laws[2].normal_force = -1.0;
        laws[3].radius = f64::INFINITY;
        for law in laws {
            let mut grip = held;
            assert!(hold_patch(&bodies, &square(), &law, &mut grip).is_err());
            assert_eq!(grip, held);
        }
        let mut wrong = square();
        wrong.normal = DVec3::ZERO;
        let mut kept = held;
        assert!(hold_patch(&bodies, &wrong, &LAW, &mut kept).is_err());
        let mut off = held;
        off.points[1].x = f32::NAN;
        assert!(hold_patch(&bodies, &square(), &LAW, &mut off).is_err());
    }
}
