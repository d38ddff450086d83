//! Proofs in single precision that features are too far apart, eight at a time.
//!
//! Whatever direction `d` is, two features are at least as far apart as the gap between their projections on it, over its length. The
//! direction between the nearest points makes that bound the distance itself, and one that is a little off makes it a little
//! smaller, never wrong. So nothing has to be proved about how the nearest points were found.

use crate::geometry::simd::Lanes;
use glam::Vec3;

/// Directions shorter than this prove nothing: their products could underflow.
const SHORTEST_SQUARED: f32 = 1e-30;

/// How far apart features have to be, with what rounding can add to a gap.
///
/// With `u` half of `f32::EPSILON`, and no two corners farther apart than `extent` on any axis: a difference of corners is off by `u extent`,
/// a product of it with `d` by `7 u extent |d|`, a gap of two of them by `18 u extent |d|`. Corners that were rounded from doubles
/// are off by `u magnitude` themselves, on each axis of each. `1e-25` covers underflow, since `d` is not short.
#[inline(always)]
pub(super) fn needed_gap(limit: f32, extent: f32, magnitude: f32, rounded: bool) -> f32 {
    let u = 0.5 * f32::EPSILON;
    let moved = if rounded { 4.0 * u * magnitude } else { 0.0 };
    (limit + 24.0 * u * extent + moved + 1e-25) * (1.0 + 32.0 * u)
}

type Points<V> = [V; 3];

#[inline(always)]
fn dot<V: Lanes>(a: Points<V>, b: Points<V>) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn minus<V: Lanes>(a: Points<V>, b: Points<V>) -> Points<V> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn along<V: Lanes>(from: Points<V>, direction: Points<V>, t: V) -> Points<V> {
    [
        from[0] + direction[0] * t,
        from[1] + direction[1] * t,
        from[2] + direction[2] * t,
    ]
}

#[inline(always)]
fn cross<V: Lanes>(a: Points<V>, b: Points<V>) -> Points<V> {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[inline(always)]
fn splat<V: Lanes>(p: Vec3) -> Points<V> {
    [V::splat(p.x), V::splat(p.y), V::splat(p.z)]
}

#[inline(always)]
fn clamped<V: Lanes>(t: V) -> V {
    t.max(V::splat(0.0)).min(V::splat(1.0))
}

/// Mask of what a gap along `direction` proves to be too far apart; what is not a number is not proved.
#[inline(always)]
fn apart<V: Lanes>(gap: V, direction: Points<V>, needed: f32) -> V {
    let squared = dot(direction, direction);
    (V::splat(needed) * squared.sqrt()).lt(gap) & V::splat(SHORTEST_SQUARED).lt(squared)
}

/// Mask of the edges of eight, from `start` to `end`, that are more than `needed` allows away from the edge from `p` to `q`.
#[inline(always)]
pub(super) fn edges_apart<V: Lanes>(
    [p, q]: [Vec3; 2],
    start: Points<V>,
    end: Points<V>,
    needed: f32,
) -> V {
    let tiny = V::splat(f32::MIN_POSITIVE);
    let origin = splat::<V>(p);
    let u = minus(splat(q), origin);
    let (b0, b1) = (minus(start, origin), minus(end, origin));
    let v = minus(b1, b0);
    let (uu, vv, uv) = (dot(u, u), dot(v, v), dot(u, v));
    let (ub, vb) = (dot(u, b0), dot(v, b0));
    // The nearest points of two segments (Ericson 2005, section 5.1.9).
    let s = clamped((ub * vv - uv * vb) / (uu * vv - uv * uv).max(tiny));
    let t = clamped((uv * s - vb) / vv.max(tiny));
    let s = clamped((uv * t + ub) / uu.max(tiny));
    let on_a = [u[0] * s, u[1] * s, u[2] * s];
    let direction = minus(on_a, along(b0, v, t));
    let of_a = dot(direction, u).min(V::splat(0.0));
    let of_b = dot(direction, b0).max(dot(direction, b1));
    apart(of_a - of_b, direction, needed)
}

/// The nearest point of a side to the origin, and the square of its distance. (A function, not a closure: closures do not get the machine's
/// lanes, and each operation in them is a call.)
#[inline(always)]
fn on_side<V: Lanes>(from: Points<V>, to: Points<V>) -> (Points<V>, V) {
    let way = minus(to, from);
    let t = clamped(-dot(from, way) / dot(way, way).max(V::splat(f32::MIN_POSITIVE)));
    let foot = along(from, way, t);
    (foot, dot(foot, foot))
}

#[inline(always)]
fn nearer<V: Lanes>((p, pp): (Points<V>, V), (q, qq): (Points<V>, V)) -> (Points<V>, V) {
    let first = pp.lt(qq);
    let point = [
        first.select(p[0], q[0]),
        first.select(p[1], q[1]),
        first.select(p[2], q[2]),
    ];
    (point, pp.min(qq))
}

/// Mask of the triangles of eight that are more than `needed` allows away from `p`.
#[inline(always)]
pub(super) fn faces_apart<V: Lanes>(p: Vec3, corners: [Points<V>; 3], needed: f32) -> V {
    let (nothing, tiny) = (V::splat(0.0), V::splat(f32::MIN_POSITIVE));
    let origin = splat::<V>(p);
    let [a, b, c] = [
        minus(corners[0], origin),
        minus(corners[1], origin),
        minus(corners[2], origin),
    ];
    let (foot, _) = nearer(nearer(on_side(a, b), on_side(b, c)), on_side(c, a));
    let normal = cross(minus(b, a), minus(c, a));
    let left = [
        dot(normal, cross(a, b)),
        dot(normal, cross(b, c)),
        dot(normal, cross(c, a)),
    ];
    let inside = nothing.lt(left[0]) & nothing.lt(left[1]) & nothing.lt(left[2]);
    let height = dot(normal, a) / dot(normal, normal).max(tiny);
    // Towards the triangle: the point is the origin, and each corner has to be beyond the gap.
    let direction = [
        inside.select(normal[0] * height, foot[0]),
        inside.select(normal[1] * height, foot[1]),
        inside.select(normal[2] * height, foot[2]),
    ];
    let gap = dot(direction, a)
        .min(dot(direction, b))
        .min(dot(direction, c));
    apart(gap, direction, needed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::{Random, cases};
    use crate::geometry::simd::{LaneKernel, WIDTH, dispatch, load_rows};
    use crate::geometry::triangle::closest::on_triangle;
    use crate::geometry::triangle::distance::segment_distance;

    struct Both {
        edge: [Vec3; 2],
        points: [[[f32; WIDTH]; 3]; 3],
        needed: f32,
    }

    impl LaneKernel for Both {
        type Output = [u8; 2];
        #[inline(always)]
        fn run<V: Lanes>(self) -> [u8; 2] {
            let [a, b, c] = self.points.each_ref().map(load_rows::<V>);
            [
                edges_apart(self.edge, a, b, self.needed).bits(),
                faces_apart(self.edge[0], [a, b, c], self.needed).bits(),
            ]
        }
    }

    /// What is proved apart is apart in doubles, by oracles that share no line with the filter; and most that is apart is proved.
    #[test]
    fn nothing_near_is_left_out_and_most_that_is_far_is() {
        let mut random = Random::new(80);
        let (mut far, mut proved) = (0, 0);
        for round in 0..cases(4000) {
            let scale = [1.0f32, 1e-12, 1e9, 1e-3][round % 4];
            let shift = random.in_cube_f32() * [0.0, 10.0, 1e3][round % 3];
            let flat = round % 5 == 0;
            let mut point = || {
                let p = random.in_cube_f32();
                (if flat { Vec3::new(p.x, p.y, 0.0) } else { p } + shift) * scale
            };
            let edge = [point(), point()];
            let mut points = [[[0.0; WIDTH]; 3]; 3];
            let mut lanes = [[Vec3::ZERO; 3]; WIDTH];
            for (lane, corners) in lanes.iter_mut().enumerate() {
                *corners = [point(), point(), point()];
                match (round / 4 + lane) % 9 {
                    0 => corners[2] = corners[1],
                    1 => corners[1] = corners[0] + (edge[1] - edge[0]),
                    2 => corners[2] = corners[0].lerp(corners[1], 0.5),
                    3 => corners[0] = edge[0],
                    _ => {}
                }
                for (k, corner) in corners.iter().enumerate() {
                    (0..3).for_each(|axis| points[k][axis][lane] = corner[axis]);
                }
            }
            let limit = (random.unit() as f32) * scale;
            let all = edge.iter().chain(lanes.as_flattened());
            let largest = all.fold(0.0, |m: f32, p| m.max(p.abs().max_element()));
            let needed = needed_gap(limit, 2.0 * largest, largest, false);
            let [edges, faces] = dispatch(Both {
                edge,
                points,
                needed,
            });
            for (lane, corners) in lanes.iter().enumerate() {
                let [a, b, c] = corners.map(|p| p.as_dvec3());
                let [p, q] = edge.map(|p| p.as_dvec3());
                let face = on_triangle(p, [a, b, c]).0.distance(p);
                for (distance, bits) in [
                    (segment_distance([p, q], [a, b]).distance, edges),
                    (face, faces),
                ] {
                    let apart = bits >> lane & 1 == 1;
                    assert!(!apart || distance > f64::from(limit), "{distance} {limit}");
                    far +=
                        u32::from(distance > 1.01 * f64::from(limit) + 1e-4 * f64::from(largest));
                    proved += u32::from(apart);
                }
            }
        }
        assert!(
            f64::from(proved) > 0.95 * f64::from(far),
            "{proved} of {far}"
        );
    }
}
