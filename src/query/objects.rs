//! Pairs of triangles among many objects.

use super::cull::{CullQuestion, FittedBodies, triangle_pairs};
use super::exact::{ExactQuery, MeshesAt, StandingMesh, room, too_many};
use super::pairs::WorldPair;
use super::placed::Placed;
use crate::error::Result as Outcome;
use crate::geometry::aabb::Aabb;
use crate::geometry::bounded::TooMany;
use crate::geometry::pairs::Found;
use crate::memory::{self, Gather};
use crate::scene::mesh::Mesh;
use crate::scene::objects::{NearObjects, object_bounds};
use crate::scene::pose::check_distance;
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

/// Pairs of triangles of one pair of objects after the other; once there are too many, the rest is only counted.
pub struct PairsOfPairs {
    found: Vec<ObjectsPair>,
    capacity: usize,
    /// How many there are.
    pub needed: u64,
    /// Pairs of objects of which triangles were compared.
    pub body_pairs: u64,
    /// Pairs of triangles that came to the exact test.
    pub candidates: u64,
}

impl PairsOfPairs {
    /// None yet; at most `capacity` are kept.
    pub fn new(capacity: usize) -> Self {
        Self {
            found: Vec::new(),
            capacity,
            needed: 0,
            body_pairs: 0,
            candidates: 0,
        }
    }

    /// How many more are kept.
    pub fn room(&self) -> usize {
        let taken = usize::try_from(self.needed).unwrap_or(usize::MAX);
        self.capacity.saturating_sub(taken)
    }

    /// Takes what was found of a pair of objects.
    pub fn take(&mut self, objects: [u32; 2], list: Result<Found<WorldPair>, TooMany>) {
        match list {
            Ok(list) => {
                self.body_pairs += u64::from(list.candidates > 0);
                self.candidates += list.candidates;
                self.needed += list.pairs.len() as u64;
                if self.needed <= self.capacity as u64 {
                    memory::ensure(&mut self.found, self.needed as usize);
                    let named = list.pairs.into_iter();
                    (self.found).extend(named.map(|pair| ObjectsPair { objects, pair }));
                }
            }
            Err(full) => self.needed += full.needed,
        }
    }

    /// Forgets all but the first.
    pub fn keep_first(&mut self) {
        self.found.truncate(1);
        self.needed = self.needed.min(1);
    }

    /// All of them, or how many there are if that is too many.
    pub fn end(self) -> Result<Vec<ObjectsPair>, TooMany> {
        let Self {
            found,
            needed,
            capacity,
            ..
        } = self;
        match needed > capacity as u64 {
            true => Err(TooMany { needed, capacity }),
            false => Ok(found),
        }
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
    let bodies = FittedBodies {
        bodies: placed,
        everything: false,
    };
    let question = CullQuestion {
        within,
        first_only: false,
    };
    let (found, _) = triangle_pairs(&bodies, near, question, room(capacity));
    by_name(found.map_err(|found| too_many(found, capacity))?, ids)
}

/// Pairs of triangles by the objects' ids, which are given by place.
pub fn by_name(found: Vec<ObjectsPair>, ids: &[u64]) -> Outcome<Vec<NamedPair>> {
    let name = |found: ObjectsPair| NamedPair {
        objects: found.objects.map(|place| ids[place as usize]),
        found,
    };
    memory::collect(found.into_iter().map(name), "pairs")
}
