//! Sorting by a small number first: what has few buckets for its size is dealt out to them in linear time.

use crate::memory;

/// All values, ascending by bucket and then by value. There are `count` of them, and their buckets are below `buckets`.
pub(super) fn sorted_by_bucket<T: Copy + Ord>(
    values: impl Iterator<Item = (u32, T)> + Clone,
    count: usize,
    buckets: usize,
) -> Vec<T> {
    // Few values among many buckets.
    if count < buckets / 4 {
        let mut all = memory::room(count);
        all.extend(values);
        all.sort_unstable();
        let mut sorted = memory::room(count);
        sorted.extend(all.into_iter().map(|(_, value)| value));
        return sorted;
    }
    // Where the next value of each bucket goes; after all are there, where the bucket ends.
    let mut next = memory::filled(0usize, buckets + 1);
    values.clone().for_each(|(b, _)| next[b as usize + 1] += 1);
    (0..buckets).for_each(|b| next[b + 1] += next[b]);
    let Some((_, any)) = values.clone().next() else {
        return Vec::new();
    };
    let mut sorted = memory::filled(any, count);
    for (b, value) in values {
        let place = &mut next[b as usize];
        sorted[*place] = value;
        *place += 1;
    }
    let mut start = 0;
    for &end in &next[..buckets] {
        if end - start > 1 {
            sorted[start..end].sort_unstable();
        }
        start = end;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    #[test]
    fn values_come_in_the_order_of_a_plain_sort() {
        let mut random = Random::new(16);
        for (count, buckets) in [(0, 7), (1, 1), (3, 100), (500, 7), (500, 400), (2000, 100)] {
            let all: Vec<(u32, u64)> = (0..count)
                .map(|_| (random.below(buckets) as u32, random.below(50) as u64))
                .collect();
            let mut expected = all.clone();
            expected.sort();
            let expected: Vec<u64> = expected.into_iter().map(|(_, value)| value).collect();
            let sorted = sorted_by_bucket(all.iter().copied(), count, buckets);
            assert_eq!(sorted, expected, "{count} {buckets}");
        }
    }
}
