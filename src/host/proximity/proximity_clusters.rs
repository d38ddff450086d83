//! Proximity, first: the field at the middle of each cluster's sphere bounds it over the whole cluster, because a distance changes by no
//! more than one moves. Partner: `shaders/proximity/proximity_clusters.comp`.

use super::NOTHING;
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::{Array, Native};
use crate::gpu::shader::blocks::{Meeting, ProximityQuery};
use crate::gpu::shader::kernels::ProximityClusters;
use crate::host::field::Field;
use crate::host::meeting::{MeetingMesh, lane_placed, lane_places, placing_error};
use crate::host::ordered::ordered;
use crate::host::runs::merge_runs;
use std::ops::Range;

/// Clusters that are worth a thread.
const RUN: usize = 512;

impl Native for ProximityClusters<'_> {
    fn run(&self, (): &(), _: [u32; 3]) {
        let state = self.query.array::<ProximityQuery>();
        let mut query = state.get(0);
        let (field, mesh) = (
            Field::of(&self.field),
            MeetingMesh::of(&self.meeting, &query.meeting),
        );
        let meeting = query.meeting;
        let ceiling = merge_runs(
            meeting.clusters as usize,
            RUN,
            || NOTHING,
            |run| {
                dispatch(Clusters {
                    run,
                    field: &field,
                    mesh: &mesh,
                    meeting: &meeting,
                    bounds: self.bounds.array(),
                })
            },
            u32::min,
        );
        query.ceiling = query.ceiling.min(ceiling);
        state.set(0, query);
    }
}

struct Clusters<'a> {
    run: Range<usize>,
    field: &'a Field<'a>,
    mesh: &'a MeetingMesh<'a>,
    meeting: &'a Meeting,
    bounds: Array<'a, [u32; 2]>,
}

impl LaneKernel for Clusters<'_> {
    /// The smallest upper bound.
    type Output = u32;

    #[inline(always)]
    fn run<V: Lanes>(self) -> u32 {
        let (mesh, meeting) = (self.mesh, self.meeting);
        let mut ceiling = f32::INFINITY;
        for first in self.run.clone().step_by(WIDTH) {
            let end = self.run.end.min(first + WIDTH);
            let (mut middles, mut radii, mut slacks) =
                ([[0.0; WIDTH]; 3], [0.0; WIDTH], [0.0; WIDTH]);
            let mut vertices = [0; WIDTH];
            for lane in 0..WIDTH {
                // The last one again where there are no more: that changes nothing.
                let c = (first + lane).min(end - 1);
                let sphere = mesh.cluster_sphere(c);
                for axis in 0..3 {
                    middles[axis][lane] = sphere[axis];
                }
                radii[lane] = sphere.w;
                slacks[lane] = placing_error(meeting, sphere);
                vertices[lane] = mesh.indices[mesh.ranges[c].first_triangle as usize][0];
            }
            let slack = V::load(&slacks);
            let bounds = self.field.lane_bounds(lane_placed::<V>(meeting, &middles));
            let lower = bounds.lower - V::load(&radii) - slack;
            for (lane, lower) in lower.store().into_iter().take(end - first).enumerate() {
                self.bounds.set(first + lane, [ordered(lower), NOTHING]);
            }
            // Any point of the surface will do for an upper bound, and one of a cluster that is all above the best changes nothing.
            if lower.le(V::splat(ceiling)).bits() != 0 {
                let p = lane_places(meeting, mesh.positions.lane_load::<V>(&vertices));
                let upper = self.field.lane_bounds(p).upper + slack;
                ceiling = ceiling.min(upper.min(V::splat(f32::INFINITY)).least());
            }
        }
        ordered(ceiling)
    }
}
