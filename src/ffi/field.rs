//! Fields: baking, making, loading, saving, sampling.

use super::batch::PrxTicket;
use super::boundary::{Out, Sized32, on_batch, on_context, optional_text, read_def, write_array};
use super::handles::{PrxBatch, PrxContext};
use super::mesh::{PrxMesh, read_positions};
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::{Error, Result, invalid};
use crate::field::Field;
use crate::field::bake::Signing;
use crate::field::data::{FieldData, Precision, Samples, Sign};
use crate::field::grid::{Grid, Resolution};
use crate::field::request::{BakeRequest, Placement, Storage};
use crate::field::shape::Shape;
use crate::field::{file, nrrd};
use crate::query::batch::Ticket;
use crate::query::sample::SampleResult;
use glam::{UVec3, Vec3};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// Names a field. Zero is null; the id of a destroyed field is refused.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxField {
    /// The number behind the name.
    pub id: u64,
}

/// What a field stores.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum PrxStorage {
    /// Distances; directions come from their gradient.
    Distance = 0,
    /// Distances, and directions to the closest point.
    Direction = 1,
    /// Distances in bricks near the surface, over a coarse grid everywhere.
    Sparse = 2,
}

/// How a field stores a number.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum PrxPrecision {
    /// 32-bit floats.
    F32 = 0,
    /// 16-bit floats; the error bound covers their rounding.
    F16 = 1,
}

/// How inside is told from outside.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum PrxSign {
    /// By pseudonormals if the mesh is closed, manifold and oriented, else by winding numbers.
    Auto = 0,
    /// By angle-weighted pseudonormals; a mesh for which they mean nothing is refused.
    Pseudonormal = 1,
    /// By the generalised winding number: inside is where the mesh winds around a point half a time or more.
    Winding = 2,
    /// It came with the samples.
    Given = 3,
}

/// How to lay out a field. Fill it by prx_field_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxFieldDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Cells along the longest side of the domain; 0 to go by `cell_size`.
    pub resolution: u32,
    /// The side of a cell, in length; used when `resolution` is 0.
    pub cell_size: f32,
    /// What the domain has around the box of the mesh, in length; negative for a tenth of the box's longest side.
    pub padding: f32,
    /// A PrxStorage.
    pub storage: u32,
    /// A PrxPrecision.
    pub precision: u32,
    /// A PrxSign: Auto, Pseudonormal or Winding.
    pub sign: u32,
    /// Keep it zero.
    pub reserved: u32,
    /// The grid itself, or null to lay one as the members above say. It must hold the mesh; a sparse field needs a multiple
    /// of 8 cells along each axis.
    pub grid: *const PrxGrid,
}

// SAFETY: repr(C), size first, numbers and pointers only.
unsafe impl Sized32 for PrxFieldDef {
    const NAME: &'static str = "PrxFieldDef";
    const FILLED_BY: &'static str = "field_def_default";
}

/// A regular grid: node (i, j, k) is at origin + cell_size * (i, j, k).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxGrid {
    /// The first node.
    pub origin: [f32; 3],
    /// From one node to the next.
    pub cell_size: f32,
    /// Nodes along each axis, at least 2.
    pub nodes: [u32; 3],
    /// Keep it zero.
    pub reserved: u32,
}

/// What a field is.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxFieldInfo {
    /// Where its nodes are.
    pub grid: PrxGrid,
    /// A PrxStorage.
    pub storage: u32,
    /// A PrxPrecision.
    pub precision: u32,
    /// The PrxSign that was used.
    pub sign: u32,
    /// Keep it unread.
    pub reserved: u32,
    /// Bound on |interpolated - exact| anywhere in the domain.
    pub error: f32,
    /// The largest slope of the interpolated distance; it may exceed 1.
    pub lipschitz: f32,
    /// Where distances saturate, or infinity.
    pub band: f32,
    /// Keep it unread.
    pub reserved2: f32,
    /// Bytes on the device.
    pub device_bytes: u64,
}

/// The shapes that have a closed-form distance, each around the origin.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum PrxShapeKind {
    /// `radius`.
    Sphere = 0,
    /// `half_size`.
    Box = 1,
    /// `radius` around the segment of the y axis from -`half_height` to `half_height`.
    Capsule = 2,
    /// A tube of `radius` around the circle of `major_radius` in the xz plane.
    Torus = 3,
    /// The half-space y < 0, in a domain of `half_size`.
    Plane = 4,
}

/// A shape. Only the members that its kind names are read. Fill it by prx_shape_default.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxShape {
    /// Bytes of this struct.
    pub size: u32,
    /// A PrxShapeKind.
    pub kind: u32,
    /// Of a sphere, a capsule's ends, a torus's tube.
    pub radius: f32,
    /// From a torus's axis to its tube's centre.
    pub major_radius: f32,
    /// Half of a capsule's segment.
    pub half_height: f32,
    /// Half of a box's sides, or of a plane's domain.
    pub half_size: [f32; 3],
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxShape {
    const NAME: &'static str = "PrxShape";
    const FILLED_BY: &'static str = "shape_default";
}

/// A field at a point: lower <= exact distance <= upper.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxSample {
    /// The interpolated signed distance, negative inside. Outside the domain it is `lower`: the surface is no nearer.
    pub distance: f32,
    /// The exact distance is no less.
    pub lower: f32,
    /// The exact distance is no more.
    pub upper: f32,
    /// 1 inside the field's domain, 0 outside.
    pub in_domain: u32,
    /// Unit vector towards the closest point of the surface, or zero where the field does not tell.
    pub direction: [f32; 3],
    /// Keep it unread.
    pub reserved: u32,
}

/// A def of 64 cells along the longest side, padded by a tenth, with 32-bit distances.
#[unsafe(no_mangle)]
pub extern "C" fn prx_field_def_default() -> PrxFieldDef {
    PrxFieldDef {
        size: size_of::<PrxFieldDef>() as u32,
        resolution: 64,
        cell_size: 0.0,
        padding: -1.0,
        storage: PrxStorage::Distance as u32,
        precision: PrxPrecision::F32 as u32,
        sign: PrxSign::Auto as u32,
        reserved: 0,
        grid: std::ptr::null(),
    }
}

/// A unit sphere.
#[unsafe(no_mangle)]
pub extern "C" fn prx_shape_default() -> PrxShape {
    PrxShape {
        size: size_of::<PrxShape>() as u32,
        kind: PrxShapeKind::Sphere as u32,
        radius: 1.0,
        major_radius: 2.0,
        half_height: 1.0,
        half_size: [1.0; 3],
    }
}

/// Starts baking the signed distance field of a mesh as it is now. Returns at once; the field can be used when
/// prx_field_wait says so. The values at nodes are exact Euclidean distances. A mesh that encloses nothing fails there.
/// `def` may be null.
///
/// # Safety
/// `def` is null or valid; `out_field` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_bake(
    context: *mut PrxContext,
    mesh: PrxMesh,
    def: *const PrxFieldDef,
    out_field: *mut PrxField,
) -> PrxStatus {
    on_context(context, |context| {
        let out = Out::new(out_field, "out_field")?;
        // SAFETY: by the caller's promise.
        unsafe {
            out.write(PrxField {
                id: context.bake_field(mesh.id, read_request(def)?)?,
            })
        };
        Ok(())
    })
}

/// How much of a bake is done, from 0 to 1, and 1 in `*out_done` when it has ended, well or not.
///
/// # Safety
/// Both outputs are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_progress(
    context: *mut PrxContext,
    field: PrxField,
    out_progress: *mut f32,
    out_done: *mut u32,
) -> PrxStatus {
    on_context(context, |context| {
        let (progress, done) = (
            Out::new(out_progress, "out_progress")?,
            Out::new(out_done, "out_done")?,
        );
        let (fraction, ended) = context.field_progress(field.id)?;
        // SAFETY: by the caller's promise.
        unsafe {
            progress.write(fraction);
            done.write(ended.into());
        }
        Ok(())
    })
}

/// Waits for a bake, at most `nanoseconds` (UINT64_MAX: as long as it takes). A bake that failed or was cancelled gives its
/// status and sentence.
#[unsafe(no_mangle)]
pub extern "C" fn prx_field_wait(
    context: *mut PrxContext,
    field: PrxField,
    nanoseconds: u64,
) -> PrxStatus {
    on_context(context, |context| context.wait_field(field.id, nanoseconds))
}

/// Stops a bake: prx_field_wait then gives PRX_STATUS_CANCELLED. A field that is ready stays ready.
#[unsafe(no_mangle)]
pub extern "C" fn prx_field_cancel(context: *mut PrxContext, field: PrxField) -> PrxStatus {
    on_context(context, |context| context.cancel_field(field.id))
}

/// Destroys a field. A bake is stopped; batches in flight keep the field until they are done.
#[unsafe(no_mangle)]
pub extern "C" fn prx_field_destroy(context: *mut PrxContext, field: PrxField) -> PrxStatus {
    on_context(context, |context| context.destroy_field(field.id))
}

/// What a field is: its grid, storage, error bound and bytes.
///
/// # Safety
/// `out_info` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_info(
    context: *mut PrxContext,
    field: PrxField,
    out_info: *mut PrxFieldInfo,
) -> PrxStatus {
    on_context(context, |context| {
        let out = Out::new(out_info, "out_info")?;
        let field = context.field(field.id)?;
        // SAFETY: by the caller's promise.
        unsafe { out.write(describe(&field.data, field.texture.bytes())) };
        Ok(())
    })
}

/// Makes a field from signed distances at the nodes of a grid, x fastest, and, if `directions` is not null, unit vectors
/// towards the closest point. `error` bounds |interpolated - exact|; negative when the samples are exact distances, for the
/// bound that then holds anywhere. `precision` is a PrxPrecision.
///
/// # Safety
/// `grid` is valid; `distances` has a float a node, `directions` is null or has three; `out_field` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_from_samples(
    context: *mut PrxContext,
    grid: *const PrxGrid,
    distances: *const f32,
    directions: *const f32,
    error: f32,
    precision: u32,
    out_field: *mut PrxField,
) -> PrxStatus {
    on_context(context, |context| {
        let out = Out::new(out_field, "out_field")?;
        if grid.is_null() || distances.is_null() {
            return Err(invalid("grid and distances must not be null"));
        }
        // SAFETY: by the caller's promise.
        unsafe {
            let grid = read_grid(&grid.read_unaligned())?;
            let distances = (0..grid.len())
                .map(|i| distances.add(i).read_unaligned())
                .collect();
            let directions = (!directions.is_null()).then(|| {
                (0..grid.len())
                    .map(|i| directions.cast::<Vec3>().add(i).read_unaligned())
                    .collect()
            });
            if error.is_nan() {
                return Err(invalid(
                    "error is NaN; pass a bound, or a negative number for exact samples",
                ));
            }
            let error = (error >= 0.0).then_some(error);
            let data = FieldData::given(grid, distances, directions, error)?;
            let data = data.in_precision(read_precision(precision)?)?;
            out.write(PrxField {
                id: context.add_field(data)?,
            });
        }
        Ok(())
    })
}

/// Makes the field of a shape with a closed-form distance. `def` may be null; its `sign` is not read.
///
/// # Safety
/// `shape` is valid; `def` is null or valid; `out_field` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_from_shape(
    context: *mut PrxContext,
    shape: *const PrxShape,
    def: *const PrxFieldDef,
    out_field: *mut PrxField,
) -> PrxStatus {
    on_context(context, |context| {
        let out = Out::new(out_field, "out_field")?;
        // SAFETY: by the caller's promise.
        unsafe {
            let shape = read_shape(&read_def(shape)?)?;
            let data = read_request(def)?.of_shape(&shape)?;
            out.write(PrxField {
                id: context.add_field(data)?,
            });
        }
        Ok(())
    })
}

/// Makes a field that follows a deforming mesh, which is closed and oriented by its indices: prx_batch_rebake bakes it anew on
/// the device, within `band` of the surface; beyond, distances saturate there. The grid is laid around the mesh as it is now,
/// and the mesh must stay inside. Until the first rebake it holds nothing. `def` may be null; distances in 32 bits only.
///
/// # Safety
/// `def` is null or valid; `out_field` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_create_live(
    context: *mut PrxContext,
    mesh: PrxMesh,
    def: *const PrxFieldDef,
    band: f32,
    out_field: *mut PrxField,
) -> PrxStatus {
    on_context(context, |context| {
        let out = Out::new(out_field, "out_field")?;
        // SAFETY: by the caller's promise.
        unsafe {
            out.write(PrxField {
                id: context.create_live_field(mesh.id, read_request(def)?, band)?,
            })
        };
        Ok(())
    })
}

/// Records that a live field is baked anew from its mesh's positions; queries recorded after it see the new field.
#[unsafe(no_mangle)]
pub extern "C" fn prx_batch_rebake(batch: *mut PrxBatch, field: PrxField) -> PrxStatus {
    on_batch(batch, |context, batch| {
        let (field, band) = context.live_field(field.id)?;
        batch.rebake(field, band)
    })
}

/// Writes a field down in the .prxf format (docs/field-format.md) to memory. `*out_size` gets its bytes, also when
/// `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` bytes; `out_size` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_write(
    context: *mut PrxContext,
    field: PrxField,
    out: *mut c_void,
    capacity: u64,
    out_size: *mut u64,
) -> PrxStatus {
    on_context(context, |context| {
        let file = file::write(&stored(context, field)?.data);
        // SAFETY: by the caller's promise.
        unsafe { write_array(&file, out.cast(), capacity, out_size, "the field") }
    })
}

/// Reads a field in the .prxf format from memory. A truncated, corrupted or newer one is refused with a sentence.
///
/// # Safety
/// `data` points to `size` bytes; `out_field` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_read(
    context: *mut PrxContext,
    data: *const c_void,
    size: u64,
    out_field: *mut PrxField,
) -> PrxStatus {
    on_context(context, |context| {
        let out = Out::new(out_field, "out_field")?;
        if data.is_null() {
            return Err(invalid("data is null"));
        }
        // SAFETY: by the caller's promise.
        unsafe {
            let bytes = std::slice::from_raw_parts(data.cast::<u8>(), size as usize);
            out.write(PrxField {
                id: context.add_field(file::read(bytes)?)?,
            });
        }
        Ok(())
    })
}

/// Saves a field to a file: .nrrd for its distances at all nodes, anything else for the .prxf format.
///
/// # Safety
/// `path` is a valid string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_save(
    context: *mut PrxContext,
    field: PrxField,
    path: *const c_char,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let path = unsafe { optional_text(path) }.ok_or_else(|| invalid("path is null"))?;
        let field = stored(context, field)?;
        let bytes = if is_nrrd(&path) {
            nrrd::write(&field.data)
        } else {
            file::write(&field.data)
        };
        std::fs::write(&path, bytes).map_err(|e| invalid(format!("cannot write {path}: {e}")))
    })
}

/// Loads a field from a file: .nrrd for exact distances on a grid, anything else for the .prxf format.
///
/// # Safety
/// `path` is a valid string; `out_field` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_load(
    context: *mut PrxContext,
    path: *const c_char,
    out_field: *mut PrxField,
) -> PrxStatus {
    on_context(context, |context| {
        let out = Out::new(out_field, "out_field")?;
        // SAFETY: by the caller's promise.
        let path = unsafe { optional_text(path) }.ok_or_else(|| invalid("path is null"))?;
        let bytes =
            std::fs::read(&path).map_err(|e| invalid(format!("cannot read {path}: {e}")))?;
        let named = |e: Error| invalid(format!("{path}: {e}"));
        let data = if is_nrrd(&path) {
            nrrd::read(&bytes)
                .and_then(|(grid, distances)| FieldData::given(grid, distances, None, None))
        } else {
            file::read(&bytes)
        };
        // SAFETY: by the caller's promise.
        unsafe {
            out.write(PrxField {
                id: context.add_field(data.map_err(named)?)?,
            })
        };
        Ok(())
    })
}

/// Samples a field at `count` points in its own frame, now: a batch of one. Points are three floats, `stride` bytes apart.
///
/// # Safety
/// `points` has `count` points, `stride` bytes apart; `out_samples` has room for `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_sample(
    context: *mut PrxContext,
    field: PrxField,
    points: *const c_void,
    count: u32,
    stride: u64,
    out_samples: *mut PrxSample,
) -> PrxStatus {
    on_context(context, |context| {
        Out::new(out_samples, "out_samples")?;
        // SAFETY: by the caller's promise.
        unsafe {
            let points = read_positions(points, stride, count)?;
            let samples: Vec<_> = context
                .sample_field(field.id, &points)?
                .into_iter()
                .map(PrxSample::from)
                .collect();
            let mut written = 0;
            write_array(&samples, out_samples, count.into(), &mut written, "samples")
        }
    })
}

/// Records samples of a field at `count` points in its own frame; read them by prx_batch_sample_result. The points are
/// copied at the call.
///
/// # Safety
/// `points` has `count` points, `stride` bytes apart; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_sample(
    batch: *mut PrxBatch,
    field: PrxField,
    points: *const c_void,
    count: u32,
    stride: u64,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    on_batch(batch, |context, batch| {
        let out = Out::new(out_ticket, "out_ticket")?;
        let field = context.field(field.id)?;
        // SAFETY: by the caller's promise.
        unsafe {
            let points = read_positions(points, stride, count)?;
            out.write(PrxTicket {
                id: batch.sample(field, &points)?.0,
            });
        }
        Ok(())
    })
}

/// The answer of prx_batch_sample. `*out_count` gets the number of samples, also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` samples; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_sample_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxSample,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    on_batch(batch, |_, batch| {
        let samples = batch.sample_answer(Ticket(ticket.id))?;
        let samples: Vec<PrxSample> = samples.into_iter().map(PrxSample::from).collect();
        // SAFETY: by the caller's promise.
        unsafe { write_array(&samples, out, capacity, out_count, "samples") }
    })
}

/// # Safety
/// `def` is null or valid, and so is its `grid`.
unsafe fn read_request(def: *const PrxFieldDef) -> Result<BakeRequest> {
    let def = if def.is_null() {
        prx_field_def_default()
    } else {
        // SAFETY: by the caller's promise.
        unsafe { read_def(def) }?
    };
    let storage = match def.storage {
        n if n == PrxStorage::Distance as u32 => Storage::Distance,
        n if n == PrxStorage::Direction as u32 => Storage::Direction,
        n if n == PrxStorage::Sparse as u32 => Storage::Sparse,
        n => return Err(invalid(format!("storage is {n}, which is no PrxStorage"))),
    };
    let signing = match def.sign {
        n if n == PrxSign::Auto as u32 => Signing::Auto,
        n if n == PrxSign::Pseudonormal as u32 => Signing::Pseudonormals,
        n if n == PrxSign::Winding as u32 => Signing::WindingNumbers,
        n => {
            return Err(invalid(format!(
                "sign is {n}; it must be PRX_SIGN_AUTO, _PSEUDONORMAL or _WINDING"
            )));
        }
    };
    let placement = if def.grid.is_null() {
        let resolution = match def.resolution {
            0 => Resolution::CellSize(def.cell_size),
            cells => Resolution::Cells(cells),
        };
        let padding = (def.padding >= 0.0 || def.padding.is_nan()).then_some(def.padding);
        Placement::Around {
            resolution,
            padding,
        }
    } else {
        // SAFETY: by the caller's promise.
        Placement::Given(read_grid(&unsafe { def.grid.read_unaligned() })?)
    };
    Ok(BakeRequest {
        placement,
        storage,
        precision: read_precision(def.precision)?,
        signing,
    })
}

fn read_precision(number: u32) -> Result<Precision> {
    match number {
        n if n == PrxPrecision::F32 as u32 => Ok(Precision::Single),
        n if n == PrxPrecision::F16 as u32 => Ok(Precision::Half),
        n => Err(invalid(format!(
            "precision is {n}, which is no PrxPrecision"
        ))),
    }
}

fn read_grid(grid: &PrxGrid) -> Result<Grid> {
    let grid = Grid {
        origin: Vec3::from_array(grid.origin),
        spacing: grid.cell_size,
        nodes: UVec3::from_array(grid.nodes),
    };
    grid.validate().map_err(|e| invalid(e.to_string()))?;
    Ok(grid)
}

fn read_shape(shape: &PrxShape) -> Result<Shape> {
    let half_size = Vec3::from_array(shape.half_size).as_dvec3();
    let radius = f64::from(shape.radius);
    let shape = match shape.kind {
        n if n == PrxShapeKind::Sphere as u32 => Shape::Sphere { radius },
        n if n == PrxShapeKind::Box as u32 => Shape::Box { half_size },
        n if n == PrxShapeKind::Capsule as u32 => Shape::Capsule {
            radius,
            half_height: shape.half_height.into(),
        },
        n if n == PrxShapeKind::Torus as u32 => Shape::Torus {
            major: shape.major_radius.into(),
            minor: radius,
        },
        n if n == PrxShapeKind::Plane as u32 => Shape::Plane {
            half_domain: half_size,
        },
        n => return Err(invalid(format!("kind is {n}, which is no PrxShapeKind"))),
    };
    shape.validate()?;
    Ok(shape)
}

/// A field whose samples are on the host: not a live one.
fn stored(context: &Context, field: PrxField) -> Result<Arc<Field>> {
    if context.live_field(field.id).is_ok() {
        return Err(Error::WrongState(
            "a live field is on the device only; bake one with prx_field_bake to save it".into(),
        ));
    }
    context.field(field.id)
}

fn is_nrrd(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".nrrd")
}

fn describe(data: &FieldData, device_bytes: u64) -> PrxFieldInfo {
    let storage = match &data.samples {
        Samples::Dense {
            directions: None, ..
        } => PrxStorage::Distance,
        Samples::Dense {
            directions: Some(_),
            ..
        } => PrxStorage::Direction,
        Samples::Sparse(_) => PrxStorage::Sparse,
    };
    PrxFieldInfo {
        grid: PrxGrid {
            origin: data.grid.origin.to_array(),
            cell_size: data.grid.spacing,
            nodes: data.grid.nodes.to_array(),
            reserved: 0,
        },
        storage: storage as u32,
        precision: match data.precision {
            Precision::Single => PrxPrecision::F32 as u32,
            Precision::Half => PrxPrecision::F16 as u32,
        },
        sign: match data.sign {
            Sign::Pseudonormal => PrxSign::Pseudonormal as u32,
            Sign::Winding => PrxSign::Winding as u32,
            Sign::Given => PrxSign::Given as u32,
        },
        reserved: 0,
        error: data.error(),
        lipschitz: data.lipschitz,
        band: data.band,
        reserved2: 0.0,
        device_bytes,
    }
}

impl From<SampleResult> for PrxSample {
    fn from(s: SampleResult) -> Self {
        Self {
            distance: s.distance,
            lower: s.lower,
            upper: s.upper,
            in_domain: s.in_domain,
            direction: s.direction,
            reserved: 0,
        }
    }
}
