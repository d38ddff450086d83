//! Penalty, last: the sums of the clusters, added in their order. Partner: `shaders/penalty/penalty_sum.comp`.

use super::{Sum, Total};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{self, PenaltyAnswer, PenaltyQuery};
use crate::gpu::shader::kernels::PenaltySum;
use glam::{Vec3, Vec4Swizzles};

impl Native for PenaltySum<'_> {
    fn run(&self, (): &(), _groups: [u32; 3]) {
        let query = &self.query.values::<PenaltyQuery>()[0];
        let touching = &self.touching.values::<u32>()[..query.meeting.clusters as usize];
        let sums = self.sums.values::<blocks::PenaltySum>();
        let mut total = Total::default();
        for (touches, shares) in touching
            .iter()
            .zip(sums.chunks_exact(query.shares as usize))
        {
            if *touches != 0 {
                shares.iter().for_each(|sum| total.add(&Sum::from(sum)));
            }
        }
        self.answers.array().set(0, answer(&total.sum(), query));
    }
}

fn answer(sum: &Sum, query: &PenaltyQuery) -> PenaltyAnswer {
    // As on a device, though few of these additions are of floats.
    let additions = (query.meeting.clusters * query.shares) as f32 + 64.0;
    let (part, [.., reach], [.., mesh_reach]) =
        (6.1e-8 * additions, query.centre, query.mesh_centre);
    let rounding = part * sum.torque_pressure.w;
    let arms = Vec3::new(1.0, reach, 2.0 * (reach + mesh_reach));
    let errors = query.stiffness * ((1.0 + part) * sum.errors + rounding * arms) + query.unbounded;
    PenaltyAnswer {
        force: sum.force_area.xyz().into(),
        area: sum.force_area.w,
        torque: sum.torque_pressure.xyz().into(),
        depth_sum: sum.torque_pressure.w,
        centroid_sum: sum.centroid_error.xyz().into(),
        depth_sum_error: sum.centroid_error.w,
        deepest: sum.deepest.xyz().into(),
        depth: sum.deepest.w,
        inner_area: sum.inner_area,
        outer_area: sum.outer_area,
        depth_upper: sum.depth_upper,
        depth_lower: sum.depth_lower,
        samples: sum.samples,
        force_error: errors.x,
        torque_error: errors.y,
        mesh_torque_error: errors.z,
        coarsened: sum.coarsened.into(),
    }
}
