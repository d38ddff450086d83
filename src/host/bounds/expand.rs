//! The box of a mesh under a pose, from the clusters that can go beyond what is certain. Partner: `shaders/bounds/expand.comp`.

use super::certain::{RUN, along, corners};
use super::{Extremes, Pose};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{BoundsPush, ClusterBounds, ClusterRange};
use crate::gpu::shader::kernels::Expand;
use crate::host::meeting::Positions;
use crate::host::ordered::unordered;
use crate::host::runs::merge_runs;
use glam::{Vec3, Vec4};
use std::sync::atomic::Ordering::Relaxed;

/// Whether a vertex of the cluster can lie beyond what is certain.
#[inline]
fn can_exceed(push: &BoundsPush, cluster: &ClusterBounds, known: &Extremes) -> bool {
    let (low, high) = (Vec3::from(cluster.min), Vec3::from(cluster.max));
    (0..3).any(|i| {
        let row = &push.rows[i];
        let [least, greatest] = corners(row, low, high);
        along(row, least) < known.lowest[i] || along(row, greatest) > known.highest[i]
    })
}

impl Native for Expand<'_> {
    fn run(&self, push: &BoundsPush, _: [u32; 3]) {
        let (pose, words) = (Pose::of(push), self.extremes.words());
        let word = |i: usize| words[push.at as usize + i].load(Relaxed);
        let known = Extremes {
            lowest: Vec4::from_array(std::array::from_fn(|i| unordered(word(i % 3)))),
            highest: Vec4::from_array(std::array::from_fn(|i| unordered(!word(3 + i % 3)))),
        };
        let positions = Positions::new(self.positions, push.first, push.stride);
        let clusters: &[ClusterBounds] = self.clusters.values();
        let ranges: &[ClusterRange] = self.ranges.values();
        let vertices: &[u32] = self.vertices.values();
        let found = merge_runs(
            push.count as usize,
            RUN,
            || known,
            |run| {
                // Grows with every cluster that is looked at, so that fewer of the next ones are.
                let mut found = known;
                for cluster in run {
                    if !can_exceed(push, &clusters[cluster], &found) {
                        continue;
                    }
                    let range = &ranges[cluster];
                    let (first, count) = (range.first_vertex as usize, range.vertex_count as usize);
                    for &vertex in &vertices[first..first + count] {
                        found.add(pose.world_of(positions.load_wide(vertex).extend(0.0)));
                    }
                }
                found
            },
            Extremes::with,
        );
        found.merge(self.extremes, push.at);
    }
}
