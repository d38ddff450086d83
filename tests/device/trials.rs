//! Devices that filter, compute or share out work otherwise than the one under test: what is certified holds on all of them.

use crate::support::Checked;
use crate::support::ask::AskNow;
use crate::support::contact::{at, drawing_paths, request, sphere_field, to_point};
use crate::support::input;
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::field::data::Storage;
use proxel::gpu::contraction::Contraction;
use proxel::gpu::device::Trial;
use proxel::gpu::share::Spread;
use proxel::query::body::ContactBody;
use proxel::query::contacts::soft::{SoftContactOptions, SoftContactsQuery};
use proxel::query::contacts::{Contact, ContactFeature, ContactOptions, Sampling};
use proxel::query::ldi::{LdiOptions, RayResolution};
use proxel::query::meeting::Meeting;
use proxel::query::overlap::OverlapOptions;
use proxel::query::penalty::PenaltyOptions;
use proxel::query::proximity::{ProximityOptions, SamplingPath};
use proxel::query::scene_contacts::bodies::BodyFilter;
use proxel::scene::pose::Pose;

const SPREADS: [Spread; 2] = [Spread::Hardware, Spread::Software];

fn spread(spread: Spread) -> Trial {
    Trial {
        spread: Some(spread),
        ..Trial::default()
    }
}

const STORAGES: [Storage; 3] = [Storage::Distance, Storage::Direction, Storage::Sparse];

/// Coarse triangles, which are split, and fine ones, in and out of a unit ball.
fn bodies() -> Vec<(Shape, Pose)> {
    let turned = Quat::from_rotation_y(0.4) * Quat::from_rotation_x(0.3);
    let coarse = shapes::cuboid(Vec3::new(0.5, 0.4, 0.3), 1);
    let fine = shapes::torus(1.0, 0.3, 40, 20);
    vec![
        (coarse.clone(), at(Vec3::new(1.2, 0.2, 0.1), turned)),
        (coarse, at(Vec3::new(2.0, 0.2, 0.1), turned)),
        (fine.clone(), at(Vec3::new(2.1, 0.0, 0.1), turned)),
        (fine, at(Vec3::new(2.8, 0.3, 0.1), turned)),
    ]
}

/// Squares around the ball that a sparse field is baked from, and along a meridian.
const SQUARES: [u32; 2] = [160, 80];

/// The field of a unit ball, and how far its surface is from the sphere at most: sparse fields are baked from a mesh, whose facets lie
/// inside by no more than the sagitta of a square's diagonal.
fn ball(context: &Context, storage: Storage) -> (u64, f64) {
    if storage != Storage::Sparse {
        return (sphere_field(context, 1.0, storage, 24), 0.0);
    }
    let shape = shapes::sphere(1.0, SQUARES[0], SQUARES[1]);
    let mesh = context.create_mesh(input(&shape)).unwrap();
    let field = context.bake_field(mesh, request(storage, 24)).unwrap();
    context.wait_field(field, u64::MAX).unwrap();
    let square = std::f64::consts::TAU / f64::from(SQUARES[0]);
    (field, 1.0 - (0.5 * std::f64::consts::SQRT_2 * square).cos())
}

/// The interval of a body holds the exact distance to a unit ball, whose surface is `inside` at most, and the point is one of the body that
/// is as near as the interval says.
fn proximity_holds(
    context: &Context,
    meeting: Meeting,
    path: SamplingPath,
    (exact, inside): (f64, f64),
    what: &str,
) {
    let options = ProximityOptions {
        path,
        resolution: 128,
        ..ProximityOptions::default()
    };
    let near = context.proximity(meeting, options).unwrap();
    let (lower, upper) = (f64::from(near.lower), f64::from(near.upper));
    let slack = 1e-6 + inside;
    assert!(
        lower <= exact + slack && exact <= upper + slack,
        "{what}: {near:?}"
    );
    let there = near.point_mesh.length() - 1.0;
    assert!(there <= upper + 1e-5 + inside, "{what}: {there}, {near:?}");
}

/// Proximity alone: its kernels are others on the other type of device, those of the other distances are not.
fn proximity_alone_holds(trial: Trial) {
    let checked = Checked::on_trial(trial);
    let context = &checked.context;
    for storage in STORAGES {
        let (field, inside) = ball(context, storage);
        for (shape, pose) in bodies() {
            let mesh = context.create_mesh(input(&shape)).unwrap();
            let meeting = context.meeting((field, Pose::default()), (mesh, pose));
            let exact = to_point(&shape, &pose, DVec3::ZERO) - 1.0;
            let what = format!("{trial:?}, {storage:?}, {exact}");
            let path = SamplingPath::Compute;
            proximity_holds(context, meeting.unwrap(), path, (exact, inside), &what);
        }
    }
}

/// Proximity, penalty, overlap and contacts of bodies and a unit ball, against the exact distance.
fn distances_hold(trial: Trial, storages: &[Storage], drawn: bool) {
    let checked = Checked::on_trial(trial);
    let context = &checked.context;
    let mut paths = vec![SamplingPath::Compute];
    if drawn {
        paths.extend(drawing_paths(context));
    }
    for &storage in storages {
        let (field, inside) = ball(context, storage);
        for (shape, pose) in bodies() {
            let mesh = context.create_mesh(input(&shape)).unwrap();
            let meeting = || {
                context
                    .meeting((field, Pose::default()), (mesh, pose))
                    .unwrap()
            };
            let exact = to_point(&shape, &pose, DVec3::ZERO) - 1.0;
            let slack = 1e-6 + inside;
            for &path in &paths {
                let what = format!("{trial:?}, {storage:?}, {path:?}, {exact}");
                proximity_holds(context, meeting(), path, (exact, inside), &what);
                let forces = PenaltyOptions {
                    path,
                    resolution: 128,
                    ..PenaltyOptions::default()
                };
                let forces = context.penalty(meeting(), forces).unwrap();
                let depth = (-exact).max(0.0);
                let [lower, upper] = forces.depth_bounds.map(f64::from);
                assert!(lower <= depth + slack, "{what}: {forces:?}");
                assert!(depth <= upper + slack, "{what}: {forces:?}");
                assert!(forces.area_bounds[0] <= forces.area_bounds[1], "{what}");
            }
            let touches = context
                .overlap(meeting(), OverlapOptions::default())
                .unwrap();
            assert!(
                touches.overlap || exact > 0.0,
                "{trial:?} {storage:?}: {touches:?}"
            );
            assert!(
                !touches.certain || touches.overlap == (exact <= 0.0),
                "{touches:?}"
            );
            contacts_hold(&checked, (field, inside), mesh, &pose, exact);
            context.destroy_mesh(mesh).unwrap();
        }
        context.destroy_field(field).unwrap();
    }
}

/// The distance of every contact to the ball is between its bounds, and one is as deep as the body.
fn contacts_hold(
    checked: &Checked,
    (field, inside): (u64, f64),
    mesh: u64,
    pose: &Pose,
    exact: f64,
) {
    let slack = 2e-6 + inside;
    let context = &checked.context;
    let ball = ContactBody::new(None, Some(context.field(field).unwrap()));
    let body = ContactBody {
        position: pose.position.as_dvec3(),
        rotation: pose.rotation,
        ..ContactBody::new(Some(context.mesh(mesh).unwrap()), None)
    };
    let options = ContactOptions {
        distance: 0.05,
        points: 0,
        ..ContactOptions::default()
    };
    let bodies = [ball, body];
    let found = (context.contacts(bodies.clone(), options.clone())).unwrap();
    for contact in &found.contacts {
        let distance = contact.world_b.length() - 1.0;
        let [lower, upper] = contact.bounds.map(f64::from);
        assert!(
            lower <= distance + slack && distance <= upper + slack,
            "{distance}: {contact:?}"
        );
    }
    let deepest = (found.contacts.iter()).fold(f64::INFINITY, |d, c| d.min(c.bounds[0].into()));
    assert!(deepest <= exact + 0.02 || exact > 0.05, "{deepest} {exact}");
    soft_contacts_hold(context, &bodies, slack);
    // A scene of the two has the same contacts.
    let scene = context.create_scene().unwrap();
    for body in &bodies {
        (context.add_body(scene, body.clone(), BodyFilter::default())).unwrap();
    }
    context.scene_contacts(scene, &options).unwrap();
    let held = context.scene_bodies(scene).unwrap();
    let of_scene = held.lock().unwrap().last().contacts.clone();
    let bounds = |contacts: &[Contact]| contacts.iter().map(|c| c.bounds).collect::<Vec<_>>();
    assert_eq!(bounds(&of_scene), bounds(&found.contacts));
    context.destroy_scene(scene).unwrap();
}

/// The same of soft contacts; and all vertices that are in the ball for certain are listed.
fn soft_contacts_hold(context: &Context, [ball, body]: &[ContactBody; 2], slack: f64) {
    let options = SoftContactOptions {
        distance: 0.05,
        sampling: Sampling::All,
        ..SoftContactOptions::default()
    };
    let (soft, bodies) = (body.clone(), vec![ball.clone()]);
    let query = SoftContactsQuery::plan(context.resources(), soft, bodies, options).unwrap();
    let found = context.ask(query).unwrap().contacts;
    for contact in &found {
        let distance = contact.point.length() - 1.0;
        let [lower, upper] = contact.bounds.map(f64::from);
        assert!(
            lower <= distance + slack && distance <= upper + slack,
            "{distance}: {contact:?}"
        );
    }
    let mesh = body.mesh.as_ref().unwrap();
    let deep = mesh.with_positions(|positions| {
        let place = |p: &Vec3| body.position + body.matrix() * p.as_dvec3();
        let deep = |p: &&Vec3| place(p).length() < 1.0 - slack;
        positions.iter().filter(deep).count()
    });
    let vertices = found
        .iter()
        .filter(|c| c.feature == ContactFeature::Vertex)
        .count();
    assert!(vertices >= deep.unwrap(), "{vertices} of {deep:?}");
}

/// What two cuboids have in common, by rays.
fn volumes_hold(trial: Trial) {
    let checked = Checked::on_trial(trial);
    let context = &checked.context;
    let half = Vec3::new(0.5, 0.4, 0.3);
    let mesh = context
        .create_mesh(input(&shapes::cuboid(half, 3)))
        .unwrap();
    let shift = Vec3::new(0.31, 0.17, 0.23);
    let exact: f64 = (2.0 * half - shift).as_dvec3().to_array().iter().product();
    let options = LdiOptions {
        resolution: RayResolution::Pixels(64),
        ..LdiOptions::default()
    };
    let poses = [Pose::default(), at(shift, Quat::IDENTITY)];
    let found = context
        .volume((mesh, poses[0]), (mesh, poses[1]), options)
        .unwrap();
    assert!(
        found.lower <= exact && exact <= found.upper,
        "{trial:?}: {exact} {found:?}"
    );
    assert!(
        (found.volume - exact).abs() <= 0.02 * exact,
        "{trial:?}: {exact} {found:?}"
    );
    let box_of = context.bounds(mesh, poses[1]).unwrap();
    assert!(
        (box_of.min - (shift - half)).abs().max_element() < 1e-5,
        "{box_of:?}"
    );
    assert!(
        (box_of.max - (shift + half)).abs().max_element() < 1e-5,
        "{box_of:?}"
    );
    let inside = context
        .contains((mesh, poses[0]), &[Vec3::ZERO, 3.0 * half], options, false)
        .unwrap();
    assert!(inside[0].inside && !inside[1].inside);
}

/// Filters with so many steps between two voxels.
#[test]
fn coarse_filters() {
    for filter_steps in [256, 16] {
        let [hardware, software] = SPREADS.map(|kind| Trial {
            filter_steps,
            ..spread(kind)
        });
        distances_hold(hardware, &STORAGES, true);
        proximity_alone_holds(software);
    }
}

#[test]
fn dispatches_for_gpus_and_for_processors() {
    for kind in SPREADS {
        distances_hold(spread(kind), &[Storage::Distance], true);
        volumes_hold(spread(kind));
    }
}

#[test]
fn products_that_are_contracted_and_products_that_are_not() {
    for contraction in [Contraction::Always, Contraction::Never] {
        let [hardware, software] = SPREADS.map(|kind| Trial {
            contraction: Some(contraction),
            ..spread(kind)
        });
        distances_hold(hardware, &STORAGES, false);
        proximity_alone_holds(software);
        volumes_hold(hardware);
        volumes_hold(software);
    }
}
