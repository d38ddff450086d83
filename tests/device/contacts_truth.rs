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
const DEPTH: f64 = 0.002;
/// What is met exactly is met to this.
const EXACT: f64 = 1e-4;
const CELLS: [u32; 3] = [32, 64, 128];

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
struct Miss {
    place: f64,
    normal: f64,
    separation: f64,
}

/// Of the contacts that are nearest to each of the expected points, whose normal is up.
fn miss(contacts: &[Contact], expected: &[DVec3], separation: f64) -> Miss {
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

/// Where edges cross, they tell where the contact is, whatever the field's cells. In the other body the surface is level up to where a side
/// of that is as near as its top: as far from the corner as it is deep, along an edge that crosses at an angle of 45 degrees the farthest.
#[test]
fn boxes_on_each_other_touch_at_the_corners_of_what_they_share() {
    let checked = Checked::open();
    let context = &checked.context;
    let cuboid = shapes::cuboid(Vec3::splat(0.5), 1);
    let rectangle = [[-0.2, -0.3], [0.5, -0.3], [0.5, 0.5], [-0.2, 0.5]];
    // A regular octagon around a circle of radius 0.5.
    let radius = 0.5 / (TAU / 16.0).cos();
    let octagon = (0..8).map(|k| {
        let (sin, cos) = (TAU / 16.0 * f64::from(2 * k + 1)).sin_cos();
        [radius * cos, radius * sin]
    });
    let eighth = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
    for (shift, rotation, corners) in [
        (
            DVec3::new(0.3, 0.2, 0.0),
            Quat::IDENTITY,
            rectangle.to_vec(),
        ),
        (DVec3::ZERO, eighth, octagon.collect()),
    ] {
        for (separation, cells) in [DEPTH, -DEPTH]
            .into_iter()
            .flat_map(|s| CELLS.map(|n| (s, n)))
        {
            let lower = solid(context, &cuboid, cells);
            let mut upper = lower.clone();
            upper.position = shift + (1.0 + separation) * DVec3::Z;
            upper.rotation = rotation;
            let expected: Vec<_> = (corners.iter())
                .map(|&[x, y]| DVec3::new(x, y, 0.5 + separation))
                .collect();
            let options = ContactOptions {
                points: expected.len() as u32,
                ..near(2.0 * DEPTH as f32)
            };
            let manifold = context.contacts([lower, upper], options).unwrap();
            let found = &manifold.contacts;
            let miss = miss(found, &expected, separation);
            let about = format!("{separation} at {cells}: {miss:?}, {found:?}");
            assert_eq!(found.len(), expected.len(), "{about}");
            assert_eq!(manifold.patches.len(), 1, "{about}");
            let inside = (-separation).max(0.0) * 2.0_f64.sqrt();
            assert!(miss.place < inside + EXACT, "{about}");
            assert!(miss.normal < EXACT, "{about}");
            assert!(miss.separation < EXACT, "{about}");
        }
    }
}

/// Two boxes on their edges, which cross at an angle. In each other, the nearest points are in the faces beside the edges, at half a right angle.
#[test]
fn edges_that_cross_touch_where_they_cross() {
    let checked = Checked::open();
    let context = &checked.context;
    let cuboid = shapes::cuboid(Vec3::splat(0.5), 1);
    let on_edge = Quat::from_rotation_x(std::f32::consts::FRAC_PI_4);
    let height = 0.5_f64.sqrt();
    let crossing = DVec3::new(0.1234, -0.0678, 0.0);
    let cases = CELLS.map(|cells| (cells, [1.0, 1.0])).into_iter();
    let cases = cases.chain([(64, [2.5, 0.5])]);
    for (separation, (cells, scales)) in
        cases.flat_map(|case| [DEPTH, -DEPTH].map(|separation| (separation, case)))
    {
        let mut lower = solid(context, &cuboid, cells);
        let mut upper = lower.clone();
        (lower.scale, upper.scale) = (scales[0], scales[1]);
        let heights = scales.map(|scale| f64::from(scale) * height);
        lower.rotation = on_edge;
        lower.position = DVec3::new(0.0, crossing.y, -heights[0]);
        upper.rotation = Quat::from_rotation_z(1.2) * on_edge;
        upper.position = crossing + (heights[1] + separation) * DVec3::Z;
        let found = context.contacts([lower, upper], near(2.0 * DEPTH as f32));
        let found = found.unwrap().contacts;
        let about = format!("{separation} at {cells}, {scales:?}: {found:?}");
        assert_eq!(found.len(), 1, "{about}");
        let c = &found[0];
        assert!(c.normal.distance(DVec3::Z) < EXACT, "{about}");
        let points = match c.on_b {
            true => [c.world_b, crossing + separation * DVec3::Z],
            false => [c.world_a, crossing],
        };
        assert!(points[0].distance(points[1]) < EXACT, "{about}");
        let exact = separation.max(separation / 2.0_f64.sqrt());
        let [low, high] = c.bounds.map(f64::from);
        assert!(low <= exact && exact <= high, "{about}");
        let off = (f64::from(c.separation) - separation).abs();
        assert!(separation < 0.0 || off < EXACT, "{about}");
    }
}

/// 25 boxes, each with one on it that is turned by an eighth: a hundred sharp edges of either body meet others.
#[test]
fn many_edges_that_cross_touch_where_they_cross() {
    let checked = Checked::open();
    let context = &checked.context;
    let (half, eighth) = (0.3_f32, Quat::from_rotation_z(std::f32::consts::FRAC_PI_4));
    let middles: Vec<Vec3> = (0..25)
        .map(|i| 1.2 * Vec3::new((i % 5) as f32 - 2.0, (i / 5) as f32 - 2.0, 0.0))
        .collect();
    let boxes = |turn: Quat| {
        let one = |middle: &Vec3| shapes::cuboid(Vec3::splat(half), 1).map(|p| *middle + turn * p);
        (middles.iter().map(one)).fold(Shape::default(), |all, one| all.with(&one))
    };
    let lower = solid(context, &boxes(Quat::IDENTITY), 96);
    let mut upper = solid(context, &boxes(eighth), 96);
    upper.position.z = 2.0 * f64::from(half) + DEPTH;
    let radius = f64::from(half) / (TAU / 16.0).cos();
    let corners = |middle: &Vec3| {
        let middle = middle.as_dvec3() + (f64::from(half) + DEPTH) * DVec3::Z;
        (0..8).map(move |k| {
            let (sin, cos) = (TAU / 16.0 * f64::from(2 * k + 1)).sin_cos();
            middle + radius * DVec3::new(cos, sin, 0.0)
        })
    };
    let expected: Vec<DVec3> = middles.iter().flat_map(corners).collect();
    let options = ContactOptions {
        points: 8,
        patches: 25,
        budget: 4096,
        ..near(2.0 * DEPTH as f32)
    };
    let manifold = context.contacts([lower, upper], options).unwrap();
    let miss = miss(&manifold.contacts, &expected, DEPTH);
    assert_eq!(manifold.contacts.len(), expected.len(), "{miss:?}");
    // Of bodies that are five long.
    assert!(miss.place < 5.0 * EXACT, "{miss:?}");
    assert!(miss.normal < EXACT && miss.separation < EXACT, "{miss:?}");
}

/// A ball at the bottom of a hollow that is a little larger, and a ring through a ring: round in round, where they are nearest in one place.
#[test]
fn round_bodies_in_hollow_ones_touch_where_they_are_deepest() {
    let checked = Checked::open();
    let context = &checked.context;
    let ball = |radius| shapes::sphere(radius, 32, 24);
    let bowl = shapes::cuboid(Vec3::splat(1.2), 1).with(&ball(1.0).flipped());
    let (pole, ring) = (DVec3::NEG_Z, shapes::torus(0.6, 0.2, 48, 16));
    let in_bowl = solid(context, &shapes::sphere(0.7, 32, 18), 128);
    let rings = [0; 2].map(|_| solid(context, &ring, 128));
    let [first, mut second] = rings;
    second.rotation = Quat::from_rotation_x(FRAC_PI_2);
    second.position.x = 0.8 + DEPTH;
    let cases = [
        (
            "bowl",
            [
                solid(context, &bowl, 128),
                ContactBody {
                    position: (0.3 + DEPTH) * pole,
                    ..in_bowl
                },
            ],
            pole,
            -pole,
        ),
        (
            "rings",
            [first, second],
            DVec3::new(0.4, 0.0, 0.0),
            DVec3::NEG_X,
        ),
    ];
    for (name, bodies, place, normal) in cases {
        let manifold = context.contacts(bodies, near(0.0)).unwrap();
        let depth = |c: &&Contact| c.separation;
        let deepest = (manifold.contacts.iter()).min_by(|a, b| depth(a).total_cmp(&depth(b)));
        let c = deepest.unwrap();
        let about = format!("{name}: {manifold:?}");
        assert_eq!(manifold.patches.len(), 1, "{about}");
        assert!(c.world_a.distance(place) < 2.0 * EXACT, "{about}");
        assert!(c.normal.distance(normal) < 1e-3, "{about}");
        let off = (f64::from(c.separation) + DEPTH).abs();
        assert!(off < 2.0 * EXACT, "{about}");
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
