//! Scenes of a context: objects that come, move and go, and what of them is close.

use super::exact::too_many;
use super::{CONTEXTS, Context};
use crate::error::Result;
use crate::lock::lock;
use crate::memory::{self, Gather};
use crate::query::body::{BodyPlace, ContactBody};
use crate::query::contacts::ContactOptions;
use crate::query::exact::StandingMesh;
pub use crate::query::objects::NamedPair;
use crate::query::objects::{ScenePairsQuery, StandingObjects, named_pairs};
use crate::query::placed::Placed;
use crate::query::scene_contacts::bodies::{BodyFilter, SceneBodies};
use crate::query::scene_contacts::{SceneContactsQuery, SceneSummary};
use crate::scene::mesh::Mesh;
use crate::scene::objects::{FittedMeshes, NearObjects, Scene};
use crate::scene::pose::{Pose, check_distance};
use crate::scene::slots::Slots;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

/// A scene: objects for exact queries, and bodies for contacts.
pub(super) struct SceneSlot {
    objects: Arc<Mutex<Scene>>,
    bodies: Arc<Mutex<SceneBodies>>,
}

/// The objects of a scene at one moment, by place.
pub(super) struct PlacedObjects {
    /// As exact queries take them.
    pub(super) placed: Vec<Option<Placed>>,
    /// Their ids.
    pub(super) ids: Arc<Vec<u64>>,
    /// To find those that are near.
    pub(super) lent: NearObjects,
}

impl Context {
    /// Creates an empty scene.
    pub fn create_scene(&self) -> Result<u64> {
        // Contexts and scenes are counted together: any number that no other has will do.
        let number = CONTEXTS.fetch_add(1, Ordering::Relaxed);
        self.scenes().insert(SceneSlot {
            objects: Arc::new(Mutex::new(Scene::new(number))),
            bodies: Arc::new(Mutex::new(SceneBodies::new(number))),
        })
    }

    /// Destroys a scene and its objects, not their meshes.
    pub fn destroy_scene(&self, scene: u64) -> Result<()> {
        self.scenes().remove(scene).map(drop)
    }

    /// Places a mesh in a scene.
    pub fn add_object(&self, scene: u64, mesh: u64, pose: Pose) -> Result<u64> {
        let scene = self.scene(scene)?;
        let mut scene = lock(&scene);
        scene.add(self.mesh(mesh)?, pose)
    }

    /// Moves objects of a scene: all of them or, if one is refused, none.
    pub fn move_objects<P: Into<Pose> + Copy>(
        &self,
        scene: u64,
        objects: &[u64],
        poses: &[P],
    ) -> Result<()> {
        let scene = self.scene(scene)?;
        lock(&scene).place(objects, poses)
    }

    /// Takes an object or a body out of a scene.
    pub fn remove_object(&self, scene: u64, object: u64) -> Result<()> {
        let bodies = self.scene_bodies(scene)?;
        let mut bodies = lock(&bodies);
        if bodies.is_body(object) {
            return bodies.remove(object);
        }
        let objects = self.scene(scene)?;
        lock(&objects).remove(object)
    }

    /// Places a body in a scene.
    pub fn add_body(&self, scene: u64, body: ContactBody, filter: BodyFilter) -> Result<u64> {
        let bodies = self.scene_bodies(scene)?;
        lock(&bodies).add(body, filter)
    }

    /// Replaces a body of a scene; its contacts go on.
    pub fn replace_body(
        &self,
        scene: u64,
        object: u64,
        body: ContactBody,
        filter: BodyFilter,
    ) -> Result<()> {
        let bodies = self.scene_bodies(scene)?;
        lock(&bodies).replace(object, body, filter)
    }

    /// Moves bodies of a scene: all of them or, if one is refused, none.
    pub fn move_bodies(&self, scene: u64, objects: &[u64], places: &[BodyPlace]) -> Result<()> {
        let bodies = self.scene_bodies(scene)?;
        lock(&bodies).place(objects, places)
    }

    /// Pairs of bodies of a scene that never touch, in place of those given before.
    pub fn exclude_pairs(&self, scene: u64, pairs: &[[u64; 2]]) -> Result<()> {
        let bodies = self.scene_bodies(scene)?;
        lock(&bodies).exclude(pairs)
    }

    /// Plans the contacts of all bodies of a scene as they are now.
    pub fn plan_scene_contacts(
        &self,
        scene: u64,
        options: &ContactOptions,
    ) -> Result<SceneContactsQuery> {
        options.validate()?;
        let bodies = self.scene_bodies(scene)?;
        loop {
            // The scene is not locked while this works. When others have changed it by then, it begins anew.
            let meshes = lock(&bodies).meshes();
            let mut bounds = memory::with_room(meshes.len(), "boxes")?;
            for mesh in &meshes {
                mesh.check_not_replaced("body")?;
                bounds.push(self.fitted(mesh)?.bvh().bounds());
            }
            let of = |mesh: &Arc<Mesh>| {
                let at = meshes.binary_search_by_key(&Arc::as_ptr(mesh), Arc::as_ptr);
                at.ok().map(|at| bounds[at])
            };
            let Some(mut lent) = lock(&bodies).lend(options.distance.into(), of)? else {
                continue;
            };
            let found = self.workers.run(|| lent.pairs())??;
            let held = &mut *lock(&bodies);
            if let Some(near) = held.take_back(lent, found) {
                return SceneContactsQuery::plan(&self.resources, &bodies, held, &near, options);
            }
        }
    }

    /// Finds the contacts of all bodies of a scene; [`Context::scene_bodies`] has them then.
    pub fn scene_contacts(&self, scene: u64, options: &ContactOptions) -> Result<SceneSummary> {
        self.ask(self.plan_scene_contacts(scene, options)?)
    }

    /// The bodies of a scene, and their contacts as they were read last.
    pub fn scene_bodies(&self, scene: u64) -> Result<Arc<Mutex<SceneBodies>>> {
        self.scenes().get(scene).map(|slot| slot.bodies.clone())
    }

    /// Pairs of objects whose boxes are at most `within` apart on every axis, at most `capacity`.
    pub fn object_pairs(&self, scene: u64, within: f64, capacity: u64) -> Result<Vec<[u64; 2]>> {
        check_distance("distance", within)?;
        let scene = self.scene(scene)?;
        let (lent, ids) = {
            let (mut scene, _) = self.refreshed(&scene)?;
            (scene.lend(), scene.ids().clone())
        };
        let near = self.near(&scene, lent, within, capacity)?;
        let id = |place: u32| ids[place as usize];
        memory::collect(near.into_iter().map(|pair| pair.map(id)), "pairs")
    }

    /// Pairs of triangles of different objects at most `within` apart, at most `capacity`.
    pub fn scene_pairs(&self, scene: u64, within: f64, capacity: u64) -> Result<Vec<NamedPair>> {
        check_distance("distance", within)?;
        let scene = self.scene(scene)?;
        let PlacedObjects { placed, ids, lent } = self.placed_objects(&scene)?;
        let near = self.near(&scene, lent, within, u64::MAX)?;
        self.workers
            .run(|| named_pairs(&near, &placed, &ids, within, capacity))?
    }

    /// Plans pairs of triangles of different objects at most `within` apart, with the objects where they are now.
    pub fn plan_scene_pairs(
        &self,
        scene: u64,
        within: f64,
        capacity: u64,
    ) -> Result<ScenePairsQuery> {
        let scene = self.scene(scene)?;
        let objects = standing(&lock(&scene))?;
        ScenePairsQuery::plan(objects, within, capacity)
    }

    /// Pairs of places whose objects are near by what the scene has lent. Others can use the scene meanwhile.
    pub(super) fn near(
        &self,
        scene: &Mutex<Scene>,
        mut lent: NearObjects,
        within: f64,
        capacity: u64,
    ) -> Result<Vec<[u32; 2]>> {
        let room = usize::try_from(capacity).unwrap_or(usize::MAX);
        let found = self.workers.run(|| lent.pairs(within, room));
        lock(scene).take_back(lent);
        found?.map_err(|found| too_many(found, capacity))
    }

    /// The scene with boxes that are up to date. It is not locked while meshes are fitted, so that others can use it; when they have put
    /// other meshes into it by then, those are fitted too.
    fn refreshed<'a>(
        &self,
        scene: &'a Mutex<Scene>,
    ) -> Result<(MutexGuard<'a, Scene>, FittedMeshes)> {
        loop {
            let meshes = lock(scene).meshes()?;
            let fitted = FittedMeshes::new(meshes, |mesh| self.fitted(mesh))?;
            let mut scene = lock(scene);
            if scene.refresh(&fitted, |fit| self.workers.run(fit))? {
                return Ok((scene, fitted));
            }
        }
    }

    /// The objects of a scene at one moment.
    pub(super) fn placed_objects(&self, scene: &Mutex<Scene>) -> Result<PlacedObjects> {
        let (mut scene, fitted) = self.refreshed(scene)?;
        Ok(PlacedObjects {
            placed: placed(&scene, &fitted)?,
            ids: scene.ids().clone(),
            lent: scene.lend(),
        })
    }

    /// The objects of all scenes.
    pub(super) fn all_objects(&self) -> Vec<Arc<Mutex<Scene>>> {
        let scenes = self.scenes();
        scenes.iter().map(|slot| slot.objects.clone()).gather()
    }

    pub(super) fn scene(&self, id: u64) -> Result<Arc<Mutex<Scene>>> {
        self.scenes().get(id).map(|slot| slot.objects.clone())
    }

    fn scenes(&self) -> MutexGuard<'_, Slots<SceneSlot>> {
        lock(&self.scenes)
    }
}

/// The objects as exact queries take them, by place.
fn placed(scene: &Scene, fitted: &FittedMeshes) -> Result<Vec<Option<Placed>>> {
    let one = |place| {
        let (_, object) = scene.objects().at(place)?;
        Some(Placed {
            mesh: object.mesh.clone(),
            fitted: fitted.of(object)?.clone(),
            pose: object.pose,
        })
    };
    memory::collect((0..scene.objects().places()).map(one), "objects")
}

/// The objects where they stand, by place.
pub(super) fn standing(scene: &Scene) -> Result<StandingObjects> {
    let one = |place| {
        let (_, object) = scene.objects().at(place)?;
        Some(StandingMesh {
            mesh: object.mesh.clone(),
            pose: object.pose,
        })
    };
    let places = 0..scene.objects().places();
    Ok(StandingObjects {
        bodies: memory::collect(places.map(one), "objects")?,
        ids: scene.ids().clone(),
    })
}
