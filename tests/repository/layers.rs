//! Imports go one way: ffi -> context -> query -> scene, field, geometry, gpu; and geometry and gpu do not know each
//! other. Inside geometry, the folders form no cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Each layer and the layers it may import. `error`, `interrupt`, `log` and `memory` are for all.
const ALLOWED: &[(&str, &[&str])] = &[
    (
        "ffi",
        &[
            "ffi",
            "context",
            "query",
            "scene",
            "field",
            "geometry",
            "gpu",
            "allocator",
            "jobs",
            "workers",
            "error",
            "interrupt",
            "lock",
            "log",
            "memory",
            "panics",
        ],
    ),
    (
        "context",
        &[
            "context",
            "query",
            "scene",
            "field",
            "geometry",
            "gpu",
            "workers",
            "error",
            "interrupt",
            "lock",
            "log",
            "memory",
            "panics",
            "zones",
        ],
    ),
    (
        "query",
        &[
            "query",
            "scene",
            "field",
            "geometry",
            "gpu",
            "host",
            "workers",
            "error",
            "interrupt",
            "lock",
            "log",
            "memory",
            "panics",
            "zones",
        ],
    ),
    (
        "scene",
        &[
            "scene",
            "geometry",
            "gpu",
            "error",
            "interrupt",
            "lock",
            "log",
            "memory",
        ],
    ),
    (
        "field",
        &[
            "field",
            "geometry",
            "gpu",
            "error",
            "interrupt",
            "lock",
            "log",
            "memory",
        ],
    ),
    ("geometry", &["geometry", "error", "interrupt", "memory"]),
    (
        "gpu",
        &[
            "gpu",
            "allocator",
            "workers",
            "error",
            "interrupt",
            "lock",
            "log",
            "memory",
            "panics",
        ],
    ),
    ("host", &["host", "geometry", "gpu", "interrupt", "memory"]),
    ("allocator", &[]),
    ("error", &[]),
    ("interrupt", &["error"]),
    ("jobs", &["lock", "panics"]),
    ("lock", &["error", "interrupt"]),
    ("log", &["lock"]),
    ("memory", &["error", "interrupt"]),
    ("panics", &["error", "lock", "workers"]),
    ("workers", &["error", "interrupt", "jobs", "lock", "panics"]),
    ("zones", &[]),
];

#[test]
fn no_import_goes_backwards() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for (layer, allowed) in ALLOWED {
        for (file, text) in sources(&src, layer) {
            for target in imports(&text, "crate::") {
                seen += 1;
                assert!(
                    allowed.contains(&target.as_str()),
                    "{file}: {layer} must not import {target}"
                );
            }
        }
    }
    assert!(
        seen > 50,
        "only {seen} imports found: the test does not see the sources"
    );
}

#[test]
fn only_gpu_names_vulkan() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (layer, _) in ALLOWED.iter().filter(|(layer, _)| *layer != "gpu") {
        for (file, text) in sources(&src, layer) {
            let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
            for line in code {
                assert!(
                    !names(line, "ash::") && !names(line, "vk::"),
                    "{file} names Vulkan: {line}"
                );
            }
        }
    }
}

/// The folders of geometry, and the files beside them, import each other in one direction only.
#[test]
fn geometry_has_no_cycle_between_its_folders() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/geometry");
    let mut left: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in fs::read_dir(&src).expect("geometry is there").flatten() {
        let name = entry.file_name().to_string_lossy().replace(".rs", "");
        let uses = sources(&src, &name)
            .into_iter()
            .filter(|(file, _)| !file.ends_with("tests.rs") && name != "extremes")
            .flat_map(|(_, text)| imports(&text, "crate::geometry::"))
            .filter(|target| *target != name);
        left.insert(name.clone(), uses.collect());
    }
    assert!(
        left.values().flatten().count() > 30,
        "the test does not see the imports: {left:?}"
    );
    // What imports nothing that is left can be taken away; a cycle stays.
    while let Some(free) = left
        .iter()
        .find(|(_, uses)| !uses.iter().any(|target| left.contains_key(target)))
        .map(|(name, _)| name.clone())
    {
        left.remove(&free);
    }
    assert!(
        left.is_empty(),
        "these import each other in a cycle: {left:?}"
    );
}

/// Whether a path starts with `module`, and not with a longer word that ends like it.
fn names(line: &str, module: &str) -> bool {
    line.match_indices(module).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// The Rust files of a layer, a folder or a single file, with their text.
pub(crate) fn sources(src: &Path, layer: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![src.join(layer)];
    let single = src.join(format!("{layer}.rs"));
    let mut files = if single.exists() {
        vec![single]
    } else {
        Vec::new()
    };
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path)
            } else {
                files.push(path)
            }
        }
    }
    for path in files {
        let text = fs::read_to_string(&path).expect("sources are readable");
        found.push((path.display().to_string(), text));
    }
    found
}

/// The modules behind every `path`, outside of tests.
fn imports(text: &str, path: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let word = |rest: &str| {
        rest.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    code.split(path).skip(1).map(word).collect()
}
