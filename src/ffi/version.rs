//! Versions

use std::ffi::c_char;

/// The library's major version.
pub const PRX_VERSION_MAJOR: u32 = 0;
/// The library's minor version.
pub const PRX_VERSION_MINOR: u32 = 1;
/// The library's patch version.
pub const PRX_VERSION_PATCH: u32 = 0;
/// The ABI's version: programs and libraries of the same number fit together. It is in the soname too.
pub const PRX_ABI_VERSION: u32 = 1;

/// The version of the library that is loaded: major * 1000000 + minor * 1000 + patch.
#[unsafe(no_mangle)]
pub extern "C" fn prx_version() -> u32 {
    PRX_VERSION_MAJOR * 1_000_000 + PRX_VERSION_MINOR * 1000 + PRX_VERSION_PATCH
}

/// The version of the library that is loaded, such as "0.1.0". Never null.
#[unsafe(no_mangle)]
pub extern "C" fn prx_version_string() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The ABI version of the library that is loaded; compare it with PRX_ABI_VERSION.
#[unsafe(no_mangle)]
pub extern "C" fn prx_abi_version() -> u32 {
    PRX_ABI_VERSION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_versions_agree() {
        let header = format!("{PRX_VERSION_MAJOR}.{PRX_VERSION_MINOR}.{PRX_VERSION_PATCH}");
        assert_eq!(header, env!("CARGO_PKG_VERSION"));
        assert_eq!(PRX_ABI_VERSION.to_string(), env!("PROXEL_ABI_VERSION"));
    }
}
