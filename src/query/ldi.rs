//! Layered depth images: where parallel rays enter and leave a mesh, made on the device from the positions as they are there.
//!
//! Heidelberger, Teschner, Gross 2003. Stage 1 is `frame.comp`: the boxes' intersection and the rays through it. Stage 2 makes
//! a list of crossings for every ray (`convert.comp`), which `spans.comp` sorts. All ways of stage 2 use the
//! one rule and the one formula of `crossing.glsl`, so that their lists have the same bits.

use super::bounds::BoundsQuery;
use crate::error::{Error, Result, invalid};
use crate::gpu::buffer::{Buffer, Role, Texel};
use crate::gpu::device::Device;
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};
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
            trusted: false,
            memory: 0,
        }
    }
}

/// The grid of rays, as the device chose it: `Frame` of `frame.glsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(crate) struct Frame {
    pub(crate) origin: [f32; 3],
    pub(crate) axis: u32,
    pub(crate) scale: [f32; 3],
    pub(crate) width: u32,
    pub(crate) slack: [f32; 3],
    pub(crate) height: u32,
    pub(crate) bins: u32,
    pub(crate) wanted_pixels: u32,
    pub(crate) from_above: [u32; 2],
    pub(crate) keep_from: [f32; 2],
    pub(crate) keep_to: [f32; 2],
}

impl Frame {
    /// Lengths of a pixel's sides and of a bin.
    pub(crate) fn cell(&self) -> DVec3 {
        1.0 / Vec3::from(self.scale).as_dvec3()
    }

    /// Turns a vector from the order u, v, w to x, y, z.
    pub(crate) fn to_axes(self, turned: DVec3) -> DVec3 {
        match self.axis {
            0 => DVec3::new(turned.z, turned.x, turned.y),
            1 => DVec3::new(turned.y, turned.z, turned.x),
            _ => turned,
        }
    }

    /// The world place of a place in the frame.
    pub(crate) fn world(&self, place: DVec3) -> DVec3 {
        self.to_axes(Vec3::from(self.origin).as_dvec3() + place * self.cell())
    }
}

/// What the kernels leave for the host: `Summary` of `frame.glsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Summary {
    pub(crate) frame: Frame,
    pub(crate) nodes: u32,
    pub(crate) lower_bins: u32,
    pub(crate) upper_bins: u32,
    pub(crate) layers_found: u32,
    pub(crate) flawed: [u32; 2],
    pub(crate) layers: [u32; 2],
    pub(crate) reach: [u32; 3],
    pub(crate) complement: [u32; 3],
    pub(crate) deepest_pixel: u32,
    pub(crate) deepest_length: f32,
    pub(crate) deepest_from: f32,
    pub(crate) extent: f32,
    pub(crate) moment: [f32; 3],
    pub(crate) gradient: [f32; 3],
    pub(crate) torque: [f32; 3],
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

/// What `convert.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ConvertPush {
    mesh: u32,
    count: u32,
    capacity: u32,
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
/// Layers of a mesh that there is room for on an average ray, unless the memory is given.
const USUAL_LAYERS: u64 = 16;
/// Crossings that there is always room for, unless the memory is given.
const LEAST_NODES: u64 = 1 << 16;
/// Device memory when the number of pixels is not known beforehand and no bound is given.
const USUAL_MEMORY: u64 = 64 << 20;
/// Bytes of a placed vertex.
const PLACED_BYTES: u64 = 16;
/// Bytes of a crossing.
const NODE_BYTES: u64 = 12;
/// Bytes that do not grow: summary and boxes.
const FIXED_BYTES: u64 = size_of::<Summary>() as u64 + BOX_BYTES;
const BOX_BYTES: u64 = 2 * super::bounds::RESULT_BYTES;
/// Workgroups along an axis of a dispatch; every device allows this many.
const MAX_GROUPS: u32 = 65_535;
/// Vertices or triangles that an invocation takes before more workgroups pay.
const ITEMS_PER_LANE: u32 = 8;
/// With fewer triangles than this, several workgroups share each: then triangles are likely to be large.
const FEW_TRIANGLES: u32 = 4096;
/// Workgroups that share a triangle, at most.
const MAX_SLICES: u32 = 64;

/// How much of everything there is room for.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Room {
    meshes: u32,
    pixels: u32,
    bins: u32,
    nodes: u32,
}

impl Room {
    fn plan(device: &Device, options: &LdiOptions, meshes: u32) -> Result<Self> {
        let limit = device.max_storage_bytes();
        let (bins, pixels) = match options.resolution {
            Resolution::Pixels(side) => (bins(side), u64::from(side + 2).pow(2)),
            Resolution::CellSize(_) => {
                let memory = if options.memory == 0 {
                    USUAL_MEMORY
                } else {
                    options.memory
                };
                let bins = 512;
                let each =
                    pixel_bytes(meshes, bins) + u64::from(meshes) * USUAL_LAYERS * NODE_BYTES;
                (
                    bins,
                    (memory / each).clamp(9, u64::from(MAX_RESOLUTION + 2).pow(2)),
                )
            }
        };
        // Fewer bins where a device cannot bind as many: the certificate is wider, nothing else changes.
        let largest = limit / (u64::from(meshes) * pixels * 4);
        let bins = bins.min((largest.max(1) * 32).min(u64::from(bins)) as u32);
        let fixed = FIXED_BYTES + pixels * pixel_bytes(meshes, bins);
        let wanted = (u64::from(meshes) * pixels * USUAL_LAYERS).max(LEAST_NODES);
        let given = match options.memory {
            0 => wanted,
            memory => {
                let least = fixed + NODE_BYTES;
                let left = memory.checked_sub(least).ok_or(too_little(memory, least))?;
                1 + left / NODE_BYTES
            }
        };
        let nodes = given.min(limit / NODE_BYTES).min(NIL - 1);
        Ok(Self {
            meshes,
            pixels: pixels as u32,
            bins,
            nodes: nodes as u32,
        })
    }

    /// Bytes for a number of pixels and crossings.
    fn bytes(&self, pixels: u64, nodes: u64) -> u64 {
        FIXED_BYTES + pixels * pixel_bytes(self.meshes, self.bins) + nodes * NODE_BYTES
    }
}

/// No node: see `frame.glsl`.
const NIL: u64 = 0x7fff_ffff;

/// Two bins a pixel, so that along the rays the marks are as fine as across them; a multiple of 32.
fn bins(side: u32) -> u32 {
    side.div_ceil(16).clamp(4, 32) * 32
}

/// Bytes of heads and marks.
fn pixel_bytes(meshes: u32, bins: u32) -> u64 {
    u64::from(meshes) * (4 + u64::from(bins) / 8)
}

fn too_little(given: u64, needed: u64) -> Error {
    Error::BufferTooSmall {
        what: "bytes of memory for layered depth images",
        given,
        needed,
    }
}

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
        if bytes > device.max_storage_bytes() {
            return Err(Error::Unsupported(format!(
                "{} vertices need {bytes} bytes; \"{}\" binds at most {}: split the mesh",
                mesh.vertices,
                device.physical.name,
                device.max_storage_bytes()
            )));
        }
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
    boxes: Buffer,
    pub(crate) summary: Buffer,
    pub(crate) heads: Buffer,
    pub(crate) nodes: Buffer,
    pub(crate) marks: Buffer,
}

impl Ldi {
    /// Checks what is asked for and sets the memory aside.
    pub(crate) fn plan(
        device: &Arc<Device>,
        meshes: Vec<(Arc<Mesh>, Pose)>,
        options: LdiOptions,
    ) -> Result<Self> {
        check(&options)?;
        let room = Room::plan(device, &options, meshes.len() as u32)?;
        let rays = u64::from(room.meshes) * u64::from(room.pixels);
        let make = |bytes, what| Buffer::new(device, Role::Device, bytes, what);
        let meshes = meshes
            .into_iter()
            .map(|(mesh, pose)| Seen::plan(device, mesh, pose));
        Ok(Self {
            meshes: meshes.collect::<Result<_>>()?,
            options,
            room,
            boxes: make(BOX_BYTES, "boxes of a volume")?,
            summary: make(size_of::<Summary>() as u64, "summary of a volume")?,
            heads: make(4 * rays, "rays")?,
            nodes: make(NODE_BYTES * u64::from(room.nodes), "crossings")?,
            marks: make(rays * u64::from(room.bins) / 8, "marks of a volume")?,
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

    /// Crossings that there is room for.
    pub(crate) fn capacity(&self) -> u32 {
        self.room.nodes
    }

    /// Rays of one mesh that there is room for.
    pub(crate) fn pixels(&self) -> u32 {
        self.room.pixels
    }

    /// Refuses what did not fit, with the memory that it needs.
    pub(crate) fn check_room(&self, summary: &Summary) -> Result<()> {
        let (pixels, nodes) = (
            u64::from(summary.frame.wanted_pixels),
            u64::from(summary.nodes),
        );
        let given = self
            .room
            .bytes(self.room.pixels.into(), self.room.nodes.into());
        if pixels > self.room.pixels.into() {
            let usual = pixels * u64::from(self.room.meshes) * USUAL_LAYERS;
            return Err(too_little(given, self.room.bytes(pixels, usual)));
        }
        if nodes > self.room.nodes.into() {
            return Err(too_little(
                given,
                self.room.bytes(self.room.pixels.into(), nodes),
            ));
        }
        Ok(())
    }

    /// Records stages 1 and 2 with rays along an axis, 3 for the best. Every ray then has its list of entries and exits; with
    /// `keep_all` of all crossings.
    pub(crate) fn record(&self, recorder: &mut Recorder, axis: u32, keep_all: bool) -> Result<()> {
        recorder.barrier(Access::Any, Access::Transfer);
        recorder.fill(&self.boxes, 0, self.boxes.size, u32::MAX);
        recorder.fill(&self.summary, 0, self.summary.size, 0);
        recorder.fill(&self.heads, 0, self.heads.size, (NIL << 1) as u32);
        recorder.fill(&self.marks, 0, self.marks.size, 0);
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
        for (i, seen) in self.meshes.iter().enumerate() {
            self.record_conversion(recorder, i as u32, seen)?;
        }
        recorder.barrier(Access::Compute, Access::Compute);
        let rays = self.room.meshes * self.room.pixels;
        let push = SpansPush {
            meshes: self.room.meshes,
            capacity: self.room.nodes,
            keep_all: keep_all.into(),
        };
        let bound = [&self.summary, &self.heads, &self.nodes].map(Bound::Buffer);
        recorder.dispatch(
            &shader::SPANS,
            &bound,
            &push,
            lane_groups(&shader::SPANS, rays),
        )?;
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

    fn record_conversion(&self, recorder: &mut Recorder, which: u32, seen: &Seen) -> Result<()> {
        let texel = seen.placed.has_texels() && seen.mesh.cluster_indices.has_texels();
        let view = |buffer| {
            if texel {
                Bound::Texels(buffer)
            } else {
                Bound::Buffer(buffer)
            }
        };
        let count = seen.mesh.triangles.len() as u32;
        let push = ConvertPush {
            mesh: which,
            count,
            capacity: self.room.nodes,
        };
        let kernel = convert(texel);
        let bound = [
            view(&seen.placed),
            view(&seen.mesh.cluster_indices),
            Bound::Buffer(&self.summary),
            Bound::Buffer(&self.heads),
            Bound::Buffer(&self.nodes),
            Bound::Buffer(&self.marks),
        ];
        let slices = (FEW_TRIANGLES / count).clamp(1, MAX_SLICES);
        let [groups, _, _] = shared_groups(kernel, count);
        recorder.dispatch(kernel, &bound, &push, [groups, slices, 1])
    }
}

fn place(texel: bool) -> &'static Shader {
    if texel {
        &shader::PLACE_TEXEL
    } else {
        &shader::PLACE_STORAGE
    }
}

/// Workgroups of a kernel whose invocations take several of `count` items each.
fn shared_groups(kernel: &Shader, count: u32) -> [u32; 3] {
    [
        count
            .div_ceil(kernel.workgroup[0] * ITEMS_PER_LANE)
            .clamp(1, MAX_GROUPS),
        1,
        1,
    ]
}

fn convert(texel: bool) -> &'static Shader {
    if texel {
        &shader::CONVERT_TEXEL
    } else {
        &shader::CONVERT_STORAGE
    }
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
    fn host_and_shader_agree() {
        for kernel in [
            &shader::FRAME,
            convert(true),
            convert(false),
            &shader::SPANS,
            &shader::MEASURE,
            &shader::TOTAL,
        ] {
            assert_layout!(
                kernel,
                "Frame",
                Frame {
                    origin,
                    axis,
                    scale,
                    width,
                    slack,
                    height,
                    bins,
                    wanted_pixels,
                    from_above,
                    keep_from,
                    keep_to
                }
            );
            assert_layout!(
                kernel,
                "Summary",
                Summary {
                    frame,
                    nodes,
                    lower_bins,
                    upper_bins,
                    layers_found,
                    flawed,
                    layers,
                    reach,
                    complement,
                    deepest_pixel,
                    deepest_length,
                    deepest_from,
                    extent,
                    moment,
                    gradient,
                    torque
                }
            );
        }
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
        for kernel in [convert(true), convert(false)] {
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
        assert_layout!(
            shader::SPANS,
            "SpansPush",
            SpansPush {
                meshes,
                capacity,
                keep_all
            }
        );
    }
}
