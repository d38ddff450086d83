//! Inside or outside: winding numbers, pseudonormals, and signed distances to solids.

pub mod deepest;
pub mod embedding;
pub mod pseudonormal;
pub mod ray_crossings;
pub mod winding;
