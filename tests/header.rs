//! `include/proxel.h` is what cbindgen makes of the sources. To renew it: `PROXEL_BLESS=1 cargo test --test header`.

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
        "sweep",
        "tracker",
        "tetrahedra",
        "hierarchy",
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
        "include/proxel.h is out of date: run `PROXEL_BLESS=1 cargo test --test header` and commit it"
    );
}

/// Rustdoc's heading for the caller's duties reads oddly in C.
fn without_rust_headings(header: &str) -> String {
    header.replace("/// # Safety\n", "/// The caller's part:\n")
}
