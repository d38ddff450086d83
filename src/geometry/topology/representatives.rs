//! One triangle for each vertex and each edge, so that features shared by several triangles are tested once
//! (representative triangles, Curtis et al. 2008).

use super::adjacency::NONE;
use super::edges::Edges;
use crate::memory;

/// Which corners and sides each triangle answers for. Depends on the triangles only.
pub struct Representatives {
    masks: Vec<u8>,
    /// All edges.
    pub edges: Edges,
}

impl Representatives {
    /// The first triangle of each vertex and of each edge.
    pub fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let edges = Edges::new(triangles, vertices);
        let mut taken_vertices = memory::filled(false, vertices);
        let mut taken_edges = memory::filled(false, edges.ends.len());
        let mut masks = memory::filled(0u8, triangles.len());
        let take = |taken: &mut [bool], at: u32| !std::mem::replace(&mut taken[at as usize], true);
        for (t, corners) in triangles.iter().enumerate() {
            for (k, &v) in corners.iter().enumerate() {
                if take(&mut taken_vertices, v) {
                    masks[t] |= 1 << k;
                }
                let edge = edges.of_half_edges[3 * t + k];
                if edge != NONE && take(&mut taken_edges, edge) {
                    masks[t] |= 8 << k;
                }
            }
        }
        Self { masks, edges }
    }

    /// What a triangle answers for: bit `k` is corner `k`, bit `k + 3` side `k`.
    #[inline]
    pub fn mask(&self, triangle: u32) -> u8 {
        self.masks[triangle as usize]
    }

    /// The corners that a triangle answers for.
    #[inline]
    pub fn corners(&self, triangle: u32) -> impl Iterator<Item = usize> {
        let mask = self.masks[triangle as usize];
        (0..3).filter(move |k| mask >> k & 1 == 1)
    }

    /// The sides that a triangle answers for: side `k` goes from corner `k` to the next.
    #[inline]
    pub fn sides(&self, triangle: u32) -> impl Iterator<Item = usize> {
        let mask = self.masks[triangle as usize] >> 3;
        (0..3).filter(move |k| mask >> k & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fixtures::shapes;

    #[test]
    fn every_vertex_and_every_edge_has_one() {
        let torus = shapes::torus(1.0, 0.4, 12, 8);
        let of = Representatives::new(&torus.triangles, torus.positions.len());
        let triangles = 0..torus.triangles.len() as u32;
        let corners: usize = triangles.clone().map(|t| of.corners(t).count()).sum();
        let sides: usize = triangles.map(|t| of.sides(t).count()).sum();
        // Euler: a torus has as many edges as vertices and faces together.
        assert_eq!(corners, torus.positions.len());
        assert_eq!(sides, torus.positions.len() + torus.triangles.len());
    }

    /// Where three triangles meet, and in triangles that are edges, a side was tested several times.
    #[test]
    fn an_edge_of_many_triangles_has_one_too() {
        let of = Representatives::new(&[[0, 1, 2], [1, 0, 3], [0, 1, 4], [0, 5, 5], [6; 3]], 7);
        let sides: Vec<usize> = (0..5).map(|t| of.sides(t).count()).collect();
        assert_eq!(sides, [3, 2, 2, 1, 0]);
        let corners: Vec<usize> = (0..5).map(|t| of.corners(t).count()).collect();
        assert_eq!(corners, [3, 1, 1, 1, 1]);
    }
}
