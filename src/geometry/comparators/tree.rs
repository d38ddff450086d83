//! Bounding-volume trees as the survey compares them: any volume, any number of children, several ways to update.
//!
//! Teschner et al., sections 2.1 to 2.3. The queries themselves use [`crate::geometry::hierarchy::bvh::Bvh`], which is what measured best;
//! these trees are here to measure it against.

use super::volume::BoundingVolume;
use crate::geometry::aabb::Aabb;
use crate::geometry::bounded::{Bounded, TooMany};
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::surface::Surface;
use crate::geometry::triangle::intersection::triangles_intersect;
use crate::interrupt;
use crate::memory::{self, Gather, ParallelGather};
use glam::Vec3;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::OnceLock;

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
struct TreeNode {
    level: u32,
    /// Children are one run of nodes; none in a leaf.
    children: Range<u32>,
    /// The triangles below are one run of the order: also inner nodes know theirs.
    items: Range<u32>,
}

/// Gives the volume of a node without a look at the triangles.
type KnownVolumes<V> = Box<dyn Fn(usize) -> V + Send + Sync>;

/// A tree over triangles with at most `ARITY` children per node.
pub struct Tree<V, const ARITY: usize> {
    /// Level after level.
    nodes: Vec<TreeNode>,
    /// The volume of each node, where something has asked for it since the triangles moved.
    volumes: Vec<OnceLock<V>>,
    /// Where volumes that are asked for come from, if not from the triangles.
    known: Option<KnownVolumes<V>>,
    order: Vec<u32>,
    /// Where each level starts in `nodes`, and the end.
    levels: Vec<u32>,
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
            volumes: Vec::new(),
            known: None,
            order: (0..count).gather(),
            levels: vec![0, 1],
            margin: margin.max(0.0),
            fitted: Vec::new(),
            built: 0.0,
        };
        tree.nodes.push(TreeNode {
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
        tree.volumes = no_volumes(tree.nodes.len());
        tree.fit(surface, usize::MAX);
        tree.built = tree.total_size();
        tree
    }

    /// Cuts a node's triangles into at most `ARITY` parts, the largest in half until there are enough.
    fn divide(&mut self, surface: &Surface, at: usize) {
        let TreeNode { items, level, .. } = self.nodes[at].clone();
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
                level: level + 1,
                children: 0..0,
                items,
            };
            memory::add(&mut self.nodes, node);
        }
        let end = self.nodes.len() as u32;
        self.nodes[at].children = first..end;
        let below = level as usize + 2;
        if self.levels.len() <= below {
            self.levels.push(end);
        }
        self.levels[below] = end;
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
            Update::BottomUp => usize::MAX,
            Update::TopDown => 0,
            Update::Hybrid => self.levels.len().saturating_sub(2) / 2 + 1,
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
    fn fit(&mut self, surface: &Surface, level: usize) {
        if self.margin > 0.0 {
            self.fitted = memory::copied(surface.positions.rounded());
        }
        self.known = None;
        self.fit_above(surface, level);
    }

    /// Fits the levels above `level` from the deepest of them upwards, each on all threads, and forgets the others. Nothing ends it on the way.
    fn fit_above(&mut self, surface: &Surface, level: usize) {
        let mut volumes = std::mem::take(&mut self.volumes);
        for (at, ends) in self.levels.windows(2).enumerate().rev() {
            let (upper, deeper) = volumes.split_at_mut(ends[1] as usize);
            let first = ends[0] as usize;
            let of = |child: u32| deeper[(child - ends[1]) as usize].get().copied();
            let fit = |(k, volume): (usize, &mut OnceLock<V>)| {
                let node = &self.nodes[first + k];
                let joined = !node.children.is_empty() && at + 1 < level;
                *volume = match () {
                    () if at >= level => OnceLock::new(),
                    () if joined => OnceLock::from(
                        (node.children.clone().filter_map(of)).fold(V::EMPTY, V::union),
                    ),
                    () => OnceLock::from(self.around(surface, first + k)),
                };
            };
            let nodes = upper[first..].par_iter_mut().enumerate();
            nodes.with_min_len(64).for_each(fit);
        }
        self.volumes = volumes;
    }

    /// The triangles below a node.
    fn items(&self, node: &TreeNode) -> &[u32] {
        &self.order[node.items.start as usize..node.items.end as usize]
    }

    /// The volume around all triangles below a node. A margin is one around where the vertices were at the last update, which is
    /// from where their motion is counted.
    fn around(&self, surface: &Surface, at: usize) -> V {
        let around = |surface: &Surface| {
            let items = self.items(&self.nodes[at]).iter();
            let corners = items.flat_map(|&t| surface.rounded_corners(t));
            corners.fold(V::EMPTY, V::with)
        };
        if self.margin > 0.0 {
            let fitted = Surface {
                positions: (&self.fitted).into(),
                triangles: surface.triangles,
            };
            around(&fitted).inflated(self.margin)
        } else {
            around(surface)
        }
    }

    /// The volume of a node: what is not known yet is found now, by one thread for all.
    fn volume(&self, surface: &Surface, at: u32) -> V {
        let at = at as usize;
        let found = || match &self.known {
            Some(known) => known(at),
            None => self.around(surface, at),
        };
        *self.volumes[at].get_or_init(found)
    }

    fn total_size(&self) -> f64 {
        let known = self.volumes.iter().filter_map(OnceLock::get);
        known.map(|volume| f64::from(volume.size())).sum()
    }

    /// How much larger the volumes are than those of the tree when it was built; 1 for a tree that was not updated.
    pub fn decay(&self) -> f64 {
        if self.built > 0.0 {
            self.total_size() / self.built
        } else {
            1.0
        }
    }

    /// Replaces every volume by one that is asked for when a walk comes to its node; for callers that know them without a look at the triangles.
    pub(super) fn set_volumes(&mut self, known: impl Fn(usize) -> V + Send + Sync + 'static) {
        // They have no margin around the positions of the last update.
        self.fitted.clear();
        self.known = Some(Box::new(known));
        self.volumes.iter_mut().for_each(|v| *v = OnceLock::new());
    }

    /// How many volumes are known.
    #[cfg(test)]
    pub(super) fn known_volumes(&self) -> usize {
        self.volumes.iter().filter(|v| v.get().is_some()).count()
    }

    /// The volumes of all nodes, fitted to other positions of the same triangles.
    pub(super) fn volumes_at(&self, surface: &Surface) -> Vec<V> {
        let mut other = Self {
            nodes: memory::copied(&self.nodes),
            volumes: no_volumes(self.nodes.len()),
            known: None,
            order: memory::copied(&self.order),
            levels: memory::copied(&self.levels),
            margin: 0.0,
            fitted: Vec::new(),
            built: self.built,
        };
        other.fit(surface, usize::MAX);
        let volumes = other.volumes.into_iter();
        volumes.map(|v| v.into_inner().unwrap_or(V::EMPTY)).gather()
    }
}

fn no_volumes<V>(count: usize) -> Vec<OnceLock<V>> {
    (0..count).map(|_| OnceLock::new()).gather()
}

/// Pairs of nodes that a walk is cut into at least, where there are so many: threads take them in turns.
const PARTS: usize = 256;

/// All intersecting triangle pairs of two trees, ascending; the second surface stands somewhere in the frame of the first. On all threads of the
/// pool that it runs in.
pub fn crossing_pairs<V: BoundingVolume, const ARITY: usize>(
    a: (&Tree<V, ARITY>, &Surface),
    b: (&Tree<V, ARITY>, &Surface),
    placement: &Placement,
    capacity: usize,
) -> Result<Vec<[u32; 2]>, TooMany> {
    let walk = TreeWalk { a, b, placement };
    let mut found = Bounded::new(capacity);
    // Level by level until there are enough pairs to go round.
    let mut parts = vec![(0, 0)];
    while !parts.is_empty() && parts.len() < PARTS {
        let mut next = Vec::new();
        for pair in parts {
            walk.open(pair, &mut next, &mut found);
        }
        parts = next;
    }
    let work = |pair| {
        let (mut stack, mut found) = (vec![pair], Bounded::new(capacity));
        while let Some(pair) = stack.pop() {
            walk.open(pair, &mut stack, &mut found);
        }
        found
    };
    let mut lists = parts.into_par_iter().with_max_len(1).map(work).par_gather();
    memory::add(&mut lists, found);
    Bounded::merge(lists, capacity)
}

/// Two trees in one walk.
struct TreeWalk<'a, V, const ARITY: usize> {
    a: (&'a Tree<V, ARITY>, &'a Surface<'a>),
    b: (&'a Tree<V, ARITY>, &'a Surface<'a>),
    placement: &'a Placement,
}

impl<V: BoundingVolume, const ARITY: usize> TreeWalk<'_, V, ARITY> {
    /// Looks at a pair of nodes: what is below comes to `ahead`, or to `found`.
    fn open(&self, (i, j): (u32, u32), ahead: &mut Vec<(u32, u32)>, found: &mut Bounded<[u32; 2]>) {
        interrupt::check();
        let ((tree_a, surface_a), (tree_b, surface_b)) = (self.a, self.b);
        let (node_a, node_b) = (&tree_a.nodes[i as usize], &tree_b.nodes[j as usize]);
        if node_a.items.is_empty() || node_b.items.is_empty() {
            return;
        }
        let (first, second) = (tree_a.volume(surface_a, i), tree_b.volume(surface_b, j));
        let there = match self.placement.motion() {
            Some(motion) => second.moved(motion),
            None => second,
        };
        if !first.overlaps(there) {
            return;
        }
        match (node_a.children.is_empty(), node_b.children.is_empty()) {
            (true, true) => {
                for s in tree_a.items(node_a) {
                    for t in tree_b.items(node_b) {
                        let corners = self.placement.corners(surface_b, *t);
                        if triangles_intersect(&surface_a.corners_f64(*s), &corners) {
                            found.push([*s, *t]);
                        }
                    }
                }
            }
            // The larger volume is opened, which lowers the chance of overlap fastest (section 2.2, van den Bergen 1997).
            (false, true) => ahead.extend(node_a.children.clone().map(|c| (c, j))),
            (false, false) if first.size() >= second.size() => {
                ahead.extend(node_a.children.clone().map(|c| (c, j)));
            }
            (_, false) => ahead.extend(node_b.children.clone().map(|c| (i, c))),
        }
    }
}

#[cfg(test)]
mod tests;
