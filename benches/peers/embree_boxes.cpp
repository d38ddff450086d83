// Embree as a broad phase: a tree over all boxes built anew each turn, and rtcCollide of it with itself.
#include <embree3/rtcore.h>

#include <tbb/global_control.h>

#include <atomic>

#include "boxes.hpp"

static const Boxes::Vec* now;

// Embree gives pairs of leaves; whether the boxes themselves overlap is ours to see.
static bool overlap(unsigned one, unsigned two) {
    const Boxes::Vec a = Boxes::half_of(one % Boxes::sizes), b = Boxes::half_of(two % Boxes::sizes);
    for (int i = 0; i < 3; ++i)
        if (std::abs(now[one][i] - now[two][i]) > a[i] + b[i]) return false;
    return true;
}

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        Boxes boxes(arguments.number("boxes"));
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, arguments.number("threads"));
        RTCDevice device = rtcNewDevice(("threads=" + arguments.text("threads")).c_str());
        RTCScene tree = rtcNewScene(device);
        rtcSetSceneFlags(tree, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(tree, RTC_BUILD_QUALITY_LOW);
        RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(boxes.places.size()));
        rtcSetGeometryBoundsFunction(
            geometry,
            [](const RTCBoundsFunctionArguments* at) {
                const Boxes::Vec centre = now[at->primID], half = Boxes::half_of(at->primID % Boxes::sizes);
                float* low = &at->bounds_o->lower_x;
                float* high = &at->bounds_o->upper_x;
                for (int i = 0; i < 3; ++i) {
                    low[i] = centre[i] - half[i];
                    high[i] = centre[i] + half[i];
                }
            },
            nullptr);
        rtcAttachGeometry(tree, geometry);
        std::atomic<long> pairs{0};
        contest::compete("Embree " RTC_VERSION_STRING ", rebuilt", [&](const contest::Turn& turn) {
            boxes.plan(turn);
            contest::Sample sample = contest::shortest_of(5, [&, step = size_t{0}]() mutable {
                now = boxes.at(step++).data();
                pairs = 0;
                rtcCommitGeometry(geometry);
                rtcCommitScene(tree);
                rtcCollide(
                    tree, tree,
                    [](void* user, RTCCollision* found, unsigned n) {
                        long mine = 0;
                        for (unsigned i = 0; i < n; ++i) mine += found[i].primID0 < found[i].primID1 && overlap(found[i].primID0, found[i].primID1);
                        *static_cast<std::atomic<long>*>(user) += mine;
                    },
                    &pairs);
            });
            sample.answer = {double(pairs)};
            return sample;
        });
    });
}
