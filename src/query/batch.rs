//! A batch: recorded queries, one submission, one small readback, many answers.

mod rays;

use super::band::Band;
use super::bounds::{self, Bounds, BoundsQuery};
use super::clusters::{ClustersQuery, Refits};
use super::meeting::{Meeting, Place, WORKSPACE_ALIGNMENT};
use super::overlap::{Overlap, OverlapOptions, OverlapQuery};
use super::penalty::{Penalty, PenaltyOptions, PenaltyQuery};
use super::phases::{self, Phased};
use super::proximity::{Proximity, ProximityOptions, ProximityQuery};
use super::rebake::RebakeQuery;
use super::sample::{SampleQuery, SampleResult};
use super::snapshot::SnapshotQuery;
use crate::error::{Error, Result, invalid};
use crate::field::Field;
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::canvas::Canvases;
use crate::gpu::device::Device;
use crate::gpu::queue::{Moment, TimelinePoint};
use crate::gpu::recorder::{Access, Recorder};
use crate::gpu::staging::Staging;
use crate::scene::mesh::{ClusterBounds, Mesh};
use crate::scene::pose::Pose;
use glam::Vec3;
use rays::RayQuery;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Names a query of a batch until the batch is reset. Zero is never a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket(pub u64);

enum Query {
    Bounds(BoundsQuery),
    Clusters(ClustersQuery),
    Overlap(OverlapQuery),
    Penalty(PenaltyQuery),
    Proximity(ProximityQuery),
    Rebake(RebakeQuery),
    Sample(SampleQuery),
    Rays(Box<RayQuery>),
    Snapshot(SnapshotQuery),
}

impl Query {
    fn name(&self) -> &'static str {
        match self {
            Self::Bounds(_) => "bounds",
            Self::Clusters(_) => "clusters",
            Self::Overlap(_) => "overlap",
            Self::Penalty(_) => "penalty",
            Self::Proximity(_) => "proximity",
            Self::Rebake(_) => "rebake",
            Self::Sample(_) => "sample",
            Self::Rays(query) => query.name(),
            Self::Snapshot(_) => "snapshot",
        }
    }

    fn result_bytes(&self) -> u64 {
        match self {
            Self::Bounds(_) => bounds::RESULT_BYTES,
            Self::Clusters(query) => query.result_bytes(),
            Self::Overlap(query) => query.result_bytes(),
            Self::Penalty(query) => query.result_bytes(),
            Self::Proximity(query) => query.result_bytes(),
            Self::Rebake(_) => 0,
            Self::Sample(query) => query.result_bytes(),
            Self::Rays(query) => query.result_bytes(),
            Self::Snapshot(query) => query.result_bytes(),
        }
    }

    /// The query, if it runs in phases together with its neighbours.
    fn phased(&self) -> Option<&dyn Phased> {
        match self {
            Self::Overlap(query) => Some(query),
            Self::Penalty(query) => Some(query),
            Self::Proximity(query) => Some(query),
            _ => None,
        }
    }

    /// Whether this and a query right after it need no order between them.
    fn runs_with(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
            || self.phased().is_some() && other.phased().is_some()
    }

    fn workspace_bytes(&self) -> u64 {
        self.phased().map_or(0, Phased::workspace_bytes)
    }
}

/// What the place of an answer is a multiple of: the size of the largest element that a kernel indexes answers by.
const ALIGNMENT: u64 = 32;

/// What the queries of a batch may use to work in.
const MOST_WORKSPACE: u64 = 1 << 30;

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
    canvases: Arc<Canvases>,
    inner: Mutex<Inner>,
}

struct Inner {
    phase: Phase,
    epoch: u32,
    queries: Vec<Planned>,
    bytes: u64,
    workspace_bytes: u64,
    recorder: Recorder,
    results: Option<Results>,
    workspace: Option<Buffer>,
}

/// A query and the bytes before its answer and before its working memory.
struct Planned {
    query: Query,
    offset: u64,
    start: u64,
}

/// Where answers are written, and where the host reads them. One and the same on unified memory.
struct Results {
    device: Option<Buffer>,
    host: Buffer,
}

impl Batch {
    /// An empty batch. `staging` holds the uploads that go ahead of every submission, `canvases` what
    /// is drawn into.
    pub fn new(
        device: &Arc<Device>,
        staging: &Arc<Mutex<Staging>>,
        canvases: &Arc<Canvases>,
    ) -> Result<Self> {
        let inner = Inner {
            phase: Phase::Recording,
            epoch: next_epoch(),
            queries: Vec::new(),
            bytes: 0,
            workspace_bytes: 0,
            recorder: Recorder::new(device)?,
            results: None,
            workspace: None,
        };
        Ok(Self {
            device: device.clone(),
            staging: staging.clone(),
            canvases: canvases.clone(),
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

    /// Records a proximity query.
    pub fn proximity(&self, meeting: Meeting, options: ProximityOptions) -> Result<Ticket> {
        self.add(Query::Proximity(ProximityQuery::plan(
            &self.device,
            &self.canvases,
            meeting,
            options,
        )?))
    }

    /// Records an overlap query.
    pub fn overlap(&self, meeting: Meeting, options: OverlapOptions) -> Result<Ticket> {
        self.add(Query::Overlap(OverlapQuery::plan(
            &self.device,
            meeting,
            options,
        )?))
    }

    /// Records a penalty query.
    pub fn penalty(&self, meeting: Meeting, options: PenaltyOptions) -> Result<Ticket> {
        let query = {
            let mut staging = self.staging.lock().unwrap_or_else(PoisonError::into_inner);
            PenaltyQuery::plan(&self.device, &mut staging, &self.canvases, meeting, options)?
        };
        self.add(Query::Penalty(query))
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
        self.device
            .check_storage(bytes, "answers", "use several batches")?;
        let start = inner.workspace_bytes;
        let workspace_bytes = start
            + query
                .workspace_bytes()
                .next_multiple_of(WORKSPACE_ALIGNMENT);
        if workspace_bytes > MOST_WORKSPACE {
            return Err(Error::Unsupported(format!(
                "the batch's queries would need {workspace_bytes} bytes to work in, more than {MOST_WORKSPACE}: use \
                 several batches, or smaller budgets"
            )));
        }
        inner.bytes = bytes;
        inner.workspace_bytes = workspace_bytes;
        inner.queries.push(Planned {
            query,
            offset,
            start,
        });
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
        inner.workspace_bytes = 0;
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

    /// The answer of a proximity query.
    pub fn proximity_answer(&self, ticket: Ticket) -> Result<Proximity> {
        self.answer(ticket, "proximity", |query, bytes| match query {
            Query::Proximity(query) => Some(query.answer(bytes)),
            _ => None,
        })
    }

    /// The answer of an overlap query.
    pub fn overlap_answer(&self, ticket: Ticket) -> Result<Overlap> {
        self.answer(ticket, "overlap", |query, bytes| match query {
            Query::Overlap(query) => Some(query.answer(bytes)),
            _ => None,
        })
    }

    /// The answer of a penalty query.
    pub fn penalty_answer(&self, ticket: Ticket) -> Result<Penalty> {
        self.answer(ticket, "penalty", |query, bytes| match query {
            Query::Penalty(query) => Some(query.answer(bytes)),
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
        let Planned { query, offset, .. } = &inner.queries[at];
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
    /// Makes the result buffers and the working memory large enough.
    fn make_room(&mut self, device: &Arc<Device>) -> Result<()> {
        let room = self.workspace.as_ref().map_or(0, |w| w.size);
        if self.workspace_bytes > room {
            self.workspace = None;
            let size = self.workspace_bytes;
            self.workspace = Some(Buffer::new(device, Role::Device, size, "working memory")?);
        }
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
        for planned in &mut self.queries {
            if let Query::Bounds(query) = &mut planned.query {
                prepared |= query.prepare(recorder, refits, target, planned.offset)?;
            }
        }
        if prepared {
            recorder.barrier(Access::Compute, Access::Compute);
        }
        let mut left = &self.queries[..];
        while let Some(first) = left.first() {
            // All answers lie in one buffer. Kernels of one kind keep apart by themselves; one kind's copies and plain writes and
            // another's atomics need order.
            if left.len() < self.queries.len() {
                recorder.barrier(Access::Any, Access::Any);
            }
            let alike = |other: &Planned| first.query.runs_with(&other.query);
            let count = left.iter().take_while(|other| alike(other)).count();
            let (run, rest) = left.split_at(count);
            record_run(recorder, refits, run, target, self.workspace.as_ref())?;
            left = rest;
        }
        if results.device.is_some() {
            recorder.barrier(Access::Any, Access::Transfer);
            recorder.copy(target, 0, &results.host, 0, self.bytes);
        }
        recorder.barrier(Access::Any, Access::Host);
        Ok(())
    }
}

/// Records queries that need no order among them.
fn record_run(
    recorder: &mut Recorder,
    refits: &mut Refits,
    run: &[Planned],
    results: &Buffer,
    workspace: Option<&Buffer>,
) -> Result<()> {
    let mut phased = Vec::new();
    for planned in run {
        let offset = planned.offset;
        match &planned.query {
            Query::Bounds(query) => query.record(recorder, results, offset)?,
            Query::Clusters(query) => query.record(recorder, refits, results, offset)?,
            Query::Rebake(query) => query.record(recorder)?,
            Query::Sample(query) => query.record(recorder, results, offset)?,
            Query::Rays(query) => query.record(recorder, results, offset)?,
            Query::Snapshot(query) => query.record(recorder, results, offset)?,
            Query::Overlap(_) | Query::Penalty(_) | Query::Proximity(_) => {}
        }
        if let (Some(query), Some(workspace)) = (planned.query.phased(), workspace) {
            let place = Place {
                results,
                offset,
                workspace,
                start: planned.start,
            };
            phased.push((query, place));
        }
    }
    phases::record(recorder, refits, &phased)
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
