//! Squared distances and crossings become signed distances: a run takes slices, row by row. Partner: `shaders/field/band_finish.comp`.

use crate::gpu::native::Native;
use crate::gpu::shader::blocks::BandPush;
use crate::gpu::shader::kernels::BandFinish;
use crate::host::runs::each_run_to_the_end;
use crate::memory;

/// Nodes that are worth a thread.
const RUN: usize = 32_768;

impl Native for BandFinish<'_> {
    fn run(&self, push: &BandPush, _: [u32; 3]) {
        let [width, height, depth] = push.nodes.map(|n| n as usize);
        let values = self.values.array::<f32>();
        let crossings: &[i32] = self.crossings.values();
        let slices = (RUN / (width * height)).max(1);
        each_run_to_the_end(depth, slices, |run| {
            // The winding number of each column of a slice.
            let mut windings = memory::filled(0i32, width);
            for z in run {
                windings.fill(0);
                for y in 0..height {
                    let row = (z * height + y) * width;
                    let changes = crossings[row..row + width].iter();
                    for (x, (winding, change)) in windings.iter_mut().zip(changes).enumerate() {
                        *winding = winding.wrapping_add(*change);
                        let distance = (values.get(row + x).sqrt() * push.cell).min(push.band);
                        let signed = if *winding != 0 { -distance } else { distance };
                        values.set(row + x, signed);
                    }
                }
            }
        });
    }
}
