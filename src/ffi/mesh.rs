//! Meshes and poses
//!
//! A mesh is an array of positions and one of triangles, copied at the call, or positions in a VkBuffer of the engine's that are read
//! in place. It need not be closed or manifold; each query says what it asks for, and prx_mesh_facts says what a mesh is. The library
//! reads no mesh files.

use super::asking::{self, List, ask_context, list_context};
use super::boundary::{
    Sized32, on_context, optional_text, read_def, read_long_array, read_positions,
    read_positions_f64,
};
use super::enumeration::{EnumOf, enumeration};
use super::handles::PrxContext;
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::{Result, invalid};
use crate::geometry::positions::SharedPositions;
use crate::geometry::topology::{Facts, Vertices};
use crate::gpu::recorder::ForeignBuffer;
use crate::memory;
use crate::query::bounds::{Bounds, BoundsQuery};
use crate::scene::mesh::{EnginePositions, Mesh, MeshInput};
use crate::scene::pose::Pose;
use glam::{Quat, Vec3};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// Names a mesh. Zero is null; the id of a destroyed mesh is refused.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxMesh {
    /// The id; zero is null.
    pub id: u64,
}

/// How indices are stored.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxIndexType {
    /// 16 bits each.
    U16 = 0,
    /// 32 bits each.
    U32 = 1,
}
enumeration!(PrxIndexType: U16, U32);

/// How positions are stored.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxPositionFormat {
    /// Three floats each.
    F32 = 0,
    /// Three doubles each. Exact queries decide on them; queries of the device take them rounded to floats, and their intervals have room
    /// for it. A coordinate of less than 1e-28 counts as 0.
    F64 = 1,
}
enumeration!(PrxPositionFormat: F32, F64);

/// The positions may change: prx_mesh_update is allowed, and an engine's buffer is read anew by every batch.
pub const PRX_MESH_DEFORMING: u32 = 1;

/// A mesh to create. Fill it by prx_mesh_def_default. Everything is copied at the call, except the engine's buffer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxMeshDef {
    /// Bytes of this struct.
    pub size: u32,
    /// PRX_MESH_DEFORMING or 0.
    pub flags: u32,
    /// A name for messages, or null.
    pub label: *const c_char,
    /// The number of vertices. Bounds cover all of them, also those that no triangle uses.
    pub vertex_count: u32,
    /// The number of triangles, at least 1.
    pub triangle_count: u32,
    /// Three floats per vertex, or doubles by `position_format`, in mesh units, each at most 1e15. With `vk_buffer` it is the rest shape
    /// from which triangles are clustered, and may be null.
    pub positions: *const c_void,
    /// Bytes from one position to the next, at least 12, or 24 of doubles.
    pub position_stride: u64,
    /// Three indices per triangle, counter-clockwise seen from outside.
    pub indices: *const c_void,
    /// How wide the indices are.
    pub index_type: EnumOf<PrxIndexType>,
    /// What `positions` are made of. An engine's buffer has floats, so with `vk_buffer` it must be floats here too.
    pub position_format: EnumOf<PrxPositionFormat>,
    /// The engine's VkBuffer with the positions, or 0. It needs VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, is read in place, and
    /// outlives the mesh. Writes that the engine submitted to the adopted queue before are seen without a barrier. Writes of another
    /// queue are seen if prx_batch_submit waits for a semaphore that follows them; a buffer that queues of other families
    /// write is created with VK_SHARING_MODE_CONCURRENT, or its ownership is transferred to the adopted queue's family
    /// (released there, acquired here) before the submission, and back before it is written again.
    pub vk_buffer: u64,
    /// Bytes before the first position in `vk_buffer`, a multiple of 4.
    pub vk_buffer_offset: u64,
    /// Bytes from one position to the next in `vk_buffer`, a multiple of 4, at least 12.
    pub vk_buffer_stride: u64,
}

// SAFETY: repr(C), size first, integers and pointers only.
unsafe impl Sized32 for PrxMeshDef {
    const NAME: &'static str = "PrxMeshDef";
    const FILLED_BY: &'static str = "mesh_def_default";
}

/// Where a body is and how it moves. World = rotation * local + position.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxPose {
    /// The local origin in the world.
    pub position: [f32; 3],
    /// A unit quaternion: x, y, z, w.
    pub rotation: [f32; 4],
    /// Velocity of the local origin, world axes, mesh units per second.
    pub linear_velocity: [f32; 3],
    /// Angular velocity, world axes, radians per second.
    pub angular_velocity: [f32; 3],
}

/// An axis-aligned box in the world.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxBounds {
    /// Lower corner.
    pub min: [f32; 3],
    /// Upper corner.
    pub max: [f32; 3],
}

/// How the facts of a mesh identify vertices.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxVertices {
    /// By index.
    Indexed = 0,
    /// By exactly equal position too, for meshes with split vertices.
    Welded = 1,
}
enumeration!(PrxVertices: Indexed, Welded);

/// What can be said about a mesh before any query.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxMeshFacts {
    /// All vertices.
    pub vertex_count: u32,
    /// All triangles.
    pub triangle_count: u32,
    /// Distinct vertices that some triangle uses; one with a repeated vertex does not count.
    pub used_vertex_count: u32,
    /// Triangles with a repeated vertex or with three corners on a line, decided exactly.
    pub degenerate_triangle_count: u32,
    /// Edges with one triangle.
    pub border_edge_count: u32,
    /// Edges with three or more triangles.
    pub non_manifold_edge_count: u32,
    /// Vertices whose triangles do not form a single fan.
    pub non_manifold_vertex_count: u32,
    /// Triangle clusters.
    pub cluster_count: u32,
    /// 1 when every edge has an even number of triangles.
    pub closed: u32,
    /// 1 when each edge has at most two triangles and each vertex a single fan.
    pub manifold: u32,
    /// 1 when neighbours run along their common edge in opposite directions.
    pub oriented: u32,
    /// Reserved.
    pub reserved: u32,
    /// The box of all triangles, in the mesh's own frame.
    pub bounds: PrxBounds,
    /// Sum of the triangles' areas.
    pub area: f64,
    /// Signed volume; positive when triangles face outwards. Meaningful when closed and oriented.
    pub volume: f64,
    /// The centre of mass at constant density, in the mesh's own frame. Zero unless the mesh is closed and oriented with a volume.
    pub center_of_mass: [f64; 3],
    /// The inertia tensor about the centre of mass for a density of 1, along the axes of the mesh's frame; it has the sign of
    /// `volume`. A body of mass m has m / volume times as much. Zero where there is no centre of mass.
    pub inertia: [[f64; 3]; 3],
}

/// A def of a static mesh with packed positions and 32-bit indices, and nothing in it yet.
#[unsafe(no_mangle)]
pub extern "C" fn prx_mesh_def_default() -> PrxMeshDef {
    PrxMeshDef {
        size: size_of::<PrxMeshDef>() as u32,
        flags: 0,
        label: std::ptr::null(),
        vertex_count: 0,
        triangle_count: 0,
        positions: std::ptr::null(),
        position_stride: 12,
        indices: std::ptr::null(),
        index_type: PrxIndexType::U32.into(),
        position_format: PrxPositionFormat::F32.into(),
        vk_buffer: 0,
        vk_buffer_offset: 0,
        vk_buffer_stride: 12,
    }
}

/// The pose of a body at rest at the origin.
#[unsafe(no_mangle)]
pub extern "C" fn prx_pose_identity() -> PrxPose {
    PrxPose {
        position: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        linear_velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
    }
}

/// Creates a mesh. An index out of range, a position that is not finite and a mesh too large for the device are reported.
///
/// # Safety
/// `def` is valid with valid pointers in it; `out_mesh` is writable. With `vk_buffer`, the buffer is of this context's
/// device, has storage usage and holds the positions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_create(
    context: *mut PrxContext,
    def: *const PrxMeshDef,
    out_mesh: *mut PrxMesh,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_mesh, "out_mesh", |context| {
            let def = read_def(def)?;
            let limit = context.device().max_storage_bytes() / 12;
            let input = read_mesh(&def, limit)?;
            Ok(PrxMesh {
                id: context.create_mesh(input)?,
            })
        })
    }
}

/// Destroys a mesh. Batches in flight keep it until they are done.
#[unsafe(no_mangle)]
pub extern "C" fn prx_mesh_destroy(context: *mut PrxContext, mesh: PrxMesh) -> PrxStatus {
    on_context(context, |context| context.destroy_mesh(mesh.id))
}

/// Replaces the positions of `count` vertices from `first` on. They are copied at the call and reach the device with the
/// next submission, so batches in flight still see the old ones. `stride` is in bytes, at least 12.
///
/// # Safety
/// `positions` points to `count` positions, `stride` bytes apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_update(
    context: *mut PrxContext,
    mesh: PrxMesh,
    first: u32,
    count: u32,
    positions: *const c_void,
    stride: u64,
) -> PrxStatus {
    on_context(context, |context| {
        check_span(context, mesh, first, count)?;
        // SAFETY: by the caller's promise; the count is bounded by the mesh's.
        let positions = unsafe { read_positions(positions, stride, count, "positions") }?;
        context.update_mesh(mesh.id, first, &positions)
    })
}

/// The same with three doubles per vertex; `stride` is at least 24. A mesh that was made of floats refuses them with
/// PRX_STATUS_WRONG_STATE, because it would have to round them. (A mesh of doubles takes floats by prx_mesh_update too: they are doubles.)
///
/// # Safety
/// `positions` points to `count` positions, `stride` bytes apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_update_f64(
    context: *mut PrxContext,
    mesh: PrxMesh,
    first: u32,
    count: u32,
    positions: *const c_void,
    stride: u64,
) -> PrxStatus {
    on_context(context, |context| {
        check_span(context, mesh, first, count)?;
        // SAFETY: by the caller's promise; the count is bounded by the mesh's.
        let positions = unsafe { read_positions_f64(positions, stride, count, "positions") }?;
        context.update_mesh_f64(mesh.id, first, &positions)
    })
}

/// Refuses vertices that a mesh does not have.
fn check_span(context: &Context, mesh: PrxMesh, first: u32, count: u32) -> Result<()> {
    let vertices = context.mesh(mesh.id)?.vertices;
    if u64::from(first) + u64::from(count) > u64::from(vertices) {
        return Err(invalid(format!(
            "{count} vertices from {first} on do not fit: the mesh has {vertices}"
        )));
    }
    Ok(())
}

/// Gives a mesh other triangles and positions, as many as `def` says, under the same id, so that a body may break between two frames.
/// Everything of `def` is as for prx_mesh_create. Clusters are made at the call, hierarchy and adjacency when they are first asked for.
///
/// Objects of scenes have the new triangles at once. Queries that were recorded before keep the old ones, also when their batch is submitted
/// again. Fields that were baked stay as they are. A live field, a tracker and a hierarchy of the mesh, and a scene with a body of it, are
/// refused with PRX_STATUS_WRONG_STATE from then on, because they know the old triangles by number: make them anew, and give the body its
/// mesh again by prx_scene_set_body.
///
/// # Safety
/// As prx_mesh_create.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_replace(
    context: *mut PrxContext,
    mesh: PrxMesh,
    def: *const PrxMeshDef,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let input = unsafe {
            let def = read_def(def)?;
            read_mesh(&def, context.device().max_storage_bytes() / 12)?
        };
        context.replace_mesh(mesh.id, input)
    })
}

/// Facts about a mesh as it is now; `vertices` says which vertices count as one. Positions in an engine's buffer are read back for it,
/// so the buffer must hold them.
///
/// # Safety
/// `out_facts` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_facts(
    context: *mut PrxContext,
    mesh: PrxMesh,
    vertices: EnumOf<PrxVertices>,
    out_facts: *mut PrxMeshFacts,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_facts, "out_facts", |context| {
            let identify = match vertices.read("vertices")? {
                PrxVertices::Indexed => Vertices::AsIndexed,
                PrxVertices::Welded => Vertices::Welded,
            };
            let facts = context.mesh_facts(mesh.id, identify)?;
            let mesh = context.mesh(mesh.id)?;
            Ok(describe(&facts, mesh.vertices, mesh.clusters.len() as u32))
        })
    }
}

/// The box of a mesh under a pose, now: a batch of one. `pose` may be null for the identity. The box contains the exact
/// position of every vertex; under the identity it is the exact box.
///
/// # Safety
/// `pose` is null or valid; `out_bounds` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_bounds(
    context: *mut PrxContext,
    mesh: PrxMesh,
    pose: *const PrxPose,
    out_bounds: *mut PrxBounds,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_now(context, out_bounds, "out_bounds", |context| {
            let (mesh, pose) = read_placed(context, mesh, pose)?;
            BoundsQuery::plan(mesh, pose)
        })
    }
}

/// The triangles of a mesh in cluster order: cluster i has PrxCluster.count of them from PrxCluster.first on.
/// `*out_count` gets the number of triangles, also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` numbers; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_cluster_triangles(
    context: *mut PrxContext,
    mesh: PrxMesh,
    out: *mut u32,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let triangles = List::new(out, capacity, out_count, "cluster triangles");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, triangles, |context| {
            let mesh = context.mesh(mesh.id)?;
            memory::copy(&mesh.clusters.order, "cluster triangles")
        })
    }
}

/// # Safety
/// `pose` is null or valid.
pub(super) unsafe fn read_pose(pose: *const PrxPose) -> Pose {
    if pose.is_null() {
        return Pose::default();
    }
    // SAFETY: by the caller's promise.
    unsafe { pose.read_unaligned() }.into()
}

/// A mesh and where it is.
///
/// # Safety
/// `pose` is null or valid.
pub(super) unsafe fn read_placed(
    context: &Context,
    mesh: PrxMesh,
    pose: *const PrxPose,
) -> Result<(Arc<Mesh>, Pose)> {
    // SAFETY: by the caller's promise.
    Ok((context.mesh(mesh.id)?, unsafe { read_pose(pose) }))
}

impl From<PrxPose> for Pose {
    #[inline]
    fn from(pose: PrxPose) -> Self {
        Self {
            position: Vec3::from_array(pose.position),
            rotation: Quat::from_array(pose.rotation),
            linear_velocity: Vec3::from_array(pose.linear_velocity),
            angular_velocity: Vec3::from_array(pose.angular_velocity),
        }
    }
}

impl From<Bounds> for PrxBounds {
    fn from(bounds: Bounds) -> Self {
        Self {
            min: bounds.min.to_array(),
            max: bounds.max.to_array(),
        }
    }
}

/// # Safety
/// As [`prx_mesh_create`]. `limit` bounds vertices and triangles before anything is read.
unsafe fn read_mesh(def: &PrxMeshDef, limit: u64) -> Result<MeshInput> {
    for (name, count) in [
        ("vertex_count", def.vertex_count),
        ("triangle_count", def.triangle_count),
    ] {
        if u64::from(count) > limit {
            return Err(crate::error::Error::Unsupported(format!(
                "{name} is {count}; this device takes at most {limit} in one mesh: split it"
            )));
        }
    }
    if def.flags & !PRX_MESH_DEFORMING != 0 {
        return Err(invalid(format!("flags {:#x} has unknown bits", def.flags)));
    }
    let engine = match def.vk_buffer {
        0 => None,
        handle => Some(read_engine_positions(def, handle)?),
    };
    let format = def.position_format.read("position_format")?;
    if engine.is_some() && matches!(format, PrxPositionFormat::F64) {
        return Err(invalid(
            "position_format is PRX_POSITION_FORMAT_F64, but positions in vk_buffer are floats",
        ));
    }
    let (positions, stride, count) = (def.positions, def.position_stride, def.vertex_count);
    // SAFETY: by the caller's promise.
    unsafe {
        let positions = match format {
            _ if positions.is_null() && engine.is_some() => None,
            PrxPositionFormat::F32 => {
                Some(read_positions(positions, stride, count, "positions")?.into())
            }
            PrxPositionFormat::F64 => {
                let doubles = read_positions_f64(positions, stride, count, "positions")?;
                Some(SharedPositions::of_doubles(doubles)?)
            }
        };
        Ok(MeshInput {
            label: optional_text(def.label).unwrap_or_else(|| "mesh".into()),
            triangles: read_indices(def)?,
            vertices: def.vertex_count,
            positions,
            engine,
            deforming: def.flags & PRX_MESH_DEFORMING != 0,
        })
    }
}

fn read_engine_positions(def: &PrxMeshDef, handle: u64) -> Result<EnginePositions> {
    let (offset, stride) = (def.vk_buffer_offset, def.vk_buffer_stride);
    if stride < 12 || stride % 4 != 0 || stride > u64::from(u32::MAX) {
        return Err(invalid(format!(
            "vk_buffer_stride is {stride}; it must be a multiple of 4 and at least 12"
        )));
    }
    if offset % 4 != 0 {
        return Err(invalid(format!(
            "vk_buffer_offset is {offset}; it must be a multiple of 4"
        )));
    }
    Ok(EnginePositions {
        buffer: ForeignBuffer::from_handle(handle),
        offset,
        stride,
    })
}

/// # Safety
/// As [`prx_mesh_create`].
unsafe fn read_indices(def: &PrxMeshDef) -> Result<Vec<[u32; 3]>> {
    let count = def.triangle_count.into();
    // SAFETY: by the caller's promise three indices per triangle are there.
    unsafe {
        match def.index_type.read("index_type")? {
            PrxIndexType::U16 => {
                let narrow = read_long_array(def.indices.cast::<[u16; 3]>(), count, "indices")?;
                memory::collect(narrow.into_iter().map(|t| t.map(u32::from)), "indices")
            }
            PrxIndexType::U32 => read_long_array(def.indices.cast::<[u32; 3]>(), count, "indices"),
        }
    }
}

fn describe(facts: &Facts, vertices: u32, clusters: u32) -> PrxMeshFacts {
    PrxMeshFacts {
        vertex_count: vertices,
        triangle_count: facts.triangles,
        used_vertex_count: facts.used_vertices,
        degenerate_triangle_count: facts.degenerate_triangles,
        border_edge_count: facts.border_edges,
        non_manifold_edge_count: facts.non_manifold_edges,
        non_manifold_vertex_count: facts.non_manifold_vertices,
        cluster_count: clusters,
        closed: facts.closed.into(),
        manifold: facts.is_manifold().into(),
        oriented: facts.oriented.into(),
        reserved: 0,
        bounds: PrxBounds {
            min: facts.bounds.min.to_array(),
            max: facts.bounds.max.to_array(),
        },
        area: facts.area,
        volume: facts.volume,
        center_of_mass: facts.centre_of_mass.to_array(),
        inertia: facts.inertia.to_cols_array_2d(),
    }
}
