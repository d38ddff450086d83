//! The point of a surface nearest to a query point: the shared hierarchy with tighter bounds and eight-wide leaves.
//!
//! Candidates are found in single precision with a margin for its rounding, and decided in double.

use crate::geometry::bvh::Bvh;
use crate::geometry::closest::{self, Feature};
use crate::geometry::simd::{self, Kernel, Lanes, WIDTH};
use crate::geometry::surface::Surface;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

mod block;
mod disc;

use block::Block;
use disc::Discs;

/// The nearest point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Where it is.
    pub point: DVec3,
    /// How far that is from the query point.
    pub distance: f64,
    /// The triangle it lies on; of several the one met first.
    pub triangle: u32,
    /// The feature of that triangle it lies on.
    pub feature: Feature,
}

/// An index for nearest-point queries. Thread-safe to query.
#[derive(Clone, Debug)]
pub struct Nearest {
    bvh: Bvh,
    /// Beside each node, a disc around each child.
    discs: Vec<Discs>,
    /// The triangles of each leaf, and which block a leaf has.
    blocks: Vec<Block>,
    block_of: Vec<u32>,
    corners: Vec<[Vec3; 3]>,
    /// The longest side of a triangle: it scales the rounding error of a block.
    longest: f32,
}

/// Memory that queries reuse; one a thread. It remembers where the last answer was, to start there next time; what is
/// found does not depend on it.
#[derive(Debug, Default)]
pub struct Scratch {
    stack: Vec<Entry>,
    candidates: Vec<Candidate>,
    last_leaf: Option<u32>,
}

/// A child to visit for some points of a packet, and the least of their squared distances to it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    bound: f32,
    points: u8,
    /// Whether `child` is where a leaf starts rather than a node.
    leaf: bool,
    child: u32,
}

/// A triangle, by its place in the order of the leaves, that may be the nearest to a point of a packet.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    squared: f32,
    item: u32,
    point: u8,
}

impl Nearest {
    /// Indexes a valid surface.
    pub fn build(surface: Surface) -> Self {
        let bvh = Bvh::with_leaves(&surface.triangle_boxes(), WIDTH);
        let mut nearest = Self {
            bvh,
            discs: Vec::new(),
            blocks: Vec::new(),
            block_of: Vec::new(),
            corners: Vec::new(),
            longest: 0.0,
        };
        nearest.derive(surface);
        nearest
    }

    /// Follows a surface with the same triangles whose positions moved.
    pub fn refit(&mut self, surface: Surface) {
        self.bvh.refit(&surface.triangle_boxes());
        self.derive(surface);
    }

    fn derive(&mut self, surface: Surface) {
        let order = self.bvh.order();
        self.corners = order
            .par_iter()
            .with_min_len(4096)
            .map(|&t| surface.corners(t))
            .collect();
        let corners = &self.corners;
        let mut leaves = Vec::new();
        self.block_of = vec![u32::MAX; order.len()];
        for node in self.bvh.nodes() {
            for (&start, &count) in node
                .children
                .iter()
                .zip(&node.counts)
                .filter(|(_, c)| **c > 0)
            {
                self.block_of[start as usize] = leaves.len() as u32;
                leaves.push(start as usize..(start + count) as usize);
            }
        }
        self.blocks = leaves
            .into_par_iter()
            .with_min_len(256)
            .map(|r| Block::of(&corners[r]))
            .collect();
        let longest_side =
            |&[a, b, c]: &[Vec3; 3]| a.distance(b).max(b.distance(c)).max(c.distance(a));
        self.longest = self
            .corners
            .par_iter()
            .with_min_len(4096)
            .map(longest_side)
            .reduce(|| 0.0, f32::max);
        self.discs = disc::around(&self.bvh, &self.corners);
    }

    /// The hierarchy behind the index.
    pub fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    /// The corners of the triangle at a place in the hierarchy's order.
    #[inline]
    pub fn corners(&self, item: u32) -> [Vec3; 3] {
        self.corners[item as usize]
    }

    /// The nearest point to `p`, if one is not farther than `within`.
    pub fn query(&self, p: DVec3, within: f64, scratch: &mut Scratch) -> Option<Hit> {
        self.query_packet(&[p], within, scratch)[0]
    }

    /// The nearest points to at most eight points that lie together, if they are not farther than `within`.
    pub fn query_packet(
        &self,
        points: &[DVec3],
        within: f64,
        scratch: &mut Scratch,
    ) -> [Option<Hit>; WIDTH] {
        simd::dispatch(Search {
            nearest: self,
            points,
            scratch,
        });
        let mut hits = [None; WIDTH];
        for candidate in &scratch.candidates {
            let p = points[candidate.point as usize];
            let corners = self.corners[candidate.item as usize].map(Vec3::as_dvec3);
            let (point, feature) = closest::on_triangle(p, corners);
            let triangle = self.bvh.order()[candidate.item as usize];
            let hit = Hit {
                point,
                distance: point.distance(p),
                triangle,
                feature,
            };
            let best: &mut Option<Hit> = &mut hits[candidate.point as usize];
            // Of equals the first in the file, so that the order of the search does not matter.
            let nearer = |best: &Hit| (hit.distance, triangle) < (best.distance, best.triangle);
            if hit.distance <= within && best.as_ref().is_none_or(nearer) {
                *best = Some(hit);
            }
        }
        hits
    }

    /// How far a distance computed here in f32 may be from the true one, for points at most `reach` away: rounding of
    /// the query point, of differences, of dot products and of squares, each a few units in the last place.
    fn rounding(&self, p: Vec3, reach: f32) -> f32 {
        8.0 * f32::EPSILON * (reach + self.longest) + 2.0 * f32::EPSILON * p.abs().max_element()
    }
}

/// Collects for each point the triangles whose distance is the least up to rounding.
struct Search<'a> {
    nearest: &'a Nearest,
    points: &'a [DVec3],
    scratch: &'a mut Scratch,
}

/// One of the points: where it is, the least distance so far, and the squared distance up to which to look.
#[derive(Clone, Copy)]
struct Seeker {
    p: Vec3,
    least: f32,
    limit: f32,
}

impl Seeker {
    fn improve(&mut self, nearest: &Nearest, squared: f32) {
        self.least = squared;
        let reach = squared.sqrt();
        let radius = reach + 2.0 * nearest.rounding(self.p, reach);
        self.limit = radius * radius * (1.0 + 8.0 * f32::EPSILON);
    }
}

impl Kernel for Search<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self {
            nearest,
            points,
            scratch,
        } = self;
        let Scratch {
            stack,
            candidates,
            last_leaf,
        } = scratch;
        let mut seekers = [Seeker {
            p: Vec3::ZERO,
            least: f32::INFINITY,
            // Finite, so that unused slots and lanes, which are infinitely far, are never looked into.
            limit: f32::MAX,
        }; WIDTH];
        for (seeker, p) in seekers.iter_mut().zip(points) {
            seeker.p = p.as_vec3();
        }
        let all = (1u32 << points.len().min(WIDTH)) as u8;
        let all = all.wrapping_sub(1);
        candidates.clear();
        stack.clear();
        let first_leaf = *last_leaf;
        if let Some(start) = first_leaf {
            visit_leaf::<V>(nearest, start, all, &mut seekers, candidates, last_leaf);
        }
        stack.push(Entry {
            bound: 0.0,
            points: all,
            leaf: false,
            child: 0,
        });
        let mut farthest = farthest_limit(&seekers, all);
        while let Some(entry) = stack.pop() {
            if entry.bound > farthest || entry.leaf && Some(entry.child) == first_leaf {
                continue;
            }
            if entry.leaf {
                visit_leaf::<V>(
                    nearest,
                    entry.child,
                    entry.points,
                    &mut seekers,
                    candidates,
                    last_leaf,
                );
                farthest = farthest_limit(&seekers, all);
            } else {
                visit_node::<V>(nearest, entry.child, entry.points, &seekers, stack);
            }
        }
        candidates.retain(|c| c.squared <= seekers[c.point as usize].limit);
    }
}

/// Puts the children on the stack that some point still has to look into, the nearest on top.
#[inline(always)]
fn visit_node<V: Lanes>(
    nearest: &Nearest,
    index: u32,
    points: u8,
    seekers: &[Seeker; WIDTH],
    stack: &mut Vec<Entry>,
) {
    let node = &nearest.bvh.nodes()[index as usize];
    let discs = &nearest.discs[index as usize];
    let mut least = V::splat(f32::INFINITY);
    let (mut rows, mut any) = (0, 0);
    for i in ones(points) {
        let p = seekers[i].p.to_array().map(V::splat);
        let bounds = node.distances_squared(p).max(discs.distances_squared(p));
        let near = bounds.le(V::splat(seekers[i].limit));
        least = least.min(near.select(bounds, V::splat(f32::INFINITY)));
        any |= near.bits();
        rows |= u64::from(near.bits()) << (8 * i);
    }
    let least = least.store();
    let points_of = transposed(rows).to_le_bytes();
    let first = stack.len();
    for slot in ones(any) {
        let entry = Entry {
            bound: least[slot],
            points: points_of[slot],
            leaf: node.counts[slot] > 0,
            child: node.children[slot],
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

/// The largest squared distance up to which one of the points has to look.
#[inline(always)]
fn farthest_limit(seekers: &[Seeker; WIDTH], points: u8) -> f32 {
    ones(points).fold(0.0, |limit, i| seekers[i].limit.max(limit))
}

#[inline(always)]
fn visit_leaf<V: Lanes>(
    nearest: &Nearest,
    start: u32,
    points: u8,
    seekers: &mut [Seeker; WIDTH],
    candidates: &mut Vec<Candidate>,
    last_leaf: &mut Option<u32>,
) {
    let block = &nearest.blocks[nearest.block_of[start as usize] as usize];
    for i in ones(points) {
        let seeker = &mut seekers[i];
        let distances = block.distances_squared(seeker.p.to_array().map(V::splat));
        let least = distances.least();
        if least > seeker.limit {
            continue;
        }
        if least < seeker.least {
            seeker.improve(nearest, least);
            *last_leaf = Some(start);
        }
        let near = distances.le(V::splat(seeker.limit)).bits();
        let distances = distances.store();
        for lane in ones(near) {
            let (squared, item) = (distances[lane], start + lane as u32);
            candidates.push(Candidate {
                squared,
                item,
                point: i as u8,
            });
        }
    }
}

/// The indices of the set bits.
#[inline(always)]
fn ones(mut bits: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (index < 8).then_some(index)
    })
}

/// An 8 x 8 bit matrix mirrored at its diagonal (Warren, Hacker's Delight, section 7-3).
#[inline(always)]
fn transposed(mut x: u64) -> u64 {
    for (shift, mask) in [
        (7, 0x00aa_00aa_00aa_00aa),
        (14, 0x0000_cccc_0000_cccc),
        (28, 0x0000_0000_f0f0_f0f0),
    ] {
        let swap = (x ^ (x >> shift)) & mask;
        x ^= swap ^ (swap << shift);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shapes::{self, Shape};

    fn random(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    }

    fn brute_force(surface: Surface, p: DVec3) -> f64 {
        let distance = |t| {
            closest::on_triangle(p, surface.corners_f64(t))
                .0
                .distance(p)
        };
        (0..surface.triangles.len() as u32)
            .map(distance)
            .fold(f64::INFINITY, f64::min)
    }

    fn assert_exact(shape: &Shape, reach: f64, rounds: usize) {
        let nearest = Nearest::build(shape.surface());
        let (mut seed, mut scratch) = (1, Scratch::default());
        let centre = shape.surface().bounds().centre().as_dvec3();
        for round in 0..rounds {
            // Near and far, and every fourth point almost on the surface.
            let mut p = centre
                + reach * DVec3::new(random(&mut seed), random(&mut seed), random(&mut seed));
            if round % 4 == 0 {
                let corners = shape
                    .surface()
                    .corners_f64((round % shape.triangles.len()) as u32);
                p = (corners[0] + corners[1] + corners[2]) / 3.0 + (p - centre) * 1e-4;
            }
            let truth = brute_force(shape.surface(), p);
            let hit = nearest.query(p, f64::INFINITY, &mut scratch).unwrap();
            assert!(
                (hit.distance - truth).abs() <= 1e-15,
                "{p}: {} instead of {truth}",
                hit.distance
            );
            assert_eq!(hit.distance, hit.point.distance(p));
            assert_eq!(
                closest::on_triangle(p, shape.surface().corners_f64(hit.triangle)),
                (hit.point, hit.feature)
            );
            assert_eq!(
                nearest.query(p, truth, &mut scratch).map(|h| h.distance),
                Some(truth)
            );
            assert_eq!(nearest.query(p, truth * 0.999, &mut scratch), None);
        }
    }

    #[test]
    fn the_nearest_point_is_that_of_brute_force() {
        assert_exact(&shapes::sphere(1.0, 40, 30), 3.0, 400);
        assert_exact(&shapes::knot(0.4, 120, 16), 5.0, 400);
        assert_exact(&shapes::cuboid(Vec3::new(1.0, 0.01, 1.0), 12), 2.0, 400);
        assert_exact(
            &shapes::torus(1.0, 0.3, 30, 12).map(|p| p + 100.0),
            2.0,
            400,
        );
    }

    #[test]
    fn slivers_and_points_are_no_exception() {
        let squashed = shapes::sphere(1.0, 30, 20).map(|p| p * Vec3::new(1.0, 1e-6, 1.0));
        assert_exact(&squashed, 2.0, 400);
        let line = shapes::sphere(1.0, 10, 8).map(|p| p * Vec3::X);
        assert_exact(&line, 2.0, 200);
        let point = shapes::sphere(1.0, 10, 8).map(|_| Vec3::ONE);
        assert_exact(&point, 2.0, 20);
    }

    #[test]
    fn a_refitted_index_follows_the_surface() {
        let shape = shapes::sphere(1.0, 40, 30);
        let mut nearest = Nearest::build(shape.surface());
        let moved = shape.map(|p| Vec3::new(2.0 * p.y, p.z * p.x, p.x - 3.0));
        nearest.refit(moved.surface());
        let (mut seed, mut scratch) = (1, Scratch::default());
        for _ in 0..200 {
            let p = 3.0 * DVec3::new(random(&mut seed), random(&mut seed), random(&mut seed));
            let hit = nearest.query(p, f64::INFINITY, &mut scratch).unwrap();
            assert!((hit.distance - brute_force(moved.surface(), p)).abs() <= 1e-15);
        }
    }

    #[test]
    fn packets_answer_as_single_queries_do() {
        let shape = shapes::knot(0.4, 120, 16);
        let nearest = Nearest::build(shape.surface());
        let (mut seed, mut scratch) = (1, Scratch::default());
        for count in 1..=WIDTH {
            let corner = 3.0 * DVec3::new(random(&mut seed), random(&mut seed), random(&mut seed));
            let points: Vec<_> = (0..count).map(|i| corner + 0.3 * i as f64).collect();
            let hits = nearest.query_packet(&points, f64::INFINITY, &mut scratch);
            for (i, hit) in hits.into_iter().enumerate() {
                let single = points
                    .get(i)
                    .and_then(|&p| nearest.query(p, f64::INFINITY, &mut Scratch::default()));
                assert_eq!(hit, single);
            }
        }
    }

    #[test]
    fn transposing_swaps_rows_and_columns() {
        let at = |x: u64, row: u32, column: u32| x >> (8 * row + column) & 1;
        let x = 0x0123_4567_89ab_cdef;
        for k in 0..64 {
            assert_eq!(at(transposed(x), k / 8, k % 8), at(x, k % 8, k / 8));
        }
    }

    #[test]
    fn nothing_is_near_an_empty_surface() {
        let nearest = Nearest::build(Shape::default().surface());
        assert_eq!(
            nearest.query(DVec3::ZERO, f64::INFINITY, &mut Scratch::default()),
            None
        );
    }
}
