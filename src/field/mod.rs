//! Signed distance fields: baked from surfaces, on the CPU.

pub mod bake;
pub mod error;
pub mod grid;
pub mod sides;
pub mod sparse;
