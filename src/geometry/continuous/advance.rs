//! How long two moving features certainly stay apart: a vertex and a face, or two edges, each corner on a straight line.
//!
//! Conservative advancement, in the spirit of additive CCD (Li et al. 2021): the features cannot meet while a fixed
//! direction separates them. Corners move linearly, so the gap along a direction is the least of a few linear functions
//! of time, and its first zero is known in closed form. Each step goes that far; nothing is skipped, so arriving at the
//! end of the interval is a proof.

use crate::geometry::rounding::magnitude;
use crate::geometry::triangle::closest::on_triangle;
use crate::geometry::triangle::distance::{ClosestPair, segment_distance, triangle_distance};
use glam::DVec3;

/// A point, segment or triangle whose corners move from `start` by `travel`; unused corners repeat the first.
#[derive(Clone, Copy, Debug)]
pub struct MovingHull {
    /// Corners at time 0.
    pub start: [DVec3; 3],
    /// What each corner moves by until time 1.
    pub travel: [DVec3; 3],
    corners: usize,
}

impl MovingHull {
    /// A triangle from positions at time 0 and 1.
    pub fn new(start: [DVec3; 3], end: [DVec3; 3]) -> Self {
        Self {
            start,
            travel: [0, 1, 2].map(|k| end[k] - start[k]),
            corners: 3,
        }
    }

    /// The corners at a time.
    #[inline]
    pub fn at(&self, time: f64) -> [DVec3; 3] {
        [0, 1, 2].map(|k| self.start[k] + self.travel[k] * time)
    }

    /// One corner as a hull.
    pub fn corner(&self, k: usize) -> Self {
        Self {
            start: [self.start[k]; 3],
            travel: [self.travel[k]; 3],
            corners: 1,
        }
    }

    /// The edge from corner `k` to the next as a hull.
    pub fn edge(&self, k: usize) -> Self {
        let pick = |p: &[DVec3; 3]| [p[k], p[(k + 1) % 3], p[k]];
        Self {
            start: pick(&self.start),
            travel: pick(&self.travel),
            corners: 2,
        }
    }

    fn closest(&self, other: &Self, time: f64) -> ClosestPair {
        let (a, b) = (self.at(time), other.at(time));
        let pair = |a: DVec3, b: DVec3| ClosestPair {
            distance: a.distance(b),
            a,
            b,
        };
        match (self.corners, other.corners) {
            (1, 3) => pair(a[0], on_triangle(a[0], b).0),
            (3, 1) => pair(on_triangle(b[0], a).0, b[0]),
            (3, 3) => triangle_distance(&a, &b),
            _ => segment_distance([a[0], a[1]], [b[0], b[1]]),
        }
    }

    fn magnitude(&self) -> f64 {
        let ends = (0..3).flat_map(|k| [self.start[k], self.start[k] + self.travel[k]]);
        magnitude(ends)
    }
}

/// Steps after which the features are reported as meeting: they have crept along just above the tolerance.
const STEPS: usize = 4096;

/// The first time after `from` at which two hulls are within `tolerance`, not after they first touch, and where; None is
/// a proof that they do not touch until `limit`. A point pairs with a triangle, a segment with a segment.
pub fn first_contact(
    a: &MovingHull,
    b: &MovingHull,
    tolerance: f64,
    from: f64,
    limit: f64,
) -> Option<(f64, ClosestPair)> {
    // Bounds what rounding does to positions, distances and gaps.
    let rounding = 64.0 * f64::EPSILON * a.magnitude().max(b.magnitude());
    let tolerance = tolerance.max(4.0 * rounding);
    let keep = 0.5 * tolerance;
    let mut time = from;
    for _ in 0..STEPS {
        let closest = a.closest(b, time);
        if closest.distance <= tolerance {
            return Some((time, closest));
        }
        let direction = (closest.a - closest.b) / closest.distance;
        time += separated_for(a, b, time, direction, keep + rounding).max(0.0);
        if time >= limit {
            return None;
        }
    }
    Some((time, a.closest(b, time)))
}

/// For how long after `time` the gap along `direction` stays above `keep`.
fn separated_for(a: &MovingHull, b: &MovingHull, time: f64, direction: DVec3, keep: f64) -> f64 {
    let lines = |h: &MovingHull| {
        let at = h.at(time);
        [0, 1, 2].map(|k| (direction.dot(at[k]), direction.dot(h.travel[k])))
    };
    let (lines_a, lines_b) = (lines(a), lines(b));
    let mut soonest = f64::INFINITY;
    for (height_a, speed_a) in lines_a.into_iter().take(a.corners) {
        for (height_b, speed_b) in lines_b.into_iter().take(b.corners) {
            let (gap, closing) = (height_a - height_b - keep, speed_b - speed_a);
            if closing > 0.0 {
                soonest = soonest.min(gap / closing);
            } else if gap < 0.0 {
                return 0.0;
            }
        }
    }
    soonest
}

/// True when one of a few directions separates two triangles by more than `margin` at both times, and so in between.
pub fn always_apart(a: &MovingHull, b: &MovingHull, margin: f64, from: f64, to: f64) -> bool {
    let (start_a, start_b, end_a, end_b) = (a.at(from), b.at(from), a.at(to), b.at(to));
    let middle = |h: &[DVec3; 3]| h[0] + h[1] + h[2];
    let normal = |h: &[DVec3; 3]| (h[1] - h[0]).cross(h[2] - h[0]);
    let rounding = 64.0 * f64::EPSILON * a.magnitude().max(b.magnitude());
    let separates = |d: DVec3| {
        let needed = (margin + rounding) * d.length();
        let range = |h: &[DVec3; 3]| {
            let [x, y, z] = h.map(|p| d.dot(p));
            (x.min(y).min(z), x.max(y).max(z))
        };
        let ((low_a, high_a), (low_b, high_b)) = (range(&start_a), range(&start_b));
        let ((low_c, high_c), (low_d, high_d)) = (range(&end_a), range(&end_b));
        (low_a - high_b > needed && low_c - high_d > needed)
            || (low_b - high_a > needed && low_d - high_c > needed)
    };
    separates(middle(&start_a) - middle(&start_b))
        || separates(normal(&start_a))
        || separates(normal(&start_b))
        || separates(middle(&end_a) - middle(&end_b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::{Random, cases};
    use crate::geometry::triangle::intersection::triangles_intersect;
    use glam::dvec3;

    #[test]
    fn a_falling_point_meets_the_floor_on_time() {
        let floor = [
            dvec3(-1.0, -1.0, 0.0),
            dvec3(3.0, -1.0, 0.0),
            dvec3(-1.0, 3.0, 0.0),
        ];
        let floor = MovingHull::new(floor, floor);
        for (from, to, expected) in [
            (1.0, -1.0, Some(0.5)),
            (3.0, -1.0, Some(0.75)),
            (1.0, 0.5, None),
            (2.0, 0.0, Some(1.0)),
        ] {
            let point = MovingHull::new([dvec3(0.2, 0.1, from); 3], [dvec3(0.2, 0.1, to); 3]);
            let found = first_contact(&point.corner(0), &floor, 1e-9, 0.0, 1.0 + 1e-12);
            match expected {
                None => assert!(found.is_none()),
                Some(time) => {
                    let (t, closest) = found.unwrap();
                    assert!(
                        t <= time && t >= time - 1e-8 && closest.distance <= 1e-9,
                        "{t} {time}"
                    );
                }
            }
        }
    }

    #[test]
    fn crossing_edges_meet_on_time() {
        let a = MovingHull::new(
            [
                dvec3(-1.0, 0.0, 1.0),
                dvec3(1.0, 0.0, 1.0),
                dvec3(-1.0, 0.0, 1.0),
            ],
            [
                dvec3(-1.0, 0.0, -3.0),
                dvec3(1.0, 0.0, -3.0),
                dvec3(-1.0, 0.0, -3.0),
            ],
        );
        let still = [
            dvec3(0.0, -1.0, 0.0),
            dvec3(0.0, 1.0, 0.0),
            dvec3(0.0, -1.0, 0.0),
        ];
        let (t, _) = first_contact(
            &a.edge(0),
            &MovingHull::new(still, still).edge(0),
            1e-10,
            0.0,
            1.0,
        )
        .unwrap();
        assert!((t - 0.25).abs() < 1e-9 && t <= 0.25);
    }

    /// Signed volume of the four corners at a time: a vertex and a face, or two edges, can only touch where it is 0.
    fn volume(corners: &[(DVec3, DVec3); 4], t: f64) -> f64 {
        let [p, q, r, s] = corners.map(|(from, travel)| from + travel * t);
        (q - p).cross(r - p).dot(s - p)
    }

    /// All roots of the cubic that sampling and bisection separate: independent of any distance.
    fn roots(corners: &[(DVec3, DVec3); 4]) -> Vec<f64> {
        let n = 400;
        let mut found = Vec::new();
        for k in 0..n {
            let (mut low, mut high) =
                (f64::from(k) / f64::from(n), f64::from(k + 1) / f64::from(n));
            if volume(corners, low) * volume(corners, high) > 0.0 {
                continue;
            }
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if volume(corners, low) * volume(corners, middle) <= 0.0 {
                    high = middle
                } else {
                    low = middle
                }
            }
            found.push(high);
        }
        found
    }

    #[test]
    fn no_contact_of_random_features_is_missed_or_invented() {
        let mut random = Random::new(70);
        let (mut hits, mut proofs) = (0, 0);
        for round in 0..cases(6000) {
            let scale = [1.0, 1e-6, 1e6][round % 3];
            let mut any = || (random.in_cube() * scale).as_vec3().as_dvec3();
            let (a, b) = (
                MovingHull::new([any(), any(), any()], [any(), any(), any()]),
                MovingHull::new([any(), any(), any()], [any(), any(), any()]),
            );
            let (a, b, corners) = if round % 2 == 0 {
                let list = [
                    (a.start[0], a.travel[0]),
                    (b.start[0], b.travel[0]),
                    (b.start[1], b.travel[1]),
                    (b.start[2], b.travel[2]),
                ];
                (a.corner(0), b, list)
            } else {
                let list = [
                    (a.start[0], a.travel[0]),
                    (a.start[1], a.travel[1]),
                    (b.start[0], b.travel[0]),
                    (b.start[1], b.travel[1]),
                ];
                (a.edge(0), b.edge(0), list)
            };
            let tolerance = 1e-6 * scale;
            // Of the coplanar moments, the first where the features are together.
            let truth = roots(&corners)
                .into_iter()
                .find(|&t| triangle_distance(&a.at(t), &b.at(t)).distance < 1e-10 * scale);
            match (first_contact(&a, &b, tolerance, 0.0, 1.0), truth) {
                (Some((t, closest)), truth) => {
                    hits += 1;
                    assert!(closest.distance <= tolerance * 1.01, "{closest:?}");
                    assert!(
                        truth.is_none_or(|truth| t <= truth + 1e-12),
                        "{t} {truth:?}"
                    );
                }
                (None, truth) => {
                    proofs += 1;
                    assert!(truth.is_none(), "missed {truth:?}");
                    for k in 0..=50 {
                        let t = f64::from(k) / 50.0;
                        assert!(!triangles_intersect(&a.at(t), &b.at(t)));
                    }
                }
            }
            if always_apart(&a, &b, 0.0, 0.0, 1.0) {
                assert!(truth.is_none());
            }
        }
        assert!(hits > 500 && proofs > 500, "{hits} hits, {proofs} proofs");
    }

    #[test]
    fn features_that_start_together_or_stand_still_are_handled() {
        let t = [
            dvec3(0.0, 0.0, 0.0),
            dvec3(1.0, 0.0, 0.0),
            dvec3(0.0, 1.0, 0.0),
        ];
        let still = MovingHull::new(t, t);
        let on = MovingHull::new([dvec3(0.2, 0.2, 0.0); 3], [dvec3(0.2, 0.2, 5.0); 3]);
        assert_eq!(
            first_contact(&on.corner(0), &still, 1e-9, 0.0, 1.0)
                .unwrap()
                .0,
            0.0
        );
        let off = MovingHull::new([dvec3(0.2, 0.2, 0.1); 3], [dvec3(0.2, 0.2, 0.1); 3]);
        assert!(first_contact(&off.corner(0), &still, 1e-9, 0.0, 1.0).is_none());
        // Sliding along above the face at twice the tolerance.
        let slide = MovingHull::new([dvec3(-1.0, 0.2, 2e-6); 3], [dvec3(2.0, 0.2, 2e-6); 3]);
        assert!(first_contact(&slide.corner(0), &still, 1e-6, 0.0, 1.0).is_none());
    }
}
