//! Proxel answers one question for a physics engine: how do these two surfaces touch?
//!
//! An engine hands over vertex buffers and gets contact summaries back. This crate is the library behind `proxel.h`;
//! the Rust modules are public for its own tests and benchmarks.
//!
//! Layers, and the only way imports go:
//! `ffi -> context -> query -> scene, field, geometry, gpu, host`.

pub mod allocator;
pub mod context;
pub mod error;
pub mod ffi;
pub mod field;
pub mod geometry;
pub mod gpu;
pub mod host;
pub mod interrupt;
pub mod jobs;
pub mod lock;
pub mod log;
pub mod memory;
pub mod panics;
#[cfg(windows)]
mod pinned;
pub mod query;
pub mod scene;
pub mod workers;
pub mod zones;
