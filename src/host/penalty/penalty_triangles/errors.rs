//! What the force and the torques of cells can be off by, at a stiffness of 1. Partner: `shaders/include/penalty_errors.glsl`;
//! `query/penalty/errors.rs` derives it.

use super::Sampling;
use super::samples::{Cell, LaneSums, Waiting};
use crate::geometry::simd::{Lanes, WIDTH, store_rows};
use crate::host::field::lanes::LaneBounds;
use crate::host::meeting::Corners;
use crate::host::penalty::Sum;
use glam::{Vec3, Vec4, Vec4Swizzles};

/// The corners of a cell from its middle, placed.
#[derive(Clone, Copy, Default)]
pub(super) struct CellCorners {
    corners: [Vec3; 3],
    /// What the cell's area can be off by.
    area_error: f32,
}

impl CellCorners {
    /// Of the cells of a placed patch, whose sides are this part of the patch's.
    #[inline(always)]
    pub(super) fn of(t: &Corners, part: f32, slack: f32) -> Self {
        let (u, w) = (part * (t.b - t.a), part * (t.c - t.b));
        let (first, last) = (-(2.0 * u + w) / 3.0, (u + 2.0 * w) / 3.0);
        let sides = u.length() + w.length();
        Self {
            corners: [first, -(first + last), last],
            area_error: 2.0 * slack * sides + 1e-6 * sides * sides,
        }
    }

    /// Of a cell that points the other way, or not.
    #[inline(always)]
    pub(super) fn turned(mut self, other_way: bool) -> Self {
        if other_way {
            self.corners = self.corners.map(|corner| -corner);
        }
        self
    }
}

/// What is known of a cell with something inside.
struct CellSample<'a> {
    middle: Vec3,
    cell: Cell,
    corners: &'a CellCorners,
    /// The field's bounds at its middle.
    lower: f32,
    upper: f32,
    in_domain: bool,
    /// What was added for it: a depth, or nothing, along a direction, if there is one.
    depth: f32,
    direction: Option<Vec3>,
    slack: f32,
}

impl Sampling<'_> {
    /// Adds what the samples of the lanes of which something may be inside can be off by.
    pub(super) fn add_errors<V: Lanes>(
        &self,
        sums: &mut LaneSums<V>,
        waiting: &Waiting,
        s: &LaneBounds<V>,
        outwards: [V; 3],
        (counted, slack): (u8, V),
    ) {
        let (lower, upper, value) = (s.lower.store(), s.upper.store(), s.value.store());
        let (in_domain, [x, y, z]) = (s.in_domain.bits(), store_rows(outwards));
        for lane in (0..WIDTH).filter(|lane| counted >> lane & 1 == 1) {
            let (middle, cell, corners) = waiting.sample(lane);
            let in_domain = in_domain >> lane & 1 == 1;
            let sample = CellSample {
                middle,
                cell,
                corners,
                lower: lower[lane],
                upper: upper[lane],
                in_domain,
                depth: if in_domain {
                    (-value[lane]).max(0.0)
                } else {
                    0.0
                },
                direction: Vec3::new(x[lane], y[lane], z[lane]).try_normalize(),
                slack: slack.store()[lane],
            };
            sums.errors += self.errors_of::<V>(&sample);
        }
    }

    /// What floats lose of the sums of so many samples.
    pub(super) fn lost(&self, sum: &Sum) -> Vec3 {
        let ([.., reach], [.., mesh_reach]) = (self.query.centre, self.query.mesh_centre);
        6.1e-8 * sum.samples as f32 * sum.torque_pressure.w * Vec3::new(1.0, reach, mesh_reach)
    }

    fn errors_of<V: Lanes>(&self, s: &CellSample) -> Vec3 {
        let (cell, slack) = (&s.cell, s.slack);
        let inside = (-s.lower).max(0.0) + cell.spread + slack;
        let (mut off, mut turned_off) = (inside + s.depth, cell.radius * (inside + s.depth));
        if s.in_domain && s.upper + cell.radius + slack < 0.0 {
            let way_off = self.way_error::<V>(s);
            if way_off < off {
                off = way_off;
                turned_off = cell.spread * (slack - s.lower + cell.spread);
            }
        }
        off += 4e-6 * s.depth;
        turned_off += (slack + 4e-6 * cell.radius) * s.depth;
        let area_error = s.corners.area_error;
        let area = cell.area + area_error;
        if area == 0.0 {
            return Vec3::ZERO;
        }
        let force = area * off + area_error * (inside + s.depth);
        let mesh_centre = Vec4::from(self.query.mesh_centre).xyz();
        let arms = [self.centre, mesh_centre].map(|centre| s.middle.distance(centre) + slack);
        let torque = |arm: f32| force * arm * 1.000_01 + area * turned_off;
        Vec3::new(force, torque(arms[0]), torque(arms[1]))
    }

    /// How far the mean of the way to the surface can be from the depth along the direction, for a cell with all of its places inside.
    fn way_error<V: Lanes>(&self, s: &CellSample) -> f32 {
        let corners = s.corners.corners;
        let size = corners.map(Vec3::length_squared).iter().sum::<f32>() / 3.0;
        let doubt = 0.5 * (s.upper - s.lower) + 2.0 * s.slack;
        let h = (size + 4.0 * s.depth * doubt).sqrt();
        let off = 2.0 * s.slack + 4e-6 * (s.cell.radius + h);
        let farthest = s.slack - s.lower;
        let square = size + 2.0 * off * s.cell.radius + off * off + h * h + farthest * farthest;
        let along = s.direction.unwrap_or(Vec3::X);
        let depth = if s.direction.is_some() { s.depth } else { 0.0 };
        let across = along
            .cross(if along.x.abs() < 0.6 {
                Vec3::X
            } else {
                Vec3::Y
            })
            .normalize();
        let mut sum = 0.0;
        for (axis, e) in [along, across, along.cross(across)].into_iter().enumerate() {
            // Three corners each way, and two copies that fill up the lanes.
            let mut places = [[0.0; WIDTH]; 3];
            for lane in 0..WIDTH {
                let way = if lane < 4 { h } else { -h };
                let place = s.middle + (corners[lane % 4 % 3] + way * e);
                for (row, at) in places.iter_mut().zip(place.to_array()) {
                    row[lane] = at;
                }
            }
            let found: LaneBounds<V> = (self.field).lane_bounds([
                V::load(&places[0]),
                V::load(&places[1]),
                V::load(&places[2]),
            ]);
            let least = (found.lower.max(-found.upper) - V::splat(off)).max(V::splat(0.0));
            let squares = (least * least).store();
            let bound = |first: usize| {
                let squares = squares[first] + squares[first + 1] + squares[first + 2];
                (square * 1.000_002 - squares / 3.0) / (2.0 * h)
            };
            let along = if axis == 0 { depth } else { 0.0 };
            let most = (bound(0) - along).max(bound(4) + along).max(0.0);
            sum += most * most;
        }
        sum.sqrt() * 1.0001
    }
}
