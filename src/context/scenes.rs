//! Scenes of a context: objects that come, move and go, and what of them is close.

use super::exact::too_many;
use super::{CONTEXTS, Context};
use crate::error::Result;
use crate::lock::lock;
use crate::memory;
use crate::query::objects::{self, ObjectsPair};
use crate::query::placed::Placed;
use crate::scene::objects::{FittedMeshes, NearObjects, Scene};
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
        self.scenes()
            .insert(Arc::new(Mutex::new(Scene::new(number))))
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

    /// Takes an object out of a scene.
    pub fn remove_object(&self, scene: u64, object: u64) -> Result<()> {
        let scene = self.scene(scene)?;
        lock(&scene).remove(object)
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
        let room = usize::try_from(capacity).unwrap_or(usize::MAX);
        let found = self
            .workers
            .run(|| objects::run(&near, |place| placed[place as usize].as_ref(), within, room))?
            .map_err(|found| too_many(found, capacity))?;
        let name = |found: ObjectsPair| NamedPair {
            objects: found.objects.map(|place| ids[place as usize]),
            found,
        };
        memory::collect(found.into_iter().map(name), "pairs")
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

    pub(super) fn scene(&self, id: u64) -> Result<Arc<Mutex<Scene>>> {
        self.scenes().get(id).cloned()
    }

    fn scenes(&self) -> MutexGuard<'_, Slots<Arc<Mutex<Scene>>>> {
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
