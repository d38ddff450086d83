//! Meshes in double precision: exact queries decide on the doubles, where their roundings would decide otherwise and where floats cannot
//! even tell the vertices apart.

use crate::support::{Checked, input};
use fixtures::integer_oracle::{Cell, triangles_meet, within};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Vec3};
use proxel::context::Context;
use proxel::context::exact::DistanceRequest;
use proxel::error::Error;
use proxel::geometry::continuous::impacts::{Features, MeetingRule};
use proxel::geometry::distance::DistanceOptions;
use proxel::geometry::near::FeaturePair;
use proxel::geometry::positions::SharedPositions;
use proxel::geometry::random::Random;
use proxel::geometry::topology::Vertices;
use proxel::query::near::NearRequest;
use proxel::scene::mesh::MeshInput;
use proxel::scene::pose::Pose;

const ALL: u64 = u64::MAX;
const STILL: Pose = Pose {
    position: Vec3::ZERO,
    rotation: glam::Quat::IDENTITY,
    linear_velocity: Vec3::ZERO,
    angular_velocity: Vec3::ZERO,
};

/// Whole numbers of this are far from what floats can hold at [`FAR`], and doubles hold them.
const UNIT: f64 = 1.0 / 134_217_728.0; // 2^-27
/// Ten million units from the origin, where floats are a unit apart.
const FAR: DVec3 = DVec3::new(10_000_019.0, -10_000_003.0, 10_000_011.0);

fn far(cell: Cell) -> DVec3 {
    FAR + DVec3::from(cell.map(|c| c as f64 * UNIT))
}

/// A deforming mesh in double precision.
pub fn doubles(positions: Vec<DVec3>, triangles: &[[u32; 3]]) -> MeshInput {
    MeshInput {
        label: "doubles".into(),
        triangles: triangles.to_vec(),
        vertices: positions.len() as u32,
        positions: Some(SharedPositions::of_doubles(positions).unwrap()),
        engine: None,
        deforming: true,
    }
}

/// Triangles that have no vertex in common.
fn soup(triangles: &[[Cell; 3]]) -> MeshInput {
    let positions = triangles.iter().flatten().map(|c| far(*c)).collect();
    let numbers: Vec<[u32; 3]> = (0..triangles.len() as u32)
        .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
        .collect();
    doubles(positions, &numbers)
}

fn destroy(context: &Context, meshes: &[u64]) {
    meshes
        .iter()
        .for_each(|id| context.destroy_mesh(*id).unwrap());
}

fn random_triangles(random: &mut Random, count: usize, side: usize, size: usize) -> Vec<[Cell; 3]> {
    let mut cell = |of: usize| [(); 3].map(|()| random.below(2 * of + 1) as i128 - of as i128);
    (0..count)
        .map(|_| {
            let at = cell(side);
            [(); 3].map(|()| {
                let c = cell(size);
                [at[0] + c[0], at[1] + c[1], at[2] + c[2]]
            })
        })
        .collect()
}

fn pairs(context: &Context, a: u64, b: u64, within: f64) -> Vec<[u32; 2]> {
    let found = context.pairs((a, STILL), (b, STILL), within, ALL).unwrap();
    found.iter().map(|pair| pair.triangles).collect()
}

#[test]
fn pairs_far_from_the_origin_are_those_of_the_integers() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut random = Random::new(1507);
    let (mut crossing, mut near, mut own) = (0, 0, 0);
    for round in 0..24 {
        let (side, size) = [(2, 2), (9, 6), (4_000, 3_000), (1 << 19, 1 << 19)][round % 4];
        let [a, b] = [(); 2].map(|()| random_triangles(&mut random, 30, side, size));
        let ids = [&a, &b].map(|soup_of| context.create_mesh(soup(soup_of)).unwrap());
        let all = || (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j)));
        let named = |(i, j): (usize, usize)| [i as u32, j as u32];
        let meet = |(i, j): &(usize, usize)| triangles_meet(&a[*i], &b[*j]);
        let expected: Vec<_> = all().filter(meet).map(named).collect();
        assert_eq!(pairs(context, ids[0], ids[1], 0.0), expected, "{round}");
        crossing += expected.len();
        // The oracle's numbers have twice the digits of squared areas.
        if size <= 4_000 {
            let gap = (size / 2).max(1) as i128;
            let is_near = |k: &(usize, usize)| meet(k) || within(&a[k.0], &b[k.1], gap, 1);
            let expected: Vec<_> = all().filter(is_near).map(named).collect();
            let found = pairs(context, ids[0], ids[1], gap as f64 * UNIT);
            assert_eq!(found, expected, "{round}");
            near += expected.len();
        }
        let of_itself: Vec<_> = (0..a.len())
            .flat_map(|i| (i + 1..a.len()).map(move |j| (i, j)))
            .filter(|(i, j)| triangles_meet(&a[*i], &a[*j]))
            .map(named)
            .collect();
        assert_eq!(context.self_pairs(ids[0], ALL).unwrap(), of_itself);
        own += of_itself.len();
        destroy(context, &ids);
    }
    assert!(
        crossing > 500 && near > 500 && own > 300,
        "{crossing} {near} {own}"
    );
}

/// A triangle in a plane of constant z, and one below whose tip points up to a height.
fn tip_below_plane(plane: f64, tip: f64) -> [MeshInput; 2] {
    let flat = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]].map(|[x, y]| DVec3::new(x, y, plane));
    let pointing = [
        DVec3::new(0.25, 0.25, tip),
        DVec3::new(0.0, 0.0, 0.0),
        DVec3::new(0.5, 0.0, 0.0),
    ];
    [flat, pointing].map(|t| doubles(t.to_vec(), &[[0, 1, 2]]))
}

fn distance(context: &Context, a: u64, b: u64) -> proxel::query::distance::DistanceAnswer {
    let any = DistanceRequest::Distance(DistanceOptions::default());
    context.distance((a, STILL), (b, STILL), &any).unwrap()
}

/// Floats are 6e-8 apart at 1: rounded, all of these touch.
#[test]
fn a_gap_of_a_trillionth_is_a_gap_and_a_depth_of_a_trillionth_a_contact() {
    let checked = Checked::open();
    let context = &checked.context;
    for (gap, meets) in [
        (1e-12, false),
        (2.3e-16, false),
        (0.0, true),
        (-1e-12, true),
    ] {
        let [a, b] = tip_below_plane(1.0 + gap, 1.0).map(|m| context.create_mesh(m).unwrap());
        assert_eq!(pairs(context, a, b, 0.0).len(), usize::from(meets), "{gap}");
        let exact = (1.0 + gap) - 1.0;
        let found = distance(context, a, b);
        assert_eq!(found.intersecting, meets, "{gap}");
        if !meets {
            assert_eq!(found.distance, exact);
            assert!(found.lower <= exact && exact <= found.upper && found.upper < exact + 1e-12);
            assert_eq!(pairs(context, a, b, exact).len(), 1);
            assert_eq!(pairs(context, a, b, exact.next_down()).len(), 0);
        }
        // The same meshes with their roundings.
        let [fa, fb] = tip_below_plane(1.0 + gap, 1.0).map(|mut mesh| {
            let rounded = mesh.positions.unwrap().all().rounded().to_vec();
            mesh.positions = Some(rounded.into());
            context.create_mesh(mesh).unwrap()
        });
        assert_eq!(pairs(context, fa, fb, 0.0).len(), 1, "{gap}");
        destroy(context, &[a, b, fa, fb]);
    }
}

/// A vertex that falls past the side of a face, a trillionth outside of it or inside.
#[test]
fn a_vertex_that_passes_a_face_by_a_trillionth_does_not_meet_it() {
    let checked = Checked::open();
    let context = &checked.context;
    let face = [[1.0, -2.0], [3.0, 0.0], [1.0, 2.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
    let face = context
        .create_mesh(doubles(face.to_vec(), &[[0, 1, 2]]))
        .unwrap();
    let rule = MeetingRule {
        separation: 0.0,
        start: false,
    };
    for (inside, expected) in [(1e-12, true), (-1e-12, false)] {
        let [before, after] = [1.0, -1.0].map(|z| {
            let x = 1.0 + inside;
            let t = [[x, 0.0], [x - 4.0, 0.1], [x - 4.0, -0.1]];
            let t = t.map(|[x, y]| DVec3::new(x, y, if x > 0.0 { z } else { z + 9.0 }));
            context
                .create_mesh(doubles(t.to_vec(), &[[0, 1, 2]]))
                .unwrap()
        });
        let found = context
            .impacts([before, after], [face, face], rule)
            .unwrap();
        let at_vertex = found
            .iter()
            .any(|i| i.features == Features::VertexFace(0, 0));
        assert_eq!(at_vertex, expected, "{inside}: {found:?}");
        destroy(context, &[before, after]);
    }
}

/// A shape on whole numbers of [`UNIT`], of less than 2^21, which floats hold at the origin.
struct OnGrid {
    cells: Vec<Cell>,
    triangles: Vec<[u32; 3]>,
}

impl OnGrid {
    fn new(shape: &Shape) -> Self {
        let cell = |p: &Vec3| {
            p.to_array()
                .map(|c| (f64::from(c) * 300_000.0).round() as i128)
        };
        Self {
            cells: shape.positions.iter().map(cell).collect(),
            triangles: shape.triangles.clone(),
        }
    }

    /// In single precision at the origin, and in double precision far from it.
    fn both(&self, context: &Context) -> [u64; 2] {
        let floats = Shape {
            positions: (self.cells.iter())
                .map(|c| Vec3::from(c.map(|c| (c as f64 * UNIT) as f32)))
                .collect(),
            triangles: self.triangles.clone(),
        };
        let there = doubles(
            self.cells.iter().map(|c| far(*c)).collect(),
            &self.triangles,
        );
        [input(&floats), there].map(|mesh| context.create_mesh(mesh).unwrap())
    }
}

/// Moving by doubles that both hold changes nothing but the place: what floats at the origin are answered, doubles far from it are.
#[test]
fn ten_million_units_from_the_origin_everything_is_as_it_is_there() {
    let checked = Checked::open();
    let context = &checked.context;
    let ball = shapes::sphere(1.0, 12, 8);
    let knot = shapes::knot(0.35, 36, 5);
    for (round, (a, b)) in [
        (
            ball.clone(),
            ball.clone().map(|p| p + Vec3::new(1.7, 0.31, 0.17)),
        ),
        (
            knot.clone(),
            ball.clone().map(|p| p * 0.9 + Vec3::new(0.3, 0.2, 0.1)),
        ),
        (
            ball.clone(),
            ball.clone().map(|p| p + Vec3::new(2.1, 0.3, -0.2)),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let moved = b.clone().map(|p| p + Vec3::new(-0.6, 0.05, 0.02));
        let [a, b, moved] = [a, b, moved].map(|s| OnGrid::new(&s).both(context));
        let at = |k: usize| (a[k], b[k], moved[k]);
        let size = 300_000.0 * UNIT;

        let [here, there] = [0, 1].map(|k| pairs(context, at(k).0, at(k).1, 0.0));
        assert_eq!(here, there, "{round}");
        assert_eq!(here.is_empty(), round == 2, "{}", here.len());
        let [here, there] = [0, 1].map(|k| pairs(context, at(k).0, at(k).1, 0.3 * size));
        assert!(here == there && here.len() > 4, "{}", here.len());

        let [here, there] = [0, 1].map(|k| distance(context, at(k).0, at(k).1));
        assert_eq!(here.intersecting, there.intersecting);
        assert_eq!(here.distance, there.distance);

        let list = |k: usize| -> Vec<FeaturePair> {
            let bodies = [(at(k).0, STILL), (at(k).1, STILL)];
            let request = thickness(0.25 * size);
            let bodies = context.near_bodies(bodies, request).unwrap();
            context.near_pairs(bodies, ALL).unwrap()
        };
        let (here, there) = (list(0), list(1));
        assert!(here == there && here.len() > 4, "{}", here.len());
        let safe = |k: usize| {
            let bodies = [(at(k).0, STILL), (at(k).1, STILL)];
            let bodies = context.near_bodies(bodies, thickness(0.25 * size)).unwrap();
            context.safe_distances(bodies, 0.001 * size).unwrap()
        };
        // Less what rounding of coordinates as large as these can add: 64 roundings of the size of both.
        let most = 64.0 * f64::EPSILON * 2.0 * (FAR.length() + 10.0);
        for (here, there) in safe(0).into_iter().zip(safe(1)) {
            assert!(there <= here && here - there <= most, "{here} {there}");
        }
        let own = |k: usize| {
            let body = context
                .near_body(at(k).0, None, thickness(0.1 * size))
                .unwrap();
            context.near_pairs(body, ALL).unwrap()
        };
        assert_eq!(own(0), own(1));
        assert_eq!(
            context.self_pairs(at(0).0, ALL).unwrap(),
            context.self_pairs(at(1).0, ALL).unwrap()
        );

        let rule = MeetingRule {
            separation: 0.0,
            start: false,
        };
        let steps = |k: usize| {
            let (a, b, moved) = at(k);
            context.impacts([a, a], [b, moved], rule).unwrap()
        };
        let (here, there) = (steps(0), steps(1));
        assert!(here.len() > 10, "{}", here.len());
        assert_eq!(here.len(), there.len());
        for (one, other) in here.iter().zip(&there) {
            assert_eq!(one.features, other.features);
            // Either may be early by this.
            let early = 1e-6 + 1e-3 * one.time.max(other.time);
            assert!((one.time - other.time).abs() <= early, "{one:?} {other:?}");
        }
        let volume = |k: usize| {
            let found = context
                .exact_volume((at(k).0, STILL), (at(k).1, STILL))
                .unwrap();
            (found.crossings, found.volume, found.bounds)
        };
        let (here, there) = (volume(0), volume(1));
        assert_eq!(here.0, there.0);
        // Where the surfaces cross is rounded there, and the bounds tell.
        assert!(
            there.2[0] <= here.1 && here.1 <= there.2[1],
            "{here:?} {there:?}"
        );
        assert_eq!(here.1 == 0.0, round == 2, "{here:?}");

        let facts = [0, 1].map(|k| context.mesh_facts(at(k).0, Vertices::Welded).unwrap());
        let [here, there] = &facts;
        assert_eq!(here.used_vertices, there.used_vertices);
        assert!((here.volume - there.volume).abs() <= 1e-9 * here.volume);
        [a, b, moved]
            .as_flattened()
            .iter()
            .for_each(|id| context.destroy_mesh(*id).unwrap());
    }
}

fn thickness(thickness: f64) -> NearRequest {
    NearRequest {
        thickness,
        per_vertex: [None, None],
        rings: 0,
        groups: [None, None],
        listed: Vec::new(),
        mark_repeats: false,
    }
}

#[test]
fn updates_come_in_doubles_and_in_floats_and_floats_refuse_doubles() {
    let checked = Checked::open();
    let context = &checked.context;
    let [flat, pointing] = tip_below_plane(1.0, 0.5);
    let [flat, pointing] = [flat, pointing].map(|mesh| context.create_mesh(mesh).unwrap());
    let move_tip = |z: f64| context.update_mesh_f64(pointing, 0, &[DVec3::new(0.25, 0.25, z)]);
    for (tip, meets) in [(1.0 - 1e-13, false), (1.0, true), (1.0 - 2e-16, false)] {
        move_tip(tip).unwrap();
        assert_eq!(
            pairs(context, flat, pointing, 0.0).len(),
            usize::from(meets),
            "{tip}"
        );
    }
    context
        .update_mesh(pointing, 0, &[Vec3::new(0.25, 0.25, 1.5)])
        .unwrap();
    assert_eq!(pairs(context, flat, pointing, 0.0).len(), 1);
    // The others are the doubles they were, and a small coordinate is 0.
    move_tip(1e-29).unwrap();
    let found = distance(context, flat, pointing);
    assert_eq!(found.distance, 1.0);
    for bad in [f64::NAN, f64::INFINITY, 1.1e15] {
        assert!(
            matches!(move_tip(bad), Err(Error::InvalidArgument(_))),
            "{bad}"
        );
    }
    let floats = context
        .create_mesh(input(&shapes::cuboid(Vec3::ONE, 1)))
        .unwrap();
    let refused = context.update_mesh_f64(floats, 0, &[DVec3::ONE]);
    assert!(matches!(refused, Err(Error::WrongState(_))), "{refused:?}");
    destroy(context, &[flat, pointing, floats]);
}
