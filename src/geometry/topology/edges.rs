//! The edges of a triangle soup, each once, whatever meets there.

use super::adjacency::{NONE, sides_by_lower_vertex, sort_buckets};
use crate::memory;

/// All edges, ascending by their lower and then by their upper vertex. They depend on the triangles only.
pub struct Edges {
    /// Lower and upper vertex of each.
    pub ends: Vec<[u32; 2]>,
    /// The edge of half-edge `3 t + k`, or [`NONE`] where it starts and ends at the same vertex.
    pub of_half_edges: Vec<u32>,
}

impl Edges {
    /// Of triangles whose indices are below `vertices`.
    pub fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let (starts, mut sides) = sides_by_lower_vertex(triangles, vertices, |_| true);
        sort_buckets(&starts, &mut sides);
        let mut edges = Self {
            ends: memory::room(sides.len() / 2),
            of_half_edges: memory::filled(NONE, 3 * triangles.len()),
        };
        for (lower, bucket) in starts.windows(2).enumerate() {
            let lower = lower as u32;
            for side in &sides[bucket[0] as usize..bucket[1] as usize] {
                if side.upper == lower {
                    continue;
                }
                if edges.ends.last() != Some(&[lower, side.upper]) {
                    memory::add(&mut edges.ends, [lower, side.upper]);
                }
                edges.of_half_edges[side.half_edge as usize] = edges.ends.len() as u32 - 1;
            }
        }
        edges
    }

    /// How many edges the triangles do not pass as often one way as the other. Without any, a surface winds around every place a whole number of
    /// times, however many triangles meet at an edge and wherever it passes through itself.
    pub fn unbalanced(&self, triangles: &[[u32; 3]]) -> u64 {
        let mut passed = memory::filled(0i32, self.ends.len());
        for (corners, sides) in triangles.iter().zip(self.of_half_edges.as_chunks::<3>().0) {
            for (k, side) in sides.iter().enumerate() {
                if let Some(passed) = passed.get_mut(*side as usize) {
                    *passed += if corners[k] < corners[(k + 1) % 3] {
                        1
                    } else {
                        -1
                    };
                }
            }
        }
        passed.iter().filter(|times| **times != 0).count() as u64
    }
}

/// The vertices that an edge joins to each vertex.
pub struct VertexNeighbours {
    /// Where those of each vertex start, and the end.
    starts: Vec<u32>,
    vertices: Vec<u32>,
}

impl VertexNeighbours {
    /// Of edges whose vertices are below `vertices`.
    pub fn new(edges: &Edges, vertices: usize) -> Self {
        let mut starts = memory::filled(0u32, vertices + 1);
        for &v in edges.ends.as_flattened() {
            starts[v as usize + 1] += 1;
        }
        for v in 0..vertices {
            starts[v + 1] += starts[v];
        }
        let mut next = memory::copied(&starts);
        let mut all = memory::filled(0, 2 * edges.ends.len());
        for &[u, v] in &edges.ends {
            for (from, to) in [(u, v), (v, u)] {
                all[next[from as usize] as usize] = to;
                next[from as usize] += 1;
            }
        }
        Self {
            starts,
            vertices: all,
        }
    }

    /// Those of one vertex.
    pub fn of(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.vertices[self.starts[v] as usize..self.starts[v + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fixtures::shapes;
    use std::collections::BTreeSet;

    /// A torus, a third triangle at an edge, a triangle that is an edge, and one that is a vertex.
    #[test]
    fn each_edge_is_there_once_and_in_order() {
        let torus = shapes::torus(1.0, 0.4, 12, 8);
        let mut triangles = torus.triangles;
        let n = torus.positions.len() as u32;
        let [a, b, _] = triangles[5];
        triangles.extend([[a, b, n], [n, n + 1, n + 1], [n + 2; 3]]);
        let edges = Edges::new(&triangles, n as usize + 3);
        let mut expected = BTreeSet::new();
        for t in &triangles {
            for k in 0..3 {
                let (u, v) = (t[k], t[(k + 1) % 3]);
                if u != v {
                    expected.insert([u.min(v), u.max(v)]);
                }
            }
        }
        assert!(edges.ends.iter().eq(&expected));
        for (t, corners) in triangles.iter().enumerate() {
            for k in 0..3 {
                let (u, v) = (corners[k], corners[(k + 1) % 3]);
                match edges.of_half_edges[3 * t + k] {
                    NONE => assert_eq!(u, v),
                    edge => assert_eq!(edges.ends[edge as usize], [u.min(v), u.max(v)]),
                }
            }
        }
        let neighbours = VertexNeighbours::new(&edges, n as usize + 3);
        for v in 0..n + 3 {
            let mut of = neighbours.of(v).to_vec();
            of.sort_unstable();
            let joined = |e: &&[u32; 2]| e.contains(&v);
            let other = |e: &[u32; 2]| if e[0] == v { e[1] } else { e[0] };
            assert!(of.into_iter().eq(expected.iter().filter(joined).map(other)));
        }
    }
}
