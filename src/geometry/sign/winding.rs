//! Generalised winding numbers: inside and outside of surfaces with holes, overlaps or split vertices.
//!
//! Jacobson et al. 2013 define it as the sum of signed solid angles over 4 pi; Barill et al. 2018 sum far parts at once
//! by their dipoles. Here each far part also has a bound on its error, so the sign is certain: where the bound leaves it
//! open the sum is repeated more exactly, in the end triangle by triangle.

use crate::geometry::hierarchy::bvh::{Bvh, Child};
use crate::geometry::simd::WIDTH;
use crate::geometry::surface::Surface;
use crate::memory::{self, Gather};
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// An index for winding numbers. Thread-safe to query.
#[derive(Clone, Debug)]
pub struct Winding {
    bvh: Bvh,
    /// In the order of the leaves.
    corners: Vec<[DVec3; 3]>,
    parts: Vec<[FarView; WIDTH]>,
    area: f64,
}

/// What a child of a node looks like from afar.
#[derive(Clone, Copy, Debug)]
struct FarView {
    centre: DVec3,
    /// All of the part is within this distance of the centre.
    radius: f64,
    area: f64,
    /// Sum of the area normals.
    normal: DVec3,
    /// Sum of area normal times offset of the centroid: column `j` belongs to offset `j`.
    moment: DMat3,
}

impl FarView {
    const EMPTY: Self = Self {
        centre: DVec3::ZERO,
        radius: 0.0,
        area: 0.0,
        normal: DVec3::ZERO,
        moment: DMat3::ZERO,
    };

    fn of(triangles: &[[DVec3; 3]]) -> Self {
        let mut part = Self::EMPTY;
        let mut middle = DVec3::ZERO;
        for [a, b, c] in triangles {
            let area = 0.5 * (b - a).cross(c - a).length();
            part.area += area;
            middle += (a + b + c) * (area / 3.0);
        }
        part.centre = if part.area > 0.0 {
            middle / part.area
        } else {
            triangles[0][0]
        };
        for [a, b, c] in triangles {
            let normal = 0.5 * (b - a).cross(c - a);
            let offset = (a + b + c) / 3.0 - part.centre;
            part.normal += normal;
            part.moment +=
                DMat3::from_cols(normal * offset.x, normal * offset.y, normal * offset.z);
            part.radius = [a, b, c]
                .iter()
                .fold(part.radius, |r, p| r.max(p.distance(part.centre)));
        }
        part
    }

    /// The part's share of the winding number at `p` by its first two moments, and a bound on the error.
    ///
    /// The share is the integral of `n . F(x - p)` with `F(y) = y / 4 pi |y|^3`. Expanded about the centre to first order,
    /// the rest is at most `area * radius^2 / 2` times the second derivative of `F`, which is the third of
    /// `1 / 4 pi |y|` and so at most `6 / 4 pi |y|^4` (attained along the axis), with `|y|` at least `distance - radius`.
    fn far(&self, p: DVec3) -> (f64, f64) {
        let y = self.centre - p;
        let distance = y.length();
        let gap = distance - self.radius;
        if gap <= 0.0 {
            return (0.0, f64::INFINITY);
        }
        let cubed = 4.0 * PI * distance * distance * distance;
        let u = y / distance;
        let trace = self.moment.x_axis.x + self.moment.y_axis.y + self.moment.z_axis.z;
        let share = (self.normal.dot(y) + trace - 3.0 * u.dot(self.moment * u)) / cubed;
        let squared = gap * gap;
        (
            share,
            3.0 * self.area * self.radius * self.radius / (4.0 * PI * squared * squared),
        )
    }
}

/// The solid angle of a triangle over 4 pi (van Oosterom & Strackee 1983), positive seen from behind.
fn of_triangle(p: DVec3, corners: &[DVec3; 3]) -> f64 {
    let [a, b, c] = corners.map(|x| x - p);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let det = a.dot(b.cross(c));
    let along = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    det.atan2(along) / (2.0 * PI)
}

impl Winding {
    /// Indexes a valid surface.
    pub fn build(surface: Surface) -> Self {
        Self::over(Bvh::build(&surface.triangle_boxes()), surface)
    }

    /// The same over a hierarchy of the surface's triangles that is there already.
    pub fn over(bvh: Bvh, surface: Surface) -> Self {
        let corners: Vec<_> = bvh.order().iter().map(|&t| surface.corners_f64(t)).gather();
        let ranges = bvh.ranges();
        let parts: Vec<[FarView; WIDTH]> = bvh
            .nodes()
            .iter()
            .map(|node| {
                std::array::from_fn(|slot| match node.child(slot) {
                    Child::Unused => FarView::EMPTY,
                    Child::Node(child) => FarView::of(&corners[ranges[child as usize].clone()]),
                    Child::Leaf(start, count) => {
                        FarView::of(&corners[start as usize..(start + count) as usize])
                    }
                })
            })
            .gather();
        let area = parts[0].iter().map(|part| part.area).sum();
        Self {
            bvh,
            corners,
            parts,
            area,
        }
    }

    /// The winding number of all but one triangle at a point of that triangle, off by at most `tolerance`.
    pub fn number_without(&self, triangle: u32, p: DVec3, tolerance: f64) -> f64 {
        let corners = self.bvh.order().iter().position(|&t| t == triangle);
        // What touches the point is summed exactly, so it can be taken away again.
        let own = corners.map_or(0.0, |at| of_triangle(p, &self.corners[at]));
        self.number(p, tolerance) - own
    }

    /// The winding number at `p`, off by at most `tolerance` (and rounding, near 1e-12).
    pub fn number(&self, p: DVec3, tolerance: f64) -> f64 {
        let mut sum = 0.0;
        let mut stack = vec![0u32];
        while let Some(index) = stack.pop() {
            let node = &self.bvh.nodes()[index as usize];
            for (slot, part) in self.parts[index as usize].iter().enumerate() {
                let (share, error) = part.far(p);
                // Each part may err by its share of the area: then all together stay within the tolerance.
                if error <= tolerance * part.area / self.area {
                    sum += share;
                    continue;
                }
                match node.child(slot) {
                    Child::Unused => {}
                    Child::Node(child) => memory::add(&mut stack, child),
                    Child::Leaf(start, count) => {
                        let triangles = &self.corners[start as usize..(start + count) as usize];
                        sum += triangles.iter().map(|t| of_triangle(p, t)).sum::<f64>();
                    }
                }
            }
        }
        sum
    }

    /// The winding number and a bound on its error that is too small to leave open whether it is beyond one half.
    pub fn decide(&self, p: DVec3) -> (f64, f64) {
        for tolerance in [0.2, 0.02, 0.001] {
            let number = self.number(p, tolerance);
            if (number.abs() - 0.5).abs() > tolerance {
                return (number, tolerance);
            }
        }
        (self.number(p, 0.0), 0.0)
    }

    /// Whether the surface winds around `p` at least half a time, in either direction.
    pub fn encloses(&self, p: DVec3) -> bool {
        self.decide(p).0.abs() >= 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes;
    use glam::Vec3;

    #[test]
    fn the_number_counts_how_often_a_point_is_enclosed() {
        let sphere = shapes::sphere(1.0, 40, 30);
        let far = DVec3::new(3.0, 1.0, 2.0);
        for (shape, inside) in [
            (sphere.clone(), 1.0),
            (sphere.clone().flipped(), -1.0),
            (sphere.clone().with(&sphere.clone().map(|p| 2.0 * p)), 2.0),
            (
                sphere
                    .clone()
                    .map(|p| 2.0 * p)
                    .with(&sphere.clone().flipped()),
                0.0,
            ),
            (sphere.split(), 1.0),
        ] {
            let winding = Winding::build(shape.surface());
            for tolerance in [0.0, 0.01] {
                assert!(
                    (winding.number(DVec3::new(0.3, -0.2, 0.4), tolerance) - inside).abs()
                        <= tolerance + 1e-12
                );
                assert!(winding.number(far, tolerance).abs() <= tolerance + 1e-12);
            }
        }
    }

    #[test]
    fn the_centre_of_a_cube_sees_one_sixth_through_each_face() {
        let mut cube = shapes::cuboid(Vec3::ONE, 3);
        cube.triangles.truncate(5 * 18);
        let winding = Winding::build(cube.surface());
        assert!((winding.number(DVec3::ZERO, 0.0) - 5.0 / 6.0).abs() < 1e-14);
        assert!(winding.encloses(DVec3::ZERO));
        // The missing face is z = +1; above it the rest is seen from outside.
        assert!(!winding.encloses(DVec3::new(0.1, 0.2, 2.0)));
        assert!(winding.encloses(DVec3::new(0.1, 0.2, -0.99)));
        assert!(!winding.encloses(DVec3::new(0.1, 0.2, -1.01)));
    }

    #[test]
    fn the_error_stays_within_the_tolerance() {
        let knot = shapes::knot(0.4, 150, 20);
        let winding = Winding::build(knot.surface());
        for i in 0..300 {
            let p = 4.0
                * DVec3::new(
                    (0.37 * f64::from(i)).sin(),
                    (0.71 * f64::from(i)).sin(),
                    0.4 * (1.3 * f64::from(i)).sin(),
                );
            let exact = winding.number(p, 0.0);
            assert!(
                (exact - exact.round()).abs() < 1e-10,
                "a closed surface winds a whole number of times: {exact}"
            );
            for tolerance in [0.2, 0.02, 0.001] {
                assert!((winding.number(p, tolerance) - exact).abs() <= tolerance);
            }
        }
    }
}
