//! Do two triangles share a point? Exact for the coordinates that [`Triangle`] promises it for.
//!
//! A triangle is the closed convex hull of its three points, so a degenerate one is a segment or a point and is
//! treated as such. Sharing any point counts: crossing, touching at a vertex or an edge, and overlapping in a plane.
//! All decisions are signs of determinants in exact arithmetic (Shewchuk 1997, through the `robust` crate); only the
//! coordinates of the intersection segment are rounded.

use super::Triangle;
use super::general_position::GeneralPosition;
use super::predicates::{area_sign, normal_of, spanning_axis, volume_sign};
use glam::DVec3;

/// The supporting plane of a triangle, with an error bound that settles most sides without exact arithmetic.
struct Plane<'a> {
    triangle: &'a Triangle,
    normal: DVec3,
    error: f64,
}

impl<'a> Plane<'a> {
    #[inline]
    fn new(triangle: &'a Triangle) -> Self {
        let (u, v) = (triangle[1] - triangle[0], triangle[2] - triangle[0]);
        // Shewchuk's stage A bound is (7 + 56 eps) eps times the permanent; the permanent is at most 6 |u| |v| |w|.
        let error = 24.0 * f64::EPSILON * u.abs().max_element() * v.abs().max_element();
        Self {
            triangle,
            normal: normal_of(u, v),
            error,
        }
    }

    /// Signed height of `p`, scaled by twice the triangle's area.
    fn height(&self, p: DVec3) -> f64 {
        self.normal.dot(p - self.triangle[0])
    }

    /// The exact sign of [`Self::height`].
    #[inline]
    fn side(&self, p: DVec3) -> i32 {
        let w = p - self.triangle[0];
        let (height, error) = (self.normal.dot(w), self.error * w.abs().max_element());
        if height > error {
            1
        } else if height < -error {
            -1
        } else {
            volume_sign(self.triangle[0], self.triangle[1], self.triangle[2], p)
        }
    }

    fn sides(&self, other: &Triangle) -> [i32; 3] {
        [
            self.side(other[0]),
            self.side(other[1]),
            self.side(other[2]),
        ]
    }
}

/// True when the two triangles share at least one point.
pub fn triangles_intersect(a: &Triangle, b: &Triangle) -> bool {
    match GeneralPosition::of(a, b) {
        GeneralPosition::Apart => false,
        GeneralPosition::Crossing(_) => true,
        GeneralPosition::Unclear => triangles_intersect_exactly(a, b),
    }
}

#[cold]
fn triangles_intersect_exactly(a: &Triangle, b: &Triangle) -> bool {
    match PlaneSides::of(a, b) {
        None => false,
        Some(PlaneSides::Special) => !shared_points(a, b, true).is_empty(),
        Some(PlaneSides::Crossing { sides }) => intervals_overlap(a, sides[0], b, sides[1]),
    }
}

/// How two triangles lie to each other's planes, when neither is wholly on one side.
enum PlaneSides {
    /// A corner is in the other's plane.
    Special,
    /// All corners are off the other's plane, on these sides of it.
    Crossing { sides: [[i32; 3]; 2] },
}

impl PlaneSides {
    fn of(a: &Triangle, b: &Triangle) -> Option<Self> {
        let sides_a = Plane::new(b).sides(a);
        if apart(sides_a) {
            return None;
        }
        let sides_b = Plane::new(a).sides(b);
        if apart(sides_b) {
            return None;
        }
        if sides_a.contains(&0) || sides_b.contains(&0) {
            return Some(Self::Special);
        }
        Some(Self::Crossing {
            sides: [sides_a, sides_b],
        })
    }
}

/// The points that two triangles share, as the segment between the farthest two of them; `None` when they are
/// disjoint. Triangles that overlap in an area give the longest chord between corners of the overlap.
pub fn triangle_intersection(a: &Triangle, b: &Triangle) -> Option<[DVec3; 2]> {
    match GeneralPosition::of(a, b) {
        GeneralPosition::Apart => return None,
        GeneralPosition::Crossing(crossed) => {
            if let Some(segment) = crossed.segment() {
                return Some(segment);
            }
        }
        GeneralPosition::Unclear => {
            if !triangles_intersect_exactly(a, b) {
                return None;
            }
        }
    }
    longest_shared(a, b)
}

/// The longest chord between corners of what two triangles share.
#[cold]
fn longest_shared(a: &Triangle, b: &Triangle) -> Option<[DVec3; 2]> {
    let points = shared_points(a, b, false);
    let first = *points.first()?;
    let mut longest = (0.0, [first, first]);
    for (i, &p) in points.iter().enumerate() {
        for &q in &points[i + 1..] {
            let length = p.distance_squared(q);
            if length > longest.0 {
                longest = (length, [p, q]);
            }
        }
    }
    Some(longest.1)
}

fn apart(sides: [i32; 3]) -> bool {
    sides[0] != 0 && sides[0] == sides[1] && sides[0] == sides[2]
}

/// Guigue and Devillers 2003: both triangles properly cross the line where the planes meet; two more determinants
/// decide whether their intervals on that line overlap.
fn intervals_overlap(a: &Triangle, sides_a: [i32; 3], b: &Triangle, sides_b: [i32; 3]) -> bool {
    let (i, j) = (lone_corner(sides_a), lone_corner(sides_b));
    let mut a = [a[i], a[(i + 1) % 3], a[(i + 2) % 3]];
    let mut b = [b[j], b[(j + 1) % 3], b[(j + 2) % 3]];
    // Turn each triangle so that the other's lone corner is above it.
    if sides_a[i] < 0 {
        b.swap(1, 2);
    }
    if sides_b[j] < 0 {
        a.swap(1, 2);
    }
    volume_sign(a[0], a[1], b[0], b[1]) <= 0 && volume_sign(a[0], a[2], b[2], b[0]) <= 0
}

fn lone_corner(sides: [i32; 3]) -> usize {
    if sides[0] == sides[1] {
        2
    } else if sides[0] == sides[2] {
        1
    } else {
        0
    }
}

/// Points whose hull is the intersection, from each edge of one triangle against the other; with `first_only` at
/// most those of the first edge that meets. Edges suffice: a segment or an area that two triangles share ends on a border.
fn shared_points(a: &Triangle, b: &Triangle, first_only: bool) -> Vec<DVec3> {
    let mut points = Vec::new();
    for (from, onto) in [(a, b), (b, a)] {
        let axis = spanning_axis(onto[0], onto[1], onto[2]);
        for k in 0..3 {
            let (p, q) = (from[k], from[(k + 1) % 3]);
            match axis {
                Some(axis) => edge_and_face(p, q, onto, axis, &mut points),
                None => {
                    let (low, high) = extremes(onto);
                    edge_and_edge(p, q, low, high, &mut points);
                }
            }
            if first_only && !points.is_empty() {
                return points;
            }
        }
    }
    points
}

/// True when the closed segment `pq` and the triangle share a point.
pub(crate) fn segment_meets_triangle(p: DVec3, q: DVec3, t: &Triangle) -> bool {
    let mut points = Vec::new();
    match spanning_axis(t[0], t[1], t[2]) {
        Some(axis) => edge_and_face(p, q, t, axis, &mut points),
        None => {
            let (low, high) = extremes(t);
            edge_and_edge(p, q, low, high, &mut points);
        }
    }
    !points.is_empty()
}

/// `pq` against a triangle with an area; `axis` may be dropped from the triangle's plane.
fn edge_and_face(p: DVec3, q: DVec3, t: &Triangle, axis: usize, points: &mut Vec<DVec3>) {
    let plane = Plane::new(t);
    let (side_p, side_q) = (plane.side(p), plane.side(q));
    if side_p * side_q > 0 {
        return;
    }
    if side_p == 0 && side_q == 0 {
        for end in [p, q] {
            if covers(t, axis, end) {
                points.push(end);
            }
        }
        for k in 0..3 {
            edge_and_edge(p, q, t[k], t[(k + 1) % 3], points);
        }
        return;
    }
    let turns = [0, 1, 2].map(|k| volume_sign(p, q, t[k], t[(k + 1) % 3]));
    if turns.contains(&1) && turns.contains(&-1) {
        return;
    }
    points.push(match (side_p, side_q) {
        (0, _) => p,
        (_, 0) => q,
        _ => {
            let (hp, hq) = (plane.height(p).abs(), plane.height(q).abs());
            p.lerp(q, if hp + hq > 0.0 { hp / (hp + hq) } else { 0.5 })
        }
    });
}

/// Whether `p`, known to be in the plane of `t`, is in `t`.
fn covers(t: &Triangle, axis: usize, p: DVec3) -> bool {
    let turns = [0, 1, 2].map(|k| area_sign(axis, t[k], t[(k + 1) % 3], p));
    !(turns.contains(&1) && turns.contains(&-1))
}

/// Two closed segments, either of which may be a point.
fn edge_and_edge(p: DVec3, q: DVec3, r: DVec3, s: DVec3, points: &mut Vec<DVec3>) {
    let before = points.len();
    for (end, from, to) in [(p, r, s), (q, r, s), (r, p, q), (s, p, q)] {
        if on_segment(end, from, to) {
            points.push(end);
        }
    }
    if points.len() > before || volume_sign(p, q, r, s) != 0 {
        return;
    }
    // Coplanar and no end on the other: only a proper crossing is left.
    let Some(axis) = spanning_axis(p, q, r).or_else(|| spanning_axis(p, q, s)) else {
        return;
    };
    let crosses = area_sign(axis, p, q, r) * area_sign(axis, p, q, s) < 0
        && area_sign(axis, r, s, p) * area_sign(axis, r, s, q) < 0;
    if crosses {
        let (along, across) = (s - r, q - p);
        let normal = across.cross(along);
        let fraction = (r - p).cross(along).dot(normal) / normal.length_squared();
        points.push(p.lerp(q, fraction.clamp(0.0, 1.0)));
    }
}

fn on_segment(p: DVec3, from: DVec3, to: DVec3) -> bool {
    let (low, high) = if precedes(to, from) {
        (to, from)
    } else {
        (from, to)
    };
    !precedes(p, low) && !precedes(high, p) && spanning_axis(p, from, to).is_none()
}

/// Lexicographic order, which sorts collinear points along their line without any arithmetic.
fn precedes(a: DVec3, b: DVec3) -> bool {
    a.to_array() < b.to_array()
}

/// The two ends of a triangle whose corners are collinear.
fn extremes(t: &Triangle) -> (DVec3, DVec3) {
    let mut ends = (t[0], t[0]);
    for &p in &t[1..] {
        if precedes(p, ends.0) {
            ends.0 = p;
        }
        if precedes(ends.1, p) {
            ends.1 = p;
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use fixtures::integer_oracle::{Cell, triangles_meet as oracle};

    fn to_triangle(t: &[Cell; 3], scale: f64) -> Triangle {
        t.map(|p| DVec3::new(p[0] as f64, p[1] as f64, p[2] as f64) * scale)
    }

    #[test]
    fn agrees_with_integer_arithmetic_on_a_grid_full_of_degeneracies() {
        let mut random = Random::new(1);
        let mut meeting = 0;
        for round in 0..40_000 {
            // Small grids make coplanar, touching and collinear cases the rule.
            let side = [2, 3, 4, 7, 1000, 1 << 23][round % 6];
            let flat = round % 5 == 0;
            let mut corner = || -> Cell {
                let mut c = || random.below(2 * side + 1) as i128 - side as i128;
                [c(), c(), if flat { 0 } else { c() }]
            };
            let (a, b) = (
                [corner(), corner(), corner()],
                [corner(), corner(), corner()],
            );
            let expected = oracle(&a, &b);
            meeting += usize::from(expected);
            let scale = [1.0, f64::from(2f32.powi(-149)), f64::from(2f32.powi(100))][round % 3];
            let (ta, tb) = (to_triangle(&a, scale), to_triangle(&b, scale));
            assert_eq!(triangles_intersect(&ta, &tb), expected, "{a:?} {b:?}");
            assert_eq!(triangles_intersect(&tb, &ta), expected, "{b:?} {a:?}");
            assert_eq!(
                triangle_intersection(&ta, &tb).is_some(),
                expected,
                "{a:?} {b:?}"
            );
        }
        assert!(
            meeting > 10_000 && meeting < 35_000,
            "both outcomes are exercised: {meeting}"
        );
    }

    #[test]
    fn segment_of_two_crossing_triangles_is_the_analytic_one() {
        let a = [
            DVec3::new(-1.0, -1.0, 0.0),
            DVec3::new(3.0, -1.0, 0.0),
            DVec3::new(-1.0, 3.0, 0.0),
        ];
        let b = [
            DVec3::new(0.0, 0.0, -1.0),
            DVec3::new(0.0, 0.0, 1.0),
            DVec3::new(0.0, 8.0, 0.0),
        ];
        let [p, q] = triangle_intersection(&a, &b).unwrap();
        let (low, high) = if p.y < q.y { (p, q) } else { (q, p) };
        assert!(
            low.distance(DVec3::ZERO) < 1e-15 && high.distance(DVec3::new(0.0, 2.0, 0.0)) < 1e-15
        );
    }

    #[test]
    fn segments_of_random_crossings_lie_on_both_triangles() {
        let mut random = Random::new(2);
        let mut found = 0;
        for _ in 0..20_000 {
            let a = [random.in_cube(), random.in_cube(), random.in_cube()]
                .map(|p| p.as_vec3().as_dvec3());
            let b = [random.in_cube(), random.in_cube(), random.in_cube()]
                .map(|p| p.as_vec3().as_dvec3());
            let Some(ends) = triangle_intersection(&a, &b) else {
                continue;
            };
            found += 1;
            for p in ends {
                for t in [&a, &b] {
                    let n = (t[1] - t[0]).cross(t[2] - t[0]);
                    assert!(n.normalize().dot(p - t[0]).abs() < 1e-12 / n.length().min(1.0));
                    for k in 0..3 {
                        let inward = n.cross(t[(k + 1) % 3] - t[k]).normalize();
                        assert!(inward.dot(p - t[k]) > -1e-12 / n.length().min(1.0));
                    }
                }
            }
        }
        assert!(found > 1000, "random triangles do cross: {found}");
    }

    #[test]
    fn one_unit_in_the_last_place_separates() {
        // A vertex one ulp above a slanted face, below it and on it.
        let t = [
            DVec3::new(0.0, 0.0, 0.0),
            DVec3::new(4.0, 0.0, 4.0),
            DVec3::new(0.0, 4.0, 0.0),
        ];
        for (z, meets) in [
            (1.0f32.next_up(), false),
            (1.0, true),
            (1.0f32.next_down(), true),
        ] {
            let s = [
                DVec3::new(1.0, 1.0, f64::from(z)),
                DVec3::new(1.0, 1.0, 9.0),
                DVec3::new(1.0, 2.0, 9.0),
            ];
            assert_eq!(triangles_intersect(&t, &s), meets, "z = {z}");
        }
    }
}
