// A benchmark's mesh in a context.
#pragma once

#include "context.hpp"
#include "mesh.hpp"
#include "poses.hpp"

inline PrxContextDef on_threads(const contest::Arguments& arguments) {
    PrxContextDef def = prx_context_def_default();
    def.worker_threads = static_cast<uint32_t>(arguments.number("threads"));
    return def;
}

inline PrxMesh create_body(PrxContext* context, const Mesh& mesh, const std::vector<std::array<float, 3>>& points) {
    PrxMeshDef def = prx_mesh_def_default();
    def.vertex_count = static_cast<uint32_t>(points.size());
    def.triangle_count = static_cast<uint32_t>(mesh.triangles.size());
    def.positions = points.data()->data();
    def.position_stride = 12;
    def.indices = mesh.triangles.data()->data();
    def.flags = PRX_MESH_DEFORMING;
    PrxMesh body;
    must(prx_mesh_create(context, &def, &body), context);
    return body;
}

inline void update(PrxContext* context, PrxMesh body, const std::vector<std::array<float, 3>>& points) {
    must(prx_mesh_update(context, body, 0, static_cast<uint32_t>(points.size()), points.data()->data(), 12), context);
}

inline PrxPose placed(const Pose& pose) {
    PrxPose out = prx_pose_identity();
    for (int i = 0; i < 3; ++i) out.position[i] = static_cast<float>(pose.translation[i]);
    for (int i = 0; i < 4; ++i) out.rotation[i] = static_cast<float>(pose.rotation[i]);
    return out;
}
