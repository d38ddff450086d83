//! Handles
//!
//! Contexts and batches are opaque pointers; what lives in a context is named by an id of 64 bits in a struct of its own, such as
//! PrxMesh. Both are numbers that are looked up and never followed, so a call after destroy is a status and not a crash.

use crate::context::Context;
use crate::error::Result;
use crate::lock::outlive;
use crate::query::batch::Batch;
use crate::scene::slots::{Kind, Slots};
use std::sync::{Arc, LazyLock, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A Vulkan device, opened or adopted, and all that lives on it.
///
/// Threads: every call on a context may come from any thread at any time, except prx_context_destroy, which waits for
/// calls in progress and must not be called from a callback.
pub struct PrxContext {
    _opaque: [u8; 0],
}

/// Recorded queries: one submission, one small readback, many answers.
///
/// Threads: calls may come from any thread; calls on one batch take turns.
pub struct PrxBatch {
    _opaque: [u8; 0],
}

/// A live batch and the handle of its context.
pub(super) struct LiveBatch {
    pub(super) context: u64,
    pub(super) batch: Arc<Batch>,
}

struct Handles {
    contexts: Slots<Arc<Context>>,
    batches: Slots<LiveBatch>,
}

/// Contexts and batches belong to the process, not to a context.
const PROCESS: u64 = 0;

static HANDLES: LazyLock<RwLock<Handles>> = LazyLock::new(|| {
    RwLock::new(Handles {
        contexts: Slots::new(Kind::Context, PROCESS),
        batches: Slots::new(Kind::Batch, PROCESS),
    })
});

const _: () = assert!(size_of::<usize>() == 8, "handles need 64-bit pointers");

fn read() -> RwLockReadGuard<'static, Handles> {
    outlive(HANDLES.read())
}

fn write() -> RwLockWriteGuard<'static, Handles> {
    outlive(HANDLES.write())
}

pub(super) fn context(handle: *const PrxContext) -> Result<Arc<Context>> {
    read().contexts.get(handle as u64).cloned()
}

pub(super) fn batch(handle: *const PrxBatch) -> Result<(u64, Arc<Batch>)> {
    read()
        .batches
        .get(handle as u64)
        .map(|live| (live.context, live.batch.clone()))
}

pub(super) fn add_context(context: Context) -> Result<*mut PrxContext> {
    write()
        .contexts
        .insert(Arc::new(context))
        .map(|id| id as *mut PrxContext)
}

pub(super) fn add_batch(context: *const PrxContext, batch: Batch) -> Result<*mut PrxBatch> {
    let live = LiveBatch {
        context: context as u64,
        batch: Arc::new(batch),
    };
    let mut handles = write();
    // The context may have been destroyed since the call began; then nobody would ever free the batch.
    handles.contexts.get(context as u64)?;
    handles.batches.insert(live).map(|id| id as *mut PrxBatch)
}

/// Takes a context and its batches out; nobody can find them any more.
pub(super) fn remove_context(handle: *const PrxContext) -> Result<(Arc<Context>, Vec<LiveBatch>)> {
    let mut handles = write();
    let context = handles.contexts.remove(handle as u64)?;
    let batches = handles
        .batches
        .take_if(|live| live.context == handle as u64);
    handles.contexts.give_back_if_empty();
    handles.batches.give_back_if_empty();
    Ok((context, batches))
}

pub(super) fn remove_batch(handle: *const PrxBatch) -> Result<LiveBatch> {
    write().batches.remove(handle as u64)
}
