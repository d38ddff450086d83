// A square of fabric: vertices on a grid, held by springs that extended position-based dynamics solves
// (Macklin, Müller and Chentanez 2016, "XPBD", equations 17 and 18).
#pragma once

#include "mesh/mesh.hpp"

#include <cstdint>
#include <vector>

namespace drape {

struct Spring {
    std::uint32_t a, b;
    float rest;       // length
    float compliance; // inverse stiffness
};

class Fabric {
public:
    static constexpr float drag = 0.4f; // part of the velocity that is lost per second

    // `side` vertices along a side of length `width`, level at `height`.
    Fabric(std::uint32_t side, float width, float height);

    // Moves a copy of the positions by velocity and gravity: where the solver begins.
    void predict(float step, float gravity);
    // One pass over all springs.
    void relax(float step);
    // Moves each vertex towards where the solver put it, no farther than its limit, and takes the velocities from that.
    void advance(float step, const std::vector<float>& limits);

    const cli::Mesh& mesh() const { return mesh_; }
    std::vector<cli::Vec3>& solved() { return solved_; }
    float spacing() const { return spacing_; }
    float longest_stretch() const; // of springs along the grid, relative to their rest length

private:
    cli::Mesh mesh_;
    float spacing_;
    std::vector<cli::Vec3> velocities_, solved_;
    std::vector<Spring> springs_;
    std::vector<float> multipliers_;
    std::size_t along_grid_ = 0; // springs that resist stretching come first
};

} // namespace drape
