// A context for a benchmark: failures become exceptions with the library's own sentence.
#pragma once

#include <proxel.h>

#include <stdexcept>
#include <string>

inline void must(PrxStatus status, const PrxContext* context = nullptr) {
    if (status != PRX_STATUS_OK) throw std::runtime_error(std::string(prx_status_name(status)) + ": " + prx_last_error(context));
}

class Context {
public:
    explicit Context(const PrxContextDef& def = prx_context_def_default()) { must(prx_context_create(&def, &handle_)); }
    ~Context() { prx_context_destroy(handle_); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    operator PrxContext*() const { return handle_; }

    std::string about() const {
        PrxContextInfo info{};
        info.size = sizeof info;
        must(prx_context_info(handle_, &info), handle_);
        return std::string("proxel ") + prx_version_string() + " on " + info.device_name;
    }

private:
    PrxContext* handle_ = nullptr;
};

// A mesh of scattered vertices and one triangle: what bounds need and no more.
inline PrxMesh create_points(PrxContext* context, const float* positions, uint32_t count) {
    const uint32_t triangle[3] = {0, 1, 2};
    PrxMeshDef def = prx_mesh_def_default();
    def.vertex_count = count;
    def.triangle_count = 1;
    def.positions = positions;
    def.position_stride = 12;
    def.indices = triangle;
    PrxMesh mesh;
    must(prx_mesh_create(context, &def, &mesh), context);
    return mesh;
}
