//! How the queue tells which moment it has reached: by a timeline semaphore, or, where the device has none, by a fence per submission.

use super::callbacks::callbacks;
use super::failed;
use super::names::Names;
use crate::error::{Error, Result};
use crate::lock::lock;
use ash::vk;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// The clock of a queue.
pub(crate) enum QueueClock {
    /// A semaphore whose value is the moment.
    Timeline(vk::Semaphore),
    /// An engine's device without timeline semaphores.
    Fences(Mutex<Fences>),
}

/// A fence per submission in flight. A fence is signalled when everything submitted before it is done too, so they are reached in order.
#[derive(Default)]
pub(crate) struct Fences {
    reached: u64,
    in_flight: VecDeque<(u64, Arc<vk::Fence>)>,
    /// Signalled ones, to be used again once no thread waits for them.
    idle: Vec<Arc<vk::Fence>>,
}

impl QueueClock {
    /// A clock that stands at zero.
    pub(super) fn new(device: &ash::Device, has_timelines: bool) -> Result<Self> {
        if !has_timelines {
            return Ok(Self::Fences(Mutex::default()));
        }
        let mut kind =
            vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        // SAFETY: the device is alive and has timeline semaphores enabled.
        let timeline = unsafe { device.create_semaphore(&info, callbacks()) }
            .map_err(failed("vkCreateSemaphore"))?;
        Ok(Self::Timeline(timeline))
    }

    pub(super) fn name(&self, names: &Names) {
        if let Self::Timeline(timeline) = self {
            names.name(*timeline, "timeline");
        }
    }

    /// The semaphore that each submission signals.
    pub(super) fn timeline(&self) -> Option<vk::Semaphore> {
        match self {
            Self::Timeline(timeline) => Some(*timeline),
            Self::Fences(_) => None,
        }
    }

    /// The fence that the next submission signals. Whoever takes it gives it back by [`QueueClock::submitted`] or [`QueueClock::refused`].
    pub(super) fn take_fence(
        &self,
        device: &ash::Device,
        names: &Names,
    ) -> Result<Option<Arc<vk::Fence>>> {
        match self {
            Self::Timeline(_) => Ok(None),
            Self::Fences(fences) => lock(fences).take(device, names).map(Some),
        }
    }

    /// Notes a submission up to `moment`, which is later than those before.
    pub(super) fn submitted(&self, moment: u64, fence: Option<Arc<vk::Fence>>) {
        if let (Self::Fences(fences), Some(fence)) = (self, fence) {
            lock(fences).in_flight.push_back((moment, fence));
        }
    }

    /// Takes back the fence of a submission that was refused.
    pub(super) fn refused(&self, fence: Option<Arc<vk::Fence>>) {
        if let (Self::Fences(fences), Some(fence)) = (self, fence) {
            lock(fences).idle.push(fence);
        }
    }

    /// The latest moment that was reached.
    pub(super) fn reached(&self, device: &ash::Device) -> Result<u64> {
        match self {
            // SAFETY: the semaphore lives as long as the queue.
            Self::Timeline(timeline) => unsafe { device.get_semaphore_counter_value(*timeline) }
                .map_err(failed("vkGetSemaphoreCounterValue")),
            Self::Fences(fences) => lock(fences).advance(device),
        }
    }

    /// Waits for `moment`, which was submitted; false where `nanoseconds` were over first.
    pub(super) fn wait(&self, device: &ash::Device, moment: u64, nanoseconds: u64) -> Result<bool> {
        let (call, waited) = match self {
            Self::Timeline(timeline) => {
                let (semaphores, values) = ([*timeline], [moment]);
                let info = vk::SemaphoreWaitInfo::default()
                    .semaphores(&semaphores)
                    .values(&values);
                // SAFETY: the semaphore lives as long as the queue.
                let waited = unsafe { device.wait_semaphores(&info, nanoseconds) };
                ("vkWaitSemaphores", waited)
            }
            Self::Fences(fences) => {
                let Some(fence) = lock(fences).of(moment) else {
                    return Ok(true);
                };
                // SAFETY: nobody resets or destroys a fence that this thread has a share of.
                let waited = unsafe { device.wait_for_fences(&[*fence], true, nanoseconds) };
                ("vkWaitForFences", waited)
            }
        };
        match waited {
            Ok(()) => Ok(true),
            Err(vk::Result::TIMEOUT) => Ok(false),
            Err(other) => Err(failed(call)(other)),
        }
    }

    /// # Safety
    /// Nothing uses the queue any more and its work is done.
    pub(super) unsafe fn destroy(&self, device: &ash::Device) {
        match self {
            // SAFETY: by the caller's promise.
            Self::Timeline(timeline) => unsafe {
                device.destroy_semaphore(*timeline, callbacks());
            },
            Self::Fences(fences) => {
                let mut fences = lock(fences);
                let Fences {
                    in_flight, idle, ..
                } = &mut *fences;
                let all = in_flight.drain(..).map(|(_, fence)| fence);
                for fence in all.chain(idle.drain(..)) {
                    // SAFETY: by the caller's promise.
                    unsafe { device.destroy_fence(*fence, callbacks()) };
                }
            }
        }
    }
}

impl Fences {
    /// A fence that is not signalled, with room for it in both lists.
    fn take(&mut self, device: &ash::Device, names: &Names) -> Result<Arc<vk::Fence>> {
        let count = self.in_flight.len() + 1;
        (self.in_flight.try_reserve(1))
            .and_then(|()| self.idle.try_reserve(count))
            .map_err(|_| Error::OutOfHostMemory("no memory for a fence".into()))?;
        let free = (self.idle.iter_mut()).position(|fence| Arc::get_mut(fence).is_some());
        if let Some(at) = free {
            // SAFETY: the fence is signalled or was never submitted, and no thread waits for it.
            unsafe { device.reset_fences(&[*self.idle[at]]) }.map_err(failed("vkResetFences"))?;
            return Ok(self.idle.swap_remove(at));
        }
        // SAFETY: the device is alive.
        let fence = unsafe { device.create_fence(&vk::FenceCreateInfo::default(), callbacks()) }
            .map_err(failed("vkCreateFence"))?;
        names.name(fence, "fence");
        Ok(Arc::new(fence))
    }

    /// The latest moment that was reached.
    fn advance(&mut self, device: &ash::Device) -> Result<u64> {
        while let Some((moment, fence)) = self.in_flight.front() {
            // SAFETY: the fence was submitted, and lives as long as the queue.
            let signalled = unsafe { device.get_fence_status(**fence) };
            if !signalled.map_err(failed("vkGetFenceStatus"))? {
                break;
            }
            self.reached = *moment;
            let done = self.in_flight.pop_front();
            self.idle.extend(done.map(|(_, fence)| fence));
        }
        Ok(self.reached)
    }

    /// The fence that tells that `moment` is reached; none where that is known.
    fn of(&self, moment: u64) -> Option<Arc<vk::Fence>> {
        let later = |(submitted, _): &&(u64, _)| *submitted >= moment;
        (self.in_flight.iter().find(later)).map(|(_, fence)| fence.clone())
    }
}
