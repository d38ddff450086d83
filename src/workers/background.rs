//! Work that nobody waits for yet: on a thread of its own, or offered to the engine's.

use super::Workers;
use crate::error::{Error, Result};
use crate::jobs::{Offer, OfferedTask};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long the engine may take to begin with what it was offered, until a call that polls or waits does it.
pub const PATIENCE: Duration = Duration::from_millis(10);

/// Work that was started. Dropping a thread's lets it go on; dropping what was offered takes it back, or waits for it.
pub enum Background {
    /// On a thread of its own.
    OwnThread(JoinHandle<()>),
    /// As one item.
    Offered(Offer),
}

impl Workers {
    /// Starts work in the background. The engine may take its time: who needs the work done asks [`Background::take`] first.
    pub fn start(&self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<Background> {
        if let Some(jobs) = self.jobs() {
            return Ok(Background::Offered(jobs.offer(vec![Box::new(work)])));
        }
        let started = thread::Builder::new().name(name.into()).spawn(work);
        started
            .map(Background::OwnThread)
            .map_err(|e| Error::OutOfHostMemory(format!("starting a thread, \"{name}\": {e}")))
    }
}

impl Background {
    /// The work, to be done by the caller, where no thread has begun it.
    pub fn take(&self) -> Option<OfferedTask> {
        match self {
            Self::OwnThread(_) => None,
            Self::Offered(offer) => offer.take(),
        }
    }

    /// Whether it waits for a thread of the engine.
    pub fn waits(&self) -> bool {
        matches!(self, Self::Offered(offer) if offer.waits())
    }

    /// Whether it is done.
    pub fn is_over(&self) -> bool {
        match self {
            Self::OwnThread(thread) => thread.is_finished(),
            Self::Offered(offer) => offer.is_over(),
        }
    }

    /// Waits for work that has begun; what has not never will.
    pub fn join(self) {
        match self {
            Self::OwnThread(thread) => drop(thread.join()),
            Self::Offered(offer) => drop(offer),
        }
    }
}
