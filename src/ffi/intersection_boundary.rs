//! Boundaries of intersections, unions and differences
//!
//! What Boolean operations make of two closed meshes, as triangles: asked of an intersection, whose crossings they are cut along.

use super::asking::{List, list_context};
use super::enumeration::{EnumOf, enumeration};
use super::exact_intersection::PrxIntersection;
use super::handles::PrxContext;
use super::status::PrxStatus;
use crate::geometry::volume::{BooleanOperation, BoundaryTriangle};
use glam::DVec3;

/// What is made of two closed meshes.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrxBooleanOperation {
    /// What both have.
    Intersection = 0,
    /// What `a` or `b` has.
    Union = 1,
    /// What `a` has and `b` has not.
    Difference = 2,
}
enumeration!(PrxBooleanOperation: Intersection, Union, Difference);

/// A corner of a boundary, in the world.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxBoundaryVertex {
    /// Where it is.
    pub position: [f64; 3],
}

/// A triangle of a boundary.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxBoundaryTriangle {
    /// Its corners, counter-clockwise from outside.
    pub vertices: [u32; 3],
    /// The mesh that it is a piece of: 0 for `a`, 1 for `b`.
    pub mesh: u32,
    /// The triangle of that mesh.
    pub triangle: u32,
    /// The region that it bounds, as prx_intersection_regions counts them; UINT32_MAX in a union or difference.
    pub region: u32,
}

/// The corners of the boundary of what `operation` makes of the meshes. `*out_count` gets their number, also when `capacity` is too small; nothing
/// else is written then. PRX_STATUS_UNSUPPORTED when a mesh is not closed where the other crosses it.
///
/// # Safety
/// `out` has room for `capacity` vertices; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_intersection_boundary_vertices(
    context: *mut PrxContext,
    intersection: PrxIntersection,
    operation: EnumOf<PrxBooleanOperation>,
    out: *mut PrxBoundaryVertex,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let vertices = List::new(out, capacity, out_count, "vertices");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, vertices, |context| {
            let operation = operation.read("operation")?.into();
            context.boundary_vertices(intersection.id, operation)
        })
    }
}

/// The triangles of that boundary: pieces of triangles of both meshes, which close up. Their corners are of
/// prx_intersection_boundary_vertices with the same `operation`. Where corners of the meshes coincide, triangles without area can be among them, and where faces lie in one plane, sheets without thickness. `*out_count` gets
/// their number, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `out` has room for `capacity` triangles; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_intersection_boundary_triangles(
    context: *mut PrxContext,
    intersection: PrxIntersection,
    operation: EnumOf<PrxBooleanOperation>,
    out: *mut PrxBoundaryTriangle,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let triangles = List::new(out, capacity, out_count, "triangles");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, triangles, |context| {
            let operation = operation.read("operation")?.into();
            context.boundary_triangles(intersection.id, operation)
        })
    }
}

impl From<PrxBooleanOperation> for BooleanOperation {
    fn from(operation: PrxBooleanOperation) -> Self {
        match operation {
            PrxBooleanOperation::Intersection => Self::Intersection,
            PrxBooleanOperation::Union => Self::Union,
            PrxBooleanOperation::Difference => Self::Difference,
        }
    }
}

impl From<DVec3> for PrxBoundaryVertex {
    fn from(position: DVec3) -> Self {
        Self {
            position: position.to_array(),
        }
    }
}

impl From<BoundaryTriangle> for PrxBoundaryTriangle {
    fn from(triangle: BoundaryTriangle) -> Self {
        Self {
            vertices: triangle.corners,
            mesh: triangle.body,
            triangle: triangle.face,
            region: triangle.region,
        }
    }
}
