//! Validation and driver messages, handed on to the log.

use super::callbacks::callbacks;
use crate::log::{Log, Severity};
use ash::{ext, vk};
use std::ffi::{CStr, c_void};

/// A debug messenger and the log it writes to.
pub(crate) struct Messenger {
    functions: ext::debug_utils::Instance,
    raw: vk::DebugUtilsMessengerEXT,
    log: *mut Log,
}

// SAFETY: the boxed `Log` is only read, it is `Send + Sync` itself, and the handle is only used in `destroy`.
unsafe impl Send for Messenger {}
// SAFETY: as above; no method takes `&self`.
unsafe impl Sync for Messenger {}

impl Messenger {
    /// Listens to warnings and errors of `instance`, or does nothing when the driver refuses.
    pub(crate) fn listen(entry: &ash::Entry, instance: &ash::Instance, log: &Log) -> Option<Self> {
        let functions = ext::debug_utils::Instance::new(entry, instance);
        let log = Box::into_raw(Box::new(log.clone()));
        let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(
                vk::DebugUtilsMessageSeverityFlagsEXT::WARNING
                    | vk::DebugUtilsMessageSeverityFlagsEXT::ERROR,
            )
            .message_type(
                vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION
                    | vk::DebugUtilsMessageTypeFlagsEXT::PERFORMANCE,
            )
            .pfn_user_callback(Some(on_message))
            .user_data(log.cast());
        // SAFETY: the instance is alive and was created with VK_EXT_debug_utils; `log` outlives the messenger.
        match unsafe { functions.create_debug_utils_messenger(&info, callbacks()) } {
            Ok(raw) => Some(Self {
                functions,
                raw,
                log,
            }),
            Err(_) => {
                // SAFETY: the pointer came from `Box::into_raw` above and nobody else has it.
                drop(unsafe { Box::from_raw(log) });
                None
            }
        }
    }

    /// Stops listening. Call before the instance is destroyed.
    pub(crate) fn destroy(self) {
        // SAFETY: the instance is still alive; after the first call nobody calls back with `log`.
        unsafe {
            self.functions
                .destroy_debug_utils_messenger(self.raw, callbacks());
            drop(Box::from_raw(self.log));
        }
    }
}

unsafe extern "system" fn on_message(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    log: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: Vulkan passes valid data for the length of the call; `log` is the box made in `listen`.
    let (log, text) = unsafe {
        let text = (*data).p_message;
        (
            &*log.cast::<Log>(),
            if text.is_null() {
                c""
            } else {
                CStr::from_ptr(text)
            },
        )
    };
    let severity = match severity {
        vk::DebugUtilsMessageSeverityFlagsEXT::ERROR => Severity::Error,
        _ => Severity::Warning,
    };
    log.say(severity, &format!("Vulkan: {}", text.to_string_lossy()));
    vk::FALSE
}
