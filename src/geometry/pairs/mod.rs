//! All triangle pairs of two bodies that intersect, or that are within a distance of each other.
//!
//! The walk over both hierarchies is cut into parts that run on all cores; the list is sorted, so it does not depend on
//! how they were scheduled. What counts as intersecting is defined in [`crate::geometry::triangle::intersection`].

pub mod crossing;
mod placed_leaf;
mod planes;

use crate::geometry::bounded::{Bounded, Ordered, TooMany};
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::hierarchy::dual::{
    BranchPair, FittedSurface, Visitor, box_gap_squared, box_of, split, walk,
};
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::hierarchy::touching::{hand_over, walk_touching};
use crate::geometry::rounding::round_up;
use crate::geometry::surface::Surface;
use crate::geometry::triangle::distance::{ClosestPair, triangle_distance};
use crate::geometry::triangle::intersection::triangle_intersection;
use crate::geometry::triangle::within::is_within;
use crate::interrupt;
use crate::memory::{self, Gather, ParallelGather};
use crossing::{Crossings, Kept};
use glam::DVec3;
use rayon::prelude::*;

/// Two triangles, and how far apart they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPair {
    /// Triangle of the first and of the second body.
    pub triangles: [u32; 2],
    /// Their distance; 0 when they intersect.
    pub distance: f64,
    /// The nearest points, the first body's first, in its frame.
    pub closest: [DVec3; 2],
}

/// Which pairs of triangles are looked at.
#[derive(Clone, Copy)]
pub enum Among<'a> {
    /// Those that the hierarchies of both bodies find close.
    Hierarchies([&'a Bvh; 2]),
    /// Those of one group of each body, whose boxes are close. No pair is in two.
    Groups(&'a [[&'a [u32]; 2]]),
    /// All, without a look at boxes.
    Everything,
}

/// How many of the pairs are wanted.
#[derive(Clone, Copy)]
pub enum Wanted {
    /// All; more than so many are counted and refused. Memory is in the order of the number.
    All(usize),
    /// Some, if there are any: the search ends soon after the first.
    Some,
}

/// Pairs that were found, and how many came to the exact test.
#[derive(Clone, Debug)]
pub struct Found<R> {
    /// Ascending by first and then by second triangle.
    pub pairs: Vec<R>,
    /// The pairs that came to the exact test.
    pub candidates: u64,
}

impl<R> Found<R> {
    /// What there is where nothing is compared.
    pub fn nothing() -> Self {
        Self {
            pairs: Vec::new(),
            candidates: 0,
        }
    }
}

/// All intersecting triangle pairs, ascending by first and then by second triangle. Memory is in the order of `capacity`. The second
/// body is placed in the frame of the first, by their hierarchies.
pub fn intersecting_pairs(
    a: FittedSurface,
    b: FittedSurface,
    placement: &Placement,
    capacity: usize,
) -> Result<Vec<[u32; 2]>, TooMany> {
    let among = Among::Hierarchies([a.bvh, b.bvh]);
    let bodies = [a.surface, b.surface];
    intersecting_among(bodies, placement, among, Wanted::All(capacity)).map(|found| found.pairs)
}

/// What is to be kept of the intersecting pairs among some.
pub fn intersecting_among<R: Kept>(
    [a, b]: [Surface; 2],
    placement: &Placement,
    among: Among,
    wanted: Wanted,
) -> Result<Found<R>, TooMany> {
    let by_boxes = !matches!(among, Among::Everything);
    PairSearch {
        bodies: [a, b],
        placement,
        among,
        limit_squared: 0.0,
    }
    .run(wanted, |capacity| {
        Crossings::new(a, b, placement, by_boxes, capacity)
    })
}

/// All triangle pairs at most `within` apart, with their distances, in the order of [`intersecting_pairs`]. What is within is
/// decided exactly.
pub fn pairs_within(
    a: FittedSurface,
    b: FittedSurface,
    placement: &Placement,
    within: f64,
    capacity: usize,
) -> Result<Vec<NearPair>, TooMany> {
    let among = Among::Hierarchies([a.bvh, b.bvh]);
    let bodies = [a.surface, b.surface];
    within_among(bodies, placement, within, among, Wanted::All(capacity)).map(|found| found.pairs)
}

/// The pairs at most `within` apart among some.
pub fn within_among(
    [a, b]: [Surface; 2],
    placement: &Placement,
    within: f64,
    among: Among,
    wanted: Wanted,
) -> Result<Found<NearPair>, TooMany> {
    if within.is_nan() || within < 0.0 {
        return Ok(Found::nothing());
    }
    // Covers the rounding of the box distances.
    let limit_squared = round_up(within * within * (1.0 + 2e-6) + f64::from(f32::MIN_POSITIVE));
    let walk_limit = if matches!(among, Among::Everything) {
        f32::INFINITY
    } else {
        limit_squared
    };
    PairSearch {
        bodies: [a, b],
        placement,
        among,
        limit_squared,
    }
    .run(wanted, |capacity| NearPairs {
        a,
        b,
        placement,
        within,
        limit_squared: walk_limit,
        candidates: 0,
        found: Bounded::new(capacity),
    })
}

/// The intersection segment of each pair, in the frame of the first body; None for pairs that do not intersect.
pub fn intersection_segments(
    [a, b]: [Surface; 2],
    placement: &Placement,
    pairs: &[[u32; 2]],
) -> Vec<Option<[DVec3; 2]>> {
    let segment =
        |&[i, j]: &[u32; 2]| triangle_intersection(&a.corners_f64(i), &placement.corners(&b, j));
    pairs.par_iter().with_min_len(256).map(segment).par_gather()
}

/// Parts that a walk is cut into: enough for many cores, few enough to cost nothing on two.
const PARTS: usize = 256;

struct PairSearch<'a> {
    bodies: [Surface<'a>; 2],
    placement: &'a Placement,
    among: Among<'a>,
    limit_squared: f32,
}

/// Looks at pairs of triangles, and keeps some.
trait Seeker: Sized {
    type Kept: Ordered + Send;
    /// Looks at what is below these branches.
    fn below(&mut self, trees: [&Bvh; 2], parts: &[BranchPair]);
    /// Looks at all pairs of each two lists.
    fn lists<'l>(&mut self, lists: impl Iterator<Item = [&'l [u32]; 2]>);
    /// What was kept, and how many came to the exact test.
    fn end(self) -> (Bounded<Self::Kept>, u64);
}

impl PairSearch<'_> {
    /// Sends seekers to the pairs that may count, on all cores.
    fn run<T: Seeker + Send>(
        self,
        wanted: Wanted,
        seeker: impl Fn(usize) -> T + Sync + Send,
    ) -> Result<Found<T::Kept>, TooMany> {
        let Self {
            bodies: [a, b],
            placement,
            among,
            limit_squared,
        } = self;
        let capacity = match wanted {
            Wanted::All(capacity) => capacity,
            Wanted::Some => usize::MAX,
        };
        let rounds = Rounds {
            wanted,
            seeker: || seeker(capacity),
        };
        let (lists, candidates) = match among {
            Among::Hierarchies(trees) => {
                let parts = split(trees[0], trees[1], placement, limit_squared, PARTS);
                rounds.look(&parts, 8, |seeker, parts| seeker.below(trees, parts))
            }
            Among::Groups(groups) => rounds.look(groups, 16, |seeker, groups| {
                seeker.lists(groups.iter().copied());
            }),
            Among::Everything => {
                let [of_a, of_b] = [a, b].map(|s| (0..s.triangles.len() as u32).gather());
                rounds.look(&of_a, 64, |seeker, of_a| {
                    // Lists short enough to end soon after a cancel.
                    seeker.lists(of_b.chunks(4096).map(|of_b| [of_a, of_b]));
                })
            }
        };
        Ok(Found {
            pairs: Bounded::merge(lists, capacity)?,
            candidates,
        })
    }
}

/// What seekers are sent to, all at once or, where some pairs will do, in rounds that grow until one finds a pair. Rounds do not depend
/// on the number of threads, so neither does what is found.
struct Rounds<F> {
    wanted: Wanted,
    seeker: F,
}

impl<F> Rounds<F> {
    /// Looks at items, so many at a time; what was found, and how many pairs came to the exact test.
    fn look<I: Sync, T: Seeker + Send>(
        &self,
        mut items: &[I],
        at_a_time: usize,
        look: impl Fn(&mut T, &[I]) + Sync + Send,
    ) -> (Vec<Bounded<T::Kept>>, u64)
    where
        F: Fn() -> T + Sync + Send,
    {
        let (mut lists, mut candidates) = (Vec::new(), 0);
        let mut round = match self.wanted {
            Wanted::All(_) => items.len(),
            Wanted::Some => at_a_time,
        };
        while !items.is_empty() {
            let (some, rest) = items.split_at(round.min(items.len()));
            let seekers: Vec<T> = some
                .par_chunks(at_a_time)
                .fold(&self.seeker, |mut seeker, some| {
                    look(&mut seeker, some);
                    seeker
                })
                .collect();
            let mut found = false;
            for (list, compared) in seekers.into_iter().map(T::end) {
                found |= !list.is_empty();
                candidates += compared;
                memory::add(&mut lists, list);
            }
            if found && matches!(self.wanted, Wanted::Some) {
                break;
            }
            (items, round) = (rest, 2 * round);
        }
        (lists, candidates)
    }
}

impl<R: Kept> Seeker for Crossings<'_, R> {
    type Kept = R;
    fn below(&mut self, [a, b]: [&Bvh; 2], parts: &[BranchPair]) {
        walk_touching(a, b, self.placement(), parts, self);
    }
    fn lists<'l>(&mut self, lists: impl Iterator<Item = [&'l [u32]; 2]>) {
        hand_over(lists, self);
    }
    fn end(self) -> (Bounded<R>, u64) {
        self.found()
    }
}

impl Seeker for NearPairs<'_> {
    type Kept = NearPair;
    fn below(&mut self, [a, b]: [&Bvh; 2], parts: &[BranchPair]) {
        walk(a, b, self.placement, parts, self);
    }
    fn lists<'l>(&mut self, lists: impl Iterator<Item = [&'l [u32]; 2]>) {
        lists.for_each(|[a, b]| {
            interrupt::check();
            self.leaves(a, b);
        });
    }
    fn end(self) -> (Bounded<NearPair>, u64) {
        (self.found, self.candidates)
    }
}

impl Ordered for NearPair {
    type Key = [u32; 2];
    fn key(&self) -> [u32; 2] {
        self.triangles
    }
}

struct NearPairs<'a> {
    a: Surface<'a>,
    b: Surface<'a>,
    placement: &'a Placement,
    within: f64,
    limit_squared: f32,
    candidates: u64,
    found: Bounded<NearPair>,
}

impl Visitor for NearPairs<'_> {
    const NEAREST_FIRST: bool = false;

    fn limit_squared(&self) -> f32 {
        self.limit_squared
    }

    fn leaves(&mut self, a: &[u32], b: &[u32]) {
        for &i in a {
            let corners = self.a.corners_f64(i);
            let bounds = box_of(&corners);
            for &j in b {
                let other = self.placement.corners(&self.b, j);
                if box_gap_squared(bounds, box_of(&other)) > f64::from(self.limit_squared) {
                    continue;
                }
                self.candidates += 1;
                let ClosestPair { distance, a, b } = triangle_distance(&corners, &other);
                if distance == 0.0 || is_within(&corners, &other, distance, self.within) {
                    self.found.push(NearPair {
                        triangles: [i, j],
                        distance: distance.min(self.within),
                        closest: [a, b],
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hierarchy::bvh::Bvh;
    use crate::geometry::random::Random;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes::{self, Shape};
    use glam::{DAffine3, DQuat, Vec3};

    fn all_pairs(a: &Shape, b: &Shape, placement: &Placement) -> Vec<([u32; 2], f64)> {
        let mut all = Vec::new();
        for i in 0..a.triangles.len() as u32 {
            for j in 0..b.triangles.len() as u32 {
                let found = triangle_distance(
                    &a.surface().corners_f64(i),
                    &placement.corners(&b.surface(), j),
                );
                all.push(([i, j], found.distance));
            }
        }
        all
    }

    fn check(a: &Shape, b: &Shape, placement: &Placement, within: f64) -> usize {
        let trees = [a, b].map(|s| Bvh::build(&s.surface().triangle_boxes()));
        let body_a = FittedSurface {
            surface: a.surface(),
            bvh: &trees[0],
        };
        let body_b = FittedSurface {
            surface: b.surface(),
            bvh: &trees[1],
        };
        let all = all_pairs(a, b, placement);
        let crossing: Vec<_> = all.iter().filter(|p| p.1 == 0.0).map(|p| p.0).collect();
        assert_eq!(
            intersecting_pairs(body_a, body_b, placement, usize::MAX).unwrap(),
            crossing
        );
        let near: Vec<_> = all.iter().filter(|p| p.1 <= within).map(|p| p.0).collect();
        let found = pairs_within(body_a, body_b, placement, within, usize::MAX).unwrap();
        assert_eq!(found.iter().map(|p| p.triangles).collect::<Vec<_>>(), near);
        let bodies = [body_a.surface, body_b.surface];
        for segment in intersection_segments(bodies, placement, &crossing) {
            assert!(segment.is_some());
        }
        if !crossing.is_empty() {
            let full =
                intersecting_pairs(body_a, body_b, placement, crossing.len() - 1).unwrap_err();
            assert_eq!(full.needed, crossing.len() as u64);
            assert_eq!(
                intersecting_pairs(body_a, body_b, placement, crossing.len()).unwrap(),
                crossing
            );
        }
        crossing.len()
    }

    #[test]
    fn every_pair_that_brute_force_finds_is_found_and_no_other() {
        let mut random = Random::new(40);
        let shapes = [
            shapes::torus(1.0, 0.4, 16, 8),
            shapes::sphere(1.0, 12, 8),
            shapes::cuboid(Vec3::new(1.0, 0.5, 0.25), 3),
            shapes::knot(0.3, 40, 6),
        ];
        let mut total = 0;
        for round in 0..120 {
            let a = shapes[random.below(4)].clone();
            let b = shapes[random.below(4)].clone();
            let scale = [1.0f32, 1e-6, 1e6][round % 3];
            let grid = round % 4 == 0;
            let turn = if grid {
                DQuat::IDENTITY
            } else {
                DQuat::from_scaled_axis(random.in_cube() * 3.0)
            };
            let step = random.in_cube() * 1.5;
            let shift = if grid { step.round() } else { step };
            let within = random.unit() * 0.3 * f64::from(scale);
            if round % 2 == 0 {
                let moved = b.map(|p| ((turn * p.as_dvec3() + shift) * f64::from(scale)).as_vec3());
                total += check(&a.map(|p| p * scale), &moved, &Placement::default(), within);
            } else {
                let pose = DAffine3::from_rotation_translation(turn, shift * f64::from(scale));
                total += check(
                    &a.map(|p| p * scale),
                    &b.map(|p| p * scale),
                    &Placement::new(pose),
                    within,
                );
            }
        }
        assert!(total > 3000, "the bodies do meet: {total}");
    }

    #[test]
    fn coincident_bodies_meet_at_every_shared_corner() {
        // Two copies of an octahedron: each triangle meets itself, three by an edge, three by a corner, not the opposite one.
        let octahedron = shapes::sphere(1.0, 4, 2);
        assert_eq!(octahedron.triangles.len(), 8);
        assert_eq!(
            check(&octahedron, &octahedron, &Placement::default(), 0.0),
            8 * 7
        );
    }

    #[test]
    fn threads_do_not_change_the_list() {
        let (a, b) = (
            shapes::knot(0.3, 300, 20),
            shapes::torus(2.0, 0.5, 80, 40).map(|p| p + Vec3::X),
        );
        let trees = [&a, &b].map(|s| Bvh::build(&s.surface().triangle_boxes()));
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let (a, b) = (
                FittedSurface {
                    surface: a.surface(),
                    bvh: &trees[0],
                },
                FittedSurface {
                    surface: b.surface(),
                    bvh: &trees[1],
                },
            );
            pool.install(|| pairs_within(a, b, &Placement::default(), 0.01, usize::MAX).unwrap())
        };
        let one = with(1);
        assert!(one.len() > 100);
        assert_eq!(one, with(3));
    }
}
