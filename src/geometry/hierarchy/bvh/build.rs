//! Building top-down by the surface area heuristic over bins (Wald 2007), level by level.
//!
//! The tree is the same for any number of threads: boxes and counts are exact whatever the order of their sums.

use super::Node;
use crate::geometry::aabb::Aabb;
use crate::geometry::simd::WIDTH;
use crate::interrupt;
use crate::memory::{self, Gather, ParallelGather};
use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;

/// Gives the nodes breadth-first, where the levels start, and the items in the order of the leaves.
pub fn build(boxes: &[Aabb], leaf: usize) -> (Vec<Node>, Vec<u32>, Vec<u32>) {
    let mut items: Vec<Item> = boxes
        .par_iter()
        .with_min_len(4096)
        .enumerate()
        .map(|(id, b)| Item {
            min: b.min.extend(f32::from_bits(id as u32)),
            max: b.max.extend(0.0),
        })
        .par_gather();
    let mut nodes = memory::room(boxes.len() / WIDTH + 1);
    let mut levels = vec![0];
    let mut tasks = vec![Task {
        items: &mut items,
        start: 0,
    }];
    while !tasks.is_empty() {
        interrupt::check();
        let split: Vec<_> = tasks
            .into_par_iter()
            .map(|task| task.split(leaf))
            .par_gather();
        let mut next_node = (nodes.len() + split.len()) as u32;
        tasks = memory::room(split.len() * WIDTH);
        for (mut node, inner) in split {
            for (slot, task) in inner.into_iter().enumerate() {
                let Some(task) = task else { continue };
                node.children[slot] = next_node;
                next_node += 1;
                memory::add(&mut tasks, task);
            }
            memory::add(&mut nodes, node);
        }
        levels.push(nodes.len() as u32);
    }
    (
        nodes,
        levels,
        items.iter().map(|item| item.min.w.to_bits()).gather(),
    )
}

/// A box in two registers; the bits of its id ride in `min.w`, where nothing computes.
#[derive(Clone, Copy)]
struct Item {
    min: Vec4,
    max: Vec4,
}

impl Item {
    /// Twice the centre: only its order matters.
    #[inline]
    fn key(&self) -> Vec4 {
        self.min + self.max
    }
}

/// A box with any value in `w`.
#[derive(Clone, Copy)]
struct PaddedBox {
    min: Vec4,
    max: Vec4,
}

impl PaddedBox {
    const EMPTY: Self = Self {
        min: Vec4::INFINITY,
        max: Vec4::NEG_INFINITY,
    };

    #[inline]
    fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Half the area of the sides; 0 when empty.
    #[inline]
    fn half_area(self) -> f32 {
        let s = (self.max - self.min).xyz().max(glam::Vec3::ZERO);
        s.x * s.y + s.y * s.z + s.z * s.x
    }

    /// Of all items, by `f`; a pass over many items is shared by the threads.
    fn of(items: &[Item], f: impl Fn(&Item) -> Self + Sync) -> Self {
        let fold = |items: &[Item]| items.iter().fold(Self::EMPTY, |b, item| b.union(f(item)));
        if items.len() < SHARED {
            return fold(items);
        }
        items
            .par_chunks(SHARED / 4)
            .map(fold)
            .reduce(|| Self::EMPTY, Self::union)
    }
}

/// From this many items on a pass over them is shared by the threads.
const SHARED: usize = 1 << 15;

/// Items that shall become a node; `start` is where they lie among all.
struct Task<'a> {
    items: &'a mut [Item],
    start: u32,
}

struct Share<'a> {
    items: &'a mut [Item],
    start: u32,
    bounds: PaddedBox,
}

impl<'a> Share<'a> {
    fn new(items: &'a mut [Item], start: u32) -> Self {
        let bounds = PaddedBox::of(items, |item| PaddedBox {
            min: item.min,
            max: item.max,
        });
        Self {
            items,
            start,
            bounds,
        }
    }
}

impl<'a> Task<'a> {
    /// Splits the largest part in two until there are eight. A node of few items gets parts that fill a leaf or a node below
    /// but for the last: left to the heuristic alone, half of all slots stay unused. Gives the node, and in their slots the parts that are
    /// too large for leaves: not in memory of their own, which could not be refused for each of a million nodes.
    fn split(self, leaf: usize) -> (Node, [Option<Task<'a>>; WIDTH]) {
        // The size of a full leaf, or of a node of full leaves.
        let granule = if self.items.len() <= leaf * WIDTH {
            leaf
        } else {
            leaf * WIDTH
        };
        let mut parts = Vec::with_capacity(WIDTH);
        parts.push(Share::new(self.items, self.start));
        while parts.len() < WIDTH {
            let splittable = parts
                .iter()
                .enumerate()
                .filter(|(_, p)| p.items.len() > granule);
            let area = |part: &Share| part.bounds.half_area();
            // From the back, so that of equals the first is taken.
            let Some((i, _)) = splittable
                .rev()
                .max_by(|a, b| area(a.1).total_cmp(&area(b.1)))
            else {
                break;
            };
            let Share { items, start, .. } = parts.remove(i);
            let middle = partition(items, granule);
            let (low, high) = items.split_at_mut(middle);
            parts.insert(i, Share::new(high, start + middle as u32));
            parts.insert(i, Share::new(low, start));
        }
        let mut node = Node::EMPTY;
        let mut inner = [const { None }; WIDTH];
        for (slot, part) in parts
            .into_iter()
            .enumerate()
            .filter(|(_, p)| !p.items.is_empty())
        {
            node.set_box(
                slot,
                Aabb {
                    min: part.bounds.min.xyz(),
                    max: part.bounds.max.xyz(),
                },
            );
            if part.items.len() <= leaf {
                node.children[slot] = part.start;
                node.counts[slot] = part.items.len() as u32;
            } else {
                inner[slot] = Some(Task {
                    items: part.items,
                    start: part.start,
                });
            }
        }
        (node, inner)
    }
}

/// Bins an axis for large parts; small ones get by with fewer.
const BINS: usize = 16;

#[derive(Clone, Copy)]
struct Bin {
    bounds: PaddedBox,
    count: u32,
}

impl Bin {
    const EMPTY: Self = Self {
        bounds: PaddedBox::EMPTY,
        count: 0,
    };

    #[inline]
    fn union(self, other: Self) -> Self {
        Self {
            bounds: self.bounds.union(other.bounds),
            count: self.count + other.count,
        }
    }

    /// The expected work behind this side of a split.
    #[inline]
    fn cost(self) -> f32 {
        self.bounds.half_area() * self.count as f32
    }
}

type Bins = [[Bin; BINS]; 3];

/// Where the centres fall into bins.
#[derive(Clone, Copy)]
struct Binning {
    origin: Vec4,
    scale: Vec4,
    bins: usize,
}

impl Binning {
    fn of(items: &[Item]) -> Self {
        let keys = PaddedBox::of(items, |item| PaddedBox {
            min: item.key(),
            max: item.key(),
        });
        let bins = if items.len() > 4 * BINS {
            BINS
        } else {
            BINS / 2
        };
        Self {
            origin: keys.min,
            scale: bins as f32 / (keys.max - keys.min),
            bins,
        }
    }

    #[inline]
    fn bin(&self, item: &Item) -> [usize; 3] {
        // A conversion that saturates: NaN and infinity (all centres in one place) go to the ends.
        let [x, y, z, _] = ((item.key() - self.origin) * self.scale).to_array();
        [x, y, z].map(|b| (b as usize).min(self.bins - 1))
    }

    fn fill(&self, items: &[Item]) -> Bins {
        let fold = |items: &[Item]| {
            let mut bins = [[Bin::EMPTY; BINS]; 3];
            for item in items {
                let bounds = PaddedBox {
                    min: item.min,
                    max: item.max,
                };
                for (axis, b) in self.bin(item).into_iter().enumerate() {
                    bins[axis][b] = bins[axis][b].union(Bin { bounds, count: 1 });
                }
            }
            bins
        };
        if items.len() < SHARED {
            return fold(items);
        }
        items.par_chunks(SHARED / 4).map(fold).reduce(
            || [[Bin::EMPTY; BINS]; 3],
            |a, b| {
                std::array::from_fn(|axis| std::array::from_fn(|i| a[axis][i].union(b[axis][i])))
            },
        )
    }

    /// The axis and bin in front of which a split is cheapest, and the items before it; if any leaves items on both sides.
    fn cheapest(&self, bins: &Bins) -> Option<(usize, usize, usize)> {
        let mut best = (f32::INFINITY, None);
        for (axis, bins) in bins.iter().enumerate() {
            let mut above = [Bin::EMPTY; BINS + 1];
            for i in (1..self.bins).rev() {
                above[i] = above[i + 1].union(bins[i]);
            }
            let mut below = Bin::EMPTY;
            for i in 1..self.bins {
                below = below.union(bins[i - 1]);
                let cost = below.cost() + above[i].cost();
                if below.count > 0 && above[i].count > 0 && cost < best.0 {
                    best = (cost, Some((axis, i, below.count as usize)));
                }
            }
        }
        best.1
    }
}

/// Reorders the more than `granule` items around the cheapest split, moved to the next multiple of `granule`.
fn partition(items: &mut [Item], granule: usize) -> usize {
    let binning = Binning::of(items);
    let whole = |count: usize| {
        let most = (items.len() - 1) / granule;
        ((count + granule / 2) / granule).clamp(1, most) * granule
    };
    let Some((axis, split, below)) = binning.cheapest(&binning.fill(items)) else {
        // All centres in one place, or boxes of infinite area: any parts are as good.
        return whole(items.len() / 2);
    };
    let middle = whole(below);
    if middle == below {
        let (mut low, mut high) = (0, items.len());
        while low < high {
            if binning.bin(&items[low])[axis] < split {
                low += 1;
            } else {
                high -= 1;
                items.swap(low, high);
            }
        }
    } else {
        items.select_nth_unstable_by(middle, |a, b| {
            let by_id = || a.min.w.to_bits().cmp(&b.min.w.to_bits());
            a.key()[axis].total_cmp(&b.key()[axis]).then_with(by_id)
        });
    }
    middle
}
