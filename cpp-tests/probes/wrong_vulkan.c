/* Uses Vulkan wrongly on purpose: a buffer of no size, then two writes with no barrier between them. The test run
 * executes this to see that core and synchronisation validation are really watching, and on the device that was chosen:
 * it prints the device's name, or fails when there is none. */
#include <stdio.h>
#include <vulkan/vulkan.h>

#define TRY(call)                                             \
    do {                                                      \
        VkResult result_ = (call);                            \
        if (result_ != VK_SUCCESS) {                          \
            fprintf(stderr, "%s: VkResult %d\n", #call, result_); \
            return 1;                                         \
        }                                                     \
    } while (0)

static int break_the_rules(VkDevice device) {
    VkBufferCreateInfo nothing = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer empty;
    TRY(vkCreateBuffer(device, &nothing, NULL, &empty));
    vkDestroyBuffer(device, empty, NULL);

    VkBufferCreateInfo some = nothing;
    some.size = 256;
    VkBuffer buffer;
    TRY(vkCreateBuffer(device, &some, NULL, &buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1)) ++type;
    VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    VkDeviceMemory memory;
    TRY(vkAllocateMemory(device, &allocate, NULL, &memory));
    TRY(vkBindBufferMemory(device, buffer, memory, 0));

    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandPool pool;
    TRY(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo commands_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .commandBufferCount = 1};
    VkCommandBuffer commands;
    TRY(vkAllocateCommandBuffers(device, &commands_info, &commands));
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    TRY(vkBeginCommandBuffer(commands, &begin));
    vkCmdFillBuffer(commands, buffer, 0, 256, 1);
    vkCmdFillBuffer(commands, buffer, 0, 256, 2);
    TRY(vkEndCommandBuffer(commands));

    vkDestroyCommandPool(device, pool, NULL);
    vkDestroyBuffer(device, buffer, NULL);
    vkFreeMemory(device, memory, NULL);
    return 0;
}

int main(void) {
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    VkInstance instance;
    TRY(vkCreateInstance(&instance_info, NULL, &instance));

    VkPhysicalDevice physical[2];
    uint32_t count = 2;
    TRY(vkEnumeratePhysicalDevices(instance, &count, physical));
    if (count != 1) {
        fprintf(stderr, "one Vulkan device was chosen, but there are %u\n", count);
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
    int status = break_the_rules(device);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    return status;
}
