//! How much is recorded and created: what a query costs a device whatever the device is.

use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers since the device was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Kernels that were recorded, by counts on the device too.
    pub dispatches: u64,
    /// Barriers; those that passes imply are not counted.
    pub barriers: u64,
    /// Copies, fills and writes.
    pub transfers: u64,
    /// Bytes that copies, fills and writes wrote.
    pub transferred: u64,
    /// Passes that draw.
    pub passes: u64,
    /// Submissions to the queue.
    pub submissions: u64,
    /// Buffers, views, images, framebuffers and pools that were created.
    pub created: u64,
    /// Pipelines that were created.
    pub pipelines: u64,
}

impl Counts {
    /// What was counted after `earlier`.
    pub fn since(self, earlier: Self) -> Self {
        Self {
            dispatches: self.dispatches - earlier.dispatches,
            barriers: self.barriers - earlier.barriers,
            transfers: self.transfers - earlier.transfers,
            transferred: self.transferred - earlier.transferred,
            passes: self.passes - earlier.passes,
            submissions: self.submissions - earlier.submissions,
            created: self.created - earlier.created,
            pipelines: self.pipelines - earlier.pipelines,
        }
    }
}

/// What counts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Counted {
    Dispatch,
    Barrier,
    Transfer,
    TransferredByte,
    Pass,
    Submission,
    Creation,
    Pipeline,
}

/// Counts from all threads.
#[derive(Debug, Default)]
pub(crate) struct Counters([AtomicU64; 8]);

impl Counters {
    pub(crate) fn count(&self, what: Counted) {
        self.add(what, 1);
    }

    pub(crate) fn add(&self, what: Counted, number: u64) {
        self.0[what as usize].fetch_add(number, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> Counts {
        let of = |what: Counted| self.0[what as usize].load(Ordering::Relaxed);
        Counts {
            dispatches: of(Counted::Dispatch),
            barriers: of(Counted::Barrier),
            transfers: of(Counted::Transfer),
            transferred: of(Counted::TransferredByte),
            passes: of(Counted::Pass),
            submissions: of(Counted::Submission),
            created: of(Counted::Creation),
            pipelines: of(Counted::Pipeline),
        }
    }
}
