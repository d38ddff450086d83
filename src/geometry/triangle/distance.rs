//! The distance of two triangles, and the two points that realise it.
//!
//! Disjoint triangles are closest at two edges or at a corner and a face (Larsen et al. 1999), so fifteen feature
//! pairs suffice; whether the triangles are disjoint is decided exactly. Degenerate triangles are segments or points.
//! Arithmetic is relative to a corner: the absolute error is a few `f64` roundings of the triangles' common extent.

use super::Triangle;
use super::intersection::{triangle_intersection, triangles_intersect};
use super::predicates::normal_of;
use glam::DVec3;

/// Two closest points, the first on the first shape, and how far apart they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPair {
    /// Distance of the two points; 0 only when the shapes share a point.
    pub distance: f64,
    /// The point on the first shape.
    pub a: DVec3,
    /// The point on the second shape.
    pub b: DVec3,
}

/// Minimum distance of two triangles. It is 0 exactly when [`triangles_intersect`] holds.
pub fn triangle_distance(a: &Triangle, b: &Triangle) -> ClosestPair {
    if triangles_intersect(a, b) {
        let point = triangle_intersection(a, b).map_or(a[0], |[p, q]| p.midpoint(q));
        return ClosestPair {
            distance: 0.0,
            a: point,
            b: point,
        };
    }
    let origin = a[0];
    let (a, b) = (a.map(|p| p - origin), b.map(|p| p - origin));
    let mut best = ClosestPoints {
        squared: f64::INFINITY,
        a: a[0],
        b: b[0],
    };
    for i in 0..3 {
        for j in 0..3 {
            edge_to_edge(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3], &mut best);
        }
    }
    corners_to_face(&a, &b, |corner, foot| (corner, foot), &mut best);
    corners_to_face(&b, &a, |corner, foot| (foot, corner), &mut best);
    // Disjoint, however close: rounding must not turn a gap into a contact.
    let distance = best.squared.sqrt().max(f64::MIN_POSITIVE);
    ClosestPair {
        distance,
        a: best.a + origin,
        b: best.b + origin,
    }
}

/// Minimum distance of two closed segments, by rounded arithmetic alone.
pub fn segment_distance(p: [DVec3; 2], q: [DVec3; 2]) -> ClosestPair {
    let origin = p[0];
    let mut best = ClosestPoints {
        squared: f64::INFINITY,
        a: DVec3::ZERO,
        b: q[0] - origin,
    };
    edge_to_edge(
        DVec3::ZERO,
        p[1] - origin,
        q[0] - origin,
        q[1] - origin,
        &mut best,
    );
    ClosestPair {
        distance: best.squared.sqrt(),
        a: best.a + origin,
        b: best.b + origin,
    }
}

struct ClosestPoints {
    squared: f64,
    a: DVec3,
    b: DVec3,
}

impl ClosestPoints {
    fn offer(&mut self, a: DVec3, b: DVec3) {
        let squared = a.distance_squared(b);
        if squared < self.squared {
            *self = Self { squared, a, b };
        }
    }
}

/// Corners of `from` whose foot on the plane of `face` is inside `face`; all others are nearest to one of its edges.
fn corners_to_face(
    from: &Triangle,
    face: &Triangle,
    order: impl Fn(DVec3, DVec3) -> (DVec3, DVec3),
    best: &mut ClosestPoints,
) {
    let normal = normal_of(face[1] - face[0], face[2] - face[0]);
    let squared = normal.length_squared();
    if squared == 0.0 {
        return;
    }
    let inward = [0, 1, 2].map(|k| normal.cross(face[(k + 1) % 3] - face[k]));
    for &corner in from {
        let height = normal.dot(corner - face[0]);
        // Compare before the costlier test of where the foot is.
        if height * height >= best.squared * squared {
            continue;
        }
        if (0..3).all(|k| inward[k].dot(corner - face[k]) >= 0.0) {
            let (a, b) = order(corner, corner - normal * (height / squared));
            best.offer(a, b);
        }
    }
}

/// Closest points of two segments, either of which may be a point.
fn edge_to_edge(p: DVec3, p_end: DVec3, q: DVec3, q_end: DVec3, best: &mut ClosestPoints) {
    let (u, v, r) = (p_end - p, q_end - q, q - p);
    let (uu, vv) = (u.length_squared(), v.length_squared());
    // From the cross product, and not from uu vv - (u.v)^2, which cancels.
    let normal = normal_of(u, v);
    let sine = normal.length_squared();
    let mut s = if sine > 0.0 {
        (r.cross(v).dot(normal) / sine).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = if vv > 0.0 {
        ((u * s - r).dot(v) / vv).clamp(0.0, 1.0)
    } else {
        0.0
    };
    if uu > 0.0 {
        s = ((v * t + r).dot(u) / uu).clamp(0.0, 1.0);
    }
    best.offer(p + u * s, q + v * t);
    if sine < 1e-12 * uu * vv {
        // Nearly parallel: the crossing is ill-conditioned, the ends are not.
        for (point, other) in [(p, true), (p_end, true), (q, false), (q_end, false)] {
            let (from, along, length) = if other { (q, v, vv) } else { (p, u, uu) };
            let k = if length > 0.0 {
                ((point - from).dot(along) / length).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let foot = from + along * k;
            if other {
                best.offer(point, foot)
            } else {
                best.offer(foot, point)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use crate::geometry::triangle::closest::on_triangle;
    use glam::{DMat3, dvec3};

    /// Minimum over all pairs of sub-simplices of the distance of their affine hulls, where the feet are inside: the
    /// KKT points of the convex programme, by solving each one's normal equations. Independent of feature rules.
    fn oracle(a: &Triangle, b: &Triangle) -> f64 {
        let mut best = f64::INFINITY;
        for sa in 1..8u32 {
            for sb in 1..8u32 {
                let pa: Vec<DVec3> = (0..3).filter(|k| sa >> k & 1 == 1).map(|k| a[k]).collect();
                let pb: Vec<DVec3> = (0..3).filter(|k| sb >> k & 1 == 1).map(|k| b[k]).collect();
                if pa.len() + pb.len() <= 5
                    && let Some(d) = affine_distance(&pa, &pb)
                {
                    best = best.min(d);
                }
            }
        }
        best
    }

    /// Gram-Schmidt on the directions, so that parallel and degenerate ones drop out.
    fn affine_distance(pa: &[DVec3], pb: &[DVec3]) -> Option<f64> {
        let mut columns: Vec<DVec3> = pa[1..].iter().map(|&p| p - pa[0]).collect();
        columns.extend(pb[1..].iter().map(|&q| pb[0] - q));
        let gap = pb[0] - pa[0];
        let n = columns.len();
        let x = match n {
            0 => vec![],
            1 => {
                let c = columns[0];
                (c.length_squared() > 0.0).then(|| vec![gap.dot(c) / c.length_squared()])?
            }
            2 => {
                let w = columns[0].cross(columns[1]);
                (w.length_squared() > 0.0).then(|| {
                    let m = DMat3::from_cols(columns[0], columns[1], w).inverse() * gap;
                    vec![m.x, m.y]
                })?
            }
            _ => {
                let m = DMat3::from_cols(columns[0], columns[1], columns[2]);
                (m.determinant() != 0.0).then(|| (m.inverse() * gap).to_array().to_vec())?
            }
        };
        let (xa, xb) = x.split_at(pa.len() - 1);
        let inside = |x: &[f64]| x.iter().all(|&k| k >= 0.0) && x.iter().sum::<f64>() <= 1.0;
        let p = pa[0] + xa.iter().zip(&columns).map(|(&k, &c)| c * k).sum::<DVec3>();
        let q = pb[0]
            - xb.iter()
                .zip(&columns[xa.len()..])
                .map(|(&k, &c)| c * k)
                .sum::<DVec3>();
        (inside(xa) && inside(xb)).then(|| p.distance(q))
    }

    fn lies_on(p: DVec3, t: &Triangle, tolerance: f64) -> bool {
        on_triangle(p, *t).0.distance(p) <= tolerance
    }

    fn check(a: &Triangle, b: &Triangle, scale: f64) {
        let found = triangle_distance(a, b);
        let expected = if triangles_intersect(a, b) {
            0.0
        } else {
            oracle(a, b)
        };
        assert!(
            (found.distance - expected).abs() <= 1e-11 * scale + 1e-9 * expected,
            "{found:?} {expected} {a:?} {b:?}"
        );
        assert!((found.a.distance(found.b) - found.distance).abs() <= 1e-14 * scale);
        assert!(
            lies_on(found.a, a, 1e-13 * scale) && lies_on(found.b, b, 1e-13 * scale),
            "{found:?} {a:?} {b:?}"
        );
        let back = triangle_distance(b, a);
        assert!((back.distance - found.distance).abs() <= 1e-13 * scale);
    }

    #[test]
    fn random_triangles_agree_with_the_convex_programme() {
        let mut random = Random::new(3);
        for round in 0..20_000 {
            let scale = [1.0, 1e-6, 1e6][round % 3];
            let near = random.unit() * 2.0;
            let mut t = |offset: f64| {
                [0; 3].map(|_| {
                    ((random.in_cube() + DVec3::X * offset) * scale)
                        .as_vec3()
                        .as_dvec3()
                })
            };
            let (a, b) = (t(0.0), t(near));
            check(&a, &b, scale * 4.0);
        }
    }

    #[test]
    fn grid_triangles_with_every_degeneracy_agree_too() {
        let mut random = Random::new(4);
        for round in 0..20_000 {
            let side = [2, 3, 5][round % 3];
            let mut corner = || {
                let mut c = || random.below(side) as f64;
                dvec3(c(), c(), c())
            };
            let a = [corner(), corner(), corner()];
            let b = [corner(), corner(), corner()];
            check(&a, &b, 5.0);
        }
    }

    #[test]
    fn slivers_keep_their_witnesses() {
        let mut random = Random::new(5);
        for _ in 0..5000 {
            let mut t = || {
                let (p, along) = (random.in_cube(), random.in_cube());
                let jitter = random.in_cube() * 1e-6;
                [p, p + along, p + along * random.unit() + jitter].map(|p| p.as_vec3().as_dvec3())
            };
            let (a, b) = (t(), t());
            let found = triangle_distance(&a, &b);
            assert!(lies_on(found.a, &a, 1e-9) && lies_on(found.b, &b, 1e-9));
            // No sampled pair is closer.
            for i in 0..=8 {
                for j in 0..=8 {
                    let p = a[0].lerp(a[1], f64::from(i) / 8.0);
                    let q = on_triangle(p, b).0;
                    let r = b[0].lerp(b[1], f64::from(j) / 8.0);
                    assert!(
                        p.distance(q) >= found.distance - 1e-12
                            && on_triangle(r, a).0.distance(r) >= found.distance - 1e-12
                    );
                }
            }
        }
    }

    #[test]
    fn analytic_distances() {
        let face = [
            dvec3(0.0, 0.0, 0.0),
            dvec3(4.0, 0.0, 0.0),
            dvec3(0.0, 4.0, 0.0),
        ];
        let above = [
            dvec3(1.0, 1.0, 3.0),
            dvec3(1.0, 2.0, 5.0),
            dvec3(2.0, 1.0, 5.0),
        ];
        let found = triangle_distance(&face, &above);
        assert_eq!(
            (found.distance, found.a, found.b),
            (3.0, dvec3(1.0, 1.0, 0.0), above[0])
        );
        let beside = [
            dvec3(7.0, 0.0, 4.0),
            dvec3(9.0, 0.0, 4.0),
            dvec3(9.0, 1.0, 8.0),
        ];
        assert_eq!(triangle_distance(&face, &beside).distance, 5.0);
        let point = [dvec3(1.0, 1.0, 1e-30); 3];
        assert_eq!(triangle_distance(&face, &point).distance, 1e-30);
        assert_eq!(
            triangle_distance(&face, &[dvec3(1.0, 1.0, 0.0); 3]).distance,
            0.0
        );
    }
}
