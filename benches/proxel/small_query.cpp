// A query that is as small as it gets, through the C API. SmallQuery.cs is the same through the C# layer.
#include <proxel.h>

#include <cmath>

#include "contestant.hpp"
#include "context.hpp"

namespace {

constexpr int kCalls = 50, kSamples = 40;

PrxMesh cube(PrxContext* context, float half) {
    float corners[8][3];
    for (int corner = 0; corner < 8; ++corner)
        for (int axis = 0; axis < 3; ++axis) corners[corner][axis] = (corner >> axis & 1) != 0 ? half : -half;
    const uint32_t indices[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    PrxMeshDef def = prx_mesh_def_default();
    def.vertex_count = 8;
    def.triangle_count = 12;
    def.positions = corners;
    def.position_stride = 12;
    def.indices = indices;
    PrxMesh mesh;
    must(prx_mesh_create(context, &def, &mesh), context);
    return mesh;
}

// The shortest of many rows of calls, for one call: what it costs when no one takes the processor away.
template <class Query>
contest::Sample timed(Query&& query) {
    double best = INFINITY, answer = 0;
    for (int sample = 0; sample < kSamples; ++sample)
        best = std::min(best, contest::seconds_of([&] {
                            for (int call = 0; call < kCalls; ++call) answer = query();
                        }));
    return {best / kCalls, {answer}, kCalls * kSamples, {}};
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const std::string query = arguments.text("query");
        PrxContextDef def = prx_context_def_default();
        def.worker_threads = 1;
        Context context(def);
        const PrxMesh large = cube(context, 1), small = cube(context, 0.5f);
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const PrxPose here = prx_pose_identity();
            PrxPose there = here;
            there.position[0] = static_cast<float>(1.5 + 0.2 * turn.fraction);
            if (query == "bounds") {
                return timed([&] {
                    PrxBounds bounds;
                    must(prx_mesh_bounds(context, small, &there, &bounds), context);
                    return bounds.max[0];
                });
            }
            return timed([&] {
                PrxDistance distance;
                must(prx_mesh_distance(context, large, &here, small, &there, nullptr, &distance), context);
                return static_cast<float>(distance.distance);
            });
        });
    });
}
