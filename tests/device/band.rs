//! Narrow bands baked on the device, against every triangle in double precision on the host.

use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, UVec3, Vec3, Vec3Swizzles};
use proxel::field::grid::Grid;
use proxel::gpu::buffer::{Buffer, Role};
use proxel::gpu::device::Device;
use proxel::gpu::recorder::{ForeignBuffer, Recorder};
use proxel::gpu::staging::Staging;
use proxel::query::band::Band;
use proxel::scene::mesh::{EnginePositions, Mesh, MeshInput, PreparedMesh};
use std::f64::consts::PI;
use std::sync::Arc;

/// A mesh with its band and all that bakes it.
struct Bake<'a> {
    checked: &'a Checked,
    staging: Staging,
    recorder: Recorder,
    mesh: Arc<Mesh>,
    band: Band,
    readback: Buffer,
}

impl<'a> Bake<'a> {
    fn new(checked: &'a Checked, input: MeshInput, grid: Grid, band: f32) -> Self {
        let device = checked.context.device();
        let mut staging = Staging::default();
        let prepared = PreparedMesh::new(input).unwrap();
        let mesh = Arc::new(Mesh::new(device, &mut staging, prepared).unwrap());
        let band = Band::new(device, &mut staging, mesh.clone(), grid, band).unwrap();
        let readback = Buffer::new(device, Role::Readback, 4 * grid.len() as u64, "test").unwrap();
        Self {
            checked,
            staging,
            recorder: Recorder::new(device).unwrap(),
            mesh,
            band,
            readback,
        }
    }

    fn device(&self) -> &Arc<Device> {
        self.checked.context.device()
    }

    fn run(&mut self) -> Vec<f32> {
        self.recorder.begin().unwrap();
        self.staging.record(&mut self.recorder);
        self.band.record(&mut self.recorder).unwrap();
        self.recorder
            .copy(self.band.values(), 0, &self.readback, 0, self.readback.size);
        self.recorder.hand_to_host();
        // SAFETY: no semaphores; everything is alive until the wait is over.
        let moment = unsafe { self.recorder.submit(&[], &[]) }.unwrap();
        self.staging.submitted(moment);
        self.checked.context.wait_idle().unwrap();
        bytemuck::cast_slice(self.readback.bytes()).to_vec()
    }
}

fn bake(checked: &Checked, shape: &Shape, grid: Grid, band: f32) -> Vec<f32> {
    Bake::new(checked, input(shape), grid, band).run()
}

/// A grid of about `nodes` nodes a side around a shape, askew to it.
fn grid_around(shape: &Shape, nodes: u32, pad: f32) -> Grid {
    let bounds = crate::support::surface(shape).bounds();
    let size = bounds.max - bounds.min;
    let cell = size.max_element() / (nodes as f32 - 1.0 - 2.0 * pad);
    Grid {
        origin: bounds.min - pad * cell * Vec3::new(1.0, 1.013, 0.987),
        spacing: cell,
        nodes: (size / cell + 2.0 * pad).ceil().as_uvec3() + 1,
    }
}

fn node(grid: &Grid, at: usize) -> DVec3 {
    let (at, nodes) = (at as u32, grid.nodes);
    grid.position(UVec3::new(
        at % nodes.x,
        at / nodes.x % nodes.y,
        at / (nodes.x * nodes.y),
    ))
}

/// Distance to a segment from the origin.
fn to_segment(a: DVec3, b: DVec3) -> f64 {
    let e = b - a;
    let t = if e == DVec3::ZERO {
        0.0
    } else {
        (-a.dot(e) / e.dot(e)).clamp(0.0, 1.0)
    };
    (a + t * e).length()
}

/// Distance to a triangle from the origin: to its border, or to its plane when the foot is inside.
fn to_triangle([a, b, c]: [DVec3; 3]) -> f64 {
    let border = to_segment(a, b).min(to_segment(b, c)).min(to_segment(c, a));
    let n = (b - a).cross(c - a);
    let inside = n != DVec3::ZERO
        && [(a, b), (b, c), (c, a)]
            .iter()
            .all(|(p, q)| n.cross(*q - *p).dot(*p) <= 0.0);
    if inside {
        border.min((a.dot(n) / n.length()).abs())
    } else {
        border
    }
}

/// The signed solid angle of a triangle from the origin (van Oosterom and Strackee 1983).
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let (x, y, z) = (a.length(), b.length(), c.length());
    let down = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
    2.0 * a.dot(b.cross(c)).atan2(down)
}

/// Distance to the surface and winding number, over all triangles.
fn truth(shape: &Shape, p: DVec3) -> (f64, f64) {
    let mut distance = f64::INFINITY;
    let mut angle = 0.0;
    for t in 0..shape.triangles.len() as u32 {
        let corners = crate::support::surface(shape).corners_f64(t).map(|v| v - p);
        distance = distance.min(to_triangle(corners));
        angle += solid_angle(corners);
    }
    (distance, angle / (4.0 * PI))
}

/// Units in the last place of the grid's size that a value may be off.
const ULPS: f64 = 4.0;

/// The truth at every node.
fn truths(shape: &Shape, grid: &Grid) -> Vec<(f64, f64)> {
    (0..grid.len())
        .map(|at| truth(shape, node(grid, at)))
        .collect()
}

/// Compares every node with the truth; returns the largest error in the band, in units in the last place of the size.
fn check(truths: &[(f64, f64)], grid: &Grid, band: f32, values: &[f32]) -> f64 {
    assert_eq!(values.len(), truths.len());
    let side = f64::from(grid.nodes.max_element() - 1) * f64::from(grid.spacing);
    let ulp = side * f64::from(f32::EPSILON);
    let mut worst: f64 = 0.0;
    let mut inside = 0;
    for (at, (&value, &(distance, winding))) in values.iter().zip(truths).enumerate() {
        let error = (f64::from(value.abs()) - distance.min(f64::from(band))).abs() / ulp;
        assert!(
            error <= ULPS,
            "node {at} at {}: {value}, not {distance}, {error} ulps off",
            node(grid, at)
        );
        worst = worst.max(error);
        if distance > f64::from(band) + ULPS * ulp {
            assert_eq!(value.abs(), band, "node {at} is out of the band");
        }
        if distance > ULPS * ulp {
            let rounded = winding.round();
            assert!((winding - rounded).abs() < 1e-3, "{at}: winding {winding}");
            assert_eq!(
                value.is_sign_negative(),
                rounded != 0.0,
                "node {at} at {}: {value}, winding {winding}, distance {distance}",
                node(grid, at)
            );
            inside += u32::from(rounded != 0.0);
        }
    }
    assert!(inside > 0, "the grid has nodes inside");
    worst
}

fn bake_and_check(name: &str, checked: &Checked, shape: &Shape, grid: Grid, bands: &[f32]) {
    let truths = truths(shape, &grid);
    for cells in bands {
        let band = cells * grid.spacing;
        let worst = check(&truths, &grid, band, &bake(checked, shape, grid, band));
        println!("{name}, {cells} cells: at most {worst:.2} ulps off");
    }
}

fn tilt(p: Vec3) -> Vec3 {
    Quat::from_rotation_x(0.7) * Quat::from_rotation_z(0.4) * p + Vec3::new(10.0, -3.0, 0.5)
}

#[test]
fn smooth_shapes_have_their_distances_and_signs() {
    let checked = Checked::open();
    let cases = [
        ("sphere", shapes::sphere(1.0, 30, 16)),
        ("coarse sphere", shapes::sphere(1.0, 5, 3)),
        ("torus", shapes::torus(1.0, 0.4, 30, 14).map(tilt)),
        ("knot", shapes::knot(0.4, 70, 7).map(tilt)),
        ("capsule", shapes::capsule(0.5, 1.0, 20, 6).map(tilt)),
    ];
    for (name, shape) in cases {
        let grid = grid_around(&shape, 20, 2.3);
        bake_and_check(name, &checked, &shape, grid, &[0.7, 3.0, 40.0]);
    }
}

#[test]
fn boxes_have_theirs_also_when_their_faces_edges_and_corners_are_on_nodes() {
    let checked = Checked::open();
    for cells in [1, 2, 3, 8] {
        let shape = shapes::cuboid(Vec3::new(0.5, 0.75, 1.0), cells);
        // Every face is in a plane of nodes, every corner is a node, and diagonals run through nodes.
        let grid = Grid {
            origin: Vec3::new(-1.0, -1.25, -1.5),
            spacing: 0.125,
            nodes: UVec3::new(17, 21, 25),
        };
        bake_and_check("box on nodes", &checked, &shape, grid, &[2.5]);
        let tilted = shape.clone().map(tilt);
        bake_and_check(
            "tilted",
            &checked,
            &tilted,
            grid_around(&tilted, 22, 2.0),
            &[3.0],
        );
        // Cut by the grid on all sides.
        let inner = Grid {
            origin: Vec3::new(-0.25, -0.5, -0.75),
            spacing: 0.125,
            nodes: UVec3::new(7, 5, 3),
        };
        bake_and_check("grid in the box", &checked, &shape, inner, &[4.0]);
    }
    // One cell of a grid is the whole box, and a grid may be a line.
    let shape = shapes::cuboid(Vec3::splat(0.5), 1);
    for nodes in [[4, 4, 4], [9, 1, 1], [1, 9, 1], [1, 1, 9]] {
        let grid = Grid {
            origin: Vec3::splat(-0.5),
            spacing: 1.0,
            nodes: UVec3::from(nodes),
        };
        let values = bake(&checked, &shape, grid, 2.0);
        for (at, value) in values.iter().enumerate() {
            let p = node(&grid, at);
            let distance = (p.abs() - 0.5).max(DVec3::ZERO).length().min(2.0);
            assert!(
                (f64::from(value.abs()) - distance).abs() < 1e-6,
                "{p} {value}"
            );
        }
    }
}

#[test]
fn an_octahedron_with_corners_on_columns_is_watertight() {
    // Columns run through its vertices and along its edges, wherever it is in the grid.
    let checked = Checked::open();
    for slices in [4, 8] {
        for shift in [0.0, 0.5] {
            let shape = shapes::sphere(1.0, slices, 2).map(|p| p.xzy() + shift);
            let flipped = shape.clone().flipped();
            let grid = Grid {
                origin: Vec3::splat(-2.0),
                spacing: 0.25,
                nodes: UVec3::splat(17),
            };
            bake_and_check("octahedron", &checked, &shape, grid, &[3.0]);
            bake_and_check("its mirror", &checked, &flipped, grid, &[3.0]);
        }
    }
}

#[test]
fn columns_along_an_edge_cross_both_its_triangles_or_neither() {
    // Along four edges of each of these solids x - z is whole, so that they meet columns of nodes at every slice, where
    // only rounding says on which side. A miscount would turn the sign of the rest of the column.
    let checked = Checked::open();
    for i in 0..40u8 {
        let t = f32::from(i) / 40.0;
        let long = Vec3::new(7.3 + t, 1.1 + 0.3 * t, 7.3 + t);
        let wide = Vec3::new(-2.0, 3.7 - t, 1.0);
        let high = Vec3::new(1.0, 3.3, -2.0);
        let shape =
            shapes::cuboid(Vec3::splat(0.5), 1).map(|p| p.x * long + p.y * wide + p.z * high + 6.0);
        let grid = Grid {
            origin: Vec3::ZERO,
            spacing: 1.0,
            nodes: UVec3::splat(14),
        };
        bake_and_check("along an edge", &checked, &shape, grid, &[1.5]);
    }
}

#[test]
fn slivers_and_collapsed_triangles_do_no_harm() {
    let checked = Checked::open();
    for squeeze in [1e-2, 1e-4, 1e-6] {
        // Rings so close together that triangles between them are slivers of that aspect.
        let shape = shapes::capsule(0.5, 0.5, 6, 4).map(|p| {
            let z = if p.z.abs() < 0.51 { p.z * squeeze } else { p.z };
            Vec3::new(p.x, p.y, z)
        });
        let shape = shape.map(tilt);
        bake_and_check(
            "squeezed",
            &checked,
            &shape,
            grid_around(&shape, 20, 3.0),
            &[3.0],
        );
    }
    // A vertex pushed onto an edge, and one onto another vertex: triangles without area.
    let mut shape = shapes::cuboid(Vec3::ONE, 2);
    let middle = shape
        .positions
        .iter()
        .position(|p| *p == Vec3::new(1.0, 0.0, 0.0));
    let other = shape
        .positions
        .iter()
        .position(|p| *p == Vec3::new(0.0, 0.0, 1.0));
    shape.positions[middle.unwrap()] = Vec3::new(1.0, 1.0, 0.0);
    shape.positions[other.unwrap()] = Vec3::new(0.5, 1.0, 1.0);
    for shape in [shape.clone(), shape.map(tilt)] {
        bake_and_check(
            "collapsed",
            &checked,
            &shape,
            grid_around(&shape, 20, 3.0),
            &[3.0],
        );
    }
}

#[test]
fn shells_are_united_nested_or_hollow_and_turning_inside_out_changes_nothing() {
    let checked = Checked::open();
    let big = shapes::sphere(1.0, 16, 8);
    let small = shapes::sphere(0.5, 12, 6);
    let apart = big
        .clone()
        .with(&small.clone().map(|p| p + Vec3::new(1.9, 0.1, 0.2)));
    let overlapping = big
        .clone()
        .with(&big.clone().map(|p| p + Vec3::new(1.1, 0.3, 0.2)));
    let nested = big.clone().with(&small);
    let hollow = big.clone().with(&small.clone().flipped());
    for shape in [&apart, &overlapping, &nested, &hollow] {
        bake_and_check(
            "shells",
            &checked,
            shape,
            grid_around(shape, 22, 2.0),
            &[3.0],
        );
    }
    let grid = grid_around(&hollow, 22, 2.0);
    let at = |values: &[f32], p: Vec3| {
        let node = ((p - grid.origin) / grid.spacing).round().as_uvec3();
        values[grid.index(node)]
    };
    let values = bake(&checked, &hollow, grid, 0.1);
    assert_eq!(at(&values, Vec3::ZERO), 0.1, "a cavity is outside");
    assert_eq!(at(&values, Vec3::new(0.75, 0.0, 0.0)), -0.1);
    let values = bake(&checked, &nested, grid, 0.1);
    assert_eq!(
        at(&values, Vec3::ZERO),
        -0.1,
        "wound around twice is inside"
    );

    let inverted = hollow.clone().flipped();
    bake_and_check("inverted", &checked, &inverted, grid, &[3.0]);
}

#[test]
fn triangles_that_share_no_vertices_are_watertight_too() {
    let checked = Checked::open();
    let mut shape = shapes::knot(0.4, 60, 6).split();
    // Positions that nothing uses are not part of the surface.
    shape.positions.push(Vec3::new(0.0, 0.0, 0.3));
    bake_and_check(
        "split",
        &checked,
        &shape,
        grid_around(&shape, 24, 2.0),
        &[3.0],
    );
}

#[test]
fn scale_and_place_do_not_matter() {
    let checked = Checked::open();
    let torus = shapes::torus(1.0, 0.4, 20, 10);
    for (scale, shift) in [(1e-12, 0.0), (1e12, 0.0), (1.0, 4000.0)] {
        let shape = torus.clone().map(|p| p * scale + shift);
        bake_and_check(
            "scaled",
            &checked,
            &shape,
            grid_around(&shape, 20, 2.0),
            &[3.0],
        );
    }
    // The grid sees a small part of a large surface.
    let shape = torus.map(|p| 1000.0 * p);
    let grid = Grid {
        origin: Vec3::new(1394.0, -3.0, -6.0),
        spacing: 0.5,
        nodes: UVec3::new(21, 13, 25),
    };
    let values = bake(&checked, &shape, grid, 2.0);
    for (at, &value) in values.iter().enumerate() {
        let (distance, winding) = truth(&shape, node(&grid, at));
        // The corners are 1400 from the grid's neighbourhood, and their coordinates rounded accordingly.
        assert!((f64::from(value.abs()) - distance.min(2.0)).abs() < 5e-4);
        assert!(distance < 5e-4 || value.is_sign_negative() == (winding.round() != 0.0));
    }
}

#[test]
fn the_same_mesh_has_the_same_bits_and_a_deformed_one_is_baked_in_place() {
    let checked = Checked::open();
    let shape = shapes::knot(0.4, 60, 6);
    let grid = grid_around(&shape, 22, 4.0);
    let band = 3.0 * grid.spacing;
    let mut bake = Bake::new(&checked, input(&shape), grid, band);
    let first = bake.run();
    check(&truths(&shape, &grid), &grid, band, &first);
    for _ in 0..5 {
        let again = bake.run();
        assert!(
            first
                .iter()
                .zip(&again)
                .all(|(a, b)| a.to_bits() == b.to_bits())
        );
    }
    for round in 1..4 {
        let moved = shape.clone().map(|p| {
            let wave = 0.15 * round as f32;
            p + wave * Vec3::new((2.0 * p.y).sin(), (1.5 * p.z).cos(), p.x.sin())
        });
        let device = bake.device().clone();
        bake.mesh
            .update(&device, &mut bake.staging, 0, &moved.positions)
            .unwrap();
        check(&truths(&moved, &grid), &grid, band, &bake.run());
    }
}

#[test]
fn the_engines_strided_positions_give_the_same_bits() {
    let checked = Checked::open();
    let device = checked.context.device();
    let shape = shapes::torus(1.0, 0.4, 40, 20).map(tilt);
    let grid = grid_around(&shape, 24, 2.0);
    let band = 3.0 * grid.spacing;
    let own = bake(&checked, &shape, grid, band);

    let (offset, stride) = (76usize, 28usize);
    let bytes = offset + stride * shape.positions.len();
    let engine = Arc::new(Buffer::new(device, Role::Device, bytes as u64, "engine").unwrap());
    let positions = EnginePositions {
        buffer: ForeignBuffer::of(&engine),
        offset: offset as u64,
        stride: stride as u64,
    };
    for rest in [Some(shape.positions.clone()), None] {
        let mesh = MeshInput {
            engine: Some(positions),
            positions: rest.map(Into::into),
            ..input(&shape)
        };
        let mut bake = Bake::new(&checked, mesh, grid, band);
        let write = |out: &mut [u8]| {
            out.fill(0xff);
            for (i, p) in shape.positions.iter().enumerate() {
                out[offset + stride * i..][..12].copy_from_slice(bytemuck::bytes_of(p));
            }
        };
        bake.staging
            .upload(device, &engine, 0, bytes as u64, write)
            .unwrap();
        assert!(bake.run() == own, "the bits differ");
    }
}

#[test]
fn bad_grids_and_bands_are_named() {
    let checked = Checked::open();
    let device = checked.context.device();
    let mut staging = Staging::default();
    let prepared = PreparedMesh::new(input(&shapes::cuboid(Vec3::ONE, 1))).unwrap();
    let mesh = Arc::new(Mesh::new(device, &mut staging, prepared).unwrap());
    let good = Grid {
        origin: Vec3::ZERO,
        spacing: 1.0,
        nodes: UVec3::splat(4),
    };
    let mut refused = |grid: Grid, band: f32, told: &str| {
        let error = Band::new(device, &mut staging, mesh.clone(), grid, band)
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(told), "{error}");
    };
    for band in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        refused(good, band, "half-width");
    }
    for spacing in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-40] {
        refused(Grid { spacing, ..good }, 1.0, "cell is");
    }
    refused(good, 1e-5, "0.00001 cells");
    let origin = Vec3::new(0.0, f32::NAN, 0.0);
    refused(Grid { origin, ..good }, 1.0, "origin");
    for nodes in [UVec3::new(4, 0, 4), UVec3::new(4, 4, 8193)] {
        refused(Grid { nodes, ..good }, 1.0, "nodes");
    }
    let nodes = UVec3::splat(8192);
    refused(Grid { nodes, ..good }, 1.0, "values of a band");
}
