//! Lists of impacts. The truth is every pair of features, decided one by one.

use super::super::super::pair::{FeatureKind, MovingPair};
use super::*;
use crate::geometry::random::{Random, cases};
use fixtures::shapes;

/// Every pair of features, without boxes, slices or representatives.
fn brute_force(
    a: (&Shape, &[Vec3]),
    b: (&Shape, &[Vec3]),
    itself: bool,
    separation: f64,
) -> Vec<(Features, f64)> {
    use std::collections::BTreeSet;
    let at = |of: (&Shape, &[Vec3]), v: u32| {
        (
            of.0.positions[v as usize].as_dvec3(),
            of.1[v as usize].as_dvec3(),
        )
    };
    let edges = |of: &Shape| -> BTreeSet<[u32; 2]> {
        let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let sorted = |[p, q]: [u32; 2]| [p.min(q), p.max(q)];
        of.triangles.iter().flat_map(sides).map(sorted).collect()
    };
    let meet = |kind, corners: [(DVec3, DVec3); 4]| {
        let pair = MovingPair {
            kind,
            start: corners.map(|c| c.0),
            end: corners.map(|c| c.1),
        };
        pair.first_meeting(separation, [0.0, 1.0], 1.0)
    };
    let mut all = Vec::new();
    let mut faces =
        |vertices: (&Shape, &[Vec3]), faces: (&Shape, &[Vec3]), name: fn(u32, u32) -> Features| {
            for v in 0..vertices.0.positions.len() as u32 {
                for (f, t) in faces.0.triangles.iter().enumerate() {
                    if itself && t.contains(&v) {
                        continue;
                    }
                    let corners = [
                        at(vertices, v),
                        at(faces, t[0]),
                        at(faces, t[1]),
                        at(faces, t[2]),
                    ];
                    if let Some(met) = meet(FeatureKind::VertexFace, corners) {
                        all.push((name(v, f as u32), met.time));
                    }
                }
            }
        };
    faces(a, b, Features::VertexFace);
    if !itself {
        faces(b, a, |v, f| Features::FaceVertex(f, v));
    }
    for e in edges(a.0) {
        for f in edges(b.0) {
            if itself && (f <= e || e.iter().any(|v| f.contains(v))) {
                continue;
            }
            let corners = [at(a, e[0]), at(a, e[1]), at(b, f[0]), at(b, f[1])];
            if let Some(met) = meet(FeatureKind::EdgeEdge, corners) {
                all.push((Features::EdgeEdge(e, f), met.time));
            }
        }
    }
    all.sort_by_key(|(features, _)| *features);
    all
}

fn assert_same(found: &[Impact], expected: &[(Features, f64)]) {
    let names: Vec<Features> = found.iter().map(|i| i.features).collect();
    assert_eq!(names, expected.iter().map(|(f, _)| *f).collect::<Vec<_>>());
    for (impact, (_, time)) in found.iter().zip(expected) {
        // Slices and the order of edges change how far before the contact an answer stops.
        let early = (1e-3 * time).max(1e-6);
        assert!((impact.time - time).abs() <= early, "{impact:?} {time}");
    }
}

#[test]
fn lists_of_impacts_are_complete_and_without_duplicates() {
    let mut random = Random::new(81);
    let mut count = 0;
    for round in 0..cases(24) {
        let a = shapes::torus(1.0, 0.3, 10, 5);
        let shift = random.in_cube().normalize().as_vec3() * [1.6, 2.2][round % 2];
        let b = shapes::sphere(0.7, 7, 5).map(|p| p + shift);
        let far = [0.3, 1.0, 12.0][round % 3];
        let mut wobble = |shape: &Shape, by: Vec3| -> Vec<Vec3> {
            let jitter = 0.2 * random.unit() as f32;
            let moved = |&p: &Vec3| p + by + random.in_cube_f32() * jitter;
            shape.positions.iter().map(moved).collect()
        };
        let (to_a, to_b) = (wobble(&a, Vec3::ZERO), wobble(&b, -shift * far));
        let (scene_a, scene_b) = (prepare(&a), prepare(&b));
        let separation = [0.0, 0.05][round / 2 % 2];
        let rule = MeetingRule {
            separation,
            start: false,
        };
        let found = impacts(
            moving(&a, &to_a, &scene_a),
            moving(&b, &to_b, &scene_b),
            rule,
        );
        assert_same(
            &found,
            &brute_force((&a, &to_a), (&b, &to_b), false, separation),
        );
        count += found.len();
        let first = first_impact(
            moving(&a, &to_a, &scene_a),
            moving(&b, &to_b, &scene_b),
            rule,
        );
        let earliest = found.iter().map(|i| i.time).fold(f64::INFINITY, f64::min);
        assert_eq!(first.map_or(f64::INFINITY, |i| i.time), earliest);

        let both = a.clone().with(&b);
        let to: Vec<Vec3> = to_a.iter().chain(&to_b).copied().collect();
        let scene = prepare(&both);
        let known = Neighbourhoods::new(&both.surface());
        let found = impacts_of_itself(moving(&both, &to, &scene), Some(&known), rule);
        assert_same(
            &found,
            &brute_force((&both, &to), (&both, &to), true, separation),
        );
    }
    assert!(count > 1000, "{count}");
}

/// Cloth that waves, crumples and folds: what is proved not to meet itself is most of it while it waves, and never what does.
#[test]
fn regions_that_stay_clear_hide_no_impact() {
    let mut random = Random::new(83);
    let side = 33u32;
    let sheet = Shape {
        positions: (0..side * side)
            .map(|k| Vec3::new((k % side) as f32, (k / side) as f32, 0.0))
            .collect(),
        triangles: (0..(side - 1) * (side - 1))
            .map(|k| k / (side - 1) * side + k % (side - 1))
            .flat_map(|a| [[a, a + 1, a + side], [a + 1, a + side + 1, a + side]])
            .collect(),
    };
    let known = Neighbourhoods::new(&sheet.surface());
    let rule = MeetingRule {
        separation: 0.0,
        start: true,
    };
    let mut met = 0;
    for round in 0..cases(12) {
        let [waves, crumple, fold] = [[2.0, 0.0, 0.0], [2.0, 0.7, 0.0], [1.0, 0.1, 3.5]][round % 3];
        let phase = random.unit() as f32;
        let mut bent = |by: f32| -> Vec<Vec3> {
            let mut bend = |p: &Vec3| {
                let z = waves * (0.4 * (p.x + p.y) + phase).sin();
                let angle = by * fold * (p.x / side as f32 - 0.5).max(0.0) * 2.0;
                let over = (p.x - 16.0).max(0.0);
                let x = p.x - over + over * angle.cos();
                Vec3::new(x, p.y, z + over * angle.sin()) + random.in_cube_f32() * crumple * by
            };
            sheet.positions.iter().map(&mut bend).collect()
        };
        let (from, to) = (bent(0.05), bent(1.0));
        let shape = Shape {
            positions: from,
            triangles: sheet.triangles.clone(),
        };
        let scene = prepare(&shape);
        let way = moving(&shape, &to, &scene);
        let all = impacts_of_itself(way, None, rule);
        assert_eq!(impacts_of_itself(way, Some(&known), rule), all);
        let first = first_impact_of_itself(way, None, rule);
        assert_eq!(first_impact_of_itself(way, Some(&known), rule), first);
        met += all.len();
        if round % 3 == 0 {
            let cleared = known.cleared(&way.from, way.to, [0.0, 1.0], &scene.0);
            let count = shape.triangles.len() as u32;
            let beside = (0..count - 1).filter(|&t| cleared.triangles(t, t + 1));
            assert!(beside.count() > 1800 && all.is_empty());
        }
    }
    assert!(met > 200, "{met}");
}

#[test]
fn nothing_meets_nothing() {
    let (nothing, ball) = (Shape::default(), shapes::sphere(1.0, 8, 6));
    let to = moved(&ball, |p| p + Vec3::X);
    let (of_nothing, of_ball) = (prepare(&nothing), prepare(&ball));
    let nothing = || moving(&nothing, &[], &of_nothing);
    let ball = || moving(&ball, &to, &of_ball);
    assert_eq!(impacts(nothing(), ball(), rule(0.1)), []);
    assert_eq!(impacts(ball(), nothing(), rule(0.1)), []);
    assert_eq!(impacts(nothing(), nothing(), rule(0.1)), []);
    assert_eq!(impacts_of_itself(nothing(), None, rule(0.1)), []);
}

#[test]
fn threads_do_not_change_the_list() {
    let (a, b) = (
        shapes::knot(0.3, 100, 12),
        shapes::torus(1.5, 0.4, 60, 24).map(|p| p + Vec3::Y * 0.7),
    );
    let ends = [
        moved(&a, |p| p + 0.1 * p.cross(Vec3::Z)),
        moved(&b, |p| p * 1.1 - Vec3::Y * 0.2),
    ];
    // Where the knot passes over itself, 1 above the middle, it sinks to 2 below, through what is 1 below.
    let sunk = moved(&a, |p| p - 3.0 * p.z.max(0.0) * Vec3::Z);
    let prepared = [prepare(&a), prepare(&b)];
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let two = impacts(
                moving(&a, &ends[0], &prepared[0]),
                moving(&b, &ends[1], &prepared[1]),
                rule(0.0),
            );
            let one = impacts_of_itself(moving(&a, &sunk, &prepared[0]), None, rule(0.0));
            (two, one)
        })
    };
    let (two, one) = with(1);
    assert!(
        two.len() > 200 && one.len() > 200,
        "{} {}",
        two.len(),
        one.len()
    );
    for threads in [2, 3, 5] {
        assert_eq!(with(threads), (two.clone(), one.clone()));
    }
}

/// The tip of a spike goes through the middle of one of a million triangles, and stops below it.
#[test]
fn a_million_triangles_are_met_by_a_tip() {
    let ball = shapes::sphere(1.0, 1000, 501);
    assert_eq!(ball.triangles.len(), 1_000_000);
    let face = 456_789;
    let [a, b, c] = ball.surface().corners_f64(face);
    let (middle, normal) = ((a + b + c) / 3.0, (b - a).cross(c - a).normalize());
    let aside = (b - a).normalize() * 0.01;
    let place = |p: DVec3| (middle + p).as_vec3();
    let spike = Shape {
        positions: [0.5 * normal, 1.5 * normal - aside, 1.5 * normal + aside]
            .map(place)
            .to_vec(),
        triangles: vec![[0, 1, 2]],
    };
    let to = moved(&spike, |p| (p.as_dvec3() - 0.5001 * normal).as_vec3());
    let prepared = [prepare(&ball), prepare(&spike)];
    let still = moving(&ball, &ball.positions, &prepared[0]);
    let found = impacts(still, moving(&spike, &to, &prepared[1]), rule(0.0));
    let height = |p: Vec3| normal.dot(p.as_dvec3() - a);
    let [before, after] = [height(spike.positions[0]), height(to[0])];
    let time = before / (before - after);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].features, Features::FaceVertex(face, 0));
    assert!(found[0].time <= time + 1e-12 && found[0].time >= time * (1.0 - 1e-3));
    // What swells alike everywhere does not meet itself.
    let swollen = moved(&ball, |p| p * 1.5);
    let still = moving(&ball, &swollen, &prepared[0]);
    assert_eq!(impacts_of_itself(still, None, rule(0.0)), []);
}

/// A rope is a triangle that names a vertex twice, a particle one that names it three times.
#[test]
fn a_particle_meets_a_rope_and_another_particle() {
    let shape = Shape {
        positions: vec![
            Vec3::new(-1.0, 0.0, 0.0),
            Vec3::new(1.0, 0.0, 0.0),
            Vec3::new(0.0, 0.06, 1.0),
            Vec3::new(0.0, 0.0, -0.5),
        ],
        triangles: vec![[0, 1, 1], [2; 3], [3; 3]],
    };
    let mut to = shape.positions.clone();
    to[2].z = -1.0;
    let prepared = prepare(&shape);
    let rule = MeetingRule {
        separation: 0.1,
        start: false,
    };
    let found = impacts_of_itself(moving(&shape, &to, &prepared), None, rule);
    let features: Vec<Features> = found.iter().map(|i| i.features).collect();
    let expected = [
        Features::VertexFace(2, 0),
        Features::VertexFace(2, 2),
        Features::VertexFace(3, 1),
    ];
    assert_eq!(features, expected);
    // At a height of 0.08 it is 0.1 away from the rope, and at the same height above the other particle from that.
    for (impact, height) in found.iter().zip([0.08, -0.42, -0.42]) {
        let time = 0.5 * (1.0 - height);
        assert!(
            (impact.time - time).abs() < 1e-3 * time,
            "{impact:?} {time}"
        );
    }
}
