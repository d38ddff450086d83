//! The descent for a block of packets: once for all, to a list of leaves; then each packet goes through the list.
//!
//! A descent waits for memory and mispredicts its branches at every step; a list does neither. For the same reason a packet first
//! chooses what to try, then tries all of it, and looks at the outcome last.

use super::oriented::Boxes;
use super::packet::{Fit, Packet};
use super::search::keep_nearest;
use super::{BLOCK, Candidate, Nearest, Scratch, ones};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH};
use crate::memory;
use glam::DVec3;

/// Collects for each point the triangles whose distance is the least up to rounding.
pub struct BlockSearch<'a> {
    pub nearest: &'a Nearest,
    pub points: &'a [DVec3],
    pub scratch: &'a mut Scratch,
}

/// Listing is given up beyond this many leaves: the block is too coarse for the mesh.
const MOST: usize = 2048;

/// The most triangles of another packet that are tried first.
const SEEDS: usize = 8;

impl LaneKernel for BlockSearch<'_> {
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
        let mut packets = [Packet::<V>::new(points, nearest.longest); BLOCK / WIDTH];
        let packets = &mut packets[..count];
        for (packet, points) in packets.iter_mut().zip(points.chunks(WIDTH)) {
            *packet = Packet::new(points, nearest.longest);
            for &item in &scratch.last {
                packet.note(nearest.flats[item as usize].distances_squared(packet.lanes()));
            }
            packet.draw_limit();
        }
        let mut fit = Fit::around(packets);
        fit.aim(packets);
        if !list::<V>(nearest, &fit, scratch) {
            return false;
        }
        let Scratch {
            candidates,
            leaves,
            rows,
            near_leaves,
            ..
        } = scratch;
        candidates.clear();
        let mut starts = [0; BLOCK / WIDTH + 1];
        for (index, packet) in packets.iter_mut().enumerate() {
            let first = candidates.len();
            starts[index] = first;
            // What was nearest to a neighbour, by its place in the block, is near to this one.
            let neighbour = index & index.wrapping_sub(1);
            for seed in (starts[neighbour]..starts[neighbour + 1].min(first)).take(SEEDS) {
                let flat = &nearest.flats[candidates[seed].item as usize];
                packet.note(flat.distances_squared(packet.lanes()));
            }
            packet.draw_limit();
            let mut fit = Fit::around(std::slice::from_ref(packet));
            fit.aim(std::slice::from_ref(packet));
            choose::<V>(&fit, rows, leaves, near_leaves);
            for &(leaf, start) in near_leaves.iter() {
                let (near, _) = fit.within::<V>(&nearest.leaves[leaf as usize]);
                let mut improved = V::splat(0.0);
                for lane in ones(near) {
                    let item = start + lane as u32;
                    let squared = nearest.flats[item as usize].distances_squared(packet.lanes());
                    improved = improved | packet.note(squared);
                    memory::add(
                        candidates,
                        Candidate {
                            squared: squared.store(),
                            item,
                            packet: index as u8,
                            lanes: 0,
                        },
                    );
                }
                if improved.bits() != 0 {
                    packet.draw_limit();
                    fit.aim(std::slice::from_ref(packet));
                }
            }
            keep_nearest(candidates, first, packet);
            starts[index + 1] = candidates.len();
        }
        true
    }
}

/// Chooses from the list the leaves that may hold the nearest to some point of a packet; first the one nearest to its middle.
#[inline(always)]
fn choose<V: Lanes>(
    fit: &Fit,
    rows: &[Boxes],
    leaves: &[(u32, u32)],
    chosen: &mut Vec<(u32, u32)>,
) {
    chosen.clear();
    let (mut least, mut first) = (f32::INFINITY, 0);
    for (row, leaves) in rows.iter().zip(leaves.chunks(WIDTH)) {
        let (near, distances) = fit.within::<V>(row);
        let distances = distances.store();
        for lane in ones(near) {
            if distances[lane] < least {
                (least, first) = (distances[lane], chosen.len());
            }
            memory::add(chosen, leaves[lane]);
        }
    }
    if !chosen.is_empty() {
        chosen.swap(0, first);
    }
}

/// Lists the leaves that may hold the nearest to some point of the block; false if they are too many.
#[inline(always)]
fn list<V: Lanes>(nearest: &Nearest, fit: &Fit, scratch: &mut Scratch) -> bool {
    let Scratch {
        nodes,
        leaves,
        rows,
        ..
    } = scratch;
    leaves.clear();
    rows.clear();
    nodes.clear();
    nodes.push(0);
    while let Some(index) = nodes.pop() {
        let boxes = &nearest.boxes[index as usize];
        let node = &nearest.bvh.nodes()[index as usize];
        let (near, _) = fit.within::<V>(boxes);
        for slot in ones(near) {
            let child = node.children[slot];
            if node.counts[slot] == 0 {
                memory::add(nodes, child);
                continue;
            }
            let place = leaves.len() % WIDTH;
            if place == 0 {
                memory::add(rows, Boxes::EMPTY);
            }
            if let Some(row) = rows.last_mut() {
                row.copy(place, boxes, slot);
            }
            memory::add(leaves, (nearest.leaf_at[child as usize], child));
        }
        if leaves.len() > MOST {
            return false;
        }
    }
    true
}
