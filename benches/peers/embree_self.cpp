// Embree's rtcCollide on one scene with itself, its tree refitted each turn; it gives pairs of boxes, so the exact test of
// two triangles is ours: an edge of one crosses the other.
#include <embree3/rtcore.h>

#include <tbb/global_control.h>

#include <mutex>

#include "contestant.hpp"
#include "mesh.hpp"
#include "poses.hpp"

namespace {

using Point = std::array<float, 3>;

double volume(const Point& a, const Point& b, const Point& c, const Point& d) {
    double u[3], v[3], w[3];
    for (int i = 0; i < 3; ++i) u[i] = double(b[i]) - a[i], v[i] = double(c[i]) - a[i], w[i] = double(d[i]) - a[i];
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

bool crosses(const Point& p, const Point& q, const Point* t) {
    if (volume(t[0], t[1], t[2], p) * volume(t[0], t[1], t[2], q) > 0) return false;
    double a = volume(p, q, t[0], t[1]), b = volume(p, q, t[1], t[2]), c = volume(p, q, t[2], t[0]);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

struct Scene {
    Mesh mesh;
    std::vector<Point> points;
    std::mutex lock;
    std::vector<std::array<uint32_t, 2>> pairs;

    bool intersect(uint32_t one, uint32_t two) const {
        const auto &a = mesh.triangles[one], &b = mesh.triangles[two];
        for (uint32_t i : a)
            for (uint32_t j : b)
                if (i == j) return false;
        Point s[3] = {points[a[0]], points[a[1]], points[a[2]]}, t[3] = {points[b[0]], points[b[1]], points[b[2]]};
        for (int i = 0; i < 3; ++i)
            if (crosses(s[i], s[(i + 1) % 3], t) || crosses(t[i], t[(i + 1) % 3], s)) return true;
        return false;
    }
};

void bounds(const RTCBoundsFunctionArguments* arguments) {
    const Scene& scene = *static_cast<Scene*>(arguments->geometryUserPtr);
    const auto& t = scene.mesh.triangles[arguments->primID];
    const Point &a = scene.points[t[0]], &b = scene.points[t[1]], &c = scene.points[t[2]];
    float* low = &arguments->bounds_o->lower_x;
    float* high = &arguments->bounds_o->upper_x;
    for (int i = 0; i < 3; ++i) low[i] = std::min({a[i], b[i], c[i]}), high[i] = std::max({a[i], b[i], c[i]});
}

void collide(void* user, RTCCollision* found, unsigned count) {
    Scene& scene = *static_cast<Scene*>(user);
    std::vector<std::array<uint32_t, 2>> kept;
    for (unsigned i = 0; i < count; ++i)
        if (found[i].primID0 < found[i].primID1 && scene.intersect(found[i].primID0, found[i].primID1))
            kept.push_back({found[i].primID0, found[i].primID1});
    std::lock_guard<std::mutex> hold(scene.lock);
    scene.pairs.insert(scene.pairs.end(), kept.begin(), kept.end());
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        Scene scene;
        scene.mesh = read_mesh(arguments.text("mesh"));
        scene.points = scene.mesh.points;
        double wave = std::stod(arguments.text("wave"));
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, arguments.number("threads"));
        RTCDevice device = rtcNewDevice(("threads=" + arguments.text("threads")).c_str());
        RTCScene tree = rtcNewScene(device);
        rtcSetSceneFlags(tree, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(tree, RTC_BUILD_QUALITY_LOW);
        RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(scene.mesh.triangles.size()));
        rtcSetGeometryUserData(geometry, &scene);
        rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
        rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(tree, geometry);
        rtcCommitScene(tree);
        contest::compete("Embree " RTC_VERSION_STRING ", refit", [&](const contest::Turn& turn) {
            auto moved = deformed(scene.mesh, Pose{}, turn, wave);
            double seconds = contest::seconds_of([&] {
                scene.points.swap(moved);
                scene.pairs.clear();
                rtcCommitGeometry(geometry);
                rtcCommitScene(tree);
                rtcCollide(tree, tree, collide, &scene);
            });
            std::sort(scene.pairs.begin(), scene.pairs.end());
            auto end = std::unique(scene.pairs.begin(), scene.pairs.end());
            return contest::Sample{seconds, {double(end - scene.pairs.begin())}};
        });
    });
}
