//! A follower: asks the same pair again and again without waiting, and always has the newest finished answer. For callers that
//! cannot wait for the device, as a haptic loop of a kilohertz cannot.

use super::batch::{Batch, Ticket};
use super::meeting::Meeting;
use super::penalty::{Penalty, PenaltyOptions, PenaltyQuery};
use super::proximity::{Proximity, ProximityOptions, ProximityQuery};
use crate::error::Result;
use crate::lock::lock;
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

    /// Takes in what has finished, asks anew if there is room, and returns the newest answer; none until the first is there.
    pub fn ask(
        &self,
        meeting: Meeting,
        create: impl FnOnce() -> Result<Batch>,
    ) -> Result<Option<Followed>> {
        meeting.validate()?;
        let mut inner = lock(&self.inner);
        inner.calls += 1;
        inner.take_in()?;
        self.submit(&mut inner, meeting, create)?;
        Ok(inner
            .newest
            .map(|(proximity, penalty, since, number)| Followed {
                proximity,
                penalty,
                age: since.elapsed(),
                number,
            }))
    }

    fn submit(
        &self,
        inner: &mut FollowerState,
        meeting: Meeting,
        create: impl FnOnce() -> Result<Batch>,
    ) -> Result<()> {
        let free = inner.ring.iter().position(|asked| !asked.busy);
        let at = match free {
            Some(at) => at,
            None if inner.ring.len() == IN_FLIGHT => return Ok(()),
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
        let penalty = PenaltyQuery::plan(resources, meeting, self.penalty.clone())?;
        asked.tickets = (batch.add(proximity)?, batch.add(penalty)?);
        // SAFETY: no semaphores are passed; the batch waits for its work before it goes.
        unsafe { asked.batch.submit(&[], &[]) }?;
        (asked.since, asked.number, asked.busy) = (Instant::now(), number, true);
        Ok(())
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
