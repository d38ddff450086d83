//! Meshes in double precision where the device has their roundings: boxes and intervals hold the doubles, and what could not say so refuses
//! them.

use crate::doubles::doubles;
use crate::support::Checked;
use crate::support::ask::AskNow;
use crate::support::contact::{at, request, sphere_field};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::context::exact::DistanceRequest;
use proxel::error::{Error, Result};
use proxel::field::data::Storage;
use proxel::geometry::distance::DistanceOptions;
use proxel::geometry::random::Random;
use proxel::geometry::triangle::closest::on_triangle;
use proxel::query::body::ContactBody;
use proxel::query::contacts::ContactOptions;
use proxel::query::ldi::LdiOptions;
use proxel::query::overlap::OverlapOptions;
use proxel::query::penalty::PenaltyOptions;
use proxel::query::proximity::ProximityOptions;
use proxel::scene::pose::Pose;

/// Here floats are 1e-3 apart.
const AWAY: f64 = 1e4;

/// A box in its own frame, far from its origin, in doubles that are not floats.
fn far_box(random: &mut Random) -> (Vec<DVec3>, Shape) {
    let shape = shapes::cuboid(Vec3::new(0.4, 0.3, 0.2), 2);
    let place = |p: &Vec3| DVec3::splat(AWAY) + p.as_dvec3() + 1e-3 * random.in_cube();
    (shape.positions.iter().map(place).collect(), shape)
}

#[test]
fn boxes_and_intervals_hold_the_doubles() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = sphere_field(context, 1.0, Storage::Distance, 96);
    let mut random = Random::new(152);
    for round in 0..8 {
        let (places, shape) = far_box(&mut random);
        let mesh = context
            .create_mesh(doubles(places.clone(), &shape.triangles))
            .unwrap();
        let rounding = context.mesh(mesh).unwrap().rounding();
        assert!((1e-4..1e-3).contains(&rounding), "{rounding}");

        // The mesh is above the ball, by what floats make of this.
        let height = 1.21 + 0.01 * round as f32;
        let back = Vec3::new(-1e4, -1e4, -1e4 + height);
        for pose in [Pose::default(), at(back, Quat::IDENTITY)] {
            let found = context.bounds(mesh, pose).unwrap();
            for p in &places {
                let there = *p + pose.position.as_dvec3();
                let held = found.min.as_dvec3().cmple(there) & found.max.as_dvec3().cmpge(there);
                assert!(held.all(), "{there} {found:?}");
            }
        }
        let there = |v: u32| places[v as usize] + back.as_dvec3();
        let nearest = |t: &[u32; 3]| {
            let foot = on_triangle(DVec3::ZERO, t.map(there)).0;
            foot.length() - 1.0
        };
        let all = shape.triangles.iter().map(nearest);
        let truth = all.fold(f64::MAX, f64::min);
        let pose = at(back, Quat::IDENTITY);
        let meeting = context
            .meeting((field, Pose::default()), (mesh, pose))
            .unwrap();
        let found = context
            .proximity(meeting, ProximityOptions::default())
            .unwrap();
        let (lower, upper) = (f64::from(found.lower), f64::from(found.upper));
        assert!(lower <= truth && truth <= upper, "{truth} {found:?}");
        assert!(upper - lower < 0.2, "{found:?}");

        let ball = ContactBody::new(None, Some(context.field(field).unwrap()));
        let mut body = ContactBody::new(Some(context.mesh(mesh).unwrap()), None);
        body.position = DVec3::new(-AWAY, -AWAY, -AWAY + 1.2);
        let options = ContactOptions {
            distance: 0.01,
            ..ContactOptions::default()
        };
        let contacts = context
            .contacts([ball, body.clone()], options)
            .unwrap()
            .contacts;
        assert!(!contacts.is_empty());
        for c in &contacts {
            let corner = shape.triangles[c.triangle as usize];
            let weights = c.barycentric.as_dvec3().to_array();
            // Weights are floats, and add up to 1 as floats do.
            let exact = |k: usize| weights[k] * (places[corner[k] as usize] + body.position);
            let truth = (exact(0) + exact(1) + exact(2)).length() - 1.0;
            let [low, high] = c.bounds.map(f64::from);
            assert!(low <= truth && truth <= high, "{truth} {c:?}");
            assert!(high - low < 0.2, "{c:?}");
        }

        // A field of it has room for what it was rounded by.
        let own = context
            .bake_field(mesh, request(Storage::Distance, 24))
            .unwrap();
        context.wait_field(own, u64::MAX).unwrap();
        let error = f64::from(context.field(own).unwrap().data.error());
        assert!(error >= rounding && error < 0.1, "{error}");
        context.destroy_field(own).unwrap();
        context.destroy_mesh(mesh).unwrap();
    }
}

#[test]
fn what_would_decide_on_roundings_without_a_word_refuses_doubles() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = sphere_field(context, 1.0, Storage::Distance, 24);
    let (places, shape) = far_box(&mut Random::new(153));
    let mesh = context
        .create_mesh(doubles(places, &shape.triangles))
        .unwrap();
    fn refused<T>(name: &str, answer: Result<T>) {
        match answer {
            Err(Error::Unsupported(message)) => assert!(
                message.contains("\"doubles\"") && message.contains("double precision"),
                "{name}: {message}"
            ),
            Err(other) => panic!("{name}: {other}"),
            Ok(_) => panic!("{name} took them"),
        }
    }
    let still = Pose::default();
    let meeting = || context.meeting((field, still), (mesh, still)).unwrap();
    refused(
        "penalty",
        context.penalty(meeting(), PenaltyOptions::default()),
    );
    refused(
        "overlap",
        context.overlap(meeting(), OverlapOptions::default()),
    );
    refused(
        "volume",
        context.volume((mesh, still), (mesh, still), LdiOptions::default()),
    );
    let around = DistanceRequest::ByMarginHash(DistanceOptions::default());
    refused(
        "margin hash",
        context.distance((mesh, still), (mesh, still), &around),
    );
    refused(
        "exact proximity",
        context.exact_proximity((mesh, still), (mesh, still)),
    );
    refused(
        "live field",
        context.create_live_field(mesh, request(Storage::Distance, 16), 0.2),
    );
    let rays = context.contains((mesh, still), &[Vec3::ZERO], LdiOptions::default(), false);
    refused("containment", rays);
    // Bounds from hulls are not exact, and hold the truth.
    let [a, b] = [0.0, 2.0].map(|x| {
        let (places, shape) = far_box(&mut Random::new(154));
        let places = places.into_iter().map(|p| p + DVec3::X * x).collect();
        context
            .create_mesh(doubles(places, &shape.triangles))
            .unwrap()
    });
    let any = DistanceRequest::Distance(DistanceOptions::default());
    let exact = context
        .distance((a, still), (b, still), &any)
        .unwrap()
        .distance;
    let hulls = context
        .distance((a, still), (b, still), &DistanceRequest::Bounds)
        .unwrap();
    assert!(
        hulls.lower <= exact && exact <= hulls.upper,
        "{exact} {hulls:?}"
    );
    assert!(hulls.lower > 1.0, "{hulls:?}");
}
