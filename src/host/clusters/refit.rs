//! Boxes and spheres of triangle clusters after the positions changed. Partner: `shaders/clusters/refit.comp`.

use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::{Array, Native};
use crate::gpu::shader::blocks::{ClusterBounds, ClusterRange, RefitPush};
use crate::gpu::shader::kernels::Refit;
use crate::host::meeting::Positions;
use crate::host::runs::each_run;
use std::ops::Range;

/// Clusters that are worth a thread.
const RUN: usize = 128;
/// Vertices, eight at a time, that are kept for a second look; no cluster of 64 triangles has more.
const HELD: usize = 24;
/// Rounding of the distances below stays within a few units in the last place; the sphere must hold every vertex.
const ROUND_UP: f32 = 1.0 + 1.0 / 524_288.0;
/// Below this, squares would vanish.
const SMALLEST_SCALE: f32 = 1e-30;

impl Native for Refit<'_> {
    fn run(&self, push: &RefitPush, _: [u32; 3]) {
        let positions = Positions::new(self.positions, push.first, push.stride);
        each_run(push.clusters as usize, RUN, |run| {
            dispatch(RefitRun {
                run,
                positions: &positions,
                ranges: self.ranges.values(),
                vertices: self.vertices.values(),
                bounds: self.bounds.array(),
            });
        });
    }
}

struct RefitRun<'a> {
    run: Range<usize>,
    positions: &'a Positions<'a>,
    ranges: &'a [ClusterRange],
    vertices: &'a [u32],
    bounds: Array<'a, ClusterBounds>,
}

impl LaneKernel for RefitRun<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let mut held = [[V::splat(0.0); 3]; HELD];
        for cluster in self.run {
            let range = &self.ranges[cluster];
            let (first, count) = (range.first_vertex as usize, range.vertex_count as usize);
            let vertices = &self.vertices[first..first + count];
            let bounds = refit(range, vertices, self.positions, &mut held);
            self.bounds.set(cluster, bounds);
        }
    }
}

/// Eight of the vertices from `first` on; the last one again where there are no more, which changes nothing.
#[inline(always)]
fn eight<V: Lanes>(vertices: &[u32], first: usize, positions: &Positions) -> [V; 3] {
    if let Some(eight) = vertices[first..].first_chunk() {
        return positions.lane_load(eight);
    }
    let mut eight = [vertices[vertices.len() - 1]; WIDTH];
    eight[..vertices.len() - first].copy_from_slice(&vertices[first..]);
    positions.lane_load(&eight)
}

/// The bounds of a cluster with these vertices.
#[inline(always)]
fn refit<V: Lanes>(
    range: &ClusterRange,
    vertices: &[u32],
    positions: &Positions,
    held: &mut [[V; 3]; HELD],
) -> ClusterBounds {
    let mut lowest = [V::splat(f32::INFINITY); 3];
    let mut highest = [V::splat(f32::NEG_INFINITY); 3];
    let eights = vertices.len().div_ceil(WIDTH);
    for k in 0..eights {
        let p = eight::<V>(vertices, WIDTH * k, positions);
        if k < HELD {
            held[k] = p;
        }
        for i in 0..3 {
            lowest[i] = p[i].min(lowest[i]);
            highest[i] = p[i].max(highest[i]);
        }
    }
    let low = [lowest[0].least(), lowest[1].least(), lowest[2].least()];
    let high = [highest[0].most(), highest[1].most(), highest[2].most()];

    // Distances are taken in units of the box, so that squares neither overflow nor vanish.
    let (mut center, mut scale) = ([0.0; 3], SMALLEST_SCALE);
    for i in 0..3 {
        center[i] = 0.5 * low[i] + 0.5 * high[i];
        scale = scale.max(high[i] - center[i]).max(center[i] - low[i]);
    }
    let inverse = V::splat(1.0 / scale);
    let mut farthest = V::splat(0.0);
    for k in 0..eights {
        let p = if k < HELD {
            held[k]
        } else {
            eight(vertices, WIDTH * k, positions)
        };
        let mut square = V::splat(0.0);
        for i in 0..3 {
            let offset = (p[i] - V::splat(center[i])) * inverse;
            square = square + offset * offset;
        }
        farthest = square.max(farthest);
    }
    ClusterBounds {
        center,
        radius: scale * farthest.most().sqrt() * ROUND_UP + SMALLEST_SCALE,
        min: low,
        first: range.first_triangle,
        max: high,
        count: range.triangle_count,
    }
}
