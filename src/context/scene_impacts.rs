//! Impacts of a context's scenes: the objects as they are, and where a step takes them.

use super::Context;
use super::scenes::standing;
use crate::error::{Result, invalid};
use crate::geometry::continuous::impacts::MeetingRule;
use crate::lock::lock;
use crate::memory;
pub use crate::query::scene_impacts::NamedImpact;
use crate::query::scene_impacts::{
    ObjectStep, SceneFirstImpactQuery, SceneImpactsQuery, SceneStep,
};
use crate::scene::pose::{Pose, check_distance};

/// Where an object goes in a step.
#[derive(Clone, Copy, Debug)]
pub struct ObjectMove {
    /// The object.
    pub object: u64,
    /// A mesh with the positions at the end; none when the shape stays.
    pub mesh: Option<u64>,
    /// The pose at the end.
    pub pose: Pose,
}

impl Context {
    /// All impacts of the objects of a scene while each vertex goes straight to where the moves take it.
    pub fn scene_impacts(
        &self,
        scene: u64,
        moves: &[ObjectMove],
        rule: MeetingRule,
    ) -> Result<Vec<NamedImpact>> {
        self.ask_exact(&SceneImpactsQuery(
            self.plan_scene_step(scene, moves, rule)?,
        ))
    }

    /// The first of them; None is a proof that nothing meets.
    pub fn first_scene_impact(
        &self,
        scene: u64,
        moves: &[ObjectMove],
        rule: MeetingRule,
    ) -> Result<Option<NamedImpact>> {
        self.ask_exact(&SceneFirstImpactQuery(
            self.plan_scene_step(scene, moves, rule)?,
        ))
    }

    /// The objects of a scene as they are now with where they go.
    pub fn plan_scene_step(
        &self,
        scene: u64,
        moves: &[ObjectMove],
        rule: MeetingRule,
    ) -> Result<SceneStep> {
        check_distance("separation", rule.separation)?;
        let mut meshes = memory::with_room(moves.len(), "meshes")?;
        for step in moves {
            meshes.push(step.mesh.map(|mesh| self.mesh(mesh)).transpose()?);
        }
        let scene = self.scene(scene)?;
        let scene = lock(&scene);
        let now = standing(&scene)?;
        let steps = now.bodies.into_iter().map(|b| b.map(ObjectStep::resting));
        let mut objects = memory::collect(steps, "objects")?;
        for (at, (step, mesh)) in moves.iter().zip(meshes).enumerate() {
            let place = scene.objects().place(step.object)?;
            let Some(Some(object)) = objects.get_mut(place) else {
                return Err(invalid(format!("moves[{at}]: there is no such object")));
            };
            if object.moves() {
                return Err(invalid(format!(
                    "moves[{at}]: the object has a move already; each may have one"
                )));
            }
            object.go(mesh, step.pose)?;
        }
        Ok(SceneStep {
            objects,
            ids: now.ids,
            rule,
        })
    }
}
