//! Boxes on the device against double precision on the host.

use crate::support::ask::AskNow;
use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::gpu::paths::DeviceFeature;
use proxel::query::bounds::{Bounds, BoundsQuery};
use proxel::scene::pose::Pose;

/// The exact box of a shape under a pose.
fn exact(shape: &Shape, pose: &Pose) -> (DVec3, DVec3) {
    let world = shape.positions.iter().map(|p| pose.apply(p.as_dvec3()));
    world.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
        (low.min(p), high.max(p))
    })
}

fn assert_certified(bounds: Bounds, shape: &Shape, pose: &Pose) {
    let (low, high) = exact(shape, pose);
    assert!(
        bounds.min.as_dvec3().cmple(low).all(),
        "{} is above {low}",
        bounds.min
    );
    assert!(
        bounds.max.as_dvec3().cmpge(high).all(),
        "{} is below {high}",
        bounds.max
    );
    let size = (high - low).length() + pose.position.as_dvec3().length();
    let slack = (low - bounds.min.as_dvec3())
        .max(bounds.max.as_dvec3() - high)
        .max_element();
    assert!(slack <= 4e-6 * size, "{slack} too wide for {size}");
}

fn poses() -> Vec<Pose> {
    let mut poses = vec![Pose::default()];
    for i in 1..24 {
        let t = i as f32;
        poses.push(Pose {
            position: Vec3::new(t, -0.3 * t * t, 1000.0 / t),
            rotation: Quat::from_rotation_y(0.7 * t) * Quat::from_rotation_x(1.3 * t),
            ..Pose::default()
        });
    }
    poses
}

fn check_all(checked: &Checked) {
    let shapes = [
        shapes::sphere(1.0, 8, 5),
        shapes::torus(2.0, 0.5, 65, 33),
        shapes::cuboid(Vec3::new(1e-6, 3e-6, 2e-6), 1),
        shapes::knot(0.2, 700, 30).map(|p| p * 1e6),
    ];
    let context = &checked.context;
    let batch = context.create_batch().unwrap();
    let mut asked = Vec::new();
    for shape in &shapes {
        let id = context.create_mesh(input(shape)).unwrap();
        for pose in poses() {
            asked.push((
                batch
                    .add(BoundsQuery::plan(context.mesh(id).unwrap(), pose).unwrap())
                    .unwrap(),
                shape,
                pose,
            ));
        }
        context.destroy_mesh(id).unwrap();
    }
    // SAFETY: no semaphores; the batch is waited for.
    unsafe { batch.submit(&[], &[]) }.unwrap();
    batch.wait(u64::MAX).unwrap();
    for (ticket, shape, pose) in &asked {
        assert_certified(batch.answer(*ticket).unwrap(), shape, pose);
    }
}

#[test]
fn boxes_hold_every_vertex_and_little_else() {
    check_all(&Checked::open());
}

#[test]
fn the_shared_memory_path_gives_the_same() {
    check_all(&Checked::without(DeviceFeature::Subgroups));
}

#[test]
fn under_the_identity_the_box_is_exact() {
    let checked = Checked::open();
    let shape = shapes::knot(0.3, 200, 20);
    let id = checked.context.create_mesh(input(&shape)).unwrap();
    let bounds = checked.context.bounds(id, Pose::default()).unwrap();
    let (low, high) = exact(&shape, &Pose::default());
    assert_eq!((bounds.min.as_dvec3(), bounds.max.as_dvec3()), (low, high));
    checked.context.destroy_mesh(id).unwrap();
}

#[test]
fn the_same_question_has_the_same_bits_every_time() {
    let checked = Checked::open();
    let id = checked
        .context
        .create_mesh(input(&shapes::knot(0.3, 300, 40)))
        .unwrap();
    let pose = poses()[7];
    let first = checked.context.bounds(id, pose).unwrap();
    for _ in 0..100 {
        assert_eq!(checked.context.bounds(id, pose).unwrap(), first);
    }
    checked.context.destroy_mesh(id).unwrap();
}

#[test]
fn updates_of_a_part_move_only_that_part() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut shape = shapes::sphere(1.0, 40, 30);
    let id = context.create_mesh(input(&shape)).unwrap();
    for round in 0..20u32 {
        let first = (37 * round) as usize % (shape.positions.len() - 50);
        let moved: Vec<Vec3> = shape.positions[first..first + 50]
            .iter()
            .map(|p| *p * 1.5 + Vec3::X)
            .collect();
        shape.positions[first..first + 50].copy_from_slice(&moved);
        context.update_mesh(id, first as u32, &moved).unwrap();
        if round % 3 == 0 {
            assert_certified(
                context.bounds(id, Pose::default()).unwrap(),
                &shape,
                &Pose::default(),
            );
        }
    }
    assert_certified(context.bounds(id, poses()[3]).unwrap(), &shape, &poses()[3]);
    context.destroy_mesh(id).unwrap();
}

/// Enough to go by clusters, and asked often enough that the clusters are refitted for it.
fn ask_often(checked: &Checked, id: u64, shape: &Shape) {
    for pose in [poses()[5], Pose::default()] {
        let first = checked.context.bounds(id, pose).unwrap();
        assert_certified(first, shape, &pose);
        for _ in 0..12 {
            assert_eq!(checked.context.bounds(id, pose).unwrap(), first);
        }
    }
}

#[test]
fn clusters_of_older_positions_are_not_trusted() {
    let checked = Checked::open();
    let mut shape = shapes::knot(0.3, 900, 45);
    let id = checked.context.create_mesh(input(&shape)).unwrap();
    for round in 0..3 {
        ask_often(&checked, id, &shape);
        let moved = shape.positions[1000 * round] + Vec3::new(20.0, -30.0, 40.0);
        shape.positions[1000 * round] = moved;
        checked
            .context
            .update_mesh(id, 1000 * round as u32, &[moved])
            .unwrap();
    }
    ask_often(&checked, id, &shape);
    checked.context.destroy_mesh(id).unwrap();
}

#[test]
fn a_vertex_of_no_triangle_counts() {
    let checked = Checked::open();
    let mut shape = shapes::torus(2.0, 0.5, 300, 150);
    shape.positions.push(Vec3::new(7.0, 8.0, -9.0));
    let id = checked.context.create_mesh(input(&shape)).unwrap();
    ask_often(&checked, id, &shape);
    checked.context.destroy_mesh(id).unwrap();
}
