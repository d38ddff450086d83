//! Which triangle lies across which edge.
//!
//! Half-edge `3 t + k` is the side of triangle `t` from its corner `k` to its corner `k + 1 mod 3`.

use crate::memory;
use rayon::prelude::*;

/// No half-edge: the edge is a border, non-manifold, or collapsed to a point.
pub const NONE: u32 = u32::MAX;

/// The sides of a triangle soup, paired where exactly two triangles share an edge.
#[derive(Debug)]
pub struct Adjacency {
    /// For each half-edge the one across its edge, or [`NONE`].
    pub twins: Vec<u32>,
    /// Edges with one triangle.
    pub border_edges: u32,
    /// Edges with three or more triangles.
    pub non_manifold_edges: u32,
    /// Edges with an odd number of triangles; when there is none, the triangles are the border of a volume mod 2.
    pub odd_edges: u32,
    /// Edges whose triangles do not run along it equally often in both directions.
    pub unbalanced_edges: u32,
}

/// Whether two of the corners are the same vertex; such a triangle has no sides to share.
#[inline]
pub fn is_collapsed([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

impl Adjacency {
    /// Pairs the sides of the triangles, whose indices must be below `vertices`. Collapsed triangles take no part.
    pub fn of(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let (starts, mut sides) = sides_by_lower_vertex(triangles, vertices, |t| !is_collapsed(t));
        sort_buckets(&starts, &mut sides);
        let mut adjacency = Self {
            twins: memory::filled(NONE, triangles.len() * 3),
            border_edges: 0,
            non_manifold_edges: 0,
            odd_edges: 0,
            unbalanced_edges: 0,
        };
        for bucket in starts.windows(2) {
            for edge in
                sides[bucket[0] as usize..bucket[1] as usize].chunk_by(|a, b| a.upper == b.upper)
            {
                adjacency.add_edge(triangles, edge);
            }
        }
        adjacency
    }

    fn add_edge(&mut self, triangles: &[[u32; 3]], edge: &[Side]) {
        match edge {
            [_] => self.border_edges += 1,
            [a, b] => {
                self.twins[a.half_edge as usize] = b.half_edge;
                self.twins[b.half_edge as usize] = a.half_edge;
            }
            _ => self.non_manifold_edges += 1,
        }
        let forward = edge
            .iter()
            .filter(|side| end(triangles, side.half_edge) == side.upper)
            .count();
        self.odd_edges += (edge.len() % 2) as u32;
        self.unbalanced_edges += u32::from(forward * 2 != edge.len());
    }
}

/// The vertex where a half-edge starts.
#[inline]
pub fn start(triangles: &[[u32; 3]], half_edge: u32) -> u32 {
    triangles[half_edge as usize / 3][half_edge as usize % 3]
}

/// The vertex where a half-edge ends.
#[inline]
pub fn end(triangles: &[[u32; 3]], half_edge: u32) -> u32 {
    triangles[half_edge as usize / 3][(half_edge as usize + 1) % 3]
}

/// A half-edge in the bucket of its lower vertex.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    pub(super) upper: u32,
    pub(super) half_edge: u32,
}

/// Sorts each bucket of [`sides_by_lower_vertex`] by the upper vertex.
pub(super) fn sort_buckets(starts: &[u32], sides: &mut [Side]) {
    let mut buckets = memory::room(starts.len());
    let mut rest = sides;
    for bucket in starts.windows(2) {
        let (head, tail) = rest.split_at_mut((bucket[1] - bucket[0]) as usize);
        buckets.push(head);
        rest = tail;
    }
    buckets
        .into_par_iter()
        .with_min_len(1024)
        .for_each(<[Side]>::sort_unstable);
}

/// The sides of the triangles to `keep`. A counting sort: linear, where sorting the sides by both vertices is not.
pub(super) fn sides_by_lower_vertex(
    triangles: &[[u32; 3]],
    vertices: usize,
    keep: impl Fn([u32; 3]) -> bool,
) -> (Vec<u32>, Vec<Side>) {
    let sides = || {
        triangles
            .iter()
            .enumerate()
            .filter(|(_, t)| keep(**t))
            .flat_map(|(i, &[a, b, c])| {
                let h = i as u32 * 3;
                [(a, b, h), (b, c, h + 1), (c, a, h + 2)]
            })
    };
    let mut starts = memory::filled(0, vertices + 1);
    for (a, b, _) in sides() {
        starts[a.min(b) as usize] += 1;
    }
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    let mut sorted = memory::filled(Side::default(), total as usize);
    for (a, b, half_edge) in sides() {
        let next = &mut starts[a.min(b) as usize];
        *next -= 1;
        sorted[*next as usize] = Side {
            upper: a.max(b),
            half_edge,
        };
    }
    (starts, sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_triangles_share_one_edge() {
        let a = Adjacency::of(&[[0, 1, 2], [2, 1, 3]], 4);
        assert_eq!(a.twins, [NONE, 3, NONE, 1, NONE, NONE]);
        assert_eq!(
            (
                a.border_edges,
                a.non_manifold_edges,
                a.odd_edges,
                a.unbalanced_edges
            ),
            (4, 0, 4, 4)
        );
    }

    #[test]
    fn three_triangles_at_an_edge_have_no_twin_there() {
        let a = Adjacency::of(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]], 5);
        assert!(a.twins.iter().all(|&t| t == NONE));
        assert_eq!((a.border_edges, a.non_manifold_edges), (6, 1));
    }

    #[test]
    fn neighbours_that_run_the_same_way_are_unbalanced() {
        let a = Adjacency::of(&[[0, 1, 2], [0, 1, 3]], 4);
        assert_eq!((a.twins[0], a.twins[3]), (3, 0));
        assert_eq!(a.unbalanced_edges, 5);
    }

    #[test]
    fn a_collapsed_triangle_has_no_sides() {
        let a = Adjacency::of(&[[0, 1, 2], [1, 1, 2], [2, 1, 3]], 4);
        assert_eq!((a.twins[1], a.twins[6]), (6, 1));
        assert_eq!(a.border_edges, 4);
    }
}
