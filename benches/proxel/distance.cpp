// The exact distance of two meshes: rigid, or with the second deforming and its new positions handed over in the time.
#include "body.hpp"
#include "contestant.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const std::string mode = arguments.text("mode"), motion = arguments.text("motion");
        Context context(on_threads(arguments));
        const PrxMesh a = create_body(context, mesh, mesh.points), b = create_body(context, mesh, mesh.points);
        const auto distance = [&](const PrxPose* pose) {
            PrxDistance found;
            must(prx_mesh_distance(context, a, nullptr, b, pose, nullptr, &found), context);
            return found.distance;
        };
        distance(nullptr);
        contest::compete(context.about() + ", " + mode, [&](const contest::Turn& turn) {
            const Pose pose = pose_of(motion, mesh, turn);
            double found = 0;
            if (mode == "rigid") {
                const PrxPose where = placed(pose);
                const double seconds = contest::seconds_of([&] { found = distance(&where); });
                return contest::Sample{seconds, {found}};
            }
            const auto moved = deformed(mesh, pose, turn);
            const double seconds = contest::seconds_of([&] {
                update(context, b, moved);
                found = distance(nullptr);
            });
            return contest::Sample{seconds, {found}};
        });
        prx_mesh_destroy(context, a);
        prx_mesh_destroy(context, b);
    });
}
