// Triangles as a file gives them: the order of triangles and vertices is the file's order.
#pragma once

#include "vec3.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cli {

using Triangle = std::array<std::uint32_t, 3>;

struct Mesh {
    std::vector<Vec3> positions;
    std::vector<Triangle> triangles;
};

// Reads a PLY, OBJ, STL or OFF file, chosen by the end of its name. Throws Failure with a sentence that says which
// file, where in it, what is wrong and what to do. Every index in the result is in range and every position finite.
Mesh read_mesh(const std::string& path);

// Writes binary little-endian PLY: float positions, 32-bit indices.
void write_ply(const std::string& path, const Mesh& mesh);

} // namespace cli
