//! One triangle for each vertex and each edge, so that features shared by several triangles are tested once
//! (representative triangles, Curtis et al. 2008).

use super::adjacency::{Adjacency, NONE};
use crate::memory;

/// Which corners and sides each triangle answers for. Depends on the triangles only.
pub struct Representatives(Vec<u8>);

impl Representatives {
    /// The first triangle of each vertex and of each edge.
    pub fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let twins = Adjacency::of(triangles, vertices).twins;
        let mut taken = memory::filled(false, vertices);
        let mut masks = memory::filled(0u8, triangles.len());
        for (t, corners) in triangles.iter().enumerate() {
            for (k, &v) in corners.iter().enumerate() {
                if !std::mem::replace(&mut taken[v as usize], true) {
                    masks[t] |= 1 << k;
                }
                let side = 3 * t + k;
                // A side without a twin is its own: on borders, and where three or more meet.
                if twins[side] == NONE || side < twins[side] as usize {
                    masks[t] |= 8 << k;
                }
            }
        }
        Self(masks)
    }

    /// The corners that a triangle answers for.
    pub fn corners(&self, triangle: u32) -> impl Iterator<Item = usize> {
        let mask = self.0[triangle as usize];
        (0..3).filter(move |k| mask >> k & 1 == 1)
    }

    /// The sides that a triangle answers for: side `k` goes from corner `k` to the next.
    pub fn sides(&self, triangle: u32) -> impl Iterator<Item = usize> {
        let mask = self.0[triangle as usize] >> 3;
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
}
