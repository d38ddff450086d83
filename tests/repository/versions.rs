//! One version everywhere: Cargo.toml has it.

use std::path::Path;

/// The text between `before` and the next quote, in a file of the tree.
fn quoted(file: &str, before: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(&path).expect(file);
    let (_, rest) = text
        .split_once(before)
        .unwrap_or_else(|| panic!("{file} does not say {before}"));
    rest.split('"').next().unwrap_or_default().to_owned()
}

#[test]
fn every_package_file_has_the_version_of_the_crate() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, before) in [
        ("bindings/unity/package.json", "\"version\": \""),
        ("packaging/vcpkg/proxel/vcpkg.json", "\"version\": \""),
        ("bindings/godot/Cargo.toml", "version = \""),
        (
            "bindings/unreal/Proxel/Proxel.uplugin",
            "\"VersionName\": \"",
        ),
    ] {
        assert_eq!(quoted(file, before), version, "{file}");
    }
    let header =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("include/proxel.h"))
            .expect("there is a header");
    let defined = |name: &str| {
        let line = header.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().trim().to_owned()
    };
    let parts: Vec<String> = ["MAJOR", "MINOR", "PATCH"]
        .iter()
        .map(|part| defined(&format!("#define PRX_VERSION_{part}")))
        .collect();
    assert_eq!(parts.join("."), version, "include/proxel.h");
    // Unreal stages the library under its soname too.
    let abi = quoted(
        "bindings/unreal/Proxel/Source/Proxel/Proxel.Build.cs",
        "library + \".",
    );
    assert_eq!(abi, defined("#define PRX_ABI_VERSION"), "Proxel.Build.cs");
}
