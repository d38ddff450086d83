//! Two-dimensional images that passes draw into and kernels read afterwards.

use super::callbacks::callbacks;
use super::charge::{Charge, MemoryKind};
use super::counts::Counted;
use super::device::Device;
use super::{allocation, failed};
use crate::error::{Error, Result};
use ash::vk;
use gpu_allocator::vulkan::Allocation;
use std::sync::Arc;

/// What a pixel holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Four 32-bit floats.
    F32x4,
    /// An unsigned integer.
    Uint,
    /// Two unsigned integers.
    Uint2,
    /// A 16-bit fixed-point depth.
    Depth16,
    /// A 24-bit fixed-point depth.
    Depth24,
    /// A 32-bit float depth.
    Depth32,
    /// A 24-bit fixed-point depth and an 8-bit stencil.
    Depth24Stencil8,
    /// A 32-bit float depth and an 8-bit stencil.
    Depth32Stencil8,
}

impl Format {
    pub(crate) fn raw(self) -> vk::Format {
        match self {
            Self::F32x4 => vk::Format::R32G32B32A32_SFLOAT,
            Self::Uint => vk::Format::R32_UINT,
            Self::Uint2 => vk::Format::R32G32_UINT,
            Self::Depth16 => vk::Format::D16_UNORM,
            Self::Depth24 => vk::Format::X8_D24_UNORM_PACK32,
            Self::Depth32 => vk::Format::D32_SFLOAT,
            Self::Depth24Stencil8 => vk::Format::D24_UNORM_S8_UINT,
            Self::Depth32Stencil8 => vk::Format::D32_SFLOAT_S8_UINT,
        }
    }

    /// Whether it holds depth.
    pub fn is_depth(self) -> bool {
        !matches!(self, Self::F32x4 | Self::Uint | Self::Uint2)
    }

    /// Whether it holds a stencil.
    pub fn has_stencil(self) -> bool {
        matches!(self, Self::Depth24Stencil8 | Self::Depth32Stencil8)
    }

    /// Bytes of a pixel, about.
    fn bytes(self) -> u64 {
        match self {
            Self::F32x4 => 16,
            Self::Uint2 => 8,
            Self::Depth16 => 2,
            _ => 4,
        }
    }

    /// What an attachment of this format holds, as Vulkan says it.
    pub(crate) fn aspects(self) -> vk::ImageAspectFlags {
        match (self.is_depth(), self.has_stencil()) {
            (false, _) => vk::ImageAspectFlags::COLOR,
            (true, false) => vk::ImageAspectFlags::DEPTH,
            (true, true) => vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL,
        }
    }

    /// The layout between passes, in which kernels read.
    pub(crate) fn resting(self) -> vk::ImageLayout {
        if self.is_depth() {
            vk::ImageLayout::DEPTH_STENCIL_READ_ONLY_OPTIMAL
        } else {
            vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL
        }
    }

    fn usage(self) -> vk::ImageUsageFlags {
        let drawn = if self.is_depth() {
            vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT
        } else {
            vk::ImageUsageFlags::COLOR_ATTACHMENT
        };
        drawn | vk::ImageUsageFlags::SAMPLED
    }

    /// What a device must be able to do with it.
    pub(crate) fn needed(self) -> vk::FormatFeatureFlags {
        let drawn = if self.is_depth() {
            vk::FormatFeatureFlags::DEPTH_STENCIL_ATTACHMENT
        } else {
            vk::FormatFeatureFlags::COLOR_ATTACHMENT
        };
        drawn | vk::FormatFeatureFlags::SAMPLED_IMAGE
    }
}

/// An image to draw into, with its memory and views.
pub struct Attachment {
    device: Arc<Device>,
    pub(crate) raw: vk::Image,
    /// All aspects, to draw into.
    pub(crate) view: vk::ImageView,
    /// Colour or depth, to read from.
    pub(crate) sampled: vk::ImageView,
    allocation: Option<Allocation>,
    _charge: Charge,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// What a pixel holds.
    pub format: Format,
}

impl Attachment {
    /// Allocates an image for `what`. Its contents are undefined until a pass clears it.
    pub fn new(device: &Arc<Device>, format: Format, size: [u32; 2], what: &str) -> Result<Self> {
        let limit = device.limits().max_framebuffer;
        if let Some(side) = size.iter().find(|side| **side == 0 || **side > limit) {
            return Err(Error::Unsupported(format!(
                "{what} would be {} x {} pixels; \"{}\" allows sides of 1 to {limit}, not {side}",
                size[0], size[1], device.physical.name
            )));
        }
        if !device.draws(format) {
            return Err(Error::Unsupported(format!(
                "{what}: \"{}\" cannot draw into {:?}; choose another format",
                device.physical.name,
                format.raw()
            )));
        }
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(format.raw())
            .extent(vk::Extent3D {
                width: size[0],
                height: size[1],
                depth: 1,
            })
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(format.usage());
        let bytes = u64::from(size[0]) * u64::from(size[1]) * format.bytes();
        let charge = device.used.charge(MemoryKind::Picture, bytes, what)?;
        // SAFETY: the device is alive; format, usage and size were checked.
        let raw = unsafe { device.vulkan().raw.create_image(&info, callbacks()) }
            .map_err(allocation::refused("vkCreateImage", what, bytes))?;
        let mut attachment = Self {
            device: device.clone(),
            raw,
            view: vk::ImageView::null(),
            sampled: vk::ImageView::null(),
            allocation: None,
            _charge: charge,
            size,
            format,
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
        attachment.allocation = Some(allocation);
        device.counters.count(Counted::Creation);
        bound.map_err(failed("vkBindImageMemory"))?;
        attachment.view = attachment.view_of(format.aspects())?;
        let read = format.aspects() & !vk::ImageAspectFlags::STENCIL;
        attachment.sampled = attachment.view_of(read)?;
        let names = &device.vulkan().names;
        names.name(attachment.view, what);
        names.name(attachment.sampled, what);
        Ok(attachment)
    }

    fn view_of(&self, aspects: vk::ImageAspectFlags) -> Result<vk::ImageView> {
        let info = vk::ImageViewCreateInfo::default()
            .image(self.raw)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(self.format.raw())
            .subresource_range(
                vk::ImageSubresourceRange::default()
                    .aspect_mask(aspects)
                    .level_count(1)
                    .layer_count(1),
            );
        // SAFETY: the image is bound and alive.
        unsafe {
            self.device
                .vulkan()
                .raw
                .create_image_view(&info, callbacks())
        }
        .map_err(failed("vkCreateImageView"))
    }
}

impl Drop for Attachment {
    fn drop(&mut self) {
        let raw = &self.device.vulkan().raw;
        // SAFETY: whoever submitted work that uses this image kept it alive until the work was done.
        unsafe {
            raw.destroy_image_view(self.sampled, callbacks());
            raw.destroy_image_view(self.view, callbacks());
            raw.destroy_image(self.raw, callbacks());
        }
        allocation::free(&self.device, self.allocation.take());
    }
}
