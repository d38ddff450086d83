//! Eight triangles looked at together: how finely each is sampled, and what that needs.

use super::samples::Cell;
use super::{MOST_CELLS, Sampling};
use crate::geometry::simd::{Lanes, WIDTH, store_rows};
use crate::host::field::lanes::LaneBounds;
use crate::host::meeting::{Corners, lane_places};
use crate::host::penalty::vectors::{cross, dot};
use glam::Vec3;
use std::ops::Range;

/// Cells of a triangle that has more than [`MOST_CELLS`] along an edge.
pub(super) const LARGE: u32 = u32::MAX;

/// Eight triangles.
pub(super) struct Eight {
    /// Cells along an edge: none where a triangle cannot penetrate.
    pub(super) cells: [u32; WIDTH],
    /// The placed corners.
    placed: [[[f32; WIDTH]; 3]; 3],
    areas: [f32; WIDTH],
    radii: [f32; WIDTH],
    spreads: [f32; WIDTH],
}

impl Eight {
    /// The placed corners of a triangle.
    #[inline(always)]
    pub(super) fn corners(&self, lane: usize) -> Corners {
        let corner = |p: &[[f32; WIDTH]; 3]| Vec3::new(p[0][lane], p[1][lane], p[2][lane]);
        let [a, b, c] = &self.placed;
        Corners {
            a: corner(a),
            b: corner(b),
            c: corner(c),
        }
    }

    /// What all of a triangle stands for.
    #[inline(always)]
    pub(super) fn cell(&self, lane: usize) -> Cell {
        Cell {
            area: self.areas[lane],
            radius: self.radii[lane],
            spread: self.spreads[lane],
        }
    }
}

#[inline(always)]
fn minus<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

impl Sampling<'_> {
    /// Looks at up to eight triangles. Lengths are taken in the mesh's own frame, so that placing adds to no radius.
    #[inline(always)]
    pub(super) fn look_at<V: Lanes>(&self, triangles: Range<u32>, slack: f32) -> Eight {
        let meeting = &self.query.meeting;
        let last = triangles.end - 1;
        let triangle = |lane: usize| {
            let triangle = (triangles.start + lane as u32).min(last);
            &self.mesh.indices[triangle as usize]
        };
        let indices: [&[u32; 3]; WIDTH] = std::array::from_fn(triangle);
        let (a, b, c) = (
            self.lane_load::<V>(indices, 0),
            self.lane_load::<V>(indices, 1),
            self.lane_load::<V>(indices, 2),
        );
        let (u, w, uw) = (minus(b, a), minus(c, b), minus(c, a));
        let (uu, ww, vv) = (dot(u, u), dot(w, w), dot(uw, uw));
        let longest = uu.max(ww).max(vv).sqrt();
        let mut middle = a;
        for i in 0..3 {
            middle[i] = (a[i] + b[i] + c[i]) * V::splat(1.0 / 3.0);
        }
        let (ma, mb, mc) = (minus(a, middle), minus(b, middle), minus(c, middle));
        let radius = dot(ma, ma).max(dot(mb, mb)).max(dot(mc, mc)).sqrt() * V::splat(1.000_002);
        let normal = cross(u, w);
        let s: LaneBounds<V> = self.field.lane_bounds(lane_places(meeting, middle));
        let distance = s.in_domain.select(s.value, s.lower);
        let enough = match self.bounded {
            true => V::splat(0.0).lt(V::splat(0.0)),
            false => radius.lt(distance.abs()),
        };
        let clear = (radius + V::splat(slack)).lt(s.lower).bits();
        let wanted = ceiling(longest / V::splat(self.query.spacing));
        let coarse = ceiling(longest / V::splat(0.5 * self.field.params.cell));
        let one = V::splat(1.0);
        let needed = enough.select(wanted.min(coarse), wanted).max(one).store();
        let wanted = wanted.max(one).store();
        let mut cells = [0; WIDTH];
        for lane in 0..WIDTH {
            cells[lane] = if wanted[lane] > MOST_CELLS {
                LARGE
            } else if wanted[lane] > 1.0 && clear >> lane & 1 == 1 {
                0
            } else {
                needed[lane] as u32
            };
        }
        let spread = ((uu + ww + vv) / V::splat(36.0)).sqrt() * V::splat(1.000_002);
        Eight {
            cells,
            placed: [
                store_rows(lane_places(meeting, a)),
                store_rows(lane_places(meeting, b)),
                store_rows(lane_places(meeting, c)),
            ],
            areas: (V::splat(0.5) * dot(normal, normal).sqrt()).store(),
            radii: radius.store(),
            spreads: spread.store(),
        }
    }

    /// A corner of eight triangles.
    #[inline(always)]
    fn lane_load<V: Lanes>(&self, triangles: [&[u32; 3]; WIDTH], corner: usize) -> [V; 3] {
        let vertex = |lane: usize| triangles[lane][corner];
        (self.mesh.positions).lane_load(&std::array::from_fn(vertex))
    }
}

#[inline(always)]
fn ceiling<V: Lanes>(x: V) -> V {
    -(-x).floor()
}
