//! Contacts, third: for each triangle which of its corners the surface descends from to another corner; these are vetoed. Corners below
//! the contact distance are linked to a region. What has to be searched is few, and is gathered: edges and faces that may have a minimum of
//! their own, each edge by one of its triangles. A sample in the middle tells for those that are short.

use super::contact_work::{FACE_ASKED, FACE_LISTED, Work};
use super::{
    Bindings, CLUSTER_GRAIN, CLUSTERS, SAMPLING_ALL, SAMPLING_EDGE_CENTRES, SAMPLING_VERTICES, Side,
};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactFeatures;
use glam::Vec3;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// The largest area of a triangle in fixed point.
const MOST_AREA: f32 = 67_108_864.0;

impl Native for ContactFeatures<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        super::bindings!(self).for_all(
            push,
            CLUSTER_GRAIN,
            |side| side.count(CLUSTERS),
            look_at_clusters,
        );
    }
}

fn look_at_clusters(side: &Side, clusters: Range<usize>) {
    let features = Features {
        side,
        work: Work::of(side),
        reach: side.reach(),
    };
    for range in clusters.map(|at| side.touching_range(at)) {
        for triangle in range.first_triangle..range.first_triangle + range.triangle_count {
            features.look_at(triangle);
        }
    }
}

/// What is known of a corner of a triangle.
#[derive(Clone, Copy)]
struct Corner {
    vertex: u32,
    place: Vec3,
    value: f32,
    lower: f32,
}

struct Features<'a> {
    side: &'a Side<'a>,
    work: Work<'a>,
    reach: [Vec3; 2],
}

impl Features<'_> {
    fn corner(&self, vertex: u32, place: Vec3) -> Corner {
        Corner {
            vertex,
            place,
            value: self.work.value(vertex),
            lower: self.work.lower(vertex),
        }
    }

    fn look_at(&self, triangle: u32) {
        let (side, query) = (self.side, self.side.query);
        let v = side.mesh.indices[triangle as usize];
        let t = side.placed_triangle(triangle);
        let corners = [
            self.corner(v[0], t.a),
            self.corner(v[1], t.b),
            self.corner(v[2], t.c),
        ];
        let [a, b, c] = corners;
        let [ab, bc, ca] = [
            t.a.distance(t.b),
            t.b.distance(t.c),
            t.c.distance(t.a),
        ];
        let size = ab.max(bc.max(ca));
        let lowest = a.value.min(b.value.min(c.value));
        let at_corners =
            (a.lower - ab.max(ca)).max((b.lower - ab.max(bc)).max(c.lower - bc.max(ca)));
        let is_near = at_corners <= query.distance
            && side.field.bounds(t.middle()).lower - t.radius() <= query.distance;
        if !(is_near || lowest <= query.distance) {
            return;
        }
        self.ask_for_edge(3 * triangle, &a, &b, ab);
        self.ask_for_edge(3 * triangle + 1, &b, &c, bc);
        self.ask_for_edge(3 * triangle + 2, &c, &a, ca);
        let large = side.is_large(size);
        let asked = query.sampling == SAMPLING_ALL
            && !large
            && is_near
            && (size > query.spacing || side.value_of(t.middle()) < lowest - query.noise);
        if asked || large {
            let mark = if asked { FACE_LISTED | FACE_ASKED } else { FACE_LISTED };
            self.work.marks[triangle as usize].store(mark, Relaxed);
            self.work.add_listed_face(triangle);
        }
        let below = corners.map(|corner| corner.value <= query.distance);
        // The less of a triangle is near, the less of its area counts.
        let count_below = below.iter().filter(|&&is_below| is_below).count() as f32;
        let double_area = (t.b - t.a).cross(t.c - t.a).length();
        let area = (0.5 * double_area * count_below / 9.0 * query.area_scale).min(MOST_AREA);
        self.tell_corner(triangle, &a, [(&b, ab), (&c, ca)], area as u32);
        self.tell_corner(triangle, &b, [(&c, bc), (&a, ab)], area as u32);
        self.tell_corner(triangle, &c, [(&a, ca), (&b, bc)], area as u32);
        let first = v[below.iter().position(|&is_below| is_below).unwrap_or(2)];
        for k in 1..3 {
            if below[k] && v[k] != first {
                self.work.link(v[k], first);
            }
        }
    }

    /// Whether all of an edge can be within the contact distance. Of others a part is searched, whose middle is elsewhere.
    fn is_in_reach(&self, p: Vec3, q: Vec3) -> bool {
        let [low, high] = self.reach;
        p.min(q).cmpge(low).all() && p.max(q).cmple(high).all()
    }

    /// Asks for a search along an edge, if this triangle stands for it and the edge may have a minimum of its own below the contact
    /// distance.
    fn ask_for_edge(&self, half_edge: u32, p: &Corner, q: &Corner, size: f32) {
        let (side, query) = (self.side, self.side.query);
        // A point that is as far from one end as it can be is near the other.
        let is_near = 0.5 * (p.lower + q.lower - size) <= query.distance;
        if !is_near
            || query.sampling == SAMPLING_VERTICES
            || side.edge_owner(half_edge) != half_edge
        {
            return;
        }
        let middle_value = || side.value_of(0.5 * (p.place + q.place));
        let ends = p.value.min(q.value);
        let may_dip = !self.is_in_reach(p.place, q.place)
            || if query.sampling == SAMPLING_EDGE_CENTRES {
                let value = middle_value();
                value <= query.distance && side.descends(ends, value, 0.5 * size)
            } else {
                size > query.spacing || middle_value() < ends - query.noise
            };
        if may_dip {
            self.work.add_edge_search(half_edge);
        }
    }

    /// What a triangle says of one of its corners, from which two edges of these lengths lead to the others.
    fn tell_corner(&self, triangle: u32, own: &Corner, others: [(&Corner, f32); 2], area: u32) {
        // A value that is no number is not below either.
        if !(own.value <= self.side.query.distance) {
            return;
        }
        let vertex = own.vertex as usize;
        let descends =
            |(to, size): (&Corner, f32)| self.side.descends(own.value, to.value, size);
        if others.into_iter().any(descends) {
            self.work.vetoes[vertex].store(1, Relaxed);
            return;
        }
        self.work.areas[vertex].fetch_add(area, Relaxed);
        self.work.homes[vertex].fetch_min(triangle, Relaxed);
    }
}
