//! A scene: objects that are placed meshes, and which of their boxes overlap.

use super::hierarchy::FittedMesh;
use super::mesh::Mesh;
use super::pose::{Pose, world};
use super::slots::{Kind, Slots};
use crate::error::Result;
use crate::geometry::aabb::Aabb;
use crate::geometry::bounded::TooMany;
use crate::geometry::broad_phase::sweep_and_prune::{SweepAndPrune, grown};
use crate::geometry::hierarchy::placement::{moved_bounds, shifted_bounds};
use crate::geometry::rounding::round_up;
use crate::memory::{self, Gather};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// A mesh somewhere in the world.
pub struct Object {
    /// The mesh; others may share it.
    pub mesh: Arc<Mesh>,
    /// Its place.
    pub pose: Pose,
    shared: u32,
    moved: bool,
}

/// A mesh of one or more objects.
struct Shared {
    mesh: Arc<Mesh>,
    users: u32,
    /// The box around it where it is, as of that update.
    bounds: Aabb,
    /// The update of positions that the boxes of its users are of.
    fitted: Option<u64>,
}

/// Objects and the boxes around them. What is kept between queries makes small motions cheap.
pub struct Scene {
    objects: Slots<Object>,
    shared: Vec<Shared>,
    /// Where in `shared` a mesh is, by its address, which is its own while it is kept there.
    meshes: HashMap<usize, u32>,
    unused: Vec<u32>,
    /// The world box of the object in each place; empty where there is none. Queries that are running hold those of their moment.
    boxes: Arc<Vec<Aabb>>,
    /// The id of the object in each place; 0 where there is none.
    ids: Arc<Vec<u64>>,
    sweep: SweepAndPrune,
}

/// A mesh and what it is now; none in a place that is not in use.
type MeshNow = Option<(Arc<Mesh>, Arc<FittedMesh>)>;

/// The meshes of a scene as they are now, in the order of the scene.
pub struct FittedMeshes(Vec<MeshNow>);

impl FittedMeshes {
    /// Fits each of the meshes of [`Scene::meshes`].
    pub fn new(
        meshes: Vec<Option<Arc<Mesh>>>,
        current: impl Fn(&Arc<Mesh>) -> Result<Arc<FittedMesh>>,
    ) -> Result<Self> {
        let mut fitted = memory::with_room(meshes.len(), "meshes")?;
        for mesh in meshes {
            fitted.push(match mesh {
                Some(mesh) => Some((mesh.clone(), current(&mesh)?)),
                None => None,
            });
        }
        Ok(Self(fitted))
    }

    /// An object's mesh.
    pub fn of(&self, object: &Object) -> Option<&Arc<FittedMesh>> {
        self.0
            .get(object.shared as usize)?
            .as_ref()
            .map(|(_, fitted)| fitted)
    }
}

impl Scene {
    /// An empty scene; `number` tells its objects from those of other scenes.
    pub fn new(number: u64) -> Self {
        Self {
            objects: Slots::new(Kind::Object, number),
            shared: Vec::new(),
            meshes: HashMap::new(),
            unused: Vec::new(),
            boxes: Arc::default(),
            ids: Arc::default(),
            sweep: SweepAndPrune::default(),
        }
    }

    /// The objects and their places.
    pub fn objects(&self) -> &Slots<Object> {
        &self.objects
    }

    /// The id of the object in each place; 0 where there is none.
    pub fn ids(&self) -> &Arc<Vec<u64>> {
        &self.ids
    }

    /// Places a mesh in the scene.
    pub fn add(&mut self, mesh: Arc<Mesh>, pose: Pose) -> Result<u64> {
        pose.validate()?;
        let address = Arc::as_ptr(&mesh) as usize;
        let known = self.meshes.get(&address).copied();
        let shared = known.unwrap_or_else(|| self.take_in(mesh.clone()));
        let id = self.objects.insert(Object {
            mesh,
            pose,
            shared,
            moved: true,
        })?;
        self.meshes.insert(address, shared);
        self.shared[shared as usize].users += 1;
        let place = self.objects.place(id)?;
        let boxes = memory::make_mut(&mut self.boxes, "boxes")?;
        let ids = memory::make_mut(&mut self.ids, "ids")?;
        if place == boxes.len() {
            memory::push(boxes, Aabb::EMPTY, "boxes")?;
        }
        if place == ids.len() {
            memory::push(ids, id, "ids")?;
        }
        ids[place] = id;
        Ok(id)
    }

    fn take_in(&mut self, mesh: Arc<Mesh>) -> u32 {
        let shared = Shared {
            mesh,
            users: 0,
            bounds: Aabb::EMPTY,
            fitted: None,
        };
        match self.unused.pop() {
            Some(at) => {
                self.shared[at as usize] = shared;
                at
            }
            None => {
                self.shared.push(shared);
                self.shared.len() as u32 - 1
            }
        }
    }

    /// Gives the objects of one mesh another.
    pub fn replace_mesh(&mut self, old: &Arc<Mesh>, new: &Arc<Mesh>) {
        let Some(before) = self.meshes.remove(&(Arc::as_ptr(old) as usize)) else {
            return;
        };
        let address = Arc::as_ptr(new) as usize;
        let known = self.meshes.get(&address).copied();
        let after = known.unwrap_or_else(|| self.take_in(new.clone()));
        self.meshes.insert(address, after);
        for object in self.objects.iter_mut().filter(|o| o.shared == before) {
            object.mesh = new.clone();
            object.shared = after;
            object.moved = true;
        }
        self.shared[after as usize].users += self.shared[before as usize].users;
        self.shared[before as usize].users = 0;
        self.unused.push(before);
    }

    /// Moves objects, or none of them if an id or a pose is not valid.
    pub fn place<P: Into<Pose> + Copy>(&mut self, ids: &[u64], poses: &[P]) -> Result<()> {
        let mut places = memory::with_room(ids.len(), "objects")?;
        for (&id, &pose) in ids.iter().zip(poses) {
            pose.into().validate()?;
            places.push(self.objects.place(id)?);
        }
        for (place, &pose) in places.into_iter().zip(poses) {
            if let Some(object) = self.objects.at_mut(place) {
                object.pose = pose.into();
                object.moved = true;
            }
        }
        Ok(())
    }

    /// Takes an object out.
    pub fn remove(&mut self, id: u64) -> Result<()> {
        let place = self.objects.place(id)?;
        let boxes = memory::make_mut(&mut self.boxes, "boxes")?;
        let ids = memory::make_mut(&mut self.ids, "ids")?;
        let object = self.objects.remove(id)?;
        boxes[place] = Aabb::EMPTY;
        ids[place] = 0;
        let shared = &mut self.shared[object.shared as usize];
        shared.users -= 1;
        if shared.users == 0 {
            self.meshes.remove(&(Arc::as_ptr(&object.mesh) as usize));
            self.unused.push(object.shared);
        }
        Ok(())
    }

    /// The meshes of the objects, to be fitted for [`Scene::refresh`]; none in places that are not in use.
    pub fn meshes(&self) -> Result<Vec<Option<Arc<Mesh>>>> {
        let used = |shared: &Shared| (shared.users > 0).then(|| shared.mesh.clone());
        memory::collect(self.shared.iter().map(used), "meshes")
    }

    /// Brings the boxes up to date with meshes that were fitted, in the order of [`Scene::meshes`]. False if the scene has other meshes
    /// by now.
    pub fn refresh(
        &mut self,
        fitted: &FittedMeshes,
        run: impl FnOnce(&mut (dyn FnMut() + Send)) -> Result<()>,
    ) -> Result<bool> {
        let known = |(shared, fitted): (&Shared, &MeshNow)| {
            shared.users == 0
                || (fitted.as_ref()).is_some_and(|(mesh, _)| Arc::ptr_eq(mesh, &shared.mesh))
        };
        let mut pairs = self.shared.iter().zip(&fitted.0);
        if self.shared.len() > fitted.0.len() || !pairs.all(known) {
            return Ok(false);
        }
        let mut changed = memory::with_room(self.shared.len(), "meshes")?;
        for (shared, fitted) in self.shared.iter_mut().zip(&fitted.0) {
            let now = fitted.as_ref().filter(|_| shared.users > 0);
            changed.push(now.is_some_and(|(mesh, now)| {
                let changed = mesh.changes_unseen() || shared.fitted != Some(now.revision());
                if changed {
                    shared.bounds = now.bvh().nodes()[0].bounds();
                }
                changed
            }));
        }
        memory::make_mut(&mut self.boxes, "boxes")?;
        run(&mut || self.fit(fitted, &changed))?;
        for (shared, fitted) in self.shared.iter_mut().zip(&fitted.0) {
            shared.fitted = fitted.as_ref().map(|(_, now)| now.revision());
        }
        Ok(true)
    }

    fn fit(&mut self, fitted: &FittedMeshes, changed: &[bool]) {
        let (objects, shared) = (&self.objects, &self.shared);
        let Some(boxes) = Arc::get_mut(&mut self.boxes) else {
            unreachable!("the boxes were made the scene's own");
        };
        boxes
            .par_iter_mut()
            .with_min_len(512)
            .enumerate()
            .for_each(|(place, bounds)| {
                let Some((_, object)) = objects.at(place) else {
                    return;
                };
                if !object.moved && !changed[object.shared as usize] {
                    return;
                }
                if !object.pose.turns() {
                    let still = shared[object.shared as usize].bounds;
                    *bounds = shifted_bounds(still, object.pose.position);
                } else if let Some(mesh) = fitted.of(object) {
                    *bounds = object_bounds(mesh, &object.pose);
                }
            });
        self.objects
            .iter_mut()
            .for_each(|object| object.moved = false);
    }

    /// What is needed to find near objects, to be used without the scene and given back. Boxes are as of the last
    /// [`Scene::refresh`].
    pub fn lend(&mut self) -> NearObjects {
        NearObjects {
            boxes: self.boxes.clone(),
            sweep: std::mem::take(&mut self.sweep),
        }
    }

    /// Takes back what was lent: the next query finds its order.
    pub fn take_back(&mut self, lent: NearObjects) {
        self.sweep = lent.sweep;
    }

    /// The box of an object in the world, as of the last [`Scene::refresh`].
    pub fn bounds(&self, place: usize) -> Aabb {
        self.boxes.get(place).copied().unwrap_or(Aabb::EMPTY)
    }
}

/// The boxes of a scene at a moment, and the order in which they were last found.
pub struct NearObjects {
    boxes: Arc<Vec<Aabb>>,
    sweep: SweepAndPrune,
}

/// The box in the world of a mesh under a pose.
pub fn object_bounds(fitted: &FittedMesh, pose: &Pose) -> Aabb {
    let whole = &fitted.bvh().nodes()[0];
    if pose.turns() {
        moved_bounds(whole, &world(pose))
    } else {
        shifted_bounds(whole.bounds(), pose.position)
    }
}

impl NearObjects {
    /// Of boxes that were in no order before.
    pub fn new(boxes: Vec<Aabb>) -> Self {
        Self {
            boxes: Arc::new(boxes),
            sweep: SweepAndPrune::default(),
        }
    }

    /// The same order with other boxes, one per place.
    pub fn with_boxes(self, boxes: Vec<Aabb>) -> Self {
        Self {
            boxes: Arc::new(boxes),
            ..self
        }
    }

    /// Pairs of places whose objects have boxes at most `within` apart on every axis, ascending.
    pub fn pairs(
        &mut self,
        within: f64,
        capacity: usize,
    ) -> std::result::Result<Vec<[u32; 2]>, TooMany> {
        if within == 0.0 {
            return self.sweep.pairs(&self.boxes, capacity);
        }
        let margin = round_up(0.5 * within);
        let boxes: Vec<Aabb> = self.boxes.iter().map(|&b| grown(b, margin)).gather();
        self.sweep.pairs(&boxes, capacity)
    }
}
