#include "rings.hpp"

#include <cmath>

namespace scenes {

Ring circle(double height, double radius, std::uint32_t points) {
    Ring out;
    for (std::uint32_t i = 0; i < points; ++i) {
        const double angle = 6.283185307179586 * i / points;
        out.push_back({static_cast<float>(radius * std::sin(angle)), static_cast<float>(height), static_cast<float>(radius * std::cos(angle))});
    }
    return out;
}

cli::Mesh tube(const std::vector<Ring>& rings, Ends ends) {
    cli::Mesh mesh;
    for (const Ring& ring : rings) mesh.positions.insert(mesh.positions.end(), ring.begin(), ring.end());
    const auto count = static_cast<std::uint32_t>(rings.size()), around = static_cast<std::uint32_t>(rings[0].size());
    const auto at = [&](std::uint32_t ring, std::uint32_t i) { return ring % count * around + i % around; };
    for (std::uint32_t j = 0; j + (ends == Ends::joined ? 0 : 1) < count; ++j) {
        for (std::uint32_t i = 0; i < around; ++i) {
            mesh.triangles.push_back({at(j, i), at(j, i + 1), at(j + 1, i)});
            mesh.triangles.push_back({at(j, i + 1), at(j + 1, i + 1), at(j + 1, i)});
        }
    }
    if (ends == Ends::joined) return mesh;
    for (const std::uint32_t ring : {0u, count - 1}) {
        const auto middle = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.push_back({0, rings[ring][0].y, 0});
        for (std::uint32_t i = 0; i < around; ++i) {
            if (ring == 0) mesh.triangles.push_back({middle, at(ring, i + 1), at(ring, i)});
            else mesh.triangles.push_back({middle, at(ring, i), at(ring, i + 1)});
        }
    }
    return mesh;
}

} // namespace scenes
