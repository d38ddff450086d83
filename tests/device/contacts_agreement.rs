//! The same pose gives the same contacts within their certificates, whatever the fields are stored as, on the device under test and on the host.
//!
//! `PROXEL_SWEEP=N` asks N times as many poses, of which there are 24.

use crate::contacts_sweep::{DISTANCE, all_contacts, any_pose, shapes_to_meet};
use crate::support::contact::request;
use crate::support::{Checked, input, times};
use proxel::context::Context;
use proxel::field::data::{Precision, Storage};
use proxel::field::request::BakeRequest;
use proxel::geometry::random::Random;
use proxel::query::body::ContactBody;
use proxel::query::contacts::Contact;

/// Cells along the longest side of a field.
const CELLS: u32 = 40;

/// The shapes as bodies, with fields of one kind.
fn bodies(context: &Context, storage: Storage, precision: Precision) -> Vec<ContactBody> {
    let request = BakeRequest {
        precision,
        ..request(storage, CELLS)
    };
    let body = |shape| {
        let mesh = context.create_mesh(input(&shape)).unwrap();
        let field = context.bake_field(mesh, request).unwrap();
        context.wait_field(field, u64::MAX).unwrap();
        ContactBody::new(
            Some(context.mesh(mesh).unwrap()),
            Some(context.field(field).unwrap()),
        )
    };
    shapes_to_meet().into_iter().map(body).collect()
}

/// Fields that hold the same values are of one kind.
struct Way<'a> {
    label: String,
    kind: usize,
    context: &'a Context,
    bodies: Vec<ContactBody>,
}

#[test]
fn fields_of_all_storages_and_both_devices_give_the_same_contacts() {
    let (checked, host) = (Checked::open(), Checked::host(0));
    let stored = [
        (0, Storage::Distance, Precision::Single),
        (0, Storage::Direction, Precision::Single),
        (1, Storage::Sparse, Precision::Single),
        (2, Storage::Distance, Precision::Half),
    ];
    let mut ways = Vec::new();
    for (name, context) in [("device", &checked.context), ("host", &host.context)] {
        for (kind, storage, precision) in stored {
            ways.push(Way {
                label: format!("{name} {storage:?} {precision:?}"),
                kind,
                context,
                bodies: bodies(context, storage, precision),
            });
        }
    }
    let mut random = Random::new(23);
    let (mut seen, mut same) = (0, 0);
    for round in 0..24 * times() {
        let numbers = [0; 2].map(|_| random.below(4));
        let poses = [0; 2].map(|_| any_pose(&mut random));
        let asked: Vec<_> = (ways.iter())
            .map(|way| {
                let pair = [0, 1].map(|i| poses[i].of(&way.bodies[numbers[i]]));
                let spacing = pair.iter().map(spacing).fold(0.0, f64::max);
                (way, all_contacts(way.context, pair), spacing)
            })
            .collect();
        for (one, own, spacing) in &asked {
            for (two, other, _) in &asked {
                for c in own {
                    let has = match one.kind == two.kind {
                        true => has_same(c, other, *spacing),
                        false => has_as_deep(c, other),
                    };
                    assert!(
                        has,
                        "{round}, {numbers:?}: {} finds {c:?}, {} does not",
                        one.label, two.label
                    );
                    seen += 1;
                    same += u32::from(has_same(c, other, *spacing));
                }
            }
        }
    }
    println!("{same} of {seen} contacts are the same");
    assert!(
        seen > 1000 && f64::from(same) > 0.95 * f64::from(seen),
        "{same} of {seen}"
    );
}

/// From one sample on an edge or a large face to the next, in the world.
fn spacing(body: &ContactBody) -> f64 {
    let grid = &body.field.as_ref().unwrap().data.grid;
    let sample = (grid.domain().size().max_element() / 64.0).max(grid.spacing);
    f64::from(body.scale) * f64::from(sample)
}

/// What may be above the contact distance may be left out.
fn may_be_far(c: &Contact) -> bool {
    f64::from(c.bounds[1]) > DISTANCE
}

/// Whether another answer has this contact: with the same key or nearby, and with an interval that has a value in common.
fn has_same(c: &Contact, others: &[Contact], within: f64) -> bool {
    let is_same = |o: &Contact| {
        let is_near = o.key == c.key || o.own_point().distance(c.own_point()) <= within;
        let meets = o.bounds[0] <= c.bounds[1] && c.bounds[0] <= o.bounds[1];
        o.on_b == c.on_b && is_near && meets
    };
    may_be_far(c) || others.iter().any(is_same)
}

/// Whether another answer has a contact on the same surface that is as deep within the certificates: where values differ, so does which
/// points are minima.
fn has_as_deep(c: &Contact, others: &[Contact]) -> bool {
    let is_as_deep = |o: &Contact| o.on_b == c.on_b && o.bounds[0] <= c.bounds[1];
    may_be_far(c) || others.iter().any(is_as_deep)
}
