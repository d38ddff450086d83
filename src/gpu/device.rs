//! A device, and what lives as long as it does: one of Vulkan, opened by Proxel or adopted from the engine, or the host itself.

use super::adopted::Adopted;
use super::attachment::Format;
use super::callbacks::callbacks;
use super::charge::{MemoryReport, MemoryUse};
use super::contraction::Contraction;
use super::counts::{Counters, Counts};
use super::failed;
use super::filter::Filter;
use super::host::{self, HostQueue};
use super::image::Voxel;
use super::messages::Messenger;
use super::paths::{Choice, Choices, DeviceFeature, Paths};
use super::physical::{DeviceRequest, Physical, choose};
use super::pipeline::Kernels;
use super::queue::{Moment, Queue, QueueLock};
use super::raster::Rasters;
use super::shader::Shader;
use super::share::Spread;
use crate::error::{Error, Result, invalid};
use crate::interrupt;
use crate::lock::lock;
use crate::log::{Log, Severity};
use crate::workers::Workers;
use ash::{ext, khr, vk};
use gpu_allocator::vulkan::{Allocator, AllocatorCreateDesc};
use std::ffi::{CStr, c_char};
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
    filters: [OnceLock<Filter>; Voxel::COUNT],
    backend: Backend,
}

/// What runs the commands.
enum Backend {
    Vulkan(Box<VulkanObjects>),
    Host(HostQueue),
}

/// The Vulkan objects of a device.
pub(crate) struct VulkanObjects {
    pub(crate) raw: ash::Device,
    pub(crate) queue: Queue,
    pub(crate) kernels: Kernels,
    pub(crate) rasters: Rasters,
    pub(crate) samplers: Samplers,
    pub(crate) memory: Mutex<ManuallyDrop<Allocator>>,
    adopted: bool,
    instance: ash::Instance,
    messenger: Option<Messenger>,
    // The loader's library must stay mapped while anything above is alive.
    _entry: ash::Entry,
}

/// The most invocations of a workgroup whose number is left open: what shared memory is reckoned for in `band_scatter.comp`.
const MOST_OPEN_LANES: u32 = 32;

const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

impl Device {
    /// Opens a device of Proxel's own.
    pub fn open(options: &Options) -> Result<Arc<Self>> {
        // SAFETY: loading the system's Vulkan loader runs its initialisers, which every Vulkan program relies on.
        let entry = unsafe { ash::Entry::load() }.map_err(|e| Error::NoVulkan(e.to_string()))?;
        let (instance, messenger) = create_instance(&entry, options)?;
        let opened = Self::open_on(&instance, options);
        let (physical, paths, raw) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                if let Some(messenger) = messenger {
                    messenger.destroy();
                }
                // SAFETY: nothing was created on this instance.
                unsafe { instance.destroy_instance(callbacks()) };
                return Err(error);
            }
        };
        let family = physical
            .queue_family
            .expect("choose() takes only devices with a family");
        // SAFETY: the device was created with one queue of this family.
        let queue = unsafe { raw.get_device_queue(family, 0) };
        let parts = Parts {
            entry,
            instance,
            messenger,
            physical,
            paths,
            raw,
            adopted: false,
            robust: true,
        };
        parts.assemble(queue, family, QueueLock::own(), options)
    }

    fn open_on(
        instance: &ash::Instance,
        options: &Options,
    ) -> Result<(Physical, Paths, ash::Device)> {
        // SAFETY: the instance is alive, and every handle comes from it.
        let devices = unsafe {
            let raw = instance
                .enumerate_physical_devices()
                .map_err(failed("vkEnumeratePhysicalDevices"))?;
            raw.into_iter()
                .map(|d| Physical::query(instance, d))
                .collect::<Result<Vec<_>>>()?
        };
        let physical = choose(devices, &options.wanted)?;
        let paths = Paths::settle(|f| physical.offers(f), &options.choices, &physical.name)?;
        let device = create_device(instance, &physical, &paths)?;
        Ok((physical, paths, device))
    }

    /// Takes the engine's device.
    ///
    /// # Safety
    /// The handles are valid, belong together, and outlive the returned device.
    pub unsafe fn adopt(adopted: Adopted, options: Options) -> Result<Arc<Self>> {
        let static_fn = ash::StaticFn {
            get_instance_proc_addr: adopted.get_instance_proc_addr,
        };
        // SAFETY: by the caller's promise.
        let (entry, instance, raw, mut physical) = unsafe {
            let entry = ash::Entry::from_static_fn(static_fn.clone());
            let instance = ash::Instance::load(&static_fn, adopted.instance);
            let raw = ash::Device::load(instance.fp_v1_0(), adopted.device);
            let physical = Physical::query(&instance, adopted.physical)?;
            (entry, instance, raw, physical)
        };
        physical.api_version = physical.api_version.min(adopted.api_version);
        physical.timeline_semaphore = adopted.enabled.timeline_semaphore;
        let family = adopted.queue_family;
        match physical.fit_families.get(family as usize) {
            Some(true) => physical.queue_family = Some(family),
            Some(false) => physical.queue_family = None,
            None => {
                return Err(invalid(format!(
                    "queue_family is {family}, but \"{}\" has {} queue families",
                    physical.name,
                    physical.fit_families.len()
                )));
            }
        }
        let missing = physical.missing();
        if !missing.is_empty() {
            return Err(Error::Unsupported(format!(
                "the adopted device \"{}\" was created without {}; enable it in vkCreateDevice and say so in \
                 enabled_features",
                physical.name,
                missing.join(", ")
            )));
        }
        let enabled = adopted.enabled;
        let on = |feature| match feature {
            DeviceFeature::DepthBounds => enabled.core.depth_bounds == vk::TRUE,
            DeviceFeature::GeometryShader => enabled.core.geometry_shader == vk::TRUE,
            DeviceFeature::ConservativeRasterization => {
                enabled.has_extension(ext::conservative_rasterization::NAME)
            }
            DeviceFeature::Subgroups => enabled.subgroup_sizes && physical.offers(feature),
            DeviceFeature::FloatAtomics => {
                enabled.float_atomic_add && enabled.has_extension(ext::shader_atomic_float::NAME)
            }
            DeviceFeature::PreciseOcclusion => enabled.core.occlusion_query_precise == vk::TRUE,
            DeviceFeature::FragmentStores => enabled.core.fragment_stores_and_atomics == vk::TRUE,
        };
        let paths = Paths::settle(
            on,
            &options.choices,
            &format!("the adopted device \"{}\"", physical.name),
        )?;
        let robust = enabled.core.robust_buffer_access == vk::TRUE;
        if !robust {
            options.log.say(
                Severity::Info,
                "the adopted device has robustBufferAccess off: indices are checked here only",
            );
        }
        let parts = Parts {
            entry,
            instance,
            messenger: None,
            physical,
            paths,
            raw,
            adopted: true,
            robust,
        };
        parts.assemble(adopted.queue, family, adopted.lock, &options)
    }

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

    /// Refuses the host, which draws nothing.
    pub fn check_draws(&self, what: &str) -> Result<()> {
        if self.is_host() {
            return Err(Error::Unsupported(format!(
                "{what} draws, which the host device does not; choose what AUTO takes, or a Vulkan device"
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
        matches!(
            self.physical.kind,
            vk::PhysicalDeviceType::INTEGRATED_GPU | vk::PhysicalDeviceType::CPU
        )
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

/// The Vulkan objects of a device that is not assembled yet.
struct Parts {
    entry: ash::Entry,
    instance: ash::Instance,
    messenger: Option<Messenger>,
    physical: Physical,
    paths: Paths,
    raw: ash::Device,
    adopted: bool,
    robust: bool,
}

impl Parts {
    fn assemble(
        self,
        queue: vk::Queue,
        family: u32,
        lock: QueueLock,
        options: &Options,
    ) -> Result<Arc<Device>> {
        let made = self.make_rest(queue, family, lock, options);
        match made {
            Ok((queue, kernels, samplers, memory)) => {
                options.log.say(
                    Severity::Info,
                    &format!("{} ({})", self.physical.name, self.physical.driver),
                );
                Ok(Arc::new(Device {
                    physical: self.physical,
                    paths: self.paths,
                    adopted: self.adopted,
                    robust: self.robust,
                    log: options.log.clone(),
                    counters: Counters::default(),
                    used: Arc::default(),
                    trial: options.trial,
                    filters: Default::default(),
                    backend: Backend::Vulkan(Box::new(VulkanObjects {
                        raw: self.raw,
                        queue,
                        kernels,
                        rasters: Rasters::default(),
                        samplers,
                        memory: Mutex::new(ManuallyDrop::new(memory)),
                        adopted: self.adopted,
                        instance: self.instance,
                        messenger: self.messenger,
                        _entry: self.entry,
                    })),
                }))
            }
            Err(error) => {
                if !self.adopted {
                    // SAFETY: `make_rest` left nothing on the device.
                    unsafe { self.raw.destroy_device(callbacks()) };
                    if let Some(messenger) = self.messenger {
                        messenger.destroy();
                    }
                    // SAFETY: the device is gone, so nothing is left on the instance.
                    unsafe { self.instance.destroy_instance(callbacks()) };
                }
                Err(error)
            }
        }
    }

    fn make_rest(
        &self,
        queue: vk::Queue,
        family: u32,
        lock: QueueLock,
        options: &Options,
    ) -> Result<(Queue, Kernels, Samplers, Allocator)> {
        let description = AllocatorCreateDesc {
            instance: self.instance.clone(),
            device: self.raw.clone(),
            physical_device: self.physical.raw,
            debug_settings: Default::default(),
            buffer_device_address: false,
            allocation_sizes: Default::default(),
        };
        let memory = Allocator::new(&description).map_err(|e| Error::Vulkan {
            call: "the device memory allocator",
            result: e.to_string(),
        })?;
        let kernels = Kernels::new(
            &self.raw,
            &self.physical,
            &options.pipeline_cache,
            &options.log,
        )?;
        let samplers = match Samplers::new(&self.raw) {
            Ok(samplers) => samplers,
            Err(error) => {
                kernels.destroy(&self.raw);
                return Err(error);
            }
        };
        match Queue::new(&self.raw, queue, family, lock) {
            Ok(queue) => Ok((queue, kernels, samplers, memory)),
            Err(error) => {
                kernels.destroy(&self.raw);
                // SAFETY: nothing was sampled yet.
                unsafe { samplers.destroy(&self.raw) };
                Err(error)
            }
        }
    }
}

/// How images are read, clamped at their edges.
pub(crate) struct Samplers {
    /// Linear between voxels: fields.
    pub(crate) linear: vk::Sampler,
    /// Texel by texel: what passes have drawn.
    pub(crate) nearest: vk::Sampler,
}

impl Samplers {
    fn new(device: &ash::Device) -> Result<Self> {
        let linear = create_sampler(device, vk::Filter::LINEAR)?;
        // SAFETY: nothing was sampled yet.
        let nearest = create_sampler(device, vk::Filter::NEAREST)
            .inspect_err(|_| unsafe { device.destroy_sampler(linear, callbacks()) })?;
        Ok(Self { linear, nearest })
    }

    /// # Safety
    /// Nothing uses the samplers any more.
    unsafe fn destroy(&self, device: &ash::Device) {
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

fn create_instance(
    entry: &ash::Entry,
    options: &Options,
) -> Result<(ash::Instance, Option<Messenger>)> {
    // SAFETY: the entry points are loaded.
    let version = unsafe { entry.try_enumerate_instance_version() }
        .map_err(failed("vkEnumerateInstanceVersion"))?
        .unwrap_or(vk::API_VERSION_1_0);
    if version < vk::API_VERSION_1_2 {
        return Err(Error::NoVulkan(
            "the loader is older than Vulkan 1.2".into(),
        ));
    }
    let layers: Vec<*const c_char> = if options.validation {
        // SAFETY: the entry points are loaded.
        let known = unsafe { entry.enumerate_instance_layer_properties() }
            .map_err(failed("vkEnumerateInstanceLayerProperties"))?;
        if !known
            .iter()
            .any(|l| l.layer_name_as_c_str() == Ok(VALIDATION_LAYER))
        {
            return Err(invalid(
                "validation was asked for, but the loader does not know VK_LAYER_KHRONOS_validation; install \
                 vulkan-validationlayers",
            ));
        }
        vec![VALIDATION_LAYER.as_ptr()]
    } else {
        Vec::new()
    };
    // SAFETY: as above.
    let known = unsafe { entry.enumerate_instance_extension_properties(None) }
        .map_err(failed("vkEnumerateInstanceExtensionProperties"))?;
    let debug = options.log.wants(Severity::Error)
        && known
            .iter()
            .any(|e| e.extension_name_as_c_str() == Ok(ext::debug_utils::NAME));
    let mut extensions = Vec::new();
    if debug {
        extensions.push(ext::debug_utils::NAME.as_ptr());
    }
    // Drivers on top of another API, as MoltenVK on Metal, are shown only to those who ask for them.
    let portability = khr::portability_enumeration::NAME;
    let flags = match known
        .iter()
        .any(|e| e.extension_name_as_c_str() == Ok(portability))
    {
        true => {
            extensions.push(portability.as_ptr());
            vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR
        }
        false => vk::InstanceCreateFlags::empty(),
    };

    let application = vk::ApplicationInfo::default()
        .engine_name(c"Proxel")
        .application_name(c"Proxel")
        .api_version(version.min(vk::API_VERSION_1_3));
    let info = vk::InstanceCreateInfo::default()
        .flags(flags)
        .application_info(&application)
        .enabled_layer_names(&layers)
        .enabled_extension_names(&extensions);
    // SAFETY: the layers and extensions were found above; the strings are static.
    let instance = unsafe { entry.create_instance(&info, callbacks()) }.map_err(|e| match e {
        vk::Result::ERROR_INCOMPATIBLE_DRIVER => Error::NoDevice(
            "the Vulkan loader found no driver; install one (mesa-vulkan-drivers has a software one)".into(),
        ),
        other => failed("vkCreateInstance")(other),
    })?;
    let messenger = if debug {
        Messenger::listen(entry, &instance, &options.log)
    } else {
        None
    };
    Ok((instance, messenger))
}

fn create_device(
    instance: &ash::Instance,
    physical: &Physical,
    paths: &Paths,
) -> Result<ash::Device> {
    let family = physical
        .queue_family
        .expect("choose() takes only devices with a family");
    let queues = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(family)
        .queue_priorities(&[1.0])];
    // GPU-assisted validation reports accesses out of bounds only where robustness does not make them legal.
    let watched = cfg!(debug_assertions) && std::env::var_os("PROXEL_GPU_ASSISTED").is_some();
    let core = vk::PhysicalDeviceFeatures::default()
        .robust_buffer_access(!watched)
        .depth_bounds(paths.on(DeviceFeature::DepthBounds))
        .geometry_shader(paths.on(DeviceFeature::GeometryShader))
        .occlusion_query_precise(paths.on(DeviceFeature::PreciseOcclusion))
        .fragment_stores_and_atomics(paths.on(DeviceFeature::FragmentStores));
    let mut timeline =
        vk::PhysicalDeviceTimelineSemaphoreFeatures::default().timeline_semaphore(true);
    let mut atomics = vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT::default()
        .shader_buffer_float32_atomic_add(true);
    let mut extensions = Vec::new();
    let mut info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_features(&core)
        .push_next(&mut timeline);
    if paths.on(DeviceFeature::FloatAtomics) {
        extensions.push(ext::shader_atomic_float::NAME.as_ptr());
        info = info.push_next(&mut atomics);
    }
    let mut subgroup_sizes = vk::PhysicalDeviceSubgroupSizeControlFeatures::default()
        .subgroup_size_control(true)
        .compute_full_subgroups(true);
    if paths.on(DeviceFeature::Subgroups) {
        // Part of Vulkan 1.3; before, and with a loader of before, an extension.
        if physical.has_extension(ext::subgroup_size_control::NAME) {
            extensions.push(ext::subgroup_size_control::NAME.as_ptr());
        }
        info = info.push_next(&mut subgroup_sizes);
    }
    if paths.on(DeviceFeature::ConservativeRasterization) {
        extensions.push(ext::conservative_rasterization::NAME.as_ptr());
    }
    // A device that lists it must be created with it. None of what it may lack is used: no triangle fans, no point polygons,
    // no separate stencil references, no views in another format.
    if physical.has_extension(khr::portability_subset::NAME) {
        extensions.push(khr::portability_subset::NAME.as_ptr());
    }
    let info = info.enabled_extension_names(&extensions);
    // SAFETY: everything that is enabled was offered by this physical device.
    unsafe { instance.create_device(physical.raw, &info, callbacks()) }
        .map_err(failed("vkCreateDevice"))
}
