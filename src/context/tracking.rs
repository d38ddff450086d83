//! Time-critical queries of a context.

use super::Context;
use crate::error::{Error, Result, invalid};
use crate::geometry::time_critical::budget::Budget;
use crate::geometry::time_critical::chance::Chance;
use crate::geometry::time_critical::tracker::{ActivePair, Tracker, Tracking};
use crate::geometry::topology::incidence::Incidence;
use crate::interrupt;
use crate::lock::lock;
use crate::memory;
use crate::query::tracking::{self, TrackedAnswer};
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
    incidence: [Incidence; 2],
    tracker: Mutex<Tracker>,
}

impl TrackerSlot {
    fn lock(&self) -> MutexGuard<'_, Tracker> {
        lock(&self.tracker)
    }
}

/// The most active pairs of a tracker.
const MAX_PAIRS: usize = 1 << 16;

impl Context {
    /// Creates a tracker of two meshes.
    pub fn create_tracker(&self, meshes: [u64; 2], tracking: Tracking, seed: u64) -> Result<u64> {
        for (name, count) in [
            ("max_pairs", tracking.pairs),
            ("fresh_pairs", tracking.fresh),
        ] {
            if count == 0 || count > MAX_PAIRS {
                return Err(invalid(format!(
                    "{name} is {count}; it is between 1 and {MAX_PAIRS}"
                )));
            }
        }
        if tracking.within.is_nan() || tracking.within < 0.0 {
            return Err(invalid(format!(
                "within is {}; it is a distance, infinite for any",
                tracking.within
            )));
        }
        let meshes = [self.mesh(meshes[0])?, self.mesh(meshes[1])?];
        let incidence = self.workers.run_apart(|| {
            meshes
                .each_ref()
                .map(|mesh| Incidence::new(&mesh.triangles, mesh.vertices as usize))
        })?;
        self.trackers().insert(Arc::new(TrackerSlot {
            meshes,
            incidence,
            tracker: Mutex::new(Tracker::new(tracking, seed)),
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
        let mut tracker = match slot.tracker.try_lock() {
            Ok(tracker) => tracker,
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
        let [a, b] = [0, 1].map(|k| self.placed_mesh(&slot.meshes[k], poses[k]));
        let (a, b) = (a?, b?);
        let incidence = [&slot.incidence[0], &slot.incidence[1]];
        // On the caller's own thread: to wake another would cost a part of the budget. A cancel ends the budget, and what is known
        // by then is answered.
        interrupt::caught(|| tracking::step(&mut tracker, &a, &b, incidence, budget))
    }

    /// The active pairs of a tracker, nearest first.
    pub fn active_pairs(&self, id: u64) -> Result<Vec<ActivePair>> {
        let slot = self.trackers().get(id)?.clone();
        let pairs = memory::copied(slot.lock().active());
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
        let (a, b) = (self.placed(a)?, self.placed(b)?);
        self.workers
            .run(|| tracking::likelihood(&a, &b, enough, budget))
    }
}
