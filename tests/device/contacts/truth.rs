//! What contacts promise, against exact distances: the nearest of all triangles, with the sign of the sum of their solid angles, which shares
//! no code with the bake. `PROXEL_SWEEP=N` takes N times as many poses: 20 for 2,000 and more.

use super::{ContactOptions, Manifold, near};
use crate::support::contact::turned;
use crate::support::kinds::{self, KINDS};
use crate::support::oracle::exact;
use crate::support::{Checked, input, times};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Vec3};
use proxel::context::Context;
use proxel::geometry::random::Random;
use proxel::query::body::ContactBody;
use proxel::query::contacts::Contact;
use proxel::query::meeting::Meeting;
use proxel::query::proximity::ProximityOptions;
use proxel::scene::pose::Pose;
use rayon::prelude::*;

/// A knot, a lumpy body as scanned ones are, a box, a torus.
fn meshes() -> [Shape; 4] {
    [
        shapes::knot(0.3, 60, 10).map(|p| 0.4 * p),
        shapes::lumpy(24, 18).map(|p| 0.6 * p),
        shapes::cuboid(Vec3::new(0.5, 0.3, 0.4), 2),
        shapes::torus(0.6, 0.2, 24, 12),
    ]
}

/// Poses for every kind of field in the suite; a sweep takes more.
const POSES: usize = 18;

fn random_pair(random: &mut Random, bodies: &[ContactBody]) -> ([usize; 2], [ContactBody; 2]) {
    let mut choose = || (random.signed().abs() * bodies.len() as f64) as usize % bodies.len();
    let chosen = [choose(), choose()];
    let mut pair = chosen.map(|at| bodies[at].clone());
    for body in &mut pair {
        body.rotation = turned(random);
        body.scale = if random.signed() > 0.0 { 1.0 } else { 0.75 };
    }
    pair[1].position = [0; 3].map(|_| random.signed() * 0.6).into();
    (chosen, pair)
}

/// The exact signed distance of a point of the world to a placed shape.
fn signed_distance(shape: &Shape, body: &ContactBody, point: DVec3) -> f64 {
    let rotation = body.rotation.as_dquat().normalize();
    let local = rotation.conjugate() * (point - body.position) / f64::from(body.scale);
    let (distance, winding) = exact(shape, local);
    let sign = if winding.abs() >= 0.5 { -1.0 } else { 1.0 };
    sign * distance * f64::from(body.scale)
}

/// The point of a contact on the surface that it was found on.
fn own_point(c: &Contact) -> DVec3 {
    if c.on_b { c.world_b } else { c.world_a }
}

#[test]
fn intervals_hold_the_exact_signed_distance_and_the_deepest_is_that_of_proximity() {
    let checked = Checked::open();
    let context = &checked.context;
    let shapes = meshes();
    let mut random = Random::new(11);
    for kind in KINDS {
        let bodies = shapes.each_ref().map(|shape| {
            let mesh = context.create_mesh(input(shape)).unwrap();
            let field = kinds::bake(&checked, shape, kind, 40);
            let (mesh, field) = (context.mesh(mesh).unwrap(), context.field(field).unwrap());
            ContactBody::new(Some(mesh), Some(field))
        });
        let mut count = 0;
        for round in 0..POSES * times() {
            let (chosen, pair) = random_pair(&mut random, &bodies);
            let options = ContactOptions {
                points: if round % 2 == 0 { 0 } else { 4 },
                budget: 1 << 14,
                ..near(0.02)
            };
            let manifold = context.contacts(pair.clone(), options).unwrap();
            let some = 1 + manifold.contacts.len() / 40;
            let offset = round % some;
            let checked: Vec<&Contact> = manifold
                .contacts
                .iter()
                .skip(offset)
                .step_by(some)
                .collect();
            count += checked.len();
            checked.par_iter().for_each(|c| {
                let other = usize::from(!c.on_b);
                let truth = signed_distance(&shapes[chosen[other]], &pair[other], own_point(c));
                // On the surface itself rounding decides the sign.
                let slack = 2e-6;
                let holds = f64::from(c.bounds[0]) - slack <= truth
                    && truth <= f64::from(c.bounds[1]) + slack;
                assert!(holds, "{kind:?} {round} {chosen:?}: {truth} {c:?}");
                assert!((c.normal.length() - 1.0).abs() < 1e-5);
            });
            deepest_is_that_of_proximity(context, &pair, &manifold, round);
        }
        assert!(count > 50, "{count}");
    }
}

/// The field of A against the mesh of B, by both queries.
fn deepest_is_that_of_proximity(
    context: &Context,
    [a, b]: &[ContactBody; 2],
    manifold: &Manifold,
    round: usize,
) {
    if a.scale != 1.0 || b.scale != 1.0 {
        return;
    }
    let pose = |body: &ContactBody| Pose {
        position: body.position.as_vec3(),
        rotation: body.rotation,
        ..Pose::default()
    };
    let meeting = Meeting {
        field: a.field.clone().unwrap(),
        field_pose: pose(a),
        mesh: b.mesh.clone().unwrap(),
        mesh_pose: pose(b),
    };
    let nearest = context
        .proximity(meeting, ProximityOptions::default())
        .unwrap();
    let deepest = (manifold.contacts.iter()).min_by(|x, y| x.separation.total_cmp(&y.separation));
    let Some(deepest) = deepest else {
        assert!(nearest.upper > 0.0, "{round}: {nearest:?}");
        return;
    };
    // Of both sides, the deepest may be on A's surface; where it is on B's, it is as deep as the nearest is.
    let width = deepest.bounds[1] - deepest.bounds[0];
    if deepest.on_b {
        assert!(
            deepest.bounds[1] >= nearest.lower,
            "{round}: {nearest:?} {deepest:?}"
        );
    }
    let on_b = manifold.contacts.iter().any(|c| c.on_b);
    assert!(
        !on_b || deepest.separation <= nearest.distance + width,
        "{round}: {nearest:?} {deepest:?}"
    );
}

/// From every point of a surface below the contact distance the field descends to a contact by at least 0.005 of the way, up to nine samples.
#[test]
fn no_point_below_the_distance_is_farther_from_all_contacts_than_stated() {
    let checked = Checked::open();
    let context = &checked.context;
    let shapes = meshes();
    let mut random = Random::new(23);
    let cells = 40;
    let fields = shapes
        .each_ref()
        .map(|s| kinds::bake(&checked, s, KINDS[0], cells));
    let distance = 0.02;
    let (mut points, mut near_contacts) = (0, 0);
    for round in 0..24 * times() {
        let [first, second] = [round % 4, (round / 4) % 4];
        let mesh = context.create_mesh(input(&shapes[second])).unwrap();
        let field = context.field(fields[first]).unwrap();
        let (cell, domain) = (field.data.grid.spacing, field.data.grid.domain().size());
        let sample = f64::from((domain.max_element() / 64.0).max(cell));
        let a = ContactBody::new(None, Some(field));
        let mut b = ContactBody::new(Some(context.mesh(mesh).unwrap()), None);
        // Every other one at rest on a face of the box, or aligned with the other.
        if round % 2 == 0 {
            b.rotation = turned(&mut random);
        }
        b.position = [0; 3].map(|_| random.signed() * 0.6).into();
        let options = ContactOptions {
            points: 0,
            budget: 1 << 14,
            ..near(distance)
        };
        let manifold = context.contacts([a, b.clone()], options).unwrap();
        let shape = &shapes[second];
        let scattered: Vec<Vec3> = (0..4000)
            .map(|_| {
                let at = random.signed().abs() * shape.triangles.len() as f64;
                let t = shape.triangles[at as usize % shape.triangles.len()];
                let [p, q, r] = t.map(|v| shape.positions[v as usize].as_dvec3());
                let [mut u, mut w] = [0; 2].map(|_| random.signed().abs());
                if u + w > 1.0 {
                    (u, w) = (1.0 - u, 1.0 - w);
                }
                let local = p + u * (q - p) + w * (r - p);
                (b.rotation.as_dquat() * local + b.position).as_vec3()
            })
            .collect();
        let samples = context
            .sample_field((fields[first], Pose::default()), &scattered)
            .unwrap();
        for (p, s) in scattered.iter().zip(&samples) {
            if s.in_domain == 0 || s.distance > distance {
                continue;
            }
            points += 1;
            let excess = |c: &Contact| {
                let descent = f64::from(s.distance - c.separation) + 0.05 * f64::from(cell);
                c.world_b.distance(p.as_dvec3()) - descent / 0.005
            };
            let least = (manifold.contacts.iter())
                .map(excess)
                .fold(f64::INFINITY, f64::min);
            near_contacts += usize::from(least > -10.0 * sample);
            assert!(least <= 9.0 * sample, "{round}: {p} {s:?} {least} {sample}");
        }
    }
    assert!(
        points > 1000 && near_contacts > 100,
        "{points} {near_contacts}"
    );
}
