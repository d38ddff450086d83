//! Overlap, last, in the place of drawing: triangles that can touch are cut in parts until the field clears them, proves them inside, or
//! they are as small as a pixel, or much smaller than what the field is unsure of. Partner: `shaders/overlap/overlap.frag`, whose two verdicts these are.

use super::pixel_of;
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::OverlapQuery;
use crate::gpu::shader::kernels::FieldBindings;
use crate::host::field::Field;
use crate::host::meeting::Corners;
use crate::host::proximity::parts::bound_placed;
use crate::host::proximity::{PARTS, part_of};
use crate::host::runs::merge_runs;
use crate::interrupt;
use crate::memory;
use glam::{Vec4, Vec4Swizzles};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Triangles that are worth a thread.
const RUN: usize = 32;
/// Pieces that are smaller than this part of what the field is unsure of there are not cut: a finer look would tell hardly more, and where two
/// surfaces coincide all of them would be cut to pixels.
const FINE: f32 = 1.0 / 16.0;
/// Pieces between two looks at whether the work is to end.
const PIECES_PER_CHECK: u32 = 256;

/// Decides of the listed triangles, and writes two words: whether one may touch the field's body, and whether a point of one surely does.
/// They are one or zero, where a device that draws counts fragments.
pub fn decide(query: Bound, drawn: Bound, field: &FieldBindings, counts: Bound) {
    let query: &OverlapQuery = &query.values()[0];
    let drawn: &[[Vec4; 3]] = drawn.values();
    let search = Search {
        field: &Field::of(field),
        pixel: pixel_of(&query.views),
        proven: AtomicBool::new(false),
    };
    let may = merge_runs(
        query.vertices as usize / 3,
        RUN,
        || false,
        |run| {
            let mut pieces = Vec::new();
            let mut may = false;
            for triangle in &drawn[run] {
                may |= search.may_touch(triangle, &mut pieces);
            }
            may
        },
        |a, b| a || b,
    );
    let proven = search.proven.load(Relaxed);
    let words = counts.words();
    words[0].store((may || proven).into(), Relaxed);
    words[1].store(proven.into(), Relaxed);
}

struct Search<'a> {
    field: &'a Field<'a>,
    /// Pieces with a radius below this are not cut.
    pixel: f32,
    /// A point surely touches: nothing else needs to be looked at.
    proven: AtomicBool,
}

impl Search<'_> {
    /// Whether a triangle may touch, given as it is listed.
    fn may_touch(&self, [a, b, c]: &[Vec4; 3], pieces: &mut Vec<Corners>) -> bool {
        let whole = Corners {
            a: a.xyz(),
            b: b.xyz(),
            c: c.xyz(),
        };
        let (middle, radius) = (whole.middle(), whole.radius());
        // Cutting rounds as often as placing does.
        let slack = a.w + 1.2e-6 * (middle.length() + radius);
        let s = self.field.bounds(middle);
        if s.upper + slack <= 0.0 {
            self.proven.store(true, Relaxed);
        }
        if s.lower - slack - radius > 0.0 {
            return false;
        }
        if radius <= self.pixel {
            return true;
        }
        let (mut may, mut taken) = (false, 0);
        pieces.clear();
        memory::add(pieces, whole);
        while let Some(piece) = pieces.pop() {
            taken += 1;
            if taken % PIECES_PER_CHECK == 0 {
                interrupt::check();
            }
            if self.proven.load(Relaxed) {
                return true;
            }
            may |= self.cut(&piece, slack, pieces);
        }
        may
    }

    /// Cuts a piece; whether a part that is not cut further may touch.
    fn cut(&self, piece: &Corners, slack: f32, pieces: &mut Vec<Corners>) -> bool {
        let radius = 0.25 * piece.radius();
        let bounds = bound_placed(self.field, piece, radius, slack);
        if bounds.upper.iter().any(|upper| *upper <= 0.0) {
            self.proven.store(true, Relaxed);
        }
        let mut may = false;
        for part in 0..PARTS {
            if bounds.lower[part] > 0.0 {
                continue;
            }
            // Beside the radius, which the lower bound has.
            let unsure = bounds.upper[part] - bounds.lower[part] - radius;
            match radius <= self.pixel.max(FINE * unsure) {
                true => may = true,
                false => memory::add(pieces, part_of(piece, part as u32)),
            }
        }
        may
    }
}
