//! Where impacts go while surfaces are searched: all into a list, or only the first is kept.

use super::search::ImpactSearch;
use super::{Impact, NextSearch};
use crate::memory;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where impacts go.
pub(super) trait ImpactCollector: Send {
    /// Later impacts are of no interest.
    fn limit(&self) -> f64;
    fn offer(&mut self, impact: Impact);
}

/// Keeps all.
pub(super) struct AllImpacts {
    limit: f64,
    pub(super) impacts: Vec<Impact>,
}

impl AllImpacts {
    pub(super) fn until(limit: f64) -> Self {
        Self {
            limit,
            impacts: Vec::new(),
        }
    }
}

impl ImpactCollector for AllImpacts {
    fn limit(&self) -> f64 {
        self.limit
    }

    fn offer(&mut self, impact: Impact) {
        memory::add(&mut self.impacts, impact);
    }
}

/// Bits of the earliest time found by any thread: contacts that are surely later are not pursued, so the answer stays the same.
pub struct SoonestImpact(AtomicU64);

impl Default for SoonestImpact {
    fn default() -> Self {
        Self(AtomicU64::new(f64::INFINITY.to_bits()))
    }
}

impl SoonestImpact {
    /// What is surely later than the earliest begins here. Times are early by a thousandth of themselves or a millionth of the step at most.
    pub(super) fn limit(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed)) * 1.002 + 4e-6
    }

    /// The time to begin again with after a part of a surface was searched, if that halves the boxes.
    pub(super) fn worth_a_restart(&self, search: &ImpactSearch) -> Option<f64> {
        let middle = 0.5 * (search.from + search.until);
        Some(self.limit()).filter(|&limit| (search.from..middle).contains(&limit))
    }

    /// What to do after a slice was searched. A search that was given up found nothing that the next one does not find.
    pub(super) fn after(
        &self,
        search: &ImpactSearch,
        found: Vec<FirstImpact>,
        first: &mut Option<Impact>,
    ) -> NextSearch {
        let limit = self.limit();
        if limit < search.from {
            return NextSearch::Done;
        }
        if limit < search.give_up {
            return NextSearch::SameSlice(limit);
        }
        *first = found
            .into_iter()
            .filter_map(|part| part.first)
            .reduce(Impact::sooner);
        match first {
            None if limit >= search.to => NextSearch::LaterSlice,
            _ => NextSearch::Done,
        }
    }
}

/// Keeps the first.
pub(super) struct FirstImpact<'a> {
    soonest: &'a SoonestImpact,
    /// The end of the slice.
    to: f64,
    /// Of one surface: of impacts at the same time the lowest is kept under the one name of its pair.
    itself: bool,
    first: Option<Impact>,
}

impl<'a> FirstImpact<'a> {
    pub(super) fn new(soonest: &'a SoonestImpact, search: &ImpactSearch) -> Self {
        Self {
            soonest,
            to: search.to,
            itself: search.itself,
            first: None,
        }
    }
}

impl ImpactCollector for FirstImpact<'_> {
    fn limit(&self) -> f64 {
        self.soonest.limit().min(self.to)
    }

    fn offer(&mut self, impact: Impact) {
        let impact = if self.itself {
            impact.of_itself()
        } else {
            impact
        };
        self.soonest
            .0
            .fetch_min(impact.time.to_bits(), Ordering::Relaxed);
        self.first = Some(self.first.map_or(impact, |first| first.sooner(impact)));
    }
}
