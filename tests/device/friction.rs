//! Friction of patches, in motions with a closed form: a box on a slope, and a box that is spun.

use crate::contacts::{near, solid};
use crate::support::Checked;
use crate::support::ask::AskNow;
use fixtures::shapes;
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::field::data::Storage;
use proxel::query::body::ContactBody;
use proxel::query::contacts::{ContactOptions, Manifold, PreviousContact, Sampling};
use proxel::query::friction::patch::{
    FrictionLaw, PatchFriction, PatchGrip, PatchShape, hold_patch,
};

const GRAVITY: f64 = 9.81;
const STIFFNESS: f64 = 1e4;
const COEFFICIENT: f64 = 0.5;
const STEP: f64 = 1.0 / 500.0;

/// A box of mass 1 on a floor, and where they hold on to each other.
struct Resting<'a> {
    context: &'a Context,
    floor: ContactBody,
    cuboid: ContactBody,
    last: Vec<PreviousContact>,
    grip: PatchGrip,
    continued: u32,
}

impl<'a> Resting<'a> {
    /// `cells` along the sides of the box, 0.8 by 0.6; both are turned by `tilt` about y. The floor is a field without a mesh, and vertices are all
    /// that is tried, so that the vertices of the box are all that touches.
    fn new(context: &'a Context, cells: u32, tilt: f64) -> Self {
        let slab = shapes::cuboid(Vec3::new(2.0, 2.0, 0.25), 1);
        let half = Vec3::new(0.4, 0.3, 0.2);
        let rotation = Quat::from_rotation_y(tilt as f32);
        let up = rotation.as_dquat() * DVec3::Z;
        Self {
            context,
            floor: ContactBody {
                mesh: None,
                position: -0.25 * up,
                rotation,
                ..solid(context, &slab, Storage::Distance, 64)
            },
            cuboid: ContactBody {
                position: 0.2 * up,
                rotation,
                ..solid(context, &shapes::cuboid(half, cells), Storage::Distance, 32)
            },
            last: Vec::new(),
            grip: PatchGrip::default(),
            continued: 0,
        }
    }

    fn touch(&mut self) -> Manifold {
        let options = ContactOptions {
            sampling: Sampling::Vertices,
            previous: std::mem::take(&mut self.last),
            ..near(0.01)
        };
        let bodies = [self.floor.clone(), self.cuboid.clone()];
        let found = self.context.contacts(bodies, options).unwrap();
        self.last = found.contacts.iter().map(PreviousContact::from).collect();
        found
    }

    /// What friction does now; a patch that continues none starts without a grip.
    fn hold(&mut self, normal_force: f64) -> PatchFriction {
        let found = self.touch();
        assert_eq!(found.patches.len(), 1, "{found:?}");
        let patch = &found.patches[0];
        match patch.previous {
            Some(0) => self.continued += 1,
            _ => self.grip = PatchGrip::default(),
        }
        let shape = PatchShape {
            centre: patch.centre,
            normal: patch.normal,
            tangent: patch.tangent,
            area: patch.area,
            moments: [patch.moments[0], patch.moments[1]],
        };
        let law = FrictionLaw {
            coefficient: COEFFICIENT,
            stiffness: STIFFNESS,
            normal_force,
            radius: 0.0,
        };
        let places = [self.floor.place(), self.cuboid.place()];
        hold_patch(&places, &shape, &law, &mut self.grip).unwrap()
    }
}

/// How far the box has gone and how fast it is, before each of some steps on a slope.
fn slide(context: &Context, tilt: f64, damping: f64, steps: u32) -> (Vec<[f64; 2]>, u32) {
    let mut resting = Resting::new(context, 1, tilt);
    let start = resting.cuboid.position;
    let downhill = resting.floor.matrix() * DVec3::X;
    let (mut way, mut speed, mut history) = (0.0, 0.0, Vec::new());
    for _ in 0..steps {
        history.push([way, speed]);
        resting.cuboid.position = start + way * downhill;
        // What acts on the box is the opposite of what acts on the floor.
        let friction = -resting.hold(GRAVITY * tilt.cos()).force.dot(downhill);
        speed += STEP * (GRAVITY * tilt.sin() + friction - damping * speed);
        way += STEP * speed;
    }
    (history, resting.continued)
}

#[test]
fn a_box_on_a_slope_stays_below_the_angle_of_friction_and_slides_above_it() {
    let checked = Checked::open();
    let angle = COEFFICIENT.atan();
    // Below: it comes to rest where the spring holds its weight, with critical damping.
    let tilt = angle - 0.05;
    let (history, continued) = slide(&checked.context, tilt, 2.0 * STIFFNESS.sqrt(), 100);
    let [way, speed] = history[99];
    let expected = GRAVITY * tilt.sin() / STIFFNESS;
    assert!((way - expected).abs() < 0.01 * expected, "{way} {expected}");
    assert!(speed.abs() < 1e-4, "{speed}");
    assert_eq!(continued, 99);
    // Above: friction takes what it can, and the rest accelerates the box.
    let tilt = angle + 0.1;
    let (history, continued) = slide(&checked.context, tilt, 0.0, 100);
    let acceleration = (history[99][1] - history[49][1]) / (50.0 * STEP);
    let expected = GRAVITY * (tilt.sin() - COEFFICIENT * tilt.cos());
    assert!(
        (acceleration - expected).abs() < 0.01 * expected,
        "{acceleration} {expected}"
    );
    assert!(history[99][0] > 0.01, "{:?}", history[99]);
    assert_eq!(continued, 99);
}

#[test]
fn a_spun_box_holds_up_to_mu_n_r_of_its_patch_and_then_turns() {
    let checked = Checked::open();
    for cells in [1, 12] {
        let patch = Resting::new(&checked.context, cells, 0.0).touch().patches[0];
        let radius = ((patch.moments[0] + patch.moments[1]) / patch.area).sqrt();
        // Vertices of a rectangle of 0.8 by 0.6: none is more than 0.5 from the middle. With one cell all are, and with many the
        // pressure is at least spread evenly; those at the rim stand for a part of the walls, too.
        let even = ((0.8_f64 * 0.8 + 0.6 * 0.6) / 12.0).sqrt();
        let least = if cells == 1 { 0.45 } else { 0.99 * even };
        assert!((least..0.5001).contains(&radius), "{cells}: {radius}");
        let limit = COEFFICIENT * 10.0 * radius;
        // A ring of mass 1 of that radius: it swings as fast as the box on the slope does.
        let inertia = radius * radius;
        let torsion = STIFFNESS * inertia;
        let critical = 2.0 * (torsion * inertia).sqrt();
        for (applied, damping) in [(0.8 * limit, critical), (1.5 * limit, 0.0)] {
            let mut resting = Resting::new(&checked.context, cells, 0.0);
            let (mut angle, mut speed, mut halfway) = (0.0_f64, 0.0_f64, 0.0);
            for step in 0..100 {
                if step == 50 {
                    halfway = speed;
                }
                resting.cuboid.rotation = Quat::from_rotation_z(angle as f32);
                let friction = resting.hold(10.0);
                assert!((friction.torque_limit - limit).abs() < 1e-3 * limit);
                speed += STEP * (applied - friction.torque.z - damping * speed) / inertia;
                angle += STEP * speed;
            }
            if applied < limit {
                let expected = applied / torsion;
                assert!(
                    (angle - expected).abs() < 0.01 * expected,
                    "{angle} {expected}"
                );
            } else {
                let acceleration = (speed - halfway) / (50.0 * STEP);
                let expected = (applied - limit) / inertia;
                assert!(
                    (acceleration - expected).abs() < 0.01 * expected,
                    "{acceleration} {expected}"
                );
                assert!(angle > 0.003, "{angle}");
            }
            assert_eq!(resting.continued, 99);
        }
    }
}
