//! The exact queries of a batch, from their meshes at a submission to their answers.

use super::Resources;
use super::exact::{ExactQuery, MeshesAt};
use super::exact_outputs::{ExactOutput, ExactUpload, WrittenHeads};
use super::exact_records::ExactRecords;
use super::exact_runner::{ExactRunner, RunnerShared, UnderWay};
use super::output::{OutputArray, OutputBuffer, OutputHead, outcome};
use super::pairs::costs::{SearchAt, SearchCosts};
use super::pairs::search::{SearchLayout, Searched, TriangleCandidate};
use crate::error::{Error, Result};
use crate::gpu::buffer::Buffer;
use crate::gpu::device::Device;
use crate::gpu::queue::{Moment, TimelinePoint};
use crate::interrupt::{self, Watch};
use crate::memory::{self, Gather};
use crate::panics;
use crate::scene::mesh::{Mesh, MeshMoment};
use crate::workers::Workers;
use crate::zones::zone;
use rayon::prelude::*;
use std::any::Any;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

type AnyAnswer = Arc<dyn Any + Send + Sync>;
/// A query that has what it needs.
type ReadyQuery = Box<dyn FnOnce() -> Result<AnyAnswer> + Send>;
/// The same, or why it has not; and how long that took.
type TimedQuery = (Result<ReadyQuery>, Option<SearchTrial>, Duration);

/// An [`ExactQuery`] of any kind.
trait AnyExactQuery: Any + Send + Sync {
    fn name(&self) -> &'static str;
    fn prepare(self: Arc<Self>, source: &MeshesAt) -> Result<ReadyQuery>;
    /// To decide what a device has found.
    fn take(self: Arc<Self>, candidates: Vec<TriangleCandidate>) -> ReadyQuery;
    fn outputs(&self) -> &'static [OutputArray];
    fn records(&self, answer: &AnyAnswer, array: usize, most: usize) -> Result<ExactRecords>;
    /// The meshes that a device has looked at.
    fn searched_meshes(&self) -> Option<[Arc<Mesh>; 2]>;
}

impl<Q: ExactQuery> AnyExactQuery for Q {
    fn name(&self) -> &'static str {
        Q::NAME
    }

    fn prepare(self: Arc<Self>, source: &MeshesAt) -> Result<ReadyQuery> {
        let prepared = ExactQuery::prepare(&*self, source)?;
        Ok(Box::new(move || {
            let _zone = zone(Q::NAME);
            Ok(Arc::new(self.run(prepared)?) as AnyAnswer)
        }))
    }

    fn take(self: Arc<Self>, candidates: Vec<TriangleCandidate>) -> ReadyQuery {
        Box::new(move || {
            let _zone = zone(Q::NAME);
            Ok(Arc::new(self.decide(&candidates)?) as AnyAnswer)
        })
    }

    fn outputs(&self) -> &'static [OutputArray] {
        Q::OUTPUTS
    }

    fn records(&self, answer: &AnyAnswer, array: usize, most: usize) -> Result<ExactRecords> {
        let answer = answer.downcast_ref::<Q::Answer>().ok_or_else(other_kind)?;
        Q::records(answer, array, most)
    }

    fn searched_meshes(&self) -> Option<[Arc<Mesh>; 2]> {
        let sought = self.sought()?;
        Some(sought.bodies.map(|body| body.mesh.clone()))
    }
}

/// A query, and where a device looks for what it is asked: which query of the batch does, and what that leaves.
#[derive(Clone)]
struct PlannedExact {
    query: Arc<dyn AnyExactQuery>,
    search: Option<(usize, SearchLayout)>,
    trial: Option<SearchTrial>,
}

/// A choice between the device and the host, whose cost is to be remembered.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchTrial {
    pub(super) at: SearchAt,
    pub(super) triangles: usize,
}

/// A query of a submission.
struct SubmittedExact {
    query: Arc<dyn AnyExactQuery>,
    search: Option<(Readback, SearchLayout)>,
    trial: Option<SearchTrial>,
}

/// The exact queries of a batch.
#[derive(Default)]
pub(super) struct ExactPart {
    queries: Vec<PlannedExact>,
    /// Each mesh of the queries once, by its address. Of an engine's, the batch's query that brings its positions to the host.
    meshes: HashMap<usize, (Arc<Mesh>, Option<usize>)>,
    outputs: Vec<ExactOutput>,
    heads: WrittenHeads,
    answers: ExactAnswers,
    runner: Option<ExactRunner>,
}

/// One place per query.
type ExactAnswers = Arc<Vec<OnceLock<ExactAnswer>>>;

/// What became of a query.
struct ExactAnswer {
    answer: Result<AnyAnswer>,
    /// How long it was prepared and run.
    took: Duration,
}

/// What a submission leaves in a buffer.
struct Readback {
    buffer: Arc<Buffer>,
    bytes: Range<usize>,
    device: Arc<Device>,
    moment: Moment,
}

/// What was written before the records of an array, and what became of them.
type WrittenArray = (OutputHead, Result<()>);

/// Where the positions of a mesh at a submission are.
enum MeshAtSubmission {
    Host(MeshMoment),
    Engine(Readback),
}

/// The queries of a submission, the positions of its meshes by their addresses, and places for the answers.
#[derive(Default)]
pub(super) struct ReadyExact {
    queries: Vec<PlannedExact>,
    moments: HashMap<usize, MeshAtSubmission>,
    answers: ExactAnswers,
    outputs: Vec<ExactOutput>,
    signals: Vec<TimelinePoint>,
}

/// What a submission of a device leaves for exact queries.
pub(super) struct DeviceAnswers<'a> {
    pub(super) device: &'a Arc<Device>,
    pub(super) moment: Moment,
    pub(super) buffer: &'a Arc<Buffer>,
    /// Where the answer of a query of the batch is.
    pub(super) place: &'a dyn Fn(usize) -> Range<usize>,
}

impl ExactPart {
    pub(super) fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// Whether a query looks at a mesh already.
    pub(super) fn has_mesh(&self, mesh: &Arc<Mesh>) -> bool {
        self.meshes.contains_key(&address(mesh))
    }

    /// Adds a mesh of a query; `snapshot` is the batch's query for the positions of an engine's.
    pub(super) fn add_mesh(&mut self, mesh: &Arc<Mesh>, snapshot: Option<usize>) -> Result<()> {
        interrupt::caught(|| memory::ensure_map(&mut self.meshes, 1))?;
        self.meshes.insert(address(mesh), (mesh.clone(), snapshot));
        Ok(())
    }

    /// Adds a query whose meshes are there, and numbers it from 1 on; `search` is the batch's query that looks for what it is asked.
    pub(super) fn add<Q: ExactQuery>(
        &mut self,
        query: Q,
        search: Option<(usize, SearchLayout)>,
        trial: Option<SearchTrial>,
    ) -> Result<u64> {
        let planned = PlannedExact {
            query: Arc::new(query),
            search,
            trial,
        };
        memory::push(&mut self.queries, planned, "queries")?;
        Ok(self.queries.len() as u64)
    }

    pub(super) fn name(&self, number: u64) -> Option<&'static str> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        self.queries.get(at).map(|planned| planned.query.name())
    }

    /// Whether records go to buffers of the engine's, so that the submission's signals come after them.
    pub(super) fn writes(&self) -> bool {
        !self.outputs.is_empty()
    }

    /// The arrays that a query can write.
    pub(super) fn arrays(&self, number: u64) -> &'static [OutputArray] {
        let planned = number
            .checked_sub(1)
            .and_then(|at| self.queries.get(at as usize));
        planned.map_or(&[], |planned| planned.query.outputs())
    }

    /// Lets a query write an array.
    pub(super) fn write_to(&mut self, number: u64, array: usize, to: OutputBuffer) -> Result<()> {
        let query = number as usize - 1;
        (self.outputs).retain(|known| (known.query, known.array) != (query, array));
        memory::push(
            &mut self.outputs,
            ExactOutput { query, array, to },
            "outputs",
        )
    }

    /// The head of an array that was written by a query that is done, and what became of its records. None where it was not to be written.
    pub(super) fn written(&self, number: u64, array: usize) -> Option<Result<WrittenArray>> {
        let query = number as usize - 1;
        let is_it = |output: &ExactOutput| (output.query, output.array) == (query, array);
        let at = self.outputs.iter().position(is_it)?;
        let unwritten = || Err(Error::Internal("records that were not written".into()));
        let heads = self.heads.get().cloned().unwrap_or_else(unwritten);
        Some(heads.map(|heads| {
            let (head, capacity) = (heads[at], self.outputs[at].to.capacity);
            let name = self.arrays(number)[array].name;
            let answer = self.answers.get(query).and_then(OnceLock::get);
            let failed = answer.and_then(|answer| answer.answer.as_ref().err());
            let outcome = failed.map_or_else(|| outcome(head, name, capacity), |e| Err(e.clone()));
            (head, outcome)
        }))
    }

    /// Forgets the queries.
    pub(super) fn reset(&mut self) {
        self.queries.clear();
        self.meshes.clear();
        self.outputs.clear();
        self.answers = ExactAnswers::default();
    }

    /// What is needed to submit: all that can fail comes before the device's submission. Whoever calls this holds the lock that updates of
    /// positions take, so that all meshes are of one moment.
    pub(super) fn ready(
        &mut self,
        workers: &Arc<Workers>,
        signals: &[TimelinePoint],
    ) -> Result<ReadyExact> {
        if self.is_empty() {
            return Ok(ReadyExact::default());
        }
        let mut moments = HashMap::new();
        interrupt::caught(|| memory::ensure_map(&mut moments, self.meshes.len()))?;
        for (&address, (mesh, _)) in &self.meshes {
            if let Some(moment) = mesh.moment() {
                moments.insert(address, MeshAtSubmission::Host(moment));
            }
        }
        let places = (0..self.queries.len()).map(|_| OnceLock::new());
        let answers = Arc::new(memory::collect(places, "answers")?);
        if self.runner.is_none() {
            self.runner = Some(ExactRunner::start(workers)?);
        }
        Ok(ReadyExact {
            queries: memory::collect(self.queries.iter().cloned(), "queries")?,
            moments,
            answers,
            outputs: memory::copy(&self.outputs, "outputs")?,
            signals: memory::copy(signals, "signals")?,
        })
    }

    /// Lets the queries run, after what the device leaves for them.
    pub(super) fn submit(
        &mut self,
        ready: ReadyExact,
        device: Option<DeviceAnswers>,
        resources: &Resources,
    ) {
        let Some(runner) = &self.runner else { return };
        if self.is_empty() {
            return;
        }
        let ReadyExact {
            queries,
            mut moments,
            answers,
            outputs,
            signals,
        } = ready;
        let left = |at: usize| device.as_ref().map(|device| device.readback(at));
        for (&address, (mesh, snapshot)) in &self.meshes {
            // What was known when the commands were recorded, which therefore read nothing, is known now.
            if let Some(moment) = mesh.known_moment() {
                moments.insert(address, MeshAtSubmission::Host(moment));
            } else if let Some(readback) = snapshot.and_then(left) {
                moments.insert(address, MeshAtSubmission::Engine(readback));
            }
        }
        let submitted = |planned: PlannedExact| SubmittedExact {
            query: planned.query,
            search: (planned.search).and_then(|(at, layout)| Some((left(at)?, layout))),
            trial: planned.trial,
        };
        let queries = queries.into_iter().map(submitted).gather();
        let watch = Watch::new(resources.workers.cancellation());
        watch.take_on();
        self.answers = answers.clone();
        self.heads = WrittenHeads::default();
        let upload = self.writes().then(|| ExactUpload {
            device: resources.device.clone(),
            outputs,
            signals,
            heads: self.heads.clone(),
        });
        runner.shared.hand_over(ExactWork {
            queries,
            moments,
            answers,
            upload,
            watch: Arc::new(watch),
            costs: resources.searches.clone(),
            _in_flight: resources.exact.begin(&runner.shared),
        });
    }

    /// How long each query took in the last submission, which is done.
    pub(super) fn times(&self) -> impl Iterator<Item = Duration> {
        let took = |answer: &ExactAnswer| answer.took;
        (self.answers.iter()).map(move |place| place.get().map_or(Duration::ZERO, took))
    }

    /// Who works on the queries, to be waited for without the batch.
    pub(super) fn runner(&self) -> Option<Arc<RunnerShared>> {
        self.runner.as_ref().map(|runner| runner.shared.clone())
    }

    /// Whether nothing that was submitted is under way.
    pub(super) fn is_done(&self) -> bool {
        let runner = self.runner.as_ref();
        runner.is_none_or(|runner| !runner.shared.is_busy())
    }

    /// The answer of a query that is done; none where it is of another kind.
    pub(super) fn answer<Q: ExactQuery>(&self, number: u64) -> Option<Result<Arc<Q::Answer>>> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        let query: &dyn Any = &*self.queries.get(at)?.query;
        query.downcast_ref::<Q>()?;
        let unanswered = || Err(Error::Internal("an exact query without an answer".into()));
        let answer = self.answers.get(at).and_then(OnceLock::get);
        Some(answer.map_or_else(unanswered, |answer| {
            let answer = answer.answer.clone()?.downcast::<Q::Answer>();
            answer.map_err(|_| other_kind())
        }))
    }
}

fn other_kind() -> Error {
    Error::Internal("an answer of another kind".into())
}

fn address(mesh: &Arc<Mesh>) -> usize {
    Arc::as_ptr(mesh) as usize
}

/// One submission.
pub(super) struct ExactWork {
    queries: Vec<SubmittedExact>,
    moments: HashMap<usize, MeshAtSubmission>,
    answers: ExactAnswers,
    upload: Option<ExactUpload>,
    watch: Arc<Watch>,
    costs: Arc<SearchCosts>,
    _in_flight: UnderWay,
}

impl ExactWork {
    /// Answers all queries; `ends` when nobody wants the answers any more.
    pub(super) fn run(&self, workers: &Arc<Workers>, ends: &AtomicBool) {
        let _watching = interrupt::watch(self.watch.clone());
        let outcome = panics::caught(|| self.run_all(workers, ends));
        if let Err(error) = outcome.and_then(|outcome| outcome) {
            for answer in &*self.answers {
                let _ = answer.set(ExactAnswer {
                    answer: Err(error.clone()),
                    took: Duration::ZERO,
                });
            }
        }
        self.write();
    }

    /// Writes records to the engine's buffers, and signals that they are there.
    fn write(&self) {
        let Some(upload) = &self.upload else { return };
        upload.run(|output| {
            let unanswered = || Error::Internal("an exact query without an answer".into());
            let answer = self.answers[output.query].get().ok_or_else(unanswered)?;
            let answer = answer.answer.clone()?;
            let query = &self.queries[output.query].query;
            query.records(&answer, output.array, output.to.capacity as usize)
        });
    }

    fn run_all(&self, workers: &Arc<Workers>, ends: &AtomicBool) -> Result<()> {
        let source = MeshesAt::new(workers, |mesh| self.read(mesh));
        let mut ready = memory::with_room(self.queries.len(), "queries")?;
        for query in &self.queries {
            let began = Instant::now();
            let prepared = panics::caught(|| self.prepare(query, &source, workers));
            let prepared = prepared.and_then(|prepared| prepared);
            ready.push((prepared, query.trial, began.elapsed()));
        }
        let answer = |(query, place): (TimedQuery, &OnceLock<_>)| {
            let (query, trial, prepared) = query;
            let began = Instant::now();
            let gone = || Err(Error::Cancelled("the batch"));
            let answer = query.and_then(|query| match ends.load(Ordering::Relaxed) {
                true => gone(),
                false => panics::caught(query).and_then(|answer| answer),
            });
            let took = prepared + began.elapsed();
            if let (Some(trial), Ok(_)) = (trial, &answer) {
                self.costs.note(trial.at, trial.triangles, took);
            }
            let _ = place.set(ExactAnswer { answer, took });
        };
        workers.run(|| {
            (ready.into_par_iter().with_max_len(1))
                .zip(self.answers.par_iter())
                .for_each(answer);
        })
    }

    fn prepare(
        &self,
        submitted: &SubmittedExact,
        source: &MeshesAt,
        workers: &Workers,
    ) -> Result<ReadyQuery> {
        let query = submitted.query.clone();
        let (Some((readback, layout)), Some(meshes)) = (&submitted.search, query.searched_meshes())
        else {
            return query.prepare(source);
        };
        let positions = match layout.read(readback.wait()?)? {
            Searched::Candidates(candidates, _) => return Ok(query.take(candidates)),
            Searched::Positions(positions) => positions,
        };
        let mut moments = memory::with_room(meshes.len(), "positions")?;
        for (mesh, positions) in meshes.iter().zip(positions) {
            if let Some(positions) = positions {
                moments.push((address(mesh), mesh.moment_of(positions)?));
            }
        }
        let source = MeshesAt::new(workers, |mesh| {
            let known = moments.iter().find(|(of, _)| *of == address(mesh));
            known.map_or_else(|| self.read(mesh), |(_, moment)| Ok(moment.clone()))
        });
        query.prepare(&source)
    }

    /// The positions of a mesh as they were, once the device has left what it was to leave.
    fn read(&self, mesh: &Arc<Mesh>) -> Result<MeshMoment> {
        match self.moments.get(&address(mesh)) {
            Some(MeshAtSubmission::Host(moment)) => Ok(moment.clone()),
            Some(MeshAtSubmission::Engine(readback)) => readback.read(mesh),
            None => Err(Error::Internal("a mesh that its query did not name".into())),
        }
    }
}

impl Drop for ExactWork {
    /// Signals come also where nobody has begun.
    fn drop(&mut self) {
        self.write();
    }
}

impl DeviceAnswers<'_> {
    /// What a query of the batch leaves.
    fn readback(&self, at: usize) -> Readback {
        Readback {
            buffer: self.buffer.clone(),
            bytes: (self.place)(at),
            device: self.device.clone(),
            moment: self.moment,
        }
    }
}

impl Readback {
    /// What was left, once it is there.
    fn wait(&self) -> Result<&[u8]> {
        self.device.wait(self.moment, u64::MAX)?;
        Ok(&self.buffer.bytes()[self.bytes.clone()])
    }

    fn read(&self, mesh: &Mesh) -> Result<MeshMoment> {
        mesh.moment_of(memory::from_bytes(self.wait()?, "positions")?)
    }
}
