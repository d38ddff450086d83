//! Culled queries of a context: pairs of triangles and of objects, by visibility or by hierarchy.

use crate::context::Context;
use crate::context::exact::too_many;
use crate::context::scenes::PlacedObjects;
use crate::error::Result;
use crate::geometry::pairs::Among;
use crate::lock::lock;
use crate::memory::{self, Gather};
use crate::query::cull::{self, Stats};
use crate::query::pairs::{WorldPair, run_among};
use crate::query::visibility::{Screen, Visibility};
use crate::scene::pose::check_distance;

/// How pairs that cannot count are sorted out.
#[derive(Clone, Copy, Debug)]
pub enum CullMethod {
    /// By the hierarchies of both meshes, on the CPU.
    Hierarchy,
    /// By what is visible, on the device.
    Visibility(Screen),
    /// Not at all.
    Nothing,
}

impl Context {
    /// All pairs of triangles at most `within` apart, at most `capacity`, and how they were found.
    pub fn culled_pairs(
        &self,
        a: (u64, crate::scene::pose::Pose),
        b: (u64, crate::scene::pose::Pose),
        within: f64,
        method: CullMethod,
        capacity: u64,
    ) -> Result<(Vec<WorldPair>, Stats)> {
        check_distance("distance", within)?;
        let (a, b) = (self.placed(a)?, self.placed(b)?);
        let room = usize::try_from(capacity).unwrap_or(usize::MAX);
        let among = match method {
            CullMethod::Visibility(screen) => {
                let (found, stats) = self.with_visibility(screen, |visibility| {
                    cull::visible_pairs(visibility, &a, &b, within, room, |work| {
                        self.workers.run(work)
                    })
                })?;
                return Ok((found.map_err(|found| too_many(found, capacity))?, stats));
            }
            CullMethod::Hierarchy => Among::Hierarchies,
            CullMethod::Nothing => Among::Everything,
        };
        let found = self
            .workers
            .run(|| run_among(&a, &b, within, among, room))?
            .map_err(|found| too_many(found, capacity))?;
        let stats = Stats {
            box_pairs: 1,
            body_pairs: 1,
            candidates: found.candidates,
            fattening: 0.0,
        };
        Ok((found.pairs, stats))
    }

    /// All pairs of objects of a scene that are at most `within` apart, and how they were found.
    pub fn colliding_objects(
        &self,
        scene: u64,
        within: f64,
        method: CullMethod,
    ) -> Result<(Vec<[u64; 2]>, Stats)> {
        check_distance("distance", within)?;
        let scene = self.scene(scene)?;
        let PlacedObjects {
            placed: bodies,
            ids,
            lent,
        } = self.placed_objects(&scene)?;
        let near = match method {
            CullMethod::Nothing => {
                lock(&scene).take_back(lent);
                every_pair(bodies.len())?
            }
            _ => self.near(&scene, lent, within, u64::MAX)?,
        };
        let run = |work: &mut (dyn FnMut() + Send)| self.workers.run(work);
        let among = match method {
            CullMethod::Nothing => Among::Everything,
            _ => Among::Hierarchies,
        };
        let (found, stats) = match method {
            CullMethod::Visibility(screen) => self.with_visibility(screen, |visibility| {
                cull::colliding_bodies(Some(visibility), among, &bodies, &near, within, run)
            })?,
            _ => cull::colliding_bodies(None, among, &bodies, &near, within, run)?,
        };
        let named = found
            .into_iter()
            .map(|pair| pair.map(|place| ids[place as usize]))
            .gather();
        Ok((named, stats))
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

fn every_pair(count: usize) -> Result<Vec<[u32; 2]>> {
    let mut all = memory::with_room(count * count.saturating_sub(1) / 2, "pairs of objects")?;
    let count = count as u32;
    all.extend((0..count).flat_map(|i| (i + 1..count).map(move |j| [i, j])));
    Ok(all)
}
