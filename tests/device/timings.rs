//! Times of queries: each has its own, together they are no longer than what passed, and work that is larger takes longer.

use crate::support::contact::sphere_field;
use crate::support::{Checked, input, on_host};
use fixtures::shapes;
use glam::Vec3;
use proxel::context::Context;
use proxel::context::exact::DistanceRequest;
use proxel::error::Error;
use proxel::field::data::Storage;
use proxel::geometry::distance::DistanceOptions;
use proxel::gpu::paths::Choice;
use proxel::query::batch::{Batch, Clock, QueryTiming};
use proxel::query::body::ContactBody;
use proxel::query::bounds::BoundsQuery;
use proxel::query::contacts::{ContactOptions, ContactsQuery};
use proxel::query::distance::DistanceQuery;
use proxel::query::exact::StandingMesh;
use proxel::query::meeting::Meeting;
use proxel::query::penalty::{PenaltyOptions, PenaltyQuery};
use proxel::scene::pose::Pose;
use std::time::Instant;

/// Submits with times and waits; seconds that passed.
fn run(batch: &Batch) -> f64 {
    let began = Instant::now();
    // SAFETY: no semaphores are passed; the batch is waited for.
    unsafe { batch.submit_timed(&[], &[], true) }.unwrap();
    batch.wait(u64::MAX).unwrap();
    began.elapsed().as_secs_f64()
}

/// Whether the device has timestamps; where it has none, times are refused by their name.
fn has_times(context: &Context) -> bool {
    let refused = context.device().check_times();
    let Err(error) = &refused else { return true };
    let message = error.to_string();
    assert!(matches!(error, Error::Unsupported(_)), "{message}");
    assert!(message.contains("timestampValidBits"), "{message}");
    let batch = context.create_batch().unwrap();
    // SAFETY: as in `run`.
    assert!(unsafe { batch.submit_timed(&[], &[], true) }.is_err());
    assert!(
        matches!(batch.poll(), Err(Error::WrongState(_))),
        "not in flight"
    );
    false
}

fn of(timings: &[QueryTiming], ticket: u64) -> QueryTiming {
    let mut own = timings.iter().filter(|timing| timing.ticket == ticket);
    let timing = *own.next().expect("every query has a time");
    assert!(own.next().is_none(), "and only one");
    timing
}

fn clock() -> Clock {
    match on_host() {
        true => Clock::Host,
        false => Clock::Device,
    }
}

#[test]
fn every_query_has_a_time_and_a_larger_one_a_longer_one() {
    let checked = Checked::open();
    let context = &checked.context;
    if !has_times(context) {
        return;
    }
    let field = context.field(sphere_field(context, 0.5, Storage::Distance, 16));
    let field = field.unwrap();
    let [small, large] = [4, 200].map(|squares| {
        let mesh = context.create_mesh(input(&shapes::sphere(0.5, 2 * squares, squares)));
        context.mesh(mesh.unwrap()).unwrap()
    });
    let batch = context.create_batch().unwrap();
    let bounds = |mesh: &_| BoundsQuery::plan(std::sync::Arc::clone(mesh), Pose::default());
    let meeting = Meeting {
        field,
        field_pose: Pose::default(),
        mesh: large.clone(),
        mesh_pose: Pose::default(),
    };
    let penalty = PenaltyQuery::plan(batch.resources(), meeting, PenaltyOptions::default());
    let tickets = [
        batch.add(bounds(&small).unwrap()).unwrap().id(),
        batch.add(penalty.unwrap()).unwrap().id(),
        batch.add(bounds(&large).unwrap()).unwrap().id(),
    ];
    assert!(matches!(batch.timings(), Err(Error::WrongState(_))));
    // Once with uploads, once recorded to be submitted again, then as it was. Any of them may be held up, but not all.
    let mut least = [f64::INFINITY; 2];
    for turn in 0..10 {
        let passed = run(&batch);
        let timings = batch.timings().unwrap();
        assert_eq!(timings.len(), 1 + tickets.len());
        assert!(
            timings
                .iter()
                .all(|timing| timing.clock == clock() && timing.seconds >= 0.0)
        );
        assert!(of(&timings, tickets[1]).seconds > 0.0);
        for (least, ticket) in least.iter_mut().zip([tickets[0], tickets[1]]) {
            *least = least.min(of(&timings, ticket).seconds);
        }
        if !on_host() {
            let sum: f64 = timings.iter().map(|timing| timing.seconds).sum();
            assert!(
                sum < passed,
                "{turn}: {sum} s on the device while {passed} s passed"
            );
        }
    }
    let [small, large] = least;
    assert!(
        small < large,
        "{small} s for the box of 32 vertices, {large} s for forces on 160,000 triangles"
    );
    batch.run().unwrap();
    let refused = batch.timings().unwrap_err().to_string();
    assert!(refused.contains("PRX_SUBMIT_TIMINGS"), "{refused}");
}

/// More timestamps than a pool has.
#[test]
fn many_queries_have_a_time_each() {
    let checked = Checked::open();
    let context = &checked.context;
    if !has_times(context) {
        return;
    }
    let mesh = context.create_mesh(input(&shapes::cuboid(Vec3::ONE, 2)));
    let mesh = context.mesh(mesh.unwrap()).unwrap();
    let batch = context.create_batch().unwrap();
    let mut tickets = Vec::new();
    for _ in 0..1500 {
        let bounds = BoundsQuery::plan(mesh.clone(), Pose::default()).unwrap();
        tickets.push(batch.add(bounds).unwrap().id());
    }
    for _ in 0..2 {
        run(&batch);
        let timings = batch.timings().unwrap();
        let told: Vec<u64> = timings.iter().map(|timing| timing.ticket).collect();
        assert_eq!(told, [&[0], &tickets[..]].concat());
        assert!(timings.iter().map(|timing| timing.seconds).sum::<f64>() > 0.0);
    }
}

#[test]
fn queries_that_share_a_dispatch_share_its_time() {
    let checked = Checked::open();
    let context = &checked.context;
    if !has_times(context) {
        return;
    }
    let field = sphere_field(context, 0.5, Storage::Distance, 32);
    let mesh = context.create_mesh(input(&shapes::sphere(0.5, 200, 100)));
    let (ball, mesh) = (
        context.field(field).unwrap(),
        context.mesh(mesh.unwrap()).unwrap(),
    );
    let batch = context.create_batch().unwrap();
    let tickets: Vec<u64> = (0..4)
        .map(|_| {
            let mut body = ContactBody::new(Some(mesh.clone()), None);
            body.position.x = 0.9;
            let pair = [ContactBody::new(None, Some(ball.clone())), body];
            let query = ContactsQuery::plan(batch.resources(), pair, ContactOptions::default());
            batch.add(query.unwrap()).unwrap().id()
        })
        .collect();
    let mut least = [f64::INFINITY; 4];
    for _ in 0..10 {
        run(&batch);
        let timings = batch.timings().unwrap();
        for (least, ticket) in least.iter_mut().zip(&tickets) {
            *least = least.min(of(&timings, *ticket).seconds);
        }
    }
    let sum: f64 = least.iter().sum();
    // What starts a query is its own, the rest is one dispatch for all: nobody has it alone.
    assert!(
        least
            .iter()
            .all(|one| *one > sum / 16.0 && *one < sum / 2.0),
        "{least:?}"
    );
}

#[test]
fn the_host_beside_the_device_and_exact_queries_have_times_too() {
    let checked = Checked::beside(Choice::Require);
    let context = &checked.context;
    if !has_times(context) {
        return;
    }
    let [a, b] = [0.0, 3.0].map(|x| {
        let mut shape = shapes::sphere(0.5, 80, 40);
        shape.positions.iter_mut().for_each(|p| p.x += x);
        context
            .mesh(context.create_mesh(input(&shape)).unwrap())
            .unwrap()
    });
    let field = context.field(sphere_field(context, 0.5, Storage::Distance, 16));
    let batch = context.create_batch().unwrap();
    let meeting = Meeting {
        field: field.unwrap(),
        field_pose: Pose::default(),
        mesh: a.clone(),
        mesh_pose: Pose::default(),
    };
    let penalty = PenaltyQuery::plan(batch.resources(), meeting, PenaltyOptions::default());
    let penalty = batch.add(penalty.unwrap()).unwrap().id();
    let bounds = BoundsQuery::plan(b.clone(), Pose::default()).unwrap();
    let bounds = batch.add(bounds).unwrap().id();
    let bodies = [a, b].map(|mesh| StandingMesh::new(mesh, Pose::default()).unwrap());
    let distance = DistanceQuery::plan(
        bodies,
        DistanceRequest::Distance(DistanceOptions::default()),
    );
    let distance = batch.add_exact(distance.unwrap()).unwrap().id();
    for _ in 0..2 {
        run(&batch);
        let timings = batch.timings().unwrap();
        for (ticket, clock) in [
            (penalty, Clock::Host),
            (bounds, clock()),
            (distance, Clock::Host),
        ] {
            let timing = of(&timings, ticket);
            assert_eq!(timing.clock, clock);
            assert!(timing.seconds > 0.0);
        }
    }
}
