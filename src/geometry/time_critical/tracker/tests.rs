use super::*;
use crate::geometry::distance::distance;
use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::surface::AsSurface;
use crate::geometry::time_critical::levels::{MOST_LEVELS, Resolutions};
use crate::geometry::topology::incidence::Incidence;
use crate::geometry::triangle::distance::triangle_distance;
use fixtures::shapes::{self, Shape};
use glam::{DAffine3, DQuat, DVec3, Vec3};

struct TrackedShape {
    shape: Shape,
    bvh: Bvh,
    incidence: Incidence,
    levels: Resolutions,
}

impl TrackedShape {
    fn new(shape: Shape) -> Self {
        Self::with_levels(shape, 1)
    }

    fn with_levels(shape: Shape, levels: usize) -> Self {
        let surface = shape.surface();
        let bvh = Bvh::build(&surface.triangle_boxes());
        let incidence = Incidence::new(surface.triangles, surface.positions.len());
        let levels = Resolutions::new(&surface, &incidence, levels);
        Self {
            shape,
            bvh,
            incidence,
            levels,
        }
    }

    fn body(&self) -> FittedSurface<'_> {
        FittedSurface {
            surface: self.shape.surface(),
            bvh: &self.bvh,
        }
    }
}

fn bodies<'a>(
    a: &'a TrackedShape,
    b: &'a TrackedShape,
    placement: &'a Placement,
) -> TrackedBodies<'a> {
    TrackedBodies {
        surfaces: [a.shape.surface(), b.shape.surface()],
        incidence: [&a.incidence, &b.incidence],
        levels: [&a.levels, &b.levels],
        placement,
        itself: false,
    }
}

fn step(
    tracker: &mut Tracker,
    a: &TrackedShape,
    b: &TrackedShape,
    at: &Placement,
    steps: u64,
) -> Tracked {
    let (bodies, mut budget) = (bodies(a, b, at), Budget::new(None, steps));
    tracker.follow(&bodies, &mut budget);
    tracker.answer(&bodies, Some([&a.bvh, &b.bvh]), &mut budget)
}

fn exact(a: &TrackedShape, b: &TrackedShape, at: &Placement) -> f64 {
    distance(a.body(), b.body(), at, &DistanceOptions::default()).upper
}

const TRACKING: Tracking = Tracking {
    pairs: 16,
    fresh: 8,
    within: f64::INFINITY,
    colliding: -1.0,
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
                tracker.slide(&bodies(&a, &b, at), &mut Budget::new(None, 400));
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

/// Section 3.2.1: far bodies are followed on coarse features, and the same few steps bring pairs nearer to the truth.
#[test]
fn levels_bring_far_pairs_nearer_for_the_same_steps() {
    let shape = || shapes::knot(0.4, 400, 30);
    let many = |levels| TrackedShape::with_levels(shape(), levels);
    let (fine, coarse) = (many(1), many(MOST_LEVELS));
    assert!(coarse.levels.count() >= 5);
    let places = (0..30).map(|k| {
        let turn =
            DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 0.5).normalize(), 0.4 * f64::from(k));
        Placement::new(DAffine3::from_rotation_translation(
            turn,
            DVec3::new(9.0, 1.0, 0.5),
        ))
    });
    let tracking = Tracking {
        pairs: 8,
        fresh: 8,
        ..TRACKING
    };
    let (mut without, mut with) = (0.0, 0.0);
    for at in places {
        let truth = exact(&fine, &fine, &at);
        for (body, excess) in [(&fine, &mut without), (&coarse, &mut with)] {
            let mut tracker = Tracker::new(tracking, 9);
            let mut budget = Budget::new(None, 1500);
            tracker.slide(&bodies(body, body, &at), &mut budget);
            let found = tracker.active()[0];
            let [i, j] = found.triangles;
            let surface = body.shape.surface();
            let measured = triangle_distance(&surface.corners_f64(i), &at.corners(&surface, j));
            assert_eq!(measured.distance, found.distance);
            assert!(found.distance >= truth * (1.0 - 1e-12));
            *excess += found.distance - truth;
        }
    }
    assert!(
        with < 0.5 * without,
        "{with} with levels, {without} without"
    );
}

/// Two layers that a fold joins; the upper one sags to `gap` above the lower one at (2, 0.4).
fn folded(gap: f32) -> Shape {
    let (long, wide) = (60, 24);
    let height = |x: f32, z: f32| gap + 0.15 * ((x - 2.0).powi(2) + (z - 0.4).powi(2));
    let at = |i: usize, k: usize| {
        let z = 2.0 * k as f32 / wide as f32 - 1.0;
        let x = 3.0 * (i as f32 / long as f32);
        match i {
            0..=60 => Vec3::new(x, 0.0, z),
            // Round the far end, and back.
            61..=70 => {
                let turn = std::f32::consts::PI * (i - 60) as f32 / 11.0;
                let half = 0.5 * height(3.0, z);
                Vec3::new(3.0 + half * turn.sin(), half * (1.0 - turn.cos()), z)
            }
            _ => {
                let x = 3.0 * ((131 - i) as f32 / long as f32);
                Vec3::new(x, height(x, z), z)
            }
        }
    };
    let rows = 2 * long + 12;
    let positions = (0..rows).flat_map(|i| (0..=wide).map(move |k| at(i, k)));
    let place = |i: usize, k: usize| (i * (wide + 1) + k) as u32;
    let quads = (0..rows - 1).flat_map(|i| (0..wide).map(move |k| (i, k)));
    Shape {
        positions: positions.collect(),
        triangles: quads
            .flat_map(|(i, k)| {
                let [a, b, c, d] = [
                    place(i, k),
                    place(i, k + 1),
                    place(i + 1, k),
                    place(i + 1, k + 1),
                ];
                [[a, c, b], [b, c, d]]
            })
            .collect(),
    }
}

fn itself<'a>(body: &'a TrackedShape, placement: &'a Placement) -> TrackedBodies<'a> {
    TrackedBodies {
        itself: true,
        ..bodies(body, body, placement)
    }
}

/// Section 3.2.2: pairs of one surface settle where two of its folds are near, and pairs of one fold are dropped.
#[test]
fn folds_of_one_surface_are_found_where_they_are_nearest() {
    let body = TrackedShape::new(folded(0.2));
    let surface = body.shape.surface();
    // The truth: all pairs of triangles of the two flat layers, which the fold keeps apart.
    let flat = |t: &u32| surface.triangles[*t as usize].iter().all(|&v| v < 61 * 25);
    let upper = |t: &u32| surface.triangles[*t as usize].iter().all(|&v| v >= 71 * 25);
    let all = 0..surface.triangles.len() as u32;
    let (low, high): (Vec<u32>, Vec<u32>) = (
        all.clone().filter(flat).collect(),
        all.filter(upper).collect(),
    );
    let near = |&t: &u32| {
        let center = surface.corners_f64(t).iter().sum::<DVec3>() / 3.0;
        (center.x - 2.0).hypot(center.z - 0.4) < 0.5
    };
    let truth = (low.iter().filter(|t| near(t)))
        .flat_map(|&i| high.iter().filter(|t| near(t)).map(move |&j| [i, j]))
        .map(|[i, j]| triangle_distance(&surface.corners_f64(i), &surface.corners_f64(j)).distance)
        .fold(f64::INFINITY, f64::min);
    assert!((truth - 0.2).abs() < 0.01, "{truth}");
    let (at, mut tracker) = (Placement::default(), Tracker::new(TRACKING, 5));
    let mut last = f64::INFINITY;
    for _ in 0..20 {
        let mut budget = Budget::new(None, 4000);
        tracker.follow(&itself(&body, &at), &mut budget);
        let found = tracker.answer(&itself(&body, &at), None, &mut budget);
        assert!(found.distance.upper <= last && found.distance.lower == 0.0 && !found.exact);
        last = found.distance.upper;
        for pair in tracker.active() {
            let [s, t] = pair.triangles.map(|t| surface.triangles[t as usize]);
            assert!(pair.triangles[0] < pair.triangles[1] && s.iter().all(|v| !t.contains(v)));
        }
    }
    assert!((last - truth).abs() <= 1e-12, "{last} and not {truth}");
}

/// What collides is found as a whole from one pair that does.
#[test]
fn collisions_spread_over_their_region_and_no_further() {
    let body = TrackedShape::new(folded(-0.05));
    let surface = body.shape.surface();
    let count = surface.triangles.len() as u32;
    let mut truth = Vec::new();
    for i in 0..count {
        let corners = surface.corners_f64(i);
        let low = corners[0].min(corners[1]).min(corners[2]);
        let high = corners[0].max(corners[1]).max(corners[2]);
        for j in i + 1..count {
            let others = surface.corners_f64(j);
            let apart = low.cmpgt(others[0].max(others[1]).max(others[2])).any()
                || high.cmplt(others[0].min(others[1]).min(others[2])).any();
            let beside = surface.triangles[i as usize].iter();
            let shared = { beside }.any(|v| surface.triangles[j as usize].contains(v));
            if !apart && !shared && triangle_distance(&corners, &others).distance == 0.0 {
                truth.push([i, j]);
            }
        }
    }
    assert!(truth.len() > 50);
    let colliding = Tracking {
        colliding: 0.0,
        ..TRACKING
    };
    let (at, mut tracker) = (Placement::default(), Tracker::new(colliding, 5));
    let mut found = Vec::new();
    for _ in 0..30 {
        tracker.follow(&itself(&body, &at), &mut Budget::new(None, 20_000));
        let collisions = tracker.collisions();
        assert!(collisions.complete);
        found = collisions.pairs.iter().map(|p| p.triangles).collect();
        if !found.is_empty() {
            break;
        }
    }
    assert_eq!(found, truth);
    // What a budget leaves out is said to be left out.
    tracker.follow(&itself(&body, &at), &mut Budget::new(None, 40));
    let cut = tracker.collisions();
    assert!(!cut.complete && cut.pairs.len() < truth.len());
    assert!(cut.pairs.iter().all(|p| truth.contains(&p.triangles)));
}
