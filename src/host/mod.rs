//! The kernels in native code, for a device that is the host itself: one file per kernel, as in `shaders/`, with the same names and the
//! same certificates. What several share is in the files here.

pub mod bounds;
mod contacts;
mod drawn;
pub mod field;
pub mod meeting;
pub mod ordered;
pub mod overlap;
pub mod proximity;
pub mod runs;

mod clusters {
    mod refit;
}
mod positions {
    mod gather;
}
pub mod penalty;
pub mod volume;
