// A Vulkan that fails on command, counts what was created and not destroyed, and decides whether an answer is there before
// it is waited for. It stands between Proxel and the real loader, by way of vkGetInstanceProcAddr.
#pragma once

#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <type_traits>

namespace faulty {

/// What fails next.
struct Plan {
    /// Only this function fails; null for any.
    const char* function = nullptr;
    /// The number of the call that fails, from 1 on, among those of `function`; 0 for none, -1 for all.
    int at = 0;
    VkResult result = VK_SUCCESS;
};

/// What the counter of a timeline shows. On a real device it depends on how busy the machine is, and so does the number of
/// calls until an answer is there; `finished` and `unfinished` make both the same each time.
enum class Pace {
    real,
    /// Everything submitted is done when the counter is read: nobody needs vkWaitSemaphores.
    finished,
    /// Nothing is done until vkWaitSemaphores has waited for it: nobody gets by without it, and one call is enough.
    unfinished,
};

inline std::mutex mutex;
inline Plan plan;
inline Pace pace = Pace::real;
inline std::map<VkSemaphore, std::uint64_t> waited;
inline int waits = 0;
inline int calls = 0;
inline std::string failed;
inline std::map<std::string, int> live;
inline PFN_vkGetInstanceProcAddr real_loader = nullptr;

/// Starts counting anew; the calls from now on follow `next`.
inline void expect(Plan next) {
    std::lock_guard<std::mutex> lock(mutex);
    plan = next;
    calls = 0;
    failed.clear();
}

/// Sets the pace, for semaphores that are created from now on.
inline void keep(Pace next) {
    std::lock_guard<std::mutex> lock(mutex);
    pace = next;
    waited.clear();
}

/// How often vkWaitSemaphores was called, whether it has returned or not.
inline int wait_calls() {
    std::lock_guard<std::mutex> lock(mutex);
    return waits;
}

/// The function that failed as planned, or nothing.
inline std::string failure() {
    std::lock_guard<std::mutex> lock(mutex);
    return failed;
}

/// What is alive, as text; empty when everything was destroyed.
inline std::string alive(const char* except = "") {
    std::lock_guard<std::mutex> lock(mutex);
    std::string text;
    for (const auto& [object, count] : live)
        if (count != 0 && object != except) text += std::to_string(count) + " " + object + " ";
    return text;
}

inline VkResult judge(const char* function) {
    std::lock_guard<std::mutex> lock(mutex);
    if (plan.function != nullptr && std::strcmp(plan.function, function) != 0) return VK_SUCCESS;
    ++calls;
    if (plan.at != -1 && plan.at != calls) return VK_SUCCESS;
    failed = function;
    return plan.result;
}

inline void count(const char* object, int change) {
    std::lock_guard<std::mutex> lock(mutex);
    live[object] += change;
}

template <typename Function, typename Pointer>
struct Hook;

/// Calls that can fail: they are judged first; those that create are counted.
template <typename Function, typename... A>
struct Hook<Function, VkResult(VKAPI_PTR*)(A...)> {
    static inline VkResult(VKAPI_PTR* real)(A...) = nullptr;
    static VKAPI_ATTR VkResult VKAPI_CALL call(A... arguments) {
        VkResult result = judge(Function::name);
        if (result != VK_SUCCESS) return result;
        result = real(arguments...);
        if (result == VK_SUCCESS && Function::object != nullptr) count(Function::object, 1);
        return result;
    }
};

/// Calls that destroy: the handle is the second argument, or the first where there is no parent.
template <typename Function, typename... A>
struct Hook<Function, void(VKAPI_PTR*)(A...)> {
    static inline void(VKAPI_PTR* real)(A...) = nullptr;
    template <typename P, typename H, typename... R>
    static bool names(P parent, H handle, R... rest) {
        if constexpr (sizeof...(rest) == 0) return parent != VK_NULL_HANDLE;
        else return handle != VK_NULL_HANDLE;
    }
    static VKAPI_ATTR void VKAPI_CALL call(A... arguments) {
        if (names(arguments...)) count(Function::object, -1);
        real(arguments...);
    }
};

struct Entry {
    const char* name;
    PFN_vkVoidFunction wrapper;
    void (*set_real)(PFN_vkVoidFunction);
};

template <typename Function>
Entry entry() {
    using H = Hook<Function, typename Function::Pointer>;
    return {Function::name, reinterpret_cast<PFN_vkVoidFunction>(&H::call),
            [](PFN_vkVoidFunction real) { H::real = reinterpret_cast<typename Function::Pointer>(real); }};
}

#define FAULTY_FUNCTIONS(X)                                                                                               \
    X(vkCreateInstance, "instance") X(vkDestroyInstance, "instance")                                                      \
    X(vkCreateDevice, "device") X(vkDestroyDevice, "device")                                                              \
    X(vkCreateBuffer, "buffer") X(vkDestroyBuffer, "buffer")                                                              \
    X(vkCreateBufferView, "buffer view") X(vkDestroyBufferView, "buffer view")                                            \
    X(vkCreateImage, "image") X(vkDestroyImage, "image")                                                                  \
    X(vkCreateImageView, "image view") X(vkDestroyImageView, "image view")                                                \
    X(vkCreateSampler, "sampler") X(vkDestroySampler, "sampler")                                                          \
    X(vkAllocateMemory, "memory") X(vkFreeMemory, "memory")                                                               \
    X(vkCreateSemaphore, "semaphore") X(vkDestroySemaphore, "semaphore")                                                  \
    X(vkCreateFence, "fence") X(vkDestroyFence, "fence")                                                                  \
    X(vkResetFences, nullptr) X(vkGetFenceStatus, nullptr) X(vkWaitForFences, nullptr)                                    \
    X(vkCreateCommandPool, "command pool") X(vkDestroyCommandPool, "command pool")                                        \
    X(vkCreateDescriptorPool, "descriptor pool") X(vkDestroyDescriptorPool, "descriptor pool")                            \
    X(vkCreateDescriptorSetLayout, "set layout") X(vkDestroyDescriptorSetLayout, "set layout")                            \
    X(vkCreatePipelineLayout, "pipeline layout") X(vkDestroyPipelineLayout, "pipeline layout")                            \
    X(vkCreateShaderModule, "shader module") X(vkDestroyShaderModule, "shader module")                                    \
    X(vkCreateComputePipelines, "pipeline") X(vkDestroyPipeline, "pipeline")                                              \
    X(vkCreatePipelineCache, "pipeline cache") X(vkDestroyPipelineCache, "pipeline cache")                                \
    X(vkEnumerateDeviceExtensionProperties, nullptr) X(vkEnumerateInstanceVersion, nullptr)                               \
    X(vkEnumerateInstanceExtensionProperties, nullptr) X(vkEnumerateInstanceLayerProperties, nullptr)                     \
    X(vkMapMemory, nullptr) X(vkBindBufferMemory, nullptr) X(vkBindImageMemory, nullptr)                                  \
    X(vkGetPipelineCacheData, nullptr)                                                                                    \
    X(vkAllocateCommandBuffers, nullptr) X(vkResetCommandPool, nullptr) X(vkBeginCommandBuffer, nullptr)                  \
    X(vkEndCommandBuffer, nullptr) X(vkAllocateDescriptorSets, nullptr) X(vkResetDescriptorPool, nullptr)                 \
    X(vkQueueSubmit, nullptr)

#define FAULTY_NAME(function, what)                       \
    struct function##Name {                               \
        using Pointer = PFN_##function;                   \
        static constexpr const char* name = #function;    \
        static constexpr const char* object = what;       \
    };
FAULTY_FUNCTIONS(FAULTY_NAME)

/// With no devices to be found, if the plan says so.
inline PFN_vkEnumeratePhysicalDevices real_enumerate = nullptr;
inline bool no_devices = false;
inline VKAPI_ATTR VkResult VKAPI_CALL enumerate(VkInstance instance, std::uint32_t* count, VkPhysicalDevice* devices) {
    if (const VkResult result = judge("vkEnumeratePhysicalDevices")) return result;
    if (!no_devices) return real_enumerate(instance, count, devices);
    *count = 0;
    return VK_SUCCESS;
}

/// What a device is made to report, whatever it has.
struct Pretence {
    /// The size of its subgroups, in eighths of the real one.
    std::uint32_t subgroup_eighths = 8;
    /// Whether pipelines may require a size of subgroups.
    bool size_control = true;
    /// Limits no higher than every device must have.
    bool minimum_limits = false;
    /// A card of its own: memory of the device that the host cannot see, and memory of the host beside it.
    bool discrete = false;
    /// No queue that draws.
    bool compute_only = false;
    /// No timeline semaphores.
    bool no_timelines = false;
};
inline Pretence pretence;

/// The minimum of every limit that Proxel's kernels come near to: Vulkan 1.2, table "Required Limits".
inline void lower(VkPhysicalDeviceLimits& limits) {
    if (!pretence.minimum_limits) return;
    limits.maxPerStageDescriptorStorageBuffers = 4;
    limits.maxPerStageDescriptorUniformBuffers = 12;
    limits.maxPerStageDescriptorSampledImages = limits.maxPerStageDescriptorSamplers = 16;
    limits.maxPerStageDescriptorStorageImages = 4;
    limits.maxPerStageResources = limits.maxPushConstantsSize = 128;
    limits.maxComputeSharedMemorySize = 16384;
    limits.maxComputeWorkGroupInvocations = 128;
    limits.maxComputeWorkGroupSize[0] = limits.maxComputeWorkGroupSize[1] = 128;
    limits.maxComputeWorkGroupSize[2] = 64;
    limits.maxStorageBufferRange = 1u << 27;
    limits.maxTexelBufferElements = 65536;
    limits.maxImageDimension3D = 256;
    limits.maxImageDimension2D = limits.maxFramebufferWidth = limits.maxFramebufferHeight = 4096;
    limits.subTexelPrecisionBits = 4;
}

inline PFN_vkGetPhysicalDeviceProperties real_properties = nullptr;
inline VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice device, VkPhysicalDeviceProperties* out) {
    real_properties(device, out);
    lower(out->limits);
    if (pretence.discrete) out->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

inline PFN_vkGetPhysicalDeviceProperties2 real_properties2 = nullptr;
inline VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
    real_properties2(device, out);
    lower(out->properties.limits);
    if (pretence.discrete) out->properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    for (auto* next = static_cast<VkBaseOutStructure*>(out->pNext); next != nullptr; next = next->pNext) {
        if (next->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) continue;
        auto& size = reinterpret_cast<VkPhysicalDeviceSubgroupProperties*>(next)->subgroupSize;
        size = size * pretence.subgroup_eighths / 8;
    }
}

inline PFN_vkGetPhysicalDeviceFeatures2 real_features2 = nullptr;
inline VKAPI_ATTR void VKAPI_CALL features2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2* out) {
    real_features2(device, out);
    for (auto* next = static_cast<VkBaseOutStructure*>(out->pNext); next != nullptr; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES && pretence.no_timelines)
            reinterpret_cast<VkPhysicalDeviceTimelineSemaphoreFeatures*>(next)->timelineSemaphore = VK_FALSE;
        if (next->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT || pretence.size_control) continue;
        auto* sizes = reinterpret_cast<VkPhysicalDeviceSubgroupSizeControlFeaturesEXT*>(next);
        sizes->subgroupSizeControl = sizes->computeFullSubgroups = VK_FALSE;
    }
}

inline PFN_vkGetPhysicalDeviceQueueFamilyProperties real_families = nullptr;
inline VKAPI_ATTR void VKAPI_CALL families(VkPhysicalDevice device, std::uint32_t* count, VkQueueFamilyProperties* out) {
    real_families(device, count, out);
    for (std::uint32_t i = 0; pretence.compute_only && out != nullptr && i < *count; ++i) out[i].queueFlags &= ~VK_QUEUE_GRAPHICS_BIT;
}

/// Commands that a queue of compute alone does not take, recorded while the device is said to have no other.
inline int wrong_commands = 0;

/// The stages that only queues with graphics have.
constexpr VkPipelineStageFlags drawing_stages =
    VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_TESSELLATION_CONTROL_SHADER_BIT |
    VK_PIPELINE_STAGE_TESSELLATION_EVALUATION_SHADER_BIT | VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT |
    VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
    VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;

inline void note_command(bool draws) {
    std::lock_guard<std::mutex> lock(mutex);
    wrong_commands += pretence.compute_only && draws;
}

inline PFN_vkCmdPipelineBarrier real_barrier = nullptr;
inline VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to, VkDependencyFlags flags,
                                          std::uint32_t memories, const VkMemoryBarrier* memory, std::uint32_t buffers,
                                          const VkBufferMemoryBarrier* buffer, std::uint32_t images, const VkImageMemoryBarrier* image) {
    note_command(((from | to) & drawing_stages) != 0);
    real_barrier(commands, from, to, flags, memories, memory, buffers, buffer, images, image);
}

inline PFN_vkCmdBeginRenderPass real_pass = nullptr;
inline VKAPI_ATTR void VKAPI_CALL pass(VkCommandBuffer commands, const VkRenderPassBeginInfo* info, VkSubpassContents contents) {
    note_command(true);
    real_pass(commands, info, contents);
}

/// The memory type that a discrete device is said to have for the host. Software devices have one type, which serves as both.
constexpr std::uint32_t host_memory_type = 1;

inline PFN_vkGetPhysicalDeviceMemoryProperties real_memory = nullptr;
inline VKAPI_ATTR void VKAPI_CALL memory(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties* out) {
    real_memory(device, out);
    if (!pretence.discrete) return;
    out->memoryTypeCount = out->memoryHeapCount = 2;
    out->memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
    out->memoryTypes[host_memory_type] = {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                              VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 1};
    out->memoryHeaps[1] = {out->memoryHeaps[0].size, 0};
}

inline PFN_vkGetBufferMemoryRequirements real_buffer_needs = nullptr;
inline VKAPI_ATTR void VKAPI_CALL buffer_needs(VkDevice device, VkBuffer buffer, VkMemoryRequirements* out) {
    real_buffer_needs(device, buffer, out);
    if (pretence.discrete) out->memoryTypeBits |= 1u << host_memory_type;
}

/// Memory that was said to be the device's alone must not be mapped.
inline std::set<VkDeviceMemory> unmappable;
inline int wrong_maps = 0;

inline VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* callbacks,
                                               VkDeviceMemory* out) {
    VkMemoryAllocateInfo real = *info;
    if (pretence.discrete) real.memoryTypeIndex = 0;
    const VkResult result = Hook<vkAllocateMemoryName, PFN_vkAllocateMemory>::call(device, &real, callbacks, out);
    std::lock_guard<std::mutex> lock(mutex);
    if (result == VK_SUCCESS && pretence.discrete && info->memoryTypeIndex != host_memory_type) unmappable.insert(*out);
    return result;
}

inline VKAPI_ATTR VkResult VKAPI_CALL map(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                                          VkMemoryMapFlags flags, void** out) {
    {
        std::lock_guard<std::mutex> lock(mutex);
        wrong_maps += unmappable.count(memory) != 0;
    }
    return Hook<vkMapMemoryName, PFN_vkMapMemory>::call(device, memory, offset, size, flags, out);
}

inline PFN_vkVoidFunction wrapped(const char* name, PFN_vkVoidFunction real);

inline PFN_vkGetDeviceProcAddr real_device_loader = nullptr;

inline PFN_vkWaitSemaphores real_wait = nullptr;
inline VKAPI_ATTR VkResult VKAPI_CALL wait(VkDevice device, const VkSemaphoreWaitInfo* info, std::uint64_t timeout) {
    {
        std::lock_guard<std::mutex> lock(mutex);
        ++waits;
    }
    if (const VkResult result = judge("vkWaitSemaphores")) return result;
    // Who waits looks up now and then, more often on a busy machine. At a pace it has to be as many calls each time.
    const VkResult result = real_wait(device, info, pace == Pace::real ? timeout : UINT64_MAX);
    std::lock_guard<std::mutex> lock(mutex);
    for (std::uint32_t i = 0; result == VK_SUCCESS && i < info->semaphoreCount; ++i)
        waited[info->pSemaphores[i]] = std::max(waited[info->pSemaphores[i]], info->pValues[i]);
    return result;
}

inline PFN_vkGetSemaphoreCounterValue real_counter = nullptr;
inline VKAPI_ATTR VkResult VKAPI_CALL counter(VkDevice device, VkSemaphore semaphore, std::uint64_t* value) {
    if (const VkResult result = judge("vkGetSemaphoreCounterValue")) return result;
    if (pace == Pace::finished)
        reinterpret_cast<PFN_vkDeviceWaitIdle>(real_device_loader(device, "vkDeviceWaitIdle"))(device);
    const VkResult result = real_counter(device, semaphore, value);
    std::lock_guard<std::mutex> lock(mutex);
    if (result == VK_SUCCESS && pace == Pace::unfinished) *value = std::min(*value, waited[semaphore]);
    return result;
}
inline VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_loader(VkDevice device, const char* name) {
    return wrapped(name, real_device_loader(device, name));
}

inline PFN_vkVoidFunction wrapped(const char* name, PFN_vkVoidFunction real) {
#define FAULTY_ENTRY(function, what) entry<function##Name>(),
    static const Entry entries[] = {FAULTY_FUNCTIONS(FAULTY_ENTRY)};
    if (real == nullptr) return nullptr;
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) {
        real_device_loader = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&device_loader);
    }
    if (std::strcmp(name, "vkEnumeratePhysicalDevices") == 0) {
        real_enumerate = reinterpret_cast<PFN_vkEnumeratePhysicalDevices>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&enumerate);
    }
    if (std::strcmp(name, "vkGetPhysicalDeviceProperties") == 0) {
        real_properties = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&properties);
    }
    if (std::strcmp(name, "vkGetPhysicalDeviceProperties2") == 0) {
        real_properties2 = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&properties2);
    }
    if (std::strcmp(name, "vkGetPhysicalDeviceQueueFamilyProperties") == 0) {
        real_families = reinterpret_cast<PFN_vkGetPhysicalDeviceQueueFamilyProperties>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&families);
    }
    if (std::strcmp(name, "vkGetPhysicalDeviceMemoryProperties") == 0) {
        real_memory = reinterpret_cast<PFN_vkGetPhysicalDeviceMemoryProperties>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&memory);
    }
    if (std::strcmp(name, "vkGetBufferMemoryRequirements") == 0) {
        real_buffer_needs = reinterpret_cast<PFN_vkGetBufferMemoryRequirements>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&buffer_needs);
    }
    if (std::strcmp(name, "vkAllocateMemory") == 0) {
        Hook<vkAllocateMemoryName, PFN_vkAllocateMemory>::real = reinterpret_cast<PFN_vkAllocateMemory>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&allocate);
    }
    if (std::strcmp(name, "vkMapMemory") == 0) {
        Hook<vkMapMemoryName, PFN_vkMapMemory>::real = reinterpret_cast<PFN_vkMapMemory>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&map);
    }
    if (std::strcmp(name, "vkGetPhysicalDeviceFeatures2") == 0) {
        real_features2 = reinterpret_cast<PFN_vkGetPhysicalDeviceFeatures2>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&features2);
    }
    if (std::strcmp(name, "vkCmdPipelineBarrier") == 0) {
        real_barrier = reinterpret_cast<PFN_vkCmdPipelineBarrier>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&barrier);
    }
    if (std::strcmp(name, "vkCmdBeginRenderPass") == 0) {
        real_pass = reinterpret_cast<PFN_vkCmdBeginRenderPass>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&pass);
    }
    if (std::strcmp(name, "vkWaitSemaphores") == 0) {
        real_wait = reinterpret_cast<PFN_vkWaitSemaphores>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&wait);
    }
    if (std::strcmp(name, "vkGetSemaphoreCounterValue") == 0) {
        real_counter = reinterpret_cast<PFN_vkGetSemaphoreCounterValue>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&counter);
    }
    for (const Entry& e : entries) {
        if (std::strcmp(e.name, name) != 0) continue;
        e.set_real(real);
        return e.wrapper;
    }
    return real;
}

/// The entry point to hand out; `real_loader` is set before.
inline VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL loader(VkInstance instance, const char* name) {
    return wrapped(name, real_loader(instance, name));
}

}  // namespace faulty
