// A block of soft tissue: tetrahedra whose edges are springs and whose volumes hardly change, solved by extended position-based dynamics
// (Macklin, Müller and Chentanez 2016, "XPBD", equations 17 and 18). Its bottom is fixed.
#pragma once

#include "mesh/mesh.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace probing {

using cli::Vec3;
using Tetrahedron = std::array<std::uint32_t, 4>;

class Tissue {
public:
    // So many cells along x and z, half as many in height, in a block of 2 by 0.8 by 2 whose top is level at 0.
    explicit Tissue(std::uint32_t cells);

    // Moves a copy of the positions by their velocities: where the solver begins.
    void predict(float step);
    // One pass over all edges and volumes.
    void relax(float step);
    // Moves the vertices to where the solver put them, and takes the velocities from that.
    void advance(float step);

    const cli::Mesh& surface() const { return surface_; } // all vertices, those inside too, and the triangles of the surface
    const std::vector<Tetrahedron>& tetrahedra() const { return tetrahedra_; }
    const std::vector<Vec3>& at_rest() const { return rest_; }
    std::vector<Vec3>& solved() { return solved_; }
    float inverse_mass(std::uint32_t vertex) const { return inverse_masses_[vertex]; }
    Vec3 force_on_anchors(float step) const; // what edges and volumes pull at the fixed vertices
    float fastest() const;                   // vertex

private:
    struct Edge {
        std::uint32_t a, b;
        float rest;
    };
    std::array<Vec3, 4> volume_gradients(const Tetrahedron& t) const;

    cli::Mesh surface_;
    std::vector<Tetrahedron> tetrahedra_;
    std::vector<Edge> edges_;
    std::vector<float> volumes_, inverse_masses_, edge_multipliers_, volume_multipliers_;
    std::vector<Vec3> rest_, velocities_, solved_;
};

} // namespace probing
