//! All pairs, by formulas that share no line with the search, on random and degenerate shapes.

use super::*;
use crate::geometry::random::{Random, cases};
use crate::geometry::triangle::closest::on_triangle;
use crate::geometry::triangle::distance::segment_distance;
use fixtures::shapes;
use glam::{DAffine3, DQuat, Vec3};
use std::collections::BTreeMap;

/// Every pair with its distance, by formulas that share no line with the search: no boxes, no filter, no representatives.
pub(super) struct BruteForce<'a> {
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

    pub(super) fn edges(shape: &Shape) -> Vec<[u32; 2]> {
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

/// Far from the origin rounding to floats moves vertices by a good part of the thickness.
#[test]
fn a_thickness_larger_by_two_roundings_misses_no_pair_of_doubles() {
    let mut random = Random::new(94);
    let (mut near, mut lost) = (0, 0);
    for round in 0..cases(60) {
        let far = [0.0, 1e3, 1e6][round % 3];
        let count = 24;
        let exact: Vec<DVec3> = (0..count)
            .map(|_| far * DVec3::new(1.0, -0.7, 0.9) + random.in_cube())
            .collect();
        let body = Ready::new(Shape {
            positions: exact.iter().map(|p| p.as_vec3()).collect(),
            triangles: (0..16)
                .map(|_| [0; 3].map(|_| random.below(count) as u32))
                .collect(),
        });
        let largest = exact
            .iter()
            .fold(0.0, |r: f64, p| r.max(p.abs().max_element()));
        let thickness = 0.2;
        let with = |thickness: f64| -> Vec<Features> {
            let found = near_pairs_of_itself(body.body(), &plain(thickness), u64::MAX).unwrap();
            found.iter().map(|pair| pair.features).collect()
        };
        let (listed, narrower) = (with(thickness + 2.1e-7 * largest), with(thickness));
        for v in BruteForce::vertices(&body.shape) {
            for (t, corners) in body.shape.triangles.iter().enumerate() {
                let (p, face) = (exact[v as usize], corners.map(|c| exact[c as usize]));
                if !corners.contains(&v) && on_triangle(p, face).0.distance(p) < thickness {
                    let pair = Features::VertexFace(v, t as u32);
                    assert!(listed.contains(&pair), "{pair:?} at {far}");
                    near += 1;
                    lost += usize::from(!narrower.contains(&pair));
                }
            }
        }
    }
    assert!(near > 200 && lost > 0, "{near} {lost}");
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
