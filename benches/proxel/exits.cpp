// Particles in the box of a mesh that is handed over anew in every turn: which are inside, how deep, and where they get out. The answer is how many
// are inside, and the sum of their depths.
#include <random>

#include "context.hpp"
#include "poses.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        Context context;
        PrxMeshDef mesh_def = prx_mesh_def_default();
        mesh_def.vertex_count = static_cast<uint32_t>(mesh.points.size());
        mesh_def.triangle_count = static_cast<uint32_t>(mesh.triangles.size());
        mesh_def.positions = mesh.points.data();
        mesh_def.position_stride = 12;
        mesh_def.indices = mesh.triangles.data();
        mesh_def.index_type = PRX_INDEX_TYPE_U32;
        mesh_def.flags = PRX_MESH_DEFORMING;
        PrxMesh made;
        must(prx_mesh_create(context, &mesh_def, &made), context);
        std::mt19937 random(1);
        std::vector<std::array<float, 3>> points(static_cast<size_t>(arguments.number("points")));
        for (auto& point : points)
            for (int axis = 0; axis < 3; ++axis)
                point[axis] = std::uniform_real_distribution<float>(mesh.low[axis], mesh.high[axis])(random);
        std::vector<PrxExit> exits(points.size());
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const auto moved = deformed(mesh, Pose{}, turn);
            auto sample = contest::median_of(3, [&] {
                must(prx_mesh_update(context, made, 0, static_cast<uint32_t>(moved.size()), moved.data(), 12), context);
                must(prx_mesh_exits(context, made, nullptr, points.data(), static_cast<uint32_t>(points.size()), 12, exits.data()), context);
            });
            double found = 0, depth = 0;
            for (const PrxExit& exit : exits) {
                found += exit.inside;
                depth += exit.depth;
            }
            sample.answer = {found, depth};
            return sample;
        });
    });
}
