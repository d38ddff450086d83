//! Impacts of a context's scenes: the objects as they are, and where a step takes them.

use super::Context;
use crate::error::{Result, invalid};
use crate::geometry::continuous::impacts::{Impact, MeetingRule};
use crate::lock::lock;
use crate::memory;
use crate::query::placed::Placed;
use crate::query::scene_impacts::{MovingObject, ObjectsImpact, SceneWays};
use crate::scene::pose::{Pose, check_distance};
use std::sync::Arc;

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

/// An impact of two objects, by their ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedImpact {
    /// The objects; twice the same for one that meets itself.
    pub objects: [u64; 2],
    /// What of them meets.
    pub impact: Impact,
}

/// The objects of a scene on their way, by place.
struct MovingScene {
    objects: Vec<Option<MovingObject>>,
    ids: Arc<Vec<u64>>,
}

impl Context {
    /// All impacts of the objects of a scene while each vertex goes straight to where the moves take it.
    pub fn scene_impacts(
        &self,
        scene: u64,
        moves: &[ObjectMove],
        rule: MeetingRule,
    ) -> Result<Vec<NamedImpact>> {
        let MovingScene { objects, ids } = self.moving_objects(scene, moves, rule)?;
        let found = self
            .workers
            .run(|| SceneWays::new(&objects, rule).map(|ways| ways.all(rule)))??;
        memory::collect(found.into_iter().map(|found| named(found, &ids)), "impacts")
    }

    /// The first of them; None is a proof that nothing meets.
    pub fn first_scene_impact(
        &self,
        scene: u64,
        moves: &[ObjectMove],
        rule: MeetingRule,
    ) -> Result<Option<NamedImpact>> {
        let MovingScene { objects, ids } = self.moving_objects(scene, moves, rule)?;
        let found = self
            .workers
            .run(|| SceneWays::new(&objects, rule).map(|ways| ways.first(rule)))??;
        Ok(found.map(|found| named(found, &ids)))
    }

    /// The objects of a scene with where they go.
    fn moving_objects(
        &self,
        scene: u64,
        moves: &[ObjectMove],
        rule: MeetingRule,
    ) -> Result<MovingScene> {
        check_distance("separation", rule.separation)?;
        let scene = self.scene(scene)?;
        let now = self.placed_objects(&scene)?;
        lock(&scene).take_back(now.lent);
        let mut objects = memory::with_room(now.placed.len(), "objects")?;
        for placed in now.placed {
            objects.push(match placed {
                Some(placed) => Some(MovingObject {
                    representatives: placed.mesh.representatives(|make| self.workers.run(make))?,
                    places: [placed.clone(), placed],
                    moves: false,
                    deforms: None,
                }),
                None => None,
            });
        }
        for (at, step) in moves.iter().enumerate() {
            let place = lock(&scene).objects().place(step.object)?;
            // Others may have changed the scene since: an object that came later is at rest nowhere.
            let object = match objects.get_mut(place) {
                Some(Some(object)) if now.ids[place] == step.object => object,
                _ => {
                    return Err(invalid(format!(
                        "moves[{at}]: the object came during the call"
                    )));
                }
            };
            if object.moves {
                return Err(invalid(format!(
                    "moves[{at}]: the object has a move already; each may have one"
                )));
            }
            let end = self.end_of(&object.places[0], step)?;
            if step.mesh.is_some() {
                let Placed { mesh, fitted, .. } = &object.places[0];
                let known = mesh.neighbourhoods(fitted, |make| self.workers.run(make))?;
                object.deforms = Some(known);
            }
            object.places[1] = end;
            object.moves = true;
        }
        Ok(MovingScene {
            objects,
            ids: now.ids,
        })
    }

    fn end_of(&self, from: &Placed, step: &ObjectMove) -> Result<Placed> {
        match step.mesh {
            None => {
                step.pose.validate()?;
                Ok(Placed {
                    pose: step.pose,
                    ..from.clone()
                })
            }
            Some(mesh) => {
                let end = self.mesh(mesh)?;
                from.mesh.check_same_triangles(
                    &end,
                    "the mesh of an object",
                    "the one it moves to",
                )?;
                self.placed_mesh(&end, step.pose)
            }
        }
    }
}

fn named(found: ObjectsImpact, ids: &[u64]) -> NamedImpact {
    NamedImpact {
        objects: found.objects.map(|place| ids[place as usize]),
        impact: found.impact,
    }
}
