//! The raster paths against what can be known otherwise, and against the compute path.

use crate::support::ask::AskNow;
use crate::support::contact::{at, drawing_paths, request, sphere_field, to_point, turned};
use crate::support::{Checked, input, times};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::context::exact::DistanceRequest;
use proxel::error::Error;
use proxel::field::data::Storage;
use proxel::geometry::distance::DistanceOptions;
use proxel::geometry::random::Random;
use proxel::gpu::paths::DeviceFeature;
use proxel::query::proximity::{Proximity, ProximityOptions, ProximityQuery, SamplingPath};
use proxel::scene::pose::Pose;

fn drawn(path: SamplingPath, resolution: u32) -> ProximityOptions {
    ProximityOptions {
        path,
        resolution,
        ..ProximityOptions::default()
    }
}

fn assert_holds(answer: &Proximity, truth: f64, width: f64, label: &str) {
    let (lower, upper) = (f64::from(answer.lower), f64::from(answer.upper));
    assert!(
        lower <= truth && truth <= upper,
        "{truth} is outside of {answer:?}: {label}"
    );
    assert!(
        upper - lower <= width,
        "{answer:?} is wider than {width}: {label}"
    );
}

#[test]
fn a_sphere_field_against_spheres_plates_boxes_and_tori() {
    let checked = Checked::open();
    let context = &checked.context;
    let meshes = [
        shapes::sphere(0.5, 30, 20),
        shapes::cuboid(Vec3::new(2.0, 0.01, 2.0), 1),
        shapes::cuboid(Vec3::splat(0.4), 3),
        shapes::torus(0.6, 0.2, 30, 16),
    ];
    let field_pose = at(Vec3::new(3.0, -1.0, 0.5), Quat::from_rotation_y(0.7));
    let centre = field_pose.position.as_dvec3();
    let field = sphere_field(context, 1.0, Storage::Direction, 48);
    let error = f64::from(context.field(field).unwrap().data.error());
    let mut random = Random::new(17);
    for shape in &meshes {
        let mesh = context.create_mesh(input(shape)).unwrap();
        // Far away, apart, touching or nearly, penetrating, inside, around.
        for distance in [6.0, 2.5, 1.6, 1.5, 1.1, 0.5, 0.0] {
            let way = random.in_cube_f32().normalize();
            let pose = at(field_pose.position + way * distance, turned(&mut random));
            let truth = to_point(shape, &pose, centre) - 1.0;
            for path in drawing_paths(context) {
                let meeting = context.meeting((field, field_pose), (mesh, pose)).unwrap();
                let answer = context.proximity(meeting, drawn(path, 128)).unwrap();
                let label = format!(
                    "{path:?}, {distance} away, {} triangles",
                    shape.triangles.len()
                );
                // A pixel of at most the whole mesh; outside the domain the field itself is wide.
                let pixel = 5.7 / 128.0;
                let outside = if answer.in_domain { 0.0 } else { 3.0 };
                assert_holds(&answer, truth, 2.5 * error + 1.3 * pixel + outside, &label);
                let weights = answer.barycentric.as_dvec3();
                let corners = shape.triangles[answer.triangle as usize]
                    .map(|v| pose.apply(shape.positions[v as usize].as_dvec3()));
                let point =
                    corners[0] * weights.x + corners[1] * weights.y + corners[2] * weights.z;
                assert!(
                    point.distance(answer.point_mesh) < 1e-5,
                    "{point} {answer:?}: {label}"
                );
                let there = f64::from(answer.distance) - (point.distance(centre) - 1.0);
                assert!(
                    !answer.in_domain || there.abs() <= error,
                    "{answer:?}: {label}"
                );
            }
        }
    }
}

#[test]
fn random_poses_agree_with_exact_distances_and_with_the_compute_path() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut random = Random::new(29);
    // Fine enough that SwiftShader reads it from storage buffers.
    let fine = shapes::sphere(0.4, 180, 90).map(|p| p * Vec3::new(1.0, 1.3, 0.7));
    let meshes = [
        shapes::knot(0.15, 120, 10).map(|p| p * 0.35),
        shapes::cuboid(Vec3::new(0.3, 0.5, 0.2), 2),
        fine,
    ];
    let sphere = sphere_field(context, 1.0, Storage::Distance, 48);
    for (number, shape) in meshes.iter().enumerate() {
        let mesh = context.create_mesh(input(shape)).unwrap();
        for i in 0..12 * times() as u32 {
            let pose = at(random.in_cube_f32() * 1.5, turned(&mut random));
            let truth = to_point(shape, &pose, DVec3::ZERO) - 1.0;
            let meeting = || {
                context
                    .meeting((sphere, Pose::default()), (mesh, pose))
                    .unwrap()
            };
            for path in drawing_paths(context) {
                let answer = context.proximity(meeting(), drawn(path, 100)).unwrap();
                let label = format!("{path:?}, mesh {number}, pose {i}");
                assert_holds(&answer, truth, f64::INFINITY, &label);
            }
        }
    }
    let solid = shapes::torus(1.0, 0.4, 40, 20);
    let id = context.create_mesh(input(&solid)).unwrap();
    for storage in [Storage::Sparse, Storage::Direction] {
        let field = context.bake_field(id, request(storage, 40)).unwrap();
        context.wait_field(field, u64::MAX).unwrap();
        let mesh = context.create_mesh(input(&meshes[1])).unwrap();
        for i in 0..8 * times() as u32 {
            let pose = at(random.in_cube_f32() * 2.0, turned(&mut random));
            let identity = Pose::default();
            let wanted = DistanceRequest::Distance(DistanceOptions::default());
            let exact = context
                .distance((id, identity), (mesh, pose), &wanted)
                .unwrap();
            let meeting = || context.meeting((field, identity), (mesh, pose)).unwrap();
            let compute = context
                .proximity(meeting(), ProximityOptions::default())
                .unwrap();
            for path in drawing_paths(context) {
                let answer = context.proximity(meeting(), drawn(path, 100)).unwrap();
                let label = format!("{path:?} {storage:?} {i}: {answer:?}, {compute:?}");
                assert!(
                    answer.lower <= compute.upper && compute.lower <= answer.upper,
                    "{label}"
                );
                let (lower, upper) = (f64::from(answer.lower), f64::from(answer.upper));
                match exact.intersecting {
                    true => assert!(lower <= 0.0, "{label}"),
                    // Apart, or one within the other.
                    false => assert!(
                        lower <= exact.distance && exact.distance <= upper || upper < 0.0,
                        "{label}"
                    ),
                }
            }
        }
    }
}

#[test]
fn slivers_and_specks_have_samples_at_any_resolution() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = sphere_field(context, 1.0, Storage::Distance, 48);
    let error = f64::from(context.field(field).unwrap().data.error());
    let mut random = Random::new(41);
    for i in 0..20 * times() as u32 {
        let way = random.in_cube_f32().normalize();
        let side = way.any_orthonormal_vector();
        let tip = way * (1.0 + random.signed() as f32 * 0.15);
        let corners = match i % 5 {
            0 => [tip, way * 1.2 + side * 1e-4, way * 1.2],
            1 => [
                tip + side * 1.1,
                tip - side * 1.1,
                tip - side * 1.05 + way * 1e-5,
            ],
            2 => [tip, tip + side * 1e-6, tip + way * 1e-6],
            3 => [tip; 3],
            _ => [tip, way * 5.0 + side * 5.0, way * 5.0 - side * 5.0],
        };
        let needle = Shape {
            positions: corners.to_vec(),
            triangles: vec![[0, 1, 2]],
        };
        // Large and near enough that it is drawn, too.
        let shape = match i % 2 {
            0 => needle,
            _ => needle.with(&shapes::cuboid(Vec3::splat(0.1), 1).map(|p| p - way * 1.16)),
        };
        let mesh = context.create_mesh(input(&shape)).unwrap();
        let pose = Pose::default();
        let truth = to_point(&shape, &pose, DVec3::ZERO) - 1.0;
        for (path, resolution) in drawing_paths(context)
            .into_iter()
            .flat_map(|p| [(p, 1), (p, 7), (p, 250)])
        {
            let meeting = context.meeting((field, pose), (mesh, pose)).unwrap();
            let answer = context.proximity(meeting, drawn(path, resolution)).unwrap();
            // Nothing larger than three is in view: what is outside of the domain is farther than the tip.
            let width = 2.5 * error + 1.3 * 7.1 / f64::from(resolution) + 0.01;
            assert_holds(
                &answer,
                truth,
                width,
                &format!("case {i}, {path:?} at {resolution}"),
            );
        }
        context.destroy_mesh(mesh).unwrap();
    }
}

#[test]
fn the_same_bits_every_time_with_all_paths_in_one_batch() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = sphere_field(context, 1.0, Storage::Direction, 48);
    // Symmetric, so that many samples are equally near.
    let mesh = context
        .create_mesh(input(&shapes::sphere(0.5, 48, 32)))
        .unwrap();
    let batch = context.create_batch().unwrap();
    let mut tickets = Vec::new();
    for (path, x) in drawing_paths(context)
        .into_iter()
        .flat_map(|path| [(path, 0.0), (path, 1.3)])
    {
        let pose = at(Vec3::X * x, Quat::IDENTITY);
        let meeting = context
            .meeting((field, Pose::default()), (mesh, pose))
            .unwrap();
        tickets.push(
            batch
                .add(ProximityQuery::plan(batch.resources(), meeting, drawn(path, 160)).unwrap())
                .unwrap(),
        );
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
    for _ in 0..20 {
        assert_eq!(run(), first);
    }
}

#[test]
fn what_no_device_can_draw_is_refused_in_words() {
    let checked = Checked::without(DeviceFeature::GeometryShader);
    let context = &checked.context;
    let field = sphere_field(context, 1.0, Storage::Distance, 48);
    let mesh = context
        .create_mesh(input(&shapes::sphere(0.5, 12, 8)))
        .unwrap();
    let ask = |options| {
        let meeting = context
            .meeting((field, Pose::default()), (mesh, Pose::default()))
            .unwrap();
        context.proximity(meeting, options)
    };
    for resolution in [0, 65_536] {
        let refused = ask(drawn(SamplingPath::Binned, resolution));
        let Err(Error::InvalidArgument(text)) = refused else {
            panic!("{resolution} gave {refused:?}");
        };
        assert!(text.contains(&resolution.to_string()), "{text}");
    }
    let refused = ask(drawn(SamplingPath::GeometryShader, 64));
    let Err(Error::Unsupported(text)) = refused else {
        panic!("{refused:?}");
    };
    assert!(
        text.contains("geometry shader") && text.contains("choose"),
        "{text}"
    );
}
