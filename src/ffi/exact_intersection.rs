//! Exact intersection of closed meshes
//!
//! The volume that two closed meshes have in common, from their own triangles: exact but for rounding, at any position, degenerate ones
//! included. Nothing is sampled and no intersection is built; what crosses what is decided exactly, with ties broken as if `b` were
//! moved by less than anything. It runs on the CPU threads; prx_mesh_intersection_volume estimates the same on the device.

use super::asking::{self, List, ask_context, list_context};
use super::boundary::on_context;
use super::handles::PrxContext;
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::Result;
use crate::query::exact_volume::{
    ExactCurve, ExactCurvePoint, ExactRegion, ExactVolume, VertexGradient,
};
use crate::query::intersection_query::{ExactVolumeQuery, IntersectionQuery};
use std::sync::Arc;

/// What two closed meshes have in common, in the world.
///
/// Where a mesh overlaps itself, a place counts as often as the mesh encloses it, and places that it encloses inside out count below
/// zero.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxExactIntersection {
    /// The volume, in cubic mesh units.
    pub volume: f64,
    /// The exact volume of the moved corners is not below this.
    pub lower: f64,
    /// And not above this. Their difference is rounding alone.
    pub upper: f64,
    /// Its centre; zero when there is no volume.
    pub centroid: [f64; 3],
    /// Integrals over the volume of xx, yy, zz, yz, zx and xy, from the centre along the world's axes.
    pub second_moments: [f64; 6],
    /// The integral of the outward normal over the part of the surface of `a` that is inside `b`: the change of the volume per length as `a`
    /// moves. A pressure p between the bodies pushes `a` by -p times this.
    pub area_vector_a: [f64; 3],
    /// The same for `b`. The two cancel but for rounding; where they do not, a mesh is not closed.
    pub area_vector_b: [f64; 3],
    /// Change of the volume per radian as `a` turns about its pose's position.
    pub torque_a: [f64; 3],
    /// Change of the volume per radian as `b` turns about its pose's position.
    pub torque_b: [f64; 3],
    /// The area of the part of the surface of `a` that is inside `b`.
    pub area_a: f64,
    /// The area of the part of the surface of `b` that is inside `a`.
    pub area_b: f64,
    /// The length of the curve where the surfaces cross.
    pub curve_length: f64,
    /// Pairs of triangles that cross.
    pub crossings: u64,
    /// Edges of `a` along which inside and outside of `b` do not agree. With any, `b` is not closed or not consistently oriented, and the
    /// numbers are not to be trusted.
    pub disagreeing_a: u64,
    /// Edges of `b` along which inside and outside of `a` do not agree.
    pub disagreeing_b: u64,
    /// How far the exact centre can be from `centroid`, by rounding alone, as all errors here; infinite when there may be no volume. Those of volume, centre and
    /// moments hold for closed meshes.
    pub centroid_error: f64,
    /// How far exact second moments can be from `second_moments`: the root of the sum of squares over the whole matrix. Infinite when there may be no volume.
    pub second_moments_error: f64,
    /// How far the exact area vector can be from `area_vector_a`.
    pub area_vector_a_error: f64,
    /// How far the exact area vector can be from `area_vector_b`.
    pub area_vector_b_error: f64,
    /// How far the exact change can be from `torque_a`.
    pub torque_a_error: f64,
    /// How far the exact change can be from `torque_b`.
    pub torque_b_error: f64,
    /// How far the exact area can be from `area_a`.
    pub area_a_error: f64,
    /// How far the exact area can be from `area_b`.
    pub area_b_error: f64,
    /// How far the exact length can be from `curve_length`.
    pub curve_length_error: f64,
    /// Edges of `a` that its own triangles do not pass as often one way as the other: it is open there or not consistently oriented. With any, it has no
    /// inside, and the numbers are not to be trusted. Edges of many triangles and surfaces through themselves are no such edges.
    pub unbalanced_edges_a: u64,
    /// Edges of `b` that its own triangles do not pass as often one way as the other.
    pub unbalanced_edges_b: u64,
}

/// A connected part of what two closed meshes have in common, in the world.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxIntersectionRegion {
    /// Its volume.
    pub volume: f64,
    /// Its centre; zero when it has no volume.
    pub centroid: [f64; 3],
    /// The integral of the outward normal over its part of the surface of `a`: how its volume changes per length as `a` moves.
    pub area_vector: [f64; 3],
    /// The unit vector along that, from `a` to `b`; zero when there is none, as for a part that is all of `a`.
    pub normal: [f64; 3],
    /// How far the part extends along the normal.
    pub depth: f64,
    /// The least coordinates of its points.
    pub min: [f64; 3],
    /// The largest coordinates of its points.
    pub max: [f64; 3],
}

/// Names what two meshes had in common at one moment. Zero is null; the id of a destroyed intersection is refused.
///
/// Threads: calls may come from any thread at any time.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxIntersection {
    /// The id; zero is null.
    pub id: u64,
}

/// A connected piece of the curve where two surfaces cross: a polyline.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxIntersectionCurve {
    /// The first of its points.
    pub first: u32,
    /// How many it has.
    pub points: u32,
    /// 1 when the last point is joined to the first, as always between closed meshes.
    pub closed: u32,
    /// The region that it bounds, as prx_intersection_regions counts them.
    pub region: u32,
}

/// A point of such a curve, in the world.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxCurvePoint {
    /// Where it is.
    pub position: [f64; 3],
    /// The triangle of `a` that the segment from here to the next point is in.
    pub triangle_a: u32,
    /// The triangle of `b` that it is in.
    pub triangle_b: u32,
}

/// How the volume that two meshes have in common changes as a vertex moves.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxVertexGradient {
    /// 0 for `a`, 1 for `b`.
    pub mesh: u32,
    /// The vertex of that mesh.
    pub vertex: u32,
    /// The change of the volume per length, in the world.
    pub gradient: [f64; 3],
    /// How far the exact change can be from `gradient`, by rounding alone.
    pub error: f64,
}

/// The exact volume that two closed meshes have in common, with its first derivatives and moments. `pose_a` and `pose_b` may be null, for the
/// identity. `b` is moved into the frame of `a` in double precision, and the answer is that of the corners so moved.
///
/// # Safety
/// Each pose is null or valid; `out_intersection` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_exact_intersection(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    out_intersection: *mut PrxExactIntersection,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        let plan = |context: &_| {
            plan_intersection(context, [a, b], [pose_a, pose_b]).map(ExactVolumeQuery)
        };
        asking::answer_exact_now(
            context,
            out_intersection,
            "out_intersection",
            plan,
            |found| (*found).into(),
        )
    }
}

/// Finds what two closed meshes have in common as they are now: volume, parts, curves, gradients and boundaries are then asked of it, and the
/// surfaces are crossed once. It does not follow the meshes and may outlive them. Poses may be null.
///
/// # Safety
/// Each pose is null or valid; `out_intersection` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_intersection_create(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    out_intersection: *mut PrxIntersection,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_intersection, "out_intersection", |context| {
            let found =
                context.ask_exact(&plan_intersection(context, [a, b], [pose_a, pose_b])?)?;
            let id = context.keep_intersection(Arc::new(found))?;
            Ok(PrxIntersection { id })
        })
    }
}

/// # Safety
/// Each pose is null or valid.
pub(super) unsafe fn plan_intersection(
    context: &Context,
    [a, b]: [PrxMesh; 2],
    [pose_a, pose_b]: [*const PrxPose; 2],
) -> Result<IntersectionQuery> {
    // SAFETY: by the caller's promise.
    let (pose_a, pose_b) = unsafe { (read_pose(pose_a), read_pose(pose_b)) };
    context.plan_intersection((a.id, pose_a), (b.id, pose_b))
}

/// Destroys an intersection.
#[unsafe(no_mangle)]
pub extern "C" fn prx_intersection_destroy(
    context: *mut PrxContext,
    intersection: PrxIntersection,
) -> PrxStatus {
    on_context(context, |context| {
        context.destroy_intersection(intersection.id)
    })
}

/// Its volume, moments and derivatives: what prx_mesh_exact_intersection answers.
///
/// # Safety
/// `out_summary` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_intersection_summary(
    context: *mut PrxContext,
    intersection: PrxIntersection,
    out_summary: *mut PrxExactIntersection,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_summary, "out_summary", |context| {
            context.intersection_volume(intersection.id)
        })
    }
}

/// Its connected parts, the largest first: where the bodies touch, and along which direction each part can be pushed apart. `*out_count` gets the
/// number of parts, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `out` has room for `capacity` regions; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_intersection_regions(
    context: *mut PrxContext,
    intersection: PrxIntersection,
    out: *mut PrxIntersectionRegion,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let regions = List::new(out, capacity, out_count, "regions");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, regions, |context| {
            context.intersection_regions(intersection.id)
        })
    }
}

/// The curves where the surfaces cross. Between closed meshes all of them are closed. `*out_count` gets their number, also when `capacity` is too
/// small; nothing else is written then.
///
/// # Safety
/// `out` has room for `capacity` curves; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_intersection_curves(
    context: *mut PrxContext,
    intersection: PrxIntersection,
    out: *mut PrxIntersectionCurve,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let curves = List::new(out, capacity, out_count, "curves");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, curves, |context| {
            context.intersection_curves(intersection.id)
        })
    }
}

/// The corners of all curves, those of the first curve first. `*out_count` gets their number, also when `capacity` is too small; nothing else is
/// written then.
///
/// # Safety
/// `out` has room for `capacity` points; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_intersection_curve_points(
    context: *mut PrxContext,
    intersection: PrxIntersection,
    out: *mut PrxCurvePoint,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let points = List::new(out, capacity, out_count, "curve points");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, points, |context| {
            context.intersection_curve_points(intersection.id)
        })
    }
}

/// How the volume changes as single vertices move: exactly, and only for vertices of triangles that are inside the other mesh or cross it.
/// Those of `a` come first, ascending. Times a pressure and turned round, a gradient is the force on its vertex. `*out_count` gets their number, also when
/// `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `out` has room for `capacity` gradients; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_intersection_gradients(
    context: *mut PrxContext,
    intersection: PrxIntersection,
    out: *mut PrxVertexGradient,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let gradients = List::new(out, capacity, out_count, "gradients");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, gradients, |context| {
            context.intersection_gradients(intersection.id)
        })
    }
}

impl From<ExactCurve> for PrxIntersectionCurve {
    fn from(curve: ExactCurve) -> Self {
        Self {
            first: curve.first,
            points: curve.points,
            closed: curve.is_closed.into(),
            region: curve.region,
        }
    }
}

impl From<ExactCurvePoint> for PrxCurvePoint {
    fn from(point: ExactCurvePoint) -> Self {
        Self {
            position: point.position.to_array(),
            triangle_a: point.triangles[0],
            triangle_b: point.triangles[1],
        }
    }
}

impl From<VertexGradient> for PrxVertexGradient {
    fn from(of: VertexGradient) -> Self {
        Self {
            mesh: of.mesh,
            vertex: of.vertex,
            gradient: of.gradient.to_array(),
            error: of.error,
        }
    }
}

impl From<ExactRegion> for PrxIntersectionRegion {
    fn from(region: ExactRegion) -> Self {
        Self {
            volume: region.volume,
            centroid: region.centroid.to_array(),
            area_vector: region.area_vector.to_array(),
            normal: region.area_vector.normalize_or_zero().to_array(),
            depth: region.depth,
            min: region.bounds[0].to_array(),
            max: region.bounds[1].to_array(),
        }
    }
}

impl From<ExactVolume> for PrxExactIntersection {
    fn from(found: ExactVolume) -> Self {
        let (m, errors) = (found.second_moment, found.errors);
        Self {
            volume: found.volume,
            lower: found.bounds[0],
            upper: found.bounds[1],
            centroid: found.centroid.to_array(),
            second_moments: [
                m.x_axis.x, m.y_axis.y, m.z_axis.z, m.z_axis.y, m.z_axis.x, m.y_axis.x,
            ],
            area_vector_a: found.area_vectors[0].to_array(),
            area_vector_b: found.area_vectors[1].to_array(),
            torque_a: found.torques[0].to_array(),
            torque_b: found.torques[1].to_array(),
            area_a: found.areas[0],
            area_b: found.areas[1],
            curve_length: found.curve_length,
            crossings: found.crossings,
            disagreeing_a: found.disagreeing[0],
            disagreeing_b: found.disagreeing[1],
            centroid_error: errors.centroid,
            second_moments_error: errors.second_moment,
            area_vector_a_error: errors.area_vectors[0],
            area_vector_b_error: errors.area_vectors[1],
            torque_a_error: errors.torques[0],
            torque_b_error: errors.torques[1],
            area_a_error: errors.areas[0],
            area_b_error: errors.areas[1],
            curve_length_error: errors.curve_length,
            unbalanced_edges_a: found.unbalanced_edges[0],
            unbalanced_edges_b: found.unbalanced_edges[1],
        }
    }
}
