//! Who sees the exact queries of a batch through while the caller goes on: a thread of the batch, or one that the engine lends.

use super::exact_part::ExactWork;
use crate::error::{Error, Result};
use crate::interrupt::{self, NAP};
use crate::lock::{lock, outlive};
use crate::workers::Workers;
use crate::workers::background::{Background, PATIENCE};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

/// What a batch has of it.
pub(super) struct ExactRunner {
    pub(super) shared: Arc<RunnerShared>,
}

/// What who works and those that wait share.
pub(super) struct RunnerShared {
    workers: Arc<Workers>,
    state: Mutex<RunnerState>,
    /// There is work, or none any more.
    changed: Condvar,
    ends: AtomicBool,
    /// The thread of the batch; or what the engine was offered.
    background: Mutex<Vec<Background>>,
}

#[derive(Default)]
struct RunnerState {
    /// Work that nobody has begun, and since when.
    next: Option<(ExactWork, Instant)>,
    busy: bool,
}

impl ExactRunner {
    pub(super) fn start(workers: &Arc<Workers>) -> Result<Self> {
        let shared = Arc::new(RunnerShared {
            workers: workers.clone(),
            state: Mutex::default(),
            changed: Condvar::new(),
            ends: AtomicBool::new(false),
            background: Mutex::default(),
        });
        if workers.jobs().is_none() {
            let seen = shared.clone();
            let thread = workers.start("proxel exact", move || seen.work())?;
            lock(&shared.background).push(thread);
        }
        Ok(Self { shared })
    }
}

impl Drop for ExactRunner {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::Relaxed);
        drop(lock(&self.shared.state));
        self.shared.changed.notify_all();
        let background = std::mem::take(&mut *lock(&self.shared.background));
        background.into_iter().for_each(Background::join);
    }
}

impl RunnerShared {
    pub(super) fn hand_over(&self, work: ExactWork) {
        let mut state = lock(&self.state);
        state.next = Some((work, Instant::now()));
        state.busy = true;
        drop(state);
        self.changed.notify_all();
    }

    /// Offers to the engine what nobody has begun. Whoever calls holds no lock: the engine may do it at once.
    pub(super) fn offer(self: &Arc<Self>) -> Result<()> {
        if self.workers.jobs().is_none() || lock(&self.state).next.is_none() {
            return Ok(());
        }
        let seen = self.clone();
        let offered = (self.workers).start("proxel exact", move || {
            seen.work_off();
        })?;
        let mut background = lock(&self.background);
        background.retain(|offered| !offered.is_over());
        background.push(offered);
        Ok(())
    }

    pub(super) fn is_busy(&self) -> bool {
        lock(&self.state).busy
    }

    /// Does what nobody has begun; false where there is nothing.
    fn work_off(&self) -> bool {
        let next = lock(&self.state).next.take();
        let Some((work, _)) = next else {
            return false;
        };
        work.run(&self.workers, &self.ends);
        drop(work);
        lock(&self.state).busy = false;
        self.changed.notify_all();
        true
    }

    /// Does on this thread what the engine has not begun, if it has had its time.
    pub(super) fn run_overdue(&self, patience: Duration) {
        let overdue = |state: &RunnerState| {
            (state.next.as_ref()).is_some_and(|(_, since)| since.elapsed() >= patience)
        };
        if self.workers.jobs().is_some() && overdue(&lock(&self.state)) {
            self.work_off();
        }
    }

    /// Works off what is handed over until the batch goes.
    fn work(&self) {
        while !self.ends.load(Ordering::Relaxed) {
            if self.work_off() {
                continue;
            }
            let state = lock(&self.state);
            if state.next.is_none() && !self.ends.load(Ordering::Relaxed) {
                drop(self.changed.wait(state));
            }
        }
    }

    /// Waits until nothing is under way, at most `nanoseconds` from `started` on and as long as the call that this thread is in goes on.
    pub(super) fn wait(&self, started: Instant, nanoseconds: u64) -> Result<()> {
        let patience = match nanoseconds {
            u64::MAX => Duration::ZERO,
            _ => PATIENCE,
        };
        while self.is_busy() {
            interrupt::verify()?;
            self.run_overdue(patience);
            let passed = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
            let left = Duration::from_nanos(nanoseconds.saturating_sub(passed));
            let state = lock(&self.state);
            if !state.busy {
                break;
            }
            if left.is_zero() {
                return Err(Error::Timeout(nanoseconds));
            }
            drop(outlive(self.changed.wait_timeout(state, left.min(NAP))));
        }
        Ok(())
    }
}

/// The batches of a context that have exact queries under way.
#[derive(Default)]
pub(crate) struct ExactInFlight {
    runners: Mutex<Vec<Weak<RunnerShared>>>,
    less: Condvar,
}

/// One of them, until dropped.
pub(super) struct UnderWay {
    among: Arc<ExactInFlight>,
    runner: Weak<RunnerShared>,
}

impl ExactInFlight {
    pub(super) fn begin(self: &Arc<Self>, runner: &Arc<RunnerShared>) -> UnderWay {
        let runner = Arc::downgrade(runner);
        lock(&self.runners).push(runner.clone());
        let among = self.clone();
        UnderWay { among, runner }
    }

    /// Waits until there are none, as long as the call that this thread is in goes on.
    pub(crate) fn wait(&self) -> Result<()> {
        loop {
            let runners: Vec<_> = lock(&self.runners).iter().map(Weak::upgrade).collect();
            if runners.is_empty() {
                return Ok(());
            }
            interrupt::verify()?;
            (runners.iter().flatten()).for_each(|runner| runner.run_overdue(Duration::ZERO));
            drop(runners);
            let left = lock(&self.runners);
            if !left.is_empty() {
                drop(outlive(self.less.wait_timeout(left, NAP)));
            }
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut runners = lock(&self.among.runners);
        if let Some(at) = runners.iter().position(|other| other.ptr_eq(&self.runner)) {
            runners.swap_remove(at);
        }
        self.among.less.notify_all();
    }
}
