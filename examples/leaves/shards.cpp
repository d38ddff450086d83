#include "shards.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace fall {
namespace {

using cli::Vec3;

Vec3 centre_of(const cli::Mesh& mesh) {
    Vec3 sum;
    for (const Vec3 p : mesh.positions) sum += p;
    return sum * (1.0f / static_cast<float>(mesh.positions.size()));
}

// Where a thing's vertices are in the world, as its own frame from now on: a new piece begins at rest there.
cli::Mesh in_world(const Thing& thing) {
    cli::Mesh mesh = thing.mesh;
    for (Vec3& p : mesh.positions) p = cli::place(thing.pose, p);
    return mesh;
}

// The triangles of a mesh on both sides of a plane, by their middles, each with the vertices that it uses.
std::array<cli::Mesh, 2> cut(const cli::Mesh& mesh, Vec3 point, Vec3 normal) {
    std::array<cli::Mesh, 2> sides;
    std::array<std::unordered_map<std::uint32_t, std::uint32_t>, 2> numbers;
    for (const cli::Triangle& t : mesh.triangles) {
        const Vec3 middle = (mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]]) * (1.0f / 3);
        const std::size_t side = cli::dot(middle - point, normal) < 0 ? 0 : 1;
        cli::Triangle own{};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto known = numbers[side].emplace(t[k], static_cast<std::uint32_t>(sides[side].positions.size()));
            if (known.second) sides[side].positions.push_back(mesh.positions[t[k]]);
            own[k] = known.first->second;
        }
        sides[side].triangles.push_back(own);
    }
    return sides;
}

} // namespace

Shards::Shards(const proxel::Context& context, const cli::Mesh& whole) : crowd_(context), middle_(centre_of(whole)) {
    crowd_.add(whole, {}, false, cli::palette::clay);
    flights_.push_back({middle_, {}, {0, 1, 0}, 0});
}

Shards::Flight Shards::flight_of(const cli::Mesh& piece) const {
    const Vec3 centre = centre_of(piece), out = centre - middle_;
    const float n = static_cast<float>(cracks_);
    return {centre, 0.01f * out, cli::normalised({std::sin(3 * n), std::cos(5 * n), std::sin(7 * n + 1)}), 0};
}

void Shards::crack() {
    ++cracks_;
    std::vector<Thing>& things = crowd_.things();
    const auto smaller = [](const Thing& a, const Thing& b) { return a.mesh.triangles.size() < b.mesh.triangles.size(); };
    const auto largest = static_cast<std::size_t>(std::max_element(things.begin(), things.end(), smaller) - things.begin());
    const float n = static_cast<float>(cracks_);
    const cli::Mesh before = in_world(things[largest]);
    auto [kept, lost] = cut(before, centre_of(before), cli::normalised({std::sin(n), std::sin(2.4f * n), std::cos(1.7f * n)}));
    if (kept.triangles.empty() || lost.triangles.empty()) return;
    flights_[largest] = flight_of(kept);
    flights_.push_back(flight_of(lost));
    crowd_.replace(things[largest], std::move(kept));
    crowd_.add(std::move(lost), {}, false, cli::palette::clay);
}

void Shards::advance() {
    crack();
    for (std::size_t i = 0; i < flights_.size(); ++i) {
        Flight& flight = flights_[i];
        flight.age += 1;
        const float half = 0.5f * 0.02f * flight.age;
        cli::Pose& pose = crowd_.things()[i].pose;
        pose.turn = std::sin(half) * flight.axis;
        pose.scalar = std::cos(half);
        pose.translation = {};
        pose.translation = flight.centre + flight.age * flight.way - cli::place(pose, flight.centre);
    }
    crowd_.move_all();
}

} // namespace fall
