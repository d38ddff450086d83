// All intersecting pairs of triangles within one mesh that deforms, its new positions handed over in the time.
#include "body.hpp"
#include "contestant.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const double wave = std::stod(arguments.text("wave"));
        Context context(on_threads(arguments));
        const PrxMesh body = create_body(context, mesh, mesh.points);
        std::vector<PrxTrianglePair> pairs(1 << 20);
        const auto find = [&] {
            uint64_t found = 0;
            must(prx_mesh_self_pairs(context, body, pairs.data(), pairs.size(), &found), context);
            return found;
        };
        find();
        // The peers do not compare triangles with a common vertex.
        const auto share = [&](const PrxTrianglePair& pair) {
            for (uint32_t i : mesh.triangles[pair.first])
                for (uint32_t j : mesh.triangles[pair.second])
                    if (i == j) return true;
            return false;
        };
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const auto moved = deformed(mesh, Pose{}, turn, wave);
            uint64_t found = 0;
            const double seconds = contest::seconds_of([&] {
                update(context, body, moved);
                found = find();
            });
            const auto beside = std::count_if(pairs.begin(), pairs.begin() + static_cast<long>(found), share);
            return contest::Sample{seconds, {double(found) - double(beside)}};
        });
        prx_mesh_destroy(context, body);
    });
}
