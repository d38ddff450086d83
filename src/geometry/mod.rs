//! Exact CPU geometry: no GPU in here. It is the last stage of the exact queries and the oracle of the others.
//!
//! One folder per job. What stands beside the folders is used by all of them. Imports between folders form no cycle;
//! `tests/repository/layers.rs` checks it.

pub mod aabb;
pub mod bounded;
pub mod broad_phase;
pub mod comparators;
pub mod continuous;
pub mod distance;
pub mod exits;
#[cfg(test)]
mod extremes;
pub mod hierarchy;
pub mod near;
pub mod nearest;
pub mod pairs;
pub mod positions;
pub mod random;
pub mod rounding;
pub mod self_collision;
pub mod sign;
pub mod simd;
pub mod surface;
pub mod tetrahedra;
pub mod time_critical;
pub mod topology;
pub mod triangle;
pub mod volume;

/// What one thread takes in a row where each item is little work. Sums are added up in such portions, so that their order does not depend on the number of threads.
pub(crate) const PORTION: usize = 512;
