// The step of a mesh with itself that is free of impacts while a wave grows until it folds the surface, or while it goes to where another file has it
// (`end=`), and with `answer=list` all of them; the positions at the end are handed over in the time.
#include "body.hpp"
#include "contestant.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        Context context(on_threads(arguments));
        const PrxMesh from = create_body(context, mesh, mesh.points), to = create_body(context, mesh, mesh.points);
        const std::string there = arguments.text("end", "");
        const Mesh goal = there.empty() ? Mesh{} : read_mesh(there);
        const bool lists = arguments.text("answer", "step") == "list";
        std::vector<PrxFeatureImpact> impacts(1 << 16);
        const auto list = [&] {
            uint64_t found = 0;
            const auto ask = [&] { return prx_mesh_impacts_self(context, from, to, nullptr, impacts.data(), impacts.size(), &found); };
            PrxStatus status = ask();
            if (status == PRX_STATUS_BUFFER_TOO_SMALL) {
                impacts.resize(2 * found);
                status = ask();
            }
            must(status, context);
            return double(found);
        };
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const auto begin = there.empty() ? deformed(mesh, Pose{}, turn, 0.02) : mesh.points;
            const auto end = there.empty() ? deformed(mesh, Pose{}, turn, 0.12) : goal.points;
            double step = 1;
            update(context, from, begin);
            // The hierarchy of the beginning is that of the step before, as in a simulation.
            must(prx_mesh_free_step_self(context, from, from, nullptr, &step), context);
            if (lists) {
                // Room is made outside of the time.
                update(context, to, end);
                list();
            }
            const double seconds = contest::seconds_of([&] {
                update(context, to, end);
                if (lists) step = list();
                else must(prx_mesh_free_step_self(context, from, to, nullptr, &step), context);
            });
            return contest::Sample{seconds, {step}};
        });
    });
}
