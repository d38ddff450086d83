//! A command buffer with its descriptors, and the barriers between passes.

use super::attachment::Attachment;
use super::buffer::{Buffer, TexelView};
use super::device::Device;
use super::failed;
use super::image::{Image, whole};
use super::pipeline::descriptor_type;
use super::queue::{Moment, TimelinePoint};
use super::shader::{Binding, BindingSet, Kernel, Shader};
use crate::error::Result;
use ash::vk;
use bytemuck::Pod;
use std::sync::Arc;

/// Who touches memory on one side of a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Copies and fills.
    Transfer,
    /// Compute kernels and the counts they are dispatched by.
    Compute,
    /// The host, after the submission.
    Host,
    /// Anything that was submitted before, or comes after.
    Any,
}

impl Access {
    fn stage(self) -> vk::PipelineStageFlags {
        match self {
            Self::Transfer => vk::PipelineStageFlags::TRANSFER,
            Self::Compute => {
                vk::PipelineStageFlags::COMPUTE_SHADER | vk::PipelineStageFlags::DRAW_INDIRECT
            }
            Self::Host => vk::PipelineStageFlags::HOST,
            Self::Any => vk::PipelineStageFlags::ALL_COMMANDS,
        }
    }

    fn mask(self) -> vk::AccessFlags {
        match self {
            Self::Transfer => vk::AccessFlags::TRANSFER_READ | vk::AccessFlags::TRANSFER_WRITE,
            Self::Compute => {
                vk::AccessFlags::SHADER_READ
                    | vk::AccessFlags::SHADER_WRITE
                    | vk::AccessFlags::INDIRECT_COMMAND_READ
            }
            Self::Host => vk::AccessFlags::HOST_READ,
            Self::Any => vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE,
        }
    }
}

/// A buffer that the engine owns.
#[derive(Debug, Clone, Copy)]
pub struct ForeignBuffer(pub(crate) vk::Buffer);

impl ForeignBuffer {
    /// Names the engine's `VkBuffer` by its handle.
    pub fn from_handle(handle: u64) -> Self {
        use vk::Handle;
        Self(vk::Buffer::from_raw(handle))
    }

    /// A buffer of Proxel's, seen as an engine's; it must outlive its use here.
    pub fn of(buffer: &Buffer) -> Self {
        Self(buffer.raw)
    }
}

/// What a kernel's binding is given.
#[derive(Clone, Copy)]
pub enum Bound<'a> {
    /// A whole buffer.
    Buffer(&'a Buffer),
    /// A part of the engine's buffer.
    Foreign {
        /// The buffer.
        buffer: ForeignBuffer,
        /// Bytes before the part; a multiple of the device's storage alignment.
        offset: u64,
        /// Bytes of the part.
        bytes: u64,
    },
    /// A part of a buffer.
    Part {
        /// The buffer.
        buffer: &'a Buffer,
        /// Bytes before the part; a multiple of the device's storage alignment.
        offset: u64,
        /// Bytes of the part.
        bytes: u64,
        /// A texel view of it, where it has one.
        texels: Option<&'a TexelView>,
    },
    /// A buffer's texel view.
    Texels(&'a Buffer),
    /// A texel view of a part of a buffer.
    View(&'a TexelView),
    /// A texture with the linear sampler.
    Sampled(&'a Image),
    /// What a pass has drawn, to fetch texels of.
    Attachment(&'a Attachment),
}

/// What a binding of a texture is given.
#[derive(Clone, Copy)]
pub enum Texture<'a> {
    /// A texture with the linear sampler.
    Sampled(&'a Image),
    /// What a pass has drawn, to fetch texels of.
    Attachment(&'a Attachment),
}

impl<'a> Bound<'a> {
    /// A whole buffer through its texel view, or as storage.
    pub fn viewed(buffer: &'a Buffer, texel: bool) -> Self {
        match texel {
            true => Self::Texels(buffer),
            false => Self::Buffer(buffer),
        }
    }

    /// The texel view, where there is one.
    pub(crate) fn texels(self) -> Option<&'a TexelView> {
        match self {
            Self::Buffer(buffer) | Self::Texels(buffer) => buffer.texels(),
            Self::Part { texels, .. } => texels,
            Self::View(view) => Some(view),
            Self::Foreign { .. } | Self::Sampled(_) | Self::Attachment(_) => None,
        }
    }
}

/// Records one submission. It is reused: each [`Recorder::begin`] forgets what was recorded before.
pub struct Recorder {
    device: Arc<Device>,
    pool: vk::CommandPool,
    pub(crate) commands: vk::CommandBuffer,
    sets: Vec<vk::DescriptorPool>,
    next_set_pool: usize,
}

/// Sets in one descriptor pool; further pools are made as needed.
const SETS_PER_POOL: u32 = 64;

impl Recorder {
    /// A recorder with a command pool of its own, so that each thread can record without a lock.
    pub fn new(device: &Arc<Device>) -> Result<Self> {
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(device.queue.family);
        // SAFETY: the device is alive.
        let pool = unsafe { device.raw.create_command_pool(&info, None) }
            .map_err(failed("vkCreateCommandPool"))?;
        let mut recorder = Self {
            device: device.clone(),
            pool,
            commands: vk::CommandBuffer::null(),
            sets: Vec::new(),
            next_set_pool: 0,
        };
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: the pool was just made.
        recorder.commands = unsafe { device.raw.allocate_command_buffers(&info) }
            .map_err(failed("vkAllocateCommandBuffers"))?[0];
        Ok(recorder)
    }

    /// Starts anew. The work recorded before has finished.
    pub fn begin(&mut self) -> Result<()> {
        self.next_set_pool = 0;
        let info = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the owner waits for its last submission before it records again, so nothing here is in use.
        unsafe {
            for set_pool in &self.sets {
                self.device
                    .raw
                    .reset_descriptor_pool(*set_pool, vk::DescriptorPoolResetFlags::empty())
                    .map_err(failed("vkResetDescriptorPool"))?;
            }
            self.device
                .raw
                .reset_command_pool(self.pool, vk::CommandPoolResetFlags::empty())
                .map_err(failed("vkResetCommandPool"))?;
            self.device
                .raw
                .begin_command_buffer(self.commands, &info)
                .map_err(failed("vkBeginCommandBuffer"))
        }
    }

    /// The device that this records for.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// Makes what `from` did before visible to what `to` does after.
    pub fn barrier(&mut self, from: Access, to: Access) {
        let memory = [vk::MemoryBarrier::default()
            .src_access_mask(from.mask())
            .dst_access_mask(to.mask())];
        // SAFETY: the command buffer is recording.
        unsafe {
            self.device.raw.cmd_pipeline_barrier(
                self.commands,
                from.stage(),
                to.stage(),
                vk::DependencyFlags::empty(),
                &memory,
                &[],
                &[],
            );
        }
    }

    /// Fills `bytes` bytes at `offset` with a word.
    pub fn fill(&mut self, target: &Buffer, offset: u64, bytes: u64, word: u32) {
        // SAFETY: the command buffer is recording; the caller's range is inside the buffer and a multiple of four.
        unsafe {
            self.device
                .raw
                .cmd_fill_buffer(self.commands, target.raw, offset, bytes, word)
        };
    }

    /// Writes a small value, at most 64 KB, at `offset`.
    pub fn write(&mut self, target: &Buffer, offset: u64, value: &impl Pod) {
        // SAFETY: the command buffer is recording; the range is inside the buffer, small, and a multiple of four.
        unsafe {
            self.device.raw.cmd_update_buffer(
                self.commands,
                target.raw,
                offset,
                bytemuck::bytes_of(value),
            )
        };
    }

    /// Copies `bytes` bytes from one buffer to another.
    pub fn copy(
        &mut self,
        source: &Buffer,
        source_offset: u64,
        target: &Buffer,
        target_offset: u64,
        bytes: u64,
    ) {
        let region = [vk::BufferCopy::default()
            .src_offset(source_offset)
            .dst_offset(target_offset)
            .size(bytes)];
        // SAFETY: the command buffer is recording; both ranges are inside their buffers.
        unsafe {
            self.device
                .raw
                .cmd_copy_buffer(self.commands, source.raw, target.raw, &region)
        };
    }

    /// Copies a whole texture's voxels from a buffer. What it held before is forgotten.
    pub fn copy_to_image(&mut self, source: &Buffer, target: &Image) {
        let [width, height, depth] = target.size;
        let region = [vk::BufferImageCopy::default()
            .image_subresource(
                vk::ImageSubresourceLayers::default()
                    .aspect_mask(vk::ImageAspectFlags::COLOR)
                    .layer_count(1),
            )
            .image_extent(vk::Extent3D {
                width,
                height,
                depth,
            })];
        let transition = |from, to, source, target_access| {
            vk::ImageMemoryBarrier::default()
                .src_access_mask(source)
                .dst_access_mask(target_access)
                .old_layout(from)
                .new_layout(to)
                .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                .image(target.raw)
                .subresource_range(whole())
        };
        let (empty, write) = (vk::AccessFlags::empty(), vk::AccessFlags::TRANSFER_WRITE);
        let target_layout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        let fresh = [transition(
            vk::ImageLayout::UNDEFINED,
            target_layout,
            empty,
            write,
        )];
        let ready = [transition(
            target_layout,
            Image::LAYOUT,
            write,
            vk::AccessFlags::SHADER_READ,
        )];
        let (any, copy) = (
            vk::PipelineStageFlags::ALL_COMMANDS,
            vk::PipelineStageFlags::TRANSFER,
        );
        let flags = vk::DependencyFlags::empty();
        // SAFETY: the command buffer is recording; the buffer holds all voxels.
        unsafe {
            let raw = &self.device.raw;
            raw.cmd_pipeline_barrier(self.commands, any, copy, flags, &[], &[], &fresh);
            raw.cmd_copy_buffer_to_image(
                self.commands,
                source.raw,
                target.raw,
                target_layout,
                &region,
            );
            raw.cmd_pipeline_barrier(self.commands, copy, any, flags, &[], &[], &ready);
        }
    }

    /// Runs a kernel over `groups` workgroups. `bound` follows the order of the shader's bindings.
    pub fn dispatch(
        &mut self,
        shader: &'static Shader,
        bound: &[Bound],
        push: &impl Pod,
        groups: [u32; 3],
    ) -> Result<()> {
        self.take_kernel(shader, bound, push)?;
        // SAFETY: the command buffer is recording with a compute pipeline bound.
        unsafe {
            let raw = &self.device.raw;
            raw.cmd_dispatch(self.commands, groups[0], groups[1], groups[2]);
        }
        Ok(())
    }

    /// Runs a kernel over as many workgroups as three integers at `offset` of `commands` say.
    pub fn dispatch_indirect(
        &mut self,
        shader: &'static Shader,
        bound: &[Bound],
        push: &impl Pod,
        commands: &Buffer,
        offset: u64,
    ) -> Result<()> {
        self.take_kernel(shader, bound, push)?;
        // SAFETY: the command buffer is recording with a compute pipeline bound; the three integers are in the buffer.
        unsafe {
            let raw = &self.device.raw;
            raw.cmd_dispatch_indirect(self.commands, commands.raw, offset);
        }
        Ok(())
    }

    /// Runs a kernel over `groups` workgroups.
    pub fn run<K: Kernel>(&mut self, kernel: &K, push: &K::Push, groups: [u32; 3]) -> Result<()> {
        let (shader, set) = (kernel.shader(), BindingSet::of(&[kernel]));
        self.dispatch(shader, &set.fitting(shader.bindings), push, groups)
    }

    /// Runs a kernel over as many workgroups as three integers at `offset` of `commands` say.
    pub fn run_indirect<K: Kernel>(
        &mut self,
        kernel: &K,
        push: &K::Push,
        commands: &Buffer,
        offset: u64,
    ) -> Result<()> {
        let (shader, set) = (kernel.shader(), BindingSet::of(&[kernel]));
        let bound = set.fitting(shader.bindings);
        self.dispatch_indirect(shader, &bound, push, commands, offset)
    }

    fn take_kernel(
        &mut self,
        shader: &'static Shader,
        bound: &[Bound],
        push: &impl Pod,
    ) -> Result<()> {
        let kernel = self.device.kernels.get(&self.device.raw, shader)?;
        debug_assert_eq!(bound.len(), shader.bindings.len(), "{}", shader.name);
        let set = self.descriptor_set(kernel.set_layout, shader.bindings, bound)?;
        let push = bytemuck::bytes_of(push);
        debug_assert_eq!(push.len(), shader.push_bytes as usize, "{}", shader.name);
        // SAFETY: the command buffer is recording; the set and the push constants fit the pipeline's layout, which was
        // read from the same shader.
        unsafe {
            let raw = &self.device.raw;
            raw.cmd_bind_pipeline(
                self.commands,
                vk::PipelineBindPoint::COMPUTE,
                kernel.pipeline,
            );
            raw.cmd_bind_descriptor_sets(
                self.commands,
                vk::PipelineBindPoint::COMPUTE,
                kernel.layout,
                0,
                &[set],
                &[],
            );
            if !push.is_empty() {
                raw.cmd_push_constants(
                    self.commands,
                    kernel.layout,
                    vk::ShaderStageFlags::COMPUTE,
                    0,
                    push,
                );
            }
        }
        Ok(())
    }

    /// Ends the recording and submits it.
    ///
    /// # Safety
    /// Everything recorded stays alive until the returned moment; the semaphores are valid timeline semaphores.
    pub unsafe fn submit(
        &mut self,
        waits: &[TimelinePoint],
        signals: &[TimelinePoint],
    ) -> Result<Moment> {
        // SAFETY: the command buffer is recording; the rest is the caller's promise.
        unsafe {
            self.device
                .raw
                .end_command_buffer(self.commands)
                .map_err(failed("vkEndCommandBuffer"))?;
            self.device
                .queue
                .submit(&self.device.raw, &[self.commands], waits, signals)
        }
    }

    /// A set of this submission; `bound` follows the order of `bindings`.
    pub(crate) fn descriptor_set(
        &mut self,
        layout: vk::DescriptorSetLayout,
        bindings: &[Binding],
        bound: &[Bound],
    ) -> Result<vk::DescriptorSet> {
        debug_assert_eq!(bound.len(), bindings.len());
        let set = self.allocate_set(layout)?;
        let buffers: Vec<_> = bound.iter().map(|b| [buffer_info(*b)]).collect();
        let views: Vec<_> = bound.iter().map(|b| [texel_view(*b)]).collect();
        let images: Vec<_> = bound
            .iter()
            .map(|b| [image_info(*b, &self.device)])
            .collect();
        let writes: Vec<_> = (0..bound.len())
            .map(|i| {
                let binding = bindings[i].binding;
                let write = vk::WriteDescriptorSet::default()
                    .dst_set(set)
                    .dst_binding(binding);
                match bound[i] {
                    Bound::Texels(_) | Bound::View(_) => write
                        .descriptor_type(vk::DescriptorType::UNIFORM_TEXEL_BUFFER)
                        .texel_buffer_view(&views[i]),
                    Bound::Sampled(_) | Bound::Attachment(_) => write
                        .descriptor_type(vk::DescriptorType::COMBINED_IMAGE_SAMPLER)
                        .image_info(&images[i]),
                    Bound::Buffer(_) | Bound::Foreign { .. } | Bound::Part { .. } => write
                        .descriptor_type(descriptor_type(bindings[i].kind))
                        .buffer_info(&buffers[i]),
                }
            })
            .collect();
        // SAFETY: the set is fresh and unused; buffers and views are alive.
        unsafe { self.device.raw.update_descriptor_sets(&writes, &[]) };
        Ok(set)
    }

    fn allocate_set(&mut self, layout: vk::DescriptorSetLayout) -> Result<vk::DescriptorSet> {
        let layouts = [layout];
        loop {
            if self.next_set_pool == self.sets.len() {
                self.sets.push(create_set_pool(&self.device)?);
            }
            let info = vk::DescriptorSetAllocateInfo::default()
                .descriptor_pool(self.sets[self.next_set_pool])
                .set_layouts(&layouts);
            // SAFETY: pool and layout are of this device.
            match unsafe { self.device.raw.allocate_descriptor_sets(&info) } {
                Ok(sets) => return Ok(sets[0]),
                Err(vk::Result::ERROR_OUT_OF_POOL_MEMORY | vk::Result::ERROR_FRAGMENTED_POOL) => {
                    self.next_set_pool += 1;
                }
                Err(other) => return Err(failed("vkAllocateDescriptorSets")(other)),
            }
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // SAFETY: the owner has waited for its last submission.
        unsafe {
            for set_pool in &self.sets {
                self.device.raw.destroy_descriptor_pool(*set_pool, None);
            }
            self.device.raw.destroy_command_pool(self.pool, None);
        }
    }
}

fn create_set_pool(device: &Device) -> Result<vk::DescriptorPool> {
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
        size(vk::DescriptorType::STORAGE_IMAGE, 2),
    ];
    let info = vk::DescriptorPoolCreateInfo::default()
        .max_sets(SETS_PER_POOL)
        .pool_sizes(&sizes);
    // SAFETY: the device is alive.
    unsafe { device.raw.create_descriptor_pool(&info, None) }
        .map_err(failed("vkCreateDescriptorPool"))
}

fn buffer_info(bound: Bound) -> vk::DescriptorBufferInfo {
    match bound {
        Bound::Buffer(buffer) | Bound::Texels(buffer) => vk::DescriptorBufferInfo::default()
            .buffer(buffer.raw)
            .range(vk::WHOLE_SIZE),
        Bound::Foreign {
            buffer,
            offset,
            bytes,
        } => vk::DescriptorBufferInfo::default()
            .buffer(buffer.0)
            .offset(offset)
            .range(bytes),
        Bound::Part {
            buffer,
            offset,
            bytes,
            ..
        } => vk::DescriptorBufferInfo::default()
            .buffer(buffer.raw)
            .offset(offset)
            .range(bytes),
        Bound::View(_) | Bound::Sampled(_) | Bound::Attachment(_) => {
            vk::DescriptorBufferInfo::default()
        }
    }
}

fn texel_view(bound: Bound) -> vk::BufferView {
    match bound {
        Bound::Texels(buffer) => buffer
            .texels()
            .map_or(vk::BufferView::null(), |view| view.raw),
        Bound::View(view) => view.raw,
        _ => vk::BufferView::null(),
    }
}

fn image_info(bound: Bound, device: &Device) -> vk::DescriptorImageInfo {
    let info = vk::DescriptorImageInfo::default();
    match bound {
        Bound::Sampled(image) => info
            .sampler(device.samplers.linear)
            .image_view(image.view)
            .image_layout(Image::LAYOUT),
        Bound::Attachment(attachment) => info
            .sampler(device.samplers.nearest)
            .image_view(attachment.sampled)
            .image_layout(attachment.format.resting()),
        _ => info,
    }
}
