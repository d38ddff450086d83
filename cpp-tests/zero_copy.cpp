// Zero copy: an engine's kernel writes positions into the engine's buffer, and Proxel answers from there, to the host or into another buffer of the
// engine's, where another kernel takes it. Positions and contacts are never on the host: no array has them, the engine's memory is not
// mapped, and what Proxel copies on the device is counted.
#include <cmath>
#include <iostream>
#include <limits>
#include <mutex>
#include <type_traits>

#include "engine.hpp"
#include "shapes.hpp"
#include "zero_copy.spv.hpp"
#include "zero_copy_use.spv.hpp"

using namespace test;

namespace {

constexpr double pi = 3.14159265358979323846;

// --- what Proxel does to memory ----------------------------------------------------------------------------------------

/// Stands between Proxel and the driver, and writes down copies, mappings, and whether each command buffer that reads starts by
/// ordering itself after what the engine submitted before.
struct CopyWatch {
    static inline PFN_vkGetDeviceProcAddr real_device_proc = nullptr;
    static inline PFN_vkCmdCopyBuffer real_copy = nullptr;
    static inline PFN_vkMapMemory real_map = nullptr;
    static inline VkBuffer watched = VK_NULL_HANDLE;
    static inline VkDeviceMemory watched_memory = VK_NULL_HANDLE;
    static inline std::uint64_t copied_from_watched = 0, copied = 0, maps_of_watched = 0;
    static inline PFN_vkBeginCommandBuffer real_begin = nullptr;
    static inline PFN_vkCmdPipelineBarrier real_barrier = nullptr;
    static inline PFN_vkCmdDispatch real_dispatch = nullptr;
    static inline bool ordered = false;
    static inline std::uint64_t dispatches = 0, unordered = 0;

    static VKAPI_ATTR VkResult VKAPI_CALL begin(VkCommandBuffer commands, const VkCommandBufferBeginInfo* info) {
        ordered = false;
        return real_begin(commands, info);
    }
    static VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                              VkDependencyFlags flags, std::uint32_t count, const VkMemoryBarrier* memory,
                                              std::uint32_t buffers, const VkBufferMemoryBarrier* of_buffers, std::uint32_t images,
                                              const VkImageMemoryBarrier* of_images) {
        const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        for (std::uint32_t i = 0; i < count; ++i)
            ordered |= from == all && to == all && (memory[i].srcAccessMask & VK_ACCESS_MEMORY_WRITE_BIT) != 0 &&
                       (memory[i].dstAccessMask & VK_ACCESS_MEMORY_READ_BIT) != 0;
        real_barrier(commands, from, to, flags, count, memory, buffers, of_buffers, images, of_images);
    }
    static VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer commands, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        ++dispatches;
        unordered += !ordered;
        real_dispatch(commands, x, y, z);
    }
    static VKAPI_ATTR void VKAPI_CALL copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to, std::uint32_t count,
                                           const VkBufferCopy* regions) {
        unordered += !ordered;
        for (std::uint32_t i = 0; i < count; ++i) {
            copied += regions[i].size;
            if (from == watched) copied_from_watched += regions[i].size;
        }
        real_copy(commands, from, to, count, regions);
    }
    static VKAPI_ATTR VkResult VKAPI_CALL map(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                                              VkMemoryMapFlags flags, void** out) {
        maps_of_watched += memory == watched_memory;
        return real_map(device, memory, offset, size, flags, out);
    }
    static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char* name) {
        PFN_vkVoidFunction function = real_device_proc(device, name);
        const auto watch = [&](const char* watched_name, auto& real, auto* own) {
            if (std::strcmp(name, watched_name) != 0) return;
            real = reinterpret_cast<std::remove_reference_t<decltype(real)>>(function);
            function = reinterpret_cast<PFN_vkVoidFunction>(own);
        };
        watch("vkBeginCommandBuffer", real_begin, &begin);
        watch("vkCmdPipelineBarrier", real_barrier, &barrier);
        watch("vkCmdDispatch", real_dispatch, &dispatch);
        watch("vkCmdCopyBuffer", real_copy, &copy);
        watch("vkMapMemory", real_map, &map);
        return function;
    }
    static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance, const char* name) {
        const PFN_vkVoidFunction real = vkGetInstanceProcAddr(instance, name);
        if (std::strcmp(name, "vkGetDeviceProcAddr") != 0) return real;
        real_device_proc = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&device_proc);
    }
};

// --- the engine's side -------------------------------------------------------------------------------------------------

/// Storage in the device's own memory: of a type that the host cannot see, where there is one; never mapped in any case.
class DeviceBuffer {
public:
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;

    std::uint64_t bytes;
    VkBufferUsageFlags usage;

    DeviceBuffer(const Engine& engine, std::uint64_t size, VkBufferUsageFlags further = 0)
        : bytes(size), usage(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | further), device_(engine.device) {
        VkBufferCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
        info.size = bytes;
        info.usage = usage;
        VK(vkCreateBuffer(device_, &info, nullptr, &buffer));
        VkMemoryRequirements needs{};
        vkGetBufferMemoryRequirements(device_, buffer, &needs);
        VkMemoryAllocateInfo allocation{};
        allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        allocation.allocationSize = needs.size;
        allocation.memoryTypeIndex = type(engine, needs.memoryTypeBits);
        VK(vkAllocateMemory(device_, &allocation, nullptr, &memory));
        VK(vkBindBufferMemory(device_, buffer, memory, 0));
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    ~DeviceBuffer() {
        vkDestroyBuffer(device_, buffer, nullptr);
        vkFreeMemory(device_, memory, nullptr);
    }

private:
    static std::uint32_t type(const Engine& engine, std::uint32_t allowed) {
        VkPhysicalDeviceMemoryProperties types{};
        vkGetPhysicalDeviceMemoryProperties(engine.physical, &types);
        std::uint32_t best = UINT32_MAX;
        for (std::uint32_t i = 0; i < types.memoryTypeCount; ++i) {
            const VkMemoryPropertyFlags flags = types.memoryTypes[i].propertyFlags;
            if ((allowed >> i & 1) == 0 || (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) == 0) continue;
            if (best == UINT32_MAX || (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) == 0) best = i;
        }
        REQUIRE(best != UINT32_MAX);
        return best;
    }

    VkDevice device_;
};

struct SpherePush {
    float centre[3];
    float radius;
    std::uint32_t squares, stride;
};

/// A kernel of the engine's over a few storage buffers.
class EngineKernel {
public:
    EngineKernel(const Engine& engine, const std::uint32_t* code, std::size_t code_bytes, std::uint32_t push_bytes,
                 std::initializer_list<VkBuffer> buffers)
        : engine_(engine), push_bytes_(push_bytes) {
        make_layouts(static_cast<std::uint32_t>(buffers.size()));
        make_pipeline(code, code_bytes);
        bind(buffers);
        VkCommandPoolCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
        info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
        info.queueFamilyIndex = engine.family;
        VK(vkCreateCommandPool(engine.device, &info, nullptr, &commands_pool_));
        VkCommandBufferAllocateInfo allocation{};
        allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        allocation.commandPool = commands_pool_;
        allocation.commandBufferCount = 1;
        VK(vkAllocateCommandBuffers(engine.device, &allocation, &commands_));
    }
    EngineKernel(const EngineKernel&) = delete;
    ~EngineKernel() {
        vkQueueWaitIdle(engine_.queue);
        vkDestroyCommandPool(engine_.device, commands_pool_, nullptr);
        vkDestroyDescriptorPool(engine_.device, sets_, nullptr);
        vkDestroyPipeline(engine_.device, pipeline_, nullptr);
        vkDestroyPipelineLayout(engine_.device, layout_, nullptr);
        vkDestroyDescriptorSetLayout(engine_.device, set_layout_, nullptr);
    }

    /// Runs it once `wait` is reached, as `dispatch` says, and signals `done`.
    template <typename Dispatch>
    void run(const void* push, PrxTimelinePoint wait, PrxTimelinePoint done, Dispatch&& dispatch) {
        VkCommandBufferBeginInfo begin{};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
        VK(vkBeginCommandBuffer(commands_, &begin));
        vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
        vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
        vkCmdPushConstants(commands_, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes_, push);
        dispatch(commands_);
        VkMemoryBarrier written{};
        written.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
        written.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
        written.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
        vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &written, 0, nullptr, 0, nullptr);
        VK(vkEndCommandBuffer(commands_));

        const auto waits = reinterpret_cast<VkSemaphore>(wait.semaphore), signals = reinterpret_cast<VkSemaphore>(done.semaphore);
        VkTimelineSemaphoreSubmitInfo timeline{};
        timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
        timeline.waitSemaphoreValueCount = timeline.signalSemaphoreValueCount = 1;
        timeline.pWaitSemaphoreValues = &wait.value;
        timeline.pSignalSemaphoreValues = &done.value;
        const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
        VkSubmitInfo submit{};
        submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        submit.pNext = &timeline;
        submit.waitSemaphoreCount = submit.signalSemaphoreCount = submit.commandBufferCount = 1;
        submit.pWaitSemaphores = &waits;
        submit.pWaitDstStageMask = &stage;
        submit.pSignalSemaphores = &signals;
        submit.pCommandBuffers = &commands_;
        VK(vkQueueSubmit(engine_.queue, 1, &submit, VK_NULL_HANDLE));
    }

private:
    void make_layouts(std::uint32_t count) {
        std::vector<VkDescriptorSetLayoutBinding> bindings(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            bindings[i].binding = i;
            bindings[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
            bindings[i].descriptorCount = 1;
            bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
        }
        VkDescriptorSetLayoutCreateInfo set{};
        set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
        set.bindingCount = count;
        set.pBindings = bindings.data();
        VK(vkCreateDescriptorSetLayout(engine_.device, &set, nullptr, &set_layout_));
        const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes_};
        VkPipelineLayoutCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
        info.setLayoutCount = info.pushConstantRangeCount = 1;
        info.pSetLayouts = &set_layout_;
        info.pPushConstantRanges = &push;
        VK(vkCreatePipelineLayout(engine_.device, &info, nullptr, &layout_));
    }
    void make_pipeline(const std::uint32_t* words, std::size_t bytes) {
        VkShaderModuleCreateInfo code{};
        code.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
        code.codeSize = bytes;
        code.pCode = words;
        VkShaderModule module = VK_NULL_HANDLE;
        VK(vkCreateShaderModule(engine_.device, &code, nullptr, &module));
        VkComputePipelineCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
        info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
        info.stage.module = module;
        info.stage.pName = "main";
        info.layout = layout_;
        VK(vkCreateComputePipelines(engine_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_));
        vkDestroyShaderModule(engine_.device, module, nullptr);
    }
    void bind(std::initializer_list<VkBuffer> buffers) {
        const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, static_cast<std::uint32_t>(buffers.size())};
        VkDescriptorPoolCreateInfo pool{};
        pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
        pool.maxSets = pool.poolSizeCount = 1;
        pool.pPoolSizes = &size;
        VK(vkCreateDescriptorPool(engine_.device, &pool, nullptr, &sets_));
        VkDescriptorSetAllocateInfo allocation{};
        allocation.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
        allocation.descriptorPool = sets_;
        allocation.descriptorSetCount = 1;
        allocation.pSetLayouts = &set_layout_;
        VK(vkAllocateDescriptorSets(engine_.device, &allocation, &set_));
        std::uint32_t binding = 0;
        for (VkBuffer buffer : buffers) {
            const VkDescriptorBufferInfo whole{buffer, 0, VK_WHOLE_SIZE};
            VkWriteDescriptorSet write{};
            write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
            write.dstSet = set_;
            write.dstBinding = binding++;
            write.descriptorCount = 1;
            write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
            write.pBufferInfo = &whole;
            vkUpdateDescriptorSets(engine_.device, 1, &write, 0, nullptr);
        }
    }

    const Engine& engine_;
    std::uint32_t push_bytes_;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    VkDescriptorPool sets_ = VK_NULL_HANDLE;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    VkCommandPool commands_pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

/// The engine's simulation: a kernel that moves a sphere.
class SphereKernel {
public:
    SphereKernel(const Engine& engine, VkBuffer positions)
        : kernel_(engine, zero_copy_spirv, sizeof zero_copy_spirv, sizeof(SpherePush), {positions}) {}

    /// Writes the sphere once `wait` is reached, and signals `done`. Only its centre, radius and size leave the host.
    void run(const SpherePush& sphere, PrxTimelinePoint wait, PrxTimelinePoint done) {
        const std::uint32_t vertices = 6 * (sphere.squares + 1) * (sphere.squares + 1);
        kernel_.run(&sphere, wait, done, [&](VkCommandBuffer commands) { vkCmdDispatch(commands, (vertices + 63) / 64, 1, 1); });
    }

private:
    EngineKernel kernel_;
};

/// What the engine's kernel found in the records: see zero_copy_use.comp.
struct Found {
    std::uint32_t taken, off_sphere, deepest, status;
};

/// The triangles of the six grids that the kernel writes: all that the host knows of the mesh.
std::vector<std::uint32_t> grid_triangles(std::uint32_t squares) {
    std::vector<std::uint32_t> indices;
    const std::uint32_t side = squares + 1;
    for (std::uint32_t face = 0; face < 6; ++face) {
        for (std::uint32_t y = 0; y < squares; ++y) {
            for (std::uint32_t x = 0; x < squares; ++x) {
                const std::uint32_t a = (face * side + y) * side + x, b = a + 1, c = a + side, d = c + 1;
                // Opposite faces have the same grid, so one of the two is wound the other way.
                if (face < 3) indices.insert(indices.end(), {a, b, d, a, d, c});
                else indices.insert(indices.end(), {a, d, b, a, c, d});
            }
        }
    }
    return indices;
}

// --- the truth ---------------------------------------------------------------------------------------------------------

/// A sphere of radius r whose centre is d from that of a unit ball: what of it is inside. A point of it that is s from the ball's
/// centre has area element 2 pi r s ds / d, depth 1 - s, and lies (s^2 + d^2 - r^2) / 2d along the line of the centres.
struct Truth {
    double nearest, area, depth_sum, along;

    Truth(double d, double r) : nearest(d - r - 1), area(0), depth_sum(0), along(0) {
        const double low = d - r;
        if (low >= 1) return;
        const auto between = [&](auto primitive) { return primitive(1.0) - primitive(low); };
        area = 2 * pi * r / d * between([](double s) { return s * s / 2; });
        depth_sum = 2 * pi * r / d * between([](double s) { return s * s / 2 - s * s * s / 3; });
        const double e = d * d - r * r;
        along = pi * r / (d * d) *
                between([&](double s) { return e * s - e * s * s / 2 + s * s * s / 3 - s * s * s * s / 4; });
    }
};

/// A semaphore of the engine.
struct Timeline {
    Engine& engine;
    VkSemaphore semaphore = engine.timeline(0);

    ~Timeline() { engine.destroy(semaphore); }
    PrxTimelinePoint at(std::uint64_t value) const { return {reinterpret_cast<std::uint64_t>(semaphore), value}; }
};

constexpr std::uint32_t sphere_squares = 48, sphere_vertices = 6 * (sphere_squares + 1) * (sphere_squares + 1);
constexpr float sphere_radius = 0.8f;

/// Frames in which the engine's kernel moves a sphere into a unit ball; positions are `stride` floats apart.
void proxel_answers_from_the_engines_memory(Engine& engine, const proxel::Context& context, const proxel::Field& field, std::uint32_t stride) {
    const double error = NEED(field.info()).error;
    const std::uint64_t bytes = std::uint64_t{4} * stride * sphere_vertices;
    DeviceBuffer buffer(engine, bytes);
    CopyWatch::watched = buffer.buffer;
    CopyWatch::watched_memory = buffer.memory;
    CopyWatch::copied_from_watched = CopyWatch::maps_of_watched = CopyWatch::copied = 0;
    SphereKernel kernel(engine, buffer.buffer);
    Timeline written{engine}, answered{engine};
    const std::vector<std::uint32_t> indices = grid_triangles(sphere_squares);
    PrxMeshDef def = proxel::mesh_def({}, indices, "written by the engine's kernel");
    def.vertex_count = sphere_vertices;
    def.flags = PRX_MESH_DEFORMING;
    def.vk_buffer = reinterpret_cast<std::uint64_t>(buffer.buffer);
    def.vk_buffer_stride = std::uint64_t{4} * stride;
    proxel::Mesh mesh = NEED(context.mesh(def));
    proxel::Batch batch = NEED(context.batch());
    const auto box = NEED(batch.bounds(mesh));
    const auto nearest = NEED(batch.proximity(field, mesh));
    PrxPenaltyDef springs = prx_penalty_def_default();
    springs.resolution = 512;
    const auto contact = NEED(batch.penalty(field, mesh, springs));
    constexpr int frames = 6;
    for (int frame = 1; frame <= frames; ++frame) {
        // From apart to well inside; along an axis, on which both sphere and mesh reach farthest.
        const int axis = frame % 3;
        const float distance = 2.1f - 0.15f * static_cast<float>(frame);
        SpherePush push{{0, 0, 0}, sphere_radius, sphere_squares, stride};
        push.centre[axis] = distance;
        const auto number = static_cast<std::uint64_t>(frame);
        kernel.run(push, answered.at(number - 1), written.at(number));
        NEED(batch.submit({written.at(number)}, {answered.at(number)}));
        NEED(batch.wait());
        CHECK_EQ(engine.value(answered.semaphore), number);
        if (frame == 1) {
            CHECK(CopyWatch::copied > 0);  // triangles and their clusters went over with the first: the watch is awake
            CopyWatch::copied = 0;
        }

        const PrxBounds bounds = NEED(batch.read(box));
        for (int i = 0; i < 3; ++i) {
            const double centre = i == axis ? distance : 0;
            CHECK_NEAR(bounds.min[i], centre - sphere_radius, 1e-6);
            CHECK_NEAR(bounds.max[i], centre + sphere_radius, 1e-6);
        }
        const Truth truth(distance, sphere_radius);
        const PrxProximity near = NEED(batch.read(nearest));
        CHECK((near.lower <= truth.nearest + 1e-6 && truth.nearest - 1e-6 <= near.upper));
        CHECK_NEAR(near.distance, truth.nearest, error + 1e-6);
        CHECK_NEAR(near.point_mesh[axis], distance - sphere_radius, 0.02);

        // A flat triangle leaves the sphere by less than h^2 / 4r, where h = pi r / 2 / squares: 0.00022 here.
        const PrxPenalty forces = NEED(batch.read(contact));
        CHECK_NEAR(forces.area, truth.area, 0.02 * truth.area + 1e-6);
        CHECK_NEAR(forces.depth_sum, truth.depth_sum, 0.02 * truth.depth_sum + 1e-6);
        CHECK(forces.depth_lower <= std::max(0.0, -truth.nearest) + 1e-6);
        CHECK(forces.depth_upper >= -truth.nearest - 1e-6);
        for (int i = 0; i < 3; ++i) CHECK_NEAR(forces.mesh_force_sum[i], i == axis ? truth.along : 0, 0.02 * truth.along + 1e-6);
    }
    // Nothing reads before what the engine's queue did until then is done and seen.
    CHECK(CopyWatch::dispatches > 0);
    CHECK_EQ(CopyWatch::unordered, std::uint64_t{0});
    CHECK_EQ(CopyWatch::copied_from_watched, std::uint64_t{0});
    CHECK_EQ(CopyWatch::maps_of_watched, std::uint64_t{0});
    CHECK(CopyWatch::copied < bytes / 10);
    std::cout << bytes << " bytes of positions; " << CopyWatch::copied << " bytes copied in the last " << frames - 1 << " frames"
              << std::endl;
}

/// Frames in which the engine's kernel moves a sphere into a unit ball and back, Proxel finds where they touch, and another kernel of the engine's takes the
/// contacts by the head before them: neither positions nor contacts are ever on the host.
void the_engine_takes_the_contacts(Engine& engine, const proxel::Context& context, const proxel::Field& field) {
    constexpr std::uint32_t room = 64, stride = 3;
    DeviceBuffer positions(engine, std::uint64_t{4} * stride * sphere_vertices);
    DeviceBuffer records(engine, sizeof(PrxOutputHead) + room * sizeof(PrxContactRecord), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    EngineBuffer sums(engine, sizeof(Found));
    SphereKernel move(engine, positions.buffer);
    EngineKernel use(engine, zero_copy_use_spirv, sizeof zero_copy_use_spirv, 4 * sizeof(float), {records.buffer, sums.buffer});
    CopyWatch::watched = records.buffer;
    CopyWatch::watched_memory = records.memory;
    CopyWatch::copied_from_watched = CopyWatch::maps_of_watched = 0;
    Timeline written{engine}, answered{engine}, used{engine};
    const std::vector<std::uint32_t> indices = grid_triangles(sphere_squares);
    PrxMeshDef def = proxel::mesh_def({}, indices, "written by the engine's kernel");
    def.vertex_count = sphere_vertices;
    def.flags = PRX_MESH_DEFORMING;
    def.vk_buffer = reinterpret_cast<std::uint64_t>(positions.buffer);
    def.vk_buffer_stride = std::uint64_t{4} * stride;
    proxel::Mesh mesh = NEED(context.mesh(def));
    proxel::Batch batch = NEED(context.batch());
    const auto touching = NEED(batch.contacts(proxel::body(field), proxel::body(mesh)));
    PrxBufferOutput output = proxel::buffer_output<PrxContactRecord>(reinterpret_cast<std::uint64_t>(records.buffer), records.bytes,
                                                                     records.usage, room);
    output.group_size = 8;
    NEED(batch.output(touching, output));
    // The vertices are points too: what is handed over is not read.
    const std::vector<Vec3> nowhere(8, Vec3{9, 9, 9});
    const auto sampled = NEED(batch.sample(field, nowhere));
    NEED(batch.input(sampled, reinterpret_cast<std::uint64_t>(positions.buffer), positions.bytes, positions.usage));
    std::uint64_t dispatched = 0;
    for (std::uint64_t frame = 1; frame <= 20; ++frame) {
        // In and out again.
        const float distance = 1.75f + 0.15f * std::cos(0.5f * static_cast<float>(frame));
        SpherePush push{{0, distance, 0}, sphere_radius, sphere_squares, stride};
        const Found none{};
        sums.write(0, &none, sizeof none);
        move.run(push, used.at(frame - 1), written.at(frame));
        if (frame == 4) {
            CopyWatch::copied = 0;
            dispatched = CopyWatch::dispatches;
        }
        NEED(batch.submit({written.at(frame)}, {answered.at(frame)}));
        use.run(&push, answered.at(frame), used.at(frame), [&](VkCommandBuffer commands) {
            vkCmdDispatchIndirect(commands, records.buffer, offsetof(PrxOutputHead, dispatch));
        });
        engine.wait(used.semaphore, frame);
        NEED(batch.wait());
        Found found{};
        sums.read(0, &found, sizeof found);
        const PrxOutputHead head = NEED(batch.output_result(touching));
        CHECK_EQ(head.count, head.written);
        CHECK_EQ(found.taken, head.written);
        CHECK_EQ(found.status, 0u);
        CHECK_EQ(found.off_sphere, 0u);
        CHECK_EQ(found.taken > 0, distance < sphere_radius + 1);
        const double error = NEED(field.info()).error, depth = std::max(0.0, double{sphere_radius} + 1 - distance);
        CHECK_NEAR(1e-6 * found.deepest, depth, error + 3e-4);
        CHECK_EQ(batch.read(touching).status(), PRX_STATUS_WRONG_STATE);
        // Vertex 0 is drawn from the corner (1, -1, -1) of the cube.
        const double aside = sphere_radius / std::sqrt(3.0), exact = std::hypot(aside, distance - aside, aside) - 1;
        const PrxSample first = NEED(batch.read(sampled))[0];
        CHECK((first.lower <= exact + 1e-6 && exact - 1e-6 <= first.upper));
    }
    // Once everything is there, nothing is copied, and the commands of the last frame are submitted as they are.
    CHECK_EQ(CopyWatch::copied, std::uint64_t{0});
    CHECK_EQ(CopyWatch::dispatches, dispatched);
    CHECK_EQ(CopyWatch::copied_from_watched, std::uint64_t{0});
    CHECK_EQ(CopyWatch::maps_of_watched, std::uint64_t{0});
}

/// Keeps the engine's submissions and those of Proxel's threads apart.
struct QueueGuard {
    std::mutex mutex;
    static void lock(void* guard) { static_cast<QueueGuard*>(guard)->mutex.lock(); }
    static void unlock(void* guard) { static_cast<QueueGuard*>(guard)->mutex.unlock(); }
};

/// Frames in which the engine's kernel moves a sphere into a block and out again: when the submission's signal comes, and before anybody has
/// waited for the batch, the triangles that meet are in the engine's buffer.
void the_engine_gets_the_pairs(Engine& engine, const proxel::Context& context) {
    constexpr std::uint32_t room = 4096, stride = 3;
    constexpr VkBufferUsageFlags copied = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    constexpr std::uint64_t bytes = sizeof(PrxOutputHead) + room * sizeof(PrxPairRecord);
    DeviceBuffer positions(engine, std::uint64_t{4} * stride * sphere_vertices);
    EngineBuffer records(engine, bytes, copied);
    SphereKernel move(engine, positions.buffer);
    Timeline written{engine}, answered{engine};
    const std::vector<std::uint32_t> indices = grid_triangles(sphere_squares);
    PrxMeshDef def = proxel::mesh_def({}, indices, "written by the engine's kernel");
    def.vertex_count = sphere_vertices;
    def.flags = PRX_MESH_DEFORMING;
    def.vk_buffer = reinterpret_cast<std::uint64_t>(positions.buffer);
    def.vk_buffer_stride = std::uint64_t{4} * stride;
    const proxel::Mesh sphere = NEED(context.mesh(def));
    const Shape block = cube(2, -1);
    const proxel::Mesh box = NEED(context.mesh(block.positions, block.triangles));
    proxel::Batch batch = NEED(context.batch());
    const auto meeting = NEED(batch.pairs(sphere, box));
    const PrxBufferOutput output = proxel::buffer_output<PrxPairRecord>(
        reinterpret_cast<std::uint64_t>(records.buffer), bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | copied, room);
    NEED(batch.output(meeting, output));
    for (std::uint64_t frame = 1; frame <= 12; ++frame) {
        const float distance = frame % 3 == 0 ? 1.9f : 1.75f - 0.01f * static_cast<float>(frame);
        move.run({{0, distance, 0}, sphere_radius, sphere_squares, stride}, answered.at(frame - 1), written.at(frame));
        NEED(batch.submit({written.at(frame)}, {answered.at(frame)}));
        engine.wait(answered.semaphore, frame);
        PrxOutputHead head{};
        records.read(0, &head, sizeof head);
        REQUIRE(head.written <= room);
        std::vector<PrxPairRecord> found(head.written);
        records.read(sizeof head, found.data(), found.size() * sizeof(PrxPairRecord));
        NEED(batch.wait());
        const std::vector<PrxPair> pairs = NEED(batch.read(meeting));
        CHECK_EQ(head.count, pairs.size());
        CHECK_EQ(found.size(), pairs.size());
        CHECK_EQ(pairs.empty(), distance > sphere_radius + 1);
        for (std::size_t i = 0; i < std::min(found.size(), pairs.size()); ++i) {
            CHECK_EQ(found[i].triangle_a, pairs[i].triangle_a);
            CHECK_EQ(found[i].triangle_b, pairs[i].triangle_b);
            CHECK_EQ(found[i].distance, 0.0f);
            // On the block's upper side.
            CHECK_NEAR(found[i].point_a[1], 1.0, 1e-6);
        }
        CHECK_EQ(NEED(batch.output_result(meeting)).count, head.count);
    }
}

/// What must be there after a query of positions that are no numbers: an answer, or a status with a message; never a wait without end.
template <typename T>
void check_ended(const proxel::Result<T>& result) {
    CHECK_MESSAGE((result.ok() || !result.message().empty()), prx_status_name(result.status()));
    CHECK(result.status() != PRX_STATUS_DEVICE_LOST);
}

/// A mesh that the engine's kernel fills with what are no numbers, in a context with a field and a box.
struct Nonsense {
    static constexpr std::uint32_t squares = 12, stride = 3, vertices = 6 * (squares + 1) * (squares + 1);
    Witness witness;
    Engine engine;
    DeviceBuffer buffer{engine, std::uint64_t{4} * stride * vertices};
    SphereKernel kernel{engine, buffer.buffer};
    Timeline written{engine};
    std::uint64_t writes = 0;
    proxel::Context context = NEED(proxel::Context::adopt(engine.handover(), witness.def()));
    PrxFieldDef field_def = coarse();
    proxel::Field field = NEED(context.field_from_shape(prx_shape_default(), field_def));
    std::vector<std::uint32_t> indices = grid_triangles(squares);
    proxel::Mesh mesh = NEED(context.mesh(mesh_def()));
    Shape block = cube(2, -1);
    proxel::Mesh box = NEED(context.mesh(block.positions, block.triangles));

    Nonsense() { NEED(field.wait()); }

    static PrxFieldDef coarse() {
        PrxFieldDef def = prx_field_def_default();
        def.resolution = 24;
        return def;
    }
    PrxMeshDef mesh_def() const {
        PrxMeshDef def = proxel::mesh_def({}, indices, "not numbers");
        def.vertex_count = vertices;
        def.flags = PRX_MESH_DEFORMING;
        def.vk_buffer = reinterpret_cast<std::uint64_t>(buffer.buffer);
        def.vk_buffer_stride = std::uint64_t{4} * stride;
        return def;
    }
    /// When the kernel has written a sphere; whoever reads it waits for that.
    PrxTimelinePoint write(float centre, float radius) {
        kernel.run({{centre, 0, 0}, radius, squares, stride}, written.at(writes), written.at(writes + 1));
        return written.at(++writes);
    }
};

void fields_and_rays_end(const Nonsense& n) {
    for (const PrxSamplingPath path : {PRX_SAMPLING_PATH_COMPUTE, PRX_SAMPLING_PATH_THREE_PASS, PRX_SAMPLING_PATH_BINNED}) {
        PrxProximityDef near = prx_proximity_def_default();
        PrxPenaltyDef forces = prx_penalty_def_default();
        near.path = forces.path = path;
        check_ended(n.context.proximity(n.field, n.mesh, near));
        check_ended(n.context.penalty(n.field, n.mesh, forces));
    }
    for (const PrxGenerator generator : {PRX_GENERATOR_COMPUTE, PRX_GENERATOR_LISTS, PRX_GENERATOR_STENCIL}) {
        PrxLdiDef rays = prx_ldi_def_default();
        rays.generator = generator;
        check_ended(n.context.intersection_volume(n.mesh, n.box, rays));
    }
    check_ended(n.context.contains(n.mesh, std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}}));
}

void contacts_end(const Nonsense& n) {
    const PrxBody soft = proxel::body(n.mesh), ball = proxel::body(n.field);
    check_ended(n.context.contacts(ball, soft));
    PrxSoftContactsDef def = prx_soft_contacts_def_default();
    def.sampling = PRX_CONTACT_SAMPLING_ALL;
    def.stiffness = 1;
    check_ended(n.context.soft_contacts(soft, std::vector<PrxBody>{ball}, def));
    proxel::Scene scene = NEED(n.context.scene());
    auto added = scene.add(soft);
    check_ended(added);
    NEED(scene.add(ball));
    check_ended(scene.contacts());
}

/// Exact queries refuse them by name.
void exact_queries_end(const Nonsense& n) {
    PrxNearDef near = prx_near_def_default();
    near.thickness = 0.1;
    CHECK_REFUSED(n.context.near_pairs_self(n.mesh, near), PRX_STATUS_INVALID_ARGUMENT, "positions must be finite");
    CHECK_REFUSED(n.context.near_pairs(n.box, n.mesh, near), PRX_STATUS_INVALID_ARGUMENT, "positions must be finite");
    CHECK_REFUSED(n.context.impacts(n.box, n.box, n.mesh, n.mesh), PRX_STATUS_INVALID_ARGUMENT, "positions must be finite");
    CHECK_REFUSED(n.context.free_step_self(n.mesh, n.mesh), PRX_STATUS_INVALID_ARGUMENT, "positions must be finite");
    CHECK_REFUSED(n.context.safe_distances_self(n.mesh, near), PRX_STATUS_INVALID_ARGUMENT, "positions must be finite");
}

void live_fields_end(const Nonsense& n) {
    auto live = n.context.live_field(n.mesh, 0.3f, n.field_def);
    check_ended(live);
    if (!live.ok()) return;
    proxel::Batch batch = NEED(n.context.batch());
    NEED(batch.rebake(live.value()));
    const auto sampled = NEED(batch.sample(live.value(), std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}}));
    const auto near = NEED(batch.proximity(live.value(), n.box));
    const std::vector<PrxBody> bodies{proxel::body(live.value())};
    auto touching = batch.contacts(bodies[0], proxel::body(n.box));
    auto soft = batch.soft_contacts(proxel::body(n.box), bodies);
    NEED(batch.submit());
    NEED(batch.wait());
    check_ended(batch.read(sampled));
    check_ended(batch.read(near));
    if (touching.ok()) check_ended(batch.read(touching.value()));
    if (soft.ok()) check_ended(batch.read(soft.value()));
}

void every_query_ends(Nonsense& n, float centre, float radius) {
    CAPTURE(centre);
    CAPTURE(radius);
    const PrxTimelinePoint done = n.write(centre, radius);
    proxel::Batch batch = NEED(n.context.batch());
    const auto bounds = NEED(batch.bounds(n.mesh));
    const auto clusters = NEED(batch.clusters(n.mesh));
    const auto overlap = NEED(batch.overlap(n.field, n.mesh));
    const auto gradients = NEED(batch.intersection_gradients(n.mesh, n.box));
    NEED(batch.submit({done}));
    NEED(batch.wait());
    check_ended(batch.read(bounds));
    check_ended(batch.read(clusters));
    check_ended(batch.read(overlap));
    check_ended(batch.read(gradients));
    fields_and_rays_end(n);
    contacts_end(n);
    exact_queries_end(n);
    live_fields_end(n);
}

}  // namespace

TEST_CASE("zero copy") {
    Witness witness;
    Engine engine;
    PrxVulkanDevice device = engine.handover();
    device.get_instance_proc_addr = reinterpret_cast<PrxGetInstanceProcAddr>(&CopyWatch::instance_proc);
    const proxel::Context context = NEED(proxel::Context::adopt(device, witness.def()));
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 48;
    const proxel::Field field = NEED(context.field_from_shape(prx_shape_default(), def));
    NEED(field.wait());
    for (std::uint32_t stride : {3u, 8u}) proxel_answers_from_the_engines_memory(engine, context, field, stride);
    the_engine_takes_the_contacts(engine, context, field);
}

TEST_CASE("pairs in the engine's buffer") {
    Witness witness;
    Engine engine;
    QueueGuard guard;
    PrxVulkanDevice device = engine.handover();
    device.lock_queue = &QueueGuard::lock;
    device.unlock_queue = &QueueGuard::unlock;
    device.queue_user = &guard;
    const proxel::Context context = NEED(proxel::Context::adopt(device, witness.def()));
    the_engine_gets_the_pairs(engine, context);
}

TEST_CASE("pairs in the engine's buffer need its lock") {
    Witness witness;
    Engine engine;
    const proxel::Context context = NEED(proxel::Context::adopt(engine.handover(), witness.def()));
    const Shape block = cube(2, -1);
    const proxel::Mesh a = NEED(context.mesh(block.positions, block.triangles)), b = NEED(context.mesh(block.positions, block.triangles));
    EngineBuffer records(engine, 4096, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    proxel::Batch batch = NEED(context.batch());
    const auto meeting = NEED(batch.pairs(a, b));
    const PrxBufferOutput output = proxel::buffer_output<PrxPairRecord>(reinterpret_cast<std::uint64_t>(records.buffer), 4096, 0x22, 10);
    const auto refused = batch.output(meeting, output);
    CHECK_EQ(refused.status(), PRX_STATUS_UNSUPPORTED);
    CHECK_MESSAGE(refused.message().find("lock_queue") != std::string::npos, refused.message());
}

TEST_CASE("positions that are no numbers") {
    const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    Nonsense nonsense;
    every_query_ends(nonsense, 0, nan);
    every_query_ends(nonsense, nan, 1);
    every_query_ends(nonsense, infinity, 1);
    every_query_ends(nonsense, 0, infinity);
    every_query_ends(nonsense, 0, 3e38f);
}
