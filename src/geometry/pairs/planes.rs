//! Do two triangles certainly cross, or certainly not? Asked for eight pairs at once, in single precision, with a bound on all
//! rounding: what is certain is proven, and the rest is left to others.

use super::placed_leaf::PlacedLeaf;
use crate::geometry::simd::{Lanes, WIDTH, load_rows};

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

    /// Makes room, and says what is certain of the pairs.
    #[inline(always)]
    pub(super) fn take<V: Lanes>(&mut self) -> Certainty {
        let used = ((1u16 << self.count) - 1) as u8;
        self.count = 0;
        let (apart, crossing) = self.look::<V>();
        Certainty {
            unsure: !(apart | crossing) & used,
            crossing: crossing & used,
        }
    }

    /// Bits of the pairs that are certainly apart, and of those that certainly cross.
    ///
    /// Let d be half an f32 epsilon. A difference is off by d of its length at most, a component of the normal of two edges of lengths U
    /// and V by 8 d U V (two products of at most U V, each with two such factors, rounded, and their difference), the
    /// height over the plane at the end of two ways of lengths X and Y by 54 d U V (X + Y): 36 from the three products, 12 from
    /// their sums, 6 from the last one. Lengths are largest components. 80 d leaves room for the products of errors and for the
    /// rounding of the bound itself. Numbers below the least normal one may be flushed to zero, less than 2^-118 (1 + M)^2 in
    /// all, where M is the longest difference; and beyond 1e12 products may overflow, so that nothing is certain.
    #[inline(always)]
    fn look<V: Lanes>(&self) -> (u8, u8) {
        let (ua, va) = (load_rows::<V>(&self.ways[0]), load_rows(&self.ways[1]));
        let (ub, vb) = (load_rows::<V>(&self.ways[2]), load_rows(&self.ways[3]));
        let between = load_rows::<V>(&self.ways[4]);
        let (la, lb) = (length(ua).max(length(va)), length(ub).max(length(vb)));
        let gap = length(between);
        let most = gap + la + lb;
        let one = V::splat(1.0);
        let floor = V::splat(2f32.powi(-115)) * (one + most) * (one + most);
        let floor = most
            .le(V::splat(1e12))
            .select(floor, V::splat(f32::INFINITY));
        let relative = V::splat(40.0 * f32::EPSILON);
        let (over_a, error_a) = {
            let normal = cross(ua, va);
            let first = dot(normal, between);
            let heights = [first, first + dot(normal, ub), first + dot(normal, vb)];
            let error = relative * length(ua) * length(va) * (gap + lb) + floor;
            (heights, error)
        };
        let (over_b, error_b) = {
            let normal = cross(ub, vb);
            let first = -dot(normal, between);
            let heights = [first, first + dot(normal, ua), first + dot(normal, va)];
            let error = relative * length(ub) * length(vb) * (gap + la) + floor;
            (heights, error)
        };
        let apart = (one_side(over_a, error_a) | one_side(over_b, error_b)).bits();
        if apart == u8::MAX {
            return (apart, 0);
        }
        let clear = clear_of(over_a, error_a) & clear_of(over_b, error_b);
        let origin = [V::splat(0.0); 3];
        let corners_a = lone_first([origin, ua, va], over_b);
        let corners_b = lone_first([between, sum(between, ub), sum(between, vb)], over_a);
        let [first, second] = intervals(corners_a, corners_b);
        // Corners are off by 2 d M, the ways between them by 6 d M, and are at most 2 M long: a component of their cross product is
        // off by 64 d M^2, a volume by 672 d M^3.
        let error = V::splat(400.0 * f32::EPSILON) * most * most * most + floor;
        let missing = clear & (error.lt(first) | error.lt(second));
        let crossing = clear & first.lt(-error) & second.lt(-error);
        // What is on one side of a plane has no interval.
        (apart | missing.bits(), crossing.bits() & !apart)
    }
}

/// What is certain of eight pairs; in neither are those that are certainly apart.
pub(super) struct Certainty {
    /// Bit `k` is set when nothing is certain of pair `k`.
    pub(super) unsure: u8,
    /// Bit `k` is set when the triangles of pair `k` cross, with no corner in the other's plane.
    pub(super) crossing: u8,
}

/// Mask of the lanes in which all heights are beyond the error, on the same side.
#[inline(always)]
fn one_side<V: Lanes>([p, q, r]: [V; 3], error: V) -> V {
    error.lt(p.min(q).min(r)) | p.max(q).max(r).lt(-error)
}

/// Mask of the lanes in which all heights are beyond the error.
#[inline(always)]
fn clear_of<V: Lanes>([p, q, r]: [V; 3], error: V) -> V {
    error.lt(p.abs().min(q.abs()).min(r.abs()))
}

/// The corners turned so that the one comes first that is alone on its side of a plane, which all are clear of; and whether it is
/// below.
#[inline(always)]
fn lone_first<V: Lanes>(
    [p, q, r]: [[V; 3]; 3],
    [over_p, over_q, over_r]: [V; 3],
) -> ([[V; 3]; 3], V) {
    let zero = V::splat(0.0);
    let (up_p, up_q, up_r) = (zero.lt(over_p), zero.lt(over_q), zero.lt(over_r));
    let (down_p, down_q, down_r) = (over_p.lt(zero), over_q.lt(zero), over_r.lt(zero));
    let third = (up_p & up_q) | (down_p & down_q);
    let second = (up_p & up_r) | (down_p & down_r);
    let turned = [
        pick(third, r, pick(second, q, p)),
        pick(third, p, pick(second, r, q)),
        pick(third, q, pick(second, p, r)),
    ];
    let below = third.select(down_r, second.select(down_q, down_p));
    (turned, below)
}

/// The two volumes of Guigue and Devillers 2003: triangles that both cross the line where their planes meet overlap there when neither
/// is positive.
#[inline(always)]
fn intervals<V: Lanes>(
    ([a, a1, a2], a_below): ([[V; 3]; 3], V),
    ([b, b1, b2], b_below): ([[V; 3]; 3], V),
) -> [V; 2] {
    // Each is turned so that the other's lone corner is above it.
    let (b1, b2) = (pick(a_below, b2, b1), pick(a_below, b1, b2));
    let (a1, a2) = (pick(b_below, a2, a1), pick(b_below, a1, a2));
    let (to_b, to_b1, to_b2) = (difference(a, b), difference(a, b1), difference(a, b2));
    [
        dot(cross(difference(a, a1), to_b), to_b1),
        dot(cross(difference(a, a2), to_b2), to_b),
    ]
}

#[inline(always)]
fn pick<V: Lanes>(mask: V, yes: [V; 3], no: [V; 3]) -> [V; 3] {
    [
        mask.select(yes[0], no[0]),
        mask.select(yes[1], no[1]),
        mask.select(yes[2], no[2]),
    ]
}

#[inline(always)]
fn sum<V: Lanes>(u: [V; 3], v: [V; 3]) -> [V; 3] {
    [u[0] + v[0], u[1] + v[1], u[2] + v[2]]
}

#[inline(always)]
fn difference<V: Lanes>(from: [V; 3], to: [V; 3]) -> [V; 3] {
    [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
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
    use crate::geometry::hierarchy::placement::Placement;
    use crate::geometry::pairs::placed_leaf::RecentLeaves;
    use crate::geometry::random::Random;
    use crate::geometry::simd::{LaneKernel, Portable, dispatch};
    use crate::geometry::surface::Surface;
    use fixtures::integer_oracle::{Cell, triangles_meet};
    use glam::Vec3;

    struct Take<'a>(&'a mut Eight);

    impl LaneKernel for Take<'_> {
        type Output = (u8, u8);
        #[inline(always)]
        fn run<V: Lanes>(self) -> (u8, u8) {
            let Certainty { unsure, crossing } = self.0.take::<V>();
            (unsure, crossing)
        }
    }

    /// Which of eight pairs of triangles are unsure and which cross, by the machine's lanes and by plain ones.
    fn verdict(pairs: &[[[Vec3; 3]; 2]; 8]) -> (u8, u8) {
        let positions: Vec<Vec3> = pairs.iter().flatten().flatten().copied().collect();
        let triangles: Vec<[u32; 3]> = (0..16).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let surface = Surface {
            positions: (&positions).into(),
            triangles: &triangles,
        };
        let (mut one, mut other) = (RecentLeaves::new(), RecentLeaves::new());
        let mut eight = Eight::new();
        let mut masks = [(0, 0); 2];
        for (round, mask) in masks.iter_mut().enumerate() {
            for k in 0..8 {
                let [a, b] = [2 * k, 2 * k + 1];
                let leaf_a = one.get(&surface, &Placement::default(), &[a]);
                let leaf_b = other.get(&surface, &Placement::default(), &[b]);
                eight.push([a, b], (leaf_a, 0), (leaf_b, 0));
            }
            assert!(eight.is_full());
            *mask = if round == 0 {
                dispatch(Take(&mut eight))
            } else {
                Take(&mut eight).run::<Portable>()
            };
            assert!(!eight.is_full() && eight.pair(3) == [6, 7]);
        }
        assert_eq!(masks[0], masks[1]);
        masks[0]
    }

    #[test]
    fn what_is_said_is_so_in_integers() {
        let mut random = Random::new(90);
        let (mut plain, mut said) = (0, 0);
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
            let (unsure, crossing) = verdict(&cells.map(|pair| pair.map(|t| t.map(float))));
            assert_eq!(unsure & crossing, 0);
            for (k, [a, b]) in cells.iter().enumerate() {
                let meet = triangles_meet(a, b);
                let sure = unsure >> k & 1 == 0;
                let crosses = crossing >> k & 1 == 1;
                assert!(!sure || crosses == meet, "{a:?} {b:?} at 2^{scale}");
                // The least and the greatest numbers are left to exact arithmetic, and small grids are full of corners in planes.
                if scale == 0 && side >= 1000 {
                    plain += 1;
                    said += usize::from(sure);
                }
            }
        }
        assert!(
            50 * said > 49 * plain,
            "of {plain} pairs, {said} were decided"
        );
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
        assert_eq!(verdict(&[[flat(-far), flat(far)]; 8]), (u8::MAX, 0));
        let near = |z: f32| flat(z * far).map(|p| p / far);
        assert_eq!(verdict(&[[near(-1.0), near(1.0)]; 8]), (0, 0));
    }
}
