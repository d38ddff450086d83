// What is still alive when its context goes is named and freed, and coming and going leaves nothing behind.
#include <algorithm>

#include "engine.hpp"
#include "faulty_vulkan.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

const Shape shape = torus(16, 9);

/// On the engine's device by way of a Vulkan that counts.
proxel::Context counted(const Engine& engine, Witness& witness) {
    faulty::real_loader = vkGetInstanceProcAddr;
    PrxVulkanDevice device = engine.handover();
    device.get_instance_proc_addr = reinterpret_cast<PrxGetInstanceProcAddr>(faulty::loader);
    return NEED(proxel::Context::adopt(device, witness.def()));
}

TEST_CASE("what is left is named and freed") {
    Witness witness;
    Engine engine;
    {
        proxel::Context context = counted(engine, witness);
        for (const char* label : {"the hull", "the anchor"})
            NEED(context.mesh(shape.positions, shape.triangles, label)).release();
        NEED(context.mesh(shape.positions, shape.triangles, "tidied up"));
        proxel::Mesh used = NEED(context.mesh(shape.positions, shape.triangles, "the sail"));
        proxel::Batch waiting = NEED(context.batch()), flying = NEED(context.batch());
        NEED(waiting.bounds(used));
        NEED(flying.clusters(used));
        NEED(flying.submit());
        waiting.release();
        flying.release();
        used.release();
    }
    const std::vector<std::string> said = witness.take();
    auto named = [&](const char* part) {
        return std::count_if(said.begin(), said.end(), [&](const std::string& m) { return contains(m, part); });
    };
    CHECK_EQ(named("\"the hull\""), 1);
    CHECK_EQ(named("\"the anchor\""), 1);
    CHECK_EQ(named("\"the sail\""), 1);
    CHECK_EQ(named("2 batch"), 1);
    CHECK_EQ(named("tidied up"), 0);
    CHECK_EQ(said.size(), std::size_t{4});
    CHECK_EQ(faulty::alive(), std::string());
    CHECK(engine.submits());
}

int alive_objects() {
    std::lock_guard<std::mutex> lock(faulty::mutex);
    int sum = 0;
    for (const auto& [object, count] : faulty::live) sum += count;
    return sum;
}

/// `cycle` many times; after the first hundred, no more Vulkan objects than then.
template <typename Cycle>
void does_not_grow(const char* what, const proxel::Context& context, Cycle cycle) {
    int settled = 0, most = 0;
    for (int i = 0; i < 600; ++i) {
        cycle(context);
        if (i < 300) settled = std::max(settled, alive_objects());
        else most = std::max(most, alive_objects());
    }
    CHECK_MESSAGE(most <= settled, what, ": ", settled, " objects grew to ", most);
    CHECK_MESSAGE(settled < 250, what, ": ", settled, " objects at rest");
}

TEST_CASE("coming and going does not grow") {
    Witness witness;
    Engine engine;
    // What is in use stays alive, and how long it is in use must not depend on how busy the machine is.
    faulty::keep(faulty::Pace::finished);
    {
        proxel::Context context = counted(engine, witness);
        does_not_grow("meshes", context, [](const proxel::Context& c) { NEED(c.mesh(shape.positions, shape.triangles)); });
        does_not_grow("batches", context, [](const proxel::Context& c) { NEED(c.batch()); });
        does_not_grow("queries", context, [](const proxel::Context& c) {
            NEED(NEED(c.mesh(shape.positions, shape.triangles)).bounds());
        });
        does_not_grow("refused meshes", context, [](const proxel::Context& c) {
            Shape bad = shape;
            bad.positions[3].x = NAN;
            CHECK(!c.mesh(bad.positions, bad.triangles));
        });
        proxel::Mesh soft = NEED(context.mesh(shape.positions, shape.triangles, "soft", PRX_MESH_DEFORMING));
        proxel::Batch batch = NEED(context.batch());
        does_not_grow("frames", context, [&](const proxel::Context&) {
            NEED(soft.update(shape.positions));
            NEED(batch.clusters(soft));
            NEED(batch.submit());
            NEED(batch.wait());
            NEED(batch.reset());
        });
    }
    CHECK_EQ(faulty::alive(), std::string());
}

TEST_CASE("contexts come and go") {
    Witness witness;
    for (int i = 0; i < 5; ++i) {
        proxel::Context context = NEED(proxel::Context::open(witness.def()));
        NEED(NEED(context.mesh(shape.positions, shape.triangles)).bounds());
    }
}

}  // namespace
