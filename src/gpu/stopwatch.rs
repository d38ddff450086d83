//! How long the parts of a submission take, by timestamps of the device.

use super::callbacks::callbacks;
use super::counts::Counted;
use super::device::Device;
use super::failed;
use crate::error::{Error, Result};
use crate::memory;
use ash::vk;

/// Timestamps in one pool; further pools are made as needed.
const PER_POOL: u32 = 512;

/// Timestamps of a command buffer. Each but the first ends the time of a part.
#[derive(Default)]
pub(super) struct Timestamps {
    pools: Vec<vk::QueryPool>,
    written: u32,
    /// The part of each time.
    parts: Vec<usize>,
}

impl Device {
    /// Refuses to take times where the device has none.
    pub fn check_times(&self) -> Result<()> {
        if self.is_host() || self.timestamp_bits() > 0 {
            return Ok(());
        }
        Err(Error::Unsupported(format!(
            "times of queries: queue family {} of \"{}\" has timestampValidBits 0",
            self.vulkan().queue.family,
            self.physical.name
        )))
    }

    /// Bits of a timestamp that count.
    fn timestamp_bits(&self) -> u32 {
        let family = self.vulkan().queue.family as usize;
        let family = self.physical.families.get(family);
        family.map_or(0, |family| family.timestamp_bits)
    }
}

impl Timestamps {
    /// Forgets what was written. The work that wrote it has finished.
    pub(super) fn restart(&mut self) {
        self.written = 0;
        self.parts.clear();
    }

    /// Writes a timestamp after all commands so far, outside of passes. It ends the time of `part`, but for the first.
    pub(super) fn write(
        &mut self,
        device: &Device,
        commands: vk::CommandBuffer,
        part: usize,
    ) -> Result<()> {
        let (pool, at) = ((self.written / PER_POOL) as usize, self.written % PER_POOL);
        if pool == self.pools.len() {
            memory::push(&mut self.pools, create_pool(device)?, "timestamps")?;
        }
        if self.written > 0 {
            memory::push(&mut self.parts, part, "timestamps")?;
        }
        // SAFETY: the command buffer is recording outside of a pass; the query is one of the pool's. Commands on queries keep their order.
        unsafe {
            let raw = &device.vulkan().raw;
            if at == 0 {
                raw.cmd_reset_query_pool(commands, self.pools[pool], 0, PER_POOL);
            }
            let end = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
            raw.cmd_write_timestamp(commands, end, self.pools[pool], at);
        }
        self.written += 1;
        Ok(())
    }

    /// Seconds of each of `count` parts, of a submission that has finished.
    pub(super) fn read(&self, device: &Device, count: usize) -> Result<Vec<f64>> {
        let mut ticks: Vec<u64> = memory::with_room(self.written as usize, "timestamps")?;
        ticks.resize(self.written as usize, 0);
        for (pool, ticks) in self.pools.iter().zip(ticks.chunks_mut(PER_POOL as usize)) {
            let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
            // SAFETY: the pool is of this device, and so many of its queries were written.
            unsafe { (device.vulkan().raw).get_query_pool_results(*pool, 0, ticks, flags) }
                .map_err(failed("vkGetQueryPoolResults"))?;
        }
        let mut seconds = memory::with_room(count, "times")?;
        seconds.resize(count, 0.0);
        let period = 1e-9 * f64::from(device.physical.limits.timestamp_period);
        for (pair, part) in ticks.windows(2).zip(&self.parts) {
            seconds[*part] += period * elapsed(pair[0], pair[1], device.timestamp_bits()) as f64;
        }
        Ok(seconds)
    }

    /// # Safety
    /// No work that writes them is under way.
    pub(super) unsafe fn destroy(&mut self, device: &Device) {
        for pool in self.pools.drain(..) {
            // SAFETY: by the caller's promise.
            unsafe { (device.vulkan().raw).destroy_query_pool(pool, callbacks()) };
        }
    }
}

fn create_pool(device: &Device) -> Result<vk::QueryPool> {
    let info = vk::QueryPoolCreateInfo::default()
        .query_type(vk::QueryType::TIMESTAMP)
        .query_count(PER_POOL);
    let vulkan = device.vulkan();
    // SAFETY: the device is alive.
    let pool = unsafe { vulkan.raw.create_query_pool(&info, callbacks()) }
        .map_err(failed("vkCreateQueryPool"))?;
    vulkan.names.name(pool, "timestamps");
    device.counters.count(Counted::Creation);
    Ok(pool)
}

/// Ticks from one timestamp to a later one, of which so many bits count: what is above them is undefined, and a counter that is full begins
/// at zero. Commands that end together may have timestamps the wrong way round, which is no time.
fn elapsed(from: u64, to: u64, bits: u32) -> u64 {
    let above = 64 - bits.clamp(1, 64);
    let ticks = (to.wrapping_sub(from) << above) as i64 >> above;
    ticks.max(0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_when_the_counter_begins_again() {
        for bits in [36, 48, 64] {
            let most = u64::MAX >> (64 - bits);
            assert_eq!(elapsed(100, 350, bits), 250, "{bits}");
            assert_eq!(elapsed(most - 9, 5, bits), 15, "{bits}");
            assert_eq!(elapsed(7, 3, bits), 0, "{bits}");
        }
        // The bits above are anything.
        assert_eq!(
            elapsed(0xabc0_0000_0000_0010, 0x1230_0000_0000_0030, 36),
            0x20
        );
    }
}
