//! What the box of a mesh under a pose certainly contains, by the boxes of its clusters. Partner: `shaders/bounds/certain.comp`.

use super::{Extremes, LaneExtremes, along};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch, load_rows};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{BoundsPush, ClusterBounds};
use crate::gpu::shader::kernels::Certain;
use crate::host::runs::merge_runs;

/// Clusters that are worth a thread.
pub(super) const RUN: usize = 4096;

/// The boxes of eight clusters, from `first` on; the last one again where there are no more.
#[inline(always)]
pub(super) fn lane_boxes<V: Lanes>(clusters: &[ClusterBounds], first: usize) -> [[V; 3]; 2] {
    let mut rows = [[[0.0; WIDTH]; 3]; 2];
    for lane in 0..WIDTH {
        let cluster = &clusters[(first + lane).min(clusters.len() - 1)];
        for axis in 0..3 {
            rows[0][axis][lane] = cluster.min[axis];
            rows[1][axis][lane] = cluster.max[axis];
        }
    }
    [load_rows(&rows[0]), load_rows(&rows[1])]
}

/// The corners of the boxes where a row is least and greatest.
#[inline(always)]
pub(super) fn corners<V: Lanes>(row: &[f32; 4], [low, high]: [[V; 3]; 2]) -> [[V; 3]; 2] {
    let (mut least, mut greatest) = (high, low);
    for i in 0..3 {
        if row[i] > 0.0 {
            (least[i], greatest[i]) = (low[i], high[i]);
        }
    }
    [least, greatest]
}

/// The worst places on the best faces: all the row's worst choices but the one that matters most.
#[inline(always)]
fn certain<V: Lanes>(row: &[f32; 4], worst: [V; 3], best: [V; 3]) -> V {
    let mut gain = worst;
    for i in 0..3 {
        gain[i] = (V::splat(row[i]) * (best[i] - worst[i])).abs();
    }
    let x = gain[1].le(gain[0]) & gain[2].le(gain[0]);
    let y = gain[2].le(gain[1]);
    let place = [
        x.select(best[0], worst[0]),
        x.select(worst[1], y.select(best[1], worst[1])),
        x.select(worst[2], y.select(worst[2], best[2])),
    ];
    along(row, place)
}

impl Native for Certain<'_> {
    fn run(&self, push: &BoundsPush, _: [u32; 3]) {
        let clusters: &[ClusterBounds] = &self.clusters.values()[..push.count as usize];
        let found = merge_runs(
            clusters.len(),
            RUN,
            Extremes::nothing,
            |run| {
                dispatch(CertainRun {
                    rows: &push.rows,
                    clusters: &clusters[run],
                })
            },
            Extremes::with,
        );
        found.merge(self.extremes, push.at);
    }
}

struct CertainRun<'a> {
    rows: &'a [[f32; 4]; 3],
    clusters: &'a [ClusterBounds],
}

impl LaneKernel for CertainRun<'_> {
    type Output = Extremes;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Extremes {
        let mut found = LaneExtremes::<V>::of(&Extremes::nothing());
        for first in (0..self.clusters.len()).step_by(WIDTH) {
            let boxes = lane_boxes::<V>(self.clusters, first);
            for i in 0..3 {
                let row = &self.rows[i];
                let [least, greatest] = corners(row, boxes);
                found.lowest[i] = certain(row, greatest, least).min(found.lowest[i]);
                found.highest[i] = certain(row, least, greatest).max(found.highest[i]);
            }
        }
        found.merged()
    }
}
