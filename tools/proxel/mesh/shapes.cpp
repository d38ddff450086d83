#include "mesh/shapes.hpp"

#include "mesh/weld.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace cli {
namespace {

constexpr float pi = 3.14159265358979f;

std::size_t whole_root(std::size_t triangles, std::size_t per_square) {
    const double root = std::sqrt(static_cast<double>(triangles) / static_cast<double>(per_square));
    return static_cast<std::size_t>(std::clamp(std::lround(root), 1l, 10000l));
}

float ratio(std::size_t a, std::size_t b) { return static_cast<float>(a) / static_cast<float>(b); }

// A closed grid of quads, each two triangles, that wraps around in both directions.
Mesh wrapped_grid(std::size_t around, std::size_t across, const std::function<Vec3(float u, float v)>& at) {
    Mesh mesh;
    for (std::size_t i = 0; i < around; ++i) {
        for (std::size_t k = 0; k < across; ++k) mesh.positions.push_back(at(ratio(i, around), ratio(k, across)));
    }
    const auto index = [&](std::size_t i, std::size_t k) {
        return static_cast<std::uint32_t>((i % around) * across + k % across);
    };
    for (std::size_t i = 0; i < around; ++i) {
        for (std::size_t k = 0; k < across; ++k) {
            mesh.triangles.push_back({index(i, k), index(i + 1, k), index(i + 1, k + 1)});
            mesh.triangles.push_back({index(i, k), index(i + 1, k + 1), index(i, k + 1)});
        }
    }
    return mesh;
}

// A tube of the given radius around a closed curve, u from 0 to 1.
Mesh tube(std::size_t triangles, float around_per_across, float radius, const std::function<Vec3(float)>& curve,
          const std::function<Vec3(float)>& side) {
    const auto across = static_cast<std::size_t>(std::max(
        3l, std::lround(std::sqrt(static_cast<double>(triangles) / 2.0 / static_cast<double>(around_per_across)))));
    const std::size_t around = std::max<std::size_t>(24, triangles / 2 / across); // fewer would cut through the knot
    return wrapped_grid(around, across, [&](float u, float v) {
        const Vec3 along = normalised(curve(u + 1e-3f) - curve(u - 1e-3f));
        const Vec3 out = normalised(side(u) - along * dot(side(u), along));
        const float angle = 2.0f * pi * v;
        return curve(u) + radius * (std::cos(angle) * out + std::sin(angle) * cross(out, along));
    });
}

// Splits one face of a solid into n * n triangles and welds its edges to its neighbours'.
void split_face(Mesh& mesh, Weld& weld, std::size_t n, Vec3 a, Vec3 b, Vec3 c, const std::function<Vec3(Vec3)>& place) {
    // Weights are counted in whole steps and summed the same way from either side, so that the two faces at an edge
    // compute the same bits there.
    const auto corner = [&](std::size_t i, std::size_t k) {
        struct Part {
            Vec3 p;
            std::size_t weight;
        };
        std::array<Part, 3> parts{Part{a, n - i - k}, Part{b, i}, Part{c, k}};
        std::sort(parts.begin(), parts.end(), [](const Part& l, const Part& r) {
            return std::make_pair(l.p.x, std::make_pair(l.p.y, l.p.z)) <
                   std::make_pair(r.p.x, std::make_pair(r.p.y, r.p.z));
        });
        Vec3 sum;
        for (const Part& part : parts) {
            if (part.weight > 0) sum += part.p * static_cast<float>(part.weight);
        }
        return weld.index_of(place(sum));
    };
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; i + k < n; ++k) {
            mesh.triangles.push_back({corner(i, k), corner(i + 1, k), corner(i, k + 1)});
            if (i + k + 2 <= n) mesh.triangles.push_back({corner(i + 1, k), corner(i + 1, k + 1), corner(i, k + 1)});
        }
    }
}

Mesh split_icosahedron(std::size_t triangles, const std::function<Vec3(Vec3 direction)>& place) {
    const float g = 1.6180339887f; // the golden ratio
    const std::array<Vec3, 12> corners{Vec3{-1, g, 0}, {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                       {0, -1, -g},    {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    constexpr std::array<std::array<std::size_t, 3>, 20> faces{
        {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
         {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
         {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
    Mesh mesh;
    Weld weld;
    const std::size_t n = whole_root(triangles, 20);
    for (const auto& face : faces) {
        split_face(mesh, weld, n, corners[face[0]], corners[face[1]], corners[face[2]],
                   [&](Vec3 p) { return place(normalised(p)); });
    }
    mesh.positions = weld.take_positions();
    return mesh;
}

} // namespace

Mesh sphere(std::size_t triangles) {
    return split_icosahedron(triangles, [](Vec3 direction) { return direction; });
}

Mesh box(std::size_t triangles) {
    Mesh mesh;
    Weld weld;
    const std::size_t n = whole_root(triangles, 12);
    // Odd around the middle to the last bit, so that opposite directions meet in the same points.
    const auto step = [&](std::size_t i) {
        return (2.0f * static_cast<float>(i) - static_cast<float>(n)) / static_cast<float>(n);
    };
    const std::array<Vec3, 6> normals{Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (const Vec3 normal : normals) {
        const Vec3 u{std::fabs(normal.y), std::fabs(normal.z), std::fabs(normal.x)};
        const Vec3 v = cross(normal, u);
        const auto at = [&](std::size_t i, std::size_t k) { return weld.index_of(normal + u * step(i) + v * step(k)); };
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < n; ++k) {
                mesh.triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
                mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
            }
        }
    }
    mesh.positions = weld.take_positions();
    return mesh;
}

Mesh torus(std::size_t triangles) {
    const auto circle = [](float u) { return Vec3{std::cos(2.0f * pi * u), std::sin(2.0f * pi * u), 0.0f}; };
    return tube(
        triangles, 7.0f / 3.0f, 0.3f, [&](float u) { return 0.7f * circle(u); }, circle);
}

Mesh knot(std::size_t triangles) {
    const auto curve = [](float u) {
        const float t = 2.0f * pi * u;
        const float r = 0.56f + 0.28f * std::cos(3.0f * t);
        return Vec3{r * std::cos(2.0f * t), r * std::sin(2.0f * t), -0.28f * std::sin(3.0f * t)};
    };
    const auto side = [](float u) {
        const float t = 2.0f * pi * u;
        return Vec3{0.1f * std::cos(2.0f * t), 0.1f * std::sin(2.0f * t), 1.0f};
    };
    return tube(triangles, 8.0f, 0.16f, curve, side);
}

Mesh rabbit(std::size_t triangles) {
    struct Bump {
        Vec3 towards;
        float height;
        float sharpness;
    };
    static const std::array<Bump, 9> bumps{
        Bump{{0.72f, 0.69f, 0.0f}, 0.56f, 16.0f},                                                // head
        Bump{{0.90f, 0.50f, 0.0f}, 0.14f, 70.0f},                                                // nose
        Bump{{0.34f, 0.93f, 0.13f}, 0.78f, 150.0f},                                              // ears
        Bump{{0.34f, 0.93f, -0.13f}, 0.78f, 150.0f}, Bump{{-0.97f, -0.25f, 0.0f}, 0.20f, 60.0f}, // tail
        Bump{{0.75f, -0.62f, 0.24f}, 0.26f, 45.0f},                                              // feet
        Bump{{0.75f, -0.62f, -0.24f}, 0.26f, 45.0f}, Bump{{-0.55f, -0.55f, 0.45f}, 0.14f, 8.0f}, // haunches
        Bump{{-0.55f, -0.55f, -0.45f}, 0.14f, 8.0f}};
    return split_icosahedron(triangles, [](Vec3 direction) {
        // Draw vertices towards the ears, which would be coarse otherwise: they are far from the middle.
        const Vec3 crown = normalised({0.34f, 0.93f, 0.0f});
        direction =
            normalised(direction + (crown - direction) * (0.6f * std::exp(14.0f * (dot(direction, crown) - 1.0f))));
        float r = 0.52f;
        for (const Bump& bump : bumps) {
            r += bump.height * std::exp(bump.sharpness * (dot(direction, normalised(bump.towards)) - 1.0f));
        }
        return direction * r + Vec3{-0.05f, -0.32f, 0.0f};
    });
}

} // namespace cli
