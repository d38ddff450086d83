//! What holds of the repository as text: generated files, layers, versions, the pages.

mod abi;
mod c_header;
#[path = "../../cpp-tests/fuzz/generator/calls.rs"]
mod calls;
mod csharp;
mod fuzzer;
mod header;
mod layers;
mod names;
mod pages;
mod papers;
#[path = "../../cpp-tests/fuzz/generator/roles.rs"]
mod roles;
mod versions;
