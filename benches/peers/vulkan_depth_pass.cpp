// The unit of the raster paths: one depth-only pass over a mesh, along one axis, from vertex and index buffers, with submission
// and the wait for its fence. With objects= or pieces= it draws the boxes of the triangles of the visibility benchmark's bodies.
#include <cstring>

#include "contestant.hpp"
#include "mesh.hpp"
#include "spheres.hpp"
#include "vulkan_device.hpp"

namespace {

// layout(location = 0) in vec3 p;
// layout(push_constant) uniform View { vec4 scale; vec4 shift; };
// void main() { gl_Position = vec4(p * scale.xyz + shift.xyz, 1.0); }
const uint32_t vertex_shader[] = {
    0x7230203, 0x10000, 0x8000b, 0x28, 0, 0x20011, 1, 0x6000b, 1, 0x4c534c47, 0x6474732e, 0x3035342e, 0, 0x3000e, 0,
    1, 0x7000f, 0, 4, 0x6e69616d, 0, 0xd, 0x12, 0x50048, 0xb, 0, 0xb, 0, 0x50048, 0xb, 1, 0xb, 1, 0x50048, 0xb, 2,
    0xb, 3, 0x50048, 0xb, 3, 0xb, 4, 0x30047, 0xb, 2, 0x40047, 0x12, 0x1e, 0, 0x50048, 0x14, 0, 0x23, 0, 0x50048,
    0x14, 1, 0x23, 0x10, 0x30047, 0x14, 2, 0x20013, 2, 0x30021, 3, 2, 0x30016, 6, 0x20, 0x40017, 7, 6, 4, 0x40015, 8,
    0x20, 0, 0x4002b, 8, 9, 1, 0x4001c, 0xa, 6, 9, 0x6001e, 0xb, 7, 6, 0xa, 0xa, 0x40020, 0xc, 3, 0xb, 0x4003b, 0xc,
    0xd, 3, 0x40015, 0xe, 0x20, 1, 0x4002b, 0xe, 0xf, 0, 0x40017, 0x10, 6, 3, 0x40020, 0x11, 1, 0x10, 0x4003b, 0x11,
    0x12, 1, 0x4001e, 0x14, 7, 7, 0x40020, 0x15, 9, 0x14, 0x4003b, 0x15, 0x16, 9, 0x40020, 0x17, 9, 7, 0x4002b, 0xe,
    0x1c, 1, 0x4002b, 6, 0x21, 0x3f800000, 0x40020, 0x26, 3, 7, 0x50036, 2, 4, 0, 3, 0x200f8, 5, 0x4003d, 0x10, 0x13,
    0x12, 0x50041, 0x17, 0x18, 0x16, 0xf, 0x4003d, 7, 0x19, 0x18, 0x8004f, 0x10, 0x1a, 0x19, 0x19, 0, 1, 2, 0x50041,
    0x17, 0x1d, 0x16, 0x1c, 0x4003d, 7, 0x1e, 0x1d, 0x8004f, 0x10, 0x1f, 0x1e, 0x1e, 0, 1, 2, 0x8000c, 0x10, 0x20, 1,
    0x32, 0x13, 0x1a, 0x1f, 0x50051, 6, 0x22, 0x20, 0, 0x50051, 6, 0x23, 0x20, 1, 0x50051, 6, 0x24, 0x20, 2, 0x70050,
    7, 0x25, 0x22, 0x23, 0x24, 0x21, 0x50041, 0x26, 0x27, 0xd, 0xf, 0x3003e, 0x27, 0x25, 0x100fd, 0x10038,
};

struct View {
    float scale[4];
    float shift[4];
};

// The whole mesh, filling the picture; x across, y up, z away.
View view_of(const Mesh& mesh) {
    View view{};
    for (int axis = 0; axis < 3; ++axis) {
        float range = axis == 2 ? 1.0f : 2.0f, size = 1.001f * mesh.longest();
        view.scale[axis] = range / size;
        view.shift[axis] = -(mesh.low[axis] + mesh.high[axis]) / 2 * view.scale[axis] + (axis == 2 ? 0.5f : 0.0f);
    }
    return view;
}

class DepthPass {
public:
    DepthPass(const VulkanDevice& vulkan, const Mesh& mesh, uint32_t side) : vulkan_(vulkan), device_(vulkan.device) {
        vertices_ = buffer(VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, mesh.points.data(), mesh.points.size() * 12);
        indices_ = buffer(VK_BUFFER_USAGE_INDEX_BUFFER_BIT, mesh.triangles.data(), mesh.triangles.size() * 12);
        make_target(side);
        make_pipeline(side);
        record(mesh, side);
        VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        must(vkCreateFence(device_, &info, nullptr, &fence_), "vkCreateFence");
    }

    void draw() {
        VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &commands_;
        must(vkQueueSubmit(vulkan_.queue, 1, &submit, fence_), "vkQueueSubmit");
        must(vkWaitForFences(device_, 1, &fence_, VK_TRUE, ~0ull), "vkWaitForFences");
        must(vkResetFences(device_, 1, &fence_), "vkResetFences");
    }

private:
    VkDeviceMemory memory(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted) {
        VkPhysicalDeviceMemoryProperties types;
        vkGetPhysicalDeviceMemoryProperties(vulkan_.physical, &types);
        for (uint32_t i = 0; i < types.memoryTypeCount; ++i) {
            if (!(needs.memoryTypeBits >> i & 1) || (types.memoryTypes[i].propertyFlags & wanted) != wanted) continue;
            VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
            info.allocationSize = needs.size;
            info.memoryTypeIndex = i;
            VkDeviceMemory memory;
            must(vkAllocateMemory(device_, &info, nullptr, &memory), "vkAllocateMemory");
            return memory;
        }
        throw std::runtime_error("no memory of the kind that is needed");
    }

    VkBuffer buffer(VkBufferUsageFlags usage, const void* data, size_t bytes) {
        VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
        info.size = bytes;
        info.usage = usage;
        VkBuffer made;
        must(vkCreateBuffer(device_, &info, nullptr, &made), "vkCreateBuffer");
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(device_, made, &needs);
        VkDeviceMemory own = memory(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
        must(vkBindBufferMemory(device_, made, own, 0), "vkBindBufferMemory");
        void* mapped;
        must(vkMapMemory(device_, own, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
        std::memcpy(mapped, data, bytes);
        return made;
    }

    void make_target(uint32_t side) {
        VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
        info.imageType = VK_IMAGE_TYPE_2D;
        info.format = VK_FORMAT_D32_SFLOAT;
        info.extent = {side, side, 1};
        info.mipLevels = info.arrayLayers = 1;
        info.samples = VK_SAMPLE_COUNT_1_BIT;
        info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
        VkImage image;
        must(vkCreateImage(device_, &info, nullptr, &image), "vkCreateImage");
        VkMemoryRequirements needs;
        vkGetImageMemoryRequirements(device_, image, &needs);
        must(vkBindImageMemory(device_, image, memory(needs, 0), 0), "vkBindImageMemory");
        VkImageViewCreateInfo seen = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
        seen.image = image;
        seen.viewType = VK_IMAGE_VIEW_TYPE_2D;
        seen.format = info.format;
        seen.subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
        VkImageView view;
        must(vkCreateImageView(device_, &seen, nullptr, &view), "vkCreateImageView");
        VkAttachmentDescription depth = {};
        depth.format = info.format;
        depth.samples = VK_SAMPLE_COUNT_1_BIT;
        depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        depth.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        depth.finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
        VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
        VkSubpassDescription subpass = {};
        subpass.pDepthStencilAttachment = &reference;
        VkRenderPassCreateInfo pass = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
        pass.attachmentCount = pass.subpassCount = 1;
        pass.pAttachments = &depth;
        pass.pSubpasses = &subpass;
        must(vkCreateRenderPass(device_, &pass, nullptr, &pass_), "vkCreateRenderPass");
        VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
        frame.renderPass = pass_;
        frame.attachmentCount = frame.layers = 1;
        frame.pAttachments = &view;
        frame.width = frame.height = side;
        must(vkCreateFramebuffer(device_, &frame, nullptr, &frame_), "vkCreateFramebuffer");
    }

    void make_pipeline(uint32_t side) {
        VkShaderModuleCreateInfo code = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
        code.codeSize = sizeof vertex_shader;
        code.pCode = vertex_shader;
        VkPipelineShaderStageCreateInfo stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
        stage.stage = VK_SHADER_STAGE_VERTEX_BIT;
        stage.pName = "main";
        must(vkCreateShaderModule(device_, &code, nullptr, &stage.module), "vkCreateShaderModule");
        VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(View)};
        VkPipelineLayoutCreateInfo plan = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
        plan.pushConstantRangeCount = 1;
        plan.pPushConstantRanges = &range;
        must(vkCreatePipelineLayout(device_, &plan, nullptr, &layout_), "vkCreatePipelineLayout");
        VkVertexInputBindingDescription binding = {0, 12, VK_VERTEX_INPUT_RATE_VERTEX};
        VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0};
        VkPipelineVertexInputStateCreateInfo input = {VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
        input.vertexBindingDescriptionCount = input.vertexAttributeDescriptionCount = 1;
        input.pVertexBindingDescriptions = &binding;
        input.pVertexAttributeDescriptions = &attribute;
        VkPipelineInputAssemblyStateCreateInfo assembly = {VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
        assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        VkViewport port = {0, 0, float(side), float(side), 0, 1};
        VkRect2D cut = {{0, 0}, {side, side}};
        VkPipelineViewportStateCreateInfo viewport = {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
        viewport.viewportCount = viewport.scissorCount = 1;
        viewport.pViewports = &port;
        viewport.pScissors = &cut;
        VkPipelineRasterizationStateCreateInfo raster = {VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
        raster.lineWidth = 1;
        VkPipelineMultisampleStateCreateInfo samples = {VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
        samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
        VkPipelineDepthStencilStateCreateInfo depth = {VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
        depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
        depth.depthCompareOp = VK_COMPARE_OP_LESS;
        VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
        info.stageCount = 1;
        info.pStages = &stage;
        info.pVertexInputState = &input;
        info.pInputAssemblyState = &assembly;
        info.pViewportState = &viewport;
        info.pRasterizationState = &raster;
        info.pMultisampleState = &samples;
        info.pDepthStencilState = &depth;
        info.layout = layout_;
        info.renderPass = pass_;
        must(vkCreateGraphicsPipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_), "vkCreateGraphicsPipelines");
    }

    void record(const Mesh& mesh, uint32_t side) {
        VkCommandPoolCreateInfo create = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        create.queueFamilyIndex = vulkan_.family;
        VkCommandPool pool;
        must(vkCreateCommandPool(device_, &create, nullptr, &pool), "vkCreateCommandPool");
        VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        allocate.commandPool = pool;
        allocate.commandBufferCount = 1;
        must(vkAllocateCommandBuffers(device_, &allocate, &commands_), "vkAllocateCommandBuffers");
        VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        must(vkBeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
        VkClearValue clear = {};
        clear.depthStencil.depth = 1;
        VkRenderPassBeginInfo pass = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
        pass.renderPass = pass_;
        pass.framebuffer = frame_;
        pass.renderArea = {{0, 0}, {side, side}};
        pass.clearValueCount = 1;
        pass.pClearValues = &clear;
        vkCmdBeginRenderPass(commands_, &pass, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
        View view = view_of(mesh);
        vkCmdPushConstants(commands_, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof view, &view);
        VkDeviceSize zero = 0;
        vkCmdBindVertexBuffers(commands_, 0, 1, &vertices_, &zero);
        vkCmdBindIndexBuffer(commands_, indices_, 0, VK_INDEX_TYPE_UINT32);
        vkCmdDrawIndexed(commands_, static_cast<uint32_t>(3 * mesh.triangles.size()), 1, 0, 0, 0);
        vkCmdEndRenderPass(commands_);
        must(vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
    }

    const VulkanDevice& vulkan_;
    VkDevice device_;
    VkBuffer vertices_, indices_;
    VkRenderPass pass_;
    VkFramebuffer frame_;
    VkPipelineLayout layout_;
    VkPipeline pipeline_;
    VkCommandBuffer commands_;
    VkFence fence_;
};

}  // namespace

namespace {

Mesh drawn(const contest::Arguments& arguments) {
    if (!arguments.text("objects", "").empty()) {
        const Spheres spheres(arguments.number("objects"), arguments.number("triangles"));
        return boxes_of(spheres.one, spheres.centres);
    }
    const Mesh mesh = read_mesh(arguments.text("mesh"));
    return arguments.text("pieces", "").empty() ? mesh : boxes_of(mesh, {{0, 0, 0}});
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = drawn(arguments);
        VulkanDevice vulkan;
        // What it made goes with the process.
        const std::string side = arguments.text("side", "1024");
        DepthPass pass(vulkan, mesh, static_cast<uint32_t>(std::stoul(side)));
        contest::compete(vulkan.name + ", one depth-only pass at " + side, [&](const contest::Turn&) {
            return contest::shortest_of(3, [&] { pass.draw(); });
        });
    });
}
