//! The device that all bodies of this process are on, opened at its first use.

use crate::native::{
    PRX_STATUS_OK, PrxContext, PrxContextInfo, PrxStatus, prx_context_create,
    prx_context_def_default, prx_context_destroy, prx_context_info, prx_last_error,
};
use godot::prelude::*;
use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::Mutex;

/// Why something failed, for people.
pub type Outcome<T> = Result<T, String>;

struct Opened(*mut PrxContext);

// SAFETY: a context may be used on any thread.
unsafe impl Send for Opened {}

static DEVICE: Mutex<Option<Opened>> = Mutex::new(None);

thread_local! {
    static LAST_ERROR: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The context, opened on any device if none is open.
pub fn context() -> Outcome<*mut PrxContext> {
    let opened = DEVICE.lock().ok().and_then(|it| it.as_ref().map(|it| it.0));
    match opened {
        Some(context) => Ok(context),
        None => open(""),
    }
}

/// Opens a device by a part of its name, or any for an empty one. What was made on the one before is made anew at its next use.
pub fn open(name: &str) -> Outcome<*mut PrxContext> {
    let name = CString::new(name).map_err(|_| "the device's name has a zero in it".to_owned())?;
    // SAFETY: asks for nothing.
    let mut def = unsafe { prx_context_def_default() };
    if !name.is_empty() {
        def.device_name = name.as_ptr();
    }
    let mut context = null_mut();
    // SAFETY: the def is valid, the output is a local.
    check(null_mut(), unsafe {
        prx_context_create(&def, &mut context)
    })?;
    close();
    if let Ok(mut device) = DEVICE.lock() {
        *device = Some(Opened(context));
    }
    Ok(context)
}

/// Destroys the context and all that is in it.
pub fn close() {
    let opened = DEVICE.lock().ok().and_then(|mut it| it.take());
    if let Some(Opened(context)) = opened {
        // SAFETY: nobody else has it.
        unsafe { prx_context_destroy(context) };
    }
}

/// What the device is called.
pub fn name() -> Outcome<String> {
    let context = context()?;
    // SAFETY: numbers and texts, for which zero is a value.
    let mut info: PrxContextInfo = unsafe { std::mem::zeroed() };
    info.size = size_of::<PrxContextInfo>() as u32;
    // SAFETY: `info` is writable and has its size.
    check(context, unsafe { prx_context_info(context, &mut info) })?;
    // SAFETY: a name of the library's ends with a zero inside of its array.
    let name = unsafe { CStr::from_ptr(info.device_name.as_ptr().cast()) };
    Ok(name.to_string_lossy().into_owned())
}

/// The status as a result, with Proxel's own message.
pub fn check(context: *mut PrxContext, status: PrxStatus) -> Outcome<()> {
    if status == PRX_STATUS_OK {
        return Ok(());
    }
    // SAFETY: never null, and valid until the next call that fails on this thread.
    let message = unsafe { CStr::from_ptr(prx_last_error(context)) };
    Err(message.to_string_lossy().into_owned())
}

/// What a call writes when it succeeds.
pub fn filled<T>(context: *mut PrxContext, call: impl FnOnce(*mut T) -> PrxStatus) -> Outcome<T> {
    let mut out = MaybeUninit::uninit();
    check(context, call(out.as_mut_ptr()))?;
    // SAFETY: a call that succeeds has written its output.
    Ok(unsafe { out.assume_init() })
}

/// The answer, or nothing and a message in Godot's output.
pub fn told<T: Default>(outcome: Outcome<T>) -> T {
    outcome.unwrap_or_else(|message| {
        godot_error!("Proxel: {message}");
        LAST_ERROR.with_borrow_mut(|last| *last = message);
        T::default()
    })
}

/// The message of the last call that failed on this thread.
pub fn last_error() -> String {
    LAST_ERROR.with_borrow(Clone::clone)
}
