//! What the kernels of a layered depth image leave for the host.

pub(crate) use crate::gpu::shader::blocks::{Frame, Summary};
use glam::{DVec3, Vec3};

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
