//! A batch: recorded queries, one submission, one small readback, many answers.

use super::band::Band;
use super::bounds::{self, Bounds, BoundsQuery};
use super::clusters::{ClustersQuery, Refits};
use super::rebake::RebakeQuery;
use super::sample::{SampleQuery, SampleResult};
use super::snapshot::SnapshotQuery;
use crate::error::{Error, Result, invalid};
use crate::field::Field;
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::Device;
use crate::gpu::queue::{Moment, TimelinePoint};
use crate::gpu::recorder::{Access, Recorder};
use crate::gpu::staging::Staging;
use crate::scene::mesh::{ClusterBounds, Mesh};
use crate::scene::pose::Pose;
use glam::Vec3;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Names a query of a batch until the batch is reset. Zero is never a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket(pub u64);

enum Query {
    Bounds(BoundsQuery),
    Clusters(ClustersQuery),
    Rebake(RebakeQuery),
    Sample(SampleQuery),
    Snapshot(SnapshotQuery),
}

impl Query {
    fn name(&self) -> &'static str {
        match self {
            Self::Bounds(_) => "bounds",
            Self::Clusters(_) => "clusters",
            Self::Rebake(_) => "rebake",
            Self::Sample(_) => "sample",
            Self::Snapshot(_) => "snapshot",
        }
    }

    fn result_bytes(&self) -> u64 {
        match self {
            Self::Bounds(_) => bounds::RESULT_BYTES,
            Self::Clusters(query) => query.result_bytes(),
            Self::Rebake(_) => 0,
            Self::Sample(query) => query.result_bytes(),
            Self::Snapshot(query) => query.result_bytes(),
        }
    }
}

/// What the place of an answer is a multiple of: the size of the largest element that a kernel indexes answers by.
const ALIGNMENT: u64 = 32;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Recording,
    InFlight(Moment),
    Done,
}

/// Epochs tell the tickets of batches and of their resets apart. They come round again after four billion.
static EPOCHS: AtomicU32 = AtomicU32::new(0);

fn next_epoch() -> u32 {
    EPOCHS.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
}

/// A batch of queries. Thread-safe: calls on one batch take turns.
pub struct Batch {
    device: Arc<Device>,
    staging: Arc<Mutex<Staging>>,
    inner: Mutex<Inner>,
}

struct Inner {
    phase: Phase,
    epoch: u32,
    queries: Vec<(Query, u64)>,
    bytes: u64,
    recorder: Recorder,
    results: Option<Results>,
}

/// Where answers are written, and where the host reads them. One and the same on unified memory.
struct Results {
    device: Option<Buffer>,
    host: Buffer,
}

impl Batch {
    /// An empty batch. `staging` holds the uploads that go ahead of every submission.
    pub fn new(device: &Arc<Device>, staging: &Arc<Mutex<Staging>>) -> Result<Self> {
        let inner = Inner {
            phase: Phase::Recording,
            epoch: next_epoch(),
            queries: Vec::new(),
            bytes: 0,
            recorder: Recorder::new(device)?,
            results: None,
        };
        Ok(Self {
            device: device.clone(),
            staging: staging.clone(),
            inner: Mutex::new(inner),
        })
    }

    /// Refuses a device that was lost.
    pub fn check(&self) -> Result<()> {
        self.device.queue.check()
    }

    /// Records the box of a mesh under a pose.
    pub fn bounds(&self, mesh: Arc<Mesh>, pose: Pose) -> Result<Ticket> {
        self.add(Query::Bounds(BoundsQuery::plan(mesh, pose)?))
    }

    /// Records the cluster bounds of a mesh.
    pub fn clusters(&self, mesh: Arc<Mesh>) -> Result<Ticket> {
        self.add(Query::Clusters(ClustersQuery::plan(mesh)))
    }

    /// Records that a live field follows its mesh; queries recorded after it see the new field.
    pub fn rebake(&self, field: Arc<Field>, band: Arc<Band>) -> Result<()> {
        self.add(Query::Rebake(RebakeQuery::plan(field, band)))
            .map(drop)
    }

    /// Records samples of a field at points in its own frame.
    pub fn sample(&self, field: Arc<Field>, points: &[Vec3]) -> Result<Ticket> {
        let query = {
            let mut staging = self.staging.lock().unwrap_or_else(PoisonError::into_inner);
            SampleQuery::plan(&self.device, &mut staging, field, points)?
        };
        self.add(Query::Sample(query))
    }

    /// Records a copy of the positions of an engine-owned mesh.
    pub(crate) fn snapshot(&self, mesh: Arc<Mesh>) -> Result<Ticket> {
        self.add(Query::Snapshot(SnapshotQuery::plan(mesh)))
    }

    fn add(&self, query: Query) -> Result<Ticket> {
        let mut inner = self.lock();
        if inner.phase != Phase::Recording {
            return Err(Error::WrongState(
                "the batch was submitted; reset it before recording more".into(),
            ));
        }
        let offset = inner.bytes.next_multiple_of(ALIGNMENT);
        let bytes = offset + query.result_bytes();
        if bytes > self.device.max_storage_bytes() {
            return Err(Error::Unsupported(format!(
                "the batch's answers would need {bytes} bytes; \"{}\" binds at most {}: use several batches",
                self.device.physical.name,
                self.device.max_storage_bytes()
            )));
        }
        inner.bytes = bytes;
        inner.queries.push((query, offset));
        Ok(Ticket(
            u64::from(inner.epoch) << 32 | inner.queries.len() as u64,
        ))
    }

    /// Submits everything recorded. A batch that is done can be submitted again as it is.
    ///
    /// # Safety
    /// The semaphores are timeline semaphores of this device; the engine's buffers that the queries read are alive, and
    /// everything stays alive until the batch is done.
    pub unsafe fn submit(&self, waits: &[TimelinePoint], signals: &[TimelinePoint]) -> Result<()> {
        let mut guard = self.lock();
        let inner = &mut *guard;
        self.settle(inner)?;
        if let Phase::InFlight(_) = inner.phase {
            return Err(Error::WrongState(
                "the batch is still in flight; wait for it before submitting again".into(),
            ));
        }
        inner.make_room(&self.device)?;
        let mut staging = self.staging.lock().unwrap_or_else(PoisonError::into_inner);
        let mut refits = Refits::default();
        let submitted = inner.record(&mut staging, &mut refits).and_then(|()| {
            // SAFETY: the queries, the results and the staging memory are kept until the moment is reached: `reset`,
            // `drop` and `Staging` wait for it. The rest is the caller's promise.
            unsafe { inner.recorder.submit(waits, signals) }
        });
        match submitted {
            Ok(moment) => {
                staging.submitted(moment);
                refits.submitted();
                inner.phase = Phase::InFlight(moment);
                Ok(())
            }
            Err(error) => {
                staging.abandoned();
                Err(error)
            }
        }
    }

    /// Whether the answers are there.
    pub fn poll(&self) -> Result<bool> {
        let mut inner = self.lock();
        self.settle(&mut inner)?;
        match inner.phase {
            Phase::Recording => Err(not_submitted()),
            phase => Ok(phase == Phase::Done),
        }
    }

    /// Waits for the answers, at most `nanoseconds`.
    pub fn wait(&self, nanoseconds: u64) -> Result<()> {
        // The lock is not held while waiting, so that other threads can poll.
        let moment = match self.lock().phase {
            Phase::Recording => return Err(not_submitted()),
            Phase::InFlight(moment) => moment,
            Phase::Done => return Ok(()),
        };
        self.device
            .queue
            .wait(&self.device.raw, moment, nanoseconds)?;
        self.settle(&mut self.lock())
    }

    /// Forgets the queries, to record others. Tickets handed out before are stale.
    pub fn reset(&self) -> Result<()> {
        let mut inner = self.lock();
        self.settle(&mut inner)?;
        if let Phase::InFlight(_) = inner.phase {
            return Err(Error::WrongState(
                "the batch is still in flight; wait for it before resetting it".into(),
            ));
        }
        inner.phase = Phase::Recording;
        inner.epoch = next_epoch();
        inner.queries.clear();
        inner.bytes = 0;
        Ok(())
    }

    /// The answer of a bounds query.
    pub fn bounds_answer(&self, ticket: Ticket) -> Result<Bounds> {
        self.answer(ticket, "bounds", |query, bytes| match query {
            Query::Bounds(query) => Some(query.answer(bytes)),
            _ => None,
        })
    }

    /// The answer of a clusters query.
    pub fn clusters_answer(&self, ticket: Ticket) -> Result<Vec<ClusterBounds>> {
        self.answer(ticket, "clusters", |query, bytes| match query {
            Query::Clusters(query) => Some(query.answer(bytes)),
            _ => None,
        })
    }

    /// The answer of a sample query.
    pub fn sample_answer(&self, ticket: Ticket) -> Result<Vec<SampleResult>> {
        self.answer(ticket, "sample", |query, bytes| match query {
            Query::Sample(query) => Some(query.answer(bytes)),
            _ => None,
        })
    }

    pub(crate) fn snapshot_answer(&self, ticket: Ticket) -> Result<Vec<Vec3>> {
        self.answer(ticket, "snapshot", |query, bytes| match query {
            Query::Snapshot(query) => Some(query.answer(bytes)),
            _ => None,
        })
    }

    fn answer<T>(
        &self,
        ticket: Ticket,
        wanted: &str,
        read: impl FnOnce(&Query, &[u8]) -> Option<T>,
    ) -> Result<T> {
        let mut inner = self.lock();
        let at = (ticket.0 as u32 as usize).wrapping_sub(1);
        if ticket.0 >> 32 != u64::from(inner.epoch) || at >= inner.queries.len() {
            return Err(Error::InvalidHandle(format!(
                "ticket {:#x} is not of this batch, or the batch was reset since",
                ticket.0
            )));
        }
        self.settle(&mut inner)?;
        match inner.phase {
            Phase::Recording => return Err(not_submitted()),
            Phase::InFlight(_) => {
                return Err(Error::WrongState(
                    "the batch is still in flight; poll or wait before reading".into(),
                ));
            }
            Phase::Done => {}
        }
        let (query, offset) = &inner.queries[at];
        let results = inner
            .results
            .as_ref()
            .expect("a batch that is done has results");
        read(query, &results.host.bytes()[*offset as usize..]).ok_or_else(|| {
            invalid(format!(
                "ticket {:#x} is of a {} query, not {wanted}",
                ticket.0,
                query.name()
            ))
        })
    }

    /// Notices that the work is done.
    fn settle(&self, inner: &mut Inner) -> Result<()> {
        if let Phase::InFlight(moment) = inner.phase
            && self.device.queue.reached(&self.device.raw, moment)?
        {
            inner.phase = Phase::Done;
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Makes the result buffers large enough.
    fn make_room(&mut self, device: &Arc<Device>) -> Result<()> {
        if self
            .results
            .as_ref()
            .is_some_and(|r| r.host.size >= self.bytes)
        {
            return Ok(());
        }
        // Twice what is needed, so that a batch that grows does not allocate every time.
        let size = (2 * self.bytes).clamp(1024, device.max_storage_bytes());
        let own = if device.is_unified() {
            None
        } else {
            Some(Buffer::new(device, Role::Device, size, "answers")?)
        };
        self.results = Some(Results {
            device: own,
            host: Buffer::new(device, Role::Readback, size, "answers")?,
        });
        Ok(())
    }

    fn record(&mut self, staging: &mut Staging, refits: &mut Refits) -> Result<()> {
        let recorder = &mut self.recorder;
        recorder.begin()?;
        staging.record(recorder);
        if self.queries.is_empty() {
            return Ok(());
        }
        let results = self.results.as_ref().expect("make_room came first");
        let target = results.device.as_ref().unwrap_or(&results.host);
        // All ones: where the minima of bounds start.
        recorder.fill(target, 0, self.bytes, u32::MAX);
        recorder.barrier(Access::Transfer, Access::Any);
        let mut prepared = false;
        for (query, offset) in &mut self.queries {
            if let Query::Bounds(query) = query {
                prepared |= query.prepare(recorder, refits, target, *offset)?;
            }
        }
        if prepared {
            recorder.barrier(Access::Compute, Access::Compute);
        }
        let mut before = None;
        for (query, offset) in &self.queries {
            // All answers lie in one buffer. Kernels of one kind keep apart by themselves; one kind's copies and plain writes and
            // another's atomics need order.
            let kind = std::mem::discriminant(query);
            if before.replace(kind).is_some_and(|other| other != kind) {
                recorder.barrier(Access::Any, Access::Any);
            }
            match query {
                Query::Bounds(query) => query.record(recorder, target, *offset)?,
                Query::Clusters(query) => query.record(recorder, refits, target, *offset)?,
                Query::Rebake(query) => query.record(recorder)?,
                Query::Sample(query) => query.record(recorder, target, *offset)?,
                Query::Snapshot(query) => query.record(recorder, target, *offset)?,
            }
        }
        if results.device.is_some() {
            recorder.barrier(Access::Any, Access::Transfer);
            recorder.copy(target, 0, &results.host, 0, self.bytes);
        }
        recorder.barrier(Access::Any, Access::Host);
        Ok(())
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Phase::InFlight(moment) = inner.phase {
            self.device.queue.settle(&self.device.raw, moment);
        }
    }
}

fn not_submitted() -> Error {
    Error::WrongState("the batch has not been submitted".into())
}
