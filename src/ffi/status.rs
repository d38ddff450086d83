//! Statuses and errors
//!
//! Every call that can fail returns a PrxStatus, and prx_last_error has the message: what was wrong, with which value, and what to do.

use super::handles::PrxContext;
use crate::error::Error;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};

/// What a call returns. Zero is success; numbers are never reused.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrxStatus {
    /// The call did what it says.
    Ok = 0,
    /// An argument that no device could accept.
    InvalidArgument = 1,
    /// A null, stale, foreign or mistyped handle or id.
    InvalidHandle = 2,
    /// A struct whose `size` this library does not know: fill it by its `_default` function.
    StructSize = 3,
    /// An output array that is too small; the count needed was written.
    BufferTooSmall = 4,
    /// A call that does not fit the object's state, such as reading a batch in flight.
    WrongState = 5,
    /// Something that this device does not offer.
    Unsupported = 6,
    /// No Vulkan loader on this machine.
    NoVulkan = 7,
    /// No Vulkan device that fits.
    NoDevice = 8,
    /// The device has no room: the message says how much was asked.
    OutOfDeviceMemory = 9,
    /// The host has no room.
    OutOfHostMemory = 10,
    /// The device was lost. Destroy the context; every other call on it returns this too.
    DeviceLost = 11,
    /// The time limit passed first; the work goes on.
    Timeout = 12,
    /// A Vulkan call failed: the message names it.
    Vulkan = 13,
    /// A bug in Proxel, caught at the boundary. The context stays usable.
    Internal = 14,
    /// The caller stopped the work.
    Cancelled = 15,
}

/// The most points, pairs, objects, bodies, meshes or numbers that one call takes: a greater count is refused before anything is read.
pub const PRX_MAX_COUNT: u32 = 67108864;

impl PrxStatus {
    const NAMES: [&'static CStr; 16] = [
        c"PRX_STATUS_OK",
        c"PRX_STATUS_INVALID_ARGUMENT",
        c"PRX_STATUS_INVALID_HANDLE",
        c"PRX_STATUS_STRUCT_SIZE",
        c"PRX_STATUS_BUFFER_TOO_SMALL",
        c"PRX_STATUS_WRONG_STATE",
        c"PRX_STATUS_UNSUPPORTED",
        c"PRX_STATUS_NO_VULKAN",
        c"PRX_STATUS_NO_DEVICE",
        c"PRX_STATUS_OUT_OF_DEVICE_MEMORY",
        c"PRX_STATUS_OUT_OF_HOST_MEMORY",
        c"PRX_STATUS_DEVICE_LOST",
        c"PRX_STATUS_TIMEOUT",
        c"PRX_STATUS_VULKAN",
        c"PRX_STATUS_INTERNAL",
        c"PRX_STATUS_CANCELLED",
    ];
}

impl From<&Error> for PrxStatus {
    fn from(error: &Error) -> Self {
        match error {
            Error::InvalidArgument(_) => Self::InvalidArgument,
            Error::InvalidHandle(_) => Self::InvalidHandle,
            Error::StructSize { .. } => Self::StructSize,
            Error::BufferTooSmall { .. } => Self::BufferTooSmall,
            Error::WrongState(_) => Self::WrongState,
            Error::Unsupported(_) => Self::Unsupported,
            Error::NoVulkan(_) => Self::NoVulkan,
            Error::NoDevice(_) => Self::NoDevice,
            Error::OutOfDeviceMemory { .. } => Self::OutOfDeviceMemory,
            Error::OutOfHostMemory(_) => Self::OutOfHostMemory,
            Error::DeviceLost(_) => Self::DeviceLost,
            Error::Timeout(_) => Self::Timeout,
            Error::Vulkan { .. } => Self::Vulkan,
            Error::Internal(_) => Self::Internal,
            Error::Cancelled(_) => Self::Cancelled,
        }
    }
}

/// The messages of a thread, newest last: which context, what was said.
struct Messages(Vec<(u64, CString)>);

/// Contexts whose last message a thread remembers.
const REMEMBERED: usize = 16;

thread_local! {
    static MESSAGES: RefCell<Messages> = const { RefCell::new(Messages(Vec::new())) };
}

/// Remembers an error of this thread; `context` is the handle it concerns, or 0.
pub(super) fn remember(context: u64, error: &Error) {
    let text: Vec<u8> = error
        .to_string()
        .into_bytes()
        .into_iter()
        .filter(|b| *b != 0)
        .collect();
    let text = CString::new(text).unwrap_or_default();
    MESSAGES.with_borrow_mut(|messages| {
        messages.0.retain(|(of, _)| *of != context);
        messages.0.push((context, text));
        if messages.0.len() > REMEMBERED {
            messages.0.remove(0);
        }
    });
}

/// The error message of the last call that failed on this thread: on `context`, or on anything when `context` is null.
///
/// Never null; empty when nothing failed. Valid until the next failing call on this thread. It also works on the handle
/// of a destroyed context.
///
/// Threads: every thread has its own messages.
#[unsafe(no_mangle)]
pub extern "C" fn prx_last_error(context: *const PrxContext) -> *const c_char {
    let wanted = context as u64;
    MESSAGES.with_borrow(|messages| {
        let found = messages
            .0
            .iter()
            .rev()
            .find(|(of, _)| wanted == 0 || *of == wanted);
        found.map_or(c"".as_ptr(), |(_, text)| text.as_ptr())
    })
}

/// The name of a status, such as "PRX_STATUS_OK". Never null.
#[unsafe(no_mangle)]
pub extern "C" fn prx_status_name(status: u32) -> *const c_char {
    PrxStatus::NAMES
        .get(status as usize)
        .copied()
        .unwrap_or(c"an unknown status")
        .as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(context: u64) -> String {
        let text = prx_last_error(context as *const PrxContext);
        // SAFETY: `prx_last_error` returns a valid string.
        unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn the_last_sentence_is_kept_for_each_context_and_for_all() {
        remember(1, &Error::Unsupported("one".into()));
        remember(2, &Error::Unsupported("two\0!".into()));
        assert_eq!(last(1), "one");
        assert_eq!(last(2), "two!");
        assert_eq!(last(0), "two!");
        assert_eq!(last(3), "");
        for context in 10..100 {
            remember(context, &Error::Unsupported("many".into()));
        }
        assert_eq!(last(1), "", "the oldest are forgotten");
    }

    #[test]
    fn every_status_has_a_name() {
        assert_eq!(PrxStatus::NAMES.len(), PrxStatus::Cancelled as usize + 1);
    }
}
