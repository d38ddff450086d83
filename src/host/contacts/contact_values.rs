//! Contacts, second: the field at the vertices of the clusters that may touch. Vertices of several clusters get the same value from each that
//! finds them without one. Of edges and faces only the marks are cleared: the rest is written where a mark is set.

use super::contact_work::Work;
use super::{Bindings, CLUSTER_GRAIN, CLUSTERS, Side};
use crate::geometry::simd::WIDTH;
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactValues;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// Triangles, or vertices, that are worth a task to clear.
const CLEAR_GRAIN: usize = 1 << 18;

impl Native for ContactValues<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        let bindings = super::bindings!(self);
        let triangles = |side: &Side| side.query.triangles;
        bindings.for_all(push, CLEAR_GRAIN, triangles, |side, part| {
            for mark in &Work::of(side).marks[part] {
                mark.store(0, Relaxed);
            }
        });
        let vertices = |side: &Side| side.query.vertices;
        bindings.for_all(push, CLEAR_GRAIN, vertices, |side, part| {
            Work::of(side).clear_vertices(part);
        });
        let start = |side: &Side, clusters| start_clusters(side, &Work::of(side), clusters);
        bindings.for_all(push, CLUSTER_GRAIN, |side| side.count(CLUSTERS), start);
    }
}

fn start_clusters(side: &Side, work: &Work, clusters: Range<usize>) {
    let mut vertices = [0; WIDTH];
    let mut count = 0;
    let start = |vertices: &[u32; WIDTH], count: usize| {
        let (places, told) = side.tell_vertices(vertices);
        for (lane, &vertex) in vertices[..count].iter().enumerate() {
            let place = places.map(|row| row[lane]);
            work.start_vertex(vertex, place, told.values[lane], told.lowers[lane]);
        }
    };
    for range in clusters.map(|at| side.touching_range(at)) {
        for (vertex, _) in side.cluster_vertices(&range) {
            vertices[count] = vertex;
            count += usize::from(!work.is_started(vertex));
            if count == WIDTH {
                start(&vertices, count);
                count = 0;
            }
        }
    }
    // The lanes that are left have vertices of before.
    if count > 0 {
        start(&vertices, count);
    }
}
