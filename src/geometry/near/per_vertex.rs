//! Near pairs by vertex: which pairs each vertex is a corner of, and how far the nearest of them is apart.

use super::search::{Collector, Near};
use crate::error::Result;
use crate::memory::{self, Gather};
use std::sync::atomic::{AtomicU64, Ordering};

/// Pairs by vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct PairsPerVertex {
    /// Where those of each vertex start in `pairs`, and the end.
    pub starts: Vec<u64>,
    /// Numbers of pairs, ascending for each vertex.
    pub pairs: Vec<u32>,
    /// The smallest distance of each vertex's pairs; infinite without one.
    pub distances: Vec<f64>,
}

/// Sorts pairs by vertex. `corners` gives the corners of a pair that are among the `vertices`, and `distance` how far it is apart.
pub fn pairs_per_vertex<C: IntoIterator<Item = u32>>(
    pairs: u32,
    vertices: usize,
    corners: impl Fn(u32) -> C,
    distance: impl Fn(u32) -> f64,
) -> Result<PairsPerVertex> {
    let what = "pairs per vertex";
    let mut starts = memory::collect((0..vertices + 1).map(|_| 0u64), what)?;
    let mut distances = memory::collect((0..vertices).map(|_| f64::INFINITY), what)?;
    for pair in 0..pairs {
        for v in corners(pair) {
            starts[v as usize + 1] += 1;
            let smallest = &mut distances[v as usize];
            *smallest = smallest.min(distance(pair));
        }
    }
    for v in 0..vertices {
        starts[v + 1] += starts[v];
    }
    let total = starts[vertices] as usize;
    let mut sorted = memory::collect((0..total).map(|_| 0u32), what)?;
    let mut next = memory::copy(&starts, what)?;
    for pair in 0..pairs {
        for v in corners(pair) {
            let at = &mut next[v as usize];
            sorted[*at as usize] = pair;
            *at += 1;
        }
    }
    Ok(PairsPerVertex {
        starts,
        pairs: sorted,
        distances,
    })
}

/// The smallest distance of each vertex of two bodies, without a list. A minimum has no order, so threads do not change it.
pub(super) struct SmallestDistances {
    /// Bits of distances, which ascend as the distances do.
    bits: [Vec<AtomicU64>; 2],
}

impl SmallestDistances {
    pub(super) fn new(vertices: [usize; 2]) -> Result<Self> {
        let infinite = |count: usize| {
            let all = (0..count).map(|_| AtomicU64::new(f64::INFINITY.to_bits()));
            memory::collect(all, "distances per vertex")
        };
        Ok(Self {
            bits: [infinite(vertices[0])?, infinite(vertices[1])?],
        })
    }

    pub(super) fn take(self) -> [Vec<f64>; 2] {
        let distances = |bits: Vec<AtomicU64>| {
            bits.into_iter()
                .map(|b| f64::from_bits(b.into_inner()))
                .gather()
        };
        self.bits.map(distances)
    }
}

impl Collector for &SmallestDistances {
    #[inline]
    fn offer(&mut self, near: &Near) {
        let distance = near.squared.sqrt().to_bits();
        for (&v, &side) in near.corners.iter().zip(&near.sides) {
            self.bits[side][v as usize].fetch_min(distance, Ordering::Relaxed);
        }
    }
}
