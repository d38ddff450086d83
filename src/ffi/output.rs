//! The engine's buffers
//!
//! Queries of a batch can write their results to buffers of the engine's, where its own kernels read them: nothing comes to the host. In front of
//! the records stands a PrxOutputHead with their number, from which an indirect dispatch or draw can be fed. Records and head are there when the
//! submission's signals are. Structs are laid out as in std430.
//!
//! | query | array | record |
//! |---|---|---|
//! | prx_batch_bounds | 0 | PrxBounds |
//! | prx_batch_sample | 0 | PrxSample |
//! | prx_batch_contains | 0 | uint32_t, PRX_CONTAINMENT_* bits |
//! | prx_batch_proximity | 0 | PrxProximity |
//! | prx_batch_penalty | 0 | PrxPenalty |
//! | prx_batch_contacts | 0, 1 | PrxContactRecord, PrxPatchRecord |
//! | prx_batch_intersection_volume | 0 | PrxVolumeRecord |
//! | prx_batch_intersection_gradients | 0, 1 | three floats for each vertex of mesh A, of mesh B |
//! | prx_batch_pairs | 0 | PrxPairRecord |
//! | prx_batch_self_pairs | 0 | PrxTrianglePair |
//! | prx_batch_near, prx_batch_near_self | 0 | PrxNearRecord |
//! | prx_batch_impacts, prx_batch_impacts_self | 0 | PrxImpactRecord |
//! | prx_batch_layers, prx_batch_intersection_layers, prx_batch_self_overlaps | 0 | PrxLayer |
//!
//! Places in the world are in single precision; certificates (lower, upper, boxes) are widened by what that rounds.

use super::asking::Out;
use super::batch::PrxTicket;
use super::boundary::{Sized32, on_batch, read_def};
use super::field_sample::PrxSample;
use super::handles::PrxBatch;
use super::layers::PrxLayer;
use super::mesh::PrxBounds;
use super::penalty::PrxPenalty;
use super::proximity::PrxProximity;
use super::status::PrxStatus;
use crate::error::invalid;
use crate::gpu::recorder::ForeignBuffer;
use crate::gpu::shader::blocks;
use crate::query::exact_records::{ImpactRecord, NearRecord, PairRecord};
use crate::query::output::{InputBuffer, OutputBuffer, OutputHead};

/// The host reads the answer too, by ticket, as without an output.
pub const PRX_OUTPUT_READ: u32 = 1;

/// In PrxOutputHead.status: there are more records than room.
pub const PRX_OUTPUT_CUT: u32 = 1;
/// In PrxOutputHead.status: the query ran out of its own room (budget, memory, room at recording), so that not all records were found.
pub const PRX_OUTPUT_INCOMPLETE: u32 = 2;

/// Laid out as VkDispatchIndirectCommand.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxDispatchCommand {
    /// Workgroups: all that there are.
    pub x: u32,
    /// 1.
    pub y: u32,
    /// 1.
    pub z: u32,
}

/// Laid out as VkDrawIndirectCommand.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxDrawCommand {
    /// Vertices for each record.
    pub vertex_count: u32,
    /// Records that were written.
    pub instance_count: u32,
    /// 0.
    pub first_vertex: u32,
    /// 0.
    pub first_instance: u32,
}

/// What stands before the records in the engine's buffer.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxOutputHead {
    /// Records that there are, also where there is room for fewer.
    pub count: u32,
    /// Records that follow: the smaller of `count` and the capacity.
    pub written: u32,
    /// PRX_OUTPUT_CUT, PRX_OUTPUT_INCOMPLETE, or 0.
    pub status: u32,
    /// Reserved.
    pub reserved: u32,
    /// 16 bytes after the head's start: workgroups of PrxBufferOutput.group_size records.
    pub dispatch: PrxDispatchCommand,
    /// Reserved.
    pub reserved2: u32,
    /// 32 bytes after the head's start: PrxBufferOutput.vertices vertices, an instance for each record.
    pub draw: PrxDrawCommand,
}

/// Where results go. Fill it by prx_buffer_output_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxBufferOutput {
    /// Bytes of this struct.
    pub size: u32,
    /// Which array of the query.
    pub array: u32,
    /// The engine's VkBuffer, of the adopted device; it outlives the batch's submissions. What reads it on the same queue needs a barrier or a
    /// signalled semaphore in between; on another family of queues it is created with VK_SHARING_MODE_CONCURRENT, or its ownership is transferred.
    pub vk_buffer: u64,
    /// Bytes that the buffer was created with.
    pub vk_buffer_size: u64,
    /// Bytes before the head, a multiple of the device's minStorageBufferOffsetAlignment, which divides 256.
    pub vk_buffer_offset: u64,
    /// The usage that it was created with: VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, and what the engine does with it.
    pub vk_buffer_usage: u32,
    /// Records that there is room for after the head.
    pub capacity: u32,
    /// Bytes of a record: sizeof of its struct.
    pub record_size: u32,
    /// Records that a workgroup of the engine's kernel takes, for PrxOutputHead.dispatch.
    pub group_size: u32,
    /// Vertices that the engine draws for each record, for PrxOutputHead.draw.
    pub vertices: u32,
    /// PRX_OUTPUT_READ, or 0: the host reads no answer.
    pub flags: u32,
}

// SAFETY: repr(C), size first, integers only.
unsafe impl Sized32 for PrxBufferOutput {
    const NAME: &'static str = "PrxBufferOutput";
    const FILLED_BY: &'static str = "buffer_output_default";
}

/// A contact in a buffer. `point_a` and `point_b` keep their precision far from the world's origin. Nothing is matched with the last step.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxContactRecord {
    /// On body A, along its axes from its origin, in world units.
    pub point_a: [f32; 3],
    /// The signed distance less the rest offsets; negative where the bodies penetrate.
    pub separation: f32,
    /// On body B, along its axes from its origin, in world units.
    pub point_b: [f32; 3],
    /// The exact separation is no less.
    pub lower: f32,
    /// Unit vector from A to B, in the world.
    pub normal: [f32; 3],
    /// The exact separation is no more.
    pub upper: f32,
    /// The point on body A in the world.
    pub world_a: [f32; 3],
    /// The area that it stands for.
    pub area: f32,
    /// The point on body B in the world.
    pub world_b: [f32; 3],
    /// Its patch, or UINT32_MAX where there were too many.
    pub patch: u32,
    /// The weights of the triangle's corners.
    pub barycentric: [f32; 3],
    /// The triangle that it lies on.
    pub triangle: u32,
    /// The low word of PrxContact.key.
    pub key_low: u32,
    /// The high word of PrxContact.key.
    pub key_high: u32,
    /// Whose triangle it is: 0 for body A, 1 for body B.
    pub on: u32,
    /// A PrxContactFeature.
    pub feature: u32,
}

/// A patch of contacts in a buffer.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxPatchRecord {
    /// The mean normal, from A to B, in the world.
    pub normal: [f32; 3],
    /// The area of its contacts.
    pub area: f32,
    /// The centre of that area, in the world.
    pub center: [f32; 3],
    /// Contacts that were left out lie no farther than this from the hull of those kept.
    pub hull_distance: f32,
    /// Unit vector along the patch that the moments refer to, in the world.
    pub tangent: [f32; 3],
    /// Contacts before reduction.
    pub raw: u32,
    /// Second moments of the area about its centre: along the tangent, along normal x tangent, mixed.
    pub moments: [f32; 3],
    /// Contacts kept.
    pub kept: u32,
}

/// Two triangles of prx_batch_pairs, in a buffer: PrxPair in single precision.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxPairRecord {
    /// The triangle of `a`.
    pub triangle_a: u32,
    /// The triangle of `b`.
    pub triangle_b: u32,
    /// Their distance, in mesh units; 0 exactly when they share a point.
    pub distance: f32,
    /// Reserved.
    pub reserved: u32,
    /// In the world: an end of what they share, or the nearest point of `a`, as in PrxPair.segment; the fourth number is 1.
    pub point_a: [f32; 4],
    /// The other end, or the nearest point of `b`.
    pub point_b: [f32; 4],
}

/// Two features of prx_batch_near or prx_batch_near_self, in a buffer: PrxNearPair in single precision.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxNearRecord {
    /// A PrxImpactKind.
    pub kind: u32,
    /// What of `a` is near, as in PrxNearPair.
    pub feature_a: [u32; 2],
    /// What of `b` is near.
    pub feature_b: [u32; 2],
    /// PrxNearRegion of the feature of `a` and of that of `b`.
    pub regions: [u32; 2],
    /// As in PrxNearPair.
    pub repeats: u32,
    /// Unit direction from the nearest point of `a` to that of `b`, in the world; zero where they touch.
    pub direction: [f32; 3],
    /// How far they are apart, in mesh units; 0 exactly when they share a point.
    pub distance: f32,
    /// The nearest points, by the share of each corner, as in PrxNearPair.
    pub weights: [f32; 4],
}

/// Two features of prx_batch_impacts or prx_batch_impacts_self, in a buffer: PrxFeatureImpact in single precision.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxImpactRecord {
    /// A PrxImpactKind.
    pub kind: u32,
    /// What of `a` meets, as in PrxFeatureImpact.
    pub feature_a: [u32; 2],
    /// What of `b` meets.
    pub feature_b: [u32; 2],
    /// Reserved.
    pub reserved: [u32; 3],
    /// Unit direction from the feature of `a` to that of `b` just before they meet; zero for intersections at the start.
    pub normal: [f32; 3],
    /// From 0, the start, to 1, the end; never after the features first meet.
    pub time: f32,
    /// The points that meet, by the share of each corner, as in PrxFeatureImpact.
    pub weights: [f32; 4],
}

/// What two meshes have in common, in a buffer: PrxIntersectionVolume in single precision, seen along one axis.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxVolumeRecord {
    /// The volume, between `lower` and `upper`.
    pub volume: f32,
    /// The volume is no less.
    pub lower: f32,
    /// The volume is no more.
    pub upper: f32,
    /// Length of the longest stretch of a ray inside both.
    pub deepest: f32,
    /// Centre of the volume; zero when there is none.
    pub centroid: [f32; 3],
    /// The axis of the rays.
    pub axis: u32,
    /// How the volume changes as mesh A moves; the opposite for mesh B.
    pub gradient_a: [f32; 3],
    /// Rays through the volume of interest.
    pub rays: u32,
    /// How the volume changes as mesh A turns about its position.
    pub torque_a: [f32; 3],
    /// How the volume changes as mesh B turns about its position.
    pub torque_b: [f32; 3],
    /// Rays on which mesh A is flawed: see PrxIntersectionVolume.
    pub flawed_a: u32,
    /// Rays on which mesh B is flawed.
    pub flawed_b: u32,
    /// Crossings of mesh A with one ray, at most.
    pub layers_a: u32,
    /// Crossings of mesh B with one ray, at most.
    pub layers_b: u32,
    /// A box that holds the intersection; zero when there is none.
    pub bounds: PrxBounds,
    /// The ends of the longest stretch.
    pub deepest_span: [[f32; 3]; 2],
}

// What kernels write and what the header says are one layout.
const _: () = {
    macro_rules! same {
        ($($record:ty = $block:ty: $($member:ident = $written:ident),*;)*) => {$(
            assert!(size_of::<$record>() == size_of::<$block>());
            $(assert!(
                std::mem::offset_of!($record, $member) == std::mem::offset_of!($block, $written)
            );)*
        )*};
    }
    same! {
        PrxOutputHead = blocks::OutputHead: status = status, dispatch = dispatch, draw = draw;
        PrxBounds = blocks::BoundsRecord: max = max;
        PrxSample = blocks::SampleRecord: in_domain = in_domain, direction = direction, normal = normal;
        PrxProximity = blocks::ProximityRecord: triangle = triangle, barycentric = barycentric, in_domain = in_domain,
            point_mesh = point_mesh, penetrating = penetrating, point_field = point_field, direction = direction;
        PrxPenalty = blocks::PenaltyRecord: force_sum = force_sum, mesh_force = mesh_force, mesh_torque_sum = mesh_torque_sum, area = area,
            sample_count = sample_count, depth = depth, deepest = deepest, centroid = centre, coarsened = coarsened,
            damping_scale = damping_scale, mesh_torque_sum_error = mesh_torque_sum_error;
        PrxContactRecord = blocks::ContactRecord: separation = separation, point_b = point_b, normal = normal, world_a = world_a,
            area = area, world_b = world_b, patch = patch_index, barycentric = barycentric, triangle = triangle, key_high = key_high,
            on = on, feature = feature;
        PrxPatchRecord = blocks::PatchRecord: center = center, hull_distance = hull_distance, raw = raw, moments = moments, kept = kept;
        PrxVolumeRecord = blocks::VolumeRecord: deepest = deepest, centroid = centre, axis = axis, rays = rays, torque_b = torque_b,
            flawed_a = flawed, layers_a = layers, bounds = min, deepest_span = deepest_span;
        PrxPairRecord = PairRecord: triangle_a = triangles, distance = distance, point_a = point_a, point_b = point_b;
        PrxNearRecord = NearRecord: kind = kind, feature_a = feature_a, feature_b = feature_b, regions = regions, repeats = repeats,
            direction = direction, distance = distance, weights = weights;
        PrxImpactRecord = ImpactRecord: kind = kind, feature_a = feature_a, feature_b = feature_b, normal = normal, time = time,
            weights = weights;
        PrxLayer = blocks::LayerRecord: ends = start, triangle_start = triangle_start, winding = winding;
    }
};

/// An output of array 0 for kernels with workgroups of 64, with nothing in it yet.
#[unsafe(no_mangle)]
pub extern "C" fn prx_buffer_output_default() -> PrxBufferOutput {
    PrxBufferOutput {
        size: size_of::<PrxBufferOutput>() as u32,
        array: 0,
        vk_buffer: 0,
        vk_buffer_size: 0,
        vk_buffer_offset: 0,
        vk_buffer_usage: 0,
        capacity: 0,
        record_size: 0,
        group_size: 64,
        vertices: 1,
        flags: 0,
    }
}

/// Lets a recorded query write an array of its results to a buffer of the engine's in every submission. Without PRX_OUTPUT_READ the host gets no
/// answer of the query. The query then runs on the device, also where the host beside it were faster. PRX_STATUS_UNSUPPORTED on the host
/// device, and for what only the host can make: volumes of rays along all axes, damping with a limit.
///
/// Pairs, self pairs, near pairs and impacts are found on CPU threads and copied to the buffer, which also needs
/// VK_BUFFER_USAGE_TRANSFER_DST_BIT. What the submission signals is then signalled after that copy, by a submission of a thread of the
/// library: use timeline semaphores, or let nobody wait for a binary one before prx_batch_wait. An adopted device must come with
/// PrxVulkanDevice.lock_queue. Their answers can be read in any case.
///
/// # Safety
/// `output` is valid; its buffer is of this context's device, was created as said, and stays alive until the batch is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_output(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    output: *const PrxBufferOutput,
) -> PrxStatus {
    on_batch(batch, |_, batch| {
        // SAFETY: by the caller's promise.
        let output = unsafe { read_def(output) }?;
        if output.flags & !PRX_OUTPUT_READ != 0 {
            return Err(invalid(format!(
                "flags is {:#x}; it may have PRX_OUTPUT_READ",
                output.flags
            )));
        }
        if output.vk_buffer == 0 {
            return Err(invalid("vk_buffer is 0; it is where the results go"));
        }
        let to = OutputBuffer {
            buffer: ForeignBuffer::from_handle(output.vk_buffer),
            bytes: output.vk_buffer_size,
            usage: output.vk_buffer_usage,
            offset: output.vk_buffer_offset,
            capacity: output.capacity,
            record_bytes: output.record_size,
            group_size: output.group_size,
            vertices: output.vertices,
        };
        let is_read = output.flags & PRX_OUTPUT_READ != 0;
        batch.write_to(ticket.id, output.array, to, is_read)
    })
}

/// Where a query reads what it is given. Fill it by prx_buffer_input_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxBufferInput {
    /// Bytes of this struct.
    pub size: u32,
    /// The usage that the buffer was created with: VK_BUFFER_USAGE_STORAGE_BUFFER_BIT at least.
    pub vk_buffer_usage: u32,
    /// The engine's VkBuffer, with three packed floats for each value. What is said of PrxMeshDef.vk_buffer holds for it.
    pub vk_buffer: u64,
    /// Bytes that the buffer was created with.
    pub vk_buffer_size: u64,
    /// Bytes before the first value, a multiple of the device's minStorageBufferOffsetAlignment, which divides 256.
    pub vk_buffer_offset: u64,
}

// SAFETY: repr(C), size first, integers only.
unsafe impl Sized32 for PrxBufferInput {
    const NAME: &'static str = "PrxBufferInput";
    const FILLED_BY: &'static str = "buffer_input_default";
}

/// An input with no buffer yet.
#[unsafe(no_mangle)]
pub extern "C" fn prx_buffer_input_default() -> PrxBufferInput {
    PrxBufferInput {
        size: size_of::<PrxBufferInput>() as u32,
        vk_buffer_usage: 0,
        vk_buffer: 0,
        vk_buffer_size: 0,
        vk_buffer_offset: 0,
    }
}

/// Lets a recorded query read its points (prx_batch_sample without a pose, prx_batch_contains) or its velocities of vertices (prx_batch_penalty) from
/// a buffer of the engine's in every submission: as many as it was recorded with, which are not read. Values that are no numbers give answers
/// without a meaning. The query runs on the device as with prx_batch_output.
///
/// # Safety
/// `input` is valid; its buffer is of this context's device, was created as said, and stays alive until the batch is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_input(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    input: *const PrxBufferInput,
) -> PrxStatus {
    on_batch(batch, |_, batch| {
        // SAFETY: by the caller's promise.
        let input = unsafe { read_def(input) }?;
        if input.vk_buffer == 0 {
            return Err(invalid("vk_buffer is 0; it is where the values are"));
        }
        let from = InputBuffer {
            buffer: ForeignBuffer::from_handle(input.vk_buffer),
            bytes: input.vk_buffer_size,
            usage: input.vk_buffer_usage,
            offset: input.vk_buffer_offset,
        };
        batch.read_from(ticket.id, 0, from)
    })
}

/// What became of an array that prx_batch_output sent to a buffer, of a batch that is done: its head. PRX_STATUS_BUFFER_TOO_SMALL where there are
/// more records than room, PRX_STATUS_UNSUPPORTED where the query ran out of its own; the head is written also then.
///
/// # Safety
/// `out_head` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_output_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    array: u32,
    out_head: *mut PrxOutputHead,
) -> PrxStatus {
    on_batch(batch, |_, batch| {
        let out = Out::new(out_head, "out_head")?;
        let (head, outcome) = batch.written(ticket.id, array)?;
        // SAFETY: by the caller's promise.
        unsafe { out.write(head.into()) };
        outcome
    })
}

impl From<OutputHead> for PrxOutputHead {
    fn from(head: OutputHead) -> Self {
        let [x, y, z] = head.dispatch;
        let [vertex_count, instance_count, first_vertex, first_instance] = head.draw;
        Self {
            count: head.count,
            written: head.written,
            status: head.status,
            reserved: 0,
            dispatch: PrxDispatchCommand { x, y, z },
            reserved2: 0,
            draw: PrxDrawCommand {
                vertex_count,
                instance_count,
                first_vertex,
                first_instance,
            },
        }
    }
}
