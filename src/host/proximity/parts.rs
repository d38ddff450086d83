//! The parts of a piece of a triangle, and what the field says of them, eight at a time. Partner: `shaders/include/proximity_parts.glsl`.

use super::{Found, PARTS, piece_of};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::shader::blocks::{Piece, ProximityQuery};
use crate::host::field::Field;
use crate::host::meeting::{Corners, MeetingMesh, placed, placing_error};
use crate::host::ordered::{ordered, unordered};
use glam::Vec3;

/// Bounds of the parts of a piece.
#[derive(Clone, Copy)]
pub(in crate::host) struct PartBounds {
    pub lower: [f32; PARTS],
    pub upper: [f32; PARTS],
    /// The smallest of them.
    pub least_upper: f32,
    /// Bit `i` is set where splitting part `i` would gain too little.
    pub small: u16,
}

impl PartBounds {
    /// Bit `i` is set where the lower bound of part `i` is not above `best`.
    fn below(&self, best: f32) -> u16 {
        let bit = |part: usize| u16::from(self.lower[part] <= best) << part;
        (0..PARTS).fold(0, |bits, part| bits | bit(part))
    }
}

/// Where the middles of the parts are: in edges of a part, along the first edge of the piece and along its second.
const ALONG: [[[f32; WIDTH]; 2]; 2] = middles();

const fn middles() -> [[[f32; WIDTH]; 2]; 2] {
    let mut along = [[[0.0; WIDTH]; 2]; 2];
    let mut part = 0;
    while part < PARTS {
        let row = (part as u32).isqrt() as usize;
        let column = part - row * row;
        // A third and two thirds along the edges of a part that points as the piece, the other way round against it.
        let third = if column % 2 == 0 {
            1.0 / 3.0
        } else {
            2.0 / 3.0
        };
        along[part / WIDTH][0][part % WIDTH] = row as f32 + (1.0 - third);
        along[part / WIDTH][1][part % WIDTH] = (column / 2) as f32 + third;
        part += 1;
    }
    along
}

/// Whether splitting a piece around a point would gain too little: it is below the tolerance; or wholly outside of the domain and below a
/// quarter of the interval that the field leaves open there.
#[inline(always)]
pub(super) fn is_small<V: Lanes>(beyond: V, lower: V, upper: V, radius: V, tolerance: V) -> V {
    let open = radius.lt(beyond) & radius.le(V::splat(0.2) * (upper - lower));
    radius.le(tolerance) | open
}

/// How pieces are split.
pub(super) struct Split<'a> {
    pub field: &'a Field<'a>,
    pub mesh: &'a MeetingMesh<'a>,
    pub query: &'a ProximityQuery,
    /// The best upper bound that was known before.
    pub best: u32,
    /// The most pieces that are kept.
    pub room: u32,
}

impl Split<'_> {
    /// Bounds the parts of a piece of a level.
    pub fn bounds(&self, piece: &Piece, level: usize) -> PartBounds {
        let meeting = &self.query.meeting;
        let whole = piece_of(self.mesh.load_triangle(piece.triangle), piece.path, level);
        let radius = whole.radius();
        // The sphere of the triangle's cluster is not at hand; one around the piece and all spheres of its parts tells as much.
        let slack = placing_error(meeting, whole.middle().extend(2.0 * radius));
        dispatch(Parts {
            field: self.field,
            corners: [whole.a, whole.b, whole.c].map(|p| placed(meeting, p)),
            // All parts are the piece at a quarter of its size.
            radius: 0.25 * radius,
            slack,
            least: piece.lower,
            tolerance: self.query.tolerance,
        })
    }

    /// Splits a piece of a level. Parts that cannot hold a nearer point than the best are dropped, small ones settled, others listed.
    pub fn piece(&self, piece: &Piece, level: usize, found: &mut Found) {
        let bounds = self.bounds(piece, level);
        found.upper = found.upper.min(ordered(bounds.least_upper));
        let best = unordered(self.best);
        let mut near = bounds.below(best);
        while near != 0 {
            let part = near.trailing_zeros() as usize;
            near &= near - 1;
            let (lower, upper) = (bounds.lower[part], bounds.upper[part]);
            // One that may be the best of all is listed all the same, or the answer could not name it.
            if upper >= best && bounds.small >> part & 1 == 1 {
                found.settled = found.settled.min(ordered(lower));
                continue;
            }
            let part_of = Piece {
                triangle: piece.triangle,
                path: piece.path | (part as u32) << (4 * level),
                lower,
                upper,
            };
            found.list(part_of, self.room);
        }
    }
}

/// Bounds the parts, of this radius, of a piece that is given in the field's frame, `slack` off at most.
pub(in crate::host) fn bound_placed(
    field: &Field,
    piece: &Corners,
    radius: f32,
    slack: f32,
) -> PartBounds {
    dispatch(Parts {
        field,
        corners: [piece.a, piece.b, piece.c],
        radius,
        slack,
        least: f32::NEG_INFINITY,
        tolerance: 0.0,
    })
}

struct Parts<'a> {
    field: &'a Field<'a>,
    corners: [Vec3; 3],
    radius: f32,
    slack: f32,
    least: f32,
    tolerance: f32,
}

impl LaneKernel for Parts<'_> {
    type Output = PartBounds;

    #[inline(always)]
    fn run<V: Lanes>(self) -> PartBounds {
        let [a, b, c] = self.corners;
        let (u, v) = ((b - a) * 0.25, (c - b) * 0.25);
        let (radius, slack) = (V::splat(self.radius), V::splat(self.slack));
        let mut out = PartBounds {
            lower: [0.0; PARTS],
            upper: [0.0; PARTS],
            least_upper: f32::INFINITY,
            small: 0,
        };
        for (half, along) in ALONG.iter().enumerate() {
            let (s, t) = (V::load(&along[0]), V::load(&along[1]));
            let mut p = [s; 3];
            for i in 0..3 {
                p[i] = V::splat(a[i]) + s * V::splat(u[i]) + t * V::splat(v[i]);
            }
            let bounds = self.field.lane_bounds(p);
            let lower = V::splat(self.least).max(bounds.lower - slack - radius);
            let upper = bounds.upper + slack;
            let small = is_small(
                bounds.beyond,
                lower,
                upper,
                radius,
                V::splat(self.tolerance),
            );
            let at = half * WIDTH;
            out.lower[at..at + WIDTH].copy_from_slice(&lower.store());
            out.upper[at..at + WIDTH].copy_from_slice(&upper.store());
            out.least_upper = out.least_upper.min(upper.least());
            out.small |= u16::from(small.bits()) << at;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::proximity::part_of;

    #[test]
    fn middles_are_those_of_the_parts() {
        let whole = Corners {
            a: Vec3::new(1.0, 0.0, 2.0),
            b: Vec3::new(4.0, 1.0, 2.0),
            c: Vec3::new(2.0, 3.0, 4.0),
        };
        let (u, v) = ((whole.b - whole.a) * 0.25, (whole.c - whole.b) * 0.25);
        for part in 0..PARTS {
            let along = &ALONG[part / WIDTH];
            let [s, t] = [along[0][part % WIDTH], along[1][part % WIDTH]];
            let middle = part_of(&whole, part as u32).middle();
            assert!(
                middle.distance(whole.a + s * u + t * v) < 1e-5,
                "part {part}"
            );
        }
    }
}
