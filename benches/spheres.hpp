// Balls of a few triangles each, some of which meet: what the visibility benchmark culls.
#pragma once

#include <cmath>

#include "boxes.hpp"
#include "mesh.hpp"

struct Spheres {
    Mesh one;
    std::vector<std::array<float, 3>> centres;

    // Two balls overlap; more of them are spread as the boxes of the broad phase are, and about each second meets another.
    Spheres(long objects, long triangles) {
        const double radius = 0.5;
        const long rings = std::max(2L, std::lround(std::sqrt(double(triangles) / 4.0)));
        const long sectors = std::max(3L, triangles / (2 * (rings - 1)));
        one.points.push_back({0, 0, float(-radius)});
        for (long r = 1; r < rings; ++r)
            for (long s = 0; s < sectors; ++s) {
                const double up = M_PI * double(r) / double(rings), around = 2 * M_PI * double(s) / double(sectors);
                one.points.push_back({float(radius * std::sin(up) * std::cos(around)), float(radius * std::sin(up) * std::sin(around)), float(-radius * std::cos(up))});
            }
        one.points.push_back({0, 0, float(radius)});
        const auto at = [&](long r, long s) { return static_cast<uint32_t>(1 + (r - 1) * sectors + s % sectors); };
        const auto top = static_cast<uint32_t>(one.points.size() - 1);
        for (long s = 0; s < sectors; ++s) {
            one.triangles.push_back({0, at(1, s + 1), at(1, s)});
            for (long r = 1; r + 1 < rings; ++r) {
                one.triangles.push_back({at(r, s), at(r, s + 1), at(r + 1, s)});
                one.triangles.push_back({at(r, s + 1), at(r + 1, s + 1), at(r + 1, s)});
            }
            one.triangles.push_back({at(rings - 1, s), at(rings - 1, s + 1), top});
        }
        one.low.fill(float(-radius));
        one.high.fill(float(radius));
        centres = objects == 2 ? std::vector<std::array<float, 3>>{{0, 0, 0}, {0.3f, 0.2f, 0.1f}} : Boxes(objects).places;
    }
};

// Every triangle of a mesh, at each of the centres, as its box: what drawing it fattened comes down to.
inline Mesh boxes_of(const Mesh& one, const std::vector<std::array<float, 3>>& centres) {
    Mesh all;
    all.low.fill(INFINITY);
    all.high.fill(-INFINITY);
    for (const auto& centre : centres)
        for (const auto& t : one.triangles) {
            const auto first = static_cast<uint32_t>(all.points.size());
            for (uint32_t corner = 0; corner < 8; ++corner) {
                std::array<float, 3> p;
                for (int axis = 0; axis < 3; ++axis) {
                    const float x[3] = {one.points[t[0]][axis], one.points[t[1]][axis], one.points[t[2]][axis]};
                    p[axis] = centre[axis] + (corner >> axis & 1 ? *std::max_element(x, x + 3) : *std::min_element(x, x + 3));
                    all.low[axis] = std::min(all.low[axis], p[axis]);
                    all.high[axis] = std::max(all.high[axis], p[axis]);
                }
                all.points.push_back(p);
            }
            const uint32_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                           {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
            for (const auto& s : sides) all.triangles.push_back({first + s[0], first + s[1], first + s[2]});
        }
    return all;
}
