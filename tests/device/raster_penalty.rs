//! Penalty by drawing: against the integral over a spherical cap, and against the compute path.

use crate::support::ask::AskNow;
use crate::support::contact::{at, drawing_paths, sphere_field};
use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3, Vec3Swizzles};
use proxel::field::data::Storage;
use proxel::geometry::random::Random;
use proxel::query::penalty::{Penalty, PenaltyOptions, PenaltyQuery};
use proxel::query::proximity::SamplingPath;
use proxel::scene::pose::Pose;
use std::f64::consts::PI;

fn drawn(path: SamplingPath, resolution: u32) -> PenaltyOptions {
    PenaltyOptions {
        path,
        resolution,
        ..PenaltyOptions::default()
    }
}

/// A plate in the plane z = 0, four wide, of slivers along y.
fn plate(slivers: u32) -> Shape {
    let x = |i: u32| 4.0 * i as f32 / slivers as f32 - 2.0;
    let positions =
        (0..=slivers).flat_map(|i| [Vec3::new(x(i), -2.0, 0.0), Vec3::new(x(i), 2.0, 0.0)]);
    let triangles = (0..slivers).flat_map(|i| {
        [
            [2 * i, 2 * i + 2, 2 * i + 1],
            [2 * i + 1, 2 * i + 2, 2 * i + 3],
        ]
    });
    Shape {
        positions: positions.collect(),
        triangles: triangles.collect(),
    }
}

/// A plane at height h cuts a disc from the unit ball. A point of it at distance s from the centre is 1 - s deep, and is pushed
/// along the radius: force, area and the integral of the depth follow with r dr = s ds.
struct Cap {
    force: f64,
    area: f64,
    depth_sum: f64,
}

fn cap(h: f64) -> Cap {
    Cap {
        force: -PI * h * (1.0 - h) * (1.0 - h),
        area: PI * (1.0 - h * h),
        depth_sum: PI * (1.0 - h * h) - 2.0 / 3.0 * PI * (1.0 - h * h * h),
    }
}

fn assert_certified(answer: &Penalty, truth: &Cap, h: f64, label: &str) {
    let [low, high] = answer.area_bounds;
    assert!(
        low <= truth.area && truth.area <= high,
        "{answer:?}: {label}"
    );
    let off = (answer.depth_sum - truth.depth_sum).abs();
    assert!(off <= answer.depth_sum_error, "{answer:?}, {off}: {label}");
    let [low, high] = answer.depth_bounds.map(f64::from);
    assert!(low <= 1.0 - h && 1.0 - h <= high, "{answer:?}: {label}");
}

#[test]
fn the_force_on_a_spherical_cap_converges_with_the_resolution() {
    let checked = Checked::open();
    let context = &checked.context;
    // Turned, so that no view faces the plate.
    let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.64, 0.48).normalize(), 0.7);
    for (storage, slivers) in [
        (Storage::Direction, 1),
        (Storage::Direction, 700),
        (Storage::Distance, 40),
    ] {
        let field = sphere_field(context, 1.0, storage, 64);
        let mesh = context.create_mesh(input(&plate(slivers))).unwrap();
        let h = 0.55;
        let truth = cap(h);
        let pose = at(turn * Vec3::Z * h as f32, turn);
        let normal = (turn * Vec3::Z).as_dvec3();
        for path in drawing_paths(context) {
            let off = [24, 400].map(|resolution| {
                let meeting = context
                    .meeting((field, Pose::default()), (mesh, pose))
                    .unwrap();
                let options = PenaltyOptions {
                    field_centre: Vec3::new(0.3, -0.1, 0.2),
                    ..drawn(path, resolution)
                };
                let centre = options.field_centre.as_dvec3();
                let answer = context.penalty(meeting, options).unwrap();
                let label = format!("{path:?} at {resolution}, {slivers} slivers, {storage:?}");
                assert_certified(&answer, &truth, h, &label);
                let force = normal * truth.force;
                // By symmetry the force acts through the origin.
                let torque = (DVec3::ZERO - centre).cross(force);
                let errors = [
                    (answer.force_sum - force).length() / force.length(),
                    (answer.torque_sum - torque).length() / torque.length(),
                    (answer.mesh_torque_sum
                        + (DVec3::ZERO - pose.position.as_dvec3()).cross(force))
                    .length(),
                    (answer.area - truth.area).abs() / truth.area,
                    (answer.depth_sum - truth.depth_sum).abs() / truth.depth_sum,
                ];
                errors.into_iter().fold(0.0, f64::max)
            });
            assert!(
                off[1] < 0.01 && off[1] < off[0] && off[0] < 0.2,
                "{off:?}: {path:?} {slivers} {storage:?}"
            );
        }
    }
}

#[test]
fn paths_agree_on_random_poses_and_velocities() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = sphere_field(context, 1.0, Storage::Direction, 64);
    let mut random = Random::new(23);
    // Fine enough that SwiftShader reads it from storage buffers.
    for shape in [
        shapes::knot(0.3, 120, 16).map(|p| p * 0.4),
        shapes::sphere(0.6, 180, 90),
    ] {
        let mesh = context.create_mesh(input(&shape)).unwrap();
        let velocities: Vec<Vec3> = shape.positions.iter().map(|p| p.yzx() * 0.5).collect();
        for i in 0..4 {
            let pose = Pose {
                position: random.in_cube_f32() * 0.6 + Vec3::X * 0.5,
                rotation: Quat::from_rotation_x(i as f32) * Quat::from_rotation_y(1.3 * i as f32),
                linear_velocity: random.in_cube_f32(),
                angular_velocity: random.in_cube_f32(),
            };
            let options = |path, resolution| PenaltyOptions {
                stiffness: 3.0,
                damping: 0.4,
                friction: 0.3,
                velocities: Some(velocities.clone()),
                ..drawn(path, resolution)
            };
            let ask = |options| {
                let meeting = context
                    .meeting((field, Pose::default()), (mesh, pose))
                    .unwrap();
                context.penalty(meeting, options).unwrap()
            };
            let compute = ask(options(SamplingPath::Compute, 256));
            for path in drawing_paths(context) {
                let answer = ask(options(path, 400));
                let label = format!("{path:?}, pose {i}: {answer:?}\n{compute:?}");
                let near = |a: DVec3, b: DVec3, scale: f64| (a - b).length() <= 0.02 * scale + 1e-4;
                assert!(
                    near(
                        answer.force_sum,
                        compute.force_sum,
                        compute.force_sum.length()
                    ),
                    "{label}"
                );
                assert!(
                    near(
                        answer.torque_sum,
                        compute.torque_sum,
                        compute.force_sum.length()
                    ),
                    "{label}"
                );
                assert!(near(answer.centroid, compute.centroid, 1.0), "{label}");
                assert!(
                    (answer.area - compute.area).abs() <= 0.02 * compute.area + 1e-4,
                    "{label}"
                );
                let apart = (answer.depth_sum - compute.depth_sum).abs();
                assert!(
                    apart <= answer.depth_sum_error + compute.depth_sum_error,
                    "{label}"
                );
                let [a, b] = [answer.area_bounds, compute.area_bounds];
                assert!(a[0] <= b[1] && b[0] <= a[1], "{label}");
                let [a, b] = [answer.depth_bounds, compute.depth_bounds];
                assert!(a[0] <= b[1] && b[0] <= a[1], "{label}");
                assert!(a[0] <= answer.depth && answer.depth <= a[1], "{label}");
            }
        }
    }
}

#[test]
fn apart_there_is_nothing_and_the_bits_are_the_same_every_time() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = sphere_field(context, 1.0, Storage::Distance, 64);
    let mesh = context
        .create_mesh(input(&shapes::torus(0.6, 0.2, 40, 20)))
        .unwrap();
    for path in drawing_paths(context) {
        for x in [2.2, 1e6] {
            let pose = at(Vec3::X * x, Quat::IDENTITY);
            let meeting = context
                .meeting((field, Pose::default()), (mesh, pose))
                .unwrap();
            let answer = context.penalty(meeting, drawn(path, 100)).unwrap();
            assert_eq!(
                (answer.samples, answer.area, answer.force_sum),
                (0, 0.0, DVec3::ZERO),
                "{path:?}"
            );
            assert_eq!(
                (answer.area_bounds, answer.depth_sum_error),
                ([0.0; 2], 0.0),
                "{path:?}"
            );
        }
        let pose = at(Vec3::new(0.9, 0.2, 0.1), Quat::from_rotation_x(0.4));
        let batch = context.create_batch().unwrap();
        let tickets = [130, 64, 1].map(|resolution| {
            let meeting = context
                .meeting((field, Pose::default()), (mesh, pose))
                .unwrap();
            batch
                .add(
                    PenaltyQuery::plan(batch.resources(), meeting, drawn(path, resolution))
                        .unwrap(),
                )
                .unwrap()
        });
        let run = || {
            // SAFETY: no semaphores are passed, and the batch is waited for.
            unsafe { batch.submit(&[], &[]) }.unwrap();
            batch.wait(u64::MAX).unwrap();
            tickets.map(|t| batch.answer(t).unwrap())
        };
        let first = run();
        assert!(first[0].samples > 100, "{:?}", first[0]);
        for _ in 0..20 {
            assert_eq!(run(), first);
        }
    }
}

#[test]
fn depth_tests_drop_only_what_does_not_count() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut random = Random::new(7);
    let shape = shapes::sphere(0.5, 40, 24);
    for storage in [Storage::Direction, Storage::Distance] {
        let field = sphere_field(context, 1.0, storage, 64);
        let mesh = context.create_mesh(input(&shape)).unwrap();
        for i in 0..6 {
            // On all sides, so that both ends of the body are tested against along every axis.
            let sign = if i < 3 { 1.0 } else { -1.0 };
            let way = Vec3::AXES[i % 3] * sign + random.in_cube_f32() * 0.3;
            let pose = at(way * 0.9, Quat::from_rotation_z(i as f32));
            for path in drawing_paths(context) {
                let [with, without] = [true, false].map(|early_z| {
                    let meeting = context
                        .meeting((field, Pose::default()), (mesh, pose))
                        .unwrap();
                    let options = PenaltyOptions {
                        early_z,
                        ..drawn(path, 150)
                    };
                    context.penalty(meeting, options).unwrap()
                });
                assert!(with.samples > 50, "{with:?}");
                assert_eq!(with, without, "{path:?} {storage:?} {i}");
            }
        }
    }
}
