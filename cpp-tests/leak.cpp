// Destroying a context with live objects names them in the log and frees them: valgrind and the sanitizer see the rest.
#include <proxel.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "test.hpp"

namespace {

const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

void remember_warning(void* user, uint32_t severity, const char* message) {
    if (severity == PRX_SEVERITY_WARNING) static_cast<std::vector<std::string>*>(user)->push_back(message);
}

PrxContext* open(std::vector<std::string>* warnings) {
    PrxContextDef def = prx_context_def_default();
    def.log_severity = PRX_SEVERITY_WARNING;
    def.log = remember_warning;
    def.log_user = warnings;
    PrxContext* context = nullptr;
    if (!CHECK_EQ(prx_context_create(&def, &context), PRX_STATUS_OK)) {
        std::cerr << prx_last_error(nullptr) << std::endl;
        std::exit(1);
    }
    return context;
}

PrxMesh tetrahedron(PrxContext* context, const char* label) {
    PrxMeshDef def = prx_mesh_def_default();
    def.label = label;
    def.vertex_count = 4;
    def.triangle_count = 4;
    def.positions = corners;
    def.position_stride = sizeof corners[0];
    def.indices = faces;
    PrxMesh mesh = {0};
    CHECK_EQ(prx_mesh_create(context, &def, &mesh), PRX_STATUS_OK);
    return mesh;
}

// Records the box of the mesh and submits it, unread.
PrxBatch* submit_bounds(PrxContext* context, PrxMesh mesh) {
    PrxBatch* batch = nullptr;
    PrxTicket ticket = {0};
    CHECK_EQ(prx_batch_create(context, &batch), PRX_STATUS_OK);
    CHECK_EQ(prx_batch_bounds(batch, mesh, nullptr, &ticket), PRX_STATUS_OK);
    CHECK_EQ(prx_batch_submit(batch, nullptr), PRX_STATUS_OK);
    return batch;
}

void everything_left_alive() {
    std::vector<std::string> warnings;
    PrxContext* context = open(&warnings);
    tetrahedron(context, "forgotten wedge");
    submit_bounds(context, tetrahedron(context, "mesh in flight"));
    CHECK_EQ(prx_context_destroy(context), PRX_STATUS_OK);

    std::string all;
    for (const std::string& warning : warnings) all += warning + "\n";
    CHECK(all.find("forgotten wedge") != std::string::npos);
    CHECK(all.find("mesh in flight") != std::string::npos);
    CHECK(all.find("1 batch") != std::string::npos);
}

void everything_destroyed() {
    std::vector<std::string> warnings;
    PrxContext* context = open(&warnings);
    PrxMesh mesh = tetrahedron(context, "wedge");
    PrxBatch* batch = submit_bounds(context, mesh);
    CHECK_EQ(prx_batch_destroy(batch), PRX_STATUS_OK);
    CHECK_EQ(prx_mesh_destroy(context, mesh), PRX_STATUS_OK);
    CHECK_EQ(prx_context_destroy(context), PRX_STATUS_OK);
    CHECK_EQ(warnings.size(), std::size_t(0));
}

}  // namespace

int main() {
    everything_left_alive();
    everything_destroyed();
    return test::finish();
}
