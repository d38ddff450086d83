//! Whether a closed line, as it is seen from somewhere, touches itself.

use crate::geometry::rounding::magnitude;
use glam::{DVec2, DVec3};

/// Looking along a direction.
pub(super) struct Projection {
    along: DVec3,
    right: DVec3,
    up: DVec3,
    /// Bounds the rounding of [`Projection::turn`], per length of both sides.
    error: f64,
}

impl Projection {
    pub(super) fn along(direction: DVec3) -> Self {
        let along = direction.try_normalize().unwrap_or(DVec3::Z);
        let (right, up) = along.any_orthonormal_pair();
        Self {
            along,
            right,
            up,
            // Two differences, a cross and a dot product: seven roundings of six products at most, each not above the
            // product of the largest components.
            error: 64.0 * f64::EPSILON,
        }
    }

    /// The sign of the turn at `q` on the way from `p` to `r` as it is seen; 0 when rounding could have changed it.
    #[inline]
    pub(super) fn turn(&self, p: DVec3, q: DVec3, r: DVec3) -> i32 {
        let (u, v) = (q - p, r - p);
        let turn = self.along.dot(u.cross(v));
        let error = self.error * u.abs().max_element() * v.abs().max_element();
        i32::from(turn > error) - i32::from(turn < -error)
    }

    /// Where a point is seen.
    #[inline]
    fn see(&self, p: DVec3) -> DVec2 {
        DVec2::new(self.right.dot(p), self.up.dot(p))
    }
}

/// An edge of the line: where it starts, and the box in which it is seen.
struct Edge {
    from: usize,
    min: DVec2,
    max: DVec2,
}

/// Whether the closed line through the points is certainly seen as a simple one: edges meet where one follows the other
/// and nowhere else.
pub(super) fn is_simple(points: &[DVec3], view: &Projection) -> bool {
    let count = points.len();
    // Seen places are off by a few roundings of the coordinates.
    let slack = DVec2::splat(16.0 * f64::EPSILON * magnitude(points.iter().copied()));
    let seen: Vec<DVec2> = points.iter().map(|&p| view.see(p)).collect();
    let mut edges: Vec<Edge> = (0..count)
        .map(|from| {
            let (p, q) = (seen[from], seen[(from + 1) % count]);
            Edge {
                from,
                min: p.min(q) - slack,
                max: p.max(q) + slack,
            }
        })
        .collect();
    edges.sort_unstable_by(|a, b| a.min.x.total_cmp(&b.min.x));
    edges.iter().enumerate().all(|(k, a)| {
        let beside = edges[k + 1..].iter().take_while(|b| b.min.x <= a.max.x);
        beside
            .filter(|b| b.min.y <= a.max.y && a.min.y <= b.max.y)
            .all(|b| are_apart(points, view, a.from, b.from))
    })
}

/// Whether two edges, by their starts, certainly share no more than a common end.
fn are_apart(points: &[DVec3], view: &Projection, a: usize, b: usize) -> bool {
    let count = points.len();
    let at = |k: usize| points[k % count];
    if (a + 1) % count == b {
        return goes_on(view, at(a), at(b), at(b + 1));
    }
    if (b + 1) % count == a {
        return goes_on(view, at(b), at(a), at(a + 1));
    }
    let aside = |p, q, r, s| view.turn(p, q, r) * view.turn(p, q, s) > 0;
    let (p, q, r, s) = (at(a), at(a + 1), at(b), at(b + 1));
    aside(p, q, r, s) || aside(r, s, p, q)
}

/// Whether a line certainly does not fold back on itself at `q`.
fn goes_on(view: &Projection, p: DVec3, q: DVec3, r: DVec3) -> bool {
    let (before, after) = (q - p, r - q);
    // Against their lengths in space: seen from the end, a direction is all rounding.
    let forward = view.see(before).dot(view.see(after)) > 1e-9 * before.length() * after.length();
    forward || view.turn(p, q, r) != 0
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
            let found = is_simple(&points, &Projection::along(DVec3::Z));
            assert!(truth || !found, "{points:?}");
            // On a lattice nothing is in doubt but edges in one line.
            simple += usize::from(found);
            tangled += usize::from(!truth);
        }
        assert!(simple > 300 && tangled > 300, "{simple} {tangled}");
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
        assert!(is_simple(&spiral, &Projection::along(DVec3::Z)));
        assert!(!is_simple(&spiral, &Projection::along(DVec3::X)));
        let straight = [0.0, 1.0, 2.0, 3.0].map(|x| DVec3::new(x, 0.0, 0.0));
        let square = [straight.as_slice(), &[DVec3::new(0.0, 2.0, 0.0)]].concat();
        assert!(is_simple(&square, &Projection::along(DVec3::Z)));
        assert!(!is_simple(&straight, &Projection::along(DVec3::Z)));
    }
}
