//! One name, one meaning: no type name is defined twice in `src/`. What the build generates from shaders is in modules of its
//! own (`shader::kernels`, `shader::blocks`), carries the names of the GLSL, and is not looked at; nor are the native twins of kernels in
//! `host/`, each of which has the names of its shader for itself.

use crate::layers::sources;
use std::collections::BTreeMap;
use std::path::Path;

/// Names that may be defined again, and why.
const REPEATED: &[(&str, &str)] = &[("Step", "the steps of each query: `Query::Step`")];

#[test]
fn no_type_name_is_defined_twice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut defined: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in sources(root, "src") {
        if file.contains("/src/host/") {
            continue;
        }
        for line in text.lines() {
            if let Some(name) = type_name(line) {
                defined.entry(name).or_default().push(file.clone());
            }
        }
    }
    assert!(
        defined.len() > 300,
        "only {} types found: the test does not see the sources",
        defined.len()
    );
    for (name, why) in REPEATED {
        let files = defined.remove(*name).unwrap_or_default();
        assert!(files.len() > 1, "{name} is not repeated ({why})");
    }
    defined.retain(|_, files| files.len() > 1);
    assert!(
        defined.is_empty(),
        "one name, two meanings; rename by what each is: {defined:#?}"
    );
}

/// The name that a line defines: of a struct, enum, union, trait or alias, but not of an associated type.
fn type_name(line: &str) -> Option<String> {
    let mut words = line.split_whitespace().peekable();
    words.next_if(|word| word.starts_with("pub"));
    words.next_if(|word| word.ends_with(")")); // the rest of `pub(in crate::geometry)`
    words.next_if(|word| *word == "unsafe");
    let keyword = words.next()?;
    let defines = match keyword {
        "struct" | "enum" | "union" | "trait" => true,
        "type" => !line.starts_with(' '),
        _ => false,
    };
    let name = words.next().filter(|_| defines)?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some(name[..end.unwrap_or(name.len())].to_owned())
}
