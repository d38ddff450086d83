// What debuggers and profilers see of Proxel on an engine's device: a name for each object, a label around the commands of each query, and
// the time that each took.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <type_traits>

#include "engine.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

/// Stands between Proxel and the driver, and writes down what is created, named and labelled.
struct NameWatch {
    static inline std::mutex mutex;
    /// Names of objects, by type and handle.
    static inline std::map<std::pair<VkObjectType, std::uint64_t>, std::string> names;
    /// Objects that were created, by their type.
    static inline std::multimap<VkObjectType, std::uint64_t> created;
    static inline std::vector<std::string> labels;
    static inline int open = 0, dispatches = 0, unlabelled = 0, timestamps = 0;
    static inline PFN_vkGetDeviceProcAddr real_device_proc = nullptr;
    static inline PFN_vkSetDebugUtilsObjectNameEXT real_name = nullptr;
    static inline PFN_vkCmdBeginDebugUtilsLabelEXT real_begin = nullptr;
    static inline PFN_vkCmdEndDebugUtilsLabelEXT real_end = nullptr;
    static inline PFN_vkCmdDispatch real_dispatch = nullptr;
    static inline PFN_vkCmdWriteTimestamp real_timestamp = nullptr;

    static void forget() {
        names.clear();
        created.clear();
        labels.clear();
        open = dispatches = unlabelled = timestamps = 0;
    }
    static VKAPI_ATTR VkResult VKAPI_CALL name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
        {
            std::lock_guard<std::mutex> lock(mutex);
            names[{info->objectType, info->objectHandle}] = info->pObjectName;
        }
        return real_name(device, info);
    }
    static VKAPI_ATTR void VKAPI_CALL begin(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* label) {
        ++open;
        labels.push_back(label->pLabelName);
        real_begin(commands, label);
    }
    static VKAPI_ATTR void VKAPI_CALL end(VkCommandBuffer commands) {
        --open;
        real_end(commands);
    }
    static VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer commands, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        ++dispatches;
        unlabelled += open != 1;
        real_dispatch(commands, x, y, z);
    }
    static VKAPI_ATTR void VKAPI_CALL timestamp(VkCommandBuffer commands, VkPipelineStageFlagBits stage, VkQueryPool pool,
                                                std::uint32_t query) {
        ++timestamps;
        real_timestamp(commands, stage, pool, query);
    }

    /// A function that creates one object, with the handle last.
    template <VkObjectType type, typename Function>
    struct Creation;
    template <VkObjectType type, typename Info, typename Handle>
    struct Creation<type, VkResult(VKAPI_PTR*)(VkDevice, const Info*, const VkAllocationCallbacks*, Handle*)> {
        static inline VkResult(VKAPI_PTR* real)(VkDevice, const Info*, const VkAllocationCallbacks*, Handle*) = nullptr;
        static VKAPI_ATTR VkResult VKAPI_CALL call(VkDevice device, const Info* info, const VkAllocationCallbacks* callbacks, Handle* out) {
            const VkResult result = real(device, info, callbacks, out);
            std::lock_guard<std::mutex> lock(mutex);
            if (result == VK_SUCCESS) created.emplace(type, reinterpret_cast<std::uint64_t>(*out));
            return result;
        }
    };
    static inline PFN_vkCreateComputePipelines real_pipelines = nullptr;
    static VKAPI_ATTR VkResult VKAPI_CALL pipelines(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                                    const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* callbacks,
                                                    VkPipeline* out) {
        const VkResult result = real_pipelines(device, cache, count, infos, callbacks, out);
        std::lock_guard<std::mutex> lock(mutex);
        if (result == VK_SUCCESS) created.emplace(VK_OBJECT_TYPE_PIPELINE, reinterpret_cast<std::uint64_t>(*out));
        return result;
    }

    static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char* asked) {
        PFN_vkVoidFunction function = real_device_proc(device, asked);
        const auto watch = [&](const char* watched, auto& real, auto* own) {
            if (function == nullptr || std::strcmp(asked, watched) != 0) return;
            real = reinterpret_cast<std::remove_reference_t<decltype(real)>>(function);
            function = reinterpret_cast<PFN_vkVoidFunction>(own);
        };
        watch("vkSetDebugUtilsObjectNameEXT", real_name, &name);
        watch("vkCmdBeginDebugUtilsLabelEXT", real_begin, &begin);
        watch("vkCmdEndDebugUtilsLabelEXT", real_end, &end);
        watch("vkCmdDispatch", real_dispatch, &dispatch);
        watch("vkCmdWriteTimestamp", real_timestamp, &timestamp);
        watch("vkCreateComputePipelines", real_pipelines, &pipelines);
#define CREATES(what, type)                                                                                  \
    watch("vkCreate" #what, Creation<VK_OBJECT_TYPE_##type, PFN_vkCreate##what>::real,                       \
          &Creation<VK_OBJECT_TYPE_##type, PFN_vkCreate##what>::call);
        CREATES(Buffer, BUFFER)
        CREATES(BufferView, BUFFER_VIEW)
        CREATES(Image, IMAGE)
        CREATES(ImageView, IMAGE_VIEW)
        CREATES(Sampler, SAMPLER)
        CREATES(Semaphore, SEMAPHORE)
        CREATES(CommandPool, COMMAND_POOL)
        CREATES(DescriptorPool, DESCRIPTOR_POOL)
        CREATES(QueryPool, QUERY_POOL)
        CREATES(DescriptorSetLayout, DESCRIPTOR_SET_LAYOUT)
        CREATES(PipelineLayout, PIPELINE_LAYOUT)
        CREATES(PipelineCache, PIPELINE_CACHE)
        CREATES(RenderPass, RENDER_PASS)
        CREATES(Framebuffer, FRAMEBUFFER)
#undef CREATES
        return function;
    }
    /// Whether queues have no timestamps.
    static inline bool timeless = false;
    static VKAPI_ATTR void VKAPI_CALL families(VkPhysicalDevice device, std::uint32_t* count, VkQueueFamilyProperties* out) {
        vkGetPhysicalDeviceQueueFamilyProperties(device, count, out);
        for (std::uint32_t i = 0; timeless && out != nullptr && i < *count; ++i) out[i].timestampValidBits = 0;
    }
    static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance, const char* asked) {
        const PFN_vkVoidFunction real = vkGetInstanceProcAddr(instance, asked);
        if (std::strcmp(asked, "vkGetPhysicalDeviceQueueFamilyProperties") == 0) return reinterpret_cast<PFN_vkVoidFunction>(&families);
        if (std::strcmp(asked, "vkGetDeviceProcAddr") != 0) return real;
        real_device_proc = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(&device_proc);
    }
};

bool has_timestamps(const Engine& engine) {
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(engine.physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(engine.physical, &count, families.data());
    return families[engine.family].timestampValidBits > 0;
}

proxel::Context watched(const Engine& engine, Witness& witness, const std::vector<const char*>& enabled = {}) {
    NameWatch::forget();
    PrxVulkanDevice device = engine.handover();
    device.enabled_extensions = enabled.data();
    device.enabled_extension_count = static_cast<std::uint32_t>(enabled.size());
    device.get_instance_proc_addr = reinterpret_cast<PrxGetInstanceProcAddr>(&NameWatch::instance_proc);
    return NEED(proxel::Context::adopt(device, witness.def()));
}

/// Kernels, textures, passes that draw and copies, in a batch of three queries and at once.
struct Life {
    proxel::Mesh mesh;
    proxel::Field field;
    proxel::Batch batch;
    proxel::Ticket<PrxBounds> bounds;
    proxel::Ticket<PrxProximity> proximity;

    explicit Life(const proxel::Context& context) {
        const Shape shape = torus(32, 16);
        mesh = NEED(context.mesh(shape.positions, shape.triangles, "a ring"));
        PrxFieldDef def = prx_field_def_default();
        def.resolution = 16;
        field = NEED(context.field_from_shape(prx_shape_default(), def));
        NEED(field.wait());
        NEED(context.overlap(field, mesh));
        batch = NEED(context.batch());
        bounds = NEED(batch.bounds(mesh));
        proximity = NEED(batch.proximity(field, mesh));
    }
};

TEST_CASE("every object has a name, and the commands of every query a label") {
    Witness witness;
    const Engine engine({true, true, {VK_EXT_DEBUG_UTILS_EXTENSION_NAME}});
    const proxel::Context context = watched(engine, witness, {VK_EXT_DEBUG_UTILS_EXTENSION_NAME});
    Life life(context);
    NameWatch::labels.clear();
    NameWatch::dispatches = NameWatch::unlabelled = 0;
    NEED(life.batch.submit());
    NEED(life.batch.wait());
    for (const auto& [type, handle] : NameWatch::created) {
        const auto named = NameWatch::names.find({type, handle});
        CHECK_MESSAGE(named != NameWatch::names.end(), "an object of type ", type, " has no name");
        if (named == NameWatch::names.end()) continue;
        CHECK_MESSAGE(named->second.rfind("Proxel ", 0) == 0, named->second);
    }
    const auto created = [](VkObjectType type) { return NameWatch::created.count(type); };
    CHECK(created(VK_OBJECT_TYPE_BUFFER) > 4);
    CHECK(created(VK_OBJECT_TYPE_IMAGE) > 0);
    CHECK(created(VK_OBJECT_TYPE_PIPELINE) > 4);
    CHECK(created(VK_OBJECT_TYPE_FRAMEBUFFER) > 0);
    CHECK_EQ(created(VK_OBJECT_TYPE_SEMAPHORE), 1u);
    const auto& labels = NameWatch::labels;
    CHECK_EQ(std::count(labels.begin(), labels.end(), "Proxel bounds 1"), 1);
    CHECK(std::count(labels.begin(), labels.end(), "Proxel proximity 2") >= 1);
    CHECK(NameWatch::dispatches > 4);
    CHECK_EQ(NameWatch::unlabelled, 0);
    CHECK_EQ(NameWatch::open, 0);
    CHECK_EQ(NameWatch::timestamps, 0);
}

TEST_CASE("without the extension nothing is named") {
    Witness witness;
    const Engine engine;
    const proxel::Context context = watched(engine, witness);
    Life life(context);
    NEED(life.batch.submit());
    NEED(life.batch.wait());
    CHECK(NameWatch::dispatches > 4);
    CHECK(NameWatch::names.empty());
    CHECK(NameWatch::labels.empty());
}

TEST_CASE("times are refused by name where the queue has no timestamps") {
    Witness witness;
    const Engine engine;
    NameWatch::timeless = true;
    const proxel::Context context = watched(engine, witness);
    NameWatch::timeless = false;
    Life life(context);
    CHECK_REFUSED(life.batch.submit({}, {}, PRX_SUBMIT_TIMINGS), PRX_STATUS_UNSUPPORTED, "timestampValidBits");
    CHECK_REFUSED(life.batch.poll(), PRX_STATUS_WRONG_STATE, "not been submitted");
    NEED(life.batch.submit());
    NEED(life.batch.wait());
}

TEST_CASE("times are taken on request") {
    Witness witness;
    const Engine engine;
    const proxel::Context context = watched(engine, witness);
    Life life(context);
    CHECK_REFUSED(life.batch.timings(), PRX_STATUS_WRONG_STATE, "submitted");
    const proxel::Result<void> submitted = life.batch.submit({}, {}, PRX_SUBMIT_TIMINGS);
    if (!has_timestamps(engine)) {
        CHECK_REFUSED(submitted, PRX_STATUS_UNSUPPORTED, "timestampValidBits");
        return;
    }
    NEED(life.batch.wait());
    CHECK(NameWatch::timestamps > 2);
    const std::vector<PrxTiming> timings = NEED(life.batch.timings());
    CHECK_EQ(timings.size(), 3u);
    CHECK_EQ(timings[0].ticket.id, 0u);
    CHECK_EQ(timings[1].ticket.id, life.bounds.handle.id);
    CHECK_EQ(timings[2].ticket.id, life.proximity.handle.id);
    double sum = 0;
    for (const PrxTiming& timing : timings) {
        CHECK_EQ(timing.clock, std::uint32_t{PRX_CLOCK_DEVICE});
        CHECK(timing.seconds >= 0.0);
        sum += timing.seconds;
    }
    CHECK(sum > 0.0);
    CHECK_REFUSED(life.batch.submit({}, {}, 2), PRX_STATUS_INVALID_ARGUMENT, "PRX_SUBMIT_TIMINGS");
    NEED(life.batch.submit());
    NEED(life.batch.wait());
    CHECK_REFUSED(life.batch.timings(), PRX_STATUS_WRONG_STATE, "PRX_SUBMIT_TIMINGS");
}

}  // namespace
