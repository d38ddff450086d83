//! Penalty, first: the clusters that can penetrate. Partner: `shaders/penalty/penalty_clusters.comp`.

use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{Meeting, PenaltyQuery};
use crate::gpu::shader::kernels::PenaltyClusters;
use crate::host::field::Field;
use crate::host::meeting::{MeetingMesh, lane_placed, placing_error};
use crate::host::runs::each_run;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Clusters that are worth a thread.
const RUN: usize = 512;

impl Native for PenaltyClusters<'_> {
    fn run(&self, (): &(), _groups: [u32; 3]) {
        let meeting = &self.query.values::<PenaltyQuery>()[0].meeting;
        let mesh = MeetingMesh::of(&self.meeting, meeting);
        let field = Field::of(&self.field);
        let touching = &self.touching.words()[..meeting.clusters as usize];
        each_run(touching.len(), RUN, |run| {
            dispatch(Clusters {
                run,
                field: &field,
                mesh: &mesh,
                meeting,
                touching,
            });
        });
    }
}

struct Clusters<'a> {
    run: Range<usize>,
    field: &'a Field<'a>,
    mesh: &'a MeetingMesh<'a>,
    meeting: &'a Meeting,
    touching: &'a [AtomicU32],
}

impl LaneKernel for Clusters<'_> {
    type Output = ();

    /// One whose middle is farther outside than the cluster reaches cannot penetrate.
    #[inline(always)]
    fn run<V: Lanes>(self) {
        for first in self.run.clone().step_by(WIDTH) {
            let (mut middles, mut reaches) = ([[0.0; WIDTH]; 3], [0.0; WIDTH]);
            for lane in 0..WIDTH {
                // The last one again where there are no more.
                let cluster = (first + lane).min(self.run.end - 1);
                let sphere = self.mesh.cluster_sphere(cluster);
                for axis in 0..3 {
                    middles[axis][lane] = sphere[axis];
                }
                reaches[lane] = sphere.w + placing_error(self.meeting, sphere);
            }
            let placed = lane_placed::<V>(self.meeting, &middles);
            let clear = V::load(&reaches).lt(self.field.lane_bounds(placed).lower);
            let touch = !clear.bits();
            for lane in 0..WIDTH.min(self.run.end - first) {
                self.touching[first + lane].store(u32::from(touch >> lane & 1), Relaxed);
            }
        }
    }
}
