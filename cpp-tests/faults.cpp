// Every Vulkan call that Proxel makes on an adopted device fails once, each in turn: the caller gets a status and a
// sentence, nothing is left behind, and the same call works when it is made again.
#include <functional>
#include <iostream>

#include "engine.hpp"
#include "faulty_vulkan.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

const Shape shape = torus(30, 20);

/// The pace at which `function` is called whenever someone waits.
faulty::Pace pace_for(const std::string& function) {
    return function == "vkWaitSemaphores" ? faulty::Pace::unfinished : faulty::Pace::finished;
}

PrxVulkanDevice faulty_handover(const Engine& engine) {
    faulty::real_loader = vkGetInstanceProcAddr;
    PrxVulkanDevice device = engine.handover();
    device.get_instance_proc_addr = reinterpret_cast<PrxGetInstanceProcAddr>(faulty::loader);
    return device;
}

int hits = 0;
/// What is planned when a fault has hit: nothing, or the next one.
faulty::Plan after_fault;

/// Makes a call; whenever a planned fault hits it, the call must say so, and must work the next time.
template <typename Call>
auto persist(const char* what, Call call) {
    while (true) {
        const std::string before = faulty::alive("memory");
        auto result = call();
        const std::string fault = faulty::failure();
        if (fault.empty()) return need(std::move(result), __FILE__, __LINE__, what);
        ++hits;
        faulty::expect(after_fault);
        if (result) return need(std::move(result), __FILE__, __LINE__, what);
        const bool told = result.status() == PRX_STATUS_OUT_OF_HOST_MEMORY || result.status() == PRX_STATUS_OUT_OF_DEVICE_MEMORY;
        CHECK_MESSAGE((told && !result.message().empty()), what, " after ", fault, " failed: ", prx_status_name(result.status()), ": ",
                      result.message());
        if (std::strstr(what, "create") != nullptr)
            CHECK_MESSAGE(faulty::alive("memory") == before, what, " failed at ", fault, " and left: ", faulty::alive("memory"),
                          "instead of: ", before);
    }
}

/// A whole life with all kinds of work; gives the answers for comparison.
PrxBounds live_once(const Engine& engine, Witness& witness, EngineBuffer& buffer) {
    const PrxVulkanDevice device = faulty_handover(engine);
    proxel::Context context = persist("create context", [&] { return proxel::Context::adopt(device, witness.def()); });
    proxel::Mesh mesh = persist("create mesh", [&] {
        return context.mesh(shape.positions, shape.triangles, nullptr, PRX_MESH_DEFORMING);
    });
    PrxMeshDef def = proxel::mesh_def({}, shape.triangles);
    def.vertex_count = static_cast<std::uint32_t>(shape.positions.size());
    def.vk_buffer = reinterpret_cast<std::uint64_t>(buffer.buffer);
    def.vk_buffer_stride = sizeof(Vec3);
    proxel::Mesh foreign = persist("create the engine's mesh", [&] { return context.mesh(def); });
    persist("update", [&] { return mesh.update(shape.positions); });
    proxel::Batch batch = persist("create batch", [&] { return context.batch(); });
    const auto bounds = persist("record bounds", [&] { return batch.bounds(mesh); });
    const auto clusters = persist("record clusters", [&] { return batch.clusters(mesh); });
    persist("submit", [&] { return batch.submit(); });
    persist("wait", [&] { return batch.wait(); });
    CHECK_EQ(persist("poll", [&] { return batch.poll(); }), true);
    const PrxBounds box = persist("read bounds", [&] { return batch.read(bounds); });
    CHECK(!persist("read clusters", [&] { return batch.read(clusters); }).empty());
    const PrxMeshFacts facts = persist("facts", [&] { return foreign.facts(); });
    CHECK_EQ(facts.closed, 1u);
    persist("bounds at once", [&] { return mesh.bounds(); });
    persist("update again", [&] { return mesh.update(shape.positions); });
    persist("submit again", [&] { return batch.submit(); });
    persist("wait idle", [&] { return context.wait_idle(); });
    persist("pipeline cache", [&] { return context.pipeline_cache(); });
    const PrxBounds later = persist("read again", [&] { return batch.read(bounds); });
    CHECK(std::memcmp(&later, &box, sizeof box) == 0);
    return box;
}

/// Each call of `function`, or each of all calls if it is null.
void every_call_fails_in_turn(const char* function, int at_least) {
    Witness witness;
    Engine engine;
    EngineBuffer buffer(engine, shape.positions.size() * sizeof(Vec3));
    buffer.write(0, shape.positions.data(), shape.positions.size() * sizeof(Vec3));
    const faulty::Pace pace = pace_for(function != nullptr ? function : "");
    faulty::keep(pace);
    faulty::expect({function, 0, VK_SUCCESS});
    const PrxBounds expected = live_once(engine, witness, buffer);
    const int calls = faulty::calls;
    CHECK(calls >= at_least);
    CHECK_EQ(faulty::alive(), std::string());
    for (int at = 1; at <= calls; ++at) {
        hits = 0;
        faulty::keep(pace);
        faulty::expect({function, at, VK_ERROR_OUT_OF_HOST_MEMORY});
        const PrxBounds box = live_once(engine, witness, buffer);
        // In one of the calls above, or while the context was destroyed.
        CHECK_EQ(hits + !faulty::failure().empty(), 1);
        CHECK(std::memcmp(&box, &expected, sizeof box) == 0);
        CHECK_EQ(faulty::alive(), std::string());
    }
    faulty::expect({});
    std::cout << calls << " calls of " << (function != nullptr ? function : "Vulkan") << ", each failed once\n";
}

TEST_CASE("every call fails in turn") {
    every_call_fails_in_turn(nullptr, 50);
    every_call_fails_in_turn("vkWaitSemaphores", 3);
}

/// Two boxes that overlap, in a life of their own. What is planned begins when their mesh is there.
std::vector<PrxContact> touch_once(const Engine& engine, Witness& witness, faulty::Plan plan) {
    const Shape box = cube();
    proxel::Context context = NEED(proxel::Context::adopt(faulty_handover(engine), witness.def()));
    proxel::Mesh mesh = NEED(context.mesh(box.positions, box.triangles));
    faulty::expect(plan);
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 8;
    // What fails in a bake is known when it is waited for.
    proxel::Field field = persist("bake field", [&]() -> proxel::Result<proxel::Field> {
        auto made = context.bake(mesh, def);
        if (!made) return made;
        if (auto waited = made.value().wait(); !waited) return proxel::Failure{waited.status(), waited.message()};
        return made;
    });
    PrxBody below = proxel::body(mesh, field), above = below;
    above.position[2] = 0.875;
    proxel::Batch batch = persist("create batch", [&] { return context.batch(); });
    const auto ticket = persist("record contacts", [&] { return batch.contacts(below, above); });
    persist("submit", [&] { return batch.submit(); });
    persist("wait", [&] { return batch.wait(); });
    return persist("read contacts", [&] { return batch.read(ticket); }).contacts;
}

void check_same(const std::vector<PrxContact>& found, const std::vector<PrxContact>& expected) {
    CHECK((found.size() == expected.size() && std::memcmp(found.data(), expected.data(), found.size() * sizeof found[0]) == 0));
    CHECK_EQ(faulty::alive(), std::string());
}

/// Everything that fields and contacts make on the device cannot be made, once each.
TEST_CASE("everything that contacts make fails in turn") {
    Witness witness;
    Engine engine;
    faulty::keep(faulty::Pace::finished);
    const VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    int places = 0;
    for (const char* function : {"vkAllocateMemory", "vkCreateBuffer", "vkCreateImage"}) {
        const std::vector<PrxContact> expected = touch_once(engine, witness, {function, 0, VK_SUCCESS});
        CHECK_FALSE(expected.empty());
        const int calls = faulty::calls;
        for (int at = 1; at <= calls; ++at) {
            hits = 0;
            check_same(touch_once(engine, witness, {function, at, result}), expected);
            CHECK_EQ(hits, 1);
        }
        std::cout << calls << " calls of " << function << " for contacts, each failed once\n";
        places += calls;
    }
    CHECK(places >= 10);
    faulty::expect({});
}

/// Pipelines that were made are kept, so all of them can fail in one life: the one that failed is made, and the next one fails.
TEST_CASE("every pipeline of contacts fails in turn") {
    Witness witness;
    Engine engine;
    faulty::keep(faulty::Pace::finished);
    const char* function = "vkCreateComputePipelines";
    const VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const std::vector<PrxContact> expected = touch_once(engine, witness, {function, 0, VK_SUCCESS});
    const int calls = faulty::calls;
    CHECK(calls >= 5);
    hits = 0;
    after_fault = {function, 2, result};
    const std::vector<PrxContact> found = touch_once(engine, witness, {function, 1, result});
    after_fault = {};
    faulty::expect({});
    CHECK_EQ(hits, calls);
    check_same(found, expected);
}

/// A destroyed context leaves nothing, whatever fails on the way out.
TEST_CASE("destroying cannot fail") {
    Witness witness;
    Engine engine;
    EngineBuffer buffer(engine, shape.positions.size() * sizeof(Vec3));
    for (const char* function : {"vkWaitSemaphores", "vkGetSemaphoreCounterValue"}) {
        faulty::expect({});
        faulty::keep(pace_for(function));
        {
            proxel::Context context = NEED(proxel::Context::adopt(faulty_handover(engine), witness.def()));
            proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
            proxel::Batch batch = NEED(context.batch());
            NEED(batch.bounds(mesh));
            NEED(batch.submit());
            faulty::expect({function, 1, VK_ERROR_OUT_OF_HOST_MEMORY});
        }
        CHECK_EQ(faulty::failure(), std::string(function));
        CHECK_EQ(faulty::alive(), std::string());
    }
    faulty::expect({});
}

TEST_CASE("out of device memory tells the size") {
    Witness witness;
    Engine engine;
    proxel::Context context = NEED(proxel::Context::adopt(faulty_handover(engine), witness.def()));
    for (const char* function : {"vkAllocateMemory", "vkCreateBuffer"}) {
        faulty::expect({function, -1, VK_ERROR_OUT_OF_DEVICE_MEMORY});
        auto mesh = context.mesh(shape.positions, shape.triangles);
        faulty::expect({});
        if (!CHECK_REFUSED(mesh, PRX_STATUS_OUT_OF_DEVICE_MEMORY, " bytes for ")) continue;
        const std::string& said = mesh.message();
        const std::size_t end = said.find(" bytes for "), begin = said.find_last_not_of("0123456789", end - 1) + 1;
        CHECK((begin < end && std::stoll(said.substr(begin, end - begin)) > 0));
    }
    CHECK(context.mesh(shape.positions, shape.triangles).ok());
}

/// A lost device says so from then on, whatever is asked; destroying works, and so does another context.
TEST_CASE("a lost device stays lost") {
    Witness witness;
    Engine engine;
    for (const char* function : {"vkQueueSubmit", "vkWaitSemaphores", "vkGetSemaphoreCounterValue"}) {
        faulty::keep(pace_for(function));
        {
            proxel::Context context = NEED(proxel::Context::adopt(faulty_handover(engine), witness.def()));
            proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles, nullptr, PRX_MESH_DEFORMING));
            proxel::Batch batch = NEED(context.batch());
            const auto ticket = NEED(batch.bounds(mesh));
            faulty::expect({function, -1, VK_ERROR_DEVICE_LOST});
            CHECK_REFUSED(mesh.bounds(), PRX_STATUS_DEVICE_LOST, function);
            VK(vkQueueWaitIdle(engine.queue));
            faulty::expect({});
            CHECK_REFUSED(batch.submit(), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(batch.wait(), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(batch.poll(), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(batch.read(ticket), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(batch.reset(), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(batch.bounds(mesh), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(batch.clusters(mesh), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(mesh.bounds(), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(mesh.facts(), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(mesh.update(shape.positions), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(mesh.cluster_triangles(), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(context.mesh(shape.positions, shape.triangles), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(context.batch(), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(context.wait_idle(), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(context.info(), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_REFUSED(context.pipeline_cache(), PRX_STATUS_DEVICE_LOST, "destroy this context");
            CHECK_EQ(prx_batch_destroy(batch.release()), PRX_STATUS_OK);
            CHECK_EQ(prx_context_destroy(context.release()), PRX_STATUS_OK);
        }
        witness.take();
        CHECK_EQ(faulty::alive(), std::string());
        CHECK(proxel::Context::adopt(faulty_handover(engine), witness.def()).ok());
    }
}

}  // namespace
