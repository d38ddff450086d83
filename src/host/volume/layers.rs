//! Stretches of rays: those inside the mesh, or those where entries and exits are out of order. Counted for each ray first, then written
//! where the offsets say. Partner: `shaders/volume/layers.comp`.

use super::grid::{Grid, summary_of};
use super::rays::{Crossing, Crossings, ENTERS, Rays, Slots, change_of};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{Layer, LayersPush};
use crate::gpu::shader::kernels::{Layers, LayersPass};
use crate::host::runs::each_run;
use std::sync::atomic::Ordering::Relaxed;

/// Rays that are worth a thread.
const RUN: usize = 4096;

impl Native for Layers<'_> {
    fn run(&self, push: &LayersPush, _groups: [u32; 3]) {
        let summary = summary_of(&self.summaries);
        if summary.nodes > push.capacity {
            return;
        }
        let (rays, slots) = (Rays::of(&self.rays), Slots::of(&self.slots));
        let offsets = self.offsets.words();
        // Thinner self-overlaps may come from rounding.
        let least = match push.self_overlaps {
            0 => 0.0,
            _ => 4.0 * summary.frame.slack[2],
        };
        let walk = |ray: usize, found: &mut dyn FnMut(Layer)| {
            let mut walk = Walk::start(push.self_overlaps == 1, least);
            for crossing in Crossings::of(rays, &slots, ray) {
                if let Some(layer) = walk.pass(crossing) {
                    found(Layer {
                        pixel: ray as u32,
                        ..layer
                    });
                }
            }
        };
        each_run(Grid::of(&summary.frame).pixels(), RUN, |run| {
            for ray in run {
                match &self.pass {
                    LayersPass::Count => {
                        let mut count = 0;
                        walk(ray, &mut |_| count += 1);
                        offsets[ray].store(count, Relaxed);
                    }
                    LayersPass::Write { layers } => {
                        let mut at = offsets[ray].load(Relaxed);
                        walk(ray, &mut |layer| {
                            if at < push.room {
                                layers.array().set(at as usize, layer);
                            }
                            at += 1;
                        });
                    }
                }
            }
        });
    }
}

/// On the way along a ray.
struct Walk {
    self_overlaps: bool,
    least: f32,
    kind: u32,
    enters: u32,
    winding: i32,
    extreme: i32,
    from: f32,
}

impl Walk {
    fn start(self_overlaps: bool, least: f32) -> Self {
        Self {
            self_overlaps,
            least,
            kind: 0,
            enters: 0,
            winding: 0,
            extreme: 0,
            from: 0.0,
        }
    }

    /// Stretches of one kind are one layer: inside; or folded over, and turned inside out (Heidelberger et al. 2004, as in Teschner et
    /// al. 2005, section 6).
    fn kind(&self) -> u32 {
        match (self.self_overlaps, self.winding) {
            (false, winding) => u32::from(winding != 0),
            (true, 2..) => 1,
            (true, ..=-1) => 2,
            (true, _) => 0,
        }
    }

    /// Passes a crossing, which may end a stretch.
    fn pass(&mut self, crossing: Crossing) -> Option<Layer> {
        let (depth, tag) = (crossing.depth(), crossing.tag());
        self.winding += change_of(tag);
        let (next, mut ended) = (self.kind(), None);
        if next != self.kind {
            if self.kind != 0 && depth - self.from > self.least {
                ended = Some(Layer {
                    from: self.from,
                    to: depth,
                    enters: self.enters & !ENTERS,
                    leaves: tag & !ENTERS,
                    winding: self.extreme,
                    pixel: 0,
                });
            }
            self.kind = next;
            self.from = depth;
            self.enters = tag;
            self.extreme = self.winding;
        }
        if self.winding.abs() > self.extreme.abs() {
            self.extreme = self.winding;
        }
        ended
    }
}
