//! Soft contacts against closed forms: which vertices, edges and faces of a sheet are within a distance of balls.

use crate::support::contact::{request, sphere_field, turned};
use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Vec3};
use proxel::context::Context;
use proxel::field::data::Storage;
use proxel::geometry::random::Random;
use proxel::query::body::ContactBody;
use proxel::query::contacts::soft::{
    PenaltyLaw, SoftAnswer, SoftContact, SoftContactOptions, SoftContactsQuery,
};
use proxel::query::contacts::{ContactFeature, Sampling};

/// A ball of radius 1 by its field alone.
fn ball(context: &Context, storage: Storage, position: DVec3) -> ContactBody {
    let field = sphere_field(context, 1.0, storage, 48);
    let mut body = ContactBody::new(None, Some(context.field(field).unwrap()));
    body.position = position;
    body
}

fn soft(context: &Context, shape: &Shape) -> ContactBody {
    let mesh = context.create_mesh(input(shape)).unwrap();
    ContactBody::new(Some(context.mesh(mesh).unwrap()), None)
}

fn ask(
    context: &Context,
    soft: &ContactBody,
    bodies: &[ContactBody],
    options: SoftContactOptions,
) -> SoftAnswer {
    let query =
        SoftContactsQuery::plan(context.resources(), soft.clone(), bodies.to_vec(), options);
    context.ask(query.unwrap()).unwrap()
}

fn within(distance: f32, sampling: Sampling) -> SoftContactOptions {
    SoftContactOptions {
        distance,
        sampling,
        ..SoftContactOptions::default()
    }
}

/// Where a point of the soft body is in the world, in double precision.
fn world(body: &ContactBody, p: Vec3) -> DVec3 {
    body.position + body.matrix() * (f64::from(body.scale) * p.as_dvec3())
}

/// The point that a contact names by its vertices and weights.
fn named(body: &ContactBody, shape: &Shape, c: &SoftContact) -> DVec3 {
    let count = c.feature as usize + 1;
    (0..count)
        .map(|k| f64::from(c.weights[k]) * world(body, shape.positions[c.vertices[k] as usize]))
        .sum()
}

/// The memory of the long list is kept; nothing of it comes back.
#[test]
fn a_short_list_after_a_long_one_is_that_of_a_new_context() {
    let shape = shapes::knot(0.25, 240, 24);
    let lists = |distances: &[f32]| -> Vec<Vec<SoftContact>> {
        let checked = Checked::open();
        let knot = soft(&checked.context, &shape);
        let at = DVec3::new(1.1, 0.2, 0.0);
        let balls = [ball(&checked.context, Storage::Distance, at)];
        let ask_one = |&distance: &f32| {
            let options = within(distance, Sampling::Vertices);
            ask(&checked.context, &knot, &balls, options).contacts
        };
        distances.iter().map(ask_one).collect()
    };
    let (both, alone) = (lists(&[10.0, 0.01]), lists(&[0.01]));
    assert_eq!(both[0].len(), shape.positions.len(), "all are within 10");
    assert!(!alone[0].is_empty() && 2 * alone[0].len() < both[0].len());
    assert_eq!(both[1], alone[0]);
}

#[test]
fn every_vertex_within_the_distance_is_listed_once_with_its_interval() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut random = Random::new(5);
    let shape = shapes::knot(0.25, 240, 24);
    let distance = 0.05;
    for storage in [Storage::Distance, Storage::Direction] {
        for far in [0.0, 3e7] {
            let shift = DVec3::new(far, -far, 0.5 * far);
            let mut knot = soft(context, &shape);
            knot.rotation = turned(&mut random);
            knot.scale = 0.75;
            knot.position = shift;
            let centres = [DVec3::new(1.1, 0.2, 0.0), DVec3::new(-0.8, -0.9, 0.3)];
            let mut balls = centres.map(|at| ball(context, storage, at + shift));
            balls[1].scale = 0.5;
            let found = ask(context, &knot, &balls, within(distance, Sampling::Vertices));
            let mut listed = 0;
            for (number, ball) in balls.iter().enumerate() {
                for (vertex, &p) in shape.positions.iter().enumerate() {
                    let exact = world(&knot, p).distance(ball.position) - f64::from(ball.scale);
                    let contact = (found.contacts.iter())
                        .find(|c| c.body == number as u32 && c.vertices[0] == vertex as u32);
                    let Some(c) = contact else {
                        assert!(
                            exact > f64::from(distance),
                            "vertex {vertex} at {exact} is missed"
                        );
                        continue;
                    };
                    listed += 1;
                    assert_eq!(c.feature, ContactFeature::Vertex);
                    let [lower, upper] = c.bounds.map(f64::from);
                    assert!(
                        lower <= exact && exact <= upper,
                        "{exact} in {lower} {upper}"
                    );
                    assert!(lower <= f64::from(distance));
                    assert!(c.point.distance(world(&knot, p)) < 1e-5);
                    let outwards = (c.point - ball.position).normalize();
                    assert!(c.normal.dot(outwards) > 0.995, "{} {outwards}", c.normal);
                }
            }
            assert_eq!(listed, found.contacts.len(), "each vertex once per body");
            assert!(
                listed > 100,
                "{storage:?}: the knot runs through both balls: {listed}"
            );
        }
    }
}

#[test]
fn a_sparse_field_of_a_box_lists_what_is_near_it() {
    let checked = Checked::open();
    let context = &checked.context;
    let half = Vec3::new(0.5, 0.4, 0.3);
    let mesh = context
        .create_mesh(input(&shapes::cuboid(half, 1)))
        .unwrap();
    let field = context
        .bake_field(mesh, request(Storage::Sparse, 48))
        .unwrap();
    context.wait_field(field, u64::MAX).unwrap();
    let cuboid = ContactBody::new(None, Some(context.field(field).unwrap()));
    let shape = shapes::torus(0.6, 0.2, 60, 24);
    let torus = soft(context, &shape);
    let distance = 0.03;
    let found = ask(
        context,
        &torus,
        &[cuboid],
        within(distance, Sampling::Vertices),
    );
    let mut listed = 0;
    for (vertex, &p) in shape.positions.iter().enumerate() {
        // The signed distance to a box.
        let beyond = p.as_dvec3().abs() - half.as_dvec3();
        let exact = beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0);
        match found
            .contacts
            .iter()
            .find(|c| c.vertices[0] == vertex as u32)
        {
            None => assert!(
                exact > f64::from(distance),
                "vertex {vertex} at {exact} is missed"
            ),
            Some(c) => {
                listed += 1;
                let [lower, upper] = c.bounds.map(f64::from);
                assert!(
                    lower <= exact && exact <= upper,
                    "{exact} in {lower} {upper}"
                );
            }
        }
    }
    assert_eq!(listed, found.contacts.len());
    assert!(listed > 100, "{listed}");
}

/// Two triangles of a square in the plane z = height, far larger than the ball.
fn large_square(height: f32) -> Shape {
    let corner = |x: f32, y: f32| Vec3::new(x, y, height);
    Shape {
        positions: vec![
            corner(-4.0, -3.0),
            corner(4.0, -3.0),
            corner(4.0, 3.0),
            corner(-4.0, 3.0),
        ],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

#[test]
fn an_edge_or_a_face_over_a_ball_is_listed_at_its_nearest_point() {
    let checked = Checked::open();
    let context = &checked.context;
    let shape = large_square(1.02);
    let sheet = soft(context, &shape);
    // Below the middle of the first face, and below the diagonal between both, which is y = 3 x / 4.
    for (centre, feature) in [
        (DVec3::new(1.6, -1.5, 0.0), ContactFeature::Face),
        (DVec3::new(0.8, 0.6, 0.0), ContactFeature::Edge),
    ] {
        let ball = ball(context, Storage::Distance, centre);
        let found = ask(context, &sheet, &[ball], within(0.1, Sampling::All));
        let nearest = (found.contacts.iter())
            .min_by(|a, b| a.separation.total_cmp(&b.separation))
            .unwrap();
        assert_eq!(nearest.feature, feature, "{:?}", found.contacts);
        // A ball is flat to the second order: a thirtieth of its radius beside the nearest point is 6e-4 higher.
        assert!(
            (f64::from(nearest.separation) - 0.02).abs() < 2e-3,
            "{nearest:?}"
        );
        let beside = (nearest.point - centre).truncate().length();
        assert!(beside < 0.04, "{beside}: {nearest:?}");
        assert!(nearest.point.distance(named(&sheet, &shape, nearest)) < 1e-5);
        assert!(nearest.normal.z > 0.998);
        for c in &found.contacts {
            let exact = c.point.distance(centre) - 1.0;
            assert!(f64::from(c.bounds[0]) <= exact && exact <= f64::from(c.bounds[1]));
            assert!(c.point.distance(named(&sheet, &shape, c)) < 1e-5);
        }
    }
    // By vertices alone there is nothing: all are far away.
    let ball = ball(context, Storage::Distance, DVec3::ZERO);
    let found = ask(context, &sheet, &[ball], within(0.1, Sampling::Vertices));
    assert_eq!(found, SoftAnswer::default());
}

#[test]
fn edge_centres_are_listed_once_per_edge() {
    let checked = Checked::open();
    let context = &checked.context;
    // All of it is near the ball: every vertex and every edge is listed, faces are not.
    let shape = shapes::sphere(0.6, 12, 8);
    let body = soft(context, &shape);
    let ball = ball(context, Storage::Distance, DVec3::ZERO);
    let found = ask(context, &body, &[ball], within(0.0, Sampling::EdgeCentres));
    let count = |kind| found.contacts.iter().filter(|c| c.feature == kind).count();
    // Euler: V - E + F = 2, of a closed mesh with 3 F = 2 E.
    let edges = shape.triangles.len() * 3 / 2;
    assert_eq!(shape.positions.len() + shape.triangles.len(), edges + 2);
    assert_eq!(count(ContactFeature::Vertex), shape.positions.len());
    assert_eq!(count(ContactFeature::Edge), edges);
    assert_eq!(count(ContactFeature::Face), 0);
    assert!(
        found
            .contacts
            .is_sorted_by_key(|c| (c.body, c.feature, c.vertices))
    );
    for c in found
        .contacts
        .iter()
        .filter(|c| c.feature == ContactFeature::Edge)
    {
        assert_eq!(c.weights, [0.5, 0.5, 0.0]);
        assert!(c.vertices[0] < c.vertices[1]);
        assert!(c.point.distance(named(&body, &shape, c)) < 1e-5);
    }
}

#[test]
fn forces_follow_the_law_on_each_vertex() {
    let checked = Checked::open();
    let context = &checked.context;
    // One corner is inside the ball, 0.1 below its top.
    let shape = Shape {
        positions: vec![
            Vec3::new(0.0, 0.0, 0.9),
            Vec3::new(1.0, 0.0, 3.0),
            Vec3::new(0.0, 1.0, 3.0),
        ],
        triangles: vec![[0, 1, 2]],
    };
    let body = soft(context, &shape);
    let ball = ball(context, Storage::Direction, DVec3::ZERO);
    let (distance, stiffness, damping, friction) = (0.05, 200.0, 3.0, 0.5);
    let force = |velocity: Vec3| {
        let law = PenaltyLaw {
            stiffness,
            damping,
            friction,
            velocities: vec![velocity, Vec3::ZERO, Vec3::ZERO],
        };
        let options = SoftContactOptions {
            law,
            ..within(distance, Sampling::Vertices)
        };
        let answer = ask(context, &body, std::slice::from_ref(&ball), options);
        assert_eq!(answer.forces.len(), 3);
        assert_eq!(answer.forces[1..], [Vec3::ZERO; 2]);
        answer.forces[0]
    };
    // Equation 4: the spring reaches from the distance down to the point; the field is off by its error bound at most.
    let spring = stiffness * 0.15;
    let near = |found: Vec3, expected: Vec3| {
        assert!(
            found.distance(expected) < 0.02 * spring,
            "{found} {expected}"
        );
    };
    near(force(Vec3::ZERO), Vec3::new(0.0, 0.0, spring));
    near(
        force(Vec3::new(0.0, 0.0, -2.0)),
        Vec3::new(0.0, 0.0, spring + 2.0 * damping),
    );
    // Equation 5: against the sliding, by the coefficient.
    near(
        force(Vec3::new(4.0, 0.0, 0.0)),
        Vec3::new(-friction * spring, 0.0, spring),
    );
    // What leaves fast is not held back.
    near(force(Vec3::new(0.0, 0.0, 100.0)), Vec3::ZERO);
}

#[test]
fn offsets_widen_the_search_and_shift_the_separation() {
    let checked = Checked::open();
    let context = &checked.context;
    let shape = shapes::sphere(1.0, 16, 8);
    let mut body = soft(context, &shape);
    // The lowest vertex is 0.04 above the ball, and no other is nearer.
    let below = |p: Vec3| (p.x.hypot(p.y), p.z);
    body.position.z = 2.04;
    let nearest = (shape.positions.iter().map(|&p| below(p)))
        .map(|(beside, height)| f64::from(beside).hypot(f64::from(height) + 2.04) - 1.0)
        .fold(f64::INFINITY, f64::min);
    let mut ball = ball(context, Storage::Distance, DVec3::ZERO);
    let count = |body: &ContactBody, ball: &ContactBody| {
        ask(
            context,
            body,
            std::slice::from_ref(ball),
            within(0.0, Sampling::Vertices),
        )
        .contacts
    };
    let far = ContactBody {
        position: DVec3::Z * 2.5,
        ..body.clone()
    };
    assert!(count(&far, &ball).is_empty());
    body.rest_offset = 0.03;
    ball.rest_offset = 0.02;
    let pole = |contacts: Vec<SoftContact>| {
        contacts
            .iter()
            .map(|c| c.separation)
            .fold(f32::INFINITY, f32::min)
    };
    assert!((f64::from(pole(count(&body, &ball))) - (nearest - 0.05)).abs() < 2e-3);
    body.rest_offset = 0.0;
    ball.rest_offset = 0.0;
    ball.contact_offset = 0.05;
    assert!((f64::from(pole(count(&body, &ball))) - nearest).abs() < 2e-3);
}

#[test]
fn too_small_a_budget_says_how_much_is_needed() {
    let checked = Checked::open();
    let context = &checked.context;
    let shape = shapes::sphere(0.5, 16, 8);
    let body = soft(context, &shape);
    let ball = ball(context, Storage::Distance, DVec3::ZERO);
    let plan = |body: &ContactBody, bodies: Vec<ContactBody>, options| {
        SoftContactsQuery::plan(context.resources(), body.clone(), bodies, options)
    };
    let few = SoftContactOptions {
        budget: 10,
        ..within(0.0, Sampling::Vertices)
    };
    let query = plan(&body, vec![ball.clone()], few).unwrap();
    let error = context.ask(query).unwrap_err().to_string();
    assert!(
        error.contains(&format!("{} soft contacts", shape.positions.len())),
        "{error}"
    );
    let refused = |query: Result<SoftContactsQuery, _>, word: &str| {
        let error: proxel::error::Error = query.err().unwrap();
        assert!(error.to_string().contains(word), "{error}");
    };
    let usual = SoftContactOptions::default;
    refused(plan(&body, Vec::new(), usual()), "body_count is 0");
    refused(plan(&ball, vec![ball.clone()], usual()), "soft has no mesh");
    refused(
        plan(&body, vec![body.clone()], usual()),
        "bodies[0] has no field",
    );
    refused(
        plan(&body, vec![ball.clone()], within(f32::NAN, Sampling::All)),
        "distance is NaN",
    );
    let law = PenaltyLaw {
        friction: -1.0,
        ..PenaltyLaw::default()
    };
    refused(
        plan(
            &body,
            vec![ball.clone()],
            SoftContactOptions { law, ..usual() },
        ),
        "friction is -1",
    );
    let law = PenaltyLaw {
        velocities: vec![Vec3::ZERO; 2],
        ..PenaltyLaw::default()
    };
    refused(
        plan(&body, vec![ball], SoftContactOptions { law, ..usual() }),
        "2 velocities",
    );
}

/// A cap of a ball is in another ball.
#[test]
fn a_million_triangles_are_listed_where_they_are_near() {
    let checked = Checked::open();
    let context = &checked.context;
    let shape = shapes::sphere(1.0, 1000, 501);
    assert_eq!(shape.triangles.len(), 1_000_000);
    let mut body = soft(context, &shape);
    body.position = DVec3::new(0.0, 1.9, 0.3);
    let centre = ball(context, Storage::Distance, DVec3::ZERO);
    let distance = 0.01;
    let found = ask(
        context,
        &body,
        &[centre],
        within(distance, Sampling::Vertices),
    )
    .contacts;
    let exact = |v: u32| world(&body, shape.positions[v as usize]).length() - 1.0;
    let near = |v: &u32| exact(*v) <= f64::from(distance);
    let truth = (0..shape.positions.len() as u32).filter(near).count();
    assert!(truth > 5_000, "{truth}");
    let listed: Vec<u32> = found.iter().map(|c| c.vertices[0]).collect();
    assert!(listed.windows(2).all(|two| two[0] < two[1]), "each once");
    assert_eq!(listed.iter().filter(|v| near(v)).count(), truth);
    for c in &found {
        let [lower, upper] = c.bounds.map(f64::from);
        let exact = exact(c.vertices[0]);
        assert!(lower <= exact && exact <= upper, "{exact} in {c:?}");
        assert!(c.bounds[0] <= distance);
    }
}

#[test]
fn threads_of_the_host_change_no_bit() {
    let shape = turned_sheet();
    let with = |threads| {
        let checked = Checked::host(threads);
        let context = &checked.context;
        let bodies = [DVec3::new(0.1, 0.2, -0.9), DVec3::new(0.3, -0.2, 0.95)]
            .map(|at| ball(context, Storage::Direction, at));
        let law = PenaltyLaw {
            stiffness: 10.0,
            friction: 0.3,
            velocities: vec![Vec3::new(0.2, 0.1, -0.3); shape.positions.len()],
            ..PenaltyLaw::default()
        };
        let options = SoftContactOptions {
            law,
            ..within(0.1, Sampling::All)
        };
        ask(context, &soft(context, &shape), &bodies, options)
    };
    let one = with(1);
    assert!(one.contacts.len() > 100, "{}", one.contacts.len());
    for threads in [2, 3, 5] {
        assert_eq!(with(threads), one);
    }
}

/// Minima that lie on the edge of being one may be found by one device and not by the other; what is found by both is the same.
#[test]
fn the_host_lists_what_the_device_lists() {
    let (device, host) = (Checked::open(), Checked::host(2));
    let shape = turned_sheet();
    for storage in [Storage::Distance, Storage::Direction] {
        for sampling in [Sampling::Vertices, Sampling::EdgeCentres, Sampling::All] {
            let [there, here] = [&device, &host].map(|checked| {
                let context = &checked.context;
                let body = ball(context, storage, DVec3::new(0.1, 0.2, -0.9));
                ask(
                    context,
                    &soft(context, &shape),
                    &[body],
                    within(0.1, sampling),
                )
                .contacts
            });
            let names = |c: &SoftContact| (c.feature as u32, c.vertices);
            let missing = |all: &[SoftContact], of: &[SoftContact]| {
                of.iter()
                    .filter(|c| !all.iter().any(|other| names(other) == names(c)))
                    .count()
            };
            let apart = missing(&there, &here) + missing(&here, &there);
            assert!(there.len() > 50, "{}", there.len());
            assert!(
                50 * apart <= there.len(),
                "{storage:?} {sampling:?}: {apart} of {}",
                there.len()
            );
            for c in &here {
                for other in there.iter().filter(|other| names(other) == names(c)) {
                    let ([lower, upper], [least, most]) = (c.bounds, other.bounds);
                    assert!(lower <= most && least <= upper, "{c:?} {other:?}");
                    assert!(c.normal.distance(other.normal) < 0.05, "{c:?} {other:?}");
                }
            }
        }
    }
}

/// A sheet that no axis is along.
fn turned_sheet() -> Shape {
    let turn = glam::Quat::from_euler(glam::EulerRot::XYZ, 0.2, 0.15, 0.4);
    shapes::cuboid(Vec3::new(0.75, 0.75, 0.05), 20).map(|p| turn * p)
}
