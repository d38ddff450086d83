//! Stands between an engine and its Vulkan while the engine starts, for engines that let plugins do so, as Unity does.
//!
//! Vulkan cannot be asked later what a device was created with, and a queue has no lock of its own. Whoever sees the engine's
//! calls has both: the features that Proxel needs are asked for, what was enabled is remembered, the engine and Proxel take
//! turns on queues, and Proxel is off a device before the engine destroys it.

use super::adopted::{Adopted, Enabled, EngineHandles, GetInstanceProcAddr};
use super::queue::QueueLock;
use crate::error::{Error, Result};
use crate::lock::lock;
use ash::ext;
use ash::vk::{self, Handle};
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard};

/// What was seen of the engine's calls.
struct SeenCalls {
    /// The loader's entry point, or that of whoever stands between it and here.
    loader: Option<vk::PFN_vkGetInstanceProcAddr>,
    /// The engine's instances, and the Vulkan version of each.
    instances: Vec<(vk::Instance, u32)>,
    /// Whether all of them have `VK_EXT_debug_utils`.
    named: bool,
    devices: Vec<SeenDevice>,
    /// Called before a device goes.
    farewell: Option<fn(device: u64)>,
}

struct SeenDevice {
    raw: vk::Device,
    api_version: u32,
    enabled: Enabled,
}

static SEEN: Mutex<SeenCalls> = Mutex::new(SeenCalls {
    loader: None,
    instances: Vec::new(),
    named: true,
    devices: Vec::new(),
    farewell: None,
});

/// Held by whoever uses a queue of an intercepted device, the engine or Proxel.
static QUEUES: Mutex<()> = Mutex::new(());

fn seen() -> MutexGuard<'static, SeenCalls> {
    lock(&SEEN)
}

/// Takes the loader's entry point and gives the one that the engine shall use instead. `farewell` is called with a `VkDevice`
/// before the engine destroys it.
pub fn intercept(
    loader: Option<GetInstanceProcAddr>,
    farewell: fn(device: u64),
) -> Option<GetInstanceProcAddr> {
    let loader = loader?;
    let mut seen = seen();
    // SAFETY: both are vkGetInstanceProcAddr; `vk::Instance` is a transparent pointer.
    let raw = unsafe {
        std::mem::transmute::<GetInstanceProcAddr, vk::PFN_vkGetInstanceProcAddr>(loader)
    };
    seen.loader = Some(raw);
    seen.farewell = Some(farewell);
    // SAFETY: as above, the other way.
    Some(unsafe {
        std::mem::transmute::<vk::PFN_vkGetInstanceProcAddr, GetInstanceProcAddr>(
            get_instance_proc_addr,
        )
    })
}

/// Stops telling of devices that go. An engine that still has a device goes on calling the functions that it got, so they and what they
/// need stay.
pub fn release() {
    seen().farewell = None;
}

/// The engine's handles with what was seen when its device was created.
///
/// # Safety
/// The handles are null or valid and belong together.
pub unsafe fn adopt(handles: EngineHandles) -> Result<Adopted> {
    let known = {
        let seen = seen();
        let device = vk::Device::from_raw(handles.device as u64);
        let found = seen.devices.iter().find(|known| known.raw == device);
        found.map(|known| (known.api_version, known.enabled.clone(), seen.loader))
    };
    let Some((api_version, enabled, loader)) = known else {
        return Err(Error::Unsupported(
            "the engine created its device before Proxel was loaded, so nobody can tell what was enabled on it: let the engine \
             load Proxel when it starts (in Unity: select libproxel.so and tick Load on startup), or open a device of \
             Proxel's own by prx_context_create"
                .into(),
        ));
    };
    let lock = QueueLock::shared(&QUEUES);
    // SAFETY: by the caller's promise; no chain of features is passed.
    let mut adopted = unsafe {
        Adopted::new(EngineHandles {
            api_version,
            lock,
            ..handles
        })
    }?;
    // Not the engine's entry point: calls of Proxel's own must not come by here, where they would wait for themselves.
    adopted.get_instance_proc_addr = loader.unwrap_or(adopted.get_instance_proc_addr);
    adopted.enabled = enabled;
    Ok(adopted)
}

/// A function of the layer below.
unsafe fn below(instance: vk::Instance, name: &CStr) -> vk::PFN_vkVoidFunction {
    let loader = seen().loader?;
    // SAFETY: the loader's entry point, with an instance of its own or null.
    unsafe { loader(instance, name.as_ptr()) }
}

/// A function of the layer below, as what it is, for some instance that is alive.
macro_rules! below {
    ($instance:expr, $name:literal as $function:ty) => {{
        // SAFETY: the instance is the engine's, or null for functions that need none; the name tells the type.
        unsafe {
            below($instance, $name).map(|f| {
                std::mem::transmute::<unsafe extern "system" fn(), $function>(f)
            })
        }
    }};
}

/// Some instance that is alive: the loader's functions go by the handle that they are called with.
fn any_instance() -> vk::Instance {
    seen()
        .instances
        .last()
        .map_or(vk::Instance::null(), |(instance, _)| *instance)
}

// --- what the engine calls in place of the loader's functions ---------------------------------------------------------

unsafe extern "system" fn get_instance_proc_addr(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    if name.is_null() {
        return None;
    }
    // SAFETY: the engine passes a C string.
    let name = unsafe { CStr::from_ptr(name) };
    // SAFETY: the instance is the engine's.
    let real = unsafe { below(instance, name) };
    stand_in(name, real)
}

unsafe extern "system" fn get_device_proc_addr(
    device: vk::Device,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    if name.is_null() {
        return None;
    }
    let instance = any_instance();
    let ask = below!(
        instance,
        c"vkGetDeviceProcAddr" as vk::PFN_vkGetDeviceProcAddr
    )?;
    // SAFETY: the device is the engine's, and the name a C string.
    let (real, name) = unsafe { (ask(device, name), CStr::from_ptr(name)) };
    real?;
    // Of a function that is stood in for, the loader's own is kept, which serves every device.
    // SAFETY: the instance is the engine's.
    let general = unsafe { below(instance, name) };
    if is_stood_in_for(name) && general.is_some() {
        return stand_in(name, general);
    }
    real
}

unsafe extern "system" fn create_instance(
    info: *const vk::InstanceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Instance,
) -> vk::Result {
    let null = vk::Instance::null();
    let Some(real) = below!(null, c"vkCreateInstance" as vk::PFN_vkCreateInstance) else {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    };
    let mut offered = vk::API_VERSION_1_0;
    if let Some(ask) = below!(
        null,
        c"vkEnumerateInstanceVersion" as vk::PFN_vkEnumerateInstanceVersion
    ) {
        // SAFETY: the version is a local.
        let _ = unsafe { ask(&mut offered) };
    }
    // SAFETY: the engine passes a valid create info.
    let (mut raised, mut application) = unsafe {
        let application = (*info).p_application_info.as_ref();
        (*info, application.copied().unwrap_or_default())
    };
    let asked = application.api_version.max(vk::API_VERSION_1_0);
    let mut version = asked;
    // SAFETY: what the engine passed, or a copy of it with a version that the loader offers.
    let result = unsafe {
        if asked < vk::API_VERSION_1_2 && offered >= vk::API_VERSION_1_2 {
            version = vk::API_VERSION_1_2;
            application.api_version = version;
            raised.p_application_info = &application;
            match real(&raised, allocator, out) {
                vk::Result::SUCCESS => vk::Result::SUCCESS,
                _ => {
                    version = asked;
                    real(info, allocator, out)
                }
            }
        } else {
            real(info, allocator, out)
        }
    };
    if result == vk::Result::SUCCESS {
        let mut seen = seen();
        // SAFETY: a successful call wrote the instance, and the engine passed a valid create info.
        unsafe {
            seen.instances.push((*out, version));
            let info = &*info;
            let names = info.pp_enabled_extension_names;
            seen.named &= enabled_names(names, info.enabled_extension_count)
                .any(|name| name == ext::debug_utils::NAME);
        }
    }
    result
}

unsafe extern "system" fn destroy_instance(
    instance: vk::Instance,
    allocator: *const vk::AllocationCallbacks<'_>,
) {
    let real = below!(instance, c"vkDestroyInstance" as vk::PFN_vkDestroyInstance);
    seen().instances.retain(|(known, _)| *known != instance);
    if let Some(real) = real {
        // SAFETY: the engine's own call.
        unsafe { real(instance, allocator) };
    }
}

unsafe extern "system" fn create_device(
    physical: vk::PhysicalDevice,
    info: *const vk::DeviceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Device,
) -> vk::Result {
    let instance = any_instance();
    let Some(real) = below!(instance, c"vkCreateDevice" as vk::PFN_vkCreateDevice) else {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    };
    let api_version = {
        let seen = seen();
        let versions = seen.instances.iter().map(|(_, version)| *version);
        versions.min().unwrap_or(vk::API_VERSION_1_0)
    };
    let can = api_version >= vk::API_VERSION_1_2 && offers_timelines(instance, physical);
    // SAFETY: the engine passes a valid create info. Its chain is lengthened at the head, or, where it already speaks of
    // timeline semaphores, a switch in it is flipped for the time of the call.
    unsafe {
        let mut widened = *info;
        let mut timeline =
            vk::PhysicalDeviceTimelineSemaphoreFeatures::default().timeline_semaphore(true);
        let mut flipped = None;
        match timeline_switch(widened.p_next) {
            None if can => {
                timeline.p_next = widened.p_next.cast_mut();
                widened.p_next = (&raw const timeline).cast();
            }
            Some(switch) if can && *switch != vk::TRUE => {
                *switch = vk::TRUE;
                flipped = Some(switch);
            }
            _ => {}
        }
        let mut result = real(physical, &widened, allocator, out);
        if result == vk::Result::SUCCESS {
            remember_device(*out, api_version, &widened);
        }
        if let Some(switch) = flipped {
            *switch = vk::FALSE;
        }
        if result != vk::Result::SUCCESS && can {
            // The engine must start as it would have without Proxel.
            result = real(physical, info, allocator, out);
            if result == vk::Result::SUCCESS {
                remember_device(*out, api_version, &*info);
            }
        }
        result
    }
}

/// # Safety
/// `info` is what the device was created with.
unsafe fn remember_device(raw: vk::Device, api_version: u32, info: &vk::DeviceCreateInfo<'_>) {
    let named = seen().named.then_some(ext::debug_utils::NAME);
    // SAFETY: by the caller's promise.
    let enabled = unsafe {
        let names = info.pp_enabled_extension_names;
        let extensions = enabled_names(names, info.enabled_extension_count)
            .chain(named)
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        let mut enabled = Enabled::read(info.p_next, extensions);
        if let Some(core) = info.p_enabled_features.as_ref() {
            enabled.core = *core;
        }
        enabled
    };
    seen().devices.push(SeenDevice {
        raw,
        api_version,
        enabled,
    });
}

/// The names of extensions.
///
/// # Safety
/// `names` has `count` of them, which live as long as what is returned.
unsafe fn enabled_names<'a>(
    names: *const *const c_char,
    count: u32,
) -> impl Iterator<Item = &'a CStr> {
    // SAFETY: by the caller's promise.
    (0..count as usize).map(move |i| unsafe { CStr::from_ptr(*names.add(i)) })
}

/// Where a chain says whether timeline semaphores are enabled.
///
/// # Safety
/// `next` is null or heads a valid `pNext` chain.
unsafe fn timeline_switch(next: *const c_void) -> Option<*mut vk::Bool32> {
    let mut next = next.cast_mut().cast::<vk::BaseOutStructure>();
    // SAFETY: every element of a valid chain starts like `BaseOutStructure` and is what its type says.
    unsafe {
        while let Some(head) = next.as_ref() {
            match head.s_type {
                vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_2_FEATURES => {
                    let all = next.cast::<vk::PhysicalDeviceVulkan12Features>();
                    return Some(&raw mut (*all).timeline_semaphore);
                }
                vk::StructureType::PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES => {
                    let one = next.cast::<vk::PhysicalDeviceTimelineSemaphoreFeatures>();
                    return Some(&raw mut (*one).timeline_semaphore);
                }
                _ => next = head.p_next,
            }
        }
    }
    None
}

/// Whether a device has timeline semaphores in core Vulkan.
fn offers_timelines(instance: vk::Instance, physical: vk::PhysicalDevice) -> bool {
    let properties = below!(
        instance,
        c"vkGetPhysicalDeviceProperties" as vk::PFN_vkGetPhysicalDeviceProperties
    );
    let features = below!(
        instance,
        c"vkGetPhysicalDeviceFeatures2" as vk::PFN_vkGetPhysicalDeviceFeatures2
    );
    let (Some(properties), Some(features)) = (properties, features) else {
        return false;
    };
    let mut described = vk::PhysicalDeviceProperties::default();
    let mut timeline = vk::PhysicalDeviceTimelineSemaphoreFeatures::default();
    // SAFETY: the physical device is the engine's; an older one, which does not know the struct, is not asked.
    unsafe {
        properties(physical, &mut described);
        if described.api_version < vk::API_VERSION_1_2 {
            return false;
        }
        let mut all = vk::PhysicalDeviceFeatures2::default().push_next(&mut timeline);
        features(physical, &mut all);
    }
    timeline.timeline_semaphore == vk::TRUE
}

unsafe extern "system" fn destroy_device(
    device: vk::Device,
    allocator: *const vk::AllocationCallbacks<'_>,
) {
    let farewell = seen().farewell;
    if let Some(farewell) = farewell
        && device != vk::Device::null()
    {
        farewell(device.as_raw());
    }
    let real = below!(
        any_instance(),
        c"vkDestroyDevice" as vk::PFN_vkDestroyDevice
    );
    seen().devices.retain(|known| known.raw != device);
    if let Some(real) = real {
        // SAFETY: the engine's own call.
        unsafe { real(device, allocator) };
    }
}

/// Functions that need a queue for themselves: they are called as they are, with the lock held.
macro_rules! locked {
    ($($hook:ident, $real:ident, $function:ty, $name:literal, ($($argument:ident: $type:ty),*);)*) => {
        $(
            static $real: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

            unsafe extern "system" fn $hook($($argument: $type),*) -> vk::Result {
                let real = $real.load(Ordering::Acquire);
                if real.is_null() {
                    return vk::Result::ERROR_INITIALIZATION_FAILED;
                }
                let _alone = lock(&QUEUES);
                // SAFETY: the function of this name, and the engine's own call.
                unsafe { std::mem::transmute::<*mut c_void, $function>(real)($($argument),*) }
            }
        )*

        /// The stand-in of a function that needs a queue for itself, and where the real one is kept.
        fn locked(name: &[u8]) -> Option<(*const c_void, &'static AtomicPtr<c_void>)> {
            match name {
                $($name => Some(($hook as $function as *const c_void, &$real)),)*
                _ => None,
            }
        }
    };
}

locked! {
    queue_submit, QUEUE_SUBMIT, vk::PFN_vkQueueSubmit, b"vkQueueSubmit",
        (queue: vk::Queue, count: u32, submits: *const vk::SubmitInfo<'_>, fence: vk::Fence);
    queue_submit2, QUEUE_SUBMIT2, vk::PFN_vkQueueSubmit2, b"vkQueueSubmit2",
        (queue: vk::Queue, count: u32, submits: *const vk::SubmitInfo2<'_>, fence: vk::Fence);
    queue_submit2_khr, QUEUE_SUBMIT2_KHR, vk::PFN_vkQueueSubmit2, b"vkQueueSubmit2KHR",
        (queue: vk::Queue, count: u32, submits: *const vk::SubmitInfo2<'_>, fence: vk::Fence);
    queue_bind_sparse, QUEUE_BIND_SPARSE, vk::PFN_vkQueueBindSparse, b"vkQueueBindSparse",
        (queue: vk::Queue, count: u32, binds: *const vk::BindSparseInfo<'_>, fence: vk::Fence);
    queue_present, QUEUE_PRESENT, vk::PFN_vkQueuePresentKHR, b"vkQueuePresentKHR",
        (queue: vk::Queue, info: *const vk::PresentInfoKHR<'_>);
    queue_wait_idle, QUEUE_WAIT_IDLE, vk::PFN_vkQueueWaitIdle, b"vkQueueWaitIdle", (queue: vk::Queue);
    device_wait_idle, DEVICE_WAIT_IDLE, vk::PFN_vkDeviceWaitIdle, b"vkDeviceWaitIdle", (device: vk::Device);
}

/// What stands in for a function that a device can be asked for too.
fn is_stood_in_for(name: &CStr) -> bool {
    let name = name.to_bytes();
    matches!(name, b"vkGetDeviceProcAddr" | b"vkDestroyDevice") || locked(name).is_some()
}

/// What the engine gets for a name: a stand-in, or the real function.
fn stand_in(name: &CStr, real: vk::PFN_vkVoidFunction) -> vk::PFN_vkVoidFunction {
    let real = real?;
    let stand_in = match name.to_bytes() {
        b"vkGetInstanceProcAddr" => {
            get_instance_proc_addr as vk::PFN_vkGetInstanceProcAddr as *const c_void
        }
        b"vkGetDeviceProcAddr" => {
            get_device_proc_addr as vk::PFN_vkGetDeviceProcAddr as *const c_void
        }
        b"vkCreateInstance" => create_instance as vk::PFN_vkCreateInstance as *const c_void,
        b"vkDestroyInstance" => destroy_instance as vk::PFN_vkDestroyInstance as *const c_void,
        b"vkCreateDevice" => create_device as vk::PFN_vkCreateDevice as *const c_void,
        b"vkDestroyDevice" => destroy_device as vk::PFN_vkDestroyDevice as *const c_void,
        other => {
            let Some((hook, kept)) = locked(other) else {
                return Some(real);
            };
            kept.store(real as *mut c_void, Ordering::Release);
            hook
        }
    };
    // SAFETY: a function pointer, whose true type the caller knows by its name.
    Some(unsafe { std::mem::transmute::<*const c_void, unsafe extern "system" fn()>(stand_in) })
}
