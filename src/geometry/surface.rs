//! A borrowed indexed triangle mesh: what all of `geometry` works on.

use crate::geometry::aabb::Aabb;
use crate::memory::ParallelGather;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Triangles over shared positions. Counter-clockwise from outside when oriented.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// Vertex positions.
    pub positions: &'a [Vec3],
    /// Three vertex indices a triangle.
    pub triangles: &'a [[u32; 3]],
}

/// What makes positions and indices unusable as a surface.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InvalidSurface {
    /// A coordinate is NaN, infinite, or so large that squared distances overflow.
    #[error("position {vertex} is ({}, {}, {}): every coordinate must be finite and at most 1e18", position.x, position.y, position.z)]
    NotFinite {
        /// The first such vertex.
        vertex: u32,
        /// Its position.
        position: Vec3,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} uses vertex {index}, but there are only {vertices} vertices")]
    IndexOutOfRange {
        /// The first such triangle.
        triangle: u32,
        /// The index that is too large.
        index: u32,
        /// The number of vertices.
        vertices: u32,
    },
    /// More elements than 32-bit ids can name.
    #[error(
        "{vertices} vertices and {triangles} triangles: at most {} and {} are supported",
        Surface::MAX_VERTICES,
        Surface::MAX_TRIANGLES
    )]
    TooLarge {
        /// The number of vertices.
        vertices: usize,
        /// The number of triangles.
        triangles: usize,
    },
}

impl<'a> Surface<'a> {
    /// Beyond it a squared distance may exceed the range of `f32`.
    pub const MAX_COORDINATE: f32 = 1e18;
    /// Vertices are named by `u32`, and `u32::MAX` means none.
    pub const MAX_VERTICES: usize = u32::MAX as usize;
    /// Half-edges (three per triangle) are named by `u32`, and `u32::MAX` means none.
    pub const MAX_TRIANGLES: usize = (u32::MAX / 3) as usize;

    /// Checks what the rest of `geometry` takes for granted: finite positions, indices in range, sizes that fit.
    pub fn validate(&self) -> Result<(), InvalidSurface> {
        let (vertices, triangles) = (self.positions.len(), self.triangles.len());
        if vertices > Self::MAX_VERTICES || triangles > Self::MAX_TRIANGLES {
            return Err(InvalidSurface::TooLarge {
                vertices,
                triangles,
            });
        }
        if let Some(vertex) = self
            .positions
            .par_iter()
            .position_first(|p| !p.abs().cmple(Vec3::splat(Self::MAX_COORDINATE)).all())
        {
            return Err(InvalidSurface::NotFinite {
                vertex: vertex as u32,
                position: self.positions[vertex],
            });
        }
        let vertices = vertices as u32;
        let outside = |t: &[u32; 3]| t.iter().copied().find(|&v| v >= vertices);
        if let Some(triangle) = self
            .triangles
            .par_iter()
            .position_first(|t| outside(t).is_some())
        {
            let index = outside(&self.triangles[triangle]).unwrap_or(vertices);
            return Err(InvalidSurface::IndexOutOfRange {
                triangle: triangle as u32,
                index,
                vertices,
            });
        }
        Ok(())
    }

    /// The corners of a triangle. (Written out: `map` on an array is not always inlined, and this is called most of all.)
    #[inline(always)]
    pub fn corners(&self, triangle: u32) -> [Vec3; 3] {
        let [a, b, c] = self.triangles[triangle as usize];
        [
            self.positions[a as usize],
            self.positions[b as usize],
            self.positions[c as usize],
        ]
    }

    /// The corners of a triangle in double precision, exactly.
    #[inline(always)]
    pub fn corners_f64(&self, triangle: u32) -> [DVec3; 3] {
        let [a, b, c] = self.corners(triangle);
        [a.as_dvec3(), b.as_dvec3(), c.as_dvec3()]
    }

    /// The box of a triangle.
    #[inline]
    pub fn triangle_box(&self, triangle: u32) -> Aabb {
        Aabb::of(self.corners(triangle))
    }

    /// The box of every triangle, in order.
    pub fn triangle_boxes(&self) -> Vec<Aabb> {
        (0..self.triangles.len() as u32)
            .into_par_iter()
            .with_min_len(4096)
            .map(|t| self.triangle_box(t))
            .par_gather()
    }

    /// The box of all triangles; positions that no triangle uses do not count.
    pub fn bounds(&self) -> Aabb {
        (0..self.triangles.len() as u32)
            .into_par_iter()
            .with_min_len(4096)
            .map(|t| self.triangle_box(t))
            .reduce(|| Aabb::EMPTY, Aabb::union)
    }
}

/// The tests' meshes as surfaces.
#[cfg(test)]
pub(crate) trait AsSurface {
    fn surface(&self) -> Surface<'_>;
}

#[cfg(test)]
impl AsSurface for fixtures::shapes::Shape {
    fn surface(&self) -> Surface<'_> {
        Surface {
            positions: &self.positions,
            triangles: &self.triangles,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

    #[test]
    fn a_good_surface_is_accepted() {
        let surface = Surface {
            positions: &CORNERS,
            triangles: &[[0, 1, 2]],
        };
        assert_eq!(surface.validate(), Ok(()));
        assert_eq!(
            surface.bounds(),
            Aabb {
                min: Vec3::ZERO,
                max: Vec3::new(1.0, 1.0, 0.0)
            }
        );
    }

    #[test]
    fn the_first_bad_value_is_named() {
        let positions = [Vec3::ZERO, Vec3::new(0.0, f32::NAN, 0.0), Vec3::INFINITY];
        let error = Surface {
            positions: &positions,
            triangles: &[],
        }
        .validate()
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            "position 1 is (0, NaN, 0): every coordinate must be finite and at most 1e18"
        );

        let error = Surface {
            positions: &CORNERS,
            triangles: &[[0, 1, 2], [0, 7, 3]],
        }
        .validate()
        .unwrap_err();
        assert_eq!(
            error,
            InvalidSurface::IndexOutOfRange {
                triangle: 1,
                index: 7,
                vertices: 3
            }
        );
        assert_eq!(
            error.to_string(),
            "triangle 1 uses vertex 7, but there are only 3 vertices"
        );
    }

    #[test]
    fn unused_positions_do_not_count_in_the_bounds() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::splat(9.0)];
        let surface = Surface {
            positions: &positions,
            triangles: &[[0, 1, 2]],
        };
        assert_eq!(surface.bounds().max, Vec3::new(1.0, 1.0, 0.0));
    }
}
