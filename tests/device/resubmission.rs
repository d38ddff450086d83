//! Batches that are submitted again as they are, on what an engine's buffers hold by then.

use crate::support::contact::sphere_field;
use crate::support::{Checked, input};
use fixtures::shapes;
use glam::Vec3;
use proxel::error::Error;
use proxel::field::data::Storage;
use proxel::geometry::random::Random;
use proxel::gpu::buffer::{Buffer, Role};
use proxel::gpu::recorder::ForeignBuffer;
use proxel::query::batch::{Batch, Ticket};
use proxel::query::bounds::BoundsQuery;
use proxel::query::contains::ContainsQuery;
use proxel::query::ldi::LdiOptions;
use proxel::query::output::InputBuffer;
use proxel::query::sample::SampleQuery;
use proxel::scene::mesh::{EnginePositions, MeshInput};
use proxel::scene::pose::Pose;

const POINTS: usize = 4;

/// A buffer as an engine has it, which the test writes where the engine's kernels would.
struct EngineBuffer(Buffer);

impl EngineBuffer {
    fn of(checked: &Checked, count: usize) -> Self {
        let device = checked.context.device();
        Self(Buffer::new(device, Role::Readback, 12 * count as u64, "an engine's").unwrap())
    }

    fn write(&mut self, values: &[Vec3]) {
        self.0
            .bytes_mut()
            .copy_from_slice(bytemuck::cast_slice(values));
    }

    fn input(&self) -> InputBuffer {
        InputBuffer {
            buffer: ForeignBuffer::of(&self.0),
            bytes: self.0.size,
            usage: 0x20,
            offset: 0,
        }
    }
}

#[test]
fn a_thousand_submissions_of_one_recording_answer_what_new_recordings_do() {
    let checked = Checked::open();
    let context = &checked.context;
    let field = sphere_field(context, 0.5, Storage::Distance, 16);
    let field = context.field(field).unwrap();
    let cube = shapes::cuboid(Vec3::splat(0.25), 1);
    let mut positions = EngineBuffer::of(&checked, cube.positions.len());
    let mut points = EngineBuffer::of(&checked, POINTS);
    let mesh = context.create_mesh(MeshInput {
        label: "the engine's".into(),
        triangles: cube.triangles.clone(),
        vertices: cube.positions.len() as u32,
        positions: None,
        engine: Some(EnginePositions {
            buffer: ForeignBuffer::of(&positions.0),
            offset: 0,
            stride: 12,
        }),
        deforming: true,
    });
    let mesh = context.mesh(mesh.unwrap()).unwrap();
    let input = points.input();
    let record = |batch: &Batch| -> (Ticket<BoundsQuery>, Ticket<SampleQuery>) {
        let bounds = BoundsQuery::plan(mesh.clone(), Pose::default()).unwrap();
        let placed = (field.clone(), Pose::default());
        let sample = SampleQuery::plan(context.resources(), placed, &[Vec3::ZERO; POINTS]);
        let tickets = (
            batch.add(bounds).unwrap(),
            batch.add(sample.unwrap()).unwrap(),
        );
        batch.read_from(tickets.1.id(), 0, input).unwrap();
        tickets
    };
    let [kept, fresh] = [0, 1].map(|_| context.create_batch().unwrap());
    let tickets = record(&kept);
    let mut random = Random::new(7);
    let places: Vec<[Vec3; POINTS]> = (0..1000)
        .map(|_| [0; POINTS].map(|_| 0.6 * random.in_cube_f32()))
        .collect();
    for (turn, places) in places.iter().enumerate() {
        let moved: Vec<Vec3> = cube.positions.iter().map(|p| *p + places[0]).collect();
        positions.write(&moved);
        points.write(places);
        let before = context.device().counts();
        kept.run().unwrap();
        let recorded = context.device().counts().since(before);
        // The first uploads what the field and the mesh are, the second records without.
        assert_eq!(recorded.dispatches == 0, turn >= 2, "{turn}: {recorded:?}");
        let bounds = kept.answer(tickets.0).unwrap();
        let expected = moved.iter().fold(moved[0], |low, p| low.min(*p));
        assert_eq!(bounds.min, expected, "{turn}");
        let samples = kept.answer(tickets.1).unwrap();
        for (sample, place) in samples.iter().zip(places) {
            let exact = place.as_dvec3().length() - 0.5;
            let held = f64::from(sample.lower) <= exact && exact <= f64::from(sample.upper);
            assert!(held, "{turn}: {exact} is not in {sample:?}");
        }
        fresh.reset().unwrap();
        let new = record(&fresh);
        fresh.run().unwrap();
        assert_eq!(fresh.answer(new.0).unwrap(), bounds, "{turn}");
        assert_eq!(fresh.answer(new.1).unwrap(), samples, "{turn}");
    }
}

#[test]
fn points_from_a_buffer_are_those_that_are_there_at_the_submission() {
    let checked = Checked::open();
    let context = &checked.context;
    let id = context
        .create_mesh(input(&shapes::cuboid(Vec3::ONE, 2)))
        .unwrap();
    let mesh = context.mesh(id).unwrap();
    let mut points = EngineBuffer::of(&checked, 3);
    let batch = context.create_batch().unwrap();
    let placed = (mesh, Pose::default());
    let asked = ContainsQuery::plan(
        context.resources(),
        placed,
        &[Vec3::ZERO; 3],
        LdiOptions::default(),
    );
    let ticket = batch.add(asked.unwrap()).unwrap();
    batch.read_from(ticket.id(), 0, points.input()).unwrap();
    let (in_it, out) = (Vec3::splat(0.5), Vec3::splat(1.5));
    for inside in [
        [in_it, out, in_it],
        [out, out, in_it],
        [Vec3::NAN, in_it, out],
    ] {
        points.write(&inside);
        batch.run().unwrap();
        let found: Vec<bool> = batch
            .answer(ticket)
            .unwrap()
            .iter()
            .map(|c| c.inside)
            .collect();
        assert_eq!(found, inside.map(|p| p == in_it));
    }
    batch.reset().unwrap();
    // A posed field has its points in another frame.
    let field = sphere_field(context, 0.5, Storage::Distance, 16);
    let pose = Pose {
        position: Vec3::X,
        ..Pose::default()
    };
    let placed = (context.field(field).unwrap(), pose);
    let sample = SampleQuery::plan(context.resources(), placed, &[Vec3::ZERO; 3]).unwrap();
    let ticket = batch.add(sample).unwrap();
    let refused = batch.read_from(ticket.id(), 0, points.input());
    assert!(matches!(refused, Err(Error::Unsupported(_))), "{refused:?}");
    let short = InputBuffer {
        bytes: 35,
        ..points.input()
    };
    let contains = ContainsQuery::plan(
        context.resources(),
        (context.mesh(id).unwrap(), Pose::default()),
        &[Vec3::ZERO; 3],
        LdiOptions::default(),
    );
    let ticket = batch.add(contains.unwrap()).unwrap();
    let refused = batch
        .read_from(ticket.id(), 0, short)
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("35") && refused.contains("36"),
        "{refused}"
    );
}
