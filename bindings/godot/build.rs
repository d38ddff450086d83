//! Writes down in Rust what `include/proxel.h` declares, and links with the installed library.

#[path = "../../tests/repository/c_header.rs"]
#[allow(dead_code)]
mod c_header;

use c_header::{Header, Member};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let header = root.join("include/proxel.h");
    println!("cargo:rerun-if-changed={}", header.display());
    println!("cargo:rerun-if-env-changed=PROXEL_LIB_DIR");
    let text = fs::read_to_string(&header).expect("include/proxel.h is there");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join("native.rs");
    fs::write(out, declarations(&Header::read(&text))).expect("OUT_DIR is writable");

    let library =
        env::var_os("PROXEL_LIB_DIR").map_or_else(|| root.join("target/prefix/lib"), PathBuf::from);
    println!("cargo:rustc-link-search=native={}", library.display());
    println!("cargo:rustc-link-lib=dylib=proxel");
    // Both libraries lie in one folder.
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN");
    }
}

fn declarations(header: &Header) -> String {
    let mut text = String::new();
    for name in &header.opaque {
        let _ = writeln!(text, "#[repr(C)]\npub struct {name} {{ _opaque: [u8; 0] }}");
    }
    for constant in &header.constants {
        let value = constant.value.replace("UINT32_MAX", "u32::MAX");
        let _ = writeln!(text, "pub const {}: u32 = {value};", constant.name);
    }
    for block in &header.enums {
        let _ = writeln!(text, "pub type {} = u32;", block.name);
        for member in &block.members {
            let _ = writeln!(text, "pub const {}: u32 = {};", member.name, member.kind);
        }
    }
    for block in &header.structs {
        let _ = writeln!(
            text,
            "#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {} {{",
            block.name
        );
        for member in &block.members {
            let _ = writeln!(
                text,
                "    pub {}: {},",
                word(&member.name),
                field(header, member)
            );
        }
        text += "}\n";
    }
    text += "unsafe extern \"C\" {\n";
    for function in &header.functions {
        let arguments: Vec<String> = function
            .arguments
            .iter()
            .map(|it| format!("{}: {}", word(&it.name), field(header, it)))
            .collect();
        let returns = match function.returns.as_str() {
            "void" => String::new(),
            kind => format!(" -> {}", rust(header, kind, kind.ends_with('*'))),
        };
        let _ = writeln!(
            text,
            "    pub fn {}({}){returns};",
            function.name,
            arguments.join(", ")
        );
    }
    text + "}\n"
}

fn field(header: &Header, member: &Member) -> String {
    let one = rust(header, &member.kind, member.constant);
    member
        .extents
        .iter()
        .rev()
        .fold(one, |of, count| format!("[{of}; {count}]"))
}

/// A C type in Rust; pointers to functions are never called from here.
fn rust(header: &Header, kind: &str, constant: bool) -> String {
    if let Some(to) = kind.strip_suffix('*') {
        let way = if constant { "const" } else { "mut" };
        return format!("*{way} {}", rust(header, to.trim(), constant));
    }
    match kind {
        "void" => "std::ffi::c_void".into(),
        "char" => "std::ffi::c_char".into(),
        "uint8_t" => "u8".into(),
        "int32_t" => "i32".into(),
        "uint32_t" => "u32".into(),
        "int64_t" => "i64".into(),
        "uint64_t" => "u64".into(),
        "float" => "f32".into(),
        "double" => "f64".into(),
        known if header.is_struct(known) || header.is_enum(known) || header.is_opaque(known) => {
            known.into()
        }
        _ => "Option<unsafe extern \"C\" fn()>".into(),
    }
}

/// A name that Rust keeps for itself gets a line behind it.
fn word(name: &str) -> String {
    match name {
        "type" | "in" | "ref" | "fn" | "move" | "as" | "where" | "loop" | "use" | "box" => {
            format!("{name}_")
        }
        _ => name.into(),
    }
}
