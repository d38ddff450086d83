//! What the corners of eight triangles tell at once, and a sample in their middle where one has to be taken. Partner: `look_at` in
//! `shaders/contacts/contact_features.comp`.

use super::contact_work::Work;
use super::{FACE_CELLS, LEVEL_SLOPE};
use super::{SAMPLING_ALL, SAMPLING_EDGE_CENTRES, SAMPLING_VERTICES, Side};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, store_rows};
use crate::host::field::lanes::length;

/// The largest area of a triangle in fixed point.
const MOST_AREA: f32 = 67_108_864.0;

/// The triangles from `first` on that are counted: at most eight.
pub(super) struct Compare<'a> {
    pub(super) side: &'a Side<'a>,
    pub(super) work: &'a Work<'a>,
    /// Where its vertices are, and the field's values there.
    pub(super) spots: &'a [[f32; 4]],
    pub(super) first: u32,
    pub(super) count: u32,
}

/// Sets of triangles have a bit for each.
pub(super) struct Compared {
    /// Of each corner the vertices.
    pub(super) vertices: [[u32; WIDTH]; 3],
    /// Those that are searched, and those too large for that.
    pub(super) asked: u8,
    pub(super) large: u8,
    pub(super) corners: [CornerTold; 3],
    pub(super) edges: [EdgeTold; 3],
    /// In fixed point what a triangle adds to the area of each of its corners.
    pub(super) areas: [i32; WIDTH],
}

#[derive(Clone, Copy, Default)]
pub(super) struct CornerTold {
    /// Those whose corner is below the contact distance.
    pub(super) below: u8,
    /// Of these, those from whose corner the surface descends to another.
    pub(super) vetoed: u8,
}

/// What is told of the edge from a corner to the next.
#[derive(Clone, Copy, Default)]
pub(super) struct EdgeTold {
    /// Those whose edge is searched.
    pub(super) searched: u8,
    /// Those whose edge is searched if the middle is below its ends.
    pub(super) sampled: u8,
    pub(super) middles: [[f32; WIDTH]; 3],
    pub(super) ends: [f32; WIDTH],
    pub(super) sizes: [f32; WIDTH],
}

/// A corner of eight triangles.
#[derive(Clone, Copy)]
struct Corner<V> {
    place: [V; 3],
    value: V,
    lower: V,
}

#[inline(always)]
fn difference<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn cross<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [
        a[1] * b[2] - b[1] * a[2],
        a[2] * b[0] - b[2] * a[0],
        a[0] * b[1] - b[0] * a[1],
    ]
}

impl Compare<'_> {
    fn vertices(&self) -> [[u32; WIDTH]; 3] {
        let mut vertices = [[0; WIDTH]; 3];
        for lane in 0..WIDTH {
            let at = self.first + (lane as u32).min(self.count - 1);
            let corners = self.side.mesh.indices[at as usize];
            for (row, vertex) in vertices.iter_mut().zip(corners) {
                row[lane] = vertex;
            }
        }
        vertices
    }

    #[inline(always)]
    fn corner<V: Lanes>(&self, vertices: &[u32; WIDTH]) -> Corner<V> {
        let mut lowers = [0.0; WIDTH];
        for (lower, &vertex) in lowers.iter_mut().zip(vertices) {
            *lower = self.work.lower(vertex);
        }
        let v = vertices.map(|vertex| vertex as usize);
        let s = self.spots;
        let [x, y, z, value] = V::four_columns([
            &s[v[0]], &s[v[1]], &s[v[2]], &s[v[3]], &s[v[4]], &s[v[5]], &s[v[6]], &s[v[7]],
        ]);
        Corner {
            place: [x, y, z],
            value,
            lower: V::load(&lowers),
        }
    }

    /// What is told of an edge of triangles that are near.
    #[inline(always)]
    fn edge<V: Lanes>(&self, p: &Corner<V>, q: &Corner<V>, size: V, near: u8) -> EdgeTold {
        let query = self.side.query;
        let half = V::splat(0.5);
        // A point that is as far from one end as it can be is near the other.
        let reaches = (half * (p.lower + q.lower - size)).le(V::splat(query.distance));
        let near = near & reaches.bits();
        if near == 0 || query.sampling == SAMPLING_VERTICES {
            return EdgeTold::default();
        }
        let [low, high] = self.side.reach();
        let mut in_reach = reaches;
        for axis in 0..3 {
            in_reach = in_reach
                & V::splat(low[axis]).le(p.place[axis].min(q.place[axis]))
                & p.place[axis].max(q.place[axis]).le(V::splat(high[axis]));
        }
        let mut searched = near & !in_reach.bits();
        if query.sampling != SAMPLING_EDGE_CENTRES {
            searched |= near & V::splat(query.spacing).lt(size).bits();
        }
        // Distance changes by no more than the way: where one end is so much above the other, what dips between is interpolation.
        let ends = p.value.min(q.value);
        let is_level = (p.value.max(q.value) - half * size).lt(ends);
        let mut middle = p.place;
        for axis in 0..3 {
            middle[axis] = half * (p.place[axis] + q.place[axis]);
        }
        EdgeTold {
            searched,
            sampled: near & !searched & is_level.bits(),
            middles: store_rows(middle),
            ends: ends.store(),
            sizes: size.store(),
        }
    }
}

impl LaneKernel for Compare<'_> {
    type Output = Option<Compared>;

    /// Nothing where all eight are far.
    #[inline(always)]
    fn run<V: Lanes>(self) -> Option<Compared> {
        let (side, query) = (self.side, self.side.query);
        let distance = V::splat(query.distance);
        let vertices = self.vertices();
        let a = self.corner::<V>(&vertices[0]);
        let b = self.corner::<V>(&vertices[1]);
        let c = self.corner::<V>(&vertices[2]);
        let ab = length(difference(a.place, b.place));
        let bc = length(difference(b.place, c.place));
        let ca = length(difference(c.place, a.place));
        let least = (a.lower - ab.max(ca))
            .max(b.lower - ab.max(bc))
            .max(c.lower - bc.max(ca));
        let lowest = a.value.min(b.value.min(c.value));
        let counted = u8::MAX >> (WIDTH as u32 - self.count);
        let below = lowest.le(distance).bits() & counted;
        let mut may_be_near = least.le(distance).bits() & counted;
        if below | may_be_near == 0 {
            return None;
        }

        // A triangle is lower in the middle than at its corners only if it can be: distance changes by no more than the way.
        let (third, mut middle) = (V::splat(1.0 / 3.0), a.place);
        for axis in 0..3 {
            middle[axis] = (a.place[axis] + b.place[axis] + c.place[axis]) * third;
        }
        let from_a = length(difference(a.place, middle));
        let from_b = length(difference(b.place, middle));
        let from_c = length(difference(c.place, middle));
        let dipped = (a.value - from_a)
            .max(b.value - from_b)
            .max(c.value - from_c);
        let may_dip = dipped.lt(lowest).bits();
        let size = ab.max(bc).max(ca);
        let is_long = V::splat(query.spacing).lt(size).bits();
        // Of those that are left the corners tell all.
        let sampled = (below | may_be_near) & !(below & !is_long & !may_dip);
        let mut dips = 0;
        if sampled != 0 {
            let [value, lower] = side.lane_tell(middle);
            let radius = from_a.max(from_b).max(from_c) * V::splat(1.000_002);
            may_be_near &= sampled & (lower - radius).le(distance).bits();
            dips = value.lt(lowest - V::splat(query.noise)).bits() & may_dip;
        }
        let near = below | may_be_near;
        let large = near & V::splat(FACE_CELLS * query.spacing).lt(size).bits();
        let asked = match query.sampling == SAMPLING_ALL {
            true => may_be_near & sampled & !large & (is_long | dips),
            false => 0,
        };

        let (slope, noise) = (V::splat(LEVEL_SLOPE), V::splat(query.noise));
        let zero = V::splat(0.0);
        let mut count_below = zero;
        let mut corners = [CornerTold::default(); 3];
        let around = [
            (a, (b, ab), (c, ca)),
            (b, (c, bc), (a, ab)),
            (c, (a, ca), (b, bc)),
        ];
        for (told, (own, (to, way), (other, other_way))) in corners.iter_mut().zip(around) {
            let is_below = own.value.le(distance);
            count_below = count_below + is_below.select(V::splat(1.0), zero);
            let vetoed = to.value.lt(own.value - slope * way - noise)
                | other.value.lt(own.value - slope * other_way - noise);
            told.below = is_below.bits() & near;
            told.vetoed = vetoed.bits() & told.below;
        }
        // The less of a triangle is near, the less of its area counts.
        let double_area = length(cross(
            difference(b.place, a.place),
            difference(c.place, a.place),
        ));
        let area =
            V::splat(0.5) * double_area * count_below / V::splat(9.0) * V::splat(query.area_scale);
        Some(Compared {
            vertices,
            asked,
            large,
            corners,
            edges: [
                self.edge(&a, &b, ab, near),
                self.edge(&b, &c, bc, near),
                self.edge(&c, &a, ca, near),
            ],
            areas: area.min(V::splat(MOST_AREA)).integers(),
        })
    }
}
