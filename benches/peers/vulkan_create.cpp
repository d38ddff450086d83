// Reference for creating a context: an instance and a device with one queue, in a fresh process each time.
#include "contestant.hpp"
#include "vulkan_device.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments&) {
        contest::compete("vkCreateInstance + vkCreateDevice", [](const contest::Turn&) {
            return contest::Sample{contest::in_fresh_process([] {
                return contest::seconds_of([] { VulkanDevice vulkan; });
            })};
        });
    });
}
