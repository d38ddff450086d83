// The distance contest for FCL and for coal, which share their interface: both descend from the same library.
#pragma once

#include <memory>

#include "contestant.hpp"
#include "mesh.hpp"
#include "poses.hpp"

// Library: Model, Vec, Triangle, and static build(), refit(), distance(). The distances of all pairs of several bodies, each with
// new positions in every turn.
template <class Library>
void compete_among_bodies(const contest::Arguments& arguments, const std::string& about, const Mesh& mesh,
                          const std::vector<typename Library::Triangle>& triangles,
                          std::vector<typename Library::Vec> (*positions)(const std::vector<std::array<float, 3>>&)) {
    const std::string mode = arguments.text("mode");
    const double wave = std::stod(arguments.text("wave"));
    std::vector<std::shared_ptr<typename Library::Model>> bodies;
    for (long k = 0; k < arguments.number("bodies"); ++k) bodies.push_back(Library::build(positions(mesh.points), triangles));
    contest::compete(about + ", " + mode, [&](const contest::Turn& turn) {
        std::vector<std::vector<typename Library::Vec>> moved;
        for (size_t k = 0; k < bodies.size(); ++k) moved.push_back(positions(body_of(mesh, turn, static_cast<long>(k), wave)));
        std::vector<double> found;
        const double seconds = contest::seconds_of([&] {
            for (size_t k = 0; k < bodies.size(); ++k)
                if (mode == "refit")
                    Library::refit(*bodies[k], moved[k]);
                else
                    bodies[k] = Library::build(moved[k], triangles);
            for (size_t i = 0; i < bodies.size(); ++i)
                for (size_t j = i + 1; j < bodies.size(); ++j) found.push_back(Library::distance(*bodies[i], *bodies[j], Pose{}));
        });
        return contest::Sample{seconds, found};
    });
}

template <class Library>
void compete_in_distance(const contest::Arguments& arguments, const std::string& about) {
    using Vec = typename Library::Vec;
    Mesh mesh = read_mesh(arguments.text("mesh"));
    std::string mode = arguments.text("mode"), motion = arguments.text("motion");
    auto* positions = +[](const std::vector<std::array<float, 3>>& points) {
        std::vector<Vec> out;
        out.reserve(points.size());
        for (const auto& p : points) out.emplace_back(p[0], p[1], p[2]);
        return out;
    };
    std::vector<typename Library::Triangle> triangles;
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    if (motion == "bodies") return compete_among_bodies<Library>(arguments, about, mesh, triangles, positions);
    auto a = Library::build(positions(mesh.points), triangles);
    auto b = Library::build(positions(mesh.points), triangles);
    contest::compete(about + ", " + mode, [&](const contest::Turn& turn) {
        Pose pose = pose_of(motion, mesh, turn);
        if (mode == "rigid") {
            double distance = 0;
            double seconds = contest::seconds_of([&] { distance = Library::distance(*a, *b, pose); });
            return contest::Sample{seconds, {distance}};
        }
        auto moved = positions(deformed(mesh, pose, turn));
        double distance = 0;
        double seconds = contest::seconds_of([&] {
            if (mode == "refit")
                Library::refit(*b, moved);
            else
                b = Library::build(moved, triangles);
            distance = Library::distance(*a, *b, Pose{});
        });
        return contest::Sample{seconds, {distance}};
    });
}
