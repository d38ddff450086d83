//! Contacts where edges of both bodies cross: the edges tell where these are, whatever the field's cells.

use crate::contacts::near;
use crate::contacts_truth::{CELLS, DEPTH, EXACT, miss, solid};
use crate::support::Checked;
use crate::support::ask::AskNow;
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::query::contacts::ContactOptions;
use std::f64::consts::TAU;

/// Where edges cross, they tell where the contact is, whatever the field's cells. In the other body the surface is level up to where a side
/// of that is as near as its top: as far from the corner as it is deep, along an edge that crosses at an angle of 45 degrees the farthest.
#[test]
fn boxes_on_each_other_touch_at_the_corners_of_what_they_share() {
    let checked = Checked::open();
    let context = &checked.context;
    let cuboid = shapes::cuboid(Vec3::splat(0.5), 1);
    let rectangle = [[-0.2, -0.3], [0.5, -0.3], [0.5, 0.5], [-0.2, 0.5]];
    // A regular octagon around a circle of radius 0.5.
    let radius = 0.5 / (TAU / 16.0).cos();
    let octagon = (0..8).map(|k| {
        let (sin, cos) = (TAU / 16.0 * f64::from(2 * k + 1)).sin_cos();
        [radius * cos, radius * sin]
    });
    let eighth = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
    for (shift, rotation, corners) in [
        (
            DVec3::new(0.3, 0.2, 0.0),
            Quat::IDENTITY,
            rectangle.to_vec(),
        ),
        (DVec3::ZERO, eighth, octagon.collect()),
    ] {
        for (separation, cells) in [DEPTH, -DEPTH]
            .into_iter()
            .flat_map(|s| CELLS.map(|n| (s, n)))
        {
            let lower = solid(context, &cuboid, cells);
            let mut upper = lower.clone();
            upper.position = shift + (1.0 + separation) * DVec3::Z;
            upper.rotation = rotation;
            let expected: Vec<_> = (corners.iter())
                .map(|&[x, y]| DVec3::new(x, y, 0.5 + separation))
                .collect();
            let options = ContactOptions {
                points: expected.len() as u32,
                ..near(2.0 * DEPTH as f32)
            };
            let manifold = context.contacts([lower, upper], options).unwrap();
            let found = &manifold.contacts;
            let miss = miss(found, &expected, separation);
            let about = format!("{separation} at {cells}: {miss:?}, {found:?}");
            assert_eq!(found.len(), expected.len(), "{about}");
            assert_eq!(manifold.patches.len(), 1, "{about}");
            let inside = (-separation).max(0.0) * 2.0_f64.sqrt();
            assert!(miss.place < inside + EXACT, "{about}");
            assert!(miss.normal < EXACT, "{about}");
            assert!(miss.separation < EXACT, "{about}");
        }
    }
}

/// Two boxes on their edges, which cross at an angle. In each other, the nearest points are in the faces beside the edges, at half a right angle.
#[test]
fn edges_that_cross_touch_where_they_cross() {
    let checked = Checked::open();
    let context = &checked.context;
    let cuboid = shapes::cuboid(Vec3::splat(0.5), 1);
    let on_edge = Quat::from_rotation_x(std::f32::consts::FRAC_PI_4);
    let height = 0.5_f64.sqrt();
    let crossing = DVec3::new(0.1234, -0.0678, 0.0);
    let cases = CELLS.map(|cells| (cells, [1.0, 1.0])).into_iter();
    let cases = cases.chain([(64, [2.5, 0.5])]);
    for (separation, (cells, scales)) in
        cases.flat_map(|case| [DEPTH, -DEPTH].map(|separation| (separation, case)))
    {
        let mut lower = solid(context, &cuboid, cells);
        let mut upper = lower.clone();
        (lower.scale, upper.scale) = (scales[0], scales[1]);
        let heights = scales.map(|scale| f64::from(scale) * height);
        lower.rotation = on_edge;
        lower.position = DVec3::new(0.0, crossing.y, -heights[0]);
        upper.rotation = Quat::from_rotation_z(1.2) * on_edge;
        upper.position = crossing + (heights[1] + separation) * DVec3::Z;
        let found = context.contacts([lower, upper], near(2.0 * DEPTH as f32));
        let found = found.unwrap().contacts;
        let about = format!("{separation} at {cells}, {scales:?}: {found:?}");
        assert_eq!(found.len(), 1, "{about}");
        let c = &found[0];
        assert!(c.normal.distance(DVec3::Z) < EXACT, "{about}");
        let points = match c.on_b {
            true => [c.world_b, crossing + separation * DVec3::Z],
            false => [c.world_a, crossing],
        };
        assert!(points[0].distance(points[1]) < EXACT, "{about}");
        let exact = separation.max(separation / 2.0_f64.sqrt());
        let [low, high] = c.bounds.map(f64::from);
        assert!(low <= exact && exact <= high, "{about}");
        let off = (f64::from(c.separation) - separation).abs();
        assert!(separation < 0.0 || off < EXACT, "{about}");
    }
}

/// 81 boxes on their edges, each with one on it that is turned: more edges that cross than a workgroup has lanes. What is found of the pairs of
/// edges from either side is where they cross, and nothing else is found.
#[test]
fn many_edges_that_cross_touch_where_they_cross() {
    let checked = Checked::open();
    let context = &checked.context;
    let (half, turn) = (0.3_f32, 1.2_f32);
    let on_edge = Quat::from_rotation_x(std::f32::consts::FRAC_PI_4);
    let middles: Vec<Vec3> = (0..81)
        .map(|i| 0.86 * Vec3::new((i % 9) as f32 - 4.0, (i / 9) as f32 - 4.0, 0.0))
        .collect();
    let boxes = |turn: Quat| {
        let one = |middle: &Vec3| shapes::cuboid(Vec3::splat(half), 1).map(|p| *middle + turn * p);
        (middles.iter().map(one)).fold(Shape::default(), |all, one| all.with(&one))
    };
    let lower = solid(context, &boxes(on_edge), 96);
    let mut upper = solid(context, &boxes(Quat::from_rotation_z(turn) * on_edge), 96);
    let height = f64::from(half) * 2.0_f64.sqrt();
    upper.position = DVec3::new(0.0234, 0.0178, 2.0 * height + DEPTH);
    // The lower edges are along the x axis, the upper ones at an angle to it.
    let aside = upper.position.x - upper.position.y / f64::from(turn).tan();
    let expected: Vec<DVec3> = (middles.iter())
        .map(|middle| middle.as_dvec3() + DVec3::new(aside, 0.0, height + DEPTH))
        .collect();
    let options = ContactOptions {
        points: 0,
        ..near(2.0 * DEPTH as f32)
    };
    let found = context.contacts([lower, upper], options).unwrap().contacts;
    let miss = miss(&found, &expected, DEPTH);
    assert_eq!(found.len(), 2 * expected.len(), "{miss:?}");
    // Of bodies that are seven long.
    assert!(miss.place < 7.0 * EXACT, "{miss:?}");
    assert!(miss.normal < EXACT && miss.separation < EXACT, "{miss:?}");
    for c in &found {
        let far = expected.iter().map(|place| place.distance(c.world_b));
        assert!(far.fold(f64::MAX, f64::min) < 7.0 * EXACT, "{c:?}");
        assert!((f64::from(c.separation) - DEPTH).abs() < EXACT, "{c:?}");
    }
}
