//! Integrates one mesh, column by column of pixels, over the depths at which the other's rays are inside. Partner:
//! `shaders/volume/prisms.comp`, which says what is added up; here edges and heights are in doubles.

mod piece;

use super::grid::{Grid, first_at, last_at, summary_of};
use super::measure::Walk;
use super::rays::{Rays, words_of};
use super::spans::is_long;
use crate::gpu::native::Native;
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::{ConvertPush, Summary};
use crate::gpu::shader::kernels::{Prisms, PrismsMeshes};
use crate::host::runs::merge_runs;
use glam::{DVec2, DVec3, IVec2, Vec3, Vec3Swizzles};
use piece::{Piece, Row};
use std::mem::offset_of;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// Triangles that are worth a thread.
const RUN: usize = 2048;
/// With fewer triangles than this they are likely to be large.
const FEW: usize = 4096;
/// Sums are integers of this part of a pixel and a bin, so that they are the same bits in any order.
const UNITS: f64 = 65_536.0;
/// More than doubles round in what is done to a piece here.
const ROUNDING: f64 = 1e-13;
/// What cannot be bounded may be off by this.
const BOUNDLESS: f64 = 4e9;

impl Native for Prisms<'_> {
    fn run(&self, push: &ConvertPush, _groups: [u32; 3]) {
        let summary = summary_of(&self.summaries);
        let grid = Grid::of(&summary.frame);
        if grid.sides.x == 0 || summary.nodes > push.capacity {
            return;
        }
        let (rays, spans) = (Rays::of(&self.rays), self.spans.values());
        let integrate = |mesh: u32, placed: Bound, indices: Bound| {
            let which = mesh as usize;
            let integration = Integration {
                grid,
                kept: [summary.frame.keep_from[which], summary.frame.keep_to[which]],
                placed: placed.values(),
                indices: indices.values(),
                other: (1 - which) * grid.pixels(),
                from_top: summary.frame.from_above[which] == 0,
                rays,
                spans,
            };
            let count = push.counts[which] as usize;
            let run = if count < FEW { count / 64 + 1 } else { RUN };
            let sums = merge_runs(
                count,
                run,
                Sums::default,
                |run| integration.integrate(run),
                Sums::merge,
            );
            let words = words_of(&self.summaries, offset_of!(Summary, prisms));
            add(words, 2 * which, sums.volume as u64);
            add(words, 4, sums.doubt);
        };
        integrate(push.mesh, self.placed, self.indices);
        if let PrismsMeshes::Two {
            indices_b,
            placed_b,
        } = &self.meshes
        {
            integrate(1, *placed_b, *indices_b);
        }
    }
}

/// Adds to a sum in two words: meshes are integrated one after the other.
fn add(words: &[std::sync::atomic::AtomicU32], at: usize, term: u64) {
    let [low, high] = [at, at + 1].map(|i| u64::from(words[i].load(Relaxed)));
    let sum = (low | high << 32).wrapping_add(term);
    words[at].store(sum as u32, Relaxed);
    words[at + 1].store((sum >> 32) as u32, Relaxed);
}

/// Volumes of prisms, and what they may be off by.
#[derive(Default)]
struct Sums {
    volume: i64,
    doubt: u64,
}

impl Sums {
    fn merge(self, other: Self) -> Self {
        Self {
            volume: self.volume.wrapping_add(other.volume),
            doubt: self.doubt.saturating_add(other.doubt),
        }
    }

    fn add(&mut self, volume: f64, doubt: f64) {
        let doubt = if volume.is_finite() && doubt < BOUNDLESS {
            doubt
        } else {
            BOUNDLESS
        };
        self.volume += (volume * UNITS).round_ties_even() as i64;
        self.doubt += (doubt * UNITS) as u64 + 2;
    }
}

/// The other mesh's length below the ends of a piece's depths.
#[derive(Default)]
struct Reach {
    below: [f64; 2],
    /// All of the depths are within a span.
    covers: bool,
    /// Some are, and some not.
    cut: bool,
}

/// A triangle and what bounds its pieces.
struct Facet {
    corners: [DVec3; 3],
    low: DVec3,
    high: DVec3,
    slack: DVec3,
    slope: DVec2,
    /// Whether the slope is known.
    certain: bool,
    from: IVec2,
    to: IVec2,
}

/// The integration of one mesh.
struct Integration<'a> {
    grid: Grid,
    kept: [f32; 2],
    placed: &'a [[f32; 4]],
    indices: &'a [[u32; 3]],
    /// The first ray of the other mesh.
    other: usize,
    /// Heights are counted down from the last end where triangles above the frame are left out.
    from_top: bool,
    rays: Rays<'a>,
    spans: &'a [[f32; 4]],
}

impl Integration<'_> {
    fn integrate(&self, triangles: Range<usize>) -> Sums {
        let mut sums = Sums::default();
        for triangle in triangles {
            let corners =
                self.indices[triangle].map(|v| Vec3::from_slice(&self.placed[v as usize]));
            if let Some(facet) = self.facet_of(corners) {
                self.take(&facet, &mut sums);
            }
        }
        sums
    }

    /// A triangle, unless it passes beside all columns, or lies wholly beyond what is kept.
    #[inline]
    fn facet_of(&self, [a, b, c]: [Vec3; 3]) -> Option<Facet> {
        let (low, high) = (a.min(b.min(c)), a.max(b.max(c)));
        let grid = &self.grid;
        // Rounding is relative to the coordinates, and triangles may reach far beyond the frame.
        let farthest = low.abs().max(high.abs());
        let across = farthest.x.max(farthest.y);
        let slack = grid.slack + 1e-6 * Vec3::new(across, across, farthest.z);
        let (low, high) = (low - slack, high + slack);
        // Only inner pixels are of the volume of interest.
        let [width, height] = grid.sides.to_array();
        let from = IVec2::new(first_at(low.x - 0.5, width), first_at(low.y - 0.5, height));
        let to = IVec2::new(last_at(high.x + 0.5, width), last_at(high.y + 0.5, height));
        let (from, to) = (
            from.max(IVec2::ONE),
            to.min(IVec2::new(width as i32, height as i32) - 2),
        );
        if from.cmpgt(to).any() || high.z < self.kept[0] || low.z > self.kept[1] {
            return None;
        }
        let corners = [a, b, c].map(Vec3::as_dvec3);
        let (p, q) = (corners[1] - corners[0], corners[2] - corners[0]);
        let normal = p.cross(q);
        let square = p.xy().length_squared().max(q.xy().length_squared());
        let certain = normal.z.abs() > 1e-9 * square && square > 1e-30;
        Some(Facet {
            corners,
            low: low.as_dvec3(),
            high: high.as_dvec3(),
            slack: slack.as_dvec3(),
            slope: if certain {
                -normal.xy() / normal.z
            } else {
                DVec2::ZERO
            },
            certain,
            from,
            to,
        })
    }

    fn take(&self, facet: &Facet, sums: &mut Sums) {
        let width = self.grid.sides.x as usize;
        let mut touched = false;
        for k in facet.from.y..=facet.to.y {
            let first = self.other + k as usize * width;
            let spans = &self.spans[first + facet.from.x as usize..=first + facet.to.x as usize];
            if spans.iter().all(|spans| spans[0] == f32::INFINITY) {
                continue;
            }
            let row = Row::of(&facet.corners, f64::from(k));
            let [from, to] = row.columns(facet.from.x, facet.to.x);
            for i in from..=to {
                touched |= self.take_column(facet, &row, IVec2::new(i, k), sums);
            }
        }
        if touched {
            sums.add(0.0, self.slack_of(facet));
        }
    }

    /// A pixel's column of a triangle. Gives whether the other mesh is, begins or ends at the piece's depths.
    #[inline]
    fn take_column(&self, facet: &Facet, row: &Row, pixel: IVec2, sums: &mut Sums) -> bool {
        let ray = self.other + pixel.y as usize * self.grid.sides.x as usize + pixel.x as usize;
        let spans = &self.spans[ray];
        if spans[0] == f32::INFINITY {
            return false;
        }
        let depths = facet.depths_at(pixel.as_dvec2());
        if depths[0] > depths[1] {
            return false;
        }
        let reach = self.reach_of(ray, spans, depths);
        if !reach.covers && !reach.cut && reach.below[0] == 0.0 {
            return false;
        }
        let piece = row.piece_at(f64::from(pixel.x));
        let (volume, doubt) = facet.prism(&reach, depths, &piece, pixel.as_dvec2());
        sums.add(volume, doubt);
        reach.covers || reach.cut
    }

    #[inline]
    fn reach_of(&self, ray: usize, spans: &[f32; 4], depths: [f64; 2]) -> Reach {
        let mut reach = Reach::default();
        if !is_long(spans) {
            self.take_span([spans[0], spans[1]], depths, &mut reach);
            self.take_span([spans[2], spans[3]], depths, &mut reach);
            return reach;
        }
        let mut walk = Walk::of(self.rays, self.spans, ray);
        let mut from = 0.0;
        while walk.inside || walk.next_depth() < f32::INFINITY {
            let to = walk.next_depth();
            if walk.inside {
                self.take_span([from, to], depths, &mut reach);
            }
            if to == f32::INFINITY {
                break;
            }
            from = to;
            walk.pass();
        }
        reach
    }

    /// From the bin where a ray enters to the one before that where it leaves.
    #[inline]
    fn take_span(&self, ends: [f32; 2], depths: [f64; 2], reach: &mut Reach) {
        let [from, to] = ends.map(|end| f64::from(end.max(0.0).min(self.grid.bins as f32).floor()));
        if from >= to {
            return;
        }
        let base = if self.from_top { to } else { from };
        for (below, depth) in reach.below.iter_mut().zip(depths) {
            *below += depth.clamp(from, to) - base;
        }
        let covers = from <= depths[0] && depths[1] <= to;
        reach.covers |= covers;
        reach.cut |= !covers && depths[0] < to && from < depths[1];
    }

    /// What lies between a triangle's rounded and its exact place, at most: its three projections, each no larger than the box's, times the
    /// slack across them, within the frame.
    fn slack_of(&self, facet: &Facet) -> f64 {
        let sides = self.grid.sides.as_dvec2() - 1.5;
        let low = facet.low.max(DVec3::new(0.5, 0.5, 0.0));
        let high = facet.high.min(sides.extend(self.grid.bins.into()));
        let e = (high - low).max(DVec3::ZERO);
        1.001 * (DVec3::new(e.y * e.z, e.z * e.x, e.x * e.y)).dot(facet.slack)
    }
}

impl Facet {
    /// The depths of the triangle over a pixel, wherever rounding may have put it.
    #[inline]
    fn depths_at(&self, pixel: DVec2) -> [f64; 2] {
        let (low, high) = (self.low.z, self.high.z);
        if !self.certain {
            return [low, high];
        }
        let a = self.corners[0];
        let middle = a.z + self.slope.dot(pixel - a.xy());
        let half_side = 0.5 + 1e-6 + 2.0 * self.slack.xy();
        let swing = self.slope.abs().dot(half_side) + self.slack.z;
        [low.max(middle - swing), high.min(middle + swing)]
    }

    /// The prism under a piece, and what it may be off by.
    #[inline]
    fn prism(&self, reach: &Reach, depths: [f64; 2], piece: &Piece, pixel: DVec2) -> (f64, f64) {
        let a = self.corners[0];
        let size = piece.area.abs() + piece.off;
        let [least, most] = reach.below;
        if reach.cut {
            let height = 0.5 * (least + most);
            let off = height.abs() * piece.off + 0.5 * size * (most - least);
            return (
                piece.area * height,
                off + ROUNDING * size * (1.0 + least.abs()),
            );
        }
        if !reach.covers {
            return (
                piece.area * least,
                least.abs() * (piece.off + ROUNDING * size),
            );
        }
        let height = least + a.z - depths[0];
        // From the first corner's depth to the piece's own.
        let (arm, most) = (a.xy() - pixel, size * (self.high.z - self.low.z));
        let lean = self.slope.dot(piece.moment - arm * piece.area);
        let steep = self.slope.x.abs() + self.slope.y.abs();
        let moved = steep * (piece.off + ROUNDING * size) * (1.0 + arm.abs().max_element());
        let loose = if self.certain { 1e-6 } else { 1.0 };
        let off = (height.abs() + a.z.abs() + 1.0) * (piece.off + ROUNDING * size);
        (
            piece.area * height + lean.clamp(-most, most),
            off + (2.0 * most).min(moved) + most * loose,
        )
    }
}
