//! The box of a mesh under a pose. Partner: `shaders/bounds/bounds.comp`, with what its kernels share (`extremes.glsl`).

pub mod certain;
pub mod expand;

use super::meeting::Positions;
use super::ordered::ordered;
use super::runs::merge_runs;
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::Native;
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::BoundsPush;
use crate::gpu::shader::kernels::Bounds;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// Vertices that are worth a thread.
const RUN: usize = 65_536;

/// The least and the greatest coordinates of places.
#[derive(Clone, Copy)]
struct Extremes {
    lowest: [f32; 3],
    highest: [f32; 3],
}

impl Extremes {
    fn nothing() -> Self {
        Self {
            lowest: [f32::INFINITY; 3],
            highest: [f32::NEG_INFINITY; 3],
        }
    }

    fn with(self, other: Self) -> Self {
        Self {
            lowest: std::array::from_fn(|i| self.lowest[i].min(other.lowest[i])),
            highest: std::array::from_fn(|i| self.highest[i].max(other.highest[i])),
        }
    }

    /// Merges them into the six words from `at` on: three minima, three complemented maxima.
    fn merge(&self, extremes: Bound, at: u32) {
        let words = &extremes.words()[at as usize..][..6];
        for axis in 0..3 {
            // Zeros have one sign: which of two comes first depends on how the work is cut.
            let (low, high) = (self.lowest[axis] + 0.0, self.highest[axis] + 0.0);
            words[axis].fetch_min(ordered(low), Relaxed);
            words[3 + axis].fetch_min(!ordered(high), Relaxed);
        }
    }
}

/// Extremes of eight places at a time.
#[derive(Clone, Copy)]
struct LaneExtremes<V> {
    lowest: [V; 3],
    highest: [V; 3],
}

impl<V: Lanes> LaneExtremes<V> {
    #[inline(always)]
    fn of(known: &Extremes) -> Self {
        let [a, b, c] = known.lowest;
        let [d, e, f] = known.highest;
        Self {
            lowest: [V::splat(a), V::splat(b), V::splat(c)],
            highest: [V::splat(d), V::splat(e), V::splat(f)],
        }
    }

    /// Adds the places of eight points.
    #[inline(always)]
    fn add(&mut self, rows: &[[f32; 4]; 3], p: [V; 3]) {
        for i in 0..3 {
            let place = along(&rows[i], p);
            self.lowest[i] = place.min(self.lowest[i]);
            self.highest[i] = place.max(self.highest[i]);
        }
    }

    #[inline(always)]
    fn merged(&self) -> Extremes {
        let [a, b, c] = self.lowest;
        let [d, e, f] = self.highest;
        Extremes {
            lowest: [a.least(), b.least(), c.least()],
            highest: [d.most(), e.most(), f.most()],
        }
    }
}

/// Where a row of a pose takes eight points. The operations are those of `along.glsl`, in the same order: every kernel that computes
/// places by this finds the same bits.
#[inline(always)]
fn along<V: Lanes>(row: &[f32; 4], p: [V; 3]) -> V {
    V::splat(row[0]) * p[0] + V::splat(row[1]) * p[1] + V::splat(row[2]) * p[2] + V::splat(row[3])
}

impl Native for Bounds<'_> {
    fn run(&self, push: &BoundsPush, _: [u32; 3]) {
        let scan = |run: Range<usize>| {
            dispatch(Scan {
                run,
                push,
                positions: &Positions::new(self.positions, push.first, push.stride),
            })
        };
        let count = push.count as usize;
        let found = merge_runs(count, RUN, Extremes::nothing, scan, Extremes::with);
        found.merge(self.extremes, push.at);
    }
}

/// The extremes of a run of vertices.
struct Scan<'a> {
    run: Range<usize>,
    push: &'a BoundsPush,
    positions: &'a Positions<'a>,
}

impl LaneKernel for Scan<'_> {
    type Output = Extremes;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Extremes {
        let mut found = LaneExtremes::<V>::of(&Extremes::nothing());
        let rows = self.push.rows;
        let mut vertex = self.run.start;
        if let Some(fours) = self.positions.fours() {
            let (eights, rest) = fours[self.run.clone()].as_chunks::<WIDTH>();
            for eight in eights {
                found.add(&rows, V::mixed_columns(eight));
            }
            vertex = self.run.end - rest.len();
        }
        while vertex < self.run.end {
            // The last one again where there are no more: that changes nothing.
            let mut eight = [0; WIDTH];
            for lane in 0..WIDTH {
                eight[lane] = (vertex + lane).min(self.run.end - 1) as u32;
            }
            found.add(&rows, self.positions.lane_load(&eight));
            vertex += WIDTH;
        }
        found.merged()
    }
}
