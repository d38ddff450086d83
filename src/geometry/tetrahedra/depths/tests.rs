//! Against planes, where the answer is known, and against the paper's equations over integers, without a hierarchy.

use super::*;
use crate::geometry::random::{Random, cases};
use crate::geometry::tetrahedra::tests::block;
use glam::{DQuat, Vec3};
use std::collections::{BTreeMap, BTreeSet, HashMap};

struct Tissue {
    positions: Vec<Vec3>,
    tetrahedra: Vec<[u32; 4]>,
}

impl Tissue {
    fn block(n: u32, place: impl Fn(Vec3) -> Vec3) -> Self {
        let (positions, tetrahedra) = block(n, Vec3::ZERO, 1.0);
        Self {
            positions: positions.into_iter().map(place).collect(),
            tetrahedra,
        }
    }

    fn body(&self) -> TetrahedralBody<'_> {
        TetrahedralBody {
            positions: &self.positions,
            tetrahedra: &self.tetrahedra,
        }
    }
}

fn depths(bodies: &[&Tissue]) -> Vec<VertexDepth> {
    let bodies: Vec<_> = bodies.iter().map(|t| t.body()).collect();
    penetration_depths(&bodies, usize::MAX).unwrap()
}

/// However deep vertices are inside of a flat side that all edges cross, depth and direction are those of its plane.
#[test]
fn behind_a_plane_depths_are_those_of_the_plane() {
    let mut random = Random::new(40);
    let mut most = 0;
    for round in 0..30 {
        let turn = DQuat::from_scaled_axis(random.in_cube() * [0.0, 3.0][round % 2]);
        let shift = random.in_cube() * [0.0, 10.0][round / 2 % 2];
        let size = [1.0, 1e-6, 1e6][round / 4 % 3];
        let place = |p: Vec3| ((turn * p.as_dvec3() + shift) * size).as_vec3();
        // A slab of 20 x 20 x 10 below a block of 4 x 4 x 4 that is 3.5 deep in it.
        let slab = Tissue::block(5, |p| place(p * Vec3::new(4.0, 4.0, 2.0)));
        let sunk = Tissue::block(4, |p| place(p + Vec3::new(8.1, 7.9, 6.5)));
        let found = depths(&[&slab, &sunk]);
        // The slab's vertices that are inside of the block see its sides and its bottom; no edge of the block crosses but through the top.
        let of_block: Vec<_> = found.iter().filter(|row| row.vertex[0] == 1).collect();
        assert_eq!(of_block.len(), 4 * 25);
        let up = turn * DVec3::Z;
        let top = turn * (DVec3::Z * 10.0) + shift;
        for row in of_block {
            let p = sunk.positions[row.vertex[1] as usize].as_dvec3() / size;
            let depth = (top - p).dot(up);
            let rounding = 1e-6 * (20.0 + shift.length());
            assert!(
                (row.depth / size - depth).abs() < rounding,
                "{row:?} {depth}"
            );
            assert!(row.direction.distance(up) < rounding, "{row:?} {up}");
            let level = (sunk.positions.len() - 25) as u32;
            assert_eq!(row.steps >= 1 && row.within == 0, row.vertex[1] < level);
            most = most.max(row.steps);
        }
    }
    assert_eq!(most, 4);
}

/// A slab is 1 thick and a block has come 0.7 through it from above: the nearest surface is below, the way out above.
#[test]
fn what_is_more_than_halfway_through_goes_back_where_it_came_from() {
    let slab = Tissue::block(2, |p| p * Vec3::new(4.0, 4.0, 0.5));
    let block = Tissue::block(2, |p| {
        p * Vec3::new(1.0, 1.0, 0.4) + Vec3::new(3.1, 2.9, 0.3)
    });
    let found = depths(&[&slab, &block]);
    let rows: Vec<_> = found.iter().filter(|row| row.vertex[0] == 1).collect();
    assert_eq!(rows.len(), 18);
    for row in rows {
        let z = f64::from(block.positions[row.vertex[1] as usize].z);
        assert!((row.depth - (1.0 - z)).abs() < 1e-6 && z < 1.0, "{row:?}");
        assert!(row.direction.distance(DVec3::Z) < 1e-6, "{row:?}");
    }
}

#[test]
fn what_is_wholly_inside_has_no_way_out_and_bodies_apart_have_no_rows() {
    let large = Tissue::block(2, |p| p * 10.0);
    let small = Tissue::block(1, |p| p + 3.0);
    let found = depths(&[&large, &small]);
    assert_eq!(found.len(), 8);
    for row in &found {
        assert_eq!((row.vertex[0], row.within, row.steps), (1, 0, 0));
        assert_eq!((row.depth, row.direction), (0.0, DVec3::ZERO));
    }
    let refused = penetration_depths(&[large.body(), small.body()], 7).unwrap_err();
    assert_eq!((refused.needed, refused.capacity), (8, 7));
    let far = Tissue::block(1, |p| p + 100.0);
    assert_eq!(depths(&[&large, &far]), []);
    assert_eq!(depths(&[]), []);
    // Vertices without tetrahedra have no edges.
    let loose = Tissue {
        positions: vec![Vec3::splat(5.0), Vec3::splat(50.0)],
        tetrahedra: Vec::new(),
    };
    let found = depths(&[&large, &loose]);
    assert_eq!((found.len(), found[0].steps), (1, 0));
}

/// A bar that is bent to a ring and a little more: its end is half a width inside of its beginning, on whole numbers.
#[test]
fn a_body_in_itself_is_led_out_of_the_part_that_it_is_in() {
    let bent = Tissue::block(8, |p| {
        let turn = p.x / 8.0 * 1.05 * std::f32::consts::TAU;
        let radius = 3.0 + 0.5 * p.x / 8.0 + p.y / 8.0;
        let place = Vec3::new(radius * turn.cos(), radius * turn.sin(), p.z / 8.0);
        (place * 256.0).round()
    });
    let found = depths(&[&bent]);
    assert!(found.len() > 20, "{}", found.len());
    assert!(
        found
            .iter()
            .all(|row| row.within == 0 && row.steps > 0 && row.depth >= 0.0)
    );
    agrees_with_the_equations(&[&bent]);
}

/// Blocks with corners on a lattice, moved and jittered, so that vertices are on faces and edges pass through edges; and soups.
#[test]
fn random_bodies_agree_with_the_equations_over_integers() {
    let mut random = Random::new(41);
    let (mut rows, mut deepest) = (0, 0);
    for round in 0..cases(60) {
        let jitter = [0, 1, 3][round % 3];
        let mut tissue = |n: u32| {
            let shift = [0; 3].map(|_| random.below(9 * n as usize) as f32);
            let mut body = Tissue::block(n, |p| p * 8.0 + Vec3::from(shift));
            for p in &mut body.positions {
                let by = [0; 3].map(|_| random.below(2 * jitter + 1) as f32 - jitter as f32);
                *p += Vec3::from(by);
            }
            if round % 5 == 0 {
                // Some tetrahedra that overlap, are flat, or name a vertex twice.
                let count = body.positions.len();
                let any = |random: &mut Random| [0; 4].map(|_| random.below(count) as u32);
                (0..6).for_each(|_| body.tetrahedra.push(any(&mut random)));
            }
            body
        };
        let bodies = [tissue(3), tissue(2), tissue(1)];
        let (count, steps) = agrees_with_the_equations(&bodies.each_ref());
        rows += count;
        deepest = deepest.max(steps);
    }
    assert!(rows > 500 && deepest >= 2, "{rows} {deepest}");
}

#[test]
fn threads_do_not_change_the_depths() {
    let one = Tissue::block(6, |p| p);
    let other = Tissue::block(6, |p| p * 0.9 + Vec3::new(2.1, 2.3, 2.2));
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| depths(&[&one, &other]))
    };
    let alone = with(1);
    assert!(alone.len() > 100);
    assert_eq!(alone, with(4));
}

type Cell = [i128; 3];

fn minus(a: Cell, b: Cell) -> Cell {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Cell, b: Cell) -> Cell {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn dot(a: Cell, b: Cell) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn float(a: Cell) -> DVec3 {
    DVec3::from(a.map(|x| x as f64))
}

/// Six times the volume, signed.
fn volume([a, b, c, d]: [Cell; 4]) -> i128 {
    dot(cross(minus(b, a), minus(c, a)), minus(d, a))
}

fn holds(t: [Cell; 4], p: Cell) -> bool {
    let whole = volume(t);
    let part = |k: usize| {
        let mut with = t;
        with[k] = p;
        volume(with) * whole.signum() >= 0
    };
    whole != 0 && (0..4).all(part)
}

/// The paper, line by line: all vertices, all edges, all faces, over integers until the last division.
struct Equations<'a> {
    bodies: &'a [&'a Tissue],
}

type Known = BTreeMap<[u32; 3], (u32, f64, DVec3)>;

impl Equations<'_> {
    fn at(&self, body: usize, v: u32) -> Cell {
        let p = self.bodies[body].positions[v as usize];
        p.to_array().map(|x| x as i128)
    }

    fn inside(&self, body: usize, v: u32, within: usize) -> bool {
        let p = self.at(body, v);
        self.bodies[within]
            .tetrahedra
            .iter()
            .any(|t| !(body == within && t.contains(&v)) && holds(t.map(|c| self.at(within, c)), p))
    }

    fn edges(&self, body: usize) -> BTreeSet<[u32; 2]> {
        let mut all = BTreeSet::new();
        for t in &self.bodies[body].tetrahedra {
            for &u in t {
                t.iter().filter(|&&v| v != u).for_each(|&v| {
                    all.insert([u, v]);
                });
            }
        }
        all
    }

    /// Faces of one tetrahedron only, and the corner opposite.
    fn surface(&self, body: usize) -> Vec<([u32; 3], u32)> {
        let mut seen: HashMap<[u32; 3], Vec<u32>> = HashMap::new();
        for t in &self.bodies[body].tetrahedra {
            for (k, &opposite) in t.iter().enumerate() {
                let others: BTreeSet<u32> = (0..4).filter(|&m| m != k).map(|m| t[m]).collect();
                if let Ok(face) = others.into_iter().collect::<Vec<_>>().try_into() {
                    seen.entry(face).or_default().push(opposite);
                }
            }
        }
        let alone = seen.into_iter().filter(|(_, opposite)| opposite.len() == 1);
        let mut faces: Vec<_> = alone.map(|(face, opposite)| (face, opposite[0])).collect();
        faces.sort_unstable();
        faces
    }

    /// Where the edge leaves first, as a fraction over a denominator, and the outward normal.
    fn exit(
        &self,
        of: usize,
        [v, u]: [u32; 2],
        within: usize,
        surface: &[([u32; 3], u32)],
    ) -> Option<(f64, DVec3)> {
        let (p, q) = (self.at(of, v), self.at(of, u));
        let mut first: Option<(i128, i128, DVec3)> = None;
        for &(face, opposite) in surface {
            if of == within && (face.contains(&v) || face.contains(&u)) {
                continue;
            }
            let [a, b, c] = face.map(|w| self.at(within, w));
            let mut normal = cross(minus(b, a), minus(c, a));
            let inwards = dot(normal, minus(self.at(within, opposite), a));
            let way = dot(normal, minus(q, p));
            // Outwards; a flat tetrahedron lets through what comes.
            if inwards > 0 || (inwards == 0 && way < 0) {
                normal = normal.map(|x| -x);
            }
            let (below, along) = (dot(normal, minus(a, p)), dot(normal, minus(q, p)));
            if along <= 0 || below < 0 || below > along {
                continue;
            }
            // The point is p + below / along (q - p): on the inner side of all three edges, multiplied by the denominator.
            let scaled = |w: Cell| w.map(|x| x * along);
            let point = {
                let (base, step) = (scaled(p), minus(q, p).map(|x| x * below));
                [base[0] + step[0], base[1] + step[1], base[2] + step[2]]
            };
            let turns = [[a, b], [b, c], [c, a]]
                .map(|[s, e]| dot(cross(minus(e, s), minus(point, scaled(s))), normal).signum());
            if turns.contains(&1) && turns.contains(&-1) {
                continue;
            }
            let is_sooner = first.is_none_or(|(n, d, _)| below * d < n * along);
            if is_sooner {
                first = Some((below, along, float(normal).normalize()));
            }
        }
        first.map(|(n, d, normal)| (n as f64 / d as f64, normal))
    }

    fn mean(samples: &[(DVec3, f64, DVec3)]) -> Option<(f64, DVec3)> {
        let at_once: Vec<_> = samples.iter().filter(|s| s.0 == DVec3::ZERO).collect();
        let weighed: Vec<(f64, f64, DVec3)> = match at_once.len() {
            0 => (samples.iter())
                .map(|s| (1.0 / s.0.length_squared(), s.1, s.2))
                .collect(),
            _ => at_once.iter().map(|s| (1.0, s.1, s.2)).collect(),
        };
        let sum: f64 = weighed.iter().map(|s| s.0).sum();
        let depth = weighed.iter().map(|s| s.0 * s.1).sum::<f64>() / sum;
        let direction = weighed.iter().map(|s| s.0 * s.2).sum::<DVec3>() / sum;
        (!samples.is_empty()).then_some((depth, direction))
    }

    fn depths(&self) -> Known {
        let count = self.bodies.len();
        let surfaces: Vec<_> = (0..count).map(|body| self.surface(body)).collect();
        let mut all = Known::new();
        for body in 0..count {
            let edges = self.edges(body);
            for (within, surface) in surfaces.iter().enumerate() {
                let vertices = 0..self.bodies[body].positions.len() as u32;
                let inside: BTreeSet<u32> =
                    vertices.filter(|&v| self.inside(body, v, within)).collect();
                let mut known: BTreeMap<u32, (u32, f64, DVec3)> = BTreeMap::new();
                for &v in &inside {
                    let out = edges
                        .iter()
                        .filter(|e| e[0] == v && !inside.contains(&e[1]));
                    let samples: Vec<_> = out
                        .filter_map(|&e| {
                            let (fraction, normal) = self.exit(body, e, within, surface)?;
                            let way = float(minus(self.at(body, e[1]), self.at(body, v)));
                            Some((way * fraction, (way * fraction).dot(normal), normal))
                        })
                        .collect();
                    if let Some((depth, direction)) = Self::mean(&samples) {
                        known.insert(v, (1, depth, direction));
                    }
                }
                for steps in 2.. {
                    let waiting = inside.iter().filter(|v| !known.contains_key(v));
                    let next: Vec<_> = waiting
                        .filter_map(|&v| {
                            let beside = edges.iter().filter(|e| e[0] == v);
                            let samples: Vec<_> = beside
                                .filter_map(|e| {
                                    let (_, depth, direction) = known.get(&e[1])?;
                                    let out = direction.normalize_or_zero();
                                    let way = float(minus(self.at(body, e[1]), self.at(body, v)));
                                    Some((way, way.dot(out) + depth, out))
                                })
                                .collect();
                            Self::mean(&samples).map(|(d, r)| (v, (steps, d, r)))
                        })
                        .collect();
                    if next.is_empty() {
                        break;
                    }
                    known.extend(next);
                }
                for v in inside {
                    let row = known.get(&v).copied().unwrap_or_default();
                    all.insert([body as u32, v, within as u32], row);
                }
            }
        }
        all
    }
}

/// How many rows there are, and how far from the surface. Where normals nearly cancel, no direction is known to rounding: what such a vertex
/// says, and hands on, is not compared.
fn agrees_with_the_equations(bodies: &[&Tissue]) -> (usize, u32) {
    let expected = Equations { bodies }.depths();
    let found = depths(bodies);
    let keys: Vec<_> = found.iter().map(VertexDepth::key).collect();
    assert_eq!(keys, expected.keys().copied().collect::<Vec<_>>());
    let cancels = expected
        .values()
        .any(|row| row.0 > 0 && row.2.length() < 1e-3);
    for (row, (steps, depth, direction)) in found.iter().zip(expected.values()) {
        assert_eq!(row.steps, *steps, "{row:?}");
        if !cancels || row.steps <= 1 {
            assert!((row.depth - depth).abs() < 1e-9, "{row:?} {depth}");
        }
        if !cancels {
            let out = direction.normalize_or_zero();
            assert!(row.direction.distance(out) < 1e-9, "{row:?} {out}");
        }
    }
    (
        found.len(),
        found.iter().map(|row| row.steps).max().unwrap_or(0),
    )
}
