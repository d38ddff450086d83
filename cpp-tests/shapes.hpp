// Small meshes whose facts are known from geometry.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace test {

struct Vec3 {
    float x, y, z;
};

using Triangle = std::array<std::uint32_t, 3>;

struct Shape {
    std::vector<Vec3> positions;
    std::vector<Triangle> triangles;
};

/// The axis-aligned cube from `low` to `low + side` on every axis: 8 vertices, 12 triangles facing outwards.
inline Shape cube(float side = 1.0f, float low = 0.0f) {
    Shape shape;
    for (int corner = 0; corner < 8; ++corner) {
        auto at = [&](int bit) { return (corner >> bit & 1) != 0 ? low + side : low; };
        shape.positions.push_back({at(0), at(1), at(2)});
    }
    shape.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                       {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return shape;
}

/// Both in one mesh, `b` moved by `offset`.
inline Shape together(Shape a, const Shape& b, Vec3 offset) {
    const auto first = static_cast<std::uint32_t>(a.positions.size());
    for (const Vec3& p : b.positions) a.positions.push_back({p.x + offset.x, p.y + offset.y, p.z + offset.z});
    for (const Triangle& t : b.triangles) a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    return a;
}

/// A strip of `count` squares with half a twist, closed to a ring: one side, one border, no orientation.
inline Shape moebius(std::uint32_t count) {
    Shape shape;
    for (std::uint32_t i = 0; i < count; ++i) {
        const float turn = 6.2831853f * static_cast<float>(i) / static_cast<float>(count), half = turn / 2;
        for (float side : {-0.5f, 0.5f}) {
            const float out = 2 + side * std::cos(half);
            shape.positions.push_back({out * std::cos(turn), out * std::sin(turn), side * std::sin(half)});
        }
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool last = i + 1 == count;
        const std::uint32_t a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
        shape.triangles.push_back({a, c, b});
        shape.triangles.push_back({b, c, d});
    }
    return shape;
}

/// A torus of `around` x `across` squares about the z axis.
inline Shape torus(std::uint32_t around, std::uint32_t across, float radius = 1.0f, float tube = 0.3f) {
    Shape shape;
    for (std::uint32_t i = 0; i < around; ++i) {
        for (std::uint32_t j = 0; j < across; ++j) {
            const float u = 6.2831853f * static_cast<float>(i) / static_cast<float>(around);
            const float v = 6.2831853f * static_cast<float>(j) / static_cast<float>(across);
            const float out = radius + tube * std::cos(v);
            shape.positions.push_back({out * std::cos(u), out * std::sin(u), tube * std::sin(v)});
        }
    }
    for (std::uint32_t i = 0; i < around; ++i) {
        for (std::uint32_t j = 0; j < across; ++j) {
            const std::uint32_t k = (i + 1) % around, l = (j + 1) % across;
            shape.triangles.push_back({i * across + j, k * across + j, k * across + l});
            shape.triangles.push_back({i * across + j, k * across + l, i * across + l});
        }
    }
    return shape;
}

/// A tube around a trefoil: a closed body that turns around itself.
inline Shape knot(std::uint32_t around, std::uint32_t across) {
    Shape shape = torus(around, across, 0.6f, 0.15f);
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t j = 0; j < across; ++j) {
            const float u = 6.2831853f * static_cast<float>(i) / static_cast<float>(around);
            const float v = 6.2831853f * static_cast<float>(j) / static_cast<float>(across);
            const float out = 0.6f + 0.25f * std::cos(3 * u) + 0.12f * std::cos(v);
            shape.positions[i * across + j] = {out * std::cos(2 * u), out * std::sin(2 * u), 0.25f * std::sin(3 * u) + 0.12f * std::sin(v)};
        }
    return shape;
}

/// A sheet of squares with a border.
inline Shape sheet(std::uint32_t side) {
    Shape shape;
    for (std::uint32_t i = 0; i <= side; ++i)
        for (std::uint32_t j = 0; j <= side; ++j) {
            const float step = 2.0f / static_cast<float>(side);
            shape.positions.push_back({static_cast<float>(i) * step - 1, static_cast<float>(j) * step - 1, 0});
        }
    for (std::uint32_t i = 0; i < side; ++i)
        for (std::uint32_t j = 0; j < side; ++j) {
            const std::uint32_t a = i * (side + 1) + j, b = a + side + 1;
            shape.triangles.push_back({a, b, b + 1});
            shape.triangles.push_back({a, b + 1, a + 1});
        }
    return shape;
}

/// Triangles anywhere in a cube of half side `reach`, sharing nothing.
inline Shape rubble(std::uint32_t count, float reach, std::mt19937& random) {
    std::uniform_real_distribution<float> anywhere(-reach, reach), near(-0.05f * reach, 0.05f * reach);
    Shape shape;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3 c{anywhere(random), anywhere(random), anywhere(random)};
        for (int corner = 0; corner < 3; ++corner)
            shape.positions.push_back({c.x + near(random), c.y + near(random), c.z + near(random)});
        shape.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    return shape;
}

}  // namespace test
