//! The three ways of stage 2: from placed triangles to the crossings of every ray.
//!
//! Compute scan conversion; lists written by fragments in one pass; and the paper's passes, one per layer, which the stencil counts
//! (Heidelberger et al. 2003, section 3). Rasterisation only finds candidates: which rays cross a triangle, and where, is said by
//! `crossing.glsl`, so all three make the same lists bit for bit.

use super::options::MAX_RESOLUTION;
use super::{COMMANDS, Ldi, LdiMesh, RayResolution, Use};
use crate::error::{Error, Result, invalid};
use crate::gpu::attachment::Format;
use crate::gpu::canvas::Canvas;
use crate::gpu::device::Device;
use crate::gpu::pass::{Draw, Start};
use crate::gpu::paths::DeviceFeature;
use crate::gpu::raster::{Compare, PipelineState, Stages, StencilTest};
use crate::gpu::recorder::{Recorder, Texture};
use crate::gpu::shader::blocks::{CollectPush, ConvertPush};
use crate::gpu::shader::kernels::{
    CandidatesVert, Collect, Convert, ConvertMeshes, ConvertWork, CrossingsFrag,
    CrossingsFragTarget, Fetch,
};
use crate::gpu::share::{GridShare, groups_of};
use crate::query::Resources;
use crate::query::workspace::Place;
use std::sync::Arc;

/// How the crossings of rays and triangles are found. The answers have the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generator {
    /// Kernels scan triangles.
    #[default]
    Compute,
    /// Fragments of one pass write lists; the device must have fragment stores.
    Lists,
    /// One pass per layer, which the stencil counts; fewer than [`MAX_LAYERS`].
    Stencil,
}

/// Layers that the passes of [`Generator::Stencil`] can tell apart: a stencil counts to 255, and passes are recorded beforehand.
pub const MAX_LAYERS: u32 = 64;

/// With fewer triangles than this, several workgroups share each: then triangles are likely to be large.
const FEW_TRIANGLES: u32 = 4096;
/// Triangles that an invocation takes before more workgroups pay: after them it does what it has put off, which costs software
/// devices as much when that is nothing.
const TRIANGLES_PER_LANE: GridShare = GridShare {
    software: 16,
    hardware: 1,
};
/// Workgroups that share a triangle, at most.
const MAX_SLICES: u32 = 64;
/// Vertices of a triangle's rectangle: see `candidates.vert`.
const CORNERS: u32 = 6;
/// Bytes of a `VkDrawIndirectCommand`.
const COMMAND_BYTES: u64 = 16;
/// Bytes of the draws of all layers, and of one that is never drawn.
pub(super) const COMMANDS_BYTES: u64 = (MAX_LAYERS as u64 + 1) * COMMAND_BYTES;

/// What the drawing generators draw into.
pub(super) enum DrawTarget {
    Nothing,
    Lists(Arc<Canvas>),
    Stencil(Arc<Canvas>),
}

impl DrawTarget {
    pub(super) fn plan(
        resources: &Resources,
        generator: Generator,
        resolution: RayResolution,
    ) -> Result<Self> {
        let (device, canvases) = (&resources.device, &resources.canvases);
        let side = match (generator, resolution) {
            (Generator::Compute, _) => return Ok(Self::Nothing),
            (_, RayResolution::Pixels(side)) => side + 2,
            (_, RayResolution::CellSize(_)) => {
                return Err(invalid(format!(
                    "the generators that draw take a resolution of 1 to {MAX_RESOLUTION}, not a cell size; generate by compute, or \
                     give a resolution"
                )));
            }
        };
        device.check_draws(&format!("the generator {generator:?}"))?;
        if generator == Generator::Lists {
            if !device.paths.on(DeviceFeature::FragmentStores) {
                return Err(Error::Unsupported(format!(
                    "\"{}\" has no {}, or it is off; generate by compute or by stencil",
                    device.physical.name,
                    DeviceFeature::FragmentStores.name()
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
        if let Some(work) = self.conversion(place) {
            self.record_conversion(view, work, place, recorder)?;
        }
        match &self.drawn {
            DrawTarget::Nothing => Ok(()),
            DrawTarget::Lists(canvas) => {
                recorder.order();
                let mut pass = recorder.pass(&canvas.targets, &[])?;
                for (which, seen) in self.meshes.iter().enumerate() {
                    let list = CrossingsFragTarget::List {
                        rays: self.rays(place),
                        slots: self.slots(place),
                    };
                    let (vertex, fragment) = self.drawing(view, which, list, place);
                    let stages = Stages {
                        vertex: &vertex,
                        geometry: None,
                        fragment: Some(&fragment),
                        state: PipelineState::default(),
                    };
                    pass.bind(&stages, &self.convert_push(which))?;
                    pass.draw(Draw::vertices(CORNERS * seen.mesh.triangles.len() as u32));
                }
                Ok(())
            }
            DrawTarget::Stencil(canvas) => (0..self.meshes.len())
                .try_for_each(|which| self.record_layers(view, which, canvas, place, recorder)),
        }
    }

    /// What is left to compute: crossings unless they are drawn, marks where they are asked for.
    fn conversion<'a>(&self, place: &Place<'a>) -> Option<ConvertWork<'a>> {
        let (rays, slots, marks) = (self.rays(place), self.slots(place), self.marks(place));
        match (&self.drawn, self.used) {
            (DrawTarget::Nothing, Use::Certificates) => {
                Some(ConvertWork::Both { rays, slots, marks })
            }
            (DrawTarget::Nothing, Use::Crossings) => Some(ConvertWork::Crossings { rays, slots }),
            (_, Use::Certificates) => Some(ConvertWork::Marks { marks }),
            (_, Use::Crossings) => None,
        }
    }

    fn record_conversion(
        &self,
        view: usize,
        work: ConvertWork,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let kernel = |which: usize, fetch, meshes| {
            let [placed, indices] = self.placed_mesh(which, place);
            Convert {
                work,
                meshes,
                fetch,
                placed,
                indices,
                summaries: self.summary(view, place),
            }
        };
        if let Some(pair) = self.pair(recorder.device()) {
            let [first, second] = [0, 1].map(|which| self.placed_mesh(which, place));
            let [placed_b, indices_b] = second;
            let fetch = Fetch::of(first.into_iter().chain(second));
            let meshes = ConvertMeshes::Two {
                placed_b,
                indices_b,
            };
            let kernel = kernel(0, fetch, meshes);
            let groups = groups_of_pair(recorder.device(), pair);
            return recorder.dispatch(&kernel, &self.convert_push(0), groups);
        }
        for (which, seen) in self.meshes.iter().enumerate() {
            let fetch = Fetch::of(self.placed_mesh(which, place));
            let groups = groups_of_mesh(recorder.device(), seen);
            let kernel = kernel(which, fetch, ConvertMeshes::Each);
            recorder.dispatch(&kernel, &self.convert_push(which), groups)?;
        }
        Ok(())
    }

    /// The shaders that draw the candidates of a mesh and put their crossings to a target.
    fn drawing<'a>(
        &'a self,
        view: usize,
        which: usize,
        target: CrossingsFragTarget<'a>,
        place: &Place<'a>,
    ) -> (CandidatesVert<'a>, CrossingsFrag<'a>) {
        let ([placed, indices], summaries) =
            (self.placed_mesh(which, place), self.summary(view, place));
        let vertex = CandidatesVert {
            placed,
            indices,
            summaries,
        };
        let fragment = CrossingsFrag {
            target,
            placed,
            indices,
            summaries,
        };
        (vertex, fragment)
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
        recorder.order();
        for command in 0..u64::from(MAX_LAYERS + 1) {
            let at = start + command * COMMAND_BYTES;
            recorder.fill(commands, at, 4, count);
            recorder.fill(commands, at + 4, 12, 0);
        }
        recorder.order();
        recorder.fill(commands, start + 4, 4, 1);
        recorder.order();
        let (vertex, fragment) = self.drawing(view, which, CrossingsFragTarget::Layer, place);
        let stages = Stages {
            vertex: &vertex,
            geometry: None,
            fragment: Some(&fragment),
            state: PipelineState {
                stencil: Some(PEEL),
                ..PipelineState::default()
            },
        };
        let collect = Collect {
            summaries: self.summary(view, place),
            rays: self.rays(place),
            layer: Texture::Attachment(&canvas.colours[0]),
            commands: place.part(COMMANDS),
            slots: self.slots(place),
        };
        let [columns, rows] =
            (canvas.targets.size).map(|side| side.div_ceil(Collect::WORKGROUP[0]));
        for n in 0..MAX_LAYERS {
            let mut pass = recorder.pass(
                &canvas.targets,
                &[Start::Integers([u32::MAX; 4]), Start::Depth(1.0, 0)],
            )?;
            pass.bind(&stages, &self.convert_push(which))?;
            pass.stencil_reference(n);
            pass.draw(Draw::Indirect {
                commands,
                offset: start + u64::from(n) * COMMAND_BYTES,
            });
            drop(pass);
            recorder.order();
            let push = CollectPush {
                mesh: which as u32,
                next: n + 1,
                capacity: self.room.nodes,
            };
            recorder.dispatch(&collect, &push, [columns, rows, 1])?;
            recorder.order();
        }
        Ok(())
    }

    pub(super) fn convert_push(&self, which: usize) -> ConvertPush {
        ConvertPush {
            mesh: which as u32,
            counts: [0, 1]
                .map(|i| (self.meshes.get(i)).map_or(0, |m| m.mesh.triangles.len() as u32)),
            capacity: self.room.nodes,
        }
    }
}

/// Workgroups over the triangles of a mesh, and how many share each.
pub(super) fn groups_of_mesh(device: &Device, seen: &LdiMesh) -> [u32; 3] {
    let count = seen.mesh.triangles.len() as u32;
    let [groups, ..] = groups_of(count, Convert::WORKGROUP[0] * TRIANGLES_PER_LANE.on(device));
    [groups, (FEW_TRIANGLES / count).clamp(1, MAX_SLICES), 1]
}

/// The same over those of two at once.
pub(super) fn groups_of_pair(device: &Device, pair: [&LdiMesh; 2]) -> [u32; 3] {
    let [a, b] = pair.map(|seen| groups_of_mesh(device, seen));
    [a[0].max(b[0]), a[1].max(b[1]), 2]
}

/// Counts every crossing of a ray and lets the one through whose number is the reference.
const PEEL: StencilTest = StencilTest {
    compare: Compare::Equal,
};
