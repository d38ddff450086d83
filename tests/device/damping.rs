//! Damping with a limit stops motions and reverses none.

use crate::support::ask::AskNow;
use crate::support::contact::{shape_field, sphere_field};
use crate::support::{Checked, input};
use fixtures::shapes;
use glam::{DMat3, DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::error::Error;
use proxel::field::data::Storage;
use proxel::field::shape::Shape as FieldShape;
use proxel::query::penalty::damping::{DampingLimit, InverseMass};
use proxel::query::penalty::{Penalty, PenaltyOptions};
use proxel::query::proximity::SamplingPath;
use proxel::scene::pose::Pose;

const STEP: f64 = 1.0 / 60.0;

/// A rigid body: what it weighs, and how it moves.
#[derive(Clone, Copy)]
struct Rigid {
    inverse: InverseMass,
    pose: Pose,
}

impl Rigid {
    fn immovable() -> Self {
        Self {
            inverse: InverseMass::default(),
            pose: Pose::default(),
        }
    }

    /// A body of a mass and an inertia that is the same about all axes.
    fn new(mass: f64, inertia: f64, pose: Pose) -> Self {
        let inverse = InverseMass {
            mass: 1.0 / mass,
            inertia: DMat3::from_diagonal(DVec3::splat(1.0 / inertia)),
        };
        Self { inverse, pose }
    }

    fn velocity(&self) -> [DVec3; 2] {
        [self.pose.linear_velocity, self.pose.angular_velocity].map(Vec3::as_dvec3)
    }

    /// Its velocities after a step under a force and a torque.
    fn after(&self, force: DVec3, torque: DVec3) -> [DVec3; 2] {
        let [linear, angular] = self.velocity();
        let turned = self.pose.matrix() * self.inverse.inertia * self.pose.matrix().transpose();
        [
            linear + STEP * self.inverse.mass * force,
            angular + STEP * (turned * torque),
        ]
    }

    fn energy(&self, [linear, angular]: [DVec3; 2]) -> f64 {
        if self.inverse.mass == 0.0 {
            return 0.0;
        }
        let turning = angular.length_squared() / self.inverse.inertia.x_axis.x;
        0.5 * (linear.length_squared() / self.inverse.mass + turning)
    }
}

fn limited(damping: f32, field: &Rigid, mesh: &Rigid) -> PenaltyOptions {
    PenaltyOptions {
        // As good as no spring: what is left is damping.
        stiffness: 1e-6,
        damping,
        resolution: 64,
        limit: Some(DampingLimit {
            step: STEP,
            field: field.inverse,
            mesh: mesh.inverse,
        }),
        ..PenaltyOptions::default()
    }
}

fn ask(
    context: &Context,
    field: (u64, &Rigid),
    mesh: (u64, &Rigid),
    options: PenaltyOptions,
) -> Penalty {
    let meeting = context.meeting((field.0, field.1.pose), (mesh.0, mesh.1.pose));
    context.penalty(meeting.unwrap(), options).unwrap()
}

fn plane(context: &Context) -> u64 {
    let half_domain = DVec3::splat(2.0);
    let shape = FieldShape::Plane { half_domain };
    shape_field(context, shape, Storage::Direction, 16)
}

/// A cube of side 1 that is 0.1 deep in the plane y = 0 and goes down: the area inside is 1.4, of which the lower face moves along its
/// normal and the sides along the plane's.
#[test]
fn a_body_pressed_on_a_plane_stops_and_does_not_turn_back() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = plane(context);
    let cube = shapes::cuboid(Vec3::splat(0.5), 4);
    let mesh = context.create_mesh(input(&cube)).unwrap();
    let floor = Rigid::immovable();
    let (mass, speed) = (3.0, 2.0);
    let falling = Rigid::new(
        mass,
        0.5,
        Pose {
            position: Vec3::new(0.2, 0.4, 0.1),
            linear_velocity: Vec3::new(0.0, -(speed as f32), 0.0),
            ..Pose::default()
        },
    );
    let free = ask(
        context,
        (field, &floor),
        (mesh, &falling),
        PenaltyOptions {
            limit: None,
            ..limited(1.0, &floor, &falling)
        },
    );
    assert!(free.area > 1.0 && free.damping_scale == 1.0, "{free:?}");
    let stop = mass * speed / STEP;
    for damping in [1e3, 1e6, 1e12] {
        let options = limited(damping, &floor, &falling);
        let found = ask(context, (field, &floor), (mesh, &falling), options);
        // All samples move along the plane's normal: the force that stops the body in one step is m v / h, upwards.
        assert!((-found.force_sum.y - stop).abs() < 1e-4 * stop, "{found:?}");
        let scale = mass / (STEP * f64::from(damping) * free.area);
        let off = (found.damping_scale - scale).abs();
        assert!(off < 1e-4 * scale, "{} {scale}", found.damping_scale);
        let [after, _] = falling.after(-found.force_sum, found.mesh_torque_sum);
        assert!(
            after.y <= 1e-4 * speed && after.y > -1e-4 * speed,
            "{after}"
        );
    }
    // Damping that does not reach zero within the step is applied as it is.
    let small = 0.3 * mass / (STEP * free.area);
    let options = limited(small as f32, &floor, &falling);
    let found = ask(context, (field, &floor), (mesh, &falling), options);
    assert_eq!(found.damping_scale, 1.0);
    let [after, _] = falling.after(-found.force_sum, DVec3::ZERO);
    assert!((after.y + 0.7 * speed).abs() < 1e-3 * speed, "{after}");
}

/// Bodies that move and turn, in contact off their centres: whatever the damping, the power of the damping force changes sign in no step,
/// momentum is kept and energy falls.
#[test]
fn no_damping_adds_energy_to_bodies_that_turn() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = sphere_field(context, 1.0, Storage::Direction, 24);
    let knot = shapes::knot(0.3, 60, 10).map(|p| 0.4 * p);
    let mesh = context.create_mesh(input(&knot)).unwrap();
    let mut limits = 0;
    for i in 0..24 {
        let t = i as f32;
        let ball = Rigid::new(
            1.0 + f64::from(t),
            0.3,
            Pose {
                position: Vec3::new(0.1 * t, -2.0, 0.3),
                rotation: Quat::from_rotation_z(0.3 * t),
                linear_velocity: Vec3::new((1.7 * t).sin(), (2.3 * t).cos(), 0.4),
                angular_velocity: Vec3::new((0.9 * t).cos(), 0.2, (1.1 * t).sin()),
            },
        );
        let other = Rigid::new(
            4.0,
            0.05 + 0.1 * f64::from(t),
            Pose {
                position: ball.pose.position + Vec3::new(0.8, 0.3 * (t - 12.0) / 12.0, 0.2),
                rotation: Quat::from_rotation_x(0.5 * t),
                linear_velocity: Vec3::new(-0.6, (0.7 * t).sin(), (1.9 * t).cos()),
                angular_velocity: Vec3::new(0.0, (1.3 * t).cos(), -1.0),
            },
        );
        let damping = [0.1, 10.0, 1e4, 1e9][i % 4];
        let options = limited(damping, &ball, &other);
        let found = ask(context, (field, &ball), (mesh, &other), options);
        assert!(found.area > 0.01, "{i}: {found:?}");
        let (force, torques) = (found.force_sum, [found.torque_sum, found.mesh_torque_sum]);
        let after = [
            ball.after(force, torques[0]),
            other.after(-force, torques[1]),
        ];
        let energy = |of: [[DVec3; 2]; 2]| ball.energy(of[0]) + other.energy(of[1]);
        let before = [ball.velocity(), other.velocity()];
        assert!(energy(after) <= energy(before) * (1.0 + 1e-6), "{i}");
        // The velocity along the force of damping: it falls towards zero and does not pass it.
        let along = |of: [[DVec3; 2]; 2]| {
            force.dot(of[0][0] - of[1][0]) + torques[0].dot(of[0][1]) + torques[1].dot(of[1][1])
        };
        let (first, then) = (along(before), along(after));
        assert!(
            first <= 0.0 && then <= 1e-4 * -first,
            "{i}: {first} to {then}"
        );
        if found.damping_scale < 1.0 {
            limits += 1;
            assert!(
                then >= -1e-3 * -first,
                "{i}: it stops short: {first} to {then}"
            );
        }
    }
    assert!((8..24).contains(&limits), "{limits} of 24 were limited");
}

#[test]
fn a_limit_that_makes_no_sense_is_refused_by_name() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = plane(context);
    let cube = shapes::cuboid(Vec3::splat(0.5), 1);
    let mesh = context.create_mesh(input(&cube)).unwrap();
    let body = Rigid::new(1.0, 1.0, Pose::default());
    let refused = |change: &dyn Fn(&mut PenaltyOptions)| {
        let mut options = limited(1.0, &body, &body);
        change(&mut options);
        let meeting = context.meeting((field, Pose::default()), (mesh, Pose::default()));
        context.penalty(meeting.unwrap(), options).unwrap_err()
    };
    fn limit(options: &mut PenaltyOptions) -> &mut DampingLimit {
        options.limit.as_mut().unwrap()
    }
    for step in [-1.0, f64::NAN, f64::INFINITY] {
        let error = refused(&|o| limit(o).step = step).to_string();
        assert!(error.contains("damping_limit_step"), "{error}");
    }
    let error = refused(&|o| limit(o).mesh.mass = -1.0).to_string();
    assert!(error.contains("mesh_inverse.mass is -1"), "{error}");
    let error = refused(&|o| limit(o).field.inertia.y_axis.y = f64::NAN).to_string();
    assert!(error.contains("field_inverse.inertia"), "{error}");
    let error = refused(&|o| o.velocities = Some(vec![Vec3::ZERO; cube.positions.len()]));
    assert!(error.to_string().contains("velocities"), "{error}");
    let error = refused(&|o| o.path = SamplingPath::ThreePass);
    assert!(matches!(error, Error::Unsupported(_)), "{error}");
}
