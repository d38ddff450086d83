//! What queries are about: meshes and where they are.

pub mod hierarchy;
pub mod image;
pub mod mesh;
mod mesh_buffers;
pub mod objects;
pub mod on_demand;
pub mod pose;
pub mod slots;
