// Closed, outward-facing surfaces by formula, about two units across and centred on the origin: something to query
// where no mesh file is at hand. `triangles` is a wish; the nearest count that the formula allows is made.
#pragma once

#include "mesh/mesh.hpp"

#include <cstddef>

namespace cli {

// The unit sphere: an icosahedron whose faces are split evenly.
Mesh sphere(std::size_t triangles);

// The cube from -1 to 1, each side a grid.
Mesh box(std::size_t triangles);

// Around the z axis: ring radius 0.7, tube radius 0.3.
Mesh torus(std::size_t triangles);

// The (2,3) torus knot, a tube of radius 0.16.
Mesh knot(std::size_t triangles);

// A sitting animal with two ears: smooth, not convex, the same from no two sides. No star of museums, but it behaves.
Mesh rabbit(std::size_t triangles);

} // namespace cli
