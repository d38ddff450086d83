// A scene: a world with bodies in it, what drives them, and where the eye is.
#pragma once

#include "world.hpp"

#include <functional>

namespace scenes {

using MakeWorld = std::function<std::unique_ptr<World>(const proxel::Context&, const Settings&)>;

struct Engine {
    const char* name;
    MakeWorld make;
};

// Those that this program was built with.
std::vector<Engine> engines();

struct Scene {
    std::unique_ptr<World> world;
    int steps;                             // until what it shows has happened
    std::function<void(World&)> drive;     // before each step, or none
    cli::Vec3 towards_eye{0.55f, 0.42f, 1.0f};
    std::vector<cli::Vec3> framed;

    void step() {
        if (drive) drive(*world);
        world->step();
    }
};

// A nut turns down a bolt by its own weight, without friction. Body 0 is the bolt.
namespace nut {
constexpr double pitch = 0.4, amplitude = 0.05, clearance = 0.015;
// The square of the radius of gyration about the y axis, of the nut.
Scene scene(const MakeWorld& make, const proxel::Context& context);
double gyration_squared();
} // namespace nut

// A chain, held by its first link, falls from the side and hangs.
namespace chain {
constexpr float bend = 0.15f, half_straight = 0.1f, tube = 0.06f; // of a link
constexpr float inner_length = 2 * (half_straight + bend - tube); // from middle to middle of two links when they pull
Scene scene(const MakeWorld& make, const proxel::Context& context, int links = 30);
} // namespace chain

// Knots fall into a bowl, body 0.
namespace bowl {
constexpr float radius = 4;
Scene scene(const MakeWorld& make, const proxel::Context& context, int knots = 100, std::size_t triangles = 800);
} // namespace bowl

// Ten boxes of a metre, of twelve triangles each, on each other and on body 0.
namespace stack {
constexpr int boxes = 10;
constexpr float thickness = 0.005f;
constexpr double height(int box) { return thickness + 0.5 + box * (1.0 + 2.0 * thickness); } // of its middle over the ground
Scene scene(const MakeWorld& make, const proxel::Context& context);
} // namespace stack

struct Named {
    const char* name;
    Scene (*make)(const MakeWorld&, const proxel::Context&);
};
std::vector<Named> all();

} // namespace scenes
