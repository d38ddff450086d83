//! Exact CPU geometry: no GPU in here. It is the last stage of the exact queries and the oracle of the others.

pub mod aabb;
pub mod adjacency;
pub mod bvh;
pub mod closest;
pub mod clusters;
pub mod nearest;
pub mod patch;
pub mod pseudonormal;
pub mod shapes;
pub mod simd;
pub mod surface;
pub mod topology;
pub mod weld;
pub mod winding;
