// Device memory: what a context has, what for, and how much it may have.
#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

PrxContextMemory memory_of(const proxel::Context& context) {
    const PrxContextMemory memory = NEED(context.memory());
    CHECK_EQ(memory.total,
             memory.meshes + memory.fields + memory.working + memory.answers + memory.staging + memory.pictures);
    CHECK(memory.peak >= memory.total);
    CHECK(memory.taken >= memory.total);
    return memory;
}

TEST_CASE("memory by what it is for") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    CHECK_EQ(memory_of(context).meshes, 0u);
    CHECK_EQ(memory_of(context).fields, 0u);
    CHECK_EQ(memory_of(context).budget, UINT64_MAX);
    const Shape ring = torus(48, 24);
    proxel::Mesh mesh = NEED(context.mesh(ring.positions, ring.triangles));
    NEED(mesh.bounds());
    // Three floats per vertex and three indices per triangle, at least; not ten times that.
    const std::uint64_t least = 12 * (ring.positions.size() + ring.triangles.size());
    const PrxContextMemory with_mesh = memory_of(context);
    CHECK(with_mesh.meshes >= least);
    CHECK(with_mesh.meshes < 10 * least);
    CHECK(with_mesh.answers > 0);
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 32;
    {
        proxel::Field field = NEED(context.bake(mesh, def));
        NEED(field.wait());
        const PrxFieldInfo info = NEED(field.info());
        const std::uint64_t nodes = std::uint64_t{info.grid.nodes[0]} * info.grid.nodes[1] * info.grid.nodes[2];
        CHECK(memory_of(context).fields >= 4 * nodes);
        NEED(context.proximity(field, mesh));
        const std::uint64_t working = memory_of(context).working;
        CHECK(working > 0);
        NEED(context.trim());
        CHECK(memory_of(context).working < working);
        NEED(context.proximity(field, mesh));
    }
    mesh = proxel::Mesh();
    NEED(context.wait_idle());
    // The batch that the context keeps for the next question holds what it used last.
    const Shape small = cube();
    NEED(NEED(context.mesh(small.positions, small.triangles)).bounds());
    NEED(NEED(context.mesh(small.positions, small.triangles)).bounds());
    const PrxContextMemory after = memory_of(context);
    CHECK_EQ(after.fields, 0u);
    CHECK(after.meshes < least);
    CHECK(after.peak > with_mesh.total);
    PrxContextMemory unsized{};
    CHECK_EQ(prx_context_memory(context.handle(), &unsized), PRX_STATUS_STRUCT_SIZE);
}

TEST_CASE("a budget holds") {
    const Shape small = cube(), big = torus(200, 100);
    const std::uint64_t budget = 256 << 10;
    Witness witness;
    PrxContextDef def = witness.def();
    def.device_memory_budget = budget;
    proxel::Context context = NEED(proxel::Context::open(def));
    CHECK_EQ(memory_of(context).budget, budget);
    const std::uint64_t before = memory_of(context).total;
    for (int i = 0; i < 3; ++i)
        CHECK_REFUSED(context.mesh(big.positions, big.triangles), PRX_STATUS_OUT_OF_DEVICE_MEMORY, "budget of 262144");
    NEED(context.wait_idle());
    CHECK_EQ(memory_of(context).meshes, 0u);
    proxel::Mesh mesh = NEED(context.mesh(small.positions, small.triangles));
    CHECK_EQ(NEED(mesh.bounds()).max[0], 1.0f);
    CHECK(memory_of(context).total > before);
    CHECK(memory_of(context).peak <= budget);
}

}  // namespace
