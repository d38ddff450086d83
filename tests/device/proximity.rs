//! Proximity against what can be known otherwise: closed forms and exact distances to every triangle.

use crate::support::ask::AskNow;
use crate::support::contact::{at, sphere_field, to_point};
use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::field::data::Storage;
use proxel::query::proximity::{Proximity, ProximityOptions};
use proxel::scene::pose::Pose;

fn assert_consistent(answer: &Proximity, shape: &Shape, pose: &Pose) {
    let corners = shape.triangles[answer.triangle as usize]
        .map(|v| pose.apply(shape.positions[v as usize].as_dvec3()));
    let weights = answer.barycentric.as_dvec3();
    let point = corners[0] * weights.x + corners[1] * weights.y + corners[2] * weights.z;
    assert!(
        weights.min_element() >= -1e-6 && (weights.element_sum() - 1.0).abs() < 1e-5,
        "{answer:?}"
    );
    assert!(
        point.distance(answer.point_mesh) < 1e-5,
        "{point} is not the point of {answer:?}"
    );
    assert!(answer.lower <= answer.upper, "{answer:?}");
}

#[test]
fn a_sphere_field_against_spheres_plates_boxes_and_tori() {
    for checked in Checked::spreads() {
        let context = &checked.context;
        let (radius, cells) = (1.0, 48);
        let meshes = [
            shapes::sphere(0.5, 30, 20),
            shapes::cuboid(Vec3::new(2.0, 0.01, 2.0), 1),
            shapes::cuboid(Vec3::splat(0.4), 3),
            shapes::torus(0.6, 0.2, 30, 16),
        ];
        let field_pose = at(Vec3::new(3.0, -1.0, 0.5), Quat::from_rotation_y(0.7));
        for storage in [Storage::Direction, Storage::Distance] {
            let field = sphere_field(context, radius, storage, cells);
            let cell = 2.4 / f64::from(cells);
            for shape in &meshes {
                let mesh = context.create_mesh(input(shape)).unwrap();
                // Apart, touching or nearly, penetrating, and inside.
                for (distance, turn) in [
                    (2.5, 0.3),
                    (1.6, 1.0),
                    (1.45, 0.0),
                    (1.1, 2.0),
                    (0.5, 0.1),
                    (0.05, 0.6),
                    (0.0, 0.0),
                ] {
                    let away = Vec3::new(0.6, 0.64, -0.48) * distance;
                    let pose = at(
                        field_pose.position + away,
                        Quat::from_rotation_x(turn) * Quat::from_rotation_z(turn),
                    );
                    let meeting = context.meeting((field, field_pose), (mesh, pose)).unwrap();
                    let answer = context
                        .proximity(meeting, ProximityOptions::default())
                        .unwrap();
                    let centre = field_pose.position.as_dvec3();
                    let truth = to_point(shape, &pose, centre) - radius;
                    let label = format!("{storage:?}, {distance} away: {answer:?}");
                    assert!(
                        f64::from(answer.lower) <= truth && truth <= f64::from(answer.upper),
                        "{truth} is outside: {label}"
                    );
                    assert_consistent(&answer, shape, &pose);
                    if !answer.in_domain {
                        continue;
                    }
                    assert!(
                        (f64::from(answer.distance) - truth).abs() < cell,
                        "{truth} instead of {label}"
                    );
                    // The point on the sphere and the way to it, away from the centre, where every way is one.
                    let out = answer.point_mesh - centre;
                    if out.length() > 4.0 * cell {
                        let side = if out.length() < radius { 1.0 } else { -1.0 };
                        let towards = out.normalize() * side;
                        assert!(towards.dot(answer.direction) > 0.99, "{towards} {label}");
                        let on = answer.point_field.distance(centre);
                        assert!((on - radius).abs() < 0.5 * cell, "{on} {label}");
                    }
                }
            }
        }
    }
}

#[test]
fn slivers_and_specks_are_not_missed() {
    for checked in Checked::spreads() {
        let context = &checked.context;
        let field = sphere_field(context, 1.0, Storage::Distance, 48);
        // A needle whose tip is inside, a speck far smaller than a cell that is inside, and a far triangle to hide them behind.
        let far = [
            Vec3::new(1.1, 1.1, 1.1),
            Vec3::new(1.15, 1.1, 1.1),
            Vec3::new(1.1, 1.15, 1.1),
        ];
        let needle = [
            Vec3::new(0.2, 0.0, 0.0),
            Vec3::new(1.19, 1e-6, 0.0),
            Vec3::new(1.19, 0.0, 1e-6),
        ];
        let speck = [
            Vec3::new(0.0, 0.3, 0.0),
            Vec3::new(1e-6, 0.3, 0.0),
            Vec3::new(0.0, 0.3, 1e-6),
        ];
        for (special, deepest) in [(needle, -0.8), (speck, -0.7)] {
            let shape = Shape {
                positions: far.into_iter().chain(special).collect(),
                triangles: vec![[0, 1, 2], [3, 4, 5]],
            };
            let mesh = context.create_mesh(input(&shape)).unwrap();
            let pose = Pose::default();
            let meeting = context.meeting((field, pose), (mesh, pose)).unwrap();
            let answer = context
                .proximity(meeting, ProximityOptions::default())
                .unwrap();
            assert_eq!(answer.triangle, 1, "{answer:?}");
            assert!(
                (f64::from(answer.distance) - deepest).abs() < 0.03,
                "{answer:?}"
            );
            assert!(
                answer.lower <= deepest as f32 && deepest as f32 <= answer.upper,
                "{answer:?}"
            );
        }
    }
}

#[test]
fn far_outside_the_domain_only_the_bounds_speak() {
    for checked in Checked::spreads() {
        let context = &checked.context;
        let field = sphere_field(context, 1.0, Storage::Direction, 32);
        let shape = shapes::sphere(0.5, 20, 12);
        let mesh = context.create_mesh(input(&shape)).unwrap();
        for distance in [2.0, 5.0, 100.0, 1e4] {
            let pose = at(Vec3::new(0.0, distance, 0.0), Quat::IDENTITY);
            let meeting = context
                .meeting((field, Pose::default()), (mesh, pose))
                .unwrap();
            let answer = context
                .proximity(meeting, ProximityOptions::default())
                .unwrap();
            let truth = to_point(&shape, &pose, DVec3::ZERO) - 1.0;
            assert!(!answer.in_domain, "{answer:?}");
            assert!(
                f64::from(answer.lower) <= truth && truth <= f64::from(answer.upper),
                "{truth} {answer:?}"
            );
            // Seen from afar the bounds are narrow: the domain is not much larger than the sphere.
            assert!(answer.upper - answer.lower < 2.0, "{answer:?}");
        }
    }
}

#[test]
fn a_budget_of_one_piece_gives_wider_bounds_that_still_hold() {
    for checked in Checked::spreads() {
        let context = &checked.context;
        let field = sphere_field(context, 1.0, Storage::Distance, 48);
        let shape = shapes::cuboid(Vec3::new(0.8, 0.1, 0.8), 1);
        let mesh = context.create_mesh(input(&shape)).unwrap();
        let pose = at(Vec3::new(0.1, 1.05, 0.0), Quat::from_rotation_z(0.1));
        let truth = to_point(&shape, &pose, DVec3::ZERO) - 1.0;
        let mut widths = Vec::new();
        for budget in [1, 8, 256, 8192] {
            let meeting = context
                .meeting((field, Pose::default()), (mesh, pose))
                .unwrap();
            let options = ProximityOptions {
                budget,
                ..ProximityOptions::default()
            };
            let answer = context.proximity(meeting, options).unwrap();
            assert!(
                f64::from(answer.lower) <= truth && truth <= f64::from(answer.upper),
                "{truth} {answer:?}"
            );
            widths.push(answer.upper - answer.lower);
        }
        assert!(widths.is_sorted_by(|a, b| a >= b), "{widths:?}");
        assert!(widths[0] > 3.0 * widths[3], "{widths:?}");
    }
}

#[test]
fn every_corner_can_be_the_nearest() {
    for checked in Checked::spreads() {
        let context = &checked.context;
        let field = sphere_field(context, 1.0, Storage::Direction, 48);
        let shape = shapes::cuboid(Vec3::splat(0.3), 1);
        let mesh = context.create_mesh(input(&shape)).unwrap();
        for corner in &shape.positions {
            // The corner points at the sphere, which is 0.02 away from it.
            let out = corner.normalize();
            let rotation = Quat::from_rotation_arc(out, Vec3::NEG_X);
            let pose = at(Vec3::X * (1.02 + corner.length()), rotation);
            let meeting = context
                .meeting((field, Pose::default()), (mesh, pose))
                .unwrap();
            let answer = context
                .proximity(meeting, ProximityOptions::default())
                .unwrap();
            assert_consistent(&answer, &shape, &pose);
            let there = DVec3::new(1.02, 0.0, 0.0);
            assert!(
                answer.point_mesh.distance(there) < 1e-5,
                "{corner}: {answer:?}"
            );
        }
    }
}
