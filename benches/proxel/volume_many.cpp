// The exact volumes of many pairs of deforming meshes, all handed over anew in every turn: mode=batch in one batch, mode=single one call after the other. The
// answer is their sum.
#include "../volume_pairs.hpp"
#include "body.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const VolumePairs pairs(arguments, mesh, mesh);
        const bool together = arguments.text("mode") == "batch";
        Context context(on_threads(arguments));
        std::vector<std::pair<PrxMesh, PrxMesh>> bodies;
        for (long pair = 0; pair < pairs.count(); ++pair)
            bodies.emplace_back(create_body(context, mesh, mesh.points), create_body(context, mesh, mesh.points));
        std::vector<PrxTicket> tickets(bodies.size());
        PrxBatch* batch = nullptr;
        must(prx_batch_create(context, &batch), context);
        for (size_t i = 0; i < bodies.size(); ++i)
            must(prx_batch_exact_intersection(batch, bodies[i].first, nullptr, bodies[i].second, nullptr, &tickets[i]), context);
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const auto placed = pairs.placed(turn);
            double volume = 0;
            auto sample = contest::median_of(3, [&] {
                volume = 0;
                for (size_t i = 0; i < bodies.size(); ++i) {
                    update(context, bodies[i].first, placed[i].first);
                    update(context, bodies[i].second, placed[i].second);
                }
                if (together) {
                    must(prx_batch_submit(batch, nullptr), context);
                    must(prx_batch_wait(batch, UINT64_MAX), context);
                }
                for (size_t i = 0; i < bodies.size(); ++i) {
                    PrxExactIntersection shared{};
                    must(together ? prx_batch_exact_intersection_result(batch, tickets[i], &shared)
                                  : prx_mesh_exact_intersection(context, bodies[i].first, nullptr, bodies[i].second, nullptr, &shared),
                         context);
                    volume += shared.volume;
                }
            });
            sample.answer = {volume};
            return sample;
        });
        must(prx_batch_destroy(batch), context);
    });
}
