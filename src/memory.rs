//! Host memory that may be refused. What is sized by a caller's input is asked for here: an allocation that fails elsewhere ends the
//! host program.
//!
//! Code that returns a `Result` uses the functions that return one. Geometry, which has no errors of its own, uses [`room`] and what follows:
//! they end the work as a cancel does ([`crate::interrupt`]).

use crate::error::{Error, Result};
use crate::interrupt;
use bytemuck::Pod;
use rayon::prelude::*;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

/// An empty vector with room for `count` values.
pub fn with_room<T>(count: usize, what: &str) -> Result<Vec<T>> {
    let mut values = Vec::new();
    values
        .try_reserve_exact(count)
        .map_err(|_| refusal(count as u128 * size_of::<T>() as u128, what))?;
    Ok(values)
}

/// As many values as the iterator says it has.
pub fn collect<T>(values: impl ExactSizeIterator<Item = T>, what: &str) -> Result<Vec<T>> {
    let mut all = with_room(values.len(), what)?;
    all.extend(values);
    Ok(all)
}

/// A copy.
pub fn copy<T: Copy>(values: &[T], what: &str) -> Result<Vec<T>> {
    collect(values.iter().copied(), what)
}

/// The values that bytes are, which may be unaligned.
pub fn from_bytes<T: Pod>(bytes: &[u8], what: &str) -> Result<Vec<T>> {
    let each = bytes.chunks_exact(size_of::<T>());
    collect(each.map(bytemuck::pod_read_unaligned), what)
}

/// What an `Arc` holds, to be changed: a copy if others hold it too.
pub fn make_mut<'a, T: Copy>(shared: &'a mut Arc<Vec<T>>, what: &str) -> Result<&'a mut Vec<T>> {
    if Arc::get_mut(shared).is_none() {
        *shared = Arc::new(copy(shared, what)?);
    }
    Arc::get_mut(shared).ok_or_else(|| Error::Internal(format!("{what} are shared again")))
}

/// Adds a value.
pub fn push<T>(values: &mut Vec<T>, value: T, what: &str) -> Result<()> {
    values
        .try_reserve(1)
        .map_err(|_| refusal(2 * values.len() as u128 * size_of::<T>() as u128, what))?;
    values.push(value);
    Ok(())
}

/// What all of geometry calls its memory in error messages.
const WORK: &str = "working memory";

/// Gives the value, or ends the work.
fn or_end<T>(outcome: Result<T>) -> T {
    outcome.unwrap_or_else(|error| interrupt::end(error))
}

/// An empty vector with room for `count` values.
pub fn room<T>(count: usize) -> Vec<T> {
    or_end(with_room(count, WORK))
}

/// The same value `count` times.
pub fn filled<T: Clone>(value: T, count: usize) -> Vec<T> {
    let mut all = room(count);
    all.resize(count, value);
    all
}

/// A copy of all values.
pub fn copied<T: Clone>(values: &[T]) -> Vec<T> {
    let mut all = room(values.len());
    all.extend_from_slice(values);
    all
}

/// Makes room for `count` values in all.
pub fn ensure<T>(values: &mut Vec<T>, count: usize) {
    let more = count.saturating_sub(values.len());
    if values.try_reserve_exact(more).is_err() {
        interrupt::end(refusal(count as u128 * size_of::<T>() as u128, WORK));
    }
}

/// Makes room for `count` more values.
#[inline]
pub fn ensure_more<T>(values: &mut Vec<T>, count: usize) {
    if values.try_reserve(count).is_err() {
        let count = values.len() + count;
        interrupt::end(refusal(count as u128 * size_of::<T>() as u128, WORK));
    }
}

/// Adds a value.
#[inline]
pub fn add<T>(values: &mut Vec<T>, value: T) {
    if values.len() == values.capacity() && values.try_reserve(1).is_err() {
        interrupt::end(refusal(
            2 * values.len() as u128 * size_of::<T>() as u128,
            WORK,
        ));
    }
    values.push(value);
}

/// Makes room for `count` more values in a map.
pub fn ensure_map<K: Eq + Hash, V>(map: &mut HashMap<K, V>, count: usize) {
    if map.try_reserve(count).is_err() {
        interrupt::end(refusal(count as u128 * size_of::<(K, V)>() as u128, WORK));
    }
}

/// Adds a value to a heap.
pub fn add_to_heap<T: Ord>(heap: &mut BinaryHeap<T>, value: T) {
    if heap.len() == heap.capacity() && heap.try_reserve(1).is_err() {
        interrupt::end(refusal(
            2 * heap.len() as u128 * size_of::<T>() as u128,
            WORK,
        ));
    }
    heap.push(value);
}

/// Adds a value to the end of a queue.
pub fn add_to_queue<T>(queue: &mut VecDeque<T>, value: T) {
    if queue.len() == queue.capacity() && queue.try_reserve(1).is_err() {
        interrupt::end(refusal(
            2 * queue.len() as u128 * size_of::<T>() as u128,
            WORK,
        ));
    }
    queue.push_back(value);
}

/// Adds values.
#[inline]
pub fn add_all<T: Clone>(values: &mut Vec<T>, more: &[T]) {
    ensure_more(values, more.len());
    values.extend_from_slice(more);
}

/// `collect` for what is sized by input.
pub trait Gather: Iterator + Sized {
    /// All values.
    fn gather(self) -> Vec<Self::Item> {
        let mut all = room(self.size_hint().0);
        self.for_each(|value| add(&mut all, value));
        all
    }
}

impl<I: Iterator> Gather for I {}

/// `collect` of a parallel iterator for what is sized by input.
pub trait ParallelGather: IndexedParallelIterator {
    /// All values, in their order.
    fn par_gather(self) -> Vec<Self::Item> {
        let mut all = room(self.len());
        self.collect_into_vec(&mut all);
        all
    }
}

impl<I: IndexedParallelIterator> ParallelGather for I {}

fn refusal(bytes: u128, what: &str) -> Error {
    Error::OutOfHostMemory(format!("{bytes} bytes for {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused_with_the_number_of_bytes() {
        let error = with_room::<u64>(usize::MAX / 16, "numbers").unwrap_err();
        let bytes = (usize::MAX / 16) as u128 * 8;
        assert_eq!(
            error.to_string(),
            format!("out of host memory: {bytes} bytes for numbers")
        );
    }

    #[test]
    fn values_are_collected_in_their_order() {
        assert_eq!(
            collect((0..4).map(|i| i * i), "squares").unwrap(),
            [0, 1, 4, 9]
        );
        assert_eq!(copy(&[3, 1, 2], "numbers").unwrap(), [3, 1, 2]);
    }
}
