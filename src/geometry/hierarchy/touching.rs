//! Walking two hierarchies at once: which leaves have boxes that touch or overlap?
//!
//! The walk of [`crate::geometry::hierarchy::dual`] for those who need no distances: a yes or no is a few comparisons, two leaves are handed
//! over as soon as they are found, and boxes that a pose has moved are kept for the pairs that come next.

use super::bvh::{Bvh, Child, Node};
use super::dual::{Branch, BranchPair};
use super::placement::{BoxMotion, Placement};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch, load_rows, store_rows};
use crate::interrupt;
use crate::memory;

/// What is done with the leaves that touch.
pub(in crate::geometry) trait Leaves {
    /// Triangles of a leaf of the first and of one of the second body.
    fn touch<V: Lanes>(&mut self, a: &[u32], b: &[u32]);
    /// There are no more for now.
    fn end<V: Lanes>(&mut self);
}

/// Hands over all leaves that touch below each of `starts`.
pub(in crate::geometry) fn walk_touching<T: Leaves>(
    a: &Bvh,
    b: &Bvh,
    placement: &Placement,
    starts: &[BranchPair],
    leaves: &mut T,
) {
    dispatch(TouchingWalk {
        a,
        b,
        placement,
        starts,
        leaves,
    });
}

/// Hands over the lists as they are.
pub(in crate::geometry) fn hand_over<'a, T: Leaves>(
    lists: impl Iterator<Item = [&'a [u32]; 2]>,
    leaves: &mut T,
) {
    dispatch(HandOver { lists, leaves });
}

struct HandOver<'a, I, T> {
    lists: I,
    leaves: &'a mut T,
}

impl<'l, I: Iterator<Item = [&'l [u32]; 2]>, T: Leaves> LaneKernel for HandOver<'_, I, T> {
    type Output = ();
    #[inline(always)]
    fn run<V: Lanes>(self) {
        for [a, b] in self.lists {
            interrupt::check();
            self.leaves.touch::<V>(a, b);
        }
        self.leaves.end::<V>();
    }
}

struct TouchingWalk<'a, T> {
    a: &'a Bvh,
    b: &'a Bvh,
    placement: &'a Placement,
    starts: &'a [BranchPair],
    leaves: &'a mut T,
}

impl<T: Leaves> LaneKernel for TouchingWalk<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self {
            a,
            b,
            placement,
            starts,
            leaves,
        } = self;
        let mut moved = placement
            .0
            .as_ref()
            .map(|pose| [Moved::new(pose.boxes_there), Moved::new(pose.boxes_back)]);
        let mut stack = memory::room(starts.len() + 256);
        stack.extend(starts.iter().map(|start| (start.a, start.b)));
        while let Some((branch_a, branch_b)) = stack.pop() {
            interrupt::check();
            let ((at_a, slot_a), (at_b, slot_b)) = (branch_a.place(), branch_b.place());
            let (node_a, node_b) = (&a.nodes()[at_a], &b.nodes()[at_b]);
            let rows = slot_a.map_or(0..WIDTH, |slot| slot..slot + 1);
            let lanes = slot_b.map_or(u8::MAX, |slot| 1 << slot);
            let still_b = (load_rows::<V>(&node_b.min), load_rows(&node_b.max));
            // Moved boxes are larger. Moving the first body's boxes back as well undoes most of it.
            let (near_b, back_a) = match &mut moved {
                None => (still_b, None),
                Some([there, back]) => {
                    let near = there.boxes::<V>(at_b, node_b);
                    let near = (load_rows(&near.min), load_rows(&near.max));
                    (near, Some(back.boxes::<V>(at_a, node_a)))
                }
            };
            for row in rows {
                let child_a = node_a.child(row);
                if child_a == Child::Unused {
                    continue;
                }
                let mut touching =
                    touching_lanes(&node_a.min, &node_a.max, row, near_b).bits() & lanes;
                if touching == 0 {
                    continue;
                }
                if let Some(back) = back_a {
                    touching &= touching_lanes(&back.min, &back.max, row, still_b).bits();
                }
                while touching != 0 {
                    let lane = touching.trailing_zeros() as usize;
                    touching &= touching - 1;
                    match (child_a, node_b.child(lane)) {
                        (Child::Leaf(start_a, count_a), Child::Leaf(start_b, count_b)) => {
                            leaves.touch::<V>(a.leaf(start_a, count_a), b.leaf(start_b, count_b));
                        }
                        (child_a, child_b) => {
                            let below_a = Branch::below(at_a as u32, row, child_a);
                            let below_b = Branch::below(at_b as u32, lane, child_b);
                            memory::add(&mut stack, (below_a, below_b));
                        }
                    }
                }
            }
        }
        leaves.end::<V>();
    }
}

/// Mask of the boxes that touch or overlap box `row` of eight others; false for a box that is not a number.
#[inline(always)]
pub(in crate::geometry) fn touching_lanes<V: Lanes>(
    min: &[[f32; WIDTH]; 3],
    max: &[[f32; WIDTH]; 3],
    row: usize,
    (low, high): ([V; 3], [V; 3]),
) -> V {
    let mut mask = low[0].le(V::splat(max[0][row])) & V::splat(min[0][row]).le(high[0]);
    for axis in 1..3 {
        mask =
            mask & low[axis].le(V::splat(max[axis][row])) & V::splat(min[axis][row]).le(high[axis]);
    }
    mask
}

/// Eight boxes.
#[derive(Clone, Copy)]
struct EightBoxes {
    min: [[f32; WIDTH]; 3],
    max: [[f32; WIDTH]; 3],
}

/// The boxes of nodes of one body in the frame of the other; those used last are kept.
struct Moved {
    motion: BoxMotion,
    nodes: [u32; Self::KEPT],
    boxes: [EightBoxes; Self::KEPT],
}

impl Moved {
    const KEPT: usize = 32;

    fn new(motion: BoxMotion) -> Self {
        let none = EightBoxes {
            min: [[0.0; WIDTH]; 3],
            max: [[0.0; WIDTH]; 3],
        };
        Self {
            motion,
            nodes: [u32::MAX; Self::KEPT],
            boxes: [none; Self::KEPT],
        }
    }

    /// What is in unused slots of the node is not a number.
    #[inline(always)]
    fn boxes<V: Lanes>(&mut self, at: usize, node: &Node) -> &EightBoxes {
        let slot = at % Self::KEPT;
        if self.nodes[slot] != at as u32 {
            let (low, high) = self
                .motion
                .boxes::<V>(load_rows(&node.min), load_rows(&node.max));
            self.nodes[slot] = at as u32;
            self.boxes[slot] = EightBoxes {
                min: store_rows(low),
                max: store_rows(high),
            };
        }
        &self.boxes[slot]
    }
}
