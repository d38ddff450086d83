//! `include/proxel.h` in Rust, as the build script writes it down.
#![allow(dead_code, non_camel_case_types, missing_docs, clippy::all)]

include!(concat!(env!("OUT_DIR"), "/native.rs"));
