//! Groups of at most 64 triangles that lie together: what the GPU culls first.

use crate::geometry::surface::Surface;
use crate::geometry::topology::adjacency::{Adjacency, NONE};
use crate::memory::{self, Gather, ParallelGather};
use glam::Vec3;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::Range;

/// The most triangles in a cluster.
pub const CAPACITY: usize = 64;

/// A partition of triangles into clusters. The same for any number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters {
    /// Triangle ids, cluster after cluster.
    pub order: Vec<u32>,
    /// Where each cluster starts in `order`, and the end: one more than there are clusters.
    pub starts: Vec<u32>,
}

impl Clusters {
    /// Clusters that are tight in space: the centroids are halved across their longest extent, at a multiple
    /// of 64, until 64 are left; so all clusters but one are full. The smaller boxes cull better than runs of a Morton curve.
    pub fn by_position(surface: Surface) -> Self {
        let mut items: Vec<ClusterItem> = (0..surface.triangles.len() as u32)
            .into_par_iter()
            .with_min_len(4096)
            .map(|triangle| {
                let [a, b, c] = surface.rounded_corners(triangle);
                // Scaled before the sum, which could overflow.
                ClusterItem {
                    centroid: a / 3.0 + b / 3.0 + c / 3.0,
                    triangle,
                }
            })
            .par_gather();
        halve(&mut items);
        let order: Vec<u32> = items.iter().map(|item| item.triangle).gather();
        let starts = (0..order.len())
            .step_by(CAPACITY)
            .chain([order.len()])
            .map(|s| s as u32)
            .gather();
        Self { order, starts }
    }

    /// Clusters of neighbouring triangles, for when the positions are out of reach: patches grown
    /// breadth-first across edges. Indices must be below `vertices`.
    pub fn by_adjacency(triangles: &[[u32; 3]], vertices: usize) -> Self {
        /// A patch that can grow no more is closed when it has this many; a smaller one goes on at the next seed.
        const ENOUGH: usize = CAPACITY / 4;
        let twins = Adjacency::of(triangles, vertices).twins;
        let mut taken = memory::filled(false, triangles.len());
        let mut order: Vec<u32> = memory::room(triangles.len());
        let mut starts = vec![0];
        let mut patch = VecDeque::new();
        let mut rim = VecDeque::new();
        let mut next = 0;
        while order.len() < triangles.len() {
            let start = starts[starts.len() - 1] as usize;
            let Some(triangle) = patch.pop_front() else {
                // Beside an earlier patch if there is one, so that patches follow one another over the surface.
                let seed = rim.pop_front().unwrap_or_else(|| {
                    next += 1;
                    next - 1
                });
                if !taken[seed as usize] {
                    if order.len() - start >= ENOUGH {
                        starts.push(order.len() as u32);
                    }
                    patch.push_back(seed);
                }
                continue;
            };
            if std::mem::replace(&mut taken[triangle as usize], true) {
                continue;
            }
            order.push(triangle);
            let sides = 3 * triangle as usize..3 * triangle as usize + 3;
            let beside = twins[sides].iter().filter(|&&t| t != NONE).map(|t| t / 3);
            beside
                .filter(|&t| !taken[t as usize])
                .for_each(|t| memory::add_to_queue(&mut patch, t));
            if order.len() - start == CAPACITY {
                starts.push(order.len() as u32);
                patch
                    .drain(..)
                    .for_each(|t| memory::add_to_queue(&mut rim, t));
            }
        }
        if starts[starts.len() - 1] as usize != order.len()
            || starts.len() == 1 && !order.is_empty()
        {
            starts.push(order.len() as u32);
        }
        Self { order, starts }
    }

    /// The number of clusters.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no clusters.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where cluster `index` lies in `order`.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.starts[index] as usize..self.starts[index + 1] as usize
    }

    /// The triangle ids of each cluster.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|i| &self.order[self.range(i)])
    }
}

#[derive(Clone, Copy)]
struct ClusterItem {
    centroid: Vec3,
    triangle: u32,
}

fn halve(items: &mut [ClusterItem]) {
    /// Below this a fork costs more than it gives.
    const ALONE: usize = 4096;
    if items.len() <= CAPACITY {
        // The order of the file: its vertices are likely to be shared by neighbours.
        items.sort_unstable_by_key(|item| item.triangle);
        return;
    }
    let (min, max) = items
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), item| {
            (min.min(item.centroid), max.max(item.centroid))
        });
    let axis = (max - min).max_position();
    let middle = items.len().div_ceil(2 * CAPACITY) * CAPACITY;
    // Ties go by id: without it equal centroids could fall on either side.
    items.select_nth_unstable_by(middle, |a, b| {
        a.centroid[axis]
            .total_cmp(&b.centroid[axis])
            .then(a.triangle.cmp(&b.triangle))
    });
    let (low, high) = items.split_at_mut(middle);
    if low.len() + high.len() > ALONE {
        rayon::join(|| halve(low), || halve(high));
    } else {
        halve(low);
        halve(high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes;

    fn assert_partition(clusters: &Clusters, triangles: usize) {
        let mut seen = clusters.order.clone();
        seen.sort_unstable();
        assert!(
            seen.into_iter().eq(0..triangles as u32),
            "order is not a permutation"
        );
        assert_eq!(
            (clusters.starts[0], clusters.starts[clusters.len()]),
            (0, triangles as u32)
        );
        assert!(clusters.iter().all(|c| (1..=CAPACITY).contains(&c.len())));
    }

    /// The sum of the clusters' box areas, which is what culling pays for.
    fn box_area(surface: Surface, clusters: &Clusters) -> f32 {
        let bounds = |c: &[u32]| {
            c.iter()
                .map(|&t| surface.triangle_box(t))
                .reduce(|a, b| a.union(b))
                .unwrap()
        };
        clusters.iter().map(|c| bounds(c).surface_area()).sum()
    }

    #[test]
    fn every_triangle_is_in_one_cluster() {
        for (slices, stacks) in [(3, 2), (8, 5), (50, 41), (120, 101)] {
            let shape = shapes::sphere(1.0, slices, stacks);
            let n = shape.triangles.len();
            let by_position = Clusters::by_position(shape.surface());
            assert_partition(&by_position, n);
            assert_eq!(by_position.len(), n.div_ceil(CAPACITY));
            assert_partition(
                &Clusters::by_adjacency(&shape.triangles, shape.positions.len()),
                n,
            );
        }
    }

    #[test]
    fn none_one_and_many_equal_triangles() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y];
        for n in [0, 1, 64, 65, 1000] {
            let triangles = vec![[0, 1, 2]; n];
            assert_partition(
                &Clusters::by_position(Surface {
                    positions: (&positions[..]).into(),
                    triangles: &triangles,
                }),
                n,
            );
            assert_partition(&Clusters::by_adjacency(&triangles, 3), n);
        }
    }

    #[test]
    fn clusters_are_far_tighter_than_the_order_of_the_file() {
        let shape = shapes::sphere(1.0, 200, 101);
        let mut shuffled = shape.triangles.clone();
        // A fixed shuffle (multiplication by a unit modulo the count).
        let n = shuffled.len();
        for (i, t) in shuffled.iter_mut().enumerate() {
            *t = shape.triangles[i * 7919 % n];
        }
        let surface = Surface {
            positions: (&shape.positions).into(),
            triangles: &shuffled,
        };
        let starts = (0..n)
            .step_by(CAPACITY)
            .chain([n])
            .map(|s| s as u32)
            .collect();
        let unsorted = box_area(
            surface,
            &Clusters {
                order: (0..n as u32).collect(),
                starts,
            },
        );
        assert!(box_area(surface, &Clusters::by_position(surface)) < 0.02 * unsorted);
        let grown = Clusters::by_adjacency(&shuffled, shape.positions.len());
        assert!(box_area(surface, &grown) < 0.05 * unsorted);
        assert!(grown.len() < 2 * n.div_ceil(CAPACITY));
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let shape = shapes::torus(2.0, 0.7, 150, 80);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| Clusters::by_position(shape.surface()))
        };
        assert_eq!(with(1), with(3));
    }
}
