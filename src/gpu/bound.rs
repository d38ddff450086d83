//! What bindings are given: ranges of buffers, and textures.

use super::attachment::Attachment;
use super::buffer::{Buffer, TexelView};
use super::device::Device;
use super::image::Image;
use super::native::HostMemory;
use ash::vk;

/// A buffer that the engine owns.
#[derive(Debug, Clone, Copy)]
pub struct ForeignBuffer(pub(crate) vk::Buffer);

impl ForeignBuffer {
    /// Names the engine's `VkBuffer` by its handle.
    pub fn from_handle(handle: u64) -> Self {
        use vk::Handle;
        Self(vk::Buffer::from_raw(handle))
    }

    /// A buffer of Proxel's, seen as an engine's; it must outlive its use here.
    pub fn of(buffer: &Buffer) -> Self {
        Self(buffer.raw)
    }
}

/// What the binding of a buffer is given: a range of it, and a texel view where it has one.
#[derive(Clone, Copy)]
pub struct Bound<'a> {
    buffer: vk::Buffer,
    offset: u64,
    bytes: u64,
    texels: Option<&'a TexelView>,
    /// Where it is on a device that is the host.
    host: Option<HostMemory>,
}

impl<'a> Bound<'a> {
    pub(crate) fn host_memory(&self) -> HostMemory {
        self.host.expect("native kernels run on the host's memory")
    }

    pub(crate) fn with_host_memory(self, memory: HostMemory) -> Self {
        Self {
            host: Some(memory),
            ..self
        }
    }

    /// A whole buffer.
    pub fn whole(buffer: &'a Buffer) -> Self {
        Self {
            buffer: buffer.raw,
            offset: 0,
            bytes: vk::WHOLE_SIZE,
            texels: buffer.texels(),
            host: buffer.host_part(0, buffer.size),
        }
    }

    /// `bytes` of a buffer after `offset`, a multiple of the device's storage alignment, and their texel view.
    pub fn part(
        buffer: &'a Buffer,
        offset: u64,
        bytes: u64,
        texels: Option<&'a TexelView>,
    ) -> Self {
        Self {
            buffer: buffer.raw,
            offset,
            bytes,
            texels,
            host: buffer.host_part(offset, bytes),
        }
    }

    /// `bytes` of the engine's buffer after `offset`, a multiple of the device's storage alignment.
    pub fn foreign(buffer: ForeignBuffer, offset: u64, bytes: u64) -> Self {
        Self {
            buffer: buffer.0,
            offset,
            bytes,
            texels: None,
            host: None,
        }
    }

    /// Whether kernels can read it through a texel view.
    pub fn has_texels(&self) -> bool {
        self.texels.is_some()
    }

    pub(super) fn texel_view(&self) -> Option<&TexelView> {
        self.texels
    }

    pub(super) fn buffer_info(&self) -> vk::DescriptorBufferInfo {
        vk::DescriptorBufferInfo::default()
            .buffer(self.buffer)
            .offset(self.offset)
            .range(self.bytes)
    }
}

/// What a binding of a texture is given.
#[derive(Clone, Copy)]
pub enum Texture<'a> {
    /// A texture with the linear sampler.
    Sampled(&'a Image),
    /// What a pass has drawn, to fetch texels of.
    Attachment(&'a Attachment),
}

impl Texture<'_> {
    pub(super) fn image_info(&self, device: &Device) -> vk::DescriptorImageInfo {
        let info = vk::DescriptorImageInfo::default();
        match self {
            Self::Sampled(image) => info
                .sampler(device.vulkan().samplers.linear)
                .image_view(image.view)
                .image_layout(Image::LAYOUT),
            Self::Attachment(attachment) => info
                .sampler(device.vulkan().samplers.nearest)
                .image_view(attachment.sampled)
                .image_layout(attachment.format.resting()),
        }
    }
}

/// What a binding is given.
#[derive(Clone, Copy)]
pub(crate) enum Resource<'a> {
    Buffer(Bound<'a>),
    Texture(Texture<'a>),
}
