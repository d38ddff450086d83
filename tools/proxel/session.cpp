#include "session.hpp"

#include "failure.hpp"

namespace cli {
namespace {

// The status' name helps whoever looks it up in the header.
std::string message(const PrxContext* context, PrxStatus status) {
    const std::string why = prx_last_error(context);
    return (why.empty() ? "the library refused" : why) + " [" + prx_status_name(status) + "]";
}

} // namespace

Session::Session(const std::string& device) {
    if (prx_abi_version() != PRX_ABI_VERSION) {
        throw Failure("the proxel library that was loaded (" + std::string(prx_version_string()) + ") has ABI " +
                      std::to_string(prx_abi_version()) + ", this tool needs " + std::to_string(PRX_ABI_VERSION) +
                      "; install them together.");
    }
    PrxContextDef def = prx_context_def_default();
    if (device != "auto") {
        def.device_name = device.c_str();
        // Who names a device wants its answers, and its time.
        def.host_queries = PRX_CHOICE_OFF;
    }
    const PrxStatus status = prx_context_create(&def, &context_);
    if (status != PRX_STATUS_OK) throw Failure(message(nullptr, status));
}

Session::~Session() { prx_context_destroy(context_); }

void Session::check(PrxStatus status) const {
    if (status != PRX_STATUS_OK) throw Failure(message(context_, status));
}

PrxMesh Session::upload(const Mesh& mesh, const std::string& path, std::uint32_t flags, bool in_doubles) const {
    PrxMeshDef def = prx_mesh_def_default();
    def.flags = flags;
    def.label = path.c_str();
    def.vertex_count = static_cast<std::uint32_t>(mesh.positions.size());
    def.triangle_count = static_cast<std::uint32_t>(mesh.triangles.size());
    def.positions = mesh.positions.data();
    def.position_stride = sizeof(Vec3);
    if (in_doubles && !mesh.doubles.empty()) {
        def.positions = mesh.doubles.data();
        def.position_stride = sizeof(Place);
        def.position_format = PRX_POSITION_FORMAT_F64;
    }
    def.indices = mesh.triangles.data();
    def.index_type = PRX_INDEX_TYPE_U32;
    PrxMesh id{};
    const PrxStatus status = prx_mesh_create(context_, &def, &id);
    if (status != PRX_STATUS_OK) throw Failure(path + ": " + message(context_, status));
    return id;
}

void set_pose(PrxPose& out, const Pose& pose) {
    out.position[0] = pose.translation.x;
    out.position[1] = pose.translation.y;
    out.position[2] = pose.translation.z;
    out.rotation[0] = pose.turn.x;
    out.rotation[1] = pose.turn.y;
    out.rotation[2] = pose.turn.z;
    out.rotation[3] = pose.scalar;
}

} // namespace cli
