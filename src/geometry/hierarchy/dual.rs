//! Walking two hierarchies at once: which subtrees of two bodies are close enough to matter?
//!
//! The dual traversal of Teschner et al., section 2.1, over eight-ary nodes: one step compares all 64 pairs of
//! children, eight at a time. Every box distance is a lower bound, also after rounding and after a pose was applied.

use super::bvh::{Bvh, Child, Node};
use super::placement::{Placement, moved_bounds};
use crate::geometry::aabb::Aabb;
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch, load_rows, store_rows};
use crate::geometry::surface::Surface;
use crate::interrupt;
use crate::memory;
use glam::{DAffine3, DVec3};

/// A surface with the hierarchy that was built or refitted over its triangles.
#[derive(Clone, Copy)]
pub struct FittedSurface<'a> {
    /// The triangles.
    pub surface: Surface<'a>,
    /// Boxes of these triangles at these positions.
    pub bvh: &'a Bvh,
}

/// A surface that stands somewhere in the frame of another.
#[derive(Clone, Copy)]
pub struct PlacedSurface<'a> {
    /// The surface in its own frame.
    pub body: FittedSurface<'a>,
    /// Where it stands.
    pub placement: Placement,
}

impl PlacedSurface<'_> {
    /// A box around it, in the frame of the other.
    pub(in crate::geometry) fn bounds(&self) -> Aabb {
        let motion = self.placement.motion().unwrap_or(&DAffine3::IDENTITY);
        moved_bounds(&self.body.bvh.nodes()[0], motion)
    }
}

/// A subtree: an inner node, or the leaf in a slot of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch {
    node: u32,
    slot: u8,
}

const INNER: u8 = WIDTH as u8;

impl Branch {
    /// The whole tree.
    pub const ROOT: Self = Self {
        node: 0,
        slot: INNER,
    };

    /// What is in a slot of a node.
    pub fn below(node: u32, slot: usize, child: Child) -> Self {
        match child {
            Child::Node(index) => Self {
                node: index,
                slot: INNER,
            },
            _ => Self {
                node,
                slot: slot as u8,
            },
        }
    }

    fn is_leaf(self) -> bool {
        self.slot != INNER
    }

    /// The node, and of a leaf the slot in it.
    pub(in crate::geometry) fn place(self) -> (usize, Option<usize>) {
        let slot = self.is_leaf().then_some(self.slot as usize);
        (self.node as usize, slot)
    }

    /// The triangles of a leaf.
    #[inline]
    pub(in crate::geometry) fn items(self, bvh: &Bvh) -> &[u32] {
        match bvh.nodes()[self.node as usize].child(self.slot as usize) {
            Child::Leaf(start, count) => bvh.leaf(start, count),
            _ => &[],
        }
    }
}

/// Two subtrees and a lower bound of their squared distance.
#[derive(Clone, Copy, Debug)]
pub struct BranchPair {
    /// Subtree of the first body.
    pub a: Branch,
    /// Subtree of the second body.
    pub b: Branch,
    /// Squared distance of their boxes, to a relative error of 8 `f32` epsilons; at most `f32::MAX`.
    pub squared: f32,
}

impl BranchPair {
    /// Whether neither subtree can be opened.
    pub(in crate::geometry) fn is_leaves(&self) -> bool {
        self.a.is_leaf() && self.b.is_leaf()
    }

    /// Both whole trees.
    pub const ROOTS: Self = Self {
        a: Branch::ROOT,
        b: Branch::ROOT,
        squared: 0.0,
    };
}

/// What a walk asks of its user.
pub trait Visitor {
    /// Nearest subtrees first; otherwise in the order of the trees.
    const NEAREST_FIRST: bool;
    /// Pairs whose boxes are farther apart than the square root of this are skipped. Negative ends the walk.
    fn limit_squared(&self) -> f32;
    /// Whether nothing between two subtrees matters, however close they are.
    #[inline]
    fn skips(&self, _a: Branch, _b: Branch) -> bool {
        false
    }
    /// Two leaves within the limit: triangles of the first and of the second body.
    fn leaves(&mut self, a: &[u32], b: &[u32]);
}

/// Visits all leaf pairs within the limit below each of `starts`, the last of them first.
pub fn walk<T: Visitor>(
    a: &Bvh,
    b: &Bvh,
    placement: &Placement,
    starts: &[BranchPair],
    visitor: &mut T,
) {
    dispatch(Walk {
        a,
        b,
        placement,
        starts,
        visitor,
    });
}

/// Visits a few near leaf pairs: goes down level by level and keeps the `width` nearest pairs of each. A walk that
/// begins with the limit found here opens hardly more than it must.
pub fn probe<T: Visitor>(a: &Bvh, b: &Bvh, placement: &Placement, width: usize, visitor: &mut T) {
    dispatch(Probe {
        walk: Walk {
            a,
            b,
            placement,
            starts: &[BranchPair::ROOTS],
            visitor,
        },
        width,
    });
}

struct Probe<'a, T> {
    walk: Walk<'a, T>,
    width: usize,
}

impl<T: Visitor> LaneKernel for Probe<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Walk {
            a,
            b,
            placement,
            starts,
            visitor,
        } = self.walk;
        let mut children = Children::new();
        let (mut level, mut next) = (
            memory::copied(starts),
            memory::room(self.width * WIDTH * WIDTH),
        );
        while !level.is_empty() {
            next.clear();
            interrupt::check();
            for &pair in &level {
                let limit_squared = visitor.limit_squared();
                if pair.squared > limit_squared {
                    continue;
                }
                if pair.a.is_leaf() && pair.b.is_leaf() {
                    visitor.leaves(pair.a.items(a), pair.b.items(b));
                } else {
                    expand::<V>(a, b, placement, pair, limit_squared, &mut children);
                    memory::add_all(&mut next, children.as_slice());
                }
            }
            if next.len() > self.width {
                let order = |p: &BranchPair, q: &BranchPair| {
                    p.squared
                        .total_cmp(&q.squared)
                        .then((p.a, p.b).cmp(&(q.a, q.b)))
                };
                next.select_nth_unstable_by(self.width, order);
                next.truncate(self.width);
                next.sort_unstable_by(order);
            }
            std::mem::swap(&mut level, &mut next);
        }
    }
}

/// Cuts the walk into independent parts, at least `wanted` of them if the trees are deep enough. The parts do not
/// depend on the number of threads.
pub fn split(
    a: &Bvh,
    b: &Bvh,
    placement: &Placement,
    limit_squared: f32,
    wanted: usize,
) -> Vec<BranchPair> {
    let mut parts = vec![BranchPair::ROOTS];
    while parts.len() < wanted && parts.iter().any(|p| !(p.a.is_leaf() && p.b.is_leaf())) {
        interrupt::check();
        let mut next = memory::room(parts.len() * WIDTH);
        for part in parts {
            if part.a.is_leaf() && part.b.is_leaf() {
                memory::add(&mut next, part);
            } else {
                let opened = open(a, b, placement, part, limit_squared);
                memory::add_all(&mut next, opened.as_slice());
            }
        }
        parts = next;
        if parts.is_empty() {
            break;
        }
    }
    parts
}

/// The pairs within the limit that a pair of subtrees falls into when both are opened.
pub(in crate::geometry) fn open(
    a: &Bvh,
    b: &Bvh,
    placement: &Placement,
    part: BranchPair,
    limit_squared: f32,
) -> Children {
    dispatch(Expand {
        a,
        b,
        placement,
        part,
        limit_squared,
    })
}

/// At most 64 pairs, on the stack.
pub(in crate::geometry) struct Children {
    pairs: [BranchPair; WIDTH * WIDTH],
    count: usize,
}

impl Children {
    fn new() -> Self {
        Self {
            pairs: [BranchPair::ROOTS; WIDTH * WIDTH],
            count: 0,
        }
    }

    pub(in crate::geometry) fn as_slice(&self) -> &[BranchPair] {
        &self.pairs[..self.count]
    }
}

struct Expand<'a> {
    a: &'a Bvh,
    b: &'a Bvh,
    placement: &'a Placement,
    part: BranchPair,
    limit_squared: f32,
}

impl LaneKernel for Expand<'_> {
    type Output = Children;
    #[inline(always)]
    fn run<V: Lanes>(self) -> Children {
        let mut children = Children::new();
        expand::<V>(
            self.a,
            self.b,
            self.placement,
            self.part,
            self.limit_squared,
            &mut children,
        );
        children
    }
}

struct Walk<'a, T> {
    a: &'a Bvh,
    b: &'a Bvh,
    placement: &'a Placement,
    starts: &'a [BranchPair],
    visitor: &'a mut T,
}

impl<T: Visitor> LaneKernel for Walk<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let mut stack = memory::room(512);
        let mut children = Children::new();
        memory::add_all(&mut stack, self.starts);
        while let Some(pair) = stack.pop() {
            interrupt::check();
            let limit_squared = self.visitor.limit_squared();
            if limit_squared < 0.0 {
                return;
            }
            if pair.squared > limit_squared || self.visitor.skips(pair.a, pair.b) {
                continue;
            }
            if pair.a.is_leaf() && pair.b.is_leaf() {
                self.visitor
                    .leaves(pair.a.items(self.a), pair.b.items(self.b));
                continue;
            }
            expand::<V>(
                self.a,
                self.b,
                self.placement,
                pair,
                limit_squared,
                &mut children,
            );
            let found = &mut children.pairs[..children.count];
            if T::NEAREST_FIRST {
                // Farthest at the bottom; ties keep the order of the trees.
                found.sort_unstable_by(|p, q| {
                    q.squared
                        .total_cmp(&p.squared)
                        .then((q.a, q.b).cmp(&(p.a, p.b)))
                });
                memory::add_all(&mut stack, found);
                continue;
            }
            // Without an order, leaves need not wait for their turn.
            memory::ensure_more(&mut stack, found.len());
            for &child in &*found {
                if !child.is_leaves() {
                    stack.push(child);
                } else if !self.visitor.skips(child.a, child.b) {
                    self.visitor
                        .leaves(child.a.items(self.a), child.b.items(self.b));
                }
            }
        }
    }
}

/// Replaces the inner subtrees of a pair by their children and keeps the pairs within the limit.
#[inline(always)]
fn expand<V: Lanes>(
    a: &Bvh,
    b: &Bvh,
    placement: &Placement,
    pair: BranchPair,
    limit_squared: f32,
    out: &mut Children,
) {
    out.count = 0;
    let (node_a, node_b) = (
        &a.nodes()[pair.a.node as usize],
        &b.nodes()[pair.b.node as usize],
    );
    let (min_b, max_b) = (load_rows::<V>(&node_b.min), load_rows(&node_b.max));
    let used = used_lanes::<V>(node_b, pair.b.slot);
    // Moved boxes grow. Moving the first body's boxes back as well and taking the larger gap undoes most of it.
    let (moved_b, moved_a) = match &placement.0 {
        None => ((min_b, max_b), None),
        Some(pose) => {
            let (low, high) = pose
                .boxes_back
                .boxes(load_rows::<V>(&node_a.min), load_rows(&node_a.max));
            (
                pose.boxes_there.boxes(min_b, max_b),
                Some((store_rows(low), store_rows(high))),
            )
        }
    };
    let slots = if pair.a.is_leaf() {
        pair.a.slot as usize..pair.a.slot as usize + 1
    } else {
        0..WIDTH
    };
    for i in slots {
        let child_a = node_a.child(i);
        if child_a == Child::Unused {
            continue;
        }
        let mut squared = gaps(&node_a.min, &node_a.max, i, moved_b);
        if let Some((low, high)) = &moved_a {
            squared = squared.max(gaps(low, high, i, (min_b, max_b)));
        }
        // An overflow is still a lower bound when it is cut back to the largest number.
        let squared = squared.min(V::splat(f32::MAX));
        let mut near = (squared.le(V::splat(limit_squared)) & used).bits();
        let squared = squared.store();
        while near != 0 {
            let j = near.trailing_zeros() as usize;
            near &= near - 1;
            out.pairs[out.count] = BranchPair {
                a: Branch::below(pair.a.node, i, child_a),
                b: Branch::below(pair.b.node, j, node_b.child(j)),
                squared: squared[j],
            };
            out.count += 1;
        }
    }
}

/// Squared distances of box `i` of eight to eight other boxes.
#[inline(always)]
fn gaps<V: Lanes>(
    min: &[[f32; WIDTH]; 3],
    max: &[[f32; WIDTH]; 3],
    i: usize,
    (low, high): ([V; 3], [V; 3]),
) -> V {
    let mut squared = V::splat(0.0);
    for axis in 0..3 {
        let below = low[axis] - V::splat(max[axis][i]);
        let above = V::splat(min[axis][i]) - high[axis];
        let gap = below.max(above).max(V::splat(0.0));
        squared = squared + gap * gap;
    }
    squared
}

/// The lanes that count: all children of an inner node, or one leaf in its own lane.
#[inline(always)]
fn used_lanes<V: Lanes>(node: &Node, slot: u8) -> V {
    let used = V::load(&node.min[0]).le(V::load(&node.max[0]));
    if slot == INNER {
        return used;
    }
    let mut lane = [0.0; WIDTH];
    lane[slot as usize] = -1.0;
    used & V::load(&lane).lt(V::splat(0.0))
}

/// Squared distance of two boxes in double precision.
pub fn box_gap_squared(a: (DVec3, DVec3), b: (DVec3, DVec3)) -> f64 {
    (a.0 - b.1).max(b.0 - a.1).max(DVec3::ZERO).length_squared()
}

/// The corners of the box of a triangle.
pub fn box_of(t: &[DVec3; 3]) -> (DVec3, DVec3) {
    (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]))
}

#[cfg(test)]
mod tests;
