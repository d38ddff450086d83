// Which of many balls touch: by visibility, with boxes or rectangles on a screen of side= pixels, or by hierarchies (method=).
#include "context.hpp"
#include "spheres.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Spheres spheres(arguments.number("objects"), arguments.number("triangles"));
        PrxContextDef def = prx_context_def_default();
        def.worker_threads = static_cast<uint32_t>(arguments.number("threads"));
        Context context(def);
        PrxScene scene;
        must(prx_scene_create(context, &scene), context);
        PrxMeshDef shape = prx_mesh_def_default();
        shape.positions = spheres.one.points.data();
        shape.vertex_count = static_cast<uint32_t>(spheres.one.points.size());
        shape.indices = spheres.one.triangles.data();
        shape.triangle_count = static_cast<uint32_t>(spheres.one.triangles.size());
        PrxMesh mesh;
        must(prx_mesh_create(context, &shape, &mesh), context);
        for (const auto& centre : spheres.centres) {
            PrxPose pose = prx_pose_identity();
            for (int axis = 0; axis < 3; ++axis) pose.position[axis] = centre[axis];
            PrxObject object;
            must(prx_scene_add(context, scene, mesh, &pose, &object), context);
        }
        PrxCullDef cull = prx_cull_def_default();
        const std::string method = arguments.text("method");
        cull.method = method == "hierarchy" ? PRX_CULL_METHOD_HIERARCHY : PRX_CULL_METHOD_VISIBILITY;
        cull.path = method == "conservative" ? PRX_CULL_PATH_CONSERVATIVE : PRX_CULL_PATH_BOXES;
        cull.width = cull.height = static_cast<uint32_t>(arguments.number("side"));
        std::vector<PrxObjectPair> pairs(64 * spheres.centres.size());
        PrxCullStats stats{};
        uint64_t found = 0;
        contest::compete(context.about() + ", " + method, [&](const contest::Turn&) {
            contest::Sample sample = contest::shortest_of(2, [&] {
                must(prx_scene_colliding(context, scene, 0, &cull, pairs.data(), pairs.size(), &found, &stats), context);
            });
            sample.answer = {double(found)};
            sample.extra = "\"box_pairs\": " + std::to_string(stats.box_pairs) + ", \"object_pairs\": " + std::to_string(stats.object_pairs);
            return sample;
        });
    });
}
