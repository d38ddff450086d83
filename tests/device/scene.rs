//! Scenes through a context: what moves is followed, and every pair of objects and of triangles is found.

use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::context::scene_impacts::ObjectMove;
use proxel::error::Error;
use proxel::geometry::continuous::impacts::MeetingRule;
use proxel::geometry::random::Random;
use proxel::scene::pose::Pose;

fn anywhere(random: &mut Random, reach: f32) -> Pose {
    Pose {
        position: random.in_cube_f32() * reach,
        rotation: Quat::from_scaled_axis(random.in_cube_f32() * 3.0),
        ..Pose::default()
    }
}

/// The box of a shape in the world, from every vertex in double precision.
fn tight_box(shape: &Shape, pose: &Pose) -> (DVec3, DVec3) {
    let mut bounds = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for p in &shape.positions {
        let p = pose.apply(p.as_dvec3());
        bounds = (bounds.0.min(p), bounds.1.max(p));
    }
    bounds
}

/// A box around the moved corners of the shape's own box: what no broad phase should exceed.
fn loose_box(shape: &Shape, pose: &Pose) -> (DVec3, DVec3) {
    let (low, high) = tight_box(shape, &Pose::default());
    let mut bounds = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for corner in 0..8 {
        let pick = |axis: usize| [low[axis], high[axis]][corner >> axis & 1];
        let p = pose.apply(DVec3::new(pick(0), pick(1), pick(2)));
        bounds = (bounds.0.min(p), bounds.1.max(p));
    }
    bounds
}

fn apart(a: (DVec3, DVec3), b: (DVec3, DVec3)) -> f64 {
    (a.0 - b.1).max(b.0 - a.1).max_element()
}

struct Thing {
    object: u64,
    shape: usize,
    pose: Pose,
}

/// All that must hold of a scene: the broad phase misses no pair of tight boxes, and its triangles are those of each pair alone.
fn check(context: &Context, scene: u64, things: &[Thing], shapes: &[(Shape, u64)], within: f64) {
    let near = context.object_pairs(scene, within, u64::MAX).unwrap();
    assert_eq!(
        near,
        context
            .object_pairs(scene, within, near.len() as u64)
            .unwrap()
    );
    let mut expected = Vec::new();
    for (i, a) in things.iter().enumerate() {
        for b in &things[i + 1..] {
            let gap = |around: fn(&Shape, &Pose) -> (DVec3, DVec3)| {
                apart(
                    around(&shapes[a.shape].0, &a.pose),
                    around(&shapes[b.shape].0, &b.pose),
                )
            };
            let listed = near
                .iter()
                .any(|pair| *pair == [a.object, b.object] || *pair == [b.object, a.object]);
            assert!(listed || gap(tight_box) > within, "a pair is missed");
            assert!(
                !listed || gap(loose_box) < within + 1e-5,
                "a pair that is far apart is listed"
            );
            let ends = [a, b].map(|t| (shapes[t.shape].1, t.pose));
            let pairs = context.pairs(ends[0], ends[1], within, u64::MAX).unwrap();
            expected.push((a.object.min(b.object), a.object.max(b.object), pairs.len()));
        }
    }
    let found = context.scene_pairs(scene, within, u64::MAX).unwrap();
    for (a, b, count) in expected {
        let here = found.iter().filter(|p| {
            let [i, j] = p.objects;
            (i.min(j), i.max(j)) == (a, b)
        });
        assert_eq!(here.count(), count);
    }
    assert!(found.iter().all(|p| p.found.pair.distance <= within));
    if let Some(short) = (found.len() as u64).checked_sub(1) {
        match context.scene_pairs(scene, within, short) {
            Err(Error::BufferTooSmall { needed, .. }) => assert_eq!(needed, short + 1),
            other => panic!("{:?}", other.map(|pairs| pairs.len())),
        }
        assert_eq!(
            context.scene_pairs(scene, within, short + 1).unwrap(),
            found
        );
    }
}

#[test]
fn a_crowd_that_comes_moves_and_goes_is_followed() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut random = Random::new(80);
    let shapes: Vec<(Shape, u64)> = [
        shapes::torus(0.7, 0.2, 12, 6),
        shapes::cuboid(Vec3::new(0.9, 0.2, 0.4), 1),
        shapes::sphere(0.8, 8, 6),
    ]
    .into_iter()
    .map(|shape| {
        let id = context.create_mesh(input(&shape)).unwrap();
        (shape, id)
    })
    .collect();
    let scene = context.create_scene().unwrap();
    let mut things: Vec<Thing> = Vec::new();
    for step in 0..8 {
        for _ in 0..[20, 3, 0, 7][step % 4] {
            let (shape, pose) = (random.below(3), anywhere(&mut random, 4.0));
            let object = context.add_object(scene, shapes[shape].1, pose).unwrap();
            things.push(Thing {
                object,
                shape,
                pose,
            });
        }
        check(context, scene, &things, &shapes, [0.0, 0.3][step % 2]);
        let moving: Vec<usize> = (0..things.len()).filter(|_| random.below(2) == 0).collect();
        for &i in &moving {
            things[i].pose = anywhere(&mut random, 4.0);
        }
        let ids: Vec<u64> = moving.iter().map(|&i| things[i].object).collect();
        let poses: Vec<Pose> = moving.iter().map(|&i| things[i].pose).collect();
        context.move_objects(scene, &ids, &poses).unwrap();
        for _ in 0..3 {
            let gone = things.swap_remove(random.below(things.len()));
            context.remove_object(scene, gone.object).unwrap();
        }
        check(context, scene, &things, &shapes, 0.0);
    }
    context.destroy_scene(scene).unwrap();
    for (_, id) in shapes {
        context.destroy_mesh(id).unwrap();
    }
}

#[test]
fn a_mesh_that_deforms_takes_its_objects_along() {
    let checked = Checked::open();
    let context = &checked.context;
    let ball = shapes::sphere(1.0, 10, 6);
    let id = context.create_mesh(input(&ball)).unwrap();
    let scene = context.create_scene().unwrap();
    for x in [0.0, 3.0, 6.0] {
        let pose = Pose {
            position: Vec3::new(x, 0.0, 0.0),
            ..Pose::default()
        };
        context.add_object(scene, id, pose).unwrap();
    }
    // Balls of radius r in a row, 3 apart: neighbours meet from 1.5 on, the outer two from 3 on.
    for (radius, pairs) in [(1.0, 0), (1.6, 2), (1.4, 0), (3.2, 3), (0.1, 0)] {
        let positions: Vec<Vec3> = ball.positions.iter().map(|&p| p * radius).collect();
        context.update_mesh(id, 0, &positions).unwrap();
        assert_eq!(context.object_pairs(scene, 0.0, 9).unwrap().len(), pairs);
    }
    context.destroy_scene(scene).unwrap();
    context.destroy_mesh(id).unwrap();
}

/// Where a shape is under a pose whose rotation and position lose nothing in floats.
fn placed(shape: &Shape, pose: &Pose) -> Shape {
    shape.clone().map(|p| pose.apply(p.as_dvec3()).as_vec3())
}

/// A pose that is exact in floats, for shapes on a lattice.
fn exact_pose(random: &mut Random, reach: i32) -> Pose {
    let rotations = [
        Quat::IDENTITY,
        Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
    ];
    let rotation = rotations[random.below(3)];
    let mut place = || (random.below(2 * reach as usize + 1) as i32 - reach) as f32 / 8.0;
    Pose {
        position: Vec3::new(place(), place(), place()),
        rotation,
        ..Pose::default()
    }
}

#[test]
fn impacts_of_a_scene_are_those_of_its_pairs() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut random = Random::new(163);
    let on_lattice = |shape: Shape| shape.map(|p| (p * 64.0).round() / 64.0);
    let shape = on_lattice(shapes::torus(1.0, 0.4, 9, 6));
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let [mut listed, mut of_themselves] = [0; 2];
    for round in 0..10 {
        let rule = MeetingRule {
            separation: [0.0, 0.125][round % 2],
            start: round % 3 == 0,
        };
        let scene = context.create_scene().unwrap();
        let (mut moves, mut ways) = (Vec::new(), Vec::new());
        for k in 0..7 {
            let from = exact_pose(&mut random, 20);
            let object = context.add_object(scene, mesh, from).unwrap();
            let mut end = shape.clone();
            let deforms = k % 3 == 2;
            if deforms {
                let scale = Vec3::new(1.0, 0.5 - random.below(3) as f32, 1.5);
                end = shape.clone().map(|p| p * scale);
            }
            // Every fourth object rests.
            let to = if k % 4 == 3 {
                from
            } else {
                exact_pose(&mut random, 20)
            };
            let target = context.create_mesh(input(&end)).unwrap();
            if k % 4 != 3 {
                moves.push(ObjectMove {
                    object,
                    mesh: deforms.then_some(target),
                    pose: to,
                });
            }
            let ends = [placed(&shape, &from), placed(&end, &to)]
                .map(|there| context.create_mesh(input(&there)).unwrap());
            ways.push((object, ends, k % 4 != 3, deforms));
        }
        let mut expected = Vec::new();
        for (i, a) in ways.iter().enumerate() {
            if a.3 {
                let alone = context.impacts_of_itself(a.1, rule).unwrap();
                of_themselves += alone.len();
                expected.extend(alone.into_iter().map(|impact| ([a.0; 2], impact)));
            }
            for b in &ways[i + 1..] {
                if a.2 || b.2 {
                    let both = context.impacts(a.1, b.1, rule).unwrap();
                    expected.extend(both.into_iter().map(|impact| ([a.0, b.0], impact)));
                }
            }
        }
        let found = context.scene_impacts(scene, &moves, rule).unwrap();
        let found: Vec<_> = found.into_iter().map(|f| (f.objects, f.impact)).collect();
        assert_eq!(found.len(), expected.len());
        for ((objects, impact), (named, alone)) in found.iter().zip(&expected) {
            assert_eq!((objects, impact.features), (named, alone.features));
            // Hierarchies differ, and with them which edge of a pair comes first.
            assert!((impact.time - alone.time).abs() < 1e-12);
        }
        let earliest = found.iter().map(|(_, impact)| impact.time).reduce(f64::min);
        let first = context.first_scene_impact(scene, &moves, rule).unwrap();
        assert_eq!(first.map(|first| first.impact.time), earliest);
        if let Some(first) = first {
            let at_once = found
                .iter()
                .find(|(_, impact)| Some(impact.time) == earliest);
            assert_eq!(
                (first.objects, first.impact.features),
                at_once.map(|(o, i)| (*o, i.features)).unwrap()
            );
        }
        listed += found.len();
        context.destroy_scene(scene).unwrap();
    }
    assert!(
        listed > 1000 && of_themselves > 10,
        "{listed} {of_themselves}"
    );
}
