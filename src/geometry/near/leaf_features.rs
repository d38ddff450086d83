//! The vertices, edges and faces of a few triangles side by side, and those that were used last.

use super::NearBody;
use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::bvh::LEAF;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::simd::{Lanes, WIDTH, load_rows, store_rows};
use crate::memory;
use glam::Vec3;

/// Groups of eight places for the vertices or edges that the triangles of a leaf answer for: three of each triangle at most, and one place more
/// that can be written to.
const GROUPS: usize = (3 * LEAF + 1).div_ceil(WIDTH);

/// Eight points, a row for each axis. Places that are not used hold any numbers.
pub(super) type Rows = [[f32; WIDTH]; 3];

const NO_ROWS: Rows = [[0.0; WIDTH]; 3];

/// A leaf, by its triangles; unused places are [`NO_TRIANGLE`].
pub(super) type LeafTriangles = [u32; LEAF];

pub(super) const NO_TRIANGLE: u32 = u32::MAX;

/// Eight vertices.
#[derive(Clone, Copy)]
pub(super) struct VertexGroup {
    pub(super) points: Rows,
    pub(super) ids: [u32; WIDTH],
}

/// The boxes of eight features, a row for each axis.
#[derive(Clone, Copy)]
pub(super) struct FeatureBoxes {
    pub(super) min: Rows,
    pub(super) max: Rows,
}

const NO_BOXES: FeatureBoxes = FeatureBoxes {
    min: NO_ROWS,
    max: NO_ROWS,
};

impl FeatureBoxes {
    /// Grows the boxes so that they hold a point of each lane.
    #[inline(always)]
    fn hold<V: Lanes>(&mut self, points: &Rows) {
        let (min, max) = (load_rows::<V>(&self.min), load_rows::<V>(&self.max));
        let p = load_rows::<V>(points);
        self.min = store_rows([min[0].min(p[0]), min[1].min(p[1]), min[2].min(p[2])]);
        self.max = store_rows([max[0].max(p[0]), max[1].max(p[1]), max[2].max(p[2])]);
    }

    #[inline(always)]
    fn begin(&mut self, points: &Rows) {
        self.min = *points;
        self.max = *points;
    }
}

/// Eight edges.
#[derive(Clone, Copy)]
pub(super) struct EdgeGroup {
    pub(super) boxes: FeatureBoxes,
    pub(super) starts: Rows,
    pub(super) ends: Rows,
    /// The vertices, a row for each end.
    pub(super) vertices: [[u32; WIDTH]; 2],
    pub(super) ids: [u32; WIDTH],
}

impl EdgeGroup {
    /// The ends of an edge.
    #[inline(always)]
    pub(super) fn edge(&self, lane: usize) -> [Vec3; 2] {
        [point(&self.starts, lane), point(&self.ends, lane)]
    }
}

/// What the triangles of a leaf answer for, in the frame of the first body.
#[derive(Clone)]
pub(super) struct LeafFeatures {
    pub(super) bounds: Aabb,
    pub(super) edge_count: usize,
    pub(super) vertex_count: usize,
    pub(super) face_count: usize,
    pub(super) edges: [EdgeGroup; GROUPS],
    pub(super) vertices: [VertexGroup; GROUPS],
    pub(super) face_boxes: FeatureBoxes,
    pub(super) faces: [Rows; 3],
    /// The vertices of the faces, a row for each corner.
    pub(super) face_corners: [[u32; WIDTH]; 3],
    pub(super) face_ids: [u32; WIDTH],
}

impl LeafFeatures {
    const NONE: Self = Self {
        bounds: Aabb::EMPTY,
        edge_count: 0,
        vertex_count: 0,
        face_count: 0,
        edges: [EdgeGroup {
            boxes: NO_BOXES,
            starts: NO_ROWS,
            ends: NO_ROWS,
            vertices: [[0; WIDTH]; 2],
            ids: [0; WIDTH],
        }; GROUPS],
        vertices: [VertexGroup {
            points: NO_ROWS,
            ids: [0; WIDTH],
        }; GROUPS],
        face_boxes: NO_BOXES,
        faces: [NO_ROWS; 3],
        face_corners: [[0; WIDTH]; 3],
        face_ids: [0; WIDTH],
    };

    #[inline(always)]
    fn fill<V: Lanes>(&mut self, of: &NearBody, placement: &Placement, triangles: &LeafTriangles) {
        (self.face_count, self.vertex_count, self.edge_count) = (0, 0, 0);
        self.bounds = Aabb::EMPTY;
        for &t in triangles {
            if t == NO_TRIANGLE {
                break;
            }
            self.add(of, placement, t);
        }
        for group in &mut self.edges[..self.edge_count.div_ceil(WIDTH)] {
            group.boxes.begin(&group.starts);
            group.boxes.hold::<V>(&group.ends);
        }
        let [a, b, c] = &self.faces;
        self.face_boxes.begin(a);
        self.face_boxes.hold::<V>(b);
        self.face_boxes.hold::<V>(c);
    }

    #[inline(always)]
    fn add(&mut self, of: &NearBody, placement: &Placement, t: u32) {
        let NearBody {
            body,
            representatives,
        } = of;
        let [u, v, w] = body.surface.triangles[t as usize];
        let corners = if placement.is_identity() {
            body.surface.rounded_corners(t)
        } else {
            placement.corners(&body.surface, t).map(|p| p.as_vec3())
        };
        let [p, q, r] = corners;
        let mask = representatives.mask(t);
        let edge_ids = &representatives.edges.of_half_edges[3 * t as usize..][..3];
        let lane = self.face_count % WIDTH;
        self.face_count += 1;
        self.face_ids[lane] = t;
        for (k, (p, v)) in [(p, u), (q, v), (r, w)].into_iter().enumerate() {
            set(&mut self.faces[k], lane, p);
            self.face_corners[k][lane] = v;
        }
        self.bounds = self.bounds.with(p).with(q).with(r);
        // Which features a triangle answers for has no pattern: all are written, and the place moves on when it is one.
        self.add_vertex(u, p, mask & 1);
        self.add_vertex(v, q, mask >> 1 & 1);
        self.add_vertex(w, r, mask >> 2 & 1);
        self.add_edge(edge_ids[0], [u, v], [p, q], mask >> 3 & 1);
        self.add_edge(edge_ids[1], [v, w], [q, r], mask >> 4 & 1);
        self.add_edge(edge_ids[2], [w, u], [r, p], mask >> 5 & 1);
    }

    #[inline(always)]
    fn add_vertex(&mut self, id: u32, p: Vec3, count: u8) {
        let lane = self.vertex_count % WIDTH;
        let group = &mut self.vertices[self.vertex_count / WIDTH % GROUPS];
        set(&mut group.points, lane, p);
        group.ids[lane] = id;
        self.vertex_count += usize::from(count);
    }

    #[inline(always)]
    fn add_edge(&mut self, id: u32, [u, v]: [u32; 2], [p, q]: [Vec3; 2], count: u8) {
        let lane = self.edge_count % WIDTH;
        let group = &mut self.edges[self.edge_count / WIDTH % GROUPS];
        set(&mut group.starts, lane, p);
        set(&mut group.ends, lane, q);
        group.vertices[0][lane] = u;
        group.vertices[1][lane] = v;
        group.ids[lane] = id;
        self.edge_count += usize::from(count);
    }
}

/// A point of eight.
#[inline(always)]
fn point(rows: &Rows, lane: usize) -> Vec3 {
    Vec3::new(rows[0][lane], rows[1][lane], rows[2][lane])
}

#[inline(always)]
fn set(rows: &mut Rows, lane: usize, p: Vec3) {
    (rows[0][lane], rows[1][lane], rows[2][lane]) = (p.x, p.y, p.z);
}

/// Leaves that were used last, so that neighbours find them ready.
pub(super) struct LeafCache {
    /// The first triangle of each, which no other leaf has.
    names: Vec<u32>,
    leaves: Vec<LeafFeatures>,
}

impl LeafCache {
    /// For a body of so many triangles, `most` leaves at most: small bodies need little room, and making it takes time.
    pub(super) fn new(triangles: usize, most: usize) -> Self {
        let kept = (triangles / 2).next_power_of_two().clamp(8, most);
        Self {
            names: memory::filled(NO_TRIANGLE, kept),
            leaves: memory::filled(LeafFeatures::NONE, kept),
        }
    }

    /// The place of a leaf, filled. The leaf in the place `kept` stays there.
    #[inline(always)]
    pub(super) fn place<V: Lanes>(
        &mut self,
        of: &NearBody,
        placement: &Placement,
        triangles: &LeafTriangles,
        kept: Option<usize>,
    ) -> usize {
        // Leaves that lie together have numbers that have little in common. Each may be in two places. There are a power of two.
        let slot = (triangles[0].wrapping_mul(0x9e37_79b9) >> 16) as usize & (self.names.len() - 1);
        let beside = slot ^ 1;
        if self.names[slot] == triangles[0] {
            return slot;
        }
        if self.names[beside] == triangles[0] {
            return beside;
        }
        let is_taken = self.names[slot] != NO_TRIANGLE && self.names[beside] == NO_TRIANGLE;
        let free = if is_taken || kept == Some(slot) {
            beside
        } else {
            slot
        };
        self.names[free] = triangles[0];
        self.leaves[free].fill::<V>(of, placement, triangles);
        free
    }

    #[inline(always)]
    pub(super) fn at(&self, slot: usize) -> &LeafFeatures {
        &self.leaves[slot]
    }
}
