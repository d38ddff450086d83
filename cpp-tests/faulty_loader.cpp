// A Vulkan loader that fails on command. It has the real one's soname, so that a program that is linked with it gives it
// to Proxel in the real one's place; it finds the real one by its path.
#include <dlfcn.h>

#include "faulty_vulkan.hpp"

extern "C" void faulty_plan(const char* function, int at, VkResult result, int no_devices) {
    faulty::no_devices = no_devices != 0;
    faulty::expect({function, at, result});
}

/// What the device reports from now on: see faulty::Pretence.
extern "C" void faulty_pretend(std::uint32_t subgroup_eighths, int size_control, int minimum_limits, int discrete, int compute_only) {
    faulty::pretence = {subgroup_eighths, size_control != 0, minimum_limits != 0, discrete != 0, compute_only != 0};
}

/// A device without timeline semaphores, and otherwise as it is, until faulty_pretend.
extern "C" void faulty_hide_timelines() { faulty::pretence.no_timelines = true; }

/// How many commands were recorded that a queue without graphics does not take.
extern "C" int faulty_wrong_commands() { return faulty::wrong_commands; }

/// How often memory was mapped that was said to be the device's alone.
extern "C" int faulty_wrong_maps() { return faulty::wrong_maps; }

extern "C" int faulty_calls() { return faulty::calls; }

/// What was created and not destroyed; empty when nothing is left.
extern "C" const char* faulty_alive() {
    static std::string text;
    text = faulty::alive();
    return text.c_str();
}

/// The function that failed as planned; empty when none did.
extern "C" const char* faulty_failure() {
    static std::string text;
    text = faulty::failure();
    return text.c_str();
}

extern "C" VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char* name) {
    if (faulty::real_loader == nullptr) {
        void* library = dlopen(REAL_LOADER, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) return nullptr;
        faulty::real_loader = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
    }
    return faulty::loader(instance, name);
}
