use super::*;
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::random::{Random, cases};
use crate::geometry::surface::AsSurface;
use crate::geometry::topology::edges::{Edges, VertexNeighbours};
use crate::geometry::triangle::closest::on_triangle;
use crate::geometry::triangle::distance::segment_distance;
use fixtures::shapes::{self, Shape};
use glam::{DAffine3, DQuat, Vec3};
use std::collections::BTreeMap;

/// A shape with what a query keeps of it.
struct Ready {
    shape: Shape,
    bvh: Bvh,
    representatives: Representatives,
}

impl Ready {
    fn new(shape: Shape) -> Self {
        Self {
            bvh: Bvh::build(&shape.surface().triangle_boxes()),
            representatives: Representatives::new(&shape.triangles, shape.positions.len()),
            shape,
        }
    }

    fn body(&self) -> NearBody<'_> {
        NearBody {
            body: FittedSurface {
                surface: self.shape.surface(),
                bvh: &self.bvh,
            },
            representatives: &self.representatives,
        }
    }
}

fn plain(thickness: f64) -> NearRule<'static> {
    NearRule {
        thickness: Thickness {
            uniform: thickness,
            per_vertex: [None; 2],
        },
        exclusions: Exclusions::default(),
    }
}

/// Every pair with its distance, by formulas that share no line with the search: no boxes, no filter, no representatives.
struct BruteForce<'a> {
    shapes: [&'a Shape; 2],
    placement: &'a Placement,
    itself: bool,
}

impl BruteForce<'_> {
    fn at(&self, side: usize, v: u32) -> DVec3 {
        let p = self.shapes[side].positions[v as usize].as_dvec3();
        if side == 0 {
            p
        } else {
            self.placement.point(p)
        }
    }

    fn vertices(shape: &Shape) -> Vec<u32> {
        let mut used = shape.triangles.as_flattened().to_vec();
        used.sort_unstable();
        used.dedup();
        used
    }

    fn edges(shape: &Shape) -> Vec<[u32; 2]> {
        let side = |t: &[u32; 3], k: usize| {
            let (u, v) = (t[k], t[(k + 1) % 3]);
            [u.min(v), u.max(v)]
        };
        let mut all: Vec<_> = shape
            .triangles
            .iter()
            .flat_map(|t| [side(t, 0), side(t, 1), side(t, 2)])
            .filter(|e| e[0] != e[1])
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn face(&self, side: usize, t: usize) -> [DVec3; 3] {
        self.shapes[side].triangles[t].map(|v| self.at(side, v))
    }

    fn distances(&self) -> BTreeMap<Features, f64> {
        let mut all = BTreeMap::new();
        let [a, b] = self.shapes;
        let to_face = |p: DVec3, face: [DVec3; 3]| on_triangle(p, face).0.distance(p);
        for v in Self::vertices(a) {
            for (t, corners) in b.triangles.iter().enumerate() {
                if !(self.itself && corners.contains(&v)) {
                    let distance = to_face(self.at(0, v), self.face(1, t));
                    all.insert(Features::VertexFace(v, t as u32), distance);
                }
            }
        }
        if !self.itself {
            for v in Self::vertices(b) {
                for t in 0..a.triangles.len() {
                    let distance = to_face(self.at(1, v), self.face(0, t));
                    all.insert(Features::FaceVertex(t as u32, v), distance);
                }
            }
        }
        for e in Self::edges(a) {
            for f in Self::edges(b) {
                if self.itself && (e >= f || e.iter().any(|v| f.contains(v))) {
                    continue;
                }
                let (p, q) = (e.map(|v| self.at(0, v)), f.map(|v| self.at(1, v)));
                all.insert(Features::EdgeEdge(e, f), segment_distance(p, q).distance);
            }
        }
        all
    }

    /// The points that the weights of a pair give, the vertex's or the first edge's first.
    fn points(&self, pair: &FeaturePair) -> [DVec3; 2] {
        let w = pair.weights;
        let face = |side: usize, t: u32| {
            let [a, b, c] = self.face(side, t as usize);
            w[1] * a + w[2] * b + w[3] * c
        };
        match pair.features {
            Features::VertexFace(v, t) => [w[0] * self.at(0, v), face(1, t)],
            Features::FaceVertex(t, v) => [face(0, t), w[0] * self.at(1, v)],
            Features::EdgeEdge(e, f) => [
                w[0] * self.at(0, e[0]) + w[1] * self.at(0, e[1]),
                w[2] * self.at(1, f[0]) + w[3] * self.at(1, f[1]),
            ],
            Features::Start(_) => unreachable!(),
        }
    }

    /// The found pairs are those that are closer than the thickness of each, with these distances; `doubt` is what rounding may do.
    fn check(
        &self,
        found: &[FeaturePair],
        thickness: impl Fn(&FeaturePair) -> f64,
        limit: f64,
        doubt: f64,
    ) {
        assert!(found.windows(2).all(|w| w[0].features < w[1].features));
        let all = self.distances();
        let mut listed = BTreeMap::new();
        for pair in found {
            let distance = *all.get(&pair.features).expect("such a pair does not exist");
            assert!(distance < thickness(pair) + doubt, "{pair:?} {distance}");
            assert!(
                (pair.distance - distance).abs() <= doubt,
                "{pair:?} {distance}"
            );
            assert!(
                pair.weights.iter().all(|w| (0.0..=1.0).contains(w)),
                "{pair:?}"
            );
            let [p, q] = self.points(pair);
            assert!(
                (p.distance(q) - distance).abs() <= doubt,
                "{pair:?} {p} {q}"
            );
            if distance > 1e4 * doubt {
                let direction = pair.direction.as_dvec3();
                assert!(direction.distance((q - p) / distance) < 2e-3, "{pair:?}");
            }
            listed.insert(pair.features, ());
        }
        for (features, distance) in all {
            assert!(
                distance + doubt >= limit || listed.contains_key(&features),
                "{features:?} at {distance} is missing"
            );
        }
    }
}

/// Soups and meshes with everything that can be degenerate: collapsed and repeated triangles, vertices at one place, lattices on which
/// much is parallel, coplanar or touching.
fn degenerate(random: &mut Random, round: usize) -> Shape {
    let scale = [1.0f32, 1e-9, 1e9, 1e-3][round / 3 % 4];
    let shape = match round % 6 {
        0 => shapes::sphere(1.0, 6, 4),
        1 => shapes::cuboid(Vec3::ONE, 2),
        kind => {
            let vertices = 6 + random.below(10);
            let positions = (0..vertices)
                .map(|_| {
                    let p = random.in_cube_f32();
                    match kind {
                        2 => (p * 2.0).round() * 0.5,
                        3 => Vec3::new(p.x, p.y, 0.0),
                        4 => p * Vec3::new(1.0, 1.0, 1e-4),
                        _ => p,
                    }
                })
                .collect();
            let triangles = (0..12)
                .map(|_| [0; 3].map(|_| random.below(vertices) as u32))
                .collect();
            Shape {
                positions,
                triangles,
            }
        }
    };
    shape.map(|p| p * scale)
}

fn size(shape: &Shape) -> f64 {
    let bounds = crate::geometry::aabb::Aabb::of(shape.positions.iter().copied());
    f64::from(bounds.min.abs().max(bounds.max.abs()).max_element())
}

#[test]
fn two_bodies_have_the_pairs_that_brute_force_finds() {
    let mut random = Random::new(90);
    let mut total = 0;
    for round in 0..cases(700) {
        let shape = degenerate(&mut random, round);
        let size = size(&shape);
        let a = Ready::new(shape);
        let b = match round % 5 {
            0 => Ready::new(a.shape.clone()),
            _ => {
                let other = degenerate(&mut random, round / 12 * 12 + round % 3 + 3);
                let ratio = (size / self::size(&other)) as f32;
                Ready::new(other.map(|p| p * ratio))
            }
        };
        let turn = DQuat::from_scaled_axis(random.in_cube() * 3.0);
        let pose = DAffine3::from_rotation_translation(turn, random.in_cube() * size);
        let placement = match round % 3 {
            0 => Placement::default(),
            1 => Placement::new(DAffine3::from_translation(random.in_cube().round() * size)),
            _ => Placement::new(pose),
        };
        let thickness = random.unit() * [0.05, 0.5, 2.0][round % 3] * size;
        let found =
            near_pairs(a.body(), b.body(), &placement, &plain(thickness), u64::MAX).unwrap();
        let oracle = BruteForce {
            shapes: [&a.shape, &b.shape],
            placement: &placement,
            itself: false,
        };
        oracle.check(&found, |_| thickness, thickness, 1e-9 * size);
        total += found.len();
    }
    assert!(total > 20_000, "{total}");
}

#[test]
fn one_body_has_the_pairs_that_brute_force_finds() {
    let mut random = Random::new(91);
    let mut total = 0;
    for round in 0..cases(500) {
        let a = Ready::new(degenerate(&mut random, round));
        let size = size(&a.shape);
        let thickness = random.unit() * [0.05, 0.5, 2.0][round % 3] * size;
        let found = near_pairs_of_itself(a.body(), &plain(thickness), u64::MAX).unwrap();
        let oracle = BruteForce {
            shapes: [&a.shape; 2],
            placement: &Placement::default(),
            itself: true,
        };
        oracle.check(&found, |_| thickness, thickness, 1e-9 * size);
        total += found.len();
    }
    assert!(total > 20_000, "{total}");
}

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

/// How many edges lead from a vertex to others, from the definition: rows of distances that shrink until nothing changes.
fn edge_distances(shape: &Shape) -> Vec<Vec<u32>> {
    let count = shape.positions.len();
    let mut steps = vec![vec![u32::MAX / 4; count]; count];
    for [u, v] in BruteForce::edges(shape) {
        steps[u as usize][v as usize] = 1;
        steps[v as usize][u as usize] = 1;
    }
    (0..count).for_each(|v| steps[v][v] = 0);
    for via in 0..count {
        for u in 0..count {
            for v in 0..count {
                steps[u][v] = steps[u][v].min(steps[u][via] + steps[via][v]);
            }
        }
    }
    steps
}

/// Whether a pair with these corners is left out.
type Excluding<'a> = dyn Fn(&[u32], &[u32], &FeaturePair) -> bool + 'a;

#[test]
fn rings_rest_groups_and_lists_take_away_what_they_name_and_no_more() {
    let mut random = Random::new(93);
    for round in 0..40 {
        let mut shape = match round % 2 {
            0 => shapes::torus(1.0, 0.4, 10, 7),
            _ => shapes::sphere(1.0, 9, 7),
        };
        let rest = shape.positions.clone();
        for p in &mut shape.positions {
            *p += random.in_cube_f32() * 0.2;
        }
        let steps = edge_distances(&shape);
        let ready = Ready::new(shape);
        let rule = plain(0.3 + 0.3 * random.unit());
        let all = near_pairs_of_itself(ready.body(), &rule, u64::MAX).unwrap();
        let ask = |exclusions: Exclusions| {
            let rule = NearRule { exclusions, ..rule };
            let found = near_pairs_of_itself(ready.body(), &rule, u64::MAX).unwrap();
            found.iter().map(|p| p.features).collect::<Vec<_>>()
        };
        let without = |gone: &Excluding| -> Vec<Features> {
            let stays = |p: &&FeaturePair| match p.features {
                Features::VertexFace(v, t) => !gone(&[v], &ready.shape.triangles[t as usize], p),
                Features::EdgeEdge(e, f) => !gone(&e, &f, p),
                _ => unreachable!(),
            };
            all.iter().filter(stays).map(|p| p.features).collect()
        };

        let edges = Edges::new(&ready.shape.triangles, ready.shape.positions.len());
        let neighbours = VertexNeighbours::new(&edges, ready.shape.positions.len());
        for rings in 1..4 {
            let near = |a: &[u32], b: &[u32], _: &FeaturePair| {
                let joined = |u: &u32| b.iter().any(|&v| steps[*u as usize][v as usize] <= rings);
                a.iter().any(joined)
            };
            let found = ask(Exclusions {
                rings: Some((rings, &neighbours)),
                ..Exclusions::default()
            });
            assert_eq!(found, without(&near));
        }

        let resting = Ready::new(Shape {
            positions: rest.clone(),
            triangles: ready.shape.triangles.clone(),
        });
        let there = near_pairs_of_itself(resting.body(), &rule, u64::MAX).unwrap();
        let found = ask(Exclusions {
            rest: Some(&rest),
            ..Exclusions::default()
        });
        let near_there = |p: &FeaturePair| there.iter().any(|q| q.features == p.features);
        assert_eq!(found, without(&|_, _, p| near_there(p)));

        let groups: Vec<u32> = (0..rest.len()).map(|_| random.below(16) as u32).collect();
        let common = |a: &[u32], b: &[u32], _: &FeaturePair| {
            let both = a.iter().chain(b).map(|&v| groups[v as usize]);
            both.fold(u32::MAX, |bits, own| bits & own) != 0
        };
        let found = ask(Exclusions {
            groups: [Some(&groups), Some(&groups)],
            ..Exclusions::default()
        });
        assert_eq!(found, without(&common));

        let listed: Vec<Features> = all.iter().step_by(3).map(|p| p.features).collect();
        let found = ask(Exclusions {
            listed: &listed,
            ..Exclusions::default()
        });
        assert_eq!(found, without(&|_, _, p| listed.contains(&p.features)));
    }
}

#[test]
fn threads_do_not_change_the_list_and_too_little_room_tells_the_number() {
    let a = Ready::new(shapes::knot(0.3, 300, 20));
    let b = Ready::new(shapes::torus(2.0, 0.5, 80, 40).map(|p| p + Vec3::X));
    let with = |threads, capacity| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let rule = plain(0.1);
            let placement = Placement::default();
            (
                near_pairs(a.body(), b.body(), &placement, &rule, capacity),
                near_pairs_of_itself(a.body(), &rule, capacity),
            )
        })
    };
    let (two, one) = with(1, u64::MAX);
    let (two, one) = (two.unwrap(), one.unwrap());
    assert!(
        two.len() > 1000 && one.len() > 1000,
        "{} {}",
        two.len(),
        one.len()
    );
    let (again, alone) = with(3, u64::MAX);
    assert_eq!((&two, &one), (&again.unwrap(), &alone.unwrap()));
    for capacity in [0, 1, 900] {
        let (few, alone) = with(2, capacity);
        for (refusal, count) in [(few, two.len()), (alone, one.len())] {
            match refusal {
                Err(crate::error::Error::BufferTooSmall { needed, given, .. }) => {
                    assert_eq!((needed, given), (count as u64, capacity));
                }
                other => panic!("{:?}", other.map(|p| p.len())),
            }
        }
    }
}

#[test]
fn distances_per_vertex_are_the_least_of_its_pairs() {
    let a = Ready::new(shapes::knot(0.3, 60, 10));
    let b = Ready::new(shapes::torus(2.0, 0.5, 30, 12).map(|p| p + Vec3::X));
    let rule = plain(0.2);
    let placement = Placement::new(DAffine3::from_translation(DVec3::new(0.1, 0.2, 0.3)));
    let pairs = near_pairs(a.body(), b.body(), &placement, &rule, u64::MAX).unwrap();
    let smallest = smallest_distances(a.body(), b.body(), &placement, &rule).unwrap();
    for (side, of) in [&a, &b].into_iter().enumerate() {
        let corners = |k: u32| corners_of(&pairs[k as usize], [&a, &b])[side].clone();
        let count = of.shape.positions.len();
        let distance = |k: u32| pairs[k as usize].distance;
        let by =
            per_vertex::pairs_per_vertex(pairs.len() as u32, count, corners, distance).unwrap();
        assert_eq!(by.distances, smallest[side]);
        for v in 0..count {
            let run = by.starts[v] as usize..by.starts[v + 1] as usize;
            let has = |k: &u32| corners(*k).contains(&(v as u32));
            let expected: Vec<u32> = (0..pairs.len() as u32).filter(has).collect();
            assert_eq!(by.pairs[run], expected);
        }
    }
    let alone = near_pairs_of_itself(a.body(), &rule, u64::MAX).unwrap();
    let smallest = smallest_distances_of_itself(a.body(), &rule).unwrap();
    for (v, &smallest) in smallest.iter().enumerate() {
        let has = |p: &&FeaturePair| corners_of(p, [&a, &a]).concat().contains(&(v as u32));
        let own = alone.iter().filter(has).map(|p| p.distance);
        assert_eq!(smallest, own.fold(f64::INFINITY, f64::min));
    }
}

/// The corners of a pair that are of the first and of the second body.
fn corners_of(pair: &FeaturePair, of: [&Ready; 2]) -> [Vec<u32>; 2] {
    let face = |side: usize, t: u32| of[side].shape.triangles[t as usize].to_vec();
    match pair.features {
        Features::VertexFace(v, t) => [vec![v], face(1, t)],
        Features::FaceVertex(t, v) => [face(0, t), vec![v]],
        Features::EdgeEdge(e, f) => [e.to_vec(), f.to_vec()],
        Features::Start(_) => unreachable!(),
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
