// Embree's rtcCollide on two scenes. It gives pairs of boxes; exact_pair.hpp decides the triangles. mode=rigid: B's tree is built at
// its place beforehand. mode=refit: B's tree is refitted to new positions in the time.
#include <embree3/rtcore.h>

#include <tbb/global_control.h>

#include <mutex>

#include "contestant.hpp"
#include "exact_pair.hpp"
#include "mesh.hpp"
#include "poses.hpp"

namespace {

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
            if (cross(s, t)) kept.push_back({found[i].primID0, found[i].primID1});
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
        const std::string motion = arguments.text("motion", "through");
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, arguments.number("threads"));
        RTCDevice device = rtcNewDevice(("threads=" + arguments.text("threads")).c_str());
        const Body a(device, mesh, false);
        Body b(device, mesh, deforms);
        Search search{&a, &b, {}, {}};
        contest::compete("Embree " RTC_VERSION_STRING ", " + arguments.text("mode"), [&](const contest::Turn& turn) {
            const Pose pose = pose_of(motion, mesh, turn);
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
