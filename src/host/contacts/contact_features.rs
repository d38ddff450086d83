//! Contacts, third: for each triangle which of its corners the surface descends from to another corner; these are vetoed. Corners below
//! the contact distance are linked to a region. What has to be searched is few, and is gathered: edges and faces that may have a minimum of
//! their own, each edge by one of its triangles. A sample in the middle tells for those that are short.

use super::contact_work::{FACE_ASKED, FACE_LISTED, Work};
use super::eight::{Waiting, places_of};
use super::{
    Bindings, CLUSTER_GRAIN, CLUSTERS, SAMPLING_ALL, SAMPLING_EDGE_CENTRES, SAMPLING_VERTICES, Side,
};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactFeatures;
use crate::host::meeting::Corners;
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
    let mut features = Features {
        side,
        work: Work::of(side),
        reach: side.reach(),
        edges: Waiting::new(),
    };
    let mut triangles = Waiting::new();
    for range in clusters.map(|at| side.touching_range(at)) {
        for triangle in range.first_triangle..range.first_triangle + range.triangle_count {
            match features.triangle(triangle) {
                Some(triangle) if triangle.is_plain(side) => {
                    features.ask(&triangle, false, false);
                    features.tell(&triangle);
                }
                Some(triangle) => triangles.add(triangle, |all| features.look_at(all)),
                None => {}
            }
        }
    }
    triangles.finish(|triangles| features.look_at(triangles));
    let (side, work) = (features.side, &features.work);
    features
        .edges
        .finish(|edges| ask_for_dips(side, work, edges));
}

/// What is known of a corner of a triangle.
#[derive(Clone, Copy)]
struct Corner {
    vertex: u32,
    place: Vec3,
    value: f32,
    lower: f32,
}

struct Triangle {
    number: u32,
    corners: [Corner; 3],
    /// From each corner to the next.
    lengths: [f32; 3],
    t: Corners,
    /// Whether it may be near, by its corners.
    may_be_near: bool,
    /// The lowest value of its corners.
    lowest: f32,
}

impl Triangle {
    /// Whether it can be lower in the middle than at its corners: distance changes by no more than the way.
    fn may_dip(&self) -> bool {
        let middle = self.t.middle();
        let least = |own: &Corner| own.value - own.place.distance(middle);
        let [a, b, c] = self.corners.each_ref().map(least);
        a.max(b.max(c)) < self.lowest
    }

    /// Whether its corners tell all that is asked of it.
    fn is_plain(&self, side: &Side) -> bool {
        let size = self.lengths.into_iter().fold(0.0, f32::max);
        self.lowest <= side.query.distance && size <= side.query.spacing && !self.may_dip()
    }
}

/// An edge that may have a minimum of its own if its middle is below its ends.
struct Edge {
    half_edge: u32,
    middle: Vec3,
    /// The lower value of both ends.
    ends: f32,
    size: f32,
}

struct Features<'a> {
    side: &'a Side<'a>,
    work: Work<'a>,
    reach: [Vec3; 2],
    edges: Waiting<Edge>,
}

impl Features<'_> {
    /// A triangle, if its corners do not tell that it is far.
    fn triangle(&self, number: u32) -> Option<Triangle> {
        let side = self.side;
        let vertices = side.mesh.indices[number as usize];
        let t = side.placed_triangle(number);
        let corner = |vertex: u32, place: Vec3| Corner {
            vertex,
            place,
            value: self.work.value(vertex),
            lower: self.work.lower(vertex),
        };
        let [a, b, c] = [
            corner(vertices[0], t.a),
            corner(vertices[1], t.b),
            corner(vertices[2], t.c),
        ];
        let [ab, bc, ca] = [t.a.distance(t.b), t.b.distance(t.c), t.c.distance(t.a)];
        let least = (a.lower - ab.max(ca)).max((b.lower - ab.max(bc)).max(c.lower - bc.max(ca)));
        let may_be_near = least <= side.query.distance;
        let lowest = a.value.min(b.value.min(c.value));
        (may_be_near || lowest <= side.query.distance).then_some(Triangle {
            number,
            corners: [a, b, c],
            lengths: [ab, bc, ca],
            t,
            may_be_near,
            lowest,
        })
    }

    /// Up to eight triangles.
    fn look_at(&mut self, triangles: &[Triangle]) {
        let told = self.side.tell(&places_of(triangles, |own| own.t.middle()));
        for (lane, own) in triangles.iter().enumerate() {
            let distance = self.side.query.distance;
            let is_near = own.may_be_near && told.lowers[lane] - own.t.radius() <= distance;
            if is_near || own.lowest <= distance {
                let is_lower = told.values[lane] < own.lowest - self.side.query.noise;
                self.ask(own, is_near, is_lower && own.may_dip());
                self.tell(own);
            }
        }
    }

    /// Asks for searches along edges and in the face; `dips` is whether the face is lower in the middle than at its corners.
    fn ask(&mut self, own: &Triangle, is_near: bool, dips: bool) {
        let [a, b, c] = &own.corners;
        for (k, (p, q)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
            self.ask_for_edge(3 * own.number + k as u32, p, q, own.lengths[k]);
        }
        let (query, size) = (self.side.query, own.lengths.into_iter().fold(0.0, f32::max));
        let large = self.side.is_large(size);
        let asked =
            query.sampling == SAMPLING_ALL && !large && is_near && (size > query.spacing || dips);
        if asked || large {
            let mark = match asked {
                true => FACE_LISTED | FACE_ASKED,
                false => FACE_LISTED,
            };
            self.work.marks[own.number as usize].store(mark, Relaxed);
            self.work.add_listed_face(own.number);
        }
    }

    /// What a triangle says of its corners.
    fn tell(&self, own: &Triangle) {
        let (query, t) = (self.side.query, &own.t);
        let ([a, b, c], [ab, bc, ca]) = (&own.corners, own.lengths);
        let below = own.corners.map(|corner| corner.value <= query.distance);
        // The less of a triangle is near, the less of its area counts.
        let count_below = below.iter().filter(|&&is_below| is_below).count() as f32;
        let double_area = (t.b - t.a).cross(t.c - t.a).length();
        let area = (0.5 * double_area * count_below / 9.0 * query.area_scale).min(MOST_AREA);
        self.tell_corner(own.number, a, [(b, ab), (c, ca)], area as u32);
        self.tell_corner(own.number, b, [(c, bc), (a, ab)], area as u32);
        self.tell_corner(own.number, c, [(a, ca), (b, bc)], area as u32);
        let first = below.iter().position(|&is_below| is_below).unwrap_or(2);
        let first = own.corners[first].vertex;
        for k in 1..3 {
            if below[k] && own.corners[k].vertex != first {
                self.work.link(own.corners[k].vertex, first);
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
    fn ask_for_edge(&mut self, half_edge: u32, p: &Corner, q: &Corner, size: f32) {
        let (side, query) = (self.side, self.side.query);
        // A point that is as far from one end as it can be is near the other.
        let is_near = 0.5 * (p.lower + q.lower - size) <= query.distance;
        if !is_near
            || query.sampling == SAMPLING_VERTICES
            || side.edge_owner(half_edge) != half_edge
        {
            return;
        }
        let is_long = query.sampling != SAMPLING_EDGE_CENTRES && size > query.spacing;
        if is_long || !self.is_in_reach(p.place, q.place) {
            self.work.add_edge_search(half_edge);
            return;
        }
        let ends = p.value.min(q.value);
        // Distance changes by no more than the way: where one end is so much above the other, what dips between is interpolation.
        if p.value.max(q.value) - 0.5 * size >= ends {
            return;
        }
        let edge = Edge {
            half_edge,
            middle: 0.5 * (p.place + q.place),
            ends,
            size,
        };
        let work = &self.work;
        self.edges
            .add(edge, |edges| ask_for_dips(side, work, edges));
    }

    /// What a triangle says of one of its corners, from which two edges of these lengths lead to the others.
    fn tell_corner(&self, triangle: u32, own: &Corner, others: [(&Corner, f32); 2], area: u32) {
        // A value that is no number is not below either.
        if !(own.value <= self.side.query.distance) {
            return;
        }
        let vertex = own.vertex as usize;
        let descends = |(to, size): (&Corner, f32)| self.side.descends(own.value, to.value, size);
        if others.into_iter().any(descends) {
            self.work.vetoes[vertex].store(1, Relaxed);
            return;
        }
        self.work.areas[vertex].fetch_add(area, Relaxed);
        self.work.homes[vertex].fetch_min(triangle, Relaxed);
    }
}

/// Asks for searches along those of up to eight edges whose middle is below their ends.
fn ask_for_dips(side: &Side, work: &Work, edges: &[Edge]) {
    let query = side.query;
    let values = side.values_of(&places_of(edges, |edge| edge.middle));
    for (edge, value) in edges.iter().zip(values) {
        let dips = match query.sampling == SAMPLING_EDGE_CENTRES {
            true => value <= query.distance && side.descends(edge.ends, value, 0.5 * edge.size),
            false => value < edge.ends - query.noise,
        };
        if dips {
            work.add_edge_search(edge.half_edge);
        }
    }
}
