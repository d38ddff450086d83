//! Layered depth images. Partners: `shaders/volume`; what its kernels share is in `frame`, `grid`, `crossing`, `marks` and `rays`, named as
//! in `shaders/include`.

pub mod boxes;
pub mod contains;
pub mod convert;
pub mod crossing;
pub mod frame;
pub mod gradients;
pub mod grid;
pub mod layers;
pub mod marks;
pub mod measure;
pub mod offsets;
pub mod place;
pub mod prisms;
pub mod rays;
pub mod shared_layers;
pub mod spans;
pub mod total;
mod winding_walk;
