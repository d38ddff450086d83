//! The descent for one packet: down the hierarchy, nearest children first.

use super::packet::Packet;
use super::{Candidate, Entry, Nearest, Scratch, ones};
use crate::geometry::simd::{Kernel, Lanes};
use glam::DVec3;

/// Collects for each point the triangles whose distance is the least up to rounding.
pub struct Search<'a> {
    pub nearest: &'a Nearest,
    pub points: &'a [DVec3],
    pub scratch: &'a mut Scratch,
}

impl Kernel for Search<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self {
            nearest,
            points,
            scratch:
                Scratch {
                    stack,
                    candidates,
                    last,
                    ..
                },
        } = self;
        candidates.clear();
        stack.clear();
        if points.is_empty() {
            return;
        }
        let mut packet = Packet::<V>::new(points, nearest.longest);
        for &item in last.iter() {
            packet.offer(nearest.flats[item as usize].distances_squared(packet.lanes()));
        }
        packet.aim();
        stack.push(Entry {
            bound: 0.0,
            child: 0,
            count: 0,
        });
        while let Some(entry) = stack.pop() {
            if packet.fit.is_beyond(entry.bound) {
                continue;
            }
            if entry.count == 0 {
                let boxes = &nearest.boxes[entry.child as usize];
                let (near, bounds) = packet.fit.within::<V>(boxes);
                push_nearest_last(nearest, entry.child, near, bounds, stack);
            } else {
                visit_leaf(nearest, entry.child, &mut packet, candidates);
            }
        }
        let limits = packet.limits();
        candidates.retain(|c| c.squared <= limits[c.point as usize]);
    }
}

/// Puts some children of a node on the stack, the nearest to the middle on top.
#[inline(always)]
pub fn push_nearest_last<V: Lanes>(
    nearest: &Nearest,
    index: u32,
    children: u8,
    bounds: V,
    stack: &mut Vec<Entry>,
) {
    let node = &nearest.bvh.nodes()[index as usize];
    let bounds = bounds.store();
    let first = stack.len();
    for slot in ones(children) {
        let entry = Entry {
            bound: bounds[slot],
            child: node.children[slot],
            count: node.counts[slot],
        };
        // By insertion: there are rarely more than three.
        let mut at = stack.len();
        stack.push(entry);
        while at > first && stack[at - 1].bound < entry.bound {
            stack[at] = stack[at - 1];
            at -= 1;
        }
        stack[at] = entry;
    }
}

#[inline(always)]
fn visit_leaf<V: Lanes>(
    nearest: &Nearest,
    start: u32,
    packet: &mut Packet<V>,
    candidates: &mut Vec<Candidate>,
) {
    let leaf = nearest.leaf_at[start as usize];
    let (near, _) = packet.fit.within::<V>(&nearest.leaves[leaf as usize]);
    let mut improved = false;
    for lane in ones(near) {
        let item = start + lane as u32;
        let squared = nearest.flats[item as usize].distances_squared(packet.lanes());
        let (points, improves) = packet.offer(squared);
        improved |= improves;
        if points != 0 {
            let squared = squared.store();
            for i in ones(points) {
                candidates.push(Candidate {
                    squared: squared[i],
                    item,
                    point: i as u8,
                });
            }
        }
    }
    if improved {
        packet.aim();
    }
}
