//! Penalty by kernels: clusters and triangles that cannot penetrate are culled by the Lipschitz bound; the others are sampled at
//! the middles of equal small triangles. Each cluster's sums have a place of their own and are added in a fixed order.

use super::{PenaltyOptions, errors};
use crate::error::Result;
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::blocks;
use crate::gpu::shader::kernels::{
    PenaltyClusters, PenaltySum, PenaltyTriangles, Springs, Workgroup,
};
use crate::gpu::share::{GridShare, MOST_GROUPS, groups_of};
use crate::query::meeting::Meeting;
use crate::query::workspace::Place;
use bytemuck::Zeroable;
use glam::{DVec3, Vec3};

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
const CLUSTERS_PER_GROUP: GridShare = GridShare {
    software: 8,
    hardware: 1,
};
/// Up to this many, clusters have a workgroup each.
const FEW_GROUPS: u32 = 64;

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
        size_of::<blocks::PenaltyQuery>() as u64,
        4 * clusters,
        size_of::<blocks::PenaltySum>() as u64 * clusters * u64::from(shares(meeting)),
    ]
}

pub(super) fn record(
    meeting: &Meeting,
    options: &PenaltyOptions,
    velocities: Option<Bound>,
    step: Step,
    place: &Place,
    recorder: &mut Recorder,
) -> Result<()> {
    let device = recorder.device();
    let [query, touching, sums] = [PARAMS, TOUCHING, SUMS].map(|part| place.part(part));
    let (mesh, field) = (
        meeting.bindings(device),
        meeting.field.bindings(recorder.device()),
    );
    let (fetch, workgroup) = (mesh.fetch(), Workgroup::on(device));
    let clusters = meeting.mesh.clusters.len() as u32;
    match step {
        Step::Start => {
            let params = params_of(meeting, options, velocities.is_some(), device);
            place.write(recorder, PARAMS, &params);
            Ok(())
        }
        Step::Clusters => {
            let kernel = PenaltyClusters {
                fetch,
                meeting: mesh,
                query,
                touching,
                field,
            };
            let groups = groups_of(clusters, PenaltyClusters::WORKGROUP[0]);
            recorder.dispatch(&kernel, &(), groups)
        }
        Step::Triangles => {
            let kernel = PenaltyTriangles {
                fetch,
                workgroup,
                springs: if options.bounded {
                    Springs::Bounded
                } else {
                    Springs::Summed
                },
                meeting: mesh,
                query,
                touching,
                sums,
                // Without velocities nothing is read there.
                velocities: velocities.unwrap_or(query),
                field,
            };
            let groups = clusters
                .div_ceil(CLUSTERS_PER_GROUP.on(device))
                .max(clusters.min(FEW_GROUPS))
                .min(MOST_GROUPS);
            recorder.dispatch(&kernel, &(), [groups, shares(meeting), 1])
        }
        Step::Sum => {
            let kernel = PenaltySum {
                workgroup,
                query,
                touching,
                sums,
                answers: place.answer(),
            };
            recorder.dispatch(&kernel, &(), [1, 1, 1])
        }
    }
}

fn params_of(
    meeting: &Meeting,
    options: &PenaltyOptions,
    has_velocities: bool,
    device: &Device,
) -> blocks::PenaltyQuery {
    let domain = meeting.field.data.grid.domain().size().max_element();
    let [field, mesh] = velocities_at_origin(meeting);
    let mesh_centre = (meeting.motion()).transform_point3(options.mesh_centre.as_dvec3());
    let vector = |v: DVec3| v.extend(0.0).as_vec4().to_array();
    blocks::PenaltyQuery {
        meeting: meeting.params(device),
        field_linear: vector(field[0]),
        field_angular: vector(field[1]),
        mesh_linear: vector(mesh[0]),
        mesh_angular: vector(mesh[1]),
        centre: errors::centre(meeting, options.field_centre.as_dvec3()),
        mesh_centre: errors::centre(meeting, mesh_centre),
        unbounded: if options.bounded { 0.0 } else { f32::INFINITY },
        stiffness: options.stiffness,
        damping: options.damping,
        friction: options.friction,
        spacing: EDGE_OF_UNIT_AREA * domain / options.resolution as f32,
        has_velocities: has_velocities.into(),
        shares: shares(meeting),
        ..blocks::PenaltyQuery::zeroed()
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
