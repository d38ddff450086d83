//! Strips across the swept axis: boxes meet only those of their strip, so a sweep looks at few that are far on the second axis.
//!
//! A box is in every strip that it reaches. Two boxes that overlap are together in several strips, and are reported by the
//! one in which the later of them begins.

use crate::geometry::aabb::Aabb;
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, load_rows};
use crate::interrupt;
use crate::memory;

/// Strips of equal width across an axis; the first and the last go on without end.
#[derive(Clone, Copy)]
pub(super) struct Ruler {
    axis: usize,
    origin: f32,
    per_length: f32,
    last: u16,
}

/// A strip is wider than the mean box by this factor, so that most boxes are in one or two.
const WIDER: f32 = 1.2;

/// Fewer boxes than this are not worth a strip of their own.
const LEAST: usize = 48;

impl Ruler {
    /// Strips for these boxes, from a look at `sample` of them.
    pub(super) fn new(boxes: &[Aabb], axis: usize, sample: usize) -> Self {
        let real = |b: &&Aabb| !b.is_empty();
        let some = boxes.iter().step_by(boxes.len().div_ceil(sample).max(1));
        let mut starts: Vec<f32> = some.filter(real).map(|b| b.min[axis]).collect();
        starts.sort_unstable_by(f32::total_cmp);
        let mut ruler = Self {
            axis,
            origin: 0.0,
            per_length: 0.0,
            last: 0,
        };
        // A few that are far out do not make the strips wide.
        let few = starts.len() / 64;
        let (Some(&low), Some(&high)) = (starts.get(few), starts.iter().rev().nth(few)) else {
            return ruler;
        };
        let range = high - low;
        // No box counts for more than the range: the strips of all boxes are a small multiple of their number.
        let all: f32 = boxes
            .iter()
            .filter(real)
            .map(|b| (b.max[axis] - b.min[axis]).min(range))
            .sum();
        let most = (boxes.len() / LEAST).min(usize::from(u16::MAX)) as f32;
        let strips = (range / (WIDER * all / boxes.len() as f32))
            .min(most)
            .floor();
        if strips >= 2.0 && range > 0.0 && range.is_finite() {
            ruler.origin = low;
            ruler.per_length = strips / range;
            ruler.last = strips as u16 - 1;
        }
        ruler
    }

    /// The strip of a coordinate; a greater one has the same or a later strip.
    #[inline(always)]
    fn strip(&self, x: f32) -> u16 {
        (((x - self.origin) * self.per_length) as u16).min(self.last)
    }
}

/// Which boxes are in which strip.
#[derive(Default)]
pub(super) struct Strips {
    /// The first and the last strip of every box; the last before the first for an empty one.
    spans: Vec<[u16; 2]>,
    /// Where each strip begins among the items, and the end.
    starts: Vec<usize>,
    /// The boxes of all strips, in the order in which they were dealt.
    items: Vec<u32>,
}

impl Strips {
    /// Deals out the boxes in the order of `items`.
    pub(super) fn deal(&mut self, boxes: &[Aabb], items: impl Iterator<Item = u32>, ruler: Ruler) {
        let count = usize::from(ruler.last) + 1;
        // How many more boxes are in a strip than in the one before.
        let mut more = memory::filled(0isize, count + 1);
        self.spans.clear();
        memory::ensure(&mut self.spans, boxes.len());
        self.spans.extend(boxes.iter().map(|b| {
            if b.is_empty() {
                return [1, 0];
            }
            let span = [b.min, b.max].map(|end| ruler.strip(end[ruler.axis]));
            more[usize::from(span[0])] += 1;
            more[usize::from(span[1]) + 1] -= 1;
            span
        }));
        self.starts.clear();
        memory::ensure(&mut self.starts, more.len());
        let (mut start, mut within) = (0, 0);
        for more in more {
            self.starts.push(start);
            within += more;
            start += within as usize;
        }
        let mut next = memory::copied(&self.starts);
        self.items.clear();
        memory::ensure(&mut self.items, start);
        self.items.resize(start, 0);
        for item in items {
            let [first, last] = self.spans[item as usize];
            for strip in first..=last {
                let at = &mut next[usize::from(strip)];
                self.items[*at] = item;
                *at += 1;
            }
        }
    }

    /// How many strips there are.
    pub(super) fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The pairs of a strip whose boxes were dealt in the order of their lower ends along the first of the axes.
    pub(super) fn sweep<'a>(
        &'a self,
        strip: usize,
        boxes: &'a [Aabb],
        axes: [usize; 3],
        capacity: usize,
    ) -> Sweep<'a> {
        Sweep {
            items: &self.items[self.starts[strip]..self.starts[strip + 1]],
            strip: strip as u16,
            spans: &self.spans,
            boxes,
            axes,
            capacity,
        }
    }
}

/// Pairs in the order in which they were found, and how many there were.
pub(super) struct OverlappingPairs {
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) count: u64,
}

/// The sweep of one strip: each box is compared with those that begin before it ends, eight at a time on all axes.
pub(super) struct Sweep<'a> {
    items: &'a [u32],
    strip: u16,
    spans: &'a [[u16; 2]],
    boxes: &'a [Aabb],
    axes: [usize; 3],
    capacity: usize,
}

/// Eight boxes that follow each other in a strip: their ends along the swept axis, the strips' and the third.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Block {
    low: [[f32; WIDTH]; 3],
    high: [[f32; WIDTH]; 3],
    /// Bit `b` is set when box `b` begins in this strip.
    begin: u64,
    /// The same as whole rows of eight bits.
    begin_rows: u64,
}

impl Block {
    /// No boxes: every comparison with NaN is false, also that of an infinite box.
    const EMPTY: Self = Self {
        low: [[f32::NAN; WIDTH]; 3],
        high: [[f32::NAN; WIDTH]; 3],
        begin: 0,
        begin_rows: 0,
    };
}

impl Sweep<'_> {
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = memory::filled(Block::EMPTY, self.items.len().div_ceil(WIDTH));
        for (block, items) in blocks.iter_mut().zip(self.items.chunks(WIDTH)) {
            for (lane, &item) in items.iter().enumerate() {
                let b = &self.boxes[item as usize];
                for (k, &axis) in self.axes.iter().enumerate() {
                    block.low[k][lane] = b.min[axis];
                    block.high[k][lane] = b.max[axis];
                }
                let begins = u64::from(self.spans[item as usize][0] == self.strip);
                block.begin |= begins << lane;
                block.begin_rows |= (begins * 0xff) << (WIDTH * lane);
            }
        }
        blocks
    }

    /// Takes in pairs of eight boxes from `i` on with eight from `j` on: bit `8 a + b` is that of the boxes `i + a` and `j + b`.
    #[inline(always)]
    fn report(&self, i: usize, j: usize, mut bits: u64, found: &mut OverlappingPairs) {
        found.count += u64::from(bits.count_ones());
        while bits != 0 && found.pairs.len() < self.capacity {
            let bit = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let (one, other) = (self.items[i + bit / WIDTH], self.items[j + bit % WIDTH]);
            memory::add(&mut found.pairs, [one.min(other), one.max(other)]);
        }
    }
}

/// Of the pairs of eight boxes with themselves, those of a box and one behind it.
const BEHIND: u64 = 0x0080_c0e0_f0f8_fcfe;

/// The first bit of each of eight rows of eight.
const EACH_ROW: u64 = 0x0101_0101_0101_0101;

impl LaneKernel for Sweep<'_> {
    type Output = OverlappingPairs;

    #[inline(always)]
    fn run<V: Lanes>(self) -> OverlappingPairs {
        let blocks = self.blocks();
        let mut found = OverlappingPairs {
            pairs: memory::room(self.items.len().min(self.capacity)),
            count: 0,
        };
        for (k, own) in blocks.iter().enumerate() {
            interrupt::check();
            let end = own.high[0]
                .iter()
                .copied()
                .fold(f32::NEG_INFINITY, f32::max);
            let mut wanted = BEHIND;
            for (l, other) in blocks[k..].iter().enumerate() {
                // The lower ends ascend: when the first of eight is out of reach, so are all behind it.
                if other.low[0][0] > end {
                    break;
                }
                let begin = own.begin_rows | (EACH_ROW * other.begin);
                let bits = overlaps::<V>(own, other) & wanted & begin;
                self.report(k * WIDTH, (k + l) * WIDTH, bits, &mut found);
                wanted = !0;
            }
        }
        found
    }
}

/// Bit `8 a + b` says whether box `a` of the first eight overlaps box `b` of the second, which does not begin before it.
#[inline(always)]
fn overlaps<V: Lanes>(first: &Block, second: &Block) -> u64 {
    let low = load_rows::<V>(&second.low);
    let high = load_rows::<V>(&second.high);
    let mut bits = 0;
    for a in 0..WIDTH {
        let near = low[0].le(V::splat(first.high[0][a]))
            & low[1].le(V::splat(first.high[1][a]))
            & V::splat(first.low[1][a]).le(high[1])
            & low[2].le(V::splat(first.high[2][a]))
            & V::splat(first.low[2][a]).le(high[2]);
        bits |= u64::from(near.bits()) << (WIDTH * a);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use glam::Vec3;

    /// Boxes that all begin in one place, giants among dwarfs, outliers, points, and boxes of nothing.
    fn crowds() -> Vec<Vec<Aabb>> {
        let mut random = Random::new(63);
        let mut crowd = |place: fn(Vec3) -> Vec3, size: fn(usize, Vec3) -> Vec3| {
            let one = |i| {
                let (min, by) = (place(random.in_cube_f32()), random.in_cube_f32().abs());
                let max = min + size(i, by);
                Aabb { min, max }
            };
            (0..2000).map(one).collect::<Vec<_>>()
        };
        let mut holes = crowd(|p| p * 10.0, |_, by| by * 0.1);
        holes.iter_mut().step_by(3).for_each(|b| *b = Aabb::EMPTY);
        vec![
            crowd(|p| Vec3::new(p.x, 0.0, p.z), |_, by| by * 5.0),
            crowd(|p| p * 10.0, |i, by| by * [0.1, 1e9][i % 2]),
            crowd(|p| p * 10.0, |i, by| by * [0.1, 1e9][usize::from(i == 7)]),
            crowd(|p| p * p.abs().powf(40.0) * 1e15, |_, by| by),
            crowd(|p| p * 10.0, |_, _| Vec3::ZERO),
            crowd(|_| Vec3::ONE, |_, _| Vec3::ZERO),
            holes,
        ]
    }

    #[test]
    fn a_few_copies_of_each_box_are_dealt_whatever_they_are() {
        for (which, boxes) in crowds().iter().enumerate() {
            for axis in 0..3 {
                let ruler = Ruler::new(boxes, axis, 512);
                let mut strips = Strips::default();
                strips.deal(boxes, 0..boxes.len() as u32, ruler);
                let copies = strips.items.len();
                assert!(copies <= 3 * boxes.len(), "crowd {which}: {copies}");
                for (b, span) in boxes.iter().zip(&strips.spans) {
                    assert_eq!(span[0] > span[1], b.is_empty());
                    assert!(usize::from(span[1]) < strips.count());
                }
            }
        }
    }
}
