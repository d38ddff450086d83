//! The fixtures have the volume and area of the shapes that they are named after.

use super::{Facts, Vertices};
use crate::geometry::surface::AsSurface;
use fixtures::shapes::{Shape, capsule, cuboid, knot, sphere, torus};
use glam::{DVec3, Vec3};
use std::f64::consts::{PI, TAU};

/// Closed, manifold, outwards, and with the volume and area of the ideal shape up to the facets.
fn check(shape: &Shape, triangles: u32, volume: f64, area: f64) {
    let facts = Facts::of(shape.surface(), Vertices::AsIndexed);
    assert_eq!(facts.triangles, triangles);
    assert!(facts.is_solid(), "{facts:?}");
    assert!(
        (facts.volume / volume - 1.0).abs() < 2e-3,
        "volume {} {volume}",
        facts.volume
    );
    assert!(
        (facts.area / area - 1.0).abs() < 2e-3,
        "area {} {area}",
        facts.area
    );
}

#[test]
fn shapes_have_their_volume_and_area() {
    check(
        &sphere(2.0, 200, 100),
        2 * 200 * 99,
        32.0 / 3.0 * PI,
        16.0 * PI,
    );
    check(&cuboid(Vec3::new(0.5, 1.0, 1.5), 3), 12 * 9, 6.0, 22.0);
    check(
        &torus(2.0, 0.5, 200, 100),
        2 * 200 * 100,
        PI * PI,
        4.0 * PI * PI,
    );
    check(
        &capsule(1.0, 2.0, 200, 50),
        2 * 200 * 100,
        4.0 / 3.0 * PI + 4.0 * PI,
        4.0 * PI + 8.0 * PI,
    );
    // A tube's volume is its section times the length of the curve (Pappus), here summed finely.
    let at = |u: f64| {
        let r = 2.0 + (3.0 * u).cos();
        DVec3::new(r * (2.0 * u).cos(), r * (2.0 * u).sin(), (3.0 * u).sin())
    };
    let n = 100_000;
    let length: f64 = (0..n)
        .map(|i| at(TAU * f64::from(i) / 1e5).distance(at(TAU * f64::from(i + 1) / 1e5)))
        .sum();
    check(
        &knot(0.3, 1000, 100),
        200_000,
        PI * 0.09 * length,
        TAU * 0.3 * length,
    );
}

#[test]
fn a_flipped_shape_has_negative_volume_and_two_shapes_add_up() {
    let cube = cuboid(Vec3::ONE, 1);
    let flipped = Facts::of(cube.clone().flipped().surface(), Vertices::AsIndexed);
    assert_eq!(flipped.volume, -8.0);
    let both = cube.clone().with(&cube.map(|p| p + 5.0));
    assert_eq!(Facts::of(both.surface(), Vertices::AsIndexed).volume, 16.0);
}
