// Where mesh B is in a turn of the distance benchmarks, and how it deforms; peers/parry/src/poses.rs says the same in Rust.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "contestant.hpp"
#include "mesh.hpp"

struct Pose {
    std::array<double, 4> rotation{0, 0, 0, 1};  // quaternion x y z w
    std::array<double, 3> translation{};

    std::array<double, 3> apply(const std::array<double, 3>& p) const {
        auto [x, y, z, w] = rotation;
        std::array<double, 3> t{2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])};
        return {p[0] + w * t[0] + y * t[2] - z * t[1] + translation[0], p[1] + w * t[1] + z * t[0] - x * t[2] + translation[1],
                p[2] + w * t[2] + x * t[1] - y * t[0] + translation[2]};
    }
};

// A rotation about a mesh's centre, then so many of its longest extents along x.
inline Pose about_centre(Pose pose, const Mesh& mesh, double extents) {
    std::array<double, 3> centre;
    for (int i = 0; i < 3; ++i) centre[i] = (double(mesh.low[i]) + mesh.high[i]) / 2;
    const auto turned = pose.apply(centre);
    for (int i = 0; i < 3; ++i) pose.translation[i] = centre[i] - turned[i];
    pose.translation[0] += extents * mesh.longest();
    return pose;
}

// "sweep": from one to two box lengths along x. "at_X": a random rotation (Shoemake) about B's centre, X longest extents away.
// "rotate": the same, 1.5 extents away; "overlap": 0.3, so that bodies share a part. "same": B is where A is.
// "through": twelve places where two bodies overlap, the same in every run.
// "closing" and "parting" are Morvan et al. 2008, section 5.1: in 8640 turns twelve steps along x, within one extent or beyond it, and at each
// 720 orientations, a whole turn about y and one about z by single degrees; fewer turns are spread over them.
inline Pose pose_of(const std::string& motion, const Mesh& mesh, const contest::Turn& turn) {
    Pose pose;
    if (motion == "same") return pose;
    if (motion == "sweep") {
        pose.translation[0] = (1.0 + turn.fraction) * (double(mesh.high[0]) - mesh.low[0]);
        return pose;
    }
    if (motion == "through") {
        // Twelve steps, each a little askew, so that the surfaces cross and nothing is aligned.
        const double step = std::floor(12 * turn.fraction) / 12, half = 0.05 + 0.3 * step;
        pose.rotation = {std::sin(half) * 0.36, std::sin(half) * 0.48, std::sin(half) * 0.8, std::cos(half)};
        pose.translation[0] = (0.1 + 0.7 * step) * (double(mesh.high[0]) - mesh.low[0]);
        return pose;
    }
    if (motion == "closing" || motion == "parting") {
        const long step = turn.round % 12, orientation = turn.round / 12 * 277 % 720;
        const double half = M_PI / 360 * double(orientation % 360);
        pose.rotation[orientation < 360 ? 1 : 2] = std::sin(half);
        pose.rotation[3] = std::cos(half);
        return about_centre(pose, mesh, (motion == "closing" ? 0 : 1) + (double(step) + 0.5) / 12);
    }
    const double extents = motion == "rotate" ? 1.5 : motion == "overlap" ? 0.3 : motion.rfind("at_", 0) == 0 ? std::stod(motion.substr(3)) : -1;
    if (extents < 0) throw std::runtime_error("motion=" + motion + " is none of sweep, through, closing, parting, at_X, rotate, overlap, same");
    double u = turn.fraction, v = std::fmod(turn.round * 0.7548776662466927, 1.0), w = std::fmod(turn.round * 0.5698402909980532, 1.0);
    double a = std::sqrt(1 - u), b = std::sqrt(u), tau = 2 * M_PI;
    pose.rotation = {a * std::sin(tau * v), a * std::cos(tau * v), b * std::sin(tau * w), b * std::cos(tau * w)};
    return about_centre(pose, mesh, extents);
}

// A mesh's positions in a turn when it deforms: a wave of 2 % of its size runs through it, then the pose is applied.
// From about 9 % on the wave folds the surface through itself.
inline std::vector<std::array<float, 3>> deformed(const Mesh& mesh, const Pose& pose, const contest::Turn& turn, double wave = 0.02) {
    double size = mesh.longest(), phase = 2 * M_PI * turn.fraction;
    std::vector<std::array<float, 3>> out(mesh.points.size());
    for (size_t i = 0; i < out.size(); ++i) {
        std::array<double, 3> p{mesh.points[i][0], mesh.points[i][1], mesh.points[i][2]};
        std::array<double, 3> moved;
        for (int axis = 0; axis < 3; ++axis) moved[axis] = p[axis] + wave * size * std::sin(12 * p[(axis + 1) % 3] / size + phase);
        auto placed = pose.apply(moved);
        for (int axis = 0; axis < 3; ++axis) out[i][axis] = static_cast<float>(placed[axis]);
    }
    return out;
}

// A mesh moved and scaled to the place and size of another, so that two different ones can meet.
inline Mesh fitted(Mesh mesh, const Mesh& to) {
    const float scale = to.longest() / mesh.longest();
    const Mesh from = mesh;
    const auto fit = [&](float value, int axis) {
        return (value - (from.low[axis] + from.high[axis]) / 2) * scale + (to.low[axis] + to.high[axis]) / 2;
    };
    for (int axis = 0; axis < 3; ++axis) {
        for (auto& point : mesh.points) point[axis] = fit(point[axis], axis);
        mesh.low[axis] = fit(from.low[axis], axis);
        mesh.high[axis] = fit(from.high[axis], axis);
    }
    return mesh;
}

// Body `k` of several in a turn: each turns at random about its centre, on the corners of squares 1.5 extents wide, and waves.
inline std::vector<std::array<float, 3>> body_of(const Mesh& mesh, const contest::Turn& turn, long k, double wave) {
    const contest::Turn own{7 * turn.round + k, std::fmod(turn.fraction + 0.38 * static_cast<double>(k), 1.0)};
    Pose pose = pose_of("rotate", mesh, own);
    pose.translation[0] += 1.5 * mesh.longest() * static_cast<double>(k % 2 - 1);
    pose.translation[1] += 1.5 * mesh.longest() * static_cast<double>(k / 2);
    return deformed(mesh, pose, own, wave);
}
