//! The three ways of stage 2: from placed triangles to the crossings of every ray.
//!
//! Compute scan conversion; lists written by fragments in one pass; and the paper's passes, one a layer, told apart by the stencil
//! (Heidelberger et al. 2003, section 3). Rasterisation only finds candidates: which rays cross a triangle, and where, is said by
//! `crossing.glsl`, so all three make the same lists bit for bit.

use super::{COMMANDS, Ldi, MARKS, MAX_GROUPS, MAX_RESOLUTION, PLACED, Resolution, Use};
use crate::error::{Error, Result, invalid};
use crate::gpu::attachment::Format;
use crate::gpu::canvas::Canvas;
use crate::gpu::pass::{Draw, Start};
use crate::gpu::paths::Feature;
use crate::gpu::raster::{Compare, Raster, State, StencilTest};
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::query::Resources;
use crate::query::memory::Place;
use bytemuck::{Pod, Zeroable};
use std::sync::Arc;

/// How the crossings of rays and triangles are found. The answers have the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generator {
    /// Kernels scan triangles.
    #[default]
    Compute,
    /// Fragments of one pass write lists; the device must have fragment stores.
    Lists,
    /// One pass a layer, told apart by the stencil; fewer than [`MAX_LAYERS`].
    Stencil,
}

/// Layers that the passes of [`Generator::Stencil`] can tell apart: a stencil counts to 255, and passes are recorded beforehand.
pub const MAX_LAYERS: u32 = 64;

/// What the ways of stage 2 are pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ConvertPush {
    mesh: u32,
    count: u32,
    capacity: u32,
}

/// What `collect.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct CollectPush {
    mesh: u32,
    next: u32,
    capacity: u32,
}

/// With fewer triangles than this, several workgroups share each: then triangles are likely to be large.
const FEW_TRIANGLES: u32 = 4096;
/// Triangles that an invocation takes before more workgroups pay: after them it does what it has put off, which costs software
/// devices as much when that is nothing.
const TRIANGLES_PER_LANE: u32 = 16;
/// Workgroups that share a triangle, at most.
const MAX_SLICES: u32 = 64;
/// Vertices of a triangle's rectangle: see `candidates.vert`.
const CORNERS: u32 = 6;
/// Bytes of a `VkDrawIndirectCommand`.
const COMMAND_BYTES: u64 = 16;
/// Bytes of the draws of all layers, and of one that is never drawn.
pub(super) const COMMANDS_BYTES: u64 = (MAX_LAYERS as u64 + 1) * COMMAND_BYTES;

/// What the drawing generators draw into.
pub(super) enum Drawn {
    Nothing,
    Lists(Arc<Canvas>),
    Stencil(Arc<Canvas>),
}

impl Drawn {
    pub(super) fn plan(
        resources: &Resources,
        generator: Generator,
        resolution: Resolution,
    ) -> Result<Self> {
        let (device, canvases) = (&resources.device, &resources.canvases);
        let side = match (generator, resolution) {
            (Generator::Compute, _) => return Ok(Self::Nothing),
            (_, Resolution::Pixels(side)) => side + 2,
            (_, Resolution::CellSize(_)) => {
                return Err(invalid(format!(
                    "the generators that draw take a resolution of 1 to {MAX_RESOLUTION}, not a cell size; generate by compute, or \
                     give a resolution"
                )));
            }
        };
        if generator == Generator::Lists {
            if !device.paths.on(Feature::FragmentStores) {
                return Err(Error::Unsupported(format!(
                    "\"{}\" has no {}, or it is off; generate by compute or by stencil",
                    device.physical.name,
                    Feature::FragmentStores.name()
                )));
            }
            return Ok(Self::Lists(canvases.get(device, &[], None, side)?));
        }
        let canvas = [Format::Depth32Stencil8, Format::Depth24Stencil8]
            .into_iter()
            .find_map(|stencil| {
                let layer = [Format::Uint2];
                canvases.get(device, &layer, Some(stencil), side).ok()
            });
        canvas.map(Self::Stencil).ok_or_else(|| {
            Error::Unsupported(format!(
                "\"{}\" draws into no stencil; generate by compute",
                device.physical.name
            ))
        })
    }
}

impl Ldi {
    /// Records stage 2: the crossings and marks of every mesh.
    pub(super) fn record_crossings(
        &self,
        view: usize,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        if let Some(work) = self.conversion() {
            for which in 0..self.meshes.len() {
                self.record_conversion(view, which, work, place, recorder)?;
            }
        }
        match &self.drawn {
            Drawn::Nothing => Ok(()),
            Drawn::Lists(canvas) => {
                recorder.barrier(Access::Any, Access::Any);
                let mut pass = recorder.pass(&canvas.targets, &[])?;
                for (which, seen) in self.meshes.iter().enumerate() {
                    let mut bound = self.placed_mesh(which, place).to_vec();
                    bound.extend(self.lists(view, place));
                    bound.extend(self.stored_slots(place));
                    pass.take(
                        &raster(&shader::CROSSINGS_LIST_FRAG, None),
                        &bound,
                        &self.convert_push(which),
                    )?;
                    pass.draw(Draw::vertices(CORNERS * seen.mesh.triangles.len() as u32));
                }
                Ok(())
            }
            Drawn::Stencil(canvas) => (0..self.meshes.len())
                .try_for_each(|which| self.record_layers(view, which, canvas, place, recorder)),
        }
    }

    /// What is left to compute: crossings unless they are drawn, marks where they are asked for.
    fn conversion(&self) -> Option<Conversion> {
        let marked = self.used == Use::Certificates;
        match (matches!(self.drawn, Drawn::Nothing), marked) {
            (true, true) => Some(Conversion::Both),
            (true, false) => Some(Conversion::Crossings),
            (false, true) => Some(Conversion::Marks),
            (false, false) => None,
        }
    }

    fn record_conversion(
        &self,
        view: usize,
        which: usize,
        work: Conversion,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let indices = &self.meshes[which].mesh.cluster_indices;
        let texel = place.has_texels(PLACED + which) && indices.has_texels();
        let push = self.convert_push(which);
        let kernel = convert(texel, work);
        let [summary, heads, nodes] = self.lists(view, place);
        let mut bound = vec![
            place.viewed(PLACED + which, texel),
            Bound::viewed(indices, texel),
            summary,
        ];
        if work != Conversion::Marks {
            bound.extend([heads, nodes]);
            bound.extend(self.stored_slots(place));
        }
        if work != Conversion::Crossings {
            bound.push(place.part(MARKS));
        }
        let slices = (FEW_TRIANGLES / push.count).clamp(1, MAX_SLICES);
        let groups = push
            .count
            .div_ceil(kernel.workgroup[0] * TRIANGLES_PER_LANE);
        recorder.dispatch(
            kernel,
            &bound,
            &push,
            [groups.clamp(1, MAX_GROUPS), slices, 1],
        )
    }

    /// A pass for every layer: the n-th lets the n-th crossing of each ray through, as the stencil counts them. Passes after
    /// the last layer draw nothing, because the one before has found nothing.
    fn record_layers(
        &self,
        view: usize,
        which: usize,
        canvas: &Canvas,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let count = CORNERS * self.meshes[which].mesh.triangles.len() as u32;
        let (commands, start) = place.buffer(COMMANDS);
        recorder.barrier(Access::Any, Access::Transfer);
        for command in 0..u64::from(MAX_LAYERS + 1) {
            let at = start + command * COMMAND_BYTES;
            recorder.fill(commands, at, 4, count);
            recorder.fill(commands, at + 4, 12, 0);
        }
        recorder.barrier(Access::Transfer, Access::Transfer);
        recorder.fill(commands, start + 4, 4, 1);
        recorder.barrier(Access::Any, Access::Any);
        let raster = raster(&shader::CROSSINGS_LAYER_FRAG, Some(PEEL));
        let [placed, indices] = self.placed_mesh(which, place);
        let bound = [placed, indices, self.summary(view, place)];
        for n in 0..MAX_LAYERS {
            let mut pass = recorder.pass(
                &canvas.targets,
                &[Start::Integers([u32::MAX; 4]), Start::Depth(1.0, 0)],
            )?;
            pass.take(&raster, &bound, &self.convert_push(which))?;
            pass.stencil_reference(n);
            pass.draw(Draw::Indirect {
                commands,
                offset: start + u64::from(n) * COMMAND_BYTES,
            });
            drop(pass);
            recorder.barrier(Access::Any, Access::Any);
            let push = CollectPush {
                mesh: which as u32,
                next: n + 1,
                capacity: self.room.nodes,
            };
            let mut collected = self.lists(view, place).to_vec();
            collected.extend([Bound::Attachment(&canvas.colours[0]), place.part(COMMANDS)]);
            collected.extend(self.stored_slots(place));
            let groups =
                (canvas.targets.size).map(|side| side.div_ceil(shader::COLLECT.workgroup[0]));
            recorder.dispatch(
                &shader::COLLECT,
                &collected,
                &push,
                [groups[0], groups[1], 1],
            )?;
            recorder.barrier(Access::Any, Access::Any);
        }
        Ok(())
    }

    fn convert_push(&self, which: usize) -> ConvertPush {
        ConvertPush {
            mesh: which as u32,
            count: self.meshes[which].mesh.triangles.len() as u32,
            capacity: self.room.nodes,
        }
    }
}

/// Counts every crossing of a ray and lets the one through whose number is the reference.
const PEEL: StencilTest = StencilTest {
    compare: Compare::Equal,
};

fn raster(fragment: &'static Shader, stencil: Option<StencilTest>) -> Raster {
    Raster {
        vertex: &shader::CANDIDATES_VERT,
        geometry: None,
        fragment: Some(fragment),
        state: State {
            stencil,
            ..State::default()
        },
    }
}

/// What `convert.comp` makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conversion {
    Both,
    Crossings,
    Marks,
}

fn convert(texel: bool, work: Conversion) -> &'static Shader {
    match (texel, work) {
        (true, Conversion::Both) => &shader::CONVERT_TEXEL,
        (false, Conversion::Both) => &shader::CONVERT_STORAGE,
        (true, Conversion::Marks) => &shader::CONVERT_TEXEL_MARKS,
        (false, Conversion::Marks) => &shader::CONVERT_STORAGE_MARKS,
        (true, Conversion::Crossings) => &shader::CONVERT_TEXEL_CROSSINGS,
        (false, Conversion::Crossings) => &shader::CONVERT_STORAGE_CROSSINGS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree_on_the_push_constants() {
        let works = [Conversion::Both, Conversion::Crossings, Conversion::Marks];
        let kernels = [true, false].map(|texel| works.map(|work| convert(texel, work)));
        let drawing = [
            &shader::CANDIDATES_VERT,
            &shader::CROSSINGS_LIST_FRAG,
            &shader::CROSSINGS_LAYER_FRAG,
        ];
        for kernel in kernels.into_iter().flatten().chain(drawing) {
            assert_layout!(
                kernel,
                "ConvertPush",
                ConvertPush {
                    mesh,
                    count,
                    capacity
                }
            );
        }
        assert_layout!(
            shader::COLLECT,
            "CollectPush",
            CollectPush {
                mesh,
                next,
                capacity
            }
        );
    }
}
