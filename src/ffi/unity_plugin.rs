//! What Unity calls when it loads the library as a plugin, and the part of its plugin interface that is needed: tables of
//! functions that are found by 128-bit numbers, as IUnityInterface.h, IUnityGraphics.h and IUnityGraphicsVulkan.h lay them out.

use super::boundary::guarded;
use super::context::prx_context_destroy;
use super::handles::PrxContext;
use crate::error::{Error, Result, invalid};
use crate::gpu::adopted::{Adopted, EngineHandles, GetInstanceProcAddr};
use crate::gpu::interception;
use crate::gpu::queue::QueueLock;
use crate::lock::lock;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, MutexGuard};

/// `IUnityInterfaces`: the other tables, by number.
#[repr(C)]
struct Interfaces {
    get_by_struct: *const c_void,
    register_by_struct: *const c_void,
    get: Option<unsafe extern "system" fn(high: u64, low: u64) -> *const c_void>,
    register: *const c_void,
}

/// `IUnityGraphics`.
#[repr(C)]
struct Graphics {
    get_renderer: Option<unsafe extern "system" fn() -> c_int>,
    register_device_event: Option<unsafe extern "system" fn(DeviceEventFn)>,
    unregister_device_event: Option<unsafe extern "system" fn(DeviceEventFn)>,
    reserve_event_ids: *const c_void,
}

/// `IUnityGraphicsVulkan`.
#[repr(C)]
struct Vulkan {
    intercept: Option<unsafe extern "system" fn(InterceptFn, *mut c_void) -> u8>,
    intercept_function: *const c_void,
    configure_event: *const c_void,
    instance: Option<unsafe extern "system" fn() -> VulkanInstance>,
    recording_and_resources: [*const c_void; 7],
    access_queue: *const c_void,
    configure_swapchain: *const c_void,
    access_texture_by_id: *const c_void,
}

/// `IUnityGraphicsVulkanV2`, which several plugins can use at once.
#[repr(C)]
struct VulkanV2 {
    first: Vulkan,
    add_interception: Option<unsafe extern "system" fn(InterceptFn, *mut c_void, c_int) -> u8>,
    remove_interception: Option<unsafe extern "system" fn(InterceptFn) -> u8>,
}

/// `UnityVulkanInstance`, returned by value.
#[repr(C)]
#[derive(Clone, Copy)]
struct VulkanInstance {
    pipeline_cache: u64,
    instance: *mut c_void,
    physical_device: *mut c_void,
    device: *mut c_void,
    graphics_queue: *mut c_void,
    get_instance_proc_addr: Option<GetInstanceProcAddr>,
    queue_family: u32,
    reserved: [*mut c_void; 8],
}

type DeviceEventFn = unsafe extern "system" fn(event: c_int);
type InterceptFn = unsafe extern "system" fn(
    loader: Option<GetInstanceProcAddr>,
    user: *mut c_void,
) -> Option<GetInstanceProcAddr>;

const GRAPHICS: (u64, u64) = (0x7CBA_0A9C_A4DD_B544, 0x8C5A_D492_6EB1_7B11);
const VULKAN: (u64, u64) = (0x9535_5348_D4EF_4E11, 0x9789_313D_FCFF_CC87);
const VULKAN_V2: (u64, u64) = (0x3293_34C0_9DCA_4787, 0xB347_DD92_A009_7FFC);

/// `kUnityGfxRendererVulkan`.
const RENDERER_VULKAN: c_int = 21;
/// `kUnityGfxDeviceEventShutdown`.
const EVENT_SHUTDOWN: c_int = 1;

/// Unity, as it introduced itself. The tables live as long as Unity.
struct Unity {
    graphics: Option<&'static Graphics>,
    vulkan: Option<&'static Vulkan>,
    vulkan_v2: Option<&'static VulkanV2>,
    /// Contexts on Unity's device, by handle.
    contexts: Vec<u64>,
}

// SAFETY: the pointers in the tables are functions, which any thread may call as Unity's documentation says.
unsafe impl Send for Unity {}

static UNITY: Mutex<Option<Unity>> = Mutex::new(None);

fn unity() -> MutexGuard<'static, Option<Unity>> {
    lock(&UNITY)
}

/// Called by Unity when it loads the library.
///
/// # Safety
/// `interfaces` is null or Unity's table, which stays valid until [`UnityPluginUnload`] returns.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "Unity's name")]
pub unsafe extern "system" fn UnityPluginLoad(interfaces: *const c_void) {
    guarded(0, || {
        // SAFETY: by the caller's promise.
        let table = unsafe { interfaces.cast::<Interfaces>().as_ref() };
        let get = table
            .and_then(|table| table.get)
            .ok_or_else(|| invalid("UnityPluginLoad got no table of interfaces"))?;
        // SAFETY: each number names the table of that layout, or gives null; they live as long as Unity.
        let met = unsafe {
            let vulkan_v2 = get(VULKAN_V2.0, VULKAN_V2.1).cast::<VulkanV2>().as_ref();
            let vulkan = get(VULKAN.0, VULKAN.1).cast::<Vulkan>().as_ref();
            Unity {
                graphics: get(GRAPHICS.0, GRAPHICS.1).cast::<Graphics>().as_ref(),
                vulkan: vulkan.or(vulkan_v2.map(|table| &table.first)),
                vulkan_v2,
                contexts: Vec::new(),
            }
        };
        // A second introduction without a farewell: the first one's contexts go.
        leave();
        met.listen();
        *unity() = Some(met);
        Ok(())
    });
}

/// Called by Unity before it unloads the library.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "Unity's name")]
pub extern "system" fn UnityPluginUnload() {
    guarded(0, || {
        leave();
        interception::release();
        Ok(())
    });
}

/// Creates a context on Unity's device, and remembers to destroy it before the device goes.
pub(super) fn on_unitys_device(
    create: impl FnOnce(Adopted) -> Result<*mut PrxContext>,
) -> Result<*mut PrxContext> {
    let mut unity = unity();
    let Some(unity) = unity.as_mut() else {
        return Err(Error::WrongState(
            "Unity has not loaded Proxel as a plugin (UnityPluginLoad was not called): put libproxel.so under Plugins, or open \
             a device of Proxel's own by prx_context_create"
                .into(),
        ));
    };
    let context = create(unity.device()?)?;
    unity.contexts.push(context as u64);
    Ok(context)
}

impl Unity {
    /// Asks to see Unity's Vulkan calls and to be told when its device goes.
    fn listen(&self) {
        // SAFETY: Unity's functions with functions of this library, as its documentation says.
        unsafe {
            if let Some(add) = self.vulkan_v2.and_then(|table| table.add_interception) {
                add(on_vulkan_start, std::ptr::null_mut(), 0);
            } else if let Some(intercept) = self.vulkan.and_then(|table| table.intercept) {
                intercept(on_vulkan_start, std::ptr::null_mut());
            }
            if let Some(register) = self.graphics.and_then(|table| table.register_device_event) {
                register(on_device_event);
            }
        }
    }

    /// Takes back what [`Unity::listen`] asked for.
    fn ignore(&self) {
        // SAFETY: as in `listen`.
        unsafe {
            if let Some(remove) = self.vulkan_v2.and_then(|table| table.remove_interception) {
                remove(on_vulkan_start);
            }
            if let Some(unregister) = self
                .graphics
                .and_then(|table| table.unregister_device_event)
            {
                unregister(on_device_event);
            }
        }
    }

    /// Unity's device, with what was seen when it was created.
    fn device(&self) -> Result<Adopted> {
        let renderer = self.graphics.and_then(|table| table.get_renderer);
        // SAFETY: Unity's function without arguments.
        let renderer = renderer.map(|ask| unsafe { ask() });
        let ask = self.vulkan.and_then(|table| table.instance);
        let (Some(RENDERER_VULKAN), Some(ask)) = (renderer, ask) else {
            return Err(Error::Unsupported(format!(
                "Unity does not render with Vulkan (its renderer is number {}, Vulkan is {RENDERER_VULKAN}): put Vulkan first under \
                 Project Settings > Player > Graphics APIs, or open a device of Proxel's own by prx_context_create",
                renderer.unwrap_or(-1)
            )));
        };
        // SAFETY: Unity's function without arguments.
        let handed = unsafe { ask() };
        if handed.device.is_null() {
            return Err(Error::WrongState(
                "Unity has no device now: it is not created yet, or gone already".into(),
            ));
        }
        // SAFETY: Unity's handles belong together and are valid while its device is alive.
        unsafe {
            interception::adopt(EngineHandles {
                instance: handed.instance,
                physical_device: handed.physical_device,
                device: handed.device,
                queue: handed.graphics_queue,
                queue_family: handed.queue_family,
                api_version: 0,
                get_instance_proc_addr: handed.get_instance_proc_addr,
                enabled_features: std::ptr::null(),
                enabled_extensions: Vec::new(),
                lock: QueueLock::own(),
            })
        }
    }
}

/// Takes leave of Unity: no calls of its any more, no contexts on its device.
fn leave() {
    let left = unity().take();
    if let Some(mut left) = left {
        left.ignore();
        destroy(std::mem::take(&mut left.contexts));
    }
}

/// Destroys the contexts on Unity's device that are still there.
fn destroy(contexts: Vec<u64>) {
    for context in contexts {
        // One that its owner destroyed already is refused, which is as it should be.
        prx_context_destroy(context as *mut PrxContext);
    }
}

/// Unity's device goes.
fn leave_device() {
    let contexts = unity()
        .as_mut()
        .map(|unity| std::mem::take(&mut unity.contexts));
    destroy(contexts.unwrap_or_default());
}

unsafe extern "system" fn on_device_event(event: c_int) {
    guarded(0, || {
        if event == EVENT_SHUTDOWN {
            leave_device();
        }
        Ok(())
    });
}

unsafe extern "system" fn on_vulkan_start(
    loader: Option<GetInstanceProcAddr>,
    _user: *mut c_void,
) -> Option<GetInstanceProcAddr> {
    interception::intercept(loader, |_device| leave_device())
}
