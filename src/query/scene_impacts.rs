//! Impacts of a scene: what of its objects meets while they move and deform.

use super::exact::{ExactQuery, MeshesAt, StandingMesh};
use super::placed::Placed;
use super::sweep::{self, Way};
use crate::error::Result;
use crate::geometry::aabb::Aabb;
use crate::geometry::broad_phase::sweep_and_prune::{SweepAndPrune, grown};
use crate::geometry::continuous::impacts::{Impact, MeetingRule, SoonestImpact};
use crate::geometry::hierarchy::placement::moved_bounds;
use crate::geometry::rounding::round_up;
use crate::geometry::self_collision::Neighbourhoods;
use crate::geometry::topology::representatives::Representatives;
use crate::memory::{self, Gather, ParallelGather};
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, world};
use rayon::prelude::*;
use std::sync::Arc;

/// An object of a scene and where a step takes it.
pub struct ObjectStep {
    from: StandingMesh,
    /// Where it will be, if it was asked to move, and whether it deforms on the way.
    to: Option<(StandingMesh, bool)>,
}

impl ObjectStep {
    /// An object at rest.
    pub fn resting(from: StandingMesh) -> Self {
        Self { from, to: None }
    }

    /// Whether it was asked to move.
    pub fn moves(&self) -> bool {
        self.to.is_some()
    }

    /// Asks it to move to a pose, and to the places of another mesh with the same triangles.
    pub fn go(&mut self, mesh: Option<Arc<Mesh>>, pose: Pose) -> Result<()> {
        let deforms = mesh.is_some();
        let mesh = mesh.unwrap_or_else(|| self.from.mesh.clone());
        (self.from.mesh).check_same_triangles(
            &mesh,
            "the mesh of an object",
            "the one it moves to",
        )?;
        self.to = Some((StandingMesh::new(mesh, pose)?, deforms));
        Ok(())
    }

    fn prepare(&self, source: &MeshesAt) -> Result<MovingObject> {
        let from = source.placed(&self.from)?;
        let (mut to, mut deforms) = (from.clone(), None);
        if let Some((end, changes)) = &self.to {
            to = source.placed(end)?;
            if *changes {
                deforms = Some(source.neighbourhoods(&from.mesh, &from.fitted)?);
            }
        }
        Ok(MovingObject {
            representatives: source.representatives(&from.mesh)?,
            places: [from, to],
            moves: self.moves(),
            deforms,
        })
    }
}

/// A step of the objects of a scene, by place.
pub struct SceneStep {
    /// None in a place that is not in use.
    pub objects: Vec<Option<ObjectStep>>,
    /// Their ids.
    pub ids: Arc<Vec<u64>>,
    /// What counts as meeting.
    pub rule: MeetingRule,
}

impl SceneStep {
    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        let objects = self.objects.iter().flatten();
        let starts = objects.clone().map(|object| &object.from.mesh);
        let ends = objects.filter_map(|object| object.to.as_ref());
        starts.chain(ends.map(|(end, _)| &end.mesh)).gather()
    }

    fn prepare(&self, source: &MeshesAt) -> Result<Vec<Option<MovingObject>>> {
        let mut all = memory::with_room(self.objects.len(), "objects")?;
        for object in &self.objects {
            all.push(object.as_ref().map(|o| o.prepare(source)).transpose()?);
        }
        Ok(all)
    }

    fn named(&self, found: ObjectsImpact) -> NamedImpact {
        NamedImpact {
            objects: found.objects.map(|place| self.ids[place as usize]),
            impact: found.impact,
        }
    }
}

/// An impact of two objects, by their ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedImpact {
    /// The objects; twice the same for one that meets itself.
    pub objects: [u64; 2],
    /// What of them meets.
    pub impact: Impact,
}

/// All impacts of a scene's objects in a step, planned.
pub struct SceneImpactsQuery(pub SceneStep);

impl ExactQuery for SceneImpactsQuery {
    type Answer = Vec<NamedImpact>;
    type Prepared = Vec<Option<MovingObject>>;
    const NAME: &'static str = "scene impacts";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.0.meshes()
    }

    fn prepare(&self, source: &MeshesAt) -> Result<Self::Prepared> {
        self.0.prepare(source)
    }

    fn run(&self, objects: Self::Prepared) -> Result<Vec<NamedImpact>> {
        let found = SceneWays::new(&objects, self.0.rule)?.all(self.0.rule);
        memory::collect(
            found.into_iter().map(|found| self.0.named(found)),
            "impacts",
        )
    }
}

/// The first of them, planned; none is a proof that nothing meets.
pub struct SceneFirstImpactQuery(pub SceneStep);

impl ExactQuery for SceneFirstImpactQuery {
    type Answer = Option<NamedImpact>;
    type Prepared = Vec<Option<MovingObject>>;
    const NAME: &'static str = "first scene impact";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.0.meshes()
    }

    fn prepare(&self, source: &MeshesAt) -> Result<Self::Prepared> {
        self.0.prepare(source)
    }

    fn run(&self, objects: Self::Prepared) -> Result<Option<NamedImpact>> {
        let first = SceneWays::new(&objects, self.0.rule)?.first(self.0.rule);
        Ok(first.map(|found| self.0.named(found)))
    }
}

/// An object of a scene and where it goes.
pub struct MovingObject {
    /// Where it is, and where it will be: the same triangles, perhaps elsewhere.
    pub places: [Placed; 2],
    /// Whether something else than rest was asked of it.
    pub moves: bool,
    /// Of its triangles, when its shape changes, so that it may meet itself.
    pub deforms: Option<Arc<Neighbourhoods>>,
    /// Of its triangles.
    pub representatives: Arc<Representatives>,
}

/// An impact of two objects, or of one with itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectsImpact {
    /// The objects, by their place in the scene; twice the same for one that meets itself.
    pub objects: [u32; 2],
    /// What of them meets.
    pub impact: Impact,
}

impl MovingObject {
    /// A box that holds it all the way, by half of the separation larger.
    fn bounds(&self, margin: f32) -> Aabb {
        let at =
            |placed: &Placed| moved_bounds(&placed.fitted.bvh().nodes()[0], &world(&placed.pose));
        grown(at(&self.places[0]).union(at(&self.places[1])), margin)
    }

    /// Its vertices in the world at both ends, rounded to floats where they are floats in its own frame.
    fn way(&self) -> Way {
        let [from, to] = &self.places;
        let at = |placed: &Placed| {
            if placed.pose.is_identity() {
                return placed.fitted.positions.clone();
            }
            let motion = world(&placed.pose);
            (placed.fitted.positions).moved(|p| motion.transform_point3(p))
        };
        Way {
            mesh: from.mesh.clone(),
            fitted: from.fitted.clone(),
            from: Some(at(from)),
            to: at(to),
            representatives: self.representatives.clone(),
            known: self.deforms.clone(),
        }
    }
}

/// The objects of a scene on their way, by place.
pub struct SceneWays {
    /// The pairs of places that may meet, ascending; twice the same place for an object that may meet itself.
    near: Vec<[u32; 2]>,
    /// The ways of the objects in those pairs.
    ways: Vec<Option<Way>>,
}

/// Pairs of objects that are searched at a time: each holds copies of both hierarchies.
const AT_ONCE: usize = 16;

impl SceneWays {
    /// Finds which objects may meet. Two that rest do not.
    pub fn new(objects: &[Option<MovingObject>], rule: MeetingRule) -> Result<Self> {
        let margin = round_up(0.5 * rule.separation);
        let bounds = |object: &Option<MovingObject>| {
            object.as_ref().map_or(Aabb::EMPTY, |o| o.bounds(margin))
        };
        let boxes = memory::collect(objects.iter().map(bounds), "boxes")?;
        let mut near = SweepAndPrune::default()
            .pairs(&boxes, usize::MAX)
            .unwrap_or_default();
        let of = |place: u32| objects[place as usize].as_ref();
        near.retain(|pair| pair.iter().any(|&place| of(place).is_some_and(|o| o.moves)));
        let alone = (0..objects.len() as u32)
            .filter(|&place| of(place).is_some_and(|o| o.deforms.is_some()));
        alone.for_each(|place| memory::add(&mut near, [place; 2]));
        near.sort_unstable();
        let mut needed = memory::filled(false, objects.len());
        near.iter()
            .flatten()
            .for_each(|&place| needed[place as usize] = true);
        let way = |(object, needed): (&Option<MovingObject>, &bool)| {
            object.as_ref().filter(|_| *needed).map(MovingObject::way)
        };
        let ways = objects.par_iter().zip(&needed).map(way).par_gather();
        Ok(Self { near, ways })
    }

    /// Asks about each pair that may meet, in their order.
    fn each<T: Send>(
        &self,
        of_two: impl Fn(&Way, &Way) -> T + Sync,
        of_one: impl Fn(&Way) -> T + Sync,
        mut take: impl FnMut([u32; 2], T),
    ) {
        for some in self.near.chunks(AT_ONCE) {
            let answer = |pair: &[u32; 2]| match pair.map(|place| &self.ways[place as usize]) {
                [Some(a), Some(_)] if pair[0] == pair[1] => Some(of_one(a)),
                [Some(a), Some(b)] => Some(of_two(a, b)),
                _ => None,
            };
            let answers: Vec<_> = some.par_iter().map(answer).par_gather();
            for (&pair, answer) in some.iter().zip(answers) {
                answer.into_iter().for_each(|answer| take(pair, answer));
            }
        }
    }

    /// All impacts, ascending by the places of the objects, then by features.
    pub fn all(&self, rule: MeetingRule) -> Vec<ObjectsImpact> {
        let mut all = Vec::new();
        self.each(
            |a, b| sweep::all(a, b, rule),
            |a| sweep::all_of_itself(a, rule),
            |objects, found| {
                let named = |impact| ObjectsImpact { objects, impact };
                memory::ensure_more(&mut all, found.len());
                all.extend(found.into_iter().map(named));
            },
        );
        all
    }

    /// The first impact; the lowest objects when several are at the same time.
    pub fn first(&self, rule: MeetingRule) -> Option<ObjectsImpact> {
        let soonest = SoonestImpact::default();
        let mut first: Option<ObjectsImpact> = None;
        self.each(
            |a, b| sweep::sooner(a, b, rule, &soonest),
            |a| sweep::sooner_of_itself(a, rule, &soonest),
            |objects, found| {
                let Some(impact) = found else { return };
                if first.is_none_or(|first| impact.time < first.impact.time) {
                    first = Some(ObjectsImpact { objects, impact });
                }
            },
        );
        first
    }
}
