//! Every exact query at the ends of what it may be given: nothing, one triangle, a million, and any number of threads.

use crate::geometry::continuous::impacts::{Impact, MeetingRule, first_impact};
use crate::geometry::continuous::moving::Moving;
use crate::geometry::distance::{Distance, DistanceOptions, distance};
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::pairs::intersecting_pairs;
use crate::geometry::self_collision::{Neighbourhoods, self_intersections};
use crate::geometry::surface::AsSurface;
use crate::geometry::topology::representatives::Representatives;
use fixtures::shapes::{self, Shape};
use glam::Vec3;

/// What all queries say of two bodies, the second of which moves by `travel` in a sweep.
#[derive(Debug, PartialEq)]
struct Answers {
    distance: Distance,
    pairs: Vec<[u32; 2]>,
    self_pairs: Vec<[u32; 2]>,
    impact: Option<Impact>,
}

fn ask(a: &Shape, b: &Shape, travel: Vec3, threads: usize) -> Answers {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(|| {
        let trees = [a, b].map(|s| Bvh::build(&s.surface().triangle_boxes()));
        let body = |k: usize| FittedSurface {
            surface: [a, b][k].surface(),
            bvh: &trees[k],
        };
        let to: Vec<Vec3> = b.positions.iter().map(|&p| p + travel).collect();
        let ones = [a, b].map(|s| Representatives::new(&s.triangles, s.positions.len()));
        let moving = |k: usize, to| Moving {
            from: [a, b][k].surface(),
            to,
            bvh: &trees[k],
            representatives: &ones[k],
        };
        let still = Placement::default();
        Answers {
            distance: distance(body(0), body(1), &still, &DistanceOptions::default()),
            pairs: intersecting_pairs(body(0), body(1), &still, usize::MAX).unwrap(),
            self_pairs: self_intersections(body(1), &Neighbourhoods::new(&b.surface()), usize::MAX)
                .unwrap(),
            impact: first_impact(
                moving(0, (&a.positions).into()),
                moving(1, (&to).into()),
                MeetingRule {
                    separation: 1e-6,
                    start: true,
                },
            ),
        }
    })
}

#[test]
fn nothing_meets_nothing() {
    let (nothing, ball) = (Shape::default(), shapes::sphere(1.0, 8, 6));
    for (a, b) in [(&nothing, &ball), (&ball, &nothing), (&nothing, &nothing)] {
        let found = ask(a, b, Vec3::X, 2);
        assert_eq!(found.distance.witness, None);
        assert!(found.pairs.is_empty() && found.self_pairs.is_empty() && found.impact.is_none());
    }
}

#[test]
fn one_triangle_falls_on_another() {
    let corners = [Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 4.0];
    let floor = Shape {
        positions: corners.to_vec(),
        triangles: vec![[0, 1, 2]],
    };
    // It stands on a corner, 1 above the floor.
    let above = Shape {
        positions: [Vec3::ZERO, Vec3::new(0.5, 0.0, 1.0), Vec3::Z]
            .map(|p| p + Vec3::ONE)
            .to_vec(),
        triangles: vec![[0, 1, 2]],
    };
    let found = ask(&floor, &above, Vec3::Z * -4.0, 1);
    assert_eq!(found.distance.upper, 1.0);
    assert!(found.pairs.is_empty() && found.self_pairs.is_empty());
    let impact = found.impact.unwrap();
    assert!(
        impact.time <= 0.25 && impact.time > 0.25 - 1e-6,
        "{impact:?}"
    );
    let through = above.map(|p| p - Vec3::Z * 1.5);
    let found = ask(&floor, &through, Vec3::Z, 1);
    assert_eq!((found.distance.upper, found.pairs), (0.0, vec![[0, 0]]));
    assert_eq!(found.impact.unwrap().time, 0.0);
}

#[test]
fn a_million_triangles_are_as_far_apart_as_their_poles() {
    let ball = shapes::sphere(1.0, 1000, 501);
    assert_eq!(ball.triangles.len(), 1_000_000);
    // The poles are vertices, and they are what faces the other ball.
    let above = ball.clone().map(|p| p + Vec3::Z * 3.0);
    let found = ask(&ball, &above, Vec3::Z * -2.0, 2);
    assert!((found.distance.upper - 1.0).abs() < 1e-6);
    assert!(found.pairs.is_empty() && found.self_pairs.is_empty());
    let impact = found.impact.unwrap();
    assert!(
        impact.time <= 0.5 + 1e-7 && impact.time > 0.5 - 2e-6,
        "{impact:?}"
    );
}

#[test]
fn threads_change_no_bit() {
    let (knot, ring) = (shapes::knot(0.3, 200, 24), shapes::torus(1.5, 0.4, 90, 40));
    let crossing = ring.clone().with(&ring.map(|p| p + Vec3::X * 0.9));
    for (shift, travel) in [(0.4, Vec3::Y), (6.0, Vec3::X * -5.0)] {
        let moved = crossing.clone().map(|p| p + Vec3::X * shift);
        let one = ask(&knot, &moved, travel, 1);
        assert!(one.impact.is_some() && !one.self_pairs.is_empty());
        for threads in [2, 3, 5] {
            assert_eq!(ask(&knot, &moved, travel, threads), one);
        }
    }
}
