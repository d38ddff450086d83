//! Scenes of many objects, and what of them is visible.

use crate::failing::fail_each;
use crate::{Bodies, STILL, input};
use fixtures::shapes;
use glam::Vec3;
use proxel::context::comparators::culling::CullMethod;
use proxel::context::scene_impacts::ObjectMove;
use proxel::geometry::continuous::impacts::MeetingRule;
use proxel::gpu::attachment::Format;
use proxel::query::visibility::{CullPath, Screen};
use proxel::scene::pose::Pose;

/// A grid of small cubes.
pub fn objects(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let scene = context.create_scene().unwrap();
    let cube = input(&shapes::cuboid(Vec3::ONE, 1));
    let small = context.create_mesh(cube).unwrap();
    let objects: Vec<u64> = (0..3000)
        .map(|i| {
            let position = Vec3::new((i % 60) as f32 * 0.9, (i / 60) as f32 * 0.9, 0.0);
            let pose = Pose { position, ..STILL };
            context.add_object(scene, small, pose).unwrap()
        })
        .collect();
    let mut refusals = fail_each("objects", || context.object_pairs(scene, 0.1, u64::MAX));
    let poses = vec![STILL; objects.len()];
    refusals += fail_each("move", || context.move_objects(scene, &objects, &poses));
    refusals
        + fail_each("add", || {
            let scene = context.create_scene()?;
            let added =
                (0..3000).try_for_each(|_| context.add_object(scene, small, STILL).map(drop));
            context.destroy_scene(scene).and(added)
        })
}

/// Triangles of two large objects.
pub fn triangles(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let scene = context.create_scene().unwrap();
    let (a, b) = bodies.fresh();
    let objects = [a, b].map(|mesh| context.add_object(scene, mesh, STILL).unwrap());
    let mut refusals = fail_each("scene", || context.scene_pairs(scene, 0.0, u64::MAX));
    refusals += fail_each("colliding", || {
        context.colliding_objects(scene, 0.0, CullMethod::Hierarchy)
    });
    let moved = bodies.shape.clone().map(|p| p * 1.01);
    let end = context.create_mesh(input(&moved)).unwrap();
    let step = ObjectMove {
        object: objects[0],
        mesh: Some(end),
        pose: STILL,
    };
    let rule = MeetingRule {
        separation: 0.0,
        start: false,
    };
    refusals += fail_each("impacts of a scene", || {
        context.scene_impacts(scene, &[step], rule)
    });
    refusals
        + fail_each("first impact of a scene", || {
            context.first_scene_impact(scene, &[step], rule)
        })
}

/// Pairs of triangles among what the device sees.
pub fn visible(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let (a, b) = bodies.fresh();
    let method = CullMethod::Visibility(Screen {
        size: [64; 2],
        depth: Format::Depth32,
        views: [true; 3],
        path: CullPath::Boxes,
    });
    fail_each("visible pairs", || {
        context.culled_pairs((a, STILL), (b, STILL), 0.0, method, u64::MAX)
    })
}
