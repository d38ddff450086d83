// A Vulkan that fails on command and counts what was created and not destroyed. It stands between Proxel and the real
// loader, by way of vkGetInstanceProcAddr.
#pragma once

#include <vulkan/vulkan.h>

#include <cstring>
#include <map>
#include <mutex>
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

inline std::mutex mutex;
inline Plan plan;
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
    X(vkQueueSubmit, nullptr) X(vkGetSemaphoreCounterValue, nullptr) X(vkWaitSemaphores, nullptr)

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

inline PFN_vkVoidFunction wrapped(const char* name, PFN_vkVoidFunction real);

inline PFN_vkGetDeviceProcAddr real_device_loader = nullptr;
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
