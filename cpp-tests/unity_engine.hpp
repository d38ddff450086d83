// An engine that plays Unity: it loads a plugin, offers it Unity's tables of functions, lets it see the first Vulkan calls, and owns
// a real Vulkan device. The tables are laid out as Unity's plugin headers lay them out.
#pragma once

#include <vulkan/vulkan.h>

#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "witness.hpp"

namespace unity {


inline void vk(VkResult result, const char* call, int line) {
    test::require(result == VK_SUCCESS, __FILE__, line, std::string(call) + " gave " + std::to_string(result));
}
#define UNITY_VK(call) ::unity::vk((call), #call, __LINE__)

using InterceptFn = PFN_vkGetInstanceProcAddr (*)(PFN_vkGetInstanceProcAddr loader, void* user);
using EventFn = void (*)(int event);
enum Event { Initialize = 0, Shutdown = 1 };
enum Renderer { OpenGl = 17, Vulkan = 21 };

struct VulkanInstance {
    VkPipelineCache cache;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    PFN_vkGetInstanceProcAddr loader;
    unsigned family;
    void* reserved[8];
};

struct GraphicsTable {
    int (*renderer)();
    void (*register_event)(EventFn);
    void (*unregister_event)(EventFn);
    int (*reserve_ids)(int);
};

struct VulkanTable {
    bool (*intercept)(InterceptFn, void*);
    void* unused[2];
    VulkanInstance (*instance)();
    void* unused_too[10];
    bool (*add_interception)(InterceptFn, void*, int);
    bool (*remove_interception)(InterceptFn);
};

struct Interfaces {
    void* by_struct[2];
    void* (*get)(unsigned long long high, unsigned long long low);
    void* register_split;
};

/// How this Unity behaves.
struct Habits {
    int renderer = Vulkan;
    /// Whether it has the second version of the Vulkan table.
    bool second_version = true;
    std::uint32_t api_version = VK_API_VERSION_1_1;
    /// The chain handed to vkCreateDevice.
    void* chain = nullptr;
    /// Stands between the plugins and the loader.
    PFN_vkGetInstanceProcAddr loader = vkGetInstanceProcAddr;
};

/// One engine at a time, since Unity's functions take no pointer to it.
inline Habits habits;
inline std::vector<EventFn> listeners;
inline std::vector<std::pair<InterceptFn, void*>> interceptors;
inline VulkanInstance now{};

inline void* find(unsigned long long high, unsigned long long low) {
    static GraphicsTable graphics{[] { return habits.renderer; }, [](EventFn f) { listeners.push_back(f); },
                                  [](EventFn f) {
                                      for (auto at = listeners.begin(); at != listeners.end(); ++at)
                                          if (*at == f) return void(listeners.erase(at));
                                  },
                                  [](int) { return 0; }};
    static VulkanTable vulkan{};
    vulkan.intercept = [](InterceptFn f, void* user) { return interceptors.emplace_back(f, user), true; };
    vulkan.instance = [] { return now; };
    vulkan.add_interception = [](InterceptFn f, void* user, int) { return interceptors.emplace_back(f, user), true; };
    vulkan.remove_interception = [](InterceptFn f) {
        for (auto at = interceptors.begin(); at != interceptors.end(); ++at)
            if (at->first == f) return interceptors.erase(at), true;
        return false;
    };
    if (high == 0x7CBA0A9CA4DDB544ull && low == 0x8C5AD4926EB17B11ull) return &graphics;
    if (high == 0x95355348D4EF4E11ull && low == 0x9789313DFCFFCC87ull) return &vulkan;
    if (high == 0x329334C09DCA4787ull && low == 0xB347DD92A0097FFCull && habits.second_version) return &vulkan;
    return nullptr;
}

inline Interfaces interfaces{{nullptr, nullptr}, find, nullptr};

/// Unity's graphics device, from start to shutdown.
class GraphicsDevice {
public:
    GraphicsDevice() {
        PFN_vkGetInstanceProcAddr loader = habits.loader;
        for (auto& [intercept, user] : interceptors) loader = intercept(loader, user);
        loader_ = loader;
        create_instance();
        choose();
        create_device();
        for (EventFn tell : std::vector<EventFn>(listeners)) tell(Initialize);
    }
    GraphicsDevice(const GraphicsDevice&) = delete;
    ~GraphicsDevice() {
        shut_down();
        get<PFN_vkDestroyInstance>("vkDestroyInstance")(now.instance, nullptr);
        now = {};
    }

    /// Tells the plugins that the device is about to go.
    void announce_end() const {
        for (EventFn tell : std::vector<EventFn>(listeners)) tell(Shutdown);
    }
    /// Tells the plugins, then destroys the device.
    void shut_down() {
        if (now.device != VK_NULL_HANDLE) announce_end();
        destroy_without_a_word();
    }
    void destroy_without_a_word() {
        if (now.device == VK_NULL_HANDLE) return;
        of_device<PFN_vkDeviceWaitIdle>("vkDeviceWaitIdle")(now.device);
        of_device<PFN_vkDestroyDevice>("vkDestroyDevice")(now.device, nullptr);
        now.device = VK_NULL_HANDLE;
    }

    /// What the render thread does: submits to the queue, by the functions that the engine got.
    void submit() const {
        VkSubmitInfo nothing{};
        nothing.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        UNITY_VK(of_device<PFN_vkQueueSubmit>("vkQueueSubmit")(now.queue, 1, &nothing, VK_NULL_HANDLE));
    }
    void wait() const { UNITY_VK(of_device<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(now.queue)); }

    /// A timeline semaphore at 0, which work of a plugin can wait for. The device must have them, as one that a plugin looked after has.
    VkSemaphore gate() const {
        VkSemaphoreTypeCreateInfo type{};
        type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
        type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
        VkSemaphoreCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
        info.pNext = &type;
        VkSemaphore gate = VK_NULL_HANDLE;
        UNITY_VK(of_device<PFN_vkCreateSemaphore>("vkCreateSemaphore")(now.device, &info, nullptr, &gate));
        return gate;
    }
    /// Lets the work that waits for 1 go on.
    void open(VkSemaphore gate) const {
        VkSemaphoreSignalInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
        info.semaphore = gate;
        info.value = 1;
        UNITY_VK(of_device<PFN_vkSignalSemaphore>("vkSignalSemaphore")(now.device, &info));
    }
    void destroy(VkSemaphore gate) const { of_device<PFN_vkDestroySemaphore>("vkDestroySemaphore")(now.device, gate, nullptr); }

    VkPhysicalDeviceProperties properties{};

private:
    template <typename Function>
    Function get(const char* name) const {
        return reinterpret_cast<Function>(loader_(now.instance, name));
    }
    template <typename Function>
    Function of_device(const char* name) const {
        return reinterpret_cast<Function>(get<PFN_vkGetDeviceProcAddr>("vkGetDeviceProcAddr")(now.device, name));
    }

    void create_instance() {
        VkApplicationInfo application{};
        application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
        application.apiVersion = habits.api_version;
        VkInstanceCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
        info.pApplicationInfo = &application;
        UNITY_VK(get<PFN_vkCreateInstance>("vkCreateInstance")(&info, nullptr, &now.instance));
        now.loader = habits.loader;
    }

    void choose() {
        std::uint32_t count = 0;
        auto enumerate = get<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices");
        UNITY_VK(enumerate(now.instance, &count, nullptr));
        std::vector<VkPhysicalDevice> all(count);
        UNITY_VK(enumerate(now.instance, &count, all.data()));
        for (VkPhysicalDevice candidate : all) {
            get<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(candidate, &properties);
            now.physical = candidate;
            if (test::contains(properties.deviceName, test::wanted_device())) return;
        }
        FAIL("there is no device ", test::wanted_device());
    }

    void create_device() {
        // Both software devices have one family that does everything.
        const float priority = 1;
        VkDeviceQueueCreateInfo queues{};
        queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
        queues.queueCount = 1;
        queues.pQueuePriorities = &priority;
        VkDeviceCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
        info.pNext = habits.chain;
        info.queueCreateInfoCount = 1;
        info.pQueueCreateInfos = &queues;
        UNITY_VK(get<PFN_vkCreateDevice>("vkCreateDevice")(now.physical, &info, nullptr, &now.device));
        of_device<PFN_vkGetDeviceQueue>("vkGetDeviceQueue")(now.device, 0, 0, &now.queue);
        now.family = 0;
    }

    PFN_vkGetInstanceProcAddr loader_ = nullptr;
};

}  // namespace unity
