//! `include/proxel.h` is what cbindgen makes of the sources. To renew it: `PROXEL_BLESS=1 cargo test --test repository header`.

use std::path::Path;

#[test]
fn the_committed_header_is_the_generated_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config =
        cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml is valid");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in [
        "status",
        "version",
        "handles",
        "context",
        "info",
        "mesh",
        "batch",
        "field",
        "field_file",
        "field_sample",
        "exact",
        "scene",
        "cull",
        "overlap",
        "proximity",
        "penalty",
        "follower",
        "volume",
        "gradients",
        "sweep",
        "tracker",
        "tetrahedra",
        "hierarchy",
        "unity",
    ] {
        builder = builder.with_src(root.join(format!("src/ffi/{file}.rs")));
    }
    let mut generated = Vec::new();
    builder
        .generate()
        .expect("the exports are C")
        .write(&mut generated);
    let generated = String::from_utf8(generated).expect("the header is UTF-8");
    let generated = without_rust_headings(&generated);
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

/// Rustdoc's heading for the caller's duties reads oddly in C.
fn without_rust_headings(header: &str) -> String {
    header.replace("/// # Safety\n", "/// The caller's part:\n")
}
