//! Bounds: the axis-aligned box of a mesh under a pose.

use super::clusters::Refits;
use super::output::{OutputArray, OutputFrame, OutputPlace, placement};
use super::workspace::{Memory, Place};
use super::{Query, Resources};
use crate::error::Result;
use crate::geometry::rounding::{round_down_each, round_up_each};
use crate::gpu::native::Native;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::Kernel;
use crate::gpu::shader::blocks::{BoundsOutputPush, BoundsPush, BoundsRecord};
use crate::gpu::shader::kernels::{self, Fetch, Workgroup};
use crate::gpu::share::GridShare;
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, world};
use glam::Vec3;
use std::sync::Arc;

/// The box of a mesh under a pose. It contains every vertex at its exact place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Lower corner, world.
    pub min: Vec3,
    /// Upper corner, world.
    pub max: Vec3,
}

/// A planned bounds query.
pub struct BoundsQuery {
    mesh: Arc<Mesh>,
    pose: Pose,
    /// Whether the recording goes by clusters instead of reading every vertex.
    by_clusters: bool,
}

/// What a bounds query does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Reads every vertex.
    Scan,
    /// Finds what the box certainly contains from the clusters' boxes.
    Certain,
    /// Reads the vertices of the clusters that can go beyond that.
    Expand,
}

/// Words of an answer: three minima, three complemented maxima.
pub(crate) const WORDS: usize = 6;
/// Bytes of an answer.
pub(crate) const RESULT_BYTES: u64 = 4 * WORDS as u64;

/// Vertices that an invocation takes before more workgroups pay.
pub(crate) const VERTICES_PER_LANE: GridShare = GridShare {
    software: 128,
    hardware: 8,
};
/// Clusters that an invocation takes before more workgroups pay.
const CLUSTERS_PER_LANE: GridShare = GridShare {
    software: 16,
    hardware: 1,
};
/// More workgroups than this only add atomics.
pub(crate) const MAX_GROUPS: u32 = 4096;
/// Below this many vertices, reading them all costs less than two kernels and a barrier.
pub(crate) const FEWEST_BY_CLUSTERS: u32 = 32_768;
/// A refit costs about as much as going by clusters saves in this many queries.
const SCANS_PER_REFIT: u32 = 8;

impl BoundsQuery {
    /// The box of a mesh under a pose.
    pub fn plan(mesh: Arc<Mesh>, pose: Pose) -> Result<Self> {
        pose.validate()?;
        Ok(Self {
            mesh,
            pose,
            by_clusters: false,
        })
    }

    /// Records a kernel whose answer is the minima and maxima after `at` words of `answers`.
    pub(crate) fn record_at(
        &self,
        step: Step,
        answers: Bound,
        at: u32,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let mesh = &self.mesh;
        let workgroup = Workgroup::on(recorder.device());
        let positions = mesh.positions(recorder.device());
        let clusters = Bound::whole(&mesh.on(recorder.device()).cluster_bounds);
        let count = mesh.clusters.len() as u32;
        match step {
            Step::Scan => {
                let kernel = kernels::Bounds {
                    fetch: Fetch::of([positions.bound]),
                    workgroup,
                    positions: positions.bound,
                    extremes: answers,
                };
                self.run(&kernel, (mesh.vertices, VERTICES_PER_LANE), at, recorder)
            }
            Step::Certain => {
                let kernel = kernels::Certain {
                    fetch: Fetch::of([clusters]),
                    workgroup,
                    extremes: answers,
                    clusters,
                };
                self.run(&kernel, (count, CLUSTERS_PER_LANE), at, recorder)
            }
            Step::Expand => {
                let vertices = Bound::whole(&mesh.on(recorder.device()).cluster_vertices);
                let kernel = kernels::Expand {
                    fetch: Fetch::of([positions.bound, clusters, vertices]),
                    workgroup,
                    positions: positions.bound,
                    extremes: answers,
                    clusters,
                    ranges: Bound::whole(&mesh.on(recorder.device()).cluster_ranges),
                    vertices,
                };
                self.run(&kernel, (count, CLUSTERS_PER_LANE), at, recorder)
            }
        }
    }

    /// Records a kernel over `count` vertices or clusters, `each` to an invocation.
    fn run<K: Native + Kernel<Push = BoundsPush>>(
        &self,
        kernel: &K,
        (count, each): (u32, GridShare),
        at: u32,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let positions = self.mesh.positions(recorder.device());
        let push = BoundsPush {
            rows: self.pose.rows(),
            count,
            first: positions.first,
            stride: positions.stride,
            at,
        };
        let lanes = recorder.device().lanes(kernel.shader()) * each.on(recorder.device());
        let groups = count.div_ceil(lanes).min(MAX_GROUPS);
        recorder.dispatch(kernel, &push, [groups, 1, 1])
    }
}

impl Query for BoundsQuery {
    type Answer = Bounds;
    type Step = Step;
    const NAME: &'static str = "bounds";

    fn memory(&self) -> Memory {
        Memory::answer(RESULT_BYTES)
    }

    fn prepare(&mut self, refits: &mut Refits) {
        let mesh = &self.mesh;
        self.by_clusters = mesh.uses_every_vertex
            && mesh.vertices >= FEWEST_BY_CLUSTERS
            && (refits.are_current(mesh) || mesh.is_worth_refitting(SCANS_PER_REFIT));
        if self.by_clusters {
            refits.ask(mesh);
        }
    }

    fn steps(&self) -> &[Step] {
        match self.by_clusters {
            false => &[Step::Scan],
            // Faces go to faces: what the box certainly contains is all of it.
            true if keeps_axes(&self.pose) => &[Step::Certain],
            true => &[Step::Certain, Step::Expand],
        }
    }

    fn record(&self, step: Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        self.record_at(step, place.answer(), 0, recorder)
    }

    fn recording(&self) -> Option<u32> {
        Some(self.by_clusters.into())
    }

    const OUTPUTS: &'static [OutputArray] = &[OutputArray::of::<BoundsRecord>("bounds")];

    fn plan_output(&mut self, _array: usize, _device: &Resources) -> Result<()> {
        self.mesh.check_single_precision("an output of bounds")
    }

    fn placement(&self) -> OutputFrame {
        let pose = world(&self.pose);
        placement(&pose, &pose)
    }

    fn record_output(
        &self,
        _array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let kernel = kernels::BoundsOutput {
            output: output.output,
            extremes: place.answer(),
            records: output.records,
        };
        let push = BoundsOutputPush {
            room: output.room,
            exact: self.pose.is_identity().into(),
        };
        recorder.dispatch(&kernel, &push, [1, 1, 1])
    }

    fn answer(&self, bytes: &[u8]) -> Result<Bounds> {
        let words: [u32; WORDS] = bytemuck::pod_read_unaligned(bytes);
        let low = Vec3::from_array(std::array::from_fn(|i| unordered(words[i])));
        let high = Vec3::from_array(std::array::from_fn(|i| unordered(!words[3 + i])));
        let moved = self.mesh.rounding();
        if self.pose.is_identity() && moved == 0.0 {
            return Ok(Bounds {
                min: low,
                max: high,
            });
        }
        let slack = moved + rounding(low, high, self.pose.position);
        Ok(Bounds {
            min: round_down_each(low.as_dvec3() - slack),
            max: round_up_each(high.as_dvec3() + slack),
        })
    }
}

/// Whether each world coordinate comes from one local coordinate.
fn keeps_axes(pose: &Pose) -> bool {
    let entries = |row: &[f32; 4]| row[..3].iter().filter(|&&x| x != 0.0).count();
    pose.rows().iter().all(|row| entries(row) <= 1)
}

/// How far the kernel's f32 arithmetic can be from the exact place of any vertex, on every axis.
///
/// A coordinate is r.p + t with three rounded matrix entries, three products and three sums: at most
/// 5u(|r1 p1| + |r2 p2| + |r3 p3| + |t|) for the unit roundoff u, and by Cauchy-Schwarz that is at most 5u(|p| + |t|)
/// because rows have length one. |p| is the length of world - t, which the box bounds. Doubled for slack of our own.
fn rounding(low: Vec3, high: Vec3, position: Vec3) -> f64 {
    let unit_roundoff = f64::from(f32::EPSILON) / 2.0;
    let farthest = low.abs().max(high.abs()).as_dvec3() + position.abs().as_dvec3();
    10.0 * unit_roundoff * (farthest.length() + position.as_dvec3().length())
        + f64::from(f32::MIN_POSITIVE)
}

/// Undoes `ordered` of `extremes.glsl`.
fn unordered(word: u32) -> f32 {
    f32::from_bits(if word >> 31 == 1 {
        word & 0x7fff_ffff
    } else {
        !word
    })
}

#[cfg(test)]
mod by_clusters;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integer_image_keeps_the_order_and_comes_back() {
        let ordered = |value: f32| {
            let bits = value.to_bits();
            if bits >> 31 == 1 {
                !bits
            } else {
                bits | 0x8000_0000
            }
        };
        let values = [
            f32::NEG_INFINITY,
            -3.5,
            -1e-40,
            -0.0,
            0.0,
            1e-40,
            2.0,
            f32::INFINITY,
        ];
        for pair in values.windows(2) {
            assert!(ordered(pair[0]) < ordered(pair[1]), "{pair:?}");
        }
        for value in values {
            assert_eq!(unordered(ordered(value)).to_bits(), value.to_bits());
        }
    }
}
