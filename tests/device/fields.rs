//! Fields on the device: what they say holds against brute force over all triangles.

use crate::support::ask::AskNow;
use crate::support::kinds::{KINDS, request};
use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape as MeshShape};
use glam::{DVec3, Quat, UVec3, Vec3, Vec3Swizzles};
use proxel::error::Error;
use proxel::field::data::{FieldData, Precision, Storage};
use proxel::field::grid::{Grid, Resolution, places};
use proxel::field::request::{BakeRequest, GridPlacement};
use proxel::field::shape::Shape;
use proxel::geometry::triangle::closest;
use proxel::query::rebake::RebakeQuery;
use proxel::query::sample::{SampleQuery, SampleResult};
use proxel::scene::pose::Pose;

/// Points all over a box and beyond it, the same every time.
fn scatter(count: u32, half: f32) -> Vec<Vec3> {
    let fraction = |i: u32, step: f64| ((f64::from(i) * step).fract() * 2.0 - 1.0) as f32;
    // Steps of the plastic number fill space evenly.
    (0..count)
        .map(|i| {
            Vec3::new(
                fraction(i, 0.819_172_513),
                fraction(i, 0.671_043_607),
                fraction(i, 0.549_700_478),
            ) * half
        })
        .collect()
}

/// The exact unsigned distance and a point where it is reached, over all triangles.
fn exact(shape: &MeshShape, p: DVec3) -> (f64, DVec3) {
    let surface = crate::support::surface(shape);
    let triangles = 0..shape.triangles.len() as u32;
    let nearest = triangles.map(|t| closest::on_triangle(p, surface.corners_f64(t)).0);
    let nearest = nearest
        .min_by(|a, b| p.distance(*a).total_cmp(&p.distance(*b)))
        .unwrap();
    (p.distance(nearest), nearest)
}

fn assert_holds(sample: &SampleResult, exact: f64, p: Vec3) {
    let (lower, upper) = (f64::from(sample.lower), f64::from(sample.upper));
    assert!(
        lower <= exact && exact <= upper,
        "{exact} is not in [{lower}, {upper}] at {p}"
    );
}

#[test]
fn samples_hold_the_exact_distance_to_every_triangle() {
    let checked = Checked::open();
    let context = &checked.context;
    let shape = shapes::torus(1.0, 0.4, 40, 20);
    let id = context.create_mesh(input(&shape)).unwrap();
    let points = scatter(3000, 2.0);
    // The analytic torus lies around y, the mesh around z; where the round one is well inside or outside, so is the mesh.
    let round = |p: Vec3| {
        Shape::Torus {
            major: 1.0,
            minor: 0.4,
        }
        .distance(p.as_dvec3().xzy())
    };
    for (storage, precision) in KINDS {
        let field = context
            .bake_field(id, request((storage, precision), 40))
            .unwrap();
        context.wait_field(field, u64::MAX).unwrap();
        let samples = context
            .sample_field((field, Pose::default()), &points)
            .unwrap();
        let mut inside = 0;
        for (sample, p) in samples.iter().zip(&points) {
            let (distance, _) = exact(&shape, p.as_dvec3());
            let signed = if round(*p) < -0.05 {
                -distance
            } else {
                distance
            };
            if round(*p).abs() <= 0.05 {
                assert!(
                    f64::from(sample.lower) <= distance && -distance <= f64::from(sample.upper)
                );
                continue;
            }
            assert_holds(sample, signed, *p);
            inside += u32::from(signed < 0.0);
        }
        assert!(inside > 50, "only {inside} points inside");
        context.destroy_field(field).unwrap();
    }
    context.destroy_mesh(id).unwrap();
}

/// Projection on a convex body moves no farther than the point, so its unit direction turns by at most 2 |p - q| / distance
/// between two points: from p to the nodes that a direction comes from, at most a cell beyond the corners of p's cell.
#[test]
fn directions_point_to_the_closest_point_of_a_convex_body() {
    let checked = Checked::open();
    let context = &checked.context;
    let shape = shapes::sphere(1.0, 24, 16);
    let id = context.create_mesh(input(&shape)).unwrap();
    let points = scatter(2000, 1.15);
    for (storage, precision) in KINDS {
        let field = context
            .bake_field(id, request((storage, precision), 48))
            .unwrap();
        context.wait_field(field, u64::MAX).unwrap();
        let cell = context.field(field).unwrap().data.grid.spacing;
        let samples = context
            .sample_field((field, Pose::default()), &points)
            .unwrap();
        let mut checks = 0;
        for (sample, p) in samples
            .iter()
            .zip(&points)
            .filter(|(s, _)| s.in_domain == 1 && s.lower > 0.1)
        {
            let (distance, nearest) = exact(&shape, p.as_dvec3());
            let towards = (nearest - p.as_dvec3()).normalize().as_vec3();
            let turn = 2.0 * (1.0 + 3f32.sqrt()) * cell / (distance as f32 - 2.8 * cell).max(1e-6);
            let off = Vec3::from_array(sample.direction).distance(towards);
            // Half precision moves a component by 2^-11, and a gradient by as much over a cell.
            let rounding = if precision == Precision::Half {
                0.05
            } else {
                1e-3
            };
            assert!(
                off <= turn + rounding,
                "off by {off} of {turn} at {p} ({storage:?} {precision:?})"
            );
            checks += 1;
        }
        assert!(checks > 100, "only {checks} points were outside");
        context.destroy_field(field).unwrap();
    }
    context.destroy_mesh(id).unwrap();
}

#[test]
fn analytic_shapes_are_certified_by_their_formula() {
    let checked = Checked::open();
    let shapes = [
        Shape::Sphere { radius: 0.8 },
        Shape::Box {
            half_size: DVec3::new(0.5, 0.9, 0.3),
        },
        Shape::Capsule {
            radius: 0.3,
            half_height: 0.6,
        },
        Shape::Torus {
            major: 0.7,
            minor: 0.25,
        },
        Shape::Plane {
            half_domain: DVec3::ONE,
        },
    ];
    let points = scatter(5000, 1.2);
    for shape in shapes {
        for (storage, precision) in KINDS.into_iter().take(4) {
            let data = request((storage, precision), 32).of_shape(&shape).unwrap();
            // A plane is linear, and interpolation exact but for rounding.
            let is_plane = matches!(shape, Shape::Plane { .. });
            assert!(!is_plane || precision == Precision::Half || data.error() < 1e-5);
            let id = checked.context.add_field(data).unwrap();
            for (sample, p) in checked
                .context
                .sample_field((id, Pose::default()), &points)
                .unwrap()
                .iter()
                .zip(&points)
            {
                // A plane goes on outside its domain, where only the part inside counts.
                if sample.in_domain == 1 || !is_plane {
                    assert_holds(sample, shape.distance(p.as_dvec3()), *p);
                }
            }
            checked.context.destroy_field(id).unwrap();
        }
    }
}

#[test]
fn bakes_can_be_watched_and_cancelled() {
    let checked = Checked::open();
    let context = &checked.context;
    let id = context
        .create_mesh(input(&shapes::knot(0.2, 400, 40)))
        .unwrap();
    let slow = context
        .bake_field(id, request((Storage::Distance, Precision::Single), 250))
        .unwrap();
    assert!(matches!(
        context.field(slow).map(drop),
        Err(Error::WrongState(_))
    ));
    assert!(matches!(
        context.wait_field(slow, 1),
        Err(Error::Timeout(1))
    ));
    context.cancel_field(slow).unwrap();
    assert!(matches!(
        context.wait_field(slow, u64::MAX),
        Err(Error::Cancelled(_))
    ));
    assert_eq!(context.field_progress(slow).unwrap(), (1.0, true));
    context.destroy_field(slow).unwrap();

    let dropped = context
        .bake_field(id, request((Storage::Distance, Precision::Single), 250))
        .unwrap();
    context.destroy_field(dropped).unwrap();
    assert!(matches!(
        context.field(dropped).map(drop),
        Err(Error::InvalidHandle(_))
    ));
    context.destroy_mesh(id).unwrap();
}

#[test]
fn an_open_sheet_encloses_nothing() {
    let checked = Checked::open();
    let mut sheet = shapes::cuboid(Vec3::ONE, 4);
    sheet.triangles.truncate(8);
    let id = checked.context.create_mesh(input(&sheet)).unwrap();
    let field = checked
        .context
        .bake_field(id, request((Storage::Distance, Precision::Single), 16))
        .unwrap();
    let error = checked
        .context
        .wait_field(field, u64::MAX)
        .unwrap_err()
        .to_string();
    assert!(error.contains("encloses nothing"), "{error}");
    checked.context.destroy_field(field).unwrap();
    checked.context.destroy_mesh(id).unwrap();
}

#[test]
fn the_same_samples_have_the_same_bits() {
    let checked = Checked::open();
    let points = scatter(500, 1.5);
    let data = request((Storage::Direction, Precision::Single), 24)
        .of_shape(&Shape::Sphere { radius: 1.0 })
        .unwrap();
    let id = checked.context.add_field(data).unwrap();
    let first = checked
        .context
        .sample_field((id, Pose::default()), &points)
        .unwrap();
    for _ in 0..20 {
        assert_eq!(
            checked
                .context
                .sample_field((id, Pose::default()), &points)
                .unwrap(),
            first
        );
    }
    checked.context.destroy_field(id).unwrap();
}

#[test]
fn a_live_field_follows_its_mesh() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut shape = shapes::torus(1.0, 0.4, 40, 20);
    let id = context.create_mesh(input(&shape)).unwrap();
    let placement = GridPlacement::Around {
        resolution: Resolution::Cells(40),
        padding: Some(0.5),
    };
    let request = BakeRequest {
        placement,
        ..request((Storage::Distance, Precision::Single), 40)
    };
    let band = 0.25;
    let field = context.create_live_field(id, request, band).unwrap();
    let points = scatter(1500, 1.8);
    let batch = context.create_batch().unwrap();
    let (live, kernels) = context.live_field(field).unwrap();
    batch.add(RebakeQuery::plan(live.clone(), kernels)).unwrap();
    let ticket = batch
        .add(SampleQuery::plan(batch.resources(), (live, Pose::default()), &points).unwrap())
        .unwrap();
    for frame in 0..3 {
        shape = shape.map(|p| p + Vec3::new(0.0, 0.1 * (3.0 * p.x).sin(), 0.05));
        context.update_mesh(id, 0, &shape.positions).unwrap();
        // SAFETY: no semaphores; the batch is waited for.
        unsafe { batch.submit(&[], &[]) }.unwrap();
        batch.wait(u64::MAX).unwrap();
        let (mut near, mut saturated) = (0, 0);
        for (sample, p) in batch.answer(ticket).unwrap().iter().zip(&points) {
            let (distance, _) = exact(&shape, p.as_dvec3());
            let holds = |d: f64| f64::from(sample.lower) <= d && d <= f64::from(sample.upper);
            assert!(
                holds(distance) || holds(-distance),
                "{distance} is not in {sample:?} at {p}, frame {frame}"
            );
            if sample.upper.is_finite() && sample.lower.is_finite() {
                near += 1
            } else {
                saturated += 1
            }
        }
        assert!(
            near > 50 && saturated > 50,
            "{near} near, {saturated} saturated"
        );
    }
    drop(batch);
    context.destroy_field(field).unwrap();
    context.destroy_mesh(id).unwrap();
}

/// On a sphere the outward normal is radial on both sides. A stored direction comes from nodes at most a cell beyond the corners of
/// the point's cell, and the radial unit vectors of p and q differ by at most 2 |p - q| / |p|.
#[test]
fn normals_of_a_posed_sphere_are_radial_on_both_sides() {
    let checked = Checked::open();
    let context = &checked.context;
    let pose = Pose {
        position: Vec3::new(30.0, -4.0, 0.7),
        rotation: Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 1.1),
        ..Pose::default()
    };
    let radius = 1.0;
    // Shapes are stored dense.
    for (storage, precision) in KINDS.into_iter().filter(|k| k.0 != Storage::Sparse) {
        let asked = request((storage, precision), 48);
        let data = asked.of_shape(&Shape::Sphere { radius }).unwrap();
        let cell = data.grid.spacing;
        let field = context.add_field(data).unwrap();
        let points: Vec<Vec3> = scatter(2000, 1.6)
            .into_iter()
            .map(|p| pose.apply(p.as_dvec3()).as_vec3())
            .collect();
        let samples = context.sample_field((field, pose), &points).unwrap();
        let (mut inside, mut outside) = (0, 0);
        for (sample, p) in samples.iter().zip(&points) {
            let from_centre = p.as_dvec3() - pose.position.as_dvec3();
            let distance = from_centre.length() - radius;
            assert_holds(sample, distance, *p);
            if from_centre.length() < 0.5 {
                continue;
            }
            let normal = Vec3::from_array(sample.normal());
            let radial = from_centre.normalize().as_vec3();
            assert!(normal.dot(radial) > 0.0, "{normal} points inwards at {p}");
            // At the rim of the domain and beyond it, gradients miss a neighbour.
            if pose.unapply(p.as_dvec3()).abs().max_element() > 1.1 {
                continue;
            }
            let off = normal.distance(radial);
            let bound = 2.0 * (1.0 + 3f32.sqrt()) * cell / from_centre.length() as f32;
            assert!(
                off <= bound,
                "{normal} is off by {off} of {bound} at {p} ({storage:?} {precision:?})"
            );
            inside += u32::from(distance < 0.0);
            outside += u32::from(distance > 0.0);
        }
        assert!(inside > 100 && outside > 100, "{inside} and {outside}");
        context.destroy_field(field).unwrap();
    }
}

/// A batch without a byte of answers recorded a fill of no bytes, which Vulkan forbids; the validation layer watches.
/// The distance to a plane is linear, so its gradient is the plane's normal everywhere, also where the domain cuts a difference short.
#[test]
fn the_normal_of_an_oblique_plane_is_the_same_at_the_rim_of_the_domain() {
    let checked = Checked::open();
    let normal = DVec3::new(2.0, -3.0, 6.0) / 7.0;
    let grid = Grid {
        origin: Vec3::new(-0.5, -1.0, -0.75),
        spacing: 0.25,
        nodes: UVec3::new(5, 9, 7),
    };
    let distance = |p: DVec3| normal.dot(p) - 0.1;
    let distances = places(grid.nodes).map(|node| distance(grid.position(node)) as f32);
    let data = FieldData::given(grid, distances.collect(), None, None).unwrap();
    let field = checked.context.add_field(data).unwrap();
    // At the first and the last node, half a cell from them, and in the middle; all of it exact in binary.
    let last = (grid.nodes - 1).as_vec3();
    let stops = |axis: usize| [0.0, 0.5, 2.0, last[axis] - 0.5, last[axis]];
    let points: Vec<Vec3> = places(UVec3::splat(5))
        .map(|i| {
            let at = Vec3::from_array([0, 1, 2].map(|axis| stops(axis)[i[axis] as usize]));
            grid.origin + grid.spacing * at
        })
        .collect();
    let samples = checked
        .context
        .sample_field((field, Pose::default()), &points);
    for (sample, p) in samples.unwrap().iter().zip(&points) {
        let towards = if distance(p.as_dvec3()) < 0.0 {
            normal
        } else {
            -normal
        };
        let found = DVec3::from(sample.direction.map(f64::from));
        assert!(
            found.distance(towards) < 1e-4,
            "{found} and not {towards} at {p}"
        );
    }
}

#[test]
fn a_batch_may_have_no_answer_to_read() {
    let checked = Checked::open();
    let context = &checked.context;
    let shape = shapes::torus(1.0, 0.4, 16, 8);
    let id = context.create_mesh(input(&shape)).unwrap();
    let request = request((Storage::Distance, Precision::Single), 16);
    let field = context.create_live_field(id, request, 0.25).unwrap();
    let (live, kernels) = context.live_field(field).unwrap();
    let batch = context.create_batch().unwrap();
    batch.add(RebakeQuery::plan(live, kernels)).unwrap();
    batch.run().unwrap();
    assert!(batch.poll().unwrap());
}
