// The first time of impact of two meshes whose vertices move along lines; both ends are handed over in the time.
#include "body.hpp"
#include "contestant.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        Context context(on_threads(arguments));
        const double length = double(mesh.high[0]) - mesh.low[0];
        const auto aside = [](std::vector<std::array<float, 3>> points, double by) {
            for (auto& p : points) p[0] = static_cast<float>(p[0] + by);
            return points;
        };
        const auto begin = aside(mesh.points, 1.2 * length);
        const PrxMesh a = create_body(context, mesh, mesh.points);
        const PrxMesh b0 = create_body(context, mesh, begin), b1 = create_body(context, mesh, begin);
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const auto end = aside(deformed(mesh, Pose{}, turn, 0.005), (0.8 - 0.1 * turn.fraction) * length);
            PrxImpact impact;
            const double seconds = contest::seconds_of([&] {
                update(context, b0, begin);
                update(context, b1, end);
                must(prx_mesh_sweep(context, a, a, b0, b1, nullptr, &impact), context);
            });
            return contest::Sample{seconds, {impact.hit != 0 ? impact.time : 1.0}};
        });
        for (PrxMesh mesh : {a, b0, b1}) prx_mesh_destroy(context, mesh);
    });
}
