//! Scan conversion of a mesh into the crossings of its rays, and into marks of the depth bins where its surface passes through a pixel's
//! column. Partner: `shaders/volume/convert.comp`.

mod cross;
mod mark;

use super::grid::{Grid, first_at, last_at, summary_of};
use super::marks::blocks_of;
use super::rays::{Rays, Slots, nodes_of};
use crate::gpu::native::Native;
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::ConvertPush;
use crate::gpu::shader::kernels::{Convert, ConvertMeshes, ConvertWork};
use crate::host::runs::each_run;
use cross::Crosser;
use glam::{IVec2, Vec3, Vec3A};
use mark::Marker;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Triangles that are worth a thread.
const RUN: usize = 2048;
/// Slices of rows for each thread, where triangles are few.
const SLICES_PER_THREAD: usize = 4;

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
    if before | bits == before {
        return;
    }
    if SHARED {
        word.fetch_or(bits, Relaxed);
    } else {
        word.store(before | bits, Relaxed);
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
        if slices == 1 {
            return each_run(count, RUN, |run| self.convert::<true>(run, alone));
        }
        let of = slices.min(SLICES_PER_THREAD * threads);
        each_run(of, 1, |slices| {
            for number in slices {
                self.convert::<true>(0..count, Slice { number, of });
            }
        });
    }

    fn convert<const SHARED: bool>(&self, triangles: Range<usize>, slice: Slice) {
        for number in triangles {
            let [a, b, c] =
                self.indices[number].map(|v| Vec3A::from_slice(&self.placed[v as usize]));
            let (low, high) = (a.min(b.min(c)), a.max(b.max(c)));
            if self.is_outside(low, high) {
                continue;
            }
            let triangle = Triangle {
                number: number as u32,
                a: a.into(),
                b: b.into(),
                c: c.into(),
            };
            let pixels = self.box_of(low, high);
            if let Some(marker) = &self.marker {
                marker.mark::<SHARED>(&triangle, &pixels, slice);
            }
            if let Some(crosser) = &self.crosser {
                crosser.cross::<SHARED>(&triangle, low, high, slice);
            }
        }
    }

    /// Whether a triangle does not matter: it passes beside all columns, or lies wholly beyond what is kept.
    #[inline]
    fn is_outside(&self, low: Vec3A, high: Vec3A) -> bool {
        let grid = &self.grid;
        let slack = Vec3A::from(grid.slack) + Vec3A::new(1.0, 1.0, 0.0);
        let from = Vec3A::new(0.0, 0.0, self.kept[0]);
        let sides = grid.sides.as_vec2() - 1.0;
        let to = Vec3A::new(sides.x, sides.y, self.kept[1]);
        (high + slack).cmplt(from).any() || (low - slack).cmpgt(to).any()
    }

    #[inline]
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
