//! Contacts of round bodies in hollow ones, and of a bolt in its nut.

use crate::contacts::near;
use crate::contacts_truth::{DEPTH, EXACT, solid};
use crate::proximity_truth::Truth;
use crate::support::ask::AskNow;
use crate::support::{Checked, input};
use fixtures::shapes;
use fixtures::thread::Thread;
use glam::{DVec3, Quat, Vec3};
use proxel::query::body::ContactBody;
use proxel::query::contacts::{Contact, ContactOptions};
use std::f32::consts::FRAC_PI_2;
use std::f64::consts::TAU;

/// A ball at the bottom of a hollow that is a little larger, and a ring through a ring: round in round, where they are nearest in one place.
#[test]
fn round_bodies_in_hollow_ones_touch_where_they_are_deepest() {
    let checked = Checked::open();
    let context = &checked.context;
    let ball = |radius| shapes::sphere(radius, 32, 24);
    let bowl = shapes::cuboid(Vec3::splat(1.2), 1).with(&ball(1.0).flipped());
    let (pole, ring) = (DVec3::NEG_Z, shapes::torus(0.6, 0.2, 48, 16));
    let in_bowl = solid(context, &shapes::sphere(0.7, 32, 18), 128);
    let rings = [0; 2].map(|_| solid(context, &ring, 128));
    let [first, mut second] = rings;
    second.rotation = Quat::from_rotation_x(FRAC_PI_2);
    second.position.x = 0.8 + DEPTH;
    let cases = [
        (
            "bowl",
            [
                solid(context, &bowl, 128),
                ContactBody {
                    position: (0.3 + DEPTH) * pole,
                    ..in_bowl
                },
            ],
            pole,
            -pole,
        ),
        (
            "rings",
            [first, second],
            DVec3::new(0.4, 0.0, 0.0),
            DVec3::NEG_X,
        ),
    ];
    for (name, bodies, place, normal) in cases {
        let manifold = context.contacts(bodies, near(0.0)).unwrap();
        let depth = |c: &&Contact| c.separation;
        let deepest = (manifold.contacts.iter()).min_by(|a, b| depth(a).total_cmp(&depth(b)));
        let c = deepest.unwrap();
        let about = format!("{name}: {manifold:?}");
        assert_eq!(manifold.patches.len(), 1, "{about}");
        assert!(c.world_a.distance(place) < 2.0 * EXACT, "{about}");
        assert!(c.normal.distance(normal) < 1e-3, "{about}");
        let off = (f64::from(c.separation) + DEPTH).abs();
        assert!(off < 2.0 * EXACT, "{about}");
    }
}

/// The nut carries the bolt on the upper flanks of its thread, all around.
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
    let slices = 96;
    let nut_shape = wide.nut(0.45, 0.3, slices, 96);
    let mut truth = Truth::of(&nut_shape);
    let nut = solid(context, &nut_shape, 128);
    let mesh = context.create_mesh(input(&thread.bolt(0.5, slices, 160)));
    let mut bolt = ContactBody::new(Some(context.mesh(mesh.unwrap()).unwrap()), None);
    bolt.position.z = -sink(&thread, &wide, DEPTH);
    // What meets around the thread is a band, whose facets are not exactly as far apart as the threads.
    let options = ContactOptions {
        points: 0,
        patches: 64,
        budget: 8192,
        ..near((1.5 * DEPTH) as f32)
    };
    let manifold = context.contacts([nut, bolt], options).unwrap();
    // Normals of a patch are within 25 degrees of one. Those of the flank are 43 degrees above the plane across the axis, so that a patch reaches 34
    // degrees around the axis to both sides.
    assert!(manifold.patches.len() >= 6, "{}", manifold.patches.len());
    let mut turns = [[0; 4]; 2];
    for c in manifold.contacts.iter().filter(|c| c.world_b.z.abs() < 0.2) {
        let exact = truth.distance(c.world_b);
        assert!(
            (f64::from(c.separation) - exact).abs() < EXACT,
            "{exact}, {c:?}"
        );
        let (distance, at) = wide.nearest(c.world_b);
        assert!((distance - DEPTH).abs() < 2.0 * EXACT, "{distance}, {c:?}");
        // As flat as the facets of both.
        let normal = -wide.normal(at[0], at[1]);
        let off = c.normal.distance(normal);
        assert!(off < TAU / f64::from(slices), "{off}, {normal}, {c:?}");
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
