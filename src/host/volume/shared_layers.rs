//! Stretches of rays inside both of two meshes, with the triangles that bound them. Counted for each ray first, then written where the
//! offsets say. Partner: `shaders/volume/shared_layers.comp`.

use super::grid::{Grid, summary_of};
use super::rays::{Crossings, ENTERS, Rays, Slots};
use super::winding_walk::WindingWalk;
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{Layer, SharedLayersPush};
use crate::gpu::shader::kernels::{SharedLayers, SharedLayersPass};
use crate::host::runs::each_run;
use std::sync::atomic::Ordering::Relaxed;

/// Rays that are worth a thread.
const RUN: usize = 4096;

impl Native for SharedLayers<'_> {
    fn run(&self, push: &SharedLayersPush, _groups: [u32; 3]) {
        let summary = summary_of(&self.summaries);
        if summary.nodes > push.capacity || summary.frame.width == 0 {
            return;
        }
        let grid = Grid::of(&summary.frame);
        let (rays, slots) = (Rays::of(&self.rays), Slots::of(&self.slots));
        let offsets = self.offsets.words();
        let stretches = |ray: usize, found: &mut dyn FnMut(Layer)| {
            let at = [0, 1].map(|mesh| mesh * grid.pixels() + ray);
            // The border lies outside of what the boxes share.
            if grid.is_border(grid.pixel(ray)) || at.iter().any(|ray| slots.count(*ray) == 0) {
                return;
            }
            let [a, b] = [0, 1].map(|mesh| {
                let crossings = Crossings::of(rays, &slots, at[mesh]);
                WindingWalk::start(crossings, summary.frame.from_above[mesh] == 1)
            });
            each_shared(a, b, |layer| {
                found(Layer {
                    pixel: ray as u32,
                    ..layer
                })
            });
        };
        each_run(grid.pixels(), RUN, |run| {
            for ray in run {
                match &self.pass {
                    SharedLayersPass::Count => {
                        let mut count = 0;
                        stretches(ray, &mut |_| count += 1);
                        offsets[ray].store(count, Relaxed);
                    }
                    SharedLayersPass::Write { layers } => {
                        let mut at = offsets[ray].load(Relaxed);
                        stretches(ray, &mut |layer| {
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

/// The stretches of a ray inside both. The highest bit of a triangle says that it is of the second mesh.
fn each_shared<'a>(mut a: WindingWalk<'a>, mut b: WindingWalk<'a>, mut found: impl FnMut(Layer)) {
    let mut inside = false;
    let (mut from, mut enters, mut extreme) = (0.0, 0, 0_i32);
    loop {
        let first = a.next_depth() <= b.next_depth();
        let (walk, mark) = if first { (&mut a, 0) } else { (&mut b, ENTERS) };
        let Some(next) = walk.peek() else { return };
        walk.pass();
        let (depth, triangle) = (next.depth(), next.tag() & !ENTERS | mark);
        let winding = a.winding() * b.winding();
        if (winding != 0) != inside {
            if inside && depth > from {
                found(Layer {
                    from,
                    to: depth,
                    enters,
                    leaves: triangle,
                    winding: extreme,
                    pixel: 0,
                });
            }
            inside = !inside;
            (from, enters, extreme) = (depth, triangle, winding);
        }
        if winding.abs() > extreme.abs() {
            extreme = winding;
        }
    }
}
