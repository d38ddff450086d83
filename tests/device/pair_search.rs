//! Pairs of triangles of meshes whose positions only the engine has: the device looks for what may meet, the host decides it.

use crate::support::adversarial::Configuration;
use crate::support::{Checked, input, times};
use fixtures::shapes::{self, Shape};
use glam::{Quat, Vec3};
use proxel::context::Context;
use proxel::error::Error;
use proxel::geometry::random::Random;
use proxel::gpu::buffer::{Buffer, Role};
use proxel::gpu::device::Trial;
use proxel::gpu::recorder::ForeignBuffer;
use proxel::gpu::share::Spread;
use proxel::query::batch::{Batch, Ticket};
use proxel::query::exact::StandingMesh;
use proxel::query::pairs::costs::SearchAt;
use proxel::query::pairs::search::{PairSearchQuery, Searched, SoughtPairs};
use proxel::query::pairs::{PairsQuery, WorldPair};
use proxel::scene::mesh::{EnginePositions, Mesh, MeshInput};
use proxel::scene::pose::Pose;
use std::sync::Arc;

/// Bytes before the first position, and from one to the next: the engine's vertices have other things too.
const OFFSET: usize = 20;
const STRIDE: usize = 28;

/// A mesh in a buffer as an engine has it, which the test writes where the engine's kernels would; and the same mesh on the host.
pub struct Twins {
    buffer: Buffer,
    pub theirs: Arc<Mesh>,
    pub ours: Arc<Mesh>,
}

impl Twins {
    /// Of a mesh that deforms.
    pub fn new(context: &Context, shape: &Shape) -> Self {
        Self::of(context, shape, true)
    }

    /// Whether it deforms is said of the engine's mesh; the other one may always be written.
    pub fn of(context: &Context, shape: &Shape, deforming: bool) -> Self {
        let bytes = (OFFSET + STRIDE * shape.positions.len()) as u64;
        let buffer = Buffer::new(context.device(), Role::Readback, bytes, "an engine's").unwrap();
        let theirs = MeshInput {
            label: "the engine's".into(),
            triangles: shape.triangles.clone(),
            vertices: shape.positions.len() as u32,
            positions: None,
            engine: Some(EnginePositions {
                buffer: ForeignBuffer::of(&buffer),
                offset: OFFSET as u64,
                stride: STRIDE as u64,
            }),
            deforming,
        };
        let ours = MeshInput {
            deforming: true,
            ..input(shape)
        };
        let add = |input| context.mesh(context.create_mesh(input).unwrap()).unwrap();
        let mut twins = Self {
            buffer,
            theirs: add(theirs),
            ours: add(ours),
        };
        twins.write(&shape.positions);
        twins
    }

    pub fn write(&mut self, positions: &[Vec3]) {
        let bytes = self.buffer.bytes_mut();
        for (i, p) in positions.iter().enumerate() {
            let at = OFFSET + STRIDE * i;
            bytes[at..at + 12].copy_from_slice(bytemuck::bytes_of(p));
        }
    }
}

/// Devices that search, whatever it takes: spread as a processor and as a GPU, and one with memory of its own.
fn searching() -> [Checked; 3] {
    let trial = |spread, separate_memory| {
        let checked = Checked::on_trial(Trial {
            spread: Some(spread),
            separate_memory,
            ..Trial::default()
        });
        let costs = &checked.context.resources().searches;
        costs.require(SearchAt::Device);
        checked
    };
    [
        trial(Spread::Software, false),
        trial(Spread::Hardware, false),
        trial(Spread::Hardware, true),
    ]
}

pub fn standing(mesh: &Arc<Mesh>, pose: Pose) -> StandingMesh {
    StandingMesh::new(mesh.clone(), pose).unwrap()
}

/// A query that a batch answers, its search, and the same at once on the host.
struct Asked {
    ticket: Ticket<PairsQuery>,
    search: Ticket<PairSearchQuery>,
    on_host: Vec<WorldPair>,
}

impl Asked {
    /// `which` meshes are the engine's: 1 the first, 2 the second, 3 both.
    fn record(
        (context, batch): (&Context, &Batch),
        bodies: [(&Twins, Pose); 2],
        which: usize,
        within: f64,
    ) -> Self {
        let number = [1, 2];
        let given = [0, 1].map(|k| match which & number[k] {
            0 => standing(&bodies[k].0.ours, bodies[k].1),
            _ => standing(&bodies[k].0.theirs, bodies[k].1),
        });
        let ours = bodies.map(|(twins, pose)| standing(&twins.ours, pose));
        let plan = |bodies| PairsQuery::plan(bodies, within, u64::MAX).unwrap();
        let sought = SoughtPairs {
            bodies: given.each_ref(),
            within,
        };
        let search = PairSearchQuery::plan(context.device(), &sought);
        Self {
            ticket: batch.add_exact(plan(given.clone())).unwrap(),
            search: batch
                .add(search.expect("the engine's positions change"))
                .unwrap(),
            on_host: context.ask_exact(&plan(ours)).unwrap(),
        }
    }

    /// How many candidates there were, where not all positions travelled.
    fn candidates(&self, batch: &Batch) -> Option<usize> {
        match batch.answer(self.search).unwrap() {
            Searched::Candidates(found, _) => Some(found.len()),
            Searched::Positions(_) => None,
        }
    }
}

/// Submits and waits.
pub fn finish(batch: &Batch) {
    // SAFETY: no semaphores are passed, and the engine's buffers are alive.
    unsafe { batch.submit(&[], &[]) }.unwrap();
    batch.wait(u64::MAX).unwrap();
}

/// Against integers, and against the hierarchy on the host, segments and distances too.
#[test]
fn hard_configurations_have_their_true_pairs() {
    let devices = searching();
    let (mut found, mut none, mut undecided) = (0, 0, 0);
    for first in (0..240 * times() as u64).step_by(40) {
        let context = &devices[(first / 40 % 3) as usize].context;
        let batch = context.create_batch().unwrap();
        let configurations: Vec<_> = (first..first + 40).map(Configuration::new).collect();
        let twins: Vec<[Twins; 2]> = (configurations.iter())
            .map(|c| {
                c.shapes()
                    .each_ref()
                    .map(|shape| Twins::new(context, shape))
            })
            .collect();
        let asked: Vec<Asked> = (configurations.iter().zip(&twins).enumerate())
            .map(|(i, (c, [a, b]))| {
                let bodies = [(a, Pose::default()), (b, c.pose())];
                Asked::record((context, &batch), bodies, 1 + i % 3, c.within())
            })
            .collect();
        finish(&batch);
        for (i, (configuration, asked)) in configurations.iter().zip(&asked).enumerate() {
            let truth = configuration.truth();
            let pairs = batch.exact_answer(asked.ticket).unwrap();
            let triangles: Vec<[u32; 2]> = pairs.iter().map(|p| p.triangles).collect();
            let number = first + i as u64;
            assert_eq!(triangles, truth, "{number}: {configuration:?}");
            assert_eq!(*pairs, asked.on_host, "{number}");
            let candidates = asked
                .candidates(&batch)
                .expect("there is room for few triangles");
            assert!(candidates >= truth.len(), "{number}");
            undecided += candidates - truth.len();
            found += truth.len();
            none += usize::from(truth.is_empty());
        }
    }
    println!(
        "{undecided} of {} candidates do not count",
        found + undecided
    );
    assert!(found > 100 && none > 5, "{found} {none}");
}

/// Bodies of thousands of triangles, turned and moved; positions change under a batch that is submitted again.
#[test]
fn bodies_that_deform_have_the_pairs_of_the_host() {
    for checked in searching() {
        let context = &checked.context;
        let knot = shapes::knot(0.3, 200, 24);
        let ball = shapes::sphere(1.1, 60, 40);
        let (mut a, b) = (Twins::new(context, &knot), Twins::new(context, &ball));
        let mut random = Random::new(11);
        let (mut candidates, mut meeting) = (0, 0);
        for turn in 0..8 {
            let pose = |random: &mut Random| Pose {
                position: 2.0 * random.in_cube_f32(),
                rotation: Quat::from_scaled_axis(3.0 * random.in_cube_f32()),
                ..Pose::default()
            };
            let poses = match turn {
                0 => [Pose::default(); 2],
                _ => [pose(&mut random), pose(&mut random)],
            };
            let within = if turn == 7 { 0.02 } else { 0.0 };
            let batch = context.create_batch().unwrap();
            let ask = |a: &Twins, batch: &Batch| {
                let bodies = [(a, poses[0]), (&b, poses[1])];
                Asked::record((context, batch), bodies, 1 + turn % 3, within)
            };
            let asked = ask(&a, &batch);
            finish(&batch);
            let before = batch.exact_answer(asked.ticket).unwrap();
            assert_eq!(*before, asked.on_host, "{turn}");
            // Directions in single precision leave hardly any that do not meet.
            if within == 0.0 {
                candidates += asked.candidates(&batch).expect("there is room");
                meeting += before.len();
            }
            // The same commands on other positions.
            let bent: Vec<Vec3> = (knot.positions.iter())
                .map(|p| *p + 0.2 * Vec3::new(p.y.sin(), (3.0 * p.x).cos(), turn as f32 * p.z))
                .collect();
            a.write(&bent);
            let mut staging = context.resources().staging();
            (a.ours.update(context.device(), &mut staging, 0, &bent)).unwrap();
            drop(staging);
            finish(&batch);
            let fresh = context.create_batch().unwrap();
            let again = ask(&a, &fresh);
            assert_eq!(
                *batch.exact_answer(asked.ticket).unwrap(),
                again.on_host,
                "{turn}"
            );
        }
        assert!(meeting > 500, "{meeting} pairs");
        assert!(
            100 * (candidates - meeting) < candidates,
            "{candidates} candidates, {meeting} pairs"
        );
    }
}

#[test]
fn what_does_not_fit_is_searched_by_the_host() {
    let [_, _, checked] = searching();
    let context = &checked.context;
    // Hundreds of triangles in one place: each meets each.
    let one = shapes::cuboid(Vec3::ONE, 1);
    let stack = (0..24).fold(one.clone(), |stack, _| stack.with(&one));
    let twins = [&stack, &one].map(|shape| Twins::new(context, shape));
    let batch = context.create_batch().unwrap();
    let bodies = twins.each_ref().map(|twins| (twins, Pose::default()));
    let asked = Asked::record((context, &batch), bodies, 3, 0.0);
    finish(&batch);
    let pairs = batch.exact_answer(asked.ticket).unwrap();
    assert_eq!(*pairs, asked.on_host);
    assert!(pairs.len() > 1 << 10 && asked.candidates(&batch).is_none());

    // The positions of a mesh that is wrong are told as without a search.
    let mut wrong = Twins::new(context, &one);
    for bad in [f32::NAN, f32::INFINITY, -1e16] {
        let mut positions = one.positions.clone();
        positions[5].y = bad;
        wrong.write(&positions);
        let query = |a: &Arc<Mesh>, b: &Arc<Mesh>| {
            let bodies = [a, b].map(|mesh| standing(mesh, Pose::default()));
            batch.add_exact(PairsQuery::plan(bodies, 0.0, u64::MAX).unwrap())
        };
        batch.reset().unwrap();
        let asked = [
            query(&wrong.theirs, &twins[1].ours).unwrap(),
            query(&twins[1].theirs, &wrong.theirs).unwrap(),
        ];
        let fine = query(&twins[1].theirs, &twins[1].ours).unwrap();
        finish(&batch);
        for ticket in asked {
            let told = batch.exact_answer(ticket);
            let Err(Error::InvalidArgument(told)) = told else {
                panic!("{told:?}");
            };
            assert!(told.contains("vertex 5 is at"), "{told}");
        }
        assert!(!batch.exact_answer(fine).unwrap().is_empty());
    }

    // A list that is longer than what the caller takes.
    batch.reset().unwrap();
    let bodies = [&twins[1].theirs, &twins[1].ours].map(|mesh| standing(mesh, Pose::default()));
    let all = context.ask_exact(
        &PairsQuery::plan(
            [&twins[1].ours; 2].map(|mesh| standing(mesh, Pose::default())),
            0.0,
            u64::MAX,
        )
        .unwrap(),
    );
    let ticket = batch
        .add_exact(PairsQuery::plan(bodies, 0.0, 3).unwrap())
        .unwrap();
    finish(&batch);
    let Err(Error::BufferTooSmall { needed, .. }) = batch.exact_answer(ticket) else {
        panic!("three of twelve times twelve");
    };
    assert_eq!(needed, all.unwrap().len() as u64);
}
