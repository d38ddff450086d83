//! Whether a mesh touches or enters a field's body, without drawing. What kernels share is in `shaders/include/overlap.glsl` and
//! `views.glsl`.

pub mod decide;
mod overlap_cull;
mod overlap_inside;

use super::ordered::unordered;
use crate::gpu::shader::blocks::Views;
use glam::Vec3;

/// The side of a pixel of the views, partner: `view_of` in `shaders/include/views.glsl`.
fn pixel_of(views: &Views) -> f32 {
    let low = Vec3::from(views.low.map(unordered));
    let high = Vec3::from(views.high.map(|word| unordered(!word)));
    let longest = (high - low).max_element();
    let far = low.abs().max(high.abs()).max_element();
    let least = 1e-5 * (far + 2.0 * views.shift) + 1e-30;
    let margin = 1e-3 * longest + least;
    ((longest + 2.0 * margin) / views.resolution).max(least)
}
