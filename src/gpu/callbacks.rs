//! The host memory that Vulkan needs for Proxel's own objects, from the engine's allocator where it set one. The choice is made before the
//! first object, so all are made and destroyed alike.

use crate::allocator::{self, EngineAllocator};
use ash::vk;
use std::alloc::Layout;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::OnceLock;

struct Callbacks(vk::AllocationCallbacks<'static>);

// SAFETY: the functions can be called from any thread, and nothing is passed to them.
unsafe impl Send for Callbacks {}
// SAFETY: as above.
unsafe impl Sync for Callbacks {}

/// What goes into the last argument of functions that create and destroy.
pub(crate) fn callbacks() -> Option<&'static vk::AllocationCallbacks<'static>> {
    static CALLBACKS: OnceLock<Callbacks> = OnceLock::new();
    allocator::engine_from_the_start()?;
    let made = CALLBACKS.get_or_init(|| {
        let functions = vk::AllocationCallbacks::default()
            .pfn_allocation(Some(allocate))
            .pfn_reallocation(Some(reallocate))
            .pfn_free(Some(free));
        Callbacks(functions)
    });
    Some(&made.0)
}

/// What stands ahead of each block: Vulkan frees without saying how large it was.
#[derive(Clone, Copy)]
#[repr(C)]
struct BlockHead {
    /// Of all of it, the head included.
    size: usize,
    /// As many bytes as the block begins after.
    alignment: usize,
}

unsafe extern "system" fn allocate(
    _: *mut c_void,
    size: usize,
    alignment: usize,
    _: vk::SystemAllocationScope,
) -> *mut c_void {
    let alignment = alignment.max(size_of::<BlockHead>());
    let whole = (size.checked_add(alignment))
        .and_then(|size| Layout::from_size_align(size, alignment).ok());
    let (Some(whole), Some(engine)) = (whole, allocator::engine_from_the_start()) else {
        return null_mut();
    };
    let start = engine.allocate(whole);
    if start.is_null() {
        return null_mut();
    }
    let head = BlockHead {
        size: whole.size(),
        alignment,
    };
    // SAFETY: the block has room for the head ahead of what is given out, and both are aligned.
    unsafe {
        let block = start.add(alignment);
        block.cast::<BlockHead>().sub(1).write(head);
        block.cast()
    }
}

/// The head of a block, and the layout of all of it.
///
/// # Safety
/// `block` came from [`allocate`].
unsafe fn head_of(block: *mut c_void) -> (BlockHead, Layout) {
    // SAFETY: by the caller's promise; the layout was valid then.
    unsafe {
        let head = block.cast::<BlockHead>().sub(1).read();
        let whole = Layout::from_size_align_unchecked(head.size, head.alignment);
        (head, whole)
    }
}

unsafe extern "system" fn free(_: *mut c_void, block: *mut c_void) {
    let Some(engine) = allocator::engine_from_the_start().filter(|_| !block.is_null()) else {
        return;
    };
    // SAFETY: Vulkan frees what it was given.
    unsafe { free_block(engine, block) };
}

/// # Safety
/// `block` came from [`allocate`].
unsafe fn free_block(engine: &EngineAllocator, block: *mut c_void) {
    // SAFETY: by the caller's promise; it begins so many bytes after its memory.
    unsafe {
        let (head, whole) = head_of(block);
        engine.free(block.cast::<u8>().sub(head.alignment), whole);
    }
}

unsafe extern "system" fn reallocate(
    user: *mut c_void,
    block: *mut c_void,
    size: usize,
    alignment: usize,
    scope: vk::SystemAllocationScope,
) -> *mut c_void {
    if size == 0 {
        // SAFETY: Vulkan frees what it was given.
        unsafe { free(user, block) };
        return null_mut();
    }
    // SAFETY: as Vulkan asks.
    let moved = unsafe { allocate(user, size, alignment, scope) };
    if moved.is_null() || block.is_null() {
        return moved;
    }
    // SAFETY: `block` came from `allocate`, and both have so many bytes.
    unsafe {
        let (head, _) = head_of(block);
        let kept = size.min(head.size - head.alignment);
        std::ptr::copy_nonoverlapping(block.cast::<u8>(), moved.cast::<u8>(), kept);
        free(user, block);
    }
    moved
}
