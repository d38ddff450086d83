// The library as a Unity plugin: loaded by its path, handed tables of functions, on the device of an engine that plays Unity.
#ifndef _WIN32
#include <malloc.h>
#endif

#include <algorithm>
#include <atomic>
#include <iostream>
#include <limits>
#include <optional>
#include <thread>

#include "dynamic_library.hpp"
#include "faulty_vulkan.hpp"
#include "shapes.hpp"
#include "unity_engine.hpp"

using namespace test;

namespace {

/// The library, and what the test calls of it. Nothing is linked.
class Plugin {
public:
    Plugin() : library_(PROXEL_LIBRARY) {
        library_.get("UnityPluginLoad", load);
        library_.get("UnityPluginUnload", unload);
        library_.get("prx_unity_context_create", create);
        library_.get("prx_context_destroy", destroy);
        library_.get("prx_context_info", info);
        library_.get("prx_mesh_def_default", mesh_def);
        library_.get("prx_mesh_create", mesh);
        library_.get("prx_mesh_bounds", bounds);
        library_.get("prx_last_error", last_error);
        library_.get("prx_submit_def_default", submit_def);
        library_.get("prx_batch_create", batch);
        library_.get("prx_batch_bounds", batch_bounds);
        library_.get("prx_batch_submit", batch_submit);
        library_.get("prx_batch_poll", batch_poll);
        library_.get("prx_batch_wait", batch_wait);
        library_.get("prx_batch_destroy", batch_destroy);
    }

    /// A box of a cube from 0 to 1, whose answer is known; the status of the first call that failed.
    PrxStatus ask(PrxContext* context) const {
        PrxMesh made{};
        if (const PrxStatus status = cube_on(context, made)) return status;
        PrxBounds box{};
        if (const PrxStatus status = bounds(context, made, nullptr, &box)) return status;
        for (int axis = 0; axis < 3; ++axis) {
            CHECK_EQ(box.min[axis], 0.0f);
            CHECK_EQ(box.max[axis], 1.0f);
        }
        return PRX_STATUS_OK;
    }

    PrxStatus cube_on(PrxContext* context, PrxMesh& made) const {
        const Shape shape = cube();
        PrxMeshDef def = mesh_def();
        def.vertex_count = 8;
        def.triangle_count = 12;
        def.positions = shape.positions.data();
        def.indices = shape.triangles.data();
        return mesh(context, &def, &made);
    }

    /// A batch that the device has and cannot end before the gate is opened.
    PrxBatch* in_flight(PrxContext* context, VkSemaphore gate) const {
        PrxMesh made{};
        CHECK_EQ(cube_on(context, made), PRX_STATUS_OK);
        PrxBatch* flying = nullptr;
        CHECK_EQ(batch(context, &flying), PRX_STATUS_OK);
        PrxTicket ticket{};
        CHECK_EQ(batch_bounds(flying, made, nullptr, &ticket), PRX_STATUS_OK);
        const PrxTimelinePoint opened{reinterpret_cast<std::uint64_t>(gate), 1};
        PrxSubmitDef submit = submit_def();
        submit.wait_count = 1;
        submit.waits = &opened;
        CHECK_EQ(batch_submit(flying, &submit), PRX_STATUS_OK);
        return flying;
    }

    PrxContext* context() const {
        PrxContext* made = nullptr;
        const PrxStatus status = create(nullptr, &made);
        CHECK_MESSAGE(status == PRX_STATUS_OK, "a context on Unity's device: ", last_error(nullptr));
        return made;
    }

    void refuses(PrxStatus expected, const char* part) const {
        PrxContext* made = nullptr;
        const PrxStatus status = create(nullptr, &made);
        const std::string sentence = last_error(nullptr);
        CHECK_EQ(status, expected);
        CHECK_MESSAGE(contains(sentence, part), sentence, " should have \"", part, "\"");
        CHECK_EQ(made, nullptr);
    }

    void (*load)(const void*) = nullptr;
    void (*unload)() = nullptr;
    decltype(&prx_unity_context_create) create = nullptr;
    decltype(&prx_context_destroy) destroy = nullptr;
    decltype(&prx_context_info) info = nullptr;
    decltype(&prx_mesh_def_default) mesh_def = nullptr;
    decltype(&prx_mesh_create) mesh = nullptr;
    decltype(&prx_mesh_bounds) bounds = nullptr;
    decltype(&prx_last_error) last_error = nullptr;
    decltype(&prx_submit_def_default) submit_def = nullptr;
    decltype(&prx_batch_create) batch = nullptr;
    decltype(&prx_batch_bounds) batch_bounds = nullptr;
    decltype(&prx_batch_submit) batch_submit = nullptr;
    decltype(&prx_batch_poll) batch_poll = nullptr;
    decltype(&prx_batch_wait) batch_wait = nullptr;
    decltype(&prx_batch_destroy) batch_destroy = nullptr;

private:
    DynamicLibrary library_;
};

/// A plugin that Unity has loaded and will unload.
struct Loaded : Plugin {
    explicit Loaded(unity::Habits habits = {}) {
        unity::habits = habits;
        load(&unity::interfaces);
    }
    ~Loaded() {
        unload();
        CHECK(unity::listeners.empty());
        CHECK((unity::interceptors.empty() || !unity::habits.second_version));
        unity::interceptors.clear();
    }
};

void queries_run_on_unitys_device(unity::Habits habits) {
    Loaded plugin(habits);
    unity::GraphicsDevice engine;
    PrxContext* context = plugin.context();
    PrxContextInfo info{};
    info.size = sizeof info;
    CHECK_EQ(plugin.info(context, &info), PRX_STATUS_OK);
    CHECK_EQ(info.adopted, 1u);
    CHECK_EQ(std::string(info.device_name), std::string(engine.properties.deviceName));
    CHECK(info.api_version >= VK_API_VERSION_1_2);
    CHECK_EQ(info.robust_buffer_access, 0u);
    CHECK_EQ(plugin.ask(context), PRX_STATUS_OK);

    // The render thread goes on; the validation layer would tell of two threads on one queue.
    std::atomic<bool> stop{false};
    std::thread renderer([&] {
        while (!stop) engine.submit();
        engine.wait();
    });
    for (int i = 0; i < 20; ++i) CHECK_EQ(plugin.ask(context), PRX_STATUS_OK);
    stop = true;
    renderer.join();
    CHECK_EQ(plugin.destroy(context), PRX_STATUS_OK);
}

TEST_CASE("queries run on Unity's device") {
    queries_run_on_unitys_device({});
    unity::Habits first_version;
    first_version.second_version = false;
    first_version.api_version = VK_API_VERSION_1_0;
    queries_run_on_unitys_device(first_version);
}

TEST_CASE("chains of features are left as they were") {
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
    timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
    VkPhysicalDeviceVulkan12Features all{};
    all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    VkPhysicalDeviceFeatures2 core{};
    core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    core.features.robustBufferAccess = VK_TRUE;
    for (void* second : {static_cast<void*>(&timeline), static_cast<void*>(&all)}) {
        core.pNext = second;
        unity::Habits habits;
        habits.api_version = VK_API_VERSION_1_2;
        habits.chain = &core;
        Loaded plugin(habits);
        unity::GraphicsDevice engine;
        CHECK(core.pNext == second);
        CHECK_EQ(timeline.timelineSemaphore, 0u);
        CHECK_EQ(all.timelineSemaphore, 0u);
        PrxContext* context = plugin.context();
        PrxContextInfo info{};
        info.size = sizeof info;
        CHECK_EQ(plugin.info(context, &info), PRX_STATUS_OK);
        CHECK_EQ(info.robust_buffer_access, 1u);
        CHECK_EQ(plugin.ask(context), PRX_STATUS_OK);
    }
}

TEST_CASE("what is amiss is told") {
    {
        Plugin plugin;
        plugin.refuses(PRX_STATUS_WRONG_STATE, "UnityPluginLoad was not called");
        plugin.load(nullptr);
        plugin.refuses(PRX_STATUS_WRONG_STATE, "UnityPluginLoad was not called");
        const unity::Interfaces empty{};
        plugin.load(&empty);
        plugin.refuses(PRX_STATUS_WRONG_STATE, "UnityPluginLoad was not called");
        plugin.unload();
        plugin.unload();
    }
    {
        unity::Habits habits;
        habits.renderer = unity::OpenGl;
        Loaded plugin(habits);
        plugin.refuses(PRX_STATUS_UNSUPPORTED, "its renderer is number 17");
    }
    {
        Loaded plugin;
        plugin.refuses(PRX_STATUS_WRONG_STATE, "Unity has no device now");
    }
    unity::GraphicsDevice engine;
    Loaded late;
    late.refuses(PRX_STATUS_UNSUPPORTED, "Load on startup");
    engine.submit();
    engine.wait();
}

/// A loader whose device has no timeline semaphores, or which is too old.
bool hide_timelines = false;
PFN_vkVoidFunction VKAPI_CALL old_loader(VkInstance instance, const char* name) {
    static PFN_vkGetPhysicalDeviceFeatures2 features = nullptr;
    if (std::strcmp(name, "vkGetPhysicalDeviceFeatures2") == 0 && hide_timelines) {
        features = reinterpret_cast<PFN_vkGetPhysicalDeviceFeatures2>(vkGetInstanceProcAddr(instance, name));
        return reinterpret_cast<PFN_vkVoidFunction>(
            +[](VkPhysicalDevice physical, VkPhysicalDeviceFeatures2* out) {
                features(physical, out);
                for (auto* next = static_cast<VkBaseOutStructure*>(out->pNext); next != nullptr; next = next->pNext)
                    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES)
                        reinterpret_cast<VkPhysicalDeviceTimelineSemaphoreFeatures*>(next)->timelineSemaphore = VK_FALSE;
            });
    }
    if (std::strcmp(name, "vkEnumerateInstanceVersion") == 0 && !hide_timelines)
        return reinterpret_cast<PFN_vkVoidFunction>(+[](std::uint32_t* version) { return *version = VK_API_VERSION_1_1, VK_SUCCESS; });
    return vkGetInstanceProcAddr(instance, name);
}

TEST_CASE("a device that is too old is told; timeline semaphores are not needed") {
    for (const bool hidden : {true, false}) {
        hide_timelines = hidden;
        unity::Habits habits;
        habits.loader = old_loader;
        Loaded plugin(habits);
        unity::GraphicsDevice engine;
        if (hidden) {
            PrxContext* context = plugin.context();
            CHECK_EQ(plugin.ask(context), PRX_STATUS_OK);
            CHECK_EQ(plugin.destroy(context), PRX_STATUS_OK);
        } else {
            plugin.refuses(PRX_STATUS_UNSUPPORTED, "Vulkan 1.2");
        }
        engine.submit();
        engine.wait();
    }
}

TEST_CASE("the device may go first") {
    Loaded plugin;
    PrxContext *told = nullptr, *untold = nullptr;
    {
        unity::GraphicsDevice engine;
        told = plugin.context();
        CHECK_EQ(plugin.ask(told), PRX_STATUS_OK);
        engine.shut_down();
        CHECK_EQ(plugin.ask(told), PRX_STATUS_INVALID_HANDLE);
        CHECK(contains(plugin.last_error(told), "destroyed"));
        plugin.refuses(PRX_STATUS_WRONG_STATE, "Unity has no device now");
    }
    {
        unity::GraphicsDevice engine;
        untold = plugin.context();
        CHECK(untold != told);
        CHECK_EQ(plugin.ask(untold), PRX_STATUS_OK);
        engine.destroy_without_a_word();
        CHECK_EQ(plugin.ask(untold), PRX_STATUS_INVALID_HANDLE);
    }
    unity::GraphicsDevice again;
    CHECK_EQ(plugin.ask(plugin.context()), PRX_STATUS_OK);
    CHECK_EQ(plugin.ask(told), PRX_STATUS_INVALID_HANDLE);
    CHECK_EQ(plugin.destroy(untold), PRX_STATUS_INVALID_HANDLE);
}

TEST_CASE("a lost device is told") {
    faulty::real_loader = vkGetInstanceProcAddr;
    unity::Habits habits;
    habits.loader = faulty::loader;
    Loaded plugin(habits);
    unity::GraphicsDevice engine;
    PrxContext* context = plugin.context();
    CHECK_EQ(plugin.ask(context), PRX_STATUS_OK);
    faulty::expect({"vkQueueSubmit", 1, VK_ERROR_DEVICE_LOST});
    CHECK_EQ(plugin.ask(context), PRX_STATUS_DEVICE_LOST);
    CHECK(contains(plugin.last_error(context), "lost"));
    CHECK_EQ(plugin.ask(context), PRX_STATUS_DEVICE_LOST);
    faulty::expect({});
    PrxContext* fresh = plugin.context();
    CHECK_EQ(plugin.ask(fresh), PRX_STATUS_OK);
}

/// Unloaded while Unity's device is alive: what Unity got from the library still works.
TEST_CASE("unloading too early does no harm") {
    std::vector<unity::GraphicsDevice*> device;
    {
        Loaded plugin;
        device.push_back(new unity::GraphicsDevice);
        CHECK_EQ(plugin.ask(plugin.context()), PRX_STATUS_OK);
    }
    device[0]->submit();
    device[0]->wait();
    delete device[0];
}

/// The end comes on a thread of Unity's while a batch is on the device and another thread waits for it. The contexts are gone for everyone at once;
/// the call of the end returns when the work has ended, and so does the waiter's.
void a_batch_is_in_flight_at_the_end(bool unloaded) {
    Loaded plugin;
    unity::GraphicsDevice engine;
    PrxContext* context = plugin.context();
    const VkSemaphore gate = engine.gate();
    PrxBatch *batch = plugin.in_flight(context, gate), *nobodys = plugin.in_flight(context, gate);
    std::uint32_t done = 1;
    CHECK_EQ(plugin.batch_poll(batch, &done), PRX_STATUS_OK);
    CHECK_EQ(done, 0u);
    std::atomic<bool> ended{false};
    PrxStatus waited = PRX_STATUS_INTERNAL;
    std::thread waiter([&] { waited = plugin.batch_wait(batch, UINT64_MAX); });
    std::thread end([&] {
        if (unloaded) plugin.unload();
        else engine.announce_end();
        ended = true;
    });
    PrxContextInfo info{};
    info.size = sizeof info;
    while (plugin.info(context, &info) == PRX_STATUS_OK) std::this_thread::yield();
    CHECK(!ended);
    engine.open(gate);
    waiter.join();
    end.join();
    // Who came before the end has the answer, who came after it is refused.
    CHECK((waited == PRX_STATUS_OK || waited == PRX_STATUS_INVALID_HANDLE));
    CHECK_EQ(plugin.batch_wait(nobodys, 0), PRX_STATUS_INVALID_HANDLE);
    CHECK_EQ(plugin.batch_destroy(nobodys), PRX_STATUS_INVALID_HANDLE);
    engine.destroy(gate);
    engine.submit();
    engine.wait();
}

TEST_CASE("the device goes during a batch") { a_batch_is_in_flight_at_the_end(false); }
TEST_CASE("the plugin is unloaded during a batch") { a_batch_is_in_flight_at_the_end(true); }

#ifndef _WIN32

/// Bytes that the program has allocated and not freed.
std::size_t allocated() { return mallinfo2().uordblks; }

/// From loading to unloading, with a device in between, on a thread of its own.
void one_life(bool with_plugin) {
    unity::habits = {};
    std::optional<Plugin> plugin;
    if (with_plugin) plugin.emplace();
    std::thread([&] {
        if (plugin) plugin->load(&unity::interfaces);
        {
            unity::GraphicsDevice engine;
            if (plugin) CHECK_EQ(plugin->ask(plugin->context()), PRX_STATUS_OK);
            engine.submit();
            engine.wait();
        }
        if (plugin) plugin->unload();
    }).join();
}

/// The least that is allocated after one of twenty lives. What a thread pool frees a little later swells some of them by kilobytes; a leak
/// raises the least too.
long long floor_of_lives(bool with_plugin) {
    long long least = std::numeric_limits<long long>::max();
    for (int life = 0; life < 20; ++life) {
        one_life(with_plugin);
        least = std::min(least, static_cast<long long>(allocated()));
    }
    return least;
}

/// By how much 160 lives grow the heap, after a few that fill caches.
long long growth(bool with_plugin) {
    for (int life = 0; life < 10; ++life) one_life(with_plugin);
    const long long before = floor_of_lives(with_plugin);
    for (int life = 0; life < 140; ++life) one_life(with_plugin);
    return floor_of_lives(with_plugin) - before;
}

// It measures memory, so scripts/test runs it by itself: the validation layer keeps some for every object.
TEST_CASE("lives leave nothing" * doctest::skip()) {
    const long long driver = growth(false), with_plugin = growth(true);
    std::cout << "160 lives leave " << with_plugin << " bytes, and " << driver << " without the plugin" << std::endl;
    CHECK_MESSAGE(with_plugin - driver < 2048, "160 lives left ", with_plugin - driver, " bytes more with the plugin than without");
}

#endif

}  // namespace
