// A machine without a Vulkan loader, or with one but no driver. CMakeLists.txt makes the environment such a machine, and runs
// the one case that is about it.
#include "witness.hpp"

#include <iostream>

using namespace test;

namespace {

void refused_with(PrxStatus status, const char* part) {
    PrxContextDef def = prx_context_def_default();
    def.device = PRX_DEVICE_VULKAN;
    auto context = proxel::Context::open(def);
    CHECK(!context);
    CHECK_REFUSED(context, status, part);
    CHECK_EQ(std::string(prx_last_error(nullptr)), context.message());
    std::cout << context.message() << "\n";
    def = prx_context_def_default();
    def.device_name = "some GPU";
    CHECK_REFUSED(proxel::Context::open(def), status, part);
}

/// Who names no device gets the host, is told why, and gets answers.
void host_takes_its_place(const char* part) {
    Witness witness;
    PrxContextDef def = witness.def(PRX_SEVERITY_INFO);
    def.device = PRX_DEVICE_AUTO;
    def.device_name = nullptr;
    proxel::Context context = NEED(proxel::Context::open(def));
    const PrxContextInfo info = NEED(context.info());
    CHECK_EQ(info.device_type, std::uint32_t{PRX_DEVICE_TYPE_HOST});
    CHECK_EQ(std::string(info.device_name), "host");
    std::string said;
    for (const std::string& message : witness.take(PRX_SEVERITY_INFO)) said += message + "\n";
    CHECK(contains(said, part));
    CHECK(contains(said, "the host takes its place"));
    const float corners[9] = {0, 0, 0, 2, 0, 0, 0, 3, 0};
    const std::uint32_t indices[3] = {0, 1, 2};
    PrxMeshDef triangle = prx_mesh_def_default();
    triangle.vertex_count = 3;
    triangle.triangle_count = 1;
    triangle.positions = corners;
    triangle.indices = indices;
    proxel::Mesh mesh = NEED(context.mesh(triangle));
    const PrxBounds box = NEED(mesh.bounds());
    CHECK_EQ(box.max[0], 2.0f);
    CHECK_EQ(box.max[1], 3.0f);
}

TEST_CASE("no loader") {
    refused_with(PRX_STATUS_NO_VULKAN, "no Vulkan loader");
    host_takes_its_place("no Vulkan loader");
}
TEST_CASE("no driver") {
    refused_with(PRX_STATUS_NO_DEVICE, "driver");
    host_takes_its_place("driver");
}

}  // namespace
