//! Bodies whose contacts have closed forms. Positions, normals and separations are off by at most 1e-4 of the bodies' size at 128 cells,
//! and by a quarter of that each time the cells are halved: fields have formulas too, so that nothing but the query is measured.

use super::{near, solid};
use crate::support::contact::shape_field;
use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use fixtures::thread::Thread;
use glam::{DVec2, DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::field::data::{FieldData, Storage};
use proxel::field::grid::{Grid, places};
use proxel::field::shape::Shape as FieldShape;
use proxel::query::body::ContactBody;
use proxel::query::contacts::{Contact, ContactOptions, Manifold};
use std::f64::consts::{FRAC_PI_4, TAU};

/// A contact as it must be: the point on body B, the normal from A to B, the separation.
#[derive(Debug, Clone, Copy)]
struct Expected {
    point: DVec3,
    normal: DVec3,
    separation: f64,
}

/// On a floor whose upper side is at height zero.
fn on_floor(x: f64, z: f64, separation: f64) -> Expected {
    Expected {
        point: DVec3::new(x, separation, z),
        normal: DVec3::Y,
        separation,
    }
}

fn farthest_off(c: &Contact, expected: &Expected) -> f64 {
    let position = c.world_b.distance(expected.point);
    let separation = (f64::from(c.separation) - expected.separation).abs();
    position
        .max(separation)
        .max(c.normal.distance(expected.normal))
}

/// There is one contact for each that must be, and no other, within what a field of so many cells may be off.
fn assert_contacts(name: &str, cells: u32, manifold: &Manifold, expected: &[Expected]) {
    let within = 1e-4 * (128.0 / f64::from(cells)).powi(2);
    let found = &manifold.contacts;
    for e in expected {
        let off = found.iter().map(|c| farthest_off(c, e));
        let off = off.fold(f64::INFINITY, f64::min);
        assert!(
            off <= within,
            "{name}, {cells} cells: {off:e} of {e:?} in {found:#?}"
        );
    }
    assert_eq!(
        found.len(),
        expected.len(),
        "{name}, {cells} cells: {found:#?}"
    );
}

const CELLS: [u32; 3] = [32, 64, 128];

/// Fixtures stand about the z axis, shapes with formulas about the y axis.
fn upright(shape: Shape) -> Shape {
    shape.map(|p| Vec3::new(p.x, p.z, -p.y))
}

/// A mesh with the field of the shape that it stands for.
fn body(context: &Context, shape: &Shape, formula: FieldShape, cells: u32) -> ContactBody {
    let mesh = context.create_mesh(input(shape)).unwrap();
    let field = shape_field(context, formula, Storage::Distance, cells);
    ContactBody::new(
        Some(context.mesh(mesh).unwrap()),
        Some(context.field(field).unwrap()),
    )
}

/// Two triangles at height zero, and all below them.
fn floor(context: &Context, cells: u32) -> ContactBody {
    let square = Shape {
        positions: [[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]]
            .map(|[x, z]| Vec3::new(x, 0.0, z))
            .to_vec(),
        triangles: vec![[0, 2, 1], [0, 3, 2]],
    };
    let half_domain = DVec3::new(1.5, 0.75, 1.5);
    body(context, &square, FieldShape::Plane { half_domain }, cells)
}

/// The body at this place, lifted by its gap.
fn placed(mut body: ContactBody, position: DVec3, rotation: Quat) -> ContactBody {
    body.position = position;
    body.rotation = rotation;
    body
}

const GAPS: [f64; 2] = [-0.003, 0.003];
const PLACE: [f64; 2] = [0.031, 0.057];

#[test]
fn a_ball_touches_a_plane_in_one_point_from_either_side() {
    let checked = Checked::open();
    let context = &checked.context;
    let ball = shapes::sphere(0.5, 40, 30);
    for cells in CELLS {
        let floor = floor(context, cells);
        let ball = body(
            context,
            &upright(ball.clone()),
            FieldShape::Sphere { radius: 0.5 },
            cells,
        );
        for gap in GAPS {
            let [x, z] = PLACE;
            let ball = placed(ball.clone(), DVec3::new(x, 0.5 + gap, z), Quat::IDENTITY);
            let expected = [on_floor(x, z, gap)];
            let ask = |a: &ContactBody, b: &ContactBody| {
                context.contacts([a.clone(), b.clone()], near(0.01))
            };
            let (mut bare_floor, mut bare_ball) = (floor.clone(), ball.clone());
            bare_floor.field = None;
            bare_ball.field = None;
            let mut ball_field = ball.clone();
            ball_field.mesh = None;
            let cases = [
                ("both", ask(&floor, &ball)),
                ("the floor's field", ask(&floor, &bare_ball)),
                ("the ball's field", ask(&bare_floor, &ball)),
                ("no mesh of the ball", ask(&bare_floor, &ball_field)),
            ];
            for (name, manifold) in cases {
                assert_contacts(name, cells, &manifold.unwrap(), &expected);
            }
        }
    }
}

#[test]
fn a_capsule_and_a_cylinder_on_their_sides_touch_at_both_ends() {
    let checked = Checked::open();
    let context = &checked.context;
    let lying = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let ends =
        |half: f64, gap: f64| [half, -half].map(|end| on_floor(PLACE[0], PLACE[1] + end, gap));
    for cells in CELLS {
        let floor = floor(context, cells);
        let capsule = body(
            context,
            &upright(shapes::capsule(0.2, 0.3, 32, 16)),
            FieldShape::Capsule {
                radius: 0.2,
                half_height: 0.3,
            },
            cells,
        );
        let cylinder = upright(shapes::cylinder(0.2, 0.5, 32));
        let cylinder = solid(context, &cylinder, Storage::Distance, cells);
        for gap in GAPS {
            let position = DVec3::new(PLACE[0], 0.2 + gap, PLACE[1]);
            for (name, body, half) in [("capsule", &capsule, 0.3), ("cylinder", &cylinder, 0.5)] {
                let pair = [floor.clone(), placed(body.clone(), position, lying)];
                let manifold = context.contacts(pair, near(0.01)).unwrap();
                assert_contacts(name, cells, &manifold, &ends(half, gap));
            }
        }
    }
}

#[test]
fn a_box_touches_a_plane_with_its_face_its_edge_or_its_corner_and_a_cone_with_its_tip() {
    let checked = Checked::open();
    let context = &checked.context;
    let half = DVec3::new(0.4, 0.3, 0.5);
    let corners = (0..8).map(|k| {
        let sign = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        half * DVec3::new(sign(0), sign(1), sign(2))
    });
    let corners: Vec<DVec3> = corners.collect();
    let turns = [
        (Quat::from_rotation_y(0.3), 4),
        (Quat::from_rotation_x(0.5), 2),
        (Quat::from_rotation_x(0.5) * Quat::from_rotation_z(0.4), 1),
    ];
    for cells in CELLS {
        let floor = floor(context, cells);
        let cuboid = body(
            context,
            &shapes::cuboid(half.as_vec3(), 1),
            FieldShape::Box { half_size: half },
            cells,
        );
        let cone = upright(shapes::cone(0.4, 0.8, 32));
        let cone = solid(context, &cone, Storage::Distance, cells);
        for gap in GAPS {
            for (rotation, count) in turns {
                let turned: Vec<DVec3> =
                    (corners.iter()).map(|c| rotation.as_dquat() * *c).collect();
                let lowest = turned.iter().map(|c| c.y).fold(f64::INFINITY, f64::min);
                let position = DVec3::new(PLACE[0], gap - lowest, PLACE[1]);
                let expected: Vec<Expected> = (turned.iter())
                    .filter(|c| c.y < lowest + 1e-6)
                    .map(|c| on_floor(PLACE[0] + c.x, PLACE[1] + c.z, gap))
                    .collect();
                assert_eq!(expected.len(), count);
                let pair = [floor.clone(), placed(cuboid.clone(), position, rotation)];
                let manifold = context.contacts(pair, near(0.01)).unwrap();
                assert_contacts("box", cells, &manifold, &expected);
            }
            let tip = DVec3::new(PLACE[0], gap, PLACE[1]);
            for tilt in [0.0, 0.4] {
                let rotation = Quat::from_rotation_x(tilt);
                let pair = [floor.clone(), placed(cone.clone(), tip, rotation)];
                let manifold = context.contacts(pair, near(0.01)).unwrap();
                let expected = [on_floor(PLACE[0], PLACE[1], gap)];
                assert_contacts("cone", cells, &manifold, &expected);
            }
        }
    }
}

/// The corners of the part of a convex polygon that is inside of a rectangle about the origin.
fn clipped(polygon: Vec<DVec2>, half: DVec2) -> Vec<DVec2> {
    let sides = [
        (DVec2::X, half.x),
        (-DVec2::X, half.x),
        (DVec2::Y, half.y),
        (-DVec2::Y, half.y),
    ];
    sides
        .into_iter()
        .fold(polygon, |corners, (normal, offset)| {
            let mut kept = Vec::new();
            for (k, &to) in corners.iter().enumerate() {
                let from = corners[(k + corners.len() - 1) % corners.len()];
                let [before, after] = [from, to].map(|p| p.dot(normal) - offset);
                if before * after < 0.0 {
                    kept.push(from + (to - from) * (before / (before - after)));
                }
                if after <= 0.0 {
                    kept.push(to);
                }
            }
            kept
        })
}

#[test]
fn a_box_on_a_box_touches_at_the_corners_of_the_overlap() {
    let checked = Checked::open();
    let context = &checked.context;
    let half = DVec3::new(0.5, 0.25, 0.5);
    for cells in CELLS {
        let lower = body(
            context,
            &shapes::cuboid(half.as_vec3(), 1),
            FieldShape::Box { half_size: half },
            cells,
        );
        for (shift, turn, count) in [
            (DVec2::new(0.04, 0.03), FRAC_PI_4 as f32, 8),
            (DVec2::new(0.013, 0.021), 0.6, 8),
            (DVec2::new(0.3, 0.2), 0.0, 4),
            (DVec2::new(0.33, 0.17), 0.2, 4),
        ] {
            for gap in GAPS {
                let position = DVec3::new(shift.x, 0.5 + gap, shift.y);
                let rotation = Quat::from_rotation_y(turn);
                let turned = [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]].map(|[x, z]| {
                    let p = rotation.as_dquat() * (half * DVec3::new(x, 0.0, z));
                    DVec2::new(p.x, p.z) + shift
                });
                let overlap = clipped(turned.to_vec(), DVec2::new(half.x, half.z));
                assert_eq!(overlap.len(), count);
                let expected: Vec<Expected> = (overlap.iter())
                    .map(|p| Expected {
                        point: DVec3::new(p.x, 0.25 + gap, p.y),
                        normal: DVec3::Y,
                        separation: gap,
                    })
                    .collect();
                let pair = [lower.clone(), placed(lower.clone(), position, rotation)];
                let options = ContactOptions {
                    points: 8,
                    ..near(0.01)
                };
                let manifold = context.contacts(pair, options).unwrap();
                let name = format!("shifted by {shift}, turned by {turn}, gap {gap}");
                assert_contacts(&name, cells, &manifold, &expected);
                assert_eq!(manifold.patches.len(), 1, "{name}");
            }
        }
    }
}

#[test]
fn a_torus_touches_a_plane_around_its_ring_and_interlocked_tori_in_one_point() {
    let checked = Checked::open();
    let context = &checked.context;
    let (major, minor) = (0.38, 0.12);
    let torus = upright(shapes::torus(major, minor, 48, 16));
    for cells in CELLS {
        let torus = body(context, &torus, FieldShape::Torus { major, minor }, cells);
        let within = 1e-4 * (128.0 / f64::from(cells)).powi(2);
        for gap in GAPS {
            let position = DVec3::new(PLACE[0], minor + gap, PLACE[1]);
            let floor = floor(context, cells);
            let lying = placed(torus.clone(), position, Quat::IDENTITY);
            let options = ContactOptions {
                points: 8,
                ..near(0.005)
            };
            let mut bare = floor.clone();
            bare.field = None;
            for floor in [floor, bare] {
                let pair = [floor, lying.clone()];
                let manifold = context.contacts(pair, options.clone()).unwrap();
                assert_eq!(manifold.contacts.len(), 8, "{cells} {gap}: {manifold:#?}");
                let mut angles = Vec::new();
                for c in &manifold.contacts {
                    let away = c.world_b - position;
                    let angle = away.z.atan2(away.x);
                    angles.push(angle);
                    let (x, z) = (major * angle.cos(), major * angle.sin());
                    let expected = on_floor(PLACE[0] + x, PLACE[1] + z, gap);
                    let off = farthest_off(c, &expected);
                    assert!(off <= within, "{cells} {gap}: {off:e} {expected:?} {c:?}");
                }
                angles.sort_by(f64::total_cmp);
                angles.push(angles[0] + TAU);
                for pair in angles.windows(2) {
                    let part = (pair[1] - pair[0]) / (TAU / 8.0);
                    assert!((0.66..=1.5).contains(&part), "{cells} {gap}: {angles:?}");
                }
            }
            // A through B's hole and B through A's, pulled apart until they touch: each with the inside of its ring.
            let apart = 2.0 * (major - minor) - gap;
            let quarter = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
            let linked = placed(torus.clone(), DVec3::new(apart, 0.0, 0.0), quarter);
            let manifold = context
                .contacts([torus.clone(), linked], near(0.01))
                .unwrap();
            let expected = Expected {
                point: DVec3::new(major - minor - gap, 0.0, 0.0),
                normal: -DVec3::X,
                separation: gap,
            };
            assert_contacts("linked tori", cells, &manifold, &[expected]);
        }
    }
}

/// The signed distance to the lower half of a hollow sphere, in a half plane through its axis.
fn bowl_distance(p: DVec3, inner: f64, outer: f64) -> f64 {
    let flat = DVec2::new(DVec2::new(p.x, p.z).length(), p.y);
    let to_arc = |radius: f64| match flat.y <= 0.0 {
        true => (flat.length() - radius).abs(),
        false => flat.distance(DVec2::new(radius, 0.0)),
    };
    let rim = DVec2::new(flat.x.clamp(inner, outer), 0.0);
    let distance = to_arc(inner).min(to_arc(outer)).min(flat.distance(rim));
    let inside = flat.y < 0.0 && (inner..outer).contains(&flat.length());
    if inside { -distance } else { distance }
}

#[test]
fn a_ball_in_a_bowl_that_is_hardly_larger_touches_at_the_bottom() {
    let checked = Checked::open();
    let context = &checked.context;
    let (inner, outer) = (0.52, 0.6);
    for cells in CELLS {
        let grid = Grid {
            origin: Vec3::new(-0.65, -0.65, -0.65),
            spacing: 1.3 / cells as f32,
            nodes: glam::UVec3::new(cells + 1, cells / 2 + 3, cells + 1),
        };
        let distances = places(grid.nodes)
            .map(|node| bowl_distance(grid.position(node), inner, outer) as f32)
            .collect();
        let data = FieldData::given(grid, distances, None, None).unwrap();
        let field = context.add_field(data).unwrap();
        let bowl = ContactBody::new(None, Some(context.field(field).unwrap()));
        let ball = upright(shapes::sphere(0.5, 60, 40));
        let ball = body(context, &ball, FieldShape::Sphere { radius: 0.5 }, cells);
        let within = 1e-4 * (128.0 / f64::from(cells)).powi(2);
        for gap in GAPS {
            let position = DVec3::new(0.0, gap - (inner - 0.5), 0.0);
            let ball = placed(ball.clone(), position, Quat::IDENTITY);
            let options = ContactOptions {
                points: 0,
                ..near(0.01)
            };
            let manifold = context.contacts([bowl.clone(), ball], options).unwrap();
            let bottom = Expected {
                point: DVec3::new(0.0, gap - inner, 0.0),
                normal: DVec3::Y,
                separation: gap,
            };
            let deepest = (manifold.contacts.iter())
                .min_by(|a, b| a.separation.total_cmp(&b.separation))
                .unwrap();
            let off = farthest_off(deepest, &bottom);
            assert!(off <= within, "{cells}: {off:e} {deepest:?}");
            for c in &manifold.contacts {
                let expected = Expected {
                    point: c.world_b,
                    normal: -c.world_b.normalize(),
                    separation: inner - c.world_b.length(),
                };
                let off = farthest_off(c, &expected);
                assert!(off <= within, "{cells}: {off:e} {c:?}");
                // The bowl and the ball differ by so little that the surface is as good as level around the bottom: up to a slope of 0.005, what
                // that changes by from vertex to vertex, and what the slope of interpolated values is off by, half a cell's bend.
                let slope = (inner - 0.5 - gap) * c.world_b.x.hypot(c.world_b.z) / (inner * 0.5);
                let most = 0.01 + 0.5 * f64::from(grid.spacing) / inner;
                assert!(slope <= most, "{cells}: {slope} {c:?}");
            }
        }
    }
}

#[test]
fn a_box_in_a_corner_has_a_patch_on_each_of_three_walls() {
    let checked = Checked::open();
    let context = &checked.context;
    let half = DVec3::new(0.3, 0.25, 0.35);
    // Coarser fields are round at the inner edges by more than what counts as level.
    for cells in [128] {
        let corner = solid(context, &shapes::corner(0.9, 0.1), Storage::Distance, cells);
        let cuboid = body(
            context,
            &shapes::cuboid(half.as_vec3(), 1),
            FieldShape::Box { half_size: half },
            cells,
        );
        for gap in [-0.001, 0.001] {
            let cuboid = placed(cuboid.clone(), half + gap, Quat::IDENTITY);
            let mut bare = corner.clone();
            bare.mesh = None;
            for (name, walls) in [("both", &corner), ("the walls' field", &bare)] {
                let manifold = context
                    .contacts([walls.clone(), cuboid.clone()], near(0.01))
                    .unwrap();
                assert_eq!(
                    manifold.patches.len(),
                    3,
                    "{name}, {cells} {gap}: {manifold:#?}"
                );
                let mut expected = Vec::new();
                for axis in 0..3 {
                    for k in 0..4 {
                        let mut point = DVec3::splat(gap);
                        point[(axis + 1) % 3] += 2.0 * half[(axis + 1) % 3] * f64::from(k % 2);
                        point[(axis + 2) % 3] += 2.0 * half[(axis + 2) % 3] * f64::from(k / 2);
                        expected.push(Expected {
                            point,
                            normal: DVec3::AXES[axis],
                            separation: gap,
                        });
                    }
                }
                assert_contacts(name, cells, &manifold, &expected);
            }
        }
    }
}

/// The nut carries the bolt on the upper flanks of its thread.
#[test]
fn a_bolt_in_its_nut_touches_along_the_whole_thread() {
    let checked = Checked::open();
    let context = &checked.context;
    let thread = Thread {
        radius: 0.3,
        depth: 0.03,
        pitch: 0.2,
    };
    let wide = Thread {
        radius: 0.31,
        ..thread
    };
    for k in 0..60 {
        let (angle, z) = (0.37 * f64::from(k), 0.011 * f64::from(k) - 0.3);
        let (p, n) = (thread.point(angle, z), thread.normal(angle, z));
        let (distance, at) = thread.nearest(p + 0.01 * n);
        assert!((distance - 0.01).abs() < 1e-9, "{distance}");
        assert!(thread.point(at[0], at[1]).distance(p) < 1e-6);
    }
    let nut = wide.nut(0.45, 0.3, 96, 96);
    let nut = solid(context, &nut, Storage::Sparse, 128);
    let mesh = context
        .create_mesh(input(&thread.bolt(0.5, 96, 160)))
        .unwrap();
    let mut bolt = ContactBody::new(Some(context.mesh(mesh).unwrap()), None);
    // Lowered until the flanks are this far from each other; they meet where both have one slope.
    let gap = 0.002;
    bolt.position.z = -sink(&thread, &wide, gap);
    let options = ContactOptions {
        points: 0,
        patches: 64,
        budget: 8192,
        ..near(0.001 + gap as f32)
    };
    let manifold = context.contacts([nut, bolt.clone()], options).unwrap();
    assert!(manifold.patches.len() >= 12, "{}", manifold.patches.len());
    let mut turns = [[0; 4]; 2];
    for c in manifold.contacts.iter().filter(|c| c.world_b.z.abs() < 0.2) {
        let (distance, at) = wide.nearest(c.world_b);
        let off = (distance - f64::from(c.separation)).abs();
        assert!(off <= 1e-4, "{off:e} {c:?}");
        assert!((distance - gap).abs() <= 2e-4, "{distance} {c:?}");
        // As flat as the facets of both.
        let normal = -wide.normal(at[0], at[1]);
        assert!(c.normal.distance(normal) < TAU / 96.0, "{normal} {c:?}");
        let quarter = (c.world_b.y.atan2(c.world_b.x) / (TAU / 4.0)).floor() as i32;
        turns[usize::from(c.world_b.z > 0.0)][(quarter + 2) as usize % 4] += 1;
    }
    assert!(turns.iter().flatten().all(|n| *n > 0), "{turns:?}");
}

/// How far the bolt is below the place where its thread is in the middle of the nut's, when they are this far apart.
fn sink(bolt: &Thread, nut: &Thread, gap: f64) -> f64 {
    let apart = |sunk: f64| {
        let distances = (0..200).map(|k| {
            let p = bolt.point(0.0, bolt.pitch * f64::from(k) / 200.0) - DVec3::Z * sunk;
            nut.nearest(p).0
        });
        distances.fold(f64::INFINITY, f64::min)
    };
    // Farther down they cross, and the distance stays near zero.
    let (mut low, mut high) = (0.0, 0.5 * bolt.pitch);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        match apart(middle) > gap {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}
