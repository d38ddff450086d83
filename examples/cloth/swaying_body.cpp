#include "swaying_body.hpp"

#include <algorithm>
#include <cmath>

namespace drape {

SwayingBody::SwayingBody(cli::Mesh rest) : mesh_(std::move(rest)), rest_(mesh_.positions) { set(at(0)); }

std::vector<cli::Vec3> SwayingBody::at(float time) const {
    const float sway = 0.25f * std::sin(1.7f * time), twist = 0.5f * std::sin(1.3f * time), breath = 0.06f * std::sin(4.0f * time);
    std::vector<cli::Vec3> positions;
    positions.reserve(rest_.size());
    for (const cli::Vec3 p : rest_) {
        // It stands on its feet: the higher, the more it turns and sways.
        const float turn = twist * (p.y + 1), c = std::cos(turn), s = std::sin(turn), wide = 1 + breath * (1 - p.y * p.y);
        positions.push_back({wide * (c * p.x + s * p.z) + sway * (p.y + 1), p.y, wide * (c * p.z - s * p.x)});
    }
    return positions;
}

float SwayingBody::top() const {
    float top = -1e30f;
    for (const cli::Vec3 p : mesh_.positions) top = std::max(top, p.y);
    return top;
}

} // namespace drape
