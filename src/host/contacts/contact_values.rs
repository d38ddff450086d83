//! Contacts, second: the field at the vertices of the clusters that may touch, and a clean slate for their edges and faces. Vertices of
//! several clusters get the same value from each.

use super::contact_work::Work;
use super::{Bindings, CLUSTER_GRAIN, CLUSTERS, INFINITE, Side};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactValues;
use std::sync::atomic::Ordering::Relaxed;

impl Native for ContactValues<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        let start = |side: &Side, clusters| start_clusters(side, &Work::of(side), clusters);
        super::bindings!(self).for_all(push, CLUSTER_GRAIN, |side| side.count(CLUSTERS), start);
    }
}

fn start_clusters(side: &Side, work: &Work, clusters: std::ops::Range<usize>) {
    for range in clusters.map(|at| side.touching_range(at)) {
        for (vertex, _) in side.cluster_vertices(&range) {
            let p = side.placed(side.mesh.positions.load(vertex));
            let (value, lower) = value_and_lower(side, p);
            work.start_vertex(vertex, value, lower);
        }
        for triangle in range.first_triangle..range.first_triangle + range.triangle_count {
            start_triangle(side, work, triangle);
        }
    }
}

/// What values are compared by at a point, and a lower bound of the exact distance.
fn value_and_lower(side: &Side, p: glam::Vec3) -> (f32, f32) {
    let sample = side.field.bounds(p);
    match sample.in_domain && side.outside(p) == 0.0 {
        true => (sample.distance, sample.lower),
        false => (side.value_of(p), sample.lower),
    }
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
