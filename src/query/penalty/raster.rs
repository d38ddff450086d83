//! Penalty by drawing (Morvan et al. 2008, section 3.4): the force of each penetrating fragment, weighted by the area that it stands
//! for, is blended into its pixel, and a reduction in a fixed order adds up the pixels.
//!
//! Areas, depths and the integral of the depth are bounded by kernels, from the middles of the triangles.

use super::{PenaltyOptions, compute};
use crate::error::{Error, Result};
use crate::gpu::attachment::Format;
use crate::gpu::buffer::Buffer;
use crate::gpu::canvas::Canvas;
use crate::gpu::pass::{Draw, Pass, Start};
use crate::gpu::paths::DeviceFeature;
use crate::gpu::raster::{Blend, Compare, DepthTest, PipelineState, Stages};
use crate::gpu::recorder::{Bound, Recorder, Texture};
use crate::gpu::shader::blocks::{BodyPush, PenaltyCertain, PicturePush};
use crate::gpu::shader::kernels::{
    BodyDepthFrag, PenaltyBin, PenaltyFrag, PenaltyPicture, PenaltyTiles, WholeViewVert,
};
use crate::query::Resources;
use crate::query::drawing::{self, DrawStep, Picture};
use crate::query::meeting::Meeting;
use crate::query::proximity::SamplingPath;
use crate::query::workspace::Place;
use std::ops::Range;
use std::sync::Arc;

/// The steps of a query that draws.
pub(super) const STEPS: [super::Step; 6] = [
    super::Step::Drawn(DrawStep::Start),
    super::Step::Kernel(compute::Step::Clusters),
    super::Step::Drawn(DrawStep::Bin),
    super::Step::Drawn(DrawStep::BinStarts),
    super::Step::Drawn(DrawStep::BinList),
    super::Step::Drawn(DrawStep::Picture),
];

/// Pixels along a side of a tile, of which the sums are kept.
const TILE: u32 = 64;
/// Bytes of a tile: three sums.
const TILE_BYTES: u64 = 48;

/// Force and area; torque and depth; the points on the field's surface and the samples.
const COLOURS: [Format; 3] = [Format::F32x4; 3];

/// What a query draws into, and what it tests fragments against.
pub(super) type PenaltyTargets = (Arc<Canvas>, Option<Arc<Buffer>>);

/// Plans a query, if the device and the mesh allow its path.
pub(super) fn plan(
    resources: &Resources,
    meeting: &Meeting,
    options: &PenaltyOptions,
) -> Result<PenaltyTargets> {
    let device = &resources.device;
    drawing::check(options.path, meeting, device)?;
    if !device.blends(Format::F32x4) {
        return Err(Error::Unsupported(format!(
            "\"{}\" cannot blend 32-bit floats; choose PRX_SAMPLING_PATH_COMPUTE",
            device.physical.name
        )));
    }
    // All views of the geometry shader share one picture, and would need three depths.
    let columns = match options.early_z && options.path != SamplingPath::GeometryShader {
        true => meeting.field.columns(device, &mut resources.staging())?,
        false => None,
    };
    let depth = columns.as_ref().map(|_| Format::Depth32);
    let canvas = (resources.canvases).get(device, &COLOURS, depth, options.resolution)?;
    Ok((canvas, columns))
}

fn body_push(meeting: &Meeting, axis: u32) -> BodyPush {
    let grid = &meeting.field.data.grid;
    BodyPush {
        origin: grid.origin.to_array(),
        cell: grid.spacing,
        nodes: grid.nodes.to_array(),
        axis,
    }
}

fn depth_test(state: PipelineState, compare: Compare, write: bool) -> PipelineState {
    PipelineState {
        depth: Some(DepthTest { compare, write }),
        ..state
    }
}

/// The parts of the working memory after those of the kernels: of what is drawn, of what is certain, and the tiles.
const DRAWING: usize = compute::PARTS;
const CERTAIN: usize = DRAWING + drawing::PARTS;
const TILES: usize = CERTAIN + 1;
/// How many they are.
pub(super) const PARTS: usize = drawing::PARTS + 2;

/// Bytes of these parts.
pub(super) fn parts(meeting: &Meeting, options: &PenaltyOptions) -> Vec<u64> {
    let mut parts = drawing::parts(meeting, options.path).to_vec();
    parts.extend([
        size_of::<PenaltyCertain>() as u64 * meeting.mesh.clusters.len() as u64,
        TILE_BYTES * u64::from(tile_count(options)),
    ]);
    parts
}

fn tile_count(options: &PenaltyOptions) -> u32 {
    options.resolution.div_ceil(TILE).pow(2)
}

/// A planned query and where it is recorded.
pub(super) struct PenaltyDrawing<'a> {
    pub meeting: &'a Meeting,
    pub options: &'a PenaltyOptions,
    pub velocities: Option<Bound<'a>>,
    pub canvas: &'a Canvas,
    /// Where the field's body begins and ends, if fragments are tested against that.
    pub columns: Option<&'a Buffer>,
}

impl PenaltyDrawing<'_> {
    pub(super) fn record(
        &self,
        step: DrawStep,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let (meeting, options) = (self.meeting, self.options);
        let picture = Picture {
            meeting,
            path: options.path,
            first: DRAWING,
        };
        match step {
            DrawStep::Start => {
                let moving = self.velocities.is_some();
                picture.record_start(recorder, place, options.resolution, (0.0, moving));
                let start = compute::Step::Start;
                compute::record(meeting, options, self.velocities, start, place, recorder)
            }
            DrawStep::Bin => self.record_bins(&picture, recorder, place),
            DrawStep::BinStarts => picture.record_scan(recorder, place),
            DrawStep::BinList => picture.record_list(recorder, place),
            DrawStep::Picture => {
                self.record_picture(&picture, recorder, place)?;
                recorder.order();
                self.record_sums(recorder, place)
            }
        }
    }

    fn record_bins(&self, picture: &Picture, recorder: &mut Recorder, place: &Place) -> Result<()> {
        let meeting = self.meeting.bindings(recorder.device());
        let kernel = PenaltyBin {
            fetch: meeting.fetch(),
            meeting,
            query: place.part(compute::PARAMS),
            touching: place.part(compute::TOUCHING),
            state: picture.state(place),
            masks: picture.masks(place),
            certain: place.part(CERTAIN),
            field: self.meeting.field.bindings(recorder.device()),
        };
        let groups = picture.cluster_groups(recorder.device());
        recorder.dispatch(&kernel, &(), groups)
    }

    /// Draws everything at once, or one view after the other over the depths of the body.
    fn record_picture(
        &self,
        picture: &Picture,
        recorder: &mut Recorder,
        place: &Place,
    ) -> Result<()> {
        let blended = PipelineState {
            blend: Blend::Add,
            ..PipelineState::default()
        };
        let nothing = Start::Colour([0.0; 4]);
        let Some(columns) = self.columns else {
            let mut pass = recorder.pass(&self.canvas.targets, &[nothing; 3])?;
            return self.draw(&mut pass, picture, place, blended, 0..3);
        };
        let bounded = recorder.device().paths.on(DeviceFeature::DepthBounds);
        let before = depth_test(blended, Compare::Always, true);
        // Views are turned so that what can penetrate is always deeper than where the body begins.
        let behind = PipelineState {
            depth_bounds: bounded,
            ..depth_test(blended, Compare::GreaterOrEqual, false)
        };
        for axis in 0..3 {
            let start = if axis == 0 { nothing } else { Start::Keep };
            let starts = [start, start, start, Start::Depth(1.0, 0)];
            let mut pass = recorder.pass(&self.canvas.targets, &starts)?;
            let fragment = BodyDepthFrag {
                state: picture.state(place),
                columns: Bound::whole(columns),
            };
            let body = Stages {
                vertex: &WholeViewVert {},
                geometry: None,
                fragment: Some(&fragment),
                state: before,
            };
            pass.bind(&body, &body_push(self.meeting, axis))?;
            pass.draw(Draw::vertices(3));
            if bounded {
                // Where the body is not, there is nothing to look at.
                pass.depth_bounds(0.0, 1.0 - f32::EPSILON / 2.0);
            }
            self.draw(&mut pass, picture, place, behind, axis..axis + 1)?;
        }
        Ok(())
    }

    fn draw(
        &self,
        pass: &mut Pass,
        picture: &Picture,
        place: &Place,
        state: PipelineState,
        axes: Range<u32>,
    ) -> Result<()> {
        let query = place.part(compute::PARAMS);
        let fragment = PenaltyFrag {
            query,
            field: self.meeting.field.texture.bindings(),
        };
        // Without velocities nothing is read there.
        let velocities = self.velocities.unwrap_or(query);
        picture.draw(pass, place, &fragment, Some(velocities), state, axes)
    }

    fn record_sums(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        let across = self.options.resolution.div_ceil(TILE);
        let [forces, torques, centroids] =
            std::array::from_fn(|i| Texture::Attachment(&self.canvas.colours[i]));
        let kernel = PenaltyTiles {
            forces,
            torques,
            centroids,
            tiles: place.part(TILES),
        };
        recorder.dispatch(&kernel, &(), [across, across, 1])?;
        recorder.order();
        let kernel = PenaltyPicture {
            query: place.part(compute::PARAMS),
            touching: place.part(compute::TOUCHING),
            certain: place.part(CERTAIN),
            tiles: place.part(TILES),
            answers: place.answer(),
        };
        let tiles = tile_count(self.options);
        recorder.dispatch(&kernel, &PicturePush { tiles }, [1, 1, 1])
    }
}
