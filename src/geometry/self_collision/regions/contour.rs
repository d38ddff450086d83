//! Whether a closed line, as it is seen from somewhere, touches itself: one that rests, or one on its way.

use crate::memory::Gather;
use glam::{DVec2, DVec3};

/// Looking along a direction.
pub(super) struct Projection {
    along: DVec3,
    right: DVec3,
    up: DVec3,
    /// How far coordinates of points may be from where they are, for what is off before it is seen.
    slack: f64,
}

/// Bounds the rounding of a turn, per length of both sides: two differences, a cross and a dot product are seven roundings of six products at
/// most, each not above the product of the largest components.
const ERROR: f64 = 64.0 * f64::EPSILON;

impl Projection {
    pub(super) fn along(direction: DVec3, slack: f64) -> Self {
        let along = direction.try_normalize().unwrap_or(DVec3::Z);
        let (right, up) = along.any_orthonormal_pair();
        Self {
            along,
            right,
            up,
            slack,
        }
    }

    /// What a turn between sides of these lengths may be off by. Sides are off by twice the slack on each axis; each component of their cross
    /// product has two products of one exact side and one such error for each side, and those of a unit vector add up to 1.74.
    #[inline]
    fn error(&self, u: f64, v: f64) -> f64 {
        ERROR * u * v + 8.0 * self.slack * (u + v)
    }

    /// Where a point is seen.
    #[inline]
    fn see(&self, p: DVec3) -> DVec2 {
        DVec2::new(self.right.dot(p), self.up.dot(p))
    }
}

/// A point that is seen: at one place, or on its way from one place to another.
pub(super) trait Seen: Copy {
    /// Where it is, or where it is halfway.
    fn middle(self) -> DVec3;

    /// The box in which it is seen.
    fn range(self, view: &Projection) -> [DVec2; 2];

    /// Its largest coordinate.
    fn magnitude(self) -> f64;

    /// The sign of the turn at `q` on the way from `p` to `r` as it is seen, all the time; 0 when rounding could have changed it, or time.
    fn turn(view: &Projection, p: Self, q: Self, r: Self) -> i32;

    /// Whether a line certainly goes forward at `q` as it is seen.
    fn forward(view: &Projection, p: Self, q: Self, r: Self) -> bool;
}

impl Seen for DVec3 {
    fn middle(self) -> DVec3 {
        self
    }

    #[inline]
    fn range(self, view: &Projection) -> [DVec2; 2] {
        [view.see(self); 2]
    }

    fn magnitude(self) -> f64 {
        self.abs().max_element()
    }

    #[inline]
    fn turn(view: &Projection, p: Self, q: Self, r: Self) -> i32 {
        let (u, v) = (q - p, r - p);
        let turn = view.along.dot(u.cross(v));
        let error = view.error(u.magnitude(), v.magnitude());
        i32::from(turn > error) - i32::from(turn < -error)
    }

    fn forward(view: &Projection, p: Self, q: Self, r: Self) -> bool {
        let (before, after) = (q - p, r - q);
        let (length, next) = (before.length(), after.length());
        // Against their lengths in space: seen from the end, a direction is all rounding.
        let least = 1e-9 * length * next + view.error(length, next);
        view.see(before).dot(view.see(after)) > least
    }
}

/// On a straight way all products are polynomials of the second degree in time, between the least and the greatest of their three
/// coefficients in the basis of Bernstein (the continuous normal cones of Tang et al. 2009 are the same bound).
impl Seen for [DVec3; 2] {
    fn middle(self) -> DVec3 {
        0.5 * (self[0] + self[1])
    }

    #[inline]
    fn range(self, view: &Projection) -> [DVec2; 2] {
        let [from, to] = self.map(|p| view.see(p));
        [from.min(to), from.max(to)]
    }

    fn magnitude(self) -> f64 {
        self[0].magnitude().max(self[1].magnitude())
    }

    #[inline]
    fn turn(view: &Projection, p: Self, q: Self, r: Self) -> i32 {
        let u = [q[0] - p[0], q[1] - p[1]];
        let v = [r[0] - p[0], r[1] - p[1]];
        let turn = |u: DVec3, v: DVec3| view.along.dot(u.cross(v));
        let [first, last] = [turn(u[0], v[0]), turn(u[1], v[1])];
        let between = 0.5 * (turn(u[0], v[1]) + turn(u[1], v[0]));
        let error = view.error(u.magnitude(), v.magnitude());
        let (least, most) = (first.min(last).min(between), first.max(last).max(between));
        i32::from(least > error) - i32::from(most < -error)
    }

    fn forward(view: &Projection, p: Self, q: Self, r: Self) -> bool {
        let before = [q[0] - p[0], q[1] - p[1]];
        let after = [r[0] - q[0], r[1] - q[1]];
        let longest = |way: [DVec3; 2]| way[0].length().max(way[1].length());
        let (length, next) = (longest(before), longest(after));
        let least = 1e-9 * length * next + view.error(length, next);
        let along = |a: DVec3, b: DVec3| view.see(a).dot(view.see(b));
        let between = 0.5 * (along(before[0], after[1]) + along(before[1], after[0]));
        let ends = along(before[0], after[0]).min(along(before[1], after[1]));
        ends.min(between) > least
    }
}

/// An edge of the line: where it starts, and the box in which it is seen.
struct Edge {
    from: usize,
    min: DVec2,
    max: DVec2,
}

/// Whether the closed line through the points is certainly seen as a simple one: edges meet where one follows the other
/// and nowhere else, all the time.
pub(super) fn is_simple<P: Seen>(points: &[P], view: &Projection) -> bool {
    let count = points.len();
    // Seen places are off by a few roundings of the coordinates.
    let largest = points
        .iter()
        .fold(0.0, |most: f64, p| most.max(p.magnitude()));
    let slack = DVec2::splat(16.0 * f64::EPSILON * largest + 2.0 * view.slack);
    let seen: Vec<[DVec2; 2]> = points.iter().map(|&p| p.range(view)).gather();
    let mut edges: Vec<Edge> = (0..count)
        .map(|from| {
            let (p, q) = (seen[from], seen[(from + 1) % count]);
            Edge {
                from,
                min: p[0].min(q[0]) - slack,
                max: p[1].max(q[1]) + slack,
            }
        })
        .gather();
    edges.sort_unstable_by(|a, b| a.min.x.total_cmp(&b.min.x));
    edges.iter().enumerate().all(|(k, a)| {
        let beside = edges[k + 1..].iter().take_while(|b| b.min.x <= a.max.x);
        beside
            .filter(|b| b.min.y <= a.max.y && a.min.y <= b.max.y)
            .all(|b| are_apart(points, view, a.from, b.from))
    })
}

/// Whether two edges, by their starts, certainly share no more than a common end.
fn are_apart<P: Seen>(points: &[P], view: &Projection, a: usize, b: usize) -> bool {
    let count = points.len();
    let at = |k: usize| points[k % count];
    if (a + 1) % count == b {
        return goes_on(view, at(a), at(b), at(b + 1));
    }
    if (b + 1) % count == a {
        return goes_on(view, at(b), at(a), at(a + 1));
    }
    let aside = |p, q, r, s| P::turn(view, p, q, r) * P::turn(view, p, q, s) > 0;
    let (p, q, r, s) = (at(a), at(a + 1), at(b), at(b + 1));
    aside(p, q, r, s) || aside(r, s, p, q)
}

/// Whether a line certainly does not fold back on itself at `q`.
fn goes_on<P: Seen>(view: &Projection, p: P, q: P, r: P) -> bool {
    P::forward(view, p, q, r) || P::turn(view, p, q, r) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::{Random, cases};
    use crate::geometry::triangle::predicates::area_sign;

    /// Whether two segments of the plane z = 0 with lattice ends share a point, exactly.
    fn share(p: DVec3, q: DVec3, r: DVec3, s: DVec3) -> bool {
        let turn = |a, b, c| area_sign(2, a, b, c);
        let on = |a: DVec3, b: DVec3, c: DVec3| {
            turn(a, b, c) == 0 && c.cmpge(a.min(b)).all() && c.cmple(a.max(b)).all()
        };
        let crosses = turn(p, q, r) * turn(p, q, s) < 0 && turn(r, s, p) * turn(r, s, q) < 0;
        crosses || on(p, q, r) || on(p, q, s) || on(r, s, p) || on(r, s, q)
    }

    #[test]
    fn lines_that_touch_themselves_are_never_called_simple() {
        let mut random = Random::new(62);
        let (mut simple, mut tangled) = (0, 0);
        for round in 0..cases(4000) {
            let (count, side) = (3 + random.below(6), [3, 5, 30][round % 3]);
            let mut lattice = || random.below(side) as f64;
            let points: Vec<DVec3> = (0..count)
                .map(|_| DVec3::new(lattice(), lattice(), 0.0))
                .collect();
            let at = |k: usize| points[k % count];
            let apart = |a: usize, b: usize| !share(at(a), at(a + 1), at(b), at(b + 1));
            let no_fold = |a: usize| {
                let (p, q, r) = (at(a), at(a + 1), at(a + 2));
                area_sign(2, p, q, r) != 0 || (q - p).dot(r - q) > 0.0
            };
            let truth = (0..count).all(no_fold)
                && (0..count).all(|a| (a + 2..count).all(|b| (b + 1) % count == a || apart(a, b)));
            let found = is_simple(&points, &Projection::along(DVec3::Z, 0.0));
            assert!(truth || !found, "{points:?}");
            // On a lattice nothing is in doubt but edges in one line.
            simple += usize::from(found);
            tangled += usize::from(!truth);
        }
        assert!(simple > 300 && tangled > 300, "{simple} {tangled}");
    }

    /// On the way from one lattice to another, at times that are exact.
    #[test]
    fn lines_that_touch_themselves_on_their_way_are_never_called_simple() {
        let mut random = Random::new(63);
        let (mut simple, mut between) = (0, 0);
        for round in 0..cases(4000) {
            let (count, side) = (3 + random.below(4), [4, 30, 30][round % 3]);
            let mut lattice = || random.below(side) as f64;
            let mut points = || -> Vec<DVec3> {
                (0..count)
                    .map(|_| DVec3::new(lattice(), lattice(), 0.0))
                    .collect()
            };
            let (from, by) = (points(), points());
            // Most lines keep their form roughly.
            let part = [1.0, 0.25, 0.125][round % 3];
            let ways: Vec<[DVec3; 2]> = (0..count)
                .map(|k| [from[k], from[k] + by[k] * part])
                .collect();
            let touches = |step: i32| {
                let at =
                    |k: usize| ways[k % count][0].lerp(ways[k % count][1], f64::from(step) / 64.0);
                let fold = |a: usize| {
                    let (p, q, r) = (at(a), at(a + 1), at(a + 2));
                    area_sign(2, p, q, r) == 0 && (q - p).dot(r - q) <= 0.0
                };
                let meet = |a: usize, b: usize| {
                    (b + 1) % count != a && share(at(a), at(a + 1), at(b), at(b + 1))
                };
                (0..count).any(fold) || (0..count).any(|a| (a + 2..count).any(|b| meet(a, b)))
            };
            let found = is_simple(&ways, &Projection::along(DVec3::Z, 0.0));
            let touched = (0..=64).any(touches);
            assert!(!(touched && found), "{ways:?}");
            simple += usize::from(found);
            between += usize::from(touched && !touches(0) && !touches(64));
        }
        assert!(simple > 300 && between > 20, "{simple} {between}");
    }

    #[test]
    fn a_spiral_is_simple_and_a_fold_is_not() {
        let spiral: Vec<DVec3> = (0..100)
            .map(|k| (k, 1.0))
            .chain((0..100).rev().map(|k| (k, 1.4)))
            .map(|(k, out)| {
                let angle = 0.2 * f64::from(k);
                DVec3::new(angle.cos(), angle.sin(), 0.3) * (out + 0.2 * angle)
            })
            .collect();
        assert!(is_simple(&spiral, &Projection::along(DVec3::Z, 0.0)));
        assert!(!is_simple(&spiral, &Projection::along(DVec3::X, 0.0)));
        let straight = [0.0, 1.0, 2.0, 3.0].map(|x| DVec3::new(x, 0.0, 0.0));
        let square = [straight.as_slice(), &[DVec3::new(0.0, 2.0, 0.0)]].concat();
        assert!(is_simple(&square, &Projection::along(DVec3::Z, 0.0)));
        assert!(!is_simple(&straight, &Projection::along(DVec3::Z, 0.0)));
    }
}
