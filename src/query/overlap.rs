//! Overlap: does a mesh touch or enter a field's body? Asked by drawing and answered by occlusion queries (Morvan et al. 2008,
//! section 6), so that two counts are all that comes back.
//!
//! Nothing is missed: triangles that the Lipschitz bound at their middle does not clear are drawn along their dominant axis,
//! grown to every pixel that they touch, and a fragment is counted unless the field clears all of the triangle within its pixel.

use super::clusters::Refits;
use super::meeting::Meeting;
use super::proximity::USUAL_RESOLUTION;
use super::workspace::{Memory, Place};
use super::{Query, Resources};
use crate::error::{Result, invalid};
use crate::gpu::canvas::Canvas;
use crate::gpu::occlusion::LentQueries;
use crate::gpu::pass::Draw;
use crate::gpu::raster::{PipelineState, Stages};
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::{self, Views};
use crate::gpu::shader::kernels::{OverlapCull, OverlapFrag, OverlapInside, OverlapVert, Verdict};
use crate::gpu::share::{GridShare, groups_of};
use crate::host::overlap::decide::decide;
use std::mem::offset_of;
use std::sync::Arc;

/// The most pixels along a side: a query takes seconds on a software device with so many.
const MOST_PIXELS: u32 = 4096;

/// What an overlap query is asked for.
#[derive(Debug, Clone, Copy)]
pub struct OverlapOptions {
    /// Pixels along a side of the views.
    pub resolution: u32,
}

impl Default for OverlapOptions {
    fn default() -> Self {
        Self {
            resolution: USUAL_RESOLUTION,
        }
    }
}

/// The answer of an overlap query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// Whether the mesh's surface may touch or enter the field's body; `false` is a proof that it does not.
    pub overlap: bool,
    /// Whether the answer is proven either way.
    pub certain: bool,
    /// Fragments that may touch, of all triangles or of one that proves it alone: exact where the device counts precisely, otherwise only zero or not.
    pub samples: u32,
}

/// Bytes of a triangle that is drawn: three corners.
const DRAWN_BYTES: u64 = 48;
/// Clusters that a workgroup takes.
const CLUSTERS_PER_GROUP: GridShare = GridShare {
    software: 16,
    hardware: 1,
};
/// The counts of fragments: those that may touch, those that surely do.
const COUNTS: u32 = 2;

/// What an overlap query does.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// Writes the state.
    Start,
    /// Lists the triangles that the Lipschitz bound does not clear.
    Cull,
    /// Leaves one triangle that is surely inside, if there is one, instead of all.
    Inside,
    /// Draws and counts.
    Draw,
}

/// The parts of the working memory.
const STATE: usize = 0;
const DRAWN: usize = 1;

/// A planned overlap query.
pub struct OverlapQuery {
    meeting: Meeting,
    options: OverlapOptions,
    /// What is drawn into and counted with; nothing on the host, which cuts triangles instead.
    drawing: Option<(Arc<Canvas>, LentQueries)>,
}

impl OverlapQuery {
    /// Whether a mesh touches or enters a field's body.
    pub fn plan(resources: &Resources, meeting: Meeting, options: OverlapOptions) -> Result<Self> {
        meeting.validate()?;
        meeting.mesh.check_single_precision(Self::NAME)?;
        if !(1..=MOST_PIXELS).contains(&options.resolution) {
            return Err(invalid(format!(
                "resolution is {}; it is a number of pixels along a side, from 1 to {MOST_PIXELS}",
                options.resolution
            )));
        }
        let resources = resources.fastest(&[&meeting.mesh], &[&meeting.field])?;
        let device = &resources.device;
        let bytes = meeting.mesh.triangles.len() as u64 * DRAWN_BYTES;
        device.check_storage(bytes, "triangles to draw", "split the mesh")?;
        let drawing = match device.is_host() {
            true => None,
            false => {
                device.check_draws("overlap")?;
                Some((
                    (resources.canvases).get(device, &[], None, options.resolution)?,
                    resources.occlusions.lend(device, COUNTS)?,
                ))
            }
        };
        Ok(Self {
            drawing,
            meeting,
            options,
        })
    }

    fn record_start(&self, recorder: &mut Recorder, place: &Place) {
        let meeting = self.meeting.params(recorder.device());
        let state = blocks::OverlapQuery {
            meeting,
            views: Views::start(&meeting, self.options.resolution),
            vertices: 0,
            instances: 1,
            first_vertex: 0,
            first_instance: 0,
            inside: u32::MAX,
            pad0: 0,
            pad1: 0,
            pad2: 0,
        };
        place.write(recorder, STATE, &state);
        if let Some((_, counts)) = &self.drawing {
            recorder.reset_queries(counts);
        }
    }

    fn record_cull(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        let meeting = self.meeting.bindings(recorder.device());
        let kernel = OverlapCull {
            fetch: meeting.fetch(),
            meeting,
            query: place.part(STATE),
            drawn: place.part(DRAWN),
            field: self.meeting.field.bindings(recorder.device()),
        };
        let clusters = self.meeting.mesh.clusters.len() as u32;
        let groups = groups_of(clusters, CLUSTERS_PER_GROUP.on(recorder.device()));
        recorder.dispatch(&kernel, &(), groups)
    }

    /// Records that one triangle which is surely inside is drawn instead of all.
    fn record_inside(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        let meeting = self.meeting.bindings(recorder.device());
        let kernel = OverlapInside {
            fetch: meeting.fetch(),
            meeting,
            query: place.part(STATE),
            drawn: place.part(DRAWN),
        };
        recorder.dispatch(&kernel, &(), [1, 1, 1])
    }

    fn record_draws(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        let Some((canvas, counts)) = &self.drawing else {
            let field = self.meeting.field.bindings(recorder.device());
            let (state, drawn, answer) = (place.part(STATE), place.part(DRAWN), place.answer());
            recorder.run_on_host(move || decide(state, drawn, &field, answer));
            return Ok(());
        };
        let vertex = OverlapVert {
            query: place.part(STATE),
            drawn: place.part(DRAWN),
        };
        let (commands, state) = place.buffer(STATE);
        let draw = Draw::Indirect {
            commands,
            offset: state + offset_of!(blocks::OverlapQuery, vertices) as u64,
        };
        let field = self.meeting.field.bindings(recorder.device());
        let mut pass = recorder.pass(&canvas.targets, &[])?;
        for (at, verdict) in [Verdict::Possible, Verdict::Certain]
            .into_iter()
            .enumerate()
        {
            let fragment = OverlapFrag { verdict, field };
            let stages = Stages {
                vertex: &vertex,
                geometry: None,
                fragment: Some(&fragment),
                state: PipelineState::default(),
            };
            pass.counted(counts, at as u32, |pass| {
                pass.bind(&stages, &())?;
                pass.draw(draw);
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl Query for OverlapQuery {
    type Answer = Overlap;
    type Step = Step;
    const NAME: &'static str = "overlap";

    fn is_on_host(&self) -> bool {
        self.drawing.is_none()
    }

    fn memory(&self) -> Memory {
        Memory::answer(4 * u64::from(COUNTS)).with([
            size_of::<blocks::OverlapQuery>() as u64,
            self.meeting.mesh.triangles.len() as u64 * DRAWN_BYTES,
        ])
    }

    fn prepare(&mut self, refits: &mut Refits) {
        refits.ask(&self.meeting.mesh);
    }

    fn steps(&self) -> &[Step] {
        &[Step::Start, Step::Cull, Step::Inside, Step::Draw]
    }

    fn record(&self, step: Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        match step {
            Step::Start => {
                self.record_start(recorder, place);
                Ok(())
            }
            Step::Cull => self.record_cull(recorder, place),
            Step::Inside => self.record_inside(recorder, place),
            Step::Draw => self.record_draws(recorder, place),
        }
    }

    fn collect(&self, place: &Place, recorder: &mut Recorder) {
        if let Some((_, counts)) = &self.drawing {
            recorder.copy_queries(counts, COUNTS, place.answers, place.offset);
        }
    }

    fn answer(&self, bytes: &[u8]) -> Result<Overlap> {
        let [possible, certain]: [u32; 2] = bytemuck::pod_read_unaligned(bytes);
        Ok(Overlap {
            overlap: possible > 0,
            certain: possible == 0 || certain > 0,
            samples: possible,
        })
    }
}
