//! Bins that are certainly and possibly inside two meshes: blocks of two by two pixels at a time, as the marks lie in memory.

use super::{Images, Walk};
use crate::host::volume::marks::{block_of, blocks_of, shift_in_block};
use crate::host::volume::spans::is_long;
use glam::{UVec2, UVec3};

/// What is counted, and the largest u, v, w that the intersection may have, and of the complements of its minima.
#[derive(Default)]
pub(super) struct Certificate {
    pub(super) lower: u32,
    pub(super) upper: u32,
    pub(super) shared: u32,
    pub(super) doubtful: u32,
    pub(super) differing: u32,
    pub(super) maxima: UVec3,
    pub(super) complement: UVec3,
}

/// Words of a block: eight bins each, and there are at most 1024.
const MOST_WORDS: usize = 128;

/// For each word of a block the bins of its pixels where their rays are inside a mesh.
struct Filled {
    words: [u32; MOST_WORDS],
    any: bool,
}

impl Certificate {
    /// Counts the bins of a row of blocks, whose first pixels are in row `v`.
    pub(super) fn take_row(&mut self, images: &Images, v: u32) {
        let sides = images.grid.sides;
        let words = (images.grid.bins / 8) as usize;
        let second = blocks_of(sides) as usize * words;
        let mut filled = [Filled::EMPTY, Filled::EMPTY];
        for u in (0..sides.x).step_by(2) {
            let corner = UVec2::new(u, v);
            let at = block_of(corner, sides) as usize * words;
            let marks = [
                &images.marks[at..][..words],
                &images.marks[second + at..][..words],
            ];
            let marked = marks.map(|marks| marks.iter().fold(0, |any, word| any | word) != 0);
            let pixels = [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE].map(|step| corner + step);
            let inner =
                pixels.map(|pixel| pixel.cmplt(sides).all() && !images.grid.is_border(pixel));
            for (mesh, filled) in filled.iter_mut().enumerate() {
                filled.fill(images, mesh, &pixels, &inner, words);
            }
            if (0..2).all(|mesh| marked[mesh] || filled[mesh].any) {
                self.take_block(corner, marks, &filled, &inner);
            }
        }
    }

    fn take_block(
        &mut self,
        corner: UVec2,
        marks: [&[u32]; 2],
        filled: &[Filled; 2],
        inner: &[bool; 4],
    ) {
        let within = (0..4).fold(0, |bits, i| {
            bits | if inner[i] { 0xff << (8 * i) } else { 0 }
        });
        let mut seen = 0;
        for (word, (a, b)) in marks[0].iter().zip(marks[1]).enumerate() {
            let (in_a, in_b) = (filled[0].words[word], filled[1].words[word]);
            let possible = (in_a | a) & (in_b | b) & within;
            if possible == 0 {
                continue;
            }
            self.lower += count_ones(in_a & in_b & !a & !b & within);
            self.upper += count_ones(possible);
            self.shared += count_ones(in_a & in_b & within);
            let doubtful = a & b & within;
            self.doubtful += count_ones(doubtful);
            self.differing += count_ones(doubtful & (in_a ^ in_b));
            seen |= possible;
            let bins = (possible | possible >> 8 | possible >> 16 | possible >> 24) & 0xff;
            let (first, last) = (bins.trailing_zeros(), 31 - bins.leading_zeros());
            self.maxima.z = self.maxima.z.max(8 * word as u32 + last);
            self.complement.z = self.complement.z.max(!(8 * word as u32 + first));
        }
        for step in [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE] {
            let pixel = corner + step;
            if seen >> shift_in_block(pixel) & 0xff != 0 {
                let (most, least) = (self.maxima.truncate(), self.complement.truncate());
                self.maxima = most.max(pixel).extend(self.maxima.z);
                self.complement = least.max(!pixel).extend(self.complement.z);
            }
        }
    }
}

/// Most words are all inside or all outside, and not every processor counts bits.
#[inline(always)]
fn count_ones(word: u32) -> u32 {
    match word {
        0 => 0,
        u32::MAX => 32,
        some => some.count_ones(),
    }
}

impl Filled {
    const EMPTY: Self = Self {
        words: [0; MOST_WORDS],
        any: false,
    };

    fn fill(
        &mut self,
        images: &Images,
        mesh: usize,
        pixels: &[UVec2; 4],
        inner: &[bool; 4],
        words: usize,
    ) {
        if self.any {
            self.words[..words].fill(0);
            self.any = false;
        }
        for (pixel, inner) in pixels.iter().zip(inner) {
            let ray = mesh * images.grid.pixels()
                + (pixel.y * images.grid.sides.x) as usize
                + pixel.x as usize;
            if !inner || images.spans[ray][0] == f32::INFINITY {
                continue;
            }
            self.any = true;
            let shift = shift_in_block(*pixel);
            let spans = &images.spans[ray];
            if is_long(spans) {
                self.fill_list(images, ray, shift);
                continue;
            }
            self.set(spans[0], spans[1], images.grid.bins, shift);
            if spans[2] < f32::INFINITY {
                self.set(spans[2], spans[3], images.grid.bins, shift);
            }
        }
    }

    fn fill_list(&mut self, images: &Images, ray: usize, shift: u32) {
        let mut walk = Walk::of(images.rays, images.spans, ray);
        let mut from = 0.0;
        while walk.inside || walk.next_depth() < f32::INFINITY {
            let to = walk.next_depth();
            if walk.inside {
                self.set(from, to, images.grid.bins, shift);
            }
            if to == f32::INFINITY {
                break;
            }
            from = to;
            walk.pass();
        }
    }

    /// Sets the bins from that of a span's start to the one before that of its end.
    #[inline]
    fn set(&mut self, from: f32, to: f32, bins: u32, shift: u32) {
        let bin = |depth: f32| (depth.max(0.0) as u32).min(bins);
        let (from, to) = (bin(from), bin(to));
        if from >= to {
            return;
        }
        let (first, last) = ((from / 8) as usize, ((to - 1) / 8) as usize);
        let (start, end) = (0xff << (from % 8) & 0xff, 0xff >> (7 - (to - 1) % 8));
        if first == last {
            self.words[first] |= (start & end) << shift;
            return;
        }
        self.words[first] |= start << shift;
        for word in &mut self.words[first + 1..last] {
            *word |= 0xff << shift;
        }
        self.words[last] |= end << shift;
    }
}
