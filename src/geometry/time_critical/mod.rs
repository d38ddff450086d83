//! Answers within a budget of time or steps.

pub mod bodies;
pub mod budget;
pub mod chance;
pub mod filling;
pub mod levels;
pub mod propagation;
pub mod tracker;
