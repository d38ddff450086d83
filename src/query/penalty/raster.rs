//! Penalty by drawing (Morvan et al. 2008, section 3.4): the force of each penetrating fragment, weighted by the area that it stands
//! for, is blended into its pixel, and a reduction in a fixed order adds up the pixels.
//!
//! Areas, depths and the integral of the depth are bounded by kernels, from the middles of the triangles.

use super::{PenaltyOptions, compute};
use crate::error::{Error, Result};
use crate::field::texture::Sampling;
use crate::gpu::attachment::Format;
use crate::gpu::buffer::Buffer;
use crate::gpu::canvas::{Canvas, Canvases};
use crate::gpu::device::Device;
use crate::gpu::pass::{Draw, Pass, Start};
use crate::gpu::paths::Feature;
use crate::gpu::raster::{Blend, Compare, DepthTest, Raster, State};
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::gpu::staging::Staging;
use crate::query::drawing::{self, CLUSTERS_PER_GROUP, MAX_GROUPS, Picture};
use crate::query::meeting::{Meeting, Place, WORKSPACE_ALIGNMENT};
use crate::query::proximity::SamplingPath;
use bytemuck::{Pod, Zeroable};
use std::ops::Range;
use std::sync::Arc;

/// Start, clusters, bins, their starts, the list, the picture and what is read from it.
pub(crate) const PHASES: usize = 6;

/// Pixels along a side of a tile, of which the sums are kept.
const TILE: u32 = 64;
/// Bytes of a tile: three sums.
const TILE_BYTES: u64 = 48;
/// Bytes of what is certain of a cluster: see `penalty_certain.glsl`.
const CERTAIN_BYTES: u64 = 48;

/// Force and area; torque and depth; the points on the field's surface and the samples.
const COLOURS: [Format; 3] = [Format::F32x4; 3];

/// What a query draws into, and what it tests fragments against.
pub(crate) type Planned = (Arc<Canvas>, Option<Arc<Buffer>>);

/// Plans a query, if the device and the mesh allow its path.
pub(crate) fn plan(
    device: &Arc<Device>,
    staging: &mut Staging,
    canvases: &Canvases,
    meeting: &Meeting,
    options: &PenaltyOptions,
) -> Result<Planned> {
    drawing::check(options.path, meeting, device)?;
    if !device.blends(Format::F32x4) {
        return Err(Error::Unsupported(format!(
            "\"{}\" cannot blend 32-bit floats; choose PRX_SAMPLING_PATH_COMPUTE",
            device.physical.name
        )));
    }
    // All views of the geometry shader share one picture, and would need three depths.
    let columns = match options.early_z && options.path != SamplingPath::GeometryShader {
        true => meeting.field.columns(device, staging)?,
        false => None,
    };
    let depth = columns.as_ref().map(|_| Format::Depth32);
    let canvas = canvases.get(device, &COLOURS, depth, options.resolution)?;
    Ok((canvas, columns))
}

/// See `body_depth.frag`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct BodyPush {
    origin: [f32; 3],
    cell: f32,
    nodes: [u32; 3],
    axis: u32,
}

impl BodyPush {
    fn of(meeting: &Meeting, axis: u32) -> Self {
        let grid = &meeting.field.data.grid;
        Self {
            origin: grid.origin.to_array(),
            cell: grid.spacing,
            nodes: grid.nodes.to_array(),
            axis,
        }
    }
}

fn depth_test(state: State, compare: Compare, write: bool) -> State {
    State {
        depth: Some(DepthTest { compare, write }),
        ..state
    }
}

/// The parts of the working memory: those of the compute path, of what is drawn, of what is certain, and the tiles.
pub(crate) struct Layout {
    drawing: drawing::Layout,
    certain: u64,
    tiles: u64,
    /// All of it.
    pub bytes: u64,
}

impl Layout {
    pub(crate) fn of(meeting: &Meeting, options: &PenaltyOptions) -> Self {
        let before = compute::Layout::of(meeting).bytes;
        let drawing = drawing::Layout::of(meeting, options.path, before);
        let certain = drawing.end.next_multiple_of(WORKSPACE_ALIGNMENT);
        let tiles = (certain + certain_bytes(meeting)).next_multiple_of(WORKSPACE_ALIGNMENT);
        let bytes = tiles + TILE_BYTES * u64::from(tile_count(options));
        Self {
            drawing,
            certain,
            tiles,
            bytes,
        }
    }
}

fn certain_bytes(meeting: &Meeting) -> u64 {
    CERTAIN_BYTES * meeting.mesh.clusters.len() as u64
}

fn tile_count(options: &PenaltyOptions) -> u32 {
    options.resolution.div_ceil(TILE).pow(2)
}

/// A planned query and where it is recorded.
pub(crate) struct Drawn<'a> {
    pub meeting: &'a Meeting,
    pub options: &'a PenaltyOptions,
    pub velocities: Option<&'a Buffer>,
    pub canvas: &'a Canvas,
    /// Where the field's body begins and ends, if fragments are tested against that.
    pub columns: Option<&'a Buffer>,
}

impl Drawn<'_> {
    pub(crate) fn record(
        &self,
        phase: usize,
        recorder: &mut Recorder,
        place: &Place,
    ) -> Result<()> {
        let layout = Layout::of(self.meeting, self.options);
        let certain = place.part(layout.certain, certain_bytes(self.meeting));
        let tiles = place.part(
            layout.tiles,
            TILE_BYTES * u64::from(tile_count(self.options)),
        );
        let picture = Picture {
            meeting: self.meeting,
            path: self.options.path,
            layout: layout.drawing,
        };
        let before = |recorder: &mut Recorder| {
            compute::record(
                self.meeting,
                self.options,
                self.velocities,
                phase,
                recorder,
                place,
            )
        };
        match phase {
            0 => {
                before(recorder)?;
                picture.record_start(
                    recorder,
                    place,
                    self.options.resolution,
                    (0.0, self.velocities.is_some()),
                );
                Ok(())
            }
            1 => before(recorder),
            2 => self.record_bins(&picture, certain, recorder, place),
            3 => picture.record_scan(recorder, place),
            4 => picture.record_list(recorder, place),
            // In one phase, so that queries can share a canvas.
            _ => {
                self.record_picture(&picture, recorder, place)?;
                recorder.barrier(Access::Any, Access::Compute);
                self.record_sums(certain, tiles, recorder, place)
            }
        }
    }

    fn record_bins(
        &self,
        picture: &Picture,
        certain: Bound,
        recorder: &mut Recorder,
        place: &Place,
    ) -> Result<()> {
        let device = recorder.device().clone();
        let mut bound = self.meeting.bound(&device).to_vec();
        bound.extend(compute::params_and_touching(self.meeting, place));
        bound.extend([
            picture.layout.state(place),
            picture.layout.masks(place),
            certain,
        ]);
        bound.extend(self.meeting.field.texture.bound());
        let clusters = self.meeting.mesh.clusters.len() as u32;
        let groups = clusters.div_ceil(CLUSTERS_PER_GROUP).min(MAX_GROUPS);
        let kernel = BIN[self.meeting.variant(&device)];
        recorder.dispatch(kernel, &bound, &(), [groups, 1, 1])
    }

    /// Draws everything at once, or one view after the other over the depths of the body.
    fn record_picture(
        &self,
        picture: &Picture,
        recorder: &mut Recorder,
        place: &Place,
    ) -> Result<()> {
        let blended = State {
            blend: Blend::Add,
            ..State::default()
        };
        let nothing = Start::Colour([0.0; 4]);
        let Some(columns) = self.columns else {
            let mut pass = recorder.pass(&self.canvas.targets, &[nothing; 3])?;
            return self.draw(&mut pass, picture, place, blended, 0..3);
        };
        let bounded = recorder.device().paths.on(Feature::DepthBounds);
        let before = depth_test(blended, Compare::Always, true);
        // Views are turned so that what can penetrate is always deeper than where the body begins.
        let behind = State {
            depth_bounds: bounded,
            ..depth_test(blended, Compare::GreaterOrEqual, false)
        };
        for axis in 0..3 {
            let start = if axis == 0 { nothing } else { Start::Keep };
            let starts = [start, start, start, Start::Depth(1.0, 0)];
            let mut pass = recorder.pass(&self.canvas.targets, &starts)?;
            let body = Raster {
                vertex: &shader::WHOLE_VIEW_VERT,
                geometry: None,
                fragment: Some(&shader::BODY_DEPTH_FRAG),
                state: before,
            };
            let bound = [picture.layout.state(place), Bound::Buffer(columns)];
            pass.take(&body, &bound, &BodyPush::of(self.meeting, axis))?;
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
        state: State,
        axes: Range<u32>,
    ) -> Result<()> {
        let texture = &self.meeting.field.texture;
        let fragment = match texture.sampling() {
            Sampling::Direction => &shader::PENALTY_DIRECTION_FRAG,
            Sampling::Distance => &shader::PENALTY_DISTANCE_FRAG,
            Sampling::Sparse => &shader::PENALTY_SPARSE_FRAG,
        };
        let [params, _] = compute::params_and_touching(self.meeting, place);
        // Without velocities nothing is read there.
        let mut own = vec![self.velocities.map_or(params, Bound::Buffer), params];
        own.extend(texture.bound());
        let grown = false;
        picture.draw(pass, place, fragment, &own, (state, grown), axes)
    }

    fn record_sums(
        &self,
        certain: Bound,
        tiles: Bound,
        recorder: &mut Recorder,
        place: &Place,
    ) -> Result<()> {
        let across = self.options.resolution.div_ceil(TILE);
        let mut bound: Vec<Bound> = self
            .canvas
            .colours
            .iter()
            .map(|c| Bound::Attachment(c))
            .collect();
        bound.push(tiles);
        recorder.dispatch(&shader::PENALTY_TILES, &bound, &(), [across, across, 1])?;
        recorder.barrier(Access::Compute, Access::Compute);
        let [params, touching] = compute::params_and_touching(self.meeting, place);
        let bound = [
            params,
            touching,
            certain,
            tiles,
            Bound::Buffer(place.results),
        ];
        let count = tile_count(self.options);
        recorder.dispatch(&shader::PENALTY_PICTURE, &bound, &count, [1, 1, 1])
    }
}

/// In the order of [`Meeting::variant`].
static BIN: [&Shader; 6] = [
    &shader::PENALTY_BIN_TEXEL_DIRECTION,
    &shader::PENALTY_BIN_TEXEL_DISTANCE,
    &shader::PENALTY_BIN_TEXEL_SPARSE,
    &shader::PENALTY_BIN_STORAGE_DIRECTION,
    &shader::PENALTY_BIN_STORAGE_DISTANCE,
    &shader::PENALTY_BIN_STORAGE_SPARSE,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree() {
        assert_layout!(
            shader::BODY_DEPTH_FRAG,
            "BodyPush",
            BodyPush {
                origin,
                cell,
                nodes,
                axis
            }
        );
        for kernel in BIN.into_iter().chain([&shader::PENALTY_PICTURE]) {
            let block = kernel.block("PenaltyCertain").expect("it is kept");
            assert_eq!(u64::from(block.size).next_multiple_of(16), CERTAIN_BYTES);
        }
    }
}
