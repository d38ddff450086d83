//! The exact queries through a context: known answers, poses, and hierarchies that follow every update.

use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::context::exact::DistanceRequest;
use proxel::error::Error;
use proxel::geometry::continuous::impacts::Features;
use proxel::geometry::distance::DistanceOptions;
use proxel::query::distance::DistanceAnswer;
use proxel::scene::pose::Pose;

/// Any distance, by any method.
const ALL: DistanceRequest = DistanceRequest::Distance(DistanceOptions {
    within: f64::INFINITY,
    start: None,
});

fn at(position: Vec3) -> Pose {
    turned(position, Quat::IDENTITY)
}

fn turned(position: Vec3, rotation: Quat) -> Pose {
    Pose {
        position,
        rotation,
        ..Pose::default()
    }
}

fn cube(half: f32) -> Shape {
    shapes::cuboid(Vec3::splat(half), 2)
}

/// A thin triangle across the middle of each triangle, touching no other.
fn needles(shape: &Shape, length: f32) -> Shape {
    let mut out = Shape {
        positions: Vec::new(),
        triangles: Vec::new(),
    };
    for t in &shape.triangles {
        let [a, b, c] = t.map(|v| shape.positions[v as usize]);
        let (middle, normal) = ((a + b + c) / 3.0, (b - a).cross(c - a).normalize());
        let side = (b - a) * 0.01;
        let first = out.positions.len() as u32;
        out.positions.extend([
            middle - length * normal - side,
            middle - length * normal + side,
            middle + length * normal,
        ]);
        out.triangles.push([first, first + 1, first + 2]);
    }
    out
}

/// Meshes of one test, freed at its end.
struct Scene {
    checked: Checked,
    meshes: std::cell::RefCell<Vec<u64>>,
}

impl Scene {
    fn new() -> Self {
        Self {
            checked: Checked::open(),
            meshes: Default::default(),
        }
    }

    fn context(&self) -> &Context {
        &self.checked.context
    }

    fn add(&self, shape: &Shape) -> u64 {
        let id = self.context().create_mesh(input(shape)).unwrap();
        self.meshes.borrow_mut().push(id);
        id
    }

    fn distance(&self, a: (u64, Pose), b: (u64, Pose)) -> DistanceAnswer {
        self.context().distance(a, b, &ALL).unwrap()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        for id in self.meshes.borrow_mut().drain(..) {
            self.checked.context.destroy_mesh(id).unwrap();
        }
    }
}

/// The interval holds the truth and is as narrow as double precision allows.
fn assert_is(answer: DistanceAnswer, truth: f64) {
    assert!(
        answer.lower <= truth && truth <= answer.upper,
        "{truth} is not in {answer:?}"
    );
    assert!(answer.upper - answer.lower < 1e-12, "{answer:?}");
    let [p, q] = answer.witness.unwrap().points;
    assert!(
        (p.distance(q) - answer.distance).abs() < 1e-12,
        "{answer:?}"
    );
}

#[test]
fn a_turned_cube_beside_a_cube_is_as_far_as_its_edge_or_corner_reaches() {
    let scene = Scene::new();
    let (a, b) = (scene.add(&cube(0.5)), scene.add(&cube(0.5)));
    let aside = at(Vec3::X * 3.0);
    assert_is(scene.distance((a, Pose::default()), (b, aside)), 2.0);
    // The errors of a quaternion in single precision turn the cube a little, which its extreme notices to second order only.
    let edge = turned(
        Vec3::ZERO,
        Quat::from_rotation_z(std::f32::consts::FRAC_PI_4),
    );
    let answer = scene.distance((a, edge), (b, aside));
    assert!((answer.distance - (2.5 - 0.5f64.sqrt())).abs() < 1e-12);
    let corner = turned(
        Vec3::ZERO,
        Quat::from_rotation_arc(Vec3::ONE.normalize(), Vec3::X),
    );
    let answer = scene.distance((a, corner), (b, aside));
    let truth = 2.5 - 0.75f64.sqrt();
    assert!((answer.distance - truth).abs() < 1e-12, "{answer:?}");
    let [p, q] = answer.witness.unwrap().points;
    assert!(p.distance(DVec3::X * 0.75f64.sqrt()) < 1e-6 && (q.x - 2.5).abs() < 1e-12);
    // The other way round.
    let back = scene.distance((b, aside), (a, corner));
    assert!((back.distance - truth).abs() < 1e-12, "{back:?}");
}

#[test]
fn spheres_pole_to_pole() {
    let scene = Scene::new();
    let sphere = shapes::sphere(1.0, 24, 16);
    let (a, b) = (scene.add(&sphere), scene.add(&sphere));
    let high = at(Vec3::Z * 3.0);
    let answer = scene.distance((a, Pose::default()), (b, high));
    assert_is(answer, 1.0);
    assert_eq!(answer.witness.unwrap().points, [DVec3::Z, DVec3::Z * 2.0]);
    // Convex hulls know nearly as much.
    let bounds = scene
        .context()
        .distance((a, Pose::default()), (b, high), &DistanceRequest::Bounds)
        .unwrap();
    assert!(bounds.lower <= 1.0 && 1.0 <= bounds.upper, "{bounds:?}");
    assert!(
        bounds.lower > 1.0 - 1e-4 && bounds.upper < 1.0 + 1e-12,
        "{bounds:?}"
    );
}

#[test]
fn touching_is_intersecting_and_inside_is_not() {
    let scene = Scene::new();
    let (a, b, large) = (
        scene.add(&cube(0.5)),
        scene.add(&cube(0.5)),
        scene.add(&cube(1.0)),
    );
    for shift in [Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::ONE] {
        let touching = scene.distance((a, Pose::default()), (b, at(shift)));
        assert!(
            touching.intersecting && touching.distance == 0.0,
            "{touching:?}"
        );
        assert_is(touching, 0.0);
    }
    let inside = scene.distance((a, Pose::default()), (large, Pose::default()));
    assert!(!inside.intersecting);
    assert_is(inside, 0.5);
    let none = scene
        .context()
        .pairs((a, Pose::default()), (large, Pose::default()), 0.0, 9);
    assert!(none.unwrap().is_empty());
}

#[test]
fn what_is_beyond_the_limit_is_told_as_such() {
    let scene = Scene::new();
    let (a, b) = (scene.add(&cube(0.5)), scene.add(&cube(0.5)));
    let ask = |within| {
        let options = DistanceOptions {
            within,
            ..DistanceOptions::default()
        };
        let aside = at(Vec3::X * 3.0);
        scene.context().distance(
            (a, Pose::default()),
            (b, aside),
            &DistanceRequest::Distance(options),
        )
    };
    assert_is(ask(2.0).unwrap(), 2.0);
    let beyond = ask(1.5).unwrap();
    assert!(beyond.witness.is_none() && beyond.upper == f64::INFINITY);
    assert!((1.5 - beyond.lower).abs() < 1e-12, "{beyond:?}");
    for bad in [f64::NAN, -1.0] {
        assert!(ask(bad).unwrap_err().to_string().contains("within is"));
    }
}

#[test]
fn every_method_and_every_start_finds_the_same() {
    let scene = Scene::new();
    let knot = shapes::knot(0.4, 120, 10);
    let (a, b) = (
        scene.add(&knot),
        scene.add(&knot.clone().map(|p| p + Vec3::new(9.0, 1.0, 0.5))),
    );
    let truth = scene
        .distance((a, Pose::default()), (b, Pose::default()))
        .distance;
    for method in [DistanceRequest::Distance, DistanceRequest::ByMarginHash] {
        for start in [None, Some([0, 0]), Some([7, 2399])] {
            let options = DistanceOptions {
                start,
                ..DistanceOptions::default()
            };
            let answer = scene
                .context()
                .distance((a, Pose::default()), (b, Pose::default()), &method(options))
                .unwrap();
            assert_eq!(answer.distance, truth, "{:?}", method(options));
        }
    }
}

#[test]
fn needles_cross_the_triangles_they_were_put_through() {
    let scene = Scene::new();
    let torus = shapes::torus(2.0, 0.7, 40, 20);
    let (a, b) = (scene.add(&torus), scene.add(&needles(&torus, 0.01)));
    let count = torus.triangles.len() as u64;
    let pose = turned(Vec3::new(4.0, -2.0, 1.0), Quat::from_rotation_y(0.7));
    let pairs = scene
        .context()
        .pairs((a, pose), (b, pose), 0.0, count)
        .unwrap();
    assert_eq!(pairs.len() as u64, count);
    for (i, pair) in (0..).zip(&pairs) {
        assert_eq!((pair.triangles, pair.distance), ([i, i], 0.0));
        let corners =
            torus.triangles[i as usize].map(|v| pose.apply(torus.positions[v as usize].as_dvec3()));
        let normal = (corners[1] - corners[0])
            .cross(corners[2] - corners[0])
            .normalize();
        for p in pair.segment {
            assert!(normal.dot(p - corners[0]).abs() < 1e-12);
            assert!(p.distance((corners[0] + corners[1] + corners[2]) / 3.0) < 0.01);
        }
    }
    let refused = scene.context().pairs((a, pose), (b, pose), 0.0, count - 1);
    match refused.unwrap_err() {
        Error::BufferTooSmall { given, needed, .. } => {
            assert_eq!((given, needed), (count - 1, count))
        }
        other => panic!("{other}"),
    }

    // In one mesh they are self-intersections.
    let both = scene.add(&torus.clone().with(&needles(&torus, 0.01)));
    let expected: Vec<[u32; 2]> = (0..count as u32).map(|i| [i, i + count as u32]).collect();
    assert_eq!(scene.context().self_pairs(both, count).unwrap(), expected);
    assert!(scene.context().self_pairs(both, 3).is_err());
    assert!(scene.context().self_pairs(a, 0).unwrap().is_empty());
}

#[test]
fn near_pairs_have_their_distances_and_nearest_points() {
    let scene = Scene::new();
    let flat = |z: f32| Shape {
        positions: vec![
            Vec3::new(0.0, 0.0, z),
            Vec3::new(1.0, 0.0, z),
            Vec3::new(0.0, 1.0, z),
        ],
        triangles: vec![[0, 1, 2]],
    };
    let stack = flat(0.25)
        .with(&flat(0.5))
        .with(&flat(1.0))
        .with(&flat(0.0));
    let (a, b) = (scene.add(&flat(0.0)), scene.add(&stack));
    let near = |within| {
        scene
            .context()
            .pairs((a, Pose::default()), (b, Pose::default()), within, 9)
    };
    let found: Vec<_> = near(0.5)
        .unwrap()
        .iter()
        .map(|p| (p.triangles, p.distance))
        .collect();
    assert_eq!(found, [([0, 0], 0.25), ([0, 1], 0.5), ([0, 3], 0.0)]);
    for pair in near(1.0).unwrap() {
        let [p, q] = pair.segment;
        if pair.distance > 0.0 {
            assert!(
                p.z == 0.0 && (p.distance(q) - pair.distance).abs() < 1e-15,
                "{pair:?}"
            );
        } else {
            // They coincide: the longest chord is the long side.
            assert!((p.distance(q) - 2f64.sqrt()).abs() < 1e-12, "{pair:?}");
        }
    }
    for bad in [f64::NAN, f64::INFINITY, -0.5] {
        assert!(near(bad).is_err());
    }
}

#[test]
fn a_pose_is_as_good_as_moved_vertices() {
    let scene = Scene::new();
    let (knot, ball) = (shapes::knot(0.4, 150, 12), shapes::sphere(0.9, 30, 20));
    let (a, b) = (scene.add(&knot), scene.add(&ball));
    for k in 0..12 {
        let t = k as f32;
        let poses = [
            turned(Vec3::new(0.1 * t, 5.0, -t), Quat::from_rotation_x(0.4 * t)),
            turned(
                Vec3::new(0.1 * t + 0.3 * t, 5.0 + 0.2 * t, -t),
                Quat::from_rotation_y(t) * Quat::from_rotation_z(0.3),
            ),
        ];
        let moved = |shape: &Shape, pose: &Pose| {
            let pose = *pose;
            scene.add(&shape.clone().map(|p| pose.apply(p.as_dvec3()).as_vec3()))
        };
        let here = [(a, poses[0]), (b, poses[1])];
        let there = [
            (moved(&knot, &poses[0]), Pose::default()),
            (moved(&ball, &poses[1]), Pose::default()),
        ];
        // Vertices in single precision are off by at most this; sums of two.
        let rounding = 4.0 * 16.0 * f64::from(f32::EPSILON);
        let [one, other] = [here, there].map(|[a, b]| scene.distance(a, b).distance);
        assert!((one - other).abs() < rounding, "{one} and {other}");
        let list = |[a, b]: [(u64, Pose); 2], within| -> Vec<[u32; 2]> {
            let pairs = scene.context().pairs(a, b, within, 1 << 20).unwrap();
            pairs.iter().map(|p| p.triangles).collect()
        };
        for (one, other) in [(here, there), (there, here)] {
            let near = list(other, rounding);
            for pair in list(one, 0.0) {
                assert!(near.binary_search(&pair).is_ok(), "{pair:?} of step {k}");
            }
        }
    }
}

#[test]
fn an_update_is_seen_by_the_next_query() {
    let scene = Scene::new();
    let (still, soft) = (cube(0.5), cube(0.5));
    let (a, b) = (scene.add(&still), scene.add(&soft));
    for round in 0..40 {
        let gap = 1.0 + 0.25 * (round * 7 % 11) as f32;
        let moved: Vec<Vec3> = soft
            .positions
            .iter()
            .map(|p| *p + Vec3::X * (1.0 + gap))
            .collect();
        if round % 3 == 0 {
            // In two parts, with nothing asked between them.
            let (low, high) = moved.split_at(5);
            scene.context().update_mesh(b, 0, low).unwrap();
            scene.context().update_mesh(b, 5, high).unwrap();
        } else {
            scene.context().update_mesh(b, 0, &moved).unwrap();
        }
        assert_is(
            scene.distance((a, Pose::default()), (b, Pose::default())),
            f64::from(gap),
        );
        assert!(scene.context().self_pairs(b, 0).unwrap().is_empty());
    }
    // A part that reaches through the still one.
    let reaching = scene.add(&cube(0.5).map(|p| p + Vec3::X * 3.0));
    assert!(
        scene
            .distance((a, Pose::default()), (reaching, Pose::default()))
            .distance
            == 2.0
    );
    scene
        .context()
        .update_mesh(reaching, 3, &[Vec3::ZERO])
        .unwrap();
    assert!(
        scene
            .distance((a, Pose::default()), (reaching, Pose::default()))
            .intersecting
    );
}

#[test]
fn queries_during_updates_see_one_state_or_the_other() {
    let scene = Scene::new();
    let ball = shapes::sphere(1.0, 16, 12);
    let states: [Vec<Vec3>; 2] =
        [3.0, 4.0].map(|z| ball.positions.iter().map(|p| *p + Vec3::Z * z).collect());
    let (a, b) = (
        scene.add(&ball),
        scene.add(&ball.clone().map(|p| p + Vec3::Z * 3.0)),
    );
    let context = scene.context();
    std::thread::scope(|threads| {
        for _ in 0..3 {
            threads.spawn(|| {
                for _ in 0..60 {
                    let answer = context.distance((a, Pose::default()), (b, Pose::default()), &ALL);
                    let distance = answer.unwrap().distance;
                    assert!([1.0, 2.0].contains(&distance), "{distance}");
                }
            });
        }
        threads.spawn(|| {
            for round in 0..60 {
                context.update_mesh(b, 0, &states[round % 2]).unwrap();
            }
        });
    });
    // The last update was to the second state.
    assert_is(
        scene.distance((a, Pose::default()), (b, Pose::default())),
        2.0,
    );
}

#[test]
fn a_falling_cube_lands_when_it_must() {
    let scene = Scene::new();
    let ground = scene.add(&cube(0.5));
    let up = |shift: Vec3| scene.add(&cube(0.25).map(|p| p + shift));
    // The bottom falls from 2.75 to -1.25 and meets the top at 0.5.
    let (high, low) = (up(Vec3::Z * 3.0), up(Vec3::Z * -1.0));
    let sweep = |b: [u64; 2], tolerance| scene.context().sweep([ground; 2], b, tolerance);
    let impact = sweep([high, low], Some(1e-7)).unwrap().unwrap();
    let truth = 2.25 / 4.0;
    assert!(
        impact.time <= truth && truth - impact.time < 1e-6,
        "{impact:?}"
    );
    assert!(
        impact.points.iter().all(|p| (p.z - 0.5).abs() < 1e-6),
        "{impact:?}"
    );
    let usual = sweep([high, low], None).unwrap().unwrap();
    assert!(
        usual.time <= truth && truth - usual.time < 1e-5,
        "{usual:?}"
    );

    let (beside, below) = (up(Vec3::new(0.8, 0.0, 3.0)), up(Vec3::new(0.8, 0.0, -3.0)));
    assert_eq!(sweep([beside, below], None).unwrap(), None);
    let inside = sweep([ground, ground], None).unwrap().unwrap();
    assert_eq!(inside.time, 0.0);
    assert!(matches!(inside.features, Features::Start(_)), "{inside:?}");
    for bad in [f64::NAN, -1.0, f64::INFINITY] {
        assert!(sweep([high, low], Some(bad)).is_err());
    }
}

#[test]
fn a_sweep_names_the_vertex_and_the_face() {
    let scene = Scene::new();
    let floor = scene.add(&Shape {
        positions: vec![
            Vec3::new(-5.0, -5.0, 0.0),
            Vec3::new(5.0, -5.0, 0.0),
            Vec3::new(0.0, 5.0, 0.0),
        ],
        triangles: vec![[0, 1, 2]],
    });
    let spike = |z: f32| Shape {
        positions: vec![
            Vec3::new(1.0, 0.0, z + 1.0),
            Vec3::new(0.0, 0.0, z),
            Vec3::new(-1.0, 0.1, z + 1.0),
        ],
        triangles: vec![[0, 1, 2]],
    };
    let (start, end) = (scene.add(&spike(1.0)), scene.add(&spike(-3.0)));
    let down = scene
        .context()
        .sweep([start, end], [floor; 2], None)
        .unwrap()
        .unwrap();
    assert_eq!(down.features, Features::VertexFace(1, 0));
    let up = scene
        .context()
        .sweep([floor; 2], [start, end], None)
        .unwrap()
        .unwrap();
    assert_eq!(up.features, Features::FaceVertex(0, 1));
    for impact in [down, up] {
        assert!(
            impact.time <= 0.25 && impact.time > 0.25 - 1e-5,
            "{impact:?}"
        );
    }
    let other = scene.add(&cube(1.0));
    let sentence = scene
        .context()
        .sweep([start, other], [floor; 2], None)
        .unwrap_err()
        .to_string();
    assert!(
        sentence.contains("a0 and a1 must be the same triangles"),
        "{sentence}"
    );
}

/// Gissler et al. prepare nothing: bodies that stand apart get their distance without a hierarchy, and so do bounds.
#[test]
fn hashed_distances_build_no_hierarchy() {
    let scene = Scene::new();
    let knot = shapes::knot(0.4, 60, 8);
    let (a, b) = (scene.add(&knot), scene.add(&knot));
    let apart = turned(Vec3::new(9.0, 1.0, -3.0), Quat::from_rotation_y(0.7));
    let over = turned(Vec3::new(1.0, 0.5, 0.0), Quat::from_rotation_x(0.3));
    let hashed = DistanceRequest::ByMarginHash(DistanceOptions::default());
    let by = |place, request| {
        let context = scene.context();
        context
            .distance((a, Pose::default()), (b, place), request)
            .unwrap()
    };
    let built = || [a, b].map(|mesh| scene.context().mesh(mesh).unwrap().has_hierarchy());
    let found = by(apart, &hashed);
    let bounds = by(apart, &DistanceRequest::Bounds);
    assert_eq!(built(), [false, false]);
    let truth = by(apart, &ALL);
    assert_eq!(built(), [true, true]);
    assert!((found.distance - truth.distance).abs() <= 1e-12 * truth.distance);
    assert!(found.lower <= truth.distance && truth.distance <= found.upper);
    assert!(bounds.lower <= truth.distance && truth.distance <= bounds.upper);
    // Where the hulls overlap the hierarchies answer.
    assert_eq!(by(over, &hashed), by(over, &ALL));
}
