//! Bounding volumes over a surface's triangles, and the walks over one or two such hierarchies.

pub mod bvh;
pub mod clusters;
pub mod dual;
pub mod leaf;
pub mod placement;
pub(in crate::geometry) mod touching;
