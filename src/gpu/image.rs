//! Three-dimensional textures.

use super::callbacks::callbacks;
use super::charge::{Charge, MemoryKind};
use super::counts::Counted;
use super::device::Device;
use super::native::{HostBytes, HostMemory, Voxels};
use super::{allocation, failed};
use crate::error::{Error, Result};
use ash::vk;
use gpu_allocator::vulkan::Allocation;
use std::sync::Arc;

/// What a voxel holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voxel {
    /// A 32-bit float.
    F32,
    /// A 16-bit float.
    F16,
    /// Four 32-bit floats.
    F32x4,
    /// Four 16-bit floats.
    F16x4,
}

impl Voxel {
    /// How many there are.
    pub(crate) const COUNT: usize = 4;

    /// Bytes of a voxel.
    pub fn bytes(self) -> u64 {
        match self {
            Self::F16 => 2,
            Self::F32 => 4,
            Self::F16x4 => 8,
            Self::F32x4 => 16,
        }
    }

    /// Whether a float has 16 bits.
    pub(crate) fn is_half(self) -> bool {
        matches!(self, Self::F16 | Self::F16x4)
    }

    /// Floats of a voxel.
    pub(crate) fn channels(self) -> usize {
        match self {
            Self::F32 | Self::F16 => 1,
            Self::F32x4 | Self::F16x4 => 4,
        }
    }

    fn format(self) -> vk::Format {
        match self {
            Self::F32 => vk::Format::R32_SFLOAT,
            Self::F16 => vk::Format::R16_SFLOAT,
            Self::F32x4 => vk::Format::R32G32B32A32_SFLOAT,
            Self::F16x4 => vk::Format::R16G16B16A16_SFLOAT,
        }
    }
}

/// A 3D texture with its memory and view, for kernels to sample.
pub struct Image {
    device: Arc<Device>,
    pub(crate) raw: vk::Image,
    pub(crate) view: vk::ImageView,
    allocation: Option<Allocation>,
    /// What it is on a device that is the host: floats, whatever the format.
    host: Option<HostBytes>,
    _charge: Charge,
    /// Voxels along each axis.
    pub size: [u32; 3],
    /// What a voxel holds.
    pub voxel: Voxel,
}

impl Image {
    /// The layout between uploads.
    pub(crate) const LAYOUT: vk::ImageLayout = vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL;

    /// Allocates a texture for `what`. Its contents are undefined until the first upload.
    pub fn new(device: &Arc<Device>, voxel: Voxel, size: [u32; 3], what: &str) -> Result<Self> {
        let limit = device.limits().max_texture_3d;
        if let Some(side) = size.iter().find(|side| **side == 0 || **side > limit) {
            return Err(Error::Unsupported(format!(
                "{what} would be {size:?} voxels; \"{}\" allows sides of 1 to {limit}, not {side}",
                device.physical.name
            )));
        }
        let bytes = size
            .iter()
            .fold(voxel.bytes(), |product, side| product * u64::from(*side));
        if device.is_host() {
            let floats = bytes / voxel.bytes() * 4 * voxel.channels() as u64;
            let charge = device.used.charge(MemoryKind::Field, floats, what)?;
            let host = usize::try_from(floats).ok().and_then(HostBytes::new);
            device.counters.count(Counted::Creation);
            return Ok(Self {
                device: device.clone(),
                raw: vk::Image::null(),
                view: vk::ImageView::null(),
                allocation: None,
                host: Some(host.ok_or_else(|| allocation::no_room(what, floats))?),
                _charge: charge,
                size,
                voxel,
            });
        }
        device.check_format(voxel.format(), what)?;
        let charge = device.used.charge(MemoryKind::Field, bytes, what)?;
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_3D)
            .format(voxel.format())
            .extent(vk::Extent3D {
                width: size[0],
                height: size[1],
                depth: size[2],
            })
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(
                vk::ImageUsageFlags::SAMPLED
                    | vk::ImageUsageFlags::TRANSFER_DST
                    | vk::ImageUsageFlags::TRANSFER_SRC,
            );
        // SAFETY: the device is alive; format, usage and size were checked.
        let raw = unsafe { device.vulkan().raw.create_image(&info, callbacks()) }
            .map_err(allocation::refused("vkCreateImage", what, bytes))?;
        let mut image = Self {
            device: device.clone(),
            raw,
            view: vk::ImageView::null(),
            allocation: None,
            host: None,
            _charge: charge,
            size,
            voxel,
        };
        device.vulkan().names.name(raw, what);
        let allocation = allocation::for_image(device, raw, what)?;
        // SAFETY: the allocation fits the requirements and nothing else is bound there.
        let bound = unsafe {
            device
                .vulkan()
                .raw
                .bind_image_memory(raw, allocation.memory(), allocation.offset())
        };
        image.allocation = Some(allocation);
        device.counters.count(Counted::Creation);
        bound.map_err(failed("vkBindImageMemory"))?;
        let info = vk::ImageViewCreateInfo::default()
            .image(raw)
            .view_type(vk::ImageViewType::TYPE_3D)
            .format(voxel.format())
            .subresource_range(whole());
        // SAFETY: the image is bound and alive.
        image.view = unsafe { device.vulkan().raw.create_image_view(&info, callbacks()) }
            .map_err(failed("vkCreateImageView"))?;
        device.vulkan().names.name(image.view, what);
        Ok(image)
    }

    /// Its floats, on a device that is the host, for the command that fills them.
    pub(crate) fn host_floats(&self) -> HostMemory {
        let host = self.host.as_ref();
        let host = host.expect("an image and the buffer that fills it are of one device");
        let voxels = self.bytes() / self.voxel.bytes();
        host.part(0, 4 * self.voxel.channels() * voxels as usize)
    }

    /// Its voxels, on a device that is the host.
    pub(crate) fn host_voxels(&self) -> Voxels<'_> {
        let host = self
            .host
            .as_ref()
            .expect("native kernels run on the host's memory");
        Voxels {
            values: host.values(),
            channels: self.voxel.channels(),
            size: self.size,
        }
    }

    /// Bytes of all voxels.
    pub fn bytes(&self) -> u64 {
        self.size.iter().fold(self.voxel.bytes(), |product, side| {
            product * u64::from(*side)
        })
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        if self.host.is_some() {
            return;
        }
        let raw = &self.device.vulkan().raw;
        // SAFETY: whoever submitted work that uses this image kept it alive until the work was done.
        unsafe {
            raw.destroy_image_view(self.view, callbacks());
            raw.destroy_image(self.raw, callbacks());
        }
        allocation::free(&self.device, self.allocation.take());
    }
}

/// The one level and layer that our images have.
pub(crate) fn whole() -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange::default()
        .aspect_mask(vk::ImageAspectFlags::COLOR)
        .level_count(1)
        .layer_count(1)
}
