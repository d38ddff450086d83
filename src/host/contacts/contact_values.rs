//! Contacts, second: the field at the vertices of the clusters that may touch, and a clean slate for their edges and faces. Vertices of
//! several clusters get the same value from each.

use super::contact_work::Work;
use super::eight::{Waiting, places_of};
use super::{Bindings, CLUSTER_GRAIN, CLUSTERS, INFINITE, Side};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactValues;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

impl Native for ContactValues<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        let start = |side: &Side, clusters| start_clusters(side, &Work::of(side), clusters);
        super::bindings!(self).for_all(push, CLUSTER_GRAIN, |side| side.count(CLUSTERS), start);
    }
}

fn start_clusters(side: &Side, work: &Work, clusters: Range<usize>) {
    let mut waiting = Waiting::new();
    let start = |vertices: &mut [u32]| {
        let told = side.tell(&places_of(vertices, |&vertex| {
            side.placed(side.mesh.positions.load(vertex))
        }));
        for (lane, &vertex) in vertices.iter().enumerate() {
            work.start_vertex(vertex, told.values[lane], told.lowers[lane]);
        }
    };
    for range in clusters.map(|at| side.touching_range(at)) {
        for (vertex, _) in side.cluster_vertices(&range) {
            waiting.add(vertex, start);
        }
        for triangle in range.first_triangle..range.first_triangle + range.triangle_count {
            start_triangle(side, work, triangle);
        }
    }
    waiting.finish(start);
}

fn start_triangle(side: &Side, work: &Work, triangle: u32) {
    let node = work.face_node(triangle);
    work.parents[node as usize].store(node, Relaxed);
    work.marks[triangle as usize].store(0, Relaxed);
    for half_edge in 3 * triangle..3 * triangle + 3 {
        let owner = side.edge_owner(half_edge);
        work.set_edge_value(owner, INFINITE);
        work.edge_vetoes[owner as usize].store(0, Relaxed);
    }
}
