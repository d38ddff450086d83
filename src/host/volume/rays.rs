//! The crossings of rays: the first four of a ray and mesh in its slots, the others in its list. Partners: `rays.glsl`, `slots.glsl`,
//! `add_crossing.glsl`, `slots_view.glsl` and `crossings_walk.glsl` in `shaders/include`.

use crate::gpu::native::Array;
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::Summary;
use crate::gpu::shader::kernels::{RaysBindings, SlotsBindings};
use crate::host::ordered::{ordered, unordered};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Of a tag: the ray enters the mesh. The rest is the triangle.
pub const ENTERS: u32 = 0x8000_0000;
/// Crossings of a ray that need no list.
pub const SLOTS: usize = 4;
/// No node.
pub const NIL: u32 = 0x7fff_ffff;

/// What a crossing does to the winding number.
#[inline]
pub fn change_of(tag: u32) -> i32 {
    if tag & ENTERS != 0 { 1 } else { -1 }
}

/// Numbers below 2^100, so that walks along lists end.
#[inline]
pub fn is_depth(depth: f32) -> bool {
    depth.to_bits() & 0x7fff_ffff < 0x7180_0000
}

/// The words of a summary from one of its members on.
pub fn words_of<'a>(summaries: &Bound<'a>, member: usize) -> &'a [AtomicU32] {
    &summaries.words()[member / 4..]
}

/// How many nodes there are, or would be if there were room for all.
pub fn nodes_of<'a>(summaries: &Bound<'a>) -> &'a AtomicU32 {
    &words_of(summaries, offset_of!(Summary, nodes))[0]
}

/// The lists: of each ray its first node, shifted by one, and whether it starts inside.
#[derive(Clone, Copy)]
pub struct Rays<'a> {
    /// For each ray and mesh.
    pub heads: &'a [AtomicU32],
    /// Depth, triangle with its direction, next.
    nodes: &'a [AtomicU32],
}

impl<'a> Rays<'a> {
    /// Those that a kernel binds.
    pub fn of(bindings: &RaysBindings<'a>) -> Self {
        Self {
            heads: bindings.heads.words(),
            nodes: bindings.nodes.words(),
        }
    }

    fn word(&self, node: u32, which: usize) -> &AtomicU32 {
        &self.nodes[3 * node as usize + which]
    }

    /// The depth of a crossing.
    #[inline]
    pub fn depth(&self, node: u32) -> f32 {
        f32::from_bits(self.word(node, 0).load(Relaxed))
    }

    /// Its triangle and direction.
    #[inline]
    pub fn tag(&self, node: u32) -> u32 {
        self.word(node, 1).load(Relaxed)
    }

    /// The next of the ray.
    #[inline]
    pub fn next(&self, node: u32) -> u32 {
        self.word(node, 2).load(Relaxed)
    }

    /// Links a node to the next.
    #[inline]
    pub fn set_next(&self, node: u32, next: u32) {
        self.word(node, 2).store(next, Relaxed);
    }

    /// Writes a node.
    #[inline]
    pub fn set(&self, node: u32, depth: f32, tag: u32, next: u32) {
        self.word(node, 0).store(depth.to_bits(), Relaxed);
        self.word(node, 1).store(tag, Relaxed);
        self.set_next(node, next);
    }

    /// The first node of a ray.
    #[inline]
    pub fn first(&self, ray: usize) -> u32 {
        self.heads[ray].load(Relaxed) >> 1
    }

    /// The nodes of a list from one on.
    pub fn list(self, first: u32) -> impl Iterator<Item = u32> + use<'a> {
        let some = |node: u32| (node != NIL).then_some(node);
        std::iter::successors(some(first), move |node| some(self.next(*node)))
    }
}

/// The slots: how many crossings a ray has, and the first four in the order of their making. A slot without one is at infinity.
#[derive(Clone, Copy)]
pub struct Slots<'a> {
    /// Crossings of each ray and mesh.
    pub counts: &'a [AtomicU32],
    /// Four for each ray.
    pub depths: Array<'a, f32>,
    /// Four for each ray.
    pub tags: Array<'a, u32>,
}

impl<'a> Slots<'a> {
    /// Those that a kernel binds.
    pub fn of(bindings: &SlotsBindings<'a>) -> Self {
        Self {
            counts: bindings.counts.words(),
            depths: bindings.depths.array(),
            tags: bindings.tags.array(),
        }
    }

    /// Crossings of a ray.
    #[inline]
    pub fn count(&self, ray: usize) -> usize {
        self.counts[ray].load(Relaxed) as usize
    }

    /// The crossing in a slot.
    #[inline]
    pub fn get(&self, ray: usize, slot: usize) -> Crossing {
        let at = SLOTS * ray + slot;
        Crossing::new(self.depths.get(at), self.tags.get(at))
    }

    /// The crossings of a ray that has no more than its slots hold, in their order.
    #[inline]
    pub fn sorted(&self, ray: usize, count: usize) -> [Crossing; SLOTS] {
        let mut few = [Crossing::NONE; SLOTS];
        for (slot, crossing) in few.iter_mut().enumerate().take(count) {
            *crossing = self.get(ray, slot);
        }
        if count > 1 {
            let mut order = |i: usize, j: usize| {
                (few[i], few[j]) = (few[i].min(few[j]), few[i].max(few[j]));
            };
            order(0, 1);
            if count > 2 {
                order(2, 3);
                order(0, 2);
                order(1, 3);
                order(1, 2);
            }
        }
        few
    }
}

/// A crossing as a number in the order of a ray's crossings: by depth; at one depth entries first, and then by triangle, so that the
/// order does not depend on that of their making.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing(u64);

impl Crossing {
    /// After all others.
    pub const NONE: Self = Self(u64::MAX);

    /// A crossing at a depth.
    #[inline]
    pub fn new(depth: f32, tag: u32) -> Self {
        // Zero has one sign, so that one depth is one number.
        Self(u64::from(ordered(depth + 0.0)) << 32 | u64::from(tag ^ ENTERS))
    }

    /// Where it is.
    #[inline]
    pub fn depth(self) -> f32 {
        unordered((self.0 >> 32) as u32)
    }

    /// Its triangle and direction.
    #[inline]
    pub fn tag(self) -> u32 {
        self.0 as u32 ^ ENTERS
    }
}

/// A walk along all crossings of a ray in their order, once `spans` has sorted the lists.
#[derive(Clone)]
pub struct Crossings<'a> {
    rays: Rays<'a>,
    few: [Crossing; SLOTS],
    at: usize,
    /// In the slots; a ray with a list has none.
    count: usize,
    node: u32,
}

impl<'a> Crossings<'a> {
    /// Those of a ray.
    pub fn of(rays: Rays<'a>, slots: &Slots<'a>, ray: usize) -> Self {
        let count = slots.count(ray);
        let (few, count, node) = match count > SLOTS {
            true => ([Crossing::NONE; SLOTS], 0, rays.first(ray)),
            false => (slots.sorted(ray, count), count, NIL),
        };
        Self {
            rays,
            few,
            at: 0,
            count,
            node,
        }
    }

    /// The next, which stays the next.
    pub fn peek(&self) -> Option<Crossing> {
        if self.at < self.count {
            return Some(self.few[self.at]);
        }
        let node = self.node;
        (node != NIL).then(|| Crossing::new(self.rays.depth(node), self.rays.tag(node)))
    }
}

impl Iterator for Crossings<'_> {
    type Item = Crossing;

    fn next(&mut self) -> Option<Crossing> {
        let next = self.peek()?;
        if self.at < self.count {
            self.at += 1;
        } else {
            self.node = self.rays.next(self.node);
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_in_the_order_of_depths_then_entries_then_triangles() {
        let in_order = [
            (-2.0, 7 | ENTERS),
            (-0.0, 5 | ENTERS),
            (0.0, 9 | ENTERS),
            (-0.0, 1),
            (0.0, 3),
            (1e-30, ENTERS),
            (3.5, 2),
        ];
        let crossings = in_order.map(|(depth, tag)| Crossing::new(depth, tag));
        assert!(crossings.is_sorted());
        for (crossing, (depth, tag)) in crossings.into_iter().zip(in_order) {
            assert_eq!((crossing.depth(), crossing.tag()), (depth, tag));
            assert!(crossing < Crossing::NONE);
        }
    }

    #[test]
    fn what_is_no_number_crosses_nowhere() {
        assert!([0.0, -1e29, 1e30].into_iter().all(is_depth));
        let refused = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 2e30];
        assert!(!refused.into_iter().any(is_depth));
    }
}
