//! The library's memory: every allocation of Rust passes here, to the system's allocator or to one that the engine set before the first.
//! Where these have none left, small objects come from a reserve.

mod blocks;
mod lasting;
mod reserve;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU8, Ordering};

/// Gives memory, or null.
pub type AllocateFn =
    unsafe extern "C" fn(user: *mut c_void, size: u64, alignment: u64) -> *mut c_void;

/// Makes memory larger or smaller, also at another place; or null, and it stays as it is.
pub type ReallocateFn = unsafe extern "C" fn(
    user: *mut c_void,
    memory: *mut c_void,
    size: u64,
    alignment: u64,
    new_size: u64,
) -> *mut c_void;

/// Takes memory back.
pub type FreeFn =
    unsafe extern "C" fn(user: *mut c_void, memory: *mut c_void, size: u64, alignment: u64);

/// The engine's functions.
#[derive(Clone, Copy)]
pub struct EngineAllocator {
    /// Passed to all of them.
    pub user: *mut c_void,
    /// Gives memory.
    pub allocate: AllocateFn,
    /// Changes its size; without it, memory is allocated, copied and freed.
    pub reallocate: Option<ReallocateFn>,
    /// Takes memory back.
    pub free: FreeFn,
}

/// Nothing was allocated yet.
const UNTOUCHED: u8 = 0;
/// The system's.
const SYSTEM: u8 = 1;
/// The engine's, in a moment.
const SETTING: u8 = 2;
/// The engine's.
const ENGINE: u8 = 3;
/// A test's, after the system's.
const REPLACED: u8 = 4;

static WHOSE: AtomicU8 = AtomicU8::new(UNTOUCHED);

struct EngineCell(UnsafeCell<Option<EngineAllocator>>);

// SAFETY: written only by whoever moved `WHOSE` to `SETTING`, read only after it is `ENGINE`.
unsafe impl Sync for EngineCell {}

static KEPT: EngineCell = EngineCell(UnsafeCell::new(None));

#[global_allocator]
static LIBRARY: LibraryAllocator = LibraryAllocator;

struct LibraryAllocator;

/// Sets the engine's allocator; false where something was allocated already.
///
/// # Safety
/// The functions may be called from any thread until the process ends, and do as they say.
pub unsafe fn set(engine: EngineAllocator) -> bool {
    // SAFETY: by the caller's promise; nothing was allocated.
    unsafe { exchange(UNTOUCHED, ENGINE, engine) }
}

/// Puts an allocator in the place of the system's that frees what the system's gave. For tests.
///
/// # Safety
/// As for [`set`]; `engine` frees and reallocates memory of [`System`].
pub unsafe fn replace_system(engine: EngineAllocator) -> bool {
    // SAFETY: by the caller's promise.
    unsafe { exchange(SYSTEM, REPLACED, engine) }
}

/// # Safety
/// `engine` is sound, and frees what was allocated so far.
unsafe fn exchange(before: u8, after: u8, engine: EngineAllocator) -> bool {
    let (success, failure) = (Ordering::Acquire, Ordering::Relaxed);
    if (WHOSE.compare_exchange(before, SETTING, success, failure)).is_err() {
        return false;
    }
    // SAFETY: nobody else writes it, and nobody reads it before the next line.
    unsafe { *KEPT.0.get() = Some(engine) };
    WHOSE.store(after, Ordering::Release);
    true
}

/// The engine's allocator, where it set one.
#[inline]
pub fn engine() -> Option<&'static EngineAllocator> {
    match WHOSE.load(Ordering::Acquire) {
        SYSTEM => None,
        // SAFETY: it is not written any more.
        ENGINE | REPLACED => unsafe { &*KEPT.0.get() }.as_ref(),
        _ => settled(),
    }
}

/// The same where no other was ever used.
pub fn engine_from_the_start() -> Option<&'static EngineAllocator> {
    engine().filter(|_| WHOSE.load(Ordering::Relaxed) == ENGINE)
}

/// The first allocation decides; one at the same time as `set` waits for it.
#[cold]
fn settled() -> Option<&'static EngineAllocator> {
    let order = Ordering::Acquire;
    let _ = WHOSE.compare_exchange(UNTOUCHED, SYSTEM, order, order);
    while WHOSE.load(order) == SETTING {
        spin_loop();
    }
    engine()
}

impl EngineAllocator {
    /// Memory of the engine's; null also where it is not aligned as asked.
    pub(crate) fn allocate(&self, layout: Layout) -> *mut u8 {
        let (size, alignment) = (layout.size() as u64, layout.align() as u64);
        // SAFETY: by the promise of `set`.
        let memory = unsafe { (self.allocate)(self.user, size, alignment) };
        if (memory as usize).is_multiple_of(layout.align()) {
            return memory.cast();
        }
        // SAFETY: it was just allocated with these.
        unsafe { (self.free)(self.user, memory, size, alignment) };
        std::ptr::null_mut()
    }

    /// # Safety
    /// `memory` was allocated here with `layout`.
    pub(crate) unsafe fn free(&self, memory: *mut u8, layout: Layout) {
        let (size, alignment) = (layout.size() as u64, layout.align() as u64);
        // SAFETY: by the caller's promise.
        unsafe { (self.free)(self.user, memory.cast(), size, alignment) };
    }

    /// # Safety
    /// `memory` was allocated here with `layout`; `size` is not zero.
    pub(crate) unsafe fn reallocate(
        &self,
        memory: *mut u8,
        layout: Layout,
        size: usize,
    ) -> *mut u8 {
        if let Some(reallocate) = self.reallocate.filter(|_| !lasting::has(memory)) {
            let (old, alignment) = (layout.size() as u64, layout.align() as u64);
            // SAFETY: by the caller's promise.
            return unsafe { reallocate(self.user, memory.cast(), old, alignment, size as u64) }
                .cast();
        }
        // SAFETY: by the caller's promise.
        unsafe { moved(memory, layout, size, |wanted| self.allocate(wanted)) }
    }
}

/// Moves memory to what `new` gives, if that is not null.
///
/// # Safety
/// `memory` was allocated by the library with `layout`; `size` is not zero.
unsafe fn moved(
    memory: *mut u8,
    layout: Layout,
    size: usize,
    new: impl FnOnce(Layout) -> *mut u8,
) -> *mut u8 {
    let Ok(wanted) = Layout::from_size_align(size, layout.align()) else {
        return std::ptr::null_mut();
    };
    let moved = new(wanted);
    if !moved.is_null() {
        // SAFETY: both have as many bytes, and one is new.
        unsafe {
            std::ptr::copy_nonoverlapping(memory, moved, size.min(layout.size()));
            LIBRARY.dealloc(memory, layout);
        }
    }
    moved
}

// SAFETY: the system's allocator does the work, or the engine's by its promise, or the reserve; memory goes back to where it came from, because
// the choice is made before the first allocation and the reserve knows its own.
unsafe impl GlobalAlloc for LibraryAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let memory = match engine() {
            // SAFETY: by the caller's promise.
            None => unsafe { System.alloc(layout) },
            Some(engine) => lasting::take(layout).unwrap_or_else(|| engine.allocate(layout)),
        };
        if memory.is_null() {
            return reserve::take(layout);
        }
        memory
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let memory = match engine() {
            None => {
                // SAFETY: by the caller's promise.
                let memory = unsafe { System.alloc_zeroed(layout) };
                if !memory.is_null() {
                    return memory;
                }
                reserve::take(layout)
            }
            // SAFETY: by the caller's promise.
            Some(_) => unsafe { self.alloc(layout) },
        };
        if !memory.is_null() {
            // SAFETY: so many bytes were just allocated.
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if reserve::has(memory) {
            // SAFETY: by the caller's promise; the new layout has a size.
            return unsafe { moved(memory, layout, size, |wanted| self.alloc(wanted)) };
        }
        let larger = match engine() {
            // SAFETY: by the caller's promise.
            None => unsafe { System.realloc(memory, layout, size) },
            // SAFETY: as above.
            Some(engine) => unsafe { engine.reallocate(memory, layout, size) },
        };
        if larger.is_null() {
            // SAFETY: by the caller's promise; it is where it was.
            return unsafe { moved(memory, layout, size, reserve::take) };
        }
        larger
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        match engine() {
            _ if reserve::has(memory) => reserve::give_back(memory),
            // SAFETY: by the caller's promise.
            None => unsafe { System.dealloc(memory, layout) },
            Some(_) if lasting::has(memory) => lasting::give_back(memory),
            // SAFETY: as above.
            Some(engine) => unsafe { engine.free(memory, layout) },
        }
    }
}
