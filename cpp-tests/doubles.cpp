// Meshes in double precision: what floats cannot tell apart is told apart, and what cannot take doubles says so.
#include <array>
#include <cmath>
#include <vector>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

using Place = std::array<double, 3>;

struct Vertex {
    double x, y, z;
    float u, v;
};

/// A cube of side 1 with its lowest corner at `low`.
std::vector<Place> cube_at(Place low) {
    std::vector<Place> places;
    for (const Vec3& p : cube().positions) places.push_back({low[0] + p.x, low[1] + p.y, low[2] + p.z});
    return places;
}

/// Ten million units from the origin, where floats are a unit apart, two cubes 2^-20 from each other.
void far_from_the_origin(const proxel::Context& context) {
    const double gap = std::ldexp(1.0, -20), far = 1e7;
    const Shape shape = cube();
    proxel::Mesh a = NEED(context.mesh(cube_at({far, -far, far}), shape.triangles, "a", PRX_MESH_DEFORMING));
    proxel::Mesh b = NEED(context.mesh(cube_at({far + 1 + gap, -far, far}), shape.triangles, "b", PRX_MESH_DEFORMING));
    const PrxDistance apart = NEED(context.distance(a, b));
    CHECK_EQ(apart.distance, gap);
    CHECK((apart.lower <= gap && gap <= apart.upper));
    CHECK_EQ(NEED(context.pairs(a, b)).size(), 0u);
    // Four triangles on each of the sides that face each other reach the other's edges too; all within the gap, and none below.
    CHECK(NEED(context.pairs(a, b, gap)).size() >= 4);
    CHECK_EQ(NEED(context.pairs(a, b, std::nextafter(gap, 0.0))).size(), 0u);

    // The same at the origin in floats, which hold it there.
    Shape second = shape;
    for (Vec3& p : second.positions) p.x += 1 + static_cast<float>(gap);
    proxel::Mesh near_a = NEED(context.mesh(shape.positions, shape.triangles));
    proxel::Mesh near_b = NEED(context.mesh(second.positions, shape.triangles));
    CHECK_EQ(NEED(context.pairs(near_a, near_b, gap)).size(), NEED(context.pairs(a, b, gap)).size());

    // b moves towards a by twice the gap: they meet halfway.
    proxel::Mesh moved = NEED(context.mesh(cube_at({far + 1 - gap, -far, far}), shape.triangles));
    const double free = NEED(context.free_step(a, a, b, moved));
    CHECK((free <= 0.5 && free >= 0.499));
    CHECK(!NEED(context.impacts(a, a, b, moved)).empty());

    // By update, in an array with other things between.
    std::vector<Vertex> vertices;
    for (const Place& p : cube_at({far + 1, -far, far})) vertices.push_back({p[0], p[1], p[2], 0, 0});
    NEED(b.update(vertices));
    CHECK_EQ(NEED(context.distance(a, b)).intersecting, 1u);
    CHECK_NEAR(NEED(b.facts()).volume, 1.0, 1e-9);
    // What the device has is rounded, and its box holds the doubles.
    const PrxBounds box = NEED(moved.bounds());
    CHECK((box.min[0] <= far + 1 - gap && box.max[0] >= far + 2 - gap));
}

void what_cannot_take_doubles_says_so(const proxel::Context& context) {
    const Shape shape = cube();
    std::vector<double> numbers;
    for (const Place& p : cube_at({0.1, 0.2, 0.3})) numbers.insert(numbers.end(), p.begin(), p.end());
    proxel::Mesh doubles = NEED(context.mesh(numbers, shape.triangles, "fine", PRX_MESH_DEFORMING));
    proxel::Mesh floats = NEED(context.mesh(shape.positions, shape.triangles, "coarse", PRX_MESH_DEFORMING));
    CHECK_REFUSED(floats.update(numbers), PRX_STATUS_WRONG_STATE, "coarse");
    // The other way round nothing is lost.
    NEED(doubles.update(shape.positions));
    CHECK_EQ(NEED(doubles.facts()).volume, 1.0);
    CHECK_EQ(NEED(doubles.facts()).bounds.max[2], 1.0f);
    numbers.pop_back();
    CHECK_REFUSED(doubles.update(numbers), PRX_STATUS_INVALID_ARGUMENT, "23");

    PrxDistanceDef hashed = prx_distance_def_default();
    hashed.method = PRX_DISTANCE_METHOD_MARGIN_HASH;
    CHECK_REFUSED(context.distance(doubles, floats, hashed), PRX_STATUS_UNSUPPORTED, "fine");
    CHECK_REFUSED(context.live_field(doubles, 0.5f), PRX_STATUS_UNSUPPORTED, "fine");
}

TEST_CASE("doubles") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    far_from_the_origin(context);
    what_cannot_take_doubles_says_so(context);
}

}  // namespace
