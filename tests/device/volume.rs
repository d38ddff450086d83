//! Volumes of intersections against closed formulas, and the certificate against the truth.

use crate::support::ask::AskNow;
use crate::support::{Checked, input, times};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::error::Error;
use proxel::query::ldi::{LdiOptions, RayResolution, Rays};
use proxel::query::volume::{IntersectionVolume, VolumeQuery};
use proxel::scene::pose::Pose;

fn at(position: Vec3) -> Pose {
    Pose {
        position,
        ..Pose::default()
    }
}

fn pixels(side: u32) -> LdiOptions {
    LdiOptions {
        resolution: RayResolution::Pixels(side),
        ..LdiOptions::default()
    }
}

/// The volume of two shapes: a batch of one.
fn volume_of(
    checked: &Checked,
    a: (&Shape, Pose),
    b: (&Shape, Pose),
    options: LdiOptions,
) -> Result<IntersectionVolume, Error> {
    let context = &checked.context;
    let ids = [a.0, b.0].map(|shape| context.create_mesh(input(shape)).unwrap());
    let meshes = ids.map(|id| context.mesh(id).unwrap());
    let batch = context.create_batch().unwrap();
    let [mesh_a, mesh_b] = meshes;
    let ticket = batch.add(VolumeQuery::plan(
        batch.resources(),
        (mesh_a, a.1),
        (mesh_b, b.1),
        options,
    )?)?;
    // SAFETY: no semaphores; the batch is waited for.
    unsafe { batch.submit(&[], &[]) }.unwrap();
    batch.wait(u64::MAX).unwrap();
    ids.iter().for_each(|id| context.destroy_mesh(*id).unwrap());
    batch.answer(ticket)
}

/// An axis-aligned box between two corners.
fn block(low: [f32; 3], high: [f32; 3]) -> Shape {
    let (low, high) = (Vec3::from(low), Vec3::from(high));
    shapes::cuboid(0.5 * (high - low), 1).map(|p| p + 0.5 * (low + high))
}

#[test]
fn two_boxes_have_a_box_in_common() {
    let checked = Checked::open();
    let a = block([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]);
    let b = block([0.3, 0.1, -0.4], [2.0, 3.0, 5.0]);
    let size = DVec3::new(0.7, 0.9, 1.4);
    for rays in [
        Rays::Best,
        Rays::Along(0),
        Rays::Along(1),
        Rays::Along(2),
        Rays::All,
    ] {
        for trusted in [false, true] {
            let options = LdiOptions {
                rays,
                trusted,
                ..pixels(64)
            };
            let v = volume_of(
                &checked,
                (&a, Pose::default()),
                (&b, Pose::default()),
                options,
            )
            .unwrap();
            let truth = size.x * size.y * size.z;
            assert!(v.lower <= truth && truth <= v.upper, "{v:?}");
            assert!((v.volume / truth - 1.0).abs() < 1e-4, "{v:?}");
            assert!(
                (v.centroid - DVec3::new(0.65, 0.55, 0.3)).length() < 1e-4,
                "{v:?}"
            );
            // The faces of `a` inside `b` are its upper ones.
            let gradient = DVec3::new(size.y * size.z, size.x * size.z, size.x * size.y);
            assert!(
                (v.gradient - gradient).length() < 1e-3 * gradient.length(),
                "{:?} {gradient}",
                v.gradient
            );
            // Each face pushes at its middle.
            let faces = [
                DVec3::new(1.0, 0.55, 0.3),
                DVec3::new(0.65, 1.0, 0.3),
                DVec3::new(0.65, 0.55, 1.0),
            ];
            let torque: DVec3 = (0..3)
                .map(|i| faces[i].cross(gradient[i] * DVec3::AXES[i]))
                .sum();
            assert!(
                (v.torque[0] - torque).length() < 2e-3 * gradient.length(),
                "{:?} {torque}",
                v.torque
            );
            assert_eq!(v.flawed, [0, 0]);
            assert!(
                v.min.cmple(DVec3::new(0.3, 0.1, -0.4)).all() && v.max.cmpge(DVec3::ONE).all(),
                "{v:?}"
            );
        }
    }
}

/// The lens of two balls at a distance: volume and the area of the disc between them.
fn lens(ra: f64, rb: f64, d: f64) -> (f64, f64) {
    use std::f64::consts::PI;
    let volume =
        PI * (ra + rb - d).powi(2) * (d * d + 2.0 * d * (ra + rb) - 3.0 * (ra - rb).powi(2))
            / (12.0 * d);
    let x = (d * d + ra * ra - rb * rb) / (2.0 * d);
    (volume, PI * (ra * ra - x * x))
}

#[test]
fn two_balls_have_a_lens_in_common() {
    let checked = Checked::open();
    // Fine enough that facets matter less than the rays.
    let (a, b) = (shapes::sphere(1.0, 192, 120), shapes::sphere(0.8, 192, 120));
    let (truth, disc) = lens(1.0, 0.8, 1.2);
    let direction = DVec3::new(2.0, 1.0, -0.5).normalize();
    let to = at((1.2 * direction).as_vec3());
    let mut before = f64::INFINITY;
    for side in [16, 32, 64, 128] {
        let v = volume_of(&checked, (&a, Pose::default()), (&b, to), pixels(side)).unwrap();
        let error = (v.volume / truth - 1.0).abs();
        assert!(error < 0.5 / f64::from(side), "{side}: {error}");
        let width = (v.upper - v.lower) / truth;
        assert!(
            width < 0.6 * before,
            "the certificate is {width} wide at {side}, {before} before"
        );
        before = width;
        if side == 128 {
            // Moving the first ball towards the second adds the disc's area to the lens per length.
            assert!(
                (v.gradient - disc * direction).length() < 0.02 * disc,
                "{} {}",
                v.gradient,
                disc * direction
            );
            assert!(v.torque[0].length() < 0.02 * disc, "{:?}", v.torque);
            assert!(width < 0.2, "{width}");
        }
    }
}

/// The volume of a placed mesh where x is at most `limit`, exactly: a triangle's share is the tetrahedron over what is left of it,
/// with its apex on the plane, so that the cut itself adds nothing.
fn below(shape: &Shape, pose: &Pose, limit: f64) -> f64 {
    let apex = DVec3::new(limit, 0.0, 0.0);
    let mut sum = 0.0;
    for t in &shape.triangles {
        let corners = t.map(|v| pose.apply(shape.positions[v as usize].as_dvec3()) - apex);
        let mut kept = Vec::new();
        for i in 0..3 {
            let (p, q) = (corners[i], corners[(i + 1) % 3]);
            if p.x <= 0.0 {
                kept.push(p);
            }
            if (p.x <= 0.0) != (q.x <= 0.0) {
                kept.push(p + (q - p) * (p.x / (p.x - q.x)));
            }
        }
        for i in 2..kept.len() {
            sum += kept[0].dot(kept[i - 1].cross(kept[i])) / 6.0;
        }
    }
    sum
}

/// A mesh and a half-space, made of a box that is much larger, at turned poses.
fn cut_cases() -> Vec<(Shape, Pose, f64)> {
    let shapes = [
        shapes::knot(0.5, 80, 12),
        shapes::torus(2.0, 0.7, 40, 20),
        shapes::sphere(1.5, 12, 9),
        shapes::capsule(0.6, 1.2, 16, 5),
    ];
    let mut cases = Vec::new();
    for i in 0..4 * times() {
        let t = i as f32;
        for shape in &shapes {
            let pose = Pose {
                position: Vec3::new((2.0 * t).sin(), 3.0 * t.cos(), 10.0 * (0.3 * t).sin()),
                rotation: Quat::from_rotation_y(0.7 * t) * Quat::from_rotation_x(1.3 * t),
                ..Pose::default()
            };
            cases.push((
                shape.clone(),
                pose,
                f64::from(pose.position.x) + (1.7 * f64::from(t)).sin(),
            ));
        }
    }
    cases
}

#[test]
fn the_certificate_holds_the_exact_volume_of_cut_meshes() {
    let checked = Checked::open();
    let mut errors = [0.0; 3];
    let mut widths = [0.0; 3];
    let cases = cut_cases();
    for (i, (shape, pose, limit)) in cases.iter().enumerate() {
        let limit = f64::from(*limit as f32);
        let truth = below(shape, pose, limit);
        // Some cuts leave nothing: errors are told as parts of the whole mesh.
        let whole = below(shape, pose, 1e3);
        let half = block([-100.0, -100.0, -100.0], [limit as f32, 100.0, 100.0]);
        for (at, side) in [12, 48, 96].into_iter().enumerate() {
            let rays = [
                Rays::Best,
                Rays::Along(0),
                Rays::Along(1),
                Rays::Along(2),
                Rays::All,
            ][(i + at) % 5];
            let options = LdiOptions {
                rays,
                trusted: i % 2 == 1,
                ..pixels(side)
            };
            let v = volume_of(&checked, (shape, *pose), (&half, Pose::default()), options).unwrap();
            assert!(
                v.lower <= truth && truth <= v.upper,
                "case {i}, {side}: {truth} not in {v:?}"
            );
            assert!(v.lower <= v.volume && v.volume <= v.upper, "{v:?}");
            assert_eq!(v.flawed, [0, 0], "case {i}, {side}");
            errors[at] += (v.volume - truth).abs() / whole / cases.len() as f64;
            widths[at] += (v.upper - v.lower) / whole / cases.len() as f64;
        }
    }
    // The error falls at least linearly from 12 to 96 rays a side, and so does the certificate.
    assert!(
        errors[2] < errors[0] / 8.0 && errors[2] < 2e-3,
        "{errors:?}"
    );
    assert!(widths[2] < widths[0] / 5.0, "{widths:?}");
}

#[test]
fn contained_coincident_touching_and_separate_objects() {
    let checked = Checked::open();
    let ball = shapes::sphere(1.0, 40, 30);
    let truth = below(&ball, &Pose::default(), 9.0);
    let around = block([-3.0, -2.0, -5.0], [3.0, 4.0, 2.0]);
    for trusted in [false, true] {
        let options = LdiOptions {
            trusted,
            ..pixels(64)
        };
        for (a, b) in [(&ball, &around), (&around, &ball), (&ball, &ball)] {
            let v = volume_of(
                &checked,
                (a, Pose::default()),
                (b, Pose::default()),
                options,
            )
            .unwrap();
            assert!(v.lower <= truth && truth <= v.upper, "{truth} not in {v:?}");
            assert!((v.volume / truth - 1.0).abs() < 2e-3, "{v:?}");
            assert!(v.centroid.length() < 1e-3, "{v:?}");
            // Nothing of one surface is inside the other, or as much as of the other's: moving it does not change the volume, to first order.
            assert!(v.gradient.length() < 0.02, "{v:?}");
        }
        let cube = block([-1.0; 3], [1.0; 3]);
        let beside = volume_of(
            &checked,
            (&cube, Pose::default()),
            (&cube, at(Vec3::new(2.0, 0.5, 0.0))),
            options,
        )
        .unwrap();
        assert!(beside.lower == 0.0 && beside.volume < 1e-4, "{beside:?}");
        let tangent = volume_of(
            &checked,
            (&ball, Pose::default()),
            (&ball, at(Vec3::new(0.0, 0.0, 2.0))),
            options,
        )
        .unwrap();
        assert!(tangent.lower == 0.0 && tangent.volume < 1e-4, "{tangent:?}");
        let apart = volume_of(
            &checked,
            (&ball, Pose::default()),
            (&ball, at(Vec3::new(0.0, 2.1, 0.0))),
            options,
        )
        .unwrap();
        assert_eq!(
            (apart.volume, apart.lower, apart.upper, apart.rays),
            (0.0, 0.0, 0.0, 0)
        );
    }
}

#[test]
fn a_torus_around_a_cylinder_shares_a_ring() {
    let checked = Checked::open();
    // The tube's inner half is inside a cylinder as wide as the torus' core: Pappus with the half disc's centroid.
    let torus = shapes::torus(2.0, 0.5, 256, 128);
    let slices = 256;
    let mut cylinder = Shape::default();
    for (z, start) in [(-3.0f32, 0u32), (3.0, slices + 1)] {
        cylinder.positions.push(Vec3::new(0.0, 0.0, z));
        for i in 0..slices {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(slices)).sin_cos();
            cylinder
                .positions
                .push(Vec3::new((2.0 * cos) as f32, (2.0 * sin) as f32, z));
            let (j, other) = ((i + 1) % slices, start + slices + 1);
            let rim = [start + 1 + i, start + 1 + j];
            if z < 0.0 {
                cylinder.triangles.push([start, rim[1], rim[0]]);
                cylinder.triangles.push([rim[0], rim[1], other + 1 + j]);
                cylinder
                    .triangles
                    .push([rim[0], other + 1 + j, other + 1 + i]);
            } else {
                cylinder.triangles.push([start, rim[0], rim[1]]);
            }
        }
    }
    use std::f64::consts::PI;
    let half_disc = PI * 0.25 / 2.0;
    let truth = 2.0 * PI * (2.0 - 4.0 * 0.5 / (3.0 * PI)) * half_disc;
    let turn = Pose {
        rotation: Quat::from_rotation_x(0.4),
        ..Pose::default()
    };
    for rays in [Rays::Best, Rays::All] {
        let v = volume_of(
            &checked,
            (&torus, turn),
            (&cylinder, turn),
            LdiOptions { rays, ..pixels(96) },
        )
        .unwrap();
        // The facets of 256 slices take 2e-4 of the volume.
        assert!((v.volume / truth - 1.0).abs() < 5e-3, "{v:?} {truth}");
        assert!(
            v.centroid.length() < 5e-3 && v.gradient.length() < 0.05,
            "{v:?}"
        );
        assert!(v.lower < truth && truth < v.upper, "{v:?} {truth}");
        assert_eq!(v.flawed, [0, 0]);
    }
}

#[test]
fn flaws_are_counted_and_sound_meshes_have_none() {
    let checked = Checked::open();
    let half = block([-9.0; 3], [0.1, 9.0, 9.0]);
    let ask = |shape: &Shape| {
        let v = volume_of(
            &checked,
            (shape, Pose::default()),
            (&half, Pose::default()),
            pixels(64),
        )
        .unwrap();
        assert_eq!(v.flawed[1], 0);
        v.flawed[0]
    };
    let ball = shapes::sphere(1.0, 40, 30);
    assert_eq!(ask(&ball), 0);
    assert_eq!(ask(&ball.clone().flipped()), 0, "inside out, but closed");
    let mut open = ball.clone();
    open.triangles.drain(..200);
    assert!(ask(&open) > 50);
    let mut mixed = ball.clone();
    mixed.triangles[100..400]
        .iter_mut()
        .for_each(|t| t.swap(0, 1));
    assert!(ask(&mixed) > 50);
    assert!(
        ask(&ball.clone().with(&ball.map(|p| p + 0.5))) > 50,
        "it overlaps itself"
    );
}

#[test]
fn memory_is_bounded_and_the_size_needed_is_told() {
    let checked = Checked::open();
    let ball = shapes::sphere(1.0, 60, 40);
    let ask = |memory, resolution| {
        let options = LdiOptions {
            memory,
            resolution,
            ..LdiOptions::default()
        };
        volume_of(
            &checked,
            (&ball, Pose::default()),
            (&ball, at(Vec3::X)),
            options,
        )
    };
    let free = ask(0, RayResolution::Pixels(64)).unwrap();
    let mut bound = 1;
    for _ in 0..4 {
        match ask(bound, RayResolution::Pixels(64)) {
            Ok(v) => assert_eq!(v, free),
            Err(Error::BufferTooSmall { given, needed, .. }) => {
                assert!(needed > given && needed < 4 << 20, "{given} {needed}");
                bound = needed;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(ask(bound, RayResolution::Pixels(64)).unwrap(), free);
    let coarse = ask(0, RayResolution::CellSize(0.05)).unwrap();
    assert!(
        (coarse.volume / free.volume - 1.0).abs() < 0.01,
        "{coarse:?} {free:?}"
    );
    match ask(1 << 20, RayResolution::CellSize(0.001)) {
        Err(Error::BufferTooSmall { needed, .. }) => assert!(needed > 1 << 30, "{needed}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn rays_through_many_layers_are_told_at_once_what_they_need() {
    let checked = Checked::open();
    let ball = shapes::sphere(1.0, 60, 40);
    let nested = (1..6).fold(ball.clone(), |all, n| {
        all.with(&ball.clone().map(|p| p * (1.0 - 0.1 * n as f32)))
    });
    let ask = |memory| {
        let options = LdiOptions {
            memory,
            resolution: RayResolution::Pixels(48),
            ..LdiOptions::default()
        };
        let (a, b) = ((&nested, Pose::default()), (&nested, at(Vec3::X * 0.3)));
        volume_of(&checked, a, b, options)
    };
    let needed = |answer| match answer {
        Err(Error::BufferTooSmall { needed, .. }) => needed,
        other => panic!("{other:?}"),
    };
    let free = ask(0).unwrap();
    assert_eq!(free.layers, [12, 12]);
    // Too little for one crossing; then for the lists; then enough, and not a byte too much.
    let lists = needed(ask(needed(ask(1))));
    assert_eq!(ask(lists).unwrap(), free);
    assert_eq!(needed(ask(lists - 12)), lists);
}

#[test]
fn the_same_question_has_the_same_bits_every_time() {
    let checked = Checked::open();
    let knot = shapes::knot(0.5, 300, 40);
    let turn = Pose {
        position: Vec3::new(0.3, 0.1, 0.2),
        rotation: Quat::from_rotation_x(0.5),
        ..Pose::default()
    };
    let ask = || {
        volume_of(
            &checked,
            (&knot, Pose::default()),
            (&knot, turn),
            pixels(100),
        )
        .unwrap()
    };
    let first = ask();
    for _ in 0..4 {
        assert_eq!(ask(), first);
    }
}

#[test]
fn what_cannot_be_asked_is_refused_with_its_value() {
    let checked = Checked::open();
    let ball = shapes::sphere(1.0, 8, 5);
    let ask = |options: LdiOptions, pose: Pose| {
        let answer = volume_of(&checked, (&ball, Pose::default()), (&ball, pose), options);
        answer.unwrap_err().to_string()
    };
    assert!(ask(pixels(0), Pose::default()).contains("0 rays"));
    assert!(ask(pixels(5000), Pose::default()).contains("5000"));
    for size in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let options = LdiOptions {
            resolution: RayResolution::CellSize(size),
            ..LdiOptions::default()
        };
        assert!(
            ask(options, Pose::default()).contains("cell size"),
            "{size}"
        );
    }
    assert!(
        ask(
            LdiOptions {
                rays: Rays::Along(3),
                ..pixels(8)
            },
            Pose::default()
        )
        .contains("axis 3")
    );
    let bent = Pose {
        rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 2.0),
        ..Pose::default()
    };
    assert!(ask(pixels(8), bent).contains("length 2"));
    assert!(
        checked
            .context
            .volume((0, Pose::default()), (0, Pose::default()), pixels(8))
            .is_err()
    );
}
