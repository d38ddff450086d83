//! `bindings/unity/Runtime/Generated/` is what this makes of `include/proxel.h`. To renew it: `PROXEL_BLESS=1 cargo test --test repository csharp`.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

use crate::c_header::{Header, Member};

#[test]
fn the_committed_csharp_is_the_generated_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = std::fs::read_to_string(root.join("include/proxel.h")).expect("there is a header");
    let header = Header::read(&header);
    assert!(header.structs.len() > 40 && header.functions.len() > 90);
    assert!(header.enums.len() > 15 && header.constants.len() > 10);
    for (file, generated) in [
        ("Enums.cs", enums(&header)),
        ("Structs.cs", structs(&header)),
        ("Functions.cs", functions(&header)),
    ] {
        let path = root.join("bindings/unity/Runtime/Generated").join(file);
        if std::env::var_os("PROXEL_BLESS").is_some() {
            std::fs::write(&path, &generated).expect("the bindings are writable");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == generated,
            "{} is out of date: run `PROXEL_BLESS=1 cargo test --test repository csharp` and commit it",
            path.display()
        );
    }
}

const HEAD: &str =
    "// Generated from include/proxel.h by tests/repository/csharp.rs: change those.\n";

fn enums(header: &Header) -> String {
    let mut text = format!("{HEAD}namespace Proxel\n{{\n");
    text += "    /// <summary>The numbers that proxel.h defines.</summary>\n    public static class Prx\n    {\n";
    for constant in &header.constants {
        let value = match constant.value.as_str() {
            "UINT32_MAX" => "uint.MaxValue",
            other => other,
        };
        summary(&mut text, "        ", &constant.doc);
        let name = pascal(constant.name.strip_prefix("PRX_").unwrap_or(&constant.name));
        let _ = writeln!(text, "        public const uint {name} = {value};");
    }
    text += "    }\n";
    for block in &header.enums {
        text.push('\n');
        summary(&mut text, "    ", &block.doc);
        let _ = writeln!(text, "    public enum {} : uint\n    {{", block.name);
        let prefix = format!("{}_", screaming(&block.name));
        for member in &block.members {
            summary(&mut text, "        ", &member.doc);
            let name = pascal(
                member
                    .name
                    .strip_prefix(&prefix)
                    .expect("a variant is qualified"),
            );
            let _ = writeln!(text, "        {name} = {},", member.kind);
        }
        text += "    }\n";
    }
    text + "}\n"
}

fn structs(header: &Header) -> String {
    let mut text = format!(
        "{HEAD}using System;\nusing System.Runtime.InteropServices;\n\nnamespace Proxel\n{{\n"
    );
    for (at, block) in header.structs.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        summary(&mut text, "    ", &block.doc);
        let _ = writeln!(
            text,
            "    [StructLayout(LayoutKind.Sequential)]\n    public struct {}\n    {{",
            block.name
        );
        for member in &block.members {
            summary(&mut text, "        ", &member.doc);
            let kind = field_kind(member);
            let _ = writeln!(text, "        public {kind} {};", camel(&member.name));
        }
        for function in &header.functions {
            if function.returns == block.name && function.arguments.is_empty() {
                let name = function.name.rsplit('_').next().unwrap_or_default();
                let _ = writeln!(
                    text,
                    "\n        /// <summary>What {0} gives.</summary>\n        public static {1} {2} => Native.{0}();",
                    function.name,
                    block.name,
                    pascal(name)
                );
            }
        }
        text += "    }\n";
    }
    text + "}\n"
}

fn functions(header: &Header) -> String {
    let mut text = format!(
        "{HEAD}using System;\nusing System.Runtime.InteropServices;\nusing System.Security;\n\nnamespace Proxel\n{{\n"
    );
    text += "    /// <summary>The functions of proxel.h, as they are.</summary>\n";
    text += "    [SuppressUnmanagedCodeSecurity]\n    internal static unsafe class Native\n    {\n";
    text += "        const string Library = \"proxel\";\n";
    for function in &header.functions {
        let arguments: Vec<String> = function
            .arguments
            .iter()
            .map(|a| format!("{} {}", kind(&a.kind), camel(&a.name)))
            .collect();
        let _ = writeln!(
            text,
            "\n        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]\n        internal static extern {} {}({});",
            kind(&function.returns),
            function.name,
            arguments.join(", ")
        );
    }
    text + "    }\n}\n"
}

/// A C type of an argument in C#. Contexts and batches are numbers in a pointer's clothes.
fn kind(c: &str) -> String {
    match c {
        "uint8_t" | "char" => "byte".into(),
        "int32_t" => "int".into(),
        "uint32_t" => "uint".into(),
        "uint64_t" => "ulong".into(),
        "PrxContext*" | "PrxBatch*" => "IntPtr".into(),
        "PrxContext**" | "PrxBatch**" => "IntPtr*".into(),
        _ => match c.strip_suffix('*') {
            Some(pointee) => format!("{}*", kind(pointee)),
            None => c.to_owned(),
        },
    }
}

/// A C type of a member in C#, usable without `unsafe`: arrays are small structs, pointers are `IntPtr`.
fn field_kind(member: &Member) -> String {
    let extents: Vec<&str> = member.extents.iter().map(String::as_str).collect();
    let array = match (member.kind.as_str(), &extents[..]) {
        (_, []) => None,
        ("float", ["3"]) => Some("Float3"),
        ("float", ["4"]) => Some("Float4"),
        ("float", ["2", "3"]) => Some("Float3Pair"),
        ("double", ["3"]) => Some("Double3"),
        ("double", ["4"]) => Some("Double4"),
        ("double", ["6"]) => Some("Double6"),
        ("double", ["3", "3"]) => Some("Double3x3"),
        ("uint32_t", ["2"]) => Some("UInt2"),
        ("uint32_t", ["3"]) => Some("UInt3"),
        ("uint8_t", ["16"]) => Some("Bytes16"),
        ("char", ["256"]) => Some("Text256"),
        (other, extents) => panic!("{other} {extents:?} has no counterpart in C# yet"),
    };
    match array {
        Some(array) => array.into(),
        None if member.kind.ends_with('*') || is_function(&member.kind) => "IntPtr".into(),
        None => kind(&member.kind),
    }
}

fn is_function(kind: &str) -> bool {
    kind.starts_with("Prx") && (kind.ends_with("Fn") || kind.ends_with("ProcAddr"))
}

fn summary(text: &mut String, indent: &str, doc: &str) {
    let doc = doc.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(text, "{indent}/// <summary>{doc}</summary>");
}

/// `POSITION_STRIDE` or `position_stride` to `PositionStride`.
fn pascal(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + &rest.to_lowercase()
    };
    name.split('_')
        .filter(|w| !w.is_empty())
        .map(word)
        .collect()
}

/// `position_stride` to `positionStride`.
fn camel(name: &str) -> String {
    let pascal = pascal(name);
    let (first, rest) = pascal.split_at(1);
    let camel = first.to_lowercase() + rest;
    let reserved = HashSet::from([
        "base", "event", "fixed", "in", "lock", "object", "out", "params", "ref",
    ]);
    if reserved.contains(camel.as_str()) {
        format!("@{camel}")
    } else {
        camel
    }
}

/// `PrxCullMethod` to `PRX_CULL_METHOD`.
fn screaming(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(c.to_uppercase());
    }
    text
}
