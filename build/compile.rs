//! From GLSL to SPIR-V.

use crate::pack::pack;
use crate::source::{self, Source, Variant};
use std::fs;
use std::path::Path;

pub struct Compiler(shaderc::Compiler);

impl Compiler {
    pub fn new() -> Self {
        Self(shaderc::Compiler::new().expect("shaderc starts"))
    }

    /// Writes the module that the library embeds, packed to a fourth.
    pub fn write_module(&self, source: &Source, variant: &Variant, out: &Path) {
        let words = self.compile(source, variant, |options| {
            options.set_optimization_level(shaderc::OptimizationLevel::Performance);
        });
        let packed = pack(&words);
        let file = out.join(format!("{}.spv.packed", variant.name));
        fs::write(file, packed).expect("OUT_DIR is writable");
    }

    /// The module with all that was declared, used or not, under its names.
    pub fn with_names(&self, source: &Source, variant: &Variant) -> Vec<u32> {
        self.compile(source, variant, |options| options.set_generate_debug_info())
    }

    fn compile(
        &self,
        source: &Source,
        variant: &Variant,
        set: impl Fn(&mut shaderc::CompileOptions),
    ) -> Vec<u32> {
        let mut options = shaderc::CompileOptions::new().expect("shaderc makes options");
        options.set_target_env(
            shaderc::TargetEnv::Vulkan,
            shaderc::EnvVersion::Vulkan1_2 as u32,
        );
        options.set_warnings_as_errors();
        set(&mut options);
        for macro_name in &variant.macros {
            options.add_macro_definition(macro_name, Some("1"));
        }
        options.set_include_callback(|name, _, _, _| {
            Ok(shaderc::ResolvedInclude {
                resolved_name: name.to_owned(),
                content: source::read_include(name),
            })
        });
        let name = source.path.display().to_string();
        let kind = match &source.stage[..] {
            "comp" => shaderc::ShaderKind::Compute,
            "vert" => shaderc::ShaderKind::Vertex,
            "geom" => shaderc::ShaderKind::Geometry,
            _ => shaderc::ShaderKind::Fragment,
        };
        match self
            .0
            .compile_into_spirv(&source.text, kind, &name, "main", Some(&options))
        {
            Ok(artifact) => artifact.as_binary().to_vec(),
            Err(e) => panic!("{name} {:?}: {e}", variant.macros),
        }
    }
}
