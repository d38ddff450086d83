//! Names of Vulkan objects, and labels around commands, for debuggers and profilers: RenderDoc, Nsight, Radeon GPU Profiler.

use ash::{ext, vk};
use std::ffi::{CStr, CString};

/// `VK_EXT_debug_utils` of a device, where its instance has it.
#[derive(Default)]
pub(crate) struct Names(Option<ext::debug_utils::Device>);

/// What Proxel calls; a driver or layer that lacks one of them is not called at all.
const FUNCTIONS: [&CStr; 3] = [
    c"vkSetDebugUtilsObjectNameEXT",
    c"vkCmdBeginDebugUtilsLabelEXT",
    c"vkCmdEndDebugUtilsLabelEXT",
];

impl Names {
    /// Takes the functions of an instance that was created with the extension. Loaders give them out for others too.
    pub(super) fn of(instance: &ash::Instance, device: &ash::Device) -> Self {
        let has = |name: &CStr| {
            // SAFETY: the device is alive and of this instance.
            unsafe { instance.get_device_proc_addr(device.handle(), name.as_ptr()) }.is_some()
        };
        let all = FUNCTIONS.into_iter().all(has);
        Self(all.then(|| ext::debug_utils::Device::new(instance, device)))
    }

    /// Whether anybody could see names.
    pub(crate) fn are_seen(&self) -> bool {
        self.0.is_some()
    }

    /// Names an object that was just made.
    pub(crate) fn name(&self, object: impl vk::Handle, what: &str) {
        let Some(functions) = &self.0 else { return };
        let name = text(what);
        let info = vk::DebugUtilsObjectNameInfoEXT::default()
            .object_handle(object)
            .object_name(&name);
        // SAFETY: the object is alive, and nobody else has it yet. A name that is refused is missing, which harms nothing.
        let _ = unsafe { functions.set_debug_utils_object_name(&info) };
    }

    /// Opens a label around the commands that follow.
    ///
    /// # Safety
    /// The command buffer is recording.
    pub(super) unsafe fn begin(&self, commands: vk::CommandBuffer, label: &CStr) {
        if let Some(functions) = &self.0 {
            let info = vk::DebugUtilsLabelEXT::default().label_name(label);
            // SAFETY: by the caller's promise.
            unsafe { functions.cmd_begin_debug_utils_label(commands, &info) };
        }
    }

    /// Closes the label that was opened last.
    ///
    /// # Safety
    /// The command buffer is recording, and has an open label.
    pub(super) unsafe fn end(&self, commands: vk::CommandBuffer) {
        if let Some(functions) = &self.0 {
            // SAFETY: by the caller's promise.
            unsafe { functions.cmd_end_debug_utils_label(commands) };
        }
    }
}

/// A name as Vulkan takes it, and as an engine tells it from its own. What a caller named may hold any character.
pub(crate) fn text(what: &str) -> CString {
    let mut bytes = format!("Proxel {what}").into_bytes();
    bytes.retain(|byte| *byte != 0);
    CString::new(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_with_a_zero_in_it_is_still_a_name() {
        assert_eq!(
            text("vertices of \"a\0b\""),
            c"Proxel vertices of \"ab\"".to_owned()
        );
    }
}
