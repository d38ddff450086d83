//! The Rust text: a static for each variant, a struct for each family and group, and the structs that shaders lay out.
//!
//! A family's struct has a field for each axis and one for each binding or group of bindings. An axis whose choices differ in their
//! bindings is an enum that holds them, so that a variant cannot be chosen without what it binds.

use crate::reflect::{Interface, Struct};
use crate::source::{Axis, Source, Variant, camel};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A shader file with all its variants.
pub struct Family<'a> {
    pub source: &'a Source,
    pub variants: Vec<(Variant, Interface)>,
}

/// The generated files by name.
pub fn all(families: &[Family]) -> [(&'static str, String); 3] {
    let shapes: Vec<Shape> = families.iter().map(Shape::of).collect();
    [
        ("shaders.rs", families.iter().map(statics).collect()),
        (
            "kernels.rs",
            [axes(&shapes), groups(&shapes), structs_of(&shapes)].concat(),
        ),
        ("blocks.rs", blocks(families)),
    ]
}

fn statics(family: &Family) -> String {
    let mut text = String::new();
    for (variant, interface) in &family.variants {
        let name = &variant.name;
        let bindings: Vec<String> = (interface.bindings.iter())
            .map(|b| {
                let (number, kind) = (b.number, b.kind);
                format!("Binding {{ binding: {number}, kind: BindingKind::{kind} }}")
            })
            .collect();
        let push = interface.push.as_ref();
        let _ = writeln!(
            text,
            "pub static {}: Shader = Shader {{\n    name: {name:?},\n    \
             packed: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.spv.packed\")),\n    \
             stage: ShaderStage::{},\n    workgroup: {:?},\n    subgroups: {},\n    shared_bytes: {},\n    push_bytes: {},\n    bindings: &[{}],\n}};\n",
            name.to_uppercase(),
            interface.stage,
            interface.workgroup,
            interface.subgroups,
            interface.shared,
            push.map_or(0, |push| interface.structs[push].size),
            bindings.join(", "),
        );
    }
    text
}

/// The structs that shaders lay out. All shaders that have one of a name agree on it.
fn blocks(families: &[Family]) -> String {
    let mut all: BTreeMap<&str, (&Struct, BTreeSet<String>)> = BTreeMap::new();
    for family in families {
        for (name, layout) in family.variants.iter().flat_map(|(_, i)| &i.structs) {
            let path = family.source.path.display().to_string();
            let (known, users) = all.entry(name).or_insert((layout, BTreeSet::new()));
            assert_eq!(
                *known, layout,
                "{name} of {path} is another than in {users:?}"
            );
            users.insert(path);
        }
    }
    let mut text = String::new();
    for (name, (layout, users)) in all {
        let user = users.first().expect("a struct is used");
        let _ = writeln!(
            text,
            "/// As in `{user}`{}.\n#[repr(C)]\n#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]\npub struct {name} {{",
            if users.len() > 1 { " and others" } else { "" },
        );
        let mut checks = format!("    assert!(size_of::<{name}>() == {});\n", layout.size);
        for member in &layout.members {
            let _ = writeln!(text, "    pub {}: {},", member.name, member.ty);
            let _ = writeln!(
                checks,
                "    assert!(std::mem::offset_of!({name}, {}) == {});",
                member.name, member.offset
            );
        }
        let _ = writeln!(text, "}}\nconst _: () = {{\n{checks}}};\n");
    }
    text
}

/// A binding as a family has it.
#[derive(Clone, Debug, PartialEq)]
struct Resource {
    name: String,
    number: u32,
    /// The Rust type.
    class: &'static str,
    held: Held,
}

/// Which variants have a binding.
#[derive(Clone, Debug, PartialEq)]
enum Held {
    Always,
    /// Those with these choices along an axis.
    By(usize, BTreeSet<usize>),
}

/// A field of bindings: one, or a group.
struct Item {
    name: String,
    group: bool,
    members: Vec<Resource>,
    held: Held,
}

/// A family as a struct.
struct Shape<'a> {
    family: &'a Family<'a>,
    name: String,
    /// By number.
    items: Vec<Item>,
}

impl<'a> Shape<'a> {
    fn of(family: &'a Family<'a>) -> Self {
        let source = family.source;
        let mut singles = resources(family);
        let mut items = Vec::new();
        for group in &source.groups {
            let (members, others): (Vec<_>, Vec<_>) = singles
                .into_iter()
                .partition(|r| group.members.contains(&r.name));
            singles = others;
            if !members.is_empty() {
                items.push(group_item(family, &group.name, members));
            }
        }
        items.extend(singles.into_iter().map(|resource| Item {
            name: resource.name.clone(),
            group: false,
            held: resource.held.clone(),
            members: vec![resource],
        }));
        items.sort_by_key(|item| item.members.iter().map(|m| m.number).min());
        let stage = if source.stage == "comp" {
            ""
        } else {
            &source.stage
        };
        Self {
            family,
            name: camel(&source.stem) + &camel(stage),
            items,
        }
    }

    fn axes(&self) -> &'a [Axis] {
        &self.family.source.axes
    }

    /// The fields that an axis's enum has for a choice.
    fn held_by(&self, axis: usize, choice: usize) -> Vec<&Item> {
        let has = |item: &&Item| matches!(&item.held, Held::By(a, choices) if *a == axis && choices.contains(&choice));
        self.items.iter().filter(has).collect()
    }

    /// Where the choice along an axis is: the path to the field, and its type.
    fn choice(&self, axis: usize) -> (String, String) {
        let name = &self.axes()[axis].name;
        let by = |held: &Held| matches!(held, Held::By(a, _) if *a == axis);
        let own = self.items.iter().any(|item| by(&item.held));
        let group = self
            .items
            .iter()
            .find(|item| item.held == Held::Always && item.members.iter().any(|m| by(&m.held)));
        match group {
            Some(group) => {
                assert!(
                    !own,
                    "{}: {name} has bindings in and beside a group",
                    self.name
                );
                (
                    format!("{}.{name}", group.name),
                    camel(&group.name) + &camel(name),
                )
            }
            None if own => (name.clone(), self.name.clone() + &camel(name)),
            None => (name.clone(), camel(name)),
        }
    }
}

fn resources(family: &Family) -> Vec<Resource> {
    let mut found: BTreeMap<&str, (u32, &'static str, Vec<usize>)> = BTreeMap::new();
    for (at, (variant, interface)) in family.variants.iter().enumerate() {
        for b in &interface.bindings {
            let class = match b.kind {
                "SampledImage" => "Texture",
                _ => "Bound",
            };
            let known = found
                .entry(&b.name)
                .or_insert((b.number, class, Vec::new()));
            assert_eq!(
                (known.0, known.1),
                (b.number, class),
                "{} of {} is another in other variants",
                b.name,
                variant.name
            );
            known.2.push(at);
        }
    }
    found
        .into_iter()
        .map(|(name, (number, class, having))| Resource {
            name: name.to_owned(),
            number,
            class,
            held: held(family, name, &having),
        })
        .collect()
}

/// On which axis it depends whether a variant is one of those `having` a binding.
fn held(family: &Family, name: &str, having: &[usize]) -> Held {
    if having.len() == family.variants.len() {
        return Held::Always;
    }
    let choices = |axis: usize, has: bool| -> BTreeSet<usize> {
        (family.variants.iter().enumerate())
            .filter(|(at, _)| having.contains(at) == has)
            .map(|(_, (variant, _))| variant.choices[axis])
            .collect()
    };
    (0..family.source.axes.len())
        .find(|axis| choices(*axis, true).is_disjoint(&choices(*axis, false)))
        .map(|axis| Held::By(axis, choices(axis, true)))
        .unwrap_or_else(|| {
            panic!(
                "{}: whether there is `{name}` depends on several axes",
                family.source.path.display()
            )
        })
}

fn group_item(family: &Family, name: &str, mut members: Vec<Resource>) -> Item {
    members.sort_by_key(|m| m.number);
    let having: Vec<usize> = (0..family.variants.len())
        .filter(|at| {
            let choices = &family.variants[*at].0.choices;
            members.iter().any(|m| match &m.held {
                Held::Always => true,
                Held::By(axis, having) => having.contains(&choices[*axis]),
            })
        })
        .collect();
    let held = held(family, name, &having);
    let prefix = format!("{name}_");
    for member in &mut members {
        member.name = (member.name.strip_prefix(&prefix))
            .unwrap_or(&member.name)
            .to_owned();
        if held != Held::Always {
            assert_eq!(member.held, held, "group {name} is whole or not at all");
            member.held = Held::Always;
        }
    }
    Item {
        name: name.to_owned(),
        group: true,
        members,
        held,
    }
}

/// An enum for each axis whose choices are only that somewhere.
fn axes(shapes: &[Shape]) -> String {
    let mut all: BTreeMap<&str, &Axis> = BTreeMap::new();
    for shape in shapes {
        for (at, axis) in shape.axes().iter().enumerate() {
            if shape.choice(at).1 == camel(&axis.name) {
                let known = all.entry(&axis.name).or_insert(axis);
                assert!(
                    *known == axis,
                    "axis {} of {} is another elsewhere",
                    axis.name,
                    shape.name
                );
            }
        }
    }
    let mut text = String::new();
    for (name, axis) in all {
        let choices: Vec<String> = axis.choices.iter().map(|c| camel(&c.name)).collect();
        let _ = writeln!(
            text,
            "/// A choice between variants.\n#[derive(Debug, Clone, Copy, PartialEq, Eq)]\npub enum {} {{ {} }}\n",
            camel(name),
            choices.join(", ")
        );
    }
    text
}

/// Text of an enum that holds what each choice along an axis binds.
fn holder(name: &str, axis: &Axis, fields: impl Fn(usize) -> Vec<String>) -> String {
    let mut text = format!(
        "/// A choice between variants, with what it binds.\n#[derive(Clone, Copy)]\npub enum {name}<'a> {{\n"
    );
    for (at, choice) in axis.choices.iter().enumerate() {
        let fields = fields(at);
        let _ = match fields.is_empty() {
            true => writeln!(text, "    {},", camel(&choice.name)),
            false => writeln!(
                text,
                "    {} {{ {} }},",
                camel(&choice.name),
                fields.join(", ")
            ),
        };
    }
    text + "}\n\n"
}

fn groups(shapes: &[Shape]) -> String {
    let mut all: BTreeMap<&str, String> = BTreeMap::new();
    for shape in shapes {
        for item in shape.items.iter().filter(|item| item.group) {
            let text = group_struct(shape, item);
            let known = all.entry(&item.name).or_insert_with(|| text.clone());
            assert_eq!(
                *known, text,
                "group {} of {} is another elsewhere",
                item.name, shape.name
            );
        }
    }
    all.into_values().collect()
}

fn group_struct(shape: &Shape, item: &Item) -> String {
    let name = camel(&item.name);
    let mut text = format!(
        "/// What the shaders with group `{}` bind.\n#[derive(Clone, Copy)]\npub struct {name}Bindings<'a> {{\n",
        item.name
    );
    let field = |m: &Resource| format!("{}: {}<'a>", m.name, m.class);
    for member in item.members.iter().filter(|m| m.held == Held::Always) {
        let _ = writeln!(text, "    pub {},", field(member));
    }
    let mut holders = String::new();
    for (at, axis) in shape.axes().iter().enumerate() {
        let of = |choice: usize| -> Vec<String> {
            (item.members.iter())
                .filter(|m| matches!(&m.held, Held::By(a, c) if *a == at && c.contains(&choice)))
                .map(field)
                .collect()
        };
        if (0..axis.choices.len()).any(|choice| !of(choice).is_empty()) {
            let ty = format!("{name}{}", camel(&axis.name));
            let _ = writeln!(text, "    pub {}: {ty}<'a>,", axis.name);
            holders += &holder(&ty, axis, of);
        }
    }
    text + "}\n\n" + &holders
}

fn structs_of(shapes: &[Shape]) -> String {
    shapes.iter().map(family_struct).collect()
}

fn family_struct(shape: &Shape) -> String {
    let source = shape.family.source;
    let name = &shape.name;
    let (mut fields, mut holders) = (String::new(), String::new());
    let field = |item: &Item| match item.group {
        true => format!("{}: {}Bindings<'a>", item.name, camel(&item.name)),
        false => format!("{}: {}<'a>", item.name, item.members[0].class),
    };
    for (at, axis) in shape.axes().iter().enumerate() {
        let (path, ty) = shape.choice(at);
        let holds = (0..axis.choices.len()).any(|choice| !shape.held_by(at, choice).is_empty());
        if holds {
            let of = |choice| shape.held_by(at, choice).into_iter().map(field).collect();
            holders += &holder(&ty, axis, of);
        }
        if path == axis.name {
            let lifetime = if holds { "<'a>" } else { "" };
            let _ = writeln!(fields, "    pub {path}: {ty}{lifetime},");
        }
    }
    for item in shape.items.iter().filter(|item| item.held == Held::Always) {
        let _ = writeln!(fields, "    pub {},", field(item));
    }
    let mut text = holders;
    for line in source.about() {
        let _ = writeln!(text, "/// {line}");
    }
    let (given, elided) = match shape.items.is_empty() {
        true => ("", ""),
        false => ("<'a>", "<'_>"),
    };
    let _ = writeln!(
        text,
        "///\n/// In `{}`.\n#[derive(Clone, Copy)]\npub struct {name}{given} {{\n{fields}}}\n",
        source.path.display()
    );
    let _ = writeln!(
        text,
        "impl Bind for {name}{elided} {{\n    fn shader(&self) -> &'static Shader {{\n        {}\n    }}\n\n    \
         fn bind<'s>(&'s self, {}: &mut BindingSet<'s>) {{\n        {}\n    }}\n}}\n",
        chosen(shape),
        if shape.items.is_empty() { "_" } else { "set" },
        binding(shape),
    );
    let (_, first) = &shape.family.variants[0];
    if first.stage == "Compute" {
        let push = match &first.push {
            Some(push) => format!("blocks::{push}"),
            None => "()".to_owned(),
        };
        let _ = writeln!(
            text,
            "impl Kernel for {name}{elided} {{\n    type Push = {push};\n}}\n"
        );
    }
    let mut sizes = shape.family.variants.iter().map(|(_, i)| i.workgroup);
    if first.stage == "Compute" && sizes.all(|size| size == first.workgroup) {
        let _ = writeln!(
            text,
            "impl {name}{elided} {{\n    /// Invocations of a workgroup.\n    pub const WORKGROUP: [u32; 3] = {:?};\n}}\n",
            first.workgroup
        );
    }
    text
}

/// Which shader it is.
fn chosen(shape: &Shape) -> String {
    let constant = |variant: &Variant| format!("&shaders::{}", variant.name.to_uppercase());
    let choices: Vec<_> = (0..shape.axes().len())
        .map(|axis| shape.choice(axis))
        .collect();
    if choices.is_empty() {
        return constant(&shape.family.variants[0].0);
    }
    let keys: Vec<String> = choices
        .iter()
        .map(|(path, _)| format!("&self.{path},"))
        .collect();
    let mut text = format!("match ({}) {{\n", keys.concat());
    for (variant, _) in &shape.family.variants {
        let patterns: Vec<String> = (variant.choices.iter().zip(shape.axes()).zip(&choices))
            .map(|((choice, axis), (_, ty))| {
                format!("{ty}::{} {{ .. }},", camel(&axis.choices[*choice].name))
            })
            .collect();
        let _ = writeln!(
            text,
            "            ({}) => {},",
            patterns.concat(),
            constant(variant)
        );
    }
    text + "        }"
}

/// What is bound where.
fn binding(shape: &Shape) -> String {
    let put =
        |m: &Resource, path: &str| format!("set.{}({}, {path});", m.class.to_lowercase(), m.number);
    let item_text = |item: &Item, path: &str| -> String {
        let members = item.members.iter().filter(|m| m.held == Held::Always);
        match item.group {
            true => members
                .map(|m| put(m, &format!("{path}.{}", m.name)))
                .collect(),
            false => put(&item.members[0], path),
        }
    };
    let mut text = String::new();
    for item in shape.items.iter().filter(|item| item.held == Held::Always) {
        text += &item_text(item, &format!("self.{}", item.name));
    }
    for (at, axis) in shape.axes().iter().enumerate() {
        let (path, ty) = shape.choice(at);
        let in_groups: Vec<&Resource> = (shape.items.iter())
            .filter(|item| item.held == Held::Always && item.group)
            .flat_map(|item| &item.members)
            .collect();
        let mut arms = String::new();
        let mut any = false;
        for (number, choice) in axis.choices.iter().enumerate() {
            let (mut names, mut puts) = (String::new(), String::new());
            for item in shape.held_by(at, number) {
                let _ = write!(names, "{}, ", item.name);
                puts += &item_text(item, &item.name);
            }
            for m in &in_groups {
                if matches!(&m.held, Held::By(a, c) if *a == at && c.contains(&number)) {
                    let _ = write!(names, "{}, ", m.name);
                    puts += &put(m, &m.name);
                }
            }
            any |= !puts.is_empty();
            let _ = write!(
                arms,
                "{ty}::{} {{ {names}.. }} => {{ {puts} }} ",
                camel(&choice.name)
            );
        }
        if any {
            let _ = write!(text, "match self.{path} {{ {arms} }}");
        }
    }
    text
}
