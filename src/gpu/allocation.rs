//! Device memory behind buffers and images: allocated for a purpose, given back when they go.

use super::device::Device;
use super::failed;
use crate::error::{Error, Result};
use crate::lock::lock;
use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};

/// Memory that a buffer asks for.
pub(crate) fn for_buffer(
    device: &Device,
    buffer: vk::Buffer,
    location: MemoryLocation,
    what: &str,
) -> Result<Allocation> {
    // SAFETY: the caller just created the buffer on this device.
    let requirements = unsafe { device.vulkan().raw.get_buffer_memory_requirements(buffer) };
    allocate(device, requirements, location, true, what)
}

/// Memory that an image asks for.
pub(crate) fn for_image(device: &Device, image: vk::Image, what: &str) -> Result<Allocation> {
    // SAFETY: the caller just created the image on this device.
    let requirements = unsafe { device.vulkan().raw.get_image_memory_requirements(image) };
    allocate(device, requirements, MemoryLocation::GpuOnly, false, what)
}

fn allocate(
    device: &Device,
    requirements: vk::MemoryRequirements,
    location: MemoryLocation,
    linear: bool,
    what: &str,
) -> Result<Allocation> {
    lock(&device.vulkan().memory)
        .allocate(&AllocationCreateDesc {
            name: what,
            requirements,
            location,
            linear,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        })
        .map_err(|_| no_room(what, requirements.size))
}

/// Gives memory back; what was bound to it is gone.
pub(crate) fn free(device: &Device, allocation: Option<Allocation>) {
    if let Some(allocation) = allocation {
        let mut memory = lock(&device.vulkan().memory);
        let _ = memory.free(allocation);
    }
}

/// Turns a failed creation into an [`Error`] that tells the purpose and the size where Vulkan only said that there is
/// no memory.
pub(crate) fn refused(
    call: &'static str,
    what: &str,
    bytes: u64,
) -> impl FnOnce(vk::Result) -> Error {
    move |result| match result {
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => no_room(what, bytes),
        other => failed(call)(other),
    }
}

pub(crate) fn no_room(what: &str, bytes: u64) -> Error {
    Error::OutOfDeviceMemory {
        what: what.to_owned(),
        bytes,
    }
}
