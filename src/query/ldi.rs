//! Layered depth images: where parallel rays enter and leave a mesh, made on the device from the positions as they are there.
//!
//! Heidelberger, Teschner, Gross 2003. Stage 1 is `make_frame.glsl`: the boxes' intersection and the rays through it. Stage 2 makes
//! the crossings of every ray (`convert.comp`), which `spans.comp` sorts. All ways of stage 2 use the
//! one rule and the one formula of `crossing.glsl`, so that their crossings have the same bits.

mod generators;
mod kept;
mod options;
mod prisms;
mod room;
mod summary;

pub use generators::{Generator, MAX_LAYERS};
pub use kept::{ImageOfMesh, ImageQuery};
pub use options::{LdiOptions, RayResolution, Rays};
pub(crate) use summary::{Frame, Summary};

use super::Resources;
use super::bounds::{self, BoundsQuery};
use super::clusters::Refits;
use super::workspace::{self, Memory, Place};
use crate::error::{Error, Result};
use crate::gpu::buffer::Texel;
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::Bind;
use crate::gpu::shader::blocks::{FrameParams, MeshPlace, PlacePush, SpansPush};
use crate::gpu::shader::kernels::{self, Fetch, RaysBindings, SlotsBindings, Workgroup};
use crate::gpu::share::{GridShare, Spread, groups_of};
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use bytemuck::Zeroable;
use generators::DrawTarget;
use room::{BOX_BYTES, NIL, NODE_BYTES, Room, SPANS_BYTES, TAGS_BYTES};
use std::sync::Arc;

/// Bytes of a placed vertex.
const PLACED_BYTES: u64 = 16;
/// Vertices or rays that an invocation takes before more workgroups pay.
const ITEMS_PER_LANE: GridShare = GridShare {
    software: 8,
    hardware: 1,
};

/// A mesh, where it is and its box to be found.
struct LdiMesh {
    mesh: Arc<Mesh>,
    pose: Pose,
    bounds: BoundsQuery,
}

/// The axis of the world that rays run along: see `make_frame.glsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    X,
    Y,
    Z,
    /// The one on which the outside faces are nearest to each other.
    Best,
}

/// What rays are made through: see `make_frame.glsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Interest {
    /// What the boxes of two meshes share.
    Shared,
    /// The same, and what lies beyond is left out.
    Trusted,
    /// The box of one mesh.
    Alone,
}

/// A stage in making the spans of rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Empties everything.
    Clear,
    /// Finds the boxes of the meshes.
    Boxes,
    /// Chooses the rays, and turns vertices into their frame.
    Place,
    /// Finds the crossings of rays and triangles.
    Cross,
    /// Sorts the crossings of each ray.
    Sort,
}

/// A step of a query by rays: of all its views, one after the other.
#[derive(Debug, Clone, Copy)]
pub enum Step<S> {
    /// The rays of a view are made.
    Make(usize, Stage),
    /// They are read, by a step of the query's own.
    Read(usize, S),
}

/// What the spans of rays are kept for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Spans with marks of the depth bins that a surface passes through.
    Certificates,
    /// Every crossing, the first in slots.
    Crossings,
}

/// The layered depth images of one or two meshes, on the device.
pub(crate) struct Ldi {
    device: Arc<Device>,
    meshes: Vec<LdiMesh>,
    options: LdiOptions,
    axes: Vec<Axis>,
    room: Room,
    drawn: DrawTarget,
    used: Use,
}

/// The parts of the working memory: those of each mesh are the last.
const SUMMARIES: usize = 0;
const BOXES: usize = 1;
const HEADS: usize = 2;
const NODES: usize = 3;
/// The spans of every ray; before that, the depths in its slots.
const SPANS: usize = 4;
const COUNTS: usize = 5;
const TAGS: usize = 6;
/// Marks of depth bins.
const MARKS: usize = 7;
/// Draws of the layers that the stencil tells apart.
const COMMANDS: usize = 8;
/// The meshes' vertices and poses.
const PLACES: usize = 9;
/// Vertices as the rays see them.
const PLACED: usize = 10;

/// From the summary of a view to that of the next, in working memory and in answers.
const SUMMARY_STRIDE: u64 = (size_of::<Summary>() as u64).next_multiple_of(workspace::ALIGNMENT);

/// The bits of infinity: the depth in a slot without a crossing.
const INFINITY: u32 = 0x7f80_0000;

impl Ldi {
    /// Checks what is asked for.
    pub(crate) fn plan(
        resources: &Resources,
        meshes: Vec<(Arc<Mesh>, Pose)>,
        options: LdiOptions,
        used: Use,
    ) -> Result<Self> {
        options.check()?;
        let exact =
            |(mesh, _): &(Arc<Mesh>, Pose)| mesh.check_single_precision("a layered depth image");
        meshes.iter().try_for_each(exact)?;
        let resources = match options.generator {
            Generator::Compute => {
                let all: Vec<&Mesh> = meshes.iter().map(|(mesh, _)| &**mesh).collect();
                resources.fastest(&all, &[])?
            }
            _ => resources,
        };
        let device = &resources.device;
        let marked = used == Use::Certificates;
        let room = Room::plan(device, &options, meshes.len() as u32, marked)?;
        let seen = |(mesh, pose): (Arc<Mesh>, Pose)| {
            Ok(LdiMesh {
                bounds: BoundsQuery::plan(mesh.clone(), pose)?,
                mesh,
                pose,
            })
        };
        let meshes = meshes.into_iter().map(seen).collect::<Result<Vec<_>>>()?;
        check_sizes(device, &room, &meshes)?;
        Ok(Self {
            meshes,
            device: device.clone(),
            drawn: DrawTarget::plan(resources, options.generator, options.resolution)?,
            axes: match options.rays {
                Rays::Best => vec![Axis::Best],
                Rays::Along(0) => vec![Axis::X],
                Rays::Along(1) => vec![Axis::Y],
                Rays::Along(_) => vec![Axis::Z],
                Rays::All => vec![Axis::X, Axis::Y, Axis::Z],
            },
            options,
            room,
            used,
        })
    }

    /// Whether it is on the host.
    pub(crate) fn is_on_host(&self) -> bool {
        self.device.is_host()
    }

    /// Goes to the device from the host beside it.
    pub(crate) fn leave_host(&mut self, resources: &Resources) -> Result<()> {
        let device = &resources.device;
        let marked = self.used == Use::Certificates;
        let room = Room::plan(device, &self.options, self.meshes.len() as u32, marked)?;
        check_sizes(device, &room, &self.meshes)?;
        (self.room, self.device) = (room, device.clone());
        Ok(())
    }

    /// Asks for the positions as they are at the submission.
    pub(crate) fn prepare(&self, refits: &mut Refits) {
        self.meshes.iter().for_each(|seen| refits.read(&seen.mesh));
    }

    /// The memory of a query that reads the rays: its answer starts with the summaries, and `answer` bytes of its own follow;
    /// its own parts start at [`Ldi::parts`].
    pub(crate) fn memory(&self, answer: u64) -> Memory {
        let rays = self.room.rays();
        let marks = match self.used {
            Use::Certificates => rays * u64::from(self.room.bins) / 8,
            Use::Crossings => 0,
        };
        let commands = match self.drawn {
            DrawTarget::Stencil(_) => generators::COMMANDS_BYTES,
            DrawTarget::Nothing | DrawTarget::Lists(_) => 0,
        };
        let memory = Memory::answer(self.header() + answer)
            .with([
                self.header(),
                BOX_BYTES,
                4 * rays,
                NODE_BYTES * u64::from(self.room.nodes),
            ])
            .with_texels(Texel::Float4, SPANS_BYTES * rays)
            .with_texels(Texel::Uint, 4 * rays)
            .with_texels(Texel::Uint4, TAGS_BYTES * rays)
            .with_texels(Texel::Uint4, marks)
            .with([commands, size_of::<[MeshPlace; 2]>() as u64]);
        self.meshes.iter().fold(memory, |memory, seen| {
            let bytes = PLACED_BYTES * u64::from(seen.mesh.vertices);
            memory.with_texels(Texel::Float4, bytes)
        })
    }

    /// The number of parts; those of the query come after them.
    pub(crate) fn parts(&self) -> usize {
        PLACED + self.meshes.len()
    }

    /// Bytes of the summaries.
    pub(crate) fn header(&self) -> u64 {
        SUMMARY_STRIDE * self.axes.len() as u64
    }

    /// The steps of a query that reads the rays of each view in steps of its own.
    pub(crate) fn steps<S: Copy>(&self, read: &[S]) -> Vec<Step<S>> {
        use Stage::{Boxes, Clear, Cross, Place, Sort};
        let mut steps = Vec::new();
        for view in 0..self.axes.len() {
            // Boxes do not depend on the axis.
            let made = [Clear, Boxes, Place, Cross, Sort].into_iter();
            let made = made.filter(|stage| view == 0 || *stage != Boxes);
            steps.extend(made.map(|stage| Step::Make(view, stage)));
            steps.extend(read.iter().map(|own| Step::Read(view, *own)));
        }
        steps
    }

    /// Records the copy of the summaries to the start of the answer.
    pub(crate) fn collect(&self, place: &Place, recorder: &mut Recorder) {
        place.collect(recorder, SUMMARIES, 0, self.header());
    }

    /// The summaries of the views; an error with the memory that is needed where there was too little.
    pub(crate) fn summaries(&self, bytes: &[u8]) -> Result<Vec<Summary>> {
        let summaries = bytes[..self.header() as usize].chunks_exact(SUMMARY_STRIDE as usize);
        summaries
            .map(|bytes| {
                let summary = bytemuck::pod_read_unaligned(&bytes[..size_of::<Summary>()]);
                self.check_room(&summary).map(|()| summary)
            })
            .collect()
    }

    /// The summary of a view.
    pub(crate) fn summary<'a>(&self, view: usize, place: &Place<'a>) -> Bound<'a> {
        let skipped = view as u64 * SUMMARY_STRIDE;
        place.stretch(SUMMARIES, skipped, size_of::<Summary>() as u64)
    }

    /// See [`super::Query::recording`].
    pub(crate) fn recording(&self) -> Option<u32> {
        matches!(self.drawn, DrawTarget::Nothing).then_some(0)
    }

    /// The summary of a view in the answer.
    pub(crate) fn answered_summary<'a>(&self, view: usize, place: &Place<'a>) -> Bound<'a> {
        place.answer_stretch(view as u64 * SUMMARY_STRIDE, size_of::<Summary>() as u64)
    }

    /// The number of views.
    pub(crate) fn views(&self) -> usize {
        self.axes.len()
    }

    /// The first crossing of every ray in its list, and the lists.
    pub(crate) fn rays<'a>(&self, place: &Place<'a>) -> RaysBindings<'a> {
        RaysBindings {
            heads: place.part(HEADS),
            nodes: place.part(NODES),
        }
    }

    /// The slots of all rays: how many crossings there are, their depths and their triangles.
    pub(crate) fn slots<'a>(&self, place: &Place<'a>) -> SlotsBindings<'a> {
        SlotsBindings {
            counts: place.part(COUNTS),
            depths: place.part(SPANS),
            tags: place.part(TAGS),
        }
    }

    /// The spans of all rays.
    pub(crate) fn spans<'a>(&self, place: &Place<'a>) -> Bound<'a> {
        place.part(SPANS)
    }

    /// The marks of depth bins.
    pub(crate) fn marks<'a>(&self, place: &Place<'a>) -> Bound<'a> {
        place.part(MARKS)
    }

    /// The vertices of a mesh as the rays see them, and the corners of its triangles.
    pub(crate) fn placed_mesh<'a>(&'a self, mesh: usize, place: &Place<'a>) -> [Bound<'a>; 2] {
        let indices = &self.meshes[mesh].mesh.on(&self.device).cluster_indices;
        [place.part(PLACED + mesh), Bound::whole(indices)]
    }

    /// Crossings that there is room for.
    pub(crate) fn capacity(&self) -> u32 {
        self.room.nodes
    }

    /// Rays of one mesh that there is room for.
    pub(crate) fn pixels(&self) -> u32 {
        self.room.pixels
    }

    /// Refuses what did not fit, with the memory that it needs, and more layers than the generator can tell apart.
    fn check_room(&self, summary: &Summary) -> Result<()> {
        self.room.check(summary)?;
        let layers = summary.layers[0].max(summary.layers[1]);
        if self.options.generator == Generator::Stencil && layers >= MAX_LAYERS {
            return Err(Error::Unsupported(format!(
                "a ray crosses {layers} layers or more, and the stencil generator tells fewer than {MAX_LAYERS} apart; generate by \
                 compute or by lists"
            )));
        }
        Ok(())
    }

    /// Records a stage of a view.
    pub(crate) fn record(
        &self,
        view: usize,
        stage: Stage,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        match stage {
            Stage::Clear => {
                if view == 0 {
                    place.fill(recorder, SUMMARIES, 0);
                    place.fill(recorder, BOXES, u32::MAX);
                    place.write(recorder, PLACES, &self.places(recorder.device()));
                }
                place.fill(recorder, HEADS, (NIL << 1) as u32);
                place.fill(recorder, COUNTS, 0);
                place.fill(recorder, SPANS, INFINITY);
                place.fill(recorder, TAGS, u32::MAX);
                place.fill(recorder, MARKS, 0);
                Ok(())
            }
            Stage::Boxes => self.record_boxes(place, recorder),
            Stage::Place => self.record_placing(view, place, recorder),
            Stage::Cross => self.record_crossings(view, place, recorder),
            Stage::Sort => {
                let push = SpansPush {
                    meshes: self.room.meshes,
                    capacity: self.room.nodes,
                    keep_all: (self.used == Use::Crossings).into(),
                };
                let slots = self.slots(place);
                let kernel = kernels::Spans {
                    fetch: slots.fetch(),
                    summaries: self.summary(view, place),
                    rays: self.rays(place),
                    spans: self.spans(place),
                    slots,
                };
                let groups = shared_groups(
                    recorder.device(),
                    kernels::Spans::WORKGROUP,
                    self.room.rays() as u32,
                );
                recorder.dispatch(&kernel, &push, groups)
            }
        }
    }

    fn frame_params(&self, view: usize) -> FrameParams {
        let position = |i: usize| {
            self.meshes
                .get(i)
                .map_or([0.0; 3], |m| m.pose.position.to_array())
        };
        let (a, b) = (position(0), position(1));
        let (cell_size, resolution) = match self.options.resolution {
            RayResolution::Pixels(side) => (0.0, side),
            RayResolution::CellSize(size) => (size, 0),
        };
        FrameParams {
            place: [a[0], a[1], a[2], b[0], b[1], b[2]],
            cell_size,
            resolution,
            bins: self.room.bins,
            axis: self.axes[view] as u32,
            max_pixels: self.room.pixels,
            mode: match (self.meshes.len(), self.options.trusted) {
                (1, _) => Interest::Alone,
                (_, true) => Interest::Trusted,
                (_, false) => Interest::Shared,
            } as u32,
        }
    }

    /// Where the meshes are; of one mesh twice the same.
    fn places(&self, device: &Device) -> [MeshPlace; 2] {
        [0, 1].map(|which| {
            let seen = self.meshes.get(which).unwrap_or(&self.meshes[0]);
            let positions = seen.mesh.positions(device);
            MeshPlace {
                rows: seen.pose.rows(),
                count: seen.mesh.vertices,
                first: positions.first,
                stride: positions.stride,
                ..MeshPlace::zeroed()
            }
        })
    }

    /// Both meshes, where one dispatch takes them: a GPU spares half of the dispatches; on processors, which go through both sides of
    /// a branch, each has its own.
    fn pair(&self, device: &Device) -> Option<[&LdiMesh; 2]> {
        match (&self.meshes[..], Spread::of(device)) {
            ([a, b], Spread::Hardware) => Some([a, b]),
            _ => None,
        }
    }

    fn record_boxes(&self, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let device = recorder.device();
        let Some(pair) = self.pair(device) else {
            return (self.meshes.iter().enumerate()).try_for_each(|(i, seen)| {
                let (boxes, at) = (place.part(BOXES), (bounds::WORDS * i) as u32);
                (seen.bounds).record_at(bounds::Step::Scan, boxes, at, recorder)
            });
        };
        let [positions, positions_b] = pair.map(|seen| seen.mesh.positions(device).bound);
        let kernel = kernels::Boxes {
            fetch: Fetch::of([positions, positions_b]),
            workgroup: Workgroup::on(device),
            positions,
            positions_b,
            extremes: place.part(BOXES),
            places: place.part(PLACES),
        };
        let lanes = device.lanes(kernel.shader()) * bounds::VERTICES_PER_LANE.on(device);
        let most = pair[0].mesh.vertices.max(pair[1].mesh.vertices);
        let groups = most.div_ceil(lanes).min(bounds::MAX_GROUPS);
        recorder.dispatch(&kernel, &(), [groups, 1, 2])
    }

    fn record_placing(&self, view: usize, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let device = recorder.device().clone();
        let bound = |which: usize| self.meshes[which].mesh.positions(&device).bound;
        // One kernel for all meshes, so that they have one frame.
        let fetch = Fetch::of((0..self.meshes.len()).map(bound));
        let frame = self.frame_params(view);
        let kernel = |which: usize, meshes| kernels::Place {
            meshes,
            fetch,
            positions: bound(which),
            boxes: place.part(BOXES),
            summaries: self.summary(view, place),
            placed: place.part(PLACED + which),
            places: place.part(PLACES),
        };
        let groups = |vertices: u32| shared_groups(&device, kernels::Place::WORKGROUP, vertices)[0];
        if let Some([a, b]) = self.pair(&device) {
            let both = kernels::PlaceMeshes::Two {
                positions_b: bound(1),
                placed_b: place.part(PLACED + 1),
            };
            let groups = groups(a.mesh.vertices.max(b.mesh.vertices));
            let push = PlacePush { frame, mesh: 0 };
            return recorder.dispatch(&kernel(0, both), &push, [groups, 1, 2]);
        }
        for (which, seen) in self.meshes.iter().enumerate() {
            let push = PlacePush {
                frame,
                mesh: which as u32,
            };
            let kernel = kernel(which, kernels::PlaceMeshes::Each);
            recorder.dispatch(&kernel, &push, [groups(seen.mesh.vertices), 1, 1])?;
        }
        Ok(())
    }
}

/// Workgroups of a kernel whose invocations take several of `count` items each.
pub(crate) fn shared_groups(device: &Device, workgroup: [u32; 3], count: u32) -> [u32; 3] {
    groups_of(count, workgroup[0] * ITEMS_PER_LANE.on(device))
}

/// Refuses more rays and vertices than a device can bind.
fn check_sizes(device: &Device, room: &Room, meshes: &[LdiMesh]) -> Result<()> {
    let rays = SPANS_BYTES * room.rays();
    device.check_storage(rays, "spans of rays", "ask for fewer rays")?;
    meshes.iter().try_for_each(|seen| {
        let bytes = PLACED_BYTES * u64::from(seen.mesh.vertices);
        device.check_storage(bytes, "placed vertices", "split the mesh")
    })
}
