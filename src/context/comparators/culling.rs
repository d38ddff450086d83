//! Culled queries of a context: pairs of triangles and of objects, by visibility or by hierarchy.

use crate::context::Context;
use crate::context::exact::too_many;
use crate::context::scenes::{PlacedObjects, standing};
use crate::error::Result;
use crate::geometry::bounded::TooMany;
use crate::lock::lock;
use crate::memory::{self, Gather};
use crate::query::cull::{
    Comparable, CullQuestion, FittedBodies, Stats, VisibleBodies, colliding, drawn_boxes,
    triangle_pairs,
};
use crate::query::exact::{StandingMesh, room};
use crate::query::objects::{NamedPair, ObjectsPair, by_name};
use crate::query::pairs::WorldPair;
use crate::query::visibility::{Drawn, Screen, Visibility};
use crate::scene::objects::NearObjects;
use crate::scene::pose::{Pose, check_distance};
use std::sync::Arc;

/// How pairs that cannot count are sorted out.
#[derive(Clone, Copy, Debug)]
pub enum CullMethod {
    /// By the hierarchies of both meshes, on the CPU.
    Hierarchy,
    /// By what is visible, on the device. Nothing is built on the CPU.
    Visibility(Screen),
    /// Not at all.
    Nothing,
}

/// A method, and whether the first pair that is found is enough.
#[derive(Clone, Copy, Debug)]
pub struct Culling {
    /// How pairs are sorted out.
    pub method: CullMethod,
    /// Whether the search ends at the first.
    pub first_only: bool,
}

impl From<CullMethod> for Culling {
    fn from(method: CullMethod) -> Self {
        Self {
            method,
            first_only: false,
        }
    }
}

/// What is looked for in bodies after others were sorted out.
trait Look: Sync {
    type Found: Send;
    fn look(&self, bodies: &impl Comparable, pairs: &[[u32; 2]]) -> (Self::Found, Stats);
}

/// Which pairs of bodies collide.
struct Colliding(CullQuestion);

/// All pairs of triangles, as many as there is room for.
struct TrianglePairs(CullQuestion, usize);

impl Look for Colliding {
    type Found = Vec<[u32; 2]>;
    fn look(&self, bodies: &impl Comparable, pairs: &[[u32; 2]]) -> (Self::Found, Stats) {
        colliding(bodies, pairs, self.0)
    }
}

impl Look for TrianglePairs {
    type Found = std::result::Result<Vec<ObjectsPair>, TooMany>;
    fn look(&self, bodies: &impl Comparable, pairs: &[[u32; 2]]) -> (Self::Found, Stats) {
        triangle_pairs(bodies, pairs, self.0, self.1)
    }
}

impl Context {
    /// All pairs of triangles at most `within` apart, at most `capacity`, and how they were found.
    pub fn culled_pairs(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        within: f64,
        culling: impl Into<Culling>,
        capacity: u64,
    ) -> Result<(Vec<WorldPair>, Stats)> {
        check_distance("distance", within)?;
        let Culling { method, first_only } = culling.into();
        let question = CullQuestion { within, first_only };
        let standing = [self.standing(a)?, self.standing(b)?];
        if let CullMethod::Visibility(screen) = method {
            let bodies = self.drawn(standing.map(Some).into())?;
            let near = self.workers.run(|| {
                let boxes = drawn_boxes(&bodies);
                NearObjects::new(boxes).pairs(within, usize::MAX)
            })?;
            let near = near.unwrap_or_default();
            let look = TrianglePairs(question, room(capacity));
            let (found, stats) = self.visibly(screen, &bodies, &near, within, look)?;
            let found = found.map_err(|found| too_many(found, capacity))?;
            return Ok((alone(found), stats));
        }
        let [a, b] = standing;
        let placed = [
            self.placed_mesh(&a.mesh, a.pose)?,
            self.placed_mesh(&b.mesh, b.pose)?,
        ];
        let bodies = FittedBodies {
            bodies: &placed.map(Some),
            everything: matches!(method, CullMethod::Nothing),
        };
        let look = || triangle_pairs(&bodies, &[[0, 1]], question, room(capacity));
        let (found, stats) = self.workers.run(look)?;
        let found = found.map_err(|found| too_many(found, capacity))?;
        let stats = Stats {
            box_pairs: 1,
            body_pairs: 1,
            ..stats
        };
        Ok((alone(found), stats))
    }

    /// All pairs of objects of a scene that are at most `within` apart, and how they were found.
    pub fn colliding_objects(
        &self,
        scene: u64,
        within: f64,
        culling: impl Into<Culling>,
    ) -> Result<(Vec<[u64; 2]>, Stats)> {
        let Culling { method, first_only } = culling.into();
        let question = CullQuestion { within, first_only };
        let look = Colliding(question);
        let (ids, found, stats) = self.culled_scene(scene, within, method, look)?;
        let name = |pair: [u32; 2]| pair.map(|place| ids[place as usize]);
        Ok((found.into_iter().map(name).gather(), stats))
    }

    /// All pairs of triangles of different objects at most `within` apart, at most `capacity`, and how they were found.
    pub fn culled_scene_pairs(
        &self,
        scene: u64,
        within: f64,
        culling: impl Into<Culling>,
        capacity: u64,
    ) -> Result<(Vec<NamedPair>, Stats)> {
        let Culling { method, first_only } = culling.into();
        let question = CullQuestion { within, first_only };
        let look = TrianglePairs(question, room(capacity));
        let (ids, found, stats) = self.culled_scene(scene, within, method, look)?;
        let found = found.map_err(|found| too_many(found, capacity))?;
        Ok((by_name(found, &ids)?, stats))
    }

    /// Culls the objects of a scene and looks at what is left of them.
    fn culled_scene<L: Look>(
        &self,
        scene: u64,
        within: f64,
        method: CullMethod,
        look: L,
    ) -> Result<(Arc<Vec<u64>>, L::Found, Stats)> {
        check_distance("distance", within)?;
        let scene = self.scene(scene)?;
        if let CullMethod::Visibility(screen) = method {
            let objects = standing(&lock(&scene))?;
            let bodies = self.drawn(objects.bodies)?;
            let boxes = self.workers.run(|| drawn_boxes(&bodies))?;
            let lent = lock(&scene).lend().with_boxes(boxes);
            let near = self.near(&scene, lent, within, u64::MAX)?;
            let (found, stats) = self.visibly(screen, &bodies, &near, within, look)?;
            return Ok((objects.ids, found, stats));
        }
        let PlacedObjects { placed, ids, lent } = self.placed_objects(&scene)?;
        let everything = matches!(method, CullMethod::Nothing);
        let pairs = if everything {
            lock(&scene).take_back(lent);
            every_pair(placed.len())?
        } else {
            self.near(&scene, lent, within, u64::MAX)?
        };
        let bodies = FittedBodies {
            bodies: &placed,
            everything,
        };
        let (found, stats) = self.workers.run(|| look.look(&bodies, &pairs))?;
        let stats = Stats {
            box_pairs: pairs.len() as u64,
            ..stats
        };
        Ok((ids, found, stats))
    }

    /// Draws what is near, and looks at what is left of it.
    fn visibly<L: Look>(
        &self,
        screen: Screen,
        bodies: &[Option<Drawn>],
        near: &[[u32; 2]],
        within: f64,
        look: L,
    ) -> Result<(L::Found, Stats)> {
        self.with_visibility(screen, |visibility| {
            let left = VisibleBodies::new(visibility, bodies, near, within)?;
            let (found, stats) = self.workers.run(|| look.look(&left, &left.pairs))?;
            let stats = Stats {
                box_pairs: near.len() as u64,
                fattening: left.fattening,
                ..stats
            };
            Ok((found, stats))
        })
    }

    /// Meshes as views take them, each read once.
    fn drawn(&self, standing: Vec<Option<StandingMesh>>) -> Result<Vec<Option<Drawn>>> {
        let (now, mut drawn) = (self.now(), memory::with_room(standing.len(), "objects")?);
        for body in standing {
            drawn.push(match body {
                Some(StandingMesh { mesh, pose }) => {
                    mesh.check_single_precision("culling by visibility")?;
                    let boxes = now.cluster_boxes(&mesh)?;
                    Some(Drawn::new(mesh, pose, boxes))
                }
                None => None,
            });
        }
        Ok(drawn)
    }

    /// Lends the context's screen, or makes one; it is kept for the next query like it.
    fn with_visibility<T>(
        &self,
        screen: Screen,
        work: impl FnOnce(&mut Visibility) -> Result<T>,
    ) -> Result<T> {
        // Nobody waits for it: who finds none makes another.
        let kept = lock(&self.visibility).take();
        let mut visibility = match kept {
            Some(mut before) if before.fits(&screen) => {
                before.change(screen);
                before
            }
            _ => Visibility::new(&self.resources, screen)?,
        };
        let answer = work(&mut visibility);
        *lock(&self.visibility) = Some(visibility);
        answer
    }
}

fn alone(pairs: Vec<ObjectsPair>) -> Vec<WorldPair> {
    pairs.into_iter().map(|found| found.pair).gather()
}

fn every_pair(count: usize) -> Result<Vec<[u32; 2]>> {
    let mut all = memory::with_room(count * count.saturating_sub(1) / 2, "pairs of objects")?;
    let count = count as u32;
    all.extend((0..count).flat_map(|i| (i + 1..count).map(move |j| [i, j])));
    Ok(all)
}
