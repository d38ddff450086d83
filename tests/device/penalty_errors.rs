//! What the force and torque of springs can be off by, against integrals that are exact: within a convex body the nearest point lies on the nearest face, so
//! the force is linear in pieces.

use crate::support::ask::AskNow;
use crate::support::contact::{at, request, shape_field, turned};
use crate::support::{Checked, input, times};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::error::Error;
use proxel::field::data::Storage;
use proxel::field::shape::Shape as FieldShape;
use proxel::geometry::random::Random;
use proxel::query::penalty::{Penalty, PenaltyOptions};
use proxel::query::proximity::SamplingPath;
use proxel::scene::pose::Pose;

const STIFFNESS: f64 = 20.0;

fn asked(resolution: u32) -> PenaltyOptions {
    PenaltyOptions {
        stiffness: STIFFNESS as f32,
        resolution,
        field_centre: Vec3::new(0.4, -0.7, 0.3),
        mesh_centre: Vec3::new(0.1, 0.2, -0.3),
        bounded: true,
        ..PenaltyOptions::default()
    }
}

fn ask(context: &Context, field: u64, mesh: (u64, Pose), options: &PenaltyOptions) -> Penalty {
    let meeting = context.meeting((field, Pose::default()), mesh).unwrap();
    context.penalty(meeting, options.clone()).unwrap()
}

/// A face of a convex body: its outward normal, and how far it is from the origin.
type Face = (DVec3, f64);

fn box_faces(half_size: DVec3) -> Vec<Face> {
    let axes = DVec3::AXES.into_iter().zip(half_size.to_array());
    axes.flat_map(|(axis, size)| [(axis, size), (-axis, size)])
        .collect()
}

/// The part of a polygon where a linear function is not negative.
fn clipped(polygon: &[DVec3], value: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let mut kept = Vec::new();
    for i in 0..polygon.len() {
        let (a, b) = (polygon[i], polygon[(i + 1) % polygon.len()]);
        let (va, vb) = (value(a), value(b));
        if va >= 0.0 {
            kept.push(a);
        }
        if (va >= 0.0) != (vb >= 0.0) {
            kept.push(a + (b - a) * (va / (va - vb)));
        }
    }
    kept
}

/// The exact force and torques: on the body, about the two centres of [`asked`].
struct Truth {
    force: DVec3,
    torque: DVec3,
    mesh_torque: DVec3,
}

fn truth(shape: &Shape, pose: &Pose, faces: &[Face], options: &PenaltyOptions) -> Truth {
    let centre = options.field_centre.as_dvec3();
    let mesh_centre = pose.apply(options.mesh_centre.as_dvec3());
    let mut truth = Truth {
        force: DVec3::ZERO,
        torque: DVec3::ZERO,
        mesh_torque: DVec3::ZERO,
    };
    for triangle in &shape.triangles {
        let corners = triangle.map(|v| pose.apply(shape.positions[v as usize].as_dvec3()));
        for (i, (normal, offset)) in faces.iter().enumerate() {
            let depth = |p: DVec3| offset - normal.dot(p);
            let mut part = clipped(&corners, depth);
            for (j, (other, far)) in faces.iter().enumerate() {
                if i != j {
                    part = clipped(&part, |p| far - other.dot(p) - depth(p));
                }
            }
            for fan in 2..part.len() {
                let [a, b, c] = [part[0], part[fan - 1], part[fan]];
                let area = 0.5 * (b - a).cross(c - a).length();
                // The middles of the sides integrate squares exactly.
                for middle in [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)] {
                    let force = -STIFFNESS * area / 3.0 * depth(middle) * *normal;
                    truth.force += force;
                    truth.torque += (middle - centre).cross(force);
                    truth.mesh_torque -= (middle - mesh_centre).cross(force);
                }
            }
        }
    }
    truth
}

/// How far the answer is off, as parts of what it says that it may be.
fn assert_bounded(found: &Penalty, truth: &Truth, label: &str) -> f64 {
    let off = [
        (found.force_sum.distance(truth.force), found.force_error),
        (found.torque_sum.distance(truth.torque), found.torque_error),
        (
            found.mesh_torque_sum.distance(truth.mesh_torque),
            found.mesh_torque_error,
        ),
    ];
    for (off, error) in off {
        assert!(off <= error, "{label}: off by {off} of {error}, {found:?}");
    }
    found.force_error / truth.force.length()
}

#[test]
fn forces_on_bodies_with_flat_faces_are_within_their_errors() {
    let checked = Checked::open();
    let context = &checked.context;
    let half_size = DVec3::new(1.0, 0.8, 0.6);
    let half_domain = DVec3::splat(2.0);
    let plane = || vec![(DVec3::Y, 0.0)];
    let (flat, cuboid) = (
        FieldShape::Plane { half_domain },
        FieldShape::Box { half_size },
    );
    let sparse = {
        let body = context
            .create_mesh(input(&shapes::cuboid(half_size.as_vec3(), 4)))
            .unwrap();
        let field = context
            .bake_field(body, request(Storage::Sparse, 48))
            .unwrap();
        context.wait_field(field, u64::MAX).unwrap();
        field
    };
    // The corners of the baked box are floats.
    let rounded = half_size.as_vec3().as_dvec3();
    let bodies = [
        (shape_field(context, flat, Storage::Direction, 48), plane()),
        (shape_field(context, flat, Storage::Distance, 48), plane()),
        (
            shape_field(context, cuboid, Storage::Direction, 48),
            box_faces(half_size),
        ),
        (
            shape_field(context, cuboid, Storage::Distance, 48),
            box_faces(half_size),
        ),
        (sparse, box_faces(rounded)),
    ];
    let meshes = [
        shapes::torus(0.5, 0.2, 18, 9),
        shapes::cuboid(Vec3::new(0.5, 0.1, 0.3), 1),
    ];
    let mut random = Random::new(31);
    for (i, (field, faces)) in bodies.into_iter().enumerate() {
        for shape in &meshes {
            let mesh = context.create_mesh(input(shape)).unwrap();
            for case in 0..3 * times() {
                // From at the surface to deep inside, where the closest point jumps.
                let depth = 0.3 * (case % 3) as f32;
                let place = 0.4 * random.in_cube_f32() - Vec3::Y * depth;
                let pose = at(place, turned(&mut random));
                let options = asked(64);
                let truth = truth(shape, &pose, &faces, &options);
                let found = ask(context, field, (mesh, pose), &options);
                assert_bounded(&found, &truth, &format!("body {i}, {case}"));
            }
        }
    }
}

#[test]
fn errors_fall_with_the_spacing_where_distances_are_exact() {
    let checked = Checked::open();
    let context = &checked.context;
    let half_domain = DVec3::splat(2.0);
    let body = FieldShape::Plane { half_domain };
    let field = shape_field(context, body, Storage::Distance, 64);
    let shape = shapes::torus(0.7, 0.3, 24, 12);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    for depth in [0.0, 1.1] {
        let pose = at(Vec3::new(0.1, -depth, 0.2), Quat::from_rotation_x(0.8));
        let parts = [16, 64].map(|resolution| {
            let options = asked(resolution);
            let truth = truth(&shape, &pose, &[(DVec3::Y, 0.0)], &options);
            let found = ask(context, field, (mesh, pose), &options);
            assert_bounded(&found, &truth, &format!("{depth} at {resolution}"))
        });
        // In proportion to the spacing, until what the field is off by is left.
        assert!(parts[1] < 0.5 * parts[0], "{depth}: {parts:?}");
        // Deep inside it is a small part of the force.
        assert!(depth == 0.0 || parts[1] < 0.2, "{parts:?}");
    }
}

#[test]
fn errors_of_a_ball_hold_where_the_closest_point_turns() {
    let checked = Checked::open();
    let context = &checked.context;
    let plate = shapes::cuboid(Vec3::new(2.0, 2.0, 0.01), 8);
    let mesh = context.create_mesh(input(&plate)).unwrap();
    for storage in [Storage::Direction, Storage::Distance] {
        let field = shape_field(context, FieldShape::Sphere { radius: 1.0 }, storage, 48);
        for height in [0.0, 0.3, 0.8] {
            let options = asked(64);
            let turn = Quat::from_rotation_x(0.4);
            let pose = at(turn * Vec3::Z * height, turn);
            let found = ask(context, field, (mesh, pose), &options);
            // Of the disc at a height h of a ball of radius 1, the integral of (1 - s) h / s, with s ds = r dr.
            let normal = (turn * Vec3::Z).as_dvec3();
            let disc = |h: f64| std::f64::consts::PI * h * (1.0 - h.abs()).powi(2);
            // The sides of the plate, as they are rounded.
            let half = f64::from(0.01_f32);
            let sides = [f64::from(height) + half, f64::from(height) - half];
            let force = -STIFFNESS * (disc(sides[0]) + disc(sides[1])) * normal;
            let arm = -options.field_centre.as_dvec3();
            let mesh_arm = -pose.apply(options.mesh_centre.as_dvec3());
            let truth = Truth {
                force,
                torque: arm.cross(force),
                mesh_torque: -mesh_arm.cross(force),
            };
            // Turned by rounded numbers, the plate is off by 1e-7.
            assert_bounded(&found, &truth, &format!("{storage:?} {height}"));
        }
    }
}

#[test]
fn only_springs_have_errors_and_only_on_request() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = shape_field(
        context,
        FieldShape::Sphere { radius: 1.0 },
        Storage::Distance,
        32,
    );
    let shape = shapes::sphere(0.5, 24, 12);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let near = (mesh, at(Vec3::X * 0.8, Quat::IDENTITY));
    let plain = PenaltyOptions {
        bounded: false,
        ..asked(64)
    };
    let found = ask(context, field, near, &plain);
    assert!(found.samples > 0);
    assert_eq!(found.force_error, f64::INFINITY);
    assert_eq!(found.torque_error, f64::INFINITY);
    assert_eq!(found.mesh_torque_error, f64::INFINITY);
    // What is certainly apart has no force.
    let far = (mesh, at(Vec3::X * 5.0, Quat::IDENTITY));
    let found = ask(context, field, far, &asked(64));
    assert_eq!((found.force_sum, found.force_error), (DVec3::ZERO, 0.0));
    assert_eq!((found.torque_error, found.mesh_torque_error), (0.0, 0.0));
    let refused = |options: PenaltyOptions| {
        let meeting = context.meeting((field, Pose::default()), near).unwrap();
        context.penalty(meeting, options).unwrap_err()
    };
    for (damping, friction) in [(1.0, 0.0), (0.0, 0.5)] {
        let options = PenaltyOptions {
            damping,
            friction,
            ..asked(64)
        };
        assert!(matches!(refused(options), Error::InvalidArgument(_)));
    }
    let drawn = PenaltyOptions {
        path: SamplingPath::Binned,
        ..asked(64)
    };
    assert!(matches!(refused(drawn), Error::Unsupported(_)));
}
