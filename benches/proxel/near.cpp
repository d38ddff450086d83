// All vertex-face and edge-edge pairs closer than a thickness, of one mesh that deforms or of two of which one does; new positions are
// handed over in the time. The thickness is a part of the longest extent.
#include "body.hpp"
#include "contestant.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool alone = arguments.text("mode") == "self";
        Context context(on_threads(arguments));
        const PrxMesh a = create_body(context, mesh, mesh.points);
        const PrxMesh b = create_body(context, mesh, mesh.points);
        PrxNearDef def = prx_near_def_default();
        def.thickness = std::stod(arguments.text("thickness")) * mesh.longest();
        def.mark_repeats = 1;
        std::vector<PrxNearPair> pairs(1 << 16);
        const auto ask = [&] {
            uint64_t found = 0;
            const auto call = [&] {
                return alone ? prx_mesh_near_self(context, b, &def, pairs.data(), pairs.size(), &found)
                             : prx_mesh_near(context, a, nullptr, b, nullptr, &def, pairs.data(), pairs.size(), &found);
            };
            PrxStatus status = call();
            if (status == PRX_STATUS_BUFFER_TOO_SMALL) {
                pairs.resize(2 * found);
                status = call();
            }
            must(status, context);
            return found;
        };
        ask();
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const auto moved = deformed(mesh, alone ? Pose{} : pose_of("through", mesh, turn), turn, 0.02);
            // Room is made outside of the time.
            update(context, b, moved);
            ask();
            uint64_t found = 0;
            const double seconds = contest::seconds_of([&] {
                update(context, b, moved);
                found = ask();
            });
            const auto once = std::count_if(pairs.begin(), pairs.begin() + static_cast<long>(found),
                                            [](const PrxNearPair& pair) { return pair.repeats == 0; });
            return contest::Sample{seconds, {double(once)}, 1, "\"pairs\": " + std::to_string(found)};
        });
    });
}
