// Which pixel centres a triangle covers, and with which weights of its corners.
#pragma once

#include "picture/camera.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace cli {

struct Weights {
    float a = 0.0f;
    float b = 0.0f;
    float c = 0.0f;

    float of(float va, float vb, float vc) const { return a * va + b * vb + c * vc; }
    Vec3 of(Vec3 va, Vec3 vb, Vec3 vc) const { return a * va + b * vb + c * vc; }
};

// Calls `visit(x, y, weights)` for each covered pixel inside the rows [first_row, end_row). Corners are snapped to 1/64
// of a pixel, so the edge tests are exact and two triangles that share an edge never both take a pixel on it.
template <class Visit>
void scan_triangle(std::array<ScreenPoint, 3> p, int width, int first_row, int end_row, Visit visit) {
    constexpr std::int64_t one = 64;
    std::array<std::int64_t, 3> x{};
    std::array<std::int64_t, 3> y{};
    const auto snap = [&] {
        for (std::size_t i = 0; i < 3; ++i) {
            x[i] = std::llrint(p[i].x * static_cast<float>(one));
            y[i] = std::llrint(p[i].y * static_cast<float>(one));
        }
    };
    snap();
    // The first and last pixels whose middles the box holds: most triangles of a fine mesh have none.
    const auto floor_div = [](std::int64_t v) { return static_cast<int>(v >= 0 ? v / one : -((-v + one - 1) / one)); };
    const auto first_at = [&](std::int64_t v) { return floor_div(v - one / 2 + one - 1); };
    const auto last_at = [&](std::int64_t v) { return floor_div(v - one / 2); };
    const int left = std::max(0, first_at(std::min({x[0], x[1], x[2]})));
    const int right = std::min(width - 1, last_at(std::max({x[0], x[1], x[2]})));
    const int top = std::max(first_row, first_at(std::min({y[0], y[1], y[2]})));
    const int bottom = std::min(end_row - 1, last_at(std::max({y[0], y[1], y[2]})));
    if (left > right || top > bottom) return;

    std::int64_t area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
    if (area == 0) return;
    const bool flipped = area < 0;
    if (flipped) {
        std::swap(p[1], p[2]);
        snap();
        area = -area;
    }

    // Edge i lies opposite corner i. A pixel exactly on an edge belongs to the triangle right of or below it.
    std::array<std::int64_t, 3> step_x{}, step_y{}, start{};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        const std::size_t k = (i + 2) % 3;
        step_x[i] = -(y[k] - y[j]) * one;
        step_y[i] = (x[k] - x[j]) * one;
        const bool owns_edge = y[k] < y[j] || (y[k] == y[j] && x[k] > x[j]);
        start[i] = (x[k] - x[j]) * (top * one + one / 2 - y[j]) - (y[k] - y[j]) * (left * one + one / 2 - x[j]) -
                   (owns_edge ? 0 : 1);
    }
    const float inverse = 1.0f / static_cast<float>(area);
    for (int row = top; row <= bottom; ++row) {
        std::array<std::int64_t, 3> e = start;
        for (int column = left; column <= right; ++column) {
            if ((e[0] | e[1] | e[2]) >= 0) {
                const float a = static_cast<float>(e[0]) * inverse;
                const float b = static_cast<float>(e[1]) * inverse;
                const float c = 1.0f - a - b;
                visit(column, row, flipped ? Weights{a, c, b} : Weights{a, b, c});
            }
            for (std::size_t i = 0; i < 3; ++i) e[i] += step_x[i];
        }
        for (std::size_t i = 0; i < 3; ++i) start[i] += step_y[i];
    }
}

} // namespace cli
