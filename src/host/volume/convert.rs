//! Scan conversion of a mesh into the crossings of its rays, and into marks of the depth bins where its surface passes through a pixel's
//! column. Partner: `shaders/volume/convert.comp`.

mod cross;
mod mark;
mod small;

use super::grid::{Grid, first_at, last_at, summary_of};
use super::marks::blocks_of;
use super::rays::{ENTERS, Rays, Slots, nodes_of};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::Native;
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::ConvertPush;
use crate::gpu::shader::kernels::{Convert, ConvertMeshes, ConvertWork};
use crate::host::runs::each_run;
use cross::Crosser;
use glam::{IVec2, UVec2, Vec3, Vec3A};
use mark::Marker;
use small::{Eight, NEAR};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Triangles that are worth a thread, whatever their size.
const RUN: usize = 2048;
/// Triangles of a run at least; where there are fewer, threads share each of them by rows.
const FEW: usize = 64;
/// The pixels of a row after the first of eight.
const RAMP: [f32; WIDTH] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
/// Runs of triangles, or slices of rows, for each thread where triangles are few, and likely to be large.
const RUNS_PER_THREAD: usize = 4;

impl Native for Convert<'_> {
    fn run(&self, push: &ConvertPush, groups: [u32; 3]) {
        let frame = summary_of(&self.summaries).frame;
        let grid = Grid::of(&frame);
        if grid.sides.x == 0 {
            return;
        }
        let convert = |mesh: u32, placed: Bound, indices: Bound| {
            let which = mesh as usize;
            let conversion = Conversion {
                grid,
                kept: [frame.keep_from[which], frame.keep_to[which]],
                placed: placed.values(),
                indices: indices.values(),
                marker: self.marks().map(|marks| Marker {
                    grid,
                    words: &marks.words()[which * words_of(&grid)..][..words_of(&grid)],
                }),
                crosser: self.crossings().map(|(rays, slots)| Crosser {
                    grid,
                    first: which * grid.pixels(),
                    rays,
                    slots,
                    nodes: nodes_of(&self.summaries),
                    capacity: push.capacity,
                }),
            };
            conversion.run(push.counts[which] as usize, groups[1] as usize);
        };
        convert(push.mesh, self.placed, self.indices);
        if let ConvertMeshes::Two {
            indices_b,
            placed_b,
        } = &self.meshes
        {
            convert(1, *placed_b, *indices_b);
        }
    }
}

/// Words of marks of a mesh.
fn words_of(grid: &Grid) -> usize {
    blocks_of(grid.sides) as usize * (grid.bins / 8) as usize
}

impl<'a> Convert<'a> {
    fn marks(&self) -> Option<Bound<'a>> {
        match self.work {
            ConvertWork::Both { marks, .. } | ConvertWork::Marks { marks } => Some(marks),
            ConvertWork::Crossings { .. } => None,
        }
    }

    fn crossings(&self) -> Option<(Rays<'a>, Slots<'a>)> {
        match &self.work {
            ConvertWork::Both { rays, slots, .. } | ConvertWork::Crossings { rays, slots } => {
                Some((Rays::of(rays), Slots::of(slots)))
            }
            ConvertWork::Marks { .. } => None,
        }
    }
}

/// Adds to a word that other threads add to, unless there are none; gives what was there.
#[inline(always)]
fn add<const SHARED: bool>(word: &AtomicU32, value: u32) -> u32 {
    if SHARED {
        return word.fetch_add(value, Relaxed);
    }
    let before = word.load(Relaxed);
    word.store(before.wrapping_add(value), Relaxed);
    before
}

/// Sets bits of a word, which other threads do, too, unless there are none.
#[inline(always)]
fn set<const SHARED: bool>(word: &AtomicU32, bits: u32) {
    let before = word.load(Relaxed);
    if !SHARED {
        word.store(before | bits, Relaxed);
    } else if before | bits != before {
        word.fetch_or(bits, Relaxed);
    }
}

/// The conversion of one mesh.
struct Conversion<'a> {
    grid: Grid,
    /// The depths beyond which triangles do not matter.
    kept: [f32; 2],
    placed: &'a [[f32; 4]],
    indices: &'a [[u32; 3]],
    marker: Option<Marker<'a>>,
    crosser: Option<Crosser<'a>>,
}

/// The rows that a thread takes: every `of`-th.
#[derive(Clone, Copy)]
struct Slice {
    number: usize,
    of: usize,
}

/// The corners of a triangle in the frame.
#[derive(Clone, Copy)]
struct Triangle {
    number: u32,
    a: Vec3,
    b: Vec3,
    c: Vec3,
}

/// The box of pixels whose footprints a triangle may touch, and its exact place in between.
struct PixelBox {
    slack: Vec3A,
    low: Vec3A,
    high: Vec3A,
    from: IVec2,
    to: IVec2,
}

impl Conversion<'_> {
    fn run(&self, count: usize, slices: usize) {
        let threads = match rayon::current_thread_index() {
            Some(_) => rayon::current_num_threads(),
            None => 1,
        };
        let alone = Slice { number: 0, of: 1 };
        if threads == 1 {
            return each_run(count, RUN, |run| self.convert::<false>(run, alone));
        }
        let runs = RUNS_PER_THREAD * threads;
        if slices == 1 || count >= FEW * threads {
            let run = count.div_ceil(runs).clamp(FEW, RUN);
            return each_run(count, run, |run| self.convert::<true>(run, alone));
        }
        let of = slices.min(runs);
        each_run(of, 1, |slices| {
            for number in slices {
                self.convert::<true>(0..count, Slice { number, of });
            }
        });
    }

    fn convert<const SHARED: bool>(&self, triangles: Range<usize>, slice: Slice) {
        dispatch(Run::<SHARED> {
            conversion: self,
            triangles,
            slice,
        });
    }

    /// What is found of small triangles from `first` on, to where it goes.
    #[inline(always)]
    fn put<const SHARED: bool>(&self, first: usize, eight: &Eight) {
        for at in 0..NEAR {
            let (column, row) = (at as i32 % 3, at as i32 / 3);
            let pixel = |lane: usize| {
                let (u, v) = (eight.from[0][lane] + column, eight.from[1][lane] + row);
                UVec2::new(u as u32, v as u32)
            };
            if let Some(marker) = &self.marker {
                for lane in lanes_of(eight.columns[at]) {
                    let bins = [eight.bins[at][0][lane], eight.bins[at][1][lane]];
                    marker.mark_bins::<SHARED>(pixel(lane), bins);
                }
            }
            if let Some(crosser) = &self.crosser {
                for lane in lanes_of(eight.crossings[at]) {
                    let enters = eight.enters[row as usize] >> lane & 1 == 1;
                    let tag = (first + lane) as u32 | if enters { ENTERS } else { 0 };
                    crosser.add_crossing::<SHARED>(pixel(lane), eight.depths[at][lane], tag);
                }
            }
        }
    }

    /// A triangle of any size, the rows of a slice.
    #[inline(always)]
    fn convert_large<V: Lanes, const SHARED: bool>(&self, number: usize, slice: Slice) {
        let [a, b, c] = self.indices[number].map(|v| Vec3A::from_slice(&self.placed[v as usize]));
        let (low, high) = (a.min(b.min(c)), a.max(b.max(c)));
        let triangle = Triangle {
            number: number as u32,
            a: a.into(),
            b: b.into(),
            c: c.into(),
        };
        if let Some(marker) = &self.marker {
            marker.mark::<V, SHARED>(&triangle, &self.box_of(low, high), slice);
        }
        if let Some(crosser) = &self.crosser {
            crosser.cross::<V, SHARED>(&triangle, low, high, slice);
        }
    }

    #[inline(always)]
    fn box_of(&self, low: Vec3A, high: Vec3A) -> PixelBox {
        let grid = &self.grid;
        // Rounding is relative to the coordinates, and triangles may reach far beyond the frame.
        let farthest = low.abs().max(high.abs());
        let across = farthest.x.max(farthest.y);
        let slack = Vec3A::from(grid.slack) + 1e-6 * Vec3A::new(across, across, farthest.z);
        let (low, high) = (low - slack, high + slack);
        let [width, height] = grid.sides.to_array();
        PixelBox {
            slack,
            low,
            high,
            // Footprints are half a pixel to each side.
            from: IVec2::new(first_at(low.x - 0.5, width), first_at(low.y - 0.5, height)),
            to: IVec2::new(last_at(high.x + 0.5, width), last_at(high.y + 0.5, height)),
        }
    }
}

/// Triangles that a thread converts.
struct Run<'a, const SHARED: bool> {
    conversion: &'a Conversion<'a>,
    triangles: Range<usize>,
    slice: Slice,
}

impl<const SHARED: bool> LaneKernel for Run<'_, SHARED> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let mut eight = Eight::default();
        for first in self.triangles.clone().step_by(WIDTH) {
            let count = WIDTH.min(self.triangles.end - first);
            self.conversion.look_at::<V>(first, count, &mut eight);
            // Where threads share triangles, the first takes the small ones.
            if self.slice.number == 0 && eight.small != 0 {
                self.conversion.put::<SHARED>(first, &eight);
            }
            for lane in lanes_of(eight.there & !eight.small) {
                (self.conversion).convert_large::<V, SHARED>(first + lane, self.slice);
            }
        }
    }
}

/// The lanes whose bits are set.
#[inline(always)]
fn lanes_of(mut bits: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        let found = bits != 0;
        bits &= bits.wrapping_sub(1);
        found.then_some(lane)
    })
}

#[cfg(test)]
mod tests;
