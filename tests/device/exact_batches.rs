//! Exact queries in batches: the answers of the calls, on the positions of the submission, while the caller goes on.

use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{Quat, Vec3};
use proxel::context::Context;
use proxel::context::exact::DistanceRequest;
use proxel::context::scene_impacts::ObjectMove;
use proxel::error::{Error, Result};
use proxel::geometry::continuous::impacts::MeetingRule;
use proxel::geometry::distance::DistanceOptions;
use proxel::interrupt;
use proxel::query::batch::{Batch, Ticket};
use proxel::query::bounds::BoundsQuery;
use proxel::query::distance::DistanceQuery;
use proxel::query::exact::{ExactQuery, MeshesAt};
use proxel::query::intersection_query::ExactVolumeQuery;
use proxel::query::near::NearRequest;
use proxel::query::near_query::{NearQuery, SafeDistancesQuery};
use proxel::query::pairs::{PairsQuery, SelfPairsQuery};
use proxel::query::scene_impacts::{SceneFirstImpactQuery, SceneImpactsQuery};
use proxel::query::sweep::{FreeStepQuery, ImpactsQuery};
use proxel::query::tetrahedra::{TetrahedraCopy, TetrahedraQuery};
use proxel::scene::mesh::Mesh;
use proxel::scene::pose::Pose;
use std::fmt::Debug;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

const STILL: Pose = Pose {
    position: Vec3::ZERO,
    rotation: Quat::IDENTITY,
    linear_velocity: Vec3::ZERO,
    angular_velocity: Vec3::ZERO,
};
const RULE: MeetingRule = MeetingRule {
    separation: 0.01,
    start: true,
};

fn any_distance() -> DistanceRequest {
    DistanceRequest::Distance(DistanceOptions::default())
}

/// Submits without semaphores.
fn submit(batch: &Batch) -> Result<()> {
    // SAFETY: no semaphores are passed, and no engine's buffers are read.
    unsafe { batch.submit(&[], &[]) }
}

/// Submits and waits.
fn finish(batch: &Batch) {
    submit(batch).unwrap();
    batch.wait(u64::MAX).unwrap();
    assert!(batch.poll().unwrap());
}

/// An exact query of any kind, to be asked both ways.
trait BothWays {
    /// Records it, and answers it at once; what compares both, once the batch is done.
    fn ask(self: Box<Self>, context: &Context, batch: &Batch) -> Box<dyn Fn(&Batch)>;
}

/// A query that can be made twice, and whether an answer is worth to be compared.
struct Twice<F, A>(F, fn(&A) -> bool);

impl<Q: ExactQuery, F: Fn() -> Q> BothWays for Twice<F, Q::Answer>
where
    Q::Answer: Debug,
{
    fn ask(self: Box<Self>, context: &Context, batch: &Batch) -> Box<dyn Fn(&Batch)> {
        let ticket = batch.add_exact((self.0)()).unwrap();
        let at_once = context.ask_exact(&(self.0)()).unwrap();
        assert!((self.1)(&at_once), "{} found nothing to compare", Q::NAME);
        // Every digit is printed, and the sign of zero.
        let expected = format!("{at_once:?}");
        Box::new(move |batch| {
            let found = format!("{:?}", batch.exact_answer(ticket).unwrap());
            assert!(found == expected, "{} differs from its call", Q::NAME);
        })
    }
}

/// A query that can be made twice.
fn twice<'a, Q: ExactQuery, F: Fn() -> Q + 'a>(
    make: F,
    is_worth: fn(&Q::Answer) -> bool,
) -> Box<dyn BothWays + 'a>
where
    Q::Answer: Debug,
{
    Box::new(Twice(make, is_worth))
}

/// Of an answer, which is a vector.
#[allow(clippy::ptr_arg)]
fn some<T>(list: &Vec<T>) -> bool {
    !list.is_empty()
}

/// Meshes that meet, one place of each after a step, and a knot that is too thick not to meet itself.
struct Bodies {
    knot: [u64; 2],
    tangle: u64,
    ball: [u64; 2],
    scene: u64,
    objects: [u64; 2],
}

impl Bodies {
    fn new(context: &Context) -> Self {
        let add = |shape: &Shape| context.create_mesh(input(shape)).unwrap();
        let knot = shapes::knot(0.3, 60, 12);
        let ball = shapes::sphere(0.9, 24, 12).map(|p| p + Vec3::X * 1.4);
        // Folded over its middle, so that it meets itself.
        let folded = knot.clone().map(|p| Vec3::new(p.x, p.y, -0.5 * p.z));
        let after = ball.clone().map(|p| p - Vec3::X * 0.4);
        let tangle = add(&shapes::knot(0.9, 60, 12));
        let scene = context.create_scene().unwrap();
        let (knot, ball) = ([add(&knot), add(&folded)], [add(&ball), add(&after)]);
        let objects = [knot[0], ball[0]].map(|m| context.add_object(scene, m, STILL).unwrap());
        Self {
            knot,
            tangle,
            ball,
            scene,
            objects,
        }
    }

    fn queries<'a>(&'a self, context: &'a Context) -> Vec<Box<dyn BothWays + 'a>> {
        let (knot, ball) = ((self.knot[0], STILL), (self.ball[0], STILL));
        let turned = Pose {
            position: Vec3::Y * 0.1,
            rotation: Quat::from_rotation_z(0.3),
            ..STILL
        };
        let apart = Pose {
            position: Vec3::X * 5.0,
            ..STILL
        };
        let near = NearRequest {
            thickness: 0.05,
            ..NearRequest::default()
        };
        let of_itself = NearRequest {
            rings: 2,
            ..near.clone()
        };
        let moves = [ObjectMove {
            object: self.objects[1],
            mesh: Some(self.ball[1]),
            pose: STILL,
        }];
        let step = move || {
            let two = Some(self.ball);
            context.plan_step(self.knot, two, RULE).unwrap()
        };
        let alone = move || context.plan_step(self.knot, None, RULE).unwrap();
        let scene_step = move || (context.plan_scene_step(self.scene, &moves, RULE)).unwrap();
        let two = {
            let near = near.clone();
            move || context.near_bodies([knot, ball], near.clone()).unwrap()
        };
        let again = two.clone();
        let (tangle, rest) = (self.tangle, self.knot[0]);
        let one = move || (context.near_body(tangle, Some(rest), of_itself.clone())).unwrap();
        let tetrahedra = || {
            let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
            let body = |by: f32| TetrahedraCopy {
                positions: corners.map(|p| p + Vec3::splat(by)).to_vec(),
                tetrahedra: vec![[0, 1, 2, 3]],
            };
            TetrahedraQuery::plan(vec![body(0.0), body(0.2)], u64::MAX).unwrap()
        };
        let pairs = move |within| move || context.plan_pairs(knot, ball, within, u64::MAX).unwrap();
        vec![
            twice(
                move || {
                    context
                        .plan_distance(knot, (ball.0, apart), &any_distance())
                        .unwrap()
                },
                |found| found.distance > 1.0,
            ),
            twice(
                move || (context.plan_distance(knot, ball, &DistanceRequest::Bounds)).unwrap(),
                |found| found.upper > 0.0,
            ),
            twice(
                move || {
                    let points = [Vec3::X * 1.4, Vec3::Y * 7.0, Vec3::new(1.0, 0.1, 0.2)];
                    context.plan_exits(ball, &points).unwrap()
                },
                |found| found[0].inside && !found[1].inside,
            ),
            twice(pairs(0.0), some),
            twice(pairs(0.05), some),
            twice(
                move || context.plan_self_pairs(self.tangle, u64::MAX).unwrap(),
                some,
            ),
            twice(
                move || {
                    let planned = context.plan_intersection(knot, (ball.0, turned)).unwrap();
                    ExactVolumeQuery(planned)
                },
                |found| found.volume > 0.01,
            ),
            twice(
                move || {
                    context
                        .plan_sweep(self.ball, Some(self.knot), None)
                        .unwrap()
                },
                Option::is_some,
            ),
            twice(
                move || context.plan_sweep(self.knot, None, None).unwrap(),
                Option::is_some,
            ),
            twice(
                move || {
                    let ways = [(knot.0, [STILL; 2]), (ball.0, [apart, STILL])];
                    context.plan_sweep_poses(ways[0], ways[1], None).unwrap()
                },
                Option::is_some,
            ),
            twice(move || ImpactsQuery(step()), some),
            twice(move || ImpactsQuery(alone()), some),
            twice(move || FreeStepQuery(alone()), |part| *part < 1.0),
            twice(move || NearQuery::plan(two(), u64::MAX), some),
            twice(move || NearQuery::plan(one(), u64::MAX), some),
            twice(
                move || SafeDistancesQuery::plan(again(), 0.001).unwrap(),
                some,
            ),
            twice(tetrahedra, some),
            twice(
                move || (context.plan_scene_pairs(self.scene, 0.02, u64::MAX)).unwrap(),
                some,
            ),
            twice(move || SceneImpactsQuery(scene_step()), some),
            twice(move || SceneFirstImpactQuery(scene_step()), Option::is_some),
        ]
    }
}

impl Bodies {
    fn destroy(&self, context: &Context) {
        context.destroy_scene(self.scene).unwrap();
        for mesh in self.knot.into_iter().chain(self.ball).chain([self.tangle]) {
            context.destroy_mesh(mesh).unwrap();
        }
    }
}

#[test]
fn every_exact_query_answers_what_its_call_answers_beside_queries_of_the_device() {
    let checked = Checked::open();
    let context = &checked.context;
    let bodies = Bodies::new(context);
    let batch = context.create_batch().unwrap();
    let ball = context.mesh(bodies.ball[0]).unwrap();
    for round in 0..2 {
        // The batch is reset in between, and the ball elsewhere.
        let radius = 0.9 - 0.1 * round as f64;
        let moved = shapes::sphere(radius, 24, 12).map(|p| p + Vec3::X * 1.4);
        context
            .update_mesh(bodies.ball[0], 0, &moved.positions)
            .unwrap();
        let before = batch
            .add(BoundsQuery::plan(ball.clone(), STILL).unwrap())
            .unwrap();
        let compare: Vec<_> = (bodies.queries(context).into_iter())
            .map(|query| query.ask(context, &batch))
            .collect();
        let after = batch
            .add(BoundsQuery::plan(ball.clone(), STILL).unwrap())
            .unwrap();
        for _ in 0..2 {
            finish(&batch);
            compare.iter().for_each(|compare| compare(&batch));
            for ticket in [before, after] {
                let width = batch.answer(ticket).unwrap().max[0] - 1.4;
                assert!((f64::from(width) - radius).abs() < 1e-5);
            }
        }
        batch.reset().unwrap();
    }
    bodies.destroy(context);
}

/// A unit cube whose lower face is at a height.
fn cube_at(height: f32) -> Shape {
    shapes::cuboid(Vec3::splat(0.5), 2).map(|p| p + Vec3::Z * (height + 0.5))
}

#[test]
fn positions_are_those_of_the_submission() {
    let checked = Checked::open();
    let context = &checked.context;
    let ground = context.create_mesh(input(&cube_at(-1.0))).unwrap();
    let mesh = context.create_mesh(input(&cube_at(1.0))).unwrap();
    let batch = context.create_batch().unwrap();
    let plan = || context.plan_distance((ground, STILL), (mesh, STILL), &any_distance());
    let ticket = batch.add_exact(plan().unwrap()).unwrap();
    let lift = |height: f32| {
        let moved = cube_at(height);
        context.update_mesh(mesh, 0, &moved.positions).unwrap();
    };
    let distance = || batch.exact_answer(ticket).unwrap().distance;
    // An update between recording and submission counts, one after the submission does not.
    lift(2.0);
    submit(&batch).unwrap();
    lift(3.0);
    batch.wait(u64::MAX).unwrap();
    assert_eq!(distance(), 2.0);
    assert_eq!(context.ask_exact(&plan().unwrap()).unwrap().distance, 3.0);
    assert_eq!(distance(), 2.0);
    // Submitted again as it is, also when nobody else has the meshes any more.
    lift(4.0);
    context.destroy_mesh(ground).unwrap();
    context.destroy_mesh(mesh).unwrap();
    finish(&batch);
    assert_eq!(distance(), 4.0);
}

/// Runs until it is cancelled; says when it has begun.
struct Endless(Mutex<Sender<()>>);

impl Endless {
    fn new() -> (Self, Receiver<()>) {
        let (began, begun) = channel();
        (Self(Mutex::new(began)), begun)
    }
}

impl ExactQuery for Endless {
    type Answer = ();
    type Prepared = ();
    const NAME: &'static str = "endless";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        Vec::new()
    }

    fn prepare(&self, _: &MeshesAt) -> Result<()> {
        Ok(())
    }

    fn run(&self, (): ()) -> Result<()> {
        self.0.lock().unwrap().send(()).unwrap();
        loop {
            interrupt::check();
            thread::yield_now();
        }
    }
}

/// Waits for its turn.
struct Held(Mutex<Receiver<u32>>);

impl ExactQuery for Held {
    type Answer = u32;
    type Prepared = ();
    const NAME: &'static str = "held";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        Vec::new()
    }

    fn prepare(&self, _: &MeshesAt) -> Result<()> {
        Ok(())
    }

    fn run(&self, (): ()) -> Result<u32> {
        Ok(self.0.lock().unwrap().recv().unwrap())
    }
}

/// Fails as code does that has a mistake.
struct Mistaken;

impl ExactQuery for Mistaken {
    type Answer = u32;
    type Prepared = ();
    const NAME: &'static str = "mistaken";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        Vec::new()
    }

    fn prepare(&self, _: &MeshesAt) -> Result<()> {
        Ok(())
    }

    fn run(&self, (): ()) -> Result<u32> {
        panic!("made for the test")
    }
}

#[test]
fn nothing_is_read_reset_or_submitted_again_while_a_query_is_under_way() {
    let checked = Checked::open();
    let context = &checked.context;
    let mesh = context.create_mesh(input(&cube_at(0.0))).unwrap();
    let batch = context.create_batch().unwrap();
    let bounds = BoundsQuery::plan(context.mesh(mesh).unwrap(), STILL).unwrap();
    let bounds = batch.add(bounds).unwrap();
    let (release, held) = channel();
    let ticket = batch.add_exact(Held(Mutex::new(held))).unwrap();
    let state = |outcome: Result<()>| match outcome {
        Err(Error::WrongState(why)) => why,
        other => panic!("{other:?} is no refusal of the state"),
    };
    let read = || batch.exact_answer(ticket).map(drop);
    assert!(state(read()).contains("not been submitted"));
    for answer in [7, 8] {
        submit(&batch).unwrap();
        assert!(!batch.poll().unwrap());
        assert!(state(read()).contains("in flight"));
        assert!(state(batch.reset()).contains("in flight"));
        assert!(state(submit(&batch)).contains("in flight"));
        assert!(matches!(
            batch.wait(1_000_000),
            Err(Error::Timeout(1_000_000))
        ));
        release.send(answer).unwrap();
        batch.wait(u64::MAX).unwrap();
        assert_eq!(*batch.exact_answer(ticket).unwrap(), answer);
        assert_eq!(batch.answer(bounds).unwrap().max[2], 1.0);
    }
    // Tickets of one kind are not taken for another.
    let wrong = [
        batch
            .exact_answer(Ticket::<PairsQuery>::from_id(ticket.id()))
            .err(),
        batch
            .exact_answer(Ticket::<DistanceQuery>::from_id(bounds.id()))
            .err(),
        batch
            .answer(Ticket::<BoundsQuery>::from_id(ticket.id()))
            .err(),
    ];
    let told = [
        "held query, not pairs",
        "bounds query, not distance",
        "held query, not bounds",
    ];
    for (error, told) in wrong.into_iter().zip(told) {
        let Some(Error::InvalidArgument(why)) = error else {
            panic!("{error:?} does not name the kinds");
        };
        assert!(why.contains(told), "{why}");
    }
    for made_up in [0, 1, ticket.id() + 1, ticket.id() ^ 1 << 40, u64::MAX] {
        let unknown = batch.exact_answer(Ticket::<SelfPairsQuery>::from_id(made_up));
        let is_refused = matches!(
            unknown,
            Err(Error::InvalidHandle(_) | Error::InvalidArgument(_))
        );
        assert!(is_refused, "{made_up:#x}");
    }
    batch.reset().unwrap();
    let stale = batch.exact_answer(ticket);
    assert!(matches!(stale, Err(Error::InvalidHandle(_))));
    context.destroy_mesh(mesh).unwrap();
}

#[test]
fn a_cancel_a_limit_and_a_panic_are_the_answers_of_their_queries_alone() {
    let checked = Checked::open();
    let context = &checked.context;
    let batch = context.create_batch().unwrap();
    let (endless, begun) = Endless::new();
    let endless = batch.add_exact(endless).unwrap();
    for limited in [false, true] {
        if limited {
            context.set_time_limit(3_000_000);
        }
        let call = context.begin_call();
        submit(&batch).unwrap();
        drop(call);
        if !limited {
            begun.recv().unwrap();
            context.cancel();
        }
        batch.wait(u64::MAX).unwrap();
        let ended = batch.exact_answer(endless);
        assert!(matches!(ended, Err(Error::Cancelled(_))), "{ended:?}");
        context.set_time_limit(u64::MAX);
    }
    batch.reset().unwrap();
    let (release, held) = channel();
    let mistaken = batch.add_exact(Mistaken).unwrap();
    let sound = batch.add_exact(Held(Mutex::new(held))).unwrap();
    submit(&batch).unwrap();
    release.send(5).unwrap();
    batch.wait(u64::MAX).unwrap();
    let Err(Error::Internal(why)) = batch.exact_answer(mistaken) else {
        panic!("a panic was no answer");
    };
    assert!(why.contains("made for the test"), "{why}");
    assert_eq!(*batch.exact_answer(sound).unwrap(), 5);
}

#[test]
fn a_batch_that_is_dropped_waits_for_its_queries_and_leaves_the_context_idle() {
    let checked = Checked::open();
    let context = &checked.context;
    let batch = context.create_batch().unwrap();
    let (endless, begun) = Endless::new();
    batch.add_exact(endless).unwrap();
    submit(&batch).unwrap();
    begun.recv().unwrap();
    thread::scope(|scope| {
        let dropped = scope.spawn(|| drop(batch));
        // Only the cancel ends the query.
        assert!(!dropped.is_finished());
        context.cancel();
        dropped.join().unwrap();
    });
    context.wait_idle().unwrap();
}

#[test]
fn four_threads_have_batches_in_flight() {
    let checked = Checked::open();
    let context = &checked.context;
    let bodies = Bodies::new(context);
    let still = context.mesh(bodies.ball[0]).unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let batches: Vec<_> = (0..2).map(|_| context.create_batch().unwrap()).collect();
                let compare: Vec<Vec<_>> = (batches.iter())
                    .map(|batch| {
                        let bounds = BoundsQuery::plan(still.clone(), STILL).unwrap();
                        batch.add(bounds).unwrap();
                        let queries = bodies.queries(context).into_iter();
                        queries.map(|query| query.ask(context, batch)).collect()
                    })
                    .collect();
                for _ in 0..3 {
                    batches.iter().for_each(|batch| submit(batch).unwrap());
                    for (batch, compare) in batches.iter().zip(&compare) {
                        batch.wait(u64::MAX).unwrap();
                        compare.iter().for_each(|compare| compare(batch));
                    }
                }
            });
        }
    });
    bodies.destroy(context);
}
