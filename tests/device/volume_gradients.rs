//! How a shared volume changes with every vertex: against integrals over clipped triangles, and against the rigid gradient.

use crate::support::ask::AskNow;
use crate::support::{Checked, input, on_host};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::query::gradients::Gradients;
use proxel::query::ldi::{Generator, LdiOptions, RayResolution};
use proxel::scene::pose::Pose;

fn options(side: u32) -> LdiOptions {
    LdiOptions {
        resolution: RayResolution::Pixels(side),
        ..LdiOptions::default()
    }
}

/// For each vertex, the integral of the normal times the vertex's barycentric weight over the part of the surface with x above
/// zero: each triangle is clipped, and a linear function over a triangle has its mean at the middle.
fn above_zero(shape: &Shape, pose: &Pose) -> Vec<DVec3> {
    let mut gradients = vec![DVec3::ZERO; shape.positions.len()];
    for triangle in &shape.triangles {
        let corners = triangle.map(|v| pose.apply(shape.positions[v as usize].as_dvec3()));
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let weights = [DVec3::X, DVec3::Y, DVec3::Z];
        let mut kept: Vec<(DVec3, DVec3)> = Vec::new();
        for i in 0..3 {
            let ((p, w), (q, v)) = (
                (corners[i], weights[i]),
                (corners[(i + 1) % 3], weights[(i + 1) % 3]),
            );
            if p.x >= 0.0 {
                kept.push((p, w));
            }
            if (p.x >= 0.0) != (q.x >= 0.0) {
                let t = p.x / (p.x - q.x);
                kept.push((p.lerp(q, t), w.lerp(v, t)));
            }
        }
        for i in 2..kept.len() {
            let (a, b, c) = (kept[0], kept[i - 1], kept[i]);
            let area = 0.5 * (b.0 - a.0).cross(c.0 - a.0).length();
            let mean = (a.1 + b.1 + c.1) / 3.0;
            for (corner, vertex) in triangle.iter().enumerate() {
                gradients[*vertex as usize] += normal.normalize() * area * mean[corner];
            }
        }
    }
    gradients
}

fn total(gradients: &[DVec3]) -> DVec3 {
    gradients.iter().sum()
}

fn size(gradients: &[DVec3]) -> f64 {
    gradients.iter().map(|g| g.length()).sum()
}

fn ask(context: &Context, a: (u64, Pose), b: (u64, Pose), side: u32) -> Gradients {
    context.volume_gradients(a, b, options(side)).unwrap()
}

/// A box from x = 0 on that holds all of a body of size 2 or so on that side.
fn half_space(context: &Context) -> (u64, Pose) {
    let shape = shapes::cuboid(Vec3::splat(4.0), 1);
    let pose = Pose {
        position: Vec3::new(4.0, 0.1, -0.2),
        ..Pose::default()
    };
    (context.create_mesh(input(&shape)).unwrap(), pose)
}

#[test]
fn every_vertex_gets_its_part_of_the_clipped_surface() {
    let checked = Checked::open();
    let context = &checked.context;
    let solid = half_space(context);
    for shape in [shapes::torus(0.7, 0.3, 9, 7), shapes::sphere(1.0, 8, 6)] {
        let mesh = context.create_mesh(input(&shape)).unwrap();
        let pose = Pose {
            position: Vec3::new(0.21, 0.05, 0.0),
            rotation: Quat::from_rotation_z(0.4) * Quat::from_rotation_x(0.8),
            ..Pose::default()
        };
        let truth = above_zero(&shape, &pose);
        let mut before = f64::INFINITY;
        for (side, within) in [(32, 0.2), (128, 0.05), (512, 0.0125)] {
            let Gradients([found, _]) = ask(context, (mesh, pose), solid, side);
            let off: Vec<DVec3> = found.iter().zip(&truth).map(|(f, t)| *f - *t).collect();
            let error = size(&off) / size(&truth);
            assert!(error < within, "{error} at {side} rays a side");
            assert!(error < before, "{error} is no less than {before}");
            before = error;
        }
    }
}

#[test]
fn all_vertices_together_move_as_the_body_does() {
    let checked = Checked::open();
    let context = &checked.context;
    let (a, b) = (shapes::torus(0.7, 0.3, 24, 16), shapes::sphere(0.8, 24, 16));
    let [a, b] = [a, b].map(|shape| context.create_mesh(input(&shape)).unwrap());
    let pose = Pose {
        position: Vec3::new(0.5, 0.3, 0.2),
        rotation: Quat::from_rotation_y(0.6),
        ..Pose::default()
    };
    let Gradients([of_a, of_b]) = ask(context, (a, Pose::default()), (b, pose), 256);
    let rigid = context
        .volume((a, Pose::default()), (b, pose), options(256))
        .unwrap();
    let scale = rigid.gradient.length();
    assert!(scale > 0.1, "{rigid:?}");
    assert!(total(&of_a).distance(rigid.gradient) < 0.02 * scale);
    // Moving both leaves the volume as it is.
    assert!((total(&of_a) + total(&of_b)).length() < 0.02 * scale);
}

#[test]
fn apart_nothing_changes_and_the_bits_are_the_same_every_time() {
    let checked = Checked::open();
    let context = &checked.context;
    let solid = half_space(context);
    let shape = shapes::torus(0.7, 0.3, 24, 16);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let away = Pose {
        position: Vec3::new(-3.0, 0.0, 0.0),
        ..Pose::default()
    };
    let Gradients(none) = ask(context, (mesh, away), solid, 64);
    assert!(none.iter().flatten().all(|g| *g == DVec3::ZERO));
    assert_eq!(none[0].len(), shape.positions.len());
    let here = (mesh, Pose::default());
    let first = ask(context, here, solid, 64);
    assert!(size(&first.0[0]) > 0.1);
    for _ in 0..5 {
        assert_eq!(ask(context, here, solid, 64), first);
    }
    // By drawing, which the host refuses.
    if on_host() {
        return;
    }
    let lists = LdiOptions {
        generator: Generator::Lists,
        ..options(64)
    };
    assert_eq!(
        context.volume_gradients(here, solid, lists).unwrap(),
        first,
        "by lists"
    );
}

#[test]
fn too_little_memory_is_told() {
    let checked = Checked::open();
    let context = &checked.context;
    let solid = half_space(context);
    let mesh = context
        .create_mesh(input(&shapes::sphere(1.0, 24, 16)))
        .unwrap();
    let tiny = LdiOptions {
        memory: 1,
        ..options(64)
    };
    assert!(
        context
            .volume_gradients((mesh, Pose::default()), solid, tiny)
            .is_err()
    );
}
