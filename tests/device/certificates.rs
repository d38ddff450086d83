//! The interval of every sample holds the exact signed distance, by an oracle that shares no code with the bake: the nearest of
//! all triangles, and the sum of all their solid angles. `PROXEL_SWEEP=N` takes N times as many points.

use crate::support::ask::AskNow;
use crate::support::kinds::{KINDS, bake};
use crate::support::{Checked, times};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Vec3};
use proxel::field::bake::Signing;
use proxel::field::data::{Outside, Precision, Sign, Storage};
use proxel::field::grid::{Grid, Resolution};
use proxel::field::request::{BakeRequest, GridPlacement};
use proxel::query::sample::SampleResult;
use proxel::scene::pose::Pose;
use rayon::prelude::*;

/// The squared distance from the origin to a triangle, by the sign of its edges' planes.
fn squared_distance([a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let is_beside = |p: DVec3, q: DVec3| normal.cross(q - p).dot(p) > 0.0;
    let to_side = |p: DVec3, q: DVec3| {
        let side = q - p;
        let along = (-p.dot(side) / side.length_squared()).clamp(0.0, 1.0);
        (p + along * side).length_squared()
    };
    let on_sides = to_side(a, b).min(to_side(b, c)).min(to_side(c, a));
    let area = normal.length_squared();
    if area == 0.0 || is_beside(a, b) || is_beside(b, c) || is_beside(c, a) {
        return on_sides;
    }
    (a.dot(normal) * a.dot(normal) / area).min(on_sides)
}

/// The solid angle of a triangle seen from the origin, by Girard's theorem: what its corners' angles on the sphere exceed pi by.
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let corner = |at: DVec3, p: DVec3, q: DVec3| {
        let (p, q) = (at.cross(p), at.cross(q));
        p.cross(q).length().atan2(p.dot(q))
    };
    let excess = corner(a, b, c) + corner(b, c, a) + corner(c, a, b) - std::f64::consts::PI;
    excess.copysign(a.dot(b.cross(c)))
}

/// The distance to the surface, and how often it winds around the point.
fn exact(shape: &Shape, p: DVec3) -> (f64, f64) {
    let (mut squared, mut angle) = (f64::INFINITY, 0.0);
    for t in &shape.triangles {
        let corners = t.map(|v| shape.positions[v as usize].as_dvec3() - p);
        squared = squared.min(squared_distance(corners));
        let whole = solid_angle(corners);
        angle += if whole.is_finite() { whole } else { 0.0 };
    }
    (squared.sqrt(), angle / (4.0 * std::f64::consts::PI))
}

/// Random points: in and around the domain, and close to the surface.
fn scatter(shape: &Shape, domain: Grid, count: usize) -> Vec<Vec3> {
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 40) as f32 / (1u64 << 24) as f32
    };
    let bounds = domain.domain();
    let (low, size) = (bounds.min - 0.15 * bounds.size(), 1.3 * bounds.size());
    let point = |i: usize| {
        let at = Vec3::new(random(), random(), random());
        if i.is_multiple_of(2) {
            return low + at * size;
        }
        let [a, b, c] =
            shape.triangles[i / 2 % shape.triangles.len()].map(|v| shape.positions[v as usize]);
        let on = a + (b - a) * random() + (c - a) * random();
        on + (at - 0.5) * 4.0 * domain.spacing
    };
    (0..count).map(point).collect()
}

fn assert_holds(sample: &SampleResult, (distance, winding): (f64, f64), p: Vec3, what: &str) {
    let holds = |d: f64| f64::from(sample.lower) <= d && d <= f64::from(sample.upper);
    // On the surface, and on the membrane where the winding number is one half, rounding decides.
    let is_open = distance < 1e-9 || (winding.abs() - 0.5).abs() < 1e-9;
    let signed = if winding.abs() >= 0.5 {
        -distance
    } else {
        distance
    };
    assert!(
        holds(signed) || is_open && holds(-signed),
        "{signed} is not in {sample:?} at {p} of {what}"
    );
    assert!(
        sample.in_domain == 1 || sample.distance == sample.lower,
        "{what}"
    );
}

/// Every kind of field of a shape; gives the sign that was used, what is known beyond, and the width of the intervals in cells.
fn check(shape: &Shape, cells: u32, points: usize, what: &str) -> (Sign, Outside, f32) {
    check_on(Checked::open(), shape, cells, points, what)
}

fn check_on(
    checked: Checked,
    shape: &Shape,
    cells: u32,
    points: usize,
    what: &str,
) -> (Sign, Outside, f32) {
    let context = &checked.context;
    let mut truth = Vec::new();
    let (mut scattered, mut found) = (Vec::new(), None);
    for kind in KINDS {
        let field = bake(&checked, shape, kind, cells);
        let data = &context.field(field).unwrap().data;
        if scattered.is_empty() {
            scattered = scatter(shape, data.grid, points);
            truth = scattered
                .par_iter()
                .map(|p| exact(shape, p.as_dvec3()))
                .collect();
        }
        let samples = context
            .sample_field((field, Pose::default()), &scattered)
            .unwrap();
        for ((sample, truth), p) in samples.iter().zip(&truth).zip(&scattered) {
            assert_holds(sample, *truth, *p, &format!("{what}, {kind:?}"));
        }
        let mut widths: Vec<_> = samples.iter().filter(|s| s.in_domain == 1).collect();
        widths.sort_by(|a, b| (a.upper - a.lower).total_cmp(&(b.upper - b.lower)));
        let median = widths[widths.len() / 2];
        let width = (median.upper - median.lower) / data.grid.spacing;
        println!(
            "{what}, {kind:?}: median width {width:.3} cells, worst {:.3}",
            data.error() / data.grid.spacing
        );
        found.get_or_insert((data.sign, data.outside, width));
        context.destroy_field(field).unwrap();
    }
    found.unwrap()
}

fn without(shape: &Shape, is_gone: impl Fn(Vec3) -> bool) -> Shape {
    let mut open = shape.clone();
    open.triangles
        .retain(|t| !t.iter().all(|&v| is_gone(shape.positions[v as usize])));
    open
}

#[test]
fn closed_meshes_are_certified() {
    let points = 20_000 * times();
    let torus = shapes::torus(1.0, 0.4, 18, 10);
    let (sign, outside, width) = check(&torus, 40, points, "torus");
    assert_eq!((sign, outside), (Sign::Pseudonormal, Outside::Clear));
    // No better than the distance being 1-Lipschitz would be sqrt(3) cells, and what the device's filter adds.
    assert!(width < 1.76, "{width}");
    let inverted = shapes::knot(0.4, 30, 6).flipped();
    let (sign, ..) = check(&inverted, 40, points / 2, "inverted knot");
    assert_eq!(sign, Sign::Pseudonormal);
    let split = shapes::sphere(1.0, 14, 9).split();
    let (sign, ..) = check(&split, 32, points / 2, "sphere with duplicated vertices");
    assert_eq!(sign, Sign::Pseudonormal);
}

#[test]
fn samples_of_a_coarse_filter_are_certified() {
    let torus = shapes::torus(1.0, 0.4, 18, 10);
    let (.., own) = check(&torus, 40, 2_000, "torus");
    for steps in [256, 16] {
        let what = format!("torus, {steps} steps between voxels");
        let (.., width) = check_on(Checked::with_filter(steps), &torus, 40, 10_000, &what);
        // Both ends of an interval move by sqrt(3) steps, of which the device's own filter may have taken some already.
        let more = 2.0 * 3f32.sqrt() * (1.0 / steps as f32 - 1.0 / 256.0);
        assert!(width >= own + more - 1e-3, "{width} after {own}, {what}");
    }
}

#[test]
fn broken_meshes_are_certified() {
    let points = 10_000 * times();
    let cube = shapes::cuboid(Vec3::ONE, 2);
    let shells = cube
        .clone()
        .with(&cube.clone().map(|p| p + Vec3::new(0.7, 0.6, 0.5)));
    let (sign, outside, _) = check(&shells, 32, points, "two shells");
    assert_eq!((sign, outside), (Sign::Winding, Outside::Clear));
    let slivers = shapes::cuboid(Vec3::new(1.0, 1e-4, 1.0), 2);
    check(&slivers, 32, points, "slivers");
    let mut junction = shapes::cuboid(Vec3::ONE, 1);
    let [a, b, c] = junction.triangles[0];
    // A third does not lie on the side exactly.
    let third = junction.positions[a as usize].lerp(junction.positions[b as usize], 1.0 / 3.0);
    junction.positions.push(third + 1e-7);
    let m = junction.positions.len() as u32 - 1;
    junction.triangles[0] = [a, m, c];
    junction.triangles.push([m, b, c]);
    let (sign, outside, width) = check(&junction, 32, points, "T-junction");
    assert_eq!((sign, outside), (Sign::Winding, Outside::Clear));
    assert!(width < 1.8, "{width}");
}

#[test]
fn open_meshes_are_certified_where_the_sign_jumps() {
    let points = 10_000 * times();
    let cube = without(&shapes::cuboid(Vec3::ONE, 3), |p| p.z == 1.0);
    let (sign, outside, _) = check(&cube, 32, points, "cube without a lid");
    assert_eq!((sign, outside), (Sign::Winding, Outside::Clear));
    let pot = without(&shapes::sphere(1.0, 16, 12), |p| p.z > 0.6);
    let (sign, ..) = check(&pot, 40, points, "pot without its lid");
    assert_eq!(sign, Sign::Winding);
    // Bowls in one another: so much of each is seen from above that the sign is in doubt even outside of the box.
    let bowl = without(&shapes::sphere(1.0, 16, 12), |p| p.z > -0.01);
    let bowls = (1..6).fold(bowl.clone(), |bowls, i| {
        bowls.with(&bowl.clone().map(|p| p * (1.0 - 0.03 * i as f32)))
    });
    let (_, outside, _) = check(&bowls, 24, points / 4, "bowls in one another");
    assert_eq!(outside, Outside::Unsigned);
}

#[test]
fn samples_of_a_surface_that_leaves_the_domain_are_certified_beyond_it() {
    let checked = Checked::open();
    let request = BakeRequest {
        placement: GridPlacement::Around {
            resolution: Resolution::Cells(16),
            padding: Some(0.0),
        },
        storage: Storage::Distance,
        precision: Precision::Single,
        signing: Signing::Auto,
    };
    let plane = proxel::field::shape::Shape::Plane {
        half_domain: DVec3::ONE,
    };
    let data = request.of_shape(&plane).unwrap();
    let grid = data.grid;
    // A sphere of which the grid sees a part only.
    let centre = DVec3::new(0.3, -2.0, 0.1);
    let sphere = |p: DVec3| p.distance(centre) - 2.2;
    let positions = (0..grid.len() as u32).map(|i| {
        let n = grid.nodes;
        grid.position(glam::UVec3::new(i % n.x, i / n.x % n.y, i / n.x / n.y))
    });
    let distances = positions.map(|p| sphere(p) as f32).collect();
    let part = proxel::field::data::FieldData::given(grid, distances, None, None).unwrap();
    let points = scatter(&shapes::cuboid(Vec3::splat(2.5), 2), grid, 20_000);
    let truths: [(_, &dyn Fn(DVec3) -> f64); 2] = [(data, &|p| p.y), (part, &sphere)];
    for (data, truth) in truths {
        let field = checked.context.add_field(data).unwrap();
        let samples = checked
            .context
            .sample_field((field, Pose::default()), &points)
            .unwrap();
        for (sample, p) in samples.iter().zip(&points) {
            let truth = truth(p.as_dvec3());
            assert!(
                f64::from(sample.lower) <= truth && truth <= f64::from(sample.upper),
                "{truth} is not in {sample:?} at {p}"
            );
            assert!(sample.in_domain == 1 || f64::from(sample.distance) <= truth);
        }
        checked.context.destroy_field(field).unwrap();
    }
}
