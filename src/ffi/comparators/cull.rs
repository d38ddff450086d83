//! Pairs by a chosen way of culling
//!
//! The same pairs as prx_mesh_pairs finds, and a scene's colliding objects, with a choice of how other pairs are culled. The default def
//! takes the way that the exact queries take, so prx_scene_colliding is for every user of scenes.

use crate::context::Context;
use crate::context::comparators::culling::{CullMethod, Culling};
use crate::error::{Result, invalid};
use crate::ffi::asking::{List, Out};
use crate::ffi::boundary::{Sized32, on_context, read_def_or};
use crate::ffi::enumeration::{EnumOf, enumeration};
use crate::ffi::exact::PrxPair;
use crate::ffi::handles::PrxContext;
use crate::ffi::mesh::{PrxMesh, PrxPose, read_pose};
use crate::ffi::scene::{PrxObjectPair, PrxScene, PrxScenePair};
use crate::ffi::status::PrxStatus;
use crate::gpu::attachment::Format;
use crate::query::cull::Stats;
use crate::query::visibility::{CullPath, Screen};

/// How pairs that cannot intersect are culled. The answer is the same, except with PRX_CULL_PATH_UNFATTENED.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxCullMethod {
    /// The fastest on this device.
    Auto = 0,
    /// Bounding-volume hierarchies on the CPU.
    Hierarchy = 1,
    /// What is visible among the others, on the device (FAR; Govindaraju, Lin and Manocha 2004).
    Visibility = 2,
    /// Nothing is culled: every pair is tested. For comparison.
    None = 3,
}
enumeration!(PrxCullMethod: Auto, Hierarchy, Visibility, None);

/// How visibility draws triangles.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxCullPath {
    /// Fattened to oriented boxes. Misses nothing.
    Boxes = 0,
    /// As rectangles on the screen, by VK_EXT_conservative_rasterization where the device has it. Misses nothing.
    Conservative = 1,
    /// As they are (CULLIDE 2003). Misses collisions: for comparison only.
    Unfattened = 2,
    /// As the exact offset: balls, cylinders and two shifted triangles, found in every pixel. Misses nothing, and rules out most.
    ExactOffset = 3,
    /// As the bounded offset: a box along each edge and two shifted triangles, found in every pixel. Misses nothing.
    BoundedOffset = 4,
}
enumeration!(PrxCullPath: Boxes, Conservative, Unfattened, ExactOffset, BoundedOffset);

/// How visibility stores depths.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxDepthFormat {
    /// 16 bits, on every device.
    D16 = 0,
    /// 24 bits.
    D24 = 1,
    /// 32-bit floats, on every device.
    F32 = 2,
}
enumeration!(PrxDepthFormat: D16, D24, F32);

/// Look along the world's x axis.
pub const PRX_VIEW_X: u32 = 1;
/// Look along the world's y axis.
pub const PRX_VIEW_Y: u32 = 2;
/// Look along the world's z axis.
pub const PRX_VIEW_Z: u32 = 4;

/// How to cull. Fill it by prx_cull_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxCullDef {
    /// Bytes of this struct.
    pub size: u32,
    /// How pairs are culled.
    pub method: EnumOf<PrxCullMethod>,
    /// How triangles are drawn; for visibility, as all that follows.
    pub path: EnumOf<PrxCullPath>,
    /// How depths are stored.
    pub depth_format: EnumOf<PrxDepthFormat>,
    /// The axes to look along: PRX_VIEW_X, PRX_VIEW_Y and PRX_VIEW_Z, or some of them.
    pub views: u32,
    /// Pixels across, from 16 to 4096. More pixels cull more and cost more; the answer stays the same.
    pub width: u32,
    /// Pixels down, from 16 to 4096.
    pub height: u32,
    /// 1 where yes or no is enough: the search ends soon after the first pair, and the list has that pair or none. 0 for all.
    pub first_only: u32,
}

// SAFETY: repr(C), size first, integers only.
unsafe impl Sized32 for PrxCullDef {
    const NAME: &'static str = "PrxCullDef";
    const FILLED_BY: &'static str = "cull_def_default";
}

/// What was culled.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxCullStats {
    /// Pairs of objects whose boxes overlap: what sweep and prune alone would leave.
    pub box_pairs: u64,
    /// Pairs of objects whose triangles were compared.
    pub object_pairs: u64,
    /// Pairs of triangles that came to the exact test.
    pub candidates: u64,
    /// How much wider triangles were drawn, in mesh units: the p of FAR, section 3.3; 0 without visibility.
    pub fattening: f64,
}

/// A def for the fastest method; visibility by rectangles on 256 x 256 pixels of 32-bit floats along all three axes, which culls
/// nearly as much as more pixels do and costs a fraction.
#[unsafe(no_mangle)]
pub extern "C" fn prx_cull_def_default() -> PrxCullDef {
    PrxCullDef {
        size: size_of::<PrxCullDef>() as u32,
        method: PrxCullMethod::Auto.into(),
        path: PrxCullPath::Conservative.into(),
        depth_format: PrxDepthFormat::F32.into(),
        views: PRX_VIEW_X | PRX_VIEW_Y | PRX_VIEW_Z,
        width: 256,
        height: 256,
        first_only: 0,
    }
}

/// prx_mesh_pairs with a choice of how pairs are culled. `def` may be null for the default, `out_stats` when it is not needed.
///
/// With visibility no hierarchy is built, so a mesh that is new in every frame costs no more than one that stays. Neither mesh may be
/// updated by another thread meanwhile; PRX_STATUS_WRONG_STATE says that one was.
///
/// # Safety
/// Each pose is null or valid; `def` is null or valid; `out` has room for `capacity` pairs; `out_count` is writable;
/// `out_stats` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_pairs_culled(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    distance: f64,
    def: *const PrxCullDef,
    out: *mut PrxPair,
    capacity: u64,
    out_count: *mut u64,
    out_stats: *mut PrxCullStats,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe {
        list_with_stats(context, pairs, out_stats, |context| {
            let (a, b) = ((a.id, read_pose(pose_a)), (b.id, read_pose(pose_b)));
            context.culled_pairs(a, b, distance, read_culling(def)?, capacity)
        })
    }
}

/// All pairs of objects of a scene that are at most `distance` apart, decided exactly on their triangles; 0 for those that
/// share a point. Ascending by the places of the objects. `def` may be null for the default, `out_stats` when it is not needed.
///
/// With visibility it goes as in FAR, section 4.2: objects that are visible are dropped, sweep and prune pairs the others, their clusters
/// are dropped likewise, and the triangles that are left are compared exactly.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `def` is null or valid; `out` has room for `capacity` pairs; `out_count` is writable; `out_stats` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_colliding(
    context: *mut PrxContext,
    scene: PrxScene,
    distance: f64,
    def: *const PrxCullDef,
    out: *mut PrxObjectPair,
    capacity: u64,
    out_count: *mut u64,
    out_stats: *mut PrxCullStats,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe {
        list_with_stats(context, pairs, out_stats, |context| {
            context.colliding_objects(scene.id, distance, read_culling(def)?)
        })
    }
}

/// prx_scene_pairs with a choice of how pairs are culled: all pairs of triangles of two different objects that are at most `distance`
/// apart. `def` may be null for the default, `out_stats` when it is not needed.
///
/// With visibility it goes as in FAR, section 4.2, from objects to clusters to triangles in this one call, and no hierarchy is built on the
/// CPU: objects may break between two frames (prx_mesh_replace). None of the meshes may be updated by another thread meanwhile.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `def` is null or valid; `out` has room for `capacity` pairs; `out_count` is writable; `out_stats` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_pairs_culled(
    context: *mut PrxContext,
    scene: PrxScene,
    distance: f64,
    def: *const PrxCullDef,
    out: *mut PrxScenePair,
    capacity: u64,
    out_count: *mut u64,
    out_stats: *mut PrxCullStats,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe {
        list_with_stats(context, pairs, out_stats, |context| {
            context.culled_scene_pairs(scene.id, distance, read_culling(def)?, capacity)
        })
    }
}

/// Writes pairs and, once they are written, how they were found.
///
/// # Safety
/// As [`List::write`]; `out_stats` is null or writable.
unsafe fn list_with_stats<T, P: From<T> + Copy>(
    context: *const PrxContext,
    pairs: List<P>,
    out_stats: *mut PrxCullStats,
    work: impl FnOnce(&Context) -> Result<(Vec<T>, Stats)>,
) -> PrxStatus {
    on_context(context, |context| {
        pairs.check()?;
        let (found, stats) = work(context).map_or_else(
            |error| (Err(error), Stats::default()),
            |(found, stats)| (Ok(found), stats),
        );
        // SAFETY: by the caller's promise.
        unsafe {
            pairs.write(found)?;
            if let Some(out) = Out::optional(out_stats) {
                out.write(stats.into());
            }
        }
        Ok(())
    })
}

/// # Safety
/// `def` is null or valid.
unsafe fn read_culling(def: *const PrxCullDef) -> Result<Culling> {
    // SAFETY: by the caller's promise.
    let def = unsafe { read_def_or(def, prx_cull_def_default) }?;
    let path = match def.path.read("path")? {
        PrxCullPath::Boxes => CullPath::Boxes,
        PrxCullPath::Conservative => CullPath::Conservative,
        PrxCullPath::Unfattened => CullPath::Unfattened,
        PrxCullPath::ExactOffset => CullPath::Exact,
        PrxCullPath::BoundedOffset => CullPath::Bounded,
    };
    let depth = match def.depth_format.read("depth_format")? {
        PrxDepthFormat::D16 => Format::Depth16,
        PrxDepthFormat::D24 => Format::Depth24,
        PrxDepthFormat::F32 => Format::Depth32,
    };
    let all = PRX_VIEW_X | PRX_VIEW_Y | PRX_VIEW_Z;
    if def.views == 0 || def.views & !all != 0 {
        return Err(invalid(format!(
            "views is {:#x}; it is PRX_VIEW_X, PRX_VIEW_Y, PRX_VIEW_Z or a sum of them",
            def.views
        )));
    }
    let method = match def.method.read("method")? {
        // On every device measured so far the hierarchies are faster.
        PrxCullMethod::Auto | PrxCullMethod::Hierarchy => CullMethod::Hierarchy,
        PrxCullMethod::None => CullMethod::Nothing,
        PrxCullMethod::Visibility => CullMethod::Visibility(Screen {
            size: [def.width, def.height],
            depth,
            views: [PRX_VIEW_X, PRX_VIEW_Y, PRX_VIEW_Z].map(|view| def.views & view != 0),
            path,
        }),
    };
    let first_only = match def.first_only {
        0 => false,
        1 => true,
        n => return Err(invalid(format!("first_only is {n}; it is 0 or 1"))),
    };
    Ok(Culling { method, first_only })
}

impl From<Stats> for PrxCullStats {
    fn from(stats: Stats) -> Self {
        Self {
            box_pairs: stats.box_pairs,
            object_pairs: stats.body_pairs,
            candidates: stats.candidates,
            fattening: stats.fattening,
        }
    }
}
