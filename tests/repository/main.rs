//! What holds of the repository as text: generated files, layers, versions, the README.

mod c_header;
mod csharp;
mod header;
mod layers;
mod readme;
mod versions;
