//! Sweeps and impacts: what meets first, or all that meets, while each vertex moves on a straight line or bodies on screws.

use super::placed::Placed;
use crate::geometry::continuous::impacts::{
    Impact, MeetingRule, SoonestImpact, first_impact, first_impact_of_itself, impacts,
    impacts_of_itself, sooner_impact, sooner_impact_of_itself,
};
use crate::geometry::continuous::moving::Moving;
use crate::geometry::continuous::rigid::sweep_rigid;
use crate::geometry::continuous::screw::Screw;
use crate::geometry::self_collision::Neighbourhoods;
use crate::geometry::surface::Surface;
use crate::geometry::topology::representatives::Representatives;
use crate::scene::hierarchy::FittedMesh;
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use glam::{DAffine3, Vec3};
use std::sync::Arc;

/// A mesh on its way from one moment to other positions.
pub struct Way {
    /// The mesh at the beginning.
    pub mesh: Arc<Mesh>,
    /// The mesh at a moment, for its hierarchy.
    pub fitted: Arc<FittedMesh>,
    /// Where its vertices begin, when not where they are then.
    pub from: Option<Vec<Vec3>>,
    /// Where its vertices end.
    pub to: Vec<Vec3>,
    /// Of its triangles.
    pub representatives: Arc<Representatives>,
    /// Of its triangles, where they may meet each other.
    pub known: Option<Arc<Neighbourhoods>>,
}

impl Way {
    fn moving(&self) -> Moving<'_> {
        Moving {
            from: Surface {
                positions: self.from.as_ref().unwrap_or(&self.fitted.positions),
                triangles: &self.mesh.triangles,
            },
            to: &self.to,
            bvh: self.fitted.bvh(),
            representatives: &self.representatives,
        }
    }
}

/// The first impact; None is a proof that nothing meets.
pub fn first(a: &Way, b: &Way, rule: MeetingRule) -> Option<Impact> {
    first_impact(a.moving(), b.moving(), rule)
}

/// The first impact of a mesh with itself; None is a proof that it does not meet itself.
pub fn first_of_itself(a: &Way, rule: MeetingRule) -> Option<Impact> {
    first_impact_of_itself(a.moving(), a.known.as_deref(), rule)
}

/// The first impact if it is among the soonest of those that share `soonest`.
pub fn sooner(a: &Way, b: &Way, rule: MeetingRule, soonest: &SoonestImpact) -> Option<Impact> {
    sooner_impact(a.moving(), b.moving(), rule, soonest)
}

/// The same for a mesh with itself.
pub fn sooner_of_itself(a: &Way, rule: MeetingRule, soonest: &SoonestImpact) -> Option<Impact> {
    sooner_impact_of_itself(a.moving(), a.known.as_deref(), rule, soonest)
}

/// All impacts, ascending by features.
pub fn all(a: &Way, b: &Way, rule: MeetingRule) -> Vec<Impact> {
    impacts(a.moving(), b.moving(), rule)
}

/// All impacts of a mesh with itself, ascending by features.
pub fn all_of_itself(a: &Way, rule: MeetingRule) -> Vec<Impact> {
    impacts_of_itself(a.moving(), a.known.as_deref(), rule)
}

/// The tolerance of a sweep between poses that names none, in sizes of the smaller mesh.
const TOLERANCE: f64 = 1e-6;

/// The first impact of two rigid bodies from where they stand to other poses. The first goes on a screw, and the second on another in the
/// frame of the first.
pub fn between_poses(
    a: &Placed,
    b: &Placed,
    to: [Pose; 2],
    tolerance: Option<f64>,
) -> Option<Impact> {
    let size = |of: &Placed| f64::from(of.fitted.bvh().bounds().size().max_element());
    let tolerance = tolerance.unwrap_or_else(|| TOLERANCE * size(a).min(size(b)));
    let [from_a, from_b, to_a, to_b] = [a.pose, b.pose, to[0], to[1]].map(|pose| affine(&pose));
    let (from, to) = (from_a.inverse() * from_b, to_a.inverse() * to_b);
    let mut impact = sweep_rigid(
        a.fitted_surface(),
        b.fitted_surface(),
        &from,
        &to,
        tolerance,
    )
    .impact?;
    let place = Screw::between(&from_a, &to_a).at(impact.time) * from_a;
    impact.points = impact.points.map(|p| place.transform_point3(p));
    Some(impact)
}

fn affine(pose: &Pose) -> DAffine3 {
    DAffine3::from_mat3_translation(pose.matrix(), pose.position.as_dvec3())
}
