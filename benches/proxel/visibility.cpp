// Which of many bodies touch: by visibility, with boxes or rectangles on a screen of side= pixels, or by hierarchies (method=). The bodies
// are balls, objects= of triangles= each, or the pieces= of a mesh= that breaks.
#include "context.hpp"
#include "pieces.hpp"
#include "spheres.hpp"

namespace {

PrxMesh mesh_of(const Context& context, const Mesh& mesh) {
    PrxMeshDef shape = prx_mesh_def_default();
    shape.positions = mesh.points.data();
    shape.vertex_count = static_cast<uint32_t>(mesh.points.size());
    shape.indices = mesh.triangles.data();
    shape.triangle_count = static_cast<uint32_t>(mesh.triangles.size());
    PrxMesh made;
    must(prx_mesh_create(context, &shape, &made), context);
    return made;
}

PrxPose pose_from(const Pose& from) {
    PrxPose pose = prx_pose_identity();
    for (int k = 0; k < 3; ++k) pose.position[k] = static_cast<float>(from.translation[k]);
    for (int k = 0; k < 4; ++k) pose.rotation[k] = static_cast<float>(from.rotation[k]);
    return pose;
}

PrxCullDef cull_def(const contest::Arguments& arguments) {
    PrxCullDef cull = prx_cull_def_default();
    const std::string method = arguments.text("method");
    cull.method = method == "hierarchy" ? PRX_CULL_METHOD_HIERARCHY : PRX_CULL_METHOD_VISIBILITY;
    cull.path = method == "conservative" ? PRX_CULL_PATH_CONSERVATIVE : PRX_CULL_PATH_BOXES;
    cull.width = cull.height = static_cast<uint32_t>(arguments.number("side"));
    return cull;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        PrxContextDef def = prx_context_def_default();
        def.worker_threads = static_cast<uint32_t>(arguments.number("threads"));
        Context context(def);
        PrxScene scene;
        must(prx_scene_create(context, &scene), context);
        std::vector<PrxObject> objects;
        const auto add = [&](PrxMesh mesh, const PrxPose& pose) {
            objects.emplace_back();
            must(prx_scene_add(context, scene, mesh, &pose, &objects.back()), context);
        };
        const std::string file = arguments.text("mesh", "");
        const Pieces pieces = file.empty() ? Pieces({}, 0) : Pieces(read_mesh(file), static_cast<size_t>(arguments.number("pieces")));
        for (const Mesh& piece : pieces.all) add(mesh_of(context, piece), prx_pose_identity());
        if (file.empty()) {
            const Spheres spheres(arguments.number("objects"), arguments.number("triangles"));
            const PrxMesh ball = mesh_of(context, spheres.one);
            for (const auto& centre : spheres.centres) add(ball, pose_from({{0, 0, 0, 1}, {centre[0], centre[1], centre[2]}}));
        }
        const PrxCullDef cull = cull_def(arguments);
        std::vector<PrxObjectPair> pairs(64 * objects.size());
        std::vector<PrxPose> poses(pieces.all.size());
        contest::compete(context.about() + ", " + arguments.text("method"), [&](const contest::Turn& turn) {
            for (size_t i = 0; i < poses.size(); ++i) poses[i] = pose_from(pieces.at(i, turn.fraction));
            if (!poses.empty()) must(prx_scene_move(context, scene, objects.data(), poses.data(), poses.size()), context);
            PrxCullStats stats{};
            uint64_t found = 0;
            contest::Sample sample{contest::seconds_of([&] {
                must(prx_scene_colliding(context, scene, 0, &cull, pairs.data(), pairs.size(), &found, &stats), context);
            })};
            sample.answer = {double(found)};
            sample.extra = "\"box_pairs\": " + std::to_string(stats.box_pairs) + ", \"object_pairs\": " + std::to_string(stats.object_pairs);
            return sample;
        });
    });
}
