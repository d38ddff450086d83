//! What exact queries write to buffers of the engine's. After the last answer one more submission copies all records there, and signals what the
//! batch's submission was asked to signal.

use super::exact_records::{ExactRecords, exact_head};
use super::output::{HEAD_BYTES, OutputBuffer, OutputHead};
use super::workspace::ALIGNMENT;
use crate::error::Result;
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::Device;
use crate::gpu::queue::TimelinePoint;
use crate::gpu::recorder::Recorder;
use crate::memory;
use crate::panics;
use std::sync::{Arc, OnceLock};

/// An array of an exact query, and where it goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExactOutput {
    /// The query, by its place among those of the batch.
    pub(super) query: usize,
    pub(super) array: usize,
    pub(super) to: OutputBuffer,
}

/// The heads that were written, in the order of the outputs.
pub(super) type WrittenHeads = Arc<OnceLock<Result<Vec<OutputHead>>>>;

/// What is written once the answers of a submission are there.
pub(super) struct ExactUpload {
    pub(super) device: Arc<Device>,
    pub(super) outputs: Vec<ExactOutput>,
    pub(super) signals: Vec<TimelinePoint>,
    pub(super) heads: WrittenHeads,
}

/// The records of an output; none where its query has no answer.
type FoundRecords = Option<ExactRecords>;

impl ExactUpload {
    /// Writes and signals, once; `records` gives those of an output.
    pub(super) fn run(&self, records: impl Fn(&ExactOutput) -> Result<ExactRecords>) {
        self.heads.get_or_init(|| {
            let found = |output| {
                panics::caught(|| records(output))
                    .and_then(|found| found)
                    .ok()
            };
            let written = panics::caught(|| self.write(self.outputs.iter().map(found)));
            let written = written.and_then(|written| written);
            if written.is_err() {
                // Whoever waits for the signals must not wait for ever.
                let _ = panics::caught(|| self.submit(&[], &[]));
            }
            written
        });
    }

    fn write(&self, found: impl Iterator<Item = FoundRecords>) -> Result<Vec<OutputHead>> {
        let mut heads = memory::with_room(self.outputs.len(), "heads")?;
        let mut parts = memory::with_room(self.outputs.len(), "records")?;
        for (output, found) in self.outputs.iter().zip(found) {
            let count = found.as_ref().map(|found| found.count);
            heads.push(exact_head(count, &output.to));
            parts.push(found.map_or_else(Vec::new, |found| found.bytes));
        }
        self.submit(&heads, &parts)?;
        Ok(heads)
    }

    /// Copies heads with the records that follow them, signals, and waits until the memory in between can go.
    fn submit(&self, heads: &[OutputHead], parts: &[Vec<u8>]) -> Result<()> {
        let place = |bytes: &Vec<u8>| (HEAD_BYTES + bytes.len() as u64).next_multiple_of(ALIGNMENT);
        let size = parts.iter().map(place).sum::<u64>().max(ALIGNMENT);
        let mut staging = Buffer::new(&self.device, Role::Staging, size, "exact records")?;
        let mut recorder = Recorder::new(&self.device)?;
        recorder.begin()?;
        let mut at = 0;
        for ((head, bytes), output) in heads.iter().zip(parts).zip(&self.outputs) {
            let end = HEAD_BYTES as usize + bytes.len();
            let stretch = &mut staging.bytes_mut()[at as usize..][..end];
            stretch[..HEAD_BYTES as usize].copy_from_slice(bytemuck::bytes_of(head));
            stretch[HEAD_BYTES as usize..].copy_from_slice(bytes);
            let target = (output.to.buffer, output.to.offset);
            recorder.copy_to_foreign(&staging, at, target, end as u64);
            at += place(bytes);
        }
        // SAFETY: the staging memory is kept until the moment below; the engine's buffers and semaphores are alive until the batch is done, by
        // the promise of its submission.
        let moment = unsafe { recorder.submit(&[], &self.signals) }?;
        self.device.finish(moment)
    }
}
