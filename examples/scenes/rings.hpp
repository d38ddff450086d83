// Closed surfaces made of rings of points.
#pragma once

#include "mesh/mesh.hpp"

#include <vector>

namespace scenes {

using Ring = std::vector<cli::Vec3>;

// A circle about the y axis; from one circle to the next upwards, a surface faces outwards.
Ring circle(double height, double radius, std::uint32_t points);

enum class Ends { lids, joined }; // a lid on either end, about the y axis, or from the last ring back to the first

cli::Mesh tube(const std::vector<Ring>& rings, Ends ends);

} // namespace scenes
