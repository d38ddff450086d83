//! The first impact. The truth is sampled in time by exact intersection tests, and known exactly for falling bodies.

use super::*;
use crate::geometry::continuous::moving::SLICES;
use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::pairs::intersecting_pairs;
use crate::geometry::random::{Random, cases};
use fixtures::shapes;

fn at(shape: &Shape, to: &[Vec3], time: f32) -> Shape {
    let positions = shape
        .positions
        .iter()
        .zip(to)
        .map(|(&p, &q)| p.lerp(q, time))
        .collect();
    Shape {
        positions,
        triangles: shape.triangles.clone(),
    }
}

fn intersect(a: &Shape, b: &Shape) -> bool {
    let (ta, tb) = (
        Bvh::build(&a.surface().triangle_boxes()),
        Bvh::build(&b.surface().triangle_boxes()),
    );
    let (a, b) = (
        FittedSurface {
            surface: a.surface(),
            bvh: &ta,
        },
        FittedSurface {
            surface: b.surface(),
            bvh: &tb,
        },
    );
    !intersecting_pairs(a, b, &Placement::default(), usize::MAX)
        .unwrap()
        .is_empty()
}

#[test]
fn falling_bodies_land_on_time() {
    let floor = shapes::cuboid(Vec3::new(4.0, 4.0, 0.5), 4);
    let ball = shapes::sphere(1.0, 16, 12).map(|p| p + Vec3::new(0.7, 0.4, 3.5));
    // The lowest vertex is the pole at z = 2.5; the floor's top is at 0.5.
    for (drop, expected) in [(4.0, Some(0.5)), (2.5, Some(0.8)), (1.9, None)] {
        let to = moved(&ball, |p| p - Vec3::Z * drop);
        let found = ask((&floor, &floor.positions), (&ball, &to), 1e-6);
        match expected {
            None => assert_eq!(found, None),
            Some(time) => {
                let impact = found.unwrap();
                assert!(
                    impact.time <= time + 1e-9 && impact.time > time - 1e-6,
                    "{impact:?}"
                );
                assert!(
                    matches!(impact.features, Features::FaceVertex(..)),
                    "{impact:?}"
                );
                assert!((impact.points[1].z - 0.5).abs() < 3e-6);
            }
        }
    }
}

#[test]
fn edges_of_crossing_bars_meet_on_time() {
    // Two ridges at right angles: only edges can meet first.
    let roof = |along: Vec3, across: Vec3, up: Vec3| {
        let p = |a: f32, b: f32, c: f32| along * a + across * b + up * c;
        let positions = vec![
            p(-2.0, 0.0, 0.0),
            p(2.0, 0.0, 0.0),
            p(0.0, 1.0, -1.0),
            p(0.0, -1.0, -1.0),
        ];
        Shape {
            positions,
            triangles: vec![[0, 1, 2], [1, 0, 3]],
        }
    };
    let low = roof(Vec3::X, Vec3::Y, Vec3::Z);
    let high = roof(Vec3::Y, Vec3::X, -Vec3::Z).map(|p| p + Vec3::Z * 3.0);
    let to = moved(&high, |p| p - Vec3::Z * 4.0);
    let impact = ask((&low, &low.positions), (&high, &to), 1e-7).unwrap();
    assert!(
        impact.time <= 0.75 && impact.time > 0.75 - 1e-6,
        "{impact:?}"
    );
    assert!(matches!(impact.features, Features::EdgeEdge(..)));
}

#[test]
fn random_motions_are_never_missed_and_proofs_hold() {
    let mut random = Random::new(80);
    let (mut hits, mut proofs) = (0, 0);
    for round in 0..cases(80) {
        let scale = [1.0f32, 1e-6, 1e6][round % 3];
        let a = shapes::torus(1.0, 0.3, 12, 6).map(|p| p * scale);
        let shift = random.in_cube().normalize().as_vec3() * 2.6;
        let b = shapes::sphere(0.7, 8, 6).map(|p| (p + shift) * scale);
        let jitter = random.unit() as f32 * 0.2;
        let mut wobble = |shape: &Shape, by: Vec3| -> Vec<Vec3> {
            shape
                .positions
                .iter()
                .map(|&p| p + (by + random.in_cube_f32() * jitter) * scale)
                .collect()
        };
        let to_a = wobble(&a, Vec3::ZERO);
        let to_b = wobble(&b, -shift * [-0.5, 0.05, 0.6, 1.5][round % 4]);
        let tolerance = 1e-6 * f64::from(scale);
        let found = ask((&a, &to_a), (&b, &to_b), tolerance);
        let samples = 64;
        let truth = (0..=samples)
            .map(|k| k as f32 / samples as f32)
            .find(|&t| intersect(&at(&a, &to_a, t), &at(&b, &to_b, t)));
        match found {
            Some(impact) => {
                hits += 1;
                assert!(
                    truth.is_none_or(|t| impact.time <= f64::from(t)),
                    "{impact:?} {truth:?}"
                );
                assert!(
                    impact.points[0].distance(impact.points[1]) <= tolerance * 1.01
                        || impact.time == 0.0
                );
                // Nothing intersects well before the impact.
                if impact.time > 0.02 {
                    let before = (impact.time - 0.01) as f32;
                    assert!(!intersect(&at(&a, &to_a, before), &at(&b, &to_b, before)));
                }
            }
            None => {
                proofs += 1;
                assert_eq!(truth, None, "missed");
            }
        }
    }
    assert!(hits > 15 && proofs > 15, "{hits} hits, {proofs} proofs");
}

#[test]
fn a_sheet_that_folds_meets_itself() {
    let side = 9u32;
    let positions: Vec<Vec3> = (0..side * side)
        .map(|k| Vec3::new((k % side) as f32, (k / side) as f32, 0.0))
        .collect();
    let corner = (0..64u32).map(|k| k / 8 * side + k % 8);
    let triangles = corner
        .flat_map(|a| [[a, a + 1, a + side], [a + 1, a + side + 1, a + side]])
        .collect();
    // Bent at the middle so that the right half stands up, then closing onto the left half.
    let sheet = Shape {
        positions,
        triangles,
    }
    .map(|p| {
        if p.x > 4.0 {
            Vec3::new(4.0 + 0.1 * (p.x - 4.0), p.y, p.x - 4.0)
        } else {
            p
        }
    });
    let to: Vec<Vec3> = sheet
        .positions
        .iter()
        .map(|&p| {
            if p.x > 4.0 {
                Vec3::new(8.0 - p.z - 4.0, p.y, -0.5)
            } else {
                p
            }
        })
        .collect();
    let prepared = prepare(&sheet);
    let moving = |to| Moving {
        from: sheet.surface(),
        to,
        bvh: &prepared.0,
        representatives: &prepared.1,
    };
    let impact = first_impact_of_itself(moving((&to).into()), None, rule(1e-6)).unwrap();
    // A corner at height h falls to -0.5 and meets the sheet at h / (h + 0.5): the lowest, h = 1, first.
    assert!(
        impact.time <= 1.0 / 1.5 && impact.time > 1.0 / 1.5 - 1e-5,
        "{impact:?}"
    );
    assert_eq!(
        first_impact_of_itself(moving((&sheet.positions).into()), None, rule(1e-6)),
        None
    );
}

#[test]
fn bodies_that_overlap_at_the_start_say_so() {
    let a = shapes::sphere(1.0, 10, 8);
    let b = shapes::sphere(1.0, 10, 8).map(|p| p + Vec3::X * 0.5);
    let impact = ask((&a, &a.positions), (&b, &b.positions), 1e-6).unwrap();
    assert!(impact.time == 0.0);
    let empty = Shape::default();
    assert_eq!(ask((&a, &a.positions), (&empty, &[]), 1e-6), None);
}

#[test]
fn threads_do_not_change_the_impact() {
    let a = shapes::torus(1.0, 0.3, 60, 24);
    let b = shapes::torus(1.0, 0.3, 60, 24).map(|p| Vec3::new(p.x, p.z, p.y) + Vec3::Z * 2.0);
    let to = moved(&b, |p| p - Vec3::Z * 2.0);
    let (prepared_a, prepared_b) = (prepare(&a), prepare(&b));
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let ma = Moving {
            from: a.surface(),
            to: (&a.positions).into(),
            bvh: &prepared_a.0,
            representatives: &prepared_a.1,
        };
        let mb = Moving {
            from: b.surface(),
            to: (&to).into(),
            bvh: &prepared_b.0,
            representatives: &prepared_b.1,
        };
        pool.install(|| first_impact(ma, mb, rule(1e-6)))
    };
    let one = with(1);
    assert!(one.is_some());
    for threads in [2, 3, 4] {
        assert_eq!(one, with(threads));
    }
}

/// Many pairs meet during the step and some at its very beginning: the search begins again with smaller boxes, and finds the same.
#[test]
fn an_early_impact_is_the_earliest_of_the_list_to_the_last_bit() {
    let a = shapes::torus(1.0, 0.3, 30, 12);
    let b = a.clone().map(|p| p + Vec3::Z * 0.601);
    let tilted = |p: Vec3| p - Vec3::Z * (0.9 + 0.1 * p.x);
    let to = moved(&b, tilted);
    let (scene_a, scene_b) = (prepare(&a), prepare(&b));
    let (ma, mb) = (
        moving(&a, &a.positions, &scene_a),
        moving(&b, &to, &scene_b),
    );
    let both = a.clone().with(&b);
    let to: Vec<Vec3> = a.positions.iter().chain(&to).copied().collect();
    let scene = prepare(&both);
    let itself = moving(&both, &to, &scene);
    let rule = MeetingRule {
        separation: 0.0,
        start: false,
    };
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let all = impacts(ma, mb, rule);
            assert!(all.len() > 100);
            let earliest = all.into_iter().reduce(Impact::sooner);
            assert!(earliest.unwrap().time < 0.01);
            assert_eq!(first_impact(ma, mb, rule), earliest);
            let known = Neighbourhoods::new(&both.surface());
            let earliest = impacts_of_itself(itself, None, rule)
                .into_iter()
                .reduce(Impact::sooner);
            assert_eq!(first_impact_of_itself(itself, None, rule), earliest);
            let cleared = first_impact_of_itself(itself, Some(&known), rule);
            assert_eq!(cleared, earliest);
        });
    }
}

/// A small ball among triangles a million times larger was swept in the most slices that there are, again and again.
#[test]
fn a_small_body_does_not_slice_the_path_of_a_large_one() {
    let (ball, giant) = (
        shapes::sphere(1.0, 16, 10),
        shapes::sphere(1e6, 16, 10).map(|p| p * Vec3::new(1.0, 1.0, 0.5)),
    );
    let prepared = [prepare(&ball), prepare(&giant)];
    let count = |way: Vec3, shapes: &[usize]| {
        let ends = [&ball, &giant].map(|shape| moved(shape, |p| p + way));
        let moving: Vec<Moving> = shapes
            .iter()
            .map(|&k| Moving {
                from: [&ball, &giant][k].surface(),
                to: (&ends[k]).into(),
                bvh: &prepared[k].0,
                representatives: &prepared[k].1,
            })
            .collect();
        slices(sizes_moved(&moving, Vec3::ZERO))
    };
    assert_eq!(count(Vec3::X * 1e4, &[0, 1]), 1);
    assert_eq!(count(Vec3::X * 1e4, &[0]), SLICES as usize);
}

/// What is near but does not touch does not stop a step: features closer than a millionth of the size once did, at time 0.
#[test]
fn bodies_in_near_contact_are_free_to_move() {
    let floor = shapes::cuboid(Vec3::new(4.0, 4.0, 0.5), 4);
    let ball = shapes::sphere(1.0, 16, 12).map(|p| p + Vec3::new(0.7, 0.4, 1.5 + 2e-7));
    let gap = ball
        .positions
        .iter()
        .map(|p| f64::from(p.z))
        .fold(f64::INFINITY, f64::min)
        - 0.5;
    assert!(gap > 0.0 && gap < 1e-6);
    let up = moved(&ball, |p| p + Vec3::Z);
    assert_eq!(ask((&floor, &floor.positions), (&ball, &up), 0.0), None);
    let down = moved(&ball, |p| p - Vec3::Z);
    let impact = ask((&floor, &floor.positions), (&ball, &down), 0.0).unwrap();
    assert!(
        impact.time > 0.99 * gap && impact.time <= gap * (1.0 + 1e-6),
        "{impact:?} {gap}"
    );
    assert!((impact.normal - DVec3::Z).length() < 1e-9, "{impact:?}");
}
