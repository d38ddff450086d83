//! Contacts of bodies whose contacts are known: where they are, which way they point and how deep they are, at three resolutions.

use crate::contacts::near;
use crate::support::ask::AskNow;
use crate::support::contact::sphere_field;
use crate::support::{Checked, input};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::field::data::Storage;
use proxel::query::body::ContactBody;
use proxel::query::contacts::{Contact, ContactOptions};
use std::f32::consts::FRAC_PI_2;
use std::f64::consts::TAU;

/// How deep bodies are in each other.
pub const DEPTH: f64 = 0.002;
/// What is met exactly is met to this.
pub const EXACT: f64 = 1e-4;
pub const CELLS: [u32; 3] = [32, 64, 128];

pub fn solid(context: &Context, shape: &Shape, cells: u32) -> ContactBody {
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
        shape
            .triangles
            .extend([[0, b, a], [top, c, d], [a, b, d], [a, d, c]]);
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
pub struct Miss {
    pub place: f64,
    pub normal: f64,
    pub separation: f64,
}

/// Of the contacts that are nearest to each of the expected points, whose normal is up.
pub fn miss(contacts: &[Contact], expected: &[DVec3], separation: f64) -> Miss {
    let mut miss = Miss::default();
    for point in expected {
        let far = |c: &&Contact| c.world_b.distance(*point);
        let nearest = contacts.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
        let c = nearest.expect("there is a contact");
        miss.place = miss.place.max(far(&c));
        miss.normal = miss.normal.max(c.normal.distance(DVec3::Z));
        let off = (f64::from(c.separation) - separation).abs();
        miss.separation = miss.separation.max(off);
    }
    miss
}

/// A body that lies on the floor.
struct Lying {
    name: &'static str,
    shape: Shape,
    rotation: Quat,
    /// How many contacts are asked for.
    points: u32,
    /// Whether there are no others than its lowest vertices. The floor's faces find minima between the nodes of the field of a body with
    /// edges, too, and report them where they are far from what is kept.
    alone: bool,
}

/// How far down a turned shape reaches, and the vertices that do, within a millionth.
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
    let ball = shapes::sphere(0.5, 24, 16);
    let on_side = Quat::from_rotation_z(0.3) * Quat::from_rotation_x(FRAC_PI_2);
    let askew = Quat::from_rotation_x(0.5) * Quat::from_rotation_y(0.4);
    let on_edge = Quat::from_rotation_z(0.3) * Quat::from_rotation_x(0.5);
    let case = |name, shape, rotation, points, alone| Lying {
        name,
        shape,
        rotation,
        points,
        alone,
    };
    let torus = shapes::torus(0.6, 0.2, 8, 16);
    vec![
        case("ball", ball.clone(), Quat::IDENTITY, 4, true),
        case("ball askew", ball, askew, 4, false),
        case(
            "capsule",
            shapes::capsule(0.2, 0.5, 32, 16),
            on_side,
            4,
            true,
        ),
        case("box", cuboid.clone(), Quat::from_rotation_z(0.3), 4, true),
        case("box on an edge", cuboid.clone(), on_edge, 4, true),
        case("box on a corner", cuboid, askew, 4, true),
        case("cylinder", cylinder(0.25, 0.5, 24), on_side, 4, true),
        case("cone", cone(0.3, 0.8, 16), Quat::IDENTITY, 4, true),
        case("torus", torus, Quat::IDENTITY, 8, false),
    ]
}

#[test]
fn bodies_on_a_floor_touch_with_their_lowest_vertices_and_nothing_is_deeper() {
    let checked = Checked::open();
    let context = &checked.context;
    for (cells, own) in CELLS
        .into_iter()
        .flat_map(|n| lying().into_iter().map(move |own| (n, own)))
    {
        let floor = floor(context, cells);
        let mut body = solid(context, &own.shape, cells);
        let (least, expected) = lowest(&own.shape, own.rotation);
        body.rotation = own.rotation;
        body.position = DVec3::new(0.13, -0.07, -least - DEPTH);
        let options = ContactOptions {
            points: own.points,
            ..near(0.0)
        };
        let pair = [floor, body.clone()];
        let found = context.contacts(pair, options).unwrap().contacts;
        let expected: Vec<DVec3> = (expected.iter())
            .map(|p| body.position + own.rotation.as_dquat() * *p)
            .collect();
        let miss = miss(&found, &expected, -DEPTH);
        let about = format!("{} at {cells}: {miss:?}, {found:?}", own.name);
        assert!(
            miss.place < EXACT && miss.normal < EXACT && miss.separation < EXACT,
            "{about}"
        );
        assert!(found.len() >= expected.len(), "{about}");
        assert!(!own.alone || found.len() == expected.len(), "{about}");
        for c in &found {
            assert!(f64::from(c.separation) > -DEPTH - EXACT, "{about}");
            assert!(c.normal.distance(DVec3::Z) < EXACT, "{about}");
        }
    }
}

/// Three vertices of the box lie in two walls and one in three, where the nearest point of the room is in its edges: how deep they are, the
/// interval tells. The rest is on one wall.
#[test]
fn a_box_in_a_corner_has_a_patch_on_each_of_its_three_walls() {
    let checked = Checked::open();
    let context = &checked.context;
    for cells in CELLS {
        let room = solid(context, &cube_without_octant(), cells);
        let mut body = solid(context, &shapes::cuboid(Vec3::splat(0.3), 1), cells);
        body.position = DVec3::splat(0.3 - DEPTH);
        // Three large faces are level, each with all of its rim.
        let options = ContactOptions {
            budget: 4096,
            ..near(0.0)
        };
        let manifold = context.contacts([room, body], options).unwrap();
        for wall in DVec3::AXES {
            let on_wall = (manifold.patches.iter())
                .filter(|patch| patch.normal.distance(wall) < EXACT)
                .map(|patch| patch.kept);
            assert_eq!(on_wall.collect::<Vec<_>>(), [4], "at {cells}: {manifold:?}");
        }
        assert_eq!((manifold.patches.len(), manifold.contacts.len()), (7, 16));
        for c in &manifold.contacts {
            let walls = (c.normal.to_array().iter())
                .filter(|n| n.abs() > 0.5)
                .count() as f64;
            let exact = -walls.sqrt() * DEPTH;
            let [lower, upper] = c.bounds.map(f64::from);
            assert!(lower <= exact && exact <= upper, "at {cells}: {c:?}");
            let off = (f64::from(c.separation) - exact).abs();
            assert!(walls > 1.0 || off < EXACT, "at {cells}: {c:?}");
        }
    }
}

/// Where neither body reaches into the domain of the other's field, the separation is that to where the domain sees the surface.
#[test]
fn contacts_beyond_the_domain_of_a_field_are_as_far_as_they_are() {
    let checked = Checked::open();
    let context = &checked.context;
    let cuboid = shapes::cuboid(Vec3::new(0.4, 0.3, 0.2), 1);
    for gap in [0.05, 0.2, 0.3] {
        let floor = floor(context, 32);
        let mut body = solid(context, &cuboid, 32);
        body.position.z = 0.2 + gap;
        let manifold = context.contacts([floor, body], near(0.3)).unwrap();
        let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let corners = corners.map(|[x, y]| DVec3::new(0.4 * x, 0.3 * y, gap));
        let miss = miss(&manifold.contacts, &corners, gap);
        let about = format!("{gap}: {miss:?}, {manifold:?}");
        assert_eq!(manifold.contacts.len(), 4, "{about}");
        assert!(miss.place < EXACT && miss.normal < EXACT, "{about}");
        assert!(miss.separation < EXACT, "{about}");
    }
}

/// The mesh of a floor in the field of a ball: its face touches where no vertex is. Interpolation errs by up to a quarter of a cell's square over
/// the radius. In where a parabola through points four cells to both sides is lowest, that is a 32nd of a cell from its slope and as much from its
/// bend, along each of two axes.
#[test]
fn a_face_touches_a_ball_below_its_centre() {
    let checked = Checked::open();
    let context = &checked.context;
    let slab = shapes::cuboid(Vec3::new(2.0, 2.0, 0.25), 1);
    let slab = context.create_mesh(input(&slab)).unwrap();
    let mut floor = ContactBody::new(Some(context.mesh(slab).unwrap()), None);
    floor.position.z = -0.25;
    let lowest = DVec3::new(0.1234, -0.0678, -DEPTH);
    for storage in [Storage::Distance, Storage::Direction] {
        let misses = CELLS.map(|cells| {
            let field = sphere_field(context, 0.5, storage, cells);
            let mut ball = ContactBody::new(None, Some(context.field(field).unwrap()));
            ball.rotation = Quat::from_rotation_x(0.4) * Quat::from_rotation_y(0.3);
            ball.position = lowest + 0.5 * DVec3::Z;
            let found = context.contacts([floor.clone(), ball], near(0.0));
            let found = found.unwrap().contacts;
            assert_eq!(found.len(), 1, "at {cells}: {found:?}");
            let miss = miss(&found, &[lowest], -DEPTH);
            let cell = 1.15 / f64::from(cells);
            let bound = 2.0 * 2.0_f64.sqrt() / 32.0 * cell;
            assert!(miss.place < bound, "at {cells}: {miss:?}");
            assert!(miss.normal < EXACT, "at {cells}: {miss:?}");
            miss
        });
        assert!(misses[2].separation < EXACT, "{misses:?}");
        assert!(misses[2].place < 0.5 * misses[0].place, "{misses:?}");
        // Of second order.
        assert!(
            misses[2].separation < 0.25 * misses[0].separation,
            "{misses:?}"
        );
    }
}
