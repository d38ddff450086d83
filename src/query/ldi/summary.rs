//! What the kernels of a layered depth image leave for the host.

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};

/// The grid of rays, as the device chose it: `Frame` of `frame.glsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(crate) struct Frame {
    pub(crate) origin: [f32; 3],
    pub(crate) axis: u32,
    pub(crate) scale: [f32; 3],
    pub(crate) width: u32,
    pub(crate) slack: [f32; 3],
    pub(crate) height: u32,
    pub(crate) bins: u32,
    pub(crate) wanted_pixels: u32,
    pub(crate) from_above: [u32; 2],
    pub(crate) keep_from: [f32; 2],
    pub(crate) keep_to: [f32; 2],
}

impl Frame {
    /// Lengths of a pixel's sides and of a bin.
    pub(crate) fn cell(&self) -> DVec3 {
        1.0 / Vec3::from(self.scale).as_dvec3()
    }

    /// Turns a vector from the order u, v, w to x, y, z.
    pub(crate) fn to_axes(self, turned: DVec3) -> DVec3 {
        match self.axis {
            0 => DVec3::new(turned.z, turned.x, turned.y),
            1 => DVec3::new(turned.y, turned.z, turned.x),
            _ => turned,
        }
    }

    /// The world place of a place in the frame.
    pub(crate) fn world(&self, place: DVec3) -> DVec3 {
        self.to_axes(Vec3::from(self.origin).as_dvec3() + place * self.cell())
    }
}

/// What the kernels leave for the host: `Summary` of `frame.glsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Summary {
    pub(crate) frame: Frame,
    pub(crate) nodes: u32,
    pub(crate) lower_bins: u32,
    pub(crate) upper_bins: u32,
    pub(crate) layers_found: u32,
    pub(crate) flawed: [u32; 2],
    pub(crate) layers: [u32; 2],
    pub(crate) reach: [u32; 3],
    pub(crate) complement: [u32; 3],
    pub(crate) deepest_pixel: u32,
    pub(crate) deepest_length: f32,
    pub(crate) deepest_from: f32,
    pub(crate) extent: f32,
    pub(crate) moment: [f32; 3],
    pub(crate) gradient: [f32; 3],
    pub(crate) torque: [f32; 3],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;
    use crate::gpu::shader;

    #[test]
    fn host_and_shaders_agree() {
        for kernel in [
            &shader::FRAME,
            &shader::PLACE_TEXEL,
            &shader::CONVERT_TEXEL,
            &shader::CANDIDATES_VERT,
            &shader::CROSSINGS_LIST_FRAG,
            &shader::COLLECT,
            &shader::SPANS_TEXEL,
            &shader::MEASURE_TEXEL,
            &shader::TOTAL,
            &shader::CONTAINS_TEXEL,
            &shader::LAYERS_WRITE_TEXEL,
            &shader::OFFSETS,
        ] {
            assert_layout!(
                kernel,
                "Frame",
                Frame {
                    origin,
                    axis,
                    scale,
                    width,
                    slack,
                    height,
                    bins,
                    wanted_pixels,
                    from_above,
                    keep_from,
                    keep_to
                }
            );
            assert_layout!(
                kernel,
                "Summary",
                Summary {
                    frame,
                    nodes,
                    lower_bins,
                    upper_bins,
                    layers_found,
                    flawed,
                    layers,
                    reach,
                    complement,
                    deepest_pixel,
                    deepest_length,
                    deepest_from,
                    extent,
                    moment,
                    gradient,
                    torque
                }
            );
        }
    }
}
