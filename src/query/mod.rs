//! One module per query, and the batch that runs those of the device.

pub mod band;
pub mod batch;
pub mod beside;
pub mod body;
pub mod bounds;
pub mod clusters;
pub mod contacts;
pub mod contains;
pub mod cull;
pub mod dispatches;
pub mod distance;
pub(crate) mod drawing;
pub mod exact;
mod exact_part;
mod exact_runner;
pub mod exact_volume;
pub mod exits;
pub mod follower;
pub mod friction;
pub mod gradients;
pub mod intersection_query;
pub mod layers;
pub mod ldi;
pub mod meeting;
pub mod near;
pub mod near_query;
pub mod objects;
pub mod output;
pub mod overlap;
pub mod pairs;
pub mod penalty;
pub mod placed;
pub mod proximity;
pub mod rebake;
pub mod region_contacts;
pub mod sample;
pub mod scene_contacts;
pub mod scene_impacts;
pub mod snapshot;
pub mod sweep;
pub mod tetrahedra;
pub mod tracking;
pub(crate) mod views;
pub mod visibility;
pub mod volume;
pub mod workspace;

use crate::error::{Error, Result};
use crate::gpu::canvas::Canvases;
use crate::gpu::device::Device;
use crate::gpu::occlusion::OcclusionPool;
use crate::gpu::recorder::Recorder;
use crate::gpu::staging::Staging;
use crate::lock::lock;
use crate::memory;
use crate::workers::Workers;
use beside::Beside;
use bytemuck::{Pod, Zeroable};
use clusters::Refits;
use dispatches::Dispatches;
use exact_runner::ExactInFlight;
use output::{OutputArray, OutputFrame, OutputPlace};
use std::sync::{Arc, Mutex, MutexGuard};
use workspace::{Memory, Place};

/// A planned query, as a batch records it: its input is checked and held, and nothing has run yet.
pub trait Query: Send + Sync + 'static {
    /// What it finds.
    type Answer;

    /// A part of its work. A step sees what the steps before it wrote; the batch puts one barrier between the steps of all its
    /// queries. `()` for a query of one step.
    type Step: Copy;

    /// Its name in error messages.
    const NAME: &'static str;

    /// Whether queries recorded after it read something else than those recorded before it.
    const CHANGES_INPUT: bool = false;

    /// Whether it was planned for the host beside the batch's device.
    fn is_on_host(&self) -> bool {
        false
    }

    /// What it needs of the batch.
    fn memory(&self) -> Memory;

    /// What parts of its working memory start with: the number of the part, and its bytes. They go ahead of the first submission.
    fn inputs(&self) -> Vec<(usize, &[u8])> {
        Vec::new()
    }

    /// Refuses that an input, by its place in [`Query::inputs`], is read from a buffer of the engine's.
    fn check_foreign_input(&self, _input: usize) -> Result<()> {
        Ok(())
    }

    /// Says, anew for each submission, which meshes must have current cluster bounds before the first step.
    fn prepare(&mut self, _refits: &mut Refits) {}

    /// Joins, anew for each submission, its kernels to those of queries recorded before it, where one dispatch can serve several.
    fn join(&mut self, _place: &Place, _dispatches: &mut Dispatches) {}

    /// Its steps, in order.
    fn steps(&self) -> &[Self::Step];

    /// Records a step. The bytes of the answer start as all ones, unless [`Query::memory`] says otherwise.
    fn record(&self, step: Self::Step, place: &Place, recorder: &mut Recorder) -> Result<()>;

    /// Records copies to the answer of what the steps left elsewhere. All copies of a batch come after all its steps.
    fn collect(&self, _place: &Place, _recorder: &mut Recorder) {}

    /// Reads the answer from its bytes.
    fn answer(&self, bytes: &[u8]) -> Result<Self::Answer>;

    /// Tells apart the ways in which it is recorded, after [`Query::prepare`]: a submission with the number of the last one can do what that
    /// did. None where it must be recorded for each submission.
    fn recording(&self) -> Option<u32> {
        None
    }

    /// The arrays that it can write to buffers of the engine's.
    const OUTPUTS: &'static [OutputArray] = &[];

    /// Goes to the device from the host beside it. Where it cannot, it stays as it was.
    fn leave_host(&mut self, _device: &Resources) -> Result<()> {
        Err(Error::Unsupported(format!(
            "{} queries use no buffers of the engine's",
            Self::NAME
        )))
    }

    /// Gets ready to write an array: refuses what only the host makes of an answer, and sends what the kernel looks up.
    fn plan_output(&mut self, _array: usize, _device: &Resources) -> Result<()> {
        Ok(())
    }

    /// What places the records of its arrays.
    fn placement(&self) -> OutputFrame {
        OutputFrame::zeroed()
    }

    /// Records the kernel that turns the answer, which is there, into the records of an array.
    fn record_output(
        &self,
        _array: usize,
        _output: &OutputPlace,
        _place: &Place,
        _recorder: &mut Recorder,
    ) -> Result<()> {
        Ok(())
    }
}

/// What queries are planned with: the device, and what all queries on it share.
pub struct Resources {
    /// The device.
    pub device: Arc<Device>,
    /// What queries draw into.
    pub canvases: Canvases,
    /// What queries count fragments with.
    pub occlusions: OcclusionPool,
    staging: Mutex<Staging>,
    /// Where exact queries run.
    pub(crate) workers: Arc<Workers>,
    /// Batches whose exact queries are under way.
    pub(crate) exact: Arc<ExactInFlight>,
    /// The host, where queries may run that are done there sooner.
    pub beside: Option<Beside>,
}

impl Resources {
    /// Those of a device; `workers` run exact queries.
    pub fn new(device: Arc<Device>, workers: Arc<Workers>) -> Self {
        Self {
            device,
            canvases: Canvases::default(),
            occlusions: OcclusionPool::default(),
            staging: Mutex::default(),
            workers,
            exact: Arc::default(),
            beside: None,
        }
    }

    /// With the host beside the device.
    pub fn with_beside(self, beside: Option<Beside>) -> Self {
        Self { beside, ..self }
    }

    /// The uploads that go ahead of the next submission.
    pub fn staging(&self) -> MutexGuard<'_, Staging> {
        lock(&self.staging)
    }

    /// A copy of what a query is given, until it is uploaded; `instead` says what to do where a device cannot hold as much.
    fn input<T: Pod>(&self, values: &[T], what: &str, instead: &str) -> Result<Vec<T>> {
        let bytes = size_of_val(values) as u64;
        self.device.check_storage(bytes, what, instead)?;
        memory::collect(values.iter().copied(), what)
    }
}
