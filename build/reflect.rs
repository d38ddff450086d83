//! What a SPIR-V module looks like from outside.

use crate::source::snake;
use rspirv::binary::parse_words;
use rspirv::dr::{Instruction, Loader, Module, Operand};
use rspirv::spirv::{
    Capability, Decoration, Dim, ExecutionMode, ExecutionModel, Op, StorageClass, Word,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What the host needs of a shader.
pub struct Interface {
    pub stage: &'static str,
    /// Zero outside compute; 1 where it is left open.
    pub workgroup: [u32; 3],
    /// Whether lanes of a subgroup work together.
    pub subgroups: bool,
    /// Bytes that a workgroup shares.
    pub shared: u32,
    /// The struct of its push constants.
    pub push: Option<String>,
    /// By number.
    pub bindings: Vec<Binding>,
    /// The structs that it lays out in memory, by name.
    pub structs: BTreeMap<String, Struct>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// Of the block or of the texture.
    pub name: String,
    pub number: u32,
    /// A variant of `BindingKind`.
    pub kind: &'static str,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Struct {
    pub size: u32,
    pub members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub name: String,
    pub offset: u32,
    /// In Rust.
    pub ty: String,
}

impl Interface {
    pub fn of(words: &[u32], shader: &str) -> Self {
        let mut loader = Loader::new();
        parse_words(words, &mut loader).expect("shaderc emits valid SPIR-V");
        let reflection = Reflection::new(loader.module());
        let push = reflection.variables(StorageClass::PushConstant);
        Self {
            stage: reflection.stage(),
            workgroup: reflection.workgroup(),
            subgroups: reflection.has(Capability::GroupNonUniformArithmetic),
            shared: (reflection.variables(StorageClass::Workgroup).iter())
                .map(|(_, ty)| reflection.shared_size(*ty))
                .sum(),
            push: push.first().map(|(_, ty)| reflection.names[ty].clone()),
            bindings: reflection.bindings(),
            structs: reflection.structs(push.first().map(|(_, ty)| *ty), shader),
        }
    }
}

/// A module by its ids.
struct Reflection {
    module: Module,
    defined: HashMap<Word, Instruction>,
    names: HashMap<Word, String>,
    member_names: HashMap<(Word, u32), String>,
    member_offsets: BTreeMap<(Word, u32), u32>,
    binding_of: BTreeMap<Word, u32>,
    array_strides: HashMap<Word, u32>,
    blocks: HashSet<Word>,
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
        let mut blocks = HashSet::new();
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
                [Operand::IdRef(id), Operand::Decoration(Decoration::Block)] => {
                    blocks.insert(*id);
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
            blocks,
        }
    }

    fn has(&self, capability: Capability) -> bool {
        (self.module.capabilities.iter()).any(|i| i.operands[0] == Operand::Capability(capability))
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

    fn bindings(&self) -> Vec<Binding> {
        let mut found = Vec::new();
        for (class, kind) in [
            (StorageClass::StorageBuffer, Some("StorageBuffer")),
            (StorageClass::Uniform, Some("UniformBuffer")),
            (StorageClass::UniformConstant, None),
        ] {
            for (variable, ty) in self.variables(class) {
                found.push(Binding {
                    name: snake(match kind {
                        Some(_) => &self.names[&ty],
                        None => &self.names[&variable],
                    }),
                    number: self.binding_of[&variable],
                    kind: kind.unwrap_or_else(|| self.opaque_kind(ty)),
                });
            }
        }
        found.sort_by_key(|binding| binding.number);
        found
    }

    fn opaque_kind(&self, ty: Word) -> &'static str {
        let ty = &self.defined[&ty];
        match ty.class.opcode {
            Op::TypeSampledImage => match self.defined[&ty.operands[0].unwrap_id_ref()].operands[1]
            {
                Operand::Dim(Dim::DimBuffer) => "UniformTexelBuffer",
                _ => "SampledImage",
            },
            other => panic!("an opaque type that Proxel does not use: {other:?}"),
        }
    }

    /// Every struct that has a memory layout, and the push constants. One that is laid out in two kinds of blocks must look the
    /// same in both.
    fn structs(&self, push: Option<Word>, shader: &str) -> BTreeMap<String, Struct> {
        let laid_out: HashSet<Word> = self.member_offsets.keys().map(|(id, _)| *id).collect();
        let mut structs = BTreeMap::new();
        for id in laid_out {
            if self.blocks.contains(&id) && push != Some(id) {
                continue;
            }
            let name = &self.names[&id];
            let one = self.layout(id, &format!("{name} of {shader}"));
            let known = structs.entry(name.clone()).or_insert_with(|| one.clone());
            assert_eq!(*known, one, "{name} of {shader} is laid out in two ways");
        }
        structs
    }

    fn layout(&self, id: Word, what: &str) -> Struct {
        let mut end = 0;
        let mut members = Vec::new();
        for (m, ty) in self.defined[&id].operands.iter().enumerate() {
            let (ty, m) = (ty.unwrap_id_ref(), m as u32);
            let name = self.member_names[&(id, m)].clone();
            let offset = self.member_offsets[&(id, m)];
            assert_eq!(
                offset, end,
                "{what}: a gap before `{name}`; fill it by a member"
            );
            end += self.size(ty);
            members.push(Member {
                name,
                offset,
                ty: self.rust_type(ty, what),
            });
        }
        // Push constants have no neighbours; others lie in arrays.
        let alignment = if self.blocks.contains(&id) {
            4
        } else {
            self.alignment(id)
        };
        assert_eq!(
            end % alignment,
            0,
            "{what}: a gap at its end; fill it by a member"
        );
        Struct { size: end, members }
    }

    fn rust_type(&self, ty: Word, what: &str) -> String {
        let i = &self.defined[&ty];
        let inner = |at: usize| self.rust_type(i.operands[at].unwrap_id_ref(), what);
        match i.class.opcode {
            Op::TypeFloat => "f32".to_owned(),
            Op::TypeInt if i.operands[1].unwrap_literal_bit32() == 0 => "u32".to_owned(),
            Op::TypeInt => "i32".to_owned(),
            Op::TypeVector => format!("[{}; {}]", inner(0), i.operands[1].unwrap_literal_bit32()),
            Op::TypeArray => {
                let element = self.size(i.operands[0].unwrap_id_ref());
                assert_eq!(
                    self.array_strides[&ty], element,
                    "{what}: an array with gaps"
                );
                format!("[{}; {}]", inner(0), self.length(ty))
            }
            Op::TypeStruct => self.names[&ty].clone(),
            other => panic!("{what}: a member of a type that the host does not have: {other:?}"),
        }
    }

    /// Elements of an array.
    fn length(&self, array: Word) -> u32 {
        let length = self.defined[&array].operands[1].unwrap_id_ref();
        self.defined[&length].operands[0].unwrap_literal_bit32()
    }

    /// Bytes of a type as laid out.
    fn size(&self, ty: Word) -> u32 {
        let i = &self.defined[&ty];
        match i.class.opcode {
            Op::TypeInt | Op::TypeFloat => i.operands[0].unwrap_literal_bit32() / 8,
            Op::TypeVector => {
                self.size(i.operands[0].unwrap_id_ref()) * i.operands[1].unwrap_literal_bit32()
            }
            Op::TypeArray => self.array_strides[&ty] * self.length(ty),
            Op::TypeStruct => (0..i.operands.len() as u32)
                .map(|m| {
                    self.member_offsets[&(ty, m)]
                        + self.size(i.operands[m as usize].unwrap_id_ref())
                })
                .max()
                .unwrap_or(0),
            other => panic!("a type without a size: {other:?}"),
        }
    }

    /// Bytes of a type in shared memory, where nothing is laid out by the module: as std430 would.
    fn shared_size(&self, ty: Word) -> u32 {
        let i = &self.defined[&ty];
        match i.class.opcode {
            Op::TypeBool => 4,
            Op::TypeVector => match i.operands[1].unwrap_literal_bit32() {
                2 => 8,
                _ => 16,
            },
            Op::TypeArray => self.shared_size(i.operands[0].unwrap_id_ref()) * self.length(ty),
            Op::TypeStruct => {
                let sizes = (i.operands.iter()).map(|m| self.shared_size(m.unwrap_id_ref()));
                sizes.sum::<u32>().next_multiple_of(self.alignment(ty))
            }
            _ => self.size(ty),
        }
    }

    /// What addresses of a type are multiples of in std430.
    fn alignment(&self, ty: Word) -> u32 {
        let i = &self.defined[&ty];
        match i.class.opcode {
            Op::TypeVector => match i.operands[1].unwrap_literal_bit32() {
                2 => 8,
                _ => 16,
            },
            Op::TypeArray => self.alignment(i.operands[0].unwrap_id_ref()),
            Op::TypeStruct => (i.operands.iter())
                .map(|member| self.alignment(member.unwrap_id_ref()))
                .max()
                .unwrap_or(4),
            _ => 4,
        }
    }
}
