//! A field on the device. Partner: `shaders/include/field.glsl`.

use super::data::{Bricks, FieldData, Precision, Samples, Storage};
use crate::error::Result;
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::charge::MemoryKind;
use crate::gpu::device::Device;
use crate::gpu::image::{Image, Voxel};
use crate::gpu::recorder::{Bound, Recorder, Texture};
use crate::gpu::shader::blocks::FieldParams;
use crate::gpu::shader::kernels::{FieldBindings, FieldSampling};
use crate::gpu::staging::Staging;
use crate::memory;
use bytemuck::Zeroable;
use half::f16;
use std::sync::Arc;

impl FieldParams {
    /// The field's own error bound, widened by what sampling on `device` adds: the filter's steps between voxels and its rounding
    /// of values, and the rounding of positions, weights and values in f32.
    pub fn of(data: &FieldData, device: &Arc<Device>) -> Result<Self> {
        let measured = device.filter(voxel_of(data))?;
        let (origin, cell) = (data.grid.origin, data.grid.spacing);
        let unit = f32::EPSILON;
        let extent = data.grid.domain().size().length();
        let farthest = origin.length() + extent;
        // A position is off by a few roundings of itself and of the origin; a value by those of eight weighted corners,
        // none larger than the domain or, far inside it, than the largest distance, which the domain also bounds.
        let rounding = 8.0 * unit * data.lipschitz;
        let own = rounding * farthest + 16.0 * unit * extent;
        let filter = |cell: f32| data.lipschitz * 3f32.sqrt() * cell * measured.step;
        let sampling = own + filter(cell) + measured.rounding * extent;
        let mut params = Self {
            origin: origin.to_array(),
            cell,
            nodes: data.grid.nodes.to_array(),
            bricks: data.brick_count().to_array(),
            brick_cells: data.brick_cells(),
            error: data.error() + sampling,
            rounding,
            band: data.band,
            outside: data.outside as u32,
            sampling,
            ..Self::zeroed()
        };
        if let Samples::Sparse(bricks) = &data.samples {
            params.atlas = atlas_bricks(bricks, device);
            params.coarse_filter = filter(cell * bricks.cells as f32);
            params.error += params.coarse_filter;
        }
        Ok(params)
    }
}

/// The textures of a field.
enum Textures {
    Direction(Arc<Image>),
    Distance(Arc<Image>),
    Sparse {
        atlas: Arc<Image>,
        coarse: Arc<Image>,
        table: Arc<Buffer>,
    },
}

/// A field on the device.
pub struct FieldTexture {
    params: Arc<Buffer>,
    textures: Textures,
}

impl FieldTexture {
    /// Puts a field on its way to the device.
    pub fn new(device: &Arc<Device>, staging: &mut Staging, data: &FieldData) -> Result<Self> {
        let params = FieldParams::of(data, device)?;
        let errors: &[u8] = bytemuck::cast_slice(&data.errors);
        let size = (size_of::<FieldParams>() + errors.len()) as u64;
        let buffer = Buffer::new(device, Role::Device, size, "field parameters")?;
        let buffer = Arc::new(buffer.for_kind(MemoryKind::Field));
        staging.upload(device, &buffer, 0, size, |out| {
            let (head, tail) = out.split_at_mut(size_of::<FieldParams>());
            head.copy_from_slice(bytemuck::bytes_of(&params));
            tail.copy_from_slice(errors);
        })?;
        let half = data.precision == Precision::Half;
        let mut scalars = |size: [u32; 3], values: &[f32], what: &str| -> Result<Arc<Image>> {
            let image = Arc::new(Image::new(device, voxel_of(data), size, what)?);
            staging.upload_image(device, &image, |out| {
                write_floats(out, values.iter().copied(), half)
            })?;
            Ok(image)
        };
        let textures = match &data.samples {
            Samples::Dense {
                distances,
                directions: None,
            } => Textures::Distance(scalars(data.grid.nodes.to_array(), distances, "the field")?),
            Samples::Dense {
                distances,
                directions: Some(directions),
            } => {
                let image = Arc::new(Image::new(
                    device,
                    voxel_of(data),
                    data.grid.nodes.to_array(),
                    "the field",
                )?);
                // Outwards on both sides of the surface: directions towards it are opposite there, and would cancel out
                // between two nodes.
                let values = directions.iter().zip(distances).flat_map(|(n, d)| {
                    let n = if *d < 0.0 { *n } else { -*n };
                    [n.x, n.y, n.z, *d]
                });
                staging.upload_image(device, &image, |out| write_floats(out, values, half))?;
                Textures::Direction(image)
            }
            Samples::Sparse(bricks) => {
                let atlas = scalars(
                    params.atlas.map(|n| n * (bricks.cells + 1)),
                    &arranged(bricks, params.atlas),
                    "the field's bricks",
                )?;
                let coarse = scalars(
                    (bricks.count + 1).to_array(),
                    &bricks.coarse,
                    "the field's coarse grid",
                )?;
                let slots: &[u8] = bytemuck::cast_slice(&bricks.table);
                let bytes = slots.len() as u64;
                let table = Buffer::new(device, Role::Device, bytes, "the field's table")?;
                let table = Arc::new(table.for_kind(MemoryKind::Field));
                staging.upload(device, &table, 0, bytes, |out| out.copy_from_slice(slots))?;
                Textures::Sparse {
                    atlas,
                    coarse,
                    table,
                }
            }
        };
        Ok(Self {
            params: buffer,
            textures,
        })
    }

    /// Records a copy of new distances at every node, from a buffer on the device, into a field of distances.
    pub fn record_update(&self, recorder: &mut Recorder, distances: &Buffer) {
        if let Textures::Distance(image) = &self.textures {
            recorder.copy_to_image(distances, image);
        }
    }

    /// What shaders that sample the field bind.
    pub fn bindings(&self) -> FieldBindings<'_> {
        FieldBindings {
            parameters: Bound::part(&self.params, 0, size_of::<FieldParams>() as u64, None),
            errors: Bound::whole(&self.params),
            sampling: match &self.textures {
                Textures::Direction(image) => FieldSampling::Direction {
                    texture: Texture::Sampled(image),
                },
                Textures::Distance(image) => FieldSampling::Distance {
                    texture: Texture::Sampled(image),
                },
                Textures::Sparse {
                    atlas,
                    coarse,
                    table,
                } => FieldSampling::Sparse {
                    atlas: Texture::Sampled(atlas),
                    coarse: Texture::Sampled(coarse),
                    table: Bound::whole(table),
                },
            },
        }
    }

    /// Bytes on the device.
    pub fn bytes(&self) -> u64 {
        self.params.size
            + match &self.textures {
                Textures::Direction(image) | Textures::Distance(image) => image.bytes(),
                Textures::Sparse {
                    atlas,
                    coarse,
                    table,
                } => atlas.bytes() + coarse.bytes() + table.size,
            }
    }
}

fn voxel_of(data: &FieldData) -> Voxel {
    voxel(data.precision, data.storage() == Storage::Direction)
}

/// What the voxels of a field's textures hold.
pub fn voxel(precision: Precision, directions: bool) -> Voxel {
    match (precision == Precision::Half, directions) {
        (true, true) => Voxel::F16x4,
        (true, false) => Voxel::F16,
        (false, true) => Voxel::F32x4,
        (false, false) => Voxel::F32,
    }
}

fn write_floats(out: &mut [u8], values: impl Iterator<Item = f32>, half: bool) {
    if half {
        for (out, value) in out.chunks_exact_mut(2).zip(values) {
            out.copy_from_slice(&f16::from_f32(value).to_le_bytes());
        }
    } else {
        for (out, value) in out.chunks_exact_mut(4).zip(values) {
            out.copy_from_slice(&value.to_le_bytes());
        }
    }
}

/// The bricks of an atlas along each axis: as few as hold all, each side within the device's limit.
fn atlas_bricks(bricks: &Bricks, device: &Device) -> [u32; 3] {
    let used = bricks.kept().max(1) as u32;
    let most = device.limits().max_texture_3d / (bricks.cells + 1);
    let side = (f64::from(used).cbrt().ceil() as u32).clamp(1, most);
    [
        side,
        side.min(used.div_ceil(side)),
        used.div_ceil(side * side.min(used.div_ceil(side))),
    ]
}

/// The bricks' samples where the atlas has them, x fastest over the whole atlas.
fn arranged(bricks: &Bricks, atlas: [u32; 3]) -> Vec<f32> {
    let side = bricks.cells as usize + 1;
    let [ax, ay, az] = atlas.map(|n| n as usize);
    let mut out = memory::filled(0.0, ax * ay * az * side * side * side);
    for (slot, brick) in bricks.fine.chunks_exact(bricks.brick_len()).enumerate() {
        let place = [slot % ax, (slot / ax) % ay, slot / (ax * ay)];
        for (row, values) in brick.chunks_exact(side).enumerate() {
            let (j, k) = (row % side, row / side);
            let first = place[0] * side
                + ax * side * (place[1] * side + j + ay * side * (place[2] * side + k));
            out[first..first + side].copy_from_slice(values);
        }
    }
    out
}
