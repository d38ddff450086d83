//! Pairs of triangles among many objects.

use super::pairs::{self, WorldPair};
use super::placed::Placed;
use crate::geometry::bounded::TooMany;
use crate::memory::{self, ParallelGather};
use rayon::prelude::*;

/// Two triangles of two objects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectsPair {
    /// The objects, by their place in the scene.
    pub objects: [u32; 2],
    /// Their triangles.
    pub pair: WorldPair,
}

/// Pairs of objects whose triangles are compared at a time: each may hold as many results as the caller takes.
const AT_ONCE: usize = 16;

/// All pairs of triangles at most `within` apart of the given pairs of objects, in their order. `placed` gives the object in a
/// place.
pub fn run<'a>(
    near: &[[u32; 2]],
    placed: impl Fn(u32) -> Option<&'a Placed> + Sync,
    within: f64,
    capacity: usize,
) -> Result<Vec<ObjectsPair>, TooMany> {
    let (mut found, mut needed) = (Vec::new(), 0u64);
    for some in near.chunks(AT_ONCE) {
        // Once there are too many, the rest is only counted.
        let room = capacity.saturating_sub(usize::try_from(needed).unwrap_or(usize::MAX));
        let lists: Vec<_> = some
            .par_iter()
            .map(|&[i, j]| match (placed(i), placed(j)) {
                (Some(a), Some(b)) => pairs::run(a, b, within, room),
                _ => Ok(Vec::new()),
            })
            .par_gather();
        for (&objects, list) in some.iter().zip(lists) {
            match list {
                Ok(list) => {
                    needed += list.len() as u64;
                    if needed <= capacity as u64 {
                        memory::ensure(&mut found, needed as usize);
                        found.extend(list.into_iter().map(|pair| ObjectsPair { objects, pair }));
                    }
                }
                Err(full) => needed += full.needed,
            }
        }
    }
    if needed > capacity as u64 {
        return Err(TooMany { needed, capacity });
    }
    Ok(found)
}
