//! Keeps the DLL in memory once it is loaded, as `-z nodelete` does on Linux (`build/main.rs`): an engine may hold functions
//! of the library after it has unloaded it.

use std::ffi::c_void;

#[link(name = "kernel32")]
unsafe extern "system" {
    fn GetModuleHandleExW(flags: u32, address: *const c_void, module: *mut *mut c_void) -> i32;
}

const PIN: u32 = 1;
const FROM_ADDRESS: u32 = 4;

/// The C runtime calls what stands in this section when it loads the library.
#[used]
#[unsafe(link_section = ".CRT$XCU")]
static AT_LOAD: extern "C" fn() = pin;

extern "C" fn pin() {
    let mut module = std::ptr::null_mut();
    // SAFETY: the address is one inside this library, and `module` is writable. A refusal leaves things as they were.
    unsafe { GetModuleHandleExW(PIN | FROM_ADDRESS, pin as *const c_void, &mut module) };
}
