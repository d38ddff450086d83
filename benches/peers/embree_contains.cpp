// Embree's rays from 100,000 points, one each: a point is inside when its ray leaves once more than it enters. The tree is made anew
// because the mesh changed.
#include <embree3/rtcore.h>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <limits>
#include <random>

#include "contestant.hpp"
#include "mesh.hpp"
#include "poses.hpp"

namespace {

struct Counting {
    RTCIntersectContext context;
    int winding = 0;
};

// Counts a crossing and lets the ray go on.
void count(const RTCFilterFunctionNArguments* arguments) {
    auto& counting = *reinterpret_cast<Counting*>(arguments->context);
    const auto* ray = reinterpret_cast<const RTCRay*>(arguments->ray);
    const auto* hit = reinterpret_cast<const RTCHit*>(arguments->hit);
    const float along = ray->dir_x * hit->Ng_x + ray->dir_y * hit->Ng_y + ray->dir_z * hit->Ng_z;
    counting.winding += along > 0 ? 1 : -1;
    arguments->valid[0] = 0;
}

bool is_inside(RTCScene tree, const std::array<float, 3>& point) {
    Counting counting;
    rtcInitIntersectContext(&counting.context);
    RTCRay ray{};
    ray.org_x = point[0], ray.org_y = point[1], ray.org_z = point[2];
    ray.dir_x = 0.577f, ray.dir_y = 0.613f, ray.dir_z = 0.539f;
    ray.tfar = std::numeric_limits<float>::infinity();
    ray.mask = ~0u;
    rtcOccluded1(tree, &counting.context, &ray);
    return counting.winding > 0;
}

}  // namespace

int main(int count_of_words, char** words) {
    return contest::main(count_of_words, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        std::mt19937 random(1);
        std::vector<std::array<float, 3>> points(static_cast<size_t>(arguments.number("points")));
        for (auto& point : points)
            for (int axis = 0; axis < 3; ++axis)
                point[axis] = std::uniform_real_distribution<float>(mesh.low[axis], mesh.high[axis])(random);
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, arguments.number("threads"));
        RTCDevice device = rtcNewDevice(("threads=" + arguments.text("threads")).c_str());
        RTCScene tree = rtcNewScene(device);
        rtcSetSceneFlags(tree, static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_DYNAMIC | RTC_SCENE_FLAG_ROBUST));
        rtcSetSceneBuildQuality(tree, RTC_BUILD_QUALITY_LOW);
        RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        auto* corners = static_cast<float*>(
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, mesh.points.size()));
        void* indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, mesh.triangles.size());
        std::memcpy(indices, mesh.triangles.data(), 12 * mesh.triangles.size());
        rtcSetGeometryOccludedFilterFunction(geometry, count);
        rtcAttachGeometry(tree, geometry);
        contest::compete("Embree " RTC_VERSION_STRING ", rays", [&](const contest::Turn& turn) {
            const auto moved = deformed(mesh, Pose{}, turn);
            std::atomic<long> inside{0};
            const double seconds = contest::seconds_of([&] {
                std::memcpy(corners, moved.data(), 12 * moved.size());
                rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
                rtcCommitGeometry(geometry);
                rtcCommitScene(tree);
                tbb::parallel_for(tbb::blocked_range<size_t>(0, points.size()), [&](const tbb::blocked_range<size_t>& range) {
                    long own = 0;
                    for (size_t i = range.begin(); i < range.end(); ++i) own += is_inside(tree, points[i]);
                    inside += own;
                });
            });
            return contest::Sample{seconds, {double(inside)}};
        });
    });
}
