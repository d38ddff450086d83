#include "rings.hpp"
#include "scene.hpp"

#include <algorithm>
#include <cmath>

namespace scenes::gears {
namespace {

constexpr double pi = 3.141592653589793;
constexpr double addendum = 0.8, dedendum = 1.1, pressure_angle = pi / 9; // in modules

double involute(double angle) { return std::tan(angle) - angle; }

// About the y axis; the middle of a tooth is towards +z.
Ring outline(int count, double height) {
    const double pitch_radius = 0.5 * module * count, base = pitch_radius * std::cos(pressure_angle);
    const double root = pitch_radius - dedendum * module, tip = pitch_radius + addendum * module;
    // Half the angle that a tooth takes at a radius.
    const auto half = [&](double r) {
        const double angle = r > base ? std::acos(base / r) : 0;
        return pi / (2 * count) + involute(pressure_angle) - involute(angle) - 0.25 * backlash / pitch_radius;
    };
    constexpr int per_flank = 6;
    Ring out;
    const auto point = [&](double r, double angle) {
        out.push_back({static_cast<float>(r * std::sin(angle)), static_cast<float>(height), static_cast<float>(r * std::cos(angle))});
    };
    for (int tooth = 0; tooth < count; ++tooth) {
        const double middle = 2 * pi * tooth / count, start = std::max(base, root);
        // The foot of a tooth is a little wider than its flank: a radial edge would make a triangle without area in the lid.
        const double foot = half(start) + 0.2 * (pi / count - half(start));
        point(root, middle - pi / count);
        if (root < base) point(root, middle - foot);
        for (int i = 0; i <= per_flank; ++i) point(start + (tip - start) * i / per_flank, middle - half(start + (tip - start) * i / per_flank));
        for (int i = per_flank; i >= 0; --i) point(start + (tip - start) * i / per_flank, middle + half(start + (tip - start) * i / per_flank));
        if (root < base) point(root, middle + foot);
    }
    return out;
}

cli::Mesh gear_mesh(int count) { return tube({outline(count, -0.1), outline(count, 0.1)}, Ends::lids); }

} // namespace

Scene scene(const MakeWorld& make, const proxel::Context& context) {
    Settings settings;
    settings.reach = 0.004f;
    settings.slack = 0.001f;
    settings.iterations = 20;
    Scene scene{make(context, settings), 1200, {}, {0.1f, 1.0f, 0.35f}, {}};
    double along = 0;
    for (int i = 0; i < 3; ++i) {
        if (i > 0) along += radius(i - 1) + radius(i);
        BodyDef gear;
        gear.shape = scene.world->add_shape({gear_mesh(teeth[i]), 128, 0});
        gear.friction = 0.1f;
        gear.damping = 0.5f; // what the first has to overcome
        // A gap of the second faces a tooth of the first; all of them have an even number of teeth.
        const double turn = i == 1 ? pi / teeth[i] : 0;
        gear.pose = {{0, 0, static_cast<float>(along)}, {0, static_cast<float>(std::sin(turn / 2)), 0}, static_cast<float>(std::cos(turn / 2))};
        const std::size_t body = scene.world->add_body(gear);
        scene.world->hinge(body, gear.pose.translation, {0, 1, 0});
    }
    scene.drive = [](World& world) { world.set_spin(0, {0, static_cast<float>(driven_at), 0}); };
    return scene;
}

} // namespace scenes::gears
