//! Contacts, sixth: the vertices that no triangle vetoed join the candidates. A kernel of its own, because triangles of other clusters have
//! a say.

use super::contact_work::Work;
use super::{Bindings, CLUSTERS, Side};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactVertices;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// Clusters that are worth a task: a vertex takes a few nanoseconds.
const GRAIN: usize = 128;

impl Native for ContactVertices<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        super::bindings!(self).for_all(push, GRAIN, |side| side.count(CLUSTERS), gather);
    }
}

fn gather(side: &Side, clusters: Range<usize>) {
    let work = Work::of(side);
    for range in clusters.map(|at| side.touching_range(at)) {
        for (vertex, is_own) in side.cluster_vertices(&range) {
            let is_vetoed = work.vetoes[vertex as usize].load(Relaxed) != 0;
            if is_own && !is_vetoed && work.value(vertex) <= side.query.distance {
                work.add_candidate(vertex);
            }
        }
    }
}
