// Answers of layered depth images.
#ifndef PROXEL_VOLUME_HPP
#define PROXEL_VOLUME_HPP

#include <proxel/result.hpp>

#include <cstdint>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

/// A layered depth image: its rays, and stretches of them.
struct Layers {
    PrxLayersInfo info{};
    std::vector<PrxLayer> layers;
};

/// PRX_CONTAINMENT_* bits, one number per point.
struct Containment {
    std::vector<std::uint32_t> points;
};

/// How a shared volume changes with the vertices of both meshes: three numbers per vertex, in the world.
struct IntersectionGradients {
    std::vector<float> a, b;
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_VOLUME_HPP
