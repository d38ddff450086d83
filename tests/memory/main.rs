//! Host memory that is refused: large allocations fail one after the other, in queries of every topic, and each time the answer is an error.
//!
//! An allocation that nothing catches ends the process, and this program with it; the last line it printed names the query.

mod exact;
mod failing;
mod fields;
mod meetings;
mod scenes;
mod volumes;

use fixtures::shapes;
use glam::{Quat, Vec3};
use proxel::context::Context;
use proxel::gpu::device::{Options, Trial};
use proxel::gpu::paths::{Choice, Choices};
use proxel::gpu::physical::{DeviceKind, DeviceRequest};
use proxel::log::{Log, Severity};
use proxel::scene::mesh::MeshInput;
use proxel::scene::pose::Pose;
use std::sync::{Mutex, PoisonError};

fn open(kind: DeviceKind) -> Context {
    let options = Options {
        wanted: DeviceRequest {
            kind,
            ..DeviceRequest::default()
        },
        choices: Choices::default(),
        beside: Choice::Off,
        validation: false,
        pipeline_cache: Vec::new(),
        trial: Trial::default(),
        log: Log::new(Severity::Error, |_, text| eprintln!("{text}")),
    };
    Context::open(options, 2).expect("these tests need a Vulkan device: run scripts/setup")
}

fn input(shape: &shapes::Shape) -> MeshInput {
    MeshInput {
        label: "shape".into(),
        triangles: shape.triangles.clone(),
        vertices: shape.positions.len() as u32,
        positions: Some(shape.positions.clone().into()),
        engine: None,
        deforming: true,
    }
}

const STILL: Pose = Pose {
    position: Vec3::ZERO,
    rotation: Quat::IDENTITY,
    linear_velocity: Vec3::ZERO,
    angular_velocity: Vec3::ZERO,
};

/// Two bodies that cross each other, and where they live.
struct Bodies {
    context: Context,
    shape: shapes::Shape,
    aside: shapes::Shape,
}

impl Bodies {
    /// Meshes of their own for a query, so that their hierarchies are built in it.
    fn fresh(&self) -> (u64, u64) {
        let mesh = |shape| self.context.create_mesh(input(shape)).unwrap();
        (mesh(&self.shape), mesh(&self.aside))
    }
}

/// Allocations fail for the whole process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// The query, by its topic, is refused at least so many times on a Vulkan device, and never ends the process.
fn check(topic: fn(&Bodies) -> i64, least: i64) {
    check_on(DeviceKind::Vulkan, topic, least);
}

/// The same where kernels run natively: in host memory, and with lists of their own.
fn check_on(kind: DeviceKind, topic: fn(&Bodies) -> i64, least: i64) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let shape = shapes::torus(1.0, 0.4, 80, 40);
    let refusals = topic(&Bodies {
        context: open(kind),
        aside: shape.clone().map(|p| p + Vec3::new(0.9, 0.3, 0.2)),
        shape,
    });
    println!("{refusals} refusals");
    assert!(
        refusals >= least,
        "only {refusals}: the allocator is not used"
    );
}

#[test]
fn meshes_without_memory_are_refused() {
    check(exact::meshes, 20);
}

#[test]
fn distances_and_pairs_without_memory_are_refused() {
    check(exact::distances_and_pairs, 20);
}

#[test]
fn near_lists_without_memory_are_refused() {
    check(exact::near_lists, 20);
}

#[test]
fn budgets_and_hierarchies_without_memory_are_refused() {
    check(exact::budgets_and_hierarchies, 20);
}

#[test]
fn volumes_without_memory_are_refused() {
    check(volumes::volumes, 3);
}

#[test]
fn motions_without_memory_are_refused() {
    check(exact::motions, 20);
}

#[test]
fn exact_volumes_without_memory_are_refused() {
    check(volumes::exact_volumes, 10);
}

#[test]
fn scenes_without_memory_are_refused() {
    check(
        |bodies| scenes::objects(bodies) + scenes::triangles(bodies),
        10,
    );
}

#[test]
fn what_is_visible_without_memory_is_refused() {
    check(scenes::visible, 5);
}

#[test]
fn bakes_without_memory_are_refused() {
    check(fields::bakes, 10);
}

#[test]
fn contacts_without_memory_are_refused() {
    check(fields::contacts, 10);
}

#[test]
fn meetings_on_the_host_without_memory_are_refused() {
    check_on(DeviceKind::Host, meetings::meetings, 20);
}

#[test]
fn volumes_on_the_host_without_memory_are_refused() {
    check_on(DeviceKind::Host, volumes::volumes, 10);
}

#[test]
fn contacts_on_the_host_without_memory_are_refused() {
    check_on(DeviceKind::Host, fields::contacts, 10);
}
