//! The host beside a Vulkan device: a batch has queries of both, and each sees the positions of its submission.

use crate::support::contact::{at, sphere_field};
use crate::support::{Checked, input};
use fixtures::shapes;
use glam::{Quat, Vec3};
use proxel::context::exact::DistanceRequest;
use proxel::error::Error;
use proxel::field::data::Storage;
use proxel::geometry::distance::DistanceOptions;
use proxel::gpu::buffer::{Buffer, Role};
use proxel::gpu::paths::Choice;
use proxel::gpu::recorder::ForeignBuffer;
use proxel::query::batch::Ticket;
use proxel::query::bounds::BoundsQuery;
use proxel::query::ldi::LdiOptions;
use proxel::query::proximity::{ProximityOptions, ProximityQuery, SamplingPath};
use proxel::query::volume::VolumeQuery;
use proxel::scene::mesh::{EnginePositions, MeshInput};
use proxel::scene::pose::Pose;
use std::sync::Arc;

const RADIUS: f64 = 0.5;

#[test]
fn a_batch_with_queries_on_both_follows_its_meshes() {
    let checked = Checked::beside(Choice::Require);
    let context = &checked.context;
    let field = sphere_field(context, RADIUS, Storage::Distance, 48);
    let shape = shapes::cuboid(Vec3::splat(0.2), 4);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let resources = context.resources();
    let meeting = |height: f32| {
        let place = at(Vec3::Z * height, Quat::IDENTITY);
        (context.meeting((field, Pose::default()), (mesh, place))).unwrap()
    };
    let options = ProximityOptions::default();
    let named = ProximityOptions {
        path: SamplingPath::Compute,
        ..options
    };
    let batch = context.create_batch().unwrap();
    let of_mesh = context.mesh(mesh).unwrap();
    let bounds = BoundsQuery::plan(of_mesh.clone(), Pose::default()).unwrap();
    let here = ProximityQuery::plan(resources, meeting(0.9), options).unwrap();
    let there = ProximityQuery::plan(resources, meeting(0.9), named).unwrap();
    let pair = [0.0, 0.3].map(|x| (of_mesh.clone(), at(Vec3::X * x, Quat::IDENTITY)));
    let [first, second] = pair;
    let shared = VolumeQuery::plan(resources, first, second, LdiOptions::default()).unwrap();
    let bounds = batch.add(bounds).unwrap();
    let (here, there) = (batch.add(here).unwrap(), batch.add(there).unwrap());
    let shared = batch.add(shared).unwrap();
    // The lower face is 0.2 below the middle, whose nearest point of the sphere is its pole; then the box is half as high.
    for (half, width) in [(0.2f32, 0.1f64), (0.1, 0.1)] {
        let flat = (shape.clone()).map(|p| Vec3::new(p.x, p.y, p.z * (half / 0.2)));
        context.update_mesh(mesh, 0, &flat.positions).unwrap();
        batch.run().unwrap();
        let expected = 0.9 - f64::from(half) - RADIUS;
        for ticket in [here, there] {
            let found = batch.answer(ticket).unwrap();
            let held = f64::from(found.lower) <= expected && expected <= f64::from(found.upper);
            assert!(held, "{expected} is not in {found:?}");
        }
        assert_eq!(batch.answer(bounds).unwrap().max[2], half);
        let volume = batch.answer(shared).unwrap();
        let exact = width * 0.4 * 2.0 * f64::from(half);
        assert!(
            volume.lower <= exact && exact <= volume.upper,
            "{exact} is not in [{}, {}]",
            volume.lower,
            volume.upper
        );
    }
    let wrong = batch.answer(Ticket::<BoundsQuery>::from_id(here.id()));
    assert!(matches!(wrong, Err(Error::InvalidArgument(_))), "{wrong:?}");
    batch.reset().unwrap();
    let stale = batch.answer(here);
    assert!(matches!(stale, Err(Error::InvalidHandle(_))), "{stale:?}");
}

/// A unit cube whose lower face is at a height, in an engine's buffer.
fn write_cube(checked: &Checked, engine: &Arc<Buffer>, height: f32) {
    let lifted = shapes::cuboid(Vec3::splat(0.5), 2).map(|p| p + Vec3::Z * (height + 0.5));
    let bytes: Vec<[f32; 4]> = (lifted.positions.iter())
        .map(|p| p.extend(f32::NAN).to_array())
        .collect();
    let (device, mut staging) = (
        checked.context.device(),
        checked.context.resources().staging(),
    );
    let write = |out: &mut [u8]| out.copy_from_slice(bytemuck::cast_slice(&bytes));
    staging
        .upload(device, engine, 0, engine.size, write)
        .unwrap();
}

#[test]
fn exact_queries_of_a_batch_read_the_engines_positions_at_its_submission_once_per_mesh() {
    let shape = shapes::cuboid(Vec3::splat(0.5), 2);
    for choice in [Choice::Off, Choice::Require] {
        let checked = Checked::beside(choice);
        let context = &checked.context;
        let size = 16 * shape.positions.len() as u64;
        let engine = Buffer::new(context.device(), Role::Device, size, "engine").unwrap();
        let engine = Arc::new(engine);
        let positions = EnginePositions {
            buffer: ForeignBuffer::of(&engine),
            offset: 0,
            stride: 16,
        };
        let lifted = MeshInput {
            positions: None,
            engine: Some(positions),
            ..input(&shape)
        };
        let lifted = context.create_mesh(lifted).unwrap();
        let ground = shape.clone().map(|p| p - Vec3::Z * 0.5);
        let ground = context.create_mesh(input(&ground)).unwrap();
        let batch = context.create_batch().unwrap();
        let still = Pose::default();
        let bounds = BoundsQuery::plan(context.mesh(lifted).unwrap(), still).unwrap();
        let bounds = batch.add(bounds).unwrap();
        let any = DistanceRequest::Distance(DistanceOptions::default());
        let plan = |pose| context.plan_distance((ground, still), (lifted, pose), &any);
        let tickets = [0.0, 1.0].map(|more| {
            let pose = at(Vec3::Z * more, Quat::IDENTITY);
            batch.add_exact(plan(pose).unwrap()).unwrap()
        });
        // The mesh stays with the batch.
        context.destroy_mesh(lifted).unwrap();
        for height in [2.0f32, 5.0, 3.0] {
            write_cube(&checked, &engine, height);
            let before = context.device().counts().dispatches;
            // SAFETY: no semaphores are passed; the engine's buffer lives on.
            unsafe { batch.submit(&[], &[]) }.unwrap();
            batch.wait(u64::MAX).unwrap();
            let distances = tickets.map(|t| batch.exact_answer(t).unwrap().distance);
            assert_eq!(distances, [height, height + 1.0].map(f64::from));
            assert_eq!(batch.answer(bounds).unwrap().min[2], height);
            // One for the box, one for the positions.
            let done = context.device().counts().dispatches - before;
            assert_eq!(done, 2, "dispatches");
        }
        context.wait_idle().unwrap();
        context.destroy_mesh(ground).unwrap();
        drop(batch);
    }
}

#[test]
fn the_device_is_left_alone_by_what_runs_on_the_host() {
    for (choice, device_works) in [(Choice::Require, false), (Choice::Off, true)] {
        let checked = Checked::beside(choice);
        let context = &checked.context;
        let field = sphere_field(context, RADIUS, Storage::Direction, 32);
        let mesh = context
            .create_mesh(input(&shapes::sphere(0.3, 24, 12)))
            .unwrap();
        let place = at(Vec3::X, Quat::IDENTITY);
        let before = context.device().counts().dispatches;
        let meeting = (context.meeting((field, Pose::default()), (mesh, place))).unwrap();
        let options = ProximityOptions::default();
        let query = ProximityQuery::plan(context.resources(), meeting, options).unwrap();
        let found = context.ask(query).unwrap();
        // The sphere's corners are on it, its faces a little inside.
        assert!(found.lower <= 0.21 && found.upper >= 0.2, "{found:?}");
        let works = context.device().counts().dispatches > before;
        assert_eq!(works, device_works, "{choice:?}");
    }
}

/// On a processor all, on a GPU what is done before a submission would be.
#[test]
fn automatic_goes_by_the_device_and_by_the_size() {
    let [processor, gpu] = Checked::spreads_beside();
    let most = |checked: &Checked| {
        checked
            .context
            .resources()
            .beside
            .as_ref()
            .unwrap()
            .most_triangles
    };
    assert_eq!(most(&processor), u32::MAX);
    assert!((1..u32::MAX).contains(&most(&gpu)), "{}", most(&gpu));
}
