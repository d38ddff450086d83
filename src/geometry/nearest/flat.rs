//! One triangle made ready for the distances from eight points.

use crate::geometry::simd::Lanes;
use glam::{DVec3, Vec3};

/// The triangle `a, a + ab, a + ac` in single precision.
#[derive(Clone, Copy, Debug)]
pub struct Flat {
    a: [f32; 3],
    ab: [f32; 3],
    ac: [f32; 3],
    /// Unit normal, and its cross products with `ab` and `ac`; 0 if the triangle is too thin to have one.
    normal: [f32; 3],
    across_ab: [f32; 3],
    across_ac: [f32; 3],
    /// One over the squared lengths of `ab`, `ac` and `bc`; 0 for a side that is too short to have one.
    inverse: [f32; 3],
}

/// Below this sine a triangle is as good as its sides in single precision.
const THIN: f64 = 1e-8;

impl Flat {
    /// Prepares a triangle.
    pub fn of(corners: [Vec3; 3]) -> Self {
        let [a, b, c] = corners.map(Vec3::as_dvec3);
        let (ab, ac) = (b - a, c - a);
        let cross = ab.cross(ac);
        let thin = cross.length() <= THIN * ab.length() * ac.length();
        let normal = if thin {
            DVec3::ZERO
        } else {
            cross.normalize_or_zero()
        };
        let row = |v: DVec3| v.as_vec3().to_array();
        let inverse = [ab, ac, c - b].map(|side| {
            let inverse = (1.0 / side.length_squared()) as f32;
            if inverse.is_finite() { inverse } else { 0.0 }
        });
        Self {
            a: corners[0].to_array(),
            ab: row(ab),
            ac: row(ac),
            normal: row(normal),
            across_ab: row(normal.cross(ab)),
            across_ac: row(normal.cross(ac)),
            inverse,
        }
    }

    /// Squared distances, at most a few units in the last place of (distance + size) from the true ones: the least over the
    /// three sides, or to the plane where the foot is strictly inside. Neither suffers from the triangle's shape.
    #[inline(always)]
    pub fn distances_squared<V: Lanes>(&self, p: [V; 3]) -> V {
        let splat = |v: &[f32; 3]| [V::splat(v[0]), V::splat(v[1]), V::splat(v[2])];
        let (ab, ac) = (splat(&self.ab), splat(&self.ac));
        let from_a = sub(p, splat(&self.a));
        let from_b = sub(from_a, ab);
        let bc = sub(ac, ab);
        let sides = to_segment(from_a, ab, V::splat(self.inverse[0]))
            .min(to_segment(from_a, ac, V::splat(self.inverse[1])))
            .min(to_segment(from_b, bc, V::splat(self.inverse[2])));
        let height = dot(splat(&self.normal), from_a);
        let (across_ab, across_ac) = (splat(&self.across_ab), splat(&self.across_ac));
        let zero = V::splat(0.0);
        let inside = zero.lt(dot(across_ab, from_a))
            & dot(across_ac, from_a).lt(zero)
            & zero.lt(dot(sub(across_ac, across_ab), from_b));
        inside.select(height * height, sides)
    }
}

#[inline(always)]
fn sub<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn dot<V: Lanes>(a: [V; 3], b: [V; 3]) -> V {
    a[2].near_mul_add(b[2], a[1].near_mul_add(b[1], a[0] * b[0]))
}

#[inline(always)]
fn to_segment<V: Lanes>(from_start: [V; 3], side: [V; 3], inverse: V) -> V {
    let t = (dot(from_start, side) * inverse)
        .max(V::splat(0.0))
        .min(V::splat(1.0));
    let back = -t;
    let gap = [
        side[0].near_mul_add(back, from_start[0]),
        side[1].near_mul_add(back, from_start[1]),
        side[2].near_mul_add(back, from_start[2]),
    ];
    dot(gap, gap)
}
