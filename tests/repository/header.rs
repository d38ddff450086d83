//! `include/proxel.h` is what cbindgen makes of `src/ffi/`, put in the order of a manual. To renew it:
//! `PROXEL_BLESS=1 cargo test --test repository header`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A part of the header, what is said of it, and its files of `src/ffi/`. A file is one topic: the first line of its `//!` comment is the
/// heading, the rest is the text below it, and its items follow in the order of the file.
type Part = (&'static str, &'static str, &'static [&'static str]);

const PARTS: [Part; 8] = [
    (
        "Foundations",
        "",
        &[
            "handles", "status", "version", "context", "info", "memory", "unity", "mesh", "batch",
            "output", "timings",
        ],
    ),
    (
        "Queries per frame",
        "",
        &[
            "field",
            "field_file",
            "field_sample",
            "contacts",
            "soft_contacts",
            "friction",
            "proximity",
            "penalty",
            "overlap",
            "follower",
            "volume",
            "containment",
            "exits",
            "layers",
            "gradients",
        ],
    ),
    (
        "Exact queries",
        "",
        &[
            "exact",
            "exact_intersection",
            "intersection_boundary",
            "intersection_contacts",
            "sweep",
            "impacts",
            "near",
            "tetrahedra",
        ],
    ),
    ("Scenes", "", &["scene", "scene_contacts", "scene_impacts"]),
    (
        "Exact queries in batches",
        "",
        &["exact_batch", "step_batch"],
    ),
    ("Time-critical queries", "", &["tracker"]),
    ("Sight", "", &["debug_draw"]),
    (
        "Comparators",
        COMPARATORS,
        &["comparators/cull", "comparators/hierarchy"],
    ),
];

const COMPARATORS: &str = r#"
 *
 * What exists to be compared: methods of the papers that other parts of this header answer faster. Take them to measure, or to check one
 * method by another; a game needs none of them. Some enums of other parts have values for comparison too: PRX_DISTANCE_METHOD_MARGIN_HASH,
 * the sampling paths that draw (PRX_SAMPLING_PATH_THREE_PASS, _GEOMETRY_SHADER, _BINNED), and PRX_GENERATOR_LISTS and _STENCIL."#;

/// What the file begins with, after the guard.
const PROLOGUE: &str = r#"#include <stdint.h>

// Enums have 32 bits in every language: in C their type is a name for uint32_t.
#ifdef __cplusplus
#define PRX_ENUM(name) enum name : uint32_t
extern "C" {
#else
#define PRX_ENUM(name) typedef uint32_t name; enum
#endif
"#;

const EPILOGUE: &str = r#"
#undef PRX_ENUM
#ifdef __cplusplus
}
#endif

#endif  // PROXEL_H
"#;

/// Columns of a line.
const WIDTH: usize = 128;

#[test]
fn the_committed_header_is_the_generated_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let generated = generate(root);
    let path = root.join("include/proxel.h");
    if std::env::var_os("PROXEL_BLESS").is_some() {
        std::fs::write(&path, &generated).expect("include/ is writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == generated,
        "include/proxel.h is out of date: run `PROXEL_BLESS=1 cargo test --test repository header` and commit it"
    );
}

/// Every function that can fail is called with each of its pointers null, by a table in the C++ tests.
#[test]
fn no_function_is_left_out_of_the_null_arguments() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(root.join(file)).expect("the file is there");
    let (header, table) = (
        read("include/proxel.h"),
        read("cpp-tests/null_arguments.cpp"),
    );
    let fallible = header
        .lines()
        .filter_map(|line| line.strip_prefix("PrxStatus ")?.split_once('('));
    let missing: Vec<&str> = fallible
        .map(|(name, _)| name)
        .filter(|name| !table.contains(&format!("\"{name}\"")))
        .collect();
    assert!(header.contains("PrxStatus prx_context_create("));
    assert!(
        missing.is_empty(),
        "cpp-tests/null_arguments.cpp has no row for {missing:?}"
    );
}

fn generate(root: &Path) -> String {
    let topics: Vec<Topic> = PARTS
        .iter()
        .flat_map(|part| part.2.iter().map(|file| Topic::read(root, *part, file)))
        .collect();
    let written = written_by_cbindgen(root, &topics);
    let (title, body) = written
        .split_once("#include <stdint.h>")
        .expect("cbindgen includes stdint.h");
    let body = with_enums(body);
    let items: Vec<Item> = body.split("\n\n").filter_map(Item::read).collect();
    let mut header = format!("{title}{PROLOGUE}");
    let mut placed = 0;
    for (at, topic) in topics.iter().enumerate() {
        if at == 0 || topics[at - 1].part != topic.part {
            let (part, text, _) = topic.part;
            let rule = "=".repeat(WIDTH - 3);
            let _ = write!(header, "\n/* {rule}\n * {part}{text}\n */\n");
        }
        topic.write(&mut header);
        for name in &topic.names {
            if let Some(item) = items.iter().find(|item| item.name == *name) {
                let _ = write!(header, "\n{}\n", item.text);
                placed += 1;
            }
        }
    }
    let strays = items
        .iter()
        .filter(|item| !topics.iter().any(|t| t.names.contains(&item.name)));
    let strays: Vec<&str> = strays.map(|item| item.name.as_str()).collect();
    assert!(strays.is_empty(), "no topic has {strays:?}");
    assert_eq!(placed, items.len());
    header + EPILOGUE
}

/// Rust holds an enum of the caller's as `EnumOf<PrxChoice>`, a number; in C it is the enum.
fn with_enums(body: &str) -> String {
    let mut parts = body.split("EnumOf<");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + &part.replacen('>', "", 1))
}

fn written_by_cbindgen(root: &Path, topics: &[Topic]) -> String {
    let mut config =
        cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml is valid");
    // Enums that no function takes would be left out.
    let names = topics.iter().flat_map(|topic| &topic.names);
    config.export.include = names.filter(|n| n.starts_with("Prx")).cloned().collect();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for topic in topics {
        builder = builder.with_src(&topic.path);
    }
    let mut written = Vec::new();
    builder
        .generate()
        .expect("the exports are C")
        .write(&mut written);
    String::from_utf8(written).expect("the header is UTF-8")
}

/// A file of `src/ffi/`.
struct Topic {
    part: Part,
    path: PathBuf,
    heading: String,
    text: Vec<String>,
    /// What it exports, in its order.
    names: Vec<String>,
}

impl Topic {
    fn read(root: &Path, part: Part, file: &str) -> Self {
        let path = root.join(format!("src/ffi/{file}.rs"));
        let source = std::fs::read_to_string(&path)
            .unwrap_or_else(|_| panic!("{} is readable", path.display()));
        let mut comment = source
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .map(|line| line.trim().to_owned());
        let heading = comment.next().unwrap_or_default();
        assert!(
            !heading.is_empty(),
            "{file}.rs says what it is about in its first line"
        );
        Self {
            part,
            heading: heading.trim_end_matches('.').to_owned(),
            text: comment.skip_while(|line| line.is_empty()).collect(),
            names: source.lines().filter_map(exported).collect(),
            path,
        }
    }

    fn write(&self, header: &mut String) {
        let _ = write!(
            header,
            "\n/* {}\n * {}\n",
            "-".repeat(WIDTH - 3),
            self.heading
        );
        if !self.text.is_empty() {
            header.push_str(" *\n");
        }
        for line in &self.text {
            let _ = writeln!(header, "{}", format!(" * {line}").trim_end());
        }
        header.push_str(" */\n");
    }
}

/// The name in a line that begins a public item.
fn exported(line: &str) -> Option<String> {
    let item = line.strip_prefix("pub ")?;
    let rest = [
        "struct ",
        "enum ",
        "type ",
        "const ",
        "extern \"C\" fn ",
        "unsafe extern \"C\" fn ",
    ]
    .iter()
    .find_map(|kind| item.strip_prefix(kind))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    Some(rest[..end].to_owned())
}

/// A declaration with its comment.
struct Item {
    name: String,
    text: String,
}

impl Item {
    /// None for what declares nothing: guards and `extern "C"`.
    fn read(chunk: &str) -> Option<Self> {
        let chunk = chunk.trim();
        let (comment, code): (Vec<&str>, Vec<&str>) = {
            let at = chunk.lines().position(|line| !line.starts_with("///"))?;
            let lines: Vec<&str> = chunk.lines().collect();
            (lines[..at].to_vec(), lines[at..].to_vec())
        };
        let words: Vec<&str> = code[0].split([' ', '(', ')', '*', ';']).collect();
        let (name, code) = match words[..] {
            ["#define", name, ..] => (name, code.join("\n")),
            ["enum", name, ..] => (name, enumeration(name, &code)),
            ["typedef", "struct", name, ..] => (name, code.join("\n")),
            // A function pointer: `typedef PrxVoidFn (*NAME)(...);`
            ["typedef", ..] => {
                let (_, name) = code[0].split_once("(*")?;
                (name.split(')').next()?, code.join("\n"))
            }
            _ => (
                *words.iter().find(|word| word.starts_with("prx_"))?,
                prototype(&code),
            ),
        };
        let comment: String = comment.iter().map(|line| format!("{line}\n")).collect();
        // Every type is declared before it is used, so its tag is not needed again.
        let code = code.replace("struct Prx", "Prx").replacen(
            &format!("typedef {name}"),
            &format!("typedef struct {name}"),
            1,
        );
        Some(Self {
            name: name.to_owned(),
            text: comment.replace("/// # Safety\n/// ", "/// Preconditions: ") + &code,
        })
    }
}

/// The members of an enum under the macro that declares it for C and C++.
fn enumeration(name: &str, code: &[&str]) -> String {
    let members = code
        .iter()
        .skip_while(|line| line.trim() != "{")
        .skip(1)
        .take_while(|line| !line.starts_with('}'));
    let members: String = members.map(|line| format!("{line}\n")).collect();
    format!("PRX_ENUM({name}) {{\n{members}}};")
}

/// A prototype in as few lines as it fits.
fn prototype(code: &[&str]) -> String {
    let joined: Vec<&str> = code.iter().map(|line| line.trim()).collect();
    let joined = joined.join(" ").replace("struct Prx", "Prx");
    let indent = joined.find('(').map_or(0, |at| at + 1);
    let (mut text, mut column) = (String::new(), 0);
    for argument in joined.split_inclusive(", ") {
        if column > 0 && column + argument.trim_end().len() > WIDTH {
            text.truncate(text.trim_end().len());
            text += &format!("\n{}", " ".repeat(indent));
            column = indent;
        }
        text += argument;
        column += argument.len();
    }
    text
}
