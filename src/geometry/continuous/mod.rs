//! The first contact of surfaces that move.

pub mod advance;
pub mod screw;
pub mod sweep;
