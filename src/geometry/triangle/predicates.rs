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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::positions::SMALLEST_COORDINATE;
    use crate::geometry::random::{Random, cases};
    use crate::geometry::triangle::integer::{lowest_bit, scaled};
    use num_bigint::{BigInt, Sign};

    /// The sign of `(b - a) x (c - a) . (d - a)` in whole numbers of any size.
    fn volume_of_integers(points: [DVec3; 4]) -> i32 {
        let numbers = points.map(|p| p.to_array());
        let unit = numbers.as_flattened().iter().map(|x| lowest_bit(*x)).min();
        let [a, b, c, d] = numbers.map(|p| p.map(|x| scaled(x, unit.unwrap_or(0).min(0))));
        let from_a = |p: &[BigInt; 3]| [0, 1, 2].map(|k| &p[k] - &a[k]);
        let (u, v, w) = (from_a(&b), from_a(&c), from_a(&d));
        let volume: BigInt = (0..3)
            .map(|k| {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                (&u[i] * &v[j] - &u[j] * &v[i]) * &w[k]
            })
            .sum();
        match volume.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// Points of a plane, off it by what rounding leaves: all digits of doubles are used, near the origin, far from it, and of very
    /// different sizes.
    #[test]
    fn volumes_of_doubles_have_the_signs_of_the_integers() {
        let mut random = Random::new(1500);
        let mut signs = [0; 3];
        for round in 0..cases(20_000) {
            let scale = [1.0, 1e-24, 1e14, 3e-7][round % 4];
            let shift = random.in_cube() * [0.0, 1e7, 1.0][round % 3] * scale;
            let mut point = || shift + random.in_cube() * scale * [1.0, 1e-9][round % 5 / 4];
            let (a, b, c) = (point(), point(), point());
            let d = match round % 7 {
                0 => point(),
                1 => a + (b - a) * 0.5,
                2 => c,
                _ => a + (b - a) * random.signed() + (c - a) * random.signed(),
            };
            let points = [a, b, c, d].map(crate::geometry::positions::settled);
            let [a, b, c, d] = points;
            let expected = volume_of_integers(points);
            assert_eq!(volume_sign(a, b, c, d), expected, "{points:?}");
            signs[(expected + 1) as usize] += 1;
        }
        assert!(signs.iter().all(|&n| n > 100), "{signs:?}");
    }

    /// The smallest coordinates that meshes of doubles have, with all digits: a product of three is far from underflow.
    #[test]
    fn the_smallest_doubles_that_count_decide() {
        let tiny = SMALLEST_COORDINATE * (1.0 + f64::EPSILON);
        let step = DVec3::new(tiny, 0.0, 0.0);
        for (height, sign) in [(tiny, 1), (0.0, 0), (-tiny, -1)] {
            let points = [
                DVec3::ZERO,
                step,
                DVec3::new(0.0, tiny, 0.0),
                DVec3::new(tiny, tiny, height),
            ];
            let [a, b, c, d] = points;
            assert_eq!(volume_of_integers(points), sign);
            assert_eq!(volume_sign(a, b, c, d), sign);
        }
    }
}
