//! How deep points are inside bodies, and their ways out: against formulas, and against all triangles one by one.

use crate::support::{Checked, input, surface};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::geometry::random::Random;
use proxel::geometry::sign::winding::Winding;
use proxel::geometry::triangle::closest::on_triangle;
use proxel::query::exits::PointExit;
use proxel::query::layers::LayersQuery;
use proxel::query::ldi::{LdiOptions, RayResolution};
use proxel::scene::pose::Pose;

fn turned() -> Pose {
    Pose {
        position: Vec3::new(3.0, -2.0, 1.0),
        rotation: Quat::from_rotation_y(0.7) * Quat::from_rotation_x(1.3),
        ..Pose::default()
    }
}

fn exits(checked: &Checked, shape: &Shape, pose: Pose, points: &[Vec3]) -> Vec<PointExit> {
    let context = &checked.context;
    let id = context.create_mesh(input(shape)).unwrap();
    let found = context.exits((id, pose), points).unwrap();
    context.destroy_mesh(id).unwrap();
    assert_eq!(found.len(), points.len());
    found
}

/// Checks an exit against each triangle of the shape; gives whether the point is inside.
fn check(shape: &Shape, pose: Pose, winding: &Winding, point: Vec3, exit: &PointExit) -> bool {
    let local = pose.unapply(point.as_dvec3());
    assert_eq!(exit.inside, winding.encloses(local), "{point}");
    if !exit.inside {
        assert_eq!((exit.depth, exit.triangle), (0.0, None), "{point}");
        assert_eq!(
            (exit.place, exit.direction),
            (point.as_dvec3(), DVec3::ZERO)
        );
        return false;
    }
    let surface = surface(shape);
    let each = (0..shape.triangles.len() as u32)
        .map(|t| on_triangle(local, surface.corners_f64(t)).0.distance(local));
    let least = each.fold(f64::INFINITY, f64::min);
    assert!(
        (exit.depth - least).abs() <= exit.error,
        "{point} {exit:?} {least}"
    );
    assert!(exit.error < 1e-12, "{exit:?}");
    let corners = surface.corners_f64(exit.triangle.unwrap());
    let there = pose.unapply(exit.place);
    assert!(
        on_triangle(there, corners).0.distance(there) < 1e-12,
        "{exit:?}"
    );
    let way = exit.place - point.as_dvec3();
    assert!((way.length() - exit.depth).abs() < 1e-12, "{exit:?}");
    assert!(exit.direction.is_normalized(), "{exit:?}");
    assert!(
        way.distance(exit.depth * exit.direction) < 1e-11,
        "{exit:?}"
    );
    true
}

#[test]
fn every_way_out_is_the_shortest_of_all() {
    let checked = Checked::open();
    let mut random = Random::new(5);
    for shape in [
        shapes::knot(0.5, 80, 12),
        shapes::torus(2.0, 0.7, 40, 20).split(),
        // Inside out.
        shapes::cuboid(Vec3::new(1.0, 2.0, 0.5), 2).flipped(),
        // A ball with a cavity.
        shapes::sphere(2.0, 24, 16).with(&shapes::sphere(1.0, 16, 10).flipped()),
    ] {
        let winding = Winding::build(surface(&shape));
        let about = turned().position;
        let mut points: Vec<Vec3> = (0..1500)
            .map(|_| about + 2.5 * random.in_cube_f32())
            .collect();
        points.extend((shape.positions.iter()).map(|p| about + 0.9 * (turned().rotation * *p)));
        let found = exits(&checked, &shape, turned(), &points);
        let inside = (points.iter().zip(&found))
            .filter(|(point, exit)| check(&shape, turned(), &winding, **point, exit))
            .count();
        assert!(inside > 100 && inside < points.len(), "{inside}");
    }
}

#[test]
fn points_on_the_surface_leave_along_its_normal() {
    let checked = Checked::open();
    // Binary fractions, so that nothing rounds; ties are broken one way, so each face is inside or outside as a whole.
    let box_ = shapes::cuboid(Vec3::new(1.0, 2.0, 0.5), 1);
    let faces = [
        Vec3::X,
        Vec3::NEG_X,
        Vec3::Y * 2.0,
        Vec3::Y * -2.0,
        Vec3::Z * 0.5,
    ];
    let points: Vec<Vec3> = (faces.iter())
        .map(|p| *p + 0.125 * (Vec3::ONE - p.normalize().abs()))
        .collect();
    let found = exits(&checked, &box_, Pose::default(), &points);
    assert!(found.iter().any(|exit| exit.inside));
    for (exit, face) in found.iter().zip(faces).filter(|(exit, _)| exit.inside) {
        assert_eq!(exit.depth, 0.0);
        assert_eq!(exit.direction, face.as_dvec3().normalize());
    }
    // Of bodies that nothing is inside of, and of no points.
    let sheet = Shape {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        triangles: vec![[0, 1, 2]],
    };
    let found = exits(
        &checked,
        &sheet,
        Pose::default(),
        &[Vec3::new(0.2, 0.2, -0.1)],
    );
    assert!(!found[0].inside);
    assert!(exits(&checked, &box_, Pose::default(), &[]).is_empty());
    let id = checked.context.create_mesh(input(&box_)).unwrap();
    let refused = checked.context.exits((id, Pose::default()), &[Vec3::NAN]);
    assert!(refused.unwrap_err().to_string().contains("point 0"));
    checked.context.destroy_mesh(id).unwrap();
}

#[test]
fn ends_of_shared_stretches_have_a_way_out_of_the_other_body() {
    let checked = Checked::open();
    let context = &checked.context;
    let shapes = [
        shapes::torus(1.6, 0.6, 40, 20),
        shapes::cuboid(Vec3::ONE, 3),
    ];
    let poses = [
        turned(),
        Pose {
            position: turned().position + Vec3::X,
            ..Pose::default()
        },
    ];
    let ids = [0, 1].map(|i| context.create_mesh(input(&shapes[i])).unwrap());
    let both = [0, 1].map(|i| (context.mesh(ids[i]).unwrap(), poses[i]));
    let options = LdiOptions {
        resolution: RayResolution::Pixels(24),
        ..LdiOptions::default()
    };
    let query = LayersQuery::shared(context.resources(), both, options, 1 << 12).unwrap();
    let image = context.ask(query).unwrap();
    assert!(image.layers.len() > 100);
    let windings = shapes
        .each_ref()
        .map(|shape| Winding::build(surface(shape)));
    for layer in &image.layers {
        let length = layer.ends[0].distance(layer.ends[1]);
        for (end, mesh) in layer.ends.iter().zip(layer.meshes) {
            let other = 1 - mesh as usize;
            let point = end.as_vec3();
            let found = context.exits((ids[other], poses[other]), &[point]).unwrap();
            let inside = check(
                &shapes[other],
                poses[other],
                &windings[other],
                point,
                &found[0],
            );
            // An end on one body lies inside the other, or where surfaces meet.
            let there = poses[other].unapply(*end);
            let surface = surface(&shapes[other]);
            let nearest = (0..shapes[other].triangles.len() as u32)
                .map(|t| on_triangle(there, surface.corners_f64(t)).0.distance(there))
                .fold(f64::INFINITY, f64::min);
            assert!(inside || nearest < 1e-4, "{layer:?}");
            // The ray is a way out too, to the end that is of the other body: none is shorter than the shortest.
            if inside && layer.meshes[0] != layer.meshes[1] {
                assert!(found[0].depth <= length + 1e-5, "{layer:?} {found:?}");
            }
        }
    }
    for id in ids {
        context.destroy_mesh(id).unwrap();
    }
}
