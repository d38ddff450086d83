//! Sharp edges with a minimum of their own, for the other side of the pair. Where two of them cross, the edges tell where the contact is, to
//! rounding; samples of a field tell it to a cell. Partner: `shaders/include/edge_lines.glsl`, whose names these are.

use super::{NONE, Side};
use crate::gpu::native::Array;
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::RawContact;
use crate::host::meeting::Corners;
use bytemuck::Zeroable;
use glam::Vec3;
use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Lines of a side that there is room for. Where there are more, none is looked at: which of them had room would depend on the order.
const MOST_LINES: u32 = 256;

/// Faces whose normals have a larger cosine are as good as one plane.
pub(super) const FLAT_COSINE: f32 = 0.996;

/// Where the element before the contacts of a pair counts the lines of each side.
const COUNTS: [usize; 2] = [
    offset_of!(RawContact, triangle),
    offset_of!(RawContact, key_low),
];

pub(super) fn axis(row: [f32; 4]) -> Vec3 {
    Vec3::new(row[0], row[1], row[2])
}

pub(super) fn face_normal(t: &Corners) -> Vec3 {
    let face = (t.b - t.a).cross(t.c - t.a);
    match face.length_squared() > 0.0 {
        true => face.normalize(),
        false => Vec3::ZERO,
    }
}

impl Side<'_> {
    pub(super) fn to_pair(&self, p: Vec3) -> Vec3 {
        (self.query.to_pair.map(|row| axis(row).dot(p) + row[3])).into()
    }

    /// The normal of the other triangle of an edge; zero where there is none.
    pub(super) fn normal_beyond(&self, half_edge: u32) -> Vec3 {
        match self.edge_twin(half_edge) {
            NONE => Vec3::ZERO,
            twin => face_normal(&self.placed_triangle(twin / 3)),
        }
    }
}

/// Where an edge crosses one of the other body's.
#[derive(Clone, Copy)]
pub(super) struct Crossing {
    /// As a part of the edge.
    pub(super) along: f32,
    /// How far the other edge is from it, along `across`.
    pub(super) apart: f32,
    /// Square to both, of length one.
    pub(super) across: Vec3,
    /// Of the angle between them.
    pub(super) sine: f32,
}

/// The lines of a pair: edges as two points each in its frame, in the place of a contact's point and normal.
pub(super) struct Lines<'a> {
    side: &'a Side<'a>,
    counts: [&'a AtomicU32; 2],
    raw: Array<'a, RawContact>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(side: &'a Side<'a>, raw: &Bound<'a>) -> Self {
        let head = size_of::<RawContact>() * side.query.raw_at as usize;
        Self {
            side,
            counts: COUNTS.map(|offset| &raw.words()[(head + offset) / 4]),
            raw: raw.array(),
        }
    }

    fn line_at(&self, side: u32, i: u32) -> usize {
        let query = self.side.query;
        (query.raw_at + 1 + query.capacity + side * MOST_LINES + i) as usize
    }

    pub(super) fn add(&self, ends: [Vec3; 2]) {
        let side = self.side.query.side;
        let slot = self.counts[side as usize].fetch_add(1, Relaxed);
        if slot >= MOST_LINES {
            return;
        }
        let [point, normal] = ends.map(|p| self.side.to_pair(p).into());
        let line = RawContact {
            point,
            normal,
            ..RawContact::zeroed()
        };
        self.raw.set(self.line_at(side, slot), line);
    }

    /// That of the crossings with lines of the other side which is nearest to `along`, on an edge between these ends, within two samples.
    /// Edges that are farther apart than the surface can be from the other body at `along` are not what it meets.
    pub(super) fn crossing_near(
        &self,
        ends: [Vec3; 2],
        along: f32,
        value: f32,
    ) -> Option<Crossing> {
        let query = self.side.query;
        let other = 1 - query.side;
        let count = self.counts[other as usize].load(Relaxed);
        if count == 0 || count > MOST_LINES {
            return None;
        }
        let [p, q] = ends.map(|end| self.side.to_pair(end));
        let u = q - p;
        let uu = u.dot(u);
        let most_apart = query.unit * (value.abs() + self.side.field.params.error);
        let mut nearest = 2.0 * query.unit * query.spacing;
        let mut best: Option<Crossing> = None;
        for i in 0..count {
            let line = self.raw.get(self.line_at(other, i));
            let a = Vec3::from(line.point);
            let (v, w) = (Vec3::from(line.normal) - a, p - a);
            let (vv, uv, uw, vw) = (v.dot(v), u.dot(v), u.dot(w), v.dot(w));
            let square = uu * vv - uv * uv;
            if !(square > 1e-3 * uu * vv) {
                continue;
            }
            let (s, t) = ((uv * vw - vv * uw) / square, (uu * vw - uv * uw) / square);
            let is_inside = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
            let moved = (s - along).abs() * uu.sqrt();
            let before = best.map_or(along, |best| best.along);
            let is_nearer = moved < nearest || (moved == nearest && s < before);
            if !(is_inside && is_nearer) {
                continue;
            }
            let across = u.cross(v).normalize();
            let apart = -w.dot(across);
            if apart.abs() <= most_apart {
                nearest = moved;
                best = Some(Crossing {
                    along: s,
                    apart,
                    across,
                    sine: (square / (uu * vv)).sqrt(),
                });
            }
        }
        best
    }
}
