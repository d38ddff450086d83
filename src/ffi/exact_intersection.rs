//! Exact intersection of closed meshes
//!
//! The volume that two closed meshes have in common, from their own triangles: exact but for rounding, at any position, degenerate ones
//! included. Nothing is sampled and no intersection is built; what crosses what is decided exactly, with ties broken as if `b` were
//! moved by less than anything. It runs on the CPU threads; prx_mesh_intersection_volume estimates the same on the device.

use super::asking::{List, ask_context, list_context};
use super::handles::PrxContext;
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::status::PrxStatus;
use crate::query::exact_volume::{ExactRegion, ExactVolume};

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
        ask_context(context, out_intersection, "out_intersection", |context| {
            let (pose_a, pose_b) = (read_pose(pose_a), read_pose(pose_b));
            context.exact_volume((a.id, pose_a), (b.id, pose_b))
        })
    }
}

/// The connected parts of what two closed meshes have in common, the largest first: where the bodies touch, and along which direction each
/// part can be pushed apart. Poses may be null. `*out_count` gets the number of parts, also when `capacity` is too small; nothing else is written
/// then.
///
/// # Safety
/// Each pose is null or valid; `out` has room for `capacity` regions; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_intersection_regions(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    out: *mut PrxIntersectionRegion,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let regions = List::new(out, capacity, out_count, "regions");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, regions, |context| {
            let (pose_a, pose_b) = (read_pose(pose_a), read_pose(pose_b));
            context.exact_regions((a.id, pose_a), (b.id, pose_b))
        })
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
        let m = found.second_moment;
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
        }
    }
}
