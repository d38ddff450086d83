// What debug drawing draws, counted and measured against what is known of the bodies; and functions that call back.
#include "witness.hpp"

#include <proxel/debug_draw.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

#include "shapes.hpp"

using namespace test;

namespace {

using Point = std::array<float, 3>;
struct Segment {
    Point from, to;
    std::uint32_t color;
};

Point at(const float* p) { return {p[0], p[1], p[2]}; }
double length(const Segment& s) { return std::hypot(s.to[0] - s.from[0], s.to[1] - s.from[1], s.to[2] - s.from[2]); }

/// Keeps everything that is drawn.
struct Canvas : proxel::DebugDraw {
    std::vector<Segment> lines;
    std::vector<std::array<Point, 3>> triangles;
    std::vector<std::uint32_t> triangle_colors;
    std::vector<Point> points;
    std::vector<std::pair<Point, std::string>> texts;

    void line(const float* from, const float* to, std::uint32_t color) override { lines.push_back({::at(from), ::at(to), color}); }
    void triangle(const float* a, const float* b, const float* c, std::uint32_t color) override {
        triangles.push_back({::at(a), ::at(b), ::at(c)});
        triangle_colors.push_back(color);
    }
    void point(const float* at, std::uint32_t) override { points.push_back(::at(at)); }
    void text(const float* at, const char* text, std::uint32_t) override { texts.emplace_back(::at(at), text); }

    double total() const {
        double sum = 0;
        for (const Segment& line : lines) sum += length(line);
        return sum;
    }
    /// Of the triangles, and what they enclose.
    double area() const {
        double sum = 0;
        for (const auto& t : triangles) sum += std::hypot(cross(t)[0], cross(t)[1], cross(t)[2]) / 2;
        return sum;
    }
    double volume() const {
        double sum = 0;
        for (const auto& t : triangles) sum += (t[0][0] * cross(t)[0] + t[0][1] * cross(t)[1] + t[0][2] * cross(t)[2]) / 6;
        return sum;
    }
    std::pair<Point, Point> box() const {
        std::pair<Point, Point> box{{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};
        for (const Segment& line : lines)
            for (const Point& p : {line.from, line.to})
                for (int i = 0; i < 3; ++i) box.first[i] = std::min(box.first[i], p[i]), box.second[i] = std::max(box.second[i], p[i]);
        return box;
    }

private:
    static std::array<double, 3> cross(const std::array<Point, 3>& t) {
        double u[3], v[3];
        for (int i = 0; i < 3; ++i) u[i] = double(t[1][i]) - t[0][i], v[i] = double(t[2][i]) - t[0][i];
        return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    }
};

struct World {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    Shape shape = cube(2, -1);
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles, "box"));
};

}  // namespace

TEST_CASE("a mesh is its triangles, its edges once each, and its name, where the pose has it, relative to the origin") {
    World w;
    Canvas canvas;
    canvas.options.origin[0] = 100;
    NEED(canvas.mesh(w.context, {w.mesh, test::at(103, 0, 0)}));
    CHECK_EQ(canvas.triangles.size(), 12);
    CHECK_NEAR(canvas.area(), 24, 1e-4);
    CHECK_NEAR(canvas.volume(), 8, 1e-3);
    // Twelve sides of 2 and a diagonal of each face.
    CHECK_EQ(canvas.lines.size(), 18);
    CHECK_NEAR(canvas.total(), 12 * 2 + 6 * std::sqrt(8.0), 1e-4);
    CHECK_EQ(canvas.box(), std::pair<Point, Point>({2, -1, -1}, {4, 1, 1}));
    REQUIRE_EQ(canvas.texts.size(), 1);
    CHECK_EQ(canvas.texts[0].first, Point{3, 0, 0});
    CHECK(contains(canvas.texts[0].second, "box"));
    CHECK(canvas.points.empty());
}

TEST_CASE("borders and edges of three triangles have colors of their own, and one color is for all where it is given") {
    World w;
    // Three faces at one edge: one such edge, six borders.
    const std::vector<float> positions = {0, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0, 0, 0, 1, 0};
    const std::vector<std::uint32_t> triangles = {0, 1, 2, 0, 1, 3, 0, 1, 4};
    const proxel::Mesh fan = NEED(w.context.mesh(positions, triangles));
    Canvas canvas;
    NEED(canvas.mesh(w.context, fan));
    std::map<std::uint32_t, int> counts;
    for (const Segment& line : canvas.lines) ++counts[line.color];
    REQUIRE_EQ(canvas.lines.size(), 7);
    for (const Segment& line : canvas.lines) {
        const bool common = line.from[0] == 0 && line.to[0] == 0 && line.from[1] == 0 && line.to[1] == 0;
        CHECK_EQ(counts[line.color], common ? 1 : 6);
    }
    Canvas red;
    red.options.color = 0xff0000ff;
    NEED(red.mesh(w.context, fan));
    for (const Segment& line : red.lines) CHECK_EQ(line.color, 0xff0000ffu);
    for (std::uint32_t color : red.triangle_colors) CHECK_EQ(color, 0xff0000ffu);
}

TEST_CASE("boxes of clusters and of every level of the hierarchy reach as far as the mesh, and no farther") {
    World w;
    for (std::uint32_t level : {0u, 1u, 2u, UINT32_MAX}) {
        Canvas canvas;
        NEED(canvas.hierarchy(w.context, w.mesh, level));
        CHECK_EQ(canvas.lines.size() % 12, 0);
        if (level == 0) CHECK_EQ(canvas.lines.size(), 12);
        else CHECK(canvas.lines.size() > 12); // twelve triangles are more than one leaf has
        CHECK_EQ(canvas.box(), std::pair<Point, Point>({-1, -1, -1}, {1, 1, 1}));
    }
    Canvas canvas;
    NEED(canvas.clusters(w.context, {w.mesh, test::at(0, 5, 0)}));
    CHECK_EQ(canvas.lines.size(), 12 * NEED(w.mesh.facts()).cluster_count);
    CHECK_EQ(canvas.box(), std::pair<Point, Point>({-1, 4, -1}, {1, 6, 1}));
}

TEST_CASE("a field is its domain and a closed surface where its distance is zero") {
    World w;
    const proxel::Field ball = NEED(w.context.field_from_shape(prx_shape_default()));
    const PrxFieldInfo info = NEED(ball.info());
    Canvas canvas;
    NEED(canvas.field(w.context, {ball, test::at(10, 0, 0)}));
    CHECK_EQ(canvas.lines.size(), 12);
    CHECK_NEAR(length(canvas.lines[0]), (info.grid.nodes[0] - 1) * info.grid.cell_size, 1e-4);
    CHECK(canvas.triangles.size() > 500);
    // What is drawn is off by the field's own error, and by h^2 / 8 on edges of up to sqrt(3) cells of what is drawn.
    const double h = 2.0 * info.grid.cell_size, off = info.error + 3 * h * h / 8 * 2;
    for (const auto& triangle : canvas.triangles)
        for (const Point& p : triangle) CHECK_NEAR(std::hypot(p[0] - 10, p[1], p[2]), 1, off);
    CHECK_NEAR(canvas.area(), 4 * 3.14159265, 0.2);
    CHECK(canvas.texts.size() == 1);
}

TEST_CASE("a slice is as large as the domain, blue inside and orange outside, with the outline where the distance is zero") {
    World w;
    const proxel::Field ball = NEED(w.context.field_from_shape(prx_shape_default()));
    const PrxFieldInfo info = NEED(ball.info());
    const double side = (info.grid.nodes[0] - 1) * double(info.grid.cell_size);
    for (std::uint32_t axis : {0u, 1u, 2u}) {
        Canvas canvas;
        canvas.options.resolution = 64;
        NEED(canvas.field_slice(w.context, ball, axis, 0.6f));
        CHECK_NEAR(canvas.area(), side * side, 1e-3);
        // A circle of radius 0.8.
        CHECK_NEAR(canvas.total(), 2 * 3.14159265 * 0.8, 0.05);
        for (const Segment& line : canvas.lines) CHECK_NEAR(std::hypot(line.from[0], line.from[1], line.from[2]), 1, 0.02);
        for (std::size_t i = 0; i < canvas.triangles.size(); ++i) {
            const Point& p = canvas.triangles[i][0];
            CHECK_NEAR(p[axis], 0.6, 1e-6);
            const double radius = std::hypot(p[0], p[1], p[2]);
            const std::uint32_t red = canvas.triangle_colors[i] >> 24, blue = canvas.triangle_colors[i] >> 8 & 0xff;
            if (radius < 0.9) CHECK(blue > red);
            if (radius > 1.1) CHECK(red > blue);
        }
    }
    Canvas canvas;
    CHECK_REFUSED(canvas.field_slice(w.context, ball, 3, 0), PRX_STATUS_INVALID_ARGUMENT, "axis is 3");
    CHECK_REFUSED(canvas.field_slice(w.context, ball, 0, 7), PRX_STATUS_INVALID_ARGUMENT, "the slice is at 7");
    canvas.options.resolution = 0;
    CHECK_REFUSED(canvas.field_slice(w.context, ball, 0, 0), PRX_STATUS_INVALID_ARGUMENT, "resolution is 0");
    CHECK(canvas.triangles.empty());
}

TEST_CASE("contacts have both their points, their normals and their separations") {
    World w;
    const proxel::Field field = baked(w.context, w.mesh, 32);
    PrxBody floor = proxel::body(w.mesh, field), crate = floor;
    floor.scale = 10;
    crate.position[1] = 10.99;
    std::vector<PrxContact> contacts = NEED(w.context.contacts(floor, crate)).contacts;
    REQUIRE_EQ(contacts.size(), 4);
    Canvas canvas;
    canvas.options.scale = 0.5f;
    NEED(canvas.contacts(w.context, contacts));
    CHECK_EQ(canvas.points.size(), 8);
    CHECK_EQ(canvas.lines.size(), 8);
    CHECK_EQ(canvas.texts.size(), 4);
    int normals = 0;
    for (const Segment& line : canvas.lines) {
        const bool normal = line.to[1] > line.from[1] + 0.4f;
        normals += normal;
        CHECK_NEAR(length(line), normal ? 0.5 : 0.01, 1e-3);
        CHECK_NEAR(std::fabs(line.from[0]), 1, 1e-3);
    }
    CHECK_EQ(normals, 4);
    for (const auto& [place, text] : canvas.texts) CHECK_EQ(text, "-0.0100");
    // The same contacts in the step after have another color.
    contacts = NEED(w.context.contacts(floor, crate, prx_contacts_def_default(), contacts)).contacts;
    Canvas later;
    NEED(later.contacts(w.context, contacts));
    REQUIRE(!later.lines.empty());
    CHECK(later.lines[0].color != canvas.lines[0].color);
}

TEST_CASE("near pairs are drawn between their nearest points") {
    World w;
    const PrxPose above = test::at(0, 2.1f, 0);
    PrxNearDef def = prx_near_def_default();
    def.thickness = 0.2;
    const std::vector<PrxNearPair> pairs = NEED(w.context.near_pairs(w.mesh, {w.mesh, above}, def));
    REQUIRE(!pairs.empty());
    Canvas canvas;
    NEED(canvas.near(w.context, w.mesh, {w.mesh, above}, pairs));
    REQUIRE_EQ(canvas.lines.size(), pairs.size());
    CHECK_EQ(canvas.points.size(), 2 * pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) CHECK_NEAR(length(canvas.lines[i]), pairs[i].distance, 1e-5);
    std::vector<PrxNearPair> wrong = pairs;
    wrong.back().feature_a[0] = 99;
    Canvas nothing;
    CHECK_REFUSED(nothing.near(w.context, w.mesh, {w.mesh, above}, wrong), PRX_STATUS_INVALID_ARGUMENT, "99");
    CHECK(nothing.lines.empty()); // also of the pairs before the wrong one
}

TEST_CASE("impacts are drawn where and when they happen") {
    World w;
    // A cube falls by 2 onto one whose top it meets after a quarter of the way.
    const Shape low = cube(2, -1);
    Shape start = low, end = low;
    for (Vec3& p : start.positions) p.x = 0.5f * p.x, p.z = 0.5f * p.z, p.y += 2.5f;
    for (Vec3& p : end.positions) p.x = 0.5f * p.x, p.z = 0.5f * p.z, p.y += 0.5f;
    const proxel::Mesh from = NEED(w.context.mesh(start.positions, start.triangles)), to = NEED(w.context.mesh(end.positions, end.triangles));
    const std::vector<PrxFeatureImpact> impacts = NEED(w.context.impacts(from, to, w.mesh, w.mesh));
    REQUIRE(!impacts.empty());
    Canvas canvas;
    NEED(canvas.impacts(w.context, from, to, w.mesh, w.mesh, impacts));
    CHECK_EQ(canvas.points.size(), impacts.size());
    CHECK_EQ(canvas.texts.size(), impacts.size());
    for (const Point& p : canvas.points) CHECK_NEAR(p[1], 1, 0.01);
    CHECK_EQ(canvas.lines.size(), 3 * impacts.size()); // two ways and a normal
    CHECK_NEAR(length(canvas.lines[0]), 0.5, 0.01);
}

TEST_CASE("regions are drawn with their boxes, their normals and their curves") {
    World w;
    const proxel::Intersection shared = NEED(w.context.intersection(w.mesh, {w.mesh, test::at(1.5f, 0.25f, 0.125f)}));
    Canvas canvas;
    NEED(canvas.regions(w.context, shared));
    // From 0.5 to 1, from -0.75 to 1, from -0.875 to 1.
    CHECK_EQ(canvas.points.size(), 1);
    CHECK_NEAR(canvas.points[0][0], 0.75, 1e-5);
    CHECK_NEAR(canvas.points[0][1], 0.125, 1e-5);
    REQUIRE(canvas.lines.size() > 13);
    Canvas box = canvas;
    box.lines.resize(12);
    CHECK_NEAR(box.total(), 4 * (0.5 + 1.75 + 1.875), 1e-4);
    // The curve goes around the box: along the edges where the surface of one leaves the other.
    Canvas curves = canvas;
    curves.lines.erase(curves.lines.begin(), curves.lines.begin() + 13);
    CHECK_NEAR(curves.total(), NEED(shared.summary()).curve_length, 1e-4);
    CHECK_EQ(canvas.texts.size(), 1);
}

TEST_CASE("functions that are null are left out, and with none of them there is nothing to draw with") {
    World w;
    PrxDebugDraw draw = prx_debug_draw_default();
    const auto status = [&] { return prx_debug_draw_mesh(w.context.handle(), w.mesh.handle(), nullptr, &draw); };
    CHECK_EQ(status(), PRX_STATUS_INVALID_ARGUMENT);
    CHECK(contains(prx_last_error(w.context.handle()), "one at least has to draw"));
    int count = 0;
    draw.user = &count;
    draw.draw_line = [](void* user, const float*, const float*, std::uint32_t) { ++*static_cast<int*>(user); };
    CHECK_EQ(status(), PRX_STATUS_OK);
    CHECK_EQ(count, 18);
    draw.origin[1] = std::numeric_limits<double>::quiet_NaN();
    CHECK_EQ(status(), PRX_STATUS_INVALID_ARGUMENT);
    draw.origin[1] = 0;
    draw.scale = std::numeric_limits<float>::infinity();
    CHECK_EQ(status(), PRX_STATUS_INVALID_ARGUMENT);
    draw = prx_debug_draw_default();
    draw.size = 8;
    CHECK_EQ(status(), PRX_STATUS_STRUCT_SIZE);
    CHECK_EQ(count, 18);
}

TEST_CASE("a function that draws may call Proxel, also to change and to destroy what is drawn") {
    World w;
    /// Asks, updates, draws again and destroys while it draws.
    struct Meddler : proxel::DebugDraw {
        World& w;
        proxel::Mesh doomed;
        int lines = 0, answers = 0;
        explicit Meddler(World& world) : w(world), doomed(NEED(world.context.mesh(world.shape.positions, world.shape.triangles, nullptr, PRX_MESH_DEFORMING))) {}
        void line(const float*, const float*, std::uint32_t) override {
            if (++lines != 1) return;
            answers += w.context.distance(w.mesh, w.mesh).ok();
            answers += doomed.bounds().ok();
            answers += doomed.update(w.shape.positions).ok();
            Canvas inner;
            answers += inner.mesh(w.context, doomed).ok() && inner.lines.size() == 18;
            answers += w.context.wait_idle().ok();
            doomed = proxel::Mesh();
        }
    } meddler(w);
    const proxel::Placed placed(meddler.doomed);
    NEED(meddler.mesh(w.context, placed));
    CHECK_EQ(meddler.lines, 18);
    CHECK_EQ(meddler.answers, 5);
    CHECK_REFUSED(meddler.mesh(w.context, placed), PRX_STATUS_INVALID_HANDLE, "");
}
