//! A field that is baked anew in every frame, and the queries about it in the same batch: a box grows under a ball, so that every answer has a
//! closed form.

use crate::support::contact::at;
use crate::support::{Checked, input};
use fixtures::shapes;
use glam::{DVec3, Quat, Vec3};
use proxel::field::bake::Signing;
use proxel::field::data::{Precision, Storage};
use proxel::field::grid::Resolution;
use proxel::field::request::{BakeRequest, GridPlacement};
use proxel::query::body::ContactBody;
use proxel::query::contacts::{ContactOptions, ContactsQuery};
use proxel::query::overlap::{OverlapOptions, OverlapQuery};
use proxel::query::penalty::{PenaltyOptions, PenaltyQuery};
use proxel::query::proximity::{ProximityOptions, ProximityQuery};
use proxel::query::rebake::RebakeQuery;
use proxel::scene::pose::Pose;

const RADIUS: f64 = 0.3;

/// The upper face of the box, and how far the ball is above it, frame by frame.
const FRAMES: [(f64, f64); 4] = [(0.3, 0.05), (0.36, -0.1), (0.42, -0.05), (0.33, 0.08)];

#[test]
fn proximity_penalty_overlap_and_contacts_follow_a_live_field() {
    let checked = Checked::open();
    let context = &checked.context;
    let shape = shapes::cuboid(Vec3::new(0.6, 0.6, 0.3), 2);
    let ball = shapes::sphere(RADIUS, 96, 48);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let ball = context.create_mesh(input(&ball)).unwrap();
    let request = BakeRequest {
        placement: GridPlacement::Around {
            resolution: Resolution::Cells(48),
            padding: Some(0.4),
        },
        storage: Storage::Distance,
        precision: Precision::Single,
        signing: Signing::Auto,
    };
    let field = context.create_live_field(mesh, request, 0.25).unwrap();
    let (live, kernels) = context.live_field(field).unwrap();
    for (frame, (top, gap)) in FRAMES.into_iter().enumerate() {
        let grown = (shape.clone()).map(|p| if p.z > 0.29 { p.with_z(top as f32) } else { p });
        context.update_mesh(mesh, 0, &grown.positions).unwrap();
        let centre = DVec3::new(0.11, -0.07, top + RADIUS + gap);
        let place = at(centre.as_vec3(), Quat::IDENTITY);
        let meeting = || {
            let solid = (field, Pose::default());
            context.meeting(solid, (ball, place)).unwrap()
        };
        let bodies = [
            ContactBody::new(None, Some(context.field(field).unwrap())),
            ContactBody {
                position: centre,
                ..ContactBody::new(Some(context.mesh(ball).unwrap()), None)
            },
        ];
        let near = ContactOptions {
            distance: 0.1,
            ..ContactOptions::default()
        };
        let batch = context.create_batch().unwrap();
        let resources = batch.resources();
        let rebake = RebakeQuery::plan(live.clone(), kernels.clone());
        let proximity = ProximityQuery::plan(resources, meeting(), ProximityOptions::default());
        let penalty = PenaltyQuery::plan(resources, meeting(), PenaltyOptions::default());
        let overlap = OverlapQuery::plan(resources, meeting(), OverlapOptions::default());
        let contacts = ContactsQuery::plan(resources, bodies, near);
        batch.add(rebake).unwrap();
        let proximity = batch.add(proximity.unwrap()).unwrap();
        let penalty = batch.add(penalty.unwrap()).unwrap();
        let overlap = batch.add(overlap.unwrap()).unwrap();
        let contacts = batch.add(contacts.unwrap()).unwrap();
        batch.run().unwrap();

        // Single precision places the ball and the box.
        let rounding = 1e-6;
        let proximity = batch.answer(proximity).unwrap();
        let holds = |lower: f32, upper: f32| {
            f64::from(lower) - rounding <= gap && gap <= f64::from(upper) + rounding
        };
        assert!(
            holds(proximity.lower, proximity.upper)
                && (f64::from(proximity.distance) - gap).abs() < 1e-4,
            "{frame}: {proximity:?}"
        );

        let penalty = batch.answer(penalty).unwrap();
        let depth = (-gap).max(0.0);
        // The integral of the depth over a cap of a sphere, pi r d^2; a sphere of so many triangles has a little less.
        let cap = std::f64::consts::PI * RADIUS * depth * depth;
        let error = penalty.depth_sum_error + 0.01 * cap;
        assert!(
            (penalty.depth_sum - cap).abs() <= error,
            "{frame}: {cap} {penalty:?}"
        );
        assert!(
            (penalty.force_sum + cap * DVec3::Z).length() <= 0.05 * cap,
            "{frame}: {cap} {penalty:?}"
        );

        let overlap = batch.answer(overlap).unwrap();
        assert_eq!(
            (overlap.overlap, overlap.certain),
            (gap < 0.0, true),
            "{frame}: {overlap:?}"
        );

        let contacts = batch.answer(contacts).unwrap();
        let [contact] = contacts.contacts.as_slice() else {
            panic!("{frame}: a ball touches a plane once: {contacts:?}")
        };
        assert!(
            holds(contact.bounds[0], contact.bounds[1]),
            "{frame}: {contact:?}"
        );
        assert!(
            (f64::from(contact.separation) - gap).abs() < 1e-4
                && contact.normal.distance(DVec3::Z) < 1e-3
                && contact.world_b.distance(centre - RADIUS * DVec3::Z) < 1e-4,
            "{frame}: {contact:?}"
        );
    }
    context.destroy_field(field).unwrap();
    context.destroy_mesh(mesh).unwrap();
    context.destroy_mesh(ball).unwrap();
}
