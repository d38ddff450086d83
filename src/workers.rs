//! The CPU pool: threads that belong to a context and are gone when it is, so that a plugin can be unloaded; or the engine's.

pub mod background;
mod borrowed;

use crate::error::{Error, Result};
use crate::interrupt::{self, Cancellation, Watch};
use crate::jobs::Jobs;
use crate::lock::{lock, outlive};
use crate::panics;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// Threads that start with the first work and are joined on drop.
pub struct Workers {
    count: usize,
    /// The engine's threads, which take the place of ours.
    jobs: Option<Jobs>,
    cancellation: Arc<Cancellation>,
    /// Pools that no call is at work on.
    idle: Mutex<Vec<Pool>>,
    /// Calls that have a pool.
    calls: AtomicUsize,
}

/// Whose threads do the work of a context, and how many.
#[derive(Clone, Copy, Default)]
pub struct Threads {
    /// Zero for as many as the machine runs at once.
    pub count: u32,
    /// The engine's, in the place of ours.
    pub jobs: Option<Jobs>,
}

impl From<u32> for Threads {
    fn from(count: u32) -> Self {
        Self { count, jobs: None }
    }
}

/// Threads that work for one call at a time, so that no call waits for another and all of them know whose cancel concerns them.
struct Pool {
    threads: ThreadPool,
    handles: Arc<Mutex<Vec<JoinHandle<()>>>>,
    watch: Arc<Watch>,
    whole: bool,
}

/// The most pools of all threads. Calls beyond them have one thread each, which ends with the call.
const POOLS: usize = 4;

/// Rounds until memory of threads that have ended is free: three epochs, and some rounds in which another thread is in the way.
const EPOCHS: usize = 16;

impl Pool {
    /// Ends the threads. Rayon tells them to end but does not wait for them: a library that is unloaded must.
    fn join(self) {
        let Self {
            threads, handles, ..
        } = self;
        drop(threads);
        for handle in lock(&handles).drain(..) {
            let _ = handle.join();
        }
    }
}

/// A pool that a call is at work on; it goes back.
struct Held<'a> {
    workers: &'a Workers,
    pool: ManuallyDrop<Pool>,
}

/// Whose call a pool works for.
#[derive(Clone, Copy)]
enum For<'a> {
    /// That of the thread that asks.
    Caller,
    /// Nobody's, which no cancel and no limit ends.
    Nobody,
    /// That of a watch, on threads of its own.
    Watch(&'a Arc<Watch>),
}

impl Held<'_> {
    fn run(&self, work: &mut (dyn FnMut() + Send)) -> Result<()> {
        interrupt::caught(|| {
            self.pool.threads.install(|| {
                work();
                interrupt::check();
            });
        })
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // SAFETY: the pool is not used any more; this is the only place that takes it.
        let pool = unsafe { ManuallyDrop::take(&mut self.pool) };
        if pool.whole {
            lock(&self.workers.idle).push(pool);
        } else {
            pool.join();
        }
        self.workers.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Workers {
    /// Pools of so many threads.
    pub fn new(threads: impl Into<Threads>) -> Self {
        let Threads { count, jobs } = threads.into();
        let available = || thread::available_parallelism().map_or(1, |n| n.get());
        Self {
            count: match count {
                0 => available(),
                count => count as usize,
            },
            jobs,
            cancellation: Arc::new(Cancellation::of("the call")),
            idle: Mutex::default(),
            calls: AtomicUsize::new(0),
        }
    }

    /// Threads of a pool.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How calls end early.
    pub fn cancellation(&self) -> &Arc<Cancellation> {
        &self.cancellation
    }

    /// The engine's threads, where they do the work.
    pub fn jobs(&self) -> Option<&Jobs> {
        self.jobs.as_ref()
    }

    /// Calls that are at work on a pool.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// Runs `work` on a pool: what it does in parallel stays there. It ends with an error when the call that this thread is in is
    /// cancelled, has no time left, or finds no memory. A call does not wait for a long one of another thread.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        self.run_for(For::Caller, work)
    }

    /// The same for work that no cancel and no limit of the context ends.
    pub fn run_apart<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        self.run_for(For::Nobody, work)
    }

    /// The same for work in the background, on threads of its own, which ends when `watch` says so.
    pub fn run_watched<T: Send>(
        &self,
        watch: &Arc<Watch>,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T> {
        self.run_for(For::Watch(watch), work)
    }

    fn run_for<T: Send>(&self, whom: For, work: impl FnOnce() -> T + Send) -> Result<T> {
        let (mut work, mut answer) = (Some(work), None);
        self.run_once(whom, &mut || answer = work.take().map(|work| work()))?;
        answer.ok_or_else(|| Error::Internal("a pool ended without its work".into()))
    }

    /// One for all work: every kind of it would have a copy of its own for each way to run it.
    fn run_once(&self, whom: For, work: &mut (dyn FnMut() + Send)) -> Result<()> {
        if let Some(jobs) = &self.jobs {
            let watch = match whom {
                For::Watch(watch) => return self.run_borrowed(jobs, watch, work),
                _ => Arc::new(Watch::new(&self.cancellation)),
            };
            match whom {
                For::Nobody => watch.rest(),
                _ => watch.take_on(),
            }
            return self.run_borrowed(jobs, &watch, work);
        }
        let held = match whom {
            For::Watch(watch) => {
                let start = |before| self.start_pool(self.threads(before), false, watch.clone());
                self.hold_what(start)?
            }
            _ => self.hold()?,
        };
        match whom {
            For::Caller => held.pool.watch.take_on(),
            For::Nobody => held.pool.watch.rest(),
            For::Watch(_) => {}
        }
        held.run(work)
    }

    /// Runs `work` on this thread, which need not be woken, with the same ends.
    pub fn run_here<T>(&self, work: impl FnOnce() -> T) -> Result<T> {
        let _call = interrupt::begin(&self.cancellation);
        interrupt::caught(|| {
            let answer = work();
            interrupt::check();
            answer
        })
    }

    /// The threads of a call that begins after so many others.
    fn threads(&self, before: usize) -> usize {
        if before < POOLS { self.count } else { 1 }
    }

    fn hold(&self) -> Result<Held<'_>> {
        self.hold_what(|before| match lock(&self.idle).pop() {
            Some(pool) => Ok(pool),
            None => {
                let watch = Arc::new(Watch::new(&self.cancellation));
                self.start_pool(self.threads(before), before < POOLS, watch)
            }
        })
    }

    /// Holds the pool that `make` gives, told how many calls have one.
    fn hold_what(&self, make: impl FnOnce(usize) -> Result<Pool>) -> Result<Held<'_>> {
        let before = self.calls.fetch_add(1, Ordering::Relaxed);
        match make(before) {
            Ok(pool) => Ok(Held {
                workers: self,
                pool: ManuallyDrop::new(pool),
            }),
            Err(error) => {
                self.calls.fetch_sub(1, Ordering::Relaxed);
                Err(error)
            }
        }
    }

    fn start_pool(&self, count: usize, whole: bool, watch: Arc<Watch>) -> Result<Pool> {
        let handles: Arc<Mutex<Vec<JoinHandle<()>>>> = Arc::default();
        let (started, watched) = (handles.clone(), watch.clone());
        let threads = ThreadPoolBuilder::new()
            .num_threads(count)
            .spawn_handler(move |worker| {
                let name = format!("proxel {}", worker.index());
                let watch = watched.clone();
                let handle = thread::Builder::new().name(name).spawn(|| {
                    panics::enter_pool();
                    let _watching = interrupt::watch(watch);
                    worker.run();
                })?;
                lock(&started).push(handle);
                Ok(())
            })
            .build()
            .map_err(|e| Error::OutOfHostMemory(format!("starting {count} worker threads: {e}")))?;
        Ok(Pool {
            threads,
            handles,
            watch,
            whole,
        })
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for pool in outlive(self.idle.get_mut()).drain(..) {
            pool.join();
        }
        // What rayon keeps of threads that have ended, and would free some time later: an epoch ends when all have seen it.
        for _ in 0..EPOCHS {
            crossbeam_epoch::pin().flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn work_runs_on_as_many_threads_as_asked_and_they_are_gone_afterwards() {
        for count in [1, 3] {
            let workers = Workers::new(count);
            let seen = workers.run(rayon::current_num_threads).unwrap();
            assert_eq!(seen, count as usize);
            let sum: u64 = workers.run(|| (0..1000u64).into_par_iter().sum()).unwrap();
            assert_eq!(sum, 499_500);
            let handles = workers.idle.lock().unwrap()[0].handles.clone();
            assert_eq!(handles.lock().unwrap().len(), count as usize);
            drop(workers);
            assert!(handles.lock().unwrap().is_empty());
        }
    }

    /// A sweep of minutes kept every other call of its context waiting.
    #[test]
    fn a_call_does_not_wait_for_long_ones_however_many_there_are() {
        let workers = Workers::new(1);
        let many = POOLS + 2;
        let (began, begun) = std::sync::mpsc::channel();
        let release = std::sync::Barrier::new(many + 1);
        thread::scope(|scope| {
            for _ in 0..many {
                let (began, release, workers) = (began.clone(), &release, &workers);
                let long = move || {
                    began.send(()).unwrap();
                    release.wait();
                };
                scope.spawn(move || workers.run(long).unwrap());
            }
            (0..many).for_each(|_| begun.recv().unwrap());
            // The long calls end only after the short ones.
            for _ in 0..3 {
                assert_eq!(workers.run(|| 6 * 7).unwrap(), 42);
            }
            assert_eq!(workers.calls(), many);
            release.wait();
        });
        assert_eq!(workers.calls(), 0);
        assert!(workers.idle.lock().unwrap().len() <= POOLS);
    }

    /// Nothing but the cancel ends these.
    #[test]
    fn work_ends_when_it_is_cancelled_on_all_threads() {
        let workers = Workers::new(2);
        let endless = || {
            (0..8).into_par_iter().for_each(|_| {
                loop {
                    interrupt::check();
                    std::hint::spin_loop();
                }
            });
        };
        thread::scope(|scope| {
            let calls: Vec<_> = (0..2)
                .map(|_| scope.spawn(|| workers.run(endless)))
                .chain([scope.spawn(|| {
                    workers.run_here(|| {
                        loop {
                            interrupt::check()
                        }
                    })
                })])
                .collect();
            // A call that has not begun yet is not concerned by a cancel.
            while !calls.iter().all(|call| call.is_finished()) {
                workers.cancellation().cancel();
                thread::yield_now();
            }
            for call in calls {
                let outcome = call.join().unwrap();
                assert!(matches!(outcome, Err(Error::Cancelled(_))));
            }
        });
        assert_eq!(workers.run(|| 42).unwrap(), 42);
    }
}
