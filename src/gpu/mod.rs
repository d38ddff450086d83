//! The only place that names Vulkan: device, memory, pipelines, recording, readback; and the host in its place.

pub mod adopted;
mod allocation;
pub mod attachment;
mod bound;
pub mod buffer;
mod callbacks;
pub mod canvas;
pub mod charge;
mod clock;
pub mod contraction;
pub mod counts;
pub mod device;
pub mod filter;
mod host;
pub mod image;
pub mod interception;
mod limits;
mod made;
pub mod messages;
pub(crate) mod names;
pub mod native;
pub mod occlusion;
mod open;
mod order;
mod packed_spirv;
pub mod pass;
pub mod paths;
pub mod physical;
pub mod pipeline;
pub mod queue;
pub mod raster;
pub mod recorder;
mod samplers;
mod sets;
pub mod shader;
pub mod share;
pub mod staging;
mod stopwatch;

use crate::error::Error;
use ash::vk;

/// Turns a failed Vulkan call into an [`Error`].
pub(crate) fn failed(call: &'static str) -> impl Fn(vk::Result) -> Error {
    move |result| match result {
        vk::Result::ERROR_DEVICE_LOST => Error::DeviceLost(call),
        vk::Result::ERROR_OUT_OF_HOST_MEMORY => Error::OutOfHostMemory(call.to_owned()),
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => Error::OutOfDeviceMemory {
            what: call.to_owned(),
            bytes: 0,
        },
        other => Error::Vulkan {
            call,
            result: format!("{other:?}"),
        },
    }
}
