// A context on the engine's device: its features, its queue, its buffers, its semaphores.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "engine.hpp"
#include "faulty_vulkan.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

/// Positions of `shape` in the engine's buffer.
proxel::Result<proxel::Mesh> mesh_in(const proxel::Context& context, EngineBuffer& buffer, const Shape& shape,
                                     std::uint64_t offset, std::uint64_t stride, std::uint32_t flags) {
    for (std::size_t i = 0; i < shape.positions.size(); ++i)
        buffer.write(offset + i * stride, &shape.positions[i], sizeof(Vec3));
    PrxMeshDef def = proxel::mesh_def({}, shape.triangles, "in the engine's buffer");
    def.vertex_count = static_cast<std::uint32_t>(shape.positions.size());
    def.flags = flags;
    def.vk_buffer = reinterpret_cast<std::uint64_t>(buffer.buffer);
    def.vk_buffer_offset = offset;
    def.vk_buffer_stride = stride;
    return context.mesh(def);
}

/// Positions that only the engine has are read back each time.
void exact_queries_follow(const Engine& engine) {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::adopt(engine.handover(), witness.def()));
    const Shape shape = cube();
    EngineBuffer buffer(engine, sizeof(Vec3) * shape.positions.size());
    proxel::Mesh still = NEED(context.mesh(shape.positions, shape.triangles));
    proxel::Mesh theirs = NEED(mesh_in(context, buffer, shape, 0, sizeof(Vec3), PRX_MESH_DEFORMING));
    for (float height : {4.0f, 2.0f, 9.0f}) {
        Shape now = shape;
        for (Vec3& p : now.positions) p.z += height;
        buffer.write(0, now.positions.data(), sizeof(Vec3) * now.positions.size());
        CHECK_EQ(NEED(context.distance(still, theirs)).distance, static_cast<double>(height) - 1.0);
        CHECK_EQ(NEED(theirs.self_pairs()).size(), 0u);
    }
}

TEST_CASE("exact queries follow the engine's buffer") {
    for (const bool timeline : {true, false}) exact_queries_follow(Engine({timeline, true}));
}

TEST_CASE("the paths are those the engine enabled") {
    Witness witness;
    Engine full;
    const PrxContextInfo all = NEED(NEED(proxel::Context::adopt(full.handover(), witness.def())).info());
    auto path = [](VkBool32 on) -> std::uint32_t { return on != VK_FALSE ? PRX_FEATURE_STATE_ON : PRX_FEATURE_STATE_UNAVAILABLE; };
    CHECK_EQ(all.adopted, 1u);
    CHECK_EQ(std::string(all.device_name), std::string(full.properties.deviceName));
    CHECK_EQ(all.api_version, VK_API_VERSION_1_2);
    CHECK_EQ(all.robust_buffer_access, full.offered.robustBufferAccess);
    CHECK_EQ(all.features.depth_bounds, path(full.offered.depthBounds));
    CHECK_EQ(all.features.geometry_shader, path(full.offered.geometryShader));
    CHECK_EQ(all.features.precise_occlusion, path(full.offered.occlusionQueryPrecise));
    CHECK_EQ(all.features.fragment_stores, path(full.offered.fragmentStoresAndAtomics));

    // What the device could do but was not created with is not there.
    Engine bare({true, false});
    const PrxContextInfo none = NEED(NEED(proxel::Context::adopt(bare.handover(), witness.def())).info());
    CHECK_EQ(none.robust_buffer_access, 0u);
    CHECK_EQ(none.features.depth_bounds, std::uint32_t{PRX_FEATURE_STATE_UNAVAILABLE});
    CHECK_EQ(none.features.geometry_shader, std::uint32_t{PRX_FEATURE_STATE_UNAVAILABLE});
    CHECK_EQ(none.features.precise_occlusion, std::uint32_t{PRX_FEATURE_STATE_UNAVAILABLE});
    CHECK_EQ(none.features.fragment_stores, std::uint32_t{PRX_FEATURE_STATE_UNAVAILABLE});
    CHECK_EQ(none.features.float_atomics, std::uint32_t{PRX_FEATURE_STATE_UNAVAILABLE});
    CHECK_EQ(none.features.conservative_rasterization, std::uint32_t{PRX_FEATURE_STATE_UNAVAILABLE});
}

TEST_CASE("what is missing is told by name") {
    Witness witness;
    Engine engine;
    auto refuses = [&](auto change, PrxStatus status, const char* part) {
        PrxVulkanDevice device = engine.handover();
        change(device);
        CHECK_REFUSED(proxel::Context::adopt(device, witness.def()), status, part);
    };
    refuses([](PrxVulkanDevice& d) { d.api_version = VK_API_VERSION_1_1; }, PRX_STATUS_UNSUPPORTED, "Vulkan 1.2");
    refuses([](PrxVulkanDevice& d) { d.api_version = 0; }, PRX_STATUS_UNSUPPORTED, "Vulkan 1.2");
    refuses([](PrxVulkanDevice& d) { d.instance = nullptr; }, PRX_STATUS_INVALID_ARGUMENT, "instance");
    refuses([](PrxVulkanDevice& d) { d.physical_device = nullptr; }, PRX_STATUS_INVALID_ARGUMENT, "physical_device");
    refuses([](PrxVulkanDevice& d) { d.device = nullptr; }, PRX_STATUS_INVALID_ARGUMENT, "device");
    refuses([](PrxVulkanDevice& d) { d.queue = nullptr; }, PRX_STATUS_INVALID_ARGUMENT, "queue");
    refuses([](PrxVulkanDevice& d) { d.get_instance_proc_addr = nullptr; }, PRX_STATUS_INVALID_ARGUMENT,
            "get_instance_proc_addr");
    refuses([](PrxVulkanDevice& d) { d.enabled_extension_count = 3, d.enabled_extensions = nullptr; },
            PRX_STATUS_INVALID_ARGUMENT, "enabled_extensions is null, but its count is 3");
    refuses([](PrxVulkanDevice& d) { d.queue_family = 99; }, PRX_STATUS_INVALID_ARGUMENT, "queue_family is 99");
    refuses([](PrxVulkanDevice& d) { d.lock_queue = [](void*) {}; }, PRX_STATUS_INVALID_ARGUMENT, "unlock_queue");
    refuses([](PrxVulkanDevice& d) { --d.size; }, PRX_STATUS_STRUCT_SIZE, "PrxVulkanDevice");
    CHECK(engine.submits());
    CHECK(proxel::Context::adopt(engine.handover(), witness.def()).ok());
}

/// Counts the callbacks, and whether they ever nest or cross threads.
struct LockCount {
    std::mutex mutex;
    int locks = 0, unlocks = 0, wrong = 0;
    std::thread::id holder;

    void attach(PrxVulkanDevice& device) {
        device.queue_user = this;
        device.lock_queue = [](void* user) {
            auto* self = static_cast<LockCount*>(user);
            self->mutex.lock();
            self->wrong += self->locks++ != self->unlocks;
            self->holder = std::this_thread::get_id();
        };
        device.unlock_queue = [](void* user) {
            auto* self = static_cast<LockCount*>(user);
            self->wrong += ++self->unlocks != self->locks || self->holder != std::this_thread::get_id();
            self->mutex.unlock();
        };
    }
};

TEST_CASE("the queue is locked in pairs") {
    Witness witness;
    Engine engine;
    LockCount count;
    PrxVulkanDevice device = engine.handover();
    count.attach(device);
    {
        proxel::Context context = NEED(proxel::Context::adopt(device, witness.def()));
        const Shape shape = cube();
        proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
        const int before = count.locks;
        for (int i = 0; i < 5; ++i) NEED(mesh.bounds());
        CHECK_EQ(count.locks, before + 5);

        // The engine goes on submitting from its own thread under the same lock.
        std::atomic<bool> stop{false};
        std::thread renderer([&] {
            while (!stop) {
                std::lock_guard<std::mutex> lock(count.mutex);
                VkSubmitInfo nothing{};
                nothing.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
                if (vkQueueSubmit(engine.queue, 1, &nothing, VK_NULL_HANDLE) != VK_SUCCESS) ++count.wrong;
            }
        });
        for (int i = 0; i < 50; ++i) NEED(mesh.bounds());
        stop = true;
        renderer.join();
    }
    CHECK_EQ(count.locks, count.unlocks);
    CHECK_EQ(count.wrong, 0);
    VK(vkQueueWaitIdle(engine.queue));
}

TEST_CASE("positions are read in place") {
    Witness witness;
    Engine engine;
    proxel::Context context = NEED(proxel::Context::adopt(engine.handover(), witness.def()));
    for (std::uint64_t offset : {0, 4, 52, 1020}) {
        for (std::uint64_t stride : {12, 20, 36, 76}) {
            Shape shape = torus(40, 25);
            EngineBuffer buffer(engine, offset + stride * shape.positions.size());
            proxel::Mesh mesh = NEED(mesh_in(context, buffer, shape, offset, stride, PRX_MESH_DEFORMING));
            // The same from host memory, which other tests hold to the truth.
            proxel::Mesh twin = NEED(context.mesh(shape.positions, shape.triangles, nullptr, PRX_MESH_DEFORMING));
            for (int frame = 0; frame < 2; ++frame) {
                const PrxBounds bounds = NEED(mesh.bounds()), expected = NEED(twin.bounds());
                CHECK(std::memcmp(&bounds, &expected, sizeof bounds) == 0);
                PrxMeshFacts facts = NEED(mesh.facts()), truth = NEED(twin.facts());
                CHECK_EQ(facts.closed, 1u);
                CHECK_EQ(facts.manifold, 1u);
                CHECK_EQ(facts.oriented, 1u);
                CHECK_EQ(facts.area, truth.area);
                CHECK_EQ(facts.volume, truth.volume);
                CHECK(std::memcmp(&facts.bounds, &truth.bounds, sizeof facts.bounds) == 0);

                for (Vec3& p : shape.positions) p = {p.x * 3, p.y - 1, p.z + p.x};
                for (std::size_t i = 0; i < shape.positions.size(); ++i)
                    buffer.write(offset + i * stride, &shape.positions[i], sizeof(Vec3));
                NEED(twin.update(shape.positions));
            }
            CHECK_REFUSED(mesh.update(shape.positions), PRX_STATUS_WRONG_STATE, "engine's VkBuffer");
        }
    }
}

TEST_CASE("clusters follow the engines buffer") {
    Witness witness;
    Engine engine;
    proxel::Context context = NEED(proxel::Context::adopt(engine.handover(), witness.def()));
    const Shape shape = torus(40, 25);
    EngineBuffer buffer(engine, 20 + 16 * shape.positions.size());
    proxel::Mesh mesh = NEED(mesh_in(context, buffer, shape, 20, 16, PRX_MESH_DEFORMING));
    const std::vector<std::uint32_t> order = NEED(mesh.cluster_triangles());
    proxel::Batch batch = NEED(context.batch());
    const auto ticket = NEED(batch.clusters(mesh));
    for (float shift : {0.0f, 5.0f}) {
        std::vector<Vec3> moved = shape.positions;
        for (Vec3& p : moved) p.x += shift;
        for (std::size_t i = 0; i < moved.size(); ++i) buffer.write(20 + 16 * i, &moved[i], sizeof(Vec3));
        NEED(batch.submit());
        NEED(batch.wait());
        std::size_t outside = 0, seen = 0;
        for (const PrxCluster& cluster : NEED(batch.read(ticket))) {
            for (std::uint32_t i = cluster.first; i < cluster.first + cluster.count; ++i, ++seen) {
                for (std::uint32_t v : shape.triangles[order[i]])
                    outside += moved[v].x < cluster.min[0] || moved[v].x > cluster.max[0];
            }
        }
        CHECK_EQ(outside, std::size_t{0});
        CHECK_EQ(seen, shape.triangles.size());
    }
}

TEST_CASE("wrong positions in the buffer are told when read") {
    Witness witness;
    Engine engine;
    proxel::Context context = NEED(proxel::Context::adopt(engine.handover(), witness.def()));
    const Shape shape = cube();
    EngineBuffer buffer(engine, 12 * shape.positions.size());
    proxel::Mesh mesh = NEED(mesh_in(context, buffer, shape, 0, 12, 0));
    const Vec3 bad{0, INFINITY, 0};
    buffer.write(12 * 6, &bad, sizeof bad);
    CHECK_REFUSED(mesh.facts(), PRX_STATUS_INVALID_ARGUMENT, "vertex 6");
    for (std::uint64_t offset : {1, 2, 13})
        CHECK_REFUSED(mesh_in(context, buffer, {}, offset, 12, 0), PRX_STATUS_INVALID_ARGUMENT, "vk_buffer_offset is");
    for (std::uint64_t stride : {0, 8, 13, 14})
        CHECK_REFUSED(mesh_in(context, buffer, {}, 0, stride, 0), PRX_STATUS_INVALID_ARGUMENT, "vk_buffer_stride is");
}

TEST_CASE("timeline semaphores order the work") {
    Witness witness;
    Engine engine;
    VkSemaphore before = engine.timeline(1), after = engine.timeline(3);
    auto point = [](VkSemaphore s, std::uint64_t value) {
        return PrxTimelinePoint{reinterpret_cast<std::uint64_t>(s), value};
    };
    {
        proxel::Context context = NEED(proxel::Context::adopt(engine.handover(), witness.def()));
        const Shape shape = cube();
        EngineBuffer buffer(engine, 12 * shape.positions.size());
        proxel::Mesh mesh = NEED(mesh_in(context, buffer, shape, 0, 12, PRX_MESH_DEFORMING));
        proxel::Batch batch = NEED(context.batch());
        const auto ticket = NEED(batch.bounds(mesh));
        NEED(batch.submit({point(before, 1)}, {point(after, 4)}));
        NEED(batch.wait());
        CHECK_EQ(engine.value(after), std::uint64_t{4});

        NEED(batch.submit({point(before, 5), point(after, 4)}, {point(after, 9)}));
        CHECK_EQ(NEED(batch.wait_for(20000000)), false);
        CHECK_EQ(NEED(batch.poll()), false);
        CHECK_EQ(engine.value(after), std::uint64_t{4});
        CHECK_REFUSED(batch.read(ticket), PRX_STATUS_WRONG_STATE, "in flight");
        CHECK_REFUSED(batch.reset(), PRX_STATUS_WRONG_STATE, "in flight");
        CHECK_REFUSED(batch.submit(), PRX_STATUS_WRONG_STATE, "in flight");
        // Written before the semaphore lets the work go, so the work must see it.
        const Vec3 far_corner{6, 7, 8};
        buffer.write(12 * 7, &far_corner, sizeof far_corner);
        engine.signal(before, 5);
        NEED(batch.wait());
        CHECK_EQ(engine.value(after), std::uint64_t{9});
        CHECK_EQ(NEED(batch.read(ticket)).max[2], 8.0f);
        CHECK_REFUSED(batch.submit({point(VK_NULL_HANDLE, 1)}), PRX_STATUS_INVALID_ARGUMENT, "VK_NULL_HANDLE");
    }
    engine.destroy(before);
    engine.destroy(after);
}

PrxTimelinePoint binary_point(VkSemaphore semaphore) { return {reinterpret_cast<std::uint64_t>(semaphore), 0}; }

/// By the engine's binary semaphores, which each submission waits for and signals once.
void binary_semaphores_order_the_work(const Engine& engine, const proxel::Context& context) {
    const Shape shape = cube();
    EngineBuffer buffer(engine, 12 * shape.positions.size());
    const proxel::Mesh mesh = NEED(mesh_in(context, buffer, shape, 0, 12, PRX_MESH_DEFORMING));
    const proxel::Mesh still = NEED(context.mesh(shape.positions, shape.triangles));
    const VkSemaphore written = engine.binary(), answered = engine.binary();
    proxel::Batch batch = NEED(context.batch()), exact = NEED(context.batch());
    const auto ticket = NEED(batch.bounds(mesh));
    const auto apart = NEED(exact.distance(still, still));
    for (int frame = 0; frame < 20; ++frame) {
        const Vec3 corner{2, 2, 2 + static_cast<float>(frame)};
        buffer.write(12 * 7, &corner, sizeof corner);
        engine.submit(VK_NULL_HANDLE, written);
        NEED(batch.submit({binary_point(written)}, {binary_point(answered)}));
        // What is asked of the host alone takes its turn too: a semaphore that is left signalled could not be signalled again.
        NEED(exact.submit({binary_point(answered)}, {binary_point(written)}));
        engine.submit(written, VK_NULL_HANDLE);
        VK(vkQueueWaitIdle(engine.queue));
        CHECK_EQ(NEED(batch.poll()), true);
        CHECK_EQ(NEED(batch.read(ticket)).max[2], corner.z);
        NEED(exact.wait());
        CHECK_EQ(NEED(exact.read(apart)).distance, 0.0);
        // Without signals it would be the host's alone.
        engine.submit(VK_NULL_HANDLE, written);
        NEED(exact.submit({binary_point(written)}));
        NEED(exact.wait());
    }
    engine.destroy(written);
    engine.destroy(answered);
}

/// As Godot's: nothing is known of what it was created with.
TEST_CASE("an engine without timeline semaphores") {
    Witness witness;
    for (const bool told : {true, false}) {
        Engine engine({false, true});
        PrxVulkanDevice device = engine.handover();
        if (!told) device.enabled_features = nullptr;
        const proxel::Context context = NEED(proxel::Context::adopt(device, witness.def()));
        binary_semaphores_order_the_work(engine, context);
        // From several threads, whose submissions wait for each other's fences as they come.
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int at = 0; at < 4; ++at)
            threads.emplace_back([&, at] {
                Shape shape = cube();
                for (Vec3& p : shape.positions) p.x += static_cast<float>(at);
                auto mesh = context.mesh(shape.positions, shape.triangles);
                for (int turn = 0; turn < 50; ++turn) {
                    auto bounds = mesh.value().bounds();
                    wrong += !bounds.ok() || bounds.value().min[0] != static_cast<float>(at);
                }
            });
        for (std::thread& thread : threads) thread.join();
        CHECK_EQ(wrong, 0);
    }
    Engine engine;
    binary_semaphores_order_the_work(engine, NEED(proxel::Context::adopt(engine.handover(), witness.def())));
}

/// The meshes of a lost device go with their context, which says so.
void expect_left_meshes(Witness& witness, std::size_t count) {
    const auto said = witness.take();
    CHECK_EQ(said.size(), count);
    for (const std::string& message : said) CHECK(contains(message, "still alive when its context was destroyed"));
}

/// Every call of the clock fails once: statuses, the next submission works, nothing leaks.
TEST_CASE("fences that fail") {
    Witness witness;
    Engine engine({false, true});
    faulty::real_loader = vkGetInstanceProcAddr;
    PrxVulkanDevice device = engine.handover();
    device.get_instance_proc_addr = reinterpret_cast<PrxGetInstanceProcAddr>(faulty::loader);
    const Shape shape = cube();
    for (const char* function : {"vkCreateFence", "vkResetFences", "vkQueueSubmit", "vkGetFenceStatus"}) {
        CAPTURE(function);
        const bool later = std::strcmp(function, "vkResetFences") == 0;
        {
            const proxel::Context context = NEED(proxel::Context::adopt(device, witness.def()));
            const proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
            // A fence is reset from the second submission on.
            if (later) NEED(mesh.bounds());
            faulty::expect({function, 1, VK_ERROR_OUT_OF_HOST_MEMORY});
            const auto refused = mesh.bounds();
            CHECK_EQ(faulty::failure(), function);
            CHECK_EQ(refused.status(), PRX_STATUS_OUT_OF_HOST_MEMORY);
            faulty::expect({});
            CHECK_EQ(NEED(mesh.bounds()).max[0], 1.0f);
        }
        CHECK_EQ(faulty::alive(), std::string());
    }
    {
        const proxel::Context context = NEED(proxel::Context::adopt(device, witness.def()));
        const proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
        proxel::Batch batch = NEED(context.batch());
        NEED(batch.bounds(mesh));
        NEED(batch.submit());
        // Not there when it is asked for, and then it is.
        faulty::expect({"vkGetFenceStatus", 1, VK_NOT_READY});
        CHECK_EQ(NEED(batch.poll()), false);
        faulty::expect({});
        NEED(batch.wait());
        CHECK_EQ(NEED(batch.poll()), true);
        NEED(batch.submit());
        faulty::expect({"vkGetFenceStatus", 1, VK_ERROR_DEVICE_LOST});
        CHECK_EQ(batch.wait().status(), PRX_STATUS_DEVICE_LOST);
        faulty::expect({});
        CHECK_EQ(mesh.bounds().status(), PRX_STATUS_DEVICE_LOST);
    }
    expect_left_meshes(witness, 1);
    CHECK_EQ(faulty::alive(), std::string());
    CHECK(engine.submits());
}

/// A follower reads what the engine has written, after its semaphore, and does not hold up the call.
TEST_CASE("a follower waits for the engine and its caller does not") {
    Witness witness;
    Engine engine;
    const VkSemaphore written = engine.timeline(0), answered = engine.timeline(0);
    auto point = [](VkSemaphore s, std::uint64_t value) { return PrxTimelinePoint{reinterpret_cast<std::uint64_t>(s), value}; };
    {
        const proxel::Context context = NEED(proxel::Context::adopt(engine.handover(), witness.def()));
        Shape shape = cube();
        EngineBuffer buffer(engine, 12 * shape.positions.size());
        const proxel::Mesh mesh = NEED(mesh_in(context, buffer, shape, 0, 12, PRX_MESH_DEFORMING));
        const proxel::Field field = NEED(context.field_from_shape(prx_shape_default(), prx_field_def_default()));
        NEED(field.wait());
        proxel::Follower follower = NEED(context.follower());
        PrxSubmitDef submit = prx_submit_def_default();
        PrxFollowDef def = prx_follow_def_default();
        def.submit = &submit;
        submit.wait_count = submit.signal_count = 1;
        std::uint64_t turn = 0;
        auto ask = [&] {
            ++turn;
            const PrxTimelinePoint wait = point(written, turn), signal = point(answered, turn);
            submit.waits = &wait;
            submit.signals = &signal;
            return NEED(follower.ask(field, mesh, def));
        };
        // Three are under way, held by the engine; the fourth call asks nothing.
        for (std::uint64_t i = 1; i <= 4; ++i) {
            const PrxFollowed followed = ask();
            CHECK_EQ(followed.asked, i <= 3 ? i : 0);
            CHECK_EQ(followed.number, 0u);
        }
        // A cube whose nearest vertex is 2 away from the unit ball.
        for (Vec3& p : shape.positions) p = {p.x + 3, p.y, p.z};
        buffer.write(0, shape.positions.data(), 12 * shape.positions.size());
        CHECK_EQ(engine.value(answered), 0u);
        engine.signal(written, 3);
        engine.wait(answered, 3);
        NEED(context.wait_idle());
        engine.signal(written, 5);
        const PrxFollowed newest = ask();
        CHECK_EQ(newest.number, 3u);
        CHECK_EQ(newest.asked, 5u);
        CHECK((newest.proximity.lower <= 2 && 2 <= newest.proximity.upper));
        engine.wait(answered, 5);
    }
    engine.destroy(written);
    engine.destroy(answered);
}

/// An exact query reads the engine's positions after the engine's semaphore, not when it is submitted.
TEST_CASE("exact queries in flight wait for the engine, and a lost device ends them") {
    Witness witness;
    Engine engine;
    faulty::real_loader = vkGetInstanceProcAddr;
    PrxVulkanDevice device = engine.handover();
    device.get_instance_proc_addr = reinterpret_cast<PrxGetInstanceProcAddr>(faulty::loader);
    const VkSemaphore gate = engine.timeline(0);
    const PrxTimelinePoint opened[] = {{reinterpret_cast<std::uint64_t>(gate), 1},
                                       {reinterpret_cast<std::uint64_t>(gate), 2},
                                       {reinterpret_cast<std::uint64_t>(gate), 3}};
    const Shape shape = cube();
    EngineBuffer buffer(engine, sizeof(Vec3) * shape.positions.size());
    auto lift = [&](float height) {
        Shape now = shape;
        for (Vec3& p : now.positions) p.z += height;
        buffer.write(0, now.positions.data(), sizeof(Vec3) * now.positions.size());
    };
    for (const bool lost : {false, true}) {
        const proxel::Context context = NEED(proxel::Context::adopt(device, witness.def()));
        const proxel::Mesh still = NEED(context.mesh(shape.positions, shape.triangles));
        const proxel::Mesh theirs = NEED(mesh_in(context, buffer, shape, 0, sizeof(Vec3), PRX_MESH_DEFORMING));
        proxel::Batch batch = NEED(context.batch());
        const auto apart = NEED(batch.distance(still, theirs));
        const auto meeting = NEED(batch.pairs(still, theirs));
        lift(4);
        NEED(batch.submit({opened[lost]}));
        CHECK_EQ(NEED(batch.poll()), false);
        CHECK_REFUSED(batch.read(apart), PRX_STATUS_WRONG_STATE, "in flight");
        if (lost) {
            faulty::expect({"vkGetSemaphoreCounterValue", -1, VK_ERROR_DEVICE_LOST});
            CHECK_EQ(batch.wait().status(), PRX_STATUS_DEVICE_LOST);
            faulty::expect({});
            engine.signal(gate, 2);
            for (const PrxStatus status : {batch.read(apart).status(), batch.read(meeting).status(), batch.poll().status(), batch.submit().status()})
                CHECK_EQ(status, PRX_STATUS_DEVICE_LOST);
            continue;
        }
        lift(7);
        engine.signal(gate, 1);
        NEED(batch.wait());
        CHECK_EQ(NEED(batch.read(apart)).distance, 6.0);
        CHECK_EQ(NEED(batch.read(meeting)).size(), 0u);
    }
    expect_left_meshes(witness, 2);
    CHECK_EQ(faulty::alive(), std::string());

    // A batch goes while its exact queries wait for the engine: the call returns when the engine lets the work go.
    {
        const proxel::Context context = NEED(proxel::Context::adopt(device, witness.def()));
        const proxel::Mesh still = NEED(context.mesh(shape.positions, shape.triangles));
        proxel::Mesh theirs = NEED(mesh_in(context, buffer, shape, 0, sizeof(Vec3), PRX_MESH_DEFORMING));
        proxel::Batch batch = NEED(context.batch());
        NEED(batch.distance(still, theirs));
        NEED(batch.submit({opened[2]}));
        CHECK_EQ(prx_mesh_destroy(context.handle(), theirs.release()), PRX_STATUS_OK);
        PrxBatch* going = batch.release();
        PrxStatus gone = PRX_STATUS_INTERNAL;
        std::thread destroyer([&] { gone = prx_batch_destroy(going); });
        engine.signal(gate, 3);
        destroyer.join();
        CHECK_EQ(gone, PRX_STATUS_OK);
    }
    CHECK_EQ(faulty::alive(), std::string());
    CHECK(engine.submits());
    engine.destroy(gate);
}

/// A queue of compute alone, as an engine has one for asynchronous work.
TEST_CASE("an engine's queue that cannot draw") {
    Witness witness;
    Engine engine;
    faulty::real_loader = vkGetInstanceProcAddr;
    PrxVulkanDevice device = engine.handover();
    device.get_instance_proc_addr = reinterpret_cast<PrxGetInstanceProcAddr>(faulty::loader);
    faulty::pretence.compute_only = true;
    {
        const proxel::Context context = NEED(proxel::Context::adopt(device, witness.def()));
        const Shape shape = cube();
        const proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
        const proxel::Field field = NEED(context.field_from_shape(prx_shape_default()));
        NEED(field.wait());
        CHECK_EQ(NEED(mesh.bounds()).max[0], 1.0f);
        // A corner of the cube is in the middle of the unit ball.
        const PrxProximity near = NEED(context.proximity(field, mesh));
        CHECK((near.lower <= -1 && -1 <= near.upper));
        CHECK_REFUSED(context.overlap(field, mesh), PRX_STATUS_UNSUPPORTED, "overlap draws");
        PrxLdiDef lists = prx_ldi_def_default();
        lists.generator = PRX_GENERATOR_LISTS;
        CHECK_REFUSED(context.intersection_volume(mesh, mesh, lists), PRX_STATUS_UNSUPPORTED, "draws");
    }
    faulty::pretence.compute_only = false;
    CHECK_EQ(faulty::wrong_commands, 0);
}

TEST_CASE("the engines device outlives the context") {
    Witness witness;
    Engine engine;
    for (int i = 0; i < 3; ++i) {
        {
            proxel::Context one = NEED(proxel::Context::adopt(engine.handover(), witness.def()));
            proxel::Context two = NEED(proxel::Context::open(witness.def()));
            const Shape shape = cube();
            CHECK(NEED(one.mesh(shape.positions, shape.triangles)).bounds().ok());
        }
        CHECK(engine.submits());
        EngineBuffer buffer(engine, 64);
    }
}

/// A context goes while another thread waits for its batch: both calls return, in the right order.
TEST_CASE("destroying waits for those who wait") {
    Witness witness;
    Engine engine;
    VkSemaphore gate = engine.timeline(0);
    faulty::real_loader = vkGetInstanceProcAddr;
    PrxVulkanDevice device = engine.handover();
    device.get_instance_proc_addr = reinterpret_cast<PrxGetInstanceProcAddr>(faulty::loader);
    PrxContext* context = NEED(proxel::Context::adopt(device, witness.def())).release();
    const Shape shape = cube();
    PrxMeshDef def = proxel::mesh_def(shape.positions, shape.triangles, "still here");
    PrxMesh mesh{};
    CHECK_EQ(prx_mesh_create(context, &def, &mesh), PRX_STATUS_OK);
    PrxBatch* batch = nullptr;
    PrxTicket ticket{};
    CHECK_EQ(prx_batch_create(context, &batch), PRX_STATUS_OK);
    CHECK_EQ(prx_batch_bounds(batch, mesh, nullptr, &ticket), PRX_STATUS_OK);
    const PrxTimelinePoint opened{reinterpret_cast<std::uint64_t>(gate), 1};
    PrxSubmitDef submit = prx_submit_def_default();
    submit.wait_count = 1;
    submit.waits = &opened;
    CHECK_EQ(prx_batch_submit(batch, &submit), PRX_STATUS_OK);

    std::atomic<bool> destroyed{false};
    PrxStatus waited = PRX_STATUS_INTERNAL, gone = PRX_STATUS_INTERNAL;
    const int waits = faulty::wait_calls();
    std::thread waiter([&] { waited = prx_batch_wait(batch, UINT64_MAX); });
    while (faulty::wait_calls() == waits) std::this_thread::yield();
    std::thread destroyer([&] {
        gone = prx_context_destroy(context);
        destroyed = true;
    });
    // The context is gone for everyone else before it waits for the waiter.
    PrxContextInfo info{};
    while (prx_context_info(context, &info) == PRX_STATUS_OK) std::this_thread::yield();
    CHECK(!destroyed);
    engine.signal(gate, 1);
    waiter.join();
    destroyer.join();
    CHECK_EQ(waited, PRX_STATUS_OK);
    CHECK_EQ(gone, PRX_STATUS_OK);
    CHECK_EQ(prx_batch_wait(batch, 0), PRX_STATUS_INVALID_HANDLE);
    const auto said = witness.take();
    CHECK(std::any_of(said.begin(), said.end(), [](const std::string& m) { return contains(m, "still here"); }));
    engine.destroy(gate);
}

}  // namespace
