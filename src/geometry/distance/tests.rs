//! Brute force over all triangle pairs in f64 is the oracle; analytic cases stand beside it.

use super::*;
use crate::geometry::comparators::margin_hash;
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::random::{Random, cases};
use crate::geometry::surface::AsSurface;
use crate::geometry::triangle::closest::on_triangle;
use fixtures::shapes::{self, Shape};
use glam::{DAffine3, DQuat};

fn hierarchy(shape: &Shape) -> Bvh {
    Bvh::build(&shape.surface().triangle_boxes())
}

fn brute_force(a: &Shape, b: &Shape, placement: &Placement) -> f64 {
    let mut best = f64::INFINITY;
    for i in 0..a.triangles.len() as u32 {
        for j in 0..b.triangles.len() as u32 {
            let found = triangle_distance(
                &a.surface().corners_f64(i),
                &placement.corners(&b.surface(), j),
            );
            best = best.min(found.distance);
        }
    }
    best
}

type DistanceFunction = fn(FittedSurface, FittedSurface, &Placement, &DistanceOptions) -> Distance;

const METHODS: [(&str, DistanceFunction); 2] = [("hierarchy", distance), ("margin hash", hashed)];

/// By the margin hash; where there is no margin, by hierarchy.
fn hashed(
    a: FittedSurface,
    b: FittedSurface,
    placement: &Placement,
    options: &DistanceOptions,
) -> Distance {
    let found = margin_hash::distance(a.surface, b.surface, placement, options);
    found.unwrap_or_else(|| distance(a, b, placement, options))
}

fn ask(
    method: DistanceFunction,
    a: &Shape,
    b: &Shape,
    placement: &Placement,
    options: &DistanceOptions,
) -> Distance {
    let (bvh_a, bvh_b) = (hierarchy(a), hierarchy(b));
    let (a, b) = (
        FittedSurface {
            surface: a.surface(),
            bvh: &bvh_a,
        },
        FittedSurface {
            surface: b.surface(),
            bvh: &bvh_b,
        },
    );
    method(a, b, placement, options)
}

fn check(a: &Shape, b: &Shape, placement: &Placement) -> f64 {
    let expected = brute_force(a, b, placement);
    for (name, method) in METHODS {
        let options = DistanceOptions::default();
        let found = ask(method, a, b, placement, &options);
        assert!(
            (found.upper - expected).abs() <= 1e-12 * expected,
            "{name}: {found:?}, brute force {expected}"
        );
        assert_eq!(
            (found.lower, found.upper == 0.0),
            (found.upper, expected == 0.0)
        );
        let witness = found.witness.unwrap();
        let [p, q] = witness.points;
        let corners = [
            a.surface().corners_f64(witness.triangles[0]),
            placement.corners(&b.surface(), witness.triangles[1]),
        ];
        let extent = corners
            .iter()
            .flatten()
            .fold(0.0, |e: f64, p| e.max(p.abs().max_element()));
        assert!((p.distance(q) - found.upper).abs() <= 1e-14 * extent);
        let on_a = on_triangle(p, corners[0]).0.distance(p);
        let on_b = on_triangle(q, corners[1]).0.distance(q);
        assert!(
            on_a <= 1e-12 * extent && on_b <= 1e-12 * extent,
            "{on_a} {on_b}"
        );
        let warm = DistanceOptions {
            start: Some(witness.triangles),
            ..options
        };
        let again = ask(method, a, b, placement, &warm).upper;
        assert!((again - expected).abs() <= 1e-12 * expected);
        if expected > 0.0 {
            let near = DistanceOptions {
                within: 0.99 * expected,
                ..options
            };
            assert_eq!(
                ask(method, a, b, placement, &near),
                Distance::beyond(0.99 * expected)
            );
            let just = DistanceOptions {
                within: found.upper * (1.0 + 1e-9),
                ..options
            };
            let again = ask(method, a, b, placement, &just).upper;
            assert!((again - expected).abs() <= 1e-12 * expected);
        }
    }
    if placement.is_identity() {
        let bounds = surface_bounds(a.surface(), b.surface()).unwrap();
        assert!(
            bounds.lower <= expected && expected <= bounds.upper,
            "{bounds:?} {expected}"
        );
    }
    expected
}

/// A random soup or shape of the given kind, about the origin, a few dozen triangles.
fn body(random: &mut Random, kind: usize) -> Shape {
    match kind {
        0 => shapes::sphere(1.0, 5 + random.below(4) as u32, 4),
        1 => shapes::torus(1.0, 0.2 + 0.2 * random.unit(), 8, 5),
        2 => shapes::cuboid(random.in_cube_f32().abs() + 0.05, 2),
        3 => {
            let positions = (0..3).map(|_| random.in_cube_f32()).collect();
            Shape {
                positions,
                triangles: vec![[0, 1, 2]],
            }
        }
        4 => {
            // Slivers, segments and points among ordinary triangles.
            let positions: Vec<Vec3> = (0..30)
                .map(|k| random.in_cube_f32() * if k % 3 == 2 { 1e-5 } else { 1.0 })
                .collect();
            let triangles = (0..20)
                .map(|_| [0; 3].map(|_| random.below(30) as u32))
                .collect();
            Shape {
                positions,
                triangles,
            }
        }
        _ => {
            // A flat sheet, so that coplanar pairs are common.
            let positions = (0..16)
                .map(|k| Vec3::new((k % 4) as f32, (k / 4) as f32, 0.0))
                .collect();
            let quads = (0..9u32).map(|k| k / 3 * 4 + k % 3);
            let triangles = quads
                .flat_map(|a| [[a, a + 1, a + 4], [a + 1, a + 5, a + 4]])
                .collect();
            Shape {
                positions,
                triangles,
            }
        }
    }
}

#[test]
fn random_bodies_agree_with_brute_force() {
    let mut random = Random::new(30);
    let (mut apart, mut touching) = (0, 0);
    for round in 0..cases(4000) {
        let scale = [1.0f32, 1e-6, 1e6][round % 3];
        let spread = [0.0, 0.5, 1.5, 2.5, 4.0][round % 5];
        let (kind_a, kind_b) = (random.below(6), random.below(6));
        let (a, b) = (body(&mut random, kind_a), body(&mut random, kind_b));
        let turn = if round % 4 == 0 {
            DQuat::IDENTITY
        } else {
            DQuat::from_scaled_axis(random.in_cube() * 3.0)
        };
        // Whole steps keep exact contacts.
        let step = random.in_cube() * spread;
        let shift = if round % 4 == 0 { step.round() } else { step };
        let moved = b.map(|p| ((turn * p.as_dvec3() + shift) * f64::from(scale)).as_vec3());
        let d = check(&a.map(|p| p * scale), &moved, &Placement::default());
        if d == 0.0 { touching += 1 } else { apart += 1 }
    }
    assert!(
        apart > 300 && touching > 300,
        "{apart} apart, {touching} touching"
    );
}

#[test]
fn poses_agree_with_brute_force() {
    let mut random = Random::new(31);
    for round in 0..cases(1000) {
        let (kind_a, kind_b) = (random.below(6), random.below(6));
        let (a, b) = (body(&mut random, kind_a), body(&mut random, kind_b));
        let turn = DQuat::from_scaled_axis(random.in_cube() * 3.0);
        let far = [1.0, 3.0, 1e3, 1e6][round % 4];
        let pose = DAffine3::from_rotation_translation(turn, random.in_cube() * far);
        check(&a, &b, &Placement::new(pose));
    }
}

/// Gissler et al. ask for the distance of bodies that move; the hash itself answers, and no hierarchy stands in.
#[test]
fn bodies_with_a_margin_are_hashed_under_any_pose() {
    let mut random = Random::new(33);
    for round in 0..cases(400) {
        let (a, b) = (body(&mut random, round % 5), body(&mut random, 2));
        let turn = DQuat::from_scaled_axis(random.in_cube() * 3.0);
        // No body reaches farther than two.
        let far = [4.5, 10.0, 1e3][round % 3];
        let shift = random.in_cube().normalize_or(DVec3::X) * far;
        let placement = Placement::new(DAffine3::from_rotation_translation(turn, shift));
        let options = DistanceOptions::default();
        let found = margin_hash::distance(a.surface(), b.surface(), &placement, &options).unwrap();
        let expected = brute_force(&a, &b, &placement);
        assert!((found.upper - expected).abs() <= 1e-12 * expected);
        let short = DistanceOptions {
            within: 0.5,
            ..options
        };
        let none = margin_hash::distance(a.surface(), b.surface(), &placement, &short);
        assert_eq!(none, Some(Distance::beyond(0.5)));
    }
    // Hulls that overlap, and those of nothing, have no margin.
    let ball = shapes::sphere(1.0, 8, 6);
    for other in [&ball, &Shape::default()] {
        let options = DistanceOptions::default();
        let here = Placement::default();
        assert!(margin_hash::distance(ball.surface(), other.surface(), &here, &options).is_none());
    }
}

#[test]
fn analytic_distances() {
    let ring = shapes::torus(2.0, 0.5, 40, 16);
    // Interlocked rings: hulls overlap, and the tubes pass each other at 2 - 0.5 - 0.5 up to the chords.
    let linked = shapes::torus(2.0, 0.5, 40, 16).map(|p| Vec3::new(p.x + 2.0, p.z, p.y));
    let d = check(&ring, &linked, &Placement::default());
    let sagitta = 2.5 * (1.0 - (std::f64::consts::PI / 40.0).cos());
    assert!((d - 1.0).abs() < 2.0 * sagitta, "{d}");
    // A ball inside a larger one.
    let (inner, outer) = (shapes::sphere(1.0, 30, 20), shapes::sphere(3.0, 30, 20));
    let d = check(&inner, &outer, &Placement::default());
    assert!(
        d < 2.0 && d > 3.0 * (std::f64::consts::PI / 30.0).cos().powi(2) - 1.0,
        "{d}"
    );
    // Boxes: face to face, sharing a face, and sharing a corner.
    let cube = shapes::cuboid(Vec3::ONE, 3);
    for (shift, expected) in [
        (Vec3::new(2.5, 0.0, 0.0), 0.5),
        (Vec3::new(2.0, 0.25, 0.0), 0.0),
        (Vec3::splat(2.0), 0.0),
        (Vec3::new(5.0, 6.0, 2.0), 5.0),
        (
            Vec3::new(0.0, 2.0f32.next_up(), 0.0),
            f64::from(2.0f32.next_up()) - 2.0,
        ),
    ] {
        let moved = cube.clone().map(|p| p + shift);
        // The moved corner rounds, so the gap is the one between the rounded faces.
        let d = check(&cube, &moved, &Placement::default());
        assert!((d - expected).abs() <= 5e-7, "{shift}: {d}");
    }
}

#[test]
fn nothing_is_found_where_nothing_is() {
    let (empty, ball) = (Shape::default(), shapes::sphere(1.0, 8, 6));
    for (a, b) in [(&empty, &ball), (&ball, &empty), (&empty, &empty)] {
        for (_, method) in METHODS {
            let options = DistanceOptions::default();
            assert_eq!(
                ask(method, a, b, &Placement::default(), &options),
                Distance::beyond(f64::INFINITY)
            );
        }
        assert!(surface_bounds(a.surface(), b.surface()).is_none());
    }
}

#[test]
fn unused_and_extreme_positions_do_no_harm() {
    let mut near = shapes::sphere(1.0, 10, 8);
    near.positions.push(Vec3::new(2.5, 0.0, 0.0));
    near.positions.insert(0, Vec3::new(2.6, 0.0, 0.0));
    near.triangles.iter_mut().flatten().for_each(|v| *v += 1);
    let far = shapes::sphere(1.0, 10, 8).map(|p| p + Vec3::X * 5.0);
    assert!((check(&near, &far, &Placement::default()) - 3.0).abs() < 1e-6);
    for scale in [1e-44f32, 1e-30, 1e19, 1e37] {
        let a = shapes::cuboid(Vec3::ONE, 1).map(|p| p * scale);
        let b = shapes::cuboid(Vec3::ONE, 1).map(|p| (p + Vec3::X * 4.0) * scale);
        let expected = 2.0 * f64::from(scale);
        let d = check(&a, &b, &Placement::default());
        assert!(
            (d - expected).abs() <= 1e-6 * expected + 3e-45,
            "{scale}: {d}"
        );
    }
    // A wrong start is only a hint.
    let options = DistanceOptions {
        start: Some([u32::MAX, 0]),
        ..DistanceOptions::default()
    };
    assert!((ask(distance, &near, &far, &Placement::default(), &options).upper - 3.0).abs() < 1e-6);
}

#[test]
fn detailed_meshes_agree_between_the_methods() {
    let mut random = Random::new(32);
    let (knot, ball) = (shapes::knot(0.3, 200, 24), shapes::sphere(1.5, 60, 40));
    for _ in 0..10 {
        let turn = DQuat::from_scaled_axis(random.in_cube() * 3.0);
        let shift = random.in_cube().normalize() * (3.0 + 4.0 * random.unit());
        let moved = ball
            .clone()
            .map(|p| (turn * p.as_dvec3() + shift).as_vec3());
        let by = |method| {
            ask(
                method,
                &knot,
                &moved,
                &Placement::default(),
                &DistanceOptions::default(),
            )
        };
        let [tree, hash] = METHODS.map(|(_, method)| by(method));
        assert!((tree.upper - hash.upper).abs() <= 1e-12 * tree.upper);
    }
}
