//! `tests/repository/abi.txt` is what programs that are compiled already rely on: names, numbers, sizes and offsets, as the C
//! compiler sees them in `include/proxel.h`. A change of a line that was there is a break. To renew the list:
//! `PROXEL_BLESS=1 cargo test --test repository abi`. The test run holds compilers and libraries for Windows to the same list.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::c_header::{Header, Member};

#[test]
fn the_abi_is_the_committed_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = std::fs::read_to_string(root.join("include/proxel.h")).expect("there is a header");
    let program = program(&Header::read(&header), &header);
    let listed = run(&program, &root.join("include"));
    let path = root.join("tests/repository/abi.txt");
    if std::env::var_os("PROXEL_BLESS").is_some() {
        std::fs::write(&path, &listed).expect("the list is writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (before, now) = (lines(&committed), lines(&listed));
    let broken: Vec<_> = before.difference(&now).collect();
    assert!(
        broken.is_empty(),
        "programs that are compiled already rely on these, which are gone or different: {broken:#?}\nRaise PRX_ABI_VERSION \
         as CONTRIBUTING says, then run `PROXEL_BLESS=1 cargo test --test repository abi`"
    );
    let added: Vec<_> = now.difference(&before).collect();
    assert!(
        added.is_empty(),
        "new, and nothing breaks; run `PROXEL_BLESS=1 cargo test --test repository abi` and commit the list: {added:#?}"
    );
}

/// A C program that prints the list. The version's own numbers are not in it: they change with every release.
fn program(header: &Header, text: &str) -> String {
    let mut out = String::from(
        "#include <proxel.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n",
    );
    let mut value = |line: String, value: String| {
        let _ = writeln!(
            out,
            "    printf(\"{line}\\n\", (unsigned long long)({value}));"
        );
    };
    for constant in &header.constants {
        if !constant.name.starts_with("PRX_VERSION_") {
            let name = &constant.name;
            value(format!("constant {name} %llu"), name.clone());
        }
    }
    for (block, member) in header
        .enums
        .iter()
        .flat_map(|e| e.members.iter().map(move |m| (e, m)))
    {
        let (kind, name) = (&block.name, &member.name);
        value(format!("enum {kind} {name} %llu"), name.clone());
    }
    for block in &header.structs {
        let name = &block.name;
        value(format!("struct {name} %llu"), format!("sizeof({name})"));
        for member in &block.members {
            let (field, kind) = (&member.name, declared(member));
            value(
                format!("member {name} {field} %llu {kind}"),
                format!("offsetof({name}, {field})"),
            );
        }
    }
    let pointers = text
        .lines()
        .filter(|line| line.starts_with("typedef") && line.contains("(*"));
    for line in pointers {
        let _ = writeln!(out, "    puts(\"callback {line}\");");
    }
    for function in &header.functions {
        let arguments: Vec<_> = function.arguments.iter().map(declared).collect();
        let (returns, name) = (&function.returns, &function.name);
        let _ = writeln!(
            out,
            "    puts(\"function {name} {returns}({})\");",
            arguments.join(", ")
        );
    }
    out + "    return 0;\n}\n"
}

/// The type of a member or an argument, as in `const float* [2][3]`.
fn declared(member: &Member) -> String {
    let constant = if member.constant { "const " } else { "" };
    let extents: String = member.extents.iter().map(|n| format!("[{n}]")).collect();
    format!("{constant}{}{extents}", member.kind)
}

/// What the program prints.
fn run(program: &str, include: &Path) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, binary) = (folder.join("abi.c"), folder.join("abi"));
    std::fs::write(&source, program).expect("the folder is writable");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let compiled = Command::new(&compiler)
        .arg("-I")
        .arg(include)
        .arg(&source)
        .arg("-o")
        .arg(&binary)
        .status();
    assert!(
        compiled.is_ok_and(|status| status.success()),
        "{compiler} does not compile the list's program"
    );
    let listed = Command::new(&binary)
        .output()
        .expect("the list's program runs");
    String::from_utf8(listed.stdout).expect("names are ASCII")
}
