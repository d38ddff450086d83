//! The boxes of two meshes under their poses. Partner: `shaders/volume/boxes.comp`.

use super::place::Pose;
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::MeshPlace;
use crate::gpu::shader::kernels::Boxes;
use crate::host::meeting::Positions;
use crate::host::ordered::ordered;
use crate::host::runs::merge_runs;
use glam::Vec3A;
use std::sync::atomic::Ordering::Relaxed;

/// Vertices that are worth a thread.
const RUN: usize = 16_384;
/// The axis along which coordinates keep the order x, y, z.
const UNTURNED: u32 = 2;

impl Native for Boxes<'_> {
    fn run(&self, (): &(), _groups: [u32; 3]) {
        let places = self.places.values::<MeshPlace>();
        for (mesh, positions) in [self.positions, self.positions_b].into_iter().enumerate() {
            let own = &places[mesh];
            let positions = Positions::new(positions, own.first, own.stride);
            let pose = Pose::of(own, UNTURNED);
            let nothing = || [Vec3A::INFINITY, Vec3A::NEG_INFINITY];
            let merged = |a: [Vec3A; 2], b: [Vec3A; 2]| [a[0].min(b[0]), a[1].max(b[1])];
            let found = merge_runs(
                own.count as usize,
                RUN,
                nothing,
                |run| {
                    run.fold(nothing(), |found, vertex| {
                        let place = pose.moved(positions.load(vertex as u32));
                        merged(found, [place; 2])
                    })
                },
                merged,
            );
            let words = &self.extremes.words()[6 * mesh..][..6];
            for axis in 0..3 {
                words[axis].fetch_min(ordered(found[0][axis]), Relaxed);
                words[3 + axis].fetch_min(!ordered(found[1][axis]), Relaxed);
            }
        }
    }
}
