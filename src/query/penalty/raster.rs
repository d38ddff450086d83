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
use crate::gpu::pass::Start;
use crate::gpu::raster::{Blend, State};
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::query::drawing::{self, CLUSTERS_PER_GROUP, MAX_GROUPS, Picture};
use crate::query::meeting::{Meeting, Place, WORKSPACE_ALIGNMENT};
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

/// A canvas for a query, if the device and the mesh allow its path.
pub(crate) fn plan(
    device: &Arc<Device>,
    canvases: &Canvases,
    meeting: &Meeting,
    options: &PenaltyOptions,
) -> Result<Arc<Canvas>> {
    drawing::check(options.path, meeting, device)?;
    if !device.blends(Format::F32x4) {
        return Err(Error::Unsupported(format!(
            "\"{}\" cannot blend 32-bit floats; choose PRX_SAMPLING_PATH_COMPUTE",
            device.physical.name
        )));
    }
    canvases.get(device, &COLOURS, None, options.resolution)
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

    fn record_picture(
        &self,
        picture: &Picture,
        recorder: &mut Recorder,
        place: &Place,
    ) -> Result<()> {
        let device = recorder.device().clone();
        let state = State {
            blend: Blend::Add,
            ..State::default()
        };
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
        let mut pass = recorder.pass(&self.canvas.targets, &[Start::Colour([0.0; 4]); 3])?;
        let grown = false;
        picture.draw(&mut pass, place, fragment, &own, (state, grown), &device)
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

    #[test]
    fn host_and_shader_agree_on_the_sizes() {
        for kernel in BIN.into_iter().chain([&shader::PENALTY_PICTURE]) {
            let block = kernel.block("PenaltyCertain").expect("it is kept");
            assert_eq!(u64::from(block.size).next_multiple_of(16), CERTAIN_BYTES);
        }
    }
}
