// An engine with a Vulkan device of its own, as the adopting tests need one.
#pragma once

#include <vulkan/vulkan.h>

#include <cstring>
#include <initializer_list>
#include <mutex>
#include <vector>

#include "witness.hpp"

namespace test {

inline void vk(VkResult result, const char* call, int line) {
    require(result == VK_SUCCESS, __FILE__, line, std::string(call) + " gave " + std::to_string(result));
}
#define VK(call) ::test::vk((call), #call, __LINE__)

/// What the engine's device is created with.
struct EngineFeatures {
    bool timeline = true;
    /// Every optional feature of PrxFeatures that the device has; none otherwise.
    bool optional = true;
    /// Of the instance.
    std::vector<const char*> instance_extensions{};
};

class Engine {
public:
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkPhysicalDeviceProperties properties{};
    VkPhysicalDeviceFeatures offered{};
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    std::uint32_t family = 0;

    explicit Engine(EngineFeatures wanted = {}) {
        VkApplicationInfo application{};
        application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
        application.apiVersion = VK_API_VERSION_1_2;
        VkInstanceCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
        info.pApplicationInfo = &application;
        info.enabledExtensionCount = static_cast<std::uint32_t>(wanted.instance_extensions.size());
        info.ppEnabledExtensionNames = wanted.instance_extensions.data();
        VK(vkCreateInstance(&info, nullptr, &instance));
        choose_physical();
        choose_family();
        create_device(wanted);
    }
    Engine(const Engine&) = delete;
    ~Engine() {
        vkDestroyDevice(device, nullptr);
        vkDestroyInstance(instance, nullptr);
    }

    /// What the engine hands to Proxel.
    PrxVulkanDevice handover() const {
        PrxVulkanDevice handed = prx_vulkan_device_default();
        handed.api_version = VK_API_VERSION_1_2;
        handed.instance = instance;
        handed.physical_device = physical;
        handed.device = device;
        handed.queue = queue;
        handed.queue_family = family;
        handed.enabled_extension_count = static_cast<std::uint32_t>(extensions_.size());
        handed.enabled_extensions = extensions_.data();
        handed.enabled_features = &features_;
        handed.get_instance_proc_addr = reinterpret_cast<PrxGetInstanceProcAddr>(vkGetInstanceProcAddr);
        return handed;
    }

    const VkPhysicalDeviceFeatures& enabled() const { return features_.features; }

    VkSemaphore timeline(std::uint64_t value) const {
        VkSemaphoreTypeCreateInfo type{};
        type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
        type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
        type.initialValue = value;
        VkSemaphoreCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
        info.pNext = &type;
        VkSemaphore semaphore = VK_NULL_HANDLE;
        VK(vkCreateSemaphore(device, &info, nullptr, &semaphore));
        return semaphore;
    }
    VkSemaphore binary() const {
        VkSemaphoreCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
        VkSemaphore semaphore = VK_NULL_HANDLE;
        VK(vkCreateSemaphore(device, &info, nullptr, &semaphore));
        return semaphore;
    }
    /// A submission of nothing between binary semaphores; either may be null.
    void submit(VkSemaphore wait, VkSemaphore signal) const {
        const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        VkSubmitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        info.waitSemaphoreCount = wait != VK_NULL_HANDLE;
        info.pWaitSemaphores = &wait;
        info.pWaitDstStageMask = &stage;
        info.signalSemaphoreCount = signal != VK_NULL_HANDLE;
        info.pSignalSemaphores = &signal;
        VK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    }
    /// Once the queue is idle, and not only the batches that used it: lavapipe's thread lets go of what a batch waited for after the batch
    /// is done.
    void destroy(VkSemaphore semaphore) const {
        VK(vkQueueWaitIdle(queue));
        vkDestroySemaphore(device, semaphore, nullptr);
    }
    void signal(VkSemaphore semaphore, std::uint64_t value) const {
        VkSemaphoreSignalInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
        info.semaphore = semaphore;
        info.value = value;
        VK(vkSignalSemaphore(device, &info));
    }
    void wait(VkSemaphore semaphore, std::uint64_t value) const {
        VkSemaphoreWaitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
        info.semaphoreCount = 1;
        info.pSemaphores = &semaphore;
        info.pValues = &value;
        VK(vkWaitSemaphores(device, &info, UINT64_MAX));
    }
    std::uint64_t value(VkSemaphore semaphore) const {
        std::uint64_t value = 0;
        VK(vkGetSemaphoreCounterValue(device, semaphore, &value));
        return value;
    }

    /// Submits nothing and waits for it: the engine's queue still works.
    bool submits() const {
        VkFenceCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
        VkFence fence = VK_NULL_HANDLE;
        VK(vkCreateFence(device, &info, nullptr, &fence));
        VkSubmitInfo submit{};
        submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        const bool works = vkQueueSubmit(queue, 1, &submit, fence) == VK_SUCCESS &&
                           vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX) == VK_SUCCESS;
        vkDestroyFence(device, fence, nullptr);
        return works;
    }

private:
    void choose_physical() {
        std::uint32_t count = 0;
        VK(vkEnumeratePhysicalDevices(instance, &count, nullptr));
        std::vector<VkPhysicalDevice> all(count);
        VK(vkEnumeratePhysicalDevices(instance, &count, all.data()));
        for (VkPhysicalDevice candidate : all) {
            vkGetPhysicalDeviceProperties(candidate, &properties);
            physical = candidate;
            if (contains(properties.deviceName, wanted_device())) break;
        }
        REQUIRE(physical != VK_NULL_HANDLE);
        REQUIRE(contains(properties.deviceName, wanted_device()));
        vkGetPhysicalDeviceFeatures(physical, &offered);
    }

    void choose_family() {
        std::uint32_t count = 0;
        vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
        std::vector<VkQueueFamilyProperties> families(count);
        vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
        const VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
        while (family < count && (families[family].queueFlags & needed) != needed) ++family;
        REQUIRE(family < count);
    }

    void create_device(EngineFeatures wanted) {
        features_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
        timeline_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
        timeline_.timelineSemaphore = wanted.timeline;
        features_.pNext = &timeline_;
        if (wanted.optional) {
            features_.features.depthBounds = offered.depthBounds;
            features_.features.geometryShader = offered.geometryShader;
            features_.features.occlusionQueryPrecise = offered.occlusionQueryPrecise;
            features_.features.fragmentStoresAndAtomics = offered.fragmentStoresAndAtomics;
            features_.features.robustBufferAccess = offered.robustBufferAccess;
        }
        const float priority = 1;
        VkDeviceQueueCreateInfo queues{};
        queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
        queues.queueFamilyIndex = family;
        queues.queueCount = 1;
        queues.pQueuePriorities = &priority;
        VkDeviceCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
        info.pNext = &features_;
        info.queueCreateInfoCount = 1;
        info.pQueueCreateInfos = &queues;
        VK(vkCreateDevice(physical, &info, nullptr, &device));
        vkGetDeviceQueue(device, family, 0, &queue);
    }

    VkPhysicalDeviceFeatures2 features_{};
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline_{};
    std::vector<const char*> extensions_;
};

/// A storage buffer of the engine's in memory that the host sees.
class EngineBuffer {
public:
    VkBuffer buffer = VK_NULL_HANDLE;

    EngineBuffer(const Engine& engine, std::uint64_t bytes, VkBufferUsageFlags further = 0) : device_(engine.device) {
        VkBufferCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
        info.size = bytes;
        info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | further;
        VK(vkCreateBuffer(device_, &info, nullptr, &buffer));
        VkMemoryRequirements needs{};
        vkGetBufferMemoryRequirements(device_, buffer, &needs);
        VkPhysicalDeviceMemoryProperties types{};
        vkGetPhysicalDeviceMemoryProperties(engine.physical, &types);
        const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        std::uint32_t type = 0;
        while ((needs.memoryTypeBits >> type & 1) == 0 || (types.memoryTypes[type].propertyFlags & wanted) != wanted) ++type;
        VkMemoryAllocateInfo allocation{};
        allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        allocation.allocationSize = needs.size;
        allocation.memoryTypeIndex = type;
        VK(vkAllocateMemory(device_, &allocation, nullptr, &memory_));
        VK(vkBindBufferMemory(device_, buffer, memory_, 0));
        VK(vkMapMemory(device_, memory_, 0, VK_WHOLE_SIZE, 0, &mapped_));
        std::memset(mapped_, 0xff, bytes);  // NaN wherever nothing is written
    }
    EngineBuffer(const EngineBuffer&) = delete;
    ~EngineBuffer() {
        vkDestroyBuffer(device_, buffer, nullptr);
        vkFreeMemory(device_, memory_, nullptr);
    }

    void write(std::uint64_t offset, const void* data, std::size_t bytes) {
        std::memcpy(static_cast<char*>(mapped_) + offset, data, bytes);
    }
    void read(std::uint64_t offset, void* data, std::size_t bytes) const {
        if (bytes > 0) std::memcpy(data, static_cast<const char*>(mapped_) + offset, bytes);
    }

private:
    VkDevice device_;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    void* mapped_ = nullptr;
};

}  // namespace test
