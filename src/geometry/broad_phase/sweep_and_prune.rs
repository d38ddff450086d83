//! Which boxes of many overlap? Sweep and prune over one axis, with persistence (Cohen et al. 1995).
//!
//! The boxes are kept in the order of their lower ends along the axis on which they are spread most. Boxes that moved a
//! little are nearly in order, so an insertion sort puts them right. Then they are dealt out, in this order, to strips across the
//! axis, and each strip is swept by itself (`strips.rs`).

use super::strips::{OverlappingPairs, Ruler, Strips};
use crate::geometry::aabb::Aabb;
use crate::geometry::bounded::TooMany;
use crate::geometry::simd::dispatch;
use crate::memory::{self, Gather, ParallelGather};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// The order of boxes, which stays from one [`SweepAndPrune::pairs`] to the next.
#[derive(Default)]
pub struct SweepAndPrune {
    axis: usize,
    order: Vec<SortKey>,
    spare: Vec<SortKey>,
    strips: Strips,
}

/// A box and where it begins.
#[derive(Clone, Copy, Default)]
struct SortKey {
    start: u32,
    item: u32,
}

/// A whole number for a float, greater for a greater one.
#[inline(always)]
fn rank(x: f32) -> u32 {
    let bits = x.to_bits();
    // A negative number is the smaller the larger its other bits are.
    bits ^ ((bits as i32 >> 31) as u32 | 1 << 31)
}

/// The axis changes when another is better by this factor: a change costs a whole sort.
const SPREAD_GAIN: f64 = 1.3;

/// Places that a box may move in the order, on average, before a whole sort is cheaper.
const DISORDER: usize = 8;

/// Boxes that are looked at to see how all are spread.
const SAMPLE: usize = 512;

impl SweepAndPrune {
    /// All pairs of boxes that share a point, the lower number first, ascending. An empty box overlaps nothing. Ends must not be
    /// NaN.
    pub fn pairs(&mut self, boxes: &[Aabb], capacity: usize) -> Result<Vec<[u32; 2]>, TooMany> {
        let axes = self.widest(boxes);
        self.sort(boxes, axes[0]);
        let items = self.order.iter().map(|key| key.item);
        self.strips
            .deal(boxes, items, Ruler::new(boxes, axes[1], SAMPLE));
        let strips = &self.strips;
        let found: Vec<OverlappingPairs> = (0..strips.count())
            .into_par_iter()
            .map(|strip| dispatch(strips.sweep(strip, boxes, axes, capacity)))
            .par_gather();
        let needed = found.iter().map(|found| found.count).sum();
        if needed > capacity as u64 {
            return Err(TooMany { needed, capacity });
        }
        Ok(ascending(&found, boxes.len(), needed as usize))
    }

    /// Brings the boxes in the order of their lower ends along an axis.
    fn sort(&mut self, boxes: &[Aabb], axis: usize) {
        let kept = axis == self.axis && boxes.len() == self.order.len();
        self.axis = axis;
        if kept {
            for key in &mut self.order {
                key.start = rank(boxes[key.item as usize].min[axis]);
            }
        } else {
            let start = |(item, b): (usize, &Aabb)| SortKey {
                start: rank(b.min[axis]),
                item: item as u32,
            };
            self.order = boxes.iter().enumerate().map(start).gather();
        }
        let descents = self
            .order
            .windows(2)
            .filter(|w| w[1].start < w[0].start)
            .count();
        let nearly = kept && descents * DISORDER < boxes.len();
        if !(nearly && insertion_sort(&mut self.order, DISORDER * boxes.len())) {
            radix_sort(&mut self.order, &mut self.spare);
        }
    }

    /// The axes, those along which the centres are spread most first; that in use stays the first when it is nearly as good.
    fn widest(&self, boxes: &[Aabb]) -> [usize; 3] {
        let (mut count, mut sum, mut squares) = (0.0, DVec3::ZERO, DVec3::ZERO);
        let some = boxes.iter().step_by(boxes.len().div_ceil(SAMPLE).max(1));
        for b in some.filter(|b| !b.is_empty()) {
            let centre = b.centre().as_dvec3();
            count += 1.0;
            sum += centre;
            squares += centre * centre;
        }
        let spread = squares - sum * sum / f64::max(count, 1.0);
        let better = |best, axis| {
            if spread[axis] > SPREAD_GAIN * spread[best] {
                axis
            } else {
                best
            }
        };
        let first = (0..3).fold(self.axis, better);
        let (second, third) = ((first + 1) % 3, (first + 2) % 3);
        if spread[third] > spread[second] {
            [first, third, second]
        } else {
            [first, second, third]
        }
    }
}

/// Sorts what is nearly sorted; false when more than `budget` moves were not enough.
fn insertion_sort(keys: &mut [SortKey], mut budget: usize) -> bool {
    for i in 1..keys.len() {
        let key = keys[i];
        let mut at = i;
        while at > 0 && key.start < keys[at - 1].start {
            keys[at] = keys[at - 1];
            at -= 1;
        }
        keys[at] = key;
        match budget.checked_sub(i - at) {
            Some(left) => budget = left,
            None => return false,
        }
    }
    true
}

/// Bits that a pass of the radix sort looks at; three passes see all.
const DIGIT: u32 = 11;

/// Sorts by three passes over digits, the lowest first.
fn radix_sort(keys: &mut Vec<SortKey>, spare: &mut Vec<SortKey>) {
    let digit =
        |key: SortKey, pass: usize| (key.start >> (DIGIT * pass as u32)) as usize % (1 << DIGIT);
    let mut starts = [[0u32; 1 << DIGIT]; 3];
    for &key in keys.iter() {
        for (pass, counts) in starts.iter_mut().enumerate() {
            counts[digit(key, pass)] += 1;
        }
    }
    for counts in &mut starts {
        let mut sum = 0;
        for count in counts {
            sum += std::mem::replace(count, sum);
        }
    }
    memory::ensure(spare, keys.len());
    spare.resize(keys.len(), SortKey::default());
    for (pass, next) in starts.iter_mut().enumerate() {
        for &key in keys.iter() {
            let at = &mut next[digit(key, pass)];
            spare[*at as usize] = key;
            *at += 1;
        }
        std::mem::swap(keys, spare);
    }
}

/// All pairs ascending: counted into buckets by the first number, then each small bucket is sorted.
fn ascending(found: &[OverlappingPairs], boxes: usize, count: usize) -> Vec<[u32; 2]> {
    let mut starts = memory::filled(0usize, boxes + 1);
    for pair in found.iter().flat_map(|f| &f.pairs) {
        starts[pair[0] as usize + 1] += 1;
    }
    for i in 0..boxes {
        starts[i + 1] += starts[i];
    }
    let mut all = memory::filled([0; 2], count);
    let mut next = memory::copied(&starts);
    for &pair in found.iter().flat_map(|f| &f.pairs) {
        let at = &mut next[pair[0] as usize];
        all[*at] = pair;
        *at += 1;
    }
    for bucket in starts.windows(2) {
        all[bucket[0]..bucket[1]].sort_unstable();
    }
    all
}

/// A box moved outwards by `margin` on every side, and by the rounding of that.
pub fn grown(b: Aabb, margin: f32) -> Aabb {
    let down = |x: f32| (x - margin).next_down();
    let up = |x: f32| (x + margin).next_up();
    if b.is_empty() || margin == 0.0 {
        return b;
    }
    Aabb {
        min: Vec3::from(b.min.to_array().map(down)),
        max: Vec3::from(b.max.to_array().map(up)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    fn every_pair(boxes: &[Aabb]) -> Vec<[u32; 2]> {
        let mut all = Vec::new();
        for i in 0..boxes.len() {
            for j in i + 1..boxes.len() {
                if boxes[i].overlaps(boxes[j]) {
                    all.push([i as u32, j as u32]);
                }
            }
        }
        all
    }

    fn box_at(centre: Vec3, half: Vec3) -> Aabb {
        Aabb {
            min: centre - half,
            max: centre + half,
        }
    }

    #[test]
    fn moving_boxes_overlap_as_brute_force_says() {
        let mut random = Random::new(60);
        for round in 0..24 {
            let count = [0, 1, 7, 8, 9, 257, 600, 1000][round % 8];
            let stretch = [
                Vec3::ONE,
                Vec3::new(0.01, 20.0, 1.0),
                Vec3::new(1.0, 0.0, 9.0),
            ][round % 3];
            // Whole numbers make boxes that touch exactly the rule.
            let whole = round % 2 == 0;
            let mut boxes: Vec<Aabb> = (0..count)
                .map(|_| {
                    let (at, half) = (random.in_cube_f32() * 8.0, random.in_cube_f32().abs());
                    let (at, half) = if whole {
                        (at.round(), half.round())
                    } else {
                        (at, half)
                    };
                    box_at(at * stretch, half)
                })
                .collect();
            let mut sweep = SweepAndPrune::default();
            for step in 0..6 {
                let expected = every_pair(&boxes);
                assert_eq!(sweep.pairs(&boxes, usize::MAX).unwrap(), expected);
                if let Some(short) = expected.len().checked_sub(1) {
                    assert_eq!(
                        sweep.pairs(&boxes, short).unwrap_err().needed,
                        expected.len() as u64
                    );
                    assert_eq!(sweep.pairs(&boxes, short + 1).unwrap(), expected);
                }
                // Small moves, then large ones; some boxes vanish, some appear.
                for b in &mut boxes {
                    let way = random.in_cube_f32() * [0.1, 5.0][step % 2];
                    let way = if whole { way.round() } else { way };
                    *b = match random.below(20) {
                        0 => Aabb::EMPTY,
                        1 => box_at(way, Vec3::ONE),
                        _ => Aabb {
                            min: b.min + way,
                            max: b.max + way,
                        },
                    };
                }
                if step == 3 {
                    boxes.push(box_at(Vec3::ZERO, Vec3::splat(100.0)));
                }
            }
        }
    }

    #[test]
    fn boxes_in_one_place_and_far_out_are_all_found() {
        let same = vec![box_at(Vec3::ONE, Vec3::ZERO); 40];
        let far: Vec<_> = (0..40)
            .map(|i| box_at(Vec3::splat(1e15), Vec3::splat(i as f32 * 1e9)))
            .collect();
        for boxes in [same, far] {
            let mut sweep = SweepAndPrune::default();
            assert_eq!(sweep.pairs(&boxes, usize::MAX).unwrap().len(), 40 * 39 / 2);
        }
    }

    /// Boxes grown to infinity were compared with the padding of the lanes and matched it.
    #[test]
    fn infinite_boxes_meet_each_other_and_no_padding() {
        for count in 2..=20 {
            let boxes = vec![box_at(Vec3::ZERO, Vec3::INFINITY); count];
            let expected = every_pair(&boxes);
            for capacity in 0..=expected.len() {
                let needed = expected.len() as u64;
                let expected = match capacity == expected.len() {
                    true => Ok(expected.clone()),
                    false => Err(TooMany { needed, capacity }),
                };
                assert_eq!(SweepAndPrune::default().pairs(&boxes, capacity), expected);
            }
        }
    }

    #[test]
    fn threads_do_not_change_the_list() {
        let mut random = Random::new(61);
        let boxes: Vec<_> = (0..3000)
            .map(|_| box_at(random.in_cube_f32() * 4.0, Vec3::splat(0.2)))
            .collect();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let mut sweep = SweepAndPrune::default();
            pool.install(|| sweep.pairs(&boxes, usize::MAX).unwrap())
        };
        assert_eq!(with(1), with(3));
        assert!(with(1).len() > 100);
    }

    #[test]
    fn boxes_grown_by_half_a_gap_meet_and_never_by_less() {
        let mut random = Random::new(62);
        for _ in 0..1000 {
            let a = box_at(random.in_cube_f32() * 1e3, Vec3::ONE);
            let gap = random.unit() as f32;
            let mut b = a;
            b.min.x = a.max.x + gap;
            b.max.x = b.min.x + 1.0;
            let gap = f64::from(b.min.x) - f64::from(a.max.x);
            let margin = crate::geometry::rounding::round_up(0.5 * gap);
            assert!(grown(a, margin).overlaps(grown(b, margin)));
            assert!(!grown(a, 0.4 * margin).overlaps(grown(b, 0.4 * margin)) || gap < 1e-3);
        }
    }
}
