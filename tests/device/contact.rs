//! What proximity and penalty promise together: the same bits every time, many pairs as single ones, forces without jumps, reactions
//! that cancel, and refusals that name the value.

use crate::support::ask::AskNow;
use crate::support::contact::sphere_field;
use crate::support::{Checked, input};
use fixtures::shapes;
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::error::Error;
use proxel::field::bake::Signing;
use proxel::field::data::{Precision, Storage};
use proxel::field::grid::Resolution;
use proxel::field::request::{BakeRequest, GridPlacement};
use proxel::field::shape::Shape as FieldShape;
use proxel::gpu::paths::DeviceFeature;
use proxel::query::follower::FollowInput;
use proxel::query::penalty::{Penalty, PenaltyOptions, PenaltyQuery};
use proxel::query::proximity::{Proximity, ProximityOptions, ProximityQuery};
use proxel::scene::pose::Pose;

fn ball(context: &Context, radius: f64, storage: Storage) -> u64 {
    sphere_field(context, radius, storage, 32)
}

fn at(x: f32, y: f32, turn: f32) -> Pose {
    Pose {
        position: Vec3::new(x, y, 0.1),
        rotation: Quat::from_rotation_y(turn),
        ..Pose::default()
    }
}

/// Fewer samples than usual: enough to add in many orders.
fn coarse() -> PenaltyOptions {
    PenaltyOptions {
        resolution: 64,
        ..PenaltyOptions::default()
    }
}

fn both(context: &Context, field: u64, mesh: u64, pose: Pose) -> (Proximity, Penalty) {
    let meeting = context
        .meeting((field, Pose::default()), (mesh, pose))
        .unwrap();
    let proximity = context.proximity(meeting.clone(), ProximityOptions::default());
    let penalty = context.penalty(meeting, coarse());
    (proximity.unwrap(), penalty.unwrap())
}

#[test]
fn the_same_bits_many_times_and_from_several_threads() {
    let mut answers = Vec::new();
    for checked in [Checked::open(), Checked::without(DeviceFeature::Subgroups)] {
        let context = &checked.context;
        let field = ball(context, 1.0, Storage::Direction);
        let knot = shapes::knot(0.3, 100, 14).map(|p| 0.5 * p);
        let mesh = context.create_mesh(input(&knot)).unwrap();
        let pose = at(0.7, 0.2, 0.4);
        let first = both(context, field, mesh, pose);
        assert!(first.1.samples > 100, "{first:?}");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..8 {
                        assert_eq!(both(context, field, mesh, pose), first);
                    }
                });
            }
        });
        answers.push(first);
    }
    // Another way of adding gives other bits, but not another force.
    let [one, other] = [answers[0].1, answers[1].1];
    let off = one.force_sum.distance(other.force_sum);
    assert!(off < 1e-5 * one.force_sum.length(), "{one:?} {other:?}");
    assert!((one.area - other.area).abs() < 1e-5 * one.area);
    assert_eq!(one.samples, other.samples);
    assert_eq!(answers[0].0, answers[1].0);
}

#[test]
fn many_pairs_in_one_batch_answer_as_single_ones() {
    let checked = Checked::open();
    let context = &checked.context;
    let storages = [Storage::Direction, Storage::Distance];
    let fields: Vec<u64> = (0..8)
        .map(|i| ball(context, 0.6 + 0.1 * f64::from(i), storages[i as usize % 2]))
        .collect();
    let meshes: Vec<u64> = (0..8)
        .map(|i| {
            let shape = match i % 3 {
                0 => shapes::sphere(0.4, 12 + i, 10),
                1 => shapes::cuboid(Vec3::new(0.3, 0.5, 0.2), 1 + i),
                _ => shapes::torus(0.5, 0.2, 20 + i, 10),
            };
            context.create_mesh(input(&shape)).unwrap()
        })
        .collect();
    let batch = context.create_batch().unwrap();
    let mut asked = Vec::new();
    for i in 0..256usize {
        let (field, mesh) = (fields[i % 8], meshes[i / 8 % 8]);
        let pose = at(0.008 * i as f32, 0.3, 0.1 * i as f32);
        let meeting = context
            .meeting((field, Pose::default()), (mesh, pose))
            .unwrap();
        let proximity = batch.add(
            ProximityQuery::plan(
                batch.resources(),
                meeting.clone(),
                ProximityOptions::default(),
            )
            .unwrap(),
        );
        let penalty = batch.add(PenaltyQuery::plan(batch.resources(), meeting, coarse()).unwrap());
        asked.push((field, mesh, pose, proximity.unwrap(), penalty.unwrap()));
    }
    // SAFETY: no semaphores; the batch is waited for.
    unsafe { batch.submit(&[], &[]) }.unwrap();
    batch.wait(u64::MAX).unwrap();
    for (i, (field, mesh, pose, proximity, penalty)) in asked.into_iter().enumerate() {
        let answer = (
            batch.answer(proximity).unwrap(),
            batch.answer(penalty).unwrap(),
        );
        // Every one of them is looked at; single ones are asked for some.
        assert!(answer.0.lower <= answer.0.upper, "{answer:?}");
        if i % 8 == i / 32 {
            assert_eq!(answer, both(context, field, mesh, pose), "pair {i}");
        }
    }
}

#[test]
fn force_has_no_jumps() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = ball(context, 1.0, Storage::Direction);
    let shape = shapes::cuboid(Vec3::new(0.4, 0.4, 0.4), 2);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    // From apart to the middle of the ball's upper half, in small steps.
    let (steps, from, to) = (500, 1.5f32, 0.9f32);
    let step = f64::from((from - to) / steps as f32);
    let (mut before, mut largest, mut inside) = (None::<DVec3>, 0.0f64, 0);
    for i in 0..=steps {
        let pose = at(from + (to - from) * i as f32 / steps as f32, 0.05, 0.3);
        let meeting = context
            .meeting((field, Pose::default()), (mesh, pose))
            .unwrap();
        let found = context.penalty(meeting, PenaltyOptions::default()).unwrap();
        inside += usize::from(found.samples > 0);
        if let Some(before) = before.replace(found.force_sum) {
            largest = largest.max(found.force_sum.distance(before));
        }
    }
    // Each sample's force is its depth along a unit vector. The depth changes by no more than the step; the vector turns by no more
    // than step / distance from the middle, times the depth. The box is never nearer to the middle than half of the radius on average.
    let area = 6.0 * 0.8 * 0.8;
    assert!(inside > 300, "{inside}");
    assert!(
        largest > 0.0 && largest < 2.0 * area * step,
        "{largest} in steps of {step}"
    );
}

#[test]
fn reactions_cancel_and_torques_have_the_right_sign() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = ball(context, 1.0, Storage::Direction);
    let shape = shapes::sphere(0.5, 40, 30);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    // The ball's body turns about a point below its middle; the mesh presses it from the right.
    let options = PenaltyOptions {
        stiffness: 10.0,
        field_centre: Vec3::new(0.0, -1.0, 0.0),
        mesh_centre: Vec3::new(0.2, 0.3, -0.1),
        ..PenaltyOptions::default()
    };
    let field_pose = Pose {
        position: Vec3::new(5.0, -2.0, 1.0),
        rotation: Quat::from_rotation_x(0.4),
        ..Pose::default()
    };
    let pose = Pose {
        position: field_pose.position + Vec3::new(1.3, 0.0, 0.0),
        rotation: Quat::from_rotation_z(1.1),
        ..Pose::default()
    };
    let meeting = context.meeting((field, field_pose), (mesh, pose)).unwrap();
    let found = context.penalty(meeting, options.clone()).unwrap();
    assert!(found.force_sum.x < 0.0 && found.force_sum.x.abs() > 20.0 * found.force_sum.y.abs());
    let centre = field_pose.apply(options.field_centre.as_dvec3());
    let mesh_centre = pose.apply(options.mesh_centre.as_dvec3());
    // Forces cancel by definition; the moments of both about any one point must, too.
    let whole = found.torque_sum
        + centre.cross(found.force_sum)
        + found.mesh_torque_sum
        + mesh_centre.cross(-found.force_sum);
    assert!(whole.length() < 1e-6 * found.torque_sum.length(), "{whole}");
    // A push to the left above the centre turns it counter-clockwise about z: r = (1, 1, 0), f = (-1, 0, 0), z of r x f is +1.
    assert!(found.torque_sum.z > 0.0, "{found:?}");
}

#[test]
fn damping_and_friction_follow_the_velocities() {
    let checked = Checked::open();
    let context = &checked.context;
    let half_domain = DVec3::splat(2.0);
    let request = BakeRequest {
        placement: GridPlacement::Around {
            resolution: Resolution::Cells(16),
            padding: None,
        },
        storage: Storage::Direction,
        precision: Precision::Single,
        signing: Signing::Auto,
    };
    let data = request
        .of_shape(&FieldShape::Plane { half_domain })
        .unwrap();
    let field = context.add_field(data).unwrap();
    let shape = shapes::cuboid(Vec3::splat(0.5), 1);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let ask = |velocity: Vec3, vertices: Option<Vec3>, damping: f32, friction: f32| {
        let pose = Pose {
            position: Vec3::new(0.0, 0.25, 0.0),
            linear_velocity: velocity,
            ..Pose::default()
        };
        let meeting = context
            .meeting((field, Pose::default()), (mesh, pose))
            .unwrap();
        let options = PenaltyOptions {
            stiffness: 4.0,
            damping,
            friction,
            velocities: vertices.map(|v| vec![v; shape.positions.len()]),
            ..PenaltyOptions::default()
        };
        context.penalty(meeting, options).unwrap()
    };
    // The lower face, 0.25 deep, and four sides 0.125 deep on average: 0.25 + 4 * 0.25 * 0.125 of depth, 2 of area.
    let still = ask(Vec3::ZERO, None, 0.0, 0.0);
    assert!((still.force_sum.y + 4.0 * 0.375).abs() < 5e-3, "{still:?}");
    assert!((still.area - 2.0).abs() < 0.05, "{still:?}");
    // Moving down at 3 adds b v to every area inside.
    let down = Vec3::new(0.0, -3.0, 0.0);
    let falling = ask(down, None, 0.5, 0.0);
    assert!((falling.force_sum.y + 4.0 * 0.375 + 0.5 * 3.0 * falling.area).abs() < 1e-2);
    // Sliding along x drags the plane's body along, with mu times the normal force.
    let sliding = ask(Vec3::new(2.0, 0.0, 0.0), None, 0.0, 0.3);
    assert!(
        (sliding.force_sum.x - 0.3 * 4.0 * 0.375).abs() < 5e-3,
        "{sliding:?}"
    );
    // Velocities of vertices count as the body's do.
    let own = ask(Vec3::ZERO, Some(down), 0.5, 0.0);
    assert!((own.force_sum - falling.force_sum).length() < 1e-4);
}

#[test]
fn a_follower_answers_at_once_and_ages() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = ball(context, 1.0, Storage::Direction);
    let shape = shapes::sphere(0.5, 20, 16);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let follower = context
        .create_follower(ProximityOptions::default(), coarse())
        .unwrap();
    let pose = at(1.2, 0.0, 0.0);
    let ask = || {
        let meeting = context
            .meeting((field, Pose::default()), (mesh, pose))
            .unwrap();
        // SAFETY: no semaphores are passed.
        let following = unsafe { context.follow(follower, meeting, FollowInput::default()) };
        following.unwrap().newest
    };
    assert!(
        ask().is_none(),
        "nothing can be finished before it was asked"
    );
    context.wait_idle().unwrap();
    let answer = ask().expect("what was asked has finished");
    assert_eq!(answer.number, 1);
    assert!(answer.age.as_nanos() > 0);
    let expected = both(context, field, mesh, pose);
    assert_eq!((answer.proximity, answer.penalty), expected);
    let mut newest = 1;
    for _ in 0..50 {
        let answer = ask().unwrap();
        assert!(answer.number >= newest);
        newest = answer.number;
    }
    context.wait_idle().unwrap();
    assert!(ask().unwrap().number > 1);
    context.destroy_follower(follower).unwrap();
    let meeting = context
        .meeting((field, Pose::default()), (mesh, pose))
        .unwrap();
    // SAFETY: as above.
    let gone = unsafe { context.follow(follower, meeting, FollowInput::default()) };
    assert!(matches!(gone, Err(Error::InvalidHandle(_))));
}

/// Vertices that move inwards are damped as in a call that waits, and each call has velocities of its own.
#[test]
fn a_follower_takes_the_velocities_of_each_call() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = ball(context, 1.0, Storage::Direction);
    let shape = shapes::sphere(0.5, 20, 16);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let damped = |velocities| PenaltyOptions {
        damping: 2.0,
        velocities,
        ..coarse()
    };
    let follower = context
        .create_follower(ProximityOptions::default(), damped(None))
        .unwrap();
    let meeting = || {
        let mesh = (mesh, at(1.2, 0.0, 0.0));
        context.meeting((field, Pose::default()), mesh).unwrap()
    };
    let mut forces = Vec::new();
    for speed in [0.0, 1.0, 3.0] {
        let velocities = Some(vec![Vec3::new(-speed, 0.0, 0.0); shape.positions.len()]);
        let input = || FollowInput {
            velocities: velocities.clone(),
            ..FollowInput::default()
        };
        // SAFETY: no semaphores are passed.
        let ask = || unsafe { context.follow(follower, meeting(), input()) }.unwrap();
        let number = ask().asked.expect("nothing is under way");
        context.wait_idle().unwrap();
        let newest = ask().newest.unwrap();
        context.wait_idle().unwrap();
        assert_eq!(newest.number, number);
        let waited = context.penalty(meeting(), damped(velocities.clone()));
        assert_eq!(newest.penalty, waited.unwrap());
        forces.push(newest.penalty.force_sum.x);
    }
    // The field's body is pushed away from the mesh, harder the faster the mesh's surface comes.
    assert!(0.0 > forces[0] && forces[0] > forces[1] && forces[1] > forces[2]);
    let short = Some(vec![Vec3::ZERO; shape.positions.len() - 1]);
    let input = FollowInput {
        velocities: short,
        ..FollowInput::default()
    };
    // SAFETY: as above.
    let refused = unsafe { context.follow(follower, meeting(), input) };
    assert!(matches!(refused, Err(Error::InvalidArgument(_))));
}

#[test]
fn bad_parameters_are_named() {
    let checked = Checked::open();
    let context = &checked.context;
    let other = Checked::open();
    let field = ball(context, 1.0, Storage::Direction);
    let mesh = context
        .create_mesh(input(&shapes::sphere(0.5, 8, 6)))
        .unwrap();
    let meeting = || {
        context
            .meeting((field, Pose::default()), (mesh, Pose::default()))
            .unwrap()
    };
    let says = |error: Error, word: &str, value: &str| {
        let text = error.to_string();
        assert!(text.contains(word) && text.contains(value), "{text}");
    };
    for resolution in [0, 65_536] {
        let options = PenaltyOptions {
            resolution,
            ..PenaltyOptions::default()
        };
        let error = context.penalty(meeting(), options).unwrap_err();
        says(error, "resolution", &resolution.to_string());
        let options = ProximityOptions {
            resolution,
            ..ProximityOptions::default()
        };
        let error = context.proximity(meeting(), options).unwrap_err();
        says(error, "resolution", &resolution.to_string());
    }
    for tolerance in [0.0, f32::NAN, f32::INFINITY] {
        let options = ProximityOptions {
            tolerance: Some(tolerance),
            ..ProximityOptions::default()
        };
        says(
            context.proximity(meeting(), options).unwrap_err(),
            "tolerance",
            &tolerance.to_string(),
        );
    }
    for (stiffness, damping, friction, word) in [
        (0.0, 0.0, 0.0, "stiffness"),
        (-1.0, 0.0, 0.0, "stiffness"),
        (f32::NAN, 0.0, 0.0, "stiffness"),
        (1.0, -2.0, 0.0, "damping"),
        (1.0, f32::INFINITY, 0.0, "damping"),
        (1.0, 0.0, -0.5, "friction"),
    ] {
        let options = PenaltyOptions {
            stiffness,
            damping,
            friction,
            ..PenaltyOptions::default()
        };
        says(context.penalty(meeting(), options).unwrap_err(), word, word);
    }
    let options = PenaltyOptions {
        velocities: Some(vec![Vec3::ZERO; 3]),
        ..PenaltyOptions::default()
    };
    says(
        context.penalty(meeting(), options).unwrap_err(),
        "velocities",
        "3",
    );
    // Of another context, and gone.
    let foreign = other
        .context
        .meeting((field, Pose::default()), (mesh, Pose::default()));
    assert!(matches!(foreign, Err(Error::InvalidHandle(_))));
    context.destroy_field(field).unwrap();
    let stale = context.meeting((field, Pose::default()), (mesh, Pose::default()));
    assert!(matches!(stale, Err(Error::InvalidHandle(_))));
}
