//! One bounding-volume hierarchy for all queries: eight boxes per node, refittable.
//!
//! Nodes are stored breadth-first, so each level is one run and a refit is a sweep over the levels from the deepest.

use crate::geometry::aabb::Aabb;
use crate::geometry::simd::{Lanes, WIDTH};
use crate::memory;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use rayon::prelude::*;
use std::ops::Range;

mod build;

/// The most items in a leaf, unless asked otherwise.
pub const LEAF: usize = 4;

/// Eight boxes and what they hold. 256 bytes, ready for a storage buffer.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct Node {
    /// Smallest x, y, z of each box; infinite in an unused slot.
    pub min: [[f32; WIDTH]; 3],
    /// Largest x, y, z of each box; minus infinite in an unused slot.
    pub max: [[f32; WIDTH]; 3],
    /// A node index if `counts` is 0, else where the leaf starts in [`Bvh::order`].
    pub children: [u32; WIDTH],
    /// The number of items of a leaf; 0 for an inner child and for an unused slot.
    pub counts: [u32; WIDTH],
}

/// What is in a slot of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Nothing.
    Unused,
    /// Another node, by index.
    Node(u32),
    /// Items: where they start in [`Bvh::order`] and how many there are.
    Leaf(u32, u32),
}

impl Node {
    const UNUSED: u32 = u32::MAX;
    const EMPTY: Self = Self {
        min: [[f32::INFINITY; WIDTH]; 3],
        max: [[f32::NEG_INFINITY; WIDTH]; 3],
        children: [Self::UNUSED; WIDTH],
        counts: [0; WIDTH],
    };

    /// What slot `i` holds.
    #[inline]
    pub fn child(&self, i: usize) -> Child {
        match (self.children[i], self.counts[i]) {
            (Self::UNUSED, 0) => Child::Unused,
            (node, 0) => Child::Node(node),
            (start, count) => Child::Leaf(start, count),
        }
    }

    /// The box of slot `i`.
    #[inline]
    pub fn child_box(&self, i: usize) -> Aabb {
        let at = |side: &[[f32; WIDTH]; 3]| Vec3::new(side[0][i], side[1][i], side[2][i]);
        Aabb {
            min: at(&self.min),
            max: at(&self.max),
        }
    }

    /// The box around all slots.
    pub fn bounds(&self) -> Aabb {
        let least = |v: &[f32; WIDTH]| v.iter().copied().fold(f32::INFINITY, f32::min);
        let most = |v: &[f32; WIDTH]| v.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        Aabb {
            min: Vec3::from(self.min.each_ref().map(least)),
            max: Vec3::from(self.max.each_ref().map(most)),
        }
    }

    /// Mask of the boxes that touch or overlap the box `min..max`; exact.
    #[inline(always)]
    pub fn overlaps<V: Lanes>(&self, min: [V; 3], max: [V; 3]) -> V {
        let mut mask = V::load(&self.min[0]).le(max[0]) & min[0].le(V::load(&self.max[0]));
        for axis in 1..3 {
            mask = mask
                & V::load(&self.min[axis]).le(max[axis])
                & min[axis].le(V::load(&self.max[axis]));
        }
        mask
    }

    fn set_box(&mut self, i: usize, bounds: Aabb) {
        for axis in 0..3 {
            self.min[axis][i] = bounds.min[axis];
            self.max[axis][i] = bounds.max[axis];
        }
    }
}

/// A hierarchy over boxes. The root is node 0; it is there even when there is no box.
#[derive(Debug)]
pub struct Bvh {
    nodes: Vec<Node>,
    order: Vec<u32>,
    /// Where each level starts in `nodes`, and the end.
    levels: Vec<u32>,
    /// The area of all boxes when the tree was built.
    built_area: f64,
}

impl Clone for Bvh {
    fn clone(&self) -> Self {
        Self {
            nodes: memory::copied(&self.nodes),
            order: memory::copied(&self.order),
            levels: memory::copied(&self.levels),
            built_area: self.built_area,
        }
    }
}

impl Bvh {
    /// Builds over boxes that are not empty.
    pub fn build(boxes: &[Aabb]) -> Self {
        Self::with_leaves(boxes, LEAF)
    }

    /// Builds with at most `leaf` items in a leaf; 1 at least.
    pub fn with_leaves(boxes: &[Aabb], leaf: usize) -> Self {
        let (nodes, levels, order) = build::build(boxes, leaf.max(1));
        let mut bvh = Self {
            nodes,
            order,
            levels,
            built_area: 0.0,
        };
        bvh.built_area = bvh.area();
        bvh
    }

    /// The area of all boxes: what a walk pays for.
    fn area(&self) -> f64 {
        let of = |node: &Node| -> f64 {
            (0..WIDTH)
                .filter(|&slot| node.child(slot) != Child::Unused)
                .map(|slot| f64::from(node.child_box(slot).surface_area()))
                .sum()
        };
        self.nodes.iter().map(of).sum()
    }

    /// How much larger the boxes have become by refits since the tree was built; 1 for a new one.
    pub fn decay(&self) -> f64 {
        if self.built_area > 0.0 {
            self.area() / self.built_area
        } else {
            1.0
        }
    }

    /// Fits the boxes anew to items that moved; the tree keeps its shape. `boxes` must be as many as were built over.
    pub fn refit(&mut self, boxes: &[Aabb]) {
        assert_eq!(
            boxes.len(),
            self.order.len(),
            "a refit needs the boxes of the items that were built over"
        );
        self.refit_by(|id| boxes[id as usize]);
    }

    /// The same, with boxes that are made when they are needed, each once.
    pub fn refit_by(&mut self, box_of: impl Fn(u32) -> Aabb + Sync) {
        self.refit_unless(box_of, &|| false);
    }

    /// The same until `over` says that it is enough; it is asked every few microseconds. False when it did: then boxes are
    /// right for the next refit, and for nothing else.
    pub fn refit_unless(
        &mut self,
        box_of: impl Fn(u32) -> Aabb + Sync,
        over: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        let order = &self.order;
        for level in self.levels.windows(2).rev() {
            let (head, deeper) = self.nodes.split_at_mut(level[1] as usize);
            let all = head[level[0] as usize..].par_chunks_mut(256).all(|nodes| {
                if over() {
                    return false;
                }
                for node in nodes {
                    for slot in 0..WIDTH {
                        let bounds = match node.child(slot) {
                            Child::Unused => continue,
                            Child::Node(index) => deeper[(index - level[1]) as usize].bounds(),
                            Child::Leaf(start, count) => order
                                [start as usize..(start + count) as usize]
                                .iter()
                                .fold(Aabb::EMPTY, |b, &id| b.union(box_of(id))),
                        };
                        node.set_box(slot, bounds);
                    }
                }
                true
            });
            if !all {
                return false;
            }
        }
        true
    }

    /// All nodes, breadth-first; the root first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes of each level, the root's first.
    pub fn levels(&self) -> impl Iterator<Item = Range<u32>> {
        self.levels.windows(2).map(|level| level[0]..level[1])
    }

    /// The item ids, leaf after leaf.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The ids in a leaf.
    #[inline]
    pub fn leaf(&self, start: u32, count: u32) -> &[u32] {
        &self.order[start as usize..(start + count) as usize]
    }

    /// Where the items below each node lie in [`Bvh::order`]: they are one run, because parts are split in place.
    pub fn ranges(&self) -> Vec<Range<usize>> {
        let none = Range {
            start: usize::MAX,
            end: 0,
        };
        let mut all = memory::filled(none, self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate().rev() {
            for slot in 0..WIDTH {
                let range = match node.child(slot) {
                    Child::Unused => continue,
                    Child::Node(child) => all[child as usize].clone(),
                    Child::Leaf(start, count) => start as usize..(start + count) as usize,
                };
                let whole = &mut all[index];
                *whole = whole.start.min(range.start)..whole.end.max(range.end);
            }
        }
        all
    }

    /// The box around everything.
    pub fn bounds(&self) -> Aabb {
        self.nodes[0].bounds()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use crate::geometry::simd::{LaneKernel, dispatch};
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes;

    /// Each item in one leaf; each box holds what is below it and no more; children come after their parents.
    fn assert_sound(bvh: &Bvh, boxes: &[Aabb]) {
        let mut seen = bvh.order().to_vec();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..boxes.len() as u32));
        let mut covered = vec![0; boxes.len()];
        let mut referenced = vec![0; bvh.nodes().len()];
        referenced[0] = 1;
        for (index, node) in bvh.nodes().iter().enumerate() {
            for slot in 0..WIDTH {
                let expected = match node.child(slot) {
                    Child::Unused => Aabb::EMPTY,
                    Child::Node(child) => {
                        assert!(child as usize > index);
                        referenced[child as usize] += 1;
                        bvh.nodes()[child as usize].bounds()
                    }
                    Child::Leaf(start, count) => {
                        assert!(count as usize <= LEAF);
                        (start..start + count).for_each(|i| covered[i as usize] += 1);
                        bvh.leaf(start, count)
                            .iter()
                            .fold(Aabb::EMPTY, |b, &id| b.union(boxes[id as usize]))
                    }
                };
                assert_eq!(node.child_box(slot), expected);
            }
        }
        assert!(covered.iter().all(|&c| c == 1) && referenced.iter().all(|&r| r == 1));
    }

    #[test]
    fn trees_over_meshes_are_sound_before_and_after_a_refit() {
        for (slices, stacks) in [(3, 2), (9, 9), (60, 40), (200, 180)] {
            let shape = shapes::sphere(1.0, slices, stacks);
            let boxes = shape.surface().triangle_boxes();
            let mut bvh = Bvh::build(&boxes);
            assert_sound(&bvh, &boxes);
            let moved = shape.map(|p| Vec3::new(2.0 * p.y, p.z * p.x, p.x - 3.0));
            let boxes = moved.surface().triangle_boxes();
            bvh.refit(&boxes);
            assert_sound(&bvh, &boxes);
        }
    }

    /// A body that only moves keeps its tree; one whose triangles change places spoils it.
    #[test]
    fn decay_tells_a_spoilt_tree() {
        let shape = shapes::sphere(1.0, 60, 40);
        let mut bvh = Bvh::build(&shape.surface().triangle_boxes());
        assert_eq!(bvh.decay(), 1.0);
        let moved = shape.clone().map(|p| p + Vec3::X);
        bvh.refit(&moved.surface().triangle_boxes());
        assert!((bvh.decay() - 1.0).abs() < 1e-3);
        let mut boxes = shape.surface().triangle_boxes();
        let mut random = Random::new(1);
        for k in (1..boxes.len()).rev() {
            boxes.swap(k, random.below(k + 1));
        }
        bvh.refit(&boxes);
        assert!(bvh.decay() > 3.0, "{}", bvh.decay());
    }

    #[test]
    fn odd_inputs_give_sound_trees() {
        let point = Aabb {
            min: Vec3::ONE,
            max: Vec3::ONE,
        };
        for n in [0, 1, 4, 5, 8, 9, 33, 1000] {
            let same = vec![point; n];
            assert_sound(&Bvh::build(&same), &same);
            let line: Vec<_> = (0..n).map(|i| point.expanded(i as f32)).collect();
            assert_sound(&Bvh::build(&line), &line);
            let huge: Vec<_> = (0..n)
                .map(|i| Aabb {
                    min: Vec3::splat(-f32::MAX),
                    max: Vec3::splat(f32::MAX / (i + 1) as f32),
                })
                .collect();
            assert_sound(&Bvh::build(&huge), &huge);
        }
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let boxes = shapes::knot(0.4, 600, 60).surface().triangle_boxes();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| Bvh::build(&boxes))
        };
        let (one, three) = (with(1), with(3));
        assert_eq!(one.order(), three.order());
        assert_eq!(
            bytemuck::cast_slice::<_, u8>(one.nodes()),
            bytemuck::cast_slice::<_, u8>(three.nodes())
        );
    }

    struct Overlaps<'a>(&'a Node, Aabb);

    impl LaneKernel for Overlaps<'_> {
        type Output = u8;
        #[inline(always)]
        fn run<V: Lanes>(self) -> u8 {
            let corner = |p: Vec3| p.to_array().map(V::splat);
            self.0
                .overlaps(corner(self.1.min), corner(self.1.max))
                .bits()
        }
    }

    #[test]
    fn node_tests_agree_with_the_boxes() {
        let boxes = shapes::torus(2.0, 0.7, 20, 10).surface().triangle_boxes();
        let bvh = Bvh::build(&boxes);
        let probe = Aabb {
            min: Vec3::new(1.0, -0.5, -1.0),
            max: Vec3::new(2.0, 0.5, 0.0),
        };
        for node in bvh.nodes() {
            let bits = dispatch(Overlaps(node, probe));
            for slot in 0..WIDTH {
                assert_eq!(bits >> slot & 1 == 1, node.child_box(slot).overlaps(probe));
            }
        }
    }
}
