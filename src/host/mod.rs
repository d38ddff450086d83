//! The kernels in native code, for a device that is the host itself: one file per kernel, as in `shaders/`, with the same names and the
//! same certificates. What several share is in the files here.

pub mod bounds;
#[allow(
    clippy::neg_cmp_op_on_partial_ord,
    clippy::needless_range_loop,
    reason = "comparisons are those of the shaders, which say what becomes of NaN, and rows of lanes are indexed alike"
)]
pub mod contacts;
mod device_only;
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
