//! What holds of the repository as text: generated files, layers, versions, the README.

mod abi;
mod c_header;
#[path = "../../cpp-tests/fuzz/generator/calls.rs"]
mod calls;
mod csharp;
mod fuzzer;
mod header;
mod layers;
mod names;
mod papers;
mod readme;
#[path = "../../cpp-tests/fuzz/generator/roles.rs"]
mod roles;
mod versions;
