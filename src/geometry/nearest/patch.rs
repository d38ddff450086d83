//! The triangles near a box, and how far their normals spread.

use super::Nearest;
use crate::geometry::aabb::Aabb;
use crate::geometry::simd::{self, LaneKernel, Lanes, WIDTH};
use crate::memory;
use glam::Vec3;

/// Boxes and unit normals of some triangles, eight side by side. Reused from one box to the next.
#[derive(Debug, Default)]
pub struct Patch {
    rows: Vec<BoxRow>,
    count: usize,
    found: Vec<u32>,
    stack: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct BoxRow {
    min: [[f32; WIDTH]; 3],
    max: [[f32; WIDTH]; 3],
    normal: [[f32; WIDTH]; 3],
}

impl BoxRow {
    const EMPTY: Self = Self {
        min: [[f32::INFINITY; WIDTH]; 3],
        max: [[f32::NEG_INFINITY; WIDTH]; 3],
        normal: [[0.0; WIDTH]; 3],
    };
}

impl Patch {
    /// Gathers all triangles whose boxes touch `bounds`. A triangle without area gets no normal.
    pub fn gather(&mut self, nearest: &Nearest, bounds: Aabb) {
        self.found.clear();
        simd::dispatch(GatherPatch {
            nearest,
            bounds,
            stack: &mut self.stack,
            found: &mut self.found,
        });
        self.rows.clear();
        self.count = 0;
        for &item in &self.found {
            let lane = self.count % WIDTH;
            if lane == 0 {
                memory::add(&mut self.rows, BoxRow::EMPTY);
            }
            let corners = nearest.corners(item);
            let triangle = Aabb::of(corners);
            let [a, b, c] = corners.map(Vec3::as_dvec3);
            let normal = (b - a).cross(c - a).normalize_or_zero().as_vec3();
            if let Some(row) = self.rows.last_mut() {
                for axis in 0..3 {
                    row.min[axis][lane] = triangle.min[axis];
                    row.max[axis][lane] = triangle.max[axis];
                    row.normal[axis][lane] = normal[axis];
                }
            }
            self.count += 1;
        }
    }

    /// The least cosine between `axis` and the normal of a gathered triangle whose box is within `radius` of `centre`; 1 if
    /// there is none, and -1 as soon as one is below `useless`.
    pub fn least_cosine(&self, centre: Vec3, radius: f32, axis: Vec3, useless: f32) -> f32 {
        simd::dispatch(LeastCosine {
            rows: &self.rows,
            centre,
            radius,
            axis,
            useless,
        })
    }
}

struct GatherPatch<'a> {
    nearest: &'a Nearest,
    bounds: Aabb,
    stack: &'a mut Vec<u32>,
    found: &'a mut Vec<u32>,
}

impl LaneKernel for GatherPatch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let (min, max) = (
            self.bounds.min.to_array().map(V::splat),
            self.bounds.max.to_array().map(V::splat),
        );
        self.stack.clear();
        self.stack.push(0);
        while let Some(index) = self.stack.pop() {
            let node = &self.nearest.bvh().nodes()[index as usize];
            let touched = node.overlaps(min, max).bits();
            for slot in (0..WIDTH).filter(|slot| touched >> slot & 1 == 1) {
                let (child, count) = (node.children[slot], node.counts[slot]);
                if count == 0 {
                    memory::add(self.stack, child);
                    continue;
                }
                let touches =
                    |&item: &u32| Aabb::of(self.nearest.corners(item)).overlaps(self.bounds);
                memory::ensure_more(self.found, count as usize);
                self.found.extend((child..child + count).filter(touches));
            }
        }
    }
}

struct LeastCosine<'a> {
    rows: &'a [BoxRow],
    centre: Vec3,
    radius: f32,
    axis: Vec3,
    useless: f32,
}

impl LaneKernel for LeastCosine<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<V: Lanes>(self) -> f32 {
        let splat = |v: Vec3| [V::splat(v.x), V::splat(v.y), V::splat(v.z)];
        let (centre, axis) = (splat(self.centre), splat(self.axis));
        // A little more than the radius, for the rounding of the distance.
        let limit = V::splat(self.radius * self.radius * (1.0 + 8.0 * f32::EPSILON));
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        let useless = V::splat(self.useless);
        let mut least = one;
        for row in self.rows {
            let mut squared = zero;
            let mut cosine = zero;
            for k in 0..3 {
                let gap = (V::load(&row.min[k]) - centre[k])
                    .max(centre[k] - V::load(&row.max[k]))
                    .max(zero);
                squared = squared + gap * gap;
                cosine = cosine + V::load(&row.normal[k]) * axis[k];
            }
            least = least.min(squared.le(limit).select(cosine, one));
            if least.lt(useless).bits() != 0 {
                return -1.0;
            }
        }
        least.least()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes;

    #[test]
    fn a_patch_of_a_cube_knows_the_normals_nearby() {
        let cube = shapes::cuboid(Vec3::ONE, 6);
        let nearest = Nearest::build(cube.surface());
        let mut patch = Patch::default();
        patch.gather(
            &nearest,
            Aabb {
                min: Vec3::splat(0.2),
                max: Vec3::splat(1.2),
            },
        );
        let face = Vec3::new(1.0, 0.5, 0.5);
        assert_eq!(patch.least_cosine(face, 0.1, Vec3::X, -1.0), 1.0);
        let edge = Vec3::new(1.0, 0.95, 0.5);
        assert_eq!(patch.least_cosine(edge, 0.1, Vec3::X, -1.0), 0.0);
        assert_eq!(patch.least_cosine(edge, 0.1, Vec3::X, 0.5), -1.0);
        let diagonal = Vec3::new(0.5, 0.5, 0.0).normalize();
        assert!((patch.least_cosine(edge, 0.1, diagonal, -1.0) - 0.5f32.sqrt()).abs() < 1e-6);
        assert_eq!(
            patch.least_cosine(Vec3::splat(0.4), 0.1, Vec3::X, -1.0),
            1.0
        );
    }

    #[test]
    fn gathering_agrees_with_the_boxes() {
        let knot = shapes::knot(0.4, 60, 12);
        let nearest = Nearest::build(knot.surface());
        let bounds = Aabb {
            min: Vec3::new(0.5, -1.0, -0.5),
            max: Vec3::new(2.0, 1.5, 0.7),
        };
        let mut patch = Patch::default();
        patch.gather(&nearest, bounds);
        let touching = (0..knot.triangles.len() as u32)
            .filter(|&t| knot.surface().triangle_box(t).overlaps(bounds));
        assert_eq!(patch.count, touching.count());
        assert!(patch.count > 0);
    }
}
