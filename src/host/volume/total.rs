//! Adds what `measure` summed, always in the same order. Partner: `shaders/volume/total.comp`.

use super::grid::summary_of;
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{Summary, TotalPush};
use crate::gpu::shader::kernels::Total;

/// Sums of each part; after them the deepest span's length, start and pixel. Partner: `shaders/include/partials.glsl`.
pub const SUMMED: usize = 10;
/// All words of a part.
pub const PARTIALS: usize = 13;

impl Native for Total<'_> {
    fn run(&self, push: &TotalPush, _groups: [u32; 3]) {
        let count = push.count as usize;
        let partials = self.partials.values::<u32>();
        let part = |which: usize| &partials[which * count..][..count];
        let added = |which: usize| {
            let terms = part(which)
                .iter()
                .map(|word| f64::from(f32::from_bits(*word)));
            terms.sum::<f64>() as f32
        };
        let vector = |first: usize| [added(first), added(first + 1), added(first + 2)];
        let (lengths, pixels) = (part(SUMMED), part(SUMMED + 2));
        let mut best = 0;
        for i in 1..count {
            let (length, deepest) = (f32::from_bits(lengths[i]), f32::from_bits(lengths[best]));
            if length > deepest || (length == deepest && pixels[i] < pixels[best]) {
                best = i;
            }
        }
        self.summaries.array().set(
            0,
            Summary {
                extent: added(0),
                moment: vector(1),
                gradient: vector(4),
                torque: vector(7),
                deepest_length: f32::from_bits(lengths[best]),
                deepest_from: f32::from_bits(part(SUMMED + 1)[best]),
                deepest_pixel: pixels[best],
                ..summary_of(&self.summaries)
            },
        );
    }
}
