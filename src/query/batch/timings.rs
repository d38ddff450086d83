//! How long the queries of a batch took.

use super::super::Query;
use super::super::snapshot::SnapshotQuery;
use super::{Batch, BatchState, EXACT_BIT, HOST_BIT, Phase, not_done, not_submitted};
use crate::error::{Error, Result};
use crate::memory;

/// What a time was measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Timestamps of the device.
    Device,
    /// The host's clock.
    Host,
}

/// What a query took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueryTiming {
    /// The query's ticket, or 0 for what its queries share.
    pub ticket: u64,
    /// What the time was measured by.
    pub clock: Clock,
    /// The time.
    pub seconds: f64,
}

/// Which times the last submission took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Timed {
    /// None.
    No,
    /// Those of exact queries: the device had nothing to do.
    Exact,
    /// Those of exact queries and of the device.
    All,
}

impl Batch {
    /// What each query of the last submission took, which was to take times: those of the device first, what its queries share ahead of them.
    pub fn timings(&self) -> Result<Vec<QueryTiming>> {
        let mut inner = self.lock();
        self.settle(&mut inner)?;
        if inner.phase == Phase::Recording {
            return Err(not_submitted());
        }
        if !inner.is_done() || self.busy_host().is_some_and(|host| !host.is_done()) {
            return Err(not_done());
        }
        if inner.timed == Timed::No {
            return Err(Error::WrongState(
                "the batch was submitted without PRX_SUBMIT_TIMINGS, so nothing was measured"
                    .into(),
            ));
        }
        let mut timings = inner.device_timings(self.device().is_host())?;
        if let Some(host) = self.busy_host() {
            let host = host.lock();
            for time in host.device_timings(true)? {
                let number = time.ticket & u64::from(u32::MAX);
                let own = u64::from(inner.epoch) << 32 | HOST_BIT | number;
                let ticket = if number == 0 { 0 } else { own };
                if !inner.moved.contains_key(&(HOST_BIT | number)) {
                    memory::push(&mut timings, QueryTiming { ticket, ..time }, "times")?;
                }
            }
        }
        for (at, took) in inner.exact.times().enumerate() {
            let time = QueryTiming {
                ticket: u64::from(inner.epoch) << 32 | EXACT_BIT | (at as u64 + 1),
                clock: Clock::Host,
                seconds: took.as_secs_f64(),
            };
            memory::push(&mut timings, time, "times")?;
        }
        Ok(timings)
    }

    fn is_done(&self) -> bool {
        let mut inner = self.lock();
        self.settle(&mut inner).is_ok() && inner.is_done()
    }
}

impl BatchState {
    /// The times of a device's part.
    fn device_timings(&self, is_host: bool) -> Result<Vec<QueryTiming>> {
        if self.timed != Timed::All {
            return Ok(Vec::new());
        }
        let count = self.queries.len();
        let mut seconds = self.recorder.times(self.parts())?;
        self.share_times(&mut seconds);
        let epoch = u64::from(self.epoch) << 32;
        let mut tickets = memory::with_room(count, "times")?;
        tickets.extend((1..=count as u64).map(|number| epoch | number));
        for (was, number) in &self.moved {
            tickets[*number as usize - 1] = epoch | was;
        }
        let mut times: Vec<QueryTiming> = memory::with_room(count + 1, "times")?;
        let clock = match is_host {
            true => Clock::Host,
            false => Clock::Device,
        };
        times.push(QueryTiming {
            ticket: 0,
            clock,
            seconds: seconds[count],
        });
        for ((planned, ticket), seconds) in self.queries.iter().zip(tickets).zip(seconds) {
            // Nobody has a ticket of what brings positions to exact queries.
            match planned.query.name() {
                SnapshotQuery::NAME => times[0].seconds += seconds,
                _ => times.push(QueryTiming {
                    ticket,
                    clock,
                    seconds,
                }),
            }
        }
        Ok(times)
    }

    /// Adds the time of each dispatch that served several queries to theirs, evenly.
    fn share_times(&self, seconds: &mut [f64]) {
        let (queries, dispatches) = seconds.split_at_mut(self.queries.len() + 1);
        for (members, took) in self.shared.iter().zip(dispatches) {
            for query in members {
                queries[*query] += *took / members.len() as f64;
            }
        }
    }
}
