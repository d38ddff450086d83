//! Containment against exact winding numbers; layers against the volume; folds of meshes that collide with themselves.

use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::error::Error;
use proxel::geometry::random::Random;
use proxel::geometry::sign::winding::Winding;
use proxel::query::layers::{Layers, LayersQuery, Stretches};
use proxel::query::ldi::{LdiOptions, RayResolution};
use proxel::scene::pose::Pose;

fn pixels(side: u32) -> LdiOptions {
    LdiOptions {
        resolution: RayResolution::Pixels(side),
        ..LdiOptions::default()
    }
}

/// Points spread over a cube about a place.
fn scattered(count: u32, about: Vec3, half: f32) -> Vec<Vec3> {
    let mut random = Random::new(12345);
    (0..count)
        .map(|_| about + half * random.in_cube_f32())
        .collect()
}

#[test]
fn points_are_inside_where_the_winding_number_says_so() {
    let checked = Checked::open();
    let context = &checked.context;
    let pose = Pose {
        position: Vec3::new(3.0, -2.0, 1.0),
        rotation: Quat::from_rotation_y(0.7) * Quat::from_rotation_x(1.3),
        ..Pose::default()
    };
    for (shape, side) in [
        (shapes::knot(0.5, 200, 24), 64),
        (shapes::torus(2.0, 0.7, 60, 30), 17),
        (shapes::cuboid(Vec3::new(1.0, 2.0, 0.5), 1), 64),
    ] {
        let id = context.create_mesh(input(&shape)).unwrap();
        let winding = Winding::build(crate::support::surface(&shape));
        let mut points = scattered(6000, pose.position, 3.5);
        // Vertices lie on the surface itself: the hardest points of all.
        points.extend(
            shape
                .positions
                .iter()
                .take(500)
                .map(|p| pose.apply(p.as_dvec3()).as_vec3()),
        );
        let truth: Vec<bool> = points
            .iter()
            .map(|p| winding.encloses(pose.unapply(p.as_dvec3())))
            .collect();
        let quick = context
            .contains((id, pose), &points, pixels(side), false)
            .unwrap();
        let mut near = 0;
        for (i, answer) in quick.iter().enumerate() {
            assert!(
                answer.near || answer.inside == truth[i],
                "point {i} at {} of {side}",
                points[i]
            );
            near += usize::from(answer.near);
        }
        assert!(near < quick.len() / 2, "{near} of {} are near", quick.len());
        let exact = context
            .contains((id, pose), &points, pixels(side), true)
            .unwrap();
        for (i, answer) in exact.iter().enumerate() {
            assert!(
                !answer.near && answer.inside == truth[i],
                "point {i} at {}",
                points[i]
            );
        }
        assert_eq!(
            quick,
            context
                .contains((id, pose), &points, pixels(side), false)
                .unwrap()
        );
        context.destroy_mesh(id).unwrap();
    }
}

#[test]
fn no_point_farther_than_a_cell_is_on_the_wrong_side() {
    let checked = Checked::open();
    let context = &checked.context;
    let (radius, side) = (1.0, 32);
    let ball = shapes::sphere(radius, 200, 120);
    let id = context.create_mesh(input(&ball)).unwrap();
    let points = scattered(20_000, Vec3::ZERO, 1.2);
    let answers = context
        .contains((id, Pose::default()), &points, pixels(side), false)
        .unwrap();
    let cell = 2.0 * radius / f64::from(side);
    for (p, answer) in points.iter().zip(&answers) {
        let distance = p.as_dvec3().length() - radius;
        assert!(
            distance.abs() < cell || answer.inside == (distance < 0.0),
            "{p} {distance}"
        );
    }
    assert!(
        context
            .contains((id, Pose::default()), &[], pixels(side), true)
            .unwrap()
            .is_empty()
    );
    let error = context.contains((id, Pose::default()), &[Vec3::NAN], pixels(side), false);
    assert!(error.unwrap_err().to_string().contains("point 0"));
    context.destroy_mesh(id).unwrap();
}

fn layers_of(
    checked: &Checked,
    shape: &Shape,
    pose: Pose,
    stretches: Stretches,
    side: u32,
    room: u32,
) -> Result<Layers, Error> {
    let context = &checked.context;
    let id = context.create_mesh(input(shape)).unwrap();
    let batch = context.create_batch().unwrap();
    let ticket = batch.add(LayersQuery::plan(
        batch.resources(),
        (context.mesh(id).unwrap(), pose),
        stretches,
        pixels(side),
        room,
    )?)?;
    // SAFETY: no semaphores; the batch is waited for.
    unsafe { batch.submit(&[], &[]) }.unwrap();
    batch.wait(u64::MAX).unwrap();
    context.destroy_mesh(id).unwrap();
    batch.answer(ticket)
}

#[test]
fn layers_start_and_end_on_their_triangles_and_fill_the_volume() {
    let checked = Checked::open();
    let torus = shapes::torus(2.0, 0.7, 40, 20);
    let pose = Pose {
        position: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_rotation_x(0.3),
        ..Pose::default()
    };
    let image = layers_of(&checked, &torus, pose, Stretches::Inside, 64, 1 << 16).unwrap();
    let mut volume = 0.0;
    for layer in &image.layers {
        for (end, triangle) in layer.ends.iter().zip(layer.triangles) {
            let corners = torus.triangles[triangle as usize]
                .map(|v| pose.apply(torus.positions[v as usize].as_dvec3()));
            let normal = (corners[1] - corners[0])
                .cross(corners[2] - corners[0])
                .normalize();
            assert!((*end - corners[0]).dot(normal).abs() < 1e-4, "{layer:?}");
        }
        assert_eq!(layer.winding, 1);
        volume += layer.ends[0].distance(layer.ends[1]) * image.spacing[0] * image.spacing[1];
    }
    let truth = 2.0 * std::f64::consts::PI.powi(2) * 2.0 * 0.49;
    assert!((volume / truth - 1.0).abs() < 0.03, "{volume} {truth}");
    let in_order = |w: &[proxel::query::layers::Layer]| {
        let key = |l: &proxel::query::layers::Layer| (l.pixel[1], l.pixel[0]);
        key(&w[0]) <= key(&w[1])
    };
    assert!(image.layers.windows(2).all(in_order));
    match layers_of(&checked, &torus, pose, Stretches::Inside, 64, 10) {
        Err(Error::BufferTooSmall {
            given: 10, needed, ..
        }) => assert_eq!(needed, image.layers.len() as u64),
        other => panic!("{other:?}"),
    }
}

/// A shape that is `length` long in x, bent to an arc of `turn` radians; beyond a full turn its ends run into each other.
fn bent(shape: Shape, length: f32, turn: f32) -> Shape {
    let core = length / turn;
    shape.map(move |p| {
        let angle = p.x / core;
        Vec3::new((core + p.z) * angle.sin(), p.y, (core + p.z) * angle.cos())
    })
}

fn distance_to([from, to]: [DVec3; 2], p: DVec3) -> f64 {
    let t = (p - from).dot(to - from) / (to - from).length_squared();
    p.distance(from + t.clamp(0.0, 1.0) * (to - from))
}

#[test]
fn every_place_where_a_mesh_meets_itself_is_near_a_fold() {
    let checked = Checked::open();
    let context = &checked.context;
    let side = 96;
    let finger = shapes::capsule(0.5, 4.0, 16, 12).map(|p| Vec3::new(p.z, p.x, p.y));
    for shape in [
        bent(shapes::torus(2.0, 0.5, 40, 14), 5.0, 6.8),
        bent(finger, 9.0, 7.0),
        bent(shapes::cuboid(Vec3::new(3.0, 1.0, 0.1), 24), 6.0, 6.9),
    ] {
        let folds = layers_of(
            &checked,
            &shape,
            Pose::default(),
            Stretches::SelfOverlaps,
            side,
            1 << 16,
        )
        .unwrap();
        assert!(!folds.layers.is_empty());
        let id = context.create_mesh(input(&shape)).unwrap();
        let pairs = context.self_pairs(id, 1 << 20).unwrap();
        context.destroy_mesh(id).unwrap();
        assert!(!pairs.is_empty());
        let cell = folds.spacing[0].max(folds.spacing[1]);
        for [a, b] in pairs {
            let middle = |t: u32| {
                shape.triangles[t as usize].map(|v| shape.positions[v as usize].as_dvec3())
            };
            let (p, q) = (middle(a), middle(b));
            let centre = (p.iter().sum::<DVec3>() + q.iter().sum::<DVec3>()) / 6.0;
            let size = p
                .iter()
                .chain(&q)
                .map(|c| c.distance(centre))
                .fold(0.0, f64::max);
            let nearest = folds
                .layers
                .iter()
                .map(|layer| distance_to(layer.ends, centre))
                .fold(f64::INFINITY, f64::min);
            assert!(
                nearest < size + 4.0 * cell,
                "triangles {a} and {b} meet {nearest} from any fold; cells are {cell}"
            );
        }
        assert!(folds.layers.iter().all(|l| l.winding > 1 || l.winding < 0));
    }
    let inverted = shapes::sphere(1.0, 20, 12).flipped();
    let folds = layers_of(
        &checked,
        &inverted,
        Pose::default(),
        Stretches::SelfOverlaps,
        side,
        1 << 16,
    )
    .unwrap();
    assert!(folds.layers.len() > 1000 && folds.layers.iter().all(|l| l.winding == -1));
}

#[test]
fn simple_meshes_have_no_folds() {
    let checked = Checked::open();
    for i in 0..100u32 {
        let t = i as f32;
        let wave = |p: Vec3| {
            p + 0.05
                * Vec3::new(
                    (2.0 * p.y + t).sin(),
                    (3.0 * p.z).cos(),
                    (2.0 * p.x - t).sin(),
                )
        };
        let shape = match i % 5 {
            0 => shapes::sphere(1.0 + 0.01 * f64::from(i), 5 + i, 4 + i / 2),
            1 => shapes::torus(2.0, 0.3 + 0.01 * f64::from(i), 10 + i, 20),
            2 => shapes::knot(0.3, 60 + i, 10),
            3 => shapes::cuboid(Vec3::new(1.0, 0.1 + 0.02 * t, 2.0), 1 + i / 10),
            _ => shapes::capsule(0.5, 1.0, 8 + i / 4, 6),
        };
        let pose = Pose {
            rotation: Quat::from_rotation_z(0.37 * t) * Quat::from_rotation_x(0.21 * t),
            ..Pose::default()
        };
        let shape = if i % 2 == 0 { shape } else { shape.map(wave) };
        let folds = layers_of(
            &checked,
            &shape,
            pose,
            Stretches::SelfOverlaps,
            24 + i % 41,
            1 << 12,
        )
        .unwrap();
        assert_eq!((folds.layers.len(), folds.flawed), (0, 0), "mesh {i}");
    }
}
