//! All pairs of triangles of one surface that intersect where they should not.
//!
//! Triangles without a common vertex are reported when they share any point. Triangles with common vertices are
//! reported when they share a point beyond them:
//! - one common vertex: another common point exists, so the edge opposite the vertex in one meets the other;
//! - two: they lie in one plane on the same side of the common edge, folded onto each other;
//! - three: always.
//!
//! Common means the same index; weld split vertices first. A triangle without area is reported against triangles that it
//! has no vertex in common with, and not against its neighbours. All decisions are exact.

pub mod fans;
pub mod regions;

use crate::geometry::aabb::Aabb;
use crate::geometry::bounded::{Bounded, TooMany};
use crate::geometry::hierarchy::bvh::{Bvh, Child, Node};
use crate::geometry::hierarchy::dual::{Branch, BranchPair, FittedSurface, Visitor, walk};
use crate::geometry::hierarchy::leaf::LeafBoxes;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::positions::Positions;
use crate::geometry::simd::WIDTH;
use crate::geometry::surface::Surface;
use crate::geometry::topology::adjacency::Adjacency;
use crate::geometry::triangle::intersection::{segment_meets_triangle, triangles_intersect};
use crate::geometry::triangle::predicates::{area_sign, spanning_axis, volume_sign};
use crate::interrupt;
use crate::memory::{self, ParallelGather};
use fans::Fans;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use regions::{Branches, Inside, Regions};

/// Which triangles of a surface lie around vertices and beside each other.
pub struct Neighbourhoods {
    fans: Fans,
    regions: Regions,
}

impl Neighbourhoods {
    /// Those of a surface. They serve wherever its vertices go, best near where they are now.
    pub fn new(surface: &Surface) -> Self {
        let vertices = surface.positions.len();
        let adjacency = Adjacency::of(surface.triangles, vertices);
        let (fans, regions) = rayon::join(
            || Fans::new(surface.triangles, &adjacency, vertices),
            || Regions::new(surface, &adjacency),
        );
        Self { fans, regions }
    }

    /// The same for a surface that is looked at once: quicker to make, slower to ask.
    pub fn for_once(surface: &Surface) -> Self {
        let vertices = surface.positions.len();
        let adjacency = Adjacency::of(surface.triangles, vertices);
        Self {
            fans: Fans::new(surface.triangles, &adjacency, vertices),
            regions: Regions::none(surface),
        }
    }
}

impl Neighbourhoods {
    /// What of a surface on its way cannot meet itself between two times; `bvh` is over its triangles. Vertices go straight from their places
    /// on the surface, at time 0, to those in `to`, at time 1.
    pub fn cleared(&self, from: &Surface, to: Positions, times: [f64; 2], bvh: &Bvh) -> Cleared {
        let proof = self.regions.prove_motion(from, to, times);
        let triangles = proof.of_triangles();
        Cleared {
            branches: proof.of_branches(bvh, &triangles),
            triangles,
        }
    }
}

/// Triangles and subtrees that were proved not to meet each other.
pub struct Cleared {
    triangles: Vec<Inside>,
    branches: Branches,
}

impl Cleared {
    /// Whether two triangles share nothing but corners and edges that they have in common.
    #[inline]
    pub fn triangles(&self, i: u32, j: u32) -> bool {
        self.triangles[i as usize].shares(self.triangles[j as usize])
    }

    /// Whether the same holds for all triangles of two subtrees.
    #[inline]
    pub fn branches(&self, a: Branch, b: Branch) -> bool {
        self.branches.share(a, b)
    }

    /// Whether it holds for all triangles below a node.
    pub fn node(&self, index: usize) -> bool {
        self.branches.is_proved(index)
    }
}

/// All self-intersecting pairs, the lower triangle first, ascending. `known` must be of the body's triangles.
pub fn self_intersections(
    body: FittedSurface,
    known: &Neighbourhoods,
    capacity: usize,
) -> Result<Vec<[u32; 2]>, TooMany> {
    let proof = known.regions.prove(&body.surface);
    let inside = proof.of_triangles();
    let branches = proof.of_branches(body.bvh, &inside);
    let clear = known.fans.clear(&body.surface, &proof.open_vertices());
    let boxes = body.surface.triangle_boxes();
    let nodes = body.bvh.nodes();
    let lists: Vec<Bounded<[u32; 2]>> = nodes
        .par_chunks(NODES)
        .enumerate()
        .map(|(chunk, run)| {
            let mut visitor = SelfIntersections {
                surface: body.surface,
                boxes: &boxes,
                clear: &clear,
                inside: &inside,
                branches: &branches,
                found: Bounded::new(capacity),
            };
            let mut starts = Vec::new();
            interrupt::check();
            for (k, node) in run.iter().enumerate() {
                let index = chunk * NODES + k;
                if branches.is_proved(index) {
                    continue;
                }
                sibling_pairs(node, index as u32, 0.0, &mut starts);
                for slot in 0..WIDTH {
                    if let Child::Leaf(start, count) = node.child(slot) {
                        visitor.within(body.bvh.leaf(start, count));
                    }
                }
            }
            walk(
                body.bvh,
                body.bvh,
                &Placement::default(),
                &starts,
                &mut visitor,
            );
            visitor.found
        })
        .par_gather();
    Bounded::merge(lists, capacity)
}

/// Nodes in a task.
pub(crate) const NODES: usize = 32;

/// Pairs of children within the limit: with these of all nodes, each pair of triangles is reached once.
pub(crate) fn sibling_pairs(
    node: &Node,
    index: u32,
    limit_squared: f32,
    starts: &mut Vec<BranchPair>,
) {
    for i in 0..WIDTH {
        for j in i + 1..WIDTH {
            if node.child(i) == Child::Unused || node.child(j) == Child::Unused {
                continue;
            }
            let (a, b) = (node.child_box(i), node.child_box(j));
            let gap = (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO);
            let squared = gap.length_squared().min(f32::MAX);
            if squared <= limit_squared {
                let branch = |slot| Branch::below(index, slot, node.child(slot));
                let pair = BranchPair {
                    a: branch(i),
                    b: branch(j),
                    squared,
                };
                memory::add(starts, pair);
            }
        }
    }
}

struct SelfIntersections<'a> {
    surface: Surface<'a>,
    boxes: &'a [Aabb],
    clear: &'a [bool],
    inside: &'a [Inside],
    branches: &'a Branches,
    found: Bounded<[u32; 2]>,
}

impl SelfIntersections<'_> {
    /// The pairs inside one leaf.
    fn within(&mut self, items: &[u32]) {
        for (k, &i) in items.iter().enumerate() {
            for &j in &items[k + 1..] {
                if self.boxes[i as usize].overlaps(self.boxes[j as usize]) {
                    self.test(i, j);
                }
            }
        }
    }

    fn test(&mut self, i: u32, j: u32) {
        if self.inside[i as usize].shares(self.inside[j as usize]) {
            return;
        }
        let (a, b) = (
            self.surface.triangles[i as usize],
            self.surface.triangles[j as usize],
        );
        let proved = a.iter().any(|v| b.contains(v) && self.clear[*v as usize]);
        let corners = || [i, j].map(|t| self.surface.corners_f64(t));
        if !proved && triangles_cross([a, b], &corners()) {
            self.found.push([i.min(j), i.max(j)]);
        }
    }
}

/// Whether two triangles of one surface share a point beyond their common corners. Triangles are the numbers of their vertices.
fn triangles_cross(triangles: [[u32; 3]; 2], corners: &[[DVec3; 3]; 2]) -> bool {
    let [a, b] = triangles;
    if a.iter().any(|v| b.contains(v)) {
        return neighbours_cross(triangles, corners);
    }
    triangles_intersect(&corners[0], &corners[1])
}

impl Visitor for SelfIntersections<'_> {
    const NEAREST_FIRST: bool = false;

    fn limit_squared(&self) -> f32 {
        0.0
    }

    #[inline]
    fn skips(&self, a: Branch, b: Branch) -> bool {
        self.branches.share(a, b)
    }

    #[inline]
    fn leaves(&mut self, a: &[u32], b: &[u32]) {
        let lanes = LeafBoxes::of(b.iter().map(|&j| self.boxes[j as usize]));
        for &i in a {
            let mut near = lanes.overlapping(self.boxes[i as usize]);
            while near != 0 {
                self.test(i, b[near.trailing_zeros() as usize]);
                near &= near - 1;
            }
        }
    }
}

/// Whether two triangles with common vertices share a point beyond them.
fn neighbours_cross([a, b]: [[u32; 3]; 2], &[ta, tb]: &[[DVec3; 3]; 2]) -> bool {
    if spanning_axis(ta[0], ta[1], ta[2]).is_none() || spanning_axis(tb[0], tb[1], tb[2]).is_none()
    {
        return false;
    }
    let those = |of: [u32; 3], at: [DVec3; 3], other: [u32; 3], shared: bool| -> Vec<DVec3> {
        (of.into_iter().zip(at))
            .filter(|(v, _)| other.contains(v) == shared)
            .map(|(_, p)| p)
            .collect()
    };
    let common = those(a, ta, b, true);
    let (rest_a, rest_b) = (those(a, ta, b, false), those(b, tb, a, false));
    match (common.as_slice(), rest_a.as_slice(), rest_b.as_slice()) {
        (&[u, v], &[p], &[r]) => {
            let folded = |axis| area_sign(axis, u, v, p) == area_sign(axis, u, v, r);
            volume_sign(u, v, p, r) == 0 && spanning_axis(u, v, p).is_some_and(folded)
        }
        (&[_], &[p, q], &[r, s]) => {
            segment_meets_triangle(p, q, &tb) || segment_meets_triangle(r, s, &ta)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::{Random, cases};
    use crate::geometry::surface::AsSurface;
    use fixtures::integer_oracle::{Cell, cross, dot, hull_has_origin, minus, triangles_meet};
    use fixtures::shapes::{self, Shape};

    fn ask(shape: &Shape) -> Vec<[u32; 2]> {
        ask_with(shape, &Neighbourhoods::new(&shape.surface()))
    }

    fn ask_with(shape: &Shape, known: &Neighbourhoods) -> Vec<[u32; 2]> {
        let surface = shape.surface();
        let bvh = Bvh::build(&surface.triangle_boxes());
        self_intersections(FittedSurface { surface, bvh: &bvh }, known, usize::MAX).unwrap()
    }

    /// The definition at the top of the file, in integers.
    fn crosses(points: &[Cell], a: [u32; 3], b: [u32; 3]) -> bool {
        let at = |v: u32| points[v as usize];
        let flat =
            |t: [u32; 3]| cross(minus(at(t[1]), at(t[0])), minus(at(t[2]), at(t[0]))) == [0; 3];
        let common: Vec<u32> = a.into_iter().filter(|v| b.contains(v)).collect();
        if common.is_empty() {
            return triangles_meet(&a.map(at), &b.map(at));
        }
        if flat(a) || flat(b) {
            return false;
        }
        let rest = |t: [u32; 3], o: [u32; 3]| -> Vec<Cell> {
            t.into_iter()
                .filter(|v| !o.contains(v))
                .map(|v| minus(at(v), at(common[0])))
                .collect()
        };
        let (ra, rb) = (rest(a, b), rest(b, a));
        match common.len() {
            1 => {
                // The cones at the vertex have a common ray.
                let away = |p: Cell| [-p[0], -p[1], -p[2]];
                hull_has_origin(&[ra[0], ra[1], away(rb[0]), away(rb[1])])
            }
            2 => {
                let along = minus(at(common[1]), at(common[0]));
                let (n, m) = (cross(along, ra[0]), cross(along, rb[0]));
                cross(n, m) == [0; 3] && dot(n, m) > 0
            }
            _ => true,
        }
    }

    #[test]
    fn soups_with_common_vertices_agree_with_integer_arithmetic() {
        let mut random = Random::new(60);
        let mut reported = 0;
        for round in 0..cases(600) {
            let side = [2, 3, 5, 40][round % 4];
            let vertices = 6 + random.below(8);
            let points: Vec<Cell> = (0..vertices)
                .map(|_| [0; 3].map(|_| random.below(side) as i128))
                .collect();
            let positions = points
                .iter()
                .map(|p| Vec3::from(p.map(|c| c as f32)))
                .collect();
            let mut triangles: Vec<[u32; 3]> = Vec::new();
            while triangles.len() < 14 {
                let t = [0; 3].map(|_| random.below(vertices) as u32);
                if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
                    triangles.push(t);
                }
            }
            let shape = Shape {
                positions,
                triangles,
            };
            let mut expected = Vec::new();
            for i in 0..shape.triangles.len() {
                for j in i + 1..shape.triangles.len() {
                    if crosses(&points, shape.triangles[i], shape.triangles[j]) {
                        expected.push([i as u32, j as u32]);
                    }
                }
            }
            reported += expected.len();
            assert_eq!(ask(&shape), expected, "{shape:?}");
        }
        assert!(reported > 5000);
    }

    /// Brute force by the exact pair test, with no fans and no hierarchy.
    fn brute_force(shape: &Shape) -> Vec<[u32; 2]> {
        let surface = shape.surface();
        let mut all = Vec::new();
        for i in 0..shape.triangles.len() as u32 {
            for j in i + 1..shape.triangles.len() as u32 {
                let triangles = [i, j].map(|t| shape.triangles[t as usize]);
                if triangles_cross(triangles, &[i, j].map(|t| surface.corners_f64(t))) {
                    all.push([i, j]);
                }
            }
        }
        all
    }

    #[test]
    fn crumpled_meshes_agree_with_brute_force() {
        let mut random = Random::new(61);
        for round in 0..cases(60) {
            let mut shape = match round % 3 {
                0 => shapes::sphere(1.0, 14, 10),
                1 => shapes::torus(1.0, 0.4, 16, 10),
                _ => sheet(14),
            };
            let smooth = Neighbourhoods::new(&shape.surface());
            let amount = random.unit() * random.unit() * 0.5;
            for p in &mut shape.positions {
                *p = (p.as_dvec3() + random.in_cube() * amount).as_vec3();
            }
            let expected = brute_force(&shape);
            assert_eq!(ask(&shape), expected);
            // What is known of a surface serves when it has deformed.
            assert_eq!(ask_with(&shape, &smooth), expected);
            let once = Neighbourhoods::for_once(&shape.surface());
            assert_eq!(ask_with(&shape, &once), expected);
        }
    }

    fn sheet(cells: u32) -> Shape {
        let side = cells + 1;
        let positions = (0..side * side)
            .map(|k| Vec3::new((k % side) as f32, (k / side) as f32, 0.0) / 7.0)
            .collect();
        let corner = (0..cells * cells).map(|k| k / cells * side + k % cells);
        let triangles = corner
            .flat_map(|a| [[a, a + 1, a + side], [a + 1, a + side + 1, a + side]])
            .collect();
        Shape {
            positions,
            triangles,
        }
    }

    #[test]
    fn sound_surfaces_are_free_and_folded_ones_are_not() {
        for shape in [
            shapes::sphere(1.0, 40, 30),
            shapes::torus(1.0, 0.4, 40, 20),
            shapes::cuboid(Vec3::ONE, 8),
            sheet(20),
        ] {
            assert_eq!(ask(&shape), Vec::<[u32; 2]>::new());
        }
        // A sheet folded flat onto itself along its middle: each triangle meets its mirror image.
        let folded = sheet(4).map(|p| Vec3::new((p.x - 2.0 / 7.0).abs(), p.y, 0.0));
        assert!(ask(&folded).len() >= 16);
        assert_eq!(ask(&folded), brute_force(&folded));
        // Two crossing tubes in one mesh.
        let crossing = shapes::torus(1.0, 0.3, 30, 12)
            .with(&shapes::torus(1.0, 0.3, 30, 12).map(|p| p + Vec3::X * 0.7));
        assert_eq!(ask(&crossing), brute_force(&crossing));
        assert!(ask(&crossing).len() > 50);
    }

    #[test]
    fn a_fan_that_goes_round_twice_is_not_clear() {
        // Eight sectors of a quarter turn each: all face up, but the second round lies on the first.
        let mut positions = vec![Vec3::ZERO];
        positions.extend((0..8).map(|k| {
            let angle = std::f32::consts::FRAC_PI_2 * k as f32;
            Vec3::new(angle.cos(), angle.sin(), 0.0)
        }));
        let triangles: Vec<[u32; 3]> = (0..8).map(|k| [0, 1 + k, 1 + (k + 1) % 8]).collect();
        let shape = Shape {
            positions,
            triangles,
        };
        let known = Neighbourhoods::new(&shape.surface());
        assert!(!known.fans.clear(&shape.surface(), &[true; 9])[0]);
        assert_eq!(ask(&shape), brute_force(&shape));
        assert!(ask(&shape).len() >= 4);
    }

    #[test]
    fn threads_and_capacity() {
        let shape = shapes::torus(1.0, 0.3, 80, 30)
            .with(&shapes::torus(1.0, 0.3, 80, 30).map(|p| p + Vec3::X * 0.7));
        let bvh = Bvh::build(&shape.surface().triangle_boxes());
        let known = Neighbourhoods::new(&shape.surface());
        let with = |threads, capacity| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                self_intersections(
                    FittedSurface {
                        surface: shape.surface(),
                        bvh: &bvh,
                    },
                    &known,
                    capacity,
                )
            })
        };
        let one = with(1, usize::MAX).unwrap();
        assert_eq!(one, with(3, one.len()).unwrap());
        assert_eq!(with(2, one.len() - 1).unwrap_err().needed, one.len() as u64);
        assert_eq!(ask(&Shape::default()), Vec::<[u32; 2]>::new());
    }
}
