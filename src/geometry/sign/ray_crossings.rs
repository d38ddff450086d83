//! How often a closed surface winds around points: by the triangles that a ray crosses, decided exactly and without ties.

use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::rounding::{round_down_each, round_up_each};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::geometry::triangle::perturbed::{Owner, crossing};
use crate::memory;
use glam::{DVec3, Vec3};

/// The winding number of a closed surface around each point. A point on the surface counts as moved by less than anything: the same way every time.
pub fn winding_numbers(body: FittedSurface, points: &[DVec3], numbers: &mut [i32]) {
    dispatch(CountCrossings {
        body,
        points,
        numbers,
    });
}

struct CountCrossings<'a> {
    body: FittedSurface<'a>,
    points: &'a [DVec3],
    numbers: &'a mut [i32],
}

impl LaneKernel for CountCrossings<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let bounds = self.body.bvh.bounds();
        let mut stack = Vec::new();
        for (p, number) in self.points.iter().zip(self.numbers) {
            *number = 0;
            let ray = Ray::from(*p, bounds);
            if !ray.bounds.overlaps(bounds) {
                continue;
            }
            let corner = |v: Vec3| v.to_array().map(V::splat);
            let (min, max) = (corner(ray.bounds.min), corner(ray.bounds.max));
            memory::add(&mut stack, 0);
            while let Some(index) = stack.pop() {
                let node = &self.body.bvh.nodes()[index as usize];
                let touched = node.overlaps(min, max).bits();
                for slot in (0..WIDTH).filter(|slot| touched >> slot & 1 == 1) {
                    let (child, count) = (node.children[slot], node.counts[slot]);
                    if count == 0 {
                        memory::add(&mut stack, child);
                        continue;
                    }
                    let leaf = &self.body.bvh.order()[child as usize..(child + count) as usize];
                    for &triangle in leaf {
                        if self
                            .body
                            .surface
                            .triangle_box(triangle)
                            .overlaps(ray.bounds)
                        {
                            let corners = self.body.surface.corners_f64(triangle);
                            *number -= crossing(Owner::First, [*p, ray.end], &corners);
                        }
                    }
                }
            }
        }
    }
}

/// From a point along x, out of the surface's box on the nearer side.
struct Ray {
    end: DVec3,
    bounds: Aabb,
}

impl Ray {
    fn from(p: DVec3, around: Aabb) -> Self {
        let (least, most) = (f64::from(around.min.x), f64::from(around.max.x));
        // Beyond the box by enough that no rounding leaves it inside.
        let margin = 1.0 + (most - least) + 1e-6 * p.x.abs();
        let end = if p.x - least < most - p.x {
            p.with_x(least.min(p.x) - margin)
        } else {
            p.with_x(most.max(p.x) + margin)
        };
        Self {
            end,
            bounds: Aabb {
                min: round_down_each(p.min(end)),
                max: round_up_each(p.max(end)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hierarchy::bvh::Bvh;
    use crate::geometry::random::Random;
    use crate::geometry::sign::winding::Winding;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes::{self, Shape};

    fn numbers(shape: &Shape, points: &[DVec3]) -> Vec<i32> {
        let bvh = Bvh::build(&shape.surface().triangle_boxes());
        let body = FittedSurface {
            surface: shape.surface(),
            bvh: &bvh,
        };
        let mut numbers = vec![i32::MAX; points.len()];
        winding_numbers(body, points, &mut numbers);
        numbers
    }

    #[test]
    fn crossings_count_what_solid_angles_add_up_to() {
        let sphere = shapes::sphere(1.0, 24, 16);
        let mut random = Random::new(21);
        for shape in [
            shapes::knot(0.4, 90, 12),
            sphere.clone().with(&sphere.clone().map(|p| 1.5 * p)),
            sphere
                .clone()
                .with(&sphere.clone().map(|p| 0.5 * p).flipped()),
            sphere.clone().flipped(),
            sphere.split(),
        ] {
            let points: Vec<DVec3> = (0..400).map(|_| 2.0 * random.in_cube()).collect();
            let winding = Winding::build(shape.surface());
            for (p, number) in points.iter().zip(numbers(&shape, &points)) {
                let angle = winding.number(*p, 0.0);
                assert!(
                    (angle - f64::from(number)).abs() < 1e-9,
                    "{p}: {number} {angle}"
                );
            }
        }
    }

    #[test]
    fn rays_along_faces_edges_and_through_corners_count_right() {
        let cube = shapes::cuboid(Vec3::ONE, 4);
        // On the grid that the corners are on; never on the surface itself.
        let steps = [-1.5, -0.5, 0.0, 0.5, 1.5];
        let mut points = Vec::new();
        for x in steps {
            for y in [-1.0, -0.5, 0.0, 0.5, 1.0, 1.5] {
                points.extend(steps.map(|z| DVec3::new(x, y, z)));
            }
        }
        for (p, number) in points.iter().zip(numbers(&cube, &points)) {
            let most = p.abs().max_element();
            if most != 1.0 {
                assert_eq!(number, i32::from(most < 1.0), "{p}");
            }
        }
        // On the surface: one answer for all places of a face, inside on the side that the surface is moved to.
        let on = |x: f64| numbers(&cube, &[DVec3::new(x, 0.5, 0.25), DVec3::new(x, 0.1, -0.7)]);
        assert_eq!((on(1.0), on(-1.0)), (vec![1, 1], vec![0, 0]));
    }
}
