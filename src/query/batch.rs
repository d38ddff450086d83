//! A batch: recorded queries, one submission, one small readback, many answers.

mod outputs;
mod planned;
mod recording;
mod timings;

use super::clusters::Refits;
use super::exact::ExactQuery;
use super::exact_part::{DeviceAnswers, ExactPart, ReadyExact};
use super::snapshot::SnapshotQuery;
use super::workspace::{ALIGNMENT, Memory, Workspace};
use super::{Query, Resources};
use crate::error::{Error, Result, invalid};
use crate::gpu::device::Device;
use crate::gpu::names;
use crate::gpu::queue::{Moment, TimelinePoint};
use crate::gpu::recorder::Recorder;
use crate::interrupt;
use crate::lock::lock;
use crate::workers::background::PATIENCE;
use crate::zones::zone;
use planned::{AnyQuery, PlannedQuery};
use recording::{AnswerBuffers, Recording};
use std::any::Any;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Instant;
use timings::Timed;
pub use timings::{Clock, QueryTiming};

/// Names a query of a batch until the batch is reset.
pub struct Ticket<Q> {
    id: u64,
    query: PhantomData<fn() -> Q>,
}

impl<Q> Ticket<Q> {
    /// A ticket that left the crate as a number. Zero is never a ticket. [`Batch::answer`] checks that it is of such a query.
    pub fn from_id(id: u64) -> Self {
        Self {
            id,
            query: PhantomData,
        }
    }

    /// The number that the ticket is outside the crate.
    pub fn id(self) -> u64 {
        self.id
    }
}

impl<Q> Clone for Ticket<Q> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Q> Copy for Ticket<Q> {}

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
    resources: Arc<Resources>,
    inner: Mutex<BatchState>,
    /// Queries of it that were planned for the host beside its device.
    host: OnceLock<Box<Batch>>,
}

/// What the tickets of queries on the host beside the device have set.
const HOST_BIT: u64 = 1 << 31;
/// What the tickets of exact queries have set.
const EXACT_BIT: u64 = 1 << 30;

struct BatchState {
    phase: Phase,
    epoch: u32,
    queries: Vec<PlannedQuery>,
    bytes: u64,
    recorder: Recorder,
    answers: Option<AnswerBuffers>,
    workspace: Workspace,
    /// Whether the inputs of all queries are in the working memory: a batch can be submitted again as it is.
    has_inputs: bool,
    /// Queries of it that the CPU pool answers.
    exact: ExactPart,
    /// Queries of the host beside the device, by their numbers there, that were moved here.
    moved: HashMap<u64, u64>,
    /// Queries that were moved from here.
    gone: usize,
    /// What the commands were recorded for that were submitted last, if they can be submitted again.
    recorded: Option<Recording>,
    /// The queries of each dispatch that several can join.
    shared: Vec<Vec<usize>>,
    timed: Timed,
}

impl Batch {
    /// An empty batch. The uploads that wait in the resources go ahead of every submission.
    pub fn new(resources: &Arc<Resources>) -> Result<Self> {
        let inner = BatchState {
            phase: Phase::Recording,
            epoch: next_epoch(),
            queries: Vec::new(),
            bytes: 0,
            recorder: Recorder::new(&resources.device)?,
            answers: None,
            workspace: Workspace::default(),
            has_inputs: false,
            exact: ExactPart::default(),
            moved: HashMap::new(),
            gone: 0,
            recorded: None,
            shared: Vec::new(),
            timed: Timed::No,
        };
        Ok(Self {
            resources: resources.clone(),
            inner: Mutex::new(inner),
            host: OnceLock::new(),
        })
    }

    /// The batch of its queries on the host beside its device.
    fn host_part(&self) -> Result<&Self> {
        if let (None, Some(beside)) = (self.host.get(), &self.resources.beside) {
            let _ = self.host.set(Box::new(Self::new(&beside.resources)?));
        }
        let host = self.host.get().map(|batch| &**batch);
        host.ok_or_else(|| Error::Internal("a query for the host without one".into()))
    }

    /// Whether it has queries.
    fn has_queries(&self) -> bool {
        let inner = self.lock();
        inner.queries.len() > inner.gone
    }

    /// Its part on the host, where that has queries.
    fn busy_host(&self) -> Option<&Self> {
        let host = self.host.get()?;
        host.has_queries().then_some(host)
    }

    /// What its queries are planned with.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Refuses a device that was lost.
    pub fn check(&self) -> Result<()> {
        self.device().check()
    }

    /// Records a query.
    pub fn add<Q: Query>(&self, query: Q) -> Result<Ticket<Q>> {
        let mut inner = self.lock();
        inner.check_recording()?;
        if query.is_on_host() && !self.device().is_host() {
            let ticket = self.host_part()?.add(query)?;
            let number = ticket.id & u64::from(u32::MAX);
            return Ok(Ticket::from_id(
                u64::from(inner.epoch) << 32 | HOST_BIT | number,
            ));
        }
        inner.plan(self.device(), query)?;
        Ok(Ticket::from_id(
            u64::from(inner.epoch) << 32 | inner.queries.len() as u64,
        ))
    }

    /// Records an exact query. It runs on the CPU pool from the submission on, on the positions of that moment; those in an engine's
    /// buffer come with the submission, once per mesh.
    pub fn add_exact<Q: ExactQuery>(&self, query: Q) -> Result<Ticket<Q>> {
        let mut inner = self.lock();
        inner.check_recording()?;
        for mesh in interrupt::caught(|| query.meshes())? {
            if inner.exact.has_mesh(mesh) {
                continue;
            }
            let mut snapshot = None;
            if mesh.is_engine_owned() {
                snapshot = Some(inner.queries.len());
                inner.plan(self.device(), SnapshotQuery::plan(mesh.clone()))?;
            }
            inner.exact.add_mesh(mesh, snapshot)?;
        }
        let number = inner.exact.add(query)?;
        Ok(Ticket::from_id(
            u64::from(inner.epoch) << 32 | EXACT_BIT | number,
        ))
    }

    /// Submits everything recorded. A batch that is done can be submitted again as it is.
    ///
    /// # Safety
    /// The semaphores are of this device; the engine's buffers that the queries read are alive, and
    /// everything stays alive until the batch is done.
    pub unsafe fn submit(&self, waits: &[TimelinePoint], signals: &[TimelinePoint]) -> Result<()> {
        // SAFETY: by the caller's promise.
        unsafe { self.submit_timed(waits, signals, false) }
    }

    /// The same, and takes the time of each query if `timed`, for [`Batch::timings`].
    ///
    /// # Safety
    /// As for [`Batch::submit`].
    pub unsafe fn submit_timed(
        &self,
        waits: &[TimelinePoint],
        signals: &[TimelinePoint],
        timed: bool,
    ) -> Result<()> {
        let _zone = zone("submit");
        if timed {
            self.device().check_times()?;
        }
        if let Some(host) = self.busy_host() {
            // SAFETY: without semaphores nothing is promised.
            unsafe { host.submit_timed(&[], &[], timed) }?;
            // The engine's signals say that all of the batch is done.
            if !signals.is_empty() {
                host.wait(u64::MAX)?;
            }
        }
        // SAFETY: by the caller's promise.
        unsafe { self.enqueue(waits, signals, timed) }?;
        self.device().wake()?;
        let exact = self.lock().exact.runner();
        exact.map_or(Ok(()), |exact| exact.offer())
    }

    /// Submits everything recorded, to be waited for at once: the host leaves the work to who waits.
    ///
    /// # Safety
    /// As for [`Batch::submit`].
    unsafe fn enqueue(
        &self,
        waits: &[TimelinePoint],
        signals: &[TimelinePoint],
        timed: bool,
    ) -> Result<()> {
        if self.device().is_host() && !(waits.is_empty() && signals.is_empty()) {
            return Err(Error::Unsupported(
                "the host device has no Vulkan semaphores; submit without waits and signals".into(),
            ));
        }
        let mut guard = self.lock();
        let inner = &mut *guard;
        self.settle(inner)?;
        if !inner.is_done() {
            return Err(Error::WrongState(
                "the batch is still in flight; wait for it before submitting again".into(),
            ));
        }
        let mut staging = self.resources.staging();
        let (workers, in_flight) = (&self.resources.workers, &self.resources.exact);
        let ready = inner.exact.ready(workers)?;
        // All of it runs on the host: the device is not bothered, unless the engine's semaphores are to be waited for.
        let elsewhere = self.busy_host().is_some() || !inner.exact.is_empty();
        let unordered = waits.is_empty() && signals.is_empty();
        if inner.queries.is_empty() && unordered && elsewhere {
            inner.phase = Phase::Done;
            inner.timed = if timed { Timed::Exact } else { Timed::No };
            inner.exact.submit(ready, None, in_flight, workers);
            return Ok(());
        }
        inner.allocate(self.device())?;
        inner.upload_inputs(self.device(), &mut staging)?;
        let mut refits = Refits::new(self.device());
        // Also without memory, what is waiting in staging memory stays there.
        let recorded =
            interrupt::caught(|| inner.ensure_recorded(&mut staging, &mut refits, timed));
        let submitted = recorded.and_then(|recorded| {
            recorded?;
            // SAFETY: the queries, the results and the staging memory are kept until the moment is reached: `reset`,
            // `drop` and `Staging` wait for it. The rest is the caller's promise.
            unsafe { inner.recorder.submit(waits, signals) }
        });
        match submitted {
            Ok(moment) => {
                staging.submitted(moment);
                refits.submitted();
                inner.has_inputs = true;
                inner.phase = Phase::InFlight(moment);
                inner.timed = if timed { Timed::All } else { Timed::No };
                inner.submit_exact(ready, self.device(), moment, &self.resources);
                Ok(())
            }
            Err(error) => {
                staging.abandoned();
                inner.recorded = None;
                Err(error)
            }
        }
    }

    /// Whether the answers are there.
    pub fn poll(&self) -> Result<bool> {
        if let Some(host) = self.busy_host()
            && self.lock().phase != Phase::Recording
            && !host.poll()?
        {
            return Ok(false);
        }
        self.device().run_overdue();
        let exact = self.lock().exact.runner();
        exact.iter().for_each(|exact| exact.run_overdue(PATIENCE));
        let mut inner = self.lock();
        self.settle(&mut inner)?;
        match inner.phase {
            Phase::Recording => Err(not_submitted()),
            _ => Ok(inner.is_done()),
        }
    }

    /// Waits for the answers, at most `nanoseconds`. When the call that this thread is in is cancelled meanwhile, the work goes on.
    pub fn wait(&self, nanoseconds: u64) -> Result<()> {
        let _zone = zone("wait");
        let started = Instant::now();
        self.wait_for_host(nanoseconds)?;
        // The lock is not held while waiting, so that other threads can poll.
        let (phase, exact) = {
            let inner = self.lock();
            (inner.phase, inner.exact.runner())
        };
        match phase {
            Phase::Recording => return Err(not_submitted()),
            Phase::InFlight(moment) => {
                self.device().wait(moment, nanoseconds)?;
                self.settle(&mut self.lock())?;
            }
            Phase::Done => {}
        }
        exact.map_or(Ok(()), |exact| exact.wait(started, nanoseconds))
    }

    /// Waits for the part on the host, at most `nanoseconds`.
    fn wait_for_host(&self, nanoseconds: u64) -> Result<()> {
        match self.busy_host() {
            Some(host) if self.lock().phase != Phase::Recording => host.wait(nanoseconds),
            _ => Ok(()),
        }
    }

    /// Submits everything recorded and waits for the answers.
    pub fn run(&self) -> Result<()> {
        if let Some(host) = self.busy_host() {
            host.run()?;
        }
        // SAFETY: no semaphores are passed; the batch waits for its work before it goes.
        unsafe { self.enqueue(&[], &[], false) }?;
        self.wait(u64::MAX)
    }

    /// Forgets the queries, to record others. Tickets handed out before are stale.
    pub fn reset(&self) -> Result<()> {
        let mut inner = self.lock();
        self.settle(&mut inner)?;
        if !inner.is_done() {
            return Err(Error::WrongState(
                "the batch is still in flight; wait for it before resetting it".into(),
            ));
        }
        if let Some(host) = self.host.get() {
            host.reset()?;
        }
        inner.phase = Phase::Recording;
        inner.epoch = next_epoch();
        inner.recorded = None;
        inner.queries.clear();
        inner.moved.clear();
        inner.gone = 0;
        inner.exact.reset();
        inner.bytes = 0;
        inner.workspace.reset();
        Ok(())
    }

    /// Bytes of device memory that it keeps when it is reset.
    pub fn kept_bytes(&self) -> u64 {
        let inner = self.lock();
        let answers = inner
            .answers
            .as_ref()
            .map_or(0, |answers| answers.host.size);
        let host = self.host.get().map_or(0, |host| host.kept_bytes());
        answers + inner.workspace.kept_bytes() + host
    }

    /// The answer of a query.
    pub fn answer<Q: Query>(&self, ticket: Ticket<Q>) -> Result<Q::Answer> {
        let mut inner = self.lock();
        let ticket = Ticket::<Q>::from_id(inner.current(ticket.id));
        if let Some(host) = self.host.get()
            && ticket.id >> 32 == u64::from(inner.epoch)
            && ticket.id & HOST_BIT != 0
        {
            let number = ticket.id & (HOST_BIT - 1);
            let own = u64::from(host.lock().epoch) << 32 | number;
            let tell = |error| match error {
                Error::InvalidHandle(_) => unknown(ticket.id),
                other => other,
            };
            return host.answer(Ticket::<Q>::from_id(own)).map_err(tell);
        }
        let kind = inner.kind(ticket.id)?;
        if ticket.id & EXACT_BIT != 0 {
            return Err(wrong_kind(ticket.id, kind, Q::NAME));
        }
        let at = ticket.id as u32 as usize - 1;
        self.settle(&mut inner)?;
        match inner.phase {
            Phase::Recording => return Err(not_submitted()),
            Phase::InFlight(_) => {
                return Err(not_done());
            }
            Phase::Done => {}
        }
        let planned = &inner.queries[at];
        let query: &dyn Any = &*planned.query;
        let query =
            (query.downcast_ref::<Q>()).ok_or_else(|| wrong_kind(ticket.id, kind, Q::NAME))?;
        if !planned.is_read {
            return Err(Error::WrongState(format!(
                "the answer of this {kind} query stays on the device, where its records go to a buffer; ask for it too by PRX_OUTPUT_READ"
            )));
        }
        let answers = (inner.answers.as_ref()).expect("a batch that is done has answers");
        query.answer(&answers.host.bytes()[planned.answer()])
    }

    /// The answer of an exact query.
    pub fn exact_answer<Q: ExactQuery>(&self, ticket: Ticket<Q>) -> Result<Arc<Q::Answer>> {
        let inner = self.lock();
        let kind = inner.kind_of(ticket.id, self)?;
        if ticket.id & (HOST_BIT | EXACT_BIT) != EXACT_BIT {
            return Err(wrong_kind(ticket.id, kind, Q::NAME));
        }
        if inner.phase == Phase::Recording {
            return Err(not_submitted());
        }
        if !inner.exact.is_done() {
            return Err(not_done());
        }
        let answer = (inner.exact).answer::<Q>(ticket.id & (EXACT_BIT - 1));
        answer.unwrap_or_else(|| Err(wrong_kind(ticket.id, kind, Q::NAME)))
    }

    /// Notices that the work is done.
    fn settle(&self, inner: &mut BatchState) -> Result<()> {
        if let Phase::InFlight(moment) = inner.phase
            && self.device().reached(moment)?
        {
            inner.phase = Phase::Done;
        }
        Ok(())
    }

    fn device(&self) -> &Arc<Device> {
        &self.resources.device
    }

    fn lock(&self) -> MutexGuard<'_, BatchState> {
        lock(&self.inner)
    }
}

impl BatchState {
    fn check_recording(&self) -> Result<()> {
        if self.phase == Phase::Recording {
            return Ok(());
        }
        Err(Error::WrongState(
            "the batch was submitted; reset it before recording more".into(),
        ))
    }

    /// Gives a query its places.
    fn plan<Q: Query>(&mut self, device: &Device, query: Q) -> Result<()> {
        self.plan_any(device, Box::new(query))
    }

    fn plan_any(&mut self, device: &Device, query: Box<dyn AnyQuery>) -> Result<()> {
        let Memory {
            answer,
            blank,
            parts,
        } = query.memory();
        let offset = self.bytes.next_multiple_of(ALIGNMENT);
        device.check_storage(offset + answer, "answers", "use several batches")?;
        let first = self.workspace.plan(device, &parts)?;
        self.bytes = offset + answer;
        self.has_inputs = false;
        let label = device.is_labelled().then(|| {
            let label = format!("{} {}", query.name(), self.queries.len() + 1);
            Arc::new(names::text(&label))
        });
        self.queries.push(PlannedQuery {
            query,
            label,
            offset,
            bytes: answer,
            blank,
            first,
            is_read: true,
            outputs: Vec::new(),
        });
        Ok(())
    }

    /// The kind of the query that a ticket names.
    fn kind(&self, ticket: u64) -> Result<&'static str> {
        let number = ticket & u64::from(u32::MAX);
        let kind = match number & EXACT_BIT {
            0 => {
                let at = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
                self.queries.get(at).map(|planned| planned.query.name())
            }
            _ => self.exact.name(number & (EXACT_BIT - 1)),
        };
        let own = ticket >> 32 == u64::from(self.epoch);
        kind.filter(|_| own).ok_or_else(|| unknown(ticket))
    }

    /// Whether nothing that was submitted is under way, as far as [`Batch::settle`] noticed.
    fn is_done(&self) -> bool {
        !matches!(self.phase, Phase::InFlight(_)) && self.exact.is_done()
    }

    /// Lets the exact queries run after a submission to the device.
    fn submit_exact(
        &mut self,
        ready: ReadyExact,
        device: &Arc<Device>,
        moment: Moment,
        resources: &Resources,
    ) {
        let (queries, answers) = (&self.queries, &self.answers);
        let place = |at: usize| queries[at].answer();
        let left = answers.as_ref().map(|answers| DeviceAnswers {
            device,
            moment,
            buffer: &answers.host,
            place: &place,
        });
        let (workers, in_flight) = (&resources.workers, &resources.exact);
        (self.exact).submit(ready, left, in_flight, workers);
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        if let Phase::InFlight(moment) = self.lock().phase {
            self.device().settle(moment);
        }
    }
}

fn unknown(ticket: u64) -> Error {
    Error::InvalidHandle(format!(
        "ticket {ticket:#x} is not of this batch, or the batch was reset since"
    ))
}

fn wrong_kind(ticket: u64, kind: &str, asked: &str) -> Error {
    invalid(format!(
        "ticket {ticket:#x} is of a {kind} query, not {asked}"
    ))
}

fn not_done() -> Error {
    Error::WrongState("the batch is still in flight; poll or wait before reading".into())
}

fn not_submitted() -> Error {
    Error::WrongState("the batch has not been submitted".into())
}
