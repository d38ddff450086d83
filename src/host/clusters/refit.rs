//! Boxes and spheres of triangle clusters after the positions changed. Partner: `shaders/clusters/refit.comp`.

use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{ClusterBounds, ClusterRange, RefitPush};
use crate::gpu::shader::kernels::Refit;
use crate::host::meeting::Positions;
use crate::host::runs::each_run;
use glam::Vec3A;

/// Clusters that are worth a thread.
const RUN: usize = 64;
/// Rounding of the distances below stays within a few units in the last place; the sphere must hold every vertex.
const ROUND_UP: f32 = 1.0 + 1.0 / 524_288.0;
/// Below this, squares would vanish.
const SMALLEST_SCALE: f32 = 1e-30;

impl Native for Refit<'_> {
    fn run(&self, push: &RefitPush, _: [u32; 3]) {
        let positions = Positions::new(self.positions, push.first, push.stride);
        let ranges: &[ClusterRange] = self.ranges.values();
        let vertices: &[u32] = self.vertices.values();
        let bounds = self.bounds.array::<ClusterBounds>();
        each_run(push.clusters as usize, RUN, |run| {
            for cluster in run {
                let range = &ranges[cluster];
                let own = &vertices[range.first_vertex as usize..][..range.vertex_count as usize];
                bounds.set(cluster, refit(range, own, &positions));
            }
        });
    }
}

/// The bounds of a cluster with these vertices.
fn refit(range: &ClusterRange, vertices: &[u32], positions: &Positions) -> ClusterBounds {
    let mut lowest = Vec3A::INFINITY;
    let mut highest = Vec3A::NEG_INFINITY;
    for &vertex in vertices {
        let p = positions.load_wide(vertex);
        lowest = p.min(lowest);
        highest = p.max(highest);
    }
    // Distances are taken in units of the box, so that squares neither overflow nor vanish.
    let center = 0.5 * lowest + 0.5 * highest;
    let half_size = (highest - center).max(center - lowest);
    let scale = half_size.max_element().max(SMALLEST_SCALE);
    let inverse = 1.0 / scale;
    let mut farthest = 0.0f32;
    for &vertex in vertices {
        let offset = (positions.load_wide(vertex) - center) * inverse;
        farthest = farthest.max(offset.dot(offset));
    }
    ClusterBounds {
        center: center.to_array(),
        radius: scale * farthest.sqrt() * ROUND_UP + SMALLEST_SCALE,
        min: lowest.to_array(),
        first: range.first_triangle,
        max: highest.to_array(),
        count: range.triangle_count,
    }
}
