// Embree's rtcCollide on two scenes. It gives pairs of boxes; the exact test of two triangles is ours: an edge of one crosses the
// other. mode=rigid: B's tree is built at its place beforehand. mode=refit: B's tree is refitted to new positions in the time.
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

struct Body {
    const Mesh* mesh;
    std::vector<Point> points;
    RTCScene tree;
    RTCGeometry geometry;

    Body(RTCDevice device, const Mesh& shape, bool deforms) : mesh(&shape), points(shape.points), tree(rtcNewScene(device)) {
        if (deforms) rtcSetSceneFlags(tree, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(tree, deforms ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_HIGH);
        geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(shape.triangles.size()));
        rtcSetGeometryUserData(geometry, this);
        rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
        if (deforms) rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
        rtcAttachGeometry(tree, geometry);
        commit();
    }
    void commit() {
        rtcCommitGeometry(geometry);
        rtcCommitScene(tree);
    }
    void corners(uint32_t triangle, Point* out) const {
        for (int i = 0; i < 3; ++i) out[i] = points[mesh->triangles[triangle][i]];
    }
    static void bounds(const RTCBoundsFunctionArguments* arguments) {
        Point t[3];
        static_cast<Body*>(arguments->geometryUserPtr)->corners(arguments->primID, t);
        float* low = &arguments->bounds_o->lower_x;
        float* high = &arguments->bounds_o->upper_x;
        for (int i = 0; i < 3; ++i)
            low[i] = std::min({t[0][i], t[1][i], t[2][i]}), high[i] = std::max({t[0][i], t[1][i], t[2][i]});
    }
};

struct Search {
    const Body *a, *b;
    std::mutex lock;
    std::vector<std::array<uint32_t, 2>> pairs;

    static void collide(void* user, RTCCollision* found, unsigned count) {
        Search& search = *static_cast<Search*>(user);
        std::vector<std::array<uint32_t, 2>> kept;
        for (unsigned i = 0; i < count; ++i) {
            Point s[3], t[3];
            search.a->corners(found[i].primID0, s);
            search.b->corners(found[i].primID1, t);
            bool meet = false;
            for (int k = 0; k < 3 && !meet; ++k) meet = crosses(s[k], s[(k + 1) % 3], t) || crosses(t[k], t[(k + 1) % 3], s);
            if (meet) kept.push_back({found[i].primID0, found[i].primID1});
        }
        std::lock_guard<std::mutex> hold(search.lock);
        search.pairs.insert(search.pairs.end(), kept.begin(), kept.end());
    }
};

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool deforms = arguments.text("mode") == "refit";
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, arguments.number("threads"));
        RTCDevice device = rtcNewDevice(("threads=" + arguments.text("threads")).c_str());
        const Body a(device, mesh, false);
        Body b(device, mesh, deforms);
        Search search{&a, &b, {}, {}};
        contest::compete("Embree " RTC_VERSION_STRING ", " + arguments.text("mode"), [&](const contest::Turn& turn) {
            const Pose pose = pose_of("through", mesh, turn);
            auto moved = deformed(mesh, pose, turn, deforms ? 0.02 : 0.0);
            if (!deforms) {
                b.points.swap(moved);
                b.commit();
            }
            contest::Sample sample = contest::shortest_of(deforms ? 3 : 9, [&] {
                if (deforms) {
                    b.points = moved;
                    b.commit();
                }
                search.pairs.clear();
                rtcCollide(a.tree, b.tree, Search::collide, &search);
            });
            std::sort(search.pairs.begin(), search.pairs.end());
            auto end = std::unique(search.pairs.begin(), search.pairs.end());
            sample.answer = {double(end - search.pairs.begin())};
            return sample;
        });
    });
}
