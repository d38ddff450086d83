//! What exists to be compared: culling by other methods, and hierarchies of the caller's choice.

pub mod culling;
pub mod hierarchies;
