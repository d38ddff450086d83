//! Every triangle pair is the oracle: none within the limit may be skipped.

use super::*;
use crate::geometry::random::Random;
use crate::geometry::surface::AsSurface;
use crate::geometry::triangle::distance::triangle_distance;
use fixtures::shapes;
use glam::{DAffine3, DQuat};
use std::collections::HashSet;

struct Collect {
    limit_squared: f32,
    pairs: HashSet<(u32, u32)>,
}

impl Visitor for Collect {
    const NEAREST_FIRST: bool = true;
    fn limit_squared(&self) -> f32 {
        self.limit_squared
    }
    fn leaves(&mut self, a: &[u32], b: &[u32]) {
        for &i in a {
            self.pairs.extend(b.iter().map(|&j| (i, j)));
        }
    }
}

/// Every triangle pair within the limit is visited, for any pose, whole or in parts.
#[test]
fn no_pair_within_reach_is_skipped() {
    let mut random = Random::new(20);
    let (a, b) = (shapes::torus(1.0, 0.4, 24, 12), shapes::sphere(0.8, 16, 12));
    let build = |s: &shapes::Shape| Bvh::build(&s.surface().triangle_boxes());
    let (bvh_a, bvh_b) = (build(&a), build(&b));
    for round in 0..40 {
        let turn = DQuat::from_scaled_axis(random.in_cube() * 3.0);
        let shift = random.in_cube() * [0.0, 1.0, 1e3][round % 3];
        let pose = if round == 0 {
            DAffine3::IDENTITY
        } else {
            DAffine3::from_rotation_translation(turn, shift)
        };
        let placement = Placement::new(pose);
        let limit_squared =
            (random.unit() * random.unit()) as f32 * if round % 3 == 2 { 2e6 } else { 1.0 };
        let mut whole = Collect {
            limit_squared,
            pairs: HashSet::new(),
        };
        walk(&bvh_a, &bvh_b, &placement, &[BranchPair::ROOTS], &mut whole);
        let mut parts = Collect {
            limit_squared,
            pairs: HashSet::new(),
        };
        for part in split(&bvh_a, &bvh_b, &placement, limit_squared, 100) {
            walk(&bvh_a, &bvh_b, &placement, &[part], &mut parts);
        }
        assert_eq!(whole.pairs, parts.pairs);
        for i in 0..a.triangles.len() as u32 {
            for j in 0..b.triangles.len() as u32 {
                let true_distance = triangle_distance(
                    &a.surface().corners_f64(i),
                    &placement.corners(&b.surface(), j),
                )
                .distance;
                let gap = true_distance * true_distance;
                assert!(
                    gap > f64::from(limit_squared) * 0.99999 || whole.pairs.contains(&(i, j)),
                    "{i} {j} {gap} {limit_squared}"
                );
            }
        }
    }
}

#[test]
fn empty_trees_have_no_pairs() {
    let ball = shapes::sphere(1.0, 8, 6);
    let (full, empty) = (
        Bvh::build(&ball.surface().triangle_boxes()),
        Bvh::build(&[]),
    );
    let mut found = Collect {
        limit_squared: f32::MAX,
        pairs: HashSet::new(),
    };
    for (a, b) in [(&full, &empty), (&empty, &full), (&empty, &empty)] {
        walk(
            a,
            b,
            &Placement::default(),
            &[BranchPair::ROOTS],
            &mut found,
        );
        assert!(
            found.pairs.is_empty() && split(a, b, &Placement::default(), f32::MAX, 8).is_empty()
        );
    }
}
