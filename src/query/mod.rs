//! One module a query, and the batch that runs them.

pub mod batch;
pub mod bounds;
pub mod clusters;
pub(crate) mod snapshot;
