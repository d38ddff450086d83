/*
 * Proxel: how do these two surfaces touch?
 *
 * A context is a Vulkan device, opened (prx_context_create) or adopted from the engine (prx_context_adopt). Meshes live in
 * a context and are named by ids. Queries are recorded into a batch, submitted once, and read by ticket; a function that
 * answers at once is a batch of one, or an exact query, which runs on the context's CPU threads.
 *
 * Conventions
 * - Every call that can fail returns a PrxStatus; prx_last_error has the message. No call aborts, exits or throws.
 * - Arguments come in the order self, inputs, outputs. Outputs are written on success only, except counts, which say
 *   the capacity that was needed.
 * - Defs start with their size, come from prx_*_def_default and are copied. Numbers that stand for an enum are checked.
 * - Lengths are in mesh units, whatever the positions are in; angles in radians, times in seconds; counter-clockwise triangles face outwards.
 *
 * Generated from the Rust sources: change those.
 */

#ifndef PROXEL_H
#define PROXEL_H

#include <stdint.h>

// Enums have 32 bits in every language: in C their type is a name for uint32_t.
#ifdef __cplusplus
#define PRX_ENUM(name) enum name : uint32_t
extern "C" {
#else
#define PRX_ENUM(name) typedef uint32_t name; enum
#endif

/* =============================================================================================================================
 * Foundations
 */

/* -----------------------------------------------------------------------------------------------------------------------------
 * Handles
 *
 * Contexts and batches are opaque pointers; what lives in a context is named by an id of 64 bits in a struct of its own, such as
 * PrxMesh. Both are numbers that are looked up and never followed, so a call after destroy is a status and not a crash.
 */

/// A Vulkan device, opened or adopted, and all that lives on it.
///
/// Threads: every call on a context may come from any thread at any time, except prx_context_destroy, which waits for
/// calls in progress and must not be called from a callback.
typedef struct PrxContext PrxContext;

/// Recorded queries: one submission, one small readback, many answers.
///
/// Threads: calls may come from any thread; calls on one batch take turns.
typedef struct PrxBatch PrxBatch;

/* -----------------------------------------------------------------------------------------------------------------------------
 * Statuses and errors
 *
 * Every call that can fail returns a PrxStatus, and prx_last_error has the message: what was wrong, with which value, and what to do.
 */

/// What a call returns. Zero is success; numbers are never reused.
PRX_ENUM(PrxStatus) {
    /// The call did what it says.
    PRX_STATUS_OK = 0,
    /// An argument that no device could accept.
    PRX_STATUS_INVALID_ARGUMENT = 1,
    /// A null, stale, foreign or mistyped handle or id.
    PRX_STATUS_INVALID_HANDLE = 2,
    /// A struct whose `size` this library does not know: fill it by its `_default` function.
    PRX_STATUS_STRUCT_SIZE = 3,
    /// An output array that is too small; the count needed was written.
    PRX_STATUS_BUFFER_TOO_SMALL = 4,
    /// A call that does not fit the object's state, such as reading a batch in flight.
    PRX_STATUS_WRONG_STATE = 5,
    /// Something that this device does not offer.
    PRX_STATUS_UNSUPPORTED = 6,
    /// No Vulkan loader on this machine.
    PRX_STATUS_NO_VULKAN = 7,
    /// No Vulkan device that fits.
    PRX_STATUS_NO_DEVICE = 8,
    /// The device has no room: the message says how much was asked.
    PRX_STATUS_OUT_OF_DEVICE_MEMORY = 9,
    /// The host has no room.
    PRX_STATUS_OUT_OF_HOST_MEMORY = 10,
    /// The device was lost. Destroy the context; every other call on it returns this too.
    PRX_STATUS_DEVICE_LOST = 11,
    /// The time limit passed first; the work goes on.
    PRX_STATUS_TIMEOUT = 12,
    /// A Vulkan call failed: the message names it.
    PRX_STATUS_VULKAN = 13,
    /// A bug in Proxel, caught at the boundary. The context stays usable.
    PRX_STATUS_INTERNAL = 14,
    /// The caller stopped the work.
    PRX_STATUS_CANCELLED = 15,
};

/// The most points, pairs, objects, bodies, meshes or numbers that one call takes: a greater count is refused before anything is read.
#define PRX_MAX_COUNT 67108864

/// The error message of the last call that failed on this thread: on `context`, or on anything when `context` is null.
///
/// Never null; empty when nothing failed. Valid until the next failing call on this thread. It also works on the handle
/// of a destroyed context.
///
/// Threads: every thread has its own messages.
const char *prx_last_error(const PrxContext *context);

/// The name of a status, such as "PRX_STATUS_OK". Never null.
const char *prx_status_name(uint32_t status);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Versions
 */

/// The library's major version.
#define PRX_VERSION_MAJOR 0

/// The library's minor version.
#define PRX_VERSION_MINOR 1

/// The library's patch version.
#define PRX_VERSION_PATCH 0

/// The ABI's version: programs and libraries of the same number fit together. It is in the soname too.
#define PRX_ABI_VERSION 1

/// The version of the library that is loaded: major * 1000000 + minor * 1000 + patch.
uint32_t prx_version(void);

/// The version of the library that is loaded, such as "0.1.0". Never null.
const char *prx_version_string(void);

/// The ABI version of the library that is loaded; compare it with PRX_ABI_VERSION.
uint32_t prx_abi_version(void);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Contexts
 *
 * A context is a device with all that lives on it. prx_context_create opens a Vulkan device of its own, or runs on the host without
 * one; prx_context_adopt takes the engine's, so that buffers are shared without a copy. Optional features of the device are used where it has them; PrxFeatureChoices
 * turns one off or requires it.
 */

/// How much a message matters.
PRX_ENUM(PrxSeverity) {
    /// Details for someone who looks for a fault.
    PRX_SEVERITY_DEBUG = 0,
    /// What was chosen and why.
    PRX_SEVERITY_INFO = 1,
    /// Something the caller should fix.
    PRX_SEVERITY_WARNING = 2,
    /// Something that failed.
    PRX_SEVERITY_ERROR = 3,
};

/// What a context runs on.
PRX_ENUM(PrxDevice) {
    /// A Vulkan device. Where there is no loader, no driver or no device, and the def names none: the host; `log` gets the reason.
    PRX_DEVICE_AUTO = 0,
    /// A Vulkan device, or none.
    PRX_DEVICE_VULKAN = 1,
    /// The host: native code on the CPU threads of the context, without any Vulkan library. What is about drawing or about an engine's
    /// VkBuffer answers PRX_STATUS_UNSUPPORTED.
    PRX_DEVICE_HOST = 2,
};

/// What to do with an optional feature.
PRX_ENUM(PrxChoice) {
    /// Take it where the device has it.
    PRX_CHOICE_AUTO = 0,
    /// Do without it.
    PRX_CHOICE_OFF = 1,
    /// Refuse a device that lacks it.
    PRX_CHOICE_REQUIRE = 2,
};

/// The state of an optional feature.
PRX_ENUM(PrxFeatureState) {
    /// The device lacks it: the other path is taken.
    PRX_FEATURE_STATE_UNAVAILABLE = 0,
    /// The device has it, the def turned it off: the other path is taken.
    PRX_FEATURE_STATE_OFF = 1,
    /// The device has it and it is used.
    PRX_FEATURE_STATE_ON = 2,
};

/// Receives messages. `severity` is a PrxSeverity; `message` is valid during the call.
///
/// Threads: it is called from any thread that calls Proxel, and must not destroy the context.
typedef void (*PrxLogFn)(void *user, uint32_t severity, const char *message);

/// An item of what PrxRunJobsFn is asked to run.
///
/// Threads: any, one that stays the same until it returns, with a stack of at least 1 MB.
typedef void (*PrxJobFn)(void *data, uint32_t index);

/// Runs work of Proxel on the engine's threads: calls `job(data, index)` for each index below `count`, in any order, on any threads, at
/// once or later. It need not wait for them; a job system's fire and forget, such as a job without a barrier, fits best, because the calling thread works too.
/// One that waits, such as a parallel for, takes part itself and runs nothing else on the calling thread meanwhile.
///
/// An item is help that is offered to the call that is running: it occupies its thread as long as there may be something to do, at most until that
/// call is done. What nobody begins, the call does itself: items that never run, or one after the other, cost time only. An item that
/// comes twice, with another index or after its call, also after the context, returns at once.
///
/// Threads: it is called from any thread that calls Proxel or runs an item. It must not call Proxel and must not throw.
typedef void (*PrxRunJobsFn)(void *user, PrxJobFn job, void *data, uint32_t count);

/// Locks or unlocks the engine's queue.
typedef void (*PrxQueueLockFn)(void *user);

/// Any function; cast it to what it is.
typedef void (*PrxVoidFn)(void);

/// The type of vkGetInstanceProcAddr, with the instance as a plain pointer.
typedef PrxVoidFn (*PrxGetInstanceProcAddr)(void *instance, const char *name);

/// What to do with each optional feature.
typedef struct PrxFeatureChoices {
    /// Depth bounds tests; otherwise early-Z.
    PrxChoice depth_bounds;
    /// The geometry shader; otherwise several passes.
    PrxChoice geometry_shader;
    /// Conservative rasterisation; otherwise fattened triangles.
    PrxChoice conservative_rasterization;
    /// Subgroup arithmetic with subgroupSizeControl and computeFullSubgroups (Vulkan 1.3); otherwise shared memory.
    PrxChoice subgroups;
    /// Float additions in buffers. Negotiated and reported; no query uses them, because sums have a fixed order.
    PrxChoice float_atomics;
    /// Precise occlusion queries; otherwise yes or no.
    PrxChoice precise_occlusion;
    /// Fragments that write to buffers; otherwise compute.
    PrxChoice fragment_stores;
} PrxFeatureChoices;

/// How to create a context. Fill it by prx_context_def_default.
typedef struct PrxContextDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Not 0: load the Khronos validation layer; its messages go to `log`. Ignored when adopting.
    uint32_t validation;
    /// A part of the wanted Vulkan device's name, in any case, or null for any; "host" is PRX_DEVICE_HOST. Ignored when adopting.
    const char *device_name;
    /// The wanted device's UUID, or all zero for any. Ignored when adopting.
    uint8_t device_uuid[16];
    /// What to do with each optional feature.
    PrxFeatureChoices features;
    /// The least severity that reaches `log`.
    PrxSeverity log_severity;
    /// CPU threads; 0 for as many as the machine runs at once. They end with the context. With `run_jobs`, the items that a call offers.
    uint32_t worker_threads;
    /// Receives messages, or null.
    PrxLogFn log;
    /// Passed to `log`.
    void *log_user;
    /// What prx_context_pipeline_cache gave earlier, or null. One of another device or driver is ignored.
    const void *pipeline_cache;
    /// Bytes of `pipeline_cache`.
    uint64_t pipeline_cache_size;
    /// What to run on. Ignored when adopting. With PRX_DEVICE_HOST, `validation`, `device_name`, `device_uuid` and `pipeline_cache` are
    /// ignored.
    PrxDevice device;
    /// Whether queries run on the host, beside a Vulkan device, where they are done sooner: with PRX_CHOICE_AUTO all on software devices,
    /// and on GPUs those on meshes so small that a submission would take longer (PrxContextInfo has the number); never with PRX_CHOICE_OFF; wherever it can
    /// be with PRX_CHOICE_REQUIRE. A mesh in an engine's VkBuffer, a live field, and a path or a generator that the call names stay on the device.
    PrxChoice host_queries;
    /// Runs work on the engine's threads, or null. With it the context starts no thread: what runs in the background otherwise (bakes, batches on the
    /// host, exact queries of batches) is offered to the engine too, and done by the call that waits for it where no thread of the engine has begun. So prx_field_wait may
    /// take as long as a bake, whatever its limit; prx_batch_poll and a wait with a limit do what the engine has not begun within 10 ms.
    PrxRunJobsFn run_jobs;
    /// Passed to `run_jobs`.
    void *jobs_user;
    /// The most bytes of device memory that the context may have at a time; UINT64_MAX, the default, for no limit. What does not fit is
    /// PRX_STATUS_OUT_OF_DEVICE_MEMORY, and prx_context_memory says what is there.
    uint64_t device_memory_budget;
} PrxContextDef;

/// The engine's Vulkan objects. They stay the engine's and must outlive the context. Fill it by
/// prx_vulkan_device_default.
typedef struct PrxVulkanDevice {
    /// Bytes of this struct.
    uint32_t size;
    /// The apiVersion of the engine's VkApplicationInfo; at least Vulkan 1.2.
    uint32_t api_version;
    /// VkInstance.
    void *instance;
    /// VkPhysicalDevice.
    void *physical_device;
    /// VkDevice.
    void *device;
    /// VkQueue with compute. Without graphics, what draws is PRX_STATUS_UNSUPPORTED: overlap, culling by visibility, and paths that draw.
    void *queue;
    /// The queue's family.
    uint32_t queue_family;
    /// Strings in `enabled_extensions`.
    uint32_t enabled_extension_count;
    /// The device extensions passed to vkCreateDevice; and "VK_EXT_debug_utils" where the instance was created with it, so that Proxel's objects have
    /// names and its commands labels.
    const char *const *enabled_extensions;
    /// The VkPhysicalDeviceFeatures2 chain passed to vkCreateDevice, or null. Proxel uses what is there; Vulkan cannot be asked what was
    /// enabled. Without `timelineSemaphore` it waits by fences, and PrxTimelinePoint names binary semaphores.
    const void *enabled_features;
    /// The loader's vkGetInstanceProcAddr.
    PrxGetInstanceProcAddr get_instance_proc_addr;
    /// Called before Proxel uses the queue, or null.
    PrxQueueLockFn lock_queue;
    /// Called after Proxel used the queue, or null.
    PrxQueueLockFn unlock_queue;
    /// Passed to both.
    void *queue_user;
} PrxVulkanDevice;

/// A def that takes the best device there is, logs nothing and chooses every path by itself.
PrxContextDef prx_context_def_default(void);

/// An engine's device with everything null but the size.
PrxVulkanDevice prx_vulkan_device_default(void);

/// Opens a device: the one named in `def`, or the best (discrete, integrated, virtual, CPU). `def` may be null for the
/// default. When it fails, prx_last_error(NULL) says why.
///
/// Preconditions: `def` is null or valid, with valid pointers in it; `out_context` is writable.
PrxStatus prx_context_create(const PrxContextDef *def, PrxContext **out_context);

/// Lives on the engine's device: no device of its own, no copies between devices. `def` may be null. What Proxel needs and the
/// device lacks is reported by name.
///
/// Preconditions: The handles in `device` are valid, belong together and outlive the context; `def` is null or valid; `out_context` is
/// writable.
PrxStatus prx_context_adopt(const PrxContextDef *def, const PrxVulkanDevice *device, PrxContext **out_context);

/// Destroys a context and everything in it. Waits for calls in progress on other threads and for the device. Meshes and
/// batches that were not destroyed before are named in the log, and freed.
PrxStatus prx_context_destroy(PrxContext *context);

/// Waits until everything submitted on this context has finished.
PrxStatus prx_context_wait_idle(PrxContext *context);

/// Gives back the working memory that the context keeps for the next query that is answered at once: at most 256 MB, on the device, or on the host
/// where such queries ran there (`working` and `host_queries` of PrxContextMemory). That query then takes new memory, which takes time. Batches keep theirs until they are destroyed.
PrxStatus prx_context_trim(PrxContext *context);

/// Ends all calls that are running on this context and its batches, on any thread, and all bakes, with PRX_STATUS_CANCELLED. Exact
/// queries and bakes look for it many times per millisecond. Calls that wait for the device (prx_batch_wait, prx_context_wait_idle and queries
/// that the device answers at once) end within milliseconds. The device cannot be interrupted: it finishes what was submitted. A batch
/// stays in flight and can be waited for again; its exact queries that are not done end, and reading them is PRX_STATUS_CANCELLED. Meshes and
/// fields can be destroyed; before a VkBuffer that a mesh lies in is freed, prx_context_wait_idle has to
/// return PRX_STATUS_OK. A tracker's step ends its budget and answers what it knows. What begins later is not affected. prx_field_cancel ends
/// one bake.
PrxStatus prx_context_cancel(PrxContext *context);

/// Ends each call that begins on this context from now on with PRX_STATUS_CANCELLED when it takes longer than `nanoseconds`;
/// UINT64_MAX, the default, for no limit. The calls are those of prx_context_cancel; a bake goes on when the wait for it ends. The first query on a mesh
/// after an update builds or refits its hierarchy within its own time; what is not done by then is begun anew.
PrxStatus prx_context_set_time_limit(PrxContext *context, uint64_t nanoseconds);

/// The pipeline cache as a blob: store it, and give it to the next context in PrxContextDef. `*out_size` gets its bytes,
/// also when `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` bytes; `out_size` is writable.
PrxStatus prx_context_pipeline_cache(PrxContext *context, void *out, uint64_t capacity, uint64_t *out_size);

/// For prx_context_warm_up: prx_batch_bounds and prx_batch_clusters.
#define PRX_WARM_UP_BOUNDS 1

/// For prx_context_warm_up: prx_batch_sample.
#define PRX_WARM_UP_SAMPLE 2

/// For prx_context_warm_up: prx_batch_contacts, prx_batch_soft_contacts and prx_batch_scene_contacts.
#define PRX_WARM_UP_CONTACTS 4

/// For prx_context_warm_up: prx_batch_proximity.
#define PRX_WARM_UP_PROXIMITY 8

/// For prx_context_warm_up: prx_batch_penalty.
#define PRX_WARM_UP_PENALTY 16

/// For prx_context_warm_up: prx_batch_overlap.
#define PRX_WARM_UP_OVERLAP 32

/// For prx_context_warm_up: intersection volumes and gradients, containment, layers and self-overlaps.
#define PRX_WARM_UP_VOLUME 64

/// For prx_context_warm_up: prx_batch_rebake.
#define PRX_WARM_UP_REBAKE 128

/// For prx_context_warm_up: all of them.
#define PRX_WARM_UP_ALL 255

/// Makes the pipelines of chosen queries ahead, so that their first submission does not: `queries` is a sum of PRX_WARM_UP_*. Each runs
/// once on small bodies, which takes a tenth of a second to a few seconds where the driver has compiled nothing yet; what is made already
/// costs nothing. Call it while a level loads, from a thread of your own if you like: the context can be used meanwhile.
///
/// It covers fields of every PrxStorage and meshes whose positions Proxel keeps, by the default paths; PRX_SAMPLING_PATH_* and
/// PRX_GENERATOR_* for comparison, and meshes in an engine's buffer, make theirs at their first use. `*out_pipelines`, which
/// may be null, gets the number of pipelines that the context has made so far; with 0 for `queries` the call only tells it.
///
/// Preconditions: `out_pipelines` is null or writable.
PrxStatus prx_context_warm_up(PrxContext *context, uint32_t queries, uint32_t *out_pipelines);

/* -----------------------------------------------------------------------------------------------------------------------------
 * What a context runs on
 */

/// The state of each optional feature.
typedef struct PrxFeatures {
    /// Depth bounds tests; otherwise early-Z.
    PrxFeatureState depth_bounds;
    /// The geometry shader; otherwise several passes.
    PrxFeatureState geometry_shader;
    /// Conservative rasterisation; otherwise fattened triangles.
    PrxFeatureState conservative_rasterization;
    /// Subgroup arithmetic with subgroupSizeControl and computeFullSubgroups (Vulkan 1.3); otherwise shared memory.
    PrxFeatureState subgroups;
    /// Float additions in buffers. Negotiated and reported; no query uses them, because sums have a fixed order.
    PrxFeatureState float_atomics;
    /// Precise occlusion queries; otherwise yes or no.
    PrxFeatureState precise_occlusion;
    /// Fragments that write to buffers; otherwise compute.
    PrxFeatureState fragment_stores;
} PrxFeatures;

/// How the surface of a mesh is sampled against a field. All answer the same question, each with its own certificate.
PRX_ENUM(PrxSamplingPath) {
    /// The fastest on this device.
    PRX_SAMPLING_PATH_AUTO = 0,
    /// Compute kernels: clusters and triangles that cannot matter are culled by the distance at their middle, and what is left
    /// is sampled by equal small triangles.
    PRX_SAMPLING_PATH_COMPUTE = 1,
    /// The mesh is drawn in three views along the axes of the field's frame, one after the other; each triangle is
    /// rasterised along the axis that it faces most. For comparison, as all that draw.
    PRX_SAMPLING_PATH_THREE_PASS = 2,
    /// The mesh is drawn once, and a geometry shader chooses each triangle's view. PRX_STATUS_UNSUPPORTED where the device has
    /// none, or it is off.
    PRX_SAMPLING_PATH_GEOMETRY_SHADER = 3,
    /// Compute kernels cull, sort the rest by their views, and draw only that.
    PRX_SAMPLING_PATH_BINNED = 4,
};

/// How a mesh can be sampled against a field on this device: see PrxSamplingPath.
typedef struct PrxSamplingPaths {
    /// PRX_SAMPLING_PATH_COMPUTE.
    PrxFeatureState compute;
    /// PRX_SAMPLING_PATH_THREE_PASS.
    PrxFeatureState three_pass;
    /// PRX_SAMPLING_PATH_GEOMETRY_SHADER.
    PrxFeatureState geometry_shader;
    /// PRX_SAMPLING_PATH_BINNED.
    PrxFeatureState binned;
    /// The path that PRX_SAMPLING_PATH_AUTO takes.
    PrxSamplingPath automatic;
    /// Reserved.
    uint32_t reserved;
} PrxSamplingPaths;

/// What kind of device it is.
PRX_ENUM(PrxDeviceType) {
    /// Something else.
    PRX_DEVICE_TYPE_OTHER = 0,
    /// A GPU that shares the host's memory.
    PRX_DEVICE_TYPE_INTEGRATED_GPU = 1,
    /// A GPU with memory of its own.
    PRX_DEVICE_TYPE_DISCRETE_GPU = 2,
    /// A GPU inside a virtual machine.
    PRX_DEVICE_TYPE_VIRTUAL_GPU = 3,
    /// A software device.
    PRX_DEVICE_TYPE_CPU = 4,
    /// No Vulkan device: native code on the host.
    PRX_DEVICE_TYPE_HOST = 5,
};

/// What a context runs on. Set `size` to the bytes of the struct before the call.
typedef struct PrxContextInfo {
    /// Bytes of this struct; set by the caller.
    uint32_t size;
    /// The Vulkan version in use, as Vulkan encodes it.
    uint32_t api_version;
    /// The device's name.
    char device_name[256];
    /// The driver's name and version.
    char driver[256];
    /// The device's UUID.
    uint8_t device_uuid[16];
    /// What kind of device it is.
    PrxDeviceType device_type;
    /// 1 when the device is the engine's.
    uint32_t adopted;
    /// 1 when the device catches out-of-bounds buffer accesses.
    uint32_t robust_buffer_access;
    /// Invocations of a subgroup.
    uint32_t subgroup_size;
    /// The state of each optional feature.
    PrxFeatures features;
    /// The largest buffer that a shader can read, in bytes: what bounds the size of a mesh.
    uint64_t max_storage_buffer_bytes;
    /// The largest texel buffer, in texels.
    uint64_t max_texel_buffer_elements;
    /// The largest side of a 3D texture: what bounds the resolution of a field.
    uint32_t max_texture_3d;
    /// The largest side of a framebuffer: what bounds the resolution of a rasterised query.
    uint32_t max_framebuffer;
    /// How a mesh can be sampled against a field.
    PrxSamplingPaths sampling_paths;
    /// Queries on meshes of at most so many triangles run on the host: see PrxContextDef.host_queries. 0: none do; UINT32_MAX: all.
    uint32_t host_triangles;
    /// Reserved.
    uint32_t reserved;
} PrxContextInfo;

/// What the context runs on, and the state of each optional feature.
///
/// Preconditions: `out_info` is writable and its `size` is set.
PrxStatus prx_context_info(PrxContext *context, PrxContextInfo *out_info);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Memory
 *
 * Host memory comes from the system, or from the engine's allocator, which prx_set_allocator sets before anything else. prx_context_memory says how much
 * device memory a context has, and what for; PrxContextDef has a budget for it.
 */

/// Gives `size` bytes whose address is a multiple of `alignment`, a power of two; or null.
typedef void *(*PrxAllocateFn)(void *user, uint64_t size, uint64_t alignment);

/// Gives `new_size` bytes that begin as the `size` bytes of `memory` do, and takes `memory` back; or null, and `memory` stays as it is.
typedef void *(*PrxReallocateFn)(void *user,
                                 void *memory,
                                 uint64_t size,
                                 uint64_t alignment,
                                 uint64_t new_size);

/// Takes memory back; `size` and `alignment` are those that it was allocated with.
typedef void (*PrxFreeFn)(void *user, void *memory, uint64_t size, uint64_t alignment);

/// The engine's allocator. Fill it by prx_allocator_default.
///
/// Threads: the functions are called from any thread, also while one ends, and must not call Proxel.
typedef struct PrxAllocator {
    /// Bytes of this struct.
    uint32_t size;
    /// Reserved, must be zero.
    uint32_t reserved;
    /// Passed to all functions.
    void *user;
    /// Gives memory.
    PrxAllocateFn allocate;
    /// Changes the size of memory, or null: then it is allocated, copied and freed.
    PrxReallocateFn reallocate;
    /// Takes memory back.
    PrxFreeFn free;
} PrxAllocator;

/// An allocator with everything null but the size.
PrxAllocator prx_allocator_default(void);

/// Lets all host memory of the library come from the engine, until the process ends. Call it before any other function: once something was
/// allocated it is PRX_STATUS_WRONG_STATE, also a second time.
///
/// Every allocation of Proxel goes through it, and as VkAllocationCallbacks what Vulkan needs for Proxel's own objects, but for blocks of device memory; what the C
/// library and drivers allocate by themselves does not. Null for what is sized by the caller's
/// input (meshes, fields, hierarchies, lists, buffers of the host device) is PRX_STATUS_OUT_OF_HOST_MEMORY or, for buffers of the host device,
/// PRX_STATUS_OUT_OF_DEVICE_MEMORY. Null for anything else, small objects of less than 32 KB, is answered from a reserve in static memory: 64 blocks each of 256 bytes,
/// 4 KB and 32 KB. When these are used up it ends the process, as with any Rust library: an allocator with a limit keeps some room for small objects all the same.
/// When all contexts are destroyed every byte has been freed but the error messages of threads that live on.
///
/// Preconditions: `from` is null or valid; its functions may be called until the process ends.
PrxStatus prx_set_allocator(const PrxAllocator *from);

/// Bytes of device memory that a context has. On the host device it is host memory. What an engine's VkBuffer holds is the engine's. Set `size` to the bytes of the struct before the call.
typedef struct PrxContextMemory {
    /// Bytes of this struct; set by the caller.
    uint32_t size;
    /// Reserved.
    uint32_t reserved;
    /// Positions, triangles and clusters of meshes.
    uint64_t meshes;
    /// Fields.
    uint64_t fields;
    /// Working memory of batches.
    uint64_t working;
    /// Answers that the host reads.
    uint64_t answers;
    /// Uploads on their way, and memory that is kept for the next.
    uint64_t staging;
    /// What queries draw into.
    uint64_t pictures;
    /// The sum of these.
    uint64_t total;
    /// The most that `total` was.
    uint64_t peak;
    /// PrxContextDef.device_memory_budget; UINT64_MAX without one.
    uint64_t budget;
    /// What was taken from the driver, in large blocks, to be given out in parts. On the host device `total`.
    uint64_t taken;
    /// Host memory of queries that run on the host beside a Vulkan device; no part of `total`.
    uint64_t host_queries;
} PrxContextMemory;

/// How much device memory a context has, and what for.
///
/// Preconditions: `out_memory` is writable and its `size` is set.
PrxStatus prx_context_memory(PrxContext *context, PrxContextMemory *out_memory);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Contexts on Unity's device
 */

/// Lives on the Vulkan device that Unity renders with. `def` may be null. Unity must have loaded Proxel as a plugin when it
/// started, and render with Vulkan; the error message says what is wrong otherwise.
///
/// When Unity's device goes, the contexts on it are destroyed first; a call on one of them is then refused as a call on any
/// destroyed context is. Until then it is the caller's to destroy, by prx_context_destroy.
///
/// Preconditions: `def` is null or valid, with valid pointers in it; `out_context` is writable.
PrxStatus prx_unity_context_create(const PrxContextDef *def, PrxContext **out_context);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Meshes and poses
 *
 * A mesh is an array of positions and one of triangles, copied at the call, or positions in a VkBuffer of the engine's that are read
 * in place. It need not be closed or manifold; each query says what it asks for, and prx_mesh_facts says what a mesh is. The library
 * reads no mesh files.
 */

/// Names a mesh. Zero is null; the id of a destroyed mesh is refused.
typedef struct PrxMesh {
    /// The id; zero is null.
    uint64_t id;
} PrxMesh;

/// How indices are stored.
PRX_ENUM(PrxIndexType) {
    /// 16 bits each.
    PRX_INDEX_TYPE_U16 = 0,
    /// 32 bits each.
    PRX_INDEX_TYPE_U32 = 1,
};

/// How positions are stored.
PRX_ENUM(PrxPositionFormat) {
    /// Three floats each.
    PRX_POSITION_FORMAT_F32 = 0,
    /// Three doubles each. Exact queries decide on them; queries of the device take them rounded to floats, and their intervals have room
    /// for it. A coordinate of less than 1e-28 counts as 0.
    PRX_POSITION_FORMAT_F64 = 1,
};

/// The positions may change: prx_mesh_update is allowed, and an engine's buffer is read anew by every batch.
#define PRX_MESH_DEFORMING 1

/// A mesh to create. Fill it by prx_mesh_def_default. Everything is copied at the call, except the engine's buffer.
typedef struct PrxMeshDef {
    /// Bytes of this struct.
    uint32_t size;
    /// PRX_MESH_DEFORMING or 0.
    uint32_t flags;
    /// A name for messages, or null.
    const char *label;
    /// The number of vertices. Bounds cover all of them, also those that no triangle uses.
    uint32_t vertex_count;
    /// The number of triangles, at least 1.
    uint32_t triangle_count;
    /// Three floats per vertex, or doubles by `position_format`, in mesh units, each at most 1e15. With `vk_buffer` it is the rest shape
    /// from which triangles are clustered, and may be null.
    const void *positions;
    /// Bytes from one position to the next, at least 12, or 24 of doubles.
    uint64_t position_stride;
    /// Three indices per triangle, counter-clockwise seen from outside.
    const void *indices;
    /// How wide the indices are.
    PrxIndexType index_type;
    /// What `positions` are made of. An engine's buffer has floats, so with `vk_buffer` it must be floats here too.
    PrxPositionFormat position_format;
    /// The engine's VkBuffer with the positions, or 0. It needs VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, is read in place, and
    /// outlives the mesh. Writes that the engine submitted to the adopted queue before are seen without a barrier. Writes of another
    /// queue are seen if prx_batch_submit waits for a semaphore that follows them; a buffer that queues of other families
    /// write is created with VK_SHARING_MODE_CONCURRENT, or its ownership is transferred to the adopted queue's family
    /// (released there, acquired here) before the submission, and back before it is written again.
    uint64_t vk_buffer;
    /// Bytes before the first position in `vk_buffer`, a multiple of 4.
    uint64_t vk_buffer_offset;
    /// Bytes from one position to the next in `vk_buffer`, a multiple of 4, at least 12.
    uint64_t vk_buffer_stride;
} PrxMeshDef;

/// Where a body is and how it moves. World = rotation * local + position.
typedef struct PrxPose {
    /// The local origin in the world.
    float position[3];
    /// A unit quaternion: x, y, z, w.
    float rotation[4];
    /// Velocity of the local origin, world axes, mesh units per second.
    float linear_velocity[3];
    /// Angular velocity, world axes, radians per second.
    float angular_velocity[3];
} PrxPose;

/// An axis-aligned box in the world.
typedef struct PrxBounds {
    /// Lower corner.
    float min[3];
    /// Upper corner.
    float max[3];
} PrxBounds;

/// How the facts of a mesh identify vertices.
PRX_ENUM(PrxVertices) {
    /// By index.
    PRX_VERTICES_INDEXED = 0,
    /// By exactly equal position too, for meshes with split vertices.
    PRX_VERTICES_WELDED = 1,
};

/// What can be said about a mesh before any query.
typedef struct PrxMeshFacts {
    /// All vertices.
    uint32_t vertex_count;
    /// All triangles.
    uint32_t triangle_count;
    /// Distinct vertices that some triangle uses; one with a repeated vertex does not count.
    uint32_t used_vertex_count;
    /// Triangles with a repeated vertex or with three corners on a line, decided exactly.
    uint32_t degenerate_triangle_count;
    /// Edges with one triangle.
    uint32_t border_edge_count;
    /// Edges with three or more triangles.
    uint32_t non_manifold_edge_count;
    /// Vertices whose triangles do not form a single fan.
    uint32_t non_manifold_vertex_count;
    /// Triangle clusters.
    uint32_t cluster_count;
    /// 1 when every edge has an even number of triangles.
    uint32_t closed;
    /// 1 when each edge has at most two triangles and each vertex a single fan.
    uint32_t manifold;
    /// 1 when neighbours run along their common edge in opposite directions.
    uint32_t oriented;
    /// Reserved.
    uint32_t reserved;
    /// The box of all triangles, in the mesh's own frame.
    PrxBounds bounds;
    /// Sum of the triangles' areas.
    double area;
    /// Signed volume; positive when triangles face outwards. Meaningful when closed and oriented.
    double volume;
    /// The centre of mass at constant density, in the mesh's own frame. Zero unless the mesh is closed and oriented with a volume.
    double center_of_mass[3];
    /// The inertia tensor about the centre of mass for a density of 1, along the axes of the mesh's frame; it has the sign of
    /// `volume`. A body of mass m has m / volume times as much. Zero where there is no centre of mass.
    double inertia[3][3];
} PrxMeshFacts;

/// A def of a static mesh with packed positions and 32-bit indices, and nothing in it yet.
PrxMeshDef prx_mesh_def_default(void);

/// The pose of a body at rest at the origin.
PrxPose prx_pose_identity(void);

/// Creates a mesh. An index out of range, a position that is not finite and a mesh too large for the device are reported.
///
/// Preconditions: `def` is valid with valid pointers in it; `out_mesh` is writable. With `vk_buffer`, the buffer is of this context's
/// device, has storage usage and holds the positions.
PrxStatus prx_mesh_create(PrxContext *context, const PrxMeshDef *def, PrxMesh *out_mesh);

/// Destroys a mesh. Batches in flight keep it until they are done.
PrxStatus prx_mesh_destroy(PrxContext *context, PrxMesh mesh);

/// Replaces the positions of `count` vertices from `first` on. They are copied at the call and reach the device with the
/// next submission, so batches in flight still see the old ones. `stride` is in bytes, at least 12.
///
/// Preconditions: `positions` points to `count` positions, `stride` bytes apart.
PrxStatus prx_mesh_update(PrxContext *context, PrxMesh mesh, uint32_t first, uint32_t count, const void *positions,
                          uint64_t stride);

/// The same with three doubles per vertex; `stride` is at least 24. A mesh that was made of floats refuses them with
/// PRX_STATUS_WRONG_STATE, because it would have to round them. (A mesh of doubles takes floats by prx_mesh_update too: they are doubles.)
///
/// Preconditions: `positions` points to `count` positions, `stride` bytes apart.
PrxStatus prx_mesh_update_f64(PrxContext *context, PrxMesh mesh, uint32_t first, uint32_t count, const void *positions,
                              uint64_t stride);

/// Gives a mesh other triangles and positions, as many as `def` says, under the same id, so that a body may break between two frames.
/// Everything of `def` is as for prx_mesh_create. Clusters are made at the call, hierarchy and adjacency when they are first asked for.
///
/// Objects of scenes have the new triangles at once. Queries that were recorded before keep the old ones, also when their batch is submitted
/// again. Fields that were baked stay as they are. A live field, a tracker and a hierarchy of the mesh, and a scene with a body of it, are
/// refused with PRX_STATUS_WRONG_STATE from then on, because they know the old triangles by number: make them anew, and give the body its
/// mesh again by prx_scene_set_body.
///
/// Preconditions: As prx_mesh_create.
PrxStatus prx_mesh_replace(PrxContext *context, PrxMesh mesh, const PrxMeshDef *def);

/// Facts about a mesh as it is now; `vertices` says which vertices count as one. Positions in an engine's buffer are read back for it,
/// so the buffer must hold them.
///
/// Preconditions: `out_facts` is writable.
PrxStatus prx_mesh_facts(PrxContext *context, PrxMesh mesh, PrxVertices vertices, PrxMeshFacts *out_facts);

/// The box of a mesh under a pose, now: a batch of one. `pose` may be null for the identity. The box contains the exact
/// position of every vertex; under the identity it is the exact box.
///
/// Preconditions: `pose` is null or valid; `out_bounds` is writable.
PrxStatus prx_mesh_bounds(PrxContext *context, PrxMesh mesh, const PrxPose *pose, PrxBounds *out_bounds);

/// The triangles of a mesh in cluster order: cluster i has PrxCluster.count of them from PrxCluster.first on.
/// `*out_count` gets the number of triangles, also when `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` numbers; `out_count` is writable.
PrxStatus prx_mesh_cluster_triangles(PrxContext *context, PrxMesh mesh, uint32_t *out, uint64_t capacity, uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Batches
 *
 * Queries that the device answers are recorded in a batch, submitted together, and read by ticket: one submission and one small
 * readback for all of them. A function that answers such a query at once, such as prx_field_proximity, is a batch of one. Exact queries can be
 * recorded beside them, and run on the CPU threads meanwhile: prx_batch_distance and others.
 */

/// Names a query of a batch until the batch is reset. Zero is null.
typedef struct PrxTicket {
    /// The id; zero is null.
    uint64_t id;
} PrxTicket;

/// A timeline semaphore of the engine's and a value on it, or a binary semaphore.
typedef struct PrxTimelinePoint {
    /// VkSemaphore. A binary one that is waited for has its signal submitted before.
    uint64_t semaphore;
    /// The value to wait for or to signal; not read of a binary semaphore.
    uint64_t value;
} PrxTimelinePoint;

/// What a submission waits for and signals. Fill it by prx_submit_def_default.
typedef struct PrxSubmitDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Points in `waits`.
    uint32_t wait_count;
    /// The submission starts when all of these are reached.
    const PrxTimelinePoint *waits;
    /// Points in `signals`.
    uint32_t signal_count;
    /// PRX_SUBMIT_TIMINGS, or 0.
    uint32_t flags;
    /// The submission signals these when it is done.
    const PrxTimelinePoint *signals;
} PrxSubmitDef;

/// In PrxSubmitDef.flags: takes the time of each query, for prx_batch_timings. PRX_STATUS_UNSUPPORTED where the queue has no timestamps
/// (timestampValidBits 0).
#define PRX_SUBMIT_TIMINGS 1

/// A cluster of at most 64 triangles that lie together, as the device sees it now.
typedef struct PrxCluster {
    /// Centre of the box and of the sphere, in the mesh's own frame.
    float center[3];
    /// Radius of the sphere; it holds every triangle of the cluster.
    float radius;
    /// Lower corner of the exact box.
    float min[3];
    /// Where its triangles start in prx_mesh_cluster_triangles.
    uint32_t first;
    /// Upper corner of the exact box.
    float max[3];
    /// Its triangles.
    uint32_t count;
} PrxCluster;

/// A submission that waits for nothing and signals nothing.
PrxSubmitDef prx_submit_def_default(void);

/// Creates an empty batch. Several can be in flight at once.
///
/// Preconditions: `out_batch` is writable.
PrxStatus prx_batch_create(PrxContext *context, PrxBatch **out_batch);

/// Destroys a batch; one in flight is waited for.
PrxStatus prx_batch_destroy(PrxBatch *batch);

/// Records the box of `mesh` under `pose` (null for the identity); read it by prx_batch_bounds_result.
///
/// Preconditions: `pose` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_bounds(PrxBatch *batch, PrxMesh mesh, const PrxPose *pose, PrxTicket *out_ticket);

/// Records a refit of the mesh's clusters to its current positions; read them by prx_batch_clusters_result.
///
/// Preconditions: `out_ticket` is writable.
PrxStatus prx_batch_clusters(PrxBatch *batch, PrxMesh mesh, PrxTicket *out_ticket);

/// Submits everything recorded, after the positions updated so far. `def` may be null. A batch that is done can be
/// submitted again as it is: the same queries on newer positions.
///
/// Preconditions: `def` is null or valid; its semaphores are of this device. The engine's buffers and semaphores
/// stay alive until the batch is done.
PrxStatus prx_batch_submit(PrxBatch *batch, const PrxSubmitDef *def);

/// Writes 1 to `*out_done` when the answers are there, else 0. Does not wait.
///
/// Preconditions: `out_done` is writable.
PrxStatus prx_batch_poll(PrxBatch *batch, uint32_t *out_done);

/// Waits for the answers, at most `nanoseconds` (UINT64_MAX: as long as it takes). PRX_STATUS_TIMEOUT when the time
/// passed first; the work goes on. PRX_STATUS_OUT_OF_HOST_MEMORY when the host device had no memory for it: it stays in flight,
/// and is tried again by the next wait.
PrxStatus prx_batch_wait(PrxBatch *batch, uint64_t nanoseconds);

/// Forgets the recorded queries, to record others. Its tickets are stale from then on.
PrxStatus prx_batch_reset(PrxBatch *batch);

/// The answer of prx_batch_bounds. It contains the exact position of every vertex.
///
/// Preconditions: `out_bounds` is writable.
PrxStatus prx_batch_bounds_result(PrxBatch *batch, PrxTicket ticket, PrxBounds *out_bounds);

/// The answer of prx_batch_clusters. `*out_count` gets the number of clusters, also when `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` clusters; `out_count` is writable.
PrxStatus prx_batch_clusters_result(PrxBatch *batch, PrxTicket ticket, PrxCluster *out, uint64_t capacity, uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * The engine's buffers
 *
 * Queries of a batch can write their results to buffers of the engine's, where its own kernels read them: nothing comes to the host. In front of
 * the records stands a PrxOutputHead with their number, from which an indirect dispatch or draw can be fed. Records and head are there when the
 * submission's signals are. Structs are laid out as in std430.
 *
 * | query | array | record |
 * |---|---|---|
 * | prx_batch_bounds | 0 | PrxBounds |
 * | prx_batch_sample | 0 | PrxSample |
 * | prx_batch_contains | 0 | uint32_t, PRX_CONTAINMENT_* bits |
 * | prx_batch_proximity | 0 | PrxProximity |
 * | prx_batch_penalty | 0 | PrxPenalty |
 * | prx_batch_contacts | 0, 1 | PrxContactRecord, PrxPatchRecord |
 * | prx_batch_intersection_volume | 0 | PrxVolumeRecord |
 * | prx_batch_intersection_gradients | 0, 1 | three floats for each vertex of mesh A, of mesh B |
 * | prx_batch_layers, prx_batch_intersection_layers, prx_batch_self_overlaps | 0 | PrxLayer |
 *
 * Places in the world are in single precision; certificates (lower, upper, boxes) are widened by what that rounds.
 */

/// The host reads the answer too, by ticket, as without an output.
#define PRX_OUTPUT_READ 1

/// In PrxOutputHead.status: there are more records than room.
#define PRX_OUTPUT_CUT 1

/// In PrxOutputHead.status: the query ran out of its own room (budget, memory, room at recording), so that not all records were found.
#define PRX_OUTPUT_INCOMPLETE 2

/// Laid out as VkDispatchIndirectCommand.
typedef struct PrxDispatchCommand {
    /// Workgroups: all that there are.
    uint32_t x;
    /// 1.
    uint32_t y;
    /// 1.
    uint32_t z;
} PrxDispatchCommand;

/// Laid out as VkDrawIndirectCommand.
typedef struct PrxDrawCommand {
    /// Vertices for each record.
    uint32_t vertex_count;
    /// Records that were written.
    uint32_t instance_count;
    /// 0.
    uint32_t first_vertex;
    /// 0.
    uint32_t first_instance;
} PrxDrawCommand;

/// What stands before the records in the engine's buffer.
typedef struct PrxOutputHead {
    /// Records that there are, also where there is room for fewer.
    uint32_t count;
    /// Records that follow: the smaller of `count` and the capacity.
    uint32_t written;
    /// PRX_OUTPUT_CUT, PRX_OUTPUT_INCOMPLETE, or 0.
    uint32_t status;
    /// Reserved.
    uint32_t reserved;
    /// 16 bytes after the head's start: workgroups of PrxBufferOutput.group_size records.
    PrxDispatchCommand dispatch;
    /// Reserved.
    uint32_t reserved2;
    /// 32 bytes after the head's start: PrxBufferOutput.vertices vertices, an instance for each record.
    PrxDrawCommand draw;
} PrxOutputHead;

/// Where results go. Fill it by prx_buffer_output_default.
typedef struct PrxBufferOutput {
    /// Bytes of this struct.
    uint32_t size;
    /// Which array of the query.
    uint32_t array;
    /// The engine's VkBuffer, of the adopted device; it outlives the batch's submissions. What reads it on the same queue needs a barrier or a
    /// signalled semaphore in between; on another family of queues it is created with VK_SHARING_MODE_CONCURRENT, or its ownership is transferred.
    uint64_t vk_buffer;
    /// Bytes that the buffer was created with.
    uint64_t vk_buffer_size;
    /// Bytes before the head, a multiple of the device's minStorageBufferOffsetAlignment, which divides 256.
    uint64_t vk_buffer_offset;
    /// The usage that it was created with: VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, and what the engine does with it.
    uint32_t vk_buffer_usage;
    /// Records that there is room for after the head.
    uint32_t capacity;
    /// Bytes of a record: sizeof of its struct.
    uint32_t record_size;
    /// Records that a workgroup of the engine's kernel takes, for PrxOutputHead.dispatch.
    uint32_t group_size;
    /// Vertices that the engine draws for each record, for PrxOutputHead.draw.
    uint32_t vertices;
    /// PRX_OUTPUT_READ, or 0: the host reads no answer.
    uint32_t flags;
} PrxBufferOutput;

/// A contact in a buffer. `point_a` and `point_b` keep their precision far from the world's origin. Nothing is matched with the last step.
typedef struct PrxContactRecord {
    /// On body A, along its axes from its origin, in world units.
    float point_a[3];
    /// The signed distance less the rest offsets; negative where the bodies penetrate.
    float separation;
    /// On body B, along its axes from its origin, in world units.
    float point_b[3];
    /// The exact separation is no less.
    float lower;
    /// Unit vector from A to B, in the world.
    float normal[3];
    /// The exact separation is no more.
    float upper;
    /// The point on body A in the world.
    float world_a[3];
    /// The area that it stands for.
    float area;
    /// The point on body B in the world.
    float world_b[3];
    /// Its patch, or UINT32_MAX where there were too many.
    uint32_t patch;
    /// The weights of the triangle's corners.
    float barycentric[3];
    /// The triangle that it lies on.
    uint32_t triangle;
    /// The low word of PrxContact.key.
    uint32_t key_low;
    /// The high word of PrxContact.key.
    uint32_t key_high;
    /// Whose triangle it is: 0 for body A, 1 for body B.
    uint32_t on;
    /// A PrxContactFeature.
    uint32_t feature;
} PrxContactRecord;

/// A patch of contacts in a buffer.
typedef struct PrxPatchRecord {
    /// The mean normal, from A to B, in the world.
    float normal[3];
    /// The area of its contacts.
    float area;
    /// The centre of that area, in the world.
    float center[3];
    /// Contacts that were left out lie no farther than this from the hull of those kept.
    float hull_distance;
    /// Unit vector along the patch that the moments refer to, in the world.
    float tangent[3];
    /// Contacts before reduction.
    uint32_t raw;
    /// Second moments of the area about its centre: along the tangent, along normal x tangent, mixed.
    float moments[3];
    /// Contacts kept.
    uint32_t kept;
} PrxPatchRecord;

/// What two meshes have in common, in a buffer: PrxIntersectionVolume in single precision, seen along one axis.
typedef struct PrxVolumeRecord {
    /// The volume, between `lower` and `upper`.
    float volume;
    /// The volume is no less.
    float lower;
    /// The volume is no more.
    float upper;
    /// Length of the longest stretch of a ray inside both.
    float deepest;
    /// Centre of the volume; zero when there is none.
    float centroid[3];
    /// The axis of the rays.
    uint32_t axis;
    /// How the volume changes as mesh A moves; the opposite for mesh B.
    float gradient_a[3];
    /// Rays through the volume of interest.
    uint32_t rays;
    /// How the volume changes as mesh A turns about its position.
    float torque_a[3];
    /// How the volume changes as mesh B turns about its position.
    float torque_b[3];
    /// Rays on which mesh A is flawed: see PrxIntersectionVolume.
    uint32_t flawed_a;
    /// Rays on which mesh B is flawed.
    uint32_t flawed_b;
    /// Crossings of mesh A with one ray, at most.
    uint32_t layers_a;
    /// Crossings of mesh B with one ray, at most.
    uint32_t layers_b;
    /// A box that holds the intersection; zero when there is none.
    PrxBounds bounds;
    /// The ends of the longest stretch.
    float deepest_span[2][3];
} PrxVolumeRecord;

/// An output of array 0 for kernels with workgroups of 64, with nothing in it yet.
PrxBufferOutput prx_buffer_output_default(void);

/// Lets a recorded query write an array of its results to a buffer of the engine's in every submission. Without PRX_OUTPUT_READ the host gets no
/// answer of the query. The query then runs on the device, also where the host beside it were faster. PRX_STATUS_UNSUPPORTED on the host
/// device, and for what only the host can make: exact queries, volumes of rays along all axes, damping with a limit.
///
/// Preconditions: `output` is valid; its buffer is of this context's device, was created as said, and stays alive until the batch is done.
PrxStatus prx_batch_output(PrxBatch *batch, PrxTicket ticket, const PrxBufferOutput *output);

/// Where a query reads what it is given. Fill it by prx_buffer_input_default.
typedef struct PrxBufferInput {
    /// Bytes of this struct.
    uint32_t size;
    /// The usage that the buffer was created with: VK_BUFFER_USAGE_STORAGE_BUFFER_BIT at least.
    uint32_t vk_buffer_usage;
    /// The engine's VkBuffer, with three packed floats for each value. What is said of PrxMeshDef.vk_buffer holds for it.
    uint64_t vk_buffer;
    /// Bytes that the buffer was created with.
    uint64_t vk_buffer_size;
    /// Bytes before the first value, a multiple of the device's minStorageBufferOffsetAlignment, which divides 256.
    uint64_t vk_buffer_offset;
} PrxBufferInput;

/// An input with no buffer yet.
PrxBufferInput prx_buffer_input_default(void);

/// Lets a recorded query read its points (prx_batch_sample without a pose, prx_batch_contains) or its velocities of vertices (prx_batch_penalty) from
/// a buffer of the engine's in every submission: as many as it was recorded with, which are not read. Values that are no numbers give answers
/// without a meaning. The query runs on the device as with prx_batch_output.
///
/// Preconditions: `input` is valid; its buffer is of this context's device, was created as said, and stays alive until the batch is done.
PrxStatus prx_batch_input(PrxBatch *batch, PrxTicket ticket, const PrxBufferInput *input);

/// What became of an array that prx_batch_output sent to a buffer, of a batch that is done: its head. PRX_STATUS_BUFFER_TOO_SMALL where there are
/// more records than room, PRX_STATUS_UNSUPPORTED where the query ran out of its own; the head is written also then.
///
/// Preconditions: `out_head` is writable.
PrxStatus prx_batch_output_result(PrxBatch *batch, PrxTicket ticket, uint32_t array, PrxOutputHead *out_head);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Timings
 *
 * A batch that is submitted with PRX_SUBMIT_TIMINGS measures how long each of its queries takes: on the device by timestamps, on the host by its clock.
 */

/// What a time was measured by.
PRX_ENUM(PrxClock) {
    /// Timestamps of the device.
    PRX_CLOCK_DEVICE = 0,
    /// The host's clock.
    PRX_CLOCK_HOST = 1,
};

/// How long a query of a batch took.
typedef struct PrxTiming {
    /// The query; 0 for what the queries of a device share: uploads, refits of clusters, readback.
    PrxTicket ticket;
    /// The time.
    double seconds;
    /// What it was measured by.
    PrxClock clock;
    /// Reserved.
    uint32_t reserved;
} PrxTiming;

/// How long each query of the last submission took, which had PRX_SUBMIT_TIMINGS and is done; otherwise PRX_STATUS_WRONG_STATE. There is one entry for
/// each recorded query, and one with ticket 0 for each of the device and the host beside it that had queries. `*out_count` gets the number, also when
/// `capacity` is too small.
///
/// PRX_CLOCK_DEVICE: all times together are what the submission took on the device. Queries run step by step, those of a step side by side. A query gets
/// the time by which its commands, in the order of recording, ended after those before them; one that fits beside others costs little, so measure
/// it alone in a batch for what it takes alone. The time of a dispatch that serves several queries is shared evenly among them.
///
/// PRX_CLOCK_HOST: the time that passed while its commands or its search ran, together. Those of a step, and exact queries, run side by side on the CPU
/// threads, so times overlap and may add up to more than passed. The hierarchy of a mesh counts for the first exact query that needs it.
///
/// Preconditions: `out` has room for `capacity` timings; `out_count` is writable.
PrxStatus prx_batch_timings(PrxBatch *batch, PrxTiming *out, uint64_t capacity, uint64_t *out_count);

/* =============================================================================================================================
 * Queries per frame
 */

/* -----------------------------------------------------------------------------------------------------------------------------
 * Distance fields
 *
 * A field stores the signed distance to a closed surface on a grid: negative inside, with a certified bound on the error of
 * interpolation. It belongs to one body and moves with the body's pose. It is baked from a mesh on the CPU threads, read from a
 * file, made from a shape or from samples, or kept up to date with a deforming mesh on the device.
 */

/// Names a field. Zero is null; the id of a destroyed field is refused.
typedef struct PrxField {
    /// The id; zero is null.
    uint64_t id;
} PrxField;

/// What a field stores.
PRX_ENUM(PrxStorage) {
    /// Distances; directions come from their gradient.
    PRX_STORAGE_DISTANCE = 0,
    /// Distances, and directions to the closest point.
    PRX_STORAGE_DIRECTION = 1,
    /// Distances in bricks near the surface, over a coarse grid everywhere.
    PRX_STORAGE_SPARSE = 2,
};

/// How a field stores a number.
PRX_ENUM(PrxPrecision) {
    /// 32-bit floats.
    PRX_PRECISION_F32 = 0,
    /// 16-bit floats; the error bound covers their rounding.
    PRX_PRECISION_F16 = 1,
};

/// How inside and outside are distinguished.
PRX_ENUM(PrxSign) {
    /// By pseudonormals if the mesh is closed, manifold and oriented, else by winding numbers.
    PRX_SIGN_AUTO = 0,
    /// By angle-weighted pseudonormals; a mesh for which they mean nothing is refused.
    PRX_SIGN_PSEUDONORMAL = 1,
    /// By the generalised winding number: inside is where the mesh winds around a point half a time or more.
    PRX_SIGN_WINDING = 2,
    /// It came with the samples.
    PRX_SIGN_GIVEN = 3,
};

/// A regular grid: node (i, j, k) is at origin + cell_size * (i, j, k).
typedef struct PrxGrid {
    /// The first node.
    float origin[3];
    /// From one node to the next.
    float cell_size;
    /// Nodes along each axis, at least 2.
    uint32_t nodes[3];
    /// Reserved, must be zero.
    uint32_t reserved;
} PrxGrid;

/// How to lay out a field. Fill it by prx_field_def_default.
typedef struct PrxFieldDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Cells along the longest side of the domain; 0 to go by `cell_size`.
    uint32_t resolution;
    /// The side of a cell, in mesh units; used when `resolution` is 0.
    float cell_size;
    /// What the domain has around the box of the mesh, in mesh units; negative for a tenth of the box's longest side.
    float padding;
    /// What is stored.
    PrxStorage storage;
    /// The bits of a stored number.
    PrxPrecision precision;
    /// How inside and outside are told apart; PRX_SIGN_GIVEN is refused.
    PrxSign sign;
    /// Reserved, must be zero.
    uint32_t reserved;
    /// The grid itself, or null to lay one as the members above say. It must hold the mesh; a sparse field needs a multiple
    /// of 8 cells along each axis.
    const PrxGrid *grid;
} PrxFieldDef;

/// What a field is.
typedef struct PrxFieldInfo {
    /// Where its nodes are.
    PrxGrid grid;
    /// What is stored.
    PrxStorage storage;
    /// The bits of a stored number.
    PrxPrecision precision;
    /// How inside and outside were told apart.
    PrxSign sign;
    /// Reserved.
    uint32_t reserved;
    /// Bound on |interpolated - exact| anywhere in the domain.
    float error;
    /// The largest slope of the interpolated distance; it may exceed 1.
    float lipschitz;
    /// Where distances saturate, or infinity.
    float band;
    /// Reserved.
    float reserved2;
    /// Bytes on the device.
    uint64_t device_bytes;
} PrxFieldInfo;

/// The shapes that have a closed-form distance, each around the origin.
PRX_ENUM(PrxShapeKind) {
    /// `radius`.
    PRX_SHAPE_KIND_SPHERE = 0,
    /// `half_size`.
    PRX_SHAPE_KIND_BOX = 1,
    /// `radius` around the segment of the y axis from -`half_height` to `half_height`.
    PRX_SHAPE_KIND_CAPSULE = 2,
    /// A tube of `radius` around the circle of `major_radius` in the xz plane.
    PRX_SHAPE_KIND_TORUS = 3,
    /// The half-space y < 0, in a domain of `half_size`.
    PRX_SHAPE_KIND_PLANE = 4,
};

/// A shape. Only the members that its kind names are read. Fill it by prx_shape_default.
typedef struct PrxShape {
    /// Bytes of this struct.
    uint32_t size;
    /// Which shape it is.
    PrxShapeKind kind;
    /// Of a sphere, a capsule's ends, a torus's tube.
    float radius;
    /// From a torus's axis to its tube's centre.
    float major_radius;
    /// Half of a capsule's segment.
    float half_height;
    /// Half of a box's sides, or of a plane's domain.
    float half_size[3];
} PrxShape;

/// A def of 64 cells along the longest side, padded by a tenth, with 32-bit distances.
PrxFieldDef prx_field_def_default(void);

/// A unit sphere.
PrxShape prx_shape_default(void);

/// Starts baking the signed distance field of a mesh as it is now. Returns at once; the field can be used when
/// prx_field_wait succeeds. The values at nodes are exact Euclidean distances. A mesh that encloses nothing fails there.
/// `def` may be null.
///
/// Preconditions: `def` is null or valid; `out_field` is writable.
PrxStatus prx_field_bake(PrxContext *context, PrxMesh mesh, const PrxFieldDef *def, PrxField *out_field);

/// How much of a bake is done, from 0 to 1, and 1 in `*out_done` when it has ended, well or not.
///
/// Preconditions: Both outputs are writable.
PrxStatus prx_field_progress(PrxContext *context, PrxField field, float *out_progress, uint32_t *out_done);

/// Waits for a bake, at most `nanoseconds` (UINT64_MAX: as long as it takes). A bake that failed or was cancelled gives its
/// status and message.
PrxStatus prx_field_wait(PrxContext *context, PrxField field, uint64_t nanoseconds);

/// Stops a bake: prx_field_wait then gives PRX_STATUS_CANCELLED. A field that is ready stays ready.
PrxStatus prx_field_cancel(PrxContext *context, PrxField field);

/// Destroys a field. A bake is stopped; batches in flight keep the field until they are done.
PrxStatus prx_field_destroy(PrxContext *context, PrxField field);

/// What a field is: its grid, storage, error bound and bytes.
///
/// Preconditions: `out_info` is writable.
PrxStatus prx_field_info(PrxContext *context, PrxField field, PrxFieldInfo *out_info);

/// Makes a field from signed distances at the nodes of a grid, x fastest, and, if `directions` is not null, unit vectors
/// towards the closest point. `error` bounds |interpolated - exact|; negative when the samples are exact distances, for the
/// bound that then holds anywhere.
///
/// Preconditions: `grid` is valid; `distances` has a float per node, `directions` is null or has three; `out_field` is writable.
PrxStatus prx_field_from_samples(PrxContext *context, const PrxGrid *grid, const float *distances, const float *directions,
                                 float error, PrxPrecision precision, PrxField *out_field);

/// Makes the field of a shape with a closed-form distance. `def` may be null; its `sign` is not read.
///
/// Preconditions: `shape` is valid; `def` is null or valid; `out_field` is writable.
PrxStatus prx_field_from_shape(PrxContext *context, const PrxShape *shape, const PrxFieldDef *def, PrxField *out_field);

/// Makes a field that follows a deforming mesh, which is closed and oriented by its indices: prx_batch_rebake bakes it anew on
/// the device, within `band` of the surface; beyond, distances saturate there. The grid is laid around the mesh as it is now,
/// and the mesh must stay inside. Until the first rebake it holds nothing. `def` may be null; distances in 32 bits only.
///
/// Preconditions: `def` is null or valid; `out_field` is writable.
PrxStatus prx_field_create_live(PrxContext *context, PrxMesh mesh, const PrxFieldDef *def, float band, PrxField *out_field);

/// Records that a live field is baked anew from its mesh's positions; queries recorded after it see the new field.
PrxStatus prx_batch_rebake(PrxBatch *batch, PrxField field);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Fields in files and in memory
 */

/// Writes a field down in the .prxf format (docs/field-format.md) to memory. `*out_size` gets its bytes, also when
/// `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` bytes; `out_size` is writable.
PrxStatus prx_field_write(PrxContext *context, PrxField field, void *out, uint64_t capacity, uint64_t *out_size);

/// Reads a field in the .prxf format from memory. A truncated, corrupted or newer one is refused with a message.
///
/// Preconditions: `data` points to `size` bytes; `out_field` is writable.
PrxStatus prx_field_read(PrxContext *context, const void *data, uint64_t size, PrxField *out_field);

/// Saves a field to a file: .nrrd for its distances at all nodes, anything else for the .prxf format.
///
/// Preconditions: `path` is a valid string.
PrxStatus prx_field_save(PrxContext *context, PrxField field, const char *path);

/// Loads a field from a file: .nrrd for exact distances on a grid, anything else for the .prxf format.
///
/// Preconditions: `path` is a valid string; `out_field` is writable.
PrxStatus prx_field_load(PrxContext *context, const char *path, PrxField *out_field);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Samples of a field
 */

/// A field at a point: lower <= exact distance <= upper.
typedef struct PrxSample {
    /// The interpolated signed distance, negative inside. Outside the domain it is `lower`: the surface is no nearer.
    float distance;
    /// The exact distance is no less.
    float lower;
    /// The exact distance is no more.
    float upper;
    /// 1 inside the field's domain, 0 outside.
    uint32_t in_domain;
    /// Unit vector towards the closest point of the surface, in world axes, or zero where the field does not tell. It flips at
    /// the surface.
    float direction[3];
    /// Unit outward normal, in world axes: the gradient of the signed distance, which does not flip at the surface. Zero where
    /// `direction` is. Of an unsigned field it points away from the surface on both sides.
    float normal[3];
} PrxSample;

/// Samples a field at `count` points of the world, now: a batch of one. `field_pose` places the field; it may be null for the
/// identity: then the points are in the field's own frame. Points are three floats, `stride` bytes apart, at most
/// PRX_MAX_COUNT of them.
///
/// Preconditions: `field_pose` is null or valid; `points` has `count` points, `stride` bytes apart; `out_samples` has room for `count`.
PrxStatus prx_field_sample(PrxContext *context, PrxField field, const PrxPose *field_pose, const void *points, uint32_t count,
                           uint64_t stride, PrxSample *out_samples);

/// Records samples of a field at `count` points of the world; read them by prx_batch_sample_result. `field_pose` may be null
/// for the identity. The points are copied at the call.
///
/// Preconditions: `field_pose` is null or valid; `points` has `count` points, `stride` bytes apart; `out_ticket` is writable.
PrxStatus prx_batch_sample(PrxBatch *batch, PrxField field, const PrxPose *field_pose, const void *points, uint32_t count,
                           uint64_t stride, PrxTicket *out_ticket);

/// The answer of prx_batch_sample. `*out_count` gets the number of samples, also when `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` samples; `out_count` is writable.
PrxStatus prx_batch_sample_result(PrxBatch *batch, PrxTicket ticket, PrxSample *out, uint64_t capacity, uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Contacts: what a solver takes
 *
 * Where two bodies touch: points on both, a normal from A to B, a signed separation with its interval, and a key that names the contact
 * from step to step. A body is a mesh, a field or both; the surface of one is looked at in the field of the other, both ways where both
 * have both. Contacts are all local minima of the signed distance over a surface, on a vertex, an edge or in a face, up to a distance.
 * Those that are connected and whose normals agree form a patch, and of each patch a few are kept:
 * the deepest, and those that span it. Pass the contacts of the last step and each new one says which it continues.
 *
 * Guarantees: the deepest contact of a patch is kept, up to a thirtieth of a cell of the finer field. Contacts left
 * out lie within `hull_distance` of the hull of those kept in their patch, seen along its normal. `residual_force` and `residual_torque` say by how much a
 * unit pressure over the contacts kept differs from one over all. A contact on a surface that rises from it by less than 0.005 of the
 * length counts as a minimum, so that a body at rest on a plane touches with all its corners. Equal input gives equal bits on one device.
 *
 * Coverage, before reduction: each connected part of a surface that is below the distance has a contact as deep as its deepest vertex, but
 * for what the field is off by. No point of a level surface is farther from all contacts than the longest edge of its triangle, nor on a face with an edge
 * longer than six 64ths of the field's domain than four samples, which are a 64th of that or a cell. A surface that falls towards a contact has none on
 * its way there, so that a point of it can be as far from all contacts as its part of the surface reaches: contacts are minima, not samples.
 * prx_batch_soft_contacts lists every vertex.
 */

/// A mesh, a field or both, somewhere in a world of any size. Fill it by prx_body_default. World = position + rotation * (scale * local).
typedef struct PrxBody {
    /// Bytes of this struct.
    uint32_t size;
    /// World units per unit of the mesh and of the field, from 1e-6 to 1e6: bodies of many sizes share a mesh and a field.
    float scale;
    /// The surface whose points can touch other bodies, or null.
    PrxMesh mesh;
    /// The field that points of other bodies are looked up in, or null.
    PrxField field;
    /// The local origin in the world. Only differences of positions matter: pairs far from the world's origin touch as they would there.
    double position[3];
    /// A unit quaternion: x, y, z, w.
    float rotation[4];
    /// Added to the distance up to which contacts are reported, in world units.
    float contact_offset;
    /// Thickness around the surface, in world units: taken from every separation, and added to the distance up to which contacts are
    /// reported.
    float rest_offset;
} PrxBody;

/// What of the surfaces is tried.
PRX_ENUM(PrxContactSampling) {
    /// Vertices, and the minima on edges and in faces: a box of twelve triangles is as good as one of thousands.
    PRX_CONTACT_SAMPLING_ALL = 0,
    /// Vertices only.
    PRX_CONTACT_SAMPLING_VERTICES = 1,
    /// Vertices and the centres of edges.
    PRX_CONTACT_SAMPLING_EDGE_CENTERS = 2,
};

/// What to ask of contacts. Fill it by prx_contacts_def_default.
typedef struct PrxContactsDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Separations up to this are reported, in world units, at least 0. Above 0, contacts are there before they are needed.
    float distance;
    /// Contacts that are kept per patch, from 1 to 32; 0 for all.
    uint32_t points;
    /// Patches that are kept, from 1 to 64, the deepest first.
    uint32_t patches;
    /// What of the surfaces is tried.
    PrxContactSampling sampling;
    /// Room on the device for contacts before reduction, up to 65536; 0 to choose by the meshes. With too little the answer is
    /// PRX_STATUS_UNSUPPORTED, and the error message has the number needed.
    uint32_t budget;
} PrxContactsDef;

/// What a contact lies on.
PRX_ENUM(PrxContactFeature) {
    /// A vertex.
    PRX_CONTACT_FEATURE_VERTEX = 0,
    /// An edge.
    PRX_CONTACT_FEATURE_EDGE = 1,
    /// The inside of a face.
    PRX_CONTACT_FEATURE_FACE = 2,
};

/// Two points, one on each body, and what is between them.
typedef struct PrxContact {
    /// The point on body A, in the world.
    double world_a[3];
    /// The point on body B, in the world.
    double world_b[3];
    /// Names the contact by the feature it lies on: equal in the next step if it is the same contact.
    uint64_t key;
    /// The caller's own: of the contact in `previous` that it continues, else 0. Keep impulses or an index here.
    uint64_t user;
    /// The point on body A along A's axes from A's position, in world units.
    float point_a[3];
    /// The point on body B along B's axes from B's position, in world units.
    float point_b[3];
    /// Unit vector from A to B, world axes. It comes from the field, so that edges inside a flat surface do not tilt it.
    float normal[3];
    /// The signed distance less the rest offsets, in world units; negative where the bodies penetrate. Where an edge of each cross, along
    /// the normal, as far as `lower` and `upper` allow.
    float separation;
    /// The exact signed distance at the point, less the rest offsets, is no smaller.
    float lower;
    /// The exact signed distance at the point, less the rest offsets, is no larger.
    float upper;
    /// The weights of the triangle's corners.
    float barycentric[3];
    /// The triangle of the surface that it was found on.
    uint32_t triangle;
    /// 0 when that surface is body A's, 1 when it is body B's.
    uint32_t on;
    /// What it lies on.
    PrxContactFeature feature;
    /// The area that it stands for, in square world units: of its own feature and of the contacts that were left out for it.
    float area;
    /// The number of its patch; UINT32_MAX where all contacts were asked for and there are more patches than allowed.
    uint32_t patch;
    /// The place in `previous` of the contact that it continues, or -1.
    int32_t previous;
    /// Reserved.
    uint32_t reserved;
} PrxContact;

/// Contacts that are connected and whose normals are within 25 degrees of the deepest one's.
typedef struct PrxPatch {
    /// The centre of its area, in the world.
    double center[3];
    /// The mean normal from A to B, world axes.
    float normal[3];
    /// Unit vector along the patch, world axes. The other is normal x tangent.
    float tangent[3];
    /// The area of its contacts, in square world units.
    float area;
    /// Second moments of the area about the centre: along the tangent, along the other tangent, mixed. For spinning friction: torsion holds up
    /// to friction times pressure times the square root of the sum of the first two times the area.
    float moments[3];
    /// Contacts before reduction.
    uint32_t raw;
    /// Contacts kept.
    uint32_t kept;
    /// Contacts left out lie no farther than this from the hull of those kept, seen along the normal, in world units.
    float hull_distance;
    /// The patch of the last step that it continues, or -1: the one that more than half of its contacts continue contacts of.
    int32_t previous;
} PrxPatch;

/// What is known of the contacts of a pair together.
typedef struct PrxManifold {
    /// Contacts kept.
    uint32_t contacts;
    /// Patches.
    uint32_t patches;
    /// Contacts before reduction.
    uint32_t raw;
    /// Of these, contacts of patches beyond the limit.
    uint32_t left_out;
    /// Contacts in `previous` that ended.
    uint32_t ended;
    /// The force on body A of a unit pressure over all contacts, world axes.
    float force[3];
    /// Its torque about A's position.
    float torque[3];
    /// By how much the force of the contacts kept differs.
    float residual_force;
    /// By how much their torque differs.
    float residual_torque;
    /// Reserved.
    uint32_t reserved;
} PrxManifold;

/// A body without mesh or field at the origin, of scale 1.
PrxBody prx_body_default(void);

/// A def for touching and penetrating bodies, four contacts per patch, and eight patches.
PrxContactsDef prx_contacts_def_default(void);

/// Records the contacts of two bodies; read them by prx_batch_contacts_result. One body must have a field where the other has a mesh.
/// `def` may be null for the default. `previous` has the contacts of the last step as they were returned, with `user` filled as the
/// caller likes; null for none. Many pairs in one batch share one submission and one readback.
///
/// Preconditions: `body_a` and `body_b` are valid; `def` is null or valid; `previous` has `previous_count` contacts; `out_ticket` is writable.
PrxStatus prx_batch_contacts(PrxBatch *batch, const PrxBody *body_a, const PrxBody *body_b, const PrxContactsDef *def,
                             const PrxContact *previous, uint32_t previous_count, PrxTicket *out_ticket);

/// The contacts of prx_batch_contacts, patch by patch. `*out_count` gets their number, also when `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` contacts; `out_count` is writable.
PrxStatus prx_batch_contacts_result(PrxBatch *batch, PrxTicket ticket, PrxContact *out, uint64_t capacity, uint64_t *out_count);

/// The patches of prx_batch_contacts, the deepest first. `*out_count` gets their number, also when `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` patches; `out_count` is writable.
PrxStatus prx_batch_contacts_patches(PrxBatch *batch, PrxTicket ticket, PrxPatch *out, uint64_t capacity, uint64_t *out_count);

/// Places in `previous` of the contacts that ended. `*out_count` gets their number, also when `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` numbers; `out_count` is writable.
PrxStatus prx_batch_contacts_ended(PrxBatch *batch, PrxTicket ticket, uint32_t *out, uint64_t capacity, uint64_t *out_count);

/// What is known of the contacts of prx_batch_contacts together.
///
/// Preconditions: `out_manifold` is writable.
PrxStatus prx_batch_contacts_manifold(PrxBatch *batch, PrxTicket ticket, PrxManifold *out_manifold);

/// The contacts of two bodies: a batch of one. Arguments as of prx_batch_contacts. `out_manifold` may be null. `*out_count` gets
/// the number of contacts, also when `capacity` is too small; points times patches of the def is always enough unless all are asked for.
///
/// Preconditions: `body_a` and `body_b` are valid; `def` is null or valid; `previous` has `previous_count` contacts; `out_manifold` is null or writable;
/// `out` has room for `capacity` contacts; `out_count` is writable.
PrxStatus prx_body_contacts(PrxContext *context, const PrxBody *body_a, const PrxBody *body_b, const PrxContactsDef *def,
                            const PrxContact *previous, uint32_t previous_count, PrxManifold *out_manifold, PrxContact *out,
                            uint64_t capacity, uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Soft contacts: every point near a field
 *
 * For cloth and soft bodies, whose solvers take lists: every vertex of a deforming mesh that is within a distance of one body or of many
 * (a character made of several), and on request every edge and face that has a nearer point inside than its ends or its rim. Nothing is
 * reduced and nothing that may be within the distance is missed at vertices; minima inside edges and faces are found on samples. With a law,
 * the forces on the vertices come along.
 */

/// What to ask of soft contacts. Fill it by prx_soft_contacts_def_default.
typedef struct PrxSoftContactsDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Separations up to this are reported, in world units, at least 0: the thickness of a cloth. The offsets of the bodies are added.
    float distance;
    /// What of the surface is tried.
    PrxContactSampling sampling;
    /// Room on the device for contacts, up to 1048576; 0 for one per vertex, or four with edges. With too little the answer is
    /// PRX_STATUS_UNSUPPORTED, and the error message has the number needed.
    uint32_t budget;
    /// Force per world unit that a point is nearer than `distance`, along the normal; 0 for no forces.
    float stiffness;
    /// Force per velocity towards the body; contacts never pull.
    float damping;
    /// The friction coefficient: sliding is opposed by this part of the normal force.
    float friction;
    /// Reserved, must be zero.
    uint32_t reserved;
} PrxSoftContactsDef;

/// A point of a deforming mesh near a body.
typedef struct PrxSoftContact {
    /// The point in the world.
    double point[3];
    /// Unit vector out of the body, world axes: the gradient of its signed distance. Zero where the field does not tell.
    float normal[3];
    /// The signed distance less the rest offsets, in world units; negative where the point is inside.
    float separation;
    /// The exact signed distance at the point, less the rest offsets, is no smaller.
    float lower;
    /// The exact signed distance at the point, less the rest offsets, is no larger.
    float upper;
    /// The place of the body in `bodies`.
    uint32_t body;
    /// What it lies on.
    PrxContactFeature feature;
    /// The vertices of the feature: one; two, the smaller first; or three in the order of the triangle. The last one fills what is left.
    uint32_t vertices[3];
    /// Their weights.
    float weights[3];
    /// The triangle; UINT32_MAX for a vertex.
    uint32_t triangle;
    /// Reserved.
    uint32_t reserved;
} PrxSoftContact;

/// A def for all vertices that touch or penetrate, without forces.
PrxSoftContactsDef prx_soft_contacts_def_default(void);

/// Records the soft contacts of the mesh of `soft` with the fields of `bodies`; read them by prx_batch_soft_contacts_result, and the forces by
/// prx_batch_soft_contacts_forces. At most 256 bodies. `def` may be null for the default. `velocities` is null, or has three numbers per vertex in
/// world axes, which damping and friction need; `velocity_count` counts numbers.
///
/// Preconditions: `soft` is valid; `bodies` has `body_count` bodies; `def` is null or valid; `velocities` has `velocity_count` numbers;
/// `out_ticket` is writable.
PrxStatus prx_batch_soft_contacts(PrxBatch *batch, const PrxBody *soft, const PrxBody *bodies, uint32_t body_count,
                                  const PrxSoftContactsDef *def, const float *velocities, uint32_t velocity_count,
                                  PrxTicket *out_ticket);

/// The contacts of prx_batch_soft_contacts, by body, then vertices, edges and faces, each by its vertices. `*out_count` gets their
/// number, also when `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` contacts; `out_count` is writable.
PrxStatus prx_batch_soft_contacts_result(PrxBatch *batch, PrxTicket ticket, PrxSoftContact *out, uint64_t capacity,
                                         uint64_t *out_count);

/// The force on each vertex by the law of prx_batch_soft_contacts, world axes: three numbers per vertex of the mesh, or none where
/// `stiffness` was 0. `capacity` is in numbers; `*out_count` gets how many there are, also when that is too small.
///
/// Preconditions: `out` has room for `capacity` numbers; `out_count` is writable.
PrxStatus prx_batch_soft_contacts_forces(PrxBatch *batch, PrxTicket ticket, float *out, uint64_t capacity, uint64_t *out_count);

/// The soft contacts of a mesh now: a batch of one. Arguments as of prx_batch_soft_contacts. `*out_count` gets the number of contacts, also
/// when `capacity` is too small.
///
/// Preconditions: `soft` is valid; `bodies` has `body_count` bodies; `def` is null or valid; `out` has room for `capacity` contacts; `out_count` is
/// writable.
PrxStatus prx_body_soft_contacts(PrxContext *context, const PrxBody *soft, const PrxBody *bodies, uint32_t body_count,
                                 const PrxSoftContactsDef *def, PrxSoftContact *out, uint64_t capacity, uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Friction of a patch
 *
 * Static friction where two bodies touch: a spring along the patch and one about its normal, from where the bodies were when the contact began.
 * The caller keeps a PrxGrip per patch. When a patch continues one of the last step (PrxPatch.previous), hand the grip of that one on; start
 * a new one with zeros.
 */

/// Where two bodies hold on to each other at a patch. Zeros for a new patch; the caller keeps it.
typedef struct PrxGrip {
    /// The point of body A that touched, along A's axes from its position, in world units.
    float point_a[3];
    /// The point of body B that touched, along B's axes from its position, in world units.
    float point_b[3];
    /// A direction along the patch, along A's axes.
    float tangent_a[3];
    /// The one that was parallel to it, along B's axes.
    float tangent_b[3];
    /// 1 when there was a contact.
    uint32_t held;
    /// Reserved, must be zero.
    uint32_t reserved;
} PrxGrip;

/// How hard friction can hold. Fill it by prx_friction_def_default.
typedef struct PrxFrictionDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Of friction, above 0.
    float coefficient;
    /// Force per length of the spring along the patch, above 0. About the normal it is this times the square of the radius, in torque per radian.
    float stiffness;
    /// The force that presses the bodies together at this patch, at least 0; at 0 the grip is given up.
    float normal_force;
    /// The radius at which torsion acts; 0 for the radius of gyration of the patch, the square root of the sum of its first two moments over its
    /// area.
    float radius;
} PrxFrictionDef;

/// What static friction does at a patch.
typedef struct PrxPatchFriction {
    /// On body A at the patch's centre, world axes; the opposite acts on B.
    float force[3];
    /// On body A, world axes, along the normal; the opposite acts on B.
    float torque[3];
    /// The largest force without torsion: coefficient times normal force.
    float force_limit;
    /// The largest torque without a force along the patch: that times the radius.
    float torque_limit;
    /// 1 while the bodies slip.
    uint32_t slipping;
    /// Reserved.
    uint32_t reserved;
} PrxPatchFriction;

/// A def for a coefficient of 0.5 and unit stiffness, with no force.
PrxFrictionDef prx_friction_def_default(void);

/// Static friction at a patch of two bodies. It pulls like a spring along the patch and one about its normal, until
/// (force / force_limit)^2 + (torque / torque_limit)^2 reaches 1; then both slip, and `grip` follows. Of the bodies only position and
/// rotation count.
///
/// Preconditions: `body_a`, `body_b`, `patch`, `def` and `grip` are valid; `grip` and `out_friction` are writable.
PrxStatus prx_patch_friction(const PrxBody *body_a, const PrxBody *body_b, const PrxPatch *patch, const PrxFrictionDef *def,
                             PrxGrip *grip, PrxPatchFriction *out_friction);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Proximity: the closest or deepest point
 *
 * The point of a mesh with the smallest signed distance to a field: where and how far two bodies are apart, or how deep they
 * penetrate. The exact smallest distance lies in the interval from `lower` to `upper`.
 */

/// What to ask of proximity. Fill it by prx_proximity_def_default.
typedef struct PrxProximityDef {
    /// Bytes of this struct.
    uint32_t size;
    /// How the surface is sampled.
    PrxSamplingPath path;
    /// Pieces of triangles that reach less far than this from their middle are not split further, in mesh units; negative for
    /// the field's error bound. A smaller one gives a narrower certificate, at more cost.
    float tolerance;
    /// Pieces that are kept to be split, from 1 to 1048576; what does not fit widens the certificate, and is never lost.
    uint32_t budget;
    /// Pixels along the longest side, from 1 to 16384, for paths that rasterise.
    uint32_t resolution;
    /// Reserved, must be zero.
    uint32_t reserved;
} PrxProximityDef;

/// The point of a mesh with the smallest signed distance to a field: the closest when they are apart, the deepest when they
/// penetrate. Points and directions are in the world. The exact smallest signed distance, over all points of the mesh, lies between
/// `lower` and `upper`.
///
/// Only points of the mesh's surface are looked at: when the field's body is wholly inside the mesh, no such point is inside the
/// body, and the answer is a positive distance. The deepest point is not how far the bodies must be moved to part them, which can
/// be more or less. Which of two bodies has the field and which is the mesh changes the answer: one asks how deep the mesh is in
/// the body, the other the reverse. Where it matters, ask both ways.
typedef struct PrxProximity {
    /// The field's value at `point_mesh`, in mesh units; negative inside the field's body.
    float distance;
    /// No point of the mesh has a smaller signed distance than this.
    float lower;
    /// Some point of the mesh has a signed distance of this or less.
    float upper;
    /// The triangle that `point_mesh` lies on.
    uint32_t triangle;
    /// The weights of that triangle's corners at `point_mesh`.
    float barycentric[3];
    /// 1 when `point_mesh` lies in the field's domain; with 0 `distance` and `point_field` are estimates, and only `lower` and
    /// `upper` hold.
    uint32_t in_domain;
    /// The point of the mesh.
    float point_mesh[3];
    /// 1 when the exact distance is certainly negative: some point of the mesh is inside the field's body.
    uint32_t penetrating;
    /// The point of the field's surface that is closest to `point_mesh`.
    float point_field[3];
    /// Reserved.
    uint32_t reserved;
    /// Unit vector from `point_mesh` towards `point_field`, or zero where the field does not tell.
    float direction[3];
    /// Reserved.
    uint32_t reserved2;
} PrxProximity;

/// A def for the fastest path and the field's own tolerance.
PrxProximityDef prx_proximity_def_default(void);

/// Records the proximity of `mesh` to `field`; read it by prx_batch_proximity_result. The poses may be null for the identity,
/// `def` for the default. Many in one batch cost little more than their work.
///
/// Preconditions: Each pose and `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_proximity(PrxBatch *batch, PrxField field, const PrxPose *field_pose, PrxMesh mesh,
                              const PrxPose *mesh_pose, const PrxProximityDef *def, PrxTicket *out_ticket);

/// The answer of prx_batch_proximity.
///
/// Preconditions: `out_proximity` is writable.
PrxStatus prx_batch_proximity_result(PrxBatch *batch, PrxTicket ticket, PrxProximity *out_proximity);

/// The proximity of `mesh` to `field`: a batch of one.
///
/// Preconditions: Each pose and `def` is null or valid; `out_proximity` is writable.
PrxStatus prx_field_proximity(PrxContext *context, PrxField field, const PrxPose *field_pose, PrxMesh mesh,
                              const PrxPose *mesh_pose, const PrxProximityDef *def, PrxProximity *out_proximity);

/// Proximity against the triangles of `solid`, a closed mesh in the frame that `solid_pose` places, instead of a field: exact at
/// the point that is returned, on the context's CPU threads. The bounds are a ten-thousandth of the solid's box apart, or farther where so
/// much of the mesh is equally near that the search gave up; they hold all the same. It takes
/// milliseconds to seconds; both meshes are taken as they are now. Use it to check or refine an answer of prx_field_proximity.
///
/// Preconditions: Each pose is null or valid; `out_proximity` is writable.
PrxStatus prx_mesh_proximity(PrxContext *context, PrxMesh solid, const PrxPose *solid_pose, PrxMesh mesh,
                             const PrxPose *mesh_pose, PrxProximity *out_proximity);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Penalty: forces that push two bodies apart
 *
 * Force and torque, integrated over the part of a mesh that is inside a field's body: a spring per area with damping and friction.
 */

/// How easily a body is moved: all zero for one that stays where it is.
typedef struct PrxInverseMass {
    /// One over its mass.
    double mass;
    /// The inverse of its inertia tensor about the centre that torques are about, in its own frame.
    double inertia[3][3];
} PrxInverseMass;

/// What to ask of penalty. Fill it by prx_penalty_def_default.
typedef struct PrxPenaltyDef {
    /// Bytes of this struct.
    uint32_t size;
    /// How the surface is sampled.
    PrxSamplingPath path;
    /// Samples along the longest side of the field's domain, from 1 to 16384: their spacing on the mesh follows from it. Triangles that
    /// do not cross the field's surface are sampled by kernels no closer than at half a cell of the field, which holds nothing finer.
    uint32_t resolution;
    /// Force per depth and area: above 0.
    float stiffness;
    /// Force per normal velocity and area: at least 0.
    float damping;
    /// The dynamic friction coefficient: at least 0.
    float friction;
    /// The point that torques on the field's body are about, in the field's own frame.
    float field_center[3];
    /// The point that torques on the mesh's body are about, in the mesh's own frame.
    float mesh_center[3];
    /// For each vertex of the mesh its velocity, three floats in the mesh's own frame, beyond that of the pose; or null.
    const void *velocities;
    /// Bytes from one velocity to the next.
    uint64_t velocity_stride;
    /// 1 lets the paths that draw view by view drop what lies before or behind the body by depth tests, and by depth bounds where
    /// the device has them. The answer is the same. It pays where fragments are dear and pictures are cheap; on software devices
    /// they are not.
    uint32_t early_z;
    /// 1 bounds what force and torque can be off by (PrxPenalty.force_sum_error and the following), for some ten times the work. For springs alone: `damping` and
    /// `friction` must be 0. By kernels, which then sample all that is inside as closely as `resolution` asks for: the errors fall with it.
    uint32_t force_errors;
    /// The time step that damping is limited for, in seconds: within it, damping stops a motion and does not reverse it, however large
    /// `damping` is. 0 for no limit. With a limit friction follows from the springs alone, `velocities` must be null, and the surface
    /// is sampled twice, by kernels.
    double damping_limit_step;
    /// Of the field's body; read with a limit on damping.
    PrxInverseMass field_inverse;
    /// Of the mesh's body; read with a limit on damping.
    PrxInverseMass mesh_inverse;
} PrxPenaltyDef;

/// The forces between a field's body and a mesh that penetrates it, in the world. The force on the mesh is the opposite of
/// that on the field's body, at the same points. Sums are integrals over the part of the mesh that is inside; without `sum`,
/// that is divided by its area. All is zero when nothing is inside.
typedef struct PrxPenalty {
    /// On the field's body, per area.
    float force[3];
    /// On the field's body about its centre, per area.
    float torque[3];
    /// On the field's body.
    float force_sum[3];
    /// On the field's body, about its centre.
    float torque_sum[3];
    /// On the mesh, per area.
    float mesh_force[3];
    /// On the mesh about its centre, per area.
    float mesh_torque[3];
    /// On the mesh.
    float mesh_force_sum[3];
    /// On the mesh, about its centre.
    float mesh_torque_sum[3];
    /// The mesh's area inside.
    float area;
    /// At least this much of the mesh's area is inside.
    float area_lower;
    /// At most this much of the mesh's area is inside.
    float area_upper;
    /// Samples inside.
    uint32_t sample_count;
    /// The integral of the depth over the area inside; times the stiffness, the sum of the springs' strengths.
    float depth_sum;
    /// The exact integral is no farther from `depth_sum` than this.
    float depth_sum_error;
    /// The depth of the deepest sample.
    float depth;
    /// The mesh is at least this deep inside, or touches it not at all for 0.
    float depth_lower;
    /// The mesh is at most this deep inside.
    float depth_upper;
    /// The deepest sample.
    float deepest[3];
    /// The middle of the contact on the surface of the field's body, weighted by area.
    float centroid[3];
    /// 1 where large triangles were sampled farther apart than `resolution` asks for, because drivers bound how long a kernel may
    /// loop: the bounds of area and depth are then wider than usual. Otherwise 0.
    uint32_t coarsened;
    /// The part of the damping that is in the forces, from 0 to 1: below 1 where PrxPenaltyDef.damping_limit_step made it less.
    float damping_scale;
    /// The exact force of the springs is no farther from `force_sum`, and from `mesh_force_sum`, than this: a length. Infinite without PrxPenaltyDef.force_errors, and where the
    /// field's distances saturate. Damping and friction have no bound.
    float force_sum_error;
    /// The same of `torque_sum`.
    float torque_sum_error;
    /// The same of `mesh_torque_sum`.
    float mesh_torque_sum_error;
} PrxPenalty;

/// A def for unit stiffness without damping and friction, and torques about the frames' origins.
PrxPenaltyDef prx_penalty_def_default(void);

/// Records the penalty forces between `field` and `mesh`; read them by prx_batch_penalty_result. The poses may be null for the
/// identity, `def` for the default; their velocities count. Velocities of vertices are copied at the call.
///
/// Preconditions: Each pose and `def` is null or valid, with as many velocities as the mesh has vertices; `out_ticket` is writable.
PrxStatus prx_batch_penalty(PrxBatch *batch, PrxField field, const PrxPose *field_pose, PrxMesh mesh, const PrxPose *mesh_pose,
                            const PrxPenaltyDef *def, PrxTicket *out_ticket);

/// The answer of prx_batch_penalty.
///
/// Preconditions: `out_penalty` is writable.
PrxStatus prx_batch_penalty_result(PrxBatch *batch, PrxTicket ticket, PrxPenalty *out_penalty);

/// The penalty forces between `field` and `mesh`: a batch of one.
///
/// Preconditions: As prx_batch_penalty; `out_penalty` is writable.
PrxStatus prx_field_penalty(PrxContext *context, PrxField field, const PrxPose *field_pose, PrxMesh mesh,
                            const PrxPose *mesh_pose, const PrxPenaltyDef *def, PrxPenalty *out_penalty);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Overlap: do they touch?
 */

/// What to ask of overlap. Fill it by prx_overlap_def_default.
typedef struct PrxOverlapDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Pixels along a side of the views that the mesh is drawn in, from 1 to 4096. More of them leave less in doubt, and cost four times as
    /// much for twice as many.
    uint32_t resolution;
} PrxOverlapDef;

/// Whether the surface of a mesh touches or enters a field's body. A body that is wholly within the mesh, without touching its
/// surface, does not count.
typedef struct PrxOverlap {
    /// 0 is a proof that they do not touch; 1 that they do, unless `certain` is 0.
    uint32_t overlap;
    /// 1 when the answer is proven. 0 when they touch or are nearly touching: within the field's error and a pixel.
    uint32_t certain;
    /// Fragments of the mesh that may touch, or of one triangle that proves it alone. Without precise occlusion queries (PrxFeatures.precise_occlusion) only zero or not.
    uint32_t samples;
    /// Reserved.
    uint32_t reserved;
} PrxOverlap;

/// A def of the usual resolution.
PrxOverlapDef prx_overlap_def_default(void);

/// Records whether `mesh` overlaps the body of `field`; read it by prx_batch_overlap_result. The poses may be null for the
/// identity, `def` for the default.
///
/// Preconditions: Each pose and `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_overlap(PrxBatch *batch, PrxField field, const PrxPose *field_pose, PrxMesh mesh, const PrxPose *mesh_pose,
                            const PrxOverlapDef *def, PrxTicket *out_ticket);

/// The answer of prx_batch_overlap.
///
/// Preconditions: `out_overlap` is writable.
PrxStatus prx_batch_overlap_result(PrxBatch *batch, PrxTicket ticket, PrxOverlap *out_overlap);

/// Whether `mesh` overlaps the body of `field`: a batch of one.
///
/// Preconditions: Each pose and `def` is null or valid; `out_overlap` is writable.
PrxStatus prx_field_overlap(PrxContext *context, PrxField field, const PrxPose *field_pose, PrxMesh mesh,
                            const PrxPose *mesh_pose, const PrxOverlapDef *def, PrxOverlap *out_overlap);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Followers: the newest contact, without waiting
 *
 * A follower asks proximity and penalty of a pair again and again and returns the newest finished answer at once. It suits loops
 * that cannot wait for the device.
 */

/// Names a follower: it asks a pair again and again without waiting, for callers that cannot wait for the device, as a haptic loop
/// of a kilohertz cannot. Zero is null.
///
/// Threads: calls on one follower take turns.
typedef struct PrxFollower {
    /// The id; zero is null.
    uint64_t id;
} PrxFollower;

/// What goes with one call of prx_follower_ask. Fill it by prx_follow_def_default.
typedef struct PrxFollowDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Reserved, must be zero.
    uint32_t reserved;
    /// The semaphores that what is asked waits for and signals, or null. Its flags are 0. A pair that is answered on the host beside
    /// the device is answered before the call returns where there are signals.
    const PrxSubmitDef *submit;
    /// For each vertex of the mesh its velocity, three floats in the mesh's own frame, beyond that of the pose; or null. Copied at the call.
    const void *velocities;
    /// Bytes from one velocity to the next.
    uint64_t velocity_stride;
} PrxFollowDef;

/// The newest finished answer of a follower.
typedef struct PrxFollowed {
    /// The number of this call of prx_follower_ask, from 1; 0 when it asked nothing, because three were under way: then its semaphores
    /// are neither waited for nor signalled.
    uint64_t asked;
    /// Which call asked for the answer; 0 when none is there yet, and then all that follows is zero.
    uint64_t number;
    /// Seconds since that call.
    double age;
    /// The proximity then.
    PrxProximity proximity;
    /// The penalty forces then.
    PrxPenalty penalty;
} PrxFollowed;

/// Where two bodies hold on to each other by static friction. Start with zeros; the caller keeps it between steps.
typedef struct PrxAnchor {
    /// In the frame of the field's body.
    float field_point[3];
    /// In the mesh's frame.
    float mesh_point[3];
    /// 1 while there is a contact.
    uint32_t held;
    /// 1 when the bodies slipped in the last step.
    uint32_t slipping;
} PrxAnchor;

/// Velocities of no vertex, and no semaphores.
PrxFollowDef prx_follow_def_default(void);

/// Creates a follower. The defs may be null for the default; velocities of vertices are given with each call, by PrxFollowDef.
///
/// Preconditions: Each def is null or valid; `out_follower` is writable.
PrxStatus prx_follower_create(PrxContext *context, const PrxProximityDef *proximity_def, const PrxPenaltyDef *penalty_def,
                              PrxFollower *out_follower);

/// Asks for the contact of a pair as it is now, without waiting, and returns the newest answer that is finished. At most three
/// are under way: a call that comes while all three are asks nothing, and returns the newest all the same. `def` may be null for the
/// default.
///
/// Preconditions: Each pose is null or valid; `def` is null or valid, with as many velocities as the mesh has vertices, and its semaphores are of this device and
/// stay alive until what is asked is done; `out_followed` is writable.
PrxStatus prx_follower_ask(PrxContext *context, PrxFollower follower, PrxField field, const PrxPose *field_pose, PrxMesh mesh,
                           const PrxPose *mesh_pose, const PrxFollowDef *def, PrxFollowed *out_followed);

/// Destroys a follower; what is under way is waited for.
PrxStatus prx_follower_destroy(PrxContext *context, PrxFollower follower);

/// Static friction for a contact: the force on the field's body, at `contact->centroid`; the opposite acts on the mesh. It pulls like
/// a spring of `stiffness`, in force per length, between the points that touched when the contact began, and never harder than
/// `coefficient` times the contact's force; then `anchor` slips. Dynamic friction (PrxPenaltyDef.friction) should be 0 beside it.
///
/// Preconditions: `contact` and `anchor` are valid, `anchor` is writable; each pose is null or valid; `out_force` has room for three floats.
PrxStatus prx_static_friction(const PrxPenalty *contact, const PrxPose *field_pose, const PrxPose *mesh_pose, float coefficient,
                              float stiffness, PrxAnchor *anchor, float *out_force);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Layered depth images: intersection volumes
 *
 * Parallel rays are shot through closed meshes; every crossing is kept. From them come the volume that two meshes have in common with
 * its derivatives, which points are inside, and where a mesh overlaps itself.
 */

/// Which way the rays of a layered depth image run.
PRX_ENUM(PrxRays) {
    /// Along the axis of the world on which they are shortest.
    PRX_RAYS_BEST = 0,
    /// Along x.
    PRX_RAYS_X = 1,
    /// Along y.
    PRX_RAYS_Y = 2,
    /// Along z.
    PRX_RAYS_Z = 3,
    /// Along all three, for volumes: estimates are averaged, and the certificate is what all three allow.
    PRX_RAYS_ALL = 4,
};

/// How the crossings of rays and triangles are found. The answers have the same bits.
PRX_ENUM(PrxGenerator) {
    /// Kernels scan triangles.
    PRX_GENERATOR_COMPUTE = 0,
    /// Fragments of one pass write lists; for devices with fragmentStoresAndAtomics. For comparison.
    PRX_GENERATOR_LISTS = 1,
    /// One pass per layer, which the stencil selects; for fewer than 64 layers. For comparison.
    PRX_GENERATOR_STENCIL = 2,
};

/// The meshes are known to be closed: triangles beyond the volume of interest are left out, and flaws are not looked for.
#define PRX_LDI_TRUSTED 1

/// Points near the surface are decided exactly, on the CPU; for prx_mesh_contains.
#define PRX_LDI_EXACT 2

/// `lower` and `upper` of a volume are narrowed by integrating the triangles of both meshes: ten to thirty times with 128 by 128 rays, for two to
/// five times the work. For meshes that wind around what they enclose once.
#define PRX_LDI_NARROW 4

/// For containment in a mesh without PRX_MESH_DEFORMING: prx_mesh_contains keeps the image with the mesh, in the mesh's own frame, and uses it again in any
/// pose; one image per mesh, that of the last def. prx_batch_contains uses it where there is one that was made by the same def. Rays run along axes of the
/// mesh then.
#define PRX_LDI_KEPT 8

/// How a layered depth image is made: parallel rays through a mesh. Fill it by prx_ldi_def_default.
typedef struct PrxLdiDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Rays along each side of the volume of interest, 1 to 2048; 0 to go by `cell_size`.
    uint32_t resolution;
    /// Distance of neighbouring rays, in mesh units, when `resolution` is 0.
    float cell_size;
    /// Along which axes the rays go.
    PrxRays rays;
    /// PRX_LDI_* bits.
    uint32_t flags;
    /// How crossings are found.
    PrxGenerator generator;
    /// Device memory in bytes, at most; 0 for what meshes of ordinary depth complexity need. A query that needs more answers
    /// PRX_STATUS_BUFFER_TOO_SMALL and how much.
    uint64_t memory;
} PrxLdiDef;

/// What two closed meshes have in common. Lengths and places are in the world.
typedef struct PrxIntersectionVolume {
    /// The volume.
    double volume;
    /// The exact volume is no less, if no ray is flawed. With flawed rays, the least that any axis gives; never above `upper`.
    double lower;
    /// The exact volume is no more, if no ray is flawed. With flawed rays, the most that any axis gives.
    double upper;
    /// Its centre; zero when there is none.
    double centroid[3];
    /// How far the exact centre can be from `centroid`, if no ray is flawed; infinite when there may be no volume. As wide as the bins: halves with each
    /// doubling of the resolution, also with PRX_LDI_NARROW.
    double centroid_error;
    /// Change of the volume per length as `a` moves: the integral of the outward normal over the part of its surface that is inside
    /// `b`. A pressure p between the bodies pushes `a` by -p times this. Rays give no bound on its error, nor on the torques': where faces of both meshes lie in one plane,
    /// it changes by all of their area within any distance. prx_mesh_exact_intersection gives both with theirs.
    double gradient_a[3];
    /// Change of the volume per radian as `a` turns about its pose's position.
    double torque_a[3];
    /// Change of the volume per length as `b` moves: the opposite of `gradient_a`.
    double gradient_b[3];
    /// Change of the volume per radian as `b` turns about its pose's position.
    double torque_b[3];
    /// Length of the longest stretch of a ray inside both.
    double deepest;
    /// Its ends.
    float deepest_span[2][3];
    /// A box that holds the whole intersection; zero when there is none.
    PrxBounds bounds;
    /// Rays on which the crossings with `a` do not tell inside from outside: it is open there, not manifold, not consistently
    /// oriented, or overlaps itself. With any, the certificate does not hold.
    uint32_t flawed_a;
    /// The same for `b`.
    uint32_t flawed_b;
    /// Crossings of a ray with `a`, at most.
    uint32_t layers_a;
    /// Crossings of a ray with `b`, at most.
    uint32_t layers_b;
    /// Rays through the volume of interest; 0 when the boxes of the meshes are apart.
    uint64_t rays;
    /// The axis of the rays: 0, 1 or 2. With all three, that of the deepest.
    uint32_t axis;
    /// Reserved.
    uint32_t reserved;
} PrxIntersectionVolume;

/// 128 by 128 rays along the best axis, nothing trusted, memory as usual.
PrxLdiDef prx_ldi_def_default(void);

/// Records the volume that two closed meshes have in common; read it by prx_batch_intersection_volume_result. Poses and `def` may be null.
///
/// Preconditions: Poses and `def` are null or valid; `out_ticket` is writable.
PrxStatus prx_batch_intersection_volume(PrxBatch *batch, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                        const PrxLdiDef *def, PrxTicket *out_ticket);

/// The answer of prx_batch_intersection_volume. `out_memory` may be null; it gets the bytes needed when PrxLdiDef.memory was too small.
///
/// Preconditions: `out_volume` is writable; `out_memory` is null or writable.
PrxStatus prx_batch_intersection_volume_result(PrxBatch *batch, PrxTicket ticket, PrxIntersectionVolume *out_volume,
                                               uint64_t *out_memory);

/// The volume that two closed meshes have in common: a batch of one. Poses and `def` may be null.
///
/// Preconditions: Poses and `def` are null or valid; `out_volume` is writable; `out_memory` is null or writable.
PrxStatus prx_mesh_intersection_volume(PrxContext *context, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                       const PrxLdiDef *def, PrxIntersectionVolume *out_volume, uint64_t *out_memory);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Containment: which points are inside
 *
 * Points are compared with the rays of a layered depth image; near the surface they are decided exactly on request.
 */

/// A point is inside.
#define PRX_CONTAINMENT_INSIDE 1

/// The surface comes so near to a point that it may be on the other side; never set for points farther away than two pixels
/// across the rays and as much along them as the surface rises over that.
#define PRX_CONTAINMENT_NEAR 2

/// Records which of `count` points, at most PRX_MAX_COUNT, in the world are inside a closed mesh; read them by prx_batch_contains_result. The points are
/// copied at the call. `pose` and `def` may be null.
///
/// Preconditions: `pose` and `def` are null or valid; `points` has `count` points, `stride` bytes apart; `out_ticket` is writable.
PrxStatus prx_batch_contains(PrxBatch *batch, PrxMesh mesh, const PrxPose *pose, const void *points, uint32_t count,
                             uint64_t stride, const PrxLdiDef *def, PrxTicket *out_ticket);

/// The answer of prx_batch_contains: PRX_CONTAINMENT_* bits for each point. `*out_count` gets the number of points, also when
/// `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` numbers; `out_count` is writable.
PrxStatus prx_batch_contains_result(PrxBatch *batch, PrxTicket ticket, uint32_t *out, uint64_t capacity, uint64_t *out_count);

/// Which of `count` points, at most PRX_MAX_COUNT, in the world are inside a closed mesh: a batch of one. With PRX_LDI_EXACT the points near the surface are
/// then decided by exact winding numbers on the CPU. `pose` and `def` may be null.
///
/// Preconditions: `pose` and `def` are null or valid; `points` has `count` points, `stride` bytes apart; `out` has room for `count` numbers.
PrxStatus prx_mesh_contains(PrxContext *context, PrxMesh mesh, const PrxPose *pose, const void *points, uint32_t count,
                            uint64_t stride, const PrxLdiDef *def, uint32_t *out);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Exits: how deep points are inside, and the shortest way out
 *
 * What a particle, or the end of a ray's stretch, needs for a response: the nearest place of the surface, exact but for rounding, on the CPU
 * threads.
 */

/// How a point gets out of a closed mesh.
typedef struct PrxExit {
    /// How far the point is from the surface, in mesh units; 0 outside.
    double depth;
    /// The exact distance differs from depth by no more than this.
    double error;
    /// The nearest place of the surface, in the world; the point itself outside.
    double place[3];
    /// Unit vector from the point to place; for a point on the surface the triangle's normal. Zero outside.
    double direction[3];
    /// The triangle that place is on; PRX_NO_INDEX outside.
    uint32_t triangle;
    /// 1 where the point is inside, 0 where it is outside.
    uint32_t inside;
} PrxExit;

/// How deep each of `count` points, at most PRX_MAX_COUNT, in the world is inside a closed mesh, and where it is nearest to the surface. Whether a
/// point is inside is decided without rounding but that of its pose; in meshes that are not closed by the winding number. `pose` may be null.
///
/// Preconditions: `pose` is null or valid; `points` has `count` points, `stride` bytes apart; `out` has room for `count` exits.
PrxStatus prx_mesh_exits(PrxContext *context, PrxMesh mesh, const PrxPose *pose, const void *points, uint32_t count,
                         uint64_t stride, PrxExit *out);

/// Records how deep each of `count` points, at most PRX_MAX_COUNT, is inside a closed mesh, as prx_mesh_exits finds it; read it by
/// prx_batch_exits_result. The points are copied at the call. `pose` may be null.
///
/// Preconditions: `pose` is null or valid; `points` has `count` points, `stride` bytes apart; `out_ticket` is writable.
PrxStatus prx_batch_exits(PrxBatch *batch, PrxMesh mesh, const PrxPose *pose, const void *points, uint32_t count,
                          uint64_t stride, PrxTicket *out_ticket);

/// The answer of prx_batch_exits: an exit for each point. `*out_count` gets the number of points, also when `capacity` is too small; nothing else
/// is written then.
///
/// Preconditions: `out` has room for `capacity` exits; `out_count` is writable.
PrxStatus prx_batch_exits_result(PrxBatch *batch, PrxTicket ticket, PrxExit *out, uint64_t capacity, uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Layers: the rays of a layered depth image themselves
 *
 * The stretches of rays that are inside a closed mesh, those inside two, and those where a mesh overlaps itself.
 */

/// A stretch of a ray.
typedef struct PrxLayer {
    /// Column of the ray.
    uint32_t column;
    /// Row of the ray.
    uint32_t row;
    /// Where the stretch starts and where it ends, in the world.
    float ends[2][3];
    /// The triangle at its start.
    uint32_t triangle_start;
    /// The triangle at its end.
    uint32_t triangle_end;
    /// How often the mesh winds around it, at most: 1 inside, 2 and more where it overlaps itself, below 0 where it is inside
    /// out. Of prx_batch_intersection_layers the product for both meshes.
    int32_t winding;
    /// Bit 0 is set where triangle_start is of the second mesh of prx_batch_intersection_layers, bit 1 where triangle_end is.
    uint32_t meshes;
} PrxLayer;

/// The rays of a layered depth image.
typedef struct PrxLayersInfo {
    /// Columns of rays, with one beside the mesh on each side.
    uint32_t columns;
    /// Rows of rays, with one beside the mesh on each side.
    uint32_t rows;
    /// The axis that they run along: 0, 1 or 2. Columns follow along the next axis, rows along the one after it, cyclically.
    uint32_t axis;
    /// Rays on which crossings do not tell inside from outside.
    uint32_t flawed;
    /// Where column 0 of row 0 starts, in the world.
    double origin[3];
    /// Distance of neighbouring columns.
    double column_spacing;
    /// Distance of neighbouring rows.
    double row_spacing;
} PrxLayersInfo;

/// Records the layered depth image of a closed mesh: the stretches of its rays that are inside, at most `room` of them; read them by
/// prx_batch_layers_result. `pose` and `def` may be null.
///
/// Preconditions: `pose` and `def` are null or valid; `out_ticket` is writable.
PrxStatus prx_batch_layers(PrxBatch *batch, PrxMesh mesh, const PrxPose *pose, const PrxLdiDef *def, uint32_t room,
                           PrxTicket *out_ticket);

/// Records where a closed mesh overlaps itself, as far as rays see it: intervals of rays that it winds around more than once, or
/// backwards, at most `room` of them; read them by prx_batch_layers_result. prx_mesh_self_pairs finds every intersecting pair of
/// triangles instead. `pose` and `def` may be null.
///
/// Preconditions: `pose` and `def` are null or valid; `out_ticket` is writable.
PrxStatus prx_batch_self_overlaps(PrxBatch *batch, PrxMesh mesh, const PrxPose *pose, const PrxLdiDef *def, uint32_t room,
                                  PrxTicket *out_ticket);

/// Records what two closed meshes share, as rays see it: the stretches of rays inside both, at most `room` of them, each with the triangles at its
/// ends and the meshes that these are of; read them by prx_batch_layers_result. Lengths of stretches times the area of a ray's pixel add up to the
/// volume that prx_batch_intersection_volume estimates. `pose_a`, `pose_b` and `def` may be null.
///
/// Preconditions: `pose_a`, `pose_b` and `def` are null or valid; `out_ticket` is writable.
PrxStatus prx_batch_intersection_layers(PrxBatch *batch, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                        const PrxLdiDef *def, uint32_t room, PrxTicket *out_ticket);

/// The answer of prx_batch_layers, prx_batch_self_overlaps or prx_batch_intersection_layers, by rows, columns and depth. `*out_count` gets the number of stretches, also
/// when `capacity` or the room at recording was too small. `out_info` may be null.
///
/// Preconditions: `out_info` is null or writable; `out` has room for `capacity` stretches; `out_count` is writable.
PrxStatus prx_batch_layers_result(PrxBatch *batch, PrxTicket ticket, PrxLayersInfo *out_info, PrxLayer *out, uint64_t capacity,
                                  uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Intersection volumes per vertex
 */

/// Records how the volume that two closed meshes have in common changes as each of their vertices moves; read it by
/// prx_batch_intersection_gradients_result. Rays run along all three axes, whatever `def` says of them. Poses and `def` may be null.
/// No error is told: a vertex whose triangles are seen by few rays is as uncertain as these. prx_intersection_gradients gives exact ones with errors.
///
/// Preconditions: Poses and `def` are null or valid; `out_ticket` is writable.
PrxStatus prx_batch_intersection_gradients(PrxBatch *batch, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                           const PrxLdiDef *def, PrxTicket *out_ticket);

/// The answer of prx_batch_intersection_gradients for one of its meshes, 0 or 1: three numbers per vertex, in the world, in the order of the
/// vertices. Times a pressure it is the force on the vertex, outwards; a body gives way to it in the opposite direction.
/// `capacity` is in numbers; `*out_count` gets how many there are, also when that is too small.
///
/// Preconditions: `out` has room for `capacity` numbers; `out_count` is writable.
PrxStatus prx_batch_intersection_gradients_result(PrxBatch *batch, PrxTicket ticket, uint32_t mesh, float *out,
                                                  uint64_t capacity, uint64_t *out_count);

/// How the volume that two closed meshes have in common changes as each of their vertices moves: a batch of one. Poses and `def` may
/// be null. Of each mesh, three numbers per vertex, in the world; an output that is null is left out.
///
/// Preconditions: Poses and `def` are null or valid; `out_a` and `out_b` are null or have room for three numbers per vertex of `a` and of `b`.
PrxStatus prx_mesh_intersection_gradients(PrxContext *context, PrxMesh a, const PrxPose *pose_a, PrxMesh b,
                                          const PrxPose *pose_b, const PrxLdiDef *def, float *out_a, float *out_b);

/* =============================================================================================================================
 * Exact queries
 */

/* -----------------------------------------------------------------------------------------------------------------------------
 * Distance and pairs
 *
 * These run on the context's CPU threads and answer at the call; prx_batch_distance and others record them instead. Each mesh keeps a hierarchy over its triangles, built by the first
 * query and refitted after the positions have changed. Whether triangles intersect is decided exactly.
 */

/// No triangle or vertex.
#define PRX_NO_INDEX UINT32_MAX

/// How the distance of two meshes is found. The answer is the same up to rounding: where several triangles share the closest points, the
/// pair that is measured, and with it the last digits of the distance and the triangles named, can differ.
PRX_ENUM(PrxDistanceMethod) {
    /// The fastest that always works.
    PRX_DISTANCE_METHOD_AUTO = 0,
    /// Branch and bound over the hierarchies of both meshes.
    PRX_DISTANCE_METHOD_HIERARCHY = 1,
    /// Bounds from the convex hulls, then a spatial hash aligned with the margin between them (Gissler et al.), with nothing built beforehand.
    /// When the hulls overlap it goes on by hierarchy. For comparison.
    PRX_DISTANCE_METHOD_MARGIN_HASH = 2,
};

/// What to ask of prx_mesh_distance. Fill it by prx_distance_def_default.
typedef struct PrxDistanceDef {
    /// Bytes of this struct.
    uint32_t size;
    /// How the distance is found.
    PrxDistanceMethod method;
    /// Distances above this, in mesh units, are of no interest: the search ends when it is exceeded. Infinity for any.
    double within;
    /// 1 for bounds from the convex hulls alone; all else in this def is then ignored.
    uint32_t bounds_only;
    /// A triangle of `a` to begin with, best the last answer's, or PRX_NO_INDEX. It changes the time, not the distance.
    uint32_t start_triangle_a;
    /// A triangle of `b` to begin with, or PRX_NO_INDEX; both or neither.
    uint32_t start_triangle_b;
    /// Reserved, must be zero.
    uint32_t reserved;
} PrxDistanceDef;

/// How far apart two surfaces are. Lengths and points are in the world.
typedef struct PrxDistance {
    /// The distance of `point_a` and `point_b` before they were rounded to floats. It is the distance of the surfaces, 0 when
    /// they intersect; with `bounds_only` that of two vertices. Infinity when nothing is within PrxDistanceDef.within.
    double distance;
    /// The surfaces are at least this far apart, whatever was rounded on the way.
    double lower;
    /// The surfaces are at most this far apart, whatever was rounded on the way.
    double upper;
    /// A point of `a` that is nearest to `b`.
    float point_a[3];
    /// A point of `b` that is nearest to `a`.
    float point_b[3];
    /// The triangle of `a` that `point_a` is on, or PRX_NO_INDEX.
    uint32_t triangle_a;
    /// The triangle of `b` that `point_b` is on, or PRX_NO_INDEX.
    uint32_t triangle_b;
    /// 1 when the surfaces share a point; touching is sharing. Always 0 with `bounds_only`. A mesh that is wholly inside another
    /// does not intersect it: surfaces are compared, not solids.
    uint32_t intersecting;
    /// Reserved.
    uint32_t reserved;
} PrxDistance;

/// Two meshes and where they are.
typedef struct PrxMeshPair {
    /// The first mesh.
    PrxMesh a;
    /// The second mesh.
    PrxMesh b;
    /// Where the first is.
    PrxPose pose_a;
    /// Where the second is.
    PrxPose pose_b;
} PrxMeshPair;

/// Two triangles that meet or are near each other.
typedef struct PrxPair {
    /// The triangle of `a`.
    uint32_t triangle_a;
    /// The triangle of `b`.
    uint32_t triangle_b;
    /// Their distance, in mesh units; 0 exactly when they share a point.
    double distance;
    /// Two points in the world. Of triangles that meet, the ends of what they share: of an area its longest chord between
    /// corners, of a single point the same twice. Of others, the nearest point of `a`, then that of `b`.
    float segment[2][3];
} PrxPair;

/// Two triangles of one mesh.
typedef struct PrxTrianglePair {
    /// The lower one.
    uint32_t first;
    /// The higher one.
    uint32_t second;
} PrxTrianglePair;

/// A def for the exact distance, however far, by the fastest method.
PrxDistanceDef prx_distance_def_default(void);

/// The exact distance of two meshes as they are now, of any shape, open or closed, in any position. `pose_a`, `pose_b` and
/// `def` may be null, for the identity and for the default.
///
/// The first call on a mesh builds a hierarchy, except with `bounds_only` and mostly with PRX_DISTANCE_METHOD_MARGIN_HASH, which need
/// none; after prx_mesh_update the next call refits it. Positions in an engine's
/// buffer are read back: by each call if the mesh is deforming, else once.
///
/// `b` is moved into the frame of `a` in double precision, and what meets is decided exactly for the corners so moved;
/// between equal poses nothing is moved.
///
/// Preconditions: Each pose is null or valid; `def` is null or valid; `out_distance` is writable.
PrxStatus prx_mesh_distance(PrxContext *context, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                            const PrxDistanceDef *def, PrxDistance *out_distance);

/// The exact distances of `count` pairs of meshes as they are now, each as by prx_mesh_distance, on all of the context's threads
/// at once. `def` may be null; start triangles in it must be there in every pair's meshes. All are answered, or none.
/// `count` is at most PRX_MAX_COUNT.
///
/// Preconditions: `pairs` has `count` pairs; `def` is null or valid; `out` has room for `count` distances.
PrxStatus prx_mesh_distances(PrxContext *context, const PrxMeshPair *pairs, uint32_t count, const PrxDistanceDef *def,
                             PrxDistance *out);

/// All pairs of triangles, one of each mesh, that are at most `distance` apart; 0 for those that share a point. They
/// ascend by triangle of `a`, then of `b`. Poses may be null. Coplanar triangles that overlap, and triangles that
/// touch in an edge or a corner, share a point; triangles without area count as the segments or points that they are.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then. Memory is in the
/// order of `capacity`. Hierarchies, buffers and poses are as for prx_mesh_distance.
///
/// Preconditions: Each pose is null or valid; `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_mesh_pairs(PrxContext *context, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                         double distance, PrxPair *out, uint64_t capacity, uint64_t *out_count);

/// All pairs of triangles of one mesh that intersect where they should not, ascending. Triangles without a common vertex
/// do when they share a point; with one common vertex, when they share another point; with two, when they are folded
/// onto each other; with three, always. A common vertex is a common index: weld split vertices first. A triangle without
/// area is not compared with its neighbours. All is decided exactly.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_mesh_self_pairs(PrxContext *context, PrxMesh mesh, PrxTrianglePair *out, uint64_t capacity, uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Exact intersection of closed meshes
 *
 * The volume that two closed meshes have in common, from their own triangles: exact but for rounding, at any position, degenerate ones
 * included. Nothing is sampled and no intersection is built; what crosses what is decided exactly, with ties broken as if `b` were
 * moved by less than anything. It runs on the CPU threads; prx_mesh_intersection_volume estimates the same on the device.
 */

/// What two closed meshes have in common, in the world.
///
/// Where a mesh overlaps itself, a place counts as often as the mesh encloses it, and places that it encloses inside out count below
/// zero.
typedef struct PrxExactIntersection {
    /// The volume, in cubic mesh units.
    double volume;
    /// The exact volume of the moved corners is not below this.
    double lower;
    /// And not above this. Their difference is rounding alone.
    double upper;
    /// Its centre; zero when there is no volume.
    double centroid[3];
    /// Integrals over the volume of xx, yy, zz, yz, zx and xy, from the centre along the world's axes.
    double second_moments[6];
    /// The integral of the outward normal over the part of the surface of `a` that is inside `b`: the change of the volume per length as `a`
    /// moves. A pressure p between the bodies pushes `a` by -p times this.
    double area_vector_a[3];
    /// The same for `b`. The two cancel but for rounding; where they do not, a mesh is not closed.
    double area_vector_b[3];
    /// Change of the volume per radian as `a` turns about its pose's position.
    double torque_a[3];
    /// Change of the volume per radian as `b` turns about its pose's position.
    double torque_b[3];
    /// The area of the part of the surface of `a` that is inside `b`.
    double area_a;
    /// The area of the part of the surface of `b` that is inside `a`.
    double area_b;
    /// The length of the curve where the surfaces cross.
    double curve_length;
    /// Pairs of triangles that cross.
    uint64_t crossings;
    /// Edges of `a` along which inside and outside of `b` do not agree. With any, `b` is not closed or not consistently oriented, and the
    /// numbers are not to be trusted.
    uint64_t disagreeing_a;
    /// Edges of `b` along which inside and outside of `a` do not agree.
    uint64_t disagreeing_b;
    /// How far the exact centre can be from `centroid`, by rounding alone, as all errors here; infinite when there may be no volume. Those of volume, centre and
    /// moments hold for closed meshes.
    double centroid_error;
    /// How far exact second moments can be from `second_moments`: the root of the sum of squares over the whole matrix. Infinite when there may be no volume.
    double second_moments_error;
    /// How far the exact area vector can be from `area_vector_a`.
    double area_vector_a_error;
    /// How far the exact area vector can be from `area_vector_b`.
    double area_vector_b_error;
    /// How far the exact change can be from `torque_a`.
    double torque_a_error;
    /// How far the exact change can be from `torque_b`.
    double torque_b_error;
    /// How far the exact area can be from `area_a`.
    double area_a_error;
    /// How far the exact area can be from `area_b`.
    double area_b_error;
    /// How far the exact length can be from `curve_length`.
    double curve_length_error;
    /// Edges of `a` that its own triangles do not pass as often one way as the other: it is open there or not consistently oriented. With any, it has no
    /// inside, and the numbers are not to be trusted. Edges of many triangles and surfaces through themselves are no such edges.
    uint64_t unbalanced_edges_a;
    /// Edges of `b` that its own triangles do not pass as often one way as the other.
    uint64_t unbalanced_edges_b;
} PrxExactIntersection;

/// A connected part of what two closed meshes have in common, in the world.
typedef struct PrxIntersectionRegion {
    /// Its volume.
    double volume;
    /// Its centre; zero when it has no volume.
    double centroid[3];
    /// The integral of the outward normal over its part of the surface of `a`: how its volume changes per length as `a` moves.
    double area_vector[3];
    /// The unit vector along that, from `a` to `b`; zero when there is none, as for a part that is all of `a`.
    double normal[3];
    /// How far the part extends along the normal.
    double depth;
    /// The least coordinates of its points.
    double min[3];
    /// The largest coordinates of its points.
    double max[3];
} PrxIntersectionRegion;

/// Names what two meshes had in common at one moment. Zero is null; the id of a destroyed intersection is refused.
///
/// Threads: calls may come from any thread at any time.
typedef struct PrxIntersection {
    /// The id; zero is null.
    uint64_t id;
} PrxIntersection;

/// A connected piece of the curve where two surfaces cross: a polyline.
typedef struct PrxIntersectionCurve {
    /// The first of its points.
    uint32_t first;
    /// How many it has.
    uint32_t points;
    /// 1 when the last point is joined to the first, as always between closed meshes.
    uint32_t closed;
    /// The region that it bounds, as prx_intersection_regions counts them.
    uint32_t region;
} PrxIntersectionCurve;

/// A point of such a curve, in the world.
typedef struct PrxCurvePoint {
    /// Where it is.
    double position[3];
    /// The triangle of `a` that the segment from here to the next point is in.
    uint32_t triangle_a;
    /// The triangle of `b` that it is in.
    uint32_t triangle_b;
} PrxCurvePoint;

/// How the volume that two meshes have in common changes as a vertex moves.
typedef struct PrxVertexGradient {
    /// 0 for `a`, 1 for `b`.
    uint32_t mesh;
    /// The vertex of that mesh.
    uint32_t vertex;
    /// The change of the volume per length, in the world.
    double gradient[3];
    /// How far the exact change can be from `gradient`, by rounding alone.
    double error;
} PrxVertexGradient;

/// The exact volume that two closed meshes have in common, with its first derivatives and moments. `pose_a` and `pose_b` may be null, for the
/// identity. `b` is moved into the frame of `a` in double precision, and the answer is that of the corners so moved.
///
/// Preconditions: Each pose is null or valid; `out_intersection` is writable.
PrxStatus prx_mesh_exact_intersection(PrxContext *context, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                      PrxExactIntersection *out_intersection);

/// Finds what two closed meshes have in common as they are now: volume, parts, curves, gradients and boundaries are then asked of it, and the
/// surfaces are crossed once. It does not follow the meshes and may outlive them. Poses may be null.
///
/// Preconditions: Each pose is null or valid; `out_intersection` is writable.
PrxStatus prx_intersection_create(PrxContext *context, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                  PrxIntersection *out_intersection);

/// Destroys an intersection.
PrxStatus prx_intersection_destroy(PrxContext *context, PrxIntersection intersection);

/// Its volume, moments and derivatives: what prx_mesh_exact_intersection answers.
///
/// Preconditions: `out_summary` is writable.
PrxStatus prx_intersection_summary(PrxContext *context, PrxIntersection intersection, PrxExactIntersection *out_summary);

/// Its connected parts, the largest first: where the bodies touch, and along which direction each part can be pushed apart. `*out_count` gets the
/// number of parts, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `out` has room for `capacity` regions; `out_count` is writable.
PrxStatus prx_intersection_regions(PrxContext *context, PrxIntersection intersection, PrxIntersectionRegion *out,
                                   uint64_t capacity, uint64_t *out_count);

/// The curves where the surfaces cross. Between closed meshes all of them are closed. `*out_count` gets their number, also when `capacity` is too
/// small; nothing else is written then.
///
/// Preconditions: `out` has room for `capacity` curves; `out_count` is writable.
PrxStatus prx_intersection_curves(PrxContext *context, PrxIntersection intersection, PrxIntersectionCurve *out,
                                  uint64_t capacity, uint64_t *out_count);

/// The corners of all curves, those of the first curve first. `*out_count` gets their number, also when `capacity` is too small; nothing else is
/// written then.
///
/// Preconditions: `out` has room for `capacity` points; `out_count` is writable.
PrxStatus prx_intersection_curve_points(PrxContext *context, PrxIntersection intersection, PrxCurvePoint *out,
                                        uint64_t capacity, uint64_t *out_count);

/// How the volume changes as single vertices move: exactly, and only for vertices of triangles that are inside the other mesh or cross it.
/// Those of `a` come first, ascending. Times a pressure and turned round, a gradient is the force on its vertex. `*out_count` gets their number, also when
/// `capacity` is too small; nothing else is written then.
///
/// Preconditions: `out` has room for `capacity` gradients; `out_count` is writable.
PrxStatus prx_intersection_gradients(PrxContext *context, PrxIntersection intersection, PrxVertexGradient *out,
                                     uint64_t capacity, uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Boundaries of intersections, unions and differences
 *
 * What Boolean operations make of two closed meshes, as triangles: asked of an intersection, whose crossings they are cut along.
 */

/// What is made of two closed meshes.
PRX_ENUM(PrxBooleanOperation) {
    /// What both have.
    PRX_BOOLEAN_OPERATION_INTERSECTION = 0,
    /// What `a` or `b` has.
    PRX_BOOLEAN_OPERATION_UNION = 1,
    /// What `a` has and `b` has not.
    PRX_BOOLEAN_OPERATION_DIFFERENCE = 2,
};

/// A corner of a boundary, in the world.
typedef struct PrxBoundaryVertex {
    /// Where it is.
    double position[3];
} PrxBoundaryVertex;

/// A triangle of a boundary.
typedef struct PrxBoundaryTriangle {
    /// Its corners, counter-clockwise from outside.
    uint32_t vertices[3];
    /// The mesh that it is a piece of: 0 for `a`, 1 for `b`.
    uint32_t mesh;
    /// The triangle of that mesh.
    uint32_t triangle;
    /// The region that it bounds, as prx_intersection_regions counts them; UINT32_MAX in a union or difference.
    uint32_t region;
} PrxBoundaryTriangle;

/// The corners of the boundary of what `operation` makes of the meshes. `*out_count` gets their number, also when `capacity` is too small; nothing
/// else is written then. PRX_STATUS_UNSUPPORTED when a mesh is not closed where the other crosses it.
///
/// Preconditions: `out` has room for `capacity` vertices; `out_count` is writable.
PrxStatus prx_intersection_boundary_vertices(PrxContext *context, PrxIntersection intersection, PrxBooleanOperation operation,
                                             PrxBoundaryVertex *out, uint64_t capacity, uint64_t *out_count);

/// The triangles of that boundary: pieces of triangles of both meshes, which close up. Their corners are of
/// prx_intersection_boundary_vertices with the same `operation`. Where corners of the meshes coincide, triangles without area can be among them, and where faces lie in one plane, sheets without thickness. `*out_count` gets
/// their number, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `out` has room for `capacity` triangles; `out_count` is writable.
PrxStatus prx_intersection_boundary_triangles(PrxContext *context, PrxIntersection intersection, PrxBooleanOperation operation,
                                              PrxBoundaryTriangle *out, uint64_t capacity, uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Volume contacts: regions as what a solver takes
 *
 * The connected parts of an exact intersection as contacts and patches, in the same structs as contacts in fields (Allard et al. 2010, "Volume Contact Constraints
 * at Arbitrary Resolution"). Each part is a patch; bodies need no field and may deform. A part pushes along its area vector, which is how its volume changes, so
 * normal, area and forces change smoothly as bodies move, and a part that is all of a body, which no direction makes smaller, gives no contact.
 *
 * A penalty force on body A of a patch with stiffness k per volume is -k times the sum of area times depth of its contacts, along the normal: k times the volume of
 * the part, but for what the manifold's residuals tell. With hard constraints take them as any other contacts.
 */

/// How parts become contacts. Fill it by prx_region_contacts_def_default.
typedef struct PrxRegionContactsDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Contacts that are kept per patch, from 1 to 32; 0 for all.
    uint32_t points;
    /// Patches that are kept, the largest parts first; 0 for all.
    uint32_t patches;
} PrxRegionContactsDef;

/// A def for four contacts per patch, and all patches.
PrxRegionContactsDef prx_region_contacts_def_default(void);

/// The parts of an intersection as contacts, patch by patch; `def` may be null for the default. They lie on corners of the parts: vertices inside the other mesh, and edges where
/// they pass through it.
///
/// As of contacts in fields, but: `separation` is minus the depth there of the plane that has the volume and the centre of the part, and all depths
/// of the part are between `lower` and `upper`; `area` is seen along the normal, and areas add up to that of the patch, with the same centre. The manifold's force and torque are
/// exact: of a unit pressure over all parts.
///
/// `previous` has up to 4096 contacts of the last step as they were returned, with `user` filled as the caller likes; null for none. `out_manifold` may be null. `*out_count` gets the
/// number of contacts, also when `capacity` is too small.
///
/// Preconditions: `def` is null or valid; `previous` has `previous_count` contacts; `out_manifold` is null or writable; `out` has room for `capacity` contacts;
/// `out_count` is writable.
PrxStatus prx_intersection_contacts(PrxContext *context, PrxIntersection intersection, const PrxRegionContactsDef *def,
                                    const PrxContact *previous, uint32_t previous_count, PrxManifold *out_manifold,
                                    PrxContact *out, uint64_t capacity, uint64_t *out_count);

/// The patches of prx_intersection_contacts with the same arguments, the largest parts first: normal along the area vector, area and second moments as seen
/// along it, and the centre half way between both surfaces. `tangent` is along the larger moment, and the mixed one is zero. `*out_count` gets their number, also when `capacity` is
/// too small; nothing else is written then.
///
/// Preconditions: `def` is null or valid; `previous` has `previous_count` contacts; `out` has room for `capacity` patches; `out_count` is writable.
PrxStatus prx_intersection_patches(PrxContext *context, PrxIntersection intersection, const PrxRegionContactsDef *def,
                                   const PrxContact *previous, uint32_t previous_count, PrxPatch *out, uint64_t capacity,
                                   uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Sweeps: the first contact of moving meshes
 */

/// What meets first in a sweep.
PRX_ENUM(PrxImpactKind) {
    /// Nothing.
    PRX_IMPACT_KIND_NONE = 0,
    /// Two triangles that intersect already at time 0: `feature_a[0]` of `a` and `feature_b[0]` of `b`.
    PRX_IMPACT_KIND_START = 1,
    /// Vertex `feature_a[0]` of `a` and triangle `feature_b[0]` of `b`.
    PRX_IMPACT_KIND_VERTEX_FACE = 2,
    /// Triangle `feature_a[0]` of `a` and vertex `feature_b[0]` of `b`.
    PRX_IMPACT_KIND_FACE_VERTEX = 3,
    /// The edge between the vertices feature_a of `a`, and that between the vertices feature_b of `b`.
    PRX_IMPACT_KIND_EDGE_EDGE = 4,
};

/// How to sweep. Fill it by prx_sweep_def_default.
typedef struct PrxSweepDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Reserved, must be zero.
    uint32_t reserved;
    /// Features this close, in mesh units, or closer count as meeting. Negative for the default: 0, so that they have to touch; between
    /// poses a millionth of the longest side of the smaller mesh's box, because a turn is followed in steps that must not be endless.
    double tolerance;
} PrxSweepDef;

/// The first contact of a sweep.
typedef struct PrxImpact {
    /// 1 when something meets; 0 is a proof that nothing touches between time 0 and 1.
    uint32_t hit;
    /// What meets.
    PrxImpactKind kind;
    /// From 0, the start, to 1, the end; never after the true first contact. Infinity without a hit.
    double time;
    /// What of `a` meets, see PrxImpactKind; unused places are PRX_NO_INDEX.
    uint32_t feature_a[2];
    /// What of `b` meets.
    uint32_t feature_b[2];
    /// The nearest point of that feature of `a` at that time.
    float point_a[3];
    /// The nearest point of that feature of `b` at that time.
    float point_b[3];
} PrxImpact;

/// A def with the default tolerance.
PrxSweepDef prx_sweep_def_default(void);

/// The first contact of two meshes while each vertex goes straight from its place in `a0` (or `b0`) at time 0 to its place
/// in `a1` (or `b1`) at time 1. The two meshes of a pair have the same triangles. `def` may be null for the default. Positions
/// are in the world as they are; a mesh that stays is passed twice. An `a` that is inside `b` from the start does not touch.
///
/// Preconditions: `def` is null or valid; `out_impact` is writable.
PrxStatus prx_mesh_sweep(PrxContext *context, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, const PrxSweepDef *def,
                         PrxImpact *out_impact);

/// The first contact of a mesh with itself while each vertex goes straight from its place in `mesh0` to its place in `mesh1`,
/// which have the same triangles. Features with a common vertex are not compared. Both sides of the answer are of the one
/// mesh. `def` may be null for the default.
///
/// Preconditions: `def` is null or valid; `out_impact` is writable.
PrxStatus prx_mesh_sweep_self(PrxContext *context, PrxMesh mesh0, PrxMesh mesh1, const PrxSweepDef *def, PrxImpact *out_impact);

/// The first contact of two rigid meshes that move from one pose to another. `a` goes from `from_a` to `to_a` on a screw: a turn
/// about an axis and a slide along it, at constant speed. As seen from `a`, `b` goes on a screw too, from where `from_b`
/// puts it to where `to_b` does. `def` may be null for the default, poses for the identity. Points are in the world.
///
/// Preconditions: Poses are null or valid; `def` is null or valid; `out_impact` is writable.
PrxStatus prx_mesh_sweep_poses(PrxContext *context, PrxMesh a, const PrxPose *from_a, const PrxPose *to_a, PrxMesh b,
                               const PrxPose *from_b, const PrxPose *to_b, const PrxSweepDef *def, PrxImpact *out_impact);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Impacts: all that meets while meshes move
 */

/// What counts as an impact. Fill it by prx_impacts_def_default.
typedef struct PrxImpactsDef {
    /// Bytes of this struct.
    uint32_t size;
    /// 1 to report triangles that intersect at time 0 as impacts of kind PRX_IMPACT_KIND_START. Such triangles need not have
    /// features that meet: what is inside another body already may leave it unseen. Triangles with a common vertex are not compared.
    uint32_t start_intersections;
    /// Features that come this close, in mesh units, or closer meet. 0 when they have to touch.
    double separation;
} PrxImpactsDef;

/// Two features that meet.
typedef struct PrxFeatureImpact {
    /// What meets; never PRX_IMPACT_KIND_NONE.
    PrxImpactKind kind;
    /// What of `a` meets, see PrxImpactKind; unused places are PRX_NO_INDEX. Of an edge the lower vertex comes first.
    uint32_t feature_a[2];
    /// What of `b` meets.
    uint32_t feature_b[2];
    /// Unit direction from the feature of `a` to that of `b` just before they meet; zero for intersections at the start.
    float normal[3];
    /// From 0, the start, to 1, the end; never after the features first meet, and before it by at most 1e-3 of it or 1e-6.
    double time;
    /// The points that meet, by the share of each corner: 1 for the vertex and three shares of the face's corners in the order of the
    /// triangle, or two of the first edge and two of the second. All zero for intersections at the start.
    double weights[4];
} PrxFeatureImpact;

/// A def for features that touch.
PrxImpactsDef prx_impacts_def_default(void);

/// All pairs of a vertex and a face, and of two edges, one of each mesh, that meet while each vertex goes straight from its place
/// in `a0` (or `b0`) at time 0 to its place in `a1` (or `b1`) at time 1, each with its first time. They ascend by kind, then by
/// what meets. The two meshes of a pair have the same triangles; a mesh that stays is passed twice. `def` may be null.
///
/// None is missed, and a time is never too late. Coordinates are compared with about 30 digits: features that pass each other within
/// 1e-27 of their size and of how far they move count as meeting.
///
/// `*out_count` gets the number of impacts, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `def` is null or valid; `out` has room for `capacity` impacts; `out_count` is writable.
PrxStatus prx_mesh_impacts(PrxContext *context, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, const PrxImpactsDef *def,
                           PrxFeatureImpact *out, uint64_t capacity, uint64_t *out_count);

/// All impacts of a mesh with itself, as by prx_mesh_impacts. Features with a common vertex are not compared. A vertex and a face
/// are of kind PRX_IMPACT_KIND_VERTEX_FACE; of two edges or triangles the lower comes first.
///
/// Preconditions: `def` is null or valid; `out` has room for `capacity` impacts; `out_count` is writable.
PrxStatus prx_mesh_impacts_self(PrxContext *context, PrxMesh mesh0, PrxMesh mesh1, const PrxImpactsDef *def,
                                PrxFeatureImpact *out, uint64_t capacity, uint64_t *out_count);

/// The largest part of a step, from 0 to 1, that is proved to be free of impacts between two meshes: the time of the earliest, or 1.
/// It ends earlier than it must by at most 1e-3 of it or 1e-6. Arguments are as for prx_mesh_impacts.
///
/// Positions that are rounded to floats at the end of a step may touch: ask with a separation of a few roundings.
///
/// Preconditions: `def` is null or valid; `out_step` is writable.
PrxStatus prx_mesh_free_step(PrxContext *context, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, const PrxImpactsDef *def,
                             double *out_step);

/// The largest part of a step that is proved to be free of impacts of a mesh with itself, as by prx_mesh_free_step.
///
/// Preconditions: `def` is null or valid; `out_step` is writable.
PrxStatus prx_mesh_free_step_self(PrxContext *context, PrxMesh mesh0, PrxMesh mesh1, const PrxImpactsDef *def,
                                  double *out_step);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Near lists: all that is closer than a thickness
 *
 * For solvers of cloth and soft bodies: each vertex with each face, and each edge with each edge, that is closer than a thickness, with
 * weights, distance and direction. A triangle that names a vertex twice is an edge without a face, as of a rope; one that names it three
 * times is a loose vertex, as of particles. Both are compared as faces are.
 */

/// Which part of a feature a nearest point is on. That of a lone vertex is always PRX_NEAR_REGION_VERTEX0, and an edge has
/// PRX_NEAR_REGION_VERTEX0, PRX_NEAR_REGION_VERTEX1 and PRX_NEAR_REGION_EDGE01.
PRX_ENUM(PrxNearRegion) {
    /// The first corner.
    PRX_NEAR_REGION_VERTEX0 = 0,
    /// The second corner.
    PRX_NEAR_REGION_VERTEX1 = 1,
    /// The third corner.
    PRX_NEAR_REGION_VERTEX2 = 2,
    /// Between the first and the second corner.
    PRX_NEAR_REGION_EDGE01 = 3,
    /// Between the second and the third corner.
    PRX_NEAR_REGION_EDGE12 = 4,
    /// Between the third and the first corner.
    PRX_NEAR_REGION_EDGE20 = 5,
    /// Inside of the face.
    PRX_NEAR_REGION_FACE = 6,
};

/// Which vertices of near pairs are meant.
PRX_ENUM(PrxNearSide) {
    /// Those of `a`.
    PRX_NEAR_SIDE_A = 0,
    /// Those of `b`.
    PRX_NEAR_SIDE_B = 1,
    /// All, of a list of a mesh with itself.
    PRX_NEAR_SIDE_BOTH = 2,
};

/// Two features that are closer than the thickness.
typedef struct PrxNearPair {
    /// Vertex and face, face and vertex, or two edges.
    PrxImpactKind kind;
    /// What of `a` is near: the index of a vertex or triangle and PRX_NO_INDEX, or the two vertices of an edge, the lower first.
    uint32_t feature_a[2];
    /// What of `b` is near.
    uint32_t feature_b[2];
    /// Where on the feature of `a` the nearest point is.
    PrxNearRegion region_a;
    /// Where on the feature of `b` the nearest point is.
    PrxNearRegion region_b;
    /// With PrxNearDef.mark_repeats: 1 when a pair before it in the list has its nearest points on the same two vertices, or on the same
    /// vertex and edge. A barrier that counts only pairs with 0 counts nothing twice.
    uint32_t repeats;
    /// Unit direction from the nearest point of `a` to that of `b`, in the world; zero where they touch.
    float direction[3];
    /// Reserved.
    uint32_t reserved;
    /// How far they are apart, in mesh units.
    double distance;
    /// The nearest points, by the share of each corner: 1 for the vertex and three shares of the face's corners in the order of the
    /// triangle, or two of the first edge and two of the second.
    double weights[4];
} PrxNearPair;

/// Which pairs are near. Fill it by prx_near_def_default and set `thickness`.
typedef struct PrxNearDef {
    /// Bytes of this struct.
    uint32_t size;
    /// Of a mesh with itself: features are left out when at most so many edges lead from one to the other, from 0 to 16. Features with
    /// a common vertex are always left out. 0 between two meshes.
    uint32_t rings;
    /// 1 to fill PrxNearPair.repeats, which takes another sort.
    uint32_t mark_repeats;
    /// Reserved, must be zero.
    uint32_t reserved;
    /// Features closer than this, in mesh units, are near.
    double thickness;
    /// One thickness per vertex of `a`, or null. Features are near when they are closer than the mean of both thicknesses, which are
    /// interpolated at the nearest points.
    const float *thickness_a;
    /// How many there are: as many as `a` has vertices, or 0.
    uint64_t thickness_a_count;
    /// One thickness per vertex of `b`, or null.
    const float *thickness_b;
    /// How many there are: as many as `b` has vertices, or 0.
    uint64_t thickness_b_count;
    /// Bits per vertex of `a`, or null. A pair is left out when all of its corners have one bit in common: vertices of a group do
    /// not see each other.
    const uint32_t *groups_a;
    /// How many there are: as many as `a` has vertices, or 0.
    uint64_t groups_a_count;
    /// Bits per vertex of `b`, or null.
    const uint32_t *groups_b;
    /// How many there are: as many as `b` has vertices, or 0.
    uint64_t groups_b_count;
    /// Pairs that are left out, or null: `kind`, `feature_a` and `feature_b` are read, so a list that was returned can be passed back.
    const PrxNearPair *excluded;
    /// How many there are.
    uint64_t excluded_count;
    /// Of a mesh with itself: another with the same triangles, or null. Pairs that are closer than the thickness there are left out.
    PrxMesh rest;
} PrxNearDef;

/// A def with a thickness of 0, which nothing is closer than: set it.
PrxNearDef prx_near_def_default(void);

/// All pairs of a vertex and a face, and of two edges, one of each mesh as they are now, that are closer than the thickness of `def`. They
/// ascend by kind, then by feature of `a`, then of `b`; each is there once. Poses may be null.
///
/// Distances are measured in double precision between the positions as they are, `b` moved into the frame of `a` as for
/// prx_mesh_distance. Threads do not change the answer.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then. Memory is in the
/// order of `capacity`.
///
/// Preconditions: Each pose is null or valid; `def` is valid, and its arrays have as many values as their counts say; `out` has room for `capacity`
/// pairs; `out_count` is writable.
PrxStatus prx_mesh_near(PrxContext *context, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                        const PrxNearDef *def, PrxNearPair *out, uint64_t capacity, uint64_t *out_count);

/// All near pairs of a mesh with itself, as by prx_mesh_near; features with a common vertex are not compared. A vertex and a face are of
/// kind PRX_IMPACT_KIND_VERTEX_FACE; of two edges the lower comes first. Arrays for `b` in `def` must be null.
///
/// Preconditions: `def` is valid, and its arrays have as many values as their counts say; `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_mesh_near_self(PrxContext *context, PrxMesh mesh, const PrxNearDef *def, PrxNearPair *out, uint64_t capacity,
                             uint64_t *out_count);

/// How far each vertex may move so that no near pair comes as close as `separation`: for solvers that step vertices independently. Whatever
/// direction each vertex takes, and if all go as far as they may, all pairs of features that prx_mesh_near compares stay apart. It
/// is half of what the nearest pair that the vertex is a corner of is apart beyond the separation, at most half of what the
/// thickness is. One number per vertex of `a`, then one per vertex of `b`, in mesh units.
///
/// The thickness must be one for all vertices. Pairs that `def` leaves out are not looked at. `*out_count` gets the number of vertices,
/// also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: Each pose is null or valid; `def` is valid, and its arrays have as many values as their counts say; `out` has room for `capacity`
/// numbers; `out_count` is writable.
PrxStatus prx_mesh_safe_distances(PrxContext *context, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                  const PrxNearDef *def, double separation, double *out, uint64_t capacity,
                                  uint64_t *out_count);

/// How far each vertex of a mesh may move so that no near pair of the mesh with itself comes as close as `separation`, as by
/// prx_mesh_safe_distances.
///
/// Preconditions: `def` is valid, and its arrays have as many values as their counts say; `out` has room for `capacity` numbers; `out_count` is writable.
PrxStatus prx_mesh_safe_distances_self(PrxContext *context, PrxMesh mesh, const PrxNearDef *def, double separation, double *out,
                                       uint64_t capacity, uint64_t *out_count);

/// A near list by vertex, in compressed rows: the pairs that vertex `v` of `mesh` is a corner of are `out[out_starts[v]]` to
/// `out[out_starts[v + 1] - 1]`, indices into `pairs`, ascending. `out_distances` gets the smallest distance of each vertex's pairs, or
/// infinity. `side` is which of the list's meshes `mesh` is. `pair_count` is at most PRX_MAX_COUNT.
///
/// `*out_count` gets the number of indices, also when `capacity` is too small; nothing else is written then. `out_starts` and
/// `out_distances` may be null.
///
/// Preconditions: `pairs` has `pair_count` pairs; `out_starts` is null or has room for one number per vertex of `mesh` and one more; `out_distances` is
/// null or has room for one number per vertex; `out` has room for `capacity` indices; `out_count` is writable.
PrxStatus prx_mesh_near_per_vertex(PrxContext *context, PrxMesh mesh, PrxNearSide side, const PrxNearPair *pairs,
                                   uint64_t pair_count, uint64_t *out_starts, double *out_distances, uint32_t *out,
                                   uint64_t capacity, uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Vertices inside tetrahedra, and how deep
 */

/// A body of tetrahedra, as it is now. Nothing is kept of it.
typedef struct PrxTetrahedralBody {
    /// Three floats per vertex.
    const float *positions;
    /// Four vertex indices per tetrahedron, in either orientation.
    const uint32_t *tetrahedra;
    /// Vertices, at most PRX_MAX_COUNT.
    uint32_t vertex_count;
    /// Tetrahedra, at most PRX_MAX_COUNT.
    uint32_t tetrahedron_count;
} PrxTetrahedralBody;

/// A vertex in a tetrahedron. When both are of one body, the body intersects itself.
typedef struct PrxVertexInside {
    /// The body of the vertex, by its place in the array.
    uint32_t vertex_body;
    /// The vertex.
    uint32_t vertex;
    /// The body of the tetrahedron.
    uint32_t tetrahedron_body;
    /// The tetrahedron.
    uint32_t tetrahedron;
    /// Weights of the tetrahedron's corners that give the vertex; they sum to 1.
    double weights[4];
} PrxVertexInside;

/// How deep a vertex is inside of a body, and the way out.
typedef struct PrxVertexDepth {
    /// The body of the vertex, by its place in the array.
    uint32_t vertex_body;
    /// The vertex.
    uint32_t vertex;
    /// The body that it is inside of; its own when that intersects itself.
    uint32_t body;
    /// 1 when an edge leads from the vertex out of the body, one more for each edge farther inside. 0 when no way along edges of tetrahedra
    /// leads out, as of a body that is wholly inside and of vertices without tetrahedra; depth and direction are zero then.
    uint32_t steps;
    /// How far it is to the surface of `body` along the direction, in mesh units.
    double depth;
    /// Unit vector out of `body`; zero where the normals that were met cancel.
    double direction[3];
} PrxVertexDepth;

/// All vertices that are inside or on tetrahedra, of any of the bodies, themselves too, found by spatial hashing and decided
/// exactly. They ascend by vertex body, vertex, tetrahedron body, tetrahedron. A vertex is not inside the tetrahedra that it is
/// a corner of; tetrahedra without volume hold nothing.
///
/// `*out_count` gets the number of answers, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `bodies` has `count` bodies whose arrays are as long as their counts say; `out` has room for `capacity` answers;
/// `out_count` is writable.
PrxStatus prx_tetrahedra_inside(PrxContext *context, const PrxTetrahedralBody *bodies, uint32_t count, PrxVertexInside *out,
                                uint64_t capacity, uint64_t *out_count);

/// How deep all vertices are inside of other bodies, or of their own, and which way leads out: as by Heidelberger et al. 2004, Consistent
/// Penetration Depth Estimation for Deformable Collision Response. Each vertex that prx_tetrahedra_inside finds comes once per body; they
/// ascend by vertex body, vertex, body.
///
/// Where an edge of a tetrahedron leads from a vertex inside to one outside, the place where it first leaves the surface and the normal there
/// give depth and direction, weighted by the inverse square of how far away that is. Vertices farther inside take them over from their
/// neighbours, nearer ones first. So neighbours are sent the same way, also where they are nearer to the other side of a thin body. The surface are the
/// faces that one tetrahedron has.
///
/// `*out_count` gets the number of answers, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `bodies` has `count` bodies whose arrays are as long as their counts say; `out` has room for `capacity` answers;
/// `out_count` is writable.
PrxStatus prx_tetrahedra_depths(PrxContext *context, const PrxTetrahedralBody *bodies, uint32_t count, PrxVertexDepth *out,
                                uint64_t capacity, uint64_t *out_count);

/* =============================================================================================================================
 * Scenes
 */

/* -----------------------------------------------------------------------------------------------------------------------------
 * Objects of a scene, and which of them are close
 *
 * A scene holds objects, each a mesh under a pose, and finds the pairs of them that are close from one frame to the next.
 */

/// Names a scene: objects and their places. Zero is null; the id of a destroyed scene is refused.
///
/// Threads: calls may come from any thread; calls on one scene take turns.
typedef struct PrxScene {
    /// The id; zero is null.
    uint64_t id;
} PrxScene;

/// Names an object of a scene. Zero is null; the id of a removed object is refused, as is one of another scene.
typedef struct PrxObject {
    /// The id; zero is null.
    uint64_t id;
} PrxObject;

/// Two objects of a scene.
typedef struct PrxObjectPair {
    /// The one in the earlier place.
    PrxObject first;
    /// The other.
    PrxObject second;
} PrxObjectPair;

/// Two triangles of two objects that meet or are near each other.
typedef struct PrxScenePair {
    /// The object in the earlier place.
    PrxObject object_a;
    /// The other object.
    PrxObject object_b;
    /// The triangle of `object_a`.
    uint32_t triangle_a;
    /// The triangle of `object_b`.
    uint32_t triangle_b;
    /// Their distance, in mesh units; 0 exactly when they share a point.
    double distance;
    /// Two points in the world, as in PrxPair.
    float segment[2][3];
} PrxScenePair;

/// Creates an empty scene.
///
/// Preconditions: `out_scene` is writable.
PrxStatus prx_scene_create(PrxContext *context, PrxScene *out_scene);

/// Destroys a scene and its objects. Their meshes stay.
PrxStatus prx_scene_destroy(PrxContext *context, PrxScene scene);

/// Places a mesh in a scene. Any number of objects may share a mesh, and the object keeps it: prx_mesh_update moves
/// its triangles, prx_mesh_destroy takes only the name. `pose` may be null for the identity.
///
/// An object has a place in the scene's order: the next one, or that of an object that was removed.
///
/// Preconditions: `pose` is null or valid; `out_object` is writable.
PrxStatus prx_scene_add(PrxContext *context, PrxScene scene, PrxMesh mesh, const PrxPose *pose, PrxObject *out_object);

/// Moves `count` objects, at most PRX_MAX_COUNT, to the poses of the same numbers. All move, or, when an object or a pose is refused, none.
///
/// Preconditions: `objects` points to `count` objects, `poses` to as many poses.
PrxStatus prx_scene_move(PrxContext *context, PrxScene scene, const PrxObject *objects, const PrxPose *poses, uint64_t count);

/// Takes an object out of its scene.
PrxStatus prx_scene_remove(PrxContext *context, PrxScene scene, PrxObject object);

/// All pairs of objects whose boxes are at most `distance` apart on every axis; 0 for boxes that share a point. Ascending by
/// the places of the objects. Boxes hold their objects and are a little larger than need be: this is the broad phase, and
/// no pair of objects that are at most `distance` apart is missed.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_scene_object_pairs(PrxContext *context, PrxScene scene, double distance, PrxObjectPair *out, uint64_t capacity,
                                 uint64_t *out_count);

/// All pairs of triangles of two different objects that are at most `distance` apart; 0 for those that share a point. Ascending
/// by the places of the objects, then by triangle. What counts is as for prx_mesh_pairs, and for every pair of objects the list
/// is the one that prx_mesh_pairs gives.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_scene_pairs(PrxContext *context, PrxScene scene, double distance, PrxScenePair *out, uint64_t capacity,
                          uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Contacts of a scene
 *
 * A scene that is given bodies finds all their contacts in one call: which pairs are near, the contacts of each, which pairs began to touch, go
 * on or ended, and which contact continues which. The scene remembers the last answer, so nothing has to be handed back. A step is:
 * prx_scene_move_bodies, prx_scene_contacts (or prx_batch_scene_contacts with its result), then the lists, whose lengths the answer has.
 *
 * Bodies take part in contacts only, objects of prx_scene_add in the exact queries only. The contacts of a pair have the bits that
 * prx_batch_contacts gives for it, and everything comes in a fixed order.
 */

/// Which bodies a body meets: two meet if each one's mask has a bit of the other's group.
typedef struct PrxBodyFilter {
    /// Bits of the groups that the body is in.
    uint32_t group;
    /// Bits of the groups that it meets.
    uint32_t mask;
} PrxBodyFilter;

/// Where a body is.
typedef struct PrxBodyPose {
    /// The local origin in the world.
    double position[3];
    /// A unit quaternion: x, y, z, w.
    float rotation[4];
} PrxBodyPose;

/// What became of a pair since the answer before.
PRX_ENUM(PrxPairEvent) {
    /// It has contacts and had none.
    PRX_PAIR_EVENT_BEGAN = 0,
    /// It has contacts and had some.
    PRX_PAIR_EVENT_PERSISTS = 1,
    /// It had contacts and has none, or one of its bodies was removed. It is reported once.
    PRX_PAIR_EVENT_ENDED = 2,
};

/// A pair of bodies that touch, or that have just ended to.
typedef struct PrxContactPair {
    /// Body A: the one in the earlier place.
    PrxObject object_a;
    /// Body B.
    PrxObject object_b;
    /// The place of its first contact in the list of prx_scene_contact_points; `manifold.contacts` follow one another.
    uint64_t first_contact;
    /// The place of its first patch in the list of prx_scene_contact_patches. PrxContact.patch counts from here.
    uint64_t first_patch;
    /// What is known of its contacts together.
    PrxManifold manifold;
    /// What became of it.
    PrxPairEvent event;
    /// Reserved.
    uint32_t reserved;
} PrxContactPair;

/// How long the lists of an answer are.
typedef struct PrxSceneContacts {
    /// Pairs that touch or have just ended.
    uint64_t pairs;
    /// Contacts kept, of all pairs.
    uint64_t contacts;
    /// Patches of all pairs.
    uint64_t patches;
    /// Contacts of the answer before that ended.
    uint64_t ended;
    /// Pairs that were near each other and were looked at.
    uint32_t tested;
    /// Pairs that were near each other and cannot touch, because neither body has a field where the other has a mesh.
    uint32_t without_field;
} PrxSceneContacts;

/// Places a body in a scene; the object keeps its mesh and its field. `filter` may be null for a body in group 1 that meets all.
///
/// Preconditions: `body` is valid; `filter` is null or valid; `out_object` is writable.
PrxStatus prx_scene_add_body(PrxContext *context, PrxScene scene, const PrxBody *body, const PrxBodyFilter *filter,
                             PrxObject *out_object);

/// Replaces what prx_scene_add_body was given; the pairs of the object go on. `filter` may be null as there.
///
/// Preconditions: `body` is valid; `filter` is null or valid.
PrxStatus prx_scene_set_body(PrxContext *context, PrxScene scene, PrxObject object, const PrxBody *body,
                             const PrxBodyFilter *filter);

/// Moves `count` bodies, at most PRX_MAX_COUNT, to the poses of the same numbers. All move, or, when an object or a pose is refused, none.
///
/// Preconditions: `objects` points to `count` objects, `poses` to as many poses.
PrxStatus prx_scene_move_bodies(PrxContext *context, PrxScene scene, const PrxObject *objects, const PrxBodyPose *poses,
                                uint64_t count);

/// Pairs of bodies that are not to touch, whatever their filters say. The list takes the place of the one before; 0 for none. A removed
/// object leaves the list.
///
/// Preconditions: `pairs` has `count` pairs.
PrxStatus prx_scene_exclude(PrxContext *context, PrxScene scene, const PrxObjectPair *pairs, uint64_t count);

/// Finds the contacts of all bodies of a scene. `def` may be null for the default; its budget, points and patches are those of each
/// pair. Pairs are near if their boxes, grown by the distance and by the bodies' offsets, overlap; those that filters and exclusions admit
/// are looked at, in one submission. Read the lists by the functions below; they stay until the next answer.
///
/// Preconditions: `def` is null or valid; `out_found` is writable.
PrxStatus prx_scene_contacts(PrxContext *context, PrxScene scene, const PrxContactsDef *def, PrxSceneContacts *out_found);

/// Records prx_scene_contacts of the bodies as they are now. prx_batch_scene_contacts_result hands the answer to the scene.
///
/// Preconditions: `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_scene_contacts(PrxBatch *batch, PrxScene scene, const PrxContactsDef *def, PrxTicket *out_ticket);

/// The answer of prx_batch_scene_contacts. The first call makes it the scene's last answer, whose lists the functions below read. Events and
/// `previous` refer to the answer that was the last one until then. Read answers of a scene in the order of their submissions: one that
/// comes after a later one is PRX_STATUS_WRONG_STATE.
///
/// Preconditions: `out_found` is writable.
PrxStatus prx_batch_scene_contacts_result(PrxBatch *batch, PrxTicket ticket, PrxSceneContacts *out_found);

/// The pairs of the scene's last answer, by the places of their bodies. `*out_count` gets their number, also when `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_scene_contact_pairs(PrxContext *context, PrxScene scene, PrxContactPair *out, uint64_t capacity,
                                  uint64_t *out_count);

/// The contacts of the scene's last answer, pair by pair, patch by patch. `previous` is a place in this list of the answer before.
/// `*out_count` gets their number, also when `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` contacts; `out_count` is writable.
PrxStatus prx_scene_contact_points(PrxContext *context, PrxScene scene, PrxContact *out, uint64_t capacity,
                                   uint64_t *out_count);

/// The patches of the scene's last answer, pair by pair, the deepest first. `previous` is a place in this list of the answer before.
/// `*out_count` gets their number, also when `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` patches; `out_count` is writable.
PrxStatus prx_scene_contact_patches(PrxContext *context, PrxScene scene, PrxPatch *out, uint64_t capacity, uint64_t *out_count);

/// Places in the contacts of the answer before that ended, those of ended pairs included. `*out_count` gets their number, also when
/// `capacity` is too small.
///
/// Preconditions: `out` has room for `capacity` numbers; `out_count` is writable.
PrxStatus prx_scene_contacts_ended(PrxContext *context, PrxScene scene, uint32_t *out, uint64_t capacity, uint64_t *out_count);

/// Sets `user` of every contact of the scene's last answer, in the order of prx_scene_contact_points; contacts of the next answer that continue
/// them carry it on. Keep impulses there. `count` must be the number of contacts.
///
/// Preconditions: `users` has `count` numbers.
PrxStatus prx_scene_set_users(PrxContext *context, PrxScene scene, const uint64_t *users, uint64_t count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Impacts of a scene: all that meets while its objects move
 */

/// Where an object goes in a step.
typedef struct PrxObjectMove {
    /// The object.
    PrxObject object;
    /// A mesh of the same triangles with the positions at the end of the step; zero for an object that keeps its shape.
    PrxMesh mesh;
    /// Its pose at the end of the step.
    PrxPose pose;
} PrxObjectMove;

/// Two features of objects that meet.
typedef struct PrxSceneImpact {
    /// The object in the earlier place: the `a` of the impact.
    PrxObject object_a;
    /// The other object; the same for one that meets itself.
    PrxObject object_b;
    /// What of them meets, and when.
    PrxFeatureImpact impact;
} PrxSceneImpact;

/// All pairs of a vertex and a face, and of two edges, of two objects that meet in a step. At time 0 the objects are as the scene has
/// them, at time 1 where `moves` takes them; each vertex goes straight from its one place in the world to the other, and objects without a
/// move rest. Places in the world are rounded to floats; under poses without rotation and position they are exact. The scene stays as it is.
///
/// Objects are compared in pairs of which one at least has a move. An object whose move names a mesh deforms, and is compared with itself
/// too, as by prx_mesh_impacts_self. Impacts ascend by the places of the objects, then as those of prx_mesh_impacts, whose promises hold
/// for each pair. A straight way is not a turn: a body that turns far in a step shrinks on its way, so take short steps, or
/// prx_mesh_sweep_poses for two bodies.
///
/// `moves` points to `count` moves, at most PRX_MAX_COUNT and at most one of each object. `def` may be null.
/// `*out_count` gets the number of impacts, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `moves` points to `count` moves; `def` is null or valid; `out` has room for `capacity` impacts; `out_count` is writable.
PrxStatus prx_scene_impacts(PrxContext *context, PrxScene scene, const PrxObjectMove *moves, uint64_t count,
                            const PrxImpactsDef *def, PrxSceneImpact *out, uint64_t capacity, uint64_t *out_count);

/// The earliest impact of a scene, as prx_scene_impacts has it. Without one its kind is PRX_IMPACT_KIND_NONE, its objects are zero
/// and its time is 1: the time is always the part of the step that is proved to be free.
///
/// Preconditions: `moves` points to `count` moves; `def` is null or valid; `out_impact` is writable.
PrxStatus prx_scene_first_impact(PrxContext *context, PrxScene scene, const PrxObjectMove *moves, uint64_t count,
                                 const PrxImpactsDef *def, PrxSceneImpact *out_impact);

/// The largest part of a step, from 0 to 1, that is proved to be free of impacts of a scene's objects, as by prx_mesh_free_step; the
/// rest is as for prx_scene_impacts.
///
/// Preconditions: `moves` points to `count` moves; `def` is null or valid; `out_step` is writable.
PrxStatus prx_scene_free_step(PrxContext *context, PrxScene scene, const PrxObjectMove *moves, uint64_t count,
                              const PrxImpactsDef *def, double *out_step);

/* =============================================================================================================================
 * Exact queries in batches
 */

/* -----------------------------------------------------------------------------------------------------------------------------
 * Distances, pairs and intersections in batches
 *
 * Exact queries are recorded in a batch beside those of the device, run on the context's CPU threads from prx_batch_submit on, and are read
 * by ticket. The answer is that of the function that answers at the call, bit for bit.
 *
 * Poses, defs, arrays, and the objects of a scene are those of when the query is recorded. Positions are those of the submission, as for queries
 * of the device: an update while the batch is in flight does not touch them, and a mesh that is destroyed is kept for the batch. Positions in an
 * engine's buffer come with the submission, after the semaphores that it waits for, once per mesh.
 *
 * prx_batch_poll and prx_batch_wait are about all of the batch. The semaphores that a submission signals are about the device alone, which has
 * read an engine's positions by then. What goes wrong in a query is the status of reading it, and concerns no other: prx_context_cancel, and the
 * time limit counted from the submission, end what is not done with PRX_STATUS_CANCELLED.
 */

/// Records the distance of two meshes, as prx_mesh_distance finds it; read it by prx_batch_distance_result. Poses and `def` may be null.
///
/// Preconditions: Each pose is null or valid; `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_distance(PrxBatch *batch, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                             const PrxDistanceDef *def, PrxTicket *out_ticket);

/// The answer of prx_batch_distance.
///
/// Preconditions: `out_distance` is writable.
PrxStatus prx_batch_distance_result(PrxBatch *batch, PrxTicket ticket, PrxDistance *out_distance);

/// Records pairs of triangles at most `distance` apart, as prx_mesh_pairs finds them; read them by prx_batch_pairs_result. Poses may be null.
/// At most `room` pairs are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// Preconditions: Each pose is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_pairs(PrxBatch *batch, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b, double distance,
                          uint64_t room, PrxTicket *out_ticket);

/// The answer of prx_batch_pairs. `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is
/// written then.
///
/// Preconditions: `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_batch_pairs_result(PrxBatch *batch, PrxTicket ticket, PrxPair *out, uint64_t capacity, uint64_t *out_count);

/// Records pairs of triangles of one mesh, as prx_mesh_self_pairs finds them; read them by prx_batch_self_pairs_result.
/// At most `room` pairs are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// Preconditions: `out_ticket` is writable.
PrxStatus prx_batch_self_pairs(PrxBatch *batch, PrxMesh mesh, uint64_t room, PrxTicket *out_ticket);

/// The answer of prx_batch_self_pairs. `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is
/// written then.
///
/// Preconditions: `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_batch_self_pairs_result(PrxBatch *batch, PrxTicket ticket, PrxTrianglePair *out, uint64_t capacity,
                                      uint64_t *out_count);

/// Records the exact volume that two closed meshes have in common, as prx_mesh_exact_intersection finds it; read it by
/// prx_batch_exact_intersection_result. Poses may be null.
///
/// Preconditions: Each pose is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_exact_intersection(PrxBatch *batch, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                       PrxTicket *out_ticket);

/// The answer of prx_batch_exact_intersection.
///
/// Preconditions: `out_intersection` is writable.
PrxStatus prx_batch_exact_intersection_result(PrxBatch *batch, PrxTicket ticket, PrxExactIntersection *out_intersection);

/// Records what two closed meshes have in common, as prx_intersection_create finds it; prx_batch_intersection_result names it. Poses may be null.
///
/// Preconditions: Each pose is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_intersection(PrxBatch *batch, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                 PrxTicket *out_ticket);

/// Names what prx_batch_intersection found, to be asked about: each call gives a name, to be destroyed by prx_intersection_destroy, which may
/// outlive the batch.
///
/// Preconditions: `out_intersection` is writable.
PrxStatus prx_batch_intersection_result(PrxBatch *batch, PrxTicket ticket, PrxIntersection *out_intersection);

/// Records all vertices inside tetrahedra, as prx_tetrahedra_inside finds them; read them by prx_batch_tetrahedra_inside_result. The arrays
/// are copied. `count` is at most PRX_MAX_COUNT.
/// At most `room` answers are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// Preconditions: `bodies` has `count` bodies whose arrays are as long as their counts say; `out_ticket` is writable.
PrxStatus prx_batch_tetrahedra_inside(PrxBatch *batch, const PrxTetrahedralBody *bodies, uint32_t count, uint64_t room,
                                      PrxTicket *out_ticket);

/// The answer of prx_batch_tetrahedra_inside. `*out_count` gets the number of answers, also when `capacity` is too small; nothing else is
/// written then.
///
/// Preconditions: `out` has room for `capacity` answers; `out_count` is writable.
PrxStatus prx_batch_tetrahedra_inside_result(PrxBatch *batch, PrxTicket ticket, PrxVertexInside *out, uint64_t capacity,
                                             uint64_t *out_count);

/// Records how deep vertices are inside of bodies, as prx_tetrahedra_depths finds them; read them by prx_batch_tetrahedra_depths_result. The
/// arrays are copied. `count` is at most PRX_MAX_COUNT.
/// At most `room` answers are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// Preconditions: `bodies` has `count` bodies whose arrays are as long as their counts say; `out_ticket` is writable.
PrxStatus prx_batch_tetrahedra_depths(PrxBatch *batch, const PrxTetrahedralBody *bodies, uint32_t count, uint64_t room,
                                      PrxTicket *out_ticket);

/// The answer of prx_batch_tetrahedra_depths. `*out_count` gets the number of answers, also when `capacity` is too small; nothing else is
/// written then.
///
/// Preconditions: `out` has room for `capacity` answers; `out_count` is writable.
PrxStatus prx_batch_tetrahedra_depths_result(PrxBatch *batch, PrxTicket ticket, PrxVertexDepth *out, uint64_t capacity,
                                             uint64_t *out_count);

/// Records pairs of triangles of different objects at most `distance` apart, as prx_scene_pairs finds them, with the objects where they are
/// now; read them by prx_batch_scene_pairs_result.
/// At most `room` pairs are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// Preconditions: `out_ticket` is writable.
PrxStatus prx_batch_scene_pairs(PrxBatch *batch, PrxScene scene, double distance, uint64_t room, PrxTicket *out_ticket);

/// The answer of prx_batch_scene_pairs. `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is
/// written then.
///
/// Preconditions: `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_batch_scene_pairs_result(PrxBatch *batch, PrxTicket ticket, PrxScenePair *out, uint64_t capacity,
                                       uint64_t *out_count);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Sweeps, impacts and near lists in batches
 *
 * What prx_batch_distance and others promise holds for these too.
 */

/// Records the first contact of two meshes, as prx_mesh_sweep finds it; read it by prx_batch_sweep_result. `def` may be null.
///
/// Preconditions: `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_sweep(PrxBatch *batch, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, const PrxSweepDef *def,
                          PrxTicket *out_ticket);

/// Records the first contact of a mesh with itself, as prx_mesh_sweep_self finds it; read it by prx_batch_sweep_result. `def` may be null.
///
/// Preconditions: `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_sweep_self(PrxBatch *batch, PrxMesh mesh0, PrxMesh mesh1, const PrxSweepDef *def, PrxTicket *out_ticket);

/// Records the first contact of two rigid meshes, as prx_mesh_sweep_poses finds it; read it by prx_batch_sweep_result. Poses and `def`
/// may be null.
///
/// Preconditions: Poses are null or valid; `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_sweep_poses(PrxBatch *batch, PrxMesh a, const PrxPose *from_a, const PrxPose *to_a, PrxMesh b,
                                const PrxPose *from_b, const PrxPose *to_b, const PrxSweepDef *def, PrxTicket *out_ticket);

/// The answer of prx_batch_sweep, prx_batch_sweep_self or prx_batch_sweep_poses.
///
/// Preconditions: `out_impact` is writable.
PrxStatus prx_batch_sweep_result(PrxBatch *batch, PrxTicket ticket, PrxImpact *out_impact);

/// Records all impacts of two meshes, as prx_mesh_impacts finds them; read them by prx_batch_impacts_result. `def` may be null.
///
/// Preconditions: `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_impacts(PrxBatch *batch, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, const PrxImpactsDef *def,
                            PrxTicket *out_ticket);

/// Records all impacts of a mesh with itself, as prx_mesh_impacts_self finds them; read them by prx_batch_impacts_result. `def` may be
/// null.
///
/// Preconditions: `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_impacts_self(PrxBatch *batch, PrxMesh mesh0, PrxMesh mesh1, const PrxImpactsDef *def,
                                 PrxTicket *out_ticket);

/// The answer of prx_batch_impacts or prx_batch_impacts_self. `*out_count` gets the number of impacts, also when `capacity` is too small; nothing else is
/// written then.
///
/// Preconditions: `out` has room for `capacity` impacts; `out_count` is writable.
PrxStatus prx_batch_impacts_result(PrxBatch *batch, PrxTicket ticket, PrxFeatureImpact *out, uint64_t capacity,
                                   uint64_t *out_count);

/// Records the part of a step that is free of impacts between two meshes, as prx_mesh_free_step finds it; read it by
/// prx_batch_free_step_result. `def` may be null.
///
/// Preconditions: `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_free_step(PrxBatch *batch, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, const PrxImpactsDef *def,
                              PrxTicket *out_ticket);

/// Records the part of a step that is free of impacts of a mesh with itself, as prx_mesh_free_step_self finds it; read it by
/// prx_batch_free_step_result. `def` may be null.
///
/// Preconditions: `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_free_step_self(PrxBatch *batch, PrxMesh mesh0, PrxMesh mesh1, const PrxImpactsDef *def,
                                   PrxTicket *out_ticket);

/// The answer of prx_batch_free_step or prx_batch_free_step_self.
///
/// Preconditions: `out_step` is writable.
PrxStatus prx_batch_free_step_result(PrxBatch *batch, PrxTicket ticket, double *out_step);

/// Records all near pairs of two meshes, as prx_mesh_near finds them; read them by prx_batch_near_result. Poses may be null; the arrays of
/// `def` are copied.
/// At most `room` pairs are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// Preconditions: Each pose is null or valid; `def` is valid, and its arrays have as many values as their counts say;
/// `out_ticket` is writable.
PrxStatus prx_batch_near(PrxBatch *batch, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                         const PrxNearDef *def, uint64_t room, PrxTicket *out_ticket);

/// Records all near pairs of a mesh with itself, as prx_mesh_near_self finds them; read them by prx_batch_near_result. The arrays of `def`
/// are copied.
/// At most `room` pairs are kept, UINT64_MAX for any number: when there are more, reading is PRX_STATUS_OUT_OF_HOST_MEMORY, and writes how many.
///
/// Preconditions: `def` is valid, and its arrays have as many values as their counts say;
/// `out_ticket` is writable.
PrxStatus prx_batch_near_self(PrxBatch *batch, PrxMesh mesh, const PrxNearDef *def, uint64_t room, PrxTicket *out_ticket);

/// The answer of prx_batch_near or prx_batch_near_self. `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is
/// written then.
///
/// Preconditions: `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_batch_near_result(PrxBatch *batch, PrxTicket ticket, PrxNearPair *out, uint64_t capacity, uint64_t *out_count);

/// Records how far each vertex of two meshes may move, as prx_mesh_safe_distances finds it; read it by prx_batch_safe_distances_result.
/// Poses may be null; the arrays of `def` are copied.
///
/// Preconditions: Each pose is null or valid; `def` is valid, and its arrays have as many values as their counts say;
/// `out_ticket` is writable.
PrxStatus prx_batch_safe_distances(PrxBatch *batch, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                   const PrxNearDef *def, double separation, PrxTicket *out_ticket);

/// Records how far each vertex of a mesh may move, as prx_mesh_safe_distances_self finds it; read it by prx_batch_safe_distances_result. The
/// arrays of `def` are copied.
///
/// Preconditions: `def` is valid, and its arrays have as many values as their counts say;
/// `out_ticket` is writable.
PrxStatus prx_batch_safe_distances_self(PrxBatch *batch, PrxMesh mesh, const PrxNearDef *def, double separation,
                                        PrxTicket *out_ticket);

/// The answer of prx_batch_safe_distances or prx_batch_safe_distances_self. `*out_count` gets the number of numbers, also when `capacity` is too small; nothing else is
/// written then.
///
/// Preconditions: `out` has room for `capacity` numbers; `out_count` is writable.
PrxStatus prx_batch_safe_distances_result(PrxBatch *batch, PrxTicket ticket, double *out, uint64_t capacity,
                                          uint64_t *out_count);

/// Records all impacts of the objects of a scene, as prx_scene_impacts finds them, with the objects where they are now; read them by
/// prx_batch_scene_impacts_result. `moves` points to `count` moves, at most PRX_MAX_COUNT. `def` may be null.
///
/// Preconditions: `moves` points to `count` moves; `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_scene_impacts(PrxBatch *batch, PrxScene scene, const PrxObjectMove *moves, uint64_t count,
                                  const PrxImpactsDef *def, PrxTicket *out_ticket);

/// The answer of prx_batch_scene_impacts. `*out_count` gets the number of impacts, also when `capacity` is too small; nothing else is
/// written then.
///
/// Preconditions: `out` has room for `capacity` impacts; `out_count` is writable.
PrxStatus prx_batch_scene_impacts_result(PrxBatch *batch, PrxTicket ticket, PrxSceneImpact *out, uint64_t capacity,
                                         uint64_t *out_count);

/// Records the earliest impact of a scene, as prx_scene_first_impact finds it; read it by prx_batch_scene_first_impact_result. `moves` points
/// to `count` moves, at most PRX_MAX_COUNT. `def` may be null.
///
/// Preconditions: `moves` points to `count` moves; `def` is null or valid; `out_ticket` is writable.
PrxStatus prx_batch_scene_first_impact(PrxBatch *batch, PrxScene scene, const PrxObjectMove *moves, uint64_t count,
                                       const PrxImpactsDef *def, PrxTicket *out_ticket);

/// The answer of prx_batch_scene_first_impact.
///
/// Preconditions: `out_impact` is writable.
PrxStatus prx_batch_scene_first_impact_result(PrxBatch *batch, PrxTicket ticket, PrxSceneImpact *out_impact);

/* =============================================================================================================================
 * Time-critical queries
 */

/* -----------------------------------------------------------------------------------------------------------------------------
 * Trackers and collision chances
 *
 * The best answer within a budget of time or of steps, and what is certain about it.
 */

/// Names a tracker. Zero is null; the id of a destroyed tracker is refused.
///
/// Threads: calls may come from any thread, but only one at a time may step a tracker; another gets a status.
typedef struct PrxTracker {
    /// The id; zero is null.
    uint64_t id;
} PrxTracker;

/// How to track the nearest triangles of two meshes. Fill it by prx_tracker_def_default.
typedef struct PrxTrackerDef {
    /// Bytes of this struct.
    uint32_t size;
    /// The most pairs of triangles that stay active from step to step; 1 to 65536.
    uint32_t max_pairs;
    /// Random pairs that join each step; 1 to 65536.
    uint32_t fresh_pairs;
    /// The most resolutions that pairs are followed at, 1 to 32. With 1 all pairs are of the finest features; with more, far pairs are of
    /// coarser ones, which takes them farther for the same steps, and the nearest pair is of the finest always.
    uint32_t levels;
    /// What the random pairs follow from: the same seed, meshes and steps give the same bits.
    uint64_t seed;
    /// Pairs farther apart than this, in mesh units, are of no interest. Infinity for any.
    double within;
    /// Pairs at most this far apart, in mesh units, collide, and each step looks for all collisions around those that are active;
    /// 0 for what intersects. Negative for none.
    double colliding;
    /// 1 to follow a mesh against itself, between its folds: both meshes are the same one, under the same pose, and triangles that share a
    /// vertex do not count. 0 for two meshes.
    uint32_t itself;
    /// Reserved, must be zero.
    uint32_t reserved;
} PrxTrackerDef;

/// How long a time-critical query may take. It answers in any case; with nothing to spend, from the outermost boxes.
typedef struct PrxBudget {
    /// Microseconds from the call on, the refit of a changed mesh included: where they are over before it is done, what needs no hierarchy is
    /// answered. Only a mesh's first hierarchy is built whatever it takes. Infinity for any.
    double microseconds;
    /// About as many distances of two triangles; the answer then does not depend on how fast the machine is.
    /// UINT64_MAX for any.
    uint64_t steps;
} PrxBudget;

/// What a step of a tracker found.
typedef struct PrxTracked {
    /// The nearest pair so far. Its `lower` and `upper` hold the true distance whatever was left undone.
    PrxDistance distance;
    /// 1 when more time would change nothing: the distance is the exact one.
    uint32_t exact;
    /// Pairs that are active now.
    uint32_t pairs;
    /// Steps that were taken, as PrxBudget counts them.
    uint64_t steps;
    /// Pairs that collide, as prx_tracker_collisions lists them.
    uint64_t collisions;
    /// 1 when the search for collisions came to the end of every region, 0 when the budget ended before.
    uint32_t propagated;
    /// Reserved.
    uint32_t reserved;
} PrxTracked;

/// A pair of triangles at a local minimum of their distance.
typedef struct PrxActivePair {
    /// The triangle of the first mesh.
    uint32_t triangle_a;
    /// The triangle of the second mesh.
    uint32_t triangle_b;
    /// Their distance in the last step, in mesh units.
    double distance;
} PrxActivePair;

/// How likely two meshes collide.
typedef struct PrxChance {
    /// From 0 to 1. An estimate from the amount of surface in boxes; no triangle was looked at.
    double probability;
    /// 1 when the boxes alone prove that the surfaces do not meet.
    uint32_t apart;
    /// Reserved.
    uint32_t reserved;
    /// Steps that were taken.
    uint64_t steps;
} PrxChance;

/// A def with 64 active pairs, 16 fresh ones per step, at any distance, of the finest features of two meshes, without collisions.
PrxTrackerDef prx_tracker_def_default(void);

/// Creates a tracker of two meshes, or of one and itself. `def` may be null for the default. The meshes are kept until the tracker is destroyed.
///
/// Preconditions: `def` is null or valid; `out_tracker` is writable.
PrxStatus prx_tracker_create(PrxContext *context, PrxMesh a, PrxMesh b, const PrxTrackerDef *def, PrxTracker *out_tracker);

/// Destroys a tracker.
PrxStatus prx_tracker_destroy(PrxContext *context, PrxTracker tracker);

/// Follows both meshes to where they are now, looks for collisions, and spends what is left of the budget on certainty. Poses may be null.
///
/// Of a mesh and itself `lower` is 0: only the pairs that were found are known.
///
/// Preconditions: Each pose is null or valid; `out_tracked` is writable.
PrxStatus prx_tracker_step(PrxContext *context, PrxTracker tracker, const PrxPose *pose_a, const PrxPose *pose_b,
                           PrxBudget budget, PrxTracked *out_tracked);

/// The active pairs of a tracker after its last step, nearest first: each is a region where the meshes are close.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_tracker_pairs(PrxContext *context, PrxTracker tracker, PrxActivePair *out, uint64_t capacity,
                            uint64_t *out_count);

/// The pairs of triangles that collide after the last step of a tracker, by their numbers: those at most `colliding` apart that hang together
/// with an active one, from neighbour to neighbour. Of a mesh and itself each pair comes once.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_tracker_collisions(PrxContext *context, PrxTracker tracker, PrxActivePair *out, uint64_t capacity,
                                 uint64_t *out_count);

/// How likely two meshes collide. It ends as soon as some part of both does with at least `enough` probability; above 1 it
/// looks at everything that the budget allows. Poses may be null.
///
/// Preconditions: Each pose is null or valid; `out_chance` is writable.
PrxStatus prx_mesh_collision_chance(PrxContext *context, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                    double enough, PrxBudget budget, PrxChance *out_chance);

/* =============================================================================================================================
 * Sight
 */

/* -----------------------------------------------------------------------------------------------------------------------------
 * Debug drawing
 *
 * Shows what Proxel sees, through functions of the engine's that draw lines, triangles, points and texts: meshes, clusters, hierarchies, fields, contacts, near
 * lists, impacts, and regions of intersections. A kind whose function is null is left out.
 *
 * A call collects first and draws then, on the calling thread, with nothing locked: what it calls may call Proxel. A call that fails has
 * drawn nothing. Triangles come first, then lines, points and texts. The same thing has the same color in every frame.
 */

/// Draws a line. Colors are red, green, blue and opacity from the highest byte to the lowest: 0xff0000ff is red.
typedef void (*PrxDrawLineFn)(void *user, const float *from, const float *to, uint32_t color);

/// Draws a filled triangle, counter-clockwise as seen from outside.
typedef void (*PrxDrawTriangleFn)(void *user, const float *a, const float *b, const float *c, uint32_t color);

/// Draws a point, as large as the engine likes.
typedef void (*PrxDrawPointFn)(void *user, const float *at, uint32_t color);

/// Draws a text that begins at a point; `text` is UTF-8 and valid during the call.
typedef void (*PrxDrawTextFn)(void *user, const float *at, const char *text, uint32_t color);

/// What draws, and how. Fill it by prx_debug_draw_default, and set one function at least. Places are three floats, relative to `origin`, valid during the call.
///
/// Threads: the functions are called on the thread that calls prx_debug_draw_*, before it returns. They may call Proxel and must not throw.
typedef struct PrxDebugDraw {
    /// Bytes of this struct.
    uint32_t size;
    /// The color of everything; 0 for the colors of the things.
    uint32_t color;
    /// Draws a line, or null.
    PrxDrawLineFn draw_line;
    /// Draws a filled triangle, or null.
    PrxDrawTriangleFn draw_triangle;
    /// Draws a point, or null.
    PrxDrawPointFn draw_point;
    /// Draws a text, or null.
    PrxDrawTextFn draw_text;
    /// Passed to all of them.
    void *user;
    /// The place in the world that is drawn at zero: near the camera in a large world.
    double origin[3];
    /// How long normals are, in world units.
    float scale;
    /// Cells along the longest side that a field is drawn with, from 1 to 128, at most as many as it has.
    uint32_t resolution;
} PrxDebugDraw;

/// No functions yet; the colors of the things, normals of 0.1, and 32 cells for a field.
PrxDebugDraw prx_debug_draw_default(void);

/// Draws a mesh as it is now: its triangles, its edges, each once, and its label. Edges of one triangle are orange, of two grey, of more pink. `pose` may be
/// null for the identity.
///
/// Preconditions: `pose` is null or valid; `draw` is valid.
PrxStatus prx_debug_draw_mesh(PrxContext *context, PrxMesh mesh, const PrxPose *pose, const PrxDebugDraw *draw);

/// Draws the boxes of a mesh's clusters, refitted to its positions. `pose` may be null for the identity.
///
/// Preconditions: `pose` is null or valid; `draw` is valid.
PrxStatus prx_debug_draw_clusters(PrxContext *context, PrxMesh mesh, const PrxPose *pose, const PrxDebugDraw *draw);

/// Draws the boxes of one level of the hierarchy that exact queries have over a mesh: 0 for the box around all, UINT32_MAX for the leaves. Leaves that end above the level are
/// drawn with it, so that the boxes hold the whole mesh. `pose` may be null for the identity.
///
/// Preconditions: `pose` is null or valid; `draw` is valid.
PrxStatus prx_debug_draw_hierarchy(PrxContext *context, PrxMesh mesh, const PrxPose *pose, uint32_t level,
                                   const PrxDebugDraw *draw);

/// Draws a field: the box of its domain, its nodes and error as a text, and the surface where it is zero as triangles. `field_pose` may be null
/// for the identity. With more cells the surface is finer and takes longer.
///
/// Preconditions: `field_pose` is null or valid; `draw` is valid.
PrxStatus prx_debug_draw_field(PrxContext *context, PrxField field, const PrxPose *field_pose, const PrxDebugDraw *draw);

/// Draws a slice through a field, across `axis` (0, 1 or 2) of its frame at the coordinate `at`: triangles in the color of their distance, blue
/// inside and orange outside, paler near the surface, and lines where it is zero. `field_pose` may be null for the identity.
///
/// Preconditions: `field_pose` is null or valid; `draw` is valid.
PrxStatus prx_debug_draw_field_slice(PrxContext *context, PrxField field, const PrxPose *field_pose, uint32_t axis, float at,
                                     const PrxDebugDraw *draw);

/// Draws contacts as they were returned: the points on both bodies, the line between them, the normal at the second, and the separation as a text. Contacts of bodies
/// that are apart are grey, new ones green, those that continue one of the last step orange.
///
/// Preconditions: `contacts` has `count` contacts; `draw` is valid.
PrxStatus prx_debug_draw_contacts(PrxContext *context, const PrxContact *contacts, uint64_t count, const PrxDebugDraw *draw);

/// Draws near pairs as they were returned for `a` and `b`, which are read as they are now: the nearest points and the line between them, blue for a vertex and a face,
/// light blue for a face and a vertex, yellow for two edges. Of a mesh with itself it is passed twice. Poses may be null.
///
/// Preconditions: Each pose is null or valid; `pairs` has `count` pairs; `draw` is valid.
PrxStatus prx_debug_draw_near(PrxContext *context, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                              const PrxNearPair *pairs, uint64_t count, const PrxDebugDraw *draw);

/// Draws impacts as they were returned for the same meshes: the ways that the points take from the start of the step until they meet, the place, the normal, and
/// the time as a text. Colors are those of near pairs; triangles that intersect at the start are marked in their middles, red. Of a mesh with itself `a0` and `a1` are passed
/// as `b0` and `b1` too.
///
/// Preconditions: `impacts` has `count` impacts; `draw` is valid.
PrxStatus prx_debug_draw_impacts(PrxContext *context, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1,
                                 const PrxFeatureImpact *impacts, uint64_t count, const PrxDebugDraw *draw);

/// Draws the connected parts of an intersection: the box of each, its centre, a line along its normal as long as it is deep, its volume and depth as a text, and the
/// curves where the surfaces cross. Each part has a color of its own.
///
/// Preconditions: `draw` is valid.
PrxStatus prx_debug_draw_regions(PrxContext *context, PrxIntersection intersection, const PrxDebugDraw *draw);

/* =============================================================================================================================
 * Comparators
 *
 * What exists to be compared: methods of the papers that other parts of this header answer faster. Take them to measure, or to check one
 * method by another; a game needs none of them. Some enums of other parts have values for comparison too: PRX_DISTANCE_METHOD_MARGIN_HASH,
 * the sampling paths that draw (PRX_SAMPLING_PATH_THREE_PASS, _GEOMETRY_SHADER, _BINNED), and PRX_GENERATOR_LISTS and _STENCIL.
 */

/* -----------------------------------------------------------------------------------------------------------------------------
 * Pairs by a chosen way of culling
 *
 * The same pairs as prx_mesh_pairs finds, and a scene's colliding objects, with a choice of how other pairs are culled. The default def
 * takes the way that the exact queries take, so prx_scene_colliding is for every user of scenes.
 */

/// How pairs that cannot intersect are culled. The answer is the same, except with PRX_CULL_PATH_UNFATTENED.
PRX_ENUM(PrxCullMethod) {
    /// The fastest on this device.
    PRX_CULL_METHOD_AUTO = 0,
    /// Bounding-volume hierarchies on the CPU.
    PRX_CULL_METHOD_HIERARCHY = 1,
    /// What is visible among the others, on the device (FAR; Govindaraju, Lin and Manocha 2004).
    PRX_CULL_METHOD_VISIBILITY = 2,
    /// Nothing is culled: every pair is tested. For comparison.
    PRX_CULL_METHOD_NONE = 3,
};

/// How visibility draws triangles.
PRX_ENUM(PrxCullPath) {
    /// Fattened to oriented boxes. Misses nothing.
    PRX_CULL_PATH_BOXES = 0,
    /// As rectangles on the screen, by VK_EXT_conservative_rasterization where the device has it. Misses nothing.
    PRX_CULL_PATH_CONSERVATIVE = 1,
    /// As they are (CULLIDE 2003). Misses collisions: for comparison only.
    PRX_CULL_PATH_UNFATTENED = 2,
    /// As the exact offset: balls, cylinders and two shifted triangles, found in every pixel. Misses nothing, and rules out most.
    PRX_CULL_PATH_EXACT_OFFSET = 3,
    /// As the bounded offset: a box along each edge and two shifted triangles, found in every pixel. Misses nothing.
    PRX_CULL_PATH_BOUNDED_OFFSET = 4,
};

/// How visibility stores depths.
PRX_ENUM(PrxDepthFormat) {
    /// 16 bits, on every device.
    PRX_DEPTH_FORMAT_D16 = 0,
    /// 24 bits.
    PRX_DEPTH_FORMAT_D24 = 1,
    /// 32-bit floats, on every device.
    PRX_DEPTH_FORMAT_F32 = 2,
};

/// Look along the world's x axis.
#define PRX_VIEW_X 1

/// Look along the world's y axis.
#define PRX_VIEW_Y 2

/// Look along the world's z axis.
#define PRX_VIEW_Z 4

/// How to cull. Fill it by prx_cull_def_default.
typedef struct PrxCullDef {
    /// Bytes of this struct.
    uint32_t size;
    /// How pairs are culled.
    PrxCullMethod method;
    /// How triangles are drawn; for visibility, as all that follows.
    PrxCullPath path;
    /// How depths are stored.
    PrxDepthFormat depth_format;
    /// The axes to look along: PRX_VIEW_X, PRX_VIEW_Y and PRX_VIEW_Z, or some of them.
    uint32_t views;
    /// Pixels across, from 16 to 4096. More pixels cull more and cost more; the answer stays the same.
    uint32_t width;
    /// Pixels down, from 16 to 4096.
    uint32_t height;
    /// 1 where yes or no is enough: the search ends soon after the first pair, and the list has that pair or none. 0 for all.
    uint32_t first_only;
} PrxCullDef;

/// What was culled.
typedef struct PrxCullStats {
    /// Pairs of objects whose boxes overlap: what sweep and prune alone would leave.
    uint64_t box_pairs;
    /// Pairs of objects whose triangles were compared.
    uint64_t object_pairs;
    /// Pairs of triangles that came to the exact test.
    uint64_t candidates;
    /// How much wider triangles were drawn, in mesh units: the p of FAR, section 3.3; 0 without visibility.
    double fattening;
} PrxCullStats;

/// A def for the fastest method; visibility by rectangles on 256 x 256 pixels of 32-bit floats along all three axes, which culls
/// nearly as much as more pixels do and costs a fraction.
PrxCullDef prx_cull_def_default(void);

/// prx_mesh_pairs with a choice of how pairs are culled. `def` may be null for the default, `out_stats` when it is not needed.
///
/// With visibility no hierarchy is built, so a mesh that is new in every frame costs no more than one that stays. Neither mesh may be
/// updated by another thread meanwhile; PRX_STATUS_WRONG_STATE says that one was.
///
/// Preconditions: Each pose is null or valid; `def` is null or valid; `out` has room for `capacity` pairs; `out_count` is writable;
/// `out_stats` is null or writable.
PrxStatus prx_mesh_pairs_culled(PrxContext *context, PrxMesh a, const PrxPose *pose_a, PrxMesh b, const PrxPose *pose_b,
                                double distance, const PrxCullDef *def, PrxPair *out, uint64_t capacity, uint64_t *out_count,
                                PrxCullStats *out_stats);

/// All pairs of objects of a scene that are at most `distance` apart, decided exactly on their triangles; 0 for those that
/// share a point. Ascending by the places of the objects. `def` may be null for the default, `out_stats` when it is not needed.
///
/// With visibility it goes as in FAR, section 4.2: objects that are visible are dropped, sweep and prune pairs the others, their clusters
/// are dropped likewise, and the triangles that are left are compared exactly.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `def` is null or valid; `out` has room for `capacity` pairs; `out_count` is writable; `out_stats` is null or writable.
PrxStatus prx_scene_colliding(PrxContext *context, PrxScene scene, double distance, const PrxCullDef *def, PrxObjectPair *out,
                              uint64_t capacity, uint64_t *out_count, PrxCullStats *out_stats);

/// prx_scene_pairs with a choice of how pairs are culled: all pairs of triangles of two different objects that are at most `distance`
/// apart. `def` may be null for the default, `out_stats` when it is not needed.
///
/// With visibility it goes as in FAR, section 4.2, from objects to clusters to triangles in this one call, and no hierarchy is built on the
/// CPU: objects may break between two frames (prx_mesh_replace). None of the meshes may be updated by another thread meanwhile.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: `def` is null or valid; `out` has room for `capacity` pairs; `out_count` is writable; `out_stats` is null or writable.
PrxStatus prx_scene_pairs_culled(PrxContext *context, PrxScene scene, double distance, const PrxCullDef *def, PrxScenePair *out,
                                 uint64_t capacity, uint64_t *out_count, PrxCullStats *out_stats);

/* -----------------------------------------------------------------------------------------------------------------------------
 * Hierarchies of the caller's choice
 *
 * The exact queries keep hierarchies of their own, which are faster; these have volumes, arity and update of the caller's choice.
 */

/// Names a hierarchy. Zero is null; the id of a destroyed hierarchy is refused.
///
/// Threads: calls may come from any thread; calls on one hierarchy take turns.
typedef struct PrxHierarchy {
    /// The id; zero is null.
    uint64_t id;
} PrxHierarchy;

/// What bounds the triangles of a node.
PRX_ENUM(PrxBoundingVolume) {
    /// Boxes along the axes.
    PRX_BOUNDING_VOLUME_BOX = 0,
    /// Polytopes of 18 sides.
    PRX_BOUNDING_VOLUME_DOP18 = 1,
};

/// How a hierarchy follows its mesh.
PRX_ENUM(PrxRefitOrder) {
    /// All volumes at once, from the leaves to the root.
    PRX_REFIT_ORDER_BOTTOM_UP = 0,
    /// Each volume when a query comes to it.
    PRX_REFIT_ORDER_TOP_DOWN = 1,
    /// The upper half of the levels at once, the others when a query comes to them.
    PRX_REFIT_ORDER_HYBRID = 2,
};

/// What an update did.
PRX_ENUM(PrxHierarchyChange) {
    /// Nothing: the margin covers all motion.
    PRX_HIERARCHY_CHANGE_NOTHING = 0,
    /// Volumes were fitted, or marked to be.
    PRX_HIERARCHY_CHANGE_REFITTED = 1,
    /// The hierarchy was built anew; morph targets and displacement fields are forgotten.
    PRX_HIERARCHY_CHANGE_REBUILT = 2,
};

/// How to build a hierarchy. Fill it by prx_hierarchy_def_default.
typedef struct PrxHierarchyDef {
    /// Bytes of this struct.
    uint32_t size;
    /// What bounds the triangles of a node.
    PrxBoundingVolume volume;
    /// Children of a node: 2, 4 or 8.
    uint32_t arity;
    /// How the hierarchy follows its mesh.
    PrxRefitOrder update;
    /// By how much volumes are larger than they must be, in mesh units: while no vertex moves farther, an update costs nothing.
    float margin;
    /// A bottom-up update builds the hierarchy anew when its volumes have grown by this factor. Infinity for never.
    float rebuild_above;
} PrxHierarchyDef;

/// A def for boxes, eight children, bottom-up, built anew when the boxes have doubled.
PrxHierarchyDef prx_hierarchy_def_default(void);

/// Builds a hierarchy over a mesh as it is now. `def` may be null for the default. The mesh is kept.
///
/// Preconditions: `def` is null or valid; `out_hierarchy` is writable.
PrxStatus prx_hierarchy_create(PrxContext *context, PrxMesh mesh, const PrxHierarchyDef *def, PrxHierarchy *out_hierarchy);

/// Destroys a hierarchy; its mesh stays.
PrxStatus prx_hierarchy_destroy(PrxContext *context, PrxHierarchy hierarchy);

/// Follows the mesh to where it is now. `out_updated` may be null.
///
/// Preconditions: `out_updated` is null or writable.
PrxStatus prx_hierarchy_update(PrxContext *context, PrxHierarchy hierarchy, PrxHierarchyChange *out_updated);

/// Fits the hierarchy to morph targets: meshes with the same triangles, as they are now.
///
/// Preconditions: `targets` has `count` meshes.
PrxStatus prx_hierarchy_set_targets(PrxContext *context, PrxHierarchy hierarchy, const PrxMesh *targets, uint32_t count);

/// Takes the volumes of a blend of the morph targets, without a look at any vertex: one weight per target, none negative, with
/// sum 1. Each is computed when a query comes to its node. The mesh must have been updated to that blend.
///
/// Preconditions: `weights` has `count` numbers.
PrxStatus prx_hierarchy_blend(PrxContext *context, PrxHierarchy hierarchy, const float *weights, uint32_t count);

/// Tells a hierarchy the displacement fields of its mesh, which is at rest now: `count` fields one after the other,
/// each with three floats per vertex.
///
/// Preconditions: `displacements` has `count` times the mesh's vertices times three numbers.
PrxStatus prx_hierarchy_set_displacements(PrxContext *context, PrxHierarchy hierarchy, const float *displacements,
                                          uint32_t count);

/// Takes the volumes of the mesh at rest plus each displacement field times its amplitude, without a look at any vertex: each is computed when a
/// query comes to its node. The mesh must have been updated to that.
///
/// Preconditions: `amplitudes` has `count` numbers.
PrxStatus prx_hierarchy_deform(PrxContext *context, PrxHierarchy hierarchy, const float *amplitudes, uint32_t count);

/// All intersecting triangle pairs of two hierarchies of the same volume and arity where they stand, ascending; the same as prx_mesh_pairs gives at
/// distance 0. It runs on all threads of the context. Poses may be null. `first` is the triangle of `a`, `second` that of `b`.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// Preconditions: Each pose is null or valid; `out` has room for `capacity` pairs; `out_count` is writable.
PrxStatus prx_hierarchy_pairs(PrxContext *context, PrxHierarchy a, const PrxPose *pose_a, PrxHierarchy b, const PrxPose *pose_b,
                              PrxTrianglePair *out, uint64_t capacity, uint64_t *out_count);

#undef PRX_ENUM
#ifdef __cplusplus
}
#endif

#endif  // PROXEL_H
