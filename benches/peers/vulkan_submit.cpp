// Reference for latency: a vkQueueSubmit with nothing to do and the wait for its fence.
// commands=0 submits no command buffer at all, commands=1 a recorded one with nothing in it.
#include "contestant.hpp"
#include "vulkan_device.hpp"

namespace {

VkCommandBuffer empty_commands(const VulkanDevice& vulkan, VkCommandPool& pool) {
    VkCommandPoolCreateInfo create = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    create.queueFamilyIndex = vulkan.family;
    must(vkCreateCommandPool(vulkan.device, &create, nullptr, &pool), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = pool;
    allocate.commandBufferCount = 1;
    VkCommandBuffer commands;
    must(vkAllocateCommandBuffers(vulkan.device, &allocate, &commands), "vkAllocateCommandBuffers");
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        VulkanDevice vulkan;
        VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        VkFence fence;
        must(vkCreateFence(vulkan.device, &info, nullptr, &fence), "vkCreateFence");
        VkCommandPool pool;
        VkCommandBuffer commands = empty_commands(vulkan, pool);
        VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
        submit.commandBufferCount = static_cast<uint32_t>(arguments.number("commands"));
        submit.pCommandBuffers = &commands;
        contest::compete(vulkan.name, [&](const contest::Turn&) {
            return contest::median_of(500, [&] {
                must(vkQueueSubmit(vulkan.queue, 1, &submit, fence), "vkQueueSubmit");
                must(vkWaitForFences(vulkan.device, 1, &fence, VK_TRUE, ~0ull), "vkWaitForFences");
                must(vkResetFences(vulkan.device, 1, &fence), "vkResetFences");
            });
        });
        vkDestroyCommandPool(vulkan.device, pool, nullptr);
        vkDestroyFence(vulkan.device, fence, nullptr);
    });
}
