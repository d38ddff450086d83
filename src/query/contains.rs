//! Contains: which of many points are inside a closed mesh (Heidelberger et al. 2003, section 2.3: vertex-in-volume).

use super::clusters::Refits;
use super::ldi::{Ldi, LdiOptions, Rays, Step, Use};
use super::output::{OutputArray, OutputPlace};
use super::workspace::{Memory, Place};
use super::{Query, Resources};
use crate::error::{Result, invalid};
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::{ContainmentOutputPush, ContainsPush};
use crate::gpu::shader::kernels::{ContainmentOutput, Contains, Fetch};
use crate::gpu::share::{GridShare, groups_of};
use crate::memory::{self, Gather};
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, check_vectors};
use glam::Vec3;
use std::sync::Arc;

/// What is known of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Containment {
    /// Whether the nearest ray is inside the mesh at the point's depth.
    pub inside: bool,
    /// Whether the surface comes so near that the point itself may be on its other side. Points farther from the surface than a
    /// pixel's diagonal are never on the other side, and most of them are not near.
    pub near: bool,
}

/// Points that an invocation takes before more workgroups pay.
const POINTS_PER_LANE: GridShare = GridShare {
    software: 8,
    hardware: 1,
};
/// More workgroups than this only take turns.
const MAX_GROUPS: u32 = 4096;

/// A planned containment query.
pub struct ContainsQuery {
    ldi: Ldi,
    steps: Vec<Step<()>>,
    points: Vec<Vec3>,
    count: u32,
}

impl ContainsQuery {
    /// Which points of the world are inside a closed mesh.
    pub fn plan(
        resources: &Resources,
        mesh: (Arc<Mesh>, Pose),
        points: &[Vec3],
        options: LdiOptions,
    ) -> Result<Self> {
        check_vectors(points, |at| format!("point {at}"))?;
        if options.rays == Rays::All {
            return Err(invalid(
                "containment takes rays along one axis; choose it, or the best",
            ));
        }
        let ldi = Ldi::plan(resources, vec![mesh], options, Use::Certificates)?;
        Ok(Self {
            steps: ldi.steps(&[()]),
            ldi,
            points: resources.input(points, "points", "ask for them in parts")?,
            count: points.len() as u32,
        })
    }
}

impl Query for ContainsQuery {
    type Answer = Vec<Containment>;
    type Step = Step<()>;
    const NAME: &'static str = "contains";

    fn is_on_host(&self) -> bool {
        self.ldi.is_on_host()
    }

    fn prepare(&mut self, refits: &mut Refits) {
        self.ldi.prepare(refits);
    }

    fn memory(&self) -> Memory {
        let points = size_of_val(&self.points[..]) as u64;
        self.ldi.memory(4 * u64::from(self.count)).with([points])
    }

    fn inputs(&self) -> Vec<(usize, &[u8])> {
        vec![(self.ldi.parts(), bytemuck::cast_slice(&self.points))]
    }

    fn steps(&self) -> &[Self::Step] {
        &self.steps
    }

    fn record(&self, step: Self::Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let ldi = &self.ldi;
        let view = match step {
            Step::Make(view, stage) => return ldi.record(view, stage, place, recorder),
            Step::Read(view, ()) => view,
        };
        let (marks, spans) = (ldi.marks(place), ldi.spans(place));
        let kernel = Contains {
            fetch: Fetch::of([marks, spans]),
            summaries: ldi.summary(view, place),
            rays: ldi.rays(place),
            marks,
            points: place.part(self.ldi.parts()),
            answers: place.answer(),
            spans,
        };
        let push = ContainsPush {
            count: self.count,
            at: (ldi.header() / 4) as u32,
            capacity: ldi.capacity(),
        };
        let groups = self
            .count
            .div_ceil(Contains::WORKGROUP[0] * POINTS_PER_LANE.on(recorder.device()))
            .clamp(1, MAX_GROUPS);
        recorder.dispatch(&kernel, &push, [groups, 1, 1])
    }

    fn collect(&self, place: &Place, recorder: &mut Recorder) {
        self.ldi.collect(place, recorder);
    }

    fn recording(&self) -> Option<u32> {
        self.ldi.recording()
    }

    const OUTPUTS: &'static [OutputArray] = &[OutputArray::of::<u32>("containment bits")];

    fn leave_host(&mut self, device: &Resources) -> Result<()> {
        let bytes = size_of_val(&self.points[..]) as u64;
        (device.device).check_storage(bytes, "points", "ask for them in parts")?;
        self.ldi.leave_host(device)
    }

    fn record_output(
        &self,
        _array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let kernel = ContainmentOutput {
            output: output.output,
            summaries: self.ldi.answered_summary(0, place),
            answers: place.answer(),
            records: output.records,
        };
        let push = ContainmentOutputPush {
            room: output.room,
            count: self.count,
            at: (self.ldi.header() / 4) as u32,
            nodes: self.ldi.capacity(),
            pixels: self.ldi.pixels(),
        };
        let groups = groups_of(self.count, ContainmentOutput::WORKGROUP[0]);
        recorder.dispatch(&kernel, &push, groups)
    }

    fn answer(&self, bytes: &[u8]) -> Result<Vec<Containment>> {
        self.ldi.summaries(bytes)?;
        let words: Vec<u32> = memory::from_bytes(&bytes[self.ldi.header() as usize..], "answers")?;
        Ok(words
            .into_iter()
            .map(|word| Containment {
                inside: word & 1 != 0,
                near: word & 2 != 0,
            })
            .gather())
    }
}
