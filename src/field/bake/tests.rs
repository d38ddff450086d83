//! Baked fields against brute force, analytic distances and what must hold of any distance.

use super::*;
use crate::error::Error;
use crate::field::error::{Stored, strides};
use crate::field::grid::{Resolution, places, trilinear};
use crate::geometry::nearest::patch::Patch;
use crate::geometry::random::Random;
use crate::geometry::sign::winding::Winding;
use crate::geometry::surface::AsSurface;
use crate::geometry::triangle::closest;
use crate::interrupt::{Cancellation, Watch};
use fixtures::shapes::{self, Shape};
use glam::Vec3;
use std::mem;

fn grid(shape: &Shape, cells: u32) -> Grid {
    let bounds = shape.surface().bounds();
    let padding = 0.15 * bounds.size().max_element();
    Grid::around(bounds, padding, Resolution::Cells(cells), 1).unwrap()
}

fn bake(shape: &Shape, cells: u32) -> FieldData {
    try_bake(
        &Baker::new(shape.surface()),
        grid(shape, cells),
        Signing::Auto,
    )
    .unwrap()
}

fn try_bake(baker: &Baker, grid: Grid, signing: Signing) -> Result<FieldData, BakeError> {
    baker.bake(grid, Storage::Direction, signing, Progress::default())
}

/// The distances of a dense field, and its directions.
pub(in crate::field) fn dense(field: &FieldData) -> (&[f32], Option<&[Vec3]>) {
    match &field.samples {
        Samples::Dense {
            distances,
            directions,
        } => (distances, directions.as_deref()),
        Samples::Sparse(_) => panic!("a sparse field"),
    }
}

fn distance(field: &FieldData, node: UVec3) -> f32 {
    dense(field).0[field.grid.index(node)]
}

/// The interpolated distance, as a device takes it: within a brick, or from the coarse grid where there is none.
pub(in crate::field) fn sample(field: &FieldData, p: DVec3) -> f64 {
    let (cell, at) = field.grid.locate(p);
    match &field.samples {
        Samples::Dense { distances, .. } => {
            trilinear(corners(cell).map(|n| distances[field.grid.index(n)]), at)
        }
        Samples::Sparse(bricks) => {
            let brick = cell / bricks.cells;
            let local = cell - brick * bricks.cells;
            match bricks.brick(brick) {
                Some(samples) => {
                    let size = UVec3::splat(bricks.cells + 1);
                    trilinear(corners(local).map(|n| samples[index(n, size)]), at)
                }
                None => {
                    let at = (local.as_dvec3() + at) / f64::from(bricks.cells);
                    trilinear(bricks.coarse_corners(brick), at)
                }
            }
        }
    }
}

fn pseudonormals<'b>(baker: &'b Baker) -> &'b Pseudonormals<'b> {
    baker.normals.as_ref().unwrap()
}

/// The bound on the error at a point.
fn bound(field: &FieldData, p: DVec3) -> f32 {
    let brick = field.grid.locate(p).0 / field.brick_cells();
    field.errors[index(brick, field.brick_count())].worst()
}

/// At random points, half of them near the surface where it matters, the exact distance is within the error bound and no slope is steeper
/// than promised; `also` looks at points and values.
pub(in crate::field) fn assert_holds(
    field: &FieldData,
    shape: &Shape,
    seed: u64,
    rounds: u32,
    also: impl Fn(DVec3, f64),
) {
    let baker = Baker::new(shape.surface());
    let normals = pseudonormals(&baker);
    let (mut random, mut scratch) = (Random::new(seed), Scratch::default());
    let mut nearest = |p| {
        baker
            .nearest()
            .query(p, f64::INFINITY, &mut scratch)
            .unwrap()
    };
    let mut last: Option<(DVec3, f64)> = None;
    for round in 0..rounds {
        let mut p = random_point(&field.grid, &mut random);
        if round % 2 == 0 {
            let hit = nearest(p);
            p = hit.point + (p - hit.point) * (0.9 * f64::from(field.grid.spacing) / hit.distance);
        }
        let hit = nearest(p);
        let behind = normals.is_behind(p, &hit);
        let truth = if behind { -hit.distance } else { hit.distance };
        let value = sample(field, p);
        let (off, bound) = ((value - truth).abs(), bound(field, p));
        assert!(
            off <= f64::from(bound) && bound <= field.error(),
            "{off} {bound} at {p}"
        );
        if let Some((q, other)) = last {
            let slope = (value - other).abs() / p.distance(q);
            assert!(
                slope <= f64::from(field.lipschitz) * (1.0 + 1e-6),
                "{slope}"
            );
        }
        also(p, value);
        last = Some((p, value));
    }
}

fn brute_force(shape: &Shape, p: DVec3) -> f64 {
    let distance = |t| {
        closest::on_triangle(p, shape.surface().corners_f64(t))
            .0
            .distance(p)
    };
    (0..shape.triangles.len() as u32)
        .map(distance)
        .fold(f64::INFINITY, f64::min)
}

pub(in crate::field) fn random_point(grid: &Grid, random: &mut Random) -> DVec3 {
    let domain = grid.domain();
    let at = 0.5 * (random.in_cube() + 1.0);
    domain.min.as_dvec3() + at * domain.size().as_dvec3()
}

/// Every node: the distance of brute force to half a unit in the last place, the sign of `inside`, a unit direction that
/// leads to the surface.
fn assert_exact(shape: &Shape, cells: u32, inside: impl Fn(DVec3) -> bool) -> FieldData {
    let field = bake(shape, cells);
    for node in places(field.grid.nodes) {
        let p = field.grid.position(node);
        let distance = distance(&field, node);
        let truth = brute_force(shape, p);
        assert_eq!(distance.abs(), truth as f32, "at {p}");
        assert_eq!(
            distance < 0.0,
            truth > 0.0 && inside(p),
            "sign at {p}, {distance}"
        );
        let direction = dense(&field).1.unwrap()[field.grid.index(node)].as_dvec3();
        assert!((direction.length() - 1.0).abs() < 1e-6);
        assert!(brute_force(shape, p + truth * direction) < 1e-6 * (1.0 + truth));
    }
    field
}

#[test]
fn a_sphere_is_exact_at_every_node() {
    let sphere = shapes::sphere(1.0, 32, 24);
    let winding = Winding::build(sphere.surface());
    let field = assert_exact(&sphere, 14, |p| winding.number(p, 0.0) > 0.5);
    assert_eq!(field.sign, Sign::Pseudonormal);
}

#[test]
fn a_box_is_analytic_at_every_node() {
    let half = Vec3::new(0.5, 1.0, 0.75);
    let field = bake(&shapes::cuboid(half, 5), 24);
    for node in places(field.grid.nodes) {
        let p = field.grid.position(node);
        let q = p.abs() - half.as_dvec3();
        let truth = q.max(DVec3::ZERO).length() + q.max_element().min(0.0);
        let distance = f64::from(distance(&field, node));
        assert!(
            (distance - truth).abs() <= 1e-7 * truth.abs(),
            "{p}: {distance} instead of {truth}"
        );
    }
}

/// Fine meshes of smooth shapes come within their facets of the ideal distance, and have its sign.
fn assert_analytic(shape: &Shape, size: f64, facet: f64, truth: impl Fn(DVec3) -> f64) {
    let field = bake(shape, 20);
    for node in places(field.grid.nodes) {
        let p = field.grid.position(node);
        let (distance, truth) = (f64::from(distance(&field, node)), truth(p));
        assert!(
            (distance - truth).abs() <= facet + 1e-6 * size,
            "{p}: {distance} instead of {truth}"
        );
        assert!(
            truth.abs() <= facet || (distance < 0.0) == (truth < 0.0),
            "sign at {p}"
        );
    }
}

#[test]
fn smooth_shapes_are_analytic_up_to_their_facets() {
    // A chord of angle t is 1 - cos(t / 2) of the radius below its arc; two such angles add up.
    let sagitta = |radius: f64, n: f64| radius * (1.0 - (std::f64::consts::PI / n).cos());
    assert_analytic(
        &shapes::sphere(1.0, 600, 300),
        2.0,
        2.0 * sagitta(1.0, 600.0),
        |p| p.length() - 1.0,
    );
    let torus = |p: DVec3| (p.truncate().length() - 1.0).hypot(p.z) - 0.4;
    assert_analytic(
        &shapes::torus(1.0, 0.4, 800, 400),
        2.8,
        sagitta(1.4, 800.0) + sagitta(0.4, 400.0),
        torus,
    );
    let capsule = |p: DVec3| (p - DVec3::Z * p.z.clamp(-0.5, 0.5)).length() - 0.5;
    assert_analytic(
        &shapes::capsule(0.5, 0.5, 500, 125),
        2.0,
        2.0 * sagitta(0.5, 500.0),
        capsule,
    );
}

#[test]
fn awkward_but_closed_shapes_are_exact() {
    assert_exact(&shapes::cuboid(Vec3::ONE, 2).flipped(), 9, |p| {
        p.abs().max_element() < 1.0
    });
    assert_exact(&shapes::cuboid(Vec3::ONE, 2).split(), 9, |p| {
        p.abs().max_element() < 1.0
    });
    let shell = shapes::cuboid(Vec3::ONE, 2).with(&shapes::cuboid(Vec3::splat(0.5), 1).flipped());
    let field = assert_exact(&shell, 13, |p| (0.5..1.0).contains(&p.abs().max_element()));
    assert_eq!(field.sign, Sign::Pseudonormal);
}

#[test]
fn shells_that_overlap_or_nest_are_signed_by_winding_numbers() {
    let cube = shapes::cuboid(Vec3::ONE, 2);
    let nested = cube.clone().with(&shapes::cuboid(Vec3::splat(0.5), 1));
    let field = assert_exact(&nested, 13, |p| {
        p.abs().max_element() < 1.0 && p.abs().max_element() != 0.5
    });
    assert_eq!(field.sign, Sign::Winding);
    let aside = DVec3::new(0.7, 0.6, 0.5);
    let overlapping = cube
        .clone()
        .with(&cube.clone().map(|p| p + aside.as_vec3()));
    let inside =
        |p: DVec3| p.abs().max_element() < 1.0 || (p - aside).abs().max_element() < 1.0 - 1e-7;
    let field = assert_exact(&overlapping, 11, inside);
    assert_eq!(field.sign, Sign::Winding);
    let opposed = cube.clone().with(&cube.clone().flipped().map(|p| p + 3.0));
    let inside =
        |p: DVec3| p.abs().max_element() < 1.0 || (p - 3.0).abs().max_element() < 1.0 - 1e-6;
    let field = assert_exact(&opposed, 11, inside);
    assert_eq!(field.sign, Sign::Winding);
}

#[test]
fn slivers_and_t_junctions_are_signed_right() {
    // A vertex in the middle of a side that its neighbour does not have: closed to the eye, open to the indices.
    let mut cube = shapes::cuboid(Vec3::ONE, 1);
    let [a, b, c] = cube.triangles[0];
    let middle = 0.5 * (cube.positions[a as usize] + cube.positions[b as usize]);
    cube.positions.push(middle);
    let m = cube.positions.len() as u32 - 1;
    cube.triangles[0] = [a, m, c];
    cube.triangles.push([m, b, c]);
    let field = assert_exact(&cube, 11, |p| p.abs().max_element() < 1.0);
    assert_eq!(field.sign, Sign::Winding);
    // The same closed by a triangle without area.
    cube.triangles.push([a, b, m]);
    let field = assert_exact(&cube, 11, |p| p.abs().max_element() < 1.0);
    assert_eq!(field.sign, Sign::Winding);
    let flat = shapes::cuboid(Vec3::new(1.0, 1e-4, 1.0), 1).map(|p| p + Vec3::Y * 0.01);
    assert_exact(&flat, 12, |p| {
        (p - DVec3::Y * 0.01)
            .abs()
            .cmplt(DVec3::new(1.0, 1e-4, 1.0))
            .all()
    });
}

#[test]
fn an_open_cube_is_signed_right_away_from_its_hole() {
    let mut cube = shapes::cuboid(Vec3::ONE, 4);
    cube.triangles
        .retain(|t| !t.iter().all(|&v| cube.positions[v as usize].z == 1.0));
    let field = bake(&cube, 24);
    assert_eq!(field.sign, Sign::Winding);
    for node in places(field.grid.nodes) {
        let p = field.grid.position(node);
        let distance = distance(&field, node);
        assert_eq!(distance.abs(), brute_force(&cube, p) as f32);
        // The hole spans z = 1; within one half-width of it the surface does not say what is inside.
        if p.z < 0.0 || p.z > 1.5 || p.truncate().abs().max_element() > 1.0 {
            let inside = p.abs().max_element() < 1.0;
            assert_eq!(distance < 0.0, inside && distance != 0.0, "{p}");
        }
    }
    // Sharing signs between nodes must not change any.
    let winding = Winding::build(cube.surface());
    for node in places(field.grid.nodes) {
        let distance = distance(&field, node);
        assert_eq!(
            distance < 0.0,
            distance != 0.0 && winding.encloses(field.grid.position(node))
        );
    }
}

#[test]
fn a_surface_without_area_is_refused() {
    // A closed tetrahedron, all of whose corners are on a line.
    let needle = Shape {
        positions: (0..4)
            .map(|i| i as f32 * Vec3::new(1.0, 2.0, 3.0))
            .collect(),
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    };
    for signing in [Signing::Auto, Signing::WindingNumbers] {
        let baked = try_bake(&Baker::new(needle.surface()), grid(&needle, 8), signing);
        assert_eq!(baked.unwrap_err(), BakeError::NoArea(4));
    }
}

#[test]
fn what_encloses_nothing_is_refused() {
    let sheet = Shape {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)],
        triangles: vec![[0, 1, 2], [2, 1, 3]],
    };
    let baker = Baker::new(sheet.surface());
    let error = try_bake(&baker, grid(&sheet, 8), Signing::Auto).unwrap_err();
    assert_eq!(error, BakeError::EnclosesNothing { border: 4 });
    let error = try_bake(&baker, grid(&sheet, 8), Signing::Pseudonormals).unwrap_err();
    assert!(
        error.to_string().contains("4 border edges")
            && error.to_string().contains("use winding numbers")
    );
}

#[test]
fn the_exact_distance_is_never_outside_the_error_bound() {
    let spiky = shapes::sphere(1.0, 14, 9);
    let spiky = Shape {
        positions: spiky
            .positions
            .iter()
            .enumerate()
            .map(|(i, &p)| p * if i % 3 == 0 { 1.6 } else { 0.7 })
            .collect(),
        ..spiky
    };
    let shapes = [
        shapes::sphere(1.0, 60, 40),
        shapes::cuboid(Vec3::new(1.0, 0.3, 0.6), 3),
        shapes::knot(0.4, 200, 24),
        spiky,
    ];
    for (shape, seed) in shapes.iter().zip(1..) {
        let field = bake(shape, 40);
        assert_holds(&field, shape, seed, 20_000, |_, _| {});
        // Not so loose as to be useless: no better than Lipschitz means a factor of one.
        assert!(field.error() <= 0.88 * field.grid.spacing);
    }
}

#[test]
fn near_a_smooth_surface_the_bound_shrinks_with_the_square_of_the_cell() {
    let sphere = shapes::sphere(1.0, 400, 200);
    let baker = Baker::new(sphere.surface());
    let near = |cells| {
        let grid = grid(&sphere, cells);
        let (texels, sign) = baker
            .texels(grid, Signing::Auto, Progress::default())
            .unwrap();
        assert_eq!(sign, Sign::Pseudonormal);
        let evidence = Evidence {
            grid: &grid,
            surface: Some(baker.nearest()),
            membrane: None,
        };
        let is_crossed = |cell: &UVec3| {
            let inside = corners(*cell).map(|node| texels[grid.index(node)][3] < 0.0);
            inside.contains(&true) && inside.contains(&false)
        };
        let bound = |cell: UVec3| {
            let stored = Stored {
                texels: &texels[grid.index(cell)..],
                offsets: &[],
                strides: strides(grid.nodes),
            };
            let bounds = evidence.of_cells(cell, UVec3::ONE, stored, &mut Patch::default());
            f64::from(bounds.error.worst())
        };
        let crossed = places(grid.nodes - 1).filter(is_crossed);
        (
            f64::from(grid.spacing),
            crossed.map(bound).fold(0.0, f64::max),
        )
    };
    let (coarse, fine) = (near(24), near(48));
    // A cone over three or four cells of a unit sphere: an angle of at most about 4.5 h, times half a diagonal.
    assert!(
        fine.1 < 4.0 * fine.0 * fine.0 && coarse.1 < 4.0 * coarse.0 * coarse.0,
        "{coarse:?} {fine:?}"
    );
}

#[test]
fn the_gradient_has_length_one_away_from_the_medial_axis() {
    let field = bake(&shapes::torus(1.0, 0.4, 200, 100), 48);
    let h = f64::from(field.grid.spacing);
    let mut random = Random::new(5);
    let mut checked = 0;
    for _ in 0..4000 {
        let p = random_point(&field.grid, &mut random);
        let ring = p.truncate().length();
        let tube = (ring - 1.0).hypot(p.z);
        // The medial axis is the circle in the tube, and the z axis.
        if tube < 6.0 * h
            || ring < 6.0 * h
            || !(p.abs() + 3.0 * h)
                .cmplt(field.grid.domain().max.as_dvec3())
                .all()
        {
            continue;
        }
        let slope =
            |axis: DVec3| (sample(&field, p + h * axis) - sample(&field, p - h * axis)) / (2.0 * h);
        let length = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z)).length();
        assert!((length - 1.0).abs() < 0.03, "{length} at {p}");
        checked += 1;
    }
    assert!(checked > 1000);
}

#[test]
fn node_values_are_one_lipschitz() {
    let field = bake(&shapes::knot(0.4, 200, 24), 30);
    let mut random = Random::new(3);
    for _ in 0..100_000 {
        let mut node = || {
            let at = 0.5 * (random.in_cube() + 1.0) * field.grid.nodes.as_dvec3();
            at.as_uvec3().min(field.grid.nodes - 1)
        };
        let (a, b) = (node(), node());
        let apart = field.grid.position(a).distance(field.grid.position(b));
        let values = [a, b].map(|n| f64::from(distance(&field, n)));
        assert!((values[0] - values[1]).abs() <= apart + 1e-6);
    }
}

#[test]
fn a_bake_reports_progress_and_can_be_cancelled() {
    let sphere = shapes::sphere(1.0, 20, 12);
    let baker = Baker::new(sphere.surface());
    let furthest = AtomicUsize::new(0);
    let progress = |part: f32| {
        furthest.fetch_max((part * 100.0) as usize, Ordering::Relaxed);
    };
    let bake = |progress| {
        baker.bake(
            grid(&sphere, 16),
            Storage::Distance,
            Signing::Auto,
            progress,
        )
    };
    bake(Progress::to(&progress)).unwrap();
    assert_eq!(furthest.load(Ordering::Relaxed), 100);
    let cancellation = Arc::new(Cancellation::of("the bake"));
    let watch = Arc::new(Watch::new(&cancellation));
    let stop = |_: f32| cancellation.cancel();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .start_handler(move |_| mem::forget(interrupt::watch(watch.clone())))
        .build()
        .unwrap();
    let ended = interrupt::caught(|| pool.install(|| bake(Progress::to(&stop))));
    assert!(matches!(ended, Err(Error::Cancelled("the bake"))));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let knot = shapes::knot(0.4, 100, 12);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| bake(&knot, 20))
    };
    let (one, three) = (with(1), with(3));
    assert_eq!(one, three);
}
