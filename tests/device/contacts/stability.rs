//! Bodies at rest that are disturbed by a millionth of their size keep their contacts.

use super::{ContactOptions, floor, height, near, previous};
use crate::support::kinds::{self, KINDS};
use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DQuat, DVec3, Quat, Vec3};
use proxel::geometry::random::Random;
use proxel::query::body::ContactBody;
use proxel::query::contacts::Contact;

fn resting() -> Vec<(&'static str, Shape, Quat)> {
    let lying = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let level = Quat::IDENTITY;
    vec![
        ("box", shapes::cuboid(Vec3::splat(0.4), 1), level),
        ("fine box", shapes::cuboid(Vec3::splat(0.4), 12), level),
        ("torus", shapes::torus(0.6, 0.2, 48, 16), level),
        ("standing capsule", shapes::capsule(0.2, 0.5, 32, 16), level),
        ("lying capsule", shapes::capsule(0.2, 0.5, 32, 16), lying),
        ("standing cylinder", shapes::cylinder(0.3, 0.5, 24), level),
        ("lying cylinder", shapes::cylinder(0.3, 0.5, 24), lying),
        ("ball", shapes::sphere(0.5, 40, 30), lying),
        ("knot", shapes::knot(0.3, 60, 10).map(|p| 0.3 * p), level),
    ]
}

/// The contacts at rest are there after the disturbance, where they were, with fields of both and with the floor's only. With the body's only,
/// what stands for a level part of the floor is found to about a cell.
#[test]
fn contacts_at_rest_keep_their_keys_and_places_when_disturbed_by_a_millionth() {
    let checked = Checked::open();
    let context = &checked.context;
    let floor = floor(context);
    let mut random = Random::new(5);
    for (at, (name, shape, rotation)) in resting().into_iter().enumerate() {
        for (which, kind) in KINDS.into_iter().enumerate() {
            // Every shape with three kinds of storage, all of them in turn.
            if (at + which) % 2 == 1 {
                continue;
            }
            let mesh = context.create_mesh(input(&shape)).unwrap();
            let field = kinds::bake(&checked, &shape, kind, 48);
            let body = ContactBody::new(
                Some(context.mesh(mesh).unwrap()),
                Some(context.field(field).unwrap()),
            );
            let lifted = height(&shape, rotation) - 0.001;
            let bare = |body: &ContactBody| ContactBody {
                field: None,
                ..body.clone()
            };
            for (fields, floor, body) in [
                ("both", floor.clone(), body.clone()),
                ("the floor's", floor.clone(), bare(&body)),
            ] {
                let place = |offset: DVec3, turn: DVec3| {
                    let mut moved = body.clone();
                    moved.position = DVec3::new(0.03, 0.05, lifted) + offset;
                    moved.rotation =
                        (DQuat::from_scaled_axis(turn) * rotation.as_dquat()).as_quat();
                    moved
                };
                let ask = |moved: ContactBody, last: &[Contact]| {
                    let options = ContactOptions {
                        previous: previous(last),
                        ..near(0.01)
                    };
                    context.contacts([floor.clone(), moved], options).unwrap()
                };
                let rest = ask(place(DVec3::ZERO, DVec3::ZERO), &[]);
                let (mut kept, mut all) = (0, 0);
                for _ in 0..5 {
                    let [offset, turn] =
                        [0; 2].map(|_| DVec3::from([0; 3].map(|_| 1e-6 * random.signed())));
                    for last in [&[][..], &rest.contacts] {
                        let disturbed = ask(place(offset, turn), last);
                        all += rest.contacts.len();
                        for c in &disturbed.contacts {
                            let Some(same) = rest.contacts.iter().find(|old| old.key == c.key)
                            else {
                                continue;
                            };
                            kept += 1;
                            // A rotation in single precision is itself rounded by a ten-millionth.
                            let most = 2.0 * (offset.length() + turn.length()) + 1e-6;
                            let moved = c.world_b.distance(same.world_b);
                            assert!(
                                moved <= most,
                                "{name}, {kind:?}, {fields}: {moved} for {most}: {c:?} {same:?}"
                            );
                        }
                    }
                }
                assert!(all > 0, "{name}, {kind:?}, {fields}: nothing touches");
                assert!(
                    f64::from(kept) >= 0.95 * all as f64,
                    "{name}, {kind:?}, {fields}: {kept} of {all}"
                );
            }
            context.destroy_field(field).unwrap();
        }
    }
}
