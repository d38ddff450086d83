//! From counts to places: every count becomes the sum of those before it. Partner: `shaders/volume/offsets.comp`.

use super::grid::{Grid, summary_of};
use super::rays::words_of;
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{OffsetsPush, Summary};
use crate::gpu::shader::kernels::Offsets;
use std::mem::offset_of;
use std::sync::atomic::Ordering::Relaxed;

impl Native for Offsets<'_> {
    fn run(&self, push: &OffsetsPush, _groups: [u32; 3]) {
        let summary = summary_of(&self.summaries);
        let rays = match summary.nodes > push.capacity {
            true => 0,
            false => Grid::of(&summary.frame).pixels(),
        };
        let mut before = 0u32;
        for offset in &self.offsets.words()[..rays] {
            before += offset.swap(before, Relaxed);
        }
        words_of(&self.summaries, offset_of!(Summary, layers_found))[0].store(before, Relaxed);
    }
}
