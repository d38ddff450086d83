//! Penalty, first: the clusters that can penetrate. Partner: `shaders/penalty/penalty_clusters.comp`.

use crate::gpu::native::Native;
use crate::gpu::shader::blocks::PenaltyQuery;
use crate::gpu::shader::kernels::PenaltyClusters;
use crate::host::field::Field;
use crate::host::meeting::{MeetingMesh, placed, placing_error};
use crate::host::runs::each_run;
use std::sync::atomic::Ordering::Relaxed;

/// Clusters that are tested on one thread before another pays.
const CLUSTERS_PER_RUN: usize = 256;

impl Native for PenaltyClusters<'_> {
    fn run(&self, (): &(), _groups: [u32; 3]) {
        let query = &self.query.values::<PenaltyQuery>()[0];
        let meeting = &query.meeting;
        let mesh = MeetingMesh::of(&self.meeting, meeting);
        let field = Field::of(&self.field);
        let test = |cluster: usize| {
            let sphere = mesh.cluster_sphere(cluster);
            let lower = field.bounds(placed(meeting, sphere.truncate())).lower;
            u32::from(lower <= sphere.w + placing_error(meeting, sphere))
        };
        let touching = &self.touching.words()[..meeting.clusters as usize];
        each_run(touching.len(), CLUSTERS_PER_RUN, |run| {
            for cluster in run {
                touching[cluster].store(test(cluster), Relaxed);
            }
        });
    }
}
