//! Which boxes of many overlap? Sweep and prune over one axis, with persistence (Cohen et al. 1995).
//!
//! The boxes are kept in the order of their lower ends along the axis on which they are spread most. Boxes that moved a
//! little are nearly in order, so an insertion sort puts them right. The sweep compares each box with those that begin
//! before it ends, eight at a time on all axes; the copies it reads are side by side in the sorted order.

use super::aabb::Aabb;
use super::bounded::TooMany;
use super::simd::{Kernel, Lanes, WIDTH, dispatch};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Boxes in sweeping order. The order stays from one [`SweepAndPrune::update`] to the next.
#[derive(Default)]
pub struct SweepAndPrune {
    axis: usize,
    order: Vec<Key>,
    /// Lower and upper ends in sweeping order: the swept axis first, then the two others. Padded by boxes that overlap none.
    ends: [[Vec<f32>; 2]; 3],
}

/// A box and where it begins.
#[derive(Clone, Copy, PartialEq)]
struct Key {
    start: f32,
    item: u32,
}

impl Key {
    fn precedes(self, other: Self) -> bool {
        self.start < other.start || (self.start == other.start && self.item < other.item)
    }
}

/// The axis changes when another is better by this factor: a change costs a whole sort.
const SPREAD_GAIN: f64 = 1.3;

/// Places that a box may move in the order, on average, before a whole sort is cheaper.
const DISORDER: usize = 48;

/// Boxes that one task sweeps.
const STRIP: usize = 256;

impl SweepAndPrune {
    /// Takes the boxes as they are now; an empty one overlaps nothing. Ends must not be NaN.
    pub fn update(&mut self, boxes: &[Aabb]) {
        let axis = self.widest(boxes);
        let kept = axis == self.axis && boxes.len() == self.order.len();
        self.axis = axis;
        if kept {
            for key in &mut self.order {
                key.start = boxes[key.item as usize].min[axis];
            }
        } else {
            let start = |(item, b): (usize, &Aabb)| Key {
                start: b.min[axis],
                item: item as u32,
            };
            self.order = boxes.iter().enumerate().map(start).collect();
        }
        if !(kept && insertion_sort(&mut self.order, DISORDER * boxes.len())) {
            self.order
                .par_sort_unstable_by(|a, b| a.start.total_cmp(&b.start).then(a.item.cmp(&b.item)));
        }
        let length = boxes.len().next_multiple_of(WIDTH) + WIDTH;
        for (k, ends) in self.ends.iter_mut().enumerate() {
            let along = (axis + k) % 3;
            let [low, high] = ends;
            low.clear();
            high.clear();
            low.extend(
                self.order
                    .iter()
                    .map(|key| boxes[key.item as usize].min[along]),
            );
            high.extend(
                self.order
                    .iter()
                    .map(|key| boxes[key.item as usize].max[along]),
            );
            low.resize(length, f32::INFINITY);
            high.resize(length, f32::NEG_INFINITY);
        }
    }

    /// All pairs of boxes that share a point, the lower number first, ascending.
    pub fn pairs(&self, capacity: usize) -> Result<Vec<[u32; 2]>, TooMany> {
        let strips = self.order.len().div_ceil(STRIP);
        let found: Vec<Strip> = (0..strips)
            .into_par_iter()
            .map(|strip| {
                dispatch(Sweep {
                    all: self,
                    first: strip * STRIP,
                    capacity,
                })
            })
            .collect();
        let needed = found.iter().map(|strip| strip.count).sum();
        if needed > capacity as u64 {
            return Err(TooMany { needed, capacity });
        }
        Ok(ascending(&found, self.order.len(), needed as usize))
    }

    /// The axis along which the centres are spread most; the one in use when it is nearly as good.
    fn widest(&self, boxes: &[Aabb]) -> usize {
        let (mut count, mut sum, mut squares) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for b in boxes.iter().filter(|b| !b.is_empty()) {
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
        (0..3).fold(self.axis, better)
    }
}

/// Sorts what is nearly sorted; false when more than `budget` moves were not enough.
fn insertion_sort(keys: &mut [Key], mut budget: usize) -> bool {
    for i in 1..keys.len() {
        let key = keys[i];
        let mut at = i;
        while at > 0 && key.precedes(keys[at - 1]) {
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

/// Pairs in the order in which they were found, and how many there were.
struct Strip {
    pairs: Vec<[u32; 2]>,
    count: u64,
}

struct Sweep<'a> {
    all: &'a SweepAndPrune,
    first: usize,
    capacity: usize,
}

impl Kernel for Sweep<'_> {
    type Output = Strip;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Strip {
        let order = &self.all.order;
        let [[low, high], [low_1, high_1], [low_2, high_2]] = &self.all.ends;
        let mut strip = Strip {
            pairs: Vec::new(),
            count: 0,
        };
        let end = (self.first + STRIP).min(order.len());
        for i in self.first..end {
            let last = V::splat(high[i]);
            let (min_1, max_1) = (V::splat(low_1[i]), V::splat(high_1[i]));
            let (min_2, max_2) = (V::splat(low_2[i]), V::splat(high_2[i]));
            let mut at = i + 1;
            loop {
                let begun = eight::<V>(low, at).le(last);
                let near = begun
                    & eight::<V>(low_1, at).le(max_1)
                    & min_1.le(eight::<V>(high_1, at))
                    & eight::<V>(low_2, at).le(max_2)
                    & min_2.le(eight::<V>(high_2, at));
                let mut bits = near.bits();
                while bits != 0 {
                    let j = at + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    strip.count += 1;
                    if strip.pairs.len() < self.capacity {
                        let (a, b) = (order[i].item, order[j].item);
                        strip.pairs.push([a.min(b), a.max(b)]);
                    }
                }
                // The lower ends ascend: when the last of eight is out of reach, so are all behind it.
                if begun.bits() & 1 << (WIDTH - 1) == 0 {
                    break;
                }
                at += WIDTH;
            }
        }
        strip
    }
}

#[inline(always)]
fn eight<V: Lanes>(values: &[f32], at: usize) -> V {
    match values[at..].first_chunk::<WIDTH>() {
        Some(chunk) => V::load(chunk),
        // The padding is there so that this never happens.
        None => V::splat(f32::NAN),
    }
}

/// All pairs ascending: counted into buckets by the first number, then each small bucket is sorted.
fn ascending(strips: &[Strip], boxes: usize, count: usize) -> Vec<[u32; 2]> {
    let mut starts = vec![0usize; boxes + 1];
    for pair in strips.iter().flat_map(|s| &s.pairs) {
        starts[pair[0] as usize + 1] += 1;
    }
    for i in 0..boxes {
        starts[i + 1] += starts[i];
    }
    let mut all = vec![[0; 2]; count];
    let mut next = starts.clone();
    for &pair in strips.iter().flat_map(|s| &s.pairs) {
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
                sweep.update(&boxes);
                let expected = every_pair(&boxes);
                assert_eq!(sweep.pairs(usize::MAX).unwrap(), expected);
                if let Some(short) = expected.len().checked_sub(1) {
                    assert_eq!(
                        sweep.pairs(short).unwrap_err().needed,
                        expected.len() as u64
                    );
                    assert_eq!(sweep.pairs(short + 1).unwrap(), expected);
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
            sweep.update(&boxes);
            assert_eq!(sweep.pairs(usize::MAX).unwrap().len(), 40 * 39 / 2);
        }
    }

    #[test]
    fn threads_do_not_change_the_list() {
        let mut random = Random::new(61);
        let boxes: Vec<_> = (0..3000)
            .map(|_| box_at(random.in_cube_f32() * 4.0, Vec3::splat(0.2)))
            .collect();
        let mut sweep = SweepAndPrune::default();
        sweep.update(&boxes);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| sweep.pairs(usize::MAX).unwrap())
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
            let margin = super::super::dual::round_up(0.5 * gap);
            assert!(grown(a, margin).overlaps(grown(b, margin)));
            assert!(!grown(a, 0.4 * margin).overlaps(grown(b, 0.4 * margin)) || gap < 1e-3);
        }
    }
}
