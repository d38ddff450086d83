//! Fields, and contacts between bodies that have them.

use crate::Bodies;
use crate::failing::fail_each;
use proxel::field::bake::Signing;
use proxel::field::data::{Precision, Storage};
use proxel::field::grid::Resolution;
use proxel::field::request::{BakeRequest, GridPlacement};
use proxel::query::body::ContactBody;
use proxel::query::contacts::soft::{SoftContactOptions, SoftContactsQuery};
use proxel::query::contacts::{ContactOptions, ContactsQuery, Sampling};
use proxel::query::scene_contacts::bodies::BodyFilter;

/// A field of 32 cells along the longest side.
pub fn request(storage: Storage) -> BakeRequest {
    BakeRequest {
        placement: GridPlacement::Around {
            resolution: Resolution::Cells(32),
            padding: None,
        },
        storage,
        precision: Precision::Single,
        signing: Signing::Auto,
    }
}

pub fn bakes(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let (a, b) = bodies.fresh();
    let mut refusals = 0;
    for storage in [Storage::Distance, Storage::Direction, Storage::Sparse] {
        let request = request(storage);
        refusals += fail_each("bake", || {
            let field = context.bake_field(a, request)?;
            let outcome = context.wait_field(field, u64::MAX);
            context.destroy_field(field).and(outcome)
        });
    }
    let request = request(Storage::Distance);
    refusals + fail_each("live field", || context.create_live_field(b, request, 0.1))
}

pub fn contacts(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let (a, b) = bodies.fresh();
    let field = context.bake_field(a, request(Storage::Distance)).unwrap();
    context.wait_field(field, u64::MAX).unwrap();
    let field = context.field(field).unwrap();
    let first = ContactBody::new(Some(context.mesh(a).unwrap()), Some(field));
    let second = ContactBody::new(Some(context.mesh(b).unwrap()), None);
    let options = ContactOptions {
        distance: 0.05,
        ..ContactOptions::default()
    };
    let mut refusals = fail_each("contacts", || {
        let pair = [first.clone(), second.clone()];
        context.ask(ContactsQuery::plan(
            context.resources(),
            pair,
            options.clone(),
        )?)
    });
    let soft = SoftContactOptions {
        distance: 0.05,
        sampling: Sampling::All,
        ..SoftContactOptions::default()
    };
    refusals += fail_each("soft contacts", || {
        let (soft, bodies) = (soft.clone(), vec![first.clone()]);
        let query = SoftContactsQuery::plan(context.resources(), second.clone(), bodies, soft)?;
        context.ask(query)
    });
    let scene = context.create_scene().unwrap();
    for body in [&first, &second] {
        let filter = BodyFilter::default();
        context.add_body(scene, body.clone(), filter).unwrap();
    }
    refusals
        + fail_each("contacts of a scene", || {
            context.scene_contacts(scene, &options)
        })
}
