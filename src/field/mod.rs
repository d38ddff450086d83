//! Signed distance fields: what they hold, how they are stored on the device and on disk.

pub mod bake;
pub mod data;
pub mod embedding;
pub mod error;
pub mod file;
pub mod grid;
pub mod membrane;
pub mod nrrd;
pub mod request;
pub mod rim;
pub mod shape;
pub mod sides;
pub mod sparse;
pub mod texture;

use crate::error::Result;
use crate::gpu::device::Device;
use crate::gpu::staging::Staging;
use std::sync::Arc;

/// A field: its samples on the host, and its textures on the device.
pub struct Field {
    /// The samples and what is known about them.
    pub data: data::FieldData,
    /// The textures.
    pub texture: texture::FieldTexture,
}

impl Field {
    /// Puts a field on its way to the device.
    pub fn new(device: &Arc<Device>, staging: &mut Staging, data: data::FieldData) -> Result<Self> {
        let texture = texture::FieldTexture::new(device, staging, &data)?;
        Ok(Self { data, texture })
    }
}
