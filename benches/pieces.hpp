// A mesh that breaks: its triangles by the nearest of many points, each lot a body that flies away from the middle and turns.
#pragma once

#include <cmath>
#include <limits>

#include "boxes.hpp"
#include "mesh.hpp"
#include "poses.hpp"

struct Pieces {
    std::vector<Mesh> all;
    std::vector<std::array<double, 3>> centres;
    std::array<double, 3> middle;

    Pieces(const Mesh& mesh, size_t count) {
        std::vector<std::array<double, 3>> seeds(count);
        for (int axis = 0; axis < 3; ++axis) {
            middle[axis] = (double(mesh.low[axis]) + mesh.high[axis]) / 2;
            for (size_t i = 0; i < count; ++i)
                seeds[i][axis] = double(mesh.low[axis]) + Boxes::part(i, axis) * (double(mesh.high[axis]) - mesh.low[axis]);
        }
        std::vector<std::vector<std::array<uint32_t, 3>>> lots(count);
        for (const auto& t : mesh.triangles) {
            size_t nearest = 0;
            double least = std::numeric_limits<double>::max();
            for (size_t i = 0; i < count; ++i) {
                double square = 0;
                for (int axis = 0; axis < 3; ++axis) {
                    const double way = (double(mesh.points[t[0]][axis]) + mesh.points[t[1]][axis] + mesh.points[t[2]][axis]) / 3 - seeds[i][axis];
                    square += way * way;
                }
                if (square < least) least = square, nearest = i;
            }
            lots[nearest].push_back(t);
        }
        for (const auto& lot : lots)
            if (!lot.empty()) add(mesh, lot);
    }

    // After a part of the flight, 0 to 1, pieces are as far out again as they were from the middle, and half turned.
    Pose at(size_t piece, double part) const {
        Pose pose;
        double axis[3], length = 0;
        for (int k = 0; k < 3; ++k) axis[k] = Boxes::part(piece, k) - 0.5, length += axis[k] * axis[k];
        const double half = 0.5 * M_PI * part;
        for (int k = 0; k < 3; ++k) pose.rotation[k] = std::sin(half) * axis[k] / std::sqrt(length);
        pose.rotation[3] = std::cos(half);
        const auto turned = pose.apply(centres[piece]);
        for (int k = 0; k < 3; ++k) pose.translation[k] = centres[piece][k] + part * (centres[piece][k] - middle[k]) - turned[k];
        return pose;
    }

private:
    void add(const Mesh& mesh, const std::vector<std::array<uint32_t, 3>>& lot) {
        Mesh piece;
        std::map<uint32_t, uint32_t> number;
        std::array<double, 3> sum{};
        for (const auto& t : lot) {
            std::array<uint32_t, 3> own;
            for (int k = 0; k < 3; ++k) {
                const auto known = number.emplace(t[k], static_cast<uint32_t>(number.size()));
                if (known.second) {
                    piece.points.push_back(mesh.points[t[k]]);
                    for (int axis = 0; axis < 3; ++axis) sum[axis] += mesh.points[t[k]][axis];
                }
                own[k] = known.first->second;
            }
            piece.triangles.push_back(own);
        }
        for (double& s : sum) s /= double(piece.points.size());
        centres.push_back(sum);
        all.push_back(std::move(piece));
    }
};
