//! The descent for a block of packets: once for all, to a list of triangles; then each packet goes through the list.
//!
//! A descent waits for memory and mispredicts its branches at every step; a list does neither.

use super::oriented::Boxes;
use super::packet::{Fit, Packet};
use super::search::push_nearest_last;
use super::{BLOCK, Candidate, Nearest, Scratch, ones};
use crate::geometry::simd::{Kernel, Lanes, WIDTH};
use glam::DVec3;

/// Collects for each point the triangles whose distance is the least up to rounding.
pub struct BlockSearch<'a> {
    pub nearest: &'a Nearest,
    pub points: &'a [DVec3],
    pub scratch: &'a mut Scratch,
}

/// Listing is given up beyond this many triangles: the block is too coarse for the mesh.
const MOST: usize = 512;

impl Kernel for BlockSearch<'_> {
    /// Whether the list was short enough; if not, the packets have to descend one by one.
    type Output = bool;

    #[inline(always)]
    fn run<V: Lanes>(self) -> bool {
        let Self {
            nearest,
            points,
            scratch,
        } = self;
        let count = points.len().min(BLOCK).div_ceil(WIDTH);
        let chunk = |i: usize| {
            let start = if i < count { i * WIDTH } else { 0 };
            &points[start..points.len().min(start + WIDTH)]
        };
        let mut packets: [Packet<V>; BLOCK / WIDTH] =
            std::array::from_fn(|i| Packet::new(chunk(i), nearest.longest));
        let packets = &mut packets[..count];
        for packet in packets.iter_mut() {
            for &item in &scratch.last {
                packet.offer(nearest.flats[item as usize].distances_squared(packet.lanes()));
            }
            packet.aim();
        }
        let mut fit = Fit::around(points.iter().map(|p| p.as_vec3()));
        fit.aim(packets.iter().flat_map(|packet| packet.bounds()));
        if !list::<V>(nearest, &fit, scratch) {
            return false;
        }
        scratch.candidates.clear();
        let mut before = 0;
        for (index, packet) in packets.iter_mut().enumerate() {
            let first = scratch.candidates.len();
            // What was nearest to the packet before is near to this one.
            seed(nearest, &scratch.candidates[before..first], packet);
            before = first;
            for (row, items) in scratch.rows.iter().zip(scratch.listed.chunks(WIDTH)) {
                try_row(nearest, row, items, index, packet, &mut scratch.candidates);
            }
            let limits = packet.limits();
            keep_near(&mut scratch.candidates, first, &limits);
        }
        true
    }
}

/// Lists the triangles that may be the nearest to some point of the block; false if they are too many.
#[inline(always)]
fn list<V: Lanes>(nearest: &Nearest, fit: &Fit, scratch: &mut Scratch) -> bool {
    let Scratch {
        stack,
        listed,
        rows,
        ..
    } = scratch;
    listed.clear();
    rows.clear();
    stack.clear();
    stack.push(super::Entry {
        bound: 0.0,
        child: 0,
        count: 0,
    });
    while let Some(entry) = stack.pop() {
        if entry.count == 0 {
            let (near, bounds) = fit.within::<V>(&nearest.boxes[entry.child as usize]);
            push_nearest_last(nearest, entry.child, near, bounds, stack);
            continue;
        }
        let boxes = &nearest.leaves[nearest.leaf_at[entry.child as usize] as usize];
        let (near, _) = fit.within::<V>(boxes);
        for lane in ones(near) {
            let slot = listed.len() % WIDTH;
            if slot == 0 {
                rows.push(Boxes::EMPTY);
            }
            if let Some(row) = rows.last_mut() {
                row.copy(slot, boxes, lane);
            }
            listed.push(entry.child + lane as u32);
        }
        if listed.len() > MOST {
            return false;
        }
    }
    true
}

/// Tries some of the triangles that were the nearest to the points of another packet.
#[inline(always)]
fn seed<V: Lanes>(nearest: &Nearest, others: &[Candidate], packet: &mut Packet<V>) {
    let (mut last, mut improved) = (u32::MAX, false);
    for candidate in others {
        if candidate.item != last {
            last = candidate.item;
            let flat = &nearest.flats[last as usize];
            improved |= packet.offer(flat.distances_squared(packet.lanes())).1;
        }
    }
    if improved {
        packet.aim();
    }
}

#[inline(always)]
fn try_row<V: Lanes>(
    nearest: &Nearest,
    row: &Boxes,
    items: &[u32],
    index: usize,
    packet: &mut Packet<V>,
    candidates: &mut Vec<Candidate>,
) {
    let (near, _) = packet.fit.within::<V>(row);
    let mut improved = false;
    for lane in ones(near) {
        let item = items[lane];
        let squared = nearest.flats[item as usize].distances_squared(packet.lanes());
        let (lanes, improves) = packet.offer(squared);
        improved |= improves;
        if lanes != 0 {
            let squared = squared.store();
            for i in ones(lanes) {
                candidates.push(Candidate {
                    squared: squared[i],
                    item,
                    point: (index * WIDTH + i) as u8,
                });
            }
        }
    }
    if improved {
        packet.aim();
    }
}

/// Drops the candidates from `first` on that later ones made impossible.
fn keep_near(candidates: &mut Vec<Candidate>, first: usize, limits: &[f32; WIDTH]) {
    let mut kept = first;
    for i in first..candidates.len() {
        let candidate = candidates[i];
        if candidate.squared <= limits[candidate.point as usize % WIDTH] {
            candidates[kept] = candidate;
            kept += 1;
        }
    }
    candidates.truncate(kept);
}
