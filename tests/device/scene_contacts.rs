//! Contacts of many pairs: in one batch, and of whole scenes, against single queries, closed forms and known motions.

use crate::contacts::{near, solid};
use crate::support::Checked;
use crate::support::ask::AskNow;
use crate::support::contact::turned;
use fixtures::shapes;
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::error::Error;
use proxel::field::data::Storage;
use proxel::geometry::random::Random;
use proxel::query::body::{BodyPlace, ContactBody};
use proxel::query::contacts::{Contact, ContactOptions, ContactsQuery, Manifold};
use proxel::query::scene_contacts::bodies::BodyFilter;
use proxel::query::scene_contacts::history::{PairEvent, SceneContacts, TouchingPair};
use std::collections::HashMap;

/// Everything of a contact that does not depend on where the world's origin is.
fn bits(c: &Contact) -> Vec<u64> {
    let vectors = [c.point_a, c.point_b, c.normal].map(|v| v.to_array());
    let doubles = vectors.iter().flatten().map(|x| x.to_bits());
    let floats = [c.separation, c.bounds[0], c.bounds[1], c.area];
    let words = [c.triangle, c.patch].map(u64::from);
    (doubles.chain(floats.map(|x| x.to_bits().into())))
        .chain(words)
        .chain([c.key])
        .collect()
}

fn all_bits(contacts: &[Contact]) -> Vec<Vec<u64>> {
    contacts.iter().map(bits).collect()
}

fn last(context: &Context, scene: u64) -> SceneContacts {
    let bodies = context.scene_bodies(scene).unwrap();
    let bodies = bodies.lock().unwrap();
    bodies.last().clone()
}

fn ask(context: &Context, scene: u64, options: &ContactOptions) -> SceneContacts {
    context.scene_contacts(scene, options).unwrap();
    last(context, scene)
}

fn events(found: &SceneContacts) -> Vec<([u64; 2], PairEvent)> {
    let event = |pair: &TouchingPair| (pair.objects, pair.event);
    found.pairs.iter().map(event).collect()
}

#[test]
fn a_thousand_pairs_in_one_batch_are_the_bits_of_single_ones() {
    let checked = Checked::open();
    let context = &checked.context;
    let torus = solid(
        context,
        &shapes::torus(1.0, 0.4, 32, 16),
        Storage::Distance,
        32,
    );
    // Dispatches of both meshes and both fields interleave.
    let cube = shapes::cuboid(Vec3::splat(0.8), 2);
    let cube = solid(context, &cube, Storage::Sparse, 32);
    let mut random = Random::new(5);
    let places: Vec<ContactBody> = (0..20)
        .map(|i| ContactBody {
            rotation: turned(&mut random),
            position: random.in_cube().normalize() * 2.0,
            ..[&torus, &cube][i % 2].clone()
        })
        .collect();
    let options = near(0.02);
    let single: Vec<_> = (places.iter())
        .map(|b| context.contacts([torus.clone(), b.clone()], options.clone()))
        .map(Result::unwrap)
        .collect();
    for shape in 0..2 {
        let touching = |m: &&Manifold| !m.contacts.is_empty();
        assert!(
            single
                .iter()
                .skip(shape)
                .step_by(2)
                .filter(touching)
                .count()
                > 2
        );
    }
    let batch = context.create_batch().unwrap();
    let tickets: Vec<_> = (0..1000)
        .map(|i| {
            let pair = [torus.clone(), places[i % places.len()].clone()];
            let query = ContactsQuery::plan(context.resources(), pair, options.clone());
            batch.add(query.unwrap()).unwrap()
        })
        .collect();
    batch.run().unwrap();
    for (i, ticket) in tickets.into_iter().enumerate() {
        assert_eq!(batch.answer(ticket).unwrap(), single[i % single.len()]);
    }
}

/// Small boxes on a wide slab whose upper side is at height zero: the floor comes first.
fn boxes_on_a_floor(context: &Context, origin: DVec3) -> (u64, Vec<u64>, Vec<ContactBody>) {
    let floor = shapes::cuboid(Vec3::new(2.0, 2.0, 0.25), 1);
    let floor = solid(context, &floor, Storage::Distance, 64);
    let cube = shapes::cuboid(Vec3::splat(0.125), 1);
    let cube = solid(context, &cube, Storage::Distance, 24);
    let mut bodies = vec![ContactBody {
        position: origin - DVec3::new(0.0, 0.0, 0.25),
        ..floor
    }];
    for i in 0..BOXES {
        let (x, y) = (f64::from(i % 3) - 1.0, f64::from(i / 3) - 1.5);
        bodies.push(ContactBody {
            position: origin + DVec3::new(0.5 * x, 0.5 * y, 0.125 - GAP),
            ..cube.clone()
        });
    }
    let scene = context.create_scene().unwrap();
    let add = |b: &ContactBody| context.add_body(scene, b.clone(), BodyFilter::default());
    let ids = bodies.iter().map(|b| add(b).unwrap()).collect();
    (scene, ids, bodies)
}

/// How many boxes stand on the floor.
const BOXES: u32 = 9;
/// How deep the boxes are in the floor.
const GAP: f64 = 1.0 / 256.0;

#[test]
fn a_grid_of_boxes_touches_its_floor_with_all_corners_and_nothing_else() {
    let checked = Checked::open();
    let context = &checked.context;
    let (scene, ids, bodies) = boxes_on_a_floor(context, DVec3::ZERO);
    let found = ask(context, scene, &near(0.01));
    assert_eq!(found.pairs.len(), BOXES as usize);
    for (at, pair) in found.pairs.iter().enumerate() {
        assert_eq!(pair.objects, [ids[0], ids[at + 1]]);
        assert_eq!(pair.event, PairEvent::Began);
        let centre = bodies[at + 1].position;
        let contacts = &found.contacts[pair.contacts.clone()];
        assert_eq!(contacts.len(), 4, "{contacts:?}");
        for [x, y] in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
            let corner = centre + 0.125 * DVec3::new(x, y, -1.0);
            let here = |c: &&Contact| c.world_b.distance(corner) < 1e-4;
            assert_eq!(contacts.iter().filter(here).count(), 1, "{corner}");
        }
        for c in contacts {
            assert!((f64::from(c.separation) + GAP).abs() < 1e-4, "{c:?}");
            assert!(c.normal.distance(DVec3::Z) < 1e-3, "{c:?}");
            assert_eq!(c.previous, None);
        }
        assert_eq!(found.patches[pair.patches.clone()].len(), 1);
    }
    // Nothing moved: every pair and every contact goes on.
    let again = ask(context, scene, &near(0.01));
    assert_eq!(all_bits(&again.contacts), all_bits(&found.contacts));
    for (at, c) in again.contacts.iter().enumerate() {
        assert_eq!(c.previous, Some(at as u32));
    }
    for (at, patch) in again.patches.iter().enumerate() {
        assert_eq!(patch.previous, Some(at as u32));
    }
    assert!(again.pairs.iter().all(|p| p.event == PairEvent::Persists));
    assert!(again.ended.is_empty());
}

#[test]
fn far_from_the_origin_and_from_several_threads_the_bits_are_the_same() {
    let checked = Checked::open();
    let context = &checked.context;
    let (scene, ..) = boxes_on_a_floor(context, DVec3::ZERO);
    let here = ask(context, scene, &near(0.01));
    std::thread::scope(|scope| {
        for origin in [DVec3::new(1e7, -2e7, 3e7), DVec3::ZERO, DVec3::splat(-1e7)] {
            let here = &here;
            scope.spawn(move || {
                let (far, ..) = boxes_on_a_floor(context, origin);
                for _ in 0..2 {
                    let there = ask(context, far, &near(0.01));
                    assert_eq!(all_bits(&there.contacts), all_bits(&here.contacts));
                    assert_eq!(there.pairs.len(), here.pairs.len());
                }
            });
        }
    });
}

#[test]
fn filters_and_exclusions_leave_what_all_pairs_one_by_one_have() {
    let checked = Checked::open();
    let context = &checked.context;
    let ball = solid(context, &shapes::sphere(0.5, 20, 14), Storage::Distance, 24);
    let cube = shapes::cuboid(Vec3::splat(0.4), 2);
    let cube = solid(context, &cube, Storage::Distance, 24);
    let mut random = Random::new(11);
    let scene = context.create_scene().unwrap();
    let mut bodies = Vec::new();
    for i in 0..16_u32 {
        let mut body = if i % 3 == 0 { &cube } else { &ball }.clone();
        body.position = 2.5 * DVec3::new(random.unit(), random.unit(), random.unit());
        body.rotation = turned(&mut random);
        body.scale = [0.5, 1.0, 1.25][i as usize % 3];
        body.contact_offset = [0.0, 0.01, -0.02][i as usize / 3 % 3];
        if i == 7 {
            body.field = None;
        }
        if i == 8 {
            body.mesh = None;
        }
        let filter = BodyFilter {
            group: 1 << (i % 4),
            mask: if i % 5 == 0 { 0b0110 } else { 0b1111 },
        };
        let id = context.add_body(scene, body.clone(), filter).unwrap();
        bodies.push((id, body, filter));
    }
    let options = near(0.05);
    let mut all = Vec::new();
    for (i, (first, a, one)) in bodies.iter().enumerate() {
        for (second, b, other) in &bodies[i + 1..] {
            let meets = one.group & other.mask != 0 && other.group & one.mask != 0;
            let side = |of: &ContactBody, in_field: &ContactBody| {
                of.mesh.is_some() && in_field.field.is_some()
            };
            if !meets || !(side(a, b) || side(b, a)) {
                continue;
            }
            let pair = context.contacts([a.clone(), b.clone()], options.clone());
            let pair = pair.unwrap();
            if !pair.contacts.is_empty() {
                all.push(([*first, *second], all_bits(&pair.contacts)));
            }
        }
    }
    assert!(all.len() > 8, "{}", all.len());
    // One of them the other way round: the order of an excluded pair does not matter.
    let ([a, b], second) = (all[2].0, all[5].0);
    for exclusions in [&[][..], &[[b, a], second][..]] {
        context.exclude_pairs(scene, exclusions).unwrap();
        let found = ask(context, scene, &options);
        let is_left =
            |pair: &[u64; 2]| exclusions.is_empty() || (*pair != [a, b] && *pair != second);
        let expected: Vec<_> = (all.iter().filter(|(pair, _)| is_left(pair)))
            .cloned()
            .collect();
        let touching = (found.pairs.iter()).filter(|pair| pair.event != PairEvent::Ended);
        let touching: Vec<_> = touching
            .map(|pair| {
                let contacts = &found.contacts[pair.contacts.clone()];
                (pair.objects, all_bits(contacts))
            })
            .collect();
        assert_eq!(touching, expected);
    }
}

#[test]
fn pairs_begin_go_on_and_end_at_the_steps_that_the_motion_has() {
    let checked = Checked::open();
    let context = &checked.context;
    let cube = shapes::cuboid(Vec3::splat(0.5), 1);
    let cube = solid(context, &cube, Storage::Distance, 32);
    let scene = context.create_scene().unwrap();
    let add = |x: f64| {
        let body = ContactBody {
            position: DVec3::new(x, 0.0, 0.0),
            ..cube.clone()
        };
        context
            .add_body(scene, body, BodyFilter::default())
            .unwrap()
    };
    // The first stands, the second comes to it and goes again: apart by 0.35 - 0.1 t, then back.
    let (still, moving, other) = (add(0.0), add(1.35), add(20.0));
    let options = near(0.1);
    let mut seen = Vec::new();
    for step in 0..8 {
        let gap = 0.35 - 0.1 * f64::from(i32::min(step, 7 - step));
        let place = BodyPlace {
            position: DVec3::new(1.0 + gap, 0.0, 0.0),
            rotation: Quat::IDENTITY,
        };
        context.move_bodies(scene, &[moving], &[place]).unwrap();
        let found = ask(context, scene, &options);
        seen.push(events(&found));
        // What the caller keeps with a contact goes on with it.
        let bodies = context.scene_bodies(scene).unwrap();
        let users: Vec<u64> = (found.contacts.iter())
            .map(|c| if step == 3 { c.key ^ 9 } else { c.user })
            .collect();
        bodies.lock().unwrap().set_users(&users).unwrap();
        if step == 4 {
            assert_eq!(found.contacts.len(), 4);
            assert!(found.contacts.iter().all(|c| c.user == c.key ^ 9));
        }
    }
    let pair = [still, moving];
    let at = |event| vec![(pair, event)];
    // Contacts reach to 0.1: gaps are 0.35, 0.25, 0.15, 0.05, 0.05, 0.15, ...
    let expected = [
        vec![],
        vec![],
        vec![],
        at(PairEvent::Began),
        at(PairEvent::Persists),
        at(PairEvent::Ended),
        vec![],
        vec![],
    ];
    assert_eq!(seen, expected);

    // An object that goes ends its pairs, once; its place is taken by another, which begins.
    let near_again = BodyPlace {
        position: DVec3::new(1.05, 0.0, 0.0),
        rotation: Quat::IDENTITY,
    };
    context
        .move_bodies(scene, &[moving], &[near_again])
        .unwrap();
    assert_eq!(events(&ask(context, scene, &options)), at(PairEvent::Began));
    context.remove_object(scene, moving).unwrap();
    let successor = add(1.05);
    let found = ask(context, scene, &options);
    assert_eq!(
        events(&found),
        [
            (pair, PairEvent::Ended),
            ([still, successor], PairEvent::Began)
        ]
    );
    assert_eq!(found.ended, [0, 1, 2, 3]);
    assert_eq!(
        events(&ask(context, scene, &options)),
        [([still, successor], PairEvent::Persists)]
    );
    context.remove_object(scene, other).unwrap();
    assert!(context.remove_object(scene, other).is_err());
    assert!(context.move_bodies(scene, &[other], &[near_again]).is_err());
}

#[test]
fn recorded_answers_count_when_they_are_read_and_only_forwards() {
    let checked = Checked::open();
    let context = &checked.context;
    let (scene, ids, bodies) = boxes_on_a_floor(context, DVec3::ZERO);
    let options = near(0.01);
    let plan = || context.plan_scene_contacts(scene, &options).unwrap();
    let (first, second) = (
        context.create_batch().unwrap(),
        context.create_batch().unwrap(),
    );
    let early = first.add(plan()).unwrap();
    first.run().unwrap();
    // The bodies of the second are elsewhere, and one is gone before it is read.
    let away = BodyPlace {
        position: bodies[1].position + DVec3::new(0.0, 0.0, 1.0),
        rotation: Quat::IDENTITY,
    };
    context.move_bodies(scene, &ids[1..2], &[away]).unwrap();
    let late = second.add(plan()).unwrap();
    second.run().unwrap();
    assert!(last(context, scene).pairs.is_empty());
    assert_eq!(first.answer(early).unwrap().pairs, 9);
    assert_eq!(first.answer(early).unwrap().contacts, 36);
    context.remove_object(scene, ids[2]).unwrap();
    let summary = second.answer(late).unwrap();
    assert_eq!((summary.pairs, summary.contacts), (9, 28));
    let by_event: HashMap<u32, usize> =
        (last(context, scene).pairs.iter()).fold(HashMap::new(), |mut counts, pair| {
            *counts.entry(pair.event as u32).or_default() += 1;
            counts
        });
    assert_eq!(by_event[&(PairEvent::Persists as u32)], 7);
    assert_eq!(by_event[&(PairEvent::Ended as u32)], 2);
    assert_eq!(summary.ended, 8);
    // Read again it is the same; submitted again it is a new answer, and the older one comes too late.
    assert_eq!(second.answer(late).unwrap(), summary);
    first.run().unwrap();
    second.run().unwrap();
    assert_eq!(second.answer(late).unwrap().pairs, 7);
    assert!(matches!(first.answer(early), Err(Error::WrongState(_))));
}

#[test]
fn a_scene_of_large_meshes_shares_its_working_memory_and_bad_input_changes_nothing() {
    let checked = Checked::open();
    let context = &checked.context;
    // 20,000 triangles each: the 276 pairs would need more than a gigabyte if each had its own.
    let fine = solid(
        context,
        &shapes::sphere(0.5, 142, 72),
        Storage::Distance,
        24,
    );
    let scene = context.create_scene().unwrap();
    let place = |i: i32| ContactBody {
        position: DVec3::new(0.01 * f64::from(i), 0.0, 0.0),
        ..fine.clone()
    };
    let filter = BodyFilter::default();
    for i in 0..24 {
        context.add_body(scene, place(i), filter).unwrap();
    }
    // Far deeper than a solver has them; what counts is that each pair gets the working memory of its own.
    let options = ContactOptions {
        budget: 16384,
        ..near(0.0)
    };
    let query = context.plan_scene_contacts(scene, &options).unwrap();
    let memory = proxel::query::Query::memory(&query);
    let bytes: u64 = memory.parts.iter().map(|part| part.bytes).sum();
    assert!(bytes <= 256 << 20, "{bytes}");
    let bad = ContactBody {
        position: DVec3::NAN,
        ..fine.clone()
    };
    assert!(context.add_body(scene, bad, filter).is_err());
    let nothing = ContactBody::new(None, None);
    assert!(context.add_body(scene, nothing, filter).is_err());
    assert!(context.scene_contacts(scene, &near(f32::NAN)).is_err());
    assert!(context.exclude_pairs(scene, &[[1, 2]]).is_err());
    let bodies = context.scene_bodies(scene).unwrap();
    assert!(bodies.lock().unwrap().set_users(&[1]).is_err());
    assert_eq!(last(context, scene), SceneContacts::default());
}
