#include "fabric.hpp"

#include <algorithm>

namespace drape {
namespace {

using cli::Vec3;

constexpr float stretch_compliance = 1e-7f, shear_compliance = 1e-5f, bend_compliance = 1e-3f;

} // namespace

Fabric::Fabric(std::uint32_t side, float width, float height) : spacing_(width / static_cast<float>(side - 1)) {
    const auto at = [&](std::uint32_t i, std::uint32_t k) { return i * side + k; };
    for (std::uint32_t i = 0; i < side; ++i)
        for (std::uint32_t k = 0; k < side; ++k)
            mesh_.positions.push_back({static_cast<float>(i) * spacing_ - 0.5f * width, height, static_cast<float>(k) * spacing_ - 0.5f * width});
    for (std::uint32_t i = 0; i + 1 < side; ++i)
        for (std::uint32_t k = 0; k + 1 < side; ++k) {
            // Diagonals take turns, so that no direction is weaker than another.
            const std::uint32_t a = at(i, k), b = at(i + 1, k), c = at(i + 1, k + 1), d = at(i, k + 1);
            if ((i + k) % 2 == 0) mesh_.triangles.insert(mesh_.triangles.end(), {{a, d, c}, {a, c, b}});
            else mesh_.triangles.insert(mesh_.triangles.end(), {{a, d, b}, {b, d, c}});
        }
    const auto join = [&](std::uint32_t di, std::uint32_t dk, std::uint32_t from_k, float compliance) {
        for (std::uint32_t i = 0; i + di < side; ++i)
            for (std::uint32_t k = from_k; k + dk < side; ++k) {
                const std::uint32_t a = at(i, k), b = from_k > 0 ? at(i + di, k - from_k) : at(i + di, k + dk);
                springs_.push_back({a, b, length(mesh_.positions[a] - mesh_.positions[b]), compliance});
            }
    };
    join(1, 0, 0, stretch_compliance);
    join(0, 1, 0, stretch_compliance);
    along_grid_ = springs_.size();
    join(1, 1, 0, shear_compliance);
    join(1, 0, 1, shear_compliance); // the other diagonal
    join(2, 0, 0, bend_compliance);
    join(0, 2, 0, bend_compliance);
    velocities_.resize(mesh_.positions.size());
    multipliers_.resize(springs_.size());
}

void Fabric::predict(float step, float gravity) {
    solved_ = mesh_.positions;
    for (std::size_t v = 0; v < solved_.size(); ++v) {
        velocities_[v] = velocities_[v] * (1 - drag * step) + Vec3{0, -gravity * step, 0};
        solved_[v] += velocities_[v] * step;
    }
    std::fill(multipliers_.begin(), multipliers_.end(), 0.0f);
}

void Fabric::relax(float step) {
    for (std::size_t s = 0; s < springs_.size(); ++s) {
        const Spring& spring = springs_[s];
        const Vec3 apart = solved_[spring.a] - solved_[spring.b];
        const float size = length(apart), softness = spring.compliance / (step * step);
        if (!(size > 0)) continue;
        // All vertices have mass 1: the gradient of the length is 1 at both ends.
        const float change = (spring.rest - size - softness * multipliers_[s]) / (2 + softness);
        multipliers_[s] += change;
        solved_[spring.a] += apart * (change / size);
        solved_[spring.b] += apart * (-change / size);
    }
}

void Fabric::advance(float step, const std::vector<float>& limits) {
    for (std::size_t v = 0; v < solved_.size(); ++v) {
        const Vec3 before = mesh_.positions[v];
        Vec3 way = solved_[v] - before;
        const float size = length(way);
        if (size > limits[v]) way = way * (limits[v] / size);
        mesh_.positions[v] += way;
        velocities_[v] = (mesh_.positions[v] - before) * (1 / step);
    }
}

float Fabric::longest_stretch() const {
    float most = 0;
    for (std::size_t s = 0; s < along_grid_; ++s) {
        const Spring& spring = springs_[s];
        most = std::max(most, length(mesh_.positions[spring.a] - mesh_.positions[spring.b]) / spring.rest - 1);
    }
    return most;
}

} // namespace drape
