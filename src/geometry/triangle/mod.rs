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

/// Three corners, in double precision; exactness is promised for coordinates that are `f32` values.
pub type Triangle = [DVec3; 3];
