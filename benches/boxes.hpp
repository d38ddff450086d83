// Boxes that move, for the broad-phase benchmark; peers/parry/src/boxes.rs says the same in Rust.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "contestant.hpp"

struct Boxes {
    using Vec = std::array<float, 3>;
    std::vector<Vec> places;
    std::vector<std::vector<Vec>> steps;

    // As many as there are fill a cube with about one box a cell.
    explicit Boxes(long count) : places(static_cast<size_t>(count)), steps(8, places) {
        const double side = std::cbrt(double(count));
        for (size_t i = 0; i < places.size(); ++i)
            for (int axis = 0; axis < 3; ++axis)
                places[i][axis] = static_cast<float>(side * part(i, axis));
    }
    // Evenly spread numbers (Roberts 2018).
    static double part(size_t i, int axis) {
        const double steps[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
        return std::fmod(0.5 + steps[axis] * double(i + 1), 1.0);
    }
    // Sixteen sizes, half sides from 0.2 to 0.5.
    static constexpr size_t sizes = 16;
    static Vec half_of(size_t size) {
        const auto one = [size](int k) { return 0.2f + 0.02f * static_cast<float>((size * 7 + static_cast<size_t>(k) * 5) % sizes); };
        return {one(0), one(1), one(2)};
    }
    Vec half(size_t i) const { return half_of(i % sizes); }

    // Where the centres are in the steps of a turn: each on a small circle of its own, a tenth of a box further each step.
    void plan(const contest::Turn& turn) {
        for (size_t step = 0; step < steps.size(); ++step)
            for (size_t i = 0; i < places.size(); ++i) {
                const double angle = 2 * M_PI * (turn.fraction + part(i, 0)) + 0.1 * double(step);
                steps[step][i] = {places[i][0] + static_cast<float>(std::cos(angle)),
                                  places[i][1] + static_cast<float>(std::sin(angle)),
                                  places[i][2] + 0.5f * static_cast<float>(std::sin(2 * angle))};
            }
    }
    const std::vector<Vec>& at(size_t step) const { return steps[step % steps.size()]; }
};
