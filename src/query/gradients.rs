//! Gradients: how the volume that two meshes share changes with every vertex of theirs, for the response of deformable bodies.
//!
//! The volume changes by the integral, over the part of a mesh's surface inside the other, of the surface's motion along its outward
//! normal; a vertex moves a place of its triangles by its barycentric weight there. Rays along all three axes sample the surface
//! (`gradients.comp`); the certificate of a volume says nothing of it.

use super::clusters::Refits;
use super::ldi::{Ldi, LdiOptions, Rays, Stage, Step, Use};
use super::output::{OutputArray, OutputPlace};
use super::workspace::{Memory, Place};
use super::{Query, Resources};
use crate::error::Result;
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::{GradientRecord, GradientsOutputPush, GradientsPush};
use crate::gpu::shader::kernels;
use crate::gpu::share::{groups_of, lane_groups};
use crate::memory;
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use glam::DVec3;
use std::sync::Arc;

/// For each of two meshes, for each vertex: how the shared volume changes as the vertex moves, in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradients(pub [Vec<DVec3>; 2]);

/// Terms are counted in this part of a pixel's area: UNITS of `gradients.comp`.
const UNITS: f64 = 1_048_576.0;
/// Bytes of a vertex's sums: three of 64 bits.
const SUM_BYTES: u64 = 24;

/// A planned query for gradients.
pub struct GradientsQuery {
    ldi: Ldi,
    vertices: [u32; 2],
    steps: Vec<Step<()>>,
}

impl GradientsQuery {
    /// How the volume that two meshes share changes with every vertex. Rays run along all three axes.
    pub fn plan(
        resources: &Resources,
        a: (Arc<Mesh>, Pose),
        b: (Arc<Mesh>, Pose),
        options: LdiOptions,
    ) -> Result<Self> {
        let vertices = [a.0.vertices, b.0.vertices];
        let bytes = SUM_BYTES * vertices.iter().map(|n| u64::from(*n)).sum::<u64>();
        (resources.device).check_storage(
            bytes,
            "gradients of a volume",
            "ask for coarser meshes",
        )?;
        let options = LdiOptions {
            rays: Rays::All,
            ..options
        };
        let ldi = Ldi::plan(resources, vec![a, b], options, Use::Crossings)?;
        Ok(Self {
            steps: ldi.steps(&[()]),
            ldi,
            vertices,
        })
    }

    /// Bytes of the sums of a view.
    fn bytes(&self) -> u64 {
        SUM_BYTES * self.vertices.iter().map(|n| u64::from(*n)).sum::<u64>()
    }
}

impl Query for GradientsQuery {
    type Answer = Gradients;
    type Step = Step<()>;
    const NAME: &'static str = "volume gradients";

    fn is_on_host(&self) -> bool {
        self.ldi.is_on_host()
    }

    fn prepare(&mut self, refits: &mut Refits) {
        self.ldi.prepare(refits);
    }

    fn memory(&self) -> Memory {
        let memory = self.ldi.memory(3 * self.bytes());
        memory.with([self.bytes(); 3])
    }

    fn steps(&self) -> &[Self::Step] {
        &self.steps
    }

    fn record(&self, step: Self::Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let ldi = &self.ldi;
        let view = match step {
            Step::Make(view, stage) => {
                if stage == Stage::Clear {
                    place.fill(recorder, ldi.parts() + view, 0);
                }
                return ldi.record(view, stage, place, recorder);
            }
            Step::Read(view, ()) => view,
        };
        for mesh in 0..2 {
            let push = GradientsPush {
                mesh: mesh as u32,
                first: mesh as u32 * self.vertices[0],
                capacity: ldi.capacity(),
            };
            let [placed, indices] = ldi.placed_mesh(mesh, place);
            let kernel = kernels::Gradients {
                placed,
                indices,
                summaries: ldi.summary(view, place),
                rays: ldi.rays(place),
                sums: place.part(ldi.parts() + view),
                slots: ldi.slots(place),
            };
            let groups = lane_groups(kernels::Gradients::WORKGROUP, ldi.pixels());
            recorder.dispatch(&kernel, &push, groups)?;
        }
        Ok(())
    }

    fn collect(&self, place: &Place, recorder: &mut Recorder) {
        let ldi = &self.ldi;
        ldi.collect(place, recorder);
        for view in 0..3 {
            let before = ldi.header() + view as u64 * self.bytes();
            place.collect(recorder, ldi.parts() + view, before, self.bytes());
        }
    }

    fn recording(&self) -> Option<u32> {
        self.ldi.recording()
    }

    const OUTPUTS: &'static [OutputArray] =
        &[OutputArray::of::<GradientRecord>("gradients of a vertex"); 2];

    fn leave_host(&mut self, device: &Resources) -> Result<()> {
        self.ldi.leave_host(device)
    }

    fn record_output(
        &self,
        array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let ldi = &self.ldi;
        let [summary_x, summary_y, summary_z] =
            [0, 1, 2].map(|view| ldi.answered_summary(view, place));
        let kernel = kernels::GradientsOutput {
            output: output.output,
            summary_x,
            summary_y,
            summary_z,
            sums: place.answer_stretch(ldi.header(), 3 * self.bytes()),
            records: output.records,
        };
        let push = GradientsOutputPush {
            room: output.room,
            count: self.vertices[array],
            first: array as u32 * 3 * self.vertices[0],
            view: (self.bytes() / 8) as u32,
            nodes: ldi.capacity(),
            pixels: ldi.pixels(),
        };
        let groups = groups_of(push.count, kernels::GradientsOutput::WORKGROUP[0]);
        recorder.dispatch(&kernel, &push, groups)
    }

    fn answer(&self, bytes: &[u8]) -> Result<Gradients> {
        let mut gradients = self
            .vertices
            .map(|count| memory::filled(DVec3::ZERO, count as usize));
        let summaries = self.ldi.summaries(bytes)?;
        let sums = bytes[self.ldi.header() as usize..].chunks_exact(self.bytes() as usize);
        for (summary, sums) in summaries.iter().zip(sums) {
            if summary.frame.width == 0 {
                continue;
            }
            let cell = summary.frame.cell();
            let unit = cell.x * cell.y / UNITS;
            let sums = sums.chunks_exact(SUM_BYTES as usize);
            for (gradient, sum) in gradients.iter_mut().flatten().zip(sums) {
                let sum: [i64; 3] = bytemuck::pod_read_unaligned(sum);
                let turned = DVec3::from(sum.map(|n| n as f64 * unit));
                *gradient += summary.frame.to_axes(turned);
            }
        }
        Ok(Gradients(gradients))
    }
}
