//! After a warm-up no query makes a pipeline, whatever its bodies are.

use crate::support::ask::AskNow;
use crate::support::contact::request;
use crate::support::{Checked, input};
use fixtures::shapes;
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::context::warm_up::QueryKind;
use proxel::field::data::Storage;
use proxel::gpu::paths::DeviceFeature;
use proxel::query::body::ContactBody;
use proxel::query::clusters::ClustersQuery;
use proxel::query::contacts::soft::{SoftContactOptions, SoftContactsQuery};
use proxel::query::contacts::{ContactOptions, Sampling};
use proxel::query::layers::{LayersQuery, Stretches};
use proxel::query::ldi::{LdiOptions, Rays};
use proxel::query::overlap::OverlapOptions;
use proxel::query::penalty::PenaltyOptions;
use proxel::query::proximity::ProximityOptions;
use proxel::query::rebake::RebakeQuery;
use proxel::query::scene_contacts::bodies::BodyFilter;
use proxel::scene::pose::Pose;

fn moved(x: f32) -> Pose {
    Pose {
        position: Vec3::new(x, 0.1, 0.0),
        rotation: Quat::from_rotation_z(0.4),
        linear_velocity: Vec3::X,
        ..Pose::default()
    }
}

/// Queries of a kind on a mesh of some thousand triangles, apart and in contact.
fn ask(context: &Context, kind: QueryKind, mesh: u64) {
    let fields = || {
        [Storage::Distance, Storage::Direction, Storage::Sparse].map(|storage| {
            let field = context.bake_field(mesh, request(storage, 24)).unwrap();
            context.wait_field(field, u64::MAX).unwrap();
            field
        })
    };
    let meetings = || {
        let places = fields()
            .into_iter()
            .flat_map(|field| [(field, 0.9), (field, 5.0)]);
        places.map(move |(field, x)| {
            let field = (field, moved(0.0));
            context.meeting(field, (mesh, moved(x))).unwrap()
        })
    };
    match kind {
        QueryKind::Bounds => {
            context.bounds(mesh, moved(1.0)).unwrap();
            let kept = context.mesh(mesh).unwrap();
            context.ask(ClustersQuery::plan(kept)).unwrap();
            context.bounds(mesh, moved(1.0)).unwrap();
            context.bounds(mesh, Pose::default()).unwrap();
        }
        QueryKind::Sample => {
            let points = [Vec3::ZERO, Vec3::X, Vec3::Y];
            for field in fields() {
                context.sample_field((field, moved(0.3)), &points).unwrap();
            }
        }
        QueryKind::Contacts => {
            for (field, x) in fields().into_iter().flat_map(|f| [(f, 0.9), (f, 5.0)]) {
                let mesh = context.mesh(mesh).unwrap();
                let body = ContactBody::new(Some(mesh), Some(context.field(field).unwrap()));
                let other = ContactBody {
                    position: DVec3::X * x,
                    ..body.clone()
                };
                let options = ContactOptions {
                    distance: 0.1,
                    ..ContactOptions::default()
                };
                let bodies = [body, other];
                let scene = context.create_scene().unwrap();
                for body in &bodies {
                    (context.add_body(scene, body.clone(), BodyFilter::default())).unwrap();
                }
                context.scene_contacts(scene, &options).unwrap();
                let [body, other] = bodies.clone();
                let soft = SoftContactOptions {
                    sampling: Sampling::All,
                    ..SoftContactOptions::default()
                };
                let soft = SoftContactsQuery::plan(context.resources(), other, vec![body], soft);
                context.ask(soft.unwrap()).unwrap();
                context.contacts(bodies, options).unwrap();
            }
        }
        QueryKind::Proximity => {
            for meeting in meetings() {
                context
                    .proximity(meeting, ProximityOptions::default())
                    .unwrap();
            }
        }
        QueryKind::Penalty => {
            for meeting in meetings() {
                let vertices = meeting.mesh.vertices as usize;
                let options = PenaltyOptions {
                    damping: 1.0,
                    friction: 0.5,
                    velocities: Some(vec![Vec3::Y; vertices]),
                    ..PenaltyOptions::default()
                };
                context.penalty(meeting.clone(), options).unwrap();
                context.penalty(meeting, PenaltyOptions::default()).unwrap();
            }
        }
        QueryKind::Overlap => {
            for meeting in meetings() {
                context.overlap(meeting, OverlapOptions::default()).unwrap();
            }
        }
        QueryKind::Volume => {
            for x in [0.9, 5.0] {
                let (a, b) = ((mesh, Pose::default()), (mesh, moved(x)));
                for rays in [Rays::Best, Rays::All, Rays::Along(1)] {
                    for narrow in [false, true] {
                        let options = LdiOptions {
                            rays,
                            narrow,
                            ..LdiOptions::default()
                        };
                        context.volume(a, b, options).unwrap();
                    }
                }
                context
                    .volume_gradients(a, b, LdiOptions::default())
                    .unwrap();
                let points = [Vec3::ZERO, Vec3::X];
                context
                    .contains(b, &points, LdiOptions::default(), false)
                    .unwrap();
                let kept = (context.mesh(mesh).unwrap(), moved(x));
                let resources = context.resources();
                for stretches in [Stretches::Inside, Stretches::SelfOverlaps] {
                    let options = LdiOptions::default();
                    let layers =
                        LayersQuery::plan(resources, kept.clone(), stretches, options, 1 << 16);
                    context.ask(layers.unwrap()).unwrap();
                }
                let both = [(context.mesh(mesh).unwrap(), Pose::default()), kept];
                let options = LdiOptions::default();
                let layers = LayersQuery::shared(resources, both, options, 1 << 16);
                context.ask(layers.unwrap()).unwrap();
            }
        }
        QueryKind::Rebake => {
            let request = request(Storage::Distance, 24);
            let live = context.create_live_field(mesh, request, 0.3).unwrap();
            let (field, band) = context.live_field(live).unwrap();
            context.ask(RebakeQuery::plan(field, band)).unwrap();
        }
    }
}

#[test]
fn a_query_after_a_warm_up_makes_no_pipeline() {
    let [software, hardware] = Checked::spreads();
    let without = Checked::without(DeviceFeature::Subgroups);
    for checked in [software, hardware, without] {
        let context = &checked.context;
        let knot = context
            .create_mesh(input(&shapes::knot(0.3, 60, 12)))
            .unwrap();
        for kind in QueryKind::ALL {
            let before = context.device().pipelines();
            let warm = context.warm_up(&[kind]).unwrap();
            assert!(warm > before, "{kind:?}");
            ask(context, kind, knot);
            assert_eq!(context.device().pipelines(), warm, "{kind:?}");
            // What is there already is not made again.
            assert_eq!(context.warm_up(&[kind]).unwrap(), warm, "{kind:?}");
        }
    }
}

#[test]
fn large_meshes_are_warm_too_and_nothing_is_left_behind() {
    let checked = Checked::open();
    let context = &checked.context;
    let warm = context.warm_up(&QueryKind::ALL).unwrap();
    let large = shapes::sphere(1.0, 260, 140);
    assert!(large.positions.len() > 32_768);
    let mesh = context.create_mesh(input(&large)).unwrap();
    // Nine scans are worth a refit; from then on boxes go by clusters.
    for _ in 0..12 {
        context.bounds(mesh, moved(1.0)).unwrap();
    }
    assert_eq!(context.device().pipelines(), warm);
    // No query is asked for none.
    assert_eq!(context.warm_up(&[]).unwrap(), warm);
}
