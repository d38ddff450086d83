//! Layers: the layered depth image of a mesh itself, or the stretches of its rays where it collides with itself.
//!
//! A ray through a closed mesh that does not intersect itself enters and leaves in turn. Where it enters twice before it leaves,
//! the mesh is folded into itself; where it leaves first, it is inside out there (Heidelberger et al. 2004, as told by
//! Teschner et al. 2005, section 6).

use super::ldi::{Ldi, LdiOptions, Rays, Summary, shared_groups};
use crate::error::{Error, Result, invalid};
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::Device;
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use std::sync::Arc;

/// Which stretches of the rays are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stretches {
    /// Those inside the mesh.
    Inside,
    /// Those that the mesh winds around more than once, or backwards.
    Folds,
}

/// A stretch of a ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layer {
    /// Column and row of the ray.
    pub pixel: [u32; 2],
    /// Where it starts and ends, in the world.
    pub ends: [DVec3; 2],
    /// The triangle at its start and the one at its end, in the caller's order.
    pub triangles: [u32; 2],
    /// How often the mesh winds around it: the number farthest from zero.
    pub winding: i32,
}

/// Stretches of parallel rays, by rows, columns and depth.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// Columns and rows of rays. Outside them the outermost are a border around the mesh's box.
    pub size: [u32; 2],
    /// The axis of the world that the rays run along.
    pub axis: u32,
    /// Where the ray of column and row zero is at depth zero, in the world.
    pub origin: DVec3,
    /// Distance of neighbouring columns and of neighbouring rows.
    pub spacing: [f64; 2],
    /// The stretches.
    pub layers: Vec<Layer>,
    /// Rays on which parity and signed crossings disagree.
    pub flawed: u32,
}

/// What `layers.comp` writes.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Record {
    from: f32,
    to: f32,
    enters: u32,
    leaves: u32,
    winding: i32,
    pixel: u32,
}

/// What `layers.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct LayersPush {
    capacity: u32,
    room: u32,
    folds: u32,
}

/// What `offsets.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct OffsetsPush {
    capacity: u32,
}

/// Where the layers start, after the summary.
const HEADER: u64 = (size_of::<Summary>() as u64).next_multiple_of(32);

/// A planned layers query.
pub(crate) struct LayersQuery {
    mesh: Arc<Mesh>,
    stretches: Stretches,
    ldi: Ldi,
    offsets: Buffer,
    layers: Buffer,
    room: u32,
}

impl LayersQuery {
    /// `room` is how many stretches can be answered.
    pub(crate) fn plan(
        device: &Arc<Device>,
        mesh: (Arc<Mesh>, Pose),
        stretches: Stretches,
        options: LdiOptions,
        room: u32,
    ) -> Result<Self> {
        if options.rays == Rays::All {
            return Err(invalid(
                "a layered depth image has rays along one axis; choose it, or the best",
            ));
        }
        let room = room.max(1);
        let bytes = u64::from(room) * size_of::<Record>() as u64;
        device.check_storage(bytes, "layers", "ask for less room, or fewer rays")?;
        let ldi = Ldi::plan(device, vec![mesh.clone()], options, false)?;
        let places = 4 * u64::from(ldi.pixels());
        Ok(Self {
            mesh: mesh.0,
            stretches,
            offsets: Buffer::new(device, Role::Device, places, "places of layers")?,
            layers: Buffer::new(device, Role::Device, bytes, "layers")?,
            ldi,
            room,
        })
    }

    pub(crate) fn result_bytes(&self) -> u64 {
        HEADER + u64::from(self.room) * size_of::<Record>() as u64
    }

    pub(crate) fn record(
        &self,
        recorder: &mut Recorder,
        results: &Buffer,
        offset: u64,
    ) -> Result<()> {
        let ldi = &self.ldi;
        recorder.barrier(Access::Any, Access::Transfer);
        recorder.fill(&self.offsets, 0, self.offsets.size, 0);
        ldi.record(recorder, ldi.axis(), true)?;
        let push = LayersPush {
            capacity: ldi.capacity(),
            room: self.room,
            folds: (self.stretches == Stretches::Folds).into(),
        };
        let (slots, texel) = ldi.slots();
        let mut bound = [&ldi.summary, &ldi.heads, &ldi.nodes, &self.offsets]
            .map(Bound::Buffer)
            .to_vec();
        bound.extend(slots);
        let [count, write] = kernels(texel);
        let groups = shared_groups(write, ldi.pixels());
        recorder.dispatch(count, &bound, &push, groups)?;
        bound.push(Bound::Buffer(&self.layers));
        recorder.barrier(Access::Compute, Access::Compute);
        let places = [&ldi.summary, &self.offsets].map(Bound::Buffer);
        recorder.dispatch(
            &shader::OFFSETS,
            &places,
            &OffsetsPush {
                capacity: ldi.capacity(),
            },
            [1, 1, 1],
        )?;
        recorder.barrier(Access::Compute, Access::Compute);
        recorder.dispatch(write, &bound, &push, groups)?;
        recorder.barrier(Access::Compute, Access::Transfer);
        recorder.copy(
            &ldi.summary,
            0,
            results,
            offset,
            size_of::<Summary>() as u64,
        );
        recorder.copy(
            &self.layers,
            0,
            results,
            offset + HEADER,
            self.result_bytes() - HEADER,
        );
        Ok(())
    }

    pub(crate) fn answer(&self, bytes: &[u8]) -> Result<Layers> {
        let summary: Summary = bytemuck::pod_read_unaligned(&bytes[..size_of::<Summary>()]);
        self.ldi.check_room(&summary)?;
        let found = summary.layers_found;
        if found > self.room {
            return Err(Error::BufferTooSmall {
                what: "layers",
                given: self.room.into(),
                needed: found.into(),
            });
        }
        let bytes = &bytes[HEADER as usize..HEADER as usize + found as usize * size_of::<Record>()];
        let frame = &summary.frame;
        let records: Vec<Record> = bytemuck::pod_collect_to_vec(bytes);
        let order = &self.mesh.clusters.order;
        let layers = records.iter().map(|record| {
            let (column, row) = (record.pixel % frame.width, record.pixel / frame.width);
            let at = |w: f32| frame.world(DVec3::new(column.into(), row.into(), w.into()));
            Layer {
                pixel: [column, row],
                ends: [at(record.from), at(record.to)],
                triangles: [record.enters, record.leaves].map(|t| order[t as usize]),
                winding: record.winding,
            }
        });
        let cell = frame.cell();
        Ok(Layers {
            size: [frame.width, frame.height],
            axis: frame.axis,
            origin: frame.world(DVec3::ZERO),
            spacing: [cell.x, cell.y],
            layers: layers.collect(),
            flawed: summary.flawed[0],
        })
    }
}

/// The kernel that counts stretches and the one that writes them.
fn kernels(texel: bool) -> [&'static Shader; 2] {
    if texel {
        [&shader::LAYERS_COUNT_TEXEL, &shader::LAYERS_WRITE_TEXEL]
    } else {
        [&shader::LAYERS_COUNT_STORAGE, &shader::LAYERS_WRITE_STORAGE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree() {
        for kernel in [true, false].into_iter().flat_map(kernels) {
            assert_layout!(
                kernel,
                "LayersPush",
                LayersPush {
                    capacity,
                    room,
                    folds
                }
            );
        }
        assert_layout!(
            shader::LAYERS_WRITE_TEXEL,
            "Layer",
            Record {
                from,
                to,
                enters,
                leaves,
                winding,
                pixel
            }
        );
        assert_layout!(shader::OFFSETS, "OffsetsPush", OffsetsPush { capacity });
    }
}
