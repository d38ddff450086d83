//! The vertices, edges and faces of a few triangles side by side, and those that were used last.

use super::NearBody;
use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::bvh::LEAF;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::simd::WIDTH;
use crate::memory;
use glam::Vec3;

/// Corners of up to eight features, a row for each axis. Unused lanes are not numbers, and near nothing.
pub(super) type Rows = [[f32; WIDTH]; 3];

const NO_ROWS: Rows = [[f32::NAN; WIDTH]; 3];

/// The most vertices or edges that the triangles of a leaf answer for.
const MOST: usize = 3 * LEAF;

/// Groups of eight that hold them.
pub(super) const GROUPS: usize = MOST.div_ceil(WIDTH);

/// A leaf, by its triangles; unused places are [`NO_TRIANGLE`].
pub(super) type LeafTriangles = [u32; LEAF];

pub(super) const NO_TRIANGLE: u32 = u32::MAX;

/// What the triangles of a leaf answer for, in the frame of the first body.
#[derive(Clone)]
pub(super) struct LeafFeatures {
    /// The first triangle, which no other leaf has.
    first: u32,
    pub(super) bounds: Aabb,
    pub(super) faces: [Rows; 3],
    pub(super) face_ids: [u32; WIDTH],
    /// The vertices of the faces, a row for each corner.
    pub(super) face_corners: [[u32; WIDTH]; 3],
    pub(super) vertices: usize,
    pub(super) vertex_ids: [u32; MOST],
    pub(super) points: [Vec3; MOST],
    pub(super) edges: usize,
    pub(super) edge_ids: [u32; GROUPS * WIDTH],
    /// The vertices of the edges.
    pub(super) edge_ends: [[[u32; WIDTH]; 2]; GROUPS],
    pub(super) starts: [Rows; GROUPS],
    pub(super) ends: [Rows; GROUPS],
}

impl LeafFeatures {
    const NONE: Self = Self {
        first: NO_TRIANGLE,
        bounds: Aabb::EMPTY,
        faces: [NO_ROWS; 3],
        face_ids: [0; WIDTH],
        face_corners: [[0; WIDTH]; 3],
        vertices: 0,
        vertex_ids: [0; MOST],
        points: [Vec3::ZERO; MOST],
        edges: 0,
        edge_ids: [0; GROUPS * WIDTH],
        edge_ends: [[[0; WIDTH]; 2]; GROUPS],
        starts: [NO_ROWS; GROUPS],
        ends: [NO_ROWS; GROUPS],
    };

    /// The ends of an edge.
    #[inline(always)]
    pub(super) fn edge(&self, k: usize) -> [Vec3; 2] {
        let (group, lane) = (k / WIDTH, k % WIDTH);
        let at = |rows: &[Rows; GROUPS]| {
            let rows = &rows[group];
            Vec3::new(rows[0][lane], rows[1][lane], rows[2][lane])
        };
        [at(&self.starts), at(&self.ends)]
    }

    /// The vertices of an edge.
    #[inline(always)]
    pub(super) fn edge_vertices(&self, k: usize) -> [u32; 2] {
        let [starts, ends] = &self.edge_ends[k / WIDTH];
        [starts[k % WIDTH], ends[k % WIDTH]]
    }

    fn fill(&mut self, of: &NearBody, placement: &Placement, triangles: &LeafTriangles) {
        let NearBody {
            body,
            representatives,
        } = of;
        self.first = triangles[0];
        (self.vertices, self.edges, self.bounds) = (0, 0, Aabb::EMPTY);
        let set = |rows: &mut Rows, lane: usize, p: Vec3| {
            (0..3).for_each(|axis| rows[axis][lane] = p[axis]);
        };
        let empty = Vec3::NAN;
        for (lane, &t) in triangles.iter().enumerate() {
            if t == NO_TRIANGLE {
                (0..3).for_each(|k| set(&mut self.faces[k], lane, empty));
                continue;
            }
            let ids = body.surface.triangles[t as usize];
            let mut corners = body.surface.corners(t);
            if !placement.is_identity() {
                corners = corners.map(|p| placement.point(p.as_dvec3()).as_vec3());
            }
            self.face_ids[lane] = t;
            for (k, &p) in corners.iter().enumerate() {
                set(&mut self.faces[k], lane, p);
                self.face_corners[k][lane] = ids[k];
                self.bounds = self.bounds.with(p);
            }
            for k in representatives.corners(t) {
                self.vertex_ids[self.vertices] = ids[k];
                self.points[self.vertices] = corners[k];
                self.vertices += 1;
            }
            for k in representatives.sides(t) {
                let (group, lane) = (self.edges / WIDTH, self.edges % WIDTH);
                let next = (k + 1) % 3;
                self.edge_ids[self.edges] = representatives.edges.of_half_edges[3 * t as usize + k];
                set(&mut self.starts[group], lane, corners[k]);
                set(&mut self.ends[group], lane, corners[next]);
                self.edge_ends[group][0][lane] = ids[k];
                self.edge_ends[group][1][lane] = ids[next];
                self.edges += 1;
            }
        }
        // The rest of the last group is near nothing.
        for k in self.edges..self.edges.next_multiple_of(WIDTH) {
            set(&mut self.starts[k / WIDTH], k % WIDTH, empty);
            set(&mut self.ends[k / WIDTH], k % WIDTH, empty);
        }
    }
}

/// Leaves that were used last, so that neighbours find them ready.
pub(super) struct LeafCache(Vec<LeafFeatures>);

impl LeafCache {
    /// For a body of so many triangles, `most` leaves at most: small bodies need little room, and making it takes time.
    pub(super) fn new(triangles: usize, most: usize) -> Self {
        let kept = (triangles / 2).next_power_of_two().clamp(8, most);
        Self(memory::filled(LeafFeatures::NONE, kept))
    }

    /// The place of a leaf, filled. The leaf in the place `kept` stays there.
    #[inline]
    pub(super) fn place(
        &mut self,
        of: &NearBody,
        placement: &Placement,
        triangles: &LeafTriangles,
        kept: Option<usize>,
    ) -> usize {
        // Leaves that lie together have numbers that have little in common. Each may be in two places.
        let slot = (triangles[0].wrapping_mul(0x9e37_79b9) >> 16) as usize % self.0.len();
        let beside = slot ^ 1;
        let mut free = slot;
        if self.0[slot].first != triangles[0] {
            if self.0[beside].first == triangles[0] {
                return beside;
            }
            if self.0[slot].first != NO_TRIANGLE && self.0[beside].first == NO_TRIANGLE
                || kept == Some(slot)
            {
                free = beside;
            }
            self.0[free].fill(of, placement, triangles);
        }
        free
    }

    #[inline(always)]
    pub(super) fn at(&self, slot: usize) -> &LeafFeatures {
        &self.0[slot]
    }
}
