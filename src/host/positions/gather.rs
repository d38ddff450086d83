//! Packs strided positions, three floats each. Partner: `shaders/positions/gather.comp`.

use crate::gpu::native::Native;
use crate::gpu::shader::blocks::GatherPush;
use crate::gpu::shader::kernels::Gather;
use crate::host::meeting::Positions;
use crate::host::runs::each_run;

/// Vertices that are worth a thread.
const RUN: usize = 16_384;

impl Native for Gather<'_> {
    fn run(&self, push: &GatherPush, _: [u32; 3]) {
        let positions = Positions::new(self.positions, push.first, push.stride);
        let packed = self.packed.array::<[f32; 3]>();
        each_run(push.vertices as usize, RUN, |run| {
            for vertex in run {
                packed.set(vertex, positions.load(vertex as u32).to_array());
            }
        });
    }
}
