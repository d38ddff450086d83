#include "tissue.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace probing {
namespace {

constexpr float width = 2.0f, height = 0.8f;
constexpr float density = 1.0f, damping = 25.0f; // damping: part of the velocity that is lost per second
constexpr float softness = 2e-2f;               // compliance of an edge times its length
constexpr float volume_softness = 8e-3f;        // compliance of a tetrahedron's volume, both times six, per volume

// Six times the volume.
float volume(Vec3 a, Vec3 b, Vec3 c, Vec3 d) { return dot(cross(b - a, c - a), d - a); }

// The triangles that only one tetrahedron has, seen from outside.
std::vector<cli::Triangle> surface_of(const std::vector<Tetrahedron>& tetrahedra) {
    std::map<cli::Triangle, cli::Triangle> open;
    for (const Tetrahedron& t : tetrahedra)
        for (const cli::Triangle face : {cli::Triangle{t[0], t[2], t[1]}, {t[0], t[1], t[3]}, {t[1], t[2], t[3]}, {t[0], t[3], t[2]}}) {
            cli::Triangle key = face;
            std::sort(key.begin(), key.end());
            if (open.erase(key) == 0) open.emplace(key, face);
        }
    std::vector<cli::Triangle> faces;
    for (const auto& each : open) faces.push_back(each.second);
    return faces;
}

} // namespace

Tissue::Tissue(std::uint32_t cells) {
    const std::uint32_t high = std::max(1u, cells / 2), side = cells + 1;
    for (std::uint32_t y = 0; y <= high; ++y)
        for (std::uint32_t z = 0; z <= cells; ++z)
            for (std::uint32_t x = 0; x <= cells; ++x) {
                const auto part = [](std::uint32_t k, std::uint32_t of) { return static_cast<float>(k) / static_cast<float>(of); };
                rest_.push_back({width * (part(x, cells) - 0.5f), height * (part(y, high) - 1.0f), width * (part(z, cells) - 0.5f)});
            }
    // Each cell is cut into six tetrahedra around its diagonal, one for each order of the axes (Kuhn 1960), so that neighbours fit.
    const std::uint32_t strides[3] = {1, side * side, side};
    for (std::uint32_t y = 0; y < high; ++y)
        for (std::uint32_t z = 0; z < cells; ++z)
            for (std::uint32_t x = 0; x < cells; ++x) {
                int order[3] = {0, 1, 2};
                do {
                    Tetrahedron t{x + side * (z + side * y)};
                    for (int k = 0; k < 3; ++k) t[k + 1] = t[k] + strides[order[k]];
                    if (volume(rest_[t[0]], rest_[t[1]], rest_[t[2]], rest_[t[3]]) < 0) std::swap(t[2], t[3]);
                    tetrahedra_.push_back(t);
                } while (std::next_permutation(order, order + 3));
            }
    std::vector<float> masses(rest_.size(), 0.0f);
    std::set<std::array<std::uint32_t, 2>> edges;
    for (const Tetrahedron& t : tetrahedra_) {
        volumes_.push_back(volume(rest_[t[0]], rest_[t[1]], rest_[t[2]], rest_[t[3]]));
        for (int k = 0; k < 4; ++k) {
            masses[t[k]] += density * volumes_.back() / 24;
            for (int m = k + 1; m < 4; ++m) edges.insert({std::min(t[k], t[m]), std::max(t[k], t[m])});
        }
    }
    for (const auto& e : edges) edges_.push_back({e[0], e[1], length(rest_[e[0]] - rest_[e[1]])});
    for (std::size_t v = 0; v < rest_.size(); ++v) inverse_masses_.push_back(v < std::size_t{side} * side ? 0.0f : 1 / masses[v]);
    surface_ = {rest_, surface_of(tetrahedra_)};
    solved_ = rest_;
    velocities_.resize(rest_.size());
}

void Tissue::predict(float step) {
    for (std::size_t v = 0; v < solved_.size(); ++v) {
        velocities_[v] = velocities_[v] * (1 - damping * step);
        if (inverse_masses_[v] > 0) solved_[v] = surface_.positions[v] + step * velocities_[v];
    }
    edge_multipliers_.assign(edges_.size(), 0.0f);
    volume_multipliers_.assign(tetrahedra_.size(), 0.0f);
}

std::array<Vec3, 4> Tissue::volume_gradients(const Tetrahedron& t) const {
    const Vec3 a = solved_[t[0]], b = solved_[t[1]] - a, c = solved_[t[2]] - a, d = solved_[t[3]] - a;
    const Vec3 of_b = cross(c, d), of_c = cross(d, b), of_d = cross(b, c);
    return {-(of_b + of_c + of_d), of_b, of_c, of_d};
}

void Tissue::relax(float step) {
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const Edge& e = edges_[i];
        const Vec3 between = solved_[e.b] - solved_[e.a];
        const float now = length(between), weight = inverse_masses_[e.a] + inverse_masses_[e.b];
        const float compliance = softness / e.rest / (step * step);
        if (!(now > 0 && weight > 0)) continue;
        const float change = (e.rest - now - compliance * edge_multipliers_[i]) / (weight + compliance);
        edge_multipliers_[i] += change;
        const Vec3 push = between * (change / now);
        solved_[e.a] += -inverse_masses_[e.a] * push;
        solved_[e.b] += inverse_masses_[e.b] * push;
    }
    for (std::size_t i = 0; i < tetrahedra_.size(); ++i) {
        const Tetrahedron& t = tetrahedra_[i];
        const std::array<Vec3, 4> gradients = volume_gradients(t);
        const float compliance = volume_softness * volumes_[i] / (step * step);
        float weight = compliance;
        for (int k = 0; k < 4; ++k) weight += inverse_masses_[t[k]] * dot(gradients[k], gradients[k]);
        const float now = dot(gradients[3], solved_[t[3]] - solved_[t[0]]);
        const float change = (volumes_[i] - now - compliance * volume_multipliers_[i]) / weight;
        volume_multipliers_[i] += change;
        for (int k = 0; k < 4; ++k) solved_[t[k]] += inverse_masses_[t[k]] * change * gradients[k];
    }
}

void Tissue::advance(float step) {
    for (std::size_t v = 0; v < solved_.size(); ++v) velocities_[v] = (solved_[v] - surface_.positions[v]) * (1 / step);
    surface_.positions = solved_;
}

Vec3 Tissue::force_on_anchors(float step) const {
    Vec3 force;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const Edge& e = edges_[i];
        const Vec3 push = normalised(solved_[e.b] - solved_[e.a]) * edge_multipliers_[i];
        if (inverse_masses_[e.a] == 0) force += -push;
        if (inverse_masses_[e.b] == 0) force += push;
    }
    for (std::size_t i = 0; i < tetrahedra_.size(); ++i) {
        const std::array<Vec3, 4> gradients = volume_gradients(tetrahedra_[i]);
        for (int k = 0; k < 4; ++k)
            if (inverse_masses_[tetrahedra_[i][k]] == 0) force += gradients[k] * volume_multipliers_[i];
    }
    return force * (1 / (step * step));
}

float Tissue::fastest() const {
    float most = 0;
    for (const Vec3 v : velocities_) most = std::max(most, length(v));
    return most;
}

} // namespace probing
