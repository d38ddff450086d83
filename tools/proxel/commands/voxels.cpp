#include "commands/voxels.hpp"

#include <algorithm>
#include <array>

namespace cli {
namespace {

constexpr int along_longest = 96;

struct Blocks {
    Vec3 low;
    float side = 0;
    std::array<int, 3> count{};
    std::vector<bool> filled;

    bool at(int x, int y, int z) const {
        const bool within = x >= 0 && y >= 0 && z >= 0 && x < count[0] && y < count[1] && z < count[2];
        return within && filled[static_cast<std::size_t>((z * count[1] + y) * count[0] + x)];
    }
};

Blocks ask(const Session& session, const Body& a, const Body& b, const PrxBounds& bounds) {
    Blocks blocks;
    blocks.low = point(bounds.min);
    const std::array<float, 3> size{bounds.max[0] - bounds.min[0], bounds.max[1] - bounds.min[1],
                                    bounds.max[2] - bounds.min[2]};
    blocks.side = std::max({size[0], size[1], size[2]}) / along_longest;
    if (!(blocks.side > 0)) return blocks;
    for (std::size_t i = 0; i < 3; ++i) blocks.count[i] = std::max(1, static_cast<int>(std::ceil(size[i] / blocks.side)));
    std::vector<Vec3> centres;
    for (int z = 0; z < blocks.count[2]; ++z) {
        for (int y = 0; y < blocks.count[1]; ++y) {
            for (int x = 0; x < blocks.count[0]; ++x) {
                const auto middle = [&](float low, int i) { return low + (static_cast<float>(i) + 0.5f) * blocks.side; };
                centres.push_back({middle(blocks.low.x, x), middle(blocks.low.y, y), middle(blocks.low.z, z)});
            }
        }
    }
    std::array<std::vector<std::uint32_t>, 2> inside;
    const std::array<const Body*, 2> bodies{&a, &b};
    for (std::size_t i = 0; i < 2; ++i) {
        inside[i].resize(centres.size());
        session.check(prx_mesh_contains(session.context(), bodies[i]->id, &bodies[i]->where, centres.data(),
                                        static_cast<std::uint32_t>(centres.size()), sizeof(Vec3), nullptr,
                                        inside[i].data()));
    }
    for (std::size_t i = 0; i < centres.size(); ++i)
        blocks.filled.push_back((inside[0][i] & inside[1][i] & PRX_CONTAINMENT_INSIDE) != 0);
    return blocks;
}

} // namespace

Mesh shared_voxels(const Session& session, const Body& a, const Body& b, const PrxBounds& bounds) {
    const Blocks blocks = ask(session, a, b, bounds);
    Mesh mesh;
    // A face on each side of a filled block that has no filled neighbour, anticlockwise from outside.
    const auto add_face = [&](std::array<int, 3> block, std::size_t axis, int side) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (int corner = 0; corner < 4; ++corner) {
            std::array<int, 3> at = block;
            at[axis] += side;
            at[(axis + 1) % 3] += corner == 1 || corner == 2;
            at[(axis + 2) % 3] += corner >= 2;
            mesh.positions.push_back({blocks.low.x + static_cast<float>(at[0]) * blocks.side,
                                      blocks.low.y + static_cast<float>(at[1]) * blocks.side,
                                      blocks.low.z + static_cast<float>(at[2]) * blocks.side});
        }
        const std::uint32_t second = side == 1 ? first + 1 : first + 3, fourth = side == 1 ? first + 3 : first + 1;
        mesh.triangles.push_back({first, second, first + 2});
        mesh.triangles.push_back({first, first + 2, fourth});
    };
    for (int z = 0; z < blocks.count[2]; ++z) {
        for (int y = 0; y < blocks.count[1]; ++y) {
            for (int x = 0; x < blocks.count[0]; ++x) {
                if (!blocks.at(x, y, z)) continue;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    for (int side = 0; side < 2; ++side) {
                        std::array<int, 3> beside{x, y, z};
                        beside[axis] += 2 * side - 1;
                        if (!blocks.at(beside[0], beside[1], beside[2])) add_face({x, y, z}, axis, side);
                    }
                }
            }
        }
    }
    return mesh;
}

} // namespace cli
