//! Bounding-volume trees as the survey compares them: any volume, any number of children, several ways to update.
//!
//! Teschner et al., sections 2.1 to 2.3. The queries themselves use [`crate::geometry::hierarchy::bvh::Bvh`], which is what measured best;
//! these trees are here to measure it against.

use crate::geometry::aabb::Aabb;
use crate::geometry::bounded::{Bounded, TooMany};
use crate::geometry::rounding::below;
use crate::geometry::surface::Surface;
use crate::geometry::triangle::intersection::triangles_intersect;
use crate::interrupt;
use crate::memory::{self, Gather};
use glam::Vec3;
use std::ops::Range;

/// A bounding volume.
pub trait BoundingVolume: Copy + Send + Sync + 'static {
    /// The volume of nothing.
    const EMPTY: Self;
    /// Grown to hold a point.
    fn with(self, p: Vec3) -> Self;
    /// Around both.
    fn union(self, other: Self) -> Self;
    /// Whether both may share a point: always true when they do.
    fn overlaps(self, other: Self) -> bool;
    /// Around all points at most `margin` away.
    fn inflated(self, margin: f32) -> Self;
    /// Around all points that are blends of a point of each volume; weights are not negative and sum to about 1.
    fn blended(volumes: &[Self], weights: &[f32]) -> Self;
    /// A measure that grows with the chance to be hit.
    fn size(self) -> f32;
}

impl BoundingVolume for Aabb {
    const EMPTY: Self = Aabb::EMPTY;

    fn with(self, p: Vec3) -> Self {
        Aabb::with(self, p)
    }

    fn union(self, other: Self) -> Self {
        Aabb::union(self, other)
    }

    fn overlaps(self, other: Self) -> bool {
        Aabb::overlaps(self, other)
    }

    fn inflated(self, margin: f32) -> Self {
        let out = self.expanded(margin);
        Self {
            min: out.min.to_array().map(f32::next_down).into(),
            max: out.max.to_array().map(f32::next_up).into(),
        }
    }

    fn blended(volumes: &[Self], weights: &[f32]) -> Self {
        let along = |axis: usize| {
            let (least, greatest) = (
                volumes.iter().map(|v| v.min[axis]),
                volumes.iter().map(|v| v.max[axis]),
            );
            (
                weighted_sum(least, weights, Extreme::Least),
                weighted_sum(greatest, weights, Extreme::Greatest),
            )
        };
        let sides = [along(0), along(1), along(2)];
        Self {
            min: Vec3::from(sides.map(|s| s.0)),
            max: Vec3::from(sides.map(|s| s.1)),
        }
    }

    fn size(self) -> f32 {
        self.surface_area()
    }
}

/// Which side of a volume.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extreme {
    Least,
    Greatest,
}

/// A weighted sum, moved outwards by all that rounding can do to the same sum of vertices in single precision.
pub(super) fn weighted_sum(
    values: impl Iterator<Item = f32>,
    weights: &[f32],
    side: Extreme,
) -> f32 {
    let (mut sum, mut magnitude) = (0.0, 0.0);
    for (v, w) in values.zip(weights) {
        let term = f64::from(v) * f64::from(*w);
        sum += term;
        magnitude += term.abs();
    }
    // A product, a sum and the last rounding for each term.
    let slack = 3.0 * weights.len() as f64 * f64::from(f32::EPSILON) * magnitude;
    match side {
        Extreme::Least => below(sum - slack),
        Extreme::Greatest => -below(-(sum + slack)),
    }
}

/// How a tree follows its triangles (section 2.3.1, Larsson and Akenine-Moeller 2001).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Every volume at once, from the leaves to the root.
    BottomUp,
    /// Every volume when a query comes to it, from all triangles below it.
    TopDown,
    /// The upper half of the levels at once, the others when a query comes to them.
    Hybrid,
}

#[derive(Clone, Debug)]
struct TreeNode<V> {
    volume: V,
    /// Whether the volume is of the positions as they are now.
    fresh: bool,
    level: u32,
    /// Children are one run of nodes; none in a leaf.
    children: Range<u32>,
    /// The triangles below are one run of the order: also inner nodes know theirs.
    items: Range<u32>,
}

/// A tree over triangles with at most `ARITY` children per node.
#[derive(Debug)]
pub struct Tree<V, const ARITY: usize> {
    nodes: Vec<TreeNode<V>>,
    order: Vec<u32>,
    depth: u32,
    margin: f32,
    /// Where the vertices were when the volumes were last fitted; kept with a margin only.
    fitted: Vec<Vec3>,
    /// The sum of the volumes' sizes when the tree was built.
    built: f64,
}

/// Triangles in a leaf.
const LEAF: usize = 4;

impl<V: BoundingVolume, const ARITY: usize> Tree<V, ARITY> {
    /// Builds top-down by halves along the longest axis of the centres. With a margin, volumes are larger by it, and an
    /// update does nothing while no vertex has moved farther than that (section 2.3.1, Mezger et al. 2003).
    pub fn build(surface: &Surface, margin: f32) -> Self {
        let count = surface.triangles.len() as u32;
        let mut tree = Self {
            nodes: Vec::new(),
            order: (0..count).gather(),
            depth: 0,
            margin: margin.max(0.0),
            fitted: Vec::new(),
            built: 0.0,
        };
        tree.nodes.push(TreeNode {
            volume: V::EMPTY,
            fresh: false,
            level: 0,
            children: 0..0,
            items: 0..count,
        });
        let mut at = 0;
        while at < tree.nodes.len() {
            interrupt::check();
            tree.divide(surface, at);
            at += 1;
        }
        tree.fit(surface, u32::MAX);
        tree.built = tree.total_size();
        tree
    }

    /// Cuts a node's triangles into at most `ARITY` parts, the largest in half until there are enough.
    fn divide(&mut self, surface: &Surface, at: usize) {
        let TreeNode { items, level, .. } = self.nodes[at].clone();
        self.depth = self.depth.max(level);
        if items.len() <= LEAF {
            return;
        }
        let mut parts = vec![items];
        while parts.len() < ARITY {
            let largest = (0..parts.len())
                .max_by_key(|&k| (parts[k].len(), usize::MAX - k))
                .unwrap_or(0);
            if parts[largest].len() <= LEAF {
                break;
            }
            let (left, right) = self.halve(surface, parts[largest].clone());
            parts[largest] = left;
            parts.insert(largest + 1, right);
        }
        let first = self.nodes.len() as u32;
        for items in parts {
            let node = TreeNode {
                volume: V::EMPTY,
                fresh: false,
                level: level + 1,
                children: 0..0,
                items,
            };
            memory::add(&mut self.nodes, node);
        }
        self.nodes[at].children = first..self.nodes.len() as u32;
    }

    fn halve(&mut self, surface: &Surface, items: Range<u32>) -> (Range<u32>, Range<u32>) {
        let centre = |t: u32| {
            let [a, b, c] = surface.rounded_corners(t);
            a / 3.0 + b / 3.0 + c / 3.0
        };
        let run = &mut self.order[items.start as usize..items.end as usize];
        let spread = Aabb::of(run.iter().map(|&t| centre(t))).size();
        let axis = spread.max_position();
        let middle = run.len() / 2;
        run.select_nth_unstable_by(middle, |&s, &t| {
            centre(s)[axis].total_cmp(&centre(t)[axis]).then(s.cmp(&t))
        });
        let cut = items.start + middle as u32;
        (items.start..cut, cut..items.end)
    }

    /// Follows the triangles. False when the margin still covers all motion, and nothing was to be done.
    pub fn update(&mut self, surface: &Surface, update: Update) -> bool {
        if self.margin > 0.0 && self.still_covers(surface) {
            return false;
        }
        let levels = match update {
            Update::BottomUp => u32::MAX,
            Update::TopDown => 0,
            Update::Hybrid => self.depth / 2 + 1,
        };
        self.fit(surface, levels);
        true
    }

    fn still_covers(&self, surface: &Surface) -> bool {
        self.fitted.len() == surface.positions.len()
            && self
                .fitted
                .iter()
                .zip(surface.positions.rounded())
                .all(|(p, q)| p.distance(*q) <= self.margin)
    }

    /// Fits the levels above `level`. It asks for memory first: what is refused leaves the tree as it was.
    fn fit(&mut self, surface: &Surface, level: u32) {
        if self.margin > 0.0 {
            self.fitted = memory::copied(surface.positions.rounded());
        }
        self.fit_above(surface, level);
    }

    /// Fits the levels above `level` from the deepest of them upwards, and marks the others stale.
    fn fit_above(&mut self, surface: &Surface, level: u32) {
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            if node.level >= level {
                self.nodes[at].fresh = false;
                continue;
            }
            let joined = !node.children.is_empty() && node.level + 1 < level;
            let volume = if joined {
                node.children
                    .clone()
                    .fold(V::EMPTY, |v, c| v.union(self.nodes[c as usize].volume))
            } else {
                self.around(surface, at)
            };
            self.nodes[at].volume = volume;
            self.nodes[at].fresh = true;
        }
    }

    /// The volume around all triangles below a node.
    fn around(&self, surface: &Surface, at: usize) -> V {
        let items = self.nodes[at].items.clone();
        let corners = self.order[items.start as usize..items.end as usize]
            .iter()
            .flat_map(|&t| surface.rounded_corners(t));
        let volume = corners.fold(V::EMPTY, V::with);
        if self.margin > 0.0 {
            volume.inflated(self.margin)
        } else {
            volume
        }
    }

    /// The volume of a node, fitted now if it is stale.
    fn volume(&mut self, surface: &Surface, at: u32) -> V {
        let at = at as usize;
        if !self.nodes[at].fresh {
            self.nodes[at].volume = self.around(surface, at);
            self.nodes[at].fresh = true;
        }
        self.nodes[at].volume
    }

    fn total_size(&self) -> f64 {
        self.nodes.iter().map(|n| f64::from(n.volume.size())).sum()
    }

    /// How much larger the volumes are than those of the tree when it was built; 1 for a tree that was not updated.
    pub fn decay(&self) -> f64 {
        if self.built > 0.0 {
            self.total_size() / self.built
        } else {
            1.0
        }
    }

    /// Replaces every volume; for callers that know them without a look at the triangles.
    pub(super) fn set_volumes(&mut self, volume: impl Fn(usize) -> V) {
        // They have no margin around the positions of the last update.
        self.fitted.clear();
        for (at, node) in self.nodes.iter_mut().enumerate() {
            node.volume = volume(at);
            node.fresh = true;
        }
    }

    /// The volumes of all nodes, fitted to other positions of the same triangles.
    pub(super) fn volumes_at(&self, surface: &Surface) -> Vec<V> {
        let mut other = Self {
            nodes: memory::copied(&self.nodes),
            order: memory::copied(&self.order),
            fitted: Vec::new(),
            margin: 0.0,
            ..*self
        };
        other.fit(surface, u32::MAX);
        other.nodes.into_iter().map(|n| n.volume).gather()
    }
}

/// All intersecting triangle pairs of two trees, ascending. Both surfaces stand as they are.
pub fn crossing_pairs<V: BoundingVolume, const ARITY: usize>(
    a: (&mut Tree<V, ARITY>, &Surface),
    b: (&mut Tree<V, ARITY>, &Surface),
    capacity: usize,
) -> Result<Vec<[u32; 2]>, TooMany> {
    let (tree_a, surface_a) = a;
    let (tree_b, surface_b) = b;
    let mut found = Bounded::new(capacity);
    let mut stack = vec![(0, 0)];
    while let Some((i, j)) = stack.pop() {
        interrupt::check();
        let (first, second) = (tree_a.volume(surface_a, i), tree_b.volume(surface_b, j));
        if !first.overlaps(second) {
            continue;
        }
        let (node_a, node_b) = (&tree_a.nodes[i as usize], &tree_b.nodes[j as usize]);
        match (node_a.children.is_empty(), node_b.children.is_empty()) {
            (true, true) => {
                let of = |order: &[u32], items: &Range<u32>| {
                    order[items.start as usize..items.end as usize].to_vec()
                };
                let others = of(&tree_b.order, &node_b.items);
                for s in of(&tree_a.order, &node_a.items) {
                    for &t in &others {
                        let triangles = (surface_a.corners_f64(s), surface_b.corners_f64(t));
                        if triangles_intersect(&triangles.0, &triangles.1) {
                            found.push([s, t]);
                        }
                    }
                }
            }
            // The larger volume is opened, which lowers the chance of overlap fastest (section 2.2, van den Bergen 1997).
            (false, true) => stack.extend(node_a.children.clone().map(|c| (c, j))),
            (false, false) if first.size() >= second.size() => {
                stack.extend(node_a.children.clone().map(|c| (c, j)));
            }
            (_, false) => stack.extend(node_b.children.clone().map(|c| (i, c))),
        }
    }
    Bounded::merge(vec![found], capacity)
}

#[cfg(test)]
mod tests;
