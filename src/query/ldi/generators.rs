//! The three ways of stage 2: from placed triangles to the crossings of every ray.
//!
//! Compute scan conversion; lists written by fragments in one pass; and the paper's passes, one a layer, told apart by the stencil
//! (Heidelberger et al. 2003, section 3). Rasterisation only finds candidates: which rays cross a triangle, and where, is said by
//! `crossing.glsl`, so all three make the same lists bit for bit.

use super::{Ldi, MAX_GROUPS, MAX_RESOLUTION, Resolution, Seen, viewed};
use crate::error::{Error, Result, invalid};
use crate::gpu::attachment::{Attachment, Format};
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::Device;
use crate::gpu::pass::{Draw, Start, Targets};
use crate::gpu::paths::Feature;
use crate::gpu::raster::{Compare, Raster, State, StencilTest};
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader::{self, Shader};
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

/// What the drawing generators draw into.
pub(super) enum Canvas {
    Nothing,
    Lists(Targets),
    Stencil {
        targets: Targets,
        layer: Arc<Attachment>,
        commands: Buffer,
    },
}

impl Canvas {
    pub(super) fn plan(
        device: &Arc<Device>,
        generator: Generator,
        resolution: Resolution,
    ) -> Result<Self> {
        let size = match (generator, resolution) {
            (Generator::Compute, _) => return Ok(Self::Nothing),
            (_, Resolution::Pixels(side)) => [side + 2; 2],
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
            return Ok(Self::Lists(Targets::new(device, Vec::new(), None, size)?));
        }
        let layer = Arc::new(Attachment::new(device, Format::Uint2, size, "layer")?);
        let format = [Format::Depth32Stencil8, Format::Depth24Stencil8]
            .into_iter()
            .map(|format| Attachment::new(device, format, size, "stencil"))
            .find_map(Result::ok);
        let stencil = Arc::new(format.ok_or_else(|| {
            Error::Unsupported(format!(
                "\"{}\" draws into no stencil; generate by compute",
                device.physical.name
            ))
        })?);
        Ok(Self::Stencil {
            targets: Targets::new(device, vec![layer.clone()], Some(stencil), size)?,
            layer,
            commands: Buffer::new(
                device,
                Role::Device,
                u64::from(MAX_LAYERS + 1) * COMMAND_BYTES,
                "layer draws",
            )?,
        })
    }
}

impl Ldi {
    /// Records stage 2: the crossings and marks of every mesh.
    pub(super) fn record_crossings(&self, recorder: &mut Recorder) -> Result<()> {
        if let Some(work) = self.conversion() {
            for (which, seen) in self.meshes.iter().enumerate() {
                self.record_conversion(recorder, which as u32, seen, work)?;
            }
        }
        match &self.canvas {
            Canvas::Nothing => Ok(()),
            Canvas::Lists(targets) => {
                recorder.barrier(Access::Any, Access::Any);
                let mut pass = recorder.pass(targets, &[])?;
                for (which, seen) in self.meshes.iter().enumerate() {
                    let bound = self.drawn(seen);
                    pass.take(
                        &raster(&shader::CROSSINGS_LIST_FRAG, None),
                        &bound,
                        &self.convert_push(which as u32, seen),
                    )?;
                    pass.draw(Draw::vertices(CORNERS * seen.mesh.triangles.len() as u32));
                }
                drop(pass);
                recorder.barrier(Access::Any, Access::Any);
                Ok(())
            }
            Canvas::Stencil {
                targets,
                layer,
                commands,
            } => {
                for (which, seen) in self.meshes.iter().enumerate() {
                    self.record_layers(recorder, which as u32, seen, (targets, layer, commands))?;
                }
                Ok(())
            }
        }
    }

    /// What is left to compute: crossings unless they are drawn, marks where they are asked for.
    fn conversion(&self) -> Option<Conversion> {
        match (matches!(self.canvas, Canvas::Nothing), self.marks.is_some()) {
            (true, true) => Some(Conversion::Both),
            (true, false) => Some(Conversion::Crossings),
            (false, true) => Some(Conversion::Marks),
            (false, false) => None,
        }
    }

    fn record_conversion(
        &self,
        recorder: &mut Recorder,
        which: u32,
        seen: &Seen,
        work: Conversion,
    ) -> Result<()> {
        let texel = seen.placed.has_texels() && seen.mesh.cluster_indices.has_texels();
        let push = self.convert_push(which, seen);
        let kernel = convert(texel, work);
        let [counts, depths, tags] = self.stored_slots();
        let mut bound = vec![
            viewed(&seen.placed, texel),
            viewed(&seen.mesh.cluster_indices, texel),
            Bound::Buffer(&self.summary),
        ];
        if work != Conversion::Marks {
            bound.extend([&self.heads, &self.nodes, counts, depths, tags].map(Bound::Buffer));
        }
        bound.extend(self.marks.as_ref().map(Bound::Buffer));
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
        recorder: &mut Recorder,
        which: u32,
        seen: &Seen,
        (targets, layer, commands): (&Targets, &Attachment, &Buffer),
    ) -> Result<()> {
        let count = CORNERS * seen.mesh.triangles.len() as u32;
        recorder.barrier(Access::Any, Access::Transfer);
        for command in 0..u64::from(MAX_LAYERS + 1) {
            recorder.fill(commands, command * COMMAND_BYTES, 4, count);
            recorder.fill(commands, command * COMMAND_BYTES + 4, 12, 0);
        }
        recorder.barrier(Access::Transfer, Access::Transfer);
        recorder.fill(commands, 4, 4, 1);
        recorder.barrier(Access::Any, Access::Any);
        let raster = raster(&shader::CROSSINGS_LAYER_FRAG, Some(PEEL));
        let bound = [&seen.placed, &seen.mesh.cluster_indices, &self.summary].map(Bound::Buffer);
        for n in 0..MAX_LAYERS {
            let mut pass = recorder.pass(
                targets,
                &[Start::Integers([u32::MAX; 4]), Start::Depth(1.0, 0)],
            )?;
            pass.take(&raster, &bound, &self.convert_push(which, seen))?;
            pass.stencil_reference(n);
            pass.draw(Draw::Indirect {
                commands,
                offset: u64::from(n) * COMMAND_BYTES,
            });
            drop(pass);
            recorder.barrier(Access::Any, Access::Any);
            let push = CollectPush {
                mesh: which,
                next: n + 1,
                capacity: self.room.nodes,
            };
            let [counts, depths, tags] = self.stored_slots();
            let collected = [
                Bound::Buffer(&self.summary),
                Bound::Buffer(&self.heads),
                Bound::Buffer(&self.nodes),
                Bound::Attachment(layer),
                Bound::Buffer(commands),
                Bound::Buffer(counts),
                Bound::Buffer(depths),
                Bound::Buffer(tags),
            ];
            let groups = targets
                .size
                .map(|side| side.div_ceil(shader::COLLECT.workgroup[0]));
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

    fn drawn<'a>(&'a self, seen: &'a Seen) -> [Bound<'a>; 8] {
        let [counts, depths, tags] = self.stored_slots();
        [
            &seen.placed,
            &seen.mesh.cluster_indices,
            &self.summary,
            &self.heads,
            &self.nodes,
            counts,
            depths,
            tags,
        ]
        .map(Bound::Buffer)
    }

    fn convert_push(&self, which: u32, seen: &Seen) -> ConvertPush {
        ConvertPush {
            mesh: which,
            count: seen.mesh.triangles.len() as u32,
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
