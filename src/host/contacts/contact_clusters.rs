//! Contacts, first: the clusters that may come within the contact distance, by the Lipschitz bound.

use super::{Bindings, CLUSTERS, Side};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactClusters;
use std::sync::atomic::Ordering::Relaxed;

/// Clusters that are worth a task.
const GRAIN: usize = 512;

impl Native for ContactClusters<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        let bindings = Bindings {
            meeting: &self.meeting,
            side: &self.side,
            tables: &[],
            field: &self.field,
        };
        bindings.for_all(
            push,
            GRAIN,
            |side| side.query.meeting.clusters,
            |side, part| part.for_each(|cluster| look_at(side, cluster)),
        );
    }
}

fn look_at(side: &Side, cluster: usize) {
    let sphere = side.mesh.cluster_sphere(cluster);
    let lower = side.field.bounds(side.placed(sphere.truncate())).lower;
    let reach =
        side.query.ratio * sphere.w + side.scaled_placing_error(sphere) + side.query.distance;
    if lower <= reach {
        let slot = side.add(CLUSTERS);
        side.touching_cluster(slot).store(cluster as u32, Relaxed);
    }
}
