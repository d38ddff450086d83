//! Eight triangles side by side, and the distances from one point to all of them.

use crate::geometry::simd::{Lanes, WIDTH};
use glam::{DVec3, Vec3};

type Row = [f32; WIDTH];

/// Triangles `a, a + ab, a + ac`. Unused lanes are infinitely far away.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Block {
    a: [Row; 3],
    ab: [Row; 3],
    ac: [Row; 3],
    /// Unit normal, and its cross products with `ab` and `ac`; 0 where the triangle is too thin to have one.
    normal: [Row; 3],
    across_ab: [Row; 3],
    across_ac: [Row; 3],
    /// One over the squared lengths of `ab`, `ac` and `bc`; 0 for a side that is too short to have one.
    inverse: [Row; 3],
}

/// Below this sine a triangle is as good as its sides in single precision.
const THIN: f64 = 1e-8;

impl Block {
    /// At most eight triangles.
    pub fn of(triangles: &[[Vec3; 3]]) -> Self {
        let none = [[0.0; WIDTH]; 3];
        let mut block = Self {
            a: [[f32::INFINITY; WIDTH]; 3],
            ab: none,
            ac: none,
            normal: none,
            across_ab: none,
            across_ac: none,
            inverse: none,
        };
        for (lane, corners) in triangles.iter().enumerate() {
            let [a, b, c] = corners.map(Vec3::as_dvec3);
            let (ab, ac) = (b - a, c - a);
            let cross = ab.cross(ac);
            let thin = cross.length() <= THIN * ab.length() * ac.length();
            let normal = if thin {
                DVec3::ZERO
            } else {
                cross.normalize_or_zero()
            };
            let inverse = [ab, ac, c - b].map(|side| {
                let inverse = (1.0 / side.length_squared()) as f32;
                if inverse.is_finite() { inverse } else { 0.0 }
            });
            let rows = [
                (&mut block.a, a),
                (&mut block.ab, ab),
                (&mut block.ac, ac),
                (&mut block.normal, normal),
                (&mut block.across_ab, normal.cross(ab)),
                (&mut block.across_ac, normal.cross(ac)),
                (&mut block.inverse, DVec3::from(inverse.map(f64::from))),
            ];
            for (rows, vector) in rows {
                (0..3).for_each(|axis| rows[axis][lane] = vector[axis] as f32);
            }
        }
        block
    }

    /// Squared distances, at most a few units in the last place of (distance + size) above the true ones: the least over
    /// the three sides, and over the plane where the foot is strictly inside. Neither depends on the triangle's shape.
    #[inline(always)]
    pub fn distances_squared<V: Lanes>(&self, p: [V; 3]) -> V {
        let load = |rows: &[Row; 3]| [V::load(&rows[0]), V::load(&rows[1]), V::load(&rows[2])];
        let (ab, ac, inverse) = (load(&self.ab), load(&self.ac), load(&self.inverse));
        let from_a = sub(p, load(&self.a));
        let from_b = sub(from_a, ab);
        let bc = sub(ac, ab);
        let sides = to_segment(from_a, ab, inverse[0])
            .min(to_segment(from_a, ac, inverse[1]))
            .min(to_segment(from_b, bc, inverse[2]));
        let height = dot(load(&self.normal), from_a);
        let (across_ab, across_ac) = (load(&self.across_ab), load(&self.across_ac));
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
