#include "rings.hpp"
#include "scene.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scenes::bowl {
namespace {

// Half a ball that is hollow, open above.
cli::Mesh bowl_mesh() {
    constexpr int count = 16, around = 64;
    constexpr double quarter = 1.5707963267948966, wall = 0.3;
    std::vector<Ring> rings;
    for (int j = 1; j <= count; ++j) rings.push_back(circle(-(radius + wall) * std::cos(quarter * j / count), (radius + wall) * std::sin(quarter * j / count), around));
    for (int j = count; j >= 1; --j) rings.push_back(circle(-radius * std::cos(quarter * j / count), radius * std::sin(quarter * j / count), around));
    return tube(rings, Ends::lids);
}

// As wide as told at most, with the middle of its box at the origin.
cli::Mesh sized(cli::Mesh mesh, float width) {
    cli::Vec3 low = mesh.positions[0], high = low;
    for (const cli::Vec3 p : mesh.positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const cli::Vec3 middle = 0.5f * (low + high), size = high - low;
    const float scale = std::min(1.0f, width / std::max({size.x, size.y, size.z}));
    for (cli::Vec3& p : mesh.positions) p = scale * (p - middle);
    return mesh;
}

} // namespace

Scene scene(const MakeWorld& make, const proxel::Context& context, int count, cli::Mesh falling) {
    Settings settings;
    settings.reach = 0.03f;
    settings.slack = 0.01f;
    Scene scene{make(context, settings), 900, {}, {0.4f, 0.75f, 1.0f}, {}};
    const bool many = count > 20; // they are smaller, or the bowl would not hold them
    const float width = many ? 1.0f : 2.0f;
    BodyDef bowl, body;
    bowl.shape = scene.world->add_shape({bowl_mesh(), 96, 0});
    body.shape = scene.world->add_shape({sized(std::move(falling), width), 48, 0.01f});
    bowl.mass = 0;
    bowl.friction = body.friction = 0.6f;
    body.damping = 0.2f;
    scene.world->add_body(bowl);
    const int across = many ? 4 : 2; // in square layers, each body turned another way
    for (int i = 0; i < count; ++i) {
        const float turn = 0.7f * static_cast<float>(i), half = 0.5f * turn;
        const cli::Vec3 axis = cli::normalised({std::cos(turn), 0.5f, std::sin(turn)});
        const int in_layer = i % (across * across), layer = i / (across * across);
        body.pose.translation = {0.575f * width * static_cast<float>(2 * (in_layer % across) + 1 - across), -1.5f + 1.1f * width * static_cast<float>(layer),
                                 0.575f * width * static_cast<float>(2 * (in_layer / across) + 1 - across)};
        body.pose.turn = std::sin(half) * axis;
        body.pose.scalar = std::cos(half);
        scene.world->add_body(body);
    }
    const float wide = radius + 0.3f;
    scene.framed = {{-wide, -wide, -wide}, {wide, -wide, wide}, {-wide, 1.5f, wide}, {wide, 3.5f, -wide}, {wide, 1.5f, wide}, {-wide, 3.5f, -wide}};
    return scene;
}

} // namespace scenes::bowl
