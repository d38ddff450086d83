#include "rings.hpp"
#include "scene.hpp"

#include "mesh/shapes.hpp"

#include <cmath>

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

} // namespace

Scene scene(const MakeWorld& make, const proxel::Context& context, int knots, std::size_t triangles) {
    Settings settings;
    settings.reach = 0.03f;
    settings.slack = 0.01f;
    Scene scene{make(context, settings), 900, {}, {0.4f, 0.75f, 1.0f}, {}};
    BodyDef bowl, knot;
    bowl.shape = scene.world->add_shape({bowl_mesh(), 96, 0});
    knot.shape = scene.world->add_shape({cli::knot(triangles), 48, 0.01f});
    bowl.mass = 0;
    bowl.friction = knot.friction = 0.6f;
    knot.damping = 0.2f;
    scene.world->add_body(bowl);
    constexpr int across = 2; // in layers of four, each body turned another way
    for (int i = 0; i < knots; ++i) {
        const float turn = 0.7f * static_cast<float>(i), half = 0.5f * turn;
        const cli::Vec3 axis = cli::normalised({std::cos(turn), 0.5f, std::sin(turn)});
        const int in_layer = i % (across * across), layer = i / (across * across);
        knot.pose.translation = {1.15f * static_cast<float>(2 * (in_layer % across) - 1), -1.5f + 2.2f * static_cast<float>(layer),
                                 1.15f * static_cast<float>(2 * (in_layer / across) - 1)};
        knot.pose.turn = std::sin(half) * axis;
        knot.pose.scalar = std::cos(half);
        scene.world->add_body(knot);
    }
    const float wide = radius + 0.3f;
    scene.framed = {{-wide, -wide, -wide}, {wide, -wide, wide}, {-wide, 1.5f, wide}, {wide, 3.5f, -wide}, {wide, 1.5f, wide}, {-wide, 3.5f, -wide}};
    return scene;
}

} // namespace scenes::bowl
