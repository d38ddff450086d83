//! Bodies that break: a mesh gets other triangles under the same id, and everything that knows it by the id follows.

use crate::support::{Checked, input};
use fixtures::integer_oracle::{Cell, triangles_meet};
use fixtures::shapes::{self, Shape};
use glam::Vec3;
use proxel::context::Context;
use proxel::context::comparators::culling::CullMethod;
use proxel::error::Error;
use proxel::geometry::random::Random;
use proxel::gpu::attachment::Format;
use proxel::query::visibility::{CullPath, Screen};
use proxel::scene::pose::Pose;

type Soup = Vec<[Cell; 3]>;

/// Triangles between points of a small grid, so that many touch, coincide and have no area.
fn soup(random: &mut Random) -> Soup {
    let mut corner = || [0; 3].map(|_: i128| random.below(9) as i128);
    let count = 1 + (corner()[0] * 17 + corner()[1]) as usize;
    (0..count).map(|_| [corner(), corner(), corner()]).collect()
}

fn shape(soup: &Soup) -> Shape {
    let place = |c: &Cell| Vec3::from(c.map(|x| x as f32));
    Shape {
        positions: soup.iter().flatten().map(place).collect(),
        triangles: (0..soup.len() as u32)
            .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
            .collect(),
    }
}

/// Every way of culling that the device has.
fn methods(context: &Context) -> Vec<CullMethod> {
    let mut methods = vec![CullMethod::Hierarchy, CullMethod::Nothing];
    if context.device().check_draws("a test").is_ok() {
        methods.push(CullMethod::Visibility(Screen {
            size: [64, 64],
            depth: Format::Depth32,
            views: [true; 3],
            path: CullPath::Conservative,
        }));
    }
    methods
}

#[test]
fn bodies_that_break_between_frames_are_followed() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut random = Random::new(2004);
    let scene = context.create_scene().unwrap();
    let mut soups: Vec<Soup> = (0..3).map(|_| soup(&mut random)).collect();
    let meshes: Vec<u64> = soups
        .iter()
        .map(|soup| context.create_mesh(input(&shape(soup))).unwrap())
        .collect();
    // The first mesh is in two places.
    let (mut objects, stands) = (Vec::new(), [(0, 0), (1, 3), (2, 7), (0, 12)]);
    for (mesh, x) in stands {
        let pose = Pose {
            position: Vec3::X * x as f32,
            ..Pose::default()
        };
        objects.push(context.add_object(scene, meshes[mesh], pose).unwrap());
    }
    let mut found = 0;
    for frame in 0..8 {
        let mut truth = Vec::new();
        for (i, &(a, from)) in stands.iter().enumerate() {
            for (j, &(b, to)) in stands.iter().enumerate().skip(i + 1) {
                for (s, p) in soups[a].iter().enumerate() {
                    for (t, q) in soups[b].iter().enumerate() {
                        let moved = |c: &Cell, x: i128| [c[0] + x, c[1], c[2]];
                        let p = p.each_ref().map(|c| moved(c, from));
                        let q = q.each_ref().map(|c| moved(c, to));
                        if triangles_meet(&p, &q) {
                            truth.push(([objects[i], objects[j]], [s as u32, t as u32]));
                        }
                    }
                }
            }
        }
        found += truth.len();
        for method in methods(context) {
            let (pairs, _) = context
                .culled_scene_pairs(scene, 0.0, method, u64::MAX)
                .unwrap();
            let pairs: Vec<_> = pairs
                .iter()
                .map(|p| (p.objects, p.found.pair.triangles))
                .collect();
            assert_eq!(pairs, truth, "frame {frame}: {method:?}");
        }
        let listed = context.scene_pairs(scene, 0.0, u64::MAX).unwrap();
        assert_eq!(listed.len(), truth.len());
        let broken = random.below(3);
        soups[broken] = soup(&mut random);
        context
            .replace_mesh(meshes[broken], input(&shape(&soups[broken])))
            .unwrap();
    }
    assert!(found > 500, "the bodies do meet: {found}");
}

#[test]
fn what_knows_the_old_triangles_by_number_is_refused() {
    let checked = Checked::open();
    let context = &checked.context;
    let ball = shapes::sphere(1.0, 16, 8);
    let mesh = context.create_mesh(input(&ball)).unwrap();
    let plan = proxel::context::tracking::TrackerPlan {
        tracking: proxel::geometry::time_critical::tracker::Tracking {
            within: f64::INFINITY,
            pairs: 4,
            fresh: 4,
            colliding: 0.0,
        },
        levels: 1,
        itself: false,
        seed: 1,
    };
    let tracker = context.create_tracker([mesh, mesh], plan).unwrap();
    let track = || {
        let allowance = proxel::context::tracking::Allowance {
            microseconds: f64::INFINITY,
            steps: 10,
        };
        context.track(tracker, [Pose::default(); 2], allowance)
    };
    track().unwrap();
    // A bad replacement is refused, and leaves what was.
    let bad = Shape {
        positions: vec![Vec3::ZERO],
        triangles: vec![[0, 0, 1]],
    };
    assert!(context.replace_mesh(mesh, input(&bad)).is_err());
    track().unwrap();
    context
        .replace_mesh(mesh, input(&shapes::cuboid(Vec3::ONE, 2)))
        .unwrap();
    assert!(matches!(track(), Err(Error::WrongState(_))));
    let facts = context
        .mesh_facts(mesh, proxel::geometry::topology::Vertices::AsIndexed)
        .unwrap();
    assert_eq!(facts.triangles, 48);
    assert!((facts.volume - 8.0).abs() < 1e-6);
    context.destroy_mesh(mesh).unwrap();
    assert!(context.replace_mesh(mesh, input(&ball)).is_err());
}
