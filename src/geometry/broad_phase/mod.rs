//! Which of many boxes overlap.

mod strips;
pub mod sweep_and_prune;
