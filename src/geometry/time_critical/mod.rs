//! Answers within a budget of time or steps.

pub mod budget;
pub mod chance;
pub mod tracker;
