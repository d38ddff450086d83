//! Samples a ramp between its voxels, for `gpu/filter.rs` to see how fields are filtered. Partner: `shaders/field/filter_ramp.comp`.

use super::{trilinear, trilinear4};
use crate::gpu::native::Native;
use crate::gpu::shader::kernels::FilterRamp;
use glam::Vec3;

/// Samples between two voxels, partner: gpu/filter.rs.
const SAMPLES: usize = 1024;

impl Native for FilterRamp<'_> {
    fn run(&self, (): &(), groups: [u32; 3]) {
        let ramp = self.ramp.voxels();
        let values = self.values.array::<f32>();
        for i in 0..(groups[0] * Self::WORKGROUP[0]) as usize {
            let mut texel = Vec3::new(if i < 3 * SAMPLES { 0.0 } else { 2.0 }, 0.0, 0.0);
            texel[i / SAMPLES % 3] += ((i % SAMPLES) as f32 + 0.5) / SAMPLES as f32;
            let value = match ramp.channels {
                1 => trilinear(&ramp, texel),
                _ => trilinear4(&ramp, texel).x,
            };
            values.set(i, value);
        }
    }
}
