// The shapes are what they say: closed, outward, and as large as their formulas.
#include "tests/check.hpp"

#include "mesh/moments.hpp"
#include "mesh/shapes.hpp"

#include <map>

using namespace cli;

namespace {

constexpr double pi = 3.14159265358979323846;

// Every edge is used once in each direction: closed, oriented, manifold edges.
bool is_closed(const Mesh& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> directed;
    for (const Triangle& t : mesh.triangles) {
        for (std::size_t i = 0; i < 3; ++i) ++directed[{t[i], t[(i + 1) % 3]}];
    }
    for (const auto& [edge, uses] : directed) {
        const auto twin = directed.find({edge.second, edge.first});
        if (uses != 1 || twin == directed.end()) return false;
    }
    return !mesh.triangles.empty();
}

double volume(const Mesh& mesh) {
    double sum = 0.0;
    for (const Triangle& t : mesh.triangles) {
        const Vec3 a = mesh.positions[t[0]];
        const Vec3 b = mesh.positions[t[1]];
        const Vec3 c = mesh.positions[t[2]];
        sum += static_cast<double>(dot(a, cross(b, c))) / 6.0;
    }
    return sum;
}

long euler(const Mesh& mesh) {
    return static_cast<long>(mesh.positions.size()) - static_cast<long>(mesh.triangles.size()) / 2;
}

} // namespace

TEST_CASE("shapes are closed and of the right topology") {
    for (const std::size_t triangles : {1u, 100u, 5000u, 20000u}) {
        for (const auto shape : {sphere, box, torus, knot, rabbit}) {
            const Mesh mesh = shape(triangles);
            CHECK(is_closed(mesh));
            CHECK(volume(mesh) > 0.0);
            if (triangles >= 5000)
                CHECK_NEAR(static_cast<double>(mesh.triangles.size()) / static_cast<double>(triangles), 1.0, 0.1);
            // Vertices - edges + faces: 2 for a sphere, 0 for a torus, knotted or not.
            CHECK(euler(mesh) == (shape == torus || shape == knot ? 0 : 2));
        }
    }
}

TEST_CASE("volumes are those of the formulas") {
    CHECK(box(12).positions.size() == 8);
    CHECK_NEAR(volume(box(12)), 8.0, 1e-6);
    CHECK_NEAR(volume(box(1200)), 8.0, 1e-4);
    // N equilateral triangles inscribed in the unit sphere have the edge h, h^2 = 16 pi / (sqrt(3) N), and lie h^2 / 8
    // below it on average, so the volume falls short by 8 pi^2 / (sqrt(3) N); unequal triangles lose a little more.
    const Mesh ball = sphere(20000);
    const double shortfall = 8.0 * pi * pi / (std::sqrt(3.0) * static_cast<double>(ball.triangles.size()));
    CHECK_NEAR((4.0 / 3.0 * pi - volume(ball)) / shortfall, 1.05, 0.05);
    CHECK_NEAR(volume(torus(20000)), 2.0 * pi * pi * 0.7 * 0.3 * 0.3, 0.005);
}

TEST_CASE("moments of a moved cube") {
    // A cube of side 2 around (1, 2, 3): the integral of x_i x_k is 8 (c_i c_k + 1/3 where i is k).
    Mesh moved = box(300);
    for (Vec3& p : moved.positions) p += Vec3{1.0f, 2.0f, 3.0f};
    const Moments moments(moved);
    CHECK_NEAR(moments.volume, 8.0, 1e-4);
    CHECK_NEAR(length(moments.centre() - Vec3{1.0f, 2.0f, 3.0f}), 0.0, 1e-5);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) CHECK_NEAR(moments.second[i][k], 8.0 * ((i + 1) * (k + 1) + (i == k ? 1.0 / 3.0 : 0.0)), 1e-3);
    }
}
