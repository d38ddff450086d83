//! One triangle and a point, or two triangles: closest points, distances, and whether they intersect.

pub mod closest;
pub mod distance;
pub(in crate::geometry) mod general_position;
mod integer;
pub mod intersection;
pub(in crate::geometry) mod perturbed;
pub(in crate::geometry) mod predicates;
pub(in crate::geometry) mod within;

use glam::DVec3;

/// Three corners, in double precision; exactness is promised for coordinates of at most 1e15 that are multiples of the least float, as floats
/// are and what meshes take of doubles.
pub type Triangle = [DVec3; 3];
