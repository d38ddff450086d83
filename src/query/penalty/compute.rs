//! Penalty by kernels: clusters and triangles that cannot penetrate are culled by the Lipschitz bound; the others are sampled at
//! the middles of equal small triangles. Each cluster's sums have a place of their own and are added in a fixed order.

use super::PenaltyOptions;
use crate::error::Result;
use crate::gpu::buffer::Buffer;
use crate::gpu::device::Device;
use crate::gpu::paths::Feature;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::query::meeting::{Meeting, MeetingParams};
use crate::query::memory::Place;
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};

/// See `penalty.glsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct QueryParams {
    meeting: MeetingParams,
    field_linear: [f32; 4],
    field_angular: [f32; 4],
    mesh_linear: [f32; 4],
    mesh_angular: [f32; 4],
    centre: [f32; 4],
    stiffness: f32,
    damping: f32,
    friction: f32,
    spacing: f32,
    has_velocities: u32,
    at: u32,
    shares: u32,
    pad0: u32,
}

/// Bytes of a cluster's sums: see `penalty.glsl`.
const SUM_BYTES: u64 = 96;

/// What the kernels do.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// Writes the parameters.
    Start,
    /// Finds the clusters that can penetrate.
    Clusters,
    /// Samples their triangles.
    Triangles,
    /// Adds up the clusters' sums.
    Sum,
}

/// The steps of a query by kernels alone.
pub(super) const STEPS: [super::Step; 4] = [
    super::Step::Kernel(Step::Start),
    super::Step::Kernel(Step::Clusters),
    super::Step::Kernel(Step::Triangles),
    super::Step::Kernel(Step::Sum),
];

/// Clusters that a workgroup tests: one for each lane of a narrow one.
const CLUSTERS_PER_GROUP: u32 = 8;
/// Up to this many, clusters have a workgroup each.
const FEW_GROUPS: u32 = 64;
/// Every device allows this many workgroups.
const MAX_GROUPS: u32 = 65_535;

/// The edge of an equilateral triangle of area 1: with it samples are as dense as the pixels of a picture.
const EDGE_OF_UNIT_AREA: f32 = 1.519_671_4;

/// Workgroups that make one cluster's work go fast enough.
const MOST_SHARES: u32 = 64;

/// Workgroups that share a cluster: many where there are few clusters, which may be of large triangles.
fn shares(meeting: &Meeting) -> u32 {
    (MOST_SHARES / meeting.mesh.clusters.len() as u32).max(1)
}

/// The parts of the working memory.
pub(super) const PARTS: usize = 3;
pub(super) const PARAMS: usize = 0;
pub(super) const TOUCHING: usize = 1;
const SUMS: usize = 2;

/// Bytes of the parts.
pub(super) fn parts(meeting: &Meeting) -> [u64; PARTS] {
    let clusters = meeting.mesh.clusters.len() as u64;
    [
        size_of::<QueryParams>() as u64,
        4 * clusters,
        SUM_BYTES * clusters * u64::from(shares(meeting)),
    ]
}

pub(super) fn record(
    meeting: &Meeting,
    options: &PenaltyOptions,
    velocities: Option<&Buffer>,
    step: Step,
    place: &Place,
    recorder: &mut Recorder,
) -> Result<()> {
    let device = recorder.device().clone();
    let [params, touching, sums] = [PARAMS, TOUCHING, SUMS].map(|part| place.part(part));
    let clusters = meeting.mesh.clusters.len() as u32;
    let variant = meeting.variant(&device);
    let mut bound = meeting.bound(&device).to_vec();
    bound.push(params);
    match step {
        Step::Start => {
            let params = params_of(meeting, options, velocities.is_some(), &device, place);
            place.write(recorder, PARAMS, &params);
            Ok(())
        }
        Step::Clusters => {
            let kernel = CLUSTERS[variant];
            bound.push(touching);
            bound.extend(meeting.field.texture.bound());
            let groups = clusters.div_ceil(kernel.workgroup[0]).min(MAX_GROUPS);
            recorder.dispatch(kernel, &bound, &(), [groups, 1, 1])
        }
        Step::Triangles => {
            let kernel = triangles(variant, &device);
            bound.extend([
                touching,
                sums,
                // Without velocities nothing is read there.
                velocities.map_or(params, Bound::Buffer),
            ]);
            bound.extend(meeting.field.texture.bound());
            let groups = clusters
                .div_ceil(CLUSTERS_PER_GROUP)
                .max(clusters.min(FEW_GROUPS))
                .min(MAX_GROUPS);
            recorder.dispatch(kernel, &bound, &(), [groups, shares(meeting), 1])
        }
        Step::Sum => {
            let kernel = match device.paths.on(Feature::Subgroups) {
                true => &shader::PENALTY_SUM_SUBGROUP,
                false => &shader::PENALTY_SUM_SHARED,
            };
            let bound = [params, touching, sums, place.answers()];
            recorder.dispatch(kernel, &bound, &(), [1, 1, 1])
        }
    }
}

fn params_of(
    meeting: &Meeting,
    options: &PenaltyOptions,
    has_velocities: bool,
    device: &Device,
    place: &Place,
) -> QueryParams {
    let domain = meeting.field.data.grid.domain().size().max_element();
    let [field, mesh] = velocities_at_origin(meeting);
    let vector = |v: DVec3| v.extend(0.0).as_vec4().to_array();
    QueryParams {
        meeting: meeting.params(device),
        field_linear: vector(field[0]),
        field_angular: vector(field[1]),
        mesh_linear: vector(mesh[0]),
        mesh_angular: vector(mesh[1]),
        centre: vector(options.field_centre.as_dvec3()),
        stiffness: options.stiffness,
        damping: options.damping,
        friction: options.friction,
        spacing: EDGE_OF_UNIT_AREA * domain / options.resolution as f32,
        has_velocities: has_velocities.into(),
        at: place.at(),
        shares: shares(meeting),
        ..QueryParams::zeroed()
    }
}

/// Of each body the velocity of the point at the origin of the field's frame, and the angular velocity, along that frame's
/// axes: what `v = linear + angular x p` needs for points of that frame.
fn velocities_at_origin(meeting: &Meeting) -> [[DVec3; 2]; 2] {
    let origin = meeting.field_pose.position.as_dvec3();
    [&meeting.field_pose, &meeting.mesh_pose].map(|pose| {
        let [linear, angular, position] =
            [pose.linear_velocity, pose.angular_velocity, pose.position].map(Vec3::as_dvec3);
        let at_origin = linear + angular.cross(origin - position);
        [at_origin, angular].map(|v| meeting.field_direction(v))
    })
}

fn triangles(variant: usize, device: &Device) -> &'static Shader {
    match device.paths.on(Feature::Subgroups) {
        true => TRIANGLES_SUBGROUP[variant],
        false => TRIANGLES_SHARED[variant],
    }
}

/// The kernels, each in the order of [`Meeting::variant`].
static CLUSTERS: [&Shader; 6] = [
    &shader::PENALTY_CLUSTERS_TEXEL_DIRECTION,
    &shader::PENALTY_CLUSTERS_TEXEL_DISTANCE,
    &shader::PENALTY_CLUSTERS_TEXEL_SPARSE,
    &shader::PENALTY_CLUSTERS_STORAGE_DIRECTION,
    &shader::PENALTY_CLUSTERS_STORAGE_DISTANCE,
    &shader::PENALTY_CLUSTERS_STORAGE_SPARSE,
];
static TRIANGLES_SUBGROUP: [&Shader; 6] = [
    &shader::PENALTY_TRIANGLES_TEXEL_DIRECTION_SUBGROUP,
    &shader::PENALTY_TRIANGLES_TEXEL_DISTANCE_SUBGROUP,
    &shader::PENALTY_TRIANGLES_TEXEL_SPARSE_SUBGROUP,
    &shader::PENALTY_TRIANGLES_STORAGE_DIRECTION_SUBGROUP,
    &shader::PENALTY_TRIANGLES_STORAGE_DISTANCE_SUBGROUP,
    &shader::PENALTY_TRIANGLES_STORAGE_SPARSE_SUBGROUP,
];
static TRIANGLES_SHARED: [&Shader; 6] = [
    &shader::PENALTY_TRIANGLES_TEXEL_DIRECTION_SHARED,
    &shader::PENALTY_TRIANGLES_TEXEL_DISTANCE_SHARED,
    &shader::PENALTY_TRIANGLES_TEXEL_SPARSE_SHARED,
    &shader::PENALTY_TRIANGLES_STORAGE_DIRECTION_SHARED,
    &shader::PENALTY_TRIANGLES_STORAGE_DISTANCE_SHARED,
    &shader::PENALTY_TRIANGLES_STORAGE_SPARSE_SHARED,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;
    use crate::query::penalty::PenaltyWords;

    #[test]
    fn host_and_shader_agree() {
        let sums = [&shader::PENALTY_SUM_SUBGROUP, &shader::PENALTY_SUM_SHARED];
        let kernels = [CLUSTERS, TRIANGLES_SUBGROUP, TRIANGLES_SHARED].concat();
        for kernel in kernels.into_iter().chain(sums) {
            assert_layout!(
                kernel,
                "PenaltyQuery",
                QueryParams {
                    meeting,
                    field_linear,
                    field_angular,
                    mesh_linear,
                    mesh_angular,
                    centre,
                    stiffness,
                    damping,
                    friction,
                    spacing,
                    has_velocities,
                    at,
                    shares,
                    pad0
                }
            );
        }
        for kernel in TRIANGLES_SUBGROUP
            .into_iter()
            .chain(TRIANGLES_SHARED)
            .chain(sums)
        {
            let block = kernel.block("PenaltySum").expect("the kernels keep sums");
            assert_eq!(u64::from(block.size), SUM_BYTES);
        }
        assert_eq!(size_of::<PenaltyWords>(), 84);
    }
}
