// The direction a surface faces at each corner of each triangle: round where it is smooth, sharp at creases.
#pragma once

#include "mesh/mesh.hpp"

#include <array>
#include <vector>

namespace cli {

std::vector<std::array<Vec3, 3>> corner_normals(const std::vector<Vec3>& positions,
                                                const std::vector<Triangle>& triangles);

} // namespace cli
