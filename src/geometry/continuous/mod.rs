//! What meets while surfaces move, and when.

pub(in crate::geometry) mod closest;
pub mod impacts;
pub mod moving;
pub mod pair;
mod real;
pub mod rigid;
mod rigid_shape;
pub mod screw;
pub(in crate::geometry) mod vector;
mod velocity_bounds;
