//! Drawing: the attachments of a pass, and what is recorded between its begin and its end.

use super::attachment::Attachment;
use super::buffer::Buffer;
use super::callbacks::callbacks;
use super::counts::Counted;
use super::device::Device;
use super::failed;
use super::occlusion::OcclusionQueries;
use super::order::Work;
use super::paths::DeviceFeature;
use super::raster::{Drawer, PassKey, Stages};
use super::recorder::Recorder;
use crate::error::{Error, Result};
use ash::vk;
use bytemuck::Pod;
use std::sync::Arc;

/// The attachments that a pass draws into, all of one size.
pub struct Targets {
    device: Arc<Device>,
    colours: Vec<Arc<Attachment>>,
    depth: Option<Arc<Attachment>>,
    framebuffer: vk::Framebuffer,
    /// Width and height in pixels.
    pub size: [u32; 2],
}

/// What an attachment holds when a pass starts.
#[derive(Debug, Clone, Copy)]
pub enum Start {
    /// What it held before.
    Keep,
    /// This colour.
    Colour([f32; 4]),
    /// These integers.
    Integers([u32; 4]),
    /// This depth and this stencil.
    Depth(f32, u32),
}

impl Start {
    fn clears(self) -> bool {
        !matches!(self, Self::Keep)
    }

    fn value(self) -> vk::ClearValue {
        match self {
            Self::Keep => vk::ClearValue::default(),
            Self::Colour(float32) => vk::ClearValue {
                color: vk::ClearColorValue { float32 },
            },
            Self::Integers(uint32) => vk::ClearValue {
                color: vk::ClearColorValue { uint32 },
            },
            Self::Depth(depth, stencil) => vk::ClearValue {
                depth_stencil: vk::ClearDepthStencilValue { depth, stencil },
            },
        }
    }
}

impl Targets {
    /// Joins attachments; without any, a pass of `size` pixels whose fragments only write to buffers.
    pub fn new(
        device: &Arc<Device>,
        colours: Vec<Arc<Attachment>>,
        depth: Option<Arc<Attachment>>,
        size: [u32; 2],
    ) -> Result<Self> {
        debug_assert!(
            colours.iter().chain(&depth).all(|a| a.size == size),
            "attachments of one size"
        );
        device.check_draws("a pass")?;
        let limit = device.limits().max_framebuffer;
        if let Some(side) = size.iter().find(|side| **side == 0 || **side > limit) {
            return Err(Error::Unsupported(format!(
                "a pass of {} x {} pixels: \"{}\" allows sides of 1 to {limit}, not {side}",
                size[0], size[1], device.physical.name
            )));
        }
        let mut targets = Self {
            device: device.clone(),
            colours,
            depth,
            framebuffer: vk::Framebuffer::null(),
            size,
        };
        let vulkan = device.vulkan();
        let pass = (vulkan.rasters).pass(vulkan, &targets.key(|_| true))?;
        let views: Vec<_> = targets.attachments().map(|a| a.view).collect();
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(pass)
            .attachments(&views)
            .width(size[0])
            .height(size[1])
            .layers(1);
        // SAFETY: the views are alive and of the formats that the pass names; the size is within limits.
        targets.framebuffer = unsafe { vulkan.raw.create_framebuffer(&info, callbacks()) }
            .map_err(failed("vkCreateFramebuffer"))?;
        vulkan.names.name(targets.framebuffer, "framebuffer");
        device.counters.count(Counted::Creation);
        Ok(targets)
    }

    /// The colours, then the depth.
    fn attachments(&self) -> impl Iterator<Item = &Arc<Attachment>> {
        self.colours.iter().chain(&self.depth)
    }

    /// What tells the passes into these targets apart; `clears` says it of the attachment at an index.
    fn key(&self, clears: impl Fn(usize) -> bool) -> PassKey {
        PassKey {
            colours: self
                .colours
                .iter()
                .enumerate()
                .map(|(at, a)| (a.format, clears(at)))
                .collect(),
            depth: self
                .depth
                .as_ref()
                .map(|a| (a.format, clears(self.colours.len()))),
        }
    }
}

impl Drop for Targets {
    fn drop(&mut self) {
        // SAFETY: whoever submitted work that uses this kept it alive until the work was done.
        unsafe {
            self.device
                .vulkan()
                .raw
                .destroy_framebuffer(self.framebuffer, callbacks())
        };
    }
}

/// What is drawn.
#[derive(Clone, Copy)]
pub enum Draw<'a> {
    /// So many vertices, so many times, starting at `first` of each.
    Vertices {
        /// Vertices of an instance.
        count: u32,
        /// The first vertex.
        first: u32,
        /// Instances.
        instances: u32,
        /// The first instance.
        first_instance: u32,
    },
    /// A `VkDrawIndirectCommand` in a buffer.
    Indirect {
        /// The buffer.
        commands: &'a Buffer,
        /// Bytes before the command.
        offset: u64,
    },
    /// As many indices, 32 bits each, as a `VkDrawIndexedIndirectCommand` in a buffer says.
    IndexedIndirect {
        /// The indices.
        indices: &'a Buffer,
        /// The buffer of the command.
        commands: &'a Buffer,
        /// Bytes before the command.
        offset: u64,
    },
}

impl Draw<'_> {
    /// So many vertices, once.
    pub fn vertices(count: u32) -> Self {
        Self::Vertices {
            count,
            first: 0,
            instances: 1,
            first_instance: 0,
        }
    }
}

/// A pass that is being recorded. It ends when dropped.
pub struct Pass<'a> {
    recorder: &'a mut Recorder,
    key: PassKey,
    drawer: Option<Arc<Drawer>>,
}

impl Recorder {
    /// Begins a pass over all of `targets`; `starts` tells of each attachment, colours first.
    pub fn pass(&mut self, targets: &Targets, starts: &[Start]) -> Result<Pass<'_>> {
        debug_assert_eq!(starts.len(), targets.attachments().count());
        let key = targets.key(|at| starts[at].clears());
        let device = self.device().clone();
        let pass = device.vulkan().rasters.pass(device.vulkan(), &key)?;
        let values: Vec<_> = starts.iter().map(|s| s.value()).collect();
        self.begin_work(Work::Drawing);
        device.counters.count(Counted::Pass);
        let [width, height] = targets.size;
        let info = vk::RenderPassBeginInfo::default()
            .render_pass(pass)
            .framebuffer(targets.framebuffer)
            .render_area(vk::Rect2D {
                offset: vk::Offset2D::default(),
                extent: vk::Extent2D { width, height },
            })
            .clear_values(&values);
        // SAFETY: the command buffer is recording outside a pass; the framebuffer is compatible, being of the same formats.
        unsafe {
            device.vulkan().raw.cmd_begin_render_pass(
                self.commands,
                &info,
                vk::SubpassContents::INLINE,
            );
        }
        let mut pass = Pass {
            recorder: self,
            key,
            drawer: None,
        };
        pass.viewport([0, 0], targets.size);
        Ok(pass)
    }

    /// Forgets the counts, so that queries can count again.
    pub fn reset_queries(&mut self, queries: &OcclusionQueries) {
        let device = self.device().clone();
        self.begin_work(Work::Transfer);
        // SAFETY: the command buffer is recording outside a pass; the queries are alive.
        unsafe {
            device
                .vulkan()
                .raw
                .cmd_reset_query_pool(self.commands, queries.raw, 0, queries.count);
        }
    }

    /// Copies the first `count` counts, 32 bits each, once they are known. Only queries that counted may be copied.
    pub fn copy_queries(
        &mut self,
        queries: &OcclusionQueries,
        count: u32,
        target: &Buffer,
        offset: u64,
    ) {
        let device = self.device().clone();
        self.begin_transfer(4 * u64::from(count));
        // SAFETY: the command buffer is recording outside a pass; the range is inside the buffer.
        unsafe {
            device.vulkan().raw.cmd_copy_query_pool_results(
                self.commands,
                queries.raw,
                0,
                count,
                target.raw,
                offset,
                4,
                vk::QueryResultFlags::WAIT,
            );
        }
    }
}

impl Pass<'_> {
    /// The device that this draws on.
    pub fn device(&self) -> &Arc<Device> {
        self.recorder.device()
    }

    /// Binds a pipeline with what its shaders bind.
    pub fn bind(&mut self, stages: &Stages, push: &impl Pod) -> Result<()> {
        let device = self.recorder.device().clone();
        let cache = device.vulkan().kernels.cache();
        let drawer = device
            .vulkan()
            .rasters
            .get(&device, cache, stages, &self.key)?;
        let (layout, bindings) = (drawer.set_layout, &drawer.bindings);
        let set = (self.recorder).descriptor_set(layout, bindings, &stages.set())?;
        // SAFETY: the command buffer is recording in a pass that the pipeline was made for; the set fits its layout.
        unsafe {
            let point = vk::PipelineBindPoint::GRAPHICS;
            device
                .vulkan()
                .raw
                .cmd_bind_pipeline(self.recorder.commands, point, drawer.pipeline);
            device.vulkan().raw.cmd_bind_descriptor_sets(
                self.recorder.commands,
                point,
                drawer.layout,
                0,
                &[set],
                &[],
            );
        }
        self.drawer = Some(drawer);
        self.push(push);
        Ok(())
    }

    /// Changes the push constants of the pipeline bound last.
    pub fn push(&mut self, push: &impl Pod) {
        let Some(drawer) = &self.drawer else { return };
        let bytes = bytemuck::bytes_of(push);
        debug_assert_eq!(bytes.len(), drawer.push_bytes as usize);
        if bytes.is_empty() {
            return;
        }
        // SAFETY: the command buffer is recording; the bytes are those of the pipeline's range.
        unsafe {
            self.recorder.device().vulkan().raw.cmd_push_constants(
                self.recorder.commands,
                drawer.layout,
                drawer.stages,
                0,
                bytes,
            );
        }
    }

    /// Draws with the pipeline bound last.
    pub fn draw(&mut self, draw: Draw) {
        debug_assert!(self.drawer.is_some(), "a pipeline is bound first");
        let (raw, commands) = (&self.recorder.device().vulkan().raw, self.recorder.commands);
        // SAFETY: the command buffer is recording in a pass with a pipeline bound; buffers are alive and hold the commands.
        unsafe {
            match draw {
                Draw::Vertices {
                    count,
                    first,
                    instances,
                    first_instance,
                } => raw.cmd_draw(commands, count, instances, first, first_instance),
                Draw::Indirect {
                    commands: source,
                    offset,
                } => raw.cmd_draw_indirect(commands, source.raw, offset, 1, 0),
                Draw::IndexedIndirect {
                    indices,
                    commands: source,
                    offset,
                } => {
                    raw.cmd_bind_index_buffer(commands, indices.raw, 0, vk::IndexType::UINT32);
                    raw.cmd_draw_indexed_indirect(commands, source.raw, offset, 1, 0);
                }
            }
        }
    }

    /// Counts the samples that pass in what `draws` draws: exactly where the device has precise occlusion on, otherwise
    /// zero or some number.
    pub fn counted(
        &mut self,
        queries: &OcclusionQueries,
        at: u32,
        draws: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        debug_assert!(at < queries.count);
        let device = self.recorder.device().clone();
        let control = if device.paths.on(DeviceFeature::PreciseOcclusion) {
            vk::QueryControlFlags::PRECISE
        } else {
            vk::QueryControlFlags::empty()
        };
        let commands = self.recorder.commands;
        // SAFETY: the command buffer is recording; the query was reset before the pass and is used once.
        unsafe {
            device
                .vulkan()
                .raw
                .cmd_begin_query(commands, queries.raw, at, control)
        };
        let drawn = draws(self);
        // SAFETY: the query was begun above.
        unsafe { device.vulkan().raw.cmd_end_query(commands, queries.raw, at) };
        drawn
    }

    /// Draws only into a rectangle, which clip space is stretched over.
    pub fn viewport(&mut self, corner: [u32; 2], size: [u32; 2]) {
        let viewport = [vk::Viewport {
            x: corner[0] as f32,
            y: corner[1] as f32,
            width: size[0] as f32,
            height: size[1] as f32,
            min_depth: 0.0,
            max_depth: 1.0,
        }];
        let (raw, commands) = (&self.recorder.device().vulkan().raw, self.recorder.commands);
        // SAFETY: the command buffer is recording; the viewport is dynamic in every pipeline.
        unsafe { raw.cmd_set_viewport(commands, 0, &viewport) };
        self.scissor(corner, size);
    }

    /// Draws only into a rectangle; clip space stays where it is.
    pub fn scissor(&mut self, corner: [u32; 2], size: [u32; 2]) {
        let scissor = [vk::Rect2D {
            offset: vk::Offset2D {
                x: corner[0] as i32,
                y: corner[1] as i32,
            },
            extent: vk::Extent2D {
                width: size[0],
                height: size[1],
            },
        }];
        let (raw, commands) = (&self.recorder.device().vulkan().raw, self.recorder.commands);
        // SAFETY: the command buffer is recording; the scissor is dynamic in every pipeline.
        unsafe { raw.cmd_set_scissor(commands, 0, &scissor) };
    }

    /// Between which stored depths the depth bounds test lets fragments pass.
    pub fn depth_bounds(&mut self, least: f32, greatest: f32) {
        let (raw, commands) = (&self.recorder.device().vulkan().raw, self.recorder.commands);
        // SAFETY: the command buffer is recording.
        unsafe { raw.cmd_set_depth_bounds(commands, least, greatest) };
    }

    /// What the stencil test compares with.
    pub fn stencil_reference(&mut self, reference: u32) {
        let (raw, commands) = (&self.recorder.device().vulkan().raw, self.recorder.commands);
        // SAFETY: the command buffer is recording.
        unsafe {
            raw.cmd_set_stencil_reference(commands, vk::StencilFaceFlags::FRONT_AND_BACK, reference)
        };
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        // SAFETY: the command buffer is recording in the pass that `Recorder::pass` began.
        unsafe {
            self.recorder
                .device()
                .vulkan()
                .raw
                .cmd_end_render_pass(self.recorder.commands)
        };
    }
}
