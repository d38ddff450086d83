//! Compiles every shader with shaderc and writes down what the host must know about it.
//!
//! A kernel is a file under `shaders/` whose extension is its stage. A line `// variant NAME: DEFINE ...` in it makes
//! a variant of that name with those macros defined; a kernel without such a line is compiled once. The constant is
//! named after file and variant, and in a graphics stage after that too: `FLATTEN_TEXEL_VERT`. The generated
//! `shaders.rs` holds the SPIR-V with its reflection (bindings, push constants, workgroup size, block layouts), so the
//! host never repeats what the shader says.

use rspirv::binary::parse_words;
use rspirv::dr::{Instruction, Loader, Module, Operand};
use rspirv::spirv::{Decoration, Dim, ExecutionMode, ExecutionModel, Op, StorageClass, Word};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, thread};

const ABI_VERSION: u32 = 1;

fn main() {
    println!("cargo:rerun-if-changed=shaders");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=PROXEL_ABI_VERSION={ABI_VERSION}");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libproxel.so.{ABI_VERSION}");
        // Stays in memory once loaded: an engine may hold functions of the library after it has unloaded it, and what the crates
        // below keep for the process would be left behind at each reload.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut files = Vec::new();
    find_kernels(Path::new("shaders"), &mut files);
    files.sort();

    let kernels: Vec<Kernel> = files.iter().flat_map(|file| Kernel::of(file)).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    // Every so manyth to each thread: neighbours are variants of one file and cost the same.
    let mut texts: Vec<(usize, String)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                let (kernels, out) = (&kernels, &out);
                scope.spawn(move || {
                    let compiler = shaderc::Compiler::new().expect("shaderc starts");
                    (first..kernels.len())
                        .step_by(threads)
                        .map(|at| (at, kernels[at].build(&compiler, out)))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("the shaders compile"))
            .collect()
    });
    texts.sort();
    let code: String = texts.into_iter().map(|(_, text)| text).collect();
    fs::write(out.join("shaders.rs"), code).expect("OUT_DIR is writable");
}

/// A file and the macros of one of its variants.
struct Kernel<'a> {
    file: &'a Path,
    source: String,
    name: String,
    defines: Vec<String>,
}

impl<'a> Kernel<'a> {
    /// All variants of a file.
    fn of(file: &'a Path) -> Vec<Self> {
        let source = fs::read_to_string(file).expect("a shader file can be read");
        let part = |part: Option<&std::ffi::OsStr>| {
            part.and_then(|s| s.to_str())
                .expect("a shader file has a UTF-8 name")
                .to_owned()
        };
        let (stem, extension) = (part(file.file_stem()), part(file.extension()));
        variants(&source)
            .into_iter()
            .map(|(suffix, defines)| {
                let mut name = stem.clone();
                if !suffix.is_empty() {
                    name = format!("{name}_{suffix}");
                }
                if extension != "comp" {
                    name = format!("{name}_{extension}");
                }
                Self {
                    file,
                    source: source.clone(),
                    name,
                    defines,
                }
            })
            .collect()
    }

    /// Writes the module and gives the text of its constant.
    fn build(&self, compiler: &shaderc::Compiler, out: &Path) -> String {
        let of = |optimise| compile(compiler, self.file, &self.source, &self.defines, optimise);
        let spv = out.join(format!("{}.spv", self.name));
        fs::write(&spv, bytes(&of(true))).expect("OUT_DIR is writable");
        describe(&self.name, &of(false))
    }
}

fn find_kernels(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("shaders/ can be listed") {
        let path = entry.expect("shaders/ can be listed").path();
        if path.is_dir() {
            find_kernels(&path, files);
        } else if stage(&path).is_some() {
            files.push(path);
        }
    }
}

fn stage(path: &Path) -> Option<shaderc::ShaderKind> {
    match path.extension()?.to_str()? {
        "comp" => Some(shaderc::ShaderKind::Compute),
        "vert" => Some(shaderc::ShaderKind::Vertex),
        "geom" => Some(shaderc::ShaderKind::Geometry),
        "frag" => Some(shaderc::ShaderKind::Fragment),
        _ => None,
    }
}

fn variants(source: &str) -> Vec<(String, Vec<String>)> {
    let found: Vec<_> = source
        .lines()
        .filter_map(|line| line.strip_prefix("// variant "))
        .filter_map(|line| line.split_once(':'))
        .map(|(name, defines)| {
            (
                name.trim().to_owned(),
                defines.split_whitespace().map(str::to_owned).collect(),
            )
        })
        .collect();
    if found.is_empty() {
        vec![(String::new(), Vec::new())]
    } else {
        found
    }
}

fn compile(
    compiler: &shaderc::Compiler,
    file: &Path,
    source: &str,
    defines: &[String],
    optimise: bool,
) -> Vec<u32> {
    let mut options = shaderc::CompileOptions::new().expect("shaderc makes options");
    options.set_target_env(
        shaderc::TargetEnv::Vulkan,
        shaderc::EnvVersion::Vulkan1_2 as u32,
    );
    options.set_warnings_as_errors();
    if optimise {
        options.set_optimization_level(shaderc::OptimizationLevel::Performance);
    } else {
        options.set_generate_debug_info();
    }
    for define in defines {
        options.add_macro_definition(define, Some("1"));
    }
    options.set_include_callback(|name, _, _, _| {
        let path = Path::new("shaders/include").join(name);
        fs::read_to_string(&path)
            .map(|content| shaderc::ResolvedInclude {
                resolved_name: path.display().to_string(),
                content,
            })
            .map_err(|e| format!("{}: {e}", path.display()))
    });
    let kind = stage(file).expect("only kernels are compiled");
    let name = file.display().to_string();
    match compiler.compile_into_spirv(source, kind, &name, "main", Some(&options)) {
        Ok(artifact) => artifact.as_binary().to_vec(),
        Err(e) => panic!("{name} {defines:?}: {e}"),
    }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// The Rust text of one shader's constant.
fn describe(name: &str, words: &[u32]) -> String {
    let mut loader = Loader::new();
    parse_words(words, &mut loader).expect("shaderc emits valid SPIR-V");
    let reflection = Reflection::new(loader.module());
    let mut text = String::new();
    let _ = writeln!(
        text,
        "pub static {}: Shader = Shader {{",
        name.to_uppercase()
    );
    let _ = writeln!(text, "    name: {name:?},");
    let _ = writeln!(
        text,
        "    spirv: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.spv\")),"
    );
    let _ = writeln!(text, "    stage: Stage::{},", reflection.stage());
    let _ = writeln!(text, "    workgroup: {:?},", reflection.workgroup());
    let _ = writeln!(text, "    push_bytes: {},", reflection.push_bytes());
    let _ = writeln!(
        text,
        "    bindings: &[{}],",
        reflection.bindings().join(", ")
    );
    let _ = writeln!(text, "    blocks: &[{}],", reflection.blocks().join(", "));
    let _ = writeln!(text, "}};\n");
    text
}

/// What the host needs of a SPIR-V module.
struct Reflection {
    module: Module,
    defined: HashMap<Word, Instruction>,
    names: HashMap<Word, String>,
    member_names: HashMap<(Word, u32), String>,
    member_offsets: BTreeMap<(Word, u32), u32>,
    binding_of: BTreeMap<Word, u32>,
    array_strides: HashMap<Word, u32>,
}

impl Reflection {
    fn new(module: Module) -> Self {
        let mut defined = HashMap::new();
        for instruction in module.types_global_values.iter() {
            if let Some(id) = instruction.result_id {
                defined.insert(id, instruction.clone());
            }
        }
        let mut names = HashMap::new();
        let mut member_names = HashMap::new();
        for i in &module.debug_names {
            match (i.class.opcode, &i.operands[..]) {
                (Op::Name, [Operand::IdRef(id), Operand::LiteralString(s)]) => {
                    names.insert(*id, s.clone());
                }
                (
                    Op::MemberName,
                    [
                        Operand::IdRef(id),
                        Operand::LiteralBit32(m),
                        Operand::LiteralString(s),
                    ],
                ) => {
                    member_names.insert((*id, *m), s.clone());
                }
                _ => {}
            }
        }
        let mut member_offsets = BTreeMap::new();
        let mut binding_of = BTreeMap::new();
        let mut array_strides = HashMap::new();
        for i in &module.annotations {
            match &i.operands[..] {
                [
                    Operand::IdRef(id),
                    Operand::LiteralBit32(m),
                    Operand::Decoration(Decoration::Offset),
                    Operand::LiteralBit32(o),
                ] => {
                    member_offsets.insert((*id, *m), *o);
                }
                [
                    Operand::IdRef(id),
                    Operand::Decoration(Decoration::Binding),
                    Operand::LiteralBit32(b),
                ] => {
                    binding_of.insert(*id, *b);
                }
                [
                    Operand::IdRef(id),
                    Operand::Decoration(Decoration::ArrayStride),
                    Operand::LiteralBit32(s),
                ] => {
                    array_strides.insert(*id, *s);
                }
                _ => {}
            }
        }
        Self {
            module,
            defined,
            names,
            member_names,
            member_offsets,
            binding_of,
            array_strides,
        }
    }

    fn stage(&self) -> &'static str {
        match self.module.entry_points[0].operands[0] {
            Operand::ExecutionModel(ExecutionModel::GLCompute) => "Compute",
            Operand::ExecutionModel(ExecutionModel::Vertex) => "Vertex",
            Operand::ExecutionModel(ExecutionModel::Geometry) => "Geometry",
            Operand::ExecutionModel(ExecutionModel::Fragment) => "Fragment",
            _ => panic!("a stage that Proxel does not use"),
        }
    }

    fn workgroup(&self) -> [u32; 3] {
        for mode in &self.module.execution_modes {
            if let [
                _,
                Operand::ExecutionMode(ExecutionMode::LocalSize),
                rest @ ..,
            ] = &mode.operands[..]
            {
                let size: Vec<u32> = rest.iter().map(|o| o.unwrap_literal_bit32()).collect();
                return [size[0], size[1], size[2]];
            }
        }
        [0; 3]
    }

    /// The variables of a storage class, as (variable, pointee type).
    fn variables(&self, wanted: StorageClass) -> Vec<(Word, Word)> {
        let mut found = Vec::new();
        for i in &self.module.types_global_values {
            if i.class.opcode != Op::Variable || i.operands[0] != Operand::StorageClass(wanted) {
                continue;
            }
            let pointer = &self.defined[&i.result_type.expect("a variable has a type")];
            found.push((
                i.result_id.expect("a variable has an id"),
                pointer.operands[1].unwrap_id_ref(),
            ));
        }
        found
    }

    fn push_bytes(&self) -> u32 {
        self.variables(StorageClass::PushConstant)
            .iter()
            .map(|(_, ty)| self.size(*ty))
            .max()
            .unwrap_or(0)
    }

    fn bindings(&self) -> Vec<String> {
        let classes = [
            (StorageClass::StorageBuffer, "StorageBuffer"),
            (StorageClass::Uniform, "UniformBuffer"),
            (StorageClass::UniformConstant, ""),
        ];
        let mut found = BTreeMap::new();
        for (class, kind) in classes {
            for (variable, ty) in self.variables(class) {
                let kind = if kind.is_empty() {
                    self.opaque_kind(ty)
                } else {
                    kind
                };
                found.insert(self.binding_of[&variable], kind);
            }
        }
        found
            .iter()
            .map(|(b, k)| format!("Binding {{ binding: {b}, kind: BindingKind::{k} }}"))
            .collect()
    }

    fn opaque_kind(&self, ty: Word) -> &'static str {
        let ty = &self.defined[&ty];
        match ty.class.opcode {
            Op::TypeSampledImage => match self.defined[&ty.operands[0].unwrap_id_ref()].operands[1]
            {
                Operand::Dim(Dim::DimBuffer) => "UniformTexelBuffer",
                _ => "SampledImage",
            },
            Op::TypeImage => match (&ty.operands[1], ty.operands[5].unwrap_literal_bit32()) {
                (Operand::Dim(Dim::DimBuffer), 1) => "UniformTexelBuffer",
                (Operand::Dim(Dim::DimBuffer), _) => "StorageTexelBuffer",
                _ => "StorageImage",
            },
            other => panic!("an opaque type that Proxel does not use: {other:?}"),
        }
    }

    /// Every struct that has a memory layout, with its members' offsets. One that is laid out in two kinds of blocks is there
    /// twice, and must look the same in both.
    fn blocks(&self) -> Vec<String> {
        let mut structs: BTreeMap<Word, Vec<String>> = BTreeMap::new();
        for ((id, m), offset) in &self.member_offsets {
            if self.names.contains_key(id) {
                let member = format!("({:?}, {offset})", self.member_names[&(*id, *m)]);
                structs.entry(*id).or_default().push(member);
            }
        }
        let mut blocks: BTreeMap<&str, (u32, String)> = BTreeMap::new();
        for (id, members) in &structs {
            let name = &self.names[id];
            let block = (self.size(*id), members.join(", "));
            let known = blocks.entry(name).or_insert_with(|| block.clone());
            assert_eq!(known.1, block.1, "{name} is laid out in two ways");
        }
        blocks
            .into_iter()
            .map(|(name, (size, members))| {
                format!("Block {{ name: {name:?}, size: {size}, members: &[{members}] }}")
            })
            .collect()
    }

    /// Bytes of a type as laid out; a run-time array counts as nothing.
    fn size(&self, ty: Word) -> u32 {
        let i = &self.defined[&ty];
        match i.class.opcode {
            Op::TypeInt | Op::TypeFloat => i.operands[0].unwrap_literal_bit32() / 8,
            Op::TypeVector => {
                self.size(i.operands[0].unwrap_id_ref()) * i.operands[1].unwrap_literal_bit32()
            }
            Op::TypeMatrix => 16 * i.operands[1].unwrap_literal_bit32(),
            Op::TypeArray => {
                let length = &self.defined[&i.operands[1].unwrap_id_ref()];
                self.array_strides.get(&ty).copied().unwrap_or(0)
                    * length.operands[0].unwrap_literal_bit32()
            }
            Op::TypeStruct => (0..i.operands.len() as u32)
                .map(|m| {
                    self.member_offsets.get(&(ty, m)).copied().unwrap_or(0)
                        + self.size(i.operands[m as usize].unwrap_id_ref())
                })
                .max()
                .unwrap_or(0),
            _ => 0,
        }
    }
}
