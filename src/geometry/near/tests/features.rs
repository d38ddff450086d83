//! What a pair tells of its features: regions, weights, directions, repeats, thicknesses, and features without a face.

use super::*;
use crate::geometry::random::Random;
use fixtures::shapes;
use glam::{DAffine3, Vec3};

/// Two parallel squares of two triangles, 0.5 apart, the upper one shifted by 0.25 along x.
fn squares(height: f32) -> [Ready; 2] {
    let square = |shift: f32, z: f32| Shape {
        positions: [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(x, y)| Vec3::new(x + shift, y, z))
            .to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    [
        Ready::new(square(0.0, 0.0)),
        Ready::new(square(0.25, height)),
    ]
}

#[test]
fn regions_weights_and_directions_are_those_of_the_drawing() {
    let [a, b] = squares(0.5);
    let found = near_pairs(
        a.body(),
        b.body(),
        &Placement::default(),
        &plain(0.51),
        u64::MAX,
    )
    .unwrap();
    let of = |features| *found.iter().find(|p| p.features == features).unwrap();
    // Vertex 0 of the upper square is over the inner part of the lower side of triangle 0.
    let pair = of(Features::FaceVertex(0, 0));
    assert_eq!(pair.distance, 0.5);
    assert_eq!(pair.weights, [1.0, 0.75, 0.25, 0.0]);
    assert_eq!(pair.regions, [NearRegion::Edge(0), NearRegion::Vertex(0)]);
    assert_eq!(pair.direction, Vec3::Z);
    // Vertex 2 of the lower one is under the upper side of the upper square.
    let pair = of(Features::VertexFace(2, 1));
    assert_eq!(pair.regions, [NearRegion::Vertex(0), NearRegion::Edge(1)]);
    assert_eq!(pair.direction, Vec3::Z);
    assert!(found.iter().all(|p| p.distance == 0.5));
    // The diagonal of the lower one goes through under the left side of the upper one.
    let pair = of(Features::EdgeEdge([0, 2], [0, 3]));
    assert_eq!(pair.weights, [0.75, 0.25, 0.75, 0.25]);
    assert_eq!(pair.regions, [NearRegion::Edge(0), NearRegion::Edge(0)]);
}

/// A vertex over an inner edge is near two faces, that edge, and its own edges are: one of all these counts.
#[test]
fn repeats_leave_each_pair_of_vertices_and_edges_once() {
    let [a, b] = squares(0.5);
    let mut found = near_pairs(
        a.body(),
        b.body(),
        &Placement::default(),
        &plain(0.51),
        u64::MAX,
    )
    .unwrap();
    mark(&mut found, [&a, &b], false);
    let count = |pairs: &[FeaturePair]| pairs.iter().filter(|p| !p.repeats).count();
    // Vertices over sides: 0 and 3 of the upper over the lower's, 1 and 2 of the lower under the upper's. Edges that cross: the
    // diagonal of each and the side of the other, the two diagonals do not; parallel sides, one over the other: two.
    let apart: Vec<_> = found.iter().filter(|p| !p.repeats).collect();
    let interior = |p: &&&FeaturePair| p.regions == [NearRegion::Edge(0), NearRegion::Edge(0)];
    let vertices = apart.len() - apart.iter().filter(interior).count();
    assert_eq!(vertices, 4, "{apart:#?}");
    assert!(count(&found) < found.len());
    // The same for a surface with itself: both squares are one.
    let both = Ready::new(a.shape.clone().with(&b.shape));
    let mut alone = near_pairs_of_itself(both.body(), &plain(0.51), u64::MAX).unwrap();
    mark(&mut alone, [&both, &both], true);
    assert_eq!(count(&alone), count(&found));
}

fn mark(pairs: &mut [FeaturePair], of: [&Ready; 2], itself: bool) {
    let faces = of.map(|r| r.shape.triangles.as_slice());
    repeats::mark_repeats(pairs, faces, itself).unwrap();
}

#[test]
fn thickness_of_vertices_is_interpolated_and_halved() {
    let mut random = Random::new(92);
    for _ in 0..60 {
        let a = Ready::new(shapes::sphere(1.0, 8, 6));
        let b = Ready::new(shapes::torus(1.0, 0.3, 10, 6));
        let shift = random.in_cube() * 1.5;
        let placement = Placement::new(DAffine3::from_translation(shift));
        let mut own = |shape: &Shape| -> Vec<f32> {
            let some = |_: &Vec3| (random.unit() * random.unit()) as f32;
            shape.positions.iter().map(some).collect()
        };
        let (of_a, of_b) = (own(&a.shape), own(&b.shape));
        for own in [[Some(&of_a), Some(&of_b)], [None, Some(&of_b)]] {
            let mut rule = plain(0.2);
            rule.thickness.per_vertex = own.map(|o| o.map(Vec::as_slice));
            let found = near_pairs(a.body(), b.body(), &placement, &rule, u64::MAX).unwrap();
            let largest =
                near_pairs(a.body(), b.body(), &placement, &plain(1.0), u64::MAX).unwrap();
            let at = |side: usize, v: u32| own[side].map_or(0.2, |o| f64::from(o[v as usize]));
            let near = |p: &&FeaturePair| {
                let w = p.weights;
                let face = |side: usize, t: u32| {
                    let of = if side == 0 { &a } else { &b };
                    let corners = of.shape.triangles[t as usize];
                    (0..3).map(|k| w[k + 1] * at(side, corners[k])).sum::<f64>()
                };
                let sum = match p.features {
                    Features::VertexFace(v, t) => at(0, v) + face(1, t),
                    Features::FaceVertex(t, v) => face(0, t) + at(1, v),
                    Features::EdgeEdge(e, f) => {
                        let of = |k: usize| if k < 2 { at(0, e[k]) } else { at(1, f[k - 2]) };
                        (0..4).map(|k| w[k] * of(k)).sum()
                    }
                    Features::Start(_) => unreachable!(),
                };
                p.distance < 0.5 * sum
            };
            let expected: Vec<_> = largest.iter().filter(near).map(|p| p.features).collect();
            assert!(found.iter().map(|p| p.features).eq(expected));
        }
    }
}

/// A particle is a triangle of one vertex, a piece of rope one of two: they are near faces, edges and each other.
#[test]
fn loose_vertices_and_edges_are_triangles_that_repeat_a_vertex() {
    let mesh = Ready::new(Shape {
        positions: vec![
            Vec3::ZERO,
            Vec3::X,
            Vec3::Y,
            // A particle above the face, another above that, and a rope above both.
            Vec3::new(0.25, 0.25, 0.1),
            Vec3::new(0.25, 0.25, 0.2),
            Vec3::new(-1.0, 0.25, 0.3),
            Vec3::new(1.0, 0.25, 0.3),
        ],
        triangles: vec![[0, 1, 2], [3; 3], [4; 3], [5, 6, 6]],
    });
    let found = near_pairs_of_itself(mesh.body(), &plain(0.11), u64::MAX).unwrap();
    let features: Vec<Features> = found.iter().map(|p| p.features).collect();
    let expected = [
        Features::VertexFace(3, 0),
        Features::VertexFace(3, 2),
        Features::VertexFace(4, 1),
        Features::VertexFace(4, 3),
    ];
    assert_eq!(features, expected);
    assert_eq!(found[3].regions[1], NearRegion::Edge(0));
    let mut found = near_pairs_of_itself(mesh.body(), &plain(0.31), u64::MAX).unwrap();
    let rope = Features::EdgeEdge([1, 2], [5, 6]);
    let pair = found.iter().find(|p| p.features == rope).unwrap();
    assert!((pair.distance - 0.3).abs() < 1e-7);
    // Two particles are near once, whichever of them comes first.
    mark(&mut found, [&mesh, &mesh], true);
    let apart = |p: &&FeaturePair| !p.repeats && p.features == Features::VertexFace(3, 2);
    let other = |p: &&FeaturePair| !p.repeats && p.features == Features::VertexFace(4, 1);
    assert_eq!(
        (
            found.iter().filter(apart).count(),
            found.iter().filter(other).count()
        ),
        (1, 0)
    );
}

#[test]
fn nothing_is_closer_than_a_thickness_of_zero() {
    let a = Ready::new(shapes::sphere(1.0, 8, 6));
    let found = near_pairs(a.body(), a.body(), &Placement::default(), &plain(0.0), 0).unwrap();
    assert!(found.is_empty());
    // Closer, not as close as: opposite corners of a cube of side 1.
    let cube = Ready::new(shapes::cuboid(Vec3::splat(0.5), 1));
    assert!(
        near_pairs_of_itself(cube.body(), &plain(0.5), 0)
            .unwrap()
            .is_empty()
    );
}
