//! A context: a device and all that lives on it.

pub mod comparators;
pub mod contact;
mod containment;
pub mod debug_draw;
pub mod exact;
mod fields;
mod intersections;
mod near;
pub mod scene_impacts;
pub mod scenes;
pub mod tracking;
pub mod warm_up;

use crate::error::{Error, Result};
use crate::geometry::surface::Surface;
use crate::geometry::topology::{Facts, Vertices};
use crate::gpu::adopted::Adopted;
use crate::gpu::device::{Device, Options};
use crate::gpu::paths::Choice;
use crate::gpu::physical::DeviceKind;
use crate::gpu::recorder::Recorder;
use crate::gpu::staging::Staging;
use crate::interrupt::{self, Watching};
use crate::lock::lock;
use crate::log::Severity;
use crate::memory;
use crate::query::batch::Batch;
use crate::query::beside::Beside;
use crate::query::exact_volume::ExactIntersection;
use crate::query::follower::Follower;
use crate::query::snapshot::SnapshotQuery;
use crate::query::visibility::Visibility;
use crate::query::{Query, Resources};
use crate::scene::mesh::{Mesh, MeshInput, PreparedMesh, check_positions};
use crate::scene::slots::{Kind, Slots};
use crate::workers::{Threads, Workers};
use crate::zones::zone;
use comparators::hierarchies::HierarchySlot;
use fields::FieldSlot;
use glam::{DVec3, Vec3};
use scenes::SceneSlot;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use tracking::TrackerSlot;

/// A device and all that lives on it. Thread-safe.
pub struct Context {
    resources: Arc<Resources>,
    meshes: Mutex<Slots<Arc<Mesh>>>,
    fields: Mutex<Slots<Arc<FieldSlot>>>,
    scenes: Mutex<Slots<SceneSlot>>,
    trackers: Mutex<Slots<Arc<TrackerSlot>>>,
    hierarchies: Mutex<Slots<Arc<HierarchySlot>>>,
    intersections: Mutex<Slots<Arc<ExactIntersection>>>,
    visibility: Mutex<Option<Visibility>>,
    followers: Mutex<Slots<Arc<Follower>>>,
    /// Empty batches for queries that are answered at once.
    idle: Mutex<Vec<Batch>>,
    /// Batches whose callers were cancelled, until the device is done with them.
    left: Mutex<Vec<Batch>>,
    workers: Arc<Workers>,
}

/// Batches that are kept for queries that are answered at once: as many as threads are likely to ask at a time.
const IDLE_BATCHES: usize = 4;
/// What all of them may keep. Contacts of two bodies of 200,000 triangles work in 58 MB, and new memory costs as much as they do.
const IDLE_BYTES: u64 = 256 << 20;

/// Batches that the device may work on for nobody. Who asks then waits for the oldest.
const LEFT_BATCHES: usize = 4;

/// Uploads beyond this do not wait for the next batch.
const PENDING_BYTES: u64 = 256 << 20;

static CONTEXTS: AtomicU64 = AtomicU64::new(1);

impl Context {
    /// Opens a device of its own. `workers` says whose threads do what the CPU does, and how many.
    pub fn open(options: Options, workers: impl Into<Threads>) -> Result<Self> {
        let workers = Arc::new(Workers::new(workers));
        let beside = options.beside;
        let wanted = &options.wanted;
        let device = match wanted.kind {
            DeviceKind::Host => Device::host(options, workers.clone()),
            DeviceKind::Vulkan => Device::open(&options),
            DeviceKind::Auto => match Device::open(&options) {
                Err(error @ (Error::NoVulkan(_) | Error::NoDevice(_))) if wanted.is_any() => {
                    let fallback = format!("{error}; the host takes its place");
                    options.log.say(Severity::Info, &fallback);
                    Device::host(options, workers.clone())
                }
                opened => opened,
            },
        };
        Self::on(device?, workers, beside)
    }

    /// Lives on the engine's device. `workers` as for [`Context::open`].
    ///
    /// # Safety
    /// The handles are valid, belong together, and outlive the context.
    pub unsafe fn adopt(
        adopted: Adopted,
        options: Options,
        workers: impl Into<Threads>,
    ) -> Result<Self> {
        let beside = options.beside;
        // SAFETY: by the caller's promise.
        let device = unsafe { Device::adopt(adopted, options) }?;
        Self::on(device, Arc::new(Workers::new(workers)), beside)
    }

    fn on(device: Arc<Device>, workers: Arc<Workers>, beside: Choice) -> Result<Self> {
        let beside = match device.is_host() {
            true => None,
            false => {
                let host = device.host_beside(workers.clone());
                Beside::of(&device, host, workers.clone(), beside)?
            }
        };
        let resources = Resources::new(device, workers.clone()).with_beside(beside);
        let number = CONTEXTS.fetch_add(1, Ordering::Relaxed);
        Ok(Self {
            resources: Arc::new(resources),
            meshes: Mutex::new(
                Slots::new(Kind::Mesh, number).with_names(|mesh: &Arc<Mesh>| mesh.name()),
            ),
            fields: Mutex::new(
                Slots::new(Kind::Field, number)
                    .with_names(|slot: &Arc<FieldSlot>| slot.name().into()),
            ),
            scenes: Mutex::new(Slots::new(Kind::Scene, number)),
            trackers: Mutex::new(Slots::new(Kind::Tracker, number)),
            intersections: Mutex::new(Slots::new(Kind::Intersection, number)),
            hierarchies: Mutex::new(
                Slots::new(Kind::Hierarchy, number)
                    .with_names(|slot: &Arc<HierarchySlot>| slot.name()),
            ),
            visibility: Mutex::new(None),
            followers: Mutex::new(Slots::new(Kind::Follower, number)),
            idle: Mutex::default(),
            left: Mutex::default(),
            workers,
        })
    }

    /// The device.
    pub fn device(&self) -> &Arc<Device> {
        &self.resources.device
    }

    /// Bytes of host memory that queries beside the device have.
    pub fn host_query_bytes(&self) -> u64 {
        let beside = self.resources.beside.as_ref();
        beside.map_or(0, |host| host.resources.device.memory().total)
    }

    /// Refuses a device that was lost.
    pub fn check(&self) -> Result<()> {
        self.resources.device.check()
    }

    /// Begins a call on this thread: until the answer is dropped, [`Context::cancel`] and the time limit count for all of it.
    pub fn begin_call(&self) -> Watching {
        interrupt::begin(self.workers.cancellation())
    }

    /// Ends all calls and bakes that are running on this context with [`crate::error::Error::Cancelled`].
    pub fn cancel(&self) {
        self.workers.cancellation().cancel();
        self.fields().iter().for_each(|slot| slot.cancel());
    }

    /// Ends calls that begin from now on after so many nanoseconds; `u64::MAX` for no limit. Bakes have none.
    pub fn set_time_limit(&self, nanoseconds: u64) {
        self.workers.cancellation().set_limit(nanoseconds);
    }

    /// Creates a mesh and names it.
    pub fn create_mesh(&self, input: MeshInput) -> Result<u64> {
        let mesh = self.make_mesh(input)?;
        self.meshes().insert(mesh)
    }

    fn make_mesh(&self, input: MeshInput) -> Result<Arc<Mesh>> {
        let prepared = self.workers.run_apart(|| PreparedMesh::new(input))??;
        let mut staging = self.staging();
        let mesh = Mesh::new(&self.resources.device, &mut staging, prepared)
            .inspect_err(|_| staging.forget_orphans())?;
        bound_staging(&self.resources.device, staging)?;
        Ok(Arc::new(mesh))
    }

    /// Replaces positions of a deforming mesh from vertex `first` on.
    pub fn update_mesh(&self, id: u64, first: u32, positions: &[Vec3]) -> Result<()> {
        let mesh = self.mesh(id)?;
        let mut staging = self.staging();
        mesh.update(&self.resources.device, &mut staging, first, positions)?;
        bound_staging(&self.resources.device, staging)
    }

    /// The same in double precision.
    pub fn update_mesh_f64(&self, id: u64, first: u32, positions: &[DVec3]) -> Result<()> {
        let mesh = self.mesh(id)?;
        let mut staging = self.staging();
        mesh.update_f64(&self.resources.device, &mut staging, first, positions)?;
        bound_staging(&self.resources.device, staging)
    }

    /// Gives an id other triangles. Objects of scenes follow, queries that were planned keep what they were planned with, and what was
    /// made of the old triangles is refused from now on.
    pub fn replace_mesh(&self, id: u64, input: MeshInput) -> Result<()> {
        self.mesh(id)?;
        let new = self.make_mesh(input)?;
        let old = std::mem::replace(self.meshes().get_mut(id)?, new.clone());
        old.mark_replaced();
        // Objects that are added meanwhile look for their mesh under the scene's lock, so none is left with the old one.
        for scene in self.all_objects() {
            lock(&scene).replace_mesh(&old, &new);
        }
        Ok(())
    }

    /// The mesh that an id names.
    pub fn mesh(&self, id: u64) -> Result<Arc<Mesh>> {
        self.meshes().get(id).cloned()
    }

    /// Destroys a mesh; queries in flight keep it until they are done.
    pub fn destroy_mesh(&self, id: u64) -> Result<()> {
        self.meshes().remove(id).map(drop)
    }

    /// Takes stock of a mesh as it is now. Positions that only the engine has are read back for it.
    pub fn mesh_facts(&self, id: u64, vertices: Vertices) -> Result<Facts> {
        let mesh = self.mesh(id)?;
        let moment = self.moment(&mesh)?;
        let surface = Surface {
            positions: moment.positions.all(),
            triangles: &mesh.triangles,
        };
        self.workers.run(|| Facts::of(surface, vertices))
    }

    /// The positions of a mesh as they are now; the engine's are read back.
    fn current_positions(&self, mesh: &Arc<Mesh>) -> Result<Vec<Vec3>> {
        if let Some(positions) = mesh.with_positions(|all| memory::copy(all, "positions")) {
            return positions;
        }
        if let Some(known) = mesh.known_moment() {
            return memory::copy(known.positions.all().rounded(), "positions");
        }
        let positions = self.ask(SnapshotQuery::plan(mesh.clone()))?;
        check_positions(&positions, 0)?;
        Ok(positions)
    }

    /// An empty batch.
    pub fn create_batch(&self) -> Result<Batch> {
        Batch::new(&self.resources)
    }

    /// What queries are planned with.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// The answer of a query: a batch of one.
    pub fn ask<Q: Query>(&self, query: Q) -> Result<Q::Answer> {
        let _zone = zone(Q::NAME);
        interrupt::verify()?;
        self.wait_for_left()?;
        let idle = lock(&self.idle).pop();
        let batch = idle.map_or_else(|| self.create_batch(), Ok)?;
        let ticket = batch.add(query)?;
        let mut outcome = batch.run();
        if matches!(outcome, Err(Error::OutOfDeviceMemory { .. })) && self.trim() > 0 {
            outcome = batch.run();
        }
        if let Err(error) = outcome {
            return Err(self.leave(batch, error));
        }
        let answer = batch.answer(ticket);
        self.keep(batch);
        answer
    }

    /// Keeps a batch that is done for the next query, with its memory. Where that becomes too much, those go that were not asked for longest.
    fn keep(&self, batch: Batch) {
        if batch.reset().is_err() || batch.kept_bytes() > IDLE_BYTES {
            return;
        }
        let mut idle = lock(&self.idle);
        idle.push(batch);
        let mut kept = 0;
        let fits = |batch: &&Batch| {
            kept += batch.kept_bytes();
            kept <= IDLE_BYTES
        };
        let keeps = idle.iter().rev().take(IDLE_BATCHES).take_while(fits);
        let too_many = idle.len() - keeps.count();
        let kept = idle.split_off(too_many);
        let gone = std::mem::replace(&mut *idle, kept);
        drop(idle);
        drop(gone);
    }

    /// Gives back the working memory that is kept for queries that are answered at once; returns how many bytes.
    pub fn trim(&self) -> u64 {
        let idle = std::mem::take(&mut *lock(&self.idle));
        idle.iter().map(Batch::kept_bytes).sum()
    }

    /// Keeps a batch whose caller was cancelled until the device is done with it; who asks later lets go of it.
    fn leave(&self, batch: Batch, error: Error) -> Error {
        if matches!(error, Error::Cancelled(_)) {
            lock(&self.left).push(batch);
        }
        error
    }

    /// Lets go of batches that are done, and waits for one where there are too many.
    fn wait_for_left(&self) -> Result<()> {
        let mut left = lock(&self.left);
        left.retain(|batch| matches!(batch.poll(), Ok(false)));
        if left.len() < LEFT_BATCHES {
            return Ok(());
        }
        let oldest = left.remove(0);
        drop(left);
        (oldest.wait(u64::MAX)).map_err(|error| self.leave(oldest, error))
    }

    /// Waits until everything submitted has finished.
    pub fn wait_idle(&self) -> Result<()> {
        (self.devices()).try_for_each(|device| device.wait(device.submitted(), u64::MAX))?;
        self.resources.exact.wait()
    }

    /// Its device, and the host beside it.
    fn devices(&self) -> impl Iterator<Item = &Arc<Device>> {
        let beside = self.resources.beside.as_ref();
        [&self.resources.device]
            .into_iter()
            .chain(beside.map(|host| &host.resources.device))
    }

    fn meshes(&self) -> MutexGuard<'_, Slots<Arc<Mesh>>> {
        lock(&self.meshes)
    }

    fn fields(&self) -> MutexGuard<'_, Slots<Arc<FieldSlot>>> {
        lock(&self.fields)
    }

    fn trackers(&self) -> MutexGuard<'_, Slots<Arc<TrackerSlot>>> {
        lock(&self.trackers)
    }

    fn hierarchies(&self) -> MutexGuard<'_, Slots<Arc<HierarchySlot>>> {
        lock(&self.hierarchies)
    }

    fn staging(&self) -> MutexGuard<'_, Staging> {
        self.resources.staging()
    }
}

/// Sends uploads ahead when too many of them wait, so that staging memory stays bounded. Nobody waits for the device but the caller.
fn bound_staging(device: &Arc<Device>, mut staging: MutexGuard<Staging>) -> Result<()> {
    if staging.pending_bytes() <= PENDING_BYTES {
        return Ok(());
    }
    let mut recorder = Recorder::new(device)?;
    recorder.begin()?;
    staging.record(&mut recorder);
    // SAFETY: the staging memory is kept until the moment, which is waited for before the recorder goes.
    let submitted = unsafe { recorder.submit(&[], &[]) };
    match submitted {
        Ok(moment) => {
            staging.submitted(moment);
            drop(staging);
            device.finish(moment)
        }
        Err(error) => {
            staging.abandoned();
            Err(error)
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        for slot in self.fields().iter() {
            slot.stop();
            self.resources.device.log.say(
                Severity::Warning,
                &format!(
                    "{} was still alive when its context was destroyed; it is freed now",
                    slot.name()
                ),
            );
        }
        (self.devices()).for_each(|device| device.settle(device.submitted()));
        for mesh in self.meshes().iter() {
            self.resources.device.log.say(
                Severity::Warning,
                &format!(
                    "{} was still alive when its context was destroyed; it is freed now",
                    mesh.name()
                ),
            );
        }
    }
}
