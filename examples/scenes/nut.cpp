#include "rings.hpp"
#include "scene.hpp"

#include "mesh/moments.hpp"

#include <cmath>

namespace scenes::nut {
namespace {

constexpr double tau = 6.283185307179586;
constexpr double radius = 0.3, outer_radius = 0.5, length = 1.4, from = 0.9, to = 1.3;
constexpr std::uint32_t around = 48;
constexpr int per_pitch = 16;

// The bolt's surface at a height, farther outwards by `gap`.
Ring thread(double height, double gap) {
    Ring out;
    for (std::uint32_t i = 0; i < around; ++i) {
        const double angle = tau * i / around, r = radius + amplitude * std::cos(tau * height / pitch - angle) + gap;
        out.push_back({static_cast<float>(r * std::sin(angle)), static_cast<float>(height), static_cast<float>(r * std::cos(angle))});
    }
    return out;
}

cli::Mesh bolt_mesh() {
    std::vector<Ring> rings;
    const int count = static_cast<int>(length / pitch * per_pitch);
    for (int j = 0; j <= count; ++j) rings.push_back(thread(length * j / count, 0));
    return tube(rings, Ends::lids);
}

cli::Mesh nut_mesh() {
    std::vector<Ring> rings;
    const int count = static_cast<int>((to - from) / pitch * per_pitch);
    for (int j = 0; j <= 4; ++j) rings.push_back(circle(from + (to - from) * j / 4, outer_radius, around));
    for (int j = count; j >= 0; --j) rings.push_back(thread(from + (to - from) * j / count, clearance));
    return tube(rings, Ends::joined);
}

} // namespace

double gyration_squared() {
    cli::Mesh mesh = nut_mesh();
    const cli::Vec3 centre = cli::Moments(mesh).centre();
    for (cli::Vec3& p : mesh.positions) p = p - centre;
    const cli::Moments moments(mesh);
    return (moments.second[0][0] + moments.second[2][2]) / moments.volume;
}

Scene scene(const MakeWorld& make, const proxel::Context& context) {
    Settings settings;
    settings.reach = 0.004f;
    settings.slack = 0.001f;
    settings.patches = 64;
    Scene scene{make(context, settings), 300, {}, {0.6f, 0.5f, 1.0f}, {}};
    BodyDef bolt, nut;
    bolt.shape = scene.world->add_shape({bolt_mesh(), 160, 0.001f});
    nut.shape = scene.world->add_shape({nut_mesh(), 128, 0.001f});
    bolt.mass = 0;
    bolt.friction = nut.friction = 0;
    scene.world->add_body(bolt);
    scene.world->add_body(nut);
    return scene;
}

} // namespace scenes::nut
