//! The closest point of a triangle, and on which of its features it lies.

use super::predicates::normal_of;
use glam::DVec3;

/// Where on a triangle a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Inside.
    Face,
    /// On the side from corner `k` to corner `k + 1 mod 3`, without its ends.
    Edge(u8),
    /// At corner `k`.
    Vertex(u8),
}

/// The point of the triangle closest to `p`, by the Voronoi regions of its features (Ericson 2005, section 5.1.5).
pub fn on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> (DVec3, Feature) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Feature::Vertex(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Feature::Vertex(1));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Feature::Vertex(2));
    }
    let normal = normal_of(ab, ac);
    if normal.length_squared() == 0.0 {
        return on_sides(p, [a, b, c]);
    }
    // Which side of each edge, by the normal: the products of dots that Ericson uses cancel on slivers.
    let inside = |edge: DVec3, from: DVec3| normal.dot(edge.cross(from));
    if d1 >= 0.0 && d3 <= 0.0 && inside(ab, ap) <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), Feature::Edge(0));
    }
    if d2 >= 0.0 && d6 <= 0.0 && inside(-ac, cp) <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), Feature::Edge(2));
    }
    let (along, beyond) = (d4 - d3, d5 - d6);
    if along >= 0.0 && beyond >= 0.0 && inside(c - b, bp) <= 0.0 {
        return (b + (c - b) * (along / (along + beyond)), Feature::Edge(1));
    }
    (
        p - normal * (normal.dot(ap) / normal.length_squared()),
        Feature::Face,
    )
}

/// Whether the corner `k` is what [`on_triangle`] finds, by its own tests: the same bits, for less.
#[inline]
pub fn is_at_corner(p: DVec3, corners: [DVec3; 3], k: usize) -> bool {
    let [a, b, c] = corners;
    let from = p - corners[k];
    let (along_ab, along_ac) = ((b - a).dot(from), (c - a).dot(from));
    match k {
        0 => along_ab <= 0.0 && along_ac <= 0.0,
        1 => along_ab >= 0.0 && along_ac <= along_ab,
        _ => along_ac >= 0.0 && along_ab <= along_ac,
    }
}

/// The closest point of the three sides.
fn on_sides(p: DVec3, [a, b, c]: [DVec3; 3]) -> (DVec3, Feature) {
    let mut best = (a, Feature::Vertex(0));
    for (k, (start, end)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
        let q = on_segment(p, start, end);
        if q.distance_squared(p) < best.0.distance_squared(p) {
            let feature = match (q == start, q == end) {
                (true, _) => Feature::Vertex(k as u8),
                (_, true) => Feature::Vertex((k as u8 + 1) % 3),
                _ => Feature::Edge(k as u8),
            };
            best = (q, feature);
        }
    }
    best
}

/// The closest point of the segment from `a` to `b`.
pub fn on_segment(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let ab = b - a;
    let (along, length) = (ab.dot(p - a), ab.length_squared());
    if along <= 0.0 || length == 0.0 {
        a
    } else if along >= length {
        b
    } else {
        a + ab * (along / length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    const A: DVec3 = DVec3::new(0.0, 0.0, 0.0);
    const B: DVec3 = DVec3::new(4.0, 0.0, 0.0);
    const C: DVec3 = DVec3::new(0.0, 4.0, 0.0);

    #[test]
    fn each_region_has_its_feature() {
        let cases = [
            (
                DVec3::new(1.0, 1.0, 3.0),
                DVec3::new(1.0, 1.0, 0.0),
                Feature::Face,
            ),
            (
                DVec3::new(2.0, -1.0, 1.0),
                DVec3::new(2.0, 0.0, 0.0),
                Feature::Edge(0),
            ),
            (
                DVec3::new(3.0, 3.0, 1.0),
                DVec3::new(2.0, 2.0, 0.0),
                Feature::Edge(1),
            ),
            (
                DVec3::new(-1.0, 2.0, -1.0),
                DVec3::new(0.0, 2.0, 0.0),
                Feature::Edge(2),
            ),
            (DVec3::new(-1.0, -2.0, 1.0), A, Feature::Vertex(0)),
            (DVec3::new(6.0, 1.0, 1.0), B, Feature::Vertex(1)),
            (DVec3::new(1.0, 9.0, 1.0), C, Feature::Vertex(2)),
        ];
        for (p, q, feature) in cases {
            assert_eq!(on_triangle(p, [A, B, C]), (q, feature), "{p}");
            for k in 0..3 {
                let is_found = feature == Feature::Vertex(k as u8);
                assert_eq!(is_at_corner(p, [A, B, C], k), is_found, "{p}");
            }
        }
    }

    /// No point of a fine net over the triangle is closer, and the answer is in the triangle.
    #[test]
    fn no_other_point_is_closer() {
        let mut random = Random::new(7);
        for round in 0..2000 {
            let mut vector = || random.in_cube();
            let (a, b, p) = (vector(), vector(), 2.0 * vector());
            // Every third triangle is a sliver, some have no area at all.
            let c = match round % 6 {
                0 => a.lerp(b, 0.3) + 1e-9 * vector(),
                3 => a.lerp(b, 0.5),
                _ => vector(),
            };
            let (q, _) = on_triangle(p, [a, b, c]);
            let n = 40;
            for i in 0..=n {
                for j in 0..=n - i {
                    let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                    let x = a + (b - a) * u + (c - a) * v;
                    assert!(q.distance(p) <= x.distance(p) + 1e-12, "{a} {b} {c} {p}");
                }
            }
            let sides = [(a, b), (b, c), (c, a)].map(|(a, b)| on_segment(p, a, b).distance(p));
            let nearest_side = sides.into_iter().fold(f64::INFINITY, f64::min);
            assert!(q.distance(p) <= nearest_side + 1e-12);
            let area = |a: DVec3, b: DVec3, c: DVec3| (b - a).cross(c - a).length();
            let pieces = area(a, b, q) + area(b, c, q) + area(c, a, q);
            assert!(
                (pieces - area(a, b, c)).abs() < 1e-7,
                "the point is not in the triangle"
            );
        }
    }
}
