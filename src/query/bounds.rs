//! Bounds: the axis-aligned box of a mesh under a pose.

use crate::error::Result;
use crate::gpu::buffer::Buffer;
use crate::gpu::paths::Feature;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// The box of a mesh under a pose. It contains every vertex at its exact place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Lower corner, world.
    pub min: Vec3,
    /// Upper corner, world.
    pub max: Vec3,
}

/// What `bounds.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct BoundsPush {
    rows: [[f32; 4]; 3],
    vertices: u32,
    first: u32,
    stride: u32,
    at: u32,
}

/// A planned bounds query.
pub(crate) struct BoundsQuery {
    mesh: Arc<Mesh>,
    pose: Pose,
}

/// Words of an answer: three minima, three complemented maxima.
const WORDS: usize = 6;
/// Bytes of an answer in the batch's results.
pub(crate) const RESULT_BYTES: u64 = 4 * WORDS as u64;

/// Vertices that an invocation takes before more workgroups pay.
const VERTICES_PER_LANE: u32 = 128;
/// More workgroups than this only add atomics.
const MAX_GROUPS: u32 = 4096;

impl BoundsQuery {
    pub(crate) fn plan(mesh: Arc<Mesh>, pose: Pose) -> Result<Self> {
        pose.validate()?;
        Ok(Self { mesh, pose })
    }

    /// Records the kernel; the answer is written at `offset` of `results`.
    pub(crate) fn record(
        &self,
        recorder: &mut Recorder,
        results: &Buffer,
        offset: u64,
    ) -> Result<()> {
        let positions = self.mesh.positions(recorder.device());
        let kernel = kernel(
            positions.is_texel(),
            recorder.device().paths.on(Feature::Subgroups),
        );
        let (matrix, position) = (
            self.pose.matrix().transpose(),
            self.pose.position.to_array(),
        );
        let rows =
            [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|row| row.as_vec3().to_array());
        let row = |i: usize| [rows[i][0], rows[i][1], rows[i][2], position[i]];
        let push = BoundsPush {
            rows: [row(0), row(1), row(2)],
            vertices: self.mesh.vertices,
            first: positions.first,
            stride: positions.stride,
            at: (offset / 4) as u32,
        };
        let groups = self
            .mesh
            .vertices
            .div_ceil(recorder.device().lanes(kernel) * VERTICES_PER_LANE)
            .min(MAX_GROUPS);
        recorder.dispatch(
            kernel,
            &[positions.bound, Bound::Buffer(results)],
            &push,
            [groups, 1, 1],
        )
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
            min: below(low.as_dvec3() - slack),
            max: above(high.as_dvec3() + slack),
        }
    }
}

fn kernel(texel: bool, subgroups: bool) -> &'static Shader {
    match (texel, subgroups) {
        (true, true) => &shader::BOUNDS_TEXEL_SUBGROUP,
        (true, false) => &shader::BOUNDS_TEXEL_SHARED,
        (false, true) => &shader::BOUNDS_STORAGE_SUBGROUP,
        (false, false) => &shader::BOUNDS_STORAGE_SHARED,
    }
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

/// The largest f32 vector at or below an f64 one.
fn below(v: DVec3) -> Vec3 {
    let down = |x: f64| {
        if f64::from(x as f32) > x {
            (x as f32).next_down()
        } else {
            x as f32
        }
    };
    Vec3::new(down(v.x), down(v.y), down(v.z))
}

/// The smallest f32 vector at or above an f64 one.
fn above(v: DVec3) -> Vec3 {
    -below(-v)
}

/// Undoes `ordered` of `bounds.comp`.
fn unordered(word: u32) -> f32 {
    f32::from_bits(if word >> 31 == 1 {
        word & 0x7fff_ffff
    } else {
        !word
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree_on_the_push_constants() {
        for texel in [true, false] {
            for subgroups in [true, false] {
                assert_layout!(
                    kernel(texel, subgroups),
                    "BoundsPush",
                    BoundsPush {
                        rows,
                        vertices,
                        first,
                        stride,
                        at
                    }
                );
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

    #[test]
    fn rounding_outwards_never_rounds_inwards() {
        for x in [1.0 / 3.0, -1.0 / 3.0, 1e-50, -1e-50, 0.0, 5e14 + 0.3] {
            let v = DVec3::splat(x);
            assert!(
                f64::from(below(v).x) <= x && x <= f64::from(above(v).x),
                "{x}"
            );
        }
    }
}
