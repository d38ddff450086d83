//! Contacts, first: the clusters that may come within the contact distance, by the Lipschitz bound.

use super::eight::Places;
use super::{Bindings, CLUSTERS, Side};
use crate::geometry::simd::WIDTH;
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactClusters;
use std::ops::Range;
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
            |side, part| {
                for first in part.clone().step_by(WIDTH) {
                    look_at(side, first..part.end.min(first + WIDTH));
                }
            },
        );
    }
}

/// Up to eight clusters.
fn look_at(side: &Side, clusters: Range<usize>) {
    let mut places = Places::default();
    for (lane, cluster) in clusters.clone().enumerate() {
        let sphere = side.mesh.cluster_sphere(cluster);
        places.set(lane, side.placed(sphere.truncate()));
    }
    let told = side.tell(&places);
    for (cluster, lower) in clusters.zip(told.lowers) {
        let sphere = side.mesh.cluster_sphere(cluster);
        let reach =
            side.query.ratio * sphere.w + side.scaled_placing_error(sphere) + side.query.distance;
        if lower <= reach {
            let slot = side.add(CLUSTERS);
            side.touching_cluster(slot).store(cluster as u32, Relaxed);
        }
    }
}
