//! The list of near pairs: gathered by many threads, counted when there is no room, sorted at the end.

use super::buckets::sorted_by_bucket;
use super::search::{Collector, Near, NearCandidate};
use super::{FeaturePair, NearBody};
use crate::error::{Error, Result};
use crate::memory;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the threads know of each other's lists.
pub(super) struct NearList {
    capacity: u64,
    found: AtomicU64,
    first_features: FirstFeatures,
}

/// What a pair is sorted by: the number of its first feature among those of all kinds, and the second feature. Edges are numbered in the order of
/// their vertices.
type Key = [u32; 2];

/// How many first features there are of each kind.
#[derive(Clone, Copy)]
pub(super) struct FirstFeatures([usize; 3]);

impl FirstFeatures {
    pub(super) fn of(body: &NearBody) -> Self {
        let surface = &body.body.surface;
        let edges = body.representatives.edges.ends.len();
        Self([surface.positions.len(), surface.triangles.len(), edges])
    }

    fn total(self) -> usize {
        self.0.iter().sum()
    }

    #[inline]
    fn number(self, NearCandidate { kind, ids }: NearCandidate) -> u32 {
        let before: usize = self.0[..kind as usize].iter().sum();
        before as u32 + ids[0]
    }
}

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
    /// For pairs whose first features are of this body.
    pub(super) fn new(body: &NearBody, capacity: u64) -> Self {
        Self {
            first_features: FirstFeatures::of(body),
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
        let keyed = parts.iter().enumerate().flat_map(|(number, part)| {
            let place = move |(at, &[first, second]): (usize, &Key)| {
                (first, (second, number as u32, at as u32))
            };
            part.keys.iter().enumerate().map(place)
        });
        let order = sorted_by_bucket(keyed, needed as usize, self.first_features.total());
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
            let first = self.list.first_features.number(near.candidate);
            self.keys.push([first, near.candidate.ids[1]]);
            self.pairs.push(near.pair());
        }
        self.untold += 1;
        if self.untold >= TOLD {
            self.tell();
        }
    }
}
