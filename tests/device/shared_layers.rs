//! What two meshes share as stretches of rays: where they start and end, on what triangles of which mesh, and that none is missing.

use crate::support::{Checked, input, on_host, surface};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::error::Error;
use proxel::geometry::sign::winding::Winding;
use proxel::geometry::triangle::closest::on_triangle;
use proxel::query::layers::{Layers, LayersQuery};
use proxel::query::ldi::{Generator, LdiOptions, RayResolution, Rays};
use proxel::query::volume::{IntersectionVolume, VolumeQuery};
use proxel::scene::pose::Pose;

/// The stretches and the volume of two bodies, by the same rays.
fn shared(
    checked: &Checked,
    bodies: [(&Shape, Pose); 2],
    options: LdiOptions,
    room: u32,
) -> Result<(Layers, IntersectionVolume), Error> {
    let context = &checked.context;
    let ids = bodies.map(|(shape, _)| context.create_mesh(input(shape)).unwrap());
    let [a, b] = [0, 1].map(|i| (context.mesh(ids[i]).unwrap(), bodies[i].1));
    let batch = context.create_batch().unwrap();
    let both = [a.clone(), b.clone()];
    let layers = batch.add(LayersQuery::shared(batch.resources(), both, options, room)?)?;
    let volume = batch.add(VolumeQuery::plan(batch.resources(), a, b, options)?)?;
    // SAFETY: no semaphores; the batch is waited for.
    unsafe { batch.submit(&[], &[]) }.unwrap();
    batch.wait(u64::MAX).unwrap();
    for id in ids {
        context.destroy_mesh(id).unwrap();
    }
    Ok((batch.answer(layers)?, batch.answer(volume)?))
}

fn pixels(side: u32) -> LdiOptions {
    LdiOptions {
        resolution: RayResolution::Pixels(side),
        ..LdiOptions::default()
    }
}

fn at(position: Vec3) -> Pose {
    Pose {
        position,
        ..Pose::default()
    }
}

/// The volume of all stretches, each as wide as its pixel.
fn volume_of(image: &Layers) -> f64 {
    let lengths = image.layers.iter();
    let sum: f64 = lengths.map(|l| l.ends[0].distance(l.ends[1])).sum();
    sum * image.spacing[0] * image.spacing[1]
}

#[test]
fn boxes_share_stretches_between_the_faces_that_bound_them() {
    let checked = Checked::open();
    // The second stands higher: along z it is entered, and the first is left.
    let (a, b) = (
        shapes::cuboid(Vec3::ONE, 1),
        shapes::cuboid(Vec3::splat(0.5), 1),
    );
    let bodies = [
        (&a, at(Vec3::ZERO)),
        (&b, at(Vec3::new(0.25, -0.125, 0.75))),
    ];
    let options = LdiOptions {
        rays: Rays::Along(2),
        ..pixels(16)
    };
    let (image, volume) = shared(&checked, bodies, options, 4096).unwrap();
    assert_eq!(image.layers.len(), 16 * 16);
    assert_eq!((image.axis, image.flawed), (2, 0));
    for layer in &image.layers {
        assert!((layer.ends[0].z - 0.25).abs() < 1e-5, "{layer:?}");
        assert!((layer.ends[1].z - 1.0).abs() < 1e-5, "{layer:?}");
        assert_eq!((layer.meshes, layer.winding), ([1, 0], 1));
        let [below, above] = [0, 1].map(|end| {
            let shape = [&b, &a][end];
            shape.triangles[layer.triangles[end] as usize].map(|v| shape.positions[v as usize].z)
        });
        assert_eq!((below, above), ([-0.5; 3], [1.0; 3]));
    }
    assert!((volume_of(&image) - 0.75).abs() < 1e-4);
    assert!(volume.lower <= 0.75 && 0.75 <= volume.upper);
    // Swapped, the meshes' numbers are swapped; with one inside the other both ends are of that one.
    let (swapped, _) = shared(&checked, [bodies[1], bodies[0]], options, 4096).unwrap();
    assert!(swapped.layers.iter().all(|l| l.meshes == [0, 1]));
    let inside = [bodies[0], (&b, at(Vec3::ZERO))];
    let (within, _) = shared(&checked, inside, options, 4096).unwrap();
    assert!(within.layers.iter().all(|l| l.meshes == [1, 1]));
    assert!((volume_of(&within) - 1.0).abs() < 1e-4);
    let apart = [bodies[0], (&b, at(Vec3::splat(3.0)))];
    let (nothing, _) = shared(&checked, apart, options, 4096).unwrap();
    assert!(nothing.layers.is_empty());
}

#[test]
fn stretches_lie_in_both_bodies_end_on_their_triangles_and_add_up_to_the_volume() {
    let checked = Checked::open();
    let (knot, torus) = (shapes::knot(0.5, 90, 12), shapes::torus(1.6, 0.6, 40, 20));
    let poses = [
        Pose {
            position: Vec3::new(0.3, 0.1, -0.2),
            rotation: Quat::from_rotation_x(0.4),
            ..Pose::default()
        },
        Pose {
            position: Vec3::new(-0.2, 0.3, 0.1),
            rotation: Quat::from_rotation_y(1.1),
            ..Pose::default()
        },
    ];
    let shapes = [&knot, &torus];
    let bodies = [0, 1].map(|i| (shapes[i], poses[i]));
    let windings = shapes.map(|shape| Winding::build(surface(shape)));
    let inside = |p: DVec3, mesh: usize| windings[mesh].encloses(poses[mesh].unapply(p));
    for options in [
        pixels(48),
        LdiOptions {
            trusted: true,
            rays: Rays::Along(0),
            ..pixels(33)
        },
    ] {
        let (image, volume) = shared(&checked, bodies, options, 1 << 14).unwrap();
        assert!(image.layers.len() > 100, "{}", image.layers.len());
        let both: u32 = image.layers.iter().map(|l| l.meshes[0] ^ l.meshes[1]).sum();
        assert!(both > 50, "{both}");
        for layer in &image.layers {
            let [from, to] = layer.ends;
            for (end, (triangle, mesh)) in
                (layer.ends.iter()).zip(layer.triangles.into_iter().zip(layer.meshes))
            {
                let (shape, pose) = bodies[mesh as usize];
                let corners = shape.triangles[triangle as usize]
                    .map(|v| pose.apply(shape.positions[v as usize].as_dvec3()));
                let (nearest, _) = on_triangle(*end, corners);
                assert!(nearest.distance(*end) < 1e-4, "{layer:?}");
            }
            // Thinner ones can be rounding.
            if from.distance(to) > 1e-3 {
                let middle = 0.5 * (from + to);
                assert!(inside(middle, 0) && inside(middle, 1), "{layer:?}");
            }
        }
        // In a row of one ray, what lies between two stretches is not inside both.
        for pair in image.layers.windows(2) {
            if pair[0].pixel == pair[1].pixel && pair[0].ends[1].distance(pair[1].ends[0]) > 1e-3 {
                let between = 0.5 * (pair[0].ends[1] + pair[1].ends[0]);
                assert!(!inside(between, 0) || !inside(between, 1), "{pair:?}");
            }
        }
        let sum = volume_of(&image);
        assert!(
            (sum - volume.volume).abs() < 1e-4 * volume.volume,
            "{sum} {volume:?}"
        );
        // Too little room tells how much is needed.
        match shared(&checked, bodies, options, 10) {
            Err(Error::BufferTooSmall {
                given: 10, needed, ..
            }) => assert_eq!(needed, image.layers.len() as u64),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn rays_through_many_walls_share_as_many_stretches() {
    let checked = Checked::open();
    // Twelve plates across one bar: the rays along the bar keep lists.
    let plate = shapes::cuboid(Vec3::new(1.0, 1.0, 0.1), 1);
    let stack = (1..12).fold(plate.clone(), |stack, k| {
        stack.with(&plate.clone().map(|p| p + Vec3::Z * 0.5 * k as f32))
    });
    let bar = shapes::cuboid(Vec3::new(0.5, 0.5, 9.0), 1);
    let options = LdiOptions {
        rays: Rays::Along(2),
        ..pixels(8)
    };
    let bodies = [(&stack, Pose::default()), (&bar, Pose::default())];
    let (image, _) = shared(&checked, bodies, options, 4096).unwrap();
    assert_eq!(image.layers.len(), 12 * 8 * 8);
    assert!(image.layers.iter().all(|l| l.meshes == [0, 0]));
    assert!((volume_of(&image) - 12.0 * 0.2).abs() < 1e-3);
    // Lists that are drawn hold the same crossings.
    if !on_host() {
        let drawn = LdiOptions {
            generator: Generator::Lists,
            ..options
        };
        assert_eq!(shared(&checked, bodies, drawn, 4096).unwrap().0, image);
    }
}
