// The step of a mesh with itself that is free of impacts while a wave grows until it folds the surface; the positions at the end are handed over
// in the time.
#include "body.hpp"
#include "contestant.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        Context context(on_threads(arguments));
        const PrxMesh from = create_body(context, mesh, mesh.points), to = create_body(context, mesh, mesh.points);
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const auto begin = deformed(mesh, Pose{}, turn, 0.02), end = deformed(mesh, Pose{}, turn, 0.12);
            double step = 1;
            update(context, from, begin);
            // The hierarchy of the beginning is that of the step before, as in a simulation.
            must(prx_mesh_free_step_self(context, from, from, nullptr, &step), context);
            const double seconds = contest::seconds_of([&] {
                update(context, to, end);
                must(prx_mesh_free_step_self(context, from, to, nullptr, &step), context);
            });
            return contest::Sample{seconds, {step}};
        });
    });
}
