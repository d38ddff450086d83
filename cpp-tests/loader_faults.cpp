// Opening a device of Proxel's own with a loader that fails: no device, no memory, no instance, each call in turn.
#include <iostream>

#include <vulkan/vulkan.h>

#include "witness.hpp"

using namespace test;

extern "C" {
void faulty_plan(const char* function, int at, VkResult result, int no_devices);
int faulty_calls();
const char* faulty_alive();
const char* faulty_failure();
}

namespace {

void no_device_at_all(Witness& witness) {
    faulty_plan(nullptr, 0, VK_SUCCESS, 1);
    PrxContextDef def = witness.def();
    CHECK_REFUSED(proxel::Context::open(def), PRX_STATUS_NO_DEVICE, "found no device");
    def.device_name = nullptr;
    CHECK_REFUSED(proxel::Context::open(def), PRX_STATUS_NO_DEVICE, "install a driver");
    CHECK_EQ(std::string(faulty_alive()), std::string());
}

void the_instance_or_the_device_is_refused(Witness& witness) {
    faulty_plan("vkCreateInstance", 1, VK_ERROR_INCOMPATIBLE_DRIVER, 0);
    CHECK_REFUSED(proxel::Context::open(witness.def()), PRX_STATUS_NO_DEVICE, "no driver");
    faulty_plan("vkCreateInstance", 1, VK_ERROR_INITIALIZATION_FAILED, 0);
    CHECK_REFUSED(proxel::Context::open(witness.def()), PRX_STATUS_VULKAN, "vkCreateInstance failed");
    faulty_plan("vkCreateDevice", 1, VK_ERROR_INITIALIZATION_FAILED, 0);
    CHECK_REFUSED(proxel::Context::open(witness.def()), PRX_STATUS_VULKAN, "vkCreateDevice failed");
    faulty_plan("vkCreateDevice", 1, VK_ERROR_DEVICE_LOST, 0);
    CHECK_REFUSED(proxel::Context::open(witness.def()), PRX_STATUS_DEVICE_LOST, "vkCreateDevice");
    CHECK_EQ(std::string(faulty_alive()), std::string());
}

void every_call_fails_in_turn(Witness& witness) {
    faulty_plan(nullptr, 0, VK_SUCCESS, 0);
    int calls = 0;
    {
        // What is called on the way out is not counted: faults.cpp looks at that.
        proxel::Context context = NEED(proxel::Context::open(witness.def()));
        calls = faulty_calls();
    }
    CHECK(calls >= 7);
    CHECK_EQ(std::string(faulty_alive()), std::string());
    for (int at = 1; at <= calls; ++at) {
        faulty_plan(nullptr, at, VK_ERROR_OUT_OF_HOST_MEMORY, 0);
        auto context = proxel::Context::open(witness.def());
        const std::string failed = faulty_failure();
        CHECK_MESSAGE((context.status() == PRX_STATUS_OUT_OF_HOST_MEMORY && contains(context.message(), failed)), failed,
                      " failed, and the context says ", prx_status_name(context.status()), ": ", context.message());
        faulty_plan(nullptr, 0, VK_SUCCESS, 0);
        CHECK_MESSAGE(std::string(faulty_alive()).empty(), failed, " left ", faulty_alive());
    }
    std::cout << calls << " Vulkan calls, each failed once\n";
}

TEST_CASE("loader faults") {
    Witness witness;
    no_device_at_all(witness);
    the_instance_or_the_device_is_refused(witness);
    every_call_fails_in_turn(witness);
    faulty_plan(nullptr, 0, VK_SUCCESS, 0);
    CHECK(proxel::Context::open(witness.def()).ok());
}

}  // namespace
