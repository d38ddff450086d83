//! Uploads from the host: copied at the call, moved to the device at the head of the next submission.

use super::buffer::{Buffer, Role};
use super::device::Device;
use super::image::Image;
use super::queue::Moment;
use super::recorder::Recorder;
use crate::error::Result;
use std::collections::HashSet;
use std::sync::Arc;

/// Host data on its way to the device.
struct Upload {
    source: Buffer,
    target: Target,
    bytes: u64,
}

enum Target {
    Buffer { buffer: Arc<Buffer>, offset: u64 },
    Image(Arc<Image>),
}

impl Target {
    /// How many hold the target, the upload too.
    fn owners(&self) -> usize {
        match self {
            Self::Buffer { buffer, .. } => Arc::strong_count(buffer),
            Self::Image(image) => Arc::strong_count(image),
        }
    }

    /// What tells targets apart.
    fn address(&self) -> *const () {
        match self {
            Self::Buffer { buffer, .. } => Arc::as_ptr(buffer).cast(),
            Self::Image(image) => Arc::as_ptr(image).cast(),
        }
    }
}

/// Uploads that wait for a submission, and staging memory that waits for its next use.
///
/// Uploads run in the order of the calls, after everything submitted before and ahead of everything after.
#[derive(Default)]
pub struct Staging {
    pending: Vec<Upload>,
    recorded: Vec<Upload>,
    in_flight: Vec<(Moment, Upload)>,
    idle: Vec<Buffer>,
    look_for_orphans_at: usize,
}

/// Idle staging memory beyond this is given back.
const IDLE_BYTES: u64 = 64 << 20;

/// So many uploads may wait before orphans are looked for; then twice as many as were found alive.
const FEW: usize = 64;

impl Staging {
    /// Takes `bytes` bytes that `fill` writes, to be copied to `target` at `offset`.
    pub fn upload(
        &mut self,
        device: &Arc<Device>,
        target: &Arc<Buffer>,
        offset: u64,
        bytes: u64,
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<()> {
        self.stage(
            device,
            Target::Buffer {
                buffer: target.clone(),
                offset,
            },
            bytes,
            fill,
        )
    }

    /// Takes all voxels of a texture, which `fill` writes.
    pub fn upload_image(
        &mut self,
        device: &Arc<Device>,
        target: &Arc<Image>,
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<()> {
        self.stage(device, Target::Image(target.clone()), target.bytes(), fill)
    }

    fn stage(
        &mut self,
        device: &Arc<Device>,
        target: Target,
        bytes: u64,
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        if let Some(upload) = self.overwritten(&target, bytes) {
            fill(&mut upload.source.bytes_mut()[..bytes as usize]);
            return Ok(());
        }
        self.recycle(device)?;
        if self.pending.len() >= self.look_for_orphans_at {
            self.forget_orphans();
            self.look_for_orphans_at = FEW.max(2 * self.pending.len());
        }
        let fits = |b: &Buffer| b.size >= bytes && b.size <= 2 * bytes.max(1 << 16);
        let mut source = match self.idle.iter().position(fits) {
            Some(at) => self.idle.swap_remove(at),
            None => Buffer::new(device, Role::Staging, bytes, "staging")?,
        };
        fill(&mut source.bytes_mut()[..bytes as usize]);
        self.pending.push(Upload {
            source,
            target,
            bytes,
        });
        Ok(())
    }

    /// The upload that waits for the same place, if no other for its target came after it: nobody would see what it brings.
    fn overwritten(&mut self, target: &Target, bytes: u64) -> Option<&mut Upload> {
        let latest = self
            .pending
            .iter_mut()
            .rfind(|upload| upload.target.address() == target.address())?;
        let same = match (&latest.target, target) {
            (Target::Buffer { offset: a, .. }, Target::Buffer { offset: b, .. }) => a == b,
            (Target::Image(_), Target::Image(_)) => true,
            _ => false,
        };
        (same && latest.bytes == bytes).then_some(latest)
    }

    /// Drops uploads whose target nobody else has: what it belonged to was destroyed, or never came to be.
    pub fn forget_orphans(&mut self) {
        self.pending.retain(|upload| upload.target.owners() > 1);
    }

    /// Whether nothing waits for a submission.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Bytes that wait for a submission.
    pub fn pending_bytes(&self) -> u64 {
        self.pending.iter().map(|u| u.bytes).sum()
    }

    /// Records everything that waits. [`Staging::submitted`] or [`Staging::abandoned`] must follow.
    pub fn record(&mut self, recorder: &mut Recorder) {
        if self.pending.is_empty() {
            return;
        }
        let mut written = HashSet::new();
        for upload in &self.pending {
            if !written.insert(upload.target.address()) {
                recorder.order();
                written.clear();
                written.insert(upload.target.address());
            }
            match &upload.target {
                Target::Buffer { buffer, offset } => {
                    recorder.copy(&upload.source, 0, buffer, *offset, upload.bytes)
                }
                Target::Image(image) => recorder.copy_to_image(&upload.source, image),
            }
        }
        recorder.order();
        self.recorded.append(&mut self.pending);
    }

    /// The recorded uploads were submitted and are done at `moment`.
    pub fn submitted(&mut self, moment: Moment) {
        self.in_flight
            .extend(self.recorded.drain(..).map(|u| (moment, u)));
    }

    /// The recorded uploads were not submitted; they wait again, ahead of later ones.
    pub fn abandoned(&mut self) {
        let later = std::mem::take(&mut self.pending);
        self.pending.append(&mut self.recorded);
        self.pending.extend(later);
    }

    fn recycle(&mut self, device: &Device) -> Result<()> {
        let mut waiting = Vec::new();
        for (moment, upload) in self.in_flight.drain(..) {
            if device.reached(moment)? {
                self.idle.push(upload.source);
            } else {
                waiting.push((moment, upload));
            }
        }
        self.in_flight = waiting;
        let mut total = 0;
        self.idle.retain(|b| {
            total += b.size;
            total <= IDLE_BYTES
        });
        Ok(())
    }
}
