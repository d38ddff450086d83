//! What a context runs on

use super::asking::ask_context;
use super::boundary::{Sized32, read_def};
use super::context::PrxFeatureState;
use super::enumeration::{EnumOf, enumeration};
use super::handles::PrxContext;
use super::status::PrxStatus;
use crate::gpu::paths::{DeviceFeature, FeatureState};
use crate::query::Resources;
use std::ffi::c_char;

/// The state of each optional feature.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxFeatures {
    /// Depth bounds tests; otherwise early-Z.
    pub depth_bounds: EnumOf<PrxFeatureState>,
    /// The geometry shader; otherwise several passes.
    pub geometry_shader: EnumOf<PrxFeatureState>,
    /// Conservative rasterisation; otherwise fattened triangles.
    pub conservative_rasterization: EnumOf<PrxFeatureState>,
    /// Subgroup arithmetic with subgroupSizeControl and computeFullSubgroups (Vulkan 1.3); otherwise shared memory.
    pub subgroups: EnumOf<PrxFeatureState>,
    /// Float additions in buffers. Negotiated and reported; no query uses them, because sums have a fixed order.
    pub float_atomics: EnumOf<PrxFeatureState>,
    /// Precise occlusion queries; otherwise yes or no.
    pub precise_occlusion: EnumOf<PrxFeatureState>,
    /// Fragments that write to buffers; otherwise compute.
    pub fragment_stores: EnumOf<PrxFeatureState>,
}

/// How the surface of a mesh is sampled against a field. All answer the same question, each with its own certificate.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxSamplingPath {
    /// The fastest on this device.
    Auto = 0,
    /// Compute kernels: clusters and triangles that cannot matter are culled by the distance at their middle, and what is left
    /// is sampled by equal small triangles.
    Compute = 1,
    /// The mesh is drawn in three views along the axes of the field's frame, one after the other; each triangle is
    /// rasterised along the axis that it faces most. For comparison, as all that draw.
    ThreePass = 2,
    /// The mesh is drawn once, and a geometry shader chooses each triangle's view. PRX_STATUS_UNSUPPORTED where the device has
    /// none, or it is off.
    GeometryShader = 3,
    /// Compute kernels cull, sort the rest by their views, and draw only that.
    Binned = 4,
}
enumeration!(PrxSamplingPath: Auto, Compute, ThreePass, GeometryShader, Binned);

/// How a mesh can be sampled against a field on this device: see PrxSamplingPath.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxSamplingPaths {
    /// PRX_SAMPLING_PATH_COMPUTE.
    pub compute: EnumOf<PrxFeatureState>,
    /// PRX_SAMPLING_PATH_THREE_PASS.
    pub three_pass: EnumOf<PrxFeatureState>,
    /// PRX_SAMPLING_PATH_GEOMETRY_SHADER.
    pub geometry_shader: EnumOf<PrxFeatureState>,
    /// PRX_SAMPLING_PATH_BINNED.
    pub binned: EnumOf<PrxFeatureState>,
    /// The path that PRX_SAMPLING_PATH_AUTO takes.
    pub automatic: EnumOf<PrxSamplingPath>,
    /// Reserved.
    pub reserved: u32,
}

/// What kind of device it is.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxDeviceType {
    /// Something else.
    Other = 0,
    /// A GPU that shares the host's memory.
    IntegratedGpu = 1,
    /// A GPU with memory of its own.
    DiscreteGpu = 2,
    /// A GPU inside a virtual machine.
    VirtualGpu = 3,
    /// A software device.
    Cpu = 4,
    /// No Vulkan device: native code on the host.
    Host = 5,
}
enumeration!(PrxDeviceType: Other, IntegratedGpu, DiscreteGpu, VirtualGpu, Cpu, Host);

/// What a context runs on. Set `size` to the bytes of the struct before the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxContextInfo {
    /// Bytes of this struct; set by the caller.
    pub size: u32,
    /// The Vulkan version in use, as Vulkan encodes it.
    pub api_version: u32,
    /// The device's name.
    pub device_name: [c_char; 256],
    /// The driver's name and version.
    pub driver: [c_char; 256],
    /// The device's UUID.
    pub device_uuid: [u8; 16],
    /// What kind of device it is.
    pub device_type: EnumOf<PrxDeviceType>,
    /// 1 when the device is the engine's.
    pub adopted: u32,
    /// 1 when the device catches out-of-bounds buffer accesses.
    pub robust_buffer_access: u32,
    /// Invocations of a subgroup.
    pub subgroup_size: u32,
    /// The state of each optional feature.
    pub features: PrxFeatures,
    /// The largest buffer that a shader can read, in bytes: what bounds the size of a mesh.
    pub max_storage_buffer_bytes: u64,
    /// The largest texel buffer, in texels.
    pub max_texel_buffer_elements: u64,
    /// The largest side of a 3D texture: what bounds the resolution of a field.
    pub max_texture_3d: u32,
    /// The largest side of a framebuffer: what bounds the resolution of a rasterised query.
    pub max_framebuffer: u32,
    /// How a mesh can be sampled against a field.
    pub sampling_paths: PrxSamplingPaths,
    /// Queries on meshes of at most so many triangles run on the host: see PrxContextDef.host_queries. 0: none do; UINT32_MAX: all.
    pub host_triangles: u32,
    /// Reserved.
    pub reserved: u32,
}

// SAFETY: repr(C), size first, integers only.
unsafe impl Sized32 for PrxContextInfo {
    const NAME: &'static str = "PrxContextInfo";
    const FILLED_BY: &'static str = "context_info's caller (sizeof)";
}

/// What the context runs on, and the state of each optional feature.
///
/// # Safety
/// `out_info` is writable and its `size` is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_context_info(
    context: *mut PrxContext,
    out_info: *mut PrxContextInfo,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_info, "out_info", |context| {
            let asked = read_def::<PrxContextInfo>(out_info)?;
            Ok(describe(context.resources(), asked.size))
        })
    }
}

fn describe(resources: &Resources, size: u32) -> PrxContextInfo {
    let device = &resources.device;
    let physical = &device.physical;
    let limits = device.limits();
    let path = |feature| {
        EnumOf::from(match device.paths.get(feature) {
            FeatureState::Unavailable => PrxFeatureState::Unavailable,
            FeatureState::Off => PrxFeatureState::Off,
            FeatureState::On => PrxFeatureState::On,
        })
    };
    let drawn = EnumOf::from(match device.is_host() {
        true => PrxFeatureState::Unavailable,
        false => PrxFeatureState::On,
    });
    PrxContextInfo {
        size,
        api_version: physical.api_version,
        device_name: text(&physical.name),
        driver: text(&physical.driver),
        device_uuid: physical.uuid,
        device_type: match limits.device_type {
            _ if device.is_host() => PrxDeviceType::Host,
            1 => PrxDeviceType::IntegratedGpu,
            2 => PrxDeviceType::DiscreteGpu,
            3 => PrxDeviceType::VirtualGpu,
            4 => PrxDeviceType::Cpu,
            _ => PrxDeviceType::Other,
        }
        .into(),
        adopted: device.adopted.into(),
        robust_buffer_access: device.robust.into(),
        subgroup_size: physical.subgroup_size,
        features: PrxFeatures {
            depth_bounds: path(DeviceFeature::DepthBounds),
            geometry_shader: path(DeviceFeature::GeometryShader),
            conservative_rasterization: path(DeviceFeature::ConservativeRasterization),
            subgroups: path(DeviceFeature::Subgroups),
            float_atomics: path(DeviceFeature::FloatAtomics),
            precise_occlusion: path(DeviceFeature::PreciseOcclusion),
            fragment_stores: path(DeviceFeature::FragmentStores),
        },
        max_storage_buffer_bytes: device.max_storage_bytes(),
        max_texel_buffer_elements: device.max_texels(),
        max_texture_3d: limits.max_texture_3d,
        max_framebuffer: limits.max_framebuffer,
        sampling_paths: PrxSamplingPaths {
            compute: PrxFeatureState::On.into(),
            three_pass: drawn,
            geometry_shader: path(DeviceFeature::GeometryShader),
            binned: drawn,
            // Wherever it was measured it is the fastest: drawing pays for every pixel of its pictures.
            automatic: PrxSamplingPath::Compute.into(),
            reserved: 0,
        },
        host_triangles: match &resources.beside {
            _ if device.is_host() => u32::MAX,
            Some(beside) => beside.most_triangles,
            None => 0,
        },
        reserved: 0,
    }
}

/// A string in a fixed array, cut at a character's end and closed by a zero.
fn text(from: &str) -> [c_char; 256] {
    let mut chars = [0; 256];
    let mut end = from.len().min(255);
    while !from.is_char_boundary(end) {
        end -= 1;
    }
    for (to, byte) in chars.iter_mut().zip(from[..end].bytes()) {
        *to = byte as c_char;
    }
    chars
}
