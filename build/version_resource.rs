//! The version resource of the DLL: what Windows shows under Properties, and what installers compare.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Compiles the resource with binutils' windres, which comes with MinGW's linker, and links it into the DLL. A toolchain
/// without windres makes a DLL without the resource, and says so.
pub fn link_into_dll(out: &Path) {
    println!("cargo:rerun-if-env-changed=WINDRES");
    let text = resource(&env::var("CARGO_PKG_VERSION").expect("cargo sets the version"));
    let (source, object) = (out.join("version.rc"), out.join("version.o"));
    fs::write(&source, text).expect("OUT_DIR is writable");
    let windres = env::var("WINDRES").unwrap_or_else(|_| "x86_64-w64-mingw32-windres".into());
    let made = Command::new(&windres).arg(&source).arg(&object).status();
    if made.is_ok_and(|status| status.success()) {
        println!("cargo:rustc-cdylib-link-arg={}", object.display());
    } else {
        println!("cargo:warning={windres} does not run: proxel.dll gets no version resource");
    }
}

/// 040904b0: English, UTF-16. 0x40004: Windows; 2: a DLL.
fn resource(version: &str) -> String {
    let numbers = version.replace('.', ",");
    let description = "Collision and proximity queries for deforming meshes";
    format!(
        r#"1 VERSIONINFO
FILEVERSION {numbers},0
PRODUCTVERSION {numbers},0
FILEFLAGSMASK 0x3f
FILEOS 0x40004
FILETYPE 2
BEGIN
  BLOCK "StringFileInfo"
  BEGIN
    BLOCK "040904b0"
    BEGIN
      VALUE "CompanyName", "The Proxel authors"
      VALUE "FileDescription", "{description}"
      VALUE "FileVersion", "{version}"
      VALUE "InternalName", "proxel"
      VALUE "LegalCopyright", "MIT OR Apache-2.0"
      VALUE "OriginalFilename", "proxel.dll"
      VALUE "ProductName", "Proxel"
      VALUE "ProductVersion", "{version}"
    END
  END
  BLOCK "VarFileInfo"
  BEGIN
    VALUE "Translation", 0x409, 1200
  END
END
"#
    )
}
