//! A pool of the engine's threads, for one call: each worker of the pool is an item that the engine may run, and the calling thread takes
//! one that nobody has begun. When the work is done the workers end, and with them the items.

use super::Workers;
use crate::error::{Error, Result};
use crate::interrupt::{self, Watch};
use crate::jobs::{Jobs, OfferedTask};
use rayon::ThreadPoolBuilder;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts a call until dropped.
struct CountedCall<'a>(&'a AtomicUsize);

impl<'a> CountedCall<'a> {
    fn new(calls: &'a AtomicUsize) -> Self {
        calls.fetch_add(1, Ordering::Relaxed);
        Self(calls)
    }
}

impl Drop for CountedCall<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Workers {
    /// Runs `work` on whichever of the engine's threads come, and on this one.
    pub(super) fn run_borrowed<T: Send>(
        &self,
        jobs: &Jobs,
        watch: &Arc<Watch>,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T> {
        let _counted = CountedCall::new(&self.calls);
        interrupt::caught(|| {
            let work = || {
                let answer = work();
                interrupt::check();
                answer
            };
            // Within a pool already: a part of what it does.
            if rayon::current_thread_index().is_some() {
                let _watching = interrupt::watch(watch.clone());
                return Ok(work());
            }
            let mut outcome = None;
            let root = || outcome = Some(catch_unwind(AssertUnwindSafe(work)));
            // SAFETY: this returns, or unwinds, after all workers have ended, and nobody else can begin the root.
            unsafe { run_with_helpers(self.count, jobs, watch, Box::new(root)) }?;
            match outcome {
                Some(Ok(answer)) => Ok(answer),
                Some(Err(panic)) => resume_unwind(panic),
                None => Err(Error::Internal("a pool ended without its work".into())),
            }
        })?
    }
}

/// Runs `root` on a pool of `count` workers, as many of which come as have time. All have ended when it returns.
///
/// # Safety
/// What `root` borrows lives until this returns or unwinds.
unsafe fn run_with_helpers(
    count: usize,
    jobs: &Jobs,
    watch: &Arc<Watch>,
    root: Box<dyn FnOnce() + Send + '_>,
) -> Result<()> {
    let mut workers: Vec<OfferedTask> = Vec::with_capacity(count);
    let pool = ThreadPoolBuilder::new()
        .num_threads(count)
        .spawn_handler(|worker| {
            let watch = watch.clone();
            workers.push(Box::new(move || {
                let _watching = interrupt::watch(watch);
                worker.run();
            }));
            Ok(())
        })
        .build()
        .map_err(|e| Error::OutOfHostMemory(format!("a pool of {count} workers: {e}")))?;
    // SAFETY: only workers run it, and none is left when `offer` has gone, at the end or when this unwinds. Where none ever ran, the pool
    // forgets it.
    let root = unsafe { std::mem::transmute::<Box<dyn FnOnce() + Send + '_>, OfferedTask>(root) };
    pool.spawn(root);
    // The pool ends with the root.
    drop(pool);
    if count == 1 {
        workers.into_iter().for_each(|worker| worker());
        return Ok(());
    }
    let offer = jobs.offer(workers);
    if let Some(worker) = offer.take() {
        worker();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{ItemFn, RunFn};
    use crate::lock::lock;
    use crate::workers::Threads;
    use crate::workers::background::Background;
    use rayon::prelude::*;
    use std::collections::HashSet;
    use std::ffi::c_void;
    use std::sync::Mutex;
    use std::sync::mpsc::{Sender, channel};
    use std::thread;

    /// Items that an engine was asked to run: the function, its data as a number, how many.
    type Asked = (ItemFn, usize, u32);

    fn run_all((item, data, count): Asked) {
        for index in 0..count {
            // SAFETY: what the engine was asked for.
            unsafe { item(data as *mut c_void, index) };
        }
    }

    unsafe extern "C" fn serially(_: *mut c_void, item: Option<ItemFn>, data: *mut c_void, n: u32) {
        run_all((item.unwrap(), data as usize, n));
    }

    unsafe extern "C" fn never(_: *mut c_void, _: Option<ItemFn>, _: *mut c_void, _: u32) {}

    /// Each twice, also with indices that there are not, on two threads, some after it has returned.
    unsafe extern "C" fn wildly(_: *mut c_void, item: Option<ItemFn>, data: *mut c_void, n: u32) {
        let asked = (item.unwrap(), data as usize, n + 3);
        thread::spawn(move || run_all(asked));
        let two = thread::spawn(move || run_all(asked));
        run_all(asked);
        two.join().unwrap();
    }

    /// `user` is the sender of [`Asked`].
    unsafe extern "C" fn later(user: *mut c_void, item: Option<ItemFn>, data: *mut c_void, n: u32) {
        // SAFETY: the tests pass one that outlives the workers.
        let asked = unsafe { &*user.cast::<Mutex<Sender<Asked>>>() };
        let _ = lock(asked).send((item.unwrap(), data as usize, n));
    }

    fn workers(count: u32, run: RunFn, user: *mut c_void) -> Workers {
        // SAFETY: the functions above may be called so.
        let jobs = Some(unsafe { Jobs::new(run, user) });
        Workers::new(Threads { count, jobs })
    }

    fn sum(workers: &Workers) -> u64 {
        let squares = || (0..1000u64).into_par_iter().map(|i| i * i).sum();
        workers.run(squares).unwrap()
    }

    #[test]
    fn engines_that_run_items_in_turn_or_twice_or_not_at_all_get_the_same_answer() {
        for run in [serially as RunFn, never, wildly] {
            for count in [1, 2, 5] {
                let workers = workers(count, run, std::ptr::null_mut());
                for _ in 0..50 {
                    assert_eq!(sum(&workers), 332_833_500);
                }
                let seen = workers.run(rayon::current_num_threads).unwrap();
                assert_eq!(seen, count as usize);
                assert_eq!(workers.calls(), 0);
                // A call within a call is a part of it.
                let within = workers.run(|| workers.run(|| 6 * 7)).unwrap();
                assert_eq!(within.unwrap(), 42);
            }
        }
    }

    #[test]
    fn errors_and_panics_come_back_from_the_engines_threads() {
        for run in [serially as RunFn, never, wildly] {
            let workers = workers(3, run, std::ptr::null_mut());
            let refused = workers.run(|| {
                (0..100).into_par_iter().for_each(|i| {
                    if i == 42 {
                        interrupt::end(Error::OutOfHostMemory("the test".into()));
                    }
                });
            });
            assert!(matches!(refused, Err(Error::OutOfHostMemory(_))));
            let panicked = crate::panics::caught(|| {
                workers.run(|| (0..100).into_par_iter().for_each(|i| assert!(i != 42)))
            });
            assert!(matches!(panicked, Err(Error::Internal(_))));
            assert_eq!(sum(&workers), 332_833_500);
        }
    }

    /// Items that begin after their call, and after their context, find nothing.
    #[test]
    fn items_that_come_too_late_do_nothing() {
        let (asked, items) = channel::<Asked>();
        let asked = Mutex::new(asked);
        let workers = workers(4, later, (&raw const asked).cast_mut().cast());
        assert_eq!(sum(&workers), 332_833_500);
        let unbegun = workers.start("a test", || unreachable!("nobody waits for it"));
        unbegun.unwrap().join();
        drop(workers);
        let late: Vec<Asked> = items.try_iter().collect();
        assert_eq!(late.len(), 2);
        late.into_iter().for_each(run_all);
    }

    /// All of the engine's threads take part: each item meets the others.
    #[test]
    fn the_engines_threads_work_at_the_same_time() {
        let (asked, items) = channel::<Asked>();
        let asked = Mutex::new(asked);
        let workers = workers(3, later, (&raw const asked).cast_mut().cast());
        thread::scope(|scope| {
            let call = scope.spawn(|| {
                let all = std::sync::Barrier::new(3);
                let ids = Mutex::new(HashSet::new());
                let meet = |_| {
                    all.wait();
                    lock(&ids).insert(thread::current().id());
                };
                let work = || (0..3).into_par_iter().with_max_len(1).for_each(meet);
                workers.run(work).unwrap();
                ids.into_inner().unwrap().len()
            });
            let (item, data, count) = items.recv().unwrap();
            for index in 0..count {
                scope.spawn(move || {
                    // SAFETY: as the engine was asked.
                    unsafe { item(data as *mut c_void, index) };
                });
            }
            assert_eq!(call.join().unwrap(), 3);
        });
    }

    #[test]
    fn work_in_the_background_is_done_by_whoever_comes_first() {
        let (asked, items) = channel::<Asked>();
        let asked = Mutex::new(asked);
        let workers = workers(2, later, (&raw const asked).cast_mut().cast());
        let (done, outcome) = channel();
        let start = |number: u32| {
            let done = done.clone();
            workers
                .start("a test", move || done.send(number).unwrap())
                .unwrap()
        };
        let first = start(1);
        let work = first.take().unwrap();
        assert!(first.take().is_none() && !first.waits());
        work();
        run_all(items.recv().unwrap());
        assert_eq!(outcome.try_iter().collect::<Vec<_>>(), [1]);
        let second = start(2);
        assert!(second.waits() && !second.is_over());
        run_all(items.recv().unwrap());
        assert!(second.is_over() && second.take().is_none());
        assert_eq!(outcome.try_iter().collect::<Vec<_>>(), [2]);
        Background::join(second);
    }
}
