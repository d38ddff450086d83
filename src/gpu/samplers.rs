//! How images are read.

use super::callbacks::callbacks;
use super::failed;
use super::names::Names;
use crate::error::Result;
use ash::vk;

/// How images are read, clamped at their edges.
pub(crate) struct Samplers {
    /// Linear between voxels: fields.
    pub(crate) linear: vk::Sampler,
    /// Texel by texel: what passes have drawn.
    pub(crate) nearest: vk::Sampler,
}

impl Samplers {
    pub(super) fn new(device: &ash::Device) -> Result<Self> {
        let linear = create_sampler(device, vk::Filter::LINEAR)?;
        // SAFETY: nothing was sampled yet.
        let nearest = create_sampler(device, vk::Filter::NEAREST)
            .inspect_err(|_| unsafe { device.destroy_sampler(linear, callbacks()) })?;
        Ok(Self { linear, nearest })
    }

    pub(super) fn name(&self, names: &Names) {
        names.name(self.linear, "linear sampler");
        names.name(self.nearest, "nearest sampler");
    }

    /// # Safety
    /// Nothing uses the samplers any more.
    pub(super) unsafe fn destroy(&self, device: &ash::Device) {
        // SAFETY: by the caller's promise.
        unsafe {
            device.destroy_sampler(self.linear, callbacks());
            device.destroy_sampler(self.nearest, callbacks());
        }
    }
}

fn create_sampler(device: &ash::Device, filter: vk::Filter) -> Result<vk::Sampler> {
    let clamp = vk::SamplerAddressMode::CLAMP_TO_EDGE;
    let info = vk::SamplerCreateInfo::default()
        .mag_filter(filter)
        .min_filter(filter)
        .address_mode_u(clamp)
        .address_mode_v(clamp)
        .address_mode_w(clamp);
    // SAFETY: the device is alive.
    unsafe { device.create_sampler(&info, callbacks()) }.map_err(failed("vkCreateSampler"))
}
