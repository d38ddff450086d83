//! How the edges of one body cross the triangles of another, without ties.
//!
//! The second body counts as moved by (e, e^2, e^3) with e above zero and smaller than anything (simulation of simplicity, Edelsbrunner and
//! Muecke 1990, by one translation). So no vertex of one body lies on a face of the other and no edges touch, and because all decisions
//! are about the same moved body, they agree with each other.

use super::Triangle;
use super::integer::{lowest_bit, scaled};
use super::predicates::{area_sign, volume_sign};
use glam::DVec3;
use num_bigint::BigInt;

/// Which of the two bodies something belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The one that stays.
    First,
    /// The one that is moved by less than anything.
    Second,
}

impl Owner {
    /// What the move adds to what is seen of a point of this body from the other one: its sign.
    fn sign(self) -> i32 {
        match self {
            Self::First => -1,
            Self::Second => 1,
        }
    }
}

/// The side of a triangle's plane that a point of the other body is on: 1 above, -1 below; 0 only for a triangle without area.
pub fn side(owner: Owner, p: DVec3, [a, b, c]: &Triangle) -> i32 {
    let exact = volume_sign(*a, *b, *c, p);
    if exact != 0 {
        return exact;
    }
    let normal = (0..3).map(|axis| area_sign(axis, *a, *b, *c));
    owner.sign() * first(normal)
}

/// The sign of the volume of an edge of one body and an edge of the other; 0 only for edges that are parallel.
fn edges_sign(owner: Owner, [p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> i32 {
    let exact = volume_sign(p, q, r, s);
    if exact != 0 {
        return exact;
    }
    // The derivative of the volume as r and s move together.
    -owner.sign() * first((0..3).map(|axis| cross_sign(axis, [p, q], [s, r])))
}

/// How an edge from `p` to `q` crosses a triangle of the other body: 1 from above to below, into the body whose outer side is above; -1 out of
/// it; 0 when it does not.
pub fn crossing(owner: Owner, [p, q]: [DVec3; 2], triangle: &Triangle) -> i32 {
    let sides = [side(owner, p, triangle), side(owner, q, triangle)];
    crossing_between(owner, [p, q], sides, triangle)
}

/// [`crossing`], when it is known which sides of the triangle the ends are on.
pub fn crossing_between(
    owner: Owner,
    [p, q]: [DVec3; 2],
    sides: [i32; 2],
    [a, b, c]: &Triangle,
) -> i32 {
    if sides[0] * sides[1] >= 0 {
        return 0;
    }
    let around = |r: DVec3, s: DVec3| edges_sign(owner, [p, q], [r, s]);
    let turn = around(*a, *b);
    if turn == 0 || around(*b, *c) != turn || around(*c, *a) != turn {
        return 0;
    }
    sides[0]
}

/// The sign of (e, e^2, e^3) times a vector whose coordinates have these signs.
fn first(signs: impl Iterator<Item = i32>) -> i32 {
    signs.into_iter().find(|sign| *sign != 0).unwrap_or(0)
}

/// The exact sign of a coordinate of `(q - p) x (s - r)`.
fn cross_sign(axis: usize, [p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> i32 {
    let (y, z) = ((axis + 1) % 3, (axis + 2) % 3);
    let numbers = [p, q, r, s].map(|v| [v[y], v[z]]);
    let unit = (numbers.as_flattened().iter())
        .map(|n| lowest_bit(*n))
        .min()
        .unwrap_or(0);
    if unit == i32::MAX {
        return 0;
    }
    let [p, q, r, s] = numbers.map(|v| v.map(|n| scaled(n, unit)));
    let difference = |a: &[BigInt; 2], b: &[BigInt; 2]| [&a[0] - &b[0], &a[1] - &b[1]];
    let ([uy, uz], [vy, vz]) = (difference(&q, &p), difference(&s, &r));
    let (left, right) = (uy * vz, uz * vy);
    left.cmp(&right) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    /// On a grid full of ties, what is said is what plain doubles say after a real, small move.
    #[test]
    fn ties_are_decided_as_after_a_small_move() {
        let mut random = Random::new(7);
        // Powers of two, so that the move is exact.
        let shift = DVec3::new(1.0 / 1024.0, 1.0 / 1_048_576.0, 1.0 / 1_073_741_824.0);
        let (mut crossings, mut ties) = (0, 0);
        for _ in 0..20_000 {
            let mut point = || DVec3::from_array([0; 3].map(|_| random.below(3) as f64));
            let triangle = [point(), point(), point()];
            let edge = [point(), point()];
            for owner in [Owner::First, Owner::Second] {
                let moved = |v: DVec3, of: Owner| if of == Owner::Second { v + shift } else { v };
                let other = match owner {
                    Owner::First => Owner::Second,
                    Owner::Second => Owner::First,
                };
                let far = triangle.map(|v| moved(v, other));
                let ends = edge.map(|v| moved(v, owner));
                let plain = |p: DVec3| volume_sign(far[0], far[1], far[2], p);
                for (at, end) in edge.iter().zip(ends) {
                    assert_eq!(
                        side(owner, *at, &triangle),
                        plain(end),
                        "{edge:?} {triangle:?}"
                    );
                }
                let sides = ends.map(plain);
                let turns =
                    [0, 1, 2].map(|k| volume_sign(ends[0], ends[1], far[k], far[(k + 1) % 3]));
                let crosses = sides[0] * sides[1] < 0
                    && turns[0] != 0
                    && turns.iter().all(|turn| *turn == turns[0]);
                let expected = if crosses { sides[0] } else { 0 };
                assert_eq!(
                    crossing(owner, edge, &triangle),
                    expected,
                    "{edge:?} {triangle:?}"
                );
                crossings += expected.abs();
                let [a, b, c] = triangle;
                ties += i32::from(edge.iter().any(|p| volume_sign(a, b, c, *p) == 0));
            }
        }
        assert!(crossings > 1000 && ties > 10_000, "{crossings} {ties}");
    }
}
