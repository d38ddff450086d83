//! Proximity by drawing (Morvan et al. 2008, section 3.3): the field's lower bound over a pixel's part of a triangle is the
//! fragment's depth, each pixel keeps the least, and a reduction finds the least of all.
//!
//! The kernels of the compute path come first, up to the best upper bound of all triangles: what cannot be nearer lies outside of
//! the views, and the binned path does not draw it at all.

use super::{ProximityOptions, compute};
use crate::error::Result;
use crate::gpu::attachment::Format;
use crate::gpu::canvas::Canvas;
use crate::gpu::pass::Start;
use crate::gpu::raster::{Compare, DepthTest, PipelineState};
use crate::gpu::recorder::{Recorder, Texture};
use crate::gpu::shader::blocks::PixelPush;
use crate::gpu::shader::kernels::{ProximityBin, ProximityFrag, ProximityPixel, ProximityTiles};
use crate::query::Resources;
use crate::query::drawing::{self, DrawStep, Picture};
use crate::query::meeting::Meeting;
use crate::query::workspace::Place;
use std::sync::Arc;

/// The steps of a query that draws.
pub(super) const STEPS: [super::Step; 7] = [
    super::Step::Drawn(DrawStep::Start),
    super::Step::Kernel(compute::Step::Clusters),
    super::Step::Kernel(compute::Step::Triangles),
    super::Step::Drawn(DrawStep::Bin),
    super::Step::Drawn(DrawStep::BinStarts),
    super::Step::Drawn(DrawStep::BinList),
    super::Step::Drawn(DrawStep::Picture),
];

/// Pixels along a side of a tile, of which one is kept.
const TILE: u32 = 64;
/// Bytes of a tile.
const TILE_BYTES: u64 = 8;

/// Where each pixel's nearest fragment is and what it is worth; which triangle it is of.
const COLOURS: [Format; 2] = [Format::F32x4, Format::Uint];

/// A canvas for a query, if the device and the mesh allow its path.
pub(super) fn plan(
    resources: &Resources,
    meeting: &Meeting,
    options: &ProximityOptions,
) -> Result<Arc<Canvas>> {
    let device = &resources.device;
    drawing::check(options.path, meeting, device)?;
    let depth = Some(Format::Depth32);
    (resources.canvases).get(device, &COLOURS, depth, options.resolution)
}

/// The parts of the working memory after those of the kernels: of what is drawn, and the tiles.
const DRAWING: usize = compute::PARTS;
const TILES: usize = DRAWING + drawing::PARTS;

/// Bytes of these parts.
pub(super) fn parts(meeting: &Meeting, options: &ProximityOptions) -> Vec<u64> {
    let mut parts = drawing::parts(meeting, options.path).to_vec();
    parts.push(TILE_BYTES * u64::from(tile_count(options)));
    parts
}

fn tile_count(options: &ProximityOptions) -> u32 {
    options.resolution.div_ceil(TILE).pow(2)
}

pub(super) fn record(
    meeting: &Meeting,
    options: &ProximityOptions,
    canvas: &Canvas,
    step: DrawStep,
    place: &Place,
    recorder: &mut Recorder,
) -> Result<()> {
    let picture = Picture {
        meeting,
        path: options.path,
        first: DRAWING,
    };
    match step {
        DrawStep::Start => {
            picture.record_start(recorder, place, options.resolution, (least(meeting), false));
            compute::record(meeting, options, compute::Step::Start, place, recorder)
        }
        DrawStep::Bin => record_bins(&picture, recorder, place),
        DrawStep::BinStarts => picture.record_scan(recorder, place),
        DrawStep::BinList => picture.record_list(recorder, place),
        DrawStep::Picture => {
            record_picture(&picture, canvas, recorder, place)?;
            recorder.order();
            let across = options.resolution.div_ceil(TILE);
            let kernel = ProximityTiles {
                points: Texture::Attachment(&canvas.colours[0]),
                tiles: place.part(TILES),
            };
            recorder.dispatch(&kernel, &(), [across, across, 1])?;
            recorder.order();
            record_answer(&picture, options, canvas, recorder, place)
        }
    }
}

/// A value below all that is drawn: no distance within the field is farther below zero than its domain is wide.
fn least(meeting: &Meeting) -> f32 {
    let data = &meeting.field.data;
    -1.1 * data.grid.domain().size().length() - 4.0 * data.error()
}

fn record_bins(picture: &Picture, recorder: &mut Recorder, place: &Place) -> Result<()> {
    let meeting = picture.meeting;
    let mesh = meeting.bindings(recorder.device());
    let kernel = ProximityBin {
        fetch: mesh.fetch(),
        meeting: mesh,
        query: place.part(compute::STATE),
        bounds: place.part(compute::BOUNDS),
        state: picture.state(place),
        masks: picture.masks(place),
        field: meeting.field.bindings(recorder.device()),
    };
    let groups = picture.cluster_groups(recorder.device());
    recorder.dispatch(&kernel, &(), groups)
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
    let state = PipelineState {
        depth: Some(DepthTest {
            compare: Compare::Less,
            write: true,
        }),
        ..PipelineState::default()
    };
    let fragment = ProximityFrag {
        state: picture.state(place),
        field: picture.meeting.field.bindings(recorder.device()),
    };
    let mut pass = recorder.pass(&canvas.targets, &starts)?;
    picture.draw(&mut pass, place, &fragment, None, state, 0..3)
}

fn record_answer(
    picture: &Picture,
    options: &ProximityOptions,
    canvas: &Canvas,
    recorder: &mut Recorder,
    place: &Place,
) -> Result<()> {
    let meeting = picture.meeting;
    let mesh = meeting.bindings(recorder.device());
    let kernel = ProximityPixel {
        fetch: mesh.fetch(),
        meeting: mesh,
        query: place.part(compute::STATE),
        answers: place.answer(),
        state: picture.state(place),
        tiles: place.part(TILES),
        points: Texture::Attachment(&canvas.colours[0]),
        triangles: Texture::Attachment(&canvas.colours[1]),
        field: meeting.field.bindings(recorder.device()),
    };
    let tiles = tile_count(options);
    recorder.dispatch(&kernel, &PixelPush { tiles }, [1, 1, 1])
}
