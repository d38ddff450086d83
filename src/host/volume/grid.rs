//! The frame as the kernels of layered depth images use it. Partner: `shaders/include/grid.glsl`.

use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::{Frame, Summary};
use glam::{UVec2, Vec3};

/// What a kernel needs of the frame.
#[derive(Debug, Clone, Copy)]
pub struct Grid {
    /// Where pixel and bin zero are.
    pub origin: Vec3,
    /// Pixels and bins per length.
    pub scale: Vec3,
    /// How far places may be from their exact ones, in pixels and bins.
    pub slack: Vec3,
    /// Pixels along both sides; zero when there is no volume of interest.
    pub sides: UVec2,
    /// Bins along a ray.
    pub bins: u32,
    /// The axis of the rays.
    pub axis: u32,
}

impl Grid {
    /// That of a frame.
    pub fn of(frame: &Frame) -> Self {
        Self {
            origin: frame.origin.into(),
            scale: frame.scale.into(),
            slack: frame.slack.into(),
            sides: UVec2::new(frame.width, frame.height),
            bins: frame.bins,
            axis: frame.axis,
        }
    }

    /// Rays of a mesh.
    pub fn pixels(&self) -> usize {
        self.sides.x as usize * self.sides.y as usize
    }

    /// Whether a pixel is of the border around the volume of interest.
    #[inline]
    pub fn is_border(&self, pixel: UVec2) -> bool {
        pixel.cmpeq(UVec2::ZERO).any() || pixel.cmpeq(self.sides - 1).any()
    }

    /// The pixel of a ray.
    #[inline]
    pub fn pixel(&self, ray: usize) -> UVec2 {
        let width = self.sides.x as usize;
        UVec2::new((ray % width) as u32, (ray / width) as u32)
    }
}

/// The summary as it is now; kernels may be writing other parts of it.
pub fn summary_of(summaries: &Bound) -> Summary {
    summaries.array().get(0)
}

/// The ray at or after a coordinate. A float that is no number does not become an index outside the frame.
#[inline(always)]
pub fn first_at(x: f32, side: u32) -> i32 {
    x.max(0.0).min(side as f32).ceil() as i32
}

/// The ray at or before a coordinate.
#[inline(always)]
pub fn last_at(x: f32, side: u32) -> i32 {
    x.min((side - 1) as f32).max(-1.0).floor() as i32
}
