//! Layered depth images: where parallel rays enter and leave a mesh, made on the device from the positions as they are there.
//!
//! Heidelberger, Teschner, Gross 2003. Stage 1 is `frame.comp`: the boxes' intersection and the rays through it. Stage 2 makes
//! the crossings of every ray (`convert.comp`), which `spans.comp` sorts. All ways of stage 2 use the
//! one rule and the one formula of `crossing.glsl`, so that their crossings have the same bits.

mod generators;
mod room;
mod summary;

pub use generators::{Generator, MAX_LAYERS};
pub(crate) use summary::{Frame, Summary};

use super::bounds::BoundsQuery;
use crate::error::{Error, Result, invalid};
use crate::gpu::buffer::{Buffer, Role, Texel};
use crate::gpu::device::Device;
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use bytemuck::{Pod, Zeroable};
use generators::Canvas;
use room::{BOX_BYTES, NIL, NODE_BYTES, Room, SPANS_BYTES, TAGS_BYTES};
use std::sync::Arc;

/// How fine the rays are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// Rays along each side of the volume of interest.
    Pixels(u32),
    /// The distance of neighbouring rays.
    CellSize(f32),
}

/// Which way the rays run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rays {
    /// Along the axis on which the outside faces are nearest to each other.
    Best,
    /// Along an axis of the world.
    Along(u32),
    /// Along all three, one after the other.
    All,
}

/// What layered depth images are made like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LdiOptions {
    /// How fine the rays are.
    pub resolution: Resolution,
    /// Which way they run.
    pub rays: Rays,
    /// How the crossings are found.
    pub generator: Generator,
    /// Whether the meshes are known to be closed: then what lies beyond the volume of interest is left out, and flaws
    /// there are not seen.
    pub trusted: bool,
    /// Device memory in bytes, at most; zero for what meshes of ordinary depth complexity need.
    pub memory: u64,
}

impl Default for LdiOptions {
    fn default() -> Self {
        Self {
            resolution: Resolution::Pixels(128),
            rays: Rays::Best,
            generator: Generator::Compute,
            trusted: false,
            memory: 0,
        }
    }
}

/// What `frame.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct FramePush {
    place: [f32; 6],
    cell_size: f32,
    resolution: u32,
    bins: u32,
    axis: u32,
    max_pixels: u32,
    mode: u32,
}

/// What `place.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct PlacePush {
    rows: [[f32; 4]; 3],
    count: u32,
    first: u32,
    stride: u32,
}

/// What `spans.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct SpansPush {
    meshes: u32,
    capacity: u32,
    keep_all: u32,
}

/// Rays along a side, at most: counts of bins stay below 2^32.
const MAX_RESOLUTION: u32 = 2048;
/// Bytes of a placed vertex.
const PLACED_BYTES: u64 = 16;
/// Workgroups along an axis of a dispatch; every device allows this many.
const MAX_GROUPS: u32 = 65_535;
/// Vertices or rays that an invocation takes before more workgroups pay.
const ITEMS_PER_LANE: u32 = 8;

/// A mesh, where it is, its box to be found and its vertices as the rays see them.
struct Seen {
    mesh: Arc<Mesh>,
    pose: Pose,
    bounds: BoundsQuery,
    placed: Buffer,
}

impl Seen {
    fn plan(device: &Arc<Device>, mesh: Arc<Mesh>, pose: Pose) -> Result<Self> {
        let bytes = PLACED_BYTES * u64::from(mesh.vertices);
        device.check_storage(bytes, "placed vertices", "split the mesh")?;
        Ok(Self {
            bounds: BoundsQuery::plan(mesh.clone(), pose)?,
            placed: Buffer::with_texels(device, Texel::Float4, bytes, "placed vertices")?,
            mesh,
            pose,
        })
    }
}

/// The layered depth images of one or two meshes, on the device.
pub(crate) struct Ldi {
    meshes: Vec<Seen>,
    options: LdiOptions,
    room: Room,
    canvas: Canvas,
    boxes: Buffer,
    pub(crate) summary: Buffer,
    pub(crate) heads: Buffer,
    pub(crate) nodes: Buffer,
    /// Marks of depth bins; none where no one asks for them.
    marks: Option<Buffer>,
    /// The spans of every ray; before that, the depths in its slots.
    spans: Buffer,
    counts: Buffer,
    tags: Buffer,
}

/// The bits of infinity: where crossings are that there are not.
const INFINITY: u32 = 0x7f80_0000;

impl Ldi {
    /// Checks what is asked for and sets the memory aside. `marked`: whether depth bins that a surface passes through are marked.
    pub(crate) fn plan(
        device: &Arc<Device>,
        meshes: Vec<(Arc<Mesh>, Pose)>,
        options: LdiOptions,
        marked: bool,
    ) -> Result<Self> {
        check(&options)?;
        let room = Room::plan(device, &options, meshes.len() as u32, marked)?;
        let rays = u64::from(room.meshes) * u64::from(room.pixels);
        device.check_storage(SPANS_BYTES * rays, "spans of rays", "ask for fewer rays")?;
        let make = |bytes, what| Buffer::new(device, Role::Device, bytes, what);
        let view = |texel, bytes, what| Buffer::with_texels(device, texel, bytes, what);
        let marks = rays * u64::from(room.bins) / 8;
        let meshes = meshes
            .into_iter()
            .map(|(mesh, pose)| Seen::plan(device, mesh, pose));
        Ok(Self {
            meshes: meshes.collect::<Result<_>>()?,
            canvas: Canvas::plan(device, options.generator, options.resolution)?,
            options,
            room,
            boxes: make(BOX_BYTES, "boxes of a volume")?,
            summary: make(size_of::<Summary>() as u64, "summary of a volume")?,
            heads: make(4 * rays, "rays")?,
            nodes: make(NODE_BYTES * u64::from(room.nodes), "crossings")?,
            spans: view(Texel::Float4, SPANS_BYTES * rays, "spans")?,
            counts: view(Texel::Uint, 4 * rays, "counts of crossings")?,
            tags: view(Texel::Uint4, TAGS_BYTES * rays, "triangles of crossings")?,
            marks: marked
                .then(|| view(Texel::Uint4, marks, "marks of a volume"))
                .transpose()?,
        })
    }

    /// The options it was planned with.
    pub(crate) fn options(&self) -> &LdiOptions {
        &self.options
    }

    /// The axis for [`Ldi::record`] when there is one.
    pub(crate) fn axis(&self) -> u32 {
        match self.options.rays {
            Rays::Along(axis) => axis,
            Rays::Best | Rays::All => 3,
        }
    }

    /// The spans of all rays and the marks, as kernels read them fastest, and whether that is through texels. Marks must have been asked
    /// for.
    pub(crate) fn spans_and_marks(&self) -> ([Bound<'_>; 2], bool) {
        let both = [&self.spans, self.marks.as_ref().unwrap_or(&self.spans)];
        let texel = both.iter().all(|buffer| buffer.has_texels());
        (both.map(|buffer| viewed(buffer, texel)), texel)
    }

    /// The slots of all rays: how many crossings there are, their depths and their triangles, as kernels read them fastest, and whether
    /// that is through texels.
    pub(crate) fn slots(&self) -> ([Bound<'_>; 3], bool) {
        let slots = self.stored_slots();
        let texel = slots.iter().all(|buffer| buffer.has_texels());
        (slots.map(|buffer| viewed(buffer, texel)), texel)
    }

    /// The same in storage.
    pub(crate) fn stored_slots(&self) -> [&Buffer; 3] {
        [&self.counts, &self.spans, &self.tags]
    }

    /// The vertices of a mesh as the rays see them, and the corners of its triangles.
    pub(crate) fn placed_mesh(&self, mesh: usize) -> (&Buffer, &Buffer) {
        let seen = &self.meshes[mesh];
        (&seen.placed, &seen.mesh.cluster_indices)
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
    pub(crate) fn check_room(&self, summary: &Summary) -> Result<()> {
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

    /// Records stages 1 and 2 with rays along an axis, 3 for the best. Every ray then has its spans; with `keep_all` all its crossings
    /// instead, the first in slots.
    pub(crate) fn record(&self, recorder: &mut Recorder, axis: u32, keep_all: bool) -> Result<()> {
        recorder.barrier(Access::Any, Access::Transfer);
        recorder.fill(&self.boxes, 0, self.boxes.size, u32::MAX);
        recorder.fill(&self.summary, 0, self.summary.size, 0);
        recorder.fill(&self.heads, 0, self.heads.size, (NIL << 1) as u32);
        recorder.fill(&self.counts, 0, self.counts.size, 0);
        recorder.fill(&self.spans, 0, self.spans.size, INFINITY);
        recorder.fill(&self.tags, 0, self.tags.size, u32::MAX);
        if let Some(marks) = &self.marks {
            recorder.fill(marks, 0, marks.size, 0);
        }
        recorder.barrier(Access::Transfer, Access::Compute);
        for (i, seen) in self.meshes.iter().enumerate() {
            seen.bounds.record(
                recorder,
                &self.boxes,
                i as u64 * super::bounds::RESULT_BYTES,
            )?;
        }
        recorder.barrier(Access::Compute, Access::Compute);
        self.record_frame(recorder, axis)?;
        recorder.barrier(Access::Compute, Access::Compute);
        for seen in &self.meshes {
            self.record_placing(recorder, seen)?;
        }
        recorder.barrier(Access::Compute, Access::Compute);
        self.record_crossings(recorder)?;
        recorder.barrier(Access::Compute, Access::Compute);
        let rays = self.room.meshes * self.room.pixels;
        let push = SpansPush {
            meshes: self.room.meshes,
            capacity: self.room.nodes,
            keep_all: keep_all.into(),
        };
        let (slots, texel) = self.slots();
        let mut bound = [&self.summary, &self.heads, &self.nodes, &self.spans]
            .map(Bound::Buffer)
            .to_vec();
        bound.extend(slots);
        let kernel = spans(texel);
        recorder.dispatch(kernel, &bound, &push, shared_groups(kernel, rays))?;
        recorder.barrier(Access::Compute, Access::Compute);
        Ok(())
    }

    fn record_frame(&self, recorder: &mut Recorder, axis: u32) -> Result<()> {
        let place = |i: usize| {
            self.meshes
                .get(i)
                .map_or([0.0; 3], |m| m.pose.position.to_array())
        };
        let (a, b) = (place(0), place(1));
        let (cell_size, resolution) = match self.options.resolution {
            Resolution::Pixels(side) => (0.0, side),
            Resolution::CellSize(size) => (size, 0),
        };
        let push = FramePush {
            place: [a[0], a[1], a[2], b[0], b[1], b[2]],
            cell_size,
            resolution,
            bins: self.room.bins,
            axis,
            max_pixels: self.room.pixels,
            mode: match (self.meshes.len(), self.options.trusted) {
                (1, _) => 2,
                (_, trusted) => trusted.into(),
            },
        };
        let bound = [&self.boxes, &self.summary].map(Bound::Buffer);
        recorder.dispatch(&shader::FRAME, &bound, &push, [1, 1, 1])
    }

    fn record_placing(&self, recorder: &mut Recorder, seen: &Seen) -> Result<()> {
        let positions = seen.mesh.positions(recorder.device());
        let push = PlacePush {
            rows: seen.pose.rows(),
            count: seen.mesh.vertices,
            first: positions.first,
            stride: positions.stride,
        };
        let kernel = place(positions.is_texel());
        let bound = [
            positions.bound,
            Bound::Buffer(&self.summary),
            Bound::Buffer(&seen.placed),
        ];
        recorder.dispatch(kernel, &bound, &push, shared_groups(kernel, push.count))
    }
}

fn place(texel: bool) -> &'static Shader {
    if texel {
        &shader::PLACE_TEXEL
    } else {
        &shader::PLACE_STORAGE
    }
}

fn spans(texel: bool) -> &'static Shader {
    if texel {
        &shader::SPANS_TEXEL
    } else {
        &shader::SPANS_STORAGE
    }
}

fn viewed(buffer: &Buffer, texel: bool) -> Bound<'_> {
    if texel {
        Bound::Texels(buffer)
    } else {
        Bound::Buffer(buffer)
    }
}

/// Workgroups of a kernel whose invocations take several of `count` items each.
pub(crate) fn shared_groups(kernel: &Shader, count: u32) -> [u32; 3] {
    [
        count
            .div_ceil(kernel.workgroup[0] * ITEMS_PER_LANE)
            .clamp(1, MAX_GROUPS),
        1,
        1,
    ]
}

/// Workgroups of a kernel with an invocation for each of `count` items.
pub(crate) fn lane_groups(kernel: &Shader, count: u32) -> [u32; 3] {
    let groups = count.div_ceil(kernel.workgroup[0]).max(1);
    let row = groups.min(MAX_GROUPS);
    [row, groups.div_ceil(row), 1]
}

fn check(options: &LdiOptions) -> Result<()> {
    match options.resolution {
        Resolution::Pixels(side) if side == 0 || side > MAX_RESOLUTION => Err(invalid(format!(
            "the resolution is {side} rays a side; it must be 1 to {MAX_RESOLUTION}"
        ))),
        Resolution::CellSize(size) if !(size.is_normal() && size > 0.0) => Err(invalid(format!(
            "the cell size is {size}; it must be a positive length (or give a resolution)"
        ))),
        _ => match options.rays {
            Rays::Along(axis) if axis > 2 => Err(invalid(format!(
                "rays along axis {axis}; it must be 0, 1 or 2"
            ))),
            _ => Ok(()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree_on_the_push_constants() {
        assert_layout!(
            shader::FRAME,
            "FramePush",
            FramePush {
                place,
                cell_size,
                resolution,
                bins,
                axis,
                max_pixels,
                mode
            }
        );
        for kernel in [place(true), place(false)] {
            assert_layout!(
                kernel,
                "PlacePush",
                PlacePush {
                    rows,
                    count,
                    first,
                    stride
                }
            );
        }
        for kernel in [spans(true), spans(false)] {
            assert_layout!(
                kernel,
                "SpansPush",
                SpansPush {
                    meshes,
                    capacity,
                    keep_all
                }
            );
        }
    }
}
