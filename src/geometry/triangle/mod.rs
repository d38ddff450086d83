//! One triangle and a point, or two triangles: closest points, distances, and whether they intersect.

pub mod closest;
pub mod distance;
pub(in crate::geometry) mod general_position;
mod integer;
pub mod intersection;
pub(in crate::geometry) mod within;
