//! What a query costs any device: dispatches, barriers, submissions, and what it creates. These are the numbers of docs/gpu.md, so that
//! they do not creep up unseen.

use crate::support::ask::AskNow;
use crate::support::contact::{at, request};
use crate::support::{Checked, input};
use fixtures::shapes;
use glam::{Quat, Vec3};
use proxel::context::Context;
use proxel::context::comparators::culling::CullMethod;
use proxel::field::data::Storage;
use proxel::field::shape::Shape as FieldShape;
use proxel::gpu::attachment::Format;
use proxel::gpu::charge::MemoryKind;
use proxel::gpu::counts::Counts;
use proxel::query::Query;
use proxel::query::batch::Batch;
use proxel::query::body::ContactBody;
use proxel::query::bounds::BoundsQuery;
use proxel::query::contacts::soft::{SoftContactOptions, SoftContactsQuery};
use proxel::query::contacts::{ContactOptions, ContactsQuery};
use proxel::query::contains::ContainsQuery;
use proxel::query::ldi::LdiOptions;
use proxel::query::meeting::Meeting;
use proxel::query::overlap::{OverlapOptions, OverlapQuery};
use proxel::query::penalty::{PenaltyOptions, PenaltyQuery};
use proxel::query::proximity::{ProximityOptions, ProximityQuery};
use proxel::query::sample::SampleQuery;
use proxel::query::scene_contacts::bodies::BodyFilter;
use proxel::query::visibility::{CullPath, Screen};
use proxel::query::volume::VolumeQuery;
use proxel::scene::pose::Pose;

/// What a query costs when its pipelines and its cluster bounds are there: the second time in a new batch, then again in the same
/// batch after a reset.
fn cost<Q: Query>(context: &Context, plan: impl Fn(&Batch) -> Q) -> [Counts; 2] {
    let run = |batch: &Batch| {
        let before = context.device().counts();
        batch.add(plan(batch)).unwrap();
        batch.run().unwrap();
        context.device().counts().since(before)
    };
    run(&context.create_batch().unwrap());
    let batch = context.create_batch().unwrap();
    let first = run(&batch);
    batch.reset().unwrap();
    let again = run(&batch);
    assert_eq!((first.submissions, again.submissions), (1, 1));
    assert_eq!((first.pipelines, again.pipelines), (0, 0));
    [first, again]
}

/// A torus around the x axis of a ball of radius 1, which it enters.
struct Scene {
    checked: Checked,
    field: u64,
    mesh: u64,
}

impl Scene {
    fn new() -> Self {
        Self::on(Checked::open())
    }

    fn on(checked: Checked) -> Self {
        let data = (request(Storage::Distance, 32))
            .of_shape(&FieldShape::Sphere { radius: 1.0 })
            .unwrap();
        let field = checked.context.add_field(data).unwrap();
        let mesh = checked.context.create_mesh(input(&torus())).unwrap();
        Self {
            checked,
            field,
            mesh,
        }
    }

    fn meeting(&self) -> Meeting {
        let pose = at(Vec3::new(2.1, 0.0, 0.0), Quat::IDENTITY);
        (self.checked.context)
            .meeting((self.field, Pose::default()), (self.mesh, pose))
            .unwrap()
    }
}

fn torus() -> shapes::Shape {
    shapes::torus(1.0, 0.3, 48, 24)
}

/// Dispatches, barriers and passes, of the first query and of the same after a reset.
fn assert_cost(counts: [Counts; 2], dispatches: u64, barriers: u64, passes: u64) {
    for (when, counts) in ["first", "again"].into_iter().zip(counts) {
        let seen = (counts.dispatches, counts.barriers, counts.passes);
        assert_eq!(seen, (dispatches, barriers, passes), "{when}: {counts:?}");
    }
    println!("{:?}", counts[1]);
}

/// A query of the same size as the one before creates nothing.
fn assert_creates_nothing(counts: [Counts; 2]) {
    assert_eq!(counts[1].created, 0, "{:?}", counts[1]);
}

#[test]
fn bounds() {
    let scene = Scene::new();
    let context = &scene.checked.context;
    let mesh = context.mesh(scene.mesh).unwrap();
    let counts = cost(context, |_| {
        BoundsQuery::plan(mesh.clone(), Pose::default()).unwrap()
    });
    assert_cost(counts, 1, 3, 0);
    assert_creates_nothing(counts);
}

#[test]
fn samples() {
    let scene = Scene::new();
    let context = &scene.checked.context;
    let field = context.field(scene.field).unwrap();
    let points = vec![Vec3::X; 100];
    let counts = cost(context, |batch| {
        SampleQuery::plan(batch.resources(), (field.clone(), Pose::default()), &points).unwrap()
    });
    assert_cost(counts, 1, 3, 0);
}

/// On a GPU the levels of pieces are fused.
#[test]
fn proximity() {
    let [software, hardware] = Checked::spreads().map(Scene::on);
    for (scene, dispatches, barriers) in [(software, 8, 10), (hardware, 5, 7)] {
        let counts = cost(&scene.checked.context, |batch| {
            let options = ProximityOptions::default();
            ProximityQuery::plan(batch.resources(), scene.meeting(), options).unwrap()
        });
        assert_cost(counts, dispatches, barriers, 0);
        assert_creates_nothing(counts);
    }
}

#[test]
fn penalty() {
    let scene = Scene::new();
    let counts = cost(&scene.checked.context, |batch| {
        let options = PenaltyOptions::default();
        PenaltyQuery::plan(batch.resources(), scene.meeting(), options).unwrap()
    });
    assert_cost(counts, 3, 5, 0);
    assert_creates_nothing(counts);
}

#[test]
fn overlap() {
    let scene = Scene::new();
    let counts = cost(&scene.checked.context, |batch| {
        let options = OverlapOptions::default();
        OverlapQuery::plan(batch.resources(), scene.meeting(), options).unwrap()
    });
    assert_cost(counts, 2, 6, 1);
    assert_creates_nothing(counts);
}

/// The ball by its field, and the torus.
fn bodies(scene: &Scene) -> [ContactBody; 2] {
    let meeting = scene.meeting();
    let torus = ContactBody {
        position: meeting.mesh_pose.position.into(),
        ..ContactBody::new(Some(meeting.mesh), None)
    };
    [ContactBody::new(None, Some(meeting.field)), torus]
}

#[test]
fn contacts() {
    let scene = Scene::new();
    let counts = cost(&scene.checked.context, |batch| {
        let options = ContactOptions::default();
        ContactsQuery::plan(batch.resources(), bodies(&scene), options).unwrap()
    });
    assert_cost(counts, 9, 10, 0);
    assert_creates_nothing(counts);
}

#[test]
fn soft_contacts() {
    let scene = Scene::new();
    let counts = cost(&scene.checked.context, |batch| {
        let ([ball, torus], options) = (bodies(&scene), SoftContactOptions::default());
        SoftContactsQuery::plan(batch.resources(), torus, vec![ball], options).unwrap()
    });
    assert_cost(counts, 2, 5, 0);
    assert_creates_nothing(counts);
}

/// All pairs of a scene share the barriers of one pair, and those of one mesh and field its dispatches, up to fifteen.
#[test]
fn scene_contacts() {
    let scene = Scene::new();
    let context = &scene.checked.context;
    for (pairs, dispatches) in [(1, 9), (5, 9), (16, 18)] {
        let held = context.create_scene().unwrap();
        let [ball, torus] = bodies(&scene);
        for at in 0..pairs {
            for mut body in [ball.clone(), torus.clone()] {
                body.position.z += 10.0 * f64::from(at);
                (context.add_body(held, body, BodyFilter::default())).unwrap();
            }
        }
        let counts = cost(context, |_| {
            (context.plan_scene_contacts(held, &ContactOptions::default())).unwrap()
        });
        assert_cost(counts, dispatches, 10, 0);
        assert_creates_nothing(counts);
    }
}

/// A processor waits for each of two sequences in each of three views, because what it knows then saves work; a GPU waits once. Of
/// objects, those that are left after a first look decide what is looked at by clusters, and how closely.
#[test]
fn culling() {
    for (checked, most) in Checked::spreads().into_iter().zip([6, 1]) {
        let context = &checked.context;
        let mesh = context.create_mesh(input(&torus())).unwrap();
        let pose = at(Vec3::new(0.7, 0.1, 0.2), Quat::IDENTITY);
        let screen = Screen {
            size: [256; 2],
            depth: Format::Depth32,
            views: [true; 3],
            path: CullPath::Boxes,
        };
        let method = CullMethod::Visibility(screen);
        let pairs = || {
            let (a, b) = ((mesh, Pose::default()), (mesh, pose));
            (context.culled_pairs(a, b, 0.0, method, u64::MAX)).unwrap()
        };
        let scene_of = |poses: &[Pose]| {
            let scene = context.create_scene().unwrap();
            for &pose in poses {
                context.add_object(scene, mesh, pose).unwrap();
            }
            scene
        };
        let other = at(Vec3::new(-0.7, -0.1, -0.2), Quat::IDENTITY);
        let two = scene_of(&[Pose::default(), pose]);
        let three = scene_of(&[Pose::default(), pose, other]);
        let objects = |scene| context.colliding_objects(scene, 0.0, method).unwrap().0;
        let cost = |ask: &dyn Fn() -> bool| {
            assert!(ask());
            let before = context.device().counts();
            assert!(ask());
            context.device().counts().since(before)
        };
        let of_pairs = cost(&|| !pairs().0.is_empty());
        let of_two = cost(&|| objects(two).len() == 1);
        let of_three = cost(&|| objects(three).len() >= 2);
        assert_eq!(of_pairs.submissions, most, "{of_pairs:?}");
        // Of two objects both or none are left: their clusters are looked at at once.
        assert_eq!(of_two.submissions, most, "{of_two:?}");
        assert_eq!(of_three.submissions, 2 * most, "{of_three:?}");
        // As many passes, however they are submitted.
        let passes = [of_pairs, of_two, of_three].map(|counts| counts.passes);
        assert_eq!(passes, [6, 6, 12]);
        let created = [of_pairs, of_two, of_three].map(|counts| counts.created);
        assert_eq!(created, [0; 3]);
    }
}

/// On a GPU a dispatch takes both meshes.
#[test]
fn volume() {
    let [software, hardware] = Checked::spreads().map(Scene::on);
    for (scene, dispatches) in [(software, 9), (hardware, 6)] {
        let context = &scene.checked.context;
        let mesh = context.mesh(scene.mesh).unwrap();
        let counts = cost(context, |batch| {
            let moved = at(Vec3::new(0.7, 0.1, 0.0), Quat::IDENTITY);
            let (a, b) = ((mesh.clone(), Pose::default()), (mesh.clone(), moved));
            VolumeQuery::plan(batch.resources(), a, b, LdiOptions::default()).unwrap()
        });
        assert_cost(counts, dispatches, 9, 0);
        assert_creates_nothing(counts);
    }
}

#[test]
fn containment() {
    let scene = Scene::new();
    let context = &scene.checked.context;
    let mesh = context.mesh(scene.mesh).unwrap();
    let points = vec![Vec3::X; 100];
    let counts = cost(context, |batch| {
        let mesh = (mesh.clone(), Pose::default());
        ContainsQuery::plan(batch.resources(), mesh, &points, LdiOptions::default()).unwrap()
    });
    // The points are copied before the memory of the rays is cleared.
    assert_cost(counts, 5, 9, 0);
}

/// A batch of many queries has the barriers of one, and one submission.
#[test]
fn queries_of_a_batch_share_their_barriers() {
    let scene = Scene::new();
    let context = &scene.checked.context;
    let batch = context.create_batch().unwrap();
    let add = |number: usize| {
        for _ in 0..number {
            let (meeting, options) = (scene.meeting(), ProximityOptions::default());
            let query = ProximityQuery::plan(batch.resources(), meeting, options).unwrap();
            batch.add(query).unwrap();
        }
        let before = context.device().counts();
        batch.run().unwrap();
        batch.reset().unwrap();
        context.device().counts().since(before)
    };
    add(1);
    let (one, many) = (add(1), add(16));
    assert_eq!(many.barriers, one.barriers);
    assert_eq!(many.submissions, 1);
    assert_eq!(many.dispatches, 16 * one.dispatches);
}

/// A query that is answered at once takes a batch that was used before.
#[test]
fn what_is_asked_at_once_creates_nothing_the_second_time() {
    let scene = Scene::new();
    let context = &scene.checked.context;
    let volume = || {
        let moved = at(Vec3::new(0.7, 0.1, 0.0), Quat::IDENTITY);
        let (a, b) = ((scene.mesh, Pose::default()), (scene.mesh, moved));
        context.volume(a, b, LdiOptions::default()).unwrap();
    };
    let ask = || {
        context.bounds(scene.mesh, Pose::default()).unwrap();
        (context.proximity(scene.meeting(), ProximityOptions::default())).unwrap();
        (context.penalty(scene.meeting(), PenaltyOptions::default())).unwrap();
        (context.overlap(scene.meeting(), OverlapOptions::default())).unwrap();
    };
    for queries in [&ask as &dyn Fn(), &volume] {
        queries();
        queries();
        let before = context.device().counts();
        queries();
        let counts = context.device().counts().since(before);
        assert_eq!((counts.created, counts.pipelines), (0, 0), "{counts:?}");
    }
}

/// Also where that is much: the working memory of contacts of two large bodies is kept until it is given back on request.
#[test]
fn what_is_asked_at_once_keeps_its_memory_until_trimmed() {
    let scene = Scene::new();
    let context = &scene.checked.context;
    let fine = context.create_mesh(input(&shapes::torus(1.0, 0.3, 640, 320)));
    let body = ContactBody::new(Some(context.mesh(fine.unwrap()).unwrap()), None);
    let mut ball = ContactBody::new(None, Some(context.field(scene.field).unwrap()));
    ball.position.x = 2.1;
    let ask = || {
        let before = context.device().counts();
        let pair = [body.clone(), ball.clone()];
        let found = context.contacts(pair, ContactOptions::default()).unwrap();
        assert!(!found.contacts.is_empty());
        let working = context.device().memory().of(MemoryKind::Working);
        (context.device().counts().since(before).created, working)
    };
    let before = context.device().memory().of(MemoryKind::Working);
    ask();
    let (created, kept) = ask();
    assert_eq!(created, 0);
    assert!(kept > 32 << 20, "{kept}");
    assert!(context.trim() >= kept - before);
    assert_eq!(context.trim(), 0);
    assert_eq!(context.device().memory().of(MemoryKind::Working), before);
    assert_eq!(ask().1, kept);
}
