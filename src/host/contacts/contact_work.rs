//! What the kernels of contacts know of the vertices, edges and faces of clusters that may touch. Partner:
//! `shaders/include/contact_work.glsl`, whose names these are, and `refinements.glsl`.

use super::{CANDIDATES, EDGE_SEARCHES, LISTED_FACES, Side};
use glam::Vec3;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A triangle has a minimum on an edge, is large, or is searched itself; and the last of these.
pub(super) const FACE_LISTED: u32 = 1;
pub(super) const FACE_ASKED: u32 = 2;
/// The first edge of a triangle has a minimum of its own; the next bits tell of its other edges. An edge is marked where its half-edge is that
/// stands for it. The device has a value for every edge instead.
const EDGE_FOUND: u32 = 4;

/// The most halvings of a step.
pub(super) const MOST_REFINEMENTS: u32 = 9;
/// The step below which nothing is gained, as a part of the spacing of samples.
const LEAST_STEP: f32 = 1.0 / 512.0;

/// Where the minimum of an edge does not begin or end, because it is level up to the end of the edge.
pub(super) const LEVEL_BEFORE: f32 = -1.0;
pub(super) const LEVEL_BEYOND: f32 = 2.0;

/// Stretches of a side's words.
pub(super) struct Work<'a> {
    side: &'a Side<'a>,
    /// Of vertices: their place in the field's frame and the field's value, of the host alone.
    spots: &'a [AtomicU32],
    /// Lower bounds of the exact distance.
    lowers: &'a [AtomicU32],
    /// 1 where the surface descends from it.
    pub(super) vetoes: &'a [AtomicU32],
    /// A third of its triangles, in fixed point.
    pub(super) areas: &'a [AtomicU32],
    /// Its first triangle.
    pub(super) homes: &'a [AtomicU32],
    /// Of vertices, then of faces: towards the first node of the region.
    pub(super) parents: &'a [AtomicU32],
    /// Of the half-edge that stands for an edge: where its minimum begins, where it ends and where it is.
    edges: &'a [AtomicU32],
    /// Its value, and 1 where the surface descends from it: of marked edges.
    edge_values: &'a [AtomicU32],
    pub(super) edge_vetoes: &'a [AtomicU32],
    /// Of triangles: the weights of their minimum.
    faces: &'a [AtomicU32],
    /// FACE_LISTED, FACE_ASKED, EDGE_FOUND.
    pub(super) marks: &'a [AtomicU32],
    /// Half-edges whose minimum is searched.
    pub(super) edge_searches: &'a [AtomicU32],
    /// Triangles with more than their corners.
    pub(super) listed_faces: &'a [AtomicU32],
    /// Vertices, half-edges and faces that may be listed.
    pub(super) candidates: &'a [AtomicU32],
    /// Faces that many samples are taken of.
    pub(super) large_faces: &'a [AtomicU32],
}

fn float(word: &AtomicU32) -> f32 {
    f32::from_bits(word.load(Relaxed))
}

fn set_float(word: &AtomicU32, value: f32) {
    word.store(value.to_bits(), Relaxed);
}

impl<'a> Work<'a> {
    pub(super) fn of(side: &'a Side<'a>) -> Self {
        let (vertices, triangles) = (side.query.vertices as usize, side.query.triangles as usize);
        let mut rest = &side.work[side.query.work_at as usize..];
        let mut take = |count: usize| {
            let (part, after) = rest.split_at(count);
            rest = after;
            part
        };
        let _values_of_the_device = take(vertices);
        Self {
            side,
            lowers: take(vertices),
            vetoes: take(vertices),
            areas: take(vertices),
            homes: take(vertices),
            parents: take(vertices + triangles),
            edges: take(9 * triangles),
            edge_values: take(3 * triangles),
            edge_vetoes: take(3 * triangles),
            faces: take(2 * triangles),
            marks: take(triangles),
            edge_searches: take(3 * triangles),
            listed_faces: take(triangles),
            candidates: take(vertices + 7 * triangles),
            large_faces: take(triangles),
            spots: take(4 * vertices),
        }
    }

    pub(super) fn value(&self, vertex: u32) -> f32 {
        float(&self.spots[4 * vertex as usize + 3])
    }

    /// Where a vertex is in the field's frame.
    pub(super) fn place(&self, vertex: u32) -> Vec3 {
        let [x, y, z] = [0, 1, 2].map(|axis| float(&self.spots[4 * vertex as usize + axis]));
        Vec3::new(x, y, z)
    }

    /// The places of all vertices with the field's values there.
    ///
    /// # Safety
    /// No vertex is started while what this gives is in use.
    pub(super) unsafe fn spots(&self) -> &'a [[f32; 4]] {
        let spots = self.spots.as_ptr().cast();
        // SAFETY: four words for each vertex, which nobody writes by the caller's promise; any bits are floats.
        unsafe { std::slice::from_raw_parts(spots, self.spots.len() / 4) }
    }

    pub(super) fn lower(&self, vertex: u32) -> f32 {
        float(&self.lowers[vertex as usize])
    }

    /// Forgets which vertices of a range were started.
    pub(super) fn clear_vertices(&self, vertices: Range<usize>) {
        for parent in &self.parents[vertices] {
            parent.store(super::NONE, Relaxed);
        }
    }

    pub(super) fn is_started(&self, vertex: u32) -> bool {
        self.parent(vertex) != super::NONE
    }

    pub(super) fn start_vertex(&self, vertex: u32, place: [f32; 3], value: f32, lower: f32) {
        let v = vertex as usize;
        let [x, y, z] = place;
        for (word, float) in self.spots[4 * v..][..4].iter().zip([x, y, z, value]) {
            set_float(word, float);
        }
        set_float(&self.lowers[v], lower);
        self.vetoes[v].store(0, Relaxed);
        self.areas[v].store(0, Relaxed);
        self.homes[v].store(super::NONE, Relaxed);
        self.parents[v].store(vertex, Relaxed);
    }

    /// Where an edge's minimum begins, where it ends and where it is: 0 to 2.
    pub(super) fn edge_along(&self, half_edge: u32, which: u32) -> f32 {
        float(&self.edges[(3 * half_edge + which) as usize])
    }

    fn edge_mark(half_edge: u32) -> (usize, u32) {
        ((half_edge / 3) as usize, EDGE_FOUND << (half_edge % 3))
    }

    /// The value of an edge's minimum; INFINITE where it has none.
    pub(super) fn edge_value(&self, half_edge: u32) -> f32 {
        let (triangle, mark) = Self::edge_mark(half_edge);
        match self.marks[triangle].load(Relaxed) & mark != 0 {
            true => float(&self.edge_values[half_edge as usize]),
            false => super::INFINITE,
        }
    }

    pub(super) fn set_edge(&self, half_edge: u32, along: [f32; 3], value: f32) {
        let words = &self.edges[3 * half_edge as usize..];
        for (word, along) in words.iter().zip(along) {
            set_float(word, along);
        }
        set_float(&self.edge_values[half_edge as usize], value);
        self.edge_vetoes[half_edge as usize].store(0, Relaxed);
        let (triangle, mark) = Self::edge_mark(half_edge);
        self.marks[triangle].fetch_or(mark, Relaxed);
    }

    /// The weights of a face's second and third corner at its minimum.
    pub(super) fn face(&self, triangle: u32) -> [f32; 2] {
        let at = 2 * triangle as usize;
        [float(&self.faces[at]), float(&self.faces[at + 1])]
    }

    pub(super) fn set_face(&self, triangle: u32, weights: [f32; 2]) {
        let words = &self.faces[2 * triangle as usize..];
        for (word, value) in words.iter().zip(weights) {
            set_float(word, value);
        }
    }

    pub(super) fn face_node(&self, triangle: u32) -> u32 {
        self.side.query.vertices + triangle
    }

    fn parent(&self, node: u32) -> u32 {
        self.parents[node as usize].load(Relaxed)
    }

    /// A region's first node. Links only ever lead to smaller numbers, so the result does not depend on the order of linking.
    pub(super) fn region_of(&self, mut node: u32) -> u32 {
        loop {
            let parent = self.parent(node);
            if parent == node {
                return node;
            }
            node = parent;
        }
    }

    /// One step towards the first node, which later walks skip: what a node leads to only ever becomes smaller.
    fn step_up(&self, node: u32, parent: u32) -> u32 {
        let next = self.parent(parent);
        if next != parent {
            self.parents[node as usize].fetch_min(next, Relaxed);
        }
        next
    }

    /// Makes one region of two.
    pub(super) fn link(&self, mut a: u32, mut b: u32) {
        loop {
            let (above_a, above_b) = (self.parent(a), self.parent(b));
            if above_a == above_b {
                return;
            }
            if above_a == a && above_b == b {
                let (low, high) = (a.min(b), a.max(b));
                let parent = &self.parents[high as usize];
                if (parent.compare_exchange(high, low, Relaxed, Relaxed)).is_ok() {
                    return;
                }
            }
            if above_a != a {
                a = self.step_up(a, above_a);
            }
            if above_b != b {
                b = self.step_up(b, above_b);
            }
        }
    }

    /// Vertices, beginnings and ends of minima on half-edges, and faces as one range of numbers.
    pub(super) fn edge_number(&self, half_edge: u32) -> u32 {
        self.side.query.vertices + 2 * half_edge
    }

    pub(super) fn face_number(&self, triangle: u32) -> u32 {
        self.side.query.vertices + 6 * self.side.query.triangles + triangle
    }

    pub(super) fn add_candidate(&self, number: u32) {
        self.candidates[self.side.add(CANDIDATES)].store(number, Relaxed);
    }

    pub(super) fn add_edge_search(&self, half_edge: u32) {
        self.edge_searches[self.side.add(EDGE_SEARCHES)].store(half_edge, Relaxed);
    }

    /// Once for each triangle.
    pub(super) fn add_listed_face(&self, triangle: u32) {
        let node = self.face_node(triangle);
        self.parents[node as usize].store(node, Relaxed);
        self.listed_faces[self.side.add(LISTED_FACES)].store(triangle, Relaxed);
    }

    /// Halvings of a first step of this length.
    pub(super) fn refinements(&self, size: f32) -> u32 {
        let halvings = (size / (LEAST_STEP * self.side.query.spacing)).log2();
        (halvings.ceil() as u32).clamp(1, MOST_REFINEMENTS)
    }
}
