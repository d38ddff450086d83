//! The embedded shaders, with what `build/` read from their SPIR-V: [`kernels`] has a struct for each shader file, whose fields are
//! the variant and the bindings by name, and [`blocks`] the structs that shaders lay out in memory.

use super::device::Device;
use super::packed_spirv::unpack;
use super::paths::DeviceFeature;
use super::recorder::{Bound, Resource, Texture};
use crate::error::Result;
use crate::memory;
use bytemuck::Pod;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;
use std::iter::once;

/// A shader stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShaderStage {
    /// A compute kernel.
    Compute,
    /// A vertex shader.
    Vertex,
    /// A geometry shader.
    Geometry,
    /// A fragment shader.
    Fragment,
}

/// What kind of resource a binding takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingKind {
    /// A storage buffer.
    StorageBuffer,
    /// A uniform buffer.
    UniformBuffer,
    /// A uniform texel buffer.
    UniformTexelBuffer,
    /// An image with a sampler.
    SampledImage,
}

/// A binding of descriptor set 0.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// Its number in the shader.
    pub binding: u32,
    /// What it takes.
    pub kind: BindingKind,
}

/// A compiled shader and its interface.
pub struct Shader {
    /// File stem, variant, and stage outside compute.
    pub name: &'static str,
    /// The module: how many words of SPIR-V it has, how many bytes stand for them, and these bytes, packed by deflate.
    pub packed: &'static [u8],
    /// Its stage.
    pub stage: ShaderStage,
    /// Invocations of a workgroup; zero outside compute, all one where the number is left open to constant 0.
    pub workgroup: [u32; 3],
    /// Whether a workgroup is one full subgroup, whose lanes work together.
    pub subgroups: bool,
    /// Bytes of shared memory of a workgroup.
    pub shared_bytes: u32,
    /// Bytes of push constants.
    pub push_bytes: u32,
    /// Its bindings.
    pub bindings: &'static [Binding],
}

impl Shader {
    /// The module's words.
    pub(crate) fn unpacked(&self) -> Result<Vec<u32>> {
        let (sizes, packed) = self.packed.split_at(8);
        let size = |at: usize| {
            let size = sizes[at..][..4].try_into().expect("four bytes");
            u32::from_le_bytes(size) as usize
        };
        let mut words = memory::with_room(size(0), "a shader")?;
        words.resize(size(0), 0);
        let mut bytes = memory::with_room(size(4), "a shader")?;
        bytes.resize(size(4), 0);
        let read = decompress_slice_iter_to_slice(&mut bytes, once(packed), false, false);
        let whole = read == Ok(bytes.len()) && unpack(&bytes, &mut words).is_some();
        assert!(whole, "{} is damaged", self.name);
        Ok(words)
    }
}

/// A variant of a shader, with what it binds.
pub trait Bind {
    /// The variant.
    fn shader(&self) -> &'static Shader;
    /// Puts everything that the variant binds into a set.
    fn bind<'s>(&'s self, set: &mut BindingSet<'s>);
}

/// A compute kernel, with what it binds.
pub trait Kernel: Bind {
    /// Its push constants.
    type Push: Pod + Send + Sync;
}

/// What is bound, by number.
#[derive(Default)]
pub struct BindingSet<'a>(Vec<(u32, Resource<'a>)>);

impl<'a> BindingSet<'a> {
    /// What shaders of one pipeline bind, in the order of the numbers; where two have the same number, it is the same.
    pub(crate) fn of(shaders: &[&'a dyn Bind]) -> Self {
        let mut set = Self::default();
        shaders.iter().for_each(|shader| shader.bind(&mut set));
        set.0.sort_by_key(|(number, _)| *number);
        set.0.dedup_by_key(|(number, _)| *number);
        set
    }

    fn bound(&mut self, number: u32, bound: Bound<'a>) {
        self.0.push((number, Resource::Buffer(bound)));
    }

    fn texture(&mut self, number: u32, texture: Texture<'a>) {
        self.0.push((number, Resource::Texture(texture)));
    }

    /// All of it, in the order of a pipeline's bindings.
    pub(crate) fn resources(&self, bindings: &[Binding]) -> impl Iterator<Item = &Resource<'a>> {
        let numbers = self.0.iter().map(|(number, _)| *number);
        assert!(
            numbers.eq(bindings.iter().map(|binding| binding.binding)),
            "shaders bind what they declare"
        );
        self.0.iter().map(|(_, resource)| resource)
    }
}

impl kernels::Fetch {
    /// Through texel views, if all that is read has one.
    pub fn of<'a>(read: impl IntoIterator<Item = Bound<'a>>) -> Self {
        match read.into_iter().all(|bound| bound.has_texels()) {
            true => Self::Texel,
            false => Self::Storage,
        }
    }
}

impl kernels::SlotsBindings<'_> {
    /// How kernels read the slots of rays.
    pub fn fetch(&self) -> kernels::Fetch {
        kernels::Fetch::of([self.counts, self.depths, self.tags])
    }
}

impl kernels::MeetingBindings<'_> {
    /// How the kernels of a meeting read the mesh.
    pub fn fetch(&self) -> kernels::Fetch {
        kernels::Fetch::of([self.positions, self.indices, self.clusters])
    }
}

impl kernels::Workgroup {
    /// One subgroup, where the device has subgroup arithmetic on.
    pub fn on(device: &Device) -> Self {
        match device.paths.on(DeviceFeature::Subgroups) {
            true => Self::Subgroup,
            false => Self::Shared,
        }
    }
}

/// The shader files: a struct each.
#[allow(
    missing_docs,
    clippy::unneeded_struct_pattern,
    clippy::large_enum_variant,
    reason = "generated: names are those of the shaders, one pattern fits choices with and without bindings, and they live for a call"
)]
pub mod kernels {
    use super::embedded as shaders;
    use super::{Bind, BindingSet, Kernel, Shader, blocks};
    use crate::gpu::recorder::{Bound, Texture};
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

/// The structs that shaders lay out in memory.
#[allow(missing_docs, reason = "generated: names are those of the shaders")]
pub mod blocks {
    use bytemuck::{Pod, Zeroable};
    include!(concat!(env!("OUT_DIR"), "/blocks.rs"));
}

#[allow(
    missing_docs,
    reason = "generated: each constant is the shader file of its name"
)]
mod embedded {
    use super::{Binding, BindingKind, Shader, ShaderStage};
    include!(concat!(env!("OUT_DIR"), "/shaders.rs"));
}
