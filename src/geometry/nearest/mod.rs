//! The point of a surface nearest to a query point: the shared hierarchy with tighter bounds and eight-wide leaves.
//!
//! Candidates are found in single precision with a margin for its rounding, and decided in double.

pub mod patch;

use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::simd::{self, WIDTH};
use crate::geometry::surface::Surface;
use crate::geometry::triangle::closest::{self, Feature};
use crate::memory::{self, ParallelGather};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

mod block;
mod flat;
mod oriented;
mod packet;
mod search;

use block::BlockSearch;
use flat::Flat;
use oriented::Boxes;
use search::NearestSearch;

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
    /// Beside each node, an oriented box around each child.
    boxes: Vec<Boxes>,
    /// For each leaf, one around each of its triangles; and which leaf starts where in the order.
    leaves: Vec<Boxes>,
    leaf_at: Vec<u32>,
    /// The triangles in the order of the leaves.
    corners: Vec<[Vec3; 3]>,
    flats: Vec<Flat>,
    /// The longest side of a triangle: it scales the rounding of distances.
    longest: f32,
}

/// Memory that queries reuse; one per thread. It remembers where the last answers were, to start there next time; what is
/// found does not depend on it.
#[derive(Debug, Default)]
pub struct Scratch {
    stack: Vec<ToVisit>,
    candidates: Vec<Candidate>,
    /// The triangles of the last answers, by their place in the order of the leaves, and of each answer now.
    last: Vec<u32>,
    winners: Vec<u32>,
    /// The least squared distances of the points now.
    least: Vec<f64>,
    /// Nodes to visit for a block; leaves that it may have to look at, with their first triangles; their boxes, eight side by
    /// side; and of them those near to a packet.
    nodes: Vec<u32>,
    leaves: Vec<(u32, u32)>,
    rows: Vec<Boxes>,
    near_leaves: Vec<(u32, u32)>,
}

/// The most points in a block.
pub const BLOCK: usize = 128;

/// How many triangles of the last answers are tried first.
const HINTS: usize = 4;

/// A child to visit, and its distance from the middle of the packet.
#[derive(Clone, Copy, Debug)]
struct ToVisit {
    bound: f32,
    child: u32,
    /// The number of triangles, if `child` is where a leaf starts rather than a node.
    count: u32,
}

/// A triangle, by its place in the order of the leaves, that may be the nearest to some points of a packet.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    squared: [f32; WIDTH],
    item: u32,
    packet: u8,
    /// Bits of the points.
    lanes: u8,
}

impl Nearest {
    /// Indexes a valid surface.
    pub fn build(surface: Surface) -> Self {
        let mut nearest = Self {
            bvh: Bvh::with_leaves(&surface.triangle_boxes(), WIDTH),
            boxes: Vec::new(),
            leaves: Vec::new(),
            leaf_at: Vec::new(),
            corners: Vec::new(),
            flats: Vec::new(),
            longest: 0.0,
        };
        nearest.derive(surface);
        nearest
    }

    fn derive(&mut self, surface: Surface) {
        let order = self.bvh.order();
        self.corners = order
            .par_iter()
            .with_min_len(4096)
            .map(|&t| surface.rounded_corners(t))
            .par_gather();
        let corners = &self.corners;
        self.flats = corners
            .par_iter()
            .with_min_len(4096)
            .map(|&c| Flat::of(c))
            .par_gather();
        let longest_side =
            |&[a, b, c]: &[Vec3; 3]| a.distance(b).max(b.distance(c)).max(c.distance(a));
        self.longest = corners
            .par_iter()
            .with_min_len(4096)
            .map(longest_side)
            .reduce(|| 0.0, f32::max);
        let mut leaves = Vec::new();
        self.leaf_at = memory::filled(u32::MAX, order.len());
        for node in self.bvh.nodes() {
            for (&start, &count) in node
                .children
                .iter()
                .zip(&node.counts)
                .filter(|(_, c)| **c > 0)
            {
                self.leaf_at[start as usize] = leaves.len() as u32;
                memory::add(&mut leaves, start as usize..(start + count) as usize);
            }
        }
        let boxes = |leaf| oriented::around_each(&corners[leaf]);
        self.leaves = leaves
            .into_par_iter()
            .with_min_len(256)
            .map(boxes)
            .par_gather();
        self.boxes = oriented::around_children(&self.bvh, corners);
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
        simd::dispatch(NearestSearch {
            nearest: self,
            points,
            scratch,
        });
        let mut hits = [None; WIDTH];
        self.decide(points, scratch, &mut hits);
        hits.map(|hit| hit.filter(|hit| hit.distance <= within))
    }

    /// The nearest points to at most [`BLOCK`] points that lie together, eight after eight closer still.
    pub fn query_block(&self, points: &[DVec3], scratch: &mut Scratch, hits: &mut [Option<Hit>]) {
        hits.fill(None);
        if let Some(&middle) = points.get(points.len() / 2) {
            // A first guess for the whole block, beside those of the last one.
            let mut hints = std::mem::take(&mut scratch.last);
            scratch.last.extend_from_slice(&hints);
            self.query(middle, f64::INFINITY, scratch);
            hints.retain(|hint| !scratch.last.contains(hint));
            scratch.last.append(&mut hints);
            if simd::dispatch(BlockSearch {
                nearest: self,
                points,
                scratch,
            }) {
                self.decide(points, scratch, hits);
                return;
            }
            for (points, hits) in points.chunks(WIDTH).zip(hits.chunks_mut(WIDTH)) {
                let found = self.query_packet(points, f64::INFINITY, scratch);
                hits.copy_from_slice(&found[..points.len()]);
            }
        }
    }

    /// The nearest of the candidates of each point, in double precision.
    fn decide(&self, points: &[DVec3], scratch: &mut Scratch, hits: &mut [Option<Hit>]) {
        let Scratch {
            candidates,
            least,
            winners,
            last,
            ..
        } = scratch;
        winners.clear();
        winners.resize(points.len(), 0);
        least.clear();
        least.resize(points.len(), f64::INFINITY);
        for candidate in candidates.iter() {
            let corners = self.corners[candidate.item as usize].map(Vec3::as_dvec3);
            let triangle = self.bvh.order()[candidate.item as usize];
            for lane in ones(candidate.lanes) {
                let i = candidate.packet as usize * WIDTH + lane;
                // Of equals the first in the file, so that the order of the search does not matter. Most equals share a vertex.
                if let Some(best) = &mut hits[i]
                    && let Feature::Vertex(_) = best.feature
                    && let Some(k) = corners.iter().position(|corner| *corner == best.point)
                    && closest::is_at_corner(points[i], corners, k)
                {
                    if triangle < best.triangle {
                        (best.triangle, best.feature) = (triangle, Feature::Vertex(k as u8));
                        winners[i] = candidate.item;
                    }
                    continue;
                }
                let (point, feature) = closest::on_triangle(points[i], corners);
                let squared = point.distance_squared(points[i]);
                let is_first = || hits[i].is_none_or(|best| triangle < best.triangle);
                if squared < least[i] || (squared == least[i] && is_first()) {
                    least[i] = squared;
                    winners[i] = candidate.item;
                    hits[i] = Some(Hit {
                        point,
                        distance: squared.sqrt(),
                        triangle,
                        feature,
                    });
                }
            }
        }
        // Hints from all over the points.
        last.clear();
        for k in 0..HINTS.min(points.len()) {
            let i = (2 * k + 1) * points.len() / (2 * HINTS.min(points.len()));
            if hits[i].is_some() && !last.contains(&winners[i]) {
                last.push(winners[i]);
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes::{self, Shape};

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

    fn assert_exact(shape: &Shape, spread: f64, rounds: usize) {
        let nearest = Nearest::build(shape.surface());
        let (mut random, mut scratch) = (Random::new(1), Scratch::default());
        let centre = shape.surface().bounds().centre().as_dvec3();
        for round in 0..rounds {
            // Near and far, and every fourth point almost on the surface.
            let mut p = centre + spread * random.in_cube();
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
    fn packets_and_blocks_answer_as_single_queries_do() {
        let shape = shapes::knot(0.4, 120, 16);
        let nearest = Nearest::build(shape.surface());
        let (mut random, mut scratch) = (Random::new(1), Scratch::default());
        for count in (1..=WIDTH).chain([9, 27, 64, 125, BLOCK]) {
            let corner = 3.0 * random.in_cube();
            let step = DVec3::new(0.02, 0.03, 0.01);
            let points: Vec<_> = (0..count).map(|i| corner + i as f64 * step).collect();
            let single = |&p: &DVec3| nearest.query(p, f64::INFINITY, &mut Scratch::default());
            let expected: Vec<_> = points.iter().map(single).collect();
            let mut hits = vec![None; count];
            nearest.query_block(&points, &mut scratch, &mut hits);
            assert_eq!(hits, expected);
            if count <= WIDTH {
                let hits = nearest.query_packet(&points, f64::INFINITY, &mut scratch);
                assert_eq!(hits[..count], expected);
                assert!(hits[count..].iter().all(Option::is_none));
            }
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
