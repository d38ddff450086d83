//! Are two triangles certainly on one side of each other's planes? Asked for eight pairs at once, in single precision, with a
//! bound on all rounding: a yes is a proof, a no says nothing.

use super::placed_leaf::PlacedLeaf;
use super::simd::{Lanes, WIDTH, load_rows};

/// Up to eight pairs of triangles.
pub(super) struct Eight {
    pairs: [[u32; 2]; WIDTH],
    count: usize,
    /// x, y, z of both edges of the first triangles, of those of the second, and of the ways between their first corners.
    ways: [[[f32; WIDTH]; 3]; 5],
}

impl Eight {
    pub(super) fn new() -> Self {
        Self {
            pairs: [[0; 2]; WIDTH],
            count: 0,
            ways: [[[0.0; WIDTH]; 3]; 5],
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.count == WIDTH
    }

    /// Adds a pair; there must be room.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        pair: [u32; 2],
        a: (&PlacedLeaf, usize),
        b: (&PlacedLeaf, usize),
    ) {
        let lane = self.count % WIDTH;
        let ((leaf_a, i), (leaf_b, j)) = (a, b);
        for axis in 0..3 {
            self.ways[0][axis][lane] = leaf_a.edges[0][axis][i];
            self.ways[1][axis][lane] = leaf_a.edges[1][axis][i];
            self.ways[2][axis][lane] = leaf_b.edges[0][axis][j];
            self.ways[3][axis][lane] = leaf_b.edges[1][axis][j];
            self.ways[4][axis][lane] = (leaf_b.corner[axis][j] - leaf_a.corner[axis][i]) as f32;
        }
        self.pairs[lane] = pair;
        self.count += 1;
    }

    /// The pair that was pushed at a place.
    pub(super) fn pair(&self, at: usize) -> [u32; 2] {
        self.pairs[at]
    }

    /// Makes room. Bit `k` is set when it is not certain that the pair at place `k` is apart.
    #[inline(always)]
    pub(super) fn take_unsure<V: Lanes>(&mut self) -> u8 {
        let used = ((1u16 << self.count) - 1) as u8;
        self.count = 0;
        !self.apart::<V>() & used
    }

    /// Bit `k` is set when all corners of a triangle of pair `k` are certainly on one side of the other's plane.
    ///
    /// Let d be half an f32 epsilon. A way is off by d of its length at most, a component of the normal of two edges of lengths U
    /// and V by 8 d U V (two products of at most U V, each with two such factors, rounded, and their difference), the
    /// height over the plane at the end of two ways of lengths X and Y by 54 d U V (X + Y): 36 from the three products, 12 from
    /// their sums, 6 from the last one. Lengths are largest components. 80 d leaves room for the products of errors and for the
    /// rounding of the bound itself. Numbers below the least normal one may be flushed to zero, some twenty times 2^-126
    /// (1 + M)^2 in all, where M is the longest way; and beyond 1e12 products may overflow, so that nothing is certain.
    #[inline(always)]
    fn apart<V: Lanes>(&self) -> u8 {
        let (ua, va) = (load_rows::<V>(&self.ways[0]), load_rows(&self.ways[1]));
        let (ub, vb) = (load_rows::<V>(&self.ways[2]), load_rows(&self.ways[3]));
        let between = load_rows::<V>(&self.ways[4]);
        let (la, lb) = (length(ua).max(length(va)), length(ub).max(length(vb)));
        let gap = length(between);
        let most = gap + la.max(lb);
        let one = V::splat(1.0);
        let floor = V::splat(2f32.powi(-115)) * (one + most) * (one + most);
        let floor = most
            .le(V::splat(1e12))
            .select(floor, V::splat(f32::INFINITY));
        let relative = V::splat(40.0 * f32::EPSILON);
        let over_a = {
            let normal = cross(ua, va);
            let error = relative * length(ua) * length(va) * (gap + lb) + floor;
            let first = dot(normal, between);
            one_side(
                [first, first + dot(normal, ub), first + dot(normal, vb)],
                error,
            )
        };
        let over_b = {
            let normal = cross(ub, vb);
            let error = relative * length(ub) * length(vb) * (gap + la) + floor;
            let first = dot(normal, between);
            one_side(
                [first, first - dot(normal, ua), first - dot(normal, va)],
                error,
            )
        };
        (over_a | over_b).bits()
    }
}

/// Mask of the lanes in which all heights are beyond the error, on the same side.
#[inline(always)]
fn one_side<V: Lanes>([p, q, r]: [V; 3], error: V) -> V {
    error.lt(p.min(q).min(r)) | p.max(q).max(r).lt(-error)
}

/// The largest component.
#[inline(always)]
fn length<V: Lanes>([x, y, z]: [V; 3]) -> V {
    x.abs().max(y.abs()).max(z.abs())
}

#[inline(always)]
fn dot<V: Lanes>(u: [V; 3], v: [V; 3]) -> V {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

#[inline(always)]
fn cross<V: Lanes>(u: [V; 3], v: [V; 3]) -> [V; 3] {
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::bvh::Bvh;
    use crate::geometry::dual::Body;
    use crate::geometry::integer_oracle::{Cell, triangles_meet};
    use crate::geometry::placed_leaf::Lately;
    use crate::geometry::placement::Placement;
    use crate::geometry::random::Random;
    use crate::geometry::simd::{Kernel, Portable, dispatch};
    use crate::geometry::surface::Surface;
    use glam::Vec3;

    struct Unsure<'a>(&'a mut Eight);

    impl Kernel for Unsure<'_> {
        type Output = u8;
        #[inline(always)]
        fn run<V: Lanes>(self) -> u8 {
            self.0.take_unsure::<V>()
        }
    }

    /// Which of eight pairs of triangles are not certain to be apart, by the machine's lanes and by plain ones.
    fn unsure(pairs: &[[[Vec3; 3]; 2]; 8]) -> u8 {
        let positions: Vec<Vec3> = pairs.iter().flatten().flatten().copied().collect();
        let triangles: Vec<[u32; 3]> = (0..16).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let surface = Surface {
            positions: &positions,
            triangles: &triangles,
        };
        let bvh = Bvh::build(&surface.triangle_boxes());
        let body = Body { surface, bvh: &bvh };
        let (mut one, mut other) = (Lately::new(), Lately::new());
        let mut eight = Eight::new();
        let mut masks = [0; 2];
        for (round, mask) in masks.iter_mut().enumerate() {
            for k in 0..8 {
                let [a, b] = [2 * k, 2 * k + 1];
                let leaf_a = one.get(&body, &Placement::default(), &[a]);
                let leaf_b = other.get(&body, &Placement::default(), &[b]);
                eight.push([a, b], (leaf_a, 0), (leaf_b, 0));
            }
            assert!(eight.is_full());
            *mask = if round == 0 {
                dispatch(Unsure(&mut eight))
            } else {
                Unsure(&mut eight).run::<Portable>()
            };
            assert!(!eight.is_full() && eight.pair(3) == [6, 7]);
        }
        assert_eq!(masks[0], masks[1]);
        masks[0]
    }

    #[test]
    fn what_is_said_to_be_apart_is_apart_in_integers() {
        let mut random = Random::new(90);
        let (mut apart, mut said) = (0, 0);
        for round in 0..4_000 {
            let side = [2, 3, 7, 1000, 1 << 20][round % 5];
            let scale = [0, -149, -120, -60, 30][round % 4 + usize::from(round % 3 == 0)];
            let mut corner = || -> Cell {
                let mut c = || random.below(2 * side + 1) as i128 - side as i128;
                [c(), c(), c()]
            };
            let cells: [[[Cell; 3]; 2]; 8] =
                std::array::from_fn(|_| [0, 1].map(|_| [corner(), corner(), corner()]));
            let float = |c: Cell| Vec3::from(c.map(|v| (v as f64 * 2f64.powi(scale)) as f32));
            let mask = unsure(&cells.map(|pair| pair.map(|t| t.map(float))));
            for (k, [a, b]) in cells.iter().enumerate() {
                let meet = triangles_meet(a, b);
                let sure = mask >> k & 1 == 0;
                assert!(!(sure && meet), "{a:?} {b:?} at 2^{scale}");
                // The least numbers are left to exact arithmetic.
                if !meet && scale >= -20 {
                    apart += 1;
                    said += usize::from(sure);
                }
            }
        }
        assert!(2 * said > apart, "of {apart} pairs, {said} were told");
    }

    #[test]
    fn numbers_that_overflow_are_left_to_the_exact_test() {
        let far = 1e18;
        let flat = |z: f32| {
            [
                Vec3::new(0.0, 0.0, z),
                Vec3::new(far, 0.0, z),
                Vec3::new(0.0, far, z),
            ]
        };
        assert_eq!(unsure(&[[flat(-far), flat(far)]; 8]), u8::MAX);
        let near = |z: f32| flat(z * far).map(|p| p / far);
        assert_eq!(unsure(&[[near(-1.0), near(1.0)]; 8]), 0);
    }
}
