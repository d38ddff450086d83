//! The border of an oriented surface: closed loops of edges along which its triangles do not cancel.

use super::{Connectivity, adjacency};
use crate::geometry::aabb::Aabb;
use crate::geometry::rounding::{round_down_each, round_up_each};
use crate::geometry::surface::Surface;
use crate::memory::{self, Gather};
use glam::DVec3;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// The loops of a border.
#[derive(Debug)]
pub struct Rim {
    /// Of all loops together.
    pub length: f64,
    /// Around all loops.
    pub bounds: Aabb,
    /// Each loop once around.
    pub loops: Vec<Loop>,
}

/// One loop.
#[derive(Debug)]
pub struct Loop {
    /// Its corners, in order.
    pub corners: Vec<DVec3>,
    /// No corner is farther from its longest edge: a gap that is closed to the eye has next to none.
    pub width: f64,
    /// The area of a fan of triangles that closes it.
    pub area: f64,
}

impl Rim {
    /// The border of a surface by its connectivity.
    pub fn of(surface: Surface, connectivity: &Connectivity) -> Self {
        let mut rim = Self {
            length: 0.0,
            bounds: Aabb::EMPTY,
            loops: Vec::new(),
        };
        let mut ahead = directed_edges(connectivity);
        while let Some((&first, _)) = ahead.first_key_value() {
            let mut path = vec![first];
            while let Some(next) = path.last().and_then(|v| take_edge(&mut ahead, *v)) {
                // A border has no ends: whoever comes back to where it was has closed a loop.
                match path.iter().position(|&v| v == next) {
                    Some(at) => {
                        let corners = path.drain(at + 1..).gather();
                        rim.add(surface, next, &corners);
                    }
                    None => memory::add(&mut path, next),
                }
            }
        }
        rim
    }

    fn add(&mut self, surface: Surface, first: u32, others: &[u32]) {
        let position = |&v: &u32| surface.positions.at(v);
        let corners: Vec<_> = std::iter::once(&first).chain(others).map(position).gather();
        let holding = |b: Aabb, p: &DVec3| b.with(round_down_each(*p)).with(round_up_each(*p));
        self.bounds = corners.iter().fold(self.bounds, holding);
        let closed = Loop::through(corners);
        self.length += closed.edges().map(|[a, b]| a.distance(b)).sum::<f64>();
        memory::add(&mut self.loops, closed);
    }

    /// How much the winding number can change along a segment of length `step` from a point at distance `clear` from the
    /// rim: its gradient is the Biot-Savart integral along the rim, at most `length / 4 pi clear^2`.
    pub fn change(&self, step: f64, clear: f64) -> f64 {
        if self.length == 0.0 {
            return 0.0;
        }
        let gap = clear - step;
        if gap <= 0.0 {
            f64::INFINITY
        } else {
            step * self.length / (4.0 * PI * gap * gap)
        }
    }
}

impl Loop {
    fn through(corners: Vec<DVec3>) -> Self {
        let mut closed = Self {
            corners,
            width: 0.0,
            area: 0.0,
        };
        let longest = closed
            .edges()
            .max_by(|[a, b], [c, d]| a.distance(*b).total_cmp(&c.distance(*d)));
        if let Some(longest) = longest {
            let far = |p: &DVec3| distance_to_segment(*p, longest);
            closed.width = closed.corners.iter().map(far).fold(0.0, f64::max);
        }
        let apex = closed.corners[0];
        closed.area = closed
            .edges()
            .map(|[a, b]| 0.5 * (a - apex).cross(b - apex).length())
            .sum();
        closed
    }

    /// Its edges, in order.
    pub fn edges(&self) -> impl Iterator<Item = [DVec3; 2]> {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().zip(next).map(|(a, b)| [*a, *b])
    }
}

/// How far a point is from a segment.
pub fn distance_to_segment(p: DVec3, [a, b]: [DVec3; 2]) -> f64 {
    let side = b - a;
    let along = (p - a).dot(side) / side.length_squared();
    // A side without length has no direction, and any of its points will do.
    let along = if along.is_finite() {
        along.clamp(0.0, 1.0)
    } else {
        0.0
    };
    p.distance(a + along * side)
}

/// For each vertex where the edges that start there end; an edge that is run along as often the other way is not there.
fn directed_edges(connectivity: &Connectivity) -> BTreeMap<u32, Vec<u32>> {
    let (triangles, twins) = (&*connectivity.triangles, &connectivity.adjacency.twins);
    let mut net = BTreeMap::<(u32, u32), i32>::new();
    for half_edge in 0..twins.len() as u32 {
        let start = adjacency::start(triangles, half_edge);
        let end = adjacency::end(triangles, half_edge);
        let twin = twins[half_edge as usize];
        let is_balanced = twin != adjacency::NONE && adjacency::start(triangles, twin) == end;
        if !is_balanced && !adjacency::is_collapsed(triangles[half_edge as usize / 3]) {
            let forwards = if start < end { 1 } else { -1 };
            *net.entry((start.min(end), start.max(end))).or_default() += forwards;
        }
    }
    let mut ahead = BTreeMap::<u32, Vec<u32>>::new();
    for ((low, high), times) in net {
        let (start, end) = if times > 0 { (low, high) } else { (high, low) };
        for _ in 0..times.unsigned_abs() {
            ahead.entry(start).or_default().push(end);
        }
    }
    ahead
}

fn take_edge(ahead: &mut BTreeMap<u32, Vec<u32>>, from: u32) -> Option<u32> {
    let ends = ahead.get_mut(&from)?;
    let end = ends.pop();
    if ends.is_empty() {
        ahead.remove(&from);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::surface::AsSurface;
    use crate::geometry::topology::Vertices;
    use fixtures::shapes;
    use glam::Vec3;

    fn rim(shape: &shapes::Shape) -> Rim {
        rim_over(shape, Vertices::AsIndexed)
    }

    fn rim_over(shape: &shapes::Shape, vertices: Vertices) -> Rim {
        let surface = shape.surface();
        Rim::of(surface, &Connectivity::of(surface, vertices))
    }

    #[test]
    fn closed_surfaces_have_none_and_holes_have_one_each() {
        let cube = shapes::cuboid(Vec3::ONE, 2);
        assert!(rim(&cube).loops.is_empty());
        let mut open = cube.clone();
        open.triangles
            .retain(|t| !t.iter().all(|&v| cube.positions[v as usize].z.abs() == 1.0));
        let rim = rim(&open);
        assert_eq!(rim.loops.len(), 2);
        assert!((rim.length - 16.0).abs() < 1e-12);
        for closed in &rim.loops {
            assert!((closed.area - 4.0).abs() < 1e-12 && (closed.width - 2.0).abs() < 1.2);
        }
    }

    #[test]
    fn a_t_junction_is_a_loop_without_width() {
        let mut cube = shapes::cuboid(Vec3::ONE, 1);
        let [a, b, c] = cube.triangles[0];
        let middle = 0.5 * (cube.positions[a as usize] + cube.positions[b as usize]);
        cube.positions.push(middle);
        let m = cube.positions.len() as u32 - 1;
        cube.triangles[0] = [a, m, c];
        cube.triangles.push([m, b, c]);
        let rim = rim(&cube);
        assert_eq!(rim.loops.len(), 1);
        assert_eq!((rim.loops[0].width, rim.loops[0].area), (0.0, 0.0));
    }

    #[test]
    fn shells_that_share_an_edge_cancel_along_it() {
        let cube = shapes::cuboid(Vec3::ONE, 1);
        let beside = cube.clone().map(|p| p + Vec3::new(2.0, 2.0, 0.0));
        let both = cube.with(&beside);
        assert!(rim_over(&both, Vertices::Welded).loops.is_empty());
    }
}
