//! One module a query, and the batch that runs them.

pub mod band;
pub mod batch;
pub mod bounds;
pub mod clusters;
pub(crate) mod rebake;
pub mod sample;
pub(crate) mod snapshot;
