//! Are two disjoint triangles at most a distance apart? Exact for all finite coordinates and distances.
//!
//! Floats settle all but the closest cases. The rest is decided on the same fifteen feature pairs in whole numbers:
//! features count where their closest points are inside both of them, and every comparison is of squares times squares.

use super::Triangle;
use super::integer::{lowest_bit, scaled};
use glam::DVec3;
use num_bigint::BigInt;

/// Relative to the extent of both triangles, far above the rounding of their distance.
const UNSURE: f64 = 1e-10;

/// Whether disjoint triangles, whose distance was computed to be `distance`, are at most `within` apart.
pub(in crate::geometry) fn is_within(
    a: &Triangle,
    b: &Triangle,
    distance: f64,
    within: f64,
) -> bool {
    let extent = a.iter().chain(b).fold(0.0f64, |extent, p| {
        extent.max((*p - a[0]).abs().max_element())
    });
    if (distance - within).abs() > UNSURE * (extent + within) {
        return distance <= within;
    }
    exactly_within(a, b, within)
}

/// Decides in whole numbers alone.
fn exactly_within(a: &Triangle, b: &Triangle, within: f64) -> bool {
    let numbers = a.iter().chain(b).flat_map(|p| p.to_array()).chain([within]);
    let unit = numbers.map(lowest_bit).min().unwrap_or(0).min(0);
    let point = |p: DVec3| Point(p.to_array().map(|x| scaled(x, unit)));
    let (a, b) = (a.map(point), b.map(point));
    let limit = scaled(within, unit).pow(2);
    corners_within(&a, &b, &limit) || corners_within(&b, &a, &limit) || edges_within(&a, &b, &limit)
}

struct Point([BigInt; 3]);

impl Point {
    fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|k| &self.0[k] - &other.0[k]))
    }

    fn dot(&self, other: &Self) -> BigInt {
        (0..3).map(|k| &self.0[k] * &other.0[k]).sum()
    }

    fn cross(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            &self.0[i] * &other.0[j] - &self.0[j] * &other.0[i]
        }))
    }
}

/// `0 <= x <= most`.
fn in_range(x: &BigInt, most: &BigInt) -> bool {
    *x >= BigInt::ZERO && x <= most
}

/// Is a squared distance at most `limit`? A corner of `from` against the corners, the edges and the inside of `onto`.
fn corners_within(from: &[Point; 3], onto: &[Point; 3], limit: &BigInt) -> bool {
    let edges: [Point; 3] = std::array::from_fn(|k| onto[(k + 1) % 3].minus(&onto[k]));
    let normal = edges[0].cross(&edges[1]);
    let area = normal.dot(&normal);
    from.iter().any(|p| {
        let mut inside = area != BigInt::ZERO;
        for (q, edge) in onto.iter().zip(&edges) {
            let offset = p.minus(q);
            let squared = offset.dot(&offset);
            if squared <= *limit {
                return true;
            }
            let (along, length) = (offset.dot(edge), edge.dot(edge));
            if in_range(&along, &length) {
                // |offset|^2 - along^2 / length <= limit
                let across = squared * &length - along.pow(2);
                if across <= limit * &length && length != BigInt::ZERO {
                    return true;
                }
            }
            inside &= normal.cross(edge).dot(&offset) >= BigInt::ZERO;
        }
        let height = normal.dot(&p.minus(&onto[0]));
        inside && height.pow(2) <= limit * &area
    })
}

/// The same for edges whose lines are closest inside both.
fn edges_within(a: &[Point; 3], b: &[Point; 3], limit: &BigInt) -> bool {
    (0..9).any(|pair| {
        let (p, q) = (&a[pair / 3], &b[pair % 3]);
        let (u, v) = (
            a[(pair / 3 + 1) % 3].minus(p),
            b[(pair % 3 + 1) % 3].minus(q),
        );
        let normal = u.cross(&v);
        let area = normal.dot(&normal);
        if area == BigInt::ZERO {
            return false;
        }
        let offset = p.minus(q);
        let (uu, uv, vv) = (u.dot(&u), u.dot(&v), v.dot(&v));
        let (uw, vw) = (u.dot(&offset), v.dot(&offset));
        let along_u = &uv * &vw - vv * &uw;
        let along_v = uu * vw - uv * uw;
        let height = offset.dot(&normal);
        in_range(&along_u, &area) && in_range(&along_v, &area) && height.pow(2) <= limit * &area
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use crate::geometry::triangle::distance::triangle_distance;
    use fixtures::integer_oracle::{Cell, triangles_meet, within as oracle};

    #[test]
    fn agrees_with_the_hull_of_differences_on_a_grid_full_of_ties() {
        let mut random = Random::new(91);
        let mut outcomes = [0; 2];
        for round in 0..4_000 {
            let side = [1, 2, 5, 40][round % 4];
            let flat = round % 5 == 0;
            let mut corner = || -> Cell {
                let mut c = || random.below(2 * side + 1) as i128 - side as i128;
                [c(), c(), if flat { 0 } else { c() }]
            };
            let (a, b) = (
                [corner(), corner(), corner()],
                [corner(), corner(), corner()],
            );
            if triangles_meet(&a, &b) {
                continue;
            }
            let gap = 1 + random.below(side) as i128;
            let expected = oracle(&a, &b, gap, 1);
            outcomes[usize::from(expected)] += 1;
            let scale = [1.0, 2f64.powi(-149), 2f64.powi(40)][round % 3];
            let place = |t: &[Cell; 3]| t.map(|p| DVec3::from(p.map(|x| x as f64)) * scale);
            let (ta, tb) = (place(&a), place(&b));
            let within = gap as f64 * scale;
            let found = triangle_distance(&ta, &tb).distance;
            for (p, q) in [(&ta, &tb), (&tb, &ta)] {
                assert_eq!(exactly_within(p, q, within), expected, "{a:?} {b:?} {gap}");
                assert_eq!(
                    is_within(p, q, found, within),
                    expected,
                    "{a:?} {b:?} {gap}"
                );
            }
        }
        assert!(outcomes.iter().all(|&n| n > 300), "{outcomes:?}");
    }

    #[test]
    fn one_unit_in_the_last_place_decides() {
        let z = |h: f64| {
            [
                DVec3::new(0.0, 0.0, h),
                DVec3::new(4.0, 0.0, h),
                DVec3::new(0.0, 4.0, h),
            ]
        };
        for gap in [3.0f64, 0.1, 1e-30, 7e14] {
            for (within, expected) in [(gap, true), (gap.next_down(), false), (gap.next_up(), true)]
            {
                assert_eq!(
                    is_within(&z(0.0), &z(gap), gap, within),
                    expected,
                    "{gap} {within}"
                );
            }
        }
    }
}
