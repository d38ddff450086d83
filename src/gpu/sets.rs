//! The descriptor sets of a submission, from pools that grow as needed and are reset as a whole.

use super::bound::Resource;
use super::callbacks::callbacks;
use super::counts::Counted;
use super::device::Device;
use super::failed;
use super::pipeline::descriptor_type;
use super::shader::{Binding, BindingKind, BindingSet};
use crate::error::Result;
use ash::vk;

/// Sets in one descriptor pool; further pools are made as needed.
const SETS_PER_POOL: u32 = 64;

/// Pools of sets.
#[derive(Default)]
pub(super) struct SetPools {
    pools: Vec<vk::DescriptorPool>,
    next: usize,
}

impl SetPools {
    /// Forgets all sets.
    ///
    /// # Safety
    /// No work that uses them is under way.
    pub(super) unsafe fn reset(&mut self, device: &Device) -> Result<()> {
        self.next = 0;
        for pool in &self.pools {
            // SAFETY: by the caller's promise.
            unsafe {
                (device.vulkan().raw)
                    .reset_descriptor_pool(*pool, vk::DescriptorPoolResetFlags::empty())
            }
            .map_err(failed("vkResetDescriptorPool"))?;
        }
        Ok(())
    }

    /// # Safety
    /// No work that uses its sets is under way.
    pub(super) unsafe fn destroy(&mut self, device: &Device) {
        for pool in self.pools.drain(..) {
            // SAFETY: by the caller's promise.
            unsafe { (device.vulkan().raw).destroy_descriptor_pool(pool, callbacks()) };
        }
    }

    /// A set of exactly these bindings.
    pub(super) fn set(
        &mut self,
        device: &Device,
        layout: vk::DescriptorSetLayout,
        bindings: &[Binding],
        given: &BindingSet,
    ) -> Result<vk::DescriptorSet> {
        let set = self.allocate(device, layout)?;
        let infos: Vec<_> = (bindings.iter().zip(given.resources(bindings)))
            .map(|(binding, resource)| Info::of(binding, resource, device))
            .collect();
        let writes: Vec<_> = (bindings.iter().zip(&infos))
            .map(|(binding, info)| {
                let write = vk::WriteDescriptorSet::default()
                    .dst_set(set)
                    .dst_binding(binding.binding)
                    .descriptor_type(descriptor_type(binding.kind));
                match info {
                    Info::Buffer(buffer) => write.buffer_info(buffer),
                    Info::Texels(view) => write.texel_buffer_view(view),
                    Info::Image(image) => write.image_info(image),
                }
            })
            .collect();
        // SAFETY: the set is fresh and unused; buffers and views are alive.
        unsafe { device.vulkan().raw.update_descriptor_sets(&writes, &[]) };
        Ok(set)
    }

    fn allocate(
        &mut self,
        device: &Device,
        layout: vk::DescriptorSetLayout,
    ) -> Result<vk::DescriptorSet> {
        let layouts = [layout];
        loop {
            if self.next == self.pools.len() {
                self.pools.push(create_pool(device)?);
                device.counters.count(Counted::Creation);
            }
            let info = vk::DescriptorSetAllocateInfo::default()
                .descriptor_pool(self.pools[self.next])
                .set_layouts(&layouts);
            // SAFETY: pool and layout are of this device.
            match unsafe { device.vulkan().raw.allocate_descriptor_sets(&info) } {
                Ok(sets) => return Ok(sets[0]),
                Err(vk::Result::ERROR_OUT_OF_POOL_MEMORY | vk::Result::ERROR_FRAGMENTED_POOL) => {
                    self.next += 1;
                }
                Err(other) => return Err(failed("vkAllocateDescriptorSets")(other)),
            }
        }
    }
}

fn create_pool(device: &Device) -> Result<vk::DescriptorPool> {
    let size = |ty, each| {
        vk::DescriptorPoolSize::default()
            .ty(ty)
            .descriptor_count(SETS_PER_POOL * each)
    };
    let sizes = [
        size(vk::DescriptorType::STORAGE_BUFFER, 6),
        size(vk::DescriptorType::UNIFORM_BUFFER, 1),
        size(vk::DescriptorType::UNIFORM_TEXEL_BUFFER, 2),
        size(vk::DescriptorType::COMBINED_IMAGE_SAMPLER, 2),
    ];
    let info = vk::DescriptorPoolCreateInfo::default()
        .max_sets(SETS_PER_POOL)
        .pool_sizes(&sizes);
    let vulkan = device.vulkan();
    // SAFETY: the device is alive.
    let pool = unsafe { vulkan.raw.create_descriptor_pool(&info, callbacks()) }
        .map_err(failed("vkCreateDescriptorPool"))?;
    vulkan.names.name(pool, "descriptors");
    Ok(pool)
}

/// A binding as Vulkan takes it.
enum Info {
    Buffer([vk::DescriptorBufferInfo; 1]),
    Texels([vk::BufferView; 1]),
    Image([vk::DescriptorImageInfo; 1]),
}

impl Info {
    fn of(binding: &Binding, resource: &Resource, device: &Device) -> Self {
        match (binding.kind, resource) {
            (BindingKind::UniformTexelBuffer, Resource::Buffer(bound)) => {
                let view = bound
                    .texel_view()
                    .expect("what is read as texels has a view");
                Self::Texels([view.raw])
            }
            (_, Resource::Buffer(bound)) => Self::Buffer([bound.buffer_info()]),
            (_, Resource::Texture(texture)) => Self::Image([texture.image_info(device)]),
        }
    }
}
