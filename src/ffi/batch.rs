//! Batches
//!
//! Queries that the device answers are recorded in a batch, submitted together, and read by ticket: one submission and one small
//! readback for all of them. A function that answers such a query at once, such as prx_field_proximity, is a batch of one. Exact queries can be
//! recorded beside them, and run on the CPU threads meanwhile: prx_batch_distance and others.

use super::asking::{self, List, ask_batch, ask_context};
use super::boundary::{Sized32, guarded, on_batch, read_array, read_def_or};
use super::context::unshared;
use super::handles::{self, PrxBatch, PrxContext};
use super::mesh::{PrxBounds, PrxMesh, PrxPose, read_placed};
use super::status::PrxStatus;
use crate::error::{Result, invalid};
use crate::gpu::queue::TimelinePoint;
use crate::memory;
use crate::query::batch::Ticket;
use crate::query::bounds::BoundsQuery;
use crate::query::clusters::ClustersQuery;
use crate::scene::mesh::ClusterBounds;

/// Names a query of a batch until the batch is reset. Zero is null.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxTicket {
    /// The id; zero is null.
    pub id: u64,
}

/// A timeline semaphore of the engine's and a value on it, or a binary semaphore.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxTimelinePoint {
    /// VkSemaphore. A binary one that is waited for has its signal submitted before.
    pub semaphore: u64,
    /// The value to wait for or to signal; not read of a binary semaphore.
    pub value: u64,
}

/// What a submission waits for and signals. Fill it by prx_submit_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxSubmitDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Points in `waits`.
    pub wait_count: u32,
    /// The submission starts when all of these are reached.
    pub waits: *const PrxTimelinePoint,
    /// Points in `signals`.
    pub signal_count: u32,
    /// PRX_SUBMIT_TIMINGS, or 0.
    pub flags: u32,
    /// The submission signals these when it is done.
    pub signals: *const PrxTimelinePoint,
}

// SAFETY: repr(C), size first, integers and pointers only.
unsafe impl Sized32 for PrxSubmitDef {
    const NAME: &'static str = "PrxSubmitDef";
    const FILLED_BY: &'static str = "submit_def_default";
}

/// In PrxSubmitDef.flags: takes the time of each query, for prx_batch_timings. PRX_STATUS_UNSUPPORTED where the queue has no timestamps
/// (timestampValidBits 0).
pub const PRX_SUBMIT_TIMINGS: u32 = 1;

/// A cluster of at most 64 triangles that lie together, as the device sees it now.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxCluster {
    /// Centre of the box and of the sphere, in the mesh's own frame.
    pub center: [f32; 3],
    /// Radius of the sphere; it holds every triangle of the cluster.
    pub radius: f32,
    /// Lower corner of the exact box.
    pub min: [f32; 3],
    /// Where its triangles start in prx_mesh_cluster_triangles.
    pub first: u32,
    /// Upper corner of the exact box.
    pub max: [f32; 3],
    /// Its triangles.
    pub count: u32,
}

/// A submission that waits for nothing and signals nothing.
#[unsafe(no_mangle)]
pub extern "C" fn prx_submit_def_default() -> PrxSubmitDef {
    PrxSubmitDef {
        size: size_of::<PrxSubmitDef>() as u32,
        wait_count: 0,
        waits: std::ptr::null(),
        signal_count: 0,
        flags: 0,
        signals: std::ptr::null(),
    }
}

/// Creates an empty batch. Several can be in flight at once.
///
/// # Safety
/// `out_batch` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_create(
    context: *mut PrxContext,
    out_batch: *mut *mut PrxBatch,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_batch, "out_batch", |live| {
            let batch = live.create_batch()?;
            handles::add_batch(context, batch)
        })
    }
}

/// Destroys a batch; one in flight is waited for.
#[unsafe(no_mangle)]
pub extern "C" fn prx_batch_destroy(batch: *mut PrxBatch) -> PrxStatus {
    guarded(0, || {
        unshared(handles::remove_batch(batch)?.batch);
        Ok(())
    })
}

/// Records the box of `mesh` under `pose` (null for the identity); read it by prx_batch_bounds_result.
///
/// # Safety
/// `pose` is null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_bounds(
    batch: *mut PrxBatch,
    mesh: PrxMesh,
    pose: *const PrxPose,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            let (mesh, pose) = read_placed(context, mesh, pose)?;
            BoundsQuery::plan(mesh, pose)
        })
    }
}

/// Records a refit of the mesh's clusters to its current positions; read them by prx_batch_clusters_result.
///
/// # Safety
/// `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_clusters(
    batch: *mut PrxBatch,
    mesh: PrxMesh,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            Ok(ClustersQuery::plan(context.mesh(mesh.id)?))
        })
    }
}

/// Submits everything recorded, after the positions updated so far. `def` may be null. A batch that is done can be
/// submitted again as it is: the same queries on newer positions.
///
/// # Safety
/// `def` is null or valid; its semaphores are of this device. The engine's buffers and semaphores
/// stay alive until the batch is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_submit(
    batch: *mut PrxBatch,
    def: *const PrxSubmitDef,
) -> PrxStatus {
    on_batch(batch, |_, batch| {
        // SAFETY: by the caller's promise.
        unsafe {
            let submission = read_submission(def)?;
            batch.submit_timed(&submission.waits, &submission.signals, submission.timed)
        }
    })
}

/// Writes 1 to `*out_done` when the answers are there, else 0. Does not wait.
///
/// # Safety
/// `out_done` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_poll(batch: *mut PrxBatch, out_done: *mut u32) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { ask_batch(batch, out_done, "out_done", |_, batch| batch.poll()) }
}

/// Waits for the answers, at most `nanoseconds` (UINT64_MAX: as long as it takes). PRX_STATUS_TIMEOUT when the time
/// passed first; the work goes on. PRX_STATUS_OUT_OF_HOST_MEMORY when the host device had no memory for it: it stays in flight,
/// and is tried again by the next wait.
#[unsafe(no_mangle)]
pub extern "C" fn prx_batch_wait(batch: *mut PrxBatch, nanoseconds: u64) -> PrxStatus {
    on_batch(batch, |_, batch| batch.wait(nanoseconds))
}

/// Forgets the recorded queries, to record others. Its tickets are stale from then on.
#[unsafe(no_mangle)]
pub extern "C" fn prx_batch_reset(batch: *mut PrxBatch) -> PrxStatus {
    on_batch(batch, |_, batch| batch.reset())
}

/// The answer of prx_batch_bounds. It contains the exact position of every vertex.
///
/// # Safety
/// `out_bounds` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_bounds_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_bounds: *mut PrxBounds,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { asking::answer::<BoundsQuery, _>(batch, ticket, out_bounds, "out_bounds") }
}

/// The answer of prx_batch_clusters. `*out_count` gets the number of clusters, also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` clusters; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_clusters_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out: *mut PrxCluster,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let clusters = List::new(out, capacity, out_count, "clusters");
    // SAFETY: by the caller's promise.
    unsafe { asking::answer_list::<ClustersQuery, _, _>(batch, ticket, clusters) }
}

/// What a submission is asked for.
pub(super) struct EngineSubmission {
    pub(super) waits: Vec<TimelinePoint>,
    pub(super) signals: Vec<TimelinePoint>,
    pub(super) timed: bool,
}

/// # Safety
/// `def` is null or valid.
pub(super) unsafe fn read_submission(def: *const PrxSubmitDef) -> Result<EngineSubmission> {
    // SAFETY: by the caller's promise.
    unsafe {
        let def = read_def_or(def, prx_submit_def_default)?;
        if def.flags & !PRX_SUBMIT_TIMINGS != 0 {
            return Err(invalid(format!(
                "flags is {:#x}; it may have PRX_SUBMIT_TIMINGS",
                def.flags
            )));
        }
        Ok(EngineSubmission {
            waits: read_points(def.waits, def.wait_count, "waits")?,
            signals: read_points(def.signals, def.signal_count, "signals")?,
            timed: def.flags & PRX_SUBMIT_TIMINGS != 0,
        })
    }
}

/// # Safety
/// `points` is null or points to `count` of them.
unsafe fn read_points(
    points: *const PrxTimelinePoint,
    count: u32,
    name: &str,
) -> Result<Vec<TimelinePoint>> {
    // SAFETY: by the caller's promise.
    unsafe { read_array(points, count.into(), name) }?
        .into_iter()
        .map(|p| TimelinePoint::from_handle(p.semaphore, p.value))
        .try_fold(Vec::new(), |mut points, point| {
            memory::add(&mut points, point?);
            Ok(points)
        })
}

impl PrxTicket {
    /// The ticket of a query of a kind, to be checked by whoever takes it.
    pub(super) fn of<Q>(self) -> Ticket<Q> {
        Ticket::from_id(self.id)
    }
}

impl<Q> From<Ticket<Q>> for PrxTicket {
    fn from(ticket: Ticket<Q>) -> Self {
        Self { id: ticket.id() }
    }
}

impl From<ClusterBounds> for PrxCluster {
    fn from(c: ClusterBounds) -> Self {
        Self {
            center: c.center,
            radius: c.radius,
            min: c.min,
            first: c.first,
            max: c.max,
            count: c.count,
        }
    }
}
