//! Proximity by drawing (Morvan et al. 2008, section 3.3): the field's lower bound over a pixel's part of a triangle is the
//! fragment's depth, each pixel keeps the least, and a reduction finds the least of all.
//!
//! The kernels of the compute path come first, up to the best upper bound of all triangles: what cannot be nearer lies outside of
//! the views, and the binned path does not draw it at all.

use super::{ProximityOptions, compute};
use crate::error::Result;
use crate::field::texture::Sampling;
use crate::gpu::attachment::Format;
use crate::gpu::canvas::{Canvas, Canvases};
use crate::gpu::device::Device;
use crate::gpu::pass::Start;
use crate::gpu::raster::{Compare, DepthTest, State};
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::query::drawing::{self, CLUSTERS_PER_GROUP, MAX_GROUPS, Picture};
use crate::query::meeting::{Meeting, Place, WORKSPACE_ALIGNMENT};
use std::sync::Arc;

/// Start, clusters, triangles, bins, their starts, the list, the picture and what is read from it.
pub(crate) const PHASES: usize = 7;

/// Pixels along a side of a tile, of which one is kept.
const TILE: u32 = 64;
/// Bytes of a tile.
const TILE_BYTES: u64 = 8;

/// Where each pixel's nearest fragment is and what it is worth; which triangle it is of.
const COLOURS: [Format; 2] = [Format::F32x4, Format::Uint];

/// A canvas for a query, if the device and the mesh allow its path.
pub(crate) fn plan(
    device: &Arc<Device>,
    canvases: &Canvases,
    meeting: &Meeting,
    options: &ProximityOptions,
) -> Result<Arc<Canvas>> {
    drawing::check(options.path, meeting, device)?;
    canvases.get(device, &COLOURS, Some(Format::Depth32), options.resolution)
}

/// The parts of the working memory: those of the compute path, of what is drawn, and the tiles.
pub(crate) struct Layout {
    drawing: drawing::Layout,
    tiles: u64,
    /// All of it.
    pub bytes: u64,
}

impl Layout {
    pub(crate) fn of(meeting: &Meeting, options: &ProximityOptions) -> Self {
        let before = compute::Layout::of(meeting, options).bytes;
        let drawing = drawing::Layout::of(meeting, options.path, before);
        let tiles = drawing.end.next_multiple_of(WORKSPACE_ALIGNMENT);
        let bytes = tiles + TILE_BYTES * u64::from(tile_count(options));
        Self {
            drawing,
            tiles,
            bytes,
        }
    }
}

fn tile_count(options: &ProximityOptions) -> u32 {
    options.resolution.div_ceil(TILE).pow(2)
}

pub(crate) fn record(
    meeting: &Meeting,
    options: &ProximityOptions,
    canvas: &Canvas,
    phase: usize,
    recorder: &mut Recorder,
    place: &Place,
) -> Result<()> {
    let layout = Layout::of(meeting, options);
    let tiles = place.part(layout.tiles, TILE_BYTES * u64::from(tile_count(options)));
    let picture = Picture {
        meeting,
        path: options.path,
        layout: layout.drawing,
    };
    match phase {
        0 => {
            compute::record(meeting, options, 0, recorder, place)?;
            picture.record_start(recorder, place, options.resolution, (least(meeting), false));
            Ok(())
        }
        1 | 2 => compute::record(meeting, options, phase, recorder, place),
        3 => record_bins(&picture, options, recorder, place),
        4 => picture.record_scan(recorder, place),
        5 => picture.record_list(recorder, place),
        // In one phase, so that queries can share a canvas.
        _ => {
            record_picture(&picture, canvas, recorder, place)?;
            recorder.barrier(Access::Any, Access::Compute);
            let across = options.resolution.div_ceil(TILE);
            let bound = [Bound::Attachment(&canvas.colours[0]), tiles];
            recorder.dispatch(&shader::PROXIMITY_TILES, &bound, &(), [across, across, 1])?;
            recorder.barrier(Access::Compute, Access::Compute);
            record_answer(&picture, options, canvas, tiles, recorder, place)
        }
    }
}

/// A value below all that is drawn: no distance within the field is farther below zero than its domain is wide.
fn least(meeting: &Meeting) -> f32 {
    let data = &meeting.field.data;
    -1.1 * data.grid.domain().size().length() - 4.0 * data.error()
}

fn record_bins(
    picture: &Picture,
    options: &ProximityOptions,
    recorder: &mut Recorder,
    place: &Place,
) -> Result<()> {
    let meeting = picture.meeting;
    let device = recorder.device().clone();
    let mut bound = meeting.bound(&device).to_vec();
    bound.extend(compute::state_and_bounds(meeting, options, place));
    bound.extend([picture.layout.state(place), picture.layout.masks(place)]);
    bound.extend(meeting.field.texture.bound());
    let clusters = meeting.mesh.clusters.len() as u32;
    let groups = clusters.div_ceil(CLUSTERS_PER_GROUP).min(MAX_GROUPS);
    let kernel = BIN[meeting.variant(&device)];
    recorder.dispatch(kernel, &bound, &(), [groups, 1, 1])
}

fn record_picture(
    picture: &Picture,
    canvas: &Canvas,
    recorder: &mut Recorder,
    place: &Place,
) -> Result<()> {
    let nothing = Start::Colour([0.0, 0.0, 0.0, f32::INFINITY]);
    let starts = [
        nothing,
        Start::Integers([u32::MAX; 4]),
        Start::Depth(1.0, 0),
    ];
    let state = State {
        depth: Some(DepthTest {
            compare: Compare::Less,
            write: true,
        }),
        ..State::default()
    };
    let texture = &picture.meeting.field.texture;
    let fragment = match texture.sampling() {
        Sampling::Direction => &shader::PROXIMITY_DIRECTION_FRAG,
        Sampling::Distance => &shader::PROXIMITY_DISTANCE_FRAG,
        Sampling::Sparse => &shader::PROXIMITY_SPARSE_FRAG,
    };
    let mut pass = recorder.pass(&canvas.targets, &starts)?;
    let grown = true;
    picture.draw(
        &mut pass,
        place,
        fragment,
        &texture.bound(),
        (state, grown),
        0..3,
    )
}

fn record_answer(
    picture: &Picture,
    options: &ProximityOptions,
    canvas: &Canvas,
    tiles: Bound,
    recorder: &mut Recorder,
    place: &Place,
) -> Result<()> {
    let meeting = picture.meeting;
    let device = recorder.device().clone();
    let [state, _] = compute::state_and_bounds(meeting, options, place);
    let mut bound = meeting.bound(&device).to_vec();
    bound.extend([
        state,
        Bound::Buffer(place.results),
        picture.layout.state(place),
        tiles,
        Bound::Attachment(&canvas.colours[0]),
        Bound::Attachment(&canvas.colours[1]),
    ]);
    bound.extend(meeting.field.texture.bound());
    let kernel = PIXEL[meeting.variant(&device)];
    recorder.dispatch(kernel, &bound, &tile_count(options), [1, 1, 1])
}

/// The kernels, each in the order of [`Meeting::variant`].
static BIN: [&Shader; 6] = [
    &shader::PROXIMITY_BIN_TEXEL_DIRECTION,
    &shader::PROXIMITY_BIN_TEXEL_DISTANCE,
    &shader::PROXIMITY_BIN_TEXEL_SPARSE,
    &shader::PROXIMITY_BIN_STORAGE_DIRECTION,
    &shader::PROXIMITY_BIN_STORAGE_DISTANCE,
    &shader::PROXIMITY_BIN_STORAGE_SPARSE,
];
static PIXEL: [&Shader; 6] = [
    &shader::PROXIMITY_PIXEL_TEXEL_DIRECTION,
    &shader::PROXIMITY_PIXEL_TEXEL_DISTANCE,
    &shader::PROXIMITY_PIXEL_TEXEL_SPARSE,
    &shader::PROXIMITY_PIXEL_STORAGE_DIRECTION,
    &shader::PROXIMITY_PIXEL_STORAGE_DISTANCE,
    &shader::PROXIMITY_PIXEL_STORAGE_SPARSE,
];
