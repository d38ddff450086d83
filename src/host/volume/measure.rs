//! The Boolean of two layered depth images, ray by ray, summed up: volume, moments, the gradient of the volume, and how many bins are
//! certainly and possibly inside both. Partner: `shaders/volume/measure.comp`; the certificate is derived in query/volume/certificate.rs.

mod certify;
mod walk;

use super::grid::{Grid, summary_of};
use super::rays::{Rays, words_of};
use super::spans::is_long;
use super::total::{PARTIALS, SUMMED};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{MeasurePush, Summary};
use crate::gpu::shader::kernels::Measure;
use crate::host::runs::each_run;
use certify::Certificate;
use glam::{Vec2, Vec3};
use std::mem::offset_of;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
pub(super) use walk::Walk;

/// Rays that are worth a thread.
const RUN: usize = 2048;

impl Native for Measure<'_> {
    /// A part of the sums is that of a few rows of rays.
    fn run(&self, push: &MeasurePush, groups: [u32; 3]) {
        let summary = summary_of(&self.summaries);
        let grid = Grid::of(&summary.frame);
        let parts = (groups[0] * Measure::WORKGROUP[0]) as usize;
        let partials = self.partials.words();
        partials[..PARTIALS * parts]
            .iter()
            .for_each(|word| word.store(0, Relaxed));
        if summary.nodes > push.capacity || grid.sides.x == 0 {
            return;
        }
        let images = Images {
            grid,
            cell: 1.0 / grid.scale,
            middle: 0.5 * (grid.sides - 1).as_vec2().extend(grid.bins as f32),
            rays: Rays::of(&self.rays),
            spans: self.spans.values(),
            marks: self.marks.values(),
        };
        let rows = grid.sides.y as usize;
        // Whole blocks of marks.
        let rows_each = rows.div_ceil(parts).next_multiple_of(2);
        let run = RUN / (rows_each * grid.sides.x as usize) + 1;
        each_run(rows.div_ceil(rows_each), run, |run| {
            for part in run {
                let rows = part * rows_each..((part + 1) * rows_each).min(rows);
                images.measure(rows.clone()).write(partials, part, parts);
                images.certify(rows).merge(&self.summaries);
            }
        });
    }
}

/// The images of two meshes.
struct Images<'a> {
    grid: Grid,
    cell: Vec3,
    middle: Vec3,
    rays: Rays<'a>,
    spans: &'a [[f32; 4]],
    marks: &'a [u32],
}

/// What is summed over rays.
#[derive(Default)]
struct Sums {
    extent: f32,
    moment: Vec3,
    gradient: Vec3,
    torque: Vec3,
    deepest: f32,
    deepest_from: f32,
    deepest_pixel: u32,
}

impl Sums {
    fn write(&self, partials: &[AtomicU32], part: usize, parts: usize) {
        let (m, g, t) = (self.moment, self.gradient, self.torque);
        let sums: [f32; SUMMED + 2] = [
            self.extent,
            m.x,
            m.y,
            m.z,
            g.x,
            g.y,
            g.z,
            t.x,
            t.y,
            t.z,
            self.deepest,
            self.deepest_from,
        ];
        let words = sums
            .map(f32::to_bits)
            .into_iter()
            .chain([self.deepest_pixel]);
        for (which, word) in words.enumerate() {
            partials[which * parts + part].store(word, Relaxed);
        }
    }

    fn add_stretch(&mut self, from: f32, to: f32, at: Vec2) {
        self.extent += to - from;
        self.moment += (to - from) * at.extend(0.5 * (from + to));
    }

    fn keep_deepest(&mut self, from: f32, to: f32, pixel: u32) {
        if to - from > self.deepest {
            self.deepest = to - from;
            self.deepest_from = from;
            self.deepest_pixel = pixel;
        }
    }
}

/// How much of a face is of the first mesh: coincident faces are shared.
fn share(own: f32, other: f32) -> f32 {
    if own == other {
        0.5
    } else if own < other {
        1.0
    } else {
        0.0
    }
}

/// The spans of a ray that is not long.
#[inline]
fn spans_of(spans: &[f32; 4]) -> impl Iterator<Item = [f32; 2]> {
    let [a, b, c, d] = *spans;
    [[a, b], [c, d]]
        .into_iter()
        .take_while(|[from, _]| *from < f32::INFINITY)
}

impl Images<'_> {
    fn end(&self) -> f32 {
        self.grid.bins as f32
    }

    /// The sums of some rows.
    fn measure(&self, rows: Range<usize>) -> Sums {
        let [width, height] = self.grid.sides.to_array().map(|side| side as usize);
        let pixels = width * height;
        let mut sums = Sums::default();
        let (first, second) = self.spans.split_at(pixels);
        for row in rows {
            for column in 0..width {
                let ray = row * width + column;
                // Where both are outside all along, there is nothing to measure or to push.
                if first[ray][0] == f32::INFINITY && second[ray][0] == f32::INFINITY {
                    continue;
                }
                let next = [
                    (column + 1 < width).then_some(ray + 1),
                    (row + 1 < height).then_some(ray + width),
                ];
                let long = |ray: usize| is_long(&first[ray]) || is_long(&second[ray]);
                let at = Vec2::new(column as f32, row as f32);
                let border = column == 0 || row == 0 || column + 1 == width || row + 1 == height;
                if long(ray) || next.into_iter().flatten().any(long) {
                    self.take_lists(&mut sums, ray, next, at, border);
                } else {
                    self.take_spans(&mut sums, ray, next, at, border);
                }
            }
        }
        sums
    }

    /// A ray, of which and of whose neighbours only spans are known.
    #[inline]
    fn take_spans(
        &self,
        sums: &mut Sums,
        ray: usize,
        next: [Option<usize>; 2],
        at: Vec2,
        border: bool,
    ) {
        let pixels = self.grid.pixels();
        let (a, b) = (&self.spans[ray], &self.spans[pixels + ray]);
        for (next, step) in next.into_iter().zip([Vec2::X, Vec2::Y]) {
            let Some(next) = next else { continue };
            let ahead = self.overlap(&self.spans[next], b);
            let behind = self.overlap(a, &self.spans[pixels + next]);
            self.push_across(sums, ahead, behind, at, step);
        }
        if border || a[0] == f32::INFINITY || b[0] == f32::INFINITY {
            return;
        }
        let mut push_of_a = 0.0;
        for a in spans_of(a) {
            for b in spans_of(b) {
                push_of_a += self.measure_spans(sums, a, b, at, ray as u32);
            }
        }
        self.push_along(sums, at, push_of_a);
    }

    /// The same of any ray, along its list where it has one.
    fn take_lists(
        &self,
        sums: &mut Sums,
        ray: usize,
        next: [Option<usize>; 2],
        at: Vec2,
        border: bool,
    ) {
        let pixels = self.grid.pixels();
        let walk = |ray| Walk::of(self.rays, self.spans, ray);
        for (next, step) in next.into_iter().zip([Vec2::X, Vec2::Y]) {
            let Some(next) = next else { continue };
            let ahead = self.overlap_walks(walk(next), walk(pixels + ray));
            let behind = self.overlap_walks(walk(ray), walk(pixels + next));
            self.push_across(sums, ahead, behind, at, step);
        }
        if !border {
            let push_of_a = self.measure_walks(sums, walk(ray), walk(pixels + ray), at, ray as u32);
            self.push_along(sums, at, push_of_a);
        }
    }

    /// Length and first moment in depth of what is inside both.
    #[inline]
    fn overlap(&self, a: &[f32; 4], b: &[f32; 4]) -> Vec2 {
        let mut sum = Vec2::ZERO;
        for [from_a, to_a] in spans_of(a) {
            for [from_b, to_b] in spans_of(b) {
                let from = from_a.max(from_b).max(0.0).min(self.end());
                let to = to_a.min(to_b).max(from).min(self.end());
                sum += (to - from) * Vec2::new(1.0, 0.5 * (from + to));
            }
        }
        sum
    }

    /// What is inside a span of each. Gives the push of the first mesh's faces along the ray; a span without a start or an end has no
    /// face there.
    #[inline]
    fn measure_spans(
        &self,
        sums: &mut Sums,
        a: [f32; 2],
        b: [f32; 2],
        at: Vec2,
        pixel: u32,
    ) -> f32 {
        let (from, to) = (a[0].max(b[0]), a[1].min(b[1]));
        if from >= to {
            return 0.0;
        }
        let leaving = if to < 1e29 { share(a[1], b[1]) } else { 0.0 };
        let entering = if from > -1e29 {
            share(-a[0], -b[0])
        } else {
            0.0
        };
        let from = from.max(0.0).min(self.end());
        let to = to.max(from).min(self.end());
        sums.add_stretch(from, to, at);
        sums.keep_deepest(from, to, pixel);
        leaving - entering
    }

    fn push_along(&self, sums: &mut Sums, at: Vec2, push_of_a: f32) {
        let force = Vec3::new(0.0, 0.0, self.cell.x * self.cell.y * push_of_a);
        sums.gradient += force;
        sums.torque += ((at.extend(0.0) - self.middle) * self.cell).cross(force);
    }

    /// How the volume changes with a motion of the first mesh across the rays: A moves by a pixel against B, seen from either side. What
    /// they share then is given.
    #[inline]
    fn push_across(&self, sums: &mut Sums, ahead: Vec2, behind: Vec2, at: Vec2, step: Vec2) {
        let difference = 0.5 * (behind - ahead);
        if difference == Vec2::ZERO {
            return;
        }
        let (cell, middle) = (self.cell, self.middle);
        let face = if step.x > 0.0 { cell.y } else { cell.x } * cell.z;
        let place = at + 0.5 * step - middle.truncate();
        let force = step * face * difference.x;
        sums.gradient += force.extend(0.0);
        // The moment of the force's depths is taken whole, so that nothing is divided.
        let depth_moment = (difference.y - middle.z * difference.x) * cell.z * face;
        sums.torque += Vec3::new(
            -step.y * depth_moment,
            step.x * depth_moment,
            place.x * cell.x * force.y - place.y * cell.y * force.x,
        );
    }

    /// Bins of some rows that are certainly and possibly inside both.
    fn certify(&self, rows: Range<usize>) -> Certificate {
        let mut certificate = Certificate::default();
        for row in rows.step_by(2) {
            certificate.take_row(self, row as u32);
        }
        certificate
    }
}

impl Certificate {
    fn merge(&self, summaries: &crate::gpu::recorder::Bound) {
        let words = |member: usize| words_of(summaries, member);
        words(offset_of!(Summary, lower_bins))[0].fetch_add(self.lower, Relaxed);
        words(offset_of!(Summary, upper_bins))[0].fetch_add(self.upper, Relaxed);
        words(offset_of!(Summary, shared_bins))[0].fetch_add(self.shared, Relaxed);
        words(offset_of!(Summary, doubtful_bins))[0].fetch_add(self.doubtful, Relaxed);
        words(offset_of!(Summary, differing_bins))[0].fetch_add(self.differing, Relaxed);
        for axis in 0..3 {
            words(offset_of!(Summary, maxima))[axis].fetch_max(self.maxima[axis], Relaxed);
            words(offset_of!(Summary, complement))[axis].fetch_max(self.complement[axis], Relaxed);
        }
    }
}
