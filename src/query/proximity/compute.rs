//! Proximity by kernels: clusters, triangles and pieces of triangles are culled by the Lipschitz bound, and what is left is split
//! until its bounds meet (branch and bound, level by level).

use super::ProximityOptions;
use crate::error::Result;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::query::meeting::{Meeting, MeetingParams, Place, WORKSPACE_ALIGNMENT};
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

/// Start, clusters, triangles twice, the levels, the answer.
pub(crate) const PHASES: usize = 5 + LEVELS;

/// Every device allows this many workgroups.
const MAX_GROUPS: u32 = 65_535;

/// A triangle is not split when its radius is below this part of the field's error bound: the bounds would hardly meet closer,
/// at several times the cost.
const TOLERANCE_OF_ERROR: f32 = 1.0;

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
    let kernels = match phase {
        1 => &CLUSTERS,
        2 | 3 => &TRIANGLES,
        level if level < PHASES - 1 => &PIECES,
        _ => &ANSWER,
    };
    let kernel = kernels[meeting.variant(recorder.device())];
    let mut bound = meeting.bound(recorder.device()).to_vec();
    bound.push(state);
    match phase {
        1 => bound.push(bounds),
        2 | 3 => bound.extend([bounds, pieces]),
        level if level < PHASES - 1 => bound.push(pieces),
        _ => bound.extend([Bound::Buffer(place.results), pieces]),
    }
    bound.extend(meeting.field.texture.bound());
    // A cluster for each lane: those that matter are then taken by all lanes together.
    let groups = clusters.div_ceil(kernel.workgroup[0]).min(MAX_GROUPS);
    match phase {
        1 => recorder.dispatch(kernel, &bound, &(), [groups, 1, 1]),
        2 | 3 => recorder.dispatch(kernel, &bound, &u32::from(phase == 3), [groups, 1, 1]),
        level if level < PHASES - 1 => {
            let level = level - 4;
            let command = offset_of!(QueryState, commands) + 12 * level;
            let at = place.start + command as u64;
            recorder.dispatch_indirect(kernel, &bound, &(level as u32), place.workspace, at)
        }
        _ => recorder.dispatch(kernel, &bound, &(), [1, 1, 1]),
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
