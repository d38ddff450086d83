//! The embedded shaders, with what `build.rs` read from their SPIR-V.

/// A shader stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
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
    /// A storage texel buffer.
    StorageTexelBuffer,
    /// An image with a sampler.
    SampledImage,
    /// A storage image.
    StorageImage,
}

/// A binding of descriptor set 0.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// Its number in the shader.
    pub binding: u32,
    /// What it takes.
    pub kind: BindingKind,
}

/// The layout of a struct in the shader.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// The struct's name.
    pub name: &'static str,
    /// Its bytes, without a run-time array at its end.
    pub size: u32,
    /// Its members with their offsets.
    pub members: &'static [(&'static str, u32)],
}

/// A compiled shader and its interface.
pub struct Shader {
    /// File stem, variant, and stage outside compute.
    pub name: &'static str,
    /// The module.
    pub spirv: &'static [u8],
    /// Its stage.
    pub stage: Stage,
    /// Invocations of a workgroup; zero outside compute.
    pub workgroup: [u32; 3],
    /// Bytes of push constants.
    pub push_bytes: u32,
    /// Its bindings.
    pub bindings: &'static [Binding],
    /// The structs it lays out in memory.
    pub blocks: &'static [Block],
}

impl Shader {
    /// The layout of a struct that the shader names.
    pub fn block(&self, name: &str) -> Option<&Block> {
        self.blocks.iter().find(|b| b.name == name)
    }
}

#[allow(
    missing_docs,
    reason = "generated: each constant is the shader file of its name"
)]
mod embedded {
    use super::{Binding, BindingKind, Block, Shader, Stage};
    include!(concat!(env!("OUT_DIR"), "/shaders.rs"));
}
pub use embedded::*;

/// Asserts in a test that a host struct has exactly the shader's layout.
#[cfg(test)]
#[macro_export]
macro_rules! assert_layout {
    ($shader:expr, $block:literal, $host:ty { $($member:ident),+ $(,)? }) => {{
        let block = $shader.block($block).expect(concat!("the shader has ", $block));
        let host: Vec<(&str, u32)> =
            vec![$((stringify!($member), std::mem::offset_of!($host, $member) as u32)),+];
        assert_eq!(block.members, &host[..], "{} of {}", $block, $shader.name);
        assert_eq!(block.size as usize, std::mem::size_of::<$host>(), "{} of {}", $block, $shader.name);
    }};
}
