//! The host as a device: what it refuses, that it needs no Vulkan, and that threads change no bit. What it answers is tested by all other
//! files, run with `PROXEL_TEST_DEVICE=host`.

use crate::support::contact::{at, request};
use crate::support::{Checked, input, on_host};
use fixtures::shapes;
use glam::{Quat, Vec3};
use proxel::context::Context;
use proxel::context::comparators::culling::CullMethod;
use proxel::error::Error;
use proxel::field::data::Storage;
use proxel::gpu::attachment::Format;
use proxel::gpu::recorder::ForeignBuffer;
use proxel::query::body::ContactBody;
use proxel::query::contacts::{ContactOptions, ContactsQuery};
use proxel::query::ldi::{Generator, LdiOptions};
use proxel::query::meeting::Meeting;
use proxel::query::penalty::{PenaltyOptions, PenaltyQuery};
use proxel::query::proximity::{ProximityOptions, ProximityQuery, SamplingPath};
use proxel::query::visibility::{CullPath, Screen};
use proxel::query::volume::VolumeQuery;
use proxel::scene::mesh::{EnginePositions, MeshInput};
use proxel::scene::pose::Pose;

fn refused<T>(outcome: Result<T, Error>, word: &str) {
    match outcome {
        Err(Error::Unsupported(why)) => assert!(why.contains(word), "{why}"),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("{word} should be refused"),
    }
}

/// A knot, its field, and where the two meet.
fn knot(context: &Context) -> (u64, Meeting) {
    let shape = shapes::torus(0.7, 0.25, 48, 24);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let field = context
        .bake_field(mesh, request(Storage::Distance, 40))
        .unwrap();
    let place = at(Vec3::new(0.8, 0.1, 0.2), Quat::from_rotation_x(0.7));
    let meeting = context.meeting((field, Pose::default()), (mesh, place));
    (mesh, meeting.unwrap())
}

#[test]
fn what_draws_and_what_is_an_engines_is_refused_by_name() {
    let checked = Checked::host(0);
    let context = &checked.context;
    let (mesh, meeting) = knot(context);
    let drawn = ProximityOptions {
        path: SamplingPath::ThreePass,
        ..ProximityOptions::default()
    };
    let resources = context.resources();
    refused(
        ProximityQuery::plan(resources, meeting.clone(), drawn),
        "ThreePass",
    );
    let drawn = PenaltyOptions {
        path: SamplingPath::Binned,
        ..PenaltyOptions::default()
    };
    refused(PenaltyQuery::plan(resources, meeting, drawn), "Binned");
    let of = || (context.mesh(mesh).unwrap(), Pose::default());
    let stencil = LdiOptions {
        generator: Generator::Stencil,
        ..LdiOptions::default()
    };
    refused(VolumeQuery::plan(resources, of(), of(), stencil), "Stencil");
    let screen = Screen {
        size: [64, 64],
        depth: Format::Depth32,
        views: [true; 3],
        path: CullPath::Boxes,
    };
    let here = (mesh, Pose::default());
    let culled = context.culled_pairs(here, here, 0.0, CullMethod::Visibility(screen), 1);
    refused(culled, "visibility");
    let engine = MeshInput {
        engine: Some(EnginePositions {
            buffer: ForeignBuffer::from_handle(1),
            offset: 0,
            stride: 12,
        }),
        ..input(&shapes::cuboid(Vec3::ONE, 1))
    };
    refused(context.create_mesh(engine), "VkBuffer");
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let ask = |threads: u32| {
        let checked = Checked::host(threads);
        let context = &checked.context;
        let (mesh, meeting) = knot(context);
        let body = |meeting: &Meeting, moved: bool| ContactBody {
            position: match moved {
                true => meeting.mesh_pose.position.as_dvec3(),
                false => glam::DVec3::ZERO,
            },
            ..ContactBody::new(Some(meeting.mesh.clone()), Some(meeting.field.clone()))
        };
        let bodies = [body(&meeting, false), body(&meeting, true)];
        let resources = context.resources();
        let options = ContactOptions {
            distance: 0.02,
            ..ContactOptions::default()
        };
        let contacts = ContactsQuery::plan(resources, bodies, options).unwrap();
        let contacts = context.ask(contacts).unwrap();
        assert!(!contacts.contacts.is_empty());
        let proximity = ProximityOptions::default();
        let proximity = ProximityQuery::plan(resources, meeting.clone(), proximity).unwrap();
        let penalty = PenaltyOptions::default();
        let penalty = PenaltyQuery::plan(resources, meeting.clone(), penalty).unwrap();
        let pair = [Pose::default(), meeting.mesh_pose].map(|p| (context.mesh(mesh).unwrap(), p));
        let [a, b] = pair;
        let volume = VolumeQuery::plan(resources, a, b, LdiOptions::default()).unwrap();
        format!(
            "{:?} {:?} {:?} {:?}",
            contacts.contacts,
            context.ask(proximity).unwrap(),
            context.ask(penalty).unwrap(),
            context.ask(volume).unwrap()
        )
    };
    let alone = ask(1);
    for threads in [2, 5] {
        assert_eq!(ask(threads), alone, "{threads} threads");
    }
}

/// In a run on a Vulkan device other tests have loaded one.
#[test]
fn no_vulkan_library_is_loaded() {
    let checked = Checked::host(0);
    let (mesh, _) = knot(&checked.context);
    assert!(checked.context.mesh(mesh).is_ok());
    let mapped = std::fs::read_to_string("/proc/self/maps").unwrap();
    assert!(
        mapped.contains("libc.so"),
        "this is not a list of libraries"
    );
    assert!(!on_host() || !mapped.contains("vulkan"), "{mapped}");
}
