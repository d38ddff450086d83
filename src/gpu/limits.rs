//! What a shader needs of the device, read from its SPIR-V, against the limits that the device reports.

use super::physical::Physical;
use super::shader::{BindingKind, Shader};
use crate::error::{Error, Result};

/// Refuses a shader that needs more than the device allows. `lanes` are the invocations of a workgroup, or zero.
pub(crate) fn check(physical: &Physical, lanes: u32, shader: &Shader) -> Result<()> {
    let limits = &physical.limits;
    let count = |kinds: &[BindingKind]| {
        let of_kind = |b: &&super::shader::Binding| kinds.contains(&b.kind);
        shader.bindings.iter().filter(of_kind).count() as u32
    };
    let textures = [BindingKind::SampledImage, BindingKind::UniformTexelBuffer];
    let widest = shader.workgroup[0].max(lanes);
    let needs = [
        (
            "maxPerStageDescriptorStorageBuffers",
            count(&[BindingKind::StorageBuffer]),
            limits.max_per_stage_descriptor_storage_buffers,
        ),
        (
            "maxPerStageDescriptorUniformBuffers",
            count(&[BindingKind::UniformBuffer]),
            limits.max_per_stage_descriptor_uniform_buffers,
        ),
        (
            "maxPerStageDescriptorSampledImages",
            count(&textures),
            limits.max_per_stage_descriptor_sampled_images,
        ),
        (
            "maxPerStageDescriptorSamplers",
            count(&textures[..1]),
            limits.max_per_stage_descriptor_samplers,
        ),
        (
            "maxPerStageResources",
            shader.bindings.len() as u32,
            limits.max_per_stage_resources,
        ),
        (
            "maxPushConstantsSize",
            shader.push_bytes,
            limits.max_push_constants_size,
        ),
        (
            "maxComputeSharedMemorySize",
            shader.shared_bytes,
            limits.max_compute_shared_memory_size,
        ),
        (
            "maxComputeWorkGroupInvocations",
            lanes,
            limits.max_compute_work_group_invocations,
        ),
        (
            "maxComputeWorkGroupSize[0]",
            widest,
            limits.max_compute_work_group_size[0],
        ),
    ];
    let lacking: Vec<String> = needs
        .iter()
        .filter(|(_, needed, allowed)| needed > allowed)
        .map(|(limit, needed, allowed)| format!("{limit} is {allowed}, {needed} are needed"))
        .collect();
    if lacking.is_empty() {
        return Ok(());
    }
    Err(Error::Unsupported(format!(
        "\"{}\" cannot run the shader {}: {}; choose another device",
        physical.name,
        shader.name,
        lacking.join("; ")
    )))
}
