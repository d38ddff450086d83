//! Scenes of a context: objects that come, move and go, and what of them is close.

use super::exact::too_many;
use super::{CONTEXTS, Context};
use crate::error::Result;
use crate::lock::lock;
use crate::query::body::{BodyPlace, ContactBody};
use crate::query::contacts::ContactOptions;
use crate::query::objects::{self, ObjectsPair};
use crate::query::placed::Placed;
use crate::query::scene_contacts::bodies::{BodyFilter, SceneBodies};
use crate::query::scene_contacts::{SceneContactsQuery, SceneSummary};
use crate::scene::objects::{FittedMeshes, Scene};
use crate::scene::pose::{Pose, check_distance};
use crate::scene::slots::Slots;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

/// Two triangles of two objects, by the objects' ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedPair {
    /// The objects.
    pub objects: [u64; 2],
    /// Their triangles.
    pub found: ObjectsPair,
}

/// A scene: objects for exact queries, and bodies for contacts.
pub(super) struct SceneSlot {
    objects: Arc<Mutex<Scene>>,
    bodies: Arc<Mutex<SceneBodies>>,
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
        let (scene, mesh) = (self.scene(scene)?, self.mesh(mesh)?);
        lock(&scene).add(mesh, pose)
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
        let held = &mut *lock(&bodies);
        let bounds = |mesh: &_| Ok(self.fitted(mesh)?.bvh().bounds());
        let boxes = held.boxes(options.distance.into(), bounds)?;
        let near = self.workers.run(|| held.near(&boxes))??;
        SceneContactsQuery::plan(&self.resources, &bodies, held, &near, options)
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
        let mut scene = lock(&scene);
        self.refresh(&mut scene)?;
        let near = self.near(&mut scene, within, capacity)?;
        let id = |place| scene.ids()[place as usize];
        Ok(near.into_iter().map(|pair| pair.map(id)).collect())
    }

    /// Pairs of triangles of different objects at most `within` apart, at most `capacity`.
    pub fn scene_pairs(&self, scene: u64, within: f64, capacity: u64) -> Result<Vec<NamedPair>> {
        check_distance("distance", within)?;
        let scene = self.scene(scene)?;
        let (near, placed, ids) = {
            let mut scene = lock(&scene);
            let fitted = self.refresh(&mut scene)?;
            let near = self.near(&mut scene, within, u64::MAX)?;
            (near, placed(&scene, &fitted), scene.ids().to_vec())
        };
        let room = usize::try_from(capacity).unwrap_or(usize::MAX);
        let found = self
            .workers
            .run(|| objects::run(&near, |place| placed[place as usize].as_ref(), within, room))?
            .map_err(|found| too_many(found, capacity))?;
        let name = |found: ObjectsPair| NamedPair {
            objects: found.objects.map(|place| ids[place as usize]),
            found,
        };
        Ok(found.into_iter().map(name).collect())
    }

    pub(super) fn near(
        &self,
        scene: &mut Scene,
        within: f64,
        capacity: u64,
    ) -> Result<Vec<[u32; 2]>> {
        let room = usize::try_from(capacity).unwrap_or(usize::MAX);
        self.workers
            .run(|| scene.near(within, room))?
            .map_err(|found| too_many(found, capacity))
    }

    pub(super) fn refresh(&self, scene: &mut Scene) -> Result<FittedMeshes> {
        scene.refresh(|mesh| self.fitted(mesh), |fit| self.workers.run(fit))
    }

    pub(super) fn scene(&self, id: u64) -> Result<Arc<Mutex<Scene>>> {
        self.scenes().get(id).map(|slot| slot.objects.clone())
    }

    fn scenes(&self) -> MutexGuard<'_, Slots<SceneSlot>> {
        lock(&self.scenes)
    }
}

/// The objects as exact queries take them, by place.
pub(super) fn placed(scene: &Scene, fitted: &FittedMeshes) -> Vec<Option<Placed>> {
    let one = |place| {
        let (_, object) = scene.objects().at(place)?;
        Some(Placed {
            mesh: object.mesh.clone(),
            fitted: fitted.of(object)?.clone(),
            pose: object.pose,
        })
    };
    (0..scene.objects().places()).map(one).collect()
}
