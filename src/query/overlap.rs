//! Overlap: does a mesh touch or enter a field's body? Asked by drawing and answered by occlusion queries (Morvan et al. 2008,
//! section 6), so that two counts are all that comes back.
//!
//! Nothing is missed: triangles that the Lipschitz bound at their middle does not clear are drawn along their dominant axis,
//! grown to every pixel that they touch, and a fragment is counted unless the field clears all of the triangle within its pixel.

use super::clusters::Refits;
use super::meeting::{Meeting, MeetingParams};
use super::memory::{Memory, Place};
use super::proximity::{USUAL_RESOLUTION, check_resolution};
use super::views::Views;
use super::{Query, Resources};
use crate::error::Result;
use crate::field::texture::Sampling;
use crate::gpu::occlusion::OcclusionQueries;
use crate::gpu::pass::{Draw, Targets};
use crate::gpu::raster::{Raster, State};
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::{self, Shader};
use bytemuck::{Pod, Zeroable};
use std::mem::offset_of;

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

/// What an overlap query does.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// Writes the state.
    Start,
    /// Lists the triangles that the Lipschitz bound does not clear.
    Cull,
    /// Leaves one triangle that is surely inside, if there is one, instead of all.
    Inside,
    /// Draws and counts.
    Draw,
}

/// The parts of the working memory.
const STATE: usize = 0;
const DRAWN: usize = 1;

/// A planned overlap query.
pub struct OverlapQuery {
    meeting: Meeting,
    options: OverlapOptions,
    targets: Targets,
    counts: OcclusionQueries,
}

impl OverlapQuery {
    /// Whether a mesh touches or enters a field's body.
    pub fn plan(resources: &Resources, meeting: Meeting, options: OverlapOptions) -> Result<Self> {
        let device = &resources.device;
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
        place.write(recorder, STATE, &state);
        recorder.reset_queries(&self.counts);
    }

    fn record_cull(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        let device = recorder.device().clone();
        let mut bound = self.meeting.bound(&device).to_vec();
        bound.extend([STATE, DRAWN].map(|part| place.part(part)));
        bound.extend(self.meeting.field.texture.bound());
        let clusters = self.meeting.mesh.clusters.len() as u32;
        let groups = clusters.div_ceil(CLUSTERS_PER_GROUP).min(MAX_GROUPS);
        let kernel = CULL[self.meeting.variant(&device)];
        recorder.dispatch(kernel, &bound, &(), [groups, 1, 1])
    }

    /// Records that one triangle which is surely inside is drawn instead of all.
    fn record_inside(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        let device = recorder.device().clone();
        let mut bound = self.meeting.bound(&device).to_vec();
        bound.extend([STATE, DRAWN].map(|part| place.part(part)));
        let kernel = inside(self.meeting.is_texel(&device));
        recorder.dispatch(kernel, &bound, &(), [1, 1, 1])
    }

    fn record_draws(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        let mut bound = [STATE, DRAWN].map(|part| place.part(part)).to_vec();
        bound.extend(self.meeting.field.texture.bound());
        let (commands, state) = place.buffer(STATE);
        let draw = Draw::Indirect {
            commands,
            offset: state + offset_of!(QueryState, vertices) as u64,
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

impl Query for OverlapQuery {
    type Answer = Overlap;
    type Step = Step;
    const NAME: &'static str = "overlap";
    const COLLECTS: bool = true;

    fn memory(&self) -> Memory {
        Memory::answer(4 * u64::from(COUNTS)).with([
            size_of::<QueryState>() as u64,
            self.meeting.mesh.triangles.len() as u64 * DRAWN_BYTES,
        ])
    }

    fn prepare(&mut self, refits: &mut Refits) {
        refits.ask(&self.meeting.mesh);
    }

    fn steps(&self) -> &[Step] {
        &[Step::Start, Step::Cull, Step::Inside, Step::Draw]
    }

    fn record(&self, step: Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        match step {
            Step::Start => {
                self.record_start(recorder, place);
                Ok(())
            }
            Step::Cull => self.record_cull(recorder, place),
            Step::Inside => self.record_inside(recorder, place),
            Step::Draw => self.record_draws(recorder, place),
        }
    }

    fn collect(&self, place: &Place, recorder: &mut Recorder) {
        recorder.copy_queries(&self.counts, COUNTS, place.answers, place.offset);
    }

    fn answer(&self, bytes: &[u8]) -> Result<Overlap> {
        let [possible, certain]: [u32; 2] = bytemuck::pod_read_unaligned(bytes);
        Ok(Overlap {
            overlap: possible > 0,
            certain: possible == 0 || certain > 0,
            samples: possible,
        })
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
