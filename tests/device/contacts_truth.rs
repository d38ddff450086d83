//! Contacts of bodies whose contacts are known: where they are, which way they point and how deep they are, at three resolutions.

use crate::contacts::near;
use crate::support::ask::AskNow;
use crate::support::contact::request;
use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::field::data::Storage;
use proxel::query::body::ContactBody;
use proxel::query::contacts::{ContactOptions, Manifold};
use std::f32::consts::FRAC_PI_2;
use std::f64::consts::TAU;

/// How deep bodies are in each other.
const DEPTH: f64 = 0.002;

fn solid(context: &Context, shape: &Shape, cells: u32) -> ContactBody {
    crate::contacts::solid(context, shape, Storage::Distance, cells)
}

/// Whose upper side is at height zero.
fn floor(context: &Context, cells: u32) -> ContactBody {
    let slab = shapes::cuboid(Vec3::new(2.0, 2.0, 0.25), 1);
    let mut floor = solid(context, &slab, cells);
    floor.position.z = -0.25;
    floor
}

/// A cone about the z axis, its tip at the origin and its base at `height`.
fn cone(radius: f64, height: f64, slices: u32) -> Shape {
    let ring = |i: u32| {
        let (sin, cos) = (TAU * f64::from(i) / f64::from(slices)).sin_cos();
        DVec3::new(radius * cos, radius * sin, height).as_vec3()
    };
    let mut shape = Shape {
        positions: vec![Vec3::ZERO, Vec3::new(0.0, 0.0, height as f32)],
        ..Shape::default()
    };
    shape.positions.extend((0..slices).map(ring));
    for i in 0..slices {
        let (a, b) = (2 + i, 2 + (i + 1) % slices);
        shape.triangles.extend([[0, b, a], [1, a, b]]);
    }
    shape
}

/// A cylinder about the z axis, with one of its `slices` rims down the negative y axis.
fn cylinder(radius: f64, half_height: f64, slices: u32) -> Shape {
    let mut shape = Shape::default();
    for z in [-half_height, half_height] {
        shape.positions.push(Vec3::new(0.0, 0.0, z as f32));
        for i in 0..slices {
            let (sin, cos) = (TAU * f64::from(i) / f64::from(slices)).sin_cos();
            let p = DVec3::new(radius * sin, -radius * cos, z);
            shape.positions.push(p.as_vec3());
        }
    }
    let top = slices + 1;
    for i in 0..slices {
        let (a, b) = (1 + i, 1 + (i + 1) % slices);
        let (c, d) = (top + a, top + b);
        shape.triangles.extend([[0, b, a], [top, c, d], [a, b, d], [a, d, c]]);
    }
    shape
}

/// A cube of side 2 about the origin without its octant of positive coordinates.
fn cube_without_octant() -> Shape {
    let mut shape = Shape::default();
    let filled = |cell: [i32; 3]| cell.iter().all(|c| (0..2).contains(c)) && cell != [1; 3];
    let vertex = |shape: &mut Shape, at: [i32; 3]| {
        let p = Vec3::from(at.map(|c| c as f32 - 1.0));
        let found = shape.positions.iter().position(|q| *q == p);
        found.unwrap_or_else(|| {
            shape.positions.push(p);
            shape.positions.len() - 1
        }) as u32
    };
    for cell in (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2]) {
        for (axis, way) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
            let mut beside = cell;
            beside[axis] += 2 * way - 1;
            if !filled(cell) || filled(beside) {
                continue;
            }
            let corner = |shape: &mut Shape, u: i32, v: i32| {
                let mut at = cell;
                at[axis] += way;
                at[(axis + 1) % 3] += u;
                at[(axis + 2) % 3] += v;
                vertex(shape, at)
            };
            let around = [(0, 0), (1, 0), (1, 1), (0, 1)];
            let [a, b, c, d] = around.map(|(u, v)| corner(&mut shape, u, v));
            match way == 1 {
                true => shape.triangles.extend([[a, b, c], [a, c, d]]),
                false => shape.triangles.extend([[a, c, b], [a, d, c]]),
            }
        }
    }
    shape
}

/// By how much contacts are off the truth: in their places, their normals and their separations.
#[derive(Debug, Clone, Copy, Default)]
struct Miss {
    place: f64,
    normal: f64,
    separation: f64,
}

impl Miss {
    fn largest(&self) -> f64 {
        self.place.max(self.normal).max(self.separation)
    }
}

/// Each expected point has a nearest contact, and there are as many contacts as points.
fn miss(manifold: &Manifold, expected: &[DVec3], normal: DVec3) -> Miss {
    let mut miss = Miss::default();
    for point in expected {
        let nearest = (manifold.contacts.iter())
            .map(|c| c.world_b.distance(*point))
            .fold(f64::INFINITY, f64::min);
        miss.place = miss.place.max(nearest);
    }
    for c in &manifold.contacts {
        miss.normal = miss.normal.max(c.normal.distance(normal));
        let off = (f64::from(c.separation) + DEPTH).abs();
        miss.separation = miss.separation.max(off);
    }
    miss
}

/// A body that lies on the floor, the points of it that touch, and how many contacts are asked for.
struct Lying {
    name: &'static str,
    shape: Shape,
    rotation: Quat,
    points: u32,
    /// In the body's frame.
    expected: Vec<DVec3>,
}

/// The vertices of a turned shape that are lowest, within a millionth.
fn lowest(shape: &Shape, rotation: Quat) -> (f64, Vec<DVec3>) {
    let turned = |p: &Vec3| (rotation.as_dquat() * p.as_dvec3()).z;
    let least = shape.positions.iter().map(turned).fold(f64::MAX, f64::min);
    let at_least = (shape.positions.iter())
        .filter(|p| turned(p) < least + 1e-6)
        .map(|p| p.as_dvec3());
    (least, at_least.collect())
}

fn lying() -> Vec<Lying> {
    let cuboid = shapes::cuboid(Vec3::new(0.4, 0.3, 0.2), 1);
    let on_side = Quat::from_rotation_z(0.3) * Quat::from_rotation_x(FRAC_PI_2);
    let askew = Quat::from_rotation_x(0.5) * Quat::from_rotation_y(0.4);
    let on_edge = Quat::from_rotation_z(0.3) * Quat::from_rotation_x(0.5);
    let case = |name, shape: Shape, rotation, points| Lying {
        name,
        rotation,
        points,
        expected: lowest(&shape, rotation).1,
        shape,
    };
    vec![
        case("ball", shapes::sphere(0.5, 24, 16), Quat::IDENTITY, 4),
        case("ball askew", shapes::sphere(0.5, 24, 16), askew, 4),
        case("capsule", shapes::capsule(0.2, 0.5, 32, 16), on_side, 4),
        case("box", cuboid.clone(), Quat::from_rotation_z(0.3), 4),
        case("box on an edge", cuboid.clone(), on_edge, 4),
        case("box on a corner", cuboid, askew, 4),
        case("cylinder on its side", cylinder(0.25, 0.5, 24), on_side, 4),
        case("cylinder", cylinder(0.25, 0.5, 8), Quat::IDENTITY, 8),
        case("cone on its tip", cone(0.3, 0.8, 16), Quat::IDENTITY, 4),
        case("torus", shapes::torus(0.6, 0.2, 8, 16), Quat::IDENTITY, 8),
    ]
}

#[test]
fn bodies_on_a_floor_touch_with_their_lowest_vertices() {
    let checked = Checked::open();
    let context = &checked.context;
    for cells in [32, 64, 128] {
        let floor = floor(context, cells);
        for own in lying() {
            let mut body = solid(context, &own.shape, cells);
            body.rotation = own.rotation;
            let (least, _) = lowest(&own.shape, own.rotation);
            body.position = DVec3::new(0.13, -0.07, -least - DEPTH);
            let options = ContactOptions {
                points: own.points,
                ..near(0.0)
            };
            let pair = [floor.clone(), body.clone()];
            let manifold = context.contacts(pair, options).unwrap();
            let place = |p: &DVec3| body.position + own.rotation.as_dquat() * *p;
            let expected: Vec<DVec3> = own.expected.iter().map(place).collect();
            let miss = miss(&manifold, &expected, DVec3::Z);
            eprintln!("{} at {cells}: {} of {}, {} patches, {miss:?}", own.name, manifold.contacts.len(), expected.len(), manifold.patches.len());
        }
    }
}

#[test]
fn boxes_on_each_other_touch_at_the_corners_of_what_they_share() {
    let checked = Checked::open();
    let context = &checked.context;
    let cuboid = shapes::cuboid(Vec3::splat(0.5), 1);
    for cells in [32, 64, 128] {
        let lower = solid(context, &cuboid, cells);
        let mut upper = lower.clone();
        // Set off: a rectangle.
        upper.position = DVec3::new(0.3, 0.2, 1.0 - DEPTH);
        let z = 0.5 - DEPTH;
        let rectangle = [[-0.2, -0.3], [0.5, -0.3], [0.5, 0.5], [-0.2, 0.5]]
            .map(|[x, y]| DVec3::new(x, y, z));
        let manifold = context.contacts([lower.clone(), upper.clone()], near(0.0)).unwrap();
        eprintln!("offset at {cells}: {} of 4, {} patches, {:?}", manifold.contacts.len(), manifold.patches.len(), miss(&manifold, &rectangle, DVec3::Z));
        // Turned: a regular octagon around a circle of radius 0.5.
        upper.position = DVec3::new(0.0, 0.0, 1.0 - DEPTH);
        upper.rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
        let radius = 0.5 / (TAU / 16.0).cos();
        let octagon: Vec<DVec3> = (0..8)
            .map(|k| {
                let (sin, cos) = (TAU / 16.0 * f64::from(2 * k + 1)).sin_cos();
                DVec3::new(radius * cos, radius * sin, z)
            })
            .collect();
        let options = ContactOptions { points: 8, ..near(0.0) };
        let manifold = context.contacts([lower, upper], options).unwrap();
        eprintln!("turned at {cells}: {} of 8, {} patches, {:?}", manifold.contacts.len(), manifold.patches.len(), miss(&manifold, &octagon, DVec3::Z));
    }
}

#[test]
fn a_box_in_a_corner_has_a_patch_on_each_of_its_three_walls() {
    let checked = Checked::open();
    let context = &checked.context;
    for cells in [32, 64, 128] {
        let room = solid(context, &cube_without_octant(), cells);
        let mut body = solid(context, &shapes::cuboid(Vec3::splat(0.3), 1), cells);
        body.position = DVec3::splat(0.3 - DEPTH);
        let manifold = context.contacts([room, body], near(0.0)).unwrap();
        for patch in &manifold.patches {
            eprintln!("corner at {cells}: {} raw, {} kept, normal {}", patch.raw, patch.kept, patch.normal);
        }
        for c in &manifold.contacts {
            eprintln!("   {:?} {} {} {} {}", c.feature, c.patch, c.world_b, c.normal, c.separation);
        }
    }
}

/// The mesh of a floor in the field of a ball: its face touches where no vertex is.
#[test]
fn a_face_touches_a_ball_below_its_centre() {
    let checked = Checked::open();
    let context = &checked.context;
    let slab = context.create_mesh(input(&shapes::cuboid(Vec3::new(2.0, 2.0, 0.25), 1))).unwrap();
    let mut floor = ContactBody::new(Some(context.mesh(slab).unwrap()), None);
    floor.position.z = -0.25;
    for storage in [Storage::Distance, Storage::Direction] {
        for cells in [32, 64, 128] {
            let shape = proxel::field::shape::Shape::Sphere { radius: 0.5 };
            let data = request(storage, cells).of_shape(&shape).unwrap();
            let field = context.add_field(data).unwrap();
            let mut ball = ContactBody::new(None, Some(context.field(field).unwrap()));
            for rotation in [Quat::IDENTITY, Quat::from_rotation_x(0.4) * Quat::from_rotation_y(0.3)] {
                ball.rotation = rotation;
                ball.position = DVec3::new(0.1234, -0.0678, 0.5 - DEPTH);
                let manifold = context.contacts([floor.clone(), ball.clone()], near(0.0)).unwrap();
                let expected = [DVec3::new(0.1234, -0.0678, -DEPTH)];
                eprintln!("ball in face {storage:?} at {cells}: {} of 1, {:?}", manifold.contacts.len(), miss(&manifold, &expected, DVec3::Z));
            }
        }
    }
}
