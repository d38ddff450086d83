#include "tree.hpp"

#include <cmath>

namespace fall {
namespace {

using cli::Vec3;

constexpr float pi = 3.14159265f;
constexpr int cells = 4; // along and across a leaf
constexpr float height = 3.0f;
const cli::Colour green{0.35f, 0.55f, 0.25f}, bark{0.55f, 0.42f, 0.32f};

// Numbers that are spread evenly (Roberts 2018).
float part(std::size_t i, int k) {
    const double steps[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    return static_cast<float>(std::fmod(0.5 + steps[k] * static_cast<double>(i + 1), 1.0));
}

// A tube that tapers, open at both ends.
void grow_tube(cli::Mesh& mesh, Vec3 from, Vec3 to, float wide, float narrow, const TreeDef& def) {
    const Vec3 along = cli::normalised(to - from), x = cli::any_perpendicular(along), y = cli::cross(along, x);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size()), n = static_cast<std::uint32_t>(def.around);
    for (int ring = 0; ring <= def.rings; ++ring) {
        const float t = static_cast<float>(ring) / static_cast<float>(def.rings), radius = wide + (narrow - wide) * t;
        for (std::uint32_t k = 0; k < n; ++k) {
            const float angle = 2 * pi * static_cast<float>(k) / static_cast<float>(n);
            mesh.positions.push_back(cli::lerp(from, to, t) + radius * (std::cos(angle) * x + std::sin(angle) * y));
        }
    }
    for (std::uint32_t ring = 0; ring < static_cast<std::uint32_t>(def.rings); ++ring)
        for (std::uint32_t k = 0; k < n; ++k) {
            const std::uint32_t a = first + ring * n + k, b = first + ring * n + (k + 1) % n;
            mesh.triangles.push_back({a, b, b + n});
            mesh.triangles.push_back({a, b + n, a + n});
        }
}

// A branch, and three smaller ones at its end.
void grow(cli::Mesh& mesh, std::vector<Vec3>& tips, Vec3 from, Vec3 way, float radius, int order, const TreeDef& def) {
    const Vec3 to = from + way;
    grow_tube(mesh, from, to, radius, 0.6f * radius, def);
    if (order == 0) return tips.push_back(to);
    const Vec3 along = cli::normalised(way), x = cli::any_perpendicular(along), y = cli::cross(along, x);
    for (int child = 0; child < 3; ++child) {
        const float angle = 2 * pi * (static_cast<float>(child) + part(tips.size(), 0)) / 3;
        const Vec3 aside = std::cos(angle) * x + std::sin(angle) * y;
        const float share = 0.62f + 0.14f * part(tips.size() + 7, 1);
        grow(mesh, tips, to, share * cli::length(way) * cli::normalised(along + 0.75f * aside), 0.6f * radius, order - 1, def);
    }
}

cli::Mesh leaf_sheet() {
    cli::Mesh leaf;
    leaf.positions.resize((cells + 1) * (cells + 1));
    for (std::uint32_t i = 0; i < cells; ++i)
        for (std::uint32_t k = 0; k < cells; ++k) {
            const std::uint32_t a = i * (cells + 1) + k, b = a + cells + 1;
            leaf.triangles.push_back({a, b, a + 1});
            leaf.triangles.push_back({a + 1, b, b + 1});
        }
    return leaf;
}

} // namespace

Tree::Tree(const proxel::Context& context, const TreeDef& def) : crowd_(context) {
    cli::Mesh wood;
    grow(wood, tips_, {0, 0, 0}, {0, 0.4f * height, 0}, 0.09f, 4, def);
    crowd_.add(std::move(wood), {}, false, bark);
    for (std::uint32_t i = 0; i < def.leaves; ++i) crowd_.add(leaf_sheet(), {}, true, green);
    advance();
}

void Tree::shape(std::size_t leaf) {
    Thing& thing = crowd_.things()[leaf + 1];
    const float own = part(leaf, 0), phase = 2 * pi * own + 5 * time_;
    // Each hangs at a tip for a while, then falls.
    const Vec3 start = tips_[(leaf * 7) % tips_.size()];
    const float falling = std::fmax(0.0f, std::fmod(time_ + 4 * part(leaf, 1), 4.0f) - 1.0f);
    const float drop = std::fmin(0.7f * falling, start.y - 0.03f * own);
    const bool landed = drop < 0.7f * falling;
    const float sway = landed ? 0.0f : 0.12f * std::fmin(falling, 1.0f);
    thing.pose.translation = start + Vec3{sway * std::sin(phase), -drop, sway * std::cos(0.7f * phase)};
    const float half = 0.5f * (2 * pi * part(leaf, 2) + (landed ? 0.0f : 1.3f * falling));
    const Vec3 axis = cli::normalised({part(leaf, 2) - 0.5f, 1.0f, own - 0.5f});
    thing.pose.turn = std::sin(half) * axis;
    thing.pose.scalar = std::cos(half);
    for (int i = 0; i <= cells; ++i)
        for (int k = 0; k <= cells; ++k) {
            const float u = static_cast<float>(i) / cells, v = 2 * static_cast<float>(k) / cells - 1;
            const float width = 0.06f * std::sin(pi * (0.06f + 0.88f * u)), curl = 0.03f * (1 + std::sin(phase));
            thing.mesh.positions[static_cast<std::size_t>(i * (cells + 1) + k)] = {0.2f * u, curl * (4 * u * (1 - u) - v * v), width * v};
        }
    crowd_.deform(thing);
}

void Tree::advance() {
    time_ += 1.0f / 30;
    for (std::size_t leaf = 0; leaf + 1 < crowd_.things().size(); ++leaf) shape(leaf);
    crowd_.move_all();
}

cli::View Tree::view(const std::vector<PrxScenePair>& pairs) const {
    cli::View view = crowd_.view(pairs);
    view.towards_eye = {0.3f, 0.15f, 1.0f};
    view.framed = {{-2.1f, 0, 0}, {2.1f, 0, 0}, {0, 1.25f * height, 0}};
    return view;
}

} // namespace fall
