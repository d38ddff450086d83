//! The engine's Vulkan objects, as it hands them over.

use super::queue::{QueueLock, TimelinePoint};
use crate::error::{Result, invalid};
use ash::vk::{self, Handle};
use std::ffi::{CStr, c_char, c_void};

/// The loader's `vkGetInstanceProcAddr`, in plain types.
pub type GetInstanceProcAddr = unsafe extern "system" fn(
    instance: *mut c_void,
    name: *const c_char,
) -> Option<unsafe extern "system" fn()>;

/// The engine's handles, in plain types.
pub struct EngineHandles {
    /// `VkInstance`.
    pub instance: *mut c_void,
    /// `VkPhysicalDevice`.
    pub physical_device: *mut c_void,
    /// `VkDevice`.
    pub device: *mut c_void,
    /// `VkQueue`.
    pub queue: *mut c_void,
    /// The queue's family.
    pub queue_family: u32,
    /// The Vulkan version that the engine asked for in its instance.
    pub api_version: u32,
    /// The loader's entry point.
    pub get_instance_proc_addr: Option<GetInstanceProcAddr>,
    /// The `VkPhysicalDeviceFeatures2` chain that the device was created with, or null.
    pub enabled_features: *const c_void,
    /// The device extensions that were enabled.
    pub enabled_extensions: Vec<String>,
    /// How the engine guards its queue.
    pub lock: QueueLock,
}

/// The engine's Vulkan objects. They stay the engine's, which keeps them alive longer than the context.
pub struct Adopted {
    pub(crate) get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    pub(crate) instance: vk::Instance,
    pub(crate) physical: vk::PhysicalDevice,
    pub(crate) device: vk::Device,
    pub(crate) queue_family: u32,
    pub(crate) queue: vk::Queue,
    pub(crate) api_version: u32,
    pub(crate) enabled: Enabled,
    pub(crate) lock: QueueLock,
}

/// The features that an engine enabled on its device; Vulkan itself cannot be asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Enabled {
    pub(crate) core: vk::PhysicalDeviceFeatures,
    pub(crate) timeline_semaphore: bool,
    pub(crate) float_atomic_add: bool,
    /// Both `subgroupSizeControl` and `computeFullSubgroups`.
    pub(crate) subgroup_sizes: bool,
    extensions: Vec<String>,
}

impl Adopted {
    /// Takes the handles.
    ///
    /// # Safety
    /// The handles are null or valid and belong together; `enabled_features` is null or heads a valid `pNext` chain.
    pub unsafe fn new(handles: EngineHandles) -> Result<Self> {
        let named = [
            ("instance", handles.instance),
            ("physical_device", handles.physical_device),
            ("device", handles.device),
            ("queue", handles.queue),
        ];
        for (name, handle) in named {
            if handle.is_null() {
                return Err(invalid(format!("the adopted {name} is null")));
            }
        }
        let entry = handles.get_instance_proc_addr.ok_or_else(|| {
            invalid("get_instance_proc_addr is null; pass the vkGetInstanceProcAddr of the engine's loader")
        })?;
        // SAFETY: both are vkGetInstanceProcAddr; `vk::Instance` is a transparent pointer.
        let entry = unsafe {
            std::mem::transmute::<GetInstanceProcAddr, vk::PFN_vkGetInstanceProcAddr>(entry)
        };
        // SAFETY: by the caller's promise.
        let enabled =
            unsafe { Enabled::read(handles.enabled_features, handles.enabled_extensions) };
        Ok(Self {
            get_instance_proc_addr: entry,
            instance: vk::Instance::from_raw(handles.instance as u64),
            physical: vk::PhysicalDevice::from_raw(handles.physical_device as u64),
            device: vk::Device::from_raw(handles.device as u64),
            queue: vk::Queue::from_raw(handles.queue as u64),
            queue_family: handles.queue_family,
            api_version: handles.api_version,
            enabled,
            lock: handles.lock,
        })
    }
}

impl Enabled {
    /// # Safety
    /// `features` is null or heads a valid `pNext` chain.
    pub(super) unsafe fn read(features: *const c_void, extensions: Vec<String>) -> Self {
        let mut enabled = Self {
            extensions,
            ..Self::default()
        };
        let mut next = features.cast::<vk::BaseInStructure>();
        // SAFETY: every element of a valid chain starts like `BaseInStructure` and is what its type says.
        unsafe {
            while let Some(head) = next.as_ref() {
                match head.s_type {
                    vk::StructureType::PHYSICAL_DEVICE_FEATURES_2 => {
                        enabled.core = (*next.cast::<vk::PhysicalDeviceFeatures2>()).features;
                    }
                    vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_2_FEATURES => {
                        let on =
                            (*next.cast::<vk::PhysicalDeviceVulkan12Features>()).timeline_semaphore;
                        enabled.timeline_semaphore |= on == vk::TRUE;
                    }
                    vk::StructureType::PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES => {
                        let on = (*next.cast::<vk::PhysicalDeviceTimelineSemaphoreFeatures>())
                            .timeline_semaphore;
                        enabled.timeline_semaphore |= on == vk::TRUE;
                    }
                    vk::StructureType::PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT => {
                        let atomics =
                            &*next.cast::<vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT>();
                        enabled.float_atomic_add |=
                            atomics.shader_buffer_float32_atomic_add == vk::TRUE;
                    }
                    vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_3_FEATURES => {
                        let all = &*next.cast::<vk::PhysicalDeviceVulkan13Features>();
                        enabled.subgroup_sizes |= all.subgroup_size_control == vk::TRUE
                            && all.compute_full_subgroups == vk::TRUE;
                    }
                    vk::StructureType::PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES => {
                        let sizes = &*next.cast::<vk::PhysicalDeviceSubgroupSizeControlFeatures>();
                        enabled.subgroup_sizes |= sizes.subgroup_size_control == vk::TRUE
                            && sizes.compute_full_subgroups == vk::TRUE;
                    }
                    _ => {}
                }
                next = head.p_next;
            }
        }
        enabled
    }

    pub(crate) fn has_extension(&self, name: &CStr) -> bool {
        self.extensions
            .iter()
            .any(|e| e.as_bytes() == name.to_bytes())
    }
}

impl TimelinePoint {
    /// Names a `VkSemaphore` by its handle.
    pub fn from_handle(semaphore: u64, value: u64) -> Result<Self> {
        if semaphore == 0 {
            return Err(invalid(
                "a semaphore to wait for or to signal is VK_NULL_HANDLE",
            ));
        }
        Ok(Self {
            semaphore: vk::Semaphore::from_raw(semaphore),
            value,
        })
    }
}
