//! Soft contacts: every vertex, edge and face of the clusters that may touch whose nearest point is within the distance, each by itself
//! and unreduced. An edge counts where a point inside of it is nearer than its ends, a face where one is nearer than its rim, so that no
//! place is listed twice.

use super::{
    Bindings, CLUSTER_GRAIN, CLUSTERS, INFINITE, SAMPLING_EDGE_CENTRES, SAMPLING_VERTICES, Side,
    cell_middle, moved_along,
};
use crate::gpu::native::{Array, Native};
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::{ClusterRange, SidesPush, SoftRecord};
use crate::gpu::shader::kernels::SoftContacts;
use crate::host::meeting::Corners;
use glam::{Vec3, Vec4};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

// Kinds of features; partner: ContactFeature in query/contacts.rs.
const SOFT_VERTEX: u32 = 0;
const SOFT_EDGE: u32 = 1;
const SOFT_FACE: u32 = 2;

/// The most samples along an edge, or along the side of a face, before the smallest is refined, and halvings of the step when it is.
const EDGE_SAMPLES: f32 = 32.0;
const FACE_SAMPLES: f32 = 16.0;
const HALVINGS: u32 = 10;
/// Smaller steps than this part of the spacing do not change a minimum by what the field resolves.
const LEAST_STEP: f32 = 0.002;
/// Bytes before the list: how many there are.
const LIST_HEAD: usize = 16;

impl Native for SoftContacts<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        let count = |side: &Side| side.count(CLUSTERS);
        super::bindings!(self).for_all(push, CLUSTER_GRAIN, count, |side, part| {
            let soft = Soft::of(side, &self.soft_list);
            for range in part.map(|at| side.touching_range(at)) {
                soft.look_at_cluster(&range);
            }
        });
    }
}

struct Soft<'a> {
    side: &'a Side<'a>,
    count: &'a AtomicU32,
    list: Array<'a, SoftRecord>,
}

/// The feature of a triangle that a minimum is looked for on.
#[derive(Clone, Copy, PartialEq)]
enum On {
    /// The edge from this corner on.
    Edge(usize),
    Face,
}

impl On {
    /// Ways along which weights move: of an edge forwards and backwards, of a face along its edges.
    fn moved(self, weights: Vec3, way: usize, step: f32) -> Vec3 {
        match self {
            Self::Face => moved_along(weights, way, step),
            Self::Edge(first) => {
                let (from, to) = ((first + way) % 3, (first + 1 - way) % 3);
                let mut moved = weights;
                let by = step.min(moved[from]);
                moved[from] -= by;
                moved[to] += by;
                moved
            }
        }
    }
}

impl<'a> Soft<'a> {
    fn of(side: &'a Side<'a>, list: &Bound<'a>) -> Self {
        Self {
            side,
            count: &list.words()[0],
            list: list.after(LIST_HEAD).array(),
        }
    }

    fn look_at_cluster(&self, range: &ClusterRange) {
        for (vertex, is_own) in self.side.cluster_vertices(range) {
            if is_own {
                let own = self.side.mesh.positions.load(vertex);
                let p = self.side.placed(own);
                self.list_soft(SOFT_VERTEX, vertex, p, own.length(), Vec3::X);
            }
        }
        if self.side.query.sampling != SAMPLING_VERTICES {
            let triangles = range.first_triangle..range.first_triangle + range.triangle_count;
            triangles.for_each(|triangle| self.look_at(triangle));
        }
    }

    /// What the certified distance at a point is off by because the point was placed in f32.
    fn slack_at(&self, p: Vec3, own_size: f32) -> f32 {
        let query = self.side.query;
        1.2e-6 * (p.length() + 2.0 * query.meeting.shift + query.ratio * own_size)
    }

    fn list_soft(&self, kind: u32, feature: u32, p: Vec3, own_size: f32, weights: Vec3) {
        let (query, field) = (self.side.query, &self.side.field);
        let slack = self.slack_at(p, own_size);
        // Nothing is missed: what may be within the distance is listed.
        if !(field.bounds(p).lower - slack <= query.distance) {
            return;
        }
        let slot = self.count.fetch_add(1, Relaxed);
        if slot >= query.capacity {
            return;
        }
        let s = field.sample(p);
        let towards = field.towards_surface(&s, p);
        let normal = if s.interior { towards } else { -towards };
        let record = SoftRecord {
            point: p.into(),
            distance: s.distance,
            normal: normal.into(),
            lower: s.lower - slack,
            upper: field.upper(&s, p) + slack,
            kind,
            feature,
            body: query.side,
            weights: [weights.y, weights.z],
            pad: [0; 2],
        };
        self.list.set(slot as usize, record);
    }

    /// The smallest value among samples of an edge or a face, moved downhill: weights, and the value in w.
    fn minimum_of(&self, t: &Corners, on: On, size: f32, bound: f32) -> Vec4 {
        let spacing = self.side.query.spacing;
        let (most, ways) = match on {
            On::Face => (FACE_SAMPLES, 6),
            On::Edge(_) => (EDGE_SAMPLES, 2),
        };
        let count = (size / spacing).ceil().max(1.0).min(most);
        let mut best = Vec3::splat(1.0 / 3.0).extend(INFINITE);
        let take = |best: &mut Vec4, weights: Vec3| {
            let value = self.side.value_of(point_of(t, weights));
            if value < best.w {
                *best = weights.extend(value);
            }
        };
        for row in 0..count as u32 {
            match on {
                On::Face => (0..=2 * row)
                    .for_each(|cell| take(&mut best, cell_middle(row, cell, 1.0 / count))),
                On::Edge(first) => {
                    let along = (row as f32 + 0.5) / count;
                    let mut weights = Vec3::ZERO;
                    weights[first] = 1.0 - along;
                    weights[(first + 1) % 3] = along;
                    take(&mut best, weights);
                }
            }
        }
        let mut step = 0.5 / count;
        for _ in 0..HALVINGS {
            // What cannot descend below the ends, or the rim, has no minimum of its own.
            if best.w - size / count >= bound || step * size < LEAST_STEP * spacing {
                break;
            }
            for way in 0..ways {
                let moved = on.moved(best.truncate(), way, step);
                take(&mut best, moved);
            }
            step *= 0.5;
        }
        best
    }

    fn look_at(&self, triangle: u32) {
        let (side, query) = (self.side, self.side.query);
        let own = side.mesh.load_triangle(triangle);
        let t = side.placed_triangle(triangle);
        let own_size = own.a.length().max(own.b.length().max(own.c.length()));
        let centre = t.middle();
        // No distance changes by more than a point moves.
        let lower =
            side.value_of(centre) - side.field.params.error - self.slack_at(centre, own_size);
        if !(lower <= t.radius() + query.distance) {
            return;
        }
        let corners = [t.a, t.b, t.c];
        let is_plain = query.sampling == SAMPLING_EDGE_CENTRES;
        let values = corners.map(|corner| if is_plain { 0.0 } else { side.value_of(corner) });
        let mut rim = values[0].min(values[1].min(values[2]));
        let mut longest = 0.0_f32;
        for k in 0..3 {
            let (next, half_edge) = ((k + 1) % 3, 3 * triangle + k as u32);
            let is_owner = side.edge_owner(half_edge) == half_edge;
            if is_plain {
                let mut weights = Vec3::splat(0.5);
                weights[(k + 2) % 3] = 0.0;
                if is_owner {
                    self.list_soft(SOFT_EDGE, half_edge, point_of(&t, weights), own_size, weights);
                }
                continue;
            }
            let ends = values[k].min(values[next]);
            let size = corners[k].distance(corners[next]);
            longest = longest.max(size);
            let found = self.minimum_of(&t, On::Edge(k), size, ends);
            rim = rim.min(found.w);
            if is_owner && found.w < ends - query.noise {
                let weights = found.truncate();
                self.list_soft(SOFT_EDGE, half_edge, point_of(&t, weights), own_size, weights);
            }
        }
        if is_plain {
            return;
        }
        let face = self.minimum_of(&t, On::Face, longest, rim);
        if face.w < rim - query.noise {
            let weights = face.truncate();
            self.list_soft(SOFT_FACE, triangle, point_of(&t, weights), own_size, weights);
        }
    }
}

fn point_of(t: &Corners, weights: Vec3) -> Vec3 {
    weights.x * t.a + weights.y * t.b + weights.z * t.c
}
