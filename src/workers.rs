//! The CPU pool: threads that belong to a context and are gone when it is, so that a plugin can be unloaded.

use crate::error::{Error, Result};
use crate::panics;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Threads that start with the first work and are joined on drop.
pub struct Workers {
    count: usize,
    started: Mutex<Option<Arc<ThreadPool>>>,
    threads: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

impl Workers {
    /// A pool of `count` threads; zero for as many as the machine runs at once.
    pub fn new(count: u32) -> Self {
        let available = thread::available_parallelism().map_or(1, |n| n.get());
        let count = if count == 0 {
            available
        } else {
            count as usize
        };
        Self {
            count,
            started: Mutex::new(None),
            threads: Arc::default(),
        }
    }

    /// Runs `work` on the pool: what it does in parallel stays there.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        let pool = self.pool()?;
        Ok(pool.install(work))
    }

    fn pool(&self) -> Result<Arc<ThreadPool>> {
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = &*started {
            return Ok(pool.clone());
        }
        let threads = self.threads.clone();
        let pool = ThreadPoolBuilder::new()
            .num_threads(self.count)
            .spawn_handler(move |worker| {
                let name = format!("proxel {}", worker.index());
                let handle = thread::Builder::new().name(name).spawn(|| {
                    panics::enter_pool();
                    worker.run();
                })?;
                threads
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(handle);
                Ok(())
            })
            .build()
            .map_err(|e| {
                Error::OutOfHostMemory(format!("starting {} worker threads: {e}", self.count))
            })?;
        let pool = Arc::new(pool);
        *started = Some(pool.clone());
        Ok(pool)
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // Rayon tells its threads to end but does not wait for them: a library that is unloaded must.
        drop(
            self.started
                .get_mut()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
        for handle in self
            .threads
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .drain(..)
        {
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
}
