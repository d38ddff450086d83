// What fields must say: exact distances by formula, and the numbers in a .prxf file by docs/field-format.md.
#pragma once

#include <proxel.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "shapes.hpp"

namespace test {

struct Point {
    double x, y, z;
};

/// The signed distance of the box around `centre`.
inline double box_distance(Point p, Point half, Point centre = {0, 0, 0}) {
    const double q[3] = {std::fabs(p.x - centre.x) - half.x, std::fabs(p.y - centre.y) - half.y,
                         std::fabs(p.z - centre.z) - half.z};
    const double out = std::sqrt(std::pow(std::max(q[0], 0.0), 2) + std::pow(std::max(q[1], 0.0), 2) +
                                 std::pow(std::max(q[2], 0.0), 2));
    return out + std::min(std::max({q[0], q[1], q[2]}), 0.0);
}

/// The distance by which `shape` is defined in proxel.h.
inline double shape_distance(const PrxShape& shape, Point p) {
    switch (shape.kind) {
        case PRX_SHAPE_KIND_SPHERE: return std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z) - shape.radius;
        case PRX_SHAPE_KIND_BOX:
            return box_distance(p, {shape.half_size[0], shape.half_size[1], shape.half_size[2]});
        case PRX_SHAPE_KIND_CAPSULE: {
            const double along = std::clamp(p.y, -double{shape.half_height}, double{shape.half_height});
            return std::sqrt(p.x * p.x + (p.y - along) * (p.y - along) + p.z * p.z) - shape.radius;
        }
        case PRX_SHAPE_KIND_TORUS:
            return std::hypot(std::hypot(p.x, p.z) - shape.major_radius, p.y) - shape.radius;
        default: return p.y;
    }
}

inline Point node_position(const PrxGrid& grid, std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    return {grid.origin[0] + double{grid.cell_size} * i, grid.origin[1] + double{grid.cell_size} * j,
            grid.origin[2] + double{grid.cell_size} * k};
}

/// Calls `visit(position, index)` for every node, x fastest.
template <typename Visit>
void for_each_node(const PrxGrid& grid, Visit visit) {
    std::size_t index = 0;
    for (std::uint32_t k = 0; k < grid.nodes[2]; ++k)
        for (std::uint32_t j = 0; j < grid.nodes[1]; ++j)
            for (std::uint32_t i = 0; i < grid.nodes[0]; ++i) visit(node_position(grid, i, j, k), index++);
}

/// A number at a byte of a file.
template <typename T>
T number_at(const std::vector<std::uint8_t>& file, std::size_t byte) {
    T value{};
    std::memcpy(&value, file.data() + byte, sizeof value);
    return value;
}

/// The distances of a dense field in single precision, as its file holds them.
inline std::vector<float> stored_distances(const std::vector<std::uint8_t>& file, const PrxGrid& grid) {
    std::vector<float> values(std::size_t{grid.nodes[0]} * grid.nodes[1] * grid.nodes[2]);
    if (file.size() < 92 + values.size() * 4) return {};
    std::memcpy(values.data(), file.data() + 92, values.size() * 4);
    return values;
}

/// Points anywhere in the grid's box, widened by `margin` of its size on every side.
inline std::vector<Vec3> points_around(const PrxGrid& grid, std::size_t count, double margin, std::mt19937& random) {
    std::uniform_real_distribution<double> part(-margin, 1 + margin);
    std::vector<Vec3> points;
    for (std::size_t n = 0; n < count; ++n) {
        float at[3];
        for (int axis = 0; axis < 3; ++axis)
            at[axis] = static_cast<float>(grid.origin[axis] + part(random) * grid.cell_size * (grid.nodes[axis] - 1));
        points.push_back({at[0], at[1], at[2]});
    }
    return points;
}

inline Point widened(Vec3 p) { return {p.x, p.y, p.z}; }

}  // namespace test
