//! Layers: the rays of a layered depth image themselves
//!
//! The stretches of rays that are inside a closed mesh, those inside two, and those where a mesh overlaps itself.

use super::asking::{self, List, Out};
use super::batch::PrxTicket;
use super::boundary::on_batch;
use super::handles::PrxBatch;
use super::mesh::{PrxMesh, PrxPose, read_placed};
use super::status::PrxStatus;
use super::volume::{PrxLdiDef, read_ldi_def};
use crate::query::layers::{Layer, Layers, LayersQuery, Stretches};

/// A stretch of a ray.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxLayer {
    /// Column of the ray.
    pub column: u32,
    /// Row of the ray.
    pub row: u32,
    /// Where the stretch starts and where it ends, in the world.
    pub ends: [[f32; 3]; 2],
    /// The triangle at its start.
    pub triangle_start: u32,
    /// The triangle at its end.
    pub triangle_end: u32,
    /// How often the mesh winds around it, at most: 1 inside, 2 and more where it overlaps itself, below 0 where it is inside
    /// out. Of prx_batch_intersection_layers the product for both meshes.
    pub winding: i32,
    /// Bit 0 is set where triangle_start is of the second mesh of prx_batch_intersection_layers, bit 1 where triangle_end is.
    pub meshes: u32,
}

/// The rays of a layered depth image.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxLayersInfo {
    /// Columns of rays, with one beside the mesh on each side.
    pub columns: u32,
    /// Rows of rays, with one beside the mesh on each side.
    pub rows: u32,
    /// The axis that they run along: 0, 1 or 2. Columns follow along the next axis, rows along the one after it, cyclically.
    pub axis: u32,
    /// Rays on which crossings do not tell inside from outside.
    pub flawed: u32,
    /// Where column 0 of row 0 starts, in the world.
    pub origin: [f64; 3],
    /// Distance of neighbouring columns.
    pub column_spacing: f64,
    /// Distance of neighbouring rows.
    pub row_spacing: f64,
}

/// Records the layered depth image of a closed mesh: the stretches of its rays that are inside, at most `room` of them; read them by
/// prx_batch_layers_result. `pose` and `def` may be null.
///
/// # Safety
/// `pose` and `def` are null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_layers(
    batch: *mut PrxBatch,
    mesh: PrxMesh,
    pose: *const PrxPose,
    def: *const PrxLdiDef,
    room: u32,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { record_layers(batch, mesh, pose, def, room, Stretches::Inside, out_ticket) }
}

/// Records where a closed mesh overlaps itself, as far as rays see it: intervals of rays that it winds around more than once, or
/// backwards, at most `room` of them; read them by prx_batch_layers_result. prx_mesh_self_pairs finds every intersecting pair of
/// triangles instead. `pose` and `def` may be null.
///
/// # Safety
/// `pose` and `def` are null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_self_overlaps(
    batch: *mut PrxBatch,
    mesh: PrxMesh,
    pose: *const PrxPose,
    def: *const PrxLdiDef,
    room: u32,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        record_layers(
            batch,
            mesh,
            pose,
            def,
            room,
            Stretches::SelfOverlaps,
            out_ticket,
        )
    }
}

/// Records what two closed meshes share, as rays see it: the stretches of rays inside both, at most `room` of them, each with the triangles at its
/// ends and the meshes that these are of; read them by prx_batch_layers_result. Lengths of stretches times the area of a ray's pixel add up to the
/// volume that prx_batch_intersection_volume estimates. `pose_a`, `pose_b` and `def` may be null.
///
/// # Safety
/// `pose_a`, `pose_b` and `def` are null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_intersection_layers(
    batch: *mut PrxBatch,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    def: *const PrxLdiDef,
    room: u32,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            let meshes = [
                read_placed(context, a, pose_a)?,
                read_placed(context, b, pose_b)?,
            ];
            let options = read_ldi_def(def)?.options;
            LayersQuery::shared(context.resources(), meshes, options, room)
        })
    }
}

/// The answer of prx_batch_layers, prx_batch_self_overlaps or prx_batch_intersection_layers, by rows, columns and depth. `*out_count` gets the number of stretches, also
/// when `capacity` or the room at recording was too small. `out_info` may be null.
///
/// # Safety
/// `out_info` is null or writable; `out` has room for `capacity` stretches; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_layers_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_info: *mut PrxLayersInfo,
    out: *mut PrxLayer,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let list = List::new(out, capacity, out_count, "layers");
    on_batch(batch, |_, batch| {
        list.check()?;
        let mut info = None;
        let layers = batch.answer(ticket.of::<LayersQuery>()).map(|answer| {
            info = Some(PrxLayersInfo::from(&answer));
            answer.layers
        });
        // SAFETY: by the caller's promise.
        unsafe {
            list.write(layers)?;
            if let (Some(out), Some(info)) = (Out::optional(out_info), info) {
                out.write(info);
            }
        }
        Ok(())
    })
}

/// # Safety
/// As [`prx_batch_layers`].
unsafe fn record_layers(
    batch: *mut PrxBatch,
    mesh: PrxMesh,
    pose: *const PrxPose,
    def: *const PrxLdiDef,
    room: u32,
    stretches: Stretches,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            let mesh = read_placed(context, mesh, pose)?;
            let options = read_ldi_def(def)?.options;
            LayersQuery::plan(context.resources(), mesh, stretches, options, room)
        })
    }
}

impl From<Layer> for PrxLayer {
    fn from(layer: Layer) -> Self {
        Self {
            column: layer.pixel[0],
            row: layer.pixel[1],
            ends: layer.ends.map(|p| p.as_vec3().to_array()),
            triangle_start: layer.triangles[0],
            triangle_end: layer.triangles[1],
            winding: layer.winding,
            meshes: layer.meshes[0] | layer.meshes[1] << 1,
        }
    }
}

impl From<&Layers> for PrxLayersInfo {
    fn from(layers: &Layers) -> Self {
        Self {
            columns: layers.size[0],
            rows: layers.size[1],
            axis: layers.axis,
            flawed: layers.flawed,
            origin: layers.origin.to_array(),
            column_spacing: layers.spacing[0],
            row_spacing: layers.spacing[1],
        }
    }
}
