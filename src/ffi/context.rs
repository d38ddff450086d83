//! Contexts
//!
//! A context is a device with all that lives on it. prx_context_create opens a Vulkan device of its own, or runs on the host without
//! one; prx_context_adopt takes the engine's, so that buffers are shared without a copy. Optional features of the device are used where it has them; PrxFeatureChoices
//! turns one off or requires it.

use super::asking::{List, Out, list_context};
use super::boundary::{
    Sized32, guarded, on_context, optional_text, read_array, read_bytes, read_def, read_def_or,
};
use super::enumeration::{EnumOf, enumeration};
use super::handles::{self, PrxContext};
use super::status::PrxStatus;
use crate::context::Context;
use crate::context::warm_up::QueryKind;
use crate::error::{Result, invalid};
use crate::gpu::adopted::{Adopted, EngineHandles};
use crate::gpu::device::{Options, Trial};
use crate::gpu::paths::{Choice, Choices};
use crate::gpu::physical::{DeviceKind, DeviceRequest};
use crate::gpu::queue::QueueLock;
use crate::jobs::Jobs;
use crate::log::{Log, Severity};
use crate::memory::{self, Gather};
use crate::workers::Threads;
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;
use std::time::Duration;

/// How much a message matters.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxSeverity {
    /// Details for someone who looks for a fault.
    Debug = 0,
    /// What was chosen and why.
    Info = 1,
    /// Something the caller should fix.
    Warning = 2,
    /// Something that failed.
    Error = 3,
}
enumeration!(PrxSeverity: Debug, Info, Warning, Error);

/// What a context runs on.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxDevice {
    /// A Vulkan device. Where there is no loader, no driver or no device, and the def names none: the host; `log` gets the reason.
    Auto = 0,
    /// A Vulkan device, or none.
    Vulkan = 1,
    /// The host: native code on the CPU threads of the context, without any Vulkan library. What is about drawing or about an engine's
    /// VkBuffer answers PRX_STATUS_UNSUPPORTED.
    Host = 2,
}
enumeration!(PrxDevice: Auto, Vulkan, Host);

/// What to do with an optional feature.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxChoice {
    /// Take it where the device has it.
    Auto = 0,
    /// Do without it.
    Off = 1,
    /// Refuse a device that lacks it.
    Require = 2,
}
enumeration!(PrxChoice: Auto, Off, Require);

/// The state of an optional feature.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxFeatureState {
    /// The device lacks it: the other path is taken.
    Unavailable = 0,
    /// The device has it, the def turned it off: the other path is taken.
    Off = 1,
    /// The device has it and it is used.
    On = 2,
}
enumeration!(PrxFeatureState: Unavailable, Off, On);

/// Receives messages. `severity` is a PrxSeverity; `message` is valid during the call.
///
/// Threads: it is called from any thread that calls Proxel, and must not destroy the context.
pub type PrxLogFn =
    Option<unsafe extern "C" fn(user: *mut c_void, severity: u32, message: *const c_char)>;

/// An item of what PrxRunJobsFn is asked to run.
///
/// Threads: any, one that stays the same until it returns, with a stack of at least 1 MB.
pub type PrxJobFn = Option<unsafe extern "C" fn(data: *mut c_void, index: u32)>;

/// Runs work of Proxel on the engine's threads: calls `job(data, index)` for each index below `count`, in any order, on any threads, at
/// once or later. It need not wait for them; a job system's fire and forget, such as a job without a barrier, fits best, because the calling thread works too.
/// One that waits, such as a parallel for, takes part itself and runs nothing else on the calling thread meanwhile.
///
/// An item is help that is offered to the call that is running: it occupies its thread as long as there may be something to do, at most until that
/// call is done. What nobody begins, the call does itself: items that never run, or one after the other, cost time only. An item that
/// comes twice, with another index or after its call, also after the context, returns at once.
///
/// Threads: it is called from any thread that calls Proxel or runs an item. It must not call Proxel and must not throw.
pub type PrxRunJobsFn =
    Option<unsafe extern "C" fn(user: *mut c_void, job: PrxJobFn, data: *mut c_void, count: u32)>;

/// Locks or unlocks the engine's queue.
pub type PrxQueueLockFn = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// Any function; cast it to what it is.
pub type PrxVoidFn = Option<unsafe extern "system" fn()>;

/// The type of vkGetInstanceProcAddr, with the instance as a plain pointer.
pub type PrxGetInstanceProcAddr =
    Option<unsafe extern "system" fn(instance: *mut c_void, name: *const c_char) -> PrxVoidFn>;

/// What to do with each optional feature.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxFeatureChoices {
    /// Depth bounds tests; otherwise early-Z.
    pub depth_bounds: EnumOf<PrxChoice>,
    /// The geometry shader; otherwise several passes.
    pub geometry_shader: EnumOf<PrxChoice>,
    /// Conservative rasterisation; otherwise fattened triangles.
    pub conservative_rasterization: EnumOf<PrxChoice>,
    /// Subgroup arithmetic with subgroupSizeControl and computeFullSubgroups (Vulkan 1.3); otherwise shared memory.
    pub subgroups: EnumOf<PrxChoice>,
    /// Float additions in buffers. Negotiated and reported; no query uses them, because sums have a fixed order.
    pub float_atomics: EnumOf<PrxChoice>,
    /// Precise occlusion queries; otherwise yes or no.
    pub precise_occlusion: EnumOf<PrxChoice>,
    /// Fragments that write to buffers; otherwise compute.
    pub fragment_stores: EnumOf<PrxChoice>,
}

/// How to create a context. Fill it by prx_context_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxContextDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Not 0: load the Khronos validation layer; its messages go to `log`. Ignored when adopting.
    pub validation: u32,
    /// A part of the wanted Vulkan device's name, in any case, or null for any; "host" is PRX_DEVICE_HOST. Ignored when adopting.
    pub device_name: *const c_char,
    /// The wanted device's UUID, or all zero for any. Ignored when adopting.
    pub device_uuid: [u8; 16],
    /// What to do with each optional feature.
    pub features: PrxFeatureChoices,
    /// The least severity that reaches `log`.
    pub log_severity: EnumOf<PrxSeverity>,
    /// CPU threads; 0 for as many as the machine runs at once. They end with the context. With `run_jobs`, the items that a call offers.
    pub worker_threads: u32,
    /// Receives messages, or null.
    pub log: PrxLogFn,
    /// Passed to `log`.
    pub log_user: *mut c_void,
    /// What prx_context_pipeline_cache gave earlier, or null. One of another device or driver is ignored.
    pub pipeline_cache: *const c_void,
    /// Bytes of `pipeline_cache`.
    pub pipeline_cache_size: u64,
    /// What to run on. Ignored when adopting. With PRX_DEVICE_HOST, `validation`, `device_name`, `device_uuid` and `pipeline_cache` are
    /// ignored.
    pub device: EnumOf<PrxDevice>,
    /// Whether queries run on the host, beside a Vulkan device, where they are done sooner: with PRX_CHOICE_AUTO all on software devices,
    /// and on GPUs those on meshes so small that a submission would take longer (PrxContextInfo has the number); never with PRX_CHOICE_OFF; wherever it can
    /// be with PRX_CHOICE_REQUIRE. A mesh in an engine's VkBuffer, a live field, and a path or a generator that the call names stay on the device.
    pub host_queries: EnumOf<PrxChoice>,
    /// Runs work on the engine's threads, or null. With it the context starts no thread: what runs in the background otherwise (bakes, batches on the
    /// host, exact queries of batches) is offered to the engine too, and done by the call that waits for it where no thread of the engine has begun. So prx_field_wait may
    /// take as long as a bake, whatever its limit; prx_batch_poll and a wait with a limit do what the engine has not begun within 10 ms.
    pub run_jobs: PrxRunJobsFn,
    /// Passed to `run_jobs`.
    pub jobs_user: *mut c_void,
    /// The most bytes of device memory that the context may have at a time; UINT64_MAX, the default, for no limit. What does not fit is
    /// PRX_STATUS_OUT_OF_DEVICE_MEMORY, and prx_context_memory says what is there.
    pub device_memory_budget: u64,
}

// SAFETY: repr(C), size first, integers and pointers only.
unsafe impl Sized32 for PrxContextDef {
    const NAME: &'static str = "PrxContextDef";
    const FILLED_BY: &'static str = "context_def_default";
}

/// The engine's Vulkan objects. They stay the engine's and must outlive the context. Fill it by
/// prx_vulkan_device_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxVulkanDevice {
    /// Bytes of this struct.
    pub size: u32,
    /// The apiVersion of the engine's VkApplicationInfo; at least Vulkan 1.2.
    pub api_version: u32,
    /// VkInstance.
    pub instance: *mut c_void,
    /// VkPhysicalDevice.
    pub physical_device: *mut c_void,
    /// VkDevice.
    pub device: *mut c_void,
    /// VkQueue with compute. Without graphics, what draws is PRX_STATUS_UNSUPPORTED: overlap, culling by visibility, and paths that draw.
    pub queue: *mut c_void,
    /// The queue's family.
    pub queue_family: u32,
    /// Strings in `enabled_extensions`.
    pub enabled_extension_count: u32,
    /// The device extensions passed to vkCreateDevice; and "VK_EXT_debug_utils" where the instance was created with it, so that Proxel's objects have
    /// names and its commands labels.
    pub enabled_extensions: *const *const c_char,
    /// The VkPhysicalDeviceFeatures2 chain passed to vkCreateDevice, or null. Proxel uses what is there; Vulkan cannot be asked what was
    /// enabled. Without `timelineSemaphore` it waits by fences, and PrxTimelinePoint names binary semaphores.
    pub enabled_features: *const c_void,
    /// The loader's vkGetInstanceProcAddr.
    pub get_instance_proc_addr: PrxGetInstanceProcAddr,
    /// Called before Proxel uses the queue, or null.
    pub lock_queue: PrxQueueLockFn,
    /// Called after Proxel used the queue, or null.
    pub unlock_queue: PrxQueueLockFn,
    /// Passed to both.
    pub queue_user: *mut c_void,
}

// SAFETY: repr(C), size first, integers and pointers only.
unsafe impl Sized32 for PrxVulkanDevice {
    const NAME: &'static str = "PrxVulkanDevice";
    const FILLED_BY: &'static str = "vulkan_device_default";
}

/// A def that takes the best device there is, logs nothing and chooses every path by itself.
#[unsafe(no_mangle)]
pub extern "C" fn prx_context_def_default() -> PrxContextDef {
    PrxContextDef {
        size: size_of::<PrxContextDef>() as u32,
        validation: 0,
        device_name: std::ptr::null(),
        device_uuid: [0; 16],
        features: PrxFeatureChoices {
            depth_bounds: PrxChoice::Auto.into(),
            geometry_shader: PrxChoice::Auto.into(),
            conservative_rasterization: PrxChoice::Auto.into(),
            subgroups: PrxChoice::Auto.into(),
            float_atomics: PrxChoice::Auto.into(),
            precise_occlusion: PrxChoice::Auto.into(),
            fragment_stores: PrxChoice::Auto.into(),
        },
        log_severity: PrxSeverity::Warning.into(),
        worker_threads: 0,
        log: None,
        log_user: std::ptr::null_mut(),
        pipeline_cache: std::ptr::null(),
        pipeline_cache_size: 0,
        device: PrxDevice::Auto.into(),
        host_queries: PrxChoice::Auto.into(),
        run_jobs: None,
        jobs_user: std::ptr::null_mut(),
        device_memory_budget: u64::MAX,
    }
}

/// An engine's device with everything null but the size.
#[unsafe(no_mangle)]
pub extern "C" fn prx_vulkan_device_default() -> PrxVulkanDevice {
    PrxVulkanDevice {
        size: size_of::<PrxVulkanDevice>() as u32,
        api_version: 0,
        instance: std::ptr::null_mut(),
        physical_device: std::ptr::null_mut(),
        device: std::ptr::null_mut(),
        queue: std::ptr::null_mut(),
        queue_family: 0,
        enabled_extension_count: 0,
        enabled_extensions: std::ptr::null(),
        enabled_features: std::ptr::null(),
        get_instance_proc_addr: None,
        lock_queue: None,
        unlock_queue: None,
        queue_user: std::ptr::null_mut(),
    }
}

/// Opens a device: the one named in `def`, or the best (discrete, integrated, virtual, CPU). `def` may be null for the
/// default. When it fails, prx_last_error(NULL) says why.
///
/// # Safety
/// `def` is null or valid, with valid pointers in it; `out_context` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_context_create(
    def: *const PrxContextDef,
    out_context: *mut *mut PrxContext,
) -> PrxStatus {
    guarded(0, || {
        let out = Out::new(out_context, "out_context")?;
        // SAFETY: by the caller's promise.
        unsafe {
            let request = read_request(def)?;
            let context = Context::open(request.options, request.threads)?;
            context.device().set_memory_budget(request.budget);
            out.write(handles::add_context(context)?);
        }
        Ok(())
    })
}

/// Lives on the engine's device: no device of its own, no copies between devices. `def` may be null. What Proxel needs and the
/// device lacks is reported by name.
///
/// # Safety
/// The handles in `device` are valid, belong together and outlive the context; `def` is null or valid; `out_context` is
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_context_adopt(
    def: *const PrxContextDef,
    device: *const PrxVulkanDevice,
    out_context: *mut *mut PrxContext,
) -> PrxStatus {
    guarded(0, || {
        let out = Out::new(out_context, "out_context")?;
        // SAFETY: by the caller's promise.
        unsafe {
            let request = read_request(def)?;
            let adopted = read_adopted(read_def(device)?)?;
            out.write(handles::add_context(request.adopt(adopted)?)?);
        }
        Ok(())
    })
}

/// Destroys a context and everything in it. Waits for calls in progress on other threads and for the device. Meshes and
/// batches that were not destroyed before are named in the log, and freed.
#[unsafe(no_mangle)]
pub extern "C" fn prx_context_destroy(context: *mut PrxContext) -> PrxStatus {
    guarded(context as u64, || {
        let (mut context, batches) = handles::remove_context(context)?;
        let log = context.device().log.clone();
        if !batches.is_empty() {
            let count = batches.len();
            log.say(
                Severity::Warning,
                &format!("{count} batch(es) were still alive when their context was destroyed"),
            );
        }
        for live in batches {
            unshared(live.batch);
        }
        // Calls in progress hold the context; an adopted device may go as soon as this returns.
        while Arc::get_mut(&mut context).is_none() {
            std::thread::sleep(Duration::from_micros(50));
        }
        drop(context);
        Ok(())
    })
}

/// Waits until nobody else holds `shared`, then drops it.
pub(super) fn unshared<T>(mut shared: Arc<T>) {
    while Arc::get_mut(&mut shared).is_none() {
        std::thread::sleep(Duration::from_micros(50));
    }
}

/// Waits until everything submitted on this context has finished.
#[unsafe(no_mangle)]
pub extern "C" fn prx_context_wait_idle(context: *mut PrxContext) -> PrxStatus {
    on_context(context, Context::wait_idle)
}

/// Gives back the working memory that the context keeps for the next query that is answered at once: at most 256 MB, on the device, or on the host
/// where such queries ran there (`working` and `host_queries` of PrxContextMemory). That query then takes new memory, which takes time. Batches keep theirs until they are destroyed.
#[unsafe(no_mangle)]
pub extern "C" fn prx_context_trim(context: *mut PrxContext) -> PrxStatus {
    on_context(context, |context| {
        context.trim();
        Ok(())
    })
}

/// Ends all calls that are running on this context and its batches, on any thread, and all bakes, with PRX_STATUS_CANCELLED. Exact
/// queries and bakes look for it many times per millisecond. Calls that wait for the device (prx_batch_wait, prx_context_wait_idle and queries
/// that the device answers at once) end within milliseconds. The device cannot be interrupted: it finishes what was submitted. A batch
/// stays in flight and can be waited for again; its exact queries that are not done end, and reading them is PRX_STATUS_CANCELLED. Meshes and
/// fields can be destroyed; before a VkBuffer that a mesh lies in is freed, prx_context_wait_idle has to
/// return PRX_STATUS_OK. A tracker's step ends its budget and answers what it knows. What begins later is not affected. prx_field_cancel ends
/// one bake.
#[unsafe(no_mangle)]
pub extern "C" fn prx_context_cancel(context: *mut PrxContext) -> PrxStatus {
    on_context(context, |context| {
        context.cancel();
        Ok(())
    })
}

/// Ends each call that begins on this context from now on with PRX_STATUS_CANCELLED when it takes longer than `nanoseconds`;
/// UINT64_MAX, the default, for no limit. The calls are those of prx_context_cancel; a bake goes on when the wait for it ends. The first query on a mesh
/// after an update builds or refits its hierarchy within its own time; what is not done by then is begun anew.
#[unsafe(no_mangle)]
pub extern "C" fn prx_context_set_time_limit(
    context: *mut PrxContext,
    nanoseconds: u64,
) -> PrxStatus {
    on_context(context, |context| {
        context.set_time_limit(nanoseconds);
        Ok(())
    })
}

/// The pipeline cache as a blob: store it, and give it to the next context in PrxContextDef. `*out_size` gets its bytes,
/// also when `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` bytes; `out_size` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_context_pipeline_cache(
    context: *mut PrxContext,
    out: *mut c_void,
    capacity: u64,
    out_size: *mut u64,
) -> PrxStatus {
    let bytes = List::new(out.cast::<u8>(), capacity, out_size, "bytes");
    // SAFETY: by the caller's promise.
    unsafe { list_context(context, bytes, |context| context.device().pipeline_cache()) }
}

/// For prx_context_warm_up: prx_batch_bounds and prx_batch_clusters.
pub const PRX_WARM_UP_BOUNDS: u32 = 1;
/// For prx_context_warm_up: prx_batch_sample.
pub const PRX_WARM_UP_SAMPLE: u32 = 2;
/// For prx_context_warm_up: prx_batch_contacts, prx_batch_soft_contacts and prx_batch_scene_contacts.
pub const PRX_WARM_UP_CONTACTS: u32 = 4;
/// For prx_context_warm_up: prx_batch_proximity.
pub const PRX_WARM_UP_PROXIMITY: u32 = 8;
/// For prx_context_warm_up: prx_batch_penalty.
pub const PRX_WARM_UP_PENALTY: u32 = 16;
/// For prx_context_warm_up: prx_batch_overlap.
pub const PRX_WARM_UP_OVERLAP: u32 = 32;
/// For prx_context_warm_up: intersection volumes and gradients, containment, layers and self-overlaps.
pub const PRX_WARM_UP_VOLUME: u32 = 64;
/// For prx_context_warm_up: prx_batch_rebake.
pub const PRX_WARM_UP_REBAKE: u32 = 128;
/// For prx_context_warm_up: all of them.
pub const PRX_WARM_UP_ALL: u32 = 255;

/// Makes the pipelines of chosen queries ahead, so that their first submission does not: `queries` is a sum of PRX_WARM_UP_*. Each runs
/// once on small bodies, which takes a tenth of a second to a few seconds where the driver has compiled nothing yet; what is made already
/// costs nothing. Call it while a level loads, from a thread of your own if you like: the context can be used meanwhile.
///
/// It covers fields of every PrxStorage and meshes whose positions Proxel keeps, by the default paths; PRX_SAMPLING_PATH_* and
/// PRX_GENERATOR_* for comparison, and meshes in an engine's buffer, make theirs at their first use. `*out_pipelines`, which
/// may be null, gets the number of pipelines that the context has made so far; with 0 for `queries` the call only tells it.
///
/// # Safety
/// `out_pipelines` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_context_warm_up(
    context: *mut PrxContext,
    queries: u32,
    out_pipelines: *mut u32,
) -> PrxStatus {
    on_context(context, |context| {
        if queries & !PRX_WARM_UP_ALL != 0 {
            return Err(invalid(format!(
                "queries is {queries:#x}; it is a sum of PRX_WARM_UP_*, at most {PRX_WARM_UP_ALL:#x}"
            )));
        }
        let kinds: Vec<QueryKind> = WARM_UP
            .iter()
            .filter(|(bit, _)| queries & bit != 0)
            .map(|(_, kind)| *kind)
            .collect();
        let pipelines = context.warm_up(&kinds)? as u32;
        if let Some(out) = Out::optional(out_pipelines) {
            // SAFETY: by the caller's promise.
            unsafe { out.write(pipelines) };
        }
        Ok(())
    })
}

const WARM_UP: [(u32, QueryKind); 8] = [
    (PRX_WARM_UP_BOUNDS, QueryKind::Bounds),
    (PRX_WARM_UP_SAMPLE, QueryKind::Sample),
    (PRX_WARM_UP_CONTACTS, QueryKind::Contacts),
    (PRX_WARM_UP_PROXIMITY, QueryKind::Proximity),
    (PRX_WARM_UP_PENALTY, QueryKind::Penalty),
    (PRX_WARM_UP_OVERLAP, QueryKind::Overlap),
    (PRX_WARM_UP_VOLUME, QueryKind::Volume),
    (PRX_WARM_UP_REBAKE, QueryKind::Rebake),
];

/// More threads than this help nobody.
const MAX_WORKERS: u32 = 256;

/// What a [`PrxContextDef`] asks for.
pub(super) struct ContextRequest {
    options: Options,
    threads: Threads,
    budget: u64,
}

impl ContextRequest {
    /// A context on the engine's device.
    ///
    /// # Safety
    /// As [`Context::adopt`].
    pub(super) unsafe fn adopt(self, adopted: Adopted) -> Result<Context> {
        // SAFETY: by the caller's promise.
        let context = unsafe { Context::adopt(adopted, self.options, self.threads) }?;
        context.device().set_memory_budget(self.budget);
        Ok(context)
    }
}

/// # Safety
/// As [`prx_context_create`].
pub(super) unsafe fn read_request(def: *const PrxContextDef) -> Result<ContextRequest> {
    // SAFETY: by the caller's promise.
    let def = unsafe { read_def_or(def, prx_context_def_default) }?;
    // SAFETY: by the caller's promise `pipeline_cache_size` bytes are there.
    let blob = unsafe {
        read_bytes(
            def.pipeline_cache,
            def.pipeline_cache_size,
            "pipeline_cache",
        )
    }?;
    // SAFETY: by the caller's promise.
    let name = unsafe { optional_text(def.device_name) };
    let is_host = name
        .as_ref()
        .is_some_and(|n| n.eq_ignore_ascii_case("host"));
    let options = Options {
        wanted: DeviceRequest {
            kind: match def.device.read("device")? {
                PrxDevice::Auto if is_host => DeviceKind::Host,
                PrxDevice::Auto => DeviceKind::Auto,
                PrxDevice::Vulkan => DeviceKind::Vulkan,
                PrxDevice::Host => DeviceKind::Host,
            },
            name,
            uuid: (def.device_uuid != [0; 16]).then_some(def.device_uuid),
        },
        choices: choices(&def.features)?,
        beside: read_choice(def.host_queries, "host_queries")?,
        validation: def.validation != 0,
        pipeline_cache: memory::copy(blob, "pipeline_cache")?,
        trial: Trial::default(),
        log: log(&def)?,
    };
    let threads = Threads {
        count: def.worker_threads.min(MAX_WORKERS),
        // SAFETY: the caller promised that its callback may be called from any thread with its pointer.
        jobs: (def.run_jobs).map(|run| unsafe { Jobs::new(run, def.jobs_user) }),
    };
    Ok(ContextRequest {
        options,
        threads,
        budget: def.device_memory_budget,
    })
}

fn choices(features: &PrxFeatureChoices) -> Result<Choices> {
    let named = [
        ("features.depth_bounds", features.depth_bounds),
        ("features.geometry_shader", features.geometry_shader),
        (
            "features.conservative_rasterization",
            features.conservative_rasterization,
        ),
        ("features.subgroups", features.subgroups),
        ("features.float_atomics", features.float_atomics),
        ("features.precise_occlusion", features.precise_occlusion),
        ("features.fragment_stores", features.fragment_stores),
    ];
    let mut choices = Choices::default();
    for (choice, (name, number)) in choices.iter_mut().zip(named) {
        *choice = read_choice(number, name)?;
    }
    Ok(choices)
}

fn read_choice(number: EnumOf<PrxChoice>, name: &str) -> Result<Choice> {
    Ok(match number.read(name)? {
        PrxChoice::Auto => Choice::Auto,
        PrxChoice::Off => Choice::Off,
        PrxChoice::Require => Choice::Require,
    })
}

fn log(def: &PrxContextDef) -> Result<Log> {
    let Some(callback) = def.log else {
        return Ok(Log::silent());
    };
    let threshold = match def.log_severity.read("log_severity")? {
        PrxSeverity::Debug => Severity::Debug,
        PrxSeverity::Info => Severity::Info,
        PrxSeverity::Warning => Severity::Warning,
        PrxSeverity::Error => Severity::Error,
    };
    let user = def.log_user as usize;
    Ok(Log::new(threshold, move |severity, message| {
        let severity = match severity {
            Severity::Debug => PrxSeverity::Debug,
            Severity::Info => PrxSeverity::Info,
            Severity::Warning => PrxSeverity::Warning,
            Severity::Error => PrxSeverity::Error,
        };
        let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
        // SAFETY: the caller promised that its callback may be called from any thread with its pointer.
        unsafe { callback(user as *mut c_void, severity as u32, message.as_ptr()) };
    }))
}

/// # Safety
/// As [`prx_context_adopt`].
unsafe fn read_adopted(device: PrxVulkanDevice) -> Result<Adopted> {
    let count = device.enabled_extension_count;
    if device.lock_queue.is_some() != device.unlock_queue.is_some() {
        return Err(invalid(
            "only one of lock_queue and unlock_queue is null; pass both or neither",
        ));
    }
    // SAFETY: by the caller's promise `count` valid strings are there, and the handles are what they say.
    unsafe {
        let extensions = read_array(
            device.enabled_extensions,
            count.into(),
            "enabled_extensions",
        )?
        .into_iter()
        .filter_map(|text| optional_text(text))
        .gather();
        Adopted::new(EngineHandles {
            instance: device.instance,
            physical_device: device.physical_device,
            device: device.device,
            queue: device.queue,
            queue_family: device.queue_family,
            api_version: device.api_version,
            get_instance_proc_addr: device.get_instance_proc_addr,
            enabled_features: device.enabled_features,
            enabled_extensions: extensions,
            lock: QueueLock::engine(device.lock_queue, device.unlock_queue, device.queue_user),
        })
    }
}
