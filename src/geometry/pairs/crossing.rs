//! Triangles of leaves that touch: which of them intersect?
//!
//! Boxes of triangles are compared four at a time, then planes eight pairs at a time, and only what is left after that
//! comes to the exact test.

use super::placed_leaf::RecentLeaves;
use super::planes::Eight;
use crate::geometry::bounded::{Bounded, Ordered};
use crate::geometry::hierarchy::bvh::LEAF;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::hierarchy::touching::Leaves;
use crate::geometry::simd::{Lanes, WIDTH};
use crate::geometry::surface::Surface;
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::general_position::crossing_segment;
use crate::geometry::triangle::intersection::{triangle_intersection, triangles_intersect};
use glam::DVec3;

/// Two triangles that intersect, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Triangle of the first and of the second body.
    pub triangles: [u32; 2],
    /// The ends of what they share, in the frame of the first body.
    pub segment: [DVec3; 2],
}

impl Ordered for Crossing {
    type Key = [u32; 2];
    fn key(&self) -> [u32; 2] {
        self.triangles
    }
}

/// What is kept of a pair that intersects.
pub trait Kept: Ordered + Send + Sized {
    /// What is kept of these triangles; None when they do not intersect.
    fn of(triangles: [u32; 2], a: &Triangle, b: &Triangle) -> Option<Self>;

    /// What is kept of triangles that are known to cross.
    fn of_crossing(triangles: [u32; 2], corners: impl FnOnce() -> [Triangle; 2]) -> Option<Self>;
}

impl Kept for [u32; 2] {
    fn of(triangles: [u32; 2], a: &Triangle, b: &Triangle) -> Option<Self> {
        triangles_intersect(a, b).then_some(triangles)
    }

    fn of_crossing(triangles: [u32; 2], _: impl FnOnce() -> [Triangle; 2]) -> Option<Self> {
        Some(triangles)
    }
}

impl Kept for Crossing {
    fn of(triangles: [u32; 2], a: &Triangle, b: &Triangle) -> Option<Self> {
        let segment = triangle_intersection(a, b)?;
        Some(Self { triangles, segment })
    }

    fn of_crossing(triangles: [u32; 2], corners: impl FnOnce() -> [Triangle; 2]) -> Option<Self> {
        let [a, b] = corners();
        let segment = crossing_segment(&a, &b).or_else(|| triangle_intersection(&a, &b))?;
        Some(Self { triangles, segment })
    }
}

/// The exact test, and what passed it.
struct Exact<'a, R> {
    a: Surface<'a>,
    b: Surface<'a>,
    placement: &'a Placement,
    found: Bounded<R>,
}

impl<R: Kept> Exact<'_, R> {
    #[inline(always)]
    fn corners(&self, [a, b]: [u32; 2]) -> [Triangle; 2] {
        let moved = self.placement.corners(&self.b, b);
        [self.a.corners_f64(a), moved]
    }

    /// Takes in a pair of which nothing is known.
    #[inline(never)]
    fn compare(&mut self, pair: [u32; 2]) {
        let [a, b] = self.corners(pair);
        if let Some(kept) = R::of(pair, &a, &b) {
            self.found.push(kept);
        }
    }

    /// Takes in a pair that is known to cross.
    #[inline(never)]
    fn keep(&mut self, pair: [u32; 2]) {
        if let Some(kept) = R::of_crossing(pair, || self.corners(pair)) {
            self.found.push(kept);
        }
    }

    /// Takes in what waits.
    #[inline(always)]
    fn take<V: Lanes>(&mut self, waiting: &mut Eight) {
        let mut verdict = waiting.take::<V>();
        while verdict.crossing != 0 {
            let lane = verdict.crossing.trailing_zeros() as usize;
            verdict.crossing &= verdict.crossing - 1;
            self.keep(waiting.pair(lane));
        }
        while verdict.unsure != 0 {
            let lane = verdict.unsure.trailing_zeros() as usize;
            verdict.unsure &= verdict.unsure - 1;
            self.compare(waiting.pair(lane));
        }
    }
}

/// Collects the pairs that intersect.
pub(super) struct Crossings<'a, R> {
    exact: Exact<'a, R>,
    by_boxes: bool,
    recent: [RecentLeaves; 2],
    waiting: Eight,
    candidates: u64,
}

impl<'a, R: Kept> Crossings<'a, R> {
    /// Without `by_boxes` all triangles of the leaves are compared.
    pub(super) fn new(
        a: Surface<'a>,
        b: Surface<'a>,
        placement: &'a Placement,
        by_boxes: bool,
        capacity: usize,
    ) -> Self {
        Self {
            exact: Exact {
                a,
                b,
                placement,
                found: Bounded::new(capacity),
            },
            by_boxes,
            recent: [RecentLeaves::new(), RecentLeaves::new()],
            waiting: Eight::new(),
            candidates: 0,
        }
    }

    /// Where the second body stands.
    pub(super) fn placement(&self) -> &'a Placement {
        self.exact.placement
    }

    /// What was found, and how many pairs had boxes that touch.
    pub(super) fn found(self) -> (Bounded<R>, u64) {
        (self.exact.found, self.candidates)
    }

    /// At most [`LEAF`] triangles each.
    #[inline(always)]
    fn touch_leaves<V: Lanes>(&mut self, a: &[u32], b: &[u32]) {
        let [of_a, of_b] = &mut self.recent;
        let leaf_a = of_a.get(&self.exact.a, &Placement::default(), a);
        let leaf_b = of_b.get(&self.exact.b, self.exact.placement, b);
        let mut near = 0u32;
        if self.by_boxes {
            for row in 0..LEAF {
                near |= u32::from(leaf_b.near::<V>(leaf_a, row)) << (row * WIDTH);
            }
        } else {
            for row in 0..a.len() {
                near |= ((1 << b.len()) - 1) << (row * WIDTH);
            }
        }
        self.candidates += u64::from(near.count_ones());
        while near != 0 {
            let bit = near.trailing_zeros() as usize;
            near &= near - 1;
            let (row, lane) = (bit / WIDTH, bit % WIDTH);
            let pair = [a[row], b[lane]];
            self.waiting.push(pair, (leaf_a, row), (leaf_b, lane));
            if self.waiting.is_full() {
                self.exact.take::<V>(&mut self.waiting);
            }
        }
    }
}

impl<R: Kept> Leaves for Crossings<'_, R> {
    #[inline(always)]
    fn touch<V: Lanes>(&mut self, a: &[u32], b: &[u32]) {
        if a.len() <= LEAF && b.len() <= LEAF {
            return self.touch_leaves::<V>(a, b);
        }
        for a in a.chunks(LEAF) {
            for b in b.chunks(LEAF) {
                self.touch_leaves::<V>(a, b);
            }
        }
    }

    #[inline(always)]
    fn end<V: Lanes>(&mut self) {
        self.exact.take::<V>(&mut self.waiting);
    }
}
