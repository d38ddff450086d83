//! Answers of exact queries in buffers of the engine's: the records of what the host reads, with the head in front of them.

use crate::outputs::{STORAGE, Target, assert_refused};
use crate::support::{Checked, input, on_host};
use fixtures::shapes;
use glam::Vec3;
use proxel::error::{Error, Result};
use proxel::geometry::continuous::impacts::{Features, MeetingRule};
use proxel::interrupt;
use proxel::query::batch::Ticket;
use proxel::query::exact::{ExactQuery, MeshesAt};
use proxel::query::exact_records::{ImpactRecord, NearRecord, PairRecord};
use proxel::query::near::NearRequest;
use proxel::query::near_query::NearQuery;
use proxel::query::output::{CUT, INCOMPLETE, OutputBuffer};
use proxel::query::sweep::{FreeStepQuery, ImpactsQuery};
use proxel::scene::mesh::Mesh;
use proxel::scene::pose::Pose;
use std::sync::Arc;

const COPIED: u32 = 2;

/// A place for records that can be copied to.
fn target<T>(checked: &Checked, capacity: u32) -> Target {
    let mut target = Target::of::<T>(checked, capacity);
    target.to.usage = STORAGE | COPIED;
    target
}

/// Two bodies that meet, one of them after a step too, and one that meets itself.
struct Bodies {
    checked: Checked,
    knot: [u64; 2],
    ball: u64,
    tangle: u64,
}

impl Bodies {
    fn new() -> Self {
        let checked = Checked::open();
        let add = |shape| checked.context.create_mesh(input(&shape)).unwrap();
        let knot = shapes::knot(0.3, 60, 12);
        let moved = knot.clone().map(|p| p + Vec3::new(0.0, 0.1, 0.4));
        let (knot, tangle) = ([add(knot), add(moved)], add(shapes::knot(0.9, 60, 12)));
        let ball = add(shapes::sphere(0.9, 24, 12).map(|p| p + Vec3::X * 1.4));
        Self {
            checked,
            knot,
            ball,
            tangle,
        }
    }

    fn near(&self) -> NearQuery {
        let request = NearRequest {
            thickness: 0.05,
            ..NearRequest::default()
        };
        let bodies = [self.knot[0], self.ball].map(|id| (id, Pose::default()));
        let bodies = self.checked.context.near_bodies(bodies, request);
        NearQuery::plan(bodies.unwrap(), u64::MAX)
    }

    fn impacts(&self) -> ImpactsQuery {
        let rule = MeetingRule {
            separation: 0.0,
            start: true,
        };
        let ways = [self.knot, [self.ball; 2]];
        ImpactsQuery(
            self.checked
                .context
                .plan_step(ways[0], Some(ways[1]), rule)
                .unwrap(),
        )
    }
}

fn named(features: Features) -> (u32, [u32; 2], [u32; 2]) {
    let one = |index| [index, u32::MAX];
    match features {
        Features::Start([i, j]) => (1, one(i), one(j)),
        Features::VertexFace(v, f) => (2, one(v), one(f)),
        Features::FaceVertex(f, v) => (3, one(f), one(v)),
        Features::EdgeEdge(e, f) => (4, e, f),
    }
}

#[test]
fn lists_in_a_buffer_are_those_that_the_host_reads() {
    let bodies = Bodies::new();
    let context = &bodies.checked.context;
    let batch = context.create_batch().unwrap();
    let placed = |id| (id, Pose::default());
    let within = |d| {
        let planned = context.plan_pairs(placed(bodies.knot[0]), placed(bodies.ball), d, u64::MAX);
        batch.add_exact(planned.unwrap()).unwrap()
    };
    let (meeting, close) = (within(0.0), within(0.05));
    let own = context.plan_self_pairs(bodies.tangle, u64::MAX).unwrap();
    let own = batch.add_exact(own).unwrap();
    let near = batch.add_exact(bodies.near()).unwrap();
    let impacts = batch.add_exact(bodies.impacts()).unwrap();
    let write = |ticket: u64, target: &Target| {
        batch.write_to(ticket, 0, target.to, false).unwrap();
    };
    let [in_meeting, in_close] = [0, 1].map(|_| target::<PairRecord>(&bodies.checked, 4000));
    let in_own = target::<[u32; 2]>(&bodies.checked, 4000);
    let in_near = target::<NearRecord>(&bodies.checked, 20_000);
    let in_impacts = target::<ImpactRecord>(&bodies.checked, 20_000);
    write(meeting.id(), &in_meeting);
    write(close.id(), &in_close);
    write(own.id(), &in_own);
    write(near.id(), &in_near);
    write(impacts.id(), &in_impacts);
    for _ in 0..2 {
        batch.run().unwrap();
        for (ticket, target) in [(meeting, &in_meeting), (close, &in_close)] {
            let pairs = batch.exact_answer(ticket).unwrap();
            let records: Vec<PairRecord> = target.records();
            assert!(pairs.len() > 10);
            assert_eq!(records.len(), pairs.len());
            for (record, pair) in records.iter().zip(&*pairs) {
                assert_eq!(record.triangles, pair.triangles);
                assert_eq!(record.distance == 0.0, pair.distance == 0.0);
                assert!((f64::from(record.distance) - pair.distance).abs() <= 1e-7 * pair.distance);
                let ends = pair.segment.map(|p| p.as_vec3().extend(1.0).to_array());
                assert_eq!([record.point_a, record.point_b], ends);
            }
        }
        let pairs = batch.exact_answer(own).unwrap();
        assert!(pairs.len() > 10);
        assert_eq!(in_own.records::<[u32; 2]>(), *pairs);
        let pairs = batch.exact_answer(near).unwrap();
        let records: Vec<NearRecord> = in_near.records();
        assert!(pairs.len() > 10);
        assert_eq!(records.len(), pairs.len());
        for (record, pair) in records.iter().zip(&*pairs) {
            let features = (record.kind, record.feature_a, record.feature_b);
            assert_eq!(features, named(pair.features));
            assert_eq!(record.weights, pair.weights.map(|w| w as f32));
            assert_eq!(record.direction, pair.direction.to_array());
            assert!((f64::from(record.distance) - pair.distance).abs() <= 1e-7 * pair.distance);
        }
        let found = batch.exact_answer(impacts).unwrap();
        let records: Vec<ImpactRecord> = in_impacts.records();
        assert!(found.len() > 10);
        assert_eq!(records.len(), found.len());
        for (record, impact) in records.iter().zip(&*found) {
            let features = (record.kind, record.feature_a, record.feature_b);
            assert_eq!(features, named(impact.features));
            // Not a moment late.
            assert!(f64::from(record.time) <= impact.time);
            assert!(f64::from(record.time) >= impact.time - 1e-7);
            assert_eq!(record.normal, impact.normal.as_vec3().to_array());
        }
        let (head, outcome) = batch.written(near.id(), 0).unwrap();
        assert_eq!((head, head.status), (in_near.head(), 0));
        outcome.unwrap();
    }
}

#[test]
fn what_is_left_out_of_a_list_is_counted() {
    let bodies = Bodies::new();
    let context = &bodies.checked.context;
    let batch = context.create_batch().unwrap();
    let ask = |room| {
        let query = context.plan_self_pairs(bodies.tangle, room).unwrap();
        batch.add_exact(query).unwrap()
    };
    let cut = target::<[u32; 2]>(&bodies.checked, 7);
    let (all, few) = (ask(u64::MAX), ask(5));
    let unanswered = target::<[u32; 2]>(&bodies.checked, 100);
    batch.write_to(all.id(), 0, cut.to, false).unwrap();
    batch.write_to(few.id(), 0, unanswered.to, false).unwrap();
    batch.run().unwrap();
    let pairs = batch.exact_answer(all).unwrap();
    assert_eq!(cut.records::<[u32; 2]>(), pairs[..7]);
    let (head, outcome) = batch.written(all.id(), 0).unwrap();
    assert_eq!((head.count as usize, head.status), (pairs.len(), CUT));
    let Err(Error::BufferTooSmall { given, needed, .. }) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!((given, needed), (7, pairs.len() as u64));
    // The query had no room for its own answer.
    assert!(unanswered.records::<[u32; 2]>().is_empty());
    let (head, outcome) = batch.written(few.id(), 0).unwrap();
    assert_eq!((head.written, head.status), (0, INCOMPLETE));
    let Err(Error::BufferTooSmall { given, needed, .. }) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!((given, needed), (5, pairs.len() as u64));
}

/// An exact query that ends badly.
struct Falling(Arc<Mesh>, bool);

impl ExactQuery for Falling {
    type Answer = Vec<[u32; 2]>;
    type Prepared = ();
    const NAME: &'static str = "falling";
    const OUTPUTS: &'static [proxel::query::output::OutputArray] =
        <proxel::query::pairs::SelfPairsQuery as ExactQuery>::OUTPUTS;

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        vec![&self.0]
    }

    fn prepare(&self, _: &MeshesAt) -> Result<()> {
        Ok(())
    }

    fn run(&self, (): ()) -> Result<Vec<[u32; 2]>> {
        if self.1 {
            panic!("a test's panic");
        }
        interrupt::check();
        Ok(vec![[1, 2]])
    }
}

#[test]
fn a_query_that_ends_badly_writes_a_head_without_records() {
    let bodies = Bodies::new();
    let batch = bodies.checked.context.create_batch().unwrap();
    let mesh = bodies.checked.context.mesh(bodies.ball).unwrap();
    // The first panics; the second has no records to make of its answer.
    for panics in [true, false] {
        batch.reset().unwrap();
        let ticket = batch.add_exact(Falling(mesh.clone(), panics)).unwrap();
        let place = target::<[u32; 2]>(&bodies.checked, 3);
        batch.write_to(ticket.id(), 0, place.to, false).unwrap();
        batch.run().unwrap();
        assert!(place.records::<[u32; 2]>().is_empty());
        let (head, outcome) = batch.written(ticket.id(), 0).unwrap();
        assert_eq!((head.count, head.status), (0, INCOMPLETE));
        assert!(outcome.is_err(), "{outcome:?}");
    }
}

#[test]
fn what_cannot_take_a_list_is_refused() {
    let bodies = Bodies::new();
    let context = &bodies.checked.context;
    let batch = context.create_batch().unwrap();
    let near = batch.add_exact(bodies.near()).unwrap();
    let place = target::<NearRecord>(&bodies.checked, 10);
    fn ask<Q>(batch: &proxel::query::batch::Batch, of: Ticket<Q>, to: OutputBuffer) -> Result<()> {
        batch.write_to(of.id(), 0, to, false)
    }
    if on_host() {
        return assert_refused(ask(&batch, near, place.to), &["near", "host device"]);
    }
    let with = |change: fn(&mut OutputBuffer)| {
        let mut changed = place.to;
        change(&mut changed);
        ask(&batch, near, changed)
    };
    assert_refused(
        with(|to| to.usage = STORAGE),
        &["0x20", "VK_BUFFER_USAGE_TRANSFER_DST_BIT"],
    );
    assert_refused(
        with(|to| to.usage = COPIED),
        &["VK_BUFFER_USAGE_STORAGE_BUFFER_BIT"],
    );
    assert_refused(with(|to| to.record_bytes = 48), &["48", "64"]);
    assert_refused(with(|to| to.capacity = 1000), &["1000"]);
    assert_refused(with(|to| to.group_size = 0), &["group_size"]);
    let step = context.plan_step(
        bodies.knot,
        None,
        MeetingRule {
            separation: 0.0,
            start: false,
        },
    );
    let step = batch.add_exact(FreeStepQuery(step.unwrap())).unwrap();
    assert_refused(ask(&batch, step, place.to), &["free step", "nothing"]);
    let unasked = batch.written(near.id(), 0);
    assert!(unasked.is_err());
    ask(&batch, near, place.to).unwrap();
    batch.run().unwrap();
    assert!(!batch.exact_answer(near).unwrap().is_empty());
    assert!(batch.written(near.id(), 1).is_err());
}
