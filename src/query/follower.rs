//! A follower: asks the same pair again and again without waiting, and always has the newest finished answer. For callers that
//! cannot wait for the device, as a haptic loop of a kilohertz cannot.

use super::batch::{Batch, Ticket};
use super::meeting::Meeting;
use super::penalty::{Penalty, PenaltyOptions, PenaltyQuery};
use super::proximity::{Proximity, ProximityOptions, ProximityQuery};
use crate::error::Result;
use crate::gpu::queue::TimelinePoint;
use crate::lock::lock;
use glam::Vec3;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Submissions that can be under way at once.
const IN_FLIGHT: usize = 3;

/// The newest finished answer.
#[derive(Debug, Clone, Copy)]
pub struct Followed {
    /// Its proximity.
    pub proximity: Proximity,
    /// Its penalty.
    pub penalty: Penalty,
    /// Since the call that asked for it.
    pub age: Duration,
    /// Counts the calls: the one that asked for it.
    pub number: u64,
}

/// What goes with one question.
#[derive(Default)]
pub struct FollowInput {
    /// Of each vertex of the mesh, beyond that of the pose.
    pub velocities: Option<Vec<Vec3>>,
    /// Reached before the device reads anything.
    pub waits: Vec<TimelinePoint>,
    /// Signalled when the answer is there.
    pub signals: Vec<TimelinePoint>,
}

/// What a call has come to.
#[derive(Debug, Clone, Copy)]
pub struct Following {
    /// Whether it asked: not, where as many as can be are under way.
    pub asked: Option<u64>,
    /// None until the first is there.
    pub newest: Option<Followed>,
}

struct InFlight {
    batch: Batch,
    tickets: (Ticket<ProximityQuery>, Ticket<PenaltyQuery>),
    since: Instant,
    number: u64,
    busy: bool,
}

/// Thread-safe: calls take turns.
pub struct Follower {
    proximity: ProximityOptions,
    penalty: PenaltyOptions,
    inner: Mutex<FollowerState>,
}

struct FollowerState {
    ring: Vec<InFlight>,
    newest: Option<(Proximity, Penalty, Instant, u64)>,
    calls: u64,
}

impl Follower {
    /// A follower that has asked nothing yet.
    pub fn new(proximity: ProximityOptions, penalty: PenaltyOptions) -> Self {
        Self {
            proximity,
            penalty,
            inner: Mutex::new(FollowerState {
                ring: Vec::new(),
                newest: None,
                calls: 0,
            }),
        }
    }

    /// Takes in what has finished, asks anew if there is room, and returns the newest answer.
    ///
    /// # Safety
    /// The semaphores are of this device, and stay alive until what this call asks for is done.
    pub unsafe fn ask(
        &self,
        meeting: Meeting,
        input: FollowInput,
        create: impl FnOnce() -> Result<Batch>,
    ) -> Result<Following> {
        meeting.validate()?;
        let mut inner = lock(&self.inner);
        inner.calls += 1;
        inner.take_in()?;
        // SAFETY: by the caller's promise.
        let asked = unsafe { self.submit(&mut inner, meeting, input, create) }?;
        let newest = (inner.newest).map(|(proximity, penalty, since, number)| Followed {
            proximity,
            penalty,
            age: since.elapsed(),
            number,
        });
        Ok(Following { asked, newest })
    }

    /// # Safety
    /// As for [`Follower::ask`].
    unsafe fn submit(
        &self,
        inner: &mut FollowerState,
        meeting: Meeting,
        input: FollowInput,
        create: impl FnOnce() -> Result<Batch>,
    ) -> Result<Option<u64>> {
        let free = inner.ring.iter().position(|asked| !asked.busy);
        let at = match free {
            Some(at) => at,
            None if inner.ring.len() == IN_FLIGHT => return Ok(None),
            None => {
                inner.ring.push(InFlight {
                    batch: create()?,
                    tickets: (Ticket::from_id(0), Ticket::from_id(0)),
                    since: Instant::now(),
                    number: 0,
                    busy: false,
                });
                inner.ring.len() - 1
            }
        };
        let number = inner.calls;
        let asked = &mut inner.ring[at];
        asked.batch.reset()?;
        let (batch, resources) = (&asked.batch, asked.batch.resources());
        let proximity = ProximityQuery::plan(resources, meeting.clone(), self.proximity)?;
        let options = PenaltyOptions {
            velocities: input.velocities,
            ..self.penalty.clone()
        };
        let penalty = PenaltyQuery::plan(resources, meeting, options)?;
        asked.tickets = (batch.add(proximity)?, batch.add(penalty)?);
        // SAFETY: by the caller's promise; the batch waits for its work before it goes.
        unsafe { asked.batch.submit(&input.waits, &input.signals) }?;
        (asked.since, asked.number, asked.busy) = (Instant::now(), number, true);
        Ok(Some(number))
    }
}

impl FollowerState {
    fn take_in(&mut self) -> Result<()> {
        for asked in self.ring.iter_mut().filter(|asked| asked.busy) {
            if !asked.batch.poll()? {
                continue;
            }
            asked.busy = false;
            if self
                .newest
                .is_some_and(|(.., number)| number > asked.number)
            {
                continue;
            }
            let (proximity, penalty) = asked.tickets;
            self.newest = Some((
                asked.batch.answer(proximity)?,
                asked.batch.answer(penalty)?,
                asked.since,
                asked.number,
            ));
        }
        Ok(())
    }
}
