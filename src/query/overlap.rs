//! Overlap: does a mesh touch or enter a field's body? Asked by drawing and answered by occlusion queries (Morvan et al. 2008,
//! section 6), so that two counts are all that comes back.
//!
//! Nothing is missed: triangles that the Lipschitz bound at their middle does not clear are drawn along their dominant axis,
//! grown to every pixel that they touch, and a fragment is counted unless the field clears all of the triangle within its pixel.

use super::meeting::{Meeting, MeetingParams, Place, WORKSPACE_ALIGNMENT};
use super::phases::Phased;
use super::proximity::{USUAL_RESOLUTION, check_resolution};
use super::views::Views;
use crate::error::Result;
use crate::field::texture::Sampling;
use crate::gpu::device::Device;
use crate::gpu::occlusion::OcclusionQueries;
use crate::gpu::pass::{Draw, Targets};
use crate::gpu::raster::{Raster, State};
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::scene::mesh::Mesh;
use bytemuck::{Pod, Zeroable};
use std::mem::offset_of;
use std::sync::Arc;

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

/// See `overlap.glsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct QueryState {
    meeting: MeetingParams,
    views: Views,
    vertices: u32,
    instances: u32,
    first_vertex: u32,
    first_instance: u32,
    inside: u32,
    pad0: u32,
    pad1: u32,
    pad2: u32,
}

/// Bytes of a triangle that is drawn: three corners.
const DRAWN_BYTES: u64 = 48;
/// Clusters that a workgroup takes.
const CLUSTERS_PER_GROUP: u32 = 16;
/// Every device allows this many workgroups.
const MAX_GROUPS: u32 = 65_535;
/// The counts of fragments: those that may touch, those that surely do.
const COUNTS: u32 = 2;

/// A planned overlap query.
pub(crate) struct OverlapQuery {
    meeting: Meeting,
    options: OverlapOptions,
    targets: Targets,
    counts: OcclusionQueries,
}

impl OverlapQuery {
    pub(crate) fn plan(
        device: &Arc<Device>,
        meeting: Meeting,
        options: OverlapOptions,
    ) -> Result<Self> {
        meeting.validate()?;
        check_resolution(options.resolution)?;
        let bytes = meeting.mesh.triangles.len() as u64 * DRAWN_BYTES;
        device.check_storage(bytes, "triangles to draw", "split the mesh")?;
        Ok(Self {
            targets: Targets::new(device, Vec::new(), None, [options.resolution; 2])?,
            counts: OcclusionQueries::new(device, COUNTS)?,
            meeting,
            options,
        })
    }

    pub(crate) fn result_bytes(&self) -> u64 {
        4 * u64::from(COUNTS)
    }

    pub(crate) fn answer(&self, bytes: &[u8]) -> Overlap {
        let [possible, certain]: [u32; 2] = bytemuck::pod_read_unaligned(&bytes[..8]);
        Overlap {
            overlap: possible > 0,
            certain: possible == 0 || certain > 0,
            samples: possible,
        }
    }

    fn drawn(&self) -> (u64, u64) {
        let start = (size_of::<QueryState>() as u64).next_multiple_of(WORKSPACE_ALIGNMENT);
        (
            start,
            self.meeting.mesh.triangles.len() as u64 * DRAWN_BYTES,
        )
    }

    fn record_start(&self, recorder: &mut Recorder, place: &Place) {
        let meeting = self.meeting.params(recorder.device());
        let state = QueryState {
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
        recorder.write(place.workspace, place.start, &state);
        recorder.reset_queries(&self.counts);
    }

    fn record_cull(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        let device = recorder.device().clone();
        let (start, bytes) = self.drawn();
        let mut bound = self.meeting.bound(&device).to_vec();
        bound.push(place.part(0, size_of::<QueryState>() as u64));
        bound.push(place.part(start, bytes));
        bound.extend(self.meeting.field.texture.bound());
        let clusters = self.meeting.mesh.clusters.len() as u32;
        let groups = clusters.div_ceil(CLUSTERS_PER_GROUP).min(MAX_GROUPS);
        let kernel = CULL[self.meeting.variant(&device)];
        recorder.dispatch(kernel, &bound, &(), [groups, 1, 1])
    }

    /// Records that one triangle which is surely inside is drawn instead of all.
    fn record_inside(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        let device = recorder.device().clone();
        let (start, bytes) = self.drawn();
        let mut bound = self.meeting.bound(&device).to_vec();
        bound.push(place.part(0, size_of::<QueryState>() as u64));
        bound.push(place.part(start, bytes));
        let kernel = inside(self.meeting.is_texel(&device));
        recorder.dispatch(kernel, &bound, &(), [1, 1, 1])
    }

    fn record_draws(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        let (start, bytes) = self.drawn();
        let mut bound: Vec<Bound> = vec![
            place.part(0, size_of::<QueryState>() as u64),
            place.part(start, bytes),
        ];
        bound.extend(self.meeting.field.texture.bound());
        let draw = Draw::Indirect {
            commands: place.workspace,
            offset: place.start + offset_of!(QueryState, vertices) as u64,
        };
        let mut pass = recorder.pass(&self.targets, &[])?;
        for (at, fragment) in fragments(self.meeting.field.texture.sampling())
            .into_iter()
            .enumerate()
        {
            let raster = Raster {
                vertex: &shader::OVERLAP_VERT,
                geometry: None,
                fragment: Some(fragment),
                state: State::default(),
            };
            pass.counted(&self.counts, at as u32, |pass| {
                pass.take(&raster, &bound, &())?;
                pass.draw(draw);
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl Phased for OverlapQuery {
    fn mesh(&self) -> &Arc<Mesh> {
        &self.meeting.mesh
    }

    fn workspace_bytes(&self) -> u64 {
        let (start, bytes) = self.drawn();
        start + bytes
    }

    fn phases(&self) -> usize {
        4
    }

    fn record(&self, phase: usize, recorder: &mut Recorder, place: &Place) -> Result<()> {
        match phase {
            0 => self.record_start(recorder, place),
            1 => self.record_cull(recorder, place)?,
            2 => self.record_inside(recorder, place)?,
            _ => {
                self.record_draws(recorder, place)?;
                // Kernels of other queries in this phase write to other places of the same buffer, which they bind as a whole.
                recorder.barrier(Access::Compute, Access::Transfer);
                recorder.copy_queries(&self.counts, COUNTS, place.results, place.offset);
                recorder.barrier(Access::Transfer, Access::Compute);
            }
        }
        Ok(())
    }
}

/// What counts the fragments that may touch, and those that surely do.
fn fragments(sampling: Sampling) -> [&'static Shader; 2] {
    match sampling {
        Sampling::Direction => [
            &shader::OVERLAP_POSSIBLE_DIRECTION_FRAG,
            &shader::OVERLAP_CERTAIN_DIRECTION_FRAG,
        ],
        Sampling::Distance => [
            &shader::OVERLAP_POSSIBLE_DISTANCE_FRAG,
            &shader::OVERLAP_CERTAIN_DISTANCE_FRAG,
        ],
        Sampling::Sparse => [
            &shader::OVERLAP_POSSIBLE_SPARSE_FRAG,
            &shader::OVERLAP_CERTAIN_SPARSE_FRAG,
        ],
    }
}

fn inside(texel: bool) -> &'static Shader {
    match texel {
        true => &shader::OVERLAP_INSIDE_TEXEL,
        false => &shader::OVERLAP_INSIDE_STORAGE,
    }
}

/// In the order of [`Meeting::variant`].
static CULL: [&Shader; 6] = [
    &shader::OVERLAP_CULL_TEXEL_DIRECTION,
    &shader::OVERLAP_CULL_TEXEL_DISTANCE,
    &shader::OVERLAP_CULL_TEXEL_SPARSE,
    &shader::OVERLAP_CULL_STORAGE_DIRECTION,
    &shader::OVERLAP_CULL_STORAGE_DISTANCE,
    &shader::OVERLAP_CULL_STORAGE_SPARSE,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree() {
        let others = [&shader::OVERLAP_VERT, inside(true), inside(false)];
        for shader in CULL.into_iter().chain(others) {
            assert_layout!(
                shader,
                "OverlapQuery",
                QueryState {
                    meeting,
                    views,
                    vertices,
                    instances,
                    first_vertex,
                    first_instance,
                    inside,
                    pad0,
                    pad1,
                    pad2
                }
            );
            assert_layout!(
                shader,
                "Views",
                Views {
                    low,
                    resolution,
                    high,
                    shift
                }
            );
        }
    }
}
