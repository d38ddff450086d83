//! Layers: the layered depth image of a mesh itself, the stretches of its rays where it collides with itself, or those inside another mesh
//! too, which are what both share (Heidelberger et al. 2003, section 2.3).
//!
//! A ray through a closed mesh that does not intersect itself enters and leaves in turn. Where it enters twice before it leaves,
//! the mesh is folded into itself; where it leaves first, it is inside out there (Heidelberger et al. 2004, as described by
//! Teschner et al. 2005, section 6).

use super::clusters::Refits;
use super::ldi::{Ldi, LdiOptions, Rays, Stage, Step, Use, shared_groups};
use super::output::{OutputArray, OutputPlace};
use super::workspace::{Memory, Place};
use super::{Query, Resources};
use crate::error::{Error, Result, invalid};
use crate::gpu::buffer::Buffer;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::blocks::{
    self, LayerRecord, LayersOutputPush, LayersPush, OffsetsPush, SharedLayersPush,
};
use crate::gpu::shader::kernels::{self, LayersPass, SharedLayersPass};
use crate::gpu::share::groups_of;
use crate::memory::{self, Gather};
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use glam::DVec3;
use std::sync::Arc;

/// Which stretches of the rays are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stretches {
    /// Those inside the mesh.
    Inside,
    /// Those that the mesh winds around more than once, or backwards.
    SelfOverlaps,
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
    /// Which mesh each of them is of.
    pub meshes: [u32; 2],
    /// How often the mesh winds around it, or the product for two: the number farthest from zero.
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

/// How the rays are read.
#[derive(Debug, Clone, Copy)]
pub enum ReadLayers {
    /// Counts the stretches of each ray.
    Count,
    /// Adds up the counts: where each ray's stretches start.
    Offsets,
    /// Writes the stretches.
    Write,
}

/// Of a triangle in cluster order: it is of the second mesh.
const SECOND: u32 = 1 << 31;

/// A planned layers query.
pub struct LayersQuery {
    meshes: Vec<Arc<Mesh>>,
    /// None for those that two meshes share.
    stretches: Option<Stretches>,
    ldi: Ldi,
    room: u32,
    steps: Vec<Step<ReadLayers>>,
    /// For each triangle of both meshes in cluster order its number, where an output needs it; of one mesh twice the same.
    orders: Option<[Arc<Buffer>; 2]>,
}

impl LayersQuery {
    /// Stretches of the rays through a closed mesh, at most `room` of them.
    pub fn plan(
        resources: &Resources,
        mesh: (Arc<Mesh>, Pose),
        stretches: Stretches,
        options: LdiOptions,
        room: u32,
    ) -> Result<Self> {
        Self::plan_all(resources, vec![mesh], Some(stretches), options, room)
    }

    /// Stretches of rays inside both of two closed meshes, at most `room` of them.
    pub fn shared(
        resources: &Resources,
        [a, b]: [(Arc<Mesh>, Pose); 2],
        options: LdiOptions,
        room: u32,
    ) -> Result<Self> {
        Self::plan_all(resources, vec![a, b], None, options, room)
    }

    fn plan_all(
        resources: &Resources,
        meshes: Vec<(Arc<Mesh>, Pose)>,
        stretches: Option<Stretches>,
        options: LdiOptions,
        room: u32,
    ) -> Result<Self> {
        if options.rays == Rays::All {
            return Err(invalid(
                "a layered depth image has rays along one axis; choose it, or the best",
            ));
        }
        let room = room.max(1);
        let bytes = u64::from(room) * size_of::<blocks::Layer>() as u64;
        (resources.device).check_storage(bytes, "layers", "ask for less room, or fewer rays")?;
        let seen = meshes.iter().map(|(mesh, _)| mesh.clone()).collect();
        let ldi = Ldi::plan(resources, meshes, options, Use::Crossings)?;
        Ok(Self {
            meshes: seen,
            stretches,
            steps: ldi.steps(&[ReadLayers::Count, ReadLayers::Offsets, ReadLayers::Write]),
            ldi,
            room,
            orders: None,
        })
    }

    /// Bytes of the stretches.
    fn bytes(&self) -> u64 {
        u64::from(self.room) * size_of::<blocks::Layer>() as u64
    }

    /// The parts of the working memory after those of the rays: where each ray's stretches start, and the stretches.
    fn parts(&self) -> [usize; 2] {
        [0, 1].map(|part| self.ldi.parts() + part)
    }
}

impl Query for LayersQuery {
    type Answer = Layers;
    type Step = Step<ReadLayers>;
    const NAME: &'static str = "layers";

    fn is_on_host(&self) -> bool {
        self.ldi.is_on_host()
    }

    fn prepare(&mut self, refits: &mut Refits) {
        self.ldi.prepare(refits);
    }

    fn memory(&self) -> Memory {
        let offsets = 4 * u64::from(self.ldi.pixels());
        (self.ldi.memory(self.bytes())).with([offsets, self.bytes()])
    }

    fn steps(&self) -> &[Self::Step] {
        &self.steps
    }

    fn record(&self, step: Self::Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let ldi = &self.ldi;
        let [offsets, layers] = self.parts();
        let (view, read) = match step {
            Step::Make(view, stage) => {
                if stage == Stage::Clear {
                    place.fill(recorder, offsets, 0);
                }
                return ldi.record(view, stage, place, recorder);
            }
            Step::Read(view, read) => (view, read),
        };
        let (summaries, offsets) = (ldi.summary(view, place), place.part(offsets));
        if let ReadLayers::Offsets = read {
            let kernel = kernels::Offsets { summaries, offsets };
            let push = OffsetsPush {
                capacity: ldi.capacity(),
            };
            return recorder.dispatch(&kernel, &push, [1, 1, 1]);
        }
        let written = match read {
            ReadLayers::Write => Some(place.part(layers)),
            _ => None,
        };
        let (rays, slots) = (ldi.rays(place), ldi.slots(place));
        if self.stretches.is_none() {
            let kernel = kernels::SharedLayers {
                pass: written.map_or(SharedLayersPass::Count, |layers| SharedLayersPass::Write {
                    layers,
                }),
                fetch: slots.fetch(),
                summaries,
                rays,
                offsets,
                slots,
            };
            let push = SharedLayersPush {
                capacity: ldi.capacity(),
                room: self.room,
            };
            let workgroup = kernels::SharedLayers::WORKGROUP;
            let groups = shared_groups(recorder.device(), workgroup, ldi.pixels());
            return recorder.dispatch(&kernel, &push, groups);
        }
        let kernel = kernels::Layers {
            pass: written.map_or(LayersPass::Count, |layers| LayersPass::Write { layers }),
            fetch: slots.fetch(),
            summaries,
            rays,
            offsets,
            slots,
        };
        let push = LayersPush {
            capacity: ldi.capacity(),
            room: self.room,
            self_overlaps: (self.stretches == Some(Stretches::SelfOverlaps)).into(),
        };
        let groups = shared_groups(recorder.device(), kernels::Layers::WORKGROUP, ldi.pixels());
        recorder.dispatch(&kernel, &push, groups)
    }

    fn collect(&self, place: &Place, recorder: &mut Recorder) {
        let [_, layers] = self.parts();
        self.ldi.collect(place, recorder);
        place.collect(recorder, layers, self.ldi.header(), self.bytes());
    }

    fn recording(&self) -> Option<u32> {
        self.ldi.recording()
    }

    const OUTPUTS: &'static [OutputArray] = &[OutputArray::of::<LayerRecord>("layers")];

    fn leave_host(&mut self, device: &Resources) -> Result<()> {
        (device.device).check_storage(
            self.bytes(),
            "layers",
            "ask for less room, or fewer rays",
        )?;
        self.ldi.leave_host(device)
    }

    fn plan_output(&mut self, _array: usize, device: &Resources) -> Result<()> {
        let order = |mesh: &Arc<Mesh>| mesh.cluster_order(&device.device, || device.staging());
        let last = self.meshes.len() - 1;
        self.orders = Some([order(&self.meshes[0])?, order(&self.meshes[last])?]);
        Ok(())
    }

    fn record_output(
        &self,
        _array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let ldi = &self.ldi;
        let orders = (self.orders.as_ref()).expect("`plan_output` came first");
        let kernel = kernels::LayersOutput {
            output: output.output,
            summaries: ldi.answered_summary(0, place),
            layers: place.answer_stretch(ldi.header(), self.bytes()),
            order: Bound::whole(&orders[0]),
            order_b: Bound::whole(&orders[1]),
            records: output.records,
        };
        let push = LayersOutputPush {
            room: output.room,
            kept: self.room,
            nodes: ldi.capacity(),
            pixels: ldi.pixels(),
        };
        let groups = groups_of(self.room, kernels::LayersOutput::WORKGROUP[0]);
        recorder.dispatch(&kernel, &push, groups)
    }

    fn answer(&self, bytes: &[u8]) -> Result<Layers> {
        let summary = self.ldi.summaries(bytes)?[0];
        let found = summary.layers_found;
        if found > self.room {
            return Err(Error::BufferTooSmall {
                what: "layers",
                given: self.room.into(),
                needed: found.into(),
            });
        }
        let bytes =
            &bytes[self.ldi.header() as usize..][..found as usize * size_of::<blocks::Layer>()];
        let frame = &summary.frame;
        let records: Vec<blocks::Layer> = memory::from_bytes(bytes, "layers")?;
        let number = |triangle: u32| {
            let mesh = u32::from(triangle & SECOND != 0);
            let order = &self.meshes[mesh as usize].clusters.order;
            (mesh, order[(triangle & !SECOND) as usize])
        };
        let layers = records.iter().map(|record| {
            let (column, row) = (record.pixel % frame.width, record.pixel / frame.width);
            let at = |w: f32| frame.world(DVec3::new(column.into(), row.into(), w.into()));
            let bounds = [record.enters, record.leaves].map(number);
            Layer {
                pixel: [column, row],
                ends: [at(record.from), at(record.to)],
                triangles: bounds.map(|(_, triangle)| triangle),
                meshes: bounds.map(|(mesh, _)| mesh),
                winding: record.winding,
            }
        });
        let cell = frame.cell();
        Ok(Layers {
            size: [frame.width, frame.height],
            axis: frame.axis,
            origin: frame.world(DVec3::ZERO),
            spacing: [cell.x, cell.y],
            layers: layers.gather(),
            flawed: summary.flawed[0].saturating_add(summary.flawed[1]),
        })
    }
}
