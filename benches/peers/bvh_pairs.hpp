// The contest in pairs for FCL and for coal, which share their interface. They decide the triangles themselves.
#pragma once

#include <memory>

#include "contestant.hpp"
#include "mesh.hpp"
#include "poses.hpp"

// Library: Model, Vec, Triangle, and static build(), refit(), pairs().
template <class Library>
void compete_in_pairs(const contest::Arguments& arguments, const std::string& about) {
    const Mesh mesh = read_mesh(arguments.text("mesh"));
    const bool deforms = arguments.text("mode") == "refit";
    const std::string motion = arguments.text("motion", "through");
    auto positions = [](const std::vector<std::array<float, 3>>& points) {
        std::vector<typename Library::Vec> out;
        out.reserve(points.size());
        for (const auto& p : points) out.emplace_back(p[0], p[1], p[2]);
        return out;
    };
    std::vector<typename Library::Triangle> triangles;
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    const auto a = Library::build(positions(mesh.points), triangles);
    const auto b = Library::build(positions(mesh.points), triangles);
    contest::compete(about + ", " + arguments.text("mode"), [&](const contest::Turn& turn) {
        const Pose pose = pose_of(motion, mesh, turn);
        const auto moved = positions(deformed(mesh, pose, turn));
        size_t found = 0;
        contest::Sample sample = contest::shortest_of(2, [&] {
            if (deforms) Library::refit(*b, moved);
            found = Library::pairs(*a, *b, deforms ? Pose{} : pose);
        });
        sample.answer = {double(found)};
        return sample;
    });
}
