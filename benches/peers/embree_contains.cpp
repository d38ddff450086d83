// Embree's rays from 100,000 points, one each: a point is inside when its ray leaves once more than it enters. The tree is made anew
// because the mesh changed. exits=yes asks for the point of the surface that is nearest to each point inside, too.
#include <embree3/rtcore.h>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <limits>
#include <numeric>
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

// What a query for the nearest point looks at, and what it has found.
struct Nearest {
    const float* corners;
    const std::array<std::uint32_t, 3>* triangles;
    float squared = std::numeric_limits<float>::infinity();
};

// Squared distance to a triangle, by the Voronoi regions of its features (Ericson 2005, section 5.1.5).
float distance_squared(const float* p, const float* a, const float* b, const float* c) {
    const auto minus = [](const float* u, const float* v) { return std::array<float, 3>{u[0] - v[0], u[1] - v[1], u[2] - v[2]}; };
    const auto dot = [](const auto& u, const auto& v) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; };
    const auto along = [&](const auto& from, const auto& u, float s, const auto& v, float t) {
        float sum = 0;
        for (int k = 0; k < 3; ++k) {
            const float gap = from[k] - s * u[k] - t * v[k];
            sum += gap * gap;
        }
        return sum;
    };
    const auto ab = minus(b, a), ac = minus(c, a), ap = minus(p, a), bp = minus(p, b), cp = minus(p, c);
    const float d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d1 <= 0 && d2 <= 0) return dot(ap, ap);
    if (d3 >= 0 && d4 <= d3) return dot(bp, bp);
    if (d6 >= 0 && d5 <= d6) return dot(cp, cp);
    const float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return along(ap, ab, d1 / (d1 - d3), ac, 0);
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return along(ap, ab, 0, ac, d2 / (d2 - d6));
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const float t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return along(ap, ab, 1 - t, ac, t);
    }
    const float scale = 1 / (va + vb + vc);
    return along(ap, ab, vb * scale, ac, vc * scale);
}

bool look(RTCPointQueryFunctionArguments* arguments) {
    auto& nearest = *static_cast<Nearest*>(arguments->userPtr);
    const auto& triangle = nearest.triangles[arguments->primID];
    const float p[3] = {arguments->query->x, arguments->query->y, arguments->query->z};
    const float squared = distance_squared(p, nearest.corners + 3 * triangle[0], nearest.corners + 3 * triangle[1], nearest.corners + 3 * triangle[2]);
    if (squared >= nearest.squared) return false;
    nearest.squared = squared;
    arguments->query->radius = std::sqrt(squared);
    return true;
}

double depth_of(RTCScene tree, const std::array<float, 3>& point, Nearest nearest) {
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    RTCPointQuery query{};
    query.x = point[0], query.y = point[1], query.z = point[2];
    query.radius = std::numeric_limits<float>::infinity();
    rtcPointQuery(tree, &query, &context, look, &nearest);
    return std::sqrt(nearest.squared);
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
        const bool exits = arguments.text("exits", "no") == "yes";
        const Nearest start{corners, reinterpret_cast<const std::array<std::uint32_t, 3>*>(mesh.triangles.data())};
        std::vector<double> depths(exits ? points.size() : 0);
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
                    for (size_t i = range.begin(); i < range.end(); ++i) {
                        const bool inside = is_inside(tree, points[i]);
                        own += inside;
                        if (exits) depths[i] = inside ? depth_of(tree, points[i], start) : 0;
                    }
                    inside += own;
                });
            });
            if (exits) return contest::Sample{seconds, {double(inside), std::accumulate(depths.begin(), depths.end(), 0.0)}};
            return contest::Sample{seconds, {double(inside)}};
        });
    });
}
