#include "picture/corner_normals.hpp"

namespace cli {
namespace {

constexpr float crease = 0.766f; // the cosine of 40 degrees: neighbours that turn more keep their own edge

// For each vertex, which triangles meet there: those of vertex v are list[start[v]] to list[start[v + 1]].
struct Neighbourhood {
    std::vector<std::uint32_t> start;
    std::vector<std::uint32_t> list;
};

Neighbourhood triangles_at_vertices(std::size_t vertices, const std::vector<Triangle>& triangles) {
    Neighbourhood n;
    n.start.assign(vertices + 1, 0);
    n.list.resize(3 * triangles.size());
    for (const Triangle& t : triangles) {
        for (const std::uint32_t v : t) ++n.start[v + 1];
    }
    for (std::size_t v = 0; v < vertices; ++v) n.start[v + 1] += n.start[v];
    std::vector<std::uint32_t> next(n.start.begin(), n.start.end() - 1);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (const std::uint32_t v : triangles[t]) n.list[next[v]++] = static_cast<std::uint32_t>(t);
    }
    return n;
}

} // namespace

std::vector<std::array<Vec3, 3>> corner_normals(const std::vector<Vec3>& positions,
                                                const std::vector<Triangle>& triangles) {
    std::vector<Vec3> faces(triangles.size()); // as long as twice the area, so that large triangles count more
    std::vector<Vec3> units(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const Triangle& t = triangles[i];
        faces[i] = cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]);
        units[i] = normalised(faces[i]);
    }
    const Neighbourhood around = triangles_at_vertices(positions.size(), triangles);
    std::vector<std::array<Vec3, 3>> normals(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t v = triangles[i][k];
            // A vertex where thousands meet (a fan's hub) would cost the square of that: there the face's own will do.
            if (around.start[v + 1] - around.start[v] > 256) {
                normals[i][k] = units[i];
                continue;
            }
            Vec3 sum;
            for (std::uint32_t at = around.start[v]; at < around.start[v + 1]; ++at) {
                const std::uint32_t other = around.list[at];
                if (dot(units[other], units[i]) >= crease) sum += faces[other];
            }
            normals[i][k] = length(sum) > 0.0f ? normalised(sum) : units[i];
        }
    }
    return normals;
}

} // namespace cli
