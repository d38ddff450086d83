use super::*;
use crate::geometry::distance::distance;
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::surface::AsSurface;
use fixtures::shapes::{self, Shape};
use glam::{DAffine3, DQuat, DVec3, Vec3};

struct TrackedShape {
    shape: Shape,
    bvh: Bvh,
    incidence: Incidence,
}

impl TrackedShape {
    fn new(shape: Shape) -> Self {
        let surface = shape.surface();
        let bvh = Bvh::build(&surface.triangle_boxes());
        let incidence = Incidence::new(surface.triangles, surface.positions.len());
        Self {
            shape,
            bvh,
            incidence,
        }
    }

    fn body(&self) -> FittedSurface<'_> {
        FittedSurface {
            surface: self.shape.surface(),
            bvh: &self.bvh,
        }
    }
}

fn step(
    tracker: &mut Tracker,
    a: &TrackedShape,
    b: &TrackedShape,
    at: &Placement,
    steps: u64,
) -> Tracked {
    tracker.step(
        a.body(),
        b.body(),
        [&a.incidence, &b.incidence],
        at,
        Budget::new(None, steps),
    )
}

fn exact(a: &TrackedShape, b: &TrackedShape, at: &Placement) -> f64 {
    distance(a.body(), b.body(), at, &DistanceOptions::default()).upper
}

const TRACKING: Tracking = Tracking {
    pairs: 16,
    fresh: 8,
    within: f64::INFINITY,
};

/// Two knots on a way past each other: apart, close, and through each other.
fn poses() -> Vec<Placement> {
    (0..60)
        .map(|k| {
            let t = f64::from(k) / 59.0;
            let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 0.5).normalize(), 3.0 * t);
            let place = DVec3::new(9.0 - 12.0 * t, 0.7, 0.3 * t);
            Placement::new(DAffine3::from_rotation_translation(turn, place))
        })
        .collect()
}

#[test]
fn the_certificate_holds_for_any_budget_and_time_makes_it_exact() {
    let (a, b) = (
        TrackedShape::new(shapes::knot(0.4, 120, 12)),
        TrackedShape::new(shapes::torus(2.0, 0.6, 50, 20)),
    );
    for steps in [0, 20, 300, 3000] {
        let mut tracker = Tracker::new(TRACKING, 7);
        for at in poses() {
            let truth = exact(&a, &b, &at);
            let found = step(&mut tracker, &a, &b, &at, steps).distance;
            let rounding = 1e-13 * truth;
            assert!(
                found.lower <= truth + rounding && truth <= found.upper + rounding,
                "{truth} is not in [{}, {}] after {steps} steps",
                found.lower,
                found.upper
            );
            let witness = found.witness.expect("something is always found");
            let apart = witness.points[0].distance(witness.points[1]);
            assert!((apart - found.upper).abs() <= 1e-9 * (1.0 + apart));
        }
    }
    let mut tracker = Tracker::new(TRACKING, 7);
    for at in poses() {
        let found = step(&mut tracker, &a, &b, &at, u64::MAX);
        assert!(found.exact);
        let truth = exact(&a, &b, &at);
        assert!((found.distance.upper - truth).abs() <= 1e-13 * truth);
        assert_eq!(found.distance.lower, found.distance.upper);
    }
}

/// Pairs that were found stay found: with coherence the same small budget comes much closer than without.
#[test]
fn what_is_kept_from_step_to_step_helps() {
    let (a, b) = (
        TrackedShape::new(shapes::knot(0.4, 200, 16)),
        TrackedShape::new(shapes::knot(0.4, 200, 16)),
    );
    let slow: Vec<Placement> = (0..80)
        .map(|k| {
            let turn = DQuat::from_rotation_z(0.002 * f64::from(k));
            let place = DVec3::new(7.5, 0.01 * f64::from(k), 0.0);
            Placement::new(DAffine3::from_rotation_translation(turn, place))
        })
        .collect();
    let excess = |keep: bool| -> f64 {
        let mut tracker = Tracker::new(TRACKING, 3);
        slow.iter()
            .map(|at| {
                if !keep {
                    tracker.active.clear();
                }
                let incidence = [&a.incidence, &b.incidence];
                let scene = TwoBodies {
                    a: a.body(),
                    b: b.body(),
                    incidence,
                    placement: at,
                };
                tracker.slide(&scene, &mut Budget::new(None, 400));
                tracker.active[0].distance - exact(&a, &b, at)
            })
            .sum()
    };
    let (with, without) = (excess(true), excess(false));
    assert!(with < 0.5 * without, "{with} against {without}");
}

#[test]
fn the_same_seed_gives_the_same_bits_and_pairs_stay_bounded() {
    let (a, b) = (
        TrackedShape::new(shapes::sphere(1.0, 40, 30)),
        TrackedShape::new(shapes::torus(2.0, 0.4, 40, 16)),
    );
    let run = || {
        let mut tracker = Tracker::new(TRACKING, 11);
        poses()
            .iter()
            .map(|at| {
                let found = step(&mut tracker, &a, &b, at, 500);
                assert!(tracker.active().len() <= TRACKING.pairs);
                assert!(tracker.active().is_sorted_by_key(|p| p.distance.to_bits()));
                (found, tracker.active().to_vec())
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn distant_pairs_are_dropped_and_a_threshold_is_told() {
    let a = TrackedShape::new(shapes::sphere(1.0, 12, 8));
    let b = TrackedShape::new(shapes::sphere(1.0, 12, 8).map(|p| p + Vec3::new(5.0, 0.0, 0.0)));
    let mut tracker = Tracker::new(
        Tracking {
            within: 2.0,
            ..TRACKING
        },
        1,
    );
    let found = step(&mut tracker, &a, &b, &Placement::default(), u64::MAX);
    assert!(found.exact && found.distance.witness.is_none() && tracker.active().is_empty());
    assert_eq!(found.distance.lower, 2.0);
    assert_eq!(found.distance.upper, f64::INFINITY);
}

#[test]
fn bodies_without_triangles_are_infinitely_far() {
    let a = TrackedShape::new(shapes::sphere(1.0, 12, 8));
    let nothing = TrackedShape::new(Shape {
        positions: Vec::new(),
        triangles: Vec::new(),
    });
    let mut tracker = Tracker::new(TRACKING, 1);
    let found = step(&mut tracker, &a, &nothing, &Placement::default(), 100);
    assert_eq!(found.distance.upper, f64::INFINITY);
    assert!(found.exact);
}
