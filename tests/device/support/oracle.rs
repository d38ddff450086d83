//! The exact distance to a mesh and the side of it, from all of its triangles: slow, and no code of the library.

use fixtures::shapes::Shape;
use glam::DVec3;

/// The squared distance from the origin to a triangle, by the sign of its edges' planes.
fn squared_distance([a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let is_beside = |p: DVec3, q: DVec3| normal.cross(q - p).dot(p) > 0.0;
    let to_side = |p: DVec3, q: DVec3| {
        let side = q - p;
        let along = (-p.dot(side) / side.length_squared()).clamp(0.0, 1.0);
        (p + along * side).length_squared()
    };
    let on_sides = to_side(a, b).min(to_side(b, c)).min(to_side(c, a));
    let area = normal.length_squared();
    if area == 0.0 || is_beside(a, b) || is_beside(b, c) || is_beside(c, a) {
        return on_sides;
    }
    (a.dot(normal) * a.dot(normal) / area).min(on_sides)
}

/// The solid angle of a triangle seen from the origin, by Girard's theorem: what its corners' angles on the sphere exceed pi by.
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let corner = |at: DVec3, p: DVec3, q: DVec3| {
        let (p, q) = (at.cross(p), at.cross(q));
        p.cross(q).length().atan2(p.dot(q))
    };
    let excess = corner(a, b, c) + corner(b, c, a) + corner(c, a, b) - std::f64::consts::PI;
    excess.copysign(a.dot(b.cross(c)))
}

/// The distance to the surface, and how often it winds around the point.
pub fn exact(shape: &Shape, p: DVec3) -> (f64, f64) {
    let (mut squared, mut angle) = (f64::INFINITY, 0.0);
    for t in &shape.triangles {
        let corners = t.map(|v| shape.positions[v as usize].as_dvec3() - p);
        squared = squared.min(squared_distance(corners));
        let whole = solid_angle(corners);
        angle += if whole.is_finite() { whole } else { 0.0 };
    }
    (squared.sqrt(), angle / (4.0 * std::f64::consts::PI))
}
