//! How the volume changes as single vertices move.
//!
//! By the integral of the outward normal, weighted by the vertex's barycentric share, over the inner parts of its faces. A share is linear within a face, so
//! over a triangle in its plane its mean is that of the three corners.

use super::Intersection;
use super::chain::BoundaryCorner;
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::predicates::normal_of;
use crate::interrupt;
use crate::memory::{self, Gather};
use glam::DVec3;

/// How the volume changes as a vertex moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceGradient {
    /// The vertex of its surface.
    pub vertex: u32,
    /// The change per length, in the first body's frame.
    pub gradient: DVec3,
    /// How far the exact one can be from it.
    pub error: f64,
}

impl Intersection {
    /// For both bodies: vertices of faces that are inside the other or cross it, ascending. The surfaces' own triangles tell which of equal vertices a face has.
    pub fn gradients(&self, triangles: [&[[u32; 3]]; 2]) -> [Vec<SurfaceGradient>; 2] {
        [0, 1].map(|own| {
            interrupt::check();
            let mut sums = VertexSums {
                sums: memory::filled(VertexSum::default(), self.sides[own].points.len()),
                size: self.size,
            };
            for pair in &self.crossed {
                let face = Shares::of(&self.sides[own].corners(pair.triangles[own]), self.origin);
                let vertices = triangles[own][pair.triangles[own] as usize];
                for (times, piece) in pair.pieces(own, &face.corners, self.origin) {
                    sums.add(vertices, &face, times, piece);
                }
            }
            let levels = &self.levels[own].of_vertices;
            for (number, welded) in self.sides[own].triangles.iter().enumerate() {
                let level = levels[welded[1] as usize];
                if level != 0 {
                    let face = Shares::of(&self.sides[own].corners(number as u32), self.origin);
                    let whole = face.corners.map(|p| BoundaryCorner::vertex(p, self.origin));
                    sums.add(triangles[own][number], &face, f64::from(level), whole);
                }
            }
            sums.of_touched()
        })
    }
}

#[derive(Clone, Copy, Default)]
struct VertexSum {
    gradient: DVec3,
    error: f64,
    /// Of the lengths of what was added.
    length: f64,
    /// How many additions there were.
    count: u32,
}

struct VertexSums {
    sums: Vec<VertexSum>,
    /// No coordinate of a corner is larger.
    size: f64,
}

impl VertexSums {
    /// Adds a triangle in the plane of a face with these vertices.
    fn add(&mut self, vertices: [u32; 3], face: &Shares, times: f64, piece: [BoundaryCorner; 3]) {
        let [p, q, r] = piece.map(|corner| corner.at);
        let (u, v) = (q - p, r - p);
        let area = 0.5 * times * u.cross(v);
        let (length, sides) = (area.length(), u.length() * v.length());
        let off = piece.iter().fold(0.0, |most, c| c.error.max(most));
        // As in `ChainSums`.
        let area_error = times.abs()
            * (off * (u.length() + v.length() + 2.0 * off) + 2.0 * f64::EPSILON * sides);
        let off = off + 16.0 * f64::EPSILON * self.size;
        for (vertex, [share, share_error]) in
            vertices.into_iter().zip(face.at((p + q + r) / 3.0, off))
        {
            let sum = &mut self.sums[vertex as usize];
            sum.gradient += share * area;
            // Exact shares are between 0 and 1.
            sum.error += share_error * (length + area_error) + area_error;
            sum.length += share.abs() * length;
            sum.count += 1;
        }
    }

    fn of_touched(self) -> Vec<SurfaceGradient> {
        let touched = (0..).zip(self.sums).filter(|(_, sum)| sum.count > 0);
        touched
            .map(|(vertex, sum)| {
                let added = f64::from(sum.count + 4) * f64::EPSILON * sum.length;
                SurfaceGradient {
                    vertex,
                    gradient: sum.gradient,
                    error: (1.0 + 1e-6) * (sum.error + added),
                }
            })
            .gather()
    }
}

/// What barycentric coordinates within a face are found by.
struct Shares {
    corners: Triangle,
    /// The first corner, from the origin.
    first: DVec3,
    normal: DVec3,
    /// How fast the coordinates change at most, per length.
    slope: f64,
    /// How far they can be off by the rounding of the normal, as a part of themselves.
    error: f64,
}

impl Shares {
    fn of(corners: &Triangle, origin: DVec3) -> Self {
        let [a, b, c] = *corners;
        let (u, v) = (b - a, c - a);
        let normal = normal_of(u, v);
        let longest = u.length().max(v.length()).max(v.distance(u));
        let slope = longest / normal.length();
        Self {
            corners: *corners,
            first: a - origin,
            normal,
            slope,
            error: 16.0 * f64::EPSILON * longest * slope,
        }
    }

    /// The coordinates of a point in the face's plane, and how far each can be off when the point is off by so much; zeros for a face without area.
    fn at(&self, p: DVec3, off: f64) -> [[f64; 2]; 3] {
        let [a, b, c] = self.corners;
        let size = self.normal.length_squared();
        if size == 0.0 {
            return [[0.0, 1.0]; 3];
        }
        let from = p - self.first;
        let second = self.normal.dot(normal_of(from, c - a)) / size;
        let third = self.normal.dot(normal_of(b - a, from)) / size;
        let shares = [1.0 - second - third, second, third];
        let error = 2.0 * self.slope * off + self.error * (1.0 + second.abs() + third.abs());
        // Exact ones are between 0 and 1; an error that is no number is as bad as any.
        shares.map(|share| [share, error.min(1.0 + share.abs())])
    }
}
