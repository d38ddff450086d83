//! Hierarchies of the caller's choice
//!
//! The exact queries keep hierarchies of their own, which are faster; these have volumes, arity and update of the caller's choice.

use crate::context::comparators::hierarchies::{Arity, HierarchyOptions, TreeKind, Updated};
use crate::error::{Result, invalid};
use crate::ffi::asking::{List, Out, ask_context, list_context};
use crate::ffi::boundary::{Sized32, on_context, read_array, read_def_or, read_long_array};
use crate::ffi::enumeration::{EnumOf, enumeration};
use crate::ffi::exact::PrxTrianglePair;
use crate::ffi::handles::PrxContext;
use crate::ffi::mesh::{PrxMesh, PrxPose, read_pose};
use crate::ffi::status::PrxStatus;
use crate::geometry::comparators::tree::Update;
use crate::memory;
use glam::Vec3;

/// Names a hierarchy. Zero is null; the id of a destroyed hierarchy is refused.
///
/// Threads: calls may come from any thread; calls on one hierarchy take turns.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxHierarchy {
    /// The id; zero is null.
    pub id: u64,
}

/// What bounds the triangles of a node.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxBoundingVolume {
    /// Boxes along the axes.
    Box = 0,
    /// Polytopes of 18 sides.
    Dop18 = 1,
}
enumeration!(PrxBoundingVolume: Box, Dop18);

/// How a hierarchy follows its mesh.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxRefitOrder {
    /// All volumes at once, from the leaves to the root.
    BottomUp = 0,
    /// Each volume when a query comes to it.
    TopDown = 1,
    /// The upper half of the levels at once, the others when a query comes to them.
    Hybrid = 2,
}
enumeration!(PrxRefitOrder: BottomUp, TopDown, Hybrid);

/// What an update did.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxHierarchyChange {
    /// Nothing: the margin covers all motion.
    Nothing = 0,
    /// Volumes were fitted, or marked to be.
    Refitted = 1,
    /// The hierarchy was built anew; morph targets and displacement fields are forgotten.
    Rebuilt = 2,
}
enumeration!(PrxHierarchyChange: Nothing, Refitted, Rebuilt);

/// How to build a hierarchy. Fill it by prx_hierarchy_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxHierarchyDef {
    /// Bytes of this struct.
    pub size: u32,
    /// What bounds the triangles of a node.
    pub volume: EnumOf<PrxBoundingVolume>,
    /// Children of a node: 2, 4 or 8.
    pub arity: u32,
    /// How the hierarchy follows its mesh.
    pub update: EnumOf<PrxRefitOrder>,
    /// By how much volumes are larger than they must be, in mesh units: while no vertex moves farther, an update costs nothing.
    pub margin: f32,
    /// A bottom-up update builds the hierarchy anew when its volumes have grown by this factor. Infinity for never.
    pub rebuild_above: f32,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxHierarchyDef {
    const NAME: &'static str = "PrxHierarchyDef";
    const FILLED_BY: &'static str = "hierarchy_def_default";
}

/// A def for boxes, eight children, bottom-up, built anew when the boxes have doubled.
#[unsafe(no_mangle)]
pub extern "C" fn prx_hierarchy_def_default() -> PrxHierarchyDef {
    PrxHierarchyDef {
        size: size_of::<PrxHierarchyDef>() as u32,
        volume: PrxBoundingVolume::Box.into(),
        arity: 8,
        update: PrxRefitOrder::BottomUp.into(),
        margin: 0.0,
        rebuild_above: 2.0,
    }
}

/// Builds a hierarchy over a mesh as it is now. `def` may be null for the default. The mesh is kept.
///
/// # Safety
/// `def` is null or valid; `out_hierarchy` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_hierarchy_create(
    context: *mut PrxContext,
    mesh: PrxMesh,
    def: *const PrxHierarchyDef,
    out_hierarchy: *mut PrxHierarchy,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_hierarchy, "out_hierarchy", |context| {
            let def = read_def_or(def, prx_hierarchy_def_default)?;
            let id = context.create_hierarchy(mesh.id, read_choice(&def)?)?;
            Ok(PrxHierarchy { id })
        })
    }
}

/// Destroys a hierarchy; its mesh stays.
#[unsafe(no_mangle)]
pub extern "C" fn prx_hierarchy_destroy(
    context: *mut PrxContext,
    hierarchy: PrxHierarchy,
) -> PrxStatus {
    on_context(context, |context| context.destroy_hierarchy(hierarchy.id))
}

/// Follows the mesh to where it is now. `out_updated` may be null.
///
/// # Safety
/// `out_updated` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_hierarchy_update(
    context: *mut PrxContext,
    hierarchy: PrxHierarchy,
    out_updated: *mut EnumOf<PrxHierarchyChange>,
) -> PrxStatus {
    on_context(context, |context| {
        let updated = match context.update_hierarchy(hierarchy.id)? {
            Updated::Nothing => PrxHierarchyChange::Nothing,
            Updated::Refitted => PrxHierarchyChange::Refitted,
            Updated::Rebuilt => PrxHierarchyChange::Rebuilt,
        };
        if let Some(out) = Out::optional(out_updated) {
            // SAFETY: by the caller's promise.
            unsafe { out.write(updated.into()) };
        }
        Ok(())
    })
}

/// Fits the hierarchy to morph targets: meshes with the same triangles, as they are now.
///
/// # Safety
/// `targets` has `count` meshes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_hierarchy_set_targets(
    context: *mut PrxContext,
    hierarchy: PrxHierarchy,
    targets: *const PrxMesh,
    count: u32,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let targets = unsafe { read_array(targets, count.into(), "targets") }?;
        let ids = memory::collect(targets.iter().map(|mesh| mesh.id), "targets")?;
        context.set_targets(hierarchy.id, &ids)
    })
}

/// Takes the volumes of a blend of the morph targets, without a look at any vertex: one weight per target, none negative, with
/// sum 1. Each is computed when a query comes to its node. The mesh must have been updated to that blend.
///
/// # Safety
/// `weights` has `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_hierarchy_blend(
    context: *mut PrxContext,
    hierarchy: PrxHierarchy,
    weights: *const f32,
    count: u32,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let weights = unsafe { read_array(weights, count.into(), "weights") }?;
        context.blend_hierarchy(hierarchy.id, &weights)
    })
}

/// Tells a hierarchy the displacement fields of its mesh, which is at rest now: `count` fields one after the other,
/// each with three floats per vertex.
///
/// # Safety
/// `displacements` has `count` times the mesh's vertices times three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_hierarchy_set_displacements(
    context: *mut PrxContext,
    hierarchy: PrxHierarchy,
    displacements: *const f32,
    count: u32,
) -> PrxStatus {
    on_context(context, |context| {
        let vertices = context.hierarchy_vertices(hierarchy.id)?;
        let all = count.checked_mul(vertices).ok_or_else(|| {
            invalid(format!(
                "{count} fields of {vertices} displacements are too many"
            ))
        })?;
        // SAFETY: by the caller's promise.
        let places = unsafe {
            read_long_array(
                displacements.cast::<[f32; 3]>(),
                all.into(),
                "displacements",
            )
        }?;
        let places = memory::collect(places.into_iter().map(Vec3::from), "displacements")?;
        let fields = places.chunks(vertices.max(1) as usize);
        let fields = memory::collect(fields, "displacement fields")?;
        context.set_displacements(hierarchy.id, &fields)
    })
}

/// Takes the volumes of the mesh at rest plus each displacement field times its amplitude, without a look at any vertex: each is computed when a
/// query comes to its node. The mesh must have been updated to that.
///
/// # Safety
/// `amplitudes` has `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_hierarchy_deform(
    context: *mut PrxContext,
    hierarchy: PrxHierarchy,
    amplitudes: *const f32,
    count: u32,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let amplitudes = unsafe { read_array(amplitudes, count.into(), "amplitudes") }?;
        context.deform_hierarchy(hierarchy.id, &amplitudes)
    })
}

/// All intersecting triangle pairs of two hierarchies of the same volume and arity where they stand, ascending; the same as prx_mesh_pairs gives at
/// distance 0. It runs on all threads of the context. Poses may be null. `first` is the triangle of `a`, `second` that of `b`.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// Each pose is null or valid; `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_hierarchy_pairs(
    context: *mut PrxContext,
    a: PrxHierarchy,
    pose_a: *const PrxPose,
    b: PrxHierarchy,
    pose_b: *const PrxPose,
    out: *mut PrxTrianglePair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, pairs, |context| {
            let (pose_a, pose_b) = (read_pose(pose_a), read_pose(pose_b));
            context.hierarchy_pairs((a.id, pose_a), (b.id, pose_b), capacity)
        })
    }
}

fn read_choice(def: &PrxHierarchyDef) -> Result<HierarchyOptions> {
    let arity = match def.arity {
        2 => Arity::Two,
        4 => Arity::Four,
        8 => Arity::Eight,
        n => return Err(invalid(format!("arity is {n}; it is 2, 4 or 8"))),
    };
    let kind = match def.volume.read("volume")? {
        PrxBoundingVolume::Box => TreeKind::Boxes(arity),
        PrxBoundingVolume::Dop18 => TreeKind::Dops(arity),
    };
    let update = match def.update.read("update")? {
        PrxRefitOrder::BottomUp => Update::BottomUp,
        PrxRefitOrder::TopDown => Update::TopDown,
        PrxRefitOrder::Hybrid => Update::Hybrid,
    };
    Ok(HierarchyOptions {
        kind,
        update,
        margin: def.margin,
        rebuild_above: f64::from(def.rebuild_above),
    })
}
