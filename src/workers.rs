//! The CPU pool: threads that belong to a context and are gone when it is, so that a plugin can be unloaded.

use crate::error::{Error, Result};
use crate::lock::{lock, outlive};
use crate::panics;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// Threads that start with the first work and are joined on drop.
pub struct Workers {
    count: usize,
    pools: Mutex<Vec<Arc<Pool>>>,
    threads: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

/// A pool and how many calls are at work on it.
struct Pool {
    threads: ThreadPool,
    calls: AtomicUsize,
}

/// The most pools: so many calls at once do not wait for one another. A pool is started when all others are at work.
const POOLS: usize = 4;

/// A pool that a call is at work on.
struct Held(Arc<Pool>);

impl Held {
    fn new(pool: &Arc<Pool>) -> Self {
        pool.calls.fetch_add(1, Ordering::Relaxed);
        Self(pool.clone())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Workers {
    /// Pools of `count` threads; zero for as many as the machine runs at once.
    pub fn new(count: u32) -> Self {
        let available = thread::available_parallelism().map_or(1, |n| n.get());
        let count = if count == 0 {
            available
        } else {
            count as usize
        };
        Self {
            count,
            pools: Mutex::default(),
            threads: Arc::default(),
        }
    }

    /// Runs `work` on a pool: what it does in parallel stays there. A call does not wait for a long one of another thread.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        let held = self.idle_pool()?;
        Ok(held.0.threads.install(work))
    }

    /// The pool with the fewest calls; a new one if none is idle.
    fn idle_pool(&self) -> Result<Held> {
        let mut pools = lock(&self.pools);
        let calls = |pool: &&Arc<Pool>| pool.calls.load(Ordering::Relaxed);
        match pools.iter().min_by_key(calls) {
            Some(pool) if calls(&pool) == 0 || pools.len() == POOLS => Ok(Held::new(pool)),
            _ => {
                let pool = Arc::new(Pool {
                    threads: self.start()?,
                    calls: AtomicUsize::new(0),
                });
                pools.push(pool.clone());
                Ok(Held::new(&pool))
            }
        }
    }

    fn start(&self) -> Result<ThreadPool> {
        let threads = self.threads.clone();
        ThreadPoolBuilder::new()
            .num_threads(self.count)
            .spawn_handler(move |worker| {
                let name = format!("proxel {}", worker.index());
                let handle = thread::Builder::new().name(name).spawn(|| {
                    panics::enter_pool();
                    worker.run();
                })?;
                lock(&threads).push(handle);
                Ok(())
            })
            .build()
            .map_err(|e| {
                Error::OutOfHostMemory(format!("starting {} worker threads: {e}", self.count))
            })
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // Rayon tells its threads to end but does not wait for them: a library that is unloaded must.
        outlive(self.pools.get_mut()).clear();
        for handle in lock(&self.threads).drain(..) {
            let _ = handle.join();
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
            let threads = workers.threads.clone();
            drop(workers);
            assert!(threads.lock().unwrap().is_empty());
        }
    }

    /// A sweep of minutes kept every other call of its context waiting.
    #[test]
    fn a_call_does_not_wait_for_a_long_one() {
        let workers = Workers::new(1);
        let (release, released) = std::sync::mpsc::channel::<()>();
        let (began, begun) = std::sync::mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                let long = move || {
                    began.send(()).unwrap();
                    released.recv().unwrap();
                };
                workers.run(long).unwrap();
            });
            begun.recv().unwrap();
            // The long call ends only after the short ones.
            for _ in 0..3 {
                assert_eq!(workers.run(|| 6 * 7).unwrap(), 42);
            }
            release.send(()).unwrap();
        });
        assert_eq!(workers.pools.lock().unwrap().len(), 2);
    }
}
