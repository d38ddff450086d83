// All intersecting pairs of two meshes. mode=rigid: B has a pose. mode=refit: B's positions are handed over anew in the time.
#include "contestant.hpp"
#include "context.hpp"
#include "mesh.hpp"
#include "poses.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool deforms = arguments.text("mode") == "refit";
        PrxContextDef def = prx_context_def_default();
        def.worker_threads = static_cast<uint32_t>(arguments.number("threads"));
        Context context(def);
        PrxMeshDef shape = prx_mesh_def_default();
        shape.positions = mesh.points.data();
        shape.vertex_count = static_cast<uint32_t>(mesh.points.size());
        shape.indices = mesh.triangles.data();
        shape.triangle_count = static_cast<uint32_t>(mesh.triangles.size());
        PrxMesh a, b;
        must(prx_mesh_create(context, &shape, &a), context);
        shape.flags = PRX_MESH_DEFORMING;
        must(prx_mesh_create(context, &shape, &b), context);
        std::vector<PrxPair> pairs(1 << 16);
        uint64_t found = 0;
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const Pose pose = pose_of("through", mesh, turn);
            PrxPose where = prx_pose_identity();
            const auto moved = deformed(mesh, pose, turn, 0.02);
            if (!deforms) {
                for (int i = 0; i < 3; ++i) where.position[i] = static_cast<float>(pose.translation[i]);
                for (int i = 0; i < 4; ++i) where.rotation[i] = static_cast<float>(pose.rotation[i]);
            }
            contest::Sample sample = contest::shortest_of(deforms ? 3 : 9, [&] {
                if (deforms) must(prx_mesh_update(context, b, 0, shape.vertex_count, moved.data(), 12), context);
                must(prx_mesh_pairs(context, a, nullptr, b, &where, 0, pairs.data(), pairs.size(), &found), context);
            });
            sample.answer = {double(found)};
            return sample;
        });
    });
}
