//! Nothing is missed and nothing is made up: every way of culling against integers, on bodies made to be hard.
//!
//! `PROXEL_SWEEP=40` takes forty times as many configurations, which is ten thousand.

use crate::support::adversarial::Configuration;
use crate::support::{Checked, input, times};
use fixtures::shapes;
use glam::Quat;
use proxel::context::Context;
use proxel::context::comparators::culling::{CullMethod, Culling};
use proxel::geometry::random::Random;
use proxel::gpu::attachment::Format;
use proxel::query::visibility::{CullPath, Screen};
use proxel::scene::pose::Pose;

/// How many of each test there are.
fn configurations(share: u64) -> std::ops::Range<u64> {
    0..share * times() as u64
}

/// Any screen, mostly a coarse one.
fn screen(context: &Context, random: &mut Random, path: CullPath) -> Screen {
    let side = |random: &mut Random| [16, 17, 31, 64, 100, 256][random.below(6)];
    let formats: Vec<Format> = [Format::Depth16, Format::Depth24, Format::Depth32]
        .into_iter()
        .filter(|&format| context.device().draws(format))
        .collect();
    let views = 1 + random.below(7);
    Screen {
        size: [side(random), side(random)],
        depth: formats[random.below(formats.len())],
        views: [0, 1, 2].map(|k| views >> k & 1 == 1),
        path,
    }
}

struct Bodies<'a> {
    context: &'a Context,
    meshes: [u64; 2],
}

impl<'a> Bodies<'a> {
    fn new(context: &'a Context, configuration: &Configuration) -> Self {
        let meshes = configuration
            .shapes()
            .map(|shape| context.create_mesh(input(&shape)).unwrap());
        Self { context, meshes }
    }

    fn pairs(&self, configuration: &Configuration, method: CullMethod) -> Vec<[u32; 2]> {
        let [a, b] = self.meshes;
        let (pairs, _) = self
            .context
            .culled_pairs(
                (a, Pose::default()),
                (b, configuration.pose()),
                configuration.within(),
                method,
                u64::MAX,
            )
            .unwrap();
        assert!(pairs.iter().all(|p| p.distance <= configuration.within()));
        pairs.into_iter().map(|p| p.triangles).collect()
    }
}

impl Drop for Bodies<'_> {
    fn drop(&mut self) {
        self.meshes
            .into_iter()
            .for_each(|mesh| self.context.destroy_mesh(mesh).unwrap());
    }
}

#[test]
fn every_way_of_culling_reports_the_true_pairs() {
    let devices = Checked::spreads();
    let mut random = Random::new(100);
    let (mut found, mut none) = (0, 0);
    for number in configurations(250) {
        let context = &devices[number as usize % 2].context;
        let configuration = Configuration::new(number);
        let truth = configuration.truth();
        let bodies = Bodies::new(context, &configuration);
        for method in [
            CullMethod::Hierarchy,
            CullMethod::Nothing,
            CullMethod::Visibility(screen(context, &mut random, CullPath::Boxes)),
            CullMethod::Visibility(screen(context, &mut random, CullPath::Conservative)),
            CullMethod::Visibility(screen(context, &mut random, CullPath::Exact)),
            CullMethod::Visibility(screen(context, &mut random, CullPath::Bounded)),
        ] {
            let pairs = bodies.pairs(&configuration, method);
            assert_eq!(pairs, truth, "{number}: {method:?} {configuration:?}");
        }
        found += truth.len();
        none += usize::from(truth.is_empty());
    }
    let total = configurations(250).end as usize;
    assert!(found > total && none > total / 20, "{found} {none}");
}

/// Section 3.1 of FAR: what is smaller than a pixel or seen edge-on is not drawn by plain triangles, and is lost.
#[test]
fn triangles_that_are_not_fattened_miss_true_pairs_and_make_up_none() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut random = Random::new(102);
    let (mut found, mut missed) = (0, 0);
    for number in configurations(60) {
        let configuration = Configuration::new(number);
        let truth = configuration.truth();
        let bodies = Bodies::new(context, &configuration);
        let plain = screen(context, &mut random, CullPath::Unfattened);
        let pairs = bodies.pairs(&configuration, CullMethod::Visibility(plain));
        assert!(pairs.iter().all(|pair| truth.contains(pair)), "{number}");
        found += pairs.len();
        missed += truth.len() - pairs.len();
    }
    assert!(
        missed > 0 && found > 0,
        "{missed} pairs missed, {found} found"
    );
}

#[test]
fn objects_in_a_corner_of_a_scene_are_not_missed() {
    let devices = Checked::spreads();
    let mut random = Random::new(101);
    for number in configurations(40) {
        let context = &devices[number as usize % 2].context;
        // Three places: one small pair, and two more far away, so that the region of interest is mostly empty.
        let configurations = [3 * number, 3 * number + 1, 3 * number + 2].map(Configuration::new);
        let bodies = configurations.each_ref().map(|c| Bodies::new(context, c));
        let within = configurations[0].within();
        let scene = context.create_scene().unwrap();
        let mut objects = Vec::new();
        let (mut truth, mut triangles) = (Vec::new(), Vec::new());
        for (body, configuration) in bodies.iter().zip(&configurations) {
            let first = context
                .add_object(scene, body.meshes[0], Pose::default())
                .unwrap();
            let second = context
                .add_object(scene, body.meshes[1], configuration.pose())
                .unwrap();
            objects.extend([(first, body.meshes[0], Pose::default())]);
            objects.extend([(second, body.meshes[1], configuration.pose())]);
        }
        // The exact answer for each pair of objects is checked above; here it is what the scene is held to.
        for (i, a) in objects.iter().enumerate() {
            for b in &objects[i + 1..] {
                let (pairs, _) = context
                    .culled_pairs(
                        (a.1, a.2),
                        (b.1, b.2),
                        within,
                        CullMethod::Nothing,
                        u64::MAX,
                    )
                    .unwrap();
                if !pairs.is_empty() {
                    truth.push([a.0, b.0]);
                }
                triangles.extend(pairs.iter().map(|p| ([a.0, b.0], p.triangles)));
            }
        }
        for method in [
            CullMethod::Hierarchy,
            CullMethod::Nothing,
            CullMethod::Visibility(screen(context, &mut random, CullPath::Boxes)),
            CullMethod::Visibility(screen(context, &mut random, CullPath::Conservative)),
            CullMethod::Visibility(screen(context, &mut random, CullPath::Exact)),
            CullMethod::Visibility(screen(context, &mut random, CullPath::Bounded)),
        ] {
            let (pairs, stats) = context.colliding_objects(scene, within, method).unwrap();
            assert_eq!(pairs, truth, "{number}: {method:?} {configurations:?}");
            assert!(stats.body_pairs <= stats.box_pairs);
            let named = |culling| {
                let (pairs, _) = context
                    .culled_scene_pairs(scene, within, culling, u64::MAX)
                    .unwrap();
                let names = pairs.iter().map(|p| (p.objects, p.found.pair.triangles));
                names.collect::<Vec<_>>()
            };
            assert_eq!(named(method.into()), triangles, "{number}: {method:?}");
            // One pair where yes or no is enough, and it is a true one.
            let any = Culling {
                method,
                first_only: true,
            };
            let one = named(any);
            assert_eq!(one.len(), triangles.len().min(1), "{number}: {method:?}");
            assert!(one.iter().all(|pair| triangles.contains(pair)));
            let (one, _) = context.colliding_objects(scene, within, any).unwrap();
            assert_eq!(one.len(), truth.len().min(1), "{number}: {method:?}");
            assert!(one.iter().all(|pair| truth.contains(pair)));
        }
        context.destroy_scene(scene).unwrap();
    }
}

/// Blades that cross and are seen nearly edge-on: on the screen the shifted sides of an offset lie beside its triangle.
#[test]
fn blades_seen_edge_on_are_not_missed() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut random = Random::new(104);
    let mut met = 0;
    for round in 0..40 * times() {
        let mut blade = || {
            let turn = Quat::from_rotation_z(3.0 * random.signed() as f32)
                * Quat::from_rotation_x(0.06 * random.signed() as f32);
            let corners = [
                [-1.0, 0.0, -1.0],
                [1.0, 0.0, -0.9],
                [0.1, 0.0, 1.0 + random.signed() as f32],
            ];
            let shift = random.in_cube_f32() * glam::Vec3::new(0.6, 0.6, 0.2);
            fixtures::shapes::Shape {
                positions: (corners.map(|c| turn * glam::Vec3::from(c) + shift)).to_vec(),
                triangles: vec![[0, 1, 2]],
            }
        };
        let [a, b] = [blade(), blade()].map(|shape| context.create_mesh(input(&shape)).unwrap());
        let pairs = |method| {
            let both = [(a, Pose::default()), (b, Pose::default())];
            let found = context.culled_pairs(both[0], both[1], 0.0, method, u64::MAX);
            found.unwrap().0.len()
        };
        let truth = pairs(CullMethod::Nothing);
        met += truth;
        for path in [CullPath::Exact, CullPath::Bounded] {
            let screen = Screen {
                size: [[16, 17, 31, 64][round % 4]; 2],
                depth: Format::Depth32,
                views: [false, false, true],
                path,
            };
            assert_eq!(
                pairs(CullMethod::Visibility(screen)),
                truth,
                "round {round}: {path:?}"
            );
        }
        for mesh in [a, b] {
            context.destroy_mesh(mesh).unwrap();
        }
    }
    assert!(met > 10 * times(), "the blades do cross: {met}");
}

/// Bodies of twenty clusters: those that are not drawn because they are away from the other body are away from it.
#[test]
fn clusters_that_are_not_drawn_are_not_missed() {
    let devices = Checked::spreads();
    let mut random = Random::new(77);
    let shape = shapes::torus(1.0, 0.35, 40, 16);
    let rings = devices
        .each_ref()
        .map(|device| device.context.create_mesh(input(&shape)).unwrap());
    let mut met = 0;
    for round in 0..4 * times() {
        let (context, ring) = (&devices[round / 2 % 2].context, rings[round / 2 % 2]);
        let within = [0.0, 0.06][round % 2];
        let [a, b] = [1.0, 1.3].map(|reach| Pose {
            position: random.in_cube_f32() * reach,
            rotation: Quat::from_scaled_axis(random.in_cube_f32() * 3.0),
            ..Pose::default()
        });
        let pairs = |method| -> Vec<[u32; 2]> {
            let (pairs, _) = context
                .culled_pairs((ring, a), (ring, b), within, method, u64::MAX)
                .unwrap();
            pairs.into_iter().map(|p| p.triangles).collect()
        };
        let truth = pairs(CullMethod::Nothing);
        met += truth.len();
        assert_eq!(pairs(CullMethod::Hierarchy), truth, "round {round}");
        for path in [
            CullPath::Boxes,
            CullPath::Conservative,
            CullPath::Exact,
            CullPath::Bounded,
        ] {
            let screen = screen(context, &mut random, path);
            assert_eq!(
                pairs(CullMethod::Visibility(screen)),
                truth,
                "round {round}"
            );
        }
    }
    assert!(met > 100, "the rings do meet: {met}");
}

/// FAR, section 4.2: bodies that are others in every frame have nothing built for them, from objects down to triangles.
#[test]
fn visibility_builds_no_hierarchy() {
    let checked = Checked::open();
    let context = &checked.context;
    let ring = || context.create_mesh(input(&shapes::torus(1.0, 0.3, 24, 12)));
    let meshes = [ring().unwrap(), ring().unwrap()];
    let beside = Pose {
        position: glam::Vec3::new(0.9, 0.1, 0.2),
        ..Pose::default()
    };
    let scene = context.create_scene().unwrap();
    context
        .add_object(scene, meshes[0], Pose::default())
        .unwrap();
    context.add_object(scene, meshes[1], beside).unwrap();
    let built = || meshes.map(|mesh| context.mesh(mesh).unwrap().has_hierarchy());
    let method =
        CullMethod::Visibility(screen(context, &mut Random::new(3), CullPath::Conservative));
    let seen = context.culled_scene_pairs(scene, 0.0, method, u64::MAX);
    let both = [(meshes[0], Pose::default()), (meshes[1], beside)];
    let alone = context.culled_pairs(both[0], both[1], 0.0, method, u64::MAX);
    context.colliding_objects(scene, 0.0, method).unwrap();
    assert_eq!(built(), [false, false]);
    let pairs = context.pairs(both[0], both[1], 0.0, u64::MAX).unwrap();
    assert_eq!(built(), [true, true]);
    assert!(pairs.len() > 20);
    assert_eq!(alone.unwrap().0, pairs);
    let of_scene: Vec<_> = seen.unwrap().0.iter().map(|p| p.found.pair).collect();
    assert_eq!(of_scene, pairs);
}

/// FAR, section 4.1: the exact offset is the tightest of all, and boxes around whole triangles are the loosest.
#[test]
fn exact_offsets_leave_least_to_compare() {
    let checked = Checked::open();
    let context = &checked.context;
    let ring = |shift| {
        let shape = shapes::torus(1.0, 0.35, 60, 24).map(|p| p + glam::Vec3::Y * shift);
        context.create_mesh(input(&shape)).unwrap()
    };
    let meshes = [ring(0.0), ring(0.3)];
    let left = |path| -> u64 {
        let mut left = 0;
        for round in 0..6 {
            let pose = Pose {
                position: glam::Vec3::new(0.5 + 0.2 * round as f32, 0.1, 0.2),
                rotation: Quat::from_rotation_x(0.3 * round as f32),
                ..Pose::default()
            };
            let method = CullMethod::Visibility(Screen {
                size: [64, 64],
                depth: Format::Depth32,
                views: [true; 3],
                path,
            });
            let both = [(meshes[0], Pose::default()), (meshes[1], pose)];
            let found = context.culled_pairs(both[0], both[1], 0.02, method, u64::MAX);
            left += found.unwrap().1.candidates;
        }
        left
    };
    let [exact, bounded, boxes] = [CullPath::Exact, CullPath::Bounded, CullPath::Boxes].map(left);
    assert!(
        exact <= bounded && bounded <= boxes && exact < boxes,
        "{exact} {bounded} {boxes}"
    );
}
