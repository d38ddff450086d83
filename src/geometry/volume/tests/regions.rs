//! Connected parts of intersections.

use super::*;
use crate::geometry::random::cases;
use std::time::Instant;

#[test]
fn a_comb_through_a_comb_has_a_region_at_each_crossing() {
    let (a, b) = (comb(12, 0), comb(9, 1));
    // Faces in one plane, and half a bar higher.
    for height in [0.0, 0.1] {
        let regions = crossed(&a, &b, moved(height * DVec3::Z)).regions().regions;
        assert_eq!(regions.len(), 12 * 9);
        let side = f64::from(0.1_f32) * 2.0;
        for region in &regions {
            let expected = side * side * (side - height);
            assert!((region.volume() - expected).abs() < 1e-7, "{region:?}");
            let size = region.bounds[1] - region.bounds[0];
            assert!(size.distance(DVec3::new(side, side, side - height)) < 1e-6);
            if height > 0.0 {
                // The upper bars leave through the lower ones' upper side; the rest cancels.
                let up = region.sums[0].area_vector;
                assert!(up.distance(side * side * DVec3::Z) < 1e-6, "{up}");
                assert!((region.depth - (side - height)).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn rings_and_shells_are_one_region() {
    // A slab cuts a ring out of a torus: its faces, two triangles each, have holes.
    let torus = shapes::torus(1.5, 0.5, 40, 20);
    let slab = shapes::cuboid(Vec3::new(4.0, 4.0, 0.2), 1);
    for (a, b) in [(&torus, &slab), (&slab, &torus)] {
        let cut = crossed(a, b, moved(DVec3::new(0.03, 0.02, 0.01)));
        let regions = cut.regions().regions;
        assert_eq!(regions.len(), 1, "{regions:?}");
        let (volume, _) = cut.shared_volume().volume();
        assert!((regions[0].volume() - volume).abs() < 1e-12, "{volume}");
    }
    // Upright it cuts two discs.
    let upright = DAffine3::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let regions = crossed(&torus, &slab, upright).regions().regions;
    assert_eq!(regions.len(), 2);
    // A hollow ball within a box: the wall of its cavity belongs to it.
    let hollow = shapes::sphere(1.0, 16, 10).with(&shapes::sphere(0.5, 12, 8).flipped());
    let around = shapes::cuboid(Vec3::splat(2.0), 1);
    let within = crossed(&hollow, &around, DAffine3::IDENTITY);
    let regions = within.regions().regions;
    assert_eq!(regions.len(), 1);
    let (volume, _) = within.shared_volume().volume();
    assert!((regions[0].volume() - volume).abs() < 1e-12);
}

#[test]
fn volumes_of_regions_add_up() {
    let mut random = Random::new(15);
    let (a, b) = (shapes::knot(0.5, 60, 9), shapes::torus(1.5, 0.6, 24, 12));
    let mut most = 0;
    for round in 0..40 {
        let cut = crossed(&a, &b, pose(&mut random, 1.0));
        let shared = cut.shared_volume();
        let regions = cut.regions().regions;
        let sum: f64 = regions.iter().map(IntersectionRegion::volume).sum();
        assert!((sum - shared.volume().0).abs() < 1e-11, "{round}");
        for region in &regions {
            // Each is closed for itself.
            let open = region.sums[0].area_vector + region.sums[1].area_vector;
            assert!(open.length() < 1e-11, "{round}: {open}");
            assert!(region.volume() > 0.0, "{round}: {region:?}");
        }
        most = regions.len().max(most);
    }
    assert!(most > 2, "{most}");
}

/// Volumes of regions as expected, the largest first.
fn assert_regions(a: &Shape, b: &Shape, mut expected: Vec<f64>, context: &str) {
    expected.sort_by(|a, b| b.total_cmp(a));
    for turn in [
        DQuat::IDENTITY,
        DQuat::from_rotation_z(0.7),
        DQuat::from_rotation_x(2.0),
    ] {
        // Rays go along an axis of the first body: turn the second, whose surface is far away.
        let found = crossed(a, b, DAffine3::from_quat(turn)).regions().regions;
        let volumes: Vec<f64> = found.iter().map(IntersectionRegion::volume).collect();
        assert_eq!(
            volumes.len(),
            expected.len(),
            "{context}: {volumes:?} {expected:?}"
        );
        for (volume, expected) in volumes.iter().zip(&expected) {
            assert!(
                (volume - expected).abs() < 1e-11,
                "{context}: {volumes:?} {expected:?}"
            );
        }
    }
}

#[test]
fn a_cavity_goes_with_the_body_around_it_and_not_with_a_smaller_box() {
    // A hollow ball inside a thinner ring, whose box is around the cavity too.
    let (ball, hollow) = (shapes::sphere(1.0, 24, 16), shapes::sphere(0.2, 12, 8));
    let ring = shapes::torus(2.0, 0.3, 40, 16);
    let body = ball.clone().with(&hollow.clone().flipped()).with(&ring);
    let room = shapes::cuboid(Vec3::splat(9.0), 1);
    assert!(whole(&ring) < whole(&ball) && whole(&ring) > whole(&hollow));
    let expected = vec![whole(&ball) - whole(&hollow), whole(&ring)];
    assert_regions(&body, &room, expected.clone(), "ring");
    // Turned by half a circle and on its side: two mirrors, which leave the orientation.
    let turned = body.map(|p| Vec3::new(-p.x, p.z, p.y));
    assert_regions(&turned, &room, expected, "ring, turned");
}

#[test]
fn shells_within_shells_and_cavities_beside_cavities() {
    let ball = |radius: f64, x: f32| shapes::sphere(radius, 16, 10).map(|p| p + Vec3::X * x);
    let room = shapes::cuboid(Vec3::splat(9.0), 1);
    // A ball in a hollow of a ball in a hollow of a ball.
    let nested = [4.0, 3.0, 2.0, 1.0].map(|radius| ball(radius, 0.0));
    let sizes = nested.each_ref().map(whole);
    let [a, b, c, d] = nested;
    let body = a.with(&b.flipped()).with(&c).with(&d.flipped());
    let expected = vec![sizes[0] - sizes[1], sizes[2] - sizes[3]];
    assert_regions(&body, &room, expected, "nested");
    // A row of cavities: rays go from one to the next.
    let places = [-2.0, -0.7, 0.6, 1.9];
    let holes = places.map(|x| ball(0.5, x));
    let left = whole(&ball(4.0, 0.0)) - holes.iter().map(whole).sum::<f64>();
    let body = (holes.into_iter()).fold(ball(4.0, 0.0), |all, hole| all.with(&hole.flipped()));
    assert_regions(&body, &room, vec![left], "row");
    // The other body's faces can be the next surface, cut or whole.
    let slab = shapes::cuboid(Vec3::new(1.3, 9.0, 9.0), 1);
    let cut = crossed(&body, &slab, DAffine3::IDENTITY);
    let regions = cut.regions().regions;
    assert_eq!(regions.len(), 1, "{regions:?}");
    let (volume, _) = cut.shared_volume().volume();
    assert!((regions[0].volume() - volume).abs() < 1e-11);
}

#[test]
fn rays_through_edges_and_along_faces_find_the_wall_around() {
    // Boxes in boxes on one grid: from corners of cavities, rays run through edges and in planes of other faces.
    let room = shapes::cuboid(Vec3::splat(9.0), 2);
    let outer = shapes::cuboid(Vec3::splat(4.0), 4);
    let inner = shapes::cuboid(Vec3::splat(1.0), 2);
    let at = |by: Vec3| inner.clone().map(|p| p + by);
    let body = (outer.clone())
        .with(&at(Vec3::ZERO).flipped())
        .with(&at(Vec3::new(0.0, 2.0, 2.0)).flipped())
        .with(&at(Vec3::new(-2.5, 0.0, 0.0)).flipped())
        .with(&at(Vec3::new(6.0, 1.0, 0.0)));
    for (a, b) in [(&body, &room), (&room, &body)] {
        let regions = crossed(a, b, DAffine3::IDENTITY).regions().regions;
        let volumes: Vec<f64> = regions.iter().map(IntersectionRegion::volume).collect();
        assert_eq!(volumes.len(), 2, "{volumes:?}");
        assert!((volumes[0] - (512.0 - 24.0)).abs() < 1e-10, "{volumes:?}");
        assert!((volumes[1] - 8.0).abs() < 1e-10, "{volumes:?}");
    }
}

#[test]
fn ten_thousand_regions_of_a_comb_through_a_comb() {
    let (a, b) = (comb(100, 0), comb(100, 1));
    let long = |shape: &Shape, axis: usize| {
        (shape.clone()).map(|p| {
            let mut p = p.to_array();
            p[axis] *= 10.0;
            Vec3::from(p)
        })
    };
    let (a, b) = (long(&a, 0), long(&b, 1));
    let regions = crossed(&a, &b, moved(0.1 * DVec3::Z)).regions().regions;
    assert_eq!(regions.len(), 10_000);
    // Bars of a fifth, half a bar's height apart.
    let each = 0.2 * 0.2 * 0.1;
    for region in &regions {
        assert!((region.volume() - each).abs() < 1e-6, "{region:?}");
    }
}

#[test]
fn what_bodies_of_many_triangles_share_and_what_is_left_add_up() {
    // 10,000 triangles each; with PROXEL_SWEEP=2 a million.
    let (along, across) = if cases(1) > 1 { (5120, 100) } else { (500, 10) };
    let a = shapes::knot(0.4, along, across);
    let b = shapes::knot(0.5, along, across);
    let rest = shapes::cuboid(Vec3::splat(9.0), 1).with(&b.clone().flipped());
    let place = pose(&mut Random::new(77), 0.7);
    let timed = |name: &str, from: Instant| println!("{name}: {:?}", from.elapsed());
    let begin = Instant::now();
    let cut = crossed(&a, &b, place);
    timed("hierarchies and crossings", begin);
    let begin = Instant::now();
    let (both, error) = cut.shared_volume().volume();
    timed("sums", begin);
    let begin = Instant::now();
    let regions = cut.regions().regions;
    timed("regions", begin);
    let (left, left_error) = shared(&a, &rest, place).volume();
    let all = whole(&a);
    // The oracle adds up as many terms as there are triangles.
    let rounding = 1e-15 * a.triangles.len() as f64;
    let off = (both + left - all).abs();
    assert!(
        off <= error + left_error + rounding,
        "{both} + {left}, not {all}"
    );
    assert!(both > 0.01 * all && left > 0.01 * all && error < 1e-9 * both);
    assert!(regions.len() > 1, "{}", regions.len());
    let sum: f64 = regions.iter().map(IntersectionRegion::volume).sum();
    assert!((sum - both).abs() < 1e-10 * both, "{sum} {both}");
}
