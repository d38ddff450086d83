//! What meets while surfaces move, and when.

mod closest;
pub mod impacts;
pub mod moving;
pub mod pair;
mod real;
pub mod rigid;
mod rigid_shape;
pub mod screw;
mod vector;
