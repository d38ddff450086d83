//! Where rays cross a triangle: the one rule and the one formula for every way of making a layered depth image. Partner:
//! `shaders/include/crossing.glsl`, which says why a closed mesh has as many entries as exits on every ray.

use crate::geometry::simd::Lanes;
use glam::{Vec2, Vec3, Vec3Swizzles};

/// The part of a row inside a triangle: (u, w) of both ends, the lower u first.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// Where it starts.
    pub left: Vec2,
    /// Where it ends.
    pub right: Vec2,
    /// Whether a ray enters the mesh there.
    pub enters: bool,
}

/// Where an edge whose ends lie on both sides of row k meets it.
#[inline(always)]
fn meet(a: Vec3, b: Vec3, k: f32) -> Vec2 {
    let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
    let t = (k - low.y) / (high.y - low.y);
    let (low, high) = (low.xz(), high.xz());
    let p = low + (high - low) * t;
    p.max(low.min(high)).min(low.max(high))
}

/// The part of row `k` inside the triangle, if it cuts it.
#[inline(always)]
pub fn cut_row(a: Vec3, b: Vec3, c: Vec3, k: f32) -> Option<Cut> {
    let (below_a, below_b, below_c) = (a.y <= k, b.y <= k, c.y <= k);
    if below_a == below_b && below_b == below_c {
        return None;
    }
    // The corner that the row parts from the other two, the next and the one before.
    let (apex, next, last) = if below_b == below_c {
        (a, b, c)
    } else if below_a == below_c {
        (b, c, a)
    } else {
        (c, a, b)
    };
    let (leaving, arriving) = (meet(apex, next, k), meet(apex, last, k));
    let (up, down) = match apex.y <= k {
        true => (leaving, arriving),
        false => (arriving, leaving),
    };
    // Seen from +w, counter-clockwise triangles rise on their right: where the rising side is left, the surface faces -w, and a ray
    // along +w enters.
    let enters = up.x < down.x;
    let (left, right) = if enters { (up, down) } else { (down, up) };
    Some(Cut {
        left,
        right,
        enters,
    })
}

impl Cut {
    /// The same in every lane.
    #[inline(always)]
    pub fn lanes<V: Lanes>(&self) -> LaneCut<V> {
        let zero = V::splat(0.0);
        LaneCut {
            left: [V::splat(self.left.x), V::splat(self.left.y)],
            right: [V::splat(self.right.x), V::splat(self.right.y)],
            enters: if self.enters { zero.le(zero) } else { zero },
        }
    }
}

/// The parts of rows inside eight triangles.
#[derive(Clone, Copy)]
pub struct LaneCut<V> {
    /// Where they start.
    pub left: [V; 2],
    /// Where they end.
    pub right: [V; 2],
    /// Mask of those where a ray enters the mesh.
    pub enters: V,
}

#[inline(always)]
fn select<V: Lanes, const N: usize>(mask: V, if_set: [V; N], if_clear: [V; N]) -> [V; N] {
    let mut chosen = if_clear;
    for i in 0..N {
        chosen[i] = mask.select(if_set[i], if_clear[i]);
    }
    chosen
}

/// [`meet`] of eight edges.
#[inline(always)]
fn lane_meet<V: Lanes>(a: [V; 3], b: [V; 3], k: V) -> [V; 2] {
    let rises = a[1].lt(b[1]);
    let (low, high) = (select(rises, a, b), select(rises, b, a));
    let t = (k - low[1]) / (high[1] - low[1]);
    let mut met = [t; 2];
    for (i, axis) in [0, 2].into_iter().enumerate() {
        let (from, to) = (low[axis], high[axis]);
        met[i] = (from + (to - from) * t).max(from.min(to)).min(from.max(to));
    }
    met
}

/// [`cut_row`] of eight triangles, with the same bits, and the mask of those that the row cuts.
#[inline(always)]
pub fn lane_cut_row<V: Lanes>([a, b, c]: &[[V; 3]; 3], k: V) -> (LaneCut<V>, V) {
    let below = [a[1].le(k), b[1].le(k), c[1].le(k)];
    let above = [k.lt(a[1]), k.lt(b[1]), k.lt(c[1])];
    let cuts = (below[0] | below[1] | below[2]) & (above[0] | above[1] | above[2]);
    let is_a = (below[1] & below[2]) | (above[1] & above[2]);
    let is_b = (below[0] & below[2]) | (above[0] & above[2]);
    let apex = select(is_a, *a, select(is_b, *b, *c));
    let next = select(is_a, *b, select(is_b, *c, *a));
    let last = select(is_a, *c, select(is_b, *a, *b));
    let (leaving, arriving) = (lane_meet(apex, next, k), lane_meet(apex, last, k));
    let rises = apex[1].le(k);
    let (up, down) = (
        select(rises, leaving, arriving),
        select(rises, arriving, leaving),
    );
    let enters = up[0].lt(down[0]);
    let cut = LaneCut {
        left: select(enters, up, down),
        right: select(enters, down, up),
        enters,
    };
    (cut, cuts)
}

impl<V: Lanes> LaneCut<V> {
    /// The depths at columns `u = i`, `left[0] <= i < right[0]`.
    #[inline(always)]
    pub fn depth_at(&self, i: V) -> V {
        let (from, to) = (self.left[1], self.right[1]);
        let w = from + (to - from) * ((i - self.left[0]) / (self.right[0] - self.left[0]));
        w.max(from.min(to)).min(from.max(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use crate::geometry::simd::{LaneKernel, WIDTH, dispatch, load_rows};

    /// Eight triangles cut by a row, and their depths at a column.
    struct Eight<'a>(&'a [[Vec3; 3]], f32, f32);

    impl LaneKernel for Eight<'_> {
        type Output = (u8, u8, [[f32; WIDTH]; 4], [f32; WIDTH]);

        #[inline(always)]
        fn run<V: Lanes>(self) -> Self::Output {
            let mut rows = [[[0.0; WIDTH]; 3]; 3];
            for (lane, corners) in self.0.iter().enumerate() {
                for (corner, p) in corners.iter().enumerate() {
                    for axis in 0..3 {
                        rows[corner][axis][lane] = p[axis];
                    }
                }
            }
            let corners = [
                load_rows::<V>(&rows[0]),
                load_rows::<V>(&rows[1]),
                load_rows::<V>(&rows[2]),
            ];
            let (cut, cuts) = lane_cut_row(&corners, V::splat(self.1));
            let [left, right] = [cut.left, cut.right];
            let ends = [
                left[0].store(),
                left[1].store(),
                right[0].store(),
                right[1].store(),
            ];
            let depths = cut.depth_at(V::splat(self.2)).store();
            (cuts.bits(), cut.enters.bits(), ends, depths)
        }
    }

    #[test]
    fn eight_at_a_time_are_cut_to_the_same_bits_as_one() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            // Whole numbers often, so that rows go through corners and along edges.
            let mut coordinate = || match random.signed() > 0.3 {
                true => (4.0 * random.signed()).round() as f32,
                false => 4.0 * random.signed() as f32,
            };
            let triangles: Vec<_> = (0..WIDTH)
                .map(|_| [(); 3].map(|()| Vec3::from([(); 3].map(|()| coordinate()))))
                .collect();
            let (k, i) = (coordinate().round(), coordinate().round());
            let (cuts, enters, ends, depths) = dispatch(Eight(&triangles, k, i));
            for (lane, [a, b, c]) in triangles.iter().enumerate() {
                let cut = cut_row(*a, *b, *c, k);
                assert_eq!(cut.is_some(), cuts >> lane & 1 == 1);
                let Some(cut) = cut else { continue };
                assert_eq!(cut.enters, enters >> lane & 1 == 1);
                let own = [cut.left.x, cut.left.y, cut.right.x, cut.right.y];
                assert_eq!(
                    own.map(f32::to_bits),
                    ends.map(|end| end[lane].to_bits()),
                    "{a} {b} {c} {k}"
                );
                if cut.left.x <= i && i < cut.right.x {
                    let (from, to) = (cut.left.y.min(cut.right.y), cut.left.y.max(cut.right.y));
                    assert!(from <= depths[lane] && depths[lane] <= to);
                }
            }
        }
    }

    #[test]
    fn a_slope_is_cut_where_it_is() {
        let (a, b, c) = (
            Vec3::ZERO,
            Vec3::new(4.0, 0.0, 4.0),
            Vec3::new(0.0, 4.0, 0.0),
        );
        let cut = cut_row(a, b, c, 1.0).unwrap();
        assert_eq!([cut.left, cut.right], [Vec2::ZERO, Vec2::new(3.0, 3.0)]);
        // Counter-clockwise seen from +w: a ray along +w comes from behind and leaves.
        assert!(!cut.enters && cut_row(a, c, b, 1.0).unwrap().enters);
        // A row counts as above the vertices on it: it meets the lower edge, and not the upper corner.
        assert!(cut_row(a, b, c, 0.0).is_some() && cut_row(a, b, c, 4.0).is_none());
    }
}
