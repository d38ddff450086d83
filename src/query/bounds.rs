//! Bounds: the axis-aligned box of a mesh under a pose.

use super::clusters::{Refits, refit};
use crate::error::Result;
use crate::geometry::rounding::{round_down_each, round_up_each};
use crate::gpu::buffer::Buffer;
use crate::gpu::device::Device;
use crate::gpu::paths::Feature;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use bytemuck::{Pod, Zeroable};
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

/// What the kernels of a bounds query are pushed: see `extremes.glsl`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct BoundsPush {
    rows: [[f32; 4]; 3],
    count: u32,
    first: u32,
    stride: u32,
    at: u32,
}

impl BoundsPush {
    /// Whether each world coordinate comes from one local coordinate.
    fn keeps_axes(&self) -> bool {
        let entries = |row: &[f32; 4]| row[..3].iter().filter(|&&x| x != 0.0).count();
        self.rows.iter().all(|row| entries(row) <= 1)
    }
}

/// A planned bounds query.
pub(crate) struct BoundsQuery {
    mesh: Arc<Mesh>,
    pose: Pose,
    /// Whether the recording goes by clusters instead of reading every vertex.
    by_clusters: bool,
}

/// Words of an answer: three minima, three complemented maxima.
const WORDS: usize = 6;
/// Bytes of an answer in the batch's results.
pub(crate) const RESULT_BYTES: u64 = 4 * WORDS as u64;

/// Vertices that an invocation takes before more workgroups pay.
const VERTICES_PER_LANE: u32 = 128;
/// Clusters that an invocation takes before more workgroups pay.
const CLUSTERS_PER_LANE: u32 = 16;
/// More workgroups than this only add atomics.
const MAX_GROUPS: u32 = 4096;
/// Below this many vertices, reading them all costs less than two kernels and a barrier.
const FEWEST_BY_CLUSTERS: u32 = 32_768;
/// A refit costs about as much as going by clusters saves in this many queries.
const SCANS_PER_REFIT: u32 = 8;

impl BoundsQuery {
    pub(crate) fn plan(mesh: Arc<Mesh>, pose: Pose) -> Result<Self> {
        pose.validate()?;
        Ok(Self {
            mesh,
            pose,
            by_clusters: false,
        })
    }

    /// Chooses the way and, if it goes by clusters, records the kernel that finds what the box certainly reaches. Between
    /// this and [`BoundsQuery::record`] a barrier must come, one for all queries: then `true` is returned.
    pub(crate) fn prepare(
        &mut self,
        recorder: &mut Recorder,
        refits: &mut Refits,
        results: &Buffer,
        offset: u64,
    ) -> Result<bool> {
        let mesh = &self.mesh;
        self.by_clusters = mesh.uses_every_vertex
            && mesh.vertices >= FEWEST_BY_CLUSTERS
            && (refits.are_current(mesh) || mesh.is_worth_refitting(SCANS_PER_REFIT));
        if self.by_clusters {
            refit(recorder, refits, mesh)?;
            self.record_reach(recorder, results, offset)?;
        }
        Ok(self.by_clusters)
    }

    /// Records the kernel that writes the answer at `offset` of `results`.
    pub(crate) fn record(
        &self,
        recorder: &mut Recorder,
        results: &Buffer,
        offset: u64,
    ) -> Result<()> {
        if self.by_clusters && self.push(0, offset).keeps_axes() {
            // Faces go to faces: what the box certainly reaches is all of it.
            Ok(())
        } else if self.by_clusters {
            self.record_expansion(recorder, results, offset)
        } else {
            self.record_scan(recorder, results, offset)
        }
    }

    fn record_scan(&self, recorder: &mut Recorder, results: &Buffer, offset: u64) -> Result<()> {
        let positions = self.mesh.positions(recorder.device());
        let kernel = kernels(positions.is_texel(), recorder.device()).scan;
        let push = BoundsPush {
            first: positions.first,
            stride: positions.stride,
            ..self.push(self.mesh.vertices, offset)
        };
        recorder.dispatch(
            kernel,
            &[positions.bound, Bound::Buffer(results)],
            &push,
            groups(recorder, kernel, push.count, VERTICES_PER_LANE),
        )
    }

    fn record_reach(&self, recorder: &mut Recorder, results: &Buffer, offset: u64) -> Result<()> {
        let mesh = &self.mesh;
        let texel = mesh.cluster_bounds.has_texels();
        let kernel = kernels(texel, recorder.device()).reach;
        let push = self.push(mesh.clusters.len() as u32, offset);
        recorder.dispatch(
            kernel,
            &[Bound::Buffer(results), viewed(&mesh.cluster_bounds, texel)],
            &push,
            groups(recorder, kernel, push.count, CLUSTERS_PER_LANE),
        )
    }

    fn record_expansion(
        &self,
        recorder: &mut Recorder,
        results: &Buffer,
        offset: u64,
    ) -> Result<()> {
        let mesh = &self.mesh;
        let positions = mesh.positions(recorder.device());
        let texel = positions.is_texel()
            && mesh.cluster_bounds.has_texels()
            && mesh.cluster_vertices.has_texels();
        let positions = if texel {
            positions
        } else {
            positions.as_storage()
        };
        let kernel = kernels(texel, recorder.device()).expand;
        let push = BoundsPush {
            first: positions.first,
            stride: positions.stride,
            ..self.push(mesh.clusters.len() as u32, offset)
        };
        let bound = [
            positions.bound,
            Bound::Buffer(results),
            viewed(&mesh.cluster_bounds, texel),
            Bound::Buffer(&mesh.cluster_ranges),
            viewed(&mesh.cluster_vertices, texel),
        ];
        let groups = groups(recorder, kernel, push.count, CLUSTERS_PER_LANE);
        recorder.dispatch(kernel, &bound, &push, groups)
    }

    fn push(&self, count: u32, offset: u64) -> BoundsPush {
        BoundsPush {
            rows: self.pose.rows(),
            count,
            first: 0,
            stride: 0,
            at: (offset / 4) as u32,
        }
    }

    /// Reads the answer from the [`RESULT_BYTES`] that the kernel wrote.
    pub(crate) fn answer(&self, bytes: &[u8]) -> Bounds {
        let words: [u32; WORDS] = bytemuck::pod_read_unaligned(&bytes[..RESULT_BYTES as usize]);
        let low = Vec3::from_array(std::array::from_fn(|i| unordered(words[i])));
        let high = Vec3::from_array(std::array::from_fn(|i| unordered(!words[3 + i])));
        if self.pose.is_identity() {
            return Bounds {
                min: low,
                max: high,
            };
        }
        let slack = rounding(low, high, self.pose.position);
        Bounds {
            min: round_down_each(low.as_dvec3() - slack),
            max: round_up_each(high.as_dvec3() + slack),
        }
    }
}

/// The kernels of a bounds query in one variant.
struct Kernels {
    /// Reads every vertex.
    scan: &'static Shader,
    /// Finds what the box certainly reaches from the clusters' boxes.
    reach: &'static Shader,
    /// Reads the vertices of the clusters that can go beyond that.
    expand: &'static Shader,
}

fn kernels(texel: bool, device: &Device) -> Kernels {
    variant(texel, device.paths.on(Feature::Subgroups))
}

fn variant(texel: bool, subgroups: bool) -> Kernels {
    match (texel, subgroups) {
        (true, true) => Kernels {
            scan: &shader::BOUNDS_TEXEL_SUBGROUP,
            reach: &shader::REACH_TEXEL_SUBGROUP,
            expand: &shader::EXPAND_TEXEL_SUBGROUP,
        },
        (true, false) => Kernels {
            scan: &shader::BOUNDS_TEXEL_SHARED,
            reach: &shader::REACH_TEXEL_SHARED,
            expand: &shader::EXPAND_TEXEL_SHARED,
        },
        (false, true) => Kernels {
            scan: &shader::BOUNDS_STORAGE_SUBGROUP,
            reach: &shader::REACH_STORAGE_SUBGROUP,
            expand: &shader::EXPAND_STORAGE_SUBGROUP,
        },
        (false, false) => Kernels {
            scan: &shader::BOUNDS_STORAGE_SHARED,
            reach: &shader::REACH_STORAGE_SHARED,
            expand: &shader::EXPAND_STORAGE_SHARED,
        },
    }
}

fn viewed(buffer: &Buffer, texel: bool) -> Bound<'_> {
    if texel {
        Bound::Texels(buffer)
    } else {
        Bound::Buffer(buffer)
    }
}

/// Workgroups for `count` items, `each` to an invocation.
fn groups(recorder: &Recorder, kernel: &Shader, count: u32, each: u32) -> [u32; 3] {
    let lanes = recorder.device().lanes(kernel);
    [count.div_ceil(lanes * each).min(MAX_GROUPS), 1, 1]
}

/// How far the kernel's f32 arithmetic can be from the exact place of any vertex, on every axis.
///
/// A coordinate is r.p + t with three rounded matrix entries, three products and three sums: at most
/// 5u(|r1 p1| + |r2 p2| + |r3 p3| + |t|) for the unit roundoff u, and by Cauchy-Schwarz that is at most 5u(|p| + |t|)
/// because rows have length one. |p| is the length of world - t, which the box bounds. Doubled for slack of our own.
fn rounding(low: Vec3, high: Vec3, position: Vec3) -> f64 {
    let unit_roundoff = f64::from(f32::EPSILON) / 2.0;
    let reach = low.abs().max(high.abs()).as_dvec3() + position.abs().as_dvec3();
    10.0 * unit_roundoff * (reach.length() + position.as_dvec3().length())
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
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree_on_the_push_constants() {
        for texel in [true, false] {
            for subgroups in [true, false] {
                let Kernels {
                    scan,
                    reach,
                    expand,
                } = variant(texel, subgroups);
                for kernel in [scan, reach, expand] {
                    assert_layout!(
                        kernel,
                        "BoundsPush",
                        BoundsPush {
                            rows,
                            count,
                            first,
                            stride,
                            at
                        }
                    );
                }
            }
        }
    }

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
