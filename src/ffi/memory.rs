//! Memory
//!
//! Host memory comes from the system, or from the engine's allocator, which prx_set_allocator sets before anything else. prx_context_memory says how much
//! device memory a context has, and what for; PrxContextDef has a budget for it.

use super::asking::ask_context;
use super::boundary::{Sized32, guarded, read_def};
use super::handles::PrxContext;
use super::status::PrxStatus;
use crate::allocator::{self, EngineAllocator};
use crate::error::{Error, invalid};
use crate::gpu::charge::MemoryKind;
use std::ffi::c_void;

/// Gives `size` bytes whose address is a multiple of `alignment`, a power of two; or null.
pub type PrxAllocateFn =
    Option<unsafe extern "C" fn(user: *mut c_void, size: u64, alignment: u64) -> *mut c_void>;

/// Gives `new_size` bytes that begin as the `size` bytes of `memory` do, and takes `memory` back; or null, and `memory` stays as it is.
pub type PrxReallocateFn = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        memory: *mut c_void,
        size: u64,
        alignment: u64,
        new_size: u64,
    ) -> *mut c_void,
>;

/// Takes memory back; `size` and `alignment` are those that it was allocated with.
pub type PrxFreeFn =
    Option<unsafe extern "C" fn(user: *mut c_void, memory: *mut c_void, size: u64, alignment: u64)>;

/// The engine's allocator. Fill it by prx_allocator_default.
///
/// Threads: the functions are called from any thread, also while one ends, and must not call Proxel.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxAllocator {
    /// Bytes of this struct.
    pub size: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
    /// Passed to all functions.
    pub user: *mut c_void,
    /// Gives memory.
    pub allocate: PrxAllocateFn,
    /// Changes the size of memory, or null: then it is allocated, copied and freed.
    pub reallocate: PrxReallocateFn,
    /// Takes memory back.
    pub free: PrxFreeFn,
}

// SAFETY: repr(C), size first, integers and pointers only.
unsafe impl Sized32 for PrxAllocator {
    const NAME: &'static str = "PrxAllocator";
    const FILLED_BY: &'static str = "allocator_default";
}

/// An allocator with everything null but the size.
#[unsafe(no_mangle)]
pub extern "C" fn prx_allocator_default() -> PrxAllocator {
    PrxAllocator {
        size: size_of::<PrxAllocator>() as u32,
        reserved: 0,
        user: std::ptr::null_mut(),
        allocate: None,
        reallocate: None,
        free: None,
    }
}

/// Lets all host memory of the library come from the engine, until the process ends. Call it before any other function: once something was
/// allocated it is PRX_STATUS_WRONG_STATE, also a second time.
///
/// Every allocation of Proxel goes through it, and as VkAllocationCallbacks what Vulkan needs for Proxel's own objects, but for blocks of device memory; what the C
/// library and drivers allocate by themselves does not. Null for what is sized by the caller's
/// input (meshes, fields, hierarchies, lists, buffers of the host device) is PRX_STATUS_OUT_OF_HOST_MEMORY or, for buffers of the host device,
/// PRX_STATUS_OUT_OF_DEVICE_MEMORY. Null for anything else, small objects of less than 32 KB, is answered from a reserve in static memory: 64 blocks each of 256 bytes,
/// 4 KB and 32 KB. When these are used up it ends the process, as with any Rust library: an allocator with a limit keeps some room for small objects all the same.
/// When all contexts are destroyed every byte has been freed but the error messages of threads that live on.
///
/// # Safety
/// `from` is null or valid; its functions may be called until the process ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_set_allocator(from: *const PrxAllocator) -> PrxStatus {
    // Nothing allocates before the engine's functions are known to be there.
    // SAFETY: by the caller's promise.
    let read = unsafe { read_def(from) };
    let engine = read.and_then(|def| match (def.allocate, def.free) {
        (Some(allocate), Some(free)) => Ok(EngineAllocator {
            user: def.user,
            allocate,
            reallocate: def.reallocate,
            free,
        }),
        _ => Err(invalid(
            "allocate or free is null; pass both, or do not set an allocator",
        )),
    });
    // SAFETY: by the caller's promise.
    let outcome = engine.map(|engine| unsafe { allocator::set(engine) });
    if matches!(outcome, Ok(true)) {
        return PrxStatus::Ok;
    }
    guarded(0, || {
        outcome.map(|_| ())?;
        Err(Error::WrongState(
            "memory was allocated already; call prx_set_allocator once, before any other function"
                .into(),
        ))
    })
}

/// Bytes of device memory that a context has. On the host device it is host memory. What an engine's VkBuffer holds is the engine's. Set `size` to the bytes of the struct before the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxContextMemory {
    /// Bytes of this struct; set by the caller.
    pub size: u32,
    /// Reserved.
    pub reserved: u32,
    /// Positions, triangles and clusters of meshes.
    pub meshes: u64,
    /// Fields.
    pub fields: u64,
    /// Working memory of batches.
    pub working: u64,
    /// Answers that the host reads.
    pub answers: u64,
    /// Uploads on their way, and memory that is kept for the next.
    pub staging: u64,
    /// What queries draw into.
    pub pictures: u64,
    /// The sum of these.
    pub total: u64,
    /// The most that `total` was.
    pub peak: u64,
    /// PrxContextDef.device_memory_budget; UINT64_MAX without one.
    pub budget: u64,
    /// What was taken from the driver, in large blocks, to be given out in parts. On the host device `total`.
    pub taken: u64,
    /// Host memory of queries that run on the host beside a Vulkan device; no part of `total`.
    pub host_queries: u64,
}

// SAFETY: repr(C), size first, integers only.
unsafe impl Sized32 for PrxContextMemory {
    const NAME: &'static str = "PrxContextMemory";
    const FILLED_BY: &'static str = "context_memory's caller (sizeof)";
}

/// How much device memory a context has, and what for.
///
/// # Safety
/// `out_memory` is writable and its `size` is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_context_memory(
    context: *mut PrxContext,
    out_memory: *mut PrxContextMemory,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_memory, "out_memory", |context| {
            let size = read_def::<PrxContextMemory>(out_memory)?.size;
            let report = context.device().memory();
            Ok(PrxContextMemory {
                size,
                reserved: 0,
                meshes: report.of(MemoryKind::Mesh),
                fields: report.of(MemoryKind::Field),
                working: report.of(MemoryKind::Working),
                answers: report.of(MemoryKind::Answer),
                staging: report.of(MemoryKind::Staging),
                pictures: report.of(MemoryKind::Picture),
                total: report.total,
                peak: report.peak,
                budget: report.budget,
                taken: report.reserved,
                host_queries: context.host_query_bytes(),
            })
        })
    }
}
