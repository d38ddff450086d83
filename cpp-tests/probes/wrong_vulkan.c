/* Uses Vulkan wrongly on purpose: a buffer of no size, then two writes with no barrier between them; with the argument
 * "kernel", a kernel that writes out of bounds. The test run executes this to see that core, synchronisation and
 * GPU-assisted validation are really watching, and on the device that was chosen: it prints the device's name, or fails
 * when there is none. */
#include <stdio.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "out_of_bounds.spv.h"

#define TRY(call)                                             \
    do {                                                      \
        VkResult result_ = (call);                            \
        if (result_ != VK_SUCCESS) {                          \
            fprintf(stderr, "%s: VkResult %d\n", #call, result_); \
            return 1;                                         \
        }                                                     \
    } while (0)

/* A buffer of 256 bytes with memory. */
typedef struct Bound {
    VkBuffer buffer;
    VkDeviceMemory memory;
} Bound;

static int bind(VkDevice device, VkBufferUsageFlags usage, Bound *out) {
    VkBufferCreateInfo some = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .usage = usage, .size = 256};
    TRY(vkCreateBuffer(device, &some, NULL, &out->buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, out->buffer, &needs);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1)) ++type;
    VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    TRY(vkAllocateMemory(device, &allocate, NULL, &out->memory));
    TRY(vkBindBufferMemory(device, out->buffer, out->memory, 0));
    return 0;
}

static void unbind(VkDevice device, Bound bound) {
    vkDestroyBuffer(device, bound.buffer, NULL);
    vkFreeMemory(device, bound.memory, NULL);
}

static int begin(VkDevice device, VkCommandPool *pool, VkCommandBuffer *commands) {
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    TRY(vkCreateCommandPool(device, &pool_info, NULL, pool));
    VkCommandBufferAllocateInfo commands_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = *pool, .commandBufferCount = 1};
    TRY(vkAllocateCommandBuffers(device, &commands_info, commands));
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    TRY(vkBeginCommandBuffer(*commands, &info));
    return 0;
}

static int break_the_rules(VkDevice device) {
    VkBufferCreateInfo nothing = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer empty;
    TRY(vkCreateBuffer(device, &nothing, NULL, &empty));
    vkDestroyBuffer(device, empty, NULL);

    Bound bound;
    TRY(bind(device, VK_BUFFER_USAGE_TRANSFER_DST_BIT, &bound));
    VkCommandPool pool;
    VkCommandBuffer commands;
    TRY(begin(device, &pool, &commands));
    vkCmdFillBuffer(commands, bound.buffer, 0, 256, 1);
    vkCmdFillBuffer(commands, bound.buffer, 0, 256, 2);
    TRY(vkEndCommandBuffer(commands));

    vkDestroyCommandPool(device, pool, NULL);
    unbind(device, bound);
    return 0;
}

/* Of 256 bytes only 16 are bound; byte 128 is written, which does no harm. */
static int write_out_of_bounds(VkDevice device) {
    const VkShaderStageFlags compute = VK_SHADER_STAGE_COMPUTE_BIT;
    const VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    VkDescriptorSetLayoutBinding binding = {.descriptorType = storage, .descriptorCount = 1, .stageFlags = compute};
    VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
    VkDescriptorSetLayout set_layout;
    TRY(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout));
    VkPushConstantRange range = {.stageFlags = compute, .size = 4};
    VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout,
        .pushConstantRangeCount = 1, .pPushConstantRanges = &range};
    VkPipelineLayout layout;
    TRY(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
    VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof out_of_bounds, .pCode = out_of_bounds};
    VkShaderModule module;
    TRY(vkCreateShaderModule(device, &module_info, NULL, &module));
    VkComputePipelineCreateInfo pipeline_info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = layout,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module, .pName = "main"}};
    VkPipeline pipeline;
    TRY(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline));

    VkDescriptorPoolSize size = {.type = storage, .descriptorCount = 1};
    VkDescriptorPoolCreateInfo sets_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    VkDescriptorPool sets;
    TRY(vkCreateDescriptorPool(device, &sets_info, NULL, &sets));
    VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = sets, .descriptorSetCount = 1,
        .pSetLayouts = &set_layout};
    VkDescriptorSet set;
    TRY(vkAllocateDescriptorSets(device, &allocate, &set));
    Bound bound;
    TRY(bind(device, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, &bound));
    VkDescriptorBufferInfo part = {.buffer = bound.buffer, .range = 16};
    VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set, .descriptorCount = 1, .descriptorType = storage,
        .pBufferInfo = &part};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);

    VkCommandPool pool;
    VkCommandBuffer commands;
    TRY(begin(device, &pool, &commands));
    const uint32_t where = 32;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdPushConstants(commands, layout, compute, 0, sizeof where, &where);
    vkCmdDispatch(commands, 1, 1, 1);
    TRY(vkEndCommandBuffer(commands));
    VkQueue queue;
    vkGetDeviceQueue(device, 0, 0, &queue);
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    TRY(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
    TRY(vkQueueWaitIdle(queue));

    vkDestroyCommandPool(device, pool, NULL);
    unbind(device, bound);
    vkDestroyDescriptorPool(device, sets, NULL);
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyShaderModule(device, module, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, set_layout, NULL);
    return 0;
}

int main(int count, char **words) {
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    VkInstance instance;
    TRY(vkCreateInstance(&instance_info, NULL, &instance));

    VkPhysicalDevice physical[2];
    uint32_t devices = 2;
    TRY(vkEnumeratePhysicalDevices(instance, &devices, physical));
    if (devices != 1) {
        fprintf(stderr, "one Vulkan device was chosen, but there are %u\n", devices);
        return 1;
    }
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical[0], &properties);
    printf("device: %s\n", properties.deviceName);

    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo device_info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    VkDevice device;
    TRY(vkCreateDevice(physical[0], &device_info, NULL, &device));
    const int kernel = count > 1 && strcmp(words[1], "kernel") == 0;
    int status = kernel ? write_out_of_bounds(device) : break_the_rules(device);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    return status;
}
