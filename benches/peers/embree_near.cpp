// Embree: vertices by rtcPointQuery among the triangles, edges by rtcCollide of boxes grown by half of the thickness; trees are refitted each
// turn. What the boxes leave is measured in double precision here.
#include <embree3/rtcore.h>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <tuple>

#include "contestant.hpp"
#include "mesh.hpp"
#include "poses.hpp"

namespace {

struct Vector {
    double x, y, z;
};
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator*(double s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double clamp(double t) { return std::min(std::max(t, 0.0), 1.0); }

struct Found {
    uint32_t kind, first, second;
    double squared, weights[3];
    bool operator<(const Found& o) const { return std::tie(kind, first, second) < std::tie(o.kind, o.first, o.second); }
};

// The nearest point of a triangle (Ericson 2005, section 5.1.5).
double to_triangle(Vector p, Vector a, Vector b, Vector c, double* w) {
    const Vector ab = b - a, ac = c - a, ap = p - a;
    const auto at = [&](double v, double u) {
        w[0] = 1 - v - u, w[1] = v, w[2] = u;
        const Vector d = p - (a + v * ab + u * ac);
        return dot(d, d);
    };
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return at(0, 0);
    const Vector bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return at(1, 0);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return at(d1 / (d1 - d3), 0);
    const Vector cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return at(0, 1);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return at(0, d2 / (d2 - d6));
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return at(1 - t, t);
    }
    const double size = 1 / (va + vb + vc);
    return at(vb * size, vc * size);
}

// The nearest points of two segments (Ericson 2005, section 5.1.9).
double of_edges(Vector p, Vector p1, Vector q, Vector q1, double* w) {
    const Vector u = p1 - p, v = q1 - q, r = p - q;
    const double a = dot(u, u), e = dot(v, v), b = dot(u, v), c = dot(u, r), f = dot(v, r), size = a * e - b * b;
    double s = size > 0 ? clamp((b * f - c * e) / size) : 0, t = (b * s + f) / e;
    if (t < 0) t = 0, s = clamp(-c / a);
    if (t > 1) t = 1, s = clamp((b - c) / a);
    w[0] = s, w[1] = t, w[2] = 0;
    const Vector d = (p + s * u) - (q + t * v);
    return dot(d, d);
}

struct Body {
    std::vector<std::array<float, 3>> points;
    const Mesh* mesh = nullptr;
    std::vector<std::array<uint32_t, 2>> edges;
    float grow = 0;
    RTCScene faces = nullptr, lines = nullptr;
    RTCGeometry face_geometry = nullptr, line_geometry = nullptr;

    Vector at(uint32_t v) const { return {points[v][0], points[v][1], points[v][2]}; }

    void create(RTCDevice device, const Mesh& from, float half) {
        mesh = &from;
        points = from.points;
        points.reserve(points.size() + 1);
        grow = half;
        for (const auto& t : from.triangles)
            for (int k = 0; k < 3; ++k) edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
        std::sort(edges.begin(), edges.end());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        const auto scene = [&] {
            RTCScene s = rtcNewScene(device);
            rtcSetSceneFlags(s, RTC_SCENE_FLAG_DYNAMIC);
            rtcSetSceneBuildQuality(s, RTC_BUILD_QUALITY_LOW);
            return s;
        };
        faces = scene(), lines = scene();
        face_geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        rtcSetSharedGeometryBuffer(face_geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, points.data(), 0, 12, points.size());
        rtcSetSharedGeometryBuffer(face_geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, from.triangles.data(), 0, 12, from.triangles.size());
        rtcSetGeometryBuildQuality(face_geometry, RTC_BUILD_QUALITY_REFIT);
        line_geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryUserPrimitiveCount(line_geometry, static_cast<unsigned>(edges.size()));
        rtcSetGeometryUserData(line_geometry, this);
        rtcSetGeometryBoundsFunction(line_geometry, [](const RTCBoundsFunctionArguments* arguments) {
            const Body& body = *static_cast<Body*>(arguments->geometryUserPtr);
            const auto& e = body.edges[arguments->primID];
            float *low = &arguments->bounds_o->lower_x, *high = &arguments->bounds_o->upper_x;
            for (int i = 0; i < 3; ++i) {
                low[i] = std::min(body.points[e[0]][i], body.points[e[1]][i]) - body.grow;
                high[i] = std::max(body.points[e[0]][i], body.points[e[1]][i]) + body.grow;
            }
        }, nullptr);
        rtcSetGeometryBuildQuality(line_geometry, RTC_BUILD_QUALITY_REFIT);
        for (auto [s, g] : {std::pair{faces, face_geometry}, std::pair{lines, line_geometry}}) {
            rtcCommitGeometry(g);
            rtcAttachGeometry(s, g);
            rtcCommitScene(s);
        }
    }

    void refit(const std::vector<std::array<float, 3>>& moved) {
        std::copy(moved.begin(), moved.end(), points.begin());
        rtcUpdateGeometryBuffer(face_geometry, RTC_BUFFER_TYPE_VERTEX, 0);
        for (auto [s, g] : {std::pair{faces, face_geometry}, std::pair{lines, line_geometry}}) {
            rtcCommitGeometry(g);
            rtcCommitScene(s);
        }
    }
};

struct Search {
    Body *a = nullptr, *b = nullptr;
    bool alone = false;
    double limit_squared = 0;
    tbb::enumerable_thread_specific<std::vector<Found>> found;
};

struct Query {
    Search* search;
    const Body* faces;
    Vector point;
    uint32_t vertex, kind;
    std::vector<Found>* found;
};

bool near_face(RTCPointQueryFunctionArguments* arguments) {
    const Query& query = *static_cast<Query*>(arguments->userPtr);
    const auto& t = query.faces->mesh->triangles[arguments->primID];
    if (query.search->alone && (t[0] == query.vertex || t[1] == query.vertex || t[2] == query.vertex)) return false;
    Found pair{query.kind, query.vertex, arguments->primID, 0, {}};
    pair.squared = to_triangle(query.point, query.faces->at(t[0]), query.faces->at(t[1]), query.faces->at(t[2]), pair.weights);
    if (pair.squared < query.search->limit_squared) query.found->push_back(pair);
    return false;
}

void vertices(Search& search, const Body& of, Body& faces, uint32_t kind) {
    const float radius = std::nextafter(static_cast<float>(std::sqrt(search.limit_squared)), 1e30f);
    tbb::parallel_for(tbb::blocked_range<size_t>(0, of.points.size(), 256), [&](const auto& range) {
        RTCPointQueryContext context;
        for (size_t v = range.begin(); v < range.end(); ++v) {
            rtcInitPointQueryContext(&context);
            Query query{&search, &faces, of.at(static_cast<uint32_t>(v)), static_cast<uint32_t>(v), kind, &search.found.local()};
            RTCPointQuery point{of.points[v][0], of.points[v][1], of.points[v][2], 0, radius};
            rtcPointQuery(faces.faces, &point, &context, near_face, &query);
        }
    });
}

void near_edges(void* user, RTCCollision* collisions, unsigned count) {
    Search& search = *static_cast<Search*>(user);
    auto& found = search.found.local();
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t first = collisions[i].primID0, second = collisions[i].primID1;
        if (search.alone && first >= second) continue;
        const auto &e = search.a->edges[first], &f = search.b->edges[second];
        if (search.alone && (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1])) continue;
        Found pair{2, first, second, 0, {}};
        pair.squared = of_edges(search.a->at(e[0]), search.a->at(e[1]), search.b->at(f[0]), search.b->at(f[1]), pair.weights);
        if (pair.squared < search.limit_squared) found.push_back(pair);
    }
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool alone = arguments.text("mode") == "self";
        const double thickness = std::stod(arguments.text("thickness")) * mesh.longest();
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, arguments.number("threads"));
        RTCDevice device = rtcNewDevice(("threads=" + arguments.text("threads")).c_str());
        Body a, b;
        a.create(device, mesh, static_cast<float>(0.50001 * thickness));
        b.create(device, mesh, static_cast<float>(0.50001 * thickness));
        Search search;
        search.a = alone ? &b : &a, search.b = &b, search.alone = alone, search.limit_squared = thickness * thickness;
        contest::compete("Embree " RTC_VERSION_STRING ", refit", [&](const contest::Turn& turn) {
            const auto moved = deformed(mesh, alone ? Pose{} : pose_of("through", mesh, turn), turn, 0.02);
            std::vector<Found> all;
            const double seconds = contest::seconds_of([&] {
                for (auto& part : search.found) part.clear();
                b.refit(moved);
                vertices(search, *search.a, b, 0);
                if (!alone) vertices(search, b, a, 1);
                rtcCollide(search.a->lines, b.lines, near_edges, &search);
                for (auto& part : search.found) all.insert(all.end(), part.begin(), part.end());
                tbb::parallel_sort(all.begin(), all.end());
            });
            return contest::Sample{seconds, {}, 1, "\"pairs\": " + std::to_string(all.size())};
        });
    });
}
