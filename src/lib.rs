//! Proxel answers one question for a physics engine: how do these two surfaces touch?
//!
//! Layers, and the only way imports go:
//! `ffi -> context -> query -> scene, field, geometry, gpu`.

pub mod field;
pub mod geometry;
