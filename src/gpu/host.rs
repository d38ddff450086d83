//! The host as a device: commands that are closures over its memory, and the queue that runs them in order.

use super::physical::Physical;
use super::queue::Moment;
use crate::error::{Error, Result};
use crate::interrupt::{self, NAP};
use crate::lock::{lock, outlive};
use crate::log::{Log, Severity};
use crate::memory;
use crate::panics;
use crate::workers::Workers;
use crate::workers::background::{Background, PATIENCE};
use ash::vk;
use rayon::prelude::*;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// What is recorded for the host.
pub(crate) type HostCommand = Box<dyn Fn() + Send + Sync>;

/// Commands of one submission, in steps: those of a step may run side by side. Whoever submits them keeps what they use until their moment.
#[derive(Default)]
pub(crate) struct HostCommands {
    steps: Vec<Vec<HostCommand>>,
    /// Whether the next command sees what all before it did.
    ordered: bool,
    /// What is recorded now is this part of the submission.
    pub(crate) part: usize,
    /// The time of each part, where it is asked for.
    pub(crate) times: Option<Arc<HostTimes>>,
}

/// Nanoseconds that the commands of each part of a submission took.
pub(crate) struct HostTimes(Vec<AtomicU64>);

impl HostTimes {
    pub(crate) fn new(parts: usize) -> Result<Self> {
        let none = (0..parts).map(|_| AtomicU64::new(0));
        Ok(Self(memory::collect(none, "times")?))
    }

    pub(crate) fn seconds(&self) -> Result<Vec<f64>> {
        let seconds = |time: &AtomicU64| 1e-9 * time.load(Ordering::Relaxed) as f64;
        memory::collect(self.0.iter().map(seconds), "times")
    }

    fn restart(&self) {
        self.0
            .iter()
            .for_each(|time| time.store(0, Ordering::Relaxed));
    }

    fn add(&self, part: usize, took: Duration) {
        let took = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.0[part].fetch_add(took, Ordering::Relaxed);
    }
}

impl HostCommands {
    pub(crate) fn push(&mut self, command: HostCommand) {
        let command = match &self.times {
            Some(times) => timed(command, times.clone(), self.part),
            None => command,
        };
        match self.steps.last_mut() {
            Some(step) if !self.ordered => step.push(command),
            _ => self.steps.push(vec![command]),
        }
        self.ordered = false;
    }

    /// What follows sees what came before.
    pub(crate) fn order(&mut self) {
        self.ordered = true;
    }

    fn run(&self, step: usize) {
        if let (0, Some(times)) = (step, &self.times) {
            times.restart();
        }
        match &self.steps[step][..] {
            [command] => command(),
            few if few.len() < WORTH_THREADS => few.iter().for_each(|command| command()),
            many => on_pool(|| many.par_iter().for_each(|command| command())),
        }
    }
}

fn timed(command: HostCommand, times: Arc<HostTimes>, part: usize) -> HostCommand {
    Box::new(move || {
        let began = Instant::now();
        command();
        times.add(part, began.elapsed());
    })
}

/// Commands of a step that are worth to be shared among threads for their number alone.
const WORTH_THREADS: usize = 8;

thread_local! {
    /// Where work of this thread finds a pool, and whether it asked for one.
    static POOL: Cell<(*const Workers, bool)> = const { Cell::new((std::ptr::null(), false)) };
}

/// Does `work`, which shares itself among threads, on the pool of the submission that this thread runs. Small submissions stay on the thread
/// that waits for them, since to wake others takes longer; the first work that is worth it moves the rest of the submission to the pool.
pub(crate) fn on_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let (workers, _) = POOL.get();
    if workers.is_null() || rayon::current_thread_index().is_some() {
        return work();
    }
    POOL.set((workers, true));
    // SAFETY: `Home` clears the address before the workers can go.
    let outcome = unsafe { &*workers }.run(work);
    outcome.unwrap_or_else(|error| interrupt::end(error))
}

/// Lets the work of this thread find a pool, until dropped.
struct Home;

impl Home {
    fn new(workers: &Workers) -> Self {
        POOL.set((workers, false));
        Self
    }

    fn wants_pool() -> bool {
        POOL.get().1
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        POOL.set((std::ptr::null(), false));
    }
}

/// How long the queue's thread waits before it tries again what the host had no memory for.
const HUNGER: Duration = Duration::from_millis(20);

/// How long a wait stays awake: about what a thread's wake-up takes.
const SPIN: Duration = Duration::from_micros(20);

/// Runs submissions one after the other, in their order: on a thread of its own, or on one that waits for them.
pub(crate) struct HostQueue {
    workers: Arc<Workers>,
    shared: Arc<QueueShared>,
    /// A thread that works while nobody waits; or what the engine's threads were offered.
    background: Mutex<Vec<Background>>,
}

struct QueueShared {
    log: Log,
    state: Mutex<State>,
    /// Something was submitted, or is done, or the queue ends.
    changed: Condvar,
    done: AtomicU64,
    failed: AtomicBool,
}

/// A submission, and how many of its steps have run.
struct Submission {
    moment: u64,
    commands: Arc<HostCommands>,
    done: usize,
    since: Instant,
}

#[derive(Default)]
struct State {
    submitted: u64,
    waiting: VecDeque<Submission>,
    /// Whether some thread runs a submission.
    busy: bool,
    ends: bool,
}

impl HostQueue {
    pub(crate) fn new(workers: Arc<Workers>, log: Log) -> Self {
        Self {
            workers,
            shared: Arc::new(QueueShared {
                log,
                state: Mutex::default(),
                changed: Condvar::new(),
                done: AtomicU64::new(0),
                failed: AtomicBool::new(false),
            }),
            background: Mutex::default(),
        }
    }

    /// Submits commands. They begin when somebody waits for them, or [`HostQueue::wake`] is called.
    pub(crate) fn submit(&self, commands: Arc<HostCommands>) -> Result<Moment> {
        self.check()?;
        let mut state = self.shared.lock();
        state.submitted += 1;
        let moment = state.submitted;
        state.waiting.push_back(Submission {
            moment,
            commands,
            done: 0,
            since: Instant::now(),
        });
        Ok(Moment(moment))
    }

    /// The latest moment that was submitted.
    pub(crate) fn submitted(&self) -> Moment {
        Moment(self.shared.lock().submitted)
    }

    /// Whether `moment` has been reached.
    pub(crate) fn reached(&self, moment: Moment) -> Result<bool> {
        self.check()?;
        Ok(self.shared.done.load(Ordering::Acquire) >= moment.0)
    }

    /// Waits for `moment`, at most `nanoseconds` and as long as `wanted`. Whoever has patience runs what is ahead of it, if nobody else
    /// does, and leaves it to the queue's thread when it is not wanted any more, or the host has no memory for it.
    pub(crate) fn wait(
        &self,
        moment: Moment,
        nanoseconds: u64,
        wanted: impl Fn() -> Result<()>,
    ) -> Result<()> {
        let started = Instant::now();
        let works = nanoseconds == u64::MAX;
        loop {
            let mut ran = Ok(works);
            while matches!(ran, Ok(true)) && !self.reached(moment)? {
                ran = self.shared.run_next(&self.workers, true);
            }
            if self.reached(moment)? {
                return Ok(());
            }
            if let Err(error) = ran.and_then(|_| wanted()) {
                // Where no thread can start, the next wait goes on. Who waits must know why this one ended.
                let _ = self.wake();
                return Err(error);
            }
            let passed = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
            let left = Duration::from_nanos(nanoseconds.saturating_sub(passed));
            if left.is_zero() {
                self.wake()?;
                return Err(Error::Timeout(nanoseconds));
            }
            if started.elapsed() < SPIN {
                std::thread::yield_now();
                continue;
            }
            if !works {
                self.wake()?;
                self.run_overdue();
            }
            let state = self.shared.lock();
            if self.shared.done.load(Ordering::Acquire) < moment.0 {
                drop(self.shared.changed.wait_timeout(state, left.min(NAP)));
            }
        }
    }

    /// Waits until nothing up to `moment` uses anything. What the host still has no memory for is given up, and with it the device: what
    /// was not done, others may have taken for done.
    pub(crate) fn finish(&self, moment: Moment) -> Result<()> {
        match self.wait(moment, u64::MAX, || Ok(())) {
            Err(why @ Error::OutOfHostMemory(_)) => {
                self.shared.give_up(moment, &why);
                self.check()
            }
            outcome => outcome,
        }
    }

    /// Refuses a queue whose work ended in a panic.
    pub(crate) fn check(&self) -> Result<()> {
        if self.shared.failed.load(Ordering::Relaxed) {
            Err(Error::DeviceLost("a kernel on the host"))
        } else {
            Ok(())
        }
    }

    /// Lets the queue's thread go on with what waits, or offers it to the engine.
    pub(crate) fn wake(&self) -> Result<()> {
        let mut background = lock(&self.background);
        if self.workers.jobs().is_none() {
            if background.is_empty() {
                let (shared, workers) = (self.shared.clone(), self.workers.clone());
                let work = move || shared.run_until_end(&workers);
                background.push(self.workers.start("proxel host", work)?);
            }
            drop(background);
            self.shared.changed.notify_all();
            return Ok(());
        }
        background.retain(|offered| !offered.is_over());
        if background.iter().any(Background::waits) || self.shared.lock().waiting.is_empty() {
            return Ok(());
        }
        drop(background);
        let (shared, workers) = (self.shared.clone(), self.workers.clone());
        let offered = (self.workers).start("proxel host", move || shared.run_all(&workers))?;
        lock(&self.background).push(offered);
        Ok(())
    }

    /// Runs on this thread what the engine's threads have not begun in time.
    pub(crate) fn run_overdue(&self) {
        if self.workers.jobs().is_none() {
            return;
        }
        let overdue = || {
            let state = self.shared.lock();
            let next = state.waiting.front();
            !state.busy && next.is_some_and(|next| next.since.elapsed() >= PATIENCE)
        };
        while overdue() && matches!(self.shared.run_next(&self.workers, true), Ok(true)) {}
    }
}

impl QueueShared {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// What a thread of the queue does: it ends with the queue.
    fn run_until_end(&self, workers: &Workers) {
        loop {
            let starved = self.run_all_waiting(workers);
            let state = self.lock();
            if state.ends {
                return;
            }
            if state.waiting.is_empty() || state.busy {
                drop(self.changed.wait(state));
            } else if starved {
                drop(self.changed.wait_timeout(state, HUNGER));
            }
        }
    }

    /// What a thread of the engine does: it ends when nothing waits.
    fn run_all(&self, workers: &Workers) {
        loop {
            let starved = self.run_all_waiting(workers);
            let state = self.lock();
            // An engine's thread is not kept until there is memory: whoever waits tries again.
            if state.ends || state.waiting.is_empty() || starved {
                return;
            }
            if state.busy {
                drop(self.changed.wait(state));
            }
        }
    }

    /// Runs what waits; whether the host had no memory for it.
    fn run_all_waiting(&self, workers: &Workers) -> bool {
        loop {
            match self.run_next(workers, false) {
                Ok(true) => {}
                Ok(false) => return false,
                Err(_) => return true,
            }
        }
    }

    /// Runs the submission that is next, if there is one and nobody is at work; false when there is nothing to do. For a `caller` it ends
    /// between two steps when the call that this thread is in is to end; otherwise nothing ends it, as on a device. One that the host had no
    /// memory for is an error, and waits to be run anew.
    fn run_next(&self, workers: &Workers, caller: bool) -> Result<bool> {
        let mut state = self.lock();
        if state.busy {
            return Ok(false);
        }
        let Some(mut submission) = state.waiting.pop_front() else {
            return Ok(false);
        };
        state.busy = true;
        drop(state);
        let commands = &submission.commands;
        let steps = commands.steps.len();
        let (done, within) = (AtomicUsize::new(submission.done), AtomicBool::new(false));
        let left = || done.load(Ordering::Relaxed) < steps;
        let run = |alone: bool| {
            while left() && !interrupt::is_over() && !(alone && Home::wants_pool()) {
                within.store(true, Ordering::Relaxed);
                commands.run(done.load(Ordering::Relaxed));
                within.store(false, Ordering::Relaxed);
                done.fetch_add(1, Ordering::Relaxed);
            }
        };
        let outcome = panics::caught(|| {
            if !caller {
                return workers.run_apart(|| run(false));
            }
            let home = Home::new(workers);
            let alone = workers.run_here(|| run(true));
            drop(home);
            match (alone, left()) {
                (Ok(()), true) => workers.run(|| run(false)),
                (alone, _) => alone,
            }
        });
        // A step that ended within is not done twice on top of what it left: all of it begins anew, as a batch that is submitted again.
        submission.done = match within.into_inner() {
            true => 0,
            false => done.into_inner(),
        };
        let finished = submission.done == steps;
        let outcome = match outcome {
            _ if finished => Ok(true),
            Ok(Err(Error::Cancelled(_))) => Ok(false),
            Ok(Err(why @ Error::OutOfHostMemory(_))) => Err(why),
            // A kernel that panicked has written what nobody can know.
            Ok(ended) => Ok(self.lose(&ended.err().unwrap_or(Error::DeviceLost("a kernel")))),
            Err(panic) => Ok(self.lose(&panic)),
        };
        let mut state = self.lock();
        state.busy = false;
        let moment = submission.moment;
        if finished || self.failed.load(Ordering::Relaxed) {
            drop(submission);
            self.done.store(moment, Ordering::Release);
        } else {
            state.waiting.push_front(submission);
        }
        drop(state);
        self.changed.notify_all();
        outcome
    }

    /// The device is lost; false.
    fn lose(&self, why: &Error) -> bool {
        self.failed.store(true, Ordering::Relaxed);
        let lost = format!("the host device is lost: {why}");
        self.log.say(Severity::Error, &lost);
        false
    }

    /// Loses the device, and what waits up to `moment` with it, unless another thread has run it by now.
    fn give_up(&self, moment: Moment, why: &Error) {
        let mut state = self.lock();
        while state.busy {
            state = outlive(self.changed.wait(state));
        }
        if self.done.load(Ordering::Acquire) >= moment.0 {
            return;
        }
        self.lose(why);
        while (state.waiting.front()).is_some_and(|next| next.moment <= moment.0) {
            state.waiting.pop_front();
        }
        self.done.store(moment.0, Ordering::Release);
        drop(state);
        self.changed.notify_all();
    }
}

impl Drop for HostQueue {
    fn drop(&mut self) {
        self.shared.lock().ends = true;
        self.shared.changed.notify_all();
        for background in outlive(self.background.get_mut()).drain(..) {
            background.join();
        }
    }
}

/// What the host says of itself, as a physical device does.
pub(crate) fn physical() -> Physical {
    Physical {
        raw: vk::PhysicalDevice::null(),
        name: "host".into(),
        driver: format!("native code, {}", std::env::consts::ARCH),
        uuid: [0; 16],
        kind: vk::PhysicalDeviceType::CPU,
        api_version: 0,
        subgroup_size: 8,
        vendor_id: 0,
        device_id: 0,
        pipeline_cache_uuid: [0; 16],
        limits: vk::PhysicalDeviceLimits {
            max_storage_buffer_range: u32::MAX,
            max_image_dimension3_d: 2048,
            min_storage_buffer_offset_alignment: 64,
            ..Default::default()
        },
        features: vk::PhysicalDeviceFeatures::default(),
        timeline_semaphore: false,
        float_atomic_add: false,
        subgroup_arithmetic: false,
        required_subgroup: None,
        extensions: Vec::new(),
        queue_family: None,
        families: Vec::new(),
    }
}
