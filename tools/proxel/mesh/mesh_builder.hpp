// Collects vertices and polygons into a mesh, and refuses what no mesh may contain. The message about the place
// (a line or a byte) comes from the reader, which knows where it is.
#pragma once

#include "mesh/mesh.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace cli {

class MeshBuilder {
public:
    // Throws the Failure for what is wrong at the reader's present place.
    using Complaint = std::function<void(const std::string& what)>;

    explicit MeshBuilder(Complaint complain) : complain_(std::move(complain)) {}

    void vertex(Vec3 p) {
        if (!is_finite(p)) {
            complain_("vertex " + std::to_string(mesh_.positions.size()) +
                      " has a coordinate that is not a finite 32-bit number; remove or repair it");
        }
        if (mesh_.positions.size() == most) complain_("more than 4294967295 vertices; split the mesh");
        mesh_.positions.push_back(p);
    }

    void vertex(const Place& p) {
        vertex(Vec3{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
        mesh_.doubles.push_back(p);
    }

    // A polygon becomes a fan around its first corner. `vertex_count` is how many vertices an index may choose from.
    void polygon(const std::vector<std::int64_t>& corners, std::uint64_t vertex_count) {
        if (corners.size() < 3) {
            complain_("a face has " + std::to_string(corners.size()) +
                      " corners, but needs at least 3; remove it or export the mesh again");
        }
        for (const std::int64_t corner : corners) {
            if (corner < 0 || static_cast<std::uint64_t>(corner) >= vertex_count) out_of_range(corner, vertex_count);
        }
        if (mesh_.triangles.size() + corners.size() - 2 > most)
            complain_("more than 4294967295 triangles; split the mesh");
        const auto index = [&](std::size_t i) { return static_cast<std::uint32_t>(corners[i]); };
        for (std::size_t i = 2; i < corners.size(); ++i) mesh_.triangles.push_back({index(0), index(i - 1), index(i)});
    }

    void out_of_range(std::int64_t corner, std::uint64_t vertex_count) const {
        complain_("a face names vertex " + std::to_string(corner) + " (counted from 0), but there are " +
                  std::to_string(vertex_count) + " vertices; export the mesh again");
    }

    Mesh& mesh() { return mesh_; }

    Mesh finish() {
        if (mesh_.positions.empty()) complain_("no vertices; give a file with a triangle mesh");
        if (mesh_.triangles.empty()) complain_("no faces (a point cloud?); give a file with a triangle mesh");
        return std::move(mesh_);
    }

private:
    static constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();

    Complaint complain_;
    Mesh mesh_;
};

} // namespace cli
