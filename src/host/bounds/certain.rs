//! What the box of a mesh under a pose certainly contains, by the boxes of its clusters. Partner: `shaders/bounds/certain.comp`.

use super::Extremes;
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{BoundsPush, ClusterBounds};
use crate::gpu::shader::kernels::Certain;
use crate::host::runs::merge_runs;
use glam::{Vec3, Vec4};

/// Clusters that are worth a thread.
pub(super) const RUN: usize = 2048;

/// Where a row of a pose takes a point; the operations of `along.glsl`.
#[inline]
pub(super) fn along(row: &[f32; 4], p: Vec3) -> f32 {
    row[0] * p.x + row[1] * p.y + row[2] * p.z + row[3]
}

/// The corners of the box where a row is least and greatest.
#[inline]
pub(super) fn corners(row: &[f32; 4], low: Vec3, high: Vec3) -> [Vec3; 2] {
    let rises = Vec3::new(row[0], row[1], row[2]).cmpgt(Vec3::ZERO);
    [
        Vec3::select(rises, low, high),
        Vec3::select(rises, high, low),
    ]
}

/// The worst place on the best face: all the row's worst choices but the one that matters most.
#[inline]
fn certain(row: &[f32; 4], worst: Vec3, best: Vec3) -> f32 {
    let gain = (Vec3::new(row[0], row[1], row[2]) * (best - worst)).abs();
    let mut place = worst;
    let axis = if gain.x >= gain.y && gain.x >= gain.z {
        0
    } else if gain.y >= gain.z {
        1
    } else {
        2
    };
    place[axis] = best[axis];
    along(row, place)
}

impl Native for Certain<'_> {
    fn run(&self, push: &BoundsPush, _: [u32; 3]) {
        let clusters: &[ClusterBounds] = self.clusters.values();
        let found = merge_runs(
            push.count as usize,
            RUN,
            Extremes::nothing,
            |run| {
                let mut found = Extremes::nothing();
                for cluster in &clusters[run] {
                    let (low, high) = (Vec3::from(cluster.min), Vec3::from(cluster.max));
                    let (mut least, mut most) = (Vec4::ZERO, Vec4::ZERO);
                    for (i, row) in push.rows.iter().enumerate() {
                        let [lower, upper] = corners(row, low, high);
                        least[i] = certain(row, upper, lower);
                        most[i] = certain(row, lower, upper);
                    }
                    found.lowest = least.min(found.lowest);
                    found.highest = most.max(found.highest);
                }
                found
            },
            Extremes::with,
        );
        found.merge(self.extremes, push.at);
    }
}
