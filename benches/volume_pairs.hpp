// The pairs of the volume benchmarks in a turn: a mesh and a moved copy of it, or another, `apart` extents away; pairs=N makes N such pairs. volume_pair.py
// says the same in Python.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "poses.hpp"

class VolumePairs {
public:
    using Positions = std::vector<std::array<float, 3>>;

    VolumePairs(const contest::Arguments& arguments, const Mesh& mesh, const Mesh& other)
        : mesh_(mesh), other_(other), motion_("at_" + arguments.text("apart", "0.3")), wave_(std::stod(arguments.text("wave", "0.02"))),
          count_(std::stol(arguments.text("pairs", "1"))) {}

    long count() const { return count_; }

    // The positions of every pair: where there are many, each has a pose and a wave of its own.
    std::vector<std::pair<Positions, Positions>> placed(const contest::Turn& turn) const {
        std::vector<std::pair<Positions, Positions>> all;
        for (long pair = 0; pair < count_; ++pair) {
            const contest::Turn own = count_ == 1 ? turn : contest::Turn{pair, std::fmod(turn.fraction + 0.618 * static_cast<double>(pair), 1.0)};
            all.emplace_back(deformed(mesh_, Pose{}, own, wave_), deformed(other_, pose_of(motion_, mesh_, own), own, wave_));
        }
        return all;
    }

private:
    const Mesh& mesh_;
    const Mesh& other_;
    std::string motion_;
    double wave_;
    long count_;
};
