//! The list of near pairs: gathered by many threads, counted when there is no room, sorted at the end.

use super::FeaturePair;
use super::search::{Collector, Near, NearKind};
use crate::error::{Error, Result};
use crate::memory;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the threads know of each other's lists.
pub(super) struct NearList {
    capacity: u64,
    found: AtomicU64,
}

/// What a pair is sorted by: edges are numbered in the order of their vertices.
type Key = (NearKind, u64);

/// What one thread has gathered.
pub(super) struct ListPart<'a> {
    list: &'a NearList,
    /// What was found since the others were told.
    untold: u64,
    keys: Vec<Key>,
    pairs: Vec<FeaturePair>,
    /// Why there are fewer than were found.
    refusal: Option<Error>,
}

/// Pairs after which a thread tells the others.
const TOLD: u64 = 1024;

impl NearList {
    pub(super) fn new(capacity: u64) -> Self {
        Self {
            capacity,
            found: AtomicU64::new(0),
        }
    }

    pub(super) fn part(&self) -> ListPart<'_> {
        ListPart {
            list: self,
            untold: 0,
            keys: Vec::new(),
            pairs: Vec::new(),
            refusal: None,
        }
    }

    /// All pairs of all parts, ascending; a refusal with their number if that is too many.
    pub(super) fn sorted(&self, mut parts: Vec<ListPart>) -> Result<Vec<FeaturePair>> {
        parts.iter_mut().for_each(ListPart::tell);
        let needed = self.found.load(Ordering::Relaxed);
        if needed > self.capacity {
            return Err(Error::BufferTooSmall {
                what: "pairs",
                given: self.capacity,
                needed,
            });
        }
        if let Some(refusal) = parts.iter_mut().find_map(|part| part.refusal.take()) {
            return Err(refusal);
        }
        let mut order = memory::with_room(needed as usize, "the order of near pairs")?;
        for (number, part) in parts.iter().enumerate() {
            let place = |(at, &key): (usize, &Key)| (key, number as u32, at as u32);
            order.extend(part.keys.iter().enumerate().map(place));
        }
        order.par_sort_unstable();
        let mut all = memory::with_room(order.len(), "near pairs")?;
        order
            .par_iter()
            .with_min_len(4096)
            .map(|&(_, part, at)| parts[part as usize].pairs[at as usize])
            .collect_into_vec(&mut all);
        Ok(all)
    }
}

impl ListPart<'_> {
    /// Whether there is room for one more.
    fn reserve(&mut self) -> bool {
        if self.keys.len() < self.keys.capacity() && self.pairs.len() < self.pairs.capacity() {
            return true;
        }
        let more = self.pairs.len().max(256);
        let got = self.keys.try_reserve(more).is_ok() && self.pairs.try_reserve(more).is_ok();
        if !got {
            let bytes = 2 * more * size_of::<FeaturePair>();
            self.refusal = Some(Error::OutOfHostMemory(format!(
                "{bytes} bytes for near pairs"
            )));
        }
        got
    }

    fn tell(&mut self) {
        let untold = std::mem::take(&mut self.untold);
        let before = self.list.found.fetch_add(untold, Ordering::Relaxed);
        if before + untold > self.list.capacity {
            // There will be no list.
            self.keys = Vec::new();
            self.pairs = Vec::new();
        }
    }
}

impl Collector for ListPart<'_> {
    #[inline]
    fn offer(&mut self, near: &Near) {
        if self.refusal.is_none() && self.reserve() {
            let [first, second] = near.candidate.ids.map(u64::from);
            self.keys.push((near.candidate.kind, first << 32 | second));
            self.pairs.push(near.pair());
        }
        self.untold += 1;
        if self.untold >= TOLD {
            self.tell();
        }
    }
}
