//! Contacts against what can be known otherwise: closed forms, exact distances, and what must not change.

use crate::support::ask::AskNow;
use crate::support::contact::request;
use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DQuat, DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::field::data::Storage;
use proxel::geometry::random::Random;
use proxel::query::body::ContactBody;
use proxel::query::contacts::{
    Contact, ContactFeature, ContactOptions, ContactsQuery, Manifold, PreviousContact,
};

/// A body of a closed mesh and its field.
pub fn solid(context: &Context, shape: &Shape, storage: Storage, cells: u32) -> ContactBody {
    let mesh = context.create_mesh(input(shape)).unwrap();
    let field = context.bake_field(mesh, request(storage, cells)).unwrap();
    context.wait_field(field, u64::MAX).unwrap();
    ContactBody::new(
        Some(context.mesh(mesh).unwrap()),
        Some(context.field(field).unwrap()),
    )
}

/// Whose upper side is at height zero.
fn floor(context: &Context) -> ContactBody {
    let slab = shapes::cuboid(Vec3::new(2.0, 2.0, 0.25), 1);
    let mut floor = solid(context, &slab, Storage::Distance, 64);
    floor.position.z = -0.25;
    floor
}

pub fn near(distance: f32) -> ContactOptions {
    ContactOptions {
        distance,
        ..ContactOptions::default()
    }
}

fn quarter_about_x() -> Quat {
    Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)
}

/// Each expected point has one contact, and there are no others.
fn assert_points(name: &str, manifold: &Manifold, expected: &[DVec3], within: f64) {
    let found: Vec<DVec3> = manifold.contacts.iter().map(|c| c.world_b).collect();
    assert_eq!(found.len(), expected.len(), "{name}: {found:?}");
    for point in expected {
        let count = (found.iter())
            .filter(|f| f.distance(*point) <= within)
            .count();
        assert_eq!(count, 1, "{name}: {point} in {found:?}");
    }
}

/// The height that a shape must be lifted by to stand on the floor.
fn height(shape: &Shape, rotation: Quat) -> f64 {
    let lowest = (shape.positions.iter()).map(|p| (rotation.as_dquat() * p.as_dvec3()).z);
    -lowest.fold(f64::INFINITY, f64::min)
}

#[test]
fn bodies_on_a_plane_touch_where_they_must() {
    let checked = Checked::open();
    let context = &checked.context;
    let floor = floor(context);
    let cuboid = shapes::cuboid(Vec3::new(0.4, 0.3, 0.2), 1);
    let corners = |z: f64| {
        [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]
            .map(|[x, y]| DVec3::new(0.4 * x, 0.3 * y, z))
    };
    let tilt = Quat::from_rotation_x(0.5);
    let on_corner = Quat::from_rotation_x(0.5) * Quat::from_rotation_y(0.4);
    let upright = quarter_about_x();
    let cases = [
        (
            "ball",
            shapes::sphere(0.5, 40, 30),
            upright,
            vec![DVec3::new(0.0, -0.5, 0.0)],
        ),
        (
            "box",
            cuboid.clone(),
            Quat::IDENTITY,
            corners(-0.2).to_vec(),
        ),
        (
            "fine box",
            shapes::cuboid(Vec3::new(0.4, 0.3, 0.2), 12),
            Quat::IDENTITY,
            corners(-0.2).to_vec(),
        ),
        (
            "box on an edge",
            cuboid.clone(),
            tilt,
            vec![DVec3::new(0.4, -0.3, -0.2), DVec3::new(-0.4, -0.3, -0.2)],
        ),
        (
            "box on a corner",
            cuboid,
            on_corner,
            vec![DVec3::new(0.4, -0.3, -0.2)],
        ),
        (
            "capsule",
            shapes::capsule(0.2, 0.5, 32, 16),
            upright,
            vec![DVec3::new(0.0, -0.2, 0.5), DVec3::new(0.0, -0.2, -0.5)],
        ),
    ];
    for (name, shape, rotation, expected) in cases {
        for depth in [-0.004, 0.004] {
            let mut body = solid(context, &shape, Storage::Distance, 64);
            body.rotation = rotation;
            let lifted = height(&shape, rotation) + depth;
            body.position = DVec3::new(0.03, 0.05, lifted);
            let manifold = context
                .contacts([floor.clone(), body.clone()], near(0.01))
                .unwrap();
            let world: Vec<DVec3> = (expected.iter())
                .map(|p| body.position + rotation.as_dquat() * *p)
                .collect();
            assert_points(name, &manifold, &world, 1e-4);
            assert_eq!(manifold.patches.len(), 1, "{name}");
            for c in &manifold.contacts {
                assert!(
                    (f64::from(c.separation) - depth).abs() < 1e-4,
                    "{name}: {c:?}"
                );
                assert!(c.normal.distance(DVec3::Z) < 1e-3, "{name}: {c:?}");
                assert!(
                    (c.world_b - c.world_a).distance(depth * DVec3::Z) < 1e-4,
                    "{name}: {c:?}"
                );
                let into_b = body.rotation.as_dquat().conjugate() * (c.world_b - body.position);
                assert!(into_b.distance(c.point_b) < 1e-5, "{name}: {c:?}");
            }
            // Which body is which only turns the normals round.
            let swapped = context.contacts([body, floor.clone()], near(0.01)).unwrap();
            let found: Vec<DVec3> = swapped.contacts.iter().map(|c| c.world_a).collect();
            assert_eq!(found.len(), world.len(), "{name}: {found:?}");
            assert!(
                swapped
                    .contacts
                    .iter()
                    .all(|c| c.normal.distance(-DVec3::Z) < 1e-3)
            );
        }
    }
}

#[test]
fn a_torus_touches_around_its_ring_at_even_gaps() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut torus = solid(
        context,
        &shapes::torus(0.6, 0.2, 48, 16),
        Storage::Distance,
        64,
    );
    torus.position.z = 0.199;
    let options = ContactOptions {
        points: 8,
        ..near(0.01)
    };
    let manifold = context.contacts([floor(context), torus], options).unwrap();
    assert_eq!(manifold.contacts.len(), 8);
    let mut angles: Vec<f64> = (manifold.contacts.iter())
        .map(|c| c.world_b.y.atan2(c.world_b.x))
        .collect();
    for c in &manifold.contacts {
        assert!((c.world_b.truncate().length() - 0.6).abs() < 1e-4, "{c:?}");
    }
    angles.sort_by(f64::total_cmp);
    angles.push(angles[0] + std::f64::consts::TAU);
    for pair in angles.windows(2) {
        // Farthest points first: gaps differ by at most a factor of two.
        let gap = (pair[1] - pair[0]) / (std::f64::consts::TAU / 8.0);
        assert!((0.66..=1.5).contains(&gap), "{angles:?}");
    }
}

#[test]
fn a_box_turned_on_a_box_touches_at_the_eight_corners_of_the_overlap() {
    let checked = Checked::open();
    let context = &checked.context;
    let cuboid = shapes::cuboid(Vec3::splat(0.5), 1);
    let lower = solid(context, &cuboid, Storage::Distance, 64);
    let mut upper = lower.clone();
    upper.position.z = 0.999;
    upper.rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
    let options = ContactOptions {
        points: 16,
        ..near(0.01)
    };
    let manifold = context
        .contacts([lower.clone(), upper.clone()], options)
        .unwrap();
    // A regular octagon around a circle of radius 0.5: corners at 0.5 / cos(22.5 degrees).
    let radius = 0.5 / std::f64::consts::FRAC_PI_8.cos();
    for k in 0..8 {
        let angle = std::f64::consts::FRAC_PI_8 * f64::from(2 * k + 1);
        let corner = DVec3::new(radius * angle.cos(), radius * angle.sin(), 0.5);
        let off = (manifold.contacts.iter())
            .map(|c| c.world_b.distance(corner))
            .fold(f64::INFINITY, f64::min);
        assert!(off < 0.02, "nothing within 0.02 of {corner}: {off}");
    }
    assert_eq!(manifold.patches.len(), 1);
    // What the reduction says of itself, from the contacts themselves.
    let all = ContactOptions {
        points: 0,
        ..near(0.01)
    };
    let wrench = |contacts: &[Contact], lower: &ContactBody| {
        contacts
            .iter()
            .fold([DVec3::ZERO; 2], |[force, torque], c| {
                let own = -f64::from(c.area) * c.normal;
                let on_surface = if c.on_b { c.world_b } else { c.world_a };
                [
                    force + own,
                    torque + (on_surface - lower.position).cross(own),
                ]
            })
    };
    let everything = context.contacts([lower.clone(), upper], all).unwrap();
    let (full, kept) = (
        wrench(&everything.contacts, &lower),
        wrench(&manifold.contacts, &lower),
    );
    for part in 0..2 {
        let size = full[part].length().max(1.0);
        assert!(full[part].distance(manifold.wrench[part]) < 1e-4 * size);
        let residual = full[part].distance(kept[part]);
        assert!(
            (residual - manifold.residual[part]).abs() < 1e-4 * size,
            "{residual} {manifold:?}"
        );
    }
}

/// How far the farthest of some points is outside of the hull of others, seen from above.
fn outside(points: &[DVec3], hull: &[DVec3]) -> f64 {
    let distance = |p: &DVec3| {
        let ways = (0..36_000).map(|k| {
            let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 36_000.0).sin_cos();
            let way = DVec3::new(cos, sin, 0.0);
            let support = hull.iter().map(|h| h.dot(way)).fold(f64::MIN, f64::max);
            p.dot(way) - support
        });
        ways.fold(0.0, f64::max)
    };
    points.iter().map(distance).fold(0.0, f64::max)
}

#[test]
fn no_contact_left_out_is_farther_from_the_hull_than_said() {
    let checked = Checked::open();
    let context = &checked.context;
    let floor = floor(context);
    for (shape, rotation, lifted) in [
        (
            shapes::torus(0.6, 0.2, 32, 12),
            Quat::from_rotation_z(0.2),
            0.199,
        ),
        (
            shapes::capsule(0.2, 0.5, 24, 12),
            Quat::from_rotation_z(0.17) * quarter_about_x(),
            0.199,
        ),
    ] {
        let mut body = solid(context, &shape, Storage::Distance, 64);
        body.rotation = rotation;
        body.position.z = lifted;
        let ask = |points| {
            let options = ContactOptions {
                points,
                ..near(0.004)
            };
            let pair = [floor.clone(), body.clone()];
            context.contacts(pair, options).unwrap()
        };
        let points = |m: &Manifold| -> Vec<DVec3> {
            let own = |c: &Contact| if c.on_b { c.world_b } else { c.world_a };
            m.contacts.iter().map(own).collect()
        };
        let (kept, all) = (ask(4), ask(0));
        assert_eq!((kept.patches.len(), kept.left_out), (1, 0));
        let exact = outside(&points(&all), &points(&kept));
        let said = f64::from(kept.patches[0].hull_distance);
        assert!((said - exact).abs() < 1e-4, "{said} for {exact}");
    }
}

#[test]
fn a_box_against_each_of_three_walls_has_one_patch_square_to_it() {
    let checked = Checked::open();
    let context = &checked.context;
    // Three slabs that meet at the origin, their inner sides the coordinate planes.
    let slab = |axis: usize| {
        let mut half = Vec3::splat(1.0);
        half[axis] = 0.1;
        let mut shift = Vec3::splat(0.9);
        shift[axis] = -0.1;
        shapes::cuboid(half, 1).map(move |p| p + shift)
    };
    let mut box_body = solid(
        context,
        &shapes::cuboid(Vec3::splat(0.3), 1),
        Storage::Distance,
        64,
    );
    box_body.position = DVec3::splat(0.299);
    let mut normals = Vec::new();
    for axis in 0..3 {
        let wall = solid(context, &slab(axis), Storage::Distance, 64);
        let manifold = context
            .contacts([wall, box_body.clone()], near(0.01))
            .unwrap();
        assert_eq!(manifold.patches.len(), 1, "{manifold:?}");
        assert_eq!(manifold.contacts.len(), 4, "{manifold:?}");
        normals.push(manifold.patches[0].normal);
    }
    for (axis, normal) in normals.iter().enumerate() {
        assert!(normal.distance(DVec3::AXES[axis]) < 1e-3, "{normals:?}");
    }
}

/// In the cell of a coarse field that has an edge of the body, the field's slope leans; what lies on a face does not.
#[test]
fn contacts_inside_faces_are_square_to_them_beside_the_edges_of_a_coarse_field() {
    let checked = Checked::open();
    let context = &checked.context;
    let cuboid = shapes::cuboid(Vec3::ONE, 1);
    for cells in [24, 32, 48] {
        let lower = solid(context, &cuboid, Storage::Distance, cells);
        let mut upper = lower.clone();
        upper.position = DVec3::new(0.5, 0.3, 1.99);
        let options = ContactOptions {
            points: 0,
            ..near(0.0)
        };
        let manifold = context.contacts([lower, upper], options).unwrap();
        let on_faces = |c: &&Contact| c.feature == ContactFeature::Face;
        let inside: Vec<&Contact> = manifold.contacts.iter().filter(on_faces).collect();
        assert!(!inside.is_empty(), "{cells}: {manifold:?}");
        for c in inside {
            // All faces are along the axes.
            assert!(c.normal.abs().max_element() > 0.999, "{cells}: {c:?}");
        }
    }
}

/// Everything of the contacts that the device computed.
fn bits(manifold: &Manifold) -> Vec<[u64; 8]> {
    (manifold.contacts.iter())
        .map(|c| {
            let [x, y, z] = c.point_a.to_array().map(f64::to_bits);
            let [lower, upper] = c.bounds.map(|b| b.to_bits().into());
            let [separation, area] = [c.separation, c.area].map(|v| v.to_bits().into());
            [c.key, x, y, z, separation, lower, upper, area]
        })
        .collect()
}

#[test]
fn the_same_bits_every_time_from_several_threads_and_in_a_batch_of_many() {
    let checked = Checked::open();
    let context = &checked.context;
    let knot = shapes::knot(0.3, 40, 8).map(|p| 0.4 * p);
    let (a, mut b) = (
        solid(context, &knot, Storage::Distance, 40),
        solid(
            context,
            &shapes::cuboid(Vec3::splat(0.5), 6),
            Storage::Distance,
            40,
        ),
    );
    b.position = DVec3::new(0.6, 0.5, 0.1);
    let all = ContactOptions {
        points: 0,
        ..near(0.02)
    };
    let ask = |options: &ContactOptions| {
        context
            .contacts([a.clone(), b.clone()], options.clone())
            .unwrap()
    };
    let (first, reduced) = (ask(&all), ask(&near(0.02)));
    assert!(first.contacts.len() > 10, "{}", first.contacts.len());
    // A hundred times in all.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    assert_eq!(bits(&ask(&all)), bits(&first));
                    assert_eq!(ask(&near(0.02)).residual, reduced.residual);
                }
            });
        }
    });
    let batch = context.create_batch().unwrap();
    let tickets: Vec<_> = (0..8)
        .map(|_| {
            let query = ContactsQuery::plan(batch.resources(), [a.clone(), b.clone()], near(0.02));
            batch.add(query.unwrap()).unwrap()
        })
        .collect();
    batch.run().unwrap();
    for ticket in tickets {
        assert_eq!(bits(&batch.answer(ticket).unwrap()), bits(&reduced));
    }
}

fn previous(contacts: &[Contact]) -> Vec<PreviousContact> {
    (contacts.iter().enumerate())
        .map(|(at, c)| PreviousContact {
            key: c.key,
            user: 100 + at as u64,
            point: c.own_point(),
            patch: c.patch,
        })
        .collect()
}

#[test]
fn contacts_at_rest_keep_their_keys_and_places_when_disturbed_by_a_millionth() {
    let checked = Checked::open();
    let context = &checked.context;
    let floor = floor(context);
    let shapes = [
        shapes::cuboid(Vec3::splat(0.4), 1),
        shapes::cuboid(Vec3::splat(0.4), 12),
        shapes::torus(0.6, 0.2, 48, 16),
        shapes::capsule(0.2, 0.5, 32, 16),
    ];
    let mut random = Random::new(5);
    let (mut kept, mut all) = (0, 0);
    for shape in &shapes {
        let body = solid(context, shape, Storage::Distance, 64);
        let lifted = height(shape, Quat::IDENTITY) - 0.001;
        let place = |offset: DVec3, turn: DVec3| {
            let mut moved = body.clone();
            moved.position = DVec3::new(0.03, 0.05, lifted) + offset;
            moved.rotation = DQuat::from_scaled_axis(turn).as_quat();
            moved
        };
        let ask = |moved: ContactBody, last: &[Contact]| {
            let options = ContactOptions {
                previous: previous(last),
                ..near(0.01)
            };
            context.contacts([floor.clone(), moved], options).unwrap()
        };
        let rest = ask(place(DVec3::ZERO, DVec3::ZERO), &[]);
        for _ in 0..20 {
            let [offset, turn] =
                [0; 2].map(|_| DVec3::from([0; 3].map(|_| 1e-6 * random.signed())));
            for last in [&[][..], &rest.contacts] {
                let disturbed = ask(place(offset, turn), last);
                all += rest.contacts.len();
                for c in &disturbed.contacts {
                    let Some(same) = rest.contacts.iter().find(|old| old.key == c.key) else {
                        continue;
                    };
                    kept += 1;
                    let most = 2.0 * (offset.length() + turn.length()) + 1e-6;
                    let moved = c.world_b.distance(same.world_b);
                    assert!(moved <= most, "{moved} for {most}: {c:?} {same:?}");
                }
            }
        }
    }
    assert!(f64::from(kept) >= 0.95 * all as f64, "{kept} of {all}");
}

#[test]
fn contacts_continue_end_and_carry_what_the_caller_keeps() {
    let checked = Checked::open();
    let context = &checked.context;
    let floor = floor(context);
    let cuboid = shapes::cuboid(Vec3::splat(0.4), 1);
    let mut body = solid(context, &cuboid, Storage::Distance, 64);
    body.position.z = 0.4;
    let first = context
        .contacts([floor.clone(), body.clone()], near(0.01))
        .unwrap();
    assert!(
        first
            .contacts
            .iter()
            .all(|c| c.previous.is_none() && c.user == 0)
    );
    let mut options = near(0.01);
    options.previous = previous(&first.contacts);
    body.position.x = 0.1;
    let slid = context
        .contacts([floor.clone(), body.clone()], options.clone())
        .unwrap();
    assert_eq!(slid.contacts.len(), 4);
    for c in &slid.contacts {
        let at = c.previous.expect("a corner stays a corner") as usize;
        assert_eq!(first.contacts[at].key, c.key);
        assert_eq!(c.user, 100 + at as u64);
        assert_eq!(c.feature, ContactFeature::Vertex);
    }
    assert_eq!(slid.ended, Vec::<u32>::new());
    // Tilted onto an edge: two corners stay, two end.
    body.rotation = Quat::from_rotation_x(0.3);
    body.position.z = height(&cuboid, body.rotation);
    let tilted = context
        .contacts([floor.clone(), body.clone()], options.clone())
        .unwrap();
    assert_eq!((tilted.contacts.len(), tilted.ended.len()), (2, 2));
    body.position.z = 3.0;
    let apart = context.contacts([floor, body], options).unwrap();
    assert_eq!(
        (apart.contacts.len(), apart.ended.len(), apart.raw),
        (0, 4, 0)
    );
}

#[test]
fn a_pair_far_from_the_origin_gives_the_bits_it_gives_there_and_scale_is_exact() {
    let checked = Checked::open();
    let context = &checked.context;
    let floor = floor(context);
    let mut body = solid(
        context,
        &shapes::cuboid(Vec3::splat(0.4), 3),
        Storage::Distance,
        64,
    );
    body.position = DVec3::new(0.125, 0.25, 0.5 - 0.109375);
    body.rotation = Quat::from_rotation_z(0.3);
    let here = context
        .contacts([floor.clone(), body.clone()], near(0.03125))
        .unwrap();
    assert_eq!(here.contacts.len(), 4);
    let (mut far_floor, mut far_body) = (floor.clone(), body.clone());
    for far in [&mut far_floor, &mut far_body] {
        far.position += DVec3::new(1e7, -2e7, 3e7);
    }
    let far = context
        .contacts([far_floor, far_body], near(0.03125))
        .unwrap();
    assert_eq!(bits(&far), bits(&here));
    let (mut large_floor, mut large_body) = (floor, body);
    for large in [&mut large_floor, &mut large_body] {
        large.position *= 4.0;
        large.scale = 4.0;
    }
    let large = context
        .contacts([large_floor, large_body], near(0.125))
        .unwrap();
    for (l, h) in large.contacts.iter().zip(&here.contacts) {
        assert_eq!(l.key, h.key);
        assert_eq!(l.separation, 4.0 * h.separation);
        assert_eq!(l.point_a, 4.0 * h.point_a);
    }
}

#[test]
fn offsets_are_added_and_taken_away() {
    let checked = Checked::open();
    let context = &checked.context;
    let floor = floor(context);
    let mut body = solid(
        context,
        &shapes::cuboid(Vec3::splat(0.4), 1),
        Storage::Distance,
        64,
    );
    body.position.z = 0.45;
    let ask = |body: &ContactBody| {
        context
            .contacts([floor.clone(), body.clone()], near(0.0))
            .unwrap()
    };
    assert_eq!(ask(&body).raw, 0);
    body.contact_offset = 0.06;
    assert_eq!(ask(&body).contacts.len(), 4);
    body.contact_offset = 0.0;
    body.rest_offset = 0.06;
    let thick = ask(&body);
    assert_eq!(thick.contacts.len(), 4);
    for c in &thick.contacts {
        assert!((c.separation + 0.01).abs() < 1e-5, "{c:?}");
    }
}

#[test]
fn bad_input_is_refused_with_its_value() {
    let checked = Checked::open();
    let context = &checked.context;
    let body = solid(
        context,
        &shapes::cuboid(Vec3::splat(0.4), 1),
        Storage::Distance,
        16,
    );
    let refused = |bodies: [ContactBody; 2], options: ContactOptions, part: &str| {
        let error = context.contacts(bodies, options).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    let pair = || [body.clone(), body.clone()];
    for bad in [f32::NAN, -1.0, f32::INFINITY, 1e30] {
        refused(pair(), near(bad), "distance is");
    }
    let with = |change: &dyn Fn(&mut ContactOptions)| {
        let mut options = near(0.0);
        change(&mut options);
        options
    };
    refused(pair(), with(&|o| o.points = 33), "points is 33");
    refused(pair(), with(&|o| o.patches = 0), "patches is 0");
    refused(pair(), with(&|o| o.budget = 1 << 20), "budget is 1048576");
    let changed = |change: &dyn Fn(&mut ContactBody)| {
        let mut bodies = pair();
        change(&mut bodies[1]);
        bodies
    };
    refused(changed(&|b| b.scale = 0.0), near(0.0), "body_b.scale is 0");
    refused(
        changed(&|b| b.position.x = f64::NAN),
        near(0.0),
        "body_b.position",
    );
    refused(
        changed(&|b| b.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)),
        near(0.0),
        "length 2",
    );
    refused(
        changed(&|b| b.rest_offset = f32::NAN),
        near(0.0),
        "body_b.rest_offset",
    );
    refused(
        [ContactBody::new(None, None), body.clone()],
        near(0.0),
        "body_a has neither",
    );
    let bare = ContactBody::new(body.mesh.clone(), None);
    refused([bare.clone(), bare], near(0.0), "bake a field");
    // Too little room is an error that has the number, not a list without some.
    let fine = solid(
        context,
        &shapes::cuboid(Vec3::splat(0.4), 24),
        Storage::Distance,
        16,
    );
    let mut above = fine.clone();
    above.position.z = 0.8;
    refused([fine, above], with(&|o| o.budget = 16), "budget of 16");
}
