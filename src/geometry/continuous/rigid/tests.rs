use super::*;
use crate::geometry::hierarchy::dual::{box_gap_squared, box_of};
use crate::geometry::random::Random;
use crate::geometry::surface::AsSurface;
use fixtures::shapes::{self, Shape};
use glam::{DQuat, Vec3};

fn ask(a: &Shape, b: &Shape, [from, to]: &[DAffine3; 2], tolerance: f64) -> RigidSweep {
    let trees = [a, b].map(|s| Bvh::build(&s.surface().triangle_boxes()));
    let body = |k: usize| FittedSurface {
        surface: [a, b][k].surface(),
        bvh: &trees[k],
    };
    sweep_rigid(body(0), body(1), from, to, tolerance)
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}

#[test]
fn a_swinging_bar_hits_a_ball_at_the_right_angle() {
    // A thin bar along x from the origin turns about z by 90 degrees; a ball of radius 0.5 waits at (0, 3, 0) or beside it.
    let bar = shapes::cuboid(Vec3::new(2.0, 1e-3, 0.1), 1).map(|p| p + Vec3::X * 2.0);
    let ball = |at: Vec3| shapes::sphere(0.5, 48, 24).map(|p| p + at);
    let turned = DAffine3::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let way = [DAffine3::IDENTITY, turned];
    let impact = ask(&ball(Vec3::Y * 3.0), &bar, &way, 1e-5).impact.unwrap();
    // The bar's face touches the ball when it is asin(0.5 / 3) short of the y axis; the facets are inside the ball.
    let expected = 1.0 - (0.5f64 / 3.0).asin() / std::f64::consts::FRAC_PI_2;
    assert!(
        (impact.time - expected).abs() < 2e-3,
        "{impact:?} {expected}"
    );
    // Chords cut corners, the screw does not: the tip passes a ball just beyond it.
    let aside = Vec3::new(1.0, 1.0, 0.0).normalize();
    assert_eq!(ask(&ball(aside * 4.6), &bar, &way, 1e-5).impact, None);
    assert!(ask(&ball(aside * 4.4), &bar, &way, 1e-5).impact.is_some());
}

/// The least distance of two bodies, the second under a pose, by trying all pairs; at most `most`.
fn distance(a: &Shape, b: &Shape, pose: &DAffine3, most: f64) -> f64 {
    let mut least = most;
    for j in 0..b.triangles.len() as u32 {
        let moved = b.surface().corners_f64(j).map(|p| pose.transform_point3(p));
        for i in 0..a.triangles.len() as u32 {
            let corners = a.surface().corners_f64(i);
            if box_gap_squared(box_of(&corners), box_of(&moved)) < least * least {
                least = least.min(triangle_distance(&corners, &moved).distance);
            }
        }
    }
    least
}

#[test]
fn an_impact_is_not_late_and_its_features_are_that_close() {
    let mut random = Random::new(98);
    let bodies = [
        shapes::torus(1.0, 0.4, 10, 6),
        shapes::sphere(0.7, 8, 6),
        shapes::cuboid(Vec3::new(1.0, 0.5, 0.25), 1),
    ];
    let (mut hits, mut misses) = (0, 0);
    for round in 0..60 {
        let scale = [1.0f32, 0.01, 30.0][round % 3];
        let a = bodies[random.below(3)].clone();
        let b = bodies[random.below(3)].clone().map(|p| p * scale);
        let reach = 1.5 + 1.5 * f64::from(scale);
        let mut pose = |away: f64| {
            DAffine3::from_rotation_translation(
                DQuat::from_scaled_axis(random.in_cube() * 2.0),
                random.in_cube().normalize() * away,
            )
        };
        // Every other one goes past.
        let way = [pose(reach), pose([0.3, 1.5][round / 3 % 2] * reach)];
        let tolerance = 1e-3;
        let found = ask(&a, &b, &way, tolerance).impact;
        let screw = Screw::between(&way[0], &way[1]);
        let place = |time: f64| screw.at(time) * way[0];
        let until = found.map_or(1.0, |impact| impact.time);
        // Before it nothing is within the tolerance.
        for k in 0..32 {
            let time = until * f64::from(k) / 32.0;
            let apart = distance(&a, &b, &place(time), 2.0 * tolerance);
            assert!(apart > tolerance, "{round}: {apart} at {time} of {until}");
        }
        let Some(impact) = found else {
            misses += 1;
            continue;
        };
        hits += 1;
        let apart = impact.points[0].distance(impact.points[1]);
        assert!(apart <= 1.13 * tolerance, "{round}: {apart}");
        // The points are on the features, in the frame of the first body.
        let motion = place(impact.time);
        let vertex = |shape: &Shape, v: u32| shape.positions[v as usize].as_dvec3();
        match impact.features {
            Features::VertexFace(v, _) => assert!(impact.points[0].distance(vertex(&a, v)) < 1e-9),
            Features::FaceVertex(_, v) => {
                let there = motion.transform_point3(vertex(&b, v));
                assert!(impact.points[1].distance(there) < 1e-9);
            }
            Features::EdgeEdge([p, q], _) => {
                let (p, q) = (vertex(&a, p), vertex(&a, q));
                let along = impact.points[0].distance(p) + impact.points[0].distance(q);
                assert!((along - p.distance(q)).abs() < 1e-9);
            }
            Features::Start(_) => assert_eq!(impact.time, 0.0),
        }
        // Seen from the other body it is the same motion.
        let back = way.map(|pose| pose.inverse());
        let other = ask(&b, &a, &back, tolerance).impact.unwrap();
        let apart = distance(&a, &b, &place(other.time), 2.0 * tolerance);
        assert!(apart <= 1.13 * tolerance, "{round}: {apart}");
    }
    assert!(hits > 15 && misses > 5, "{hits} {misses}");
}

#[test]
fn triangles_that_intersect_from_the_start_meet_then() {
    let a = shapes::cuboid(Vec3::ONE, 1);
    let b = shapes::sphere(0.5, 8, 6);
    let way = [0.9, 3.0].map(|x| DAffine3::from_translation(DVec3::X * x));
    let impact = ask(&a, &b, &way, 1e-6).impact.unwrap();
    assert_eq!(impact.time, 0.0);
    assert!(matches!(impact.features, Features::Start(_)), "{impact:?}");
    // Inside, without a touch, until the wall is met: the sphere has a vertex on each axis.
    let way = [0.0, 1.0].map(|x| DAffine3::from_translation(DVec3::X * x));
    let impact = ask(&a, &b, &way, 1e-6).impact.unwrap();
    assert!((impact.time - 0.5).abs() < 2e-6, "{impact:?}");
}

#[test]
fn threads_do_not_change_an_impact() {
    let (a, b) = (shapes::knot(0.3, 200, 16), shapes::torus(2.0, 0.5, 60, 30));
    let turn = DQuat::from_scaled_axis(DVec3::new(0.4, 1.0, -0.3));
    for x in [6.0, 7.0, 8.0] {
        let way = [
            DAffine3::from_translation(DVec3::X * x),
            DAffine3::from_rotation_translation(turn, DVec3::Y * 0.1),
        ];
        let one = on_threads(1, || ask(&a, &b, &way, 1e-6)).impact;
        assert!(one.is_some());
        for _ in 0..3 {
            assert_eq!(one, on_threads(3, || ask(&a, &b, &way, 1e-6)).impact);
        }
    }
}

/// Triangles of a size all over a cube.
fn soup(count: u32, cube: f64, size: f64) -> Shape {
    let mut random = Random::new(99);
    let mut shape = Shape::default();
    for t in 0..count {
        let middle = random.in_cube() * cube;
        for _ in 0..3 {
            let corner = middle + random.in_cube() * size;
            shape.positions.push(corner.as_vec3());
        }
        shape.triangles.push([3 * t, 3 * t + 1, 3 * t + 2]);
    }
    shape
}

/// The whole path was cut by what the small body's tolerance allows on the large one's way: minutes.
#[test]
fn a_ball_among_triangles_a_million_times_its_size_does_not_take_minutes() {
    let ball = shapes::sphere(1.0, 16, 10);
    assert_eq!(ball.triangles.len(), 288);
    let turn = DQuat::from_scaled_axis(DVec3::new(0.5, -1.0, 0.7));
    let way = [
        DAffine3::from_translation(DVec3::new(2e5, -1e5, 3e5)),
        DAffine3::from_rotation_translation(turn, DVec3::new(-4e5, 6e5, 1e5)),
    ];
    let back = way.map(|pose| pose.inverse());
    // Large triangles are hit soon; among small ones the ball finds its way.
    for (size, hits) in [(1e5, true), (3e3, false)] {
        let large = soup(4042, 1e6, size);
        for tolerance in [1.0, 1e-6] {
            let [one, other] = on_threads(1, || {
                [
                    ask(&ball, &large, &back, tolerance),
                    ask(&large, &ball, &way, tolerance),
                ]
            });
            assert!(one.steps < 20_000 && other.steps < 20_000);
            let times = [one, other].map(|swept| swept.impact.map_or(2.0, |i| i.time));
            assert_eq!(times[0] <= 1.0, hits);
            assert!((times[0] - times[1]).abs() < 1e-9, "{times:?}");
        }
    }
}
