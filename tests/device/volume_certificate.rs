//! The interval of a volume by rays holds the exact volume, and how wide it is. `PROXEL_SWEEP=N` takes N times as many poses.

use crate::support::ask::AskNow;
use crate::support::{Checked, input, times};
use fixtures::shapes::{self, Shape};
use glam::{Quat, Vec3};
use proxel::geometry::random::Random;
use proxel::query::exact_volume::ExactVolume;
use proxel::query::ldi::{LdiOptions, RayResolution, Rays};
use proxel::query::volume::IntersectionVolume;
use proxel::scene::pose::Pose;

const AXES: [Rays; 5] = [
    Rays::Best,
    Rays::Along(0),
    Rays::Along(1),
    Rays::Along(2),
    Rays::All,
];

fn pixels(side: u32) -> LdiOptions {
    LdiOptions {
        resolution: RayResolution::Pixels(side),
        narrow: true,
        ..LdiOptions::default()
    }
}

fn at(position: Vec3) -> Pose {
    Pose {
        position,
        ..Pose::default()
    }
}

fn random_pose(random: &mut Random, reach: f32, turned: bool) -> Pose {
    let place = random.in_cube().as_vec3();
    let axis = (random.in_cube().as_vec3() + 1e-3).normalize();
    Pose {
        position: reach * place,
        rotation: match turned {
            true => Quat::from_axis_angle(axis, 6.0 * random.unit() as f32),
            false => Quat::IDENTITY,
        },
        ..Pose::default()
    }
}

/// Asks by rays and exactly, and asserts that the exact volume is in the interval.
fn ask(
    checked: &Checked,
    a: (u64, Pose),
    b: (u64, Pose),
    options: LdiOptions,
) -> (IntersectionVolume, ExactVolume) {
    let by_rays = checked.context.volume(a, b, options).unwrap();
    let exact = checked.context.exact_volume(a, b).unwrap();
    assert_eq!(by_rays.flawed, [0, 0], "{options:?}");
    let [least, most] = exact.bounds;
    assert!(
        by_rays.lower <= most && least <= by_rays.upper,
        "{least} to {most} is not in {} to {}: {a:?} {b:?} {options:?}",
        by_rays.lower,
        by_rays.upper
    );
    assert!(by_rays.lower <= by_rays.volume && by_rays.volume <= by_rays.upper);
    if by_rays.lower > 0.0 {
        let off = by_rays.centroid.distance(exact.centroid);
        assert!(
            off <= by_rays.centroid_error + exact.errors.centroid,
            "{off} {by_rays:?}"
        );
    } else {
        assert_eq!(by_rays.centroid_error, f64::INFINITY);
    }
    (by_rays, exact)
}

fn create(checked: &Checked, shape: &Shape) -> u64 {
    checked.context.create_mesh(input(shape)).unwrap()
}

#[test]
fn it_holds_the_exact_volume_at_random_poses() {
    let checked = Checked::open();
    let meshes = [
        shapes::knot(0.5, 60, 10),
        shapes::torus(2.0, 0.7, 24, 12),
        shapes::cuboid(Vec3::new(2.5, 1.0, 0.02), 1),
        shapes::cuboid(Vec3::new(1.0, 1.5, 2.0), 3),
        shapes::sphere(1.5, 12, 9),
    ]
    .map(|shape| create(&checked, &shape));
    let mut random = Random::new(7);
    let mut shared = 0;
    let rounds = 60 * times();
    for i in 0..rounds {
        let [a, b] = [i % 5, (i + i / 5) % 5].map(|which| meshes[which]);
        let poses = [0, 1].map(|which| random_pose(&mut random, 1.2, (i / 7 + which) % 3 != 0));
        for (k, side) in [7, 40, 100].into_iter().enumerate() {
            let options = LdiOptions {
                rays: AXES[(i + k) % 5],
                trusted: (i + k) % 2 == 1,
                ..pixels(side)
            };
            let (v, _) = ask(&checked, (a, poses[0]), (b, poses[1]), options);
            shared += u32::from(v.volume > 0.0);
        }
    }
    assert!(shared as usize > rounds, "{shared}");
}

#[test]
fn it_holds_where_faces_coincide_and_where_bodies_slip_between_rays() {
    let checked = Checked::open();
    let cube = create(&checked, &shapes::cuboid(Vec3::ONE, 1));
    let fine = create(&checked, &shapes::cuboid(Vec3::ONE, 5));
    let leaf = create(&checked, &shapes::cuboid(Vec3::new(1e-4, 0.8, 0.9), 2));
    let needle = create(&checked, &shapes::cuboid(Vec3::new(1e-3, 2e-3, 0.9), 1));
    let ball = shapes::sphere(1.0, 24, 16);
    let ball_in_ball = ball.clone().with(&ball.clone().map(|p| 0.5 * p).flipped());
    let hollow = create(&checked, &ball_in_ball);
    let here = Pose::default();
    for (k, side) in [5, 16, 33, 47, 64].into_iter().enumerate() {
        let options = LdiOptions {
            rays: AXES[k],
            trusted: k % 2 == 0,
            ..pixels(side)
        };
        for step in 0..5 {
            let offset = 0.5 * step as f32;
            for place in [Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::ONE] {
                let moved = at(offset * place);
                ask(&checked, (cube, here), (cube, moved), options);
                ask(&checked, (cube, here), (fine, moved), options);
            }
            let place = Vec3::new(0.013 + 0.17 * offset, 0.1, 0.3);
            for thin in [leaf, needle] {
                ask(&checked, (cube, here), (thin, at(place)), options);
                ask(&checked, (thin, at(place)), (hollow, here), options);
            }
        }
        let aside = at(Vec3::splat(0.6));
        ask(&checked, (hollow, here), (cube, aside), options);
        ask(&checked, (hollow, here), (hollow, here), options);
    }
}

/// A mesh and its copy, moved by less than half of its size.
fn deep_in_contact(checked: &Checked, shape: &Shape) -> [(u64, Pose); 2] {
    let mesh = create(checked, shape);
    let turn = Pose {
        position: Vec3::new(0.9, 0.4, 0.5),
        rotation: Quat::from_rotation_z(0.5) * Quat::from_rotation_x(0.7),
        ..Pose::default()
    };
    [(mesh, Pose::default()), (mesh, turn)]
}

#[test]
fn it_is_narrow_and_narrows_with_the_square_of_the_rays() {
    let checked = Checked::open();
    // A knot's tube is a sixth of its size: for its volume it has more of the curve where it crosses its copy than rays of 128 a side can resolve
    // to two parts in a hundred.
    for (name, shape, most) in [
        ("knot", shapes::knot(0.5, 300, 40), f64::INFINITY),
        ("torus", shapes::torus(2.0, 0.7, 160, 80), 0.02),
        ("ball", shapes::sphere(1.5, 120, 80), 0.02),
        ("box", shapes::cuboid(Vec3::new(1.0, 1.5, 2.0), 1), 0.02),
    ] {
        let [a, b] = deep_in_contact(&checked, &shape);
        let mut widths = Vec::new();
        for side in [32, 64, 128, 256] {
            let (v, exact) = ask(&checked, a, b, pixels(side));
            let width = (v.upper - v.lower) / exact.volume;
            let wide = LdiOptions {
                narrow: false,
                ..pixels(side)
            };
            let (by_bins, _) = ask(&checked, a, b, wide);
            assert!(by_bins.lower <= v.lower && v.upper <= by_bins.upper);
            println!(
                "{name} {side}: width {width:.2e}, by bins {:.2e}, error {:.2e}",
                (by_bins.upper - by_bins.lower) / exact.volume,
                v.volume / exact.volume - 1.0
            );
            widths.push(width);
        }
        assert!(widths[2] < most, "{name}: {widths:?}");
        // Four times as many rays along a side: sixteen times narrower but for where surfaces graze each other, and for rounding.
        assert!(widths[3] < widths[1] / 6.0, "{name}: {widths:?}");
    }
}

#[test]
fn a_mesh_inside_out_has_the_same_interval_and_one_of_both_kinds_a_wider() {
    let checked = Checked::open();
    let ball = shapes::sphere(1.0, 40, 30);
    let half = create(&checked, &shapes::cuboid(Vec3::new(1.0, 3.0, 3.0), 1));
    let beside = ball.clone().map(|p| p + Vec3::new(0.0, 0.0, 2.5));
    let place = at(Vec3::new(0.7, 0.0, 0.0));
    let asked = |shape: &Shape| {
        let mesh = create(&checked, shape);
        let v = (checked.context).volume((mesh, Pose::default()), (half, place), pixels(64));
        v.unwrap()
    };
    let both = asked(&ball.clone().with(&beside));
    let turned = asked(&ball.clone().with(&beside).flipped());
    let mixed = asked(&ball.with(&beside.flipped()));
    assert!(both.upper - both.lower < 0.02 * both.volume, "{both:?}");
    let same = |x: f64, y: f64| (x - y).abs() < 1e-3 * (both.upper - both.lower);
    assert!(same(both.lower, turned.lower) && same(both.upper, turned.upper));
    assert_eq!(mixed.flawed, [0, 0]);
    assert!(
        mixed.lower <= both.lower && both.upper <= mixed.upper,
        "{mixed:?}"
    );
}
