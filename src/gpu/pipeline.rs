//! Compute pipelines, made at first use from what the shader says of itself.

use super::callbacks::callbacks;
use super::contraction::{self, Contraction};
use super::counts::Counted;
use super::device::{Device, Trial};
use super::failed;
use super::limits;
use super::made::Made;
use super::names::Names;
use super::physical::Physical;
use super::shader::{BindingKind, Shader};
use crate::error::Result;
use crate::log::{Log, Severity};
use ash::vk;
use std::sync::Arc;

/// A compute pipeline with its layouts.
pub(crate) struct ComputePipeline {
    pub(crate) pipeline: vk::Pipeline,
    pub(crate) layout: vk::PipelineLayout,
    pub(crate) set_layout: vk::DescriptorSetLayout,
}

/// All pipelines of a device and the cache they come from.
pub(crate) struct Kernels {
    cache: vk::PipelineCache,
    made: Made<&'static str, ComputePipeline>,
}

impl Kernels {
    pub(crate) fn new(
        device: &ash::Device,
        physical: &Physical,
        blob: &[u8],
        log: &Log,
    ) -> Result<Self> {
        let fitting = if blob.is_empty() {
            Ok(blob)
        } else {
            unseal(blob)
                .ok_or("the pipeline cache is damaged")
                .and_then(|data| {
                    fits(data, physical)
                        .then_some(data)
                        .ok_or("the pipeline cache is of another device or driver")
                })
        };
        let blob = fitting.unwrap_or_else(|why| {
            log.say(Severity::Warning, &format!("{why}: starting an empty one"));
            &[]
        });
        let info = vk::PipelineCacheCreateInfo::default().initial_data(blob);
        // SAFETY: the device is alive; the data came from a device and driver like this one and has not changed since.
        let cache = unsafe { device.create_pipeline_cache(&info, callbacks()) }
            .map_err(failed("vkCreatePipelineCache"))?;
        Ok(Self {
            cache,
            made: Made::default(),
        })
    }

    pub(super) fn name(&self, names: &Names) {
        names.name(self.cache, "pipelines");
    }

    /// The pipeline of a compute shader.
    pub(crate) fn get(
        &self,
        device: &Device,
        shader: &'static Shader,
    ) -> Result<Arc<ComputePipeline>> {
        self.made.get(shader.name, || {
            let lanes = device.lanes(shader);
            limits::check(&device.physical, lanes, shader)?;
            device.counters.count(Counted::Pipeline);
            let constants = Constants::new(lanes, &device.trial);
            let vulkan = device.vulkan();
            let made = create(&vulkan.raw, self.cache, &constants, shader)?;
            name_parts(
                &vulkan.names,
                shader.name,
                made.pipeline,
                made.layout,
                made.set_layout,
            );
            Ok(made)
        })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.made.count()
    }

    /// What pipelines are made through.
    pub(crate) fn cache(&self) -> vk::PipelineCache {
        self.cache
    }

    pub(crate) fn cache_data(&self, device: &ash::Device) -> Result<Vec<u8>> {
        // SAFETY: the cache lives as long as the device.
        unsafe { device.get_pipeline_cache_data(self.cache) }
            .map(|data| seal(&data))
            .map_err(failed("vkGetPipelineCacheData"))
    }

    /// Frees everything. Call once, when nothing uses the pipelines any more.
    pub(crate) fn destroy(&self, device: &ash::Device) {
        for kernel in self.made.take() {
            // SAFETY: the device is idle and the kernels are not handed out any more.
            unsafe { destroy_parts(device, kernel.pipeline, kernel.layout, kernel.set_layout) };
        }
        // SAFETY: as above.
        unsafe { device.destroy_pipeline_cache(self.cache, callbacks()) };
    }
}

/// The driver's data behind its checksum: Vulkan allows only data that the driver once gave, and drivers differ in how
/// they take anything else.
fn seal(data: &[u8]) -> Vec<u8> {
    [&crc32fast::hash(data).to_le_bytes(), data].concat()
}

/// The driver's data, if the checksum before it is right.
fn unseal(blob: &[u8]) -> Option<&[u8]> {
    let (sum, data) = blob.split_first_chunk::<4>()?;
    (*sum == crc32fast::hash(data).to_le_bytes()).then_some(data)
}

/// Whether a cache blob was made by this device and driver (the header of `VkPipelineCacheHeaderVersionOne`).
fn fits(blob: &[u8], physical: &Physical) -> bool {
    let word = |at: usize| {
        blob.get(at..at + 4)
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    };
    word(0).is_some_and(|length| length >= 32)
        && word(4) == Some(vk::PipelineCacheHeaderVersion::ONE.as_raw() as u32)
        && word(8) == Some(physical.vendor_id)
        && word(12) == Some(physical.device_id)
        && blob.get(16..32) == Some(&physical.pipeline_cache_uuid)
}

pub(crate) fn descriptor_type(kind: BindingKind) -> vk::DescriptorType {
    match kind {
        BindingKind::StorageBuffer => vk::DescriptorType::STORAGE_BUFFER,
        BindingKind::UniformBuffer => vk::DescriptorType::UNIFORM_BUFFER,
        BindingKind::UniformTexelBuffer => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        BindingKind::SampledImage => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
    }
}

fn create(
    device: &ash::Device,
    cache: vk::PipelineCache,
    constants: &Constants,
    shader: &'static Shader,
) -> Result<ComputePipeline> {
    let bindings: Vec<_> = shader
        .bindings
        .iter()
        .map(|b| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(b.binding)
                .descriptor_type(descriptor_type(b.kind))
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        })
        .collect();
    let push = (vk::ShaderStageFlags::COMPUTE, shader.push_bytes);
    // SAFETY: the device is alive; layouts match the shader because they are read from it; whatever was made when a
    // later step fails is destroyed before returning.
    unsafe {
        let (set_layout, layout) = create_layouts(device, &bindings, push)?;
        let pipeline = create_pipeline(device, cache, constants, layout, shader);
        let pipeline = pipeline.inspect_err(|_| {
            destroy_parts(device, vk::Pipeline::null(), layout, set_layout);
        })?;
        Ok(ComputePipeline {
            pipeline,
            layout,
            set_layout,
        })
    }
}

/// The layouts of a pipeline with these bindings and push constants for these stages.
///
/// # Safety
/// The device is alive.
pub(super) unsafe fn create_layouts(
    device: &ash::Device,
    bindings: &[vk::DescriptorSetLayoutBinding],
    (stages, push_bytes): (vk::ShaderStageFlags, u32),
) -> Result<(vk::DescriptorSetLayout, vk::PipelineLayout)> {
    let push = vk::PushConstantRange::default()
        .stage_flags(stages)
        .size(push_bytes);
    let push = if push_bytes == 0 { &[][..] } else { &[push] };
    // SAFETY: by the caller's promise; the set's layout is destroyed when the pipeline's fails.
    unsafe {
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(bindings);
        let set_layout = device
            .create_descriptor_set_layout(&info, callbacks())
            .map_err(failed("vkCreateDescriptorSetLayout"))?;
        let set_layouts = [set_layout];
        let info = vk::PipelineLayoutCreateInfo::default()
            .set_layouts(&set_layouts)
            .push_constant_ranges(push);
        let (no_pipeline, no_layout) = (vk::Pipeline::null(), vk::PipelineLayout::null());
        let layout = device
            .create_pipeline_layout(&info, callbacks())
            .map_err(failed("vkCreatePipelineLayout"))
            .inspect_err(|_| destroy_parts(device, no_pipeline, no_layout, set_layout))?;
        Ok((set_layout, layout))
    }
}

/// What is open until a pipeline is made of a shader.
pub(crate) struct Constants {
    pub(crate) contraction: Option<Contraction>,
    words: [u32; 2],
    entries: [vk::SpecializationMapEntry; 2],
}

impl Constants {
    /// Constant 0 is the size of workgroups that leave it open; constant 1 is a float: see shaders/include/filter_steps.glsl.
    pub(crate) fn new(lanes: u32, trial: &Trial) -> Self {
        let entry = |id: u32| vk::SpecializationMapEntry {
            constant_id: id,
            offset: 4 * id,
            size: 4,
        };
        Self {
            contraction: trial.contraction,
            words: [lanes, (trial.filter_steps as f32).to_bits()],
            entries: [entry(0), entry(1)],
        }
    }

    pub(crate) fn info(&self) -> vk::SpecializationInfo<'_> {
        vk::SpecializationInfo::default()
            .map_entries(&self.entries)
            .data(bytemuck::cast_slice(&self.words))
    }

    fn lanes(&self) -> u32 {
        self.words[0]
    }
}

/// The shader's module, for the caller to destroy.
pub(crate) fn module_of(
    device: &ash::Device,
    shader: &Shader,
    contraction: Option<Contraction>,
) -> Result<vk::ShaderModule> {
    let mut words = shader.unpacked()?;
    if let Some(contraction) = contraction {
        words = contraction::rewritten(&words, contraction);
    }
    let info = vk::ShaderModuleCreateInfo::default().code(&words);
    // SAFETY: the device is alive; the module is valid SPIR-V from shaderc.
    unsafe { device.create_shader_module(&info, callbacks()) }
        .map_err(failed("vkCreateShaderModule"))
}

/// # Safety
/// The layout belongs to the device and fits the shader.
unsafe fn create_pipeline(
    device: &ash::Device,
    cache: vk::PipelineCache,
    constants: &Constants,
    layout: vk::PipelineLayout,
    shader: &Shader,
) -> Result<vk::Pipeline> {
    let module = module_of(device, shader, constants.contraction)?;
    // SAFETY: by the caller's promise.
    unsafe {
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main");
        let specialized = constants.info();
        let mut required = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
            .required_subgroup_size(constants.lanes());
        stage = stage.specialization_info(&specialized);
        // One full subgroup: see shaders/include/workgroup.glsl.
        if shader.subgroups {
            stage = stage
                .flags(vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS)
                .push_next(&mut required);
        }
        let info = vk::ComputePipelineCreateInfo::default()
            .stage(stage)
            .layout(layout);
        let made = device.create_compute_pipelines(cache, &[info], callbacks());
        device.destroy_shader_module(module, callbacks());
        made.map(|pipelines| pipelines[0])
            .map_err(|(_, e)| failed("vkCreateComputePipelines")(e))
    }
}

/// Names a pipeline that was just made, and its layouts, after its shader.
pub(super) fn name_parts(
    names: &Names,
    shader: &str,
    pipeline: vk::Pipeline,
    layout: vk::PipelineLayout,
    set_layout: vk::DescriptorSetLayout,
) {
    names.name(pipeline, shader);
    names.name(layout, shader);
    names.name(set_layout, shader);
}

/// # Safety
/// The handles are null or of this device, and unused.
pub(crate) unsafe fn destroy_parts(
    device: &ash::Device,
    pipeline: vk::Pipeline,
    layout: vk::PipelineLayout,
    set_layout: vk::DescriptorSetLayout,
) {
    // SAFETY: by the caller's promise.
    unsafe {
        device.destroy_pipeline(pipeline, callbacks());
        device.destroy_pipeline_layout(layout, callbacks());
        device.destroy_descriptor_set_layout(set_layout, callbacks());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_blob_comes_back_and_a_changed_one_does_not() {
        let blob = seal(b"some pipelines");
        assert_eq!(unseal(&blob), Some(&b"some pipelines"[..]));
        for at in 0..blob.len() {
            let mut spoilt = blob.clone();
            spoilt[at] ^= 1;
            assert_eq!(unseal(&spoilt), None, "byte {at}");
            assert_eq!(unseal(&blob[..at]), None, "cut at {at}");
        }
    }
}
