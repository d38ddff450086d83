//! How native kernels share their work: in runs of items. A kernel says how many items are worth a thread; what is one run, or is not
//! called on a pool, stays on the calling thread.

use crate::gpu::native::on_pool;
use crate::interrupt;
use rayon::prelude::*;
use std::ops::Range;

/// Does `work` on `count` items, `run` at a time. It may end early: then it is begun again.
pub fn each_run(count: usize, run: usize, work: impl Fn(Range<usize>) + Sync) {
    merge_runs(count, run, || (), work, |(), ()| ());
}

/// The same for work that cannot be begun again, because it changes what it reads: nothing ends it early.
pub fn each_run_to_the_end(count: usize, run: usize, work: impl Fn(Range<usize>) + Sync) {
    share(count, run, || (), work, |(), ()| ());
}

/// Does `work` on `count` items, `run` at a time, and merges what it finds. Runs are always the same, and `merge` must not depend on an
/// order, so the outcome does not depend on the number of threads.
pub fn merge_runs<T: Send>(
    count: usize,
    run: usize,
    nothing: impl Fn() -> T + Sync + Send,
    work: impl Fn(Range<usize>) -> T + Sync,
    merge: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    let work = |range| {
        interrupt::check();
        work(range)
    };
    share(count, run, nothing, work, merge)
}

fn share<T: Send>(
    count: usize,
    run: usize,
    nothing: impl Fn() -> T + Sync + Send,
    work: impl Fn(Range<usize>) -> T + Sync,
    merge: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    let one = |i: usize| work(i * run..((i + 1) * run).min(count));
    share_runs(count.div_ceil(run), &nothing, &one, &merge)
}

/// One for all kernels that find the same: what rayon makes of it is larger than most kernels.
fn share_runs<T: Send>(
    runs: usize,
    nothing: &(dyn Fn() -> T + Sync),
    one: &(dyn Fn(usize) -> T + Sync),
    merge: &(dyn Fn(T, T) -> T + Sync),
) -> T {
    if runs <= 1 {
        return (0..runs).map(one).fold(nothing(), merge);
    }
    on_pool(|| {
        if rayon::current_thread_index().is_none() || rayon::current_num_threads() == 1 {
            return (0..runs).map(one).fold(nothing(), merge);
        }
        (0..runs).into_par_iter().map(one).reduce(nothing, merge)
    })
}

/// The same for what is found in an order: gives what each run found, in the order of the runs.
pub fn gather_runs<T: Send>(
    count: usize,
    run: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    merge_runs(
        count,
        run,
        Vec::new,
        |range| vec![work(range)],
        |mut before, after| {
            crate::memory::ensure_more(&mut before, after.len());
            before.extend(after);
            before
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(work)
    }

    #[test]
    fn every_item_is_taken_once_on_any_number_of_threads() {
        for threads in [1, 2, 5] {
            for count in [0, 1, 7, 8, 9, 1000] {
                let taken: Vec<_> = (0..count).map(|_| AtomicU32::new(0)).collect();
                on_threads(threads, || {
                    each_run(count, 8, |range| {
                        assert!(range.len() <= 8);
                        for item in range {
                            taken[item].fetch_add(1, Relaxed);
                        }
                    });
                });
                assert!(taken.iter().all(|t| t.load(Relaxed) == 1), "{count}");
            }
        }
    }

    #[test]
    fn runs_are_gathered_in_their_order() {
        for threads in [1, 3] {
            let starts = on_threads(threads, || gather_runs(100, 9, |range| range.start));
            assert_eq!(starts, (0..100).step_by(9).collect::<Vec<_>>());
        }
    }
}
