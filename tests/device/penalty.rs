//! Penalty forces against integrals that can be written down.

use crate::support::ask::AskNow;
use crate::support::contact::{shape_field, sphere_field};
use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::field::data::Storage;
use proxel::field::shape::Shape as FieldShape;
use proxel::query::penalty::{Penalty, PenaltyOptions};
use proxel::scene::pose::Pose;
use std::f64::consts::PI;

fn plane(context: &Context) -> u64 {
    let half_domain = DVec3::splat(2.0);
    shape_field(
        context,
        FieldShape::Plane { half_domain },
        Storage::Direction,
        16,
    )
}

fn at(position: Vec3) -> Pose {
    Pose {
        position,
        ..Pose::default()
    }
}

fn ask(
    context: &Context,
    field: (u64, Pose),
    mesh: (u64, Pose),
    options: PenaltyOptions,
) -> Penalty {
    let meeting = context.meeting(field, mesh).unwrap();
    context.penalty(meeting, options).unwrap()
}

/// The integral of the depth below y = 0 over the triangles of a mesh, and their area there: exact, because what lies below is a
/// polygon over which the depth is linear.
fn below_plane(shape: &Shape, pose: &Pose) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for triangle in &shape.triangles {
        let corners = triangle.map(|v| pose.apply(shape.positions[v as usize].as_dvec3()));
        let mut inside = Vec::new();
        for i in 0..3 {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            if a.y < 0.0 {
                inside.push(a);
            }
            if (a.y < 0.0) != (b.y < 0.0) {
                inside.push(a + (b - a) * (a.y / (a.y - b.y)));
            }
        }
        for i in 2..inside.len() {
            let fan = [inside[0], inside[i - 1], inside[i]];
            let area = 0.5 * (fan[1] - fan[0]).cross(fan[2] - fan[0]).length();
            let middle = (fan[0] + fan[1] + fan[2]) / 3.0;
            sums.0 += area * -middle.y;
            sums.1 += area;
        }
    }
    sums
}

fn assert_near(found: f64, truth: f64, within: f64, what: &str) {
    assert!(
        (found - truth).abs() <= within,
        "{what}: {found} instead of {truth}, off by {} of {within}",
        (found - truth).abs()
    );
}

#[test]
fn a_spherical_cap_pressed_into_a_plane() {
    let checked = Checked::open();
    let context = &checked.context;
    let (radius, height) = (1.0, 0.3);
    let sphere = shapes::sphere(radius, 240, 160);
    let mesh = context.create_mesh(input(&sphere)).unwrap();
    let place = Vec3::new(0.4, (radius - height) as f32, -0.3);
    let options = PenaltyOptions {
        stiffness: 50.0,
        resolution: 1024,
        field_centre: Vec3::new(0.0, -1.0, 0.0),
        ..PenaltyOptions::default()
    };
    let found = ask(
        context,
        (plane(context), Pose::default()),
        (mesh, at(place)),
        options,
    );
    // The cap's area is 2 pi r h, its depth integral pi r h^2; the force on the plane's body is downwards.
    let force = 50.0 * PI * radius * height * height;
    assert_near(found.force_sum.y, -force, 2e-3 * force, "force");
    assert!(found.force_sum.x.abs() < 1e-3 * force && found.force_sum.z.abs() < 1e-3 * force);
    let area = 2.0 * PI * radius * height;
    assert_near(found.area, area, 5e-3 * area, "area");
    assert_near(found.depth.into(), height, 2e-3, "depth");
    // The force acts on the axis of the cap, on the plane: (0.4, 1, -0.3) from the centre.
    let torque = DVec3::new(0.4, 1.0, -0.3).cross(DVec3::new(0.0, -force, 0.0));
    assert!(
        found.torque_sum.distance(torque) < 3e-3 * force,
        "{} instead of {torque}",
        found.torque_sum
    );
    assert!(found.centroid.distance(DVec3::new(0.4, 0.0, -0.3)) < 2e-3);
    assert!(found.samples > 10_000);
}

#[test]
fn sums_converge_to_the_integral_with_the_resolution() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = plane(context);
    let shape = shapes::torus(0.7, 0.3, 9, 7);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let pose = Pose {
        position: Vec3::new(0.1, 0.2, 0.0),
        rotation: Quat::from_rotation_x(0.8),
        ..Pose::default()
    };
    let (depth_sum, area) = below_plane(&shape, &pose);
    for resolution in [16, 64, 256, 1024] {
        let options = PenaltyOptions {
            resolution,
            ..PenaltyOptions::default()
        };
        let found = ask(context, (field, Pose::default()), (mesh, pose), options);
        let spacing = 4.8 / f64::from(resolution);
        // Only cells that the plane cuts are wrong, and less than a spacing deep: second order in the spacing.
        assert_near(
            found.depth_sum,
            depth_sum,
            0.5 * spacing * spacing + 1e-5,
            "depth sum",
        );
        assert_near(
            found.force_sum.y,
            -depth_sum,
            0.5 * spacing * spacing + 1e-5,
            "force",
        );
        assert_near(found.area, area, 2.0 * spacing, "area");
        assert!(
            (found.depth_sum - depth_sum).abs() <= found.depth_sum_error,
            "{depth_sum} is not within {found:?}"
        );
        assert!(
            found.area_bounds[0] <= area + 1e-5 && area <= found.area_bounds[1] + 1e-5,
            "{area} {found:?}"
        );
    }
}

#[test]
fn a_sphere_cut_by_a_plate() {
    let checked = Checked::open();
    let context = &checked.context;
    let (radius, height, stiffness) = (1.0f64, 0.4f64, 7.0);
    // A plate of two triangles far larger than the sphere, at y = 0.4.
    let plate = Shape {
        positions: vec![
            Vec3::new(-3.0, 0.0, -3.0),
            Vec3::new(3.0, 0.0, -3.0),
            Vec3::new(3.0, 0.0, 3.0),
            Vec3::new(-3.0, 0.0, 3.0),
        ],
        triangles: vec![[0, 2, 1], [0, 3, 2]],
    };
    let mesh = context.create_mesh(input(&plate)).unwrap();
    // The integral of k (R - rho) h / rho over the disc inside.
    let force = PI * stiffness * height * (radius - height).powi(2);
    let area = PI * (radius * radius - height * height);
    for storage in [Storage::Direction, Storage::Distance] {
        let field = sphere_field(context, radius, storage, 64);
        let options = PenaltyOptions {
            stiffness: stiffness as f32,
            resolution: 256,
            ..PenaltyOptions::default()
        };
        let found = ask(
            context,
            (field, Pose::default()),
            (mesh, at(Vec3::Y * height as f32)),
            options,
        );
        assert_near(found.force_sum.y, -force, 0.02 * force, "force");
        assert_near(found.area, area, 0.01 * area, "area");
        assert_near(found.depth.into(), radius - height, 0.01, "depth");
        assert!(found.torque_sum.length() < 0.01 * force, "{found:?}");
        assert!(!found.coarsened);
        // Two triangles with 16,384 samples along a side are more than lanes may take, and the answer says so.
        let finest = PenaltyOptions {
            stiffness: stiffness as f32,
            resolution: 16_384,
            ..PenaltyOptions::default()
        };
        let pose = at(Vec3::Y * height as f32);
        let found = ask(context, (field, Pose::default()), (mesh, pose), finest);
        assert!(found.coarsened);
        assert_near(found.area, area, 0.01 * area, "area");
        let [lower, upper] = found.area_bounds;
        assert!(lower <= area && area <= upper, "{area} {found:?}");
    }
}
