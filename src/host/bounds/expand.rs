//! The box of a mesh under a pose, from the clusters that can go beyond what is certain. Partner: `shaders/bounds/expand.comp`.

use super::certain::{RUN, corners, lane_boxes};
use super::{Extremes, LaneExtremes, along};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{BoundsPush, ClusterBounds, ClusterRange};
use crate::gpu::shader::kernels::Expand;
use crate::host::meeting::Positions;
use crate::host::ordered::unordered;
use crate::host::runs::merge_runs;
use std::sync::atomic::Ordering::Relaxed;

impl Native for Expand<'_> {
    fn run(&self, push: &BoundsPush, _: [u32; 3]) {
        let words = &self.extremes.words()[push.at as usize..][..6];
        let known = Extremes {
            lowest: std::array::from_fn(|i| unordered(words[i].load(Relaxed))),
            highest: std::array::from_fn(|i| unordered(!words[3 + i].load(Relaxed))),
        };
        let clusters: &[ClusterBounds] = self.clusters.values();
        let ranges: &[ClusterRange] = self.ranges.values();
        let found = merge_runs(
            push.count as usize,
            RUN,
            || known,
            |run| {
                dispatch(ExpandRun {
                    rows: &push.rows,
                    known: &known,
                    clusters: &clusters[run.clone()],
                    ranges: &ranges[run],
                    vertices: self.vertices.values(),
                    positions: &Positions::new(self.positions, push.first, push.stride),
                })
            },
            Extremes::with,
        );
        found.merge(self.extremes, push.at);
    }
}

struct ExpandRun<'a> {
    rows: &'a [[f32; 4]; 3],
    known: &'a Extremes,
    clusters: &'a [ClusterBounds],
    ranges: &'a [ClusterRange],
    vertices: &'a [u32],
    positions: &'a Positions<'a>,
}

impl LaneKernel for ExpandRun<'_> {
    type Output = Extremes;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Extremes {
        let mut found = LaneExtremes::<V>::of(self.known);
        // What is certain grows with every cluster that is looked at, so that fewer of the next ones are.
        let mut certain = found;
        for first in (0..self.clusters.len()).step_by(WIDTH) {
            let exceeding = can_exceed(self.rows, lane_boxes(self.clusters, first), &certain);
            if exceeding == 0 {
                continue;
            }
            for (lane, range) in self.ranges[first..].iter().take(WIDTH).enumerate() {
                if exceeding >> lane & 1 == 1 {
                    self.look_at(range, &mut found);
                }
            }
            certain = LaneExtremes::of(&found.merged());
        }
        found.merged()
    }
}

impl ExpandRun<'_> {
    /// Adds the vertices of a cluster.
    #[inline(always)]
    fn look_at<V: Lanes>(&self, range: &ClusterRange, found: &mut LaneExtremes<V>) {
        let (first, count) = (range.first_vertex as usize, range.vertex_count as usize);
        let vertices = &self.vertices[first..first + count];
        for k in (0..count).step_by(WIDTH) {
            // The last one again where there are no more: that changes nothing.
            let mut eight = [0; WIDTH];
            for lane in 0..WIDTH {
                eight[lane] = vertices[(k + lane).min(count - 1)];
            }
            found.add(self.rows, self.positions.lane_load(&eight));
        }
    }
}

/// Which of eight clusters can have a vertex beyond what is certain. Rounding keeps order, so places of corners bound those of vertices to
/// the bit.
#[inline(always)]
fn can_exceed<V: Lanes>(rows: &[[f32; 4]; 3], boxes: [[V; 3]; 2], certain: &LaneExtremes<V>) -> u8 {
    let mut exceeding = V::splat(0.0);
    for i in 0..3 {
        let [least, greatest] = corners(&rows[i], boxes);
        exceeding = exceeding
            | along(&rows[i], least).lt(certain.lowest[i])
            | certain.highest[i].lt(along(&rows[i], greatest));
    }
    exceeding.bits()
}
