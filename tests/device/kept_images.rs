//! Images that stay with rigid meshes: what is certain by them is true in every pose, and they are made once.

use crate::support::{Checked, input, surface};
use fixtures::shapes::{self, Shape};
use glam::{Quat, Vec3};
use proxel::geometry::random::Random;
use proxel::geometry::sign::winding::Winding;
use proxel::query::contains::{Containment, ContainsQuery};
use proxel::query::ldi::{LdiOptions, RayResolution};
use proxel::scene::mesh::MeshInput;
use proxel::scene::pose::Pose;

fn kept(side: u32) -> LdiOptions {
    LdiOptions {
        resolution: RayResolution::Pixels(side),
        kept: true,
        ..LdiOptions::default()
    }
}

fn rigid(shape: &Shape) -> MeshInput {
    MeshInput {
        deforming: false,
        ..input(shape)
    }
}

fn pose(random: &mut Random, reach: f32) -> Pose {
    let axis = random.in_cube_f32().normalize();
    Pose {
        position: reach * random.in_cube_f32(),
        rotation: Quat::from_axis_angle(axis, 3.0 * random.signed() as f32),
        ..Pose::default()
    }
}

/// Checks what is certain against winding numbers; gives how many points are near the surface.
fn check(winding: &Winding, pose: Pose, points: &[Vec3], found: &[Containment]) -> usize {
    assert_eq!(found.len(), points.len());
    for (point, answer) in points.iter().zip(found) {
        let inside = winding.encloses(pose.unapply(point.as_dvec3()));
        assert!(answer.near || answer.inside == inside, "{point} {pose:?}");
    }
    found.iter().filter(|answer| answer.near).count()
}

#[test]
fn one_image_answers_in_every_pose() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut random = Random::new(8);
    for (shape, side) in [
        (shapes::knot(0.5, 120, 16), 64),
        // Rays of more crossings than slots.
        (
            shapes::torus(2.0, 0.3, 80, 16).with(&shapes::sphere(0.9, 20, 12)),
            17,
        ),
    ] {
        let id = context.create_mesh(rigid(&shape)).unwrap();
        let winding = Winding::build(surface(&shape));
        for round in 0..6 {
            let pose = pose(&mut random, 100.0);
            let mut points: Vec<Vec3> = (0..1500)
                .map(|_| pose.position + 3.0 * random.in_cube_f32())
                .collect();
            let on_surface = (shape.positions.iter()).map(|p| pose.apply(p.as_dvec3()).as_vec3());
            points.extend(on_surface.take(300));
            let before = context.device().counts().dispatches;
            let found = context.contains((id, pose), &points, kept(side), false);
            let near = check(&winding, pose, &points, &found.unwrap());
            assert!((100..points.len() / 2).contains(&near), "{near}");
            // Later ones look up, and do nothing else.
            let now = context.device().counts().dispatches;
            assert!(round == 0 || now - before == 1, "{round}: {}", now - before);
            let exact = context
                .contains((id, pose), &points, kept(side), true)
                .unwrap();
            assert_eq!(check(&winding, pose, &points, &exact), 0);
            // A batch uses what is kept.
            let batch = context.create_batch().unwrap();
            let placed = (context.mesh(id).unwrap(), pose);
            let query = ContainsQuery::plan(batch.resources(), placed, &points, kept(side));
            let ticket = batch.add(query.unwrap()).unwrap();
            // SAFETY: no semaphores; the batch is waited for.
            unsafe { batch.submit(&[], &[]) }.unwrap();
            batch.wait(u64::MAX).unwrap();
            check(&winding, pose, &points, &batch.answer(ticket).unwrap());
        }
        context.destroy_mesh(id).unwrap();
    }
}

#[test]
fn another_def_makes_another_image_and_what_deforms_keeps_none() {
    let checked = Checked::open();
    let context = &checked.context;
    let ball = shapes::sphere(1.0, 60, 40);
    let id = context.create_mesh(rigid(&ball)).unwrap();
    let points: Vec<Vec3> = (0..2000)
        .map(|i| Vec3::X * (0.001 * i as f32) + 0.01 * Vec3::Y)
        .collect();
    let near = |side: u32| {
        let at = (id, Pose::default());
        let found = context.contains(at, &points, kept(side), false).unwrap();
        for (point, answer) in points.iter().zip(&found) {
            // Within the sagitta of its facets it is a ball.
            let distance = point.length() - 1.0;
            let expected =
                answer.near || distance.abs() < 0.01 || answer.inside == (distance < 0.0);
            assert!(expected, "{point} {side}");
        }
        found.iter().filter(|answer| answer.near).count()
    };
    // Finer rays leave fewer in doubt; a coarser image in between is not mixed up with them.
    let [coarse, fine, again] = [16, 128, 16].map(near);
    assert!(fine < coarse && again == coarse, "{coarse} {fine} {again}");
    // An empty image in a tiny memory is refused, and the one that was kept still answers.
    let tight = LdiOptions {
        memory: 100_000,
        ..kept(64)
    };
    assert!(
        context
            .contains((id, Pose::default()), &points, tight, false)
            .is_err()
    );
    assert_eq!(near(16), coarse);
    context.destroy_mesh(id).unwrap();
    let soft = context.create_mesh(input(&ball)).unwrap();
    let refused = context.contains((soft, Pose::default()), &points, kept(16), false);
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("PRX_MESH_DEFORMING")
    );
    context.destroy_mesh(soft).unwrap();
}
