// The depth of two bodies in twelve steps, exactly, on triangles: what `contacts` takes as the truth.
#include "../contact_steps.hpp"
#include "body.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool deforms = arguments.text("mode") == "deforming";
        Context context(on_threads(arguments));
        const PrxMesh still = create_body(context, mesh, mesh.points), moving = create_body(context, mesh, mesh.points);
        const PrxPose origin = prx_pose_identity();
        const auto depth = [&](const ContactStep& step) {
            if (deforms) update(context, moving, step.points);
            const PrxPose pose = placed(step.pose);
            PrxProximity answer;
            must(prx_mesh_proximity(context, still, &origin, moving, &pose, &answer), context);
            double least = answer.distance;
            if (!deforms) {  // both ways, as both bodies have fields then
                must(prx_mesh_proximity(context, moving, &pose, still, &origin, &answer), context);
                least = std::min<double>(least, answer.distance);
            }
            return std::max(0.0, -least);
        };
        // Once: the answers are what counts.
        contest::Sample sample{};
        contest::compete(context.about() + ", exact proximity", [&](const contest::Turn&) {
            if (sample.answer.empty()) sample.seconds = contest::seconds_of([&] { sample.answer = some_depths(mesh, deforms, depth); });
            return sample;
        });
    });
}
