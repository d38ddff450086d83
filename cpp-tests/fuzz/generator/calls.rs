//! The C++ that fills arguments and makes calls, for every function and every struct of the header.

use std::fmt::Write;

use crate::c_header::{Block, Function, Header, Member};
use crate::roles::{Role, check_table, is_number, roles};

/// Structs that `prepare` in bodies.hpp knows how to fill: which pointers it sets, and which numbers it keeps in step with them.
const PREPARED: [(&str, &[&str]); 14] = [
    ("PrxFollowDef", &["submit", "velocities"]),
    (
        "PrxContextDef",
        &[
            "device_name",
            "log",
            "log_user",
            "pipeline_cache",
            "run_jobs",
            "jobs_user",
            "device_memory_budget",
        ],
    ),
    ("PrxAllocator", &["user", "allocate", "reallocate", "free"]),
    (
        "PrxVulkanDevice",
        &[
            "api_version",
            "instance",
            "physical_device",
            "device",
            "queue",
            "queue_family",
            "enabled_extensions",
            "enabled_features",
            "get_instance_proc_addr",
            "lock_queue",
            "unlock_queue",
            "queue_user",
        ],
    ),
    (
        "PrxMeshDef",
        &[
            "label",
            "positions",
            "indices",
            "index_type",
            "vk_buffer",
            "vk_buffer_offset",
        ],
    ),
    (
        "PrxBufferOutput",
        &[
            "vk_buffer",
            "vk_buffer_size",
            "vk_buffer_offset",
            "vk_buffer_usage",
            "capacity",
            "record_size",
            "group_size",
        ],
    ),
    (
        "PrxBufferInput",
        &[
            "vk_buffer",
            "vk_buffer_size",
            "vk_buffer_offset",
            "vk_buffer_usage",
        ],
    ),
    (
        "PrxDebugDraw",
        &[
            "draw_line",
            "draw_triangle",
            "draw_point",
            "draw_text",
            "user",
        ],
    ),
    ("PrxTimelinePoint", &["semaphore", "value"]),
    ("PrxSubmitDef", &["waits", "signals"]),
    ("PrxFieldDef", &["grid"]),
    ("PrxPenaltyDef", &["velocities"]),
    ("PrxTetrahedralBody", &["positions", "tetrahedra"]),
    (
        "PrxNearDef",
        &[
            "thickness",
            "thickness_a",
            "thickness_b",
            "groups_a",
            "groups_b",
            "excluded",
            "rest",
        ],
    ),
];

/// Members that decide how long a call takes, and the range that keeps it short.
const SMALL: [(&str, u32, u32); 4] = [
    ("resolution", 1, 24),
    ("width", 16, 48),
    ("height", 16, 48),
    ("worker_threads", 1, 2),
];

pub fn generate(header: &Header) -> String {
    check_table(header);
    let mut text = "// Generated from proxel.h by cpp-tests/fuzz/generator: change those.\n#pragma once\n\n#include \"bodies.hpp\"\n\nnamespace fuzz {\n\n".to_owned();
    for (number, kind) in kinds(header).iter().enumerate() {
        let _ = writeln!(
            text,
            "template <>\nstruct Kind<{kind}> {{\n    static constexpr int number = {number};\n}};"
        );
    }
    let names: Vec<String> = kinds(header).iter().map(|k| format!("\"{k}\"")).collect();
    let _ = writeln!(
        text,
        "inline constexpr const char* kind_names[] = {{{}}};\n",
        names.join(", ")
    );
    for block in &header.structs {
        let _ = writeln!(
            text,
            "void fill(Call& call, {0}& v);\nvoid mutate(Call& call, {0}& v);\nvoid show(Text& out, const {0}& v);",
            block.name
        );
    }
    text.push('\n');
    let read = read_structs(header);
    for block in &header.structs {
        if read.contains(&block.name.as_str()) {
            filler(&mut text, header, block);
        }
        shower(&mut text, header, block);
    }
    for function in &header.functions {
        caller(&mut text, header, function);
    }
    text += "inline const Function functions[] = {\n";
    for function in &header.functions {
        let roles = roles(header, function);
        let creates = roles
            .iter()
            .zip(&function.arguments)
            .find(|(role, _)| matches!(role, Role::NewHandle))
            .map(|(_, argument)| argument.kind.strip_suffix('*').unwrap_or_default());
        let creates = creates.map_or("-1".to_owned(), |kind| format!("Kind<{kind}>::number"));
        let _ = writeln!(
            text,
            "    {{\"{0}\", call_{0}, {creates}, {1}}},",
            function.name,
            function.returns == "PrxStatus"
        );
    }
    text + "};\n\n}  // namespace fuzz\n"
}

/// The types that name objects, as they are passed.
fn kinds(header: &Header) -> Vec<String> {
    let ids = header.structs.iter().filter(|s| header.is_id(&s.name));
    let opaque = header.opaque.iter().map(|o| format!("{o}*"));
    opaque.chain(ids.map(|s| s.name.clone())).collect()
}

/// The structs that some call reads, and those inside them.
fn read_structs(header: &Header) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    for function in &header.functions {
        for (role, argument) in roles(header, function).iter().zip(&function.arguments) {
            // An output that begins with its size is read too.
            let kind = argument.kind.trim_end_matches('*');
            let sized = matches!(role, Role::Output(None)) && is_sized(header, kind);
            if sized || matches!(role, Role::Input(_) | Role::InputOutput | Role::Value) {
                open.push(kind);
            }
        }
    }
    open.push("PrxGrid");
    open.push("PrxTimelinePoint");
    while let Some(name) = open.pop() {
        let Some(block) = header.structs.iter().find(|s| s.name == name) else {
            continue;
        };
        if !found.contains(&name) {
            found.push(name);
            open.extend(block.members.iter().map(|m| m.kind.as_str()));
        }
    }
    found
}

fn is_sized(header: &Header, name: &str) -> bool {
    let block = header.structs.iter().find(|s| s.name == name);
    block.is_some_and(|b| b.members[0].name == "size")
}

fn is_prepared(block: &Block, member: &Member) -> bool {
    PREPARED
        .iter()
        .any(|(name, members)| *name == block.name && members.contains(&member.name.as_str()))
}

/// Whether a number belongs to an array of the same struct.
fn is_bound(block: &Block, member: &Member) -> bool {
    let points = block.members.iter().any(|m| m.kind.ends_with('*'));
    let ends = ["_count", "_size", "_stride"];
    points && ends.iter().any(|end| member.name.ends_with(end))
}

fn filler(text: &mut String, header: &Header, block: &Block) {
    let name = &block.name;
    let default = header
        .functions
        .iter()
        .find(|f| f.returns == *name && f.arguments.is_empty());
    let _ = writeln!(
        text,
        "inline void fill([[maybe_unused]] Call& call, {name}& v) {{"
    );
    if let Some(default) = default {
        let _ = writeln!(text, "    v = {}();", default.name);
    } else {
        text.push_str("    v = {};\n");
    }
    if header.is_id(name) {
        let _ = writeln!(text, "    v = call.handle<{name}>(\"element\");");
    }
    let mut cases = Vec::new();
    for member in block.members.iter().filter(|_| !header.is_id(name)) {
        let known = is_known(header, member);
        assert!(
            known || member.kind == "char" || is_prepared(block, member),
            "{name}.{}: teach `prepare` in bodies.hpp what it points to, and list it in PREPARED",
            member.name
        );
        if !known || is_prepared(block, member) || is_bound(block, member) {
            continue;
        }
        let element = element(member);
        let count: u32 = member.extents.iter().map(|e| extent(e)).product();
        let small = SMALL.iter().find(|(n, ..)| *n == member.name);
        if let (Some((_, low, high)), true) = (small, member.extents.is_empty()) {
            let _ = writeln!(
                text,
                "    v.{} = call.random.between({low}, {high});",
                member.name
            );
        } else if member.name == "size" && default.is_none() {
            text.push_str("    v.size = sizeof v;\n");
        } else if default.is_none() {
            let _ = writeln!(
                text,
                "    for (int i = 0; i < {count}; ++i) fill(call, {element}[i]);"
            );
        }
        if let (Some(variants), Some(_)) = (variants(header, &member.kind), default) {
            let _ = writeln!(
                text,
                "    if (call.random.chance(call.tame() ? 0.15 : 0.4)) v.{} = static_cast<{}>(call.random.below({variants}));",
                member.name, member.kind
            );
        }
        let changed = format!("{element}[call.random.below({count})]");
        cases.push(if header.is_struct(&member.kind) {
            format!("mutate(call, {changed});")
        } else if let Some(variants) = variants(header, &member.kind) {
            format!(
                "{changed} = static_cast<{}>(call.random.choice({variants}));",
                member.kind
            )
        } else {
            format!("call.random.edge({changed});")
        });
    }
    text.push_str("    prepare(call, v);\n}\n");
    let _ = writeln!(
        text,
        "inline void mutate([[maybe_unused]] Call& call, [[maybe_unused]] {name}& v) {{"
    );
    if header.is_id(name) {
        text.push_str("    fill(call, v);\n");
    } else if !cases.is_empty() {
        let _ = writeln!(text, "    switch (call.random.below({})) {{", cases.len());
        for (at, case) in cases.iter().enumerate() {
            let _ = writeln!(text, "        case {at}: {case} break;");
        }
        text.push_str("    }\n");
    }
    text.push_str("}\n");
}

/// A member as a pointer to its first number.
fn element(member: &Member) -> String {
    let first = "[0]".repeat(member.extents.len());
    format!("(&v.{}{first})", member.name)
}

fn extent(text: &str) -> u32 {
    text.parse().expect("the length of an array is a number")
}

/// How many values a type has that is an enum.
fn variants(header: &Header, kind: &str) -> Option<usize> {
    let block = header.enums.iter().find(|e| e.name == kind)?;
    Some(block.members.len())
}

fn is_known(header: &Header, member: &Member) -> bool {
    is_number(&member.kind) || header.is_enum(&member.kind) || header.is_struct(&member.kind)
}

fn shower(text: &mut String, header: &Header, block: &Block) {
    let _ = writeln!(
        text,
        "inline void show(Text& out, const {}& v) {{\n    out << '{{';",
        block.name
    );
    for member in &block.members {
        let count: u32 = member.extents.iter().map(|e| extent(e)).product();
        let element = element(member);
        let _ = write!(text, "    out << \" {}=\";\n    ", member.name);
        if member.kind == "char" {
            let _ = writeln!(text, "out << \"...\";");
        } else if is_known(header, member) {
            let _ = writeln!(
                text,
                "for (int i = 0; i < {count}; ++i) show(out, {element}[i]);"
            );
        } else {
            let _ = writeln!(
                text,
                "out << (v.{} != nullptr ? \"set\" : \"null\");",
                member.name
            );
        }
    }
    text.push_str("    out << \" }\";\n}\n\n");
}

fn caller(text: &mut String, header: &Header, function: &Function) {
    let roles = roles(header, function);
    let name = &function.name;
    let _ = writeln!(
        text,
        "inline void call_{name}([[maybe_unused]] Call& call) {{"
    );
    let declarations = roles.iter().zip(&function.arguments);
    // Handles and numbers first: the lengths of arrays follow from them.
    let (pointers, others): (Vec<_>, Vec<_>) = declarations.partition(|(role, _)| {
        matches!(role, Role::Input(_) | Role::Output(_) | Role::InputOutput)
    });
    for (role, argument) in others.into_iter().chain(pointers) {
        declaration(text, header, role, argument);
    }
    let names: Vec<&str> = function.arguments.iter().map(|a| a.name.as_str()).collect();
    let call = format!("{name}({})", names.join(", "));
    let line = match function.returns.as_str() {
        "PrxStatus" => format!("call.end(static_cast<std::uint32_t>({call}));"),
        "char*" => format!("call.end_text({call});"),
        _ => format!("(void){call};\n    call.end_value();"),
    };
    let _ = writeln!(text, "    call.begin();\n    {line}\n}}\n");
}

fn declaration(text: &mut String, header: &Header, role: &Role, argument: &Member) {
    let (kind, name) = (&argument.kind, &argument.name);
    let pointee = kind.strip_suffix('*').unwrap_or(kind);
    let length = |extent: &Option<crate::roles::Extent>| match extent {
        None => "1".to_owned(),
        Some(extent) => extent.count.clone(),
    };
    let stride = |extent: &Option<crate::roles::Extent>| match extent {
        Some(extent) => extent.stride.clone(),
        None => None,
    };
    let value = match role {
        Role::Handle => format!("call.handle<{kind}>(\"{name}\")"),
        Role::NewHandle => format!("call.new_handle<{pointee}>(\"{name}\")"),
        Role::Number => format!("call.number<{kind}>(\"{name}\")"),
        Role::Choice => {
            let variants = variants(header, kind).expect("a choice is an enum");
            format!("call.choice<{kind}>(\"{name}\", {variants})")
        }
        Role::Count => format!("call.count<{kind}>(\"{name}\")"),
        Role::Capacity => format!("call.capacity<{kind}>(\"{name}\")"),
        Role::Stride => format!("call.stride(\"{name}\")"),
        Role::Text => format!("call.text(\"{name}\")"),
        Role::Value => format!("call.value<{kind}>(\"{name}\")"),
        Role::InputOutput => format!("call.inout<{pointee}>(\"{name}\")"),
        Role::Input(extent) => match (pointee, stride(extent)) {
            (_, Some(stride)) => format!("call.points(\"{name}\", {}, {stride})", length(extent)),
            ("void", None) => format!("call.bytes(\"{name}\", {})", length(extent)),
            (_, None) if extent.is_none() => format!("call.one<{pointee}>(\"{name}\")"),
            _ => format!("call.many<{pointee}>(\"{name}\", {})", length(extent)),
        },
        Role::Output(extent) => {
            let element = if pointee == "void" {
                "std::uint8_t"
            } else {
                pointee
            };
            format!("call.out<{element}>(\"{name}\", {})", length(extent))
        }
    };
    let _ = writeln!(text, "    auto {name} = {value};");
}
