//! Distance and pairs
//!
//! These run on the context's CPU threads and answer at the call; prx_batch_distance and others record them instead. Each mesh keeps a hierarchy over its triangles, built by the first
//! query and refitted after the positions have changed. Whether triangles intersect is decided exactly.

use super::asking::{self, List, list_context};
use super::boundary::{Sized32, read_array, read_def_or};
use super::enumeration::{EnumOf, enumeration};
use super::handles::PrxContext;
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::status::PrxStatus;
use crate::context::Context;
use crate::context::exact::DistanceRequest;
use crate::error::{Result, invalid};
use crate::geometry::distance::DistanceOptions;
use crate::memory;
use crate::query::distance::{DistanceAnswer, DistanceQuery};
use crate::query::pairs::{PairsQuery, WorldPair};
use glam::DVec3;

/// No triangle or vertex.
pub const PRX_NO_INDEX: u32 = u32::MAX;

/// How the distance of two meshes is found. The answer is the same up to rounding: where several triangles share the closest points, the
/// pair that is measured, and with it the last digits of the distance and the triangles named, can differ.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxDistanceMethod {
    /// The fastest that always works.
    Auto = 0,
    /// Branch and bound over the hierarchies of both meshes.
    Hierarchy = 1,
    /// Bounds from the convex hulls, then a spatial hash aligned with the margin between them (Gissler et al.), with nothing built beforehand.
    /// When the hulls overlap it goes on by hierarchy. For comparison.
    MarginHash = 2,
}
enumeration!(PrxDistanceMethod: Auto, Hierarchy, MarginHash);

/// What to ask of prx_mesh_distance. Fill it by prx_distance_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxDistanceDef {
    /// Bytes of this struct.
    pub size: u32,
    /// How the distance is found.
    pub method: EnumOf<PrxDistanceMethod>,
    /// Distances above this, in mesh units, are of no interest: the search ends when it is exceeded. Infinity for any.
    pub within: f64,
    /// 1 for bounds from the convex hulls alone; all else in this def is then ignored.
    pub bounds_only: u32,
    /// A triangle of `a` to begin with, best the last answer's, or PRX_NO_INDEX. It changes the time, not the distance.
    pub start_triangle_a: u32,
    /// A triangle of `b` to begin with, or PRX_NO_INDEX; both or neither.
    pub start_triangle_b: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxDistanceDef {
    const NAME: &'static str = "PrxDistanceDef";
    const FILLED_BY: &'static str = "distance_def_default";
}

/// How far apart two surfaces are. Lengths and points are in the world.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxDistance {
    /// The distance of `point_a` and `point_b` before they were rounded to floats. It is the distance of the surfaces, 0 when
    /// they intersect; with `bounds_only` that of two vertices. Infinity when nothing is within PrxDistanceDef.within.
    pub distance: f64,
    /// The surfaces are at least this far apart, whatever was rounded on the way.
    pub lower: f64,
    /// The surfaces are at most this far apart, whatever was rounded on the way.
    pub upper: f64,
    /// A point of `a` that is nearest to `b`.
    pub point_a: [f32; 3],
    /// A point of `b` that is nearest to `a`.
    pub point_b: [f32; 3],
    /// The triangle of `a` that `point_a` is on, or PRX_NO_INDEX.
    pub triangle_a: u32,
    /// The triangle of `b` that `point_b` is on, or PRX_NO_INDEX.
    pub triangle_b: u32,
    /// 1 when the surfaces share a point; touching is sharing. Always 0 with `bounds_only`. A mesh that is wholly inside another
    /// does not intersect it: surfaces are compared, not solids.
    pub intersecting: u32,
    /// Reserved.
    pub reserved: u32,
}

/// Two meshes and where they are.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxMeshPair {
    /// The first mesh.
    pub a: PrxMesh,
    /// The second mesh.
    pub b: PrxMesh,
    /// Where the first is.
    pub pose_a: PrxPose,
    /// Where the second is.
    pub pose_b: PrxPose,
}

/// Two triangles that meet or are near each other.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxPair {
    /// The triangle of `a`.
    pub triangle_a: u32,
    /// The triangle of `b`.
    pub triangle_b: u32,
    /// Their distance, in mesh units; 0 exactly when they share a point.
    pub distance: f64,
    /// Two points in the world. Of triangles that meet, the ends of what they share: of an area its longest chord between
    /// corners, of a single point the same twice. Of others, the nearest point of `a`, then that of `b`.
    pub segment: [[f32; 3]; 2],
}

/// Two triangles of one mesh.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxTrianglePair {
    /// The lower one.
    pub first: u32,
    /// The higher one.
    pub second: u32,
}

/// A def for the exact distance, however far, by the fastest method.
#[unsafe(no_mangle)]
pub extern "C" fn prx_distance_def_default() -> PrxDistanceDef {
    PrxDistanceDef {
        size: size_of::<PrxDistanceDef>() as u32,
        method: PrxDistanceMethod::Auto.into(),
        within: f64::INFINITY,
        bounds_only: 0,
        start_triangle_a: PRX_NO_INDEX,
        start_triangle_b: PRX_NO_INDEX,
        reserved: 0,
    }
}

/// The exact distance of two meshes as they are now, of any shape, open or closed, in any position. `pose_a`, `pose_b` and
/// `def` may be null, for the identity and for the default.
///
/// The first call on a mesh builds a hierarchy, except with `bounds_only` and mostly with PRX_DISTANCE_METHOD_MARGIN_HASH, which need
/// none; after prx_mesh_update the next call refits it. Positions in an engine's
/// buffer are read back: by each call if the mesh is deforming, else once.
///
/// `b` is moved into the frame of `a` in double precision, and what meets is decided exactly for the corners so moved;
/// between equal poses nothing is moved.
///
/// # Safety
/// Each pose is null or valid; `def` is null or valid; `out_distance` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_distance(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    def: *const PrxDistanceDef,
    out_distance: *mut PrxDistance,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        let plan = |context: &_| plan_distance(context, [a, b], [pose_a, pose_b], def);
        asking::answer_exact_now(context, out_distance, "out_distance", plan, |found| {
            (*found).into()
        })
    }
}

/// The exact distances of `count` pairs of meshes as they are now, each as by prx_mesh_distance, on all of the context's threads
/// at once. `def` may be null; start triangles in it must be there in every pair's meshes. All are answered, or none.
/// `count` is at most PRX_MAX_COUNT.
///
/// # Safety
/// `pairs` has `count` pairs; `def` is null or valid; `out` has room for `count` distances.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_distances(
    context: *mut PrxContext,
    pairs: *const PrxMeshPair,
    count: u32,
    def: *const PrxDistanceDef,
    out: *mut PrxDistance,
) -> PrxStatus {
    let distances = List::of(out, count, "distances");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, distances, |context| {
            let pairs = read_array(pairs, count.into(), "pairs")?;
            let def = read_def_or(def, prx_distance_def_default)?;
            let mut asked = memory::with_room(pairs.len(), "pairs")?;
            for pair in pairs {
                let request = read_request(context, &def, [pair.a, pair.b])?;
                let placed = [
                    (pair.a.id, pair.pose_a.into()),
                    (pair.b.id, pair.pose_b.into()),
                ];
                asked.push((placed, request));
            }
            context.distances(&asked)
        })
    }
}

/// All pairs of triangles, one of each mesh, that are at most `distance` apart; 0 for those that share a point. They
/// ascend by triangle of `a`, then of `b`. Poses may be null. Coplanar triangles that overlap, and triangles that
/// touch in an edge or a corner, share a point; triangles without area count as the segments or points that they are.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then. Memory is in the
/// order of `capacity`. Hierarchies, buffers and poses are as for prx_mesh_distance.
///
/// # Safety
/// Each pose is null or valid; `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_pairs(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    distance: f64,
    out: *mut PrxPair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, pairs, |context| {
            plan_pairs(context, [a, b], [pose_a, pose_b], distance, capacity)
        })
    }
}

/// All pairs of triangles of one mesh that intersect where they should not, ascending. Triangles without a common vertex
/// do when they share a point; with one common vertex, when they share another point; with two, when they are folded
/// onto each other; with three, always. A common vertex is a common index: weld split vertices first. A triangle without
/// area is not compared with its neighbours. All is decided exactly.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_self_pairs(
    context: *mut PrxContext,
    mesh: PrxMesh,
    out: *mut PrxTrianglePair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, pairs, |context| {
            context.plan_self_pairs(mesh.id, capacity)
        })
    }
}

/// # Safety
/// Each pose is null or valid; `def` is null or valid.
pub(super) unsafe fn plan_distance(
    context: &Context,
    [a, b]: [PrxMesh; 2],
    [pose_a, pose_b]: [*const PrxPose; 2],
    def: *const PrxDistanceDef,
) -> Result<DistanceQuery> {
    // SAFETY: by the caller's promise.
    unsafe {
        let def = read_def_or(def, prx_distance_def_default)?;
        let request = read_request(context, &def, [a, b])?;
        let (pose_a, pose_b) = (read_pose(pose_a), read_pose(pose_b));
        context.plan_distance((a.id, pose_a), (b.id, pose_b), &request)
    }
}

/// # Safety
/// Each pose is null or valid.
pub(super) unsafe fn plan_pairs(
    context: &Context,
    [a, b]: [PrxMesh; 2],
    [pose_a, pose_b]: [*const PrxPose; 2],
    distance: f64,
    room: u64,
) -> Result<PairsQuery> {
    // SAFETY: by the caller's promise.
    let (pose_a, pose_b) = unsafe { (read_pose(pose_a), read_pose(pose_b)) };
    context.plan_pairs((a.id, pose_a), (b.id, pose_b), distance, room)
}

fn read_request(
    context: &Context,
    def: &PrxDistanceDef,
    meshes: [PrxMesh; 2],
) -> Result<DistanceRequest> {
    match def.bounds_only {
        0 => {}
        1 => return Ok(DistanceRequest::Bounds),
        n => return Err(invalid(format!("bounds_only is {n}; it is 0 or 1"))),
    }
    let method = match def.method.read("method")? {
        PrxDistanceMethod::Auto | PrxDistanceMethod::Hierarchy => DistanceRequest::Distance,
        PrxDistanceMethod::MarginHash => DistanceRequest::ByMarginHash,
    };
    let start = [def.start_triangle_a, def.start_triangle_b];
    if start != [PRX_NO_INDEX; 2] {
        for (mesh, triangle) in meshes.into_iter().zip(start) {
            let count = context.mesh(mesh.id)?.triangles.len();
            if triangle as usize >= count {
                return Err(invalid(format!(
                    "start triangle {triangle} is not there: the mesh has {count}; give both or PRX_NO_INDEX for both"
                )));
            }
        }
    }
    Ok(method(DistanceOptions {
        within: def.within,
        start: (start != [PRX_NO_INDEX; 2]).then_some(start),
    }))
}

pub(super) fn floats(point: DVec3) -> [f32; 3] {
    point.as_vec3().to_array()
}

impl From<DistanceAnswer> for PrxDistance {
    fn from(answer: DistanceAnswer) -> Self {
        let (triangles, points) = answer
            .witness
            .map_or(([PRX_NO_INDEX; 2], [DVec3::ZERO; 2]), |w| {
                (w.triangles, w.points)
            });
        Self {
            distance: answer.distance,
            lower: answer.lower,
            upper: answer.upper,
            point_a: floats(points[0]),
            point_b: floats(points[1]),
            triangle_a: triangles[0],
            triangle_b: triangles[1],
            intersecting: answer.intersecting.into(),
            reserved: 0,
        }
    }
}

impl From<WorldPair> for PrxPair {
    fn from(pair: WorldPair) -> Self {
        Self {
            triangle_a: pair.triangles[0],
            triangle_b: pair.triangles[1],
            distance: pair.distance,
            segment: pair.segment.map(floats),
        }
    }
}

impl From<[u32; 2]> for PrxTrianglePair {
    fn from([first, second]: [u32; 2]) -> Self {
        Self { first, second }
    }
}
