// A mesh file as a query takes it: handed to the library, somewhere in the world.
#pragma once

#include "session.hpp"

#include <cstdio>
#include <filesystem>

namespace cli {

struct Body {
    std::string path;
    Mesh mesh;
    Pose pose;
    PrxMesh id{};
    PrxPose where{};

    Body(const Session& session, std::string file, const Pose& place)
        : path(std::move(file)), mesh(read_mesh(path)), pose(place), id(session.upload(mesh, path, PRX_MESH_DEFORMING)),
          where(prx_pose(place)) {}

    std::string name() const { return std::filesystem::path(path).filename().string(); }

    // Hands all positions over anew, as an engine does with a mesh that deforms.
    void update(const Session& session) const {
        session.check(prx_mesh_update(session.context(), id, 0, static_cast<std::uint32_t>(mesh.positions.size()),
                                      mesh.positions.data(), sizeof(Vec3)));
    }
};

inline Vec3 point(const float (&p)[3]) { return {p[0], p[1], p[2]}; }

// For people: four digits are enough.
inline std::string brief(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

} // namespace cli
