// Exact queries of two tori that cross, on the context's own pool (pool=own) or on threads that an engine lends (pool=engine).
#include "../../cpp-tests/job_pool.hpp"
#include "contestant.hpp"
#include "context.hpp"

#include <cmath>
#include <memory>

namespace {

PrxMesh torus(PrxContext* context, long triangles, float aside) {
    const auto around = static_cast<std::uint32_t>(std::sqrt(triangles)), along = around / 2;
    std::vector<float> points;
    std::vector<std::uint32_t> corners;
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t j = 0; j < along; ++j) {
            const double u = 2 * M_PI * i / around, v = 2 * M_PI * j / along, r = 1 + 0.4 * std::cos(v);
            for (double x : {r * std::cos(u) + aside, r * std::sin(u), 0.4 * std::sin(v) + aside}) points.push_back(static_cast<float>(x));
            const std::uint32_t next = (i + 1) % around, up = (j + 1) % along;
            const std::uint32_t a = i * along + j, b = next * along + j, c = next * along + up, d = i * along + up;
            corners.insert(corners.end(), {a, b, c, a, c, d});
        }
    PrxMeshDef def = prx_mesh_def_default();
    def.positions = points.data();
    def.vertex_count = static_cast<std::uint32_t>(points.size() / 3);
    def.indices = corners.data();
    def.triangle_count = static_cast<std::uint32_t>(corners.size() / 3);
    PrxMesh mesh;
    must(prx_mesh_create(context, &def, &mesh), context);
    return mesh;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const auto threads = static_cast<int>(arguments.number("threads"));
        std::unique_ptr<test::JobPool> lent;
        PrxContextDef def = prx_context_def_default();
        def.device = PRX_DEVICE_HOST;
        def.worker_threads = static_cast<uint32_t>(threads);
        if (arguments.text("pool") == "engine") {
            lent = std::make_unique<test::JobPool>(threads);
            lent->serve(def);
        }
        Context context(def);
        const PrxMesh a = torus(context, arguments.number("triangles"), 0), b = torus(context, arguments.number("triangles"), 0.31f);
        const std::string query = arguments.text("query");
        std::vector<PrxPair> pairs(1 << 18);
        std::vector<PrxTrianglePair> own(1 << 18);
        PrxExactIntersection shared{};
        contest::compete(context.about(), [&](const contest::Turn&) {
            uint64_t found = 0;
            contest::Sample sample = contest::median_of(15, [&] {
                if (query == "pairs") must(prx_mesh_pairs(context, a, nullptr, b, nullptr, 0, pairs.data(), pairs.size(), &found), context);
                if (query == "self") must(prx_mesh_self_pairs(context, a, own.data(), own.size(), &found), context);
                if (query == "volume") must(prx_mesh_exact_intersection(context, a, nullptr, b, nullptr, &shared), context);
            });
            sample.answer = {query == "volume" ? shared.volume : double(found)};
            return sample;
        });
    });
}
