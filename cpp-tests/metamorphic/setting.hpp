// Two bodies with everything that queries ask about them, and the changes under which answers must stay what they are.
//
// All coordinates are multiples of a power of two, far above the last bit of a float, and bodies are turned by half turns only. So
// moving, halving and scaling are exact, and exact queries owe the same decisions afterwards.
#pragma once

#include <proxel.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "../shapes.hpp"
#include "../witness.hpp"

namespace metamorphic {

using test::Shape;
using test::Triangle;
using test::Vec3;

/// A product of quaternions x, y, z, w.
inline std::array<double, 4> product(const float (&p)[4], const float (&q)[4]) {
    const double a[] = {p[0], p[1], p[2], p[3]}, b[] = {q[0], q[1], q[2], q[3]};
    return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

/// Where a pose puts a point; exact for half turns and coordinates on the grid.
inline Vec3 placed(const PrxPose& pose, Vec3 p) {
    const double x = pose.rotation[0], y = pose.rotation[1], z = pose.rotation[2], w = pose.rotation[3];
    const double v[] = {p.x, p.y, p.z};
    // v + 2 u x (u x v + w v), with the vector part u.
    const double t[] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};
    const double turned[] = {v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]};
    return {static_cast<float>(turned[0] + pose.position[0]), static_cast<float>(turned[1] + pose.position[1]),
            static_cast<float>(turned[2] + pose.position[2])};
}

/// `first`, then `then`.
inline PrxPose after(const PrxPose& then, const PrxPose& first) {
    PrxPose pose = prx_pose_identity();
    const Vec3 origin = placed(then, {first.position[0], first.position[1], first.position[2]});
    const float at[] = {origin.x, origin.y, origin.z};
    const std::array<double, 4> turn = product(then.rotation, first.rotation);
    for (int i = 0; i < 3; ++i) pose.position[i] = at[i];
    for (int i = 0; i < 4; ++i) pose.rotation[i] = static_cast<float>(turn[static_cast<std::size_t>(i)]);
    return pose;
}

/// Tetrahedra, in the world.
struct Tetrahedra {
    std::vector<Vec3> positions;
    std::vector<std::array<std::uint32_t, 4>> corners;
};

/// A body, where it is, and where its vertices are at the end of a step.
struct Body {
    Shape shape;
    std::vector<Vec3> moved;
    PrxPose pose = prx_pose_identity();
    Tetrahedra tetrahedra;
    bool closed = true;
    /// Vertices of the original; those that cutting triangles adds come after them.
    std::size_t corners = 0;
};

struct Setting {
    Body a, b;
    /// In the world.
    std::vector<Vec3> points;
    /// What counts as near.
    double near = 0.03125;
    /// Triangles without area are among them: an edge of theirs can be a corner.
    bool degenerate = false;
    /// Both bodies are the same, in the same place: everything is equally near.
    bool coincident = false;

    /// How it came from the original: what was swapped, into how many parts triangles were cut, by which power of two it was scaled.
    bool swapped = false;
    std::uint32_t parts = 1;
    int scale = 0;
    PrxPose common = prx_pose_identity();

    // --- from an answer to the answer for the original ---------------------------------------------------------------

    /// A length, an area or a volume by its dimension.
    double unscaled(double value, int dimension) const { return std::ldexp(value, -scale * dimension); }
    std::vector<std::uint32_t> pair(std::uint32_t of_a, std::uint32_t of_b) const {
        of_a /= parts;
        of_b /= parts;
        return swapped ? std::vector<std::uint32_t>{of_b, of_a} : std::vector<std::uint32_t>{of_a, of_b};
    }
    bool closed() const { return a.closed && b.closed; }
};

// --- settings from a number ---------------------------------------------------------------------------------------------

constexpr float grid = 0x1p-10f;

inline Vec3 on_grid(Vec3 p, float spacing = grid) {
    return {std::round(p.x / spacing) * spacing, std::round(p.y / spacing) * spacing, std::round(p.z / spacing) * spacing};
}

/// An octahedron whose triangles are cut in four `levels` times, with corners on a sphere: closed, with every vertex once.
inline Shape ball(int levels);

/// Every triangle in four, at the centres of its edges: triangle `i` becomes 4 i to 4 i + 3. An edge has one centre.
inline Shape subdivided(const Shape& shape, std::vector<Vec3>* beside = nullptr) {
    Shape fine{shape.positions, {}};
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> centres;
    auto half = [](Vec3 p, Vec3 q) { return Vec3{(p.x + q.x) / 2, (p.y + q.y) / 2, (p.z + q.z) / 2}; };
    auto centre = [&](std::uint32_t i, std::uint32_t j) {
        if (i == j) return i;
        const auto [at, is_new] = centres.try_emplace(std::minmax(i, j), static_cast<std::uint32_t>(fine.positions.size()));
        if (is_new) {
            fine.positions.push_back(half(fine.positions[i], fine.positions[j]));
            if (beside != nullptr) beside->push_back(half((*beside)[i], (*beside)[j]));
        }
        return at->second;
    };
    for (const auto& [i, j, k] : shape.triangles) {
        const std::uint32_t ij = centre(i, j), jk = centre(j, k), ki = centre(k, i);
        for (const Triangle& t : {Triangle{i, ij, ki}, Triangle{ij, j, jk}, Triangle{ki, jk, k}, Triangle{ij, jk, ki}}) fine.triangles.push_back(t);
    }
    return fine;
}

inline Shape ball(int levels) {
    Shape shape{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
    for (int level = 0; level < levels; ++level) shape = subdivided(shape);
    for (Vec3& p : shape.positions) {
        const float length = std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
        p = {p.x / length, p.y / length, p.z / length};
    }
    return shape;
}

class Maker {
public:
    explicit Maker(std::uint32_t seed) : random_(seed) {}

    Setting make(std::uint32_t kind) {
        Setting setting;
        setting.a = closed_body();
        setting.b = closed_body();
        Vec3 shift = anywhere(0.8f);
        switch (kind % 8) {
            case 0: case 1: break;  // closed bodies that overlap, mostly
            case 2: setting.b = open_body(); break;
            case 3: setting.a = open_body(), setting.b = open_body(); break;
            case 4:  // one box on another: whole faces touch
                setting.a.shape = setting.b.shape = test::cube(1, -0.5f);
                shift = {0.25f, 0.125f, 1};
                break;
            case 5:  // the same body in the same place
                setting.b = setting.a;
                setting.coincident = true;
                break;
            case 6:  // a point, a line and a repeated vertex
                setting.b.shape = {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0.25f, 0.25f, 1}}, {{0, 0, 0}, {0, 1, 2}, {1, 1, 3}, {0, 3, 4}}};
                setting.b.closed = false;
                setting.degenerate = true;
                break;
            default:  // one triangle
                setting.b.shape = {{{-1, 0, 0}, {1, 0.25f, 0}, {0, 1, 0.5f}}, {{0, 1, 2}}};
                setting.b.closed = false;
        }
        setting.a.pose = half_turn({0, 0, 0});
        setting.b.pose = setting.coincident ? setting.a.pose : after(setting.a.pose, half_turn(on_grid(shift)));
        for (Body* body : {&setting.a, &setting.b}) finish(*body);
        for (int i = 0; i < 40; ++i) {
            // Between the lines of the grid, so that none lies in a face that is parallel to them.
            const Vec3 p = on_grid(anywhere(1.5f));
            setting.points.push_back({p.x + grid / 8, p.y + grid / 4, p.z + grid / 16});
        }
        return setting;
    }

    /// A half turn about an axis, or none, and a shift.
    PrxPose half_turn(Vec3 shift) {
        PrxPose pose = test::at(shift.x, shift.y, shift.z);
        const std::uint32_t axis = below(4);
        pose.rotation[3] = 0;
        pose.rotation[axis] = 1;
        return pose;
    }
    /// Any turn.
    PrxPose turn(Vec3 shift) {
        PrxPose pose = test::at(shift.x, shift.y, shift.z);
        std::normal_distribution<double> normal;
        double q[4], length = 0;
        for (double& x : q) {
            x = normal(random_);
            length += x * x;
        }
        for (int i = 0; i < 4; ++i) pose.rotation[i] = static_cast<float>(q[i] / std::sqrt(length));
        return pose;
    }
    Vec3 anywhere(float reach) {
        std::uniform_real_distribution<float> within(-reach, reach);
        const float x = within(random_), y = within(random_);
        return {x, y, within(random_)};
    }

private:
    std::uint32_t below(std::uint32_t count) { return std::uniform_int_distribution<std::uint32_t>(0, count - 1)(random_); }

    Body closed_body() {
        Body body;
        switch (below(4)) {
            case 0: body.shape = test::cube(1, -0.5f); break;
            case 1: body.shape = ball(2); break;
            case 2: body.shape = test::torus(12, 8, 0.75f); break;
            default: body.shape = test::knot(24, 6);
        }
        // Kept small, so that bodies stay closed without passing through themselves.
        if (below(2) == 0)
            for (Vec3& p : body.shape.positions) {
                const Vec3 by = anywhere(0.02f);
                p = {p.x + by.x, p.y + by.y, p.z + by.z};
            }
        return body;
    }
    Body open_body() {
        Body body;
        body.closed = false;
        switch (below(3)) {
            case 0: body.shape = test::sheet(6); break;
            case 1: body.shape = test::moebius(16); break;
            default: body.shape = test::rubble(60, 1, random_);
        }
        return body;
    }
    /// Onto the grid; the end of a step; tetrahedra.
    void finish(Body& body) {
        body.corners = body.shape.positions.size();
        const Vec3 by = anywhere(1);
        for (Vec3& p : body.shape.positions) {
            p = on_grid(p);
            const Vec3 more = anywhere(0.05f);
            body.moved.push_back(on_grid({p.x + by.x + more.x, p.y + by.y + more.y, p.z + by.z + more.z}));
        }
        for (int i = 0; i < 24; ++i) body.tetrahedra.positions.push_back(on_grid(anywhere(1)));
        for (int i = 0; i < 12; ++i) body.tetrahedra.corners.push_back({below(24), below(24), below(24), below(24)});
    }

    std::mt19937 random_;
};

// --- the changes ----------------------------------------------------------------------------------------------------------

inline Setting swapped(Setting setting) {
    std::swap(setting.a, setting.b);
    setting.swapped = !setting.swapped;
    return setting;
}

inline Setting in_parts(Setting setting) {
    for (Body* body : {&setting.a, &setting.b}) body->shape = subdivided(body->shape, &body->moved);
    setting.parts *= 4;
    return setting;
}

inline Setting under(Setting setting, const PrxPose& common) {
    for (Body* body : {&setting.a, &setting.b}) {
        body->pose = after(common, body->pose);
        for (Vec3& p : body->tetrahedra.positions) p = placed(common, p);
    }
    for (Vec3& p : setting.points) p = placed(common, p);
    setting.common = common;
    return setting;
}

inline Setting scaled(Setting setting, int power) {
    auto scale = [&](std::vector<Vec3>& points) {
        for (Vec3& p : points) p = {std::ldexp(p.x, power), std::ldexp(p.y, power), std::ldexp(p.z, power)};
    };
    for (Body* body : {&setting.a, &setting.b}) {
        for (std::vector<Vec3>* points : {&body->shape.positions, &body->moved, &body->tetrahedra.positions}) scale(*points);
        for (float& x : body->pose.position) x = std::ldexp(x, power);
    }
    scale(setting.points);
    setting.near = std::ldexp(setting.near, power);
    setting.scale += power;
    return setting;
}

}  // namespace metamorphic
