//! Which vertices are inside which tetrahedra, among any number of deforming bodies: spatial hashing.
//!
//! Teschner et al. 2003 (survey, section 5): an implicit grid whose cells are about as large as a tetrahedron is hashed
//! into a table. First all vertices are put into it; then every tetrahedron asks the cells that its box touches, and the
//! vertices found there are tested at once, which joins the second and the third pass and needs no second table.

mod depths;
mod skin;

use crate::geometry::bounded::{Bounded, Ordered, TooMany};
use crate::geometry::triangle::predicates::volume_sign;
use crate::interrupt;
use crate::memory::{self, ParallelGather};
pub use depths::{VertexDepth, penetration_depths};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// A body of tetrahedra.
#[derive(Clone, Copy)]
pub struct TetrahedralBody<'a> {
    /// Vertex positions; finite.
    pub positions: &'a [Vec3],
    /// Four vertex indices a tetrahedron, in either orientation.
    pub tetrahedra: &'a [[u32; 4]],
}

/// A vertex in a tetrahedron. When both are of the same body, the body intersects itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexInside {
    /// Body and vertex.
    pub vertex: [u32; 2],
    /// Body and tetrahedron.
    pub tetrahedron: [u32; 2],
    /// Weights of the tetrahedron's corners that give the vertex; they sum to 1.
    pub weights: [f64; 4],
}

impl Ordered for VertexInside {
    type Key = [u32; 4];
    fn key(&self) -> [u32; 4] {
        [
            self.vertex[0],
            self.vertex[1],
            self.tetrahedron[0],
            self.tetrahedron[1],
        ]
    }
}

/// All vertices inside or on tetrahedra that they are no corner of, ascending by vertex and then by tetrahedron. Exact;
/// tetrahedra without volume hold nothing. Vertices that no tetrahedron uses count too.
pub fn vertices_inside(
    bodies: &[TetrahedralBody],
    capacity: usize,
) -> Result<Vec<VertexInside>, TooMany> {
    let table = Table::new(bodies);
    let mut lists = Vec::new();
    for (index, body) in bodies.iter().enumerate() {
        let found: Vec<Bounded<VertexInside>> = body
            .tetrahedra
            .par_chunks(512)
            .enumerate()
            .map(|(chunk, run)| {
                let mut found = Bounded::new(capacity);
                for (k, corners) in run.iter().enumerate() {
                    interrupt::check();
                    let id = [index as u32, (chunk * 512 + k) as u32];
                    ask(&table, bodies, id, *corners, &mut found);
                }
                found
            })
            .par_gather();
        lists.extend(found);
    }
    Bounded::merge(lists, capacity)
}

fn ask(
    table: &Table,
    bodies: &[TetrahedralBody],
    id: [u32; 2],
    corners: [u32; 4],
    found: &mut Bounded<VertexInside>,
) {
    let positions = bodies[id[0] as usize].positions;
    let at = corners.map(|v| positions[v as usize]);
    let (min, max) = (
        at[0].min(at[1]).min(at[2]).min(at[3]),
        at[0].max(at[1]).max(at[2]).max(at[3]),
    );
    let exact = at.map(Vec3::as_dvec3);
    table.visit(min, max, |vertex| {
        let p = bodies[vertex[0] as usize].positions[vertex[1] as usize];
        let own = vertex[0] == id[0] && corners.contains(&vertex[1]);
        if own || !(min.cmple(p).all() && p.cmple(max).all()) {
            return;
        }
        if let Some(weights) = weights_inside(&exact, p.as_dvec3()) {
            found.push(VertexInside {
                vertex,
                tetrahedron: id,
                weights,
            });
        }
    });
}

/// Barycentric weights of a point that is inside or on a tetrahedron; decided exactly.
fn weights_inside(t: &[DVec3; 4], p: DVec3) -> Option<[f64; 4]> {
    let whole = volume_sign(t[0], t[1], t[2], t[3]);
    let with = |k: usize| {
        let mut corners = *t;
        corners[k] = p;
        corners
    };
    let inside = |k: usize| {
        let [a, b, c, d] = with(k);
        volume_sign(a, b, c, d) * whole >= 0
    };
    if whole == 0 || !(0..4).all(inside) {
        return None;
    }
    let parts = [0, 1, 2, 3].map(|k| {
        let [a, b, c, d] = with(k).map(|q| q - t[0]);
        // Not negative, as was just decided.
        (b - a).cross(c - a).dot(d - a).abs()
    });
    let sum: f64 = parts.iter().sum();
    Some(if sum > 0.0 {
        parts.map(|v| v / sum)
    } else {
        [0.25; 4]
    })
}

/// All vertices by hashed cell; a bucket is a run of entries.
struct Table {
    cell: f32,
    starts: Vec<u32>,
    entries: Vec<CellEntry>,
}

#[derive(Clone, Copy, Default)]
struct CellEntry {
    cell: [i32; 3],
    vertex: [u32; 2],
}

impl Table {
    fn new(bodies: &[TetrahedralBody]) -> Self {
        let cell = mean_box_size(bodies);
        let count: usize = bodies.iter().map(|b| b.positions.len()).sum();
        let buckets = (2 * count).next_power_of_two().max(16);
        let mut starts = memory::filled(0u32, buckets + 1);
        let each = |visit: &mut dyn FnMut(CellEntry)| {
            for (b, body) in bodies.iter().enumerate() {
                for (v, &p) in body.positions.iter().enumerate() {
                    visit(CellEntry {
                        cell: cell_of(p, cell),
                        vertex: [b as u32, v as u32],
                    });
                }
            }
        };
        each(&mut |entry| starts[bucket(entry.cell, buckets) + 1] += 1);
        for k in 0..buckets {
            starts[k + 1] += starts[k];
        }
        let mut entries = memory::filled(CellEntry::default(), count);
        let mut next = memory::copied(&starts);
        each(&mut |entry| {
            let at = &mut next[bucket(entry.cell, buckets)];
            entries[*at as usize] = entry;
            *at += 1;
        });
        Self {
            cell,
            starts,
            entries,
        }
    }

    /// Every vertex in the cells of a box, once.
    fn visit(&self, min: Vec3, max: Vec3, mut visit: impl FnMut([u32; 2])) {
        let (low, high) = (cell_of(min, self.cell), cell_of(max, self.cell));
        let cells = (0..3)
            .map(|k| (i64::from(high[k]) - i64::from(low[k]) + 1) as u128)
            .product::<u128>();
        if cells > self.entries.len() as u128 {
            // A box as large as the scene: looking at all vertices is cheaper than at all cells.
            self.entries.iter().for_each(|entry| visit(entry.vertex));
            return;
        }
        let buckets = self.starts.len() - 1;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    let k = bucket([x, y, z], buckets);
                    let run = &self.entries[self.starts[k] as usize..self.starts[k + 1] as usize];
                    // Other cells may share the bucket.
                    run.iter()
                        .filter(|e| e.cell == [x, y, z])
                        .for_each(|e| visit(e.vertex));
                }
            }
        }
    }
}

/// Cells as large as the mean box of a tetrahedron: what the paper measured to be the best.
fn mean_box_size(bodies: &[TetrahedralBody]) -> f32 {
    let (mut sum, mut count) = (0.0, 0);
    for body in bodies {
        for t in body.tetrahedra {
            let [a, b, c, d] = t.map(|v| body.positions[v as usize].as_dvec3());
            sum += (a.max(b).max(c).max(d) - a.min(b).min(c).min(d)).max_element();
            count += 1;
        }
    }
    ((sum / f64::from(count.max(1))) as f32).max(f32::MIN_POSITIVE)
}

/// Far cells are clamped; clamping is monotone, so a vertex stays between the corners of the boxes that hold it.
fn cell_of(p: Vec3, cell: f32) -> [i32; 3] {
    p.to_array()
        .map(|x| (f64::from(x) / f64::from(cell)).floor().clamp(-1e9, 1e9) as i32)
}

/// The hash function of Teschner et al. 2003.
fn bucket([x, y, z]: [i32; 3], buckets: usize) -> usize {
    let mix = |c: i32, prime: i64| i64::from(c).wrapping_mul(prime);
    (mix(x, 73_856_093) ^ mix(y, 19_349_663) ^ mix(z, 83_492_791)) as usize & (buckets - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    /// A block of `n^3` cubes of six tetrahedra each.
    pub(super) fn block(n: u32, offset: Vec3, scale: f32) -> (Vec<Vec3>, Vec<[u32; 4]>) {
        let side = n + 1;
        let index = |x: u32, y: u32, z: u32| (z * side + y) * side + x;
        let mut positions = Vec::new();
        for k in 0..side * side * side {
            let p = Vec3::new(
                (k % side) as f32,
                (k / side % side) as f32,
                (k / side / side) as f32,
            );
            positions.push((p + offset) * scale);
        }
        let mut tetrahedra = Vec::new();
        for k in 0..n * n * n {
            let (x, y, z) = (k % n, k / n % n, k / n / n);
            for order in [
                [0, 1, 2],
                [0, 2, 1],
                [1, 0, 2],
                [1, 2, 0],
                [2, 0, 1],
                [2, 1, 0],
            ] {
                let mut at = [x, y, z];
                let mut corners = [index(x, y, z); 4];
                for (step, axis) in order.into_iter().enumerate() {
                    at[axis] += 1;
                    corners[step + 1] = index(at[0], at[1], at[2]);
                }
                tetrahedra.push(corners);
            }
        }
        (positions, tetrahedra)
    }

    /// Inside iff the four weights that solve for the point are not negative: Cramer's rule in i128, no predicates.
    fn holds(t: [[i128; 3]; 4], p: [i128; 3]) -> bool {
        let det = |a: [i128; 3], b: [i128; 3], c: [i128; 3], d: [i128; 3]| {
            let [u, v, w] = [b, c, d].map(|q| [q[0] - a[0], q[1] - a[1], q[2] - a[2]]);
            u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
                + u[2] * (v[0] * w[1] - v[1] * w[0])
        };
        let whole = det(t[0], t[1], t[2], t[3]);
        let parts = [
            det(p, t[1], t[2], t[3]),
            det(t[0], p, t[2], t[3]),
            det(t[0], t[1], p, t[3]),
            det(t[0], t[1], t[2], p),
        ];
        whole != 0 && parts.iter().all(|&v| v * whole.signum() >= 0)
    }

    #[test]
    fn random_soups_agree_with_integer_arithmetic() {
        let mut random = Random::new(90);
        let mut total = 0;
        for round in 0..60 {
            let side = [4, 9, 1000][round % 3];
            let scale = [1.0f32, 2f32.powi(-30), 2f32.powi(30)][round / 3 % 3];
            let mut soup = || {
                let points: Vec<[i128; 3]> = (0..40)
                    .map(|_| [0; 3].map(|_| random.below(side) as i128))
                    .collect();
                let tetrahedra: Vec<[u32; 4]> = (0..30)
                    .map(|_| [0; 4].map(|_| random.below(40) as u32))
                    .collect();
                let positions: Vec<Vec3> = points
                    .iter()
                    .map(|p| Vec3::from(p.map(|c| c as f32)) * scale)
                    .collect();
                (points, positions, tetrahedra)
            };
            let soups = [soup(), soup()];
            let bodies = soups.each_ref().map(|s| TetrahedralBody {
                positions: &s.1,
                tetrahedra: &s.2,
            });
            let mut expected = Vec::new();
            for (bv, sv) in soups.iter().enumerate() {
                for v in 0..sv.0.len() {
                    for (bt, st) in soups.iter().enumerate() {
                        for (t, corners) in st.2.iter().enumerate() {
                            let own = bv == bt && corners.contains(&(v as u32));
                            if !own && holds(corners.map(|c| st.0[c as usize]), sv.0[v]) {
                                expected.push([bv, v, bt, t].map(|k| k as u32));
                            }
                        }
                    }
                }
            }
            let found = vertices_inside(&bodies, usize::MAX).unwrap();
            assert_eq!(found.iter().map(Ordered::key).collect::<Vec<_>>(), expected);
            total += found.len();
            for inside in &found {
                let t = soups[inside.tetrahedron[0] as usize].2[inside.tetrahedron[1] as usize];
                let corners =
                    t.map(|v| soups[inside.tetrahedron[0] as usize].1[v as usize].as_dvec3());
                let rebuilt: DVec3 = (0..4).map(|k| corners[k] * inside.weights[k]).sum();
                let p = soups[inside.vertex[0] as usize].1[inside.vertex[1] as usize].as_dvec3();
                assert!(rebuilt.distance(p) <= 1e-12 * side as f64 * f64::from(scale));
            }
            if !found.is_empty() {
                assert_eq!(
                    vertices_inside(&bodies, found.len() - 1)
                        .unwrap_err()
                        .needed,
                    found.len() as u64
                );
            }
        }
        assert!(total > 200, "{total}");
    }

    #[test]
    fn overlapping_blocks_hold_the_vertices_that_they_must() {
        let (pa, ta) = block(4, Vec3::ZERO, 1.0);
        // Shifted so that 2 x 2 x 2 corners of the second are inside the first, and as many the other way round.
        let (pb, tb) = block(4, Vec3::new(2.5, 2.4, 2.3), 1.0);
        let bodies = [
            TetrahedralBody {
                positions: &pa,
                tetrahedra: &ta,
            },
            TetrahedralBody {
                positions: &pb,
                tetrahedra: &tb,
            },
        ];
        let found = vertices_inside(&bodies, usize::MAX).unwrap();
        let of = |body: u32| {
            found
                .iter()
                .filter(|f| f.vertex[0] == body && f.tetrahedron[0] != body)
                .count()
        };
        assert_eq!((of(0), of(1), found.len()), (8, 8, 16));
    }

    #[test]
    fn a_block_pushed_into_itself_is_found_out() {
        let (mut positions, tetrahedra) = block(3, Vec3::ZERO, 1.0);
        let body = TetrahedralBody {
            positions: &positions,
            tetrahedra: &tetrahedra,
        };
        assert_eq!(vertices_inside(&[body], usize::MAX).unwrap(), []);
        // A corner of the block moves into the opposite cube.
        positions[0] = Vec3::new(2.5, 2.4, 2.3);
        let body = TetrahedralBody {
            positions: &positions,
            tetrahedra: &tetrahedra,
        };
        let found = vertices_inside(&[body], usize::MAX).unwrap();
        assert!(found.iter().any(|f| f.vertex == [0, 0]));
        assert_eq!(vertices_inside(&[], 0).unwrap(), []);
    }
}
