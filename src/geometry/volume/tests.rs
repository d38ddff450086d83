mod boundaries;
mod certificates;
mod rational;
mod regions;

use super::*;
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::random::Random;
use crate::geometry::surface::AsSurface;
use fixtures::shapes::{self, Shape};
use glam::{DAffine3, DQuat, Vec3};

/// Two bodies and how they cross.
struct CrossedBodies<'a> {
    shapes: [&'a Shape; 2],
    trees: [Bvh; 2],
    placement: Placement,
    of: Option<Intersection>,
}

impl<'a> CrossedBodies<'a> {
    fn new(a: &'a Shape, b: &'a Shape, pose: DAffine3, closed: [Option<BodyTopology>; 2]) -> Self {
        let shapes = [a, b];
        let mut made = Self {
            shapes,
            trees: shapes.map(|shape| Bvh::build(&shape.surface().triangle_boxes())),
            placement: Placement::new(pose),
            of: None,
        };
        made.of = Some(Intersection::of(&made.pair(), closed).unwrap());
        made
    }

    fn pair(&self) -> PlacedPair<'_> {
        let [first, second] = [0, 1].map(|own| FittedSurface {
            surface: self.shapes[own].surface(),
            bvh: &self.trees[own],
        });
        PlacedPair::new(first, second, self.placement)
    }

    fn regions(&self) -> ConnectedParts {
        Intersection::regions(self, &self.pair(), |p| p)
    }
}

impl std::ops::Deref for CrossedBodies<'_> {
    type Target = Intersection;
    fn deref(&self) -> &Intersection {
        self.of.as_ref().unwrap()
    }
}

fn crossed<'a>(a: &'a Shape, b: &'a Shape, pose: DAffine3) -> CrossedBodies<'a> {
    CrossedBodies::new(a, b, pose, [None, None])
}

fn shared(a: &Shape, b: &Shape, pose: DAffine3) -> SharedVolume {
    crossed(a, b, pose).shared_volume()
}

fn moved(by: DVec3) -> DAffine3 {
    DAffine3::from_translation(by)
}

fn pose(random: &mut Random, reach: f64) -> DAffine3 {
    let axis = random.in_cube().normalize();
    let turn = DQuat::from_axis_angle(axis, 3.0 * random.signed());
    DAffine3::from_rotation_translation(turn, reach * random.in_cube())
}

/// Checks that the interval holds a volume and is narrow, and that the surfaces of both sides close.
fn assert_volume(shared: &SharedVolume, expected: f64, context: &str) {
    let (volume, error) = shared.volume();
    // The oracles round too.
    let rounding = 1e-13 * (1.0 + expected);
    assert!(
        (volume - expected).abs() <= error + rounding,
        "{context}: {volume} +- {error}, not {expected}"
    );
    // A part of the volume, or, where there is none, of bodies of about one unit.
    assert!(
        error <= 1e-9 * expected || error <= 1e-11,
        "{context}: {error}"
    );
    let open = shared.sums[0].area_vector + shared.sums[1].area_vector;
    assert!(open.length() < 1e-11, "{context}: {open} is open");
    assert_eq!(shared.disagreeing, [0, 0], "{context}");
}

#[test]
fn boxes_share_a_box_at_every_offset_ties_included() {
    for cells in [1, 2] {
        let a = shapes::cuboid(Vec3::ONE, cells);
        let b = shapes::cuboid(Vec3::new(1.0, 0.5, 0.75), 1);
        let steps = [-2.5, -2.0, -1.75, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0];
        for x in steps {
            for y in steps {
                for z in [-1.75, -0.25, 0.0, 1.0] {
                    let offset = DVec3::new(x, y, z);
                    let half = [DVec3::ONE, DVec3::new(1.0, 0.5, 0.75)];
                    let low = (-half[0]).max(offset - half[1]);
                    let high = half[0].min(offset + half[1]);
                    let sides = (high - low).max(DVec3::ZERO);
                    let expected = sides.x * sides.y * sides.z;
                    let found = shared(&a, &b, moved(offset));
                    assert_volume(&found, expected, &format!("{cells} {offset}"));
                    if expected > 0.0 {
                        let (volume, _) = found.volume();
                        let first = found.sums[0].first_moment + found.sums[1].first_moment;
                        let centroid = found.origin + first / volume;
                        assert!(centroid.distance(0.5 * (low + high)) < 1e-12, "{offset}");
                        let second = found.sums[0].second_moment() + found.sums[1].second_moment();
                        // About the centre side^2 / 12 each way.
                        let middle = first / volume;
                        for k in 0..3 {
                            let about = sides[k] * sides[k] / 12.0;
                            let expected = volume * (about + middle[k] * middle[k]);
                            assert!(
                                (second.col(k)[k] - expected).abs() < 1e-12,
                                "{offset} {k}: {second} {expected}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// A convex polyhedron as its faces.
fn clipped(faces: Vec<Vec<DVec3>>, normal: DVec3, corner: DVec3) -> Vec<Vec<DVec3>> {
    let height = |p: DVec3| normal.dot(p - corner);
    let mut kept: Vec<Vec<DVec3>> = Vec::new();
    let mut rim: Vec<DVec3> = Vec::new();
    for face in &faces {
        let mut inside = Vec::new();
        for (i, &p) in face.iter().enumerate() {
            let q = face[(i + 1) % face.len()];
            let (from, to) = (height(p), height(q));
            if from <= 0.0 {
                inside.push(p);
            }
            if (from <= 0.0) != (to <= 0.0) {
                let cut = p.lerp(q, from / (from - to));
                inside.push(cut);
                rim.push(cut);
            }
        }
        if inside.len() > 2 {
            kept.push(inside);
        }
    }
    if rim.len() > 2 {
        let middle = rim.iter().sum::<DVec3>() / rim.len() as f64;
        let u = normal.normalize().any_orthonormal_vector();
        let v = normal.normalize().cross(u);
        rim.sort_by(|p, q| {
            let angle = |p: &DVec3| v.dot(p - middle).atan2(u.dot(p - middle));
            angle(p).total_cmp(&angle(q))
        });
        kept.push(rim);
    }
    kept
}

fn volume_of(faces: &[Vec<DVec3>], origin: DVec3) -> f64 {
    let mut sum = 0.0;
    for face in faces {
        for i in 2..face.len() {
            let [p, q, r] = [face[0], face[i - 1], face[i]].map(|p| p - origin);
            sum += p.dot(q.cross(r)) / 6.0;
        }
    }
    sum
}

#[test]
fn convex_bodies_share_what_clipping_leaves() {
    let mut random = Random::new(11);
    // Pyramids on both sides of a polygon: no two faces have one plane, which clipping one by one does not stand.
    let bodies = [3, 4, 7].map(|sides| shapes::sphere(1.0, sides, 2));
    let mut overlaps = 0;
    for round in 0..120 {
        let (a, b) = (&bodies[round % 3], &bodies[(round / 3) % 3]);
        let pose = pose(&mut random, 0.9);
        let mut faces: Vec<Vec<DVec3>> = (0..a.triangles.len() as u32)
            .map(|t| a.surface().corners_f64(t).to_vec())
            .collect();
        for t in 0..b.triangles.len() as u32 {
            let [p, q, r] = Placement::new(pose).corners(&b.surface(), t);
            faces = clipped(faces, (q - p).cross(r - p), p);
        }
        let expected = volume_of(&faces, pose.translation);
        overlaps += usize::from(expected > 1e-3);
        let found = shared(a, b, pose);
        let (volume, error) = found.volume();
        assert!(
            (volume - expected).abs() <= error + 1e-12,
            "{round}: {volume} {expected}"
        );
        assert!(error < 1e-9, "{round}: {error}");
    }
    assert!(overlaps > 60, "{overlaps}");
}

#[test]
fn a_body_and_what_is_left_of_it_add_up() {
    let mut random = Random::new(12);
    let bodies = [
        shapes::knot(0.5, 60, 9),
        shapes::torus(1.6, 0.6, 24, 12),
        shapes::sphere(1.4, 16, 11),
    ];
    // A box, and a larger box around it without it: what a body shares with both is all of it.
    let inner = shapes::cuboid(Vec3::new(1.0, 0.8, 1.2), 3);
    let rest = shapes::cuboid(Vec3::splat(40.0), 1).with(&inner.clone().flipped());
    for round in 0..30 {
        let body = &bodies[round % 3];
        let pose = pose(&mut random, 1.0);
        let whole = volume_of(
            &(0..body.triangles.len() as u32)
                .map(|t| body.surface().corners_f64(t).to_vec())
                .collect::<Vec<_>>(),
            DVec3::ZERO,
        );
        let parts = [&inner, &rest].map(|other| shared(other, body, pose));
        let sum = parts[0].volume().0 + parts[1].volume().0;
        assert!(
            (sum - whole).abs() < 1e-11 * whole,
            "{round}: {sum} {whole}"
        );
        assert!(parts[0].crossings > 0, "{round}");
        for part in parts {
            assert_volume(&part, part.volume().0, &format!("{round}"));
        }
    }
}

#[test]
fn area_vectors_are_how_the_volume_changes() {
    let mut random = Random::new(13);
    let (a, b) = (shapes::knot(0.5, 48, 8), shapes::torus(1.5, 0.6, 20, 10));
    for round in 0..12 {
        let place = pose(&mut random, 0.8);
        let at = |by: DVec3| {
            let there = DAffine3 {
                translation: place.translation + by,
                ..place
            };
            shared(&a, &b, there)
        };
        let found = at(DVec3::ZERO);
        let step = 1e-5;
        let change =
            DVec3::from_array([DVec3::X, DVec3::Y, DVec3::Z].map(|axis| {
                (at(step * axis).volume().0 - at(-step * axis).volume().0) / (2.0 * step)
            }));
        let gradient = found.sums[1].area_vector;
        assert!(
            gradient.distance(change) < 1e-6 * (1.0 + found.sums[1].area),
            "{round}: {gradient} {change}"
        );
    }
}

#[test]
fn nested_apart_identical_and_hollow_bodies() {
    let ball = shapes::sphere(1.0, 20, 12);
    let small = shapes::sphere(0.5, 12, 8);
    let of = |shape: &Shape| {
        let facets: Vec<Vec<DVec3>> = (0..shape.triangles.len() as u32)
            .map(|t| shape.surface().corners_f64(t).to_vec())
            .collect();
        volume_of(&facets, DVec3::ZERO)
    };
    let still = DAffine3::IDENTITY;
    assert_volume(&shared(&ball, &small, still), of(&small), "nested");
    assert_volume(
        &shared(&small, &ball, still),
        of(&small),
        "nested, other way",
    );
    assert_volume(&shared(&ball, &ball, still), of(&ball), "identical");
    assert_volume(&shared(&ball, &small, moved(3.0 * DVec3::X)), 0.0, "apart");
    let hollow = ball.clone().with(&small.clone().flipped());
    assert_volume(&shared(&hollow, &small, still), 0.0, "in the hollow");
    assert_volume(
        &shared(&hollow, &ball, still),
        of(&ball) - of(&small),
        "hollow",
    );
    // Split vertices are the same vertices.
    assert_volume(
        &shared(&ball.split(), &small.split(), still),
        of(&small),
        "split",
    );
}

#[test]
fn a_tiny_move_changes_the_volume_by_no_more_than_area_times_that() {
    let a = shapes::cuboid(Vec3::ONE, 2);
    let step = 1e-9;
    for offset in [
        DVec3::ZERO,
        DVec3::X,
        DVec3::new(1.0, 1.0, 0.0),
        DVec3::new(2.0, 0.5, 0.0),
    ] {
        let still = shared(&a, &a, moved(offset)).volume().0;
        for by in [DVec3::X, -DVec3::X, DVec3::ONE, DVec3::new(-1.0, 1.0, 0.3)] {
            let there = shared(&a, &a, moved(offset + step * by)).volume().0;
            assert!((there - still).abs() <= 24.0 * 2.0 * step, "{offset} {by}");
        }
    }
}

#[test]
fn bodies_that_indices_close_need_no_welding() {
    let (a, b) = (shapes::knot(0.5, 60, 9), shapes::torus(1.5, 0.6, 24, 12));
    // Two shells in one place are one surface when they are welded, and two when they are not.
    let twice = b.clone().with(&b);
    let place = pose(&mut Random::new(19), 0.5);
    for other in [&b, &twice] {
        let known = [&a, other].map(|shape| {
            let vertices = shape.positions.len();
            Some(BodyTopology::of(&shape.triangles, vertices))
        });
        let apart = CrossedBodies::new(&a, other, place, known);
        let (welded, _) = shared(&a, other, place).volume();
        let (volume, error) = apart.shared_volume().volume();
        assert!((volume - welded).abs() <= error, "{volume} {welded}");
        assert_eq!(apart.disagreeing(), [0, 0]);
    }
}

#[test]
fn an_open_body_is_found_out() {
    let mut open = shapes::sphere(1.0, 16, 10);
    open.triangles.truncate(open.triangles.len() / 2);
    let found = shared(
        &open,
        &shapes::sphere(1.0, 12, 9),
        moved(DVec3::new(0.4, 0.1, 0.2)),
    );
    assert!(found.disagreeing[1] > 0, "{found:?}");
}

#[test]
fn what_has_no_inside_is_told_wherever_it_is() {
    let ball = shapes::sphere(1.0, 16, 10);
    let mut open = ball.clone();
    open.triangles.pop();
    let mut inconsistent = ball.clone();
    inconsistent.triangles[40].swap(0, 1);
    let sheet = Shape {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    for (shape, edges) in [(&open, 3), (&inconsistent, 3), (&sheet, 4)] {
        for (size, place) in [
            (0.1, DVec3::ZERO),
            (1.0, DVec3::new(0.4, 0.1, 0.2)),
            (1.0, DVec3::new(5.0, 0.0, 0.0)),
            (9.0, DVec3::new(0.1, 0.2, 0.3)),
        ] {
            let other = ball.clone().map(|p| size * p);
            let found = shared(&other, shape, moved(place));
            assert_eq!(found.unbalanced_edges, [0, edges], "{size} {place}");
        }
    }
}

#[test]
fn edges_of_many_faces_and_bodies_through_themselves_have_an_inside() {
    let cube = |x: f32, y: f32| shapes::cuboid(Vec3::ONE, 1).map(|p| p + Vec3::new(x, y, 0.0));
    let room = shapes::cuboid(Vec3::splat(9.0), 1);
    let tiny = shapes::cuboid(Vec3::splat(0.25), 1);
    // Along an edge; along a face; through each other, where a place counts twice.
    let along_an_edge = cube(0.0, 0.0).with(&cube(2.0, 2.0));
    let along_a_face = cube(0.0, 0.0).with(&cube(2.0, 0.0));
    let through = cube(0.0, 0.0).with(&cube(1.0, 0.0));
    for body in [&along_an_edge, &along_a_face, &through] {
        let found = shared(&room, body, moved(DVec3::new(0.3, 0.0, 0.1)));
        assert_volume(&found, 16.0, "all of it");
        assert_eq!(found.unbalanced_edges, [0, 0]);
    }
    let middle = moved(DVec3::new(-0.5, 0.0, 0.0));
    assert_volume(&shared(&tiny, &through, middle), 2.0 * 0.125, "twice");
}

#[test]
fn threads_do_not_change_the_bits() {
    let (a, b) = (shapes::knot(0.5, 100, 12), shapes::torus(1.5, 0.6, 60, 30));
    let place = pose(&mut Random::new(14), 0.5);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let found = pool.unwrap().install(|| shared(&a, &b, place));
        format!("{found:?}")
    };
    assert_eq!(run(1), run(4));
}

/// The volume that a closed surface encloses.
fn whole(shape: &Shape) -> f64 {
    let facets: Vec<Vec<DVec3>> = (0..shape.triangles.len() as u32)
        .map(|t| shape.surface().corners_f64(t).to_vec())
        .collect();
    volume_of(&facets, DVec3::ZERO)
}

/// Bars along an axis, side by side, in one mesh.
fn comb(bars: usize, axis: usize) -> Shape {
    let bar = |i: usize| {
        let across = 0.5 * i as f32;
        shapes::cuboid(Vec3::splat(0.1), 1).map(|p| match axis {
            0 => Vec3::new(p.x * 60.0 + 2.0, p.y + across, p.z),
            _ => Vec3::new(p.x + across, p.y * 60.0 + 2.0, p.z),
        })
    };
    (1..bars).fold(bar(0), |all, i| all.with(&bar(i)))
}

#[test]
fn gradients_of_vertices_are_how_the_volume_changes() {
    let mut random = Random::new(18);
    let (a, b) = (shapes::knot(0.5, 32, 7), shapes::torus(1.5, 0.6, 16, 9));
    let place = pose(&mut random, 0.6);
    let cut = crossed(&a, &b, place);
    let gradients = cut.gradients([&a.triangles, &b.triangles]);
    let sums = cut.shared_volume().sums;
    for own in 0..2 {
        // All vertices moved alike are the body moved.
        let sum: DVec3 = gradients[own].iter().map(|found| found.gradient).sum();
        assert!(sum.distance(sums[own].area_vector) < 1e-11, "{own}: {sum}");
        assert!(!gradients[own].is_empty() && gradients[own].len() < [&a, &b][own].positions.len());
    }
    // A step that floats hold exactly at these coordinates.
    let step = 2f32.powi(-13);
    let mut checked = 0;
    for found in gradients[0].iter().step_by(5) {
        let (vertex, gradient) = (found.vertex as usize, found.gradient);
        for axis in 0..3 {
            let at = |by: f32| {
                let mut body = a.clone();
                body.positions[vertex][axis] += by;
                let moved = f64::from(body.positions[vertex][axis]);
                (moved, shared(&body, &b, place).volume().0)
            };
            let (low, high) = (at(-step), at(step));
            let change = (high.1 - low.1) / (high.0 - low.0);
            assert!(
                (change - gradient[axis]).abs() < 1e-6,
                "{vertex} {axis}: {change} {gradient}"
            );
            checked += usize::from(gradient.length() > 1e-3);
        }
    }
    assert!(checked > 30, "{checked}");
}
