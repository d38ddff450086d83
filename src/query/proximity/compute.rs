//! Proximity by kernels: clusters, triangles and pieces of triangles are culled by the Lipschitz bound, and what is left is split
//! until its bounds meet (branch and bound, level by level).

use super::ProximityOptions;
use crate::error::Result;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::query::meeting::{Meeting, MeetingParams, Place, WORKSPACE_ALIGNMENT};
use bytemuck::{Pod, Zeroable};

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
}

/// Bytes of a piece: see `proximity.glsl`.
const PIECE_BYTES: u64 = 16;
/// Bytes of the bounds of a cluster.
const BOUND_BYTES: u64 = 8;

/// Start, clusters, triangles twice, the levels, the answer.
pub(crate) const PHASES: usize = 5 + LEVELS;

/// Clusters that an invocation takes before more workgroups pay.
const CLUSTERS_PER_LANE: u32 = 1;
/// Clusters that a workgroup takes when it looks at their triangles.
const CLUSTERS_PER_GROUP: u32 = 8;
/// Pieces in the budget for each workgroup that takes part in a level.
const PIECES_PER_GROUP: u32 = 512;
/// Every device allows this many workgroups.
const MAX_GROUPS: u32 = 65_535;

/// A triangle is not split when its radius is below this part of the field's error bound: the bounds would hardly meet closer.
const TOLERANCE_OF_ERROR: f32 = 0.25;

/// The parts of the working memory.
pub(crate) struct Layout {
    bounds: u64,
    bounds_bytes: u64,
    pieces: u64,
    pieces_bytes: u64,
    /// All of it.
    pub bytes: u64,
}

impl Layout {
    pub(crate) fn of(meeting: &Meeting, options: &ProximityOptions) -> Self {
        let bounds = (size_of::<QueryState>() as u64).next_multiple_of(WORKSPACE_ALIGNMENT);
        let bounds_bytes = meeting.mesh.clusters.len() as u64 * BOUND_BYTES;
        let pieces = (bounds + bounds_bytes).next_multiple_of(WORKSPACE_ALIGNMENT);
        let pieces_bytes = u64::from(options.budget) * PIECE_BYTES;
        Self {
            bounds,
            bounds_bytes,
            pieces,
            pieces_bytes,
            bytes: pieces + pieces_bytes,
        }
    }
}

pub(crate) fn record(
    meeting: &Meeting,
    options: &ProximityOptions,
    phase: usize,
    recorder: &mut Recorder,
    place: &Place,
) -> Result<()> {
    if phase == 0 {
        let start = start(meeting, options, recorder, place);
        recorder.write(place.workspace, place.start, &start);
        return Ok(());
    }
    let layout = Layout::of(meeting, options);
    let state = place.part(0, size_of::<QueryState>() as u64);
    let bounds = place.part(layout.bounds, layout.bounds_bytes);
    let pieces = place.part(layout.pieces, layout.pieces_bytes);
    let clusters = meeting.mesh.clusters.len() as u32;
    let by_group = clusters.div_ceil(CLUSTERS_PER_GROUP).min(MAX_GROUPS);
    let mut run =
        |kernels: &[&'static Shader; 6], own: &[Bound], push: Option<u32>, groups: u32| {
            let kernel = kernels[meeting.variant(recorder.device())];
            let mut bound = meeting.bound(recorder.device()).to_vec();
            bound.push(state);
            bound.extend(own);
            bound.extend(meeting.field.texture.bound());
            match push {
                Some(word) => recorder.dispatch(kernel, &bound, &word, [groups, 1, 1]),
                None => recorder.dispatch(kernel, &bound, &(), [groups, 1, 1]),
            }
        };
    match phase {
        1 => {
            let lanes = CLUSTERS.map(|k| k.workgroup[0])[0] * CLUSTERS_PER_LANE;
            run(
                &CLUSTERS,
                &[bounds],
                None,
                clusters.div_ceil(lanes).min(MAX_GROUPS),
            )
        }
        2 => run(&TRIANGLES, &[bounds, pieces], Some(0), by_group),
        3 => run(&TRIANGLES, &[bounds, pieces], Some(1), by_group),
        level if level < PHASES - 1 => run(
            &PIECES,
            &[pieces],
            Some(level as u32 - 4),
            options.budget.div_ceil(PIECES_PER_GROUP),
        ),
        _ => run(&ANSWER, &[Bound::Buffer(place.results), pieces], None, 1),
    }
}

/// The query's state and the bounds of its clusters, for a path that goes on from there.
pub(crate) fn state_and_bounds<'a>(
    meeting: &Meeting,
    options: &ProximityOptions,
    place: &Place<'a>,
) -> [Bound<'a>; 2] {
    let layout = Layout::of(meeting, options);
    [
        place.part(0, size_of::<QueryState>() as u64),
        place.part(layout.bounds, layout.bounds_bytes),
    ]
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
        at: (place.offset / 4) as u32,
        best: u32::MAX,
        winner: u32::MAX,
        settled: u32::MAX,
        uppers: none,
        lowers: none,
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
static PIECES: [&Shader; 6] = [
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
        for kernels in [CLUSTERS, TRIANGLES, PIECES, ANSWER] {
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
                        pad2
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
