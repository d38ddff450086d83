//! Physical devices: what they offer, and which one is taken.

use super::failed;
use super::paths::DeviceFeature;
use crate::error::{Error, Result};
use ash::{ext, vk};
use std::ffi::CStr;

/// Where a context's commands run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceKind {
    /// On a Vulkan device; on the host where there is none and none was named.
    #[default]
    Auto,
    /// On a Vulkan device.
    Vulkan,
    /// On the host, without Vulkan.
    Host,
}

/// How the caller names a device. Empty means any.
#[derive(Debug, Clone, Default)]
pub struct DeviceRequest {
    /// Of what kind it is.
    pub kind: DeviceKind,
    /// A part of the device's name, in any case.
    pub name: Option<String>,
    /// The device's UUID.
    pub uuid: Option<[u8; 16]>,
}

impl DeviceRequest {
    /// Whether any device will do.
    pub fn is_any(&self) -> bool {
        self.name.is_none() && self.uuid.is_none()
    }
}

/// What a physical device says of itself.
#[derive(Clone)]
pub struct Physical {
    pub(crate) raw: vk::PhysicalDevice,
    /// The device's name.
    pub name: String,
    /// The driver's name and version in its own words.
    pub driver: String,
    /// The device's UUID.
    pub uuid: [u8; 16],
    /// The device's type, in Vulkan's numbers.
    pub kind: vk::PhysicalDeviceType,
    /// The Vulkan version it offers, as Vulkan encodes it.
    pub api_version: u32,
    /// Lanes of a subgroup.
    pub subgroup_size: u32,
    pub(crate) vendor_id: u32,
    pub(crate) device_id: u32,
    pub(crate) pipeline_cache_uuid: [u8; 16],
    pub(crate) limits: vk::PhysicalDeviceLimits,
    pub(crate) features: vk::PhysicalDeviceFeatures,
    pub(crate) timeline_semaphore: bool,
    pub(crate) float_atomic_add: bool,
    pub(crate) subgroup_arithmetic: bool,
    /// The size of full subgroups that compute pipelines can require, or nothing. Without the requirement a subgroup may have
    /// fewer lanes than `subgroup_size`: Intel's devices before Xe2 report 32 and run 8 or 16.
    pub(crate) required_subgroup: Option<u32>,
    pub(crate) extensions: Vec<String>,
    pub(crate) queue_family: Option<u32>,
    pub(crate) families: Vec<QueueFamily>,
}

/// What queues of a family can do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueueFamily {
    pub(crate) computes: bool,
    pub(crate) draws: bool,
    /// Bits of its timestamps that count, 0 where it has none.
    pub(crate) timestamp_bits: u32,
}

impl QueueFamily {
    fn of(family: &vk::QueueFamilyProperties) -> Self {
        Self {
            computes: family.queue_flags.contains(vk::QueueFlags::COMPUTE),
            draws: family.queue_flags.contains(vk::QueueFlags::GRAPHICS),
            timestamp_bits: family.timestamp_valid_bits,
        }
    }
}

impl Physical {
    /// Asks the driver.
    ///
    /// # Safety
    /// `raw` belongs to `instance`, which is alive.
    pub(crate) unsafe fn query(instance: &ash::Instance, raw: vk::PhysicalDevice) -> Result<Self> {
        // SAFETY: by the caller's promise.
        let extensions: Vec<String> =
            unsafe { instance.enumerate_device_extension_properties(raw) }
                .map_err(failed("vkEnumerateDeviceExtensionProperties"))?
                .iter()
                .map(|e| text(&e.extension_name))
                .collect();
        let listed = |name: &CStr| extensions.iter().any(|e| e.as_bytes() == name.to_bytes());
        let has_float_atomics = listed(ext::shader_atomic_float::NAME);
        // SAFETY: by the caller's promise.
        let api_version = unsafe { instance.get_physical_device_properties(raw) }.api_version;
        let has_size_control =
            api_version >= vk::API_VERSION_1_3 || listed(ext::subgroup_size_control::NAME);

        let (mut ids, mut driver, mut subgroup) = (
            vk::PhysicalDeviceIDProperties::default(),
            vk::PhysicalDeviceDriverProperties::default(),
            vk::PhysicalDeviceSubgroupProperties::default(),
        );
        let mut properties = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut ids)
            .push_next(&mut driver)
            .push_next(&mut subgroup);
        let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
        let mut size_control = vk::PhysicalDeviceSubgroupSizeControlFeatures::default();
        let mut timeline = vk::PhysicalDeviceTimelineSemaphoreFeatures::default();
        let mut atomics = vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT::default();
        let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut timeline);
        if has_float_atomics {
            features = features.push_next(&mut atomics);
        }
        if has_size_control {
            properties = properties.push_next(&mut sizes);
            features = features.push_next(&mut size_control);
        }
        // SAFETY: by the caller's promise; the chains hold structs of core 1.2 and of extensions the device has,
        // and an older device, which does not know them, is not asked.
        let families = unsafe {
            properties.properties = instance.get_physical_device_properties(raw);
            if api_version >= vk::API_VERSION_1_2 {
                instance.get_physical_device_properties2(raw, &mut properties);
                instance.get_physical_device_features2(raw, &mut features);
            }
            instance.get_physical_device_queue_family_properties(raw)
        };
        let (properties, features) = (properties.properties, features.features);
        let families: Vec<QueueFamily> = families.iter().map(QueueFamily::of).collect();
        // One that draws too, where there is one.
        let fit = (families.iter().position(|f| f.computes && f.draws))
            .or_else(|| families.iter().position(|f| f.computes));
        Ok(Self {
            raw,
            name: text(&properties.device_name),
            driver: format!(
                "{} {}",
                text(&driver.driver_name),
                text(&driver.driver_info)
            )
            .trim()
            .to_owned(),
            uuid: ids.device_uuid,
            kind: properties.device_type,
            api_version: properties.api_version,
            subgroup_size: subgroup.subgroup_size,
            vendor_id: properties.vendor_id,
            device_id: properties.device_id,
            pipeline_cache_uuid: properties.pipeline_cache_uuid,
            limits: properties.limits,
            features,
            timeline_semaphore: timeline.timeline_semaphore == vk::TRUE,
            float_atomic_add: atomics.shader_buffer_float32_atomic_add == vk::TRUE,
            subgroup_arithmetic: subgroup
                .supported_stages
                .contains(vk::ShaderStageFlags::COMPUTE)
                && subgroup.supported_operations.contains(
                    vk::SubgroupFeatureFlags::BASIC | vk::SubgroupFeatureFlags::ARITHMETIC,
                ),
            required_subgroup: required_subgroup(&subgroup, &sizes, &size_control),
            extensions,
            queue_family: fit.map(|i| i as u32),
            families,
        })
    }

    /// Whether the device offers an optional feature.
    pub fn offers(&self, feature: DeviceFeature) -> bool {
        match feature {
            DeviceFeature::DepthBounds => self.features.depth_bounds == vk::TRUE,
            DeviceFeature::GeometryShader => self.features.geometry_shader == vk::TRUE,
            DeviceFeature::ConservativeRasterization => {
                self.has_extension(ext::conservative_rasterization::NAME)
            }
            DeviceFeature::Subgroups => {
                self.subgroup_arithmetic && self.required_subgroup.is_some()
            }
            DeviceFeature::FloatAtomics => self.float_atomic_add,
            DeviceFeature::PreciseOcclusion => self.features.occlusion_query_precise == vk::TRUE,
            DeviceFeature::FragmentStores => self.features.fragment_stores_and_atomics == vk::TRUE,
        }
    }

    pub(crate) fn has_extension(&self, name: &CStr) -> bool {
        self.extensions
            .iter()
            .any(|e| e.as_bytes() == name.to_bytes())
    }

    /// What Proxel cannot do without and this device lacks.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let mut missing = Vec::new();
        if self.api_version < vk::API_VERSION_1_2 {
            missing.push("Vulkan 1.2");
        }
        if self.queue_family.is_none() {
            missing.push("a queue family with compute");
        }
        missing
    }

    /// Whether the family that queues are taken from draws.
    pub(crate) fn draws(&self) -> bool {
        let family = self
            .queue_family
            .and_then(|at| self.families.get(at as usize));
        family.is_some_and(|family| family.draws)
    }

    fn rank(&self) -> u32 {
        match self.kind {
            vk::PhysicalDeviceType::DISCRETE_GPU => 4,
            vk::PhysicalDeviceType::INTEGRATED_GPU => 3,
            vk::PhysicalDeviceType::VIRTUAL_GPU => 2,
            vk::PhysicalDeviceType::CPU => 1,
            _ => 0,
        }
    }

    fn is_wanted(&self, wanted: &DeviceRequest) -> bool {
        let name = self.name.to_lowercase();
        wanted
            .name
            .as_ref()
            .is_none_or(|w| name.contains(&w.to_lowercase()))
            && wanted.uuid.is_none_or(|w| w == self.uuid)
    }
}

/// Fewer lanes than this leave each of them so much to do that shared memory is faster, and long loops reach the limits of drivers.
const FEWEST_LANES: u32 = 4;

/// The size to require of subgroups: what the device reports, as far as it lets pipelines ask for it.
fn required_subgroup(
    reported: &vk::PhysicalDeviceSubgroupProperties,
    sizes: &vk::PhysicalDeviceSubgroupSizeControlProperties,
    features: &vk::PhysicalDeviceSubgroupSizeControlFeatures,
) -> Option<u32> {
    let can = features.subgroup_size_control == vk::TRUE
        && features.compute_full_subgroups == vk::TRUE
        && sizes
            .required_subgroup_size_stages
            .contains(vk::ShaderStageFlags::COMPUTE)
        && sizes.min_subgroup_size <= sizes.max_subgroup_size;
    if !can {
        return None;
    }
    let size = reported
        .subgroup_size
        .clamp(sizes.min_subgroup_size, sizes.max_subgroup_size);
    (size.is_power_of_two() && size >= FEWEST_LANES).then_some(size)
}

/// Takes the best device that fits: discrete, integrated, virtual, CPU, in the driver's order among equals.
pub(crate) fn choose(devices: Vec<Physical>, wanted: &DeviceRequest) -> Result<Physical> {
    if devices.is_empty() {
        return Err(Error::NoDevice(
            "the Vulkan loader found no device; install a driver (mesa-vulkan-drivers has a software one)".into(),
        ));
    }
    let names = devices
        .iter()
        .map(|d| format!("\"{}\"", d.name))
        .collect::<Vec<_>>()
        .join(", ");
    let (fit, unfit): (Vec<_>, Vec<_>) = devices
        .into_iter()
        .filter(|d| d.is_wanted(wanted))
        .partition(|d| d.missing().is_empty());
    let best = fit.into_iter().rev().max_by_key(Physical::rank);
    best.ok_or_else(|| {
        Error::NoDevice(match unfit.first() {
            Some(d) => format!(
                "\"{}\" lacks {}; update its driver or choose another device",
                d.name,
                d.missing().join(", ")
            ),
            None => format!("no device matches {}; there are: {names}", describe(wanted)),
        })
    })
}

fn describe(wanted: &DeviceRequest) -> String {
    let name = wanted.name.as_ref().map(|n| format!("the name \"{n}\""));
    let uuid = wanted
        .uuid
        .map(|u| format!("the UUID {}", u.map(|b| format!("{b:02x}")).concat()));
    [name, uuid]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" and ")
}

fn text(chars: &[std::ffi::c_char]) -> String {
    let bytes: Vec<u8> = chars
        .iter()
        .take_while(|c| **c != 0)
        .map(|c| *c as u8)
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
