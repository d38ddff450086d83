// A field against a mesh of the same shape that turns and comes closer and deforms, handed over anew in each query: proximity, penalty
// or overlap along one path, at one resolution. mode=rigid: only its pose changes.
#include <cmath>

#include "contestant.hpp"
#include "field.hpp"

namespace {

PrxSamplingPath path_of(const std::string& name) {
    const char* names[] = {"auto", "compute", "three_pass", "geometry_shader", "binned"};
    for (uint32_t i = 0; i < 5; ++i)
        if (name == names[i]) return static_cast<PrxSamplingPath>(i);
    throw std::runtime_error("path=" + name + " is not a path");
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const std::string query = arguments.text("query"), motion = arguments.text("motion");
        const bool deforms = arguments.text("mode", "deforming") == "deforming";
        Context context(on_threads(arguments));
        const PrxField field = bake_field(context, mesh);
        const PrxMesh moving = create_body(context, mesh, mesh.points);

        PrxProximityDef proximity = prx_proximity_def_default();
        PrxPenaltyDef penalty = prx_penalty_def_default();
        PrxOverlapDef overlap = prx_overlap_def_default();
        proximity.path = penalty.path = path_of(arguments.text("path", "auto"));
        penalty.early_z = static_cast<uint32_t>(std::stoul(arguments.text("early_z", "0")));
        proximity.resolution = penalty.resolution = overlap.resolution = static_cast<uint32_t>(arguments.number("resolution"));
        double answer = 0;
        auto ask = [&](const PrxPose& pose) {
            if (query == "proximity") {
                PrxProximity out;
                must(prx_field_proximity(context, field, nullptr, moving, &pose, &proximity, &out), context);
                answer = out.distance;
            } else if (query == "penalty") {
                PrxPenalty out;
                must(prx_field_penalty(context, field, nullptr, moving, &pose, &penalty, &out), context);
                answer = out.area;
            } else {
                PrxOverlap out;
                must(prx_field_overlap(context, field, nullptr, moving, &pose, &overlap, &out), context);
                answer = out.overlap;
            }
        };
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const PrxPose pose = placed(pose_of(motion, mesh, turn));
            const auto points = deforms ? deformed(mesh, Pose{}, turn, motion == "same" ? 0.0 : 0.02) : mesh.points;
            auto sample = contest::shortest_of(2, [&] {
                if (deforms) update(context, moving, points);
                ask(pose);
            });
            sample.answer = {answer};
            return sample;
        });
    });
}
