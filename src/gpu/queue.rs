//! The one queue that Proxel submits to.

use super::clock::QueueClock;
use super::failed;
use super::names::Names;
use crate::error::{Error, Result};
use crate::interrupt::{self, NAP};
use crate::lock::lock;
use crate::memory;
use ash::vk;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Guards the queue against the engine's own submissions.
pub struct QueueLock {
    lock: Option<unsafe extern "C" fn(*mut c_void)>,
    unlock: Option<unsafe extern "C" fn(*mut c_void)>,
    user: *mut c_void,
    shared: Option<&'static Mutex<()>>,
}

// SAFETY: the engine promises that its callbacks may be called from any thread with `user`.
unsafe impl Send for QueueLock {}
// SAFETY: as above.
unsafe impl Sync for QueueLock {}

impl QueueLock {
    /// No engine to guard against.
    pub fn own() -> Self {
        Self {
            lock: None,
            unlock: None,
            user: std::ptr::null_mut(),
            shared: None,
        }
    }

    /// A lock that the engine's own calls take too.
    pub(crate) fn shared(lock: &'static Mutex<()>) -> Self {
        Self {
            shared: Some(lock),
            ..Self::own()
        }
    }

    /// The engine's callbacks.
    ///
    /// # Safety
    /// Both may be called from any thread with `user`, in pairs, for as long as the device is used.
    pub unsafe fn engine(
        lock: Option<unsafe extern "C" fn(*mut c_void)>,
        unlock: Option<unsafe extern "C" fn(*mut c_void)>,
        user: *mut c_void,
    ) -> Self {
        Self {
            lock,
            unlock,
            user,
            shared: None,
        }
    }

    /// Whether it keeps apart what two threads do.
    fn is_held(&self) -> bool {
        self.lock.is_some() || self.shared.is_some()
    }

    fn guarded<T>(&self, work: impl FnOnce() -> T) -> T {
        let _alone = self.shared.map(lock);
        if let Some(lock) = self.lock {
            // SAFETY: by the promise of `engine`.
            unsafe { lock(self.user) };
        }
        let value = work();
        if let Some(unlock) = self.unlock {
            // SAFETY: by the promise of `engine`; the lock was taken above.
            unsafe { unlock(self.user) };
        }
        value
    }
}

/// A semaphore of the caller's and, of a timeline semaphore, a value on it.
#[derive(Debug, Clone, Copy)]
pub struct TimelinePoint {
    /// The semaphore.
    pub semaphore: vk::Semaphore,
    /// The value to wait for or to signal; not read of a binary semaphore.
    pub value: u64,
}

/// A moment on Proxel's own timeline: reached when everything submitted up to it has finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Moment(pub(crate) u64);

/// How long a wait stays awake: about what a thread's wake-up takes.
const SPIN: Duration = Duration::from_micros(40);

/// The queue and its clock.
pub(crate) struct Queue {
    raw: vk::Queue,
    pub(crate) family: u32,
    lock: QueueLock,
    clock: QueueClock,
    last: Mutex<u64>,
    lost: AtomicBool,
}

impl Queue {
    pub(crate) fn new(
        device: &ash::Device,
        raw: vk::Queue,
        family: u32,
        lock: QueueLock,
        has_timelines: bool,
    ) -> Result<Self> {
        Ok(Self {
            raw,
            family,
            lock,
            clock: QueueClock::new(device, has_timelines)?,
            last: Mutex::new(0),
            lost: AtomicBool::new(false),
        })
    }

    /// Whether the engine's own submissions keep out of the way of those of other threads.
    pub(crate) fn is_guarded(&self) -> bool {
        self.lock.is_held()
    }

    pub(crate) fn name(&self, names: &Names) {
        self.clock.name(names);
    }

    /// Submits command buffers between the caller's waits and signals.
    ///
    /// # Safety
    /// The command buffers are complete and, with all that they use, stay alive until the returned moment is reached.
    /// The caller's semaphores are valid semaphores of this device: binary ones, where it has no others.
    pub(crate) unsafe fn submit(
        &self,
        device: &ash::Device,
        names: &Names,
        commands: &[vk::CommandBuffer],
        waits: &[TimelinePoint],
        signals: &[TimelinePoint],
    ) -> Result<Moment> {
        self.check()?;
        let mut last = lock(&self.last);
        let moment = *last + 1;
        let wait_semaphores = memory::collect(waits.iter().map(|w| w.semaphore), "waits")?;
        let wait_values = memory::collect(waits.iter().map(|w| w.value), "waits")?;
        let stage = |_| vk::PipelineStageFlags::ALL_COMMANDS;
        let wait_stages = memory::collect(waits.iter().map(stage), "waits")?;
        let timeline = self.clock.timeline();
        let own = timeline.map(|semaphore| TimelinePoint {
            semaphore,
            value: moment,
        });
        let mut all: Vec<TimelinePoint> = memory::with_room(signals.len() + 1, "signals")?;
        all.extend(signals.iter().chain(&own));
        let signal_semaphores = memory::collect(all.iter().map(|s| s.semaphore), "signals")?;
        let signal_values = memory::collect(all.iter().map(|s| s.value), "signals")?;
        let mut values = vk::TimelineSemaphoreSubmitInfo::default()
            .wait_semaphore_values(&wait_values)
            .signal_semaphore_values(&signal_values);
        let mut info = vk::SubmitInfo::default()
            .command_buffers(commands)
            .wait_semaphores(&wait_semaphores)
            .wait_dst_stage_mask(&wait_stages)
            .signal_semaphores(&signal_semaphores);
        if timeline.is_some() {
            info = info.push_next(&mut values);
        }
        let fence = self.clock.take_fence(device, names)?;
        let signalled = fence.as_deref().copied().unwrap_or_default();
        // SAFETY: by the caller's promise; the mutex and the engine's lock give exclusive use of the queue.
        let result = self
            .lock
            .guarded(|| unsafe { device.queue_submit(self.raw, &[info], signalled) });
        if let Err(refusal) = result {
            self.clock.refused(fence);
            return self.note(Err(failed("vkQueueSubmit")(refusal)));
        }
        self.clock.submitted(moment, fence);
        *last = moment;
        Ok(Moment(moment))
    }

    /// The latest moment that was submitted.
    pub(crate) fn submitted(&self) -> Moment {
        Moment(*lock(&self.last))
    }

    /// Whether `moment` has been reached.
    pub(crate) fn reached(&self, device: &ash::Device, moment: Moment) -> Result<bool> {
        self.check()?;
        Ok(self.note(self.clock.reached(device))? >= moment.0)
    }

    /// Waits for `moment`, at most `nanoseconds`, and not when the call that this thread is in is to end: awake for a moment, since
    /// to be woken costs more than a small batch does, then asleep.
    pub(crate) fn wait(
        &self,
        device: &ash::Device,
        moment: Moment,
        nanoseconds: u64,
    ) -> Result<()> {
        self.wait_while(device, moment, nanoseconds, interrupt::verify)
    }

    /// Waits until `moment` is reached, `nanoseconds` are over, or `wanted`, which is asked now and then, fails.
    fn wait_while(
        &self,
        device: &ash::Device,
        moment: Moment,
        nanoseconds: u64,
        wanted: impl Fn() -> Result<()>,
    ) -> Result<()> {
        let started = Instant::now();
        let patience = SPIN.min(Duration::from_nanos(nanoseconds));
        loop {
            if self.reached(device, moment)? {
                return Ok(());
            }
            if started.elapsed() >= patience {
                break;
            }
            // The driver's own thread may be waiting for this very core.
            std::thread::yield_now();
        }
        self.check()?;
        loop {
            wanted()?;
            let passed = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
            let left = nanoseconds.saturating_sub(passed);
            let nap = left.min(NAP.as_nanos() as u64);
            if self.note(self.clock.wait(device, moment.0, nap))? {
                return Ok(());
            }
            if left == 0 {
                return Err(Error::Timeout(nanoseconds));
            }
        }
    }

    /// Waits for `moment`, whatever is cancelled, so that what it uses can be freed. Where that wait fails, the whole queue is waited
    /// for; on a lost device this returns too.
    pub(crate) fn finish(&self, device: &ash::Device, moment: Moment) -> Result<()> {
        self.wait_while(device, moment, u64::MAX, || Ok(()))
            .inspect_err(|_| {
                let _alone = lock(&self.last);
                // SAFETY: the mutex and the engine's lock give exclusive use of the queue.
                let _ = self
                    .lock
                    .guarded(|| unsafe { device.queue_wait_idle(self.raw) });
            })
    }

    /// Refuses a device that was lost.
    pub(crate) fn check(&self) -> Result<()> {
        if self.lost.load(Ordering::Relaxed) {
            Err(Error::DeviceLost("an earlier call"))
        } else {
            Ok(())
        }
    }

    fn note<T>(&self, result: Result<T>) -> Result<T> {
        if let Err(Error::DeviceLost(_)) = result {
            self.lost.store(true, Ordering::Relaxed);
        }
        result
    }

    /// # Safety
    /// Nothing uses the queue any more and its work is done.
    pub(crate) unsafe fn destroy(&self, device: &ash::Device) {
        // SAFETY: by the caller's promise.
        unsafe { self.clock.destroy(device) };
    }
}
