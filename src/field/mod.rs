//! Signed distance fields: what they hold, how they are stored on the device and on disk.

pub mod bake;
pub mod columns;
pub mod data;
pub mod error;
pub mod file;
pub mod grid;
pub mod membrane;
pub mod nrrd;
pub mod request;
pub mod shape;
pub mod sides;
pub mod sparse;
pub mod texture;

use crate::error::Result;
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::Device;
use crate::gpu::staging::Staging;
use std::sync::{Arc, OnceLock};

/// A field: its samples on the host, and its textures on the device.
pub struct Field {
    /// The samples and what is known about them.
    pub data: data::FieldData,
    /// The textures.
    pub texture: texture::FieldTexture,
    columns: OnceLock<Arc<Buffer>>,
}

impl Field {
    /// Puts a field on its way to the device.
    pub fn new(device: &Arc<Device>, staging: &mut Staging, data: data::FieldData) -> Result<Self> {
        let texture = texture::FieldTexture::new(device, staging, &data)?;
        Ok(Self {
            data,
            texture,
            columns: OnceLock::new(),
        })
    }

    /// Where the body begins and ends along each axis, on its way to the device at the first call. A live field, whose body moves,
    /// has none.
    pub fn columns(
        &self,
        device: &Arc<Device>,
        staging: &mut Staging,
    ) -> Result<Option<Arc<Buffer>>> {
        if self.data.band.is_finite() {
            return Ok(None);
        }
        if let Some(buffer) = self.columns.get() {
            return Ok(Some(buffer.clone()));
        }
        let bytes = columns::bytes(self.data.grid.nodes);
        let buffer = Arc::new(Buffer::new(
            device,
            Role::Device,
            bytes,
            "the field's columns",
        )?);
        let columns = columns::of_body(&self.data);
        staging.upload(device, &buffer, 0, bytes, |out| {
            out.copy_from_slice(bytemuck::cast_slice(&columns))
        })?;
        Ok(Some(self.columns.get_or_init(|| buffer).clone()))
    }
}
