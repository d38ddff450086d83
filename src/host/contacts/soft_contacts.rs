//! Soft contacts: every vertex, edge and face of the clusters that may touch whose nearest point is within the distance, each by itself
//! and unreduced. An edge counts where a point inside of it is nearer than its ends, a face where one is nearer than its rim, so that no
//! place is listed twice.

use super::contact_features::each_bit;
use super::eight::{Certified, Waiting, places_of, slack_at};
use super::{
    Bindings, CLUSTER_GRAIN, CLUSTERS, INFINITE, SAMPLING_EDGE_CENTRES, SAMPLING_VERTICES, Side,
    cell_middle, moved_along, point_of,
};
use crate::geometry::simd::WIDTH;
use crate::gpu::native::{Array, Native};
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::{SidesPush, SoftRecord};
use crate::gpu::shader::kernels::SoftContacts;
use crate::host::meeting::Corners;
use glam::{Vec3, Vec4};
use std::ops::Range;
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
            let list = SoftList::of(side, &self.soft_list);
            look_at_clusters(side, &list, part);
        });
    }
}

fn look_at_clusters(side: &Side, list: &SoftList, clusters: Range<usize>) {
    let mut waiting = Lists {
        side,
        list,
        spots: Waiting::new(),
        near: Waiting::new(),
    };
    let mut triangles = Waiting::new();
    let mut vertices = Waiting::new();
    for range in clusters.map(|at| side.touching_range(at)) {
        for (vertex, is_own) in side.cluster_vertices(&range) {
            if is_own {
                vertices.add(vertex, |vertices| list.add_vertices(vertices));
            }
        }
        if side.query.sampling == SAMPLING_VERTICES {
            continue;
        }
        for triangle in range.first_triangle..range.first_triangle + range.triangle_count {
            triangles.add(Triangle::of(side, triangle), |all| waiting.cull(all));
        }
    }
    vertices.finish(|vertices| list.add_vertices(vertices));
    triangles.finish(|all| waiting.cull(all));
    waiting.finish();
}

/// What waits to be looked at.
struct Lists<'a> {
    side: &'a Side<'a>,
    list: &'a SoftList<'a>,
    spots: Waiting<Spot>,
    near: Waiting<Triangle>,
}

impl Lists<'_> {
    /// Goes on with those of up to eight triangles that may be near. No distance changes by more than a point moves.
    fn cull(&mut self, triangles: &[Triangle]) {
        let (side, query) = (self.side, self.side.query);
        let centres = side.values_of(&places_of(triangles, |own| own.t.middle()));
        for (own, value) in triangles.iter().zip(centres) {
            let slack = side.field.params.error + slack_at(side, own.t.middle(), own.own_size);
            if value - slack <= own.t.radius() + query.distance {
                self.near.add(*own, |near| {
                    list_features(side, near, |spot| {
                        self.spots.add(spot, |spots| self.list.add(spots));
                    });
                });
            }
        }
    }

    fn finish(&mut self) {
        self.near.finish(|near| {
            list_features(self.side, near, |spot| {
                self.spots.add(spot, |spots| self.list.add(spots));
            });
        });
        self.spots.finish(|spots| self.list.add(spots));
    }
}

/// A place of the mesh that is listed if it may be within the distance.
#[derive(Clone, Copy)]
struct Spot {
    kind: u32,
    feature: u32,
    place: Vec3,
    /// How far it can be from the mesh's origin.
    own_size: f32,
    weights: Vec3,
}

impl Spot {
    fn at_vertex(side: &Side, vertex: u32) -> Self {
        let own = side.mesh.positions.load(vertex);
        Self {
            kind: SOFT_VERTEX,
            feature: vertex,
            place: side.placed(own),
            own_size: own.length(),
            weights: Vec3::X,
        }
    }
}

struct SoftList<'a> {
    side: &'a Side<'a>,
    count: &'a AtomicU32,
    records: Array<'a, SoftRecord>,
}

impl<'a> SoftList<'a> {
    fn of(side: &'a Side<'a>, list: &Bound<'a>) -> Self {
        Self {
            side,
            count: &list.words()[0],
            records: list.after(LIST_HEAD).array(),
        }
    }

    /// Lists those of up to eight vertices that may be within the distance.
    fn add_vertices(&self, vertices: &[u32]) {
        let mut eight = [vertices[0]; WIDTH];
        eight[..vertices.len()].copy_from_slice(vertices);
        let (certified, near) = self.side.certify_vertices(&eight);
        let near = near & u8::MAX >> (WIDTH - vertices.len());
        self.list(near, &certified, |lane| {
            Spot::at_vertex(self.side, vertices[lane])
        });
    }

    /// Lists those of up to eight spots that may be within the distance: nothing is missed.
    fn add(&self, spots: &[Spot]) {
        let side = self.side;
        let certified = side.certify(&places_of(spots, |spot| spot.place));
        let mut near = 0;
        for (lane, spot) in spots.iter().enumerate() {
            let slack = slack_at(side, spot.place, spot.own_size);
            let is_near = certified.lowers[lane] - slack <= side.query.distance;
            near |= u8::from(is_near) << lane;
        }
        self.list(near, &certified, |lane| spots[lane]);
    }

    /// Lists spots, of which there is a bit for each that is near.
    fn list(&self, near: u8, certified: &Certified, spot: impl Fn(usize) -> Spot) {
        if near == 0 {
            return;
        }
        let first = self.count.fetch_add(near.count_ones(), Relaxed);
        for (slot, lane) in (first..).zip(each_bit(near)) {
            if slot < self.side.query.capacity {
                let record = self.record(&spot(lane), certified, lane);
                self.records.set(slot as usize, record);
            }
        }
    }

    fn record(&self, spot: &Spot, certified: &Certified, lane: usize) -> SoftRecord {
        let (field, p) = (&self.side.field, spot.place);
        let slack = slack_at(self.side, p, spot.own_size);
        let (towards, interior, distance) = if certified.in_domain >> lane & 1 == 1 {
            let value = certified.values[lane];
            (field.direction(field.clamp(p), value), value < 0.0, value)
        } else {
            let s = field.sample(p);
            (field.towards_surface(&s, p), s.interior, s.distance)
        };
        let normal = if interior { towards } else { -towards };
        SoftRecord {
            point: p.into(),
            distance,
            normal: normal.into(),
            lower: certified.lowers[lane] - slack,
            upper: certified.uppers[lane] + slack,
            kind: spot.kind,
            feature: spot.feature,
            body: self.side.query.side,
            weights: [spot.weights.y, spot.weights.z],
            pad: [0; 2],
        }
    }
}

#[derive(Clone, Copy)]
struct Triangle {
    number: u32,
    t: Corners,
    own_size: f32,
}

impl Triangle {
    fn of(side: &Side, number: u32) -> Self {
        let own = side.mesh.load_triangle(number);
        Self {
            number,
            t: side.placed_triangle(number),
            own_size: own.a.length().max(own.b.length().max(own.c.length())),
        }
    }

    fn spot(&self, kind: u32, feature: u32, weights: Vec3) -> Spot {
        Spot {
            kind,
            feature,
            place: point_of(&self.t, weights),
            own_size: self.own_size,
            weights,
        }
    }
}

/// The feature of a triangle that a minimum is looked for on.
#[derive(Clone, Copy)]
enum On {
    /// The edge from this corner on.
    Edge(usize),
    Face,
}

impl On {
    /// The most samples along a side, before the smallest is refined.
    fn most_samples(self) -> f32 {
        match self {
            Self::Edge(_) => EDGE_SAMPLES,
            Self::Face => FACE_SAMPLES,
        }
    }

    /// How many samples there are of so many along a side.
    fn samples(self, count: u32) -> u32 {
        match self {
            Self::Edge(_) => count,
            Self::Face => count * count,
        }
    }

    /// The weights of a sample.
    fn sample(self, turn: u32, count: f32) -> Vec3 {
        match self {
            Self::Edge(first) => {
                let along = (turn as f32 + 0.5) / count;
                let mut weights = Vec3::ZERO;
                weights[first] = 1.0 - along;
                weights[(first + 1) % 3] = along;
                weights
            }
            Self::Face => {
                let row = turn.isqrt();
                cell_middle(row, turn - row * row, 1.0 / count)
            }
        }
    }

    /// Ways along which weights move: on an edge forwards and backwards, in a face along its edges.
    fn ways(self) -> usize {
        match self {
            Self::Edge(_) => 2,
            Self::Face => 6,
        }
    }

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

/// A minimum that is looked for: its weights, and in w its value.
struct Search {
    t: Corners,
    /// The length of the edge, or of the longest.
    size: f32,
    /// The value at the ends, or at the rim: what cannot descend below it has no minimum of its own.
    bound: f32,
    count: f32,
    best: Vec4,
    goes_on: bool,
}

impl Search {
    fn new(side: &Side, on: On, t: Corners, size: f32, bound: f32) -> Self {
        let count = (size / side.query.spacing).ceil();
        Self {
            t,
            size,
            bound,
            count: count.max(1.0).min(on.most_samples()),
            best: Vec3::splat(1.0 / 3.0).extend(INFINITE),
            goes_on: true,
        }
    }
}

/// The smallest values among samples of up to eight edges or faces, moved downhill.
fn find_minima(side: &Side, on: On, searches: &mut [Search]) {
    let counts = searches.iter().map(|own| own.count as u32);
    let most = counts.max().map_or(0, |count| on.samples(count));
    for turn in 0..most {
        let values = side.values_of(&places_of(searches, |own| {
            point_of(&own.t, on.sample(turn, own.count))
        }));
        for (own, value) in searches.iter_mut().zip(values) {
            if turn < on.samples(own.count as u32) && value < own.best.w {
                own.best = on.sample(turn, own.count).extend(value);
            }
        }
    }
    let mut part = 0.5;
    for _ in 0..HALVINGS {
        let mut goes_on = false;
        for own in searches.iter_mut() {
            let may_descend = own.best.w - own.size / own.count < own.bound;
            let is_seen = part / own.count * own.size >= LEAST_STEP * side.query.spacing;
            own.goes_on = own.goes_on && may_descend && is_seen;
            goes_on |= own.goes_on;
        }
        if !goes_on {
            break;
        }
        for way in 0..on.ways() {
            let moved = |own: &Search| on.moved(own.best.truncate(), way, part / own.count);
            let values = side.values_of(&places_of(searches, |own| point_of(&own.t, moved(own))));
            for (own, value) in searches.iter_mut().zip(values) {
                if own.goes_on && value < own.best.w {
                    own.best = moved(own).extend(value);
                }
            }
        }
        part *= 0.5;
    }
}

/// Lists edges and faces of up to eight triangles.
fn list_features(side: &Side, triangles: &[Triangle], mut list: impl FnMut(Spot)) {
    match side.query.sampling {
        SAMPLING_EDGE_CENTRES => list_edge_centres(side, triangles, list),
        _ => list_minima(side, triangles, &mut list),
    }
}

fn list_edge_centres(side: &Side, triangles: &[Triangle], mut list: impl FnMut(Spot)) {
    for own in triangles {
        for k in 0..3 {
            let half_edge = 3 * own.number + k as u32;
            let mut weights = Vec3::splat(0.5);
            weights[(k + 2) % 3] = 0.0;
            if side.edge_owner(half_edge) == half_edge {
                list(own.spot(SOFT_EDGE, half_edge, weights));
            }
        }
    }
}

/// An edge counts where a point inside of it is below its ends, a face where one is below its rim.
fn list_minima(side: &Side, triangles: &[Triangle], list: &mut impl FnMut(Spot)) {
    let corner = |own: &Triangle, k: usize| [own.t.a, own.t.b, own.t.c][k % 3];
    let values = [0, 1, 2].map(|k| side.values_of(&places_of(triangles, |own| corner(own, k))));
    let (mut rims, mut longest) = ([INFINITE; WIDTH], [0.0_f32; WIDTH]);
    for k in 0..3 {
        let ends = |lane: usize| values[k][lane].min(values[(k + 1) % 3][lane]);
        let mut searches = Waiting::new();
        let mut search = |searches: &mut [Search]| {
            find_minima(side, On::Edge(k), searches);
            for (lane, (own, found)) in triangles.iter().zip(searches).enumerate() {
                let half_edge = 3 * own.number + k as u32;
                rims[lane] = rims[lane].min(ends(lane).min(found.best.w));
                longest[lane] = longest[lane].max(found.size);
                let is_owner = side.edge_owner(half_edge) == half_edge;
                if is_owner && found.best.w < ends(lane) - side.query.noise {
                    list(own.spot(SOFT_EDGE, half_edge, found.best.truncate()));
                }
            }
        };
        for (lane, own) in triangles.iter().enumerate() {
            let size = corner(own, k).distance(corner(own, k + 1));
            let edge = Search::new(side, On::Edge(k), own.t, size, ends(lane));
            searches.add(edge, &mut search);
        }
        searches.finish(search);
    }
    let mut searches = Waiting::new();
    let mut search = |searches: &mut [Search]| {
        find_minima(side, On::Face, searches);
        for (own, found) in triangles.iter().zip(searches) {
            if found.best.w < found.bound - side.query.noise {
                list(own.spot(SOFT_FACE, own.number, found.best.truncate()));
            }
        }
    };
    for (lane, own) in triangles.iter().enumerate() {
        let face = Search::new(side, On::Face, own.t, longest[lane], rims[lane]);
        searches.add(face, &mut search);
    }
    searches.finish(search);
}
