// A scene of boxes that all move each turn: new poses in, pairs of objects out.
#include "boxes.hpp"
#include "context.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        Boxes boxes(arguments.number("boxes"));
        PrxContextDef def = prx_context_def_default();
        def.worker_threads = static_cast<uint32_t>(arguments.number("threads"));
        Context context(def);
        PrxScene scene;
        must(prx_scene_create(context, &scene), context);
        std::vector<PrxMesh> meshes;
        for (size_t size = 0; size < Boxes::sizes; ++size) {
            const auto h = Boxes::half_of(size);
            // A box's long diagonal triangle pair spans it: two triangles are enough for its bounds.
            const float points[] = {-h[0], -h[1], -h[2], h[0], h[1], h[2], h[0], -h[1], h[2], -h[0], h[1], -h[2]};
            const uint32_t triangles[] = {0, 1, 2, 0, 3, 1};
            PrxMeshDef shape = prx_mesh_def_default();
            shape.positions = points;
            shape.vertex_count = 4;
            shape.indices = triangles;
            shape.triangle_count = 2;
            meshes.emplace_back();
            must(prx_mesh_create(context, &shape, &meshes.back()), context);
        }
        std::vector<PrxObject> objects(boxes.places.size());
        std::vector<PrxPose> poses(objects.size(), prx_pose_identity());
        for (size_t i = 0; i < objects.size(); ++i)
            must(prx_scene_add(context, scene, meshes[i % Boxes::sizes], nullptr, &objects[i]), context);
        std::vector<PrxObjectPair> pairs(64 * objects.size());
        uint64_t found = 0;
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            boxes.plan(turn);
            contest::Sample sample = contest::shortest_of(5, [&, step = size_t{0}]() mutable {
                const auto& centres = boxes.at(step++);
                for (size_t i = 0; i < objects.size(); ++i)
                    for (int axis = 0; axis < 3; ++axis) poses[i].position[axis] = centres[i][axis];
                must(prx_scene_move(context, scene, objects.data(), poses.data(), objects.size()), context);
                must(prx_scene_object_pairs(context, scene, 0, pairs.data(), pairs.size(), &found), context);
            });
            sample.answer = {double(found)};
            return sample;
        });
    });
}
