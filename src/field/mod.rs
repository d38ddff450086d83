//! Signed distance fields: what they hold, how they are stored on the device and on disk.

pub mod bake;
pub mod columns;
pub mod contour;
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
use crate::gpu::charge::MemoryKind;
use crate::gpu::device::Device;
use crate::gpu::shader::kernels::FieldBindings;
use crate::gpu::staging::Staging;
use std::sync::{Arc, OnceLock};

/// A field: its samples on the host, and its textures on the device.
pub struct Field {
    /// The samples and what is known about them.
    pub data: data::FieldData,
    /// The textures.
    pub texture: texture::FieldTexture,
    /// What the host has in their place beside another device, from the first query that runs there on.
    host: OnceLock<texture::FieldTexture>,
    columns: OnceLock<Arc<Buffer>>,
}

impl Field {
    /// Puts a field on its way to the device.
    pub fn new(device: &Arc<Device>, staging: &mut Staging, data: data::FieldData) -> Result<Self> {
        let texture = texture::FieldTexture::new(device, staging, &data)?;
        Ok(Self {
            data,
            texture,
            host: OnceLock::new(),
            columns: OnceLock::new(),
        })
    }

    /// What kernels on a device bind of it.
    pub(crate) fn bindings(&self, device: &Device) -> FieldBindings<'_> {
        match self.host.get() {
            Some(host) if device.is_host() => host.bindings(),
            _ => self.texture.bindings(),
        }
    }

    /// Whether kernels bake it anew while it is used: its samples are on the device only.
    pub fn is_live(&self) -> bool {
        self.data.band.is_finite()
    }

    /// Sees that the host, beside its own device, has it too.
    pub(crate) fn copy_to_host(&self, host: &Arc<Device>, staging: &mut Staging) -> Result<()> {
        if self.host.get().is_none() {
            let texture = texture::FieldTexture::new(host, staging, &self.data)?;
            let _ = self.host.set(texture);
        }
        Ok(())
    }

    /// Where the body begins and ends along each axis, on its way to the device at the first call. A live field, whose body moves,
    /// has none.
    pub fn columns(
        &self,
        device: &Arc<Device>,
        staging: &mut Staging,
    ) -> Result<Option<Arc<Buffer>>> {
        if self.is_live() {
            return Ok(None);
        }
        if let Some(buffer) = self.columns.get() {
            return Ok(Some(buffer.clone()));
        }
        let bytes = columns::bytes(self.data.grid.nodes);
        let buffer = Buffer::new(device, Role::Device, bytes, "the field's columns")?;
        let buffer = Arc::new(buffer.for_kind(MemoryKind::Field));
        let columns = columns::of_body(&self.data);
        staging.upload(device, &buffer, 0, bytes, |out| {
            out.copy_from_slice(bytemuck::cast_slice(&columns))
        })?;
        Ok(Some(self.columns.get_or_init(|| buffer).clone()))
    }
}
