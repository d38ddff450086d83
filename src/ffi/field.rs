//! Distance fields
//!
//! A field stores the signed distance to a closed surface on a grid: negative inside, with a certified bound on the error of
//! interpolation. It belongs to one body and moves with the body's pose. It is baked from a mesh on the CPU threads, read from a
//! file, made from a shape or from samples, or kept up to date with a deforming mesh on the device.

use super::asking::{Out, ask_context};
use super::boundary::{Sized32, on_batch, on_context, read_def, read_def_or, read_long_array};
use super::enumeration::{EnumOf, enumeration};
use super::handles::{PrxBatch, PrxContext};
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::{Result, invalid};
use crate::field::bake::Signing;
use crate::field::data::{FieldData, Precision, Sign, Storage};
use crate::field::grid::{Grid, Resolution};
use crate::field::request::{BakeRequest, GridPlacement};
use crate::field::shape::Shape;
use crate::query::meeting::Meeting;
use crate::query::rebake::RebakeQuery;
use glam::{UVec3, Vec3};

/// Names a field. Zero is null; the id of a destroyed field is refused.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxField {
    /// The id; zero is null.
    pub id: u64,
}

/// What a field stores.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxStorage {
    /// Distances; directions come from their gradient.
    Distance = 0,
    /// Distances, and directions to the closest point.
    Direction = 1,
    /// Distances in bricks near the surface, over a coarse grid everywhere.
    Sparse = 2,
}
enumeration!(PrxStorage: Distance, Direction, Sparse);

/// How a field stores a number.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxPrecision {
    /// 32-bit floats.
    F32 = 0,
    /// 16-bit floats; the error bound covers their rounding.
    F16 = 1,
}
enumeration!(PrxPrecision: F32, F16);

/// How inside and outside are distinguished.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
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
enumeration!(PrxSign: Auto, Pseudonormal, Winding, Given);

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
    /// Reserved, must be zero.
    pub reserved: u32,
}

/// How to lay out a field. Fill it by prx_field_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxFieldDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Cells along the longest side of the domain; 0 to go by `cell_size`.
    pub resolution: u32,
    /// The side of a cell, in mesh units; used when `resolution` is 0.
    pub cell_size: f32,
    /// What the domain has around the box of the mesh, in mesh units; negative for a tenth of the box's longest side.
    pub padding: f32,
    /// What is stored.
    pub storage: EnumOf<PrxStorage>,
    /// The bits of a stored number.
    pub precision: EnumOf<PrxPrecision>,
    /// How inside and outside are told apart; PRX_SIGN_GIVEN is refused.
    pub sign: EnumOf<PrxSign>,
    /// Reserved, must be zero.
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

/// What a field is.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxFieldInfo {
    /// Where its nodes are.
    pub grid: PrxGrid,
    /// What is stored.
    pub storage: EnumOf<PrxStorage>,
    /// The bits of a stored number.
    pub precision: EnumOf<PrxPrecision>,
    /// How inside and outside were told apart.
    pub sign: EnumOf<PrxSign>,
    /// Reserved.
    pub reserved: u32,
    /// Bound on |interpolated - exact| anywhere in the domain.
    pub error: f32,
    /// The largest slope of the interpolated distance; it may exceed 1.
    pub lipschitz: f32,
    /// Where distances saturate, or infinity.
    pub band: f32,
    /// Reserved.
    pub reserved2: f32,
    /// Bytes on the device.
    pub device_bytes: u64,
}

/// The shapes that have a closed-form distance, each around the origin.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
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
enumeration!(PrxShapeKind: Sphere, Box, Capsule, Torus, Plane);

/// A shape. Only the members that its kind names are read. Fill it by prx_shape_default.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxShape {
    /// Bytes of this struct.
    pub size: u32,
    /// Which shape it is.
    pub kind: EnumOf<PrxShapeKind>,
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

/// A def of 64 cells along the longest side, padded by a tenth, with 32-bit distances.
#[unsafe(no_mangle)]
pub extern "C" fn prx_field_def_default() -> PrxFieldDef {
    PrxFieldDef {
        size: size_of::<PrxFieldDef>() as u32,
        resolution: 64,
        cell_size: 0.0,
        padding: -1.0,
        storage: PrxStorage::Distance.into(),
        precision: PrxPrecision::F32.into(),
        sign: PrxSign::Auto.into(),
        reserved: 0,
        grid: std::ptr::null(),
    }
}

/// A unit sphere.
#[unsafe(no_mangle)]
pub extern "C" fn prx_shape_default() -> PrxShape {
    PrxShape {
        size: size_of::<PrxShape>() as u32,
        kind: PrxShapeKind::Sphere.into(),
        radius: 1.0,
        major_radius: 2.0,
        half_height: 1.0,
        half_size: [1.0; 3],
    }
}

/// Starts baking the signed distance field of a mesh as it is now. Returns at once; the field can be used when
/// prx_field_wait succeeds. The values at nodes are exact Euclidean distances. A mesh that encloses nothing fails there.
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
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_field, "out_field", |context| {
            Ok(PrxField {
                id: context.bake_field(mesh.id, read_request(def)?)?,
            })
        })
    }
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
/// status and message.
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
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_info, "out_info", |context| {
            let field = context.field(field.id)?;
            Ok(describe(&field.data, field.texture.bytes()))
        })
    }
}

/// Makes a field from signed distances at the nodes of a grid, x fastest, and, if `directions` is not null, unit vectors
/// towards the closest point. `error` bounds |interpolated - exact|; negative when the samples are exact distances, for the
/// bound that then holds anywhere.
///
/// # Safety
/// `grid` is valid; `distances` has a float per node, `directions` is null or has three; `out_field` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_from_samples(
    context: *mut PrxContext,
    grid: *const PrxGrid,
    distances: *const f32,
    directions: *const f32,
    error: f32,
    precision: EnumOf<PrxPrecision>,
    out_field: *mut PrxField,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_field, "out_field", |context| {
            if grid.is_null() {
                return Err(invalid("grid is null"));
            }
            let grid = read_grid(&grid.read_unaligned())?;
            let nodes = grid.len() as u64;
            let distances = read_long_array(distances, nodes, "distances")?;
            let directions = match directions.is_null() {
                true => None,
                false => Some(read_long_array(
                    directions.cast::<Vec3>(),
                    nodes,
                    "directions",
                )?),
            };
            if !error.is_finite() {
                return Err(invalid(format!(
                    "error is {error}; pass a finite bound, or a negative number for exact samples"
                )));
            }
            let error = (error >= 0.0).then_some(error);
            let data = FieldData::given(grid, distances, directions, error)?;
            let data = data.in_precision(read_precision(precision)?)?;
            Ok(PrxField {
                id: context.add_field(data)?,
            })
        })
    }
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
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_field, "out_field", |context| {
            let shape = read_shape(&read_def(shape)?)?;
            let data = read_layout(&read_def_or(def, prx_field_def_default)?)?.of_shape(&shape)?;
            Ok(PrxField {
                id: context.add_field(data)?,
            })
        })
    }
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
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_field, "out_field", |context| {
            Ok(PrxField {
                id: context.create_live_field(mesh.id, read_request(def)?, band)?,
            })
        })
    }
}

/// Records that a live field is baked anew from its mesh's positions; queries recorded after it see the new field.
#[unsafe(no_mangle)]
pub extern "C" fn prx_batch_rebake(batch: *mut PrxBatch, field: PrxField) -> PrxStatus {
    on_batch(batch, |context, batch| {
        let (field, band) = context.live_field(field.id)?;
        batch.add(RebakeQuery::plan(field, band)).map(drop)
    })
}

/// A field and a mesh, each with its pose.
///
/// # Safety
/// Each pose is null or valid.
pub(super) unsafe fn read_meeting(
    context: &Context,
    (field, field_pose): (PrxField, *const PrxPose),
    (mesh, mesh_pose): (PrxMesh, *const PrxPose),
) -> Result<Meeting> {
    // SAFETY: by the caller's promise.
    let (field_pose, mesh_pose) = unsafe { (read_pose(field_pose), read_pose(mesh_pose)) };
    context.meeting((field.id, field_pose), (mesh.id, mesh_pose))
}

/// # Safety
/// `def` is null or valid, and so is its `grid`.
unsafe fn read_request(def: *const PrxFieldDef) -> Result<BakeRequest> {
    // SAFETY: by the caller's promise.
    let def = unsafe { read_def_or(def, prx_field_def_default) }?;
    let signing = match def.sign.read("sign")? {
        PrxSign::Auto => Signing::Auto,
        PrxSign::Pseudonormal => Signing::Pseudonormals,
        PrxSign::Winding => Signing::WindingNumbers,
        PrxSign::Given => {
            return Err(invalid(
                "sign is PRX_SIGN_GIVEN, which is for samples; it must be PRX_SIGN_AUTO, _PSEUDONORMAL or _WINDING",
            ));
        }
    };
    Ok(BakeRequest {
        signing,
        // SAFETY: by the caller's promise.
        ..unsafe { read_layout(&def) }?
    })
}

/// All but the sign.
///
/// # Safety
/// The def's `grid` is null or valid.
unsafe fn read_layout(def: &PrxFieldDef) -> Result<BakeRequest> {
    let storage = match def.storage.read("storage")? {
        PrxStorage::Distance => Storage::Distance,
        PrxStorage::Direction => Storage::Direction,
        PrxStorage::Sparse => Storage::Sparse,
    };
    let placement = if def.grid.is_null() {
        let resolution = match def.resolution {
            0 => Resolution::CellSize(def.cell_size),
            cells => Resolution::Cells(cells),
        };
        let padding = (def.padding >= 0.0 || def.padding.is_nan()).then_some(def.padding);
        GridPlacement::Around {
            resolution,
            padding,
        }
    } else {
        // SAFETY: by the caller's promise.
        GridPlacement::Given(read_grid(&unsafe { def.grid.read_unaligned() })?)
    };
    Ok(BakeRequest {
        placement,
        storage,
        precision: read_precision(def.precision)?,
        signing: Signing::Auto,
    })
}

fn read_precision(precision: EnumOf<PrxPrecision>) -> Result<Precision> {
    Ok(match precision.read("precision")? {
        PrxPrecision::F32 => Precision::Single,
        PrxPrecision::F16 => Precision::Half,
    })
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
    let shape = match shape.kind.read("kind")? {
        PrxShapeKind::Sphere => Shape::Sphere { radius },
        PrxShapeKind::Box => Shape::Box { half_size },
        PrxShapeKind::Capsule => Shape::Capsule {
            radius,
            half_height: shape.half_height.into(),
        },
        PrxShapeKind::Torus => Shape::Torus {
            major: shape.major_radius.into(),
            minor: radius,
        },
        PrxShapeKind::Plane => Shape::Plane {
            half_domain: half_size,
        },
    };
    shape.validate()?;
    Ok(shape)
}

fn describe(data: &FieldData, device_bytes: u64) -> PrxFieldInfo {
    PrxFieldInfo {
        grid: PrxGrid {
            origin: data.grid.origin.to_array(),
            cell_size: data.grid.spacing,
            nodes: data.grid.nodes.to_array(),
            reserved: 0,
        },
        storage: match data.storage() {
            Storage::Distance => PrxStorage::Distance,
            Storage::Direction => PrxStorage::Direction,
            Storage::Sparse => PrxStorage::Sparse,
        }
        .into(),
        precision: match data.precision {
            Precision::Single => PrxPrecision::F32,
            Precision::Half => PrxPrecision::F16,
        }
        .into(),
        sign: match data.sign {
            Sign::Pseudonormal => PrxSign::Pseudonormal,
            Sign::Winding => PrxSign::Winding,
            Sign::Given => PrxSign::Given,
        }
        .into(),
        reserved: 0,
        error: data.error(),
        lipschitz: data.lipschitz,
        band: data.band,
        reserved2: 0.0,
        device_bytes,
    }
}
