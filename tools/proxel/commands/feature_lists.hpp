// Lists of vertex-face and edge-edge pairs, as near lists and impacts have them: into answers and into pictures.
#pragma once

#include "commands/query.hpp"

#include <array>

namespace cli {

// The pairs of a list by kind. `T` has kind, feature_a and feature_b.
template <class T> void add_features(Answer& out, const Listed<T>& list, bool two_meshes) {
    std::vector<std::array<std::uint32_t, 2>> vertex_face, face_vertex;
    std::vector<std::array<std::uint32_t, 4>> edge_edge;
    for (const T& pair : list) {
        const auto& a = pair.feature_a;
        const auto& b = pair.feature_b;
        if (pair.kind == PRX_IMPACT_KIND_VERTEX_FACE) vertex_face.push_back({a[0], b[0]});
        if (pair.kind == PRX_IMPACT_KIND_FACE_VERTEX) face_vertex.push_back({b[0], a[0]});
        if (pair.kind == PRX_IMPACT_KIND_EDGE_EDGE) edge_edge.push_back({a[0], a[1], b[0], b[1]});
    }
    out.add("count", list.count());
    out.add_list("vertex_face", vertex_face);
    if (two_meshes) out.add_list("face_vertex", face_vertex);
    out.add_list("edge_edge", edge_edge);
}

// The point of `a` and that of `b` that the weights of a pair give, where these meshes are.
template <class T> std::array<Vec3, 2> weighted_points(const T& pair, const Mesh& a, const Mesh& b) {
    const double* w = pair.weights;
    const auto times = [](double weight, Vec3 p) { return static_cast<float>(weight) * p; };
    const auto face = [&](const Mesh& mesh, std::uint32_t triangle) {
        const auto& corners = mesh.triangles[triangle];
        return times(w[1], mesh.positions[corners[0]]) + times(w[2], mesh.positions[corners[1]]) +
               times(w[3], mesh.positions[corners[2]]);
    };
    const auto edge = [&](const Mesh& mesh, const std::uint32_t (&ends)[2], const double* shares) {
        return times(shares[0], mesh.positions[ends[0]]) + times(shares[1], mesh.positions[ends[1]]);
    };
    if (pair.kind == PRX_IMPACT_KIND_VERTEX_FACE) return {a.positions[pair.feature_a[0]], face(b, pair.feature_b[0])};
    if (pair.kind == PRX_IMPACT_KIND_FACE_VERTEX) return {face(a, pair.feature_a[0]), b.positions[pair.feature_b[0]]};
    return {edge(a, pair.feature_a, w), edge(b, pair.feature_b, w + 2)};
}

} // namespace cli
