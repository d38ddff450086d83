//! Pairs of triangles among many objects.

use super::exact::{ExactQuery, MeshesAt, StandingMesh, room, too_many};
use super::pairs::{self, WorldPair};
use super::placed::Placed;
use crate::error::Result as Outcome;
use crate::geometry::aabb::Aabb;
use crate::geometry::bounded::TooMany;
use crate::memory::{self, Gather, ParallelGather};
use crate::scene::mesh::Mesh;
use crate::scene::objects::{NearObjects, object_bounds};
use crate::scene::pose::check_distance;
use rayon::prelude::*;
use std::sync::Arc;

/// Two triangles of two objects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectsPair {
    /// The objects, by their place in the scene.
    pub objects: [u32; 2],
    /// Their triangles.
    pub pair: WorldPair,
}

/// Two triangles of two objects, by the objects' ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedPair {
    /// The objects.
    pub objects: [u64; 2],
    /// Their triangles.
    pub found: ObjectsPair,
}

/// The objects of a scene where they stand, by place.
#[derive(Clone)]
pub struct StandingObjects {
    /// None in a place that is not in use.
    pub bodies: Vec<Option<StandingMesh>>,
    /// Their ids.
    pub ids: Arc<Vec<u64>>,
}

impl StandingObjects {
    /// Their meshes, one more than once where objects share it.
    pub(super) fn meshes(&self) -> impl Iterator<Item = &Arc<Mesh>> {
        self.bodies.iter().flatten().map(|body| &body.mesh)
    }

    /// The objects at one moment.
    pub(super) fn placed(&self, source: &MeshesAt) -> Outcome<Vec<Option<Placed>>> {
        let mut placed = memory::with_room(self.bodies.len(), "objects")?;
        for body in &self.bodies {
            placed.push(body.as_ref().map(|body| source.placed(body)).transpose()?);
        }
        Ok(placed)
    }
}

/// Planned pairs of triangles of the objects of a scene, where they stood when it was planned.
pub struct ScenePairsQuery {
    objects: StandingObjects,
    within: f64,
    capacity: u64,
}

impl ScenePairsQuery {
    /// Those at most `within` apart, at most `capacity` of them.
    pub fn plan(objects: StandingObjects, within: f64, capacity: u64) -> Outcome<Self> {
        check_distance("distance", within)?;
        Ok(Self {
            objects,
            within,
            capacity,
        })
    }
}

impl ExactQuery for ScenePairsQuery {
    type Answer = Vec<NamedPair>;
    type Prepared = Vec<Option<Placed>>;
    const NAME: &'static str = "scene pairs";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.objects.meshes().gather()
    }

    fn prepare(&self, source: &MeshesAt) -> Outcome<Self::Prepared> {
        self.objects.placed(source)
    }

    fn run(&self, placed: Self::Prepared) -> Outcome<Vec<NamedPair>> {
        let bounds = |placed: &Option<Placed>| {
            let placed = placed.as_ref();
            placed.map_or(Aabb::EMPTY, |p| object_bounds(&p.fitted, &p.pose))
        };
        let boxes = memory::collect(placed.iter().map(bounds), "boxes")?;
        let near = NearObjects::new(boxes).pairs(self.within, usize::MAX);
        let near = near.map_err(|found| too_many(found, u64::MAX))?;
        named_pairs(
            &near,
            &placed,
            &self.objects.ids,
            self.within,
            self.capacity,
        )
    }
}

/// All pairs of triangles at most `within` apart of the given pairs of objects, by the objects' ids.
pub fn named_pairs(
    near: &[[u32; 2]],
    placed: &[Option<Placed>],
    ids: &[u64],
    within: f64,
    capacity: u64,
) -> Outcome<Vec<NamedPair>> {
    let at = |place: u32| placed[place as usize].as_ref();
    let found = run(near, at, within, room(capacity)).map_err(|found| too_many(found, capacity))?;
    let name = |found: ObjectsPair| NamedPair {
        objects: found.objects.map(|place| ids[place as usize]),
        found,
    };
    memory::collect(found.into_iter().map(name), "pairs")
}

/// Pairs of objects whose triangles are compared at a time: each may hold as many results as the caller takes.
const AT_ONCE: usize = 16;

/// All pairs of triangles at most `within` apart of the given pairs of objects, in their order. `placed` gives the object in a
/// place.
pub fn run<'a>(
    near: &[[u32; 2]],
    placed: impl Fn(u32) -> Option<&'a Placed> + Sync,
    within: f64,
    capacity: usize,
) -> Result<Vec<ObjectsPair>, TooMany> {
    let (mut found, mut needed) = (Vec::new(), 0u64);
    for some in near.chunks(AT_ONCE) {
        // Once there are too many, the rest is only counted.
        let room = capacity.saturating_sub(usize::try_from(needed).unwrap_or(usize::MAX));
        let lists: Vec<_> = some
            .par_iter()
            .map(|&[i, j]| match (placed(i), placed(j)) {
                (Some(a), Some(b)) => pairs::run(a, b, within, room),
                _ => Ok(Vec::new()),
            })
            .par_gather();
        for (&objects, list) in some.iter().zip(lists) {
            match list {
                Ok(list) => {
                    needed += list.len() as u64;
                    if needed <= capacity as u64 {
                        memory::ensure(&mut found, needed as usize);
                        found.extend(list.into_iter().map(|pair| ObjectsPair { objects, pair }));
                    }
                }
                Err(full) => needed += full.needed,
            }
        }
    }
    if needed > capacity as u64 {
        return Err(TooMany { needed, capacity });
    }
    Ok(found)
}
