//! Time-critical queries of a context.

use super::Context;
use crate::error::{Error, Result, invalid};
use crate::geometry::surface::Surface;
use crate::geometry::time_critical::bodies::ActivePair;
use crate::geometry::time_critical::budget::Budget;
use crate::geometry::time_critical::chance::Chance;
use crate::geometry::time_critical::levels::{MOST_LEVELS, Resolutions};
use crate::geometry::time_critical::tracker::{Tracker, Tracking};
use crate::geometry::topology::incidence::Incidence;
use crate::interrupt;
use crate::lock::lock;
use crate::memory;
use crate::query::exact::StandingMesh;
use crate::query::placed::Placed;
use crate::query::tracking::{self, TrackedAnswer, TrackedTopology};
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

/// How long a time-critical query may take. Something is answered even when it is nothing.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// From the call on; infinite for any.
    pub microseconds: f64,
    /// Triangle distances or so; the answer then does not depend on the machine.
    pub steps: u64,
}

impl Allowance {
    /// Counted from now.
    fn start(&self) -> Result<Budget> {
        if self.microseconds.is_nan() || self.microseconds < 0.0 {
            return Err(invalid(format!(
                "microseconds is {}; it is a time, infinite for any",
                self.microseconds
            )));
        }
        let time = Duration::try_from_secs_f64(self.microseconds * 1e-6).ok();
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Ok(Budget::new(deadline, self.steps))
    }
}

/// A tracker and the meshes it follows.
pub(super) struct TrackerSlot {
    meshes: [Arc<Mesh>; 2],
    topology: TrackedTopology,
    state: Mutex<TrackerState>,
}

struct TrackerState {
    tracker: Tracker,
    /// For which update of each mesh a hierarchy was fitted: what is fitted anew is paid for by steps, whoever does it.
    fitted: [Option<u64>; 2],
}

impl TrackerSlot {
    fn lock(&self) -> MutexGuard<'_, TrackerState> {
        lock(&self.state)
    }
}

/// What is to be tracked.
#[derive(Clone, Copy, Debug)]
pub struct TrackerPlan {
    /// How pairs are kept.
    pub tracking: Tracking,
    /// The most resolutions that pairs are followed at.
    pub levels: usize,
    /// Whether the second mesh is the first one, followed against itself.
    pub itself: bool,
    /// What the random pairs follow from.
    pub seed: u64,
}

/// The most active pairs of a tracker.
const MAX_PAIRS: usize = 1 << 16;

impl TrackerPlan {
    fn check(&self, meshes: [u64; 2]) -> Result<()> {
        let tracking = &self.tracking;
        for (name, count, most) in [
            ("max_pairs", tracking.pairs, MAX_PAIRS),
            ("fresh_pairs", tracking.fresh, MAX_PAIRS),
            ("levels", self.levels, MOST_LEVELS),
        ] {
            if count == 0 || count > most {
                return Err(invalid(format!(
                    "{name} is {count}; it is between 1 and {most}"
                )));
            }
        }
        if tracking.within.is_nan() || tracking.within < 0.0 {
            return Err(invalid(format!(
                "within is {}; it is a distance, infinite for any",
                tracking.within
            )));
        }
        if !tracking.colliding.is_finite() {
            return Err(invalid(format!(
                "colliding is {}; it is a distance, negative for none",
                tracking.colliding
            )));
        }
        if self.itself && meshes[0] != meshes[1] {
            return Err(invalid(
                "itself is 1 and the meshes are two; give the same one twice",
            ));
        }
        if self.itself && self.levels > 1 {
            return Err(invalid(
                "itself is 1 and levels is above 1; folds are followed at the finest level",
            ));
        }
        Ok(())
    }
}

impl Context {
    /// Creates a tracker of two meshes.
    pub fn create_tracker(&self, meshes: [u64; 2], plan: TrackerPlan) -> Result<u64> {
        plan.check(meshes)?;
        let meshes = [self.mesh(meshes[0])?, self.mesh(meshes[1])?];
        let now = self.now();
        // Only levels need to know where vertices are.
        let moments = match plan.levels {
            1 => None,
            _ => Some([
                now.moment_of_step(&meshes[0])?,
                now.moment_of_step(&meshes[1])?,
            ]),
        };
        let topology = self.workers.run_apart(|| {
            let incidence = (meshes.each_ref())
                .map(|mesh| Incidence::new(&mesh.triangles, mesh.vertices as usize));
            let levels = [0, 1].map(|k| match &moments {
                None => Resolutions::finest(),
                Some(moments) => {
                    let surface = Surface {
                        positions: moments[k].positions.all(),
                        triangles: &meshes[k].triangles,
                    };
                    Resolutions::new(&surface, &incidence[k], plan.levels)
                }
            });
            TrackedTopology {
                incidence,
                levels,
                itself: plan.itself,
            }
        })?;
        self.trackers().insert(Arc::new(TrackerSlot {
            meshes,
            topology,
            state: Mutex::new(TrackerState {
                tracker: Tracker::new(plan.tracking, plan.seed),
                fitted: [None, None],
            }),
        }))
    }

    /// Destroys a tracker.
    pub fn destroy_tracker(&self, id: u64) -> Result<()> {
        self.trackers().remove(id).map(drop)
    }

    /// Follows the meshes of a tracker to where they are now.
    pub fn track(&self, id: u64, poses: [Pose; 2], allowance: Allowance) -> Result<TrackedAnswer> {
        let budget = allowance.start()?;
        let slot = self.trackers().get(id)?.clone();
        let mut state = match slot.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(left)) => left.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(Error::WrongState(
                    "the tracker is in another thread's step; give each thread its own".into(),
                ));
            }
        };
        for mesh in &slot.meshes {
            mesh.check_not_replaced("tracker")?;
        }
        if slot.topology.itself && poses[0] != poses[1] {
            return Err(invalid(
                "pose_a and pose_b differ; a mesh that is followed against itself has one pose",
            ));
        }
        let now = self.now();
        let [a, b] = [0, 1].map(|k| {
            let standing = StandingMesh::new(slot.meshes[k].clone(), poses[k])?;
            now.placed_moment_of_step(&standing)
        });
        let (a, b) = (a?, b?);
        let TrackerState { tracker, fitted } = &mut *state;
        let fit = |budget: &mut Budget| {
            let over = budget.clock();
            for (body, fitted) in [&a, &b].into_iter().zip(fitted) {
                let revision = body.moment.revision();
                let changed = body.mesh.changes_unseen() || *fitted != Some(revision);
                // The first time prepares, and is free.
                if changed && fitted.is_some() && !budget.spend_fit(body.mesh.triangles.len()) {
                    return Ok(None);
                }
                *fitted = Some(revision);
            }
            let [of_a, of_b] = [&a, &b].map(|body| now.fitted_unless(&body.mesh, &over));
            Ok(of_a?.zip(of_b?).map(|(a, b)| [a, b]))
        };
        // On the caller's own thread: to wake another would cost a part of the budget. A cancel ends the budget, and what is known
        // by then is answered.
        interrupt::caught(|| tracking::step(tracker, [&a, &b], &slot.topology, budget, fit))?
    }

    /// The active pairs of a tracker, nearest first.
    pub fn active_pairs(&self, id: u64) -> Result<Vec<ActivePair>> {
        let slot = self.trackers().get(id)?.clone();
        let pairs = memory::copied(slot.lock().tracker.active());
        Ok(pairs)
    }

    /// The pairs that collide around the active ones of a tracker, by their triangles.
    pub fn tracked_collisions(&self, id: u64) -> Result<Vec<ActivePair>> {
        let slot = self.trackers().get(id)?.clone();
        let pairs = memory::copied(&slot.lock().tracker.collisions().pairs);
        Ok(pairs)
    }

    /// How likely two meshes collide; it ends as soon as that is at least `enough`.
    pub fn collision_chance(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        enough: f64,
        allowance: Allowance,
    ) -> Result<Chance> {
        if enough.is_nan() || enough <= 0.0 {
            return Err(invalid(format!(
                "enough is {enough}; it is a probability above 0, above 1 to look at everything"
            )));
        }
        let budget = allowance.start()?;
        let (now, over) = (self.now(), budget.clock());
        let placed = |place| {
            let standing = self.standing(place)?;
            let fitted = now.fitted_unless(&standing.mesh, &over)?;
            Ok(fitted.map(|fitted| Placed {
                mesh: standing.mesh.clone(),
                fitted,
                pose: standing.pose,
            }))
        };
        let (a, b): (Result<_>, Result<_>) = (placed(a), placed(b));
        match a?.zip(b?) {
            Some((a, b)) => self
                .workers
                .run(|| tracking::likelihood(&a, &b, enough, budget)),
            // The time was over before the boxes were fitted.
            None => Ok(Chance::UNKNOWN),
        }
    }
}
