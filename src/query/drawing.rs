//! What the raster paths share: which triangles are drawn, along which axes, by which shaders (Morvan et al. 2008, sections 3.2 and
//! 4.2). The triangles that a path draws are always the same; the paths differ in who finds each one's axis.

use super::meeting::Meeting;
use super::proximity::SamplingPath;
use super::workspace::Place;
use crate::error::{Error, Result};
use crate::gpu::device::Device;
use crate::gpu::pass::{Draw, Pass};
use crate::gpu::paths::DeviceFeature;
use crate::gpu::raster::{PipelineState, Stages};
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::Bind;
use crate::gpu::shader::blocks::{self, AxisPush, Views};
use crate::gpu::shader::kernels::{
    AxisViewVert, AxisViewVertCoverage, BinList, BinScan, Coverage, DominantViewGeom,
    PlacedCornerVert, PlacedCornerVertCoverage,
};
use crate::gpu::share::{GridShare, groups_of};
use std::mem::offset_of;
use std::ops::Range;

/// Words of a draw command with what rounds it up.
const DRAW_WORDS: u64 = 8;
/// Bytes of which triangles of a cluster are drawn along which axis: see `bins.glsl`.
const MASK_BYTES: u64 = 24;
/// Bytes of where a cluster's triangles start in the list, along each axis.
const START_BYTES: u64 = 12;
/// Bytes of a triangle in the list.
const LISTED_BYTES: u64 = 12;
/// Every device draws indices up to this.
const MOST_INDEX: usize = (1 << 24) - 1;
/// Clusters that a workgroup takes.
const CLUSTERS_PER_GROUP: GridShare = GridShare {
    software: 8,
    hardware: 1,
};

/// The parts of its working memory, after those of others.
pub(crate) const PARTS: usize = 4;
const STATE: usize = 0;
const MASKS: usize = 1;
const STARTS: usize = 2;
const INDICES: usize = 3;

/// Bytes of the parts.
pub(crate) fn parts(meeting: &Meeting, path: SamplingPath) -> [u64; PARTS] {
    let clusters = meeting.mesh.clusters.len() as u64;
    let listed = match path {
        SamplingPath::Binned => meeting.mesh.triangles.len() as u64,
        _ => 1,
    };
    [
        size_of::<blocks::Drawing>() as u64,
        MASK_BYTES * clusters,
        START_BYTES * clusters,
        LISTED_BYTES * listed,
    ]
}

/// What follows on the kernels that find the clusters.
#[derive(Debug, Clone, Copy)]
pub enum DrawStep {
    /// Writes the states of the kernels and of the drawing.
    Start,
    /// Says along which axis each triangle is drawn, and of penalty what is certain of it.
    Bin,
    /// Counts where each cluster's triangles start in the list.
    BinStarts,
    /// Lists the triangles for each axis.
    BinList,
    /// Draws, and reads what was drawn: in one step, so that queries can share a canvas.
    Picture,
}

/// Refuses a path that the device or the mesh does not allow.
pub(crate) fn check(path: SamplingPath, meeting: &Meeting, device: &Device) -> Result<()> {
    let refused = |why: String| {
        Err(Error::Unsupported(format!(
            "{why}; choose another path, or PRX_SAMPLING_PATH_AUTO"
        )))
    };
    device.check_draws(&format!("the sampling path {path:?}"))?;
    if path == SamplingPath::GeometryShader && !device.paths.on(DeviceFeature::GeometryShader) {
        return refused(format!(
            "PRX_SAMPLING_PATH_GEOMETRY_SHADER: \"{}\" has no geometry shader, or it is off",
            device.physical.name
        ));
    }
    let triangles = meeting.mesh.triangles.len();
    if triangles > MOST_INDEX / 3 {
        return refused(format!(
            "mesh \"{}\" has {triangles} triangles; {} can be drawn",
            meeting.mesh.label,
            MOST_INDEX / 3
        ));
    }
    Ok(())
}

/// A field and a mesh that is drawn along a path.
pub(crate) struct Picture<'a> {
    pub meeting: &'a Meeting,
    pub path: SamplingPath,
    /// The number of its first part.
    pub first: usize,
}

impl Picture<'_> {
    /// The state as a binding.
    pub(crate) fn state<'a>(&self, place: &Place<'a>) -> Bound<'a> {
        place.part(self.first + STATE)
    }

    /// The bins as a binding.
    pub(crate) fn masks<'a>(&self, place: &Place<'a>) -> Bound<'a> {
        place.part(self.first + MASKS)
    }

    /// Workgroups of kernels that go through the clusters of the mesh.
    pub(crate) fn cluster_groups(&self, device: &Device) -> [u32; 3] {
        let clusters = self.meeting.mesh.clusters.len() as u32;
        groups_of(clusters, CLUSTERS_PER_GROUP.on(device))
    }

    /// Records the start of the state; `least` is the smallest value that is drawn as a depth, and corners may have
    /// velocities of their own.
    pub(crate) fn record_start(
        &self,
        recorder: &mut Recorder,
        place: &Place,
        resolution: u32,
        (least, has_velocities): (f32, bool),
    ) {
        let meeting = self.meeting.params(recorder.device());
        let (_, indices) = place.buffer(self.first + INDICES);
        let state = blocks::Drawing {
            meeting,
            views: Views::start(&meeting, resolution),
            has_velocities: has_velocities.into(),
            least,
            most: 0.0,
            first_index: (indices / 4) as u32,
            draws: [0; 3 * DRAW_WORDS as usize],
            middle: self
                .meeting
                .field
                .data
                .grid
                .domain()
                .centre()
                .extend(0.0)
                .to_array(),
        };
        place.write(recorder, self.first + STATE, &state);
    }

    /// Records where each cluster's triangles start in the list. The bins are there.
    pub(crate) fn record_scan(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        if self.path != SamplingPath::Binned {
            return Ok(());
        }
        let part = |part| place.part(self.first + part);
        let kernel = BinScan {
            state: part(STATE),
            masks: part(MASKS),
            starts: part(STARTS),
        };
        recorder.dispatch(&kernel, &(), [1, 1, 1])
    }

    /// Records the list itself.
    pub(crate) fn record_list(&self, recorder: &mut Recorder, place: &Place) -> Result<()> {
        if self.path != SamplingPath::Binned {
            return Ok(());
        }
        let part = |part| place.part(self.first + part);
        let kernel = BinList {
            ranges: Bound::whole(&self.meeting.mesh.on(recorder.device()).cluster_ranges),
            state: part(STATE),
            masks: part(MASKS),
            starts: part(STARTS),
            indices: part(INDICES),
        };
        let groups = self.cluster_groups(recorder.device());
        recorder.dispatch(&kernel, &(), groups)
    }

    /// Draws the mesh in the views along `axes`, or in all if a geometry shader chooses. Triangles are drawn as they are if
    /// their corners have `velocities`, and otherwise grown to every pixel that they touch.
    pub(crate) fn draw(
        &self,
        pass: &mut Pass,
        place: &Place,
        fragment: &dyn Bind,
        velocities: Option<Bound>,
        state: PipelineState,
        axes: Range<u32>,
    ) -> Result<()> {
        let meeting = self.meeting.bindings(pass.device());
        let (fetch, drawing) = (meeting.fetch(), self.state(place));
        let vertices = Draw::vertices(3 * self.meeting.mesh.triangles.len() as u32);
        if self.path == SamplingPath::GeometryShader {
            let vertex = PlacedCornerVert {
                coverage: match velocities {
                    None => PlacedCornerVertCoverage::Grown,
                    Some(velocities) => PlacedCornerVertCoverage::Plain { velocities },
                },
                fetch,
                meeting,
                state: drawing,
            };
            let geometry = DominantViewGeom {
                coverage: match velocities {
                    None => Coverage::Grown,
                    Some(_) => Coverage::Plain,
                },
                state: drawing,
            };
            let stages = Stages {
                vertex: &vertex,
                geometry: Some(&geometry),
                fragment: Some(fragment),
                state,
            };
            pass.bind(&stages, &())?;
            pass.draw(vertices);
            return Ok(());
        }
        let vertex = AxisViewVert {
            coverage: match velocities {
                None => AxisViewVertCoverage::Grown,
                Some(velocities) => AxisViewVertCoverage::Plain { velocities },
            },
            fetch,
            meeting,
            state: drawing,
        };
        let stages = Stages {
            vertex: &vertex,
            geometry: None,
            fragment: Some(fragment),
            state,
        };
        pass.bind(&stages, &AxisPush { axis: axes.start })?;
        let (commands, state) = place.buffer(self.first + STATE);
        let (indices, _) = place.buffer(self.first + INDICES);
        for axis in axes {
            pass.push(&AxisPush { axis });
            pass.draw(match self.path {
                SamplingPath::Binned => Draw::IndexedIndirect {
                    indices,
                    commands,
                    offset: state
                        + offset_of!(blocks::Drawing, draws) as u64
                        + u64::from(axis) * 4 * DRAW_WORDS,
                },
                _ => vertices,
            });
        }
        Ok(())
    }
}
