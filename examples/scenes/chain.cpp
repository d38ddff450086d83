#include "rings.hpp"
#include "scene.hpp"

#include <algorithm>
#include <cmath>

namespace scenes::chain {
namespace {

// A tube along two straights, parallel to x, and two half circles.
cli::Mesh link_mesh() {
    constexpr int per_bend = 12, per_straight = 3, around = 10;
    constexpr double pi = 3.141592653589793;
    std::vector<Ring> rings;
    for (int side = 0; side < 2; ++side) {
        const double sign = side == 0 ? 1 : -1;
        for (int j = 0; j < per_bend + per_straight; ++j) {
            // Half a circle about (+-half_straight, 0), then back along the straight.
            const double angle = pi * std::min(j, per_bend) / per_bend - pi / 2;
            const double back = j <= per_bend ? 0 : 2 * half_straight * static_cast<float>(j - per_bend) / static_cast<double>(per_straight);
            const double across = std::cos(angle), up = std::sin(angle);
            Ring ring;
            for (int i = 0; i < around; ++i) {
                const double turn = 2 * pi * i / around, out = bend + tube * std::cos(turn);
                ring.push_back({static_cast<float>(sign * (half_straight - back + out * across)), static_cast<float>(sign * out * up),
                                static_cast<float>(-tube * std::sin(turn))});
            }
            rings.push_back(std::move(ring));
        }
    }
    return scenes::tube(rings, Ends::joined);
}

} // namespace

Scene scene(const MakeWorld& make, const proxel::Context& context, int links) {
    Settings settings;
    settings.reach = 0.01f;
    settings.slack = 0.004f;
    settings.iterations = 60; // a pull has to go along the whole chain
    Scene scene{make(context, settings), 1200, {}, {0.25f, 0.15f, 1.0f}, {}};
    BodyDef link;
    link.shape = scene.world->add_shape({link_mesh(), 64, 0});
    link.damping = 0.4f;
    link.friction = 0.3f;
    constexpr float pitch = 0.9f * inner_length;
    for (int i = 0; i < links; ++i) {
        link.mass = i == 0 ? 0 : 1;
        link.pose.translation = {pitch * static_cast<float>(i), 0, 0};
        // Every other link is turned by a quarter about the chain.
        const float half = i % 2 == 0 ? 0.0f : 0.78539816f;
        link.pose.turn = {std::sin(half), 0, 0};
        link.pose.scalar = std::cos(half);
        scene.world->add_body(link);
    }
    const float length = inner_length * static_cast<float>(links);
    scene.framed = {{-0.4f * length, 0.3f, 0}, {length, 0.3f, 0}, {-0.4f * length, -length, 0}, {length, -length, 0}};
    return scene;
}

} // namespace scenes::chain
