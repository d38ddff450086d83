//! Opening a Vulkan device of Proxel's own, and taking the engine's.

use super::adopted::Adopted;
use super::callbacks::callbacks;
use super::counts::Counters;
use super::device::{Backend, Device, Options, VulkanObjects};
use super::failed;
use super::messages::Messenger;
use super::names::Names;
use super::paths::{DeviceFeature, Paths};
use super::physical::{Physical, choose};
use super::pipeline::Kernels;
use super::queue::{Queue, QueueLock};
use super::raster::Rasters;
use super::samplers::Samplers;
use crate::error::{Error, Result, invalid};
use crate::log::Severity;
use ash::{ext, khr, vk};
use gpu_allocator::vulkan::{Allocator, AllocatorCreateDesc};
use std::ffi::{CStr, c_char};
use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex};

const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

impl Device {
    /// Opens a device of Proxel's own.
    pub fn open(options: &Options) -> Result<Arc<Self>> {
        // SAFETY: loading the system's Vulkan loader runs its initialisers, which every Vulkan program relies on.
        let entry = unsafe { ash::Entry::load() }.map_err(|e| Error::NoVulkan(e.to_string()))?;
        let (instance, messenger, named) = create_instance(&entry, options)?;
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
            named,
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
        match physical.families.get(family as usize) {
            Some(given) => physical.queue_family = given.computes.then_some(family),
            None => {
                return Err(invalid(format!(
                    "queue_family is {family}, but \"{}\" has {} queue families",
                    physical.name,
                    physical.families.len()
                )));
            }
        }
        let missing = physical.missing();
        if !missing.is_empty() {
            return Err(Error::Unsupported(format!(
                "the adopted device \"{}\" is without {}; ask for Vulkan 1.2 in the instance, and give a queue of a family that \
                 computes",
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
            named: enabled.has_extension(ext::debug_utils::NAME),
        };
        parts.assemble(adopted.queue, family, adopted.lock, &options)
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
    /// Whether the instance has `VK_EXT_debug_utils`.
    named: bool,
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
                let names = match self.named {
                    true => Names::of(&self.instance, &self.raw),
                    false => Names::default(),
                };
                queue.name(&names);
                kernels.name(&names);
                samplers.name(&names);
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
                        names,
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
        match Queue::new(
            &self.raw,
            queue,
            family,
            lock,
            self.physical.timeline_semaphore,
        ) {
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

fn create_instance(
    entry: &ash::Entry,
    options: &Options,
) -> Result<(ash::Instance, Option<Messenger>, bool)> {
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
    let debug = known
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
    let messenger = if debug && options.log.wants(Severity::Error) {
        Messenger::listen(entry, &instance, &options.log)
    } else {
        None
    };
    Ok((instance, messenger, debug))
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
        .enabled_features(&core);
    if physical.timeline_semaphore {
        info = info.push_next(&mut timeline);
    }
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
