//! The shortest way out of a body: the place of its surface nearest to a point inside.

use super::PORTION;
use super::hierarchy::bvh::{Child, Node};
use super::hierarchy::dual::FittedSurface;
use super::simd::{LaneKernel, Lanes, dispatch};
use super::triangle::closest::on_triangle;
use crate::interrupt;
use crate::memory::{self, Gather, ParallelGather};
use glam::DVec3;
use rayon::prelude::*;

/// The place of a surface nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPlace {
    /// Where it is.
    pub point: DVec3,
    /// How far from the point.
    pub distance: f64,
    /// The triangle that it is on.
    pub triangle: u32,
}

impl NearestPlace {
    const NOWHERE: Self = Self {
        point: DVec3::ZERO,
        distance: f64::INFINITY,
        triangle: u32::MAX,
    };
}

/// The nearest place for each point. A surface without triangles has none: it is infinitely far.
pub fn nearest_places(body: FittedSurface, points: &[DVec3]) -> Vec<NearestPlace> {
    let parts: Vec<Vec<NearestPlace>> = (points.par_chunks(PORTION))
        .map(|points| {
            interrupt::check();
            dispatch(FindNearest { body, points })
        })
        .par_gather();
    parts.into_iter().flatten().gather()
}

struct FindNearest<'a> {
    body: FittedSurface<'a>,
    points: &'a [DVec3],
}

impl LaneKernel for FindNearest<'_> {
    type Output = Vec<NearestPlace>;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Self::Output {
        let mut stack = Vec::new();
        let search = |point: &DVec3| search::<V>(self.body, *point, &mut stack);
        self.points.iter().map(search).gather()
    }
}

/// How far the box of a node is, squared, and the node.
type NodeGap = (f32, u32);

#[inline(always)]
fn search<V: Lanes>(body: FittedSurface, point: DVec3, stack: &mut Vec<NodeGap>) -> NearestPlace {
    let rounded = point.as_vec3();
    let slack = rounded.as_dvec3().distance(point);
    // Gaps are computed in floats, from the rounded point: seven roundings, each of 2^-24.
    let limit = |distance: f64| ((distance + slack).powi(2) * (1.0 + 1e-6)) as f32;
    let lanes = rounded.to_array().map(V::splat);
    let mut best = NearestPlace::NOWHERE;
    let mut farthest = f32::INFINITY;
    memory::add(stack, (0.0, 0));
    while let Some((gap, index)) = stack.pop() {
        if gap > farthest {
            continue;
        }
        let node = &body.bvh.nodes()[index as usize];
        let gaps = gaps_squared(node, lanes).store();
        let first = stack.len();
        for (slot, gap) in gaps.into_iter().enumerate() {
            if gap > farthest {
                continue;
            }
            match node.child(slot) {
                Child::Unused => {}
                Child::Node(child) => memory::add(stack, (gap, child)),
                Child::Leaf(start, count) => {
                    for triangle in body.bvh.leaf(start, count) {
                        let corners = body.surface.corners_f64(*triangle);
                        let (place, _) = on_triangle(point, corners);
                        let distance = place.distance(point);
                        if distance < best.distance {
                            best = NearestPlace {
                                point: place,
                                distance,
                                triangle: *triangle,
                            };
                            farthest = limit(distance);
                        }
                    }
                }
            }
        }
        // The nearest is next.
        stack[first..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    }
    best
}

/// How far the boxes of a node are from a point, squared; infinite in unused slots.
#[inline(always)]
fn gaps_squared<V: Lanes>(node: &Node, point: [V; 3]) -> V {
    let zero = V::splat(0.0);
    let mut sum = zero;
    for (axis, at) in point.into_iter().enumerate() {
        let below = V::load(&node.min[axis]) - at;
        let above = at - V::load(&node.max[axis]);
        let gap = below.max(above).max(zero);
        sum = sum + gap * gap;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hierarchy::bvh::Bvh;
    use crate::geometry::random::Random;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes::{self, Shape};

    fn found(shape: &Shape, points: &[DVec3]) -> Vec<NearestPlace> {
        let bvh = Bvh::build(&shape.surface().triangle_boxes());
        let surface = shape.surface();
        nearest_places(FittedSurface { surface, bvh: &bvh }, points)
    }

    #[test]
    fn it_is_the_nearest_of_all_triangles() {
        let mut random = Random::new(31);
        let shape = shapes::knot(0.5, 60, 9).map(|p| p + glam::Vec3::new(300.0, -20.0, 4000.0));
        let points: Vec<DVec3> = (0..400)
            .map(|_| 3.0 * random.in_cube() + DVec3::new(300.0, -20.0, 4000.0))
            .collect();
        let surface = shape.surface();
        for (point, place) in points.iter().zip(found(&shape, &points)) {
            let each = (0..shape.triangles.len() as u32).map(|t| {
                on_triangle(*point, surface.corners_f64(t))
                    .0
                    .distance(*point)
            });
            let least = each.fold(f64::INFINITY, f64::min);
            assert_eq!(place.distance, least, "{point}");
            let on = on_triangle(place.point, surface.corners_f64(place.triangle));
            assert!(on.0.distance(place.point) < 1e-10, "{place:?}");
        }
    }

    #[test]
    fn a_box_is_left_through_its_nearest_side() {
        let shape = shapes::cuboid(glam::Vec3::new(1.0, 2.0, 3.0), 4);
        let points = [
            DVec3::new(0.9, 0.3, 0.1),
            DVec3::new(0.0, -1.75, 0.2),
            DVec3::new(0.5, 1.0, 2.9),
            DVec3::new(1.0, 0.2, 0.3),
        ];
        let expected = [
            (DVec3::new(1.0, 0.3, 0.1), 0.1),
            (DVec3::new(0.0, -2.0, 0.2), 0.25),
            (DVec3::new(0.5, 1.0, 3.0), 0.1),
            (points[3], 0.0),
        ];
        for (place, (point, distance)) in found(&shape, &points).iter().zip(expected) {
            assert!(place.point.distance(point) < 1e-15, "{place:?}");
            assert!((place.distance - distance).abs() < 1e-15, "{place:?}");
        }
        let nothing = found(&Shape::default(), &points);
        assert!(nothing.iter().all(|place| place.distance == f64::INFINITY));
    }
}
