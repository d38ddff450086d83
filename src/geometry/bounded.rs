//! Sorted result lists of bounded size that know how much room they would have needed.

use crate::memory::{self, Gather};

/// More results than the caller can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are {needed} results, but room for {capacity}: ask again with room for {needed}")]
pub struct TooMany {
    /// How many there are.
    pub needed: u64,
    /// How many were allowed.
    pub capacity: usize,
}

/// What has a place in a sorted list.
pub trait Ordered {
    /// What it is sorted by.
    type Key: Ord;
    /// Its place.
    fn key(&self) -> Self::Key;
}

impl Ordered for [u32; 2] {
    type Key = Self;
    fn key(&self) -> Self {
        *self
    }
}

/// A list that counts on when it is full.
pub(crate) struct Bounded<R> {
    items: Vec<R>,
    count: u64,
    capacity: usize,
}

impl<R: Ordered> Bounded<R> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            items: Vec::new(),
            count: 0,
            capacity,
        }
    }

    pub(crate) fn push(&mut self, item: R) {
        self.count += 1;
        if self.items.len() < self.capacity {
            memory::add(&mut self.items, item);
        }
    }

    /// Whether nothing was pushed.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All items of all lists, sorted, or how many there are if that is too many.
    pub(crate) fn merge(lists: Vec<Self>, capacity: usize) -> Result<Vec<R>, TooMany> {
        let needed = lists.iter().map(|l| l.count).sum();
        if needed > capacity as u64 {
            return Err(TooMany { needed, capacity });
        }
        let mut all = memory::room(needed as usize);
        lists.into_iter().for_each(|l| all.extend(l.items));
        if size_of::<R>() > size_of::<(R::Key, usize)>() {
            sort_by_cached_key(&mut all);
        } else {
            all.sort_unstable_by_key(Ordered::key);
        }
        Ok(all)
    }
}

/// Sorts keys and moves each item once. The standard library's asks for memory that cannot be refused.
fn sort_by_cached_key<R: Ordered>(items: &mut [R]) {
    let keyed = items.iter().enumerate().map(|(at, item)| (item.key(), at));
    let mut order: Vec<(R::Key, usize)> = keyed.gather();
    order.sort_unstable();
    for at in 0..items.len() {
        // Where the item has gone to since.
        let mut from = order[at].1;
        while from < at {
            from = order[from].1;
        }
        order[at].1 = from;
        items.swap(at, from);
    }
}
