//! Eight triangles at a time: most are no larger than a pixel or two, and what those touch of three by three columns, in which bins, and
//! which rays they cross where, is found for all eight together. The others are only told apart.

use super::Conversion;
use crate::geometry::simd::{Lanes, WIDTH};
use crate::host::volume::crossing::lane_cut_row;
use glam::Vec3;

/// Pixels of three rows.
pub(super) const NEAR: usize = 9;

/// What is found of eight triangles; of lanes that are not set nothing is told.
#[derive(Default)]
pub(super) struct Eight {
    /// Triangles that matter: a bit each.
    pub(super) there: u8,
    /// Those of them that touch no more than three by three pixels.
    pub(super) small: u8,
    /// The first pixel of each, column and row.
    pub(super) from: [[i32; WIDTH]; 2],
    /// For each pixel the triangles that come into its column.
    pub(super) columns: [u8; NEAR],
    /// From which bin to which.
    pub(super) bins: [[[i32; WIDTH]; 2]; NEAR],
    /// For each pixel the triangles that its ray crosses.
    pub(super) crossings: [u8; NEAR],
    /// Where.
    pub(super) depths: [[f32; WIDTH]; NEAR],
    /// For each row the triangles where rays enter.
    pub(super) enters: [u8; 3],
}

/// Eight triangles, and the boxes of their exact places.
struct Placed<V> {
    corners: [[V; 3]; 3],
    slack: [V; 3],
    low: [V; 3],
    high: [V; 3],
    from: [V; 2],
    /// From the first pixel to the last.
    size: [V; 2],
}

/// What bounds triangles' depths over pixels' footprints: their planes, and their corners. See `mark::Slab`.
struct Slabs<V> {
    at_origin: V,
    slope: [V; 2],
    swing: V,
    ends: [V; 2],
}

#[inline(always)]
fn splat<V: Lanes>(v: Vec3) -> [V; 3] {
    [V::splat(v.x), V::splat(v.y), V::splat(v.z)]
}

/// Twice the areas of triangles as the rays see them, and where they are certain: see `mark::certain_area`.
#[inline(always)]
fn certain_area<V: Lanes>([a, b, c]: &[[V; 3]; 3]) -> (V, V) {
    let (p, q) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
    let area = p[0] * q[1] - p[1] * q[0];
    let (pp, qq) = (p[0] * p[0] + p[1] * p[1], q[0] * q[0] + q[1] * q[1]);
    (area, (V::splat(0.007_812_5) * pp.max(qq)).lt(area.abs()))
}

impl Conversion<'_> {
    /// Looks at triangles from `first` on, of which there are at least one and at most eight.
    #[inline(always)]
    pub(super) fn look_at<V: Lanes>(&self, first: usize, count: usize, eight: &mut Eight) {
        let triangle = |lane: usize| &self.indices[first + lane.min(count - 1)];
        let triangles: [&[u32; 3]; WIDTH] = std::array::from_fn(triangle);
        let corners = [
            self.lane_load::<V>(triangles, 0),
            self.lane_load::<V>(triangles, 1),
            self.lane_load::<V>(triangles, 2),
        ];
        let (placed, there) = self.boxes_of(corners);
        eight.there = there & u8::MAX >> (WIDTH - count);
        eight.small = 0;
        if eight.there == 0 {
            return;
        }
        let (three, four) = (V::splat(3.0), V::splat(4.0));
        let small = placed.size[0].lt(three)
            & placed.size[1].lt(three)
            & (placed.high[0] - placed.low[0]).lt(four)
            & (placed.high[1] - placed.low[1]).lt(four);
        eight.small = small.bits() & eight.there;
        if eight.small == 0 {
            return;
        }
        eight.from = [placed.from[0].integers(), placed.from[1].integers()];
        if self.marker.is_some() {
            self.find_columns(&placed, eight);
        }
        if self.crosser.is_some() {
            find_crossings(&placed, eight);
        }
    }

    /// The places of a corner of eight triangles.
    #[inline(always)]
    fn lane_load<V: Lanes>(&self, triangles: [&[u32; 3]; WIDTH], corner: usize) -> [V; 3] {
        let place = |lane: usize| &self.placed[triangles[lane][corner] as usize];
        V::columns(std::array::from_fn(place))
    }

    /// The boxes of pixels whose footprints triangles may touch, and the triangles that matter: not those that pass beside all columns,
    /// or lie wholly beyond what is kept.
    #[inline(always)]
    fn boxes_of<V: Lanes>(&self, corners: [[V; 3]; 3]) -> (Placed<V>, u8) {
        let grid = &self.grid;
        let [a, b, c] = corners;
        let (mut low, mut high) = (a, a);
        for i in 0..3 {
            low[i] = a[i].min(b[i].min(c[i]));
            high[i] = a[i].max(b[i].max(c[i]));
        }
        let around = splat::<V>(grid.slack + Vec3::new(1.0, 1.0, 0.0));
        let sides = grid.sides.as_vec2() - 1.0;
        let from = splat::<V>(Vec3::new(0.0, 0.0, self.kept[0]));
        let to = splat::<V>(Vec3::new(sides.x, sides.y, self.kept[1]));
        let mut outside = V::splat(0.0);
        for i in 0..3 {
            outside = outside | (high[i] + around[i]).lt(from[i]) | to[i].lt(low[i] - around[i]);
        }
        // Rounding is relative to the coordinates, and triangles may reach far beyond the frame.
        let mut slack = splat::<V>(grid.slack);
        let per_length = V::splat(1e-6);
        let across = (low[0].abs().max(high[0].abs())).max(low[1].abs().max(high[1].abs()));
        slack[0] = slack[0] + per_length * across;
        slack[1] = slack[1] + per_length * across;
        slack[2] = slack[2] + per_length * low[2].abs().max(high[2].abs());
        for i in 0..3 {
            low[i] = low[i] - slack[i];
            high[i] = high[i] + slack[i];
        }
        // Footprints are half a pixel to each side.
        let (half, zero) = (V::splat(0.5), V::splat(0.0));
        let (mut first, mut size) = ([zero; 2], [zero; 2]);
        for i in 0..2 {
            let side = grid.sides[i] as f32;
            let start = (low[i] - half).max(zero).min(V::splat(side));
            first[i] = -(-start).floor();
            let end = (high[i] + half).min(V::splat(side - 1.0));
            size[i] = end.max(V::splat(-1.0)).floor() - first[i];
        }
        let placed = Placed {
            corners,
            slack,
            low,
            high,
            from: first,
            size,
        };
        (placed, !outside.bits())
    }

    /// The columns that small triangles come into: a footprint is outside of an edge where its centre is farther out than the footprint
    /// reaches. Of a thin triangle nothing is ruled out.
    #[inline(always)]
    fn find_columns<V: Lanes>(&self, placed: &Placed<V>, eight: &mut Eight) {
        let zero = V::splat(0.0);
        let bins = self.grid.bins as f32;
        let slabs = slabs_of(placed);
        let [a, b, c] = placed.corners;
        let (area, certain) = certain_area(&placed.corners);
        let turn = certain & V::splat(1.0).with_sign_of(area);
        let ends = [(a, b), (b, c), (c, a)];
        let (mut along, mut row) = ([[zero; 2]; 3], [zero; 3]);
        for (e, (p, q)) in ends.into_iter().enumerate() {
            let (u, v) = (q[0] - p[0], q[1] - p[1]);
            // In units of the footprint's radius.
            let unit = turn / (u.abs() + v.abs()).max(V::splat(1e-30));
            along[e] = [u * unit, v * unit];
            row[e] = along[e][0] * (placed.from[1] - p[1]) - along[e][1] * (placed.from[0] - p[0]);
        }
        // More than the places, and this arithmetic on sides of four pixels, can be off.
        let reach = V::splat(-0.5) - placed.slack[0].max(placed.slack[1]);
        let (mut v, mut line) = (
            zero,
            slabs.at_origin + slabs.slope[0] * placed.from[0] + slabs.slope[1] * placed.from[1],
        );
        for k in 0..3 {
            let (mut edges, mut u, mut middle) = (row, zero, line);
            for i in 0..3 {
                let inside = edges[0].min(edges[1]).min(edges[2]);
                let low = slabs.ends[0].max(middle - slabs.swing);
                let high = slabs.ends[1].min(middle + slabs.swing);
                let touches = reach.le(inside)
                    & u.le(placed.size[0])
                    & v.le(placed.size[1])
                    & zero.le(high)
                    & low.le(V::splat(bins));
                let (at, last) = (3 * k + i, V::splat(bins - 1.0));
                eight.columns[at] = touches.bits() & eight.small;
                if eight.columns[at] != 0 {
                    let bin = [low.max(zero).min(last), high.max(zero).min(last)];
                    eight.bins[at] = [bin[0].floor().integers(), bin[1].floor().integers()];
                }
                for e in 0..3 {
                    edges[e] = edges[e] - along[e][1];
                }
                u = u + V::splat(1.0);
                middle = middle + slabs.slope[0];
            }
            for e in 0..3 {
                row[e] = row[e] + along[e][0];
            }
            v = v + V::splat(1.0);
            line = line + slabs.slope[1];
        }
    }
}

#[inline(always)]
fn slabs_of<V: Lanes>(placed: &Placed<V>) -> Slabs<V> {
    let [a, b, c] = placed.corners;
    let (area, certain) = certain_area(&placed.corners);
    let (mut p, mut q) = (b, c);
    for i in 0..3 {
        p[i] = b[i] - a[i];
        q[i] = c[i] - a[i];
    }
    let slope = [
        certain & ((p[2] * q[1] - p[1] * q[2]) / area),
        certain & ((p[0] * q[2] - p[2] * q[0]) / area),
    ];
    // Half a footprint, and what the slope's own rounding, 2^-13 of it, does over the triangle's size.
    let mut swing = placed.slack[2];
    for (i, slope) in slope.into_iter().enumerate() {
        let size = placed.high[i] - placed.low[i] + V::splat(1.0);
        let half_side = V::splat(0.5) + placed.slack[i] + V::splat(1.0 / 4096.0) * size;
        swing = swing + slope.abs() * half_side;
    }
    Slabs {
        at_origin: a[2] - (slope[0] * a[0] + slope[1] * a[1]),
        slope,
        swing: certain.select(swing, V::splat(f32::INFINITY)),
        ends: [placed.low[2], placed.high[2]],
    }
}

/// The rays that cross small triangles.
#[inline(always)]
fn find_crossings<V: Lanes>(placed: &Placed<V>, eight: &mut Eight) {
    eight.crossings = [0; NEAR];
    for row in 0..3 {
        let k = placed.from[1] + V::splat(row as f32);
        let (cut, cuts) = lane_cut_row(&placed.corners, k);
        let cuts = cuts.bits() & V::splat(row as f32).le(placed.size[1]).bits() & eight.small;
        if cuts == 0 {
            continue;
        }
        eight.enters[row] = cut.enters.bits();
        for i in 0..3 {
            let step = V::splat(i as f32);
            let u = placed.from[0] + step;
            let crosses = cut.left[0].le(u) & u.lt(cut.right[0]) & step.le(placed.size[0]);
            let at = 3 * row + i;
            eight.crossings[at] = crosses.bits() & cuts;
            if eight.crossings[at] != 0 {
                eight.depths[at] = cut.depth_at(u).store();
            }
        }
    }
}
