// The floor: a bowl that waves run through.
#pragma once

#include "mesh/mesh.hpp"

namespace dragons {

class Floor {
public:
    // `half_width` from its middle to its sides.
    Floor(std::size_t triangles, float half_width);

    void move_to(float time);

    const cli::Mesh& mesh() const { return mesh_; }
    // How fast each vertex moves, up and down.
    const std::vector<cli::Vec3>& velocities() const { return velocities_; }
    float height(float x, float z, float time) const;

private:
    float half_width_;
    cli::Mesh mesh_;
    std::vector<cli::Vec3> velocities_;
};

} // namespace dragons
