//! A command buffer with its descriptors, and the barriers between its steps.

use super::buffer::Buffer;
use super::callbacks::callbacks;
use super::counts::Counted;
use super::device::Device;
use super::failed;
use super::host::{HostCommand, HostCommands, HostTimes};
use super::image::{Image, whole};
use super::native::Native;
use super::order::{Order, Scope, Work};
use super::queue::{Moment, TimelinePoint};
use super::sets::SetPools;
use super::shader::{Binding, BindingSet, Kernel};
use super::stopwatch::Timestamps;
use crate::error::{Error, Result};
use ash::vk;
use bytemuck::Pod;
use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

pub(crate) use super::bound::Resource;
pub use super::bound::{Bound, ForeignBuffer, Texture};

/// Records one submission. It is reused: each [`Recorder::begin`] forgets what was recorded before.
pub struct Recorder {
    device: Arc<Device>,
    pool: vk::CommandPool,
    pub(crate) commands: vk::CommandBuffer,
    sets: SetPools,
    order: Order,
    /// Whether commands can be added.
    is_open: bool,
    parts: RecordedParts,
    /// What is recorded where the host is the device, in the place of all of the above.
    host: Option<Arc<HostCommands>>,
}

/// The parts of a submission, for debuggers and for its times.
#[derive(Default)]
struct RecordedParts {
    /// The part of the commands so far.
    open: Option<usize>,
    /// The part of the next command, and its label.
    next: Option<(usize, Option<Arc<CString>>)>,
    timestamps: Timestamps,
    is_timed: bool,
    /// What became of a timestamp that could not be written.
    refused: Option<Error>,
}

impl Recorder {
    /// A recorder with a command pool of its own, so that each thread can record without a lock.
    pub fn new(device: &Arc<Device>) -> Result<Self> {
        if device.is_host() {
            return Ok(Self {
                device: device.clone(),
                pool: vk::CommandPool::null(),
                commands: vk::CommandBuffer::null(),
                sets: SetPools::default(),
                order: Order::default(),
                is_open: false,
                parts: RecordedParts::default(),
                host: Some(Arc::default()),
            });
        }
        let info =
            vk::CommandPoolCreateInfo::default().queue_family_index(device.vulkan().queue.family);
        // SAFETY: the device is alive.
        let pool = unsafe { device.vulkan().raw.create_command_pool(&info, callbacks()) }
            .map_err(failed("vkCreateCommandPool"))?;
        let mut recorder = Self {
            device: device.clone(),
            pool,
            commands: vk::CommandBuffer::null(),
            sets: SetPools::default(),
            order: Order::default(),
            is_open: false,
            parts: RecordedParts::default(),
            host: None,
        };
        device.counters.count(Counted::Creation);
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: the pool was just made.
        recorder.commands = unsafe { device.vulkan().raw.allocate_command_buffers(&info) }
            .map_err(failed("vkAllocateCommandBuffers"))?[0];
        let names = &device.vulkan().names;
        names.name(pool, "commands");
        names.name(recorder.commands, "commands");
        Ok(recorder)
    }

    /// Starts anew. The work recorded before has finished. What was submitted to the queue earlier, by the engine or by Proxel,
    /// comes first, and what it wrote is seen: submission order alone orders neither.
    pub fn begin(&mut self) -> Result<()> {
        self.begin_for(false)
    }

    /// The same for commands that may be submitted more than once.
    pub fn begin_for(&mut self, several: bool) -> Result<()> {
        if let Some(commands) = &mut self.host {
            *commands = Arc::default();
            return Ok(());
        }
        let flags = match several {
            false => vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT,
            true => vk::CommandBufferUsageFlags::empty(),
        };
        let info = vk::CommandBufferBeginInfo::default().flags(flags);
        // SAFETY: the owner waits for its last submission before it records again, so nothing here is in use.
        unsafe {
            self.sets.reset(&self.device)?;
            let raw = &self.device.vulkan().raw;
            raw.reset_command_pool(self.pool, vk::CommandPoolResetFlags::empty())
                .map_err(failed("vkResetCommandPool"))?;
            raw.begin_command_buffer(self.commands, &info)
                .map_err(failed("vkBeginCommandBuffer"))?;
        }
        self.is_open = true;
        self.order = Order::default();
        self.parts.restart();
        self.barrier(Scope::anything(), Scope::anything());
        Ok(())
    }

    /// Takes the times of parts, with numbers below `count`, from now on.
    pub fn take_times(&mut self, count: usize) -> Result<()> {
        if let Some(commands) = self.host.as_mut().and_then(Arc::get_mut) {
            commands.times = Some(Arc::new(HostTimes::new(count)?));
            return Ok(());
        }
        self.parts.is_timed = true;
        (self.parts.timestamps).write(&self.device, self.commands, 0)
    }

    /// What is recorded from now on is a part of the submission, which debuggers show under its label.
    pub fn begin_part(&mut self, part: usize, label: Option<&Arc<CString>>) {
        match self.host.as_mut().and_then(Arc::get_mut) {
            Some(commands) => commands.part = part,
            None => self.parts.next = Some((part, label.cloned())),
        }
    }

    /// Ends the part of the commands so far where another one follows.
    fn enter_part(&mut self) {
        let Some((part, label)) = self.parts.next.take() else {
            return;
        };
        if self.parts.open == Some(part) {
            return;
        }
        self.end_part();
        self.parts.open = Some(part);
        let label = label.as_deref().map_or(c"Proxel", |label| label.as_c_str());
        // SAFETY: the command buffer is recording.
        unsafe { (self.device.vulkan().names).begin(self.commands, label) };
    }

    fn end_part(&mut self) {
        let Some(part) = self.parts.open.take() else {
            return;
        };
        // SAFETY: the command buffer is recording, and the part has opened a label.
        unsafe { self.device.vulkan().names.end(self.commands) };
        if self.parts.is_timed {
            let written = (self.parts.timestamps).write(&self.device, self.commands, part);
            self.parts.refused = self.parts.refused.take().or(written.err());
        }
    }

    /// Seconds that each of `count` parts took, of a submission that has finished and took times.
    pub fn times(&self, count: usize) -> Result<Vec<f64>> {
        match self
            .host
            .as_ref()
            .and_then(|commands| commands.times.as_ref())
        {
            Some(times) => times.seconds(),
            None => self.parts.timestamps.read(&self.device, count),
        }
    }

    /// The device that this records for.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// What is recorded from now on sees what was recorded before. A barrier follows where it does: before the first command that
    /// may depend on it, between these kinds of commands.
    pub fn order(&mut self) {
        self.order_after(&[Work::Transfer, Work::Compute, Work::Drawing, Work::Host]);
    }

    /// The same for kernels and passes; transfers that follow touch other memory than what was recorded in this step.
    pub fn order_kernels(&mut self) {
        self.order_after(&[Work::Compute, Work::Drawing]);
    }

    fn order_after(&mut self, works: &[Work]) {
        match self.host.as_mut().and_then(Arc::get_mut) {
            Some(commands) => commands.order(),
            None => self.order.step(works),
        }
    }

    /// The host sees, after the submission, what was recorded.
    pub fn hand_to_host(&mut self) {
        self.order();
        self.begin_work(Work::Host);
    }

    /// Waits for what the work that is recorded next has to see.
    pub(crate) fn begin_work(&mut self, work: Work) {
        // The host runs one step after the other.
        if self.host.is_some() {
            return;
        }
        self.enter_part();
        if let Some(before) = self.order.add(work) {
            self.barrier(before, work.starting());
        }
    }

    fn barrier(&mut self, before: Scope, after: Scope) {
        self.device.counters.count(Counted::Barrier);
        let memory = [vk::MemoryBarrier::default()
            .src_access_mask(before.access)
            .dst_access_mask(after.access)];
        // SAFETY: the command buffer is recording.
        unsafe {
            self.device.vulkan().raw.cmd_pipeline_barrier(
                self.commands,
                before.stages,
                after.stages,
                vk::DependencyFlags::empty(),
                &memory,
                &[],
                &[],
            );
        }
    }

    pub(crate) fn begin_transfer(&mut self, bytes: u64) {
        self.begin_work(Work::Transfer);
        self.device.counters.count(Counted::Transfer);
        self.device.counters.add(Counted::TransferredByte, bytes);
    }

    /// Fills `bytes` bytes at `offset` with a word.
    pub fn fill(&mut self, target: &Buffer, offset: u64, bytes: u64, word: u32) {
        // Vulkan allows no empty fill, nor an empty copy.
        if bytes == 0 {
            return;
        }
        self.begin_transfer(bytes);
        if let Some(part) = target.host_part(offset, bytes) {
            self.push(move || part.fill(word));
            return;
        }
        // SAFETY: the command buffer is recording; the caller's range is inside the buffer and a multiple of four.
        unsafe {
            self.device
                .vulkan()
                .raw
                .cmd_fill_buffer(self.commands, target.raw, offset, bytes, word)
        };
    }

    /// Writes a small value, at most 64 KB, at `offset`.
    pub fn write(&mut self, target: &Buffer, offset: u64, value: &impl Pod) {
        self.write_all(target, offset, std::slice::from_ref(value));
    }

    /// Writes a few values, at most 64 KB, at `offset`.
    pub fn write_all(&mut self, target: &Buffer, offset: u64, values: &[impl Pod]) {
        // Vulkan allows no empty update.
        if values.is_empty() {
            return;
        }
        let bytes = size_of_val(values) as u64;
        self.begin_transfer(bytes);
        if let Some(part) = target.host_part(offset, bytes) {
            let values: Vec<u8> = bytemuck::cast_slice(values).to_vec();
            self.push(move || part.copy_from(&values));
            return;
        }
        // SAFETY: the command buffer is recording; the range is inside the buffer, small, and a multiple of four.
        unsafe {
            self.device.vulkan().raw.cmd_update_buffer(
                self.commands,
                target.raw,
                offset,
                bytemuck::cast_slice(values),
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
        if bytes == 0 {
            return;
        }
        let region = [vk::BufferCopy::default()
            .src_offset(source_offset)
            .dst_offset(target_offset)
            .size(bytes)];
        self.begin_transfer(bytes);
        if let (Some(from), Some(to)) = (
            source.host_part(source_offset, bytes),
            target.host_part(target_offset, bytes),
        ) {
            self.push(move || to.copy_from(from.bytes()));
            return;
        }
        // SAFETY: the command buffer is recording; both ranges are inside their buffers.
        unsafe {
            self.device
                .vulkan()
                .raw
                .cmd_copy_buffer(self.commands, source.raw, target.raw, &region)
        };
    }

    /// Copies a list of `bytes` bytes: its head, of which the first word counts the items, and items of `item` bytes. The host copies no more
    /// items than there are; of the other bytes any may be left as they were.
    pub fn copy_list(
        &mut self,
        (source, source_offset): (&Buffer, u64),
        (target, target_offset): (&Buffer, u64),
        bytes: u64,
        [head, item]: [usize; 2],
    ) {
        if let (Some(from), Some(to)) = (
            source.host_part(source_offset, bytes),
            target.host_part(target_offset, bytes),
        ) {
            self.begin_transfer(bytes);
            self.push(move || {
                let count = from.words()[0].load(Relaxed) as usize;
                let listed = head.saturating_add(count.saturating_mul(item));
                to.start_from(&from.bytes()[..listed.min(from.bytes)]);
            });
            return;
        }
        self.copy(source, source_offset, target, target_offset, bytes);
    }

    /// Copies a whole texture's voxels from a buffer. What it held before is forgotten.
    pub fn copy_to_image(&mut self, source: &Buffer, target: &Image) {
        if let Some(from) = source.host_part(0, target.bytes()) {
            self.begin_transfer(target.bytes());
            let to = target.host_floats();
            let half = target.voxel.is_half();
            self.order();
            self.push(move || to.convert_from(from.bytes(), half));
            self.order();
            return;
        }
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
        self.begin_transfer(target.bytes());
        self.device.counters.add(Counted::Barrier, 2);
        // SAFETY: the command buffer is recording; the buffer holds all voxels.
        unsafe {
            let raw = &self.device.vulkan().raw;
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

    /// Runs a kernel over `groups` workgroups.
    pub fn dispatch<K: Native>(
        &mut self,
        kernel: &K,
        push: &K::Push,
        groups: [u32; 3],
    ) -> Result<()> {
        if self.host.is_some() {
            self.device.counters.count(Counted::Dispatch);
            let (kernel, push) = (*kernel, *push);
            // SAFETY: what the kernel binds stays alive until the moment of its submission, by the promise of `submit`.
            unsafe { self.push_unbound(move || kernel.run(&push, groups)) };
            return Ok(());
        }
        self.bind_kernel(kernel, push)?;
        // SAFETY: the command buffer is recording with a compute pipeline bound.
        unsafe {
            let raw = &self.device.vulkan().raw;
            raw.cmd_dispatch(self.commands, groups[0], groups[1], groups[2]);
        }
        Ok(())
    }

    /// Runs a kernel over as many workgroups as three integers at `offset` of `commands` say.
    pub fn dispatch_indirect<K: Native>(
        &mut self,
        kernel: &K,
        push: &K::Push,
        commands: &Buffer,
        offset: u64,
    ) -> Result<()> {
        if let Some(groups) = commands.host_part(offset, size_of::<[u32; 3]>() as u64) {
            self.device.counters.count(Counted::Dispatch);
            let (kernel, push) = (*kernel, *push);
            let run = move || {
                let groups: [u32; 3] = bytemuck::pod_read_unaligned(groups.bytes());
                if groups.iter().all(|n| *n > 0) {
                    kernel.run(&push, groups);
                }
            };
            // SAFETY: as for `dispatch`.
            unsafe { self.push_unbound(run) };
            return Ok(());
        }
        self.bind_kernel(kernel, push)?;
        // SAFETY: the command buffer is recording with a compute pipeline bound; the three integers are in the buffer.
        unsafe {
            let raw = &self.device.vulkan().raw;
            raw.cmd_dispatch_indirect(self.commands, commands.raw, offset);
        }
        Ok(())
    }

    /// Records what only the host does, in the place of drawing. What it borrows stays alive as that of a kernel does.
    pub(crate) fn run_on_host<'a>(&mut self, work: impl Fn() + Send + Sync + 'a) {
        // SAFETY: by the promise of `submit`.
        unsafe { self.push_unbound(work) };
    }

    /// Records a command of the host.
    fn push(&mut self, command: impl Fn() + Send + Sync + 'static) {
        let commands = self.host.as_mut().and_then(Arc::get_mut);
        let commands = commands.expect("commands are recorded before they are submitted");
        commands.push(Box::new(command));
    }

    /// Records a command of the host that borrows.
    ///
    /// # Safety
    /// What it borrows stays alive until the moment of its submission.
    unsafe fn push_unbound<'a>(&mut self, command: impl Fn() + Send + Sync + 'a) {
        let command: Box<dyn Fn() + Send + Sync + 'a> = Box::new(command);
        // SAFETY: by the caller's promise it is not called after what it borrows is gone.
        let command = unsafe {
            std::mem::transmute::<Box<dyn Fn() + Send + Sync + 'a>, HostCommand>(command)
        };
        self.push(command);
    }

    fn bind_kernel<K: Kernel>(&mut self, kernel: &K, push: &K::Push) -> Result<()> {
        let (shader, set) = (kernel.shader(), BindingSet::of(&[kernel]));
        let kernel = self.device.vulkan().kernels.get(&self.device, shader)?;
        let set = self.descriptor_set(kernel.set_layout, shader.bindings, &set)?;
        let push = bytemuck::bytes_of(push);
        debug_assert_eq!(push.len(), shader.push_bytes as usize, "{}", shader.name);
        self.begin_work(Work::Compute);
        self.device.counters.count(Counted::Dispatch);
        // SAFETY: the command buffer is recording; the set and the push constants fit the pipeline's layout, which was
        // read from the same shader.
        unsafe {
            let raw = &self.device.vulkan().raw;
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

    /// Ends the recording and submits it; what was ended before is submitted again.
    ///
    /// # Safety
    /// Everything recorded stays alive until the returned moment; the semaphores are valid.
    pub unsafe fn submit(
        &mut self,
        waits: &[TimelinePoint],
        signals: &[TimelinePoint],
    ) -> Result<Moment> {
        self.device.counters.count(Counted::Submission);
        if let (Some(commands), Some(queue)) = (&self.host, self.device.host_queue()) {
            return queue.submit(commands.clone());
        }
        if self.is_open {
            self.end_part();
        }
        if let Some(refused) = self.parts.refused.take() {
            return Err(refused);
        }
        let vulkan = self.device.vulkan();
        // SAFETY: the command buffer is recording; the rest is the caller's promise.
        unsafe {
            if std::mem::take(&mut self.is_open) {
                (vulkan.raw)
                    .end_command_buffer(self.commands)
                    .map_err(failed("vkEndCommandBuffer"))?;
            }
            (vulkan.queue).submit(&vulkan.raw, &vulkan.names, &[self.commands], waits, signals)
        }
    }

    /// A set of this submission, of exactly these bindings.
    pub(crate) fn descriptor_set(
        &mut self,
        layout: vk::DescriptorSetLayout,
        bindings: &[Binding],
        given: &BindingSet,
    ) -> Result<vk::DescriptorSet> {
        self.sets.set(&self.device, layout, bindings, given)
    }
}

impl RecordedParts {
    /// None of a recording that begins.
    fn restart(&mut self) {
        self.timestamps.restart();
        (self.open, self.next, self.is_timed, self.refused) = (None, None, false, None);
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if self.host.is_some() {
            return;
        }
        // SAFETY: the owner has waited for its last submission.
        unsafe {
            self.sets.destroy(&self.device);
            self.parts.timestamps.destroy(&self.device);
            (self.device.vulkan().raw).destroy_command_pool(self.pool, callbacks());
        }
    }
}
