//! Timings
//!
//! A batch that is submitted with PRX_SUBMIT_TIMINGS measures how long each of its queries takes: on the device by timestamps, on the host by its clock.

use super::asking::List;
use super::batch::PrxTicket;
use super::boundary::on_batch;
use super::enumeration::{EnumOf, enumeration};
use super::handles::PrxBatch;
use super::status::PrxStatus;
use crate::query::batch::{Clock, QueryTiming};

/// What a time was measured by.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxClock {
    /// Timestamps of the device.
    Device = 0,
    /// The host's clock.
    Host = 1,
}
enumeration!(PrxClock: Device, Host);

/// How long a query of a batch took.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxTiming {
    /// The query; 0 for what the queries of a device share: uploads, refits of clusters, readback.
    pub ticket: PrxTicket,
    /// The time.
    pub seconds: f64,
    /// What it was measured by.
    pub clock: EnumOf<PrxClock>,
    /// Reserved.
    pub reserved: u32,
}

impl From<QueryTiming> for PrxTiming {
    fn from(timing: QueryTiming) -> Self {
        let clock = match timing.clock {
            Clock::Device => PrxClock::Device,
            Clock::Host => PrxClock::Host,
        };
        Self {
            ticket: PrxTicket { id: timing.ticket },
            seconds: timing.seconds,
            clock: clock.into(),
            reserved: 0,
        }
    }
}

/// How long each query of the last submission took, which had PRX_SUBMIT_TIMINGS and is done; otherwise PRX_STATUS_WRONG_STATE. There is one entry for
/// each recorded query, and one with ticket 0 for each of the device and the host beside it that had queries. `*out_count` gets the number, also when
/// `capacity` is too small.
///
/// PRX_CLOCK_DEVICE: all times together are what the submission took on the device. Queries run step by step, those of a step side by side. A query gets
/// the time by which its commands, in the order of recording, ended after those before them; one that fits beside others costs little, so measure
/// it alone in a batch for what it takes alone. The time of a dispatch that serves several queries is shared evenly among them.
///
/// PRX_CLOCK_HOST: the time that passed while its commands or its search ran, together. Those of a step, and exact queries, run side by side on the CPU
/// threads, so times overlap and may add up to more than passed. The hierarchy of a mesh counts for the first exact query that needs it.
///
/// # Safety
/// `out` has room for `capacity` timings; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_timings(
    batch: *mut PrxBatch,
    out: *mut PrxTiming,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let timings = List::new(out, capacity, out_count, "timings");
    on_batch(batch, |_, batch| {
        timings.check()?;
        // SAFETY: by the caller's promise.
        unsafe { timings.write(batch.timings()) }
    })
}
