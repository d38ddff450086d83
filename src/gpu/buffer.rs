//! Device memory with a purpose.

use super::callbacks::callbacks;
use super::charge::{Charge, MemoryKind};
use super::counts::Counted;
use super::device::Device;
use super::native::{HostBytes, HostMemory};
use super::{allocation, failed};
use crate::error::Result;
use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::Allocation;
use std::sync::Arc;

/// Who reads and writes a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Written and read by the device.
    Device,
    /// Written by the host, copied from by the device.
    Staging,
    /// Written by the device, read by the host.
    Readback,
}

impl Role {
    fn location(self) -> MemoryLocation {
        match self {
            Self::Device => MemoryLocation::GpuOnly,
            Self::Staging => MemoryLocation::CpuToGpu,
            Self::Readback => MemoryLocation::GpuToCpu,
        }
    }

    /// What its memory is for, if nobody says otherwise.
    fn kind(self) -> MemoryKind {
        match self {
            Self::Device => MemoryKind::Working,
            Self::Staging => MemoryKind::Staging,
            Self::Readback => MemoryKind::Answer,
        }
    }

    fn usage(self) -> vk::BufferUsageFlags {
        let storage = vk::BufferUsageFlags::STORAGE_BUFFER;
        match self {
            Self::Device => {
                storage
                    | vk::BufferUsageFlags::TRANSFER_DST
                    | vk::BufferUsageFlags::TRANSFER_SRC
                    | vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER
                    | vk::BufferUsageFlags::UNIFORM_BUFFER
                    | vk::BufferUsageFlags::VERTEX_BUFFER
                    | vk::BufferUsageFlags::INDEX_BUFFER
                    | vk::BufferUsageFlags::INDIRECT_BUFFER
            }
            Self::Staging => vk::BufferUsageFlags::TRANSFER_SRC,
            Self::Readback => storage | vk::BufferUsageFlags::TRANSFER_DST,
        }
    }
}

/// What a texel of a buffer's view holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Texel {
    /// Four floats.
    Float4,
    /// An unsigned integer.
    Uint,
    /// Four unsigned integers.
    Uint4,
}

impl Texel {
    fn bytes(self) -> u64 {
        match self {
            Self::Float4 | Self::Uint4 => 16,
            Self::Uint => 4,
        }
    }

    fn format(self) -> vk::Format {
        match self {
            Self::Float4 => vk::Format::R32G32B32A32_SFLOAT,
            Self::Uint => vk::Format::R32_UINT,
            Self::Uint4 => vk::Format::R32G32B32A32_UINT,
        }
    }
}

/// A buffer with its memory. Host-visible ones stay mapped.
pub struct Buffer {
    device: Arc<Device>,
    pub(crate) raw: vk::Buffer,
    allocation: Option<Allocation>,
    texels: Option<TexelView>,
    /// What it is on a device that is the host.
    host: Option<HostBytes>,
    charge: Charge,
    /// Bytes.
    pub size: u64,
}

/// A view of a buffer through which shaders read texels. It must not outlive the buffer.
pub struct TexelView {
    device: Arc<Device>,
    pub(crate) raw: vk::BufferView,
}

impl Drop for TexelView {
    fn drop(&mut self) {
        // SAFETY: whoever submitted work that uses this view kept it alive until the work was done.
        unsafe {
            self.device
                .vulkan()
                .raw
                .destroy_buffer_view(self.raw, callbacks())
        };
    }
}

impl Buffer {
    /// Allocates `size` bytes (at least four) for `what`.
    pub fn new(device: &Arc<Device>, role: Role, size: u64, what: &str) -> Result<Self> {
        let size = size.max(4);
        let charge = device.used.charge(role.kind(), size, what)?;
        if device.is_host() {
            return Self::on_host(device, charge, size, what);
        }
        let info = vk::BufferCreateInfo::default()
            .size(size)
            .usage(role.usage());
        // SAFETY: the device is alive.
        let raw = unsafe { device.vulkan().raw.create_buffer(&info, callbacks()) }
            .map_err(allocation::refused("vkCreateBuffer", what, size))?;
        let mut buffer = Self {
            device: device.clone(),
            raw,
            allocation: None,
            texels: None,
            host: None,
            charge,
            size,
        };
        device.vulkan().names.name(raw, what);
        let allocation = allocation::for_buffer(device, raw, role.location(), what)?;
        // SAFETY: the allocation fits the requirements and nothing else is bound there.
        let bound = unsafe {
            device
                .vulkan()
                .raw
                .bind_buffer_memory(raw, allocation.memory(), allocation.offset())
        };
        buffer.allocation = Some(allocation);
        device.counters.count(Counted::Creation);
        bound.map_err(allocation::refused("vkBindBufferMemory", what, size))?;
        Ok(buffer)
    }

    /// Memory of the host. A role says nothing there.
    fn on_host(device: &Arc<Device>, charge: Charge, size: u64, what: &str) -> Result<Self> {
        let refused = || allocation::no_room(what, size);
        let bytes = usize::try_from(size).map_err(|_| refused())?;
        device.counters.count(Counted::Creation);
        Ok(Self {
            device: device.clone(),
            raw: vk::Buffer::null(),
            allocation: None,
            texels: None,
            host: Some(HostBytes::new(bytes).ok_or_else(refused)?),
            charge,
            size,
        })
    }

    /// Says what its memory is for.
    pub fn for_kind(mut self, kind: MemoryKind) -> Self {
        self.charge.move_to(kind);
        self
    }

    /// A device buffer that shaders can also read through a texel view, where it is small enough for one.
    pub fn with_texels(device: &Arc<Device>, texel: Texel, size: u64, what: &str) -> Result<Self> {
        let mut buffer = Self::new(device, Role::Device, size, what)?;
        buffer.texels = buffer.view(texel, 0, buffer.size)?;
        Ok(buffer)
    }

    /// A view of the part of a device buffer that starts after `offset` bytes, a multiple of 256; none where it
    /// has no texel or more than the device can hold.
    pub fn view(&self, texel: Texel, offset: u64, bytes: u64) -> Result<Option<TexelView>> {
        let count = bytes / texel.bytes();
        if count == 0 || count > self.device.max_texels() {
            return Ok(None);
        }
        let info = vk::BufferViewCreateInfo::default()
            .buffer(self.raw)
            .format(texel.format())
            .offset(offset)
            .range(count * texel.bytes());
        // SAFETY: the buffer allows texel views, the formats are mandatory for them, and the range is within limits.
        let raw = unsafe {
            self.device
                .vulkan()
                .raw
                .create_buffer_view(&info, callbacks())
        }
        .map_err(failed("vkCreateBufferView"))?;
        self.device.vulkan().names.name(raw, "texels");
        self.device.counters.count(Counted::Creation);
        Ok(Some(TexelView {
            device: self.device.clone(),
            raw,
        }))
    }

    /// The texel view, where there is one.
    pub(crate) fn texels(&self) -> Option<&TexelView> {
        self.texels.as_ref()
    }

    /// `bytes` of it after `offset`, on a device that is the host.
    pub(crate) fn host_part(&self, offset: u64, bytes: u64) -> Option<HostMemory> {
        let part = |host: &HostBytes| host.part(offset as usize, bytes as usize);
        self.host.as_ref().map(part)
    }

    /// The mapped bytes of a host-visible buffer.
    pub fn bytes(&self) -> &[u8] {
        if let Some(host) = &self.host {
            return &host.values()[..self.size as usize];
        }
        let mapped = self.allocation.as_ref().and_then(Allocation::mapped_slice);
        &mapped.expect("a readback buffer is mapped")[..self.size as usize]
    }

    /// The mapped bytes of a host-visible buffer, to write.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let size = self.size as usize;
        if let Some(host) = &mut self.host {
            return &mut host.bytes_mut()[..size];
        }
        let mapped = self
            .allocation
            .as_mut()
            .and_then(Allocation::mapped_slice_mut);
        &mut mapped.expect("a staging buffer is mapped")[..size]
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.texels = None;
        if self.host.is_some() {
            return;
        }
        // SAFETY: whoever submitted work that uses this buffer kept it alive until the work was done.
        unsafe {
            self.device
                .vulkan()
                .raw
                .destroy_buffer(self.raw, callbacks())
        };
        allocation::free(&self.device, self.allocation.take());
    }
}
