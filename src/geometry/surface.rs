//! A borrowed indexed triangle mesh: what all of `geometry` works on.

use crate::geometry::aabb::Aabb;
use crate::geometry::positions::Positions;
use crate::memory::ParallelGather;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Triangles over shared positions. Counter-clockwise from outside when oriented.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// Vertex positions.
    pub positions: Positions<'a>,
    /// Three vertex indices per triangle.
    pub triangles: &'a [[u32; 3]],
}

impl<'a> Surface<'a> {
    /// The corners of a triangle, rounded to single precision: for estimates, and for bounds with room for the rounding. (Written out:
    /// `map` on an array is not always inlined, and this is called most of all.)
    #[inline(always)]
    pub fn rounded_corners(&self, triangle: u32) -> [Vec3; 3] {
        let [a, b, c] = self.triangles[triangle as usize];
        let at = self.positions.rounded();
        [at[a as usize], at[b as usize], at[c as usize]]
    }

    /// The corners of a triangle in double precision, exactly.
    #[inline(always)]
    pub fn corners_f64(&self, triangle: u32) -> [DVec3; 3] {
        let [a, b, c] = self.triangles[triangle as usize];
        let at = self.positions;
        [at.at(a), at.at(b), at.at(c)]
    }

    /// The box of a triangle, rounded outwards.
    #[inline]
    pub fn triangle_box(&self, triangle: u32) -> Aabb {
        self.positions.box_of(self.triangles[triangle as usize])
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
            positions: (&self.positions).into(),
            triangles: &self.triangles,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_positions_do_not_count_in_the_bounds() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::splat(9.0)];
        let surface = Surface {
            positions: (&positions[..]).into(),
            triangles: &[[0, 1, 2]],
        };
        assert_eq!(surface.bounds().max, Vec3::new(1.0, 1.0, 0.0));
    }
}
