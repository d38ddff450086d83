//! The depth bins that a triangle passes through within the columns of pixels. For the certificate too many may be marked, never too few:
//! the triangle's exact place is within a slack of its rounded one.

use super::{PixelBox, RAMP, Slice, Triangle, lanes_of, set};
use crate::geometry::simd::{Lanes, WIDTH};
use crate::host::volume::grid::{Grid, first_at, last_at};
use crate::host::volume::marks::{block_of, shift_in_block};
use glam::{IVec2, UVec2, Vec2, Vec3, Vec3Swizzles};
use std::sync::atomic::AtomicU32;

/// Where the marks of a mesh go.
pub(super) struct Marker<'a> {
    pub(super) grid: Grid,
    pub(super) words: &'a [AtomicU32],
}

/// What bounds a triangle's depths over a pixel's footprint: its plane, and its corners.
struct Slab {
    at_origin: f32,
    slope: Vec2,
    swing: f32,
    ends: [f32; 2],
}

impl Slab {
    /// Where the triangle is so thin that its plane is not certain, only its corners bound it.
    #[inline]
    fn of(t: &Triangle, pixels: &PixelBox) -> Self {
        let ends = [pixels.low.z, pixels.high.z];
        let Some(area) = certain_area(t) else {
            return Self {
                at_origin: t.a.z,
                slope: Vec2::ZERO,
                swing: f32::INFINITY,
                ends,
            };
        };
        let (p, q) = (t.b - t.a, t.c - t.a);
        let slope = Vec2::new(p.z * q.y - p.y * q.z, p.x * q.z - p.z * q.x) / area;
        // Half a footprint, and what the slope's own rounding, 2^-13 of it, does over the triangle's size.
        let size = Vec3::from(pixels.high - pixels.low).xy();
        let slack = Vec3::from(pixels.slack);
        let half_side = 0.5 + slack.xy() + (size + 1.0) / 4096.0;
        Self {
            at_origin: t.a.z - slope.dot(t.a.xy()),
            slope,
            swing: slope.abs().dot(half_side) + slack.z,
            ends,
        }
    }

    /// The bins over the footprints of eight pixels of a row, and where there are any.
    #[inline(always)]
    fn bins<V: Lanes>(&self, u: i32, v: i32, bins: f32) -> (u8, [[i32; WIDTH]; 2]) {
        let (zero, last) = (V::splat(0.0), V::splat(bins - 1.0));
        let at_start = self.at_origin + self.slope.dot(IVec2::new(u, v).as_vec2());
        let middle = V::splat(at_start) + V::splat(self.slope.x) * V::load(&RAMP);
        let swing = V::splat(self.swing);
        let low = V::splat(self.ends[0]).max(middle - swing);
        let high = V::splat(self.ends[1]).min(middle + swing);
        let there = zero.le(high) & low.le(V::splat(bins));
        let (low, high) = (low.max(zero).min(last), high.max(zero).min(last));
        (
            there.bits(),
            [low.floor().integers(), high.floor().integers()],
        )
    }
}

/// Twice the area of the triangle as the rays see it, unless it is so thin that even the sign is not certain: rounding is at most 2^-22 of
/// the product of two sides, and here the area is 2^-7 of it.
#[inline]
fn certain_area(t: &Triangle) -> Option<f32> {
    let (p, q) = ((t.b - t.a).xy(), (t.c - t.a).xy());
    let area = p.perp_dot(q);
    (area.abs() > 0.007_812_5 * p.dot(p).max(q.dot(q))).then_some(area)
}

impl Marker<'_> {
    /// Marks every bin that the triangle passes through within a pixel's column, in the rows of a slice.
    #[inline(always)]
    pub(super) fn mark<V: Lanes, const SHARED: bool>(
        &self,
        t: &Triangle,
        pixels: &PixelBox,
        slice: Slice,
    ) {
        let bins = self.grid.bins as f32;
        if pixels.high.z < 0.0 || pixels.low.z > bins {
            return;
        }
        let slab = Slab::of(t, pixels);
        let (from, to) = (pixels.from, pixels.to);
        let wide = to.x > from.x && to.y > from.y;
        for k in (from.y + slice.number as i32..=to.y).step_by(slice.of) {
            let [first, last] = match wide {
                true => self.columns_of_row(t, pixels, k as f32),
                false => [from.x, to.x],
            };
            let (first, last) = (first.max(from.x), last.min(to.x));
            for u in (first..=last).step_by(WIDTH) {
                let (there, bins) = slab.bins::<V>(u, k, bins);
                let within = u8::MAX >> (WIDTH as i32 - 1).saturating_sub(last - u).max(0);
                for lane in lanes_of(there & within) {
                    let pixel = UVec2::new(u as u32 + lane as u32, k as u32);
                    self.mark_bins::<SHARED>(pixel, [bins[0][lane], bins[1][lane]]);
                }
            }
        }
    }

    /// The columns whose footprints a triangle touches in a row of them.
    #[inline(always)]
    fn columns_of_row(&self, t: &Triangle, pixels: &PixelBox, k: f32) -> [i32; 2] {
        let width = self.grid.sides.x;
        let slack = pixels.slack;
        let (low, high) = (k - 0.5 - slack.y, k + 0.5 + slack.y);
        let mut span = [3e38, -3e38];
        widen(t.a, t.b, low, high, &mut span);
        widen(t.b, t.c, low, high, &mut span);
        widen(t.c, t.a, low, high, &mut span);
        [
            first_at(span[0] - slack.x - 0.5, width),
            last_at(span[1] + slack.x + 0.5, width),
        ]
    }

    /// Marks the bins of a pixel from one to another.
    #[inline(always)]
    pub(super) fn mark_bins<const SHARED: bool>(&self, pixel: UVec2, bins: [i32; 2]) {
        let block = block_of(pixel, self.grid.sides);
        let words = &self.words[(block * (self.grid.bins / 8)) as usize..];
        let shift = shift_in_block(pixel);
        let [low, high] = bins.map(|bin| bin as u32);
        let (mut word, last) = (low / 8, high / 8);
        let mut bits = 0xff << (low % 8) & 0xff;
        while word < last {
            set::<SHARED>(&words[word as usize], bits << shift);
            bits = 0xff;
            word += 1;
        }
        bits &= 0xff >> (7 - high % 8);
        set::<SHARED>(&words[word as usize], bits << shift);
    }
}

/// Least and greatest u of the part of an edge within a band of rows.
#[inline(always)]
fn widen(p: Vec3, q: Vec3, low: f32, high: f32, span: &mut [f32; 2]) {
    let (lower, upper) = if p.y < q.y { (p, q) } else { (q, p) };
    if upper.y < low || lower.y > high {
        return;
    }
    let inverse = 1.0 / (upper.y - lower.y).max(1e-30);
    for row in [low, high] {
        let t = ((row - lower.y) * inverse).clamp(0.0, 1.0);
        let u = lower.x + (upper.x - lower.x) * t;
        *span = [span[0].min(u), span[1].max(u)];
    }
}
