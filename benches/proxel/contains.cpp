// 100,000 points in the box of a mesh that is handed over anew in every turn. mode=exact decides points near the surface exactly.
// The answer is how many are inside. The points stay on the device, as they stay in the rivals' arrays.
#include <random>

#include "context.hpp"
#include "poses.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        PrxLdiDef def = prx_ldi_def_default();
        def.resolution = static_cast<uint32_t>(std::stoul(arguments.text("resolution", "128")));
        const std::string generator = arguments.text("generator", "compute");
        def.generator = generator == "lists" ? PRX_GENERATOR_LISTS : generator == "stencil" ? PRX_GENERATOR_STENCIL : PRX_GENERATOR_COMPUTE;
        if (arguments.text("mode", "rays") == "exact") def.flags = PRX_LDI_EXACT;
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
        std::vector<uint32_t> inside(points.size());
        const auto total = static_cast<uint32_t>(points.size());
        PrxBatch* batch;
        PrxTicket ticket{};
        must(prx_batch_create(context, &batch), context);
        const bool exact = def.flags != 0;
        if (!exact) must(prx_batch_contains(batch, made, nullptr, points.data(), total, 12, &def, &ticket), context);
        const auto ask = [&] {
            if (exact) return must(prx_mesh_contains(context, made, nullptr, points.data(), total, 12, &def, inside.data()), context);
            std::uint64_t answered = 0;
            must(prx_batch_submit(batch, nullptr), context);
            must(prx_batch_wait(batch, UINT64_MAX), context);
            must(prx_batch_contains_result(batch, ticket, inside.data(), total, &answered), context);
        };
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const auto moved = deformed(mesh, Pose{}, turn);
            auto sample = contest::median_of(3, [&] {
                must(prx_mesh_update(context, made, 0, static_cast<uint32_t>(moved.size()), moved.data(), 12), context);
                ask();
            });
            double found = 0;
            for (uint32_t bits : inside) found += bits & PRX_CONTAINMENT_INSIDE;
            sample.answer = {found};
            return sample;
        });
        must(prx_batch_destroy(batch), context);
    });
}
