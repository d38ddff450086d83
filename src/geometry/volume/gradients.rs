//! How the volume changes as single vertices move.
//!
//! By the integral of the outward normal, weighted by the vertex's barycentric share, over the inner parts of its faces. A share is linear within a face, so
//! over a triangle in its plane its mean is that of the three corners.

use super::Intersection;
use super::chain::BoundaryCorner;
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::predicates::normal_of;
use crate::memory::{self, Gather};
use glam::DVec3;

impl Intersection {
    /// For both bodies: vertices of faces that are inside the other or cross it, ascending, and the change of the volume per length as each moves, in the
    /// first body's frame. The surfaces' own triangles tell which of equal vertices a face has.
    pub fn gradients(&self, triangles: [&[[u32; 3]]; 2]) -> [Vec<(u32, DVec3)>; 2] {
        [0, 1].map(|own| {
            let mut sums = VertexSums::new(self.sides[own].points.len());
            for pair in &self.crossed {
                let face = pair.triangles[own] as usize;
                let corners = self.sides[own].corners(pair.triangles[own]);
                for (times, piece) in pair.pieces(own, &corners, self.origin) {
                    sums.add(triangles[own][face], &corners, self.origin, times, piece);
                }
            }
            let levels = &self.levels[own].of_vertices;
            for (face, welded) in self.sides[own].triangles.iter().enumerate() {
                let level = levels[welded[1] as usize];
                if level != 0 {
                    let corners = self.sides[own].corners(face as u32);
                    let whole = corners.map(|p| BoundaryCorner::vertex(p, self.origin));
                    let times = f64::from(level);
                    sums.add(triangles[own][face], &corners, self.origin, times, whole);
                }
            }
            sums.of_touched()
        })
    }
}

struct VertexSums {
    gradients: Vec<DVec3>,
    touched: Vec<bool>,
}

impl VertexSums {
    fn new(vertices: usize) -> Self {
        Self {
            gradients: memory::filled(DVec3::ZERO, vertices),
            touched: memory::filled(false, vertices),
        }
    }

    /// Adds a triangle in the plane of a face with these vertices.
    fn add(
        &mut self,
        vertices: [u32; 3],
        corners: &Triangle,
        origin: DVec3,
        times: f64,
        piece: [BoundaryCorner; 3],
    ) {
        let [p, q, r] = piece.map(|corner| corner.at);
        let area = 0.5 * times * (q - p).cross(r - p);
        let weights = barycentric(corners, (p + q + r) / 3.0 + origin);
        for (vertex, weight) in vertices.into_iter().zip(weights) {
            self.gradients[vertex as usize] += weight * area;
            self.touched[vertex as usize] = true;
        }
    }

    fn of_touched(self) -> Vec<(u32, DVec3)> {
        let all = (0..).zip(self.gradients).zip(self.touched);
        all.filter(|(_, touched)| *touched)
            .map(|(sum, _)| sum)
            .gather()
    }
}

/// Barycentric coordinates of a point in the plane of a face; zeros for a face without area.
fn barycentric([a, b, c]: &Triangle, p: DVec3) -> [f64; 3] {
    let normal = normal_of(b - a, c - a);
    let size = normal.length_squared();
    if size == 0.0 {
        return [0.0; 3];
    }
    let second = normal.dot(normal_of(p - a, c - a)) / size;
    let third = normal.dot(normal_of(b - a, p - a)) / size;
    [1.0 - second - third, second, third]
}
