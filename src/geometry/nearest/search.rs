//! The descent for one packet: down the hierarchy, nearest children first.

use super::packet::{Fit, Packet};
use super::{Candidate, Nearest, Scratch, ToVisit, ones};
use crate::geometry::simd::{LaneKernel, Lanes};
use crate::memory;
use glam::DVec3;

/// Collects for each point the triangles whose distance is the least up to rounding.
pub struct NearestSearch<'a> {
    pub nearest: &'a Nearest,
    pub points: &'a [DVec3],
    pub scratch: &'a mut Scratch,
}

impl LaneKernel for NearestSearch<'_> {
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
            packet.note(nearest.flats[item as usize].distances_squared(packet.lanes()));
        }
        packet.draw_limit();
        let mut fit = Fit::around(std::slice::from_ref(&packet));
        fit.aim(std::slice::from_ref(&packet));
        stack.push(ToVisit {
            bound: 0.0,
            child: 0,
            count: 0,
        });
        while let Some(entry) = stack.pop() {
            if fit.is_beyond(entry.bound) {
                continue;
            }
            if entry.count == 0 {
                let boxes = &nearest.boxes[entry.child as usize];
                let (near, bounds) = fit.within::<V>(boxes);
                push_nearest_last(nearest, entry.child, near, bounds, stack);
            } else if visit_leaf(nearest, entry.child, &fit, &mut packet, candidates) {
                fit.aim(std::slice::from_ref(&packet));
            }
        }
        keep_nearest(candidates, 0, &packet);
    }
}

/// Keeps of the candidates from `first` on, all of one packet, those that may be the nearest to some of its points.
#[inline(always)]
pub fn keep_nearest<V: Lanes>(candidates: &mut Vec<Candidate>, first: usize, packet: &Packet<V>) {
    let mut kept = first;
    for i in first..candidates.len() {
        let mut candidate = candidates[i];
        candidate.lanes = packet.may_be_nearest(V::load(&candidate.squared));
        candidates[kept] = candidate;
        kept += usize::from(candidate.lanes != 0);
    }
    candidates.truncate(kept);
}

/// Puts some children of a node on the stack, the nearest to the middle on top.
#[inline(always)]
fn push_nearest_last<V: Lanes>(
    nearest: &Nearest,
    index: u32,
    children: u8,
    bounds: V,
    stack: &mut Vec<ToVisit>,
) {
    let node = &nearest.bvh.nodes()[index as usize];
    let bounds = bounds.store();
    let first = stack.len();
    for slot in ones(children) {
        let entry = ToVisit {
            bound: bounds[slot],
            child: node.children[slot],
            count: node.counts[slot],
        };
        // By insertion: there are rarely more than three.
        let mut at = stack.len();
        memory::add(stack, entry);
        while at > first && stack[at - 1].bound < entry.bound {
            stack[at] = stack[at - 1];
            at -= 1;
        }
        stack[at] = entry;
    }
}

/// Tries the triangles of a leaf; whether some distance got smaller.
#[inline(always)]
fn visit_leaf<V: Lanes>(
    nearest: &Nearest,
    start: u32,
    fit: &Fit,
    packet: &mut Packet<V>,
    candidates: &mut Vec<Candidate>,
) -> bool {
    let leaf = nearest.leaf_at[start as usize];
    let (near, _) = fit.within::<V>(&nearest.leaves[leaf as usize]);
    let mut improved = false;
    for lane in ones(near) {
        let item = start + lane as u32;
        let squared = nearest.flats[item as usize].distances_squared(packet.lanes());
        let (lanes, improves) = packet.offer(squared);
        improved |= improves;
        if lanes != 0 {
            memory::add(
                candidates,
                Candidate {
                    squared: squared.store(),
                    item,
                    packet: 0,
                    lanes,
                },
            );
        }
    }
    improved
}
