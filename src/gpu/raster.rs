//! Graphics pipelines and the passes they draw in, made at first use.

use super::attachment::Format;
use super::callbacks::callbacks;
use super::counts::Counted;
use super::device::{Device, VulkanObjects};
use super::failed;
use super::limits;
use super::made::Made;
use super::pipeline::{
    Constants, create_layouts, descriptor_type, destroy_parts, module_of, name_parts,
};
use super::shader::{Bind, Binding, BindingSet, Shader, ShaderStage};
use crate::error::Result;
use crate::lock::lock;
use ash::vk;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

/// What is drawn with, and what its shaders bind.
#[derive(Clone, Copy)]
pub struct Stages<'a> {
    /// Places the vertices; it pulls them from buffers itself.
    pub vertex: &'a dyn Bind,
    /// Makes primitives of primitives; the device must have geometry shaders on.
    pub geometry: Option<&'a dyn Bind>,
    /// Colours the fragments; without one only depth and stencil are written.
    pub fragment: Option<&'a dyn Bind>,
    /// The fixed functions.
    pub state: PipelineState,
}

impl<'a> Stages<'a> {
    fn shaders(&self) -> impl Iterator<Item = &'a dyn Bind> {
        [Some(self.vertex), self.geometry, self.fragment]
            .into_iter()
            .flatten()
    }

    /// What the shaders bind.
    pub(crate) fn set(&self) -> BindingSet<'a> {
        BindingSet::of(&self.shaders().collect::<Vec<_>>())
    }
}

/// The fixed functions of a pipeline. Viewport and scissor are the pass's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PipelineState {
    /// What vertices make.
    pub topology: Topology,
    /// Which faces are dropped.
    pub cull: Cull,
    /// The depth test, if any.
    pub depth: Option<DepthTest>,
    /// Whether fragments are dropped where the stored depth is outside [`super::pass::Pass::depth_bounds`]; the device
    /// must have depth bounds on.
    pub depth_bounds: bool,
    /// The stencil test, if any.
    pub stencil: Option<StencilTest>,
    /// How colours meet what is there; the same for all attachments.
    pub blend: Blend,
    /// Whether every pixel that a primitive touches is covered; the device must have conservative rasterisation on.
    pub conservative: bool,
}

/// What vertices make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Topology {
    /// Every three make a triangle.
    #[default]
    Triangles,
    /// Each after the second a triangle with the two before.
    TriangleStrip,
}

/// Which faces are dropped. A front face turns anticlockwise as seen with y up and x to the right in clip space, that is
/// clockwise on Vulkan's screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Cull {
    /// None.
    #[default]
    Nothing,
    /// Front faces.
    Front,
    /// Back faces.
    Back,
}

/// How a value compares with the stored one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compare {
    /// Always passes.
    Always,
    /// The new one is less.
    Less,
    /// The new one is less or equal.
    LessOrEqual,
    /// They are equal.
    Equal,
    /// The new one is greater or equal.
    GreaterOrEqual,
}

impl Compare {
    fn raw(self) -> vk::CompareOp {
        match self {
            Self::Always => vk::CompareOp::ALWAYS,
            Self::Less => vk::CompareOp::LESS,
            Self::LessOrEqual => vk::CompareOp::LESS_OR_EQUAL,
            Self::Equal => vk::CompareOp::EQUAL,
            Self::GreaterOrEqual => vk::CompareOp::GREATER_OR_EQUAL,
        }
    }
}

/// The depth test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DepthTest {
    /// Which fragments pass.
    pub compare: Compare,
    /// Whether they leave their depth.
    pub write: bool,
}

/// The stencil test of both faces, against [`super::pass::Pass::stencil_reference`]. Every fragment is counted: the stencil
/// grows by one, at most to 255, whether the fragment passes or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StencilTest {
    /// Which fragments pass: reference against stored.
    pub compare: Compare,
}

/// How a fragment's colour meets the stored one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Blend {
    /// It replaces it.
    #[default]
    Replace,
    /// It is added to it.
    Add,
}

/// The attachments of a pass: their formats, and which are cleared at its start.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PassKey {
    pub(crate) colours: Vec<(Format, bool)>,
    pub(crate) depth: Option<(Format, bool)>,
}

impl PassKey {
    /// The key that stands for all passes whose pipelines are alike.
    fn compatible(&self) -> Self {
        Self {
            colours: self.colours.iter().map(|(f, _)| (*f, true)).collect(),
            depth: self.depth.map(|(f, _)| (f, true)),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct PipelineKey {
    shaders: [&'static str; 3],
    state: PipelineState,
    pass: PassKey,
}

/// A graphics pipeline with its layouts.
pub(crate) struct Drawer {
    pub(crate) bindings: Vec<Binding>,
    pub(crate) stages: vk::ShaderStageFlags,
    pub(crate) push_bytes: u32,
    pub(crate) pipeline: vk::Pipeline,
    pub(crate) layout: vk::PipelineLayout,
    pub(crate) set_layout: vk::DescriptorSetLayout,
}

/// All render passes and graphics pipelines of a device.
#[derive(Default)]
pub(crate) struct Rasters {
    passes: Mutex<HashMap<PassKey, vk::RenderPass>>,
    drawers: Made<PipelineKey, Drawer>,
}

impl Rasters {
    pub(crate) fn pass(&self, vulkan: &VulkanObjects, key: &PassKey) -> Result<vk::RenderPass> {
        let mut passes = lock(&self.passes);
        if let Some(pass) = passes.get(key) {
            return Ok(*pass);
        }
        // A driver makes no more of a pass than a note.
        let pass = create_pass(&vulkan.raw, key)?;
        vulkan.names.name(pass, "pass");
        passes.insert(key.clone(), pass);
        Ok(pass)
    }

    pub(crate) fn get(
        &self,
        device: &Device,
        cache: vk::PipelineCache,
        stages: &Stages,
        pass: &PassKey,
    ) -> Result<Arc<Drawer>> {
        let name = |shader: Option<&dyn Bind>| shader.map_or("", |s| s.shader().name);
        let shaders = [Some(stages.vertex), stages.geometry, stages.fragment];
        let key = PipelineKey {
            shaders: shaders.map(name),
            state: stages.state,
            pass: pass.compatible(),
        };
        self.drawers.get(key.clone(), || {
            for shader in stages.shaders() {
                limits::check(&device.physical, 0, shader.shader())?;
            }
            let render_pass = self.pass(device.vulkan(), &key.pass)?;
            device.counters.count(Counted::Pipeline);
            let made = create_drawer(device, cache, stages, &key.pass, render_pass)?;
            let shader = stages.fragment.unwrap_or(stages.vertex).shader().name;
            let names = &device.vulkan().names;
            name_parts(names, shader, made.pipeline, made.layout, made.set_layout);
            Ok(made)
        })
    }

    /// How many pipelines there are.
    pub(crate) fn count(&self) -> usize {
        self.drawers.count()
    }

    /// Frees everything. Call once, when nothing uses the pipelines any more.
    pub(crate) fn destroy(&self, device: &ash::Device) {
        for drawer in self.drawers.take() {
            // SAFETY: the device is idle and the pipelines are not handed out any more.
            unsafe { destroy_parts(device, drawer.pipeline, drawer.layout, drawer.set_layout) };
        }
        let mut passes = lock(&self.passes);
        for (_, pass) in passes.drain() {
            // SAFETY: as above.
            unsafe { device.destroy_render_pass(pass, callbacks()) };
        }
    }
}

/// A pass of one subpass. Attachments rest in the layout in which kernels read them; what comes before and after on the
/// queue is ordered by the pass itself.
fn create_pass(device: &ash::Device, key: &PassKey) -> Result<vk::RenderPass> {
    let attachment = |(format, clear): (Format, bool)| {
        let (load, before) = if clear {
            (vk::AttachmentLoadOp::CLEAR, vk::ImageLayout::UNDEFINED)
        } else {
            (vk::AttachmentLoadOp::LOAD, format.resting())
        };
        vk::AttachmentDescription::default()
            .format(format.raw())
            .samples(vk::SampleCountFlags::TYPE_1)
            .load_op(load)
            .store_op(vk::AttachmentStoreOp::STORE)
            .stencil_load_op(load)
            .stencil_store_op(vk::AttachmentStoreOp::STORE)
            .initial_layout(before)
            .final_layout(format.resting())
    };
    let attachments: Vec<_> = key
        .colours
        .iter()
        .copied()
        .chain(key.depth)
        .map(attachment)
        .collect();
    let colours: Vec<_> = (0..key.colours.len() as u32)
        .map(|at| {
            vk::AttachmentReference::default()
                .attachment(at)
                .layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)
        })
        .collect();
    let depth = vk::AttachmentReference::default()
        .attachment(key.colours.len() as u32)
        .layout(vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
    let mut subpass = vk::SubpassDescription::default()
        .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
        .color_attachments(&colours);
    if key.depth.is_some() {
        subpass = subpass.depth_stencil_attachment(&depth);
    }
    // Within the pass only stages of drawing may be named.
    let (all, drawing) = (
        vk::PipelineStageFlags::ALL_COMMANDS,
        vk::PipelineStageFlags::ALL_GRAPHICS,
    );
    let any = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
    let order = |from, before, to, after| {
        vk::SubpassDependency::default()
            .src_subpass(from)
            .dst_subpass(to)
            .src_stage_mask(before)
            .dst_stage_mask(after)
            .src_access_mask(any)
            .dst_access_mask(any)
    };
    let dependencies = [
        order(vk::SUBPASS_EXTERNAL, all, 0, drawing),
        order(0, drawing, vk::SUBPASS_EXTERNAL, all),
    ];
    let subpasses = [subpass];
    let info = vk::RenderPassCreateInfo::default()
        .attachments(&attachments)
        .subpasses(&subpasses)
        .dependencies(&dependencies);
    // SAFETY: the device is alive; references and attachments agree.
    unsafe { device.create_render_pass(&info, callbacks()) }.map_err(failed("vkCreateRenderPass"))
}

fn stage_flag(stage: ShaderStage) -> vk::ShaderStageFlags {
    match stage {
        ShaderStage::Compute => vk::ShaderStageFlags::COMPUTE,
        ShaderStage::Vertex => vk::ShaderStageFlags::VERTEX,
        ShaderStage::Geometry => vk::ShaderStageFlags::GEOMETRY,
        ShaderStage::Fragment => vk::ShaderStageFlags::FRAGMENT,
    }
}

fn create_drawer(
    device: &Device,
    cache: vk::PipelineCache,
    stages: &Stages,
    key: &PassKey,
    pass: vk::RenderPass,
) -> Result<Drawer> {
    let shaders: Vec<&'static Shader> = stages.shaders().map(Bind::shader).collect();
    let mut merged: BTreeMap<u32, (Binding, vk::ShaderStageFlags)> = BTreeMap::new();
    for shader in &shaders {
        for binding in shader.bindings {
            let (first, stages) = merged
                .entry(binding.binding)
                .or_insert((*binding, vk::ShaderStageFlags::empty()));
            assert_eq!(first.kind, binding.kind, "{}", shader.name);
            *stages |= stage_flag(shader.stage);
        }
    }
    let bindings: Vec<_> = merged
        .values()
        .map(|(binding, stages)| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding.binding)
                .descriptor_type(descriptor_type(binding.kind))
                .descriptor_count(1)
                .stage_flags(*stages)
        })
        .collect();
    let flags = shaders
        .iter()
        .fold(vk::ShaderStageFlags::empty(), |all, shader| {
            all | stage_flag(shader.stage)
        });
    let push_bytes = shaders.iter().map(|s| s.push_bytes).max().unwrap_or(0);
    // SAFETY: the device is alive; layouts match the shaders because they are read from them; whatever was made when a
    // later step fails is destroyed before returning.
    unsafe {
        let constants = Constants::new(0, &device.trial);
        let device = &device.vulkan().raw;
        let (set_layout, layout) = create_layouts(device, &bindings, (flags, push_bytes))?;
        let pipeline = create_pipeline(
            device,
            (cache, &constants),
            &stages.state,
            &shaders,
            key,
            pass,
            layout,
        )
        .inspect_err(|_| destroy_parts(device, vk::Pipeline::null(), layout, set_layout))?;
        Ok(Drawer {
            bindings: merged.into_values().map(|(binding, _)| binding).collect(),
            stages: flags,
            push_bytes,
            pipeline,
            layout,
            set_layout,
        })
    }
}

/// # Safety
/// Layout and pass belong to the device and fit the shaders.
unsafe fn create_pipeline(
    device: &ash::Device,
    (cache, constants): (vk::PipelineCache, &Constants),
    state: &PipelineState,
    shaders: &[&'static Shader],
    key: &PassKey,
    pass: vk::RenderPass,
    layout: vk::PipelineLayout,
) -> Result<vk::Pipeline> {
    let mut modules = Vec::new();
    let made = shaders
        .iter()
        .try_for_each(|shader| {
            module_of(device, shader, constants.contraction).map(|module| modules.push(module))
        })
        .and_then(|()| {
            let constants = constants.info();
            let stages: Vec<_> = shaders
                .iter()
                .zip(&modules)
                .map(|(shader, module)| {
                    vk::PipelineShaderStageCreateInfo::default()
                        .stage(stage_flag(shader.stage))
                        .module(*module)
                        .name(c"main")
                        .specialization_info(&constants)
                })
                .collect();
            // SAFETY: by the caller's promise.
            unsafe { assemble(device, cache, state, &stages, key, pass, layout) }
        });
    for module in modules {
        // SAFETY: the pipeline keeps what it needs of a module.
        unsafe { device.destroy_shader_module(module, callbacks()) };
    }
    made
}

/// # Safety
/// Stages, layout and pass belong to the device and fit together.
unsafe fn assemble(
    device: &ash::Device,
    cache: vk::PipelineCache,
    state: &PipelineState,
    stages: &[vk::PipelineShaderStageCreateInfo],
    key: &PassKey,
    pass: vk::RenderPass,
    layout: vk::PipelineLayout,
) -> Result<vk::Pipeline> {
    let vertices = vk::PipelineVertexInputStateCreateInfo::default();
    let assembly =
        vk::PipelineInputAssemblyStateCreateInfo::default().topology(match state.topology {
            Topology::Triangles => vk::PrimitiveTopology::TRIANGLE_LIST,
            Topology::TriangleStrip => vk::PrimitiveTopology::TRIANGLE_STRIP,
        });
    let viewport = vk::PipelineViewportStateCreateInfo::default()
        .viewport_count(1)
        .scissor_count(1);
    let mut conservative = vk::PipelineRasterizationConservativeStateCreateInfoEXT::default()
        .conservative_rasterization_mode(vk::ConservativeRasterizationModeEXT::OVERESTIMATE);
    let mut rasterization = vk::PipelineRasterizationStateCreateInfo::default()
        .cull_mode(match state.cull {
            Cull::Nothing => vk::CullModeFlags::NONE,
            Cull::Front => vk::CullModeFlags::FRONT,
            Cull::Back => vk::CullModeFlags::BACK,
        })
        .front_face(vk::FrontFace::CLOCKWISE)
        .line_width(1.0);
    if state.conservative {
        rasterization = rasterization.push_next(&mut conservative);
    }
    let samples = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let depth = depth_stencil(state);
    let targets = vec![colour_blend(state.blend); key.colours.len()];
    let blending = vk::PipelineColorBlendStateCreateInfo::default().attachments(&targets);
    let mut changing = vec![vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
    if state.depth_bounds {
        changing.push(vk::DynamicState::DEPTH_BOUNDS);
    }
    if state.stencil.is_some() {
        changing.push(vk::DynamicState::STENCIL_REFERENCE);
    }
    let changing = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&changing);
    let info = vk::GraphicsPipelineCreateInfo::default()
        .stages(stages)
        .vertex_input_state(&vertices)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&rasterization)
        .multisample_state(&samples)
        .depth_stencil_state(&depth)
        .color_blend_state(&blending)
        .dynamic_state(&changing)
        .layout(layout)
        .render_pass(pass);
    // SAFETY: by the caller's promise.
    unsafe { device.create_graphics_pipelines(cache, &[info], callbacks()) }
        .map(|pipelines| pipelines[0])
        .map_err(|(_, e)| failed("vkCreateGraphicsPipelines")(e))
}

fn depth_stencil(state: &PipelineState) -> vk::PipelineDepthStencilStateCreateInfo<'static> {
    let mut info = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_bounds_test_enable(state.depth_bounds);
    if let Some(depth) = state.depth {
        info = info
            .depth_test_enable(true)
            .depth_write_enable(depth.write)
            .depth_compare_op(depth.compare.raw());
    }
    if let Some(stencil) = state.stencil {
        let face = vk::StencilOpState {
            fail_op: vk::StencilOp::INCREMENT_AND_CLAMP,
            pass_op: vk::StencilOp::INCREMENT_AND_CLAMP,
            depth_fail_op: vk::StencilOp::INCREMENT_AND_CLAMP,
            compare_op: stencil.compare.raw(),
            compare_mask: 0xff,
            write_mask: 0xff,
            reference: 0,
        };
        info = info.stencil_test_enable(true).front(face).back(face);
    }
    info
}

fn colour_blend(blend: Blend) -> vk::PipelineColorBlendAttachmentState {
    vk::PipelineColorBlendAttachmentState::default()
        .blend_enable(blend != Blend::Replace)
        .src_color_blend_factor(vk::BlendFactor::ONE)
        .dst_color_blend_factor(vk::BlendFactor::ONE)
        .color_blend_op(vk::BlendOp::ADD)
        .src_alpha_blend_factor(vk::BlendFactor::ONE)
        .dst_alpha_blend_factor(vk::BlendFactor::ONE)
        .alpha_blend_op(vk::BlendOp::ADD)
        .color_write_mask(vk::ColorComponentFlags::RGBA)
}
