//! What exists to be compared. It is the last part of the header.

pub mod cull;
pub mod hierarchy;
