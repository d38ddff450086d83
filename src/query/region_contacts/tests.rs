use super::*;
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::surface::AsSurface;
use crate::geometry::volume::{Intersection, PlacedPair};
use fixtures::shapes::{self, Shape};
use glam::DQuat;
use std::f64::consts::PI;

const USUAL: RegionContactOptions = RegionContactOptions {
    points: 4,
    patches: 0,
    previous: Vec::new(),
};

/// The contacts of two shapes in the world.
fn contacts(
    shapes: [&Shape; 2],
    places: [DAffine3; 2],
    options: &RegionContactOptions,
) -> Manifold {
    let trees = shapes.map(|shape| Bvh::build(&shape.surface().triangle_boxes()));
    let [first, second] = [0, 1].map(|own| FittedSurface {
        surface: shapes[own].surface(),
        bvh: &trees[own],
    });
    let placement = Placement::new(places[0].inverse() * places[1]);
    let pair = PlacedPair::new(first, second, placement);
    let of = Intersection::of(&pair, [None, None]).unwrap();
    let parts = of.regions(&pair, |p| p);
    let sums = parts.regions.iter().map(|region| &region.sums[0]);
    let wrench = sums.fold([DVec3::ZERO; 2], |[force, torque], sums| {
        [force + sums.area_vector, torque + sums.torque]
    });
    RegionContacts {
        places,
        origin: of.origin(),
        patches: &of.patches(&parts),
        wrench,
    }
    .manifold(options)
}

fn at(x: f64, y: f64, z: f64) -> DAffine3 {
    DAffine3::from_translation(DVec3::new(x, y, z))
}

/// The volume that the contacts stand for, and its first moment along the world's axes.
fn pressed(manifold: &Manifold) -> (f64, DVec3) {
    let all = manifold.contacts.iter();
    all.fold((0.0, DVec3::ZERO), |(volume, moment), contact| {
        let part = -f64::from(contact.area) * f64::from(contact.separation);
        let middle = 0.5 * (contact.world_a + contact.world_b);
        (volume + part, moment + part * middle)
    })
}

#[test]
fn a_box_in_the_floor_stands_on_its_corners() {
    let floor = shapes::cuboid(Vec3::new(5.0, 5.0, 1.0), 1);
    let cube = shapes::cuboid(Vec3::splat(0.5), 1);
    // The bottom is 0.1 below the floor's top at 1.
    let place = at(0.3, -0.2, 1.4);
    let found = contacts([&cube, &floor], [place, DAffine3::IDENTITY], &USUAL);
    let [patch] = &found.patches[..] else {
        panic!("{found:?}")
    };
    assert!(patch.normal.distance(DVec3::NEG_Z) < 1e-14, "{patch:?}");
    assert!((patch.area - 1.0).abs() < 1e-13, "{patch:?}");
    assert!(patch.centre.distance(DVec3::new(0.3, -0.2, 0.95)) < 1e-13);
    // Of a square of side 1: 1 / 12 either way.
    for moment in &patch.moments[..2] {
        assert!((moment - 1.0 / 12.0).abs() < 1e-13, "{patch:?}");
    }
    assert_eq!(found.contacts.len(), 4, "{found:?}");
    for contact in &found.contacts {
        assert_eq!(contact.feature, ContactFeature::Vertex);
        assert!(!contact.on_b);
        assert!((contact.separation + 0.1).abs() < 1e-6 && (contact.area - 0.25).abs() < 1e-6);
        assert!(contact.bounds[0] <= contact.separation && contact.separation <= contact.bounds[1]);
        let corner = contact.point_a;
        assert!((corner.abs() - 0.5).abs().max_element() < 1e-7, "{corner}");
        assert!((contact.world_a.z - 0.9).abs() < 1e-7 && (contact.world_b.z - 1.0).abs() < 1e-7);
        assert!(contact.point_b.distance(contact.world_b) < 1e-12);
    }
    // A unit pressure pushes the cube up, through its own centre.
    assert!(found.wrench[0].distance(DVec3::Z) < 1e-13 && found.wrench[1].length() < 1e-13);
    assert!(
        found.residual[0] < 1e-13 && found.residual[1] < 1e-13,
        "{found:?}"
    );
    // The other way round it pushes down.
    let turned = contacts([&floor, &cube], [DAffine3::IDENTITY, place], &USUAL);
    assert!(turned.patches[0].normal.distance(DVec3::Z) < 1e-14);
    assert!(turned.contacts.iter().all(|contact| contact.on_b));
}

#[test]
fn contacts_stand_for_volume_and_centre_of_a_tilted_box() {
    let floor = shapes::cuboid(Vec3::new(5.0, 5.0, 1.0), 1);
    let cube = shapes::cuboid(Vec3::splat(0.5), 1);
    let (sine, cosine) = 0.05_f64.sin_cos();
    // Its lowest edge is as deep as its highest bottom edge: all of the bottom is inside, and the region is a wedge.
    let middle = 1.0 - 0.02 - 0.5 * (sine - cosine);
    let place = DAffine3::from_rotation_translation(
        DQuat::from_rotation_y(0.05),
        DVec3::new(0.0, 0.0, middle),
    );
    let found = contacts([&cube, &floor], [place, DAffine3::IDENTITY], &USUAL);
    assert_eq!(found.patches.len(), 1);
    assert!(found.patches[0].normal.distance(DVec3::NEG_Z) < 1e-12);
    // Bounded by the floor: a trapezoid of two depths, along y as long as the cube.
    let depths = [0.02, 0.02 + sine];
    let volume = 0.5 * (depths[0] + depths[1]) * cosine
        + 0.5 * (depths[1].powi(2) - depths[0].powi(2)) * sine / cosine;
    let (pressed, moment) = pressed(&found);
    assert!(
        (pressed - volume).abs() < 0.02 * volume,
        "{pressed} {volume}"
    );
    // Deeper where x is larger: so does the force act.
    assert!(moment.x / pressed > 0.05, "{moment}");
    let deepest = found
        .contacts
        .iter()
        .map(|c| c.separation)
        .fold(0.0, f32::min);
    assert!(
        (f64::from(deepest) + depths[1]).abs() < 0.1 * depths[1],
        "{deepest}"
    );
}

#[test]
fn two_balls_share_a_lens() {
    let ball = shapes::sphere(1.0, 96, 49);
    let apart = 1.8;
    let found = contacts(
        [&ball, &ball],
        [at(2.0, 0.0, 0.0), at(2.0 + apart, 0.0, 0.0)],
        &USUAL,
    );
    let [patch] = &found.patches[..] else {
        panic!("{found:?}")
    };
    let rim = PI * (1.0 - 0.25 * apart * apart);
    let height = 1.0 - 0.5 * apart;
    let volume = 2.0 * PI * height * height * (3.0 - height) / 3.0;
    assert!(patch.normal.distance(DVec3::X) < 1e-6, "{patch:?}");
    assert!((patch.area - rim).abs() < 0.02 * rim, "{patch:?}");
    assert!(
        patch.centre.distance(DVec3::new(2.9, 0.0, 0.0)) < 1e-3,
        "{patch:?}"
    );
    // A disc: a quarter of the square of its radius, either way.
    for moment in &patch.moments[..2] {
        assert!((moment / patch.area - 0.25 * rim / PI).abs() < 0.02 * rim / PI);
    }
    let (pressed, _) = pressed(&found);
    assert!(
        (pressed - volume).abs() < 0.03 * volume,
        "{pressed} {volume}"
    );
    assert!(found.residual[1] < 1e-6, "{found:?}");
}

#[test]
fn each_tooth_of_a_comb_has_a_patch() {
    let tooth = |i: usize| {
        let across = 0.5 * i as f32;
        shapes::cuboid(Vec3::new(0.1, 1.0, 0.1), 1).map(|p| p + Vec3::X * across)
    };
    let comb = (1..7).fold(tooth(0), |all, i| all.with(&tooth(i)));
    let slab = shapes::cuboid(Vec3::new(8.0, 1.0, 8.0), 1);
    let found = contacts(
        [&comb, &slab],
        [at(0.0, 1.7, 0.0), DAffine3::IDENTITY],
        &USUAL,
    );
    assert_eq!(found.patches.len(), 7);
    let mut centres: Vec<f64> = found.patches.iter().map(|patch| patch.centre.x).collect();
    centres.sort_by(f64::total_cmp);
    for (i, (patch, centre)) in found.patches.iter().zip(centres).enumerate() {
        assert!(patch.normal.distance(DVec3::NEG_Y) < 1e-12);
        assert!((patch.area - 0.04).abs() < 1e-7, "{patch:?}");
        assert!((centre - 0.5 * i as f64).abs() < 1e-7, "{centre}");
        assert_eq!(patch.kept, 4);
    }
    assert!(
        found
            .contacts
            .iter()
            .all(|c| (c.separation + 0.3).abs() < 1e-6)
    );
    // Of the largest alone, the rest is told.
    let few = contacts(
        [&comb, &slab],
        [at(0.0, 1.7, 0.0), DAffine3::IDENTITY],
        &RegionContactOptions {
            patches: 2,
            ..USUAL
        },
    );
    assert_eq!((few.patches.len(), few.raw), (2, found.raw));
    assert!(
        few.left_out > 0 && (few.residual[0] - 0.2).abs() < 1e-6,
        "{few:?}"
    );
}

#[test]
fn contacts_continue_those_of_the_last_step() {
    let floor = shapes::cuboid(Vec3::new(5.0, 5.0, 1.0), 3);
    let ball = shapes::sphere(1.0, 24, 13);
    let cube = shapes::cuboid(Vec3::splat(0.5), 2);
    for body in [&cube, &ball] {
        let half = if std::ptr::eq(body, &cube) { 0.5 } else { 1.0 };
        let there = |step: f64| at(0.3 + 0.004 * step, 0.1, 0.95 + half - 0.002 * step);
        let step = |step: f64, previous: Vec<PreviousContact>| {
            let options = RegionContactOptions { previous, ..USUAL };
            contacts([body, &floor], [there(step), DAffine3::IDENTITY], &options)
        };
        let before = step(0.0, Vec::new());
        let old: Vec<PreviousContact> = (0..)
            .zip(&before.contacts)
            .map(|(i, contact)| PreviousContact {
                user: 100 + i,
                ..contact.into()
            })
            .collect();
        let after = step(1.0, old);
        assert_eq!(after.patches[0].previous, Some(0), "{half}: {after:?}");
        assert_eq!(after.contacts.len(), before.contacts.len());
        for contact in &after.contacts {
            let previous = contact.previous.expect("it was there before");
            assert_eq!(contact.user, 100 + u64::from(previous));
        }
        assert!(after.ended.is_empty(), "{after:?}");
    }
}

#[test]
fn what_is_wholly_inside_has_no_contact() {
    let (ball, room) = (
        shapes::sphere(0.5, 12, 7),
        shapes::cuboid(Vec3::splat(2.0), 1),
    );
    let still = DAffine3::IDENTITY;
    for shapes in [[&ball, &room], [&room, &ball]] {
        let found = contacts(shapes, [still; 2], &USUAL);
        assert!(found.contacts.is_empty() && found.patches.is_empty());
        assert!(found.wrench[0].length() < 1e-15 && found.residual[0] < 1e-15);
    }
}

#[test]
fn what_is_out_of_range_is_refused() {
    let refused = RegionContactOptions {
        points: 33,
        ..USUAL
    }
    .validate();
    assert!(refused.unwrap_err().to_string().contains("points is 33"));
}
