//! Cluster boxes and spheres on the device: they hold their triangles, boxes exactly, also after the mesh deformed.

use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{Vec3, Vec3Swizzles};
use proxel::gpu::paths::DeviceFeature;
use proxel::query::clusters::ClustersQuery;
use proxel::scene::mesh::ClusterBounds;

fn check(clusters: &[ClusterBounds], order: &[u32], shape: &Shape) {
    let mut seen = vec![0; shape.triangles.len()];
    for cluster in clusters {
        assert!((1..=64).contains(&cluster.count));
        let mut low = Vec3::INFINITY;
        let mut high = Vec3::NEG_INFINITY;
        for &t in &order[cluster.first as usize..][..cluster.count as usize] {
            seen[t as usize] += 1;
            for v in shape.triangles[t as usize] {
                let p = shape.positions[v as usize];
                (low, high) = (low.min(p), high.max(p));
                let distance = p
                    .as_dvec3()
                    .distance(Vec3::from_array(cluster.center).as_dvec3());
                assert!(
                    distance <= f64::from(cluster.radius),
                    "{distance} > {}",
                    cluster.radius
                );
            }
        }
        assert_eq!(
            (cluster.min, cluster.max),
            (low.to_array(), high.to_array()),
            "the box is exact"
        );
        let half = 0.5 * (high - low).as_dvec3().length();
        assert!(
            f64::from(cluster.radius) <= 1.00001 * half + 1e-29,
            "the sphere is no larger than the box's"
        );
    }
    assert!(
        seen.iter().all(|n| *n == 1),
        "every triangle is in one cluster"
    );
}

fn deform_and_check(checked: &Checked) {
    let context = &checked.context;
    let mut shape = shapes::knot(0.25, 400, 24);
    let id = context.create_mesh(input(&shape)).unwrap();
    let mesh = context.mesh(id).unwrap();
    let batch = context.create_batch().unwrap();
    let ticket = batch.add(ClustersQuery::plan(mesh.clone())).unwrap();
    for round in 0..4 {
        let wave = |p: Vec3| p * [1.0, 1e-12, 1e9, 0.3][round] + 0.3 * p.yzx();
        shape = shape.map(wave);
        context.update_mesh(id, 0, &shape.positions).unwrap();
        // SAFETY: no semaphores; the batch is waited for.
        unsafe { batch.submit(&[], &[]) }.unwrap();
        batch.wait(u64::MAX).unwrap();
        check(&batch.answer(ticket).unwrap(), &mesh.clusters.order, &shape);
    }
    context.destroy_mesh(id).unwrap();
}

#[test]
fn clusters_hold_their_triangles_after_every_update() {
    deform_and_check(&Checked::open());
}

#[test]
fn the_shared_memory_path_holds_them_too() {
    deform_and_check(&Checked::without(DeviceFeature::Subgroups));
}

#[test]
fn one_triangle_and_a_point_are_clusters_too() {
    let checked = Checked::open();
    let mut shape = shapes::cuboid(Vec3::ONE, 1);
    shape.triangles.truncate(1);
    for scale in [1.0, 0.0, 1e-37, 1e15 / 2.0] {
        let shape = shape.clone().map(|p| p * scale);
        let id = checked.context.create_mesh(input(&shape)).unwrap();
        let mesh = checked.context.mesh(id).unwrap();
        let batch = checked.context.create_batch().unwrap();
        let ticket = batch.add(ClustersQuery::plan(mesh.clone())).unwrap();
        // SAFETY: no semaphores; the batch is waited for.
        unsafe { batch.submit(&[], &[]) }.unwrap();
        batch.wait(u64::MAX).unwrap();
        check(&batch.answer(ticket).unwrap(), &mesh.clusters.order, &shape);
        checked.context.destroy_mesh(id).unwrap();
    }
}
