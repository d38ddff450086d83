// Triangles as a file gives them: the order of triangles and vertices is the file's order.
#pragma once

#include "vec3.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cli {

using Triangle = std::array<std::uint32_t, 3>;

using Place = std::array<double, 3>;

struct Mesh {
    std::vector<Vec3> positions;
    std::vector<Triangle> triangles;
    std::vector<Place> doubles = {}; // as the file has them, if it has doubles: `positions` are these, rounded
};

// Reads the file in the format that the end of its name tells. Throws Failure with a message that has the file, the place in
// it, what is wrong and what to do. Every index in the result is in range and every position finite.
Mesh read_mesh(const std::string& path);

// True for the endings that read_mesh knows.
bool is_mesh_file(const std::string& path);

// Writes PLY (binary), OBJ, STL (binary) or OFF, as the end of the name tells.
void write_mesh(const std::string& path, const Mesh& mesh);
bool can_write_mesh(const std::string& path);

// The end of a file's name in lower case, with its dot.
std::string ending_of(const std::string& path);

} // namespace cli
