//! Exact CPU geometry: no GPU in here. It is the last stage of the exact queries and the oracle of the others.

pub mod aabb;
pub mod adjacency;
pub mod advance;
pub mod bounded;
pub mod bvh;
pub mod closest;
pub mod clusters;
pub mod distance;
pub mod dual;
pub mod fans;
pub mod gjk;
#[cfg(test)]
mod integer_oracle;
pub mod leaf;
pub mod margin_hash;
pub mod nearest;
pub mod pairs;
pub mod patch;
pub mod placement;
pub mod pseudonormal;
pub mod random;
pub mod representatives;
pub mod screw;
pub mod self_collision;
pub mod shapes;
pub mod simd;
pub mod surface;
pub mod sweep;
pub mod sweep_and_prune;
pub mod tetrahedra;
pub mod topology;
pub mod triangle_distance;
pub mod triangle_triangle;
pub mod weld;
pub mod winding;
