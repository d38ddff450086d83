//! The three ways of making layered depth images give the same spans, bit for bit.

use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{Quat, Vec3};
use proxel::error::Error;
use proxel::gpu::paths::DeviceFeature;
use proxel::query::layers::{Layers, LayersQuery, Stretches};
use proxel::query::ldi::{Generator, LdiOptions, RayResolution, Rays};
use proxel::query::volume::{IntersectionVolume, VolumeQuery};
use proxel::scene::pose::Pose;

const GENERATORS: [Generator; 3] = [Generator::Compute, Generator::Lists, Generator::Stencil];

fn options(generator: Generator, side: u32) -> LdiOptions {
    LdiOptions {
        generator,
        resolution: RayResolution::Pixels(side),
        ..LdiOptions::default()
    }
}

/// The spans of a shape and its volume in common with another.
fn ask(
    checked: &Checked,
    shape: &Shape,
    other: &Shape,
    pose: Pose,
    options: LdiOptions,
) -> Result<(Layers, IntersectionVolume), Error> {
    let context = &checked.context;
    let ids = [shape, other].map(|shape| context.create_mesh(input(shape)).unwrap());
    let [mesh, with] = ids.map(|id| context.mesh(id).unwrap());
    let batch = context.create_batch().unwrap();
    let spans = batch.add(LayersQuery::plan(
        batch.resources(),
        (mesh.clone(), pose),
        Stretches::Inside,
        LdiOptions {
            rays: Rays::Along(1),
            ..options
        },
        1 << 17,
    )?)?;
    let volume = batch.add(VolumeQuery::plan(
        batch.resources(),
        (mesh, pose),
        (with, Pose::default()),
        options,
    )?)?;
    // SAFETY: no semaphores; the batch is waited for.
    unsafe { batch.submit(&[], &[]) }.unwrap();
    batch.wait(u64::MAX).unwrap();
    ids.iter().for_each(|id| context.destroy_mesh(*id).unwrap());
    Ok((batch.answer(spans)?, batch.answer(volume)?))
}

#[test]
fn all_generators_give_the_same_bits() {
    let checked = Checked::open();
    let around = shapes::cuboid(Vec3::new(2.0, 2.0, 0.6), 1);
    let ball = shapes::sphere(1.5, 70, 50);
    let nested = (1..6).fold(ball.clone(), |all, n| {
        all.with(&ball.clone().map(|p| p * (1.0 - 0.12 * n as f32)))
    });
    // Triangles of many pixels, of about one, of parts of one; rays through vertices and along edges and faces; through twelve layers.
    for (shape, side, turn) in [
        (shapes::cuboid(Vec3::ONE, 1), 33, 0.0),
        (shapes::cuboid(Vec3::ONE, 8), 32, 0.3),
        (shapes::knot(0.5, 90, 12), 48, 1.1),
        (shapes::torus(2.0, 0.7, 150, 90), 24, 0.6),
        (nested, 40, 0.2),
    ] {
        let pose = Pose {
            rotation: Quat::from_rotation_x(turn) * Quat::from_rotation_y(2.0 * turn),
            ..Pose::default()
        };
        let trusted = side > 32;
        let answers = GENERATORS.map(|generator| {
            ask(
                &checked,
                &shape,
                &around,
                pose,
                LdiOptions {
                    trusted,
                    ..options(generator, side)
                },
            )
            .unwrap()
        });
        assert!(!answers[0].0.layers.is_empty() && answers[0].1.volume > 0.1);
        assert!(
            answers[0] == answers[1],
            "lists differ from compute at {side}"
        );
        assert!(
            answers[0] == answers[2],
            "stencil differs from compute at {side}"
        );
    }
}

#[test]
fn many_layers_fit_all_but_the_stencil() {
    let checked = Checked::open();
    let mut sheets = Shape::default();
    for i in 0..40 {
        let sheet = shapes::cuboid(Vec3::new(1.0, 0.01, 1.0), 1)
            .map(|p| p + Vec3::new(0.0, 0.1 * i as f32, 0.0));
        sheets = sheets.with(&sheet);
    }
    let around = shapes::cuboid(Vec3::splat(9.0), 1);
    let ask = |generator| {
        let options = LdiOptions {
            rays: Rays::Along(1),
            ..options(generator, 16)
        };
        ask(&checked, &sheets, &around, Pose::default(), options)
    };
    let (layers, volume) = ask(Generator::Compute).unwrap();
    assert_eq!((layers.layers.len(), volume.layers[0]), (40 * 16 * 16, 80));
    let truth = 40.0 * 2.0 * 2.0 * 0.02;
    assert!(
        (volume.volume / truth - 1.0).abs() < 1e-4
            && volume.lower <= truth
            && truth <= volume.upper,
        "{volume:?}"
    );
    assert!(ask(Generator::Lists).unwrap() == (layers, volume));
    assert!(
        ask(Generator::Stencil)
            .unwrap_err()
            .to_string()
            .contains("64")
    );
}

#[test]
fn what_a_generator_cannot_do_is_refused() {
    let checked = Checked::without(DeviceFeature::FragmentStores);
    let ball = shapes::sphere(1.0, 8, 5);
    let ask = |options| {
        ask(&checked, &ball, &ball, Pose::default(), options)
            .unwrap_err()
            .to_string()
    };
    assert!(ask(options(Generator::Lists, 8)).contains("fragmentStoresAndAtomics"));
    let by_size = LdiOptions {
        resolution: RayResolution::CellSize(0.1),
        ..options(Generator::Stencil, 8)
    };
    assert!(ask(by_size).contains("cell size"));
}
