//! Sweeps and impacts: what meets first, or all that meets, while each vertex moves on a straight line or bodies on screws.

use super::exact::{ExactQuery, MeshesAt, StandingMesh};
use super::placed::Placed;
use crate::error::Result;
use crate::geometry::continuous::impacts::{
    Impact, MeetingRule, SoonestImpact, first_impact, first_impact_of_itself, impacts,
    impacts_of_itself, sooner_impact, sooner_impact_of_itself,
};
use crate::geometry::continuous::moving::Moving;
use crate::geometry::continuous::rigid::sweep_rigid;
use crate::geometry::continuous::screw::Screw;
use crate::geometry::positions::SharedPositions;
use crate::geometry::self_collision::Neighbourhoods;
use crate::geometry::surface::Surface;
use crate::geometry::topology::representatives::Representatives;
use crate::scene::hierarchy::FittedMesh;
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, check_distance};
use glam::DAffine3;
use std::sync::Arc;

/// A mesh on its way from one moment to other positions.
pub struct Way {
    /// The mesh at the beginning.
    pub mesh: Arc<Mesh>,
    /// The mesh at a moment, for its hierarchy.
    pub fitted: Arc<FittedMesh>,
    /// Where its vertices begin, when not where they are then.
    pub from: Option<SharedPositions>,
    /// Where its vertices end.
    pub to: SharedPositions,
    /// Of its triangles.
    pub representatives: Arc<Representatives>,
    /// Of its triangles, where they may meet each other.
    pub known: Option<Arc<Neighbourhoods>>,
}

impl Way {
    fn moving(&self) -> Moving<'_> {
        Moving {
            from: Surface {
                positions: self.from.as_ref().unwrap_or(&self.fitted.positions).all(),
                triangles: &self.mesh.triangles,
            },
            to: self.to.all(),
            bvh: self.fitted.bvh(),
            representatives: &self.representatives,
        }
    }
}

/// A mesh, and one with the same triangles where its vertices end.
pub struct MeshWay {
    mesh: Arc<Mesh>,
    end: Arc<Mesh>,
}

impl MeshWay {
    /// Refuses other triangles; `name` is what the caller calls both, with 0 and 1.
    pub fn new(mesh: Arc<Mesh>, end: Arc<Mesh>, name: &str) -> Result<Self> {
        mesh.check_same_triangles(&end, &format!("{name}0"), &format!("{name}1"))?;
        Ok(Self { mesh, end })
    }

    fn prepare(&self, source: &MeshesAt) -> Result<Way> {
        Ok(Way {
            mesh: self.mesh.clone(),
            fitted: source.fitted(&self.mesh)?,
            from: None,
            to: source.moment(&self.end)?.positions,
            representatives: source.representatives(&self.mesh)?,
            known: None,
        })
    }
}

/// A step of two meshes, or of one that may meet itself.
pub struct MeshStep {
    a: MeshWay,
    b: Option<MeshWay>,
    rule: MeetingRule,
}

impl MeshStep {
    /// Refuses a separation that is no distance.
    pub fn new(a: MeshWay, b: Option<MeshWay>, rule: MeetingRule) -> Result<Self> {
        check_distance("separation", rule.separation)?;
        Ok(Self { a, b, rule })
    }

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        let ways = [Some(&self.a), self.b.as_ref()].into_iter().flatten();
        ways.flat_map(|way| [&way.mesh, &way.end]).collect()
    }

    fn prepare(&self, source: &MeshesAt) -> Result<(Way, Option<Way>)> {
        let mut a = self.a.prepare(source)?;
        let b = match &self.b {
            Some(b) => Some(b.prepare(source)?),
            None => None,
        };
        if b.is_none() && self.rule.separation == 0.0 {
            a.known = Some(source.neighbourhoods(&a.mesh, &a.fitted)?);
        }
        Ok((a, b))
    }

    fn first(&self, (a, b): &(Way, Option<Way>)) -> Option<Impact> {
        match b {
            Some(b) => first(a, b, self.rule),
            None => first_of_itself(a, self.rule),
        }
    }
}

/// All impacts of a step, planned.
pub struct ImpactsQuery(pub MeshStep);

impl ExactQuery for ImpactsQuery {
    type Answer = Vec<Impact>;
    type Prepared = (Way, Option<Way>);
    const NAME: &'static str = "impacts";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.0.meshes()
    }

    fn prepare(&self, source: &MeshesAt) -> Result<Self::Prepared> {
        self.0.prepare(source)
    }

    fn run(&self, (a, b): Self::Prepared) -> Result<Vec<Impact>> {
        Ok(match b {
            Some(b) => all(&a, &b, self.0.rule),
            None => all_of_itself(&a, self.0.rule),
        })
    }
}

/// The part of a step that is free of impacts, planned.
pub struct FreeStepQuery(pub MeshStep);

impl ExactQuery for FreeStepQuery {
    type Answer = f64;
    type Prepared = (Way, Option<Way>);
    const NAME: &'static str = "free step";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.0.meshes()
    }

    fn prepare(&self, source: &MeshesAt) -> Result<Self::Prepared> {
        self.0.prepare(source)
    }

    fn run(&self, ways: Self::Prepared) -> Result<f64> {
        Ok(self.0.first(&ways).map_or(1.0, |impact| impact.time))
    }
}

/// The first impact, planned. Its answer is none when nothing meets, which is a proof.
pub enum SweepQuery {
    /// Of a step, in which vertices go straight.
    Straight(MeshStep),
    /// Of rigid bodies that go to other poses by screws.
    Screws(Box<RigidMove>),
}

/// Two rigid bodies that move.
pub struct RigidMove {
    bodies: [StandingMesh; 2],
    to: [Pose; 2],
    tolerance: Option<f64>,
}

impl RigidMove {
    /// Refuses poses and a tolerance that are none.
    pub fn new(bodies: [StandingMesh; 2], to: [Pose; 2], tolerance: Option<f64>) -> Result<Self> {
        check_tolerance(tolerance)?;
        to.iter().try_for_each(Pose::validate)?;
        Ok(Self {
            bodies,
            to,
            tolerance,
        })
    }
}

/// What a sweep looks at.
pub enum PreparedSweep {
    /// Meshes on their ways.
    Straight((Way, Option<Way>)),
    /// Bodies where they begin.
    Screws([Placed; 2]),
}

impl ExactQuery for SweepQuery {
    type Answer = Option<Impact>;
    type Prepared = PreparedSweep;
    const NAME: &'static str = "sweep";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        match self {
            Self::Straight(step) => step.meshes(),
            Self::Screws(rigid) => rigid.bodies.iter().map(|body| &body.mesh).collect(),
        }
    }

    fn prepare(&self, source: &MeshesAt) -> Result<PreparedSweep> {
        Ok(match self {
            Self::Straight(step) => PreparedSweep::Straight(step.prepare(source)?),
            Self::Screws(rigid) => {
                let [a, b] = &rigid.bodies;
                PreparedSweep::Screws([source.placed(a)?, source.placed(b)?])
            }
        })
    }

    fn run(&self, prepared: PreparedSweep) -> Result<Option<Impact>> {
        Ok(match (self, prepared) {
            (Self::Straight(step), PreparedSweep::Straight(ways)) => step.first(&ways),
            (Self::Screws(rigid), PreparedSweep::Screws([a, b])) => {
                between_poses(&a, &b, rigid.to, rigid.tolerance)
            }
            _ => None,
        })
    }
}

/// Refuses a tolerance that is no distance.
pub fn check_tolerance(tolerance: Option<f64>) -> Result<()> {
    tolerance.map_or(Ok(()), |given| check_distance("tolerance", given))
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
