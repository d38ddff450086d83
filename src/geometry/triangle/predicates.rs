//! Signs of areas and volumes in exact arithmetic (Shewchuk 1997, through the `robust` crate), and normals that slivers keep.

use glam::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// `u x v`, accurate relative to its own length also when `u` and `v` are nearly parallel (slivers).
pub(crate) fn normal_of(u: DVec3, v: DVec3) -> DVec3 {
    let plain = u.cross(v);
    if plain.length_squared() > 1e-6 * u.length_squared() * v.length_squared() {
        return plain;
    }
    // Kahan's difference of products: the rounding of c d is found by a fused multiply-add and given back.
    let difference = |a: f64, b: f64, c: f64, d: f64| {
        let cd = c * d;
        a.mul_add(b, -cd) + (-c).mul_add(d, cd)
    };
    DVec3::new(
        difference(u.y, v.z, u.z, v.y),
        difference(u.z, v.x, u.x, v.z),
        difference(u.x, v.y, u.y, v.x),
    )
}

/// Exact sign of `(b - a) x (c - a) . (d - a)`.
pub(crate) fn volume_sign(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> i32 {
    sign(-orient3d(coord(a), coord(b), coord(c), coord(d)))
}

#[inline(always)]
fn coord(p: DVec3) -> Coord3D<f64> {
    Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    }
}

/// Exact sign of the area of `abc` after the coordinate `axis` is dropped.
pub(crate) fn area_sign(axis: usize, a: DVec3, b: DVec3, c: DVec3) -> i32 {
    sign(orient2d(
        drop_axis(axis, a),
        drop_axis(axis, b),
        drop_axis(axis, c),
    ))
}

fn drop_axis(axis: usize, p: DVec3) -> Coord<f64> {
    let (x, y) = match axis {
        0 => (p.y, p.z),
        1 => (p.z, p.x),
        _ => (p.x, p.y),
    };
    Coord { x, y }
}

fn sign(x: f64) -> i32 {
    i32::from(x > 0.0) - i32::from(x < 0.0)
}

/// A coordinate whose removal keeps `a`, `b`, `c` non-collinear; `None` when they are collinear.
pub(crate) fn spanning_axis(a: DVec3, b: DVec3, c: DVec3) -> Option<usize> {
    (0..3).find(|&axis| area_sign(axis, a, b, c) != 0)
}
