//! A device, and what lives as long as it does: one of Vulkan (`open.rs` opens or adopts it), or the host itself.

use super::attachment::Format;
use super::callbacks::callbacks;
use super::charge::{MemoryReport, MemoryUse};
use super::contraction::Contraction;
use super::counts::{Counters, Counts};
use super::filter::Filter;
use super::host::{self, HostQueue};
use super::image::Voxel;
use super::messages::Messenger;
use super::names::Names;
use super::paths::{Choice, Choices, Paths};
use super::physical::{DeviceRequest, Physical};
use super::pipeline::Kernels;
use super::queue::{Moment, Queue};
use super::raster::Rasters;
use super::samplers::Samplers;
use super::shader::Shader;
use super::share::Spread;
use crate::error::{Error, Result};
use crate::interrupt;
use crate::lock::lock;
use crate::log::{Log, Severity};
use crate::workers::Workers;
use ash::vk;
use gpu_allocator::vulkan::Allocator;
use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, OnceLock};

/// What the caller can say about any device.
pub struct Options {
    /// Which device to open. Ignored when adopting.
    pub wanted: DeviceRequest,
    /// Which optional features to take.
    pub choices: Choices,
    /// Whether queries run on the host, beside the device, where they are done sooner.
    pub beside: Choice,
    /// Ask for the Khronos validation layer. Ignored when adopting.
    pub validation: bool,
    /// What [`Device::pipeline_cache`] gave earlier, or nothing.
    pub pipeline_cache: Vec<u8>,
    /// What tests make of the device; nothing otherwise.
    pub trial: Trial,
    /// Where messages go.
    pub log: Log,
}

/// A device that is treated as another one, for tests to see that answers hold there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Trial {
    /// Steps between two voxels of a coarser filter than the device's, or 0.
    pub filter_steps: u32,
    /// For what kind of device dispatches are sized, if not for this one.
    pub spread: Option<Spread>,
    /// What compilers make of products that are added to something, if not what this one does.
    pub contraction: Option<Contraction>,
    /// Whether answers are copied to memory of the host's, as from a device that shares none with it.
    pub separate_memory: bool,
}

/// A device with its queue, memory and pipelines: of Vulkan, or the host itself. Thread-safe.
pub struct Device {
    /// What the physical device says of itself.
    pub physical: Physical,
    /// The path taken for each optional feature.
    pub paths: Paths,
    /// Whether the engine owns the Vulkan device.
    pub adopted: bool,
    /// Whether out-of-bounds buffer accesses are caught by the device.
    pub robust: bool,
    /// Where messages go.
    pub log: Log,
    pub(crate) counters: Counters,
    /// What it has given out.
    pub(crate) used: Arc<MemoryUse>,
    pub(crate) trial: Trial,
    pub(super) filters: [OnceLock<Filter>; Voxel::COUNT],
    pub(super) backend: Backend,
}

/// What runs the commands.
pub(super) enum Backend {
    Vulkan(Box<VulkanObjects>),
    Host(HostQueue),
}

/// The Vulkan objects of a device.
pub(crate) struct VulkanObjects {
    pub(crate) raw: ash::Device,
    pub(crate) names: Names,
    pub(crate) queue: Queue,
    pub(crate) kernels: Kernels,
    pub(crate) rasters: Rasters,
    pub(crate) samplers: Samplers,
    pub(crate) memory: Mutex<ManuallyDrop<Allocator>>,
    pub(super) adopted: bool,
    pub(super) instance: ash::Instance,
    pub(super) messenger: Option<Messenger>,
    // The loader's library must stay mapped while anything above is alive.
    pub(super) _entry: ash::Entry,
}

/// The most invocations of a workgroup whose number is left open: what shared memory is reckoned for in `band_scatter.comp`.
const MOST_OPEN_LANES: u32 = 32;

impl Device {
    /// The host itself, on the threads of `workers`.
    pub fn host(options: Options, workers: Arc<Workers>) -> Result<Arc<Self>> {
        let physical = host::physical();
        let paths = Paths::settle(|f| physical.offers(f), &options.choices, "the host device")?;
        let described = format!("{} ({})", physical.name, physical.driver);
        options.log.say(Severity::Info, &described);
        Ok(Self::native(paths, options.trial, options.log, workers))
    }

    /// The host beside this device.
    pub(crate) fn host_beside(&self, workers: Arc<Workers>) -> Arc<Self> {
        Self::native(Paths::none(), self.trial, self.log.clone(), workers)
    }

    fn native(paths: Paths, trial: Trial, log: Log, workers: Arc<Workers>) -> Arc<Self> {
        let queue = HostQueue::new(workers, log.clone());
        Arc::new(Self {
            physical: host::physical(),
            paths,
            adopted: false,
            robust: true,
            log,
            counters: Counters::default(),
            used: Arc::default(),
            trial,
            filters: Default::default(),
            backend: Backend::Host(queue),
        })
    }

    /// Whether it is the host itself.
    pub fn is_host(&self) -> bool {
        matches!(self.backend, Backend::Host(_))
    }

    /// Refuses the host and queues of compute alone, which draw nothing.
    pub fn check_draws(&self, what: &str) -> Result<()> {
        if self.is_host() {
            return Err(Error::Unsupported(format!(
                "{what} draws, which the host device does not; choose what AUTO takes, or a Vulkan device"
            )));
        }
        if !self.physical.draws() {
            return Err(Error::Unsupported(format!(
                "{what} draws, which queue family {} of \"{}\" does not; choose what AUTO takes, or a queue with graphics",
                self.vulkan().queue.family,
                self.physical.name
            )));
        }
        Ok(())
    }

    /// The Vulkan objects. Whoever asks has seen that this is not the host, or that it draws.
    pub(crate) fn vulkan(&self) -> &VulkanObjects {
        match &self.backend {
            Backend::Vulkan(vulkan) => vulkan,
            Backend::Host(_) => unreachable!("the host has no Vulkan objects"),
        }
    }

    /// The queue of the host, where it is the device.
    pub(crate) fn host_queue(&self) -> Option<&HostQueue> {
        match &self.backend {
            Backend::Vulkan(_) => None,
            Backend::Host(queue) => Some(queue),
        }
    }

    /// Whether debuggers may look at what is recorded.
    pub(crate) fn is_labelled(&self) -> bool {
        !self.is_host() && self.vulkan().names.are_seen()
    }

    /// Lets submitted work begin that nobody waits for.
    pub fn wake(&self) -> Result<()> {
        self.host_queue().map_or(Ok(()), HostQueue::wake)
    }

    /// Does on this thread what the engine's threads were offered and have not begun in time.
    pub fn run_overdue(&self) {
        if let Some(queue) = self.host_queue() {
            queue.run_overdue();
        }
    }

    /// How many pipelines were made so far.
    pub fn pipelines(&self) -> usize {
        match &self.backend {
            Backend::Vulkan(vulkan) => vulkan.kernels.count() + vulkan.rasters.count(),
            Backend::Host(_) => 0,
        }
    }

    /// The pipeline cache as a blob that a later context can start from; empty where nothing is compiled.
    pub fn pipeline_cache(&self) -> Result<Vec<u8>> {
        match &self.backend {
            Backend::Vulkan(vulkan) => vulkan.kernels.cache_data(&vulkan.raw),
            Backend::Host(_) => Ok(Vec::new()),
        }
    }

    /// Refuses a 3D texture format that this device cannot sample.
    pub(crate) fn check_format(&self, format: vk::Format, what: &str) -> Result<()> {
        let needed = vk::FormatFeatureFlags::SAMPLED_IMAGE
            | vk::FormatFeatureFlags::SAMPLED_IMAGE_FILTER_LINEAR;
        if self.can(format, needed) {
            return Ok(());
        }
        Err(Error::Unsupported(format!(
            "{what}: \"{}\" cannot sample {format:?} textures with linear filtering; choose another format",
            self.physical.name
        )))
    }

    /// Whether images of a format can be used so.
    pub(crate) fn can(&self, format: vk::Format, needed: vk::FormatFeatureFlags) -> bool {
        let Backend::Vulkan(vulkan) = &self.backend else {
            return false;
        };
        // SAFETY: the physical device belongs to the instance.
        let properties = unsafe {
            (vulkan.instance).get_physical_device_format_properties(self.physical.raw, format)
        };
        properties.optimal_tiling_features.contains(needed)
    }

    /// Whether attachments of a format can be drawn into and read.
    pub fn draws(&self, format: Format) -> bool {
        self.can(format.raw(), format.needed())
    }

    /// Whether colours of a format can be blended.
    pub fn blends(&self, format: Format) -> bool {
        self.can(format.raw(), vk::FormatFeatureFlags::COLOR_ATTACHMENT_BLEND)
    }

    /// How textures of a format are filtered, measured at the first call. The step is the larger of what was measured and what the
    /// device reports: a device that reports too much is found out, and one place between voxels does not speak for all.
    pub fn filter(self: &Arc<Self>, voxel: Voxel) -> Result<Filter> {
        if self.is_host() {
            return Ok(Filter::EXACT);
        }
        let known = &self.filters[voxel as usize];
        if let Some(filter) = known.get() {
            return Ok(*filter);
        }
        let measured = Filter::measured(self, voxel)?;
        let reported = (-(self.physical.limits.sub_texel_precision_bits as f32)).exp2();
        if measured.step > 1.5 * reported {
            self.log.say(
                Severity::Info,
                &format!(
                    "\"{}\" filters {voxel:?} in steps of {} of a cell, and reports {reported}",
                    self.physical.name, measured.step
                ),
            );
        }
        Ok(*known.get_or_init(|| Filter {
            step: measured.step.max(reported),
            ..measured
        }))
    }

    /// The limits that are reported to callers.
    pub fn limits(&self) -> Limits {
        let limits = &self.physical.limits;
        Limits {
            device_type: self.physical.kind.as_raw() as u32,
            max_texture_3d: limits.max_image_dimension3_d,
            max_framebuffer: limits
                .max_framebuffer_width
                .min(limits.max_framebuffer_height)
                .min(limits.max_image_dimension2_d),
        }
    }

    /// The largest storage buffer that a shader can see, in bytes.
    pub fn max_storage_bytes(&self) -> u64 {
        u64::from(self.physical.limits.max_storage_buffer_range)
    }

    /// Refuses `bytes` of `what` that no shader could see whole, and says what to do instead.
    pub fn check_storage(&self, bytes: u64, what: &str, instead: &str) -> Result<()> {
        if bytes <= self.max_storage_bytes() {
            return Ok(());
        }
        Err(Error::Unsupported(format!(
            "{bytes} bytes of {what} do not fit: \"{}\" reads at most {} bytes of a buffer; {instead}",
            self.physical.name,
            self.max_storage_bytes()
        )))
    }

    /// Invocations of a kernel's workgroup.
    pub(crate) fn lanes(&self, shader: &Shader) -> u32 {
        match (shader.workgroup, self.physical.required_subgroup) {
            ([1, 1, 1], Some(size)) if shader.subgroups => size,
            // As many as work side by side; barriers keep them together if they are more than that.
            ([1, 1, 1], _) => self.physical.subgroup_size.clamp(1, MOST_OPEN_LANES),
            ([x, y, z], _) => x * y * z,
        }
    }

    /// What offsets of storage buffers are multiples of, in bytes.
    pub fn storage_alignment(&self) -> u64 {
        self.physical
            .limits
            .min_storage_buffer_offset_alignment
            .max(4)
    }

    /// Whether host and device share one memory, so that answers need no copy.
    pub fn is_unified(&self) -> bool {
        let shared = matches!(
            self.physical.kind,
            vk::PhysicalDeviceType::INTEGRATED_GPU | vk::PhysicalDeviceType::CPU
        );
        shared && !self.trial.separate_memory
    }

    /// Storage buffers that a kernel can bind.
    pub fn max_storage_buffers(&self) -> u32 {
        let limits = &self.physical.limits;
        limits.max_per_stage_descriptor_storage_buffers
    }

    /// Whether threads of the library may submit, beside the calls of the engine.
    pub fn takes_submissions_from_threads(&self) -> bool {
        match &self.backend {
            Backend::Vulkan(vulkan) => !self.adopted || vulkan.queue.is_guarded(),
            Backend::Host(_) => true,
        }
    }

    /// How much was recorded and created since the device was opened.
    pub fn counts(&self) -> Counts {
        self.counters.read()
    }

    /// The memory in use.
    pub fn memory(&self) -> MemoryReport {
        let report = self.used.report();
        let reserved = match &self.backend {
            Backend::Vulkan(vulkan) => lock(&vulkan.memory).capacity(),
            Backend::Host(_) => report.total,
        };
        MemoryReport { reserved, ..report }
    }

    /// Refuses memory beyond so many bytes from now on.
    pub fn set_memory_budget(&self, bytes: u64) {
        self.used.set_budget(bytes);
    }

    /// Whether everything submitted up to `moment` has finished.
    pub fn reached(&self, moment: Moment) -> Result<bool> {
        match &self.backend {
            Backend::Vulkan(vulkan) => vulkan.queue.reached(&vulkan.raw, moment),
            Backend::Host(queue) => queue.reached(moment),
        }
    }

    /// Refuses a device that was lost.
    pub fn check(&self) -> Result<()> {
        match &self.backend {
            Backend::Vulkan(vulkan) => vulkan.queue.check(),
            Backend::Host(queue) => queue.check(),
        }
    }

    /// The latest moment that was submitted.
    pub fn submitted(&self) -> Moment {
        match &self.backend {
            Backend::Vulkan(vulkan) => vulkan.queue.submitted(),
            Backend::Host(queue) => queue.submitted(),
        }
    }

    /// Waits for `moment`, at most `nanoseconds`, and not when the call that this thread is in is to end.
    pub fn wait(&self, moment: Moment, nanoseconds: u64) -> Result<()> {
        match &self.backend {
            Backend::Vulkan(vulkan) => vulkan.queue.wait(&vulkan.raw, moment, nanoseconds),
            Backend::Host(queue) => queue.wait(moment, nanoseconds, interrupt::verify),
        }
    }

    /// Waits until what was submitted up to `moment` no longer uses anything, also on a lost device.
    pub fn settle(&self, moment: Moment) {
        let _ = self.finish(moment);
    }

    /// Waits for `moment`, whatever is cancelled, and where that fails until what it uses can be freed.
    pub fn finish(&self, moment: Moment) -> Result<()> {
        match &self.backend {
            Backend::Vulkan(vulkan) => vulkan.queue.finish(&vulkan.raw, moment),
            Backend::Host(queue) => queue.finish(moment),
        }
    }

    /// The largest texel buffer, in texels.
    pub fn max_texels(&self) -> u64 {
        u64::from(self.physical.limits.max_texel_buffer_elements)
    }
}

/// What a caller may want to know before asking for too much.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// `VkPhysicalDeviceType`.
    pub device_type: u32,
    /// The largest side of a 3D texture.
    pub max_texture_3d: u32,
    /// The largest side of a framebuffer.
    pub max_framebuffer: u32,
}

impl Drop for VulkanObjects {
    fn drop(&mut self) {
        // SAFETY: the last owner is here, so nothing else uses these handles. The queue is idle: whoever submits holds
        // an `Arc<Device>` until its work is done. The allocator goes before the device it frees memory on.
        unsafe {
            self.queue.destroy(&self.raw);
            self.rasters.destroy(&self.raw);
            self.kernels.destroy(&self.raw);
            self.samplers.destroy(&self.raw);
            let memory = self
                .memory
                .get_mut()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            ManuallyDrop::drop(memory);
            if self.adopted {
                return;
            }
            self.raw.destroy_device(callbacks());
            if let Some(messenger) = self.messenger.take() {
                messenger.destroy();
            }
            self.instance.destroy_instance(callbacks());
        }
    }
}
