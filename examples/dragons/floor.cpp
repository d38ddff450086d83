#include "floor.hpp"

#include <algorithm>
#include <cmath>

namespace dragons {
namespace {

constexpr float amplitude = 0.12f, wave_number = 1.6f, frequency = 3.0f, rim = 1.2f;

float phase(float x, float z, float time) { return wave_number * (x + 0.6f * z) - frequency * time; }

} // namespace

Floor::Floor(std::size_t triangles, float half_width) : half_width_(half_width) {
    const auto side = static_cast<std::uint32_t>(std::max(2.0, std::sqrt(static_cast<double>(triangles) / 2)));
    for (std::uint32_t i = 0; i <= side; ++i) {
        for (std::uint32_t k = 0; k <= side; ++k) {
            const auto along = [&](std::uint32_t n) {
                return half_width * (2 * static_cast<float>(n) / static_cast<float>(side) - 1);
            };
            mesh_.positions.push_back({along(i), 0, along(k)});
        }
    }
    for (std::uint32_t i = 0; i < side; ++i) {
        for (std::uint32_t k = 0; k < side; ++k) {
            const std::uint32_t a = i * (side + 1) + k, b = a + side + 1;
            mesh_.triangles.push_back({a, a + 1, b + 1});
            mesh_.triangles.push_back({a, b + 1, b});
        }
    }
    velocities_.resize(mesh_.positions.size());
    move_to(0);
}

float Floor::height(float x, float z, float time) const {
    const float away = (x * x + z * z) / (half_width_ * half_width_);
    return rim * away + amplitude * std::sin(phase(x, z, time));
}

void Floor::move_to(float time) {
    for (std::size_t i = 0; i < mesh_.positions.size(); ++i) {
        cli::Vec3& p = mesh_.positions[i];
        p.y = height(p.x, p.z, time);
        velocities_[i] = {0, -frequency * amplitude * std::cos(phase(p.x, p.z, time)), 0};
    }
}

} // namespace dragons
