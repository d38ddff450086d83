//! Overlap against what can be known otherwise: exact distances to every triangle, and exact intersections.

use crate::support::ask::AskNow;
use crate::support::contact::{at, request, sphere_field, to_point, turned};
use crate::support::{Checked, input, times};
use fixtures::shapes::{self, Shape};
use glam::{Quat, Vec3};
use proxel::context::Context;
use proxel::context::exact::DistanceRequest;
use proxel::error::Error;
use proxel::field::data::Storage;
use proxel::geometry::distance::DistanceOptions;
use proxel::geometry::random::Random;
use proxel::geometry::sign::winding::Winding;
use proxel::gpu::paths::DeviceFeature;
use proxel::query::bounds::BoundsQuery;
use proxel::query::overlap::{Overlap, OverlapOptions, OverlapQuery};
use proxel::scene::pose::Pose;

const KINDS: [Storage; 3] = [Storage::Direction, Storage::Distance, Storage::Sparse];

fn unit_sphere(context: &Context, storage: Storage) -> u64 {
    sphere_field(context, 1.0, storage, 48)
}

/// Both proofs hold, and beyond `doubt` of touching there is one.
fn assert_proven(answer: Overlap, truth: f64, doubt: f64, label: &str) {
    if !answer.overlap {
        assert!(truth > 0.0, "missed at {truth}: {label}");
        assert!(answer.certain && answer.samples == 0, "{label}");
    } else if answer.certain {
        assert!(truth <= 0.0, "no contact at {truth}: {label}");
    } else {
        assert!(truth.abs() <= doubt, "no proof at {truth}: {label}");
    }
}

fn meshes() -> [Shape; 5] {
    [
        shapes::sphere(0.5, 30, 20),
        shapes::sphere(0.3, 90, 70),
        shapes::cuboid(Vec3::new(2.0, 0.01, 2.0), 1),
        shapes::cuboid(Vec3::splat(0.4), 3),
        shapes::torus(0.6, 0.2, 30, 16),
    ]
}

#[test]
fn apart_touching_penetrating_and_inside_are_told_apart() {
    let checked = Checked::open();
    let context = &checked.context;
    let field_pose = at(Vec3::new(3.0, -1.0, 0.5), Quat::from_rotation_y(0.7));
    let centre = field_pose.position.as_dvec3();
    let mut random = Random::new(11);
    let options = OverlapOptions { resolution: 256 };
    for storage in [Storage::Direction, Storage::Distance] {
        let field = unit_sphere(context, storage);
        let error = f64::from(context.field(field).unwrap().data.error());
        for shape in &meshes() {
            let mesh = context.create_mesh(input(shape)).unwrap();
            for i in 0..8 * times() as u32 {
                let rotation = turned(&mut random);
                // One way out, so that the mesh can be put at a chosen depth along it.
                let way = (random.in_cube_f32() + Vec3::splat(1e-3)).normalize();
                let far = at(field_pose.position + way * 4.0, rotation);
                let wanted = [0.5, 0.1, 0.02, 0.001, 0.0, -0.001, -0.02, -0.2][i as usize % 8];
                let back = (to_point(shape, &far, centre) - 1.0) as f32 - wanted;
                let pose = at(field_pose.position + way * (4.0 - back).max(0.0), rotation);
                let truth = to_point(shape, &pose, centre) - 1.0;
                let meeting = context.meeting((field, field_pose), (mesh, pose)).unwrap();
                let answer = context.overlap(meeting, options).unwrap();
                // Nothing larger than the domain is drawn.
                let pixel = 2.5 / 256.0;
                let doubt = 1.3 * error + 0.7072 * 3f64.sqrt() * pixel + 1e-4;
                let label = format!("{storage:?} {i} {} triangles", shape.triangles.len());
                assert_proven(answer, truth, doubt, &label);
            }
        }
    }
}

#[test]
fn slivers_specks_and_corners_are_not_missed_at_any_resolution() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = unit_sphere(context, Storage::Distance);
    let triangle = |corners: [Vec3; 3]| Shape {
        positions: corners.to_vec(),
        triangles: vec![[0, 1, 2]],
    };
    let mut random = Random::new(5);
    for i in 0..36 * times() as u32 {
        let direction = random.in_cube_f32().normalize();
        let side = direction.any_orthonormal_vector();
        let depth = random.unit() as f32 * 0.3;
        // A point inside, 0 to 0.3 deep, that one triangle reaches in one of these ways.
        let inside = direction * (1.0 - depth - 0.02);
        let shape = match i % 6 {
            // A needle from outside that ends there, one that passes by there, and one without any width.
            0 => triangle([inside, direction * 1.2 + side * 1e-4, direction * 1.2]),
            1 => triangle([
                inside + side * 3.0,
                inside - side * 3.0,
                inside - side * 2.999 + direction * 1e-5,
            ]),
            2 => triangle([inside + side * 2.0, inside - side * 2.0, inside]),
            // Specks: far below a pixel, a single point.
            3 => triangle([inside, inside + side * 1e-6, inside + direction * 1e-6]),
            4 => triangle([inside; 3]),
            // A large triangle of which only a corner is inside.
            _ => triangle([
                inside,
                direction * 50.0 + side * 50.0,
                direction * 50.0 - side * 50.0,
            ]),
        };
        // Beside something large and harmless, which keeps the views large.
        let shape = match i % 2 {
            0 => shape,
            _ => shape.with(&shapes::cuboid(Vec3::splat(0.05), 1).map(|p| p + direction * 1.1)),
        };
        let mesh = context.create_mesh(input(&shape)).unwrap();
        for resolution in [1, 2, 33, 300] {
            let pose = Pose::default();
            let meeting = context.meeting((field, pose), (mesh, pose)).unwrap();
            let answer = context
                .overlap(meeting, OverlapOptions { resolution })
                .unwrap();
            assert!(answer.overlap, "case {i} at {resolution}: {answer:?}");
        }
        context.destroy_mesh(mesh).unwrap();
    }
}

#[test]
fn baked_fields_agree_with_exact_intersections() {
    let checked = Checked::open();
    let context = &checked.context;
    let solid = shapes::torus(1.0, 0.4, 40, 20);
    let id = context.create_mesh(input(&solid)).unwrap();
    let winding = Winding::build(crate::support::surface(&solid));
    let mut random = Random::new(3);
    let mut seen = [0; 3];
    for storage in KINDS {
        let field = context.bake_field(id, request(storage, 40)).unwrap();
        context.wait_field(field, u64::MAX).unwrap();
        for shape in [
            shapes::knot(0.15, 80, 8).map(|p| p * 0.3),
            shapes::cuboid(Vec3::splat(0.2), 2),
        ] {
            let mesh = context.create_mesh(input(&shape)).unwrap();
            for i in 0..10 * times() as u32 {
                let pose = at(
                    random.in_cube_f32() * Vec3::new(2.2, 2.2, 1.5),
                    turned(&mut random),
                );
                let identity = Pose::default();
                let exact = context
                    .distance(
                        (id, identity),
                        (mesh, pose),
                        &DistanceRequest::Distance(DistanceOptions::default()),
                    )
                    .unwrap();
                let within = winding.encloses(pose.apply(shape.positions[0].as_dvec3()));
                let touches = exact.intersecting || within;
                let meeting = context.meeting((field, identity), (mesh, pose)).unwrap();
                let answer = context.overlap(meeting, OverlapOptions::default()).unwrap();
                if !answer.overlap {
                    assert!(!touches, "missed: {storage:?} {i}");
                } else if answer.certain {
                    assert!(touches, "no contact: {storage:?} {i}");
                }
                seen[usize::from(answer.overlap)
                    + usize::from(answer.overlap && answer.certain)] += 1;
            }
        }
    }
    assert!(
        seen[0] > 10 && seen[2] > 10,
        "both answers came up: {seen:?}"
    );
}

#[test]
fn the_same_bits_every_time_and_beside_other_queries() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = unit_sphere(context, Storage::Direction);
    let shape = shapes::knot(0.15, 200, 16).map(|p| p * 0.4);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let poses = [0.0, 0.7, 1.1, 3.0].map(|x| at(Vec3::X * x, Quat::from_rotation_y(x)));
    let batch = context.create_batch().unwrap();
    let mut tickets = Vec::new();
    for pose in poses {
        let meeting = context
            .meeting((field, Pose::default()), (mesh, pose))
            .unwrap();
        tickets.push(
            batch
                .add(
                    OverlapQuery::plan(batch.resources(), meeting, OverlapOptions::default())
                        .unwrap(),
                )
                .unwrap(),
        );
        batch
            .add(BoundsQuery::plan(context.mesh(mesh).unwrap(), pose).unwrap())
            .unwrap();
    }
    let run = || {
        // SAFETY: no semaphores are passed, and the batch is waited for.
        unsafe { batch.submit(&[], &[]) }.unwrap();
        batch.wait(u64::MAX).unwrap();
        tickets
            .iter()
            .map(|t| batch.answer(*t).unwrap())
            .collect::<Vec<_>>()
    };
    let first = run();
    assert!(first[0].overlap && first[0].certain, "{first:?}");
    assert!(!first[3].overlap, "{first:?}");
    for _ in 0..20 {
        assert_eq!(run(), first);
    }
}

#[test]
fn without_precise_counts_the_answer_is_the_same() {
    let shape = shapes::sphere(0.5, 30, 20);
    let ask = |checked: &Checked| {
        let context = &checked.context;
        let field = unit_sphere(context, Storage::Direction);
        let mesh = context.create_mesh(input(&shape)).unwrap();
        [1.2f32, 1.45, 1.51, 1.6].map(|x| {
            let pose = at(Vec3::new(0.0, x, 0.0), Quat::IDENTITY);
            let meeting = context
                .meeting((field, Pose::default()), (mesh, pose))
                .unwrap();
            let answer = context.overlap(meeting, OverlapOptions::default()).unwrap();
            (answer.overlap, answer.certain)
        })
    };
    let precise = ask(&Checked::open());
    assert_eq!(
        precise,
        ask(&Checked::without(DeviceFeature::PreciseOcclusion))
    );
    assert_eq!((precise[0], precise[3]), ((true, true), (false, true)));
}

#[test]
fn bad_requests_are_refused_and_far_meshes_are_far() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = unit_sphere(context, Storage::Distance);
    let mesh = context
        .create_mesh(input(&shapes::sphere(0.5, 12, 8)))
        .unwrap();
    let meeting = |x: f32| {
        let pose = at(Vec3::X * x, Quat::IDENTITY);
        context.meeting((field, Pose::default()), (mesh, pose))
    };
    for resolution in [0, 65_536] {
        let refused = context.overlap(meeting(0.0).unwrap(), OverlapOptions { resolution });
        let Err(Error::InvalidArgument(text)) = refused else {
            panic!("{resolution} gave {refused:?}");
        };
        assert!(text.contains(&resolution.to_string()), "{text}");
    }
    assert!(
        context
            .overlap(meeting(f32::NAN).unwrap(), OverlapOptions::default())
            .is_err()
    );
    for x in [3.0, 1e6, 1e15] {
        let answer = context
            .overlap(meeting(x).unwrap(), OverlapOptions::default())
            .unwrap();
        assert_eq!((answer.overlap, answer.certain), (false, true), "at {x}");
    }
}
