// How the volume of a closed mesh is spread: what its inertia is made of.
#pragma once

#include "mesh/mesh.hpp"

namespace cli {

// Integrals over the volume that the mesh encloses.
struct Moments {
    double volume = 0;
    double first[3] = {};     // of x, y, z
    double second[3][3] = {}; // of their products

    explicit Moments(const Mesh& mesh);

    Vec3 centre() const;
};

} // namespace cli
