//! Proximity by kernels: clusters, triangles and pieces of triangles are culled by the Lipschitz bound, and what is left is split
//! until its bounds meet (branch and bound, level by level).
//!
//! Processors take a dispatch for each level. GPUs idle between dispatches, so there they are fused: the first level is split where the
//! triangles are listed, and the others in shared memory.

use super::ProximityOptions;
use crate::error::Result;
use crate::gpu::buffer::Buffer;
use crate::gpu::device::Device;
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::{self, Piece, PiecesPush, TrianglesPush};
use crate::gpu::shader::kernels::{
    self, Form, ProximityBest, ProximityClusters, ProximityPieces, ProximitySettle,
    ProximityTriangles,
};
use crate::gpu::share::{Spread, groups_of};
use crate::query::meeting::Meeting;
use crate::query::workspace::Place;
use bytemuck::Zeroable;
use std::mem::offset_of;

/// Levels of pieces below the triangles; each has a sixteenth of the area of the one above.
const LEVELS: usize = 4;

/// Bytes of the bounds of a cluster.
const BOUND_BYTES: u64 = 8;

/// What the kernels do.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// Writes the state.
    Start,
    /// Bounds the distance of each cluster.
    Clusters,
    /// Finds the best upper bound of all triangles.
    Triangles,
    /// Lists the triangles that can still hold a nearer point; fused, their parts.
    List,
    /// Splits the pieces of a level.
    Split(u32),
    /// Takes the best of all bounds.
    Answer,
    /// Fused: splits the pieces of level 1 and all below.
    Settle,
    /// Fused: takes the best of all bounds.
    Best,
}

/// How a device splits triangles.
pub(super) fn form(device: &Device) -> Form {
    match Spread::of(device) {
        Spread::Software => Form::Levels,
        Spread::Hardware => Form::Fused,
    }
}

/// The steps of a query by kernels alone.
pub(super) fn steps(form: Form) -> &'static [super::Step] {
    match form {
        Form::Levels => &LEVEL_STEPS,
        Form::Fused => &FUSED_STEPS,
    }
}

const FUSED_STEPS: [super::Step; 6] = [
    super::Step::Kernel(Step::Start),
    super::Step::Kernel(Step::Clusters),
    super::Step::Kernel(Step::Triangles),
    super::Step::Kernel(Step::List),
    super::Step::Kernel(Step::Settle),
    super::Step::Kernel(Step::Best),
];

const LEVEL_STEPS: [super::Step; 5 + LEVELS] = [
    super::Step::Kernel(Step::Start),
    super::Step::Kernel(Step::Clusters),
    super::Step::Kernel(Step::Triangles),
    super::Step::Kernel(Step::List),
    super::Step::Kernel(Step::Split(0)),
    super::Step::Kernel(Step::Split(1)),
    super::Step::Kernel(Step::Split(2)),
    super::Step::Kernel(Step::Split(3)),
    super::Step::Kernel(Step::Answer),
];

/// A triangle is not split when its radius is below this part of the field's error bound: the bounds would hardly meet closer,
/// at several times the cost.
const TOLERANCE_OF_ERROR: f32 = 1.0;

/// The parts of the working memory.
pub(super) const PARTS: usize = 3;
pub(super) const STATE: usize = 0;
pub(super) const BOUNDS: usize = 1;
const PIECES: usize = 2;

/// Bytes of the parts.
pub(super) fn parts(meeting: &Meeting, options: &ProximityOptions) -> [u64; PARTS] {
    [
        size_of::<blocks::ProximityQuery>() as u64,
        meeting.mesh.clusters.len() as u64 * BOUND_BYTES,
        u64::from(options.budget) * size_of::<Piece>() as u64,
    ]
}

pub(super) fn record(
    meeting: &Meeting,
    options: &ProximityOptions,
    step: Step,
    place: &Place,
    recorder: &mut Recorder,
) -> Result<()> {
    let (mesh, field) = (
        meeting.bindings(recorder.device()),
        meeting.field.bindings(recorder.device()),
    );
    let fetch = mesh.fetch();
    let [query, bounds, pieces] = [STATE, BOUNDS, PIECES].map(|part| place.part(part));
    // A cluster for each lane: those that matter are then taken by all lanes together.
    let clusters = meeting.mesh.clusters.len() as u32;
    let groups = |lanes: u32| groups_of(clusters, lanes);
    match step {
        Step::Start => {
            place.write(recorder, STATE, &start(meeting, options, recorder));
            Ok(())
        }
        Step::Clusters => {
            let kernel = ProximityClusters {
                fetch,
                meeting: mesh,
                query,
                bounds,
                field,
            };
            recorder.dispatch(&kernel, &(), groups(ProximityClusters::WORKGROUP[0]))
        }
        Step::Triangles | Step::List => {
            let kernel = ProximityTriangles {
                form: form(recorder.device()),
                fetch,
                meeting: mesh,
                query,
                bounds,
                pieces,
                field,
            };
            let push = TrianglesPush {
                listing: matches!(step, Step::List).into(),
            };
            recorder.dispatch(&kernel, &push, groups(ProximityTriangles::WORKGROUP[0]))
        }
        Step::Split(level) => {
            let kernel = ProximityPieces {
                fetch,
                meeting: mesh,
                query,
                pieces,
                field,
            };
            let (commands, at) = command(place, level);
            recorder.dispatch_indirect(&kernel, &PiecesPush { level }, commands, at)
        }
        Step::Settle => {
            let kernel = ProximitySettle {
                fetch,
                meeting: mesh,
                query,
                pieces,
                field,
            };
            let (commands, at) = command(place, 1);
            recorder.dispatch_indirect(&kernel, &(), commands, at)
        }
        Step::Best => {
            let kernel = ProximityBest {
                fetch,
                meeting: mesh,
                query,
                answers: place.answer(),
                pieces,
                field,
            };
            recorder.dispatch(&kernel, &(), [1, 1, 1])
        }
        Step::Answer => {
            let kernel = kernels::ProximityAnswer {
                fetch,
                meeting: mesh,
                query,
                answers: place.answer(),
                pieces,
                field,
            };
            recorder.dispatch(&kernel, &(), [1, 1, 1])
        }
    }
}

/// Where the workgroups for a level's pieces are written.
fn command<'a>(place: &Place<'a>, level: u32) -> (&'a Buffer, u64) {
    let (buffer, at) = place.buffer(STATE);
    let first = offset_of!(blocks::ProximityQuery, commands) as u64;
    (buffer, at + first + 12 * u64::from(level))
}

fn start(
    meeting: &Meeting,
    options: &ProximityOptions,
    recorder: &Recorder,
) -> blocks::ProximityQuery {
    let data = &meeting.field.data;
    let none = [u32::MAX; LEVELS + 1];
    blocks::ProximityQuery {
        meeting: meeting.params(recorder.device()),
        tolerance: options.tolerance.unwrap_or(
            TOLERANCE_OF_ERROR
                * data
                    .error()
                    .clamp(0.01 * data.grid.spacing, data.grid.spacing),
        ),
        capacity: options.budget,
        best: u32::MAX,
        winner: u32::MAX,
        settled: u32::MAX,
        ceiling: u32::MAX,
        uppers: none,
        lowers: none,
        commands: std::array::from_fn(|i| u32::from(i % 3 > 0)),
        ..blocks::ProximityQuery::zeroed()
    }
}
