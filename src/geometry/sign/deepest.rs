//! The point of a surface with the smallest signed distance to a solid, against the solid's own triangles: best first, because a
//! distance changes by no more than one moves.

use super::winding::Winding;
use crate::geometry::nearest::{Nearest, Scratch};
use crate::geometry::surface::Surface;
use crate::interrupt;
use crate::memory::{self, Gather};
use glam::{DAffine3, DVec3};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A closed surface that answers signed distances exactly.
pub struct Solid {
    nearest: Nearest,
    winding: Winding,
}

impl Solid {
    /// Indexes a valid surface.
    pub fn build(surface: Surface) -> Self {
        Self {
            nearest: Nearest::build(surface),
            winding: Winding::build(surface),
        }
    }

    /// The signed distance at a point, negative inside, and the closest point.
    pub fn distance(&self, p: DVec3, scratch: &mut Scratch) -> Option<(f64, DVec3)> {
        let hit = self.nearest.query(p, f64::INFINITY, scratch)?;
        let inside = self.winding.encloses(p);
        Some((if inside { -hit.distance } else { hit.distance }, hit.point))
    }
}

/// The smallest signed distance of a surface to a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deepest {
    /// At `point`: no more than the smallest by `distance - lower`.
    pub distance: f64,
    /// The smallest is no less.
    pub lower: f64,
    /// The point of the surface, in the solid's frame.
    pub point: DVec3,
    /// The closest point of the solid.
    pub closest: DVec3,
    /// The triangle of the surface.
    pub triangle: u32,
    /// The weights of its corners.
    pub weights: DVec3,
}

/// A group of triangles, or a piece of one, that may hold a smaller distance.
struct QueueItem {
    lower: f64,
    part: Unsearched,
}

enum Unsearched {
    Group(usize),
    Piece { triangle: u32, weights: [DVec3; 3] },
}

impl PartialEq for QueueItem {
    fn eq(&self, other: &Self) -> bool {
        self.lower == other.lower
    }
}
impl Eq for QueueItem {}
impl PartialOrd for QueueItem {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for QueueItem {
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower)
    }
}

/// Looks at the solid that a search may take; beyond, the bounds stay apart.
const MOST_LOOKS: u32 = 200_000;

struct DeepestSearch<'a> {
    solid: &'a Solid,
    surface: Surface<'a>,
    motion: DAffine3,
    heap: BinaryHeap<QueueItem>,
    scratch: Scratch,
    best: Option<Deepest>,
    looks: u32,
}

impl DeepestSearch<'_> {
    fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.surface
            .corners_f64(triangle)
            .map(|p| self.motion.transform_point3(p))
    }

    fn add_group(&mut self, number: usize, triangles: &[u32]) {
        let corners = |t: &u32| self.corners(*t);
        let points: Vec<DVec3> = triangles.iter().flat_map(corners).gather();
        let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let middle = 0.5 * (low + high);
        let distances = points.iter().map(|p| p.distance(middle));
        let radius = distances.fold(0.0, f64::max);
        self.looks += 1;
        if let Some((distance, _)) = self.solid.distance(middle, &mut self.scratch) {
            let item = QueueItem {
                lower: distance - radius,
                part: Unsearched::Group(number),
            };
            memory::add_to_heap(&mut self.heap, item);
        }
    }

    /// Looks at a point of a triangle.
    fn look(&mut self, triangle: u32, corners: &[DVec3; 3], weights: DVec3) -> Option<f64> {
        let point = weights.x * corners[0] + weights.y * corners[1] + weights.z * corners[2];
        self.looks += 1;
        let (distance, closest) = self.solid.distance(point, &mut self.scratch)?;
        let found = Deepest {
            distance,
            lower: distance,
            point,
            closest,
            triangle,
            weights,
        };
        // Of equals the first triangle, so that the order of the search does not matter.
        let key = |d: &Deepest| (d.distance, d.triangle);
        if self
            .best
            .as_ref()
            .is_none_or(|best| key(&found) < key(best))
        {
            self.best = Some(found);
        }
        Some(distance)
    }

    fn add_piece(&mut self, triangle: u32, weights: [DVec3; 3]) {
        let corners = self.corners(triangle);
        let at = |w: DVec3| w.x * corners[0] + w.y * corners[1] + w.z * corners[2];
        let middle = (weights[0] + weights[1] + weights[2]) / 3.0;
        let distances = weights.map(|w| at(w).distance(at(middle)));
        if let Some(distance) = self.look(triangle, &corners, middle) {
            let item = QueueItem {
                lower: distance - distances.into_iter().fold(0.0, f64::max),
                part: Unsearched::Piece { triangle, weights },
            };
            memory::add_to_heap(&mut self.heap, item);
        }
    }

    fn open_triangle(&mut self, triangle: u32) {
        let corners = self.corners(triangle);
        for weights in DVec3::AXES {
            self.look(triangle, &corners, weights);
        }
        self.add_piece(triangle, DVec3::AXES);
    }

    fn split(&mut self, triangle: u32, [a, b, c]: [DVec3; 3]) {
        let (ab, bc, ca) = ((a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0);
        for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            self.add_piece(triangle, part);
        }
    }
}

/// The smallest signed distance of `surface`, moved into the solid's frame by `motion`, `within` of its lower bound. `groups` are
/// triangles that lie together.
pub fn deepest<'a>(
    solid: &Solid,
    surface: Surface,
    motion: DAffine3,
    groups: impl Iterator<Item = &'a [u32]>,
    within: f64,
) -> Option<Deepest> {
    let groups: Vec<&[u32]> = groups.gather();
    let mut search = DeepestSearch {
        solid,
        surface,
        motion,
        heap: BinaryHeap::new(),
        scratch: Scratch::default(),
        best: None,
        looks: 0,
    };
    for (number, triangles) in groups.iter().enumerate() {
        search.add_group(number, triangles);
    }
    while let Some(item) = search.heap.pop() {
        interrupt::check();
        if let Some(best) = &mut search.best {
            best.lower = item.lower.min(best.distance);
            if item.lower >= best.distance - within || search.looks > MOST_LOOKS {
                break;
            }
        }
        match item.part {
            Unsearched::Group(number) => {
                groups[number].iter().for_each(|&t| search.open_triangle(t))
            }
            Unsearched::Piece { triangle, weights } => search.split(triangle, weights),
        }
    }
    search.best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes;
    use glam::Vec3;

    fn found(shape: &shapes::Shape, shift: DVec3) -> Deepest {
        let cube = shapes::cuboid(Vec3::ONE, 2);
        let all: Vec<u32> = (0..shape.triangles.len() as u32).collect();
        let motion = DAffine3::from_translation(shift);
        let solid = Solid::build(cube.surface());
        deepest(&solid, shape.surface(), motion, all.chunks(64), 1e-4).unwrap()
    }

    #[test]
    fn a_small_cube_beside_on_and_in_a_large_one() {
        let small = shapes::cuboid(Vec3::splat(0.25), 1);
        for (x, truth) in [(2.0, 0.75), (1.25, 0.0), (1.0, -0.25)] {
            let answer = found(&small, DVec3::new(x, 0.1, 0.2));
            assert!((answer.distance - truth).abs() < 1e-9, "{answer:?}");
            assert!(
                answer.lower <= truth && truth - answer.lower < 2e-2,
                "{answer:?}"
            );
        }
    }

    #[test]
    fn the_deepest_point_of_a_ball_in_a_cube() {
        // The ball's middle is 0.4 below the top face: of the ball's points the lowest, 0.9 below, is as deep as the cube lets it be.
        let ball = shapes::sphere(0.5, 64, 48);
        let answer = found(&ball, DVec3::new(0.0, 0.6, 0.0));
        assert!((answer.distance + 0.9).abs() < 2e-3, "{answer:?}");
        assert!(answer.lower <= answer.distance);
    }
}
