//! One module a query, and the batch that runs those of the device.

pub mod band;
pub mod batch;
pub mod bounds;
pub mod clusters;
pub mod contains;
pub mod cull;
pub mod distance;
pub(crate) mod drawing;
pub mod layers;
pub mod ldi;
pub mod meeting;
pub mod objects;
pub mod overlap;
pub mod pairs;
pub mod penalty;
pub(crate) mod phases;
pub mod placed;
pub mod proximity;
pub(crate) mod rebake;
pub mod sample;
pub(crate) mod snapshot;
pub mod sweep;
pub mod tracking;
pub(crate) mod views;
pub mod visibility;
pub mod volume;
