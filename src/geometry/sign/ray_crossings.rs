//! What rays along x cross of a surface, decided exactly and without ties, and so how often a closed one winds around points.

use crate::geometry::PORTION;
use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::bvh::Node;
use crate::geometry::hierarchy::dual::{FittedSurface, PlacedSurface};
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::rounding::{round_down_each, round_up_each};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch, load_rows};
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::perturbed::{Owner, crossing};
use crate::interrupt;
use crate::memory;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// The winding number of a closed surface around each point. A point on the surface counts as moved by less than anything: the same way every time.
pub fn winding_numbers(body: FittedSurface, points: &[DVec3]) -> Vec<i32> {
    let placement = Placement::default();
    numbers_around(&PlacedSurface { body, placement }, Owner::First, points)
}

/// The same around points of the body `owner`, of two.
pub fn numbers_around(around: &PlacedSurface, owner: Owner, points: &[DVec3]) -> Vec<i32> {
    let bounds = around.bounds();
    let mut numbers = memory::filled(0, points.len());
    (numbers.par_chunks_mut(PORTION))
        .zip(points.par_chunks(PORTION))
        .for_each(|(numbers, points)| {
            interrupt::check();
            dispatch(FindCrossings {
                of: around,
                owner,
                rays: points.iter().map(|p| Ray::from(*p, bounds)),
                found: |ray: usize, _, change| numbers[ray] -= change,
            });
        });
    numbers
}

/// All triangles that a ray from a point of the body `owner` crosses towards larger x: 1 where it goes in, -1 where it goes out.
pub fn crossed_along_x(of: &PlacedSurface, owner: Owner, from: DVec3) -> Vec<(u32, i32)> {
    let mut crossed = Vec::new();
    dispatch(FindCrossings {
        of,
        owner,
        rays: std::iter::once(Ray::upwards(from, of.bounds())),
        found: |_, triangle, change| memory::add(&mut crossed, (triangle, change)),
    });
    crossed
}

struct FindCrossings<'a, I, F> {
    of: &'a PlacedSurface<'a>,
    owner: Owner,
    rays: I,
    /// Gets the number of the ray, the triangle, and how it is crossed.
    found: F,
}

impl<I: Iterator<Item = Ray>, F: FnMut(usize, u32, i32)> LaneKernel for FindCrossings<'_, I, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(mut self) {
        let PlacedSurface { body, placement } = self.of;
        let mut stack = Vec::new();
        for (number, ray) in self.rays.enumerate() {
            let corner = |v: Vec3| v.to_array().map(V::splat);
            let (min, max) = (corner(ray.bounds.min), corner(ray.bounds.max));
            memory::add(&mut stack, 0);
            while let Some(index) = stack.pop() {
                let node = &body.bvh.nodes()[index as usize];
                let touched = self.of.overlaps(node, min, max).bits();
                for slot in (0..WIDTH).filter(|slot| touched >> slot & 1 == 1) {
                    let (child, count) = (node.children[slot], node.counts[slot]);
                    if count == 0 {
                        memory::add(&mut stack, child);
                        continue;
                    }
                    let leaf = &body.bvh.order()[child as usize..(child + count) as usize];
                    for &triangle in leaf {
                        let corners = placement.corners(&body.surface, triangle);
                        if ray.may_cross(&corners) {
                            let change = crossing(self.owner, ray.ends, &corners);
                            if change != 0 {
                                (self.found)(number, triangle, change);
                            }
                        }
                    }
                }
            }
        }
    }
}

impl PlacedSurface<'_> {
    /// Which of a node's boxes overlap a box.
    #[inline(always)]
    fn overlaps<V: Lanes>(&self, node: &Node, min: [V; 3], max: [V; 3]) -> V {
        let Some(pose) = &self.placement.0 else {
            return node.overlaps(min, max);
        };
        let (low, high) = (load_rows::<V>(&node.min), load_rows(&node.max));
        // Unused slots are infinite, and their images are not numbers: they overlap nothing.
        let (low, high) = pose.boxes_there.boxes(low, high);
        let mut mask = low[0].le(max[0]) & min[0].le(high[0]);
        for axis in 1..3 {
            mask = mask & low[axis].le(max[axis]) & min[axis].le(high[axis]);
        }
        mask
    }
}

/// From a point along x, out of a box.
struct Ray {
    ends: [DVec3; 2],
    bounds: Aabb,
}

impl Ray {
    /// On the nearer side.
    fn from(p: DVec3, around: Aabb) -> Self {
        let (least, most) = (f64::from(around.min.x), f64::from(around.max.x));
        if p.x - least < most - p.x {
            Self::between(p, p.with_x(least.min(p.x) - Self::margin(p, around)))
        } else {
            Self::upwards(p, around)
        }
    }

    /// On the side of larger x.
    fn upwards(p: DVec3, around: Aabb) -> Self {
        let most = f64::from(around.max.x);
        Self::between(p, p.with_x(most.max(p.x) + Self::margin(p, around)))
    }

    /// Enough that no rounding leaves the end inside.
    fn margin(p: DVec3, around: Aabb) -> f64 {
        1.0 + f64::from(around.max.x - around.min.x) + 1e-6 * p.x.abs()
    }

    fn between(p: DVec3, end: DVec3) -> Self {
        Self {
            ends: [p, end],
            bounds: Aabb {
                min: round_down_each(p.min(end)),
                max: round_up_each(p.max(end)),
            },
        }
    }

    /// Not when it goes beside a triangle.
    #[inline]
    fn may_cross(&self, [a, b, c]: &Triangle) -> bool {
        let (low, high) = (a.min(*b).min(*c), a.max(*b).max(*c));
        let p = self.ends[0];
        low.y <= p.y && p.y <= high.y && low.z <= p.z && p.z <= high.z
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
    use glam::{DAffine3, DQuat};

    fn numbers(shape: &Shape, points: &[DVec3]) -> Vec<i32> {
        let bvh = Bvh::build(&shape.surface().triangle_boxes());
        let body = FittedSurface {
            surface: shape.surface(),
            bvh: &bvh,
        };
        winding_numbers(body, points)
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
    fn a_placed_surface_winds_as_the_moved_one_does() {
        let shape = shapes::knot(0.4, 90, 12);
        let bvh = Bvh::build(&shape.surface().triangle_boxes());
        let body = FittedSurface {
            surface: shape.surface(),
            bvh: &bvh,
        };
        let mut random = Random::new(22);
        for _ in 0..10 {
            let turn = DQuat::from_scaled_axis(3.0 * random.in_cube());
            let pose = DAffine3::from_rotation_translation(turn, random.in_cube());
            let placed = PlacedSurface {
                body,
                placement: Placement::new(pose),
            };
            let points: Vec<DVec3> = (0..200).map(|_| 2.0 * random.in_cube()).collect();
            let there: Vec<DVec3> = points.iter().map(|p| pose.transform_point3(*p)).collect();
            assert_eq!(
                numbers_around(&placed, Owner::First, &there),
                numbers(&shape, &points)
            );
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
