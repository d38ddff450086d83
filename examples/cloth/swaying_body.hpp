// A body that sways from side to side, twists and breathes, all by formula: what a cloth has to follow.
#pragma once

#include "mesh/mesh.hpp"

#include <vector>

namespace drape {

class SwayingBody {
public:
    explicit SwayingBody(cli::Mesh rest);

    // Where the vertices are at a time, in seconds.
    std::vector<cli::Vec3> at(float time) const;
    void set(std::vector<cli::Vec3> positions) { mesh_.positions = std::move(positions); }

    const cli::Mesh& mesh() const { return mesh_; }
    float top() const; // height of its highest vertex

private:
    cli::Mesh mesh_;
    std::vector<cli::Vec3> rest_;
};

} // namespace drape
