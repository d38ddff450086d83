//! An allocator that fails: large allocations one after the other.

use proxel::allocator::{self, EngineAllocator};
use proxel::error::{Error, Result};
use proxel::panics;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::sync::Once;
use std::sync::atomic::{AtomicI64, Ordering};

/// What is smaller is not sized by the input of these tests.
const LARGE: u64 = 32 << 10;

/// Large allocations until one fails; at zero or below none does.
static UNTIL: AtomicI64 = AtomicI64::new(0);

fn fails(size: u64) -> bool {
    size >= LARGE && UNTIL.load(Ordering::Relaxed) > 0 && UNTIL.fetch_sub(1, Ordering::Relaxed) == 1
}

fn layout(size: u64, alignment: u64) -> Layout {
    Layout::from_size_align(size as usize, alignment as usize).unwrap()
}

unsafe extern "C" fn allocate(_: *mut c_void, size: u64, alignment: u64) -> *mut c_void {
    if fails(size) {
        return std::ptr::null_mut();
    }
    // SAFETY: by the caller's promise.
    unsafe { System.alloc(layout(size, alignment)) }.cast()
}

unsafe extern "C" fn reallocate(
    _: *mut c_void,
    memory: *mut c_void,
    size: u64,
    alignment: u64,
    new_size: u64,
) -> *mut c_void {
    if new_size > size && fails(new_size) {
        return std::ptr::null_mut();
    }
    // SAFETY: by the caller's promise.
    unsafe { System.realloc(memory.cast(), layout(size, alignment), new_size as usize) }.cast()
}

unsafe extern "C" fn free(_: *mut c_void, memory: *mut c_void, size: u64, alignment: u64) {
    // SAFETY: by the caller's promise.
    unsafe { System.dealloc(memory.cast(), layout(size, alignment)) }
}

/// Lets the library's allocator be the failing one.
fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let failing = EngineAllocator {
            user: std::ptr::null_mut(),
            allocate,
            reallocate: Some(reallocate),
            free,
        };
        // SAFETY: the system's allocator does the work; null is an answer that it may give.
        assert!(unsafe { allocator::replace_system(failing) });
    });
}

/// Asks again and again, each time with another allocation that fails, until there is none left. Gives how often it was refused. Of
/// more than 32 allocations only some have their turn, ever fewer.
pub fn fail_each<T>(name: &str, mut ask: impl FnMut() -> Result<T>) -> i64 {
    fail_each_of(name, || (), |()| ask())
}

/// The same for what takes something over, which `give` makes before any allocation fails.
pub fn fail_each_of<P, T>(
    name: &str,
    mut give: impl FnMut() -> P,
    mut ask: impl FnMut(P) -> Result<T>,
) -> i64 {
    println!("{name}");
    install();
    let (mut nth, mut refusals) = (1, 0);
    loop {
        let given = give();
        UNTIL.store(nth, Ordering::Relaxed);
        // As the C boundary does.
        let outcome = panics::caught(|| ask(given)).and_then(|answer| answer);
        let left = UNTIL.swap(0, Ordering::Relaxed);
        match outcome {
            Ok(_) if left > 0 => return refusals,
            // The memory was not needed after all, or another thread's failure was not its own.
            Ok(_) => {}
            // On the host, buffers of the device are host memory.
            Err(Error::OutOfHostMemory(_) | Error::OutOfDeviceMemory { .. }) => {
                assert!(left <= 0, "{name}: nothing failed");
                refusals += 1;
            }
            Err(error) => panic!("{name}: {error}"),
        }
        // Many are of one place, in one part of the work after the other.
        nth += 1 + nth / 32;
        assert!(nth < 100_000, "{name} allocates without end");
    }
}
