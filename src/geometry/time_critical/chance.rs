//! How likely two bodies collide, without a look at their triangles: the average-case approach.
//!
//! Teschner et al., section 3.1 (Klein and Zachmann 2003): every subtree carries one number, the share of the cells of a
//! grid over its box that hold much surface. Where two boxes overlap, a grid over their intersection has that share of
//! such cells of each; if the cells are spread at random, the chance that some cell has much of both, and so that the
//! surfaces cross there, is one minus a hypergeometric term. The most likely pairs of subtrees are opened first.

use super::budget::Budget;
use super::filling::{CELLS, Filling};
use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::dual::{Branch, BranchPair, FittedSurface, open};
use crate::geometry::hierarchy::placement::Placement;
use crate::memory;
use glam::DVec3;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// The chance that at least one of `cells` cells is among both `a` and `b` of them, chosen at random (section 3.1).
fn shared_cell(cells: u32, a: f64, b: f64) -> f64 {
    let (a, b) = (a.clamp(0.0, 1.0), b.clamp(0.0, 1.0));
    let all = f64::from(cells);
    let (few, many) = ((a.min(b) * all).round(), (a.max(b) * all).round());
    // One minus C(all - many, few) / C(all, few).
    let none: f64 = (0..few as u32)
        .map(|k| ((all - many - f64::from(k)) / (all - f64::from(k))).max(0.0))
        .product();
    1.0 - none
}

/// What is thought of a collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// How likely the surfaces cross, from 0 to 1.
    pub probability: f64,
    /// Whether the boxes alone prove that they do not.
    pub apart: bool,
    /// Box pairs that it took.
    pub steps: u64,
}

impl Chance {
    /// What is thought without a look: it may be.
    pub const UNKNOWN: Self = Self {
        probability: 1.0,
        apart: false,
        steps: 0,
    };
}

/// Estimates whether two bodies collide. It ends when some pair of subtrees does with at least `enough` probability, when
/// the boxes are apart, or with the budget.
pub fn chance(
    a: (FittedSurface, &Filling),
    b: (FittedSurface, &Filling),
    placement: &Placement,
    enough: f64,
    mut budget: Budget,
) -> Chance {
    let mut ahead = BinaryHeap::new();
    let mut answer = Chance {
        probability: 0.0,
        apart: false,
        steps: 0,
    };
    // What is settled: the chance that none of the pairs that cannot be opened collides, and whether there is such a pair.
    let (mut none, mut leaves_overlap) = (1.0, false);
    let top = Likely {
        probability: 1.0,
        pair: BranchPair::ROOTS,
    };
    if !a.0.surface.triangles.is_empty() && !b.0.surface.triangles.is_empty() {
        ahead.push(top);
    }
    while let Some(Likely { probability, pair }) = ahead.pop() {
        if probability >= enough && pair.a != Branch::ROOT {
            answer.probability = probability;
            answer.steps = budget.spent();
            return answer;
        }
        if !budget.spend(1) {
            ahead.push(Likely { probability, pair });
            break;
        }
        if pair.is_leaves() {
            none *= 1.0 - probability;
            leaves_overlap = true;
            continue;
        }
        for &child in open(a.0.bvh, b.0.bvh, placement, pair, 0.0).as_slice() {
            let likely = Likely {
                probability: likelihood(a, b, placement, child, &mut budget),
                pair: child,
            };
            memory::add_to_heap(&mut ahead, likely);
        }
    }
    // An estimate of 0 is not a proof: only boxes that do not overlap are.
    answer.apart = !leaves_overlap && ahead.is_empty();
    for likely in ahead {
        none *= 1.0 - likely.probability;
    }
    answer.probability = 1.0 - none;
    answer.steps = budget.spent();
    answer
}

/// The chance that the triangles below a pair of subtrees collide.
fn likelihood(
    a: (FittedSurface, &Filling),
    b: (FittedSurface, &Filling),
    placement: &Placement,
    pair: BranchPair,
    budget: &mut Budget,
) -> f64 {
    let (box_a, filled_a) = a.1.of(a.0, pair.a, budget);
    let (box_b, filled_b) = b.1.of(b.0, pair.b, budget);
    let (min, max) = moved(box_b, placement);
    let low = box_a.min.as_dvec3().max(min);
    let high = box_a.max.as_dvec3().min(max);
    let common = (high - low).max(DVec3::ZERO);
    // As many cells as the intersection has of the size of those that were filled; never fewer than one.
    let size = box_a.size().as_dvec3() / CELLS as f64;
    let along =
        |axis: usize| (common[axis] / size[axis].max(f64::MIN_POSITIVE)).clamp(1.0, CELLS as f64);
    let cells = (along(0) * along(1) * along(2)).round() as u32;
    shared_cell(cells, filled_a, filled_b)
}

/// The box around a moved box.
fn moved(bounds: Aabb, placement: &Placement) -> (DVec3, DVec3) {
    let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let corners = (0..8).map(|k| {
        placement.point(DVec3::new(
            if k & 1 == 0 { min.x } else { max.x },
            if k & 2 == 0 { min.y } else { max.y },
            if k & 4 == 0 { min.z } else { max.z },
        ))
    });
    corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
        (low.min(p), high.max(p))
    })
}

/// A pair that waits to be opened, the most likely one on top.
struct Likely {
    probability: f64,
    pair: BranchPair,
}

impl Likely {
    fn key(&self) -> (u64, Reverse<(Branch, Branch)>) {
        // Probabilities are not negative, so their bits ascend with them.
        (
            self.probability.to_bits(),
            Reverse((self.pair.a, self.pair.b)),
        )
    }
}

impl PartialEq for Likely {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Likely {}

impl PartialOrd for Likely {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Likely {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hierarchy::bvh::Bvh;
    use crate::geometry::pairs::intersecting_pairs;
    use crate::geometry::random::Random;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes::{self, Shape};
    use glam::{DAffine3, DQuat, Vec3};

    struct Prepared {
        shape: Shape,
        bvh: Bvh,
    }

    impl Prepared {
        fn new(shape: Shape) -> Self {
            let bvh = Bvh::build(&shape.surface().triangle_boxes());
            Self { shape, bvh }
        }

        fn body(&self) -> FittedSurface<'_> {
            FittedSurface {
                surface: self.shape.surface(),
                bvh: &self.bvh,
            }
        }
    }

    /// Twelve cells, four and three of them marked: the chance that no mark coincides is C(8, 3) / C(12, 3).
    #[test]
    fn the_chance_of_a_shared_cell_is_hypergeometric() {
        let expected = 1.0 - 56.0 / 220.0;
        assert!((shared_cell(12, 4.0 / 12.0, 3.0 / 12.0) - expected).abs() < 1e-12);
        assert_eq!(shared_cell(12, 0.0, 1.0), 0.0);
        assert_eq!(shared_cell(12, 0.5, 0.75), 1.0);
        assert_eq!(shared_cell(1, 1.0, 1.0), 1.0);
    }

    #[test]
    fn boxes_that_are_apart_prove_it() {
        let a = Prepared::new(shapes::sphere(1.0, 24, 16));
        let filling = Filling::new(&a.bvh);
        let at = Placement::new(DAffine3::from_translation(DVec3::new(2.5, 0.0, 0.0)));
        let found = chance(
            (a.body(), &filling),
            (a.body(), &filling),
            &at,
            0.9,
            Budget::new(None, 1000),
        );
        assert!(found.apart && found.probability == 0.0);
    }

    /// Two triangles that cross where neither fills a cell: the estimate is 0, which is not a proof.
    #[test]
    fn triangles_that_cross_are_not_apart_though_the_estimate_is_0() {
        let one = |corners: [[f32; 3]; 3]| {
            Prepared::new(Shape {
                positions: corners.map(Vec3::from).to_vec(),
                triangles: vec![[0, 1, 2]],
            })
        };
        let floor = one([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        let needle = one([[0.2, 0.2, -1.0], [0.2, 0.21, 1.0], [0.21, 0.2, 1.0]]);
        let ask = |a: &Prepared, b: &Prepared, at: &Placement| {
            let fillings = [a, b].map(|p| Filling::new(&p.bvh));
            let found = chance(
                (a.body(), &fillings[0]),
                (b.body(), &fillings[1]),
                at,
                1.1,
                Budget::new(None, 10_000),
            );
            let pairs = intersecting_pairs(a.body(), b.body(), at, usize::MAX).unwrap();
            (found, pairs.len())
        };
        let (found, pairs) = ask(&floor, &needle, &Placement::default());
        assert!(pairs == 1 && !found.apart, "{found:?}, {pairs} pairs");
        let mut random = Random::new(14);
        let (mut crossing, mut proofs) = (0, 0);
        for _ in 0..2000 {
            let mut any = || one([(); 3].map(|()| random.in_cube_f32().to_array()));
            let (a, b) = (any(), any());
            let at = Placement::new(DAffine3::from_translation(random.in_cube()));
            let (found, pairs) = ask(&a, &b, &at);
            assert!(!(found.apart && pairs > 0), "{found:?}, {pairs} pairs");
            crossing += pairs;
            proofs += usize::from(found.apart);
        }
        assert!(
            crossing > 100 && proofs > 100,
            "{crossing} cross, {proofs} proofs"
        );
    }

    /// The estimate tells colliding poses from others far better than guessing: of a random pair of poses, one that
    /// collides and one that does not, it ranks most the right way round.
    #[test]
    fn colliding_poses_are_thought_more_likely() {
        let a = Prepared::new(shapes::knot(0.4, 160, 14));
        let b = Prepared::new(shapes::torus(1.5, 0.5, 60, 24));
        let (fill_a, fill_b) = (Filling::new(&a.bvh), Filling::new(&b.bvh));
        let mut random = Random::new(5);
        let (mut colliding, mut apart) = (Vec::new(), Vec::new());
        for _ in 0..300 {
            let turn = DQuat::from_axis_angle(random.in_cube().normalize(), 3.0 * random.signed());
            let at = Placement::new(DAffine3::from_rotation_translation(
                turn,
                5.0 * random.in_cube(),
            ));
            let found = chance(
                (a.body(), &fill_a),
                (b.body(), &fill_b),
                &at,
                1.1,
                Budget::new(None, 400),
            );
            let truth = !intersecting_pairs(a.body(), b.body(), &at, usize::MAX)
                .expect("there is room")
                .is_empty();
            assert!(!(truth && found.apart), "apart is a proof");
            if truth { &mut colliding } else { &mut apart }.push(found.probability);
        }
        assert!(colliding.len() > 30 && apart.len() > 30);
        let right: usize = colliding
            .iter()
            .map(|c| apart.iter().filter(|&p| p < c).count())
            .sum();
        let share = right as f64 / (colliding.len() * apart.len()) as f64;
        assert!(share > 0.85, "{share} are ranked the right way");
    }
}
