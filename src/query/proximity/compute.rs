//! Proximity by kernels: clusters, triangles and pieces of triangles are culled by the Lipschitz bound, and what is left is split
//! until its bounds meet (branch and bound, level by level).

use super::ProximityOptions;
use crate::error::Result;
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::{self, Shader};
use crate::query::meeting::{Meeting, MeetingParams};
use crate::query::memory::Place;
use bytemuck::{Pod, Zeroable};
use std::mem::offset_of;

/// Levels of pieces below the triangles; each has a sixteenth of the area of the one above.
const LEVELS: usize = 4;

/// See `proximity.glsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct QueryState {
    meeting: MeetingParams,
    tolerance: f32,
    capacity: u32,
    at: u32,
    best: u32,
    winner: u32,
    settled: u32,
    pad0: u32,
    pad1: u32,
    counts: [u32; LEVELS + 1],
    uppers: [u32; LEVELS + 1],
    lowers: [u32; LEVELS + 1],
    pad2: u32,
    commands: [u32; 3 * (LEVELS + 1)],
    pad3: u32,
}

/// Bytes of a piece: see `proximity.glsl`.
const PIECE_BYTES: u64 = 16;
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
    /// Lists the triangles that can still hold a nearer point.
    List,
    /// Splits the pieces of a level.
    Split(u32),
    /// Takes the best of all bounds.
    Answer,
}

/// The steps of a query by kernels alone.
pub(super) const STEPS: [super::Step; 5 + LEVELS] = [
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

/// Every device allows this many workgroups.
const MAX_GROUPS: u32 = 65_535;

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
        size_of::<QueryState>() as u64,
        meeting.mesh.clusters.len() as u64 * BOUND_BYTES,
        u64::from(options.budget) * PIECE_BYTES,
    ]
}

pub(super) fn record(
    meeting: &Meeting,
    options: &ProximityOptions,
    step: Step,
    place: &Place,
    recorder: &mut Recorder,
) -> Result<()> {
    let variant = meeting.variant(recorder.device());
    let [bounds, pieces] = [BOUNDS, PIECES].map(|part| place.part(part));
    let (kernel, own) = match step {
        Step::Start => {
            place.write(recorder, STATE, &start(meeting, options, recorder, place));
            return Ok(());
        }
        Step::Clusters => (CLUSTERS[variant], vec![bounds]),
        Step::Triangles | Step::List => (TRIANGLES[variant], vec![bounds, pieces]),
        Step::Split(_) => (SPLIT[variant], vec![pieces]),
        Step::Answer => (ANSWER[variant], vec![place.answers(), pieces]),
    };
    let mut bound = meeting.bound(recorder.device()).to_vec();
    bound.push(place.part(STATE));
    bound.extend(own);
    bound.extend(meeting.field.texture.bound());
    // A cluster for each lane: those that matter are then taken by all lanes together.
    let clusters = meeting.mesh.clusters.len() as u32;
    let groups = [clusters.div_ceil(kernel.workgroup[0]).min(MAX_GROUPS), 1, 1];
    match step {
        Step::Start | Step::Clusters => recorder.dispatch(kernel, &bound, &(), groups),
        Step::Triangles => recorder.dispatch(kernel, &bound, &0u32, groups),
        Step::List => recorder.dispatch(kernel, &bound, &1u32, groups),
        Step::Split(level) => {
            let (commands, at) = place.buffer(STATE);
            let at = at + offset_of!(QueryState, commands) as u64 + 12 * u64::from(level);
            recorder.dispatch_indirect(kernel, &bound, &level, commands, at)
        }
        Step::Answer => recorder.dispatch(kernel, &bound, &(), [1, 1, 1]),
    }
}

fn start(
    meeting: &Meeting,
    options: &ProximityOptions,
    recorder: &Recorder,
    place: &Place,
) -> QueryState {
    let data = &meeting.field.data;
    let none = [u32::MAX; LEVELS + 1];
    QueryState {
        meeting: meeting.params(recorder.device()),
        tolerance: options.tolerance.unwrap_or(
            TOLERANCE_OF_ERROR
                * data
                    .error()
                    .clamp(0.01 * data.grid.spacing, data.grid.spacing),
        ),
        capacity: options.budget,
        at: place.at(),
        best: u32::MAX,
        winner: u32::MAX,
        settled: u32::MAX,
        uppers: none,
        lowers: none,
        commands: std::array::from_fn(|i| u32::from(i % 3 > 0)),
        ..QueryState::zeroed()
    }
}

/// The kernels, each in the order of [`Meeting::variant`].
static CLUSTERS: [&Shader; 6] = [
    &shader::PROXIMITY_CLUSTERS_TEXEL_DIRECTION,
    &shader::PROXIMITY_CLUSTERS_TEXEL_DISTANCE,
    &shader::PROXIMITY_CLUSTERS_TEXEL_SPARSE,
    &shader::PROXIMITY_CLUSTERS_STORAGE_DIRECTION,
    &shader::PROXIMITY_CLUSTERS_STORAGE_DISTANCE,
    &shader::PROXIMITY_CLUSTERS_STORAGE_SPARSE,
];
static TRIANGLES: [&Shader; 6] = [
    &shader::PROXIMITY_TRIANGLES_TEXEL_DIRECTION,
    &shader::PROXIMITY_TRIANGLES_TEXEL_DISTANCE,
    &shader::PROXIMITY_TRIANGLES_TEXEL_SPARSE,
    &shader::PROXIMITY_TRIANGLES_STORAGE_DIRECTION,
    &shader::PROXIMITY_TRIANGLES_STORAGE_DISTANCE,
    &shader::PROXIMITY_TRIANGLES_STORAGE_SPARSE,
];
static SPLIT: [&Shader; 6] = [
    &shader::PROXIMITY_PIECES_TEXEL_DIRECTION,
    &shader::PROXIMITY_PIECES_TEXEL_DISTANCE,
    &shader::PROXIMITY_PIECES_TEXEL_SPARSE,
    &shader::PROXIMITY_PIECES_STORAGE_DIRECTION,
    &shader::PROXIMITY_PIECES_STORAGE_DISTANCE,
    &shader::PROXIMITY_PIECES_STORAGE_SPARSE,
];
static ANSWER: [&Shader; 6] = [
    &shader::PROXIMITY_ANSWER_TEXEL_DIRECTION,
    &shader::PROXIMITY_ANSWER_TEXEL_DISTANCE,
    &shader::PROXIMITY_ANSWER_TEXEL_SPARSE,
    &shader::PROXIMITY_ANSWER_STORAGE_DIRECTION,
    &shader::PROXIMITY_ANSWER_STORAGE_DISTANCE,
    &shader::PROXIMITY_ANSWER_STORAGE_SPARSE,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;
    use crate::query::proximity::ProximityWords;

    #[test]
    fn host_and_shader_agree() {
        for kernels in [CLUSTERS, TRIANGLES, SPLIT, ANSWER] {
            for kernel in kernels {
                assert_layout!(
                    kernel,
                    "ProximityQuery",
                    QueryState {
                        meeting,
                        tolerance,
                        capacity,
                        at,
                        best,
                        winner,
                        settled,
                        pad0,
                        pad1,
                        counts,
                        uppers,
                        lowers,
                        pad2,
                        commands,
                        pad3
                    }
                );
                assert_layout!(
                    kernel,
                    "Meeting",
                    MeetingParams {
                        rows,
                        shift,
                        clusters,
                        first,
                        stride
                    }
                );
            }
        }
        assert_eq!(size_of::<ProximityWords>(), 68);
    }
}
