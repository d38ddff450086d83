//! Contexts on Unity's device

use super::asking::Out;
use super::boundary::guarded;
use super::context::{PrxContextDef, read_request};
use super::handles::{self, PrxContext};
use super::status::PrxStatus;
use super::unity_plugin;

/// Lives on the Vulkan device that Unity renders with. `def` may be null. Unity must have loaded Proxel as a plugin when it
/// started, and render with Vulkan; the error message says what is wrong otherwise.
///
/// When Unity's device goes, the contexts on it are destroyed first; a call on one of them is then refused as a call on any
/// destroyed context is. Until then it is the caller's to destroy, by prx_context_destroy.
///
/// # Safety
/// `def` is null or valid, with valid pointers in it; `out_context` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_unity_context_create(
    def: *const PrxContextDef,
    out_context: *mut *mut PrxContext,
) -> PrxStatus {
    guarded(0, || {
        let out = Out::new(out_context, "out_context")?;
        // SAFETY: by the caller's promise.
        let request = unsafe { read_request(def) }?;
        let created = unity_plugin::on_unitys_device(|adopted| {
            // SAFETY: Unity's handles are valid until its device goes, and the context is gone before that.
            handles::add_context(unsafe { request.adopt(adopted) }?)
        })?;
        // SAFETY: by the caller's promise.
        unsafe { out.write(created) };
        Ok(())
    })
}
