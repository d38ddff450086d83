//! The parts of a piece of a triangle, and what the field says of them, eight at a time. Partner: `shaders/include/proximity_parts.glsl`.

use super::{PARTS, piece_of};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::shader::blocks::Meeting;
use crate::host::field::Field;
use crate::host::field::lanes::LaneBounds;
use crate::host::meeting::{Corners, MeetingMesh, placed, placing_error};
use glam::Vec3;

/// Bounds of the parts of a piece.
#[derive(Clone, Copy)]
pub(in crate::host) struct PartBounds {
    pub lower: [f32; PARTS],
    pub upper: [f32; PARTS],
    /// Bit `i` is set where splitting part `i` would gain too little.
    pub small: u16,
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
pub(super) fn is_small<V: Lanes>(
    bounds: &LaneBounds<V>,
    lower: V,
    upper: V,
    radius: V,
    tolerance: V,
) -> V {
    let open = radius.lt(bounds.beyond) & radius.le(V::splat(0.2) * (upper - lower));
    radius.le(tolerance) | open
}

/// Bounds the parts of the piece of a triangle at the end of a path; `least` is a lower bound of the piece.
pub(super) fn bound_parts(
    field: &Field,
    mesh: &MeetingMesh,
    meeting: &Meeting,
    tolerance: f32,
    (triangle, path, level): (u32, u32, usize),
    least: f32,
) -> PartBounds {
    let whole = piece_of(mesh.load_triangle(triangle), path, level);
    let radius = whole.radius();
    // The sphere of the triangle's cluster is not at hand; one around the piece and all spheres of its parts tells as much.
    let slack = placing_error(meeting, whole.middle().extend(2.0 * radius));
    let corners = [whole.a, whole.b, whole.c].map(|p| placed(meeting, p));
    dispatch(Parts {
        field,
        corners,
        // All parts are the piece at a quarter of its size.
        radius: 0.25 * radius,
        slack,
        least,
        tolerance,
    })
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
            let small = is_small(&bounds, lower, upper, radius, V::splat(self.tolerance));
            let at = half * WIDTH;
            out.lower[at..at + WIDTH].copy_from_slice(&lower.store());
            out.upper[at..at + WIDTH].copy_from_slice(&upper.store());
            out.small |= u16::from(small.bits()) << at;
        }
        out
    }
}
